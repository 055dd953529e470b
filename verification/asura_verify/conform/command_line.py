"""The commands `asura conform` and `asura smoke`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from asura.errors import AsuraError
from asura.files import write_whole
from asura_verify.conform.baseline import read_baseline, write_baseline
from asura_verify.conform.cases import SMOKE, Case, boundary
from asura_verify.conform.protocol import schema_text
from asura_verify.conform.session import Group, Outcome, attempt, selected, shrunk
from asura_verify.conform.targets import CommandTarget, Target, importable
from asura_verify.oracle.command_line import exit_code
from asura_verify.oracle.formats import WRITERS, Format, details, headline
from asura_verify.schema_option import schema_option


class NoTarget(AsuraError):
    """Neither a command nor a callable was given, or both."""


class LimitOutOfRange(AsuraError):
    """A time limit or a number of cases that makes no sense."""


Command = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- COMMAND...", help="The implementation, speaking asura-conform/1."),
]
Callable_ = Annotated[
    str | None,
    typer.Option("--target", metavar="PACKAGE:CALLABLE", help="A Python callable instead."),
]
Timeout = Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of one answer.")]


def _target(command: list[str] | None, callable_: str | None, timeout: float) -> Target:
    if not 0 < timeout < 86_400:
        raise LimitOutOfRange(f"--timeout {timeout}: expected 0 < SECONDS < 86400")
    if (not command) == (callable_ is None):
        raise NoTarget("expected a command after -- or --target, and not both")
    if callable_ is not None:
        return importable(callable_)
    return CommandTarget(command or [], timeout=timeout)


def _walk(target: Target, cases: Iterable[Case], form: Format) -> list[Outcome]:
    done = []
    for case in cases:
        outcome = attempt(target, case)
        done.append(outcome)
        if form is Format.PRETTY:
            print(headline(outcome.judgement), flush=True)
    return done


def _report_first(target: Target, failed: Outcome, form: Format, keep: str | None) -> None:
    smaller = shrunk(target, failed)
    lines = smaller.lines or failed.lines
    if form is Format.PRETTY:
        print(f"\nfirst failure: {failed.case.name}")
        if smaller is not failed:
            header = smaller.case.header
            print(f"  shrunk to gamma = {header['gamma']}, points = {header['points']}")
        for line in details(smaller.judgement):
            print(f"  {line}")
    if keep is not None and lines:
        write_whole(keep, lines)
        print(f"  the failing trace is in {keep}: asura check {keep}", file=sys.stderr)


def smoke_command(
    command: Command = None, target: Callable_ = None, timeout: Timeout = 10.0
) -> None:
    r"""Ask for three small runs: is the harness wired up at all? Takes seconds.

    \b
    Example:
      asura smoke -- ./my-asura
    """
    implementation = _target(command, target, timeout)
    try:
        known = {case.name: case for case in boundary()}
        done = _walk(implementation, (known[name] for name in SMOKE), Format.PRETTY)
    finally:
        implementation.close()
    raise typer.Exit(exit_code([outcome.judgement for outcome in done]))


def conform_command(
    command: Command = None,
    target: Callable_ = None,
    timeout: Timeout = 30.0,
    only: Annotated[
        list[Group] | None,
        typer.Option(metavar="GROUP", help="vectors, boundary or random; may be repeated."),
    ] = None,
    random: Annotated[int, typer.Option(metavar="N", help="How many random cases.")] = 40,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the random cases.")] = 0,
    form: Annotated[Format, typer.Option("--format", help="What is printed.")] = Format.PRETTY,
    failing: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the first failing trace here.")
    ] = None,
    junit: Annotated[str | None, typer.Option(metavar="FILE", help="Also write JUnit XML.")] = None,
    sarif: Annotated[str | None, typer.Option(metavar="FILE", help="Also write SARIF.")] = None,
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write a Markdown summary.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Fail only on cases that this file lets pass."),
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Record which cases pass, as a baseline.")
    ] = None,
    schema: Annotated[bool, schema_option(schema_text)] = False,  # noqa: ARG001
) -> None:
    r"""Drive an implementation through vectors, boundary and random cases; judge every run.

    \b
    Example:
      asura conform --random 100 --junit report.xml -- ./my-asura
    """
    if not 0 <= random <= 100_000:
        raise LimitOutOfRange(f"--random {random}: expected 0 to 100000")
    accepted = None if baseline is None else read_baseline(baseline)
    implementation = _target(command, target, timeout)
    try:
        cases = selected(only or Group, seed=seed, random=random)
        done = _walk(implementation, cases, form)
        failures = [outcome for outcome in done if not outcome.passed]
        if failures:
            _report_first(implementation, failures[0], form, failing)
    finally:
        implementation.close()
    judgements = [outcome.judgement for outcome in done]
    if form is not Format.PRETTY:
        print(WRITERS[form](judgements, []))
    for name, kind in ((junit, Format.JUNIT), (sarif, Format.SARIF), (summary, Format.MARKDOWN)):
        if name is not None:
            write_whole(name, [WRITERS[kind](judgements, [])])
    if record is not None:
        write_baseline(record, done)
    if form is Format.PRETTY:
        print(f"{len(done) - len(failures)} of {len(done)} cases conform")
    if accepted is not None:
        worse = [o.judgement for o in failures if o.case.name not in accepted]
        raise typer.Exit(exit_code(worse))
    raise typer.Exit(exit_code(judgements))
