"""K6 as a family of procedures: coins p = l/(l + tau), weights 1/p, E|v|^2 <= tau OPT_1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize, stats

from asura.engine.coins import CoinToss, Vector, coins, probabilities
from asura.engine.free_draws import Pool
from asura.engine.procedures import Drawn, Procedure
from asura.errors import BudgetOutOfRange
from asura.kept.trials import Purpose
from asura.rounding import up


def expected_labels(leverages: Vector, tau: float) -> float:
    """E|S| = sum l/(l + tau)."""
    return float(probabilities(leverages, tau).sum())


def threshold(leverages: Vector, expected: float) -> float:
    """The tau at which so many labels are expected, as a short decimal."""
    positive = leverages[leverages > 0]
    if not 0 < expected < len(positive):
        raise BudgetOutOfRange(
            f"{expected:g} labels expected of {len(positive)} rows: expected fewer", value=expected
        )

    def surplus(logarithm: float) -> float:
        return expected_labels(positive, math.exp(logarithm)) - expected

    low, high = math.log(positive.min()) - 40, math.log(positive.sum() / expected) + 1e-9
    while surplus(low) < 0:
        low -= 40
    found = math.exp(float(optimize.brentq(surplus, low, high, xtol=1e-5, rtol=1e-9)))
    return float(f"{found:.4g}")


def threshold_for_budget(leverages: Vector, budget: int) -> float:
    """The tau that makes tau/P(|S| <= B) smallest, |S| taken as normal."""
    positive = int(np.count_nonzero(leverages))
    best = (math.inf, 0.0)
    for z in (0.25, 0.75, 1.25, 1.75, 2.25, 3.0):
        expected = budget + 0.5 - z * math.sqrt(budget)
        if not 0.2 <= expected < positive:
            expected = min(max(0.2, budget / 2), positive - 0.5)
        tau = threshold(leverages, expected)
        chances = probabilities(leverages, tau)
        spread = math.sqrt(float((chances * (1 - chances)).sum())) + 1e-9
        within = float(stats.norm.cdf((budget + 0.5 - chances.sum()) / spread))
        best = min(best, (tau / max(within, 1e-9), tau))
    return best[1]


def noise(tau: float, reduced_rank: float) -> float:
    """E|v|^2 <= noise OPT_1: tau, and what the doubles p and 1/p are off by."""
    return up(tau + 2.0**-50 + 2.0**-100 * reduced_rank)


@dataclass(frozen=True, repr=False)
class CoinDraws:
    """The coins of one threshold."""

    pool: Pool
    seed: int
    tau: float
    steps: float = 0.0  # a draw inverts nothing

    @cached_property
    def _toss(self) -> CoinToss:
        return coins(self.seed, self.pool.spectrum.leverages, self.tau)

    @cached_property
    def noise(self) -> float:
        """Tau."""
        return noise(self.tau, self.pool.spectrum.reduced_rank)

    @cached_property
    def expected(self) -> float:
        """E|S|."""
        return expected_labels(self.pool.spectrum.leverages, self.tau)

    @cached_property
    def spread(self) -> float:
        """The standard deviation of |S|."""
        chances = probabilities(self.pool.spectrum.leverages, self.tau)
        return math.sqrt(float((chances * (1 - chances)).sum()))

    @property
    def parameters(self) -> dict[str, float]:
        """The threshold."""
        return {"tau": self.tau}

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """Every row at most once."""
        picks = self._toss.draw(purpose, number)
        chances = probabilities(self.pool.spectrum.leverages[picks], self.tau)
        return Drawn(picks, 1 / chances, np.ones(len(picks), dtype=np.intp))


@dataclass(frozen=True, repr=False)
class CoinFamily:
    """All thresholds."""

    pool: Pool
    seed: int

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """One threshold: the best if |S| were normal."""
        tau = threshold_for_budget(self.pool.spectrum.leverages, budget)
        return [CoinDraws(self.pool, self.seed, tau)]

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """The threshold at which so many labels are expected."""
        tau = threshold(self.pool.spectrum.leverages, labels)
        return [CoinDraws(self.pool, self.seed, tau)]
