"""The unlucky path: d coordinate axes, and the first one drawn every time.

Then A_j is diagonal with one entry a_j that is not zero, so that the state is three numbers for
every d, and paths of millions of steps are certified in balls. It has positive probability,
and it is what breaks statements that are meant to hold surely.

>>> path = axis_path(2, Fraction(3, 10))
>>> path.length
12
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from asura.algorithm2_asura import read_gamma
from asura.arithmetic import BallArithmetic
from asura.errors import PrecisionCeilingReached
from asura.scalars import Enclosure, rational
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: Long paths lose more than a hundred bits.
FIRST_BITS = 256


@dataclass(frozen=True, slots=True)
class AxisPath:
    """Where the path ends: m, u_m, l_m, the eigenvalue a_m, and the potentials' sum.

    `largest_ratio` is the largest eigenvalue of A^T A = A_m/mid, and `smallest_step` the smallest
    increment of u on the way.
    """

    dimension: int
    gamma: Fraction
    length: int
    upper: Enclosure
    lower: Enclosure
    eigenvalue: Enclosure
    largest_ratio: Enclosure
    smallest_step: Enclosure


def _walk(dimension: int, gamma: Fraction, bits: int) -> AxisPath | None:
    with ctx.workprec(bits):
        g = arb(rational(gamma))
        upper = arb(rational(Fraction(2 * dimension) / gamma))
        lower, bound = -upper, 4 * upper
        up, down = g / (1 - 2 * g), g / (1 + 2 * g)
        total, rest = arb(0), arb(dimension - 1)
        slack = upper  # u_j - a_j, the number that balls lose if u_j and a_j are kept apart
        j = 0
        smallest: arb | None = None
        while True:
            clock = upper - lower + total
            if clock >= bound:
                break
            if not clock < bound:
                return None
            mass = 1 / slack + 1 / (upper - lower - slack)
            others = rest * (1 / upper - 1 / lower)
            potential = mass + others
            step = up / potential
            if smallest is None or step < smallest:
                smallest = step
            slack += up * (2 * g * mass - (1 - 2 * g) * others) / (potential * mass)
            upper += step
            lower += down / potential
            total += potential
            j += 1
        enclosure = BallArithmetic(bits).enclosure
        middle = (upper + lower) / 2
        eigenvalue = upper - slack
        return AxisPath(
            dimension,
            gamma,
            j,
            enclosure(upper),
            enclosure(lower),
            enclosure(eigenvalue),
            enclosure(eigenvalue / middle) if j else Enclosure(Fraction(0), Fraction(0)),
            enclosure(arb(0) if smallest is None else smallest),
        )


def axis_path(dimension: int, gamma: object) -> AxisPath:
    """The path, up to its stop by the paper's rule."""
    exact = read_gamma(gamma)
    bits = FIRST_BITS
    while bits <= 8 * FIRST_BITS:
        found = _walk(dimension, exact, bits)
        if found is not None:
            return found
        bits *= 2
    raise PrecisionCeilingReached(
        f"a stop is open at {bits // 2} bits: expected another gamma", value=exact
    )


def breaks_spectral(path: AxisPath) -> Verdict:
    """Whether Gamma holds and the largest eigenvalue of A^T A exceeds 1 + 1728 gamma."""
    happens = path.upper.lower >= path.dimension / (64 * path.gamma**2)
    limit = 1 + 1728 * path.gamma
    if happens and path.largest_ratio.lower > limit:
        return HOLDS
    if path.largest_ratio.upper <= limit:
        return FAILS
    return undecided(2 * path.largest_ratio.radius)
