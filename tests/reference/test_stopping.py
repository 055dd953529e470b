"""The two stopping rules, and where their loops end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from asura import errors
from asura.algorithm2_asura import Asura, State
from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.stopping import PAPER, PaperRule, StoppingRule, SureRule, sure

ONE = dataset([[1], [2]])  # d = 1; at gamma = 1/4 the barriers start at 8 and -8


def state(upper: str, lower: str, potentials: str) -> State[Any, Any]:
    """All that the stopping rules see of a state."""
    nothing: Any = None
    numbers = [EXACT.scalar(Fraction(value)) for value in (upper, lower, potentials)]
    return State(nothing, numbers[0], numbers[1], numbers[2], 0)


def test_the_rules_by_name() -> None:
    assert PaperRule() == PAPER
    one = Fraction(1)
    assert (PAPER.name, PAPER.counts_potentials, PAPER.level) == ("paper", True, one)
    assert (sure().name, sure().counts_potentials, sure().level) == ("sure", False, one)
    assert SureRule().level == 1
    assert sure("3/4").level == Fraction(3, 4)


@pytest.mark.parametrize("level", [0, -1, "-1/1000"])
def test_a_level_must_be_positive(level: object) -> None:
    with pytest.raises(errors.LevelOutOfRange):
        sure(level)


def test_any_positive_level_will_do() -> None:
    assert sure("1/1000").level == Fraction(1, 1000)


@pytest.mark.parametrize(
    ("rule", "before", "at"),
    [
        # 8d/gamma = 32 is reached by the gap and the potentials together ...
        (PAPER, ("20", "-11", "999/1000"), ("20", "-11", "1")),
        # ... or (4d/gamma)(1 + T) = 16(1 + T) by the gap alone.
        (sure(1), ("20", "-11", "99"), ("20", "-12", "0")),
        (sure("1/2"), ("20", "-3", "99"), ("20", "-4", "0")),
    ],
)
def test_the_loop_goes_on_strictly_below_the_bound(
    rule: StoppingRule, before: tuple[str, str, str], at: tuple[str, str, str]
) -> None:
    algorithm = Asura(ONE, Fraction(1, 4), EXACT, rule)
    assert algorithm.proceeds(state(*before)).holds
    assert algorithm.proceeds(state(*at)).fails


@pytest.mark.parametrize(
    ("rule", "values", "progress"),
    [
        (PAPER, ("8", "-8", "0"), 0.0),
        (PAPER, ("12", "-7", "1"), 0.25),  # (20 - 16)/(32 - 16)
        (PAPER, ("20", "-12", "0"), 1.0),
        (PAPER, ("40", "-40", "0"), 1.0),
        (sure("1/2"), ("12", "-8", "99"), 0.5),  # (20 - 16)/(24 - 16)
    ],
)
def test_progress_goes_from_zero_to_one(
    rule: StoppingRule, values: tuple[str, str, str], progress: float
) -> None:
    algorithm = Asura(ONE, Fraction(1, 4), EXACT, rule)
    assert algorithm.progress(state(*values)) == progress
