"""The command `asura experiment`; drawing is imported only when it is needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from asura.files import directory, replacing
from asura_verify.audit.executors import executor

if TYPE_CHECKING:
    from asura_verify.experiments.model import Experiment, Outcome


def _watched(experiment: Experiment, *, size: float, seed: int, jobs: int) -> Outcome:
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


def save(outcome: Outcome, folder: Path) -> None:
    """The CSV and the plot; a file is whole or absent."""
    from asura_verify.experiments.model import write_csv  # noqa: PLC0415
    from asura_verify.experiments.plots import svg  # noqa: PLC0415

    experiment = outcome.experiment
    plot = svg(
        experiment.draw(outcome.rows), title=experiment.title, description=experiment.caption
    )
    for suffix, text in (("csv", write_csv(outcome)), ("svg", plot)):
        with replacing(str(directory(folder) / f"{experiment.name}.{suffix}")) as file:
            file.write(text.encode())


def experiment_command(
    name: Annotated[
        str, typer.Argument(help="bias, queries, loss, lower-bound, constants, beyond, all.")
    ],
    *,
    size: Annotated[float, typer.Option(metavar="FACTOR", help="Multiply the runs.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the runs.")] = 0,
    output: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the CSV and the SVG go.")
    ] = Path("experiments"),
    jobs: Annotated[int | None, typer.Option(help="Processes; the cores there are.")] = None,
) -> int:
    r"""Run an experiment: a CSV, a plot, and what came out of it.

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
        console.print(f"[bold]{experiment.title}[/bold]: {experiment.question}", highlight=False)
        for sentence in experiment.findings(outcome.rows):
            console.print(f"  {sentence}", highlight=False)
        path = output / experiment.name
        console.print(f"  {len(outcome.rows)} rows: {path}.csv, {path}.svg", highlight=False)
    return 0
