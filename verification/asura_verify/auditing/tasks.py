"""The work of an audit, cut into tasks that any executor can run in any order."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from asura.errors import AsuraError
from asura.verdict import undecided
from asura_verify import claims
from asura_verify.deciding.comparisons import CheckResult
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import FAMILIES
from asura_verify.instances.run import RunInstance
from asura_verify.proofs.theorems import development
from asura_verify.registry.claim import Check, Claim, Computation, Counterexample
from asura_verify.registry.evidence import Evidence, Finding

#: How a sampler breaks down: a named error, a division by zero, a ball that is not finite.
BREAKDOWNS = (AsuraError, ArithmeticError, ValueError)


@dataclass(frozen=True, slots=True)
class CampaignTask:
    """Instances `start` to `stop` of one family, judged by every check of these claims."""

    family: str
    seed: int
    start: int
    stop: int
    slugs: tuple[str, ...]

    @property
    def key(self) -> str:
        """A name by which a finished task is recognised."""
        return f"{self.family}:{self.seed}:{self.start}:{self.stop}:{','.join(self.slugs)}"


@dataclass(frozen=True, slots=True)
class SingleTask:
    """One counterexample, computation, obligation, theorem or refutation of one statement."""

    kind: str
    slug: str
    statement: str
    name: str

    @property
    def key(self) -> str:
        """A name by which a finished task is recognised."""
        return f"{self.kind}:{self.slug}:{self.statement}:{self.name}"

    @property
    def slugs(self) -> tuple[str, ...]:
        """The claims that wait for it."""
        return (self.slug,)


Task = CampaignTask | SingleTask


def missing_solver(selected: Sequence[Claim]) -> str | None:
    """The solver that proofs of these claims need and that is not installed, if there is one."""
    statements = [statement for claim in selected for statement in claim.statements]
    if any(statement.proved_by or statement.helped_by for statement in statements):
        for name in ("z3", "sympy"):
            if not _installed(name):
                return name
    return None


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # as an import hook may say it
        return False


def _used_families(claim: Claim) -> set[str]:
    return {check.family.name for statement in claim.statements for check in statement.checks}


def plan(selected: Sequence[Claim], *, seed: int, factor: float) -> list[Task]:
    """All tasks, the long single ones first."""
    singles: list[Task] = []
    for claim in selected:
        for statement in claim.statements:
            for kind, names in (
                ("computation", [item.name for item in statement.computations]),
                ("proof", list(statement.proved_by)),
                ("part", list(statement.helped_by)),
                ("counterexample", [item.name for item in statement.counterexamples]),
                ("theorem", list(statement.theorems)),
                ("refutation", list(statement.refutations)),
            ):
                singles += [SingleTask(kind, claim.slug, statement.key, name) for name in names]
    singles.sort(key=lambda task: isinstance(task, SingleTask) and task.kind != "computation")
    campaigns: list[Task] = []
    for family in FAMILIES.values():
        slugs = tuple(claim.slug for claim in selected if family.name in _used_families(claim))
        if slugs:
            count = max(1, round(family.count * factor))
            campaigns += [
                CampaignTask(family.name, seed, start, min(start + family.chunk, count), slugs)
                for start in range(0, count, family.chunk)
            ]
    return singles + campaigns


def judge(check: Check, instance: Any) -> CheckResult:
    """One predicate on one instance, with more precision for as long as it is undecided."""
    try:
        judgement = check.predicate(instance)
        while judgement.verdict.undecided and isinstance(instance, RunInstance):
            finer = instance.refined()
            if finer is None:
                break
            instance = finer
            judgement = check.predicate(instance)
    except BREAKDOWNS as error:
        # A sampler that breaks down has not been shown to satisfy anything.
        return CheckResult(undecided(), comparison=f"{type(error).__name__}: {error}")
    return judgement


@dataclass
class _Outcomes:
    """What one check found on one chunk, for one statement."""

    strength: Strength
    name: str
    applied: int = 0
    undecided: int = 0
    failure: str = ""
    doubt: str = ""
    seconds: float = 0.0

    def add(self, judgement: CheckResult, where: str) -> None:
        if not judgement.applies:
            return
        if judgement.verdict.undecided:
            self.undecided += 1
            self.doubt = self.doubt or f"{judgement.comparison} ({where})"
            return
        self.applied += 1
        if judgement.verdict.fails and not self.failure:
            self.failure = f"{judgement.comparison} ({where})"

    def evidence(self, slug: str, statement: str) -> Evidence:
        if self.failure:
            finding, detail = Finding.REFUTES, self.failure
        elif self.undecided:
            finding, detail = Finding.UNDECIDED, self.doubt
        else:
            finding, detail = Finding.SUPPORTS, ""
        return Evidence(
            slug,
            statement,
            "check",
            self.name,
            self.strength,
            finding,
            self.applied,
            detail,
            seconds=self.seconds,
        )


def perform_campaign(task: CampaignTask) -> list[Evidence]:
    """Judge every instance of a chunk; a predicate that serves several statements runs once."""
    family = FAMILIES[task.family]
    units = [
        (claim.slug, statement, check)
        for claim in (claims.find(slug) for slug in task.slugs)
        for statement in claim.statements
        for check in statement.checks
        if check.family.name == family.name
    ]
    all_outcomes = [_Outcomes(check.strength, check.name) for _, _, check in units]
    for index in range(task.start, task.stop):
        instance = family.instance(task.seed, index)
        where = f"FAMILIES['{family.name}'].instance({task.seed}, {index})"
        judged: dict[Any, CheckResult] = {}
        for (_, statement, check), outcomes in zip(units, all_outcomes, strict=True):
            if not statement.admits(instance.parameters):
                continue
            if check.predicate not in judged:
                started = time.perf_counter()
                judged[check.predicate] = judge(check, instance)
                outcomes.seconds += time.perf_counter() - started
            outcomes.add(judged[check.predicate], where)
    return [
        outcomes.evidence(slug, statement.key)
        for (slug, statement, _), outcomes in zip(units, all_outcomes, strict=True)
    ]


def _counterexample(item: Counterexample) -> tuple[Finding, Strength, str, tuple[str, ...]]:
    demonstration = item.verify()
    if demonstration.refutes.holds:
        return Finding.REFUTES, item.strength, item.instance, demonstration.lines
    if demonstration.refutes.undecided:
        return Finding.UNDECIDED, item.strength, item.instance, demonstration.lines
    return Finding.MISSING, item.strength, f"{item.instance} refutes nothing", demonstration.lines


def _computation(item: Computation) -> tuple[Finding, Strength, str, tuple[str, ...]]:
    judgement, text = item.perform()
    if judgement.verdict.holds:
        finding = Finding.SUPPORTS
    else:
        finding = Finding.REFUTES if judgement.verdict.fails else Finding.UNDECIDED
    return finding, item.strength, judgement.comparison, (text,)


def _obligation(name: str) -> tuple[Finding, Strength, str, tuple[str, ...]]:
    try:
        from asura_verify.proofs.obligations import (  # noqa: PLC0415 z3 takes a second
            OBLIGATIONS,
            ProofOutcome,
        )
    except ModuleNotFoundError as error:
        detail = f"not tried: {error.name} is not installed"
        return Finding.MISSING, Strength.SOLVER_PROVED, detail, ()
    chosen = next((each for each in OBLIGATIONS if each.name == name), None)
    if chosen is None:
        return Finding.MISSING, Strength.SOLVER_PROVED, f"no obligation named {name}", ()
    result = chosen.prove()
    finding = Finding.SUPPORTS if result.outcome is ProofOutcome.PROVED else Finding.UNDECIDED
    witness = f" ({result.witness})" if result.witness else ""
    detail = f"{chosen.method}: {result.outcome.value}{witness}"
    return finding, Strength.SOLVER_PROVED, detail, (chosen.statement,)


def _theorem(name: str, claim: Claim) -> tuple[Finding, Strength, str, tuple[str, ...]]:
    known = development()
    theorem = known.theorems.get(name)
    if theorem is None:
        detail = known.problem or f"{name} is not among the closed theorems"
        return Finding.MISSING, Strength.MACHINE_CHECKED, detail, ()
    if not claim.may_use(theorem.slug):
        detail = f"{name} is about {theorem.slug}, from which {claim.slug} does not borrow"
        return Finding.MISSING, Strength.MACHINE_CHECKED, detail, ()
    detail = (
        f"closed under the global context, statement {theorem.sha256[:12]}; "
        "a record of the build, which make proofs checks anew"
    )
    return Finding.SUPPORTS, Strength.MACHINE_CHECKED, detail, (theorem.statement,)


def perform_single(task: SingleTask) -> Evidence:
    """One counterexample, computation, obligation or theorem."""
    claim = claims.find(task.slug)
    statement = claim.statement(task.statement)
    started = time.perf_counter()
    try:
        if task.kind == "counterexample":
            chosen = next(c for c in statement.counterexamples if c.name == task.name)
            finding, strength, detail, lines = _counterexample(chosen)
        elif task.kind == "computation":
            work = next(c for c in statement.computations if c.name == task.name)
            finding, strength, detail, lines = _computation(work)
        elif task.kind in ("proof", "part"):
            finding, strength, detail, lines = _obligation(task.name)
        else:
            finding, strength, detail, lines = _theorem(task.name, claim)
            if task.kind == "refutation" and finding is Finding.SUPPORTS:
                finding = Finding.REFUTES
    except BREAKDOWNS as error:
        finding, strength = Finding.MISSING, Strength.SAMPLED
        detail, lines = f"{type(error).__name__}: {error}", ()
    return Evidence(
        task.slug,
        task.statement,
        task.kind,
        task.name,
        strength,
        finding,
        # A part of a proof proves nothing alone.
        0 if task.kind == "part" else 1,
        detail,
        lines,
        time.perf_counter() - started,
    )


def perform(task: Task) -> list[Evidence]:
    """What a worker does."""
    if isinstance(task, CampaignTask):
        return perform_campaign(task)
    return [perform_single(task)]


_RANK = (Finding.REFUTES, Finding.UNDECIDED, Finding.MISSING, Finding.SUPPORTS)


def merged(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The chunks of one campaign as one piece of evidence; a single failure decides."""
    groups: dict[tuple[str, str, str, str], Evidence] = {}
    for item in evidence:
        key = (item.slug, item.statement, item.source, item.name)
        known = groups.get(key)
        if known is None:
            groups[key] = item
            continue
        worst = min(known, item, key=lambda each: _RANK.index(each.finding))
        groups[key] = replace(
            worst, instances=known.instances + item.instances, seconds=known.seconds + item.seconds
        )
    return list(groups.values())
