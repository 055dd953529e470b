"""N independent draws from the pool by leverage, X_2 kept: weight R/(l N), E|v|^2 <= (R/N) OPT_1.

The first procedure that most people try. A row that is drawn twice costs one label, so N may
exceed the budget: it is chosen so that the different rows are about as many as may be paid for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from asura.engine.coins import SMALL_POOL
from asura.engine.free_draws import Pool
from asura.engine.procedures import Drawn, Procedure, collected
from asura.engine.searching import GuidedSearch
from asura.kept.trials import Purpose, trial
from asura.randomness import FIRST_BITS, Seed
from asura.rounding import up

Vector = NDArray[np.float64]

_UNIT = 2.0**-FIRST_BITS


def uniforms(seed: Seed, start: int, stop: int) -> Vector:
    """The reference's uniforms r_j, to their first bits, which every double can hold."""
    values = [seed.draw(j).interval(FIRST_BITS).numerator for j in range(start, stop)]
    return np.array(values, dtype=np.float64) * _UNIT


def different_rows(pool: Pool, draws: float) -> tuple[float, float]:
    """About how many labels so many draws by leverage ask for, and the standard deviation."""
    leverages = pool.spectrum.leverages
    missed = np.exp(-draws / leverages.sum() * leverages[: pool.payable])
    return float((1 - missed).sum()), math.sqrt(float((missed * (1 - missed)).sum()))


#: So many draws for one label are too many: the rows that are missing are hardly ever drawn.
_DRAWS_PER_LABEL = 6


def draws_for(pool: Pool, labels: float) -> float:
    """How many draws ask for about so many different labels, at most six for one."""
    target = min(labels, 0.98 * pool.useful)
    leverages = pool.spectrum.leverages
    share = float(leverages[: pool.payable].sum() / leverages.sum())
    low, high = math.log(target), math.log(_DRAWS_PER_LABEL * target / share)

    def surplus(logarithm: float) -> float:
        return different_rows(pool, math.exp(logarithm))[0] - target

    if surplus(high) <= 0:
        return math.exp(high)
    return math.exp(float(optimize.brentq(surplus, low - 1e-9, high, xtol=1e-4)))


def draws_for_budget(pool: Pool, budget: int) -> float:
    """So many draws that the different labels are within the budget most of the time."""
    draws = draws_for(pool, budget)
    _, spread = different_rows(pool, draws)
    return draws_for(pool, max(0.5, budget + 0.5 - spread))


@dataclass(frozen=True, repr=False)
class LeverageDraws:
    """N draws."""

    pool: Pool
    seed: int
    number: int
    steps: float = 0.0  # a draw inverts nothing

    @cached_property
    def _search(self) -> GuidedSearch:
        return GuidedSearch(self.pool.spectrum.leverages)

    @property
    def noise(self) -> float:
        """R/N, with room for the rounding of the weights."""
        return up(self.pool.spectrum.reduced_rank / self.number * (1 + 2.0**-30))

    @cached_property
    def expected(self) -> float:
        """About how many different rows."""
        return different_rows(self.pool, self.number)[0]

    @cached_property
    def spread(self) -> float:
        """The standard deviation of their number, if the draws were Poisson events."""
        return different_rows(self.pool, self.number)[1]

    @property
    def parameters(self) -> dict[str, float]:
        """N."""
        return {"draws": self.number}

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """N rows, some perhaps more than once."""
        source = trial(self.seed, purpose, number)
        if self.pool.size <= SMALL_POOL:
            random = uniforms(source, 0, self.number)
        else:
            random = np.random.Generator(np.random.PCG64(source.seed)).random(self.number)
        picks = self._search.rows(random * self._search.total)
        leverages = self.pool.spectrum.leverages[picks]
        return collected(picks, self._search.total / (leverages * self.number))


@dataclass(frozen=True, repr=False)
class LeverageFamily:
    """All numbers of draws."""

    pool: Pool
    seed: int

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """Never fewer draws than the budget: they could not ask for more."""
        number = max(budget, math.floor(draws_for_budget(self.pool, budget)))
        return [LeverageDraws(self.pool, self.seed, number)]

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """So many different labels, about."""
        number = max(1, round(draws_for(self.pool, labels)))
        return [LeverageDraws(self.pool, self.seed, number)]
