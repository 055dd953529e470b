"""What the parts of the global view know of the judge that they serve."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from flint import arb, fmpq

from asura.dataset import Dataset
from asura.randomness import Uniforms
from asura.stopping import StoppingRule
from asura.trace import HeaderLine, IterationLine, ResultLine
from asura_verify.oracle.picks.distribution import Session
from asura_verify.oracle.truth.allowance import Allowance
from asura_verify.oracle.truth.replay import Replay
from asura_verify.oracle.views.relations import Exact, Relations


class Prepared(Protocol):
    """The header of a trace, made ready: its data, and what is allowed."""

    data: Dataset
    gamma: Fraction
    rule: StoppingRule
    precision: int
    digits: int
    allowance: Allowance
    replay: Replay


class Fitted(Protocol):
    """Who judges the answer of Algorithm 1."""

    data: Dataset
    precision: int
    picks: list[int]
    checked: dict[str, int]
    undetermined: bool
    remarks: tuple[str, ...]

    def accuse(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: object,
        low: arb | str,
        high: arb | str,
        gap: float | None,
        allowance: float,
        message: str,
    ) -> None:
        """Record a violation."""

    def note(self, field: str, error: arb, bound: arb) -> None:
        """How much of its allowance a value takes."""

    def leave_open(self, field: str, many: int = 1) -> None:
        """So many values passed that would have passed with a gross mistake."""


class Judging(Prepared, Protocol):
    """A judge in the middle of a trace."""

    exact: bool
    rounded: bool
    reach: float
    weights: list[arb]
    picks: list[int]
    checked: dict[str, int]
    undecided: dict[str, int]
    open_at: set[int]
    vague: dict[str, int]
    undetermined: bool
    stop_open: bool

    def accuse(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: object,
        low: arb | str,
        high: arb | str,
        gap: float | None,
        allowance: float,
        message: str,
    ) -> None:
        """Record a violation."""

    def note(self, field: str, error: arb, bound: arb) -> None:
        """How much of its allowance a value takes."""

    def leave_unexplained(self, j: int | None, field: str) -> None:
        """Only a method explains it that may have lost as much as a mistake would cost."""


class Stating(Judging, Protocol):
    """A judge of a trace that reports its states."""

    header: HeaderLine
    uniforms: Uniforms | None
    relations: Relations
    session: Session | None
    shares: list[arb]
    spread: float
    doubted: float
    unexplained: str
    halted: bool

    @property
    def violated(self) -> int:
        """How many values are wrong."""
        ...

    def count(self, field: str, many: int = 1) -> None:
        """So many values of a field were judged."""

    def leave_open(self, field: str, many: int = 1) -> None:
        """So many values passed that would have passed with a gross mistake."""

    def doubt(self, why: str) -> None:
        """Leave the whole trace open, however few values that are."""

    def observe(self, field: str, share: float) -> None:
        """An error in units of its allowance."""

    def compare(
        self,
        line: int,
        j: int | None,
        field: str,
        given: fmpq,
        expected: fmpq,
        bound: fmpq,
        relation: str,
        *,
        place: int | None = None,
    ) -> bool:
        """Judge a value by a relation."""
        ...

    def barriers(
        self,
        number_of_line: int,
        j: int | None,
        line: IterationLine | ResultLine,
        now: Exact,
        allowed: float,
        widest: float,
    ) -> None:
        """Judge u and l."""
