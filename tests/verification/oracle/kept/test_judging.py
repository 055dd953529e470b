"""The judge of the variants: no honest run is accused, every planted mistake is caught and named.

The instances have ill-conditioned columns and units, dependent columns, zero, equal and light
points, X_1 of hardly any rank, X_2 empty, and gamma, nu and N near their ends.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from asura.arithmetic import (
    EXACT,
    Arithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.dataset import dataset
from asura.kept.runs import kept_run
from asura.kept.trace import kept_trace_lines, variant_of
from asura.randomness import Seed
from asura.trace import HeaderLine, interpret_header
from asura_verify.implementations import kept_textbook, textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibit import Exhibit, Implementation
from asura_verify.implementations.exhibits import EXHIBITS
from asura_verify.implementations.kept_cases import HARD, KINDS, kept_case
from asura_verify.implementations.kept_exhibits import (
    KEPT_EXHIBITS,
    MOVING,
    PHI,
    START,
    TEXTBOOK,
    WEIGHT,
    kinds,
)
from asura_verify.implementations.kept_methods import KEPT_METHODS
from asura_verify.implementations.kept_survey import finds_rank
from asura_verify.implementations.survey import attempt, rightly
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.kept.mistakes import KEPT_MISTAKES
from asura_verify.oracle.variants import judged_variant, opened

ARITHMETICS: tuple[Arithmetic[Any, Any], ...] = (
    BallArithmetic(),
    DoubleArithmetic(),
    MultiprecisionArithmetic(25),
    EXACT,
)


@pytest.mark.parametrize("hard", HARD)
def test_honest_programs_are_never_accused(hard: str) -> None:
    methods = list(KEPT_METHODS.items())
    said: Counter[str] = Counter()
    for seed in range(len(KINDS)):
        header = kept_case(seed, hard=hard)
        chosen: list[tuple[str, Implementation]] = [("textbook", kept_textbook.run)]
        if finds_rank("others", header):
            chosen += [methods[seed % 6], methods[(seed + 3) % 6]]
        for name, run in chosen:
            lines = attempt(run, header)
            if lines is None:
                continue
            judged = check_lines(lines)
            said[judged.ruling.value] += 1
            assert judged.ruling in {Ruling.CONFORMS, Ruling.UNDECIDED}, (name, seed, judged)
    assert said["conforms"] > said["undecided"]


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_the_reference_conforms_in_every_arithmetic(seed: int) -> None:
    for hard in ("", "deficient", "zeros", "small-rank", "no-kept"):
        header = kept_case(seed, hard=hard) | {"gamma": 0.375}
        header |= {"draws": 3.5} if header["variant"] == "one-sided" else {}
        known = HeaderLine(**{k: v for k, v in header.items() if k != "uniforms"})
        data = interpret_header(known)[0]
        for arithmetic in ARITHMETICS:
            if arithmetic is EXACT and data.dimension > 1:
                continue  # its numbers grow too long
            done = kept_run(data, variant_of(known), arithmetic=arithmetic, chooser=Seed(seed))
            judged = check_lines(list(kept_trace_lines(done, probabilities=True)))
            assert judged.ruling is Ruling.CONFORMS, (hard, arithmetic.name, judged.first)


@pytest.mark.parametrize("exhibit", KEPT_EXHIBITS, ids=lambda exhibit: exhibit.mistake)
def test_planted_mistakes_are_caught_and_named(exhibit: Any) -> None:
    named: Counter[str] = Counter()
    for seed in (1, 2, 0):
        for kind in (*kinds(exhibit)[:1], *kinds(exhibit)[-2:]):
            header = kept_case(seed, kind=kind)
            lines = attempt(exhibit.run, header)
            same = lines is None or lines == attempt(kept_textbook.run, header)
            if lines is None or same or sum(named.values()) >= 4:
                continue
            judged = check_lines(lines)
            assert judged.ruling is Ruling.VIOLATES, (kind, seed)
            named[rightly(exhibit, judged)] += 1
    assert named["first"] + named["tied"] + named["partly"] == sum(named.values()) > 0
    assert named["first"] or exhibit.sampling


def test_every_recipe_has_its_exhibit() -> None:
    assert {m.name for m in KEPT_MISTAKES} == {exhibit.mistake for exhibit in KEPT_EXHIBITS}


def _directly(lines: list[str]) -> Judgement:
    """By the judge of the variants, whatever the header says."""
    return judged_variant("trace", *opened(line.encode() for line in lines))


def test_the_papers_trace_is_the_case_of_the_identity() -> None:
    """Algorithm 2 is D = I: both judges say the same of the museum's first mistakes."""
    for seed in range(4):
        header = case(seed, sure=bool(seed % 2))
        assert _directly(textbook.run(header, header["uniforms"])).ruling is Ruling.CONFORMS
    for exhibit in EXHIBITS[:40:4]:
        header = case(0)
        lines = attempt(exhibit.run, header)
        if lines is not None and check_lines(lines).ruling is Ruling.VIOLATES:
            assert _directly(lines).ruling is Ruling.VIOLATES, exhibit.mistake


def _trace(kind: int, seed: int = 1, **changes: Any) -> list[dict[str, Any]]:
    header = kept_case(seed, kind=KINDS[kind]) | changes
    return [json.loads(line) for line in kept_textbook.run(header, header["uniforms"])]


def _said(records: list[dict[str, Any]]) -> Judgement:
    return check_lines([json.dumps(record) for record in records])


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_every_field_is_decided_to_many_bits(kind: int) -> None:
    """A value that is off by 1e-9 of itself is a violation, on data that are well conditioned."""
    whole = _trace(kind)
    assert _said(whole).ruling is Ruling.CONFORMS
    for place, name in [(2, n) for n in ("u", "l", "phi", "p", "weight")] + [
        (-1, n) for n in ("u", "l", "mid")
    ]:
        records = [dict(record) for record in whole]
        if name in records[place]:
            records[place][name] *= 1 + 1e-9
            judged = _said(records)
            assert judged.ruling is Ruling.VIOLATES, name
            assert judged.first is not None
            assert name in {judged.first.field, *judged.wrong}
    for name in ("weights", "alphas", "beta"):
        records = [dict(record) for record in whole]
        records[-1][name] = [x * (1 + 1e-9) for x in records[-1][name]]
        assert _said(records).ruling is Ruling.VIOLATES, name


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_what_is_not_reported_is_followed(kind: int) -> None:
    whole = _trace(kind)
    for absent in (
        {"p", "probabilities"},
        {"weight", "weights"},
        {"u", "l", "mid"},
        {"phi"},
        {"u", "l", "phi", "p", "probabilities", "weight", "weights", "mid", "alphas", "beta"},
    ):
        records = [{k: v for k, v in record.items() if k not in absent} for record in whole]
        judged = _said(records)
        assert judged.ruling is Ruling.CONFORMS, (absent, judged.first)
        assert not judged.undecided
        assert absent <= {name.partition(" ")[0] for name in judged.coverage}
        # The picks still tell when a run has to end.
        cut = [*records[:-2], records[-1] | {"m": records[-1]["m"] - 1}]
        cut[-1] = {k: v for k, v in cut[-1].items() if k == "m"}
        assert _said(cut).first is not None


def test_few_bits_on_bad_data_are_undecided() -> None:
    rows = [[1.0, 1.0], [1.0, 1.0 + 2.0**-20], [2.0, 2.0], [1.0, 1.0 - 2.0**-20]]
    header = kept_case(0, kind=KINDS[4]) | {"points": rows, "unlabelled": 2, "labels": None}
    header = {k: v for k, v in header.items() if k not in {"labels", "squared_scales"}}
    lines = attempt(KEPT_METHODS["single"], header)
    assert lines is not None
    judged = check_lines(lines)
    assert judged.ruling is Ruling.UNDECIDED
    assert judged.decided < 1
    # A gross mistake is never let through there.
    wrong = attempt(KEPT_EXHIBITS[2].run, header | {"precision": 24})
    assert wrong is not None
    assert check_lines(wrong).ruling is not Ruling.CONFORMS


def test_points_of_x2_are_never_drawn() -> None:
    records = _trace(4)
    records[1]["index"] = records[0]["unlabelled"] + 0
    judged = _said(records)
    assert judged.first is not None
    assert judged.first.field == "index"
    assert "X_2" in judged.first.message


def test_a_coin_leaves_out_the_last_step_alone() -> None:
    seen = Counter(bool(_trace(5, seed)[-2].get("weight") is None) for seed in range(1, 9))
    assert seen[True]
    records = _trace(5)
    first = {k: v for k, v in records[1].items() if k not in {"p", "weight"}}
    records[1] = first | {"index": records[0]["unlabelled"]}
    judged = _said(records)
    assert judged.first is not None
    assert "does not lead to the goal" in judged.first.message


def test_nothing_is_drawn_where_the_coin_leaves_out() -> None:
    found = (_trace(5, seed) for seed in range(1, 9))
    records = next(trace for trace in found if trace[-2].get("weight") is None)
    assert _said(records).ruling is Ruling.CONFORMS
    records[-2] = records[-2] | {"p": 0.25}
    first = _said(records).first
    assert first is not None
    assert (first.field, first.message) == ("p", "the coin left this step out")


def test_nothing_is_drawn_without_rank() -> None:
    header: dict[str, Any] = {
        "format": "asura-trace/1", "gamma": 0.25, "points": [[0.0], [2.0]], "unlabelled": 1,
        "labels": [1.0, 3.0], "variant": "two-sided",
    }  # fmt: skip
    assert _said([header, {"m": 0, "u": 0, "l": 0, "beta": [1.5]}]).ruling is Ruling.CONFORMS
    assert _said([header, {"m": 0, "beta": [1.25]}]).ruling is Ruling.VIOLATES
    drawn: list[dict[str, Any]] = [header, {"j": 0, "index": 0}, {"m": 1}]
    assert _said(drawn).ruling is Ruling.VIOLATES


def test_a_tie_of_the_goal_may_go_either_way() -> None:
    """N = 1: the first step leads to the goal exactly, and doubles may stop before it."""
    data = dataset([[1], [3]], unlabelled=1)
    header = {
        "format": "asura-trace/1", "gamma": 0.3, "points": [[1.0], [3.0]], "unlabelled": 1,
        "variant": "one-sided", "ending": "clip", "draws": 1.0,
        "uniforms": [0.5, 0.5, 0.5], "labels": [1.0, 2.0],
    }  # fmt: skip
    assert data.size == 2
    for method in KEPT_METHODS.values():
        lines = attempt(method, header)
        assert lines is not None
        assert check_lines(lines).ruling is Ruling.CONFORMS


def test_a_reported_whitening_is_judged_and_used() -> None:
    header = kept_case(2, kind=KINDS[1])
    points = (
        np.array(header["points"])
        * np.sqrt(np.array(header.get("squared_scales") or [1.0] * len(header["points"])))[:, None]
    )
    whitening = np.linalg.inv(np.linalg.qr(points)[1])
    lines = kept_textbook.run(header, header["uniforms"])
    first = json.loads(lines[0])
    named = json.dumps(first | {"whitening": whitening.tolist()})
    judged = check_lines([named, *lines[1:]])
    assert judged.ruling is Ruling.CONFORMS
    assert judged.checked["whitening"] == 1
    doubled = json.dumps(first | {"whitening": (2 * whitening).tolist()})
    wrong = check_lines([doubled, *lines[1:]])
    assert wrong.first is not None
    assert wrong.first.field == "whitening"
    ragged = json.dumps(first | {"whitening": [[1.0, 2.0]]})
    assert check_lines([ragged, *lines[1:]]).ruling is Ruling.MALFORMED


ODD: tuple[Any, ...] = (0, -1, 1e300, 1e-300, "1/3", "0x1p-1074", "1e-4000", 2**60, "-7/3")


@pytest.mark.parametrize("seed", range(4))
def test_damaged_traces_get_a_verdict(seed: int) -> None:
    """Whatever stands in a trace, it is judged or refused, and nothing is raised."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    said: Counter[str] = Counter()
    for _ in range(12):
        header = kept_case(rng.randrange(9), kind=rng.choice(KINDS), hard=rng.choice(HARD))
        header["precision"] = rng.choice([2, 24, 53, 113])
        lines = attempt(kept_textbook.run, header) or []
        records = [json.loads(line) for line in [*lines[:-1][:20], *lines[-1:]]]
        for record in rng.sample(records, min(2, len(records))):
            name = rng.choice([k for k in record if k not in {"format", "variant"}])
            value = record[name]
            if rng.random() < 0.3:
                del record[name]
            elif isinstance(value, list) and value and not isinstance(value[0], list):
                value[rng.randrange(len(value))] = rng.choice(ODD)
            else:
                record[name] = rng.choice(ODD)
        said[_said(records).ruling.value] += 1
    assert said["violates"]
    assert said["malformed"]


@pytest.mark.parametrize("line", [START, MOVING, PHI, WEIGHT])
@pytest.mark.parametrize("seed", [4, 13, 16, 46])
def test_units_hide_no_mistake_of_a_hundredth(seed: int, line: str) -> None:
    """Normal equations of columns in units would explain it: open at most, never right."""
    name, value = line.split(" = ")
    wrong = Exhibit("a hundredth", ((line, f"{name} = 1.01 * ({value})"),), False, TEXTBOOK)
    header = kept_case(seed, hard="units")
    lines, right = (attempt(run, header) for run in (wrong.run, kept_textbook.run))
    assert lines is not None
    assert lines != right
    assert check_lines(lines).ruling in (Ruling.VIOLATES, Ruling.UNDECIDED)
