"""The engine's only contact with the data: count rows, work on them in blocks, look some up.

Whatever can do these three can be planned for: an array, a file mapped into memory, a Dask array
(`asura.engine.dask_rows`). Work goes to where the rows are; only its results come back.

>>> rows = ArrayRows(np.arange(6.0).reshape(3, 2), intercept=True)
>>> rows.size, rows.width, rows.take(np.array([2])).tolist()
(3, 3, [[4.0, 5.0, 1.0]])
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from asura.engine.threads import in_order

Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]
Result = TypeVar("Result")

#: Bytes of one block: large enough for fast products, small enough for any machine. Operations on
#: it, rows times width^2: so few that an interrupt is not kept waiting.
BLOCK_BYTES, BLOCK_OPERATIONS = 1 << 24, 5e8


class Rows(Protocol):
    """The rows of X, in an order that does not change."""

    @property
    def size(self) -> int:
        """How many rows there are."""

    @property
    def width(self) -> int:
        """How many coordinates a row has."""

    def over_blocks(self, work: Callable[[int, Matrix], Result]) -> Iterator[tuple[int, Result]]:
        """`work(start, block)` for every block, in order, and how many rows are done by then."""

    def take(self, indices: Indices) -> Matrix:
        """These rows, in this order."""

    def fingerprint(self) -> str:
        """A hash of every number: another table has another one."""


@dataclass(frozen=True, repr=False)
class ArrayRows:
    """The rows of an array, in memory or mapped from a file, and a constant if asked for."""

    array: Matrix
    intercept: bool = False
    block_bytes: int = BLOCK_BYTES

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.array)

    @property
    def width(self) -> int:
        """How many coordinates a row has, with the constant last."""
        return int(self.array.shape[1]) + int(self.intercept)

    def _complete(self, part: Matrix) -> Matrix:
        if not self.intercept:
            return np.ascontiguousarray(part, dtype=np.float64)
        rows = np.ones((len(part), self.width))
        rows[:, : self.array.shape[1]] = part
        return rows

    def _starts(self) -> range:
        soon = max(64, int(BLOCK_OPERATIONS / self.width**2))
        return range(0, self.size, max(1, min(self.block_bytes // (8 * self.width), soon)))

    def over_blocks(self, work: Callable[[int, Matrix], Result]) -> Iterator[tuple[int, Result]]:
        """Blocks of consecutive rows, on all processors."""
        starts = self._starts()

        def once(start: int) -> tuple[int, Result]:
            block = self._complete(self.array[start : start + starts.step])
            return start + len(block), work(start, block)

        return in_order(once, starts)

    def take(self, indices: Indices) -> Matrix:
        """These rows."""
        return self._complete(self.array[indices])

    def fingerprint(self) -> str:
        """A hash of the shape and the doubles, row by row."""
        digest = hashlib.sha256(f"asura-rows/1:{self.size}:{self.width}:".encode())
        starts = self._starts()
        for start in starts:
            block = self._complete(self.array[start : start + starts.step])
            digest.update(np.ascontiguousarray(block, dtype="<f8").data)
        return digest.hexdigest()[:32]
