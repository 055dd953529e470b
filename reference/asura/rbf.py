"""The kernel of Gauss between points, as exact numbers: K(x, z) = exp(-|x - z|^2/(2 length^2)).

Rounded to doubles such a kernel often has a negative direction; so it is rounded much further
out, and what is handed on is exact.

>>> rows = rbf_kernel([[0], [0], [1]], 1)
>>> rows[0][:2], float(rows[0][2])
((Fraction(1, 1), Fraction(1, 1)), 0.6065306597126334)
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from asura.dataset import Rows, dataset
from asura.errors import LengthOutOfRange
from asura.scalars import fraction, rational, read_scalar, write_scalar

#: Bits after the point: eigenvalues of K that are larger by much stay positive.
BITS = 256


def rbf_kernel(points: Rows, length: object) -> tuple[tuple[Fraction, ...], ...]:
    """K, each entry the nearest multiple of 2^-256; two equal points have equal rows."""
    rows = dataset(points).points
    scale = read_scalar(length)
    if scale <= 0:
        raise LengthOutOfRange(
            f"length = {write_scalar(scale)}: expected a positive number", value=scale
        )
    factor = -1 / (2 * scale * scale)
    known: dict[Fraction, Fraction] = {Fraction(0): Fraction(1)}
    kernel = [[Fraction(1)] * len(rows) for _ in rows]
    for i, left in enumerate(rows):
        for k, right in enumerate(rows[:i]):
            exponent = factor * sum(
                ((a - b) * (a - b) for a, b in zip(left, right, strict=True)), Fraction(0)
            )
            if exponent not in known:
                known[exponent] = _exponential(exponent)
            kernel[i][k] = kernel[k][i] = known[exponent]
    return tuple(tuple(row) for row in kernel)


def _exponential(value: Fraction) -> Fraction:
    """exp, rounded."""
    with ctx.workprec(2 * BITS):
        scaled = (arb(rational(value)).exp() * arb(2) ** BITS).mid()
        return Fraction(int(fraction((scaled + arb("0.5")).floor().mid().fmpq())), 2**BITS)
