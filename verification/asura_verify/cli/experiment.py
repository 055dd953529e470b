"""The command `asura experiment`; drawing is imported only when it is needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from asura.files import directory, replacing
from asura_verify.auditing.executors import executor
from asura_verify.report.mathematics import as_text

if TYPE_CHECKING:
    from asura_verify.experiments.model import Experiment, ExperimentOutcome


def _watched(experiment: Experiment, *, size: float, seed: int, jobs: int) -> ExperimentOutcome:
    from asura_verify.experiments.model import perform  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        executor(jobs) as pool,
    ):
        bar = progress.add_task(experiment.name, total=None)

        def watch(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return perform(experiment, pool, size=size, seed=seed, watcher=watch)


def save(outcome: ExperimentOutcome, folder: Path) -> None:
    """The CSV and the plot; a file is whole or absent."""
    from asura_verify.experiments.model import write_csv  # noqa: PLC0415
    from asura_verify.experiments.plots import svg  # noqa: PLC0415

    experiment = outcome.experiment
    plot = svg(
        experiment.draw(outcome.rows),
        title=experiment.title,
        description=as_text(experiment.caption),
    )
    for suffix, text in (("csv", write_csv(outcome)), ("svg", plot)):
        with replacing(str(directory(folder) / f"{experiment.name}.{suffix}")) as file:
            file.write(text.encode())


def experiment_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="bias, queries, loss, lower-bound, constants, plans, labels, classifiers, beyond "
            "or all.",
        ),
    ],
    *,
    size: Annotated[
        float, typer.Option(metavar="FACTOR", help="Multiply the number of runs.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the runs.")] = 0,
    output: Annotated[
        Path, typer.Option(metavar="DIR", help="Write the CSV and the SVG to this folder.")
    ] = Path("experiments"),
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="How many processes. Default: one per core.")
    ] = None,
) -> int:
    r"""Run an experiment, write its table and its plot, and say what came out of it.

    \b
    Example:
      asura experiment queries --size 0.1 --output experiments
    """
    from asura_verify.experiments import EXPERIMENTS, find  # noqa: PLC0415

    console = Console()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    for experiment in EXPERIMENTS if name == "all" else (find(name),):
        outcome = _watched(experiment, size=size, seed=seed, jobs=cores if jobs is None else jobs)
        save(outcome, output)
        console.print(
            f"[bold]{experiment.title}[/bold]: {as_text(experiment.question)}", highlight=False
        )
        for sentence in experiment.findings(outcome.rows):
            console.print(f"  {as_text(sentence)}", highlight=False)
        path = output / experiment.name
        console.print(f"  {len(outcome.rows)} rows: {path}.csv, {path}.svg", highlight=False)
    return 0
