"""K1 and K2 as data: the rates at which the barriers move, and when a run ends.

Both move barriers along D = sum over X_1 of U U^T, whose trace is R, and sample X_1 alone. The
progress sigma grows by step/Phi_j in iteration j, and the sample A_j, whose expected growth is
step/Phi_j D, follows it between

    upper:  c I + upper sigma D,      lower:  -c I + lower sigma D.

- *two-sided* (K1, the paper's method with D for I): step = gamma, c = 2R/gamma,
  upper = 1/(1 - 2 gamma), lower = 1/(1 + 2 gamma); with X_2 empty, D = I, R = d and this is
  Algorithm 2. The clock is r = gamma^2 sigma/(kR), k = 1 - 4 gamma^2.
- *one-sided* (K2): no upper barrier; step = nu/(1 - nu^2), lower = 1 - nu, c = R/(N step), and the
  run ends at sigma = 1 after N draws in expectation.

A run stops at the goal (`overshoot`: after the step that reaches it). `clip` scales the last step
so that sigma is the goal exactly; `coin` makes the last step in full, but only with the
probability by which `clip` would scale it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from asura.algorithm2_asura import read_gamma
from asura.dataset import Dataset, KernelData
from asura.dimensions import enclosed_reduced_rank, reduced_rank
from asura.errors import (
    ConflictingOptions,
    DrawsOutOfRange,
    NuOutOfRange,
    UnknownName,
)
from asura.formulas import curvature
from asura.scalars import read_scalar, write_scalar
from asura.stopping import PAPER, StoppingRule

Ending = Literal["overshoot", "clip", "coin"]

#: Up to so many points of a kernel R is computed exactly; its digits grow with their square.
EXACT_RANK = 64

ENDINGS: tuple[Ending, ...] = ("overshoot", "clip", "coin")


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the kept variants, for one dataset.

    `goal` is where sigma + `potential_rate` * sum of the potentials stops; the rate is 0 except
    under the paper's rule. `reduced_rank` is R, for a kernel of many points a number within 2^-50
    of it: then N is what it says up to as little.
    """

    name: Literal["two-sided", "one-sided"]
    reduced_rank: Fraction
    step: Fraction
    distance: Fraction
    upper: Fraction | None
    lower: Fraction
    goal: Fraction
    potential_rate: Fraction
    ending: Ending
    exact_rank: bool = True

    @property
    def first_advance(self) -> Fraction:
        """By how much sigma grows in the first step: A = 0, so Phi = R/c for every barrier."""
        barriers = 1 if self.upper is None else 2
        return self.step * self.distance / (barriers * self.reduced_rank)


def read_ending(ending: str) -> Ending:
    """One of `overshoot`, `clip` and `coin`."""
    for known in ENDINGS:
        if ending == known:
            return known
    raise UnknownName(f"ending {ending!r}: expected one of {', '.join(ENDINGS)}", value=ending)


def _rank(data: Dataset) -> tuple[Fraction, bool]:
    """R, and whether it is exact; that of many points of a kernel has too many digits."""
    if not isinstance(data, KernelData) or data.width <= EXACT_RANK:
        return reduced_rank(data), True
    enclosed = enclosed_reduced_rank(data)
    if enclosed.radius * 2**52 > 1:
        return reduced_rank(data), True
    return Fraction(round(enclosed.midpoint * 2**52), 2**52), False


def two_sided(
    data: Dataset, gamma: object, *, stopping: StoppingRule = PAPER, ending: str = "overshoot"
) -> Variant:
    """K1: the paper's rule r + (gamma/4R) sum Phi >= 1, or the sure rule r >= T.

    >>> from asura.dataset import dataset
    >>> from asura.stopping import sure
    >>> half = dataset([[1], [1]], unlabelled=1)
    >>> variant = two_sided(half, "1/4", stopping=sure(), ending="clip")
    >>> variant.distance, variant.goal                      # R = 1/2, k = 3/4
    (Fraction(4, 1), Fraction(6, 1))
    """
    g = read_gamma(gamma)
    end = read_ending(ending)
    rank, exact = _rank(data)
    k = curvature(g)
    if stopping.counts_potentials and end != "overshoot":
        raise ConflictingOptions(
            f"ending {end!r} with the paper's stopping rule: expected overshoot, or the sure rule",
            value=end,
        )
    # In units of sigma: r = g^2 sigma/(kR), and (g/4R) Phi = g^2/(kR) times (k/4g) Phi.
    return Variant(
        name="two-sided",
        reduced_rank=rank,
        step=g,
        distance=2 * rank / g,
        upper=1 / (1 - 2 * g),
        lower=1 / (1 + 2 * g),
        goal=k * rank / g**2 * stopping.level,
        potential_rate=k / (4 * g) if stopping.counts_potentials else Fraction(0),
        ending=end,
        exact_rank=exact,
    )


def read_nu(value: object) -> Fraction:
    """The parameter nu of the one-sided variant, in (0, 1)."""
    nu = read_scalar(value)
    if not 0 < nu < 1:
        raise NuOutOfRange(f"nu = {write_scalar(nu)}: expected 0 < nu < 1", value=nu)
    return nu


def one_sided(data: Dataset, draws: object, nu: object, *, ending: str = "coin") -> Variant:
    """K2 with N draws in expectation (N + 1 at most with `clip`).

    >>> from asura.dataset import dataset
    >>> variant = one_sided(dataset([[1], [1]], unlabelled=1), 3, "1/2")
    >>> variant.step, variant.distance
    (Fraction(2, 3), Fraction(1, 4))
    """
    number, v = read_scalar(draws), read_nu(nu)
    end = read_ending(ending)
    if number <= 0:
        raise DrawsOutOfRange(f"draws = {write_scalar(number)}: expected N > 0", value=number)
    if end == "overshoot":
        raise ConflictingOptions(
            "the one-sided variant ends by clip or coin, not by overshoot", value=end
        )
    rank, exact = _rank(data)
    step = v / (1 - v**2)
    return Variant(
        name="one-sided",
        reduced_rank=rank,
        step=step,
        distance=rank / (number * step),
        upper=None,
        lower=1 - v,
        goal=Fraction(1),
        potential_rate=Fraction(0),
        ending=end,
        exact_rank=exact,
    )
