"""Cholesky's factor of a symmetric ball matrix, proved after it was guessed.

Elimination in balls loses digits with every step. So a triangular R with R M R^T close to I is
computed from the midpoints alone, by halves, where products of matrices do the work; and then
S = R M R^T is computed in balls. Let d be the Frobenius norm of S - I. If d <= 1/8 then S, and
so M, is positive definite. S = (I + X)(I + X)^T with X lower triangular has
sqrt(2) |X| <= |X + X^T| <= d + |X|^2, so |X| <= sqrt(2) d, and (I + X)^-1 = I + Y with |Y| <= 2d.
Hence M = L L^T with L^-1 = (I + Y) R: every entry of R is known up to 2d times the norm of its
column. Only the condition of M costs digits.

>>> found = cholesky(arb_mat([[4, 2], [2, 5]]))
>>> [[float(x) for x in row] for row in found.inverse.tolist()]
[[0.5, 0.0], [-0.25, 0.5]]
>>> cholesky(arb_mat([[1, 2], [2, 1]])) is None
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import arb, arb_mat

#: Below this size plain loops are as fast as products of halves.
LEAF = 16

Rows = list[list[arb]]


@dataclass(frozen=True)
class Factor:
    """M = L L^T with L lower triangular and a positive diagonal."""

    matrix: arb_mat
    inverse: arb_mat

    @cached_property
    def lower(self) -> arb_mat:
        """L = M L^-T."""
        return triangular_product(self.inverse, self.matrix).transpose()


def _block(rows: Rows, first: slice, second: slice) -> arb_mat:
    return arb_mat([row[second] for row in rows[first]])


def triangular_product(lower: arb_mat, matrix: arb_mat) -> arb_mat:
    """T M for a lower triangular T: what is above the diagonal is not multiplied."""
    size = lower.nrows()
    if size <= 4 * LEAF:
        return lower * matrix
    half = size // 2
    head, tail, whole = slice(half), slice(half, size), slice(matrix.ncols())
    left: Rows = lower.tolist()
    right: Rows = matrix.tolist()
    above = triangular_product(_block(left, head, head), _block(right, head, whole))
    below = _block(left, tail, head) * _block(right, head, whole) + triangular_product(
        _block(left, tail, tail), _block(right, tail, whole)
    )
    return arb_mat(above.tolist() + below.tolist())


def _leaf(matrix: arb_mat) -> Rows | None:
    """L^-1 at face value, row by row."""
    size = matrix.nrows()
    lower = [[arb(0)] * size for _ in range(size)]
    inverse = [[arb(0)] * size for _ in range(size)]
    for i in range(size):
        row = lower[i]
        for k in range(i):
            row[k] = matrix[i, k]
            for j in range(k):
                row[k] -= row[j] * lower[k][j]
            row[k] *= inverse[k][k]
        pivot = matrix[i, i]
        for j in range(i):
            pivot -= row[j] * row[j]
        if not pivot > 0:
            return None
        inverse[i][i] = 1 / pivot.sqrt()
        row[i] = pivot * inverse[i][i]
        for k in range(i):
            for j in range(k, i):
                inverse[i][k] -= row[j] * inverse[j][k]
            inverse[i][k] *= inverse[i][i]
    return [[x.mid() for x in row] for row in inverse]


def _guess(matrix: arb_mat) -> Rows | None:
    """L^-1 of the midpoints, each product rounded, or None when a pivot is not positive."""
    size = matrix.nrows()
    if size <= LEAF:
        return _leaf(matrix)
    half = size // 2
    head, tail = slice(half), slice(half, size)
    rows: Rows = matrix.tolist()
    first = _guess(_block(rows, head, head))
    if first is None:
        return None
    inverse = arb_mat(first)
    corner = (_block(rows, tail, head) * inverse.transpose()).mid()
    second = _guess((_block(rows, tail, tail) - corner * corner.transpose()).mid())
    if second is None:
        return None
    mixed: Rows = (arb_mat(second) * corner * inverse * arb(-1)).mid().tolist()
    zeros = [arb(0)] * (size - half)
    return [row + zeros for row in first] + [a + b for a, b in zip(mixed, second, strict=True)]


def cholesky(matrix: arb_mat) -> Factor | None:
    """L^-1 for every symmetric matrix in the enclosure; None when it is not proved definite."""
    guess = _guess(matrix.mid())
    if guess is None:
        return None
    root = arb_mat(guess)
    half = triangular_product(root, matrix)  # R M, and S = R (R M)^T
    defect = _distance_to_identity(triangular_product(root, half.transpose()))
    if not defect <= 0.125:
        return None
    size = len(guess)
    spread = [2 * defect * _norm([guess[i][k] for i in range(k, size)]) for k in range(size)]
    errors = [x.abs_upper() for x in spread]
    inverse = [
        [arb(x, errors[k]) if k <= i else x for k, x in enumerate(row)]
        for i, row in enumerate(guess)
    ]
    return Factor(matrix, arb_mat(inverse))


def _norm(values: list[arb]) -> arb:
    """The Euclidean norm, at most."""
    total = arb(0)
    for value in values:
        largest = value.abs_upper()
        total += largest * largest
    return total.sqrt().abs_upper()


def _distance_to_identity(matrix: arb_mat) -> arb:
    """|S - I|, at most."""
    entries = matrix.entries()
    for i in range(matrix.nrows()):
        entries[i * (matrix.nrows() + 1)] -= 1
    return _norm(entries)


def negative_direction(matrix: arb_mat) -> arb | None:
    """v^T M v for some v, where it is certainly not positive: then M is not definite.

    The direction is found in doubles, which may be in error; what it proves is not.

    >>> negative_direction(arb_mat([[1, 2], [2, 1]])) < 0
    True
    >>> negative_direction(arb_mat([[2, 1], [1, 2]])) is None
    True
    """
    import numpy as np  # noqa: PLC0415 definite matrices need no direction

    entries = np.array([[float(x) for x in row] for row in matrix.tolist()])
    if not np.all(np.isfinite(entries)):
        return None
    direction = np.linalg.eigh(entries)[1][:, 0].tolist()
    column = arb_mat(len(direction), 1, direction)
    value = (column.transpose() * matrix * column)[0, 0]
    return value if value <= 0 else None
