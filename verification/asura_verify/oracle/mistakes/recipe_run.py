"""The run of a recipe along the picks of a trace: what its program would have reported."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asura.dataset import Dataset
from asura.scalars import fraction
from asura.stopping import StoppingRule
from asura_verify.oracle.mistakes.recipe import (
    DYNAMICS,
    Doubles,
    FinalBarriers,
    Order,
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
    mid: float = math.nan  # at the end of the true run

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
        facts["gamma"] = recipe.gamma(self.gamma)
        if recipe.points in {"unscaled", "overscaled"} and np.all(self.scales == 1):
            facts["points"] = "isometric"
        if recipe.points == "unlabelled" and self.data.unlabelled == self.data.size:
            facts["points"] = "isometric"
        if recipe.points == "single" and np.array_equal(self.raw.astype(np.float32), self.raw):
            facts["points"] = "isometric"
        if facts["points"] == "isometric":
            data = self.data
            facts["dimension"] = recipe.dimension(data.dimension, data.width, data.size)
        return tuple(facts.values())

    @cached_property
    def raw(self) -> Doubles:
        """The points: rows with their scales."""
        return np.asarray(self.plain * np.sqrt(self.scales)[:, None])

    def rows(self, points: Points, jitter: float = 0.0) -> Doubles:
        """U(x) as a recipe understands it."""
        if jitter:
            return _whitened(self.raw, self.raw.T @ self.raw + jitter * np.eye(self.data.width))
        match points:
            case "isometric":
                return self.isometric
            case "raw":
                return self.raw
            case "unit rows":
                sizes = np.sqrt(self.leverages)
                return np.asarray(self.isometric / np.where(sizes > 0, sizes, 1.0)[:, None])
            case "moments":
                return np.asarray(self.isometric * math.sqrt(self.data.size))
            case "unscaled":
                return _orthonormal(self.plain)
            case "overscaled":
                return _orthonormal(self.plain * self.scales[:, None])
            case _:
                return _mistaken(points, self.raw, self.data.unlabelled)


def _orthonormal(rows: Doubles) -> Doubles:
    """Left singular vectors, as many as the rank."""
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    rank = int(np.sum(values > values[0] * max(rows.shape) * 2.0**-52))
    return np.asarray(left[:, :rank])


def _whitened(rows: Doubles, gram: Doubles) -> Doubles:
    """L^-1 x for gram = L L^T."""
    return np.asarray(np.linalg.solve(np.linalg.cholesky(gram), rows.T).T)


def _mistaken(points: Points, raw: Doubles, unlabelled: int) -> Doubles:
    """What is not orthonormal rows of these very points."""
    gram = raw.T @ raw
    match points:
        case "single":
            return _orthonormal(raw.astype(np.float32).astype(np.float64))
        case "unit columns":
            return np.asarray(raw / np.linalg.norm(raw, axis=0))
        case "centred":
            return _orthonormal(raw - raw.mean(axis=0))
        case "intercept":
            return _orthonormal(np.hstack([raw, np.ones((len(raw), 1))]))
        case "unlabelled":
            return _whitened(raw, raw[:unlabelled].T @ raw[:unlabelled])
        case "transposed":
            return np.asarray(np.linalg.solve(np.linalg.cholesky(gram).T, raw.T).T)
        case "gram inverse":
            return np.asarray(np.linalg.solve(gram, raw.T).T)
        case _:  # truncated
            return np.asarray(_orthonormal(raw)[:, :-1])


class RecipeRun:
    """The dynamics of a recipe, along the picks of a trace; `failed` once numbers break down."""

    def __init__(self, recipe: Recipe, in_doubles: DataInDoubles) -> None:
        self.recipe, self.in_doubles = recipe, in_doubles
        self.failed = False
        self.rows = in_doubles.rows(recipe.points, recipe.jitter)
        size, rank = self.rows.shape
        self.gamma = recipe.gamma(in_doubles.gamma)
        self.dimension = recipe.dimension(rank, in_doubles.data.width, size)
        self.upper, self.lower = recipe.first(self.dimension, self.gamma)
        self.first_upper, self.first_lower = self.upper, self.lower
        self.previous_upper, self.previous_lower = self.upper, self.lower
        self.accumulated: Doubles = np.zeros((rank, rank))
        self._identity = np.eye(rank)
        self.stale: Doubles = self.accumulated  # the matrix of the iteration before
        self.potential_sum = 0.0
        self.potential = 0.0
        self.last_potential = 0.0  # that of the iteration before
        self.probabilities: Doubles = np.zeros(size)
        self.previous: Doubles = self.probabilities
        self.picks: list[int] = []
        self.weights: list[float] = []
        self.shares: list[float] = []

    def _evaluate(self, accumulated: Doubles, upper: float, lower: float) -> tuple[float, Doubles]:
        """The potential and the masses of a state."""
        recipe = self.recipe
        identity = self._identity
        up, low = np.linalg.inv(
            np.stack((upper * identity - accumulated, accumulated - lower * identity))
        )
        bracket = recipe.bracket(up, low)
        masses = np.sum((self.rows @ bracket) * self.rows, axis=1)
        return recipe.potential(up, low), masses

    def look(self) -> None:
        """Lines 4 to 6."""
        matrix = self.stale if self.recipe.stale else self.accumulated
        last = self.potential
        try:
            self.potential, masses = self._evaluate(matrix, self.upper, self.lower)
            if self.recipe.early_barriers:
                _, masses = self._evaluate(matrix, *self.barriers_after())
            probabilities = self.recipe.probability(masses, self.potential)
        except (np.linalg.LinAlgError, ArithmeticError):
            self.failed = True
            return
        self.previous = self.probabilities if self.picks else probabilities
        self.last_potential = last if self.picks else self.potential
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
        d, g, rule = self.dimension, self.gamma, self.in_doubles.rule
        last = self.gamma / self.shares[-1] if self.shares else 0.0
        at = StopContext(
            upper, lower, self.first_upper, self.first_lower, total, self.potential, last
        )
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
                    self.in_doubles.leverages,
                    self.in_doubles.data.unlabelled,
                    np.isin(np.arange(len(distribution)), self.picks),
                    np.array(self.picks[-1] if self.picks else -1),
                )
            )
        if recipe.greedy:
            return int(np.argmax(distribution)), 1.0
        places = _ordered(distribution, recipe.order)
        ends = np.cumsum(np.maximum(distribution[places], 0))
        ends = ends / ends[-1]
        last = len(ends) - 1
        found = int(places[min(int(np.searchsorted(ends, uniform, side="right")), last)])
        index = min(max(found + recipe.index_shift, 0), last)
        return index, float(np.min(np.abs(ends[:-1] - uniform), initial=1.0))

    def weight(self, index: int) -> float:
        """w'_j for a point."""
        recipe = self.recipe
        phi = self.potential
        if recipe.weight_potential == "previous":
            phi = self.last_potential
        elif recipe.weight_potential == "next":  # the barriers have moved, the matrix has not
            phi, _ = self._evaluate(self.accumulated, *self.barriers_after())
        chances = self.previous if recipe.weight_probability == "previous" else self.probabilities
        p = float(chances[index])
        return recipe.weight(self.gamma, phi, p) if p != 0 else math.nan

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
        if recipe.rate_potential == "next":
            potential, _ = self._evaluate(self.accumulated, self.upper, self.lower)
        elif recipe.rate_potential == "previous":
            potential = self.last_potential
        self._move(index, weight, potential)

    def follow(self, index: int, weight: float) -> None:
        """A step of the algorithm whose potential and weight are known: nothing to invert."""
        self._add(index, weight)
        self._move(index, weight, self.potential)

    def _add(self, index: int, factor: float) -> None:
        row = self.rows[index]
        self.stale = self.accumulated
        self.accumulated = self.accumulated + factor * self.recipe.outer(row)

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
        data, known = self.in_doubles.data, self.in_doubles
        chosen, weights = self._sample(recipe, mid)
        labels = [data.labels[index] for index in chosen]
        if not chosen or None in labels or not np.all(weights >= 0):
            return None
        points = known.raw
        if recipe.regression == "unscaled":
            points = known.plain
        elif recipe.regression == "scaled twice":
            points = known.plain * known.scales[:, None]
        elif recipe.regression == "intercept":
            points = np.hstack([points, np.ones((data.size, 1))])
        elif recipe.regression == "unit columns":
            sizes = np.linalg.norm(points, axis=0)
            points = points / np.where(sizes > 0, sizes, 1.0)
        rows = points[chosen]
        target = np.array([float(label or 0) for label in labels])
        roots = np.sqrt(weights)
        left = rows if recipe.regression == "points unweighted" else rows * roots[:, None]
        right = target if recipe.regression == "labels unweighted" else target * roots
        if recipe.regression == "ridge":
            gram = left.T @ left + np.eye(data.width)
            return np.asarray(np.linalg.solve(gram, left.T @ right))
        found = np.linalg.lstsq(left, right, rcond=None)[0][: data.width]
        return np.asarray(-found if recipe.regression == "negated" else found)

    def _sample(self, recipe: Recipe, mid: float) -> tuple[list[int], Doubles]:
        """The points that the regression sees, and their weights."""
        data, chosen = self.in_doubles.data, list(self.picks)
        weights = recipe.normalised(np.array(self.weights), mid)
        shares = np.array(self.shares)
        match recipe.regression:
            case "everything":
                return list(range(data.size)), np.ones(data.size)
            case "unweighted":
                return chosen, np.ones(len(chosen))
            case "distinct":
                last = dict(zip(chosen, weights.tolist(), strict=True))
                return list(last), np.array(list(last.values()))
            case "distinct unweighted":
                once = list(dict.fromkeys(chosen))
                return once, np.ones(len(once))
            case "unlabelled":
                kept = [k for k, index in enumerate(chosen) if index < data.unlabelled]
                return [chosen[k] for k in kept], weights[kept]
            case "without last":
                return chosen[:-1], weights[:-1]
            case "squared":
                return chosen, weights**2
            case "rooted":
                return chosen, np.sqrt(np.abs(weights))
            case "shares":
                return chosen, shares / mid
            case "inverse probability":
                return chosen, np.array(self.weights) / shares
            case _:
                return chosen, weights


def _ordered(distribution: Doubles, order: Order) -> NDArray[np.intp]:
    """The points in the order in which they are laid end to end."""
    places = np.arange(len(distribution))
    match order:
        case "forward":
            return places
        case "backward":
            return places[::-1]
        case "ascending":
            return np.argsort(distribution, kind="stable")
        case "descending":
            return np.argsort(-distribution, kind="stable")
