"""The enclosure behind `wald`: a Lyapunov function whose drift, integrated over a run, is negative.

The note `proofs_notes/wald.md` proves that E sum_{j<m} Phi_j^M <= (gamma/d) E[m] Tr M follows, for
one gamma and every d >= 2, from finitely described inequalities about weight functions C and B on
[0, 1]. This module decides them for every gamma of a cell at once, cell by cell, by intervals.

Symbols (the note's): g = gamma, k = 1 - 4g^2, a = sqrt k, h = g^2/d <= g^2/2, t = the clock r + s,
psi = Phi/gamma, f = f_P + f_Q the normalised Phi^M, kappa = 1/(k psi) + psi/4,
alpha = k/(1 + k psi^2/4), eta_P and eta_Q the rates of the drift, W = 23/20. With r = r_max(t),
(f_P, f_Q) and (psi_P, psi_Q) range over 1/p + 1/q <= 4(1+r), q <= q_max.

- `slope_bound`: an upper bound of Psi*(t) = sup of
  (f-1)(1/kappa + a C') + B'(psi-1) - alpha [a C (eta_P f_P^2 + eta_Q f_Q^2) + B D(psi)],
  the bracket only where kappa a <= 2W, on cells of (t, psi);
- `end_bound`: an upper bound, over every state in which the last iteration can begin, of
  int_0^T Psi* + (1-f)(a C(T) + (W-1) h) + (B(T) + W b h/a)(1-psi), with b = max |B'|.

The range of gamma of a piece is certified when `end_bound` is at most 0 on each of its cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from asura_verify.deciding.directed_intervals import (
    Doubles,
    Interval,
    enclose,
    running_sums,
    up,
    whole,
)

#: W: how much of one step the weights are shifted by; and the drift is used where kappa a <= 2W.
SHIFT = Fraction(23, 20)
LIMIT = enclose([2 * SHIFT], shape=())
#: The edges of the cells of psi. What lies above the last one is the tail.
PSI_EDGES: Doubles = np.concatenate(
    [
        np.arange(256, 512, 3) / 512,
        np.arange(512, 1792, 10) / 512,
        3.5 * 2.0 ** (np.arange(0, 128) / 16),
    ]
)


@dataclass(frozen=True)
class Weights:
    """-C' in thousandths and -B' in ten thousandths, on blocks of equal length from t = 0 to 1.

    Each block is cut into `fineness` cells of t. The number of cells must be a power of two, so
    that their edges are doubles.
    """

    c: tuple[int, ...]
    b: tuple[int, ...]
    fineness: int = 8

    @property
    def cells(self) -> int:
        """The number of cells of t."""
        return len(self.c) * self.fineness

    @cached_property
    def slopes(self) -> tuple[Interval, Interval]:
        """-C' and -B' on each cell of t."""
        return self._spread(self.c, 1000), self._spread(self.b, 10000)

    @cached_property
    def values(self) -> tuple[Interval, Interval]:
        """C and B at the edges of the cells of t; both are 0 at t = 1."""
        return self._integrated(self.c, 1000), self._integrated(self.b, 10000)

    @property
    def steepest(self) -> Fraction:
        """The largest |B'|, called b."""
        return Fraction(max(self.b), 10000)

    def admissible(self) -> bool:
        """B' <= 0 and 1/(2W) <= -C' <= 1, with cells that doubles describe."""
        least = 1 / (2 * SHIFT)
        return (
            len(self.c) == len(self.b)
            and self.cells.bit_count() == 1
            and all(least <= Fraction(slope, 1000) <= 1 for slope in self.c)
            and all(slope >= 0 for slope in self.b)
        )

    def _spread(self, slopes: tuple[int, ...], unit: int) -> Interval:
        return enclose([Fraction(s, unit) for s in slopes for _ in range(self.fineness)])

    def _integrated(self, slopes: tuple[int, ...], unit: int) -> Interval:
        left = [0]
        for slope in reversed([s for s in slopes for _ in range(self.fineness)]):
            left.append(left[-1] + slope)
        return enclose([Fraction(total, unit * self.cells) for total in reversed(left)])


def drift_rates(low: float, high: float) -> tuple[Interval, Interval]:
    """eta_P (it grows with gamma) and eta_Q (it falls) for gamma between two doubles."""

    def above(gamma: float) -> Interval:
        rest = 1 - whole(gamma)
        first = (rest * (1 - 2 * whole(gamma))).reciprocal()
        second = (2 - 3 * whole(gamma)) / (rest * rest * rest)
        return Interval(np.minimum(first.low, second.low), np.minimum(first.high, second.high))

    def below(gamma: float) -> Interval:
        point = whole(gamma)
        return ((1 + 2 * point) * (1 + 2 * point + 2 * point.square())).reciprocal()

    return (Interval(above(low).low, above(high).high), Interval(below(high).low, below(low).high))


@dataclass(frozen=True)
class GammaCell:
    """What depends on gamma alone, for all gamma between two doubles, 0 <= low < high < 1/2."""

    low: float
    high: float

    @cached_property
    def k(self) -> Interval:
        """The number k = 1 - 4 gamma^2."""
        return 1 - 4 * Interval(np.asarray(self.low), np.asarray(self.high)).square()

    @cached_property
    def a(self) -> Interval:
        """The number a = sqrt k."""
        return self.k.sqrt()

    @cached_property
    def eta(self) -> tuple[Interval, Interval]:
        """The rates of the drift, above and below."""
        return drift_rates(self.low, self.high)

    @cached_property
    def h(self) -> Doubles:
        """The largest step: gamma^2/2, because d >= 2."""
        return (whole(self.high).square() * 0.5).high

    def largest_r(self, t: Doubles) -> Doubles:
        """Upper bounds of the root r of r + (k/4) r/(1+r) = t; it grows with t and falls with k."""
        b = 1 + whole(self.k.low) * 0.25 - whole(t)
        return (whole(2 * t) / (b + (b.square() + whole(4 * t)).sqrt())).high

    def largest_q(self, r: Doubles) -> Doubles:
        """Upper bounds of 1/(2 - (1/gamma - 2) r); infinite where this bounds nothing."""
        if self.low == 0:
            return np.full(r.shape, np.inf)
        room = (2 - (whole(self.low).reciprocal() - 2) * whole(r)).low
        bounded = room > 0
        bound = whole(np.where(bounded, room, 1.0)).reciprocal().high
        return np.where(bounded, bound, np.inf)

    def kappa(self, low: Doubles, high: Doubles) -> Interval:
        """The rate 1/(k psi) + psi/4 of the clock, convex in psi, at least 1/a, there at 2/a."""
        left, right = self._kappa_at(low), self._kappa_at(high)
        turn = 2 / self.a
        inside = (low < turn.high) & (turn.low < high)
        least = np.minimum(left.low, right.low)
        least = np.where(inside, np.minimum(least, self.a.reciprocal().low), least)
        return Interval(least, np.maximum(left.high, right.high))

    def _kappa_at(self, psi: Doubles) -> Interval:
        return (self.k * whole(psi)).reciprocal() + whole(psi) * 0.25


def _best_split(
    beta: Doubles, weight: Doubles, eta: tuple[Doubles, Doubles], c: Doubles, q_max: Doubles
) -> tuple[Doubles, Doubles]:
    """Near the maximiser of beta(p+q) - weight(eta_P p^2 + eta_Q q^2) on the admissible set.

    A guess for the multipliers of `_split_bound`: nothing rests on it.
    """
    above, below = eta
    free_p = beta / (2 * weight * above)
    free_q = np.minimum(beta / (2 * weight * below), q_max)
    inside = (free_p > 0) & (free_q > 0) & (free_p + free_q <= c * free_p * free_q)
    low = np.broadcast_to((1 + 1e-9) / c, beta.shape)
    high = np.broadcast_to(np.minimum(q_max, 64.0), beta.shape)
    for _ in range(24):
        q = (low + high) / 2
        p = q / (c * q - 1)
        rising = q * q * (2 * weight * below * q - beta) < p * p * (2 * weight * above * p - beta)
        low, high = np.where(rising, q, low), np.where(rising, high, q)
    q = (low + high) / 2
    return np.where(inside, free_p, q / (c * q - 1)), np.where(inside, free_q, q)


def split_bound(
    beta: Interval, weight: Interval, eta: tuple[Interval, Interval], c: Doubles, q_max: Doubles
) -> Doubles:
    """Upper bounds of beta(p+q-1) - weight(eta_P p^2 + eta_Q q^2) on 1/p + 1/q <= c, q <= q_max.

    For any p0, q0 > 0 and multipliers lam, mu >= 0 it is at most
    beta(p+q-1) - weight(...) + mu(q_max - q) + lam(c - 2/p0 - 2/q0 + p/p0^2 + q/q0^2),
    because 1/p >= 2/p0 - p/p0^2; and the supremum over all real p, q is
    beta(p0+q0-1) - weight(eta_P p0^2 + eta_Q q0^2) + mu(q_max-q0) + lam(c - 1/p0 - 1/q0)
    + x^2/(4 weight eta_P) + y^2/(4 weight eta_Q), with the slopes x, y at (p0, q0).
    The choice of p0, q0, lam, mu decides how good the bound is, never whether it holds.
    """
    above, below = eta
    middle = (beta.low + beta.high) / 2
    heavy = (weight.low + weight.high) / 2
    mids = ((above.low + above.high) / 2, (below.low + below.high) / 2)
    p, q = _best_split(middle, heavy, mids, c, q_max)
    lam = np.maximum(p * p * (2 * heavy * mids[0] * p - middle), 0.0)
    mu = np.maximum(middle - 2 * heavy * mids[1] * q + lam / (q * q), 0.0)
    bounded = np.isfinite(q_max)
    mu = np.where(bounded, mu, 0.0)
    room = whole(np.where(bounded, q_max, 0.0)) - whole(np.where(bounded, q, 0.0))
    p0, q0, lam0, mu0 = whole(p), whole(q), whole(lam), whole(mu)
    one_p, one_q = p0.reciprocal(), q0.reciprocal()
    drift_p, drift_q = weight * above * p0, weight * below * q0
    slope_p = beta + lam0 * one_p.square() - 2 * drift_p
    slope_q = beta - mu0 + lam0 * one_q.square() - 2 * drift_q
    total = (
        beta * (p0 + q0 - 1)
        - weight * (above * p0.square() + below * q0.square())
        + mu0 * room
        + lam0 * (whole(c) - one_p - one_q)
        + slope_p.square() / (4 * weight * above)
        + slope_q.square() / (4 * weight * below)
    )
    return total.high


def least_square_split(psi: Interval, cell: GammaCell, r: Doubles, q_max: Doubles) -> Doubles:
    """Lower bounds of D = eta_P p^2 + eta_Q q^2 where p + q = psi, 1/p + 1/q <= 4(1+r), q <= q_max.

    D = psi^2/(1/eta_P + 1/eta_Q) + (eta_P + eta_Q)(q - q*)^2 with q* = psi/(1 + eta_Q/eta_P), and
    q <= (psi + sqrt(psi^2 - psi/(1+r)))/2.
    """
    above, below = cell.eta
    free = psi.square() / (above.reciprocal() + below.reciprocal())
    best = psi / (1 + below / above)
    high = whole(psi.high)
    root = (high * (high - (1 + whole(r)).reciprocal())).sqrt()
    largest = np.minimum(((high + root) * 0.5).high, q_max)
    missing = (best - whole(largest)).positive_part()
    return (free + (above + below) * missing.square()).low


def slope_bound(cell: GammaCell, weights: Weights) -> Doubles:
    """Upper bounds of Psi* on every cell of t."""
    count = weights.cells
    column = (count, 1)
    t = (np.arange(1, count + 1) / count).reshape(column)
    r = cell.largest_r(t)
    c = (4 * (1 + whole(r))).high
    x = (1 + whole(r)).reciprocal()
    q_max = cell.largest_q(r)
    (c_slope, b_slope), (c_value, b_value) = weights.slopes, weights.values
    fall = Interval(c_slope.low.reshape(column), c_slope.high.reshape(column)) * cell.a
    b_fall = Interval(b_slope.low.reshape(column), b_slope.high.reshape(column))
    c_level = Interval(c_value.low[1:].reshape(column), c_value.high[:-1].reshape(column))
    b_least = whole(b_value.low[1:].reshape(column))

    low, high = PSI_EDGES[:-1], PSI_EDGES[1:]
    psi = Interval(low, high)
    kappa = cell.kappa(low, high)
    alpha = (cell.k.reciprocal() + psi.square() * 0.25).reciprocal()
    drifting = (kappa * cell.a).high <= LIMIT.low
    beta = kappa.reciprocal() - fall

    weight = alpha * (cell.a * c_level)
    usable = (weight.low > 0) & drifting
    safe = Interval(np.where(usable, weight.low, 1.0), np.where(usable, weight.high, 1.0))
    with_drift = split_bound(beta, safe, cell.eta, c, q_max)
    without = (-beta * (1 - x)).high
    # beta <= 0 where -C' = 1, because kappa >= 1/a: the intervals cannot see this equality.
    falling = (beta.high <= 0) | (c_slope.low.reshape(column) >= 1)
    first = np.minimum(np.where(usable, with_drift, np.inf), np.where(falling, without, np.inf))

    held = whole(np.where(drifting, alpha.low, 0.0)) * b_least
    second = -b_fall * (psi - 1) - held * whole(least_square_split(psi, cell, r, q_max))
    total = np.where(high < x.low, -np.inf, up(first + second.high))
    tail = _tail_bound(cell, fall, b_fall, x)[:, 0]
    return np.asarray(np.maximum(total.max(axis=1), tail), dtype=np.float64)


def _tail_bound(cell: GammaCell, fall: Interval, b_fall: Interval, x: Interval) -> Doubles:
    """The same above the last edge, where kappa a > 2W, so a C' <= beta <= 0; and f >= x."""
    last = PSI_EDGES[-1:]
    rising = last >= (2 / cell.a).high
    steep = (cell.kappa(last, last) * cell.a).low > LIMIT.high
    bound = (fall * (1 - x) - b_fall * (whole(last) - 1)).high
    return np.where(rising & steep, bound, np.inf)


def end_bound(cell: GammaCell, weights: Weights) -> float:
    """An upper bound of int_0^T Psi* plus the end of the run, over every last state."""
    if not weights.admissible():
        return float("inf")
    count = weights.cells
    cumulated = running_sums(slope_bound(cell, weights) / count)
    reached = whole(np.maximum(cumulated[:-1], cumulated[1:]))
    (c_value, b_value), h = weights.values, whole(cell.h)
    c_most, b_most = whole(c_value.high[:-1]), whole(b_value.high[:-1])
    later = np.arange(1, count + 1) / count
    x = (1 + whole(cell.largest_r(later))).reciprocal()
    short = whole(1 - later)
    base = c_most * cell.a + h * enclose([SHIFT - 1], shape=())
    small = base + b_most + enclose([SHIFT * weights.steepest], shape=()) * h / cell.a
    widest = (h * ((whole(cell.k.low) * whole(x.low)).reciprocal() + whole(x.low) * 0.25)).high
    reachable = short.low <= widest
    first = np.where(reachable, (reached + (1 - x) * small).high, -np.inf)
    turn = 2 / cell.a
    psi = np.maximum(turn.low, (4 * (short / h) - turn).low)
    second = (reached + (1 - x) * base - whole(b_value.low[1:]) * (whole(psi) - 1)).high
    return float(np.maximum(first, second).max())
