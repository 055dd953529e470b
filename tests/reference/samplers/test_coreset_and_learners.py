"""The baseline that reads every label, and the learners without randomness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset, ridge
from asura.definiteness import positive_semidefinite
from asura.errors import (
    BarrierCrossed,
    IrrationalNumber,
    MissingLabel,
    SizeOutOfRange,
    UnknownName,
)
from asura.kept.bounds import one_sided_least
from asura.randomness import Seed
from asura.samplers import coreset
from asura.samplers.barrier import fooling_labels
from asura.samplers.coreset import (
    Construction,
    CoresetState,
    CoresetStep,
    LabelCoreset,
    Residuals,
    residuals,
)
from asura.samplers.learners import GreedyInX, LargestVariance, NearestToBoundary
from asura.samplers.naming import REFUSED, named
from asura.scalars import point, rational
from asura_verify.trees.sampler_laws import best, loss, normal, weighted
from tests.reference.kept.truth import labelled
from tests.reference.samplers.identities import DEFICIENT, DUPLICATES, PARABOLA


def kept_promises(data: Dataset, procedure: LabelCoreset) -> bool:
    """M >= 1 - nu - (1 - nu^2) x/nu, at most 2 N + 1 points, and the loss that is promised."""
    sample = weighted(procedure.sample(data))
    promised = procedure.parameters(data)
    squares = residuals(data).squares
    first = sum(squares[: data.unlabelled], Fraction(0))
    least = rational(one_sided_least(promised.ratio, promised.nu, Fraction(1)))
    below = normal(data, sample) - data.coordinates.gram() * least
    fit = active_regression(data, procedure)
    assert fit.loss is not None
    bought = [i for i, _ in sample if i < data.unlabelled]
    return bool(
        positive_semidefinite(below).holds
        and len(bought) == len(set(bought)) <= promised.most
        and fit.loss.upper <= sum(squares, Fraction(0)) + promised.excess * first
    )


@settings(max_examples=25)
@given(labelled(maximal_dimension=2, maximal_size=5), st.sampled_from([2, 1, Fraction(1, 3)]))
def test_the_coreset_keeps_its_promises(data: Dataset, epsilon: Fraction) -> None:
    assert sum(residuals(data).squares, Fraction(0)) == Fraction(str(loss(data, best(data))))
    procedure = LabelCoreset(Fraction(epsilon))
    assert kept_promises(data, procedure)
    assert procedure.parameters(data).excess <= epsilon


@pytest.mark.parametrize("epsilon", [1, Fraction(1, 4), Fraction(1, 50)])
def test_the_size_is_of_the_order_of_the_reduced_rank_over_epsilon(epsilon: Fraction) -> None:
    ones = dataset([[1]] * 5, labels=[1] * 5)
    assert LabelCoreset(Fraction(epsilon)).parameters(ones).most <= 32 / epsilon + 1


def test_a_coreset_that_reads_no_label_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With residuals forgotten, 1_S on the set that it would choose is too much for it."""
    ones = [[1]] * 60
    blind_to = lambda data: Residuals((fmpq(0),) * data.size, (Fraction(0),) * data.size)  # noqa: E731
    monkeypatch.setattr(coreset, "residuals", blind_to)
    blind = LabelCoreset().sample(dataset(ones, labels=[0] * 60)).picks
    data = dataset(ones, labels=fooling_labels(blind, 60))
    assert active_regression(data, LabelCoreset()).ratio == point(Fraction(60, len(blind)))
    monkeypatch.undo()
    assert kept_promises(data, LabelCoreset())


@pytest.mark.parametrize("planted", ["growth", "weight"])
def test_a_wrong_step_is_caught(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too fast, or too light: Psi or a promise tells."""
    data = ridge(
        [[i % 3, (i * i) % 5] for i in range(40)], 1, labels=[(7 * i) % 11 for i in range(40)]
    )
    assert kept_promises(data, LabelCoreset())
    whole = Construction.candidates

    def wrong(self: Construction, state: CoresetState, *, shorten: bool) -> Iterator[CoresetStep]:
        for step in whole(self, state, shorten=shorten):
            if planted == "growth":
                yield replace(step, growth=min(3 * step.growth, 1 - state.progress))
            else:
                yield replace(step, weight=step.weight / 50)

    monkeypatch.setattr(Construction, "candidates", wrong)
    try:
        assert not kept_promises(data, LabelCoreset())
    except BarrierCrossed:
        return


def test_the_numbers_stay_short() -> None:
    """Weights of 24 bits, and some steps of equal points added up."""
    data = ridge(
        [[i % 3, (i * i) % 5] for i in range(40)], 1, labels=[(7 * i) % 11 for i in range(40)]
    )
    sample = LabelCoreset().sample(data)
    assert max(len(str(weight)) for weight in sample.weights) < 40


def test_the_coreset_on_ridge_data_and_what_it_refuses() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2], [1, 3]], 3, labels=[1, 2, 0, 1])
    for procedure in (LabelCoreset(), LabelCoreset(size=12)):
        assert kept_promises(data, procedure)
        fit = active_regression(data, procedure)
        assert fit.ratio is not None
        assert fit.ratio.upper <= 2
    assert named("coreset") == LabelCoreset()
    assert named("coreset", 12) == LabelCoreset(size=12)
    assert LabelCoreset().sample(dataset([[0], [1]], unlabelled=1, labels=[5, 1])).picks == (1,)
    with pytest.raises(SizeOutOfRange, match="more than 4 R"):
        LabelCoreset(size=3).sample(data)
    with pytest.raises(MissingLabel, match="reads every label"):
        LabelCoreset().sample(dataset([[1], [2]], labels=[1, None]))
    with pytest.raises(IrrationalNumber, match="squared scale 2"):
        LabelCoreset().sample(dataset([[1], [2]], squared_scales=[2, 1], labels=[1, 1]))


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
