"""A step judged from the reported state: intervals by hand, and a run of d = 1 and gamma = 1/4."""

import math
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq

from asura.errors import Undecided
from asura.trace import FORMAT, HeaderLine, IterationLine
from asura_verify.oracle.truth.stated import Bounds, Norms
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.stated import Interval, Stated, reports_state

INFINITE = math.inf


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def judge_of(**fields: Any) -> Any:
    """u_0 = 8, Phi_0 = 1/4, p = 1/2, weight 2; both points have U^2 = 1/2."""
    known: dict[str, Any] = {"format": FORMAT, "gamma": 0.25, "points": [[1], [1]], "unlabelled": 1}
    return Judge(HeaderLine(**(known | fields)))


def stated_of(**fields: Any) -> Any:
    """Anything is called for its privates."""
    return Stated(judge_of(**fields))


def in_balls(judge: Any) -> Any:
    """Doubles decide nothing."""
    stated: Any = Stated(judge)
    stated._doubles.certain = lambda lines: ([False] * len(lines), (), ())
    return stated


def bounds_of(
    near: tuple[float, float] = (0, 0),
    far: tuple[float, float] = (0, 0),
    rho: float = 0.0,
    *,
    shows: bool = True,
) -> Bounds:
    theta, tau, most_theta, most_tau, other = (np.array([float(x)]) for x in (*near, *far, rho))
    return Bounds(theta, tau, most_theta, most_tau, other, np.array([shows]))


def norms_of(both: float, potential: float) -> Norms:
    zero = np.zeros(1)
    return Norms(zero, zero, zero, zero, np.array([both]), zero, zero, zero, np.array([potential]))


def ends(pair: tuple[arb, arb]) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])


# -- intervals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("true", [16, -16])
@pytest.mark.parametrize(("high", "shows"), [(16.9, True), (17, False), (18, False)])
def test_an_interval_shows_a_mistake_of_a_sixteenth(true: int, high: float, shows: bool) -> None:
    assert Interval(arb(true), (arb(15), arb(high)), (arb(0), arb(99))).shows is shows


def test_bits_and_roundings() -> None:
    assert stated_of(precision=60).bits == 135
    assert stated_of(precision=300).bits == 256
    assert stated_of()._written == arb(2) ** -51
    assert stated_of()._tiny == arb(2) ** -1074
    assert stated_of(precision=60)._tiny == 0
    assert stated_of().lost is False


def test_factors_around_a_value() -> None:
    """(1 - rho)/(1 + theta) and (1 + rho)/(1 - theta), each written with a few roundings."""
    stated = stated_of()
    stated._written = arb(0.25)
    assert ends(stated._around(0.25, 0.5)) == (0.3, 2.5)
    for theta, rho in ((0.25, 1.0), (0.25, 1.5), (1.0, 0.5)):  # forms that may be indefinite
        assert ends(stated._around(theta, rho)) == (-INFINITE, INFINITE)
    assert ends(stated._around(0.999, 0.0))[1] == pytest.approx(1250)
    assert ends(stated._around(0.0, 0.999))[0] == pytest.approx(0.00075)


def test_a_potential() -> None:
    stated = stated_of()
    stated._written = arb(0)
    found = stated._potential(arb(2), bounds_of((0.25, 0), (0.5, 0), 0.25))
    assert (float(found.true), ends(found.near)) == (2, (2 * 0.75 / 1.25, 2 * 1.25 / 0.75))
    assert ends(found.far) == (2 * 0.75 / 1.5, 2 * 1.25 / 0.5)
    found = stated._potential(arb(2), bounds_of((0.25, 0), (0.5, 0), 0.25, shows=False))
    assert (ends(found.near), ends(found.far)) == ((0, INFINITE), (1, 5))


def test_a_mass() -> None:
    """sqrt m = 2, and tau sqrt|E| = 3 tau; with 64 spacings at the upper end."""
    stated = stated_of()
    stated._written, stated._tiny = arb(0), arb(2) ** -6
    found = stated._mass(arb(4), arb(9), bounds_of((0.25, 0.125), (0.5, 0.25), 0.25))
    assert float(found.true) == 4
    assert ends(found.near) == pytest.approx((1.625**2 * 0.6, 2.375**2 * 5 / 3 + 1), rel=1e-15)
    assert ends(found.far) == (1.25**2 * 0.5, 2.75**2 * 2.5 + 1)
    hidden = stated._mass(arb(4), arb(9), bounds_of((0.25, 1), (0.5, 1), 0.25, shows=False))
    assert (ends(hidden.near), ends(hidden.far)[0]) == ((0, INFINITE), 0)  # no root below zero
    none = stated._mass(arb(-1, 0.5), arb(9), bounds_of((0, 0.125), (0, 0.125)))
    assert ends(none.near) == (0, 0.375**2 + 1)
    lost = stated._mass(arb(0), arb(9), bounds_of((1, 0), (1, 0)))  # of any size and sign
    assert ends(lost.near) == ends(lost.far) == (-INFINITE, INFINITE)


def test_a_chance_is_a_mass_by_a_potential() -> None:
    stated = stated_of()
    stated._tiny = arb(0.25)
    mass = Interval(arb(3), (arb(2), arb(4)), (arb(1), arb(5)))
    total = Interval(arb(8), (arb(4), arb(16)), (arb(2), arb(32)))
    found = stated._chance(mass, total)
    assert float(found.true) == 0.375
    assert (ends(found.near), ends(found.far)) == ((2 / 16, 4 / 4 + 0.25), (1 / 32, 5 / 2 + 0.25))
    open_ = arb(0), arb("inf")
    for one in (mass, Interval(arb(3), open_, open_)):
        found = stated._chance(one, Interval(arb(8), open_, open_))
        assert (ends(found.near), ends(found.far)) == ((0, INFINITE), (0, INFINITE))
    zero = Interval(arb(8), (arb(0), arb(0)), (arb(0), arb(0)))
    assert ends(stated._chance(mass, zero).near) == (0, INFINITE)
    wide = Interval(arb(3), (arb(2), arb("inf")), (arb(1), arb("inf")))
    assert ends(stated._chance(wide, Interval(arb(8), (arb(4), arb(16)), open_)).near) == (
        0.125, INFINITE,
    )  # fmt: skip


def test_a_sum_of_chances() -> None:
    """4 (theta + rho) + 2 light + light^2 + n e, light = tau sqrt(9 * 2/2) = 3 tau."""
    stated, norms = stated_of(precision=30), norms_of(9.0, 2.0)
    bounds = bounds_of((2.0**-8, 2.0**-9), (2.0**-7, 2.0**-6), 2.0**-10)
    near, far = 3 * 2.0**-9, 3 * 2.0**-6
    least = 4 * (2.0**-8 + 2.0**-10) + 2 * near + near**2 + 2 * 2.0**-30
    assert stated._summed(bounds, norms, near=True) == least
    most = 4 * (2.0**-7 + 2.0**-10) + 2 * far + far**2 + 2 * 2.0**-30
    assert stated._summed(bounds, norms, near=False) == most
    for theta, rho, found in ((2.0**-5, 2.0**-5, 1.0), (2.0**-5, 0.0, 0.125 + 2.0**-29)):
        assert stated._summed(bounds_of((theta, 0), rho=rho), norms, near=True) == found
    assert stated._summed(bounds_of(shows=False), norms, near=True) == 1.0
    assert stated._summed(bounds_of((0, 9.0)), norms, near=True) == 1.0


def test_a_pick_by_the_reported_probabilities() -> None:
    """Sums of the list, with 2 n + 8 roundings and what their sum is off from 1."""
    stated = stated_of(precision=30)
    line = IterationLine(j=0, index=1, probabilities=[0.25, 0.5, 0.375])
    (before, own, total), off = stated._by_report(line, set())
    assert (float(before), float(own), float(total)) == (0.25, 0.5, 1.125)
    assert off == 14 * 2.0**-30 + 0.125
    line = IterationLine(j=0, index=1, probabilities=[0.25, 0.5])
    assert stated._by_report(line, set())[1] == 12 * 2.0**-30 + 0.25
    assert stated._by_report(line, {"p"}) is not None
    assert stated._by_report(line, {"probabilities"}) is None
    assert stated._by_report(IterationLine(j=0, index=1), set()) is None


# -- one value -------------------------------------------------------------------------------------

#: True 8; near from 7.875 to 8.125; far from 6 to 12.
AROUND = Interval(arb(8), (arb(7.875), arb(8.125)), (arb(6), arb(12)))


@pytest.mark.parametrize(
    ("given", "right", "open_", "share"),
    [
        (8.0, True, 0, 0), (8.125, True, 0, 0.03125), (7.875, True, 0, 0.0625),
        (8.25, True, 1, 0.0625), (7.75, True, 1, 0.125), (12.0, True, 1, 1), (6.0, True, 1, 1),
        (14.0, False, 0, 1.5), (4.0, False, 0, 2),
    ],
)  # fmt: skip
def test_a_value_and_its_ends(given: float, right: bool, open_: int, share: float) -> None:
    stated = stated_of(precision=53)
    judge = stated._judge
    assert stated._value(7, 5, "phi", given, AROUND, place=2) is right
    assert (judge.checked, judge.vague) == ({"phi": 1}, {"phi": 1} if open_ else {})
    assert judge.worst == share
    beyond = "is off by more than the methods allow that keep enough digits on these data"
    assert judge.unexplained == (f"phi[2] at j=5 {beyond}" if open_ else "")
    if not right:
        (found,) = judge.violations
        assert (found.line, found.j, found.field) == (7, 5, "phi[2]")
        assert (float(found.lower), float(found.upper)) == (6, 12)
        assert found.gap == share
        assert found.allowance == (0.5 if given > 8 else 0.25)
        assert found.message == "does not follow from the state that the trace reports"


def test_values_that_are_listed_absent_or_counted_elsewhere() -> None:
    stated = stated_of(precision=53)
    judge = stated._judge
    assert stated._value(7, 5, "p", None, AROUND)
    assert judge.checked == {}
    assert stated._value(7, 5, "p", 12.0, AROUND, listed=True)
    assert stated._value(7, 5, "p", 8.0, AROUND, counted=False)
    assert (judge.checked, judge.vague) == ({"p": 1}, {})
    wide = Interval(arb(8), (arb(1), arb(20)), (arb(0), arb("inf")))
    assert stated._value(7, 5, "p", 8.5, wide)  # within, and shows nothing
    assert (judge.vague, judge.worst) == ({"p": 1}, 1.0)


def test_accusations_without_room() -> None:
    stated = stated_of(precision=53)
    point = Interval(arb(0), (arb(0), arb(0)), (arb(0), arb(0)))
    assert not stated._value(7, 5, "p", 1.0, point)
    found = stated._judge.violations[0]
    assert (found.gap, found.allowance) == (None, 0.0)
    assert stated._value(7, 5, "p", 0.0, point)
    small = Interval(arb(0.5), (arb(0.25), arb(1)), (arb(0.25), arb(1)))
    assert not stated._value(7, 5, "p", 2.0, small)
    assert stated._judge.violations[1].allowance == 1.0


def test_a_list_leaves_open_what_carries_a_sixteenth() -> None:
    """Chances 1/16 and 15/16: the first is open where its report is not near."""
    energy, bounds = arb(1), bounds_of((0, 2.0**-12), (0, 1.0), 2.0**-9)
    total = Interval(arb(1), (arb(1), arb(1)), (arb(1), arb(1)))
    for first, given, opened in (
        (0.0625, 0.0625, 0), (0.0625, 0.07, 2), (0.06, 0.07, 0), (2.0, 2.1, 2),
    ):  # fmt: skip
        stated, wrong = stated_of(), set[str]()
        masses = [arb(first), arb(0.9375)]
        line = IterationLine(j=0, index=0, probabilities=[given, 0.9375])
        stated._probabilities(7, line, masses, energy, bounds, total, wrong)
        judge = stated._judge
        assert (judge.checked, wrong) == ({"probabilities": 2}, set())
        assert judge.vague == ({"probabilities": opened} if opened else {})
    line = IterationLine(j=0, index=0, probabilities=[2.1, 9.0])
    stated._probabilities(7, line, masses, energy, bounds, total, wrong)
    assert wrong == {"probabilities"}
    assert judge.violations[0].field == "probabilities[1]"
    assert judge.vague == {"probabilities": 2}  # what is wrong is not open, too


def test_a_list_at_its_near_ends_is_decided() -> None:
    stated, wrong = stated_of(), set[str]()
    near = Interval(arb(0.5), (arb(0.484375), arb(0.515625)), (arb(0), arb(1)))
    stated._chance = lambda *_: near
    line = IterationLine(j=0, index=0, probabilities=[0.484375, 0.515625])
    stated._probabilities(7, line, [arb(1), arb(1)], arb(1), bounds_of(), near, wrong)
    assert stated._judge.vague == {}


def test_a_negative_value_has_its_size_as_scale() -> None:
    stated = stated_of(precision=53)
    below = Interval(arb(-8), (arb(-9), arb(-7)), (arb(-12), arb(-6)))
    assert not stated._value(7, 5, "p", -14.0, below)
    assert stated._judge.violations[0].allowance == 0.5


# -- states that explain phi -----------------------------------------------------------------------


class States:
    """Truths by barriers and corrected weight: Phi is u - l + the weight, unless a barrier is 0."""

    size = dimension = 1

    def __init__(self) -> None:
        self.weight = 0.0
        self.corrections: list[tuple[int, float]] = []

    def correct(self, index: int, change: arb) -> None:
        self.corrections.append((index, float(change)))
        self.weight += float(change)

    def exactly(self, upper: arb, lower: arb) -> tuple[arb, list[arb], Norms]:
        if upper == 0:
            raise Undecided
        return upper - lower + self.weight, [], norms_of(1.0, 1.0)


@pytest.mark.parametrize(
    ("phi", "slip", "corrected", "found", "corrections"),
    [
        (16, None, {}, 16, []),
        (99, None, {}, 16, []),  # nothing explains it: as it is reported
        (18, None, {"u": 10}, 18, []),
        (20, None, {"u": 10, "l": -10}, 20, []),
        (18, None, {"l": -10}, 18, []),
        (19, 3, {}, 19, [(1, 3)]),
        (21, 3, {"u": 10}, 21, [(1, 3)]),
        (19, 3, {"u": 10}, 19, [(1, 3)]),
        (16, 3, {"u": 10}, 16, []),
        (99, 3, {"u": 10}, 16, [(1, 3), (1, -3)]),  # taken back
    ],
)
def test_a_slip_is_mended_where_that_explains_phi(
    phi: int, slip: int | None, corrected: dict[str, int], found: int, corrections: Any
) -> None:
    stated = stated_of()
    stated.truth, stated._written = States(), arb(0)
    stated._grant.bounds = lambda _: bounds_of()
    stated._judge.relations.corrected = {field: fmpq(x) for field, x in corrected.items()}
    stated._doubtful = None if slip is None else (1, arb(slip))
    state = stated._state(arb(phi), arb(8), arb(-8))
    assert float(state[0]) == found
    assert stated.truth.corrections == corrections


def test_a_state_beyond_its_barriers_is_none() -> None:
    stated = stated_of()
    stated.truth = States()
    stated._grant.bounds = lambda _: bounds_of()
    assert stated._state(arb(8), arb(0), arb(-8)) is None
    stated._judge.relations.corrected = {"u": fmpq(8)}
    state = stated._state(arb(99), arb(0), arb(-8))
    assert float(state[0]) == 16  # the mended one is the first that there is


# -- whole lines -----------------------------------------------------------------------------------

#: The run that picks the first point: A = 1 after a step, u = 10 and l = -22/3.
FIRST: dict[str, Any] = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": 0.5, "weight": 2.0}
PHI = Fraction(1, 9) + Fraction(3, 25)
SECOND: dict[str, Any] = {
    "u": 10.0, "l": float(Fraction(-22, 3)), "phi": float(PHI), "p": 0.5,
    "weight": float(Fraction(1, 2) / PHI),
}  # fmt: skip


def line(j: int = 0, index: int = 0, **fields: Any) -> tuple[int, IterationLine]:
    return j + 2, IterationLine(j=j, index=index, **((SECOND if j else FIRST) | fields))


def test_what_reports_a_state() -> None:
    assert reports_state(line()[1])
    for field in ("u", "l", "phi", "weight"):
        absent: dict[str, Any] = {field: None}
        assert not reports_state(line(**absent)[1])
    assert reports_state(line(p=None)[1])


@pytest.mark.parametrize("precision", [53, 52])
@pytest.mark.parametrize("slowly", [False, True])
def test_a_run_of_two_steps(precision: int, slowly: bool) -> None:
    """By doubles or by balls the same is counted, remembered and handed on."""
    judge = judge_of(precision=precision, uniforms=["1/4", "1/4"])
    stated = in_balls(judge) if slowly else Stated(judge)
    found = stated.block([line(j, probabilities=[0.5, 0.5]) for j in (0, 1)])
    assert judge.violations == []
    assert {k: v for k, v in judge.checked.items() if v} == {
        "stopping": 2, "u": 2, "l": 2, "phi": 2, "p": 2, "probabilities": 4, "index": 2,
        "weight": 2,
    }  # fmt: skip
    assert judge.vague == {}
    spread = float(PHI) * (52 / 3) / 4
    assert judge.spread == pytest.approx(spread, rel=1e-15)
    assert judge.reach == pytest.approx(0.5)
    assert judge.picks == [0, 0]
    assert [float(x) for x in judge.weights] == [2.0, SECOND["weight"]]
    assert [float(x) for x in judge.shares] == pytest.approx([1.0, 0.25 / float(PHI)])
    replay = judge.replay
    assert float(replay.upper) == pytest.approx(10 + 0.5 / float(PHI))
    assert float(replay.lower) == pytest.approx(-22 / 3 + 1 / 6 / float(PHI))
    assert float(replay.potential_sum) == pytest.approx(0.25 + float(PHI))
    assert float(stated.truth.weights[0]) == pytest.approx(2 + SECOND["weight"])
    assert stated.truth.steps == 2
    assert [one.upper for one in found] == pytest.approx([10, 10 + 0.5 / float(PHI)])
    assert [one.spread for one in found] == pytest.approx([1.0, spread], rel=1e-15)
    assert [one.reach for one in found] == [1.0, pytest.approx(0.5)]
    assert [(one.stop_open, one.halted, one.normalised) for one in found] == [(False, False, 0)] * 2
    assert all(0 < one.granted < 2.0**-40 for one in found)
    assert stated.granted == found[1].granted
    stated._doubles.granted, stated._doubles.beyond = 0.25, 0.5
    assert stated.granted == 0.25
    judge.unexplained = "a value that only a lossy method explains"
    assert stated.granted == 0.5
    stated._doubles.granted = 0.75
    assert stated.granted == 0.75
    assert [one.look is None for one in found] == [slowly, slowly]


def test_all_steps_together_are_asked_for_one_whitening() -> None:
    stated, asked = stated_of(), list[Any]()
    stated._once = SimpleNamespace(block=asked.append)
    lines = [line(), line(1)]
    stated.block(lines)
    assert asked == [lines]


def test_absent_values_are_not_counted() -> None:
    judge = judge_of(precision=53)
    Stated(judge).block([line(p=None)])
    assert {k: v for k, v in judge.checked.items() if v} == {
        "stopping": 1, "u": 1, "l": 1, "phi": 1, "weight": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"phi": 0.26}, "phi"),
        ({"p": 0.51}, "p"),
        ({"weight": 2.1}, "weight"),
        ({"p": None, "weight": 2.1}, "weight"),
        ({"probabilities": [0.5, 0.51]}, "probabilities"),
        ({"u": 8.1}, "u"),
    ],
)
@pytest.mark.parametrize("slowly", [False, True])
def test_one_wrong_value_is_one_violation(fields: dict[str, Any], field: str, slowly: bool) -> None:
    judge = judge_of()
    (in_balls(judge) if slowly else Stated(judge)).block([line(**fields), line(1)])
    assert judge.wrong == {field: 1}
    assert judge.relations._before.weight is not None  # the second line is right
    if fields == {"weight": 2.1}:
        assert judge.violations[0].message == "breaks the relation weight phi p = gamma"


def test_a_wrong_weight_is_mended_for_what_follows() -> None:
    """The run went on with the right one, or with the wrong one: phi says which."""
    judge = judge_of()
    stated = in_balls(judge)
    stated.block([line(weight=3.0)])
    assert judge.wrong == {"weight": 1}
    index, change = stated._doubtful
    assert (index, float(change)) == (0, -1.0)
    assert [float(x) for x in judge.weights] == [2.0]
    assert float(stated.truth.weights[0]) == 3.0
    stated.block([line(1)])
    assert judge.wrong == {"weight": 1}
    assert float(stated.truth.weights[0]) == pytest.approx(2 + SECOND["weight"])
    assert stated._doubtful is None


@pytest.mark.parametrize("slowly", [False, True])
def test_a_weight_without_p_ties_all_the_same(slowly: bool) -> None:
    judge = judge_of()
    (in_balls(judge) if slowly else Stated(judge)).block([line(p=None)])
    assert (judge.wrong, judge.vague, judge.relations.weights) == ({}, {}, [2])
    assert judge.ratios.get("weight", 0.0) < 1


def test_a_weight_is_held_against_gamma_by_the_mass() -> None:
    for weight in (1.9, 2.1):
        judge = judge_of()
        in_balls(judge).block([line(p=None, weight=weight)])
        (found,) = judge.violations
        assert 2 - 1e-12 < float(found.lower) < 2 < float(found.upper) < 2 + 1e-12
        assert 0 < found.allowance < 1e-12
        assert found.gap == pytest.approx(0.05 / found.allowance, rel=1e-3)


def test_few_bits_leave_a_weight_open() -> None:
    judge = judge_of(precision=4)
    in_balls(judge).block([line(p=None, weight=9.0)])
    assert (judge.wrong, judge.vague["weight"]) == ({}, 1)


def test_numbers_that_are_zero_are_numbers() -> None:
    cases: list[tuple[dict[str, Any], float, float, float]] = [
        ({"u": 0.0}, 2, -8 + 2 / 3, 2),
        ({"l": 0.0}, 10, 2 / 3, 2),
        ({"weight": 0.0}, 10, -8 + 2 / 3, 0),
    ]
    for fields, upper, lower, weight in cases:
        judge = judge_of()
        stated = in_balls(judge)
        stated.block([line(**fields)])
        found = judge.replay.upper, judge.replay.lower, stated.truth.weights[0]
        assert [float(x) for x in found] == pytest.approx([upper, lower, weight], abs=1e-12)
    judge, asked = judge_of(), []
    stated = in_balls(judge)
    stated._state = lambda phi, *_: asked.append(float(phi))
    stated.block([line(phi=0.0)])
    assert asked == [0.0]


def test_what_a_line_asks_of_the_allowance() -> None:
    """u and l have no leverage of their own; the clock is that of the reported values alone."""
    judge, asked = judge_of(), []
    real = judge.allowance.at

    def at(j: int, spread: float, leverage: float) -> float:
        asked.append(leverage)
        return float(real(j, spread, leverage))

    object.__setattr__(judge.allowance, "at", at)
    in_balls(judge).block([line(phi=0.3), line(1)])
    assert asked == [1.0, 1.0]
    assert judge.wrong == {"phi": 1}
    assert (judge.stop_open, judge.undecided) == (False, {})  # nothing is granted to the true one


@pytest.mark.parametrize("slowly", [False, True])
def test_the_spread_in_two_dimensions(slowly: bool) -> None:
    """Phi (u - l)/(4 d) = 1/4 * 32/8."""
    judge = judge_of(points=[[1, 0], [0, 1]])
    stated = in_balls(judge) if slowly else Stated(judge)
    stated.block([line(u=16.0, l=-16.0)])
    assert (judge.wrong, judge.spread) == ({}, pytest.approx(1.0, rel=1e-12))


def test_a_wrong_weight_without_p_is_mended_by_the_mass() -> None:
    judge = judge_of()
    stated = in_balls(judge)
    stated.block([line(p=None, weight=3.0)])
    assert judge.wrong == {"weight": 1}
    assert judge.checked["weight"] == 1
    assert float(stated._doubtful[1]) == -1.0


def test_a_point_of_no_probability_ends_the_run() -> None:
    judge = judge_of(points=[[1], [0]])
    stated = in_balls(judge)
    found = stated.block([line(index=1, p=None), line(1)])
    assert (judge.halted, judge.wrong) == (True, {"index": 1})
    assert judge.checked["index"] == 1
    violation = judge.violations[0]
    assert (violation.line, violation.j, violation.field, violation.reported) == (
        2,
        0,
        "index",
        "1",
    )
    assert (violation.gap, violation.allowance) == (None, 0.0)
    assert [one.halted for one in found] == [True, True]
    assert stated.truth.steps == 0
    assert judge.picks == [1]
    assert (stated._doubtful, judge.weights) == (None, [arb(2)])
    assert judge.relations._before.weight is None


@pytest.mark.parametrize(("u", "l"), [(0.5, -8.0), (8.0, 1.5)])
def test_a_state_that_is_not_between_its_barriers_is_lost(u: float, l: float) -> None:  # noqa: E741
    judge = judge_of()
    stated = in_balls(judge)
    stated.block([line()])
    stated.truth.add(0, arb(100))  # which no relation mends
    before = dict(judge.checked)
    stated.block([line(1, u=u, l=l)])
    assert stated.lost
    assert "the state that the trace reports is not between its barriers" in [
        violation.message for violation in judge.violations
    ]
    assert judge.checked["phi"] == before["phi"]
    assert judge.violations[-1].allowance == 0.0
    assert (judge.relations._before.phi, judge.relations._before.weight) == (None, None)
    assert stated._doubtful is None
    assert float(judge.shares[1]) == pytest.approx(0.25 / float(PHI))
    wrong = dict(judge.wrong)
    stated.block([line(2, u=u, l=l, phi=9.0, p=9.0)])  # nothing more follows
    assert {field: judge.wrong[field] for field in ("phi", "p") if field in judge.wrong} == {
        field: wrong[field] for field in ("phi", "p") if field in wrong
    }
    assert judge.weights[2:] == [arb(SECOND["weight"])]
    stated.block([line(3, u=u, l=l, phi=0.0)])
    assert not judge.shares[3].is_finite()


def test_a_lost_state_of_data_without_a_digit_is_left_open() -> None:
    judge = judge_of()
    stated = in_balls(judge)
    stated._doubles.hopeless = True
    stated.truth.add(0, arb(100))
    stated.block([line()])
    assert (stated.lost, judge.violated, judge.halted, judge.doubted) == (True, 0, True, 1.0)
    assert judge.unexplained.startswith("u at j=0 is off by more than the methods allow")


def test_a_lost_state_of_no_potential_goes_on() -> None:
    judge = judge_of()
    stated = in_balls(judge)
    stated.truth.add(0, arb(100))
    stated.block([line(phi=0.0)])
    assert (stated.lost, float(judge.shares[0])) == (True, 0.25)


@pytest.mark.parametrize(
    ("index", "uniform", "fields", "found"),
    [
        (0, "1/4", {}, "right"),
        (1, "3/4", {}, "right"),
        (1, "1/4", {}, "wrong"),
        (0, "3/4", {}, "wrong"),
        (0, "1/2", {}, "open"),
        (1, "1/2", {}, "open"),
        # As reported, and rightly so: the ends are those of the list.
        (0, f"{2**45 + 1}/{2**46}", {}, "open"),
        (0, f"{2**45 + 1}/{2**46}", {"probabilities": [0.5, 0.5]}, "wrong"),
    ],
)
def test_picks_from_the_reported_state(
    index: int, uniform: str, fields: dict[str, Any], found: str
) -> None:
    judge = judge_of(uniforms=[uniform])
    in_balls(judge).block([line(index=index, **fields)])
    assert judge.checked["index"] == 1
    assert judge.wrong == ({"index": 1} if found == "wrong" else {})
    assert judge.undecided == ({"index": 1} if found == "open" else {})


@pytest.mark.parametrize(
    ("index", "uniform", "found"),
    [
        (0, 0.5 - 2.0**-20, "right"),
        (1, 0.5 + 2.0**-20, "right"),
        (0, 0.5 + 2.0**-20, "unexplained"),  # wrong, if only the near bound were granted
        (1, 0.5 - 2.0**-20, "unexplained"),
        (1, 0.5 - 2.0**-50, "open"),
        (0, 0.5 - 2.0**-50, "open"),
        (0, 0.75, "wrong"),
    ],
)
def test_picks_by_the_near_bound_and_else_by_the_far_one(
    index: int, uniform: float, found: str
) -> None:
    """Near, 2^-40 of all is granted; far, an eighth, which shows nothing."""
    judge = judge_of(uniforms=[uniform])
    stated = in_balls(judge)
    stated._summed = lambda _bounds, _norms, *, near: 2.0**-40 if near else 0.125
    stated.block([line(index=index)])
    assert judge.wrong == ({"index": 1} if found == "wrong" else {})
    assert judge.undecided == ({"index": 1} if found in {"open", "unexplained"} else {})
    assert judge.vague == ({"index": 1} if found == "unexplained" else {})
    assert bool(judge.unexplained) is (found == "unexplained")


@pytest.mark.parametrize("uniform", [2.0**-40, 1 - 2.0**-40])
def test_picks_at_the_near_bound_exactly(uniform: float) -> None:
    """One point, whose mass is 1/4 exactly: its part is [slack, 1/4 - slack)."""
    judge = judge_of(points=[[1]], uniforms=[uniform])
    stated = in_balls(judge)
    stated._summed = lambda _bounds, _norms, *, near: 2.0**-40 if near else 0.125
    stated.block([line(p=1.0, weight=1.0)])
    assert (judge.wrong, judge.undecided, judge.vague) == ({}, {"index": 1}, {})


class Drawn:
    """A session that remembers."""

    def __init__(self) -> None:
        self.draws: list[tuple[list[float], int]] = []

    def draw(self, probabilities: Any, index: int) -> None:
        self.draws.append((probabilities.tolist(), index))


def test_picks_are_handed_to_the_test_of_the_distribution() -> None:
    judge = judge_of(points=[[1], [2]], precision=53)
    judge.session = Drawn()
    fields: dict[str, Any] = {"p": 0.2, "weight": 5.0}
    stated: Any = Stated(judge)
    summed = stated._summed
    stated._summed = lambda *facts, near: summed(*facts, near=near) if near else 1.0
    stated.block([line(**fields)])
    ((chances, index),) = judge.session.draws
    assert (chances, index) == (pytest.approx([0.2, 0.8], rel=1e-14), 0)
    assert 0 < judge.doubted < 2.0**-40


# -- a reported whitening --------------------------------------------------------------------------


@pytest.mark.parametrize(("factor", "found"), [(1.0, "right"), (1 + 1e-12, "wrong")])
def test_a_reported_whitening_is_judged_once(factor: float, found: str) -> None:
    """R = 1/sqrt 2; |U^T U - 1| may be 4 * 20 roundings."""
    judge = judge_of(precision=53, whitening=[[math.sqrt(0.5) * factor]])
    stated: Any = Stated(judge)
    assert judge.checked == {"whitening": 1}
    assert judge.wrong == ({} if found == "right" else {"whitening": 1})
    assert judge.ratios.keys() == {"whitening"}
    if found == "right":
        assert stated._grant._terms == pytest.approx(math.sqrt(0.5))
        assert 0 < stated._grant._defect < 80 * 2.0**-53
        assert judge.worst == pytest.approx(stated._grant._defect / (80 * 2.0**-53))
        assert float(stated.truth.rows[0, 0]) == math.sqrt(0.5)
    else:
        assert stated._grant._terms is None
        violation = judge.violations[0]
        assert (violation.line, violation.j, violation.field) == (1, None, "whitening")
        assert violation.gap == pytest.approx(2e-12 / (80 * 2.0**-53), rel=1e-3)
        assert violation.allowance == 80 * 2.0**-53
        assert violation.lower == "0"


@pytest.mark.parametrize(("off", "open_"), [(0.05, {}), (0.07, {"whitening": 1})])
def test_a_whitening_of_few_bits_may_be_left_open(off: float, open_: dict[str, int]) -> None:
    """With 9 bits |U^T U - 1| may be 80/512; a sixteenth of it hides a gross mistake."""
    judge = judge_of(precision=9, whitening=[[math.sqrt(0.5 * (1 + off))]])
    stated: Any = Stated(judge)
    assert (judge.wrong, judge.vague) == ({}, open_)
    assert stated._grant._defect == pytest.approx(off, rel=1e-9)


@pytest.mark.parametrize(
    ("precision", "off", "open_"), [(53, 80 * 2.0**-53, {}), (9, 0.0625, {"whitening": 1})]
)
def test_a_whitening_at_the_ends(
    monkeypatch: pytest.MonkeyPatch, precision: int, off: float, open_: dict[str, int]
) -> None:
    """Exactly what is allowed is right; exactly a sixteenth is open."""
    monkeypatch.setattr("asura_verify.oracle.views.stated.defect", lambda _: off)
    judge = judge_of(precision=precision, whitening=[[math.sqrt(0.5)]])
    Stated(judge)
    assert (judge.wrong, judge.vague) == ({}, open_)


def test_without_a_whitening_its_own_is_used() -> None:
    judge = judge_of(precision=53)
    stated: Any = Stated(judge)
    assert judge.checked == {}
    assert stated._grant._terms is None
    gram = stated.truth.rows.transpose() * stated.truth.rows
    assert gram.overlaps(arb_mat([[1]]))


@pytest.mark.parametrize(
    ("index", "uniform", "by_list"),
    [
        (0, 2.0**-6, False), (0, 2.0**-6 - 2.0**-40, True),
        (0, 0.5 - 2.0**-6 - 2.0**-40, False), (0, 0.5 - 2.0**-6, True),
        (1, 0.5 + 2.0**-6 + 2.0**-40, False), (1, 0.5 + 2.0**-6 - 2.0**-40, True),
        (1, 1 - 2.0**-6 - 2.0**-40, False), (1, 1 - 2.0**-6, True),
    ],
)  # fmt: skip
def test_a_list_decides_what_the_true_masses_do_not(
    index: int, uniform: float, by_list: bool
) -> None:
    """Whose part is empty here, so that it accuses whom it is asked about."""
    judge = judge_of(uniforms=[uniform])
    stated = in_balls(judge)
    stated._summed = lambda _bounds, _norms, *, near: 2.0**-6 if near else 0.125
    stated._by_report = lambda _line, _wrong: ((arb(2), arb(0), arb(3)), 0.0)
    stated.block([line(index=index)])
    assert judge.wrong == ({"index": 1} if by_list else {})


def test_a_list_is_asked_at_the_very_end_of_what_is_sure() -> None:
    """One point, whose mass is 1/4 exactly."""
    for uniform, by_list in ((1 - 2.0**-6, True), (1 - 2.0**-6 - 2.0**-50, False)):
        judge = judge_of(points=[[1]], uniforms=[uniform])
        stated = in_balls(judge)
        stated._summed = lambda _bounds, _norms, *, near: 2.0**-6 if near else 0.125
        stated._by_report = lambda _line, _wrong: ((arb(2), arb(0), arb(3)), 0.0)
        stated.block([line(p=1.0, weight=1.0)])
        assert judge.wrong == ({"index": 1} if by_list else {})
