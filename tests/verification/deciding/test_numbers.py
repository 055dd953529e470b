"""Comparisons with three outcomes: exact numbers, balls that end where a bound is, intervals."""

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from asura.definiteness import width
from asura.scalars import Enclosure, point, rational
from asura_verify.deciding.comparisons import IDENTITY_BITS, Comparisons
from asura_verify.deciding.numbers import (
    Number,
    add,
    at_most,
    below,
    enclose,
    equal,
    largest,
    multiply,
    show,
    subtract,
)
from tests.verification.oracle.views.parts import ends

WIDE = arb(1, 2)
SMALL = st.fractions(-3, 3, max_denominator=8)
SLACK = st.fractions(0, 2, max_denominator=8)


@st.composite
def around(draw: st.DrawFn, value: Fraction) -> Number:
    """A number that is known exactly, or as an interval, or as a ball around it."""
    kind = draw(st.integers(0, 3))
    below_it, above_it = draw(SLACK), draw(SLACK)
    if kind == 0:
        return value
    if kind == 1:
        return rational(value)
    if kind == 2:
        return Enclosure(value - below_it, value + above_it)
    return arb(rational(value)) + arb(0, float(above_it))


@given(st.data(), SMALL, SMALL)
def test_what_is_decided_is_true(data: st.DataObject, first: Fraction, second: Fraction) -> None:
    left, right = data.draw(around(first)), data.draw(around(second))
    for verdict, truth in (
        (at_most(left, right), first <= second),
        (below(left, right), first < second),
    ):
        assert verdict.undecided or verdict.holds == truth
    assert not equal(left, right).fails or first != second
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        assert equal(left, right).holds == (first == second)
        assert not at_most(left, right).undecided
    for made, value in (
        (add(left, right), first + second),
        (subtract(left, right), first - second),
        (multiply(left, right), first * second),
        (enclose(left), first),
    ):
        assert value in made


def test_balls() -> None:
    assert below(arb(1), arb(1)).fails
    assert at_most(arb(1), arb(1)).holds
    assert at_most(arb(1), 1).holds
    assert below(WIDE, arb(2)).undecided
    assert at_most(arb("nan"), arb(1)).undecided
    assert equal(arb("nan"), arb(1)).undecided
    assert equal(arb(0, 0.1), arb(0), arb(1)).holds


def test_a_ball_that_ends_at_a_bound() -> None:
    ball = arb(2, 1)
    low, high = ends(ball)
    assert at_most(ball, high).holds
    assert at_most(ball, low).undecided  # perhaps it is there
    assert at_most(Enclosure(Fraction(1), Fraction(3)), Fraction(3)).holds
    assert at_most(Enclosure(Fraction(1), Fraction(3)), Fraction(1)).undecided
    assert at_most(Enclosure(Fraction(1), Fraction(3)), Fraction(1, 2)).fails


def test_equal_balls_know_the_size_to_a_bit() -> None:
    assert equal(arb(1, 0.1875), arb(1, 0.1875)).holds  # 3/4 of the size
    half = arb(1, 0.25)
    assert equal(half, half, (half.rad() + half.rad()) * 2).undecided
    assert equal(arb(3), arb(-3)).fails
    assert equal(arb(-3), arb(3)).fails
    assert equal(arb(-3), arb(-3)).holds


@pytest.mark.parametrize("exact", [False, True])
def test_equality_asks_for_bits(exact: bool) -> None:
    """The spread, twice the sum of the radii, is below the size by that many bits."""

    def known(radius: Fraction, middle: int = 1) -> Number:
        if exact:
            return Enclosure(middle - radius, middle + radius)
        return arb(middle, float(radius))

    edge = Fraction(1, 2 * 2**IDENTITY_BITS)
    assert equal(known(edge), Fraction(1), bits=IDENTITY_BITS).undecided
    assert equal(known(edge / 2), Fraction(1), bits=IDENTITY_BITS).holds
    assert equal(known(edge * 3 / 4), Fraction(1), bits=IDENTITY_BITS).holds
    assert equal(known(edge * 3 / 4, -1), Fraction(-1), bits=IDENTITY_BITS).holds
    assert equal(known(edge * 3 / 4), known(edge * 3 / 4), bits=IDENTITY_BITS).undecided
    assert equal(known(edge), Fraction(1), bits=IDENTITY_BITS - 1).holds
    assert equal(known(Fraction(1)), known(Fraction(1), 3)).undecided  # they meet in one point
    assert equal(known(Fraction(1), 3), known(Fraction(1))).undecided
    assert equal(known(edge / 2, 0), 0, bits=IDENTITY_BITS).undecided
    assert equal(known(edge / 2, 0), 0, bits=IDENTITY_BITS, floor=1).holds
    assert equal(known(edge * 4, 16), 16, bits=IDENTITY_BITS, floor=1).holds
    assert equal(known(edge), Fraction(2), bits=IDENTITY_BITS).fails
    assert equal(Fraction(2), known(edge), bits=IDENTITY_BITS).fails


def test_points_and_rationals_are_decided() -> None:
    assert equal(point(Fraction(1, 3)), fmpq(1, 3)).holds
    assert equal(point(Fraction(1, 3)), Fraction(1, 2)).fails
    assert equal(1, Fraction(1)).holds
    assert equal(1, fmpq(2)).fails


def test_the_width_of_a_doubt_is_told() -> None:
    assert (
        at_most(Enclosure(Fraction(0), Fraction(2)), Enclosure(Fraction(1), Fraction(2))).width == 3
    )
    first, second = arb(1, 1), arb(1, 0.5)
    assert at_most(first, second).width == width(first) + width(second) > 3
    assert equal(first, second).width == width(first) + width(second)


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
    top = largest([arb(1, 0.5), arb(1.25, 0.5), arb(0)])
    assert top.contains(arb(1.5))
    assert top.contains(arb(1.75))


def test_sums_and_words() -> None:
    assert add(1, Fraction(2)) == point(Fraction(3))
    assert show(point(Fraction(1, 3))) == "1/3"
    assert show(Enclosure(Fraction(0), Fraction(1))) == "0.5 (within 0.5)"
    with ctx.workprec(128):
        assert show(arb(1) / 3) == "[0.333333333333 +/- 3.34e-13]"


def test_comparisons_name_the_first_failure_or_else_the_first_doubt() -> None:
    compare = Comparisons()
    compare.at_most("vague", WIDE, 1)
    assert compare.result().comparison.startswith("vague: ")
    compare.below("wrong", 2, Fraction(3, 2))
    compare.that("too late", False)
    assert compare.result().verdict.fails
    assert compare.result().comparison == "wrong: 2 < 3/2"
