"""Three outcomes, and how they combine: Kleene's tables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from asura.verdict import FAILS, HOLDS, Verdict, VerdictHasNoTruthValue, all_of, decided, undecided

OPEN = undecided(Fraction(1, 8))
NAMES = {"T": HOLDS, "F": FAILS, "?": OPEN}


@pytest.mark.parametrize("row", ["TTTT", "TFFT", "T??T", "FTFT", "FFFF", "F?F?", "?T?T", "?FF?"])
def test_and_and_or(row: str) -> None:
    first, second, both, either = (NAMES[name] for name in row)
    assert first & second == both
    assert first | second == either


def test_two_open_statements_stay_open() -> None:
    other = undecided(Fraction(1, 2))
    assert (OPEN & other).undecided
    assert (OPEN | other).undecided


def test_not() -> None:
    assert (~HOLDS, ~FAILS, ~OPEN) == (FAILS, HOLDS, OPEN)


@pytest.mark.parametrize(
    ("verdict", "text", "properties"),
    [
        (HOLDS, "holds", (True, False, False)),
        (FAILS, "fails", (False, True, False)),
        (OPEN, "undecided", (False, False, True)),
    ],
)
def test_each_outcome_is_one_of_three(
    verdict: Verdict, text: str, properties: tuple[bool, bool, bool]
) -> None:
    assert str(verdict) == text
    assert (verdict.holds, verdict.fails, verdict.undecided) == properties
    with pytest.raises(VerdictHasNoTruthValue):
        bool(verdict)


def test_exact_comparisons_are_decided() -> None:
    assert (decided(True), decided(False)) == (HOLDS, FAILS)


def test_all_of_stops_at_the_first_failure() -> None:
    def verdicts() -> Iterator[Verdict]:
        yield HOLDS
        yield OPEN
        yield FAILS
        raise AssertionError("asked for more than it needs")

    assert all_of(verdicts()).fails
    assert all_of([HOLDS, FAILS]).fails
    assert all_of([HOLDS, OPEN, HOLDS]) == OPEN
    assert all_of([HOLDS, HOLDS]).holds
    assert all_of([]).holds
