"""Designs from the whole domain, and exact arithmetic to judge doubles with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from asura.definiteness import positive_semidefinite
from asura.verdict import HOLDS

Matrix = NDArray[np.float64]

KINDS = (
    "gauss",
    "integers",
    "duplicates",
    "zero rows",
    "dependent",
    "ill-conditioned",
    "scales",
    "heavy",
    "tiny",
    "huge",
)


def design(kind: str, seed: int, rows: int = 12, columns: int = 3) -> Matrix:
    """A matrix of a kind that has broken programs before."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    points = rng.standard_normal((rows, columns))
    if kind == "integers":
        points = rng.integers(-3, 4, (rows, columns)).astype(float)
        points[0, 0] = 1.0
    elif kind == "duplicates":
        points = points[rng.integers(0, min(3, rows), rows)]
    elif kind == "zero rows":
        points[rng.random(rows) < 0.4] = 0.0
        points[0] = 1.0
    elif kind == "dependent":
        points[:, -1] = points[:, 0] * 2 - points[:, 1]
    elif kind == "ill-conditioned":
        points[:, -1] = points[:, 0] + 1e-12 * rng.standard_normal(rows)
    elif kind == "scales":
        points *= 10.0 ** rng.integers(-60, 60, columns)
    elif kind == "heavy":
        points *= rng.standard_cauchy((rows, 1)) ** 2
    elif kind == "tiny":
        points *= 1e-170
    elif kind == "huge":
        points *= 1e170
    return points


def exact(matrix: Matrix) -> fmpq_mat:
    """The doubles as rationals."""
    rows, columns = matrix.shape
    return fmpq_mat(rows, columns, [rational(x) for x in matrix.ravel().tolist()])


def rational(value: float) -> fmpq:
    """One double, exactly."""
    ratio = Fraction(value)
    return fmpq(ratio.numerator, ratio.denominator)


def scaled(matrix: fmpq_mat, factor: fmpq) -> fmpq_mat:
    """A multiple."""
    return matrix * factor


def identity(size: int, factor: float) -> fmpq_mat:
    """factor I."""
    return exact(np.eye(size)) * rational(factor)


def semidefinite(matrix: fmpq_mat) -> bool:
    """Whether an exact symmetric matrix is >= 0."""
    return positive_semidefinite(matrix) == HOLDS


def within(left: fmpq_mat, right: fmpq_mat, error: float) -> bool:
    """Whether two symmetric matrices differ by at most `error` in the spectral norm, exactly."""
    room = identity(left.nrows(), error)
    return semidefinite(room - (left - right)) and semidefinite(room + (left - right))


def mirrored(lower: Matrix) -> Matrix:
    """The symmetric matrix of a lower triangle."""
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)
