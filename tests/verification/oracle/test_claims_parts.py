"""The claims one by one, on small states: gamma and all values are such that ties are exact."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, arb_mat, ctx

from asura.scalars import rational
from asura.stopping import PAPER, sure
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura.verdict import FAILS, HOLDS
from asura_verify.oracle.claims import SCOPES, ClaimJudge
from asura_verify.oracle.ending import BALANCED, Ending
from asura_verify.oracle.judge import Judge
from asura_verify.oracle.local import LocalJudge, LocalStep
from asura_verify.oracle.report import ClaimView
from asura_verify.oracle.tally import OPEN, Tally, at_most, definite, equal, largest
from asura_verify.oracle.values import Reported

QUARTER = Fraction(1, 4)


def identity(size: int, factor: int = 1) -> arb_mat:
    return arb_mat([[factor * (i == k) for k in range(size)] for i in range(size)])


def judge_of(dimension: int = 1, gamma: Fraction = QUARTER, **facts: Any) -> Any:
    """A judge that has judged nothing: two points of leverage 1 and 1/2."""
    replay = SimpleNamespace(
        dimension=dimension,
        gram=identity(dimension),
        leverages=lambda: [arb(1), arb(0.5)],
        vanishes=lambda _: False,
        outer=lambda _: identity(dimension),
    )
    known = {
        "replay": replay,
        "gamma": gamma,
        "rule": PAPER,
        "data": SimpleNamespace(unlabelled=1),
        "halted": False,
        "stop_open": False,
        "reported": Reported(),
        "undecided": {},
        "picks": [0],
    }
    return SimpleNamespace(**(known | facts))


def claims_of(judge: Any) -> ClaimJudge:
    size = judge.replay.dimension
    local: Any = SimpleNamespace(bits=128, possible=True, accumulated=arb_mat(size, size))
    return ClaimJudge(judge, local)


def fresh(**facts: Any) -> ClaimJudge:
    return claims_of(judge_of(**facts))


def view(claims: ClaimJudge, slug: str) -> ClaimView:
    return claims._tallies[slug].view()


def verdict(claims: ClaimJudge, slug: str) -> str:
    return view(claims, slug).verdict


# -- which claims a doubtful stop excuses ----------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "excused"),
    [
        (PAPER, {"m-bound", "gap-final", "well-balanced", "identity-3"}),
        (sure(), {"sure-stop", "identity-3"}),
    ],
    ids=["paper", "sure"],
)
@pytest.mark.parametrize("near", [True, False])
def test_only_claims_about_the_end_depend_on_a_doubtful_stop(
    rule: Any, excused: set[str], near: bool
) -> None:
    claims = fresh(rule=rule, undecided={"stopping": 1} if near else {"index": 1})
    for slug in SCOPES:
        claims._tallies[slug].enter(FAILS, 3, 1, "wrong")
    views = claims.views()
    for slug, scope in SCOPES.items():
        doubted = near and slug in excused
        expected = "undecided" if doubted else "fails"
        if scope.rule not in (None, rule.name):
            expected = "not applicable"
        assert views[slug].verdict == expected, slug
        assert ("the stop lies within" in views[slug].detail) == doubted


# -- what a line reports ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["u", "l"])
def test_one_barrier_alone_says_nothing_of_the_gap(name: str) -> None:
    judge = judge_of()
    setattr(judge.reported, name, arb(8))
    judge.reported.phi = arb(QUARTER.numerator) / QUARTER.denominator
    claims = claims_of(judge)
    claims.iteration(2, IterationLine(j=0, index=0), None)
    assert all(tally.places == 0 for tally in claims._tallies.values())


def test_a_weight_alone_is_no_state() -> None:
    claims = fresh(reported=Reported(weight=arb(1)))
    claims.iteration(2, IterationLine(j=0, index=0), None)
    assert all(tally.places == 0 for tally in claims._tallies.values())


def test_nothing_is_said_once_the_run_is_impossible() -> None:
    judge = judge_of(reported=Reported(u=arb(8), l=arb(-8), phi=arb(1)), halted=True)
    claims = claims_of(judge)
    claims.iteration(2, IterationLine(j=0, index=0), None)
    claims.result(3, ResultLine(m=1))
    assert all(tally.places == 0 for tally in claims._tallies.values())


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ([arb(0), arb(1)], "holds"),
        ([arb(-0.5), arb(1.5)], "fails"),
        ([arb(0.5), arb(0.25)], "fails"),
        ([arb(0, 0.125), arb(1)], "holds"),
    ],
)
def test_probabilities_are_not_negative_and_sum_to_one(chances: list[arb], expected: str) -> None:
    claims = fresh()
    claims._distribution(2, IterationLine(j=0, index=0), Reported(probabilities=chances), None)
    assert verdict(claims, "probabilities-sum") == expected


# -- the end of the loop ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "ended", "near", "expected"),
    [
        (0.5, False, False, "holds"),
        (1, False, False, "fails"),
        (0.5, True, False, "fails"),
        (1, True, False, "holds"),
        (0.5, False, True, "holds"),
        (1, False, True, "undecided"),
        (0.5, True, True, "undecided"),
        (1, True, True, "holds"),
    ],
)
def test_the_loop_runs_below_one(clock: float, ended: bool, near: bool, expected: str) -> None:
    claims = fresh(stop_open=near)
    claims._stop(5, 3, arb(clock), ended=ended)
    assert verdict(claims, "stop-text") == expected


@pytest.mark.parametrize(("elapsed", "expected"), [(31, "fails"), (32, "holds")])
def test_the_clock_of_the_result(elapsed: int, expected: str) -> None:
    """In two dimensions gap 32 is r = 0, and s = elapsed/32."""
    claims = fresh(dimension=2, reported=Reported(u=arb(16), l=arb(-16)))
    claims._elapsed = arb(elapsed)
    claims.result(9, ResultLine(m=1))
    assert verdict(claims, "stop-text") == expected
    shown = {"fails": "the loop ended at r + s >= 1: 0.96875000", "holds": ""}
    assert view(claims, "stop-text").detail == shown[expected]


# -- the state -------------------------------------------------------------------------------------


def step_of(**facts: Any) -> LocalStep:
    """B = 0 between -8 and 8, in one dimension."""
    known: dict[str, Any] = {
        "upper": arb(8),
        "lower": arb(-8),
        "accumulated": arb_mat([[0]]),
        "definite": True,
        "potential": arb(0.25),
        "mass": arb(0.25),
        "upper_mass": arb(0.125),
        "unlabelled_mass": arb(0.25),
    }
    return LocalStep(**(known | facts))


def state(step: LocalStep, eta: float = 0, j: int = 1, **values: Any) -> ClaimJudge:
    """The claims after one state, which earlier weights let be off by eta."""
    known: dict[str, Any] = {"u": arb(8), "l": arb(-8), "weight": arb(1)}
    claims = fresh()
    claims._doubt = arb(eta)
    claims._state(4, IterationLine(j=j, index=0), Reported(**(known | values)), step)
    return claims


BETWEEN = ("alg-potential", "rank-one-upper", "rank-one-lower")


@pytest.mark.parametrize(
    ("eta", "certain"), [(0.0, True), (2.0, True), (4.0, False), (6.0, False), (8.0, False)]
)
@pytest.mark.parametrize("probabilities", [None, [arb(1), arb(0)]])
def test_a_state_is_certain_while_its_doubt_is_smaller_than_one_over_phi(
    eta: float, certain: bool, probabilities: list[arb] | None
) -> None:
    """Phi = 1/4: the doubt of 4 may be all of the distance to a barrier."""
    claims = state(step_of(), eta, probabilities=probabilities)
    at_barrier = ClaimView("undecided", 1, 1, 4, 1, "the state may be at a barrier")
    with_mass = (*BETWEEN, "sampling-mass")
    for slug in with_mass:
        expected = not certain and (slug in BETWEEN or probabilities is not None)
        assert (view(claims, slug) == at_barrier) == expected, slug
    assert view(claims, "sampling-mass").places == (probabilities is not None)
    assert view(claims, "invariant").places == 1


def test_a_state_beyond_a_barrier() -> None:
    for total, expected in ((-9, "fails"), (-7, "holds"), (7, "holds"), (9, "fails")):
        step = step_of(definite=False, accumulated=arb_mat([[total]]))
        assert verdict(state(step), "invariant") == expected
        assert verdict(state(step), "alg-potential") == "undecided"
    vague = step_of(definite=False, accumulated=arb_mat([[7]]))
    assert verdict(state(vague, eta=2), "invariant") == "undecided"


@pytest.mark.parametrize(
    ("upper", "lower", "total", "expected"),
    [
        (2, 1, 1.5, HOLDS),
        (2, 1, 3, FAILS),
        (2, 1, 0.75, FAILS),
        (4, 2, 1, FAILS),
        (4, 2, 2, FAILS),
        (4, 2, 3, HOLDS),
        (0.25, 0, 0.125, HOLDS),
        (2, 0.5, 1, HOLDS),
    ],
)
def test_between_two_barriers(upper: float, lower: float, total: float, expected: Any) -> None:
    found = fresh()._between(arb_mat([[total]]), arb(upper), arb(lower), arb(0))
    assert found == expected


def test_a_doubt_reaches_both_barriers() -> None:
    for total in (1, 3):
        found = fresh()._between(arb_mat([[total]]), arb(3.5), arb(0.5), arb(0.25))
        assert found == HOLDS
        found = fresh()._between(arb_mat([[total]]), arb(3.5), arb(0.5), arb(0.75))
        assert found.undecided


def test_a_doubtful_potential_leaves_what_depends_on_it_open() -> None:
    """Share 1/2: a mass may be anything from 0 to twice itself, share 5/16: from 6/11 to 16/11."""
    potential = arb(0.25)
    half, less = 2.0, 1.25  # the doubts that are these shares of 1/Phi = 4
    # w' U^T (u - A)^-1 U = 0.15 <= 1/4 may be 0.3; with share 5/16 it is 0.219 at most.
    step = step_of(potential=potential, upper_mass=arb(0.15))
    assert verdict(state(step, half), "rank-one-upper") == "undecided"
    assert verdict(state(step, less), "rank-one-upper") == "holds"
    step = step_of(potential=potential, upper_mass=arb(0.2))
    assert verdict(state(step, less), "rank-one-upper") == "undecided"
    # A mass of 0.16 lies in 0.0873..0.2327, not at 1/4.
    step = step_of(potential=potential, mass=arb(0.16))
    claims = state(step, less)
    assert view(claims, "alg-potential").detail.startswith("w' U^T E U = gamma")
    assert verdict(claims, "alg-potential") == "fails"
    # A potential of 1/4 lies in 0.1364..0.3636.
    claims = state(step_of(mass=arb(0.25)), less, phi=arb(0.375))
    assert verdict(claims, "alg-potential") == "fails"
    assert view(claims, "alg-potential").detail.startswith("Phi = ")
    claims = state(step_of(mass=arb(0.25)), less, phi=arb(0.25))
    assert verdict(claims, "alg-potential") == "undecided"


def test_the_mass_of_the_first_points_is_as_doubtful_as_the_potential() -> None:
    """Share 1/4: both are right up to a third, their ratio lies in 1/2..2."""
    for total, missed in ((0.47, True), (0.53, False), (1.9, False), (2.1, True)):
        claims = state(step_of(), 1.0, probabilities=[arb(total), arb(0)])
        assert verdict(claims, "sampling-mass") == ("fails" if missed else "undecided"), total


@pytest.mark.parametrize(("radius", "expected"), [(0.25, "holds"), (0.75, "undecided")])
def test_the_mass_of_the_first_points_is_known_to_a_half(radius: float, expected: str) -> None:
    claims = state(step_of(), probabilities=[arb(1, radius), arb(0)])
    assert verdict(claims, "sampling-mass") == expected


def test_the_first_state() -> None:
    assert verdict(state(step_of(), j=0), "alg-potential") == "holds"
    assert view(state(step_of(), j=0), "alg-potential").places == 3
    assert view(state(step_of(), j=1), "alg-potential").places == 1
    wrong = view(state(step_of(), j=0, l=arb(-7)), "alg-potential")
    assert wrong.detail == "l_0 = -2d/gamma: -7.0000000 against -8.0000000"
    wrong = view(state(step_of(), j=0, u=arb(7)), "alg-potential")
    assert wrong.detail == "u_0 = 2d/gamma: 7.0000000 against 8.0000000"


@pytest.mark.parametrize(
    ("under", "rise", "expected"),
    [
        (1.5, 0, "holds"),
        (1.625, 0, "fails"),
        (1.125, 0.25, "holds"),
        (1.1875, 0.25, "undecided"),  # only its bound is too large
        (1.125, 0.5, "undecided"),
        (1.5, 0.25, "undecided"),
        (1.625, 0.25, "fails"),
        (1.625, 1, "fails"),
        (0.25, 1, "undecided"),
        (0.25, 1.5, "undecided"),
        (1.625, -0.125, "holds"),
        (1.75, -0.125, "undecided"),  # that barrier sinks is said elsewhere
    ],
)
def test_the_rank_one_bound_from_below(under: float, rise: float, expected: str) -> None:
    """With gamma = 1, which no run has, the bound is 3/2; Phi = 1 and l = -2."""
    claims = fresh(gamma=Fraction(1))
    claims._pending = arb(under), arb(1), arb(-2)
    claims._rank_one_lower(4, 2, arb(-2 + rise))
    assert verdict(claims, "rank-one-lower") == expected
    claims._rank_one_lower(5, 3, arb(5))
    assert view(claims, "rank-one-lower").places == 1


def test_barriers_grow() -> None:
    claims = fresh()
    claims._previous = Reported(u=arb(8), l=arb(-8))
    claims._barriers(4, 2, Reported(u=arb(8), l=arb(-7)), HOLDS)
    assert view(claims, "invariant") == ClaimView(
        "fails", 3, 0, 4, 2, "u grows: 8.0000000 against 8.0000000"
    )
    claims = fresh()
    claims._previous = Reported(u=arb(8), l=arb(-8))
    claims._barriers(4, 2, Reported(u=arb(9), l=arb(-8)), HOLDS)
    assert view(claims, "invariant").detail == "l grows: -8.0000000 against -8.0000000"


@pytest.mark.parametrize("name", ["u", "l"])
def test_a_barrier_is_compared_with_itself_only(name: str) -> None:
    claims = fresh()
    claims._previous = Reported()
    setattr(claims._previous, name, arb(1))
    claims._barriers(4, 2, Reported(u=arb(9), l=arb(8)), OPEN)
    assert view(claims, "invariant") == ClaimView(
        "undecided", 2, 1, 4, 2, "l I < A < u I: 8.0000000 against 9.0000000"
    )


# -- comparisons of balls --------------------------------------------------------------------------


def ends(ball: arb) -> tuple[arb, arb]:
    """The ends of a ball, exactly."""
    with ctx.workprec(1024):
        return ball.lower(), ball.upper()


def test_a_ball_that_ends_at_a_bound() -> None:
    ball = arb(2, 1)
    low, high = ends(ball)
    assert at_most(ball, high).holds
    assert at_most(ball, low).undecided  # perhaps it is there


def test_equal_balls_know_the_size_to_a_bit() -> None:
    assert equal(arb(1, 0.1875), arb(1, 0.1875)).holds  # 3/4 of the size
    half = arb(1, 0.25)
    assert equal(half, half, (half.rad() + half.rad()) * 2).undecided
    assert equal(arb(3), arb(-3)).fails
    assert equal(arb(-3), arb(3)).fails
    assert equal(arb(-3), arb(-3)).holds


def test_definiteness_in_doubt() -> None:
    assert definite(arb_mat([[0]])).fails
    assert definite(arb_mat([[arb(0.25, 0.5)]])).undecided
    assert definite(arb_mat([[arb("nan"), 0], [0, -1]])).undecided
    huge = arb(10) ** 400
    assert definite(arb_mat([[-huge, 0], [0, 1]])).undecided  # no double holds it
    assert definite(arb_mat([[-1, 0], [0, huge]])).undecided
    assert definite(arb_mat([[1, 0], [0, huge]])).holds


def test_the_largest_of_several_balls_is_one_of_them() -> None:
    with ctx.workprec(128):
        ball = arb(5, 1) / 3
    low, high = ends(ball)
    for other in (low, arb(0), arb(-3, 1)):
        assert largest([other, ball]) is ball
        assert largest([ball, other]) is ball or other is low
    for other in (high, arb(8)):
        assert largest([other, ball]) is other
        assert largest([ball, other]) is other


@pytest.mark.parametrize(("doubts", "counted"), [(0, 1), (1, 1), (2, 2)])
def test_an_excused_failure_counts_as_a_doubt(doubts: int, counted: int) -> None:
    tally = Tally()
    tally.enter(FAILS, 7, 2, "wrong")
    for line in range(doubts):
        tally.enter(OPEN, line, None, "vague")
    assert tally.view() == ClaimView("fails", doubts + 1, doubts, 7, 2, "wrong")
    excused = tally.view(doubt="near")
    assert excused == ClaimView("undecided", doubts + 1, counted, 7, 2, "near; wrong")


# -- the result ------------------------------------------------------------------------------------


_KNOWN = arb(1), arb(16)  # K and gap of one iteration


def ending(
    judge: Any,
    *,
    conditions: Any = (_KNOWN,),
    total: tuple[arb_mat, arb] | None = None,
    **values: Any,
) -> tuple[Ending, dict[str, Tally]]:
    tallies = {slug: Tally() for slug in SCOPES}
    return Ending(judge, tallies, 9, Reported(**values), None, total, conditions), tallies


def entered(tallies: dict[str, Tally]) -> set[str]:
    return {slug for slug, tally in tallies.items() if tally.places}


@pytest.mark.parametrize(
    ("dimension", "gamma", "most"),
    [
        (9, Fraction(3, 10), 80),  # d sqrt(k)/gamma^2 = 80 exactly
        (1, QUARTER, 14),  # 13.9
        (2, QUARTER, 28),  # 27.7
    ],
)
def test_the_length_is_at_most_the_ceiling_of_its_bound(
    dimension: int, gamma: Fraction, most: int
) -> None:
    for length in (1, most - 1, most, most + 1, most + 2, 10 * most):
        end, tallies = ending(judge_of(dimension, gamma), conditions=())
        end.judge_all(length)
        assert tallies["m-bound"].view().verdict == ("holds" if length <= most else "fails")
        assert entered(tallies) == {"m-bound"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, set()),
        ({"alphas": [arb(0.75)]}, {"sum-alpha"}),
        ({"mid": arb(2)}, set()),
        ({"mid": arb(2), "alphas": [arb(0.75)]}, {"sum-alpha", "alpha-k"}),
        ({"u": arb(9)}, set()),
        ({"l": arb(-7)}, set()),
        (
            {"u": arb(16), "l": arb(-8)},
            {"lm-positive", "condition-number", "gap-final", "identity-3"},
        ),
        (
            {"u": arb(16), "l": arb(-8), "mid": arb(4)},
            {"lm-positive", "condition-number", "gap-final", "identity-2", "identity-3"},
        ),
    ],
)
def test_a_result_says_what_its_values_allow(values: dict[str, Any], expected: set[str]) -> None:
    end, tallies = ending(judge_of(), **values)
    end.judge_all(3)
    assert entered(tallies) == {"m-bound"} | expected


def test_without_an_iteration_there_is_nothing_to_divide_by() -> None:
    end, tallies = ending(judge_of(), conditions=(), u=arb(8), l=arb(-8), mid=arb(0), alphas=[])
    end.judge_all(0)
    assert entered(tallies) == {"m-bound"}


def test_balance_is_claimed_for_the_rule_of_the_paper_only() -> None:
    values: dict[str, Any] = {"u": arb(16), "l": arb(-8), "alphas": [arb(0.75)]}
    for rule in (PAPER, sure()):
        end, tallies = ending(judge_of(rule=rule), weights=[arb(1)], **values)
        end.judge_all(3)
        assert ("well-balanced" in entered(tallies)) == (rule is PAPER)


@pytest.mark.parametrize(
    ("upper", "lower", "places", "expected"),
    [
        (arb(64), arb(32) / 3, 2, "holds"),
        (arb(16), arb(-16) / 3, 2, "holds"),
        (arb(64), arb(1), 2, "fails"),
        (arb(64), arb(-1), 2, "fails"),
        (arb(64), arb(0), 1, "fails"),
        (arb(32), arb(1), 1, "fails"),
        (arb(32), arb(0), 1, "holds"),
        (arb(32.25), arb(0.09375, 0.25), 1, "holds"),
        (arb(32, 0.25), arb(1), 1, "fails"),
    ],
)
def test_the_lower_barrier_is_positive_from_a_threshold_on(
    upper: arb, lower: arb, places: int, expected: str
) -> None:
    """With gamma = 1/4 and d = 1 it is u = 32, and l = (u - 32)/3; no doubt may be there."""
    end, tallies = ending(judge_of())
    end._barriers(upper, lower, upper - lower)
    view = tallies["lm-positive"].view()
    assert (view.places, view.verdict) == (places, expected)


def test_which_sign_the_lower_barrier_has_is_decided_both_ways() -> None:
    said = "l_m > 0 exactly when u_m > 4d/(gamma(1 - 2 gamma))"
    for upper, lower, wrong in (
        (arb(64), arb(11, 32), False),
        (arb(64), arb(32 / 3, 4), False),
        (arb(64), arb(-30), True),
        (arb(2), arb(-10), False),
        (arb(2), arb(10), True),
    ):
        entries: list[tuple[str, str]] = []
        tally: Any = SimpleNamespace(
            enter=lambda v, _line, _j, what, *_, entries=entries: entries.append((what, str(v)))
        )
        end, tallies = ending(judge_of())
        tallies["lm-positive"] = tally
        end._barriers(upper, lower, upper - lower)
        assert ((said, "fails") in entries) == wrong
        assert ((said, "holds") in entries) == (not wrong and not lower.contains(0))


@pytest.mark.parametrize(
    ("eigenvalue", "expected"),
    [(1, "holds"), (1.4375, "holds"), (1.5, "fails"), (1.75, "fails"), (0.5625, "holds"),
     (0.5, "fails"), (0.25, "fails"), (2.25, "fails"), (-0.25, "fails")],
)  # fmt: skip
def test_the_spectrum_lies_within_its_reach(eigenvalue: float, expected: str) -> None:
    judge = judge_of(picks=[0, 1])
    end, tallies = ending(judge, weights=[arb(0.25), arb(eigenvalue - 0.25)])
    end._spectrum("spectral", arb(0.5), "spectrum")
    assert tallies["spectral"].view().verdict == expected
    # The same from the state, in units of mid.
    total = arb_mat([[8 * eigenvalue]]), arb(0)
    end, tallies = ending(judge, mid=arb(8), total=total)
    end._spectrum("spectral", arb(0.5), "spectrum")
    assert tallies["spectral"].view().verdict == expected


def balanced(
    clock: arb, alphas: list[arb], weights: list[arb] | None = None, known: float = 1
) -> Tally:
    """With gamma = 1/16: the spectrum in 1/4..7/4, alpha K at most 10/256."""
    end, tallies = ending(
        judge_of(gamma=Fraction(1, 16), picks=[0] * len(weights or ())),
        conditions=[(arb(known), arb(64))] * len(alphas), alphas=alphas, weights=weights,
    )  # fmt: skip
    end._balanced(clock)
    return tallies["well-balanced"]


def test_balance_is_claimed_from_one_fifth_on() -> None:
    few = [arb(0.03125)]
    for clock in (0.15, 0.199):
        tally = balanced(arb(clock), few)
        assert (tally.places, tally.premise) == (0, "r_m is not above 1/5")
    fifth = arb(rational(BALANCED))
    assert balanced(fifth, few).places == 0  # no binary number: below, perhaps
    for reached in (ends(fifth)[1], arb(0.201), arb(0.3)):
        tally = balanced(reached, few)
        assert (tally.places, tally.premise) == (2, "")


def test_the_constants_of_balance() -> None:
    for eigenvalue, expected in (
        (1, "holds"),
        (1.6875, "holds"),
        (1.8125, "fails"),
        (0.3125, "holds"),
        (0.1875, "fails"),
    ):
        tally = balanced(arb(1), [arb(0.03125)], [arb(eigenvalue)])
        assert tally.view().verdict == expected
    bound = 10 / 256
    assert balanced(arb(1), [arb(bound)]).view().verdict == "holds"
    assert balanced(arb(1), [arb(bound) + 2.0**-20]).view().verdict == "fails"
    assert balanced(arb(1), [arb(bound)], known=2).view().verdict == "fails"
    assert balanced(arb(1), [arb(0.5), arb(0.5)], known=0).view().verdict == "fails"
    assert balanced(arb(1), [arb(0.5), arb(0.25)], known=0).view().verdict == "holds"


# -- the local view --------------------------------------------------------------------------------


def real_judge(*points: str) -> Judge:
    rows: list[list[int | float | str]] = [[x] for x in points or ("1",)]
    return Judge(HeaderLine(format=FORMAT, gamma=0.25, points=rows, unlabelled=1, precision=53))


def first_line(**values: Any) -> IterationLine:
    known = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": 1.0, "weight": 1.0}
    return IterationLine(j=0, index=0, **(known | values))


def test_the_masses_before_a_point_keep_all_bits() -> None:
    """The local view needs few bits of what the judge of the picks needs with all."""
    with ctx.workprec(1024):
        judge = real_judge("1/7", "1/3", "1/5")
        assert LocalJudge(judge).iteration(2, first_line()) is not None
        judge.replay.look()
        assert judge.replay.mass_before(1).rad() < arb(2) ** -900


def test_a_value_at_its_allowance_agrees() -> None:
    with ctx.workprec(128):
        local = LocalJudge(real_judge())
        assert local._agrees(2, 0, "u", 1.5, arb(1), arb(-1), 0.5)
        assert local._agrees(2, 0, "u", None, arb(1), arb(1), 0.5)
        assert local.first is None


@pytest.mark.parametrize(
    ("raw", "allowed", "gap", "low", "high"),
    [(3.0, 0.5, 4.0, 0.5, 1.5), (1.5, 0.0, None, 1.0, 1.0)],
)
def test_the_first_value_that_does_not_follow_is_kept(
    raw: float, allowed: float, gap: float | None, low: float, high: float
) -> None:
    with ctx.workprec(128):
        local = LocalJudge(real_judge())
        assert not local._agrees(3, 1, "l", raw, arb(1), arb(-1), allowed)
        assert not local._agrees(4, 2, "u", 9.0, arb(1), arb(1), 0.5)
    first = local.first
    assert first is not None
    assert (first.line, first.j, first.field, first.gap) == (3, 1, "l", gap)
    assert (float(first.lower), float(first.upper)) == (low, high)


@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [(1, -1, True), (1, 0, False), (0, -1, False), (1, 0.5, False), (-1, -2, False),
     (0.5, -0.5, True), (-1, 1, False)],
)  # fmt: skip
def test_the_first_state_lies_between_barriers_of_both_signs(
    upper: float, lower: float, expected: bool
) -> None:
    with ctx.workprec(128):
        assert LocalJudge(real_judge()).within(arb(upper), arb(lower)) is expected


@pytest.mark.parametrize(
    ("weight", "upper", "lower", "expected"),
    [
        (1, 9, -7, True),
        (0, 9, -7, True),
        (0.5, 9, -7, True),
        (-0.5, 9, -7, False),
        (1, 8, -7, True),
        (1, 7.5, -7, False),
        (3.5, 9, -7, True),
        (4, 9, -7, False),
        (6, 9, -7, False),
        (1, 9, -4.5, True),
        (1, 9, -4, False),
        (1, 9, -2, False),
        (1, 9, -9, True),
    ],
)
def test_a_step_that_keeps_between_the_barriers(
    weight: float, upper: float, lower: float, expected: bool
) -> None:
    """Upper mass and Phi are 1/4: a weight below 4, and a rise by less than 4.

    The state itself is so vague here that elimination shows nothing.
    """
    with ctx.workprec(128):
        local = LocalJudge(real_judge())
        local.accumulated = arb_mat([[arb(0, 100)]])
        step = step_of(upper_mass=arb(0.25))
        local._last = step, arb(weight)
        assert local.within(arb(upper), arb(lower)) is expected
        local._last = step_of(upper_mass=arb(0.25), definite=False), arb(weight)
        assert local.within(arb(upper), arb(lower)) is False


@pytest.mark.parametrize(
    ("total", "upper", "lower", "expected"),
    [(3, 4, 2, True), (3, 4, 1, True), (5, 4, 2, False), (4, 4, 2, False), (1, 4, 2, False),
     (2, 4, 2, False), (-3, 4, 2, False), (-1, 2, -2, True)],
)  # fmt: skip
def test_a_state_between_barriers_by_elimination(
    total: float, upper: float, lower: float, expected: bool
) -> None:
    with ctx.workprec(128):
        local = LocalJudge(real_judge())
        local.accumulated = arb_mat([[total]])
        local._last = step_of(definite=False), arb(1)
        assert local.within(arb(upper), arb(lower)) is expected


def test_a_spread_of_the_wrong_sign_is_still_a_spread() -> None:
    """B = 0 below l = 1/2: Phi (u - l)/4 = 7.5^2/(8 * -1/2)/4."""
    with ctx.workprec(128):
        judge = real_judge()
        asked: list[tuple[int, float, float]] = []

        def at(j: int, spread: float, reach: float) -> float:
            asked.append((j, spread, reach))
            return 0.5

        judge.allowance = SimpleNamespace(at=at)  # type: ignore[assignment]
        assert LocalJudge(judge).iteration(2, first_line(l=0.5)) is not None
        assert asked == [(0, 3.515625, 1.0)]


def test_a_potential_of_zero_has_no_next_step() -> None:
    for phi, goes_on in ((0.25, True), (1.0, True), (-1.0, True), (0.0, False)):
        with ctx.workprec(128):
            local = LocalJudge(real_judge())
            assert (local.iteration(2, first_line(phi=phi)) is not None) == goes_on
            assert local.possible == goes_on
