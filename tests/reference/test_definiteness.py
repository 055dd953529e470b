"""Definiteness is decided, and agrees with Sylvester's criterion."""

from __future__ import annotations

from fractions import Fraction

from flint import arb_mat, ctx, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from asura.definiteness import (
    ball_positive_definite,
    factor_ldl,
    positive_definite,
    positive_semidefinite,
)
from asura.scalars import rational

entries = st.builds(Fraction, st.integers(-3, 3), st.sampled_from((1, 2)))


@st.composite
def symmetric(draw: st.DrawFn) -> fmpq_mat:
    size = draw(st.integers(1, 4))
    upper = {(i, k): draw(entries) for i in range(size) for k in range(i, size)}
    return fmpq_mat(
        [[rational(upper[min(i, k), max(i, k)]) for k in range(size)] for i in range(size)]
    )


@st.composite
def gram(draw: st.DrawFn) -> fmpq_mat:
    """F^T F, singular half of the time."""
    size = draw(st.integers(1, 4))
    count = draw(st.integers(1, 5))
    factor = fmpq_mat(count, size, [rational(draw(entries)) for _ in range(count * size)])
    return factor.transpose() * factor


def minor(matrix: fmpq_mat, chosen: list[int]) -> fmpq:
    return fmpq_mat([[matrix[i, k] for k in chosen] for i in chosen]).det()


def principal_sets(size: int) -> list[list[int]]:
    return [[i for i in range(size) if mask >> i & 1] for mask in range(1, 1 << size)]


@given(st.one_of(symmetric(), gram()))
def test_definite_iff_leading_minors_are_positive(matrix: fmpq_mat) -> None:
    leading = [minor(matrix, list(range(k + 1))) for k in range(matrix.nrows())]
    assert positive_definite(matrix).holds == all(value > 0 for value in leading)


@given(st.one_of(symmetric(), gram()))
def test_semidefinite_iff_all_principal_minors_are_nonnegative(matrix: fmpq_mat) -> None:
    minors = [minor(matrix, chosen) for chosen in principal_sets(matrix.nrows())]
    assert positive_semidefinite(matrix).holds == all(value >= 0 for value in minors)


@given(gram())
def test_factors_multiply_back(matrix: fmpq_mat) -> None:
    factors = factor_ldl(matrix)
    assert factors is not None
    lower, pivots = factors
    diagonal = fmpq_mat(len(pivots), len(pivots))
    for i, pivot in enumerate(pivots):
        diagonal[i, i] = pivot
    assert lower * diagonal * lower.transpose() == matrix


@given(st.one_of(symmetric(), gram()))
def test_balls_never_contradict_exact_arithmetic(matrix: fmpq_mat) -> None:
    with ctx.workprec(12):
        verdict = ball_positive_definite(arb_mat(matrix))
    if not verdict.undecided:
        assert verdict == positive_definite(matrix)


def test_a_tie_is_undecided_in_balls_and_decided_exactly() -> None:
    third = fmpq(1, 3)
    singular = fmpq_mat([[third, third], [third, third]])
    with ctx.workprec(64):
        assert ball_positive_definite(arb_mat(singular)).undecided
    assert positive_definite(singular).fails
    assert positive_semidefinite(singular).holds
