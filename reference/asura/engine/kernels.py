"""Kernels as features: K is replaced by Phi Phi^T of lower rank, with a stated error.

Kernel ridge regression with Phi Phi^T is plain ridge regression with the rows of Phi. Phi comes
from a pivoted Cholesky factorisation: each step takes the point that is explained worst, until
the rest K - Phi Phi^T >= 0, whose norm is at most its trace, is small against lambda. The best
loss is lambda y^T (K + lambda)^-1 y, so it grows by a factor of at most 1 + trace/lambda, and the
norm of K never exceeds that of Phi Phi^T: (1 + epsilon) OPT becomes
(1 + epsilon)(1 + trace/lambda) OPT. A step costs N times the rank so far, never N^3.

>>> points = np.array([[0.0], [1.0], [1.0], [5.0]])
>>> factor = low_rank(GaussianKernel(points, 1.0), 1e-9)
>>> sorted(factor.pivots), factor.features.shape
([0, 1, 3], (4, 3))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.spatial import distance

from asura.blas_threads import one_blas_thread
from asura.engine import memory
from asura.errors import (
    LengthOutOfRange,
    NotPositiveSemidefinite,
    NotSymmetric,
)

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


class Kernel(Protocol):
    """A symmetric positive semidefinite matrix, by columns."""

    @property
    def size(self) -> int:
        """n, the number of points."""
        ...

    def diagonal(self) -> Vector:
        """K(x, x)."""
        ...

    def column(self, index: int) -> Vector:
        """K(., x)."""
        ...


@dataclass(frozen=True, repr=False)
class GaussianKernel:
    """K(x, z) = exp(-|x - z|^2/(2 length^2))."""

    points: Matrix
    length: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.length) and self.length > 0):
            raise LengthOutOfRange(
                f"--length {self.length}: expected a positive number", value=self.length
            )

    @property
    def size(self) -> int:
        """n, the number of points."""
        return len(self.points)

    def diagonal(self) -> Vector:
        """One everywhere."""
        return np.ones(self.size)

    def column(self, index: int) -> Vector:
        """K(., x)."""
        return self.between(self.points, self.points[index : index + 1])[:, 0]

    def between(self, points: Matrix, others: Matrix) -> Matrix:
        """K(x, z) for new points."""
        squares = distance.cdist(points / self.length, others / self.length, "sqeuclidean")
        return np.asarray(np.exp(-squares / 2))


@dataclass(frozen=True, repr=False)
class GivenKernel:
    """A matrix K that somebody else computed."""

    matrix: Matrix

    def __post_init__(self) -> None:
        rows, columns = self.matrix.shape
        if rows != columns:
            raise NotSymmetric(
                f"kernel has {rows} rows and {columns} columns: expected a square",
                value=self.matrix.shape,
            )
        gap = np.argwhere(self.matrix != self.matrix.T)
        if len(gap):
            i, k = (int(x) for x in gap[0])
            raise NotSymmetric(
                f"kernel[{i}][{k}] = {self.matrix[i, k]} but kernel[{k}][{i}] = "
                f"{self.matrix[k, i]}: expected a symmetric matrix",
                value=(i, k),
            )

    @property
    def size(self) -> int:
        """n, the number of points."""
        return len(self.matrix)

    def diagonal(self) -> Vector:
        """K(x, x)."""
        return np.asarray(np.diagonal(self.matrix), dtype=np.float64)

    def column(self, index: int) -> Vector:
        """K(., x)."""
        return np.asarray(self.matrix[:, index], dtype=np.float64)


@dataclass(frozen=True, repr=False)
class LowRank:
    """K = Phi Phi^T + rest, trace(rest) <= `rest`; Phi = K(., pivots) `inverse`."""

    features: Matrix
    pivots: tuple[int, ...]
    inverse: Matrix
    rest: float


@one_blas_thread()
def low_rank(kernel: Kernel, rest: float, largest: int | None = None) -> LowRank:
    """A pivoted Cholesky factorisation down to a trace of `rest`."""
    size = kernel.size
    diagonal = kernel.diagonal().copy()
    scale = float(diagonal.max(initial=0.0))
    floor = 64 * size * 2.0**-53 * scale  # below this a pivot is rounding
    capacity = min(size, 64)
    features = np.zeros((size, capacity))
    pivots: list[int] = []
    limit = size if largest is None else min(size, largest)
    while len(pivots) < limit:
        worst = int(diagonal.argmax())
        if diagonal.min() < -1e-8 * scale - floor:
            break
        if diagonal[worst] <= floor:
            break
        if pivots and float(np.maximum(diagonal, 0).sum()) <= rest:  # a model has a feature
            break
        rank = len(pivots)
        if rank == capacity:
            capacity = min(size, 2 * capacity)
            memory.require(
                8 * size * (2 * capacity),  # the old and the new features, and what follows
                f"a kernel of {size} points and rank over {rank}",
                "take a longer --length, a larger --ridge, or fewer points",
            )
            features = np.hstack([features, np.zeros((size, capacity - rank))])
        column = kernel.column(worst) - features[:, :rank] @ features[worst, :rank]
        column /= math.sqrt(diagonal[worst])
        features[:, rank] = column
        diagonal -= column * column
        diagonal[worst] = 0.0
        pivots.append(worst)
    if diagonal.min(initial=0.0) < -1e-8 * scale - floor:
        raise NotPositiveSemidefinite(
            "kernel has a negative direction: expected v^T K v >= 0 for every v",
            value=float(diagonal.min()),
        )
    rank = len(pivots)
    kept = np.ascontiguousarray(features[:, :rank])
    corner = kept[pivots]  # K(pivots, pivots) = corner corner^T, so Phi = K(., pivots) corner^-T
    inverse = linalg.solve_triangular(corner, np.eye(rank), lower=True).T if rank else corner.T
    left = float(np.maximum(diagonal, 0).sum()) + size * floor
    if isinstance(kernel, GivenKernel):
        _no_hidden_direction(kernel, kept, left + 1e-8 * scale)
    return LowRank(kept, tuple(pivots), np.ascontiguousarray(inverse), left)


def _no_hidden_direction(kernel: GivenKernel, features: Matrix, allowed: float) -> None:
    """No entry of a rest >= 0 exceeds its trace; one that does shows a negative direction."""
    for start in range(0, kernel.size, 1024):
        part = slice(start, start + 1024)
        rest = np.abs(kernel.matrix[part] - features[part] @ features.T)
        if float(rest.max()) > allowed:
            raise NotPositiveSemidefinite(
                "kernel has a negative direction: expected v^T K v >= 0 for every v",
                value=float(rest.max()),
            )
