"""The masses of points in doubles, computed block by block where somebody looks.

The masses x^T E x of a block of points sum to Tr(G_b E), where G_b is the Gram matrix of the
block. So a pick costs one product with all G_b and the masses of one block: about sqrt(n) of n.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

#: Points up to this number are one block: below, a block costs as much as a call.
SMALLEST = 256


def first_beyond(masses: Doubles, target: float) -> tuple[int, float] | None:
    """The first index whose partial sum of positive masses exceeds the target.

    With it comes what of the target the sum before it leaves over. None: no sum exceeds it.

    >>> first_beyond(np.array([1.0, -1.0, 3.0]), 1.5)
    (2, 0.5)
    """
    sums = np.cumsum(np.where(masses > 0, masses, 0.0))
    index = int(np.searchsorted(sums, target, side="right"))
    if index == len(sums):
        return None
    return index, target - (float(sums[index - 1]) if index else 0.0)


class Blocks:
    """Points sqrt(c) x as rows x and squared scales c, cut into blocks of one length."""

    def __init__(self, rows: Doubles, squared_scales: Doubles, length: int | None = None) -> None:
        self.size = len(rows)
        self._rows = rows
        self._scales = squared_scales
        self.length = length or max(SMALLEST, rows.shape[1], math.isqrt(self.size))

    def _block(self, block: int) -> tuple[Doubles, Doubles]:
        """Its rows and their squared scales."""
        place = slice(block * self.length, (block + 1) * self.length)
        return self._rows[place], self._scales[place]

    @cached_property
    def _grams(self) -> Doubles:
        """One row per block: the entries of its Gram matrix."""
        blocks = map(self._block, range(-(-self.size // self.length)))
        return np.array([((rows.T * scales) @ rows).ravel() for rows, scales in blocks])

    def sums(self, bracket: Doubles) -> Doubles:
        """Tr(G_b E) for every block: the sum of its masses."""
        return np.asarray(self._grams @ bracket.ravel())

    def masses(self, block: int, bracket: Doubles) -> Doubles:
        """x^T E x for the points of one block."""
        rows, scales = self._block(block)
        return np.asarray(scales * np.einsum("ni,ni->n", rows @ bracket, rows))


class BlockMasses:
    """x^T E x for all points, as a list that is computed where it is read."""

    def __init__(self, blocks: Blocks, bracket: Doubles) -> None:
        self._blocks = blocks
        self._bracket = bracket
        self._seen: int | None = None
        self._masses: Doubles = np.empty(0)

    def __len__(self) -> int:
        return self._blocks.size

    def __getitem__(self, index: int) -> float:
        block, place = divmod(index, self._blocks.length)
        return float(self._of(block)[place])

    def _of(self, block: int) -> Doubles:
        """The masses of one block; those last looked at are kept."""
        if block != self._seen:
            self._masses = self._blocks.masses(block, self._bracket)
            self._seen = block
        return self._masses

    def first_beyond(self, target: float) -> int | None:
        """The first point whose partial sum exceeds the target; None where rounding hides it."""
        among = first_beyond(self._blocks.sums(self._bracket), target)
        if among is None:
            return None
        block, rest = among
        within = first_beyond(self._of(block), rest)
        return None if within is None else block * self._blocks.length + within[0]
