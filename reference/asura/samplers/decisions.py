"""A sampler as a sequence of decisions: the same text draws a sample and enumerates them all.

A procedure asks `among(masses)` for an index i, which has probability masses[i]/sum(masses).
`Drawn` answers from a chooser, one draw per decision; `outcomes` answers in every possible way and
multiplies the probabilities, so that what is enumerated is what is run.

>>> from dataclasses import dataclass
>>> from asura.dataset import dataset
>>> @dataclass(frozen=True)
... class OnePoint:
...     def decide(self, data, decisions):
...         index = decisions.among([fmpq(i) for i in range(data.size)])
...         return WeightedSample(EXACT, (index,), (fmpq(1),))
>>> [(o.sample.picks, str(o.probability)) for o in outcomes(OnePoint(), dataset([[1]] * 3))]
[((1,), '1/3'), ((2,), '2/3')]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from flint import fmpq

from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import Dataset
from asura.errors import EnumerationTooLarge, ExactRunTooLarge, SizeOutOfRange
from asura.picking import pick
from asura.randomness import Chooser
from asura.sampling import WeightedSample
from asura.scalars import fraction, show_scalar

#: Draws with repetitions: beyond, a sample in exact rationals takes minutes.
MOST_DRAWS = 100_000

#: Beyond, an enumeration takes minutes.
MOST_OUTCOMES = 100_000

ExactSample = WeightedSample[fmpq, RationalForm]


class Decisions(Protocol):
    """Who answers the questions of a sampler."""

    def among(self, masses: Sequence[fmpq]) -> int:
        """An index of positive mass."""


class Decided(Protocol):
    """A sampler that asks for its decisions."""

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """The sample that these decisions lead to."""


@dataclass(slots=True)
class Drawn:
    """Decision j is made by draw j of a chooser, exactly; fixed picks replay the indices."""

    chooser: Chooser
    made: int = 0

    def among(self, masses: Sequence[fmpq]) -> int:
        """The smallest i with r sum(masses) < masses[0] + ... + masses[i]."""
        draw = self.chooser.draw(self.made)
        self.made += 1
        return pick(EXACT, masses, sum(masses, fmpq(0)), draw)[0]


def coin(decisions: Decisions, probability: fmpq) -> bool:
    """Whether r < p; as a fixed pick, 0 says yes and 1 says no."""
    return decisions.among([probability, 1 - probability]) == 0


@dataclass(frozen=True, slots=True)
class SampleOutcome:
    """One leaf of the tree of decisions: the sample of all uniforms in a box of [a, b)."""

    sample: ExactSample
    box: tuple[tuple[Fraction, Fraction], ...]

    @property
    def probability(self) -> Fraction:
        """The volume of the box."""
        return math.prod((high - low for low, high in self.box), start=Fraction(1))


@dataclass(slots=True)
class _Script:
    """Follows a path, then the first possible branches, and notes the branches not taken."""

    prefix: tuple[int, ...]
    path: list[int] = field(default_factory=list)
    box: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    others: list[tuple[int, ...]] = field(default_factory=list)

    def among(self, masses: Sequence[fmpq]) -> int:
        possible = [index for index, mass in enumerate(masses) if mass > 0]
        depth = len(self.path)
        if depth < len(self.prefix):
            taken = self.prefix[depth]
        else:
            taken = possible[0]
            self.others.extend((*self.path, index) for index in possible[1:])
        self.path.append(taken)
        low, total = sum(masses[:taken], fmpq(0)), sum(masses, fmpq(0))
        self.box.append((fraction(low / total), fraction((low + masses[taken]) / total)))
        return taken


def outcomes(
    procedure: Decided, data: Dataset, *, most: int = MOST_OUTCOMES
) -> Iterator[SampleOutcome]:
    """Every way that the decisions can go, with its probability; they sum to 1."""
    pending: list[tuple[int, ...]] = [()]
    reached = 0
    while pending:
        script = _Script(pending.pop())
        sample = procedure.decide(data, script)
        pending.extend(reversed(script.others))
        reached += 1
        if reached + len(pending) > most:
            raise EnumerationTooLarge(
                f"more than {most} outcomes: expected fewer points or a smaller sample", value=most
            )
        yield SampleOutcome(sample, tuple(script.box))


def distribution(
    procedure: Decided, data: Dataset, *, most: int = MOST_OUTCOMES
) -> dict[tuple[int, ...], Fraction]:
    """P(the multiset of picks), for every multiset that has a chance."""
    total: dict[tuple[int, ...], Fraction] = {}
    for outcome in outcomes(procedure, data, most=most):
        picks = tuple(sorted(outcome.sample.picks))
        total[picks] = total.get(picks, Fraction(0)) + outcome.probability
    return total


def require_size(size: int, least: int, most: int | None, meaning: str) -> None:
    """Refuse a sample size that the procedure cannot have."""
    if size < least or (most is not None and size > most):
        wanted = f"at least {least}" if most is None else f"from {least} to {most}"
        shown = show_scalar(Fraction(size))
        raise SizeOutOfRange(f"size {shown}: expected {wanted} ({meaning})", value=size)


def require_sensible(points: int, most: int, procedure: str) -> None:
    """Refuse data on which the exact procedure would run for too long."""
    if points > most:
        raise ExactRunTooLarge(
            f"{show_scalar(Fraction(points))} points: expected at most {most} for {procedure} in "
            "exact rationals",
            value=points,
        )
