"""Exact rationals: integer matrices over a common denominator (FLINT underneath).

Nothing is rounded, so every comparison is decided. One step costs microseconds; over
consecutive steps the numbers grow exponentially in length, which `asura.algorithm2_asura`
refuses in time.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from asura.arithmetic.interface import Masses
from asura.coordinates import Coordinates
from asura.dataset import Dataset
from asura.definiteness import positive_definite
from asura.errors import BarrierCrossed, IrrationalNumber
from asura.randomness import UnitInterval
from asura.scalars import Enclosure, fraction, point, rational, square_root, write_scalar
from asura.verdict import Verdict, decided


@dataclass(frozen=True, slots=True)
class RationalForm:
    """A symmetric rational matrix as integers over one positive denominator."""

    numerator: fmpz_mat
    denominator: fmpz

    def __add__(self, other: RationalForm) -> RationalForm:
        common = self.denominator.lcm(other.denominator)
        return RationalForm(
            self.numerator * (common // self.denominator)
            + other.numerator * (common // other.denominator),
            common,
        )

    def __sub__(self, other: RationalForm) -> RationalForm:
        return self + RationalForm(-other.numerator, other.denominator)

    def __mul__(self, scalar: fmpq) -> RationalForm:
        return RationalForm(self.numerator * scalar.p, self.denominator * scalar.q)

    def matrix(self) -> fmpq_mat:
        """The matrix of rationals."""
        return fmpq_mat(self.numerator) * fmpq(1, self.denominator)

    def height(self) -> int:
        """Bits of the largest integer in it."""
        return max(
            self.denominator.bit_length(),
            *(x.bit_length() for x in self.numerator.entries()),
        )


def rational_form(matrix: fmpq_mat) -> RationalForm:
    """A matrix of rationals as integers over their least common denominator."""
    numerator, denominator = matrix.numer_denom()
    return RationalForm(numerator, denominator)


@dataclass(frozen=True, slots=True)
class RationalMasses:
    """Nonnegative rationals over one denominator."""

    numerators: list[fmpz]
    denominator: fmpz

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, index: int) -> fmpq:
        return fmpq(self.numerators[index], self.denominator)


def upper_triangle(dimension: int) -> list[int]:
    """Positions of the upper triangle in the row-major entries of a square matrix."""
    return [i * dimension + k for i in range(dimension) for k in range(i, dimension)]


def features(coordinates: Coordinates) -> tuple[fmpz_mat, fmpz]:
    """One row per point: the coefficients of E -> x^T E x on the upper triangle of E.

    Integers over one denominator; all n quadratic forms are then a single matrix product.
    """
    dimension = coordinates.dimension
    left, left_denominator = coordinates.scaled_rows().numer_denom()
    right, right_denominator = coordinates.rows.numer_denom()
    entries = [
        (scaled[i] if i == k else 2 * scaled[i]) * row[k]
        for scaled, row in zip(left.tolist(), right.tolist(), strict=True)
        for i in range(dimension)
        for k in range(i, dimension)
    ]
    matrix = fmpz_mat(coordinates.size, dimension * (dimension + 1) // 2, entries)
    return matrix, left_denominator * right_denominator


class ExactFrame:
    """Points in integer coordinates.

    X is multiplied by one constant that clears the denominators of every x x^T; no quantity
    of the algorithm changes under it.
    """

    def __init__(self, coordinates: Coordinates) -> None:
        self._coordinates = coordinates
        self.size = coordinates.size
        self.dimension = coordinates.dimension
        self._upper = upper_triangle(self.dimension)
        integers, self._cleared = features(coordinates)
        total = fmpz_mat([[1] * self.size]) * integers
        self._features = fmpz_mat([*integers.tolist(), *total.tolist()])
        self.gram = rational_form(coordinates.gram() * fmpq(self._cleared))

    def zero(self) -> RationalForm:
        """A_0."""
        return RationalForm(fmpz_mat(self.dimension, self.dimension), fmpz(1))

    def outer_product(self, index: int) -> RationalForm:
        """x x^T, an integer matrix."""
        scale = self._coordinates.squared_scales[index] * self._cleared
        row = [self._coordinates.rows[index, k] for k in range(self.dimension)]
        return rational_form(
            fmpq_mat(self.dimension, self.dimension, [scale * a * b for a in row for b in row])
        )

    def evaluate(self, bracket: RationalForm) -> tuple[fmpq, RationalMasses]:
        """Tr(G E) and the masses; the last row of the features is that of G."""
        entries = bracket.numerator.entries()
        vector = fmpz_mat(len(self._upper), 1, [entries[k] for k in self._upper])
        values = (self._features * vector).entries()
        total = values.pop()
        return fmpq(total, bracket.denominator), RationalMasses(values, bracket.denominator)

    def solve(self, form: RationalForm, right: list[fmpq]) -> list[fmpq]:
        """Exact solution; the form carries the factor that cleared the denominators."""
        solved = form.matrix().solve(fmpq_mat(self.dimension, 1, right))
        return [x * self._cleared for x in solved.entries()]

    def coordinate(self, index: int, column: int) -> fmpq:
        """One coordinate."""
        return self._coordinates.rows[index, column]

    def lift(self, solution: list[fmpq]) -> list[fmpq]:
        """Least-norm beta."""
        return (self._coordinates.lift() * fmpq_mat(self.dimension, 1, solution)).entries()


@dataclass(frozen=True, slots=True)
class ExactArithmetic:
    """The rationals."""

    name: str = "exact"
    precision: int | None = None
    rigorous: bool = True

    def working(self) -> AbstractContextManager[object]:
        """Nothing to set: exact arithmetic has no precision."""
        return nullcontext()

    def doubled(self) -> None:
        """Everything is decided already."""

    def scalar(self, value: Fraction) -> fmpq:
        """The number itself."""
        return rational(value)

    def root(self, value: Fraction) -> fmpq:
        """The rational root, or `IrrationalNumber`."""
        root = square_root(value)
        if root is None:
            raise IrrationalNumber(
                f"sqrt({write_scalar(value)}) is irrational: expected a rational square, "
                "or another arithmetic than exact",
                value=value,
            )
        return rational(root)

    def enclosure(self, value: fmpq) -> Enclosure:
        """A point."""
        return point(fraction(value))

    def frame(self, data: Dataset) -> ExactFrame:
        """The points, restricted to their row space."""
        return ExactFrame(data.coordinates)

    def inverse(self, form: RationalForm) -> RationalForm:
        """Denominator * numerator^-1."""
        try:
            numerator, denominator = cast("fmpq_mat", form.numerator.inv()).numer_denom()
        except ZeroDivisionError:
            raise BarrierCrossed(
                "an eigenvalue of A lies on a barrier: expected l I < A < u I"
            ) from None
        return RationalForm(numerator * form.denominator, denominator)

    def less(self, first: fmpq, second: fmpq) -> Verdict:
        """Always decided."""
        return decided(first < second)

    def positive_definite(self, form: RationalForm) -> Verdict:
        """Always decided."""
        return positive_definite(fmpq_mat(form.numerator))

    def locate(self, masses: Masses[fmpq], total: fmpq, interval: UnitInterval) -> int | None:
        """Compare integers: masses, total and ends over one denominator."""
        numerators, denominator = _common(masses)
        unit = total * denominator / interval.denominator
        lower, upper = unit * interval.numerator, unit * (interval.numerator + interval.width)
        partial = fmpz(0)
        for index, mass in enumerate(numerators):
            partial += mass
            if partial > lower:
                whole = partial >= upper if interval.width else True
                return index if whole else None
        return None


def _common(masses: Masses[fmpq]) -> tuple[list[fmpz], fmpz]:
    """The masses as integers over one denominator."""
    if isinstance(masses, RationalMasses):
        return masses.numerators, masses.denominator
    numerators, denominator = fmpq_mat([[masses[i] for i in range(len(masses))]]).numer_denom()
    return numerators.entries(), denominator


EXACT = ExactArithmetic()
