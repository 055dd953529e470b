"""One value before the court: right, accused or open, with all that is written down of it."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from asura.errors import Undecided
from asura_verify.oracle.views.court import KEPT, Court, NeedsExactness, placed, ratio


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def court(precision: int = 53, *, exact: bool = False) -> Court:
    return Court(precision, exact=exact)


def test_a_court_begins_with_nothing() -> None:
    new = court()
    assert (new.precision, new.exact, new.rounded) == (53, False, False)
    assert (new.violated, new.worst, new.farthest, new.loosest) == (0, 0.0, 0.0, 0.0)
    empty: list[Any] = [new.checked, new.undecided, new.vague, new.wrong, new.ratios]
    assert empty == [{}] * 5
    assert (new.open_at, new.violations) == (set(), [])


@pytest.mark.parametrize(("precision", "digits"), [(4, 17), (46, 17), (50, 18), (53, 19)])
def test_digits_of_a_report(precision: int, digits: int) -> None:
    """0.302 > log10(2) of every bit, and three more."""
    assert court(precision).digits == digits


def test_names_and_quotients() -> None:
    assert (placed("u", None), placed("weights", 0), placed("weights", 3)) == (
        "u", "weights[0]", "weights[3]",
    )  # fmt: skip
    assert ratio(fmpq(3), fmpq(1, 2)) == 6.0
    assert ratio(fmpq(1), fmpq(1, 10**400)) == math.inf


@pytest.mark.parametrize(
    ("raws", "rounded"),
    [
        ((None, 1, "2", "3/8"), False),
        ((0.5,), True),
        (("0.5",), True),
        (("1e3", "3"), True),
        ((0.5, "3"), True),
        (("3", 2, None), False),
    ],
)
def test_how_values_are_written(raws: tuple[Any, ...], rounded: bool) -> None:
    for exact in (False, True):
        heard = court(exact=exact)
        heard.heed(raws)
        assert heard.rounded is rounded
        heard.heed((1,))
        assert heard.rounded is rounded  # what was seen stays


def test_what_claims_to_be_exact_is_asked_for_once() -> None:
    with pytest.raises(NeedsExactness):
        court().heed(("1/3",))
    prepared = court(exact=True)
    prepared.heed(("1/3", "2/3"))
    assert prepared.rounded is False


def test_counts_add_up() -> None:
    new = court()
    new.count("u")
    new.count("u", 3)
    new.count("p", 0)
    assert new.checked == {"u": 4, "p": 0}
    new.leave_open("u")
    new.leave_open("u", 2)
    new.leave_open("p", 5)
    assert new.vague == new.undecided == {"u": 3, "p": 5}


def test_an_accusation_in_full() -> None:
    new = court()
    new.accuse(7, 5, "weights[2]", "1.5", arb(1), "high", 3.0, 0.25, "text")
    (found,) = new.violations
    assert (found.line, found.j, found.field, found.reported) == (7, 5, "weights[2]", "1.5")
    assert (float(found.lower), found.upper) == (1.0, "high")
    assert (found.gap, found.allowance, found.slug) == (3.0, 0.25, "spectral")
    assert found.message == "text"
    assert (new.wrong, new.ratios, new.farthest) == ({"weights": 1}, {"weights": 3.0}, 0.75)
    new.accuse(8, None, "weights[3]", "1", "low", arb(2), 2.0, 0.25, "")
    assert (new.violations[1].lower, float(new.violations[1].upper)) == ("low", 2.0)
    assert (new.wrong, new.worst, new.farthest) == ({"weights": 2}, 3.0, 0.75)
    new.accuse(9, None, "m", 3, "2", "2", None, 0.0, "")
    assert (new.wrong, new.violated) == ({"weights": 2, "m": 1}, 3)
    assert (new.ratios, new.farthest) == ({"weights": 3.0}, math.inf)


def test_the_first_sixteen_are_kept_in_full() -> None:
    new = court()
    for line in range(KEPT + 2):
        new.accuse(line, None, "u", 0, "", "", 1.0, 1.0, "")
    assert (len(new.violations), new.violated, KEPT) == (16, 18, 16)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_relation_by_hand(sign: int) -> None:
    """Expected 8 within 2: at the end it is right, and beyond it is not."""
    for halves, right in ((0, True), (2, True), (4, True), (5, False)):
        new, off = court(), fmpq(halves, 2)
        given, expected = sign * (8 + off), fmpq(8 * sign)
        assert new.compare(7, 5, "weights", given, expected, fmpq(2), "a = b", place=1) is right
        assert new.ratios == ({} if off == 0 else {"weights": float(off / fmpq(2))})
    (found,) = new.violations
    assert (found.line, found.j, found.field) == (7, 5, "weights[1]")
    assert float(found.reported) == sign * 10.5
    assert (float(found.lower), float(found.upper)) == (8 * sign - 2, 8 * sign + 2)
    assert (found.gap, found.allowance) == (1.25, 0.25)
    assert found.message == "breaks the relation a = b"
    assert new.checked == {}  # counted by who asks


def test_a_relation_without_room_has_no_gap() -> None:
    new = court()
    assert new.compare(7, None, "u", fmpq(8), fmpq(8), fmpq(0), "")
    assert not new.compare(7, None, "u", fmpq(9), fmpq(8), fmpq(0), "")
    assert (new.violations[0].gap, new.violations[0].allowance) == (None, 0.0)
    assert not new.compare(7, None, "u", fmpq(9), fmpq(0), fmpq(1), "")
    assert (new.violations[1].gap, new.violations[1].allowance) == (9.0, math.inf)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_value_by_hand(sign: int) -> None:
    """True 8, an eighth of it allowed, so 1; or an eighth of 16."""
    for given, scale, right in (
        (9.0, None, True), (7.0, None, True), (9.5, None, False), (6.5, None, False),
        (10.0, 16, True), (10.5, 16, False), (6.0, 16, True),
    ):  # fmt: skip
        new, scaled = court(), None if scale is None else arb(scale)
        found = new.value(7, 5, "u", sign * given, arb(8 * sign), 0.125, scale=scaled, place=0)
        assert found is right
        assert (new.checked, new.loosest) == ({"u": 1}, 0.125)
        assert new.worst == abs(given - 8) / (1 if scale is None else 2)
        if not right:
            (violation,) = new.violations
            assert violation.field == "u[0]"
            half = 1 if scale is None else 2
            assert float(violation.lower) == 8 * sign - half
            assert float(violation.upper) == 8 * sign + half
            assert (violation.gap, violation.allowance) == (abs(given - 8) / half, 0.125)


def test_a_value_that_is_absent_or_not_decided() -> None:
    new = court()
    assert new.value(7, 5, "u", None, arb(8), 0.5)
    assert (new.checked, new.loosest) == ({}, 0.0)
    with pytest.raises(Undecided):
        new.value(7, 5, "u", 9.0, arb(8, 0.25), 0.125)
    assert new.value(7, 5, "u", 0.0, arb(0), 0.125)
    assert not new.value(7, 5, "u", 1.0, arb(0), 0.125)
    assert new.violations[0].gap is None


def test_a_rational_that_no_binary_arithmetic_has_must_be_true() -> None:
    new = court(exact=True)
    assert new.value(7, 5, "u", "1/3", arb(fmpq(1, 3)), 0.0)
    assert not new.value(7, 5, "u", "1/3", arb(fmpq(1, 3)) + 2.0**-60, 1.0, place=4)
    (found,) = new.violations
    assert (found.field, found.gap, found.allowance) == ("u[4]", None, 0.0)
    assert new.value(7, 5, "u", "3/8", arb("0.38"), 0.125)  # a binary number may be rounded


def test_a_value_beside_its_bound_is_not_decided() -> None:
    """Balls that touch: the least error is the bound exactly."""
    true = arb(7.5, 0.5)
    scale = abs(arb(9) - true).lower() * 8
    with pytest.raises(Undecided):
        court().value(7, 5, "u", 9.0, true, 0.125, scale=scale)


def test_what_a_list_leaves_open_is_counted_by_its_reader() -> None:
    for listed, vague in ((False, {"u": 1}), (True, {})):
        new = court()
        assert new.value(7, 5, "u", 1.0, arb(1), 0.0625, listed=listed)
        assert new.vague == new.undecided == vague


def test_shares_of_high_precisions_are_of_no_interest() -> None:
    for precision, ratios in ((53, {"u": 0.5}), (54, {})):
        new = court(precision)
        new.observe("u", 0.5)
        new.observe("u", 0.25)
        new.observe("u", 0.0)
        assert new.ratios == ratios
    new = court()
    new.note("u", arb(1), arb(4))
    new.note("u", arb(1), arb(0))
    assert new.ratios == {"u": 0.25}
    new.observe("p", 0.5)
    assert new.worst == 0.5


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("off", "said"), [(2.0, "right"), (2.5, "open"), (4.0, "open"), (4.5, "wrong")]
)
def test_a_value_that_only_lossy_methods_explain(off: float, said: str, sign: int) -> None:
    """16 within an eighth by methods that keep enough digits, and within a quarter by others."""
    for place, name in ((None, "phi"), (3, "phi[3]")):
        new = court()
        given = 16 + sign * off
        right = new.value(2, 5, "phi", given, arb(16), 1 / 8, widest=1 / 4, place=place)
        assert right is (said != "wrong")
        assert new.wrong == ({"phi": 1} if said == "wrong" else {})
        beyond = f"{name} at j=5 is off by more than the methods allow"
        assert new.unexplained.startswith(beyond if said == "open" else "")
        assert bool(new.unexplained) is (said == "open")
        assert new.ratios == {"phi": off / 4}  # in units of what would be an accusation
    new.value(2, None, "mid", 19.0, arb(16), 1 / 8, widest=1 / 4)
    assert new.unexplained.startswith("phi" if said == "open" else "mid at the end")
    assert court().value(2, 5, "phi", 17.5, arb(16), 1 / 8, widest=1 / 32)  # no less than that
    wrong = court()
    wrong.value(2, 5, "phi", 24.0, arb(16), 1 / 8, widest=1 / 4)
    assert (wrong.violations[0].gap, wrong.violations[0].allowance) == (2.0, 0.25)


def test_a_value_at_the_edge_of_lossy_methods_asks_for_more_bits() -> None:
    for near_edge in (arb(14, 2.0**-20), arb(12, 2.0**-20)):
        with pytest.raises(Undecided):
            court().value(2, 5, "phi", 16.0, near_edge, 1 / 7, widest=1 / 3)


def test_a_ball_that_begins_where_lossy_methods_do_asks_for_more_bits() -> None:
    """|16 - [13, 14]| = [2, 3] where near is 2 and far is 4."""
    with pytest.raises(Undecided):
        court().value(2, 5, "phi", 16.0, arb(13.5, 0.5), 1 / 8, widest=1 / 4, scale=arb(16))


def test_reasons_for_which_a_trace_is_open() -> None:
    """The first value that only lossy methods explain, and all other reasons after it."""
    court = Court(53, exact=False)
    assert court.doubtful == []
    court.doubt("one")
    assert court.doubtful == ["one"]
    court.leave_unexplained(3, "phi")
    court.leave_unexplained(None, "mid")
    court.doubt("two")
    first, *rest = court.doubtful
    assert first.startswith("phi at j=3 is off")
    assert rest == ["one", "two"]


def test_wrong_places_are_remembered_until_there_are_too_many() -> None:
    """Each once, with what was said first; one more than are kept shows that there are more."""
    court = Court(53, exact=False)

    def accuse(line: int, field: str, message: str = "") -> None:
        court.accuse(line, 1, field, 0.5, "0", "1", None, 0.0, message)

    accuse(3, "p", "first")
    accuse(3, "p", "second")
    accuse(3, "probabilities[0]")
    accuse(3, "probabilities[1]")
    accuse(3, "weights[0]")
    accuse(3, "weights[1]")
    assert list(court.places) == [
        (3, "p"), (3, "probabilities"), (3, "weights[0]"), (3, "weights[1]"),
    ]  # fmt: skip
    assert court.places[3, "p"].message == "first"
    assert [violation.message for violation in court.violations[:2]] == ["first", "second"]
    for line in range(4, 4 + KEPT):
        accuse(line, "u")
        accuse(line, "u")
    assert len(court.places) == KEPT + 1
    assert len(court.violations) == KEPT
    accuse(100, "u")
    assert (len(court.places), court.wrong["u"]) == (KEPT + 1, 2 * KEPT + 1)
