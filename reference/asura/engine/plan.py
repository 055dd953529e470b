"""A plan: which labels to buy, with what weight, what that guarantees, and how to go on later.

>>> from asura.engine import plan
>>> chosen = plan("example:houses.csv", target="price", identifier="parcel", ridge=1, budget=30)
>>> chosen
Plan(at most 30 labels: 26 to buy of 51, R_X = 3.56, epsilon = 0.264)
>>> chosen.identifiers[:3], len(chosen.weights)
(('p01', 'p03', 'p05'), 26)
>>> model = chosen.fit(lambda row: 100.0 + row)
>>> model, round(float(model.predict("example:houses.csv")[0]))
(Model(linear, 3 features, 26 labels bought, 9 known), 122)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from asura.blas_threads import one_blas_thread
from asura.engine import choosing, methods
from asura.engine.all_rows import everything
from asura.engine.certificate import SampleCertificate, certify
from asura.engine.choosing import ALPHA, TRIALS, Promise
from asura.engine.fitting import Beside, fit
from asura.engine.methods import COINS
from asura.engine.model import Model
from asura.engine.preparing import (
    Prepared,
    Progress,
    prepare,
    read_budget,
    read_epsilon,
    read_seed,
    silent,
)
from asura.engine.problem import Problem, Settings
from asura.engine.procedures import Drawn
from asura.engine.tables import (
    Series,
    Table,
    as_label,
    label_array,
    names_rows,
    with_known,
    with_values,
)
from asura.errors import (
    BudgetOutOfRange,
    ConflictingOptions,
    MissingLabel,
    RaggedData,
    TrialsOutOfRange,
)
from asura.rounding import up

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]
Labels = (
    Mapping[str, float]
    | Mapping[int, float]
    | Series
    | Vector
    | Sequence[float]
    | Callable[[int], float]
    | str
    | Path
)


@dataclass(frozen=True)
class PlanRecord:
    """Everything of a plan that its file holds, but for the rows."""

    source: str
    target: str | None
    identifier: str | None
    columns: tuple[str, ...]
    rows: int
    fingerprint: str
    settings: Settings
    seed: int
    method: str
    rule: Literal["free draws", "everything", "nothing"]
    budget: int
    reduced_rank: float
    promise: Promise | None
    draw: int
    dropped: tuple[str, ...]
    guarantee: str
    delta: float | None
    certificate: str
    seconds: float


@dataclass(frozen=True, repr=False)
class Plan:
    """The rows to label, their weights, and the problem that they were chosen for.

    `beside` has what takes the place of the labelled rows and the ridge, where a method samples
    these as well; without it they are kept whole.
    """

    problem: Problem
    record: PlanRecord
    rows: Indices
    weights: Vector
    draws: Indices
    beside: Beside | None = None

    def __repr__(self) -> str:
        record = self.record
        promise = record.promise
        size = len(self.problem.candidates)
        accuracy = "no guarantee" if promise is None else f"epsilon = {promise.epsilon:.3g}"
        if record.rule != "free draws":
            accuracy = "exact"
        return (
            f"Plan(at most {record.budget} labels: {len(self.rows)} to buy of {size}, "
            f"R_X = {record.reduced_rank:.3g}, {accuracy})"
        )

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The names of the rows to label."""
        return tuple(self.problem.table.name(int(row)) for row in self.rows)

    @property
    def guarantee(self) -> str:
        """What is guaranteed, in one sentence."""
        return self.record.guarantee

    @property
    def missing(self) -> tuple[str, ...]:
        """The rows whose label has not arrived."""
        unknown = np.isnan(self.problem.table.labels[self.rows])
        return tuple(self.problem.table.name(int(row)) for row in self.rows[unknown])

    @property
    def unasked(self) -> int:
        """How many labels the table has that the plan neither knew nor asked for.

        A fit leaves them aside: the weights speak for all rows as they are.
        """
        used = self.problem.known.copy()
        used[self.rows] = True
        return int((self.problem.table.known & ~used).sum())

    def with_labels(self, labels: Labels) -> Plan:
        """The plan with some labels filled in; the others may follow later."""
        table = _labelled(self.problem.table, self.rows, labels)
        return replace(self, problem=self.problem.with_table(table))

    def fit(self, labels: Labels | None = None) -> Model:
        """The model; labels by name, one per row, or by a function of the row's number.

        Names come from a file of pairs, a mapping, or the index of a pandas series, unless it
        only counts its rows. Rows without identifier have their numbers as names. A function is
        asked for the labels that are missing, each once.
        """
        full = self if labels is None else self.with_labels(labels)
        labelled = full.problem.table.labels
        model = fit(full.problem, self.rows, self.weights, labelled, self.guarantee, self.beside)
        return replace(model, identifier=self.record.identifier)


def _labelled(table: Table, rows: Indices, labels: Labels) -> Table:
    if callable(labels):
        values = np.full(len(table.labels), np.nan)
        for row in rows[np.isnan(table.labels[rows])]:  # what is known is not paid for again
            values[row] = as_label(labels(int(row)), table.name(int(row)))
            if np.isnan(values[row]):
                raise MissingLabel(f"no label came back for row {row}", value=int(row))
        return with_values(table, values)
    if names_rows(labels, len(table.labels)) and names_rows(labels, len(rows)):
        return with_known(table, labels)
    values = label_array(labels)
    if values.shape == rows.shape != table.labels.shape:
        given = values
        values = np.full(len(table.labels), np.nan)
        values[rows] = given
    elif values.shape != table.labels.shape:
        raise RaggedData(
            f"labels of shape {values.shape}: expected one for each of the {len(table.labels)} "
            f"rows of the table, or of the {len(rows)} rows of the plan",
            value=values.shape,
        )
    return with_values(table, values)


def _sentence(promise: Promise, rests_on: str, kernel_factor: float) -> str:
    factor = up((1 + promise.epsilon) * kernel_factor)
    beyond = (
        ""
        if kernel_factor == 1
        else f"; {rounded_up(kernel_factor)} of the factor pays for a kernel of lower rank"
    )
    return (
        f"the expected loss is at most {rounded_up(factor)} times the best possible, with at most "
        f"{promise.budget} labels, surely ({rests_on}: {promise.accepted} of {promise.trials} free "
        f"trials were good, so that a draw is good with probability at least "
        f"{promise.probability:.4f}; this bound is wrong with probability at most "
        f"{float(ALPHA):.0e}{beyond})"
    )


def rounded_up(factor: float) -> str:
    """Four digits after the first, never less than the number.

    >>> rounded_up(1.23412), rounded_up(1.0), rounded_up(17.0)
    ('1.2342', '1', '17')
    """
    digits = max(0, 4 - math.floor(math.log10(max(factor, 1.0))))
    return f"{math.ceil(factor * 10**digits - 1e-9) / 10**digits:.6g}"


def plan(
    source: object,
    *,
    budget: int | None = None,
    epsilon: float | None = None,
    method: str = COINS,
    seed: int = 0,
    trials: int = TRIALS,
    progress: Progress = silent,
    target: str | None = None,
    identifier: str | None = None,
    features: Sequence[str] | None = None,
    labels: object = None,
    ridge: float = 0.0,
    intercept: bool = True,
    kernel: Literal["rbf", "given"] | None = None,
    length: float | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
) -> Plan:
    """Which labels to buy: at most `budget`, or as few as keep E[loss] <= (1 + epsilon) OPT.

    The source is a file, an array, or a frame. Rows whose label is known (in the column `target`,
    or in `labels`, by name or one per row) are kept whole; the others may be bought.
    `method` is one of `asura.engine.methods.METHODS`.
    """
    if (budget is None) == (epsilon is None):
        raise ConflictingOptions(
            "expected exactly one of --budget and --epsilon", value=(budget, epsilon)
        )
    limit = None if budget is None else read_budget(budget)
    accuracy = None if epsilon is None else read_epsilon(epsilon)
    ready = prepare(
        source,
        target=target,
        identifier=identifier,
        features=features,
        labels=labels,
        ridge=ridge,
        intercept=intercept,
        kernel=kernel,
        length=length,
        delimiter=delimiter,
        header=header,
        decimal=decimal,
        progress=progress,
    )
    return decide(ready, limit, accuracy, read_seed(seed), trials, progress, method)


@one_blas_thread()
def decide(
    ready: Prepared,
    budget: int | None,
    epsilon: float | None,
    seed: int,
    trials: int = TRIALS,
    progress: Progress = silent,
    method: str = COINS,
) -> Plan:
    """Choose the rows for a budget or an accuracy."""
    if trials < 1:
        raise TrialsOutOfRange(f"trials = {trials}: expected at least 1", value=trials)
    how, useful = methods.method(method), ready.useful
    if not useful.size:
        why = "no label is needed: the rows without label are zero, the known labels say it all"
        return _whole(ready, "nothing", seed, method, why, progress)
    if budget is not None and budget >= len(useful):
        why = f"all {len(useful)} labels are within the budget: the loss is the best possible, OPT"
        return _whole(ready, "everything", seed, method, why, progress)
    if budget is not None and budget < ready.undetermined:
        raise BudgetOutOfRange(
            f"budget {budget}: {ready.undetermined} directions have no label and no ridge, so "
            f"that at least {ready.undetermined} labels are needed (or give a ridge)",
            value=budget,
        )
    pool, procedure, promise = ready.choice(method, budget, epsilon, seed, progress, trials)
    if procedure is None:
        why = (
            f"label everything: no smaller sample of the {len(useful)} rows is sure to keep "
            f"epsilon = {epsilon:g}; with all labels the loss is the best possible, OPT"
        )
        return _whole(ready, "everything", seed, method, why, progress)
    if promise is None:
        limit = budget or 0
        reason = (
            f"{limit} labels are too few for one"
            if how.rests_on
            else f"none is known for {how.chooses}"
        )
        why = f"no guarantee: {reason}; the sample is proved to determine the model"
        drawn, draw = choosing.final_draw(pool, procedure, 0.0, limit)
        return _finished(ready, "free draws", method, limit, None, drawn, seed, draw, why, progress)
    drawn, draw = choosing.final_draw(pool, procedure, promise.least, promise.budget)
    factor = ready.problem.low_rank
    stretch = 1.0 if factor is None else 1 + factor.rest / ready.problem.settings.ridge
    why = _sentence(promise, how.rests_on, stretch)
    return _finished(
        ready, "free draws", method, promise.budget, promise, drawn, seed, draw, why, progress
    )


def _whole(
    ready: Prepared,
    rule: Literal["everything", "nothing"],
    seed: int,
    method: str,
    why: str,
    progress: Progress,
) -> Plan:
    """Every label that says something, at weight 1."""
    picks = ready.useful
    drawn = Drawn(picks, np.ones(len(picks)), np.ones(len(picks), dtype=np.intp))
    return _finished(ready, rule, method, len(picks), None, drawn, seed, 0, why, progress)


def _finished(
    ready: Prepared,
    rule: Literal["free draws", "everything", "nothing"],
    method: str,
    budget: int,
    promise: Promise | None,
    drawn: Drawn,
    seed: int,
    draw: int,
    guarantee: str,
    progress: Progress,
) -> Plan:
    task = ready.problem
    paid = drawn.picks < len(task.candidates)
    rows, weights = task.candidates[drawn.picks[paid]], drawn.weights[paid]
    beside: Beside | None = None
    if rule == "free draws" and methods.method(method).samples_everything:
        ridge = np.arange(task.rows.size, task.rows.size + task.rows.width)
        order = np.concatenate([np.flatnonzero(task.known), ridge])
        beside = Beside(order[drawn.picks[~paid] - len(task.candidates)], drawn.weights[~paid])
    proof = _proof(ready, rows, weights, beside, lambda share: progress("certificate", share))
    record = PlanRecord(
        task.table.source,
        task.table.target,
        ready.identifier,
        task.table.columns,
        len(task.table.features),
        task.fingerprint,
        task.settings,
        seed,
        method,
        rule,
        budget,
        ready.reduced_rank,
        promise,
        draw,
        tuple(task.column_name(k) for k in ready.pool.spectrum.whitening.dropped),
        guarantee,
        proof.delta,
        proof.sentence,
        time.monotonic() - ready.started,
    )
    return Plan(task, record, rows, weights, drawn.draws[paid], beside)


def _proof(
    ready: Prepared,
    rows: Indices,
    weights: Vector,
    beside: Beside | None,
    progress: Callable[[float], None],
) -> SampleCertificate:
    """What is proved about the rows and their weights, from these alone."""
    task, whitening = ready.problem, ready.pool.spectrum.whitening
    if beside is None:
        return certify(task.rows, task.known, task.penalty, rows, weights, progress, whitening)
    every, nobody, nothing = everything(task.rows, task.penalty)
    return certify(
        every,
        nobody,
        nothing,
        np.concatenate([rows, beside.rows]),
        np.concatenate([weights, beside.weights]),
        progress,
        whitening,
    )
