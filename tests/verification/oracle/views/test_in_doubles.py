"""What doubles call certain, at the ends: states and bounds by hand, in numbers far from 1."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from asura.trace import IterationLine
from asura_verify.oracle.truth.allowance import Conditioning
from asura_verify.oracle.truth.stated import UNIT, Bounds, Grant, Norms, Seen, StatedTruth
from asura_verify.oracle.views.in_doubles import InDoubles, _double

#: A hair inside or outside.
HAIR = 1e-9


def judge_of(**facts: Any) -> Any:
    """A judge that only writes down, of data whose points are all unlabelled."""
    observed: list[tuple[str, float]] = []
    known = {
        "precision": 53,
        "session": None,
        "uniforms": None,
        "data": SimpleNamespace(unlabelled=2),
        "gamma": Fraction(1, 4),
        "observed": observed,
        "observe": lambda field, share: observed.append((field, share)),
    }
    return SimpleNamespace(**(known | facts))


def looking(size: int, unit: float = 0.0, **facts: Any) -> Any:
    """No truth is asked here but how many points there are; anything is called for its privates."""
    return InDoubles(
        judge_of(**facts),
        SimpleNamespace(unit=unit),  # type: ignore[arg-type]
        SimpleNamespace(size=size),  # type: ignore[arg-type]
    )


def column(value: float, many: int = 1) -> Any:
    return np.full(many, value)


def norms_of(both: float, potential: float, many: int = 1) -> Norms:
    zero = column(0, many)
    return Norms(
        zero, zero, zero, zero, column(both, many), zero, zero, zero, column(potential, many)
    )


def seen_of(
    phi: float, off: float, masses: list[float], masses_off: float, both: float, many: int = 1
) -> Seen:
    table = np.array([masses] * many)
    return Seen(
        column(phi, many), column(off, many), table, np.full(table.shape, masses_off),
        column(0.125, many), column(0.0625, many), norms_of(both, phi, many),
    )  # fmt: skip


def bounds_of(
    theta: float = 0.0,
    tau: float = 0.0,
    rho: float = 0.0,
    *,
    far: tuple[float, float] = (99.0, 99.0),
    shows: bool = True,
    many: int = 1,
) -> Bounds:
    near, reach, widest, farthest, cost = (column(x, many) for x in (theta, tau, *far, rho))
    return Bounds(near, reach, widest, farthest, cost, np.full(many, shows))


def line(j: int = 0, index: int = 0, **fields: Any) -> tuple[int, IterationLine]:
    return 2 + j, IterationLine(j=j, index=index, **({"phi": 2.0} | fields))


# -- phi -------------------------------------------------------------------------------------------


def fine(looks: Any, seen: Seen, bounds: Bounds, *lines: tuple[int, IterationLine]) -> list[bool]:
    return [bool(x) for x in looks._inside(list(lines), seen, bounds)]


@pytest.mark.parametrize("factor", [1 - HAIR, 1, 1 + HAIR])
def test_the_ends_of_phi(factor: float) -> None:
    """(2 + 1/8) (3/4)/(1 + 1/4) (15/16) to (2 - 1/8) (5/4)/(1 - 1/4) (17/16)."""
    least, most = 2.125 * 0.75 / 1.25 * 0.9375, 1.875 * 1.25 / 0.75 * 1.0625
    seen, bounds = seen_of(2.0, 0.125, [1.0, 1.0], 0.0, 1.0), bounds_of(0.25, 0.0, 0.25)
    for end, inside in ((least, factor > 1), (most, factor < 1)):
        looks = looking(2, 1 / 64)
        assert fine(looks, seen, bounds, line(phi=end * factor)) == [inside]
        assert fine(looks, seen, bounds_of(0.25, 0.0, 0.25, shows=False), line(phi=end)) == [False]


def test_the_ends_have_room_for_their_own_roundings() -> None:
    """32 of them, at both ends: here nothing else is granted, so that nothing is certain."""
    seen, none = seen_of(2.0, 0.0, [1.0, 1.0], 0.0, 1.0), bounds_of()
    assert fine(looking(2), seen, none, line(phi=2.0)) == [False]
    half, slight = bounds_of(rho=0.5), 32 * UNIT
    for end, way in ((1 + slight, 1), (3 * (1 - slight), -1)):
        assert fine(looking(2), seen, half, line(phi=end)) == [True]
        assert fine(looking(2), seen, half, line(phi=end - way * 4 * UNIT)) == [False]


def test_a_mass_is_known_to_be_positive() -> None:
    bounds = bounds_of(rho=0.5)
    for off, inside in ((0.4999, True), (0.5, False), (0.6, False)):
        seen = seen_of(2.0, 0.0, [1.0, 1.0], off, 1.0)
        assert fine(looking(2), seen, bounds, line(phi=2.0)) == [inside]


# -- p and the list --------------------------------------------------------------------------------

#: theta, tau and rho; unit; phi and how far it is off; a mass and how far it is off; both.
THETA, TAU, RHO, WRITTEN = 2.0**-7, 2.0**-9, 2.0**-8, 2.0**-10
PHI, OFF, MASS, MASS_OFF, BOTH = 2.0, 2.0**-9, 0.5, 2.0**-10, 16.0


def ends(mass: float = MASS) -> tuple[float, float]:
    """The theorem of `truth.stated`, with all that doubles are off against it."""
    reach = TAU * 4
    lowest = (1 - RHO) / (1 + THETA) * (1 - WRITTEN)
    highest = (1 + RHO) / (1 - THETA) * (1 + WRITTEN)
    low = max(math.sqrt(mass + MASS_OFF) - reach, 0) ** 2 * lowest / ((PHI - OFF) * highest)
    high = (math.sqrt(max(mass - MASS_OFF, 0)) + reach) ** 2 * highest / ((PHI + OFF) * lowest)
    return low, high


def usual(masses: list[float], many: int = 1) -> tuple[Any, Seen, Bounds]:
    seen = seen_of(PHI, OFF, masses, MASS_OFF, BOTH, many)
    return looking(len(masses), WRITTEN / 4), seen, bounds_of(THETA, TAU, RHO, many=many)


def narrowed(many: int, share: float = 0.9) -> Bounds:
    """Bounds whose far ends are the usual near ones; what is observed is in units of these."""
    return bounds_of(share * THETA, share * TAU, RHO, far=(THETA, TAU), many=many)


@pytest.mark.parametrize("factor", [1 - HAIR, 1 + HAIR])
def test_the_ends_of_a_probability(factor: float) -> None:
    low, high = ends()
    looks, seen, bounds = usual([MASS, 1.5])
    for end, inside in ((low, factor > 1), (high, factor < 1)):
        assert fine(looks, seen, bounds, line(p=end * factor)) == [inside]
        table = [end * factor, 0.75]
        assert fine(looks, seen, bounds, line(1, 1, probabilities=table)) == [inside]
    assert fine(looks, seen, bounds, line(p=0.25, probabilities=[0.25, 0.75])) == [True]


def test_the_ends_of_a_probability_have_room_for_roundings() -> None:
    """phi and the masses are known exactly, and only rho is granted: r = (5/4)/(3/4) (1 - s)^2."""
    seen, slight = seen_of(2.0, 0.0, [0.5, 1.5], 0.0, 0.0), 32 * UNIT
    rho = 2.0**-6
    ratio = (1 - rho) / (1 + rho) * (1 + slight) / (1 - slight)
    for end, way in ((0.25 * ratio * (1 + slight), 1), (0.25 / ratio * (1 - slight), -1)):
        close = end * (1 + way * 4 * UNIT)
        assert fine(looking(2), seen, bounds_of(rho=rho), line(p=close)) == [True]
        beyond = end * (1 - way * 8 * UNIT)
        assert fine(looking(2), seen, bounds_of(rho=rho), line(p=beyond)) == [False]


@pytest.mark.parametrize("factor", [1 - HAIR, 1 + HAIR])
def test_the_ends_of_a_weight_that_no_probability_ties(factor: float) -> None:
    """gamma by the ends of the mass; beside a probability its relation judges the weight."""
    reach = TAU * 4
    least = (math.sqrt(MASS + MASS_OFF) - reach) ** 2 * (1 - RHO) / (1 + THETA) * (1 - WRITTEN)
    most = (math.sqrt(MASS - MASS_OFF) + reach) ** 2 * (1 + RHO) / (1 - THETA) * (1 + WRITTEN)
    looks, seen, bounds = usual([MASS, 1.5])
    for end, inside in ((0.25 / most, factor > 1), (0.25 / least, factor < 1)):
        assert fine(looks, seen, bounds, line(weight=end * factor)) == [inside]
        assert fine(looks, seen, bounds, line(weight=end * factor, p=0.25)) == [True]
    looks, seen, _ = usual([MASS, 1.5], 3)
    bounds = narrowed(3)
    looks._judge.observed.clear()
    half = 0.5 + (0.25 / least - 0.5) / 2
    lines = line(weight=half), line(1, p=0.25, weight=9.0), line(2, weight=9.0)
    assert fine(looks, seen, bounds, *lines) == [True, True, False]
    found = dict(looks._judge.observed)
    assert found == {"phi": 0.0, "p": 0.0, "weight": pytest.approx(0.5, rel=1e-6)}


def test_the_ends_of_a_weight_have_room_for_roundings() -> None:
    """Only rho is granted: gamma/m (1 + s)/((1 + rho) (1 - s)) and the same below."""
    seen, slight, rho = seen_of(2.0, 0.0, [0.5, 1.5], 0.0, 0.0), 32 * UNIT, 2.0**-6
    floor = 0.5 / (1 + rho) / (1 - slight) * (1 + slight)
    top = 0.5 / (1 - rho) / (1 + slight) * (1 - slight)
    for end, way in ((floor, 1), (top, -1)):
        close, beyond = end * (1 + way * 4 * UNIT), end * (1 - way * 8 * UNIT)
        assert fine(looking(2), seen, bounds_of(rho=rho), line(weight=close)) == [True]
        assert fine(looking(2), seen, bounds_of(rho=rho), line(weight=beyond)) == [False]


@pytest.mark.parametrize(("factor", "shows"), [(1 - 1e-9, True), (1 + 1e-9, False)])
def test_a_weight_shows_a_mistake_of_a_sixteenth(factor: float, shows: bool) -> None:
    """1/(1 - rho) - 1/(1 + rho) < 2/16 (1 - 1e-6)."""
    across = 0.125 * (1 - 1e-6) * factor
    rho = (math.sqrt(1 + across * across) - 1) / across
    seen = seen_of(2.0, 0.0, [0.5, 1.5], 0.0, 0.0)
    assert fine(looking(2), seen, bounds_of(rho=rho), line(weight=0.5)) == [shows]


def test_a_mass_that_is_hardly_there_has_no_lower_end() -> None:
    """Far below its doubt and its reach; a negative one is as good as zero."""
    for light in (2.0**-30, 0.0, -(2.0**-30)):
        looks, _, bounds = usual([light, 2.0])
        seen = seen_of(PHI, OFF, [light, 2.0], 2.0**-20, BOTH)
        _, high = ends(max(light, 0.0))
        table = [0.0, 1.0]
        assert fine(looks, seen, bounds, line(1, 1, probabilities=table)) == [True]
        assert fine(looks, seen, bounds, line(1, 1, probabilities=[high * 0.99, 1.0])) == [True]
        assert fine(looks, seen, bounds, line(1, 1, probabilities=[high * 1.01, 1.0])) == [False]
        assert fine(looks, seen, bounds, line(1, 1, probabilities=[-high / 9, 1.0])) == [False]


@pytest.mark.parametrize(("factor", "shows"), [(1 - 1e-9, True), (1 + 1e-9, False)])
def test_a_probability_shows_a_mistake_of_a_sixteenth(factor: float, shows: bool) -> None:
    """r - 1/r < 2/16 (1 - 1e-6), with r = (1 + rho)/(1 - rho) (1 - 2 * 32 roundings)."""
    across = 0.125 * (1 - 1e-6) * factor
    r = (across + math.sqrt(across * across + 4)) / 2
    rho = (r - 1) / (r + 1)
    seen = seen_of(2.0, 0.0, [0.5, 1.5], 0.0, 0.0)
    assert fine(looking(2), seen, bounds_of(rho=rho), line(p=0.25)) == [shows]
    assert fine(looking(2), seen, bounds_of(rho=rho), line()) == [True]  # phi says nothing of it


@pytest.mark.parametrize(("share", "inside"), [(1 - 2e-6, True), (1 - 5e-7, False), (1.1, False)])
def test_a_list_may_leave_a_sixteenth_open(share: float, inside: bool) -> None:
    """A point of mass 1/16 that does not show, beside one that does."""
    light = share / 16
    seen = seen_of(1.0, 0.0, [light, 1 - light], 0.0, 1.0)
    bounds = bounds_of(rho=2.0**-8, tau=2.0**-7)
    record = line(1, 1, phi=1.0, probabilities=[light, 1 - light])
    assert fine(looking(2), seen, bounds, record) == [inside]


def test_lines_with_and_without_lists_are_left_to_balls() -> None:
    looks, seen, bounds = usual([MASS, 1.5], 2)
    whole = line(probabilities=[0.25, 0.75])
    assert fine(looks, seen, bounds, whole, line(1, 1, probabilities=[0.25, 0.75])) == [True] * 2
    assert fine(looks, seen, bounds, whole, line(1, 1)) == [False] * 2
    # An absent p is as good as right; every line has its own point.
    assert fine(looks, seen, bounds, line(p=0.25), line(1, 1)) == [True, True]
    assert fine(looks, seen, bounds, line(p=0.25), line(1, 1, p=0.25)) == [True, False]
    assert fine(looks, seen, bounds, line(p=0.75), line(1, 1, p=0.75)) == [False, True]


def test_what_is_observed_of_lines_that_are_fine() -> None:
    """The error in units of the distance to the end where it would be accused, on its side."""
    low, high = ends()
    looks, seen, beyond = usual([MASS, 1.5], 2)
    bounds = narrowed(2)
    for given, expected in (
        (0.25 + (high - 0.25) / 2, 0.5),
        (0.25 - (0.25 - low) / 4, 0.25),
        (0.25, 0),
    ):
        looks._judge.observed.clear()
        assert fine(looks, seen, bounds, line(p=given), line(1, p=9.0)) == [True, False]
        found = dict(looks._judge.observed)
        assert found == {"phi": 0.0, "p": pytest.approx(expected, rel=1e-6)}
    looks._judge.observed.clear()
    fine(looks, seen, bounds, line(probabilities=[0.25, 0.75]), line(1, probabilities=[9.0, 9.0]))
    assert dict(looks._judge.observed) == {"phi": 0.0, "probabilities": 0.0}
    # From theta = 1 on nothing would be accused, and there is no unit.
    assert beyond.far_theta[0] > 1
    for far in (1.0, 99.0):
        looks._judge.observed.clear()
        given = 2.0 * (1 + THETA / 2)
        bounds = bounds_of(THETA, TAU, RHO, far=(far, TAU), many=2)
        assert fine(looks, seen, bounds, line(phi=given), line(1, phi=given)) == [True, True]
        assert dict(looks._judge.observed) == {"phi": 0.0}


def test_observed_shares_by_hand() -> None:
    """Ends 1 and 4 of a true 2: 2.5 takes a quarter, 1.5 a half; 0/0 is nothing."""
    looks = looking(2)
    given, true = np.array([2.5, 1.5, 3.0]), np.array([2.0, 2.0, 3.0])
    looks._observe("p", given, true, np.array([1.0, 1.0, 3.0]), np.array([4.0, 4.0, 3.0]))
    looks._observe("p", given[:1], true[:1], np.array([1.0]), np.array([4.0]))
    looks._observe("p", given[2:], true[2:], true[2:], true[2:])
    assert looks._judge.observed == [("p", 0.5), ("p", 0.25), ("p", 0.0)]


# -- picks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_uniform_that_certainly_picks(index: int) -> None:
    """Masses 1, 2, 1: the ends move inwards by the slack, which is a share of the total 4."""
    rho, theta, tau, unit, off = 2.0**-9, 2.0**-10, 2.0**-10, 2.0**-16, 2.0**-14
    light = tau * math.sqrt(9.0 * 3 / 4.0)
    share = 4 * (theta + rho) + 2 * light + light**2 + 6 * unit
    slack = 1.001 * share * 4 + 3 * off * 2 + 3 * UNIT * 4 * 4
    seen, bounds = seen_of(4.0, 0.0, [1.0, 2.0, 1.0], off, 9.0), bounds_of(theta, tau, rho)
    before, after = ((0, 1), (1, 3), (3, 4))[index]
    for target, inside in (
        (before + slack * (1 + HAIR), True),
        (before + slack * (1 - HAIR), False),
        (after - slack * (1 + HAIR), True),
        (after - slack * (1 - HAIR), False),
        (before - 0.1, False),
        (after + 0.1, False),
    ):
        uniforms = SimpleNamespace(values=[None, Fraction(target / 4)])
        looks = looking(3, unit, uniforms=uniforms)
        found = looks._picked([line(1, index)], seen, bounds, np.array([index]))
        assert found.tolist() == [inside]
        record = line(1, index, phi=4.0)
        assert fine(looks, seen, bounds, record) == [inside]
    assert looking(3)._picked([line(1)], seen, bounds, np.array([0])).tolist() == [True]


def test_roundings_of_partial_sums_count() -> None:
    """Nothing is granted: 3 points, 4 roundings each of the total 4, at both ends of [1, 3)."""
    seen, none, slack = seen_of(4.0, 0.0, [1.0, 2.0, 1.0], 0.0, 0.0), bounds_of(), 48 * UNIT
    for target, inside in (
        (1 + slack, True),
        (1 + slack - 2 * UNIT, False),
        (3 - slack, False),
        (3 - slack - 4 * UNIT, True),
    ):
        uniforms = SimpleNamespace(values=[Fraction(target) / 4])
        found = looking(3, uniforms=uniforms)._picked([line(0, 1)], seen, none, np.array([1]))
        assert found.tolist() == [inside]


# -- blocks ----------------------------------------------------------------------------------------


def test_the_largest_allowance_is_heeded() -> None:
    """4 (theta + rho) + 2 light + light^2, light = tau sqrt(both n/phi); 1 where nothing shows."""
    looks = looking(3)
    light = 2.0**-5 * 3
    expected = 4 * (2.0**-6 + 2.0**-7) + 2 * light + light**2
    looks.heed(bounds_of(2.0**-6, 2.0**-5, 2.0**-7), norms_of(6.0, 2.0))
    assert looks.granted == expected
    looks.heed(bounds_of(2.0**-9, many=2), norms_of(6.0, 2.0, 2))
    assert looks.granted == expected
    half = np.array([2.0**-2, 0.0])
    mixed = Bounds(half, half, half, half, half, np.array([True, True]))
    looks.heed(mixed, norms_of(0.0, 2.0, 2))
    assert looks.granted == 2.0
    looks = looking(3)
    looks.heed(bounds_of(shows=False), norms_of(6.0, 2.0))
    assert looks.granted == 1.0


def test_the_largest_allowance_of_any_method_is_heeded() -> None:
    """The same with the far bounds, whether they show something or not."""
    looks = looking(3)
    assert looks.beyond == 0.0
    light = 2.0**-5 * 3
    expected = 4 * (2.0**-6 + 2.0**-7) + 2 * light + light**2
    for shows in (True, False):
        looks = looking(3)
        bounds = bounds_of(rho=2.0**-7, far=(2.0**-6, 2.0**-5), shows=shows)
        looks.heed(bounds, norms_of(6.0, 2.0))
        assert looks.beyond == expected
    none, far = np.zeros(2), np.array([0.0, 2.0**-2])
    looks.heed(Bounds(none, none, none, none, none, none > 0), norms_of(0.0, 2.0, 2))
    assert looks.beyond == expected
    looks.heed(Bounds(none, none, far, none, none, none > 0), norms_of(0.0, 2.0, 2))
    assert looks.beyond == 1.0


def test_a_step_without_a_digit_is_remembered() -> None:
    """Of the method that loses the most: theta = 1 in one step is enough."""
    none, both = np.zeros(2), np.array([True, True])
    looks = looking(3)
    for far, hopeless in (
        ([0.5, math.nextafter(1, 0)], False),
        ([0.5, 1.0], True),
        ([0.5, 0.5], True),
    ):
        looks.heed(Bounds(none, none, np.array(far), none, none, both), norms_of(6.0, 2.0, 2))
        assert looks.hopeless is hopeless


def block(**facts: Any) -> InDoubles:
    """d = 1, two points of leverage 1/2, gamma = 1/4: u_0 = 8, Phi_0 = 1/4."""
    truth = StatedTruth(arb_mat([[arb(0.5).sqrt()], [arb(0.5).sqrt()]]))
    grant = Grant(53, Conditioning(1.0, 1.0, (0.5, 0.5), 1), 2)
    return InDoubles(judge_of(**facts), grant, truth)


def start(**fields: Any) -> tuple[int, IterationLine]:
    return line(**({"u": 8.0, "l": -8.0, "phi": 0.25, "weight": 2.0} | fields))


def test_a_block_and_what_was_seen_of_it() -> None:
    with ctx.workprec(128):
        looks = block(data=SimpleNamespace(unlabelled=1))
        certain, found, defects = looks.certain([start(p=0.5), start(p=0.75)])
        assert looks.certain([start(weight=2.0), start(weight=2.1)])[0] == [True, False]
    assert certain == [True, False]
    assert len(defects) == 2
    assert 0 < defects[0].own < defects[0].near == defects[0].far < 2.0**-40
    phi, phi_off, mass, mass_off, above, above_off, first, first_off = found[0]
    assert phi == 0.25
    assert (mass, above, first) == pytest.approx((0.125, 0.0625, 0.125), rel=1e-15)
    assert 0 < mass_off == pytest.approx(phi_off / 2, rel=1e-2, abs=0)
    assert above_off == mass_off
    assert first_off == pytest.approx(mass_off + 2 * UNIT * 0.125, rel=1e-9, abs=0)
    assert 0 < looks.granted < 2.0**-40
    both = block()
    with ctx.workprec(128):
        _, found, _ = both.certain([start()])
    assert found[0][6] == pytest.approx(0.25)
    assert found[0][7] == pytest.approx(2 * mass_off + 2 * UNIT * 0.25, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    ("facts", "fields"),
    [
        ({"precision": 54}, {}),
        ({"session": object()}, {}),
        ({}, {"u": "8"}),
        ({}, {"p": "1/2"}),
        ({}, {"u": 10**400}),
        ({}, {"u": -9.0}),
        ({}, {"probabilities": ["1/2", 0.5]}),
    ],
)
def test_what_is_left_to_balls(facts: dict[str, Any], fields: dict[str, Any]) -> None:
    with ctx.workprec(128):
        assert block().certain([start()])[0] == [True]
        lines = [start(**fields), start(**(fields | {"j": 1}))]
        assert block(**facts).certain(lines) == ([False, False], (), ())


def test_numbers_of_a_line() -> None:
    assert (_double(3), _double(0.5), _double(None), _double(None, 0.25)) == (3.0, 0.5, 0.0, 0.25)
    with pytest.raises(TypeError):
        _double("1/2")
