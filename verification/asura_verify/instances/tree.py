"""Small instances whose whole sampling tree is enumerated: expectations are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from asura.arithmetic import EXACT, BallArithmetic
from asura.dataset import Dataset, dataset
from asura.dimensions import reduced_rank
from asura.formulas import drift_margin
from asura.rates import PAPER_RATES, TIGHT_RATES, Rates
from asura.run import longest
from asura.scalars import Enclosure
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.draw import Draw, small_rational
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
    rates: Rates = PAPER_RATES

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {
            "gamma": self.gamma,
            "d": self.data.dimension,
            "T": self.stopping.level,
            "1 - 5 gamma + 5 gamma^2": drift_margin(self.gamma),
        }

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
            rates=self.rates,
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


def _labelled(draw: Draw, rows: list[list[Fraction]]) -> Dataset:
    """Repeat some lines, put them in any order, split into X_1 and X_2, and label everything."""
    copies = [(draw.choice((1, 2, -1)), draw.choice(rows)) for _ in range(draw.integer(0, 2))]
    points = [*rows, *([factor * x for x in row] for factor, row in copies)]
    order = [points.pop(draw.integer(0, len(points) - 1)) for _ in range(len(points))]
    labels = [small_rational(draw, 5) for _ in order]
    labels[0] += 1
    return dataset(order, unlabelled=draw.integer(1, len(order)), labels=labels)


def _lines(draw: Draw, dimension: int, count: int) -> list[list[Fraction]]:
    """Unit vectors, then rows with two entries at least: `count` lines that span the space."""
    rows = [[Fraction(int(i == k)) for k in range(dimension)] for i in range(dimension)]
    rest = [(1, -1, 2, -2) if k < 2 else (0, 1, -1, 2, -2) for k in range(dimension)]
    rows += [[Fraction(draw.choice(x)) for x in rest] for _ in range(count - dimension)]
    return rows


def _between(draw: Draw, low: Fraction, high: Fraction) -> Fraction:
    return low + (high - low) * Fraction(draw.integer(0, 32), 32)


#: Dimension, lines and the least gamma of trees with a few thousand nodes; d = 2 most often.
_SHAPES = (
    *((1, 1, Fraction(1, 12)),) * 7,
    *((2, 2, Fraction(33, 100)),) * 8,
    *((2, 3, Fraction(41, 100)),) * 3,
    *((3, 3, Fraction(43, 100)),) * 2,
)


def tree_instance(draw: Draw) -> TreeInstance:
    """A tree of at most a few thousand nodes under the paper's rule."""
    dimension, count, least = draw.choice(_SHAPES)
    gamma = _between(draw, least, Fraction(49, 100))
    return TreeInstance(_labelled(draw, _lines(draw, dimension, count)), gamma)


def sure_tree_instance(draw: Draw) -> TreeInstance:
    """A tree under the sure rule, cut at a horizon that few paths reach."""
    if draw.choice((True, False)):
        data = _labelled(draw, _lines(draw, 1, 1))
        gamma = _between(draw, Fraction(1, 12), Fraction(6, 25))
        level = draw.choice((Fraction(1), Fraction(1), Fraction(3, 2)))
        return TreeInstance(data, gamma, sure(level), horizon=400)
    data = _labelled(draw, _lines(draw, 2, 2))
    gamma = _between(draw, Fraction(36, 100), Fraction(42, 100))
    level = draw.choice((Fraction(1), Fraction(5)))
    return TreeInstance(data, gamma, sure(level), horizon=11)


def tight_tree_instance(draw: Draw) -> TreeInstance:
    """The same at the tight rates; at d = 1 the level is one at which the excess is bounded."""
    if draw.choice((True, True, False)):
        gamma = _between(draw, Fraction(1, 10), Fraction(9, 10))
        a, xi = TIGHT_RATES.above(gamma), TIGHT_RATES.below(gamma)
        level = (a + xi) / (2 * (1 - a)) * Fraction(draw.integer(11, 30), 10)
        data = _labelled(draw, _lines(draw, 1, 1))
        return TreeInstance(data, gamma, sure(level), horizon=400, rates=TIGHT_RATES)
    data = _labelled(draw, _lines(draw, 2, 2))
    gamma = _between(draw, Fraction(1, 2), Fraction(9, 10))
    level = draw.choice((Fraction(1), Fraction(3)))
    return TreeInstance(data, gamma, sure(level), horizon=9, rates=TIGHT_RATES)
