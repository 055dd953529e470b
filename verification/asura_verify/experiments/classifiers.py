"""Section 6's picture: classification with a biased labelled set, uncertainty sampling stuck.

Two classes on the interval [0, 1] plus a second feature. The pool has a cluster of positives that
the labelled set does not show (the paper's story, after Dasgupta): the fit on the biased labels
puts its boundary in the wrong place, and whoever queries only next to the boundary never looks at
the cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from asura_verify.experiments import plots
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    job_seed,
    number,
    quantile,
    repeats,
)

Doubles = NDArray[np.float64]
UNCERTAINTY = "uncertainty sampling"
PERCEPTRON = "active perceptron"
UNIFORM = "uniform"
LEVERAGE = "leverage scores"
LEARNERS = (UNCERTAINTY, PERCEPTRON, UNIFORM, LEVERAGE)
COUNTS = (0, 5, 10, 20, 40, 80, 160)
COLUMNS = ("learner", "run", "labels_paid", "error")

#: Of the pool: negatives, positives to the right, and positives on the far left.
CLUSTERS = ((0.30, -1, 400), (0.80, 1, 450), (0.05, 1, 150))
#: The labelled set knows the two large clusters only.
KNOWN = 20


@cache
def pool(seed: int) -> tuple[Doubles, Doubles, int]:
    """Features (1, x, x^2), labels -1 and 1, and how many leading points are the labelled set."""
    generator = np.random.default_rng(seed)
    known = [generator.normal(centre, 0.03, KNOWN // 2) for centre, _, _ in CLUSTERS[:2]]
    parts = [generator.normal(centre, 0.03, size) for centre, _, size in CLUSTERS]
    x = np.concatenate([*known, *parts])
    signs = [np.full(KNOWN // 2, sign) for _, sign, _ in CLUSTERS[:2]]
    labels = np.concatenate([*signs, *(np.full(size, sign) for _, sign, size in CLUSTERS)])
    return np.column_stack([np.ones(len(x)), x, x * x]), labels.astype(np.float64), KNOWN


def _fit(points: Doubles, labels: Doubles, weights: Doubles) -> Doubles:
    root = np.sqrt(weights)
    return np.asarray(np.linalg.lstsq(root[:, None] * points, root * labels, rcond=None)[0])


def _error(points: Doubles, labels: Doubles, beta: Doubles) -> float:
    """The share of the pool on the wrong side."""
    return float(np.mean(np.where(points @ beta >= 0, 1.0, -1.0) != labels))


def uncertain(points: Doubles, labels: Doubles, known: int, count: int, _: int) -> Doubles:
    """Query next to the boundary of the current fit; fit without weights."""
    asked = list(range(known))
    rest = set(range(known, len(labels)))
    beta = _fit(points[asked], labels[asked], np.ones(len(asked)))
    for _ in range(count):
        index = min(rest, key=lambda i: abs(float(points[i] @ beta)))
        rest.remove(index)
        asked.append(index)
        beta = _fit(points[asked], labels[asked], np.ones(len(asked)))
    return beta


def perceptron(points: Doubles, labels: Doubles, known: int, count: int, seed: int) -> Doubles:
    """Dasgupta, Kalai and Monteleoni: ask within a margin, reflect on a mistake, shrink it.

    v <- v - 2 (v x) x on a wrong label; the margin halves after eight right answers in a row.
    Points have norm 1. It starts from the fit on the labelled set.
    """
    units = points / np.linalg.norm(points, axis=1)[:, None]
    vector = _fit(units[:known], labels[:known], np.ones(known))
    vector = vector / np.linalg.norm(vector)
    margin, right, asked = 1 / np.sqrt(units.shape[1]), 0, 0
    for index in np.random.default_rng(seed).permutation(np.arange(known, len(labels))):
        if asked == count:
            break
        value = float(vector @ units[index])
        if abs(value) > margin:
            continue
        asked += 1
        if value * labels[index] < 0:
            vector = vector - 2 * value * units[index]
            right = 0
        else:
            right += 1
            if right == 8:
                margin, right = margin / 2, 0
    return np.asarray(vector)


def uniformly(points: Doubles, labels: Doubles, known: int, count: int, seed: int) -> Doubles:
    """Any of the pool, weighted n_1/k; the labelled set at weight 1."""
    rest = np.arange(known, len(labels))
    asked = np.random.default_rng(seed).choice(rest, count, replace=False)
    weights = np.concatenate([np.ones(known), np.full(count, len(rest) / max(count, 1))])
    index = np.concatenate([np.arange(known), asked]).astype(np.int64)
    return _fit(points[index], labels[index], weights)


def by_leverage(points: Doubles, labels: Doubles, known: int, count: int, seed: int) -> Doubles:
    """Independent draws by leverage over the pool, each label paid once; the set at weight 1."""
    orthonormal = np.linalg.qr(points)[0]
    scores = np.einsum("ni,ni->n", orthonormal, orthonormal)[known:]
    shares = scores / scores.sum()
    drawn = np.random.default_rng(seed).choice(len(shares), count, p=shares)
    weights = np.concatenate([np.ones(known), 1 / (max(count, 1) * shares[drawn])])
    index = np.concatenate([np.arange(known), known + drawn]).astype(np.int64)
    return _fit(points[index], labels[index], weights)


RUNS: dict[str, Callable[[Doubles, Doubles, int, int, int], Doubles]] = {
    UNCERTAINTY: uncertain,
    PERCEPTRON: perceptron,
    UNIFORM: uniformly,
    LEVERAGE: by_leverage,
}


def measured(learner: str, run: int, seed: int) -> list[Row]:
    """One pool, one learner, at every number of labels; the error over the whole pool."""
    points, labels, known = pool(job_seed(seed, "pool", run) % 2**32)
    rows: list[Row] = []
    for count in COUNTS:
        beta = RUNS[learner](points, labels, known, count, job_seed(seed, learner, run) % 2**32)
        error = _error(points[known:], labels[known:], beta)
        rows.append({"learner": learner, "run": run, "labels_paid": count, "error": error})
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    return [
        Job(measured, (learner, run, seed))
        for learner in LEARNERS
        for run in range(repeats(20, size))
    ]


def _curve(rows: Sequence[Row], learner: str) -> list[tuple[float, float]]:
    mine = chosen(rows, learner=learner)
    return [(count, quantile(chosen(mine, labels_paid=count), "error", 0.5)) for count in COUNTS]


def draw(rows: Sequence[Row]) -> Figure:
    """The pool with both boundaries on top, the median error against labels below."""
    points, labels, known = pool(job_seed(0, "pool", 0) % 2**32)
    stuck = uncertain(points, labels, known, COUNTS[-1], 0)
    best = _fit(points, labels, np.ones(len(labels)))
    with plots.style():
        figure, grid = plots.axes_grid(2, 1, height=5.6)
        top, bottom = grid[0][0], grid[1][0]
        edges = np.linspace(-0.1, 1.0, 56)
        for order, sign in enumerate((1, -1)):
            mine = points[known:][labels[known:] == sign][:, 1]
            name = "positive" if sign > 0 else "negative"
            top.hist(mine, edges, color=plots.COLOURS[order], alpha=0.7, label=name)
        top.plot(
            points[:known, 1],
            np.full(known, -6.0),
            color=plots.COLOURS[3],
            marker="|",
            linestyle="none",
            markersize=8,
            label="labelled at the start",
        )
        grid_x = np.linspace(-0.1, 1.0, 500)
        features = np.column_stack([np.ones(500), grid_x, grid_x * grid_x])
        for beta, order, name in ((stuck, 2, "uncertainty, 160 labels"), (best, 4, "all labels")):
            height = 6.0 if order == 2 else 12.0
            inside = features @ beta >= 0
            top.plot(
                np.where(inside, grid_x, np.nan),
                np.full(500, 100.0 + height),
                color=plots.COLOURS[order],
                linewidth=4,
                label=f"called positive: {name}",
            )
        top.set(xlabel="x", ylabel="points", title="the pool, and who calls what positive")
        top.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        for order, learner in enumerate(LEARNERS):
            plots.series(bottom, _curve(rows, learner), order, label=learner)
        bottom.set(xlabel="labels paid", ylabel="share of the pool wrong, median", ylim=(0, None))
        bottom.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """The median error at the start and after the most labels, learner by learner."""
    parts = []
    for learner in LEARNERS:
        curve = dict(_curve(rows, learner))
        parts.append(f"{learner} {100 * curve[COUNTS[0]]:.1f} % to {100 * curve[COUNTS[-1]]:.1f} %")
    runs = len(chosen(rows, learner=UNCERTAINTY, labels_paid=COUNTS[-1]))
    last = chosen(rows, learner=UNCERTAINTY, labels_paid=COUNTS[-1])
    stuck = sum(number(row, "error") > 0.1 for row in last)
    errors = (
        f"Median share of the pool on the wrong side, without and with {COUNTS[-1]} labels: "
        f"{'; '.join(parts)}."
    )
    stays = (
        f"Uncertainty sampling had more than 10 % of the pool wrong after {COUNTS[-1]} labels in "
        f"{stuck} of {runs} runs."
    )
    return errors, stays


EXPERIMENT = Experiment(
    "classifiers",
    "A biased start, and a classifier that stays there",
    "Does a classifier that asks only next to its boundary get over a biased labelled set?",
    "Top: a pool with three clusters, of which the labelled set shows two; bars above the pool "
    "mark what is called positive. Bottom: share of the pool on the wrong side against labels "
    "paid. Uncertainty sampling asks next to its own boundary and does not look at the third "
    "cluster.",
    COLUMNS,
    plan,
    draw,
    findings,
)
