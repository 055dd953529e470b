"""What K1, K2, K3 and K5 promise, as exact functions of their parameters.

R is the reduced rank, delta (`norm`) any bound on the norm of D, at most 1. Every excess is a
bound on E[excess]/OPT_1, except that of the shrunken estimator, which is relative to OPT.

>>> one_sided_excess(Fraction(1, 20), Fraction(1, 5)) < Fraction(3, 10)
True
"""

from __future__ import annotations

from fractions import Fraction

from asura.formulas import clock_ceiling, curvature
from asura.kept.variants import Ending
from asura.rates import Number

ONE = Fraction(1)


def two_sided_clock(
    rank: Fraction, gamma: Fraction, level: Fraction, ending: Ending, norm: Fraction = ONE
) -> Fraction:
    """K1 under the sure rule: rbar, which bounds r_m; the level T itself with clip or coin.

    A step adds at most gamma^2 (1 + delta r)/(kR).
    """
    if ending != "overshoot":
        return level
    return clock_ceiling(gamma, rank, level, norm)


def two_sided_draws(
    rank: Fraction, gamma: Fraction, level: Fraction, ending: Ending, norm: Fraction = ONE
) -> Fraction:
    """K1 under the sure rule: E[draws] <= k rbar R/gamma^2, and one more with clip."""
    rbar = two_sided_clock(rank, gamma, level, ending, norm)
    return curvature(gamma) * rbar * rank / gamma**2 + (1 if ending == "clip" else 0)


def two_sided_excess(
    rank: Fraction, gamma: Fraction, level: Fraction, ending: Ending, norm: Fraction = ONE
) -> Fraction | None:
    """K1 under the sure rule; None where the bound does not apply.

    (gamma^2/k)(rbar + delta rbar^2/2)/((1 - 2 gamma delta/(1 + 2 gamma)) T - 2 gamma/k)^2; at
    delta = 1 it is gamma^2 k (rbar + rbar^2/2)/((1 - 2 gamma) T - 2 gamma)^2.
    """
    k = curvature(gamma)
    margin = (1 - 2 * gamma * norm / (1 + 2 * gamma)) * level - 2 * gamma / k
    if margin <= 0:
        return None
    rbar = two_sided_clock(rank, gamma, level, ending, norm)
    return gamma**2 / k * (rbar + norm * rbar**2 / 2) / margin**2


def one_sided_least(ratio: Number, nu: Number, norm: Number) -> Number:
    """K2, x = R/N: surely M >= 1 - delta nu - (1 - nu^2) x/nu."""
    return 1 - norm * nu - (1 - nu * nu) * ratio / nu


def one_sided_noise(ratio: Number, nu: Number, norm: Number) -> Number:
    """K2, x = R/N: E|v|^2 <= (x + delta nu^2/(2(1 - nu^2))) OPT_1."""
    return ratio + norm * nu * nu / (2 * (1 - nu * nu))


def excess_of(ratio: Number, nu: Number, norm: Number) -> Number | None:
    """K2: noise/least^2; None where the bound does not apply."""
    least = one_sided_least(ratio, nu, norm)
    if least <= 0:
        return None
    return one_sided_noise(ratio, nu, norm) / (least * least)


def one_sided_excess(ratio: Fraction, nu: Fraction, norm: Fraction = ONE) -> Fraction | None:
    """K2 with N = R/x draws in expectation; None where the bound does not apply."""
    return excess_of(ratio, nu, norm)


def overrun(reach: Number, ratio: Number, nu: Number, norm: Number) -> Number:
    """K3: a bound on P(more than reach * N draws) for K2 with the coin, reach > 1.

    reach [(1 - a)^2 + a^2 z]/(reach - a)^2 with z = delta nu^2/(2(1 - nu^2) x), at the best a,
    (reach - 1)/(z reach + reach - 1).
    """
    z = norm * nu * nu / (2 * (1 - nu * nu) * ratio)
    a = (reach - 1) / (z * reach + reach - 1)
    rest = 1 - a
    return reach * (rest * rest + a * a * z) / ((reach - a) * (reach - a))


def redrawn_excess(budget_ratio: Number, ratio: Number, nu: Number, norm: Number) -> Number | None:
    """K3: the excess of K2 given at most B draws, for B/R and x = R/N; None where nothing holds."""
    reach = budget_ratio * ratio
    excess = excess_of(ratio, nu, norm)
    if excess is None or reach <= 1:
        return None
    chance = 1 - overrun(reach, ratio, nu, norm)
    return excess / chance if chance > 0 else None


def zero_label_excess(norm: Fraction) -> Fraction | None:
    """K5 without a label: delta/(1 - delta), relative to OPT; None when X_2 may not span."""
    return norm / (1 - norm) if norm < 1 else None


def shrunken_excess(rank: Fraction, norm: Fraction, draws: int) -> Fraction | None:
    """K5 with N draws: R/((1 - delta) N + R lambda), lambda = (1 - delta)/delta, relative to OPT.

    It is the eps with N = R (1 - eps lambda)/(eps (1 - delta)). None when X_2 may not span.
    """
    if norm == 1:
        return None
    if rank == 0:
        return Fraction(0)
    return rank / ((1 - norm) * draws + rank * (1 - norm) / norm)
