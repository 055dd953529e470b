"""The data of semi-supervised active regression: points X_1 then X_2, and labels.

A point is sqrt(c) x with a rational row x and a rational squared scale c, so that ridge rows
sqrt(lambda) e_i and kernel rows stay exact.

>>> data = ridge([[1, 0], [1, 1], [0, 2]], "1/2")
>>> data.size, data.unlabelled, data.dimension
(5, 3, 2)
>>> data.squared_scales[3:]
(Fraction(1, 2), Fraction(1, 2))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_mat

from asura.coordinates import Coordinates, row_space, whitened
from asura.definiteness import factor_ldl
from asura.errors import (
    EmptyData,
    NegativeScale,
    NotAScalar,
    NotPositiveSemidefinite,
    NotSymmetric,
    RaggedData,
    RankZero,
    UnlabelledOutOfRange,
)
from asura.kernel_matrix import Isometry, KernelMatrix, isometry
from asura.scalars import fraction, rational, read_scalar, write_scalar

#: Up to so many points the rows of kernel ridge regression are computed exactly at once.
SMALL_KERNEL = 24

Rows = Sequence[Sequence[object]]
Label = Fraction | None


@dataclass(frozen=True, repr=False)
class Dataset:
    """n points in R^width, the first `unlabelled` of them X_1; labels are of the scaled points."""

    points: tuple[tuple[Fraction, ...], ...]
    unlabelled: int
    squared_scales: tuple[Fraction, ...]
    labels: tuple[Label, ...]

    def __repr__(self) -> str:
        return (
            f"Dataset({self.size} points of width {self.width}, "
            f"{self.unlabelled} of them unlabelled)"
        )

    @property
    def size(self) -> int:
        """n = n_1 + n_2."""
        return len(self.points)

    @property
    def width(self) -> int:
        """The number of coordinates of a row."""
        return len(self.points[0])

    @property
    def dimension(self) -> int:
        """d, the rank of X."""
        return self.coordinates.dimension

    @property
    def fully_labelled(self) -> bool:
        """Whether every label is known, so that OPT can be computed."""
        return None not in self.labels

    @cached_property
    def coordinates(self) -> Coordinates:
        """The points restricted to their row space, exactly."""
        rows = fmpq_mat(self.size, self.width, [rational(x) for row in self.points for x in row])
        return row_space(rows, [rational(c) for c in self.squared_scales])

    @cached_property
    def whitened(self) -> Coordinates:
        """The points in coordinates whose Gram matrix is nearly the identity, exactly."""
        return whitened(self.coordinates)

    def subset(self, indices: Sequence[int]) -> Dataset:
        """The points with these indices, all of them counted as X_1."""
        return Dataset(
            tuple(self.points[i] for i in indices),
            len(indices),
            tuple(self.squared_scales[i] for i in indices),
            tuple(self.labels[i] for i in indices),
        )


class KernelData(Dataset):
    """Kernel ridge regression with many points: its exact rows are long, and made on demand.

    The same data as a plain `Dataset` would hold. Balls take `isometry`, which needs no exact row.
    """

    def __init__(
        self, kernel: tuple[tuple[Fraction, ...], ...], lam: Fraction, labels: tuple[Label, ...]
    ) -> None:
        size = len(kernel)
        entries = fmpq_mat(size, size, [rational(x) for row in kernel for x in row])
        for name, value in {
            "kernel": KernelMatrix(entries),
            "kernel_rows": kernel,
            "lam": lam,
            "labels": (*labels, *[Fraction(0)] * size),
            "unlabelled": size,
            "_isometries": {},
        }.items():
            object.__setattr__(self, name, value)
        if self.kernel.basis is None:
            raise _indefinite(kernel)

    kernel: KernelMatrix
    kernel_rows: tuple[tuple[Fraction, ...], ...]
    lam: Fraction
    _isometries: dict[int, Isometry]

    @property
    def size(self) -> int:
        """n = 2 N."""
        return 2 * self.kernel.size

    @property
    def width(self) -> int:
        """n: one coefficient per point."""
        return self.kernel.size

    @property
    def dimension(self) -> int:
        """The rank of K."""
        rank = len(self.kernel.basis or [])
        if rank == 0:
            raise RankZero("every point is zero: expected data of rank at least 1")
        return rank

    @cached_property
    def _exact(self) -> Dataset:
        return _exact_kernel_ridge(self.kernel_rows, self.lam, self.labels[: self.unlabelled])

    @cached_property
    def points(self) -> tuple[tuple[Fraction, ...], ...]:
        """The exact rows."""
        return self._exact.points

    @cached_property
    def squared_scales(self) -> tuple[Fraction, ...]:
        """Their squared scales."""
        return self._exact.squared_scales

    def isometry(self, bits: int) -> Isometry:
        """The rows U(x), with U^T U = I, up to 2^-bits or closer."""
        finer = [known for known in self._isometries if known >= bits]
        if finer:
            return self._isometries[min(finer)]
        found = self._isometries[bits] = isometry(self.kernel, rational(self.lam), bits)
        return found


def _indefinite(rows: tuple[tuple[Fraction, ...], ...]) -> NotPositiveSemidefinite:
    return NotPositiveSemidefinite(
        "kernel has a negative direction: expected v^T K v >= 0 for every v", value=rows
    )


def _scalar(value: object, place: str) -> Fraction:
    try:
        return read_scalar(value)
    except NotAScalar as error:
        raise NotAScalar(f"{place}: {error}", value=value) from None


def _row(name: str, number: int, row: Iterable[object]) -> tuple[Fraction, ...]:
    """One row read exactly; where it is wrong is looked for only when it is."""
    entries = tuple(row)
    try:
        return tuple(map(read_scalar, entries))
    except NotAScalar:
        return tuple(_scalar(x, f"{name}, row {number}, column {k}") for k, x in enumerate(entries))


def _rows(name: str, rows: Rows) -> tuple[tuple[Fraction, ...], ...]:
    try:
        exact = tuple(_row(name, number, row) for number, row in enumerate(rows))
    except TypeError:
        raise RaggedData(f"{name} is not a list of rows of numbers", value=name) from None
    if not exact:
        raise EmptyData(f"{name} has no rows: expected at least one", value=name)
    if not exact[0]:
        raise EmptyData(f"{name} has rows without coordinates: expected at least one", value=name)
    for i, row in enumerate(exact):
        if len(row) != len(exact[0]):
            raise RaggedData(
                f"{name}, row {i} has {len(row)} {'entry' if len(row) == 1 else 'entries'}: "
                f"expected {len(exact[0])} as in row 0",
                value=row,
            )
    return exact


def _aligned(name: str, given: Iterable[object] | None, length: int) -> list[object] | None:
    if given is None:
        return None
    entries = list(given)
    if len(entries) != length:
        raise RaggedData(
            f"{len(entries)} {name} for {length} points: expected one per point", value=len(entries)
        )
    return entries


def dataset(
    points: Rows,
    *,
    unlabelled: int | None = None,
    squared_scales: Iterable[object] | None = None,
    labels: Iterable[object] | None = None,
) -> Dataset:
    """Points with X_1 first; every number is read exactly (`asura.scalars.read_scalar`).

    `unlabelled` is n_1, by default all points; an unknown label is None.
    """
    rows = _rows("points", points)
    count = len(rows)
    first = count if unlabelled is None else unlabelled
    if not 0 <= first <= count:
        raise UnlabelledOutOfRange(
            f"unlabelled = {first}: expected an integer from 0 to the number of points, {count}",
            value=first,
        )
    given_scales = _aligned("squared scales", squared_scales, count)
    scales = (
        (Fraction(1),) * count
        if given_scales is None
        else tuple(_scalar(c, f"squared scale {i}") for i, c in enumerate(given_scales))
    )
    for i, scale in enumerate(scales):
        if scale < 0:
            raise NegativeScale(
                f"squared scale {i} is {write_scalar(scale)}: expected >= 0", value=scale
            )
    given_labels = _aligned("labels", labels, count)
    known: tuple[Label, ...] = (
        (None,) * count
        if given_labels is None
        else tuple(
            None if y is None else _scalar(y, f"label {i}") for i, y in enumerate(given_labels)
        )
    )
    return Dataset(rows, first, scales, known)


def regularisation(lam: object) -> Fraction:
    """Read lambda, which must not be negative."""
    value = _scalar(lam, "lambda")
    if value < 0:
        raise NegativeScale(f"lambda is {write_scalar(value)}: expected >= 0", value=value)
    return value


def ridge(
    points: Rows,
    lam: object,
    *,
    unlabelled: int | None = None,
    labels: Iterable[object] | None = None,
) -> Dataset:
    """Active ridge regression: the points, then sqrt(lambda) I with labels 0 (ridge-is-ssar).

    All given points are X_1 unless `unlabelled` says that only so many leading ones are.
    """
    rows = _rows("points", points)
    scale = regularisation(lam)
    width = len(rows[0])
    identity = [[Fraction(int(i == k)) for k in range(width)] for i in range(width)]
    given = dataset(rows, unlabelled=unlabelled, labels=labels)
    return dataset(
        [*rows, *identity],
        unlabelled=given.unlabelled,
        squared_scales=[Fraction(1)] * len(rows) + [scale] * width,
        labels=[*given.labels, *[0] * width],
    )


def kernel_ridge(kernel: Rows, lam: object, *, labels: Iterable[object] | None = None) -> Dataset:
    """Active kernel ridge regression: X_1 = K and X_2 = sqrt(lambda) Z with Z^T Z = K.

    Z = sqrt(D) L^T from K = L D L^T; the paper drops the sqrt(lambda) (slug kernel-is-ssar).
    A singular K is allowed.

    >>> data = kernel_ridge([[1, 1], [1, 1]], 3)
    >>> data.dimension, data.squared_scales
    (1, (Fraction(1, 1), Fraction(1, 1), Fraction(3, 1), Fraction(0, 1)))
    """
    rows = _rows("kernel", kernel)
    scale = regularisation(lam)
    size = len(rows)
    if len(rows[0]) != size:
        raise NotSymmetric(
            f"kernel has {size} rows and {len(rows[0])} columns: expected a square", value=size
        )
    for i in range(size):
        for k in range(i):
            if rows[i][k] != rows[k][i]:
                raise NotSymmetric(
                    f"kernel[{i}][{k}] = {write_scalar(rows[i][k])} but kernel[{k}][{i}] = "
                    f"{write_scalar(rows[k][i])}: expected a symmetric matrix",
                    value=rows[i][k],
                )
    given = dataset(rows, labels=labels)
    if size > SMALL_KERNEL:
        return KernelData(rows, scale, given.labels)
    return _exact_kernel_ridge(rows, scale, given.labels)


def _exact_kernel_ridge(
    rows: tuple[tuple[Fraction, ...], ...], scale: Fraction, labels: tuple[Label, ...]
) -> Dataset:
    """K, then Z = sqrt(D) L^T from K = L D L^T, by exact elimination."""
    size = len(rows)
    factors = factor_ldl(fmpq_mat(size, size, [rational(x) for row in rows for x in row]))
    if factors is None:
        raise _indefinite(rows)
    lower, pivots = factors
    return dataset(
        [*rows, *([fraction(x) for x in row] for row in lower.transpose().tolist())],
        unlabelled=size,
        squared_scales=[Fraction(1)] * size + [scale * fraction(fmpq(p)) for p in pivots],
        labels=[*labels, *[0] * size],
    )
