"""Traces of the variants: honest ones conform, in every arithmetic; wrong ones are caught."""

from __future__ import annotations

import json
from typing import Any

import pytest

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.arithmetic import (
    EXACT,
    Arithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.dataset import dataset, ridge
from asura.kept import runs
from asura.kept.runs import kept_run
from asura.kept.trace import kept_trace_lines, variant_of
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Seed
from asura.rates import TIGHT_RATES
from asura.run import run
from asura.stopping import sure
from asura.trace import read_trace, trace_lines
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling
from tests.reference.kept import mistakes

PLANE = dataset([[1, 0], [1, 1], [1, -2], [3, 0], [0, 4]], unlabelled=3, labels=[1, 2, -1, 0, 1])
ROWS = ridge([[1, k % 5 - 2] for k in range(12)], 6, labels=[k % 3 for k in range(12)])
VARIANTS = {
    "coin": lambda data: one_sided(data, 6, "1/3"),
    "clip": lambda data: one_sided(data, 6, "1/3", ending="clip"),
    "paper": lambda data: two_sided(data, "3/10"),
    "sure": lambda data: two_sided(data, "3/10", stopping=sure(2)),
    "sure-coin": lambda data: two_sided(data, "3/10", stopping=sure("3/2"), ending="coin"),
}
ARITHMETICS: dict[str, Arithmetic[Any, Any]] = {
    "ball": BallArithmetic(),
    "double": DoubleArithmetic(),
    "multiprecision": MultiprecisionArithmetic(30),
}


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("name", VARIANTS)
def test_honest_traces_conform(name: str, arithmetic: str) -> None:
    for data in (PLANE, ROWS):
        for seed in range(3):
            variant = VARIANTS[name](data)
            done = kept_run(data, variant, arithmetic=ARITHMETICS[arithmetic], chooser=Seed(seed))
            judged = check_lines(list(kept_trace_lines(done, probabilities=True)))
            assert judged.ruling is Ruling.CONFORMS, judged.first
            assert judged.checked["weight"] == done.length
            assert judged.checked["index"] == len(done.iterations)
            assert not judged.undecided
            trace = read_trace(line.encode() for line in kept_trace_lines(done))
            assert variant_of(trace.header) == variant


def test_exact_traces_conform() -> None:
    data = dataset([[1], [2], [3]], unlabelled=2, labels=[1, 2, 0])
    for variant in (one_sided(data, 2, "1/3"), two_sided(data, "2/5")):
        done = kept_run(data, variant, arithmetic=EXACT)
        assert check_lines(list(kept_trace_lines(done))).ruling is Ruling.CONFORMS


def test_tight_rates_and_beta() -> None:
    done = run(ROWS, "3/5", stopping=sure(2), rates=TIGHT_RATES, chooser=Seed(1))
    lines = list(trace_lines(done, probabilities=True))
    assert json.loads(lines[0])["rates"] == "tight"
    judged = check_lines(lines)
    assert judged.ruling is Ruling.CONFORMS
    assert judged.checked["alphas"] == done.length
    assert "tight rates" in judged.remarks[0]
    # The same values under the paper's rates are wrong.
    header = json.loads(lines[0])
    del header["rates"]
    header["gamma"] = "2/5"
    assert check_lines([json.dumps(header), *lines[1:]]).ruling is Ruling.VIOLATES


def test_beta_is_judged() -> None:
    procedure = runs.one_sided_sampling(6, "1/3")
    fit = active_regression(PLANE, procedure, chooser=Seed(4))
    done = kept_run(PLANE, one_sided(PLANE, 6, "1/3"), chooser=Seed(4))
    lines = list(kept_trace_lines(done, regression=fit))
    judged = check_lines(lines)
    assert judged.ruling is Ruling.CONFORMS
    assert judged.checked["beta"] == 1
    result = json.loads(lines[-1])
    result["beta"][1] = 1e-9 + float(fit.enclosures[1])
    judged = check_lines([*lines[:-1], json.dumps(result)])
    assert judged.first is not None
    assert judged.first.field == "beta"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (mistakes.DistanceAlongD, "coin"),
        (mistakes.HundredfoldWeight, "coin"),
        (mistakes.NormalisedWithK, "sure"),
        (mistakes.SamplesX2, "paper"),
        (mistakes.ForgottenClip, "clip"),
        (mistakes.InverseProbability, "clip"),
    ],
)
def test_planted_mistakes_are_caught(text: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "Barriers", text)
    for seed in range(3):
        done = kept_run(PLANE, VARIANTS[name](PLANE), chooser=Seed(seed))
        judged = check_lines(list(kept_trace_lines(done)))
        assert judged.ruling is Ruling.VIOLATES
        assert judged.first is not None
        assert judged.first.slug in {"one-sided", "two-sided"}


def _changed(chosen: Variant, line: int, fields: dict[str, Any]) -> Any:
    lines = list(kept_trace_lines(kept_run(PLANE, chosen)))
    changed = json.loads(lines[line])
    changed.update(fields)
    lines[line] = json.dumps({key: value for key, value in changed.items() if value is not None})
    return check_lines(lines)


def test_single_wrong_values_are_named() -> None:
    variant = one_sided(PLANE, 6, "1/3")
    for line, name, value in (
        (2, "weight", 0.25),
        (2, "phi", 1),
        (1, "p", 0.75),
        (-1, "mid", 1.0000001),
        (-1, "m", 3),
    ):
        judged = _changed(variant, line, {name: value})
        assert judged.ruling is Ruling.VIOLATES
        assert judged.first.field == name
    judged = _changed(variant, 1, {"index": 3})
    assert judged.first.field == "index"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"variant": "three-sided"}, "variant"),
        ({"draws": None}, "draws"),
        ({"variant": None, "draws": None}, "ending"),
        ({"rates": "tight"}, "rates"),
        ({"ending": "overshoot"}, "overshoot"),
        ({"gamma": 1}, "gamma"),
    ],
)
def test_unknown_variants_are_refused(fields: dict[str, Any], message: str) -> None:
    judged = _changed(one_sided(PLANE, 6, "1/3"), 0, fields)
    assert judged.ruling is Ruling.MALFORMED
    assert judged.fault is not None
    assert message in judged.fault


def test_a_header_without_its_numbers_is_named() -> None:
    lines = list(kept_trace_lines(kept_run(PLANE, one_sided(PLANE, 6, "1/3"))))
    header = json.loads(lines[0])
    del header["draws"]
    with pytest.raises(errors.NotATrace, match="draws"):
        read_trace([json.dumps(header).encode(), *(line.encode() for line in lines[1:])])
