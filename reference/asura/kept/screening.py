"""Draw for free, check, draw again, then pay: around every procedure that reads no label.

Choosing points costs nothing, only their labels do. So a sample is drawn, accepted on the event
G = {lambda_min(M) >= a and at most B different points of X_1}, or drawn again. A redraw until G
is a draw conditioned on G, and G does not depend on labels; since M (beta^ - beta*) = v,

    E[excess | G] <= E|v|^2/(a^2 P(G)), with at most B labels, surely.

`noise` is a bound on E|v|^2/OPT that the procedure brings along: tau for `Coins`. P(G) is bounded
from below by free trials on the data at hand (or enumerated, `asura.kept.enumeration`), at a
stated error probability alpha over all candidates that were tried together.

>>> from asura.dataset import ridge
>>> from asura.kept.coins import coins
>>> data = ridge([[1, 0], [1, 1], [0, 2], [2, 1]], 2)
>>> candidate = Candidate(coins(data, "1/8"), Fraction(1, 8), screen("1/2", 4))
>>> (promise,) = promises(data, [candidate], trials=40)
>>> promise.accepted, round(float(promise.epsilon), 2)
(29, 1.45)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from asura.arithmetic.interface import M, S
from asura.dataset import Dataset
from asura.errors import (
    BudgetOutOfRange,
    NeverAccepted,
    ProbabilityOutOfRange,
    ThresholdOutOfRange,
    TrialsOutOfRange,
)
from asura.kept.confidence import least_probability
from asura.kept.spectrum import Spectrum
from asura.kept.trials import FREE, PAID, Purpose, trial
from asura.randomness import Chooser, Seed
from asura.sampling import SamplingProcedure, WeightedSample
from asura.scalars import read_scalar, show_scalar, write_scalar

#: Probability that a promise rests on a lower bound of P(G) that is too large.
ALPHA = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class Screen:
    """The event G: lambda_min(M) >= `least`, and at most `budget` labels (None: any number).

    At `least` = 0 there is no spectral test.
    """

    least: Fraction
    budget: int | None = None


def screen(least: object, budget: int | None = None) -> Screen:
    """A screen with a >= 0 and B >= 0."""
    level = read_scalar(least)
    if level < 0:
        raise ThresholdOutOfRange(f"a = {write_scalar(level)}: expected a >= 0", value=level)
    if budget is not None and budget < 0:
        raise BudgetOutOfRange(f"budget = {budget}: expected B >= 0", value=budget)
    return Screen(level, budget)


def total_weights(sample: WeightedSample[Any, Any]) -> dict[int, Fraction]:
    """Per point the sum of its weights, or what is certain of it (the lower ends of balls)."""
    totals: dict[int, Fraction] = {}
    for index, weight in zip(sample.picks, sample.weights, strict=True):
        lower = sample.arithmetic.enclosure(weight).lower
        totals[index] = totals.get(index, Fraction(0)) + lower
    return totals


def label_count(data: Dataset, sample: WeightedSample[Any, Any]) -> int:
    """How many labels the sample costs."""
    return sum(1 for index in set(sample.picks) if index < data.unlabelled)


@dataclass(frozen=True)
class Screened(Generic[S, M]):
    """A sampling procedure for Algorithm 1: another one, redrawn until the screen accepts.

    Redraw t of a seed uses its paid trial t. Recorded uniforms or picks allow one attempt.
    """

    procedure: SamplingProcedure[S, M]
    screen: Screen
    redraws: int = 10_000

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[S, M]:
        """The first sample that is accepted."""
        return self.accepted(data, chooser)[1]

    def accepted(self, data: Dataset, chooser: Chooser) -> tuple[int, WeightedSample[S, M]]:
        """The same, and the number of its trial."""
        spectrum = Spectrum(data)
        limit = self.redraws if isinstance(chooser, Seed) else 1
        for number in range(limit):
            source = trial(chooser.seed, PAID, number) if isinstance(chooser, Seed) else chooser
            sample = self.procedure.sample(data, source)
            if accepts(self.screen, data, spectrum, sample):
                return number, sample
        raise NeverAccepted(
            f"{limit} samples drawn and none accepted: expected a larger budget, "
            "or a lower level of the spectral test",
            value=limit,
        )


def accepts(
    chosen: Screen, data: Dataset, spectrum: Spectrum, sample: WeightedSample[Any, Any]
) -> bool:
    """Whether G occurred. No label is looked at."""
    if chosen.budget is not None and label_count(data, sample) > chosen.budget:
        return False
    if chosen.least == 0:
        return True
    return spectrum.weighted(total_weights(sample)).at_least(chosen.least).holds


@dataclass(frozen=True)
class Candidate:
    """A procedure with its bound on E|v|^2/OPT, and a screen around it."""

    procedure: SamplingProcedure[Any, Any]
    noise: Fraction
    screen: Screen


@dataclass(frozen=True)
class Promise:
    """What a candidate guarantees: E[excess | G] <= epsilon OPT with at most B labels.

    `probability` is a lower bound on P(G), wrong with probability at most `alpha` (0 when it was
    enumerated). OPT is OPT_1 for procedures that keep X_2.
    """

    candidate: Candidate
    probability: Fraction
    alpha: Fraction
    trials: int
    accepted: int

    def __repr__(self) -> str:
        known = "nothing" if self.epsilon is None else show_scalar(self.epsilon)
        return f"Promise(epsilon={known}, budget={self.candidate.screen.budget})"

    @property
    def epsilon(self) -> Fraction | None:
        """noise/(a^2 P), or None when nothing is promised."""
        if self.probability == 0 or self.candidate.screen.least == 0:
            return None
        return self.candidate.noise / (self.candidate.screen.least**2 * self.probability)


def accepted_counts(
    data: Dataset, candidates: Sequence[Candidate], *, trials: int, seed: int, purpose: Purpose
) -> list[int]:
    """How many of the trials each candidate accepts.

    Candidates with the same procedure are judged on the same samples.
    """
    spectrum = Spectrum(data)
    accepted = [0] * len(candidates)
    for group in _by_procedure(candidates):
        levels = sorted({candidates[place].screen.least for place in group})
        for number in range(trials):
            sample = candidates[group[0]].procedure.sample(data, trial(seed, purpose, number))
            labels = label_count(data, sample)
            within = [place for place in group if _affordable(candidates[place].screen, labels)]
            if within:
                reached = spectrum.weighted(total_weights(sample)).reached(levels)
                passed = set(levels[:reached])
                for place in within:
                    accepted[place] += candidates[place].screen.least in passed
    return accepted


def promises(
    data: Dataset,
    candidates: Sequence[Candidate],
    *,
    trials: int = 400,
    seed: int = 0,
    alpha: Fraction = ALPHA,
) -> tuple[Promise, ...]:
    """All promises at once: together they hold with probability at least 1 - alpha.

    The union bound does not ask for independence. The candidates must not depend on the free
    trials of this seed; they may depend on its pilot trials.
    """
    if trials < 1:
        raise TrialsOutOfRange(f"trials = {trials}: expected at least 1", value=trials)
    if not 0 < alpha < 1:
        raise ProbabilityOutOfRange(
            f"alpha = {write_scalar(alpha)}: expected 0 < alpha < 1", value=alpha
        )
    accepted = accepted_counts(data, candidates, trials=trials, seed=seed, purpose=FREE)
    share = alpha / len(candidates) if candidates else alpha
    return tuple(
        Promise(candidate, least_probability(count, trials, share), alpha, trials, count)
        for candidate, count in zip(candidates, accepted, strict=True)
    )


def _affordable(chosen: Screen, labels: int) -> bool:
    return chosen.budget is None or labels <= chosen.budget


def _by_procedure(candidates: Sequence[Candidate]) -> list[list[int]]:
    """The places of candidates that share a procedure."""
    groups: dict[int, list[int]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(id(candidate.procedure), []).append(place)
    return list(groups.values())
