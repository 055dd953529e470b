"""Learners of Section 6 as sampling procedures: nothing is random, X_2 is kept, weights are 1.

`LargestVariance` asks where the fit is least determined, `GreedyInX` for the point farthest from
all known ones, and `NearestToBoundary` where the prediction of the current fit is nearest to 0,
which depends on the labels read so far. Chosen without randomness, a set can be labelled by an
adversary (note bss-labels): none of the three has a bound on loss/OPT. They are what people use,
and what the experiments compare with.

>>> from asura.dataset import dataset
>>> data = dataset([[1, 0], [0, 1], [3, 0], [0, 2]], labels=[1, 1, 1, 1])
>>> LargestVariance(2).sample(data).picks, GreedyInX(2).sample(data).picks
((2, 3), (0, 3))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.errors import IrrationalNumber, MissingLabel, SizeOutOfRange
from asura.randomness import Chooser
from asura.samplers.barrier import forms
from asura.samplers.decisions import ExactSample, require_sensible, require_size
from asura.scalars import fraction, rational, square_root

#: Every step looks at every point, in exact rationals.
MOST_POINTS = 500

#: The scores of all points, from the known ones; the largest is asked for, the first of equals.
Scores = Callable[[Dataset, Sequence[int]], list[fmpq]]


def _sequential(data: Dataset, size: int, scores: Scores) -> ExactSample:
    require_sensible(data.size, MOST_POINTS, "a learner that looks at every point")
    if not data.unlabelled:
        raise SizeOutOfRange(
            f"size {size}: expected a point of X_1, but every label is known", value=size
        )
    require_size(size, 1, data.unlabelled, "labels of X_1 to buy")
    known = list(range(data.unlabelled, data.size))
    bought: list[int] = []
    for _ in range(size):
        value = scores(data, known)
        rest = (i for i in range(data.unlabelled) if i not in bought)
        index = max(rest, key=lambda i: (fraction(value[i]), -i))
        bought.append(index)
        known.append(index)
    picks = (*bought, *range(data.unlabelled, data.size))
    return ExactSample(EXACT, picks, (fmpq(1),) * len(picks))


def _independent(data: Dataset, known: Sequence[int]) -> tuple[list[list[fmpq]], bool]:
    """Rows of known points that are independent, and whether they span."""
    rows = data.coordinates.rows.tolist()
    chosen: list[list[fmpq]] = []
    for index in known:
        if len(chosen) < data.dimension and any(x != 0 for x in rows[index]):
            longer = [*chosen, rows[index]]
            if fmpq_mat(longer).rank() == len(longer):
                chosen = longer
    return chosen, len(chosen) == data.dimension


def variances(data: Dataset, known: Sequence[int]) -> list[fmpq]:
    """x^T (sum of known x x^T)^-1 x; while that is infinite, the leverage outside their span."""
    coordinates = data.coordinates
    inverse = coordinates.gram().inv()
    chosen, spanning = _independent(data, known)
    if spanning:
        rows = coordinates.rows.tolist()
        total = fmpq_mat(data.dimension, data.dimension)
        for index in known:
            row = fmpq_mat([rows[index]])
            total += row.transpose() * row * coordinates.squared_scales[index]
        return forms(data.coordinates, total.inv())
    if chosen:
        span = fmpq_mat(chosen)
        inner = (span * inverse * span.transpose()).inv()
        inverse -= inverse * span.transpose() * inner * span * inverse
    return forms(data.coordinates, inverse)


def distances(data: Dataset, known: Sequence[int]) -> list[fmpq]:
    """The least squared distance to a known point; to the mean, the nearest first, without one."""
    points = fmpq_mat([[rational(x) for x in row] for row in data.points]).tolist()
    if not known:
        count = fmpq(1, data.size)
        mean = [sum(column, fmpq(0)) * count for column in zip(*points, strict=True)]
        return [-_squared(row, mean) for row in points]
    return [min(_squared(row, points[k]) for k in known) for row in points]


def _squared(one: Sequence[fmpq], other: Sequence[fmpq]) -> fmpq:
    return sum(((a - b) * (a - b) for a, b in zip(one, other, strict=True)), fmpq(0))


def nearness(data: Dataset, known: Sequence[int]) -> list[fmpq]:
    """Minus the squared prediction of the fit on the known labels; the variance without one fit."""
    _, spanning = _independent(data, known)
    if not spanning:
        return variances(data, known)
    coordinates = data.coordinates
    rows = coordinates.rows.tolist()
    total, right = fmpq_mat(data.dimension, data.dimension), fmpq_mat(data.dimension, 1)
    for index in known:
        label, scale = data.labels[index], coordinates.squared_scales[index]
        if label is None:
            raise MissingLabel(
                f"the label of point {index} is needed to choose the next one", value=index
            )
        root = fmpq(0) if label == 0 else None
        if root is None:
            exact = square_root(data.squared_scales[index])
            if exact is None:
                raise IrrationalNumber("a scaled label is not rational", value=index)
            root = rational(exact)
        row = fmpq_mat([rows[index]])
        total += row.transpose() * row * scale
        right += row.transpose() * (root * rational(label))
    fitted = (coordinates.rows * total.solve(right)).entries()
    return [-c * f * f for c, f in zip(coordinates.squared_scales, fitted, strict=True)]


@dataclass(frozen=True, slots=True)
class LargestVariance:
    """Query where the fit is least determined; the labels have no say in the choice."""

    size: int

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """One point after the other; the randomness is not used."""
        return _sequential(data, self.size, variances)


@dataclass(frozen=True, slots=True)
class GreedyInX:
    """Query the point that is farthest from all known ones; only x matters."""

    size: int

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """One point after the other; the randomness is not used."""
        return _sequential(data, self.size, distances)


@dataclass(frozen=True, slots=True)
class NearestToBoundary:
    """Uncertainty sampling: query where the current prediction is nearest to 0."""

    size: int

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """One point after the other; the randomness is not used, the labels are."""
        return _sequential(data, self.size, nearness)
