"""One value, one line, at the very ends of what is allowed: d = 1, gamma = 1/4, all by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from asura.errors import NotATrace, Undecided
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.oracle.views.court import NeedsExactness
from asura_verify.oracle.views.judge import Judge


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def judge_of(*, exact: bool = False, **fields: Any) -> Judge:
    """U_0 = 8, Phi_0 = 1/4, p = 1/2; both points have leverage 1/2."""
    known: dict[str, Any] = {"format": FORMAT, "gamma": 0.25, "points": [[1], [1]], "unlabelled": 1}
    return Judge(HeaderLine(**(known | fields)), exact=exact)


def test_a_judge_begins_with_nothing() -> None:
    judge = Judge(judge_of().header)
    assert judge.exact is False
    assert (judge.spread, judge.reach) == (1, 1)
    assert (judge.worst, judge.violated) == (0, 0)
    assert judge.stop_open is False
    assert judge.halted is False
    assert judge.undetermined is False


def test_precisions() -> None:
    assert judge_of().replay.bits == 53 + 75
    assert judge_of(exact=True).replay.bits == 256
    assert judge_of(precision=5000).precision == 2048
    assert judge_of(precision=2048).precision == 2048
    assert judge_of(precision=5000).replay.bits == 256
    assert judge_of(precision=10).digits == 17
    assert judge_of(precision=1000).digits == 302 + 3


def value(judge: Judge, raw: Any, true: arb, allowed: float = 0.125, **options: Any) -> None:
    judge.value(7, 5, "u", raw, true, allowed, **options)


def test_a_value_within_its_allowance_or_at_its_end() -> None:
    judge = judge_of()
    value(judge, None, arb(8))
    assert judge.checked == {}
    value(judge, 8.5, arb(8))
    assert (judge.worst, judge.violated) == (0.5, 0)
    value(judge, 9.0, arb(8))
    value(judge, -9.0, arb(-8))
    value(judge, 8.25, arb(8))
    assert (judge.worst, judge.violated) == (1, 0)
    assert judge.checked == {"u": 4}
    value(judge, 8.0, arb(8), 0.0)
    value(judge, 1.0, arb(0.5), 0.125, scale=arb(4))
    assert (judge.worst, judge.violated) == (1, 0)


def test_high_precision_has_no_share_of_its_allowance() -> None:
    judge = judge_of(precision=54)
    value(judge, 8.5, arb(8))
    assert judge.worst == 0


def test_a_value_beyond_its_allowance() -> None:
    judge = judge_of()
    value(judge, 9.5, arb(8), place=2)
    (found,) = judge.violations
    assert (found.line, found.j, found.field, found.reported) == (7, 5, "u[2]", "9.5")
    assert (float(found.lower), float(found.upper)) == (7, 9)
    assert (found.gap, found.allowance, found.slug) == (1.5, 0.125, "invariant")
    assert (judge.worst, judge.violated) == (1.5, 1)
    value(judge, 9.0, arb(8), 0.0)
    assert judge.violations[1].gap is None
    assert judge.worst == 1.5


def test_an_end_that_balls_cannot_tell_asks_for_precision() -> None:
    judge = judge_of()
    with pytest.raises(Undecided):
        value(judge, 9.0, arb(8, 0.5))
    with pytest.raises(Undecided):  # from 1 to 2, against 1
        value(judge, 9.0, arb(7.5, 0.5), scale=arb(8))
    assert judge.violated == 0


def test_what_claims_to_be_exact_must_be() -> None:
    with pytest.raises(NeedsExactness):
        judge_of().heed((0.5, None, "1/3"))
    judge = judge_of(exact=True)
    value(judge, "1/3", arb(fmpq(1, 3)))
    assert judge.violated == 0
    value(judge, "1/3", arb(0.1875, 0.0625))
    (found,) = judge.violations
    assert (float(found.lower), float(found.upper)) == pytest.approx((0.125, 0.25))
    assert (found.gap, found.allowance) == (None, 0)


def test_sixteen_violations_are_kept_and_long_values_shortened() -> None:
    judge = judge_of()
    for count in range(20):
        judge.accuse(count, None, "u", "7" * 121, "0", "1", None, 0.0, "")
    assert judge.violated == 20
    assert [violation.line for violation in judge.violations] == list(range(16))
    assert "..." in judge.violations[0].reported
    judge.violations.clear()
    judge.accuse(0, None, "u", "7" * 120, "0", "1", None, 0.0, "")
    assert judge.violations[0].reported == "7" * 120


def vague(judge: Judge, relative: float) -> None:
    """Let Phi_0 = 1/4 be known only so well."""
    look = judge.replay.look

    def wide() -> None:
        look()
        judge.replay.potential = arb(0.25, relative / 4)

    judge.replay.look = wide  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("precision", "sixteenths", "decided"),
    [
        (53, 0.5, True),
        (53, 0.75, True),
        (53, 1.0, False),
        (53, 2.0, False),
        (4, 0.5, True),  # 4 bits are granted 4, which is cut to 1
        (4, 1.5, False),
    ],
)
def test_a_vague_potential_asks_for_precision(
    precision: int, sixteenths: float, decided: bool
) -> None:
    """Its radius must be below a sixteenth of what is granted."""
    judge = judge_of(precision=precision)
    granted = min(judge.allowance.at(0, 1.0, 1.0), 1.0)
    assert granted == (1 if precision == 4 else 2.0**-47 * (1 + 18 / 64))
    vague(judge, granted * sixteenths / 16)
    line = IterationLine(j=0, index=0)
    if decided:
        judge.iteration(2, line)
    else:
        with pytest.raises(Undecided):
            judge.iteration(2, line)


def test_a_zero_point_ends_the_true_run() -> None:
    judge = judge_of(points=[[1], [0]])
    judge.iteration(2, IterationLine(j=0, index=1))
    assert judge.halted
    assert judge.checked["index"] == 1
    (found,) = judge.violations
    assert (found.field, found.reported, found.gap, found.allowance) == ("index", "1", None, 0)
    judge.iteration(3, IterationLine(j=1, index=0))
    judge.result(4, ResultLine(m=2, weights=[1.0]))
    assert judge.violated == 1


def test_a_zero_point_may_have_the_probability_of_a_rounding_error() -> None:
    """2^-40 times the allowance of 2^-47."""
    for reported, accused in ((2.0**-88, 0), (2.0**-85, 1)):
        judge = judge_of(points=[[1], [0]])
        judge.iteration(2, IterationLine(j=0, index=0, probabilities=[1.0, reported]))
        assert judge.violated == accused


class Drawn:
    """A session that remembers."""

    def __init__(self) -> None:
        self.draws: list[tuple[list[float], int]] = []

    def draw(self, probabilities: Any, index: int) -> None:
        self.draws.append((probabilities.tolist(), index))


def test_picks_are_tested_with_accurate_probabilities() -> None:
    judge, session = judge_of(), Drawn()
    judge.session = session  # type: ignore[assignment]
    judge.iteration(2, IterationLine(j=0, index=1))
    assert session.draws == [([0.5, 0.5], 1)]


def test_lines_that_do_not_fit_the_header() -> None:
    judge = judge_of(uniforms=[0.5])
    judge._refuse(2, IterationLine(j=0, index=1))
    with pytest.raises(NotATrace, match="iteration 1 has no uniform, the header gives 1"):
        judge._refuse(3, IterationLine(j=1, index=0))
    with pytest.raises(NotATrace, match="count from 0"):
        judge._refuse(2, IterationLine(j=0, index=2))
    with pytest.raises(NotATrace, match=r"from 0 to 1\Z"):
        judge._refuse(2, IterationLine(j=0, index=3))
    with pytest.raises(NotATrace, match="1 entries, expected 2"):
        judge._refuse(2, IterationLine(j=0, index=0, probabilities=[1.0]))


@pytest.mark.parametrize("field", ["weights", "alphas", "beta"])
def test_lists_of_the_result_have_their_length(field: str) -> None:
    judge = judge_of(labels=[1, 2])
    judge.iteration(2, IterationLine(j=0, index=0))
    result: dict[str, Any] = {field: [1.0, 2.0]}
    with pytest.raises(NotATrace, match=f"field `{field}`: 2 entries, expected 1"):
        judge.result(3, ResultLine(m=1, **result))


@pytest.mark.parametrize(("allowed", "open_"), [(0.06, 0), (0.0625, 1), (1.5, 1)])
def test_a_value_that_a_gross_mistake_would_pass_is_not_decided(allowed: float, open_: int) -> None:
    judge = judge_of()
    assert judge.value(2, 0, "u", 1.0, arb(1), allowed)
    assert judge.value(2, 0, "u", 1.0, arb(1), allowed, listed=True)
    assert judge.checked == {"u": 2}
    assert judge.undecided == judge.vague == ({"u": 1} if open_ else {})


def test_the_largest_allowances_are_remembered() -> None:
    judge = judge_of()
    assert (judge.loosest, judge.doubted) == (0, 0)
    for allowed, loosest in ((0.25, 0.25), (0.125, 0.25), (0.5, 0.5)):
        judge.value(2, 0, "u", 1.0, arb(1), allowed)
        assert judge.loosest == loosest
    judge = judge_of(points=[[1], [1], [1], [3]])
    judge.iteration(2, IterationLine(j=0, index=3))
    first = judge.doubted
    assert first == judge.allowance.at(0, judge.spread, judge.reach)
    judge.iteration(3, IterationLine(j=1, index=0))
    assert judge.doubted == judge.allowance.at(1, judge.spread, judge.reach) > first
