"""The data of the experiments: public data sets that ship with scikit-learn, and made-up ones.

Every number is rounded to a multiple of 2^-8 or 2^-12, so that the data are exact rationals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.errors import missing_package

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """Features, one row per point, and one label per point; columns have mean 0 and variance 1."""

    name: str
    features: Doubles
    labels: Doubles


def _loader(name: str) -> Callable[..., Any]:
    try:
        from sklearn import datasets  # noqa: PLC0415 optional extra
    except ImportError:
        raise missing_package("the public data sets need scikit-learn", "data", "sklearn") from None
    loader: Callable[..., Any] = getattr(datasets, f"load_{name}")
    return loader


def _standardised(values: Doubles) -> Doubles:
    centred = values - values.mean(axis=0)
    return np.asarray(centred / centred.std(axis=0), dtype=np.float64)


@cache
def diabetes() -> Table:
    """442 patients, ten features, progression of the disease after a year."""
    features, labels = _loader("diabetes")(return_X_y=True)
    return Table("diabetes", _standardised(features), _standardised(labels))


@cache
def linnerud() -> Table:
    """20 men, three exercises, and the weight as the label."""
    features, labels = _loader("linnerud")(return_X_y=True)
    return Table("linnerud", _standardised(features), _standardised(labels[:, 0]))


def rational_rows(values: Doubles, bits: int = 8) -> list[list[Fraction]]:
    """Rounded to multiples of 2^-bits, exactly.

    >>> rational_rows(np.array([[0.3, 1.0]]), 2)
    [[Fraction(1, 4), Fraction(1, 1)]]
    """
    return [[Fraction(round(float(x) * 2**bits), 2**bits) for x in row] for row in values]


def rational_column(values: Doubles, bits: int = 8) -> list[Fraction]:
    """One column, rounded likewise."""
    return rational_rows(values.reshape(1, -1), bits)[0]


def _squared_distances(points: Doubles) -> Doubles:
    difference = points[:, None, :] - points[None, :, :]
    return np.asarray(np.sum(difference**2, axis=2), dtype=np.float64)


def radial(points: Doubles) -> Doubles:
    """exp(-|x - y|^2/(2 w^2)), the width w^2 half the mean squared distance."""
    squares = _squared_distances(points)
    return np.asarray(np.exp(-squares / squares.mean()), dtype=np.float64)


def laplacian(points: Doubles) -> Doubles:
    """exp(-|x - y|/w), the width w the mean distance."""
    distances = np.sqrt(_squared_distances(points))
    return np.asarray(np.exp(-distances / distances.mean()), dtype=np.float64)


def quadratic(points: Doubles) -> Doubles:
    """(1 + x^T y/d)^2."""
    return np.asarray((1 + points @ points.T / points.shape[1]) ** 2, dtype=np.float64)


KERNELS: dict[str, Callable[[Doubles], Doubles]] = {
    "RBF": radial,
    "Laplacian": laplacian,
    "quadratic": quadratic,
}


def exact_kernel(kernel: Doubles) -> list[list[Fraction]]:
    """The kernel matrix in multiples of 2^-20, with 2^-10 added to its diagonal.

    Rounding moves an eigenvalue by at most n 2^-21, so that K stays positive definite.
    """
    rows = rational_rows((kernel + kernel.T) / 2, 20)
    for i, row in enumerate(rows):
        for k in range(i):
            row[k] = rows[k][i]
        row[i] += Fraction(1, 1024)
    return rows


def made_up(seed: int, size: int, width: int) -> Doubles:
    """Normal features from a seed."""
    return np.random.default_rng(seed).standard_normal((size, width))


def spread(indices: Sequence[int], count: int) -> list[int]:
    """`count` of the indices, evenly spaced.

    >>> spread(range(10), 3)
    [0, 3, 6]
    """
    step = len(indices) / count
    return [indices[math.floor(i * step)] for i in range(count)]
