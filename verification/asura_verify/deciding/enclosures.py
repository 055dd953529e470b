"""Deciding with enclosures: what two intervals of rationals say about the numbers inside.

>>> str(at_most(Enclosure(Fraction(1), Fraction(2)), Fraction(2)))
'holds'
>>> str(at_most(Enclosure(Fraction(1), Fraction(2)), Fraction(3, 2)))
'undecided'
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from asura.scalars import Enclosure, point
from asura.verdict import FAILS, HOLDS, Verdict, undecided

Number = Enclosure | Fraction | int


def enclose(value: Number) -> Enclosure:
    """The enclosure itself, or a rational as a point."""
    return value if isinstance(value, Enclosure) else point(Fraction(value))


def at_most(left: Number, right: Number) -> Verdict:
    """Decide left <= right."""
    first, second = enclose(left), enclose(right)
    if first.upper <= second.lower:
        return HOLDS
    if first.lower > second.upper:
        return FAILS
    return undecided(2 * (first.radius + second.radius))


def below(left: Number, right: Number) -> Verdict:
    """Decide left < right."""
    return ~at_most(right, left)


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


def hull(values: Iterable[Number]) -> Enclosure:
    """The smallest interval around several."""
    enclosed = [enclose(value) for value in values]
    return Enclosure(min(v.lower for v in enclosed), max(v.upper for v in enclosed))


__all__ = ["Number", "add", "at_most", "below", "enclose", "hull", "multiply", "scale", "subtract"]
