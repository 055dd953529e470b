"""One value, one line, at the very ends of what is allowed: d = 1, gamma = 1/4, all by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from asura.errors import NotATrace, Undecided
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.oracle.truth.allowance import Allowance, Conditioning
from asura_verify.oracle.views.court import NeedsExactness
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.relations import Exact
from asura_verify.oracle.views.stated import NeedsReplay


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def judge_of(*, exact: bool = False, **fields: Any) -> Judge:
    """u_0 = 8, Phi_0 = 1/4, p = 1/2; both points have leverage 1/2."""
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


# -- headers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "whitening", "fits"),
    [
        ([[1], [1]], [[0.7]], True),
        ([[1], [1]], [[0.7, 0.7]], False),
        ([[1], [1]], [[0.7], [0.7]], False),
        ([[1, 0], [0, 1]], [[1, 0], [0, 1]], True),
        ([[1, 0], [0, 1]], [[1, 0], [0]], False),
        ([[1, 0], [1, 0]], [[1]], False),  # X has two columns of rank 1
    ],
)
def test_a_whitening_has_the_shape_of_the_data(points: Any, whitening: Any, fits: bool) -> None:
    if fits:
        judge_of(points=points, whitening=whitening)
    else:
        with pytest.raises(NotATrace, match=r"line 1, field `whitening`: expected \d rows of \d"):
            judge_of(points=points, whitening=whitening)


@pytest.mark.parametrize(
    ("first", "halted"),
    [
        ({"u": 8.0}, True),
        ({"u": 8 * (1 + 2.0**-52)}, True),
        ({"u": 8 * (1 + 2.0**-51)}, False),  # 2 * 2^-51 is not below 2^-50
        ({"u": 8 * (1 - 2.0**-52)}, True),
        ({"u": 16.0}, False),
        ({"u": 4.0}, False),
        ({}, False),
        ({"u": 8.0, "j": 1}, False),
    ],
)
def test_a_rank_that_the_precision_cannot_tell_from_the_true_one(
    first: dict[str, Any], halted: bool
) -> None:
    """diag(1, 1e-30) is of rank 1 as far as 53 bits can tell: u_0 = 2/gamma, and not 4/gamma."""
    judge = judge_of(points=[[1, 0], [0, 1e-30]])
    judge._doubt_rank(IterationLine(**({"j": 0, "index": 0} | first)))
    assert judge.halted is halted
    assert judge.vague == ({"u": 1} if halted else {})
    assert judge.checked == ({"u": 1} if halted else {})
    assert judge.remarks == (("of rank 1 as far as 53 bits can tell",) if halted else ())


def test_a_rank_that_no_barrier_shows() -> None:
    """Without u and l every rank from 1 on may be meant, where 53 bits carry no such data."""
    near = "1.00000000000000000001"
    judge = judge_of(points=[[1, 1, 1], [1, near, 1], [1, 1, near]])
    assert judge.allowance.hopeless
    judge._doubt_rank(IterationLine(j=0, index=0))
    assert (judge.halted, judge.doubted) == (True, 1.0)
    assert judge.checked == judge.vague == {"stopping": 1}
    assert judge.remarks == ("of rank 1 as far as 53 bits can tell",)


def test_a_rank_is_any_only_where_bits_may_tell_another_and_nothing_shows_it() -> None:
    cases: tuple[tuple[Any, dict[str, Any], bool], ...] = (
        ([[1, 0], [0, 1e-30]], {}, True),
        ([[1, 0], [0, 1e-30]], {"u": 8.0}, False),
        ([[1, 0], [0, 1e-30]], {"l": -8.0}, False),
        ([[1, 0], [0, 1]], {}, False),
    )
    for points, first, any_ in cases:
        judge = judge_of(points=points)
        judge._doubt_rank(IterationLine(**({"j": 0, "index": 0} | first)))
        assert list(judge.relations.ranks) == [1] * any_
        judge._doubt_rank(IterationLine(j=1, index=0))  # the first line alone is asked
        assert list(judge.relations.ranks) == [1] * any_


def test_ranks_in_between_are_tried_too() -> None:
    judge = judge_of(points=[[1, 0, 0], [0, 1e-20, 0], [0, 0, 1e-40]])
    judge._doubt_rank(IterationLine(j=0, index=0, u=16 * (1 + 2.0**-51)))  # 2^-49 is 2^-50 * 2
    assert judge.halted is False
    judge._doubt_rank(IterationLine(j=0, index=0, u=16 * (1 + 2.0**-52)))
    assert judge.halted is True


# -- iterations ------------------------------------------------------------------------------------

FIRST: dict[str, Any] = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": 0.5, "weight": 2.0}


def test_what_is_told_of_a_line() -> None:
    judge = judge_of(points=[[1], [3]])
    told = judge.iteration(2, IterationLine(j=0, index=0))
    assert (told.spread, told.reach, told.upper) == (1.0, 1.0, 8.0)
    assert (told.stop_open, told.halted, told.normalised, told.granted) == (False, False, 0, 0)
    assert told.look is None
    second = judge.iteration(3, IterationLine(j=1, index=1))
    assert second.reach == pytest.approx(0.1)
    assert second.upper == pytest.approx(10)
    assert second.spread > 1
    assert judge.from_states is False


def test_a_right_line_is_counted_once_a_value() -> None:
    judge = judge_of(uniforms=[0.25])
    judge.iteration(2, IterationLine(j=0, index=0, probabilities=[0.5, 0.5], **FIRST))
    assert judge.checked == {
        "stopping": 1, "u": 1, "l": 1, "phi": 1, "p": 1, "probabilities": 2, "weight": 1,
        "index": 1,
    }  # fmt: skip
    assert (judge.wrong, judge.vague, judge.undecided) == ({}, {}, {})
    assert (judge.picks, [float(x) for x in judge.weights]) == ([0], [2.0])
    assert [float(x) for x in judge.shares] == [1.0]


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("phi", 0.26, {"phi": 1}),
        ("p", 0.51, {"p": 1}),
        ("weight", 2.1, {"weight": 1}),
        ("u", 8.1, {"u": 1}),
        ("l", -8.1, {"l": 1}),
        ("probabilities", [0.5, 0.51], {"probabilities": 1}),
    ],
)
def test_one_wrong_value_of_a_replayed_line(field: str, value: Any, wrong: dict[str, int]) -> None:
    """A value that is wrong is accused by itself, and says nothing about others."""
    judge = judge_of()
    judge.iteration(2, IterationLine(j=0, index=0, **(FIRST | {field: value})))
    assert judge.wrong == wrong


def test_a_weight_alone_is_held_against_the_true_one() -> None:
    for weight, wrong in ((2.0, {}), (2.1, {"weight": 1})):
        judge = judge_of()
        judge.iteration(2, IterationLine(j=0, index=0, weight=weight))
        assert (judge.wrong, judge.checked["weight"]) == (wrong, 1)


def test_what_is_wrong_ties_nothing_any_more() -> None:
    """A wrong phi is not the denominator of the next barriers: the true run is."""
    for field, kept in (("phi", False), ("p", True), ("weight", True)):
        judge = judge_of()
        judge.iteration(2, IterationLine(j=0, index=0, **(FIRST | {field: 0.3})))
        assert (judge.relations._before.phi is not None) is kept
        assert (judge.relations._before.weight is not None) is (field != "weight")


def test_partial_sums_have_the_allowance_of_all_points() -> None:
    """That of a leverage of 1/n = 1/4, where the least leverage picked before is 1/2."""
    asked: list[float] = []
    judge = judge_of(points=[[1], [1], [1], [1]], uniforms=[0.25])
    real = judge.allowance.at

    def at(j: int, spread: float, leverage: float) -> float:
        asked.append(leverage)
        return real(j, spread, leverage)

    object.__setattr__(judge.allowance, "at", at)
    judge.reach = 0.5
    judge.replay.look()
    judge._take(2, IterationLine(j=0, index=0), arb(0.0625), 0.125)
    assert asked == [0.25]
    assert judge.reach == 0.125


def test_lines_are_refused_heeded_and_doubted_before_they_are_judged() -> None:
    with pytest.raises(NotATrace):
        judge_of().iteration(2, IterationLine(j=0, index=2))
    with pytest.raises(NeedsExactness):
        judge_of().iteration(2, IterationLine(j=0, index=0, p="1/3"))
    with pytest.raises(NeedsExactness):
        judge_of().iteration(2, IterationLine(j=0, index=0, probabilities=["1/3", "2/3"]))
    judge = judge_of(points=[[1, 0], [0, 1e-30]])
    judge.iteration(2, IterationLine(j=0, index=0, u=8.0))
    assert (judge.halted, judge.picks) == (True, [])


def test_a_pick_of_no_probability_is_counted_and_not_taken() -> None:
    judge = judge_of(points=[[1], [0]], uniforms=[0.5, 0.5])
    judge.iteration(2, IterationLine(j=0, index=0))
    judge.iteration(3, IterationLine(j=1, index=1))
    assert (judge.checked["index"], judge.picks) == (2, [0])


def test_a_weight_follows_its_own_phi_and_p() -> None:
    """Both at the end of what they may be off: their product is twice as far, and is right."""
    judge = judge_of()
    off = 1 + 0.9 * judge.allowance.at(0, 1.0, 1.0)
    fields: dict[str, Any] = {"phi": 0.25 * off, "p": 0.5 * off, "weight": 2 / (off * off)}
    judge.iteration(2, IterationLine(j=0, index=0, **fields))
    assert (judge.wrong, judge.checked["weight"]) == ({}, 1)


def test_what_claims_to_be_exact_is_not_excused_by_a_relation() -> None:
    """Off by 1e-21: within every rounding, and no rational that a run has."""
    for field, value, wrong in (
        ("weight", f"{10**21 + 1}/{2 * 10**20}", {"weight": 1}),
        ("weight", 5.0, {}),
        ("u", f"{8 * 10**21 + 1}/{10**21}", {"u": 1}),
        ("l", f"{-8 * 10**21 - 1}/{10**21}", {"l": 1}),
    ):
        judge = judge_of(exact=True, points=[[1], [2]])
        exact: dict[str, Any] = {"u": 8.0, "l": -8.0, "phi": 0.25, "p": "1/5", "weight": 5.0}
        judge.iteration(2, IterationLine(j=0, index=0, **(exact | {field: value})))
        assert judge.wrong == wrong


# -- blocks ----------------------------------------------------------------------------------------


def test_a_block_needs_reported_states() -> None:
    judge = judge_of()
    with pytest.raises(NeedsReplay):
        judge.block([(2, IterationLine(j=0, index=0, u=8.0, l=-8.0, phi=0.25))])
    with pytest.raises(NotATrace):
        judge.block([(2, IterationLine(j=0, index=2, **FIRST))])
    with pytest.raises(NeedsExactness):
        judge.block([(2, IterationLine(j=0, index=0, **(FIRST | {"p": "1/3"})))])
    with pytest.raises(NeedsExactness):
        judge.block([(2, IterationLine(j=0, index=0, probabilities=["1/3", "2/3"], **FIRST))])
    assert [judge.from_states] == [False]
    (told,) = judge.block([(2, IterationLine(j=0, index=0, **FIRST))])
    assert [judge.from_states] == [True]
    assert told.upper == 10.0
    assert judge.rounded is True


def test_a_block_of_another_rank_is_not_judged() -> None:
    judge = judge_of(points=[[1, 0], [0, 1e-30]])
    judge.block([(2, IterationLine(j=0, index=0, **FIRST))])
    assert (judge.halted, judge.checked) == (True, {"u": 1})
    # Only the first line of a trace says which rank it takes.
    stated = judge._stated
    judge.block([(3, IterationLine(j=1, index=0, **FIRST))])
    assert judge._stated is stated


# -- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("allowed", "opened"), [(0.0624, 0), (0.0625, 2)])
def test_a_list_of_few_bits_is_left_open(allowed: float, opened: int) -> None:
    """Where all chances are known only up to a sixteenth."""
    judge = judge_of()
    judge.replay.look()
    object.__setattr__(judge.allowance, "everywhere", lambda *_: [allowed, allowed])
    judge._probabilities(2, 0, [0.5, 0.5], judge.replay.masses())
    assert judge.vague == ({"probabilities": opened} if opened else {})
    assert judge.checked == {"probabilities": 2}


def test_a_list_is_open_when_what_is_open_carries_a_sixteenth() -> None:
    for first, opened in ((1, True), (15, True), (16, False), (14.9, True)):
        judge = judge_of(points=[[1], [float(first) ** 0.5]])
        judge.replay.look()
        masses = [arb(0.25) / (1 + first), arb(0.25) * first / (1 + first)]
        chances = [1 / (1 + first), first / (1 + first)]
        object.__setattr__(judge.allowance, "everywhere", lambda *_: [0.5, 0.0625 / 2])
        judge._probabilities(2, 0, chances, masses)
        assert bool(judge.vague) is opened


# -- the result ------------------------------------------------------------------------------------


def ended(**fields: Any) -> Judge:
    """After one step that reports nothing: u_1 = 10, l_1 = -22/3, mid 4/3; stopped at once."""
    labels = fields.pop("labels", None)
    judge = judge_of(stopping="sure", level="1/1000", labels=labels)
    judge.iteration(2, IterationLine(j=0, index=0))
    judge.told = judge.result(3, ResultLine(**({"m": 1} | fields)))  # type: ignore[attr-defined]
    return judge


def test_a_result_by_hand() -> None:
    third = -22 / 3
    judge = ended(u=10.0, l=third, mid=(10 + third) / 2, weights=[1.5], alphas=[0.75])
    assert judge.wrong == {}
    assert judge.checked == {
        "stopping": 2, "m": 1, "u": 1, "l": 1, "mid": 1, "weights": 1, "alphas": 1,
    }  # fmt: skip
    told: Any = judge.told  # type: ignore[attr-defined]
    allowed = judge.allowance.at(1, judge.spread, judge.reach)
    assert told.normalised == pytest.approx(allowed * (1 + 7.5), rel=1e-9, abs=0)
    assert (told.spread, told.reach, told.granted) == (judge.spread, judge.reach, 0.0)
    assert told.upper == 10.0


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"m": 2}, "m"),
        ({"u": 10.1}, "u"),
        ({"l": -7.0}, "l"),
        ({"mid": 1.4}, "mid"),
        ({"mid": 4 / 3 * (1 + 1e-12)}, "mid"),
        ({"weights": [1.6]}, "weights"),
        ({"alphas": [0.8]}, "alphas"),
        ({"beta": [1.0], "labels": [3, None]}, "beta"),
        ({"beta": [1.0], "weights": [1.5], "labels": [3, None]}, "beta"),
    ],
)
def test_one_wrong_value_of_a_result(fields: dict[str, Any], wrong: str) -> None:
    judge = ended(**fields)
    assert judge.wrong[wrong] >= 1
    assert set(judge.wrong) <= {wrong, "alphas"}
    if wrong == "m":
        violation = judge.violations[0]
        assert (violation.line, violation.j, violation.reported) == (3, None, "2")
        assert (violation.lower, violation.upper) == ("1", "1")
        assert (violation.gap, violation.allowance) == (None, 0.0)


def tied_result(weight: float = 2.0, **fields: Any) -> Judge:
    """The same after a step that reports everything."""
    judge = judge_of(stopping="sure", level="1/1000")
    judge.iteration(2, IterationLine(j=0, index=0, **(FIRST | {"weight": weight})))
    third = -22 / 3
    known: dict[str, Any] = {"m": 1, "u": 10.0, "l": third, "mid": (10 + third) / 2}
    judge.result(3, ResultLine(**(known | fields)))
    return judge


def test_a_result_that_is_tied_is_counted_once() -> None:
    judge = tied_result(weights=[1.5], alphas=[0.75])
    assert (judge.wrong, judge.remarks) == ({}, ())
    assert {name: judge.checked[name] for name in ("mid", "weights", "alphas", "u")} == {
        "mid": 1, "weights": 1, "alphas": 1, "u": 2,
    }  # fmt: skip
    for mid in (2.0, 4 / 3 * (1 + 5e-14)):  # far off, and only farther than its relation allows
        assert tied_result(mid=mid).wrong == {"mid": 1}


def test_the_weight_of_who_normalises() -> None:
    """Off by 82 roundings of sum and trace, and 6 of the relation; 82 more cost the data."""
    said = "weight: as if divided by the sum of the masses, and not by phi"
    wrong: dict[str, int]
    for roundings, wrong, remarks in ((80, {}, ()), (120, {}, (said,)), (200, {"weight": 1}, ())):
        judge = tied_result(2 * (1 + roundings * 2.0**-53))
        assert (judge.wrong, judge.remarks, judge.vague) == (wrong, remarks, {})


@pytest.mark.parametrize("field", ["u", "l", "mid", "weights", "alphas"])
def test_results_are_heeded_too(field: str) -> None:
    judge = judge_of()
    judge.iteration(2, IterationLine(j=0, index=0))
    value: Any = ["1/3"] if field in {"weights", "alphas"} else "1/3"
    with pytest.raises(NeedsExactness):
        judge.result(3, ResultLine(m=1, **{field: value}))


def test_lists_that_no_line_ties_are_held_against_the_true_run() -> None:
    for off, wrong in ((0.0, {}), (1e-9, {"weights": 1})):
        judge = ended(weights=[1.5 + off])
        assert judge.wrong == wrong
        if wrong:
            assert judge.violations[0].field == "weights[0]"
            assert judge.violations[0].j == 0


def test_the_answer_by_the_weights_that_are_known() -> None:
    """Reported in the result, or in the lines, or those of the true run."""
    judge = judge_of()
    judge.weights = [arb(7)]
    assert judge._weights_of(ResultLine(m=0)) == []
    judge.relations.remember(Exact(None, None))
    assert judge._weights_of(ResultLine(m=1)) is None
    assert judge._weights_of(ResultLine(m=1, weights=[0.5])) == [arb(0.5)]
    assert judge._weights_of(ResultLine(m=1, weights=[-2.0])) is None
    assert judge._weights_of(ResultLine(m=1, weights=[0.0])) is None
    judge = judge_of()
    judge.relations.remember(Exact(None, None, None, None, fmpq(3)))
    assert judge._weights_of(ResultLine(m=1)) == [arb(3)]


def test_a_run_without_steps_has_no_lists() -> None:
    judge = judge_of(stopping="sure", level="1/1000")
    told = judge.result(2, ResultLine(m=0, u=8.0, l=-8.0, mid=0.0, weights=[], alphas=[]))
    assert told.normalised == 0.0
    assert set(judge.wrong) <= {"stopping"}


# -- coverage --------------------------------------------------------------------------------------


def test_what_is_absent_is_named() -> None:
    judge = judge_of()
    fields = ("u", "l", "phi", "p", "probabilities", "weight")
    everything = dict.fromkeys(fields, 3)
    whole = {"uniforms", "u", "l", "mid", "weights", "alphas", "beta"}
    assert judge.coverage(everything, whole, 3) == ()
    assert judge.coverage(everything | {"phi": 1}, whole, 3) == ("phi (of 2 of 3 iterations)",)
    assert judge.coverage(everything | {"phi": 0}, whole, 3) == ("phi",)
    assert judge.coverage(everything | {"u": 0}, whole, 3) == ("u (of 3 of 3 iterations)",)
    assert judge.coverage(everything, whole - {"u"}, 3) == ("u (of the result)",)
    assert judge.coverage(everything | {"u": 0}, whole - {"u"}, 3) == ("u",)
    assert judge.coverage(everything | {"u": 1}, whole - {"u"}, 3) == ("u (of 2 of 3 iterations)",)
    assert judge.coverage(everything, whole - {"mid", "uniforms"}, 3) == ("uniforms", "mid")
    assert judge.coverage({}, whole, 3)[:3] == (
        "u (of 3 of 3 iterations)", "l (of 3 of 3 iterations)", "phi",
    )  # fmt: skip
    judge.undetermined = True
    missing = "beta (a label of a picked point is missing)"
    assert judge.coverage(everything, whole, 3) == (missing,)
    assert judge.coverage(everything, whole - {"beta"}, 3) == ("beta",)


def test_lists_of_the_result_that_only_lossy_methods_explain() -> None:
    """Columns as they are cost 2^40: off by 2^-7 * 8.5 at most, u_m being 7.5 times mid."""
    for off, wrong in ((2.0**-7, False), (2.0**-5, False), (2.0**-3, True)):
        judge = judge_of(stopping="sure", level="1/1000")
        judge.allowance = Allowance(53, Conditioning(1.0, 2.0**20, (0.5, 0.5), 0))
        judge.iteration(2, IterationLine(j=0, index=0))
        judge.result(3, ResultLine(m=1, weights=[1.5 * (1 + off)]))
        assert judge.wrong == ({"weights": 1} if wrong else {})
        assert bool(judge.unexplained) is not wrong


def test_probabilities_of_light_points_that_only_lossy_methods_explain() -> None:
    """24 bits: a leverage of 2e-8 costs 7e3 with scaled columns, and 7e5 as they are."""
    for factor, wrong in ((3.0, {}), (99.0, {"probabilities": 1})):
        judge = judge_of(points=[[100, 0], [0, 1], [1e-2, 1e-4]], precision=24)
        judge.iteration(2, IterationLine(j=0, index=0))
        judge.replay.look()
        asked = judge_of(points=[[100, 0], [0, 1], [1e-2, 1e-4]], precision=24)
        asked.replay.look()
        chances = [float(x / asked.replay.potential) for x in asked.replay.masses()]
        asked.iteration(
            2, IterationLine(j=0, index=0, probabilities=[*chances[:2], chances[2] * factor])
        )
        assert asked.wrong == wrong
        assert bool(asked.unexplained) is not bool(wrong)


def test_a_rank_is_doubted_by_the_lower_barrier_alone() -> None:
    for first in (IterationLine(j=0, index=0, l=-8.0), IterationLine(j=0, index=0, u=8.0)):
        judge = judge_of(points=[[1, 0], [0, 1e-30]], precision=53)
        judge.iteration(2, first)
        assert judge.halted
        assert judge.remarks == ("of rank 1 as far as 53 bits can tell",)
