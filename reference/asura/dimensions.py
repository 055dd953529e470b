"""The reduced rank R_X and its relatives (Section 3), exactly.

>>> from asura.dataset import ridge
>>> rows = [[1, 0], [0, 2]]
>>> reduced_rank(ridge(rows, 1)), statistical_dimension(rows, 1)      # 1/2 + 4/5
(Fraction(13, 10), Fraction(13, 10))
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq, fmpq_mat

from asura.arithmetic.ball import DEFAULT_BITS, BallArithmetic
from asura.dataset import Dataset, KernelData, Rows, dataset, kernel_ridge, regularisation
from asura.scalars import Enclosure, fraction, point, rational

#: Bits to which the rows are known when R_X is enclosed: as for a run in doubles.
_RANK_BITS = 64


def _trace(matrix: fmpq_mat) -> Fraction:
    return fraction(sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0)))


def reduced_rank(data: Dataset) -> Fraction:
    """R_X = Tr((X^T X)^-1 X_1^T X_1), eq:rr-def; on the row space when X is rank deficient.

    For a kernel it is d_lambda(K), without X (slug rr-kernel).
    """
    if isinstance(data, KernelData):
        return _shrunk_trace(data.kernel.entries, data.lam)
    coordinates = data.coordinates
    return _trace(coordinates.gram().inv() * coordinates.gram(data.unlabelled))


def enclosed_reduced_rank(data: Dataset) -> Enclosure:
    """R_X, exactly, or in a narrow ball for a kernel of many points.

    >>> enclosed_reduced_rank(kernel_ridge([[1]], 1))
    Enclosure(lower=Fraction(1, 2), upper=Fraction(1, 2))
    """
    if not isinstance(data, KernelData):
        return point(reduced_rank(data))
    arithmetic = BallArithmetic(DEFAULT_BITS)
    entries = data.isometry(_RANK_BITS).rows.entries()[: data.unlabelled * data.dimension]
    with arithmetic.working():
        total = arb(0)
        for entry in entries:
            total += entry * entry
        return arithmetic.enclosure(total)


def d_matrix(data: Dataset) -> tuple[tuple[Fraction, ...], ...]:
    """(X^T X)^-1 X_1^T X_1, the paper's D = sum over X_1 of U(x) U(x)^T up to similarity.

    Same trace, same eigenvalues; D itself needs the singular vectors of X.
    """
    coordinates = data.coordinates
    similar = coordinates.gram().inv() * coordinates.gram(data.unlabelled)
    return tuple(tuple(fraction(x) for x in row) for row in similar.tolist())


def leverage_scores(data: Dataset) -> tuple[Fraction, ...]:
    """|U(x)|^2 = x^T (X^T X)^-1 x for every point; they sum to d."""
    coordinates = data.coordinates
    solved = (coordinates.rows * coordinates.gram().inv()).tolist()
    return tuple(
        fraction(c * sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0)))
        for c, left, right in zip(
            coordinates.squared_scales, solved, coordinates.rows.tolist(), strict=True
        )
    )


def _shrunk_trace(matrix: fmpq_mat, lam: Fraction) -> Fraction:
    """Sum of s/(s + lambda) over the nonzero eigenvalues s of a semidefinite matrix.

    Read off the characteristic polynomial q, without computing an eigenvalue: the sum over
    all of them is n + lambda q'(-lambda)/q(-lambda); at lambda = 0 it is the rank.
    """
    if lam == 0:
        return Fraction(int(matrix.rank()))
    polynomial = matrix.charpoly()
    at = -rational(lam)
    logarithmic = fraction(polynomial.derivative()(at)) / fraction(polynomial(at))
    return matrix.nrows() + lam * logarithmic


def statistical_dimension(unlabelled: Rows, lam: object) -> Fraction:
    """sd_lambda(X_1) = sum of 1/(1 + lambda/sigma_i^2), eq:sd, from the spectrum of X_1^T X_1."""
    points = dataset(unlabelled).points
    rows = fmpq_mat([[rational(x) for x in row] for row in points])
    return _shrunk_trace(rows.transpose() * rows, regularisation(lam))


def effective_dimension(kernel: Rows, lam: object) -> Fraction:
    """d_lambda(K) = sum of 1/(1 + lambda/sigma_i), eq:deff, from the spectrum of K."""
    size = len(kernel)
    points = kernel_ridge(kernel, lam).points[:size]
    return _shrunk_trace(
        fmpq_mat([[rational(x) for x in row] for row in points]), regularisation(lam)
    )
