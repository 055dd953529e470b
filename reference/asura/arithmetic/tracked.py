"""Numbers in doubles that know how their errors hang together.

A number is x = mid + sum_k parts[k] e_k + r with |e_k| <= 1 and |r| <= rest. The symbols e_k stand
for errors that were made once, a rounding or a bound, and are shared: what one number is too large
by, another that was computed from it is too small by, and a sum knows it. So errors are carried
through a long run to first order exactly, and do not grow by being bounded again at every step
(affine arithmetic, Comba and Stolfi 1993). `rest` holds products of errors and roundings.

>>> x = Tracked(3.0, np.array([0.5]))                        # 3 + e/2
>>> (x - x).radius < 1e-15, 0.5 <= x.radius < 0.5 + 1e-12
(True, True)
>>> quotient = Tracked(1.0) / x                              # the truth is 1/3.5 to 1/2.5
>>> quotient.mid - quotient.radius <= 1 / 3.5 < 1 / 2.5 <= quotient.mid + quotient.radius
True
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from asura.errors import Undecided
from asura.rounding import UNDERFLOW, UNIT, Doubles, sum_up, up
from asura.scalars import Enclosure

_NONE: Doubles = np.zeros(0)


def _padded(parts: Doubles, length: int) -> Doubles:
    """The same parts, as many as asked for."""
    if len(parts) == length:
        return parts
    longer = np.zeros(length)
    longer[: len(parts)] = parts
    return longer


class Tracked:
    """A real number: mid + sum parts[k] e_k + r."""

    def __init__(self, mid: float, parts: Doubles = _NONE, rest: float = 0.0) -> None:
        self.mid = mid
        self.parts = parts
        self.rest = rest

    @cached_property
    def size(self) -> float:
        """sum |parts|, at most."""
        return sum_up(np.abs(self.parts))

    @property
    def radius(self) -> float:
        """How far the number may be from `mid`."""
        return up(self.size + self.rest)

    @property
    def enclosure(self) -> Enclosure:
        """The ends, exactly."""
        middle, radius = Fraction(self.mid), Fraction(self.radius)
        return Enclosure(middle - radius, middle + radius)

    def with_symbol(self, place: int) -> Tracked:
        """The same number, its rest now a symbol of its own: errors that follow from it know it."""
        parts = np.zeros(place + 1)
        parts[: len(self.parts)] = self.parts
        parts[place] = self.rest
        return Tracked(self.mid, parts)

    def _combined(self, other: Tracked, sign: float) -> Tracked:
        mid = self.mid + sign * other.mid
        length = max(len(self.parts), len(other.parts))
        parts = _padded(self.parts, length) + sign * _padded(other.parts, length)
        rounding = UNIT * (abs(mid) + self.size + other.size)
        return Tracked(mid, parts, up(self.rest + other.rest + rounding))

    def __add__(self, other: Tracked) -> Tracked:
        return self._combined(other, 1.0)

    def __sub__(self, other: Tracked) -> Tracked:
        return self._combined(other, -1.0)

    def __mul__(self, other: Tracked) -> Tracked:
        mid = self.mid * other.mid
        length = max(len(self.parts), len(other.parts))
        parts = _padded(self.parts, length) * other.mid + _padded(other.parts, length) * self.mid
        first, second = abs(self.mid), abs(other.mid)
        rest = (
            first * other.rest
            + second * self.rest
            + self.radius * other.radius
            + UNIT * (abs(mid) + 3 * (first * other.size + second * self.size))
            + UNDERFLOW
        )
        return Tracked(mid, parts, up(rest))

    def __truediv__(self, other: Tracked) -> Tracked:
        """x/y = q + (dx - q dy)/y - (dx - q dy) dy/(y (y + dy)), where x, y are midpoints."""
        least = abs(other.mid) - other.radius
        if not least > 0:
            raise Undecided
        mid = self.mid / other.mid
        length = max(len(self.parts), len(other.parts))
        moved = _padded(self.parts, length) - mid * _padded(other.parts, length)
        size = self.size + abs(mid) * other.size
        loose = self.rest + abs(mid) * other.rest
        rest = (
            (size + loose) * other.radius / (abs(other.mid) * least)
            + (loose + 5 * UNIT * size) / abs(other.mid)
            + UNIT * abs(mid)
            + UNDERFLOW
        )
        return Tracked(mid, moved / other.mid, up(rest) * (1 + 8 * UNIT))
