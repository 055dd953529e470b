"""The proof notes, Markdown with TeX, as HTML with MathML."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

from asura_verify.proofs.places import NOTES
from asura_verify.report.page.mathematics import mathml

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$(?!\s)([^$\n]+?)(?<!\s)\$")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_PLACE = re.compile("\ue000(\\d+)\ue001")


def _readable(tex: str) -> str:
    """TeX in the dialect of the converter: sizes of delimiters do not matter to MathML."""
    plain = re.sub(r"\\(?:bigl|bigr|Bigl|Bigr|biggl|biggr|big|Big)(?![a-zA-Z])", "", tex)
    plain = re.sub(r"\\(?:tfrac|dfrac)(?![a-zA-Z])", r"\\frac", plain)
    return plain.replace("\\gt", ">").replace("\\lt", "<")


def from_markdown(text: str) -> str:
    """HTML of a note; its heading goes, links to other notes become links within the page."""
    kept: list[str] = []

    def keep(made: str) -> str:
        kept.append(made)
        return f"\ue000{len(kept) - 1}\ue001"

    def display(match: re.Match[str]) -> str:
        made = mathml(_readable(match[1].strip()), display=True)
        return keep(f'<span class="display scroll">{made}</span>')

    body = re.sub(r"\A# .*\n", "", text)
    body = _CODE.sub(lambda match: keep(_code(match[0])), body)
    body = _DISPLAY.sub(display, body)
    body = _INLINE.sub(lambda match: keep(mathml(_readable(match[1]))), body)
    made = MarkdownIt("commonmark", {"html": False}).enable("table").render(body)
    made = re.sub(r'href="([a-z0-9-]+)\.md"', r'href="#\1"', made)
    made = re.sub(r"<(/?)h[1-6]>", r"<\1h5>", made)
    # A formula that is wider than a phone scrolls within its paragraph.
    made = made.replace("<p>", '<p class="scroll">')
    made = made.replace("<li>", '<li><div class="scroll">').replace("</li>", "</div></li>")
    made = made.replace("<table>", '<div class="scroll"><table>').replace(
        "</table>", "</table></div>"
    )
    return _PLACE.sub(lambda match: kept[int(match[1])], made)


def _code(text: str) -> str:
    inner = text.strip("`")
    if text.startswith("```"):
        return f"<code>{html.escape(inner.split(chr(10), 1)[-1])}</code>"
    return f"<code>{html.escape(inner)}</code>"


def note(slug: str) -> str | None:
    """The note on a claim, when the notes are at hand."""
    path = NOTES / f"{slug}.md"
    return from_markdown(path.read_text(encoding="utf-8")) if path.is_file() else None
