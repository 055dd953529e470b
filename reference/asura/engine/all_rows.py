"""All of X as a pool: the rows without label, the labelled ones, and those of the ridge.

Algorithm 2 samples labelled and unlabelled points alike, so nothing is kept: G_1 = G, and a row
sqrt(lambda) e_k of the ridge is drawn like any other. Only rows of X_1 cost a label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asura.engine.free_draws import Pool
from asura.engine.gram import Spectrum, spectrum
from asura.engine.rows import Indices, Matrix, Result, Rows
from asura.engine.threads import Progress, silent

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, repr=False)
class AllRows:
    """The rows of a table, then sqrt(lambda) e_k for every column that the ridge touches."""

    table: Rows
    penalty: Vector

    @cached_property
    def ridge(self) -> Matrix:
        """The rows of the ridge."""
        return np.diag(np.sqrt(self.penalty))[self.penalty > 0]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.table.size + len(self.ridge)

    @property
    def width(self) -> int:
        """How many coordinates a row has."""
        return self.table.width

    def over_blocks(self, work: Callable[[int, Matrix], Result]) -> Iterator[tuple[int, Result]]:
        """The blocks of the table, then the ridge as one block."""
        yield from self.table.over_blocks(work)
        if len(self.ridge):
            yield self.size, work(self.table.size, self.ridge)

    def take(self, indices: Indices) -> Matrix:
        """These rows."""
        rows = np.empty((len(indices), self.width))
        own = indices < self.table.size
        rows[own] = self.table.take(indices[own])
        rows[~own] = self.ridge[indices[~own] - self.table.size]
        return rows

    def fingerprint(self) -> str:
        """A hash of the table and the ridge."""
        ridge = hashlib.sha256(np.ascontiguousarray(self.ridge, dtype="<f8").data).hexdigest()
        return hashlib.sha256(f"{self.table.fingerprint()}:{ridge}".encode()).hexdigest()[:32]


def everything(rows: Rows, penalty: Vector) -> tuple[AllRows, Mask, Vector]:
    """The design in which nothing is kept: all rows, none known, no ridge beside them."""
    every = AllRows(rows, penalty)
    return every, np.zeros(every.size, dtype=bool), np.zeros(every.width)


def open_pool(rows: Rows, known: Mask, penalty: Vector, progress: Progress = silent) -> Pool:
    """All rows as a pool: X_1 first, then X_2 in the order of the table, then the ridge."""
    every, nobody, nothing = everything(rows, penalty)
    found = spectrum(every, nobody, nothing, progress)
    order = np.concatenate(
        [np.flatnonzero(~known), np.flatnonzero(known), np.arange(rows.size, every.size)]
    )
    ordered = Spectrum(
        found.whitening, found.bought, found.kept, found.floor, found.leverages[order]
    )
    return Pool(every, order, ordered, free=every.size - int(np.count_nonzero(~known)))
