"""The distribution of loss/OPT over runs, against the bounds of rows `main` and `sure-stop`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from matplotlib.figure import Figure

from asura.algorithm1_regression import optimum
from asura.dataset import Dataset, dataset
from asura.guarantees import gamma_for, sure_excess
from asura.randomness import Seed
from asura.sampling import asura_sampling, randomized_bss
from asura.scalars import Enclosure, write_scalar
from asura_verify.experiments import plots
from asura_verify.experiments.data import diabetes, made_up, rational_column, rational_rows
from asura_verify.experiments.learners import by_algorithm_1
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
    quantile,
    repeats,
)

COLUMNS = columns(
    "labels rule epsilon gamma level run labels_paid ratio_lower ratio_upper excess_bound"
)


@cache
def _points() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return made_up(11, 40, 2)


@cache
def problem(labels: str) -> tuple[Dataset, Enclosure]:
    """Forty points in the plane, all to be queried, and labels of one kind.

    `normal`: noise. `spike`: a residual on the single point of largest leverage. `against`: the
    residual of every point has the sign of its first coordinate, so that the model is far from
    linear. `diabetes`: two features of forty patients, and their real labels.
    """
    points = _points()
    leverage = np.einsum("ni,ik,nk->n", points, np.linalg.inv(points.T @ points), points)
    noise = np.random.default_rng(5).standard_normal(len(points))
    values = {
        "normal": points @ np.array([1.0, -1.0]) + 0.5 * noise,
        "spike": np.where(np.arange(len(points)) == int(np.argmax(leverage)), 8.0, 0.0),
        "against": np.abs(points[:, 0]) + np.sign(points[:, 1]),
    }
    if labels == "diabetes":
        table = diabetes()
        kept = np.arange(0, 440, 11)
        data = dataset(
            rational_rows(table.features[kept][:, [2, 8]]),
            labels=rational_column(table.labels[kept]),
        )
    else:
        data = dataset(rational_rows(points), labels=rational_column(values[labels]))
    return data, optimum(data)[1]


LABELS = ("normal", "spike", "against", "diabetes")
#: rule, accuracy, runs at size 1
SETTINGS = (
    ("sure", "1", 60),
    ("sure", "1/4", 30),
    ("sure-best", "1", 60),
    ("sure-best", "1/4", 30),
    ("main", "1", 5),
)


def measured(labels: str, rule: str, epsilon: str, first: int, runs: int, seed: int) -> list[Row]:
    """Certified loss/OPT of Algorithm 1, run by run."""
    data, best = problem(labels)
    choice = gamma_for(epsilon, guarantee=rule, dimension=data.dimension)
    level = choice.stopping.level
    procedure = (
        asura_sampling(choice.gamma)
        if rule == "main"
        else randomized_bss(choice.gamma, level=level)
    )
    excess = (
        Fraction(epsilon)
        if rule == "main"
        else sure_excess(choice.gamma, level, data.dimension) or Fraction(epsilon)
    )
    rows: list[Row] = []
    for run in range(first, first + runs):
        chooser = Seed(job_seed(seed, labels, rule, epsilon, run))
        answer = by_algorithm_1(data, procedure, chooser, best)
        lower, upper = outward(answer.ratio)
        rows.append(
            {
                "labels": labels,
                "rule": rule,
                "epsilon": epsilon,
                "gamma": write_scalar(choice.gamma),
                "level": write_scalar(level),
                "run": run,
                "labels_paid": answer.paid,
                "ratio_lower": lower,
                "ratio_upper": upper,
                "excess_bound": float(excess),
            }
        )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs, longest first."""
    jobs = []
    for rule, epsilon, base in reversed(SETTINGS):
        for labels in LABELS:
            runs = repeats(base, size)
            jobs += [
                Job(measured, (labels, rule, epsilon, first, min(10, runs - first), seed))
                for first in range(0, runs, 10)
            ]
    return jobs


def draw(rows: Sequence[Row]) -> Figure:
    """Distribution functions of loss/OPT - 1, a panel a setting, with its bound."""
    settings = [setting for setting in SETTINGS if setting[0] != "sure"]
    with plots.style():
        figure, grid = plots.axes_grid(1, len(settings), height=3.7)
        for axes, (rule, epsilon, _) in zip(grid[0], settings, strict=True):
            for order, labels in enumerate(LABELS):
                mine = chosen(rows, rule=rule, epsilon=_epsilon(rows, epsilon), labels=labels)
                values = sorted(max(number(row, "ratio_upper") - 1, 1e-9) for row in mine)
                if not values:
                    continue
                shares = [(i + 1) / len(values) for i in range(len(values))]
                axes.step(
                    values,
                    shares,
                    where="post",
                    color=plots.COLOURS[order],
                    linestyle=plots.DASHES[order],
                    label=labels,
                )
            mine = chosen(rows, rule=rule, epsilon=_epsilon(rows, epsilon))
            plots.rule(axes, number(mine[0], "excess_bound"), "bound", horizontal=False)
            axes.set(xscale="log", ylim=(0, 1.02), title=f"{rule}, ε = {epsilon}")
            axes.set_xlabel("loss/OPT - 1")
        grid[0][0].set_ylabel("share of runs")
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def _epsilon(rows: Sequence[Row], epsilon: str) -> str | int | float:
    """The cell of the column: a CSV turns "1" into a number."""
    return next(value for value in distinct(rows, "epsilon") if str(value) == epsilon)


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """Means and quantiles beside the bounds."""
    sentences = []
    for rule, epsilon, _ in SETTINGS:
        mine = chosen(rows, rule=rule, epsilon=_epsilon(rows, epsilon))
        parts = []
        for labels in LABELS:
            same = chosen(mine, labels=labels)
            value = (
                quantile(same, "ratio_upper", 0.75) if rule == "main" else mean(same, "ratio_upper")
            )
            parts.append(f"{labels} {value - 1:.2g}")
        what = "three quarters of the runs below" if rule == "main" else "mean"
        promise = "with probability 3/4" if rule == "main" else "in expectation"
        sentences.append(
            rf"{rule}, $\varepsilon = {epsilon}$ "
            rf"($\gamma = {float(Fraction(str(mine[0]['gamma']))):.4f}$): "
            f"loss/OPT - 1, {what}: {', '.join(parts)}; proved: at most "
            f"{number(mine[0], 'excess_bound'):.3g} {promise}."
        )
    return tuple(sentences)


EXPERIMENT = Experiment(
    "loss",
    "The loss of Algorithm 1",
    "How is loss/OPT distributed, and how far is it from what is proved?",
    "Share of runs whose loss is at most so far above the optimum. The dashed line is what is "
    "proved: in expectation for the sure rules, with probability 3/4 for the paper's rule at "
    r"$\gamma = \sqrt{\varepsilon}/33$. Labels: normal noise; a spike on the point of largest "
    "leverage; against the model, which is far from linear; forty patients of the diabetes data.",
    COLUMNS,
    plan,
    draw,
    findings,
)
