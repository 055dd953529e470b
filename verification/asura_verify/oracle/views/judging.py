"""What the parts of the global view know of the judge that they serve."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from flint import arb

from asura.dataset import Dataset
from asura.stopping import StoppingRule
from asura_verify.oracle.truth.allowance import Allowance
from asura_verify.oracle.truth.replay import Replay


class Prepared(Protocol):
    """The header of a trace, made ready: its data, and what is allowed."""

    data: Dataset
    gamma: Fraction
    rule: StoppingRule
    precision: int
    digits: int
    allowance: Allowance
    replay: Replay


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
