"""The weight of a step: by its relation, by the mass of its point, clipped, or left out."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb

from asura.trace import IterationLine
from asura_verify.implementations import kept_textbook, textbook
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.kept import weighing
from asura_verify.oracle.kept.bench import Last
from asura_verify.oracle.kept.weighing import judge_weight
from asura_verify.oracle.truth.allowance import Defects
from asura_verify.oracle.views.relations import Exact
from asura_verify.oracle.views.stated import Interval


class Bench:
    """Listens, and answers as it is told."""

    def __init__(self, **facts: Any) -> None:
        self.precision = 53
        self.scheme = SimpleNamespace(ending=facts.get("ending", "clip"))
        self.last = facts.get("last", Last.YES)
        shares = facts.get("shares", (0.0, 0.0))
        self.kept_goal, self.goal = (
            arb(1, share) if share < math.inf else arb(0, arb("inf")) for share in shares
        )
        self.step, self.unit = arb(0.5), arb(facts.get("unit", 0.0))
        self.checked: dict[str, int] = {}
        self.right = dict(facts.get("right", {}))
        self.clip_right = facts.get("clip_right", True)
        self.inside = facts.get("inside", True)
        self.opened: list[str] = []
        self.accused: list[tuple[Any, ...]] = []
        self.tied: list[tuple[Any, ...]] = []
        self.clipped_by: list[tuple[Any, ...]] = []
        self.intervals: list[tuple[Any, ...]] = []
        self.relations = SimpleNamespace(chances=self._chances, clipped=self._clipped)

    def _chances(self, court: Any, *facts: Any) -> Any:
        assert court is self
        self.tied.append(facts)
        return self.right

    def _clipped(self, court: Any, *facts: Any, perhaps: bool) -> bool:
        assert court is self
        self.clipped_by.append((*facts, perhaps))
        return bool(self.clip_right)

    def count(self, field: str) -> None:
        self.checked[field] = self.checked.get(field, 0) + 1

    def leave_open(self, field: str) -> None:
        self.opened.append(field)

    def accuse(self, *facts: Any) -> None:
        self.accused.append(facts)

    def interval(self, line: int, j: int, field: str, raw: Any, interval: Interval) -> bool:
        self.count(field)
        self.intervals.append((line, j, field, raw, interval))
        return bool(self.inside)


class Weighed:
    """One weight, and what was heard of it."""

    def __init__(
        self, wrong: Any = (), part: arb | None = None, most: float = 2.0**-10,
        *, left_out: bool = False, p: Any = 0.25, phi: Any = 0.5, weight: Any = 4.0,
        far: tuple[Any, Any] = (0.25, 1.0), **facts: Any,
    ) -> None:  # fmt: skip
        self.bench = Bench(**facts)
        self.line = IterationLine(j=3, index=1, p=p, phi=phi, weight=weight)
        self.now = Exact.of(self.line)
        self.wrong = set(wrong)
        mass = Interval(arb(0.5), (arb(0.375), arb(0.75)), (arb(far[0]), arb(far[1])))
        granted: Any = SimpleNamespace(
            defects=Defects(2.0**-30, 2.0**-20, most), mass=lambda index: {1: mass}[index]
        )
        bench: Any = self.bench
        judge_weight(bench, 7, self.line, self.now, granted, self.wrong, part, left_out=left_out)


# -- left out --------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["p", "weight"])
def test_a_step_that_the_coin_left_out_has_no_weight(field: str) -> None:
    """Nor a probability of its point: none was drawn."""
    absent: dict[str, Any] = {"p": None, "weight": None}
    nothing = Weighed(left_out=True, **absent)
    assert nothing.bench.checked == {}
    zero = Weighed(left_out=True, **(absent | {field: 0.0}))
    assert (zero.bench.checked, zero.bench.accused, zero.wrong) == ({field: 1}, [], set())
    some = Weighed(left_out=True, **(absent | {field: 0.25}))
    assert (some.bench.checked, some.wrong) == ({field: 1}, {field})
    ((*facts, message),) = some.bench.accused
    assert facts == [7, 3, field, 0.25, "0", "0", None, 0.0]
    assert message == "the coin left this step out"
    for found in (nothing, zero, some):
        assert found.bench.intervals == found.bench.tied == []


# -- whole steps -----------------------------------------------------------------------------------


def test_a_weight_that_its_relation_ties() -> None:
    found = Weighed(right={"weight": True})
    line, given, tied, defects = found.bench.tied[0]
    assert defects == (2.0**-30, 2.0**-20, 2.0**-10)
    assert (line, given.j) == (7, 3)
    assert tied == found.now
    assert (found.bench.checked, found.wrong) == ({"weight": 1}, set())
    assert found.bench.intervals == found.bench.clipped_by == []
    assert Weighed(right={"weight": False}).wrong == {"weight"}
    assert Weighed(right={"p": False}).wrong == set()
    assert Weighed(weight=None).bench.checked == {}


@pytest.mark.parametrize("absent", ["p", "phi"])
@pytest.mark.parametrize("value", [None, 0.0, -0.25])
def test_a_weight_that_nothing_ties_is_judged_by_the_mass(absent: str, value: Any) -> None:
    """step/mass of 1/2, near and far."""
    found = Weighed(**{absent: value}, inside=False)
    assert found.wrong == {"weight"}
    assert found.bench.checked == {"weight": 1}
    ((line, j, field, raw, interval),) = found.bench.intervals
    assert (line, j, field, raw) == (7, 3, "weight", 4.0)
    assert float(interval.true) == 1.0
    assert [float(x) for x in interval.near] == pytest.approx([0.5 / 0.75, 0.5 / 0.375], rel=1e-15)
    assert [float(x) for x in interval.far] == [0.5, 2.0]
    assert Weighed(**{absent: value}).wrong == set()
    assert Weighed(**{absent: value}, weight=None).bench.intervals == []


def test_the_ends_of_such_a_weight() -> None:
    """Eight roundings; an open mass leaves the weight open on that side."""
    unit = 2.0**-10
    far = Weighed(p=None, unit=unit).bench.intervals[0][4].far
    assert [float(x) for x in far] == [0.5 * (1 - 8 * unit), 2.0 * (1 + 8 * unit)]
    far = Weighed(p=None, far=(0.0, math.inf)).bench.intervals[0][4].far
    assert [float(x) for x in far] == [0.0, math.inf]
    # A mass of any sign has a weight of any sign.
    far = Weighed(p=None, far=(-math.inf, math.inf)).bench.intervals[0][4].far
    assert [float(x) for x in far] == [-math.inf, math.inf]


def test_a_weight_beside_something_wrong_is_judged_by_the_mass() -> None:
    found = Weighed({"phi"})
    assert found.bench.tied == []
    assert len(found.bench.intervals) == 1
    assert found.wrong == {"phi"}
    assert Weighed({"phi"}, part=arb(0.5)).bench.intervals[0][4].true == 0.5
    assert Weighed({"phi"}, part=arb(0.5), ending="coin").bench.intervals[0][4].true == 1


# -- the last step ---------------------------------------------------------------------------------


def test_a_clipped_weight_has_a_relation_of_its_own() -> None:
    found = Weighed(part=arb(0.5), shares=(2.0**-8, 2.0**-5), last=Last.OPEN)
    tied = found.bench.tied[0][2]
    assert tied == Exact(found.now.u, found.now.l, found.now.phi, found.now.p, None)
    ((place, now, doubts, extra, perhaps),) = found.bench.clipped_by
    assert (place, now, perhaps) == ((7, 3), found.now, True)
    assert doubts == pytest.approx((2.0**-8, 2.0**-5))
    assert extra == (2.0**-30, 2.0**-20, 2.0**-10)
    assert (found.wrong, found.bench.opened) == (set(), [])
    assert Weighed(part=arb(0.5), last=Last.YES).bench.clipped_by[0][4] is False
    assert Weighed(part=arb(0.5), clip_right=False).wrong == {"weight"}
    # Who flips a coin makes the whole step.
    assert Weighed(part=arb(0.5), ending="coin").bench.clipped_by == []
    assert Weighed(part=arb(0.5), ending="coin").bench.tied[0][2].weight == 4


def test_a_clipped_weight_that_shows_nothing_is_left_open() -> None:
    edge = 2.0**-4
    for goal, opened in ((edge, True), (math.inf, True), (edge - 2.0**-20, False)):
        found = Weighed(part=arb(0.5), shares=(goal, math.inf))
        assert found.bench.opened == (["weight"] if opened else [])
    # What the program loses is heard where the relation is asked.
    assert Weighed(part=arb(0.5), most=math.inf).bench.opened == []
    assert Weighed(part=arb(0.5), shares=(0.5, 0.5), clip_right=False).bench.opened == []


def test_a_clipped_weight_that_nothing_ties() -> None:
    """Half of the step over the mass of 1/2, where p is not reported."""
    found = Weighed(part=arb(0.5), p=None, shares=(0.5, 0.5))
    assert found.bench.clipped_by == []
    assert found.bench.opened == []
    assert found.bench.intervals[0][4].true == 0.5
    ball = Weighed(part=arb(0.5, 0.25), p=None).bench.intervals[0][4].far
    assert 0.125 - 2.0**-20 < float(ball[0]) < 0.125
    assert 1.5 < float(ball[1]) < 1.5 + 2.0**-20


def test_a_goal_at_a_sixteenth_itself_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "share_of", lambda _goal: 2.0**-4)
    assert Weighed(part=arb(0.5)).bench.opened == ["weight"]


# -- through the front door ------------------------------------------------------------------------


def _light(weight: float, variant: dict[str, Any]) -> Judgement:
    """The last pick is a point that is too light for its probability to be known: p = 0."""
    header: dict[str, Any] = {
        "format": "asura-trace/1", "gamma": 0.25, "points": [[2.0**-60], [1.0], [2.0], [1.0]],
        "unlabelled": 3, "uniforms": [0.3] * 99, **variant,
    }  # fmt: skip
    run = kept_textbook.run if variant else textbook.run
    lines = [json.loads(line) for line in run(header, header["uniforms"])]
    lines[0]["uniforms"][lines[-2]["j"]] = 0.0
    lines[-2] |= {"index": 0, "p": 0.0, "weight": weight}
    del lines[-1]["weights"]
    return check_lines([json.dumps(line) for line in lines])


@pytest.mark.parametrize("variant", [{}, {"variant": "two-sided", "stopping": "sure"}])
def test_the_weight_beside_a_probability_of_zero_is_judged(variant: dict[str, Any]) -> None:
    """It was compared with nothing: any weight passed, a negative one too."""
    for weight in (1.0, 0.0, -1.0, 2.0**80):
        judged = _light(weight, variant)
        assert judged.ruling is Ruling.VIOLATES
        assert judged.first is not None
        assert judged.first.field == "weight"
    honest = _light(2.0**118, variant)
    assert honest.ruling is Ruling.CONFORMS
    assert honest.undecided["weight"] == 1
