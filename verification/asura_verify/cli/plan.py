"""The command `asura plan`: which labels to buy."""

from __future__ import annotations

import enum
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asura.command_line import Format, show_facts
from asura.errors import BudgetOutOfRange, ConflictingOptions
from asura.files import writable
from asura_verify.cli.facts import several, stages
from asura_verify.cli.table_options import Decimal, Delimiter, Header, Identifier

if TYPE_CHECKING:
    from asura.engine.plan import Plan
    from asura.engine.preparing import Prepared


class KernelKind(enum.StrEnum):
    """The kernels by name."""

    RBF = "rbf"
    GIVEN = "given"


class MethodName(enum.StrEnum):
    """What chooses the rows (`asura.engine.methods`)."""

    COINS = "coins"
    KEPT = "kept"
    ONE_SIDED = "one-sided"
    ASURA = "asura"
    LEVERAGE = "leverage"
    UNIFORM = "uniform"
    VOLUME = "volume"


def _size(ready: Prepared) -> dict[str, str]:
    task = ready.problem
    known = int(task.known.sum())
    rows, columns = task.table.features.shape
    model = "linear" if task.low_rank is None else f"kernel of rank {len(task.low_rank.pivots)}"
    ending = "with an intercept" if task.settings.intercept else "without intercept"
    facts = {
        "table": f"{rows} rows, {columns} features; {known} labels known, {rows - known} to buy",
        "model": f"{model}, {ending}, ridge {task.settings.ridge:g}",
        "R_X": f"{ready.reduced_rank:.6g} (effective number of parameters to be paid for)",
    }
    dropped = ready.pool.spectrum.whitening.dropped
    if dropped:
        names = ", ".join(task.column_name(k) for k in dropped)
        facts["left out"] = f"{names}: follows from the other columns"
    return facts


def _facts(ready: Prepared, plan: Plan) -> dict[str, str]:
    from asura.engine.methods import METHODS  # noqa: PLC0415 - the other commands do without SciPy

    record, promise = plan.record, plan.record.promise
    facts = _size(ready)
    facts["labels to buy"] = f"{len(plan.rows)} (at most {record.budget})"
    if promise is not None:
        facts["labels to buy"] += f"; {promise.expected:.1f} expected"
        settings = ", ".join(f"{name} = {value:g}" for name, value in promise.parameters.items())
        facts["chosen by"] = (
            f"{METHODS[record.method].chooses} ({settings}); spectrum at least "
            f"{promise.least:g}; draw {record.draw} of seed {record.seed}"
        )
    facts["guarantee"] = plan.guarantee
    facts["certificate"] = record.certificate
    facts["time"] = f"{record.seconds:.1f} s"
    return facts


def _preview(
    ready: Prepared, budget: int | None, epsilon: float | None, seed: int, method: str
) -> list[dict[str, Any]]:
    """What labels would buy: for the budget, the accuracy, or some budgets."""
    useful = len(ready.useful)
    budgets: Sequence[int | None] = [budget]
    if budget is None and epsilon is None:
        rank = ready.reduced_rank
        budgets = sorted({max(1, round(k * rank)) for k in (5, 10, 20, 50)})
    rows: list[dict[str, Any]] = []
    for limit in budgets:
        if limit is not None and (limit >= useful or limit < ready.undetermined):
            exact = limit >= useful
            rows.append({"budget": min(limit, useful), "epsilon": 0.0 if exact else None})
            continue
        promise = ready.promise(limit, epsilon, seed, method=method)
        if promise is None:
            everything = limit is None
            rows.append(
                {"budget": useful if everything else limit, "epsilon": 0.0 if everything else None}
            )
        else:
            rows.append(asdict(promise))
    return rows


def _say_preview(rows: list[dict[str, Any]], useful: int) -> dict[str, str]:
    facts = {}
    for row in rows:
        name = f"{row['budget']} labels"
        if row["epsilon"] is None:
            facts[name] = "too few for a guarantee"
        elif row["budget"] >= useful:
            facts[name] = "all of them: the loss is the best possible"
        else:
            facts[name] = (
                f"expected loss at most {1 + row['epsilon']:.4g} times the best possible; "
                f"{row['expected']:.1f} labels expected"
            )
    return facts


def plan_command(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="CSV, Parquet (a file or a folder) or .npy; example:houses.csv comes with the "
            "package. Rows are counted from 0, columns without a name from 1.",
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The labels; rows where it is empty may be bought."),
    ] = None,
    identifier: Identifier = None,
    features: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The features. Default: all other columns."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="FILE", help="Known labels as pairs: id, label.")
    ] = None,
    ridge: Annotated[
        float, typer.Option(metavar="LAMBDA", help="Penalty on the squared coefficients.")
    ] = 0.0,
    kernel: Annotated[
        KernelKind | None,
        typer.Option(help="Kernel ridge regression; given: the features are the matrix K."),
    ] = None,
    length: Annotated[
        float | None, typer.Option(metavar="L", help="exp(-|x - z|^2/(2 L^2)) for --kernel rbf.")
    ] = None,
    intercept: Annotated[
        bool, typer.Option("--intercept/--no-intercept", help="A constant, never penalised.")
    ] = True,
    budget: Annotated[
        int | None, typer.Option(metavar="B", help="Never more than B labels, surely.")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="Expected loss at most (1 + E) OPT.")
    ] = None,
    method: Annotated[
        MethodName,
        typer.Option(
            help="What chooses the rows. All keep the budget; volume has no guarantee, and asura "
            "draws labelled rows as well instead of keeping them."
        ),
    ] = MethodName.COINS,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the draws.")] = 0,
    output: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write row, id, weight, draws, and all to resume."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost; draw and write nothing.")
    ] = False,
    delimiter: Delimiter = None,
    header: Header = None,
    decimal: Decimal = ".",
    form: Annotated[
        Format, typer.Option("--format", help="A summary to read, or JSON.")
    ] = Format.PRETTY,
) -> None:
    r"""Choose which labels to buy, check the choice, and say what it guarantees.

    \b
    Example:
      asura plan example:houses.csv --target price --id parcel --ridge 1 \
                 --budget 30 --output plan.csv
    """
    if output is not None:
        writable(output, table, labels)
    if budget is not None and epsilon is not None:
        raise ConflictingOptions(
            "--budget and --epsilon were both given: expected one of them", value=(budget, epsilon)
        )
    if budget is None and epsilon is None and not dry_run:
        raise ConflictingOptions(
            "expected one of --budget and --epsilon, or --dry-run", value=(budget, epsilon)
        )
    if budget is not None and budget < 1:
        raise BudgetOutOfRange(f"--budget {budget}: expected at least 1", value=budget)
    from asura.engine import plan_files  # noqa: PLC0415 - the other commands do without SciPy
    from asura.engine.plan import decide  # noqa: PLC0415
    from asura.engine.preparing import prepare, read_epsilon  # noqa: PLC0415

    accuracy = None if epsilon is None else read_epsilon(epsilon)
    with stages() as progress:
        ready = prepare(
            table,
            target=target,
            identifier=identifier,
            features=several(features),
            labels=labels,
            ridge=ridge,
            intercept=intercept,
            kernel=None if kernel is None else kernel.value,
            length=length,
            delimiter=delimiter,
            header=header,
            decimal=decimal,
            progress=progress,
        )
        if not dry_run:
            plan = decide(ready, budget, accuracy, seed, progress=progress, method=method.value)
    if dry_run:
        rows = _preview(ready, budget, accuracy, seed, method.value)
        if form is Format.JSON:
            json.dump({"reduced_rank": ready.reduced_rank, "choices": rows}, sys.stdout, indent=2)
            print()
        else:
            show_facts(_size(ready) | _say_preview(rows, len(ready.useful)))
        return
    if output is not None:
        plan_files.save_plan(plan, output)
    if form is Format.JSON:
        chosen = [
            {"row": int(row), "id": name, "weight": float(weight), "draws": int(draws)}
            for row, name, weight, draws in zip(
                plan.rows, plan.identifiers, plan.weights, plan.draws, strict=True
            )
        ]
        json.dump(asdict(plan.record) | {"labels": chosen}, sys.stdout, indent=2)
        print()
        return
    show_facts(_facts(ready, plan))
    if output is None:
        show_facts({"labels": ", ".join(plan.identifiers)})
    else:
        print(f"plan written to {output}")
        then = shlex.join(["asura", "fit", table, "--plan", output, "--output", "model.json"])
        show_facts(
            {
                "next": "get the labels of its rows, and fill them into the table or into a file "
                f"of id,label pairs (--labels); then {then}"
            }
        )
