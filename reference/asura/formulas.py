"""What the bounds are made of, each written once: k, c, theta, rho, rbar.

Every argument may be a rational, a double or a ball. Where X_2 is kept (`asura.kept`), R takes the
place of d.

>>> quarter = Fraction(1, 4)
>>> curvature(quarter), pace(quarter, 1)
(Fraction(3, 4), Fraction(1, 12))
>>> clock_ceiling(quarter, 1, Fraction(1))
Fraction(7, 6)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from flint import arb, fmpq

Scalar = TypeVar("Scalar", Fraction, float, arb, fmpq)


def curvature(gamma: Scalar) -> Scalar:
    """k = 1 - 4 gamma^2, which is also the sum of the alphas."""
    return 1 - 4 * gamma * gamma


def pace(gamma: Scalar, dimension: int | Scalar) -> Scalar:
    """c = gamma^2/(d k): r_{j+1} - r_j = c gamma/Phi_j."""
    return gamma * gamma / (dimension * curvature(gamma))


def clock_ceiling(
    gamma: Scalar, dimension: int | Scalar, level: Scalar, norm: int | Scalar = 1
) -> Scalar:
    """rbar = T + c(1 + delta T): r_m is at most this when r_{m-1} is below T.

    delta = 1, or where X_2 is kept any bound on the norm of D.
    """
    return level + pace(gamma, dimension) * (1 + norm * level)


def rho(gamma: arb) -> arb:
    """The positive root of r^2 + (k/4) r = 1: below it is every r_j with r_j + s_j < 1."""
    b = curvature(gamma) / 4
    return ((b * b + 4).sqrt() - b) / 2


def squared_length(gamma: Scalar, dimension: int | Scalar) -> Scalar:
    """(m - 1)^2 < d^2 k/gamma^4 under the paper's rule (slug m-bound)."""
    square = gamma * gamma
    return dimension * dimension * curvature(gamma) / (square * square)


def drift_margin(gamma: Scalar) -> Scalar:
    """1 - 5 gamma + 5 gamma^2: where it is not negative, theta is known (theta-supermartingale)."""
    return 1 - 5 * gamma + 5 * gamma * gamma


def largest_theta(gamma: Scalar) -> Scalar:
    """theta = k/(2 + gamma + 8 gamma^2 + 4 gamma^3), where the margin is not negative."""
    square = gamma * gamma
    return curvature(gamma) / (2 + gamma + 8 * square + 4 * square * gamma)
