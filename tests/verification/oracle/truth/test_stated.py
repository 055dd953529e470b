"""The theorem against perturbations, doubles against balls, and what is granted."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from asura.dataset import dataset
from asura.errors import Undecided
from asura_verify.oracle.truth.allowance import Conditioning, Defects, conditioning
from asura_verify.oracle.truth.stated import (
    Grant,
    Norms,
    Seen,
    StatedTruth,
    _apart,
    _cholesky,
    _Method,
    defect,
    given_rows,
    isometric_rows,
    longest_terms,
)


def states(seed: int, size: int, d: int) -> tuple[list[list[int]], list[tuple[int, float]], float]:
    """Points, some weighted picks, and how heavy they are: also states that no run reaches."""
    rng = np.random.default_rng([seed, size, d])
    rows = rng.integers(-9, 10, size=(size, d))
    rows[:d] += 10 * np.eye(d, dtype=int)
    picks = [(int(rng.integers(size)), float(rng.uniform(0, 5))) for _ in range(12)]
    return rows.tolist(), picks, float(rng.choice([0.01, 1.0, 100.0]))


def built(rows: list[list[int]], picks: list[tuple[int, float]]) -> StatedTruth:
    truth = StatedTruth(isometric_rows(dataset(rows).whitened))
    for index, weight in picks:
        truth.add(index, arb(weight))
    return truth


def between(truth: StatedTruth, scale: float) -> tuple[float, float]:
    """Barriers around A, near it or far from it."""
    form = truth.form()
    d = truth.dimension
    values = np.linalg.eigvalsh([[float(form[i, k]) for k in range(d)] for i in range(d)])
    return float(values[-1] + scale), float(values[0] - scale)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "d"), [(3, 1), (6, 2), (12, 5)])
def test_whitened_points_are_orthonormal(seed: int, size: int, d: int) -> None:
    with ctx.workprec(200):
        rows = isometric_rows(dataset(states(seed, size, d)[0]).whitened)
        assert defect(rows) < 1e-50


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "d"), [(3, 1), (6, 2), (12, 5)])
def test_the_theorem_holds_at_perturbations(seed: int, size: int, d: int) -> None:
    """Random S and e of the given norms, from nothing to a third of M: no value leaves its ends."""
    with ctx.workprec(200):
        rows, picks, scale = states(seed, size, d)
        truth = built(rows, picks)
        upper, lower = between(truth, scale)
        potential, masses, norms = truth.exactly(arb(upper), arb(lower))
        exact = np.array([[float(truth.rows[i, k]) for k in range(d)] for i in range(size)])
    form = sum(w * np.outer(exact[i], exact[i]) for i, w in picks)
    rng = np.random.default_rng(seed)
    inverse, both = float(norms.inverse[0]), float(norms.both[0])
    for theta in (1e-6, 1e-2, 0.3):
        eta, tau = theta / inverse, theta * rng.uniform(0, 1)
        for _ in range(20):
            sides = []
            for matrix in (upper * np.eye(d) - form, form - lower * np.eye(d)):
                moved = rng.standard_normal((d, d))
                moved = moved + moved.T
                sides.append(np.linalg.inv(matrix + moved * eta / np.linalg.norm(moved, 2)))
            bracket = sides[0] + sides[1]
            total = float(potential)
            slack = 1e-9 * theta + 1e-12  # of this test's own doubles
            assert total / (1 + theta) * (1 - slack) <= np.trace(bracket)
            assert np.trace(bracket) <= total / (1 - theta) * (1 + slack)
            for i in range(size):
                e = rng.standard_normal(d)
                point = exact[i] + e * tau / np.linalg.norm(e)
                mass, reach = float(masses[i]), tau * np.sqrt(both)
                found = point @ bracket @ point
                least = max(0.0, np.sqrt(max(mass, 0)) - reach) ** 2 / (1 + theta)
                most = (np.sqrt(max(mass, 0)) + reach) ** 2 / (1 - theta)
                assert least * (1 - slack) - 1e-30 <= found <= most * (1 + slack) + 1e-30


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "d"), [(3, 1), (6, 2), (12, 5)])
def test_doubles_are_within_their_bounds(seed: int, size: int, d: int) -> None:
    """A block against balls, step by step."""
    with ctx.workprec(200):
        rows, picks, scale = states(seed, size, d)
        truth = built(rows, picks)
        upper, lower = between(built(rows, picks + picks), scale)
        lower = min(lower, -scale)
        steps = [(12 + k, i, upper + k, lower, w) for k, (i, w) in enumerate(picks)]
        seen = truth.look(steps)
        assert seen is not None
        for k, (_, index, above, below, weight) in enumerate(steps):
            potential, masses, norms = truth.exactly(arb(above), arb(below))
            assert abs(potential - arb(float(seen.potential[k]))) <= float(seen.potential_off[k])
            assert seen.potential_off[k] < 1e-9 * seen.potential[k]
            for i in range(size):
                off = abs(masses[i] - arb(float(seen.masses[k, i])))
                assert off <= float(seen.masses_off[k, i])
            for name in ("inverse", "both", "trace", "size", "heaviest", "step"):
                mine, balls = getattr(seen.norms, name)[k], getattr(norms, name)[0]
                assert mine == pytest.approx(balls, rel=1e-6, abs=1e-12)
            truth.add(index, arb(weight))


def test_a_state_that_is_not_between_its_barriers_is_not_seen() -> None:
    with ctx.workprec(200):
        truth = built([[1, 0], [0, 1], [1, 1]], [(0, 2.0)])
        assert truth.look([(1, 0, 0.5, -1.0, 1.0)]) is None
        assert truth.look([(1, 0, 9.0, 0.5, 1.0)]) is None
        assert truth.look([(1, 0, 9.0, -1.0, -1.0)]) is None
        assert truth.look([(1, 0, 9.0, -1.0, 1.0)]) is not None


def norms_of(**facts: float) -> Norms:
    """A = 0, u = -l = 8, d = 1."""
    known = {
        "step": 0.0, "upper": 8.0, "lower": -8.0, "inverse": 0.125, "both": 0.25, "trace": 0.0,
        "size": 0.0, "heaviest": 0.0, "potential": 0.25,
    }  # fmt: skip
    return Norms(**{name: np.array([value]) for name, value in (known | facts).items()})


def test_what_is_granted_by_hand() -> None:
    """e = 2^-53, n = 2, d = 1, kappa = 1: theta = (8 * 16 + ...) e/8 of a step."""
    grant = Grant(53, Conditioning(1.0, 1.0, (0.5, 0.5), 1), 2)
    found = grant.bounds(norms_of())
    e = 2.0**-53
    assert found.rho[0] == pytest.approx(e * (2 + 4 + 8 + 4 * 2**1.5))
    assert found.near_theta[0] == pytest.approx(0.125 * e * (2 + 8 + 8) * 16)  # normal equations
    assert found.near_tau[0] == pytest.approx(2 * 10 * e)
    assert (found.far_theta[0], found.far_tau[0]) == (found.near_theta[0], found.near_tau[0])
    assert found.shows[0]
    later = grant.bounds(norms_of(step=100.0, trace=4.0, size=4.0, heaviest=8.0))
    tau = 2 * 10 * e
    reflected = e * (100 * 4 + 4 * 4 + 8 * 16) + 2 * tau * 32**0.5 + tau**2 * 8
    normal = e * (104 * 4 + 18 * 16)
    assert later.near_theta[0] == pytest.approx(0.125 * max(reflected, normal + 8 * e * 32**0.5))


def test_conditions_open_what_they_hide() -> None:
    """At 1e8 the normal equations show nothing, and orthogonal methods do."""
    good, bad = Conditioning(10.0, 10.0, (), 1), Conditioning(1e8, 1e8, (), 1)
    near = Grant(53, good, 2).bounds(norms_of())
    far = Grant(53, bad, 2).bounds(norms_of())
    assert near.far_theta[0] == near.near_theta[0] < 1e-10
    assert far.shows[0]
    assert far.near_theta[0] < 1e-5
    assert far.far_theta[0] > 1
    assert far.near_tau[0] == far.far_tau[0] < 1e-5
    hopeless = Grant(24, bad, 2).bounds(norms_of())
    assert not hopeless.shows[0]
    # Columns in units: the normal equations of unscaled columns leave open what they hide.
    units = Grant(53, Conditioning(10.0, 1e8, (), 1), 2).bounds(norms_of())
    assert units.near_theta[0] < 1e-5
    assert units.far_theta[0] > 1


def test_a_reported_whitening_leaves_no_conditioning() -> None:
    bad = Conditioning(1e8, 1e8, (), 1)
    grant = Grant(53, bad, 2, terms=1.0, defect=2.0**-40)
    found = grant.bounds(norms_of())
    assert found.far_theta[0] < 1e-13
    assert 2.0**-40 < found.rho[0] < 1.01 * 2.0**-40
    assert Grant(53, bad, 2).whitening() > 0.1
    assert Grant(53, Conditioning(1.0, 1.0, (), 1), 2).whitening() == 4 * 20 * 2.0**-53


@pytest.mark.parametrize(
    ("scaled", "plain", "kept"),
    [
        (1.0, 1.0, 20),  # d = 1, n = 2: reflections 20 kappa, normal equations 18 kappa^2
        (8.0, 8.0, 18 * 64),
        (2.0**18, 2.0**18, 20 * 2.0**18),  # 18 kappa^2 e keeps less than a third of the bits
        (2.0**40, 2.0**40, 20 * 2.0**40),
        (1.0, 2.0**20, 20 * 2.0**20),
        (1.0, 2.0**32, 20),  # nor do singular values of columns as they are
        (1.0, 2.0**10, 18 * 2.0**20),
        (1.0, 2.0**10.7, 20 * 2.0**10.7),  # more than a third, by what the units cost
        (8.0, 2.0**33, 18 * 64),  # normal equations of scaled columns are kept by themselves
    ],
)
def test_a_whitening_that_keeps_enough_digits(scaled: float, plain: float, kept: float) -> None:
    grant = Grant(53, Conditioning(scaled, plain, (), 1), 2)
    assert grant.kept_whitening() == pytest.approx(4 * kept * E, rel=1e-12, abs=0)


def test_a_reported_whitening_is_applied_to_scaled_points() -> None:
    data = dataset([[3, 0], [0, 2]], squared_scales=[4, 1])
    with ctx.workprec(100):
        rows = given_rows(data, [[Fraction(1, 6), Fraction(0)], [Fraction(0), Fraction(1, 2)]])
        assert [float(rows[i, k]) for i in range(2) for k in range(2)] == [1, 0, 0, 1]
        assert defect(rows) < 1e-20
        assert conditioning(data).dimension == 2


# -- by hand, in more dimensions -------------------------------------------------------------------

E = 2.0**-53


def test_how_far_a_whitening_may_be_off() -> None:
    """d = 4, n = 24: reflections 2 * 2 * 4 * 32 = 512 e kappa, normal equations 256 e kappa^2."""
    for plain, scaled, expected in (
        (1, 1, 512), (1.5, 1, 768), (8, 1, 256 * 64), (1, 2, 1024), (1, 8, 256 * 64),
    ):  # fmt: skip
        known = Conditioning(float(scaled), float(plain), (), 4)
        assert Grant(53, known, 24).whitening() == 4 * expected * E
    # 4 * 256 * 2^42 e = 1/2, and with twice the condition number no digit is left.
    for plain, found in ((2.0**21, 0.5), (2.0**22, math.inf), (2.0**21.5, math.inf)):
        assert Grant(53, Conditioning(1.0, plain, (), 4), 24).whitening() == found
    # At 1 itself, 4 * 256 * 2^42 2^-52, there is none either.
    assert Grant(52, Conditioning(1.0, 2.0**21, (), 4), 24).whitening() == math.inf
    assert Grant(2000, Conditioning(1.0, 1.0, (), 4), 24).unit == 2.0**-1000


def test_tau_of_orthogonal_methods() -> None:
    """512 e kappa, of columns as they are or scaled; none where the whitening is reported."""
    for plain, scaled, kappa in ((8.0, 1.0, 8), (1.0, 4.0, 4)):
        known = Conditioning(scaled, plain, (), 4)
        assert Grant(53, known, 24).orthogonal == 512 * kappa * E
        assert Grant(53, known, 24, terms=1.0).orthogonal is None


#: u = 12, l = -4; A of norm 4 and trace 8, a point of weight 16; gap |M^-1| = 4, of root^3 8.
STEP = {
    "step": 3.0, "upper": 12.0, "lower": -4.0, "inverse": 0.25, "both": 6.0, "trace": 8.0,
    "size": 4.0, "heaviest": 16.0, "potential": 9.0,
}  # fmt: skip
#: n + 4 d + 8 + 4 d 8 roundings of an evaluation, with d = 4 and n = 24.
RHO = 24 + 16 + 8 + 128
#: j |A| + 4 Tr A + 8 d^2 (u + |l|) roundings.
OWN = 3 * 4 + 4 * 8 + 8 * 16 * 16
#: (j + 4) Tr A + (n + 8 + 8 d) d (u + |l|) roundings.
NORMAL = 7 * 8 + 64 * 4 * 16


def theta(roundings: float, tau: float) -> float:
    """|M^-1| times eta + 2 tau sqrt(4 * 16) + 16 tau^2."""
    return 0.25 * (roundings + 16 * tau + 16 * tau * tau)


def bounds_of(plain: float, scaled: float, bits: int = 53, **facts: float) -> list[float]:
    """Theta and tau, near and far, and whether anything shows."""
    grant = Grant(bits, Conditioning(scaled, plain, (), 4), 24)
    found = grant.bounds(norms_of(**(STEP | facts)))
    assert found.rho[0] == RHO * 2.0**-bits
    ends = found.near_theta, found.near_tau, found.far_theta, found.far_tau, found.shows
    return [float(x[0]) for x in ends]


def test_four_methods_each_where_it_is_the_widest() -> None:
    """Reflections have tau = 512 e kappa; the normal equations eta = NORMAL e kappa^2."""
    both = theta(OWN * E, 512 * E)
    assert both > theta(NORMAL * E, 4 * E)
    assert bounds_of(1.0, 1.0) == [both, 512 * E, both, 512 * E, 1]
    wide = theta(NORMAL * E * 64, 4 * E)  # the normal equations of scaled columns
    assert wide > theta(OWN * E, 512 * 8 * E)
    assert bounds_of(1.0, 8.0) == [wide, 512 * 8 * E, wide, 512 * 8 * E, 1]
    assert bounds_of(8.0, 1.0) == [wide, 512 * 8 * E, wide, 512 * 8 * E, 1]  # of columns as given
    # Normal equations of scaled columns that hide everything: left open, not accused.
    scaled = 2.0**25
    near, hidden = theta(OWN * E, 512 * E * scaled), theta(NORMAL * E * scaled**2, 4 * E)
    assert bounds_of(1.0, scaled) == [near, 512 * E * scaled, hidden, 512 * E * scaled, 1]
    # Those of unscaled columns, too; nor do their singular values keep a third of the bits.
    assert bounds_of(scaled, 1.0) == [both, 512 * E, hidden, 512 * E * scaled, 1]
    # Nothing shows.
    e = 2.0**-24
    far = max(theta(OWN * e, 512 * e * 2**15), theta(NORMAL * e * 2**30, 4 * e))
    assert bounds_of(1.0, 2.0**15, 24) == [0, 0, far, 512 * e * 2**15, 0]
    # Singular values of unscaled columns that hide everything are left open.
    near = theta(OWN * e, 512 * e * 16)
    assert bounds_of(2.0**15, 16.0, 24) == [near, 512 * e * 16, far, 512 * e * 2**15, 1]
    # A lower barrier above 0 counts with its size, and the gap is smaller.
    span = theta((3 * 4 + 32 + 8 * 16 * 24) * E, 512 * E)
    assert bounds_of(1.0, 1.0, upper=20.0, lower=4.0)[0] == span


@pytest.mark.parametrize(("ulps", "shows"), [(-1, True), (0, False), (1, False)])
def test_a_method_shows_something_below_a_quarter_of_a_sixteenth(ulps: int, shows: bool) -> None:
    """theta + rho + 2 tau sqrt(24 * 6/9) < 1/64, with a whitening whose error is computed."""
    e = 2.0**-40
    known = Conditioning(1e9, 1e9, (), 4)  # of no account
    tau = 2 * 4 * e * 3
    moved = theta(OWN * e, 24**0.5 * tau)  # by all points together
    rest = moved + RHO * e + 2 * tau * 4
    off = 2.0**-6 - rest + ulps * 2.0**-50
    found = Grant(40, known, 24, terms=3.0, defect=off).bounds(norms_of(**STEP))
    assert bool(found.shows[0]) is shows
    assert found.rho[0] == RHO * e + off
    assert found.far_theta[0] == pytest.approx(moved, rel=1e-14)
    assert found.far_tau[0] == tau
    expected = (found.far_theta[0], found.far_tau[0]) if shows else (0, 0)
    assert (found.near_theta[0], found.near_tau[0]) == expected


def test_the_normal_equations_show_something_with_a_third_of_the_bits() -> None:
    """Their bound is 1038 e kappa^2 here, and 2^-17 is a third of 53 bits."""
    for kappa, near in ((2.0**12.9, True), (2.0**13, False)):
        for found in (bounds_of(1.0, kappa), bounds_of(kappa, kappa)):
            assert (found[0] > 2.0**-18) is near  # other methods have a theta below 2^-28
            assert found[2] > 2.0**-18
    # More by what the units of the columns cost: 1038 e kappa^2 < 2^-17/32 and 2^-17/kappa.
    for kappa, near in ((2.0**10.4, True), (2.0**10.55, False)):
        assert (bounds_of(kappa, kappa / 32)[0] > 2.0**-24) is near
    for kappa, near in ((2.0**8.6, True), (2.0**8.7, False)):
        assert (bounds_of(kappa, 1.0)[0] > 2.0**-27.5) is near
    many = Grant(2000, Conditioning(2.0**300, 1.0, (), 4), 24).bounds(norms_of(**STEP))
    assert float(many.near_theta[0]) > 2.0**-400


@pytest.mark.parametrize(("both", "shows"), [(6.0, True), (26.5, True), (80.0, False)])
def test_few_bits_show_a_quarter_of_a_sixteenth(both: float, shows: bool) -> None:
    """Of 13 bits a third would be a sixteenth: a whole bound of 0.0098, 0.0141 and 0.02."""
    grant = Grant(13, Conditioning(1.0, 1.0, (), 4), 24)
    limits = [method.limit for method in grant._methods(np.zeros(1), np.zeros(1))]
    whole = 4 * 2.0**-13 * 2 * np.sqrt(both * 24 / 9) + 48 * 2.0**-13
    assert [bool(whole < limit) for limit in limits] == [shows] * 4


@pytest.mark.parametrize("share", [0.6, 0.9, 1.1, 3.0])
def test_every_method_has_its_own_end(share: float) -> None:
    """Orthogonal methods show something up to 2^-6, those of columns as they are up to 2^-17."""
    off = 2.0**-6 * share
    at = norms_of(**STEP)
    granted = Grant(53, Conditioning(1.0, 2.0**4, (), 4), 24, defect=off).bounds(at)
    assert bool(granted.shows[0]) is (share < 1)
    # The columns as they are hide the rest; the scaled ones show it.
    kappa = off / (12 * 512 * E)  # 2 light and theta of tau = 512 e
    found = Grant(53, Conditioning(1.0, kappa * 2.0**-11, (), 4), 24).bounds(at)
    assert bool(found.near_tau[0] > 512 * E) is (share < 1)
    found = Grant(53, Conditioning(kappa, 8 * kappa, (), 4), 24).bounds(at)
    assert bool(found.shows[0]) is (share < 1)
    kappa = np.sqrt(off / (0.25 * NORMAL * E))
    wide = Grant(53, Conditioning(1.0, float(kappa), (), 4), 24).bounds(at)
    assert wide.far_theta[0] > off / 2  # however much the normal equations lose


#: What d = 4, n = 24 and the step of above make of sum and trace.
REFLECTED, REACH = 512 * E, (6 / 9) ** 0.5


def apart(share: float, light: float) -> float:
    """The corollary."""
    return (1 + share) / ((1 - share) * (1 - light) ** 2) - 1


def defects_of(plain: float, scaled: float, **facts: Any) -> Defects:
    (found,) = Grant(53, Conditioning(scaled, plain, (), 4), 24, **facts).defects(norms_of(**STEP))
    return found


def test_how_far_sum_and_trace_may_differ() -> None:
    """Own, whatever the data; near and far by the methods of the theorem."""
    rho, few = RHO * E, 1e-4  # 1.001 covers roundings
    own = apart(0.25 * OWN * E + rho, REFLECTED * REACH)
    found = defects_of(1.0, 1.0)
    reflected = apart(theta(OWN * E, 512 * E) + rho, REFLECTED * REACH)
    assert found == pytest.approx([1.001 * x for x in (own, reflected, reflected)], rel=1e-3, abs=0)
    # Normal equations that keep a third, columns times an inverse factor that keep half.
    kappa = 2.0**12
    normal = apart(theta(NORMAL * E * kappa**2, 4 * E) + rho, 4 * E * 24**0.5 * REACH)
    found = defects_of(kappa, kappa)
    assert found == pytest.approx([1.001 * x for x in (own, normal, normal)], rel=few, abs=1e-15)
    kappa = 2.0**15
    tau = 512 * E * kappa
    near = apart(theta(OWN * E, tau) + rho, tau * REACH)
    far = apart(theta(NORMAL * E * kappa**2, 4 * E) + rho, 4 * E * 24**0.5 * REACH)
    assert 2.0**-26 < near < 2.0**-24  # the whole bound is half of this
    for scaled, plain in ((kappa, kappa), (kappa, 1.0)):
        found = defects_of(plain, scaled)
        assert found == pytest.approx([1.001 * x for x in (own, near, far)], rel=few, abs=1e-15)
    # Beyond, nothing but the roundings of a step is near, and from theta = 1 on all is far.
    found = defects_of(2.0**24, 2.0**24)
    assert found.near == found.own == pytest.approx(1.001 * own, rel=1e-3, abs=0)
    assert found.far == math.inf
    # A reported whitening has one method, and all of its points together are sqrt n times as far.
    tau = 8 * E * 3
    one = apart(theta(OWN * E, tau) + rho + 2.0**-30, 24**0.5 * tau * REACH)
    found = defects_of(1e9, 1e9, terms=3.0, defect=2.0**-30)
    assert found.near == found.far == pytest.approx(1.001 * one, rel=1e-3, abs=0)


def test_no_digit_of_sum_and_trace() -> None:
    """With three bits a step has none: what is off is open, and not right."""
    few = Grant(3, Conditioning(1.0, 1.0, (), 4), 24).defects(norms_of(**STEP))
    assert few == [Defects(0.0, 0.0, math.inf)]


def test_the_corollary_of_many_bits_does_not_cancel() -> None:
    (found,) = Grant(500, Conditioning(1.0, 1.0, (), 4), 24).defects(norms_of(**STEP))
    assert 0 < found.own < found.far < 2.0**-480


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "d"), [(3, 1), (6, 2), (12, 5)])
def test_the_corollary_holds_at_perturbations(seed: int, size: int, d: int) -> None:
    """Random forms and points within theta and sigma: neither quotient leaves its bound."""
    rng = np.random.default_rng([7, seed, size, d])
    with ctx.workprec(128):
        rows, picks, scale = states(seed, size, d)
        truth = built(rows, picks)
        upper, lower = between(truth, scale)
        points = np.array([[float(x) for x in row] for row in truth.rows.tolist()])
        form = np.array([[float(x) for x in row] for row in truth.form().tolist()])
    sides = upper * np.eye(d) - form, form - lower * np.eye(d)
    inverses = [np.linalg.inv(side) for side in sides]
    phi = float(np.trace(inverses[0] + inverses[1]))
    both = sum(float(np.linalg.norm(inverse)) for inverse in inverses)
    for share in (0.0, 0.01, 0.3):
        moved = []
        for side in sides:  # by at most a share of each, in Loewner order
            root = np.linalg.cholesky(side)
            turn = rng.standard_normal((d, d))
            turn = turn + turn.T
            moved.append(side + share * root @ (turn / np.linalg.norm(turn, 2)) @ root.T)
        bracket = sum(np.linalg.inv(side) for side in moved)
        sigma = share * np.sqrt(phi / both)
        away = rng.standard_normal(points.shape)
        points_ = points + sigma * away / np.linalg.norm(away)
        total = float(np.sum((points_ @ bracket) * points_)) * (1 + share)
        trace = float(np.trace(bracket)) * (1 - share)
        bound = apart(2 * share, sigma * np.sqrt(both / phi)) * (1 + 1e-9) + 1e-9
        assert abs(total / trace - 1) <= bound
        assert abs(trace / total - 1) <= bound


def unit_points() -> StatedTruth:
    """Two orthonormal points of weight 4: A = 4."""
    truth = StatedTruth(arb_mat([[1, 0], [0, 1]]))
    truth.add(0, arb(4))
    truth.add(1, arb(4))
    return truth


def test_what_doubles_are_off_by_hand() -> None:
    """d = 2: M = 8, N = 8 and then, with a weight of 8, M = diag(8, 16), N = diag(16, 8)."""
    with ctx.workprec(128):
        truth = unit_points()
        seen = truth.look([(2, 0, 12.0, -4.0, 8.0), (3, 1, 20.0, -4.0, 8.0)])
        assert seen is not None
        assert truth.steps == 2
    assert seen.potential.tolist() == [4 / 8, 3 / 8]
    assert seen.masses.tolist() == [[2 / 8, 2 / 8], [3 / 16, 3 / 16]]
    assert seen.above.tolist() == [1 / 8, 1 / 16]
    # A as a double, the block on top of it, and the barrier: 4 Tr A + 10 Tr added + 4 u.
    off = [E * (4 * 8 + 4 * 12), E * (4 * 16 + (2 + 8) * 8 + 4 * 20)]
    doubt = []
    for k, (norm, inverse) in enumerate(((8 * 2**0.5, 2**0.5 / 8), (320**0.5, 5**0.5 / 16))):
        share = (8 * E * norm + off[k]) * inverse
        doubt.append(2 * 1.001 * inverse * share + 12 * E * 2 * inverse)
    assert seen.potential_off == pytest.approx([2**0.5 * x for x in doubt], rel=1e-9, abs=0)
    for found in (seen.masses_off[:, 0], seen.masses_off[:, 1], seen.above_off):
        assert found == pytest.approx([1.001 * x for x in doubt], rel=1e-9, abs=0)
    norms = seen.norms
    assert norms.step.tolist() == [2, 3]
    assert norms.trace == pytest.approx([8 + off[0], 16 + off[1]], rel=1e-15)
    assert (norms.upper.tolist(), norms.lower.tolist()) == ([12, 20], [-4, -4])
    # Norms are those of the doubles and what these are off.
    assert norms.size == pytest.approx([32**0.5 + off[0], 160**0.5 + off[1]], rel=1e-15)
    sides = [
        (x - 12 * E * 2 * y) / 2 for x, y in zip(doubt, (2**0.5 / 8, 5**0.5 / 16), strict=True)
    ]
    inverses = [2**0.5 / 8 + sides[0], 5**0.5 / 16 + sides[1]]
    assert norms.inverse == pytest.approx(inverses, rel=1e-15)
    assert norms.both == pytest.approx([2**0.5 / 4 + doubt[0], 5**0.5 / 8 + doubt[1]], rel=1e-15)
    assert norms.heaviest.tolist() == [4, 12]
    least = seen.potential - seen.potential_off
    assert norms.potential.tolist() == least.tolist()
    assert np.all(least < seen.potential)


def looked(
    monkeypatch: pytest.MonkeyPatch, offs: list[float], norm: float = 0.0, *, first: bool = True
) -> Seen | None:
    """Two steps of one point at u - A = A - l = 4, with inverses that are off by so much.

    The norm is that of the first side or of the other, and the other has none.
    """
    truth = StatedTruth(arb_mat([[1]]))
    truth.add(0, arb(4))
    inverses = np.full((2, 1, 1), 0.25)
    norms = [norm, 0.0] if first else [0.0, norm]

    def inverse(_self: Any, _matrices: Any, _off: Any) -> Any:
        return inverses, np.full(2, norms.pop(0)), np.array(offs)

    monkeypatch.setattr(StatedTruth, "_inverse", inverse)
    with ctx.workprec(128):
        return truth.look([(1, 0, 8.0, 0.0, 1.0), (2, 0, 9.0, 1.0, 1.0)])


def test_a_potential_of_which_nothing_is_known_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides together are 1/2, and each is off by 1/8, 1/4 or 1/2."""
    assert looked(monkeypatch, [0.125, 0.125]) is not None
    for offs in ([0.25, 0.125], [0.125, 0.25], [0.5, 0.5]):
        assert looked(monkeypatch, offs) is None


@pytest.mark.parametrize("first", [True, False])
def test_norms_are_those_of_any_inverse_within_its_bound(
    monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    seen = looked(monkeypatch, [0.125, 0.0625], 0.25, first=first)
    assert seen is not None
    rounded = (2 + 8) * E * 0.25
    assert seen.norms.inverse.tolist() == [0.375, 0.3125]
    assert seen.norms.both.tolist() == [0.25 + (0.25 + rounded), 0.25 + (0.125 + rounded)]
    assert seen.norms.potential.tolist() == [0.5 - (0.25 + rounded), 0.5 - (0.125 + rounded)]
    # A = 4 and then 5: 4 Tr A + 10 Tr added + 4 u roundings.
    off = [E * (4 * 4 + 4 * 8), E * (4 * 5 + (2 + 8) * 1 + 4 * 9)]
    assert seen.norms.trace.tolist() == seen.norms.size.tolist() == [4 + off[0], 5 + off[1]]
    assert seen.norms.trace[0] > 4


def test_the_larger_barrier_is_rounded() -> None:
    """u = 12 and l = -28: M = 8 and N = 32, each rounded in units of 28."""
    with ctx.workprec(128):
        seen = unit_points().look([(2, 0, 12.0, -28.0, 8.0)])
        assert seen is not None
    doubt = 12 * E * (2**0.5 / 8 + 2**0.5 / 32)
    for side in (8, 32):
        inverse = 2**0.5 / side
        share = (8 * E * side * 2**0.5 + E * (4 * 8 + 4 * 28)) * inverse
        doubt += 1.001 * inverse * share
    assert seen.potential_off[0] == pytest.approx(2**0.5 * doubt, rel=1e-9, abs=0)
    assert seen.norms.inverse[0] == pytest.approx(2**0.5 / 8)
    # Squared lengths are rounded d times, too, and count.
    with ctx.workprec(128):
        long = StatedTruth(arb_mat([[3, 4]]))
        assert long._squares.tolist() == [25 * (1 + 4 * E)]


def test_weights_are_summed_before_every_step() -> None:
    with ctx.workprec(128):
        truth = unit_points()
        truth.correct(1, arb(2))
        assert [float(x) for x in truth.weights] == [4, 6]
        found = truth._heaviest(np.array([0, 0, 1]), np.array([1.0, 5.0, 1.0]))
        assert found.tolist() == [6, 6, 10]
        assert truth.steps == 2


def test_what_is_no_weight_is_not_seen() -> None:
    with ctx.workprec(128):
        truth = unit_points()
        assert truth.look([(2, 0, 12.0, -4.0, 0.0)]) is not None
        with np.errstate(all="ignore"):
            assert truth.look([(2, 0, 99.0, -4.0, 1e400), (3, 0, 99.0, -4.0, 1.0)]) is None
            assert truth.look([(2, 0, 12.0, -4.0, math.nan)]) is None
        assert truth.look([(2, 0, 12.0, -4.0, 1.0), (3, 0, 12.0, -4.0, -1.0)]) is None


@pytest.mark.parametrize(("ulps", "seen"), [(30.5, True), (29.5, False), (21.0, False)])
def test_a_matrix_is_positive_with_room_for_its_roundings(ulps: float, seen: bool) -> None:
    """d = 3: Cholesky may be off by 2 (d + 2) d = 30 roundings of |M|, beside what M is off."""
    truth = StatedTruth(arb_mat(3, 3))
    for size in (1.0, 16.0):
        matrix = np.diag([1.0, 2.0**-8, ulps * E])[None] * size
        assert (truth._inverse(matrix, np.zeros(1)) is not None) is seen
        more = np.diag([1.0, 2.0**-8, (ulps + 8) * E])[None] * size
        assert (truth._inverse(more, np.array([8 * E * size])) is not None) is seen


@pytest.mark.parametrize(("off", "seen"), [(0.4999, True), (0.5 - 6 * E, False), (0.51, False)])
def test_an_inverse_is_known_while_half_of_it_is(off: float, seen: bool) -> None:
    """d = 1, M = 1: 6 roundings and what it is off are the share r, and r/(1 - r) of |Z|."""
    truth = StatedTruth(arb_mat(1, 1))
    found = truth._inverse(np.ones((1, 1, 1)), np.array([off]))
    assert (found is not None) is seen
    several = truth._inverse(np.ones((2, 1, 1)), np.array([0.0, off]))
    assert (several is not None) is seen
    if found is not None:
        share = off + 6 * E
        assert found[2][0] == pytest.approx(1.001 * share / (1 - share), rel=1e-12, abs=0)


def test_a_residual_counts() -> None:
    """Ill-conditioned: |1 - M Z| is far more than its roundings."""
    truth = StatedTruth(arb_mat(3, 3))
    matrix = (1 / (1 + np.add.outer(np.arange(3.0), np.arange(3.0))))[None]
    found = truth._inverse(matrix, np.zeros(1))
    assert found is not None
    inverse, size, off = found
    rest = np.linalg.norm(matrix[0] @ inverse[0] - np.eye(3))
    assert rest > 0
    share = rest + 10 * E * np.linalg.norm(matrix) * size[0]
    assert off[0] == pytest.approx(1.001 * size[0] * share / (1 - share), rel=1e-9, abs=0)


def test_a_state_in_balls_by_hand() -> None:
    """A = diag(4, 4) between -4 and 12, and a weight more: A = diag(12, 4) between -4 and 20."""
    with ctx.workprec(128):
        truth = unit_points()
        truth.add(0, arb(8))
        potential, masses, norms = truth.exactly(arb(20), arb(-4))
        assert potential == 0.375
        assert [float(x) for x in masses] == [1 / 8 + 1 / 16, 1 / 16 + 1 / 8]
        for barriers in ((12, -4), (20, 4), (3, 1), (11, 5)):
            with pytest.raises(Undecided):
                truth.exactly(*(arb(x) for x in barriers))
        truth.correct(1, arb(12))
        potential, masses, norms = truth.exactly(arb(20), arb(-4))
        assert potential.overlaps(arb("0.4875"))  # 1/8 + 1/4 + 1/16 + 1/20
        assert float(masses[1]) == 0.3
    facts = {name: float(getattr(norms, name)[0]) for name in STEP}
    first, second = (1 / 64 + 1 / 16) ** 0.5, (1 / 256 + 1 / 400) ** 0.5
    assert facts == pytest.approx(
        {
            "step": 3, "upper": 20, "lower": -4, "inverse": first, "both": first + second,
            "trace": 28, "size": (144 + 256) ** 0.5, "heaviest": 16, "potential": 0.4875,
        },
        rel=1e-12,
    )  # fmt: skip


def test_a_root_of_the_gram_matrix() -> None:
    with ctx.workprec(128):
        assert _cholesky(arb_mat([[4, 2], [2, 5]])) == arb_mat([[2, 0], [1, 2]])
        root = _cholesky(arb_mat([[1, 2, 3], [2, 8, 10], [3, 10, 29]]))
        assert root == arb_mat([[1, 0, 0], [2, 2, 0], [3, 2, 4]])
        for singular in ([[1, 1], [1, 1]], [[1, 2], [2, 1]], [[0]]):
            with pytest.raises(Undecided):
                _cholesky(arb_mat(singular))


def test_points_of_several_scales_are_whitened() -> None:
    with ctx.workprec(128):
        rows = isometric_rows(dataset([[3, 0], [0, 2], [1, 1]], squared_scales=[4, 9, 1]).whitened)
        assert defect(rows) < 1e-30
        # Leverages are those of 6, 6 and (1, 1): squared lengths c x^T G^-1 x, G = 36 + ones.
        squares = [rows[i, 0] ** 2 + rows[i, 1] ** 2 for i in range(3)]
        assert [float(x) for x in squares] == pytest.approx([36 * 37 / 1368] * 2 + [72 / 1368])
        assert defect(arb_mat([[1, 0], [0, 1], [1, 1]])) == pytest.approx(2.0)
        assert defect(arb_mat([[1, 0], [0, 1]])) == 0


def test_the_terms_of_a_reported_whitening() -> None:
    """|R|^T |x| sqrt c: (|-1| 3 + 2 * 4) * 2 and (0 + 1 * 4) * 2 of the first point."""
    data = dataset([[-3, 4], [1, 0]], squared_scales=[4, 1])
    whitening = [[Fraction(-1), Fraction(0)], [Fraction(2), Fraction(-1)]]
    assert longest_terms(data, whitening) == pytest.approx((22**2 + 8**2) ** 0.5)


def test_where_the_normal_equations_keep_a_third_of_the_bits() -> None:
    """2 sqrt(4) (24 + 8 + 32) 4 kappa^2 = 2^10 kappa^2 roundings, and 17 bits are to be kept."""
    limit = 2.0**13
    below = math.nextafter(limit, 0)
    for kappa, keeps in ((limit, False), (below, True)):
        for plain in (1.0, 2.0**20):  # whatever the units of the columns
            assert Grant(53, Conditioning(kappa, plain, (), 4), 24).squares_keep is keeps


def test_the_bound_of_the_corollary() -> None:
    """(1 + x)/((1 - x)(1 - light)^2) - 1, and nothing from 1 on."""
    found = _apart(np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.25, 0.5, 0.0, 0.0]))
    assert found == pytest.approx([1.001 * (1.5 / (0.5 * 0.75**2) - 1), 3.003, 2.002, 0.0])
    with np.errstate(all="ignore"):
        none = _apart(np.array([1.0, 1.5, 0.0, 0.0]), np.array([0.0, 0.0, 1.0, 1.5]))
    assert none.tolist() == [math.inf] * 4


@pytest.mark.parametrize(("ulps", "shown"), [(-1, True), (1, False)])
def test_a_reported_whitening_ties_up_to_a_quarter_of_a_sixteenth(ulps: int, shown: bool) -> None:
    """theta + rho + 2 light with tau = 2^-10 of every point, so that light = 2^-8."""
    rest = theta(OWN * E, 24**0.5 * 2.0**-10) + RHO * E + 2 * 2.0**-8
    found = defects_of(1e9, 1e9, terms=2.0**40, defect=2.0**-6 - rest + ulps * 2.0**-40)
    assert (found.near == found.far) is shown
    assert (found.near == found.own) is not shown


def test_a_tie_at_the_limit_is_not_shown() -> None:
    """theta = 0.25 eta, which is exactly half of the bits; and just below."""
    for eta, shown in ((2.0**-24, False), (2.0**-24 - 2.0**-60, True)):
        grant = Grant(53, Conditioning(1.0, 1.0, (), 4), 24)
        grant.unit = grant._reflected = 0.0
        method = _Method(0.0, 0.0, np.array([eta]), 1.0, 2.0**-26)
        grant._methods = lambda *_given, only=method: (only,)  # type: ignore[method-assign]
        (found,) = grant.defects(norms_of(**STEP))
        assert found.far == pytest.approx(1.001 * 2.0**-25, rel=1e-6)
        assert (found.near == found.far) is shown


@pytest.mark.parametrize(
    ("scaled", "plain", "kept"),
    [
        (8.0, 1.0, 108 * 64),  # d = 3, n = 4: (4 + 8 + 24) 3 = 108
        (1.0, 1.0, 108),
    ],
)
def test_a_whitening_of_three_columns_that_keeps_enough_digits(
    scaled: float, plain: float, kept: float
) -> None:
    """Reflections 2 sqrt(3) 3 (4 + 8) = 72 sqrt 3, about 124.7 kappa."""
    grant = Grant(53, Conditioning(scaled, plain, (), 3), 4)
    expected = max(72 * 3**0.5 * scaled, kept)
    assert grant.kept_whitening() == pytest.approx(4 * expected * E, rel=1e-12, abs=0)


def test_a_whitening_at_a_third_of_the_bits_is_not_kept() -> None:
    """(48 + 8 + 8) kappa^2 e = 2^-17 at kappa = 2^15; reflections 2 * 56 kappa."""
    for kappa, kept in ((2.0**15, 112 * 2.0**15), (2.0**15 - 1, 64 * (2.0**15 - 1) ** 2)):
        grant = Grant(53, Conditioning(kappa, 1.0, (), 1), 48)
        assert grant.kept_whitening() == pytest.approx(4 * kept * E, rel=1e-12, abs=0)
