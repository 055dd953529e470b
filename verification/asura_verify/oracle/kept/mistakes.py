"""Known mistakes in K1 and K2, each as a recipe: what stands where the variants have another."""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

#: What a recipe may take for what: D or the identity.
Form = Literal["target", "identity"]


def _weight(step: float, phi: float, p: float, k: float) -> float:  # noqa: ARG001
    return step / phi / p


@dataclass(frozen=True, slots=True)
class KeptRecipe:
    """K1 and K2 with something else in one place; as it stands here, nothing is changed."""

    start: Form = "identity"  # the barriers start at c times it
    moving: Form = "target"  # and move along it
    potential: Form = "target"  # Phi = Tr(it E)
    everything: bool = False  # X_2 is drawn from, too
    rank: Literal["R", "d"] = "R"  # in c and in the goal
    distance: float = 1.0  # times c
    goal: float = 1.0  # times the goal
    step: Callable[[float], float] = lambda nu: nu / (1 - nu * nu)  # of K2
    lower: Callable[[float], float] = lambda nu: 1 - nu  # the rate of K2
    rates: Callable[[float], tuple[float, float]] = lambda g: (1 / (1 - 2 * g), 1 / (1 + 2 * g))
    weight: Callable[[float, float, float, float], float] = _weight  # of step, phi, p, k
    update: Callable[[float], float] = lambda weight: weight
    clip: bool = True  # a clipped step is scaled
    scaled_coin: bool = False  # and so is the step of a coin
    coin: bool = True  # the coin may leave the last step out
    overshoots: bool = False  # sigma passes the goal although the step was clipped
    mid: Callable[[float, float], float] = lambda sigma, k: sigma
    regression: Literal["kept", "sample", "divided"] = "kept"


CORRECT = KeptRecipe()


@dataclass(frozen=True, slots=True)
class KeptMistake:
    """A known way to be wrong; `only` names the variant that can show it."""

    name: str
    explanation: str
    recipe: KeptRecipe
    only: Literal["two-sided", "one-sided"] | None = None


KEPT_MISTAKES = (
    KeptMistake(
        "kept-start-along-D",
        "the barriers start at cD and -cD: D stands where the identity does",
        KeptRecipe(start="target"),
    ),
    KeptMistake(
        "kept-moves-along-identity",
        "the barriers move along the identity (G) in place of D (G_1)",
        KeptRecipe(moving="identity"),
    ),
    KeptMistake(
        "kept-potential-over-all",
        "the potential is Tr(E), that of all points, in place of Tr(D E)",
        KeptRecipe(potential="identity"),
    ),
    KeptMistake(
        "kept-samples-everything",
        "points of X_2 are drawn, too",
        KeptRecipe(everything=True, potential="identity"),
    ),
    KeptMistake(
        "kept-normalised-with-k",
        "the weights are divided by (u_m + l_m)/2 = sigma_m/(1 - 4 gamma^2), as in Algorithm 2",
        KeptRecipe(mid=lambda sigma, k: sigma / k),
        "two-sided",
    ),
    KeptMistake(
        "kept-weight-with-k",
        "every weight has a factor 1 - 4 gamma^2",
        KeptRecipe(weight=lambda step, phi, p, k: k * step / phi / p),
        "two-sided",
    ),
    KeptMistake(
        "kept-forgotten-clip",
        "the last step is made in full, although sigma stops at the goal",
        KeptRecipe(clip=False),
    ),
    KeptMistake(
        "kept-overshot-clip",
        "the last step is scaled, but sigma passes the goal as if it were not",
        KeptRecipe(overshoots=True),
    ),
    KeptMistake(
        "kept-scaled-coin",
        "the coin decides about the last step, which is scaled as well",
        KeptRecipe(scaled_coin=True),
    ),
    KeptMistake(
        "kept-forgotten-coin",
        "the last step is always made, without the coin",
        KeptRecipe(coin=False),
    ),
    KeptMistake(
        "kept-weight-without-probability",
        "the weight lacks the factor 1/p_j",
        KeptRecipe(weight=lambda step, phi, p, k: step / phi),
    ),
    KeptMistake(
        "kept-weight-inverse-probability",
        "the weight is 1/p_j in place of step/(Phi_j p_j)",
        KeptRecipe(weight=lambda step, phi, p, k: 1 / p),
    ),
    KeptMistake(
        "kept-weight-square-root",
        "the weight is a square root of step/(Phi_j p_j)",
        KeptRecipe(weight=lambda step, phi, p, k: math.sqrt(abs(step / phi / p))),
    ),
    KeptMistake(
        "kept-matrix-never-updated",
        "the matrix A stays zero",
        KeptRecipe(update=lambda weight: 0.0 * weight),
    ),
    KeptMistake(
        "kept-update-without-weight",
        "the matrix is updated with x x^T without its weight",
        KeptRecipe(update=lambda weight: 1.0 + 0.0 * weight),
    ),
    KeptMistake(
        "kept-dimension-for-rank",
        "d stands for R = Tr D in c and in the goal",
        KeptRecipe(rank="d"),
    ),
    KeptMistake(
        "kept-distance-halved",
        "the barriers start at half the distance c",
        KeptRecipe(distance=0.5),
    ),
    KeptMistake("kept-goal-doubled", "the run goes on to twice the goal", KeptRecipe(goal=2.0)),
    KeptMistake(
        "kept-rates-swapped",
        "the upper barrier has the rate of the lower one, and the other way round",
        KeptRecipe(rates=lambda g: (1 / (1 + 2 * g), 1 / (1 - 2 * g))),
        "two-sided",
    ),
    KeptMistake(
        "kept-step-is-nu",
        "the step is nu in place of nu/(1 - nu^2)",
        KeptRecipe(step=lambda nu: nu),
        "one-sided",
    ),
    KeptMistake(
        "kept-lower-rate-one",
        "the lower barrier moves at rate 1 in place of 1 - nu",
        KeptRecipe(lower=lambda nu: 1.0 + 0.0 * nu),
        "one-sided",
    ),
    KeptMistake(
        "kept-beta-without-kept",
        "the regression leaves X_2 out",
        KeptRecipe(regression="sample"),
    ),
    KeptMistake(
        "kept-beta-divided",
        "the regression divides the weight 1 of X_2 by sigma, too",
        KeptRecipe(regression="divided"),
    ),
)
