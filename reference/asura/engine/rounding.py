"""What doubles may be off by, proved: Gram matrices and Cholesky (see `asura.rounding`).

>>> proved_semidefinite(np.eye(3), 0.5), proved_semidefinite(np.eye(3), 1.5)
(True, False)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from asura.rounding import UNDERFLOW, gamma, norm_up, sum_up, up

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

#: From this size on LAPACK is called by NumPy: SciPy is faster for small matrices, but keeps all
#: other threads waiting, and with them an interrupt.
LARGE = 1024


def spectral_norm_up(symmetric: Matrix) -> float:
    """At least the spectral norm: the largest sum of absolute values in a row."""
    if symmetric.size == 0:
        return 0.0
    return up(float(np.abs(symmetric).sum(axis=1).max()) * (1 + gamma(len(symmetric))))


def cholesky_doubt(size: int, trace: float, largest: float) -> float:
    """How far below zero the spectrum of a matrix may reach whose Cholesky runs to its end.

    L L^T = A + F with |F| <= gamma_{n+1} |L| |L^T| in any order of the sums (Higham, theorem
    10.3), one more rounding where a quotient is taken by a reciprocal; the diagonal of L L^T
    bounds |L| |L^T|, so |F| <= gamma/(1 - gamma) Tr A (Rump, Verification of positive
    definiteness, 2006).
    """
    rate = gamma(size + 3)
    if rate >= 0.5:
        return math.inf
    return up(rate / (1 - rate) * trace + 64 * size * (size + largest) * UNDERFLOW)


def proved_semidefinite(matrix: Matrix, error: float) -> bool:
    """Whether every symmetric matrix within `error` (spectral norm) is proved to be >= 0.

    Only the lower triangle is read. False means: not proved.
    """
    size = len(matrix)
    if size == 0:
        return True
    diagonal = np.diagonal(matrix)
    if not (np.isfinite(matrix).all() and math.isfinite(error) and (diagonal > 0).all()):
        return False
    trace = sum_up(diagonal)
    shift = up(error + cholesky_doubt(size, trace, float(diagonal.max())))
    shifted = np.array(matrix, order="F")
    np.fill_diagonal(shifted, np.nextafter(diagonal - shift, -math.inf))
    if size >= LARGE:
        try:
            np.linalg.cholesky(shifted)
        except np.linalg.LinAlgError:
            return False
        return True
    _, failed = lapack.dpotrf(shifted, lower=1, clean=0, overwrite_a=1)
    return bool(failed == 0)


def end_of_spectrum(matrix: Matrix, *, largest: bool = False) -> float:
    """About the smallest (or the largest) eigenvalue; nothing is proved.

    The routine for one eigenvalue gives up on some matrices near the identity, that for all does
    not.
    """
    place = len(matrix) - 1 if largest else 0
    try:
        if len(matrix) >= LARGE:
            return float(np.linalg.eigvalsh(matrix)[place])
        found = linalg.eigvalsh(matrix, subset_by_index=(place, place), check_finite=False)[0]
    except linalg.LinAlgError:
        found = np.linalg.eigvalsh(matrix)[place]
    return float(found)


def relative_spectrum(matrix: Matrix, whole: Matrix) -> Vector:
    """About the eigenvalues of a symmetric matrix relative to another one; nothing is proved."""
    factor = np.linalg.cholesky(whole)
    half = np.linalg.solve(factor, matrix)
    return np.asarray(np.linalg.eigvalsh(np.linalg.solve(factor, half.T)))


def triangular_inverse(upper: NDArray[Any]) -> Matrix:
    """The inverse of the upper triangle; its LU factors are I and itself, so nothing is lost."""
    return np.asarray(np.linalg.solve(np.triu(upper), np.eye(len(upper))))


def combined(terms: list[tuple[float, Matrix]]) -> tuple[Matrix, float]:
    """sum_i c_i A_i for doubles c_i, with a bound on the rounding (spectral norm)."""
    total = np.zeros_like(terms[0][1])
    size = 0.0
    for factor, matrix in terms:
        total += factor * matrix
        size += abs(factor) * norm_up(matrix)
    return total, up(gamma(2 * len(terms)) * size + UNDERFLOW)
