"""The command `asura check`."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from asura.errors import AsuraError
from asura.trace import schema_text
from asura_verify.cli.schema_option import schema_option
from asura_verify.oracle.check import check_file
from asura_verify.oracle.judgement import SLUGS, Diagnosis, Judgement, Ruling, Violation
from asura_verify.oracle.mistakes.catalogue import BY_NAME
from asura_verify.oracle.picks.distribution import (
    FALSE_ALARM,
    TILT,
    UNNAMED,
    DistributionReport,
    DistributionTest,
)
from asura_verify.report.formats import Format, written
from asura_verify.report.sentences import picks_line, pretty
from asura_verify.report.text import on_one_line, say


class FalseAlarmOutOfRange(AsuraError):
    """A false-alarm probability outside (0, 1)."""


class TiltOutOfRange(AsuraError):
    """A factor that favours nothing."""


#: Verdicts on the values that the picks may overrule.
_ACQUITTED = (Ruling.CONFORMS, Ruling.UNDECIDED)
#: Files that a command lists in full.
_TOLD = 20


def exit_code(judgements: list[Judgement], *, biased: bool = False) -> int:
    """2 when a trace cannot be read, else 1 when one violates, else 3 when one is undecided."""
    rulings = {judgement.ruling for judgement in judgements}
    if Ruling.MALFORMED in rulings:
        return 2
    if biased or Ruling.VIOLATES in rulings:
        return 1
    return 3 if Ruling.UNDECIDED in rulings else 0


def with_picks(
    judgements: Sequence[Judgement], reports: Sequence[DistributionReport]
) -> list[Judgement]:
    """A file violates if its picks are of an account that does not follow the distribution.

    A file of the same implementation whose picks do not count is not convicted by those of others.
    """
    biased = {report.implementation: report for report in reports if report.biased}
    files: dict[str, list[str]] = {}
    for judgement in judgements:
        if judgement.drawn:
            files.setdefault(judgement.implementation or UNNAMED, []).append(judgement.name)
    found = []
    for judgement in judgements:
        report = biased.get(judgement.implementation or UNNAMED)
        if report is not None and judgement.drawn and judgement.ruling in _ACQUITTED:
            again = _again(files[report.implementation], report.false_alarm)
            found.append(replace(_convicted(judgement, report), again=again))
        else:
            found.append(judgement)
    return found


def _again(names: list[str], false_alarm: float) -> str:
    """What reproduces a verdict that rests on many files."""
    told = shlex.join(names[:_TOLD]) + (" ..." if len(names) > _TOLD else "")
    chosen = "" if false_alarm == FALSE_ALARM else f"--false-alarm {false_alarm:g} "
    return f"asura check {chosen}{told}"


def _convicted(judgement: Judgement, report: DistributionReport) -> Judgement:
    """A file whose picks are biased, as all those of its account: no single one is wrong."""
    line = judgement.drawn + 1  # of the last pick, after the header
    most = f"e-value {1 / report.false_alarm:.3g}"
    first = Violation(
        line, judgement.drawn - 1, "index", f"e-value 10^{report.log_evidence / math.log(10):.1f}",
        "e-value 0", most, None, 0.0, SLUGS["index"],
        f"no single pick is wrong, but all together: {picks_line(report)}",
    )  # fmt: skip
    return replace(
        judgement, ruling=Ruling.VIOLATES, first=first, diagnosis=_named_bias(report, line)
    )


def _named_bias(report: DistributionReport, line: int) -> tuple[Diagnosis, ...]:
    """The sampling mistake that the bet which won has a name for; another one may bet as well."""
    name, _, more = (report.explanation or "").partition(" ")
    if name in BY_NAME:
        return (Diagnosis(name, BY_NAME[name].explanation, line, complete=False),)
    if name.startswith("uniforms-"):
        return (Diagnosis(name, f"the uniforms: {more.strip('()')}", line, complete=False),)
    return ()


def _size(name: str) -> int | None:
    try:
        return Path(name).stat().st_size
    except (OSError, ValueError):
        return None


def _identity(name: str) -> tuple[int, int] | None:
    """The file behind a name, if there is one."""
    try:
        found = Path(name).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _watched(name: str, test: DistributionTest | None) -> Judgement:
    """Check a file with a bar on a terminal, which starts again when the file is read again."""
    if not sys.stderr.isatty():
        return check_file(name, test=test)
    from rich.console import Console  # noqa: PLC0415 for a terminal alone
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        short = name.rpartition("/")[2][:40]
        task = progress.add_task(short, total=_size(name))

        def watch(reading: int, done: int) -> None:
            again = f", reading {reading}" if reading > 1 else ""
            progress.update(task, completed=done, description=short + again)

        return check_file(name, test=test, watcher=watch)


def check_command(
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACE...",
            help="Files in the format asura-trace/1; those that name no implementation are taken "
            "for one's.",
        ),
    ],
    form: Annotated[
        Format,
        typer.Option("--format", help="For people, for programs, or for continuous integration."),
    ] = Format.PRETTY,
    false_alarm: Annotated[
        float,
        typer.Option(
            metavar="A", help="The probability that correct picks are called biased is at most A."
        ),
    ] = FALSE_ALARM,
    tilt: Annotated[
        float,
        typer.Option(
            metavar="F",
            help="Say how many draws would show that a point is favoured by this factor.",
        ),
    ] = TILT,
    schema: Annotated[bool, schema_option(schema_text)] = False,  # noqa: ARG001
) -> None:
    r"""Judge traces of any implementation.

    The exit code is 0 if all conform, 1 if one violates the algorithm, 2 if one is malformed, and 3
    if none of these, but the declared precision decides too little of one on its data.

    \b
    Example:
      asura run --points example:small.csv --gamma 1/8 --output trace.jsonl
      asura check trace.jsonl
    """
    if not 0 < false_alarm < 1:
        raise FalseAlarmOutOfRange(
            f"--false-alarm {false_alarm}: expected 0 < A < 1", value=false_alarm
        )
    if not (math.isfinite(tilt) and tilt >= 0 and tilt != 1):
        raise TiltOutOfRange(f"--tilt {tilt}: expected F >= 0 and not 1", value=tilt)
    test = DistributionTest(false_alarm, tilt)
    judgements = []
    seen: dict[tuple[int, int], int] = {}  # how many picks of a file count
    for name in traces:
        file = _identity(name)
        before = None if file is None else seen.get(file)
        judgement = _watched(name, test if before is None else None)
        if before is not None:
            remark = "this file was given before: its picks count once"
            remarks = (*judgement.remarks, remark)
            judgement = replace(judgement, remarks=remarks, drawn=before)
        elif file is not None:
            seen[file] = judgement.drawn
        judgements.append(judgement)
        if form is Format.PRETTY:  # the others are one document
            say(pretty([judgement]))
    reports = test.reports()
    judgements = with_picks(judgements, reports)
    if form is not Format.PRETTY:
        from asura_verify.report.judgements import Judgements  # noqa: PLC0415

        print(written(Judgements(judgements, reports), form))
    elif reports:
        say(pretty([], reports))
        if names := [judgement.name for judgement in judgements if judgement.by_picks]:
            say(f"violating by their picks: {', '.join(map(on_one_line, names))}")
    raise typer.Exit(exit_code(judgements, biased=any(report.biased for report in reports)))
