"""The command `asura predict`: a model applied to a table."""

from __future__ import annotations

import csv
import functools
import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from asura.errors import DuplicateIdentifier, UnknownColumn
from asura.files import writable, write_whole
from asura_verify.cli.table_options import Decimal, Delimiter, Header, Identifier

if TYPE_CHECKING:
    from asura.engine.model import Model
    from asura.engine.tables import Table


def _line(cells: list[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _lines(model: Model, table: Table, identifier: str | None) -> Iterator[str]:
    yield _line([identifier or "row", model.target or "prediction"])
    for row, value in enumerate(model.predict(table)):
        yield _line([table.name(row), repr(float(value))])


def predict_command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What asura fit wrote.")],
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="New rows, with the features of the model.")
    ],
    identifier: Identifier = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the predictions (CSV) here.")
    ] = None,
    delimiter: Delimiter = None,
    header: Header = None,
    decimal: Decimal = ".",
) -> None:
    r"""Predict the labels of new rows.

    \b
    Example:
      asura predict model.json new.csv --output predictions.csv
    """
    if output is not None:
        writable(output, model, table)
    from asura.engine.model import load_model  # noqa: PLC0415
    from asura.engine.tables import read_table  # noqa: PLC0415

    fitted = load_model(model)
    read = functools.partial(
        read_table,
        table,
        features=fitted.columns,
        delimiter=delimiter,
        header=header,
        decimal=decimal,
    )
    called = identifier or fitted.identifier
    try:
        rows = read(identifier=called)
    except (UnknownColumn, DuplicateIdentifier) as error:
        if identifier is not None or error.value != called:
            raise
        called, rows = None, read()  # new rows need no names
    lines = _lines(fitted, rows, called)
    if output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    write_whole(output, lines)
    print(f"{len(rows.features)} predictions written to {output}")
