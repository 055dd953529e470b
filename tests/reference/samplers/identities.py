"""Exact expectations over every outcome of a sampler, written out from the definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.randomness import Uniforms
from asura.samplers.decisions import Decided, Decisions, ExactSample, Outcome, outcomes
from asura.sampling import LeverageSampling
from asura.scalars import fraction, rational

Weights = list[tuple[int, Fraction]]
Law = list[tuple[Fraction, Weights]]


def law(procedure: Decided, data: Dataset) -> Law:
    """The probability and the weighted points of every outcome."""
    return [
        (outcome.probability, weighted(outcome.sample)) for outcome in outcomes(procedure, data)
    ]


def weighted(sample: Any) -> Weights:
    return [(i, fraction(w)) for i, w in zip(sample.picks, sample.weights, strict=True)]


@dataclass(frozen=True)
class Attempt:
    """One attempt of a procedure that may refuse; a refusal is an empty sample."""

    procedure: Any

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        found: ExactSample | None = self.procedure.attempt(data, decisions)
        return ExactSample(EXACT, (), ()) if found is None else found


def accepted_law(procedure: Any, data: Dataset) -> tuple[Fraction, Law]:
    """P(an attempt is accepted), and the law given that it is."""
    attempts = law(Attempt(procedure), data)
    assert total(attempts) == 1
    found = [(p, weights) for p, weights in attempts if weights]
    chance = total(found)
    return chance, [(p / chance, weights) for p, weights in found]


def coins_law(procedure: LeverageSampling, data: Dataset) -> Law:
    """The law of the coins over all points: r = 0 takes a point, r = p leaves it."""
    chances = procedure.probabilities(data)
    found: Law = []
    for taken in itertools.product((True, False), repeat=data.size):
        if any(not yes and p == 1 for yes, p in zip(taken, chances, strict=True)):
            continue
        pairs = list(zip(taken, chances, strict=True))
        corner = Uniforms(tuple(Fraction(0) if yes else p for yes, p in pairs))
        chance = math.prod((p if yes else 1 - p for yes, p in pairs), start=Fraction(1))
        if chance:
            found.append((chance, weighted(procedure.sample(data, corner))))
    return found


def normal(data: Dataset, weights: Iterable[tuple[int, Fraction]]) -> fmpq_mat:
    """Sum w x x^T in coordinates of the row space."""
    coordinates = data.coordinates
    total = fmpq_mat(data.dimension, data.dimension)
    rows = coordinates.rows.tolist()
    for index, weight in weights:
        row = fmpq_mat([rows[index]])
        scale = rational(weight) * coordinates.squared_scales[index]
        total += row.transpose() * row * scale
    return total


def everything(data: Dataset) -> Weights:
    return [(i, Fraction(1)) for i in range(data.size)]


def total(found: Law) -> Fraction:
    return sum((p for p, _ in found), Fraction(0))


def expected_gram(data: Dataset, found: Law) -> fmpq_mat:
    """E sum w x x^T."""
    result = fmpq_mat(data.dimension, data.dimension)
    for p, weights in found:
        result += normal(data, weights) * rational(p)
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
    return sum(
        (
            (
                sum((x * b for x, b in zip(row, beta, strict=True)), fmpq(0))
                - rational(y or Fraction(0))
            )
            ** 2
            for row, y in zip(data.coordinates.rows.tolist(), data.labels, strict=True)
        ),
        fmpq(0),
    )


def best(data: Dataset) -> list[fmpq]:
    found = solve(data, everything(data))
    assert found is not None
    return found


def expected_beta(data: Dataset, found: Law) -> list[fmpq] | None:
    """E beta_S, None when some outcome has no single solution."""
    result = [fmpq(0)] * data.dimension
    for p, weights in found:
        beta = solve(data, weights)
        if beta is None:
            return None
        result = [r + rational(p) * b for r, b in zip(result, beta, strict=True)]
    return result


def expected_loss(data: Dataset, found: Law) -> fmpq:
    result = fmpq(0)
    for p, weights in found:
        beta = solve(data, weights)
        assert beta is not None
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


def inside(outcome: Outcome) -> Iterable[Uniforms]:
    """The smallest uniforms of the box of an outcome, and uniforms close to its upper corner."""
    yield Uniforms(tuple(low for low, _ in outcome.box))
    yield Uniforms(tuple(high - (high - low) / 2**70 for low, high in outcome.box))


def drawn_as_enumerated(procedure: Any, data: Dataset) -> None:
    """The boxes of all outcomes have total volume 1, and uniforms in a box draw its sample."""
    volume = Fraction(0)
    for outcome in outcomes(procedure, data):
        volume += outcome.probability
        for chooser in inside(outcome):
            assert procedure.sample(data, chooser) == outcome.sample
    assert volume == 1


def general_position(data: Dataset) -> bool:
    """Whether every d points are independent."""
    return all(
        normal(data, [(i, Fraction(1)) for i in chosen]).det() != 0
        for chosen in itertools.combinations(range(data.size), data.dimension)
    )


PARABOLA = dataset(
    [[1, 0], [1, 1], [1, 2], [1, 3], [1, 5]], labels=[1, 0, 2, 1, 4]
)  # in general position
DUPLICATES = dataset(
    [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]], labels=[1, 3, 0, 2, 1]
)  # two pairs of equal rows
DEFICIENT = dataset(
    [[1, 2], [2, 4], [0, 0], [3, 6]], labels=[1, 1, 5, 2]
)  # of rank one, with a zero row
SCALED = dataset([[1, 0], [1, 1], [0, 2], [1, 3]], squared_scales=[2, "1/3", 1, 5])
