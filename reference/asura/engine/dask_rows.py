"""The rows of a Dask array: larger than memory, or spread over a cluster.

Blocks are the array's own chunks. Work is sent to them, a few at a time, and only its small
results travel; with a `distributed.Client` the cluster does it, and repeats what a lost worker
had. Sums are taken in the order of the chunks, so that a plan does not depend on the workers.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from asura.blas_threads import one_blas_thread
from asura.engine.rows import Indices, Matrix
from asura.errors import NotAScalar, missing_package

try:
    from dask import base
    from dask.delayed import delayed
except ImportError:
    raise missing_package("arrays larger than memory need Dask", "dask", "dask") from None

Result = TypeVar("Result")
_compute: Any = base.compute  # Dask has no types

#: Chunks that are under way at the same time.
_WINDOW = 16


def _completed(part: Any, intercept: bool) -> Matrix:
    rows = np.ascontiguousarray(part, dtype=np.float64)
    return np.column_stack([rows, np.ones(len(rows))]) if intercept else rows


def _work(work: Callable[[int, Matrix], Any], start: int, part: Any, intercept: bool) -> Any:
    """One chunk, where it is."""
    rows = _completed(part, intercept)
    if not np.isfinite(rows).all():
        place = start + int(np.argwhere(~np.isfinite(rows))[0][0])
        raise NotAScalar(f"row {place} has a value that is not finite", value=place)
    with one_blas_thread():
        return work(start, rows)


@dataclass(frozen=True, repr=False)
class DaskRows:
    """The rows of a Dask array, and a constant if asked for."""

    array: Any
    intercept: bool = False

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.array.shape[0])

    @property
    def width(self) -> int:
        """How many coordinates a row has, with the constant last."""
        return int(self.array.shape[1]) + int(self.intercept)

    @cached_property
    def _chunks(self) -> list[tuple[int, int, Any]]:
        """First row, row after the last, and the chunk itself."""
        whole = self.array.rechunk({1: -1})
        stops = list(itertools.accumulate(whole.chunks[0]))
        parts = whole.to_delayed().ravel().tolist()
        return list(zip([0, *stops[:-1]], stops, parts, strict=True))

    def over_blocks(self, work: Callable[[int, Matrix], Result]) -> Iterator[tuple[int, Result]]:
        """One result per chunk, computed where the chunk is."""
        once = delayed(_work, pure=False)
        for at in range(0, len(self._chunks), _WINDOW):
            group = self._chunks[at : at + _WINDOW]
            results = _compute(
                *(once(work, start, part, self.intercept) for start, _, part in group)
            )
            for (_, stop, _), result in zip(group, results, strict=True):
                yield stop, result

    def take(self, indices: Indices) -> Matrix:
        """These rows."""
        order = np.argsort(indices, kind="stable")
        rows = np.empty((len(indices), int(self.array.shape[1])))
        if len(indices):
            rows[order] = self.array[indices[order]].compute()
        return _completed(rows, self.intercept)

    def fingerprint(self) -> str:
        """A hash of the hashes of the chunks: it knows how the rows are cut."""
        digest = hashlib.sha256(f"asura-chunks/1:{self.size}:{self.width}:".encode())
        for stop, part in self.over_blocks(_hash):
            digest.update(f"{stop}:{part};".encode())
        return digest.hexdigest()[:32]


def _hash(_start: int, block: Matrix) -> str:
    return hashlib.sha256(np.ascontiguousarray(block, dtype="<f8").data).hexdigest()
