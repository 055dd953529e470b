"""JUnit: one suite per file or audit, one case per field or claim."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as Xml

from asura_verify.report.data import Case, Report, Status, Suite
from asura_verify.report.text import printable


def _case(parent: Xml.Element, classname: str, case: Case) -> None:
    element = Xml.SubElement(parent, "testcase", classname=classname, name=printable(case.name))
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    if case.status is not None:
        told = Xml.SubElement(element, case.status.value, message=printable(case.message))
        told.text = printable(case.text) or None
    if case.output:
        Xml.SubElement(element, "system-out").text = printable(case.output)


def _suite(root: Xml.Element, suite: Suite) -> None:
    count = Counter(case.status for case in suite.cases)
    name = printable(suite.name)
    element = Xml.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(len(suite.cases)),
        failures=str(count[Status.FAILED]),
        skipped=str(count[Status.SKIPPED]),
        errors=str(count[Status.BROKEN]),
    )
    if suite.seconds is not None:
        element.set("time", f"{suite.seconds:.1f}")
    if suite.properties:
        properties = Xml.SubElement(element, "properties")
        for key, value in suite.properties:
            Xml.SubElement(properties, "property", name=key, value=printable(value))
    for case in suite.cases:
        _case(element, suite.classname or name, case)


def junit(report: Report) -> str:
    """The XML of a report."""
    root = Xml.Element("testsuites", name="asura")
    for suite in report.suites():
        _suite(root, suite)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")
