"""The page as text: its numbers are the audit's and the experiments', and nothing is loaded."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from asura_verify.claims import CLAIMS
from asura_verify.experiments import EXPERIMENTS
from asura_verify.proofs.places import NOTES
from asura_verify.report.audit_data import AuditData
from asura_verify.report.page.mathematics import as_html, mathml
from asura_verify.report.page.notes import from_markdown, note
from asura_verify.report.page.walk import certified_run, walk
from asura_verify.report.page.writer import HIGHLIGHTS, outcomes, render, section

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
    others = [claim for claim in data.claims if claim.origin == "beyond the paper"]
    assert sum(counts) == len(others)
    assert "asura experiment beyond" in screen
    assert screen.count("<svg") == 2  # wide, and for a phone
    for slug in HIGHLIGHTS:
        known = any(claim.slug == slug and claim.printed.verdict == "holds" for claim in others)
        assert (f'href="#{slug}"' in screen) == known


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("holds", "holds as printed"),
        ("holds, a printed step is false", "survives"),
        ("false", "is false as printed"),
        ("undecided", "is open"),
    ],
)
def test_the_top_says_whether_the_main_theorem_survives(
    data: AuditData, path: Path, verdict: str, said: str
) -> None:
    one = data.claims[0]
    main = replace(one, slug="main", printed=replace(one.printed, verdict=verdict))
    text = render(replace(data, claims=(main,)), path.parent)
    survival = _plain(text.split('class="survival"')[1].split("</p>", maxsplit=1)[0])
    assert said in survival
    without = render(replace(data, claims=(one,)), path.parent)
    assert 'class="survival"' not in without


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
                assert as_html(line) in article


def test_numbers_of_the_experiments_are_those_of_their_tables(text: str, path: Path) -> None:
    found = outcomes(path.parent)
    assert [each.experiment.name for each in found] == [each.name for each in EXPERIMENTS]
    plain = _plain(text)
    for outcome in found:
        assert f"--seed {outcome.seed}, {len(outcome.rows)} rows." in plain
        for sentence in outcome.experiment.findings(outcome.rows):
            assert f"<li>{as_html(sentence)}</li>" in text


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
        for text in (claim.title, *(statement.text for statement in claim.statements)):
            made = as_html(text)
            assert "merror" not in made
            assert "$" not in made
            assert made.count("<math>") == made.count("</math>") == text.count("$") / 2 or (
                "\u200b" in made  # a long formula is cut
            )


def test_relations_and_functions_stand_apart_from_what_is_beside_them() -> None:
    assert "<mo>⪯</mo>" in mathml(r"A \preceq B")
    assert "<mo>⪰</mo>" in mathml(r"A \succeq B")
    assert 'lspace="0.17em" rspace="0">log</mo><mo stretchy' in mathml(r"C d \log(d)")
    assert 'lspace="0.17em" rspace="0.17em">log</mo><mi>d' in mathml(r"C d \log d")
    assert "<mi>" not in mathml(r"\log 2")


def test_a_long_formula_may_break_before_its_relations_outside_brackets() -> None:
    assert as_html(r"$E[x \mid y < 3] \le a + b + c + d \le e$").count("<math>") == 3
    assert as_html(r"$a \le b$").count("<math>") == 1


def test_words_stay_words() -> None:
    text = "there is a constant by which it grows, in every iteration (always)"
    assert as_html(text) == text
    assert as_html("a < b & c") == "a &lt; b &amp; c"
    assert "<script>" not in as_html("<script>alert(1)</script> $<script>$")


def test_any_text_is_shown() -> None:
    assert as_html("proved by audit_identity_2_b, x") == "proved by audit_identity_2_b, x"
    assert as_html("it costs 5 $") == "it costs 5 $"
    assert "a^b^c" in as_html("$a^b^c$")  # no TeX: shown as it is


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
