"""The cases that an implementation is asked to run, and those that no vector records."""

from __future__ import annotations

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
    flags: tuple[str, ...] = ()
    slugs: tuple[str, ...] = ()
    picks: tuple[int, ...] | None = None  # what a vector records


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


def boundary() -> tuple[Case, ...]:
    """Where implementations break."""
    square = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]]
    eye = [[float(i == k) for k in range(3)] for i in range(3)]
    rng = np.random.default_rng(16)
    wide = rng.integers(-3, 4, (12, 6)).astype(float).tolist()
    big = rng.integers(-3, 4, (24, 16)).astype(float).tolist()
    unequal = [[1e6, 0.0], [0.0, 1e-3], [1e6, 1e-3]]
    ridge = [[1.0, 2.0], [0.0, 1.0], [3.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    return (
        Case("one-dimension", "the smallest problem", _header([[1.0], [2.0], [-5.0]], 0.25)),
        Case("two-dimensions", "an ordinary small problem", _header(square, 0.2)),
        Case("one-point", "n = d = 1", _header([[3.0]], 0.3)),
        Case("identity", "as many points as dimensions", _header(eye, 0.25)),
        Case(
            "ridge",
            "points are sqrt(c) x",
            _header(ridge, 0.2, unlabelled=3, scales=[1.0, 1.0, 1.0, 0.5, 0.5]),
        ),
        Case("no-unlabelled", "X_1 may be empty", _header(square, 0.25, unlabelled=0)),
        Case(
            "duplicates", "equal points share nothing", _header(square + square, 0.25, unlabelled=4)
        ),
        Case(
            "zero-row",
            "a zero point has probability 0 and is never picked",
            _header([[0.0, 0.0], *square, [0.0, 0.0]], 0.25),
        ),
        Case(
            "rank-deficient",
            "d is the rank of X, not its number of columns",
            _header([[*row, row[0] + row[1]] for row in square], 0.25),
        ),
        Case("gamma-large", "gamma near 1/2", _header(square, 0.49)),
        Case("gamma-small", "gamma small: a long run", _header(square, 0.04)),
        Case("skew", "badly conditioned data", _header([[1.0, 1e3], [0.0, 1.0], [1.0, 0.0]], 0.25)),
        Case("scaled", "columns of different size", _header(unequal, 0.25)),
        Case("six-dimensions", "more dimensions", _header(wide, 0.25)),
        Case("sixteen-dimensions", "many dimensions", _header(big, 0.3)),
        Case("sure", "the stopping rule `sure`", _header(square, 0.2, level=1.0)),
        Case("sure-half", "the level of `sure`", _header(square, 0.2, level=0.5)),
    )  # fmt: skip


SMOKE = ("one-dimension", "two-dimensions", "ridge")


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Random problems; the same for the same seed."""
    for k in range(count):
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
        yield Case(f"random-{seed}-{k}", "a random problem", header)
