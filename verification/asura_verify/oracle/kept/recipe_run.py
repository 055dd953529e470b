"""A recipe along the picks of a trace, in doubles: what its program would have reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.dataset import Dataset
from asura_verify.oracle.kept.mistakes import KeptRecipe
from asura_verify.oracle.kept.scheme import Scheme

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class KeptDataInDoubles:
    """The data and the parameters, in doubles."""

    scheme: Scheme
    parameter: float  # gamma or nu
    points: Doubles
    rows: Doubles  # U
    labels: tuple[float | None, ...]

    @classmethod
    def of(cls, data: Dataset, scheme: Scheme, parameter: float) -> KeptDataInDoubles:
        """Whitened by singular vectors."""
        roots = np.sqrt([float(scale) for scale in data.squared_scales])
        points = roots[:, None] * np.array([[float(x) for x in row] for row in data.points])
        rows = np.linalg.svd(points, full_matrices=False)[0][:, : data.dimension]
        labels = tuple(None if label is None else float(label) for label in data.labels)
        return cls(scheme, parameter, points, rows, labels)


class CannotGoOn(ArithmeticError):
    """The recipe has no such pick, or breaks down."""


@dataclass
class KeptRecipeRun:
    """One recipe, in the state before iteration j."""

    recipe: KeptRecipe
    data: KeptDataInDoubles
    sigma: float = 0.0
    total: float = 0.0
    done: bool = False
    weights: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    picks: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        data, recipe, scheme = self.data, self.recipe, self.data.scheme
        d = data.rows.shape[1]
        pool = data.rows[: scheme.pool]
        forms = {"target": pool.T @ pool, "identity": np.eye(d)}
        self._moving, self._traced = forms[recipe.moving], forms[recipe.potential]
        rank, own = float(scheme.rank), float(scheme.rank) if recipe.rank == "R" else float(d)
        share = recipe.distance * own / rank
        g = data.parameter
        self.k = 1 - 4 * g * g if scheme.upper is not None else 1.0
        self.goal = float(scheme.goal) * recipe.goal
        if scheme.upper is None:
            self.step, self.upper, self.lower = recipe.step(g), 0.0, recipe.lower(g)
            share *= float(scheme.step) / self.step  # c = R/(N step)
        else:
            self.step = float(scheme.step)
            self.upper, self.lower = recipe.rates(g)
            self.goal *= own / rank
        self._start = share * float(scheme.distance) * forms[recipe.start]
        self._form = np.zeros((d, d))
        self._rows = data.rows if recipe.everything else pool
        self.phi = 0.0
        self.chances: Doubles = np.zeros(len(self._rows))
        self.share = 1.0

    @property
    def ended(self) -> bool:
        """Whether the program's loop is over."""
        rate = float(self.data.scheme.potential_rate)
        return self.done or self.sigma + rate * self.total >= self.goal

    def remaining(self) -> float:
        """What is left to the goal, as a share of it."""
        rate = float(self.data.scheme.potential_rate)
        return 0.0 if self.done else 1 - (self.sigma + rate * self.total) / self.goal

    def look(self) -> None:
        """Phi and the probabilities."""
        scheme = self.data.scheme
        bracket = np.linalg.inv(self._form + self._start - self.lower * self.sigma * self._moving)
        if scheme.upper is not None:
            above = self._start + self.upper * self.sigma * self._moving - self._form
            bracket = bracket + np.linalg.inv(above)
        masses = np.einsum("ni,ij,nj->n", self._rows, bracket, self._rows)
        self.phi = float(np.sum(self._traced * bracket))
        self.chances = masses / self.phi
        if not (np.all(np.isfinite(self.chances)) and self.phi != 0):
            raise CannotGoOn
        advance = self.step / self.phi
        self.last = scheme.ending != "overshoot" and self.sigma + advance >= self.goal
        self.share = (self.goal - self.sigma) / advance if self.last else 1.0

    def chosen(self, uniform: float) -> tuple[int, float]:
        """What a uniform picks, and how far it is from the ends."""
        coin = self.data.scheme.ending == "coin" and self.recipe.coin
        made = self.share if coin else 1.0
        ends = np.cumsum(np.maximum(self.chances, 0.0)) * made
        pool = self.data.scheme.pool
        index = int(np.searchsorted(ends, uniform, side="right"))
        index = pool if coin and self.last and uniform >= made else min(index, len(ends) - 1)
        return index, float(np.min(np.abs(np.append(ends, made) - uniform)))

    def weight(self, index: int) -> float:
        """The weight of a pick."""
        if index >= len(self.chances) or self.chances[index] == 0:
            raise CannotGoOn
        ending = self.data.scheme.ending
        scaled = self.recipe.clip if ending == "clip" else self.recipe.scaled_coin
        part = self.share if scaled and ending != "overshoot" else 1.0
        return part * self.recipe.weight(self.step, self.phi, float(self.chances[index]), self.k)

    def fields(self, index: int, *, left_out: bool) -> dict[str, Any]:
        """What the iteration reports."""
        found: dict[str, Any] = {
            "u": self.upper * self.sigma,
            "l": self.lower * self.sigma,
            "phi": self.phi,
            "probabilities": self.chances,
        }
        if not left_out:
            found |= {"weight": self.weight(index), "p": float(self.chances[index])}
        return found

    def take(self, index: int, *, left_out: bool) -> None:
        """The step."""
        advance = self.step / self.phi
        weight = 0.0
        if not left_out:
            weight = self.weight(index)
            row = self._rows[index]
            self._form = self._form + self.recipe.update(weight) * np.outer(row, row)
            self.picks.append(index)
        self.weights.append(weight)
        overshot = self.last and not self.recipe.overshoots
        self.sigma = self.goal if overshot else self.sigma + advance
        self.moved.append(self.share * advance)
        self.total += self.phi
        self.done = self.last

    def result(self) -> dict[str, Any]:
        """What the result reports."""
        mid = self.recipe.mid(self.sigma, self.k)
        weights, moved = np.array(self.weights), np.array(self.moved)
        found: dict[str, Any] = {
            "u": self.upper * self.sigma, "l": self.lower * self.sigma, "mid": mid,
            "weights": weights / mid, "alphas": moved / mid,
        }  # fmt: skip
        beta = self._beta(weights / mid, mid)
        return found if beta is None else found | {"beta": beta}

    def _beta(self, weights: Doubles, mid: float) -> Doubles | None:
        data, kept = self.data, self.recipe.regression
        pairs = list(zip(self.picks, [w for w in weights if w != 0], strict=False))
        if kept != "sample":
            own = 1.0 if kept == "kept" else 1 / mid
            pairs += [(i, own) for i in range(data.scheme.pool, len(data.rows))]
        if any(data.labels[i] is None for i, _ in pairs):
            return None
        labels = np.array([data.labels[i] for i, _ in pairs], dtype=float)
        roots = np.sqrt(np.abs([w for _, w in pairs]))
        chosen = [i for i, _ in pairs]
        left = roots[:, None] * data.points[chosen]
        return np.asarray(np.linalg.lstsq(left, roots * labels, rcond=None)[0])
