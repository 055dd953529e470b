"""Bounds on E|v|^2 of the samplers of the field, against the whole law in rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset, ridge
from asura.kept.screening import Candidate, Screen, Screened, promises, screen
from asura.randomness import Seed
from asura.samplers.decisions import Decided
from asura.samplers.noise import (
    iid_leverage_candidate,
    process_candidate,
    ridge_leverage_candidate,
    uniform_candidate,
    volume_candidate,
)
from asura_verify.trees.kept_truth import Truth
from asura_verify.trees.sampler_laws import law
from tests.reference.kept.truth import labelled

Made = Callable[[Dataset, int, Screen], Candidate]

#: Each with whether X_2 is kept, so that its bound is relative to OPT_1.
SAMPLERS: dict[str, tuple[Made, bool]] = {
    "uniform": (uniform_candidate, False),
    "uniform-replaced": (
        lambda data, size, chosen: uniform_candidate(data, size, chosen, replacement=True),
        False,
    ),
    "leverage-iid": (iid_leverage_candidate, False),
    "ridge-leverage": (ridge_leverage_candidate, True),
    "volume": (volume_candidate, False),
    "ridge-dpp": (lambda data, _, chosen: process_candidate(data, chosen), True),
}


def mean_noise(data: Dataset, candidate: Candidate) -> Fraction:
    """E|v|^2, by the whole law."""
    truth, mean = Truth(data), Fraction(0)
    for chance, weighted in law(cast("Decided", candidate.procedure), data):
        weights: dict[int, Fraction] = {}
        for index, weight in weighted:
            weights[index] = weights.get(index, Fraction(0)) + weight
        mean += chance * truth.noise(weights)
    return mean


def within(data: Dataset, candidate: Candidate, *, kept: bool) -> bool:
    optimum = Truth(data).optimum(data.unlabelled if kept else None)
    return mean_noise(data, candidate) <= candidate.noise * optimum


@pytest.mark.parametrize("name", SAMPLERS)
@given(labelled(maximal_dimension=2, maximal_size=5), st.integers(1, 3))
def test_the_noise_is_below_its_bound(name: str, data: Dataset, size: int) -> None:
    made, kept = SAMPLERS[name]
    assume(name != "volume" or data.dimension <= size <= data.size)
    assume(name != "uniform" or size <= data.size)
    assert within(data, made(data, size, screen(0)), kept=kept)


#: Two equal points with opposite labels, alone and beside a ridge.
PAIR = dataset([[1], [1]], labels=[1, -1])
KEPT = ridge([[1], [1]], 1, labels=[1, -1])


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_bound_that_is_too_small_is_seen(name: str) -> None:
    """Planted: a quarter of each bound."""
    made, kept = SAMPLERS[name]
    data = KEPT if kept else PAIR
    honest = made(data, 1, screen(0))
    share = mean_noise(data, honest) / Truth(data).optimum(data.unlabelled if kept else None)
    assert honest.noise / 4 < share <= honest.noise
    planted = Candidate(honest.procedure, honest.noise / 4, honest.screen)
    assert not within(data, planted, kept=kept)


@pytest.mark.parametrize("name", SAMPLERS)
def test_every_sampler_is_screened_and_keeps_its_budget(name: str) -> None:
    data = ridge([[1, k % 4 - 1] for k in range(9)], 3, labels=[k % 3 for k in range(9)])
    candidate = SAMPLERS[name][0](data, 6, screen("1/8", 6))
    (promise,) = promises(data, [candidate], trials=20, alpha=Fraction(1, 100))
    assert promise.accepted > 0
    assert promise.epsilon is not None
    assert promise.epsilon > candidate.noise
    fit = active_regression(data, Screened(candidate.procedure, candidate.screen), chooser=Seed(1))
    assert fit.paid <= 6


@pytest.mark.parametrize(
    ("made", "size"), [(uniform_candidate, 3), (iid_leverage_candidate, 0), (volume_candidate, 0)]
)
def test_sizes_that_do_not_exist_are_refused(made: Made, size: int) -> None:
    with pytest.raises(errors.SizeOutOfRange):
        made(PAIR, size, screen(0))
