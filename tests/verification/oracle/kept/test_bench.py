"""What a trace of a variant is judged with, and one value at the very ends of what is allowed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx

from asura.errors import NotATrace
from asura.scalars import rational
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.oracle.kept import bench as module
from asura_verify.oracle.kept.bench import Bench, Last, hull, share_of
from asura_verify.oracle.kept.granted import above
from asura_verify.oracle.views.stated import Interval
from tests.verification.oracle.kept.parts import near

JUST = 2.0**-40


def bench_of(**fields: Any) -> Any:  # called for its privates
    """Two points of leverage 1/2, one of them X_1: R = 1/2, c = 4, upper 2, lower 2/3, goal 6."""
    known: dict[str, Any] = {
        "format": FORMAT, "gamma": 0.25, "points": [[1], [1]], "unlabelled": 1,
        "variant": "two-sided", "stopping": "sure",
    }  # fmt: skip
    return Bench(HeaderLine(**(known | fields)))


def one_sided(**fields: Any) -> Any:
    facts: dict[str, Any] = {"variant": "one-sided", "ending": "coin", "draws": 4}
    return bench_of(**(facts | fields))


def test_the_ball_between_two_numbers() -> None:
    ball = hull(arb(1), arb(3))
    assert float(ball.mid()) == 2
    assert 1 <= float(ball.rad()) <= 1 + 2.0**-20
    wide = hull(arb(1, 0.5), arb(3, 0.25))
    assert wide.lower() <= 0.5
    assert wide.upper() >= 3.25
    assert float(wide.rad()) < 2
    infinite = arb("inf")
    for low, high in ((-infinite, arb(3)), (arb(1), infinite), (-infinite, infinite)):
        found = hull(low, high)
        assert (float(found.mid()), float(found.rad())) == (0, math.inf)


def test_roundings() -> None:
    bench = bench_of(precision=20)
    for value in (arb(8), arb(-8)):
        ball = bench.with_roundings(value, 3)
        assert ball.mid() == value
        assert float(ball.rad()) == near(24 * 2.0**-20, 1e-6)
    assert float(bench.with_roundings(arb(8, 1), 2**20).rad()) == near(10.0, 1e-6)


def test_a_bench_begins_with_nothing() -> None:
    bench = bench_of()
    assert (bench.precision, float(bench.unit), bench.exact) == (53, 2.0**-53, False)
    assert (bench.sigma, bench.potentials, bench.last) == (0, 0, Last.NO)
    assert (bench.halted, bench.lost, bench.claims_exact, bench.undetermined) == (False,) * 4
    assert (bench.picks, bench.made, bench.moved, bench.skipped) == ([], [], [], [])
    assert (bench.doubted, bench.granted, bench.session) == (0.0, 0.0, None)
    assert (bench.step, bench.middle, bench.state.pool) == (0.25, 1, 1)
    assert bench_of(precision=2048).precision == 2048
    assert bench_of(precision=5000).precision == 2048
    assert float(bench_of(precision=24).unit) == 2.0**-24
    assert bench_of().astray is False


# -- the goal --------------------------------------------------------------------------------------


def test_the_goal_of_k1_is_as_good_as_r() -> None:
    bench = bench_of()
    assert float(bench.goal.mid()) == 6
    share = float(bench.grants.rank_share()[1])
    e = 2.0**-53
    counted = (2 + Fraction(4, 3) + 6) * Fraction(e)
    assert share_of(bench.goal) == near(share + float(counted), 1e-6)
    assert float(bench.relations.goal_off) == near(share + float(counted), 1e-6)
    # Of five bits R may be more than twice too large.
    few = bench_of(precision=5)
    share, off = float(few.grants.rank_share()[1]), (2 + 4 / 3 + 6) / 32
    assert 1 < share < math.inf
    assert share_of(few.goal) == near(share + off / (1 - off), 1e-6)
    assert float(few.relations.goal_off) == near(share + off / (1 - off), 1e-6)


def test_the_goal_where_r_may_be_anything() -> None:
    """By the normal equations of three bits; of twenty bits orthogonal columns keep it."""
    rows = [[1, 0], [1, 2.0**-4], [0, 2.0**-4]]
    some = bench_of(precision=20, points=rows, unlabelled=2)
    near_, far = some.grants.rank_share()
    assert near_ < 2.0**-6 < far
    goal = float(some.scheme.goal)
    assert float(some.kept_goal.rad()) == near(goal * float(near_), 1e-2)
    assert float(some.goal.rad()) == near(goal * float(far), 1e-2)
    bench = bench_of(precision=3)
    assert not bench.grants.rank_share()[1].is_finite()
    assert (bench.goal.mid(), share_of(bench.goal)) == (0, math.inf)
    assert not bench.goal > 5
    assert bench.goal.contains(arb(-1e9))


def test_the_goal_where_nothing_is_known_of_r() -> None:
    """R = 0: its share is not finite, and counts as the whole."""
    bench = bench_of(points=[[0], [1]])
    assert float(bench.relations.goal_off) == near(1.0, 1e-12)
    assert share_of(bench.goal) == 0.0  # of a goal of 0
    assert bench.nothing
    assert not bench_of().nothing


def test_the_goal_of_k2_is_a_constant() -> None:
    bench = one_sided()
    assert (bench.goal, share_of(bench.goal)) == (1, 0.0)
    # Roundings of constants that a scheme does not have are not granted.
    assert float(bench.relations.goal_off) > 0


def test_the_goal_of_tight_rates_does_not_depend_on_r() -> None:
    bench = bench_of(variant="asura", rates="tight")
    assert share_of(bench.goal) == near(8 * 2.0**-53, 1e-6)
    assert float(bench.middle) == near((4 / 3 + 1 / (1 + 89 / 288)) / 2, 1e-15)


def test_the_goal_is_within_its_ball() -> None:
    """Also where the declared bits are more than those of the scope."""
    with ctx.workprec(53):
        bench = bench_of(precision=2048, gamma="3/10")
        assert bench.goal.contains(rational(bench.scheme.goal))
        assert 0 < share_of(bench.goal) < 2.0**-40


def test_the_clock_counts_potentials_for_the_papers_rule() -> None:
    bench = bench_of(stopping="paper")
    bench.sigma, bench.potentials = arb(2), arb(8)
    clock = bench.clock()
    assert float(clock) == near(8.0, 1e-14)  # 2 + (3/4) 8
    assert float(clock.rad()) == near(6 * 2.0**-53 * (2 + Fraction(7, 3)), 1e-6)
    # Few bits: 13/3 roundings of an eighth are more than a half.
    few = bench_of(stopping="paper", precision=3)
    few.sigma, few.potentials = arb(2), arb(8)
    assert float(few.clock().upper()) == near(2 + 6 * (1 + 13 / 24), 1e-6)
    assert float(few.clock().lower()) == near(2 + 6 * (1 - 13 / 24), 1e-6)
    sure = bench_of()
    sure.sigma, sure.potentials = arb(2), arb(8)
    assert sure.clock() == 2


# -- a whitening that is reported ------------------------------------------------------------------


def test_a_whitening_that_is_reported() -> None:
    """R = 1/sqrt 2 for both points."""
    root = math.sqrt(0.5)
    free = bench_of()
    assert len(free.grants.methods) == 4
    assert "whitening" not in free.checked
    given = bench_of(whitening=[[root]])
    assert given.checked == {"whitening": 1}
    assert given.violations == []
    assert given.vague == {}
    (method,) = given.grants.methods
    assert float(method.tau) == near(2 * 2.0**-53 * root, 1e-12)
    assert float(given.grants._defect) == near(abs(2 * Fraction(root) ** 2 - 1), 1e-6)
    assert float(given.state.rows[0, 0]) == root


def allowed(bench: Any, size: int = 2) -> float:
    """The largest of 2 tau + tau^2 + 4 n d kappa^2 e, rounded up."""
    return max(
        above(2 * m.tau + m.tau * m.tau + 4 * size * m.amplified * bench.unit)
        for m in bench.grants.methods
    )


def test_what_a_whitening_is_allowed() -> None:
    """By orthogonal methods with few bits, and by normal equations on bad data."""
    twice = [[2.0, 0.0], [0.0, 2.0]]
    for rows, precision in (([[1, 0], [0, 1], [0, 0]], 8), ([[1, 0], [1, 2.0**-5], [0, 0]], 53)):
        fields: dict[str, Any] = {"points": rows, "precision": precision, "unlabelled": 2}
        limit = allowed(bench_of(**fields), 3 * 2)
        (found,) = bench_of(whitening=twice, **fields).violations
        assert found.allowance == near(limit)


def test_the_very_end_of_what_a_whitening_may_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = allowed(bench_of())
    for off, wrong in ((limit, 0), (math.nextafter(limit, 1.0), 1)):
        monkeypatch.setattr(module, "defect", lambda _rows, off=off: off)
        assert len(bench_of(whitening=[[1.0]]).violations) == wrong
    for off, vague in ((2.0**-4, {"whitening": 1}), (math.nextafter(2.0**-4, 0.0), {})):
        monkeypatch.setattr(module, "defect", lambda _rows, off=off: off)
        assert bench_of(precision=6, whitening=[[1.0]]).vague == vague


def test_a_whitening_that_is_wrong() -> None:
    bench = bench_of(whitening=[[1.0]])
    (found,) = bench.violations
    assert (found.line, found.j, found.field) == (1, None, "whitening")
    limit = allowed(bench)
    assert found.gap == near(1 / limit, 1e-6)
    assert found.allowance == near(limit, 1e-6)
    assert (found.lower, found.upper) == ("0", f"{limit:.3g}")
    assert found.message == "U^T U is off from 1 by 1"
    assert len(bench.grants.methods) == 4
    assert float(bench.state.rows[0, 0]) == near(math.sqrt(0.5), 1e-15)


def test_how_far_a_whitening_may_be_off() -> None:
    limit = allowed(bench_of(precision=24))
    for share, wrong in ((0.99, 0), (1.01, 1), (-0.99, 0), (-1.01, 1)):
        root = math.sqrt((1 + share * limit) / 2)
        assert len(bench_of(precision=24, whitening=[[root]]).violations) == wrong, share
    # Where so few bits allow a sixteenth, it is open.
    few = bench_of(precision=8, whitening=[[math.sqrt((1 + 2.0**-4 + JUST) / 2)]])
    assert few.vague == {"whitening": 1}
    fine = bench_of(precision=8, whitening=[[math.sqrt((1 + 2.0**-4 - JUST) / 2)]])
    assert fine.vague == {}


@pytest.mark.parametrize(
    ("points", "whitening"),
    [
        ([[1], [1]], [[1.0, 1.0]]),
        ([[1], [1]], [[1.0], [1.0]]),
        ([[1], [1]], []),
        ([[1, 2], [1, 2]], [[1.0]]),
    ],
)
def test_a_whitening_of_another_shape(points: Any, whitening: Any) -> None:
    with pytest.raises(NotATrace, match="field `whitening`: expected 1 rows of 1") as caught:
        bench_of(points=points, whitening=whitening)
    assert caught.value.value == 1


# -- decisions that rounding makes -----------------------------------------------------------------


def test_what_rounding_decides_is_vague_by_a_large_share_or_without_a_goal() -> None:
    bench = bench_of()
    bench.leave_to_rounding("stopping", 7, 0.0624)
    bench.leave_to_rounding("stopping", 8, 0.0)
    assert (bench.undecided, bench.open_at, bench.vague) == ({"stopping": 2}, {7, 8}, {})
    half = arb(0, 0.5)
    edge = 16 * half.rad()
    for goal, vague in (
        (edge + half, {"index": 2}), (edge + JUST + half, {}), (arb(0.5, 0.25), {"index": 2}),
        (half, {}),
    ):  # fmt: skip
        doubtful = bench_of()
        doubtful.goal = goal
        doubtful.leave_to_rounding("index", 7, 0.0)
        doubtful.leave_to_rounding("index", 7, 0.0)
        assert doubtful.vague == vague
    for share, vague in ((2.0**-4, {"p": 1}), (0.0624, {})):
        bench = bench_of()
        bench.leave_to_rounding("p", 7, share)
        assert bench.vague == vague


def test_a_stop_is_vague_by_what_is_not_known_of_the_clock() -> None:
    """In units of the goal; and where one of the two is nothing or anything."""
    for goal, clock, vague in (
        (arb(4), arb(4, 0.25), True), (arb(4), arb(4, 0.249), False), (arb(8), arb(1, 0.49), False),
        (arb(4), arb("inf"), True), (arb(4), arb(0, arb("inf")), True), (arb(0), arb(0), True),
    ):  # fmt: skip
        bench = bench_of()
        bench.goal = goal
        share = bench.leave_stop_to_rounding(3, clock)
        assert (share >= 2.0**-4) is vague
        assert bench.vague == ({"stopping": 1} if vague else {})
        assert (bench.undecided, bench.open_at) == ({"stopping": 1}, {3})


# -- the barriers ----------------------------------------------------------------------------------


def test_barriers_that_a_relation_ties() -> None:
    bench = bench_of()
    now = bench.barriers(2, 0, IterationLine(j=0, index=0, u=0.0, l=0.0))
    assert (now.u, now.l) == (0, 0)
    assert bench.checked == {"u": 1, "l": 1}
    assert bench.violations == []
    assert bench.sigma == 0
    # Tied to nothing: by sigma, of which l = 2 tells 3.
    bench.relations.steps = 1
    bench.sigma = arb(3)
    bench.barriers(3, 1, IterationLine(j=1, index=0, u=6.0, l=2.0))
    assert bench.violations == []
    assert float(bench.sigma) == near(3.0, 1e-14)
    assert 0 < float(bench.sigma.rad()) < 1e-14
    bench.barriers(3, 1, IterationLine(j=1, index=0, u=6.1, l=2.1))
    assert [found.field for found in bench.violations] == ["u", "l"]
    assert {found.message for found in bench.violations} == {"not what honest methods compute here"}


def test_barriers_that_a_relation_refutes_tell_no_sigma() -> None:
    bench = bench_of()
    bench.barriers(2, 0, IterationLine(j=0, index=0, u=1.0, l=1.0))
    assert [found.field for found in bench.violations] == ["u", "l"]
    assert bench.sigma == 0
    half = bench_of()
    half.barriers(2, 0, IterationLine(j=0, index=0, u=1.0, l=0.0))
    assert half.sigma == 0
    assert half.checked == {"u": 1, "l": 1}


def test_barriers_of_algorithm_2_start_apart() -> None:
    """u = 8 + upper sigma and l = -8 + lower sigma."""
    bench = bench_of(variant="asura", rates="tight", unlabelled=2)
    bench.relations.steps = 1
    bench.sigma = arb(3)
    lower = Fraction(288, 377)
    values: dict[str, Any] = {"u": 8 + 4.0, "l": float(-8 + lower * 3)}
    bench.barriers(3, 1, ResultLine(m=1, **values))
    assert bench.violations == []
    for name, value in values.items():
        wrong = bench_of(variant="asura", rates="tight", unlabelled=2)
        wrong.relations.steps, wrong.sigma = 1, arb(3)
        wrong.barriers(3, None, ResultLine(m=1, **(values | {name: value + 0.1})))
        assert [found.field for found in wrong.violations] == [name]


def test_there_is_no_upper_barrier_in_k2() -> None:
    bench = one_sided()
    bench.barriers(2, 0, IterationLine(j=0, index=0, u=9.0, l=0.0))
    assert bench.checked == {"l": 1}


# -- one value -------------------------------------------------------------------------------------


def interval(near: tuple[float, float], far: tuple[float, float], true: float = 16.0) -> Interval:
    return Interval(arb(true), (arb(near[0]), arb(near[1])), (arb(far[0]), arb(far[1])))


USUAL = interval((15.5, 16.5), (14.0, 20.0))


def judged(raw: Any, around: Interval = USUAL, **options: Any) -> Any:
    bench = bench_of()
    right = bench.interval(7, 5, "phi", raw, around, **options)
    assert right is (not bench.violations)
    return bench


def test_a_value_that_is_absent() -> None:
    assert judged(None).checked == {}


def test_a_value_within_what_is_granted() -> None:
    for raw, ratio in ((16.5, 0.125), (15.5, 0.25), (16.0, 0.0)):
        bench = judged(raw)
        assert bench.checked == {"phi": 1}
        assert bench.vague == {}
        assert bench.ratios.get("phi", 0.0) == ratio
    for raw in (14.0, 20.0, 15.5 - JUST, 16.5 + JUST):
        bench = judged(raw)
        assert bench.vague == {"phi": 1}
        assert bench.violations == []
    assert judged(20.0).ratios == {"phi": 1.0}
    assert judged(14.0).ratios == {"phi": 1.0}
    # What a list leaves open is counted by who reads the list; what shows nothing is open.
    assert judged(20.0, listed=True).vague == {}
    assert judged(16.0, interval((10.0, 30.0), (10.0, 30.0))).vague == {"phi": 1}


def test_a_value_beyond_what_is_granted() -> None:
    for raw, gap, allowance in ((20.0 + JUST, 1.0, 0.25), (12.0, 2.0, 0.125)):
        (found,) = judged(raw, place=2).violations
        assert (found.line, found.j, found.field, found.reported) == (7, 5, "phi[2]", str(raw))
        assert (float(found.lower), float(found.upper)) == (14, 20)
        assert found.gap == near(gap, 1e-9)
        assert found.allowance == allowance
        assert found.message == "does not follow from the state that the trace reports"
    (found,) = judged(14.0 - JUST).violations
    assert found.field == "phi"


def test_a_value_where_nothing_is_granted_on_one_side() -> None:
    open_ = interval((0.0, math.inf), (1.0, math.inf))
    bench = judged(99.0, open_)
    assert bench.vague == {"phi": 1}
    assert bench.ratios == {}
    (found,) = judged(0.5, open_).violations
    assert (found.gap, found.allowance) == (near(15.5 / 15), 15 / 16)
    sharp = interval((16.0, 16.0), (16.0, 16.0))
    (found,) = judged(17.0, sharp).violations
    assert (found.gap, found.allowance) == (None, 0.0)
    nothing = interval((0.0, 0.0), (-1.0, 1.0), true=0.0)
    (found,) = judged(2.0, nothing).violations
    assert (found.gap, found.allowance) == (2.0, 0.0)
    below = interval((-16.0, -16.0), (-20.0, -14.0), true=-16.0)
    (found,) = judged(-24.0, below).violations
    assert (found.gap, found.allowance) == (2.0, 0.25)
    (found,) = judged(-2.0, interval((0.0, 0.0), (-math.inf, -9.0), true=-9.0)).violations
    assert found.allowance == 0.0


def inside(raw: Any, ball: arb, **fields: Any) -> Any:
    bench = bench_of(precision=24, **fields)
    right = bench.inside(7, 5, "mid", raw, ball, place=2)
    assert right is (not bench.violations)
    return bench


def test_a_value_in_a_ball() -> None:
    """Sixteen roundings of the largest number beside it."""
    slack = 16 * 2.0**-24 * 8
    for times, wrong in ((1.0, 0), (1.01, 1), (-1.0, 0), (-1.01, 1)):
        assert len(inside(8.0 + times * slack, arb(8)).violations) == wrong, times
        assert len(inside(-8.0 - times * slack, arb(-8)).violations) == wrong, times
    wide = arb(8, 4)
    top = float(wide.upper())
    assert inside(top + 0.99 * top / 8 * slack, wide).violations == []
    assert len(inside(top + 1.01 * top / 8 * slack, wide).violations) == 1
    (found,) = inside(9.0, arb(8)).violations
    assert (found.line, found.j, found.field, found.reported) == (7, 5, "mid[2]", "9.0")
    assert float(found.lower) == near(8 - slack)
    assert float(found.upper) == near(8 + slack)
    assert (found.gap, found.allowance) == (None, 0.0)
    assert inside(8.0, arb(8)).vague == {}
    # Those of Algorithm 2 start at 8, and cancel.
    more: dict[str, Any] = {"variant": "asura", "rates": "tight"}
    assert len(inside(8.0 + 1.99 * slack, arb(8), **more).violations) == 0
    assert len(inside(8.0 + 2.01 * slack, arb(8), **more).violations) == 1


def test_a_ball_that_shows_nothing() -> None:
    """Radii from a sixteenth on, unless the value is 0, and balls of all numbers."""
    assert inside(8.0, arb(0, "inf")).vague == {"mid": 1}
    assert inside(8.0, arb(8, 0.499)).vague == {}
    assert inside(8.0, arb(8, 0.5)).vague == {"mid": 1}
    assert inside(-8.0, arb(-8, 0.499)).vague == {}
    half = arb(0, 0.5)
    edge = 16 * half.rad()
    exact = bench_of()
    exact.unit = arb(0)
    exact.inside(7, 5, "mid", 8.0, edge + half)
    assert exact.vague == {"mid": 1}
    exact.inside(7, 5, "mid", 8.0, edge + JUST + half)
    assert exact.vague == {"mid": 1}
    assert inside(0.0, arb(0, 1)).vague == {}
    assert inside(1.0, arb(1, 0.5)).vague == {"mid": 1}


def test_a_value_of_a_variant_that_only_lossy_methods_explain() -> None:
    for raw, beyond in ((16.5, False), (16.75, True), (15.25, True)):
        for options, name in (({}, "phi"), ({"place": 2, "listed": True}, "phi[2]")):
            found = judged(raw, USUAL, **options)
            assert found.unexplained.startswith(f"{name} at j=5" if beyond else "")
            assert bool(found.unexplained) is beyond


def test_where_no_point_is_drawn_the_goal_is_where_it_starts() -> None:
    bench = bench_of(points=[[0], [0], [0], [1]])
    assert (bench.goal, bench.kept_goal) == (0, 0)
