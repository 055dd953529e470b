"""Relations by hand and on whole traces: the right ones pass, and a few roundings more do not."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from asura.scalars import rational
from asura.trace import IterationLine, ResultLine
from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import CORRECT
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.truth.allowance import Defects
from asura_verify.oracle.views.relations import (
    Exact,
    Relations,
    _at_most,
    fits,
    summed,
    tiniest,
)

UNIT = fmpq(1, 2**53)
NO_DEFECT = Defects(0.0, 0.0, 0.0)


class Hearing:
    """Remembers what was compared: the field, the error in units of the bound, and the bound."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any, Any]] = []
        self.opened: list[tuple[str, int]] = []
        self.relations: list[str] = []
        self.doubts: list[str] = []

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
        assert line > 0
        self.relations.append(relation)
        self.heard.append((field if place is None else f"{field}[{place}]", expected, bound))
        return bool(abs(given - expected) <= bound)

    def leave_open(self, field: str, many: int = 1) -> None:
        self.opened.append((field, many))

    def leave_unexplained(self, j: int | None, field: str) -> None:
        self.opened.append((f"{field} at {j}", 0))

    def doubt(self, why: str) -> None:
        self.doubts.append(why)


def relations(gamma: Fraction = Fraction(1, 4), level: Fraction | None = None) -> Relations:
    """d = 1, two points: u_0 = 8, Phi_0 = 1/4, rates 1/2 and 1/6."""
    return Relations(gamma, 1, 2, 53, level)


def line(j: int = 0, **fields: Any) -> IterationLine:
    return IterationLine(j=j, index=0, **fields)


def test_the_start_and_the_first_step() -> None:
    tied, court = relations(), Hearing()
    first = Exact.of(line(u=8.0, l=-8.0, phi=0.25))
    assert tied.barriers(court, 2, 0, first) == {"u": True, "l": True}
    assert court.heard == [("u", fmpq(8), 8 * tied.off(4)), ("l", fmpq(-8), 8 * tied.off(4))]
    tied.remember(first)
    court.heard.clear()
    second = Exact.of(line(1, u=10.0, l=-22 / 3, phi=0.3))
    assert tied.barriers(court, 3, 1, second) == {"u": True, "l": True}
    (_, upper, above), (_, lower, below) = court.heard
    assert (upper, lower) == (fmpq(10), fmpq(-22, 3))
    assert above == 2 * tied.off(5) + 10 * tied.off(8)
    assert below == fmpq(2, 3) * tied.off(5) + 10 * tied.off(8)


@pytest.mark.parametrize("ulps", [1, 8, 60, -60])
def test_a_barrier_that_is_off(ulps: int) -> None:
    """u_1 = 10: 10 ulps of the increment 2 and 80 of the sum, 2^-53 each."""
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
    off = Exact(fmpq(10) + 2 * ulps * UNIT, None)
    assert tied.barriers(court, 3, 1, off) == {"u": abs(ulps) < 45}


def test_a_slip_is_one() -> None:
    """After a wrong u both who goes on from it and who does not is right; others are not."""
    for after, right in ((12, True), (13, True), (14, False)):
        tied, court = relations(), Hearing()
        tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
        slip = Exact.of(line(1, u=11.0, phi=0.25))
        assert tied.barriers(court, 3, 1, slip) == {"u": False}
        assert tied.corrected == {"u": fmpq(10)}
        tied.remember(slip)
        assert tied.barriers(court, 4, 2, Exact(fmpq(after), None)) == {"u": right}
        assert tied.corrected == ({} if right else {"u": fmpq(13)})


def test_what_is_absent_or_wrong_ties_nothing() -> None:
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0)))
    for barrier in ({"u": 9.0}, {"l": -7.0}):
        assert tied.barriers(court, 3, 1, Exact.of(line(1, **barrier))) == {}
    assert tied.clock(Exact.of(line(1, u=9.0, l=-7.0))) is None
    tied = relations()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25, p=0.5, weight=2.0)), {"phi"})
    assert tied.barriers(court, 3, 1, Exact.of(line(1, u=9.0))) == {}
    assert tied.weights == [fmpq(2)]
    tied.remember(Exact.of(line(1, phi=0.25, p=0.5, weight=3.0)), {"weight"})
    assert len(tied.weights or ()) == 0
    assert court.heard == []


def test_the_clock() -> None:
    for level, bound, value in (
        (None, fmpq(32), fmpq(65, 4)),
        (Fraction(1, 2), fmpq(24), fmpq(16)),
    ):
        tied = relations(level=level)
        tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
        found = tied.clock(Exact.of(line(1, u=9.0, l=-7.0)))
        assert found is not None
        assert (found.bound, found.value) == (bound, value)
        elapsed = fmpq(1, 4) if level is None else fmpq(0)
        assert found.error == elapsed * tied.off(5) + 16 * tied.off(4) + bound * tied.off(6)


def test_weight_phi_p() -> None:
    """gamma/(phi p) = 2 with 6 roundings."""
    for off, right in ((fmpq(0), True), (11 * UNIT, True), (13 * UNIT, False)):
        tied, court = relations(), Hearing()
        record = line(phi=0.25, p=0.5)
        now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + off)
        assert tied.chances(court, 2, record, now, NO_DEFECT) == {"weight": right}
        (_, expected, bound) = court.heard[0]
        assert expected == 2
        assert 2 * tied.off(6) < bound < 2 * tied.off(7)


def weighed(shares: list[float], defects: Defects, field: str = "weight") -> tuple[Any, Hearing]:
    """What is remarked of steps whose weight, or p, is off by such shares, and what was heard."""
    tied, court = relations(), Hearing()
    for j, share in enumerate(shares):
        off = fmpq(*share.as_integer_ratio())
        if field == "weight":
            now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + 2 * off)
            found = tied.chances(court, 2 + j, line(j), now, defects)
        else:  # whatever the sign of what is listed
            record = line(j, probabilities=["-1/2", "3/2"])
            now = Exact(None, None, None, fmpq(-1, 2) + off / 2)
            found = tied.chances(court, 2 + j, record, now, defects)
        assert found == {field: True}
    court.heard.clear()
    remarks = tied.settle(court)
    assert court.heard == []  # nobody is accused at the end
    return remarks, court


#: Within roundings of a step, by methods that keep enough digits, and by any.
SOME = Defects(2.0**-50, 2.0**-30, 2.0**-20)
SUMMED = "as if divided by the sum of the masses, and not by phi"
NAMES = {"weight": "weight phi p = gamma", "p": "p = probabilities[index]"}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("field", ["weight", "p"])
@pytest.mark.parametrize(
    ("shares", "found"),
    [
        ([0.0, 0.0, 2.0**-50], "right"),  # by the roundings of a step
        ([2.0**-40, 2.0**-45, 2.0**-45], "summed"),  # 32 times the one in the middle
        ([2.0**-40, 2.0**-46, 2.0**-46], "summed"),  # 64 times
        ([2.0**-40, 2.0**-46.1, 2.0**-46.1], "open"),
        ([2.0**-47, 0.0, 0.0], "summed"),  # a rounding is the least that the middle may be
        ([2.0**-46.5, 0.0, 0.0], "open"),
        ([2.0**-40, 2.0**-40, 0.0, 0.0], "open"),  # the lower one in the middle
        ([2.0**-40, 2.0**-40, 2.0**-40, 0.0], "summed"),
        ([2.0**-30, 2.0**-30, 2.0**-30], "summed"),
        ([2.0**-29, 2.0**-30, 2.0**-30], "open"),  # one that only lossy methods explain
        ([2.0**-20, 2.0**-20, 2.0**-20], "open"),
    ],
)
def test_sum_and_trace_of_a_program_differ(
    shares: list[float], found: str, field: str, sign: int
) -> None:
    remarks, court = weighed([sign * share for share in shares], SOME, field)
    assert court.opened == ([(field, len(shares))] if found == "open" else [])
    off = sum(share > 2.0**-49 for share in shares)
    steps = f"in {off} of {len(shares)} steps"
    assert remarks == ((f"{field}: {SUMMED}",) if found == "summed" else ())
    doubt = f"{NAMES[field]} is off by up to {max(shares):.1e} {steps}"
    assert court.doubts == ([doubt] if found == "open" else [])


def test_sums_and_lists() -> None:
    tied, court = relations(), Hearing()
    record = line(p=0.5, probabilities=[0.5, 0.5 + 2.0**-50])
    assert tied.chances(court, 2, record, Exact.of(record), NO_DEFECT) == {"p": True}
    (field, expected, bound), (other, listed, _) = court.heard
    assert (field, expected, other, listed) == ("probabilities", fmpq(1), "p", fmpq(1, 2))
    assert tied.off(6) < bound < tied.off(8)


def test_the_result() -> None:
    """u = 10, l = -22/3 after one step: mid = 4/3, weight 2, gamma/phi = 1."""
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25, p=0.5, weight=2.0)))
    result = ResultLine(m=1, u=10.0, l="-22/3", mid="4/3", weights=["3/2"], alphas=["3/4"])
    assert tied.result(court, 3, result, Exact.of(result)) == {
        "mid": set(),
        "weights": {0},
        "alphas": {0},
    }
    found = {field: (expected, bound) for field, expected, bound in court.heard}
    assert found["mid"] == (fmpq(4, 3), 10 * tied.off(2) + fmpq(4, 3) * tied.off(3))
    assert found["weights[0]"][0] == fmpq(3, 2)
    assert tied.off(8) < found["weights[0]"][1] / fmpq(3, 2) < tied.off(9)
    assert found["alphas[0]"][0] == found["alphas"][0] == fmpq(3, 4)
    assert found["alphas"][1] < 400 * UNIT


# -- every allowance by hand, where gamma does not fit ---------------------------------------------


def fifth(precision: int = 53, level: Fraction | None = None) -> Relations:
    """gamma = 1/5 is rounded, d = 2, three points: u_0 = 20, rates 1/3 and 1/7."""
    return Relations(Fraction(1, 5), 2, 3, precision, level)


def test_roundings_that_leave_nothing() -> None:
    """k e/(1 - k e) up to k e = 1/2."""
    few = relations(Fraction(1, 4))
    few.unit = fmpq(1, 8)
    assert [few.off(k) for k in (1, 3, 4, 5, 100)] == [fmpq(1, 7), fmpq(3, 5), 1, 1, 1]


def test_the_smallest_numbers() -> None:
    assert (tiniest(24), tiniest(25)) == (fmpq(1, 2**149), fmpq(1, 2**1074))
    assert tiniest(54) == tiniest(106) == 0
    assert fits(Fraction(6), 2)  # zeros at the end need no bits
    assert not fits(Fraction(7), 2)


def test_a_gamma_that_is_rounded_costs_what_its_slope_says() -> None:
    """One rounding more of gamma; 2/(1 - 2/5) = 10/3 of the upper rate and 2 of the lower one."""
    tied, court = fifth(), Hearing()
    first = Exact.of(line(u=20.0, l=-20.0, phi=0.2))
    tied.barriers(court, 2, 0, first)
    assert court.heard == [("u", 20, 20 * tied.off(5)), ("l", -20, 20 * tied.off(5))]
    assert court.relations == ["u_0 = 2d/gamma", "l_0 = -2d/gamma"]
    court.heard.clear()
    tied.remember(Exact(fmpq(20), fmpq(-20), fmpq(1, 5)))
    tied.barriers(court, 3, 1, Exact(fmpq(22), fmpq(-19), fmpq(1, 5)))
    above = fmpq(5, 3) * tied.off(5 + fmpq(10, 3)) + 22 * tied.off(8)
    below = fmpq(5, 7) * tied.off(7) + 22 * tied.off(8)
    assert court.heard == [("u", fmpq(65, 3), above), ("l", fmpq(-135, 7), below)]
    assert court.relations[2:] == [
        "u_(j+1) = u_j + gamma/(1 - 2 gamma)/phi_j",
        "l_(j+1) = l_j + gamma/(1 + 2 gamma)/phi_j",
    ]


@pytest.mark.parametrize(
    ("before", "now", "largest"),
    [
        (Exact(None, fmpq(-8)), Exact(None, fmpq(-7)), 11),  # u = 8 + 3 (8 - 7) by the same sum
        (Exact(None, fmpq(-7)), Exact(None, fmpq(-9)), 9),  # of the line itself
        (Exact(None, fmpq(-7)), Exact(fmpq(-20), fmpq(-9)), 20),  # of the other barrier
        (Exact(None, fmpq(-7)), Exact(fmpq(3), fmpq(-6)), 7),
    ],
)
def test_ulps_are_those_of_the_largest_number(before: Exact, now: Exact, largest: int) -> None:
    for phi in (fmpq(1), fmpq(-1), fmpq(1, 4)):  # also what no run has
        tied, court = relations(), Hearing()
        tied.remember(Exact(before.u, before.l, phi))
        tied.barriers(court, 3, 1, now)
        step = fmpq(1, 6) / phi
        bound = abs(step) * tied.off(5) + largest * tied.off(8)
        assert before.l is not None
        assert court.heard == [("l", before.l + step, bound)]


def test_no_phi_of_zero_ties_barriers() -> None:
    tied, court = relations(), Hearing()
    tied.remember(Exact(fmpq(8), fmpq(-8), fmpq(0)))
    assert tied.barriers(court, 3, 1, Exact(fmpq(10), None)) == {}


@pytest.mark.parametrize("before", [Exact(fmpq(20), fmpq(-20)), Exact(None, None, fmpq(1, 5))])
def test_barriers_are_tied_to_each_other_where_steps_do_not_tie_them(before: Exact) -> None:
    """gamma = 1/5: u = 27 has moved by 7, so l has by 3, whatever the phi were."""
    for off, right in ((-1, True), (1, True), (-1.001, False), (1.001, False)):
        tied, court = fifth(), Hearing()
        tied.remember(before)
        bound = 3 * (tied.off(5 + fmpq(10, 3)) + tied.off(7)) + 27 * tied.off(16 + 5)
        given = -17 + bound * fmpq(*off.as_integer_ratio())
        found = tied.barriers(court, 3, 1, Exact(fmpq(27), given))
        assert found == {"l": right}
        assert court.heard == [("l", -17, bound)]
        assert court.relations == ["l_j - l_0 = (u_j - u_0) (1 - 2 gamma)/(1 + 2 gamma)"]
    for upper, largest in ((fmpq(13), 20), (fmpq(-27), 27)):  # never in a run
        tied, court = fifth(), Hearing()
        tied.remember(before)
        tied.barriers(court, 3, 1, Exact(upper, fmpq(-17)))
        moved = (upper - 20) * fmpq(3, 7)
        bound = abs(moved) * (tied.off(5 + fmpq(10, 3)) + tied.off(7)) + largest * tied.off(21)
        assert court.heard == [("l", moved - 20, bound)]


def test_barriers_that_may_start_at_a_lower_rank_are_tied_to_the_nearest() -> None:
    """d = 2 starts at 20, rank 1 at 10: u = 17 has moved by 7, and l = -10 + 3; mid is 5."""
    for off, right in ((1, True), (-1.001, False)):
        tied, court = fifth(), Hearing()
        tied.ranks = range(1, 2)
        tied.remember(Exact(None, None, fmpq(1, 5)))
        assert tied.clock(Exact(fmpq(17), fmpq(-7))) is None
        bound = 3 * (tied.off(5 + fmpq(10, 3)) + tied.off(7)) + 17 * tied.off(21)
        given = -7 + bound * fmpq(*off.as_integer_ratio())
        assert tied.barriers(court, 3, 1, Exact(fmpq(17), given)) == {"l": right}
        assert court.heard == [("l", -7, bound)]
        tied.barriers(court, 3, 1, Exact(fmpq(27), fmpq(-17)))
        tied.barriers(court, 3, 1, Exact(fmpq(27), fmpq(-19, 7)))
        assert [expected for _, expected, _ in court.heard[1:]] == [-17, fmpq(-19, 7)]
    for middle, expected in ((5.0, 5), (0.5, fmpq(-15, 7))):  # neither fits: that of rank d is said
        for result in (
            ResultLine(m=1, u=17.0, mid=middle), ResultLine(m=1, l=-7.0, mid=middle),
        ):  # fmt: skip
            court = Hearing()
            assert tied.result(court, 3, result, Exact.of(result))["mid"] == set()
            ((field, near, _),) = court.heard
            assert field == "mid"
            assert near == (expected if middle == 5 or result.l is None else fmpq(65, 3))
    result = ResultLine(m=1, u=17.0, l=-7.0, mid=5.0)
    assert tied.result(court, 3, result, Exact.of(result))["mid"] == set()


def test_a_wrong_barrier_says_nothing_of_the_other() -> None:
    tied, court = fifth(), Hearing()
    tied.remember(Exact(fmpq(20), None, fmpq(1, 5)))
    assert tied.barriers(court, 3, 1, Exact(fmpq(30), fmpq(-19))) == {"u": False}
    assert tied.barriers(court, 3, 1, Exact(fmpq(65, 3), fmpq(-19))) == {"u": True, "l": False}


def slipped() -> Relations:
    """u_1 = 11 in place of 10: from there u_2 is 13 or, as if without the slip, 12."""
    tied, court = relations(), Hearing()
    tied.remember(Exact(fmpq(8), None, fmpq(1, 4)))
    slip = Exact(fmpq(11), None, fmpq(1, 4))
    assert tied.barriers(court, 3, 1, slip) == {"u": False}
    tied.remember(slip)
    return tied


def test_who_goes_on_as_if_without_a_slip_is_near_enough() -> None:
    tied = slipped()
    edge = (12 + 2 * tied.off(5)) / (1 - tied.off(8))  # its own ulps are part of the bound
    assert tied.barriers(Hearing(), 4, 2, Exact(edge, None)) == {"u": True}
    assert tied.corrected == {}
    for beyond in (edge + UNIT, fmpq(10), fmpq(-12)):
        tied, court = slipped(), Hearing()
        assert tied.barriers(court, 4, 2, Exact(beyond, None)) == {"u": False}
        assert (court.heard[0][1], tied.corrected) == (13, {"u": fmpq(13)})


def test_the_clock_of_what_is_rounded_or_negative() -> None:
    tied = fifth()
    tied.remember(Exact(None, None, fmpq(-1, 2)))
    tied.remember(Exact(None, None, fmpq(-1, 4)))
    found = tied.clock(Exact(fmpq(-9), fmpq(-7)))
    assert found is not None
    assert (found.value, found.bound) == (fmpq(-11, 4), fmpq(80))
    assert found.error == fmpq(3, 4) * tied.off(6) + 16 * tied.off(4) + 80 * tied.off(7)
    assert fifth(level=Fraction(1, 2)).clock(Exact(None, fmpq(1))) is None
    assert fifth(level=Fraction(1, 2)).clock(Exact(fmpq(1), None)) is None


@pytest.mark.parametrize("far", [0.0, 2.0**-10, 1.0, 8.0])
def test_a_sum_of_probabilities(far: float) -> None:
    """n + 4 roundings, the defect, n spacings, and one rounding of the sum itself."""
    for precision in (24, 53):
        tied, court = fifth(precision), Hearing()
        record = line(probabilities=[0.25, 0.25, 0.25])
        assert tied.chances(court, 2, record, Exact.of(record), Defects(0.0, 0.0, far)) == {}
        bound = tied.off(7) + fmpq(*far.as_integer_ratio()) + 3 * tied.tiny + fmpq(3, 4) / 2**53
        assert court.heard == [("probabilities", 1, bound)]
        assert court.relations == ["the probabilities sum to 1"]


def test_no_sum_of_probabilities_of_which_no_digit_is_known() -> None:
    record, court, tied = line(probabilities=[0.25, 0.25, 9.0]), Hearing(), fifth()
    assert tied.chances(court, 2, record, Exact.of(record), Defects(0.0, 0.0, math.inf)) == {}
    assert court.heard == []
    assert tied.settle(court) == ()
    assert court.opened == [("probabilities", 3)]
    assert court.doubts == ["probabilities do not sum to 1 in 1 of 1 lists"]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("near", [0.0, 2.0**-30, 2.0**-4])
def test_a_sum_that_only_lossy_methods_explain_leaves_all_open(near: float, sign: int) -> None:
    edge = relations().off(6) + 2 * relations().tiny + fmpq(*near.as_integer_ratio())
    for beyond, opened in ((0, []), (1, [("probabilities", 6)])):
        tied, court = relations(), Hearing()
        off = sign * (edge + beyond * fmpq(1, 2**200))
        for j, moved in enumerate((fmpq(0), off, fmpq(0))):
            record = line(j, probabilities=["1/2", str(fmpq(1, 2) + moved)])
            tied.chances(court, 2 + j, record, Exact.of(record), Defects(0.0, near, 0.5))
        assert tied.settle(court) == ()
        assert court.opened == opened
        assert court.doubts == ["probabilities do not sum to 1 in 1 of 3 lists"] * beyond


def test_sums_of_doubles_are_rounded_once() -> None:
    assert summed([-0.5, -0.25]) == (fmpq(-3, 4), fmpq(3, 4) / 2**53)
    assert summed([1e308, 1e308]) == (2 * fmpq(int(1e308)), fmpq(0))  # no double: exactly, then


@pytest.mark.parametrize("listed", [0.5, -0.5])
def test_p_is_the_entry_of_its_list(listed: float) -> None:
    """4 roundings and two spacings; whatever the sign, and more for who normalises."""
    record = line(p=listed, probabilities=[listed, 0.0, 0.0])
    entry = fmpq(*listed.as_integer_ratio())
    for precision in (24, 53):
        tied, court = fifth(precision), Hearing()
        assert tied.chances(court, 2, record, Exact.of(record), NO_DEFECT) == {"p": True}
        assert court.heard[1] == ("p", entry, fmpq(1, 2) * tied.off(4) + 2 * tied.tiny)
        assert court.relations[1] == "p = probabilities[index]"
    for sign in (1, -1):
        tied, court = fifth(), Hearing()
        now = Exact(None, None, None, entry + sign * fmpq(1, 2**40))
        assert tied.chances(court, 2, record, now, Defects(0.0, 0.0, 2.0**-30)) == {"p": True}
        assert [field for field, *_ in court.heard] == ["probabilities"]


@pytest.mark.parametrize("precision", [24, 53])
def test_the_weight_by_hand(precision: int) -> None:
    """gamma/(phi p) = 2, with 6 roundings, one of gamma, two spacings as a share of p."""
    for own in (0.0, 2.0**-20):
        tied, court = fifth(precision), Hearing()
        now = Exact(None, None, fmpq(1, 5), fmpq(1, 2), fmpq(2))
        assert tied.chances(court, 2, line(), now, Defects(own, own, own)) == {"weight": True}
        share = tied.off(7) + fmpq(*own.as_integer_ratio())
        assert court.heard == [("weight", 2, 2 * (share + 4 * tied.tiny))]
        assert court.relations == ["weight phi p = gamma"]


def test_no_probability_or_potential_ties_no_weight() -> None:
    for phi, p in ((0, 1), (1, 0), (-1, 1), (1, -1)):
        now = Exact(None, None, fmpq(phi), fmpq(p), fmpq(1))
        assert fifth().chances(Hearing(), 2, line(), now, NO_DEFECT) == {}


def test_a_defect_begins_where_roundings_end() -> None:
    """At the bound a weight is right; up to the defect it is doubted, and beyond it wrong."""
    tied = relations()
    own = fmpq(1, 2**40)
    bound, defect = 2 * (tied.off(6) + own + 4 * tied.tiny), 2 * fmpq(1, 2**30)
    for off, heard, right in (
        (bound, 1, True),
        (bound + UNIT**3, 0, True),
        (bound + defect, 0, True),
        (bound + defect + UNIT**3, 1, False),
    ):
        for sign in (1, -1):
            tied, court = relations(), Hearing()
            now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + sign * off)
            defects = Defects(2.0**-40, 2.0**-30, 2.0**-30)
            assert tied.chances(court, 2, line(), now, defects) == {"weight": right}
            assert len(court.heard) == heard
            remarks = tied.settle(court)  # one step of one is like itself
            assert len(remarks) == 1 - heard
            assert len(court.heard) == heard


def test_a_weight_of_any_size_is_open_where_no_digit_is_known() -> None:
    remarks, court = weighed([1e9], Defects(0.0, 0.0, math.inf))
    assert court.opened == [("weight", 1)]
    assert remarks == ()
    assert court.doubts == ["weight phi p = gamma is off by up to 1.0e+09 in 1 of 1 steps"]


def test_the_farthest_of_many_is_remembered() -> None:
    """A thousand steps of a program that normalises do not hide one that is wrong."""
    shares = [2.0**-46] * 1200
    assert weighed(shares, SOME)[1].opened == []
    assert weighed([*shares, 2.0**-35], SOME)[1].opened == [("weight", 1201)]


# -- alphas and weights of a program that normalises -----------------------------------------------


def normalised(weight: Any, **fields: Any) -> tuple[Any, Hearing]:
    """phi = 1/5, p = 1/2 and mid = 4, after sum and trace that differ by 2^-30."""
    tied, court = fifth(), Hearing()
    now = Exact(None, None, fmpq(1, 5), fmpq(1, 2), weight)
    tied.chances(court, 2, line(), now, Defects(2.0**-50, 2.0**-30, 2.0**-20))
    tied.remember(now)
    court.heard.clear()
    result = ResultLine(m=1, mid=4.0, **fields)
    tied.result(court, 3, result, Exact.of(result))
    return tied.settle(court), court


def test_an_alpha_is_also_p_times_weight() -> None:
    """p weight = 1 + 2^-30 where gamma/phi = 1: either is right, and nothing in between."""
    weight = 2 + fmpq(1, 2**29)
    for alpha, relation, right in (
        (fmpq(1, 4), "alphas = gamma/(phi mid)", True),
        (fmpq(1, 4) + fmpq(1, 2**32), "alphas = p weight/mid", True),
        (fmpq(1, 4) + fmpq(1, 2**33), "alphas = gamma/(phi mid)", False),  # as near to both
        (fmpq(1, 4) + fmpq(1, 2**33) + UNIT**2, "alphas = p weight/mid", False),
        (fmpq(1, 4) - fmpq(1, 2**32), "alphas = gamma/(phi mid)", False),
        (fmpq(1, 4) + fmpq(1, 2**31), "alphas = p weight/mid", False),
    ):
        _, court = normalised(weight, alphas=[str(alpha)])
        assert court.relations[-2:] == [relation, "the alphas sum to 1 - 4 gamma^2"]
        (_, expected, bound), (_, total, whole) = court.heard
        assert (abs(alpha - expected) <= bound) is right
        assert total == fmpq(21, 25)
        assert fmpq(1, 2**32) < whole < fmpq(1, 2**31)  # as much more as the two differ
    for other in (2 - fmpq(1, 2**29), 2 + fmpq(1, 2**29)):  # whichever is more
        _, court = normalised(other, alphas=["1/4"])
        assert fmpq(1, 2**32) < court.heard[1][2] < fmpq(1, 2**31)


def test_weights_of_the_result_where_phi_and_p_stand_for_them() -> None:
    """gamma/(phi p mid) = 1/2: right by the roundings, open by the defect, and beyond wrong."""
    for share, heard, opened in (
        (0.0, True, []),
        (2.0**-50, True, []),
        (2.0**-31, None, []),
        (2.0**-21, None, [("weights", 1)]),
        (2.0**-19, False, []),
    ):
        given = (1 + fmpq(*share.as_integer_ratio())) / 2
        remarks, court = normalised(None, weights=[str(given)])
        found = [abs(given - expected) <= bound for _, expected, bound in court.heard]
        assert found == ([] if heard is None else [heard])
        assert court.opened == opened
        assert len(remarks) == (heard is None and not opened)
        assert len(court.doubts) == len(opened)
        if found:
            assert court.heard[0][0] == "weights[0]"
            assert court.relations[-1] == "weights phi p mid = gamma"


def test_a_weight_that_is_reported_ties_the_result_by_itself() -> None:
    _, court = normalised(fmpq(2), weights=[str(fmpq(1, 2) + fmpq(1, 2**40))])
    (_, expected, bound) = court.heard[0]
    assert (expected, court.relations[-1]) == (fmpq(1, 2), "weights = weight/mid")
    assert bound < fmpq(1, 2**48)


@pytest.mark.parametrize("absent", ["p", "weight"])
def test_an_alpha_of_a_step_without_p_or_weight(absent: str) -> None:
    """gamma/(phi mid) = 1/4, or p weight/mid: right by the roundings, and open by the defect."""
    for share, heard, opened in (
        (2.0**-50, True, []), (2.0**-31, None, []), (2.0**-21, None, [("alphas", 1)]),
        (2.0**-19, False, []),
    ):  # fmt: skip
        tied, court = fifth(), Hearing()
        known: dict[str, Any] = {"phi": fmpq(1, 5), "p": fmpq(1, 2), "weight": fmpq(2)}
        now = Exact(None, None, **(known | {absent: None}))
        tied.chances(court, 2, line(), now, SOME)
        tied.remember(now)
        tied.remember(Exact(None, None, **known))  # what came before is not what is judged now
        court.heard.clear()
        given = (1 + fmpq(*share.as_integer_ratio())) / 4
        result = ResultLine(m=2, mid=4.0, alphas=[str(given), "1/4"])
        tied.result(court, 3, result, Exact.of(result))
        tied.settle(court)
        first = [item for item in court.heard if item[0] == "alphas[0]"]
        found = [abs(given - expected) <= bound for _, expected, bound in first]
        assert found == ([] if heard is None else [heard])
        assert [item for item in court.opened if item[0] == "alphas"] == opened
        bound = next(bound for field, _, bound in court.heard if field == "alphas[1]")
        assert bound < fmpq(1, 2**50)


@pytest.mark.parametrize("absent", ["phi", "weight", "p"])
def test_a_sum_of_alphas_of_which_something_is_absent(absent: str) -> None:
    """They may be p weight/mid, and then add up to as much more as sum and trace differ."""
    for share, opened, heard in (
        (0.0, [], 1), (2.0**-21, [("alphas at None", 0)], 0), (2.0**-19, [], 1),
    ):  # fmt: skip
        tied, court = fifth(), Hearing()
        known: dict[str, Any] = {"phi": fmpq(1, 5), "p": fmpq(1, 2), "weight": fmpq(2)}
        now = Exact(None, None, **(known | {absent: None}))
        tied.chances(court, 2, line(), now, Defects(2.0**-50, 2.0**-30, 2.0**-20))
        tied.remember(now)
        court.heard.clear()
        total = fmpq(21, 25) * (1 + fmpq(*share.as_integer_ratio()))
        tied._total(court, 3, [str(total)], fmpq(4), fmpq(0))
        assert (court.opened, len(court.heard)) == (opened, heard)


@pytest.mark.parametrize("gamma", [Fraction(1, 5), Fraction(7, 16)])
def test_a_middle_by_the_sum_of_all_steps(gamma: Fraction) -> None:
    """gamma/(1 - 4 gamma^2) times the sum of the 1/phi, after one step of phi = gamma.

    The square is amplified: 8/21 and 98/15; so is a gamma that is rounded, by 58/21.
    """
    middle = 1 / (1 - 4 * rational(gamma) ** 2)
    slope = {5: fmpq(8 + 58, 21), 16: fmpq(98, 15)}[gamma.denominator]
    edge = middle * Relations(gamma, 2, 3, 53, None).off(9 + slope)
    for given, expected, right in (
        (middle, middle, True),
        (middle + edge, middle, True),
        (middle - edge, middle, True),
        (middle + edge + UNIT**2, fmpq(3, 2), False),
        (fmpq(3, 2), fmpq(3, 2), True),
        (fmpq(3, 2) + fmpq(1, 2**46), fmpq(3, 2), False),
    ):
        tied, court = Relations(gamma, 2, 3, 53, None), Hearing()
        tied.remember(Exact(None, None, rational(gamma)))
        result = ResultLine(m=1, u=24.0, l=-21.0, mid=str(given))
        tied.result(court, 3, result, Exact.of(result))
        (field, near, bound), *_ = court.heard[-1:]
        assert (field, near) == ("mid", expected)  # the sum only where it explains the value
        assert (abs(given - expected) <= bound) is right


def test_a_middle_by_a_sum_of_which_a_part_is_not_known() -> None:
    """It is the half of u_m + l_m up to what all steps moved both."""
    for off, right in ((1, True), (-1, True), (1.01, False)):
        tied, court = fifth(), Hearing()
        tied.remember(Exact(None, None, fmpq(1, 5)))
        tied.remember(Exact(None, None))
        bound = fmpq(3, 2) * tied.off(10 + fmpq(66, 21)) + 24 * tied.off(32)
        given = fmpq(3, 2) + bound * fmpq(*off.as_integer_ratio())
        result = ResultLine(m=2, u=24.0, l=-21.0, mid=str(given))
        tied.result(court, 3, result, Exact.of(result))
        assert [(field, near) for field, near, _ in court.heard] == [("mid", fmpq(3, 2))]
        assert (abs(given - fmpq(3, 2)) <= court.heard[0][2]) is right


@pytest.mark.parametrize(
    ("barrier", "slope", "relation"),
    [
        ({"u": 27.0}, fmpq(7, 5), "u_m = 2d/gamma + (1 + 2 gamma) mid"),
        ({"l": -17.0}, fmpq(3, 5), "l_m = (1 - 2 gamma) mid - 2d/gamma"),
    ],
)
def test_a_middle_beside_one_barrier(barrier: dict[str, Any], slope: fmpq, relation: str) -> None:
    """gamma = 1/5: mid = 5 belongs to u_m = 27 and to l_m = -17."""
    for off, right in ((1, True), (-1, True), (1.01, False), (-1.01, False)):
        tied, court = fifth(), Hearing()
        tied.remember(Exact(None, None))
        share = tied.off(9 + fmpq(66, 21)) + tied.off(5 + fmpq(10, 3)) + tied.off(7)
        bound = 5 * share + 27 * tied.off(21) / slope
        given = 5 + bound * fmpq(*off.as_integer_ratio())
        result = ResultLine(1, mid=str(given), weights=["1/8"], **barrier)
        assert tied.result(court, 3, result, Exact.of(result))["mid"] == set()
        assert court.heard == [("mid", 5, bound)]
        assert court.relations == [relation]
        assert (abs(given - 5) <= bound) is right
    tied, court = fifth(), Hearing()
    tied.remember(Exact(None, None, None, None, fmpq(2)))
    result = ResultLine(m=1, weights=["2/5"], **barrier)  # its doubt is that of the barrier
    assert tied.result(court, 3, result, Exact.of(result)) == {"weights": {0}, "alphas": set()}
    ((field, near, wide),) = court.heard
    assert (field, near) == ("weights[0]", fmpq(2, 5))
    assert wide == fmpq(2, 5) * (tied.off(9) + bound / 5) + tied.tiny


def test_weights_are_taken_from_phi_and_p_where_they_are_absent() -> None:
    tied = relations()
    tied.remember(Exact(None, None, fmpq(1, 4), fmpq(1, 2), fmpq(7)))  # as it says
    tied.remember(Exact(None, None, fmpq(1, 4), fmpq(1, 2)))
    tied.remember(Exact(None, None, fmpq(2), fmpq(1, 2)))
    assert tied.weights == [7, 2, fmpq(1, 4)]
    assert tied._shares == [1, 1, fmpq(1, 8)]
    for absent in (Exact(None, None, fmpq(1)), Exact(None, None, None, fmpq(1))):
        tied = relations()
        tied.remember(absent)
        assert tied.weights is None
    tied = relations()
    for phi, p in ((1, 0), (0, 1)):
        tied.remember(Exact(None, None, fmpq(phi), fmpq(p)))
    assert tied.weights is None
    assert tied._shares == [fmpq(1, 4), None]


def ended(tied: Relations, **fields: Any) -> dict[str, tuple[Any, Any]]:
    """What is compared of a result, after one step of phi = 1/5, p = 1/2 and weight 2."""
    court = Hearing()
    tied.remember(Exact(None, None, fmpq(1, 5), fmpq(1, 2), fmpq(2)))
    result = ResultLine(m=1, **fields)
    tied.result(court, 3, result, Exact.of(result))
    return {field: (expected, bound) for field, expected, bound in court.heard}


def test_lists_of_the_result_by_hand() -> None:
    """mid = 4 as reported: 8 roundings and one of gamma, and a spacing."""
    for precision in (24, 53):
        tied = fifth(precision)
        found = ended(tied, mid=4.0, weights=[0.5], alphas=[0.25])
        share = tied.off(9)
        assert found["weights[0]"] == (fmpq(1, 2), share / 2 + tied.tiny)
        assert found["alphas[0]"] == (fmpq(1, 4), share / 4 + tied.tiny)
        # u_m = (1 + 2/5) 4 + 20, and 16 ulps of it; 8 gamma^2 times two roundings of gamma.
        drift = tied.off(16) * fmpq(128, 5) / 4
        steep = fmpq(8, 25) * tied.off(2)
        bound = tied.off(10) + fmpq(1, 4) / 2**53 + drift + steep
        assert found["alphas"] == (fmpq(21, 25), bound)


def test_a_middle_from_the_barriers_brings_its_doubt() -> None:
    """u_m = 24, l_m = -16: mid = 4 within 2 ulps of u_m and 3 of itself, a share of both sums."""
    tied = fifth()
    found = ended(tied, u=24.0, l=-16.0, weights=[0.5], alphas=["1/4"])
    doubt = (24 * tied.off(2) + 4 * tied.off(3)) / 4
    assert found["weights[0]"] == (fmpq(1, 2), (tied.off(9) + doubt) / 2 + tied.tiny)
    drift = tied.off(16) * fmpq(128, 5) / 4
    assert found["alphas"][1] == tied.off(10) + doubt + drift + fmpq(8, 25) * tied.off(2)
    assert "mid" not in found


def test_lists_of_negative_values_have_their_size_as_scale() -> None:
    tied, court = relations(), Hearing()
    tied.remember(Exact(None, None, None, None, fmpq(-2)))
    result = ResultLine(m=1, mid=4.0, weights=[-0.5])
    assert tied.result(court, 3, result, Exact.of(result)) == {"weights": {0}, "alphas": set()}
    assert court.heard == [("weights[0]", fmpq(-1, 2), tied.off(8) / 2 + tied.tiny)]


@pytest.mark.parametrize(
    ("fields", "mid"),
    [
        ({"u": 3.0, "l": -2.0}, True),  # 1/2
        ({"u": 2.0, "l": -2.0}, False),
        ({"u": 2.0, "l": -3.0}, False),
        ({"mid": 0.5}, True),
        ({"mid": 0.0}, False),
        ({"mid": -1.0}, False),
        ({"u": 3.0}, False),
        ({"u": 11.0}, True),
        ({"l": 3.0}, True),
        ({"l": -9.0}, False),
        ({"u": 3.0, "mid": 0.5}, True),
    ],
)
def test_only_a_positive_middle_divides(fields: dict[str, float], mid: bool) -> None:
    assert ("weights[0]" in ended(relations(), **fields, weights=[1.0])) is mid


def test_a_middle_of_negative_barriers() -> None:
    """Never in a run: u_m = -3, l_m = -5."""
    tied = relations()
    found = ended(tied, u=-3.0, l=-5.0, mid=-4.0)
    assert found == {"mid": (-4, 3 * tied.off(2) + 4 * tied.off(3))}


def test_without_steps_only_the_middle_is_tied() -> None:
    tied, court = relations(), Hearing()
    result = ResultLine(m=0, u=9.0, l=-7.0, mid=1.0, weights=[], alphas=[])
    assert tied.result(court, 2, result, Exact.of(result)) == {"mid": set()}
    assert [field for field, *_ in court.heard] == ["mid"]
    assert court.relations == ["mid = (u_m + l_m)/2"]


# -- whole traces --------------------------------------------------------------------------------

HEADER = case(3)
RECORDS = [json.loads(text) for text in CORRECT["singular-vectors"](HEADER, HEADER["uniforms"])]


def judged(change: Callable[[list[Any]], None]) -> Judgement:
    records = json.loads(json.dumps(RECORDS))
    change(records)
    return check_lines([json.dumps(record) for record in records])


def scaled(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        for record in records[1:-1]:
            record[field] *= factor

    return change


def of_result(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        value = records[-1][field]
        records[-1][field] = (
            [x * factor for x in value] if isinstance(value, list) else value * factor
        )

    return change


@pytest.mark.parametrize("factor", [1e-13, 1e-11, 1e-9, 1e-7])
@pytest.mark.parametrize("field", ["u", "l", "phi", "p", "weight"])
def test_a_field_that_is_off_everywhere_is_caught(field: str, factor: float) -> None:
    """What p is off by, sum and trace may differ by as well: 1e-12 is the most in this run."""
    factor = max(factor, 1e-12) if field == "p" else factor
    judgement = judged(scaled(field, 1 + factor))
    assert judgement.ruling is Ruling.VIOLATES


@pytest.mark.parametrize("field", ["mid", "weights", "alphas"])
def test_a_result_that_is_off_is_caught(field: str) -> None:
    assert judged(of_result(field, 1 + 1e-13)).ruling is Ruling.VIOLATES


def test_roundings_of_other_orders_pass() -> None:
    """Products and quotients in other orders, and barriers as one sum: 1000 steps each."""
    rng = np.random.default_rng(17)
    gamma, d = 0.2, 3
    for _ in range(20):
        tied, court = Relations(Fraction(gamma), d, 9, 53, None), Hearing()
        upper, lower = 2 * d / gamma, -(2 / gamma) * d
        rates = gamma / (1 - 2 * gamma), gamma / (1 + 2 * gamma)
        total = 0.0
        anew = bool(rng.integers(2))
        for j in range(50):
            phi, p = rng.uniform(0.2, 0.4), rng.uniform(0.01, 0.5)
            mass = p * phi
            weight = [gamma / phi / p, gamma / (phi * p), gamma / mass][rng.integers(3)]
            record = line(j, u=upper, l=lower, phi=phi, p=mass / phi, weight=weight)
            now = Exact.of(record)
            assert all(tied.barriers(court, j + 2, j, now).values())
            assert all(tied.chances(court, j + 2, record, now, NO_DEFECT).values())
            tied.remember(now)
            total += 1 / phi
            if anew:
                upper, lower = 2 * d / gamma + rates[0] * total, -2 * d / gamma + rates[1] * total
            else:
                upper = upper + gamma / ((1 - 2 * gamma) * phi)
                lower = lower + rates[1] / phi


def test_what_is_remembered_of_steps_without_p_or_weight() -> None:
    """The defects of the step itself, and none where it was not asked for."""
    tied, court = fifth(), Hearing()
    for now in (
        Exact(None, None, fmpq(1, 5), None, fmpq(2)),
        Exact(None, None, fmpq(1, 5), fmpq(1, 2)),
    ):
        tied.chances(court, 2, line(), now, SOME)
        tied.remember(now)
    tied.remember(Exact(None, None, fmpq(1, 5)))
    tied.remember(Exact(None, None, fmpq(1, 5), fmpq(1, 2), fmpq(2)))
    assert tied._apart == {0: SOME, 1: SOME, 2: NO_DEFECT}
    assert tied._derived == {1}


def test_a_weight_without_its_p_ties_the_result_all_the_same() -> None:
    """Off by 2^-31, which the defect would allow if phi and p stood for the weight."""
    tied, court = fifth(), Hearing()
    now = Exact(None, None, fmpq(1, 5), None, fmpq(2))
    tied.chances(court, 2, line(), now, SOME)
    tied.remember(now)
    result = ResultLine(m=1, mid=4.0, weights=[str((1 + fmpq(1, 2**31)) / 2)])
    tied.result(court, 3, result, Exact.of(result))
    assert court.relations == ["weights = weight/mid"]
    assert court.heard[0][2] < fmpq(1, 2**48)


def test_negative_values_have_their_size_as_scale_of_the_defect() -> None:
    """phi = -1/5 as no run has: gamma/(phi p mid) = -1/2 within 2^-50 and the roundings."""
    tied, court = fifth(), Hearing()
    now = Exact(None, None, fmpq(-1, 5), fmpq(1, 2))
    tied.chances(court, 2, line(), now, SOME)
    tied.remember(now)
    result = ResultLine(m=1, mid=4.0, weights=["-1/2"])
    tied.result(court, 3, result, Exact.of(result))
    assert court.heard == [
        ("weights[0]", fmpq(-1, 2), (tied.off(9) + fmpq(1, 2**50)) / 2 + tied.tiny)
    ]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_of_alphas_at_the_ends_of_what_it_may_be(sign: int) -> None:
    for place, said in ((0, "heard"), (1, "open"), (2, "open"), (3, "heard")):
        tied, court = fifth(), Hearing()
        now = Exact(None, None, fmpq(1, 5))
        tied.chances(court, 2, line(), now, SOME)
        tied.remember(now)
        tied._total(court, 3, ["21/25"], fmpq(4), fmpq(0))
        bound, expected = court.heard[0][2], fmpq(21, 25)
        court.heard.clear()
        far = bound + expected * fmpq(1, 2**20)
        off = (bound, bound + UNIT**2, far, far + UNIT**2)[place]
        tied._total(court, 3, [str(expected + sign * off)], fmpq(4), fmpq(0))
        assert (len(court.heard), len(court.opened)) == ((1, 0) if said == "heard" else (0, 1))


def test_a_lossy_step_leaves_open_whatever_the_others_are() -> None:
    for shares in ([2.0**-25, 2.0**-31], [2.0**-31, 2.0**-25]):
        assert weighed(shares, SOME)[1].opened == [("weight", 2)]


def test_a_sum_is_rounded_up() -> None:
    assert 0 < _at_most([fmpq(1, 3)] * 2) - fmpq(2, 3) < fmpq(1, 2**40)


def test_an_alpha_that_is_less_than_by_phi() -> None:
    """p weight = 1 - 2^-30 where gamma/phi = 1."""
    _, court = normalised(2 - fmpq(1, 2**29), alphas=[str(fmpq(1, 4) - fmpq(1, 2**32))])
    assert court.relations[-2] == "alphas = p weight/mid"


def test_barriers_that_no_run_has_are_rounded_by_their_size() -> None:
    """u_m = -3 and l_m = -5 beside phi that are not reported; and one of them alone."""
    tied, court = fifth(), Hearing()
    tied.remember(Exact(None, None))
    bound = 4 * tied.off(9 + fmpq(66, 21)) + 3 * tied.off(16)
    result = ResultLine(m=1, u=-3.0, l=-5.0, mid=str(-4 + bound))
    tied.result(court, 2, result, Exact.of(result))
    assert court.heard == [("mid", -4, bound)]
    share = tied.off(9 + fmpq(66, 21)) + tied.off(5 + fmpq(10, 3)) + tied.off(7)
    for barrier, middle, slope in (({"u": 6.0}, -10, fmpq(7, 5)), ({"l": -26.0}, -10, fmpq(3, 5))):
        court, fields = Hearing(), dict[str, Any](barrier)
        result = ResultLine(m=1, mid=-10.0, **fields)
        tied.result(court, 2, result, Exact.of(result))
        bound = 10 * share + (20 + 14) * tied.off(21) / slope
        assert court.heard == [("mid", middle, bound)]


def test_no_middle_of_zero_divides() -> None:
    tied, court = fifth(), Hearing()
    tied.remember(Exact(None, None, None, None, fmpq(2)))
    result = ResultLine(m=1, u=20.0, l=-20.0, mid=0.0, weights=[1.0])
    assert tied.result(court, 2, result, Exact.of(result)) == {"mid": set()}
    assert [field for field, *_ in court.heard] == ["mid"]


def test_weights_without_a_middle_are_alike() -> None:
    """weight/weights is one number, the one in the middle; which it is relations do not say."""
    for given, said in (
        (["1/2", "3/4", "1"], {}), (["1/2", "3/4", "9/8"], {"weights[2]": 1}),
        (["1", "3/4", "1"], {"weights[0]": fmpq(1, 2)}), (["-1/2", "3/4", "1"], {}),
    ):  # fmt: skip
        tied, court = relations(), Hearing()
        for weight in (2, 3, 4):
            tied.remember(Exact(None, None, None, None, fmpq(weight)))
        result = ResultLine(m=3, weights=list(given))
        assert tied.result(court, 2, result, Exact.of(result)) == {}
        wrong = {
            field: expected
            for (field, expected, bound), raw in zip(court.heard, given, strict=True)
            if abs(rational(Fraction(raw)) - expected) > bound
        }
        if given[0] == "-1/2":
            assert wrong == {"weights[0]": fmpq(1, 2)}
        else:
            assert wrong == said
        assert court.heard[1][2] == fmpq(3, 4) * 2 * tied.off(8) + tied.tiny
    # One alone is like itself.
    tied, court = relations(), Hearing()
    tied.remember(Exact(None, None, None, None, fmpq(2)))
    result = ResultLine(m=1, weights=["1/2"])
    assert tied.result(court, 2, result, Exact.of(result)) == {}
    assert court.heard == []


def test_an_alpha_of_a_step_without_phi() -> None:
    """p weight/mid = 1/4 up to the defect: a program may divide gamma by phi mid."""
    for share, heard, opened in (
        (0.0, True, []), (2.0**-31, None, []), (2.0**-21, None, [("alphas", 1)]),
        (2.0**-19, False, []),
    ):  # fmt: skip
        tied, court = fifth(), Hearing()
        now = Exact(None, None, None, fmpq(1, 2), fmpq(2))
        tied.chances(court, 2, line(), now, SOME)
        tied.remember(now)
        given = (1 + fmpq(*share.as_integer_ratio())) / 4
        result = ResultLine(m=1, mid=4.0, alphas=[str(given)])
        assert tied.result(court, 3, result, Exact.of(result))["alphas"] == {0}
        tied.settle(court)
        first = [item for item in court.heard if item[0] == "alphas[0]"]
        found = [abs(given - expected) <= bound for _, expected, bound in first]
        assert found == ([] if heard is None else [heard])
        assert [item for item in court.opened if item[1]] == opened
