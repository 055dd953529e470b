"""Label efficiency side by side: loss/OPT against the labels that are paid for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from asura.dimensions import reduced_rank
from asura.scalars import point
from asura_verify.deciding.binomial import quantile_ranks, share_bounds
from asura_verify.experiments import plots
from asura_verify.experiments.field import (
    BY_GAMMA,
    FIXED,
    NAMES,
    READING,
    READS_ALL,
    UNSIZED,
    Labelled,
    Sample,
    try_sample,
)
from asura_verify.experiments.label_enumeration import (
    EXACT_PROCEDURES,
    SMALL_PROBLEMS,
    WITHIN,
    enumerated,
)
from asura_verify.experiments.label_problems import LABELS, PROBLEMS, labelled, problem
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    columns,
    curve,
    distinct,
    from_there_on,
    job_seed,
    number,
    outward,
    repeats,
)

COLUMNS = columns(
    "part problem reduced_rank labels procedure parameter runs labels_paid mean "
    "median median_low median_high ninety ninety_low ninety_high "
    "ninety_nine ninety_nine_low ninety_nine_high within within_low within_high deficient bias"
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
SWEPT_ONLY = ("diabetes, λ = 3000", "kernel, λ = 1", "kernel, λ = 30")


#: The quantiles that are reported.
LEVELS = {"median": Fraction(1, 2), "ninety": Fraction(9, 10), "ninety_nine": Fraction(99, 100)}
_ranks = cache(quantile_ranks)


def _quantiles(values: list[Fraction]) -> dict[str, float | str]:
    """Each quantile, and two values that enclose the true one but for `ERROR`; rounded outward.

    An end is empty where the runs are too few to give one.
    """
    ordered = [outward(point(value)) for value in sorted(values)]
    found: dict[str, float | str] = {}
    for name, level in LEVELS.items():
        place = max(0, math.ceil(level * len(ordered)) - 1)
        # Without randomness there is nothing to be uncertain of.
        low, high = (1, 1) if len(ordered) == 1 else _ranks(len(ordered), level, ERROR)
        found[name] = ordered[place][1]
        found[f"{name}_low"] = "" if low is None else ordered[low - 1][0]
        found[f"{name}_high"] = "" if high is None else ordered[high - 1][1]
    return found


def _row(
    given: Labelled, samples: Sequence[Sample], paid: float, named: dict[str, str | int | float]
) -> Row:
    """What these samples come to with these labels."""
    # An empty sample answers 0, and determines nothing.
    nothing = (given.ratio(np.zeros(given.pool.points.shape[1])), False)
    answers = [given.answer(sample) if sample[0] else nothing for sample in samples]
    ratios = [ratio for ratio, _ in answers]
    within = sum(ratio <= WITHIN for ratio in ratios)
    least, most = share_bounds(within, len(ratios), ERROR)
    return {
        "part": "sampled",
        **named,
        "reduced_rank": float(reduced_rank(given.pool.data)),
        "runs": len(samples),
        "labels_paid": paid,
        "mean": float(sum(ratios, Fraction(0)) / len(ratios)),
        **_quantiles(ratios),
        "within": within / len(ratios),
        "within_low": outward(point(least))[0],
        "within_high": outward(point(most))[1],
        "deficient": sum(not determined for _, determined in answers) / len(answers),
        "bias": "",
    }


def measured(name: str, procedure: str, parameter: str, runs: int, seed: int) -> list[Row]:
    """One procedure at one size, on the three kinds of labels; the samples are the same.

    Who reads labels to choose has a sample for each kind.
    """
    pool, size = problem(name), Fraction(parameter)
    named: dict[str, str | int | float] = {
        "problem": name, "procedure": procedure, "parameter": parameter,
    }  # fmt: skip
    rows: list[Row] = []
    if procedure in READING:
        whole = procedure == READS_ALL
        for labels in LABELS:
            given = labelled(name, labels, pool.points.shape[1] if whole else int(size))
            sample = READING[procedure](given, size)
            paid = float(pool.data.unlabelled if whole else size)
            rows.append(_row(given, [sample], paid, {**named, "labels": labels}))
        return rows
    samples = []
    for run in range(1 if procedure in FIXED else runs):
        one = try_sample(procedure, pool, size, job_seed(seed, name, procedure, parameter, run))
        if one is None:
            return []
        samples.append(one)
    count = pool.data.unlabelled
    mean = sum(len({i for i in picks if i < count}) for picks, _ in samples) / len(samples)
    for labels in LABELS:
        given = labelled(name, labels, round(mean))
        rows.append(_row(given, samples, mean, {**named, "labels": labels}))
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    jobs: list[Job] = []
    for name in PROBLEMS:
        data = problem(name).data
        rank = max(1, math.ceil(reduced_rank(data)))
        for procedure in SHOWN if name in SWEPT_ONLY else NAMES:
            base = rank if procedure in BY_RANK else max(data.dimension, rank)
            sizes = dict.fromkeys(min(round(base * s), data.unlabelled * 4 // 5) for s in SIZES)
            grid = GAMMAS if procedure in BY_GAMMA else tuple(map(str, sizes))
            jobs += [
                Job(measured, (name, procedure, parameter, repeats(RUNS, size), seed))
                for parameter in (("0",) if procedure in UNSIZED else grid)
            ]
    jobs += [
        Job(enumerated, (small, labels, procedure, k))
        for small in SMALL_PROBLEMS
        for labels in LABELS
        for procedure in EXACT_PROCEDURES
        for k in ((0,) if procedure in UNSIZED else (2, 3, 4))
    ]
    return jobs


#: Runs per row: 400 bound the 99 % quantile on both sides, from above by their largest value.
RUNS = 400
#: What has a colour in the plot, and runs on every problem.
SHOWN = (
    "uniform",
    "leverage, coins",
    "ridge leverage",
    "ASURA, sure stop",
    "K2, one-sided",
    "largest variance",
)
#: X_2 is kept, so that a few R_X labels are enough.
BY_RANK = (
    "uniform",
    "uniform, iid",
    "ridge leverage",
    "k-DPP",
    "K2, one-sided",
    "kept coins",
    "largest variance",
    "greedy in x",
    "uncertainty",
)
FLAGSHIP = "diabetes, λ = 30"
#: Labels are counted until 90 % of the runs are within this factor of OPT.
MARK = float(WITHIN)


def needed(rows: Sequence[Row], mark: float, column: str = "ninety") -> float | None:
    """Labels at which the 90 % quantile falls to the mark, read off between the rows."""
    mine = sorted(rows, key=lambda row: number(row, "labels_paid"))
    # An interval without an end is as far as the quantile itself.
    points = [
        (number(row, "labels_paid"), number(row, column if row[column] != "" else "ninety"))
        for row in mine
    ]
    if not points or points[-1][1] > mark:
        return None
    place = max((i for i, (_, value) in enumerate(points) if value > mark), default=None)
    if place is None:
        return points[0][0]
    (paid, above), (next_paid, below) = points[place], points[place + 1]
    share = (above - mark) / (above - below)
    return float(np.exp((1 - share) * np.log(paid) + share * np.log(next_paid)))


def _colour(procedure: str) -> str:
    return plots.COLOURS[SHOWN.index(procedure)] if procedure in SHOWN else plots.TEXT


def draw(rows: Sequence[Row]) -> Figure:
    """Labels needed on one problem by everyone, exact means, and labels needed against R_X."""
    with plots.style():
        figure, grid = plots.axes_grid(2, 3, width=10.4, height=7.6)
        sampled = chosen(rows, part="sampled", problem=FLAGSHIP)
        order = sorted(map(str, distinct(sampled, "procedure")), key=_by_need(sampled))
        for axes, labels in zip(grid[0], LABELS, strict=True):
            _dots(axes, chosen(sampled, labels=labels), order)
            axes.set(title=f"labels: {labels}", xlabel="labels paid")
            # Once is enough, side by side.
            axes.tick_params(labelleft=axes is grid[0][0])
        _exact_panel(grid[1][0], rows)
        for axes, (family, names) in zip(grid[1][1:], SWEEP.items(), strict=True):
            _sweep_panel(axes, rows, family, names)
        figure.suptitle(
            f"Labels paid until 9 of 10 runs are within {MARK:g} OPT\n"
            f"(further left is better; {FLAGSHIP}, X₂ is free)",
            fontsize=10.5, x=0.01, ha="left",
        )  # fmt: skip
        handles = grid[1][1].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure


def _by_need(rows: Sequence[Row]) -> Callable[[str], tuple[float, str]]:
    """By the labels that noise needs; who does not get there comes last."""

    def key(procedure: str) -> tuple[float, str]:
        found = needed(chosen(rows, labels="noise", procedure=procedure), MARK)
        return (math.inf if found is None else found), procedure

    return key


def _dots(axes: Any, rows: Sequence[Row], order: Sequence[str]) -> None:
    """One line per procedure: the labels that it needs, with the exact interval."""
    most = max(number(row, "labels_paid") for row in rows)
    for place, procedure in enumerate(order):
        mine = chosen(rows, procedure=procedure)
        colour = _colour(procedure)
        found = needed(mine, MARK)
        if found is None:  # at none of the sizes that were tried
            tried = max(number(row, "labels_paid") for row in mine)
            axes.plot([tried], [place], marker=">", color=colour, markerfacecolor="none")
            axes.annotate("  not reached", (tried, place), fontsize=7, va="center")
            continue
        ends = [needed(mine, MARK, f"ninety_{end}") for end in ("low", "high")]
        low, high = (found if end is None else end for end in ends)
        axes.hlines(place, low, high, color=colour, linewidth=0.9)
        axes.plot([found], [place], marker="o", color=colour, markersize=5)
    axes.set(xscale="log", xlim=(4, most * 1.7), ylim=(len(order) - 0.4, -0.6))
    axes.set_yticks(range(len(order)), [f"{name} (reads all)" if name == READS_ALL else name
                                        for name in order])  # fmt: skip
    for label, procedure in zip(axes.get_yticklabels(), order, strict=True):
        label.set_color(_colour(procedure))
    plots.plain_ticks(axes, x=(5, 10, 20, 40, 80))


#: Of the exact part.
EXACT_SHOWN = (
    "uniform",
    "leverage, coins",
    "ridge leverage",
    "ASURA, sure stop",
    "volume",
    "kept coins",
)


def _exact_panel(axes: Any, rows: Sequence[Row]) -> None:
    """The mean over every outcome against the labels paid, two of eight labels free."""
    _, free = SMALL_PROBLEMS
    for order, procedure in enumerate(EXACT_SHOWN):
        mine = chosen(rows, part="exact", problem=free, labels="spike", procedure=procedure)
        means, colour = curve(mine, "labels_paid", "mean"), _colour(procedure)
        plots.series(axes, means, order, color=colour, marker="o")
        place = {"uniform": "bottom", "ridge leverage": "top"}.get(procedure, "center")
        axes.annotate(f" {procedure}", means[-1], fontsize=8, color=colour, va=place)
    plots.rule(axes, 3.0, "d + 1")
    axes.annotate("d + 1: volume at k = d", (5.6, 3.0), fontsize=8, ha="right", va="bottom")
    axes.set(title="exact mean, 8 points, spike", xlabel="labels paid", ylabel="E loss/OPT")
    axes.set(xticks=[2, 3, 4], xlim=(1.5, 5.7), ylim=(1, None))


def _sweep_panel(axes: Any, rows: Sequence[Row], family: str, names: Sequence[str]) -> None:
    """Labels needed against R_X, a line per procedure; noise."""
    for order, procedure in enumerate(SHOWN):
        found = []
        for name in names:
            mine = chosen(rows, part="sampled", problem=name, labels="noise", procedure=procedure)
            labels = needed(mine, MARK)
            if labels is not None:
                found.append((number(mine[0], "reduced_rank"), labels))
        plots.series(axes, sorted(found), order, label=procedure)
    axes.set(xscale="log", yscale="log", title=f"{family} over λ; labels: noise")
    axes.set(xlabel="R_X, which falls as λ grows", ylabel="labels paid")
    plots.plain_ticks(axes, x=(0.5, 1, 2, 5, 10, 20), y=(1, 2, 5, 10, 20, 40, 80))


#: The forms of each, of which the better counts.
LEVERAGE = ("leverage, coins", "leverage, iid", "ridge leverage")
ASURA = ("ASURA, paper's stop", "ASURA, sure stop")


def _who_wins(sampled: Sequence[Row]) -> str:
    """Leverage sampling against Algorithm 2, at their better form each."""
    won: dict[str, list[str]] = {}
    for labels in LABELS:
        for name in PROBLEMS:
            if name in SWEPT_ONLY:
                continue
            needs = [
                min(
                    needed(chosen(sampled, problem=name, labels=labels, procedure=each), MARK)
                    or math.inf
                    for each in forms
                )
                for forms in (LEVERAGE, ASURA)
            ]
            better = "equal" if needs[0] == needs[1] else ("leverage", "ASURA")[needs[0] > needs[1]]
            won.setdefault(better, []).append(f"{name} ({labels})")
    cases = sum(map(len, won.values()))
    return (
        "Leverage sampling, the best of its three forms, against ASURA, the better of its two "
        f"rules, in {cases} cases: leverage needs fewer labels in {len(won.get('leverage', []))}, "
        f"ASURA in {len(won.get('ASURA', []))}, namely {', '.join(won.get('ASURA', ['none']))}."
    )


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
                quantiles = curve(mine, "labels_paid", "ninety")
                fewest = from_there_on(quantiles, lambda value: value <= MARK)
                if fewest is not None:
                    found[str(procedure)] = fewest
            order = sorted(found, key=lambda each: found[each])
            told = ", ".join(f"{each} {found[each]:.2g}" for each in order[:3])
            winners.append(f"{name}: {told or 'nobody'}")
        sentences.append(
            f"Labels: {labels}. Fewest labels from which on 90 % of the runs stay within "
            f"{MARK:g} OPT, the best three: {'; '.join(winners)}."
        )
    sentences.append(_who_wins(sampled))
    first, second = SMALL_PROBLEMS
    means = ", ".join(
        f"{row['labels']} {number(row, 'mean'):.6g} (bias {number(row, 'bias'):.2g})"
        for row in chosen(rows, part="exact", problem=first, procedure="volume", parameter=2)
    )
    kept = ", ".join(
        f"{row['procedure']} {number(row, 'mean'):.4g} (bias {number(row, 'bias'):.2g})"
        for row in chosen(rows, part="exact", problem=second, labels="spike", parameter=3)
        if row["procedure"] in {"volume", "leverage, coins", "ridge leverage", "kept coins"}
    )
    sentences.append(
        f"By enumeration, n = 8, d = 2: a volume sample of size d has E loss/OPT = {means}; "
        f"d + 1 = 3. With two of the eight labels free, k = 3 and a spike: {kept}."
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
            fewest_first = sorted(paid, key=lambda each: paid[each])[:3]
            rank = number(chosen(sampled, problem=name)[0], "reduced_rank")
            best = ", ".join(f"{each} {paid[each]:.2g}" for each in fewest_first)
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
    "Above: how many different labels each procedure pays until 9 of 10 runs are within 1.5 OPT, "
    r"on diabetes with $\lambda = 30$ and $X_2$ free for everyone; further left is better. A thin "
    "line is what the exact 95 % interval of the 90 % quantile, from binomial tails, makes of it. "
    "Three kinds of labels: its own, one spike on the point of largest leverage, and labels made "
    "against the fixed choice of largest variance at each number of labels. The coreset reads "
    "every label to choose its points, and stands at all of them; others pay for what they read. "
    "Below: the exact mean over every outcome for eight points, two of their labels free, with the "
    r"line $d + 1$ that volume sampling meets at $k = d$; and labels needed against $R_X$.",
    COLUMNS,
    plan,
    draw,
    findings,
)
