"""The whole probability tree of a kept run, in exact rationals or in balls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx, fmpq_mat

from asura.arithmetic import BallArithmetic
from asura.dataset import Dataset
from asura.definiteness import ball_positive_definite
from asura.kept.barriers import Barriers
from asura.kept.variants import Variant
from asura.scalars import rational
from tests.reference.kept.truth import Truth

BITS = 320


@dataclass(frozen=True)
class Leaf:
    """A run: its probability, its picks and weights w' (None for a step left out), and sigma."""

    probability: Any
    picks: tuple[int | None, ...]
    weights: tuple[Any, ...]
    share: Any
    progress: Any

    @property
    def draws(self) -> int:
        return sum(1 for index in self.picks if index is not None)


def leaves(barriers: Any, *, horizon: int = 40) -> Iterator[Leaf]:
    """Every run of a variant, by the methods of one text."""
    one = barriers.arithmetic.scalar(Fraction(1))
    pending: list[tuple[Any, Leaf]] = [(barriers.initial(), Leaf(one, (), (), None, None))]
    while pending:
        state, path = pending.pop()
        proceeds = path.share is None and barriers.proceeds(state)
        if proceeds is False or proceeds.fails:
            yield Leaf(path.probability, path.picks, path.weights, path.share, state.progress)
            continue
        assert proceeds.holds
        assert state.iteration < horizon
        distribution = barriers.distribution(state)
        share = barriers.share(state, distribution)
        left_out = share is not None and barriers.variant.ending == "coin"
        for index in range(len(distribution.masses)):
            mass = distribution.masses[index]
            if barriers.arithmetic.less(barriers.zero, mass).holds:
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
class Expectation:
    """What the tree says, in balls.

    E draws, E excess, whether M was always large enough, P(m' > most), the sum of all
    probabilities, whether E[M] may be the identity, the probability of at most `budget` draws,
    the expectation of the excess on that event, and E|v|^2.
    """

    draws: arb
    excess: arb
    least_kept: bool
    overruns: arb
    total: arb
    unbiased: bool
    within: arb
    excess_within: arb
    noise: arb


class BallTruth:
    """The excess and the spectrum for weights that are balls."""

    def __init__(self, data: Dataset) -> None:
        truth = Truth(data)
        self.data = data
        self.optimum = truth.optimum(data.unlabelled)
        self.rows = [[arb(x) for x in row] for row in truth.rows]
        self.residuals = [arb(e) for e in truth.residuals]
        self.gram = arb_mat(truth.gram)
        kept = truth.normal(truth.kept({}))
        self.kept = arb_mat(kept if truth.kept({}) else fmpq_mat(truth.width, truth.width))
        self.width = truth.width

    def matrix(self, weights: list[tuple[int, arb]]) -> arb_mat:
        """M: the weighted points and X_2."""
        total = self.kept
        for index, weight in weights:
            row = arb_mat([self.rows[index]])
            total = total + row.transpose() * row * weight
        return total

    def vector(self, weights: list[tuple[int, arb]]) -> arb_mat:
        """The vector v = sum w e x + sum over X_2 of e x."""
        right = [arb(0)] * self.width
        second = [(i, arb(1)) for i in range(self.data.unlabelled, self.data.size)]
        for index, weight in [*weights, *second]:
            factor = weight * self.residuals[index]
            right = [r + factor * x for r, x in zip(right, self.rows[index], strict=True)]
        return arb_mat(self.width, 1, right)

    def excess(self, weights: list[tuple[int, arb]]) -> arb:
        """The excess: M (beta^ - beta*) = v."""
        gap = self.matrix(weights).solve(self.vector(weights))
        return (gap.transpose() * self.gram * gap)[0, 0]

    def noise(self, weights: list[tuple[int, arb]]) -> arb:
        """|v|^2, in the coordinates of U."""
        v = self.vector(weights)
        return (v.transpose() * self.gram.solve(v))[0, 0]


def expectation(
    data: Dataset,
    variant: Variant,
    *,
    least: Fraction = Fraction(0),
    most: Fraction | None = None,
    budget: int = 0,
    text: Any = Barriers,
) -> Expectation:
    """E draws and E excess; whether M - least I >= 0 at every leaf; P(m' > most)."""
    with ctx.workprec(BITS):
        truth = BallTruth(data)
        draws, excess, overruns, total = arb(0), arb(0), arb(0), arb(0)
        within, excess_within, noise, kept = arb(0), arb(0), arb(0), True
        mean = truth.gram * 0
        barriers = text(data, variant, BallArithmetic(BITS))
        for leaf in leaves(barriers):
            probability = arb(leaf.probability)
            weights = [
                (index, arb(weight / leaf.progress))
                for index, weight in zip(leaf.picks, leaf.weights, strict=True)
                if index is not None
            ]
            total += probability
            draws += probability * leaf.draws
            loss = truth.excess(weights)
            excess += probability * loss
            noise += probability * truth.noise(weights)
            if leaf.draws <= budget:
                within += probability
                excess_within += probability * loss
            length = arb(len(leaf.picks)) - (0 if leaf.share is None else 1 - arb(leaf.share))
            if most is not None and not length <= arb(rational(most)):
                overruns += probability
            matrix = truth.matrix(weights)
            mean = mean + matrix * probability
            kept = kept and definite(matrix - truth.gram * arb(rational(least)))
        unbiased = all(x.contains(0) for x in (mean - truth.gram).entries())
        return Expectation(
            draws, excess, kept, overruns, total, unbiased, within, excess_within, noise
        )


def definite(matrix: arb_mat) -> bool:
    """Whether a matrix is certainly at least -2^-200."""
    size = matrix.nrows()
    slack = arb(rational(Fraction(1, 2**200)))
    entries = [slack if i == k else arb(0) for i in range(size) for k in range(size)]
    return ball_positive_definite(matrix + arb_mat(size, size, entries)).holds
