"""The report of check and conform: traces, and the test of their picks, for all formats."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionReport
from asura_verify.report.data import Case, Listing, Mistake, Part, Place, Rule, Status, Suite, Table
from asura_verify.report.sentences import (
    ADVICE,
    claim_words,
    claims_line,
    count_words,
    decided_line,
    details,
    local_line,
    picks_line,
    place,
    pretty,
)

#: Verdicts on a claim that decide nothing.
UNJUDGED = ("undecided", "not applicable")


def document(judgement: Judgement) -> dict[str, Any]:
    """The facts with the names of the contract; JSON has no infinities."""
    facts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(judgement))
    facts["file"] = facts.pop("name")
    facts["verdict"] = facts.pop("ruling")
    facts["m"] = facts.pop("length")
    facts["command"] = judgement.command
    facts["decided"] = judgement.decided
    del facts["again"]
    return facts


@dataclass(frozen=True, slots=True)
class Kind:
    """What failures have in common: a known mistake, the field that is wrong first, or a fault."""

    rule: str
    words: str
    known: bool = False  # a mistake of the catalogue

    @classmethod
    def of(cls, judgement: Judgement) -> Kind:
        """Why a trace fails, as far as is known."""
        for diagnosis in judgement.diagnosis:
            if diagnosis.complete:
                return cls(diagnosis.mistake, diagnosis.explanation, known=True)
        first = judgement.first
        if first is None and judgement.ruling is Ruling.UNDECIDED:
            return cls("precision", "the declared precision decides too little on these data")
        if judgement.by_picks:
            return cls("sampling-mass", "the picks do not follow the algorithm's distribution")
        if first is None:
            _, _, said = (judgement.fault or "malformed").partition(": ")
            where = not said or said.startswith("line ")  # every line is a fault of its own
            return cls("trace-format", "malformed" if where else said.partition(":")[0])
        field = first.field.partition("[")[0]
        return cls(first.slug, f"{field} is wrong first, and no single known mistake explains it")

    def __str__(self) -> str:
        return f"{self.rule}: {self.words}" if self.known else self.words


def kinds(judgements: Sequence[Judgement]) -> dict[Kind, list[Judgement]]:
    """The failures by what is wrong, the most frequent first."""
    found: dict[Kind, list[Judgement]] = {}
    for judgement in judgements:
        if judgement.ruling is not Ruling.CONFORMS:
            found.setdefault(Kind.of(judgement), []).append(judgement)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def total(judgements: Sequence[Judgement]) -> list[str]:
    """How many conform, and what is wrong with the others."""
    count = Counter(judgement.ruling for judgement in judgements)
    noun = "cases" if any(judgement.meaning is not None for judgement in judgements) else "traces"
    line = f"{count[Ruling.CONFORMS]} of {len(judgements)} {noun} conform"
    if wrong := count[Ruling.VIOLATES]:
        line += f", {wrong} violate{'s' if wrong == 1 else ''}"
    if count[Ruling.MALFORMED]:
        line += f", {count[Ruling.MALFORMED]} malformed"
    if count[Ruling.UNDECIDED]:
        line += f", {count[Ruling.UNDECIDED]} undecided"
    groups = kinds(judgements)
    failures = sum(map(len, groups.values()))
    lines = [line]
    for kind, members in groups.items():
        if len(groups) == 1:
            whose = f"all {failures} failures" if failures > 1 else "the failure"
        else:
            whose = f"{len(members)} of {failures} failures"
        verb = "is" if len(members) == 1 else "are"
        lines.append(f"{whose} {verb} {kind}" if kind.known else f"{whose}: {kind}")
    return lines


@dataclass(frozen=True)
class Judgements:
    """The report of several traces and of the test of their picks.

    `source` is the file of the implementation that was driven; a trace that was read is one itself.
    """

    judgements: Sequence[Judgement]
    picks: Sequence[DistributionReport] = ()
    source: str | None = None

    def pretty(self) -> str:
        """For people."""
        return pretty(self.judgements, self.picks)

    def json(self) -> str:
        """One object per file and line; the test of the picks goes with every file it used."""
        reports = {}
        for report in self.picks:
            facts = msgspec.json.decode(msgspec.json.encode(asdict(report)))
            facts["hopeless"] = [need.bias for need in report.needs if need.hopeless]
            reports[report.implementation] = facts
        lines = []
        for judgement in self.judgements:
            facts = document(judgement)
            if judgement.drawn:
                facts["distribution"] = reports.get(judgement.implementation or UNNAMED)
            lines.append(json.dumps(facts, sort_keys=True))
        return "\n".join(lines)

    def suites(self) -> list[Suite]:
        """One suite per file, and one per implementation whose picks were tested."""
        tested = [
            Suite(
                report.implementation,
                (
                    Case("distribution", Status.FAILED, picks_line(report))
                    if report.biased
                    else Case("distribution"),
                ),
            )
            for report in self.picks
        ]
        return [*map(_suite, self.judgements), *tested]

    def _place(self, judgement: Judgement) -> Place:
        """Where a judgement points: into its trace, or to the implementation that was asked."""
        if judgement.meaning is not None:
            return Place(self.source, None, judgement.name)
        if judgement.first is not None:
            return Place(judgement.name, judgement.first.line)
        line = re.search(r"\bline (\d+)", judgement.fault or "")
        return Place(judgement.name, int(line[1]) if line else 1)

    def mistakes(self) -> list[Mistake]:
        """One per kind of failure, with all that fail so; what is known to fail stands apart."""
        found = []
        for accepted in (False, True):
            chosen = [
                each for each in self.judgements if each.accepted is accepted and not each.by_picks
            ]
            for kind, members in kinds(chosen).items():
                first = members[0]
                more = f" ({len(members)} times)" if len(members) > 1 else ""
                told = first.fault if first.first is None and first.fault else str(kind)
                text = "\n".join([f"{told}{more}", *details(first)])
                places = tuple(map(self._place, members))
                found.append(Mistake(kind.rule, text, places, accepted))
        for report in self.picks:
            if report.biased:
                name = report.implementation
                used = [
                    j for j in self.judgements if j.drawn and (j.implementation or UNNAMED) == name
                ]
                places = tuple(self._place(judgement) for judgement in used)
                found.append(Mistake("sampling-mass", picks_line(report), places))
        return found

    def rules(self, mistakes: Sequence[Mistake]) -> list[Rule]:
        """Known mistakes explain themselves; other rules are claims."""
        known = {kind.rule: kind.words for kind in kinds(self.judgements) if kind.known}
        names = sorted({mistake.rule for mistake in mistakes})
        return [Rule(name, known[name] if name in known else claim_words(name)) for name in names]

    def total(self) -> list[str]:
        """How many conform, why the others do not, and which implementations draw wrongly."""
        biased = [picks_line(report) for report in self.picks if report.biased]
        return [*total(self.judgements), *biased]

    def parts(self) -> list[Part]:
        """A row per trace, then what a person needs to repair those that fail."""
        columns = ("trace", "verdict", "first violation", "diagnosis", "claims", "local")
        found: list[Part] = [Table(columns, tuple(map(_row, self.judgements)))]
        found += [
            Listing(judgement.name, tuple(details(judgement)))
            for judgement in self.judgements
            if judgement.ruling is not Ruling.CONFORMS
            and judgement.fault is None
            and not judgement.accepted
        ]
        for report in self.picks:
            found += [picks_line(report), *_power_table(report)]
        return found


def _suite(judgement: Judgement) -> Suite:
    """One case per field, one case per claim; what is known to fail is skipped."""
    first = judgement.first
    worst = "" if first is None else first.field.partition("[")[0]
    wrong = {worst: 1, **judgement.wrong} if worst else {}
    failed = Status.SKIPPED if judgement.accepted else Status.FAILED
    broken = Status.SKIPPED if judgement.accepted else Status.BROKEN
    cases = []
    for field in sorted({*judgement.checked, *wrong}) or ["format"]:
        if judgement.ruling is Ruling.MALFORMED:
            cases.append(Case(field, broken, judgement.fault or ""))
        elif field not in wrong:
            cases.append(Case(field))
        elif field == worst and first is not None:
            count = "" if judgement.by_picks else f"{wrong[field]} wrong, first "
            message = f"{count}at {place(first)}: {first.message}"
            cases.append(Case(field, failed, message, "\n".join(details(judgement))))
        else:
            cases.append(Case(field, failed, f"{wrong[field]} wrong"))
    if judgement.ruling is Ruling.UNDECIDED:
        skipped = Status.SKIPPED if judgement.accepted else Status.FAILED
        cases.append(Case("precision", skipped, "undecided: " + decided_line(judgement)))
    for slug, view in judgement.claims.items():
        name = f"claim {slug}"
        if view.verdict in UNJUDGED:
            cases.append(Case(name, Status.SKIPPED, f"{view.verdict}: {view.detail}"))
        elif slug in judgement.failed:
            cases.append(Case(name, failed, f"line {view.line}: {view.detail}"))
        else:
            cases.append(Case(name))
    facts = [("meaning", judgement.meaning)] if judgement.meaning else []
    facts += [("flag", flag) for flag in judgement.flags]
    facts += [("claim", slug) for slug in judgement.slugs]
    return Suite(judgement.name, tuple(cases), tuple(facts))


def _row(judgement: Judgement) -> tuple[str, ...]:
    """A line of the table of a summary."""
    first, name = judgement.first, judgement.name
    where = judgement.fault or ""
    if judgement.ruling is Ruling.UNDECIDED:
        where = decided_line(judgement)
    if first is not None:
        where = f"{place(first)}, {first.field}: {first.message}"
    if judgement.meaning is not None and judgement.ruling is not Ruling.CONFORMS:
        name += f" ({judgement.meaning})"
    return (
        name,
        f"{judgement.ruling}, known" if judgement.accepted else f"{judgement.ruling}",
        where,
        ", ".join(diagnosis.mistake for diagnosis in judgement.diagnosis[:3]),
        claims_line(judgement) if judgement.claims else "",
        local_line(judgement),
    )


def _power_table(report: DistributionReport) -> list[Part]:
    """The draws that biases take."""
    if report.biased or not report.needs:
        return []
    rows = tuple(
        (
            need.bias,
            count_words(need.necessary),
            count_words(need.expected) + (" (hopeless)" if need.hopeless else ""),
        )
        for need in report.needs
        if need.necessary is not None
    )
    columns = ("bias", "draws necessary", "draws expected")
    return [Table(columns, rows, frozenset({1, 2})), ADVICE]
