"""Verdicts, computed from evidence and from nothing else."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from asura_verify.deciding.strength import Strength
from asura_verify.registry.claim import Claim, Relation, Statement
from asura_verify.registry.evidence import Evidence, Finding

#: Evidence of this strength settles a statement for all instances at once.
PROOF = Strength.SOLVER_PROVED


class Word(enum.Enum):
    """The verdicts."""

    HOLDS = "holds"
    STEP_FALSE = "holds, a printed step is false"
    SMALLER_RANGE = "holds on a smaller range"
    MISPRINT = "misprint"
    FALSE = "false"
    UNDECIDED = "undecided"
    CITED = "cited"
    DEFINITION = "definition"
    CONTRADICTORY = "contradictory evidence"
    MISSING = "no evidence"


@dataclass(frozen=True, slots=True)
class StatementRuling:
    """A verdict, the strength of the evidence that it rests on, and why."""

    word: Word
    strength: Strength | None
    reason: str

    def __repr__(self) -> str:
        known = "" if self.strength is None else f", {self.strength.words}"
        return f"StatementRuling({self.word.value!r}{known})"


@dataclass(frozen=True)
class ClaimRuling:
    """The verdicts on every statement of a claim."""

    claim: Claim
    printed: StatementRuling
    others: dict[str, StatementRuling]
    evidence: tuple[Evidence, ...]

    def __repr__(self) -> str:
        return f"ClaimRuling({self.claim.slug}: {self.printed.word.value!r})"


def _refuted(evidence: Sequence[Evidence], refuting: Sequence[Evidence]) -> StatementRuling:
    proofs = [
        item for item in evidence if item.finding is Finding.SUPPORTS and item.strength >= PROOF
    ]
    if proofs:
        return StatementRuling(
            Word.CONTRADICTORY,
            None,
            f"{proofs[0].name} proves it and {refuting[0].name} refutes it",
        )
    first = max(refuting, key=lambda item: item.strength)
    return StatementRuling(Word.FALSE, first.strength, f"refuted by {first.name}")


def _strength(statement: Statement, supporting: Sequence[Evidence]) -> Strength | None:
    """A proof settles all instances; without one, the weakest campaign decides the strength.

    Obligations, and theorems, count only when all that are needed are there.
    """
    names = {item.name for item in supporting if item.strength >= PROOF}
    proofs = []
    if statement.proved_by and names.issuperset(statement.proved_by):
        proofs.append(Strength.SOLVER_PROVED)
    if statement.theorems and names.issuperset(statement.theorems):
        proofs.append(Strength.MACHINE_CHECKED)
    campaigns = [item.strength for item in supporting if item.strength < PROOF]
    return max(proofs) if proofs else min(campaigns, default=None)


def _settled(statement: Statement, evidence: Sequence[Evidence]) -> StatementRuling:
    """The verdict on a statement that nothing refutes."""
    supporting = [
        item for item in evidence if item.finding is Finding.SUPPORTS and item.instances > 0
    ]
    doubts = [item for item in evidence if item.finding is Finding.UNDECIDED]
    missing = [item for item in evidence if item.finding is Finding.MISSING]
    if not supporting:
        if statement.citation:
            return StatementRuling(Word.CITED, None, f"rests on {statement.citation}")
        if doubts:
            return StatementRuling(
                Word.UNDECIDED, None, doubts[0].detail or "no comparison was decided"
            )
        why = missing[0].detail if missing else "nothing supports or refutes it"
        return StatementRuling(Word.MISSING, None, why)
    strength = _strength(statement, supporting)
    if strength is None:
        return StatementRuling(Word.MISSING, None, "only a part of its proof is there")
    if strength is Strength.MACHINE_CHECKED:
        # Then a solver that gave up does not matter; a sampler that misbehaves still does.
        doubts = [item for item in doubts if item.strength < PROOF]
    if doubts:
        return StatementRuling(Word.UNDECIDED, None, f"{doubts[0].name}: {doubts[0].detail}")
    count = sum(item.instances for item in supporting if item.strength < PROOF)
    if statement.unproved and strength < PROOF and not _computed(statement, supporting):
        reason = f"no proof known; no counterexample in the {count} instances tried"
        return StatementRuling(Word.UNDECIDED, None, reason)
    if statement.defines:
        return StatementRuling(Word.DEFINITION, strength, f"defines {statement.defines}")
    return StatementRuling(Word.HOLDS, strength, _reason(statement, strength, supporting, count))


def _computed(statement: Statement, supporting: Sequence[Evidence]) -> bool:
    """Whether a computation that settles the statement was done and came out in its favour."""
    whole = {item.name for item in statement.computations if item.settles}
    return any(item.source == "computation" and item.name in whole for item in supporting)


def _reason(
    statement: Statement, strength: Strength, supporting: Sequence[Evidence], count: int
) -> str:
    """Proved, computed as a whole, or merely tried: three different words."""
    if strength >= PROOF:
        proofs = ", ".join(item.name for item in supporting if item.strength >= PROOF)
        return f"proved by {proofs}"
    if settled_by_computation(statement):
        whole = ", ".join(item.name for item in statement.computations if item.settles)
        return f"computed as a whole by {whole}"
    return f"tried on {count} instance{'s' if count != 1 else ''}, each decided"


def settled_by_computation(statement: Statement) -> bool:
    """Whether the statement asks for no more than what one of its computations computes."""
    return any(item.settles for item in statement.computations)


def rule(statement: Statement, evidence: Sequence[Evidence]) -> StatementRuling:
    """The verdict on one statement, from the evidence about it."""
    refuting = [item for item in evidence if item.finding is Finding.REFUTES]
    if refuting:
        return _refuted(evidence, refuting)
    if statement.counterexamples:
        return StatementRuling(Word.UNDECIDED, None, "its counterexample no longer refutes it")
    return _settled(statement, evidence)


def _amended(
    claim: Claim, printed: StatementRuling, others: dict[str, StatementRuling]
) -> StatementRuling:
    """The verdict on the printed statement, in the light of the others."""
    if printed.word is Word.FALSE:
        for statement in claim.repaired:
            if others[statement.key].word is not Word.HOLDS:
                continue
            if statement.restricts(claim.printed):
                where = ", ".join(str(hypothesis) for hypothesis in statement.hypotheses)
                return StatementRuling(Word.SMALLER_RANGE, printed.strength, f"holds for {where}")
            if statement.relation is Relation.READING:
                return StatementRuling(
                    Word.MISPRINT, printed.strength, f"{printed.reason}; meant: {statement.text}"
                )
    if printed.word is Word.HOLDS:
        broken = [step for step in claim.steps if others[step.key].word is Word.FALSE]
        if broken:
            return StatementRuling(
                Word.STEP_FALSE, printed.strength, f"this step is false: {broken[0].text}"
            )
    return printed


def rule_claim(claim: Claim, evidence: Iterable[Evidence]) -> ClaimRuling:
    """The verdicts on a claim."""
    about = tuple(item for item in evidence if item.slug == claim.slug)
    rulings = {
        statement.key: rule(statement, [item for item in about if item.statement == statement.key])
        for statement in claim.statements
    }
    printed = rulings.pop(claim.printed.key)
    return ClaimRuling(claim, _amended(claim, printed, rulings), rulings, about)
