"""The check of a development: from its sources to a record of what they prove, or reasons why not.

Every rule has a name and stands alone, so that a test can take one away and watch the attack that
it keeps out come through.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from asura_verify.proofs import coq_build
from asura_verify.proofs.coq_build import CLOSED, Answers, Copy, Environment, Workshop
from asura_verify.proofs.coq_refusals import REFUSALS, Refusal, refusals, specifications
from asura_verify.proofs.coq_sources import ROOT, CheckError, Sources, module
from asura_verify.proofs.coq_text import text_sha256
from asura_verify.proofs.hypotheses import UnreadableStatement
from asura_verify.proofs.hypotheses import read as read_hypotheses
from asura_verify.proofs.record import Definition, Record, Theorem, hashes
from asura_verify.proofs.specification import Signature, signatures

#: Type in type, unsafe fixpoints, assumed positivity: what coqchk says of weakened kernels.
WEAKENED = 3
_KINDS = ("Definition", "Inductive", "Variant", "Record")

Examiner = Callable[[list[Signature], Answers], Iterable[str]]


def names_differ(signed: list[Signature], answers: Answers) -> Iterator[str]:
    """The names in the text are those that Coq knows, in the same order."""
    for signature in signed:
        found = answers.listed[signature.full_name]
        for kind, name in found:
            if kind != "Parameter":
                yield f"{signature.full_name}: {kind} {name}; expected parameters alone"
        names = [name for kind, name in found if kind == "Parameter"]
        if names != list(signature.slugs):
            odd = sorted(set(names) ^ set(signature.slugs))
            yield f"{signature.full_name}: its text and Coq disagree on {', '.join(odd)}"
    modules = {module(signature.file) for signature in signed}
    for name, found in answers.listed.items():
        for kind, each in found:
            if name in modules and kind not in (*_KINDS, "Module Type"):
                yield f"{name}: {kind} {each} in a specification"


def does_not_fit(_: list[Signature], answers: Answers) -> Iterator[str]:
    """The kernel accepts each module of proofs under its module type."""
    if answers.misfit:
        yield f"what is proved is not what is stated: {answers.misfit}"


def types_differ(signed: list[Signature], answers: Answers) -> Iterator[str]:
    """The constant that proves a result is the one that was asked for, and has its very type."""
    for signature in signed:
        for name in signature.slugs:
            answer = answers.results[name]
            if f"Constant {signature.proof}.{name}" not in answer.kind:
                yield f"{signature.proof}.{name} is no constant of that name"
            if answer.proved != answer.stated:
                yield f"{name} is proved as {answer.proved[:200]}"


def not_closed(_: list[Signature], answers: Answers) -> Iterator[str]:
    """No result rests on an axiom."""
    for name, answer in answers.results.items():
        if answer.assumptions != CLOSED:
            yield f"{name} is not closed: {answer.assumptions[:200]}"


def not_rechecked(_: list[Signature], answers: Answers) -> Iterator[str]:
    """The independent checker sees no axiom of ours and no weakened kernel.

    It also lists the sealed definitions of Mathematical Components, which it cannot tell from
    axioms; `Print Assumptions` can, and is exact.
    """
    parts = re.findall(r"^\* ([^:]+):(.*?)(?=^\*|\Z)", answers.rechecked, re.MULTILINE | re.DOTALL)
    summary = {title: text.split() for title, text in parts}
    weakened = [title for title in summary if title.startswith(("Constants", "Inductives"))]
    if set(summary) != {"Theory", "Axioms", *weakened} or len(weakened) != WEAKENED:
        yield f"coqchk gave no summary: {answers.rechecked[-200:]}"
        return
    ours = [name for name in summary["Axioms"] if name.startswith(f"{ROOT}.")]
    if ours:
        yield f"coqchk sees axioms: {', '.join(ours)}"
    if summary["Theory"] != ["Set", "is", "predicative"]:
        yield f"coqchk sees another theory: {' '.join(summary['Theory'])}"
    for title in weakened:
        if summary[title] != ["<none>"]:
            yield f"coqchk sees {title}: {' '.join(summary[title])}"


JUDGEMENTS: dict[str, Examiner] = {
    "names": names_differ,
    "fit": does_not_fit,
    "types": types_differ,
    "closed": not_closed,
    "recheck": not_rechecked,
}


@dataclass(frozen=True)
class Rules:
    """What is refused, how the sources are compiled, and what is asked of the answers."""

    refusals: dict[str, Refusal] = field(default_factory=lambda: REFUSALS)
    judgements: dict[str, Examiner] = field(default_factory=lambda: JUDGEMENTS)
    copy: Copy = Sources.copy
    environment: Environment = coq_build.clean


def inspect(sources: Sources, rules: Rules) -> tuple[list[Signature], Answers]:
    """Refuse what may not be compiled; compile a fresh copy of the rest, and ask Coq about it."""
    if found := refusals(sources, rules.refusals):
        raise CheckError(*found)
    signed = signatures(sources)
    with tempfile.TemporaryDirectory(prefix="asura-proofs-") as folder:
        workshop = Workshop(Path(folder), rules.environment)
        workshop.compile(sources, rules.copy)
        return signed, coq_build.answers(workshop, sources, signed)


def examine(sources: Sources, rules: Rules | None = None) -> Record:
    """Record what the sources prove; or say why they do not."""
    rules = rules or Rules()
    signed, answers = inspect(sources, rules)
    reasons = [each for judge in rules.judgements.values() for each in judge(signed, answers)]
    if reasons:
        raise CheckError(*reasons)
    return recorded(sources, signed, answers)


def recorded(sources: Sources, signed: list[Signature], answers: Answers) -> Record:
    """The record of a development, the same on every machine with this Coq."""
    # The slug counts as well: it says which claim a result settles.
    slugs = {name: slug for signature in signed for name, slug in signature.slugs.items()}
    types = {name: f"{slugs[name]}: {each.stated}" for name, each in answers.results.items()}
    sha256 = hashes(types, answers.definitions)
    return Record(
        sources_sha256=sources.sha256,
        coq=answers.version,
        texts={name: text_sha256(sources.files[name]) for name in specifications(sources)},
        theorems=[
            _theorem(name, slug, sha256[name], answers)
            for signature in signed
            for name, slug in signature.slugs.items()
        ],
        definitions=[Definition(name, sha256[name]) for name in answers.definitions],
    )


def _theorem(name: str, slug: str, sha256: str, answers: Answers) -> Theorem:
    answer = answers.results[name]
    try:
        found = read_hypotheses(answer.readable, answer.stated)
    except UnreadableStatement as error:
        raise CheckError(f"{name}: its hypotheses cannot be read: {error}") from None
    lines = [line.removeprefix("       ") for line in answer.readable.splitlines()]
    return Theorem(
        name=name,
        slug=slug,
        closed=answer.assumptions == CLOSED,
        sha256=sha256,
        statement="\n".join(lines),
        variables=list(found.variables),
        premises=list(found.premises),
    )
