"""The engine's only contact with the data: count rows, walk through them in blocks, look some up.

Whatever can do these three can be planned for: an array, a file mapped into memory, a Dask array.

>>> rows = ArrayRows(np.arange(6.0).reshape(3, 2), intercept=True)
>>> rows.size, rows.width, rows.take(np.array([2])).tolist()
(3, 3, [[4.0, 5.0, 1.0]])
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Bytes of one block: large enough for fast products, small enough for any machine.
BLOCK_BYTES = 1 << 24


class Rows(Protocol):
    """The rows of X, in an order that does not change."""

    @property
    def size(self) -> int:
        """How many rows there are."""
        ...

    @property
    def width(self) -> int:
        """How many coordinates a row has."""
        ...

    def blocks(self) -> Iterator[tuple[int, Matrix]]:
        """Every row once: the number of the first row of a block, and the block."""
        ...

    def take(self, indices: Indices) -> Matrix:
        """These rows, in this order."""
        ...


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

    def blocks(self) -> Iterator[tuple[int, Matrix]]:
        """Blocks of consecutive rows."""
        step = max(1, self.block_bytes // (8 * self.width))
        for start in range(0, self.size, step):
            yield start, self._complete(self.array[start : start + step])

    def take(self, indices: Indices) -> Matrix:
        """These rows."""
        return self._complete(self.array[indices])


def fingerprint(rows: Rows) -> str:
    """A hash of every number: another table has another one."""
    digest = hashlib.sha256(f"asura-rows/1:{rows.size}:{rows.width}:".encode())
    for _, block in rows.blocks():
        digest.update(np.ascontiguousarray(block, dtype="<f8").data)
    return digest.hexdigest()[:32]
