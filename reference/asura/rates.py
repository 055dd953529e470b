"""How fast the barriers of Algorithm 2 move: the paper's rates, or the tight ones.

After iteration j the upper barrier has moved by (gamma/(1 - a))/Phi_j and the lower one by
(gamma/(1 + xi))/Phi_j. The paper takes a = xi = 2 gamma. The potential decreases in expectation
for a = gamma and every xi with xi^2 + xi (1 - 2 gamma) >= gamma already, for all gamma < 1; the
`tight` rates take a = gamma and xi = gamma + gamma^2 - gamma^4/(1 + 2 gamma^2), which is one step
of Newton's method from gamma + gamma^2 towards the root, from above.

>>> PAPER_RATES.upper(Fraction(1, 4)), TIGHT_RATES.upper(Fraction(1, 4))
(Fraction(1, 2), Fraction(1, 3))
>>> xi = TIGHT_RATES.below(Fraction(1, 4))
>>> xi, xi**2 + xi / 2 >= Fraction(1, 4)
(Fraction(89, 288), True)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeVar

from asura.errors import GammaOutOfRange, UnknownName
from asura.scalars import read_scalar, write_scalar

Number = TypeVar("Number", Fraction, float)


@dataclass(frozen=True, slots=True)
class Rates:
    """A named choice of a and xi, for 0 < gamma < `limit`."""

    name: Literal["paper", "tight"]
    limit: Fraction

    def above(self, gamma: Number) -> Number:
        """The number a."""
        return 2 * gamma if self.name == "paper" else gamma

    def below(self, gamma: Number) -> Number:
        """The number xi."""
        if self.name == "paper":
            return 2 * gamma
        square = gamma * gamma
        return gamma + square - square * square / (1 + 2 * square)

    def upper(self, gamma: Fraction) -> Fraction:
        """The rate of the upper barrier, gamma/(1 - a)."""
        return gamma / (1 - self.above(gamma))

    def lower(self, gamma: Fraction) -> Fraction:
        """The rate of the lower barrier, gamma/(1 + xi)."""
        return gamma / (1 + self.below(gamma))

    def draws_per_clock(self, gamma: Number) -> Number:
        """n = 4/(gamma w) for w = 1/(1 - a) - 1/(1 + xi): r_j grows by gamma/(d n Phi_j)."""
        a, xi = self.above(gamma), self.below(gamma)
        return 4 * (1 - a) * (1 + xi) / (gamma * (a + xi))

    def read_gamma(self, value: object) -> Fraction:
        """The parameter gamma, within the range of these rates."""
        gamma = read_scalar(value)
        if not 0 < gamma < self.limit:
            raise GammaOutOfRange(
                f"gamma = {write_scalar(gamma)}: expected 0 < gamma < {write_scalar(self.limit)}",
                value=gamma,
            )
        return gamma


PAPER_RATES = Rates("paper", Fraction(1, 2))
TIGHT_RATES = Rates("tight", Fraction(1))

RATES = {rates.name: rates for rates in (PAPER_RATES, TIGHT_RATES)}


def rates_named(name: str) -> Rates:
    """The rates with this name."""
    for rates in RATES.values():
        if rates.name == name:
            return rates
    raise UnknownName(f"rates {name!r}: expected one of {', '.join(RATES)}", value=name)
