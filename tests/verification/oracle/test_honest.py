"""Honest programs on data that strain them: found by independent implementations, once accused."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations.cases import case
from asura_verify.implementations.further import CORRECT
from asura_verify.implementations.survey import SETTINGS
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.truth.allowance import Allowance

#: The settings under which an earlier allowance accused a method that is right.
STRAINS = [
    ("running-sums", {"many": 6000, "dimension": 1}, "_sums", 1.0),
    ("singular-vectors", {"units": 5.0}, "cost", None),
    ("single-precision", {"near_half": True}, "_rates", 0.0),
]


def judged(name: str, settings: dict[str, Any], seeds: Sequence[int]) -> list[Judgement]:
    made = (case(seed, **settings) for seed in seeds)
    return [check_lines(CORRECT[name](header, header["uniforms"])) for header in made]


@pytest.mark.parametrize("name", ["running-sums", "single-reflections", "orthogonal-solve"])
@pytest.mark.parametrize("settings", SETTINGS[-4:], ids=str)
def test_no_honest_program_is_accused(name: str, settings: dict[str, Any]) -> None:
    for judgement in judged(name, settings, range(4)):
        assert judgement.ruling is Ruling.CONFORMS, judgement.first


@pytest.mark.parametrize(("name", "settings", "part", "without"), STRAINS, ids=str)
def test_what_is_granted_is_needed(
    name: str,
    settings: dict[str, Any],
    part: str,
    without: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each part of the allowance, taken away, accuses somebody."""
    if without is None:

        def scaled(allowance: Allowance, leverage: float) -> float:
            return allowance.conditioning.orthogonal(leverage)

        monkeypatch.setattr(Allowance, part, scaled)
    else:
        monkeypatch.setattr(Allowance, part, without)
    assert any(j.ruling is Ruling.VIOLATES for j in judged(name, settings, range(6)))


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
    judgement = check_lines([*lines[:-1], json.dumps(last | {"mid": last["mid"] * 1.5})])
    assert judgement.ruling is Ruling.CONFORMS
    assert any("12 bits" in remark for remark in judgement.remarks)
    assert judgement.undecided.get("mid") == 1
