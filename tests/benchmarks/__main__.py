"""`make bench`: ratios of running times, measured in one run, and how each grows."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from asura.algorithm2_asura import Asura
from asura.arithmetic import EXACT, BallArithmetic, MultiprecisionArithmetic
from asura.arithmetic.exact import rational_form
from asura.dataset import Dataset, dataset
from asura.randomness import Seed
from asura.run import run
from asura.scalars import fraction
from tests.benchmarks.plain import Matrix, fraction_gram, fraction_step, numpy_run

console = Console()
SECONDS = 0.4


def seconds(*works: Callable[[], object]) -> list[float]:
    """The best processor time of one call of each, timed in turns so that they share the noise."""
    for work in works:
        work()
    best = [float("inf")] * len(works)
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS * len(works):
        for place, work in enumerate(works):
            before = time.process_time()
            work()
            best[place] = min(best[place], time.process_time() - before)
    return best


def random_data(dimension: int, size: int, seed: int = 1) -> Dataset:
    """Points with small integer coordinates."""
    generator = random.Random(seed)  # noqa: S311 - a benchmark, not a secret
    rows = [[generator.randint(-9, 9) for _ in range(dimension)] for _ in range(size)]
    return dataset(rows, unlabelled=size // 2)


def exact_step(data: Dataset, gamma: Fraction) -> tuple[Callable[[], object], Callable[[], object]]:
    """One step from a dyadic state of 53 bits: ours, and with plain Fractions."""
    algorithm = Asura(data, gamma, EXACT)
    state = algorithm.initial()
    for pick in range(3):
        state = algorithm.step(state, pick)
    rounded = [
        [Fraction(float(fraction(x))) for x in row] for row in state.accumulated.matrix().tolist()
    ]
    symmetric: Matrix = [
        [rounded[min(i, k)][max(i, k)] for k in range(len(rounded))] for i in range(len(rounded))
    ]
    upper, lower = (Fraction(float(fraction(x))) for x in (state.upper, state.lower))
    from flint import fmpq, fmpq_mat

    form = rational_form(
        fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in symmetric])
    )
    dyadic = type(state)(form, EXACT.scalar(upper), EXACT.scalar(lower), state.potential_sum, 3)

    def ours() -> object:
        drawn = algorithm.distribution(dyadic)
        after = algorithm.step(dyadic, 0, drawn)
        return algorithm.within_barriers(after)

    gram = fraction_gram(data.points)

    def plain() -> object:
        return fraction_step(data.points, gram, gamma, symmetric, upper, lower, 0)

    return ours, plain


def table(title: str, *columns: str) -> Table:
    """An empty table."""
    result = Table(title=title, title_justify="left", pad_edge=False)
    for column in columns:
        result.add_column(column, justify="right")
    return result


def bench_exact() -> None:
    """One exact step, its definiteness check included, against plain Fractions without it."""
    rows = table("exact step", "d", "n", "ours ms", "Fraction ms", "ratio")
    for dimension, size in ((2, 64), (4, 16), (4, 64), (4, 256), (8, 64)):
        ours, plain = exact_step(random_data(dimension, size), Fraction(1, 8))
        fast, slow = seconds(ours, plain)
        rows.add_row(
            str(dimension),
            str(size),
            f"{fast * 1e3:.3f}",
            f"{slow * 1e3:.1f}",
            f"{slow / fast:.0f}x",
        )
    console.print(rows)


def bench_ball() -> None:
    """A whole certified run against the same run in mpmath at the same precision."""
    rows = table("ball run, 128 bits", "d", "n", "1/gamma", "m", "ours ms", "mpmath ms", "ratio")
    for dimension, size, inverse in ((2, 12, 8), (4, 12, 4), (4, 12, 8), (4, 48, 4), (8, 24, 4)):
        data = random_data(dimension, size)
        _ = data.whitened
        gamma = Fraction(1, inverse)
        length = run(data, gamma, chooser=Seed(1)).length
        fast, slow = seconds(
            partial(run, data, gamma, chooser=Seed(1)),
            partial(run, data, gamma, chooser=Seed(1), arithmetic=MultiprecisionArithmetic(38)),
        )
        rows.add_row(
            *map(str, (dimension, size, inverse, length)),
            f"{fast * 1e3:.2f}",
            f"{slow * 1e3:.0f}",
            f"{slow / fast:.0f}x",
        )
    console.print(rows)


def bench_small_runs() -> None:
    """Small certified runs a second, set-up included, against plain NumPy ones."""
    rows = table("small runs a second", "d", "n", "1/gamma", "certified", "NumPy", "ratio")
    totals = [0.0, 0.0]
    for dimension, size, inverse in ((1, 4, 4), (2, 8, 4), (3, 9, 4), (4, 12, 4), (4, 12, 8)):
        data = random_data(dimension, size)
        points = np.array([[float(x) for x in row] for row in data.points])
        uniforms = [float(Seed(1).draw(j).interval(53).low) for j in range(2000)]

        def certified(source: Dataset = data, gamma: Fraction = Fraction(1, inverse)) -> object:
            fresh = Dataset(source.points, source.unlabelled, source.squared_scales, source.labels)
            return run(fresh, gamma, chooser=Seed(1), arithmetic=BallArithmetic()).certificate

        def plain(
            rows_: np.ndarray = points, gamma: float = 1 / inverse, r: list[float] = uniforms
        ) -> object:
            return numpy_run(rows_, gamma, r)

        ours, theirs = seconds(certified, plain)
        totals = [totals[0] + ours, totals[1] + theirs]
        rows.add_row(
            *map(str, (dimension, size, inverse)),
            f"{1 / ours:.0f}",
            f"{1 / theirs:.0f}",
            f"{theirs / ours:.2f}x",
        )
    rows.add_row("all", "", "", "", "", f"{totals[1] / totals[0]:.2f}x")
    console.print(rows)


def bench_growth() -> None:
    """How a certified run grows with n, d and 1/gamma."""
    rows = table("growth of a ball run", "d", "n", "1/gamma", "m", "ms", "us a step")
    for dimension, size, inverse in (
        (2, 16, 4), (2, 64, 4), (2, 256, 4),
        (4, 64, 4), (8, 64, 4), (16, 64, 4),
        (4, 64, 8), (4, 64, 16), (4, 64, 32),
    ):  # fmt: skip
        data = random_data(dimension, size)
        _ = data.whitened
        gamma = Fraction(1, inverse)
        length = run(data, gamma).length
        (spent,) = seconds(partial(run, data, gamma))
        rows.add_row(
            *map(str, (dimension, size, inverse, length)),
            f"{spent * 1e3:.1f}",
            f"{spent * 1e6 / length:.0f}",
        )
    console.print(rows)


if __name__ == "__main__":
    bench_exact()
    bench_ball()
    bench_small_runs()
    bench_growth()
