"""K4, K5 and the two stages: every outcome enumerated, every bound kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.arithmetic import BallArithmetic
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import leverage_scores, reduced_rank
from asura.kept.bounds import shrunken_excess, zero_label_excess
from asura.kept.coins import coins, leverages
from asura.kept.estimators import Estimator, KeptOnly, LeastSquares, Shrunken, TwoStage
from asura.kept.heavy import HeavyFirst, heaviest, with_labelled
from asura.kept.iid import IidLeverage
from asura.kept.measures import measured
from asura.kept.runs import one_sided_sampling
from asura.randomness import Picks, Seed
from asura.scalars import rational
from asura_verify.trees.kept_truth import Truth
from tests.reference.kept.truth import labelled


def excess(data: Dataset, beta: tuple[Any, ...]) -> Fraction:
    """|X (beta - beta*)|^2 from the original coordinates."""
    truth = Truth(data)
    loss = Fraction(0)
    for row, label in zip(data.points, data.labels, strict=True):
        assert label is not None
        value = sum((x * b.midpoint for x, b in zip(row, beta, strict=True)), Fraction(0))
        loss += (value - label) ** 2
    return loss - truth.optimum()


def outcomes(data: Dataset, draws: int) -> Iterator[tuple[Fraction, Picks]]:
    """All sequences of independent draws by leverage."""
    scores = leverages(data)
    rank = sum(scores, Fraction(0))
    possible = [index for index, score in enumerate(scores) if score]
    for picks in itertools.product(possible, repeat=draws):
        chance = Fraction(1)
        for index in picks:
            chance *= scores[index] / rank
        yield chance, Picks(picks)


def mean_excess(data: Dataset, estimator: Estimator, draws: int) -> Fraction:
    return sum(
        (
            chance * excess(data, estimator.estimate(data, picks).beta)
            for chance, picks in outcomes(data, draws)
        ),
        Fraction(0),
    )


def spanning(data: Dataset) -> bool:
    return reduced_rank(data) > 0 and measured(data).norm < 1


@given(labelled(maximal_size=5))
def test_no_label(data: Dataset) -> None:
    size = measured(data)
    bound = zero_label_excess(size.norm)
    assume(bound is not None)
    assert bound is not None
    estimate = LeastSquares(KeptOnly()).estimate(data, Seed(0))
    assert (estimate.paid, estimate.draws) == (0, 0)
    assert excess(data, estimate.beta) <= bound * Truth(data).optimum()


@given(labelled(maximal_dimension=2, maximal_size=5), st.integers(1, 2))
def test_the_shrunken_estimator(data: Dataset, draws: int) -> None:
    assume(spanning(data))
    size = measured(data)
    bound = shrunken_excess(size.rank, size.norm, draws)
    assert bound is not None
    shrinkage = bound * (1 - size.norm) / size.norm
    assert 0 < shrinkage < 1
    # N = R (1 - eps lambda)/(eps (1 - delta)), as the theorem asks for.
    assert draws == size.rank * (1 - shrinkage) / (bound * (1 - size.norm))
    found = mean_excess(data, Shrunken(draws, shrinkage), draws)
    assert found <= bound * Truth(data).optimum()


def test_without_shrinking_the_bound_is_missed() -> None:
    """Planted: s = 0. Two light points with opposite labels."""
    noisy = dataset([[1], [1], [3]], unlabelled=2, labels=[5, -5, 0])
    size = measured(noisy)
    bound = shrunken_excess(size.rank, size.norm, 1)
    assert bound is not None
    shrinkage = bound * (1 - size.norm) / size.norm
    optimum = Truth(noisy).optimum()
    assert mean_excess(noisy, Shrunken(1, shrinkage), 1) <= bound * optimum
    assert mean_excess(noisy, Shrunken(1, Fraction(0)), 1) > bound * optimum


@given(labelled(maximal_dimension=2, maximal_size=5), st.integers(1, 2))
def test_independent_draws_with_x2_kept(data: Dataset, draws: int) -> None:
    assume(spanning(data))
    size = measured(data)
    bound = size.rank / draws / (1 - size.norm) ** 2
    found = mean_excess(data, LeastSquares(IidLeverage(draws)), draws)
    assert found <= bound * Truth(data).optimum(data.unlabelled)


@given(labelled(maximal_dimension=2, maximal_size=5), st.integers(1, 2))
def test_the_second_stage_has_no_bias(data: Dataset, draws: int) -> None:
    """E[beta | pilot] = beta*, and the excess is at most R/N times the pilot's loss on X_1."""
    assume(spanning(data))
    truth = Truth(data)
    estimator = TwoStage(KeptOnly(), draws)
    mean = [Fraction(0)] * data.width
    for chance, picks in outcomes(data, draws):
        beta = estimator.estimate(data, picks).beta
        mean = [m + chance * b.midpoint for m, b in zip(mean, beta, strict=True)]
    predictions = [
        sum((x * m for x, m in zip(row, mean, strict=True)), Fraction(0)) for row in data.points
    ]
    residuals = [Fraction(str(e)) for e in truth.residuals]
    for label, value, residual in zip(data.labels, predictions, residuals, strict=True):
        assert label is not None
        assert label - value == residual
    pilot = LeastSquares(KeptOnly()).estimate(data, Seed(0)).beta
    loss = sum(
        (
            (sum((x * b.midpoint for x, b in zip(row, pilot, strict=True)), Fraction(0)) - y) ** 2
            for row, y in zip(data.points[: data.unlabelled], data.labels, strict=False)
            if y is not None
        ),
        Fraction(0),
    )
    assert mean_excess(data, estimator, draws) <= reduced_rank(data) / draws * loss


def test_two_stages_from_a_seed() -> None:
    """The pilot by K2, in balls; the stages use different randomness, labels are paid once."""
    data = ridge([[1, k % 4 - 1] for k in range(12)], 2, labels=[k % 5 for k in range(12)])
    estimator = TwoStage(one_sided_sampling(6, "1/3"), 5)
    estimate = estimator.estimate(data, Seed(2))
    assert estimate.paid <= estimate.draws
    assert estimate.draws >= 5
    again = estimator.estimate(data, Seed(2))
    assert again.beta == estimate.beta
    hidden = ridge([[1, k % 4 - 1] for k in range(12)], 2)
    with pytest.raises(errors.MissingLabel):
        estimator.estimate(hidden, Seed(2))


def test_estimators_need_a_first_solution() -> None:
    data = dataset([[1, 0], [0, 1], [1, 0]], unlabelled=2, labels=[1, 1, 1])
    for estimator in (Shrunken(2, Fraction(1, 2)), TwoStage(KeptOnly(), 1)):
        with pytest.raises(errors.NotSpanning):
            estimator.estimate(data, Seed(0))
    with pytest.raises(errors.NotSpanning):
        Shrunken(1, Fraction(0)).estimate(dataset([[1]], labels=[1]), Seed(0))


def test_irrational_scales_need_balls() -> None:
    data = dataset([[1], [1], [1]], unlabelled=2, squared_scales=[2, 2, 3], labels=[1, 2, 0])
    with pytest.raises(errors.IrrationalNumber):
        Shrunken(2, Fraction(1, 3)).estimate(data, Seed(0))
    balls = Shrunken(2, Fraction(1, 3), BallArithmetic()).estimate(data, Seed(0))
    # beta_2 = 0; both draws give (2/3)(R/l)(1/2) G^-1 sqrt(2) y = (2/3)(2)(1/2)(1/7) sqrt(2) y.
    total = {2: 2, 1: 3, 0: 4}[sum(1 for y in _drawn(data, 2) if y == 0)]
    square = (Fraction(2, 21) * total) ** 2 * 2
    assert balls.beta[0].lower ** 2 <= square <= balls.beta[0].upper ** 2


def _drawn(data: Dataset, draws: int) -> list[int]:
    return list(IidLeverage(draws).sample(data, Seed(0)).picks[:draws])


# --- heavy points -------------------------------------------------------------------------------


@given(labelled(), st.integers(0, 4))
def test_moving_points_leaves_the_leverages(data: Dataset, count: int) -> None:
    bought = heaviest(data, min(count, data.unlabelled))
    moved, order = with_labelled(data, bought)
    scores = leverage_scores(data)
    assert leverage_scores(moved) == tuple(scores[index] for index in order)
    assert sorted(order) == list(range(data.size))
    paid = sum((scores[index] for index in bought), Fraction(0))
    assert reduced_rank(moved) == reduced_rank(data) - paid
    light = [scores[i] for i in range(data.unlabelled) if i not in bought]
    assert all(scores[i] >= score for i in bought for score in light)
    assert moved.labels == tuple(data.labels[index] for index in order)


def test_heavy_points_are_paid_for_once() -> None:
    data = dataset([[1], [9], [1], [2], [1]], unlabelled=4, labels=[1, 2, 3, 4, 5])
    procedure = HeavyFirst(heaviest(data, 1), one_sided_sampling(2, "1/3"))
    sample = procedure.sample(data, Seed(1))
    assert sample.picks.count(1) == 1
    place = sample.picks.index(1)
    assert sample.arithmetic.enclosure(sample.weights[place]).midpoint == 1
    fit = active_regression(data, procedure, chooser=Seed(1))
    assert fit.paid == len({index for index in fit.picks if index < 4})
    assert 1 in fit.picks
    everything = HeavyFirst((0, 1, 2, 3), coins(with_labelled(data, (0, 1, 2, 3))[0], 1))
    assert excess(data, LeastSquares(everything).estimate(data, Seed(0)).beta) == 0


def test_the_norm_is_an_upper_bound() -> None:
    data = ridge([[1, 2], [0, 1]], 3)
    size = measured(data)
    coordinates = data.coordinates
    similar = coordinates.gram().inv() * coordinates.gram(2)
    polynomial = similar.charpoly()
    assert fraction_sign(polynomial(rational(size.norm))) >= 0
    assert fraction_sign(polynomial(rational(size.norm - Fraction(1, 2**18)))) < 0
    nothing = measured(dataset([[0], [1]], unlabelled=1))
    assert nothing.rank == nothing.norm == 0
    assert measured(dataset([[1], [1]])).norm == 1


def fraction_sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)
