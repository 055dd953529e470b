"""When the loop of Algorithm 2 ends.

Both rules compare a clock with a bound. In units of 4d/gamma the clock of the paper's rule is
1 + r_j + s_j and stops at 2; that of the `sure` rule is 1 + r_j and stops at 1 + T.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from asura.errors import LevelOutOfRange
from asura.scalars import read_scalar, write_scalar


@dataclass(frozen=True, slots=True)
class PaperRule:
    """Line 3: go on while (u_j - l_j) + sum_{i<j} Phi_i < 8d/gamma."""

    name: Literal["paper"] = "paper"
    counts_potentials: bool = True
    level: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class SureRule:
    """Go on while u_j - l_j < (4d/gamma)(1 + T); T = 1 is randomized BSS (slug sure-stop)."""

    level: Fraction = Fraction(1)
    name: Literal["sure"] = "sure"
    counts_potentials: bool = False

    def __post_init__(self) -> None:
        if self.level <= 0:
            raise LevelOutOfRange(
                f"level T = {write_scalar(self.level)}: expected T > 0", value=self.level
            )


StoppingRule = PaperRule | SureRule

PAPER = PaperRule()


def sure(level: object = 1) -> SureRule:
    """The `sure` rule with stop level T."""
    return SureRule(read_scalar(level))
