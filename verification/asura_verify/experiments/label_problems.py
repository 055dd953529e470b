"""The problems and the labels of `asura experiment labels`: X_2 is free for everyone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.lower_bound import lower_bound_instance
from asura_verify.experiments.data import (
    KERNELS,
    diabetes,
    exact_kernel,
    linnerud,
    rational_column,
    rational_rows,
    spread,
)
from asura_verify.experiments.field import PROCEDURES, Labelled, Pool
from asura_verify.instances.certified import certified_sets

LABELS = ("noise", "spike", "against a fixed choice")


def _standard(values: Any) -> Any:
    return (values - values.mean(axis=0)) / values.std(axis=0)


@cache
def longley() -> tuple[Any, Any]:
    """Sixteen years; columns to mean 0 and variance 1, and a constant."""
    given = next(each for each in certified_sets() if each.name == "Longley").data
    features = np.array(given.points, dtype=np.float64)[:, 1:]
    labels = np.array([float(y or 0) for y in given.labels])
    constant = np.ones((len(labels), 1))
    return np.hstack([constant, _standard(features)]), _standard(labels)


def _kernel(lam: str) -> Dataset:
    table = diabetes()
    kept = spread(range(len(table.labels)), 20)
    matrix = exact_kernel(KERNELS["RBF"](table.features[kept]))
    return kernel_ridge(matrix, lam, labels=rational_column(table.labels[kept]))


def _diabetes(lam: str) -> Dataset:
    table = diabetes()
    kept = spread(range(len(table.labels)), 120)
    features, labels = rational_rows(table.features[kept]), rational_column(table.labels[kept])
    return ridge(features, lam, labels=labels)


def _linnerud(lam: str) -> Dataset:
    table = linnerud()
    return ridge(rational_rows(table.features), lam, labels=rational_column(table.labels))


def _longley() -> Dataset:
    features, labels = longley()
    return dataset(rational_rows(features, 12), labels=rational_column(labels, 12))


PROBLEMS: dict[str, Callable[[], Dataset]] = {
    "diabetes, λ = 1": lambda: _diabetes("1"),
    "diabetes, λ = 300": lambda: _diabetes("300"),
    "linnerud, λ = 1": lambda: _linnerud("1"),
    "Longley": _longley,
    "kernel, λ = 1/10": lambda: _kernel("1/10"),
    "kernel, λ = 3": lambda: _kernel("3"),
    "diabetes, λ = 30": lambda: _diabetes("30"),
    "diabetes, λ = 3000": lambda: _diabetes("3000"),
    "kernel, λ = 1": lambda: _kernel("1"),
    "kernel, λ = 30": lambda: _kernel("30"),
    "hard instance": lambda: (
        lower_bound_instance([1, -1, 1], lam=1, epsilon="1/4", copies=16, seed=1).data
    ),
}


@cache
def problem(name: str) -> Pool:
    """One pool."""
    return Pool(PROBLEMS[name]())


@cache
def _blind_order(name: str) -> tuple[int, ...]:
    """The points of X_1 in the order in which largest variance takes them."""
    pool = problem(name)
    most = pool.data.unlabelled - 1
    picks, _ = PROCEDURES["largest variance"](pool, Fraction(most), 0)
    return tuple(picks[:most])


@cache
def labelled(name: str, kind: str, paid: int) -> Labelled:
    """Labels of one kind; the last kind is made against a fixed choice of so many labels.

    Noise: the labels that come with the data. Spike: 8 on the point of X_1 of largest leverage.
    Against a fixed choice S of k points: x v on S and 0 elsewhere, where v makes |X_S v| and
    |X_2 v| small and |X v| large. For X = 1_n these are the labels 1_S.
    """
    pool = problem(name)
    data, count = pool.data, pool.data.unlabelled
    zero = [Fraction(0)] * (data.size - count)
    if kind == "noise":
        return Labelled(pool, tuple(y or Fraction(0) for y in data.labels))
    if kind == "spike":
        top = int(np.argmax(pool.scores))
        return Labelled(pool, (*(Fraction(8 * (i == top)) for i in range(count)), *zero))
    chosen_blindly = list(_blind_order(name)[: max(1, min(paid, count - 1))])
    read = pool.points[[*chosen_blindly, *pool.kept]]
    whole = np.linalg.cholesky(pool.points.T @ pool.points)
    inner = np.linalg.solve(whole, np.linalg.solve(whole, read.T @ read).T)
    directions = np.linalg.solve(whole.T, np.linalg.eigh((inner + inner.T) / 2)[1])
    seen = pool.points[chosen_blindly] @ directions
    # A direction that S does not see at all would make every label 0.
    least = int(np.flatnonzero(np.max(np.abs(seen), axis=0) > 1e-6)[0])
    values = np.zeros(count)
    values[chosen_blindly] = 8 * seen[:, least] / np.max(np.abs(seen[:, least]))
    return Labelled(pool, (*rational_column(values, 12), *zero))
