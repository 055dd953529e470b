"""The state that a trace of a variant reports, in one and two dimensions, and what hides it."""

from __future__ import annotations

import math

import pytest
from flint import arb, arb_mat, ctx

from asura.errors import Undecided
from asura_verify.oracle.kept.state import NotBetweenBarriers, ReportedWeights, Seen, frobenius
from tests.verification.oracle.kept.parts import near


def halves(pool: int = 1) -> ReportedWeights:
    """Two points with U^2 = 1/4: D = pool/4."""
    return ReportedWeights(arb_mat([[0.5], [0.5]]), pool)


def look(state: ReportedWeights, c: float, u: float | arb | None, low: float | arb) -> Seen:
    found = state.look(arb(c), None if u is None else arb(u), arb(low))
    assert found is not None
    return found


def test_the_norm_of_frobenius() -> None:
    assert float(frobenius(arb_mat([[1, 2], [2, 4]]))) == 5


def test_bounds_are_bounds() -> None:
    """Of balls, and where few bits are rounded, what is said to be at most is at most."""
    assert float(frobenius(arb_mat([[arb(3, 1)]]))) >= 4
    with ctx.workprec(24):
        root = frobenius(arb_mat([[1, 1]]))
        third = ReportedWeights(arb_mat([[1]]), 1).look(arb(6), None, arb(3, 1))
        moved = ReportedWeights(arb_mat([[arb(1, 2.0**-10)]]), 1)
        moved.add(0, arb(1))
        trace = look(moved, 4, None, 1).trace
        square = arb_mat([[1, 0], [0, 1]])
    with ctx.workprec(64):
        ball = arb(1, 0.5)
        both = ReportedWeights(square, 2).look(arb(2), None, ball)
    assert both is not None
    assert both.sides[0].doubt ** 2 >= 2 * ball.rad() ** 2
    assert root * root >= 2
    assert third is not None
    assert 3 * third.sides[0].doubt >= 1
    assert trace >= (1 + 2.0**-10) ** 2


def test_nothing_is_drawn_at_first() -> None:
    state = halves()
    assert (state.size, state.dimension, state.pool, state.steps) == (2, 1, 1, 0)
    assert state.weights == [0, 0]
    assert float(state.target_size) == 0.25
    assert float(state.target[0, 0]) == 0.25
    seen = look(state, 4, 2, 1)
    assert (float(seen.size), float(seen.trace), float(seen.heaviest)) == (0, 0, 0)
    assert float(ReportedWeights(arb_mat([[0.5]]), 0).target[0, 0]) == 0


def test_one_dimension_by_hand() -> None:
    """A = 2/4 by two picks, c = 4, u = 2, l = 1: Q = 4.25 and P = 4."""
    state = halves()
    state.add(0, arb(1.5))
    state.add(1, arb(0.5))
    assert state.steps == 2
    seen = look(state, 4, 2, 1)
    bracket = 1 / 4.25 + 1 / 4
    assert float(seen.potential) == near(bracket / 4)
    assert [float(mass) for mass in seen.masses] == [near(bracket / 4)]
    below, above = seen.sides
    assert [float(x) for x in (below.size, below.inverse)] == [near(4.25), near(1 / 4.25)]
    assert [float(x) for x in (above.size, above.inverse)] == [near(4.0), near(0.25)]
    assert float(below.doubt) == float(above.doubt) == 0
    assert float(seen.energy) == near(bracket)
    assert [float(x) for x in (seen.reach, seen.size, seen.trace, seen.heaviest)] == [
        2, near(0.5), near(0.5), 1.5,
    ]  # fmt: skip


def test_without_an_upper_barrier() -> None:
    seen = look(halves(2), 4, None, 1)
    assert len(seen.sides) == 1
    assert float(seen.potential) == near(2 * 0.25 / 3.5)
    assert float(seen.reach) == 1
    assert float(look(halves(), 4, None, -1).reach) == 0
    assert float(look(halves(), 4, -2, -1).reach) == 0
    assert float(look(halves(), 4, 1, 2).reach) == 2


def test_what_is_not_known_is_a_share_of_each_side() -> None:
    """Weight 2 +- 1/2, l = 1 +- 1/4, u = 2 +- 1, all times U^2 = D = 1/4."""
    state = halves()
    state.add(0, arb(2, 0.5))
    seen = look(state, 4, arb(2, 1), arb(1, 0.25))
    below, above = seen.sides
    # Radii have 30 bits, and are rounded up.
    for found, true in (
        (below.doubt, (0.125 + 0.0625) / 4.25), (above.doubt, (0.125 + 0.25) / 4),
        (seen.heaviest, 2.5), (seen.reach, 3.0),
    ):  # fmt: skip
        assert true <= float(found) <= true * (1 + 2.0**-27)
    assert (float(seen.size), float(seen.trace)) == (near(0.5), near(0.5))


def test_two_dimensions_by_hand() -> None:
    """Rows e_1, e_2 and (0.6, 0.8) of which two are the pool; weight 2 on the last."""
    state = ReportedWeights(arb_mat([[1, 0], ["3/5", "4/5"], [0, 1]]), 2)
    state.add(1, arb(2))
    d = [[1.36, 0.48], [0.48, 0.64]]
    a = [[0.72, 0.96], [0.96, 1.28]]
    assert float(state.target_size) == near(math.hypot(1.36, 0.48, 0.48, 0.64))
    seen = look(state, 8, 3, 0.5)
    inverses = []
    for sign, factor in ((1, -0.5), (-1, 3.0)):
        m = [[8 * (i == k) + factor * d[i][k] + sign * a[i][k] for k in (0, 1)] for i in (0, 1)]
        det = m[0][0] * m[1][1] - m[0][1] ** 2
        inverses.append([[m[1][1] / det, -m[0][1] / det], [-m[0][1] / det, m[0][0] / det]])
    bracket = [[inverses[0][i][k] + inverses[1][i][k] for k in (0, 1)] for i in (0, 1)]
    masses = [
        sum(x[i] * bracket[i][k] * x[k] for i in (0, 1) for k in (0, 1))
        for x in ((1.0, 0.0), (0.6, 0.8))
    ]
    assert [float(x) for x in seen.masses] == pytest.approx(masses, rel=1e-14)
    assert float(seen.potential) == pytest.approx(sum(masses), rel=1e-14)
    for side, inverse in zip(seen.sides, inverses, strict=True):
        assert float(side.inverse) == pytest.approx(math.hypot(*inverse[0], *inverse[1]), rel=1e-14)
    assert float(seen.energy) == pytest.approx(math.hypot(*bracket[0], *bracket[1]), rel=1e-14)
    assert float(seen.size) == pytest.approx(2.0, rel=1e-14)
    assert float(seen.trace) == pytest.approx(2.0, rel=1e-14)


def test_a_state_that_no_run_has() -> None:
    """c = 1, D = 1, l = 3: Q = -2, whatever 2^-30 of it may hide."""
    state = ReportedWeights(arb_mat([[1]]), 1)
    for radius in (0.0, 2.0**-30):
        with pytest.raises(NotBetweenBarriers):
            state.look(arb(1), None, arb(3, radius))
    assert state.look(arb(1), None, arb(3, 2.0**-29)) is None
    assert state.look(arb(1), None, arb(3, 1)) is None
    # As much as 2^-30 of it, exactly, may hide it.
    edge = arb(3, 2.0**-29)
    assert state.look(edge.mid() - edge.rad() * 2**30, None, edge) is None
    with pytest.raises(NotBetweenBarriers):
        state.look(edge.mid() - edge.rad() * (2**30 + 1), None, edge)
    state.add(0, arb(9))
    with pytest.raises(NotBetweenBarriers):
        state.look(arb(1), arb(3), arb(3))  # above: 1 + 3 - 9


def test_a_barrier_that_the_balls_do_not_decide() -> None:
    state = ReportedWeights(arb_mat([[arb(1, 2.0**-20)]]), 1)
    with pytest.raises(Undecided):
        state.look(arb(1), None, arb(1))
