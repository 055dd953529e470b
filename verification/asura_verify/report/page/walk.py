"""One run of Algorithm 2 in the plane, state by state, for a reader to step through."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from asura.dataset import Dataset, ridge
from asura.randomness import Seed
from asura.run import Run, run
from asura.scalars import fraction

GAMMA = Fraction(1, 8)
SEED = 3
POINTS = (("2", "0"), ("3/2", "1"), ("1", "3/2"), ("0", "1"), ("-1/2", "1"), ("-1", "1/2"))
RIDGE = 1


@dataclass(frozen=True)
class Moment:
    """State j, and what iteration j does; the last state does nothing any more.

    `ellipse` has the eigenvalues of A_j, larger first, and the angle of the first eigenvector.
    """

    iteration: int
    upper: float
    lower: float
    ellipse: tuple[float, float, float]
    potential: float | None
    probabilities: tuple[float, ...]
    pick: int | None
    weight: float | None


@dataclass(frozen=True)
class Walk:
    """The run: its data and its moments."""

    gamma: str
    seed: int
    names: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    moments: tuple[Moment, ...]
    labels_paid: int


def walk_data() -> Dataset:
    """Six points in the plane to be queried, and the two points of a ridge."""
    return ridge(POINTS, RIDGE)


def certified_run() -> Run[arb, arb_mat]:
    """The run in balls, in which every pick and every stop is decided."""
    return run(walk_data(), GAMMA, chooser=Seed(SEED))


def _rounded(value: float) -> float:
    """Six significant digits."""
    return float(f"{value:.6g}")


def _doubles(rows: object) -> NDArray[np.float64]:
    return np.asarray(rows, dtype=np.float64)


def walk() -> Walk:
    """The moments of the run; A_j in the orthonormal coordinates U(x), rounded for the eye."""
    done = certified_run()
    coordinates = done.data.coordinates
    gram = _doubles([[float(fraction(x)) for x in row] for row in coordinates.gram().tolist()])
    rows = _doubles([[float(fraction(x)) for x in row] for row in coordinates.rows.tolist()])
    scales = np.sqrt([float(fraction(c)) for c in coordinates.squared_scales])
    basis = np.linalg.inv(np.linalg.cholesky(gram)).T
    places = (scales[:, None] * rows) @ basis
    accumulated = np.zeros((2, 2))
    moments = []
    for record, step in zip(done.iterations, done.steps(), strict=True):
        masses = record.distribution.masses
        with done.arithmetic.working():
            probabilities = [
                float(done.arithmetic.enclosure(record.distribution.probability(i)))
                for i in range(len(masses))
            ]
        moments.append(
            Moment(
                step.iteration,
                _rounded(float(step.upper)),
                _rounded(float(step.lower)),
                _ellipse(accumulated),
                _rounded(float(step.potential)),
                tuple(_rounded(p) for p in probabilities),
                step.index,
                _rounded(float(step.weight)),
            )
        )
        place = places[step.index]
        accumulated = accumulated + float(step.weight) * np.outer(place, place)
    moments.append(
        Moment(
            done.length,
            _rounded(float(done.upper)),
            _rounded(float(done.lower)),
            _ellipse(accumulated),
            None,
            (),
            None,
            None,
        )
    )
    names = tuple(f"({', '.join(point)})" for point in POINTS)
    return Walk(
        str(GAMMA),
        SEED,
        (*names, "ridge, first axis", "ridge, second axis"),
        tuple((_rounded(float(x)), _rounded(float(y))) for x, y in places),
        tuple(moments),
        done.distinct_labels,
    )


def _ellipse(matrix: NDArray[np.float64]) -> tuple[float, float, float]:
    values, vectors = np.linalg.eigh(matrix)
    angle = math.degrees(math.atan2(float(vectors[1, 1]), float(vectors[0, 1])))
    larger, smaller = (max(0.0, float(value)) for value in (values[1], values[0]))
    return _rounded(larger), _rounded(smaller), _rounded(angle)
