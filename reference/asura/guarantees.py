"""From an accuracy to the parameters of Algorithm 2, each with the guarantee that it buys.

- `main`: the paper's stopping rule with gamma = sqrt(eps)/33;
- `sure`: the rule of randomized BSS (T = 1) with gamma = sqrt(eps)/(sqrt(3/2) + 4 sqrt(eps));
- `sure-best`: the (gamma, T) with the smallest bound on the labels, found for this eps.

Every choice is rounded to rationals in the safe direction, and its inequality is checked exactly.

>>> choice = gamma_for("1/100", guarantee="main")
>>> choice.gamma, choice.stopping.name
(Fraction(1, 330), 'paper')
>>> best = gamma_for("1/100", guarantee="sure-best")
>>> best.excess <= Fraction(1, 100), float(best.labels / 100) < 2.5
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from asura.errors import EpsilonOutOfRange, UnknownGuarantee
from asura.scalars import read_scalar, square_root, write_scalar
from asura.stopping import PAPER, StoppingRule, sure
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: gamma = sqrt(eps)/C_0 in row `main`.
C_0 = 33


@dataclass(frozen=True, slots=True)
class Choice:
    """Parameters of Algorithm 2 and what they guarantee.

    E[draws from X_1] <= labels * R_X. `excess` is the bound on E[loss]/OPT - 1 that was checked
    (None for `main`, which bounds a probability).
    """

    epsilon: Fraction
    gamma: Fraction
    stopping: StoppingRule
    guarantee: str
    promise: str
    labels: Fraction
    excess: Fraction | None


def sure_labels(gamma: Fraction, level: Fraction, dimension: int = 1) -> Fraction:
    """k rbar/gamma^2 = T (1/gamma^2 - 4) + (1 + T)/d, the bound on E[draws]/R_X (sure-stop)."""
    return level * (1 / gamma**2 - 4) + (1 + level) / dimension


def sure_excess(gamma: Fraction, level: Fraction, dimension: int = 1) -> Fraction | None:
    """gamma^2 k (rbar + rbar^2/2)/((1 - 2 gamma) T - 2 gamma)^2, which bounds E[loss]/OPT - 1.

    None where the bound does not apply. It decreases in d, so d = 1 covers every dimension.
    """
    margin = (1 - 2 * gamma) * level - 2 * gamma
    if margin <= 0:
        return None
    k = 1 - 4 * gamma**2
    rbar = level + gamma**2 / (dimension * k) * (1 + level)
    return gamma**2 * k * (rbar + rbar**2 / 2) / margin**2


def _rounded_down(value: float) -> Fraction:
    """A little below a positive float, with few bits."""
    scale = 2 ** (20 - math.frexp(value)[1])
    return Fraction(math.floor(value * float(scale)) - 1) / Fraction(scale)


def _fits(gamma: Fraction, level: Fraction, dimension: int, epsilon: Fraction) -> bool:
    excess = sure_excess(gamma, level, dimension)
    return excess is not None and excess <= epsilon


def _largest_gamma(level: float, dimension: int, epsilon: float) -> float:
    """The largest gamma that meets the accuracy at this level, by bisection in doubles."""
    low, high = 0.0, level / (2 * (1 + level))
    for _ in range(60):
        middle = (low + high) / 2
        k = 1 - 4 * middle**2
        rbar = level + middle**2 / (dimension * k) * (1 + level)
        margin = (1 - 2 * middle) * level - 2 * middle
        fits = margin > 0 and middle**2 * k * (rbar + rbar**2 / 2) <= epsilon * margin**2
        low, high = (middle, high) if fits else (low, middle)
    return low


def _minimise(function: Callable[[float], float], low: float, high: float) -> float:
    """Golden-section search for the minimum of a unimodal function."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return (low + high) / 2


def _main(epsilon: Fraction, _: int) -> Choice:
    if epsilon > 1:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: guarantee main expects 0 < epsilon <= 1",
            value=epsilon,
        )
    gamma = (square_root(epsilon) or _rounded_down(math.sqrt(epsilon))) / C_0
    return Choice(
        epsilon,
        gamma,
        PAPER,
        "main",
        "loss <= (1 + epsilon) OPT with probability at least 3/4",
        1 / gamma**2 - 2,
        None,
    )


def _sure(epsilon: Fraction, dimension: int) -> Choice:
    root = math.sqrt(epsilon)
    gamma = _rounded_down(root / (math.sqrt(1.5) + 4 * root))
    return _sure_choice(epsilon, gamma, Fraction(1), dimension, "sure")


def _sure_best(epsilon: Fraction, dimension: int) -> Choice:
    target = float(epsilon)

    def labels(logarithm: float) -> float:
        level = math.exp(logarithm)
        gamma = _largest_gamma(level, dimension, target)
        return level * (1 / gamma**2 - 4) + (1 + level) / dimension

    level = _rounded_down(math.exp(_minimise(labels, -12.0, 6.0)))
    gamma = _rounded_down(_largest_gamma(float(level), dimension, target))
    return _sure_choice(epsilon, gamma, level, dimension, "sure-best")


def _sure_choice(
    epsilon: Fraction, gamma: Fraction, level: Fraction, dimension: int, name: str
) -> Choice:
    excess = sure_excess(gamma, level, dimension)
    if excess is None or excess > epsilon:  # the search in doubles missed by more than it rounds
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: no gamma was found for guarantee {name}",
            value=epsilon,
        )
    return Choice(
        epsilon,
        gamma,
        sure(level),
        name,
        "E[loss] <= (1 + epsilon) OPT",
        sure_labels(gamma, level, dimension),
        excess,
    )


GUARANTEES: dict[str, Callable[[Fraction, int], Choice]] = {
    "main": _main,
    "sure": _sure,
    "sure-best": _sure_best,
}


def gamma_for(epsilon: object, *, guarantee: str = "sure-best", dimension: int = 1) -> Choice:
    """The parameters for an accuracy; `dimension` sharpens the sure bounds (1 covers all d)."""
    exact = read_scalar(epsilon)
    if exact <= 0:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact)}: expected epsilon > 0", value=exact
        )
    if not Fraction(1, 10**12) <= exact <= 10**6:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact)}: expected a value from 1e-12 to 1e6", value=exact
        )
    if guarantee not in GUARANTEES:
        raise UnknownGuarantee(
            f"guarantee {guarantee!r}: expected one of {', '.join(sorted(GUARANTEES))}",
            value=guarantee,
        )
    return GUARANTEES[guarantee](exact, dimension)


def certify_best(
    choice: Choice, *, slack: Fraction = Fraction(1, 50), dimension: int = 1, boxes: int = 200_000
) -> Verdict:
    """Decide that no (gamma, T) with the bound on the loss has (1 - slack) times the labels.

    Branch and bound with exact rationals: both bounds are monotone in gamma and T, so a box is
    discarded when its best corner is too expensive or misses the accuracy.
    """
    goal = (1 - slack) * choice.labels
    # labels >= (1 + T)/d and, with T > 2g/(1-2g), labels >= 2(1 + 2g)/g: a bounded search.
    start = (
        min(Fraction(1, 2), 2 / (goal + 4)),
        Fraction(1, 2),
        Fraction(0),
        goal * dimension,
    )
    pending = [start]
    for _ in range(boxes):
        if not pending:
            return HOLDS
        gamma_low, gamma_high, level_low, level_high = pending.pop()
        if sure_labels(gamma_high, level_low, dimension) >= goal:
            continue
        margin = (1 - 2 * gamma_low) * level_high - 2 * gamma_low
        if margin <= 0:
            continue
        rate = min(g**2 - 4 * g**4 for g in (gamma_low, gamma_high))
        c = gamma_low**2 / (dimension * (1 - 4 * gamma_low**2)) if gamma_low < 0.5 else None
        rbar = level_low if c is None else level_low + c * (1 + level_low)
        if rate * (rbar + rbar**2 / 2) > choice.epsilon * margin**2:
            continue
        gamma_middle, level_middle = (gamma_low + gamma_high) / 2, (level_low + level_high) / 2
        cheaper = sure_labels(gamma_middle, level_middle, dimension) < goal
        if cheaper and _fits(gamma_middle, level_middle, dimension, choice.epsilon):
            return FAILS  # a better pair
        if (gamma_high - gamma_low) * (1 + level_high) > (level_high - level_low) * gamma_high:
            pending.append((gamma_low, gamma_middle, level_low, level_high))
            pending.append((gamma_middle, gamma_high, level_low, level_high))
        else:
            pending.append((gamma_low, gamma_high, level_low, level_middle))
            pending.append((gamma_low, gamma_high, level_middle, level_high))
    return undecided()
