"""Definiteness with three outcomes."""

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq_mat

from asura_verify.deciding.matrices import definite, semidefinite

HUGE = arb(10) ** 400  # no double holds it
SINGULAR = [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("rows", "strictly", "weakly"),
    [
        ([[2, 1], [1, 2]], "holds", "holds"),
        ([[1, 0], [0, HUGE]], "holds", "holds"),
        ([[1, 2], [2, 1]], "fails", "fails"),
        ([[-HUGE, 0], [0, 1]], "fails", "fails"),
        ([[-1, 0], [0, HUGE]], "fails", "fails"),
        ([[0]], "fails", "undecided"),
        ([[arb(0, 1)]], "undecided", "undecided"),
        ([[arb(0.25, 0.5)]], "undecided", "undecided"),
        ([[arb("nan"), 0], [0, 1]], "undecided", "undecided"),
        ([[1, 0], [0, arb("nan")]], "undecided", "undecided"),
        ([[arb(1, 0.0625), 2], [2, arb(1, 0.0625)]], "fails", "fails"),
        # elimination is lost at the first pivot; a direction is not
        ([[arb(0, 0.0625), 1], [1, 0]], "fails", "fails"),
        ([[HUGE * arb(0, 0.0625), HUGE], [HUGE, 0]], "fails", "fails"),
        ([[arb(1, 2), 0], [0, 0]], "fails", "undecided"),
        ([[arb(0, 1), 0], [0, 0]], "undecided", "undecided"),
        ([[arb(0, 1), arb("nan")], [arb("nan"), 1]], "undecided", "undecided"),
    ],
)
def test_balls(rows: list[list[arb | int]], strictly: str, weakly: str) -> None:
    matrix = arb_mat(rows)
    assert str(definite(matrix)) == strictly
    assert str(semidefinite(matrix)) == weakly


def test_exact_matrices_are_decided() -> None:
    assert semidefinite(fmpq_mat(SINGULAR)).holds
    assert definite(fmpq_mat(SINGULAR)).fails
    assert semidefinite(fmpq_mat([[0, 1], [1, 0]])).fails
    assert definite(fmpq_mat([[2, 1], [1, 2]])).holds


def test_a_matrix_of_nothing_is_definite() -> None:
    assert definite(arb_mat(0, 0)).holds
    assert semidefinite(arb_mat(0, 0)).holds


def test_doubles_may_fail_to_find_a_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they find is decided in balls: a useless direction leaves a doubt, and no error."""
    matrix = arb_mat([[arb(0, 0.0625), 1], [1, 0]])
    monkeypatch.setattr(np.linalg, "eigh", lambda _: (None, np.array([[1.0], [1.0]])))
    assert definite(matrix).undecided
    assert semidefinite(matrix).undecided

    def lost(_: object) -> None:
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "eigh", lost)
    assert definite(matrix).undecided
