"""The right-hand sides of the claims, written once: for the registry and for the oracle.

Every argument may be an exact rational or a ball; gap is u - l, r the clock of that gap. What the
reference has too (k, c, rho, rbar) is the reference's: these are abbreviations, and not what is
judged. A wrong one is no accomplice, since the claims decide each against runs and solvers, which
do without it.

>>> from fractions import Fraction
>>> quarter = Fraction(1, 4)
>>> clock(quarter, 1, Fraction(16)), growth_of_clock(quarter, 1, quarter)
(Fraction(0, 1), Fraction(1, 12))
>>> lower_of_upper(quarter, 1, Fraction(8))
Fraction(-8, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import arb, fmpq

from asura.formulas import clock_ceiling, curvature, pace, rho, squared_length

__all__ = [
    "LARGE",
    "OPTIMA",
    "Optimum",
    "clock",
    "clock_ceiling",
    "condition_at_most",
    "curvature",
    "elapsed_at_least",
    "growth_of_clock",
    "growth_of_potential",
    "lower_factor",
    "lower_of_middle",
    "lower_of_upper",
    "middle",
    "pace",
    "positive_from",
    "potential_at_least",
    "reach",
    "relative_gap",
    "rho",
    "squared_length",
    "upper_of_middle",
    "widest_gap",
]

N = TypeVar("N", arb, fmpq, Fraction)


def clock(gamma: N, dimension: int, gap: N) -> N:
    """r = gamma gap/(4d) - 1."""
    return gamma * gap / (4 * dimension) - 1


def growth_of_clock(gamma: N, dimension: int, potential: N) -> N:
    """r_{j+1} - r_j = c gamma/Phi_j."""
    return pace(gamma, dimension) * gamma / potential


def widest_gap(gamma: arb, dimension: int) -> arb:
    """(4d/gamma)(1 + rbar) with rbar = rho + c(1 + rho)."""
    return 4 * dimension / gamma * (1 + clock_ceiling(gamma, dimension, rho(gamma)))


def elapsed_at_least(gamma: N, clock: N) -> N:
    """(k/4) r/(1 + r), below s."""
    return curvature(gamma) / 4 * clock / (1 + clock)


def middle(gamma: N, dimension: int, clock: N) -> N:
    """mid = (d/gamma^2) r_m."""
    return dimension / (gamma * gamma) * clock


def upper_of_middle(gamma: N, dimension: int, mid: N) -> N:
    """u_m = (1 + 2 gamma) mid + 2d/gamma."""
    return (1 + 2 * gamma) * mid + 2 * dimension / gamma


def lower_of_middle(gamma: N, dimension: int, mid: N) -> N:
    """l_m = (1 - 2 gamma) mid - 2d/gamma."""
    return (1 - 2 * gamma) * mid - 2 * dimension / gamma


def lower_of_upper(gamma: N, dimension: int, upper: N) -> N:
    """l_m as a function of u_m."""
    mid = (upper - 2 * dimension / gamma) / (1 + 2 * gamma)
    return lower_of_middle(gamma, dimension, mid)


def positive_from(gamma: N, dimension: int) -> N:
    """l_m > 0 exactly when u_m > 4d/(gamma(1 - 2 gamma))."""
    return 4 * dimension / (gamma * (1 - 2 * gamma))


def relative_gap(gamma: N, dimension: int, upper: N) -> N:
    """(u_m - l_m)/u_m = 4 gamma (1 + d/(gamma^2 u_m))/(1 + 2 gamma)."""
    return 4 * gamma * (1 + dimension / (gamma * gamma * upper)) / (1 + 2 * gamma)


def reach(gamma: N, clock: N) -> N:
    """2 gamma (1 + 1/r): how far the spectrum of A^T A is from 1."""
    return 2 * gamma * (1 + 1 / clock)


def potential_at_least(dimension: int, gap: N) -> N:
    """4d/gap, below Phi."""
    return 4 * dimension / gap


def growth_of_potential(gamma: N) -> N:
    """Phi_{j+1} <= Phi_j times this."""
    return 1 / (1 - gamma)


def lower_factor(gamma: N) -> N:
    """w w^T <= gamma (1 + 2 gamma)/(1 + gamma) (A_j - l_{j+1})."""
    return gamma * (1 + 2 * gamma) / (1 + gamma)


def condition_at_most(gamma: N, mid: N, gap: N) -> N:
    """alpha_j K_{D_j} <= (gamma/mid) gap_j/4."""
    return gamma / mid * gap / 4


#: A dimension at which the limit of large d is reached to the digits below.
LARGE = 10**6


@dataclass(frozen=True, slots=True)
class Optimum:
    """At accuracy epsilon the best bound on E lq eps/R_X is between low and high.

    For every d, where d = 1 is the worst, or for large d; the pair (T, gamma) reaches high.
    """

    epsilon: Fraction
    dimension: int
    low: Fraction
    high: Fraction
    level: Fraction
    gamma: Fraction

    @property
    def where(self) -> str:
        """The dimensions that it speaks of, in a word."""
        return "every" if self.dimension == 1 else "large"


def _optimum(epsilon: str, dimension: int, *values: str) -> Optimum:
    low, high, level, gamma = (Fraction(value) for value in values)
    return Optimum(Fraction(epsilon), dimension, low, high, level, gamma)


OPTIMA = (
    _optimum("1", 1, "24.87", "24.88", "1.178", "0.2073"),
    _optimum("1/10", 1, "5.84", "5.85", "0.74", "0.11137"),
    _optimum("1/100", 1, "2.36", "2.37", "0.42", "0.0421"),
    _optimum("1/1000", 1, "1.48", "1.49", "0.222", "0.01222"),
    _optimum("1", LARGE, "21.57", "21.58", "1.6106", "0.23976"),
    _optimum("1/10", LARGE, "5.55", "5.56", "0.808", "0.1172"),
    _optimum("1/100", LARGE, "2.33", "2.34", "0.429", "0.042665"),
    _optimum("1/1000", LARGE, "1.48", "1.49", "0.222", "0.01222"),
)
