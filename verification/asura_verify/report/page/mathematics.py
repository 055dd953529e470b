r"""The plain mathematics of the statements as MathML.

Statements are English with mathematics written in ASCII. A token is mathematics when it is a
number, an operator, a single letter or a known name; everything else is a word. Runs of
mathematics become TeX, and TeX becomes MathML when the page is built.

>>> pieces("P(u_m >= p^2 d/(8 gamma^2)) >= 1 - p, surely")[0].text
'\\mathbb{P}(u_{m} \\ge p^{2} d/(8 \\gamma^{2})) \\ge 1 - p'
>>> [piece.text for piece in pieces("a learner with lambda = 2 reads X_1") if piece.mathematics]
['\\lambda = 2', 'X_{1}']
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from latex2mathml import exceptions
from latex2mathml.converter import convert

#: What the converter raises for text that is not TeX.
_NOT_TEX: tuple[type[Exception], ...] = tuple(
    each
    for each in vars(exceptions).values()
    if isinstance(each, type) and issubclass(each, Exception)
)

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![A-Za-z]{2}))"
    r"|(?P<compound>[A-Za-z]{2,}(?:[-'][A-Za-z]+)+"
    r"|(?!(?:alpha|beta|gamma|delta|lambda|rho|Phi|Gamma|Omega|sum|sup|gap|sd|OPT|eps)"
    r"_(?:\w\b|lambda))"
    r"[A-Za-z]{2,}\d*(?:_\w+)+)"
    r"|(?P<name>[A-Za-z]+\d?)"
    r"|(?P<operator><=|>=|!=|\+-|->|\.\.\.|[-+*/=<>|^_~'{}()\[\]⟨⟩])"
    r"|(?P<other>.)",
    re.DOTALL,
)

_NAMES = {
    **{name: f"\\{name}" for name in ("alpha", "beta", "gamma", "delta", "lambda", "rho")},
    **{name: f"\\{name}" for name in ("Phi", "Gamma", "Omega")},
    **{name: f"\\{name}" for name in ("eta", "nu", "sigma", "tau", "theta", "xi")},
    "eps": "\\varepsilon",
    "epsilon": "\\varepsilon",
    "rbar": "\\bar{r}",
    "cap": "\\cap",
    "sum": "\\sum",
    "sup": "\\sup",
    "log": "\\log",
    "min": "\\min",
    "max": "\\max",
    **{name: f"\\mathrm{{{name}}}" for name in ("Tr", "OPT", "sd", "mid", "lq", "gap", "Id")},
    **{name: f"\\mathrm{{{name}}}" for name in ("sgn", "rank")},
    "sqrt": "\\sqrt",
    "ceil": "\\lceil",
}
_OPERATORS = {
    "<=": "\\le",
    ">=": "\\ge",
    "!=": "\\ne",
    "+-": "\\pm",
    "->": "\\to",
    "...": "\\ldots",
    "*": "\\cdot",
    "~": "\\sim",
    "<": "\\lt",
    ">": "\\gt",
    "⟨": "\\langle ",
    "⟩": "\\rangle ",
    "{": "\\{",
    "}": "\\}",
}
#: How the plots write what the statements spell out.
_SIGNS = {"γ": "gamma", "α": "alpha", "ε": "eps", "²": "^2", "ᵀ": "^T "}
_RELATIONS = {"<=", ">=", "=", "<", ">", "!="}
_CLOSING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}
#: A longer run may break before a relation.
_LONG = 24


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of words, or of TeX; TeX may be given in parts between which a line may break."""

    text: str
    mathematics: bool
    parts: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    joined = text.replace("S n X_1", "S cap X_1").replace("beta*", "beta^*")
    for sign, plain in _SIGNS.items():
        joined = joined.replace(sign, plain)
    joined = re.sub(r"<([a-z]+), ([a-z])>", "⟨\\1, \\2⟩", joined)
    return [_Token(str(match.lastgroup), match.group()) for match in _TOKEN.finditer(joined)]


def _is_name(tokens: Sequence[_Token], i: int) -> bool:
    """Whether the name at i is mathematics."""
    name = tokens[i].text
    following = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if name in {"sum", "sup"}:
        return following == "_"
    if name in {"min", "max", "sqrt", "ceil", "gap", "cap"}:
        return following in {"(", "{", "_", "^"} or name == "cap"
    if name == "rank":
        return i + 2 < len(tokens) and tokens[i + 2].text == "X"
    if name == "a":
        return following in {"_", "^"}
    return name in _NAMES or len(name) == 1 or (name[0] == "e" and name[1:].isdigit())


def _closing(tokens: Sequence[_Token], i: int) -> int | None:
    """Where the bracket at i closes; None when it does not."""
    depth = 0
    for k in range(i, len(tokens)):
        if tokens[k].text in _CLOSING:
            depth += 1
        elif tokens[k].text in _CLOSING.values():
            depth -= 1
            if depth == 0:
                return k
    return None


def _symbolic(tokens: Sequence[_Token], i: int) -> bool:
    """Whether the token can stand inside mathematics."""
    token = tokens[i]
    if token.kind == "name":
        return _is_name(tokens, i)
    return token.kind in {"number", "operator", "space"} or token.text in {",", ";"}


def _single(tokens: Sequence[_Token], i: int) -> str:
    """TeX of one token."""
    token = tokens[i]
    if token.kind == "number":
        mantissa, _, exponent = token.text.partition("e")
        return f"{mantissa}\\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
    if token.kind == "name":
        if token.text in {"E", "P"} and not (i + 1 < len(tokens) and tokens[i + 1].text == "_"):
            return f"\\mathbb{{{token.text}}}"
        if token.text in _NAMES:
            return _NAMES[token.text]
        if token.text[-1].isdigit():
            return f"{token.text[0]}_{{{token.text[-1]}}}"
        return token.text
    return _OPERATORS.get(token.text, token.text)


def _script(tokens: Sequence[_Token], i: int) -> tuple[str, int]:
    """The TeX of the sub- or superscript that starts at i, and where it ends."""
    if i >= len(tokens):
        return "{}", i
    if tokens[i].text in {"{", "("}:
        close = _closing(tokens, i)
        if close is not None:
            return f"{{{_tex(tokens[i + 1 : close])}}}", close + 1
    if tokens[i].text == "-" and i + 1 < len(tokens):
        return f"{{-{_single(tokens, i + 1)}}}", i + 2
    if tokens[i].text in {"T", "*"}:
        return ("{\\top}" if tokens[i].text == "T" else "{\\ast}"), i + 1
    return f"{{{_single(tokens, i)}}}", i + 1


def _spaced(tokens: Sequence[_Token], i: int) -> bool:
    """Whether a bar stands between spaces: then it separates, else it encloses."""
    return 0 < i < len(tokens) - 1 and {tokens[i - 1].kind, tokens[i + 1].kind} == {"space"}


def _tex(tokens: Sequence[_Token]) -> str:
    """TeX of a run of mathematics."""
    output: list[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text in {"^", "_"} and token.kind == "operator":
            script, i = _script(tokens, i + 1)
            output.append(f"{token.text}{script}")
            continue
        if token.text in {"sqrt", "ceil"} and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            close = _closing(tokens, i + 1)
            if close is not None:
                inner = _tex(tokens[i + 2 : close])
                root = token.text == "sqrt"
                output.append(f"\\sqrt{{{inner}}}" if root else f"\\lceil {inner}\\rceil ")
                i = close + 1
                continue
        if token.kind == "space":
            beside = [tokens[k].kind for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
            output.append("\\; " if beside == ["number", "number"] else " ")
        elif token.text == "|" and _spaced(tokens, i):
            output.append("\\mid ")
        else:
            text = _single(tokens, i)
            wordy = text.startswith("\\") and text[-1].isalpha()
            glued = i + 1 < len(tokens) and tokens[i + 1].kind in {"name", "number"}
            output.append(text + " " if wordy and glued else text)
        i += 1
    joined = re.sub(r"(?<=[\d)}]) (?=\\mathrm\{)", r"\\, ", "".join(output))
    named = r"(\\mathrm\{(?:Tr|rank)\}|\\mathbb\{E\}) (?=[\\A-Za-z|])"
    return re.sub(named, r"\1\\, ", joined)


def _parts(tokens: Sequence[_Token]) -> tuple[str, ...]:
    """The run, cut before its relations outside brackets when it is long."""
    if len("".join(token.text for token in tokens)) <= _LONG:
        return (_tex(tokens),)
    cuts, depth = [0], 0
    for k, token in enumerate(tokens):
        if token.text in _CLOSING:
            depth += 1
        elif token.text in _CLOSING.values():
            depth -= 1
        elif depth == 0 and token.text in _RELATIONS and k > 0:
            cuts.append(k)
    ends = [*cuts[1:], len(tokens)]
    texts = [_tex(tokens[a:b]).strip() for a, b in zip(cuts, ends, strict=True)]
    return (texts[0], *(f"{{}}{text}" for text in texts[1:]))


def _run(tokens: Sequence[_Token]) -> list[Piece]:
    """A run of mathematics, without the spaces around it; lone numbers and signs stay text."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].kind == "space":
        first += 1
    while last > first and tokens[last - 1].kind == "space":
        last -= 1
    core = tokens[first:last]
    before, after = (
        "".join(token.text for token in part) for part in (tokens[:first], tokens[last:])
    )
    plain = not any(token.kind == "name" for token in core) and not (
        len(core) > 1 and any(token.kind == "number" for token in core)
    )
    if plain:
        middle = Piece("".join(token.text for token in core), mathematics=False)
    else:
        source = "".join(token.text for token in core)
        middle = Piece(_tex(core), mathematics=True, parts=_parts(core), source=source)
    return [
        Piece(before, mathematics=False),
        middle,
        Piece(after, mathematics=False),
    ]


def pieces(text: str) -> list[Piece]:
    """Words and mathematics, in order."""
    tokens = _tokens(text)
    found: list[Piece] = []
    run: list[_Token] = []

    def flush() -> None:
        if run:
            found.extend(_run(run))
            run.clear()

    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text in _CLOSING:
            close = _closing(tokens, i)
            if close is not None and all(_symbolic(tokens, k) for k in range(i, close + 1)):
                run.extend(tokens[i : close + 1])
                i = close + 1
                continue
            flush()
            found.append(Piece(token.text, mathematics=False))
        elif token.text in _CLOSING.values() or token.text in {",", ";"}:
            flush()
            found.append(Piece(token.text, mathematics=False))
        elif _symbolic(tokens, i):
            run.append(token)
        else:
            flush()
            found.append(Piece(token.text, mathematics=False))
        i += 1
    flush()
    return [piece for piece in found if piece.text]


@cache
def mathml(tex: str, *, display: bool = False) -> str:
    """MathML of TeX; the element carries nothing that a browser does not need."""
    made = convert(tex, display="block" if display else "inline")
    made = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    made = re.sub(r"&#x([0-9A-Fa-f]{4,5});", _character, made)
    made = made.replace('<mo stretchy="false">|', '<mo stretchy="false" lspace="0" rspace="0">|')
    made = made.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>')
    made = re.sub(
        "(<mo[^>]*>[=<>≤≥≠,(±]|&[lg]t;)(</mo>)<mo>−</mo>", r'\1\2<mo form="prefix">−</mo>', made
    )
    return made.replace(' display="inline"', "")


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return html.escape(character)


def rendered(text: str) -> str:
    """English with mathematics, as HTML."""
    output = []
    for piece in pieces(text):
        if piece.mathematics:
            try:
                output.append("\u200b".join(mathml(part) for part in piece.parts))
            except _NOT_TEX:  # a report may hold any text: it is shown as it is
                output.append(html.escape(piece.source, quote=False))
        else:
            output.append(html.escape(piece.text, quote=False))
    # A comma or a full stop stays with its formula.
    return re.sub(
        r"(<math>(?:(?!<math>).)*</math>)([,.;:)\]]+)",
        r'<span class="together">\1\2</span>',
        "".join(output),
        flags=re.DOTALL,
    )
