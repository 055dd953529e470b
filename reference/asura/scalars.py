"""Reading and writing numbers exactly.

A scalar is an integer, a `Fraction`, a finite `float` (read as the binary64
that it is), a decimal string, a rational string or a hexadecimal float:

>>> read_scalar("0.1"), read_scalar("-3/7"), read_scalar("0x1.8p-3")
(Fraction(1, 10), Fraction(-3, 7), Fraction(3, 16))
>>> read_scalar(0.1) == Fraction(1, 10)
False
>>> read_scalar("nan")
Traceback (most recent call last):
    ...
asura.errors.NotAScalar: 'nan' is not a number: expected an integer, "1/3", "0.1" or "0x1.8p-3"
"""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq, fmpz

from asura.errors import NotAScalar

EXPECTED = 'an integer, "1/3", "0.1" or "0x1.8p-3"'

#: Longest text of one number, and largest decimal or binary exponent, that is read.
MAXIMAL_DIGITS = 100_000
MAXIMAL_EXPONENT = 20_000

#: Longest text that counts as short: it is kept once read.
SHORT = 100

_RATIONAL = re.compile(r"([+-]?[0-9]+)/([0-9]+)", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_HEXADECIMAL = re.compile(
    r"([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?[0-9]+))?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A closed interval of rationals that contains a real number; a point when exact."""

    lower: Fraction
    upper: Fraction

    @property
    def exact(self) -> bool:
        """Whether the interval is one point."""
        return self.lower == self.upper

    @property
    def midpoint(self) -> Fraction:
        """The centre, which is the value itself when exact."""
        return self.lower if self.exact else (self.lower + self.upper) / 2

    @property
    def radius(self) -> Fraction:
        """Half the width."""
        return (self.upper - self.lower) / 2

    def __contains__(self, value: Fraction) -> bool:
        return self.lower <= value <= self.upper

    def __float__(self) -> float:
        return float(self.midpoint)


def point(value: Fraction) -> Enclosure:
    """The enclosure of a number that is known exactly."""
    return Enclosure(value, value)


def _refuse(value: object) -> NotAScalar:
    text = repr(value)
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return NotAScalar(f"{shown} is not a number: expected {EXPECTED}", value=value)


def _exponent(text: str, original: str) -> int:
    if not text:
        return 0
    exponent = fmpz(text.lstrip("+"))
    if abs(exponent) > MAXIMAL_EXPONENT:
        raise NotAScalar(
            f"the exponent of {original[:40]!r} is too large: expected at most {MAXIMAL_EXPONENT}",
            value=original[:40],
        )
    return int(exponent)


def _integer(digits: str) -> int:
    """Python's own reader is faster, and refuses thousands of digits."""
    return int(digits) if len(digits) <= SHORT else int(fmpz(digits.lstrip("+")))


def read_text(text: str) -> Fraction:
    """The rational that a text denotes, or `NotAScalar`."""
    stripped = text.strip()
    if len(stripped) > MAXIMAL_DIGITS:
        raise NotAScalar(
            f"a number of {len(stripped)} characters: expected at most {MAXIMAL_DIGITS}",
            value=len(stripped),
        )
    if match := _DECIMAL.fullmatch(stripped):  # first, because most numbers are
        sign, whole, part, power = match.groups("")
        if not whole and not part:
            raise _refuse(text)
        exponent = _exponent(power, stripped) - len(part)
        digits = _integer(sign + whole + part)
        return Fraction(digits * 10**exponent) if exponent > 0 else Fraction(digits, 10**-exponent)
    if match := _RATIONAL.fullmatch(stripped):
        denominator = fmpz(match[2])
        if denominator == 0:
            raise _refuse(text)
        return fraction(fmpq(fmpz(match[1].lstrip("+")), denominator))
    if match := _HEXADECIMAL.fullmatch(stripped):
        sign, whole, part, power = match.groups("")
        if not whole and not part:
            raise _refuse(text)
        exponent = _exponent(power, stripped) - 4 * len(part)
        digits = int(whole + part, 16)
        magnitude = (
            Fraction(digits << exponent) if exponent > 0 else Fraction(digits, 1 << -exponent)
        )
        return -magnitude if sign == "-" else magnitude
    raise _refuse(text)


#: A judge reads a number of a trace several times, some of them at once.
_from_short_text = lru_cache(4096)(read_text)


def read_scalar(value: object) -> Fraction:
    """The exact rational that `value` denotes, or `NotAScalar`."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        return _from_short_text(value) if len(value) <= SHORT else read_text(value)
    if isinstance(value, float) and math.isfinite(value):
        return Fraction(value)
    if isinstance(value, bool):
        raise _refuse(value)
    if isinstance(value, numbers.Rational):  # int, and NumPy's integers
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):  # float, and NumPy's floats
        number = float(value)
        if not math.isfinite(number):
            raise _refuse(value)
        return Fraction(number)
    raise _refuse(value)


def write_scalar(value: Fraction) -> str:
    """The text of an exact rational, of any length: "3", "-3/7".

    >>> write_scalar(Fraction(-3, 7)), write_scalar(Fraction(4))
    ('-3/7', '4')
    """
    numerator = fmpz(value.numerator).str()
    return numerator if value.denominator == 1 else f"{numerator}/{fmpz(value.denominator).str()}"


def show_scalar(value: Fraction, *, digits: int = 6) -> str:
    """A number for people: exact when short, rounded decimal when long.

    >>> show_scalar(Fraction(1, 3)), show_scalar(Fraction(10**9 + 1, 3))
    ('1/3', '3.33333e+08')
    """
    if abs(value.numerator) < 10**6 and value.denominator < 10**4:
        return write_scalar(value)
    if not 1e-300 < abs(value) < 1e300:
        return str(arb(rational(value)).str(digits, radius=False))
    return f"{float(value):.{digits}g}"


def rational(value: Fraction) -> fmpq:
    """A `Fraction` as the kernel's rational."""
    return fmpq(value.numerator, value.denominator)


def fraction(value: fmpq) -> Fraction:
    """The kernel's rational as a `Fraction`."""
    return Fraction(int(value.p), int(value.q))


def square_root(value: Fraction) -> Fraction | None:
    """The rational square root of a nonnegative rational, or None.

    >>> square_root(Fraction(9, 4)), square_root(Fraction(2))
    (Fraction(3, 2), None)
    """
    numerator, denominator = math.isqrt(value.numerator), math.isqrt(value.denominator)
    root = Fraction(numerator, denominator)
    return root if root * root == value else None
