"""The command `asura`: one line for every error, stable exit codes.

0 success; 1 the answer is "no" (a verdict changed, a trace violates the algorithm); 2 the input
cannot be used; 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from asura.command_line import run_command
from asura.errors import AsuraError
from asura_verify.audit_command import audit_command, claims_command
from asura_verify.conform.command_line import conform_command, smoke_command
from asura_verify.experiment_command import experiment_command
from asura_verify.oracle.command_line import check_command
from asura_verify.vectors.command_line import vectors_command

HELP = """\
The correctness authority for semi-supervised active regression.

Example, with data that come with the package:

\b
  asura run --points example:points.csv --labels example:labels.csv \\
            --ridge 100 --gamma 1/6 --seed 7

It runs Algorithm 2 in rigorous balls, queries the labels that it picked, and prints the answer of
Algorithm 1 with its exact loss. Numbers are read exactly: 1/3, 0.1, 0x1.8p-3.
"""

# Typer may carry its own copy of click: take the base of all its usage errors from Typer itself.
UsageProblem: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)

application = typer.Typer(
    name="asura",
    help=HELP,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@application.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


application.command("run")(run_command)
application.command("audit")(audit_command)
application.command("claims")(claims_command)
application.command("check")(check_command)
application.command("conform")(conform_command)
application.command("smoke")(smoke_command)
application.command("vectors")(vectors_command)
application.command("experiment")(experiment_command)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never a traceback for bad input."""
    try:
        result = application(args=arguments, prog_name="asura", standalone_mode=False)
    except AsuraError as error:
        print(f"asura: {error.line}", file=sys.stderr)
        return 2
    except typer.Exit as stop:
        return int(stop.exit_code)
    except UsageProblem as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        print(f"asura: {' '.join(text.split())} (see asura --help)", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("asura: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stdout = None  # the reader went away: nothing is left to flush
        return 0
    return result if isinstance(result, int) else 0


def main() -> None:
    """Entry point."""
    sys.exit(execute())
