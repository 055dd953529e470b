"""The audit and the claims on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
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


def _say(console: Console, text: str, indent: int = 0) -> None:
    """A paragraph, all of it as far to the right; where nobody looks, its lines are not broken."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent), expand=False), highlight=False)
    else:
        console.print(textwrap.indent(text, " " * indent), highlight=False, soft_wrap=True)


def words(ruling: StatementRuling) -> str:
    """A verdict, coloured, with its strength."""
    strength = f" [dim]({ruling.strength.words})[/dim]" if ruling.strength else ""
    return f"[{_COLOURS[ruling.word]}]{ruling.word.value}[/]{strength}"


def show_line(console: Console, ruling: ClaimRuling) -> None:
    """One line, as soon as a claim is decided."""
    _say(console, f"{ruling.claim.slug:<20} {words(ruling.printed)}", 2)


def audit_text(audit: Audit, baseline: Baseline) -> str:
    """The table, what changed, and what is not proved: as wide and coloured as the terminal."""
    console = Console()
    with console.capture() as kept:
        _show_audit(console, audit, baseline)
    return kept.get().rstrip("\n")


def _show_rulings(console: Console, rulings: Sequence[ClaimRuling]) -> None:
    """A table, or a line per claim when nobody looks."""
    table = Table(title="The claims of the paper", title_justify="left", show_edge=False)
    table.add_column("claim", no_wrap=True)
    for column in ("as printed", "what holds instead, or more sharply"):
        table.add_column(column, overflow="fold")
    for ruling in rulings:
        repaired = [
            f"{_shown(fix.text)}: {words(ruling.others[fix.key])}" for fix in ruling.claim.repaired
        ]
        slug, printed = ruling.claim.slug, words(ruling.printed)
        if console.is_terminal:
            table.add_row(slug, printed, "\n".join(repaired))
        else:
            _say(console, f"{slug}: {'; '.join((printed, *repaired))}")
    if console.is_terminal:
        console.print(table)


def _show_audit(console: Console, audit: Audit, baseline: Baseline) -> None:
    _show_rulings(console, audit.rulings)
    console.print(f"\n{len(audit.rulings)} claims in {audit.seconds:.0f} s")
    for line in headline(audit):
        _say(console, line, 2)
    console.print("\n[bold]What is not proved here[/bold]")
    for why, items in unproved_words(audit):
        _say(console, f"{why}: {', '.join(map(str, items))}", 2)
    console.print("[bold]Trusted base[/bold]")
    for line in TRUSTED_BASE:
        _say(console, line, 2)
    found = changes(audit.rulings, baseline)
    for change in found:
        _say(console, f"[bold red]changed[/bold red]: {escape(str(change))}")
    if audit.unfinished:
        console.print(f"[magenta]unfinished[/magenta]: {', '.join(audit.unfinished)}")
    elif not found:
        console.print("[green]Every verdict is the recorded one, and as well known.[/green]")


def _show_statement(
    console: Console, heading: str, statement: Statement, ruling: StatementRuling | None
) -> None:
    verdict = f": {words(ruling)}" if ruling else ""
    _say(console, f"\n[bold]{heading}[/bold]{verdict}")
    _say(console, _shown(statement.text), 2)
    if statement.hypotheses:
        where = ", ".join(str(hypothesis) for hypothesis in statement.hypotheses)
        _say(console, f"for {_shown(where)}", 2)
    if ruling:
        _say(console, f"[dim]{_shown(ruling.reason)}[/dim]", 2)


def show_claim(console: Console, ruling: ClaimRuling) -> None:
    """One claim: statements, verdicts, evidence, counterexamples, how to reproduce."""
    claim = ruling.claim
    title = f"[bold]{claim.slug}[/bold]: {_shown(claim.title)} ({claim.where})"
    _say(console, title)
    _show_statement(console, "Printed", claim.printed, ruling.printed)
    for step in claim.steps:
        _show_statement(console, "A printed step", step, ruling.others[step.key])
    for fix in claim.repaired:
        relation = fix.relation.value if fix.relation else "repaired"
        _show_statement(console, relation.capitalize(), fix, ruling.others[fix.key])
    console.print("\n[bold]Evidence[/bold]")
    for item in ruling.evidence:
        count = f", {item.instances} instances" if item.source == "check" else ""
        _say(
            console,
            f"{item.statement}: {item.name}, {item.source}, {item.strength.words}{count}: "
            f"{item.finding.value}",
            2,
        )
        if item.detail:
            _say(console, _shown(item.detail), 4)
        for line in item.lines if item.finding is not Finding.MISSING else ():
            _say(console, _shown(line), 4)
    _say(console, f"\nReproduce: asura audit {claim.slug}")
    if any("FAMILIES[" in item.detail for item in ruling.evidence):
        _say(console, "Instances: from asura_verify.instances.families import FAMILIES")
    _say(console, f"Note: {claim.note}")
    if claim.depends:
        _say(console, f"Depends on: {', '.join(claim.depends)}")


def show_claims(console: Console, claims: tuple[Claim, ...], baseline: Baseline) -> None:
    """The list, with the recorded verdicts: a paragraph per claim, or a line when nobody looks."""
    rows = []
    for claim in claims:
        known = baseline.claims.get(claim.slug, {}).get(claim.printed.key, "not recorded")
        rows.append((claim.slug, claim.where, str(known), as_text(claim.printed.text)))
    if not console.is_terminal:
        for row in rows:
            print("\t".join(row))
        return
    for slug, where, verdict, text in rows:
        _say(console, f"[bold]{slug}[/bold]: {escape(verdict)}")
        _say(console, f"{escape(text)} [dim]({escape(where)})[/dim]", 4)


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
