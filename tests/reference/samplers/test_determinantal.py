"""The determinantal process of ridge regression and the k-DPP, by whole enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset, ridge
from asura.definiteness import positive_semidefinite
from asura.dimensions import leverage_scores, reduced_rank, statistical_dimension
from asura.errors import ExactRunTooLarge, SizeOutOfRange
from asura.randomness import Seed
from asura.samplers.decisions import Decided, distribution
from asura.samplers.determinantal import (
    FixedSizeProcess,
    RidgeProcess,
    process_probability,
    size_distribution,
)
from asura.samplers.volume import VolumeSampling
from asura.scalars import fraction, rational
from asura_verify.instances.strategies import datasets
from asura_verify.trees.sampler_laws import inclusion, law, unbiased_gram
from tests.reference.samplers.identities import DUPLICATES, PARABOLA, drawn_as_enumerated
from tests.reference.samplers.mistakes import (
    IndependentCoins,
    KernelForMarginal,
    RidgeWeightsForFixedSize,
)

Sets = dict[tuple[int, ...], Fraction]
ROWS: list[list[list[int]]] = [
    [[1, 0], [1, 1], [0, 2], [1, 3]],
    [[1, 0], [1, 0], [0, 1], [1, 1]],
    [[1, 2], [2, 4], [0, 0]],
]


def kernel(rows: Sequence[Sequence[object]], lam: Fraction) -> fmpq_mat:
    """L = X X^T/lambda."""
    matrix = fmpq_mat([[rational(Fraction(str(x))) for x in row] for row in rows])
    return matrix * matrix.transpose() * rational(1 / lam)


def minor(matrix: fmpq_mat, chosen: Sequence[int]) -> fmpq:
    size = len(chosen)
    if size == 0:
        return fmpq(1)
    return fmpq_mat(size, size, [matrix[i, k] for i in chosen for k in chosen]).det()


def subsets(count: int, size: int | None = None) -> list[tuple[int, ...]]:
    sizes = range(count + 1) if size is None else [size]
    return [chosen for s in sizes for chosen in itertools.combinations(range(count), s)]


def elementary(matrix: fmpq_mat, size: int) -> fmpq:
    """e_k of the eigenvalues, as the sum of the principal minors of size k."""
    return sum((minor(matrix, s) for s in subsets(matrix.nrows(), size)), fmpq(0))


def truth(matrix: fmpq_mat, size: int | None = None) -> Sets:
    """P(S) proportional to det L_S, over all sets or those of one size."""
    volumes = {s: v for s in subsets(matrix.nrows(), size) if (v := minor(matrix, s)) != 0}
    whole = sum(volumes.values(), fmpq(0))
    return {s: fraction(v / whole) for s, v in volumes.items()}


def bought(procedure: Decided, data: Dataset) -> Sets:
    """The law of what is taken from X_1."""
    return {
        tuple(i for i in picks if i < data.unlabelled): p
        for picks, p in distribution(procedure, data).items()
    }


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("lam", [Fraction(1, 3), Fraction(2)])
def test_the_ridge_process(rows: list[list[int]], lam: Fraction) -> None:
    """P(S) = det L_S/det(I + L); P(i in S) is the ridge leverage score; E|S| = sd_lambda."""
    data, matrix = ridge(rows, lam), kernel(rows, lam)
    found = bought(RidgeProcess(), data)
    assert found == truth(matrix)
    identity = fmpq_mat(len(rows), len(rows))
    for i in range(len(rows)):
        identity[i, i] = 1
    whole = sum((minor(matrix, s) for s in subsets(len(rows))), fmpq(0))
    assert whole == (identity + matrix).det()
    mean = sum((p * len(s) for s, p in found.items()), Fraction(0))
    assert mean == statistical_dimension(rows, lam)
    for chosen in subsets(len(rows)):
        assert process_probability(data, chosen) == found.get(chosen, 0)


@settings(max_examples=25)
@given(datasets(maximal_size=5))
def test_the_process_of_any_data(data: Dataset) -> None:
    """X_2 need not span: K is enough. Inclusion probabilities of every set are minors of K."""
    found = law(RidgeProcess(), data)
    assert unbiased_gram(data, found)
    scores = leverage_scores(data)[: data.unlabelled]
    assert inclusion(data, found)[: data.unlabelled] == list(scores)
    sets = bought(RidgeProcess(), data)
    for chosen in subsets(data.unlabelled):
        assert process_probability(data, chosen) == sets.get(chosen, 0)
    sizes = size_distribution(data)
    assert sum(sizes) == 1
    assert sum(j * p for j, p in enumerate(sizes)) == reduced_rank(data)
    for j, p in enumerate(sizes):
        assert p == sum((q for s, q in sets.items() if len(s) == j), Fraction(0))


@pytest.mark.parametrize("data", [PARABOLA, DUPLICATES])
def test_without_x2_it_is_volume_sampling_of_size_d(data: Dataset) -> None:
    assert bought(RidgeProcess(), data) == distribution(VolumeSampling(2), data)


@pytest.mark.parametrize("rows", ROWS)
def test_the_process_of_fixed_size(rows: list[list[int]]) -> None:
    """P(S) = det L_S/e_k(L), whatever lambda is."""
    rank = dataset(rows).dimension
    for size in range(rank + 1):
        matrix = kernel(rows, Fraction(1))
        for lam in (Fraction(1, 3), Fraction(2)):
            data = ridge(rows, lam)
            assert bought(FixedSizeProcess(size), data) == truth(matrix, size)
            chances = FixedSizeProcess(size).inclusion(data)
            assert sum(chances) == size
            assert inclusion(data, law(FixedSizeProcess(size), data))[: len(rows)] == list(chances)


@st.composite
def sized(draw: st.DrawFn) -> tuple[Dataset, int]:
    """Any data, and any size that the process can have."""
    data = draw(datasets(maximal_size=4))
    possible = [j for j, p in enumerate(size_distribution(data)) if p]
    return data, draw(st.sampled_from(possible))


@settings(max_examples=25)
@given(sized())
def test_the_process_of_fixed_size_on_any_data(instance: tuple[Dataset, int]) -> None:
    data, size = instance
    whole = size_distribution(data)[size]
    sets = bought(RidgeProcess(), data)
    found = bought(FixedSizeProcess(size), data)
    assert found == {s: p / whole for s, p in sets.items() if len(s) == size}
    chances = FixedSizeProcess(size).inclusion(data)
    if all(p or not score for p, score in zip(chances, leverage_scores(data), strict=False)):
        assert unbiased_gram(data, law(FixedSizeProcess(size), data))


def test_the_gram_matrix_needs_every_point_possible() -> None:
    """With size 0 nothing is ever taken from X_1, so that no weights can make it unbiased."""
    data = ridge([[1], [2]], 1)
    assert not unbiased_gram(data, law(FixedSizeProcess(0), data))
    assert unbiased_gram(data, law(FixedSizeProcess(1), data))


def nystrom_rest(matrix: fmpq_mat, chosen: Sequence[int]) -> fmpq_mat:
    """K - K_.S K_SS^-1 K_S."""
    count, size = matrix.nrows(), len(chosen)
    if size == 0:
        return matrix
    columns = fmpq_mat(count, size, [matrix[i, k] for i in range(count) for k in chosen])
    block = fmpq_mat(size, size, [matrix[i, k] for i in chosen for k in chosen])
    return matrix - columns * block.inv() * columns.transpose()


@pytest.mark.parametrize("rows", ROWS)
def test_nystrom(rows: list[list[int]]) -> None:
    """K - K^ >= 0, and E tr(K - K^) = (k+1) e_(k+1)/e_k for the k-DPP."""
    matrix = kernel(rows, Fraction(1))
    count = len(rows)
    for size in range(dataset(rows).dimension + 1):
        mean = fmpq(0)
        for chosen, p in bought(FixedSizeProcess(size), ridge(rows, 1)).items():
            rest = nystrom_rest(matrix, chosen)
            assert positive_semidefinite(rest).holds
            mean += rational(p) * sum((rest[i, i] for i in range(count)), fmpq(0))
        following = elementary(matrix, size + 1) if size < count else fmpq(0)
        assert mean == (size + 1) * following / elementary(matrix, size)


def test_uniforms_in_a_box_draw_its_sample() -> None:
    drawn_as_enumerated(RidgeProcess(), ridge(ROWS[1], 2))
    drawn_as_enumerated(FixedSizeProcess(2), ridge(ROWS[1], 2))


def test_planted_mistakes_are_caught() -> None:
    data, matrix = ridge(ROWS[0], 2), kernel(ROWS[0], Fraction(2))
    # Independent coins include every point as often and are unbiased: only the law tells.
    coins = law(IndependentCoins(), data)
    assert inclusion(data, coins) == inclusion(data, law(RidgeProcess(), data))
    assert unbiased_gram(data, coins)
    assert bought(IndependentCoins(), data) != truth(matrix)
    assert bought(KernelForMarginal(), data) != truth(matrix)
    assert not unbiased_gram(data, law(RidgeWeightsForFixedSize(2), data))
    assert bought(RidgeProcess(), ridge(ROWS[0], 1)) != truth(matrix)


def test_what_does_not_exist_is_refused() -> None:
    data = ridge(ROWS[2], 1)
    with pytest.raises(SizeOutOfRange, match="size 2 has probability zero: expected from 0 to 1"):
        FixedSizeProcess(2).sample(data, Seed(0))
    with pytest.raises(SizeOutOfRange, match="size 4: expected from 0 to 3") as caught:
        FixedSizeProcess(4).sample(data, Seed(0))
    assert caught.value.value == 4
    with pytest.raises(SizeOutOfRange, match="size 1 has probability zero: expected from 2 to 2"):
        FixedSizeProcess(1).sample(PARABOLA, Seed(0))
    for procedure, most in ((RidgeProcess(), 100), (FixedSizeProcess(1), 40)):
        with pytest.raises(ExactRunTooLarge, match=f"expected at most {most}"):
            procedure.sample(ridge([[1]] * 101, 1), Seed(0))


def test_algorithm_1_runs() -> None:
    data = ridge(ROWS[0], 1, labels=[1, 2, 0, 1])
    assert active_regression(data, FixedSizeProcess(2), chooser=Seed(1)).paid == 2
    assert active_regression(data, RidgeProcess(), chooser=Seed(1)).determined
