"""How probable it is, at most, that the paper's rule misses an accuracy: two errors, added up.

With k = 1 - 4 gamma^2 and L(r) = (1 - 2 gamma) r - 2 gamma:

- the run may stop early: P(r_m < q) <= q/((1 + q) l - 1) for l = 2 sqrt((1 - q)/(k q)), when
  (1 + q) l > 1; where 1 - 5 gamma + 5 gamma^2 >= 0 also with (1 - theta) q for q,
  theta = k/(2 + gamma + 8 gamma^2 + 4 gamma^3);
- or the noise v, a martingale with E|dv|^2 <= OPT (d^2 k/gamma^2)(1 + r) dr in each step, exceeds
  sqrt(eps OPT) l_m for l_m = (d/gamma^2) L(r_m). The threshold at j + 1 is known at j, so the
  probability is at most
  (gamma^2 k/eps) [(q + q^2/2)/L(q)^2 + integral from q to rbar of (1 + r)/L(r)^2 dr].

rbar = rho + gamma^2 (1 + rho)/(d k) bounds r_m, where rho solves rho + (k/4) rho/(1 + rho) = 1.

Where X_2 is kept (K1 in `asura.kept`), R takes the place of d, and a step may overshoot by any
amount when R is small. But every step starts below rho, so its noise is at most
OPT_1 (R^2 k/gamma^2)(1 + rho) dr: 1 + min(r, rho) takes the place of 1 + r, and the integral goes
to infinity; beyond rho it is (1 + rho)/((1 - 2 gamma) L(rho)). This covers every R > 0.

Everything is enclosed in balls, and the upper end is returned.

>>> main_failure(Fraction(1, 13), Fraction(1)) <= MAIN_FAILURE
True
>>> kept_failure(Fraction(1, 15), Fraction(1)) <= MAIN_FAILURE
True
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

from flint import arb, ctx

from asura.formulas import clock_ceiling, curvature, drift_margin, largest_theta, rho
from asura.scalars import fraction, rational

#: What the theorem allows.
MAIN_FAILURE = Fraction(1, 4)

#: Clocks q at which the two errors are split.
SPLITS = tuple(Fraction(i, 80) for i in range(16, 48))

_BITS = 96


def _likely(gamma: arb, q: Fraction, *, theta: bool) -> arb | None:
    """A bound on P(r_m < q); None where it says nothing."""
    reach = 2 * (arb(rational((1 - q) / q)) / curvature(gamma)).sqrt()
    found: list[arb] = []
    parts = [arb(rational(q))]
    if theta and drift_margin(gamma) >= 0:
        parts.append((1 - largest_theta(gamma)) * parts[0])
    for part in parts:
        room = (1 + part) * reach - 1
        if room > 0:
            found.append(part / room)
    return found[-1] if found else None  # the second part is the smaller one


def _bound(gamma: arb, share: arb, dimension: int | None, q: Fraction) -> Fraction | None:
    """The sum of both errors for one q and gamma^2/eps = `share`; None where it says nothing.

    Without a dimension, for kept X_2 and every R.
    """
    slope, level = 1 - 2 * gamma, arb(rational(q))
    low = slope * level - 2 * gamma
    early, root = _likely(gamma, q, theta=dimension is not None), rho(gamma)
    if early is None or not low > 0 or not root > level:
        return None
    rbar = root if dimension is None else clock_ceiling(gamma, dimension, root)
    # With v = L(r): the integral of (1 + r)/L^2 is that of (v + 1)/v^2, over (1 - 2 gamma)^2.
    high = slope * rbar - 2 * gamma
    integral = ((high / low).log() + 1 / low - 1 / high) / slope**2
    if dimension is None:
        integral += (1 + root) / (slope * high)
    noise = share * curvature(gamma) * ((level + level**2 / 2) / low**2 + integral)
    return fraction((early + noise).upper().fmpq())


def _best(gamma: arb, share: arb, dimension: int | None) -> Fraction:
    bounds = [_bound(gamma, share, dimension, q) for q in SPLITS]
    return min((bound for bound in bounds if bound is not None), default=Fraction(1))


def _at(gamma: Fraction, epsilon: Fraction, dimension: int | None) -> Fraction:
    with ctx.workprec(_BITS):
        return _best(arb(rational(gamma)), arb(rational(gamma**2 / epsilon)), dimension)


@cache
def main_failure(gamma: Fraction, epsilon: Fraction, dimension: int = 1) -> Fraction:
    """A bound on P(loss > (1 + eps) OPT) under the paper's rule, the best over all splits."""
    return _at(gamma, epsilon, dimension)


@cache
def kept_failure(gamma: Fraction, epsilon: Fraction) -> Fraction:
    """A bound on P(excess > eps OPT_1) for K1 under the paper's rule, for every R > 0."""
    return _at(gamma, epsilon, None)


def failure_on_a_range(constant: int, *, kept: bool = False, cells: int = 64) -> Fraction:
    """The same for gamma = sqrt(eps)/C and every eps in (0, 1], all d at once or (`kept`) all R.

    The range of gamma is cut into cells, each enclosed in one ball. The bound falls as d grows,
    since rbar does, so d = 1 covers every dimension.

    >>> failure_on_a_range(13) <= MAIN_FAILURE < failure_on_a_range(12)
    True
    """
    with ctx.workprec(_BITS):
        ends = [arb(rational(Fraction(i, cells * constant))) for i in range(cells + 1)]
        balls = [low.union(high) for low, high in pairwise(ends)]
        share = arb(1) / constant**2
        return max(_best(ball, share, None if kept else 1) for ball in balls)
