"""Algorithm 2, ASURA: which points to query, and with which weights.

Written once, over any arithmetic, in Gram coordinates (`asura.coordinates`): the form
`accumulated` is B_j = sum w'_i x_i x_i^T and stands for A_j, G = X^T X stands for the identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple

from asura.arithmetic.interface import Arithmetic, M, Masses, S
from asura.dataset import Dataset
from asura.errors import Undecided
from asura.picking import pick
from asura.randomness import Chooser, Draw, UnitInterval
from asura.rates import PAPER_RATES, Rates
from asura.stopping import PAPER, StoppingRule
from asura.verdict import Verdict


def read_gamma(value: object) -> Fraction:
    """The parameter gamma, which must lie in (0, 1/2)."""
    return PAPER_RATES.read_gamma(value)


class State(NamedTuple, Generic[S, M]):
    """Everything that is known before iteration j."""

    accumulated: M
    upper: S
    lower: S
    potential_sum: S
    iteration: int


class Distribution(NamedTuple, Generic[S]):
    """Lines 4 and 6: the potential, and the masses p_x Phi_j = U(x)^T E_j U(x)."""

    potential: S
    masses: Masses[S]

    def probability(self, index: int) -> S:
        """p_x of eq:pxj."""
        return self.masses[index] / self.potential


@dataclass(frozen=True, slots=True)
class Iteration(Generic[S]):
    """What iteration j saw and did."""

    iteration: int
    index: int
    upper: S
    lower: S
    distribution: Distribution[S]
    weight: S
    uniform: UnitInterval | None


class Asura(Generic[S, M]):
    """Algorithm 2 for one dataset, one gamma and one arithmetic.

    With balls, call its methods inside `with arithmetic.working():`.
    """

    def __init__(
        self,
        data: Dataset,
        gamma: Fraction,
        arithmetic: Arithmetic[S, M],
        stopping: StoppingRule = PAPER,
        rates: Rates = PAPER_RATES,
    ) -> None:
        self.arithmetic = arithmetic
        self.stopping = stopping
        self.frame = arithmetic.frame(data)
        self.dimension = self.frame.dimension
        barrier = Fraction(2 * self.dimension) / gamma
        scalar = arithmetic.scalar
        self.gamma = scalar(gamma)
        self.upper_rate = scalar(rates.upper(gamma))
        self.lower_rate = scalar(rates.lower(gamma))
        self.first_upper = scalar(barrier)
        self.first_lower = scalar(-barrier)
        self.bound = scalar(2 * barrier * (1 + stopping.level))
        self.zero = scalar(Fraction(0))

    def initial(self) -> State[S, M]:
        """Line 2: u_0 = 2d/gamma, l_0 = -2d/gamma, A_0 = 0."""
        return State(self.frame.zero(), self.first_upper, self.first_lower, self.zero, 0)

    def clock(self, state: State[S, M]) -> S:
        """The left side of line 3, or of the `sure` rule."""
        gap = state.upper - state.lower
        return gap + state.potential_sum if self.stopping.counts_potentials else gap

    def proceeds(self, state: State[S, M]) -> Verdict:
        """Line 3: whether the loop goes on."""
        return self.arithmetic.less(self.clock(state), self.bound)

    def progress(self, state: State[S, M]) -> float:
        """How far the clock is, from 0 at the start to 1 at the stop: (r_j + s_j)/1 or r_j/T."""
        start, now, stop = (
            float(self.arithmetic.enclosure(value))
            for value in (self.first_upper - self.first_lower, self.clock(state), self.bound)
        )
        return min(1.0, (now - start) / (stop - start))

    def below_upper(self, state: State[S, M]) -> M:
        """uG - B, which stands for uI - A_j."""
        return self.frame.gram * state.upper - state.accumulated

    def above_lower(self, state: State[S, M]) -> M:
        """B - lG, which stands for A_j - lI."""
        return state.accumulated - self.frame.gram * state.lower

    def within_barriers(self, state: State[S, M]) -> Verdict:
        """l_j I < A_j < u_j I, strictly (slug invariant)."""
        definite = self.arithmetic.positive_definite
        return definite(self.below_upper(state)) & definite(self.above_lower(state))

    def bracket(self, state: State[S, M]) -> M:
        """E_j = (u_j I - A_j)^-1 + (A_j - l_j I)^-1."""
        inverse = self.arithmetic.inverse
        return inverse(self.below_upper(state)) + inverse(self.above_lower(state))

    def distribution(self, state: State[S, M]) -> Distribution[S]:
        """Lines 4 and 6: Phi_j is the sum Tr(E_j), not the printed product (alg-potential)."""
        potential, masses = self.frame.evaluate(self.bracket(state))
        return Distribution(potential, masses)

    def weight(self, distribution: Distribution[S], pick: int) -> S:
        """Line 8: w'_j = gamma/(Phi_j p_j)."""
        return self.gamma / distribution.masses[pick]

    def step(
        self, state: State[S, M], pick: int, distribution: Distribution[S] | None = None
    ) -> State[S, M]:
        """Lines 4-10 for the point that was drawn."""
        drawn = self.distribution(state) if distribution is None else distribution
        weight = self.weight(drawn, pick)
        return State(
            accumulated=state.accumulated + self.frame.outer_product(pick) * weight,
            upper=state.upper + self.upper_rate / drawn.potential,
            lower=state.lower + self.lower_rate / drawn.potential,
            potential_sum=state.potential_sum + drawn.potential,
            iteration=state.iteration + 1,
        )

    def pick(self, distribution: Distribution[S], draw: Draw) -> tuple[int, UnitInterval | None]:
        """Line 6: the sampled point, and the uniform that decided it."""
        return pick(self.arithmetic, distribution.masses, distribution.potential, draw)

    def iterations(self, chooser: Chooser) -> Iterator[tuple[Iteration[S], State[S, M]]]:
        """The loop: each iteration with the state that it leads to."""
        state = self.initial()
        while self._goes_on(state):
            distribution = self.distribution(state)
            index, uniform = self.pick(distribution, chooser.draw(state.iteration))
            record = Iteration(
                state.iteration,
                index,
                state.upper,
                state.lower,
                distribution,
                self.weight(distribution, index),
                uniform,
            )
            state = self.step(state, index, distribution)
            yield record, state

    def _goes_on(self, state: State[S, M]) -> bool:
        verdict = self.proceeds(state)
        if verdict.undecided:
            raise Undecided
        return verdict.holds
