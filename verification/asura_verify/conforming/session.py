"""Run the cases, and judge the traces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from asura.errors import AsuraError
from asura_verify.conforming.cases import Case, boundary, random_case
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
