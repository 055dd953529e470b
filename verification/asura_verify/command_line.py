"""The command `asura`: one line for every error, stable exit codes.

0 success; 1 the answer is "no" (a verdict changed, a trace violates the algorithm); 2 the input
cannot be used; 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
import typer

from asura.command_line import run_command
from asura.errors import AsuraError
from asura_verify.audit_command import audit_command, claims_command

HELP = """The correctness authority for semi-supervised active regression.

Example, with data that come with the package:

  asura run --points example:small.csv --unlabelled 12 --labels example:small-labels.csv
            --ridge 1/2 --gamma 1/8 --seed 7

runs Algorithm 2 in rigorous balls, queries the labels that it picked, and prints the answer of
Algorithm 1 with its exact loss. Numbers are read exactly: 1/3, 0.1, 0x1.8p-3.
"""

application = typer.Typer(
    name="asura",
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
application.command("run")(run_command)
application.command("audit")(audit_command)
application.command("claims")(claims_command)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never a traceback for bad input."""
    try:
        result = application(args=arguments, prog_name="asura", standalone_mode=False)
    except AsuraError as error:
        print(f"asura: {error.line}", file=sys.stderr)
        return 2
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return 2
    except click.ClickException as error:
        print(f"asura: {' '.join(error.format_message().split())}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.Abort):
        print("asura: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return result if isinstance(result, int) else 0


def main() -> None:
    """Entry point."""
    sys.exit(execute())
