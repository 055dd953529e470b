"""The facts of an audit, typed: for JSON, for the page and for every other report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from asura_verify.auditing.baseline import Baseline, changes
from asura_verify.auditing.perform import Audit
from asura_verify.deciding.strength import Strength
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.registry.claim import Origin, Statement
from asura_verify.registry.evidence import Evidence, Finding
from asura_verify.registry.ruling import (
    PROOF,
    ClaimRuling,
    StatementRuling,
    Word,
    settled_by_computation,
)
from asura_verify.report.audit_data import (
    AuditData,
    ClaimData,
    CounterexampleData,
    EvidenceData,
    OriginData,
    StatementData,
    SummaryData,
    UnprovedData,
)

#: On what every verdict rests, beside the evidence itself.
TRUSTED_BASE = (
    "exact and certified evidence: Python, and FLINT's rational and ball arithmetic",
    "wald, besides: the proof in its note, and NumPy's doubles, rounded as IEEE 754 asks",
    "solver proofs: Z3 and SymPy",
    f"machine-checked theorems: the kernel of Coq, and Spec*.v, as reviewed ({REVIEWED[:12]})",
    "everywhere: that the statements here say what the paper says",
)


def _statement(statement: Statement, ruling: StatementRuling) -> StatementData:
    return StatementData(
        key=statement.key,
        statement=statement.text,
        hypotheses=tuple(map(str, statement.hypotheses)),
        relation=statement.relation.value if statement.relation else None,
        verdict=ruling.word.value,
        strength=ruling.strength.words if ruling.strength else None,
        reason=ruling.reason,
    )


def _evidence(item: Evidence) -> EvidenceData:
    return EvidenceData(
        statement=item.statement,
        source=item.source,
        name=item.name,
        strength=item.strength.words,
        finding=item.finding.value,
        instances=item.instances,
        detail=item.detail,
        lines=item.lines,
        seconds=round(item.seconds, 3),
    )


def claim_data(ruling: ClaimRuling) -> ClaimData:
    """One claim, its verdicts and the evidence."""
    claim = ruling.claim
    return ClaimData(
        slug=claim.slug,
        title=claim.title,
        where=claim.where,
        origin=claim.origin.value,
        note=claim.note,
        depends=claim.depends,
        theorems=tuple(name for statement in claim.statements for name in statement.theorems),
        printed=_statement(claim.printed, ruling.printed),
        steps=tuple(_statement(step, ruling.others[step.key]) for step in claim.steps),
        repaired=tuple(_statement(fix, ruling.others[fix.key]) for fix in claim.repaired),
        evidence=tuple(map(_evidence, ruling.evidence)),
        counterexamples=tuple(
            CounterexampleData(item.name, item.detail, item.lines)
            for item in ruling.evidence
            if item.source == "counterexample" and item.finding is Finding.REFUTES
        ),
    )


#: How a statement may be known without being proved, and the words for it.
UNPROVED = {
    "cited": "rests on a citation",
    "undecided": "neither shown nor refuted",
    "sampled": "statistics only",
    "instances": "true on every instance tried, each decided; no proof is run by this tool",
}


def _kind(statement: Statement, ruling: StatementRuling) -> str | None:
    """Why a statement is not proved; None when it is, or is refuted, or computed as a whole."""
    if ruling.word is Word.CITED:
        return "cited"
    if ruling.word in (Word.UNDECIDED, Word.MISSING, Word.CONTRADICTORY):
        return "undecided"
    if ruling.word not in (Word.HOLDS, Word.STEP_FALSE) or ruling.strength is None:
        return None
    if ruling.strength >= PROOF or settled_by_computation(statement):
        return None
    return "sampled" if ruling.strength is Strength.SAMPLED else "instances"


def _unproved(rulings: Sequence[ClaimRuling]) -> dict[str, tuple[UnprovedData, ...]]:
    """Every statement that a reader should not take for proved, repaired ones included."""
    found: dict[str, list[UnprovedData]] = {kind: [] for kind in UNPROVED}
    for claim in rulings:
        for statement in claim.claim.statements:
            ruling = claim.others.get(statement.key, claim.printed)
            kind = _kind(statement, ruling)
            if kind is not None:
                found[kind].append(
                    UnprovedData(claim.claim.slug, statement.key, statement.text, ruling.reason)
                )
    return {kind: tuple(items) for kind, items in found.items()}


def _origins(rulings: Sequence[ClaimRuling]) -> dict[str, OriginData]:
    """The headline: who claims how much, with what verdicts, and which claims are false."""
    found = {}
    for origin in Origin:
        mine = [ruling for ruling in rulings if ruling.claim.origin is origin]
        if mine:
            found[origin.value] = OriginData(
                claims=len(mine),
                verdicts=Counter(ruling.printed.word.value for ruling in mine),
                false=tuple(r.claim.slug for r in mine if r.printed.word is Word.FALSE),
            )
    return found


def audit_data(audit: Audit, baseline: Baseline) -> AuditData:
    """The whole audit."""
    rulings = audit.rulings
    return AuditData(
        claims=tuple(map(claim_data, rulings)),
        summary=SummaryData(
            claims=len(rulings),
            origins=_origins(rulings),
            verdicts=Counter(ruling.printed.word.value for ruling in rulings),
            strengths=Counter(
                ruling.printed.strength.words for ruling in rulings if ruling.printed.strength
            ),
            changed=tuple(changes(rulings, baseline)),
            unfinished=audit.unfinished,
            not_proved=_unproved(rulings),
            trusted_base=TRUSTED_BASE,
            seed=audit.seed,
            factor=audit.factor,
            seconds=round(audit.seconds, 1),
        ),
    )


def unproved_words(audit: Audit) -> list[tuple[str, tuple[UnprovedData, ...]]]:
    """What is not proved, under the words for why; kinds that do not occur are left out."""
    return [(UNPROVED[kind], items) for kind, items in _unproved(audit.rulings).items() if items]


def headline(audit: Audit) -> list[str]:
    """One line for the paper, one for each other origin, with the false claims by name."""
    lines = []
    for origin, counts in _origins(audit.rulings).items():
        verdicts = ", ".join(f"{count} {word}" for word, count in counts.verdicts.items())
        false = f"; false: {', '.join(counts.false)}" if counts.false else ""
        noun = "claim" if counts.claims == 1 else "claims"
        whose = "of the paper" if origin == Origin.PAPER.value else f"({origin})"
        lines.append(f"{counts.claims} {noun} {whose}: {verdicts}{false}")
    return lines


def as_json(data: object) -> str:
    """Typed data as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()
