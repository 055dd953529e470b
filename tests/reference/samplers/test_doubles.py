"""The law of the double path itself: every way its choices can go, with the doubles it computes.

Nothing is drawn. A choice among masses has the probabilities that these doubles denote, so that
the whole law is known exactly, and its distance from the exact law is measured, not estimated.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from asura.dataset import Dataset, dataset
from asura.samplers import doubles
from asura.samplers.doubles import basis, in_doubles, projection
from asura.samplers.volume import VolumeSampling

Sets = dict[tuple[int, ...], Fraction]

#: Total variation that roundings of these sizes may cause: 2^-53 times some hundred operations.
FEW = Fraction(1, 2**44)

PROBLEMS: dict[str, tuple[Dataset, Fraction]] = {
    "parabola": (dataset([[1, 0, 0], [1, 1, 1], [1, 2, 4], [1, 3, 9], [1, 5, 25]]), FEW),
    "equal points": (dataset([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]]), FEW),
    "a zero point": (dataset([[0, 0], [1, 2], [3, -1], [2, 2]]), FEW),
    "deficient": (dataset([[1, 2], [2, 4], [-3, -6]]), FEW),
    "one heavy point": (dataset([[1, 0], [1, 1], [1, 2], [10**6, 3]]), FEW),
    # The condition number 2^20 of these columns is lost, and no more.
    "nearly dependent": (
        dataset([[1, 1], [1, 1 + Fraction(1, 2**20)], [1, 1 - Fraction(1, 2**20)]]),
        FEW * 2**20,
    ),
}


class ImpossibleError(Exception):
    """A choice of mass 0."""


class Scripted:
    """Answers the choices of the double path along a path, and notes their probabilities."""

    def __init__(self, path: tuple[int, ...]) -> None:
        self.path, self.made, self.probability = path, 0, Fraction(1)

    def among(self, masses: Any) -> int:
        """The next index of the path."""
        index = self.path[self.made]
        self.made += 1
        exact = [Fraction(float(mass)) for mass in masses]
        self.probability *= exact[index] / sum(exact)
        if not self.probability:
            raise ImpossibleError
        return index


def law_in_doubles(data: Dataset, draw: Callable[..., list[int]] = projection) -> Sets:
    """P(T) of the sets of d points, by the doubles that the program computes."""
    orthonormal = basis(in_doubles(data))
    found: Sets = {}
    for path in itertools.permutations(range(data.size), orthonormal.shape[1]):
        script = Scripted(path)
        try:
            draw(orthonormal, script)
        except ImpossibleError:
            continue
        chosen = tuple(sorted(path))
        found[chosen] = found.get(chosen, Fraction(0)) + script.probability
    return found


def distance(data: Dataset, found: Sets) -> Fraction:
    """The total variation distance from volume sampling of size d."""
    volume = VolumeSampling(data.dimension)
    gaps = (abs(p - volume.probability(data, chosen)) for chosen, p in found.items())
    return sum(gaps, Fraction(0)) / 2


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_law_of_the_doubles_is_the_law_up_to_rounding(name: str) -> None:
    data, allowed = PROBLEMS[name]
    found = law_in_doubles(data)
    assert abs(sum(found.values(), Fraction(0)) - 1) <= FEW
    assert distance(data, found) <= allowed


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "deficient"])
def test_a_wrong_double_path_is_seen(name: str) -> None:
    """Planted: the masses are not reduced by what the chosen points explain."""

    def careless(orthonormal: Any, stream: Any) -> list[int]:
        masses = np.einsum("ni,ni->n", orthonormal, orthonormal)
        chosen: list[int] = []
        for _ in range(orthonormal.shape[1]):
            chosen.append(stream.among(masses))
            masses[chosen] = 0.0
        return chosen

    data, _ = PROBLEMS[name]
    assert distance(data, law_in_doubles(data, careless)) > Fraction(1, 10**4)


@pytest.mark.parametrize("name", PROBLEMS)
def test_scores_in_doubles_are_the_scores_up_to_rounding(name: str) -> None:
    data, allowed = PROBLEMS[name]
    found = doubles.leverage_scores(in_doubles(data))
    volume = VolumeSampling(data.dimension)
    exact = volume.inclusion(data)
    gap = max(abs(Fraction(float(a)) - b) for a, b in zip(found, exact, strict=True))
    assert gap <= allowed


def test_cut_points_err_as_the_docstring_says() -> None:
    """Cumulated sums of n doubles, against exact ones: n 2^-53 of the whole at most."""
    masses = np.random.default_rng(3).random(2000) ** 8
    sums = np.cumsum(masses)
    exact = list(itertools.accumulate(Fraction(float(mass)) for mass in masses))
    gap = max(abs(Fraction(float(a)) - b) for a, b in zip(sums, exact, strict=True))
    assert gap <= Fraction(len(masses), 2**53) * exact[-1]
