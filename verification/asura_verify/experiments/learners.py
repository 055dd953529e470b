"""Learners to compare with Algorithm 1: what each reads, and the exact loss of its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.algorithm1_regression import loss, weighted_least_squares
from asura.dataset import Dataset
from asura.labels import LabelOracle
from asura.randomness import Chooser
from asura.sampling import SamplingProcedure
from asura.scalars import Enclosure

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What a learner paid, and its certified loss/OPT."""

    paid: int
    draws: int
    ratio: Enclosure
    beta: tuple[Fraction, ...]


def ratio(value: Enclosure, best: Enclosure) -> Enclosure:
    """loss/OPT, for OPT > 0."""
    return Enclosure(value.lower / best.upper, value.upper / best.lower)


def by_algorithm_1(
    data: Dataset, procedure: SamplingProcedure[Any, Any], chooser: Chooser, best: Enclosure
) -> Answer:
    """Algorithm 1, as in `asura.active_regression`, with OPT computed once for many runs."""
    sample = procedure.sample(data, chooser)
    oracle = LabelOracle(data)
    labels = {index: oracle.label(index) for index in sample.picks}
    solution, _ = weighted_least_squares(data, sample, labels)
    beta = tuple(sample.arithmetic.enclosure(value).midpoint for value in solution)
    return Answer(oracle.paid, oracle.draws, ratio(loss(data, beta), best), beta)


class FitInDoubles:
    """The points in doubles, for learners that need a fit after every label.

    The fit is rounded, its loss is exact: `answer` judges the very vector that came out.
    """

    def __init__(self, data: Dataset, best: Enclosure) -> None:
        self.data = data
        self.best = best
        scales = np.sqrt([float(c) for c in data.squared_scales])
        self.points: Doubles = scales[:, None] * np.array(data.points, dtype=np.float64)
        self.labels: Doubles = np.array([float(y or 0) for y in data.labels])

    def fit(self, known: Sequence[int], weights: Doubles | None = None) -> Doubles:
        """Least squares on the known labels, of least norm."""
        index = list(known)
        root = np.ones(len(index)) if weights is None else np.sqrt(weights)
        solution = np.linalg.lstsq(
            root[:, None] * self.points[index], root * self.labels[index], rcond=None
        )[0]
        return np.asarray(solution, dtype=np.float64)

    def answer(self, paid: int, beta: Doubles) -> Answer:
        """The exact loss of this very vector."""
        exact = tuple(Fraction(float(b)) for b in beta)
        return Answer(paid, paid, ratio(loss(self.data, exact), self.best), exact)


def _sequential(regression: FitInDoubles, counts: Sequence[int], rule: str) -> Iterator[Answer]:
    """Fit, query one more point by the rule, repeat; an answer at each of the counts."""
    data = regression.data
    known = list(range(data.unlabelled, data.size))
    rest = list(range(data.unlabelled))
    wanted = set(counts)
    for paid in range(max(counts) + 1):
        beta = regression.fit(known)
        if paid in wanted:
            yield regression.answer(paid, beta)
        if not rest:
            return
        points = regression.points[rest]
        if rule == "boundary":
            score = -np.abs(points @ beta)
        else:
            gram = regression.points[known].T @ regression.points[known]
            score = np.einsum("ni,ik,nk->n", points, np.linalg.pinv(gram), points)
        known.append(rest.pop(int(np.argmax(score))))


def nearest_to_boundary(regression: FitInDoubles, counts: Sequence[int]) -> Iterator[Answer]:
    """Uncertainty sampling as in Section 6: query where the prediction is nearest to 0."""
    return _sequential(regression, counts, "boundary")


def largest_variance(regression: FitInDoubles, counts: Sequence[int]) -> Iterator[Answer]:
    """Query where the fit is least determined; the labels have no say in the choice."""
    return _sequential(regression, counts, "variance")


def uniform(regression: FitInDoubles, counts: Sequence[int], seed: int) -> Iterator[Answer]:
    """Query at random without replacement, each queried point weighted n_1/k."""
    data = regression.data
    order = np.random.default_rng(seed).permutation(data.unlabelled)
    free = list(range(data.unlabelled, data.size))
    for count in counts:
        chosen = [int(i) for i in order[:count]]
        weights = np.array([data.unlabelled / count] * count + [1.0] * len(free))
        yield regression.answer(count, regression.fit([*chosen, *free], weights))
