"""K1 and K2: which points of X_1 to query, and with which weights, while X_2 is kept whole.

One text for both variants (`asura.kept.variants`), over any arithmetic, in Gram coordinates:
`accumulated` is B_j = sum w'_i x_i x_i^T and stands for A_j, G = X^T X for the identity, and the
target G_1 = X_1^T X_1 for D. Algorithm 2 is the case G_1 = G.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple

from asura.algorithm2_asura import Distribution
from asura.arithmetic.interface import Arithmetic, Frame, KnowsLeadingGram, M, S
from asura.dataset import Dataset
from asura.errors import Undecided
from asura.kept.variants import Variant
from asura.picking import pick
from asura.randomness import Chooser, Draw, UnitInterval
from asura.verdict import HOLDS, Verdict


class KeptState(NamedTuple, Generic[S, M]):
    """Everything that is known before iteration j."""

    accumulated: M
    progress: S
    potential_sum: S
    iteration: int


@dataclass(frozen=True, slots=True)
class KeptIteration(Generic[S]):
    """What iteration j saw and did; `index` is None when the coin left the last step out."""

    iteration: int
    index: int | None
    progress: S
    distribution: Distribution[S]
    weight: S
    uniform: UnitInterval | None


class Barriers(Generic[S, M]):
    """A kept variant for one dataset and one arithmetic.

    With balls, call its methods inside `with arithmetic.working():`.
    """

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[S, M]) -> None:
        scalar = arithmetic.scalar
        self.arithmetic = arithmetic
        self.variant = variant
        self.frame = arithmetic.frame(data)
        self.dimension = self.frame.dimension
        self.pool = data.unlabelled
        self.target = _target(self.frame, self.pool)
        self.step_size = scalar(variant.step)
        self.start = self.frame.gram * scalar(variant.distance)
        self.upper_rate = None if variant.upper is None else scalar(variant.upper)
        self.lower_rate = scalar(variant.lower)
        self.potential_rate = scalar(variant.potential_rate)
        self.goal = scalar(variant.goal)
        self.zero = scalar(Fraction(0))

    def initial(self) -> KeptState[S, M]:
        """A_0 = 0, sigma = 0: the barriers start at cI and -cI."""
        return KeptState(self.frame.zero(), self.zero, self.zero, 0)

    def proceeds(self, state: KeptState[S, M]) -> Verdict:
        """Whether the loop goes on: the goal is not reached yet."""
        clock = state.progress
        if self.variant.potential_rate:
            clock = clock + self.potential_rate * state.potential_sum
        return self.arithmetic.less(clock, self.goal)

    def below_upper(self, state: KeptState[S, M]) -> M | None:
        """P = cI + upper sigma D - A; None when there is no upper barrier."""
        if self.upper_rate is None:
            return None
        return self.start + self.target * (self.upper_rate * state.progress) - state.accumulated

    def above_lower(self, state: KeptState[S, M]) -> M:
        """Q = A + cI - lower sigma D."""
        return state.accumulated + self.start - self.target * (self.lower_rate * state.progress)

    def within_barriers(self, state: KeptState[S, M]) -> Verdict:
        """P > 0 and Q > 0."""
        definite = self.arithmetic.positive_definite
        above = self.below_upper(state)
        return definite(self.above_lower(state)) & (HOLDS if above is None else definite(above))

    def bracket(self, state: KeptState[S, M]) -> M:
        """E = P^-1 + Q^-1, or Q^-1 alone."""
        inverse = self.arithmetic.inverse
        lower = inverse(self.above_lower(state))
        above = self.below_upper(state)
        return lower if above is None else inverse(above) + lower

    def distribution(self, state: KeptState[S, M]) -> Distribution[S]:
        """The masses U(x)^T E U(x) of the points of X_1, and their sum Phi = Tr(D E)."""
        potential, masses = self.frame.evaluate(self.bracket(state))
        if len(masses) < self.frame.size:  # the frame gives those of X_1 alone
            return Distribution(potential, masses)
        pool = [masses[index] for index in range(self.pool)]
        potential = self.zero
        for mass in pool:
            potential = potential + mass
        return Distribution(potential, pool)

    def share(self, state: KeptState[S, M], distribution: Distribution[S]) -> S | None:
        """Which part of the step leads to the goal; None when the whole step does not reach it."""
        if self.variant.ending == "overshoot":
            return None
        if state.iteration == 0 and self.variant.exact_rank:  # since N = 1 is a tie
            part = self.variant.goal / self.variant.first_advance
            return self.arithmetic.scalar(part) if part <= 1 else None
        advance = self.step_size / distribution.potential
        verdict = self.arithmetic.less(state.progress + advance, self.goal)
        if _decided(verdict):
            return None
        return (self.goal - state.progress) / advance

    def weight(self, distribution: Distribution[S], index: int | None, share: S | None) -> S:
        """w' = step/(U^T E U), times the share when the step is clipped."""
        if index is None:
            return self.zero
        weight = self.step_size / distribution.masses[index]
        return weight if share is None or self.variant.ending == "coin" else weight * share

    def step(
        self,
        state: KeptState[S, M],
        index: int | None,
        distribution: Distribution[S] | None = None,
        share: S | None = None,
    ) -> KeptState[S, M]:
        """One iteration for the point that was drawn; a share makes it the last one."""
        drawn = self.distribution(state) if distribution is None else distribution
        accumulated = state.accumulated
        if index is not None:
            weight = self.weight(drawn, index, share)
            accumulated = accumulated + self.frame.outer_product(index) * weight
        progress = state.progress + self.step_size / drawn.potential
        return KeptState(
            accumulated=accumulated,
            progress=progress if share is None else self.goal,
            potential_sum=state.potential_sum + drawn.potential,
            iteration=state.iteration + 1,
        )

    def pick(
        self, distribution: Distribution[S], draw: Draw, share: S | None
    ) -> tuple[int | None, UnitInterval | None]:
        """The sampled point of X_1, and the uniform that decided it.

        The coin of the last step is decided by the same uniform: r < share means that the step
        is made, and r/share picks its point. A fixed pick says n_1 for a step left out.
        """
        masses = distribution.masses
        if share is None or self.variant.ending != "coin":
            return pick(self.arithmetic, masses, distribution.potential, draw)
        total = distribution.potential / share
        nothing = total - distribution.potential
        extended = [*(masses[index] for index in range(self.pool)), nothing]
        index, uniform = pick(self.arithmetic, extended, total, draw)
        return (None if index == self.pool else index), uniform

    def iterations(self, chooser: Chooser) -> Iterator[tuple[KeptIteration[S], KeptState[S, M]]]:
        """The loop: each iteration with the state that it leads to; none when R = 0."""
        state, share = self.initial(), None
        while self.variant.reduced_rank and share is None and _decided(self.proceeds(state)):
            distribution = self.distribution(state)
            share = self.share(state, distribution)
            index, uniform = self.pick(distribution, chooser.draw(state.iteration), share)
            record = KeptIteration(
                state.iteration,
                index,
                state.progress,
                distribution,
                self.weight(distribution, index, share),
                uniform,
            )
            state = self.step(state, index, distribution, share)
            yield record, state


def _target(frame: Frame[S, M], pool: int) -> M:
    """G_1 = X_1^T X_1."""
    if isinstance(frame, KnowsLeadingGram):
        known: M = frame.leading_gram(pool)
        return known
    target = frame.zero()
    for index in range(pool):
        target = target + frame.outer_product(index)
    return target


def _decided(verdict: Verdict) -> bool:
    if verdict.undecided:
        raise Undecided
    return verdict.holds
