"""An audit as one report for all formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asura_verify.auditing.baseline import Baseline, changes
from asura_verify.auditing.perform import Audit
from asura_verify.registry.ruling import ClaimRuling
from asura_verify.report.audit import as_json, audit_data, headline, unproved_words
from asura_verify.report.data import Case, Mistake, Part, Place, Rule, Status, Suite, Table
from asura_verify.report.mathematics import as_text
from asura_verify.report.terminal import audit_text


def _row(ruling: ClaimRuling) -> tuple[str, ...]:
    repaired = "; ".join(
        f"{fix.key}: {made.word.value}" + (f" ({made.strength.words})" if made.strength else "")
        for fix in ruling.claim.repaired
        for made in (ruling.others[fix.key],)
    )
    strength = ruling.printed.strength
    return (
        ruling.claim.slug,
        ruling.printed.word.value,
        strength.words if strength else "",
        repaired,
    )


@dataclass(frozen=True)
class Audited:
    """The report of an audit; what changed since the recorded verdicts is what is wrong."""

    audit: Audit
    baseline: Baseline

    def pretty(self) -> str:
        """For people, as wide and as coloured as their terminal."""
        return audit_text(self.audit, self.baseline)

    def json(self) -> str:
        """The data, indented."""
        return as_json(audit_data(self.audit, self.baseline))

    def suites(self) -> list[Suite]:
        """One test case per claim; a changed verdict is a failure."""
        changed = changes(self.audit.rulings, self.baseline)
        cases = []
        for ruling in self.audit.rulings:
            mine = [str(change) for change in changed if change.slug == ruling.claim.slug]
            cases.append(
                Case(
                    ruling.claim.slug,
                    Status.FAILED if mine else None,
                    mine[0] if mine else "",
                    "\n".join(mine),
                    output=f"{ruling.printed.word.value}: {as_text(ruling.printed.reason)}",
                    seconds=sum(item.seconds for item in ruling.evidence),
                )
            )
        name, seconds = "asura audit", self.audit.seconds
        return [Suite(name, tuple(cases), classname="asura.claims", seconds=seconds)]

    def mistakes(self) -> list[Mistake]:
        """One per changed verdict, at the note of its claim."""
        return [
            Mistake(change.slug, str(change), (Place(f"proofs_notes/{change.slug}.md"),))
            for change in changes(self.audit.rulings, self.baseline)
        ]

    def rules(self, _: Sequence[Mistake]) -> list[Rule]:
        """One per claim."""
        claims = [ruling.claim for ruling in self.audit.rulings]
        return [Rule(each.slug, as_text(each.title), as_text(each.printed.text)) for each in claims]

    def total(self) -> list[str]:
        """The counts by origin, and what changed."""
        found = [f"changed: {change}" for change in changes(self.audit.rulings, self.baseline)]
        return [*headline(self.audit), *(found or ["No verdict changed."])]

    def parts(self) -> list[Part]:
        """A row per claim, and what is not proved."""
        columns = ("claim", "printed", "strength", "repaired")
        return [
            Table(columns, tuple(map(_row, self.audit.rulings))),
            "What is not proved here:",
            *(f"{why}: {', '.join(map(str, items))}" for why, items in unproved_words(self.audit)),
        ]
