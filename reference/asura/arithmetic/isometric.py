"""Kernel points in balls: rows U(x) with U^T U = I, so that G is the identity itself.

No row is written over a common denominator, and no row is exact.
"""

from __future__ import annotations

from functools import cached_property

from flint import arb, arb_mat

from asura.arithmetic.exact import upper_triangle
from asura.errors import Undecided
from asura.factoring import cholesky
from asura.kernel_matrix import Isometry

#: So many numbers may be kept to make all masses one product: n d (d + 1)/2 of them.
FEATURES = 1 << 19


class IsometricFrame:
    """The points of kernel ridge regression as balls."""

    def __init__(self, isometry: Isometry) -> None:
        self._isometry = isometry
        self._rows = isometry.rows
        self.size = self._rows.nrows()
        self.dimension = self._rows.ncols()
        self._lists: list[list[arb]] = self._rows.tolist()
        self.gram = identity(self.dimension)
        self._upper = upper_triangle(self.dimension)

    @cached_property
    def _features(self) -> arb_mat | None:
        """One row per point: the coefficients of E -> u^T E u on the upper triangle of E."""
        if self.size * len(self._upper) > FEATURES:
            return None
        span = range(self.dimension)
        return arb_mat(
            [
                [row[i] * row[k] if i == k else 2 * row[i] * row[k] for i in span for k in span[i:]]
                for row in self._lists
            ]
        )

    def zero(self) -> arb_mat:
        """A_0."""
        return arb_mat(self.dimension, self.dimension)

    def leading_gram(self, count: int) -> arb_mat:
        """The sum of u u^T over the first points, by one product."""
        rows = arb_mat(self._lists[:count])
        return rows.transpose() * rows

    def outer_product(self, index: int) -> arb_mat:
        """u u^T."""
        row = arb_mat([self._lists[index]])
        return row.transpose() * row

    def evaluate(self, bracket: arb_mat) -> tuple[arb, list[arb]]:
        """Tr(E) and the masses."""
        if self._features is not None:
            entries = bracket.entries()
            vector = arb_mat(len(self._upper), 1, [entries[k] for k in self._upper])
            return bracket.trace(), (self._features * vector).entries()
        masses = []
        for image, row in zip((self._rows * bracket).tolist(), self._lists, strict=True):
            mass = arb(0)
            for a, b in zip(image, row, strict=True):
                mass += a * b
            masses.append(mass)
        return bracket.trace(), masses

    def solve(self, form: arb_mat, right: list[arb]) -> list[arb]:
        """By Cholesky's factor, which loses no digits but to the condition of the form."""
        found = cholesky(form)
        if found is None:
            raise Undecided
        image = found.inverse * arb_mat(self.dimension, 1, right)
        return (found.inverse.transpose() * image).entries()

    def coordinate(self, index: int, column: int) -> arb:
        """One coordinate."""
        return self._lists[index][column]

    def lift(self, solution: list[arb]) -> list[arb]:
        """Least-norm beta."""
        return (self._isometry.lift_matrix * arb_mat(self.dimension, 1, solution)).entries()


_IDENTITIES: dict[int, arb_mat] = {}


def identity(size: int) -> arb_mat:
    """I, kept once made."""
    known = _IDENTITIES.get(size)
    if known is None:
        entries = [int(i == k) for i in range(size) for k in range(size)]
        known = _IDENTITIES[size] = arb_mat(size, size, entries)
    return known
