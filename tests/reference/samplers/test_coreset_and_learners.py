"""The baseline that reads every label, and the learners without randomness."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset, ridge
from asura.definiteness import positive_semidefinite
from asura.errors import IrrationalNumber, MissingLabel, SizeOutOfRange, UnknownName
from asura.randomness import Seed
from asura.samplers import barrier, coreset
from asura.samplers.barrier import fooling_labels
from asura.samplers.coreset import MOST_LOSS, LabelCoreset, squared_residuals
from asura.samplers.learners import GreedyInX, LargestVariance, NearestToBoundary
from asura.samplers.naming import REFUSED, named
from asura_verify.trees.sampler_laws import best, loss, normal, weighted
from tests.reference.kept.truth import labelled
from tests.reference.samplers.identities import DEFICIENT, DUPLICATES, PARABOLA


def kept_promises(data: Dataset, procedure: LabelCoreset) -> bool:
    """sum w x x^T >= X^T X/4, sum w e^2 <= OPT, at most 4 d points, and loss <= 5 OPT."""
    sample = weighted(procedure.sample(data))
    residuals = squared_residuals(data)
    optimum = sum(residuals, Fraction(0))
    below = normal(data, sample) * 4 - data.coordinates.gram()
    fit = active_regression(data, procedure)
    assert fit.loss is not None
    return bool(
        positive_semidefinite(below).holds
        and sum((w * residuals[i] for i, w in sample), Fraction(0)) <= optimum
        and len(sample) <= 4 * data.dimension
        and fit.loss.upper <= MOST_LOSS * optimum
    )


@settings(max_examples=25)
@given(labelled(maximal_dimension=2, maximal_size=5))
def test_the_coreset_keeps_its_promises(data: Dataset) -> None:
    assert sum(squared_residuals(data), Fraction(0)) == Fraction(str(loss(data, best(data))))
    assert kept_promises(data, LabelCoreset())


def test_a_coreset_that_reads_no_label_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With residuals forgotten, 1_S on the set that it would choose is too much for it."""
    ones = [[1]] * 12
    monkeypatch.setattr(coreset, "squared_residuals", lambda data: (Fraction(0),) * data.size)
    blind = LabelCoreset().sample(dataset(ones, labels=[0] * 12)).picks
    data = dataset(ones, labels=fooling_labels(blind, 12))
    assert not kept_promises(data, LabelCoreset())
    monkeypatch.undo()
    assert kept_promises(data, LabelCoreset())


def test_the_coreset_on_ridge_data_and_what_it_refuses() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2], [1, 3]], 3, labels=[1, 2, 0, 1])
    fit = active_regression(data, LabelCoreset())
    assert fit.ratio is not None
    assert fit.ratio.upper <= MOST_LOSS
    with pytest.raises(MissingLabel, match="reads every label"):
        LabelCoreset().sample(dataset([[1], [2]], labels=[1, None]))
    with pytest.raises(IrrationalNumber, match="squared scale 2"):
        LabelCoreset().sample(dataset([[1], [2]], squared_scales=[2, 1], labels=[1, 1]))
    assert barrier.STEPS_PER_DIMENSION == 4


@pytest.mark.parametrize("data", [PARABOLA, DUPLICATES, DEFICIENT])
def test_the_learners_buy_different_points(data: Dataset) -> None:
    for learner in (LargestVariance(3), GreedyInX(3), NearestToBoundary(3)):
        sample = learner.sample(data)
        assert len(set(sample.picks)) == 3
        assert all(w == 1 for w in sample.weights)
        assert active_regression(data, learner).determined or isinstance(learner, GreedyInX)


def test_they_ask_where_they_say() -> None:
    rows = [[1.0, 0.5], [0.25, 2.0], [3.0, -1.0], [-1.0, -1.0], [0.5, 0.125], [2.0, 2.0]]
    labels = [1, -1, 2, 0, 3, -2]
    data = dataset(rows, unlabelled=4, labels=labels)
    points, known = np.array(rows), [4, 5]
    gram = points[known].T @ points[known]
    variance = np.einsum("ni,ik,nk->n", points, np.linalg.inv(gram), points)[:4]
    assert LargestVariance(1).sample(data).picks == (int(np.argmax(variance)), 4, 5)
    beta = np.linalg.lstsq(points[known], np.array(labels, dtype=float)[known], rcond=None)[0]
    nearest = int(np.argmin(np.abs(points[:4] @ beta)))
    assert NearestToBoundary(1).sample(data).picks == (nearest, 4, 5)
    distance = np.min(((points[:4, None] - points[None, 4:]) ** 2).sum(axis=2), axis=1)
    assert GreedyInX(1).sample(data).picks == (int(np.argmax(distance)), 4, 5)


def test_labels_decide_for_uncertainty_only() -> None:
    rows = [[1, 0], [0, 1], [1, 1], [2, 1], [1, 2]]
    first = dataset(rows, unlabelled=3, labels=[0, 0, 0, 1, 5])
    second = dataset(rows, unlabelled=3, labels=[0, 0, 0, 5, 1])
    for blind in (LargestVariance(2), GreedyInX(2)):
        assert blind.sample(first).picks == blind.sample(second).picks
    assert NearestToBoundary(2).sample(first).picks != NearestToBoundary(2).sample(second).picks
    with pytest.raises(MissingLabel):
        NearestToBoundary(1).sample(dataset(rows, unlabelled=3, labels=[0, 0, 0, None, 1]))
    with pytest.raises(SizeOutOfRange):
        GreedyInX(4).sample(first)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_says_why(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        named(name, 3)
    assert REFUSED[name] in str(caught.value)


@pytest.mark.parametrize("learner", [LargestVariance(4), GreedyInX(4)])
def test_a_blind_choice_is_fooled(learner: LargestVariance) -> None:
    ones = [[1]] * 12
    picks = learner.sample(dataset(ones), Seed(0)).picks
    data = dataset(ones, labels=fooling_labels(picks, 12))
    ratio = active_regression(data, learner).ratio
    assert ratio is not None
    assert ratio.midpoint == 3
