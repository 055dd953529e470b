"""Scalars of a trace as balls, and as text for a report."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flint import arb

from asura.scalars import rational
from asura.trace import trace_scalar

Raw = int | float | str
_EXACT = re.compile(r"[+-]?[0-9]+(/[0-9]+)?")

#: Bits with which values are compared, beyond the declared ones.
SPARE_BITS = 75
#: The size of the probability of a zero row, beyond the square of a rounding error.
VANISHING = 2.0**-40


@dataclass(slots=True)
class Reported:
    """The values of one line, each as the ball of its allowance."""

    u: arb | None = None
    l: arb | None = None  # noqa: E741 - the name of the contract
    phi: arb | None = None
    p: arb | None = None
    probabilities: list[arb] | None = None
    weight: arb | None = None
    mid: arb | None = None
    weights: list[arb] | None = None
    alphas: list[arb] | None = None


def vanishing(allowed: float) -> float:
    """In what units a zero row's probability may be off: it is a square of rounding errors."""
    return max(VANISHING, allowed)


def claims_exactness(raw: Raw) -> bool:
    """Whether a value is a rational that no binary arithmetic produces: it must be exact.

    >>> claims_exactness("1/3"), claims_exactness("3/8"), claims_exactness(0.1)
    (True, False, False)
    """
    if not isinstance(raw, str) or "/" not in raw:
        return False
    denominator = trace_scalar(raw).denominator
    return denominator & (denominator - 1) != 0


def is_rounded(raw: Raw) -> bool:
    """Whether a value is written as an arithmetic with rounding would: with a point or exponent.

    >>> is_rounded(0.5), is_rounded("1e3"), is_rounded("0x1p3"), is_rounded("1/3"), is_rounded(2)
    (True, True, True, False, False)
    """
    return isinstance(raw, float) or (isinstance(raw, str) and not _EXACT.fullmatch(raw.strip()))


def number(raw: Raw) -> arb:
    """A scalar of the trace as a ball, exact for binary numbers."""
    if isinstance(raw, float):
        return arb(raw)
    if isinstance(raw, int):
        return arb(float(raw))
    return arb(rational(trace_scalar(raw)))


def shown(value: arb, digits: int) -> str:
    """The midpoint in decimal."""
    return str(value.mid().str(digits, radius=False))


def abbreviated(raw: object, limit: int = 60) -> str:
    """A reported value, shortened in the middle."""
    text = str(raw)
    return text if len(text) <= limit else f"{text[: limit // 2]}...{text[-limit // 4 :]}"
