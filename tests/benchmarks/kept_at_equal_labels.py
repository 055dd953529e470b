"""K2 against ASURA at equal expected labels, in balls and in doubles.

`python -m tests.benchmarks.kept_at_equal_labels` prints the table.

ASURA draws from all of X, K2 from X_1 alone, so a run has about N draws in place of N d/R. The
data have R much smaller than d: a few light points of X_1 beside kept rows along every axis.
Times are those of whole runs, the best of several, in turns.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import Any

from asura.arithmetic import Arithmetic, BallArithmetic, DoubleArithmetic
from asura.dataset import Dataset, ridge
from asura.dimensions import reduced_rank
from asura.guarantees import sure_labels
from asura.kept.runs import kept_run
from asura.kept.variants import one_sided
from asura.randomness import Seed
from asura.run import run
from asura.stopping import sure
from tests.benchmarks.__main__ import console, seconds, table

GAMMA, NU = Fraction(1, 5), Fraction(1, 4)


def light_pool(dimension: int, size: int, weight: int) -> Dataset:
    """Points with small integers beside a ridge that outweighs them."""
    generator = random.Random(3)  # noqa: S311 - a benchmark, not a secret
    rows = [[generator.randint(-1, 1) for _ in range(dimension)] for _ in range(size)]
    return ridge(rows, weight)


def bench_kept() -> None:
    """The same bound on E labels for both: that of ASURA under the sure rule."""
    rows = table(
        "K2 against ASURA, equal expected labels",
        *("d", "R", "E labels", "ASURA draws", "K2 draws"),
        *("balls ms", "K2 balls ms", "ratio", "doubles ms", "K2 doubles ms", "ratio"),
    )
    for dimension, size, weight in ((6, 12, 40), (12, 16, 100), (24, 20, 300)):
        data = light_pool(dimension, size, weight)
        _ = data.whitened
        rank = reduced_rank(data)
        labels = sure_labels(GAMMA, Fraction(1), dimension) * rank
        variant = one_sided(data, labels, NU)
        cells = [str(dimension), f"{float(rank):.2f}", f"{float(labels):.1f}"]
        times: list[str] = []
        kinds: tuple[Arithmetic[Any, Any], ...] = (BallArithmetic(), DoubleArithmetic())
        for numbers in kinds:
            whole = partial(run, data, GAMMA, stopping=sure(), arithmetic=numbers, chooser=Seed(1))
            kept = partial(kept_run, data, variant, arithmetic=numbers, chooser=Seed(1))
            if not times:
                cells += [str(whole().length), str(kept().length)]
            slow, fast = seconds(whole, kept)
            times += [f"{slow * 1e3:.1f}", f"{fast * 1e3:.1f}", f"{slow / fast:.1f}x"]
        rows.add_row(*cells, *times)
    console.print(rows)


if __name__ == "__main__":
    bench_kept()
