"""Cholesky's factor in balls: it holds the true one, and is never given where there is none."""

from __future__ import annotations

import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from asura import definiteness, factoring
from asura.definiteness import ball_positive_definite, positive_definite
from asura.factoring import Factor, cholesky, negative_direction, triangular_product

small = st.integers(-3, 3)


@st.composite
def triangles(draw: st.DrawFn) -> fmpq_mat:
    """L with rational entries and a positive diagonal over many scales."""
    size = draw(st.integers(1, 7))
    scales = [fmpq(2) ** draw(st.sampled_from([0, 0, 0, -40, 60])) for _ in range(size)]
    return fmpq_mat(
        [
            [
                fmpq(draw(small), 3) * scales[i] if k < i else scales[i] * int(i == k)
                for k in range(size)
            ]
            for i in range(size)
        ]
    )


def check_factor(lower: fmpq_mat) -> None:
    """M = L L^T is factored, and the balls hold L and L^-1."""
    with ctx.workprec(192):
        found = cholesky(arb_mat(lower * lower.transpose()))
        assert found is not None
        inverse = lower.inv()
        for i in range(lower.nrows()):
            for k in range(lower.nrows()):
                assert found.inverse[i, k].contains(inverse[i, k]), (i, k)
                assert found.lower[i, k].contains(lower[i, k]), (i, k)
                if k > i:
                    assert found.inverse[i, k].is_zero()
            assert found.inverse[i, i] > 0


@settings(max_examples=60)
@given(triangles(), st.sampled_from([1, 2, 16]))
def test_the_balls_hold_the_factor(lower: fmpq_mat, leaf: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factoring, "LEAF", leaf)
        check_factor(lower)


def test_a_factor_without_its_error_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    lower = fmpq_mat([[fmpq(1, 3), 0, 0], [fmpq(2, 7), fmpq(1, 5), 0], [1, 1, fmpq(1, 11)]])
    check_factor(lower)
    monkeypatch.setattr(factoring, "_distance_to_identity", lambda _: arb(0))
    with pytest.raises(AssertionError):
        check_factor(lower)


@st.composite
def symmetric(draw: st.DrawFn) -> fmpq_mat:
    size = draw(st.integers(1, 5))
    upper = {(i, k): draw(small) for i in range(size) for k in range(i, size)}
    shift = draw(st.sampled_from([0, 2, 6]))
    return fmpq_mat(
        [
            [fmpq(upper[min(i, k), max(i, k)], 3) + shift * int(i == k) for k in range(size)]
            for i in range(size)
        ]
    )


@given(symmetric(), st.sampled_from([1, 2, 16]))
def test_definiteness_by_a_factor_never_contradicts_the_exact_decision(
    matrix: fmpq_mat, leaf: int
) -> None:
    exact = positive_definite(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(definiteness, "LARGE", 0)
        patch.setattr(factoring, "LEAF", leaf)
        with ctx.workprec(128):
            found = ball_positive_definite(arb_mat(matrix))
    assert found.undecided or str(found) == str(exact)
    if exact.holds:
        assert found.holds
    if matrix.det() != 0:
        assert not found.undecided


def test_wide_balls_are_not_decided() -> None:
    for size in (1, 70):
        wide = arb_mat(
            size, size, [arb(1, 2) * int(i == k) for i in range(size) for k in range(size)]
        )
        assert cholesky(wide) is None
        assert negative_direction(wide) is None
        assert ball_positive_definite(wide).undecided
    assert negative_direction(arb_mat([[arb("nan")]])) is None


def test_large_matrices() -> None:
    """Second differences: definite, and no longer when an end is taken away."""
    size = 70
    rows = [[2 * int(i == k) - int(abs(i - k) == 1) for k in range(size)] for i in range(size)]
    with ctx.workprec(128):
        assert ball_positive_definite(arb_mat(rows)).holds
        rows[0][0] = 1
        assert ball_positive_definite(arb_mat(rows)).holds
        found = cholesky(arb_mat(rows))
        assert isinstance(found, Factor)
        assert (found.lower * found.lower.transpose()).contains(arb_mat(rows))
        rows[0][0] = 0
        assert ball_positive_definite(arb_mat(rows)).fails


@pytest.mark.parametrize("size", [3, 64, 65, 130])
def test_triangular_products(size: int) -> None:
    lower = arb_mat(size, size, [max(0, i - k + 1) % 7 for i in range(size) for k in range(size)])
    matrix = arb_mat(size, 3, [(5 * i) % 11 - 4 for i in range(3 * size)])
    assert triangular_product(lower, matrix) == lower * matrix
