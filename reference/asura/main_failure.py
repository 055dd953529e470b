"""How probable it is, at most, that the paper's rule misses an accuracy: two errors, added up.

With k = 1 - 4 gamma^2 and L(r) = (1 - 2 gamma) r - 2 gamma:

- the run may stop early: P(r_m < q) <= q/((1 + q) l - 1) for l = 2 sqrt((1 - q)/(k q)), when
  (1 + q) l > 1;
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

>>> main_failure(Fraction(1, 15), Fraction(1)) <= MAIN_FAILURE
True
>>> kept_failure(Fraction(1, 15), Fraction(1)) <= MAIN_FAILURE
True
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb, ctx

from asura.scalars import fraction, rational

#: What the theorem allows.
MAIN_FAILURE = Fraction(1, 4)

#: Clocks q at which the two errors are split.
SPLITS = tuple(Fraction(i, 80) for i in range(16, 48))

_BITS = 96


def _bound(
    gamma: Fraction, epsilon: Fraction, dimension: int | None, q: Fraction
) -> Fraction | None:
    """The sum of both errors for one q; None where the bound says nothing.

    Without a dimension, for kept X_2 and every R.
    """
    start = (1 - 2 * gamma) * q - 2 * gamma
    if start <= 0:
        return None
    k = 1 - 4 * gamma**2
    reach = 2 * arb(rational((1 - q) / (k * q))).sqrt()
    room = arb(rational(1 + q)) * reach - 1
    if not room > 0:
        return None
    b = arb(rational(k / 4))
    rho = ((b * b + 4).sqrt() - b) / 2
    if not rho > arb(rational(q)):
        return None
    overshoot = 0 if dimension is None else arb(rational(gamma**2 / (dimension * k))) * (1 + rho)
    slope = arb(rational(1 - 2 * gamma))
    # With v = L(r): the integral of (1 + r)/L^2 is that of (v + 1)/v^2, over (1 - 2 gamma)^2.
    low, high = arb(rational(start)), slope * (rho + overshoot) - arb(rational(2 * gamma))
    integral = ((high / low).log() + 1 / low - 1 / high) / slope**2
    if dimension is None:
        integral += (1 + rho) / (slope * high)
    noise = arb(rational(gamma**2 * k / epsilon)) * (
        arb(rational((q + q**2 / 2) / start**2)) + integral
    )
    total = arb(rational(q)) / room + noise
    return fraction(total.upper().fmpq())


def _best(gamma: Fraction, epsilon: Fraction, dimension: int | None) -> Fraction:
    with ctx.workprec(_BITS):
        bounds = [_bound(gamma, epsilon, dimension, q) for q in SPLITS]
    return min((bound for bound in bounds if bound is not None), default=Fraction(1))


@cache
def main_failure(gamma: Fraction, epsilon: Fraction, dimension: int = 1) -> Fraction:
    """A bound on P(loss > (1 + eps) OPT) under the paper's rule, the best over all splits."""
    return _best(gamma, epsilon, dimension)


@cache
def kept_failure(gamma: Fraction, epsilon: Fraction) -> Fraction:
    """A bound on P(excess > eps OPT_1) for K1 under the paper's rule, for every R > 0."""
    return _best(gamma, epsilon, None)
