"""Definiteness with three outcomes, of exact matrices and of matrices of balls.

>>> str(definite(arb_mat([[1, 2], [2, 1]]))), str(semidefinite(arb_mat([[1, 1], [1, 1]])))
('fails', 'undecided')
"""

from __future__ import annotations

import numpy as np
from flint import arb, arb_mat, fmpq_mat

from asura.arithmetic.exact import RationalForm
from asura.definiteness import ball_positive_definite, positive_definite, positive_semidefinite
from asura.verdict import FAILS, HOLDS, Verdict, undecided

Symmetric = RationalForm | fmpq_mat | arb_mat


def _matrix(form: Symmetric) -> fmpq_mat | arb_mat:
    return form.matrix() if isinstance(form, RationalForm) else form


def _smallest(matrix: arb_mat) -> arb:
    """v^T M v for a v that makes it small: doubles find the v, balls compute the value."""
    size = matrix.nrows()
    entries = [matrix[i, k].mid() for i in range(size) for k in range(size)]
    top = max(map(abs, entries))
    scaled = [float(entry / top) for entry in entries]
    try:
        direction = np.linalg.eigh(np.array(scaled).reshape(size, size))[1][:, 0]
    except np.linalg.LinAlgError:
        return arb("nan")
    vector = arb_mat(1, size, [arb(float(x)) for x in direction])
    return (vector * matrix * vector.transpose())[0, 0]


def definite(form: Symmetric) -> Verdict:
    """Decide v^T M v > 0 for all v != 0: by elimination, or by a v where it certainly is not."""
    matrix = _matrix(form)
    if isinstance(matrix, fmpq_mat):
        return positive_definite(matrix)
    verdict = ball_positive_definite(matrix)
    return FAILS if verdict.undecided and _smallest(matrix) <= 0 else verdict


def semidefinite(form: Symmetric) -> Verdict:
    """Decide v^T M v >= 0 for all v; with balls only strict definiteness can be shown."""
    matrix = _matrix(form)
    if isinstance(matrix, fmpq_mat):
        return positive_semidefinite(matrix)
    # A ball around a singular semidefinite matrix may be refused on a pivot that touches zero.
    if ball_positive_definite(matrix).holds:
        return HOLDS
    return FAILS if _smallest(matrix) < 0 else undecided()
