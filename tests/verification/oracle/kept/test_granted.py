"""What is granted to honest methods on a scheme: the theorem and its terms in numbers, by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb

from asura_verify.oracle.kept.granted import Around, Granted, Grants, Method
from asura_verify.oracle.kept.state import Seen, Side
from asura_verify.oracle.truth.allowance import Conditioning
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
    assert [float(method.amplified) for method in found] == near([1, 1, 64, 10000])
    assert [method.normal for method in found] == [False, False, True, True]
    assert [method.spared for method in found] == [False, False, False, True]
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
    assert float(found.amplified) == 1
    assert (found.normal, found.spared) == (False, False)
    assert float(found.rank) == near(rank_of(tau) + 2.0**-10)


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


def chosen(*facts: tuple[float | arb, bool, bool], precision: int = 53) -> Any:
    """Methods of which only the rank's share, normal and spared matter."""
    grants = grants_of(precision)
    one = arb(1)
    grants.methods = tuple(
        Method(one, one, normal, spared, arb(rank)) for rank, normal, spared in facts
    )
    return [float(x) for x in grants.rank_share()]


def test_by_which_share_r_is_known() -> None:
    """Below a sixteenth a method shows it; normal equations only below 2^-17."""
    below = 2.0**-4 - 2.0**-20
    assert chosen((below, False, False), (2.0**-9, False, False)) == [below, below]
    assert chosen((2.0**-9, False, False), (2.0**-4, False, False)) == [2.0**-9, 2.0**-4]
    # Who is spared excuses nothing from a sixteenth on.
    assert chosen((2.0**-9, False, False), (2.0**-4, False, True)) == [2.0**-9, 2.0**-9]
    assert chosen((2.0**-9, False, False), (below, False, True)) == [below, below]
    fine = 2.0**-17 - 2.0**-30
    assert chosen((2.0**-30, False, False), (fine, True, False)) == [fine, fine]
    assert chosen((2.0**-30, False, False), (2.0**-17, True, False)) == [2.0**-30, 2.0**-17]
    # With few bits, a third of them is more than a quarter of a sixteenth.
    assert chosen((2.0**-9, False, False), (2.0**-6, True, False), precision=12) == [
        2.0**-9, 2.0**-6,
    ]  # fmt: skip
    hardly = 2.0**-6 - 2.0**-20
    assert chosen((2.0**-9, False, False), (hardly, True, False), precision=12) == [hardly, hardly]
    assert chosen((0.5, False, False)) == [math.inf, 0.5]
    assert chosen((INFINITE, False, False), (2.0**-9, False, False)) == [2.0**-9, math.inf]
    assert chosen((2.0**-9, False, False), (2.0**-8, False, False), (2.0**-10, False, False)) == [
        2.0**-8, 2.0**-8,
    ]  # fmt: skip


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
) -> tuple[float, float, float, float]:  # fmt: skip
    """theta, s, rho and the potential's rho, as the docstring has them."""
    size, trace, heavy, energy, potential, rank, pool, c = 5.0, 7.0, 2.0, 0.625, 0.75, 1.5, 3, 12.0
    span = max(c + reach * D, *(side[0] for side in sides))
    tau, kappa = float(method.tau), float(method.amplified)
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
    potential_rho = rho + kappa * e * (4 * d * d + pool + 4) * D * energy / potential
    return theta, tau * math.sqrt(energy), rho, potential_rho


def numbers(found: Around) -> list[float]:
    return [float(x) for x in (found.theta, found.reach, found.rho, found.potential_rho)]


def test_the_terms_of_every_method() -> None:
    grants = grants_of()
    for method in grants.methods:
        found = grants._around(method, seen_of(), 9, arb(D))
        assert numbers(found) == near(list(around(method)))
        assert (found.shows, found.granted) == (True, True)


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
    grants = grants_of()
    one = arb(1)
    method = Method(one * 0, one, False, False, INFINITE)
    found = grants._around(method, seen_of(), 9, arb(D))
    assert not found.theta.is_finite()
    assert found.theta > 1
    assert (found.shows, found.granted) == (False, True)


def excuses(
    doubt: float, *, normal: bool, spared: bool, tau: float = 0.0, defect: float = 0.0,
    potential: float = 3.0,
) -> tuple[bool, bool]:  # fmt: skip
    """A method without roundings, where so much of a side is not known."""
    grants = grants_of(terms=1.0, defect=defect)
    grants.unit = arb(0)
    method = Method(arb(tau), arb(1), normal, spared, arb(0))
    seen = seen_of(
        sides=(Side(arb(1), arb(0), arb(doubt)),), energy=arb(1), potential=arb(potential)
    )
    found = grants._around(method, seen, 9, arb(D))
    return found.shows, found.granted


@pytest.mark.parametrize("spared", [False, True])
def test_when_a_method_shows_something(spared: bool) -> None:
    """In all below a quarter of a sixteenth; normal equations below 2^-17."""
    edge = 2.0**-6
    assert excuses(edge - 2.0**-40, normal=False, spared=spared) == (True, True)
    assert excuses(edge, normal=False, spared=spared) == (False, not spared)
    assert excuses(2.0**-17 - 2.0**-40, normal=True, spared=spared) == (True, True)
    assert excuses(2.0**-17, normal=True, spared=spared) == (False, True)
    assert excuses(edge, normal=True, spared=spared) == (False, not spared)


def test_light_points_count_twice() -> None:
    """2 s sqrt(n_1/Phi) = 2 tau where |E| = 1 and Phi = n_1 = 3."""
    assert excuses(0.0, normal=False, spared=True, tau=2.0**-7 - 2.0**-40) == (True, True)
    assert excuses(0.0, normal=False, spared=True, tau=2.0**-7) == (False, False)
    for tau, shows in ((2.0**-8 - 2.0**-40, True), (2.0**-8, False)):  # Phi = n_1/4
        assert excuses(0.0, normal=False, spared=True, tau=tau, potential=0.75)[0] is shows


def test_what_a_whitening_is_off_counts_too() -> None:
    half = 2.0**-7
    assert excuses(half, normal=False, spared=True, defect=half) == (False, False)
    assert excuses(half, normal=False, spared=True, defect=half - 2.0**-40) == (True, True)
    assert float(Grants(scheme_of(), Conditioning(1.0, 1.0, (), 1), 1, 53)._defect) == 0


def test_an_empty_pool_counts_as_one_point() -> None:
    grants = grants_of(pool=0)
    grants.unit = arb(0)
    for tau, shows in ((2.0**-7 - 2.0**-40, True), (2.0**-7, False)):
        seen = seen_of(sides=(Side(arb(1), arb(0), arb(0)),), energy=arb(1), potential=arb(1))
        method = Method(arb(tau), arb(1), False, False, arb(0))
        assert grants._around(method, seen, 9, arb(D)).shows is shows


def test_what_the_sum_of_the_masses_may_differ() -> None:
    """e ((n_1 + 2d + 8) R + 4 d^2 |D|) |E|/Phi, and 1 at most."""
    found = grants_of().summed(seen_of(), arb(D))
    assert found == near(E * ((3 + 4 + 8) * 1.5 + 16 * D) * 0.625 / 0.75)
    assert grants_of().summed(seen_of(potential=arb(2.0**-60)), arb(D)) == 1.0
    assert grants_of().summed(seen_of(potential=arb(0.75, 0.25)), arb(D)) >= found * 1.5


def test_one_state_for_every_method() -> None:
    grants, seen = grants_of(), seen_of()
    found = grants.at(seen, 9, arb(D))
    assert found.seen is seen
    assert [numbers(each) for each in found._around] == [
        near(list(around(method))) for method in grants.methods
    ]


# -- the theorem -----------------------------------------------------------------------------------


def made(
    theta: Any = 0.25, s: float = 0.0, rho: float = 0.0, whole: float = 0.0, *, shows: bool = True,
    granted: bool = True,
) -> Around:  # fmt: skip
    return Around(arb(theta), arb(s), arb(rho), arb(whole), shows, granted)


def pair(found: tuple[arb, arb]) -> tuple[float, float]:
    return float(found[0]), float(found[1])


def test_the_ends_of_a_form() -> None:
    """m = 4, s = 1, theta = 1/4, rho = 1/8."""
    low, high = pair(made(s=1.0).ends(arb(4), arb(0.125)))
    assert (low, high) == (near(0.875 / 1.25), near(9 * 1.125 / 0.75))
    assert pair(made(s=3.0).ends(arb(4), arb(0)))[0] == 0
    assert pair(made(s=0.0).ends(arb(-4), arb(0))) == (0, 0)
    assert pair(made().ends(arb(4), arb(1)))[0] == 0
    assert pair(made().ends(arb(4), arb(1.5)))[0] == 0
    assert pair(made().ends(arb(4), arb(2)))[0] == 0
    assert pair(made(1.0).ends(arb(4), arb(0))) == (2, math.inf)
    assert pair(made(1.5).ends(arb(4), arb(0))) == (near(1.6), math.inf)
    assert pair(made(INFINITE).ends(arb(4), arb(0))) == (0, math.inf)


def granted_of(*methods: Around, precision: int = 53, **facts: Any) -> Any:
    return Granted(methods, seen_of(**facts), precision)


W = 2.0**-51


def test_what_a_value_may_be() -> None:
    """By the methods that show something, and by all that are granted."""
    first, second = made(0.25, rho=0.0), made(0.5, rho=0.125, whole=0.25, shows=False)
    third = made(0.75, granted=False, shows=False)
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
    wide = made(1.0)
    assert pair(granted_of(wide).chance(0).near) == (0, math.inf)
    assert pair(granted_of(made(0.25, s=1.0)).chance(0).near)[1] == math.inf
    assert pair(granted_of(made(0.25), made(0.25, s=1.0)).chance(0).near)[1] == math.inf
    none = granted_of(made(shows=False))
    assert pair(none.mass(0).near) == (0, math.inf)
    assert pair(none.mass(0).far) != (0, math.inf)
    one = granted_of(made(0.25), made(1.0), made(0.25))
    assert pair(one.mass(0).near) == (near(0.25), math.inf)


def test_how_far_a_sum_of_probabilities_may_be_off() -> None:
    """4 (theta + both rho) + 2 s sqrt(n/Phi) + s^2 n/Phi; here n/Phi = 4."""
    few = made(2.0**-8, 2.0**-6, 2.0**-9, 2.0**-10)
    more = made(2.0**-6, shows=False)
    most = made(2.0**-5, shows=False, granted=False)
    found = granted_of(few, more, most)
    share = 2.0**-8 + 2.0**-9 + 2.0**-10
    assert found.share == near(4 * share + 2.0**-4 + 2.0**-10)
    assert granted_of(more, most).share == 1.0
    assert granted_of(made(2.0**-8), made(2.0**-7), made(2.0**-9)).share == near(2.0**-5)
    ball = granted_of(made(arb(2.0**-8, 2.0**-9))).share
    assert 6 * 2.0**-8 <= ball <= 6.001 * 2.0**-8
    assert granted_of(few, made(2.0**-6)).most == near(4 * share + 2.0**-4 + 2.0**-10)
    assert granted_of(made(2.0**-8), more, most).most == near(2.0**-4)
    assert granted_of(made(2.0**-8), more, made(2.0**-5)).most == near(2.0**-3)
    assert granted_of(made(2.0**-4)).share == 1.0
    assert granted_of(made(2.0**-4 - 2.0**-30)).share == near(0.25 - 2.0**-28)
    assert granted_of(made(0.0, 1.0)).share == 1.0
