"""Small instances whose whole sampling tree is enumerated: expectations are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

from asura.arithmetic import EXACT, BallArithmetic
from asura.dataset import Dataset, dataset
from asura.dimensions import reduced_rank
from asura.run import longest
from asura.scalars import Enclosure
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.draw import small_rational
from asura_verify.trees.enumeration import Tree, enumerate_tree
from asura_verify.trees.losses import LossTree
from asura_verify.trees.quantities import expected_draws, expected_length


@dataclass(frozen=True)
class TreeInstance:
    """Labelled points, gamma, a stopping rule; under the sure rule also a horizon."""

    data: Dataset
    gamma: Fraction
    stopping: StoppingRule = PAPER
    horizon: int | None = None

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"gamma": self.gamma, "d": self.data.dimension, "T": self.stopping.level}

    @cached_property
    def tree(self) -> Tree[Any, Any]:
        """The whole tree: exact when short, so that ties are decided, else in balls."""
        short = self.horizon is None and longest(self.data.dimension, self.gamma) <= 4
        return enumerate_tree(
            self.data,
            self.gamma,
            arithmetic=EXACT if short else BallArithmetic(),
            stopping=self.stopping,
            horizon=self.horizon,
        )

    @cached_property
    def losses(self) -> LossTree[Any, Any]:
        """The tree with its labels."""
        return LossTree.of(self.tree)

    @cached_property
    def length(self) -> Enclosure:
        """E[m]."""
        return expected_length(self.tree)

    @cached_property
    def draws(self) -> Enclosure:
        """E[lq], with multiplicity."""
        return expected_draws(self.tree)

    @cached_property
    def rank(self) -> Fraction:
        """R_X."""
        return reduced_rank(self.data)


def _labelled(random: Random, rows: list[list[Fraction]]) -> Dataset:
    """Repeat some lines, split into X_1 and X_2, and label everything."""
    copies = [
        [x * random.choice((1, 2, -1)) for x in random.choice(rows)]
        for _ in range(random.randint(0, 2))
    ]
    points = [*rows, *copies]
    random.shuffle(points)
    labels = [small_rational(random, 5) for _ in points]
    labels[0] += 1
    first = random.choice((len(points), *range(1, len(points) + 1)))
    return dataset(points, unlabelled=first, labels=labels)


def _lines(random: Random, dimension: int, count: int) -> list[list[Fraction]]:
    """Unit vectors, then random rows: `count` lines that span the space."""
    rows = [[Fraction(int(i == k)) for k in range(dimension)] for i in range(dimension)]
    while len(rows) < count:
        row = [Fraction(random.randint(-2, 2)) for _ in range(dimension)]
        if sum(1 for x in row if x) > 1:
            rows.append(row)
    return rows


def _between(random: Random, low: Fraction, high: Fraction) -> Fraction:
    return low + (high - low) * Fraction(random.randint(0, 32), 32)


def tree_instance(random: Random) -> TreeInstance:
    """A tree of at most a few thousand nodes under the paper's rule."""
    kind = random.random()
    if kind < 0.35:
        data = _labelled(random, [[Fraction(1)]])
        gamma = _between(random, Fraction(1, 12), Fraction(49, 100))
    elif kind < 0.75:
        data = _labelled(random, _lines(random, 2, 2))
        gamma = _between(random, Fraction(33, 100), Fraction(49, 100))
    elif kind < 0.9:
        data = _labelled(random, _lines(random, 2, 3))
        gamma = _between(random, Fraction(41, 100), Fraction(49, 100))
    else:
        data = _labelled(random, _lines(random, 3, 3))
        gamma = _between(random, Fraction(43, 100), Fraction(49, 100))
    return TreeInstance(data, gamma)


def sure_tree_instance(random: Random) -> TreeInstance:
    """A tree under the sure rule, cut at a horizon that few paths reach."""
    if random.random() < 0.5:
        data = _labelled(random, [[Fraction(1)]])
        gamma = _between(random, Fraction(1, 12), Fraction(6, 25))
        level = random.choice((Fraction(1), Fraction(1), Fraction(3, 2)))
        return TreeInstance(data, gamma, sure(level), horizon=400)
    data = _labelled(random, _lines(random, 2, 2))
    gamma = _between(random, Fraction(36, 100), Fraction(42, 100))
    level = random.choice((Fraction(1), Fraction(5)))
    return TreeInstance(data, gamma, sure(level), horizon=11)
