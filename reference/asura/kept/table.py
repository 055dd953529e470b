"""The constants of the kept variants beside those of the paper's method, computed and certified.

`python -m asura.kept` prints them. A constant C means E[labels] <= C R/eps, or at most C R/eps
labels surely; `certified` says that its inequality was checked exactly and, where a search is
behind it, that no parameters are better by the stated slack.

>>> row = one_sided_row()
>>> [round(float(value), 2) for value in row.values[:2]], row.certified.holds
([9.72, 3.18], True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from asura.guarantees import Choice, certify_best, gamma_for
from asura.kept.bounds import one_sided_excess
from asura.kept.tuning import certify_one_sided, one_sided_for, redrawn_for, short, two_sided_for
from asura.main_failure import MAIN_FAILURE, kept_failure
from asura.verdict import Verdict, all_of, decided

ACCURACIES = tuple(Fraction(1, 10**power) for power in range(5))
BUDGETS = (15, 20, 30, 50, 100, 300)

#: The branch and bound of the paper's barriers takes seconds at eps = 1/1000, and longer beyond.
CERTIFIED_ACCURACIES = ACCURACIES[:3]

#: Large enough for "every large d".
LARGE = 10**6


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: constants at the accuracies, or excesses at the budgets."""

    name: str
    values: tuple[Fraction, ...]
    certified: Verdict
    meaning: str


def _barriers(guarantee: str, dimension: int, name: str) -> Row:
    choices: list[Choice] = [
        gamma_for(epsilon, guarantee=guarantee, dimension=dimension) for epsilon in ACCURACIES[:4]
    ]
    valid = [decided(c.excess is not None and c.excess <= c.epsilon) for c in choices]
    best = [
        certify_best(c, slack=Fraction(1, 20), dimension=dimension)
        for c in choices
        if c.epsilon in CERTIFIED_ACCURACIES and dimension == 1
    ]
    values = tuple(c.labels * c.epsilon for c in choices)
    meaning = "inequality exact; within 5 % of the best for eps >= 1/100" if best else "exact"
    return Row(name, values, all_of([*valid, *best]), meaning)


def one_sided_row() -> Row:
    """K2: E[draws] eps/R."""
    choices = [one_sided_for(epsilon) for epsilon in ACCURACIES]
    verdict = all_of(
        decided(c.excess <= c.epsilon) & certify_one_sided(c, slack=Fraction(1, 1000))
        for c in choices
    )
    values = tuple(c.constant for c in choices)
    return Row("K2, one-sided", values, verdict, "within 0.1 % of the best of its bound")


def two_sided_row() -> Row:
    """K1 under the paper's rule: sure labels eps/R, for excess <= eps OPT_1 with probability 3/4.

    At most ceil(R sqrt(k)/gamma^2) labels; the value leaves out the rounding up.
    """
    gammas = [two_sided_for(epsilon) for epsilon in ACCURACIES]
    verdict = all_of(
        decided(kept_failure(gamma, epsilon) <= MAIN_FAILURE)
        for gamma, epsilon in zip(gammas, ACCURACIES, strict=True)
    )
    values = tuple(e / g**2 for g, e in zip(gammas, ACCURACIES, strict=True))
    return Row("K1, paper's rule, surely, P = 3/4", values, verdict, "inequality exact, every R")


def budget_for(epsilon: Fraction) -> Fraction:
    """K3: the smallest B/R that is found for an accuracy, by bisection."""
    low, high = Fraction(1), Fraction(64)
    while _misses(high, epsilon):
        low, high = high, high * 2
    while high - low > high / 1000:
        middle = short(float((low + high) / 2), 16)
        low, high = (middle, high) if _misses(middle, epsilon) else (low, middle)
    return high


def _misses(ratio: Fraction, epsilon: Fraction) -> bool:
    choice = redrawn_for(ratio)
    return choice is None or choice.excess > epsilon


def redrawn_row() -> Row:
    """K3: E[excess | at most B draws]/OPT_1 at B/R."""
    choices = [redrawn_for(Fraction(budget)) for budget in BUDGETS]
    values = tuple(c.excess for c in choices if c is not None)
    verdict = all_of(
        decided(
            c is not None
            and c.overrun < 1
            and (one_sided_excess(c.ratio, c.nu) or 1) <= (1 - c.overrun) * c.excess
        )
        for c in choices
    )
    return Row("K3, B/R = 15, 20, 30, 50, 100, 300", values, verdict, "inequality exact")


def two_stage_constant(epsilon: Fraction) -> tuple[Fraction, Verdict]:
    """A sure budget for the two-stage estimator, times eps/R: pilot B_0/R, then (1 + eps_0)/eps."""

    def cost(power: int) -> tuple[Fraction, Fraction, Fraction]:
        pilot = short(float(epsilon) ** (power / 16) * 4, 12)
        budget = budget_for(pilot)
        return epsilon * budget + 1 + pilot, budget, pilot

    around = min(range(-8, 13, 3), key=lambda power: cost(power)[0])
    value, budget, pilot = min(cost(power) for power in range(around - 2, around + 3))
    return value, decided(not _misses(budget, pilot))


def two_stage_row() -> Row:
    """Two stages: sure labels eps/R, up to two labels of rounding."""
    found = [two_stage_constant(epsilon) for epsilon in ACCURACIES]
    verdict = all_of(verdict for _, verdict in found)
    values = tuple(value for value, _ in found)
    return Row("two stages, surely", values, verdict, "inequality exact; a grid of pilots")


def table() -> Iterable[Row]:
    """All rows, one after the other."""
    yield _barriers("sure-best", 1, "ASURA, sure rule, every d")
    yield _barriers("sure-best", LARGE, "ASURA, sure rule, large d")
    yield _barriers("tight-best", 1, "ASURA, tight rates, every d")
    yield _barriers("tight-best", LARGE, "ASURA, tight rates, large d")
    yield two_sided_row()
    yield one_sided_row()
    yield redrawn_row()
    yield two_stage_row()


def lines() -> Iterable[str]:
    """The table as text."""
    yield f"{'C at eps = 1, .1, .01, .001, 1e-4':<36}{'':<52}certified"
    for row in table():
        values = "  ".join(f"{float(value):.4g}" for value in row.values)
        yield f"{row.name:<36}{values:<52}{row.certified} ({row.meaning})"
