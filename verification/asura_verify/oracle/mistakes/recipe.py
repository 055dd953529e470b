"""Algorithm 2 with every line replaceable, in doubles: what an implementation may have meant.

A recipe with all defaults is the algorithm; a known mistake replaces one line.
"""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Points = Literal["isometric", "raw", "unscaled", "overscaled"]
Regression = Literal[
    "weighted", "unweighted", "unlabelled", "squared", "rooted", "everything", "distinct", "none"
]


@dataclass(frozen=True, slots=True)
class StopContext:
    """What a stopping test may look at."""

    upper: float
    lower: float
    first_upper: float
    first_lower: float
    potential_sum: float

    @property
    def gap(self) -> float:
        """u_j - l_j."""
        return self.upper - self.lower


@dataclass(frozen=True, slots=True)
class FinalBarriers:
    """The barriers that mid may be made of."""

    upper: float
    lower: float
    previous_upper: float
    previous_lower: float
    first_upper: float
    first_lower: float


@dataclass(frozen=True, slots=True)
class PickContext:
    """What a choice of the next point may look at: points last, after any axis of draws."""

    probabilities: Doubles
    previous: Doubles
    leverages: Doubles
    unlabelled: int
    taken: NDArray[np.bool_]  # picked before


def _inverse_sum(up: Doubles, low: Doubles) -> Doubles:
    return np.asarray(up + low)


def _trace_sum(up: Doubles, low: Doubles) -> float:
    return float(np.trace(up) + np.trace(low))


@dataclass(frozen=True)
class Recipe:
    """One way to run Algorithm 2."""

    gamma: Callable[[float], float] = lambda g: g
    dimension: Callable[[int, int, int], float] = lambda rank, width, size: rank
    points: Points = "isometric"
    first: Callable[[float, float], tuple[float, float]] = lambda d, g: (2 * d / g, -2 * d / g)
    bracket: Callable[[Doubles, Doubles], Doubles] = _inverse_sum
    potential: Callable[[Doubles, Doubles], float] = _trace_sum
    probability: Callable[[Doubles, float], Doubles] = lambda masses, phi: np.asarray(masses / phi)
    weight: Callable[[float, float, float], float] = lambda g, phi, p: g / phi / p
    update: Callable[[float, float, float], float] | None = None
    upper_step: Callable[[float, float], float] = lambda g, phi: g / (1 - 2 * g) / phi
    lower_step: Callable[[float, float], float] = lambda g, phi: g / (1 + 2 * g) / phi
    stale: bool = False
    next_potential: bool = False
    clock: Callable[[StopContext], float] | None = None
    bound: Callable[[float, float], float] | None = None
    clock_shift: int = 0
    mid: Callable[[FinalBarriers], float] = lambda ends: (ends.upper + ends.lower) / 2
    normalised: Callable[[float, float], float] = lambda weight, mid: weight / mid
    alpha: Callable[[float, float, float], float] = lambda share, weight, mid: share / mid
    regression: Regression = "weighted"
    choose: Callable[[PickContext], Doubles] | None = None
    greedy: bool = False
    index_from: int = 0
    reports_after: bool = False
    counts_extra: int = 0
    reported_probability: Callable[[Doubles, float], Doubles] = lambda p, phi: p

    @property
    def dynamics(self) -> tuple[object, ...]:
        """Everything but the choice of points, the end of the loop and the result."""
        return tuple(getattr(self, name) for name in DYNAMICS)

    @property
    def stops(self) -> tuple[object, ...]:
        """What decides when the loop ends."""
        return self.clock, self.clock_shift, self.bound


#: What two recipes must share to have the same run along given picks.
DYNAMICS = (
    "gamma",
    "dimension",
    "points",
    "first",
    "bracket",
    "potential",
    "probability",
    "weight",
    "update",
    "upper_step",
    "lower_step",
    "stale",
    "next_potential",
    "index_from",
    "reports_after",
    "reported_probability",
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known way to be wrong."""

    name: str
    explanation: str
    recipe: Recipe
