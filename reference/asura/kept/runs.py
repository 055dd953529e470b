"""One run of a kept variant: its picks and weights, and sampling procedures made of it.

>>> from asura.arithmetic import EXACT
>>> from asura.dataset import dataset
>>> data = dataset([[1], [10]], unlabelled=1)
>>> done = kept_run(data, two_sided(data, "1/10"), arithmetic=EXACT)
>>> done                                     # one draw, although R/gamma^2 = 100/101
KeptRun(two-sided, overshoot, draws=1, labels=1, exact)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic

from asura.arithmetic import Arithmetic, BallArithmetic
from asura.arithmetic.interface import M, S
from asura.dataset import Dataset, KernelData
from asura.kept.barriers import Barriers, KeptIteration, KeptState
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Chooser, Seed
from asura.run import handing_on, refuse_long_numbers, until_decided
from asura.sampling import WeightedSample
from asura.scalars import Enclosure
from asura.stopping import PAPER, StoppingRule


@dataclass(frozen=True)
class KeptRun(Generic[S, M]):
    """A finished run."""

    data: Dataset
    variant: Variant
    arithmetic: Arithmetic[S, M]
    iterations: tuple[KeptIteration[S], ...]
    barriers: Barriers[S, M]
    final: KeptState[S, M]

    def __repr__(self) -> str:
        bits = self.arithmetic.precision
        known = self.arithmetic.name if bits is None else f"{self.arithmetic.name} {bits} bits"
        return (
            f"KeptRun({self.variant.name}, {self.variant.ending}, draws={self.length}, "
            f"labels={self.distinct_labels}, {known})"
        )

    @property
    def length(self) -> int:
        """How many points were drawn; each is a point of X_1, a label to pay for."""
        return len(self.picks)

    @property
    def picks(self) -> tuple[int, ...]:
        """The sampled points of X_1, in order, with multiplicity."""
        return tuple(record.index for record in self.iterations if record.index is not None)

    @property
    def distinct_labels(self) -> int:
        """How many different points were drawn."""
        return len(set(self.picks))

    @property
    def progress(self) -> Enclosure:
        """The progress sigma at the end."""
        return self.arithmetic.enclosure(self.final.progress)

    @cached_property
    def scaled_weights(self) -> tuple[S, ...]:
        """The weights w'/sigma, in the run's own arithmetic."""
        with self.arithmetic.working():
            return tuple(
                record.weight / self.final.progress
                for record in self.iterations
                if record.index is not None
            )

    @cached_property
    def weights(self) -> tuple[Enclosure, ...]:
        """The weights w'/sigma."""
        return tuple(self.arithmetic.enclosure(weight) for weight in self.scaled_weights)

    @cached_property
    def sample(self) -> WeightedSample[S, M]:
        """The weighted points of X_1, then all of X_2 at weight 1."""
        kept = range(self.data.unlabelled, self.data.size)
        with self.arithmetic.working():
            one = self.arithmetic.scalar(Fraction(1))
        return WeightedSample(
            self.arithmetic, (*self.picks, *kept), (*self.scaled_weights, *[one] * len(kept))
        )


def _handing_on() -> Any:
    from asura.kept import handing_on  # noqa: PLC0415 only runs on kernels need NumPy

    return handing_on


def _attempt(
    data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any], chooser: Chooser
) -> KeptRun[Any, Any]:
    with arithmetic.working():
        barriers = Barriers(data, variant, arithmetic)
        state = barriers.initial()
        records = []
        balls = _handing_on() if handing_on(arithmetic) else None
        for record, state in barriers.iterations(chooser):
            if arithmetic.precision is None and barriers.proceeds(state).holds:
                refuse_long_numbers(state, barriers.dimension)
            records.append(record if balls is None else balls.iteration_in_balls(record))
    if balls is not None:
        with balls.HANDED_ON.working():
            arithmetic, state = balls.HANDED_ON, balls.state_in_balls(state, data)
            barriers = Barriers(data, variant, arithmetic)
    return KeptRun(data, variant, arithmetic, tuple(records), barriers, state)


def kept_run(
    data: Dataset,
    variant: Variant,
    *,
    arithmetic: Arithmetic[Any, Any] | None = None,
    chooser: Chooser | None = None,
) -> KeptRun[Any, Any]:
    """Run a kept variant: in balls of a fitting precision, with seed 0, unless told otherwise.

    On kernel data doubles with proved bounds come first, as for Algorithm 2.
    """
    first: Arithmetic[Any, Any]
    if arithmetic is not None:
        first = arithmetic
    elif isinstance(data, KernelData):
        from asura.arithmetic.proved_double import ProvedDoubleArithmetic  # noqa: PLC0415 NumPy

        first = ProvedDoubleArithmetic()
    else:
        first = BallArithmetic()
    chosen = Seed(0) if chooser is None else chooser
    return until_decided(first, lambda current: _attempt(data, variant, current, chosen))


@dataclass(frozen=True)
class KeptSampling:
    """A sampling procedure for Algorithm 1: the points of a kept run, and X_2 at weight 1."""

    variant: Callable[[Dataset], Variant]
    arithmetic: Arithmetic[Any, Any] | None = None

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """Run the variant."""
        done = kept_run(data, self.variant(data), arithmetic=self.arithmetic, chooser=chooser)
        return done.sample


def two_sided_sampling(
    gamma: object,
    *,
    stopping: StoppingRule = PAPER,
    ending: str = "overshoot",
    arithmetic: Arithmetic[Any, Any] | None = None,
) -> KeptSampling:
    """K1 for Algorithm 1."""
    return KeptSampling(
        lambda data: two_sided(data, gamma, stopping=stopping, ending=ending), arithmetic
    )


def one_sided_sampling(
    draws: object,
    nu: object,
    *,
    ending: str = "coin",
    arithmetic: Arithmetic[Any, Any] | None = None,
) -> KeptSampling:
    """K2 for Algorithm 1."""
    return KeptSampling(lambda data: one_sided(data, draws, nu, ending=ending), arithmetic)
