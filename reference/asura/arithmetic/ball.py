"""Rigorous balls (Arb): every number is an enclosure, every decision a theorem or undecided.

Points are whitened before they become balls, so that the conditioning of X costs no digits. The
precision of FLINT is global state; `working()` sets it for a scope and restores it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpz_mat

from asura.arithmetic.exact import features, upper_triangle
from asura.arithmetic.interface import Masses
from asura.arithmetic.isometric import IsometricFrame, identity
from asura.coordinates import Coordinates
from asura.dataset import Dataset, KernelData
from asura.definiteness import ball_positive_definite, width
from asura.errors import PrecisionOutOfRange, Undecided
from asura.randomness import UnitInterval
from asura.scalars import Enclosure, fraction, rational
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: Bits of a first attempt, and the ceiling up to which they are doubled while a decision is open.
DEFAULT_BITS = 128
CEILING_BITS = 8192


class BallFrame:
    """Whitened points as balls."""

    def __init__(self, coordinates: Coordinates) -> None:
        self._coordinates = coordinates
        self.size = coordinates.size
        self.dimension = coordinates.dimension
        self._upper = upper_triangle(self.dimension)
        self._outer: dict[int, arb_mat] = {}
        integers, denominator = features(coordinates)
        total = fmpz_mat([[1] * self.size]) * integers
        self._features = arb_mat(fmpz_mat([*integers.tolist(), *total.tolist()])) / arb(denominator)
        self._places = _places(self.dimension)
        self.gram = self.outer_product(self.size)  # the last row of the features is that of G

    def zero(self) -> arb_mat:
        """A_0."""
        return arb_mat(self.dimension, self.dimension)

    def outer_product(self, index: int) -> arb_mat:
        """x x^T, kept once computed; its features hold twice the entries off the diagonal."""
        known = self._outer.get(index)
        if known is None:
            row = [self._features[index, k] for k in range(len(self._upper))]
            entries = [row[k] if diagonal else row[k] * _HALF for k, diagonal in self._places]
            known = self._outer[index] = arb_mat(self.dimension, self.dimension, entries)
        return known

    def evaluate(self, bracket: arb_mat) -> tuple[arb, list[arb]]:
        """Tr(G E) and the masses."""
        entries = bracket.entries()
        vector = arb_mat(len(self._upper), 1, [entries[k] for k in self._upper])
        values = (self._features * vector).entries()
        return values.pop(), values

    def solve(self, form: arb_mat, right: list[arb]) -> list[arb]:
        """LU with error bounds."""
        try:
            return form.solve(arb_mat(self.dimension, 1, right), algorithm="lu").entries()
        except ZeroDivisionError:
            raise Undecided from None

    def coordinate(self, index: int, column: int) -> arb:
        """One coordinate."""
        return arb(self._coordinates.rows[index, column])

    def lift(self, solution: list[arb]) -> list[arb]:
        """Least-norm beta."""
        return (arb_mat(self._coordinates.lift()) * arb_mat(self.dimension, 1, solution)).entries()


@dataclass(frozen=True, slots=True)
class BallArithmetic:
    """Balls with `precision` bits; a run doubles them up to `ceiling` until all is decided."""

    precision: int = DEFAULT_BITS
    ceiling: int = CEILING_BITS
    name: str = "ball"
    rigorous: bool = True

    def __post_init__(self) -> None:
        if not 2 <= self.precision <= self.ceiling:
            raise PrecisionOutOfRange(
                f"precision = {self.precision} bits: expected 2 to the ceiling, {self.ceiling}",
                value=self.precision,
            )

    def working(self) -> AbstractContextManager[object]:
        """Set the kernel's precision, and restore it afterwards."""
        return ctx.workprec(self.precision)

    def doubled(self) -> BallArithmetic | None:
        """Twice the bits, or None beyond the ceiling."""
        bits = 2 * self.precision
        return BallArithmetic(bits, self.ceiling) if bits <= self.ceiling else None

    def scalar(self, value: Fraction) -> arb:
        """The ball around a rational."""
        return arb(rational(value))

    def root(self, value: Fraction) -> arb:
        """The ball around a square root."""
        return arb(rational(value)).sqrt()

    def enclosure(self, value: arb) -> Enclosure:
        """The ends of the ball, exactly."""
        middle, radius = fraction(value.mid().fmpq()), fraction(value.rad().fmpq())
        return Enclosure(middle - radius, middle + radius)

    def frame(self, data: Dataset) -> BallFrame | IsometricFrame:
        """The points, whitened: exactly, or in balls where exact rows would be long."""
        if isinstance(data, KernelData):
            return IsometricFrame(data.isometry(self.precision))
        return BallFrame(data.whitened)

    def inverse(self, form: arb_mat) -> arb_mat:
        """LU, which loses fewer digits here than preconditioning."""
        try:
            return form.solve(identity(form.nrows()), algorithm="lu")
        except ZeroDivisionError:
            raise Undecided from None

    def less(self, first: arb, second: arb) -> Verdict:
        """Decided when the balls are disjoint, or touch on the right side."""
        if first < second:
            return HOLDS
        if first >= second:
            return FAILS
        return undecided(width(first) + width(second))

    def positive_definite(self, form: arb_mat) -> Verdict:
        """LDL^T in balls."""
        return ball_positive_definite(form)

    def locate(self, masses: Masses[arb], total: arb, interval: UnitInterval) -> int | None:
        """Walk along the partial sums until one certainly exceeds the target."""
        unit = total / interval.denominator
        lower = unit * interval.numerator
        partial = _ZERO
        for index in range(len(masses)):
            reached = partial + masses[index]
            if not reached <= lower:
                if interval.width:
                    beyond = reached >= unit * (interval.numerator + interval.width)
                else:
                    beyond = reached > lower
                return index if beyond and partial <= lower else None
            partial = reached
        return None


_ZERO = arb(0)
_HALF = arb("0.5")


def _places(dimension: int) -> list[tuple[int, bool]]:
    """For every entry of a symmetric matrix: its place in the upper triangle, and if diagonal."""
    place = {entry: k for k, entry in enumerate(upper_triangle(dimension))}
    return [
        (place[min(i, k) * dimension + max(i, k)], i == k)
        for i in range(dimension)
        for k in range(dimension)
    ]
