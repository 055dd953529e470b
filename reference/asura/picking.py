"""Line 6 of Algorithm 2, and of its relatives: which point a uniform picks."""

from __future__ import annotations

from fractions import Fraction

from asura.arithmetic.interface import Arithmetic, M, Masses, S
from asura.errors import PickOutOfRange, Undecided
from asura.randomness import FIRST_BITS, Draw, FixedPick, UnitInterval


def pick(
    arithmetic: Arithmetic[S, M], masses: Masses[S], total: S, draw: Draw
) -> tuple[int, UnitInterval | None]:
    """The smallest i with r total < masses[0] + ... + masses[i], and the r that decided it.

    More bits of r are drawn while the pick is ambiguous; when more bits cannot help, the
    precision has to (`Undecided`).
    """
    if isinstance(draw, FixedPick):
        return _checked(arithmetic, masses, draw.index), None
    bits = FIRST_BITS
    ceiling = 4 * (arithmetic.precision or 1024)
    while bits <= ceiling:
        interval = draw.interval(bits)
        index = arithmetic.locate(masses, total, interval)
        if index is not None:
            return index, interval
        if not draw.refinable:
            break
        bits *= 2
    raise Undecided


def _checked(arithmetic: Arithmetic[S, M], masses: Masses[S], index: int) -> int:
    if not 0 <= index < len(masses):
        raise PickOutOfRange(
            f"pick {index}: expected the index of one of {len(masses)} points", value=index
        )
    if not arithmetic.less(arithmetic.scalar(Fraction(0)), masses[index]).holds:
        raise PickOutOfRange(f"pick {index}: expected a point of positive probability", value=index)
    return index
