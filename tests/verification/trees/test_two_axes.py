"""The tree of X = I in intervals of doubles is the tree in balls."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asura.dataset import dataset
from asura.scalars import Enclosure
from asura_verify.deciding.directed_intervals import Interval, enclose
from asura_verify.trees import two_axes as module
from asura_verify.trees.quantities import wald
from asura_verify.trees.two_axes import two_axes

AXES = dataset([[1, 0], [0, 1]])


def _overlap(first: Enclosure, second: Enclosure) -> bool:
    return first.lower <= second.upper and second.lower <= first.upper


@pytest.mark.parametrize("gamma", [Fraction(3, 10), Fraction(2, 5), Fraction(9, 20)])
def test_it_agrees_with_the_tree_in_balls(gamma: Fraction) -> None:
    found, balls = two_axes(gamma), wald(AXES, gamma)
    assert _overlap(found.summed, balls.summed)
    assert _overlap(found.decoupled, balls.decoupled)
    bound = Enclosure(gamma * found.length.lower, gamma * found.length.upper)
    assert _overlap(bound, balls.bound)
    assert found.summed.radius < Fraction(1, 10**10)


def test_the_equality_fails_and_the_bound_holds_at_a_quarter() -> None:
    found = two_axes(Fraction(1, 4))
    assert (found.shortest, found.longest) == (17, 21)
    assert found.summed.lower > found.decoupled.upper
    assert found.summed.upper <= found.length.lower / 4


def test_a_stop_in_doubt_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = enclose([Fraction(3, 10), Fraction(31, 100)])
    hull = Interval(wide.low.min(), wide.high.max())
    monkeypatch.setattr(module, "enclose", lambda *_, **__: hull)
    with pytest.raises(ArithmeticError):
        two_axes(Fraction(3, 10))
