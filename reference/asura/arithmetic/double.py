"""IEEE double precision (NumPy): what most implementations use. It is judged, it never judges.

`relative_error` states how far its values may be from the true ones.
"""

from __future__ import annotations

import math
import operator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb_mat, fmpq_mat

from asura.arithmetic.blocks import BlockMasses, Blocks, first_beyond
from asura.arithmetic.interface import Masses, locate_at_face_value
from asura.arithmetic.spectral import DoubleForm, Doubles, SpectralFrame
from asura.coordinates import Coordinates
from asura.dataset import Dataset, KernelData
from asura.randomness import UnitInterval
from asura.scalars import Enclosure, fraction, point
from asura.verdict import Verdict, decided

#: Bits to which a kernel's points are known before they are rounded to doubles.
_ISOMETRY_BITS = 64


def relative_error(iteration: int, dimension: int, condition: float) -> float:
    """Stated relative error of u, l, Phi, p and w' at one iteration, on whitened points.

    `condition` is chi_j = max over i <= j of Phi_i (u_i - l_i)/(4d), at least 1: how far the
    spectrum of A_i came from the middle of the barriers.
    """
    return 64 * 2.0**-53 * condition * (dimension + iteration)


def _doubles(matrix: fmpq_mat) -> Doubles:
    """Each entry rounded once: a quotient of Python's integers is."""
    numerators, common = matrix.numer_denom()
    denominator = int(common)
    rounded = [int(x) / denominator for x in numerators.entries()]
    return np.array(rounded).reshape(matrix.nrows(), matrix.ncols())


def _midpoints(matrix: arb_mat) -> Doubles:
    """Balls much narrower than a rounding, rounded once."""
    return np.array([[float(x) for x in row] for row in matrix.tolist()])


class DoubleFrame:
    """Whitened points, rounded to doubles."""

    def __init__(self, coordinates: Coordinates) -> None:
        self._coordinates = coordinates
        self.size = coordinates.size
        self.dimension = coordinates.dimension
        self._rows = _doubles(coordinates.rows)
        self._scales = np.array([float(fraction(c)) for c in coordinates.squared_scales])
        self._blocks = Blocks(self._rows, self._scales)
        self.gram = DoubleForm(_doubles(coordinates.gram()))

    def zero(self) -> DoubleForm:
        """A_0."""
        return DoubleForm(np.zeros((self.dimension, self.dimension)))

    def outer_product(self, index: int) -> DoubleForm:
        """x x^T."""
        row = self._rows[index]
        return DoubleForm(float(self._scales[index]) * np.outer(row, row))

    def evaluate(self, bracket: DoubleForm) -> tuple[float, BlockMasses]:
        """Tr(G E) and the masses."""
        potential = float(np.sum(self.gram.entries * bracket.entries))
        return potential, BlockMasses(self._blocks, bracket.entries)

    def solve(self, form: DoubleForm, right: list[float]) -> list[float]:
        """LAPACK's LU."""
        return [float(x) for x in np.linalg.solve(form.entries, np.array(right))]

    def coordinate(self, index: int, column: int) -> float:
        """One coordinate."""
        return float(self._rows[index, column])

    def lift(self, solution: list[float]) -> list[float]:
        """Least-norm beta."""
        return [float(x) for x in _doubles(self._coordinates.lift()) @ np.array(solution)]


@dataclass(frozen=True, slots=True)
class DoubleArithmetic:
    """Binary64."""

    name: str = "double"
    precision: int = 53
    rigorous: bool = False

    def working(self) -> AbstractContextManager[object]:
        """Nothing to set."""
        return nullcontext()

    def doubled(self) -> None:
        """Comparisons are taken at face value."""

    def scalar(self, value: Fraction) -> float:
        """Rounded once."""
        return float(value)

    def root(self, value: Fraction) -> float:
        """Rounded square root."""
        return math.sqrt(value)

    def enclosure(self, value: float) -> Enclosure:
        """The exact value of the double."""
        return point(Fraction(value))

    def frame(self, data: Dataset) -> DoubleFrame | SpectralFrame:
        """The points, whitened; those of a kernel are so in balls."""
        if isinstance(data, KernelData):
            isometry = data.isometry(_ISOMETRY_BITS)
            return SpectralFrame(_midpoints(isometry.rows), _midpoints(isometry.lift_matrix))
        return DoubleFrame(data.whitened)

    def inverse(self, form: DoubleForm) -> DoubleForm:
        """LAPACK's inverse."""
        return form.inverse()

    def less(self, first: float, second: float) -> Verdict:
        """At face value."""
        return decided(first < second)

    def positive_definite(self, form: DoubleForm) -> Verdict:
        """Whether Cholesky's factorisation goes through, at face value."""
        try:
            np.linalg.cholesky(form.entries)
        except np.linalg.LinAlgError:
            return decided(False)
        return decided(True)

    def locate(self, masses: Masses[float], total: float, interval: UnitInterval) -> int | None:
        """At face value, as `locate_at_face_value` does it one by one."""
        target = interval.numerator / interval.denominator * total
        if isinstance(masses, BlockMasses):
            found = masses.first_beyond(target)
        else:
            beyond = first_beyond(np.array(masses), target)
            found = None if beyond is None else beyond[0]
        if found is not None:
            return found
        return locate_at_face_value(masses, target, 0.0, operator.lt)
