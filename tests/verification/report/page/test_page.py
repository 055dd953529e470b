"""The page as text: its numbers are the audit's and the experiments', and nothing is loaded."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from asura_verify.claims import CLAIMS
from asura_verify.experiments import EXPERIMENTS
from asura_verify.places import NOTES
from asura_verify.report.audit_data import AuditData
from asura_verify.report.page.mathematics import mathml, pieces, rendered
from asura_verify.report.page.notes import from_markdown, note
from asura_verify.report.page.walk import certified_run, walk
from asura_verify.report.page.writer import HIGHLIGHTS, outcomes, section

MEGABYTE = 1_000_000


class Rows(HTMLParser):
    """The attributes of the rows of the table of claims."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "tr" and "data-verdict" in given:
            self.found.append(given)


@pytest.fixture(scope="module")
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))


def test_size_and_self_containment(text: str) -> None:
    assert len(text.encode()) < 3 * MEGABYTE
    loaded = re.findall(r"""(?:src|href)=["'](?!#|data:)([^"']+)""", text)
    assert loaded == []
    assert "@import" not in text
    assert re.findall(r"url\((?!#|['\"]?data:)[^)]*\)", text) == []


def test_table_says_what_the_audit_says(text: str, data: AuditData) -> None:
    parser = Rows()
    parser.feed(text)
    assert [(row["data-verdict"], row["data-strength"]) for row in parser.found] == [
        (claim.printed.verdict, claim.printed.strength or "") for claim in data.claims
    ]


def test_headline_adds_up(text: str, data: AuditData) -> None:
    headline = text.split('class="headline"')[1].split("</ul>", maxsplit=1)[0]
    counts = [int(number) for number in re.findall(r"<b>(\d+)</b>", headline)]
    paper = data.summary.origins["the paper"]
    assert sum(counts) == paper.claims
    assert counts[3] == paper.verdicts.get("false", 0)
    for slug in paper.false:
        assert f'href="#{slug}"' in headline


def test_what_goes_beyond_the_paper_is_apart(text: str, data: AuditData) -> None:
    screen = text.split('<section id="beyond"')[1].split("</section>", maxsplit=1)[0]
    counts = [int(number) for number in re.findall(r"<b>(\d+)</b>", screen)]
    others = [claim for claim in data.claims if claim.origin != "the paper"]
    assert sum(counts) == len(others)
    assert "asura experiment beyond" in screen
    assert screen.count("<svg") == 1
    for slug in HIGHLIGHTS:
        known = any(claim.slug == slug and claim.printed.verdict == "holds" for claim in others)
        assert (f'href="#{slug}"' in screen) == known


def test_every_piece_of_evidence_is_there(text: str, data: AuditData) -> None:
    for claim in data.claims:
        article = text.split(f'<article id="{claim.slug}"')[1].split("</article>", maxsplit=1)[0]
        rows = re.findall(r"<tr><td>(.*?)</tr>", article.split('class="evidence"')[1], re.DOTALL)
        assert len(rows) == len(claim.evidence)
        for row, item in zip(rows, claim.evidence, strict=True):
            cells = [_plain(cell) for cell in row.split("<td")]
            assert cells[0] == item.statement
            assert cells[4].endswith(f">{item.instances}")
        for example in claim.counterexamples:
            for line in example.arithmetic:
                assert rendered(line) in article


def test_numbers_of_the_experiments_are_those_of_their_tables(text: str, path: Path) -> None:
    found = outcomes(path.parent)
    assert [each.experiment.name for each in found] == [each.name for each in EXPERIMENTS]
    plain = _plain(text)
    for outcome in found:
        assert f"--seed {outcome.seed}, {len(outcome.rows)} rows." in plain
        for sentence in outcome.experiment.findings(outcome.rows):
            assert f"<li>{rendered(sentence)}</li>" in text


def test_run_is_the_run_of_the_reference() -> None:
    shown, done = walk(), certified_run()
    assert len(shown.moments) == done.length + 1
    for moment, step in zip(shown.moments, done.steps(), strict=False):
        assert moment.pick == step.index
        assert moment.upper == float(f"{float(step.upper):.6g}")
        assert moment.lower == float(f"{float(step.lower):.6g}")
        assert moment.potential == float(f"{float(step.potential):.6g}")
        assert moment.lower < moment.ellipse[1] <= moment.ellipse[0] < moment.upper
        assert abs(sum(moment.probabilities) - 1) < 1e-4


def test_every_statement_becomes_mathematics() -> None:
    for claim in CLAIMS:
        for statement in claim.statements:
            made = rendered(statement.text)
            assert "merror" not in made
            assert made.count("<math>") == made.count("</math>")
            words = "".join(p.text for p in pieces(statement.text) if not p.mathematics)
            assert not re.search(r"[\^_]|<=|>=|sqrt|\bgamma\b|\blambda\b|Phi", words), words


@pytest.mark.parametrize(
    ("plain", "tex"),
    [
        ("X^T X", r"X^{\top} X"),
        ("w'_j", "w'_{j}"),
        ("sum_{j=0}^{m-1} Phi_j^D", r"\sum_{j=0}^{m-1} \Phi_{j}^{D}"),
        ("1 +- 12 gamma", r"1 \pm 12 \gamma"),
        ("ceil(d sqrt(k)/gamma^2)", r"\lceil d \sqrt{k}/\gamma^{2}\rceil "),
        ("2^(0.011 d)", "2^{0.011 d}"),
        ("E[lq]", r"\mathbb{E}[\mathrm{lq}]"),
        ("<beta, x>^2", r"\langle \beta, x\rangle ^{2}"),
        ("2e-35", None),
        ("beta* = 1", r"\beta^{\ast} = 1"),
        ("[1 1]", r"[1\; 1]"),
        ("E[x | G_j]", r"\mathbb{E}[x \mid  G_{j}]"),
        ("|A^T A - I|", r"|A^{\top} A - I|"),
        ("gap_j", r"\mathrm{gap}_{j}"),
        ("gap_final", None),
        ("m γ²/d", r"m \gamma^{2}/d"),
    ],
)
def test_notation(plain: str, tex: str | None) -> None:
    found = [piece.text for piece in pieces(plain) if piece.mathematics]
    assert found == ([] if tex is None else [tex])


def test_words_stay_words() -> None:
    text = "there is a constant by which it grows, in every iteration (always)"
    assert rendered(text) == text
    assert rendered("a < b & c") != "a < b & c"
    assert "<script>" not in rendered("<script>alert(1)</script>")


def test_any_text_is_shown() -> None:
    assert "audit_identity_2_b" in rendered("proved by audit_identity_2_b, x")
    assert "x_1_2" in rendered("x_1_2 is no formula")
    assert rendered("a^b^c_") == "a^b^c_" or "<math>" in rendered("a^b^c_")


def test_negative_numbers_and_slashes() -> None:
    assert '<mo form="prefix">−</mo>' in mathml("l = -2")
    assert 'lspace="0"' in mathml("1/2")


def test_notes_render() -> None:
    made = from_markdown(
        "# title\n\n**True.** $a\\lt b$ and `x_1`, [other](identity-1.md).\n\n$$c$$\n"
    )
    assert "<h1>" not in made
    assert 'href="#identity-1"' in made
    assert "<code>x_1</code>" in made
    assert 'class="display scroll"' in made
    assert "$" not in made
    for claim in CLAIMS:
        if (NOTES / f"{claim.slug}.md").is_file():
            text = note(claim.slug)
            assert text is not None
            assert "merror" not in text


def test_sections() -> None:
    assert {section(claim.where) for claim in CLAIMS} >= {"Section 4", "Section 6", "Appendix A"}
