"""Uniform sampling against its definition, by whole enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset
from asura.errors import EnumerationTooLarge, SizeOutOfRange
from asura.randomness import Picks, Seed
from asura.samplers.decisions import distribution, outcomes
from asura.samplers.uniform import UniformSampling
from asura_verify.instances.strategies import datasets
from asura_verify.trees.sampler_laws import law, unbiased_gram
from tests.reference.samplers.identities import (
    DEFICIENT,
    DUPLICATES,
    PARABOLA,
    SCALED,
    drawn_as_enumerated,
)
from tests.reference.samplers.mistakes import OffByOneWeights, ReplacesTheDrawn

INSTANCES = [PARABOLA, DUPLICATES, DEFICIENT, SCALED]


def without_replacement(count: int, size: int) -> dict[tuple[int, ...], Fraction]:
    """Every set of k points, equally likely."""
    chosen = list(itertools.combinations(range(count), size))
    return dict.fromkeys(chosen, Fraction(1, len(chosen)))


def with_replacement(count: int, size: int) -> dict[tuple[int, ...], Fraction]:
    """The multinomial law."""
    return {
        picks: Fraction(
            math.factorial(size),
            math.prod(math.factorial(c) for c in Counter(picks).values()) * count**size,
        )
        for picks in itertools.combinations_with_replacement(range(count), size)
    }


@pytest.mark.parametrize("data", INSTANCES)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_law_is_that_of_the_definition(data: Dataset, size: int) -> None:
    assert distribution(UniformSampling(size), data) == without_replacement(data.size, size)
    drawn = distribution(UniformSampling(size, replacement=True), data)
    assert drawn == with_replacement(data.size, size)


@settings(max_examples=15)
@given(datasets(maximal_size=4), st.integers(1, 3), st.booleans())
def test_the_gram_matrix_is_unbiased(data: Dataset, size: int, replacement: bool) -> None:
    size = size if replacement else min(size, data.size)
    assert unbiased_gram(data, law(UniformSampling(size, replacement), data))


@pytest.mark.parametrize("replacement", [False, True])
def test_uniforms_in_a_box_draw_its_sample(replacement: bool) -> None:
    drawn_as_enumerated(UniformSampling(3, replacement), PARABOLA)


def test_planted_mistakes_are_caught() -> None:
    assert not unbiased_gram(PARABOLA, law(OffByOneWeights(2), PARABOLA))
    assert not unbiased_gram(PARABOLA, law(OffByOneWeights(2, replacement=True), PARABOLA))
    # Its Gram matrix is unbiased: only the law tells.
    assert unbiased_gram(PARABOLA, law(ReplacesTheDrawn(2), PARABOLA))
    assert distribution(ReplacesTheDrawn(2), PARABOLA) != without_replacement(5, 2)


@pytest.mark.parametrize("size", [0, -1, 6])
def test_a_size_that_does_not_exist_is_refused(size: int) -> None:
    with pytest.raises(SizeOutOfRange, match=f"size {size}: expected from 1 to 5") as caught:
        UniformSampling(size).sample(PARABOLA, Seed(1))
    assert caught.value.value == size
    with pytest.raises(SizeOutOfRange, match="expected from 1 to 100000"):
        UniformSampling(0, replacement=True).sample(PARABOLA, Seed(1))


def test_picks_replay_and_algorithm_1_runs() -> None:
    sample = UniformSampling(3).sample(PARABOLA, Picks([4, 0, 2]))
    assert sample.picks == (4, 0, 2)
    assert active_regression(PARABOLA, UniformSampling(5), chooser=Seed(3)).ratio is not None


def test_an_enumeration_that_is_too_large_is_refused() -> None:
    many = dataset([[1]] * 20)
    with pytest.raises(EnumerationTooLarge, match="more than 50 outcomes"):
        list(outcomes(UniformSampling(2), many, most=50))
