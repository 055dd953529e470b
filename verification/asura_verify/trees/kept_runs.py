"""The whole probability tree of a run of K1 or K2, and what it says in expectation, in balls.

>>> from asura.dataset import dataset
>>> from asura.kept.variants import one_sided
>>> data = dataset([[1], [1]], unlabelled=1, labels=[3, 0])
>>> tree = KeptTree.of(data, one_sided(data, 3, "1/3"))
>>> [outcome.draws for outcome in tree.outcomes]
[2, 3]
>>> bool(tree.expected_draws <= 3), bool(tree.total.contains(1))
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx

from asura.arithmetic import BallArithmetic
from asura.dataset import Dataset
from asura.errors import EndlessRun, PrecisionCeilingReached, Undecided
from asura.kept.barriers import Barriers
from asura.kept.variants import Variant
from asura_verify.trees.kept_truth import BallTruth

#: Bits of the balls; a tree has a few levels, so that hardly any are lost.
BITS = 320
#: No tree here is so large; that of a broken sampler may be.
MOST_NODES = 2_000


@dataclass(frozen=True)
class Leaf:
    """A run: its probability, its picks and weights w' (None for a step left out), and sigma."""

    probability: Any
    picks: tuple[int | None, ...]
    weights: tuple[Any, ...]
    share: Any
    progress: Any


def leaves(barriers: Any) -> Iterator[Leaf]:
    """Every run of a variant, by the methods of one text."""
    nodes = 0
    one = barriers.arithmetic.scalar(Fraction(1))
    pending: list[tuple[Any, Leaf]] = [(barriers.initial(), Leaf(one, (), (), None, None))]
    while pending:
        state, path = pending.pop()
        proceeds = barriers.proceeds(state)
        if path.share is not None or proceeds.fails:
            yield Leaf(path.probability, path.picks, path.weights, path.share, state.progress)
            continue
        if proceeds.undecided:
            raise Undecided
        nodes += 1
        if nodes > MOST_NODES:
            raise EndlessRun(
                f"more than {MOST_NODES} states: expected runs that end before", value=nodes
            )
        distribution = barriers.distribution(state)
        share = barriers.share(state, distribution)
        left_out = share is not None and barriers.variant.ending == "coin"
        for index in range(len(distribution.masses)):
            if barriers.arithmetic.less(barriers.zero, distribution.masses[index]).holds:
                chance = path.probability * distribution.probability(index)
                grown = Leaf(
                    chance * share if left_out else chance,
                    (*path.picks, index),
                    (*path.weights, barriers.weight(distribution, index, share)),
                    share,
                    None,
                )
                pending.append((barriers.step(state, index, distribution, share), grown))
        if left_out:
            chance = path.probability * (one - share)
            skipped = Leaf(chance, (*path.picks, None), (*path.weights, None), share, None)
            pending.append((barriers.step(state, None, distribution, share), skipped))


@dataclass(frozen=True)
class RunOutcome:
    """What one run comes to; `length` is m' = m - 1 + theta, for the share theta of the last step.

    `excess` is None where the sample does not determine beta.
    """

    probability: arb
    draws: int
    length: arb
    matrix: arb_mat
    noise: arb
    excess: arb | None
    progress: arb  # sigma at the end


@dataclass(frozen=True)
class KeptTree:
    """All runs of a variant on one dataset."""

    data: Dataset
    truth: BallTruth
    outcomes: tuple[RunOutcome, ...]

    @classmethod
    def of(cls, data: Dataset, variant: Variant, text: Any = Barriers) -> KeptTree:
        """Follow every run of one text of the variant."""
        with ctx.workprec(BITS):
            truth = BallTruth(data)
            barriers = text(data, variant, BallArithmetic(BITS))
            try:
                outcomes = tuple(_outcome(truth, leaf) for leaf in leaves(barriers))
            except Undecided:
                raise PrecisionCeilingReached(
                    f"a state is open at {BITS} bits", value=BITS
                ) from None
        return cls(data, truth, outcomes)

    def mean(self, function: Callable[[RunOutcome], arb | int]) -> arb:
        """The expectation of a function of the run."""
        with ctx.workprec(BITS):
            return sum((each.probability * function(each) for each in self.outcomes), arb(0))

    @property
    def total(self) -> arb:
        """The sum of all probabilities."""
        return self.mean(lambda _: 1)

    @property
    def expected_draws(self) -> arb:
        """E m, each draw a label."""
        return self.mean(lambda each: each.draws)

    @property
    def expected_noise(self) -> arb:
        """E|v|^2."""
        return self.mean(lambda each: each.noise)

    @property
    def expected_excess(self) -> arb:
        """E excess; NaN when some run does not determine beta."""
        return self.excess_where(lambda _: True)

    def excess_where(self, event: Callable[[RunOutcome], bool]) -> arb:
        """E[excess; the run is in the event]."""
        return self.mean(lambda each: _finite(each.excess) if event(each) else 0)

    def chance(self, event: Callable[[RunOutcome], bool]) -> arb:
        """The probability of an event."""
        return self.mean(lambda each: int(event(each)))

    @property
    def mean_matrix(self) -> arb_mat:
        """E[M], in Gram coordinates."""
        with ctx.workprec(BITS):
            total = self.truth.gram * 0
            for each in self.outcomes:
                total = total + each.matrix * each.probability
            return total


def _finite(excess: arb | None) -> arb:
    return arb("nan") if excess is None else excess


def _outcome(truth: BallTruth, leaf: Leaf) -> RunOutcome:
    weights = [
        (index, arb(weight / leaf.progress))
        for index, weight in zip(leaf.picks, leaf.weights, strict=True)
        if index is not None
    ]
    left = arb(0) if leaf.share is None else 1 - arb(leaf.share)
    return RunOutcome(
        arb(leaf.probability),
        len(weights),
        arb(len(leaf.picks)) - left,
        truth.matrix(weights),
        truth.noise(weights),
        truth.excess(weights),
        arb(leaf.progress),
    )
