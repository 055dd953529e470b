"""What independent programs once found: honest ones accused, wrong ones let through."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibits import EXHIBITS
from asura_verify.implementations.methods import METHODS, with_its_whitening
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

ACQUITTED = (Ruling.CONFORMS, Ruling.UNDECIDED)


def header_of(rows: Any, seed: int, gamma: float = 0.25, **fields: Any) -> dict[str, Any]:
    rng = np.random.default_rng([41, seed])
    points = np.asarray(rows).tolist()
    length = int(3 * len(points[0]) / gamma**2) + 20
    return {
        "format": "asura-trace/1", "gamma": gamma, "points": points, "unlabelled": len(points),
        "labels": rng.standard_normal(len(points)).tolist(),
        "uniforms": rng.random(length).tolist(), **fields,
    }  # fmt: skip


def light(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng([1, seed])
    return header_of(rng.standard_normal((8, 3)) * 10 ** rng.uniform(-8, 0, (8, 1)), seed)


def tiny_ridge(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng([2, seed])
    rows = np.vstack([rng.standard_normal((7, 3)), np.eye(3)])
    scales = [1.0] * 7 + [1e-14, 1.0, 1e3]
    return header_of(rows, seed, 0.2, squared_scales=scales)


HONEST: dict[str, Callable[[int], dict[str, Any]]] = {
    "a row of 4e-19": lambda seed: header_of([[4e-19, 4e-19], [-1, -1], [1, -1]], seed),
    "rows from 1e-8": light,
    "a probability of 1e-598": lambda seed: header_of([[1e-299, 0], [1, 0], [0, 1], [1, 1]], seed),
    "ridge with a tiny lambda": tiny_ridge,
    "gamma near 1/2": lambda seed: header_of(case(seed, scaled=False)["points"], seed, 0.49),
}


@pytest.mark.parametrize("data", HONEST)
@pytest.mark.parametrize("name", sorted(set(METHODS) - {"multiprecision"}))
def test_honest_programs_are_acquitted(name: str, data: str) -> None:
    for seed in range(2):
        header = HONEST[data](seed)
        lines = attempt(METHODS[name], header)
        if lines is None:
            continue  # breaks down, and says nothing
        judgement = check_lines(lines)
        assert judgement.ruling in ACQUITTED, (judgement.first, judgement.remarks)
        if name in {"singular-vectors", "eigenvalues", "orthogonal-solve", "with-its-whitening"}:
            assert judgement.ruling is Ruling.CONFORMS


def in_units(seed: int) -> dict[str, Any]:
    """Condition about 19 with scaled columns, and 1e5 without."""
    rng = np.random.default_rng([3, seed])
    return header_of(rng.standard_normal((10, 3)) * 10 ** np.linspace(2, -2, 3), seed)


def every(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        for j, record in enumerate(records[1:-1]):
            record[field] *= 1 + factor * (j if field in "ul" else 1)

    return change


def start(records: list[Any]) -> None:
    records[1]["l"] *= 1 + 1e-7


def answer(records: list[Any]) -> None:
    records[-1]["beta"] = [b * (1 + 1e-7) for b in records[-1]["beta"]]


def weights(records: list[Any]) -> None:
    records[-1]["weights"] = [w * (1 + 1e-9) for w in records[-1]["weights"]]


@pytest.mark.parametrize(
    "change", [start, answer, weights, every("weight", 1e-9), every("u", 1e-8), every("l", 1e-8)]
)
def test_little_is_seen_in_columns_of_other_units(change: Callable[[list[Any]], None]) -> None:
    for seed in range(2):
        header = in_units(seed)
        lines = METHODS["singular-vectors"](header, header["uniforms"])
        assert check_lines(lines).ruling is Ruling.CONFORMS
        records = [json.loads(line) for line in lines]
        change(records)
        wrong = check_lines([json.dumps(record) for record in records])
        assert wrong.ruling is Ruling.VIOLATES


def test_few_bits_that_are_declared_as_many_are_seen() -> None:
    header = in_units(0)
    single = METHODS["single-precision"](header, header["uniforms"])
    said = json.loads(single[0]) | {"precision": 53}
    assert check_lines([json.dumps(said), *single[1:]]).ruling is Ruling.VIOLATES
    rounded = header | {"gamma": float(np.float32(0.3))}
    lines = METHODS["singular-vectors"](rounded, header["uniforms"])
    said = json.loads(lines[0]) | {"gamma": 0.3}
    assert check_lines([json.dumps(said), *lines[1:]]).ruling is Ruling.VIOLATES


@pytest.mark.parametrize("decades", [7.4, 8.0])
def test_no_gross_mistake_conforms_on_nearly_singular_data(decades: float) -> None:
    header = case(3, decades=decades, scaled=False)
    right = attempt(METHODS["singular-vectors"], header)
    count = 0
    for exhibit in EXHIBITS[int(decades) % 7 :: 5]:
        lines = attempt(exhibit.run, header)
        if lines is not None and lines != right:
            count += 1
            assert check_lines(lines).ruling is not Ruling.CONFORMS, exhibit.mistake
    assert count > 10
    assert right is not None
    assert check_lines(right).ruling is Ruling.CONFORMS


def test_a_reported_whitening_is_judged_and_sharpens_the_rest() -> None:
    """At condition 1e8: p and all that follows from it off by 1e-6, in one step."""
    header = case(2, decades=8.0, scaled=False)
    lines = with_its_whitening(header, header["uniforms"])
    records = [json.loads(line) for line in lines]
    step, factor = records[6], 1 + 1e-6
    step["p"] *= factor
    step["probabilities"] = [p * factor for p in step["probabilities"]]
    step["weight"] /= factor
    records[-1]["weights"][5] /= factor
    wrong = [json.dumps(record) for record in records]
    judgement = check_lines(wrong)
    assert judgement.first is not None
    assert (judgement.first.field, judgement.first.j) == ("p", 5)
    unsaid = dict(records[0])
    del unsaid["whitening"]
    assert check_lines([json.dumps(unsaid), *lines[1:]]).ruling is Ruling.CONFORMS
    header = case(2, decades=2.0, scaled=False)
    lines = with_its_whitening(header, header["uniforms"])
    first = json.loads(lines[0])
    bent = first | {"whitening": [[2 * x for x in row] for row in first["whitening"]]}
    found = check_lines([json.dumps(bent), *lines[1:]]).first
    assert found is not None
    assert (found.line, found.field) == (1, "whitening")
    short = records[0] | {"whitening": records[0]["whitening"][:-1]}
    assert check_lines([json.dumps(short), *lines[1:]]).ruling is Ruling.MALFORMED
