"""What most people ask: does a trace conform, does a claim hold, does a program conform.

>>> from asura_verify.implementations.examples.harness import lines
>>> made = conform(lines, only=["boundary"])
>>> made.passed, len(made.failures)
(True, 0)
>>> made["identity"].judgement
Judgement(identity conforms, m=25)
>>> conform(lambda header: [], only=["random"], random=2)
Conformance(0 of 2 cases conform, 2 malformed; all 2 failures: it returns no lines)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asura_verify.auditing import perform
from asura_verify.auditing.executors import executor
from asura_verify.claims import selected as selected_claims
from asura_verify.conforming.session import (
    USUAL,
    CaseOutcome,
    CaseSource,
    NoSuchCase,
    outcomes,
    selected,
)
from asura_verify.conforming.targets import CallableTarget, CommandTarget, Target, importable
from asura_verify.oracle.check import check_file, check_lines
from asura_verify.oracle.judgement import Judgement
from asura_verify.report.judgements import total


def check(trace: str | os.PathLike[str] | Iterable[str]) -> Judgement:
    """The verdict on a trace: the name of a file, or the lines themselves.

    >>> check(["{}"])
    Judgement(trace is malformed: NotATrace: line 1: Object missing required field `format`)
    """
    if isinstance(trace, str | os.PathLike):
        return check_file(os.fspath(trace))
    return check_lines(trace)


def audit(
    slugs: Sequence[str] | None = None,
    *,
    seed: int = 0,
    factor: float = 1.0,
    jobs: int = 1,
    output: str | os.PathLike[str] | None = None,
) -> perform.Audit:
    """The verdicts on these claims, all of them by default, each computed from its evidence.

    `factor` multiplies the size of every campaign. With more than one job, a script must call
    this under `if __name__ == "__main__"`. What is finished is kept in the folder `output`.

    >>> audit(["rr-ridge"], factor=0.1)["rr-ridge"].printed.word.value
    'holds'
    """
    with executor(jobs) as pool:
        return perform.audit(
            selected_claims(None if slugs is None else list(slugs)),
            pool,
            seed=seed,
            factor=factor,
            folder=None if output is None else Path(output),
            in_flight=1 if jobs == 1 else 3 * jobs,
        )


@dataclass(frozen=True)
class Conformance:
    """What became of every case that an implementation was given."""

    outcomes: tuple[CaseOutcome, ...]

    @property
    def passed(self) -> bool:
        """Whether every run conforms."""
        return not self.failures

    @property
    def failures(self) -> tuple[CaseOutcome, ...]:
        """The cases whose run does not."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    def __getitem__(self, name: str) -> CaseOutcome:
        for outcome in self.outcomes:
            if outcome.case.name == name:
                return outcome
        raise NoSuchCase(f"{name!r}: expected the name of a case that was run", value=name)

    def __repr__(self) -> str:
        said = "; ".join(total([outcome.judgement for outcome in self.outcomes]))
        return f"Conformance({said})"


def _target(given: Callable[[dict[str, Any]], Iterable[object]] | str | Sequence[str]) -> Target:
    """A callable runs here; one that is named, or a command, in a process of its own."""
    if callable(given):
        return CallableTarget(given, getattr(given, "__qualname__", repr(given)))
    if isinstance(given, str):
        return importable(given, timeout=TIMEOUT)
    return CommandTarget(list(given), timeout=TIMEOUT)


#: Seconds that one answer of another process may take.
TIMEOUT = 30.0


def conform(
    implementation: Callable[[dict[str, Any]], Iterable[object]] | str | Sequence[str],
    *,
    only: Iterable[str] = USUAL,
    random: int = 40,
    seed: int = 0,
) -> Conformance:
    """Drive an implementation through vectors, boundary and random cases, and judge every run.

    It is a callable from the header of a trace to its lines, or the name of one as
    `package.module:callable`, or the words of a command that speaks asura-conform/1.
    """
    cases = selected([CaseSource(source) for source in only], seed=seed, random=random)
    with closing(_target(implementation)) as target:
        return Conformance(tuple(outcomes(target, cases)))
