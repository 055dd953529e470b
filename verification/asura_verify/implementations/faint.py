"""Faint mistakes: on some data they are caught, on others they are as small as roundings.

All other mistakes on data that hide much of what a trace shows are told in the same words.

They stay in the museum with what becomes of them. That one is not visible is computed, not claimed:
it moves no value farther from the textbook's than correct methods are from it themselves. What is
let through besides lies within what roundings can cost by the bounds that are proved, and correct
methods happen to stay farther inside.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import EXHIBITS, NAMELESS
from asura_verify.implementations.further import EVERY
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

_CHANCES = 'p = np.einsum("ni,ij,nj->n", U, E, U) / phi'
_SVD = "U, values, _ = np.linalg.svd(X, full_matrices=False)"
_WEIGHT = "weight = gamma / phi / float(p[index])"
_JITTER = "L = np.linalg.cholesky(X.T @ X + 1e-12 * np.eye(width))"
_SIDE = 'r, side="right")'

FAINT = (
    Exhibit(
        "probability-clipped-normalised",
        ((_CHANCES, f"{_CHANCES}; p = np.maximum(p, 1e-12); p = p / p.sum()"),),
    ),
    Exhibit(
        "ridge-jitter-1e-12",
        (
            (
                _SVD,
                f"{_JITTER}; U = np.linalg.solve(L, X.T).T; values = np.ones(U.shape[1])",
            ),
        ),
    ),
    Exhibit(
        "probability-by-difference",
        ((_CHANCES, f"{_CHANCES}; p = np.append(p[:-1], 1 - p[:-1].sum())"),),
    ),
    Exhibit(
        "weight-by-difference",
        (
            (
                _WEIGHT,
                "weight = gamma / phi / float(np.diff(cumulative, prepend=0.0)[index])",
            ),
        ),
    ),
    Exhibit("picks-tie-taken", ((_SIDE, 'r, side="left")'),), sampling=True),
)

#: Data on which they are tried.
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "a light point": {"tiny": True},
    "condition 10^3": {"decades": 3.0, "scaled": False},
    "condition 10^6": {"decades": 6.0, "scaled": False},
}
#: Data on which much is hidden, for all mistakes.
HIDING: dict[str, dict[str, Any]] = {
    "columns in units from 10^2 to 10^-2": {"units": 2.0, "scaled": False},
    "condition 10^6": SETTINGS["condition 10^6"],
    "condition 2.5 10^7": {"decades": 7.4, "scaled": False},
    "condition 10^8": {"decades": 8.0, "scaled": False},
}
#: Uniforms that are put on an end of the distribution function.
_TIES = 4


def tied(header: dict[str, Any]) -> dict[str, Any]:
    """The same data with uniforms that are partial sums of the probabilities, as doubles."""
    uniforms = list(header["uniforms"])
    for j in range(_TIES):
        step = json.loads(textbook.run(header | {"uniforms": uniforms}, uniforms)[1 + j])
        sums = np.cumsum(step["probabilities"])
        uniforms[j] = float((sums / sums[-1])[len(sums) // 2])
    return header | {"uniforms": uniforms}


def deviation(lines: Sequence[str], others: Sequence[str]) -> float:
    """The largest relative difference of a value, up to the first other pick; 1 for a pick.

    That of beta is relative to its largest entry.
    """
    largest = 0.0
    for one, other in zip(lines[1:-1], others[1:-1], strict=False):
        a, b = json.loads(one), json.loads(other)
        for name in ("phi", "p", "weight"):
            largest = max(largest, abs(a[name] / b[name] - 1) if b[name] else abs(a[name]))
        if a["index"] != b["index"]:
            return 1.0
    answers = [np.array(json.loads(each[-1]).get("beta", [])) for each in (lines, others)]
    if 0 < len(answers[0]) == len(answers[1]):
        most = np.max(np.abs(answers[1]))
        largest = max(largest, float(np.max(np.abs(answers[0] - answers[1])) / most) if most else 0)
    return largest


@dataclass(frozen=True, slots=True)
class FaintOutcome:
    """What becomes of one mistake on some data."""

    mistake: str
    data: str
    differing: int = 0
    caught: int = 0
    undecided: int = 0
    invisible: int = 0  # it conforms, and correct methods are farther off
    moved: float = 0.0  # the largest deviation of a trace that conforms
    honest: float = 0.0  # and the largest of a correct method on the same data
    share: float = 0.0  # the largest error of a trace that conforms, in units of its allowance

    @property
    def let_through(self) -> int:
        """Traces that conform though correct methods are closer to the textbook."""
        return self.differing - self.caught - self.undecided - self.invisible


def outcome(exhibit: Exhibit, data: str, seeds: Iterable[int]) -> FaintOutcome:
    """One mistake on data of one kind."""
    caught = undecided = invisible = differing = 0
    moved = honest = share = 0.0
    for seed in seeds:
        header = case(seed, **(SETTINGS | HIDING)[data])
        header = tied(header) if exhibit in FAINT and exhibit.sampling else header
        right, lines = attempt(textbook.run, header), attempt(exhibit.run, header)
        if right is None or lines is None or lines == right:
            continue
        differing += 1
        judgement = check_lines(lines)
        ruling = judgement.ruling
        caught += ruling in (Ruling.VIOLATES, Ruling.MALFORMED)
        undecided += ruling is Ruling.UNDECIDED
        if ruling is Ruling.CONFORMS:
            off, most = deviation(lines, right), _honest(header, right)
            invisible += off <= most
            moved, honest = max(moved, off), max(honest, most)
            share = max(share, judgement.worst)
    return FaintOutcome(
        exhibit.mistake, data, differing, caught, undecided, invisible, moved, honest, share
    )


def _honest(header: dict[str, Any], right: Sequence[str]) -> float:
    """How far correct methods of the same precision are from the textbook."""
    found = [0.0]
    for name, run in EVERY.items():
        lines = None if name.startswith(("single", "multi")) else attempt(run, header)
        if lines is not None:
            found.append(deviation(lines, right))
    return max(found)


def faint_page(seeds: Iterable[int]) -> str:
    """Every faint mistake on all data, as Markdown."""
    chosen = list(seeds)
    names = (
        "mistake", "data", "instances", "caught", "undecided", "not visible", "let through",
        "moved by", "correct methods differ by", "share of the allowance",
    )  # fmt: skip
    lines = [f"| {' | '.join(names)} |", "| --- | --- |" + " ---: |" * 8]
    for exhibit in FAINT:
        for data in SETTINGS:
            row = outcome(exhibit, data, chosen)
            sizes = f"{row.moved:.0e} | {row.honest:.0e} | {row.share:.2f}" if row.moved else "| |"
            lines.append(
                f"| `{row.mistake}` | {data} | {row.differing} | {row.caught} | {row.undecided} "
                f"| {row.invisible} | {row.let_through} | {sizes} |"
            )
    return "\n".join(lines)


def hidden_page(seeds: Iterable[int], exhibits: Sequence[Exhibit] = EXHIBITS + NAMELESS) -> str:
    """Every other mistake on data that hide much, as Markdown."""
    chosen = list(seeds)
    names = "data", "instances", "caught", "undecided", "conform", "moved by", "which"
    lines = [f"| {' | '.join(names)} |", "| --- |" + " ---: |" * 5 + " --- |"]
    for data in HIDING:
        found = [outcome(exhibit, data, chosen) for exhibit in exhibits]
        through = [row for row in found if row.invisible + row.let_through]
        moved = max((row.moved for row in through), default=None)
        counts = (
            sum(row.differing for row in found),
            sum(row.caught for row in found),
            sum(row.undecided for row in found),
            sum(row.invisible + row.let_through for row in through),
            "" if moved is None else f"{moved:.0e}",
            ", ".join(f"`{row.mistake}`" for row in through),
        )
        lines.append(f"| {data} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)
