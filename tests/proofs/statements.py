"""Rational values as the specifications write them: numbers, lists, tables, truth values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

NUMBER = r"-?\d+ # \d+"
LIST = rf"\[:: {NUMBER}(?:; {NUMBER})*\]"
TABLE = rf"\[:: {LIST}(?:; {LIST})*\]"
#: What the reference computes, and what Coq proves.
Values = tuple[object, object]


def number(text: str) -> Fraction:
    numerator, denominator = text.split(" # ")
    return Fraction(int(numerator), int(denominator))


def numbers(text: str) -> list[Fraction]:
    return [number(word) for word in re.findall(NUMBER, text)]


def table(text: str) -> list[list[Fraction]]:
    return [numbers(row) for row in re.findall(LIST, text)]


def changed(statement: str) -> Iterator[str]:
    """A numerator one larger, or a truth value turned round, each in its turn."""
    left, separator, right = statement.rpartition(" = ")
    swapped = {"true": "false", "false": "true"}
    if right in swapped:
        yield left + separator + swapped[right]
    for match in re.finditer(r"-?\d+(?= # )", right):
        more = f"{right[: match.start()]}{int(match.group()) + 1}{right[match.end() :]}"
        yield left + separator + more
