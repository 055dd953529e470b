"""A lower bound on a probability, from independent trials (Clopper and Pearson), certified.

After k successes in n trials, p_low is a bound that exceeds the true probability with
probability at most alpha: P(Bin(n, p_low) >= k) <= alpha. The tail is a sum of positive terms,
enclosed in a ball, and the bisection moves up only where the inequality is certain; so p_low is
proved, and at most 2^-bits below the best.

>>> low = least_probability(400, 400, Fraction(1, 10**6))
>>> low**400 <= Fraction(1, 10**6) < (low + Fraction(1, 2**30))**400
True
>>> least_probability(0, 400, Fraction(1, 10**6))
Fraction(0, 1)
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb, ctx, fmpq, fmpz

from asura.errors import ProbabilityOutOfRange, TrialsOutOfRange
from asura.scalars import rational, write_scalar

_BITS = 128


def upper_tail(successes: int, trials: int, chance: Fraction) -> arb:
    """P(Bin(n, p) >= k) for 0 < p < 1, as a ball of the precision in force.

    >>> upper_tail(1, 2, Fraction(1, 2)).mid().fmpq()
    3/4
    """
    odds = arb(rational(chance / (1 - chance)))
    term = (
        arb(fmpz.bin_uiui(trials, successes))
        * arb(rational(chance)) ** successes
        * arb(rational(1 - chance)) ** (trials - successes)
    )
    total = term
    for i in range(successes, trials):
        term = term * odds * fmpq(trials - i, i + 1)
        total += term
    return total


@cache
def least_probability(successes: int, trials: int, alpha: Fraction, *, bits: int = 30) -> Fraction:
    """The largest multiple of 2^-bits that is certified as a lower bound at level alpha."""
    if not 0 <= successes <= trials or trials < 1:
        raise TrialsOutOfRange(
            f"{successes} successes in {trials} trials: expected 0 <= successes <= trials, "
            "and at least one trial",
            value=trials,
        )
    if not 0 < alpha < 1:
        raise ProbabilityOutOfRange(
            f"alpha = {write_scalar(alpha)}: expected 0 < alpha < 1", value=alpha
        )
    if successes == 0:
        return Fraction(0)
    low, high = 0, 1 << bits
    with ctx.workprec(_BITS):
        bound = arb(rational(alpha))
        while high - low > 1:
            middle = (low + high) // 2
            if upper_tail(successes, trials, Fraction(middle, 1 << bits)) <= bound:
                low = middle
            else:
                high = middle
    return Fraction(low, 1 << bits)
