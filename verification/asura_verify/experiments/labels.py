"""Label efficiency side by side: loss/OPT against the labels that are paid for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from asura.dimensions import reduced_rank
from asura.scalars import point
from asura_verify.deciding.binomial import quantile_ranks, share_bounds
from asura_verify.experiments import plots
from asura_verify.experiments.field import BY_GAMMA, FIXED, PROCEDURES, UNSIZED, try_sample
from asura_verify.experiments.label_enumeration import EXACT_PROCEDURES, WITHIN, enumerated
from asura_verify.experiments.label_problems import LABELS, PROBLEMS, labelled, problem
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    distinct,
    job_seed,
    number,
    outward,
    repeats,
)

COLUMNS = (
    "part",
    "problem",
    "reduced_rank",
    "labels",
    "procedure",
    "parameter",
    "runs",
    "labels_paid",
    "mean",
    "median",
    "ninety",
    "ninety_low",
    "ninety_high",
    "ninety_nine",
    "within",
    "within_low",
    "within_high",
    "deficient",
    "bias",
)
GAMMAS = ("9/20", "2/5", "7/20", "3/10", "1/4")
#: Sizes in units of max(d, R_X), and in units of R_X where X_2 is kept.
SIZES = (1, 1.5, 2.5, 4, 7)
#: An interval is wrong with at most this probability.
ERROR = Fraction(1, 20)
#: Problems over lambda; only the procedures of the plot run on all of them.
SWEEP = {
    "ridge": ("diabetes, λ = 1", "diabetes, λ = 30", "diabetes, λ = 300", "diabetes, λ = 3000"),
    "kernel": ("kernel, λ = 1/10", "kernel, λ = 1", "kernel, λ = 3", "kernel, λ = 30"),
}
SWEPT_ONLY = ("diabetes, λ = 30", "diabetes, λ = 3000", "kernel, λ = 1", "kernel, λ = 30")


def _quantile(values: list[Fraction], level: float) -> float:
    """The smallest value that a share `level` does not exceed, rounded up."""
    ordered = sorted(values)
    return outward(point(ordered[max(0, math.ceil(level * len(ordered)) - 1)]))[1]


def _interval(values: list[Fraction], level: Fraction) -> tuple[float | str, float | str]:
    """Two values that enclose the true quantile but for `ERROR`; empty where none does."""
    if len(values) == 1:  # without randomness there is nothing to be uncertain of
        return outward(point(values[0]))
    ordered = sorted(values)
    low, high = quantile_ranks(len(values), level, ERROR)
    return (
        "" if low is None else outward(point(ordered[low - 1]))[0],
        "" if high is None else outward(point(ordered[high - 1]))[1],
    )


def measured(name: str, procedure: str, parameter: str, runs: int, seed: int) -> list[Row]:
    """One procedure at one size, on the three kinds of labels; the samples are the same."""
    pool = problem(name)
    samples = []
    for run in range(1 if procedure in FIXED else runs):
        one = try_sample(
            procedure, pool, Fraction(parameter), job_seed(seed, name, procedure, parameter, run)
        )
        if one is None:
            return []
        samples.append(one)
    count = pool.data.unlabelled
    paid = [len({i for i in picks if i < count}) for picks, _ in samples]
    rows: list[Row] = []
    for labels in LABELS:
        given = labelled(name, labels, round(sum(paid) / len(paid)))
        # An empty sample answers 0, and determines nothing.
        nothing = (given.ratio(np.zeros(pool.points.shape[1])), False)
        answers = [given.answer(sample) if sample[0] else nothing for sample in samples]
        ratios = [ratio for ratio, _ in answers]
        low, high = _interval(ratios, Fraction(9, 10))
        within = sum(ratio <= WITHIN for ratio in ratios)
        least, most = share_bounds(within, len(ratios), ERROR)
        rows.append(
            {
                "part": "sampled",
                "problem": name,
                "reduced_rank": float(reduced_rank(pool.data)),
                "labels": labels,
                "procedure": procedure,
                "parameter": parameter,
                "runs": len(samples),
                "labels_paid": sum(paid) / len(paid),
                "mean": float(sum(ratios, Fraction(0)) / len(ratios)),
                "median": _quantile(ratios, 0.5),
                "ninety": _quantile(ratios, 0.9),
                "ninety_low": low,
                "ninety_high": high,
                "ninety_nine": _quantile(ratios, 0.99),
                "within": within / len(ratios),
                "within_low": outward(point(least))[0],
                "within_high": outward(point(most))[1],
                "deficient": sum(not determined for _, determined in answers) / len(answers),
                "bias": "",
            }
        )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    jobs: list[Job] = []
    for name in PROBLEMS:
        data = problem(name).data
        rank = max(1, math.ceil(reduced_rank(data)))
        for procedure in SHOWN if name in SWEPT_ONLY else PROCEDURES:
            base = rank if procedure in BY_RANK else max(data.dimension, rank)
            sizes = dict.fromkeys(min(round(base * s), data.unlabelled * 4 // 5) for s in SIZES)
            grid = GAMMAS if procedure in BY_GAMMA else tuple(map(str, sizes))
            jobs += [
                Job(measured, (name, procedure, parameter, repeats(RUNS, size), seed))
                for parameter in (("0",) if procedure in UNSIZED else grid)
            ]
    jobs += [
        Job(enumerated, (labels, procedure, k))
        for labels in LABELS
        for procedure in EXACT_PROCEDURES
        for k in (2, 3, 4)
    ]
    return jobs


#: Runs per row: 100 bound the 90 % quantile on both sides, and the 99 % one on none.
RUNS = 100
#: What the plot shows; the table has every procedure.
SHOWN = (
    "uniform",
    "leverage scores",
    "ASURA, sure stop",
    "K2, one-sided",
    "kept coins",
    "largest variance",
)
#: X_2 is kept, so that a few R_X labels are enough.
BY_RANK = ("uniform", "K2, one-sided", "kept coins", "leverage scores", "largest variance")
FLAGSHIP = "diabetes, λ = 30"


def _ends(row: Row) -> tuple[float, float]:
    """The interval of the 90 % quantile; without an end, the quantile itself."""
    value = number(row, "ninety")
    low, high = (row[column] for column in ("ninety_low", "ninety_high"))
    return (value if low == "" else float(low)), (value if high == "" else float(high))


def _curve(axes: Any, rows: Sequence[Row], order: int, label: str) -> None:
    """The 90 % quantile against labels paid, with its exact intervals."""
    mine = sorted(rows, key=lambda row: number(row, "labels_paid"))
    paid = [number(row, "labels_paid") for row in mine]
    look: dict[str, Any] = {"color": plots.COLOURS[order], "linestyle": plots.DASHES[order]}
    values = [number(row, "ninety") for row in mine]
    axes.plot(paid, values, marker=plots.MARKERS[order], label=label, **look)
    low, high = zip(*map(_ends, mine), strict=True) if mine else ((), ())
    axes.vlines(paid, low, high, color=plots.COLOURS[order], linewidth=0.7)


def needed(rows: Sequence[Row], mark: float) -> float | None:
    """Labels at which the 90 % quantile falls to the mark, read off between the rows."""
    mine = sorted(rows, key=lambda row: number(row, "labels_paid"))
    points = [(number(row, "labels_paid"), number(row, "ninety")) for row in mine]
    if not points or points[-1][1] > mark:
        return None
    place = max((i for i, (_, value) in enumerate(points) if value > mark), default=None)
    if place is None:
        return points[0][0]
    (paid, above), (next_paid, below) = points[place], points[place + 1]
    share = (above - mark) / (above - below)
    return float(np.exp((1 - share) * np.log(paid) + share * np.log(next_paid)))


def draw(rows: Sequence[Row]) -> Figure:
    """The loss that 90 of 100 runs stay below, exact means, and labels needed against R_X."""
    with plots.style():
        figure, grid = plots.axes_grid(3, 2, height=9.6)
        panels = [grid[0][0], grid[0][1], grid[1][0]]
        for axes, labels in zip(panels, LABELS, strict=True):
            for order, procedure in enumerate(SHOWN):
                mine = chosen(
                    rows, part="sampled", problem=FLAGSHIP, labels=labels, procedure=procedure
                )
                _curve(axes, mine, order, procedure)
            axes.set(xscale="log", yscale="log", title=f"labels: {labels}")
            axes.set(xlabel="labels paid", ylabel="loss/OPT, 90 % of runs below")
            plots.plain_ticks(axes, x=(2, 5, 10, 20, 40, 80), y=(1, 1.5, 2, 3, 5, 10, 20, 50))
        _exact_panel(grid[1][1], rows)
        for axes, (family, names) in zip(grid[2], SWEEP.items(), strict=True):
            _sweep_panel(axes, rows, family, names)
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _exact_panel(axes: Any, rows: Sequence[Row]) -> None:
    for procedure in EXACT_PROCEDURES:
        mine = chosen(rows, part="exact", labels="spike", procedure=procedure)
        sizes = [number(row, "parameter") for row in mine]
        means = [number(row, "mean") for row in mine]
        if procedure in SHOWN:
            order = SHOWN.index(procedure)
            look: dict[str, Any] = {"color": plots.COLOURS[order], "marker": plots.MARKERS[order]}
            axes.plot(sizes, means, linestyle=plots.DASHES[order], **look)
        else:
            plots.bound(axes, sizes, means, procedure, order=1)
        axes.annotate(procedure, (sizes[-1], means[-1]), fontsize=8, ha="right", va="bottom")
    plots.rule(axes, 3.0, "d + 1")
    axes.set(yscale="log", title="spike, exact mean; dashed: d + 1", xlabel="size k; n = 8, d = 2")
    axes.set(ylabel="E loss/OPT", xticks=[2, 3, 4])
    plots.plain_ticks(axes, y=(1, 2, 3, 4, 5))


#: Labels are counted until 90 % of the runs are within this factor of OPT.
MARK = 1.5


def _sweep_panel(axes: Any, rows: Sequence[Row], family: str, names: Sequence[str]) -> None:
    """Labels needed against R_X, a line per procedure; noise."""
    for order, procedure in enumerate(SHOWN):
        found = []
        for name in names:
            mine = chosen(rows, part="sampled", problem=name, labels="noise", procedure=procedure)
            labels = needed(mine, MARK)
            if labels is not None:
                found.append((number(mine[0], "reduced_rank"), labels))
        found.sort()
        axes.plot(
            [rank for rank, _ in found],
            [labels for _, labels in found],
            color=plots.COLOURS[order],
            marker=plots.MARKERS[order],
            linestyle=plots.DASHES[order],
        )
    axes.set(xscale="log", yscale="log", title=f"{family} over λ; labels: noise")
    axes.set(xlabel="R_X", ylabel=f"labels until 90 % are within {MARK} OPT")
    plots.plain_ticks(axes, x=(0.5, 1, 2, 5, 10, 20), y=(1, 2, 5, 10, 20, 40, 80))


def _reached(rows: Sequence[Row], column: str, mark: float) -> float | None:
    """The fewest labels paid at which the quantile is below the mark, and stays there."""
    reached: float | None = None
    for row in sorted(rows, key=lambda each: -number(each, "labels_paid")):
        if number(row, column) > mark:
            break
        reached = number(row, "labels_paid")
    return reached


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """Who needs the fewest labels, problem by problem, as it came out."""
    sampled = chosen(rows, part="sampled")
    sentences = []
    for labels in LABELS:
        winners = []
        for name in distinct(sampled, "problem"):
            found = {}
            for procedure in distinct(sampled, "procedure"):
                mine = chosen(sampled, problem=name, labels=labels, procedure=procedure)
                fewest = _reached(mine, "ninety", 2.0) if mine else None
                if fewest is not None:
                    found[str(procedure)] = fewest
            order = sorted(found, key=lambda each: found[each])
            told = ", ".join(f"{each} {found[each]:.0f}" for each in order[:3])
            winners.append(f"{name}: {told or 'nobody'}")
        sentences.append(
            f"Labels: {labels}. Fewest labels from which on 90 % of the runs stay within 2 OPT, "
            f"the best three: {'; '.join(winners)}."
        )
    small = chosen(rows, part="exact", procedure="volume", parameter=2)
    means = ", ".join(
        f"{row['labels']} {number(row, 'mean'):.6g} (bias {number(row, 'bias'):.2g})"
        for row in small
    )
    sentences.append(
        f"By enumeration, n = 8, d = 2: a volume sample of size d has E loss/OPT = {means}; "
        "d + 1 = 3."
    )
    for family, names in SWEEP.items():
        by_rank = []
        for name in names:
            paid: dict[str, float] = {}
            for shown in SHOWN:
                mine = chosen(sampled, problem=name, labels="noise", procedure=shown)
                reached = needed(mine, MARK)
                if reached is not None:
                    paid[shown] = reached
            first = sorted(paid, key=lambda each: paid[each])[:3]
            rank = number(chosen(sampled, problem=name)[0], "reduced_rank")
            best = ", ".join(f"{each} {paid[each]:.0f}" for each in first)
            by_rank.append(f"R_X = {rank:.1f}: {best or 'nobody'}")
        sentences.append(
            f"Labels until 90 % of the runs are within {MARK} OPT, {family} over lambda, noise, "
            f"the best three of the plot: {'; '.join(by_rank)}."
        )
    worst = max(sampled, key=lambda row: number(row, "deficient"))
    sentences.append(
        f"Most samples that do not determine the answer: {worst['procedure']} on "
        f"{worst['problem']} at {number(worst, 'labels_paid'):.1f} labels, "
        f"{100 * number(worst, 'deficient'):.0f} % of {worst['runs']} runs."
    )
    return tuple(sentences)


EXPERIMENT = Experiment(
    "labels",
    "Labels side by side",
    "How many labels does each procedure pay for the same loss?",
    "The loss that 90 of 100 runs stay below, against the different labels paid for; $X_2$ is free "
    "for everyone. A thin line is an exact 95 % interval of that quantile, from binomial tails. "
    r"Diabetes with $\lambda = 30$, and three kinds of labels: its own, one spike on the point of "
    "largest leverage, and labels made against the fixed choice of largest variance at each number "
    "of labels. Lower and further left is better. Then the exact mean over every outcome for eight "
    "points, with the line $d + 1$ that volume sampling meets at $k = d$. Below: labels needed "
    r"against $R_X$, which falls as $\lambda$ grows.",
    COLUMNS,
    plan,
    draw,
    findings,
)
