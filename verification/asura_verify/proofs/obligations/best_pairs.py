"""No pair (gamma, T) of the sure rule is better, by the bounds of row sure-stop.

The bound on the labels is k rbar/gamma^2 and that on the excess gamma^2 k (rbar + rbar^2/2)/L^2,
with rbar = T + c(1 + T), c = gamma^2/(d k), L = (1 - 2 gamma) T - 2 gamma > 0. Both grow with
rbar. At d = 1 rbar is largest, so a pair for every d is a pair for d = 1; at every d it is more
than T, its limit for large d, so what no pair does there no pair does at any d.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import z3

from asura_verify.proofs.obligations.model import Formula, Obligation, exact, solver
from asura_verify.proofs.obligations.one_step import DIMENSION, GAMMA, g
from asura_verify.proofs.obligations.rates import c, k, t

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


def _real(value: Fraction) -> Formula:
    return z3.RealVal(value.numerator) / z3.RealVal(value.denominator)


def no_better_pair(
    epsilon: Fraction, labels: Fraction, share: int
) -> tuple[list[Formula], Formula]:
    """For all gamma and T: excess <= epsilon implies a bound of at least labels/epsilon.

    `share` is 1/d: 1 at d = 1, and 0 in the limit of large d. With R = k rbar.
    """
    bound = k * t + share * g * g * (1 + t)
    room = (1 - 2 * g) * t - 2 * g
    excess = g * g * (2 * k * bound + bound * bound) <= 2 * k * _real(epsilon) * room * room
    return [*GAMMA, room > 0, excess], _real(epsilon) * bound >= _real(labels) * g * g


def attained(row: Optimum) -> bool:
    """Whether the pair of this row keeps its accuracy, and its bound is at most high."""
    k_here = 1 - 4 * row.gamma**2
    rbar = row.level + row.gamma**2 / (row.dimension * k_here) * (1 + row.level)
    room = (1 - 2 * row.gamma) * row.level - 2 * row.gamma
    excess = row.gamma**2 * k_here * (rbar + rbar**2 / 2)
    bound = k_here * rbar / row.gamma**2
    return room > 0 and excess <= row.epsilon * room**2 and bound * row.epsilon <= row.high


def _both_sides(row: Optimum) -> tuple[Obligation, Obligation]:
    share = 1 if row.dimension == 1 else 0
    return (
        solver(
            f"sure-best-{row.where}-{row.epsilon}",
            "sure-stop",
            f"no (gamma, T) with E excess <= {row.epsilon} OPT {'at' if share else 'for large'} d"
            f"{' = 1' if share else ''} has a bound on E lq below {float(row.low)} R_X/epsilon",
            lambda: no_better_pair(row.epsilon, row.low, share),
        ),
        exact(
            f"sure-attained-{row.where}-{row.epsilon}",
            "sure-stop",
            f"T = {row.level}, gamma = {row.gamma} at d = {row.dimension}: E excess <= "
            f"{row.epsilon} OPT and E lq <= {float(row.high)} R_X/epsilon",
            lambda: attained(row),
        ),
    )


BEST_PAIRS: tuple[Obligation, ...] = (
    *(obligation for row in OPTIMA for obligation in _both_sides(row)),
    solver(
        "sure-best-any-dimension",
        "sure-stop",
        "T < rbar at every d, and rbar is largest at d = 1",
        lambda: (
            [*GAMMA, *DIMENSION, t > 0],
            z3.And(t < t + c * (1 + t), t + c * (1 + t) <= t + g * g / k * (1 + t)),
        ),
    ),
)
