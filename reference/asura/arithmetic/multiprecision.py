"""Arbitrary precision (mpmath), in a context of its own: global precision is never touched.

No error bounds: its runs are compared with ball runs, they certify nothing.
"""

from __future__ import annotations

import math
import operator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import fmpq

from asura.arithmetic.interface import Masses, locate_at_face_value
from asura.coordinates import Coordinates
from asura.dataset import Dataset
from asura.errors import PrecisionOutOfRange
from asura.randomness import UnitInterval
from asura.scalars import Enclosure, point
from asura.verdict import Verdict, decided

#: mpmath's numbers and matrices carry no types of their own.
Number = Any
Matrix = Any


class MultiprecisionFrame:
    """Whitened points, rounded to the working precision."""

    def __init__(self, arithmetic: MultiprecisionArithmetic, coordinates: Coordinates) -> None:
        self._context = arithmetic.context
        self._read = arithmetic.read
        self._coordinates = coordinates
        self.size = coordinates.size
        self.dimension = coordinates.dimension
        self._rows: list[list[Number]] = [
            [self._read(x) for x in row] for row in coordinates.rows.tolist()
        ]
        self._scales = [self._read(c) for c in coordinates.squared_scales]
        self.gram: Matrix = self._context.matrix(
            [[self._read(x) for x in row] for row in coordinates.gram().tolist()]
        )

    def zero(self) -> Matrix:
        """A_0."""
        return self._context.zeros(self.dimension)

    def outer_product(self, index: int) -> Matrix:
        """x x^T."""
        row, scale = self._rows[index], self._scales[index]
        return self._context.matrix([[scale * a * b for b in row] for a in row])

    def evaluate(self, bracket: Matrix) -> tuple[Number, list[Number]]:
        """Tr(G E) and the masses."""
        span = range(self.dimension)
        entries = [[bracket[i, k] for k in span] for i in span]
        potential = self._context.fsum(self.gram[i, k] * entries[i][k] for i in span for k in span)
        masses = [
            scale * sum(row[i] * sum(entries[i][k] * row[k] for k in span) for i in span)
            for row, scale in zip(self._rows, self._scales, strict=True)
        ]
        return potential, masses

    def solve(self, form: Matrix, right: list[Number]) -> list[Number]:
        """LU."""
        return list(self._context.lu_solve(form, self._context.matrix(right)))

    def coordinate(self, index: int, column: int) -> Number:
        """One coordinate."""
        return self._rows[index][column]

    def lift(self, solution: list[Number]) -> list[Number]:
        """Least-norm beta."""
        return [
            self._context.fsum(self._read(a) * b for a, b in zip(row, solution, strict=True))
            for row in self._coordinates.lift().tolist()
        ]


def _context(bits: int) -> Any:
    import mpmath  # noqa: PLC0415 most runs use another arithmetic

    context = mpmath.MPContext()
    context.prec = bits
    return context


@dataclass(frozen=True, slots=True)
class MultiprecisionArithmetic:
    """Floating point with a given number of decimal digits."""

    digits: int = 50
    name: str = "multiprecision"
    rigorous: bool = False
    context: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.digits <= 100_000:
            raise PrecisionOutOfRange(
                f"digits = {self.digits}: expected 1 to 100000", value=self.digits
            )
        object.__setattr__(self, "context", _context(self.precision))

    @property
    def precision(self) -> int:
        """The bits that hold so many digits."""
        return math.ceil(self.digits * math.log2(10)) + 1

    def working(self) -> AbstractContextManager[object]:
        """Nothing to set: the context is private."""
        return nullcontext()

    def read(self, value: fmpq) -> Number:
        """A rational, rounded once."""
        return self.context.mpf(int(value.p)) / int(value.q)

    def doubled(self) -> None:
        """Comparisons are taken at face value."""

    def scalar(self, value: Fraction) -> Number:
        """A rational, rounded once."""
        return self.context.mpf(value.numerator) / value.denominator

    def root(self, value: Fraction) -> Number:
        """Rounded square root."""
        return self.context.sqrt(self.scalar(value))

    def enclosure(self, value: Number) -> Enclosure:
        """The exact value of the floating-point number."""
        sign, mantissa, exponent, _ = value._mpf_
        exact = Fraction(int(mantissa)) * Fraction(2) ** exponent
        return point(-exact if sign else exact)

    def frame(self, data: Dataset) -> MultiprecisionFrame:
        """The points, whitened."""
        return MultiprecisionFrame(self, data.whitened)

    def inverse(self, form: Matrix) -> Matrix:
        """LU."""
        return self.context.inverse(form)

    def less(self, first: Number, second: Number) -> Verdict:
        """At face value."""
        return decided(bool(first < second))

    def positive_definite(self, form: Matrix) -> Verdict:
        """The pivots of LDL^T at face value."""
        rest = form.copy()
        size = rest.rows
        for p in range(size):
            if not rest[p, p] > 0:
                return decided(False)
            for i in range(p + 1, size):
                factor = rest[i, p] / rest[p, p]
                for k in range(p, size):
                    rest[i, k] -= factor * rest[p, k]
        return decided(True)

    def locate(self, masses: Masses[Number], total: Number, interval: UnitInterval) -> int | None:
        """At face value."""
        uniform = self.context.mpf(interval.numerator) / interval.denominator
        return locate_at_face_value(masses, uniform * total, self.context.zero, operator.lt)
