"""Labels paid for against the reduced rank, for ridge and kernel ridge regression over lambda."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from matplotlib.figure import Figure

from asura.dataset import Dataset, kernel_ridge, ridge
from asura.dimensions import reduced_rank
from asura.randomness import Seed
from asura.run import run
from asura.sampling import leverage_sampling
from asura.scalars import point
from asura.stopping import PAPER, sure
from asura_verify.experiments import plots
from asura_verify.experiments.data import (
    KERNELS,
    Table,
    diabetes,
    exact_kernel,
    linnerud,
    rational_rows,
    spread,
)
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    columns,
    distinct,
    job_seed,
    mean,
    number,
    outward,
    repeats,
)

GAMMA = Fraction(1, 6)
#: The accuracy that gamma = 1/6 guarantees with the sure rule: 1.5 gamma^2/(1 - 4 gamma)^2.
EPSILON = Fraction(3, 2) * GAMMA**2 / (1 - 4 * GAMMA) ** 2
#: How many points a kernel matrix has: d = n there, and a run takes about d/gamma^2 steps.
KERNEL_POINTS = 10
COLUMNS = columns(
    "problem kind lambda dimension reduced_rank_lower reduced_rank_upper stopping run draws "
    "labels_paid leverage_labels"
)
PROBLEMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("diabetes", "ridge", ("1", "30", "300", "3000")),
    ("linnerud", "ridge", ("1/10", "1", "10", "100")),
    *(("diabetes", kernel, ("1/100", "1/10", "1", "10")) for kernel in KERNELS),
    ("linnerud", "RBF", ("1/100", "1/10", "1", "10")),
)
TABLES = {"diabetes": diabetes, "linnerud": linnerud}


@cache
def problem(name: str, kind: str, lam: str) -> Dataset:
    """One regression problem; kernels are those of ten points of the data set."""
    table: Table = TABLES[name]()
    if kind == "ridge":
        kept = spread(range(len(table.labels)), min(len(table.labels), 150))
        return ridge(rational_rows(table.features[kept]), lam)
    features = np.asarray(table.features[spread(range(len(table.labels)), KERNEL_POINTS)])
    return kernel_ridge(exact_kernel(KERNELS[kind](features)), lam)


def measured(name: str, kind: str, lam: str, stopping: str, runs: int, seed: int) -> list[Row]:
    """Certified runs of Algorithm 2 on one problem."""
    data = problem(name, kind, lam)
    lower, upper = outward(point(reduced_rank(data)))
    # The count of Section 3 with constant 1: m = d log(d)/eps points in expectation.
    size = Fraction(math.ceil(1024 * data.dimension * math.log(data.dimension)), 1024) / EPSILON
    leverage = sum(leverage_sampling(size).probabilities(data)[: data.unlabelled], Fraction(0))
    rows: list[Row] = []
    for index in range(runs):
        done = run(
            data,
            GAMMA,
            chooser=Seed(job_seed(seed, name, kind, lam, stopping, index)),
            stopping=PAPER if stopping == "paper" else sure(),
        )
        rows.append(
            {
                "problem": name,
                "kind": kind,
                "lambda": lam,
                "dimension": data.dimension,
                "reduced_rank_lower": lower,
                "reduced_rank_upper": upper,
                "stopping": stopping,
                "run": index,
                "draws": done.draws,
                "labels_paid": done.distinct_labels,
                "leverage_labels": float(leverage),
            }
        )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    runs = repeats(4, size)
    return [
        Job(measured, (name, kind, lam, stopping, runs, seed))
        for name, kind, grid in PROBLEMS
        for lam in grid
        for stopping in ("paper", "sure")
    ]


def draw(rows: Sequence[Row]) -> Figure:
    """Mean draws and labels against R_X, a panel a stopping rule, with the bounds."""
    square = float(1 / GAMMA**2)
    ranks = sorted(number(row, "reduced_rank_upper") for row in rows)
    ends = [ranks[0], ranks[-1]]
    with plots.style():
        figure, grid = plots.axes_grid(1, 2, height=4.4)
        for axes, stopping in zip(grid[0], ("paper", "sure"), strict=True):
            plots.bound(axes, ends, [4 * square * r for r in ends], "paper: 4 R/γ²")
            plots.bound(axes, ends, [(square - 2) * r for r in ends], "sharp: (1/γ² - 2) R", 1)
            plots.bound(axes, ends, [r / float(EPSILON) for r in ends], "worst design: R/ε", 2)
            series = list(dict.fromkeys((row["problem"], row["kind"]) for row in rows))
            for order, (name, kind) in enumerate(series):
                mine = chosen(rows, problem=name, kind=kind, stopping=stopping)
                points = [chosen(mine, **{"lambda": lam}) for lam in distinct(mine, "lambda")]
                for counted, look in (
                    ("draws", {"label": f"{name}, {kind}"}),
                    ("labels_paid", {"fillstyle": "none"}),
                ):
                    means = [(mean(p, "reduced_rank_upper"), mean(p, counted)) for p in points]
                    plots.series(axes, means, order, linestyle="none", **look)
            title = "the paper's stop" if stopping == "paper" else "sure stop, T = 1"
            axes.set(xscale="log", yscale="log", title=title, xlabel="reduced rank R")
        grid[0][0].set_ylabel("points of X₁, mean")
        handles = grid[0][0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """How far the measured counts stay below the bounds."""
    sentences = []
    for stopping in ("paper", "sure"):
        mine = chosen(rows, stopping=stopping)
        shares, paid, leverage = [], [], []
        for name, kind in dict.fromkeys((row["problem"], row["kind"]) for row in mine):
            for lam in distinct(chosen(mine, problem=name, kind=kind), "lambda"):
                same = chosen(mine, problem=name, kind=kind, **{"lambda": lam})
                rank = mean(same, "reduced_rank_upper")
                shares.append(mean(same, "draws") / rank)
                paid.append(mean(same, "labels_paid") / rank)
                leverage.append(mean(same, "leverage_labels") / rank)
        rule = "the paper's stop" if stopping == "paper" else "the sure stop"
        sentences.append(
            rf"With {rule} and $\gamma = {GAMMA}$, mean draws from $X_1$ were {min(shares):.1f} to "
            f"{max(shares):.1f} $R_X$ over {len(shares)} problems (proved: at most "
            f"{float(1 / GAMMA**2 - 2):.0f} $R_X$; printed: {float(4 / GAMMA**2):.0f} $R_X$), and "
            f"different labels {min(paid):.1f} to {max(paid):.1f} $R_X$."
        )
    sentences.append(
        rf"Leverage-score sampling of $d \log(d)/\varepsilon$ points at the accuracy "
        rf"$\varepsilon = {EPSILON}$ that this $\gamma$ guarantees, constant 1, expects "
        f"{min(leverage):.1f} to {max(leverage):.1f} $R_X$: "
        "in dimensions this small the logarithm costs less than the constants of Algorithm 2."
    )
    return tuple(sentences)


EXPERIMENT = Experiment(
    "queries",
    "Labels against the reduced rank",
    "Does the number of labels follow $R_X$, and how far below its bounds?",
    "Filled marks: draws from $X_1$ with multiplicity, which the bounds speak of. Open marks: "
    r"different labels, which are paid for. Four values of $\lambda$ per problem, $\gamma = 1/6$; "
    "a kernel matrix has ten points. The last line is what the worst design of that $R$ needs at "
    r"the accuracy that this $\gamma$ guarantees.",
    COLUMNS,
    plan,
    draw,
    findings,
)
