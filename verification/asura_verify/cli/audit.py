"""The commands `asura audit` and `asura claims`."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from asura.errors import how_to_install
from asura.files import directory, replacing
from asura_verify import claims
from asura_verify.auditing import baseline as baselines
from asura_verify.auditing.executors import FactorOutOfRange, executor
from asura_verify.auditing.perform import Audit, audit
from asura_verify.auditing.tasks import missing_solver
from asura_verify.registry.claim import Claim
from asura_verify.registry.ruling import ClaimRuling
from asura_verify.report.audit import as_json, audit_data, claim_data
from asura_verify.report.audit_report import Audited
from asura_verify.report.formats import SUFFIXES, Format, written
from asura_verify.report.terminal import claims_json, show_claim, show_claims, show_line

Slugs = Annotated[
    list[str] | None, typer.Argument(metavar="[SLUG]...", help="The claims to judge. Default: all.")
]


class ListFormat(StrEnum):
    """How claims are listed or explained."""

    PRETTY = "pretty"
    JSON = "json"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write(path: Path, text: str | bytes) -> None:
    """A file, whole or absent."""
    directory(path.parent)
    with replacing(str(path)) as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def _watched(
    selected: tuple[Claim, ...],
    *,
    seed: int,
    factor: float,
    jobs: int,
    cluster: str | None,
    folder: Path | None,
    partly: bool = False,
) -> Audit:
    """Run the audit with a bar, and a line for every claim as soon as it is decided."""
    console = Console(stderr=True)
    columns = (
        TextColumn("auditing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("tasks, {task.fields[decided]} of {task.fields[claims]} claims decided"),
        TimeElapsedColumn(),
    )
    decided = 0
    with (
        Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        ) as progress,
        executor(jobs, cluster) as pool,
    ):
        bar = progress.add_task("audit", total=None, decided=0, claims=len(selected))

        def watch(done: int, total: int, completed: Sequence[ClaimRuling]) -> None:
            nonlocal decided
            decided += len(completed)
            for ruling in completed:
                show_line(progress.console, ruling)
            progress.update(bar, completed=done, total=total, decided=decided)

        return audit(
            selected,
            pool,
            seed=seed,
            factor=factor,
            folder=folder,
            watcher=watch,
            in_flight=64 if cluster else 1 if jobs == 1 else 3 * jobs,
            partly=partly,
        )


def audit_command(
    slugs: Slugs = None,
    *,
    thorough: Annotated[
        float,
        typer.Option(metavar="FACTOR", help="Multiply the number of instances that are tried."),
    ] = 1.0,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="How many processes. Default: one per core.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the instances.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep evidence and reports in this folder; a later run continues from it.",
        ),
    ] = None,
    form: Annotated[
        Format,
        typer.Option("--format", help="For people, for programs, or for continuous integration."),
    ] = Format.PRETTY,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Work on the Dask scheduler at tcp://host:port."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with the verdicts recorded in this file."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Record the verdicts in this file.")
    ] = None,
) -> int:
    r"""Judge the claims of the paper.

    The exit code is 0 if every verdict is the recorded one, and 1 if one changed.

    \b
    Example:
      asura audit                      # all claims, in about a minute
      asura audit wald --output audit  # one of them; then open audit/audit.html
    """
    if not (math.isfinite(thorough) and thorough > 0):
        raise FactorOutOfRange(f"factor {thorough}: expected a positive number", value=thorough)
    selected = claims.selected(slugs)
    if output is not None:
        directory(output)  # before the work is done
    known = baselines.Baseline({}) if record else baselines.read(baseline)
    result = _watched(
        selected,
        seed=seed,
        factor=thorough,
        jobs=_cores() if jobs is None else jobs,
        cluster=cluster,
        folder=output,
    )
    if record is not None and not result.unfinished:
        _write(record, baselines.write(baselines.make(result.rulings)))
        known = baselines.read(record)
    report = Audited(result, known)
    if output is not None:
        for kind, suffix in SUFFIXES.items():
            _write(output / f"audit.{suffix}", written(report, kind))
        from asura_verify.report.page import writer as page  # noqa: PLC0415 drawing is slow to import

        _write(output / page.NAME, page.render(audit_data(result, known), output))
    sys.stdout.write(written(report, form) + "\n")
    if result.interrupted:
        return 130
    return 1 if baselines.changes(result.rulings, known) else 0


def claims_command(
    slug: Annotated[
        str | None, typer.Argument(metavar="[SLUG]", help="The claim to explain.")
    ] = None,
    *,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the instances.")] = 0,
    form: Annotated[ListFormat, typer.Option("--format", help="For people, or for programs.")] = (
        ListFormat.PRETTY
    ),
) -> int:
    r"""List the claims, or explain one of them: statement, verdict, evidence, counterexample.

    \b
    Example:
      asura claims query-main
    """
    console = Console()
    if slug is None:
        if form is ListFormat.JSON:
            print(claims_json(claims.CLAIMS, baselines.read()))
        else:
            show_claims(console, claims.CLAIMS, baselines.read())
        return 0
    selected = (claims.find(slug),)
    result = _watched(
        selected, seed=seed, factor=0.25, jobs=1, cluster=None, folder=None, partly=True
    )
    for ruling in result.rulings:
        if form is ListFormat.JSON:
            print(as_json(claim_data(ruling)))
        else:
            show_claim(console, ruling)
    solver = missing_solver(selected)
    if solver is not None:
        print(
            f"asura: its proofs by solvers were not tried, {solver} is not installed: "
            f"{how_to_install('verify')}",
            file=sys.stderr,
        )
    return 130 if result.interrupted else 0
