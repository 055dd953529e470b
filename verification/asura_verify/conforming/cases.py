"""The cases that an implementation is asked to run, and those that no vector records."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from asura.randomness import Seed


@dataclass(frozen=True, slots=True)
class Case:
    """A named header, and what failing it means."""

    name: str
    meaning: str
    header: dict[str, Any]
    flags: tuple[str, ...] = ()  # its feature, and so the group of its vector
    slugs: tuple[str, ...] = ()
    picks: tuple[int, ...] | None = None  # what a vector records
    file: str | None = None  # of vectors, unless it comes with the package

    @property
    def option(self) -> str:
        """What selects it on the command line."""
        if self.file is not None:
            return f"--vectors {shlex.quote(self.file)}"
        return f"--case {shlex.quote(self.name)}"


def uniforms(seed: int, count: int) -> list[float]:
    """The reference's stream of uniforms, as doubles."""
    chooser = Seed(seed)
    return [float(chooser.draw(j).interval(53).low) for j in range(count)]


def _header(
    points: list[list[float]],
    gamma: float,
    *,
    unlabelled: int | None = None,
    scales: list[float] | None = None,
    labels: list[float] | None = None,
    level: float | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    count = len(points)
    width = len(points[0])
    header: dict[str, Any] = {"format": "asura-trace/1", "gamma": gamma, "points": points}
    header["unlabelled"] = count if unlabelled is None else unlabelled
    if scales is not None:
        header["squared_scales"] = scales
    header["labels"] = [((3 * i) % 7) - 2.5 for i in range(count)] if labels is None else labels
    length = int((1 if level is None else max(1.0, 2 * level)) * 2 * width / gamma**2) + 16
    header["uniforms"] = uniforms(seed, length)
    if level is not None:
        header |= {"stopping": "sure", "level": level}
    return header


def _grid(size: int, width: int) -> list[list[float]]:
    """Small integers in some order, the first rows those of the identity."""
    eye = [[float(i == k) for k in range(width)] for i in range(width)]
    rest = range(1, size - width + 1)
    return eye + [
        [float((i * i + 3 * i * k + 5 * k + 1) % 7 - 3) for k in range(width)] for i in rest
    ]


_SQUARE = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]]


Problems = Iterator[tuple[str, str, dict[str, Any]]]


def _basic() -> Problems:
    yield "one-dimension", "the smallest problem", _header([[1.0], [2.0], [-5.0]], 0.25)
    yield "two-dimensions", "an ordinary small problem", _header(_SQUARE, 0.2)
    yield "one-point", "n = d = 1", _header([[3.0]], 0.3)
    yield "identity", "as many points as dimensions", _header(_grid(3, 3), 0.25)


def _dimensions() -> Problems:
    for d in range(1, 17):
        yield f"dimension-{d}", f"d = {d}", _header(_grid(d + 4, d), 0.375, unlabelled=d, seed=d)


def _scales() -> Problems:
    ridge = [[1.0, 2.0], [0.0, 1.0], [3.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    scales, zero = [1.0, 1.0, 1.0, 0.5, 0.5], [1.0, 2.0, 0.0, 0.5]
    yield "ridge", "ridge regression", _header(ridge, 0.2, unlabelled=3, scales=scales)
    yield "zero-scale", "a point that is scaled to zero", _header(_SQUARE, 0.25, scales=zero)


def _degenerate() -> Problems:
    nothing = [0.0, 0.0]
    dependent = [[*row, row[0] + row[1]] for row in _SQUARE]
    rank = "d is the rank of X, not its number of columns"
    yield "no-unlabelled", "X_1 is empty", _header(_SQUARE, 0.25, unlabelled=0)
    yield "duplicates", "every point twice", _header(_SQUARE * 2, 0.25, unlabelled=4)
    yield "zero-row", "zero points", _header([nothing, *_SQUARE, nothing], 0.25)
    yield "rank-deficient", rank, _header(dependent, 0.25)


def _conditioning() -> Problems:
    skew = [[1.0, 1e3], [0.0, 1.0], [1.0, 0.0]]
    unequal = [[1e6, 0.0], [0.0, 1e-3], [1e6, 1e-3]]
    yield "skew", "nearly dependent columns", _header(skew, 0.25)
    yield "scaled", "columns of different size", _header(unequal, 0.25)


def _gamma() -> Problems:
    yield "gamma-large", "gamma near 1/2", _header(_SQUARE, 0.49)
    yield "gamma-largest", "gamma nearer to 1/2", _header(_SQUARE, 0.4999)
    yield "gamma-small", "gamma near 0", _header([[1.0], [-2.0], [3.0]], 0.05)


def _stopping() -> Problems:
    yield "sure", "the stopping rule `sure`", _header(_SQUARE, 0.2, level=1.0)
    yield "sure-half", "a level of `sure` below 1", _header(_SQUARE, 0.2, level=0.5)
    yield "sure-double", "a level of `sure` above 1", _header(_SQUARE, 0.3, level=2.0)


def recorded() -> tuple[Case, ...]:
    """Where implementations break, by feature; every one is a vector, too."""
    features = {
        "basic": _basic(),
        "dimensions": _dimensions(),
        "scales": _scales(),
        "degenerate": _degenerate(),
        "conditioning": _conditioning(),
        "gamma": _gamma(),
        "stopping": _stopping(),
    }
    return tuple(
        Case(name, meaning, header, flags=(feature,))
        for feature, cases in features.items()
        for name, meaning, header in cases
    )


def boundary() -> tuple[Case, ...]:
    """The recorded cases, and what is too long to be recorded."""
    long = "gamma nearer to 0: a run of a thousand iterations"
    return (*recorded(), Case("gamma-smallest", long, _header(_SQUARE, 0.04), flags=("gamma",)))


SMOKE = ("one-dimension", "two-dimensions", "ridge")


def random_case(seed: int, k: int) -> Case:
    """One random problem; the same for the same seed and number."""
    rng = np.random.default_rng([seed, k])
    d = int(rng.integers(1, 6))
    n = d + int(rng.integers(1, 12))
    points = np.round(rng.standard_normal((n, d)) * 64) / 64
    while np.linalg.matrix_rank(points) < d:
        points = np.round(rng.standard_normal((n, d)) * 64) / 64
    gamma = float(np.round(rng.uniform(0.12, 0.45), 3))
    labels = (np.round(rng.standard_normal(n) * 16) / 16).tolist()
    level = float(rng.choice([0.5, 1.0])) if rng.random() < 0.25 else None
    header = _header(
        points.tolist(),
        gamma,
        unlabelled=int(rng.integers(0, n + 1)),
        scales=(rng.integers(1, 5, n) / 2.0).tolist() if rng.random() < 0.3 else None,
        labels=labels,
        level=level,
        seed=int(rng.integers(0, 2**31)),
    )
    return Case(f"random-{seed}-{k}", "a random problem", header)
