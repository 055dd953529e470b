"""Intervals of doubles contain the exact results, at every scale."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from asura_verify.deciding import directed_intervals
from asura_verify.deciding.directed_intervals import Interval, enclose, ratio, running_sums, whole

COUNT = 400


def _cells(seed: int, *, positive: bool) -> Interval:
    """Cells of every scale, some of them points."""
    random = np.random.default_rng(seed)
    size = 2.0 ** random.integers(-60, 60, COUNT)
    ends = np.sort(random.normal(size=(2, COUNT)) * size, axis=0)
    low, high = ends[0], np.where(random.random(COUNT) < 0.3, ends[0], ends[1])
    if positive:
        low, high = np.sort(np.abs(np.stack([low, high])), axis=0)
    return Interval(low, high)


def _inside(cells: Interval, seed: int) -> list[Fraction]:
    """One rational of each cell: an end, or between the ends."""
    random = np.random.default_rng(seed)
    return [
        Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(int(share), 4)
        for low, high, share in zip(
            cells.low, cells.high, random.integers(0, 5, COUNT), strict=True
        )
    ]


def _misses(found: Interval, exact: list[Fraction]) -> int:
    return sum(
        not Fraction(low) <= value <= Fraction(high)
        for low, high, value in zip(found.low, found.high, exact, strict=True)
    )


def _all_misses() -> int:
    first, second = _cells(1, positive=False), _cells(2, positive=True)
    x, y = _inside(first, 3), _inside(second, 4)
    pairs = list(zip(x, y, strict=True))
    return (
        _misses(first + second, [a + b for a, b in pairs])
        + _misses(first - second, [a - b for a, b in pairs])
        + _misses(first * second, [a * b for a, b in pairs])
        + _misses(first / second, [a / b for a, b in pairs])
        + _misses(-first, [-a for a in x])
        + _misses(first.square(), [a * a for a in x])
        + _misses(first.positive_part(), [max(a, Fraction(0)) for a in x])
        + _misses(second.sqrt().square(), y)
    )


def test_operations_contain_the_exact_results() -> None:
    assert _all_misses() == 0


def test_rounding_inwards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directed_intervals, "up", lambda values: values)
    monkeypatch.setattr(directed_intervals, "down", lambda values: values)
    assert _all_misses() > 0


def test_roots_and_fractions_against_balls() -> None:
    cells = _cells(5, positive=True)
    roots, parts = cells.sqrt(), (1 + cells).reciprocal()
    before, ctx.prec = ctx.prec, 200
    try:
        for i in range(COUNT):
            for end in (cells.low[i], cells.high[i]):
                root, part = arb(float(end)).sqrt(), 1 / (1 + arb(float(end)))
                assert arb(float(roots.low[i])) <= root <= arb(float(roots.high[i]))
                assert arb(float(parts.low[i])) <= part <= arb(float(parts.high[i]))
    finally:
        ctx.prec = before


def test_rationals_and_sums() -> None:
    values = [Fraction(1, 3), Fraction(-7, 10), Fraction(3, 4), Fraction(0)]
    assert _misses(enclose(values), values) == 0
    assert enclose([Fraction(3, 4)]).low == enclose([Fraction(3, 4)]).high
    assert ratio(1, 3).low < ratio(1, 3).high
    terms = np.array([1e16, 1.0, -1e16, 2.0**-60])
    sums = running_sums(terms)
    for count, bound in enumerate(sums):
        assert sum((Fraction(term) for term in terms[:count]), Fraction(0)) <= Fraction(bound)


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(ArithmeticError):
        whole(np.array([np.nan]))
    with pytest.raises(ArithmeticError):
        Interval(np.array([1.0]), np.array([0.0]))
    with pytest.raises(ArithmeticError):
        whole(0.0).reciprocal()
