"""Sampling procedures for Algorithm 1: ASURA, randomized BSS, leverage scores.

A procedure takes the data and the randomness, and returns weighted points.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol

from asura.arithmetic import EXACT, Arithmetic, ExactArithmetic
from asura.arithmetic.interface import M, S
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.errors import RandomnessExhausted
from asura.randomness import FIRST_BITS, Chooser, FixedPick, Uniform
from asura.rates import PAPER_RATES, Rates
from asura.run import Observer, Run, run
from asura.scalars import read_scalar
from asura.stopping import PAPER, StoppingRule, sure


@dataclass(frozen=True)
class WeightedSample(Generic[S, M]):
    """Points with repetitions, one weight each, in one arithmetic."""

    arithmetic: Arithmetic[S, M]
    picks: tuple[int, ...]
    weights: tuple[S, ...]
    run: Run[S, M] | None = None


class SamplingProcedure(Protocol[S, M]):
    """The parameter `Alg` of Algorithm 1."""

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[S, M]:
        """Line 2 of Algorithm 1."""


@dataclass(frozen=True)
class AsuraSampling(Generic[S, M]):
    """Algorithm 2 with either stopping rule; in balls of a fitting precision by default."""

    gamma: Fraction
    arithmetic: Arithmetic[S, M] | None = None
    stopping: StoppingRule = PAPER
    observer: Observer | None = None
    rates: Rates = PAPER_RATES

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[S, M]:
        """Run Algorithm 2."""
        done: Run[S, M] = run(
            data,
            self.gamma,
            arithmetic=self.arithmetic,
            chooser=chooser,
            stopping=self.stopping,
            observer=self.observer,
            rates=self.rates,
        )
        return WeightedSample(done.arithmetic, done.picks, done.scaled_weights, done)


@dataclass(frozen=True)
class Done:
    """Hands a finished run to Algorithm 1 as its sampling procedure."""

    finished: Run[Any, Any]

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """The run that was made already."""
        done = self.finished
        return WeightedSample(done.arithmetic, done.picks, done.scaled_weights, done)


def asura_sampling(
    gamma: object,
    *,
    arithmetic: Arithmetic[Any, Any] | None = None,
    stopping: StoppingRule = PAPER,
    rates: Rates = PAPER_RATES,
) -> AsuraSampling[Any, Any]:
    """ASURA, in balls and at the paper's rates unless told otherwise."""
    return AsuraSampling(rates.read_gamma(gamma), arithmetic, stopping, rates=rates)


def randomized_bss(
    gamma: object, *, level: object = 1, arithmetic: Arithmetic[Any, Any] | None = None
) -> AsuraSampling[Any, Any]:
    """Randomized BSS: the same loop, stopped by the gap alone (slug sure-stop)."""
    return asura_sampling(gamma, arithmetic=arithmetic, stopping=sure(level))


def below(uniform: Uniform, probability: Fraction) -> bool:
    """Decide r < p exactly, drawing bits until the answer is the same for all that r can be."""
    bits = FIRST_BITS
    while True:
        numerator, denominator, width = uniform.interval(bits)
        target = probability.numerator * denominator
        if numerator * probability.denominator >= target:
            return False
        if (numerator + width) * probability.denominator <= target or width == 0:
            return True
        bits *= 2


@dataclass(frozen=True)
class LeverageSampling:
    """Section 3: include x with probability p(x) = min{1, (m/d)|U(x)|^2}, weight 1/p(x).

    The paper's diagonal entry 1/sqrt(p) multiplies the residual, so the squared residual gets
    weight 1/p. Exact; draw i of the chooser decides point i.
    """

    expected_size: Fraction

    def probabilities(self, data: Dataset) -> tuple[Fraction, ...]:
        """p(x) for every point."""
        rate = self.expected_size / data.dimension
        return tuple(min(Fraction(1), rate * score) for score in leverage_scores(data))

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """Decide every point on its own."""
        arithmetic: ExactArithmetic = EXACT
        picks, weights = [], []
        for index, probability in enumerate(self.probabilities(data)):
            draw = chooser.draw(index)
            if isinstance(draw, FixedPick):
                raise RandomnessExhausted(
                    "leverage-score sampling decides each point by a uniform: "
                    "expected a seed or uniforms, not fixed picks",
                    value=draw,
                )
            if below(draw, probability):
                picks.append(index)
                weights.append(arithmetic.scalar(1 / probability))
        return WeightedSample(arithmetic, tuple(picks), tuple(weights))


def leverage_sampling(expected_size: object) -> LeverageSampling:
    """Leverage-score sampling with E|S| = m when no probability is capped."""
    return LeverageSampling(read_scalar(expected_size))
