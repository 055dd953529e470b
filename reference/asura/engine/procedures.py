"""Label-blind procedures as the engine sees them: drawn for free, checked, and then paid for.

Whatever chooses rows without looking at a label can be redrawn until its sample is good. With a
bound on E|v|^2, v = sum over X of (w - 1) e U, the accepted sample has a guarantee
(`asura.engine.choosing`); without one it has its budget, its check and its certificate.

>>> drawn = collected(np.array([4, 2, 4]), np.array([1.0, 3.0, 0.5]))
>>> drawn.picks.tolist(), drawn.weights.tolist(), drawn.draws.tolist()
([2, 4], [3.0, 1.5], [1, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asura.engine.free_draws import Pool
from asura.kept.trials import Purpose

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, repr=False)
class Drawn:
    """Different rows of a pool in increasing order, their weights, and how often each was drawn."""

    picks: Indices
    weights: Vector
    draws: Indices


def collected(picks: Indices, weights: Vector) -> Drawn:
    """Draws with repetition: the weights of one row add up."""
    rows, places, counts = np.unique(picks, return_inverse=True, return_counts=True)
    total = np.bincount(places, weights=weights, minlength=len(rows)).astype(np.float64)
    return Drawn(rows, total, counts)


class Procedure(Protocol):
    """One procedure with its parameters, for one pool and one seed."""

    @property
    def noise(self) -> float | None:
        """E|v|^2 is at most so much, relative to OPT; None where no bound is known."""

    @property
    def expected(self) -> float:
        """About how many labels it asks for."""

    @property
    def spread(self) -> float:
        """About the standard deviation of the number of labels."""

    @property
    def parameters(self) -> dict[str, float]:
        """What it was made with."""

    @property
    def steps(self) -> float:
        """How many matrices a draw inverts, on average: 0 for draws that need none."""

    def draw(self, purpose: Purpose, number: int) -> Drawn:
        """One sample, a function of the seed, the purpose and the number."""


class Family(Protocol):
    """The procedures of one kind for one pool."""

    @property
    def pool(self) -> Pool:
        """What is sampled."""

    def for_budget(self, budget: int) -> Sequence[Procedure]:
        """Candidates that rarely ask for more than `budget` labels, the usual one first."""

    def expecting(self, labels: float) -> Sequence[Procedure]:
        """Candidates that ask for about so many labels."""
