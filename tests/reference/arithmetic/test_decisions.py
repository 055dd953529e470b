"""What each arithmetic decides: comparisons and picks at ties, precisions, inverses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz, fmpz_mat

from asura import errors
from asura.arithmetic import (
    EXACT,
    Arithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.arithmetic.double import relative_error
from asura.arithmetic.exact import RationalForm, RationalMasses
from asura.arithmetic.spectral import DoubleForm
from asura.dataset import dataset
from asura.errors import Undecided
from asura.randomness import UnitInterval
from asura.scalars import fraction

BALL = BallArithmetic()
DOUBLE = DoubleArithmetic()
MULTIPRECISION = MultiprecisionArithmetic()
ARITHMETICS: list[Arithmetic[Any, Any]] = [EXACT, BALL, DOUBLE, MULTIPRECISION]
RIGOROUS: list[Arithmetic[Any, Any]] = [EXACT, BALL]

#: A ball whose lower end is exactly zero.
FROM_ZERO = arb(0, 1) + arb(0, 1).rad()


def test_names_and_what_they_promise() -> None:
    assert [(a.name, a.rigorous, a.precision) for a in ARITHMETICS] == [
        ("exact", True, None),
        ("ball", True, 128),
        ("double", False, 53),
        ("multiprecision", False, 168),  # 50 digits are 166.1 bits
    ]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_less_is_strict(arithmetic: Arithmetic[Any, Any]) -> None:
    one, two = arithmetic.scalar(Fraction(1)), arithmetic.scalar(Fraction(2))
    assert arithmetic.less(one, two).holds
    assert arithmetic.less(one, one).fails
    assert arithmetic.less(two, one).fails


def test_less_of_balls_that_touch_or_overlap() -> None:
    zero = arb(0)
    assert BALL.less(FROM_ZERO, zero).fails  # nothing in it is below zero
    assert BALL.less(-FROM_ZERO, zero).undecided
    open_width = BALL.less(zero, FROM_ZERO).width
    assert open_width == 2 * fraction(FROM_ZERO.rad().fmpq())
    assert BALL.less(FROM_ZERO, FROM_ZERO).width == 2 * open_width


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize(
    ("numerator", "index"),
    # Partial sums 0, 1, 1, 2, 4 of the masses below, of a total of 4: r = numerator/8.
    [(0, 1), (1, 1), (2, 3), (3, 3), (4, 4), (7, 4)],
)
def test_the_smallest_index_whose_partial_sum_exceeds_r(
    arithmetic: Arithmetic[Any, Any], numerator: int, index: int
) -> None:
    masses = [arithmetic.scalar(Fraction(mass)) for mass in (0, 1, 0, 1, 2)]
    total = arithmetic.scalar(Fraction(4))
    assert arithmetic.locate(masses, total, UnitInterval(numerator, 8, 0)) == index


@pytest.mark.parametrize("arithmetic", RIGOROUS)
@pytest.mark.parametrize(
    ("interval", "index"),
    [
        (UnitInterval(0, 2, 1), 0),  # [0, 1/2) ends where the first mass does
        (UnitInterval(1, 2, 1), 1),
        (UnitInterval(1, 4, 2), None),  # [1/4, 3/4) holds both answers
        (UnitInterval(1, 4, 1), 0),
        (UnitInterval(2, 4, 1), 1),
        (UnitInterval(3, 8, 2), None),
        (UnitInterval(5, 8, 2), 1),
    ],
)
def test_all_of_an_interval_must_agree(
    arithmetic: Arithmetic[Any, Any], interval: UnitInterval, index: int | None
) -> None:
    masses = [arithmetic.scalar(Fraction(3))] * 2
    assert arithmetic.locate(masses, arithmetic.scalar(Fraction(6)), interval) == index


@pytest.mark.parametrize("arithmetic", RIGOROUS)
def test_nothing_exceeds_a_total_that_is_too_large(arithmetic: Arithmetic[Any, Any]) -> None:
    masses = [arithmetic.scalar(Fraction(1))] * 2
    total = arithmetic.scalar(Fraction(100))
    assert arithmetic.locate(masses, total, UnitInterval(1, 2, 0)) is None


def test_balls_that_touch_the_target_leave_the_pick_open() -> None:
    two = arb(2)
    assert BALL.locate([1 + FROM_ZERO, arb(9)], two, UnitInterval(1, 2, 0)) is None
    assert BALL.locate([1 + FROM_ZERO, arb(9)], two, UnitInterval(1, 4, 0)) == 0
    assert BALL.locate([1 + FROM_ZERO, arb(9)], two, UnitInterval(0, 2, 1)) == 0
    assert BALL.locate([1 - FROM_ZERO, arb(9)], two, UnitInterval(1, 2, 0)) == 1
    assert BALL.locate([1 - FROM_ZERO, arb(9)], two, UnitInterval(1, 4, 0)) is None


def test_rational_masses_are_rationals_over_one_denominator() -> None:
    masses = RationalMasses([fmpz(1), fmpz(4)], fmpz(6))
    assert len(masses) == 2
    assert [masses[0], masses[1]] == [fmpq(1, 6), fmpq(2, 3)]
    assert EXACT.locate(masses, fmpq(5, 6), UnitInterval(1, 5, 0)) == 1
    assert EXACT.locate(masses, fmpq(5, 6), UnitInterval(199, 1000, 0)) == 0


def test_rational_forms() -> None:
    first = RationalForm(fmpz_mat([[8, 1], [1, -16]]), fmpz(6))
    second = RationalForm(fmpz_mat([[1, 0], [0, 1]]), fmpz(4))
    assert (first + second).matrix() == fmpq_mat(
        [[fmpq(19, 12), fmpq(1, 6)], [fmpq(1, 6), fmpq(-29, 12)]]
    )
    assert (first - second).matrix() == fmpq_mat(
        [[fmpq(13, 12), fmpq(1, 6)], [fmpq(1, 6), fmpq(-35, 12)]]
    )
    assert (first * fmpq(3, 5)).matrix() == fmpq_mat(
        [[fmpq(4, 5), fmpq(1, 10)], [fmpq(1, 10), fmpq(-8, 5)]]
    )
    assert first.height() == 5  # of 16
    assert RationalForm(fmpz_mat([[1]]), fmpz(255)).height() == 8
    assert EXACT.frame(dataset([[1, 2], [3, 4]])).zero().height() == 1


FORM = [[Fraction(2), Fraction(1), Fraction(0)],
        [Fraction(1), Fraction(3), Fraction(1)],
        [Fraction(0), Fraction(1), Fraction(1)]]  # fmt: skip
INVERSE = [["2/3", "-1/3", "1/3"], ["-1/3", "2/3", "-2/3"], ["1/3", "-2/3", "5/3"]]


@pytest.mark.parametrize("bits", [16, 30, 31, 128])
def test_inverses_of_balls(bits: int) -> None:
    arithmetic = BallArithmetic(bits)
    with arithmetic.working():
        inverse = arithmetic.inverse(arb_mat([[arithmetic.scalar(x) for x in row] for row in FORM]))
        for i in range(3):
            for k in range(3):
                enclosure = arithmetic.enclosure(inverse[i, k])
                assert Fraction(INVERSE[i][k]) in enclosure
                assert enclosure.radius < Fraction(1, 2 ** (bits - 8))
        with pytest.raises(Undecided):
            arithmetic.inverse(arb_mat([[1, 1], [1, 1]]))


def test_an_exact_inverse_on_a_barrier_is_refused() -> None:
    inverse = EXACT.inverse(RationalForm(fmpz_mat([[2, 1], [1, 3]]), fmpz(2)))
    assert inverse.matrix() == fmpq_mat(2, 2, [fmpq(6, 5), fmpq(-2, 5), fmpq(-2, 5), fmpq(4, 5)])
    with pytest.raises(errors.BarrierCrossed):
        EXACT.inverse(RationalForm(fmpz_mat([[1, 1], [1, 1]]), fmpz(1)))


def test_precisions_of_balls() -> None:
    assert BallArithmetic(2).precision == 2
    assert BallArithmetic(8192).ceiling == 8192
    for bits in (1, 8193):
        with pytest.raises(errors.PrecisionOutOfRange):
            BallArithmetic(bits)


def test_bits_are_doubled_up_to_the_ceiling() -> None:
    found: list[BallArithmetic] = []
    arithmetic: BallArithmetic | None = BallArithmetic(4, 16)
    while arithmetic is not None:
        found.append(arithmetic)
        arithmetic = arithmetic.doubled()
    assert found == [BallArithmetic(4, 16), BallArithmetic(8, 16), BallArithmetic(16, 16)]
    assert BallArithmetic(9, 16).doubled() is None
    assert [other.doubled() for other in (EXACT, DOUBLE, MULTIPRECISION)] == [None] * 3


def test_balls_are_enclosed_by_their_ends() -> None:
    enclosure = BALL.enclosure(FROM_ZERO)
    assert enclosure.lower == 0
    assert enclosure.upper == 2 * fraction(FROM_ZERO.rad().fmpq())


# -- arithmetics that round --------------------------------------------------------------------


@pytest.mark.parametrize("arithmetic", [DOUBLE, MULTIPRECISION])
def test_the_last_point_of_positive_mass_takes_what_rounding_leaves_over(
    arithmetic: Arithmetic[Any, Any],
) -> None:
    masses = [arithmetic.scalar(Fraction(mass)) for mass in (1, 2, 0)]
    assert arithmetic.locate(masses, arithmetic.scalar(Fraction(4)), UnitInterval(9, 10, 0)) == 1
    assert arithmetic.locate([masses[2]], masses[0], UnitInterval(0, 1, 0)) is None


def form(arithmetic: Arithmetic[Any, Any], rows: list[list[object]]) -> Any:
    """A symmetric matrix of one arithmetic."""
    exact = [[Fraction(str(x)) for x in row] for row in rows]
    if isinstance(arithmetic, DoubleArithmetic):
        return DoubleForm(np.array(exact, dtype=np.float64))
    if isinstance(arithmetic, MultiprecisionArithmetic):
        return arithmetic.context.matrix([[arithmetic.scalar(x) for x in row] for row in exact])
    if isinstance(arithmetic, BallArithmetic):
        return arb_mat([[arithmetic.scalar(x) for x in row] for row in exact])
    denominator = math.lcm(*(x.denominator for row in exact for x in row))
    return RationalForm(
        fmpz_mat([[int(x * denominator) for x in row] for row in exact]), fmpz(denominator)
    )


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize(
    ("rows", "definite"),
    [
        ([["1/2"]], True),
        ([[0]], False),
        ([[-1]], False),
        ([[2, 1], [1, 2]], True),
        ([["1/4", "1/4"], ["1/4", "1/2"]], True),
        ([[1, 2], [2, 1]], False),
        ([[1, 1], [1, 1]], False),
        ([[4, 2, -2], [2, 17, 3], [-2, 3, "9/4"]], True),  # pivots 4, 16, 1/4
        ([[4, 2, -2], [2, 17, 3], [-2, 3, 2]], False),  # 4, 16, 0
        ([[4, 2, -2], [2, 17, 3], [-2, 3, "7/4"]], False),  # 4, 16, -1/4
        ([[1, 0, 2], [0, 1, 0], [2, 0, 3]], False),  # 1, 1, -1
        ([[1, 0, 2], [0, 1, 0], [2, 0, 5]], True),
        ([[1, 0, 0], [0, 1, 2], [0, 2, 3]], False),
        ([[1, 0, 0], [0, 1, 2], [0, 2, 5]], True),
    ],
)
def test_definite_forms(
    arithmetic: Arithmetic[Any, Any], rows: list[list[object]], definite: bool
) -> None:
    verdict = arithmetic.positive_definite(form(arithmetic, rows))
    assert (verdict.holds, verdict.fails) == (definite, not definite)


def test_a_double_inverse_on_a_barrier_is_refused() -> None:
    inverse = DOUBLE.inverse(form(DOUBLE, [[2, 1], [1, 1]]))
    assert inverse.entries.tolist() == [[1, -1], [-1, 2]]
    with pytest.raises(errors.BarrierCrossed):
        DOUBLE.inverse(form(DOUBLE, [[1, 1], [1, 1]]))


def test_forms_of_doubles() -> None:
    first, second = form(DOUBLE, [[2, 1], [1, 4]]), form(DOUBLE, [[1, 8], [8, 2]])
    assert (first + second).entries.tolist() == [[3, 9], [9, 6]]
    assert (first - second).entries.tolist() == [[1, -7], [-7, 2]]
    assert (first * 4.0).entries.tolist() == [[8, 4], [4, 16]]


def test_the_stated_error_of_doubles() -> None:
    assert relative_error(3, 2, 1.5) == 480 * 2.0**-53  # 64 (2 + 3) 3/2 units
    assert relative_error(0, 1, 1.0) == 2.0**-47


def test_digits_of_multiprecision() -> None:
    assert [MultiprecisionArithmetic(digits).precision for digits in (1, 30, 100_000)] == [
        5,  # 3.3 bits
        101,  # 99.7
        332_194,  # 332192.8
    ]
    for digits in (0, -5, 100_001):
        with pytest.raises(errors.PrecisionOutOfRange):
            MultiprecisionArithmetic(digits)


def test_multiprecision_arithmetics_are_their_digits() -> None:
    """The context that each of them holds is no part of it."""
    assert MultiprecisionArithmetic(30) == MultiprecisionArithmetic(30)
    assert MultiprecisionArithmetic(30) != MultiprecisionArithmetic(31)
    assert "context" not in repr(MultiprecisionArithmetic(30))
    assert MultiprecisionArithmetic(30).context.prec == 101


@pytest.mark.parametrize("value", ["5/8", "-5/8", "0", "-48", "3"])
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_short_numbers_are_exact_everywhere(arithmetic: Arithmetic[Any, Any], value: str) -> None:
    enclosure = arithmetic.enclosure(arithmetic.scalar(Fraction(value)))
    assert (enclosure.lower, enclosure.upper) == (Fraction(value), Fraction(value))


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_roots(arithmetic: Arithmetic[Any, Any]) -> None:
    with arithmetic.working():
        assert arithmetic.enclosure(arithmetic.root(Fraction(9, 4))).midpoint == Fraction(3, 2)


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_frames_by_hand(arithmetic: Arithmetic[Any, Any]) -> None:
    """Values that no coordinates change, for the points (1, 1), 2(1, 0), (0, 0) and (0, 1)."""
    data = dataset([[1, 1], [1, 0], [0, 0], [0, 1]], squared_scales=[1, 4, 1, 1])
    gram = [[Fraction(5), Fraction(1)], [Fraction(1), Fraction(2)]]
    hair = Fraction(1, 10**13)
    with arithmetic.working():
        frame = arithmetic.frame(data)
        assert (frame.size, frame.dimension) == (4, 2)
        # E = G^-1: the leverages, which add up to d.
        total, masses = frame.evaluate(arithmetic.inverse(frame.gram))
        assert len(masses) == 4
        found = [arithmetic.enclosure(x).midpoint for x in (total, *(masses[i] for i in range(4)))]
        expected = [Fraction(ninths, 9) for ninths in (18, 5, 8, 0, 5)]
        assert all(abs(a - b) < hair for a, b in zip(found, expected, strict=True))
        # G itself is the sum of the outer products, and nothing at first.
        rest = frame.zero()
        for index in range(4):
            rest = rest + frame.outer_product(index)
        difference, _ = frame.evaluate(rest - frame.gram)
        assert abs(arithmetic.enclosure(difference).midpoint) < hair
        # G beta = X^T Y for Y = (3, 0, 0, 0).
        three = arithmetic.scalar(Fraction(3))
        right = [three * frame.coordinate(0, k) for k in range(2)]
        solution = frame.lift(frame.solve(frame.gram, right))
        first, second = (arithmetic.enclosure(b).midpoint for b in solution)
        product = [row[0] * first + row[1] * second for row in gram]
        assert all(abs(value - 3) < hair for value in product)


def test_the_last_point_with_a_chance_takes_what_rounding_leaves_over() -> None:
    last = UnitInterval(3, 4, 0)
    assert DoubleArithmetic().locate((0.25, 0.25, 0.0), 1.0, last) == 1
    assert DoubleArithmetic().locate((0.25, 0.75, 0.0), 1.0, last) == 1
    assert DoubleArithmetic().locate((0.0, 0.0), 1.0, last) is None
