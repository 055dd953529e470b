"""The audit and the claims on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from asura_verify.auditing.baseline import Baseline, changes
from asura_verify.auditing.perform import Audit
from asura_verify.registry.claim import Claim, Statement
from asura_verify.registry.evidence import Finding
from asura_verify.registry.ruling import ClaimRuling, StatementRuling, Word
from asura_verify.report.audit import TRUSTED_BASE, as_json, headline, unproved_words
from asura_verify.report.mathematics import as_text

_COLOURS = {
    Word.HOLDS: "green",
    Word.STEP_FALSE: "green",
    Word.SMALLER_RANGE: "yellow",
    Word.MISPRINT: "yellow",
    Word.FALSE: "red",
    Word.UNDECIDED: "magenta",
    Word.CITED: "blue",
    Word.DEFINITION: "green",
    Word.CONTRADICTORY: "bold red",
    Word.MISSING: "magenta",
}


def _shown(text: str) -> str:
    """Mathematics as characters; a bracket is no markup."""
    return escape(as_text(text))


def words(ruling: StatementRuling) -> str:
    """A verdict, coloured, with its strength."""
    strength = f" [dim]({ruling.strength.words})[/dim]" if ruling.strength else ""
    return f"[{_COLOURS[ruling.word]}]{ruling.word.value}[/]{strength}"


def show_line(console: Console, ruling: ClaimRuling) -> None:
    """One line, as soon as a claim is decided."""
    console.print(f"  {ruling.claim.slug:<20} {words(ruling.printed)}", highlight=False)


def audit_text(audit: Audit, baseline: Baseline) -> str:
    """The table, what changed, and what is not proved: as wide and coloured as the terminal."""
    console = Console()
    with console.capture() as kept:
        _show_audit(console, audit, baseline)
    return kept.get().rstrip("\n")


def _show_audit(console: Console, audit: Audit, baseline: Baseline) -> None:
    table = Table(title="The claims of the paper", title_justify="left", show_edge=False)
    table.add_column("claim", no_wrap=True)
    for column in ("as printed", "what holds instead, or more sharply"):
        table.add_column(column, overflow="fold")
    for ruling in audit.rulings:
        repaired = "\n".join(
            f"{_shown(fix.text)}: {words(ruling.others[fix.key])}" for fix in ruling.claim.repaired
        )
        table.add_row(ruling.claim.slug, words(ruling.printed), repaired)
    console.print(table)
    console.print(f"\n{len(audit.rulings)} claims in {audit.seconds:.0f} s")
    for line in headline(audit):
        console.print(f"  {line}", highlight=False)
    console.print("\n[bold]What is not proved here[/bold]")
    for why, items in unproved_words(audit):
        console.print(f"  {why}: {', '.join(map(str, items))}", highlight=False)
    console.print("[bold]Trusted base[/bold]")
    for line in TRUSTED_BASE:
        console.print(f"  {line}", highlight=False)
    found = changes(audit.rulings, baseline)
    for change in found:
        line = f"[bold red]changed[/bold red]: {escape(str(change))}"
        console.print(line, highlight=False, soft_wrap=True)
    if audit.unfinished:
        console.print(f"[magenta]unfinished[/magenta]: {', '.join(audit.unfinished)}")
    elif not found:
        console.print("[green]Every verdict is the recorded one, and as well known.[/green]")


def _show_statement(
    console: Console, heading: str, statement: Statement, ruling: StatementRuling | None
) -> None:
    verdict = f": {words(ruling)}" if ruling else ""
    console.print(f"\n[bold]{heading}[/bold]{verdict}")
    console.print(f"  {_shown(statement.text)}", highlight=False)
    if statement.hypotheses:
        where = ", ".join(str(hypothesis) for hypothesis in statement.hypotheses)
        console.print(f"  for {_shown(where)}", highlight=False)
    if ruling:
        console.print(f"  [dim]{_shown(ruling.reason)}[/dim]", highlight=False)


def show_claim(console: Console, ruling: ClaimRuling) -> None:
    """One claim: statements, verdicts, evidence, counterexamples, how to reproduce."""
    claim = ruling.claim
    title = f"[bold]{claim.slug}[/bold]: {_shown(claim.title)} ({claim.where})"
    console.print(title, highlight=False)
    _show_statement(console, "Printed", claim.printed, ruling.printed)
    for step in claim.steps:
        _show_statement(console, "A printed step", step, ruling.others[step.key])
    for fix in claim.repaired:
        relation = fix.relation.value if fix.relation else "repaired"
        _show_statement(console, relation.capitalize(), fix, ruling.others[fix.key])
    console.print("\n[bold]Evidence[/bold]")
    for item in ruling.evidence:
        count = f", {item.instances} instances" if item.source == "check" else ""
        console.print(
            f"  {item.statement}: {item.name}, {item.source}, {item.strength.words}{count}: "
            f"{item.finding.value}",
            highlight=False,
        )
        if item.detail:
            console.print(f"    {_shown(item.detail)}", highlight=False)
        for line in item.lines if item.finding is not Finding.MISSING else ():
            console.print(f"    {_shown(line)}", highlight=False)
    console.print(f"\nReproduce: asura audit {claim.slug}", highlight=False)
    if any("FAMILIES[" in item.detail for item in ruling.evidence):
        console.print(
            "Instances: from asura_verify.instances.families import FAMILIES", highlight=False
        )
    console.print(f"Note: {claim.note}", highlight=False)
    if claim.depends:
        console.print(f"Depends on: {', '.join(claim.depends)}", highlight=False)


def _recorded(claim: Claim, baseline: Baseline) -> str:
    known = baseline.claims.get(claim.slug, {}).get(claim.printed.key)
    if known is None:
        return "not recorded"
    return f"{known.verdict} ({known.strength})" if known.strength else known.verdict


def show_claims(console: Console, claims: tuple[Claim, ...], baseline: Baseline) -> None:
    """The list, with the recorded verdicts: a table, or a line per claim when nobody looks."""
    rows = [
        (claim.slug, claim.where, _recorded(claim, baseline), as_text(claim.printed.text))
        for claim in claims
    ]
    if not console.is_terminal:
        for row in rows:
            print("\t".join(row))
        return
    table = Table(show_edge=False)
    table.add_column("claim", no_wrap=True)
    for column in ("where", "recorded verdict", "printed statement"):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


def claims_json(claims: tuple[Claim, ...], baseline: Baseline) -> str:
    """The list as JSON: every statement of every claim, with its recorded verdict."""
    made = [
        {
            "slug": claim.slug,
            "title": claim.title,
            "where": claim.where,
            "origin": claim.origin.value,
            "note": claim.note,
            "depends": claim.depends,
            "statements": [
                {
                    "key": statement.key,
                    "statement": statement.text,
                    "hypotheses": [str(hypothesis) for hypothesis in statement.hypotheses],
                    "recorded": baseline.claims.get(claim.slug, {}).get(statement.key),
                }
                for statement in claim.statements
            ],
        }
        for claim in claims
    ]
    return as_json(made)
