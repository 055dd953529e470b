"""One line of a variant's trace at a time: four points of leverage 1/4, three of them X_1."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, fmpq

from asura.errors import NotATrace
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.oracle.kept import judge as module
from asura_verify.oracle.kept.bench import Last
from asura_verify.oracle.kept.judge import VariantJudge
from asura_verify.oracle.kept.state import NotBetweenBarriers
from asura_verify.oracle.views.stated import Interval
from tests.verification.oracle.kept.parts import near

E = 2.0**-53
JUST = 2.0**-40


def judge_of(**fields: Any) -> Any:  # called for its privates
    """K1, R = D = 3/4: c = 6, goal 9; at first E = 1/3, phi = 1/4, p = 1/3, weight 3, step 1."""
    known: dict[str, Any] = {
        "format": FORMAT, "gamma": 0.25, "points": [[1]] * 4, "unlabelled": 3,
        "variant": "two-sided", "stopping": "sure",
    }  # fmt: skip
    return VariantJudge(HeaderLine(**(known | fields)))


def judge_at(sigma: float, **fields: Any) -> Any:
    """At another sigma, and as if nothing else had moved: a step is 1."""
    judge = judge_of(**fields)
    judge.sigma = arb(sigma)
    seen = judge.state.look(arb(6), arb(0), arb(0))
    judge.state.look = lambda *_given: seen
    return judge


def line_of(j: int = 0, index: int = 0, **fields: Any) -> IterationLine:
    return IterationLine(j=j, index=index, **fields)


def first(**fields: Any) -> IterationLine:
    """The first line of a run, with everything."""
    known: dict[str, Any] = {
        "u": 0.0, "l": 0.0, "phi": 0.25, "p": 1 / 3, "weight": 3.0, "probabilities": [1 / 3] * 3,
    }  # fmt: skip
    return line_of(**(known | fields))


def fields_of(judge: Any) -> list[str]:
    return [found.field for found in judge.violations]


# -- lines that do not fit the header --------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "line", "message"),
    [
        ({}, {"index": 4}, "expected a row from 0 to 3 (indices count from 0)"),
        ({}, {"index": 5}, "line 7, field `index`: 5, expected a row from 0 to 3"),
        ({"ending": "coin"}, {"index": 4}, "expected a row from 0 to 3 (indices count from 0)"),
        ({}, {"probabilities": [0.5] * 2}, "field `probabilities`: 2 entries, expected 3"),
        ({}, {"probabilities": [0.5] * 5}, "field `probabilities`: 5 entries, expected 3"),
        ({"uniforms": [0.5]}, {"j": 1}, "line 7: iteration 1 has no uniform, the header gives 1"),
    ],
)
def test_lines_that_do_not_fit(header: Any, line: Any, message: str) -> None:
    with pytest.raises(NotATrace) as caught:
        judge_of(**header)._refuse(7, line_of(**line))
    assert str(caught.value).endswith(message)
    assert caught.value.value == 7


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ({}, {"index": 3}),
        ({"ending": "coin"}, {"index": 3}),
        ({"ending": "coin", "unlabelled": 4}, {"index": 4}),
        ({}, {"probabilities": [0.5] * 3}),
        ({}, {"probabilities": [0.5] * 4}),
        ({"uniforms": [0.5]}, {"j": 0}),
    ],
)
def test_lines_that_fit(header: Any, line: Any) -> None:
    judge_of(**header)._refuse(7, line_of(**line))


def test_a_line_that_does_not_fit_is_refused_first() -> None:
    judge = judge_of()
    judge.halted = True
    with pytest.raises(NotATrace):
        judge.iteration(2, line_of(index=9))


def test_a_clip_has_no_place_of_its_own() -> None:
    with pytest.raises(NotATrace):
        judge_of(ending="clip", unlabelled=4)._refuse(7, line_of(index=4))


# -- whether the run goes on -----------------------------------------------------------------------


def over(**facts: Any) -> Any:
    judge = judge_of(**facts.pop("header", {}))
    facts = {"kept_goal": facts["goal"], **facts} if "goal" in facts else facts
    for name, value in facts.items():
        setattr(judge, name, value)
    ended = judge._over(7, line_of(5))
    assert judge.checked == {"stopping": 1}
    assert judge.halted is ended is bool(judge.violations)
    return judge


def test_a_run_that_goes_on_too_long() -> None:
    (found,) = over(sigma=arb(10)).violations
    assert (found.line, found.j, found.field, found.reported) == (7, 5, "stopping", "iteration 5")
    assert (found.lower, found.upper) == ("-infinity", "9.0000000000000000")
    assert (found.gap, found.allowance) == (None, 0.0)
    assert found.message == (
        "too late: the clock stands at 10.000000 of 9.0000000, the run has ended"
    )
    assert over(sigma=arb(8)).open_at == set()
    tie = over(sigma=arb(9))
    assert (tie.violations, tie.open_at, tie.undecided) == ([], {5}, {"stopping": 1})
    exact = arb(9)
    assert over(sigma=arb(9), goal=exact).violations != []
    assert over(sigma=arb(9) - JUST, goal=exact).open_at == set()
    touching = arb(8, 1)
    assert over(sigma=touching, goal=touching.upper()).open_at == {5}
    # By programs that lose digits of R the goal may be anywhere from 7 to 11.
    goals = {"goal": arb(9, 2), "kept_goal": arb(9, 0.5)}
    for sigma, open_at, lossy in (
        (8.25, set(), False), (8.75, {5}, False), (9.25, {5}, False), (9.75, set(), True),
    ):  # fmt: skip
        found = over(sigma=arb(sigma), **goals)
        assert (found.open_at, bool(found.unexplained)) == (open_at, lossy)
        assert found.violations == []
    assert found.unexplained.startswith("stopping at j=5 ")
    at_goal = over(sigma=arb(9), goal=arb(9, 2), kept_goal=arb(9))  # and not before it
    assert (at_goal.open_at, bool(at_goal.unexplained)) == (set(), True)
    assert over(sigma=arb(11.25), **goals).violations != []
    assert over(sigma=arb(8), last=Last.YES).violations != []
    assert over(header={"points": [[0], [0], [0], [1]]}).violations != []


def test_a_run_with_a_last_step_goes_on_before_it() -> None:
    clip = {"ending": "clip"}
    goes_on = over(header=clip, sigma=arb(10), last=Last.NO)
    assert (goes_on.violations, goes_on.open_at) == ([], set())
    for sigma, vague in ((arb(9), {}), (arb(0, arb("inf")), {"stopping": 1})):
        perhaps = over(header=clip, sigma=sigma, last=Last.OPEN)
        assert (perhaps.violations, perhaps.open_at, perhaps.vague) == ([], {5}, vague)
    assert over(header=clip, sigma=arb(8), last=Last.YES).violations != []


def elsewhere(index: int, **header: Any) -> str:
    judge = judge_of(**header)
    found = judge._elsewhere(7, line_of(5, index))
    assert judge.halted is found is bool(judge.violations)
    if not found:
        assert judge.checked == {}
        return ""
    assert judge.checked == {"index": 1}
    (one,) = judge.violations
    assert (one.line, one.j, one.field, one.reported) == (7, 5, "index", str(index))
    assert (one.lower, one.upper, one.gap, one.allowance) == ("0", "0", None, 0.0)
    return str(one.message)


def test_points_that_are_never_drawn() -> None:
    zero, kept = "this point has probability 0", "a point of X_2 is kept"
    assert elsewhere(2) == ""
    assert elsewhere(3).startswith(kept)
    assert elsewhere(3, ending="coin") == ""
    assert elsewhere(3, ending="clip").startswith(kept)
    rows = [[0, 0], [1, 0], [0, 1], [0, 0]]
    assert elsewhere(0, points=rows).startswith(zero)
    assert elsewhere(1, points=rows) == elsewhere(2, points=rows) == ""
    assert elsewhere(3, points=rows, ending="coin") == ""
    scaled = {"squared_scales": [1, 0, 1, 1]}
    assert elsewhere(1, **scaled).startswith(zero)
    assert elsewhere(0, **scaled) == ""


# -- one whole iteration ---------------------------------------------------------------------------


def test_a_first_step() -> None:
    judge = judge_of(uniforms=[0.5])
    judge.iteration(2, first(index=1))
    assert judge.violations == []
    assert judge.checked == {
        "stopping": 1, "u": 1, "l": 1, "phi": 1, "p": 1, "probabilities": 3 + 0, "weight": 1,
        "index": 1,
    }  # fmt: skip
    assert judge.undecided == {}
    assert (judge.picks, judge.skipped, judge.last) == ([1], [False], Last.NO)
    assert float(judge.sigma) == near(1.0)
    assert float(judge.potentials) == near(0.25)
    assert float(judge.made[0]) == near(3.0)
    assert float(judge.moved[0]) == near(1.0)
    assert judge.relations._shares == [1]
    assert float(judge.state.weights[1]) == near(3.0)
    assert judge.relations.steps == 1
    assert not judge.claims_exact
    assert not judge.lost
    assert 0 < judge.granted < 1e-12


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"phi": 0.26}, ["phi"]),
        ({"p": 0.34}, ["p"]),
        ({"weight": 3.1}, ["weight"]),
        ({"u": 0.1}, ["u"]),
        ({"l": 0.1}, ["l"]),
        ({"probabilities": [1 / 3, 0.34, 1 / 3]}, ["probabilities[1]"]),
        ({"probabilities": [0.25] * 4}, ["probabilities"]),
    ],
)
def test_a_first_step_with_one_wrong_value(change: Any, wrong: list[str]) -> None:
    judge = judge_of()
    judge.iteration(2, first(index=1, **change))
    assert fields_of(judge)[:1] == wrong
    assert judge.violations[0].line == 2
    assert judge.violations[0].j == 0


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, set()),
        ({"phi": 0.26}, {"phi"}),
        ({"p": 0.34}, {"p"}),
        ({"p": None}, set()),
        ({"probabilities": [1 / 3, 0.34, 1 / 3]}, {"probabilities"}),
        ({"probabilities": [0.25] * 4}, {"probabilities"}),
        ({"index": 3, "weight": None}, set()),
    ],
)
def test_what_is_wrong_is_told_to_who_judges_the_weight(
    monkeypatch: pytest.MonkeyPatch, change: Any, wrong: set[str]
) -> None:
    judge = judge_at(8.5, ending="coin")
    heard: list[Any] = []

    def weighed(*facts: Any, left_out: bool) -> None:
        heard.append((facts[0] is judge, facts[1], set(facts[5]), float(facts[6]), left_out))

    monkeypatch.setattr(module, "judge_weight", weighed)
    judge.iteration(2, first(u=None, l=None, **change))
    assert heard == [(True, 2, wrong, near(0.5), "index" in change)]


def test_probabilities_of_x2() -> None:
    judge = judge_of()
    judge.iteration(2, first(probabilities=[0.25] * 4))
    found = judge.violations[0]
    assert (found.reported, found.lower, found.upper) == ("4 numbers", "3 numbers", "")
    assert (found.gap, found.allowance) == (None, 0.0)
    assert found.message == "X_2 is kept, and never drawn"
    assert judge.checked["probabilities"] == 1


def test_values_that_claim_to_be_exact_are_noticed() -> None:
    judge = judge_of()
    judge.iteration(2, first(p="1/3"))
    assert judge.claims_exact
    other = judge_of()
    other.iteration(2, line_of())
    other.result(3, ResultLine(m=1, mid="1/3"))
    assert other.claims_exact
    for field in ({"u": "1/3"}, {"l": "1/3"}, {"weights": ["1/3"]}, {"alphas": ["1/3"]}):
        third = judge_of()
        third.iteration(2, line_of())
        third.result(3, ResultLine(m=1, **field))
        assert third.claims_exact
    plain = judge_of()
    plain.iteration(2, line_of())
    plain.result(3, ResultLine(m=1, mid=1.0))
    assert not plain.claims_exact


def test_after_a_halt_nothing_is_judged() -> None:
    judge = judge_of()
    judge.halted = True
    judge.iteration(2, first(phi=9.0))
    assert judge.checked == {}
    for change in ({"index": 3}, {"last": Last.YES}):
        ended = judge_of()
        if "last" in change:
            ended.last = Last.YES
        ended.iteration(2, first(phi=9.0, index=change.get("index", 0)))
        assert "phi" not in ended.checked
    assert fields_of(ended) == ["stopping"]


def test_a_step_that_the_coin_leaves_out() -> None:
    """sigma = 8.5 of 9: half of a step leads to the goal."""
    judge = judge_at(8.5, ending="coin", uniforms=[0.0, 0.75])
    judge.relations.steps = 1
    judge.relations._before = SimpleNamespace(u=None, l=None, phi=None)
    line = line_of(1, 3, phi=None)
    judge.iteration(3, line)
    assert judge.violations == []
    assert (judge.last, judge.picks, judge.skipped) == (Last.YES, [], [True])
    assert judge.made == [0]
    assert float(judge.moved[0]) == near(0.5)
    assert judge.sigma is judge.goal
    assert judge.checked["index"] == 1
    assert judge.relations.at_goal is True


def test_a_step_is_left_out_that_does_not_lead_to_the_goal() -> None:
    judge = judge_of(ending="coin")
    judge.iteration(2, first(index=3, p=None, weight=None))
    (found,) = judge.violations
    assert (found.line, found.j, found.field, found.reported) == (2, 0, "index", "3")
    assert (found.lower, found.upper, found.gap, found.allowance) == ("0", "0", None, 0.0)
    assert found.message == "a step is left out that does not lead to the goal"
    assert judge.halted
    assert judge.checked["index"] == 1
    assert judge.picks == judge.skipped == []


def test_points_behind_the_pool_are_drawn_where_nothing_is_kept() -> None:
    """Algorithm 2 at tight rates draws from all four points."""
    judge = judge_of(variant="asura", rates="tight", gamma=0.5)
    judge.iteration(2, line_of(index=3))
    assert judge.violations == []
    assert judge.picks == [3]


# -- what a step goes on with ----------------------------------------------------------------------


def test_a_factor_of_d() -> None:
    judge = judge_of()
    judge.sigma = arb(3)
    assert judge._side(None, Fraction(2), arb(5)) == 6
    ball = judge._side(1.5, Fraction(2), arb(5))
    assert float(ball.mid()) == 6.5
    assert float(ball.rad()) == near(4 * 1.5 * E, 1e-6)
    assert float(judge._side(-1.5, Fraction(2), arb(5)).rad()) == near(4 * 1.5 * E, 1e-6)
    assert float(judge._side("1/3", Fraction(2), arb(5, 1)).rad()) >= 1


def test_barriers_of_algorithm_2_are_moved_to_where_they_start() -> None:
    judge = judge_of(variant="asura", rates="tight", unlabelled=4)
    seen: list[tuple[float | None, float]] = []

    def look(_number: int, _line: Any, upper: arb, lower: arb) -> None:
        seen.append((float(upper.mid()), float(lower.mid())))

    judge._look = look
    judge.iteration(2, line_of(u=8.0, l=-8.0))
    assert seen == [(0.0, 0.0)]
    one = judge_of(variant="one-sided", draws=4, ending="clip")
    one._look = lambda _number, _line, upper, lower: seen.append((upper, float(lower)))
    one.iteration(2, line_of(l=0.0))
    assert seen[1] == (None, 0.0)


def test_a_value_that_the_program_goes_on_with() -> None:
    judge = judge_of()
    around = Interval(arb(2), (arb(1), arb(3)), (arb(1), arb(5)))
    given = judge._taken(2.5, around)
    assert float(given.mid()) == 2.5
    assert float(given.rad()) == near(2.5 * E, 1e-6)
    assert float(judge._taken(-2.5, around).rad()) == near(2.5 * E, 1e-6)
    absent = judge._taken(None, around)
    assert float(absent.mid()) == 3
    assert float(absent.rad()) == near(2.0, 1e-6)
    for low, high in ((arb(1), arb("inf")), (arb(0), arb(3)), (-arb("inf"), arb("inf"))):
        wide = Interval(arb(2), (arb(1), arb(3)), (low, high))
        assert judge._taken(None, wide) is None


def share(sigma: Any, phi: Any = 0.25, ending: str = "clip", **facts: Any) -> Any:
    judge = judge_of(ending=ending)
    judge.sigma, judge.goal = arb(sigma), arb(9)
    for name, value in facts.items():
        setattr(judge, name, value)
    return judge._share(arb(phi)), judge.last


def test_which_part_of_a_step_leads_to_the_goal() -> None:
    """A step of 1: from 8.5 one half, from 8 the whole within rounding, from 7 none."""
    part, last = share(8.5)
    assert (float(part), last) == (near(0.5), Last.YES)
    assert float(share(8.875, 0.5)[0]) == near(0.25)  # of a step of a half
    assert share(8.0, unit=arb(0)) == (1, Last.YES)
    assert share(8.0 - JUST, unit=arb(0)) == (None, Last.NO)
    assert share(7.0, last=Last.OPEN) == (None, Last.NO)
    assert share(7.0) == (None, Last.NO)
    part, last = share(8.0)
    assert last is Last.OPEN
    assert part.upper() >= 1
    assert part.lower() < 1
    assert float(part.rad()) < 1e-14
    assert share(8.5, ending="overshoot") == (None, Last.NO)
    assert share(8.5, 0.0) == (None, Last.NO)
    assert share(8.5, -1.0) == (None, Last.NO)
    assert share(8.5, arb(0.1, 0.2)) == (None, Last.NO)


def test_the_roundings_of_a_step_that_leads_to_the_goal() -> None:
    """Four of the step, and two of the sum: 4 + 18 of an eighteenth, at 20 bits."""
    unit = arb(2) ** -20
    off = 4 * 2.0**-20 + 2 * 2.0**-20 * 9
    for times, last in ((0.99, Last.OPEN), (1.01, Last.YES)):
        assert share(8 + times * off, unit=unit)[1] is last
    for times, last in ((0.99, Last.OPEN), (1.01, Last.NO)):
        assert share(8 - times * off, unit=unit)[1] is last
    # 2^-20 of the step are granted more where the step itself is rounded.
    rounded = judge_of(ending="clip", gamma="3/10", precision=20)
    rounded.sigma = arb(8)
    rounded.goal = 8 + rounded.step / arb(0.25) + arb(2) ** -20 * (4.5 * 1.2 + 2 * 9.2)
    rounded._share(arb(0.25))
    assert rounded.last is Last.OPEN


def test_the_ball_of_a_part() -> None:
    part, _ = share(8.5, unit=arb(2) ** -10)
    assert part.contains(arb(0.5))
    assert float(part.rad()) == near(0.5 * 4 * 2.0**-10, 1e-2)
    wide, last = share(8.0, unit=arb(2) ** -10, goal=arb(9, 0.125))
    assert last is Last.OPEN
    assert float(wide.lower()) == near(0.875, 1e-2)
    assert float(wide.upper()) == near(1.0, 1e-6)
    over, last = share(arb(7.0, 0.5), goal=arb(8))
    assert last is Last.OPEN
    assert float(over.lower()) == near(0.5, 1e-6)
    assert float(over.upper()) == near(1.0, 1e-6)
    # Nothing is known of a goal that may be anything, but that a part is one.
    some, last = share(8.5, goal=arb(0, "inf"))
    assert last is Last.OPEN
    assert abs(some.lower()) < 2.0**-28
    assert float(some.upper()) == near(1.0, 1e-6)
    # No part is more than the whole, however much is rounded.
    most, last = share(7.5, unit=arb(2) ** -4)
    assert last is Last.OPEN
    assert float(most.lower()) == near(1.0, 1e-6)
    assert float(most.upper()) == near(1.0, 1e-6)


# -- what is hidden --------------------------------------------------------------------------------


def test_what_honest_methods_see() -> None:
    judge = judge_of()
    granted = judge._look(2, line_of(), arb(0), arb(0))
    assert float(granted.seen.potential) == near(0.25)
    assert judge.granted == granted.share
    judge.granted = 0.5
    judge._look(2, line_of(), arb(0), arb(0))
    assert judge.granted == 0.5
    judge.lost = True
    assert judge._look(2, line_of(), arb(0), arb(0)) is None


def test_what_shows_nothing_is_not_the_largest_that_shows_something() -> None:
    judge = judge_of()
    for share_, expected in ((0.25, 0.25), (1.0, 0.0)):
        judge.granted = 0.0
        judge.grants.at = lambda *_given, share=share_: SimpleNamespace(share=share)
        judge._look(2, line_of(), arb(0), arb(0))
        assert judge.granted == expected


def test_a_state_that_is_not_between_its_barriers() -> None:
    judge = judge_of()

    def broken(*_given: Any) -> None:
        raise NotBetweenBarriers

    judge.state.look = broken
    assert judge._look(2, line_of(5, l=1.5), arb(0), arb(0)) is None
    (found,) = judge.violations
    assert (found.line, found.j, found.field, found.reported) == (2, 5, "l", "1.5")
    assert (found.lower, found.upper, found.gap, found.allowance) == ("below A", "", None, 0.0)
    assert found.message == "the state that the trace reports is not between its barriers"
    assert (judge.halted, judge.lost) == (True, True)
    # An honest program that has lost its digits may be anywhere.
    astray = judge_of()
    astray.state.look, astray.astray = broken, True
    assert astray._look(2, line_of(5, l=1.5), arb(0), arb(0)) is None
    assert astray.violations == []
    assert astray.unexplained.startswith("l at j=5 ")
    assert (astray.halted, astray.lost) == (False, True)
    absent = judge_of()
    absent.state.look = broken
    absent._look(2, line_of(5), arb(0), arb(0))
    assert absent.violations[0].reported == "not reported"
    hidden = judge_of()
    hidden.state.look = lambda *_given: None
    assert hidden._look(2, line_of(5), arb(0), arb(0)) is None
    assert (hidden.halted, hidden.lost, hidden.violations) == (False, True, [])


def test_a_line_whose_state_is_hidden_is_open() -> None:
    judge = judge_of()
    judge.lost = True
    judge.iteration(2, first(index=1))
    assert judge.vague == {"phi": 1, "p": 1, "weight": 1, "probabilities": 3}
    assert {f: judge.checked[f] for f in judge.vague} == judge.vague
    assert judge.last is Last.OPEN
    assert (judge.made, judge.moved, judge.picks, judge.skipped) == ([None], [None], [1], [False])
    assert judge.relations.steps == 1
    assert judge.relations._before.phi == fmpq(1, 4)
    assert judge.relations._shares == [1]
    assert judge.relations.at_goal is False
    assert float(judge.sigma.rad()) == math.inf
    assert judge.relations._widest == math.inf
    last = judge_of(ending="clip")
    last.lost = True
    last.iteration(2, first(index=1))
    # It may have been a part of a step: nothing ties its weight, nor what follows.
    assert (last.relations._shares, last.relations._before.p) == ([None], None)
    assert last.relations.at_goal is None
    last.iteration(3, line_of(1, l=2 / 3))
    assert last.relations._before.l is not None
    bare = judge_of()
    bare.lost = True
    bare.iteration(2, line_of())
    assert bare.vague == {}
    coin = judge_of(ending="coin")
    coin.lost = True
    coin.iteration(2, line_of(index=3))
    assert (coin.made, coin.picks, coin.skipped) == ([0], [], [True])
    assert coin.relations._weights == [0]


def test_a_potential_of_which_nothing_is_known_hides_what_follows() -> None:
    judge = judge_of()
    judge._taken = lambda *_given: None
    judge.iteration(2, line_of(phi=None, weight=3.0))
    assert judge.lost
    assert judge.vague == {"weight": 1}


def test_a_wrong_potential_is_not_gone_on_with() -> None:
    judge = judge_of()
    judge.iteration(2, line_of(phi=0.5))
    assert fields_of(judge) == ["phi"]
    assert float(judge.potentials) == near(0.25)
    plain = judge_of()
    plain.iteration(2, line_of(phi=0.25 + 2.0**-52))
    assert float(plain.potentials.mid()) == 0.25 + 2.0**-52


# -- the probabilities -----------------------------------------------------------------------------


def listed(near_: Any, raws: list[float], *, shows: bool = True) -> Any:
    judge = judge_of()

    def chance(i: int) -> Any:
        low, high = near_[i]
        true = arb((0.25, 0.5, 0.0625)[i])
        return SimpleNamespace(
            true=true, near=(arb(low), arb(high)), far=(arb(0), arb(1)), shows=shows
        )

    wrong: set[str] = set()
    granted = SimpleNamespace(chance=chance)
    judge._probabilities(2, line_of(probabilities=raws), granted, wrong)
    assert wrong == ({"probabilities"} if judge.violations else set())
    return judge


ALL = ((0.125, 0.5), (0.25, 0.75), (0.0, 0.125))


def test_a_list_is_open_where_a_sixteenth_of_it_is() -> None:
    raws = [0.25, 0.5, 0.0625]
    assert listed(ALL, raws).vague == {}
    assert listed(ALL, [0.125, 0.75, 0.125]).vague == {}
    for change in ([0.25, 0.5, 0.125 + JUST], [0.125 - JUST, 0.5, 0.0], [0.25, 0.75 + JUST, 0.0]):
        assert listed(ALL, change).vague == {"probabilities": 3}
    fewer = ((0.125, 0.5), (0.25, 0.75), (1.0, 1.0))
    assert listed(fewer, raws).vague == {"probabilities": 3}
    assert listed(ALL, raws, shows=False).vague == {"probabilities": 3}
    assert listed(ALL, raws).checked == {"probabilities": 3}
    bad = listed(ALL, [0.25, 1.5, 0.5])
    assert fields_of(bad) == ["probabilities[1]"]
    assert bad.vague == {}


# -- the state behind ------------------------------------------------------------------------------


def test_sigma_after_a_step() -> None:
    judge = judge_at(3)
    judge.iteration(2, line_of(phi=0.25))
    assert float(judge.sigma.mid()) == near(4.0)
    assert float(judge.sigma.rad()) == near(4 * 4 * E + E, 1e-1)
    assert float(judge.potentials.rad()) == near(2 * 0.25 * E, 1e-1)
    assert float(judge.moved[0]) == near(1.0)
    assert judge.relations.at_goal is False


def test_where_an_honest_program_may_be_beyond_its_barriers() -> None:
    """When the step that it makes may be: by the point that is drawn, and by phi."""
    asked: list[Any] = []

    def told(*answers: bool) -> Any:
        judge, left = judge_of(ending="coin"), list(answers)
        look = judge._look

        def looked(*facts: Any) -> Any:
            granted = look(*facts)
            granted.stays = stays
            return granted

        def stays(*given: Any) -> bool:
            asked.append(given)
            return left.pop(0)

        judge._look = looked
        return judge

    judge = told(True, False)
    found = []
    for j in range(3):
        judge.iteration(2 + j, line_of(j, index=1))
        found.append(judge.astray)
    assert found == [False, True, True]  # for good: it is not asked again
    (index, step, lower), _ = asked
    assert (index, float(step), float(lower)) == (1, 0.25, near(2 / 3))


def test_where_the_run_goes_on_no_goal_was_reached() -> None:
    judge = judge_of(ending="clip")
    judge.relations.at_goal = None
    judge.iteration(2, first(index=1))
    assert judge.relations.at_goal is False


def test_sigma_where_rounding_may_end_the_run() -> None:
    """Between 9 and the goal, whichever it is; and nothing is tied to it."""
    judge = judge_at(8, ending="clip")
    judge.goal = arb(9, 0.25)
    judge.iteration(2, line_of())
    assert judge.last is Last.OPEN
    assert judge.relations.at_goal is None
    assert float(judge.sigma.lower()) == near(8.75, 1e-6)
    assert float(judge.sigma.upper()) == near(9.25, 1e-6)
    wide = judge_at(8, ending="clip")
    wide.sigma, wide.goal = arb(8, 0.5), arb(9)
    wide.iteration(2, line_of())
    assert float(wide.sigma.lower()) == near(8.5, 1e-6)
    assert float(wide.sigma.upper()) == near(9.5, 1e-6)


def test_a_clipped_step_adds_its_part() -> None:
    judge = judge_at(8.5, ending="clip")
    judge.iteration(2, line_of(index=1, phi=0.25))
    assert judge.last is Last.YES
    assert float(judge.made[0]) == near(1.5)
    assert judge.relations._shares == [None]
    assert float(judge.state.weights[1]) == near(1.5)
    coin = judge_at(8.5, ending="coin")
    coin.iteration(2, line_of(index=1))
    assert float(coin.made[0]) == near(3.0)
    assert coin.relations._shares == [None]


def gained(raw: Any, far: tuple[Any, Any] = (0.0625, 0.125), part: Any = None) -> Any:
    mass = Interval(arb(0.1), (arb(0), arb(1)), (arb(far[0]), arb(far[1])))
    granted = SimpleNamespace(mass=lambda index: {2: mass}[index])
    return judge_of()._gained(line_of(index=2, weight=raw), granted, part)


def test_the_weight_that_a_program_goes_on_with() -> None:
    """As reported; else step/mass, with a mass between 1/16 and 1/8."""
    given = gained(2.5)
    assert (float(given.mid()), float(given.rad())) == (2.5, near(2.5 * E, 1e-6))
    assert gained(0.0) == 0
    for raw in (None, -1.0):
        ball = gained(raw)
        assert float(ball.lower()) == near(2.0, 1e-6)
        assert float(ball.upper()) == near(4.0, 1e-6)
    half = gained(None, part=arb(0.5))
    assert float(half.lower()) == near(1.0, 1e-6)
    assert gained(None, (0.0, 0.125)) is None
    assert gained(None, (0.0625, math.inf)) is None


def test_a_weight_of_which_nothing_is_known_hides_the_state() -> None:
    judge = judge_of()
    judge._gained = lambda *_given: None
    judge.iteration(2, line_of(index=1))
    assert judge.lost
    assert judge.made == [None]
    assert judge.state.steps == 0


# -- the result ------------------------------------------------------------------------------------


def test_the_result_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(module, "judge_result", lambda *facts: heard.append(facts))
    judge, result = judge_of(), ResultLine(m=0)
    judge.result(3, result)
    assert heard == [(judge, 3, result)]


def test_a_run_that_goes_on_was_not_at_its_goal() -> None:
    """Where the last step may have led there, the next line says that it did not."""
    for before, now in ((None, False), (False, False), (True, True)):
        judge: Any = judge_of()
        judge.relations.at_goal = before
        seen: list[Any] = []
        judge.relations.barriers = lambda *_given, j=judge, s=seen: (
            s.append(j.relations.at_goal) or {}
        )
        judge._step(2, IterationLine(j=0, index=0))
        assert seen == [now]
