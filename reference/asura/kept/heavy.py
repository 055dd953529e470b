"""K4: buy the heavy points outright, then sample the others.

A point of X_1 whose label has been paid for is as good as one of X_2: moved there it leaves G and
all leverages as they are, and R drops by its leverage. So the points of largest leverage are
bought first, at weight 1, and a kept variant does the rest with what is left of the budget.

>>> from asura.dataset import dataset
>>> data = dataset([[1], [5], [1], [1]], unlabelled=3)
>>> heaviest(data, 1)
(1,)
>>> moved, order = with_labelled(data, (1,))
>>> moved.unlabelled, order
(2, (0, 2, 1, 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from asura.arithmetic.interface import M, S
from asura.dataset import Dataset
from asura.kept.coins import leverages
from asura.randomness import Chooser
from asura.sampling import SamplingProcedure, WeightedSample


def heaviest(data: Dataset, count: int) -> tuple[int, ...]:
    """The points of X_1 with the largest leverages, the earlier one where they tie."""
    scores = leverages(data)
    order = sorted(range(data.unlabelled), key=lambda index: (-scores[index], index))
    return tuple(sorted(order[:count]))


def with_labelled(data: Dataset, bought: Sequence[int]) -> tuple[Dataset, tuple[int, ...]]:
    """The data with these points of X_1 moved to X_2, and the old index of each point."""
    taken = set(bought)
    light = [index for index in range(data.unlabelled) if index not in taken]
    order = (*light, *sorted(taken), *range(data.unlabelled, data.size))
    moved = Dataset(
        tuple(data.points[index] for index in order),
        len(light),
        tuple(data.squared_scales[index] for index in order),
        tuple(data.labels[index] for index in order),
    )
    return moved, order


@dataclass(frozen=True)
class HeavyFirst(Generic[S, M]):
    """A sampling procedure for Algorithm 1: `bought` at weight 1, the others by a kept variant."""

    bought: tuple[int, ...]
    procedure: SamplingProcedure[S, M]

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[S, M]:
        """The sample of the moved data, with the old indices."""
        moved, order = with_labelled(data, self.bought)
        sample = self.procedure.sample(moved, chooser)
        picks = tuple(order[index] for index in sample.picks)
        return WeightedSample(sample.arithmetic, picks, sample.weights)
