"""Barriers in doubles: the walk of K1, K2 and Algorithm 2, a step of which does not depend on n.

P = c I + upper sigma D - A, Q = A + c I - lower sigma D, E = P^-1 + Q^-1 (or Q^-1 alone), and a row
is drawn with probability U^T E U/Phi, Phi = Tr(D E): see `asura.kept.barriers`, the exact text.

A small pool looks at all its rows and uses the uniforms of the reference, so that the walk can be
replayed. A large one proposes rows by their leverage and accepts x with probability
U^T E U/(mu l_x), mu >= |E| decided by a Cholesky factorisation: exactly the same distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from asura.engine.coins import SMALL_POOL
from asura.engine.free_draws import Pool
from asura.engine.gram import look_up
from asura.engine.leverage_draws import uniforms
from asura.engine.procedures import Drawn, collected
from asura.engine.rounding import spectral_norm_up
from asura.engine.rows import Matrix
from asura.engine.searching import GuidedSearch
from asura.errors import BarrierCrossed
from asura.kept.trials import Purpose, trial
from asura.randomness import Seed

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Proposals that are looked up together.
_BATCH = 32


@dataclass(frozen=True)
class Rates:
    """How the barriers of a variant move (`asura.kept.variants`), in doubles."""

    step: float
    distance: float
    upper: float | None
    lower: float
    goal: float
    ending: Literal["overshoot", "coin"]


def _inverse(matrix: Matrix) -> Matrix:
    factor, failed = lapack.dpotrf(matrix, lower=1, clean=0)
    if failed == 0:
        inverse, failed = lapack.dpotri(factor, lower=1, overwrite_c=1)
    if failed:
        raise BarrierCrossed("a barrier was crossed by rounding: give a larger budget", value=0)
    return np.asarray(np.tril(inverse) + np.tril(inverse, -1).T)


class _Proposals:
    """One row after the other with probability U^T E U/Phi, by rejection."""

    def __init__(self, pool: Pool, search: GuidedSearch, scale: float, seed: int) -> None:
        self._pool = pool
        self._search = search
        self._scale = scale
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._direction = self._random.standard_normal(pool.spectrum.whitening.rank)

    def uniform(self) -> float:
        """For the coin of the last step."""
        return float(self._random.random())

    def _norm(self, bracket: Matrix) -> float:
        """A bound mu >= |E|: guessed by a few products, decided by a factorisation."""
        vector = self._direction
        for _ in range(4):
            vector = bracket @ vector
            length = float(np.linalg.norm(vector))
            vector = vector / length
        self._direction = vector
        bound = 1.05 * length
        while True:
            gap = -bracket
            gap[np.diag_indices_from(gap)] += bound
            _, failed = lapack.dpotrf(gap, lower=1, clean=0, overwrite_a=1)
            if failed == 0:
                return bound
            bound *= 1.15

    def next(self, bracket: Matrix) -> tuple[int, Vector, float]:
        """A row of the pool, its coordinates, and its mass U^T E U."""
        bound = self._norm(bracket) * self._scale
        while True:
            picks = self._search.rows(self._random.random(_BATCH) * self._search.total)
            part = look_up(
                self._pool.rows, self._pool.spectrum.whitening, self._pool.candidates[picks]
            )
            rows = part.rows
            masses = np.einsum("ij,ij->i", rows @ bracket, rows)
            chances = masses / (bound * self._pool.spectrum.leverages[picks])
            accepted = np.flatnonzero(self._random.random(_BATCH) < chances)
            if accepted.size:
                k = accepted[0]
                return int(picks[k]), rows[k], float(masses[k])


@dataclass(frozen=True, repr=False)
class BarrierWalk:
    """A variant with barriers on one pool."""

    pool: Pool
    rates: Rates

    @cached_property
    def _whole(self) -> Matrix:
        """T^T G T, which stands for I."""
        return self._symmetric(self.pool.spectrum.bought.gram + self.pool.spectrum.kept.gram)

    @cached_property
    def _target(self) -> Matrix:
        """D."""
        return self._symmetric(self.pool.spectrum.bought.gram)

    @staticmethod
    def _symmetric(matrix: Matrix) -> Matrix:
        return np.asarray((matrix + matrix.T) / 2)

    @cached_property
    def _all(self) -> Matrix:
        """The rows of a small pool in coordinates T."""
        return look_up(self.pool.rows, self.pool.spectrum.whitening, self.pool.candidates).rows

    @cached_property
    def _search(self) -> GuidedSearch:
        return GuidedSearch(self.pool.spectrum.leverages)

    def _bracket(self, accumulated: Matrix, progress: float) -> Matrix:
        rates = self.rates
        start = rates.distance * self._whole
        bracket = _inverse(accumulated + start - rates.lower * progress * self._target)
        if rates.upper is not None:
            bracket += _inverse(start + rates.upper * progress * self._target - accumulated)
        return bracket

    def sample(self, seed: int, purpose: Purpose, number: int) -> Drawn:
        """One run: its rows with the weights w'/sigma."""
        source = trial(seed, purpose, number)
        picks, weights, progress = (
            self._small(source) if self.pool.size <= SMALL_POOL else self._large(source)
        )
        return collected(np.array(picks, dtype=np.intp), np.array(weights) / progress)

    def _small(self, source: Seed) -> tuple[list[int], list[float], float]:
        """All masses in every step, and the reference's uniforms."""
        rates, rows = self.rates, self._all
        accumulated = np.zeros_like(self._whole)
        progress, share = 0.0, None
        picks: list[int] = []
        weights: list[float] = []
        ready = uniforms(source, 0, 64)
        step = 0
        while progress < rates.goal and share is None:
            bracket = self._bracket(accumulated, progress)
            masses = np.einsum("ij,ij->i", rows @ bracket, rows)
            sums = np.cumsum(masses)
            advance = rates.step / float(sums[-1])
            if rates.ending == "coin" and progress + advance >= rates.goal:
                share = (rates.goal - progress) / advance
            if step == len(ready):
                ready = np.append(ready, uniforms(source, step, 2 * step))
            goal = ready[step] * float(sums[-1]) / (1.0 if share is None else share)
            pick = int(np.searchsorted(sums, goal, side="right"))
            step += 1
            if pick < len(sums):
                weight = rates.step / float(masses[pick])
                accumulated += weight * np.outer(rows[pick], rows[pick])
                picks.append(pick)
                weights.append(weight)
            elif share is None:
                raise BarrierCrossed("a uniform fell beyond the last row", value=step)
            progress = progress + advance if share is None else rates.goal
        return picks, weights, progress

    def _large(self, source: Seed) -> tuple[list[int], list[float], float]:
        """Rows proposed by leverage."""
        rates = self.rates
        # |U|^2 <= |T^T G T| l, and leverages are bounds from above
        scale = spectral_norm_up(self._whole) * (1 + 1e-9)
        proposals = _Proposals(self.pool, self._search, scale, source.seed)
        accumulated = np.zeros_like(self._whole)
        progress, share = 0.0, None
        picks: list[int] = []
        weights: list[float] = []
        while progress < rates.goal and share is None:
            bracket = self._bracket(accumulated, progress)
            advance = rates.step / float(np.einsum("ij,ij->", self._target, bracket))
            if rates.ending == "coin" and progress + advance >= rates.goal:
                share = (rates.goal - progress) / advance
            if share is None or proposals.uniform() < share:
                pick, row, mass = proposals.next(bracket)
                weight = rates.step / mass
                accumulated += weight * np.outer(row, row)
                picks.append(pick)
                weights.append(weight)
            progress = progress + advance if share is None else rates.goal
        if not math.isfinite(progress):
            raise BarrierCrossed("the potential is not finite", value=progress)
        return picks, weights, progress
