"""Honest programs on data that strain them: found by independent implementations, once accused."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import CORRECT
from asura_verify.implementations.survey import SETTINGS
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.truth.allowance import Allowance

#: The settings under which an earlier allowance accused a method that is right.
STRAINS = [
    ("running-sums", {"many": 6000, "dimension": 1}, "_sums", 1.0),
    ("single-precision", {"near_half": True}, "_rates", 0.0),
]


def judged(name: str, settings: dict[str, Any], seeds: Sequence[int]) -> list[Judgement]:
    made = (case(seed, **settings) for seed in seeds)
    return [check_lines(CORRECT[name](header, header["uniforms"])) for header in made]


def replayed(name: str, settings: dict[str, Any], seeds: Sequence[int]) -> list[Judgement]:
    """The same without weights: then the whole run is replayed."""
    found = []
    for seed in seeds:
        header = case(seed, **settings)
        lines = [json.loads(line) for line in CORRECT[name](header, header["uniforms"])]
        kept = [{key: line[key] for key in line if key != "weight"} for line in lines]
        found.append(check_lines([json.dumps(line) for line in kept]))
    return found


@pytest.mark.parametrize("name", ["running-sums", "single-reflections", "orthogonal-solve"])
@pytest.mark.parametrize("settings", SETTINGS[-4:], ids=str)
def test_no_honest_program_is_accused(name: str, settings: dict[str, Any]) -> None:
    for judgement in judged(name, settings, range(4)):
        few = name == "single-reflections"  # may decide too little, and is not accused
        acquitted = {Ruling.CONFORMS, Ruling.UNDECIDED} if few else {Ruling.CONFORMS}
        assert judgement.ruling in acquitted, judgement.first


@pytest.mark.parametrize(("name", "settings", "part", "without"), STRAINS, ids=str)
def test_what_is_granted_is_needed(
    name: str,
    settings: dict[str, Any],
    part: str,
    without: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each part of the allowance, taken away, accuses somebody."""
    monkeypatch.setattr(Allowance, part, without)
    assert any(j.ruling is Ruling.VIOLATES for j in replayed(name, settings, range(6)))


def trace_with(**values: Any) -> list[str]:
    header = case(3)
    lines = CORRECT["singular-vectors"](header, header["uniforms"])
    result = json.loads(lines[-1])
    result |= {name: change(result) for name, change in values.items()}
    return [*lines[:-1], json.dumps(result)]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("weights", lambda result: [w / 10 for w in result["weights"]]),
        ("weights", lambda result: result["alphas"]),
        ("mid", lambda result: (result["u"] + result["l"]) / 3),
        ("weights", lambda result: [w / np.sqrt(result["mid"]) for w in result["weights"]]),
    ],
)
def test_gross_errors_are_not_called_rounding(name: str, change: Any) -> None:
    judgement = check_lines(trace_with(**{name: change}))
    assert judgement.ruling is Ruling.VIOLATES
    assert "lower-precision" not in {d.mistake for d in judgement.diagnosis}


def test_an_early_end_where_the_uniforms_end_is_explained_by_no_one() -> None:
    """A loop that ends at six eighths of the bound is no known mistake, however many uniforms."""
    header = case(3)
    lines = CORRECT["singular-vectors"](header, header["uniforms"])
    early = (len(lines) - 2) * 3 // 4
    for spare in (0, 1):
        first = json.loads(lines[0])
        first["uniforms"] = first["uniforms"][: early + spare]
        judgement = check_lines(
            [json.dumps(first), *lines[1 : early + 1], json.dumps({"m": early})]
        )
        assert judgement.first is not None
        assert judgement.first.field == "stopping"
        assert [d.mistake for d in judgement.diagnosis if d.complete] == []


def test_few_bits_that_decide_nothing_are_remarked() -> None:
    header = case(3, dimension=3) | {"precision": 12}
    lines = CORRECT["singular-vectors"](header, header["uniforms"])
    last = json.loads(lines[-1])
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.UNDECIDED
    assert any("12 bits decide too little" in remark for remark in judgement.remarks)
    assert judgement.decided < 1
    # What ties values together does not depend on the data, and is seen all the same.
    wrong = check_lines([*lines[:-1], json.dumps(last | {"mid": last["mid"] * 1.5})])
    assert wrong.ruling is Ruling.VIOLATES
