"""`asura run --arithmetic double` against a plain NumPy loop, in one run: at most twice.

    python -m tests.benchmarks.double_at_scale [--rows 10000] [--columns 30]

There are two loops: the plain one of `make bench`, and one whose products BLAS likes.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from asura.arithmetic import DoubleArithmetic
from asura.dataset import dataset
from asura.engine.threads import one_blas_thread
from asura.run import run
from tests.benchmarks.plain import Doubles, numpy_run


def fast_loop(points: Doubles, gamma: float, seed: int) -> int:
    """Algorithm 2 in NumPy, as somebody would write it who wants it fast."""
    random = np.random.default_rng(seed)
    basis = np.linalg.svd(points, full_matrices=False)[0]
    dimension = basis.shape[1]
    identity = np.eye(dimension)
    upper, lower = 2 * dimension / gamma, -2 * dimension / gamma
    accumulated = np.zeros((dimension, dimension))
    total, length = 0.0, 0
    while upper - lower + total < 8 * dimension / gamma:
        bracket = np.linalg.inv(upper * identity - accumulated)
        bracket += np.linalg.inv(accumulated - lower * identity)
        potential = float(np.trace(bracket))
        masses = np.einsum("ni,ni->n", basis @ bracket, basis)
        pick = int(np.searchsorted(np.cumsum(masses), random.random() * potential, side="right"))
        row = basis[min(pick, len(points) - 1)]
        accumulated += (gamma / masses[pick]) * np.outer(row, row)
        upper += gamma / (1 - 2 * gamma) / potential
        lower += gamma / (1 + 2 * gamma) / potential
        total += potential
        length += 1
    return length


@one_blas_thread()
def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=30)
    options = parser.parse_args()
    points = np.random.default_rng(0).standard_normal((options.rows, options.columns)).round(6)
    start = time.process_time()
    length = fast_loop(points, 1 / 8, 0)
    loop = time.process_time() - start
    print(f"loop by BLAS: {loop:.2f} s for {length} iterations")
    uniforms = np.random.default_rng(0).random(2 * length).tolist()
    start = time.process_time()
    length = len(numpy_run(points, 1 / 8, uniforms).picks)
    plain = time.process_time() - start
    print(f"plain loop: {plain:.2f} s for {length} iterations")
    start = time.process_time()
    data = dataset(points.tolist())
    read = time.process_time() - start
    whitened = data.whitened.dimension
    white = time.process_time() - start
    done = run(data, "1/8", arithmetic=DoubleArithmetic())
    ours = time.process_time() - start
    print(
        f"asura run, double: {ours:.2f} s for {done.length} iterations (reading {read:.2f}, "
        f"whitening {white - read:.2f} in {whitened} dimensions); "
        f"{ours / plain:.2f} of the plain loop, {ours / loop:.2f} of the one by BLAS"
    )


if __name__ == "__main__":
    main()
