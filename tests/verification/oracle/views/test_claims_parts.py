"""The claims one by one, on small states: gamma and all values are such that ties are exact."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, arb_mat

from asura.stopping import PAPER, sure
from asura.trace import IterationLine, ResultLine
from asura.verdict import FAILS, HOLDS
from asura_verify.oracle.judgement import ClaimView
from asura_verify.oracle.trace.values import Reported
from asura_verify.oracle.views.claims import SCOPES, ClaimJudge
from asura_verify.oracle.views.conjunction import OPEN
from asura_verify.oracle.views.local import LocalStep
from tests.verification.oracle.views.parts import QUARTER, state_of, step_of


def claims_of(state: Any) -> ClaimJudge:
    size = state.replay.dimension
    local: Any = SimpleNamespace(bits=128, possible=True, accumulated=arb_mat(size, size))
    return ClaimJudge(state, local)


def fresh(**facts: Any) -> ClaimJudge:
    return claims_of(state_of(**facts))


def view(claims: ClaimJudge, slug: str) -> ClaimView:
    return claims._conjunctions[slug].view()


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
    claims = fresh(rule=rule, doubtful_stop=near)
    for slug in SCOPES:
        claims._conjunctions[slug].enter(FAILS, 3, 1, "wrong")
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
    state = state_of()
    setattr(state.reported, name, arb(8))
    state.reported.phi = arb(QUARTER.numerator) / QUARTER.denominator
    claims = claims_of(state)
    claims.iteration(2, IterationLine(j=0, index=0), None)
    assert all(conjunction.places == 0 for conjunction in claims._conjunctions.values())


def test_a_weight_alone_is_no_state() -> None:
    claims = fresh(reported=Reported(weight=arb(1)))
    claims.iteration(2, IterationLine(j=0, index=0), None)
    assert all(conjunction.places == 0 for conjunction in claims._conjunctions.values())


def test_nothing_is_said_once_the_run_is_impossible() -> None:
    state = state_of(reported=Reported(u=arb(8), l=arb(-8), phi=arb(1)), halted=True)
    claims = claims_of(state)
    claims.iteration(2, IterationLine(j=0, index=0), None)
    claims.result(3, ResultLine(m=1))
    assert all(conjunction.places == 0 for conjunction in claims._conjunctions.values())


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


def state(step: LocalStep, eta: float = 0, j: int = 1, **values: Any) -> ClaimJudge:
    """The claims after one state, which earlier weights let be off by eta."""
    known: dict[str, Any] = {"u": arb(8), "l": arb(-8), "weight": arb(1)}
    claims = fresh()
    claims._doubt = arb(eta)
    claims._judge_state(4, IterationLine(j=j, index=0), Reported(**(known | values)), step)
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


@pytest.mark.parametrize("name", ["u", "l"])
def test_one_barrier_of_the_result_says_nothing_of_the_clock(name: str) -> None:
    known: dict[str, Any] = {name: arb(8)}
    claims = claims_of(state_of(reported=Reported(**known)))
    claims.result(9, ResultLine(m=1))
    assert view(claims, "identity-3").places == 0


@pytest.mark.parametrize("name", ["u", "l"])
def test_one_barrier_of_the_line_before_says_nothing_of_the_pace(name: str) -> None:
    claims, known = fresh(), dict[str, Any]({name: arb(8)})
    claims._previous = Reported(phi=arb(0.25), **known)
    claims._sequence(3, 1, Reported(u=arb(9), l=arb(-7)), arb(16))
    assert view(claims, "identity-1").places == 0
