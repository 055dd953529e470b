"""Algorithm 2 without any of our kernels: plain `Fraction`s, and plain NumPy.

The yardsticks of `make bench`, and independent implementations for the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Matrix = list[list[Fraction]]
Doubles = NDArray[np.float64]


def invert(matrix: Matrix) -> Matrix:
    """Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == k)) for k in range(size))] for i, row in enumerate(matrix)]
    for p in range(size):
        chosen = next(i for i in range(p, size) if rows[i][p] != 0)
        rows[p], rows[chosen] = rows[chosen], rows[p]
        pivot = rows[p][p]
        rows[p] = [x / pivot for x in rows[p]]
        for i in range(size):
            if i != p and rows[i][p] != 0:
                factor = rows[i][p]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[p], strict=True)]
    return [row[size:] for row in rows]


@dataclass(frozen=True)
class PlainStep:
    """What one step computes."""

    potential: Fraction
    probabilities: list[Fraction]
    weight: Fraction
    accumulated: Matrix
    upper: Fraction
    lower: Fraction


def fraction_gram(points: Sequence[Sequence[Fraction]]) -> Matrix:
    """X^T X."""
    span = range(len(points[0]))
    return [[sum((x[i] * x[k] for x in points), Fraction(0)) for k in span] for i in span]


def fraction_step(
    points: Sequence[Sequence[Fraction]],
    gram: Matrix,
    gamma: Fraction,
    accumulated: Matrix,
    upper: Fraction,
    lower: Fraction,
    pick: int,
) -> PlainStep:
    """Lines 4-9 in Gram coordinates, with nothing but `Fraction`."""
    size = len(accumulated)
    span = range(size)
    above = invert([[upper * gram[i][k] - accumulated[i][k] for k in span] for i in span])
    below = invert([[accumulated[i][k] - lower * gram[i][k] for k in span] for i in span])
    bracket = [[above[i][k] + below[i][k] for k in span] for i in span]
    masses = [
        sum((x[i] * bracket[i][k] * x[k] for i in span for k in span), Fraction(0)) for x in points
    ]
    potential = sum((gram[i][k] * bracket[k][i] for i in span for k in span), Fraction(0))
    probabilities = [mass / potential for mass in masses]
    weight = gamma / potential / probabilities[pick]
    x = points[pick]
    return PlainStep(
        potential,
        probabilities,
        weight,
        [[accumulated[i][k] + weight * x[i] * x[k] for k in span] for i in span],
        upper + gamma / (1 - 2 * gamma) / potential,
        lower + gamma / (1 + 2 * gamma) / potential,
    )


@dataclass(frozen=True)
class PlainRun:
    """What one run computes."""

    picks: list[int]
    weights: list[float]
    upper: float
    lower: float


def numpy_run(points: Doubles, gamma: float, uniforms: Sequence[float]) -> PlainRun:
    """Algorithm 2 as the paper writes it: singular vectors, inverses, doubles."""
    left, values, _ = np.linalg.svd(points, full_matrices=False)
    basis = left[:, values > values[0] * 1e-12]
    dimension = basis.shape[1]
    identity = np.eye(dimension)
    upper, lower = 2 * dimension / gamma, -2 * dimension / gamma
    accumulated = np.zeros((dimension, dimension))
    total = 0.0
    picks: list[int] = []
    weights: list[float] = []
    while upper - lower + total < 8 * dimension / gamma:
        bracket = np.linalg.inv(upper * identity - accumulated) + np.linalg.inv(
            accumulated - lower * identity
        )
        potential = float(np.trace(bracket))
        probabilities = np.einsum("ni,ik,nk->n", basis, bracket, basis) / potential
        pick = int(np.searchsorted(np.cumsum(probabilities), uniforms[len(picks)], side="right"))
        pick = min(pick, len(points) - 1)
        weight = gamma / (potential * float(probabilities[pick]))
        row = basis[pick]
        accumulated = accumulated + weight * np.outer(row, row)
        upper += gamma / (1 - 2 * gamma) / potential
        lower += gamma / (1 + 2 * gamma) / potential
        total += potential
        picks.append(pick)
        weights.append(weight)
    return PlainRun(picks, weights, upper, lower)
