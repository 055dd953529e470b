"""Section 6 with data: how fast learners get over a biased labelled set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib.figure import Figure

from asura.algorithm1_regression import optimum
from asura.dataset import Dataset, dataset
from asura.randomness import Seed
from asura.sampling import asura_sampling, leverage_sampling, randomized_bss
from asura.scalars import Enclosure
from asura_verify.experiments import plots
from asura_verify.experiments.data import diabetes, rational_column, rational_rows
from asura_verify.experiments.learners import (
    Answer,
    FitInDoubles,
    by_algorithm_1,
    largest_variance,
    nearest_to_boundary,
    uniform,
)
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    Value,
    chosen,
    distinct,
    from_there_on,
    job_seed,
    number,
    outward,
    quantile,
    repeats,
)

BOUNDARY = "nearest to the boundary"
VARIANCE = "largest variance"
UNIFORM = "uniform"
LEVERAGE = "leverage scores"
PAPER_RULE = "Algorithm 1, paper's stop"
SURE_RULE = "Algorithm 1, sure stop"
LEARNERS = (BOUNDARY, VARIANCE, UNIFORM, LEVERAGE, PAPER_RULE, SURE_RULE)
COUNTS = (4, 8, 16, 32, 64, 128, 176)
GAMMAS = ("9/20", "2/5", "3/10", "1/4", "1/6", "1/8")
COLUMNS = ("problem", "learner", "parameter", "run", "labels_paid", "ratio_lower", "ratio_upper")


@cache
def cluster() -> tuple[Dataset, Enclosure]:
    """Three features; the labelled points lie in one corner, with labels from a wrong model."""
    generator = np.random.default_rng(6)
    pool = generator.standard_normal((240, 3))
    truth, wrong = np.array([1.0, -2.0, 0.5]), np.array([1.0, 2.0, 0.5])
    corner = np.array([1.5, 0.4, 0.0]) + 0.2 * generator.standard_normal((40, 3))
    labels = np.concatenate(
        [
            pool @ truth + 0.3 * generator.standard_normal(240),
            corner @ wrong + 0.3 * generator.standard_normal(40),
        ]
    )
    data = dataset(
        rational_rows(np.vstack([pool, corner])), unlabelled=240, labels=rational_column(labels)
    )
    return data, optimum(data)[1]


@cache
def healthy_first() -> tuple[Dataset, Enclosure]:
    """Diabetes: labels are known for the 40 patients with the mildest course, and only for them.

    Every other patient, a constant, and the body-mass index, blood pressure and serum value s5.
    """
    table = diabetes()
    labels = table.labels[::2]
    order = np.argsort(-labels, kind="stable")
    features = np.column_stack([np.ones(len(order)), table.features[::2][:, [2, 3, 8]]])[order]
    data = dataset(
        rational_rows(features), unlabelled=len(order) - 40, labels=rational_column(labels[order])
    )
    return data, optimum(data)[1]


PROBLEMS = {"wrong corner": cluster, "diabetes, mild cases known": healthy_first}


def _row(problem: str, learner: str, parameter: Value, run: int, answer: Answer) -> Row:
    lower, upper = outward(answer.ratio)
    return {
        "problem": problem,
        "learner": learner,
        "parameter": parameter,
        "run": run,
        "labels_paid": answer.paid,
        "ratio_lower": lower,
        "ratio_upper": upper,
    }


def sequential(problem: str) -> list[Row]:
    """The two learners without randomness, from no label on."""
    data, best = PROBLEMS[problem]()
    regression = FitInDoubles(data, best)
    rows = []
    for learner, run in ((BOUNDARY, nearest_to_boundary), (VARIANCE, largest_variance)):
        rows += [
            _row(problem, learner, answer.paid, 0, answer)
            for answer in run(regression, (0, *COUNTS))
        ]
    return rows


def uniformly(problem: str, run: int, seed: int) -> list[Row]:
    """Uniform querying at every count."""
    data, best = PROBLEMS[problem]()
    counts = [count for count in COUNTS if count >= data.dimension]
    answers = uniform(
        FitInDoubles(data, best), counts, job_seed(seed, problem, UNIFORM, run) % 2**63
    )
    return [_row(problem, UNIFORM, answer.paid, run, answer) for answer in answers]


def sampled(problem: str, learner: str, parameter: str, runs: int, seed: int) -> list[Row]:
    """Leverage scores, or Algorithm 1 with one of its stopping rules."""
    data, best = PROBLEMS[problem]()
    procedure = (
        leverage_sampling(int(parameter))
        if learner == LEVERAGE
        else asura_sampling(parameter)
        if learner == PAPER_RULE
        else randomized_bss(parameter)
    )
    rows = []
    for run in range(runs):
        chooser = Seed(job_seed(seed, problem, learner, parameter, run))
        rows.append(
            _row(problem, learner, parameter, run, by_algorithm_1(data, procedure, chooser, best))
        )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    jobs = []
    for problem in PROBLEMS:
        runs = repeats(12, size)
        jobs.append(Job(sequential, (problem,)))
        jobs += [Job(uniformly, (problem, run, seed)) for run in range(runs)]
        for count in COUNTS[2:]:
            jobs.append(Job(sampled, (problem, LEVERAGE, str(count), max(2, runs // 2), seed)))
        for gamma in GAMMAS:
            for learner in (PAPER_RULE, SURE_RULE):
                jobs.append(Job(sampled, (problem, learner, gamma, runs, seed)))
    return jobs


def _curve(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Median labels and median excess, one point per parameter."""
    points = []
    for parameter in distinct(rows, "parameter"):
        same = chosen(rows, parameter=parameter)
        points.append((quantile(same, "labels_paid", 0.5), quantile(same, "ratio_upper", 0.5) - 1))
    return sorted(points)


def draw(rows: Sequence[Row]) -> Figure:
    """Median loss/OPT - 1 against labels paid for, a panel a problem."""
    with plots.style():
        figure, grid = plots.axes_grid(1, 2, height=4.1)
        for axes, problem in zip(grid[0], distinct(rows, "problem"), strict=False):
            for order, learner in enumerate(LEARNERS):
                curve = [
                    (x, y) for x, y in _curve(chosen(rows, problem=problem, learner=learner)) if x
                ]
                plots.series(axes, curve, order, label=learner)
            axes.set(xscale="log", yscale="log", title=problem, xlabel="labels paid for")
        grid[0][0].set_ylabel("loss/OPT - 1, median")
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """Labels until the median loss is within 10 per cent of OPT, learner by learner."""
    sentences = []
    for problem in distinct(rows, "problem"):
        parts, needed = [], {}
        for learner in LEARNERS:
            mine = chosen(rows, problem=problem, learner=learner)
            labels = from_there_on(_curve(mine), lambda excess: excess <= 0.1)
            most = max(number(row, "labels_paid") for row in mine)
            shown = f"not within {most:.0f}" if labels is None else f"{labels:.0f}"
            parts.append(f"{learner}, {shown}")
            needed[learner] = labels
        sentence = (
            f"{str(problem).capitalize()}: fewest labels tried from which on the median loss "
            f"stays within 1.1 OPT: {'; '.join(parts)}."
        )
        biased, even, ours = (needed[each] for each in (BOUNDARY, UNIFORM, SURE_RULE))
        if biased and even and ours:
            sentence += (
                f" Choosing by the biased fit takes {biased / ours:.1f} times the labels of "
                f"Algorithm 1 with the sure stop; choosing at random, {even / ours:.1f} times."
            )
        sentences.append(sentence)
    return tuple(sentences)


EXPERIMENT = Experiment(
    "bias",
    "Biased labels",
    "Does a learner that starts from biased labels converge more slowly than Algorithm 1?",
    "Loss above the optimum against labels paid for, medians over runs. Left: the labelled points "
    "lie in one corner and follow another model. Right: labels are known for the mildest cases "
    "only. Lower is better; a curve that stays up has not got over the bias.",
    COLUMNS,
    plan,
    draw,
    findings,
)
