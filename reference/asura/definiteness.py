"""Positive definiteness, decided: exactly over the rationals, rigorously with balls.

No eigenvalue and no tolerance: a symmetric matrix is positive definite exactly when
every pivot of its LDL^T factorisation is positive.

>>> from flint import fmpq_mat
>>> str(positive_definite(fmpq_mat([[2, 1], [1, 2]])))
'holds'
>>> str(positive_definite(fmpq_mat([[1, 1], [1, 1]])))
'fails'
>>> str(positive_semidefinite(fmpq_mat([[1, 1], [1, 1]])))
'holds'
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from asura.factoring import cholesky, negative_direction
from asura.scalars import fraction
from asura.verdict import FAILS, HOLDS, Verdict, decided, undecided

_BITS = 128
#: Beyond this size a guess in floating point, proved in balls, is faster than elimination.
LARGE = 64


def width(value: arb) -> Fraction:
    """The width of a ball, as an exact rational (0 for a ball that is not finite)."""
    return 2 * fraction(value.rad().fmpq()) if value.is_finite() else Fraction(0)


def ball_positive_definite(matrix: arb_mat) -> Verdict:
    """Decide whether every symmetric matrix in the enclosure is positive definite.

    "Fails" means that none of them is.
    """
    size = matrix.nrows()
    if size > LARGE:
        return _large_definite(matrix)
    rest = [[matrix[i, k] for k in range(size)] for i in range(size)]
    for p in range(size):
        pivot = rest[p][p]
        if pivot <= 0:
            return FAILS
        if not pivot > 0:
            return undecided(width(pivot))
        for i in range(p + 1, size):
            factor = rest[i][p] / pivot
            for k in range(i, size):
                rest[i][k] -= factor * rest[p][k]
                rest[k][i] = rest[i][k]
    return HOLDS


def _large_definite(matrix: arb_mat) -> Verdict:
    """The same where elimination would be slow: a factor proves it, a direction disproves it."""
    if cholesky(matrix) is not None:
        return HOLDS
    return undecided() if negative_direction(matrix) is None else FAILS


def positive_definite(matrix: fmpq_mat) -> Verdict:
    """Decide v^T M v > 0 for all v != 0, for an exact symmetric matrix.

    Balls decide most cases at a fraction of the price; fraction-free elimination
    (its diagonal holds the leading minors) decides the rest.
    """
    with ctx.workprec(_BITS):
        verdict = ball_positive_definite(arb_mat(matrix))
    if not verdict.undecided:
        return verdict
    integers, _ = matrix.numer_denom()
    permutation, _, _, upper = integers.fflu()
    return decided(permutation.is_one() and all(upper[i, i] > 0 for i in range(integers.nrows())))


def positive_semidefinite(matrix: fmpq_mat) -> Verdict:
    """Decide v^T M v >= 0 for all v, for an exact symmetric matrix."""
    with ctx.workprec(_BITS):
        if ball_positive_definite(arb_mat(matrix)).holds:
            return HOLDS
    return decided(factor_ldl(matrix) is not None)


def factor_ldl(matrix: fmpq_mat) -> tuple[fmpq_mat, list[fmpq]] | None:
    """L (unit lower triangular) and D with M = L D L^T, or None when M is not semidefinite.

    A zero pivot is accepted only when its whole remaining row is zero, which is what
    semidefiniteness forces; the corresponding column of L is then a unit vector.

    >>> factor_ldl(fmpq_mat([[4, 2], [2, 1]]))[1]
    [4, 0]
    >>> factor_ldl(fmpq_mat([[0, 1], [1, 1]])) is None
    True
    """
    size = matrix.nrows()
    rest = matrix.tolist()
    lower = [[fmpq(int(i == k)) for k in range(size)] for i in range(size)]
    pivots: list[fmpq] = []
    for p in range(size):
        pivot = rest[p][p]
        if pivot < 0:
            return None
        pivots.append(pivot)
        if pivot == 0:
            if any(rest[i][p] != 0 for i in range(p + 1, size)):
                return None
            continue
        for i in range(p + 1, size):
            lower[i][p] = rest[i][p] / pivot
        for i in range(p + 1, size):
            if lower[i][p] != 0:
                for k in range(p + 1, size):
                    rest[i][k] -= lower[i][p] * rest[p][k]
    return fmpq_mat(size, size, [x for row in lower for x in row]), pivots
