"""The local view, at the very ends of what it allows."""

import math
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


# -- a run of two steps by hand --------------------------------------------------------------------

#: Two points of U^2 = 1/2, gamma = 1/4: A = 1 after a step.
PHI = 1 / 9 + 3 / 25
SECOND: dict[str, Any] = {"u": 10.0, "l": -22 / 3, "phi": PHI, "p": 0.5, "weight": 0.5 / PHI}
FIRST: dict[str, Any] = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": 0.5, "weight": 2.0}


def step_line(j: int, index: int = 0, **fields: Any) -> IterationLine:
    return IterationLine(j=j, index=index, **((SECOND if j else FIRST) | fields))


def scaled_state(scale: int = 1, points: Any = None) -> ReportedState:
    """Points 1/sqrt(scale), each multiplied with sqrt(scale)."""
    root = math.isqrt(scale)
    header = HeaderLine(
        format=FORMAT,
        gamma=0.25,
        points=points or [[f"1/{root}"], [f"1/{root}"]],
        unlabelled=1,
        squared_scales=None if scale == 1 else [scale, scale],
    )
    return ReportedState(Judge(header))


@pytest.mark.parametrize("scale", [1, 4])
def test_what_follows_in_two_steps(scale: int) -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state(scale))
        assert local.view() is None
        step = local.iteration(2, step_line(0))
        assert step is not None
        found = step.potential, step.mass, step.upper_mass, step.unlabelled_mass
        assert [float(x) for x in found] == [0.25, 0.125, 0.0625, 0.125]
        assert (step.definite, float(step.upper), float(step.lower)) == (True, 8, -8)
        assert local._expected is not None
        assert [float(x) for x in local._expected] == [10, pytest.approx(-22 / 3)]
        assert {index: float(x) for index, x in local._totals.items()} == {0: 2}
        step = local.iteration(3, step_line(1))
        assert step is not None
        assert float(step.potential) == pytest.approx(PHI, rel=1e-15)
        assert float(step.upper_mass) == pytest.approx(1 / 18, rel=1e-15)
        assert float(local._totals[0]) == pytest.approx(0.5 / PHI)  # B was asked before it
        for _ in range(2):  # remembered, and added once
            assert float(local.accumulated[0, 0]) == pytest.approx(1 + 0.25 / PHI)
        assert local.iteration(4, step_line(2, index=1, phi=9.0)) is not None
    view = local.view()
    assert view is not None
    assert (view.judged, view.followed) == (3, 2)
    assert local.first is not None
    assert (local.first.line, local.first.field) == (4, "u")


@pytest.mark.parametrize("field", ["u", "l", "phi", "p", "weight"])
@pytest.mark.parametrize("factor", [1.01, 0.99])
def test_one_value_that_does_not_follow(field: str, factor: float) -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        local.iteration(2, step_line(0))
        local.iteration(3, step_line(1, **{field: SECOND[field] * factor}))
    assert (local.judged, local.followed) == (2, 1)
    assert local.first is not None
    assert (local.first.line, local.first.j, local.first.field) == (3, 1, field)


def test_a_step_goes_on_from_the_reported_potential() -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        local.iteration(2, step_line(0, phi=0.5))
        assert local._expected is not None
        assert [float(x) for x in local._expected] == [9, pytest.approx(-8 + 1 / 3)]
        local = LocalJudge(scaled_state())
        local.iteration(2, step_line(0, phi=None))
        assert local._expected is not None
        assert float(local._expected[0]) == 10


@pytest.mark.parametrize("field", ["u", "l", "weight"])
def test_a_line_without_its_state_ends_the_view(field: str) -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        absent: dict[str, Any] = {field: None}
        assert local.iteration(2, step_line(0, **absent)) is None
        assert local.possible is False
        assert local.iteration(3, step_line(0)) is None
    assert local.judged == 0


def test_a_point_of_no_mass_ends_the_view() -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state(points=[["1"], ["0"]]))
        assert local.iteration(2, step_line(0, index=1)) is None
        assert (local.possible, local.judged) == (False, 0)
        local = LocalJudge(scaled_state(points=[["1"]]))
        one = step_line(0, u=2.0, l=-2.0, phi=1.0, p=1.0, weight=0.25)  # a mass of 1
        assert local.iteration(2, one) is not None


def test_bits_and_the_spread_in_two_dimensions() -> None:
    with ctx.workprec(1024):
        assert LocalJudge(scaled_state()).bits == 128
    with ctx.workprec(100):
        assert LocalJudge(scaled_state()).bits == 100
    asked: list[float] = []
    with ctx.workprec(256):
        state = scaled_state(points=[["1", "0"], ["0", "1"]])

        def at(_j: int, spread: float, _reach: float) -> float:
            asked.append(spread)
            return 0.5

        state.allowance = SimpleNamespace(at=at)  # type: ignore[assignment]
        LocalJudge(state).iteration(2, step_line(0, u=16.0, l=-16.0))
    assert asked == [pytest.approx(1.0)]


def test_a_value_below_its_allowance_does_not_agree() -> None:
    with ctx.workprec(128):
        local = LocalJudge(state_of())
        assert not local._agrees(2, 0, "u", -3.0, arb(1), arb(1), 0.5)


def test_a_step_that_doubles_decided() -> None:
    look = 0.25, 1e-17, 0.125, 2e-17, 0.0625, 0.03, 0.5, 0.04
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        step = local.iteration(2, step_line(0), look)
        assert step is not None
        found = step.potential, step.mass, step.upper_mass, step.unlabelled_mass
        assert [float(x) for x in found] == [0.25, 0.125, 0.0625, 0.5]
        assert [float(x.rad()) for x in found] == pytest.approx([1e-17, 2e-17, 0.03, 0.04])
        assert (step.accumulated, step.definite) == (None, True)
        assert (local.judged, local.followed) == (1, 1)
        assert local._expected is not None
        assert [float(x) for x in local._expected] == [10, pytest.approx(-22 / 3)]
        assert {index: float(x) for index, x in local._totals.items()} == {0: 2}
        assert local._last is not None
        assert (local._last[0], float(local._last[1])) == (step, 2)
        # Without phi it is computed.
        local = LocalJudge(scaled_state())
        step = local.iteration(2, step_line(0, phi=None), look)
        assert step is not None
        assert step.accumulated is not None


#: What doubles see of the two steps by hand: phi, the mass, its part from above, and that of X_1.
LOOKS = (
    (0.25, 1e-17, 0.125, 1e-17, 0.0625, 1e-17, 0.125, 1e-17),
    (PHI, 1e-16, PHI / 2, 1e-16, 1 / 18, 1e-16, PHI / 2, 1e-16),
)


@pytest.mark.parametrize("factor", [1 + 1e-11, 1.3, 1, 0.7])
@pytest.mark.parametrize("field", ["u", "l", "weight"])
def test_doubles_do_not_decide_u_l_and_weight(field: str, factor: float) -> None:
    """The look is that of the state as reported, and yet the step is computed once more."""
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        local.iteration(2, step_line(0), LOOKS[0])
        wrong = step_line(1, **{field: SECOND[field] * factor})
        step = local.iteration(3, wrong, LOOKS[1])
        assert step is not None
        assert (step.accumulated is None) is (factor == 1)
    assert (local.judged, local.followed) == (2, 1 + (factor == 1))
    assert (local.first is None) is (factor == 1)
    if local.first is not None:
        assert (local.first.line, local.first.field) == (3, field)


def test_the_first_weight_is_looked_at_too() -> None:
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        local.iteration(2, step_line(0, weight=2.6), LOOKS[0])
    assert (local.judged, local.followed) == (1, 0)
    assert local.first is not None
    assert local.first.field == "weight"


def test_what_doubles_cannot_tell_from_gamma_is_computed() -> None:
    """A mass that is known to a tenth says nothing about the weight."""
    vague = (*LOOKS[0][:3], 0.0125, *LOOKS[0][4:])
    with ctx.workprec(256):
        local = LocalJudge(scaled_state())
        step = local.iteration(2, step_line(0), vague)
        assert step is not None
        assert step.accumulated is not None
    assert (local.judged, local.followed) == (1, 1)
