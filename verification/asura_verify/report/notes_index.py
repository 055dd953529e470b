"""The index of the notes in proofs_notes/README.md, made from the recorded verdicts.

`python -m asura_verify.report.notes_index` writes it after `asura audit --record`.
"""

from __future__ import annotations

from collections.abc import Sequence

from asura_verify.auditing.baseline import Baseline, read
from asura_verify.claims import CLAIMS
from asura_verify.proofs.places import NOTES
from asura_verify.registry.claim import Claim, Origin

INDEX = NOTES / "README.md"
BEGIN, END = "<!-- claims -->", "<!-- end of claims -->"
HEADINGS = {
    Origin.PAPER: "## Claims, in the paper's order",
    Origin.BEYOND: "## Beyond the paper",
    Origin.FIELD: "## The field",
}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def row(claim: Claim, baseline: Baseline) -> str:
    """One claim: its note, its verdict, and what holds instead or more sharply."""
    known = baseline.claims.get(claim.slug, {})
    repaired = "; ".join(
        f"{_cell(fix.text)}: {known.get(fix.key, 'not recorded')}" for fix in claim.repaired
    )
    link = f"[{claim.slug}]({claim.slug}.md)"
    verdict = known.get(claim.printed.key, "not recorded")
    return f"| {link} | {_cell(claim.title)} | {verdict} | {repaired} |"


def index(claims: Sequence[Claim], baseline: Baseline) -> str:
    """The tables, one for each origin of claims."""
    lines = [BEGIN]
    for origin, heading in HEADINGS.items():
        mine = [claim for claim in claims if claim.origin is origin]
        if mine:
            lines += ["", heading, "", "| note | claim | verdict | what holds instead, or more |"]
            lines += ["| --- | --- | --- | --- |", *(row(claim, baseline) for claim in mine)]
    return "\n".join([*lines, "", END])


def replaced(text: str, made: str) -> str:
    """The text with its index replaced."""
    before, _, rest = text.partition(BEGIN)
    return before + made + rest.partition(END)[2]


def main() -> None:
    """Write the index."""
    text = INDEX.read_text(encoding="utf-8")
    INDEX.write_text(replaced(text, index(CLAIMS, read())), encoding="utf-8")


if __name__ == "__main__":
    main()
