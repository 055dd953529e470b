"""States that no run needs to reach, and comparisons in exact Loewner order."""

from __future__ import annotations

from flint import fmpq_mat
from hypothesis import strategies as st

from asura.arithmetic.exact import RationalForm, rational_form
from asura.definiteness import positive_semidefinite
from asura.scalars import rational
from asura_verify.instances.strategies import definite_matrices


def matrix_of(draw: st.DrawFn, size: int) -> fmpq_mat:
    """A positive definite matrix, its pivots over many scales."""
    return fmpq_mat([[rational(x) for x in row] for row in draw(definite_matrices(size))])


def part_of(draw: st.DrawFn, whole: RationalForm) -> RationalForm:
    """Any P with 0 < P < W: W (W + N)^-1 W for a positive definite N."""
    w = whole.matrix()
    return rational_form(w * (w + matrix_of(draw, w.nrows())).inv() * w)


def at_most(first: RationalForm, second: RationalForm) -> bool:
    """first <= second in Loewner order."""
    return positive_semidefinite((second - first).matrix()).holds
