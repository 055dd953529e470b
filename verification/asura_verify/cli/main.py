"""The command `asura`: one line for every error, stable exit codes.

0 success; 1 the answer is "no" (a verdict changed, a trace violates the algorithm); 2 the input
cannot be used; 130 interrupted, 141 nobody reads what is printed, 143 terminated.
"""

from __future__ import annotations

import inspect
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType

import typer

from asura.command_line import run_command
from asura.errors import AsuraError
from asura_verify.cli.audit import audit_command, claims_command
from asura_verify.cli.check import check_command
from asura_verify.cli.conform import conform_command, smoke_command
from asura_verify.cli.experiment import experiment_command
from asura_verify.cli.vectors import vectors_command

INTERRUPTED, UNREAD = 130, 141

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


COMMANDS: dict[str, Callable[..., int | None]] = {
    "run": run_command,
    "audit": audit_command,
    "claims": claims_command,
    "check": check_command,
    "conform": conform_command,
    "smoke": smoke_command,
    "vectors": vectors_command,
    "experiment": experiment_command,
}


def _help(command: Callable[..., int | None]) -> str:
    r"""A docstring; its line \b tells click to leave the lines of the next paragraph alone."""
    return (inspect.getdoc(command) or "").replace("\\b\n", "\b\n")


for _name, _command in COMMANDS.items():
    application.command(_name, help=_help(_command))(_command)


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never a traceback for bad input."""
    try:
        result = application(args=arguments, prog_name="asura", standalone_mode=False)
    except AsuraError as error:
        print(f"asura: {error.line}", file=sys.stderr)
        return 2
    except UsageProblem as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        print(f"asura: {' '.join(text.split())} (see asura --help)", file=sys.stderr)
        return 2
    except SystemExit as stop:  # click ends with 1 when nobody reads, `_terminate` with more
        return UNREAD if stop.code == 1 else int(stop.code or 0)
    except OSError as error:  # every file has its own error: this is the standard output
        sys.stdout = None
        print(f"asura: cannot write: {error.strerror or error}", file=sys.stderr)
        return 2
    code = result if isinstance(result, int) else 0
    if code == INTERRUPTED:
        print("asura: interrupted", file=sys.stderr)
    return code


def _terminate(number: int, _frame: FrameType | None) -> None:
    """End as after an interrupt, so that no process is left behind."""
    sys.exit(128 + number)


def main() -> None:
    """Entry point."""
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _terminate)
    code = execute()
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        sys.stdout = None
    sys.exit(code)
