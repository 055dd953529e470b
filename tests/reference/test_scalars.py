"""Numbers are read exactly, or refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura.errors import NotAScalar
from asura.scalars import read_scalar, show_scalar, square_root, write_scalar
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
        ("0x1.8p-3", Fraction(3, 16)),
        ("-0xAp0", Fraction(-10)),
        ("0x10", Fraction(16)),
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
    with pytest.raises(NotAScalar, match="characters"):
        read_scalar("1" * 2_000_000)


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
