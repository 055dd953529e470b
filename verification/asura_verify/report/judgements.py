"""One set of facts, five ways to print them."""

from __future__ import annotations

import html
import json
import math
import re
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from asura_verify.oracle.judgement import Judgement, Ruling, Violation
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionReport

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
    name = _cleaned(judgement.name)
    if judgement.ruling is Ruling.MALFORMED:
        known = " (known to fail)" if judgement.accepted else ""
        return f"{name}: malformed{known}: {judgement.fault}"
    values = sum(judgement.checked.values())
    undecided = sum(judgement.undecided.values())
    known = " (known to fail)" if judgement.accepted else ""
    text = f"{name}: {judgement.ruling}{known}, m = {judgement.length}"
    text += f", {values} values judged"
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
    parts = [f"{counts['holds']} hold{'s' if counts['holds'] == 1 else ''}"]
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
        lines.append(f"again:    {judgement.command}")
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


def _plain(judgement: Judgement) -> list[str]:
    """The rest of the one line of a trace that conforms."""
    parts = [] if judgement.local is None else [local_line(judgement)]
    if judgement.claims:
        parts.append(f"claims: {claims_line(judgement)}")
    parts += [f"remark: {remark}" for remark in judgement.remarks]
    if judgement.coverage:
        parts.append(f"not judged, absent: {', '.join(judgement.coverage)}")
    return parts


def say(text: str) -> None:
    """Print lines; on a terminal none is longer than it is wide, if words allow."""
    text = _printable(text)  # names and values are anybody's
    if sys.stdout.isatty():
        text = wrapped(text, shutil.get_terminal_size().columns)
    print(text, flush=True)


def wrapped(text: str, width: int) -> str:
    """Lines broken between words, what follows a break further to the right.

    >>> print(wrapped("  remark: some values were hardly judged", 24))
      remark: some values
          were hardly judged
    """
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        lines += textwrap.wrap(
            line,
            max(width, 2 * len(indent)),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


def pretty(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """For people."""
    lines = [
        "; ".join([headline(judgement), *(line.strip() for line in _plain(judgement))])
        if judgement.ruling is Ruling.CONFORMS
        else "\n  ".join([headline(judgement), *details(judgement)])
        for judgement in judgements
    ]
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
    del facts["again"]
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
    """Neither XML nor a terminal wants control characters."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def _suite(root: Xml.Element, judgement: Judgement) -> None:
    """One case a field, one case a claim; what is known to fail is skipped."""
    first, name = judgement.first, _printable(judgement.name)
    place = "" if first is None else first.field.partition("[")[0]
    wrong = {place: 1, **judgement.wrong} if place else {}
    fields = sorted({*judgement.checked, *wrong}) or ["format"]
    faults = int(judgement.ruling is Ruling.MALFORMED)
    failures = len(wrong) + len(judgement.failed)
    unjudged = sum(view.verdict in UNJUDGED for view in judgement.claims.values())
    known = judgement.accepted
    suite = Xml.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(len(fields) + len(judgement.claims)),
        failures=str(0 if known else failures),
        skipped=str(unjudged + (failures + faults if known else 0)),
        errors=str(0 if known else faults),
    )
    facts = [("meaning", judgement.meaning)] if judgement.meaning else []
    facts += [("flag", flag) for flag in judgement.flags]
    facts += [("claim", slug) for slug in judgement.slugs]
    if facts:
        properties = Xml.SubElement(suite, "properties")
        for key, value in facts:
            Xml.SubElement(properties, "property", name=key, value=_printable(value or ""))
    for field in fields:
        case = Xml.SubElement(suite, "testcase", classname=name, name=field)
        if faults:
            kind = "skipped" if known else "error"
            Xml.SubElement(case, kind, message=_printable(judgement.fault or ""))
        elif field in wrong:
            message = f"{wrong[field]} wrong"
            if field == place and first is not None:
                message += f", first at {_place(first)}: {first.message}"
            kind = "skipped" if known else "failure"
            failure = Xml.SubElement(case, kind, message=_printable(message))
            if field == place:
                failure.text = _printable("\n".join(details(judgement)))
    for slug, view in judgement.claims.items():
        case = Xml.SubElement(suite, "testcase", classname=name, name=f"claim {slug}")
        if view.verdict in UNJUDGED:
            Xml.SubElement(case, "skipped", message=f"{view.verdict}: {view.detail}")
        elif slug in judgement.failed:
            kind = "skipped" if known else "failure"
            Xml.SubElement(case, kind, message=f"line {view.line}: {view.detail}")


def junit(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """One suite a file."""
    root = Xml.Element("testsuites", name="asura")
    for judgement in judgements:
        _suite(root, judgement)
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


def _result(rule: str, text: str, judgement: Judgement, line: int) -> dict[str, Any]:
    """One result of SARIF, in the file of a trace or in a case that has a name."""
    place = {
        "artifactLocation": {"uri": quote(judgement.name)},
        "region": {"startLine": line},
    }
    location: dict[str, Any] = {"physicalLocation": place}
    if judgement.meaning is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": judgement.name}]
    result = {
        "ruleId": rule,
        "level": "error",
        "message": {"text": text},
        "locations": [location],
    }
    if judgement.accepted:
        result["suppressions"] = [{"kind": "external", "justification": "known to fail"}]
    return result


def _rule(slug: str) -> dict[str, Any]:
    """What a result of SARIF is about."""
    return {"id": slug, "shortDescription": {"text": _claim(slug)}}


def sarif(judgements: Sequence[Judgement], picks: Sequence[DistributionReport] = ()) -> str:
    """Static Analysis Results Interchange Format 2.1.0."""
    results: list[dict[str, Any]] = []
    for judgement in judgements:
        if judgement.ruling is Ruling.CONFORMS:
            continue
        first = judgement.first
        if first is None:
            fault = judgement.fault or "malformed"
            place = re.search(r"\bline (\d+)", fault)
            line = int(place[1]) if place else 1
            text = "\n".join([fault, *details(judgement)])
            results.append(_result("trace-format", text, judgement, max(line, 1)))
        else:
            text = f"{_place(first)}, {first.field}: {first.message}\n"
            text += "\n".join(details(judgement))
            results.append(_result(first.slug, text, judgement, first.line))
        for slug, view in judgement.failed.items():
            text = f"the claim {slug} fails: {view.detail}"
            results.append(_result(slug, text, judgement, view.line or 1))
    for report in picks:
        if report.biased:
            name = report.implementation
            used = [j for j in judgements if (j.implementation or UNNAMED) == name]
            first_file = used[0] if used else Judgement(name, Ruling.VIOLATES)
            results.append(_result("sampling-mass", report.sentence, first_file, 1))
    rules = [_rule(name) for name in sorted({result["ruleId"] for result in results})]
    run = {"tool": {"driver": {"name": "asura", "rules": rules}}, "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _cleaned(text: str) -> str:
    return _printable(text).replace("\n", "?")


def _cell(text: str) -> str:
    """Text in a table of Markdown: no HTML, no links, no new lines."""
    plain = html.escape(_printable(text).replace("\n", " "))
    return re.sub(r"([|\[\]`])", r"\\\1", plain)


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
            where = f"{_place(first)}, {first.field}: {first.message}"
        names = ", ".join(f"`{d.mistake}`" for d in judgement.diagnosis[:3])
        name = judgement.name
        if judgement.meaning is not None and judgement.ruling is not Ruling.CONFORMS:
            name += f" ({judgement.meaning})"
        claims = claims_line(judgement) if judgement.claims else ""
        ruling = f"{judgement.ruling}, known" if judgement.accepted else f"{judgement.ruling}"
        lines.append(
            f"| {_cell(name)} | {ruling} | {_cell(where)} | {names} "
            f"| {claims} | {local_line(judgement)} |"
        )
    for judgement in judgements:
        if judgement.first is not None and not judgement.accepted:
            told = _printable("\n".join(details(judgement))).replace("```", "'''")
            lines.append(f"\n**{_cell(judgement.name)}**\n\n```text\n{told}\n```")
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
