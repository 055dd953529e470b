"""The command `asura check`."""

from __future__ import annotations

from typing import Annotated

import typer

from asura_verify.oracle.check import check_file
from asura_verify.oracle.formats import WRITERS, Format
from asura_verify.oracle.report import Judgement, Ruling

#: Formats that are one document, printed when all files are judged.
_WHOLE = {Format.JUNIT, Format.SARIF, Format.MARKDOWN}


def exit_code(judgements: list[Judgement]) -> int:
    """2 when a trace cannot be read, else 1 when one violates, else 0."""
    rulings = {judgement.ruling for judgement in judgements}
    if Ruling.MALFORMED in rulings:
        return 2
    return 1 if Ruling.VIOLATES in rulings else 0


def check_command(
    traces: Annotated[
        list[str], typer.Argument(metavar="TRACE...", help="Files in the format asura-trace/1.")
    ],
    form: Annotated[
        Format, typer.Option("--format", help="For people, for machines, or for a CI.")
    ] = Format.PRETTY,
) -> None:
    r"""Judge traces of any implementation: 0 all conform, 1 one violates, 2 one is malformed.

    \b
    Example:
      asura run --points example:small.csv --gamma 1/8 --output trace.jsonl
      asura check trace.jsonl
    """
    judgements = []
    for name in traces:
        judgement = check_file(name)
        judgements.append(judgement)
        if form not in _WHOLE:
            print(WRITERS[form]([judgement]), flush=True)
    if form in _WHOLE:
        print(WRITERS[form](judgements))
    raise typer.Exit(exit_code(judgements))
