"""A query strategy for scikit-activeml: coins by leverage, redrawn until the batch is full.

Labelled rows are kept whole; among the candidates each is bought with probability l/(l + tau),
tau such that a batch is expected, and the draw is repeated until it has exactly the size asked
for. That is label-blind, so with the weights 1/p, left in `weights_`, K6 applies. Utilities are
the leverages.

>>> import numpy as np
>>> X = np.arange(12.0).reshape(6, 2)
>>> strategy = FreeDraws(alpha=1.0, random_state=0)
>>> len(strategy.query(X, np.array([1.0, *[np.nan] * 5]), batch_size=3))
3
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.engine.coin_draws import threshold
from asura.engine.coins import probabilities
from asura.engine.gram import spectrum
from asura.engine.rows import ArrayRows
from asura.errors import RankZero, missing_package

try:
    from skactiveml.base import SingleAnnotatorPoolQueryStrategy
    from skactiveml.utils import MISSING_LABEL, is_labeled
except ImportError:
    raise missing_package(
        "this module needs scikit-activeml", "skactiveml", "scikit-activeml"
    ) from None

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]

_REDRAWS = 2000


def _leverages(labelled: Vector, candidates: Vector, alpha: float, fit_intercept: bool) -> Vector:
    """The leverages of the candidates beside the labelled rows and the ridge."""
    rows = ArrayRows(np.vstack([labelled, candidates]), fit_intercept)
    known = np.arange(rows.size) < len(labelled)
    penalty = np.full(rows.width, alpha)
    if fit_intercept:
        penalty[-1] = 0.0
    try:
        return spectrum(rows, known, penalty).leverages
    except RankZero:
        return np.zeros(len(candidates))


def _batch(leverages: Vector, size: int, random: np.random.RandomState) -> tuple[Indices, Vector]:
    """Exactly `size` candidates and their weights."""
    useful = np.flatnonzero(leverages > 0)
    if len(useful) <= size:
        rest = np.setdiff1d(np.arange(len(leverages)), useful)
        extra = random.permutation(rest)[: size - len(useful)]
        return np.concatenate([random.permutation(useful), extra]), np.ones(size)
    chances = probabilities(leverages, threshold(leverages, float(size)))
    for _ in range(_REDRAWS):
        picks = np.flatnonzero(random.random_sample(len(chances)) < chances)
        if len(picks) == size:
            picks = random.permutation(picks)
            return picks, 1 / chances[picks]
    picks = random.choice(len(chances), size, replace=False, p=chances / chances.sum())
    return picks, 1 / chances[picks]


class FreeDraws(SingleAnnotatorPoolQueryStrategy):  # type: ignore[misc]
    """Query rows by their leverage in ridge regression, labelled rows kept whole."""

    def __init__(
        self,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        missing_label: Any = MISSING_LABEL,
        random_state: Any = None,
    ) -> None:
        super().__init__(missing_label=missing_label, random_state=random_state)
        self.alpha = alpha
        self.fit_intercept = fit_intercept

    def query(
        self,
        X: Any,  # noqa: N803 - scikit-activeml's name
        y: Any,
        candidates: Any = None,
        batch_size: int = 1,
        return_utilities: bool = False,
    ) -> Any:
        """The rows to label next, and on request the utilities, one line per row chosen."""
        X, y, candidates, batch_size, return_utilities = self._validate_data(  # noqa: N806
            X, y, candidates, batch_size, return_utilities, reset=True
        )
        if not isinstance(self.fit_intercept, bool):
            raise TypeError(f"fit_intercept is {self.fit_intercept!r}: expected True or False")
        if isinstance(self.alpha, bool) or not isinstance(self.alpha, int | float):
            raise TypeError(f"alpha is {self.alpha!r}: expected a number")
        if not (math.isfinite(self.alpha) and self.alpha >= 0):
            raise ValueError(f"alpha = {self.alpha}: expected a finite number >= 0")
        points, mapping = self._transform_candidates(candidates, X, y)
        labelled = X[is_labeled(y, self.missing_label)]
        leverages = _leverages(labelled, points, float(self.alpha), self.fit_intercept)
        picks, self.weights_ = _batch(leverages, batch_size, self.random_state_)
        size = len(points) if mapping is None else len(X)
        places = np.arange(len(points)) if mapping is None else np.asarray(mapping)
        if not return_utilities:
            return places[picks]
        utilities = np.full((batch_size, size), np.nan)
        utilities[:, places] = leverages
        for later in range(1, batch_size):
            utilities[later:, places[picks[later - 1]]] = np.nan
        return places[picks], utilities
