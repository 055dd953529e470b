"""Stops and picks at the very ends of what is allowed, by exact balls."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, fmpq

from asura.trace import IterationLine
from asura_verify.oracle.views.decisions import judge_pick, judge_stop
from asura_verify.oracle.views.relations import Clock


def judge_of(**replay: Any) -> Any:
    """A judge that only writes down."""
    accused: list[tuple[Any, ...]] = []
    unexplained: list[tuple[Any, ...]] = []
    return SimpleNamespace(
        unexplained=unexplained,
        leave_unexplained=lambda *facts: unexplained.append(facts),
        replay=SimpleNamespace(**replay),
        precision=53,
        exact=False,
        rounded=False,
        checked={},
        undecided={},
        vague={},
        open_at=set(),
        stop_open=None,
        accused=accused,
        accuse=lambda *facts: accused.append(facts),
    )


def stopped(clock: float, *, ended: bool) -> tuple[str, Any]:
    """The bound is 16, and the clock is known within (2 * 4 + 8)/16 = 1."""
    judge = judge_of(clock=lambda: arb(clock), upper=arb(4), potential_sum=arb(8), bound=arb(16))
    judge_stop(judge, 9, 3, 1 / 16, None, ended=ended)
    assert judge.checked == {"stopping": 1}
    if judge.accused:
        assert judge.stop_open is False
        return "accused", judge.accused[0]
    assert judge.stop_open is bool(judge.undecided)
    assert judge.open_at == ({3} if judge.undecided else set())
    assert judge.undecided in ({}, {"stopping": 1})
    return ("open" if judge.undecided else "right"), None


@pytest.mark.parametrize(
    ("clock", "ended", "going"),
    [
        (14.5, "accused", "right"),
        (15, "open", "open"),  # high = 16 is not below the bound
        (15.5, "open", "open"),
        (16, "open", "open"),
        (16.5, "open", "open"),
        (17, "right", "accused"),  # low = 16 has reached it
        (18, "right", "accused"),
    ],
)
def test_stops(clock: float, ended: str, going: str) -> None:
    assert stopped(clock, ended=True)[0] == ended
    assert stopped(clock, ended=False)[0] == going


def test_what_is_said_of_a_wrong_stop() -> None:
    line, j, field, told, low, high, gap, allowed, text = stopped(12, ended=True)[1]
    assert (line, j, field, told, low, high) == (9, 3, "stopping", "m = 3", 16, "infinity")
    assert (gap, allowed) == (4, 1 / 16)
    assert text.startswith("too early: the clock stands at 12.0")
    line, j, field, told, low, high, gap, allowed, text = stopped(20, ended=False)[1]
    assert (line, j, field, told, low, high) == (9, 3, "stopping", "iteration 3", "-infinity", 16)
    assert (gap, allowed) == (4, 1 / 16)
    assert text.startswith("too late: the clock stands at 20.0")


def picked(uniform: Fraction, allowed: float = 1 / 16) -> tuple[str, Any]:
    """Masses 2, 4, 2 of 8, and the middle point: r from 1/4 to 3/4, known within 1/16."""
    judge = judge_of(size=0)
    judge_pick(judge, 9, IterationLine(j=3, index=1), (arb(2), arb(4), arb(8)), uniform, allowed)
    assert judge.checked == {"index": 1}
    assert judge.open_at == ({3} if judge.undecided else set())
    if judge.accused:
        return "accused", judge.accused[0]
    return ("open" if judge.undecided else "right"), None


@pytest.mark.parametrize(
    ("sixteenths", "found"),
    [
        (2.5, "accused"),
        (3, "open"),
        (4, "open"),
        (4.5, "open"),
        (5, "right"),
        (8, "right"),
        (10.5, "right"),
        (11, "open"),
        (12, "open"),
        (12.5, "open"),
        (13, "accused"),
        (15, "accused"),
    ],
)
def test_picks(sixteenths: float, found: str) -> None:
    assert picked(Fraction(sixteenths) / 16)[0] == found


def test_what_is_said_of_a_wrong_pick() -> None:
    line, j, field, index, low, high, gap, allowed, text = picked(Fraction(1, 16))[1]
    assert (line, j, field, index) == (9, 3, "index", 1)
    assert (low[:9], high[-1]) == ("r in [0.2", ")")
    assert (gap, allowed) == (3, 1 / 16)
    assert "does not pick this point" in text
    assert picked(Fraction(15, 16))[1][6] == 3


def test_every_point_adds_a_rounding_error() -> None:
    judge = judge_of(size=2**49)
    judge_pick(
        judge, 9, IterationLine(j=3, index=1), (arb(2), arb(4), arb(8)), Fraction(3, 16), 0.0
    )
    assert judge.undecided == {"index": 1}
    judge_pick(
        judge, 9, IterationLine(j=3, index=1), (arb(2), arb(4), arb(8)), Fraction(2, 16), 0.0
    )
    assert len(judge.accused) == 1


@pytest.mark.parametrize(
    ("exact", "rounded", "decided"),
    [(True, False, True), (True, True, False), (False, False, False), (False, True, False)],
)
def test_exact_values_decide_exactly(exact: bool, rounded: bool, decided: bool) -> None:
    """The same clock and the same uniform, a little off, are open to arithmetics that round."""
    judge = judge_of(
        clock=lambda: arb(16) - arb(2) ** -40, upper=arb(4), potential_sum=arb(8), bound=arb(16),
        size=2,
    )  # fmt: skip
    judge.exact, judge.rounded = exact, rounded
    judge_stop(judge, 9, 3, 2.0**-30, None, ended=True)
    below = Fraction(1, 4) - Fraction(1, 2**40)
    judge_pick(judge, 9, IterationLine(j=3, index=1), (arb(2), arb(4), arb(8)), below, 2.0**-30)
    assert [facts[2] for facts in judge.accused] == ["stopping", "index"] * decided
    assert all(facts[7] == 2.0**-900 for facts in judge.accused)
    assert judge.undecided == ({} if decided else {"stopping": 1, "index": 1})


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(
    ("clock", "found"), [(14, -1), (15, 0), (16, 0), (17, 1), (18, 1), (fmpq(31, 2), 0)]
)
def test_a_clock_of_reported_values_goes_before_the_true_one(
    clock: int | fmpq, found: int, ended: bool
) -> None:
    """Within 1 of the bound 16 it is open; the true clock, which is far off, is not asked."""
    judge = judge_of(clock=lambda: arb(99), upper=arb(4), potential_sum=arb(8), bound=arb(16))
    reported = Clock(fmpq(clock), fmpq(1), fmpq(16))
    judge_stop(judge, 9, 3, 0.0, reported, ended=ended)
    wrong = found == (-1 if ended else 1)
    assert len(judge.accused) == wrong
    assert judge.stop_open is (found == 0)
    assert judge.undecided == judge.vague == ({"stopping": 1} if found == 0 else {})
    if wrong:
        assert judge.accused[0][6:8] == (abs(16 - clock), 1 / 16)
    # Values that claim to be exact are held against the true run.
    judge.exact = True
    judge_stop(judge, 9, 3, 2.0**-30, reported, ended=ended)
    assert len(judge.accused) == wrong + (not ended)
    assert judge.checked == {"stopping": 2}


def test_a_wrong_stop_in_units_of_its_error() -> None:
    """4 from the bound 16, where 2 are allowed."""
    for clock, ended in ((12, True), (20, False)):
        judge = judge_of(clock=lambda: arb(99), upper=arb(4), potential_sum=arb(8), bound=arb(16))
        judge_stop(judge, 9, 3, 0.0, Clock(fmpq(clock), fmpq(2), fmpq(16)), ended=ended)
        assert judge.accused[0][6:8] == (2, 1 / 8)


@pytest.mark.parametrize(("error", "vague"), [(fmpq(15, 16), {}), (fmpq(1), {"stopping": 2})])
def test_decisions_that_gross_mistakes_would_pass(error: fmpq, vague: dict[str, int]) -> None:
    """An allowance of a sixteenth decides nothing: it is counted, every time."""
    judge = judge_of(clock=lambda: arb(99), upper=arb(4), potential_sum=arb(8), bound=arb(16))
    for j in (3, 5):
        judge_stop(judge, 9, j, 0.0, Clock(fmpq(16), error, fmpq(16)), ended=False)
    assert (judge.undecided, judge.vague, judge.open_at) == ({"stopping": 2}, vague, {3, 5})
    judge = judge_of(size=0)
    for allowed in (0.0624, 0.0625, 0.0625):
        record = IterationLine(j=4, index=1)
        judge_pick(judge, 9, record, (arb(2), arb(4), arb(8)), Fraction(1, 4), allowed)
    assert (judge.undecided, judge.vague, judge.open_at) == ({"index": 3}, {"index": 2}, {4})
    assert judge.checked == {"index": 3}


@pytest.mark.parametrize(
    ("index", "uniform", "right"),
    [
        (1, Fraction(1, 4), True),  # an end belongs to the point behind it
        (0, Fraction(1, 4), False),
        (1, Fraction(3, 4), False),
        (2, Fraction(3, 4), True),
        (0, Fraction(0), True),
    ],
)
def test_exact_probabilities_have_one_answer_at_an_end(
    index: int, uniform: Fraction, right: bool
) -> None:
    chances: list[int | float | str] = ["1/4", "1/2", "1/4"]
    masses = [(arb(0), arb(2)), (arb(2), arb(4)), (arb(6), arb(2))][index]
    for exact, rounded, listed in ((True, False, True), (True, False, False), (True, True, True),
                                   (False, False, True)):  # fmt: skip
        judge = judge_of(size=3)
        judge.exact, judge.rounded = exact, rounded
        record = IterationLine(j=3, index=index, probabilities=chances if listed else None)
        judge_pick(judge, 9, record, (*masses, arb(8)), uniform, 2.0**-30)
        decides = exact and not rounded and listed
        assert judge.undecided == ({} if decides else {"index": 1})
        assert len(judge.accused) == (decides and not right)
    if not right:
        judge = judge_of(size=3)
        judge.exact = True
        record = IterationLine(j=3, index=index, probabilities=chances)
        judge_pick(judge, 9, record, (*masses, arb(8)), uniform, 2.0**-30)
        ends = ("0", "1/4") if index == 0 else ("1/4", "3/4")
        assert judge.accused[0][:8] == (
            9, 3, "index", index, f"r in [{ends[0]}", f"{ends[1]})", None, 0.0,
        )  # fmt: skip


@pytest.mark.parametrize("ended", [False, True])
def test_a_stop_that_only_lossy_methods_explain(ended: bool) -> None:
    """Known within 1 by methods that keep enough digits, and within 4 by others: 2^-4 and 2^-2."""
    for off, said in (
        (-5.0, "right"), (-3.5, "open"), (1.0, "open"), (1.5, "beyond"), (3.5, "beyond"),
        (4.5, "accused"),
    ):  # fmt: skip
        clock = 16 - off if ended else 16 + off
        judge = judge_of(
            clock=lambda at=clock: arb(at), upper=arb(4), potential_sum=arb(8), bound=arb(16)
        )
        judge_stop(judge, 9, 3, 1 / 16, None, ended=ended, widest=1 / 4)
        assert bool(judge.accused) is (said == "accused")
        assert judge.unexplained == ([(3, "stopping")] if said == "beyond" else [])
        assert judge.undecided == ({"stopping": 1} if said in {"open", "beyond"} else {})
        # What is gross is counted by the methods that are needed.
        vague = {"open": {"stopping": 1}, "beyond": {"stopping": 1}}.get(said, {})
        assert judge.vague == vague
        fine = judge_of(
            clock=lambda at=clock: arb(at), upper=arb(4), potential_sum=arb(8), bound=arb(16)
        )
        judge_stop(fine, 9, 3, 1 / 32, None, ended=ended, widest=1 / 4)
        assert fine.vague == ({} if abs(off) <= 0.5 else fine.vague)


def test_a_reported_clock_has_no_lossy_methods() -> None:
    judge = judge_of(clock=lambda: arb(0), upper=arb(4), potential_sum=arb(8), bound=arb(16))
    judge_stop(judge, 9, 3, 0.0, Clock(fmpq(31, 2), fmpq(1), fmpq(16)), ended=True, widest=1.0)
    assert (judge.unexplained, judge.undecided) == ([], {"stopping": 1})


@pytest.mark.parametrize(
    ("uniform", "said"),
    [
        (0.75, "right"), (0.5 + 2.0**-5, "open"), (0.5 - 2.0**-5, "open"),
        (0.5 - 2.0**-4, "open"), (0.5 - 2.0**-4 - 2.0**-30, "beyond"),
        (0.5 - 2.0**-3, "beyond"), (0.5 - 2.0**-3 - 2.0**-30, "wrong"),
    ],
)  # fmt: skip
def test_a_pick_that_only_lossy_methods_explain(uniform: float, said: str) -> None:
    """Its part is [1/2, 1), known to 2^-4 by methods that keep enough digits, or to 2^-3."""
    judge = judge_of(size=0)
    line = IterationLine(j=5, index=1)
    judge_pick(judge, 7, line, (arb(1), arb(1), arb(2)), Fraction(uniform), 2.0**-4, 2.0**-3)
    assert bool(judge.accused) is (said == "wrong")
    assert judge.unexplained == ([(5, "index")] if said == "beyond" else [])
    assert judge.undecided == ({"index": 1} if said in {"open", "beyond"} else {})
    narrow = judge_of(size=0)
    judge_pick(narrow, 7, line, (arb(1), arb(1), arb(2)), Fraction(0.5), 2.0**-9, 2.0**-3)
    assert (narrow.undecided, narrow.vague) == ({"index": 1}, {})


@pytest.mark.parametrize(
    ("uniform", "said"),
    [
        (0.25, "right"), (0.5 + 2.0**-4 - 2.0**-30, "open"), (0.5 + 2.0**-4, "beyond"),
        (0.5 - 2.0**-5, "open"), (0.5 + 2.0**-3 - 2.0**-30, "beyond"), (0.5 + 2.0**-3, "wrong"),
    ],
)  # fmt: skip
def test_a_pick_at_its_upper_end(uniform: float, said: str) -> None:
    """Its part is [0, 1/2)."""
    judge = judge_of(size=0)
    line = IterationLine(j=5, index=0)
    judge_pick(judge, 7, line, (arb(0), arb(1), arb(2)), Fraction(uniform), 2.0**-4, 2.0**-3)
    assert bool(judge.accused) is (said == "wrong")
    assert judge.unexplained == ([(5, "index")] if said == "beyond" else [])
    assert judge.undecided == ({"index": 1} if said in {"open", "beyond"} else {})
