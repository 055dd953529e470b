"""Comparisons of numbers with three outcomes, and the little arithmetic of intervals.

A number is an exact rational, a ball of FLINT, or an interval of rationals.

>>> str(at_most(Enclosure(Fraction(1), Fraction(2)), 2)), str(below(arb(1, 0.5), Fraction(1)))
('holds', 'undecided')
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq

from asura.definiteness import width
from asura.scalars import Enclosure, fraction, point, rational, show_scalar
from asura.verdict import FAILS, HOLDS, Verdict, decided, undecided

Exact = Fraction | int | fmpq
Number = Exact | arb | Enclosure


def _exact(value: Exact) -> fmpq:
    return value if isinstance(value, fmpq) else rational(Fraction(value))


def _ball(value: Exact | arb) -> arb:
    return value if isinstance(value, arb) else arb(_exact(value))


def enclose(value: Number) -> Enclosure:
    """The ends of a ball, or an exact number as a point."""
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, arb):
        middle, radius = fraction(value.mid().fmpq()), fraction(value.rad().fmpq())
        return Enclosure(middle - radius, middle + radius)
    return point(fraction(_exact(value)))


def equal(
    left: Number, right: Number, size: arb | None = None, *, bits: int = 0, floor: int = 0
) -> Verdict:
    """Decide left = right: exactly for rationals, else they meet, and know their size to `bits`.

    The size is that of `right` unless it is given, and `floor` at least.

    >>> str(equal(arb(1, 0.25), arb(1))), str(equal(arb(1, 4), arb(1))), str(equal(arb(1), arb(2)))
    ('holds', 'undecided', 'fails')
    """
    if isinstance(left, Enclosure) or isinstance(right, Enclosure):
        first, second = enclose(left), enclose(right)
        if first.exact and second.exact:
            return decided(first == second)
        if first.upper < second.lower or second.upper < first.lower:
            return FAILS
        known = 2 * (first.radius + second.radius) * 2**bits
        return HOLDS if known < max(abs(second.midpoint), floor) else undecided(known)
    if not isinstance(left, arb) and not isinstance(right, arb):
        return decided(_exact(left) == _exact(right))
    one, other = _ball(left), _ball(right)
    if not one.overlaps(other):
        return FAILS
    reach = abs(other) if size is None else size
    spread = (one.rad() + other.rad()) * 2
    room = reach.max(arb(floor)) if floor else reach
    return HOLDS if spread * 2**bits < room else undecided(width(one) + width(other))


def at_most(left: Number, right: Number) -> Verdict:
    """Decide left <= right."""
    if isinstance(left, Enclosure) or isinstance(right, Enclosure):
        first, second = enclose(left), enclose(right)
        if first.upper <= second.lower:
            return HOLDS
        if first.lower > second.upper:
            return FAILS
        return undecided(2 * (first.radius + second.radius))
    if not isinstance(left, arb) and not isinstance(right, arb):
        return decided(_exact(left) <= _exact(right))
    one, other = _ball(left), _ball(right)
    if one <= other:
        return HOLDS
    return FAILS if one > other else undecided(width(one) + width(other))


def below(left: Number, right: Number) -> Verdict:
    """Decide left < right."""
    return ~at_most(right, left)


def largest(values: Sequence[arb]) -> arb:
    """A ball that contains the largest of the numbers that the balls contain."""
    top = values[0]
    for value in values[1:]:
        if not value <= top:
            top = value if value >= top else top.max(value)
    return top


def add(*terms: Number) -> Enclosure:
    """The sum."""
    enclosed = [enclose(term) for term in terms]
    return Enclosure(
        sum((term.lower for term in enclosed), Fraction(0)),
        sum((term.upper for term in enclosed), Fraction(0)),
    )


def scale(factor: Fraction | int, value: Number) -> Enclosure:
    """The product with an exact rational.

    >>> scale(-2, Enclosure(Fraction(1), Fraction(3)))
    Enclosure(lower=Fraction(-6, 1), upper=Fraction(-2, 1))
    """
    enclosed = enclose(value)
    ends = sorted((factor * enclosed.lower, factor * enclosed.upper))
    return Enclosure(ends[0], ends[1])


def subtract(left: Number, right: Number) -> Enclosure:
    """The difference."""
    return add(left, scale(-1, right))


def multiply(left: Number, right: Number) -> Enclosure:
    """The product."""
    first, second = enclose(left), enclose(right)
    products = [a * b for a in (first.lower, first.upper) for b in (second.lower, second.upper)]
    return Enclosure(min(products), max(products))


def show(value: Number) -> str:
    """A number for people.

    >>> show(fmpq(1, 3)), show(Fraction(7))
    ('1/3', '7')
    """
    if isinstance(value, arb):
        return str(value.str(12))
    if isinstance(value, Enclosure):
        if not value.exact:
            return f"{float(value):.10g} (within {float(value.radius):.1g})"
        value = value.lower
    return show_scalar(fraction(_exact(value)))
