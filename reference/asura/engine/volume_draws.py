"""Volume sampling beside kept rows: sets S of exactly s rows, P(S) ~ det(X_S^T X_S + G_2).

It starts from all rows of the pool and removes one with probability proportional to
1 - x^T (X_S^T X_S + G_2)^-1 x, by rejection: a row is proposed uniformly and goes with that
probability. Where nothing is kept the weights are equal, and the solution is unbiased; else they
are 1/(t + (1 - t) l), t = (s - R)/(n_1 - R), the inverse chances of volume sampling in general
position. No bound on E|v|^2 is known, so that a plan by volume has no guarantee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from asura.engine.free_draws import Pool
from asura.engine.gram import look_up
from asura.engine.procedures import Drawn, Procedure
from asura.engine.rows import Matrix
from asura.errors import BudgetOutOfRange, MethodTooSlow
from asura.kept.trials import Purpose, trial

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Every row of the pool but those of the sample is removed one by one.
MOST_ROWS = 200_000
_BATCH = 256
#: Below this 1 - h is rounding.
_ESSENTIAL = 1e-9


@dataclass(frozen=True, repr=False)
class VolumeDraws:
    """Sets of so many rows."""

    pool: Pool
    seed: int
    size: int
    noise: None = None  # no bound is known
    spread: float = 0.0  # the number does not vary
    steps: float = 0.0  # one inverse is kept up to date

    @property
    def expected(self) -> float:
        """Exactly so many."""
        return float(self.size)

    @property
    def parameters(self) -> dict[str, float]:
        """How many rows."""
        return {"size": self.size}

    @cached_property
    def _weights(self) -> Vector:
        leverages, kept = self.pool.spectrum.leverages, self.pool.spectrum.kept.gram
        if not kept.any():
            return np.full(self.pool.size, self.pool.size / self.size)
        rank = self.pool.spectrum.reduced_rank
        rest = max(0.0, (self.size - rank) / max(self.pool.size - rank, 1e-300))
        return 1 / np.maximum(rest + (1 - rest) * leverages, 1e-12)

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """Remove rows until so many are left."""
        generator = np.random.Generator(np.random.PCG64(trial(self.seed, purpose, number).seed))
        left = _removed_down(self.pool, self.size, generator)
        return Drawn(left, self._weights[left], np.ones(len(left), dtype=np.intp))


def _removed_down(pool: Pool, size: int, random: np.random.Generator) -> Indices:
    """The rows of the pool that are left."""
    matrix = pool.spectrum.bought.gram + pool.spectrum.kept.gram
    inverse = linalg.inv(matrix)
    order = np.flatnonzero(pool.spectrum.leverages > 0)  # zero rows say nothing
    there = np.zeros(pool.size, dtype=bool)
    there[order] = True
    count = len(order)
    while count > size:
        before = count
        proposed = random.choice(order, _BATCH)
        rows = look_up(pool.rows, pool.spectrum.whitening, pool.candidates[proposed]).rows
        for index, row, uniform in zip(proposed, rows, random.random(_BATCH), strict=True):
            if not there[index] or count == size:
                continue
            column = inverse @ row
            rest = 1 - float(row @ column)
            if rest > _ESSENTIAL and uniform < rest:
                inverse += np.outer(column / rest, column)
                matrix -= np.outer(row, row)
                there[index] = False
                count -= 1
        if count == before:  # nearly every row is essential: look at all of them
            gone, row = _least_essential(pool, order, inverse, random)
            matrix -= np.outer(row, row)
            there[gone] = False
            count -= 1
            inverse = linalg.pinvh(matrix)
        order = np.flatnonzero(there)
        inverse = _refreshed(matrix, inverse)
    return order


def _least_essential(
    pool: Pool, order: Indices, inverse: Matrix, random: np.random.Generator
) -> tuple[int, Vector]:
    """One row with probability proportional to 1 - h, as far as doubles know it."""
    rows = look_up(pool.rows, pool.spectrum.whitening, pool.candidates[order]).rows
    rest = np.maximum(1 - np.einsum("ij,ij->i", rows @ inverse, rows), 0.0) + 2.0**-52
    place = int(random.choice(len(order), p=rest / rest.sum()))
    return int(order[place]), rows[place]


def _refreshed(matrix: Matrix, inverse: Matrix) -> Matrix:
    """The inverse without the rounding of its updates: one step of Newton's method."""
    return np.asarray(2 * inverse - inverse @ matrix @ inverse)


@dataclass(frozen=True, repr=False)
class VolumeFamily:
    """All sizes."""

    pool: Pool
    seed: int

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """Exactly as many rows as may be paid for."""
        if self.pool.size > MOST_ROWS:
            raise MethodTooSlow(
                f"--method volume removes {self.pool.size} rows one by one: expected at most "
                f"{MOST_ROWS}; the other methods have no such limit",
                value=self.pool.size,
            )
        return [VolumeDraws(self.pool, self.seed, budget)]

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """There is no accuracy to be met."""
        raise BudgetOutOfRange(
            "--method volume has no guarantee: give it a --budget instead of an --epsilon",
            value=labels,
        )
