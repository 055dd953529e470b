"""Kernel ridge in the reference: whole runs on points of an RBF kernel, part by part.

    python -m tests.benchmarks.kernel_runs [--large]

Processor seconds of one run each, not counting the imports. `--large` adds 442 points. A step in
doubles costs n d times the few points taken since the last eigenbasis. A run in balls is decided in
doubles with proved bounds, where such a step costs about twice that; the last column names what
decided it (53 bits, or more where the doubles left something open).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from asura.arithmetic import Arithmetic, DoubleArithmetic
from asura.blas_threads import one_blas_thread
from asura.dataset import Dataset, kernel_ridge
from asura.kept.runs import kept_run
from asura.kept.variants import one_sided, two_sided
from asura.randomness import Seed
from asura.rbf import rbf_kernel
from asura.run import run

LENGTH = 2


@dataclass(frozen=True)
class Timed:
    """A result, and the processor seconds that it took."""

    value: Any
    seconds: float


def timed(work: Callable[[], Any]) -> Timed:
    """Call once."""
    start = time.process_time()
    value = work()
    return Timed(value, time.process_time() - start)


def random_points(size: int) -> list[list[float]]:
    """Standard normal points in ten dimensions, to three places."""
    values: list[list[float]] = (
        np.random.default_rng(1).standard_normal((size, 10)).round(3).tolist()
    )
    return values


def algorithm_2(data: Dataset, gamma: str, arithmetic: Arithmetic[Any, Any] | None) -> Any:
    """A run with its certificate."""
    done = run(data, gamma, arithmetic=arithmetic, chooser=Seed(1))
    return done, done.certificate


def one_sided_run(data: Dataset, draws: int) -> Any:
    """K2 in balls."""
    return (kept_run(data, one_sided(data, draws, "1/2"), chooser=Seed(1)),)


def two_sided_run(data: Dataset) -> Any:
    """K1 in balls."""
    return (kept_run(data, two_sided(data, "2/5"), chooser=Seed(1)),)


@one_blas_thread()
def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    large = parser.parse_args().large
    table = Table(title="kernel ridge, seconds", title_justify="left", pad_edge=False)
    for column in ("N", "what", "kernel", "rank", "run", "steps", "all", "bits"):
        table.add_column(column, justify="right")
    double = DoubleArithmetic()
    for size in (60, 442) if large else (60,):
        draws = 30 if size == 60 else 200
        works: dict[str, Callable[[Dataset], Any]] = {
            "Algorithm 2, 1/4, doubles": lambda data: algorithm_2(data, "1/4", double),
            "Algorithm 2, 9/20, balls": lambda data: algorithm_2(data, "9/20", None),
            "Algorithm 2, 2/5, balls": lambda data: algorithm_2(data, "2/5", None),
            "Algorithm 2, 1/4, balls": lambda data: algorithm_2(data, "1/4", None),
            f"K2, {draws} draws, balls": partial(one_sided_run, draws=draws),
            "K1, 2/5, balls": two_sided_run,
        }
        for name, work in works.items():
            kernel = timed(partial(rbf_kernel, random_points(size), LENGTH))
            data = timed(partial(kernel_ridge, kernel.value, 1))
            done = timed(partial(work, data.value))
            parts = [kernel.seconds, data.seconds, done.seconds]
            steps = str(done.value[0].length)
            seconds = [f"{part:.2f}" for part in parts]
            bits = str(done.value[0].arithmetic.precision)
            table.add_row(str(size), name, *seconds, steps, f"{sum(parts):.2f}", bits)
    Console().print(table)


if __name__ == "__main__":
    main()
