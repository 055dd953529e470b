"""More correct methods, and the list of all: none of them may ever be accused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from asura_verify.implementations.correct import (
    CORRECT,
    Doubles,
    Implementation,
    loop,
    orthonormal,
    scaled,
)

#: Sweeps of rotations after which nothing is left off the diagonal.
_SWEEPS = 12


def _rotated(matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Eigenvalues and eigenvectors by Jacobi's rotations."""
    work, size = matrix.copy(), len(matrix)
    vectors: Doubles = np.eye(size)
    for _ in range(_SWEEPS):
        for i in range(size):
            for k in range(i + 1, size):
                if work[i, k] == 0:
                    continue
                ratio = (work[k, k] - work[i, i]) / (2 * work[i, k])
                tangent = math.copysign(1, ratio) / (abs(ratio) + math.hypot(1, ratio))
                c = 1 / math.hypot(1, tangent)
                turn = np.array([[c, tangent * c], [-tangent * c, c]])
                pair = [i, k]
                work[:, pair] = work[:, pair] @ turn
                work[pair] = turn.T @ work[pair]
                work[i, k] = work[k, i] = 0.0
                vectors[:, pair] = vectors[:, pair] @ turn
    return np.diag(work).copy(), vectors


def jacobi(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Q from QR; the bracket from Jacobi's rotations of A."""
    rows = orthonormal(header)

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        values, vectors = _rotated(form)
        weights = 1 / (u - values) + 1 / (values - low)
        return float(np.sum(weights)), np.asarray((rows @ vectors) ** 2 @ weights)

    return loop(header, uniforms, rows, bracket)


def _inverses(header: dict[str, Any], uniforms: Sequence[float], rows: Doubles) -> list[str]:
    """Explicit inverses in whitened coordinates."""
    identity = np.eye(rows.shape[1])

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inverse = np.linalg.inv(u * identity - form) + np.linalg.inv(form - low * identity)
        masses = np.einsum("ni,ij,nj->n", rows, inverse, rows)
        return float(np.trace(inverse)), masses

    return loop(header, uniforms, rows, bracket)


def gram_eigenvectors(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """U = X V D^-1/2 from the eigenvalues of the Gram matrix."""
    rows = scaled(header)
    values, vectors = np.linalg.eigh(rows.T @ rows)
    return _inverses(header, uniforms, np.asarray(rows @ vectors / np.sqrt(values)))


def cholesky_whitening(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """U = X L^-T from the factor of the Gram matrix."""
    rows = scaled(header)
    factor = np.linalg.cholesky(rows.T @ rows)
    return _inverses(header, uniforms, np.asarray(np.linalg.solve(factor, rows.T).T))


def unit_columns(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Singular vectors of X with columns of length 1."""
    rows = scaled(header)
    sizes = np.linalg.norm(rows, axis=0)
    rows = rows[:, sizes > 0] / sizes[sizes > 0]
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    return _inverses(header, uniforms, np.asarray(left[:, values > values[0] * 1e-13]))


def _eliminated(matrix: Doubles) -> Doubles:
    """The inverse by Gauss and Jordan, in plain loops with pivots."""
    size = len(matrix)
    work = [
        [*map(float, row), *(float(i == k) for k in range(size))] for i, row in enumerate(matrix)
    ]
    for k in range(size):
        best = max(range(k, size), key=lambda i: abs(work[i][k]))
        work[k], work[best] = work[best], work[k]
        pivot = work[k][k]
        work[k] = [x / pivot for x in work[k]]
        for i in range(size):
            if i != k:
                factor = work[i][k]
                work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return np.array([row[size:] for row in work])


def plain_loops(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Q from QR; Python's own floats, sums from left to right."""
    rows = orthonormal(header)
    listed, size = rows.tolist(), rows.shape[1]

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        identity = np.eye(size)
        sides = _eliminated(u * identity - form), _eliminated(form - low * identity)
        total = [
            [a + b for a, b in zip(*pair, strict=True)]
            for pair in zip(*(s.tolist() for s in sides), strict=True)
        ]
        masses = []
        for row in listed:
            mass = 0.0
            for i in range(size):
                for k in range(size):
                    mass += row[i] * total[i][k] * row[k]
            masses.append(mass)
        return sum(total[i][i] for i in range(size)), np.array(masses)

    return loop(header, uniforms, rows, bracket)


EVERY: dict[str, Implementation] = {
    **CORRECT,
    "unit-columns": unit_columns,
    "jacobi": jacobi,
    "plain-loops": plain_loops,
    "cholesky-whitening": cholesky_whitening,
    "gram-eigenvectors": gram_eigenvectors,
}
