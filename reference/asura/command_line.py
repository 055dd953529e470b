"""The command `asura run`: Algorithm 2 on a file, and Algorithm 1 when its labels are known."""

from __future__ import annotations

import enum
import json
import shutil
import sys
import textwrap
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from asura.algorithm1_regression import Regression, active_regression
from asura.arithmetic import (
    EXACT,
    AnyArithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.dataset import Dataset, KernelData, dataset, kernel_ridge, ridge
from asura.dimensions import enclosed_reduced_rank
from asura.errors import ConflictingOptions, PrecisionOutOfRange
from asura.files import read_labels, read_numbers, read_rows, writable, write_whole
from asura.guarantees import Choice, best_guarantee, gamma_for
from asura.randomness import Chooser, Seed, uniforms
from asura.rates import PAPER_RATES, Rates, rates_named
from asura.rbf import rbf_kernel
from asura.run import Observer, Run, longest, run, usual_arithmetic
from asura.samplers import report
from asura.samplers.naming import NAMES
from asura.samplers.report import show_enclosure, write_enclosure
from asura.sampling import Done
from asura.scalars import Enclosure, show_scalar, write_scalar
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura.verdict import Verdict

if TYPE_CHECKING:
    from asura.arithmetic.proved_double import ProvedDoubleArithmetic

#: From so many iterations on a run is announced before it starts.
LONG_RUN = 5000

#: So many points a kernel may have whose exact rows are asked for: they take half a minute.
EXACT_KERNEL = 100

#: Seconds that a step in balls takes, per cubed dimension and bit, as observed.
BALL_SECONDS = 5e-10


class Stopping(enum.StrEnum):
    """The stopping rules by name."""

    PAPER = "paper"
    SURE = "sure"


class Kind(enum.StrEnum):
    """The arithmetics by name."""

    EXACT = "exact"
    BALL = "ball"
    MULTIPRECISION = "multiprecision"
    DOUBLE = "double"


#: Seconds of a step on points: per cubed dimension, and per row and squared dimension, as observed.
STEP_SECONDS = {Kind.BALL: (4e-7, 1e-8), Kind.DOUBLE: (1e-9, 1e-9)}


class RateName(enum.StrEnum):
    """The rates of the barriers."""

    PAPER = "paper"
    TIGHT = "tight"


class Format(enum.StrEnum):
    """How the summary is printed."""

    PRETTY = "pretty"
    JSON = "json"


def _data(
    points: str,
    unlabelled: int | None,
    labels: str | None,
    lam: str | None,
    kernel: str | None,
    length: str | None,
) -> Dataset:
    if lam is not None and kernel is not None:
        raise ConflictingOptions(
            "--ridge and --kernel were both given: expected one of them", value=(lam, kernel)
        )
    if length is not None and kernel is None:
        raise ConflictingOptions(
            f"--length {length} without --kernel: expected both, or none", value=length
        )
    rows = read_rows(points)
    known = None if labels is None else read_labels(labels)
    if kernel is not None:
        if unlabelled not in {None, len(rows)}:
            raise ConflictingOptions(
                f"--unlabelled {unlabelled} with a kernel of {len(rows)} points: expected all",
                value=unlabelled,
            )
        matrix = rows if length is None else rbf_kernel(rows, length)
        return kernel_ridge(matrix, kernel, labels=known)
    if lam is not None:
        return ridge(rows, lam, unlabelled=unlabelled, labels=known)
    return dataset(rows, unlabelled=unlabelled, labels=known)


def _parameters(
    gamma: str | None,
    epsilon: str | None,
    stopping: Stopping | None,
    level: str | None,
    rates: Rates,
    dimension: int,
) -> tuple[Fraction, StoppingRule, Choice | None]:
    if (gamma is None) == (epsilon is None):
        raise ConflictingOptions(
            "expected exactly one of --gamma and --epsilon", value=(gamma, epsilon)
        )
    if level is not None and (gamma is None or stopping is not Stopping.SURE):
        raise ConflictingOptions(
            f"--level {level}: expected it with --gamma and --stopping sure only", value=level
        )
    if gamma is not None:
        rule = sure(level or 1) if stopping is Stopping.SURE else PAPER
        return rates.read_gamma(gamma), rule, None
    guarantee = best_guarantee(stopping, rates)
    choice = gamma_for(epsilon, guarantee=guarantee, dimension=dimension)
    return choice.gamma, choice.stopping, choice


def _arithmetic(
    kind: Kind, digits: int | None, usual: BallArithmetic | ProvedDoubleArithmetic
) -> AnyArithmetic | ProvedDoubleArithmetic:
    if digits is not None and not 1 <= digits <= 100_000:
        raise PrecisionOutOfRange(f"--digits {digits}: expected 1 to 100000", value=digits)
    if kind is Kind.EXACT:
        return EXACT
    if kind is Kind.DOUBLE:
        return DoubleArithmetic()
    if kind is Kind.MULTIPRECISION:
        return MultiprecisionArithmetic(50 if digits is None else digits)
    if digits is None:
        return usual
    bits = max(2, (digits * 3322 + 999) // 1000)
    return BallArithmetic(bits, max(BallArithmetic().ceiling, 4 * bits))


def _execute(
    data: Dataset,
    gamma: Fraction,
    rule: StoppingRule,
    arithmetic: AnyArithmetic | ProvedDoubleArithmetic,
    chooser: Chooser,
    rates: Rates,
) -> Run[Any, Any]:
    """Run with a progress bar on a terminal: the clock r_j + s_j on its way to 1."""
    settings: dict[str, Any] = {
        "arithmetic": arithmetic,
        "chooser": chooser,
        "stopping": rule,
        "rates": rates,
    }
    console = Console(stderr=True)
    if not console.is_terminal:
        return run(data, gamma, **settings)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("iteration 0", total=1.0)

        def observe(length: int, reached: float) -> None:
            progress.update(
                task, completed=reached, description=f"iteration {length}, clock {reached:.3f}"
            )

        observer: Observer = observe
        return run(data, gamma, observer=observer, **settings)


def _announce(choice: Choice, data: Dataset, arithmetic: Kind) -> None:
    """Before a run that may be long: how many iterations it may take, on average, and what time."""
    dimension = data.dimension
    expected = float(choice.labels) * dimension  # the bound on the draws with R_X = d
    kernel = isinstance(data, KernelData)  # it has times of its own
    cubes, squares = (0.0, 0.0) if kernel else STEP_SECONDS.get(arithmetic, (0.0, 0.0))
    minutes = expected * (cubes * dimension + squares * data.size) * dimension**2 / 60
    if expected > LONG_RUN or minutes > 1:
        time = f", about {minutes:.2g} minutes" if minutes > 0 else ""
        print(
            f"asura: at most {expected:.3g} iterations are expected{time} (gamma = "
            f"{show_scalar(choice.gamma)}); to buy labels from a table, see asura plan",
            file=sys.stderr,
        )


def _refuse_exact_rows(data: Dataset, option: str | None) -> None:
    """The exact rows of a large kernel are too long to be made, and some options need them."""
    if option is not None and isinstance(data, KernelData) and data.width > EXACT_KERNEL:
        raise ConflictingOptions(
            f"{option} with a kernel of {data.width} points needs exact rows: expected at most "
            f"{EXACT_KERNEL} points",
            value=data.width,
        )


def _announce_balls(data: Dataset, gamma: Fraction, rule: StoppingRule, bits: int) -> None:
    """Before a long run in balls on a kernel: how long it may take, and what is quicker."""
    dimension = data.dimension
    steps = float(rule.level) * longest(dimension, gamma)
    minutes = steps * dimension**3 * bits * BALL_SECONDS / 60
    if isinstance(data, KernelData) and minutes > 1:
        print(
            f"asura: up to {steps:.3g} iterations in balls of {bits} bits, in {dimension} "
            f"dimensions, may take {minutes:.3g} minutes; doubles (--arithmetic double) take less, "
            "and so does a larger gamma",
            file=sys.stderr,
        )


def _regression(done: Run[Any, Any]) -> Regression | None:
    """Algorithm 1 on the finished run, when every sampled label is known."""
    labels = done.data.labels
    if any(labels[index] is None for index in done.picks):
        return None
    return active_regression(done.data, Done(done))


def _decision(verdict: Verdict) -> str:
    return {"holds": "yes", "fails": "no"}.get(str(verdict), "undecided")


def _facts(done: Run[Any, Any], fit: Regression | None, choice: Choice | None) -> dict[str, str]:
    """The summary as lines of text."""
    data, certificate = done.data, done.certificate
    precision = done.arithmetic.precision
    paper = done.stopping.name == "paper"
    known = paper and done.rates is PAPER_RATES
    bound = f" (at most {longest(data.dimension, done.gamma)})" if known else ""
    facts = {
        "data": f"{data.size} points of rank {data.dimension}, {data.unlabelled} unlabelled",
        "gamma": show_scalar(done.gamma),
        "stopping": "paper" if paper else f"sure, level {show_scalar(done.stopping.level)}",
        "rates": done.rates.name,
        "arithmetic": done.arithmetic.name + ("" if precision is None else f", {precision} bits"),
        "iterations m": f"{done.length}{bound}",
        "reduced rank R_X": show_enclosure(enclosed_reduced_rank(data)),
        "labels to query": f"{done.distinct_labels} distinct, {done.draws} draws",
        "mid": show_enclosure(certificate.mid),
        "l_m/mid": show_enclosure(certificate.lower_ratio),
        "u_m/mid": show_enclosure(certificate.upper_ratio),
        "3/4 I ⪯ Aᵀ A ⪯ 5/4 I": f"{_decision(certificate.by_spectrum)} "
        f"(by the barriers alone: {_decision(certificate.by_barriers)})",
    }
    if choice is not None:
        facts["guarantee"] = (
            f"{choice.promise}; E[draws] <= {show_scalar(choice.labels)} R_X "
            f"(guarantee {choice.guarantee})"
        )
    return {**facts, **report.regression_facts(fit)}


def show_facts(facts: dict[str, str]) -> None:
    """Print names and texts in two columns, within the width of the terminal."""
    indent = max(map(len, facts)) + 2
    width = max(shutil.get_terminal_size().columns, indent + 20)
    for name, text in facts.items():
        print(
            textwrap.fill(
                text, width, initial_indent=f"{name:<{indent}}", subsequent_indent=" " * indent
            )
        )


def _queries(done: Run[Any, Any]) -> list[tuple[int, int, Enclosure]]:
    """The points of X_1 whose labels are asked for, how often each was drawn, its whole weight."""
    found: dict[int, tuple[int, Enclosure]] = {}
    for index, weight in zip(done.picks, done.weights, strict=True):
        if index < done.data.unlabelled:
            draws, total = found.get(index, (0, Enclosure(Fraction(0), Fraction(0))))
            added = Enclosure(total.lower + weight.lower, total.upper + weight.upper)
            found[index] = (draws + 1, added)
    return [(index, *found[index]) for index in sorted(found)]


def _document(done: Run[Any, Any], fit: Regression | None, choice: Choice | None) -> dict[str, Any]:
    """The summary with every number exact, as strings."""
    data, certificate = done.data, done.certificate
    return {
        "points": data.size,
        "unlabelled": data.unlabelled,
        "dimension": data.dimension,
        "gamma": write_scalar(done.gamma),
        "stopping": {"rule": done.stopping.name, "level": write_scalar(done.stopping.level)},
        "rates": done.rates.name,
        "arithmetic": {"name": done.arithmetic.name, "bits": done.arithmetic.precision},
        "m": done.length,
        "reduced_rank": write_enclosure(enclosed_reduced_rank(data)),
        "distinct_labels": done.distinct_labels,
        "draws": done.draws,
        "queries": [
            {"row": row, "draws": draws, "weight": write_enclosure(weight)}
            for row, draws, weight in _queries(done)
        ],
        "certificate": {
            "mid": write_enclosure(certificate.mid),
            "upper_ratio": write_enclosure(certificate.upper_ratio),
            "lower_ratio": write_enclosure(certificate.lower_ratio),
            "by_barriers": str(certificate.by_barriers),
            "by_spectrum": str(certificate.by_spectrum),
        },
        "guarantee": None
        if choice is None
        else {
            "name": choice.guarantee,
            "promise": choice.promise,
            "epsilon": write_scalar(choice.epsilon),
            "labels_over_reduced_rank": write_scalar(choice.labels),
        },
        "regression": report.regression_document(fit),
    }


def _write_queries(target: str | None, queries: list[tuple[int, int, Any]]) -> None:
    if target is not None:
        cells = [f"{row},{draws},{float(weight)!r}" for row, draws, weight in queries]
        write_whole(target, ["row,draws,weight", *cells])


def _procedure(
    name: str,
    size: str | None,
    data: Dataset,
    chooser: Chooser,
    own: dict[str, Any],
    queries: str | None,
    form: Format,
    kind: Kind,
) -> None:
    """Another sampler than Algorithm 2, which has none of its options."""
    for option, given in own.items():
        if given is not None:
            raise ConflictingOptions(
                f"{option} with --procedure {name}: expected it with Algorithm 2 only", value=given
            )
    done = report.sample_by_name(name, size, data, chooser, double=kind is Kind.DOUBLE)
    _write_queries(queries, done.queries)
    if form is Format.JSON:
        json.dump(report.document(done), sys.stdout, indent=2)
        print()
        return
    show_facts(report.facts(done))
    if queries is not None:
        print(f"labels to buy written to {queries}")


def run_command(
    points: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The rows of X, those of X_1 first: CSV (numbers or rationals such as 1/3) or "
            ".npy. example:NAME takes data that come with the package (points.csv, kernel.csv).",
        ),
    ],
    unlabelled: Annotated[
        int | None,
        typer.Option(metavar="N1", help="How many leading rows are X_1. Default: all."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="One label per row; empty or null where unknown."),
    ] = None,
    lam: Annotated[
        str | None,
        typer.Option(
            "--ridge",
            metavar="LAMBDA",
            help="Ridge regression: append sqrt(LAMBDA) I, with labels 0.",
        ),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            metavar="LAMBDA",
            help="Kernel ridge regression: the rows are a kernel matrix K, or points (--length).",
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option(
            metavar="L",
            help="With --kernel: the rows are points, and K(x, z) = exp(-|x - z|^2/(2 L^2)).",
        ),
    ] = None,
    gamma: Annotated[
        str | None, typer.Option(metavar="G", help="The parameter gamma, 0 < G < 1/2.")
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(metavar="E", help="An accuracy, from which gamma (and T) are computed."),
    ] = None,
    procedure: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Another sampler, exact or with --arithmetic double: {', '.join(NAMES)}. "
            "Most need --size.",
        ),
    ] = "asura",
    size: Annotated[
        str | None,
        typer.Option(
            metavar="K", help="How many points --procedure takes, on average if it tosses coins."
        ),
    ] = None,
    stopping: Annotated[
        Stopping | None,
        typer.Option(
            help="Stop by the paper's rule, or by the gap alone. Default: paper with --gamma, sure "
            "with --epsilon, where the paper's constants ask for very long runs."
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(metavar="T", help="The level of --stopping sure with --gamma. Default: 1."),
    ] = None,
    rates: Annotated[
        RateName,
        typer.Option(help="How fast the barriers move: tight rates need fewer labels."),
    ] = RateName.PAPER,
    arithmetic: Annotated[
        Kind, typer.Option(help="How to compute: balls are rigorous and fast.")
    ] = Kind.BALL,
    digits: Annotated[
        int | None,
        typer.Option(metavar="N", help="Decimal digits of multiprecision, or of the first balls."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed of the uniforms. Default: 0.")
    ] = None,
    uniform_file: Annotated[
        str | None,
        typer.Option(
            "--uniforms", metavar="FILE", help="Read the uniforms r_0, r_1, ... from this file."
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the trace (JSON Lines) to this file.")
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Write all n probabilities into the trace.")
    ] = False,
    queries: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write which labels to buy (CSV: row from 0, draws, weight) here."
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="A table, or JSON with every number exact.")
    ] = Format.PRETTY,
) -> None:
    r"""Run Algorithm 2 (ASURA) and, when the sampled labels are known, Algorithm 1.

    \b
    Example:
      asura run --points example:points.csv --labels example:labels.csv \
                --ridge 100 --gamma 1/6 --seed 7 --output trace.jsonl
    """
    if seed is not None and uniform_file is not None:
        raise ConflictingOptions(
            "--seed and --uniforms were both given: expected one of them",
            value=(seed, uniform_file),
        )
    for target, other in ((output, queries), (queries, output)):
        if target is not None:  # before the run, and not over what it reads
            writable(target, points, labels, uniform_file, other)
    data = _data(points, unlabelled, labels, lam, kernel, length)
    chooser: Chooser = Seed(seed or 0)
    if uniform_file is not None:
        chooser = uniforms(read_numbers(uniform_file))
    if procedure != "asura":
        own = {
            "--gamma": gamma,
            "--epsilon": epsilon,
            "--stopping": stopping,
            "--level": level,
            "--rates": rates if rates is RateName.TIGHT else None,
            "--arithmetic": arithmetic if arithmetic is Kind.MULTIPRECISION else None,
            "--digits": digits,
            "--output": output,
            "--probabilities": probabilities or None,
        }
        _procedure(procedure, size, data, chooser, own, queries, form, arithmetic)
        return
    if size is not None:
        raise ConflictingOptions(f"--size {size} without --procedure", value=size)
    chosen = rates_named(rates)
    exact_gamma, rule, choice = _parameters(gamma, epsilon, stopping, level, chosen, data.dimension)
    usual = usual_arithmetic(data, exact_gamma, rule)
    if choice is not None:
        _announce(choice, data, arithmetic)
    numbers = _arithmetic(arithmetic, digits, usual)
    _refuse_exact_rows(data, None if output is None else "--output")
    inexact = arithmetic in {Kind.BALL, Kind.DOUBLE}
    _refuse_exact_rows(data, None if inexact else f"--arithmetic {arithmetic}")
    if isinstance(numbers, BallArithmetic):
        _announce_balls(data, exact_gamma, rule, numbers.precision)
    done = _execute(data, exact_gamma, rule, numbers, chooser, chosen)
    fit = _regression(done)
    if output is not None:
        write_whole(output, trace_lines(done, regression=fit, probabilities=probabilities))
    _write_queries(queries, _queries(done))
    if form is Format.JSON:
        json.dump(_document(done, fit, choice), sys.stdout, indent=2)
        print()
        return
    show_facts(_facts(done, fit, choice))
    if output is not None:
        print(f"trace written to {output}")
    if queries is not None:
        print(f"labels to buy written to {queries}")
