"""Run the cases, judge the traces, shrink the first failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from asura_verify.conform.cases import Case, uniforms
from asura_verify.conform.process import HarnessFailed
from asura_verify.conform.targets import Target
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.report import Judgement, Ruling


@dataclass(frozen=True)
class Outcome:
    """What became of one case."""

    case: Case
    judgement: Judgement
    lines: tuple[str, ...] = ()
    failure: str | None = None  # the process failed, not its trace

    @property
    def passed(self) -> bool:
        """Whether the trace conforms."""
        return self.judgement.ruling is Ruling.CONFORMS


def attempt(target: Target, case: Case) -> Outcome:
    """One case."""
    try:
        lines = target.run(case.header)
    except HarnessFailed as error:
        judgement = Judgement(case.name, Ruling.MALFORMED, target.name, fault=error.line)
        return Outcome(case, judgement, (), type(error).__name__)
    return Outcome(case, check_lines(lines, case.name), tuple(lines))


def outcomes(target: Target, cases: Iterable[Case]) -> Iterator[Outcome]:
    """All cases, in order."""
    for case in cases:
        yield attempt(target, case)


@st.composite
def small_headers(draw: st.DrawFn) -> dict[str, Any]:
    """Tiny problems with small integers."""
    d = draw(st.integers(1, 3))
    coordinate = st.sampled_from([1.0, -1.0, 2.0, 0.0])
    row = st.lists(coordinate, min_size=d, max_size=d)
    extra = draw(st.lists(row, max_size=3))
    points = [[float(i == k) for k in range(d)] for i in range(d)] + extra
    n = len(points)
    gamma = draw(st.sampled_from([0.25, 0.375, 0.125]))
    header: dict[str, Any] = {
        "format": "asura-trace/1",
        "gamma": gamma,
        "points": points,
        "unlabelled": draw(st.integers(0, n)),
        "labels": [float(draw(st.integers(0, 2))) for _ in range(n)],
        "uniforms": uniforms(draw(st.integers(0, 3)), int(2 * d / gamma**2) + 16),
    }
    if draw(st.booleans()):
        header["squared_scales"] = [float(draw(st.integers(1, 2))) for _ in range(n)]
    return header


def _kind(outcome: Outcome) -> str:
    """Two failures are the same when the same kind of thing is wrong first."""
    if outcome.failure is not None:
        return outcome.failure
    first = outcome.judgement.first
    return "malformed" if first is None else first.field.partition("[")[0]


def shrunk(target: Target, failed: Outcome, *, examples: int = 60) -> Outcome:
    """A smaller case that fails in the same field, or the failure itself."""
    kind = _kind(failed)
    if failed.failure == "TimedOut":
        return failed  # every attempt would take the whole time limit

    def fails_alike(header: dict[str, Any]) -> bool:
        outcome = attempt(target, Case("shrunk", failed.case.meaning, header))
        return not outcome.passed and _kind(outcome) == kind

    try:
        header = find(
            small_headers(),
            fails_alike,
            settings=settings(
                max_examples=examples,
                database=None,
                deadline=None,
                derandomize=True,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
        )
    except NoSuchExample:
        return failed
    return attempt(target, Case(f"{failed.case.name}-shrunk", failed.case.meaning, header))
