"""Claims on balls: three outcomes, and balls that end where a bound is."""

import pytest
from flint import arb, arb_mat, ctx

from asura.verdict import FAILS
from asura_verify.oracle.judgement import ClaimView
from asura_verify.oracle.views.tally import OPEN, Tally, at_most, definite, equal, largest
from tests.verification.oracle.views.parts import ends


def test_a_ball_that_ends_at_a_bound() -> None:
    ball = arb(2, 1)
    low, high = ends(ball)
    assert at_most(ball, high).holds
    assert at_most(ball, low).undecided  # perhaps it is there


def test_equal_balls_know_the_size_to_a_bit() -> None:
    assert equal(arb(1, 0.1875), arb(1, 0.1875)).holds  # 3/4 of the size
    half = arb(1, 0.25)
    assert equal(half, half, (half.rad() + half.rad()) * 2).undecided
    assert equal(arb(3), arb(-3)).fails
    assert equal(arb(-3), arb(3)).fails
    assert equal(arb(-3), arb(-3)).holds


def test_definiteness_in_doubt() -> None:
    assert definite(arb_mat([[0]])).fails
    assert definite(arb_mat([[arb(0.25, 0.5)]])).undecided
    assert definite(arb_mat([[arb("nan"), 0], [0, -1]])).undecided
    huge = arb(10) ** 400
    assert definite(arb_mat([[-huge, 0], [0, 1]])).undecided  # no double holds it
    assert definite(arb_mat([[-1, 0], [0, huge]])).undecided
    assert definite(arb_mat([[1, 0], [0, huge]])).holds


def test_the_largest_of_several_balls_is_one_of_them() -> None:
    with ctx.workprec(128):
        ball = arb(5, 1) / 3
    low, high = ends(ball)
    for other in (low, arb(0), arb(-3, 1)):
        assert largest([other, ball]) is ball
        assert largest([ball, other]) is ball or other is low
    for other in (high, arb(8)):
        assert largest([other, ball]) is other
        assert largest([ball, other]) is other


@pytest.mark.parametrize(("doubts", "counted"), [(0, 1), (1, 1), (2, 2)])
def test_an_excused_failure_counts_as_a_doubt(doubts: int, counted: int) -> None:
    tally = Tally()
    tally.enter(FAILS, 7, 2, "wrong")
    for line in range(doubts):
        tally.enter(OPEN, line, None, "vague")
    assert tally.view() == ClaimView("fails", doubts + 1, doubts, 7, 2, "wrong")
    excused = tally.view(doubt="near")
    assert excused == ClaimView("undecided", doubts + 1, counted, 7, 2, "near; wrong")
