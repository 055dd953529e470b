"""A rehearsal follows the picks of a trace, and says what a recipe would have reported."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from asura.dataset import Dataset
from asura.scalars import fraction
from asura.stopping import StoppingRule
from asura_verify.oracle.mistakes.recipe import (
    DYNAMICS,
    Doubles,
    FinalBarriers,
    PickContext,
    Points,
    Recipe,
    StopContext,
)


def _floats(values: list[list[Fraction]]) -> Doubles:
    return np.array([[float(x) for x in row] for row in values])


@dataclass(frozen=True)
class DataInDoubles:
    """The data of a trace in doubles, shared by the runs of all recipes."""

    data: Dataset
    gamma: float
    rule: StoppingRule

    @cached_property
    def isometric(self) -> Doubles:
        """Rows U(x): exactly whitened, then made orthonormal in doubles."""
        known = self.data.whitened
        rows = np.array([[float(fraction(x)) for x in row] for row in known.rows.tolist()])
        scales = np.array([float(fraction(c)) for c in known.squared_scales])
        rows = rows * np.sqrt(scales)[:, None]
        root = np.linalg.cholesky(rows.T @ rows)
        return np.asarray(np.linalg.solve(root, rows.T).T)

    @cached_property
    def scales(self) -> Doubles:
        """The squared scales."""
        return np.array([float(c) for c in self.data.squared_scales])

    @cached_property
    def plain(self) -> Doubles:
        """The rows as given, not scaled."""
        return _floats([list(row) for row in self.data.points])

    @cached_property
    def leverages(self) -> Doubles:
        """|U(x)|^2."""
        return np.asarray(np.sum(self.isometric**2, axis=1))

    def dynamics(self, recipe: Recipe) -> tuple[object, ...]:
        """Those of a recipe on these data: recipes that agree here share one run."""
        facts = dict(zip(DYNAMICS, recipe.dynamics, strict=True))
        if recipe.points != "raw" and np.all(self.scales == 1):
            facts["points"] = "isometric"
        if facts["points"] == "isometric":
            data = self.data
            facts["dimension"] = recipe.dimension(data.dimension, data.width, data.size)
        return tuple(facts.values())

    def rows(self, points: Points) -> Doubles:
        """U(x) as a recipe understands it."""
        if points == "isometric":
            return self.isometric
        if points == "raw":
            return np.asarray(self.plain * np.sqrt(self.scales)[:, None])
        scaled = self.plain if points == "unscaled" else self.plain * self.scales[:, None]
        left, values, _ = np.linalg.svd(scaled, full_matrices=False)
        rank = int(np.sum(values > values[0] * max(scaled.shape) * 2.0**-52))
        return np.asarray(left[:, :rank])


class RecipeRun:
    """The dynamics of a recipe, along the picks of a trace; `failed` once numbers break down."""

    def __init__(self, recipe: Recipe, stage: DataInDoubles) -> None:
        self.recipe, self.stage = recipe, stage
        self.failed = False
        self.rows = stage.rows(recipe.points)
        size, rank = self.rows.shape
        self.gamma = recipe.gamma(stage.gamma)
        self.dimension = recipe.dimension(rank, stage.data.width, size)
        self.upper, self.lower = recipe.first(self.dimension, self.gamma)
        self.first_upper, self.first_lower = self.upper, self.lower
        self.previous_upper, self.previous_lower = self.upper, self.lower
        self.accumulated: Doubles = np.zeros((rank, rank))
        self._identity = np.eye(rank)
        self.stale: Doubles = self.accumulated  # the matrix of the iteration before
        self.potential_sum = 0.0
        self.potential = 0.0
        self.probabilities: Doubles = np.zeros(size)
        self.previous: Doubles = self.probabilities
        self.picks: list[int] = []
        self.weights: list[float] = []
        self.shares: list[float] = []

    def _evaluate(self, accumulated: Doubles) -> tuple[float, Doubles]:
        recipe = self.recipe
        identity = self._identity
        up, low = np.linalg.inv(
            np.stack((self.upper * identity - accumulated, accumulated - self.lower * identity))
        )
        bracket = recipe.bracket(up, low)
        masses = np.sum((self.rows @ bracket) * self.rows, axis=1)
        potential = recipe.potential(up, low)
        return potential, recipe.probability(masses, potential)

    def look(self) -> None:
        """Lines 4 to 6."""
        matrix = self.stale if self.recipe.stale else self.accumulated
        try:
            self.potential, probabilities = self._evaluate(matrix)
        except (np.linalg.LinAlgError, ZeroDivisionError):
            self.failed = True
            return
        self.previous = self.probabilities if self.picks else probabilities
        self.probabilities = probabilities
        if not (np.isfinite(self.potential) and np.all(np.isfinite(probabilities))):
            self.failed = True

    def remaining(self, recipe: Recipe) -> float:
        """How far the clock is from the bound, relatively; positive means that the loop goes on."""
        upper, lower, total = self.upper, self.lower, self.potential_sum
        if recipe.clock_shift > 0:
            upper, lower = self.barriers_after()
            total += self.potential
        elif recipe.clock_shift < 0 and self.picks:
            upper, lower = self.previous_upper, self.previous_lower
            total -= self.gamma / self.shares[-1]
        d, g, rule = self.dimension, self.gamma, self.stage.rule
        at = StopContext(upper, lower, self.first_upper, self.first_lower, total)
        if recipe.clock is not None:
            clock = recipe.clock(at)
        else:
            clock = at.gap + at.potential_sum if rule.counts_potentials else at.gap
        level = float(rule.level)
        bound = 4 * d / g * (1 + level) if recipe.bound is None else recipe.bound(d, g)
        return 1 - clock / bound

    def chosen(self, recipe: Recipe, uniform: float) -> tuple[int, float]:
        """The point that a recipe picks, and how close r is to another one."""
        distribution = self.probabilities
        if recipe.choose is not None:
            distribution = recipe.choose(
                PickContext(
                    distribution,
                    self.previous,
                    self.stage.leverages,
                    self.stage.data.unlabelled,
                    np.isin(np.arange(len(distribution)), self.picks),
                )
            )
        if recipe.greedy:
            return int(np.argmax(distribution)), 1.0
        ends = np.cumsum(np.maximum(distribution, 0))
        ends = ends / ends[-1]
        index = min(int(np.searchsorted(ends, uniform, side="right")), len(ends) - 1)
        return index, float(np.min(np.abs(ends[:-1] - uniform), initial=1.0))

    def weight(self, index: int) -> float:
        """w'_j for a point, as reported."""
        p = float(self.probabilities[index])
        return self.recipe.weight(self.gamma, self.potential, p) if p != 0 else math.nan

    def barriers_after(self) -> tuple[float, float]:
        """u and l after this step, before the new matrix is known."""
        return (
            self.upper + self.recipe.upper_step(self.gamma, self.potential),
            self.lower + self.recipe.lower_step(self.gamma, self.potential),
        )

    def take(self, index: int) -> None:
        """Lines 7 to 10; a mistaken gamma may divide by zero."""
        try:
            self._take(index)
        except (ArithmeticError, np.linalg.LinAlgError):
            self.failed = True

    def _take(self, index: int) -> None:
        recipe = self.recipe
        p = float(self.probabilities[index])
        weight = self.weight(index)
        if not math.isfinite(weight):
            self.failed = True
            return
        factor = weight if recipe.update is None else recipe.update(self.gamma, self.potential, p)
        self._add(index, factor)
        potential = self.potential
        if recipe.next_potential:
            potential = self._evaluate(self.accumulated)[0]
        self._move(index, weight, potential)

    def follow(self, index: int, weight: float) -> None:
        """A step of the algorithm whose potential and weight are known: nothing to invert."""
        self._add(index, weight)
        self._move(index, weight, self.potential)

    def _add(self, index: int, factor: float) -> None:
        row = self.rows[index]
        self.stale = self.accumulated
        self.accumulated = self.accumulated + factor * np.outer(row, row)

    def _move(self, index: int, weight: float, potential: float) -> None:
        self.previous_upper, self.previous_lower = self.upper, self.lower
        self.upper += self.recipe.upper_step(self.gamma, potential)
        self.lower += self.recipe.lower_step(self.gamma, potential)
        self.potential_sum += self.potential
        self.picks.append(index)
        self.weights.append(weight)
        self.shares.append(self.gamma / self.potential)

    def mid(self, recipe: Recipe) -> float:
        """mid, as a recipe has it."""
        return recipe.mid(
            FinalBarriers(
                self.upper,
                self.lower,
                self.previous_upper,
                self.previous_lower,
                self.first_upper,
                self.first_lower,
            )
        )

    def beta(self, recipe: Recipe, mid: float) -> Doubles | None:
        """Algorithm 1's answer, as a recipe has it; None when a label is missing."""
        data = self.stage.data
        chosen = list(self.picks)
        weights = np.array([recipe.normalised(w, mid) for w in self.weights])
        if recipe.regression == "everything":
            chosen, weights = list(range(data.size)), np.ones(data.size)
        elif recipe.regression == "unweighted":
            weights = np.ones(len(chosen))
        elif recipe.regression == "distinct":
            last = dict(zip(chosen, weights.tolist(), strict=True))
            chosen, weights = list(last), np.array(list(last.values()))
        elif recipe.regression == "unlabelled":
            kept = [k for k, index in enumerate(chosen) if index < data.unlabelled]
            chosen, weights = [chosen[k] for k in kept], weights[kept]
        elif recipe.regression == "squared":
            weights = weights**2
        elif recipe.regression == "rooted":
            weights = np.sqrt(np.abs(weights))
        labels = [data.labels[index] for index in chosen]
        if not chosen or None in labels or not np.all(weights >= 0):
            return None
        rows = self.stage.rows("raw")[chosen]
        target = np.array([float(label or 0) for label in labels])
        roots = np.sqrt(weights)
        return np.asarray(np.linalg.lstsq(rows * roots[:, None], target * roots, rcond=None)[0])
