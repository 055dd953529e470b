"""The page: the audit's data, the experiments' tables and one run, in one HTML file."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

import jinja2
from markupsafe import Markup

from asura_verify.experiments import EXPERIMENTS
from asura_verify.experiments.model import ExperimentOutcome, read_csv
from asura_verify.experiments.plots import stacked, svg
from asura_verify.registry.claim import Origin
from asura_verify.report.audit import UNPROVED
from asura_verify.report.audit_data import AuditData, ClaimData, EvidenceData, StatementData
from asura_verify.report.mathematics import as_text
from asura_verify.report.page.graph import Node, connected, graph, unconnected
from asura_verify.report.page.mathematics import as_html
from asura_verify.report.page.notes import note
from asura_verify.report.page.walk import walk

NAME = "audit.html"
PAPER = Origin.PAPER.value
#: What each of the strongest statements beyond the paper brings, in a line.
HIGHLIGHTS = {
    "main-13": "the paper's own theorem and rule, with 13 where the repaired proof has 33",
    "tight-rates": r"other rates, $20 R_X/\varepsilon$ labels for $\varepsilon \le 1$",
    "two-sided": "the labelled points are kept, and the labels are bounded surely",
    "one-sided": "one barrier is enough, with half the labels",
    "sure-budget": "a budget that is never exceeded: drawing is free",
    "free-draws": "coins, drawn again until they are good: the sharpest for the data at hand",
    "shrunken-draws": r"fewer labels as $X_2$ says more, none at $\varepsilon \lambda = 1$",
    "near-optimal": r"the constant tends to that of the lower bound as $\varepsilon \to 0$",
}
#: The experiment that has a screen of its own.
COMPARISON = "beyond"

#: The colour of a verdict; the words are always beside it.
TONES = {
    "holds": "good",
    "definition": "good",
    "holds, a printed step is false": "step",
    "holds on a smaller range": "part",
    "misprint": "part",
    "false": "bad",
}
#: What the paper does not print.
_NOT_PRINTED = ("beyond the paper", "the field")
#: Sections of the paper, in its order; `where` of a claim names one of them.
SECTIONS = (*(f"Section {k}" for k in range(1, 7)), "Appendix A", "Appendix B", *_NOT_PRINTED)
_ALIASES = {"Algorithm 2": "Section 4", "lemma:bounded": "Appendix B"}
_STRENGTHS = ("machine-checked", "solver-proved", "exact", "certified", "sampled")


def tone(verdict: str) -> str:
    """The class of a verdict; what is open has one of its own."""
    return TONES.get(verdict, "open")


def section(where: str) -> str:
    """The section of the paper that a claim belongs to.

    >>> section("eq:m1, Section 4"), section("lem:x, Section 4.2"), section("Algorithm 2, line 4")
    ('Section 4', 'Section 4', 'Section 4')
    """
    places = {where.find(name): name for name in SECTIONS if name in where}
    if places:
        return places[min(places)]
    return next((target for name, target in _ALIASES.items() if name in where), "beyond the paper")


@dataclass(frozen=True)
class ExperimentPart:
    """One experiment on the page."""

    name: str
    title: str
    question: str
    caption: str
    findings: tuple[str, ...]
    plot: Markup
    narrow: Markup  # the same for a phone: one panel above the other
    command: str
    rows: int


def outcomes(folder: Path) -> list[ExperimentOutcome]:
    """The experiments' tables: those in the folder, else those recorded with the package."""
    recorded = resources.files("asura_verify.experiments") / "recorded"
    found = []
    for experiment in EXPERIMENTS:
        own = folder / "experiments" / f"{experiment.name}.csv"
        source = own if own.is_file() else recorded / f"{experiment.name}.csv"
        if source.is_file():
            found.append(read_csv(experiment, source.read_text(encoding="utf-8")))
    return found


def _plot(outcome: ExperimentOutcome, *, narrow: bool) -> Markup:
    """The plot of an experiment, whose parts share no name with those of another plot."""
    experiment = outcome.experiment
    figure = experiment.draw(outcome.rows)
    plot = svg(
        stacked(figure) if narrow else figure,
        title=experiment.title,
        description=as_text(experiment.caption),
        standalone=False,
    )
    own = f"{experiment.name}-narrow-" if narrow else f"{experiment.name}-"
    for mark in ('id="', "url(#", 'href="#'):
        plot = plot.replace(mark, f"{mark}{own}")
    return Markup(plot)  # noqa: S704 drawn by matplotlib, not by a user


def _experiment(outcome: ExperimentOutcome) -> ExperimentPart:
    experiment = outcome.experiment
    return ExperimentPart(
        experiment.name,
        experiment.title,
        experiment.question,
        experiment.caption,
        experiment.findings(outcome.rows),
        _plot(outcome, narrow=False),
        _plot(outcome, narrow=True),
        f"asura experiment {experiment.name} --size {outcome.size:g} --seed {outcome.seed}",
        len(outcome.rows),
    )


def _mathematics(text: str) -> Markup:
    return Markup(as_html(text))  # noqa: S704 escaped there


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _linked(text: str, known: Set[str]) -> str:
    """Links to claims that this audit did not judge become plain text."""
    return re.sub(
        r'<a href="#([a-z0-9-]+)">(.*?)</a>',
        lambda match: match[0] if match[1] in known else match[2],
        text,
    )


@dataclass(frozen=True)
class ClaimPart:
    """A claim on the page: the audit's data, and what the template needs beside them."""

    data: ClaimData
    tone: str
    section: str
    statements: tuple[tuple[str, StatementData], ...]  # each under its heading
    told: frozenset[EvidenceData]  # the evidence whose detail is not told above as counterexample
    note: Markup | None

    @property
    def search(self) -> str:
        """The words that a search looks at."""
        return f"{self.data.slug} {as_text(self.data.title)} {self.data.where}".lower()


@dataclass(frozen=True)
class Count:
    """How many claims have a verdict like this; those to be named."""

    count: int
    words: str
    tone: str
    named: tuple[str, ...]


def _claim(data: ClaimData, known: Set[str]) -> ClaimPart:
    text = note(data.slug)
    first = "Statement" if section(data.where) in _NOT_PRINTED else "As printed"
    refuting = {(item.name, item.arithmetic) for item in data.counterexamples}
    return ClaimPart(
        data,
        tone(data.printed.verdict),
        section(data.where),
        (
            (first, data.printed),
            *(("A printed step", step) for step in data.steps),
            *((str(fix.relation).capitalize(), fix) for fix in data.repaired),
        ),
        frozenset(item for item in data.evidence if (item.name, item.lines) not in refuting),
        Markup(_linked(text, known)) if text else None,  # noqa: S704 our own notes
    )


def _headline(claims: Sequence[ClaimData]) -> list[Count]:
    """The counts of the first lines, each with the verdicts that it adds up."""
    groups = (
        ("hold as printed", ("holds", "definition"), "good"),
        ("hold, by a proof with a false step", ("holds, a printed step is false",), "step"),
        (
            "hold on a smaller range, or once a misprint is mended",
            ("holds on a smaller range", "misprint"),
            "part",
        ),
        ("are false", ("false",), "bad"),
    )
    known = {verdict for _, verdicts, _ in groups for verdict in verdicts}
    rest = tuple({claim.printed.verdict for claim in claims} - known)
    found = []
    for words, verdicts, colour in (*groups, ("are open or rest on a citation", rest, "open")):
        mine = tuple(claim.slug for claim in claims if claim.printed.verdict in verdicts)
        if mine or verdicts != rest:
            found.append(Count(len(mine), words, colour, mine if colour in ("bad", "open") else ()))
    return found


#: What a verdict on the main theorem means to somebody who rests on it.
_MAIN = {
    "holds": "The main theorem holds as printed.",
    "holds, a printed step is false": "The main theorem survives: it holds, though a step of its "
    "printed proof is false.",
    "holds on a smaller range": "The main theorem survives on a smaller range than printed.",
    "misprint": "The main theorem survives once a misprint is mended.",
    "false": "The main theorem is false as printed.",
}


def _survival(claims: Sequence[ClaimData]) -> str | None:
    """Whether the paper's main theorem stands, by its computed verdict."""
    verdict = next((claim.printed.verdict for claim in claims if claim.slug == "main"), None)
    if verdict is None:
        return None
    return _MAIN.get(verdict, "Whether the main theorem holds is open.")


def _strongest(claims: Sequence[ClaimData]) -> list[tuple[str, StatementData]]:
    """What the headline shows, if it holds: the main theorem mended, labels enough, and needed."""
    wanted = (
        ("main", "constants"),
        ("main-13", "printed"),
        ("free-draws", "printed"),
        ("sure-stop", "sharp"),
        ("optimal", "printed"),
    )
    return [
        (claim.slug, statement)
        for slug, key in wanted
        for claim in claims
        if claim.slug == slug
        for statement in (claim.printed, *claim.repaired)
        if statement.key == key and statement.verdict == "holds"
    ]


def _read(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _style() -> str:
    """The style sheet, with the font of the formulas inside."""
    font = (resources.files(__package__) / "fonts" / "stix-two-math.woff2").read_bytes()
    source = f"data:font/woff2;base64,{base64.b64encode(font).decode('ascii')}"
    return f'@font-face{{font-family:"Formulas";src:url({source}) format("woff2")}}\n' + _read(
        "page.css"
    )


def render(data: AuditData, folder: Path) -> str:
    """The HTML of an audit."""
    known = {claim.slug for claim in data.claims}
    claims = [_claim(claim, known) for claim in data.claims]
    nodes = [
        Node(part.data.slug, part.data.printed.verdict, part.tone, part.data.depends)
        for part in claims
    ]
    steps = walk()
    parts = [_experiment(outcome) for outcome in outcomes(folder)]
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_read),
    )
    environment.filters["mathematics"] = _mathematics
    environment.filters["characters"] = as_text
    environment.filters["plural"] = _plural
    environment.filters["tone"] = tone
    others = [claim for claim in data.claims if claim.origin != PAPER]
    ours = [claim for claim in others if claim.origin == Origin.BEYOND.value]
    present = {claim.printed.verdict for claim in data.claims}
    return environment.get_template("page.html").render(
        claims=claims,
        known=known,
        summary=data.summary,
        headline=_headline([claim for claim in data.claims if claim.origin == PAPER]),
        paper=PAPER,
        origins=[each.value for each in Origin if any(c.origin == each.value for c in data.claims)],
        others=others,
        ours=ours,
        beyond=_headline(ours),
        highlights=HIGHLIGHTS,
        survival=_survival(data.claims),
        strongest=_strongest(data.claims),
        verdicts=[word for word in (*TONES, *sorted(present - set(TONES))) if word in present],
        strengths=[word for word in _STRENGTHS if word in data.summary.strengths],
        sections=[name for name in SECTIONS if any(part.section == name for part in claims)],
        graph=Markup(graph(nodes)),  # noqa: S704 made of slugs
        connected=connected(nodes),
        unconnected=unconnected(nodes),
        experiments=[part for part in parts if part.name != COMPARISON],
        comparison=next((part for part in parts if part.name == COMPARISON), None),
        walk=steps,
        walk_json=Markup(  # noqa: S704 numbers and names of our own
            json.dumps(asdict(steps), separators=(",", ":")).replace("<", "\\u003c")
        ),
        unproved=UNPROVED,
        style=Markup(_style()),  # noqa: S704 package data
        script=Markup(_read("page.js")),  # noqa: S704 package data
    )
