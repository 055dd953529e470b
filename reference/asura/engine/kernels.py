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
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import distance

from asura.blas_threads import one_blas_thread
from asura.engine import memory
from asura.engine.rounding import triangular_inverse
from asura.engine.rows import BLOCK_BYTES
from asura.engine.threads import Progress, silent
from asura.errors import LengthOutOfRange, NotPositiveSemidefinite, NotSymmetric

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


class Kernel(Protocol):
    """A symmetric positive semidefinite matrix, by columns."""

    @property
    def size(self) -> int:
        """n, the number of points."""

    def diagonal(self) -> Vector:
        """K(x, x)."""

    def column(self, index: int) -> Vector:
        """K(., x)."""


#: Room that is made for features at first.
_ROOM = 64
#: Rows and columns of what is compared at a time: a few pages of a file in every row.
_TILE = 1024


def _parts(rows: int, width: int) -> Iterator[slice]:
    """Consecutive rows, a few MB at a time."""
    step = max(1, BLOCK_BYTES // (8 * max(1, width)))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))


def _require_square(matrix: Matrix) -> None:
    rows, columns = matrix.shape
    if rows != columns:
        raise NotSymmetric(
            f"kernel has {rows} rows and {columns} columns: expected a square", value=matrix.shape
        )


def require_room(points: Matrix, kind: str) -> None:
    """Refuse a kernel that cannot fit before anything of it is read."""
    rows, columns = points.shape
    if kind == "given":
        _require_square(points)
    each = 8 * (2 * _ROOM + 8)  # old and new features, and what follows
    free = memory.available()
    fitting = free // each
    if isinstance(points, np.memmap):  # it is read more than once, and has to stay in memory
        each += 8 * columns
        fitting = free // each if kind == "rbf" else math.isqrt(free // 8)
    memory.require(
        rows * each,
        f"a kernel of {rows} points",
        f"about {fitting:,} points would fit; take a sample of the rows, or a linear model, "
        "which reads them as needed",
    )


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
        values = np.empty((len(points), len(others)))
        scaled = others / self.length
        for part in _parts(len(points), max(points.shape[1], len(others))):
            squares = distance.cdist(points[part] / self.length, scaled, "sqeuclidean")
            np.exp(-squares / 2, out=values[part])
        return values


@dataclass(frozen=True, repr=False)
class GivenKernel:
    """A matrix K that somebody else computed."""

    matrix: Matrix
    progress: Progress = silent

    def __post_init__(self) -> None:
        _require_square(self.matrix)
        tiles = [slice(k, min(self.size, k + _TILE)) for k in range(0, self.size, _TILE)]
        for number, rows in enumerate(tiles):
            for columns in tiles[number:]:
                gap = np.argwhere(self.matrix[rows, columns] != self.matrix[columns, rows].T)
                if len(gap):
                    i, k = rows.start + int(gap[0][0]), columns.start + int(gap[0][1])
                    raise NotSymmetric(
                        f"kernel[{i}][{k}] = {self.matrix[i, k]} but kernel[{k}][{i}] = "
                        f"{self.matrix[k, i]}: expected a symmetric matrix",
                        value=(i, k),
                    )
                done = number + (columns.start - rows.start) / max(1, self.size - rows.start)
                self.progress(1 - (1 - done / len(tiles)) ** 2)  # the rest is a triangle

    @property
    def size(self) -> int:
        """n, the number of points."""
        return len(self.matrix)

    def diagonal(self) -> Vector:
        """K(x, x)."""
        return np.asarray(np.diagonal(self.matrix), dtype=np.float64)

    def column(self, index: int) -> Vector:
        """K(., x), which is a row as well: in a file that is one place, not n."""
        return np.asarray(self.matrix[index], dtype=np.float64)


@dataclass(frozen=True, repr=False)
class LowRank:
    """K = Phi Phi^T + rest, trace(rest) <= `rest`; Phi = K(., pivots) `inverse`."""

    features: Matrix
    pivots: tuple[int, ...]
    inverse: Matrix
    rest: float


@one_blas_thread()
def low_rank(kernel: Kernel, rest: float, progress: Progress = silent) -> LowRank:
    """A pivoted Cholesky factorisation down to a trace of `rest`.

    The trace falls about geometrically, by which progress is judged.
    """
    size = kernel.size
    diagonal = kernel.diagonal().copy()
    scale = float(diagonal.max(initial=0.0))
    floor = 64 * size * 2.0**-53 * scale  # below this a pivot is rounding
    capacity = min(size, _ROOM)
    trace = float(np.maximum(diagonal, 0).sum())
    distance_to_go = math.log(max(trace, 1e-300) / max(rest, size * floor, 1e-300))
    features = np.zeros((size, capacity))
    pivots: list[int] = []
    while len(pivots) < size:
        worst = int(diagonal.argmax())
        if diagonal.min() < -1e-8 * scale - floor:
            break
        if diagonal[worst] <= floor:
            break
        left = float(np.maximum(diagonal, 0).sum())
        if pivots and left <= rest:  # a model has a feature
            break
        done = math.log(max(trace, 1e-300) / max(left, 1e-300)) / max(distance_to_go, 1e-9)
        progress(min(1.0, max(done, len(pivots) / size)))
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
    inverse = triangular_inverse(corner.T)
    left = float(np.maximum(diagonal, 0).sum()) + size * floor
    if isinstance(kernel, GivenKernel):
        _no_hidden_direction(kernel, kept, left + 1e-8 * scale, progress)
    return LowRank(kept, tuple(pivots), np.ascontiguousarray(inverse), left)


def _no_hidden_direction(
    kernel: GivenKernel, features: Matrix, allowed: float, progress: Progress
) -> None:
    """No entry of a rest >= 0 exceeds its trace; one that does shows a negative direction."""
    for part in _parts(kernel.size, kernel.size):
        progress(part.stop / kernel.size)
        rest = np.abs(kernel.matrix[part] - features[part] @ features.T)
        if float(rest.max()) > allowed:
            raise NotPositiveSemidefinite(
                "kernel has a negative direction: expected v^T K v >= 0 for every v",
                value=float(rest.max()),
            )
