"""How a trace is followed by one whitening: whom it is asked of, which steps, and every bound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import arb_mat, ctx

from asura.trace import IterationLine
from asura_verify.oracle.truth.one_whitening import Measured, State, gradients
from asura_verify.oracle.truth.stated import StatedTruth
from asura_verify.oracle.views import one_whitening as module
from asura_verify.oracle.views.one_whitening import (
    PROVED,
    STRETCHES,
    OneWhitening,
    _double,
    joined,
)

ROWS = [[0.75], [0.5], [0.25]]


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(128):
        yield


def judge_of(precision: int = 53, plain: float = 100.0, equilibrated: float = 1.0) -> Any:
    known = SimpleNamespace(conditioning=SimpleNamespace(plain=plain, equilibrated=equilibrated))
    return SimpleNamespace(precision=precision, allowance=known, violated=0, unexplained="")


def once_of(
    rows: list[list[float]] = ROWS, tau: float | None = 2.0**-40, **facts: Any
) -> Any:  # called for its privates
    grant: Any = SimpleNamespace(orthogonal=tau, squares_keep=False)
    return OneWhitening(judge_of(**facts), grant, arb_mat(rows))


def line(j: int, **facts: Any) -> tuple[int, IterationLine]:
    known: dict[str, Any] = {
        "index": j % 3, "u": 8.0 + j, "l": -8.0, "phi": 0.25, "weight": 0.5,
        "probabilities": [0.5, 0.25, 0.25],
    }  # fmt: skip
    return j + 2, IterationLine(j=j, **(known | facts))


def lines(count: int) -> list[tuple[int, IterationLine]]:
    return [line(j) for j in range(count)]


# -- whom it is asked of -------------------------------------------------------------------------


def test_whom_it_is_asked_of() -> None:
    assert not once_of().over
    assert once_of(tau=None).over  # the whitening is reported
    assert not once_of(plain=32.0).over
    assert not once_of(plain=1.0, equilibrated=32.0).over
    assert once_of(plain=31.5, equilibrated=31.5).over
    assert once_of(precision=54).over
    assert not once_of([[1.0, 1.0]] * 160).over
    assert once_of([[1.0, 1.0, 1.0]] * 107).over  # 321 entries


def test_it_ends_where_a_value_is_wrong_or_probabilities_are_absent() -> None:
    wrong = once_of()
    wrong._judge.violated = 1
    wrong.block(lines(1))
    assert wrong.over
    absent = once_of()
    absent.block([line(0), line(1, probabilities=None)])
    assert absent.over
    assert absent._waiting == []
    fine = once_of()
    fine.block(lines(3))
    assert not fine.over
    assert len(fine._waiting) == 3


@pytest.mark.parametrize("error", [np.linalg.LinAlgError, OverflowError])
def test_it_ends_where_doubles_break_down(error: type[Exception]) -> None:
    once = once_of()

    def broken() -> None:
        raise error

    once._proceed = broken
    once.block(lines(1))
    assert once.over


@pytest.mark.parametrize(("around", "inside"), [(53, 128), (128, 128), (200, 200)])
def test_balls_have_128_bits_at_least(around: int, inside: int) -> None:
    once = once_of()
    found = []
    once._proceed = lambda: found.append(ctx.prec)
    with ctx.workprec(around):
        once.block(lines(1))
    assert found == [inside]


# -- which steps ---------------------------------------------------------------------------------


def test_stretches_begin_half_a_stretch_later() -> None:
    """d = 1: four steps are measured, beginning at 0, 2, 4 and 6; then nothing is said."""
    once = once_of()
    tried: list[slice] = []
    once._measured = tried.append
    every = lines(10)
    seen = []
    for j in range(10):
        once.block(every[j : j + 1])
        seen.append((len(tried), once.over))
    assert tried == [slice(0, 4), slice(2, 6), slice(4, 8), slice(6, 10)]
    assert seen == [(0, False)] * 3 + [(1, False)] * 2 + [(2, False)] * 2 + [(3, False)] * 2 + [
        (4, True)
    ]


def test_four_stretches_are_tried_however_many_lines_come() -> None:
    once = once_of()
    tried: list[slice] = []
    once._measured = tried.append
    once.block(lines(40))
    assert len(tried) == 4
    assert once.over


@pytest.mark.parametrize(
    ("tried", "over", "known", "keeps", "doubted"),
    [
        (1, False, None, False, True),
        (2, False, None, False, True),
        (0, False, None, False, False),
        (1, True, None, False, False),
        (1, False, "V", False, False),
        (1, False, None, True, False),
    ],
)
def test_at_the_end_stretches_of_which_none_was_quiet_are_doubted(
    tried: int, over: bool, known: Any, keeps: bool, doubted: bool
) -> None:
    """Unless it was over before, one was quiet, or the normal equations explain it."""
    once = once_of()
    once._grant = SimpleNamespace(orthogonal=2.0**-40, squares_keep=keeps)
    once._stretches, once.over, once._known = tried, over, known
    once._waiting = lines(3)
    once.finish()
    assert once.over
    assert bool(once._judge.unexplained) is doubted
    assert once.proved == doubted
    once.finish()
    assert once.proved == doubted


def test_the_first_quiet_stretch_is_kept() -> None:
    once = once_of()
    answers = iter([None, SimpleNamespace(zeta=0.5)])
    once._measured = lambda _where: next(answers)
    looked: list[tuple[int, float]] = []
    judged: list[Any] = []

    def look(read: Any, zeta: float) -> str:
        looked.append((len(read.lines), zeta))
        return "found"

    once._look = look
    once._judge_steps = lambda *given: judged.append(given)
    once.block(lines(70))
    # All the lines are still there, since this stand-in took none away: blocks of 64.
    assert looked == [(64, 0.5), (6, 0.5)]
    assert [given[0] for given in judged] == [once._known] * 2
    assert [given[2] for given in judged] == ["found"] * 2
    assert once._waiting == []
    assert once._stretches == 2
    once.block([line(70)])
    assert looked[2:] == [(1, 0.5)]
    assert not once.over


def test_it_ends_where_doubles_see_nothing() -> None:
    once = once_of()
    once._known = SimpleNamespace(zeta=0.5)
    once._look = lambda _read, _zeta: None
    once._judge_steps = lambda *_given: pytest.fail("nothing was seen")
    once.block(lines(130))
    assert once.over
    assert len(once._waiting) == 66


# -- reading -------------------------------------------------------------------------------------


def test_lines_as_doubles() -> None:
    once = once_of()
    totals = np.array([1.0, 0.0, 0.0])
    given = [
        line(0, probabilities=["1/2", 1, 0.5], phi="3/4"),
        line(1, index=1, weight="1/4"),
        line(2, index=1),
    ]
    read = once._read(given, totals)
    assert read.lines == given
    assert read.steps == [(0, 0, 8.0, -8.0, 0.5), (1, 1, 9.0, -8.0, 0.25), (2, 1, 10.0, -8.0, 0.5)]
    assert [state.totals.tolist() for state in read.states] == [
        [1.0, 0.0, 0.0], [1.5, 0.0, 0.0], [1.5, 0.25, 0.0],
    ]  # fmt: skip
    assert [(state.upper, state.lower) for state in read.states] == [(8, -8), (9, -8), (10, -8)]
    assert totals.tolist() == [1.5, 0.75, 0.0]
    assert read.shares.tolist() == [[0.25, 0.5, 0.25], [0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]
    assert read.phi.tolist() == [0.75, 0.25, 0.25]
    part = read.part(slice(1, 3))
    assert (part.lines, part.steps, part.states) == (given[1:], read.steps[1:], read.states[1:])
    assert part.shares.tolist() == read.shares[1:].tolist()
    assert part.phi.tolist() == [0.25, 0.25]


def test_scalars_as_doubles() -> None:
    assert [_double(x) for x in (0.5, 3, "1/4", None)] == [0.5, 3.0, 0.25, 0.0]


def test_a_look_adds_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    once = once_of()
    read = once._read(lines(4), np.zeros(3))
    assert once._look(read, 0.0) is None  # no rows are fitted yet
    once._truth = StatedTruth(arb_mat(ROWS))
    given: list[Any] = []

    def found(*facts: Any) -> str:
        given.append(facts)
        return "found"

    monkeypatch.setattr(module, "measured", found)
    assert once._look(read, 0.125) == "found"
    assert [float(x) for x in once._truth.weights] == [1.0, 0.5, 0.5]
    grant, seen, shares, zeta, tiny = given[0]
    assert (grant, zeta, tiny) == (once._grant, 0.125, 2.0**-1074)
    assert seen.norms.heaviest.tolist() == [0.0, 0.5, 0.5, 0.5]
    assert shares is read.shares
    outside = once._read([line(0, l=9.0)], np.zeros(3))
    assert once._look(outside, 0.125) is None


def test_blocks_one_after_the_other() -> None:
    table = np.arange(4.0).reshape(2, 2)
    one = Measured(table, table, table, *(np.arange(2.0) + k for k in range(5)))
    both = joined([one, one.part(slice(1, 2))])
    assert both.values.tolist() == [[0, 1], [2, 3], [2, 3]]
    assert both.roundings.tolist() == [4, 5, 5]


# -- the steps that are measured -----------------------------------------------------------------


def measured_of(count: int, value: float = 0.25, noise: float = 0.25) -> Measured:
    table = np.full((count, 3), value)
    each = np.arange(float(count))
    return Measured(
        table, np.full((count, 3), 9.0), np.full((count, 3), noise), each, each, each, each, each
    )


class Stretch:
    """One try to measure, with the parts of the theorem as stand-ins."""

    def __init__(self, patch: pytest.MonkeyPatch, *, moved: float = 0.0, **facts: Any) -> None:
        self.once = once_of(**facts)
        self.looked: list[tuple[int, float]] = []
        self.judged: list[tuple[Any, int, int]] = []
        self.fits: list[tuple[int, int]] = []
        self.knows: list[tuple[float, int]] = []
        self.answer: Any = SimpleNamespace(zeta=0.5)
        self.table = measured_of(400)
        self.once._look = self._look
        self.once._judge_steps = self._judge

        def fit(rows: Any, states: Any, shares: Any) -> Any:
            self.fits.append((len(states), len(shares)))
            change = np.zeros_like(rows)
            change[0, 0] = moved
            return rows + change

        def know(_rows: Any, zeta: float, slopes: Any, first: Measured) -> Any:
            assert slopes == "slopes"
            self.knows.append((zeta, len(first.values)))
            return self.answer

        patch.setattr(module, "fitted", fit)
        patch.setattr(module, "deviations", lambda *_given: (None, "slopes"))
        patch.setattr(module, "whitening", know)

    def _look(self, read: Any, zeta: float) -> Measured | None:
        start = sum(count for count, _ in self.looked)
        self.looked.append((len(read.lines), zeta))
        return self.table.part(slice(start, start + len(read.lines)))

    def _judge(self, known: Any, read: Any, found: Measured) -> None:
        self.judged.append((known, len(read.lines), len(found.values)))

    def measure(self, start: int, stop: int, waiting: int) -> Any:
        self.once._waiting = lines(waiting)
        return self.once._measured(slice(start, stop))


def test_a_quiet_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps are fitted, those before are judged, those after wait."""
    stretch = Stretch(monkeypatch, moved=2.0**-6, tau=2.0**-5)
    known = stretch.measure(2, 6, 9)
    zeta: Any = pytest.approx(2.0**-5 + 4 * 2.0**-6 * 1.001, rel=1e-12)
    assert known is stretch.answer
    assert stretch.fits == [(4, 4)]
    assert stretch.looked == [(6, zeta)]
    assert stretch.knows == [(zeta, 4)]
    assert stretch.judged == [(known, 2, 2)]
    assert [at.j for _, at in stretch.once._waiting] == [6, 7, 8]
    assert stretch.once._quiet == 5.0  # the largest of steps 2 to 5
    assert stretch.once._totals.tolist() == [1.0, 1.0, 1.0]
    assert float(stretch.once._truth.rows[0, 0]) == 0.75 + 2.0**-6


def test_a_stretch_that_shows_nothing_leaves_all_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stretch = Stretch(monkeypatch)
    stretch.answer = None
    assert stretch.measure(2, 6, 9) is None
    assert stretch.judged == []
    assert len(stretch.once._waiting) == 9
    assert stretch.once._totals.tolist() == [0.0, 0.0, 0.0]


def test_a_long_stretch_is_seen_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    stretch = Stretch(monkeypatch)
    assert stretch.measure(40, 150, 150) is not None
    assert [count for count, _ in stretch.looked] == [64, 64, 22]
    assert stretch.judged[0][1:] == (40, 40)


def test_a_stretch_of_which_something_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    stretch = Stretch(monkeypatch)
    whole = stretch._look
    stretch.once._look = lambda read, zeta: whole(read, zeta) if len(read.lines) == 64 else None
    assert stretch.measure(0, 70, 70) is None
    assert stretch.knows == []


def test_rows_that_are_moved_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeta from 1 on: nothing is even looked at."""
    far = Stretch(monkeypatch, tau=1.0)
    assert far.measure(0, 4, 4) is None
    assert far.looked == []
    assert Stretch(monkeypatch, tau=math.nextafter(1.0, 0.0)).measure(0, 4, 4) is not None


def test_a_stretch_is_quiet_up_to_roundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """|g| at the noise is quiet; one value beyond it, of either sign, is not."""
    for value, quiet in ((0.25, True), (-0.25, True), (0.26, False), (-0.26, False)):
        stretch = Stretch(monkeypatch)
        stretch.table.values[3, 1] = value
        assert (stretch.measure(0, 4, 4) is not None) is quiet


# -- the others ----------------------------------------------------------------------------------


class Suspects:
    """Three steps, and which of them are looked at more closely."""

    def __init__(self, loudest: float = 2.0**-20) -> None:
        self.once = once_of()
        self.once._quiet = 2.0
        self.found: list[tuple[int, int, float]] = []
        self.once._prove = self._prove
        self.known: Any = SimpleNamespace(loudest=loudest)
        each = np.ones(3)
        self.measured = Measured(
            np.zeros((3, 3)), np.full((3, 3), 0.5), np.zeros((3, 3)), each, each * 0.25, each * 0.5,
            each * 0.125, np.array([1.0, 4.0, 2.0]),
        )  # fmt: skip
        self.read = self.once._read(lines(3), np.zeros(3))

    def _prove(self, _known: Any, read: Any, found: Measured, floor: float) -> None:
        assert len(found.values) == 1
        self.found.append((read.lines[0][1].j, len(read.lines), floor))
        self.once.proved += 1

    def judge(self) -> list[tuple[int, int, float]]:
        self.once._judge_steps(self.known, self.read, self.measured)
        return self.found


def test_steps_within_their_bounds_are_not_suspected() -> None:
    assert Suspects().judge() == []


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_probability_beyond_its_bound_is_suspected(sign: float) -> None:
    """The floor is 2^14 times the loudest, and more where roundings are: 4 of 2 in step 1."""
    for step, floor in ((0, 2.0**-6), (1, 2.0**-5), (2, 2.0**-6)):
        at = Suspects()
        at.measured.values[step, 2] = sign * (0.5 + floor)
        assert at.judge() == []
        at.measured.values[step, 2] = sign * math.nextafter(0.5 + floor, 1.0)
        assert at.judge() == [(step, 1, floor)]


def test_a_potential_beyond_its_bound_is_suspected() -> None:
    """phi = 1/4 is the trace, within (1/8 + floor)/2; the sum of the masses would do as well."""
    for step, floor in ((0, 2.0**-6), (1, 2.0**-5)):
        edge = (0.125 + floor) * 0.5
        for sign in (1.0, -1.0):
            at = Suspects()
            at.read.phi[step] = 0.25 + sign * edge
            assert at.judge() == []
            at.measured.potential[step] = math.nextafter(0.25, 0.25 - sign)
            assert at.judge() == [(step, 1, floor)]
    summed = Suspects()
    summed.read.phi[0] = 0.5
    assert summed.judge() == []
    summed.measured.potential_bound[0] = math.nan
    assert [j for j, *_ in summed.judge()] == [0]


def test_so_many_steps_are_proved_and_no_more() -> None:
    at = Suspects()
    at.measured.values[:] = 9.0
    at.once.proved = PROVED - 2
    assert [j for j, *_ in at.judge()] == [0, 1]
    assert PROVED == 64


#: What is said of a value behind its place.
NO_WHITENING = " does not follow from the whitening that other steps show"


class Proof:
    """One step whose bounds are 1/4 + 1/8, and 1/8 more by what no step shows."""

    def __init__(self) -> None:
        self.once = once_of()
        self.slopes: list[Any] = []
        self.rows = np.array([[0.75], [0.5], [0.25]])
        self.known: Any = SimpleNamespace(rows=self.rows, unexplained=self._unexplained)
        one = np.ones(1)
        self.found = Measured(
            np.zeros((1, 3)), np.full((1, 3), 0.25), np.zeros((1, 3)), one * 7, one * 3.0,
            one * 4.0, one * 0.25, one,
        )  # fmt: skip
        self.read = self.once._read([line(5, phi=3.0, index=1)], np.array([0.5, 0.0, 1.0]))

    def _unexplained(self, slopes: Any, size: Any) -> Any:
        assert size == 7
        self.slopes.append(slopes)
        return np.full(len(slopes), 0.125)

    def prove(self) -> str:
        self.once._prove(self.known, self.read, self.found, 0.125)
        said: str = self.once._judge.unexplained
        assert bool(said) == (self.once.proved == 1)
        assert not said or said.endswith(NO_WHITENING)
        return said.removesuffix(NO_WHITENING)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_probability_that_no_whitening_explains(sign: float) -> None:
    for value, said in ((0.5, ""), (math.nextafter(0.5, 1), "probabilities[1] at j=5")):
        at = Proof()
        at.found.values[0, 1] = sign * value
        at.found.values[0, 2] = 0.25
        assert at.prove() == said


def test_a_potential_that_no_whitening_explains() -> None:
    """Neither as a trace nor as the sum of the masses: each within (1/4 + 1/8 + 1/8) 4."""
    for phi, said in ((3.0, ""), (6.0, ""), (1.0, ""), (math.nextafter(6.0, 7.0), "phi at j=5"),
                      (1.0 - 2.0**-50, "phi at j=5"), (4.0, "")):  # fmt: skip
        at = Proof()
        at.read.phi[0] = phi
        assert at.prove() == said, phi


def test_a_step_is_doubted_once() -> None:
    at = Proof()
    at.found.values[0, 0] = at.read.phi[0] = 99.0
    assert at.prove() == "probabilities[0] at j=5"


def test_what_the_slopes_of_a_step_are() -> None:
    """J_k = (D m - q D s)/s of the probabilities, D Tr F/s and D s/s of phi."""
    at = Proof()
    at.prove()
    here = gradients(at.rows, State(np.array([0.5, 0.0, 1.0]), 13.0, -8.0))
    whole = here.rows.sum(axis=0)
    share = np.array([0.5, 0.25, 0.25])
    expected = [
        (here.rows - np.outer(share, whole)) / 4.0, here.trace[None, :] / 4.0, whole[None, :] / 4.0,
    ]  # fmt: skip
    assert [x.tolist() for x in at.slopes] == [x.tolist() for x in expected]


def test_the_first_doubt_is_told() -> None:
    once = once_of()
    once._doubt(3, "phi")
    once._doubt(4, "p")
    assert once._judge.unexplained == "phi at j=3" + NO_WHITENING
    assert once.proved == 2


@pytest.mark.parametrize("keep", [False, True])
def test_probabilities_that_follow_from_no_whitening_at_all(keep: bool) -> None:
    """Every stretch is loud, and the normal equations explain it or do not."""
    once = once_of()
    once._stretches = STRETCHES
    once._grant = SimpleNamespace(squares_keep=keep)
    once._waiting = [line(5), line(6)]
    assert once._tried() is None
    assert once._judge.unexplained == ("" if keep else "probabilities at j=5" + NO_WHITENING)
