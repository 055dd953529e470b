"""Values of a variant that claim to be exact: one that is off by 3^-40 is wrong, in every field."""

from __future__ import annotations

import json
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, ctx

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.errors import Undecided
from asura.kept.runs import kept_run
from asura.kept.trace import kept_trace_lines
from asura.kept.variants import one_sided, two_sided
from asura.randomness import Picks, Seed
from asura.rates import TIGHT_RATES
from asura.run import run
from asura.stopping import sure
from asura.trace import IterationLine, trace_lines
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.kept import exact
from asura_verify.oracle.kept.exact import _compare, judge_exactly

DATA = dataset([[1], [2], [3]], unlabelled=2)
LITTLE = Fraction(1, 3**40)


def _left_out() -> list[str]:
    """A run by coin whose last step is left out."""
    for seed in range(20):
        done = kept_run(DATA, one_sided(DATA, "7/3", "1/3"), arithmetic=EXACT, chooser=Seed(seed))
        if done.iterations[-1].index is None:
            return list(kept_trace_lines(done, probabilities=True))
    raise AssertionError


def _traces() -> dict[str, list[str]]:
    clip = kept_run(DATA, one_sided(DATA, "7/3", "1/3", ending="clip"), arithmetic=EXACT)
    two = kept_run(DATA, two_sided(DATA, "2/7", stopping=sure("2/3")), arithmetic=EXACT)
    tight = run(DATA, "3/5", stopping=sure("1/3"), rates=TIGHT_RATES, arithmetic=EXACT,
                chooser=Picks([0, 1] * 9))  # fmt: skip
    return {
        "coin": _left_out(),
        "clip": list(kept_trace_lines(clip, probabilities=True)),
        "two-sided": list(kept_trace_lines(two, probabilities=True)),
        "tight": list(trace_lines(tight, probabilities=True)),
    }


TRACES = _traces()


def _said(records: list[dict[str, Any]]) -> Judgement:
    return check_lines([json.dumps(record) for record in records])


def _places(records: list[dict[str, Any]]) -> list[tuple[int, str, int | None]]:
    """Every rational of the first two and the last lines."""
    found: list[tuple[int, str, int | None]] = []
    for line in sorted({1, 2, len(records) - 2, len(records) - 1} - {0}):
        for field, value in records[line].items():
            if field == "alphas":
                continue  # the relations alone judge them
            for place, each in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(each, str) and each != "0":  # by a relation
                    found.append((line, field, place if isinstance(value, list) else None))
    return found


@pytest.mark.parametrize("name", TRACES)
def test_every_field_that_claims_to_be_exact(name: str) -> None:
    whole = [json.loads(line) for line in TRACES[name]]
    assert _said(whole).ruling is Ruling.CONFORMS
    places = _places(whole)
    assert {field for _, field, _ in places} >= {"phi", "p", "weight", "l", "weights"}
    for line, field, place in places:
        records = json.loads(json.dumps(whole))
        at, key = (records[line], field) if place is None else (records[line][field], place)
        at[key] = str(Fraction(at[key]) + LITTLE)
        judged = _said(records)
        assert judged.first is not None, (line, field, place)
        known = field if place is None else f"{field}[{place}]"
        assert (judged.first.line, judged.first.field) == (line + 1, known)
        assert judged.first.j == (None if line == len(whole) - 1 else records[line]["j"])
        assert judged.first.message == "a rational claims to be exact, and is not the true value"
        assert judged.violations == 1


def test_no_exact_value_is_judged_with_few_bits() -> None:
    judge: Any = SimpleNamespace()
    with ctx.workprec(1023), pytest.raises(Undecided):
        judge_exactly(judge, [])
    made = []

    def stand_in(*facts: Any) -> None:
        made.append(facts)

    with pytest.MonkeyPatch.context() as patch, ctx.workprec(1024):
        patch.setattr(exact, "_TrueRun", stand_in)
        judge_exactly(judge, [])
    assert made == [(judge, 1024)]


def test_only_what_claims_to_be_exact_is_compared() -> None:
    accused: list[tuple[Any, ...]] = []
    judge: Any = SimpleNamespace(accuse=lambda *facts: accused.append(facts))
    line = IterationLine(j=3, index=0, u=0.3, l="1/3", phi="1/4", p=None, probabilities=["1/3", 1])
    true = {name: arb(1) for name in ("u", "l", "phi", "p")}
    _compare(judge, 7, 3, line, true | {"probabilities": [arb(1), arb(2)]})
    assert [facts[:4] for facts in accused] == [
        (7, 3, "l", "1/3"), (7, 3, "probabilities[0]", "1/3"),
    ]  # fmt: skip
    assert [facts[4:8] for facts in accused] == [(arb(1), arb(1), None, 0.0)] * 2
    accused.clear()
    _compare(judge, 7, 3, IterationLine(j=3, index=0), {"probabilities": [arb(1)], "u": arb(1)})
    assert accused == []
    with ctx.workprec(64):
        third = arb(1) / 3
        _compare(judge, 7, 3, line, {"l": third})
        assert accused == []
        _compare(judge, 7, 3, line, {"l": third + 1})
        assert len(accused) == 1
        assert accused[0][4] == (third + 1).lower()
        assert accused[0][5] == (third + 1).upper()
