"""The comparisons that one predicate makes, and their conjunction: one result per instance.

>>> from fractions import Fraction
>>> compare = Comparisons()
>>> compare.equal("sum of p", Fraction(1), 1)
>>> compare.at_most("m", 9, 8)
>>> compare.result().verdict.fails, compare.result().comparison
(True, 'm: 9 <= 8')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

from asura.verdict import HOLDS, Verdict, decided
from asura_verify.deciding.matrices import Symmetric, definite, semidefinite
from asura_verify.deciding.numbers import Number, at_most, below, equal, show

#: An identity between enclosures counts when they meet and are known to so many bits.
IDENTITY_BITS = 30

Instance = TypeVar("Instance")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One predicate on one instance; `applies` is false when a premise does not hold there."""

    verdict: Verdict
    applies: bool = True
    comparison: str = ""


VACUOUS = CheckResult(HOLDS, applies=False)


class Comparisons:
    """The comparisons that one predicate makes, as a conjunction."""

    def __init__(self) -> None:
        self._verdict = HOLDS
        self._comparison = ""

    def _enter(self, verdict: Verdict, what: str) -> None:
        if verdict.holds:
            return
        if not self._comparison or (verdict.fails and not self._verdict.fails):
            self._comparison = what
        self._verdict = self._verdict & verdict

    def _compare(self, what: str, verdict: Verdict, left: Number, sign: str, right: Number) -> None:
        if not verdict.holds:
            self._enter(verdict, f"{what}: {show(left)} {sign} {show(right)}")

    def equal(self, what: str, left: Number, right: Number) -> None:
        """left = right."""
        verdict = equal(left, right, bits=IDENTITY_BITS, floor=1)
        self._compare(what, verdict, left, "=", right)

    def at_most(self, what: str, left: Number, right: Number) -> None:
        """left <= right."""
        self._compare(what, at_most(left, right), left, "<=", right)

    def below(self, what: str, left: Number, right: Number) -> None:
        """left < right."""
        self._compare(what, below(left, right), left, "<", right)

    def semidefinite(self, what: str, form: Symmetric) -> None:
        """v^T M v >= 0 for all v."""
        self._enter(semidefinite(form), what)

    def definite(self, what: str, form: Symmetric) -> None:
        """v^T M v > 0 for all v != 0."""
        self._enter(definite(form), what)

    def that(self, what: str, truth: bool) -> None:
        """A statement that was decided already."""
        self._enter(decided(truth), what)

    def result(self) -> CheckResult:
        """The conjunction, and the first comparison that failed."""
        return CheckResult(self._verdict, comparison=self._comparison)


def conjunction(
    compares: Callable[[Comparisons, Instance], None],
) -> Callable[[Instance], CheckResult]:
    """The predicate that holds when all comparisons do that a function makes of an instance.

    >>> @conjunction
    ... def small(compare: Comparisons, instance: int) -> None:
    ...     compare.at_most("instance", instance, 8)
    >>> small(9).verdict.fails, small(9).comparison
    (True, 'instance: 9 <= 8')
    """

    @wraps(compares)
    def predicate(instance: Instance) -> CheckResult:
        compare = Comparisons()
        compares(compare, instance)
        return compare.result()

    return predicate
