"""Arrays of intervals with double ends, rounded outwards after every operation.

IEEE 754 asks that +, -, *, / and the square root of doubles are correctly rounded, and NumPy
passes each of them on to the processor. A correctly rounded result is the double next to the
exact one, on one side or the other; so one step of `nextafter` downwards gives a lower bound and
one step upwards an upper bound of the exact result, also when it overflows (the step back from
infinity is the largest double) or underflows (the step from zero is the least subnormal). Sums of
many terms use `math.fsum`, which is correctly rounded as a whole. An end that is not a number
would make every comparison with it false: the constructor refuses it.

>>> third = ratio(1, 3)
>>> bool(third.low < third.high), bool((3 * third).contains(1.0))
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def down(values: Doubles) -> Doubles:
    """The doubles just below."""
    return np.asarray(np.nextafter(values, -np.inf), dtype=np.float64)


def up(values: Doubles) -> Doubles:
    """The doubles just above."""
    return np.asarray(np.nextafter(values, np.inf), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Interval:
    """All reals from `low` to `high`, elementwise; arrays of one shape or that broadcast."""

    low: Doubles
    high: Doubles

    def __post_init__(self) -> None:
        if not np.all(self.low <= self.high):
            message = "an interval whose ends are out of order, or not numbers"
            raise ArithmeticError(message)

    def contains(self, values: Doubles | float) -> NDArray[np.bool_]:
        """Where the value lies in the interval."""
        return np.asarray((self.low <= values) & (values <= self.high), dtype=np.bool_)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | float) -> Interval:
        second = whole(other)
        return Interval(down(self.low + second.low), up(self.high + second.high))

    def __sub__(self, other: Interval | float) -> Interval:
        return self + -whole(other)

    def __mul__(self, other: Interval | float) -> Interval:
        second = whole(other)
        corners = (
            self.low * second.low,
            self.low * second.high,
            self.high * second.low,
            self.high * second.high,
        )
        least = np.minimum(np.minimum(corners[0], corners[1]), np.minimum(corners[2], corners[3]))
        most = np.maximum(np.maximum(corners[0], corners[1]), np.maximum(corners[2], corners[3]))
        return Interval(down(least), up(most))

    def __truediv__(self, other: Interval | float) -> Interval:
        """The quotient by an interval of positive numbers."""
        return self * whole(other).reciprocal()

    def __radd__(self, other: float) -> Interval:
        return self + other

    def __rsub__(self, other: float) -> Interval:
        return whole(other) - self

    def __rmul__(self, other: float) -> Interval:
        return self * other

    def __rtruediv__(self, other: float) -> Interval:
        return whole(other) / self

    def reciprocal(self) -> Interval:
        """1/x for positive x."""
        if not np.all(self.low > 0):
            message = "the reciprocal of an interval that is not positive"
            raise ArithmeticError(message)
        return Interval(down(1 / self.high), up(1 / self.low))

    def square(self) -> Interval:
        """x^2, never below 0."""
        largest = np.maximum(np.abs(self.low), np.abs(self.high))
        least = np.maximum(np.maximum(self.low, -self.high), 0.0)
        return Interval(np.maximum(down(least * least), 0.0), up(largest * largest))

    def sqrt(self) -> Interval:
        """The root of what is not negative in x."""
        low, high = np.maximum(self.low, 0.0), np.maximum(self.high, 0.0)
        return Interval(np.maximum(down(np.sqrt(low)), 0.0), up(np.sqrt(high)))

    def positive_part(self) -> Interval:
        """max(x, 0)."""
        return Interval(np.maximum(self.low, 0.0), np.maximum(self.high, 0.0))


def whole(value: Interval | float | Doubles) -> Interval:
    """The interval itself, or the doubles as points."""
    if isinstance(value, Interval):
        return value
    point = np.asarray(value, dtype=np.float64)
    return Interval(point, point)


def ratio(numerator: int, denominator: int = 1) -> Interval:
    """The least interval of this kind round a rational number."""
    return enclose([Fraction(numerator, denominator)], shape=())


def enclose(values: Sequence[Fraction], shape: tuple[int, ...] | None = None) -> Interval:
    """Rational numbers; the conversion of a fraction to a double is correctly rounded."""
    near = np.array([float(value) for value in values], dtype=np.float64)
    exact = np.array([Fraction(float(value)) == value for value in values])
    ends = np.where(exact, near, down(near)), np.where(exact, near, up(near))
    shaped = near.shape if shape is None else shape
    return Interval(ends[0].reshape(shaped), ends[1].reshape(shaped))


def running_sums(values: Doubles) -> Doubles:
    """Upper bounds of 0, v_0, v_0 + v_1, ..."""
    listed = values.tolist()
    sums = np.array([math.fsum(listed[:count]) for count in range(len(listed) + 1)])
    return up(sums)
