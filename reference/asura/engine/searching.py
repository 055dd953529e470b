"""Which row a number between 0 and the total falls on, in a few look-ups however many rows.

>>> found = GuidedSearch(np.array([0.5, 0.0, 2.0])).rows(np.array([0.1, 0.5, 2.4]))
>>> found.tolist()
[0, 2, 2]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Cells of the guide: 16 MiB, which stay in the cache of a processor.
_CELLS = 1 << 22


@dataclass(frozen=True, repr=False)
class GuidedSearch:
    """Partial sums of non-negative masses, and where the search for k/K of the total ends."""

    masses: Vector

    @cached_property
    def sums(self) -> Vector:
        """The partial sums."""
        return np.cumsum(self.masses)

    @property
    def total(self) -> float:
        """The sum of the masses."""
        return float(self.sums[-1])

    @cached_property
    def _guide(self) -> NDArray[np.int32] | Indices:
        size = len(self.sums)
        steps = np.linspace(0.0, self.total, min(size, _CELLS) + 1)
        ends = np.minimum(np.searchsorted(self.sums, steps, side="right"), size - 1)
        return ends.astype(np.int32) if size < 1 << 31 else ends

    def rows(self, targets: Vector) -> Indices:
        """For every target the first row whose partial sum exceeds it."""
        sums, guide = self.sums, self._guide
        cells = len(guide) - 1
        place = np.minimum((targets * (cells / self.total)).astype(np.intp), cells - 1)
        # one cell of room on both sides for the rounding of `place`
        low = guide[np.maximum(place - 1, 0)].astype(np.intp)
        high = guide[np.minimum(place + 2, cells)].astype(np.intp)
        while (low < high).any():
            middle = (low + high) // 2
            beyond = sums[middle] > targets
            low, high = (
                np.where(beyond, low, np.minimum(middle + 1, high)),
                np.where(beyond, middle, high),
            )
        return np.asarray(low, dtype=np.intp)
