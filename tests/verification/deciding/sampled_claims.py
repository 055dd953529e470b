"""Claims about probabilities, sampled where no whole tree can be enumerated."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, ridge
from asura.randomness import Chooser, RecordedUniform, Seed
from asura.run import run
from asura.sampling import asura_sampling
from asura.stopping import PAPER, StoppingRule
from asura.verdict import FAILS, Verdict
from asura_verify.deciding.binomial import BinomialTest
from asura_verify.deciding.numbers import at_most

Event = Callable[[Chooser], Verdict]


@dataclass(frozen=True, slots=True)
class SampledClaim:
    """A claim about one probability on one instance; `event` is decided for one chooser."""

    slug: str
    test: BinomialTest
    event: Event
    seed: int = 0

    def conduct(self, choosers: Sequence[Chooser] | None = None) -> tuple[int, Verdict]:
        """Successes and verdict; by default from fixed seeds, other choosers stand for others."""
        if choosers is None:
            choosers = [Seed(self.seed * 1_000_000 + trial) for trial in range(self.test.trials)]
        verdicts = [self.event(chooser) for chooser in choosers]
        successes = sum(verdict.holds for verdict in verdicts)
        open_trials = sum(verdict.undecided for verdict in verdicts)
        return successes, self.test.judge(successes, open_trials=open_trials)


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


def sampled_claims(trials: int = 80) -> tuple[SampledClaim, ...]:
    """The 3/4-probability statements on instances beyond whole trees."""
    test = BinomialTest(trials, Fraction(3, 4))
    gamma = Fraction(1, 16)
    return (
        SampledClaim("event-gamma", test, gamma_event(_instance(3), gamma), 1),
        SampledClaim("spectral", test, spectral_event(_instance(3), gamma, Fraction(12)), 2),
        SampledClaim("main", test, loss_event(_instance(2), Fraction(1, 33), Fraction(1)), 3),
    )
