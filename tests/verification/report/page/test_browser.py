"""The page in a real browser: filters, links, slider, colours, widths, accessibility."""

from __future__ import annotations

import json
from pathlib import Path

import axe_core_python
import pytest

from asura_verify.claims import CLAIMS
from asura_verify.report.audit_data import AuditData
from asura_verify.report.page.graph import Node, graph
from tests.verification.report.page.browser import Page

AXE = Path(axe_core_python.__file__).with_name("axe.min.js")
CHOOSE = """(() => {{
  const field = document.querySelector('#filters [name={name}]');
  field.value = {value};
  field.dispatchEvent(new Event('input', {{bubbles: true}}));
  return [...document.querySelectorAll('.claims tbody tr')].filter((row) => !row.hidden)
    .map((row) => row.querySelector('a').getAttribute('href').slice(1));
}})()"""


def choose(page: Page, name: str, value: str) -> list[str]:
    found: list[str] = page.evaluate(CHOOSE.format(name=name, value=json.dumps(value)))
    return found


def slide(page: Page, value: int) -> str:
    said: str = page.evaluate(
        f"""(() => {{ const slider = document.getElementById('step'); slider.value = {value};
        slider.dispatchEvent(new Event('input')); return document.getElementById('say').textContent;
        }})()"""
    )
    return said


def test_nothing_leaves_the_page(page: Page) -> None:
    for box in range(3):
        slide(page, box)
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    assert page.requests
    assert [url for url in page.requests if not url.startswith(("file:", "data:"))] == []
    assert page.errors == []


def test_filters(page: Page, data: AuditData) -> None:
    claims = data.claims
    wanted = [c.slug for c in claims if c.printed.verdict == "misprint"]
    assert wanted
    papers = [c.slug for c in claims if c.origin == "the paper"]
    assert choose(page, "verdict", "") == papers  # those of the others are one choice away
    assert 0 < len(papers) < len(claims)
    choose(page, "origin", "")
    assert choose(page, "verdict", "misprint") == wanted
    count = page.evaluate("document.getElementById('count').textContent")
    assert count == f"{len(wanted)} of {len(claims)} claims"
    assert choose(page, "verdict", "") == [c.slug for c in claims]
    strength = "machine-checked"
    proved = [c.slug for c in claims if c.printed.strength == strength]
    assert proved
    assert choose(page, "strength", strength) == proved
    assert set(choose(page, "section", "Section 2")) <= set(proved)
    assert choose(page, "search", "nothing has this name") == []
    assert page.evaluate("document.getElementById('none').hidden") is False
    page.evaluate("document.querySelector('#filters [type=reset]').click()")
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert page.evaluate("document.querySelectorAll('.claims tr[hidden]').length") == 0


def test_links_lead_somewhere(page: Page) -> None:
    broken = page.evaluate(
        "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))"
        ".filter((to) => !to.startsWith('#') || !document.getElementById(to.slice(1)))"
    )
    assert broken == []
    page.evaluate("location.hash = '#invariant'")
    assert page.evaluate("document.querySelector(':target').id") == "invariant"
    assert page.evaluate(
        "new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size"
    ) == (page.evaluate("document.querySelectorAll('[id]').length"))


def test_claims_that_hold_are_folded(page: Page, data: AuditData) -> None:
    """A link opens what it leads to; one button opens everything."""
    opened = "[...document.querySelectorAll('details.claim[open]')].map((d) => d.parentElement.id)"
    false = [c.slug for c in data.claims if c.printed.verdict == "false"]
    assert false
    assert page.evaluate(opened) == false
    page.evaluate("document.querySelector('.claims a[href=\"#rr-ridge\"]').click()")
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert set(page.evaluate(opened)) == {*false, "rr-ridge"}
    page.evaluate("document.getElementById('unfold').click()")
    assert page.evaluate(opened) == [c.slug for c in data.claims]


def test_an_experiment_says_what_came_out_before_it_is_opened(page: Page) -> None:
    """Folded it shows its question and its first finding; a link opens it."""
    shown = "[...document.querySelectorAll('.plate .answer')].map((e) => e.clientHeight > 0)"
    assert page.evaluate(shown)
    assert all(page.evaluate(shown))
    page.evaluate("location.hash = '#experiment-bias'")
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert page.evaluate("document.getElementById('experiment-bias').open") is True
    assert not page.evaluate(shown)[0]


def test_formulas_have_their_own_font(page: Page) -> None:
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('1em Formulas'))")
    assert page.evaluate("[...document.fonts].map((each) => each.status)") == ["loaded"]


def test_a_phone_sees_plots_and_dependencies_whole(page: Page) -> None:
    page.size(390, 844)
    page.evaluate("document.querySelectorAll('.plate').forEach((box) => { box.open = true; })")
    wide = page.evaluate(
        "[...document.querySelectorAll('.plot, .wide, .uses')].filter((e) => e.clientWidth > 0)"
        ".map((e) => [e.className, e.scrollWidth <= e.clientWidth])"
    )
    assert {name for name, _ in wide} == {"scroll plot narrow", "uses"}
    assert all(fits for _, fits in wide)
    letters = page.evaluate(
        "[...document.querySelectorAll('.plot.narrow svg')].map((svg) =>"
        " svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
    )
    assert min(letters) > 0.9  # not shrunk: a letter of ten points stays one of nine


def test_the_graph_of_all_claims_is_whole_on_a_desktop(page: Page) -> None:
    every = graph([Node(claim.slug, "", "good", claim.depends) for claim in CLAIMS])
    page.size(1280, 900)
    fits, inside, narrow = page.evaluate(
        f"""(() => {{ const box = document.querySelector('.wide');
        box.innerHTML = {json.dumps(every)};
        const fits = box.scrollWidth <= box.clientWidth;
        const inside = document.documentElement.scrollWidth <= innerWidth;
        box.style.width = '60rem';
        return [fits, inside, box.scrollWidth <= box.clientWidth]; }})()"""
    )
    assert fits
    assert inside
    assert not narrow  # as wide as the text it would be cut


def test_slider_by_keyboard_and_buttons(page: Page) -> None:
    walk = json.loads(page.evaluate("document.getElementById('walk').textContent"))
    last = len(walk["moments"]) - 1
    assert slide(page, 0).startswith("j = 0: u = 32, l = −32, eigenvalues 0 and 0.")
    page.evaluate("document.getElementById('step').focus()")
    page.press("ArrowRight", 39)
    assert page.evaluate("document.getElementById('step').value") == "1"
    assert "j = 1:" in page.evaluate("document.getElementById('say').textContent")
    page.evaluate("document.getElementById('forth').click()")
    assert page.evaluate("document.getElementById('step').value") == "2"
    page.evaluate("document.getElementById('back').click()")
    assert page.evaluate("document.getElementById('step').value") == "1"
    assert "The loop has ended." in slide(page, last)
    assert page.evaluate("document.querySelectorAll('#plane ellipse').length") == 1
    assert page.evaluate("document.querySelectorAll('#plane circle').length") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours(page: Page, scheme: str) -> None:
    page.scheme(scheme)
    read = "getComputedStyle(document.body).backgroundColor"
    by_system = page.evaluate(read)
    assert by_system == {"light": "rgb(253, 252, 249)", "dark": "rgb(21, 23, 26)"}[scheme]
    seen = set()
    for _ in range(3):
        page.evaluate("document.getElementById('theme').click()")
        seen.add(page.evaluate(read))
    assert seen == {"rgb(253, 252, 249)", "rgb(21, 23, 26)"}
    assert page.evaluate(read) == by_system


@pytest.mark.parametrize("width", [390, 768, 1200])
def test_width(page: Page, width: int) -> None:
    page.size(width, 844)
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.evaluate(
        f"""[...document.querySelectorAll('main *, header *')].filter((each) =>
        each.getBoundingClientRect().right > {width} + 1 && !each.closest('.scroll')
        && !each.closest('.claims thead'))
        .map((each) => each.tagName + ' ' + each.textContent.slice(0, 80)).slice(0, 5)"""
    )
    assert cut == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_axe(page: Page, scheme: str, width: int) -> None:
    page.scheme(scheme)
    page.size(width, 844)
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
    found = page.evaluate(
        "axe.run({exclude: ['math', '.plot svg']}, {resultTypes: ['violations']})"
        ".then((result) => result.violations.map((each) => each.id + ': ' + each.nodes.slice(0, 3)"
        ".map((n) => n.html.slice(0, 120) + ' ' + (n.any[0] || {}).message).join(' | ')))"
    )
    assert found == []


def test_prints(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "page.pdf"
    page.pdf(target)
    assert target.stat().st_size > 50_000
    assert page.evaluate("[...document.querySelectorAll('details')].every((box) => box.open)")
