"""Sampling by leverage: what is exactly true of it, by whole enumeration."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import leverage_scores, reduced_rank, statistical_dimension
from asura.errors import SizeOutOfRange
from asura.randomness import Seed
from asura.samplers import LeverageSampling, leverage_sampling
from asura.samplers.leverage import (
    IidLeverageSampling,
    RidgeLeverageSampling,
    ridge_leverage_sampling,
)
from asura_verify.instances.strategies import datasets
from asura_verify.trees.sampler_laws import (
    Law,
    best,
    coins_law,
    determinantally_unbiased,
    expected_beta,
    law,
    total,
    unbiased_gram,
)
from tests.reference.kept.truth import labelled
from tests.reference.samplers.identities import (
    DEFICIENT,
    DUPLICATES,
    PARABOLA,
    SCALED,
    drawn_as_enumerated,
)
from tests.reference.samplers.mistakes import OffByOneIid, PlainForRidge, RidgeForPlain

INSTANCES = [PARABOLA, DUPLICATES, DEFICIENT, SCALED]
sizes = st.builds(Fraction, st.integers(1, 9), st.integers(1, 3))


def independent(data: Dataset, size: int) -> dict[tuple[int, ...], Fraction]:
    """P of every sequence of k draws by q = l/d."""
    shares = [score / data.dimension for score in leverage_scores(data)]
    return {
        picks: chance
        for picks in itertools.product(range(data.size), repeat=size)
        if (chance := math.prod((shares[i] for i in picks), start=Fraction(1)))
    }


def sequences(found: Law) -> dict[tuple[int, ...], Fraction]:
    return {tuple(i for i, _ in weights): p for p, weights in found}


def equal_traces(data: Dataset, found: Law) -> bool:
    """Whether every draw adds w l = d/k to the trace of the whitened Gram matrix."""
    scores = leverage_scores(data)
    return all(
        weight * scores[index] == Fraction(data.dimension, len(weights))
        for _, weights in found
        for index, weight in weights
    )


@pytest.mark.parametrize("data", INSTANCES)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_independent_draws_have_the_law_of_the_definition(data: Dataset, size: int) -> None:
    found = law(IidLeverageSampling(size), data)
    assert sequences(found) == independent(data, size)
    assert unbiased_gram(data, found)
    assert equal_traces(data, found)


@settings(max_examples=15)
@given(datasets(maximal_size=4), st.integers(1, 3))
def test_independent_draws_are_unbiased_on_any_data(data: Dataset, size: int) -> None:
    found = law(IidLeverageSampling(size), data)
    assert unbiased_gram(data, found)
    assert equal_traces(data, found)


@settings(max_examples=15)
@given(labelled(maximal_size=4), sizes)
def test_coins_are_determinantally_unbiased(data: Dataset, size: Fraction) -> None:
    found = coins_law(LeverageSampling(size), data)
    assert total(found) == 1
    assert unbiased_gram(data, found)
    assert determinantally_unbiased(data, found)


@settings(max_examples=15)
@given(labelled(maximal_size=4), sizes)
def test_so_are_ridge_coins_with_x2_kept(data: Dataset, size: Fraction) -> None:
    found = law(RidgeLeverageSampling(size), data)
    assert unbiased_gram(data, found)
    assert determinantally_unbiased(data, found)


def test_plain_expectations_are_biased() -> None:
    """E beta != beta*: the determinant in the identity is needed, not a convenience."""
    data = dataset([[1], [2], [3]], unlabelled=2, labels=[1, 0, 0])
    found = law(RidgeLeverageSampling(Fraction(1, 4)), data)
    assert determinantally_unbiased(data, found)
    assert expected_beta(data, found) not in (None, best(data))


@given(datasets())
def test_scores_sum_to_the_rank_and_to_r_x(data: Dataset) -> None:
    scores = leverage_scores(data)
    assert sum(scores) == data.dimension
    assert all(0 <= score <= 1 for score in scores)
    assert sum(scores[: data.unlabelled]) == reduced_rank(data)


@pytest.mark.parametrize("lam", ["1/3", 1, 20])
def test_ridge_coins_have_the_expected_size(lam: object) -> None:
    rows = [[1, 0], [1, 1], [0, 2]]
    data = ridge(rows, lam)
    assert expected_labels(data, law(ridge_leverage_sampling("1/2"), data)) == Fraction(1, 2)
    chances = ridge_leverage_sampling(statistical_dimension(rows, lam)).probabilities(data)
    assert chances == leverage_scores(data)[:3]


def expected_labels(data: Dataset, found: Law) -> Fraction:
    """E of how many labels are paid."""
    return sum((p * sum(i < data.unlabelled for i, _ in w) for p, w in found), Fraction(0))


def test_uniforms_in_a_box_draw_its_sample() -> None:
    drawn_as_enumerated(IidLeverageSampling(3), DUPLICATES)
    drawn_as_enumerated(ridge_leverage_sampling(1), ridge([[1, 0], [1, 1], [0, 0]], 1))


def test_planted_mistakes_are_caught() -> None:
    assert not unbiased_gram(PARABOLA, law(OffByOneIid(2), PARABOLA))
    wrong = law(RidgeForPlain(2), PARABOLA)
    # The weights fit the probabilities, so that the mean cannot tell; the law and the traces do.
    assert unbiased_gram(PARABOLA, wrong)
    assert sequences(wrong) != independent(PARABOLA, 2)
    assert not equal_traces(PARABOLA, wrong)
    data = ridge([[1, 0], [1, 1], [0, 2]], 20)
    chances = ridge_leverage_sampling(1).probabilities(data)
    taken = law(PlainForRidge(1), data)
    assert unbiased_gram(data, taken)
    for index, chance in enumerate(chances):
        assert chance_of(taken, index) != chance
        assert chance_of(law(ridge_leverage_sampling(1), data), index) == chance


def chance_of(found: Law, index: int) -> Fraction:
    return sum((p for p, w in found if index in [i for i, _ in w]), Fraction(0))


def test_coins_with_an_off_by_one_rate_are_caught() -> None:
    right = leverage_sampling(2)
    found = coins_law(right, PARABOLA)
    wrong = [(p, [(i, w * Fraction(2, 3)) for i, w in weights]) for p, weights in found]
    assert not determinantally_unbiased(PARABOLA, wrong)


def test_sizes_that_do_not_exist_are_refused() -> None:
    with pytest.raises(SizeOutOfRange, match="size 0"):
        IidLeverageSampling(0).sample(PARABOLA, Seed(0))
    with pytest.raises(SizeOutOfRange, match="-1/2") as caught:
        ridge_leverage_sampling("-1/2")
    assert caught.value.value == Fraction(-1, 2)
