"""What a plan for n = 10^9 rows would cost, computed from parts that are measured here.

    python -m tests.benchmarks.plan_cost [--rows 1000000000]

Passes: one for G, one for H_1, H_2 and the leverages, one for the certificate, one for the hash of
the table. Their time is that of one block times the number of blocks: they share nothing but a
small sum, so that c cores take 1/c of it. What does not depend on n (the trials, the final draw) is
measured as it is. Memory is what the coordinator keeps per row.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable

import numpy as np

from asura.blas_threads import one_blas_thread
from asura.engine import memory
from asura.engine.coin_draws import CoinDraws, threshold
from asura.engine.free_draws import Pool
from asura.engine.gram import sides, spectrum, whiten
from asura.engine.rows import ArrayRows
from asura.kept.trials import FREE

_BLOCK = 40_000


def _seconds(work: Callable[[], object], times: int = 5) -> float:
    """The processor time of one call, the median of a few."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return float(np.median(taken))


@one_blas_thread()
def costs(rows: int, columns: int, budget: int) -> None:
    """One line of the table."""
    points = np.random.default_rng(0).standard_normal((_BLOCK, columns))
    table, nobody, penalty = ArrayRows(points), np.zeros(_BLOCK, bool), np.ones(columns)
    whitening = whiten(table, penalty)
    first = _seconds(lambda: whiten(table, penalty))
    second = _seconds(lambda: sides(table, whitening, nobody, penalty))
    hashed = _seconds(lambda: hashlib.sha256(points.data).hexdigest())
    found = spectrum(table, nobody, penalty)
    pool = Pool(table, np.arange(_BLOCK), found)
    procedure = CoinDraws(pool, 0, threshold(found.leverages, 0.9 * budget))

    def trial() -> None:
        drawn = procedure.draw(FREE, 1)
        pool.proved(pool.side(drawn.picks, drawn.weights), 0.01)

    trial()
    blocks = rows / _BLOCK
    hours = blocks * (first + 2 * second + hashed) / 3600
    trials = 424 * _seconds(trial)
    print(
        f"n = {rows:.0e}, d = {columns}, budget {budget}: {8 * rows * columns / 2**40:.2f} TiB of "
        f"doubles; {hours:.2f} core hours (G {blocks * first / 3600:.2f}, leverages "
        f"{blocks * second / 3600:.2f}, certificate {blocks * second / 3600:.2f}, hash "
        f"{blocks * hashed / 3600:.2f}); trials {trials / 60:.2f} core minutes; coordinator "
        f"{memory.BYTES_PER_ROW * rows / 2**30:.0f} GiB",
        flush=True,
    )


def main() -> None:
    """A few widths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**9)
    options = parser.parse_args()
    for columns, budget in ((20, 400), (50, 1000), (200, 4000)):
        costs(options.rows, columns, budget)


if __name__ == "__main__":
    main()
