"""Algorithm 2 with every line replaceable, in doubles: what an implementation may have meant.

A recipe with all defaults is the algorithm; a known mistake replaces one line.
"""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Points = Literal[
    "isometric", "raw", "unscaled", "overscaled", "single", "unit rows", "unit columns", "centred",
    "intercept", "unlabelled", "transposed", "gram inverse", "moments", "truncated",
]  # fmt: skip
Regression = Literal[
    "weighted", "unweighted", "unlabelled", "squared", "rooted", "everything", "distinct", "none",
    "labels unweighted", "points unweighted", "unscaled", "scaled twice", "without last", "shares",
    "inverse probability", "negated", "intercept", "unit columns", "ridge", "distinct unweighted",
]  # fmt: skip
#: Which of the states in a row a line looks at.
Moment = Literal["previous", "now", "next"]
#: In which order the points are laid end to end.
Order = Literal["forward", "backward", "ascending", "descending"]


@dataclass(frozen=True, slots=True)
class StopContext:
    """What a stopping test may look at."""

    upper: float
    lower: float
    first_upper: float
    first_lower: float
    potential_sum: float
    potential: float = 0.0  # of this state
    last_potential: float = 0.0  # of the state before

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
    last: NDArray[np.intp] = field(default_factory=lambda: np.array(-1))  # -1 at first

    @property
    def again(self) -> NDArray[np.bool_]:
        """Which point was picked last."""
        return np.asarray(np.arange(self.probabilities.shape[-1]) == self.last[..., None])


@dataclass(frozen=True, slots=True)
class Uniform:
    """What a pick may make of the uniforms."""

    given: Sequence[float]
    j: int
    potential: float

    def at(self, place: int) -> float:
        """One of them; the ends stand for what is beyond."""
        return self.given[min(max(place, 0), len(self.given) - 1)]


def _inverse_sum(up: Doubles, low: Doubles) -> Doubles:
    return np.asarray(up + low)


def _outer(row: Doubles) -> Doubles:
    return np.outer(row, row)


def _trace_sum(up: Doubles, low: Doubles) -> float:
    return float(np.trace(up) + np.trace(low))


@dataclass(frozen=True)
class Recipe:
    """One way to run Algorithm 2."""

    gamma: Callable[[float], float] = lambda g: g
    dimension: Callable[[int, int, int], float] = lambda rank, width, size: rank
    points: Points = "isometric"
    jitter: float = 0.0  # added to the diagonal of the Gram matrix
    first: Callable[[float, float], tuple[float, float]] = lambda d, g: (2 * d / g, -2 * d / g)
    bracket: Callable[[Doubles, Doubles], Doubles] = _inverse_sum
    potential: Callable[[Doubles, Doubles], float] = _trace_sum
    probability: Callable[[Doubles, float], Doubles] = lambda masses, phi: np.asarray(masses / phi)
    weight: Callable[[float, float, float], float] = lambda g, phi, p: g / phi / p
    update: Callable[[float, float, float], float] | None = None
    outer: Callable[[Doubles], Doubles] = _outer
    weight_potential: Moment = "now"
    weight_probability: Moment = "now"
    early_barriers: bool = False
    upper_step: Callable[[float, float], float] = lambda g, phi: g / (1 - 2 * g) / phi
    lower_step: Callable[[float, float], float] = lambda g, phi: g / (1 + 2 * g) / phi
    stale: bool = False
    rate_potential: Moment = "now"
    clock: Callable[[StopContext], float] | None = None
    bound: Callable[[float, float], float] | None = None
    clock_shift: int = 0
    mid: Callable[[FinalBarriers], float] = lambda ends: (ends.upper + ends.lower) / 2
    normalised: Callable[[Doubles, float], Doubles] = lambda weights, mid: weights / mid
    alpha: Callable[[Doubles, Doubles, float, float], Doubles] = lambda shares, weights, mid, g: (
        shares / mid
    )
    regression: Regression = "weighted"
    choose: Callable[[PickContext], Doubles] | None = None
    greedy: bool = False
    uniform: Callable[[Uniform], float] = lambda r: r.at(r.j)
    order: Order = "forward"
    index_shift: int = 0
    index_from: int = 0
    reports_after: bool = False
    counts_extra: int = 0
    reported_probability: Callable[[Doubles, float], Doubles] = lambda p, phi: p
    reported_potential: Callable[[float, float], float] = lambda phi, d: phi
    reported_barriers: Callable[[float, float], tuple[float, float]] = lambda up, low: (up, low)
    reported_weight: Callable[[float, float, float], float] = lambda w, mid, p: w

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
    "jitter",
    "first",
    "bracket",
    "potential",
    "probability",
    "weight",
    "update",
    "upper_step",
    "lower_step",
    "outer",
    "weight_potential",
    "weight_probability",
    "early_barriers",
    "stale",
    "rate_potential",
    "index_from",
    "reports_after",
    "reported_probability",
    "reported_potential",
    "reported_barriers",
    "reported_weight",
)

ALGORITHM = Recipe()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known way to be wrong."""

    name: str
    explanation: str
    recipe: Recipe
    slight: bool = False  # what it changes is small, and seen in the first iteration or never
