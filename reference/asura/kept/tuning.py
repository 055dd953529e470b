"""The best parameters of K2 and K3: searched in doubles, checked exactly, certified.

For K2 the number C = N eps/R = eps/x says what an accuracy costs: E[draws] <= C R/eps.

>>> choice = one_sided_for(Fraction(1, 10))
>>> round(float(choice.constant), 2), choice.excess <= Fraction(1, 10)
(3.18, True)
>>> str(certify_one_sided(choice))
'holds'
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from asura.errors import EpsilonOutOfRange
from asura.kept.bounds import ONE, excess_of, one_sided_excess, overrun, redrawn_excess
from asura.main_failure import MAIN_FAILURE, kept_failure
from asura.scalars import write_scalar
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: Steps of a coordinate in one round of the search, and rounds.
_GRID, _ROUNDS = 8, 14


@dataclass(frozen=True, slots=True)
class OneSidedChoice:
    """K2 with x = R/N and nu: E[excess] <= `excess` OPT_1."""

    epsilon: Fraction
    norm: Fraction
    ratio: Fraction
    nu: Fraction
    excess: Fraction

    @property
    def constant(self) -> Fraction:
        """C in E[draws] <= C R/eps."""
        return self.epsilon / self.ratio


@dataclass(frozen=True, slots=True)
class RedrawnChoice:
    """K3 for B/R: K2 with x = R/N and nu, redrawn while it has more than B draws.

    `overrun` bounds the probability of a redraw, `excess` E[excess | at most B draws]/OPT_1.
    """

    budget_ratio: Fraction
    norm: Fraction
    ratio: Fraction
    nu: Fraction
    overrun: Fraction
    excess: Fraction


def short(value: float, bits: int = 24) -> Fraction:
    """A positive float with few bits, rounded down."""
    mantissa, exponent = math.frexp(value)
    return Fraction(math.floor(mantissa * 2**bits), 2**bits) * Fraction(2) ** exponent


def search(
    function: Callable[[float, float], float | None],
    first: tuple[float, float],
    second: tuple[float, float],
) -> tuple[float, float]:
    """Where a function of two positive numbers is smallest, on ever finer grids of logarithms."""
    bounds = [(math.log(low), math.log(high)) for low, high in (first, second)]
    best = (math.inf, 0.0, 0.0)
    for _ in range(_ROUNDS):
        grids = [
            sorted({low + (high - low) * i / (2 * _GRID) for i in range(2 * _GRID + 1)})
            for low, high in bounds
        ]
        for x in grids[0]:
            for y in grids[1]:
                value = function(math.exp(x), math.exp(y))
                if value is not None and value < best[0]:
                    best = (value, x, y)
        if best[0] == math.inf:
            return math.exp(bounds[0][0]), math.exp(bounds[1][0])
        bounds = [
            (max(low, at - (high - low) / 5), min(high, at + (high - low) / 5))
            for (low, high), at in zip(bounds, best[1:], strict=True)
        ]
    return math.exp(best[1]), math.exp(best[2])


def _largest_ratio(epsilon: float, nu: float, norm: float) -> float | None:
    """The largest x = R/N that meets the accuracy at this nu; None when none does."""
    low, high = 0.0, nu / (1 - nu * nu)
    for _ in range(60):
        middle = (low + high) / 2
        excess = excess_of(middle, nu, norm)
        low, high = (middle, high) if excess is not None and excess <= epsilon else (low, middle)
    return low or None


def one_sided_for(epsilon: Fraction, norm: Fraction = ONE) -> OneSidedChoice:
    """K2 with the fewest draws for an accuracy."""
    if not Fraction(1, 10**12) <= epsilon <= 10**6:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: expected a value from 1e-12 to 1e6",
            value=epsilon,
        )
    target, delta = float(epsilon), float(norm)

    def cost(nu: float, _: float) -> float | None:
        ratio = _largest_ratio(target, nu, delta)
        return None if ratio is None else 1 / ratio

    nu = short(search(cost, (1e-6, 0.999), (1.0, 1.0))[0])
    largest = _largest_ratio(target, float(nu), delta)
    ratio = short((largest or 0.0) * (1 - 1e-9)) if largest else Fraction(0)
    excess = one_sided_excess(ratio, nu, norm) if ratio else None
    if excess is None or excess > epsilon:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: no parameters were found for K2",
            value=epsilon,
        )
    return OneSidedChoice(epsilon, norm, ratio, nu, excess)


def certify_one_sided(
    choice: OneSidedChoice, *, slack: Fraction = Fraction(1, 200), boxes: int = 100_000
) -> Verdict:
    """Decide that no nu allows (1 - slack) times the draws.

    The excess grows with x, so one x is enough: that of so many draws. On a box of nu the noise is
    smallest at its lower end, and the least eigenvalue at most 1 - delta low - x (1 - high^2)/high.
    """
    ratio, norm = choice.ratio / (1 - slack), choice.norm
    pending = [(Fraction(0), Fraction(1))]
    for _ in range(boxes):
        if not pending:
            return HOLDS
        low, high = pending.pop()
        least = 1 - norm * low - (1 - high**2) * ratio / high
        noise = ratio + norm * low**2 / (2 * (1 - low**2))
        if least <= 0 or noise > choice.epsilon * least**2:
            continue
        middle = (low + high) / 2
        excess = one_sided_excess(ratio, middle, norm)
        if excess is not None and excess <= choice.epsilon:
            return FAILS  # a better pair
        pending += [(low, middle), (middle, high)]
    return undecided()


def two_sided_for(epsilon: Fraction) -> Fraction:
    """K1 under the paper's rule: a large gamma with excess <= eps OPT_1 with probability 3/4.

    The labels are at most ceil(R sqrt(k)/gamma^2), surely (`asura.run.longest`), for every R > 0.

    >>> gamma = two_sided_for(Fraction(1))
    >>> kept_failure(gamma, Fraction(1)) <= MAIN_FAILURE, float(1 / gamma) < 14.8
    (True, True)
    """
    if not Fraction(1, 10**12) <= epsilon <= 1:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(epsilon)}: expected a value from 1e-12 to 1",
            value=epsilon,
        )
    root = math.sqrt(epsilon)
    low, high = 1 / 40, 1 / 4
    for _ in range(16):
        middle = (low + high) / 2
        holds = kept_failure(short(middle * root), epsilon) <= MAIN_FAILURE
        low, high = (middle, high) if holds else (low, middle)
    return short(low * root)


def redrawn_for(budget_ratio: Fraction, norm: Fraction = ONE) -> RedrawnChoice | None:
    """K3 with the smallest excess for B/R; None when nothing is found.

    With the coin, more than B draws mean m' > B for m' = m - 1 + theta, so N reach = B.
    """
    rho, delta = float(budget_ratio), float(norm)

    def cost(ratio: float, nu: float) -> float | None:
        return redrawn_excess(rho, ratio, nu, delta)

    ratio, nu = (short(v) for v in search(cost, (1 / rho, max(1.0, 4 / rho)), (1e-5, 0.99)))
    excess = redrawn_excess(budget_ratio, ratio, nu, norm)
    if excess is None:
        return None
    failed = overrun(budget_ratio * ratio, ratio, nu, norm)
    return RedrawnChoice(budget_ratio, norm, ratio, nu, failed, excess)
