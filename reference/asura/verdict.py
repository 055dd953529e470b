"""The outcome of a comparison: it holds, it fails, or it is undecided.

A `Verdict` has no truth value: a branch must say which of the three cases it
means, so that "undecided" can never pass silently for "false".

>>> (HOLDS & undecided(Fraction(1, 8))).undecided
True
>>> (FAILS & undecided(Fraction(1, 8))).fails
True
>>> bool(HOLDS)
Traceback (most recent call last):
    ...
asura.verdict.VerdictHasNoTruthValue: ask .holds, .fails or .undecided
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn


class VerdictHasNoTruthValue(TypeError):
    """A verdict was used as a condition."""


class Outcome(enum.Enum):
    """The three outcomes."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One outcome; when undecided, `width` is the uncertainty that was left."""

    outcome: Outcome
    width: Fraction | None = None

    @property
    def holds(self) -> bool:
        """Whether the statement was shown to be true."""
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        """Whether the statement was shown to be false."""
        return self.outcome is Outcome.FAILS

    @property
    def undecided(self) -> bool:
        """Whether neither was shown."""
        return self.outcome is Outcome.UNDECIDED

    def __and__(self, other: Verdict) -> Verdict:
        if self.fails or other.fails:
            return FAILS
        return other if self.holds else self

    def __or__(self, other: Verdict) -> Verdict:
        if self.holds or other.holds:
            return HOLDS
        return other if self.fails else self

    def __invert__(self) -> Verdict:
        if self.undecided:
            return self
        return FAILS if self.holds else HOLDS

    def __bool__(self) -> NoReturn:
        raise VerdictHasNoTruthValue("ask .holds, .fails or .undecided")

    def __str__(self) -> str:
        return self.outcome.value


HOLDS = Verdict(Outcome.HOLDS)
FAILS = Verdict(Outcome.FAILS)


def undecided(width: Fraction | None = None) -> Verdict:
    """The third outcome, with the width of the enclosure that left it open."""
    return Verdict(Outcome.UNDECIDED, width)


def decided(truth: bool) -> Verdict:
    """The verdict of a comparison that was made exactly."""
    return HOLDS if truth else FAILS


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Conjunction: fails as soon as one fails."""
    result = HOLDS
    for verdict in verdicts:
        result = result & verdict
        if result.fails:
            return result
    return result
