"""Datasets, their dimensions, and the errors that bad ones meet."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.dataset import Dataset, dataset, kernel_ridge, regularisation, ridge
from asura.dimensions import (
    d_matrix,
    effective_dimension,
    leverage_scores,
    reduced_rank,
    statistical_dimension,
)
from asura.labels import LabelOracle
from asura_verify.instances.strategies import datasets

NO_ROWS: Any = [1, 2]


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
        (lambda: dataset(NO_ROWS), errors.RaggedData),
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: dataset([[1, "x"]]), "points, row 0, column 1: "),
        (lambda: dataset(NO_ROWS), "points is not a list of rows"),
        (lambda: dataset([[1], [1, 2]]), "points, row 1 has 2 entries: expected 1"),
        (lambda: dataset([[1]], labels=["x"]), "label 0: "),
        (lambda: dataset([[1]], labels=[1, 2]), "2 labels for 1 points"),
        (lambda: dataset([[1]], squared_scales=[1, 2]), "2 squared scales for 1 points"),
        (lambda: dataset([[1]], squared_scales=["x"]), "squared scale 0: "),
        (lambda: ridge([["x"]], 1), "points, row 0, column 0: "),
        (lambda: ridge([[1]], "x"), "lambda: "),
        (lambda: kernel_ridge([["x"]], 1), "kernel, row 0, column 0: "),
        (lambda: kernel_ridge([[1, 2]], 1), "kernel has 1 rows and 2 columns"),
        (lambda: kernel_ridge([[1], [2]], 1), "kernel has 2 rows and 1 columns"),
    ],
)
def test_errors_name_the_place(make: Callable[[], object], message: str) -> None:
    with pytest.raises(errors.AsuraError) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_the_ends_of_what_is_allowed() -> None:
    assert [dataset([[1], [2]], unlabelled=first).unlabelled for first in (0, 1, 2)] == [0, 1, 2]
    assert dataset([[1], [2]]).unlabelled == 2
    assert [regularisation(lam) for lam in (0, "1/2")] == [Fraction(0), Fraction(1, 2)]
    assert dataset([[1]], squared_scales=["1/2"]).squared_scales == (Fraction(1, 2),)
    with pytest.raises(errors.NegativeScale):
        regularisation("-1/1000")


def test_labels_that_are_known_and_not() -> None:
    part = dataset([[1], [2]], labels=[None, "1/2"])
    assert part.labels == (None, Fraction(1, 2))
    assert not part.fully_labelled
    assert dataset([[1], [2]]).labels == (None, None)
    assert dataset([[1], [2]], labels=[0, 1]).fully_labelled


def numbers(*values: int | str) -> tuple[Fraction, ...]:
    return tuple(Fraction(value) for value in values)


def test_ridge_rows_by_hand() -> None:
    data = ridge([[1, 2], [3, 4], [5, 6]], "1/3", unlabelled=2, labels=[7, None, 9])
    assert data.points[3:] == (numbers(1, 0), numbers(0, 1))
    assert data.squared_scales == numbers(1, 1, 1, "1/3", "1/3")
    assert data.labels == (Fraction(7), None, *numbers(9, 0, 0))
    assert (data.size, data.width, data.unlabelled) == (5, 2, 2)
    assert ridge([[5, 6]], 1).points == (numbers(5, 6), numbers(1, 0), numbers(0, 1))


def test_kernel_rows_by_hand() -> None:
    """K = L D L^T with L = [[1, 0], [1/2, 1]] and D = diag(4, 2)."""
    data = kernel_ridge([[4, 2], [2, 3]], "1/2", labels=[5, None])
    assert data.points == (numbers(4, 2), numbers(2, 3), numbers(1, "1/2"), numbers(0, 1))
    assert data.squared_scales == numbers(1, 1, 2, 1)
    assert data.labels == (Fraction(5), None, *numbers(0, 0))
    assert data.unlabelled == 2


def test_a_subset_keeps_everything_of_its_points() -> None:
    data = dataset([[1], [2], [3]], unlabelled=1, squared_scales=[4, 5, 6], labels=[7, 8, None])
    assert data.subset([2, 0]) == dataset([[3], [1]], squared_scales=[6, 4], labels=[None, 7])


def test_dimensions_by_hand() -> None:
    """X^T X = diag(2, 8): leverages 1/2, 1/2, 1/2, 1/2; X_1 holds the first and the third."""
    data = dataset([[1, 0], [0, 2], [1, 0], [0, 1]], squared_scales=[1, 1, 1, 4], unlabelled=3)
    assert leverage_scores(data) == (Fraction(1, 2),) * 4
    assert reduced_rank(data) == Fraction(3, 2)
    assert d_matrix(data) == (numbers(1, 0), numbers(0, "1/2"))
    assert reduced_rank(dataset([[1], [2]], unlabelled=0)) == 0
    # The squared singular values are 1 and 4.
    rows = [[1, 0], [0, 2], [0, 0]]
    assert statistical_dimension(rows, 0) == 2
    assert statistical_dimension(rows, 1) == Fraction(1, 2) + Fraction(4, 5)
    assert statistical_dimension(rows, 4) == Fraction(1, 5) + Fraction(1, 2)
    kernel = [[1, 0], [0, 2]]
    assert effective_dimension(kernel, 0) == 2
    assert effective_dimension(kernel, 2) == Fraction(1, 3) + Fraction(1, 2)
