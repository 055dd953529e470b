r"""What a header asks for, as numbers: barriers cI + (upper sigma) D and -cI + (lower sigma) D.

Algorithm 2, at any rates, is the case D = I: its u and l are c + upper sigma and -c + lower sigma.
K1 and K2 report the factors of D alone, so that there `offset` is 0 in place of c.

**Roundings of the constants.** As in `oracle.views.relations`, k counts factors 1 + delta of
one rounding; a constant f of the parameter g is off by twice |g f'/f| more where g is rounded, and
an operand that an operation amplifies by a counts a roundings.

    K1  upper = 1/(1 - 2g), lower = 1/(1 + 2g)     a difference, a quotient              2
        k = 1 - 4g^2                               the square, amplified by 4g^2/k; 1    1 + 4g^2/k
        goal = k R T/g^2                           k; three products, a quotient, T      5 more
        rate of the potentials k/(4g)              k; a quotient                         1 more
        c = 2R/g                                   a quotient                            1
    K2  step = nu/(1 - nu^2)                       the square, amplified by nu^2/(1 - nu^2); 2
        lower = 1 - nu                                                                   1
        c = R/(N step)                             step; two products, N                 3 more
    tight  upper = 1/(1 - g), lower = 1/(1 + xi)   2, and 6 more for the terms of xi

R is made of the data: what it may be off is no rounding of this list (`oracle.kept.granted`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from asura.dataset import Dataset
from asura.kept.trace import variant_of
from asura.rates import rates_named
from asura.trace import HeaderLine, interpret_header, trace_scalar
from asura_verify.oracle.views.relations import fits


@dataclass(frozen=True, slots=True)
class Roundings:
    """How many roundings the constants of a scheme carry, of themselves."""

    step: Fraction
    upper: Fraction
    lower: Fraction
    goal: Fraction
    potentials: Fraction
    distance: Fraction


@dataclass(frozen=True, slots=True)
class Scheme:
    """One variant on one dataset: what moves, by how much, and when a run ends."""

    slug: Literal["two-sided", "one-sided", "tight-rates", "invariant"]
    words: str
    pool: int  # the points that are drawn from
    rank: Fraction  # Tr D: R, or d where D is the identity
    step: Fraction
    distance: Fraction  # c
    upper: Fraction | None
    lower: Fraction
    offset: Fraction
    goal: Fraction
    potential_rate: Fraction
    ending: Literal["overshoot", "clip", "coin"]
    roundings: Roundings

    @property
    def kept(self) -> bool:
        """Whether X_2 is kept, and never drawn."""
        return self.slug in {"two-sided", "one-sided"}

    @property
    def middle(self) -> Fraction:
        """By which factor of sigma the weights are divided: 1, and (upper + lower)/2 in mid."""
        if self.kept or self.upper is None:
            return Fraction(1)
        return (self.upper + self.lower) / 2


def _steep(value: Fraction, inexact: bool) -> Fraction:
    """What rounding the parameter costs, for the size of a logarithmic derivative."""
    return 2 * value if inexact else Fraction(0)


def _barriers(
    header: HeaderLine, gamma: Fraction, *, inexact: bool
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The rates of Algorithm 2 over gamma, and their roundings."""
    rates = rates_named(header.rates)
    above, below = rates.above(gamma), rates.below(gamma)
    terms = Fraction(0) if header.rates == "paper" else Fraction(6)
    slope = 2 if header.rates == "paper" else 1
    return (
        1 / (1 - above),
        1 / (1 + below),
        2 + _steep(slope * gamma / (1 - above), inexact),
        2 + terms + _steep(Fraction(2), inexact),
    )


def _algorithm2(header: HeaderLine, data: Dataset, gamma: Fraction) -> Scheme:
    _, _, stopping, _ = interpret_header(header)
    inexact = not fits(gamma, header.precision)
    upper, lower, above, below = _barriers(header, gamma, inexact=inexact)
    distance = Fraction(2 * data.dimension) / gamma
    tight = header.rates == "tight"
    width = upper - lower
    return Scheme(
        slug="tight-rates" if tight else "invariant",
        words="Algorithm 2 at tight rates" if tight else "Algorithm 2",
        pool=data.size,
        rank=Fraction(data.dimension),
        step=gamma,
        distance=distance,
        upper=upper,
        lower=lower,
        offset=distance,
        goal=2 * distance * stopping.level / width,
        potential_rate=1 / width if stopping.counts_potentials else Fraction(0),
        ending="overshoot",
        roundings=Roundings(
            step=_steep(Fraction(1), inexact) / 2,
            upper=above,
            lower=below,
            goal=6 + _steep(Fraction(1), inexact),
            potentials=Fraction(4),
            distance=2 + _steep(Fraction(1), inexact),
        ),
    )


def scheme_of(header: HeaderLine) -> Scheme:
    """The scheme that a header names.

    >>> from asura.trace import HeaderLine
    >>> two = HeaderLine("asura-trace/1", 0.25, [[1], [1]], 1, variant="two-sided")
    >>> found = scheme_of(two)
    >>> found.pool, found.rank, found.distance, found.offset, found.middle
    (1, Fraction(1, 2), Fraction(4, 1), Fraction(0, 1), Fraction(1, 1))
    """
    data, parameter, _, _ = interpret_header(header)
    if header.variant == "asura":
        return _algorithm2(header, data, parameter)
    variant = variant_of(header)
    g, inexact = parameter, not fits(parameter, header.precision)
    once = _steep(Fraction(1), inexact) / 2
    if variant.upper is None:
        left = 1 - g * g
        draws = trace_scalar(1 if header.draws is None else header.draws)
        number = 0 if fits(draws, header.precision) else 1
        step = 2 + g * g / left + _steep((1 + g * g) / left, inexact)
        roundings = Roundings(
            step=step,
            upper=Fraction(0),
            lower=1 + _steep(g / (1 - g), inexact),
            goal=Fraction(0),
            potentials=Fraction(0),
            distance=step + 3 + number,
        )
    else:
        k = 1 - 4 * g * g
        one, steep = 1 + 4 * g * g / k, 8 * g * g / k
        roundings = Roundings(
            step=once,
            upper=2 + _steep(2 * g / (1 - 2 * g), inexact),
            lower=2 + _steep(2 * g / (1 + 2 * g), inexact),
            goal=one + 6 + _steep(2 + steep, inexact),
            potentials=one + 1 + _steep(1 + steep, inexact),
            distance=1 + 2 * once,
        )
    return Scheme(
        slug=variant.name,
        words=f"the {variant.name} variant, X_2 kept, ending by {variant.ending}",
        pool=data.unlabelled,
        rank=variant.reduced_rank,
        step=variant.step,
        distance=variant.distance,
        upper=variant.upper,
        lower=variant.lower,
        offset=Fraction(0),
        goal=variant.goal,
        potential_rate=variant.potential_rate,
        ending=variant.ending,
        roundings=roundings,
    )
