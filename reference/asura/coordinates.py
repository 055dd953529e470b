"""Coordinates in which Algorithm 2 is rational: no singular value decomposition, no root.

With G = X^T X and B_j = sum w'_i x_i x_i^T, the paper's U(x)^T (uI - A_j)^-1 U(x) equals
x^T (uG - B_j)^-1 x, and traces against I become traces against G. Every quantity of the
algorithm is then a rational function of X, gamma and the state, and does not change when X
is replaced by XT for an invertible T. Two such changes are used:

- *row space*: X = C R with C of full column rank, so that rank-deficient data need no
  pseudo-inverse;
- *whitening*: T a dyadic rounding of an inverse root of G, so that G becomes nearly the
  identity and neither balls nor floating point lose digits to a badly conditioned X.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from asura.errors import RankZero


@dataclass(frozen=True)
class Coordinates:
    """Rows C (n by d) with X = C R, and the squared scales c_i of the points sqrt(c_i) x_i.

    R is `row_basis`, or T^-1 `row_basis` after a change of coordinates by T.
    """

    rows: fmpq_mat
    squared_scales: list[fmpq]
    row_basis: fmpq_mat
    transform: fmpq_mat | None = None
    origin: Coordinates | None = None  # those that T changed

    @property
    def size(self) -> int:
        """How many points there are."""
        return self.rows.nrows()

    @property
    def dimension(self) -> int:
        """The rank d of X."""
        return self.rows.ncols()

    def scaled_rows(self) -> fmpq_mat:
        """diag(c) C, the left factor of every Gram matrix here."""
        if all(c == 1 for c in self.squared_scales):
            return self.rows
        entries = self.rows.tolist()
        return fmpq_mat(
            self.size,
            self.dimension,
            [c * x for c, row in zip(self.squared_scales, entries, strict=True) for x in row],
        )

    @cached_property
    def _gram(self) -> fmpq_mat:
        if self.origin is None or self.transform is None:
            return self.scaled_rows().transpose() * self.rows
        return self.transform.transpose() * self.origin.gram() * self.transform

    def gram(self, count: int | None = None) -> fmpq_mat:
        """X^T X in these coordinates, over the first `count` points when given."""
        if count is None or count == self.size:
            return fmpq_mat(self._gram)
        left, right = (
            fmpq_mat(count, self.dimension, matrix.entries()[: count * self.dimension])
            for matrix in (self.scaled_rows(), self.rows)
        )
        return left.transpose() * right

    def lift(self) -> fmpq_mat:
        """The matrix that takes a solution in these coordinates to the least-norm beta."""
        transposed = self.row_basis.transpose()
        lifted = transposed * (self.row_basis * transposed).inv()
        return lifted if self.transform is None else lifted * self.transform

    def changed(self, transform: fmpq_mat) -> Coordinates:
        """The same points in the coordinates C T."""
        total = transform if self.transform is None else self.transform * transform
        origin = self if self.origin is None else self.origin
        rows = self.rows * transform
        return Coordinates(rows, self.squared_scales, self.row_basis, total, origin)


def row_space(points: fmpq_mat, squared_scales: list[fmpq]) -> Coordinates:
    """Restrict the points to the space that those of positive scale span.

    >>> duplicated = fmpq_mat([[1, 2], [2, 4], [3, 6]])
    >>> row_space(duplicated, [fmpq(1)] * 3).rows
    [1]
    [2]
    [3]
    """
    columns = points.ncols()
    present = points if all(c != 0 for c in squared_scales) else _without(points, squared_scales)
    reduced, rank = present.rref()
    if rank == 0:
        raise RankZero("every point is zero: expected data of rank at least 1")
    basis = fmpq_mat([[reduced[i, k] for k in range(columns)] for i in range(rank)])
    if rank == columns:
        return Coordinates(present, squared_scales, basis)
    pivots = [next(k for k in range(columns) if basis[i, k] != 0) for i in range(rank)]
    rows = [[row[k] for k in pivots] for row in present.tolist()]
    return Coordinates(fmpq_mat(rows), squared_scales, basis)


def _without(points: fmpq_mat, squared_scales: list[fmpq]) -> fmpq_mat:
    """The points, those of scale zero as zeros."""
    rows = zip(points.tolist(), squared_scales, strict=True)
    return fmpq_mat([[x if c != 0 else fmpq(0) for x in row] for row, c in rows])


def _inverse_root(gram: arb_mat) -> arb_mat | None:
    """T with T^T G T close to I, from an LDL^T factorisation in balls, or None if undecided."""
    size = gram.nrows()
    rest = [[gram[i, k] for k in range(size)] for i in range(size)]
    inverse = [[arb(int(i == k)) for k in range(size)] for i in range(size)]  # L^-1, built up
    for p in range(size):
        if not rest[p][p] > 0:
            return None
        for i in range(p + 1, size):
            factor = rest[i][p] / rest[p][p]
            for k in range(size):
                rest[i][k] -= factor * rest[p][k]
                inverse[i][k] -= factor * inverse[p][k]
    columns = [[x / rest[p][p].sqrt() for x in inverse[p]] for p in range(size)]
    return arb_mat(columns).transpose()


def _rounded(matrix: arb_mat, bits: int) -> fmpq_mat:
    """The midpoints, rounded to `bits` significant bits."""
    with ctx.workprec(bits):
        return fmpq_mat(
            matrix.nrows(), matrix.ncols(), [(+x.mid()).mid().fmpq() for x in matrix.entries()]
        )


def _nearly_identity(gram: arb_mat) -> bool:
    """Whether every entry is certainly within 1/(4d) of the identity's."""
    size = gram.nrows()
    bound = arb(1) / (4 * size)
    return all(abs(gram[i, k] - int(i == k)) <= bound for i in range(size) for k in range(size))


def whitened(coordinates: Coordinates) -> Coordinates:
    """Change to coordinates whose Gram matrix is the identity up to 1/(4d) an entry, exactly.

    >>> skew = row_space(fmpq_mat([[1, 10**9], [0, 1], [1, 0]]), [fmpq(1)] * 3)
    >>> gram = whitened(skew).gram()
    >>> all(abs(gram[i, k] - int(i == k)) <= fmpq(1, 8) for i in range(2) for k in range(2))
    True
    """
    gram = coordinates.gram()
    bits = 32
    while True:
        with ctx.workprec(4 * bits):
            balls = arb_mat(gram)
            root = _inverse_root(balls)
            if root is not None:
                transform = _rounded(root, bits)
                rounded = arb_mat(transform)
                if _nearly_identity(rounded.transpose() * balls * rounded):
                    return coordinates.changed(transform)
        bits *= 2
