"""What a header asks for, in numbers worked out by hand, with every rounding of its constants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from asura.trace import FORMAT, HeaderLine
from asura_verify.oracle.kept.scheme import scheme_of

F = Fraction


def scheme(**words: Any) -> Any:  # its fractions are compared with integers
    """Three points (1, 0), (0, 1), (0, 1), of which the last is X_2: R = 1 + 1/2."""
    rows: list[list[int | float | str]] = [[1, 0], [0, 1], [0, 1]]
    known: dict[str, Any] = {"gamma": 0.25, "points": rows, "unlabelled": 2}
    return scheme_of(HeaderLine(FORMAT, **(known | words)))


def test_two_sided() -> None:
    """g = 1/4: k = 3/4, c = 2R/g = 12, goal = k R T/g^2 = 18, rate k/(4g) = 3/4."""
    found = scheme(variant="two-sided")
    assert (found.slug, found.pool, found.rank, found.step) == ("two-sided", 2, F(3, 2), F(1, 4))
    assert (found.distance, found.upper, found.lower) == (12, 2, F(2, 3))
    assert (found.offset, found.goal, found.potential_rate) == (0, 18, F(3, 4))
    assert (found.ending, found.kept, found.middle) == ("overshoot", True, 1)
    assert found.words == "the two-sided variant, X_2 kept, ending by overshoot"
    # k: 1 + (1/4)/(3/4) = 4/3 roundings.
    counts = found.roundings
    assert (counts.step, counts.upper, counts.lower) == (0, 2, 2)
    assert (counts.goal, counts.potentials, counts.distance) == (F(4, 3) + 6, F(4, 3) + 1, 1)


def test_two_sided_with_a_parameter_that_is_rounded() -> None:
    """g = 1/3: k = 5/9; twice |g f'/f| more for every constant f."""
    found = scheme(variant="two-sided", gamma="1/3", stopping="sure", level=2, ending="clip")
    assert (found.goal, found.potential_rate) == (F(5, 9) * F(3, 2) * 2 * 9, 0)
    assert found.ending == "clip"
    counts = found.roundings
    once = 1 + F(4, 9) / F(5, 9)
    assert counts.step == 1
    assert counts.upper == 2 + 2 * (F(2, 3) / (1 - F(2, 3)))
    assert counts.lower == 2 + 2 * (F(2, 3) / (1 + F(2, 3)))
    assert counts.goal == once + 6 + 2 * (2 + F(8, 9) / F(5, 9))
    assert counts.potentials == once + 1 + 2 * (1 + F(8, 9) / F(5, 9))
    assert counts.distance == 3


def test_one_sided() -> None:
    """nu = 1/2, N = 3: step 2/3, c = R/(N step) = 3/4, lower 1/2, goal 1."""
    found = scheme(variant="one-sided", gamma=0.5, draws=3, ending="coin")
    assert (found.slug, found.pool, found.step) == ("one-sided", 2, F(2, 3))
    assert (found.distance, found.upper, found.lower) == (F(3, 4), None, F(1, 2))
    assert (found.goal, found.potential_rate, found.offset) == (1, 0, 0)
    assert (found.ending, found.kept, found.middle) == ("coin", True, 1)
    counts = found.roundings
    step = 2 + F(1, 4) / F(3, 4)
    assert (counts.step, counts.upper, counts.lower) == (step, 0, 1)
    assert (counts.goal, counts.potentials, counts.distance) == (0, 0, step + 3)


def test_one_sided_with_numbers_that_are_rounded() -> None:
    found = scheme(variant="one-sided", gamma="1/3", draws="7/3", ending="clip").roundings
    step = 2 + F(1, 9) / F(8, 9) + 2 * F(10, 9) / F(8, 9)
    assert (found.step, found.lower) == (step, 1 + 2 * F(1, 3) / F(2, 3))
    assert found.distance == step + 3 + 1


def test_tight_rates() -> None:
    """g = 1/4: upper 4/3, xi = 89/288, u_0 = 2d/g = 16."""
    found = scheme(rates="tight")
    lower = 1 / (1 + F(89, 288))
    width = F(4, 3) - lower
    assert (found.slug, found.pool, found.rank, found.step) == ("tight-rates", 3, 2, F(1, 4))
    assert (found.distance, found.offset) == (16, 16)
    assert (found.upper, found.lower) == (F(4, 3), lower)
    assert (found.goal, found.potential_rate) == (32 / width, 1 / width)
    assert (found.ending, found.kept, found.middle) == ("overshoot", False, (F(4, 3) + lower) / 2)
    assert found.words == "Algorithm 2 at tight rates"
    counts = found.roundings
    assert (counts.step, counts.upper, counts.lower) == (0, 2, 8)
    assert (counts.goal, counts.potentials, counts.distance) == (6, 4, 2)


def test_tight_rates_with_a_parameter_that_is_rounded() -> None:
    found = scheme(rates="tight", gamma="1/3", stopping="sure", level=3)
    assert found.potential_rate == 0
    assert found.goal == 2 * 12 * 3 / (found.upper - found.lower)
    counts = found.roundings
    assert (counts.step, counts.upper, counts.lower) == (1, 2 + 2 * F(1, 3) / F(2, 3), 8 + 4)
    assert (counts.goal, counts.potentials, counts.distance) == (8, 4, 4)


@pytest.mark.parametrize(("gamma", "more"), [(0.25, 0), ("1/3", 1)])
def test_the_papers_algorithm_is_a_scheme(gamma: float | str, more: int) -> None:
    """Its rates are 1/(1 - 2g) and 1/(1 + 2g), and mid is their middle."""
    found = scheme(gamma=gamma)
    g = F(1, 4) if more == 0 else F(1, 3)
    assert (found.slug, found.words) == ("invariant", "Algorithm 2")
    assert (found.upper, found.lower) == (1 / (1 - 2 * g), 1 / (1 + 2 * g))
    assert found.middle == 1 / (1 - 4 * g * g)
    counts = found.roundings
    assert counts.upper == 2 + more * 2 * (2 * g / (1 - 2 * g))
    assert counts.lower == 2 + more * 4
