"""Randomness as an input: a seed, recorded uniforms, or fixed picks.

Iteration j picks the smallest i with r_j < p_0 + ... + p_i. A seed gives r_j as an endless
stream of bits; as many are drawn as the pick needs, so that it is decided exactly and does not
depend on the arithmetic. The bits of draw j are those of
SHA-256("asura-uniform/1:SEED:J:BLOCK") for BLOCK = 0, 1, ..., most significant first: no state,
and easy to reproduce in any language.

>>> coarse, fine = Seed(7).draw(0).interval(3), Seed(7).draw(0).interval(53)
>>> coarse.high - coarse.low
Fraction(1, 8)
>>> coarse.low <= fine.low < fine.high <= coarse.high
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from asura.errors import RandomnessExhausted, UniformOutOfRange
from asura.scalars import read_scalar, write_scalar

#: A pick starts with as many bits as a double holds, so that a recorded uniform is a double.
FIRST_BITS = 53
_BLOCK_BITS = 256


class UnitInterval(NamedTuple):
    """[numerator/denominator, (numerator + width)/denominator); one number when width is 0."""

    numerator: int
    denominator: int
    width: int

    @property
    def low(self) -> Fraction:
        """The lower end, which belongs to the interval."""
        return Fraction(self.numerator, self.denominator)

    @property
    def high(self) -> Fraction:
        """The upper end, which does not belong to it unless it is the lower end."""
        return Fraction(self.numerator + self.width, self.denominator)


class Uniform(Protocol):
    """A number r in [0, 1), known to as many bits as asked for."""

    @property
    def refinable(self) -> bool:
        """Whether more bits make the interval smaller."""
        ...

    def interval(self, bits: int) -> UnitInterval:
        """Where r lies, by its first `bits` bits; r itself when it is known exactly."""
        ...


@dataclass(frozen=True, slots=True)
class SeededUniform:
    """An endless stream of bits."""

    seed: int
    iteration: int
    refinable: bool = True

    def interval(self, bits: int) -> UnitInterval:
        """The dyadic interval of the first `bits` bits."""
        value = 0
        blocks = -(-bits // _BLOCK_BITS)
        for block in range(blocks):
            text = f"asura-uniform/1:{self.seed}:{self.iteration}:{block}"
            digest = hashlib.sha256(text.encode("ascii")).digest()
            value = value << _BLOCK_BITS | int.from_bytes(digest, "big")
        value >>= blocks * _BLOCK_BITS - bits
        return UnitInterval(value, 1 << bits, 1)


@dataclass(frozen=True, slots=True)
class RecordedUniform:
    """A number that is known exactly."""

    value: Fraction
    refinable: bool = False

    def interval(self, bits: int) -> UnitInterval:
        """The number itself."""
        return UnitInterval(self.value.numerator, self.value.denominator, 0)


@dataclass(frozen=True, slots=True)
class FixedPick:
    """The index of the point, given instead of drawn."""

    index: int


Draw = SeededUniform | RecordedUniform | FixedPick


class Chooser(Protocol):
    """Where the randomness of iteration j comes from."""

    def draw(self, iteration: int) -> Draw:
        """What decides the pick of this iteration."""
        ...


@dataclass(frozen=True, slots=True)
class Seed:
    """Independent uniforms from an integer."""

    seed: int

    def draw(self, iteration: int) -> SeededUniform:
        """The stream of bits of this iteration."""
        return SeededUniform(self.seed, iteration)


@dataclass(frozen=True, slots=True)
class Uniforms:
    """Recorded uniforms r_0, r_1, ...; `RandomnessExhausted` when the loop needs more."""

    values: tuple[Fraction, ...]

    def draw(self, iteration: int) -> RecordedUniform:
        """The recorded number of this iteration."""
        if iteration >= len(self.values):
            raise RandomnessExhausted(
                f"iteration {iteration} needs a uniform, and {len(self.values)} were given",
                value=iteration,
            )
        return RecordedUniform(self.values[iteration])


@dataclass(frozen=True, slots=True)
class Picks:
    """Fixed picks, to replay a run; `RandomnessExhausted` when the loop needs more."""

    indices: Sequence[int]

    def draw(self, iteration: int) -> FixedPick:
        """The recorded pick of this iteration."""
        if iteration >= len(self.indices):
            raise RandomnessExhausted(
                f"iteration {iteration} needs a pick, and {len(self.indices)} were given",
                value=iteration,
            )
        return FixedPick(self.indices[iteration])


def uniforms(values: Iterable[object]) -> Uniforms:
    """Recorded uniforms, each read exactly and checked to lie in [0, 1).

    >>> uniforms(["1/2", 0.25]).values
    (Fraction(1, 2), Fraction(1, 4))
    """
    exact = tuple(read_scalar(value) for value in values)
    for j, value in enumerate(exact):
        if not 0 <= value < 1:
            raise UniformOutOfRange(
                f"uniform {j} is {write_scalar(value)}: expected a number in [0, 1)", value=value
            )
    return Uniforms(exact)
