"""What is to be learnt: a table, a model (linear or kernel), a ridge, and who is labelled.

X_1 are the rows without label, which may be bought; X_2 are the rows with a label and the rows
sqrt(lambda) e_k of the ridge. The intercept is a column of ones that no ridge row touches.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from asura.engine.kernels import (
    GaussianKernel,
    GivenKernel,
    Kernel,
    LowRank,
    low_rank,
    require_room,
)
from asura.engine.rows import ArrayRows, Rows
from asura.engine.tables import Table
from asura.errors import ConflictingOptions, NegativeScale, NothingToBuy

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: The rest of a kernel that is left out, relative to lambda.
KERNEL_REST = 0.01


def rows_of(array: Any, intercept: bool) -> Rows:
    """The rows of an array, here or in a cluster."""
    if isinstance(array, np.ndarray):
        return ArrayRows(array, intercept)
    from asura.engine.dask_rows import DaskRows  # noqa: PLC0415 - the only part that needs Dask

    return DaskRows(array, intercept)


@dataclass(frozen=True)
class Settings:
    """How to learn: minimise the squared errors plus ridge times the squared coefficients."""

    ridge: float = 0.0
    intercept: bool = True
    kernel: Literal["rbf", "given"] | None = None
    length: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.ridge) and self.ridge >= 0):
            raise NegativeScale(f"--ridge {self.ridge}: expected a number >= 0", value=self.ridge)
        if self.kernel not in {None, "rbf", "given"}:
            raise ConflictingOptions(
                f"--kernel {self.kernel}: expected rbf or given", value=self.kernel
            )
        if self.kernel is not None and self.ridge == 0:
            raise ConflictingOptions(
                "--kernel needs --ridge LAMBDA with LAMBDA > 0", value=self.ridge
            )
        if self.kernel == "rbf" and self.length is None:
            raise ConflictingOptions(
                "--kernel rbf needs --length, the length scale", value=self.length
            )
        if self.kernel != "rbf" and self.length is not None:
            raise ConflictingOptions("--length belongs to --kernel rbf", value=self.length)


@dataclass(frozen=True, repr=False)
class Problem:
    """A table, and how to learn from it; `known` are the rows of X_2."""

    table: Table
    settings: Settings
    known: Mask
    progress: Callable[[str, float], None] = field(default=lambda *_: None, compare=False)

    @cached_property
    def low_rank(self) -> LowRank | None:
        """The kernel as features, if there is one."""
        kind, points = self.settings.kernel, self.table.features
        if kind is None:
            return None
        require_room(points, kind)

        def watch(share: float) -> None:
            self.progress("factoring the kernel", share)

        kernel: Kernel
        if kind == "rbf":
            kernel = GaussianKernel(points, self.settings.length or 0.0)
        else:
            kernel = GivenKernel(
                points, lambda share: self.progress("looking at the kernel", share)
            )
        return low_rank(kernel, KERNEL_REST * self.settings.ridge, watch)

    @cached_property
    def rows(self) -> Rows:
        """The rows of X, with the intercept last."""
        factor = self.low_rank
        array = self.table.features if factor is None else factor.features
        return rows_of(array, self.settings.intercept)

    @property
    def penalty(self) -> Vector:
        """The diagonal that the ridge adds to G."""
        penalty = np.full(self.rows.width, self.settings.ridge)
        if self.settings.intercept:
            penalty[-1] = 0.0
        return penalty

    @property
    def candidates(self) -> NDArray[np.intp]:
        """The rows of X_1."""
        return np.flatnonzero(~self.known)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the features, whoever is labelled."""
        return rows_of(self.table.features, False).fingerprint()

    def column_name(self, index: int) -> str:
        """A column of X in the user's words."""
        if self.settings.intercept and index == self.rows.width - 1:
            return "the intercept"
        return f"feature {index}" if self.low_rank is not None else self.table.columns[index]

    def with_table(self, table: Table) -> Problem:
        """The same question about a table whose labels arrived."""
        return replace(self, table=table)


def problem(
    table: Table, settings: Settings, progress: Callable[[str, float], None] = lambda *_: None
) -> Problem:
    """The rows whose label is unknown may be bought."""
    if table.known.all():
        raise NothingToBuy(
            f"{table.source}: every row has its label already; leave those that are to be bought "
            "empty" + (" in the target column" if table.target else ""),
            value=table.source,
        )
    return Problem(table, settings, table.known, progress)


__all__ = ["KERNEL_REST", "Problem", "Settings", "problem"]
