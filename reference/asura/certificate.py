"""What one run proves about itself: where the spectrum of A^T A lies, for this very run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from asura.dataset import Dataset, KernelData
from asura.definiteness import ball_positive_definite, positive_semidefinite
from asura.scalars import Enclosure, rational
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: The interval of eq:spec-spar.
LOWEST, HIGHEST = Fraction(3, 4), Fraction(5, 4)


@dataclass(frozen=True, slots=True)
class Certificate:
    """mid, the normalised barriers, and the two ways to certify [3/4, 5/4].

    `by_barriers` asks whether l_m/mid and u_m/mid lie in the interval, `by_spectrum` whether
    A^T A itself does, which the barriers may be too coarse to show.
    """

    mid: Enclosure
    upper_ratio: Enclosure
    lower_ratio: Enclosure
    by_barriers: Verdict
    by_spectrum: Verdict

    @property
    def certified(self) -> bool:
        """Whether 3/4 I <= A^T A <= 5/4 I is proved for this run."""
        return self.by_spectrum.holds


def sandwiched(
    data: Dataset,
    weights: Mapping[int, Fraction],
    *,
    lowest: Fraction = LOWEST,
    highest: Fraction = HIGHEST,
) -> Verdict:
    """Decide lowest X^T X <= sum w_i x_i x_i^T <= highest X^T X, for exact weights.

    >>> from asura.dataset import dataset
    >>> rows = dataset([[1, 0], [0, 1]])
    >>> str(sandwiched(rows, {0: Fraction(5, 4), 1: Fraction(3, 4)}))
    'holds'
    >>> str(sandwiched(rows, {0: Fraction(1)}))
    'fails'
    """
    if isinstance(data, KernelData):
        verdict = _kernel_sandwiched(data, weights, lowest, highest)
        if not verdict.undecided:
            return verdict
    coordinates = data.coordinates
    total = fmpq_mat(coordinates.dimension, coordinates.dimension)
    for index, weight in weights.items():
        row = fmpq_mat([[coordinates.rows[index, k] for k in range(coordinates.dimension)]])
        scale: fmpq = coordinates.squared_scales[index] * rational(weight)
        total += row.transpose() * row * scale
    gram = coordinates.gram()
    return positive_semidefinite(total - gram * rational(lowest)) & positive_semidefinite(
        gram * rational(highest) - total
    )


#: Bits of the balls that look at a kernel's sample, and how far beyond the ends they look.
_BITS = 128
_SLIGHTLY = Fraction(1, 2**32)


def _kernel_sandwiched(
    data: KernelData, weights: Mapping[int, Fraction], lowest: Fraction, highest: Fraction
) -> Verdict:
    """The same in balls, in coordinates with X^T X = I; open when an end is nearly met."""
    chosen = [index for index, weight in weights.items() if weight]
    if not chosen:
        return FAILS if lowest > 0 else undecided()
    rows = data.isometry(_BITS // 2).rows.tolist()
    with ctx.workprec(_BITS):
        scaled = [[arb(rational(weights[i])) * x for x in rows[i]] for i in chosen]
        total = arb_mat(scaled).transpose() * arb_mat([rows[i] for i in chosen])
        inside = _definite(total, lowest) & _definite(total * arb(-1), -highest)
        if inside.holds:
            return HOLDS
        beyond = _definite(total, lowest - _SLIGHTLY) & _definite(
            total * arb(-1), -highest - _SLIGHTLY
        )
        return FAILS if beyond.fails else undecided()


def _definite(total: arb_mat, level: Fraction) -> Verdict:
    """Decide total > level I."""
    size = total.nrows()
    entries = total.entries()
    for i in range(size):
        entries[i * (size + 1)] -= arb(rational(level))
    return ball_positive_definite(arb_mat(size, size, entries))
