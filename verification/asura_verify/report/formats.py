"""The formats of a report: one writer each, for audit, check and conform."""

from __future__ import annotations

from enum import StrEnum

from asura_verify.report.data import Report
from asura_verify.report.junit import junit
from asura_verify.report.markdown import markdown
from asura_verify.report.sarif import sarif


class Format(StrEnum):
    """How a report is printed."""

    PRETTY = "pretty"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MARKDOWN = "markdown"


#: The ends of the names of their files; what is for people is only printed.
SUFFIXES = {
    Format.JSON: "json",
    Format.JUNIT: "xml",
    Format.SARIF: "sarif",
    Format.MARKDOWN: "md",
}


def written(report: Report, form: Format) -> str:
    """A report as text."""
    match form:
        case Format.PRETTY:
            return report.pretty()
        case Format.JSON:
            return report.json()
        case Format.JUNIT:
            return junit(report)
        case Format.SARIF:
            return sarif(report)
        case Format.MARKDOWN:
            return markdown(report)
