"""Datasets, their dimensions, and the errors that bad ones meet."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.dimensions import (
    d_matrix,
    effective_dimension,
    leverage_scores,
    reduced_rank,
    statistical_dimension,
)
from asura.labels import LabelOracle
from asura_verify.strategies import datasets


@given(datasets())
def test_leverage_scores_add_up_to_the_rank_and_on_x1_to_the_reduced_rank(data: Dataset) -> None:
    scores = leverage_scores(data)
    assert sum(scores) == data.dimension
    assert all(0 <= score <= 1 for score in scores)
    assert sum(scores[: data.unlabelled], Fraction(0)) == reduced_rank(data)
    matrix = d_matrix(data)
    assert sum((matrix[i][i] for i in range(data.dimension)), Fraction(0)) == reduced_rank(data)


@given(datasets())
def test_whitening_is_exact_and_nearly_orthonormal(data: Dataset) -> None:
    gram = data.whitened.gram()
    size = data.dimension
    assert all(
        abs(gram[i, k] - int(i == k)) <= fmpq(1, 4 * size) for i in range(size) for k in range(size)
    )
    # Leverage scores do not depend on the coordinates: the change of coordinates is exact.
    inverse = gram.inv()
    rows = data.whitened.rows
    for index, score in enumerate(leverage_scores(data)):
        row = [rows[index, k] for k in range(size)]
        value = sum(
            (row[i] * inverse[i, k] * row[k] for i in range(size) for k in range(size)), fmpq(0)
        )
        value *= data.whitened.squared_scales[index]
        assert Fraction(int(value.p), int(value.q)) == score


@given(datasets(), st.fractions(min_value=0, max_value=9, max_denominator=5))
def test_ridge_rank_is_the_statistical_dimension(data: Dataset, lam: Fraction) -> None:
    assert reduced_rank(ridge(data.points, lam)) == statistical_dimension(data.points, lam)


@given(datasets(), st.fractions(min_value="1/9", max_value=9, max_denominator=9))
def test_kernel_rank_is_the_effective_dimension(data: Dataset, lam: Fraction) -> None:
    points = data.points
    kernel = [
        [sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in points]
        for x in points
    ]
    assert reduced_rank(kernel_ridge(kernel, lam)) == effective_dimension(kernel, lam)


def test_numpy_arrays_are_read_as_they_are() -> None:
    data = dataset(np.array([[0.1, 1.0], [2.0, 3.0]]).tolist(), unlabelled=1)
    assert data.points[0][0] == Fraction(0.1)


def test_points_of_scale_zero_do_not_count() -> None:
    data = dataset([[1, 0], [0, 1]], squared_scales=[1, 0])
    assert data.dimension == 1
    assert leverage_scores(data) == (Fraction(1), Fraction(0))


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: dataset([]), errors.EmptyData),
        (lambda: dataset([[]]), errors.EmptyData),
        (lambda: dataset([[1, 2], [3]]), errors.RaggedData),
        (lambda: dataset([1, 2]), errors.RaggedData),  # type: ignore[list-item]
        (lambda: dataset([[float("nan")]]), errors.NotAScalar),
        (lambda: dataset([["x"]]), errors.NotAScalar),
        (lambda: dataset([[1]], unlabelled=2), errors.UnlabelledOutOfRange),
        (lambda: dataset([[1]], unlabelled=-1), errors.UnlabelledOutOfRange),
        (lambda: dataset([[1]], squared_scales=[-1]), errors.NegativeScale),
        (lambda: dataset([[1]], squared_scales=[1, 2]), errors.RaggedData),
        (lambda: dataset([[1]], labels=[1, 2]), errors.RaggedData),
        (lambda: dataset([[0, 0]]).dimension, errors.RankZero),
        (lambda: dataset([[1]], squared_scales=[0]).dimension, errors.RankZero),
        (lambda: ridge([[1]], -1), errors.NegativeScale),
        (lambda: kernel_ridge([[1, 2]], 1), errors.NotSymmetric),
        (lambda: kernel_ridge([[1, 2], [3, 1]], 1), errors.NotSymmetric),
        (lambda: kernel_ridge([[1, 2], [2, 1]], 1), errors.NotPositiveSemidefinite),
        (lambda: kernel_ridge([[1]], -1), errors.NegativeScale),
        (lambda: statistical_dimension([[1]], -1), errors.NegativeScale),
        (lambda: LabelOracle(dataset([[1]])).query(0), errors.MissingLabel),
        (lambda: LabelOracle(dataset([[1]], labels=[1])).query(5), errors.QueryRefused),
        (lambda: LabelOracle(dataset([[1]], labels=[1])).known(0), errors.QueryRefused),
    ],
)
def test_bad_data_meet_a_named_error(
    make: Callable[[], object], error: type[errors.AsuraError]
) -> None:
    with pytest.raises(error) as caught:
        make()
    assert "expected" in str(caught.value) or "not" in str(caught.value)
    assert "\n" not in caught.value.line
