"""`python -m tests.benchmarks.samplers`: volume sampling against enumeration, and against one QR.

Exact: one draw by reverse removal against listing every set of size s with its determinant.
Doubles: one volume sample of size 40 at n = 10^5, d = 20, against one QR of the same data.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

import numpy as np
from rich.console import Console

from asura.dataset import Dataset
from asura.randomness import Seed
from asura.samplers.doubles import draw
from asura.samplers.volume import VolumeSampling, determinant
from asura.scalars import rational
from tests.benchmarks.__main__ import random_data, seconds, table

console = Console()


def every_set(data: Dataset, size: int) -> int:
    """The determinants of all sets: what a sampler without removals would compute."""
    one = rational(Fraction(1))
    return sum(
        determinant(data, [(i, one) for i in chosen]) != 0
        for chosen in itertools.combinations(range(data.size), size)
    )


def bench_exact() -> None:
    """Exact volume sampling against enumeration."""
    rows = table("exact volume sampling", "n", "d", "s", "sets", "one draw ms", "all sets ms", "x")
    for count, dimension, size in ((10, 2, 3), (14, 2, 4), (16, 3, 5), (18, 3, 6)):
        data = random_data(dimension, count)
        ours, listed = seconds(
            partial(VolumeSampling(size).sample, data, Seed(1)), partial(every_set, data, size)
        )
        sets = sum(1 for _ in itertools.combinations(range(count), size))
        rows.add_row(
            *map(str, (count, dimension, size, sets)),
            f"{ours * 1e3:.2f}",
            f"{listed * 1e3:.1f}",
            f"{listed / ours:.0f}x",
        )
    console.print(rows)


def bench_doubles(count: int = 100_000, dimension: int = 20) -> None:
    """The double path against one QR of the same data."""
    points = np.random.default_rng(1).standard_normal((count, dimension))
    ridged = np.vstack([points, np.eye(dimension)])
    works = {
        "volume, s = 40": partial(draw, "volume", points, count, 40, Seed(1)),
        "leverage, 100 draws": partial(draw, "leverage-iid", points, count, 100, Seed(1)),
        "leverage, coins": partial(draw, "leverage", points, count, 100, Seed(1)),
        "k-DPP, k = 20": partial(draw, "k-dpp", ridged, count, 20, Seed(1)),
        "leveraged volume, k = 40": partial(draw, "leveraged-volume", points, count, 40, Seed(1)),
    }
    factor, *spent = seconds(partial(np.linalg.qr, points), *works.values())
    rows = table(f"doubles, n = {count}, d = {dimension}", "sampler", "ms", "of one QR")
    rows.add_row("QR", f"{factor * 1e3:.0f}", "1.0")
    for name, time in zip(works, spent, strict=True):
        rows.add_row(name, f"{time * 1e3:.0f}", f"{time / factor:.1f}")
    console.print(rows)


if __name__ == "__main__":
    bench_exact()
    bench_doubles()
