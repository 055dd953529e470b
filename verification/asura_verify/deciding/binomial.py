"""Exact binomial tests for what only sampling can reach: stated false alarms, stated power.

A test of "P(event) >= p" over n independent runs refutes when the number of successes is so
small that a true claim would give it with probability at most the stated false alarm, and
supports when it is so large that a false claim would. In between it says nothing. All tails are
exact rationals.

>>> test = BinomialTest(trials=120, claimed=Fraction(3, 4), false_alarm=Fraction(1, 10**7))
>>> test.refuting, test.supporting
(63, 113)
>>> str(test.judge(50)), str(test.judge(90)), str(test.judge(118))
('fails', 'undecided', 'holds')
>>> round(float(test.power(Fraction(2, 5))), 3)
0.998
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from asura.errors import AsuraError
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: The false-alarm probability of one test; ten of them stay below 1e-6 together.
FALSE_ALARM = Fraction(1, 10**7)


class ImpossibleTest(AsuraError):
    """A binomial test whose parameters allow no decision."""


def binomial_at_most(successes: int, trials: int, chance: Fraction) -> Fraction:
    """P(Bin(n, p) <= k), exactly.

    >>> binomial_at_most(1, 3, Fraction(1, 2))
    Fraction(1, 2)
    """
    if successes < 0:
        return Fraction(0)
    win, lose = chance.numerator, chance.denominator - chance.numerator
    total = sum(
        math.comb(trials, i) * win**i * lose ** (trials - i)
        for i in range(min(successes, trials) + 1)
    )
    return Fraction(total, chance.denominator**trials)


def binomial_at_least(successes: int, trials: int, chance: Fraction) -> Fraction:
    """P(Bin(n, p) >= k), exactly."""
    return binomial_at_most(trials - successes, trials, 1 - chance)


@dataclass(frozen=True)
class BinomialTest:
    """A test of P(event) >= claimed, with the same error probability in both directions."""

    trials: int
    claimed: Fraction
    false_alarm: Fraction = FALSE_ALARM

    def __post_init__(self) -> None:
        if self.trials < 1 or not 0 < self.claimed < 1 or not 0 < self.false_alarm < 1:
            raise ImpossibleTest(
                f"{self.trials} trials of a probability {self.claimed} at {self.false_alarm}: "
                "expected n >= 1, and probabilities inside (0, 1)",
                value=(self.trials, self.claimed, self.false_alarm),
            )

    @cached_property
    def refuting(self) -> int:
        """The largest k with P(Bin(n, claimed) <= k) <= false_alarm; -1 when there is none."""
        return (
            _first(
                lambda k: binomial_at_most(k, self.trials, self.claimed) > self.false_alarm,
                self.trials,
            )
            - 1
        )

    @cached_property
    def supporting(self) -> int:
        """The smallest k with P(Bin(n, claimed) >= k) <= false_alarm; n + 1 when none."""
        return _first(
            lambda k: binomial_at_least(k, self.trials, self.claimed) <= self.false_alarm,
            self.trials + 1,
        )

    def judge(self, successes: int, *, open_trials: int = 0) -> Verdict:
        """Fails, holds or undecided; trials without a decision count against either answer."""
        if successes + open_trials <= self.refuting:
            return FAILS
        if successes >= self.supporting:
            return HOLDS
        return undecided(Fraction(self.supporting - successes, self.trials))

    def power(self, actual: Fraction) -> Fraction:
        """The probability that the test refutes when P(event) is `actual`."""
        return binomial_at_most(self.refuting, self.trials, actual)

    def lower_confidence(self, successes: int, *, bits: int = 20) -> Fraction:
        """A Clopper-Pearson lower bound for P(event), of confidence 1 - false_alarm.

        >>> test = BinomialTest(100, Fraction(3, 4), Fraction(1, 10**6))
        >>> float(test.lower_confidence(100)) <= 10 ** (-6 / 100)
        True
        """
        low, high = 0, 1 << bits
        while high - low > 1:
            middle = (low + high) // 2
            chance = Fraction(middle, 1 << bits)
            if binomial_at_least(successes, self.trials, chance) <= self.false_alarm:
                low = middle
            else:
                high = middle
        return Fraction(low, 1 << bits)


def share_bounds(successes: int, trials: int, error: Fraction) -> tuple[Fraction, Fraction]:
    """The Clopper-Pearson interval of a probability, wrong with at most this probability.

    >>> low, high = share_bounds(90, 100, Fraction(1, 20))
    >>> round(float(low), 4), round(float(high), 4)
    (0.8238, 0.951)
    >>> share_bounds(0, 10, Fraction(1, 20))[0], share_bounds(10, 10, Fraction(1, 20))[1]
    (Fraction(0, 1), Fraction(1, 1))
    """
    test = BinomialTest(trials, Fraction(1, 2), error / 2)
    return test.lower_confidence(successes), 1 - test.lower_confidence(trials - successes)


def quantile_ranks(trials: int, level: Fraction, error: Fraction) -> tuple[int | None, int | None]:
    """Ranks l, u whose values enclose the quantile, but for this probability; None where none do.

    The l-th smallest value lies above the quantile with probability P(Bin(n, level) < l), and the
    u-th below it with at most P(Bin(n, level) >= u), whatever the distribution.

    >>> quantile_ranks(100, Fraction(9, 10), Fraction(1, 20))
    (84, 96)
    >>> quantile_ranks(100, Fraction(99, 100), Fraction(1, 20))
    (97, None)
    """
    low = _first(lambda k: binomial_at_most(k, trials, level) > error / 2, trials)
    high = _first(lambda k: binomial_at_least(k, trials, level) <= error / 2, trials + 1)
    return low or None, high if high <= trials else None


def _first(holds: Callable[[int], bool], stop: int) -> int:
    """The smallest k in [0, stop) with a property that is monotone in k, or stop."""
    low, high = 0, stop
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
