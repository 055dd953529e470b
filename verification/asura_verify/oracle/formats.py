"""One set of facts, five ways to print them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any
from xml.etree import ElementTree as Xml

from asura_verify.oracle.distribution import UNNAMED, DistributionReport
from asura_verify.oracle.report import Judgement, Ruling, Violation

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ADVICE = "give `uniforms` in the header: then each pick is decided at once"


#: Verdicts on a claim that decide nothing.
UNJUDGED = ("undecided", "not applicable")


class Format(StrEnum):
    """How a report is printed."""

    PRETTY = "pretty"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MARKDOWN = "markdown"


def _gap(violation: Violation) -> str:
    gap = violation.gap
    if gap is None or not math.isfinite(gap):
        return "no allowance applies"
    return f"{gap:.3g} times the allowance of {violation.allowance:.2g}"


def _place(violation: Violation) -> str:
    where = f"line {violation.line}"
    return where if violation.j is None else f"{where}, j = {violation.j}"


def _claim(slug: str) -> str:
    """The claim with its title and note; the registry is large, and read only when needed."""
    from asura_verify.claims import BY_SLUG  # noqa: PLC0415

    claim = BY_SLUG.get(slug)
    return slug if claim is None else f"{slug}: {claim.title} ({claim.note})"


def headline(judgement: Judgement) -> str:
    """One line a file."""
    if judgement.ruling is Ruling.MALFORMED:
        return f"{judgement.name}: malformed: {judgement.fault}"
    values = sum(judgement.checked.values())
    undecided = sum(judgement.undecided.values())
    text = f"{judgement.name}: {judgement.ruling}, m = {judgement.length}, {values} values judged"
    if undecided:
        text += f", {undecided} undecided"
    if judgement.violations:
        text += f", {judgement.violations} wrong"
    elif judgement.worst:
        text += f", largest error {judgement.worst:.2g} of its allowance"
    return text


def local_line(judgement: Judgement) -> str:
    """How many steps follow from the reported state, and the first that does not."""
    local = judgement.local
    if local is None:
        return ""
    text = f"{local.followed} of {local.judged} steps follow from the reported state"
    if local.first is not None:
        text += f", not {local.first.field} at line {local.first.line}"
    return text


def claims_line(judgement: Judgement) -> str:
    """How many claims of the registry hold on the trace, and which one fails first."""
    counts = Counter(view.verdict for view in judgement.claims.values())
    failed = judgement.failed
    parts = [f"{counts['holds']} hold"]
    if counts["undecided"]:
        parts.append(f"{counts['undecided']} undecided")
    if failed:
        slug, view = min(failed.items(), key=lambda item: item[1].line or 0)
        more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
        verb = "fails" if len(failed) == 1 else "fail"
        parts.append(f"{len(failed)} {verb}: {slug} at line {view.line}{more}")
    return ", ".join(parts)


def details(judgement: Judgement) -> list[str]:
    """What a person needs to repair a violation, or to know what was not judged."""
    lines = []
    first = judgement.first
    if judgement.meaning is not None:
        lines.append(f"means:    {judgement.meaning}")
    if judgement.slugs:
        lines.append(f"rests on: {', '.join(judgement.slugs)}")
    if first is not None:
        lines += [
            f"first violation: {_place(first)}, field {first.field}: {first.message}",
            f"reported: {first.reported}",
            f"required: {first.lower} to {first.upper}",
            f"gap:      {_gap(first)}",
            f"claim:    {_claim(first.slug)}",
        ]
        lines += _views(judgement)
        if judgement.diagnosis:
            for diagnosis in judgement.diagnosis[:4]:
                extent = "" if diagnosis.complete else f" (up to line {diagnosis.lines})"
                lines.append(f"diagnosis: {diagnosis.mistake}{extent}: {diagnosis.explanation}")
        else:
            lines.append("diagnosis: no single known mistake reproduces these values")
        if judgement.meaning is None:
            lines.append(f"again:    {judgement.command}")
    else:
        lines += _views(judgement)
    lines += [f"remark:   {remark}" for remark in judgement.remarks]
    if judgement.coverage:
        lines.append(f"not judged, absent: {', '.join(judgement.coverage)}")
    return lines


def _views(judgement: Judgement) -> list[str]:
    """The local view and the claims; a claim that fails with its two sides."""
    lines = [f"local:    {local_line(judgement)}"] if judgement.local is not None else []
    if judgement.claims:
        lines.append(f"claims:   {claims_line(judgement)}")
    lines += [f"  {slug}: {view.detail}" for slug, view in list(judgement.failed.items())[:3]]
    return lines


def pretty(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """For people."""
    lines = ["\n  ".join([headline(judgement), *details(judgement)]) for judgement in judgements]
    lines += [
        "\n  ".join([f"distribution: {report.sentence}", *_power(report)]) for report in picks
    ]
    return "\n".join(lines)


def _power(report: DistributionReport) -> list[str]:
    """What this many draws can and cannot see, in 80 columns."""
    if report.biased:
        return []
    lines = []
    needs = [need for need in report.needs if need.necessary is not None]
    if needs:
        lines.append(f"{'draws that a bias takes on such data':40} necessary   expected")
        ordered = sorted(needs, key=lambda need: need.expected or math.inf)
        lines += [
            f"  {need.bias:38} {_count(need.necessary):>9}  {_count(need.expected):>9}"
            f"{'  hopeless' if need.hopeless else ''}"
            for need in ordered
        ]
    return [*lines, _ADVICE]


def _count(draws: int | None) -> str:
    if draws is None:
        return "-"
    return str(draws) if draws < 10**9 else f"{draws:.0e}"


def _finite(value: object) -> object:
    """JSON has no infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return value


def document(judgement: Judgement) -> dict[str, Any]:
    """The facts with the names of the contract."""
    facts = asdict(judgement)
    facts["file"] = facts.pop("name")
    facts["verdict"] = str(facts.pop("ruling"))
    facts["m"] = facts.pop("length")
    facts["command"] = judgement.command
    finite = _finite(facts)
    assert isinstance(finite, dict)  # noqa: S101 - for the type checker
    return finite


def as_json(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """One object a file, one line each; the test of the picks goes with every file it used."""
    reports = {}
    for report in picks:
        facts = asdict(report)
        facts["hopeless"] = [need.bias for need in report.needs if need.hopeless]
        reports[report.implementation] = _finite(facts)
    lines = []
    for judgement in judgements:
        facts = document(judgement)
        if "uniforms" in judgement.coverage and judgement.ruling is Ruling.CONFORMS:
            facts["distribution"] = reports.get(judgement.implementation or UNNAMED)
        lines.append(json.dumps(facts, sort_keys=True))
    return "\n".join(lines)


def _printable(text: str) -> str:
    """XML has no control characters."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def junit(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """One suite a file, one case a field, one case a claim."""
    root = Xml.Element("testsuites", name="asura check")
    for judgement in judgements:
        wrong = judgement.first.field.partition("[")[0] if judgement.first else None
        fields = sorted({*judgement.checked, *([wrong] if wrong else [])}) or ["format"]
        malformed = judgement.ruling is Ruling.MALFORMED
        failed = judgement.failed
        suite = Xml.SubElement(
            root,
            "testsuite",
            name=_printable(judgement.name),
            tests=str(len(fields) + len(judgement.claims)),
            failures=str(int(wrong is not None) + len(failed)),
            skipped=str(sum(v.verdict in UNJUDGED for v in judgement.claims.values())),
            errors=str(int(malformed)),
        )
        facts = [("meaning", judgement.meaning)] if judgement.meaning else []
        facts += [("flag", flag) for flag in judgement.flags]
        facts += [("claim", slug) for slug in judgement.slugs]
        if facts:
            properties = Xml.SubElement(suite, "properties")
            for name, value in facts:
                Xml.SubElement(properties, "property", name=name, value=_printable(value or ""))
        for field in fields:
            case = Xml.SubElement(
                suite, "testcase", classname=_printable(judgement.name), name=field
            )
            if malformed:
                Xml.SubElement(case, "error", message=_printable(judgement.fault or ""))
            elif field == wrong and judgement.first is not None:
                failure = Xml.SubElement(
                    case, "failure", message=_printable(judgement.first.message)
                )
                failure.text = _printable("\n".join(details(judgement)))
        for slug, view in judgement.claims.items():
            case = Xml.SubElement(
                suite, "testcase", classname=_printable(judgement.name), name=f"claim {slug}"
            )
            if view.verdict in UNJUDGED:
                Xml.SubElement(case, "skipped", message=f"{view.verdict}: {view.detail}")
            elif slug in failed:
                Xml.SubElement(case, "failure", message=f"line {view.line}: {view.detail}")
    for report in picks:
        name = _printable(report.implementation)
        suite = Xml.SubElement(
            root, "testsuite", name=name, tests="1", failures=str(int(report.biased)), errors="0"
        )
        case = Xml.SubElement(suite, "testcase", classname=name, name="distribution")
        if report.biased:
            Xml.SubElement(case, "failure", message=_printable(report.sentence))
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _result(rule: str, text: str, name: str, line: int) -> dict[str, Any]:
    """One result of SARIF."""
    place = {"artifactLocation": {"uri": name}, "region": {"startLine": line}}
    return {
        "ruleId": rule,
        "level": "error",
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }


def sarif(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """Static Analysis Results Interchange Format 2.1.0."""
    results: list[dict[str, Any]] = []
    rules: dict[str, dict[str, Any]] = {}
    for judgement in judgements:
        if judgement.ruling is Ruling.CONFORMS:
            continue
        first = judgement.first
        rule = "trace-format" if first is None else first.slug
        rules.setdefault(rule, {"id": rule})
        text = "\n".join([judgement.fault or "malformed", *details(judgement)])
        if first is not None:
            text = f"{_place(first)}, {first.field}: {first.message}\n" + "\n".join(
                details(judgement)
            )
        results.append(_result(rule, text, judgement.name, 1 if first is None else first.line))
        for slug, view in judgement.failed.items():
            rules.setdefault(slug, {"id": slug})
            text = f"the claim {slug} fails: {view.detail}"
            results.append(_result(slug, text, judgement.name, view.line or 1))
    for report in picks:
        if report.biased:
            rules.setdefault("sampling-mass", {"id": "sampling-mass"})
            results.append(
                {
                    "ruleId": "sampling-mass",
                    "level": "error",
                    "message": {"text": report.sentence},
                    "locations": [],
                }
            )
    driver = {"name": "asura check", "rules": [rules[name] for name in sorted(rules)]}
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _cell(text: str) -> str:
    return _printable(text).replace("\n", " ").replace("|", "\\|")


def markdown(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """A summary for a pull request."""
    lines = [
        "| trace | verdict | first violation | diagnosis | claims | local |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for judgement in judgements:
        first = judgement.first
        where = judgement.fault or ""
        if first is not None:
            where = f"{_place(first)}, `{first.field}`: {first.message}"
        names = ", ".join(f"`{d.mistake}`" for d in judgement.diagnosis[:3])
        name = judgement.name
        if judgement.meaning is not None and judgement.ruling is not Ruling.CONFORMS:
            name += f" ({judgement.meaning})"
        claims = claims_line(judgement) if judgement.claims else ""
        lines.append(
            f"| {_cell(name)} | {judgement.ruling} | {_cell(where)} | {names} "
            f"| {claims} | {local_line(judgement)} |"
        )
    for report in picks:
        lines += [f"\n{_cell(report.sentence)}", *_power_table(report)]
    return "\n".join(lines)


def _power_table(report: DistributionReport) -> list[str]:
    """The draws that biases take, in Markdown."""
    if report.biased or not report.needs:
        return []
    return [
        "\n| bias | draws necessary | draws expected |",
        "| --- | ---: | ---: |",
        *(
            f"| {_cell(need.bias)} | {_count(need.necessary)} "
            f"| {_count(need.expected)}{' (hopeless)' if need.hopeless else ''} |"
            for need in report.needs
            if need.necessary is not None
        ),
        f"\n{_ADVICE}",
    ]


Writer = Callable[[Sequence[Judgement], Sequence[DistributionReport]], str]

WRITERS: dict[Format, Writer] = {
    Format.PRETTY: pretty,
    Format.JSON: as_json,
    Format.JUNIT: junit,
    Format.SARIF: sarif,
    Format.MARKDOWN: markdown,
}
