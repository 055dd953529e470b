"""Coordinates: Gram matrices, row spaces, lifts and whitening, by hand."""

from __future__ import annotations

import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from asura.coordinates import Coordinates, _inverse_root, _nearly_identity, row_space, whitened
from asura.errors import RankZero

ROWS = fmpq_mat([[1, 0], [1, 1], [0, 3]])


def scaled(*scales: int) -> Coordinates:
    return row_space(ROWS, [fmpq(c) for c in scales])


@pytest.mark.parametrize(
    ("scales", "expected"),
    [
        ((1, 1, 1), [[2, 1], [1, 10]]),
        ((2, 2, 2), [[4, 2], [2, 20]]),
        ((1, 2, 3), [[3, 2], [2, 29]]),
        ((4, 2, 3), [[6, 2], [2, 29]]),
    ],
)
def test_gram_matrices_count_the_scales(
    scales: tuple[int, int, int], expected: list[list[int]]
) -> None:
    coordinates = scaled(*scales)
    assert coordinates.gram() == fmpq_mat(expected)
    assert coordinates.gram(3) == fmpq_mat(expected)
    first = fmpq_mat([[scales[0], 0], [0, 0]])
    assert coordinates.gram(1) == first
    assert coordinates.gram(2) == first + fmpq_mat([[1, 1], [1, 1]]) * fmpq(scales[1])
    assert coordinates.gram(0) == fmpq_mat(2, 2)


def test_the_row_space_of_points_of_positive_scale() -> None:
    points = fmpq_mat([[1, 2, 0], [0, 0, 5], [2, 4, 1]])
    kept = row_space(points, [fmpq(1), fmpq(0), fmpq(3)])
    assert (kept.size, kept.dimension) == (3, 2)
    assert kept.row_basis == fmpq_mat([[1, 2, 0], [0, 0, 1]])
    assert kept.rows == fmpq_mat([[1, 0], [0, 0], [2, 1]])  # what is not there has no coordinates
    one = row_space(points, [fmpq(1), fmpq(0), fmpq(0)])
    assert one.rows == fmpq_mat([[1], [0], [0]])


@pytest.mark.parametrize(
    ("points", "scales"), [([[0, 0]], [1]), ([[1, 2]], [0]), ([[0, 0], [1, 2]], [1, 0])]
)
def test_rank_zero_is_refused(points: list[list[int]], scales: list[int]) -> None:
    with pytest.raises(RankZero):
        row_space(fmpq_mat(points), [fmpq(c) for c in scales])


def test_lifts_are_of_least_norm_in_all_coordinates() -> None:
    """R = (1, 2): beta = t (1, 2)/5 has R beta = t and no part orthogonal to R."""
    line = row_space(fmpq_mat([[3, 6]]), [fmpq(1)])
    assert line.rows == fmpq_mat([[3]])
    assert line.lift() == fmpq_mat(2, 1, [fmpq(1, 5), fmpq(2, 5)])
    third = line.changed(fmpq_mat([[fmpq(1, 3)]]))
    assert third.rows == fmpq_mat([[1]])
    assert third.lift() == fmpq_mat(2, 1, [fmpq(1, 15), fmpq(2, 15)])
    twice = third.changed(fmpq_mat([[5]]))
    assert twice.rows == fmpq_mat([[5]])
    assert twice.lift() == fmpq_mat(2, 1, [fmpq(1, 3), fmpq(2, 3)])


def test_changes_of_coordinates_compose() -> None:
    first, second = fmpq_mat([[1, 1], [0, 1]]), fmpq_mat([[2, 0], [1, 1]])
    coordinates = scaled(1, 1, 1)
    both = coordinates.changed(first).changed(second)
    assert both.rows == coordinates.rows * fmpq_mat([[3, 1], [1, 1]])
    assert both.transform == fmpq_mat([[3, 1], [1, 1]])
    assert both.lift() == coordinates.lift() * fmpq_mat([[3, 1], [1, 1]])


FROM_ZERO = arb(0, 1) + arb(0, 1).rad()  # its lower end is exactly zero


def test_inverse_roots_of_balls() -> None:
    """G = L D L^T with unit L and D = diag(4, 9, 1/16): T = L^-T D^-1/2, without rounding."""
    lower = fmpq_mat([[1, 0, 0], [2, 1, 0], [-1, 3, 1]])
    diagonal = fmpq_mat(3, 3, [4, 0, 0, 0, 16, 0, 0, 0, fmpq(1, 16)])
    root = _inverse_root(arb_mat(lower * diagonal * lower.transpose()))
    assert root is not None
    expected = lower.transpose().inv() * fmpq_mat(
        3, 3, [fmpq(1, 2), 0, 0, 0, fmpq(1, 4), 0, 0, 0, 4]
    )
    for i in range(3):
        for k in range(3):
            assert root[i, k].contains(arb(expected[i, k]))
            assert root[i, k].rad() < arb(2) ** -40


@pytest.mark.parametrize("pivot", [arb(0), arb(-1), FROM_ZERO, arb(0, 1)])
def test_no_inverse_root_without_a_certainly_positive_pivot(pivot: arb) -> None:
    assert _inverse_root(arb_mat([[pivot]])) is None
    assert _inverse_root(arb_mat([[1, 0], [0, pivot]])) is None


@pytest.mark.parametrize(
    ("matrix", "near"),
    [
        ([[fmpq(5, 4)]], True),
        ([[fmpq(3, 4)]], True),
        ([[fmpq(5, 4) + fmpq(1, 1000)]], False),
        ([[fmpq(3, 4) - fmpq(1, 1000)]], False),
        ([[fmpq(7, 8), fmpq(-1, 8)], [fmpq(-1, 8), fmpq(9, 8)]], True),
        ([[1, fmpq(1, 7)], [fmpq(1, 7), 1]], False),
        ([[1, fmpq(-1, 7)], [fmpq(-1, 7), 1]], False),
        ([[1, 0], [0, fmpq(8, 7)]], False),
        ([[1, 0], [0, fmpq(6, 7)]], False),
        ([[1, 1], [1, 1]], False),
        ([[0, 0], [0, 0]], False),
    ],
)
def test_nearly_the_identity_is_within_a_quarter_of_1_over_d(
    matrix: list[list[fmpq]], near: bool
) -> None:
    assert _nearly_identity(arb_mat(fmpq_mat(matrix))) == near


def test_what_is_not_certain_is_not_nearly_the_identity() -> None:
    assert not _nearly_identity(arb_mat([[arb(1, 0.3)]]))
    assert _nearly_identity(arb_mat([[arb(1, 0.2)]]))


def significant_bits(points: list[list[fmpq]]) -> int:
    """Of the longest entry of the matrix that whitens the points."""
    coordinates = whitened(row_space(fmpq_mat(points), [fmpq(1)] * len(points)))
    size = coordinates.dimension
    gram = coordinates.gram()
    bound = fmpq(1, 4 * size)
    assert all(abs(gram[i, k] - int(i == k)) <= bound for i in range(size) for k in range(size))
    assert coordinates.transform is not None
    numerators = [abs(int(x.p)) for x in coordinates.transform.entries() if x != 0]
    return max((p // (p & -p)).bit_length() for p in numerators)


def test_whitening_rounds_to_32_bits_and_to_twice_as_many_until_they_will_do() -> None:
    before = ctx.prec
    one, zero = fmpq(1), fmpq(0)
    assert 16 < significant_bits([[one], [one]]) <= 32
    hilbert = [[fmpq(1, i + k + 1) for k in range(8)] for i in range(8)]
    assert 32 < significant_bits(hilbert) <= 64
    assert ctx.prec == before
    # At 32 bits balls have 128: they see a pivot of 1e-36 beside 1, and none of 1e-40.
    assert significant_bits([[one, one], [zero, fmpq(1, 10**18)]]) <= 32
    assert 32 < significant_bits([[one, one], [zero, fmpq(1, 10**20)]]) <= 64
