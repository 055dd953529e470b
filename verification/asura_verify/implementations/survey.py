"""Walk the museum: which mistakes are caught, with which diagnosis, and who is accused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import Implementation
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import EXHIBITS
from asura_verify.implementations.further import EVERY
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling

#: Gram coordinates do not find the rank, and mpmath is slow: where they are not asked.
_NEEDS_FULL_RANK = {
    "cholesky",
    "cholesky-whitening",
    "gram-eigenvectors",
    "gram-inverse",
    "running-sums",
    "single-reflections",
    "multiprecision",
}


def attempt(run: Implementation, header: dict[str, Any]) -> list[str] | None:
    """The trace of an implementation, or None when it breaks down without one."""
    try:
        with np.errstate(all="ignore"):
            return run(header, header["uniforms"])
    except (np.linalg.LinAlgError, ValueError, FloatingPointError, ZeroDivisionError, IndexError):
        return None


def instance(exhibit: Exhibit, seed: int, randomness: Any = None) -> dict[str, Any]:
    """An instance on which the mistake matters."""
    name = exhibit.mistake
    if name == "dimension-is-width":
        return case(seed, deficient=True, randomness=randomness)
    if name.startswith(("scales", "beta-scales")) or name == "beta-unlabelled-only":
        return case(seed, scaled=True, randomness=randomness)
    return case(seed, randomness=randomness)


def rightly(exhibit: Exhibit, judgement: Judgement) -> str:
    """How well the mistake was named: `first`, `tied`, `partly` or `unnamed`."""
    names = [d.mistake for d in judgement.diagnosis if d.complete]
    if judgement.ruling is Ruling.MALFORMED:
        hinted = "count from 0" in (judgement.fault or "") and exhibit.mistake == "index-from-one"
        return "first" if hinted else "unnamed"
    if names[:1] == [exhibit.mistake]:
        return "first"
    # Another mistake that reproduces the whole trace is as good an explanation.
    if exhibit.mistake in names:
        return "tied"
    # Of wrong picks there were too few to be sure, or the run was chaotic in the end.
    return "partly" if exhibit.mistake in {d.mistake for d in judgement.diagnosis} else "unnamed"


@dataclass
class Row:
    """What happened to one exhibit."""

    mistake: str
    sampling: bool
    differing: int = 0
    caught: int = 0
    broken: int = 0
    named: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    missed: list[int] = field(default_factory=list)

    def judged(
        self,
        exhibit: Exhibit,
        seed: int,
        judgement: Judgement,
    ) -> None:
        """One trace that differs from the textbook's."""
        self.differing += 1
        if judgement.ruling is Ruling.CONFORMS:
            self.missed.append(seed)
            return
        self.caught += 1
        self.named[rightly(exhibit, judgement)] += 1
        first = judgement.first
        self.fields["format" if first is None else first.field.partition("[")[0]] += 1


def survey_wrong(seeds: Iterable[int], exhibits: Iterable[Exhibit] = EXHIBITS) -> list[Row]:
    """Every exhibit on every instance where its trace differs from the textbook's."""
    chosen = list(seeds)
    rows = []
    for exhibit in exhibits:
        row = Row(exhibit.mistake, exhibit.sampling)
        for seed in chosen:
            header = instance(exhibit, seed)
            lines = attempt(exhibit.run, header)
            if lines is None:
                row.broken += 1
                continue
            if lines == attempt(textbook.run, header):
                continue
            row.judged(exhibit, seed, check_lines(lines))
        rows.append(row)
    return rows


@dataclass(frozen=True, slots=True)
class Accused:
    """A correct implementation that was not let through."""

    implementation: str
    seed: int
    settings: str
    judgement: Judgement


SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"decades": 2.0},
    {"decades": 4.0},
    {"decades": 6.0},
    {"decades": 5.5, "units": 1.0, "scaled": False},
    {"decades": 7.0, "scaled": False},
    {"decades": 9.0, "scaled": False},
    {"deficient": True},
    {"sure": True},
    {"dimension": 1},
    {"dimension": 6},
    {"tiny": True},
    {"units": 5.0},
    {"many": 600},
    {"zeros": True},
    {"near_half": True},
)


def survey_correct(
    seeds: Iterable[int], *, slow: int = 8
) -> tuple[int, list[Accused], dict[str, float]]:
    """Runs that were judged, those accused, and the largest error in units of the allowance."""
    count = 0
    accused = []
    worst: dict[str, float] = {}
    for seed in seeds:
        settings = SETTINGS[seed % len(SETTINGS)]
        header = case(seed, **settings)
        for name, run in EVERY.items():
            if settings.get("deficient") and name in _NEEDS_FULL_RANK:
                continue
            if name == "multiprecision" and seed % slow:
                continue
            lines = attempt(run, header)
            if lines is None:
                continue
            judgement = check_lines(lines)
            count += 1
            worst[name] = max(worst.get(name, 0.0), judgement.worst)
            if judgement.ruling not in (Ruling.CONFORMS, Ruling.UNDECIDED):
                accused.append(Accused(name, seed, str(settings), judgement))
    return count, accused, worst


def table(rows: list[Row]) -> str:
    """Mistake by detection, as Markdown."""
    lines = [
        (
            "| mistake | kind | instances | caught | named first | tied | partly | unnamed "
            "| seen first in |"
        ),
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        fields = ", ".join(f"{name} {count}" for name, count in row.fields.most_common())
        lines.append(
            f"| `{row.mistake}` | {'sampling' if row.sampling else 'structural'} "
            f"| {row.differing} | {row.caught} | {row.named['first']} | {row.named['tied']} "
            f"| {row.named['partly']} | {row.named['unnamed']} | {fields} |"
        )
    return "\n".join(lines)
