"""A summary in Markdown, for a pull request: it begins with the total."""

from __future__ import annotations

import html
import re

from asura_verify.report.data import Listing, Part, Report, Table
from asura_verify.report.text import printable


def plain(text: str) -> str:
    r"""Text that says nothing to Markdown: no HTML, no links, no new lines.

    >>> print(plain("a|b [link](x) <b>"))
    a\|b \[link\](x) &lt;b&gt;
    """
    escaped = html.escape(printable(text).replace("\n", " "))
    return re.sub(r"([|\[\]`])", r"\\\1", escaped)


def _table(table: Table) -> str:
    rules = ["---:" if k in table.right else "---" for k in range(len(table.columns))]
    rows = [table.columns, tuple(rules), *(tuple(map(plain, row)) for row in table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _part(part: Part) -> str:
    if isinstance(part, Table):
        return _table(part)
    if isinstance(part, Listing):
        told = printable("\n".join(part.lines)).replace("```", "'''")
        return f"**{plain(part.title)}**\n\n```text\n{told}\n```"
    return plain(part)


def markdown(report: Report) -> str:
    """The total, then the parts."""
    first, *others = report.total()
    head = "\n".join([f"**{plain(first)}**", *(f"- {plain(line)}" for line in others)])
    return "\n\n".join([head, *map(_part, report.parts())])
