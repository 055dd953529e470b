"""What one run proves about itself: where the spectrum of A^T A lies, for this very run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.dataset import Dataset, KernelData
from asura.definiteness import positive_semidefinite
from asura.kernel_spectrum import kernel_sandwiched
from asura.scalars import Enclosure, rational
from asura.verdict import Verdict

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
        """Whether 3/4 I <= A^T A <= 5/4 I, in Loewner order, is proved for this run."""
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
        verdict = kernel_sandwiched(data, weights, lowest, highest)
        if not verdict.undecided:
            return verdict
    coordinates = data.coordinates
    dimension, count = coordinates.dimension, len(weights)
    rows: list[fmpq] = []
    weighted: list[fmpq] = []
    for index, weight in weights.items():
        row = [coordinates.rows[index, k] for k in range(dimension)]
        factor = coordinates.squared_scales[index] * rational(weight)
        rows += row
        weighted += [factor * x for x in row]
    total = fmpq_mat(count, dimension, weighted).transpose() * fmpq_mat(count, dimension, rows)
    gram = coordinates.gram()
    return positive_semidefinite(total - gram * rational(lowest)) & positive_semidefinite(
        gram * rational(highest) - total
    )
