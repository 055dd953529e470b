"""The law of a sampler of the field, and exact expectations over all its outcomes.

>>> from asura.dataset import dataset
>>> from asura.samplers.volume import VolumeSampling
>>> data = dataset([[1], [1], [2]], labels=[0, 1, 1])
>>> found = law(VolumeSampling(1), data)
>>> [str(b) for b in expected_beta(data, found)], [str(b) for b in best(data)]
(['1/2'], ['1/2'])
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.randomness import Uniforms
from asura.samplers.decisions import Decided, Decisions, ExactSample, outcomes
from asura.sampling import LeverageSampling
from asura.scalars import fraction, rational

Weights = list[tuple[int, Fraction]]
Law = list[tuple[Fraction, Weights]]


def weighted(sample: Any) -> Weights:
    """The points of a sample with their weights."""
    return [(i, fraction(w)) for i, w in zip(sample.picks, sample.weights, strict=True)]


def _collected(found: Iterable[tuple[Fraction, Weights]]) -> Law:
    """Equal samples counted once, so that later sums are short."""
    total: dict[tuple[tuple[int, Fraction], ...], Fraction] = {}
    for p, weights in found:
        key = tuple(weights)
        total[key] = total.get(key, Fraction(0)) + p
    return [(p, list(key)) for key, p in total.items()]


def law(procedure: Decided, data: Dataset) -> Law:
    """The probability and the weighted points of every outcome."""
    return _collected(
        (each.probability, weighted(each.sample)) for each in outcomes(procedure, data)
    )


@dataclass(frozen=True)
class Attempt:
    """One attempt of a procedure that may refuse; a refusal is an empty sample."""

    procedure: Any

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """The attempt, by these decisions."""
        found: ExactSample | None = self.procedure.attempt(data, decisions)
        return ExactSample(EXACT, (), ()) if found is None else found


def accepted_law(procedure: Any, data: Dataset) -> tuple[Fraction, Law]:
    """P(an attempt is accepted), and the law given that it is."""
    found = [(p, weights) for p, weights in law(Attempt(procedure), data) if weights]
    chance = total(found)
    return chance, [(p / chance, weights) for p, weights in found]


def coins_law(procedure: LeverageSampling, data: Dataset) -> Law:
    """The law of the coins over all points: r = 0 takes a point, r = p leaves it."""
    chances = procedure.probabilities(data)
    found: Law = []
    for taken in itertools.product((True, False), repeat=data.size):
        pairs = list(zip(taken, chances, strict=True))
        chance = math.prod((p if yes else 1 - p for yes, p in pairs), start=Fraction(1))
        if chance:
            corner = Uniforms(tuple(Fraction(0) if yes else p for yes, p in pairs))
            found.append((chance, weighted(procedure.sample(data, corner))))
    return found


def normal(data: Dataset, weights: Iterable[tuple[int, Fraction]]) -> fmpq_mat:
    """Sum w x x^T in coordinates of the row space."""
    coordinates = data.coordinates
    result = fmpq_mat(data.dimension, data.dimension)
    rows = coordinates.rows.tolist()
    for index, weight in weights:
        row = fmpq_mat([rows[index]])
        scale = rational(weight) * coordinates.squared_scales[index]
        result += row.transpose() * row * scale
    return result


def everything(data: Dataset) -> Weights:
    """All points at weight 1."""
    return [(i, Fraction(1)) for i in range(data.size)]


def total(found: Law) -> Fraction:
    """The sum of the probabilities."""
    return sum((p for p, _ in found), Fraction(0))


def expected_gram(data: Dataset, found: Law) -> fmpq_mat:
    """E sum w x x^T."""
    result = fmpq_mat(data.dimension, data.dimension)
    for p, weights in found:
        result += normal(data, weights) * rational(p)
    return result


def expected_inverse(data: Dataset, found: Law) -> fmpq_mat:
    """E (sum w x x^T)^-1, when every outcome spans."""
    result = fmpq_mat(data.dimension, data.dimension)
    for p, weights in found:
        result += normal(data, weights).inv() * rational(p)
    return result


def unbiased_gram(data: Dataset, found: Law) -> bool:
    """E sum w x x^T = X^T X."""
    return bool(total(found) == 1 and expected_gram(data, found) == data.coordinates.gram())


def solve(data: Dataset, weights: Weights) -> list[fmpq] | None:
    """The minimiser of sum w (x beta - y)^2 at scale one, None when it is not unique."""
    matrix = normal(data, weights)
    if matrix.det() == 0:
        return None
    rows = data.coordinates.rows.tolist()
    right = [fmpq(0)] * data.dimension
    for index, weight in weights:
        factor = rational(weight * (data.labels[index] or 0))
        right = [r + factor * x for r, x in zip(right, rows[index], strict=True)]
    return matrix.solve(fmpq_mat(data.dimension, 1, right)).entries()


def loss(data: Dataset, beta: Sequence[fmpq]) -> fmpq:
    """|X beta - Y|^2 at scale one."""
    result = fmpq(0)
    for row, label in zip(data.coordinates.rows.tolist(), data.labels, strict=True):
        fitted = sum((x * b for x, b in zip(row, beta, strict=True)), fmpq(0))
        result += (fitted - rational(label or Fraction(0))) ** 2
    return result


def best(data: Dataset) -> list[fmpq]:
    """beta*, which exists because the coordinates are those of the row space."""
    matrix, rows = data.coordinates.gram(), data.coordinates.rows
    labels = fmpq_mat(data.size, 1, [rational(y or Fraction(0)) for y in data.labels])
    return matrix.solve(rows.transpose() * labels).entries()


def expected_beta(data: Dataset, found: Law) -> list[fmpq] | None:
    """E beta_S, None when some outcome has no single solution."""
    result = [fmpq(0)] * data.dimension
    for p, weights in found:
        beta = solve(data, weights)
        if beta is None:
            return None
        result = [r + rational(p) * b for r, b in zip(result, beta, strict=True)]
    return result


def expected_loss(data: Dataset, found: Law) -> fmpq | None:
    """E loss, None when some outcome has no single solution."""
    result = fmpq(0)
    for p, weights in found:
        beta = solve(data, weights)
        if beta is None:
            return None
        result += rational(p) * loss(data, beta)
    return result


def determinantal_moments(data: Dataset, found: Law) -> tuple[fmpq, list[fmpq]]:
    """E det and E[det beta], where a singular sample counts 0."""
    determinant, moment = fmpq(0), [fmpq(0)] * data.dimension
    for p, weights in found:
        beta = solve(data, weights)
        if beta is not None:
            share = rational(p) * normal(data, weights).det()
            determinant += share
            moment = [m + share * b for m, b in zip(moment, beta, strict=True)]
    return determinant, moment


def determinantally_unbiased(data: Dataset, found: Law) -> bool:
    """E det = det(X^T X) and E[det beta]/E[det] = beta*."""
    determinant, moment = determinantal_moments(data, found)
    return bool(
        determinant == data.coordinates.gram().det()
        and [m / determinant for m in moment] == best(data)
    )


def inclusion(data: Dataset, found: Law) -> list[Fraction]:
    """P(i in S)."""
    return [
        sum((p for p, weights in found if any(k == i for k, _ in weights)), Fraction(0))
        for i in range(data.size)
    ]


def expected_counts(data: Dataset, found: Law) -> list[Fraction]:
    """E of the weighted counts, sum over the draws of 1/q, point by point (k w = 1/q)."""
    return [
        sum((p * len(ws) * w for p, ws in found for k, w in ws if k == i), Fraction(0))
        for i in range(data.size)
    ]


def spans(data: Dataset, chosen: Iterable[int]) -> bool:
    """Whether these points span the row space."""
    return bool(normal(data, [(i, Fraction(1)) for i in chosen]).det() != 0)


def general_position(data: Dataset) -> bool:
    """Whether every d points are independent."""
    return all(
        spans(data, chosen) for chosen in itertools.combinations(range(data.size), data.dimension)
    )


def indispensable(data: Dataset, size: int) -> int:
    """How many points some spanning set of more than s points cannot lose."""
    found: set[int] = set()
    for count in range(size + 1, data.size + 1):
        for chosen in itertools.combinations(range(data.size), count):
            if spans(data, chosen):
                found.update(
                    left_out
                    for left_out in chosen
                    if not spans(data, (i for i in chosen if i != left_out))
                )
    return len(found)
