"""Data that cost a method its digits: its honest traces are left open, and wrong ones are, too."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations import kept_methods, kept_textbook
from asura_verify.implementations.kept_cases import KINDS, kept_case
from asura_verify.implementations.kept_methods import KEPT_METHODS
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling

METHODS: dict[str, Any] = {"textbook": kept_textbook.run, **KEPT_METHODS}


def steep(decades: float, kind: int, seed: int, hard: str = "") -> dict[str, Any]:
    """A header whose X has the condition number 10^decades."""
    header = kept_case(seed + 50 * kind, KINDS[kind], hard)
    columns = np.linalg.qr(np.array(header["points"]))[0]
    d = columns.shape[1]
    rotation = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    header["points"] = (columns * 10 ** np.linspace(0, -decades, d) @ rotation).tolist()
    return header


def told(lines: list[str], hidden: tuple[str, ...] = (), *, end: bool = True) -> Judgement:
    """The verdict on a trace that hides some fields, at its end or not."""
    records = [json.loads(line) for line in lines]
    for record in records if end else records[:-1]:
        for field in hidden:
            record.pop(field, None)
    return check_lines([json.dumps(record) for record in records])


@pytest.mark.parametrize("hidden", [(), ("probabilities",), ("u", "l")])
@pytest.mark.parametrize(
    ("decades", "kind", "seed", "name"),
    [
        (8.5, 5, 2, "gram"),  # phi = -2.61
        (8.5, 5, 2, "normalised-gram"),
        (9.5, 4, 1, "gram"),  # probabilities whose sum is off by more than 1
        (9.5, 5, 2, "gram"),
        (9.5, 5, 2, "normalised-gram"),
    ],
)
def test_no_digit_is_left(
    decades: float, kind: int, seed: int, name: str, hidden: tuple[str, ...]
) -> None:
    header = steep(decades, kind, seed)
    lines = METHODS[name](header, header["uniforms"])
    assert told(lines, hidden).ruling is Ruling.UNDECIDED
    # An orthogonal factorisation keeps them on the same data.
    right = KEPT_METHODS["reflections"](header, header["uniforms"])
    assert told(right, hidden).first is None


@pytest.mark.parametrize(
    ("kind", "seed", "name", "hidden", "end"),
    [
        (0, 0, "textbook", ("phi",), True),  # nothing is known of sigma at the next line
        (0, 0, "reflections", ("phi", "weight", "u", "l"), True),  # nor in the result
        (0, 0, "textbook", ("phi", "weight", "u", "l"), False),
        (3, 1, "textbook", ("u", "l"), True),  # and the step may be the last, a part of one
        (2, 0, "gram", ("weight",), True),
    ],
)
def test_a_hidden_state_may_be_anything(
    kind: int, seed: int, name: str, hidden: tuple[str, ...], end: bool
) -> None:
    header = steep(8.5, kind, seed)
    lines = METHODS[name](header, header["uniforms"])
    assert told(lines, hidden, end=end).ruling is Ruling.UNDECIDED


def test_where_a_state_is_hidden_no_relation_has_a_defect() -> None:
    """Nor is the last step a whole one."""
    for decades, kind, seed, name in (
        (6.5, 0, 4, "normalised-gram"), (6.5, 4, 1, "textbook"), (10.5, 4, 1, "gram"),
    ):  # fmt: skip
        header = steep(decades, kind, seed)
        lines = METHODS[name](header, header["uniforms"])
        for hidden in (("weight",), ("u", "l")):
            assert told(lines, hidden).first is None


def by_eigenvalues(header: dict[str, Any]) -> list[str]:
    """As `gram`, in columns as they are, and every inverse by eigenvalues."""
    points, pool = np.array(header["points"]), header["unlabelled"]
    points = np.sqrt(header.get("squared_scales") or [1.0] * len(points))[:, None] * points
    whole, target = points.T @ points, points[:pool].T @ points[:pool]

    def inverse(form: Any) -> Any:
        values, vectors = np.linalg.eigh(form)
        return (vectors / values) @ vectors.T

    def look(form: Any, up: Any, low: Any, c: Any) -> tuple[Any, Any]:
        bracket = inverse(form + c * whole - low * target)
        if up is not None:
            bracket = bracket + inverse(c * whole + up * target - form)
        masses = np.einsum("ni,ij,nj->n", points[:pool], bracket, points[:pool])
        return np.trace(bracket @ target), masses

    rank = np.trace(inverse(whole) @ target)
    return kept_methods._loop(header, header["uniforms"], points, look, rank)


@pytest.mark.parametrize(
    ("kind", "seed", "order"),
    [(4, 7004, (3, 1, 0, 2)), (5, 7004, (1, 2, 0)), (3, 7005, (3, 2, 1, 0))],
)
def test_normal_equations_of_columns_in_units(kind: int, seed: int, order: tuple[int, ...]) -> None:
    """An eigenvalue of G has no digit below e |G|, whatever the columns are scaled to."""
    header = kept_case(seed + 50 * kind, KINDS[kind])
    units = 10 ** np.linspace(4.5, -4.5, len(order))[list(order)]
    header["points"] = (np.array(header["points"]) * units).tolist()
    assert check_lines(by_eigenvalues(header)).ruling is Ruling.UNDECIDED


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("hard", ["", "ill", "units"])
def test_weights_that_are_all_off_never_conform(hard: str, kind: int) -> None:
    """By 5 millionths: a third of the bits of a double are kept, whatever the data."""
    for seed in range(6):
        header = kept_case(seed, KINDS[kind], hard)
        lines = kept_textbook.run(header, header["uniforms"])
        assert check_lines(lines).ruling is Ruling.CONFORMS
        records = [json.loads(line) for line in lines]
        for record in records[1:-1]:
            record["weight"] *= 1 + 5e-6
        result = records[-1]
        result["weights"] = [weight * (1 + 5e-6) for weight in result["weights"]]
        result.pop("beta", None)
        judged = check_lines([json.dumps(record) for record in records])
        assert judged.ruling is not Ruling.CONFORMS


def only(lines: list[str], iterations: set[str], result: set[str]) -> list[dict[str, Any]]:
    """The records of a trace with a part of their fields."""
    header, *steps, last = (json.loads(line) for line in lines)
    return [
        header,
        *({k: v for k, v in step.items() if k in {"j", "index", *iterations}} for step in steps),
        {k: v for k, v in last.items() if k in {"m", *result}},
    ]


@pytest.mark.parametrize("decades", [6.0, 8.0])
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_what_hardly_anything_is_known_of_does_not_conform(kind: int, decades: float) -> None:
    """Gross mistakes beside which so little is reported that honest methods may have nearly any.

    beta twice as large, the first half of a run alone, barriers that grow by a tenth too much.
    """
    count = 0
    for seed in range(8):
        header = steep(decades, kind, seed)
        lines = kept_textbook.run(header, header["uniforms"])
        if len(lines) < 8:
            continue  # the first values are certain, and half of all

        def ruling(records: list[dict[str, Any]]) -> Ruling:
            return check_lines([json.dumps(record) for record in records]).ruling

        answer = only(lines, set(), {"beta"})
        assert ruling(answer) is not Ruling.VIOLATES
        if "beta" in answer[-1]:
            answer[-1]["beta"] = [2 * b for b in answer[-1]["beta"]]
            assert ruling(answer) is not Ruling.CONFORMS
        short = only(lines, set(), set())
        assert ruling(short) is not Ruling.VIOLATES
        steps = short[1 : 1 + (len(short) - 2) // 2]
        assert ruling([header, *steps, {"m": len(steps)}]) is not Ruling.CONFORMS
        few = only(lines, {"u", "l"}, {"u", "l"})
        assert ruling(few) is not Ruling.VIOLATES
        start = few[1].get("l", 0.0), few[1].get("u", 0.0)
        for record in few[2:]:
            for field, first in zip("lu", start, strict=True):
                if field in record:
                    record[field] = first + 1.1 * (record[field] - first)
                    count += 1
        assert ruling(few) is not Ruling.CONFORMS
    assert count > 5


@pytest.mark.parametrize("decades", [5.5, 6.0])
def test_a_part_of_a_step_is_that_of_programs_that_keep_the_digits_of_r(decades: float) -> None:
    """R by normal equations would excuse a last weight off by 3 %, and a coin that is wrong."""
    count = 0
    for ending in ("clip", "coin"):
        for seed in range(6):
            kind = {"variant": "two-sided", "stopping": "sure", "ending": ending}
            header = steep(decades, KINDS.index(kind), seed)
            lines = kept_textbook.run(header, header["uniforms"])
            records = [json.loads(line) for line in lines]
            right = check_lines(lines)
            assert right.ruling is not Ruling.VIOLATES
            last = records[-2]
            if "weight" not in last or right.ruling is Ruling.UNDECIDED:
                continue
            if ending == "clip":
                last["weight"] *= 0.97
                records[-1]["weights"][-1] *= 0.97
                records[-1].pop("beta", None)
            else:
                records[0]["uniforms"][last["j"]] = 0.9999
            count += 1
            wrong = check_lines([json.dumps(record) for record in records])
            assert wrong.ruling is not Ruling.CONFORMS
    assert count > 2
