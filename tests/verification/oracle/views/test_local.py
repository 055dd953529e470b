"""The local view, at the very ends of what it allows."""

from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, ctx

from asura.trace import FORMAT, HeaderLine, IterationLine
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.local import LocalJudge
from asura_verify.oracle.views.reported_state import ReportedState
from tests.verification.oracle.views.parts import step_of


def state_of(*points: str) -> ReportedState:
    rows: list[list[int | float | str]] = [[x] for x in points or ("1",)]
    header = HeaderLine(format=FORMAT, gamma=0.25, points=rows, unlabelled=1, precision=53)
    return ReportedState(Judge(header))


def first_line(**values: Any) -> IterationLine:
    known = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": 1.0, "weight": 1.0}
    return IterationLine(j=0, index=0, **(known | values))


def test_the_masses_before_a_point_keep_all_bits() -> None:
    """The local view needs few bits of what the judge of the picks needs with all."""
    with ctx.workprec(1024):
        state = state_of("1/7", "1/3", "1/5")
        assert LocalJudge(state).iteration(2, first_line()) is not None
        state.replay.look()
        assert state.replay.mass_before(1).rad() < arb(2) ** -900


def test_a_value_at_its_allowance_agrees() -> None:
    with ctx.workprec(128):
        local = LocalJudge(state_of())
        assert local._agrees(2, 0, "u", 1.5, arb(1), arb(-1), 0.5)
        assert local._agrees(2, 0, "u", None, arb(1), arb(1), 0.5)
        assert local.first is None


@pytest.mark.parametrize(
    ("raw", "allowed", "gap", "low", "high"),
    [(3.0, 0.5, 4.0, 0.5, 1.5), (1.5, 0.0, None, 1.0, 1.0)],
)
def test_the_first_value_that_does_not_follow_is_kept(
    raw: float, allowed: float, gap: float | None, low: float, high: float
) -> None:
    with ctx.workprec(128):
        local = LocalJudge(state_of())
        assert not local._agrees(3, 1, "l", raw, arb(1), arb(-1), allowed)
        assert not local._agrees(4, 2, "u", 9.0, arb(1), arb(1), 0.5)
    first = local.first
    assert first is not None
    assert (first.line, first.j, first.field, first.gap) == (3, 1, "l", gap)
    assert (float(first.lower), float(first.upper)) == (low, high)


@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [(1, -1, True), (1, 0, False), (0, -1, False), (1, 0.5, False), (-1, -2, False),
     (0.5, -0.5, True), (-1, 1, False)],
)  # fmt: skip
def test_the_first_state_lies_between_barriers_of_both_signs(
    upper: float, lower: float, expected: bool
) -> None:
    with ctx.workprec(128):
        assert LocalJudge(state_of()).within(arb(upper), arb(lower)) is expected


@pytest.mark.parametrize(
    ("weight", "upper", "lower", "expected"),
    [
        (1, 9, -7, True),
        (0, 9, -7, True),
        (0.5, 9, -7, True),
        (-0.5, 9, -7, False),
        (1, 8, -7, True),
        (1, 7.5, -7, False),
        (3.5, 9, -7, True),
        (4, 9, -7, False),
        (6, 9, -7, False),
        (1, 9, -4.5, True),
        (1, 9, -4, False),
        (1, 9, -2, False),
        (1, 9, -9, True),
    ],
)
def test_a_step_that_keeps_between_the_barriers(
    weight: float, upper: float, lower: float, expected: bool
) -> None:
    """Upper mass and Phi are 1/4: a weight below 4, and a rise by less than 4.

    The state itself is so vague here that elimination shows nothing.
    """
    with ctx.workprec(128):
        local = LocalJudge(state_of())
        local._totals = {0: arb(0, 100)}
        step = step_of(upper_mass=arb(0.25))
        local._last = step, arb(weight)
        assert local.within(arb(upper), arb(lower)) is expected
        local._last = step_of(upper_mass=arb(0.25), definite=False), arb(weight)
        assert local.within(arb(upper), arb(lower)) is False


@pytest.mark.parametrize(
    ("total", "upper", "lower", "expected"),
    [(3, 4, 2, True), (3, 4, 1, True), (5, 4, 2, False), (4, 4, 2, False), (1, 4, 2, False),
     (2, 4, 2, False), (-3, 4, 2, False), (-1, 2, -2, True)],
)  # fmt: skip
def test_a_state_between_barriers_by_elimination(
    total: float, upper: float, lower: float, expected: bool
) -> None:
    with ctx.workprec(128):
        local = LocalJudge(state_of())
        local._totals = {0: arb(total)}
        local._last = step_of(definite=False), arb(1)
        assert local.within(arb(upper), arb(lower)) is expected


def test_a_spread_of_the_wrong_sign_is_still_a_spread() -> None:
    """B = 0 below l = 1/2: Phi (u - l)/4 = 7.5^2/(8 * -1/2)/4."""
    with ctx.workprec(128):
        state = state_of()
        asked: list[tuple[int, float, float]] = []

        def at(j: int, spread: float, reach: float) -> float:
            asked.append((j, spread, reach))
            return 0.5

        state.allowance = SimpleNamespace(at=at)  # type: ignore[assignment]
        assert LocalJudge(state).iteration(2, first_line(l=0.5)) is not None
        assert asked == [(0, 3.515625, 1.0)]


def test_a_potential_of_zero_has_no_next_step() -> None:
    for phi, goes_on in ((0.25, True), (1.0, True), (-1.0, True), (0.0, False)):
        with ctx.workprec(128):
            local = LocalJudge(state_of())
            assert (local.iteration(2, first_line(phi=phi)) is not None) == goes_on
            assert local.possible == goes_on
