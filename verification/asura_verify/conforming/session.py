"""Run the cases, judge the traces, shrink the first failure."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import HypothesisException

from asura.errors import AsuraError
from asura_verify.conforming.cases import Case, boundary, random_case, uniforms
from asura_verify.conforming.process import HarnessFailed
from asura_verify.conforming.recorded import PREFIX, compared, of_variants, vector_cases
from asura_verify.conforming.targets import Target
from asura_verify.conforming.vectors.model import load
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling


@dataclass(frozen=True)
class CaseOutcome:
    """What became of one case."""

    case: Case
    judgement: Judgement
    lines: tuple[str, ...] = ()
    failure: str | None = None  # the process failed, not its trace

    @property
    def passed(self) -> bool:
        """Whether the trace conforms."""
        return self.judgement.ruling is Ruling.CONFORMS


class NoSuchCase(AsuraError):
    """A name that no case has."""


class CaseSource(StrEnum):
    """Where cases come from."""

    VECTORS = "vectors"
    BOUNDARY = "boundary"
    RANDOM = "random"
    VARIANTS = "variants"  # only when they are named


#: What every implementation of Algorithm 2 is asked for.
USUAL = (CaseSource.VECTORS, CaseSource.BOUNDARY, CaseSource.RANDOM)


def selected(groups: Iterable[CaseSource], *, seed: int, random: int) -> Iterator[Case]:
    """The cases of some groups; a boundary case that is a vector runs once, as the vector."""
    chosen = set(groups)
    known = set()
    asked = chosen & {CaseSource.VECTORS, CaseSource.VARIANTS}
    for case in vector_cases(load()) if asked else ():
        source = CaseSource.VARIANTS if of_variants(case) else CaseSource.VECTORS
        if source in chosen:
            known.add(case.name.removeprefix(PREFIX))
            yield case
    if CaseSource.BOUNDARY in chosen:
        yield from (case for case in boundary() if case.name not in known)
    if CaseSource.RANDOM in chosen:
        yield from (random_case(seed, k) for k in range(random))


def named(names: Iterable[str]) -> Iterator[Case]:
    """Cases by their names."""
    known = {case.name: case for case in (*vector_cases(load()), *boundary())}
    for name in names:
        number = re.fullmatch(r"random-(\d{1,18})-(\d{1,9})", name)
        if number is not None:
            yield random_case(*map(int, number.groups()))
        elif name in known:
            yield known[name]
        else:
            raise NoSuchCase(
                f"{name!r}: expected a case such as vector:ridge or random-0-3", value=name
            )


def attempt(target: Target, case: Case) -> CaseOutcome:
    """One case."""
    lines: list[str] = []
    failure = None
    try:
        lines = target.run(case.header)
    except HarnessFailed as error:
        judgement = Judgement(case.name, Ruling.MALFORMED, target.name, fault=error.line)
        failure = type(error).__name__
    else:
        judgement = check_lines(lines, case.name)
        if case.picks is not None and judgement.ruling is not Ruling.MALFORMED:
            judgement = compared(judgement, lines, case.picks)
    again = f"asura conform {case.option} {target.invocation}"
    judgement = replace(
        judgement, meaning=case.meaning, flags=case.flags, slugs=case.slugs, again=again
    )
    return CaseOutcome(case, judgement, tuple(lines), failure)


#: Time-outs in a row after which nothing more is expected of an implementation.
PATIENCE = 3


def outcomes(target: Target, cases: Iterable[Case]) -> Iterator[CaseOutcome]:
    """What becomes of every case, until too many time-outs in a row."""
    late = 0
    for case in cases:
        outcome = attempt(target, case)
        yield outcome
        late = late + 1 if outcome.failure == "TimedOut" else 0
        if late == PATIENCE:
            return


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


def _kind(outcome: CaseOutcome) -> str:
    """Two failures are the same when the same thing is wrong first, for the same reason."""
    if outcome.failure is not None:
        return outcome.failure
    first = outcome.judgement.first
    if first is None:
        return "malformed"
    named = [d.mistake for d in outcome.judgement.diagnosis if d.complete]
    return f"{first.field.partition('[')[0]}: {named[0] if named else ''}"


def shrunk(target: Target, failed: CaseOutcome, *, examples: int = 60) -> CaseOutcome:
    """A smaller case with the same wrong field and diagnosis, or the failure itself."""
    kind = _kind(failed)
    if failed.failure == "TimedOut":
        return failed  # every attempt would take the whole time limit
    if of_variants(failed.case):
        return failed  # small problems are those of the paper

    def fails_alike(header: dict[str, Any]) -> bool:
        outcome = attempt(target, replace(failed.case, header=header, picks=None))
        return not outcome.passed and _kind(outcome) == kind

    with tempfile.TemporaryDirectory() as scratch:
        set_hypothesis_home_dir(scratch)  # nothing is left in the user's directory
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
        except HypothesisException:  # none fails alike, or not twice
            return failed
        finally:
            set_hypothesis_home_dir(None)
    name = f"{failed.case.name}-shrunk"
    smaller = attempt(target, replace(failed.case, name=name, header=header, picks=None))
    again = failed.judgement.again  # a case that has a name
    return replace(smaller, judgement=replace(smaller.judgement, again=again))
