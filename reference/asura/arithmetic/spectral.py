"""Doubles in many dimensions: a step that needs no inverse.

A_j is kept as A_0 + sum w_i u_i u_i^T, with an eigenbasis of A_0 and the few points taken since.
(s I + f A_j)^-1 is then, by Woodbury's identity, a diagonal in the eigenbasis minus a form whose
rank is the number of those points: the trace and all masses cost n d times that number, for every
s. From time to time A_0 takes the points in, and an eigenbasis is computed anew.

>>> plane = SpectralFrame(np.eye(2), np.eye(2))
>>> drawn = plane.zero() + plane.outer_product(0) * 0.5             # A = diag(1/2, 0)
>>> plane.evaluate((plane.gram * 1.0 - drawn).inverse())            # the trace, and the masses
(3.0, [2.0, 1.0])
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asura.errors import BarrierCrossed

Doubles = NDArray[np.float64]

#: So many points are taken before an eigenbasis is computed anew: both then cost about the same.
POINTS = 40


class DoubleForm:
    """A symmetric matrix of doubles."""

    def __init__(self, entries: Doubles) -> None:
        self._entries = entries

    @property
    def entries(self) -> Doubles:
        """The matrix."""
        return self._entries

    def __add__(self, other: DoubleForm) -> DoubleForm:
        return DoubleForm(self.entries + other.entries)

    def __sub__(self, other: DoubleForm) -> DoubleForm:
        return DoubleForm(self.entries - other.entries)

    def __mul__(self, scalar: float) -> DoubleForm:
        return DoubleForm(self.entries * scalar)

    def inverse(self) -> DoubleForm:
        """LAPACK's inverse."""
        try:
            return DoubleForm(np.asarray(np.linalg.inv(self.entries), dtype=np.float64))
        except np.linalg.LinAlgError:
            raise _crossed() from None


def _crossed() -> BarrierCrossed:
    return BarrierCrossed("an eigenvalue of A met a barrier: expected l I < A < u I")


class Eigenbasis:
    """A_0, its eigenvalues, and the points U in the coordinates of its eigenvectors."""

    def __init__(self, matrix: Doubles, values: Doubles, points: Doubles) -> None:
        self.matrix = matrix
        self.values = values
        self.points = points
        self.squares: Doubles = points**2  # x^T g(A_0) x is linear in them

    @staticmethod
    def of(matrix: Doubles, rows: Doubles) -> Eigenbasis:
        """Computed anew."""
        values, vectors = np.linalg.eigh(matrix)
        return Eigenbasis(matrix, values, rows @ vectors)


class PointForm(DoubleForm):
    """w u u^T for one of the points."""

    def __init__(self, row: Doubles, index: int, weight: float) -> None:
        self._row = row
        self.index = index
        self.weight = weight

    @property
    def entries(self) -> Doubles:
        """The matrix, when it is needed."""
        return np.outer(self._row, self._row) * self.weight

    def __mul__(self, scalar: float) -> PointForm:
        return PointForm(self._row, self.index, self.weight * scalar)


class SpectralForm(DoubleForm):
    """s I + f A, with A = A_0 + sum w_i u_i u_i^T."""

    def __init__(
        self,
        rows: Doubles,
        basis: Eigenbasis,
        shift: float,
        factor: float,
        taken: tuple[tuple[int, float], ...] = (),
    ) -> None:
        self._rows = rows
        self._basis = basis
        self._shift = shift
        self._factor = factor
        self._taken = taken

    @cached_property
    def _picks(self) -> list[int]:
        return [index for index, _ in self._taken]

    @cached_property
    def _weights(self) -> Doubles:
        return np.array([weight for _, weight in self._taken])

    @cached_property
    def _matrix(self) -> Doubles:
        """A."""
        chosen = self._rows[self._picks]
        return self._basis.matrix + chosen.T @ (self._weights[:, None] * chosen)

    @property
    def entries(self) -> Doubles:
        """The matrix, when it is needed."""
        return self._shift * np.eye(len(self._basis.values)) + self._factor * self._matrix

    def _with(self, shift: float, factor: float) -> SpectralForm:
        return SpectralForm(self._rows, self._basis, shift, factor, self._taken)

    def __mul__(self, scalar: float) -> SpectralForm:
        return self._with(self._shift * scalar, self._factor * scalar)

    def __add__(self, other: DoubleForm) -> DoubleForm:
        if isinstance(other, PointForm) and (self._shift, self._factor) == (0.0, 1.0):
            return self._taking(other)
        if isinstance(other, SpectralForm):
            if other._factor == 0.0:
                return self._with(self._shift + other._shift, self._factor)
            if self._factor == 0.0:
                return other._with(self._shift + other._shift, other._factor)
        return DoubleForm(self.entries + other.entries)

    def __sub__(self, other: DoubleForm) -> DoubleForm:
        return self + other * -1.0

    def _taking(self, point: PointForm) -> SpectralForm:
        taken = (*self._taken, (point.index, point.weight))
        grown = SpectralForm(self._rows, self._basis, 0.0, 1.0, taken)
        if len(taken) < POINTS:
            return grown
        return SpectralForm(self._rows, Eigenbasis.of(grown._matrix, self._rows), 0.0, 1.0)

    def inverse(self) -> DoubleForm:
        """Not computed, but known in the eigenbasis."""
        return Resolvent((self,))

    def masses(self) -> tuple[float, Doubles]:
        """Tr(E) and u^T E u for E = (s I + f A)^-1."""
        diagonal = self._shift + self._factor * self._basis.values
        if np.any(diagonal == 0):
            raise _crossed()
        inverted = 1 / diagonal
        trace, forms = float(np.sum(inverted)), self._basis.squares @ inverted
        if not self._taken:
            return trace, forms
        points = self._basis.points
        scaled = points[self._picks] * inverted
        core = scaled @ points[self._picks].T + np.diag(1 / (self._factor * self._weights))
        mixed = scaled @ points.T
        try:
            solved = np.linalg.solve(core, np.hstack([scaled, mixed]))
        except np.linalg.LinAlgError:
            raise _crossed() from None
        width = scaled.shape[1]
        trace -= float(np.sum(scaled * solved[:, :width]))
        return trace, forms - np.einsum("bn,bn->n", mixed, solved[:, width:])


class Resolvent(DoubleForm):
    """A sum of inverses of spectral forms."""

    def __init__(self, inverted: tuple[SpectralForm, ...]) -> None:
        self._inverted = inverted

    @cached_property
    def _dense(self) -> Doubles:
        parts = [DoubleForm(form.entries).inverse().entries for form in self._inverted]
        total: Doubles = np.sum(parts, axis=0)
        return total

    @property
    def entries(self) -> Doubles:
        """The matrix, when it is needed."""
        return self._dense

    def __add__(self, other: DoubleForm) -> DoubleForm:
        if isinstance(other, Resolvent):
            return Resolvent(self._inverted + other._inverted)
        return DoubleForm(self.entries + other.entries)

    def masses(self) -> tuple[float, Doubles]:
        """The trace and the masses, added up."""
        traces, forms = zip(*(form.masses() for form in self._inverted), strict=True)
        return float(np.sum(traces)), np.sum(forms, axis=0)


class SpectralFrame:
    """Points U with U^T U = I, and the way back to beta."""

    def __init__(self, rows: Doubles, lift: Doubles) -> None:
        self.size, self.dimension = rows.shape
        self._rows = rows
        self._lift = lift
        nothing = np.zeros((self.dimension, self.dimension))
        self._empty = Eigenbasis(nothing, np.zeros(self.dimension), rows)
        self.gram: DoubleForm = SpectralForm(rows, self._empty, 1.0, 0.0)

    def zero(self) -> DoubleForm:
        """A_0."""
        return SpectralForm(self._rows, self._empty, 0.0, 1.0)

    def outer_product(self, index: int) -> DoubleForm:
        """u u^T."""
        return PointForm(self._rows[index], index, 1.0)

    def evaluate(self, bracket: DoubleForm) -> tuple[float, list[float]]:
        """Tr(E) and the masses."""
        if isinstance(bracket, Resolvent):
            trace, forms = bracket.masses()
            return trace, forms.tolist()
        entries = bracket.entries
        masses: list[float] = np.einsum("ni,ni->n", self._rows @ entries, self._rows).tolist()
        return float(np.trace(entries)), masses

    def solve(self, form: DoubleForm, right: list[float]) -> list[float]:
        """LAPACK's LU."""
        return [float(x) for x in np.linalg.solve(form.entries, np.array(right))]

    def coordinate(self, index: int, column: int) -> float:
        """One coordinate."""
        return float(self._rows[index, column])

    def lift(self, solution: list[float]) -> list[float]:
        """Least-norm beta."""
        return [float(x) for x in self._lift @ np.array(solution)]
