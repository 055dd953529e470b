"""The formats of a report: one writer each, for audit, check and conform."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asura_verify.report.data import Report


class Format(StrEnum):
    """How a report is printed."""

    PRETTY = "pretty"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MARKDOWN = "markdown"


#: The ends of the names of their files; what is for people is only printed.
SUFFIXES = {Format.JSON: "json", Format.JUNIT: "xml", Format.SARIF: "sarif", Format.MARKDOWN: "md"}


def written(report: Report, form: Format) -> str:
    """A report as text; a writer is imported when it is asked for."""
    match form:
        case Format.PRETTY:
            return report.pretty()
        case Format.JSON:
            return report.json()
        case Format.JUNIT:
            from asura_verify.report.junit import junit  # noqa: PLC0415

            return junit(report)
        case Format.SARIF:
            from asura_verify.report.sarif import sarif  # noqa: PLC0415

            return sarif(report)
        case Format.MARKDOWN:
            from asura_verify.report.markdown import markdown  # noqa: PLC0415

            return markdown(report)
