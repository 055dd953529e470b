"""Where picks come from: bits of a seed, recorded numbers, fixed indices."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest

from asura import errors
from asura.randomness import FixedPick, Picks, RecordedUniform, Seed, UnitInterval, uniforms


def bit_string(seed: int, iteration: int, blocks: int) -> str:
    """The stream as the contract writes it, as text."""
    hexadecimal = "".join(
        hashlib.sha256(f"asura-uniform/1:{seed}:{iteration}:{block}".encode()).hexdigest()
        for block in range(blocks)
    )
    return "".join(f"{int(digit, 16):04b}" for digit in hexadecimal)


@pytest.mark.parametrize("bits", [1, 3, 53, 255, 256, 257, 300, 512, 513, 768])
def test_the_bits_of_a_seed(bits: int) -> None:
    stream = bit_string(7, 3, 4)
    expected = UnitInterval(int(stream[:bits], 2), 2**bits, 1)
    assert Seed(7).draw(3).interval(bits) == expected
    assert expected.high - expected.low == Fraction(1, 2**bits)


def test_only_a_seed_has_more_bits() -> None:
    assert Seed(0).draw(0).refinable
    assert not uniforms(["1/3"]).draw(0).refinable


def test_recorded_numbers_are_points() -> None:
    interval = uniforms([0, "1/3"]).draw(1).interval(53)
    assert interval == UnitInterval(1, 3, 0)
    assert (interval.low, interval.high) == (Fraction(1, 3), Fraction(1, 3))


def test_ends_of_an_interval() -> None:
    interval = UnitInterval(3, 8, 2)
    assert (interval.low, interval.high) == (Fraction(3, 8), Fraction(5, 8))


def test_a_recording_ends() -> None:
    recorded, picks = uniforms([0, "1/2"]), Picks([4, 2])
    assert recorded.draw(1) == RecordedUniform(Fraction(1, 2))
    assert picks.draw(1) == FixedPick(2)
    for chooser in (recorded, picks):
        for iteration in (2, 3):
            with pytest.raises(errors.RandomnessExhausted, match="2 were given"):
                chooser.draw(iteration)


@pytest.mark.parametrize("value", ["-1e-9", 1, "3/2", "1.000001"])
def test_uniforms_lie_in_the_half_open_unit_interval(value: object) -> None:
    with pytest.raises(errors.UniformOutOfRange, match="uniform 1 is"):
        uniforms([0, value])


def test_the_ends_of_the_unit_interval() -> None:
    largest = 1 - Fraction(1, 2**60)
    assert uniforms([0, largest]).values == (Fraction(0), largest)
