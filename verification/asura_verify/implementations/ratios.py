"""`python -m asura_verify.implementations.ratios SEEDS`: the table of observed ratios.

For every correct method and every family of data the largest error that was seen, in units of what
it is allowed: how much slack there is. A ratio above 1 would be an accusation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from asura_verify.implementations.cases import case
from asura_verify.implementations.methods import METHODS
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling

#: Fields that depend on the data; the others are tied by relations.
FROM_DATA = ("phi", "p", "probabilities")

Family = Callable[[int], dict[str, Any]]


def _header(rows: Any, seed: int, gamma: float, **fields: Any) -> dict[str, Any]:
    rng = np.random.default_rng([17, seed])
    points = np.asarray(rows, dtype=float).tolist()
    length = int(3 * len(points[0]) / gamma**2) + 20
    return {
        "format": "asura-trace/1", "gamma": gamma, "points": points, "unlabelled": len(points),
        "labels": rng.standard_normal(len(points)).tolist(),
        "uniforms": rng.random(length).tolist(), **fields,
    }  # fmt: skip


def _drawn(seed: int, kind: int) -> tuple[np.random.Generator, int, int]:
    rng = np.random.default_rng([kind, seed])
    d = int(rng.integers(1, 5))
    return rng, d, d + int(rng.integers(2, 9))


def _light(seed: int) -> dict[str, Any]:
    rng, d, n = _drawn(seed, 1)
    return _header(rng.standard_normal((n, d)) * 10 ** rng.uniform(-9, 0, (n, 1)), seed, 0.25)


def _units(seed: int) -> dict[str, Any]:
    rng, d, n = _drawn(seed, 2)
    spread = rng.uniform(0, 5)
    return _header(rng.standard_normal((n, d)) * 10 ** np.linspace(spread, -spread, d), seed, 0.3)


def _ridge(seed: int) -> dict[str, Any]:
    """One lambda of 1e-16 to 1e12 for every column."""
    rng, d, n = _drawn(seed, 3)
    rows = np.vstack([rng.standard_normal((n, d)), np.eye(d)])
    scales = [1.0] * n + (10 ** rng.uniform(-16, 12, d)).tolist()
    return _header(rows, seed, 0.2, squared_scales=scales)


def _kernel(seed: int) -> dict[str, Any]:
    """Rows of K and of a root of lambda K, for a Gaussian kernel on a line."""
    rng, d, _ = _drawn(seed, 4)
    places = np.sort(rng.uniform(0, 2, d + 2))
    kernel = np.exp(-((places[:, None] - places[None, :]) ** 2) * 4)
    values, vectors = np.linalg.eigh(kernel)
    root = np.sqrt(0.1) * np.sqrt(np.maximum(values, 1e-12))[:, None] * vectors.T
    return _header(np.vstack([kernel, root]), seed, 0.3)


def _gammas(seed: int) -> dict[str, Any]:
    """From 0.02 to 0.49, and 0.01 in one dimension."""
    rng, d, n = _drawn(seed, 5)
    gamma = float(rng.choice([0.02, 0.05, 0.4, 0.45, 0.49])) if seed % 8 else 0.01
    d = 1 if gamma < 0.05 else d
    return _header(rng.standard_normal((n, d)), seed, gamma)


def _degenerate(seed: int) -> dict[str, Any]:
    """Points that are there twice, and zero points."""
    rng, d, n = _drawn(seed, 6)
    rows = rng.integers(-3, 4, (n, d)).astype(float)
    rows[:d] += 5 * np.eye(d)
    return _header(np.vstack([rows, rows[::2], np.zeros((2, d))]), seed, 0.3)


def _many(seed: int) -> dict[str, Any]:
    rng, d, _ = _drawn(seed, 7)
    return _header(rng.standard_normal((3000, d)), seed, 0.4)


FAMILIES: dict[str, Family] = {
    "museum": lambda seed: case(seed, scaled=None),
    "singular": lambda seed: case(seed, decades=2.0 + seed % 7, scaled=False),
    "light rows": _light,
    "units": _units,
    "ridge": _ridge,
    "kernel": _kernel,
    "gammas": _gammas,
    "degenerate": _degenerate,
    "n = 3000": _many,
}
#: Families of which few instances are drawn, since each takes long.
_SLOW = {"n = 3000": 20, "gammas": 2}


@dataclass
class Cell:
    """One method on one family."""

    runs: int = 0
    undecided: int = 0
    data: float = 0.0
    relations: float = 0.0

    def enter(self, judgement: Judgement) -> None:
        """One run."""
        self.runs += 1
        self.undecided += judgement.ruling is Ruling.UNDECIDED
        for field, ratio in judgement.ratios.items():
            if field in FROM_DATA:
                self.data = max(self.data, ratio)
            else:
                self.relations = max(self.relations, ratio)


def survey(
    seeds: Iterable[int],
) -> tuple[dict[tuple[str, str], Cell], list[tuple[str, str, int, Judgement]]]:
    """Every method on every family, and who is accused."""
    cells: dict[tuple[str, str], Cell] = {}
    accused = []
    for seed in seeds:
        for family, make in FAMILIES.items():
            if seed % _SLOW.get(family, 1):
                continue
            header = make(seed)
            for name, run in METHODS.items():
                if name == "multiprecision" and (seed % 10 or family in _SLOW):
                    continue
                lines = attempt(run, header)
                if lines is None:
                    continue  # breaks down, and says nothing
                judgement = check_lines(lines)
                cells.setdefault((name, family), Cell()).enter(judgement)
                if judgement.ruling not in (Ruling.CONFORMS, Ruling.UNDECIDED):
                    accused.append((name, family, seed, judgement))
    return cells, accused


def page(cells: dict[tuple[str, str], Cell], accused: int, seeds: int) -> str:
    """The tables, as Markdown."""
    runs = sum(cell.runs for cell in cells.values())
    undecided = sum(cell.undecided for cell in cells.values())
    head = f"| method | {' | '.join(FAMILIES)} |\n| --- |{' ---: |' * len(FAMILIES)}"

    def rows(part: Callable[[Cell], str]) -> str:
        return "\n".join(
            f"| `{name}` | "
            + " | ".join(part(cells[name, f]) if (name, f) in cells else "-" for f in FAMILIES)
            + " |"
            for name in METHODS
        )

    return f"""# Observed ratios

The largest error that a correct method shows, in units of what it is allowed: how much slack the
oracle has. 1 would be an accusation. `python -m asura_verify.implementations.ratios {seeds}` wrote
this page: {runs} runs, {accused} accused, {undecided} undecided (their precision decides too
little on their data). A method that breaks down on some data says nothing there.

Values that depend on the data (phi, p, probabilities), by `truth/stated.py`:

{head}
{rows(lambda cell: f"{cell.data:.0e}")}

Relations, beta and the whitening, by `views/relations.py` and `views/least_squares.py`:

{head}
{rows(lambda cell: f"{cell.relations:.2f}")}

Runs, and how many of them are undecided:

{head}
{rows(lambda cell: f"{cell.runs}" + (f" ({cell.undecided})" if cell.undecided else ""))}
"""


def main() -> None:
    """Print the page; accused runs go to standard error."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    cells, accused = survey(range(seeds))
    for name, family, seed, judgement in accused:
        print(f"accused: {name} on {family}, seed {seed}: {judgement.first}", file=sys.stderr)
    print(page(cells, len(accused), seeds), end="")


if __name__ == "__main__":
    main()
