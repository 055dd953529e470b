"""From an accuracy to the parameters of Algorithm 2, each with the guarantee that it buys.

- `main`: the paper's stopping rule with gamma = sqrt(eps)/33;
- `main-15`, `main-13`: the same with gamma = sqrt(eps)/15 or /13, by the sharper tail;
- `main-best`: the same with the largest gamma that the sharper tail is found to allow;
- `sure`: the rule of randomized BSS (T = 1) with gamma = sqrt(eps)/(sqrt(3/2) + 4 sqrt(eps));
- `sure-best`: the (gamma, T) with the smallest bound on the labels, found for this eps;
- `tight-best`: the same for the tight rates of the barriers (`asura.rates`);
- `best`: of the guarantees on E[loss], the one with the smallest bound on the labels.

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
from asura.formulas import clock_ceiling, curvature, drift_margin, largest_theta, pace
from asura.main_failure import MAIN_FAILURE, main_failure
from asura.rates import PAPER_RATES, TIGHT_RATES, Number, Rates
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
    rates: Rates = PAPER_RATES


def sure_labels(
    gamma: Number, level: Number, dimension: int = 1, rates: Rates = PAPER_RATES
) -> Number:
    """The bound n rbar = n T + (1 + T)/d on E[draws]/R_X, for n draws per clock (sure-stop).

    At the paper's rates n = k/gamma^2 = 1/gamma^2 - 4.
    """
    return level * rates.draws_per_clock(gamma) + (1 + level) / dimension


def _noise_rate(gamma: Number, rates: Rates) -> Number:
    """The factor gamma (a + xi)(1 + xi)/4, which the bound has times (1 - a).

    At the paper's rates both make gamma^2 k.
    """
    a, xi = rates.above(gamma), rates.below(gamma)
    return gamma * (a + xi) * (1 + xi) / 4


def _margin(gamma: Number, level: Number, rates: Rates) -> Number:
    """The margin (1 - a) T - (a + xi)/2, at the paper's rates (1 - 2 gamma) T - 2 gamma."""
    a, xi = rates.above(gamma), rates.below(gamma)
    return (1 - a) * level - (a + xi) / 2


def _ceiling(gamma: Number, level: Number, dimension: int, rates: Rates) -> Number:
    """rbar = T + (1 + T)/(d n): `clock_ceiling` at any rates."""
    return level + (1 + level) / (dimension * rates.draws_per_clock(gamma))


def _sure_excess(gamma: Number, level: Number, dimension: int, rates: Rates) -> Number | None:
    margin = _margin(gamma, level, rates)
    if margin <= 0:
        return None
    rbar = _ceiling(gamma, level, dimension, rates)
    rate = _noise_rate(gamma, rates) * (1 - rates.above(gamma))
    return rate * (rbar + rbar * rbar / 2) / (margin * margin)


def sure_excess(
    gamma: Fraction, level: Fraction, dimension: int = 1, rates: Rates = PAPER_RATES
) -> Fraction | None:
    """What bounds E[loss]/OPT - 1, for rbar = T + (1 + T)/(d n), n draws per clock.

    At the paper's rates gamma^2 k (rbar + rbar^2/2)/((1 - 2 gamma) T - 2 gamma)^2. None where the
    bound does not apply. It decreases in d, so d = 1 covers every dimension.
    """
    return _sure_excess(gamma, level, dimension, rates)


def _rounded_down(value: float) -> Fraction:
    """A little below a positive float, with few bits."""
    scale = 2 ** (20 - math.frexp(value)[1])
    return Fraction(math.floor(value * float(scale)) - 1) / Fraction(scale)


def _fits(
    gamma: Fraction, level: Fraction, dimension: int, epsilon: Fraction, rates: Rates
) -> bool:
    excess = sure_excess(gamma, level, dimension, rates)
    return excess is not None and excess <= epsilon


def _largest_gamma(level: float, dimension: int, epsilon: float, rates: Rates) -> float:
    """The largest gamma that meets the accuracy at this level, by bisection in doubles."""
    low, high = 0.0, float(rates.limit)
    for _ in range(60):
        middle = (low + high) / 2
        excess = _sure_excess(middle, level, dimension, rates)
        low, high = (middle, high) if excess is not None and excess <= epsilon else (low, middle)
    return low


def _minimise(function: Callable[[float], float], low: float, high: float) -> float:
    """Golden-section search for the minimum of a unimodal function."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return (low + high) / 2


def _main_with(constant: int, name: str) -> Callable[[Fraction, int], Choice]:
    """The paper's rule with gamma = sqrt(eps)/constant."""

    def choice(epsilon: Fraction, dimension: int) -> Choice:
        root = square_root(epsilon) or _rounded_down(math.sqrt(epsilon))
        return _main_choice(epsilon, root / constant, dimension, name)

    return choice


def _main_best(epsilon: Fraction, dimension: int) -> Choice:
    root = math.sqrt(epsilon)
    low, high = 0.0, 1 / 4
    for _ in range(20):
        middle = (low + high) / 2
        holds = main_failure(_rounded_down(middle * root), epsilon, dimension) <= MAIN_FAILURE
        low, high = (middle, high) if holds else (low, middle)
    return _main_choice(epsilon, _rounded_down(low * root), dimension, "main-best")


def main_labels(gamma: Fraction, dimension: int = 1) -> Fraction:
    """E[draws from X_1]/R_X under the paper's rule: 1/gamma^2 - 2, or less (theta-supermartingale).

    With c = gamma^2/(dk) and rbar = 1 + 2c, k (rbar + c(1 + rbar)/2 - theta rbar^2/(2(1 + rbar)))
    over gamma^2, where 1 - 5 gamma + 5 gamma^2 >= 0.

    >>> 148 < main_labels(Fraction(1, 13)) < 149
    True
    """
    plain = 1 / gamma**2 - 2
    if drift_margin(gamma) < 0:
        return plain
    rbar, theta = clock_ceiling(gamma, dimension, Fraction(1)), largest_theta(gamma)
    half_a_step = pace(gamma, dimension) * (1 + rbar) / 2
    factor = rbar + half_a_step - theta * rbar**2 / (2 * (1 + rbar))
    return min(plain, curvature(gamma) * factor / gamma**2)


def _main_choice(epsilon: Fraction, gamma: Fraction, dimension: int, name: str) -> Choice:
    if epsilon > 1:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: guarantee {name} expects 0 < epsilon <= 1",
            value=epsilon,
        )
    if name != "main" and main_failure(gamma, epsilon, dimension) > MAIN_FAILURE:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: the probability is not certified for {name}",
            value=epsilon,
        )
    return Choice(
        epsilon,
        gamma,
        PAPER,
        name,
        "loss <= (1 + epsilon) OPT with probability at least 3/4",
        main_labels(gamma, dimension),
        None,
    )


def _sure(epsilon: Fraction, dimension: int) -> Choice:
    root = math.sqrt(epsilon)
    gamma = _rounded_down(root / (math.sqrt(1.5) + 4 * root))
    return _sure_choice(epsilon, gamma, Fraction(1), dimension, "sure", PAPER_RATES)


def _best_at(rates: Rates, name: str) -> Callable[[Fraction, int], Choice]:
    """The sure rule with the (gamma, T) of the fewest labels, at given rates."""

    def choice(epsilon: Fraction, dimension: int) -> Choice:
        target = float(epsilon)

        def labels(logarithm: float) -> float:
            level = math.exp(logarithm)
            gamma = _largest_gamma(level, dimension, target, rates)
            return sure_labels(gamma, level, dimension, rates)

        level = _rounded_down(math.exp(_minimise(labels, -12.0, 6.0)))
        gamma = _rounded_down(_largest_gamma(float(level), dimension, target, rates))
        return _sure_choice(epsilon, gamma, level, dimension, name, rates)

    return choice


def _sure_choice(
    epsilon: Fraction, gamma: Fraction, level: Fraction, dimension: int, name: str, rates: Rates
) -> Choice:
    excess = sure_excess(gamma, level, dimension, rates)
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
        sure_labels(gamma, level, dimension, rates),
        excess,
        rates,
    )


_sure_best = _best_at(PAPER_RATES, "sure-best")
_tight_best = _best_at(TIGHT_RATES, "tight-best")


def _best(epsilon: Fraction, dimension: int) -> Choice:
    choices = (_sure_best(epsilon, dimension), _tight_best(epsilon, dimension))
    return min(choices, key=lambda choice: choice.labels)


GUARANTEES: dict[str, Callable[[Fraction, int], Choice]] = {
    "best": _best,
    "main": _main_with(C_0, "main"),
    "main-13": _main_with(13, "main-13"),
    "main-15": _main_with(15, "main-15"),
    "main-best": _main_best,
    "sure": _sure,
    "sure-best": _sure_best,
    "tight-best": _tight_best,
}


def best_guarantee(stopping: str | None = None, rates: Rates = PAPER_RATES) -> str:
    """The guarantee with the fewest labels for a stopping rule (the sure one) and for rates.

    >>> best_guarantee(), best_guarantee("paper"), best_guarantee(rates=TIGHT_RATES)
    ('sure-best', 'main-best', 'tight-best')
    """
    if stopping != "paper":
        return "sure-best" if rates is PAPER_RATES else "tight-best"
    if rates is not PAPER_RATES:
        raise UnknownGuarantee(
            f"the paper's stopping rule at {rates.name} rates has no guarantee: expected the "
            "sure rule, or the paper's rates",
            value=rates.name,
        )
    return "main-best"


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

    Branch and bound with exact rationals: every factor of both bounds is monotone in gamma and T,
    so a box is discarded when its best corners are too expensive or miss the accuracy.
    """
    goal, rates = (1 - slack) * choice.labels, choice.rates
    # labels >= (1 + T)/d and, with T > (a + xi)/(2(1 - a)), labels >= 2(1 + xi)/gamma >= 2/gamma,
    # so the search is bounded.
    start = (
        min(rates.limit, 2 / (goal + 4)),
        rates.limit,
        Fraction(0),
        goal * dimension,
    )
    pending = [start]
    for _ in range(boxes):
        if not pending:
            return HOLDS
        gamma_low, gamma_high, level_low, level_high = pending.pop()
        if sure_labels(gamma_high, level_low, dimension, rates) >= goal:
            continue
        margin = _margin(gamma_low, level_high, rates)
        if margin <= 0:
            continue
        rate = _noise_rate(gamma_low, rates) * (1 - rates.above(gamma_high))
        rbar = level_low
        if gamma_low < rates.limit:
            rbar = _ceiling(gamma_low, level_low, dimension, rates)
        if rate * (rbar + rbar**2 / 2) > choice.epsilon * margin**2:
            continue
        gamma_middle, level_middle = (gamma_low + gamma_high) / 2, (level_low + level_high) / 2
        cheaper = sure_labels(gamma_middle, level_middle, dimension, rates) < goal
        if cheaper and _fits(gamma_middle, level_middle, dimension, choice.epsilon, rates):
            return FAILS  # a better pair
        if (gamma_high - gamma_low) * (1 + level_high) > (level_high - level_low) * gamma_high:
            pending.append((gamma_low, gamma_middle, level_low, level_high))
            pending.append((gamma_middle, gamma_high, level_low, level_high))
        else:
            pending.append((gamma_low, gamma_high, level_low, level_middle))
            pending.append((gamma_low, gamma_high, level_middle, level_high))
    return undecided()
