"""The option `--schema`: print the JSON Schema of what a command reads, and end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer


def schema_option(text: Callable[[], str]) -> Any:
    """An option that is looked at before all others."""

    def show(wanted: bool) -> None:
        if wanted:
            print(text(), end="")
            raise typer.Exit

    return typer.Option(
        "--schema",
        is_eager=True,
        callback=show,
        help="Print the JSON Schema of the format and exit.",
    )
