"""The exact expectations of `asura_verify.trees.sampler_laws`, and data to try them on."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from asura.dataset import Dataset, dataset
from asura.randomness import Uniforms
from asura.samplers.decisions import SampleOutcome, outcomes


def inside(outcome: SampleOutcome) -> Iterable[Uniforms]:
    """The smallest uniforms of the box of an outcome, and uniforms close to its upper corner."""
    yield Uniforms(tuple(low for low, _ in outcome.box))
    yield Uniforms(tuple(high - (high - low) / 2**70 for low, high in outcome.box))


def drawn_as_enumerated(procedure: Any, data: Dataset) -> None:
    """The boxes of all outcomes have total volume 1, and uniforms in a box draw its sample."""
    volume = Fraction(0)
    for outcome in outcomes(procedure, data):
        volume += outcome.probability
        for chooser in inside(outcome):
            assert procedure.sample(data, chooser) == outcome.sample
    assert volume == 1


PARABOLA = dataset(
    [[1, 0], [1, 1], [1, 2], [1, 3], [1, 5]], labels=[1, 0, 2, 1, 4]
)  # in general position
DUPLICATES = dataset(
    [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]], labels=[1, 3, 0, 2, 1]
)  # two pairs of equal rows
DEFICIENT = dataset(
    [[1, 2], [2, 4], [0, 0], [3, 6]], labels=[1, 1, 5, 2]
)  # of rank one, with a zero row
SCALED = dataset([[1, 0], [1, 1], [0, 2], [1, 3]], squared_scales=[2, "1/3", 1, 5])
