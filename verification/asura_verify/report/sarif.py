"""Static Analysis Results Interchange Format 2.1.0: one result per mistake, at a real file."""

from __future__ import annotations

import json
from urllib.parse import quote

from asura_verify.report.data import Mistake, Place, Report, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: Places beside the first that one result lists.
MOST = 100

Json = dict[str, "Json"] | list["Json"] | str | int


def _location(place: Place) -> Json:
    location: dict[str, Json] = {}
    if place.file is not None:
        physical: dict[str, Json] = {"artifactLocation": {"uri": quote(place.file)}}
        if place.line is not None:
            physical["region"] = {"startLine": max(place.line, 1)}
        location["physicalLocation"] = physical
    if place.case is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": place.case}]
    return location


def _result(mistake: Mistake, names: list[str]) -> Json:
    first, *others = mistake.places or (Place(None),)
    result: dict[str, Json] = {
        "ruleId": mistake.rule,
        "ruleIndex": names.index(mistake.rule),
        "level": "error",
        "message": {"text": mistake.text},
        "locations": [_location(first)],
    }
    if others:
        result["relatedLocations"] = [_location(place) for place in others[:MOST]]
    if mistake.accepted:
        result["suppressions"] = [{"kind": "external", "justification": "known to fail"}]
    return result


def _rule(rule: Rule) -> Json:
    told: dict[str, Json] = {"id": rule.name, "shortDescription": {"text": rule.title}}
    if rule.text:
        told["fullDescription"] = {"text": rule.text}
    return told


def sarif(report: Report) -> str:
    """The JSON of a report's mistakes."""
    mistakes = report.mistakes()
    rules = report.rules(mistakes)
    names = [rule.name for rule in rules]
    run: Json = {
        "tool": {"driver": {"name": "asura", "rules": [_rule(rule) for rule in rules]}},
        "results": [_result(mistake, names) for mistake in mistakes],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)
