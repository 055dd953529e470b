"""The enclosure behind `wald` lies above what it encloses, and certifies no more than it should."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from asura_verify.claims.wald import certificate, enclosure
from asura_verify.claims.wald.certificate import cells, certify, gap
from asura_verify.claims.wald.enclosure import (
    GammaCell,
    Weights,
    drift_rates,
    end_bound,
    least_square_split,
    slope_bound,
    split_bound,
)
from asura_verify.claims.wald.weights import PIECES, Piece
from asura_verify.deciding.directed_intervals import Interval, whole

QUARTER = Fraction(1, 4)
LAST = next(piece for piece in PIECES if Fraction(piece.high, 4096) == QUARTER)


def _rates(gamma: Fraction) -> tuple[Fraction, Fraction]:
    above = min(1 / ((1 - gamma) * (1 - 2 * gamma)), (2 - 3 * gamma) / (1 - gamma) ** 3)
    return above, 1 / ((1 + 2 * gamma) * (1 + 2 * gamma + 2 * gamma**2))


def _rational(random: np.random.Generator, low: float, high: float) -> Fraction:
    return Fraction(int(random.integers(0, 2**20)), 2**20) * (
        Fraction(high) - Fraction(low)
    ) + Fraction(low)


def _split(
    random: np.random.Generator, c: Fraction, q_max: Fraction | None
) -> tuple[Fraction, Fraction]:
    """A point with 1/p + 1/q <= c and q <= q_max: often on the border."""
    top = min(q_max, Fraction(6)) if q_max is not None else Fraction(6)
    q = top if random.random() < 0.2 else 1 / c + (top - 1 / c) * _rational(random, 0.01, 1) ** 3
    p = 1 / (c - 1 / q)
    return (p if random.random() < 0.5 else p * (1 + _rational(random, 0, 2) ** 2)), q


def _largest_r(t: Fraction, k: Fraction) -> Fraction:
    """A rational just below the root of r + (k/4) r/(1+r) = t."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(30):
        middle = (low + high) / 2
        if middle + k / 4 * middle / (1 + middle) <= t:
            low = middle
        else:
            high = middle
    return low


def _drift(
    weights: Weights, t: Fraction, gamma: Fraction, random: np.random.Generator
) -> tuple[int, arb]:
    """The cell of t, and Psi at a random admissible point, in balls."""
    k = 1 - 4 * gamma**2
    r = _largest_r(t, k)
    c, room = 4 * (1 + r), 2 - (1 / gamma - 2) * r
    q_max = 1 / room if room > 0 else None
    (p, q), (psi_p, psi_q) = _split(random, c, q_max), _split(random, c, q_max)
    f, psi = p + q, psi_p + psi_q
    cell = math.ceil(t * weights.cells) - 1
    block = cell // weights.fineness
    length = Fraction(1, len(weights.c))
    c_slope, b_slope = Fraction(weights.c[block], 1000), Fraction(weights.b[block], 10000)
    here = (block + 1) * length - t
    c_value = here * c_slope + length * Fraction(sum(weights.c[block + 1 :]), 1000)
    b_value = here * b_slope + length * Fraction(sum(weights.b[block + 1 :]), 10000)
    a = _ball(k).sqrt()
    kappa = 1 / (k * psi) + psi / 4
    above, below = _rates(gamma)
    total = _ball(f - 1) * (_ball(1 / kappa) - a * _ball(c_slope)) - _ball(b_slope * (psi - 1))
    if kappa**2 * k <= (2 * enclosure.SHIFT) ** 2:
        alpha = k / (1 + k * psi**2 / 4)
        total -= a * _ball(alpha * c_value * (above * p**2 + below * q**2))
        total -= _ball(alpha * b_value * (above * psi_p**2 + below * psi_q**2))
    return cell, total


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / arb(value.denominator)


def _points_above(seed: int, count: int = 60) -> tuple[int, float]:
    """How many random points lie above the bound of their cell, and the least distance to it."""
    random = np.random.default_rng(seed)
    above, nearest = 0, math.inf
    for piece in (PIECES[0], PIECES[5], LAST, PIECES[-1]):
        cell = list(cells(piece))[-1]
        bounds = slope_bound(cell, piece.weights)
        for _ in range(count):
            gamma = _rational(random, max(cell.low, 1e-3), cell.high)
            index, value = _drift(piece.weights, _rational(random, 1 / 64, 1), gamma, random)
            above += not value <= arb(float(bounds[index]))
            nearest = min(nearest, float(bounds[index]) - float(value))
    return above, nearest


def test_no_admissible_point_lies_above_its_cell() -> None:
    above, nearest = _points_above(11)
    assert above == 0
    assert nearest < 0.1


def test_a_drift_that_is_too_strong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def stronger(low: float, high: float) -> tuple[Interval, Interval]:
        above, below = drift_rates(low, high)
        return above * 4, below * 4

    monkeypatch.setattr(enclosure, "drift_rates", stronger)
    assert _points_above(11)[0] > 0


def test_the_bound_on_a_split_against_brute_force() -> None:
    random = np.random.default_rng(5)
    near = 0
    for _ in range(40):
        beta, weight = _rational(random, -0.6, 0.6), _rational(random, 0.02, 0.9)
        above, below = _rates(_rational(random, 0.01, 0.3))
        c = 4 * (1 + _rational(random, 0, 1))
        q_max = _rational(random, 0.5, 3) if random.random() < 0.6 else None
        point = [whole(np.array([[float(v)]])) for v in (beta, weight, above, below)]
        bound = split_bound(
            point[0],
            point[1],
            (point[2], point[3]),
            np.array([[float(c)]]),
            np.array([[math.inf if q_max is None else float(q_max)]]),
        )[0, 0]
        # The same numbers as the doubles that the bound was computed from.
        exact = [Fraction(float(each.low[0, 0])) for each in point]
        limit, top = Fraction(float(c)), None if q_max is None else Fraction(float(q_max))
        best = max(
            exact[0] * (p + q - 1) - exact[1] * (exact[2] * p**2 + exact[3] * q**2)
            for p, q in (_split(random, limit, top) for _ in range(400))
        )
        assert best <= Fraction(bound)
        near += Fraction(bound) - best < Fraction(1, 50)
    assert near >= 20


def test_the_least_square_of_a_split_against_brute_force() -> None:
    random = np.random.default_rng(6)
    for _ in range(200):
        gamma, r = _rational(random, 0.01, 0.3), _rational(random, 0, 1)
        r = Fraction(float(r))
        room = 2 - (1 / gamma - 2) * r
        cell = GammaCell(float(gamma) - 1e-9, float(gamma) + 1e-9)
        q_max = cell.largest_q(np.array([float(r)]))
        p, q = _split(random, 4 * (1 + r), 1 / room if room > 0 else None)
        psi = float(p + q)
        around = Interval(np.array([psi - 1e-9]), np.array([psi + 1e-9]))
        found = least_square_split(around, cell, np.array([float(r)]), q_max)[0]
        above, below = _rates(gamma)
        assert Fraction(found) <= above * p**2 + below * q**2


def test_the_largest_r_and_the_rate_of_the_clock() -> None:
    random = np.random.default_rng(7)
    for _ in range(100):
        gamma, t = _rational(random, 0.01, 0.3), Fraction(int(random.integers(1, 129)), 128)
        cell = GammaCell(float(gamma) - 1e-3, float(gamma) + 1e-3)
        k = 1 - 4 * gamma**2
        r = Fraction(float(cell.largest_r(np.array([float(t)]))[0]))
        assert r + k / 4 * r / (1 + r) >= t
        low = float(_rational(random, 0.5, 4))
        high = low + float(_rational(random, 0, 1))
        found = cell.kappa(np.array([low]), np.array([high]))
        psi = _rational(random, low, high)
        kappa = 1 / (k * psi) + psi / 4
        assert Fraction(float(found.low[0])) <= kappa <= Fraction(float(found.high[0]))


def test_the_drift_of_one_step_from_any_state() -> None:
    """E[(u'-A')^-1] and E[(A'-l')^-1] fall at the stated rates; X = I, any diagonal state."""
    random = np.random.default_rng(8)
    for _ in range(300):
        gamma, d = _rational(random, 0.001, 0.499), int(random.integers(1, 4))
        above, below = [
            [_rational(random, 0, 1) ** 4 * 10 + Fraction(1, 10**6) for _ in range(d)]
            for _ in range(2)
        ]
        bracket = [1 / p + 1 / q for p, q in zip(above, below, strict=True)]
        potential = sum(bracket, Fraction(0))
        rate_p, rate_q = _rates(gamma)
        for i in range(d):
            up = gamma / (potential * (1 - 2 * gamma))
            low = gamma / (potential * (1 + 2 * gamma))
            drawn, sample = bracket[i] / potential, gamma / bracket[i]
            p, q = above[i] + up, below[i] - low
            mean_p = drawn / (p - sample) + (1 - drawn) / p
            mean_q = drawn / (q + sample) + (1 - drawn) / q
            assert mean_p <= 1 / above[i] - gamma**2 / potential * rate_p / above[i] ** 2
            assert mean_q <= 1 / below[i] - gamma**2 / potential * rate_q / below[i] ** 2


def test_the_quarter_is_certified() -> None:
    judgement, text = certify(QUARTER)
    assert judgement.verdict.holds
    assert r"$0 < \gamma \le 1/4$" in text


def test_the_range_ends_at_three_tenths() -> None:
    last = PIECES[-1]
    assert gap(PIECES, Fraction(3, 10)) is None
    assert end_bound(next(cells(last)), last.weights) <= 0
    assert certify(Fraction(1, 3), PIECES)[0].verdict.undecided


def _certified(piece: Piece) -> bool:
    return all(end_bound(cell, piece.weights) <= 0 for cell in cells(piece))


def _without_drift(low: float, high: float) -> tuple[Interval, Interval]:
    above, below = drift_rates(low, high)
    return above * 0.01, below * 0.01


def test_a_dropped_drift_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _certified(LAST)
    monkeypatch.setattr(enclosure, "drift_rates", _without_drift)
    assert not _certified(LAST)


@pytest.mark.parametrize(
    "wrong",
    [
        dataclasses.replace(LAST.weights, b=tuple(-slope for slope in LAST.weights.b)),
        dataclasses.replace(LAST.weights, b=(0,) * 16),
        dataclasses.replace(LAST.weights, c=(400,) * 15 + (1000,)),
        dataclasses.replace(LAST.weights, c=(*LAST.weights.c[:-1], 900)),
        dataclasses.replace(LAST.weights, fineness=1),
        dataclasses.replace(LAST.weights, fineness=7),
    ],
    ids=["sign of B'", "no B", "C too flat", "C' not 1 at the end", "coarse", "not dyadic"],
)
def test_wrong_weights_are_not_certified(wrong: Weights) -> None:
    assert not _certified(dataclasses.replace(LAST, weights=wrong))


def test_a_longer_step_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """With h = gamma^2, the step for d = 1, the end of the run costs too much."""
    monkeypatch.setattr(GammaCell, "h", property(lambda cell: np.float64(cell.high**2)))
    assert not _certified(LAST)


def test_a_piece_left_out_is_noticed() -> None:
    for i in range(3):
        judgement, text = certify(QUARTER, PIECES[:i] + PIECES[i + 1 :])
        assert judgement.verdict.undecided
        assert "no piece covers" in text
    short = dataclasses.replace(PIECES[0], high=PIECES[0].high - 1)
    assert certify(QUARTER, (short, *PIECES[1:]))[0].verdict.undecided


def test_a_bound_above_zero_is_undecided_and_never_a_refutation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for value in (0.5, math.inf, math.nan):
        monkeypatch.setattr(certificate, "end_bound", lambda *_, value=value: value)
        assert certify(QUARTER)[0].verdict.undecided


def test_edges_that_are_not_doubles_are_refused() -> None:
    with pytest.raises(ArithmeticError):
        list(cells(dataclasses.replace(LAST, cells=3)))
