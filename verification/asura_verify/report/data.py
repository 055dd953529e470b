"""What a report says, before any format: every writer prints one `Report`.

A report is asked only for what its format needs: titles of claims, say, are not read for JSON.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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

    def mistakes(self) -> Sequence[Mistake]:
        """For SARIF."""

    def rules(self, mistakes: Sequence[Mistake]) -> Sequence[Rule]:
        """What these mistakes are about."""

    def total(self) -> Sequence[str]:
        """The result in a line or a few: what a summary begins with."""

    def parts(self) -> Sequence[Part]:
        """What a summary has after its total."""

    def json(self) -> str:
        """The facts."""

    def pretty(self) -> str:
        """For people."""
