"""No pair (gamma, T) of the sure rule is better, by the bounds of row sure-stop.

The bound on the labels is k rbar/gamma^2 and that on the excess gamma^2 k (rbar + rbar^2/2)/L^2,
with rbar = T + c(1 + T), c = gamma^2/(d k), L = (1 - 2 gamma) T - 2 gamma > 0. Both grow with
rbar. At d = 1 rbar is largest, so a pair for every d is a pair for d = 1; at every d it is more
than T, its limit for large d, so what no pair does there no pair does at any d.
"""

from __future__ import annotations

from fractions import Fraction

import z3

from asura_verify.formulas import OPTIMA, Optimum, clock_ceiling, curvature
from asura_verify.proofs.obligations.model import Formula, Obligation, exact, real, solver
from asura_verify.proofs.obligations.one_step import DIMENSION, GAMMA, g
from asura_verify.proofs.obligations.rates import c, k, t


def no_better_pair(
    epsilon: Fraction, labels: Fraction, share: int
) -> tuple[list[Formula], Formula]:
    """For all gamma and T: excess <= epsilon implies a bound of at least labels/epsilon.

    `share` is 1/d: 1 at d = 1, and 0 in the limit of large d. With R = k rbar.
    """
    bound = k * t + share * g * g * (1 + t)
    room = (1 - 2 * g) * t - 2 * g
    excess = g * g * (2 * k * bound + bound * bound) <= 2 * k * real(epsilon) * room * room
    return [*GAMMA, room > 0, excess], real(epsilon) * bound >= real(labels) * g * g


def attained(row: Optimum) -> bool:
    """Whether the pair of this row keeps its accuracy, and its bound is at most high."""
    k_here = curvature(row.gamma)
    rbar = clock_ceiling(row.gamma, row.dimension, row.level)
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
            rf"no $(\gamma, T)$ with $\mathbb{{E}}[\mathrm{{excess}}] \le {row.epsilon}\, "
            rf"\mathrm{{OPT}}$ {'at $d = 1$' if share else 'for large $d$'} has a bound on "
            rf"$\mathbb{{E}}[\mathrm{{lq}}]$ below ${float(row.low)} R_X/\varepsilon$",
            lambda: no_better_pair(row.epsilon, row.low, share),
        ),
        exact(
            f"sure-attained-{row.where}-{row.epsilon}",
            "sure-stop",
            rf"$T = {row.level}$, $\gamma = {row.gamma}$ at $d = {row.dimension}$: "
            rf"$\mathbb{{E}}[\mathrm{{excess}}] \le {row.epsilon}\, \mathrm{{OPT}}$ and "
            rf"$\mathbb{{E}}[\mathrm{{lq}}] \le {float(row.high)} R_X/\varepsilon$",
            lambda: attained(row),
        ),
    )


BEST_PAIRS: tuple[Obligation, ...] = (
    *(obligation for row in OPTIMA for obligation in _both_sides(row)),
    solver(
        "sure-best-any-dimension",
        "sure-stop",
        r"$T < \bar{r}$ at every $d$, and $\bar{r}$ is largest at $d = 1$",
        lambda: (
            [*GAMMA, *DIMENSION, t > 0],
            z3.And(t < t + c * (1 + t), t + c * (1 + t) <= t + g * g / k * (1 + t)),
        ),
    ),
)
