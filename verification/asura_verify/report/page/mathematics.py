r"""The statements' one source, English with TeX between dollar signs, as HTML with MathML.

>>> as_html(r"at $T = 1$ & later").replace("<math>", "(").replace("</math>", ")")
'at (<mrow><mi>T</mi><mo>=</mo><mn>1</mn></mrow>) &amp; later'
"""

from __future__ import annotations

import html
import re
from functools import cache

from latex2mathml import exceptions
from latex2mathml.converter import convert

#: What the converter raises for text that is not TeX.
_NOT_TEX: tuple[type[Exception], ...] = tuple(
    each
    for each in vars(exceptions).values()
    if isinstance(each, type) and issubclass(each, Exception)
)
_RELATION = re.compile(r" (?=(?:\\le|\\ge|\\preceq|[=<>])(?![A-Za-z]))")
#: The space between a factor and the name of a function.
_THIN = "0.17em"
_NAME = f'form="prefix" lspace="{_THIN}" '
#: A longer formula may break before a relation.
_LONG = 24


@cache
def mathml(tex: str, *, display: bool = False) -> str:
    """MathML of TeX; the element carries nothing that a browser does not need."""
    made = convert(tex, display="block" if display else "inline")
    made = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    made = re.sub(r"&#x([0-9A-Fa-f]{4,5});", _character, made)
    made = made.replace('<mo stretchy="false">|', '<mo stretchy="false" lspace="0" rspace="0">|')
    made = re.sub("<mi>([⪯⪰])</mi>", r"<mo>\1</mo>", made)
    made = re.sub(
        r"<mi>(log|ln)</mi>(<mo stretchy=\"false\">\()?",
        lambda name: f'<mo {_NAME}rspace="{0 if name[2] else _THIN}">{name[1]}</mo>{name[2] or ""}',
        made,
    )
    made = made.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>')
    made = re.sub(
        "(<mo[^>]*>[=<>≤≥≠,(±]|&[lg]t;)(</mo>)<mo>−</mo>", r'\1\2<mo form="prefix">−</mo>', made
    )
    return made.replace(' display="inline"', "")


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return html.escape(character)


def _parts(tex: str) -> list[str]:
    """A formula, cut before its relations outside brackets when it is long."""
    if len(tex) <= _LONG:
        return [tex]
    parts = [""]
    for piece in _RELATION.split(tex):
        before = parts[-1]
        if not before or sum(map(before.count, "([{")) > sum(map(before.count, ")]}")):
            parts[-1] = f"{before} {piece}" if before else piece
        else:
            parts.append("{}" + piece)
    return parts


def _formula(tex: str) -> str:
    try:
        return "\u200b".join(map(mathml, _parts(tex.replace("<", r"\lt ").replace(">", r"\gt "))))
    except _NOT_TEX:  # a report may hold any text: it is shown as it is
        return html.escape(f"${tex}$", quote=False)


def as_html(text: str) -> str:
    """English with TeX, as HTML."""
    words = re.split(r"\$([^$]+)\$", text)
    made = "".join(
        _formula(piece) if k % 2 else html.escape(piece, quote=False)
        for k, piece in enumerate(words)
    )
    # A comma or a full stop stays with its formula.
    return re.sub(
        r"(<math>(?:(?!<math>).)*</math>)([,.;:)\]]+)",
        r'<span class="together">\1\2</span>',
        made,
        flags=re.DOTALL,
    )
