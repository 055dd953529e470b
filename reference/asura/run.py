"""One run of Algorithm 2: its iterations, weights, alphas and certificate.

>>> from asura.dataset import dataset
>>> one = run(dataset([[1], [2]]), "1/4", chooser=Seed(0), arithmetic=EXACT)
>>> one.length                               # d = 1 is deterministic
9
>>> sum(alpha.midpoint for alpha in one.alphas)    # 1 - 4 gamma^2, always
Fraction(3, 4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

from flint import arb, arb_mat

from asura.algorithm2_asura import Asura, Iteration, State
from asura.arithmetic import EXACT, Arithmetic, BallArithmetic
from asura.arithmetic.ball import CEILING_BITS, DEFAULT_BITS
from asura.arithmetic.exact import RationalForm
from asura.arithmetic.interface import M, S
from asura.certificate import HIGHEST, LOWEST, Certificate, sandwiched
from asura.dataset import Dataset, KernelData
from asura.errors import ExactRunTooLarge, PrecisionCeilingReached, Undecided
from asura.formulas import squared_length
from asura.randomness import Chooser, Seed
from asura.rates import PAPER_RATES, Rates
from asura.scalars import Enclosure, show_scalar
from asura.stopping import PAPER, StoppingRule

if TYPE_CHECKING:
    from asura.arithmetic.proved_double import ProvedDoubleArithmetic

#: Bits that one number of an exact run may have: beyond, one more step takes seconds.
EXACT_BITS = 1 << 21

Outcome = TypeVar("Outcome")

#: Told after every iteration: j + 1, and how far the clock is on its way from 0 to 1.
Observer = Callable[[int, float], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One iteration, as enclosures."""

    iteration: int
    index: int
    upper: Enclosure
    lower: Enclosure
    potential: Enclosure
    probability: Enclosure
    weight: Enclosure
    uniform: Fraction | None


@dataclass(frozen=True, repr=False)
class Run(Generic[S, M]):
    """A finished run. Values come out as enclosures; they are points unless computed in balls."""

    data: Dataset
    gamma: Fraction
    stopping: StoppingRule
    arithmetic: Arithmetic[S, M]
    iterations: tuple[Iteration[S], ...]
    algorithm: Asura[S, M]
    final: State[S, M]
    rates: Rates = PAPER_RATES

    def __repr__(self) -> str:
        rule = "paper rule"
        if self.stopping.name == "sure":
            rule = f"sure rule at {show_scalar(self.stopping.level)}"
        bits = self.arithmetic.precision
        known = self.arithmetic.name if bits is None else f"{self.arithmetic.name} {bits} bits"
        return (
            f"Run(m={self.length}, labels={self.distinct_labels}, draws={self.draws}, "
            f"gamma={show_scalar(self.gamma)}, {rule}, {known})"
        )

    @property
    def length(self) -> int:
        """m."""
        return len(self.iterations)

    @property
    def picks(self) -> tuple[int, ...]:
        """The sampled points, in order, with multiplicity."""
        return tuple(record.index for record in self.iterations)

    @property
    def distinct_labels(self) -> int:
        """How many different points of X_1 were sampled: the labels to pay for."""
        return sum(1 for index in set(self.picks) if index < self.data.unlabelled)

    @property
    def draws(self) -> int:
        """How often a point of X_1 was sampled: the paper's lq, counted with multiplicity."""
        return sum(1 for index in self.picks if index < self.data.unlabelled)

    @cached_property
    def _mid(self) -> S:
        half = self.arithmetic.scalar(Fraction(1, 2))
        with self.arithmetic.working():
            return (self.final.upper + self.final.lower) * half

    @property
    def upper(self) -> Enclosure:
        """u_m."""
        return self.arithmetic.enclosure(self.final.upper)

    @property
    def lower(self) -> Enclosure:
        """l_m."""
        return self.arithmetic.enclosure(self.final.lower)

    @property
    def mid(self) -> Enclosure:
        """(u_m + l_m)/2."""
        return self.arithmetic.enclosure(self._mid)

    @cached_property
    def scaled_weights(self) -> tuple[S, ...]:
        """w_j = w'_j/mid, in the run's own arithmetic."""
        with self.arithmetic.working():
            return tuple(record.weight / self._mid for record in self.iterations)

    @cached_property
    def weights(self) -> tuple[Enclosure, ...]:
        """w_j = w'_j/mid."""
        return tuple(self.arithmetic.enclosure(weight) for weight in self.scaled_weights)

    @cached_property
    def alphas(self) -> tuple[Enclosure, ...]:
        """alpha_j = (gamma/Phi_j)/mid; they add up to 1 - 4 gamma^2 (slug sum-alpha)."""
        gamma = self.algorithm.gamma
        with self.arithmetic.working():
            return tuple(
                self.arithmetic.enclosure(gamma / record.distribution.potential / self._mid)
                for record in self.iterations
            )

    @cached_property
    def alpha_sum(self) -> Enclosure:
        """The sum of the alphas."""
        gamma = self.algorithm.gamma
        with self.arithmetic.working():
            total = self.algorithm.zero
            for record in self.iterations:
                total = total + gamma / record.distribution.potential / self._mid
            return self.arithmetic.enclosure(total)

    def steps(self) -> Iterator[Step]:
        """The iterations, as enclosures."""
        enclosure = self.arithmetic.enclosure
        for record in self.iterations:
            with self.arithmetic.working():
                probability = record.distribution.probability(record.index)
            yield Step(
                record.iteration,
                record.index,
                enclosure(record.upper),
                enclosure(record.lower),
                enclosure(record.distribution.potential),
                enclosure(probability),
                enclosure(record.weight),
                None if record.uniform is None else record.uniform.low,
            )

    @cached_property
    def certificate(self) -> Certificate:
        """Where the spectrum of A^T A lies, decided for this run."""
        arithmetic, final, mid = self.arithmetic, self.final, self._mid
        with arithmetic.working():
            upper, lower = final.upper / mid, final.lower / mid
            highest, lowest = arithmetic.scalar(HIGHEST), arithmetic.scalar(LOWEST)
            by_barriers = ~arithmetic.less(highest, upper) & ~arithmetic.less(lower, lowest)
            if arithmetic.rigorous and arithmetic.precision is not None:
                gram, total = self.algorithm.frame.gram, final.accumulated
                by_spectrum = arithmetic.positive_definite(
                    gram * (highest * mid) - total
                ) & arithmetic.positive_definite(total - gram * (lowest * mid))
            else:
                by_spectrum = sandwiched(self.data, self._total_weights())
            return Certificate(
                arithmetic.enclosure(mid),
                arithmetic.enclosure(upper),
                arithmetic.enclosure(lower),
                by_barriers,
                by_spectrum,
            )

    def _total_weights(self) -> dict[int, Fraction]:
        totals: dict[int, Fraction] = {}
        for index, weight in zip(self.picks, self.weights, strict=True):
            totals[index] = totals.get(index, Fraction(0)) + weight.midpoint
        return totals


def longest(dimension: int | Fraction, gamma: Fraction) -> int:
    """ceil(d sqrt(1 - 4 gamma^2)/gamma^2), which bounds m under the paper's rule (slug m-bound).

    Where X_2 is kept (`asura.kept`), R takes the place of d.

    >>> longest(1, Fraction(1, 4)), longest(Fraction(1, 101), Fraction(1, 10))
    (14, 1)
    """
    square = squared_length(gamma, dimension)
    root = math.isqrt(math.floor(square))
    return root if root**2 == square else root + 1


def first_arithmetic(
    dimension: int, gamma: Fraction, stopping: StoppingRule = PAPER
) -> BallArithmetic:
    """Balls with enough bits for a whole run, as a rule: it loses about 0.45 d/gamma of them.

    >>> first_arithmetic(4, Fraction(1, 8)).precision
    128
    >>> first_arithmetic(3, Fraction(1, 100)).precision
    256
    """
    spent = math.ceil(dimension * max(Fraction(1), stopping.level) / gamma / 2)
    bits = max(DEFAULT_BITS, 64 * math.ceil(1 + spent / 64))
    return BallArithmetic(bits, max(CEILING_BITS, 4 * bits))


def usual_arithmetic(
    data: Dataset, gamma: Fraction, stopping: StoppingRule
) -> BallArithmetic | ProvedDoubleArithmetic:
    """The balls that a run starts with; on kernel data, doubles with proved bounds.

    >>> from asura.dataset import dataset
    >>> usual_arithmetic(dataset([[1]]), Fraction(1, 500), PAPER).precision
    320
    """
    if isinstance(data, KernelData):
        from asura.arithmetic.proved_double import ProvedDoubleArithmetic  # noqa: PLC0415 as below

        return ProvedDoubleArithmetic()
    return first_arithmetic(data.dimension, gamma, stopping)


def _growth(dimension: int) -> float:
    """By which factor an exact step lengthens the numbers, as observed: 2, 5.6, 7.7, 9.7, ..."""
    return 2.0 if dimension == 1 else 2.0 * dimension + 1.6


def _refuse_long_exact_run(data: Dataset, gamma: Fraction, stopping: StoppingRule) -> None:
    """An exact run is refused in advance when even half its expected length would not end."""
    dimension = data.dimension
    expected = stopping.level * dimension / gamma**2 / 4
    if expected > 37 / math.log2(_growth(dimension)):  # from 8 bits to more than 2^40
        raise ExactRunTooLarge(
            f"at gamma = {show_scalar(gamma)} and d = {dimension} an exact run takes more than "
            f"{show_scalar(Fraction(math.floor(expected)))} iterations, each making the numbers "
            f"about {_growth(dimension):.1f} times as long: expected a larger gamma, "
            "or the ball arithmetic",
            value=gamma,
        )


def handing_on(arithmetic: Arithmetic[Any, Any]) -> Any:
    """What turns a run into one in balls where it was decided in doubles with proved bounds."""
    if arithmetic.name != "proved double":
        return None
    from asura import handing_on  # noqa: PLC0415 only runs on kernels need NumPy

    return handing_on


class Accumulating(Protocol):
    """A state of a run, of Algorithm 2 or of a relative."""

    @property
    def accumulated(self) -> object:
        """B_j."""
        ...

    @property
    def iteration(self) -> int:
        """The number of steps made."""
        ...


def refuse_long_numbers(state: Accumulating, dimension: int) -> None:
    """An exact run is given up when the next step would take seconds."""
    if isinstance(state.accumulated, RationalForm):
        bits = state.accumulated.height()
        if bits * _growth(dimension) > EXACT_BITS:
            raise ExactRunTooLarge(
                f"after {state.iteration} exact iterations the numbers have {bits} bits, and the "
                f"next makes them about {_growth(dimension):.1f} times as long: expected a larger "
                "gamma, or the ball arithmetic",
                value=state.iteration,
            )


def _attempt(
    data: Dataset,
    gamma: Fraction,
    stopping: StoppingRule,
    arithmetic: Arithmetic[Any, Any],
    chooser: Chooser,
    observer: Observer | None,
    rates: Rates,
) -> Run[Any, Any]:
    with arithmetic.working():
        algorithm = Asura(data, gamma, arithmetic, stopping, rates)
        state = algorithm.initial()
        records = []
        balls = handing_on(arithmetic)
        for record, state in algorithm.iterations(chooser):
            records.append(record if balls is None else balls.iteration_in_balls(record))
            if observer is not None:
                observer(len(records), algorithm.progress(state))
            if arithmetic.precision is None and algorithm.proceeds(state).holds:
                refuse_long_numbers(state, algorithm.dimension)
    if balls is not None:
        with balls.HANDED_ON.working():
            arithmetic, state = balls.HANDED_ON, balls.state_in_balls(state, data)
            algorithm = Asura(data, gamma, arithmetic, stopping, rates)
    return Run(data, gamma, stopping, arithmetic, tuple(records), algorithm, state, rates)


@overload
def run(
    data: Dataset,
    gamma: object,
    *,
    chooser: Chooser | None = ...,
    stopping: StoppingRule = ...,
    observer: Observer | None = ...,
    rates: Rates = ...,
) -> Run[arb, arb_mat]: ...


@overload
def run(
    data: Dataset,
    gamma: object,
    *,
    arithmetic: Arithmetic[S, M] | None,
    chooser: Chooser | None = ...,
    stopping: StoppingRule = ...,
    observer: Observer | None = ...,
    rates: Rates = ...,
) -> Run[S, M]: ...


def run(
    data: Dataset,
    gamma: object,
    *,
    arithmetic: Arithmetic[Any, Any] | None = None,
    chooser: Chooser | None = None,
    stopping: StoppingRule = PAPER,
    observer: Observer | None = None,
    rates: Rates = PAPER_RATES,
) -> Run[Any, Any]:
    """Run Algorithm 2, in balls unless told otherwise, with seed 0 unless told otherwise.

    In balls the precision is doubled, from the start of the run, until every pick and every
    stopping decision is decided; `PrecisionCeilingReached` says that one was not. On kernel data
    doubles with proved bounds come first; what they decide comes out as balls.
    """
    exact_gamma = rates.read_gamma(gamma)
    chosen = Seed(0) if chooser is None else chooser
    current: Arithmetic[Any, Any] = (
        usual_arithmetic(data, exact_gamma, stopping) if arithmetic is None else arithmetic
    )
    if current.precision is None:
        _refuse_long_exact_run(data, exact_gamma, stopping)
    return until_decided(
        current,
        lambda tried: _attempt(data, exact_gamma, stopping, tried, chosen, observer, rates),
    )


def until_decided(
    first: Arithmetic[S, M], attempt: Callable[[Arithmetic[S, M]], Outcome]
) -> Outcome:
    """Attempt a run with ever more bits, until every decision of it is made."""
    current = first
    while True:
        try:
            return attempt(current)
        except Undecided:
            doubled = current.doubled()
            if doubled is None:
                raise PrecisionCeilingReached(
                    f"a decision of the run is open at {current.precision} bits, probably an exact "
                    "tie: expected other uniforms, or the exact arithmetic",
                    value=current.precision,
                ) from None
            current = doubled


__all__ = [
    "EXACT",
    "Observer",
    "Run",
    "Step",
    "first_arithmetic",
    "longest",
    "run",
    "usual_arithmetic",
]
