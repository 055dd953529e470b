"""The options of every command that reads a table."""

from typing import Annotated

import typer

Identifier = Annotated[
    str | None, typer.Option("--id", metavar="COLUMN", help="The names of the rows.")
]
Delimiter = Annotated[str | None, typer.Option(metavar="C", help="Of a CSV. Default: found out.")]
Header = Annotated[bool | None, typer.Option("--header/--no-header", help="Default: found out.")]
Decimal = Annotated[str, typer.Option(metavar="C", help="The decimal point of a CSV.")]
