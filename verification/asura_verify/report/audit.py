"""An audit as JSON, JUnit, SARIF or Markdown; `asura_verify.report.terminal` shows it to people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from asura_verify.audit.baseline import Baseline, Change, changes
from asura_verify.audit.perform import Audit
from asura_verify.deciding.strength import Strength
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.registry.claim import Origin, Statement
from asura_verify.registry.evidence import Evidence, Finding
from asura_verify.registry.ruling import PROOF, ClaimRuling, Ruling, Word, settled_by_computation

#: On what every verdict rests, beside the evidence itself.
TRUSTED_BASE = (
    "exact and certified evidence: Python, and FLINT's rational and ball arithmetic",
    "wald, besides: the proof in its note, and NumPy's doubles, rounded as IEEE 754 asks",
    "solver proofs: Z3 and SymPy",
    f"machine-checked theorems: the kernel of Coq, and Spec.v, as reviewed ({REVIEWED[:12]})",
    "everywhere: that the statements here say what the paper says",
)


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "verdict": ruling.word.value,
        "strength": ruling.strength.words if ruling.strength else None,
        "reason": ruling.reason,
    }


def _statement(statement: Statement, ruling: Ruling) -> dict[str, Any]:
    return {
        "key": statement.key,
        "statement": statement.text,
        "hypotheses": [str(hypothesis) for hypothesis in statement.hypotheses],
        "relation": statement.relation.value if statement.relation else None,
        **_ruling(ruling),
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "statement": item.statement,
        "source": item.source,
        "name": item.name,
        "strength": item.strength.words,
        "finding": item.finding.value,
        "instances": item.instances,
        "detail": item.detail,
        "lines": list(item.lines),
        "seconds": round(item.seconds, 3),
    }


def claim_data(ruling: ClaimRuling) -> dict[str, Any]:
    """One claim as plain data."""
    claim = ruling.claim
    return {
        "slug": claim.slug,
        "title": claim.title,
        "where": claim.where,
        "origin": claim.origin.value,
        "note": claim.note,
        "depends": list(claim.depends),
        "theorems": [name for statement in claim.statements for name in statement.theorems],
        "printed": _statement(claim.printed, ruling.printed),
        "steps": [_statement(step, ruling.others[step.key]) for step in claim.steps],
        "repaired": [_statement(fix, ruling.others[fix.key]) for fix in claim.repaired],
        "evidence": [_evidence(item) for item in ruling.evidence],
        "counterexamples": [
            {"name": item.name, "instance": item.detail, "arithmetic": list(item.lines)}
            for item in ruling.evidence
            if item.source == "counterexample" and item.finding is Finding.REFUTES
        ],
    }


#: How a statement may be known without being proved, and the words for it.
UNPROVED = {
    "cited": "rests on a citation",
    "undecided": "neither shown nor refuted",
    "sampled": "statistics only",
    "instances": "true on every instance tried, each decided; no proof is run by this tool",
}


def _kind(statement: Statement, ruling: Ruling) -> str | None:
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


def _unproved(rulings: Sequence[ClaimRuling]) -> dict[str, list[dict[str, str]]]:
    """Every statement that a reader should not take for proved, repaired ones included."""
    found: dict[str, list[dict[str, str]]] = {kind: [] for kind in UNPROVED}
    for claim in rulings:
        for statement in claim.claim.statements:
            ruling = claim.others.get(statement.key, claim.printed)
            kind = _kind(statement, ruling)
            if kind is not None:
                found[kind].append(
                    {
                        "slug": claim.claim.slug,
                        "key": statement.key,
                        "statement": statement.text,
                        "reason": ruling.reason,
                    }
                )
    return found


def _origins(rulings: Sequence[ClaimRuling]) -> dict[str, dict[str, Any]]:
    """The headline: who claims how much, with what verdicts, and which claims are false."""
    found: dict[str, dict[str, Any]] = {}
    for origin in Origin:
        mine = [ruling for ruling in rulings if ruling.claim.origin is origin]
        if mine:
            found[origin.value] = {
                "claims": len(mine),
                "verdicts": dict(Counter(ruling.printed.word.value for ruling in mine)),
                "false": [r.claim.slug for r in mine if r.printed.word is Word.FALSE],
            }
    return found


def audit_data(audit: Audit, baseline: Baseline) -> dict[str, Any]:
    """The whole audit as plain data."""
    changed = changes(audit.rulings, baseline)
    verdicts = Counter(ruling.printed.word.value for ruling in audit.rulings)
    strengths = Counter(
        ruling.printed.strength.words for ruling in audit.rulings if ruling.printed.strength
    )
    return {
        "claims": [claim_data(ruling) for ruling in audit.rulings],
        "summary": {
            "claims": len(audit.rulings),
            "origins": _origins(audit.rulings),
            "verdicts": dict(verdicts),
            "strengths": dict(strengths),
            "changed": [_change(change) for change in changed],
            "unfinished": list(audit.unfinished),
            "not_proved": _unproved(audit.rulings),
            "trusted_base": list(TRUSTED_BASE),
            "seed": audit.seed,
            "factor": audit.factor,
            "seconds": round(audit.seconds, 1),
        },
    }


def _change(change: Change) -> dict[str, str]:
    return {
        "slug": change.slug,
        "statement": change.statement,
        "recorded": change.recorded,
        "computed": change.computed,
    }


def as_json(audit: Audit, baseline: Baseline) -> str:
    """JSON, indented."""
    return json.dumps(audit_data(audit, baseline), indent=2, ensure_ascii=False)


def as_junit(audit: Audit, baseline: Baseline) -> str:
    """One test case a claim; a changed verdict is a failure."""
    changed = changes(audit.rulings, baseline)
    root = Xml.Element(
        "testsuite",
        name="asura audit",
        tests=str(len(audit.rulings)),
        failures=str(len({change.slug for change in changed})),
        errors="0",
        time=f"{audit.seconds:.1f}",
    )
    for ruling in audit.rulings:
        spent = sum(item.seconds for item in ruling.evidence)
        case = Xml.SubElement(
            root,
            "testcase",
            classname="asura.claims",
            name=ruling.claim.slug,
            time=f"{spent:.3f}",
        )
        mine = [change for change in changed if change.slug == ruling.claim.slug]
        if mine:
            failure = Xml.SubElement(case, "failure", message=str(mine[0]))
            failure.text = "\n".join(map(str, mine))
        output = Xml.SubElement(case, "system-out")
        output.text = f"{ruling.printed.word.value}: {ruling.printed.reason}"
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True)


def as_sarif(audit: Audit, baseline: Baseline) -> str:
    """One rule a claim, one result a changed verdict."""
    slugs = [ruling.claim.slug for ruling in audit.rulings]
    results = [
        {
            "ruleId": change.slug,
            "ruleIndex": slugs.index(change.slug),
            "level": "error",
            "message": {"text": str(change)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": f"proofs_notes/{change.slug}.md"}
                    }
                }
            ],
        }
        for change in changes(audit.rulings, baseline)
    ]
    rules = [
        {
            "id": ruling.claim.slug,
            "shortDescription": {"text": ruling.claim.title},
            "fullDescription": {"text": ruling.claim.printed.text},
        }
        for ruling in audit.rulings
    ]
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "asura", "rules": rules}}, "results": results}],
    }
    return json.dumps(document, indent=2)


def _strength(ruling: Ruling) -> str:
    return ruling.strength.words if ruling.strength else ""


def as_markdown(audit: Audit, baseline: Baseline) -> str:
    """A table for a summary page."""
    lines = ["| claim | printed | strength | repaired |", "| --- | --- | --- | --- |"]
    for ruling in audit.rulings:
        repaired = "; ".join(
            f"{fix.key}: {ruling.others[fix.key].word.value} ({_strength(ruling.others[fix.key])})"
            for fix in ruling.claim.repaired
        )
        lines.append(
            f"| {ruling.claim.slug} | {ruling.printed.word.value} "
            f"| {_strength(ruling.printed)} | {repaired} |"
        )
    found = changes(audit.rulings, baseline)
    head = [f"{line}." for line in headline(audit)]
    head += [f"- **changed**: {change}" for change in found] or ["No verdict changed."]
    lines += ["", "What is not proved here:"]
    lines += [
        f"- {words}: {', '.join(named(item) for item in items)}"
        for words, items in unproved_words(audit)
    ]
    return "\n".join([*head, "", *lines])


def named(item: dict[str, str]) -> str:
    """A statement by claim and key; the printed one by its claim alone."""
    return item["slug"] if item["key"] == "printed" else f"{item['slug']} ({item['key']})"


def unproved_words(audit: Audit) -> list[tuple[str, list[dict[str, str]]]]:
    """What is not proved, under the words for why; kinds that do not occur are left out."""
    return [(UNPROVED[kind], items) for kind, items in _unproved(audit.rulings).items() if items]


def headline(audit: Audit) -> list[str]:
    """One line for the paper, one for each other origin, with the false claims by name."""
    lines = []
    for origin, counts in _origins(audit.rulings).items():
        verdicts = ", ".join(f"{count} {word}" for word, count in counts["verdicts"].items())
        false = f"; false: {', '.join(counts['false'])}" if counts["false"] else ""
        noun = "claim" if counts["claims"] == 1 else "claims"
        whose = "of the paper" if origin == Origin.PAPER.value else f"({origin})"
        lines.append(f"{counts['claims']} {noun} {whose}: {verdicts}{false}")
    return lines


FORMATS = {
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "markdown": as_markdown,
}
