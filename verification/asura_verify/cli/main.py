"""The command `asura`: one line for every error, stable exit codes.

0 success; 1 the answer is "no" (a verdict changed, a trace violates the algorithm); 2 the input
cannot be used; 3 undecided; 130 interrupted, 141 nobody reads what is printed, 143 terminated.
"""

from __future__ import annotations

import codecs
import gc
import inspect
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import FrameType

import typer

import asura
from asura.errors import AsuraError, how_to_install

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


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command is, and what it does in one line; it is imported when it is called."""

    name: str
    module: str
    summary: str

    def load(self) -> Callable[..., int | None]:
        """The command itself."""
        gc.disable()  # what is imported stays: looking for garbage takes a twentieth of the start
        try:
            function = f"{self.name.replace('-', '_')}_command"
            found: Callable[..., int | None] = getattr(import_module(self.module), function)
        finally:
            gc.enable()
        return found


COMMANDS = {
    command.name: command
    for command in (
        Command("plan", "asura_verify.cli.plan", "Choose which labels to buy."),
        Command("fit", "asura_verify.cli.fit", "Fit a model to the labels of a plan."),
        Command("predict", "asura_verify.cli.predict", "Apply a model to a table."),
        Command("run", "asura.command_line", "Run Algorithm 2, then Algorithm 1."),
        Command("audit", "asura_verify.cli.audit", "Judge the claims of the paper."),
        Command("claims", "asura_verify.cli.audit", "List the claims, or explain one."),
        Command("check", "asura_verify.cli.check", "Judge traces of any implementation."),
        Command("conform", "asura_verify.cli.conform", "Judge a program on many cases."),
        Command(
            "conform-sampler", "asura_verify.cli.conform_sampler", "Judge a sampler's subsets."
        ),
        Command("smoke", "asura_verify.cli.conform", "Ask a program for three small runs."),
        Command("vectors", "asura_verify.cli.vectors", "List, write or verify vectors."),
        Command("experiment", "asura_verify.cli.experiment", "Run an experiment again."),
    )
}

#: The extra that brings a module which the default install does without.
EXTRAS = {
    "hypothesis": "verify",
    "sympy": "verify",
    "z3": "verify",
    "jinja2": "page",
    "latex2mathml": "page",
    "markdown_it": "page",
    "markupsafe": "page",
    "matplotlib": "page",
    "sklearn": "data",
    "dask": "dask",
    "distributed": "dask",
    "pyarrow": "plan",
    "scipy": "plan",
}


def _help(command: Callable[..., int | None]) -> str:
    r"""A docstring; its line \b tells click to leave the lines of the next paragraph alone."""
    return (inspect.getdoc(command) or "").replace("\\b\n", "\b\n")


def _version(asked: bool) -> None:
    if asked:
        print(f"asura {asura.__version__}")
        raise typer.Exit


def _group(
    context: typer.Context,
    *,
    version: bool = typer.Option(  # noqa: ARG001 its callback answers
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


def application(arguments: Sequence[str]) -> typer.Typer:
    """The command line; of its commands only the one that these arguments call is imported."""
    built = typer.Typer(
        name="asura",
        help=HELP,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    built.callback(invoke_without_command=True)(_group)
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, command in COMMANDS.items():
        if name == called:
            function = command.load()
            built.command(name, help=_help(function))(function)
        else:
            built.command(name, help=command.summary)(_not_called)
    return built


def _not_called() -> None:
    """Stands for a command in the list of commands."""


def execute(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never a traceback for bad input."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        result = application(words)(args=words, prog_name="asura", standalone_mode=False)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        print(
            f"asura: {error.name} is not installed: this command needs the extra {extra}: "
            f"{how_to_install(extra)}",
            file=sys.stderr,
        )
        return 2
    except AsuraError as error:
        print(f"asura: {error.line}", file=sys.stderr)
        return 2
    except UsageProblem as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        place = getattr(getattr(error, "ctx", None), "command_path", "asura")
        print(f"asura: {' '.join(text.split())} (see {place} --help)", file=sys.stderr)
        return 2
    except SystemExit as stop:  # click ends with 1 when nobody reads, `_terminate` with more
        return UNREAD if stop.code == 1 else int(stop.code or 0)
    except MemoryError as error:  # what was predicted was too little, or others took the rest
        print(f"asura: the memory is used up: {str(error) or 'take fewer rows'}", file=sys.stderr)
        return 2
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


#: Commands that compute for long in compiled code, where Python sees no signal.
_DEAF = ("plan", "fit", "predict", "run")
#: So long an interrupted command may take to say goodbye.
_GRACE = 0.5


def _listen() -> None:
    """End the process soon after a signal, even if the main thread is deaf to it.

    The signal is written to a pipe at once, whatever the main thread does; it may end by itself
    until the time of grace is over.
    """
    from asura.files import discard_unfinished  # noqa: PLC0415 these commands read files anyway

    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)

    def wait() -> None:
        number = os.read(ear, 1)[0]
        time.sleep(_GRACE)
        discard_unfinished()
        word = "interrupted" if number == signal.SIGINT else "terminated"
        print(f"asura: {word}", file=sys.stderr, flush=True)
        os._exit(128 + number)

    threading.Thread(target=wait, daemon=True).start()


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """What a terminal gets in place of a character that it lacks."""
    from asura_verify.report.mathematics import in_ascii  # noqa: PLC0415 rarely needed

    assert isinstance(error, UnicodeEncodeError)  # noqa: S101 nothing else is written
    return in_ascii(error.object[error.start : error.end]), error.end


def main() -> None:
    """Entry point."""
    codecs.register_error("asura", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="asura")
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _terminate)
    if any(word in _DEAF for word in sys.argv[1:2]):
        _listen()
    if sys.argv[1:2] == ["check"]:  # of small matrices: BLAS threads take a quarter of its start
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = execute()
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        sys.stdout = None
    sys.exit(code)
