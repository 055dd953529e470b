"""The commands `asura conform` and `asura smoke`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from asura.errors import AsuraError
from asura.files import writable, write_whole
from asura_verify.cli.check import exit_code
from asura_verify.cli.schema_option import schema_option
from asura_verify.conforming.baseline import read_baseline, write_baseline
from asura_verify.conforming.cases import SMOKE, Case, boundary
from asura_verify.conforming.protocol import schema_text
from asura_verify.conforming.recorded import failing_vector, vector_cases
from asura_verify.conforming.session import (
    PATIENCE,
    USUAL,
    CaseOutcome,
    CaseSource,
    named,
    outcomes,
    selected,
)
from asura_verify.conforming.targets import CommandTarget, Target, importable
from asura_verify.conforming.vectors.model import encoded, read_group
from asura_verify.oracle.judgement import Ruling
from asura_verify.report.formats import Format, written
from asura_verify.report.judgements import Judgements, total
from asura_verify.report.sentences import details, headline
from asura_verify.report.text import say


class NoTarget(AsuraError):
    """Neither a command nor a callable was given, or both."""


class NoCases(AsuraError):
    """Nothing would be judged."""


class LimitOutOfRange(AsuraError):
    """A time limit or a number of cases that makes no sense."""


Command = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- COMMAND", help="The program to judge; it speaks asura-conform/1."),
]
Callable_ = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="PACKAGE:CALLABLE",
        help="Judge this Python callable instead of a program.",
    ),
]
Timeout = Annotated[float, typer.Option(metavar="SECONDS", help="Time limit for one answer.")]


def _target(command: list[str] | None, callable_: str | None, timeout: float) -> Target:
    if not 0 < timeout < 86_400:
        raise LimitOutOfRange(f"--timeout {timeout}: expected 0 < SECONDS < 86400", value=timeout)
    if (not command) == (callable_ is None):
        raise NoTarget("expected either a command after -- or --target", value=command)
    if callable_ is not None:
        return importable(callable_, timeout=timeout)
    return CommandTarget(command or [], timeout=timeout)


def _walk(
    target: Target,
    cases: Iterable[Case],
    watch: Callable[[CaseOutcome], None],
    accepted: Container[str] = (),
) -> list[CaseOutcome]:
    done = []
    for outcome in outcomes(target, cases):
        known = not outcome.passed and outcome.case.name in accepted
        done.append(replace(outcome, judgement=replace(outcome.judgement, accepted=known)))
        watch(done[-1])
    if [o.failure for o in done[-PATIENCE:]] == ["TimedOut"] * PATIENCE:
        print(f"{PATIENCE} time-outs in a row: the other cases are not run", file=sys.stderr)
    if not done:
        raise NoCases("no case is selected: expected at least one", value=0)
    return done


def _show_case(outcome: CaseOutcome) -> None:
    """One line."""
    say(headline(outcome.judgement))


@contextmanager
def _counting() -> Iterator[Callable[[CaseOutcome], None]]:
    """How far it is, on a terminal; of the cases nothing is said before their summary."""
    count: Counter[bool] = Counter()

    def watch(outcome: CaseOutcome) -> None:
        count[outcome.passed] += 1
        show(f"{count.total()} cases judged, {count[False]} fail")

    def show(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield watch
    finally:
        show("")


def _smaller(target: Target, failed: CaseOutcome) -> tuple[CaseOutcome, str]:
    """The failure made small, where Hypothesis is installed, and how it is shown."""
    try:
        from asura_verify.conforming.shrinking import shrunk  # noqa: PLC0415 slow, and an extra
    except ModuleNotFoundError as missing:
        if missing.name != "hypothesis":
            raise
        return failed, "as it is (the extra verify would shrink it)"
    smaller = shrunk(target, failed)
    return smaller, "as it is" if smaller is failed else "shrunk"


def _show_cases(
    done: Sequence[CaseOutcome],
    failures: Sequence[CaseOutcome],
    first: tuple[CaseOutcome, str] | None,
) -> None:
    """The first failure in full, then a line per case."""
    if first is not None:
        _show_first(failures[0], *first)
    say("")
    for outcome in done:
        _show_case(outcome)


def _show_first(failed: CaseOutcome, smaller: CaseOutcome, how: str) -> None:
    header = {k: x for k, x in smaller.case.header.items() if k != "uniforms"}
    say(f"\nfirst failure: {failed.case.name}, {how}: {json.dumps(header)[:2000]}")
    fault = smaller.judgement.fault
    for line in ([f"fault:    {fault}"] if fault else []) + details(smaller.judgement):
        say(f"  {line}")


def _keep(failed: CaseOutcome, place: str) -> None:
    kept = failing_vector(failed.case, failed.judgement, failed.lines)
    write_whole(place, encoded(kept).decode().splitlines())
    print(f"written to {place}: run it again with --vectors {place}", file=sys.stderr)


def _source(command: Sequence[str] | None, callable_: str | None) -> str | None:
    """The file of the implementation, for whoever shows a mistake where it is made.

    >>> _source(["python", "-m", "nothing"], None), _source(None, "no.such:callable")
    (None, None)
    """
    here = Path.cwd()
    if callable_ is not None:
        module = Path(*callable_.partition(":")[0].split("."))
        names = [module.with_suffix(".py"), module / "__init__.py"]
        files = [Path(folder or ".") / name for folder in ("", *sys.path) for name in names]
    else:
        files = [Path(word) for word in command or ()]
    found = [path.resolve() for path in files if path.is_file()]
    own = [path.relative_to(here).as_posix() for path in found if path.is_relative_to(here)]
    return next(iter([*own, *map(str, found[-1:])]), None)


def _summary(
    done: Sequence[CaseOutcome], accepted: Collection[str] | None, *, verbose: bool = False
) -> None:
    """How many conform, what is wrong with the others, and what all have in common."""
    first, *reasons = total([outcome.judgement for outcome in done])
    for line in (first, *(f"  {reason}" for reason in reasons)):
        say(line)
    judged = [o.judgement for o in done if o.judgement.ruling is not Ruling.MALFORMED]
    absent = [set(judgement.coverage) for judgement in judged]
    if absent and (never := set.intersection(*absent)):
        say(f"never judged, absent: {', '.join(sorted(never))}")
    remarks = Counter(r for judgement in judged for r in judgement.remarks)
    if remarks and not verbose:
        say(f"{len(remarks)} remark{'s' if len(remarks) > 1 else ''}: --verbose shows them")
    for remark, count in remarks.items() if verbose else ():
        say(f"remark, of {count} of {len(judged)}: {remark}")
    if accepted is not None:
        passed = {outcome.case.name for outcome in done if outcome.passed}
        failed = [outcome.case.name for outcome in done if not outcome.passed]
        worse = [name for name in failed if name not in accepted]
        mended = sorted(passed.intersection(accepted))
        say(f"against the baseline: {len(failed) - len(worse)} known to fail, {len(worse)} worse")
        if worse:
            say(f"worse: {', '.join(worse)}")
        if mended:
            say(f"mended, record the baseline anew: {', '.join(mended)}")


def smoke_command(
    command: Command = None, target: Callable_ = None, timeout: Timeout = 10.0
) -> None:
    r"""Ask a program for three small runs, to see in seconds whether it answers at all.

    \b
    Example:
      asura smoke -- ./my-asura
    """
    known = {case.name: case for case in boundary()}
    with closing(_target(command, target, timeout)) as implementation:
        done = _walk(implementation, (known[name] for name in SMOKE), _show_case)
    raise typer.Exit(exit_code([outcome.judgement for outcome in done]))


def conform_command(
    command: Command = None,
    target: Callable_ = None,
    timeout: Timeout = 30.0,
    only: Annotated[
        list[CaseSource] | None,
        typer.Option(
            metavar="GROUP",
            help="Only these cases: vectors, boundary, random, or variants. May be repeated.",
        ),
    ] = None,
    random: Annotated[int, typer.Option(metavar="N", help="How many random cases.")] = 40,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the random cases.")] = 0,
    form: Annotated[
        Format,
        typer.Option("--format", help="For people, for programs, or for continuous integration."),
    ] = Format.PRETTY,
    failing: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the first failure to this file, as a vector."),
    ] = None,
    vectors: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Run only the vectors of this file. May be repeated."),
    ] = None,
    case: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Run only this case. May be repeated.")
    ] = None,
    junit: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write JUnit XML to this file, too.")
    ] = None,
    sarif: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write SARIF to this file, too.")
    ] = None,
    summary: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a summary in Markdown to this file, too."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Fail only if a case fails that did not fail when FILE was recorded.",
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Record which cases fail now, for --baseline."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the remarks, too.")] = False,
    schema: Annotated[bool, schema_option(schema_text)] = False,  # noqa: ARG001
) -> None:
    r"""Drive an implementation through vectors, boundary and random cases, and judge each run.

    \b
    Example:
      asura conform --random 100 --junit report.xml -- ./my-asura
    """
    if not 0 <= random <= 100_000:
        raise LimitOutOfRange(f"--random {random}: expected 0 to 100000", value=random)
    accepted = None if baseline is None else read_baseline(baseline)
    cases: Iterable[Case] = selected(only or USUAL, seed=seed, random=random)
    if vectors or case:
        chosen = [
            replace(one, file=file)
            for file in vectors or ()
            for one in vector_cases([read_group(file)])
        ]
        cases = [*chosen, *named(case or ())]
    for name in filter(None, (failing, junit, sarif, summary, record)):
        writable(name)  # before the work is done
    with closing(_target(command, target, timeout)) as implementation:
        with _counting() as watch:
            done = _walk(implementation, cases, watch, accepted or ())
        failures = [o for o in done if not o.passed and not o.judgement.accepted]
        first = _smaller(implementation, failures[0]) if failures else None
    report = Judgements([outcome.judgement for outcome in done], (), _source(command, target))
    if form is not Format.PRETTY:
        print(written(report, form))
    for place, kind in ((junit, Format.JUNIT), (sarif, Format.SARIF), (summary, Format.MARKDOWN)):
        if place is not None:
            write_whole(place, [written(report, kind)])
    if record is not None:
        write_baseline(record, done)
    if form is Format.PRETTY:
        _summary(done, accepted, verbose=verbose)
        _show_cases(done, failures, first)
    if first is not None and failing is not None:
        _keep(first[0], failing)
    raise typer.Exit(exit_code([outcome.judgement for outcome in failures]))
