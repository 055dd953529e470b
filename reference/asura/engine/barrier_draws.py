"""K1, K2 and Algorithm 2 as families of procedures, with what they are known to keep E|v|^2 to.

| name | E|v|^2 at most | times |
| --- | --- | --- |
| kept (K1, sure rule with level T, coin) | (gamma^2/k)(1/T + delta/2) | OPT_1 |
| one-sided (K2 with N = R/x, coin) | x + delta nu^2/(2(1 - nu^2)) | OPT_1 |
| asura (Algorithm 2, sure rule with level T) | (gamma^2/k)(rbar + rbar^2/2)/T^2, R = d | OPT |

The formulas are those of `asura.kept.noise`, for the exact procedure; a run in doubles is off by
its rounding, for which they are given 1e-6 of room.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from asura.engine.barrier_walk import BarrierWalk, Rates
from asura.engine.free_draws import Pool
from asura.engine.leverage_draws import different_rows, draws_for, draws_for_budget
from asura.engine.procedures import Drawn, Procedure
from asura.engine.rounding import end_of_spectrum
from asura.errors import MethodTooSlow
from asura.formulas import curvature
from asura.kept.bounds import one_sided_noise
from asura.kept.noise import two_sided_noise
from asura.kept.trials import Purpose
from asura.kept.variants import Ending
from asura.rounding import up

#: Room for the rounding of a whole run.
_ROOM = 1 + 1e-6
#: A plan tries some hundred samples; with more draws each it would not end.
_MOST_DRAWS = 30_000
#: Levels T of the sure rule that a pilot chooses from.
_LEVELS = (0.5, 1.0, 0.25)
#: Multiples of x^(2/3), the nu that is best for the worst case, that a pilot chooses from.
_NUS = (0.5, 0.25, 1.0)


def _short(value: float) -> float:
    """Four digits, so that a plan is easy to write down."""
    return float(f"{value:.4g}")


def norm_of_target(pool: Pool) -> float:
    """The norm delta of D, from above; at most 1."""
    side = pool.spectrum.bought
    largest = end_of_spectrum(side.gram, largest=True)
    slack = side.error + len(side.gram) * 2.0**-48
    return min(1.0, up((largest + slack) / pool.spectrum.floor)) if pool.spectrum.floor > 0 else 1.0


@dataclass(frozen=True, repr=False)
class BarrierDraws:
    """A variant with its parameters."""

    pool: Pool
    seed: int
    rates: Rates
    parameters: dict[str, float]
    noise: float
    number: float

    @cached_property
    def _walk(self) -> BarrierWalk:
        return BarrierWalk(self.pool, self.rates)

    @cached_property
    def expected(self) -> float:
        """About how many different labels."""
        return different_rows(self.pool, self.number)[0]

    @cached_property
    def spread(self) -> float:
        """About the standard deviation of their number; the barriers make it smaller."""
        return different_rows(self.pool, self.number)[1]

    @property
    def steps(self) -> float:
        """The draws, in expectation at most."""
        return self.number

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """One run."""
        return self._walk.sample(self.seed, purpose, number)


def two_sided_draws(pool: Pool, seed: int, gamma: float, level: float, ending: Ending) -> Procedure:
    """K1 on a pool; Algorithm 2 where the pool is all of X and the ending `overshoot`."""
    rank = pool.spectrum.reduced_rank
    number = curvature(gamma) * level * rank / gamma**2
    noise = two_sided_noise(
        Fraction(rank), Fraction(gamma), Fraction(level), ending, Fraction(norm_of_target(pool))
    )
    rates = Rates(
        step=gamma,
        distance=2 * rank / gamma,
        upper=1 / (1 - 2 * gamma),
        lower=1 / (1 + 2 * gamma),
        goal=number,
        ending="overshoot" if ending == "overshoot" else "coin",
    )
    parameters = {"gamma": gamma, "level": level}
    return BarrierDraws(pool, seed, rates, parameters, up(float(noise) * _ROOM), number)


def one_sided_draws(pool: Pool, seed: int, number: float, nu: float) -> Procedure:
    """K2 on a pool."""
    rank = pool.spectrum.reduced_rank
    step = nu / (1 - nu * nu)
    rates = Rates(step, rank / (number * step), None, 1 - nu, 1.0, "coin")
    noise = one_sided_noise(rank / number, nu, norm_of_target(pool))
    parameters = {"draws": number, "nu": nu}
    return BarrierDraws(pool, seed, rates, parameters, up(noise * _ROOM), number)


@dataclass(frozen=True, repr=False)
class TwoSidedFamily:
    """K1 (ending by a coin) or Algorithm 2 (overshoot, on all of X)."""

    pool: Pool
    seed: int
    ending: Ending

    def _with(self, draws: float) -> list[Procedure]:
        rank = self.pool.spectrum.reduced_rank
        if draws > _MOST_DRAWS:
            raise MethodTooSlow(
                f"this method would make {draws:.1e} draws, most of them from rows that need no "
                "label: take another --method, which keeps these rows",
                value=draws,
            )
        found = []
        for level in _LEVELS:
            gamma = _short(1 / math.sqrt(draws / (level * rank) + 4))
            found.append(two_sided_draws(self.pool, self.seed, gamma, level, self.ending))
        return found

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """One per level T."""
        return self._with(draws_for_budget(self.pool, budget))

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """One per level T."""
        return self._with(draws_for(self.pool, labels))


@dataclass(frozen=True, repr=False)
class OneSidedFamily:
    """K2."""

    pool: Pool
    seed: int

    def _with(self, draws: float) -> list[Procedure]:
        number = _short(draws)
        usual = (self.pool.spectrum.reduced_rank / number) ** (2 / 3)
        return [
            one_sided_draws(self.pool, self.seed, number, _short(min(0.9, factor * usual)))
            for factor in _NUS
        ]

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """One per nu."""
        return self._with(draws_for_budget(self.pool, budget))

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """One per nu."""
        return self._with(draws_for(self.pool, labels))
