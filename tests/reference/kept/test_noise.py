"""Bounds on E|v|^2 of the procedures that can be screened; those of trees are in `test_trees`."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.arithmetic import DoubleArithmetic
from asura.dataset import Dataset, dataset, ridge
from asura.guarantees import sure_excess
from asura.kept.noise import (
    asura_candidate,
    asura_noise,
    coin_candidate,
    iid_candidate,
    leverage_candidate,
    one_sided_candidate,
    two_sided_candidate,
)
from asura.kept.screening import Candidate, Screened, promises, screen
from asura.randomness import Seed
from asura.sampling import LeverageSampling
from asura_verify.trees.kept_truth import Truth
from tests.reference.kept.truth import labelled


@given(labelled(maximal_size=5), st.fractions(min_value="1/4", max_value=6))
def test_the_noise_of_leverage_scores(data: Dataset, size: Fraction) -> None:
    """Every set of points that leverage-score sampling can take, X_2 sampled as well."""
    candidate = leverage_candidate(data, size, screen(0))
    procedure = candidate.procedure
    assert isinstance(procedure, LeverageSampling)
    chances, truth = procedure.probabilities(data), Truth(data)
    mean = Fraction(0)
    for taken in product((False, True), repeat=data.size):
        chance, weights = Fraction(1), {}
        for index, included in enumerate(taken):
            chance *= chances[index] if included else 1 - chances[index]
            if included and chances[index]:
                weights[index] = 1 / chances[index]
        if chance:
            mean += chance * truth.noise(weights)
    assert mean <= candidate.noise * truth.optimum()


def candidates(data: Dataset) -> list[Candidate]:
    chosen = screen("1/4", 7)
    doubles = DoubleArithmetic()
    return [
        coin_candidate(data, "1/8", chosen),
        iid_candidate(data, 6, chosen),
        two_sided_candidate(data, "1/4", 1, chosen, arithmetic=doubles),
        two_sided_candidate(data, "1/4", 1, chosen, ending="clip", arithmetic=doubles),
        one_sided_candidate(data, 6, "1/3", chosen, arithmetic=doubles),
        leverage_candidate(data, 5, chosen),
        asura_candidate(data, "2/5", "1/2", chosen, arithmetic=doubles),
    ]


def test_every_procedure_is_screened_and_keeps_its_budget() -> None:
    data = ridge([[1, k % 4 - 1] for k in range(12)], 3, labels=[k % 3 for k in range(12)])
    every = candidates(data)
    for promise in promises(data, every, trials=25, alpha=Fraction(1, 100)):
        candidate = promise.candidate
        assert promise.accepted > 0
        assert promise.epsilon is not None
        assert promise.epsilon > candidate.noise
        fit = active_regression(
            data, Screened(candidate.procedure, candidate.screen), chooser=Seed(1)
        )
        assert fit.paid <= 7


def test_nothing_to_sample() -> None:
    data = dataset([[1], [2]], unlabelled=0, labels=[1, 2])
    assert two_sided_candidate(data, "1/5", 1, screen(1)).noise == 0
    assert iid_candidate(data, 3, screen(1)).noise == 0


def test_bad_input_is_named() -> None:
    data = dataset([[1], [2]], unlabelled=1)
    with pytest.raises(errors.DrawsOutOfRange):
        iid_candidate(data, 0, screen(1))
    with pytest.raises(errors.DrawsOutOfRange):
        one_sided_candidate(data, 0, "1/2", screen(1))
    with pytest.raises(errors.DrawsOutOfRange, match="expected size = -1"):
        leverage_candidate(data, -1, screen(1))


def test_the_noise_of_asura_is_that_of_the_sure_bound() -> None:
    """noise/least^2 with l_m/mid >= 1 - 2 gamma - 2 gamma/T is the bound of the sure rule."""
    for gamma, level in ((Fraction(1, 6), Fraction(1)), (Fraction(1, 10), Fraction(2))):
        for d in (1, 3):
            least = 1 - 2 * gamma - 2 * gamma / level
            assert asura_noise(d, gamma, level) / least**2 == sure_excess(gamma, level, d)
