"""`asura run --arithmetic double` against a plain NumPy loop by BLAS, in one run: at most twice.

    python -m tests.benchmarks.double_at_scale [--rows 10000] [--columns 30]

Both do the same work: whiten, then the same uniforms, the same stopping rule and so the same picks,
which is checked. Measured twice: in memory, from an array of doubles to the run; and as two
processes that read the same CSV file, where `asura run` also decides its certificate and R_X
exactly.
Reading is counted on both sides, in processor time, with one thread each.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Result = TypeVar("Result")

GAMMA = Fraction(1, 8)
SEED = 0


def fast_loop(points: Doubles, gamma: float, uniforms: Doubles) -> list[int]:
    """Algorithm 2 in NumPy, as somebody would write it who wants it fast."""
    basis = np.linalg.svd(points, full_matrices=False)[0]
    dimension = basis.shape[1]
    identity = np.eye(dimension)
    upper, lower = 2 * dimension / gamma, -2 * dimension / gamma
    accumulated = np.zeros((dimension, dimension))
    total = 0.0
    picks: list[int] = []
    while upper - lower + total < 8 * dimension / gamma:
        bracket = np.linalg.inv(upper * identity - accumulated)
        bracket += np.linalg.inv(accumulated - lower * identity)
        potential = float(np.trace(bracket))
        masses = np.einsum("ni,ni->n", basis @ bracket, basis)
        target = uniforms[len(picks)] * potential
        pick = min(int(np.searchsorted(np.cumsum(masses), target, side="right")), len(points) - 1)
        row = basis[pick]
        accumulated += (gamma / masses[pick]) * np.outer(row, row)
        upper += gamma / (1 - 2 * gamma) / potential
        lower += gamma / (1 + 2 * gamma) / potential
        total += potential
        picks.append(pick)
    return picks


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """A result, and the processor time that it took here and in other processes."""
    before = _spent()
    result = work()
    return result, _spent() - before


def _spent() -> float:
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def in_memory(points: Doubles, uniforms: Doubles) -> float:
    """From an array of doubles to the run."""
    from asura.arithmetic import DoubleArithmetic
    from asura.blas_threads import one_blas_thread
    from asura.dataset import dataset
    from asura.randomness import Seed
    from asura.run import run

    with one_blas_thread():
        picks, loop = timed(lambda: fast_loop(points, float(GAMMA), uniforms))
        data, reading = timed(lambda: dataset(points.tolist()))
        _, whitening = timed(lambda: data.whitened)
        done, running = timed(
            lambda: run(data, GAMMA, arithmetic=DoubleArithmetic(), chooser=Seed(SEED))
        )
    ours = reading + whitening + running
    print(f"loop by BLAS: {loop:.2f} s for {len(picks)} iterations")
    print(
        f"asura.run in doubles: {ours:.2f} s for {done.length} iterations (reading {reading:.2f}, "
        f"whitening {whitening:.2f}, the run {running:.2f}); "
        f"{'the same picks' if list(done.picks) == picks else 'OTHER PICKS'}"
    )
    return ours / loop


def _output(command: list[str]) -> str:
    """What a program prints that has one thread."""
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env=alone, check=True, capture_output=True, text=True).stdout


def as_processes(points: Doubles, uniforms: Doubles) -> float:
    """From a CSV file to the labels to query."""
    with tempfile.TemporaryDirectory() as folder:
        table, drawn = Path(folder, "points.csv"), Path(folder, "uniforms.npy")
        np.savetxt(table, points, delimiter=",", fmt="%.6f")
        np.save(drawn, uniforms)
        loop = [__file__, "--loop", str(table), str(drawn)]
        command = [str(Path(sys.executable).with_name("asura")), "run", "--points", str(table)]
        command += ["--arithmetic", "double", "--gamma", str(GAMMA), "--seed", str(SEED)]
        times = []
        for name, arguments in (
            ("the loop as a program", [sys.executable, *loop]),
            ("asura run", command),
        ):
            found, seconds = timed(partial(_output, arguments))
            (labels,) = [line for line in found.splitlines() if "distinct" in line]
            print(f"{name}: {seconds:.2f} s, {labels.removeprefix('labels to query').strip()}")
            times.append(seconds)
    return times[1] / times[0]


def main() -> None:
    """Print the times and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--loop", nargs=2, metavar="FILE", help="only the loop, on these files")
    options = parser.parse_args()
    if options.loop:
        points = np.loadtxt(options.loop[0], delimiter=",")
        picks = fast_loop(points, float(GAMMA), np.load(options.loop[1]))
        print(f"{len(set(picks))} distinct, {len(picks)} draws")
        return
    from asura.randomness import Seed
    from asura.run import longest

    points = np.random.default_rng(0).standard_normal((options.rows, options.columns)).round(6)
    most = range(longest(options.columns, GAMMA))
    uniforms = np.array([float(Seed(SEED).draw(j).interval(53).low) for j in most])
    print(f"in memory: {in_memory(points, uniforms):.2f} of the loop by BLAS, at most 2")
    print(f"as processes: {as_processes(points, uniforms):.2f} of the loop by BLAS, at most 2")


if __name__ == "__main__":
    main()
