"""Walk the rooms of K1 and K2: their mistakes, and who is accused though correct."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from asura_verify.implementations import kept_textbook
from asura_verify.implementations.exhibit import Implementation
from asura_verify.implementations.kept_cases import HARD, kept_case
from asura_verify.implementations.kept_exhibits import KEPT_EXHIBITS, kinds
from asura_verify.implementations.kept_methods import KEPT_METHODS
from asura_verify.implementations.survey import Accused, Row, attempt, table
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

METHODS: dict[str, Implementation] = {"textbook": kept_textbook.run, **KEPT_METHODS}


def finds_rank(name: str, header: dict[str, Any]) -> bool:
    """Whether a method can run on these data: the textbook alone looks for the rank."""
    points = np.array(header["points"])
    points = points / np.maximum(np.linalg.norm(points, axis=0), 1e-300)
    return name == "textbook" or bool(np.linalg.matrix_rank(points, 1e-9) == points.shape[1])


def survey_kept_wrong(seeds: Iterable[int]) -> list[Row]:
    """Every exhibit with every ending, where its trace differs from the textbook's."""
    chosen, rows = list(seeds), []
    for exhibit in KEPT_EXHIBITS:
        row = Row(exhibit.mistake, exhibit.sampling)
        for seed in chosen:
            for kind in kinds(exhibit):
                header = kept_case(seed, kind=kind)
                lines = attempt(exhibit.run, header)
                if lines is None:
                    row.broken += 1
                elif lines != attempt(kept_textbook.run, header):
                    row.judged(exhibit, seed, check_lines(lines))
        rows.append(row)
    return rows


def survey_kept_correct(
    seeds: Iterable[int],
) -> tuple[int, int, list[Accused], dict[str, float]]:
    """Runs that were judged, those undecided, those accused, and the largest errors."""
    count = undecided = 0
    accused, worst = [], dict.fromkeys(METHODS, 0.0)
    for seed in seeds:
        for hard in HARD:
            header = kept_case(seed, hard=hard)
            for name, run in METHODS.items():
                lines = attempt(run, header) if finds_rank(name, header) else None
                if lines is None:
                    continue
                judgement = check_lines(lines)
                count += 1
                undecided += judgement.ruling is Ruling.UNDECIDED
                worst[name] = max(worst[name], judgement.worst)
                if judgement.ruling not in (Ruling.CONFORMS, Ruling.UNDECIDED):
                    accused.append(Accused(name, seed, hard, judgement))
    return count, undecided, accused, worst


def kept_page(instances: int, runs: int) -> str:
    """The section of the page."""
    rows = survey_kept_wrong(range(instances))
    count, undecided, accused, worst = survey_kept_correct(range(runs))
    differing, caught = sum(row.differing for row in rows), sum(row.caught for row in rows)
    named = sum(row.named["first"] + row.named["tied"] for row in rows)
    lines = [
        "## The variants that keep X_2",
        "",
        (
            f"Made by `python -m asura_verify.implementations variants {instances} {runs}`. The "
            "same for K1 and K2: their textbook with one line changed, with every ending and "
            "stopping rule that shows it. A forgotten coin is one wrong pick in a trace at most, "
            "too few to be sure of its name; over many traces the test of the picks sees it."
        ),
        "",
        f"**{caught} of {differing} wrong traces caught, {named} with the right name.**",
        "",
        table(rows),
        "",
        (
            f"{count} correct runs of {len(worst)} methods (one of them in binary32; the data ill "
            "conditioned, in units, of dependent columns, with zero, equal and light points, X_1 "
            "of hardly any rank, X_2 empty, gamma, nu and N near their ends): "
            f"**{len(accused)} accused**, {undecided} undecided."
        ),
        "",
        "| method | largest error, in units of its allowance |",
        "| --- | ---: |",
        *(f"| {name} | {value:.3f} |" for name, value in worst.items()),
    ]
    return "\n".join(lines)
