"""Both sides of 3/4 X^T X <= A^T A <= 5/4 X^T X, at their ends and just beyond."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asura.certificate import HIGHEST, LOWEST, sandwiched
from asura.dataset import SMALL_KERNEL, KernelData, dataset, kernel_ridge

HAIR = Fraction(1, 10**30)
AXES = dataset([[1, 0], [0, 1]])


def test_the_interval_of_the_paper() -> None:
    assert (Fraction(3, 4), Fraction(5, 4)) == (LOWEST, HIGHEST)


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (Fraction(3, 4), Fraction(5, 4), "holds"),
        (Fraction(1), Fraction(1), "holds"),
        (Fraction(3, 4) - HAIR, Fraction(1), "fails"),
        (Fraction(1), Fraction(3, 4) - HAIR, "fails"),
        (Fraction(5, 4) + HAIR, Fraction(1), "fails"),
        (Fraction(1), Fraction(5, 4) + HAIR, "fails"),
        (Fraction(7), Fraction(7), "fails"),
    ],
)
def test_the_ends_belong_to_the_interval(first: Fraction, second: Fraction, outcome: str) -> None:
    assert str(sandwiched(AXES, {0: first, 1: second})) == outcome


def test_an_interval_of_ones_own() -> None:
    weights = {0: Fraction(2), 1: Fraction(3)}
    assert sandwiched(AXES, weights, lowest=Fraction(2), highest=Fraction(3)).holds
    assert sandwiched(AXES, weights, lowest=Fraction(2) + HAIR, highest=Fraction(3)).fails
    assert sandwiched(AXES, weights, lowest=Fraction(2), highest=Fraction(3) - HAIR).fails


def test_scales_and_correlated_points() -> None:
    """X^T X = diag(1, 4) + (1, 1)(1, 1)^T; weights 1 on all points give it back."""
    data = dataset([[1, 0], [0, 1], [1, 1]], squared_scales=[1, 4, 1])
    exactly: dict[int, Fraction] = dict.fromkeys(range(3), Fraction(1))
    one = Fraction(1)
    assert sandwiched(data, exactly, lowest=one, highest=one).holds
    # Without the third point the quadratic form loses 4 of the 9 at (1, 1): 5/9 < 3/4.
    assert sandwiched(data, {0: one, 1: one}).fails
    assert sandwiched(data, {0: one, 1: one}, lowest=Fraction(1, 3)).holds


def test_a_tie_of_a_large_kernel_is_decided_exactly() -> None:
    """Balls leave A^T A = G open; the exact rows do not."""
    size = SMALL_KERNEL + 1
    data = kernel_ridge([[int(i == k) for k in range(size)] for i in range(size)], 1)
    one = Fraction(1)
    everything = dict.fromkeys(range(data.size), one)
    assert isinstance(data, KernelData)
    assert sandwiched(data, everything, lowest=one, highest=one).holds
    assert sandwiched(data, everything, lowest=one + HAIR, highest=2 * one).fails
