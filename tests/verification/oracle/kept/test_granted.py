"""What is granted to honest methods on a scheme: the theorem and its terms in numbers, by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb

from asura_verify.oracle.kept.granted import Around, Granted, Grants, Method, _apart
from asura_verify.oracle.kept.state import Seen, Side
from asura_verify.oracle.truth.allowance import Conditioning
from asura_verify.oracle.views.stated import Interval
from tests.verification.oracle.kept.parts import near

E = 2.0**-53
INFINITE = arb("inf")


def scheme_of(**facts: Any) -> Any:
    known = {
        "kept": True, "pool": 3, "rank": Fraction(3, 2), "distance": Fraction(12),
        "roundings": SimpleNamespace(distance=Fraction(5)),
    }  # fmt: skip
    return SimpleNamespace(**(known | facts))


def grants_of(
    precision: int = 53, scaled: float = 8.0, plain: float = 100.0, size: int = 5,
    *, terms: float | None = None, defect: float = 0.0, dimension: int = 2, **facts: Any,
) -> Any:  # fmt: skip
    known = Conditioning(scaled, plain, (1.0,) * size, dimension)
    return Grants(scheme_of(**facts), known, size, precision, terms=terms, defect=defect)


# -- the methods -----------------------------------------------------------------------------------


def rank_of(tau: float, e: float = E, rank: float = 1.5, pool: int = 3, d: int = 2) -> float:
    """R = |U_1|^2 moves by 2 tau sqrt R + tau^2, and n_1 + d + 4 roundings."""
    return (2 * tau * math.sqrt(rank) + tau * tau) / rank + e * (pool + d + 4)


def rank_by_gram(amplified: float, e: float = E, n: int = 5, pool: int = 3, d: int = 2) -> float:
    whole = amplified * e * (n + 8 + 8 * d) * d
    return (whole + amplified * e * math.sqrt(d) * (pool + 4 + 4 * d * d)) / (1 - whole)


def test_four_methods() -> None:
    """QR and SVD with and without scaled columns, and normal equations of both."""
    found = grants_of().methods
    reflected = 2 * math.sqrt(2) * 2 * (5 + 8) * E
    taus = [8 * reflected, 100 * reflected, 4 * E, 4 * E]
    assert [float(method.tau) for method in found] == near(taus)
    assert [float(method.together) for method in found] == near(taus)
    assert [float(method.amplified) for method in found] == near([1, 1, 64, 10000])
    assert [method.normal for method in found] == [False, False, True, True]
    # Half of the bits, or a third; and by 8/100 finer where columns are not scaled.
    assert [method.limit for method in found] == [2.0**-6, 2.0**-17, 2.0**-17, 2.0**-17 * 0.08]
    # Normal equations of columns as they are only leave open what values of one program tie.
    assert [method.tied for method in found] == [2.0**-26, 2.0**-26, 2.0**-17, 0]
    ranks = [rank_of(taus[0]), rank_of(taus[1]), rank_by_gram(64), rank_by_gram(10000)]
    assert [float(method.rank) for method in found] == near(ranks)
    # The plain columns are never better than the scaled ones.
    assert [float(m.amplified) for m in grants_of(scaled=8.0, plain=2.0).methods[2:]] == [64, 64]


def test_four_methods_of_few_bits() -> None:
    """e = 2^-12: squares count."""
    grants, e = grants_of(12, 1.0, 2.0), 2.0**-12
    reflected = 2 * math.sqrt(2) * 2 * (5 + 8) * e
    expected = [
        rank_of(reflected, e), rank_of(2 * reflected, e), rank_by_gram(1, e), rank_by_gram(4, e),
    ]  # fmt: skip
    assert [float(method.rank) for method in grants.methods] == near(expected)
    for method in grants.methods:
        found = grants._around(method, seen_of(), 9, arb(D))
        assert numbers(found) == near(list(around(method, e=e)))


def test_a_reported_whitening_is_the_only_method() -> None:
    (found,) = grants_of(terms=7.0, defect=2.0**-10).methods
    tau = 2 * 2 * E * 7
    assert float(found.tau) == near(tau)
    assert float(found.together) == near(math.sqrt(5) * tau)  # each of five points by itself
    assert float(found.amplified) == 1
    assert (found.normal, found.limit, found.tied) == (False, 2.0**-6, 2.0**-6)
    assert float(found.rank) == near(rank_of(math.sqrt(5) * tau) + 2.0**-10)


def test_what_r_may_be_off_in_every_scheme() -> None:
    assert [float(m.rank) for m in grants_of(kept=False).methods] == [0, 0, 0, 0]
    nothing = grants_of(rank=Fraction(0)).methods
    assert [bool(m.rank > 1e9) for m in nothing] == [True, True, False, False]
    assert all(m.rank.is_finite() for m in grants_of(rank=Fraction(1, 2)).methods)
    # (8 + 8 + 16) 2 kappa^2 e = 1: the whole of R.
    for precision, known in ((12, False), (13, True)):
        method = grants_of(precision, size=8, plain=8.0).methods[2]
        assert (method.rank < 1e9) is known
        assert known or method.rank > 1e9


def method_of(
    rank: float | arb = 0.0, *, tau: float = 0.0, limit: float = 2.0**-6,
    tied: float = 2.0**-26, together: float | None = None,
) -> Method:  # fmt: skip
    whole = tau if together is None else together
    return Method(arb(tau), arb(whole), arb(1), False, limit, tied, arb(rank))


def test_by_which_share_r_is_known() -> None:
    """By the worst of those below their limit, here 2^-6, and by the worst of all."""
    for ranks, kept, worst in (
        ((2.0**-9, 2.0**-6), 2.0**-9, 2.0**-6), ((2.0**-9, 2.0**-8, 2.0**-10), 2.0**-8, 2.0**-8),
        ((INFINITE, 2.0**-9), 2.0**-9, math.inf), ((2.0, 0.5), math.inf, 2.0),
    ):  # fmt: skip
        grants = grants_of()
        grants.methods = tuple(method_of(rank) for rank in ranks)
        assert [float(share) for share in grants.rank_share()] == [kept, worst]
    grants.methods = (method_of(2.0**-9, limit=2.0**-10), method_of(2.0**-12, limit=2.0**-11))
    assert [float(share) for share in grants.rank_share()] == [2.0**-12, 2.0**-9]


# -- a state ---------------------------------------------------------------------------------------


def seen_of(**facts: Any) -> Seen:
    known: dict[str, Any] = {
        "potential": arb(0.75), "masses": [arb(0.5), arb(0.25), arb(0)],
        "sides": (Side(arb(11), arb(0.5), arb(0)), Side(arb(40), arb(0.25), arb(0))),
        "energy": arb(0.625), "reach": arb(3), "size": arb(5), "trace": arb(7),
        "heaviest": arb(2),
    }  # fmt: skip
    return Seen(**(known | facts))


D = 1.25  # |D|


def around(
    method: Method, step: int = 9, *, reach: float = 3.0,
    sides: Any = ((11, 0.5, 0), (40, 0.25, 0)), n: int = 5, d: int = 2, defect: float = 0.0,
    e: float = E,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """theta, s, light, rho and the potential's rho, as the docstring has them."""
    size, trace, heavy, energy, potential, rank, pool, c = 5.0, 7.0, 2.0, 0.625, 0.75, 1.5, 3, 12.0
    span = max(c + reach * D, *(side[0] for side in sides))
    tau, kappa = float(method.together), float(method.amplified)
    of_d = e * (pool + 4) * reach * rank
    if method.normal:
        eta = kappa * (e * ((step + 4) * trace + (n + 8 + 8 * d) * d * span) + of_d)
    else:
        eta = kappa * (e * (step * size + 4 * trace + (8 * d * d + 4) * span) + of_d)
    eta += 2 * tau * math.sqrt(size * heavy) + tau**2 * heavy
    eta += reach * (2 * tau * math.sqrt(D) + tau**2)
    eta += c * (float(method.rank) + 5 * e)
    theta = max(doubt + eta * inverse for _, inverse, doubt in sides)
    narrow = max(s * inverse for s, inverse, _ in sides)
    rho = e * (n + 4 * d + 8 + 4 * d * narrow**1.5) + defect
    of_sums = e * (4 * d * d * D + (pool + 4) * rank) * energy / potential
    light = tau * math.sqrt(energy / potential)
    return theta, float(method.tau) * math.sqrt(energy), light, rho, rho + kappa * of_sums


def numbers(found: Around) -> list[float]:
    facts = found.theta, found.reach, found.light, found.rho, found.potential_rho
    return [float(x) for x in facts]


def test_the_terms_of_every_method() -> None:
    grants = grants_of()
    for method in grants.methods:
        found = grants._around(method, seen_of(), 9, arb(D))
        assert numbers(found) == near(list(around(method)))
        assert (found.shows, found.ties) == (True, method.tied > 0)


def test_the_span_is_the_largest_of_three() -> None:
    grants, method = grants_of(), grants_of().methods[0]
    for reach, sides in (
        (99.0, ((11, 0.5, 0), (40, 0.25, 0))), (3.0, ((77, 0.5, 0), (40, 0.25, 0))),
        (3.0, ((11, 0.5, 0), (12, 0.25, 0.25))),
    ):  # fmt: skip
        known = tuple(Side(*(arb(x) for x in side)) for side in sides)
        found = grants._around(method, seen_of(reach=arb(reach), sides=known), 9, arb(D))
        assert numbers(found) == near(list(around(method, reach=reach, sides=sides)))


def test_what_a_reported_whitening_is_off_counts_in_every_mass() -> None:
    grants = grants_of(terms=7.0, defect=2.0**-20)
    (method,) = grants.methods
    found = grants._around(method, seen_of(), 9, arb(D))
    assert numbers(found) == near(list(around(method, defect=2.0**-20)))


def test_where_r_is_not_known_nothing_is() -> None:
    found = grants_of()._around(method_of(INFINITE), seen_of(), 9, arb(D))
    assert not found.theta.is_finite()
    assert found.theta > 1
    assert (found.shows, found.ties) == (False, False)
    assert not found.apart.is_finite()


def shown(
    doubt: float, *, defect: float = 0.0, potential: float = 3.0, **facts: Any
) -> tuple[bool, bool]:
    """A method without roundings, where so much of a side is not known."""
    grants = grants_of(terms=1.0, defect=defect)
    grants.unit = arb(0)
    method = method_of(**facts)
    seen = seen_of(
        sides=(Side(arb(1), arb(0), arb(doubt)),), energy=arb(1), potential=arb(potential)
    )
    found = grants._around(method, seen, 9, arb(D))
    return found.shows, found.ties


def test_when_a_method_shows_something() -> None:
    """Below its limits."""
    little = 2.0**-40
    for limit in (2.0**-6, 2.0**-17):
        assert shown(limit - little, limit=limit) == (True, False)
        assert shown(limit, limit=limit) == (False, False)
    for tied, found in ((2.0**-9, False), (2.0**-9 + little, True)):
        assert shown(2.0**-9, tied=tied) == (True, found)


def test_light_points_count_twice() -> None:
    """2 s sqrt(n_1/Phi) = 2 tau where |E| = 1 and Phi = n_1 = 3."""
    assert shown(0.0, tau=2.0**-7 - 2.0**-40)[0]
    assert not shown(0.0, tau=2.0**-7)[0]
    for tau, shows in ((2.0**-8 - 2.0**-40, True), (2.0**-8, False)):  # Phi = n_1/4
        assert shown(0.0, tau=tau, potential=0.75)[0] is shows
    # All together for what is tied: 2 s_1/sqrt Phi, and Phi = 4.
    for together, ties in ((2.0**-7 - 2.0**-40, True), (2.0**-7, False)):
        assert shown(0.0, together=together, potential=4.0, tied=2.0**-7) == (True, ties)


def test_what_a_whitening_is_off_counts_too() -> None:
    half = 2.0**-7
    for defect, said in ((half, False), (half - 2.0**-40, True)):
        assert shown(half, defect=defect, tied=2.0**-6) == (said, said)
    assert float(Grants(scheme_of(), Conditioning(1.0, 1.0, (), 1), 1, 53)._defect) == 0


def test_an_empty_pool_counts_as_one_point() -> None:
    grants = grants_of(pool=0)
    grants.unit = arb(0)
    for tau, shows in ((2.0**-7 - 2.0**-40, True), (2.0**-7, False)):
        seen = seen_of(sides=(Side(arb(1), arb(0), arb(0)),), energy=arb(1), potential=arb(1))
        assert grants._around(method_of(tau=tau), seen, 9, arb(D)).shows is shows


def apart(share: float, light: float) -> float:
    """(1 + x)/(1 - x) ((1 + light)/(1 - light))^2 - 1, without cancellation."""
    return math.expm1(2 * math.atanh(share) + 4 * math.atanh(light))


@pytest.mark.parametrize("defect", [0.0, 2.0**-30])
def test_what_the_roundings_of_a_step_cost(defect: float) -> None:
    """Nothing of kappa, of what is not known, nor of R."""
    known = ((11, 0.5, 0.25), (40, 0.25, 0.125))
    sides = tuple(Side(*(arb(x) for x in side)) for side in known)
    for terms in (7.0, None):
        grants = grants_of(defect=defect, terms=terms)
        own = float(grants._own(seen_of(sides=sides), 9, arb(D)))
        span = 40  # more than c + f |D|
        eta = E * (9 * 5 + 4 * 7 + (8 * 4 + 4) * span + (3 + 4) * 3 * 1.5)
        _, _, _, _, rho = around(method_of(), defect=defect)
        light = 2 * math.sqrt(2) * 2 * (5 + 8) * E * math.sqrt(0.625 / 0.75)
        assert own == near(apart(eta * 0.5 + rho, light))


def test_one_state_for_every_method() -> None:
    grants, seen = grants_of(), seen_of()
    found = grants.at(seen, 9, arb(D))
    assert found.seen is seen
    assert [numbers(each) for each in found._around] == [
        near(list(around(method))) for method in grants.methods
    ]


# -- the theorem -----------------------------------------------------------------------------------


def made(
    theta: Any = 0.25, s: float = 0.0, rho: float = 0.0, whole: float = 0.0, *,
    light: float = 0.0, shows: bool = True, ties: bool = True,
) -> Around:  # fmt: skip
    return Around(arb(theta), arb(s), arb(light), arb(rho), arb(whole), shows, ties)


def pair(found: tuple[arb, arb]) -> tuple[float, float]:
    return float(found[0]), float(found[1])


ANYTHING = -math.inf, math.inf


def test_the_ends_of_a_form() -> None:
    """m = 4, s = 1, theta = 1/4, rho = 1/8."""
    low, high = pair(made(s=1.0, rho=0.125).mass(arb(4)))
    assert (low, high) == (near(0.875 / 1.25), near(9 * 1.125 / 0.75))
    assert pair(made(s=3.0).mass(arb(4)))[0] == 0
    assert pair(made(s=0.0).mass(arb(-4))) == (0, 0)
    # Phi = 4 and light = 1/2, so that s_1 = 1 as well.
    low, high = pair(made(light=0.5, whole=0.125).potential(arb(4)))
    assert (low, high) == (near(0.875 / 1.25), near(9 * 1.125 / 0.75))
    assert pair(made(light=1.5).potential(arb(4)))[0] == 0


def test_a_form_of_which_nothing_is_known() -> None:
    """From theta = 1 or rho = 1 on a form may be indefinite: of any size, and of any sign."""
    for theta in (1.0, 1.5, INFINITE, arb(0.75, 0.5)):
        assert pair(made(theta).mass(arb(4))) == ANYTHING
        assert pair(made(theta).potential(arb(4))) == ANYTHING
    for rho in (1.0, 1.5, 2.0):
        assert pair(made(rho=rho).mass(arb(4))) == ANYTHING
        assert pair(made(whole=rho).potential(arb(4))) == ANYTHING
    just = 1 - 2.0**-30
    assert pair(made(just).mass(arb(4))) == (near(4 / (1 + just)), near(2.0**32))
    assert pair(made(rho=just).mass(arb(4)))[0] == near(2.0**-28 / 1.25)


def granted_of(*methods: Around, precision: int = 53, own: Any = 0.0, **facts: Any) -> Any:
    return Granted(methods, seen_of(**facts), precision, arb(own))


W = 2.0**-51


def test_what_a_value_may_be() -> None:
    """By the methods that show something, and by all."""
    first, second = made(0.25, rho=0.0), made(0.5, rho=0.125, whole=0.25, shows=False)
    third = made(0.125, shows=False)
    found = granted_of(first, second, third)
    tiny = 64 * 2.0**-1074
    mass = found.mass(0)
    assert float(mass.true) == 0.5
    assert pair(mass.near) == (near(0.4 * (1 - W)), near(0.5 / 0.75 * (1 + W) + tiny))
    assert pair(mass.far) == (near(0.5 * 0.875 / 1.5 * (1 - W)), near(0.5 * 1.125 / 0.5 * (1 + W)))
    phi = found.potential()
    assert float(phi.true) == 0.75
    assert pair(phi.near) == (near(0.6), near(1.0))
    assert pair(phi.far) == (near(0.75 * 0.75 / 1.5), near(0.75 * 1.25 / 0.5))
    p = found.chance(0)
    assert float(p.true) == near(2 / 3)
    assert pair(p.near) == (near(0.4), near(0.5 / 0.75 / 0.6))
    low, high = 0.5 * 0.875 / 1.5, 0.5 * 1.125 / 0.5
    assert pair(p.far) == (near(low / (0.75 * 1.25 / 0.5)), near(high / (0.75 * 0.75 / 1.5)))
    # The order of the methods does not matter.
    other = granted_of(third, second, first).mass(0)
    assert pair(other.far) == pair(mass.far)
    both = granted_of(second, made(0.5, rho=0.125, whole=0.25))
    assert pair(both.mass(0).near) == pair(mass.far)


def test_the_rounding_of_the_writing() -> None:
    """Two units of each end; and 64 times the smallest number for what underflows."""
    found = granted_of(made(0.0), precision=20).mass(0)
    assert pair(found.near) == (0.5 * (1 - 2.0**-18), near(0.5 * (1 + 2.0**-18)))
    nothing = granted_of(made(0.0), precision=20).mass(2)
    assert pair(nothing.near) == (0, 64 * 2.0**-149)


def test_a_chance_where_phi_may_be_anything() -> None:
    wide = granted_of(made(1.0))
    for interval in (wide.chance(0), wide.mass(0), wide.potential()):
        assert pair(interval.far) == ANYTHING
        assert not interval.shows
    assert pair(granted_of(made(whole=1.0)).chance(0).near) == ANYTHING
    assert pair(granted_of(made(rho=1.0)).chance(0).near) == ANYTHING
    assert pair(granted_of(made(0.25, light=1.0)).chance(0).near)[1] == math.inf
    assert pair(granted_of(made(0.25, light=1.0)).chance(0).near)[0] == near(0.4 / 4.0)
    assert pair(granted_of(made(0.25), made(0.25, light=1.0)).chance(0).near)[1] == math.inf
    none = granted_of(made(shows=False))
    assert pair(none.mass(0).near) == (0, math.inf)
    assert pair(none.mass(0).far) != (0, math.inf)
    # One that has lost every digit is enough.
    one = granted_of(made(0.25), made(1.0), made(0.25))
    assert pair(one.mass(0).near) == pair(one.chance(0).near) == ANYTHING


def test_how_far_a_sum_of_probabilities_may_be_off() -> None:
    """By the corollary, with x = theta + rho of the potential."""
    few = made(2.0**-8, 9.0, 9.0, 2.0**-10, light=2.0**-6)
    more = made(2.0**-5, shows=False)
    found = granted_of(few, more)
    share = apart(2.0**-8 + 2.0**-10, 2.0**-6)
    assert found.share == near(share)
    assert granted_of(more, more).share == 1.0
    assert granted_of(made(2.0**-8), made(2.0**-7), made(2.0**-9)).share == near(apart(2.0**-7, 0))
    ball = granted_of(made(arb(2.0**-8, 2.0**-9))).share
    assert near(apart(1.5 * 2.0**-8, 0), 1e-6) == ball
    assert granted_of(few, made(2.0**-9)).most == near(share)
    assert granted_of(made(2.0**-8), more).most == near(apart(2.0**-5, 0))
    assert granted_of(made(2.0**-8), more, made(2.0**-4)).most == near(apart(2.0**-4, 0))
    # A sum of probabilities is within 0 and 1, whatever is known.
    for nothing in (made(0.5), made(1.0), made(0.0, light=1.0), made(0.75, whole=0.25)):
        assert (granted_of(nothing).share, granted_of(nothing).most) == (1.0, 1.0)


def test_how_far_values_of_one_program_may_be_apart() -> None:
    """By the roundings of a step, by methods that keep enough digits, and by all."""
    few, more = made(2.0**-30, whole=2.0**-30), made(2.0**-6, ties=False)
    found = granted_of(few, more, made(2.0**-7, ties=False), own=2.0**-40).defects
    assert found == (2.0**-40, near(apart(2.0**-29, 0)), near(apart(2.0**-6, 0)))
    assert granted_of(few, own=2.0**-10).defects == (2.0**-10, 2.0**-10, 2.0**-10)
    assert granted_of(more, own=2.0**-40).defects[:2] == (2.0**-40, 2.0**-40)
    # Infinite where a method keeps no digit, and not 1.
    assert granted_of(few, made(1.0, ties=False)).defects == (0, near(apart(2.0**-29, 0)), math.inf)
    assert granted_of(few, own=INFINITE).defects == (0, near(apart(2.0**-29, 0)), math.inf)
    # Rounded up.
    assert granted_of(few, own=arb(1) / 3).defects[0] > arb(1) / 3


def test_what_stays_between_the_barriers() -> None:
    """step m/m' < 1 and lower step Phi/phi' < 1, for the least m' and phi'; m = 1/2, Phi = 3/4."""
    half, third = arb(0.5), arb(1) / 3
    assert granted_of(made(0.25)).stays(0, half, third)
    assert granted_of(made(0.25)).stays(None, half, third)
    # m' = m/(1 + theta) and phi' = Phi/(1 + theta).
    least = 1 / 1.5
    for change, said in ((1 - 2.0**-20, True), (1 + 2.0**-20, False)):
        found = granted_of(made(0.5))
        assert found.stays(0, arb(least * change), third) is said
        assert found.stays(None, half, arb(2 * least * change)) is said
        assert found.stays(0, half, arb(2 * least * change)) is said
        assert found.stays(None, arb(least * change), third)
    assert not granted_of(made(1.0)).stays(None, half, third)
    assert not granted_of(made(0.25, 1.0)).stays(0, half, third)  # a mass of 0
    assert granted_of(made(0.25, 1.0)).stays(None, half, third)
    assert not granted_of(made(0.25), made(1.0, shows=False)).stays(0, half, third)


def test_the_edges_of_what_is_apart() -> None:
    for share, light, known in (
        (0.0, 0.5, True), (0.5, 0.0, True), (0.0, 1.0, False), (1.0, 0.0, False),
        (0.0, 1.5, False), (1.5, 0.0, False),
    ):  # fmt: skip
        found = _apart(arb(share), arb(light))
        assert found.is_finite() is known
        assert found >= 2


def test_who_stays_between_the_barriers() -> None:
    """lower step Phi < Phi' for every Phi' that a program may have, and step M < M'."""
    for index, phi, mass, stays in (
        (None, 0.5, 0.0, False), (None, 0.51, 0.0, True), (0, 0.51, 0.25, False),
        (0, 0.51, 0.26, True), (0, 0.5, 0.26, False),
    ):  # fmt: skip
        seen: Any = SimpleNamespace(
            potential=lambda phi=phi: Interval(arb(1), (arb(0), arb(9)), (arb(phi), arb(9))),
            mass=lambda _index, m=mass: Interval(arb(0.25), (arb(0), arb(9)), (arb(m), arb(9))),
        )
        assert Granted.stays(seen, index, arb(1), arb(0.5)) is stays
