"""What a plan guarantees and what its labels give in fact, against the labels paid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from asura.kept.trials import PAID
from asura_verify.experiments import plots
from asura_verify.experiments.data import diabetes
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
    repeats,
)

if TYPE_CHECKING:  # a recorded table is drawn without the engine, which needs SciPy
    from asura.engine.free_draws import Pool
    from asura.engine.preparing import Prepared
    from asura.engine.procedures import Drawn

Doubles = NDArray[np.float64]

#: Significant digits of what is computed in doubles: the last ones are those of a machine's BLAS.
_DIGITS = 9
COLUMNS = columns("data method ratio budget reduced_rank trials guaranteed run labels_paid excess")
#: The names of the methods in `asura plan --method`, and what they are called here.
NAMES = {
    "coins": "K6, coins",
    "asura": "ASURA",
    "one-sided": "K2",
    "leverage": "leverage, iid",
    "uniform": "uniform",
}
#: Budgets as multiples of R_X.
RATIOS = (10, 20, 50)
#: In a CSV, where a budget is too small for a guarantee.
NONE = "none"
#: Rows of the made-up tables: more than are looked at one by one.
_ROWS, _COLUMNS = 5000, 20
TABLES = {"diabetes": 1.0, "heavy tails": 1.0, "Gaussian": 1.0, "Gaussian, λ = 3000": 3000.0}


@cache
def table(name: str) -> tuple[Doubles, Doubles]:
    """Features and labels: real ones, Student's t with 3 degrees of freedom, or normal."""
    if name == "diabetes":
        found = diabetes()
        return found.features, found.labels
    random = np.random.default_rng(17)
    shape = (_ROWS, _COLUMNS)
    points = random.standard_t(3, shape) if name == "heavy tails" else random.standard_normal(shape)
    noise = random.standard_t(3, _ROWS) if name == "heavy tails" else random.standard_normal(_ROWS)
    return points, points @ np.linspace(-1, 1, _COLUMNS) + noise


@cache
def _ready(name: str) -> Prepared:
    from asura.engine.preparing import prepare  # noqa: PLC0415

    return prepare(table(name)[0], ridge=TABLES[name], intercept=False)


def _loss(points: Doubles, labels: Doubles, ridge: float, beta: NDArray[Any]) -> float:
    gap = points @ beta - labels
    return float(gap @ gap + ridge * (beta @ beta))


def _excess(name: str, pool: Pool, drawn: Drawn) -> float:
    """loss/OPT - 1 of the answer on a sample, in doubles."""
    points, labels = table(name)
    ridge = TABLES[name]
    kept = np.zeros((points.shape[1],) * 2) if pool.free else ridge * np.eye(points.shape[1])
    rows = pool.rows.take(pool.candidates[drawn.picks])
    known = np.append(labels, np.zeros(pool.free))[drawn.picks]  # X_1 first, then the ridge
    weighted = rows.T * drawn.weights
    beta = np.linalg.solve(weighted @ rows + kept, weighted @ known)
    whole = points.T @ points + ridge * np.eye(points.shape[1])
    best = np.linalg.solve(whole, points.T @ labels)
    return _loss(points, labels, ridge, beta) / _loss(points, labels, ridge, best) - 1


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def measured(name: str, method: str, ratio: int, runs: int, seed: int) -> list[Row]:
    """The guarantee for a budget of `ratio` R_X, and so many accepted samples."""
    import scipy.linalg  # noqa: F401, PLC0415 its BLAS must be there to be held to one thread

    from asura.blas_threads import one_blas_thread  # noqa: PLC0415

    with one_blas_thread():
        return _measured(name, method, ratio, runs, seed)


def _measured(name: str, method: str, ratio: int, runs: int, seed: int) -> list[Row]:
    ready = _ready(name)
    budget = round(ratio * ready.reduced_rank)
    if budget >= len(ready.useful):
        return []
    stream = job_seed(seed, name, method, ratio)
    pool, procedure, promise = ready.choice(method, budget, None, stream)
    if procedure is None:
        return []
    least = 0.0 if promise is None else promise.least
    rows: list[Row] = []
    trial = 0
    while len(rows) < runs and trial < 20 * runs:
        drawn = procedure.draw(PAID, trial)
        trial += 1
        sample = pool.side(drawn.picks, drawn.weights)
        good = pool.proved(sample, least) if least else pool.floor(sample) > 0
        if pool.labels(drawn.picks) > budget or not good:
            continue
        rows.append(
            {
                "data": name,
                "method": method,
                "ratio": ratio,
                "budget": budget,
                "reduced_rank": _rounded(ready.reduced_rank),
                "trials": 0 if promise is None else promise.trials,
                "guaranteed": NONE if promise is None else _rounded(promise.epsilon),
                "run": len(rows),
                "labels_paid": pool.labels(drawn.picks),
                "excess": _rounded(_excess(name, pool, drawn)),
            }
        )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs, longest first; one data set for the default method alone, as a table has it."""
    return [
        Job(measured, (name, method, ratio, repeats(10, size), seed))
        for ratio in reversed(RATIOS)
        for name in TABLES
        for method in NAMES
        if method == "coins" or not name.endswith("3000")
    ]


def draw(rows: Sequence[Row]) -> Figure:
    """A panel a data set: lines are guarantees, marks what came out on average."""
    names = [name for name in TABLES if not name.endswith("3000")]
    with plots.style():
        figure, grid = plots.axes_grid(1, len(names), height=4.0)
        for axes, name in zip(grid[0], names, strict=True):
            for order, method in enumerate(NAMES):
                cells = [chosen(rows, data=name, method=method, ratio=r) for r in RATIOS]
                cells = sorted(filter(None, cells), key=lambda same: mean(same, "labels_paid"))
                sure = [same for same in cells if same[0]["guaranteed"] != NONE]
                promised = [(mean(c, "labels_paid"), number(c[0], "guaranteed")) for c in sure]
                in_fact = [(mean(c, "labels_paid"), mean(c, "excess")) for c in cells]
                plots.series(axes, promised, order, label=NAMES[method])
                plots.series(axes, in_fact, order, linestyle="none", fillstyle="none")
            rank = number(chosen(rows, data=name)[0], "reduced_rank")
            axes.set(xscale="log", yscale="log", title=f"{name}, R = {rank:.3g}")
            budgets = sorted({int(number(row, "budget")) for row in chosen(rows, data=name)})
            axes.set_xticks(budgets, [str(budget) for budget in budgets])
            axes.set_xticks([], minor=True)
            axes.set_xlabel("labels paid")
        grid[0][0].set_ylabel("loss/OPT - 1 (open marks: in fact)")
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def guaranteed(rows: Sequence[Row], name: str, ratio: int) -> str:
    """One cell of the table: the guarantee of K6."""
    same = chosen(rows, data=name, method="coins", ratio=ratio)
    if not same:
        return "-"
    value = same[0]["guaranteed"]
    return NONE if value == NONE else f"{float(value):.3g}"


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """The guarantees of K6 at three budgets, then the methods beside each other."""
    sentences = []
    for name in distinct(rows, "data"):
        cells = ", ".join(f"B = {r} R: {guaranteed(rows, str(name), r)}" for r in RATIOS)
        fact = chosen(rows, data=name, method="coins", ratio=20)
        sentences.append(
            f"{name}: guaranteed by K6 (alpha = 1e-6, {fact[0]['trials']} trials) {cells}; in fact "
            f"{mean(fact, 'excess'):.2g} on average at 20 R."
        )
    for name in [n for n in distinct(rows, "data") if not str(n).endswith("3000")]:
        parts = []
        for method, title in NAMES.items():
            same = chosen(rows, data=name, method=method, ratio=20)
            if same:
                sure = same[0]["guaranteed"]
                promised = NONE if sure == NONE else f"{float(sure):.2g}"
                parts.append(f"{title} {promised} ({mean(same, 'excess'):.2g})")
        sentences.append(f"{name}, B = 20 R, guaranteed (in fact): {', '.join(parts)}.")
    return tuple(sentences)


EXPERIMENT = Experiment(
    "plans",
    "Guarantees and losses of plans",
    "What is guaranteed for a budget, by which method, and what comes out in fact?",
    "Lines: the excess over the optimum that a plan guarantees in expectation, with at "
    "most $B = 10 R$, $20 R$ or $50 R$ labels surely. Open marks: the mean over samples "
    "that were accepted. Diabetes has 442 rows, the others 5,000 of 20 columns; "
    r"$\lambda = 1$, nothing is labelled. $\mathbb{P}(G)$ from 400 free trials; the methods with "
    "barriers make as many of them as a plan does by default, 94 or more.",
    COLUMNS,
    plan,
    draw,
    findings,
)
