"""What a plan costs at scale, as ratios within one run.

    python -m tests.benchmarks.plan_at_scale [--rows 1000000] [--no-svd] [--own-rows]

1. A plan with its certificate (gram, leverages, two hundred free trials, final draw, proof)
   against one NumPy SVD of the same matrix: at most 0.5.
2. One free trial at n = 10^4, ..., 10^7: flat.
3. Kernel ridge at N = 5,000, budget 300, against one eigh of K: at most 3.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from asura.blas_threads import one_blas_thread
from asura.engine import plan
from asura.engine.coin_draws import CoinDraws, threshold
from asura.engine.free_draws import Pool
from asura.engine.gram import Spectrum, spectrum
from asura.engine.kernels import GaussianKernel
from asura.engine.rows import ArrayRows
from asura.kept.trials import FREE


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The time of one call, and what it returned."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def against_svd(rows: int, columns: int, budget: int, svd: bool) -> None:
    """A whole plan, and a singular value decomposition."""
    points = np.random.default_rng(0).standard_normal((rows, columns))
    stages: dict[str, float] = {}
    last = time.perf_counter()

    def progress(stage: str, _share: float) -> None:
        nonlocal last
        now = time.perf_counter()
        stages[stage] = stages.get(stage, 0.0) + now - last
        last = now

    took, chosen = seconds(
        lambda: plan(points, budget=budget, ridge=1.0, trials=200, progress=progress)
    )
    told = ", ".join(f"{name} {spent:.1f}" for name, spent in stages.items())
    print(f"plan of {rows} x {columns}, budget {budget}: {took:.1f} s ({told})", flush=True)
    print(f"  {chosen!r}; {chosen.record.certificate}", flush=True)
    if svd:
        compared, _ = seconds(lambda: np.linalg.svd(points, full_matrices=False))
        print(f"  one SVD: {compared:.1f} s; ratio {took / compared:.3f} (at most 0.5)", flush=True)


def _trial(procedure: CoinDraws, number: int) -> list[float]:
    """When the parts of one trial end: the draw, its rows with their Gram matrix, the proof."""
    times = [time.perf_counter()]
    drawn = procedure.draw(FREE, number)
    times.append(time.perf_counter())
    sample = procedure.pool.side(drawn.picks, drawn.weights)
    times.append(time.perf_counter())
    procedure.pool.proved(sample, 0.01)  # true, so that the factorisation runs to its end
    times.append(time.perf_counter())
    return [after - before for before, after in itertools.pairwise(times)]


@one_blas_thread()
def flat_trials(columns: int, budget: int, own_rows: bool) -> None:
    """One free trial for growing pools: 10^5 rows, many times over in the larger ones.

    With `own_rows` every row has a place of its own in memory, as in a table of that size.
    What a trial reads (rows, leverages, the guide of the search) lies in the caches at n = 10^4 and
    in memory from 10^6 on, so that a trial of few operations costs some more: the fetches. The
    sizes take turns, so that whatever else the machine does falls on all of them.
    """
    base = np.random.default_rng(1).standard_normal((100_000, columns))
    found = spectrum(ArrayRows(base), np.zeros(len(base), bool), np.ones(columns))
    sizes = (10**4, 10**5, 10**6, 10**7)
    points = base
    if own_rows:
        points = np.empty((sizes[-1], columns))
        for start in range(0, sizes[-1], len(base)):
            points[start : start + len(base)] = base
    procedures = []
    for rows in sizes:
        leverages = np.minimum(np.resize(found.leverages * (len(base) / rows), rows), 1)
        stretched = Spectrum(found.whitening, found.bought, found.kept, found.floor, leverages)
        places = np.arange(rows) if own_rows else np.resize(np.arange(len(base)), rows)
        pool = Pool(ArrayRows(points), places, stretched)
        procedures.append(CoinDraws(pool, 3, threshold(leverages, budget * 0.9)))
        _trial(procedures[-1], 0)  # what is computed once
    times = [[_trial(each, number) for each in procedures] for number in range(1, 60)]
    medians = np.median(times, axis=0)
    for rows, parts in zip(sizes, medians, strict=True):
        told = ", ".join(
            f"{name} {1e3 * part:.2f}"
            for name, part in zip(("draw", "rows and Gram", "proof"), parts, strict=True)
        )
        took = float(parts.sum())
        print(
            f"trial at n = {rows:>9}, d = {columns}, {budget} labels: {1e3 * took:.2f} ms "
            f"({told}), {took / float(medians[0].sum()):.2f} of the first",
            flush=True,
        )


def kernel(size: int = 5000, budget: int = 300) -> None:
    """A kernel plan against one symmetric eigenvalue decomposition."""
    points = np.random.default_rng(2).standard_normal((size, 5))
    took, chosen = seconds(
        lambda: plan(points, kernel="rbf", length=3.0, ridge=1.0, budget=budget, trials=200)
    )
    print(f"kernel plan, N = {size}, budget {budget}: {took:.1f} s; {chosen!r}", flush=True)
    matrix = GaussianKernel(points, 3.0).between(points, points)
    compared, _ = seconds(lambda: linalg.eigh(matrix))
    print(f"  one eigh: {compared:.1f} s; ratio {took / compared:.3f} (at most 3)")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--only-trials", action="store_true")
    parser.add_argument("--own-rows", action="store_true", help="10^7 rows in memory: 16 GB")
    parser.add_argument("--no-svd", action="store_true")
    parser.add_argument("--no-kernel", action="store_true")
    options = parser.parse_args()
    flat_trials(50, 500, options.own_rows)
    flat_trials(200, 2000, options.own_rows)
    if options.only_trials:
        return
    against_svd(options.rows, options.columns, options.budget, not options.no_svd)
    if not options.no_kernel:
        kernel()


if __name__ == "__main__":
    main()
