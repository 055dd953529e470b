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

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, ridge
from asura.errors import AsuraError
from asura.randomness import Chooser, RecordedUniform, Seed
from asura.run import run
from asura.sampling import asura_sampling
from asura.stopping import PAPER, StoppingRule
from asura.verdict import FAILS, HOLDS, Verdict, undecided
from asura_verify.deciding.numbers import at_most

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


Event = Callable[[Chooser], Verdict]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A claim about one probability on one instance; `event` is decided for one chooser."""

    name: str
    slug: str
    statement: str
    test: BinomialTest
    event: Event
    seed: int = 0

    def choosers(self) -> list[Chooser]:
        """The fixed seeds of the trials: `seed` times a million, plus the trial's number."""
        return [Seed(self.seed * 1_000_000 + trial) for trial in range(self.test.trials)]

    def conduct(self, choosers: list[Chooser] | None = None) -> TrialCounts:
        """Run every trial; other choosers stand for another sampler."""
        verdicts = [
            self.event(chooser) for chooser in (self.choosers() if choosers is None else choosers)
        ]
        successes = sum(verdict.holds for verdict in verdicts)
        open_trials = sum(verdict.undecided for verdict in verdicts)
        return TrialCounts(
            self, successes, open_trials, self.test.judge(successes, open_trials=open_trials)
        )


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """What the trials gave."""

    experiment: Experiment
    successes: int
    open_trials: int
    verdict: Verdict

    @property
    def lower_confidence(self) -> Fraction:
        """A lower bound for the probability, wrong with probability at most the false alarm."""
        return self.experiment.test.lower_confidence(self.successes)


@dataclass(frozen=True, slots=True)
class Skewed:
    """A planted bias: uniforms in [0, share) only, so that late points are never drawn."""

    seed: int
    share: Fraction

    def draw(self, iteration: int) -> RecordedUniform:
        """The seed's first 53 bits, scaled down."""
        digits = Seed(self.seed).draw(iteration).interval(53)
        return RecordedUniform(digits.low * self.share)


def gamma_event(data: Dataset, gamma: Fraction, *, threshold: Fraction = Fraction(1, 64)) -> Event:
    """Gamma: u_m >= threshold d/gamma^2."""
    bound = threshold * data.dimension / gamma**2

    def event(chooser: Chooser) -> Verdict:
        done = run(data, gamma, chooser=chooser)
        return at_most(bound, done.arithmetic.enclosure(done.final.upper))

    return event


def spectral_event(
    data: Dataset, gamma: Fraction, factor: Fraction, *, stopping: StoppingRule = PAPER
) -> Event:
    """(1 - factor gamma) I <= A^T A <= (1 + factor gamma) I, strictly, decided in balls."""

    def event(chooser: Chooser) -> Verdict:
        done = run(data, gamma, chooser=chooser, stopping=stopping)
        arithmetic = done.arithmetic
        with arithmetic.working():
            half = arithmetic.scalar(Fraction(1, 2))
            mid = (done.final.upper + done.final.lower) * half
            gram, reached = done.algorithm.frame.gram, done.final.accumulated
            low = gram * (mid * arithmetic.scalar(1 - factor * gamma))
            high = gram * (mid * arithmetic.scalar(1 + factor * gamma))
            definite = arithmetic.positive_definite
            return definite(reached - low) & definite(high - reached)

    return event


def loss_event(data: Dataset, gamma: Fraction, epsilon: Fraction) -> Event:
    """|X beta - Y|^2 <= (1 + epsilon) OPT for the answer of Algorithm 1."""

    def event(chooser: Chooser) -> Verdict:
        fitted = active_regression(data, asura_sampling(gamma), chooser=chooser)
        if fitted.ratio is None:
            return FAILS
        return at_most(fitted.ratio, 1 + epsilon)

    return event


def _instance(dimension: int) -> Dataset:
    """A small ridge problem: rows of unequal leverage, labels near a plane."""
    rows = [
        [(3 * i + 5 * k + i * k * k) % 7 - 3 for k in range(dimension)]
        for i in range(6 * dimension)
    ]
    slopes = [7 + 2 * k for k in range(dimension)]
    labels = [
        sum(a * x for a, x in zip(slopes, row, strict=True)) + (11 * i * i + 4) % 5 - 2
        for i, row in enumerate(rows)
    ]
    return ridge(rows, 1, labels=labels)


def experiments(trials: int = 80) -> tuple[Experiment, ...]:
    """The 3/4-probability statements on instances beyond whole trees."""
    test = BinomialTest(trials, Fraction(3, 4))
    sixteenth = Fraction(1, 16)
    return (
        Experiment(
            "gamma-event-sampled",
            "event-gamma",
            "P(u_m >= d/(64 gamma^2)) >= 3/4 at d = 3, gamma = 1/16",
            test,
            gamma_event(_instance(3), sixteenth),
            1,
        ),
        Experiment(
            "spectral-sampled",
            "spectral",
            "|A^T A - I| <= 12 gamma with probability 3/4 at d = 3, gamma = 1/16",
            test,
            spectral_event(_instance(3), sixteenth, Fraction(12)),
            2,
        ),
        Experiment(
            "main-sampled",
            "main",
            "loss <= 2 OPT with probability 3/4 at d = 2, gamma = 1/33 (epsilon = 1)",
            test,
            loss_event(_instance(2), Fraction(1, 33), Fraction(1)),
            3,
        ),
    )
