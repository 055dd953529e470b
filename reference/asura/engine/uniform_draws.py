"""N rows of the pool, all sets alike, weight n_1/N, X_2 kept: what people do first.

With c = (n_1/N - 1) n_1/(n_1 - 1), E|v|^2 = c (sum l e^2 - |b|^2/n_1) <= c max l OPT_1: a few rows
of large leverage cost the guarantee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from asura.engine.free_draws import Pool
from asura.engine.procedures import Drawn, Procedure
from asura.kept.trials import Purpose, trial
from asura.rounding import up


@dataclass(frozen=True, repr=False)
class UniformDraws:
    """Sets of so many rows."""

    pool: Pool
    seed: int
    size: int
    spread: float = 0.0  # the number does not vary
    steps: float = 0.0  # a draw inverts nothing

    @property
    def noise(self) -> float:
        """The rows of largest leverage decide."""
        rows, largest = self.pool.size, float(self.pool.spectrum.leverages.max())
        return up((rows / self.size - 1) * (rows / max(1, rows - 1)) * largest * (1 + 2.0**-30))

    @property
    def expected(self) -> float:
        """Exactly so many."""
        return float(self.size)

    @property
    def parameters(self) -> dict[str, float]:
        """How many rows."""
        return {"size": self.size}

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """Rows without replacement."""
        generator = np.random.Generator(np.random.PCG64(trial(self.seed, purpose, number).seed))
        rows = generator.choice(self.pool.size, self.size, replace=False, shuffle=False)
        weights = np.full(self.size, self.pool.size / self.size)
        return Drawn(np.sort(rows), weights, np.ones(self.size, dtype=np.intp))


@dataclass(frozen=True, repr=False)
class UniformFamily:
    """All sizes."""

    pool: Pool
    seed: int

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """Exactly as many rows as may be paid for."""
        return [UniformDraws(self.pool, self.seed, budget)]

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """So many rows."""
        return [UniformDraws(self.pool, self.seed, max(1, round(labels)))]
