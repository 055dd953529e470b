"""A whole audit as typed data: what its JSON report and its page hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asura_verify.auditing.baseline import Change


@dataclass(frozen=True, slots=True)
class StatementData:
    """One statement of a claim, and its verdict."""

    key: str
    statement: str
    hypotheses: tuple[str, ...]
    relation: str | None
    verdict: str
    strength: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class EvidenceData:
    """One piece of evidence."""

    statement: str
    source: str
    name: str
    strength: str
    finding: str
    instances: int
    detail: str
    lines: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class CounterexampleData:
    """An instance on which a statement fails, with the arithmetic that shows it."""

    name: str
    instance: str
    arithmetic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimData:
    """One claim, its verdicts and the evidence."""

    slug: str
    title: str
    where: str
    origin: str
    note: str
    depends: tuple[str, ...]
    theorems: tuple[str, ...]
    printed: StatementData
    steps: tuple[StatementData, ...]
    repaired: tuple[StatementData, ...]
    evidence: tuple[EvidenceData, ...]
    counterexamples: tuple[CounterexampleData, ...]


@dataclass(frozen=True, slots=True)
class OriginData:
    """How many claims somebody makes, with what verdicts, and which are false."""

    claims: int
    verdicts: Mapping[str, int]
    false: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnprovedData:
    """A statement that a reader should not take for proved."""

    slug: str
    key: str
    statement: str
    reason: str

    def __str__(self) -> str:
        return self.slug if self.key == "printed" else f"{self.slug} ({self.key})"


@dataclass(frozen=True, slots=True)
class SummaryData:
    """The audit in numbers."""

    claims: int
    origins: Mapping[str, OriginData]
    verdicts: Mapping[str, int]
    strengths: Mapping[str, int]
    changed: tuple[Change, ...]
    unfinished: tuple[str, ...]
    not_proved: Mapping[str, tuple[UnprovedData, ...]]
    trusted_base: tuple[str, ...]
    seed: int
    factor: float
    seconds: float


@dataclass(frozen=True, slots=True)
class AuditData:
    """A whole audit, as its JSON report and its page hold it."""

    claims: tuple[ClaimData, ...]
    summary: SummaryData
