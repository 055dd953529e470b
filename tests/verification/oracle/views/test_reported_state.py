"""What the reported values stand for: d = 1, gamma = 1/4, two points of leverage 1/2."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from asura.errors import Undecided
from asura.scalars import rational
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine, hexadecimal
from asura_verify.oracle.trace.values import Raw, Reported, number
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.reported_state import JudgedLine, ReportedState, ball


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def judge_of(**fields: Any) -> Judge:
    known: dict[str, Any] = {"format": FORMAT, "gamma": 0.25, "points": [[1], [1]], "unlabelled": 1}
    return Judge(HeaderLine(**(known | fields)))


# -- one value -------------------------------------------------------------------------------------

Maker = Callable[[Raw, float, float | None], arb]


def contains_what_passes(
    make: Maker, given: Fraction, allowed: float, share: Fraction, scale: float | None
) -> bool:
    """The true value of which a report is off by a share of its allowance."""
    if scale is None:
        true = given / (1 + share * Fraction(allowed))
    else:
        true = given + share * Fraction(allowed) * Fraction(scale)
    found = make(hexadecimal(given), allowed, scale)
    with ctx.workprec(4096):
        return bool(found.contains(arb(rational(true))))


DYADIC = st.builds(
    lambda n, e: Fraction(n) * Fraction(2) ** e, st.integers(-(10**9), 10**9), st.integers(-90, 90)
)
ALLOWED = st.one_of(
    st.floats(2.0**-994, 2.0**-40),
    st.floats(2.0**-40, 1, exclude_max=True),
    st.floats(2.0**-60, 0.5).map(lambda x: 1 - x),
)
SHARES = st.one_of(st.sampled_from((-1, 0, 1)).map(Fraction), st.fractions(-1, 1))
SCALES = st.one_of(st.none(), st.floats(2.0**-40, 1e9))


@given(DYADIC, ALLOWED.filter(lambda a: a < 1), SHARES, SCALES)
def test_a_ball_has_every_true_value_that_lets_the_report_pass(
    given: Fraction, allowed: float, share: Fraction, scale: float | None
) -> None:
    assert contains_what_passes(ball, given, allowed, share, scale)


def short(raw: Raw, allowed: float, scale: float | None) -> arb:
    """Planted: takes the reported value for the true one."""
    value = number(raw)
    return arb(value, (abs(value) if scale is None else arb(scale)) * allowed)


def test_the_reported_size_is_not_the_true_one() -> None:
    for share, inside in ((-1, False), (1, True)):
        case = Fraction(3), 0.25, Fraction(share), None
        assert contains_what_passes(short, *case) is inside
        assert contains_what_passes(ball, *case)


@given(DYADIC, st.fractions(-2, 2), st.sampled_from((2.0**-40, 0.125, 0.375)))
def test_the_judge_and_the_ball_agree(given: Fraction, share: Fraction, allowed: float) -> None:
    judge = judge_of()
    true = arb(rational(given / (1 + share * Fraction(allowed))))
    try:
        judge.value(2, 0, "u", hexadecimal(given), true, allowed)
    except Undecided:
        return
    assert judge.violated or ball(hexadecimal(given), allowed).contains(true)


@pytest.mark.parametrize(
    ("raw", "allowed", "scale", "middle", "radius"),
    [
        (3.0, 0.25, None, 3, 1),
        (-3.0, 0.25, None, -3, 1),
        (0.0, 0.25, None, 0, 0),
        (3.0, 0.25, 2.0, 3, 0.5),
        (3.0, 4.0, 2.0, 3, 8),
        ("0x3p-1", 0.5, None, 1.5, 1.5),
    ],
)
def test_radii(raw: Raw, allowed: float, scale: float | None, middle: float, radius: float) -> None:
    found = ball(raw, allowed, scale)
    assert found.mid() == middle
    assert radius <= found.rad() <= radius * (1 + 2.0**-18)


@pytest.mark.parametrize("allowed", [1.0, 1 - 2.0**-30, 1 / (1 + 2.0**-20), 7.0])
def test_nothing_is_known_of_a_value_that_may_be_off_by_itself(allowed: float) -> None:
    assert not ball(3.0, allowed).is_finite()
    assert ball(3.0, 1 - 2.0**-10).is_finite()


def test_what_claims_to_be_exact_is_meant_exactly() -> None:
    assert ball("1/3", 0.25).overlaps(arb(fmpq(1, 3)))
    assert ball("1/3", 0.25).rad() < 2.0**-250
    assert ball("1/4", 0.25).rad() > 0.08


# -- the lines -------------------------------------------------------------------------------------

UNIT = 2.0**-47


def judged(**facts: Any) -> JudgedLine:
    known = {"spread": 4.0, "reach": 1.0, "upper": 64.0, "stop_open": False, "halted": False}
    return JudgedLine(**(known | facts))


def radius(value: arb | None, expected: float) -> None:
    assert value is not None
    assert expected <= value.rad() <= expected * (1 + 2.0**-18)


def test_a_state_begins_with_nothing() -> None:
    state = ReportedState(judge_of())
    assert (state.spread, state.reach) == (1, 1)
    assert (state.halted, state.stop_open, state.doubtful_stop) == (False, False, False)
    assert (state.reported, state.picks) == (Reported(), [])


def test_an_iteration() -> None:
    """Reach 1 costs 1, the own leverage of 1/4 costs 2, each and (4 + 16)/64 of it; j = 6."""
    judge = judge_of(points=[[1], [1], [1], [1]])
    assert judge.allowance.unit == UNIT
    state = ReportedState(judge)
    line = IterationLine(
        j=6, index=2, u=1.0, l=1.0, phi=1.0, p=1.0, weight=1.0, probabilities=[1.0, 2.0, 4.0, 8.0]
    )
    state.iteration(line, judged())
    seen = state.reported
    common, own = 4 * (6 + 84 / 64) * UNIT, 4 * (6 + 84 / 32) * UNIT
    radius(seen.u, common)
    radius(seen.l, 64 * common)
    radius(seen.phi, common)
    radius(seen.p, own)
    radius(seen.weight, own)
    assert seen.probabilities is not None
    for value, size in zip(seen.probabilities, (1, 2, 4, 8), strict=True):
        assert value.mid() == size
        radius(value, size * own)
    assert (seen.mid, seen.weights, seen.alphas) == (None, None, None)
    assert (state.spread, state.reach, state.picks) == (4, 0.25, [2])


def test_a_line_that_says_nothing() -> None:
    state = ReportedState(judge_of())
    state.iteration(IterationLine(j=0, index=0), judged())
    assert state.reported == Reported()
    state.result(ResultLine(m=1), judged())
    assert state.reported == Reported()


def test_a_zero_row_may_have_the_probability_of_a_rounding_error() -> None:
    state = ReportedState(judge_of(points=[[1], [0]]))
    state.iteration(
        IterationLine(j=0, index=0, probabilities=[1.0, 0.0]), judged(spread=1.0, reach=1.0)
    )
    assert state.reported.probabilities is not None
    granted = (1 + 18 / 64) * UNIT
    radius(state.reported.probabilities[0], granted)
    radius(state.reported.probabilities[1], granted * 2.0**-40)


def test_few_bits_leave_more_of_a_zero_row() -> None:
    """Its probability is the square of what the roundings leave."""
    state = ReportedState(judge_of(points=[[1], [0]], precision=24))
    line = IterationLine(j=0, index=0, probabilities=[1.0, 0.0])
    state.iteration(line, judged(spread=1.0, reach=1.0))
    assert state.reported.probabilities is not None
    radius(state.reported.probabilities[1], ((1 + 18 / 64) * 2.0**-18) ** 2)


def test_a_result() -> None:
    state = ReportedState(judge_of())
    state.picks = [0, 1, 0]
    state.result(
        ResultLine(m=9, u=1.0, l=1.0, mid=1.0, weights=[1.0, 2.0], alphas=[4.0]),
        judged(reach=0.25, normalised=2.0**-30),
    )
    seen = state.reported
    granted = 4 * (3 + 2 * (1 + 18 / 64)) * UNIT
    radius(seen.u, granted)
    radius(seen.l, 64 * granted)
    radius(seen.mid, 64 * granted)
    assert seen.weights is not None
    assert seen.alphas is not None
    assert [x.mid() for x in (*seen.weights, *seen.alphas)] == [1, 2, 4]
    for value in (*seen.weights, *seen.alphas):
        radius(value / value.mid(), 2.0**-30)
    assert state.reach == 0.25


def test_a_doubtful_stop_is_remembered() -> None:
    state = ReportedState(judge_of())
    for j, (near, ever) in enumerate(((False, False), (True, True), (False, True))):
        state.iteration(IterationLine(j=j, index=0), judged(stop_open=near))
        assert (state.stop_open, state.doubtful_stop) == (near, ever)
    state.result(ResultLine(m=3), judged(halted=True, stop_open=True))
    assert (state.halted, state.stop_open) == (True, True)


def test_a_point_is_remembered_with_all_bits() -> None:
    state = ReportedState(judge_of(points=[["1/7"], ["1/3"]]))
    state.iteration(IterationLine(j=0, index=1), judged())
    with ctx.workprec(10):
        assert state.replay.outer(1)[0, 0].rad() < 2.0**-250
        assert state.replay.outer(0)[0, 0].rad() > 2.0**-30


# -- what the judge lets others know ---------------------------------------------------------------


def test_the_hints_of_a_judge() -> None:
    """The reach is that before the line, u_0 = 8 and u_1 = 8 + 2/Phi_0 gamma = 10."""
    judge = judge_of(points=[[1], [1], [1], [1]])
    first = judge.iteration(2, IterationLine(j=0, index=0))
    assert first == JudgedLine(1.0, 1.0, 8.0, False, False, 0.0)
    second = judge.iteration(3, IterationLine(j=1, index=0))
    assert (second.reach, second.upper) == (0.25, 10.0)
    assert second.spread >= 1
    last = judge.result(4, ResultLine(m=2))
    mid, upper = float(judge.replay.mid()), float(judge.replay.upper)
    allowed = judge.allowance.at(2, judge.spread, 0.25)
    assert (last.reach, last.upper) == (0.25, upper)
    assert last.normalised == pytest.approx(allowed * (1 + upper / mid))


def test_the_hint_of_a_run_without_iterations() -> None:
    assert judge_of().result(2, ResultLine(m=0)) == JudgedLine(1.0, 1.0, 8.0, False, False, 0.0)


def test_hints_go_on_when_the_true_run_cannot() -> None:
    judge = judge_of(points=[[1], [0]])
    assert judge.iteration(2, IterationLine(j=0, index=1)).halted
    assert judge.iteration(3, IterationLine(j=1, index=0)).halted
    last = judge.result(4, ResultLine(m=2))
    assert (last.halted, last.normalised) == (True, 0)


# -- whole lines -----------------------------------------------------------------------------------


class Recording(Judge):
    """Remembers what every value of a line was compared with, and whether it passed."""

    def __init__(self, header: HeaderLine) -> None:
        super().__init__(header)
        self.compared: dict[tuple[str, int | None], tuple[arb, float, bool]] = {}

    def value(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: Raw | None,
        true: arb,
        allowed: float,
        *,
        widest: float = 0.0,
        scale: arb | None = None,
        place: int | None = None,
        listed: bool = False,
    ) -> bool:
        before = self.violated
        right = super().value(
            line, j, field, raw, true, allowed,
            widest=widest, scale=scale, place=place, listed=listed,
        )  # fmt: skip
        radius = float(abs(true) if scale is None else scale) * allowed
        self.compared[field, place] = true, radius, self.violated == before
        return right

    def compare(
        self,
        line: int,
        j: int | None,
        field: str,
        given: fmpq,
        expected: fmpq,
        bound: fmpq,
        relation: str,
        *,
        place: int | None = None,
    ) -> bool:
        right = super().compare(line, j, field, given, expected, bound, relation, place=place)
        if "sum" not in relation:
            self.compared[field, place] = arb(expected), float(arb(bound)), right
        return right


class Careless(ReportedState):
    """Planted: takes the present reach for every line, as if nothing had been picked."""

    def _heed(self, judged: JudgedLine) -> None:
        super()._heed(judged)
        self.reach = 1.0

    def iteration(self, line: IterationLine, judged: JudgedLine) -> None:
        super().iteration(
            line, JudgedLine(judged.spread, 1.0, judged.upper, judged.stop_open, judged.halted)
        )


Place = tuple[str, int | None]


def missed(
    kind: type[ReportedState], points: list[list[int]], share: float, precision: int
) -> set[Place]:
    """Values that pass, each off by a share of its allowance, and are not in the state's balls.

    A first judge says what is true and what is allowed, and a second one judges.
    """
    size = len(points)
    header = HeaderLine(
        format=FORMAT, gamma=0.25, points=points, unlabelled=1, precision=precision  # type: ignore[arg-type]
    )  # fmt: skip
    asked, judge = Recording(header), Recording(header)
    state, lost = kind(judge), set()
    passes: list[bool] = []

    def off(place: Place) -> str:
        true, radius, _ = asked.compared[place]
        return hexadecimal(Fraction(float(true)) + Fraction(share) * Fraction(radius))

    def look() -> None:
        for (field, place), (true, _, passed) in judge.compared.items():
            seen = getattr(state.reported, field)
            ball = seen if place is None else seen[place]
            passes.append(passed)
            if passed and not ball.contains(true):
                lost.add((field, place))

    names = ("u", "l", "phi", "p", "weight")
    ones: dict[str, Any] = dict.fromkeys(names, 1.0)
    count = 0
    while asked.replay.clock() < asked.replay.bound and count < 6:
        index = count % (size - 1) + 1
        blank = IterationLine(j=count, index=index, probabilities=[1.0] * size, **ones)
        asked.iteration(count + 2, blank)
        chances: list[Any] = [off(("probabilities", i)) for i in range(size)]
        values: dict[str, Any] = {name: off((name, None)) for name in names}
        line = IterationLine(j=count, index=index, probabilities=chances, **values)
        state.iteration(line, judge.iteration(count + 2, line))
        look()
        count += 1
    asked.compared.clear()
    judge.compared.clear()
    lists: dict[str, Any] = {"weights": [1.0] * count, "alphas": [1.0] * count}
    asked.result(count + 2, ResultLine(m=count, u=1.0, l=1.0, mid=1.0, **lists))
    lists = {name: [off((name, j)) for j in range(count)] for name in lists}
    ends: dict[str, Any] = {name: off((name, None)) for name in ("u", "l", "mid")}
    result = ResultLine(m=count, **ends, **lists)
    state.result(result, judge.result(count + 2, result))
    look()
    assert any(passes)
    return lost


#: Leverages 1 and less than a thousandth, at a condition of 1; a zero row.
POINTS = [[0, 0], [100, 0], [0, 100], [1, 1], [1, -1]]


@pytest.mark.parametrize("precision", [12, 24, 53])
@pytest.mark.parametrize("share", [-0.9999, -0.5, 0.5, 0.9999])
def test_the_balls_of_whole_lines_have_all_that_passes(share: float, precision: int) -> None:
    assert missed(ReportedState, POINTS, share, precision) == set()


def test_a_reach_that_is_forgotten_is_noticed() -> None:
    found = missed(Careless, POINTS, 0.9999, 24)
    assert {("phi", None), ("probabilities", 1)} <= found
