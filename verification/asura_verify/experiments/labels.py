"""Label efficiency side by side: loss/OPT against the labels that are paid for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from asura.algorithm1_regression import loss, optimum, weighted_least_squares
from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.dimensions import reduced_rank
from asura.lower_bound import lower_bound_instance
from asura.samplers.decisions import ExactSample
from asura.samplers.leverage import ridge_leverage_sampling
from asura.samplers.volume import VolumeSampling
from asura.scalars import point, rational
from asura_verify.experiments import plots
from asura_verify.experiments.data import (
    KERNELS,
    diabetes,
    exact_kernel,
    linnerud,
    rational_column,
    rational_rows,
    spread,
)
from asura_verify.experiments.field import (
    BY_GAMMA,
    FIXED,
    PROCEDURES,
    UNSIZED,
    Labelled,
    Pool,
    try_sample,
)
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
from asura_verify.instances.certified import certified_sets
from asura_verify.trees.sampler_laws import Law, law

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
    "ninety_nine",
    "deficient",
    "bias",
)
LABELS = ("noise", "spike", "against a fixed choice")
GAMMAS = ("9/20", "2/5", "7/20", "3/10", "1/4")
#: Sizes in units of max(d, R_X).
SIZES = (1, 1.5, 2.5, 4, 7)


def _standard(values: Any) -> Any:
    return (values - values.mean(axis=0)) / values.std(axis=0)


@cache
def longley() -> tuple[Any, Any]:
    """Sixteen years; columns to mean 0 and variance 1, and a constant."""
    given = next(each for each in certified_sets() if each.name == "Longley").data
    features = np.array(given.points, dtype=np.float64)[:, 1:]
    labels = np.array([float(y or 0) for y in given.labels])
    constant = np.ones((len(labels), 1))
    return np.hstack([constant, _standard(features)]), _standard(labels)


def _kernel(lam: str) -> Dataset:
    table = diabetes()
    kept = spread(range(len(table.labels)), 20)
    matrix = exact_kernel(KERNELS["RBF"](table.features[kept]))
    return kernel_ridge(matrix, lam, labels=rational_column(table.labels[kept]))


def _diabetes(lam: str) -> Dataset:
    table = diabetes()
    kept = spread(range(len(table.labels)), 120)
    features, labels = rational_rows(table.features[kept]), rational_column(table.labels[kept])
    return ridge(features, lam, labels=labels)


def _linnerud(lam: str) -> Dataset:
    table = linnerud()
    return ridge(rational_rows(table.features), lam, labels=rational_column(table.labels))


def _longley() -> Dataset:
    features, labels = longley()
    return dataset(rational_rows(features, 12), labels=rational_column(labels, 12))


PROBLEMS: dict[str, Callable[[], Dataset]] = {
    "diabetes, λ = 1": lambda: _diabetes("1"),
    "diabetes, λ = 300": lambda: _diabetes("300"),
    "linnerud, λ = 1": lambda: _linnerud("1"),
    "Longley": _longley,
    "kernel, λ = 1/10": lambda: _kernel("1/10"),
    "kernel, λ = 3": lambda: _kernel("3"),
    "hard instance": lambda: (
        lower_bound_instance([1, -1, 1], lam=1, epsilon="1/4", copies=16, seed=1).data
    ),
}


@cache
def problem(name: str) -> Pool:
    """One pool."""
    return Pool(PROBLEMS[name]())


@cache
def _blind_order(name: str) -> tuple[int, ...]:
    """The points of X_1 in the order in which largest variance takes them."""
    pool = problem(name)
    most = pool.data.unlabelled - 1
    picks, _ = PROCEDURES["largest variance"](pool, Fraction(most), 0)
    return tuple(picks[:most])


@cache
def labelled(name: str, kind: str, paid: int) -> Labelled:
    """Labels of one kind; the last kind is made against a fixed choice of so many labels.

    Noise: the labels that come with the data. Spike: 8 on the point of X_1 of largest leverage.
    Against a fixed choice S of k points: x v on S and 0 elsewhere, where v makes |X_S v| and
    |X_2 v| small and |X v| large. For X = 1_n these are the labels 1_S.
    """
    pool = problem(name)
    data, count = pool.data, pool.data.unlabelled
    zero = [Fraction(0)] * (data.size - count)
    if kind == "noise":
        return Labelled(pool, tuple(y or Fraction(0) for y in data.labels))
    if kind == "spike":
        top = int(np.argmax(pool.scores))
        return Labelled(pool, (*(Fraction(8 * (i == top)) for i in range(count)), *zero))
    chosen_blindly = list(_blind_order(name)[: max(1, min(paid, count - 1))])
    read = pool.points[[*chosen_blindly, *pool.kept]]
    whole = np.linalg.cholesky(pool.points.T @ pool.points)
    inner = np.linalg.solve(whole, np.linalg.solve(whole, read.T @ read).T)
    directions = np.linalg.solve(whole.T, np.linalg.eigh((inner + inner.T) / 2)[1])
    seen = pool.points[chosen_blindly] @ directions
    # A direction that S does not see at all would make every label 0.
    least = int(np.flatnonzero(np.max(np.abs(seen), axis=0) > 1e-6)[0])
    values = np.zeros(count)
    values[chosen_blindly] = 8 * seen[:, least] / np.max(np.abs(seen[:, least]))
    return Labelled(pool, (*rational_column(values, 12), *zero))


def _quantile(values: list[Fraction], level: float) -> float:
    """The smallest value that a share `level` does not exceed, rounded up."""
    ordered = sorted(values)
    return outward(point(ordered[max(0, math.ceil(level * len(ordered)) - 1)]))[1]


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
                "ninety_nine": _quantile(ratios, 0.99),
                "deficient": sum(not determined for _, determined in answers) / len(answers),
                "bias": "",
            }
        )
    return rows


# --- exact values -------------------------------------------------------------------------------

SMALL = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 6], [1, 8], [1, 11]]
SMALL_LABELS = {
    "noise": [1, 0, 2, 1, 4, 2, 5, 4],
    "spike": [0, 0, 0, 0, 0, 0, 0, 8],
    "against a fixed choice": [1, 0, 0, 0, 0, 0, 0, 1],
}
EXACT_PROCEDURES = ("uniform", "leverage scores", "volume")


def _exact_law(name: str, size: int, data: Dataset) -> Law:
    """Every outcome with its weights; sets by their formulas, since their orders are too many."""
    if name == "leverage scores":
        return law(ridge_leverage_sampling(size), data)
    volume, sets = VolumeSampling(size), list(itertools.combinations(range(data.size), size))
    if name == "volume":
        return [(volume.probability(data, s), [(i, Fraction(1)) for i in s]) for s in sets]
    weight = Fraction(data.size, size)
    return [(Fraction(1, len(sets)), [(i, weight) for i in s]) for s in sets]


def enumerated(labels: str, procedure: str, size: int) -> list[Row]:
    """E loss/OPT, the quantiles and the bias, over every outcome: n = 8, d = 2, exactly."""
    data = dataset(SMALL, labels=SMALL_LABELS[labels])
    beta_star, best = optimum(data)
    weighted = []
    mean, bias = Fraction(0), [Fraction(0)] * 2
    deficient, paid = Fraction(0), Fraction(0)
    for p, weights in _exact_law(procedure, size, data):
        picks = tuple(i for i, _ in weights)
        beta, determined = [Fraction(0)] * 2, False
        if picks:
            sample = ExactSample(EXACT, picks, tuple(rational(w) for _, w in weights))
            known = {i: data.labels[i] or Fraction(0) for i in picks}
            solution, determined = weighted_least_squares(data, sample, known)
            beta = [EXACT.enclosure(b).midpoint for b in solution]
        ratio = loss(data, beta).midpoint / best.midpoint
        weighted.append((ratio, p))
        mean += p * ratio
        bias = [b + p * (x - y.midpoint) for b, x, y in zip(bias, beta, beta_star, strict=True)]
        deficient += p * (not determined)
        paid += p * len(set(picks))
    return [
        {
            "part": "exact",
            "problem": "n = 8, d = 2",
            "reduced_rank": 2.0,
            "labels": labels,
            "procedure": procedure,
            "parameter": size,
            "runs": len(weighted),
            "labels_paid": float(paid),
            "mean": outward(point(mean))[1],
            "median": _weighted_quantile(weighted, Fraction(1, 2)),
            "ninety": _weighted_quantile(weighted, Fraction(9, 10)),
            "ninety_nine": _weighted_quantile(weighted, Fraction(99, 100)),
            "deficient": float(deficient),
            "bias": math.sqrt(float(sum((b * b for b in bias), Fraction(0)))),
        }
    ]


def _weighted_quantile(values: list[tuple[Fraction, Fraction]], level: Fraction) -> float:
    reached = Fraction(0)
    for value, p in sorted(values):
        reached += p
        if reached >= level:
            return outward(point(value))[1]
    raise AssertionError(level)  # the probabilities sum to 1


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    jobs: list[Job] = []
    for name in PROBLEMS:
        data = problem(name).data
        base = max(data.dimension, math.ceil(reduced_rank(data)))
        sizes = list(dict.fromkeys(min(round(base * s), data.unlabelled * 4 // 5) for s in SIZES))
        for procedure in PROCEDURES:
            grid = GAMMAS if procedure in BY_GAMMA else tuple(map(str, sizes))
            jobs += [
                Job(measured, (name, procedure, parameter, repeats(100, size), seed))
                for parameter in (("0",) if procedure in UNSIZED else grid)
            ]
    jobs += [
        Job(enumerated, (labels, procedure, k))
        for labels in LABELS
        for procedure in EXACT_PROCEDURES
        for k in (2, 3, 4)
    ]
    return jobs


#: What the plot shows; the table has every procedure.
SHOWN = (
    "uniform",
    "leverage scores",
    "volume",
    "ASURA, sure stop",
    "kept coins",
    "largest variance",
)
FLAGSHIP = "diabetes, λ = 1"


def draw(rows: Sequence[Row]) -> Figure:
    """The worst run in a hundred against labels paid, a panel a kind of labels; and exact means."""
    with plots.style():
        figure, grid = plots.axes_grid(2, 2, height=6.6)
        panels = [grid[0][0], grid[0][1], grid[1][0]]
        for axes, labels in zip(panels, LABELS, strict=True):
            for order, procedure in enumerate(SHOWN):
                mine = chosen(
                    rows, part="sampled", problem=FLAGSHIP, labels=labels, procedure=procedure
                )
                mine = sorted(mine, key=lambda row: number(row, "labels_paid"))
                axes.plot(
                    [number(row, "labels_paid") for row in mine],
                    [number(row, "ninety_nine") for row in mine],
                    color=plots.COLOURS[order],
                    marker=plots.MARKERS[order],
                    linestyle=plots.DASHES[order],
                    label=procedure,
                )
            axes.set(xscale="log", yscale="log", title=f"labels: {labels}")
            axes.set(xlabel="labels paid", ylabel="loss/OPT, 99 % of runs below")
            plots.plain_ticks(axes, x=(5, 10, 20, 40, 80), y=(1, 2, 5, 10, 20, 50))
        last = grid[1][1]
        small = chosen(rows, part="exact", labels="spike")
        for order, procedure in enumerate(EXACT_PROCEDURES):
            mine = chosen(small, procedure=procedure)
            last.plot(
                [number(row, "parameter") for row in mine],
                [number(row, "mean") for row in mine],
                color=plots.COLOURS[order],
                marker=plots.MARKERS[order],
                linestyle=plots.DASHES[order],
            )
        plots.rule(last, 3.0, "d + 1")
        last.set(
            yscale="log", title="spike, exact mean; dashed: d + 1", xlabel="size k; n = 8, d = 2"
        )
        last.set(ylabel="E loss/OPT", xticks=[2, 3, 4])
        plots.plain_ticks(last, y=(1, 2, 3, 4, 5))
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


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
                needed = _reached(mine, "ninety", 2.0) if mine else None
                if needed is not None:
                    found[str(procedure)] = needed
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
    "The loss that 99 of 100 runs stay below, against the different labels paid for; $X_2$ is free "
    r"for everyone. Diabetes with $\lambda = 1$, and three kinds of labels: its own, one spike on "
    "the point of largest leverage, and labels made against the fixed choice of largest variance "
    "at each number of labels. Lower and further left is better. The last panel is exact: the mean "
    "over every outcome for eight points, with the line $d + 1$ that volume sampling meets at "
    "$k = d$.",
    COLUMNS,
    plan,
    draw,
    findings,
)
