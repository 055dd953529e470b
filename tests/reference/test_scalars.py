"""Numbers are read exactly, or refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura.errors import NotAScalar
from asura.scalars import Enclosure, point, read_scalar, show_scalar, square_root, write_scalar
from asura.trace import hexadecimal, json_scalar, trace_scalar


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        ("-3/7", Fraction(-3, 7)),
        ("+5", Fraction(5)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E2", Fraction(250)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("-.25", Fraction(-1, 4)),
        ("7e0", Fraction(7)),
        ("12.5e1", Fraction(125)),
        ("1e+0000000002", Fraction(100)),
        (" 3 ", Fraction(3)),
        ("+6/4", Fraction(3, 2)),
        ("7/1", Fraction(7)),
        ("0x1.8p-3", Fraction(3, 16)),
        ("-0xAp0", Fraction(-10)),
        ("0x10", Fraction(16)),
        ("0x.8", Fraction(1, 2)),
        ("0X2.P+1", Fraction(4)),
        ("+0xf.f8p-4", Fraction(0xFF8, 4096)),
        (0.1, Fraction(0.1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(7), Fraction(7)),
        (Fraction(2, 9), Fraction(2, 9)),
    ],
)
def test_reads_exactly(text: object, value: Fraction) -> None:
    assert read_scalar(text) == value


@pytest.mark.parametrize(
    "bad",
    ["", ".", "e5", "nan", "inf", "-Infinity", "1/0", "1/-2", "0x", "0xg", "1_000", "\u0661", "1 2",
     "1e999999999", "0x1p99999999", float("nan"), float("inf"), True, None, [], 1j, b"1"],
)  # fmt: skip
def test_refuses(bad: object) -> None:
    with pytest.raises(NotAScalar):
        read_scalar(bad)


def test_refuses_a_number_too_long() -> None:
    assert read_scalar("0" * 99_999 + "7") == 7
    with pytest.raises(NotAScalar, match="a number of 100001 characters"):
        read_scalar("0" * 100_000 + "7")


@pytest.mark.parametrize("kind", ["1e{}", "0x1p{}"])
def test_refuses_an_exponent_too_large(kind: str) -> None:
    base = 10 if "e" in kind else 2
    for exponent in (20_000, -20_000):
        assert read_scalar(kind.format(exponent)) == Fraction(base) ** exponent
    for text in ("20001", "-20001", "9" * 5000):
        with pytest.raises(NotAScalar, match="too large"):
            read_scalar(kind.format(text))


def test_what_is_refused_is_shown_cut_to_sixty_characters() -> None:
    with pytest.raises(NotAScalar) as caught:
        read_scalar("x" * 58)
    assert str(caught.value).startswith("'" + "x" * 58 + "' is not a number")
    with pytest.raises(NotAScalar) as caught:
        read_scalar("x" * 59)
    assert str(caught.value).startswith("'" + "x" * 56 + "... is not a number")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(999_999), "999999"),
        (Fraction(-999_999, 9_998), "-999999/9998"),
        (Fraction(10**6), "1e+06"),
        (Fraction(-(10**7)), "-1e+07"),
        (Fraction(1, 9_999), "1/9999"),
        (Fraction(1, 10_000), "0.0001"),
        (Fraction(1, 30_000), "3.33333e-05"),
        (Fraction(10**7, 3), "3.33333e+06"),
        (Fraction(1e-300), "1.00000e-300"),
        (Fraction(1e-300) * 3 / 2, "1.5e-300"),
        (Fraction(-1e-300) * 3 / 2, "-1.5e-300"),
        (Fraction(1e300), "1.00000e+300"),
        (Fraction(1e300) * 3 / 2, "1.50000e+300"),
        (Fraction(1e299), "1e+299"),
        (-(Fraction(10) ** 400), "-1.00000e+400"),
    ],
)
def test_numbers_for_people(value: Fraction, text: str) -> None:
    assert show_scalar(value) == text


def test_digits_for_people() -> None:
    assert show_scalar(Fraction(10**9, 7), digits=3) == "1.43e+08"
    assert show_scalar(Fraction(10) ** 400 / 7, digits=3) == "1.43e+399"


def test_enclosures() -> None:
    wide = Enclosure(Fraction(-1), Fraction(2))
    assert (wide.exact, wide.midpoint, wide.radius) == (False, Fraction(1, 2), Fraction(3, 2))
    assert float(wide) == 0.5
    inside = (Fraction(-1), Fraction(0), Fraction(2))
    outside = (Fraction(-101, 100), Fraction(201, 100))
    assert [x in wide for x in (*inside, *outside)] == [True] * 3 + [False] * 2
    third = point(Fraction(1, 3))
    assert (third.exact, third.midpoint, third.radius) == (True, Fraction(1, 3), Fraction(0))
    assert Fraction(1, 3) in third


def test_reads_and_writes_beyond_the_digit_limit_of_python() -> None:
    value = Fraction(3**20_000, 7**15_000)
    assert read_scalar(write_scalar(value)) == value
    assert show_scalar(value) == "9.00522e-3135"


@given(st.fractions())
def test_written_scalars_are_read_back(value: Fraction) -> None:
    assert read_scalar(write_scalar(value)) == value
    assert trace_scalar(json_scalar(value)) == value


@given(st.integers(), st.integers(0, 300))
def test_hexadecimal_is_exact(mantissa: int, power: int) -> None:
    value = Fraction(mantissa, 2**power)
    assert read_scalar(hexadecimal(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_are_read_as_they_are(value: float) -> None:
    assert read_scalar(value) == Fraction(value)
    assert read_scalar(value.hex()) == Fraction(value)


@given(st.fractions(min_value=0))
def test_square_roots(value: Fraction) -> None:
    assert square_root(value * value) == value
    assert square_root(2 * value * value) in {None, Fraction(0)}
