"""Where the spectrum of a weighted sample of kernel data lies, decided in balls.

>>> from asura.dataset import KernelData
>>> data = KernelData(((Fraction(1),),), Fraction(1), (None,))       # U = (1, 1)/sqrt(2)
>>> half, whole = Fraction(1, 2), Fraction(1)
>>> [str(kernel_sandwiched(data, {0: whole}, low, whole)) for low in (half / 2, half * 3 / 2)]
['holds', 'fails']
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, arb_mat, ctx

from asura.dataset import KernelData
from asura.definiteness import ball_positive_definite
from asura.scalars import rational
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: Bits of the balls, and how far beyond an end they look before they deny it.
_BITS = 128
_SLIGHTLY = Fraction(1, 2**32)


def kernel_sandwiched(
    data: KernelData, weights: Mapping[int, Fraction], lowest: Fraction, highest: Fraction
) -> Verdict:
    """Decide lowest X^T X <= sum w_i x_i x_i^T <= highest X^T X; open when an end is nearly met."""
    chosen = list(weights)
    rows = data.isometry(_BITS // 2).rows.tolist()
    with ctx.workprec(_BITS):
        total = arb_mat(data.dimension, data.dimension)
        if chosen:
            scaled = [[arb(rational(weights[i])) * x for x in rows[i]] for i in chosen]
            total += arb_mat(scaled).transpose() * arb_mat([rows[i] for i in chosen])
        inside = _between(total, lowest, highest)
        if inside.holds:
            return HOLDS
        beyond = _between(total, lowest - _SLIGHTLY, highest + _SLIGHTLY)
        return FAILS if beyond.fails else undecided()


def _between(total: arb_mat, lowest: Fraction, highest: Fraction) -> Verdict:
    """Decide lowest I < total < highest I."""
    return _definite(total, -lowest) & _definite(total * arb(-1), highest)


def _definite(matrix: arb_mat, shift: Fraction) -> Verdict:
    size = matrix.nrows()
    entries = matrix.entries()
    for i in range(size):
        entries[i * (size + 1)] += arb(rational(shift))
    return ball_positive_definite(arb_mat(size, size, entries))
