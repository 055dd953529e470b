"""Definiteness is decided, and agrees with Sylvester's criterion."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from asura.definiteness import (
    _large_definite,
    ball_positive_definite,
    factor_ldl,
    positive_definite,
    positive_semidefinite,
    width,
)
from asura.scalars import fraction, rational

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


#: A ball from exactly zero to something positive.
FROM_ZERO = arb(0, 1) + arb(0, 1).rad()


def test_pivots_at_and_around_zero() -> None:
    assert ball_positive_definite(arb_mat([[0]])).fails
    assert ball_positive_definite(arb_mat([[-FROM_ZERO]])).fails
    assert ball_positive_definite(arb_mat([[FROM_ZERO]])).undecided
    assert ball_positive_definite(arb_mat([[arb("0.5")]])).holds
    assert ball_positive_definite(arb_mat([[FROM_ZERO]])).width == width(FROM_ZERO)


def test_widths_of_balls() -> None:
    radius = fraction(FROM_ZERO.rad().fmpq())
    assert radius > 1
    assert width(FROM_ZERO) == 2 * radius
    assert width(arb(7)) == 0
    assert width(arb("inf")) == 0


def test_a_determinant_of_one_beyond_the_balls() -> None:
    """Both leading minors are 1, and 128 bits cannot tell the second pivot from 0."""
    n = (1 << 100) + 1
    matrix = fmpq_mat([[1, n], [n, n * n + 1]])
    with ctx.workprec(128):
        assert ball_positive_definite(arb_mat(matrix)).undecided
    assert positive_definite(matrix).holds
    assert positive_definite(fmpq_mat([[1, n], [n, n * n - 1]])).fails
    assert positive_definite(fmpq_mat([[1, n], [n, n * n]])).fails
    assert positive_semidefinite(fmpq_mat([[1, n], [n, n * n]])).holds
    assert positive_semidefinite(fmpq_mat([[1, n], [n, n * n - 1]])).fails


def test_large_matrices_are_decided_by_a_factor_or_a_direction() -> None:
    for last, holds, fails in (
        (arb(1), True, False),
        (arb(-1), False, True),
        (arb(0, 1), False, False),
    ):
        matrix = arb_mat([[1, 0], [0, last]])
        for verdict in (_large_definite(matrix), ball_positive_definite(matrix)):
            assert (verdict.holds, verdict.fails) == (holds, fails)
