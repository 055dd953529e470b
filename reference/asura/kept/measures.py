"""R and delta of a dataset: what every bound of the kept variants depends on.

>>> from asura.dataset import ridge
>>> size = measured(ridge([[1, 0], [0, 2]], 1))         # D has eigenvalues 1/2 and 4/5
>>> size.rank, float(size.norm)
(Fraction(13, 10), 0.8000001907348633)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from asura.dataset import Dataset
from asura.definiteness import positive_semidefinite
from asura.dimensions import reduced_rank
from asura.scalars import rational

_BITS = 20


@dataclass(frozen=True, slots=True)
class Measures:
    """The reduced rank R, and a certified upper bound on delta = |D|, at most 1."""

    rank: Fraction
    norm: Fraction


def measured(data: Dataset) -> Measures:
    """R exactly, and delta rounded up to 20 bits: delta I - D is positive semidefinite."""
    coordinates = data.coordinates
    gram, target = coordinates.gram(), coordinates.gram(data.unlabelled)
    rank = reduced_rank(data)
    low, high = Fraction(0), min(Fraction(1), rank)  # |D| <= Tr D
    scale = high / 2**_BITS
    while high - low > scale:
        middle = (low + high) / 2
        if positive_semidefinite(gram * rational(middle) - target).holds:
            high = middle
        else:
            low = middle
    return Measures(rank, high)
