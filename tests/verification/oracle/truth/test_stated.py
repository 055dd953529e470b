"""The theorem against perturbations, doubles against balls, and what is granted."""

import numpy as np
import pytest
from flint import arb, ctx

from asura.dataset import dataset
from asura_verify.oracle.truth.allowance import Conditioning, conditioning
from asura_verify.oracle.truth.stated import (
    Grant,
    Norms,
    StatedTruth,
    defect,
    given_rows,
    isometric_rows,
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
    # Columns in units: the normal equations of unscaled columns are not granted when they hide.
    units = Grant(53, Conditioning(10.0, 1e8, (), 1), 2).bounds(norms_of())
    assert units.far_theta[0] < 1e-5


def test_a_reported_whitening_leaves_no_conditioning() -> None:
    bad = Conditioning(1e8, 1e8, (), 1)
    grant = Grant(53, bad, 2, terms=1.0, defect=2.0**-40)
    found = grant.bounds(norms_of())
    assert found.far_theta[0] < 1e-13
    assert 2.0**-40 < found.rho[0] < 1.01 * 2.0**-40
    assert Grant(53, bad, 2).whitening() > 0.1
    assert Grant(53, Conditioning(1.0, 1.0, (), 1), 2).whitening() == 4 * 20 * 2.0**-53


def test_a_reported_whitening_is_applied_to_scaled_points() -> None:
    from fractions import Fraction

    data = dataset([[3, 0], [0, 2]], squared_scales=[4, 1])
    with ctx.workprec(100):
        rows = given_rows(data, [[Fraction(1, 6), Fraction(0)], [Fraction(0), Fraction(1, 2)]])
        assert [float(rows[i, k]) for i in range(2) for k in range(2)] == [1, 0, 0, 1]
        assert defect(rows) < 1e-20
        assert conditioning(data).dimension == 2
