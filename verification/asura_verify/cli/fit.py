"""The command `asura fit`: from a plan and its labels to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asura.command_line import show_facts
from asura.files import writable
from asura_verify.cli.facts import stages
from asura_verify.cli.table_options import Decimal, Delimiter, Header

if TYPE_CHECKING:
    from asura.engine.model import Model
    from asura.engine.plan import Plan


def _facts(plan: Plan, model: Model) -> dict[str, str]:
    summary = model.summary
    facts = {
        "labels": f"{summary.bought} bought, {summary.labelled} known before",
        "not asked for": f"{plan.unasked} further labels, left aside" if plan.unasked else "none",
        "weights": f"up to {summary.largest_weight:.4g}"
        + ("" if plan.beside is None else "; labelled rows and the ridge are weighted as well"),
        "certificate": plan.record.certificate,
        "guarantee": plan.guarantee,
    }
    if summary.labelled:
        mean = summary.loss_labelled / summary.labelled
        fitted = "they were fitted" if plan.beside is None else "those that were drawn were fitted"
        facts["known rows"] = f"mean squared error {mean:.6g} ({fitted})"
    if summary.bought:
        total = summary.loss_weighted - summary.loss_labelled
        facts["bought rows"] = (
            f"squared errors {total:.6g} with their weights, by which they stand for the whole "
            "pool (they were fitted, so that new rows have larger ones)"
        )
    if summary.leave_one_out is not None:
        facts["leave one out"] = (
            f"root mean squared error {summary.leave_one_out:.6g}: each bought row predicted "
            "without it, weighted to stand for all rows (an estimate, no guarantee)"
        )
    if model.kernel is None and len(model.columns) <= 20:
        terms = [
            f"{'-' if c < 0 else '+'} {abs(c):.6g} {n}"
            for c, n in zip(model.coefficients, model.columns, strict=True)
        ]
        facts[model.target or "model"] = " ".join([f"{model.intercept:.6g}", *terms])
    return facts


def fit_command(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="The table of the plan, labels filled in.")
    ],
    plan: Annotated[str, typer.Option(metavar="FILE", help="What asura plan wrote.")],
    target: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The labels. Default: as in the plan.")
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Labels as pairs: id (or row), label. Once for each part."
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the model (JSON) here.")
    ] = None,
    delimiter: Delimiter = None,
    header: Header = None,
    decimal: Decimal = ".",
) -> None:
    r"""Fit the model when the labels that were asked for have arrived.

    \b
    Example:
      asura fit houses.csv --target price --plan plan.csv --output model.json
    """
    if output is not None:
        writable(output, table, plan, *(labels or ()))
    from asura.engine.plan_files import load_plan  # noqa: PLC0415
    from asura.engine.tables import read_pairs  # noqa: PLC0415

    with stages():
        chosen = load_plan(
            plan, table, target=target, delimiter=delimiter, header=header, decimal=decimal
        )
        for part in labels or ():
            chosen = chosen.with_labels(read_pairs(part, delimiter=delimiter, decimal=decimal))
        model = chosen.fit()
    if output is not None:
        model.save(output)
    show_facts(_facts(chosen, model))
    if output is not None:
        print(f"model written to {output}")
