r"""The statements' one source, English with TeX between dollar signs, as readable text.

A page needs MathML (`asura_verify.report.page.mathematics`), a terminal needs characters:

>>> as_text(r"$\mathbb{P}(u_m \ge p^2 d/(8 \gamma^2)) \ge 1 - p$, surely")
'P(uₘ ≥ p² d/(8 γ²)) ≥ 1 - p, surely'
>>> as_text(r"$w_j w_j^\top \preceq 2 \gamma (A_j - l_{j+1} I)$")
'wⱼ wⱼᵀ ⪯ 2 γ (Aⱼ - lⱼ₊₁ I)'
>>> as_text(r"$\mathbb{E} \sum_{j<m} \Phi_j^M \le \sqrt{k}\, \bar{r}$ with $K_{D_i}$")
'E Σ_(j<m) Φⱼᴹ ≤ √k r̄ with K_(Dᵢ)'

A library for this would be one more requirement of the default install, and those tried lose the
braces of a script, or leave the commands of a statement as they are.
"""

from __future__ import annotations

import re

#: The commands that statements use, and what a reader sees.
COMMANDS = {
    **dict(zip(("alpha", "beta", "gamma", "delta", "theta", "lambda"), "αβγδθλ", strict=True)),
    **dict(zip(("nu", "xi", "rho", "tau", "sigma", "eta", "varepsilon"), "νξρτσηε", strict=True)),
    **dict(zip(("kappa", "mu", "psi"), "κμψ", strict=True)),
    **dict(zip(("Gamma", "Phi", "Omega", "sum", "top", "ast"), "ΓΦΩΣT*", strict=True)),
    **dict(zip(("le", "ge", "ne", "pm"), "≤≥≠±", strict=True)),
    **dict(zip(("prec", "succ", "preceq", "succeq"), "≺≻⪯⪰", strict=True)),  # Loewner's order
    **dict(zip(("in", "cap", "sim", "to", "ldots", "cdot"), "∈∩~→…·", strict=True)),
    **dict(zip(("lceil", "rceil", "langle", "rangle"), "⌈⌉⟨⟩", strict=True)),
    **dict(zip(("mid", "lVert", "rVert", ",", ";"), "|‖‖  ", strict=True)),
    **{name: name for name in ("det", "log", "min", "max", "sup")},
}
_LOWERED = dict(
    zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)
_RAISED = dict(
    zip("0123456789+-=()dijkmnpDIMT*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵈⁱʲᵏᵐⁿᵖᴰᴵᴹᵀ*", strict=True)
)  # fmt: skip

_MATHEMATICS = re.compile(r"\$([^$]+)\$")
_DELIMITER = re.compile(r"\\(l(?:ceil|angle|Vert)) ?| ?\\(r(?:ceil|angle|Vert))")
_FONT = re.compile(r"\\math(?:bb|rm)\{(\w+)\}")
_BAR = re.compile(r"\\bar\{(\w)\}")
_ROOT = re.compile(r"\\sqrt\{([^{}]*)\}")
_SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|(\\[A-Za-z]+|.))")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")


def _characters(tex: str) -> str:
    plain = _BAR.sub("\\1\u0304", _FONT.sub(r"\1", tex))
    plain = _DELIMITER.sub(lambda match: COMMANDS[match[1] or match[2]], plain)
    plain = _SCRIPT.sub(lambda match: _script(match[1], match[2] or match[3]), plain)
    plain = _ROOT.sub(lambda match: _root(_characters(match[1])), plain)
    plain = _COMMAND.sub(lambda match: COMMANDS.get(match[1], match[0]), plain)
    return " ".join(plain.split())


def _root(inside: str) -> str:
    return f"√{inside}" if inside.isalnum() else f"√({inside})"


def _script(mark: str, tex: str) -> str:
    """A script in small characters if there are all of them, else behind its mark."""
    inside = _characters(tex)
    small = _LOWERED if mark == "_" else _RAISED
    if all(character in small for character in inside.replace(" ", "")):
        return "".join(small[character] for character in inside.replace(" ", ""))
    return f"{mark}{inside}" if len(inside) == 1 else f"{mark}({inside})"


def as_text(text: str) -> str:
    """English with TeX, as a line of characters; what is not between dollar signs stays."""
    return _MATHEMATICS.sub(lambda match: _characters(match[1]), text)


def in_ascii(text: str) -> str:
    r"""The same for a terminal that has no other characters: TeX again, where it is needed.

    >>> in_ascii(as_text(r"$w_j w_j^\top \preceq 2 \gamma^2 (A_j - l_{j+1} I)$ naïvely"))
    'w_j w_j^T \\preceq 2 \\gamma^2 (A_j - l_{j+1} I) na?vely'
    """
    for mark, small in (("_", _LOWERED), ("^", _RAISED)):
        plain = {shown: meant for meant, shown in small.items() if not shown.isascii()}
        for run in sorted(set(re.findall(f"[{''.join(plain)}]+", text)), key=len, reverse=True):
            meant = "".join(plain[character] for character in run)
            text = text.replace(run, f"{mark}{meant}" if len(meant) == 1 else f"{mark}{{{meant}}}")
    named = {shown: f"\\{name}" for name, shown in COMMANDS.items()} | {
        "√": "sqrt",
        "\u0304": "bar",
    }
    return "".join(c if c.isascii() else named.get(c, "?") for c in text)
