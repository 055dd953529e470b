"""The kernel of Gauss between points, as exact numbers: K(x, z) = exp(-|x - z|^2/(2 length^2)).

Rounded to doubles such a kernel often has a negative direction; so it is rounded much further
out, and what is handed on is exact.

>>> rows = rbf_kernel([[0], [0], [1]], 1)
>>> rows[0][:2], float(rows[0][2])
((Fraction(1, 1), Fraction(1, 1)), 0.6065306597126334)
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq_mat

from asura.dataset import Rows, dataset
from asura.errors import LengthOutOfRange
from asura.scalars import fraction, rational, read_scalar, write_scalar

#: Bits after the point: eigenvalues of K that are larger by much stay positive.
BITS = 256


def rbf_kernel(points: Rows, length: object) -> tuple[tuple[Fraction, ...], ...]:
    """The kernel of Gauss, `K(x, z) = exp(-|x - z|^2/(2 length^2))`, for `kernel_ridge`.

    Each entry is right within 2^-256; two equal points have equal rows.
    """
    rows = dataset(points).points
    scale = read_scalar(length)
    if scale <= 0:
        raise LengthOutOfRange(
            f"length = {write_scalar(scale)}: expected a positive number", value=scale
        )
    factor = rational(-1 / (2 * scale * scale))
    matrix = fmpq_mat([[rational(x) for x in row] for row in rows])
    products = (matrix * matrix.transpose()).tolist()
    kernel = [[Fraction(1)] * len(rows) for _ in rows]
    with ctx.workprec(BITS + 64):
        scaling, half = arb(2) ** BITS, arb("0.5")
        for i, row in enumerate(products):
            for k in range(i):
                distance = row[i] + products[k][k] - 2 * row[k]
                if distance != 0:
                    scaled = arb(factor * distance).exp() * scaling + half
                    whole = scaled.mid().floor().mid().fmpq()
                    kernel[i][k] = kernel[k][i] = fraction(whole) / 2**BITS
    return tuple(tuple(row) for row in kernel)
