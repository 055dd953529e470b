"""What a report says, before any format: every writer prints one `Report`.

A report is asked only for what its format needs: titles of claims, say, are not read for JSON.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from asura_verify.audit.baseline import Change


class Status(enum.Enum):
    """What became of a case, in the words of JUnit; a case that passed has none."""

    FAILED = "failure"
    BROKEN = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Case:
    """One test case."""

    name: str
    status: Status | None = None
    message: str = ""
    text: str = ""
    output: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one file, of one implementation or of one audit."""

    name: str
    cases: tuple[Case, ...]
    properties: tuple[tuple[str, str], ...] = ()
    classname: str | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a real file, and the name of what was judged there if it has one."""

    file: str | None
    line: int | None = None
    case: str | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong, and everywhere it was seen."""

    rule: str
    text: str
    places: tuple[Place, ...]
    accepted: bool = False  # known to be wrong


@dataclass(frozen=True, slots=True)
class Rule:
    """What mistakes of one kind are about."""

    name: str
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of plain text; `right` are the columns of numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Listing:
    """Text to be shown as it is, under a title."""

    title: str
    lines: tuple[str, ...]


Part = str | Table | Listing


class Report(Protocol):
    """What the writers ask for."""

    def suites(self) -> Sequence[Suite]:
        """For JUnit."""
        ...

    def mistakes(self) -> Sequence[Mistake]:
        """For SARIF."""
        ...

    def rules(self, mistakes: Sequence[Mistake]) -> Sequence[Rule]:
        """What these mistakes are about."""
        ...

    def total(self) -> Sequence[str]:
        """The result in a line or a few: what a summary begins with."""
        ...

    def parts(self) -> Sequence[Part]:
        """What a summary has after its total."""
        ...

    def json(self) -> str:
        """The facts."""
        ...

    def pretty(self) -> str:
        """For people."""
        ...


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
