"""An experiment as an object: jobs that yield rows, a table, and a plot of the table.

Every number of a plot or of a summary comes from the rows, and the rows are what the CSV holds.

>>> outward(Enclosure(Fraction(1, 3), Fraction(1, 3)))
(0.3333333333333333, 0.33333333333333337)
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from matplotlib.figure import Figure

from asura.scalars import Enclosure
from asura_verify.auditing.executors import FactorOutOfRange

Value = str | int | float
Row = Mapping[str, Value]


@dataclass(frozen=True)
class Job:
    """One call that yields rows; independent of every other job."""

    function: Callable[..., list[Row]]
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Experiment:
    """A question put to the algorithm, and how its answer is shown.

    `plan` makes the jobs from a size and a seed, `draw` plots the rows, and `findings` says in
    sentences what the rows show, whatever that is.
    """

    name: str
    title: str
    question: str
    caption: str
    columns: tuple[str, ...]
    plan: Callable[[float, int], Sequence[Job]]
    draw: Callable[[Sequence[Row]], Figure]
    findings: Callable[[Sequence[Row]], tuple[str, ...]]


@dataclass(frozen=True)
class ExperimentOutcome:
    """The rows of a finished experiment, and what makes it reproducible."""

    experiment: Experiment
    rows: tuple[Row, ...]
    size: float
    seed: int


def columns(names: str) -> tuple[str, ...]:
    """The columns of a table, from their names in a row."""
    return tuple(names.split())


def outward(value: Enclosure) -> tuple[float, float]:
    """Two doubles that certainly enclose a number."""
    lower, upper = float(value.lower), float(value.upper)
    if Fraction(lower) > value.lower:
        lower = math.nextafter(lower, -math.inf)
    if Fraction(upper) < value.upper:
        upper = math.nextafter(upper, math.inf)
    return lower, upper


def repeats(base: int, size: float) -> int:
    """How many runs at this size; at least two, so that a spread can be seen.

    >>> repeats(20, 0.5), repeats(20, 0.001)
    (10, 2)
    """
    return max(2, round(base * size))


def job_seed(seed: int, *parts: object) -> int:
    """A seed of its own for every run, which does not depend on the order of the jobs.

    >>> job_seed(0, "a", 1) == job_seed(0, "a", 1), job_seed(0, "a", 1) == job_seed(0, "a", 2)
    (True, False)
    """
    text = ":".join(map(str, (seed, *parts)))
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**64
    return value


def perform(
    experiment: Experiment,
    pool: Executor,
    *,
    size: float = 1.0,
    seed: int = 0,
    watcher: Callable[[int, int], None] | None = None,
) -> ExperimentOutcome:
    """Run every job; the rows come in the order of the jobs."""
    if not (math.isfinite(size) and size > 0):
        raise FactorOutOfRange(f"size {size}: expected a positive number", value=size)
    jobs = experiment.plan(size, seed)
    futures = [pool.submit(job.function, *job.arguments) for job in jobs]
    rows: list[Row] = []
    for done, future in enumerate(futures, start=1):
        rows += future.result()
        if watcher is not None:
            watcher(done, len(jobs))
    return ExperimentOutcome(experiment, tuple(rows), size, seed)


def _cell(value: Value) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def write_csv(outcome: ExperimentOutcome) -> str:
    """The rows, after one line that says how they were made."""
    stream = io.StringIO()
    stream.write(
        f"# asura experiment {outcome.experiment.name} "
        f"--size {outcome.size:g} --seed {outcome.seed}\n"
    )
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(outcome.experiment.columns)
    for row in outcome.rows:
        writer.writerow([_cell(row[column]) for column in outcome.experiment.columns])
    return stream.getvalue()


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_csv(experiment: Experiment, text: str) -> ExperimentOutcome:
    """What `write_csv` wrote."""
    first, rest = text.split("\n", 1)
    words = first.split()
    rows = tuple(
        {column: _value(cell) for column, cell in row.items()}
        for row in csv.DictReader(io.StringIO(rest))
    )
    size, seed = float(words[words.index("--size") + 1]), int(words[words.index("--seed") + 1])
    return ExperimentOutcome(experiment, rows, size, seed)


def number(row: Row, column: str) -> float:
    """A cell that holds a number."""
    return float(row[column])


def chosen(rows: Sequence[Row], **wanted: Value) -> list[Row]:
    """The rows whose cells have these values."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def distinct(rows: Sequence[Row], column: str) -> list[Value]:
    """The values of a column, in the order in which they appear."""
    return list(dict.fromkeys(row[column] for row in rows))


def curve(rows: Sequence[Row], x: str, y: str) -> list[tuple[float, float]]:
    """Two columns of numbers, row by row."""
    return [(number(row, x), number(row, y)) for row in rows]


def from_there_on(
    points: Sequence[tuple[float, float]], good: Callable[[float], bool]
) -> float | None:
    """The smallest x from which on every y is good; None where that of the largest x is not.

    >>> from_there_on([(1, 0), (4, 1), (2, 7), (3, 0)], lambda y: y < 2)
    3
    """
    reached: float | None = None
    for x, y in sorted(points, reverse=True):
        if not good(y):
            break
        reached = x
    return reached


def mean(rows: Sequence[Row], column: str) -> float:
    """The mean of a column."""
    return fmean(number(row, column) for row in rows)


def quantile(rows: Sequence[Row], column: str, level: float) -> float:
    """The smallest value that at least a share `level` of the rows does not exceed.

    >>> quantile([{"a": 3}, {"a": 1}, {"a": 2}, {"a": 4}], "a", 0.75)
    3.0
    """
    values = sorted(number(row, column) for row in rows)
    return values[max(0, math.ceil(level * len(values)) - 1)]
