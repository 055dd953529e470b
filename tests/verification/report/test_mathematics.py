"""The one source of the statements, on a terminal: nothing of TeX is left, and nothing is lost."""

import re

import pytest

from asura_verify.claims import CLAIMS
from asura_verify.experiments import EXPERIMENTS
from asura_verify.proofs.obligations import OBLIGATIONS
from asura_verify.report.mathematics import as_text

#: What only mathematics is written with; outside dollar signs it is an ASCII formula.
FORMULA = re.compile(
    r"[\\^_{}]|[<>]=?|\+-|\bsqrt\b|\b(alpha|beta|gamma|delta|theta|lambda|eps|rho|tau|xi|nu|Phi|rbar)\b"
)


def sources() -> list[tuple[str, str]]:
    found = []
    for claim in CLAIMS:
        found.append((f"title of {claim.slug}", claim.title))
        for statement in claim.statements:
            name = f"{claim.slug} ({statement.key})"
            found.append((name, statement.text))
            found += [(name, str(hypothesis)) for hypothesis in statement.hypotheses]
            found += [(name, example.instance) for example in statement.counterexamples]
    found += [(each.name, each.statement) for each in OBLIGATIONS]
    found += [(each.name, text) for each in EXPERIMENTS for text in (each.question, each.caption)]
    return found


def outside(text: str) -> str:
    """The words of a text, without its formulas."""
    return re.sub(r"\$[^$]*\$", "", text)


def test_every_formula_is_written_in_tex() -> None:
    for name, text in sources():
        found = FORMULA.search(outside(text))
        assert found is None, f"{name}: write {found[0]!r} in TeX, between dollar signs: {text}"
        assert text.count("$") % 2 == 0, f"{name}: a dollar sign is not closed: {text}"


def test_a_terminal_shows_nothing_of_tex() -> None:
    for name, text in sources():
        shown = as_text(text)
        assert not re.search(r"[\\{}$]", shown), f"{name}: unknown to as_text: {shown}"


@pytest.mark.parametrize("ascii_text", ["u_m >= 2", "the spectrum of A^T A", "for gamma < 1/2"])
def test_ascii_formulas_are_found_and_still_shown(ascii_text: str) -> None:
    assert FORMULA.search(outside(ascii_text))
    assert as_text(ascii_text) == ascii_text


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"X^\top X \preceq l_{j+1} I", "Xᵀ X ⪯ lⱼ₊₁ I"),
        (r"\sum_{j=0}^{m-1} \Phi_j^D", "Σⱼ₌₀ᵐ⁻¹ Φⱼᴰ"),
        (r"\lceil d \sqrt{k}/\gamma^2 \rceil", "⌈d √k/γ²⌉"),
        (r"2^{0.011 d}", "2^(0.011 d)"),
        (r"\mathbb{E}_{x \sim D} \langle \beta, x \rangle^2", "E_(x ~ D) ⟨β, x⟩²"),
        (r"\lVert A \rVert \le \sqrt{1 - x^2}", "‖A‖ ≤ √(1 - x²)"),
        (r"\unknown{x}", r"\unknown{x}"),
    ],
)
def test_notation(tex: str, shown: str) -> None:
    assert as_text(f"${tex}$") == shown
