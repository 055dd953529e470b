"""Hypothesis strategies for datasets, gammas, matrices and every family of instances.

Public: use them to test an implementation of your own. Everything is exact, drawn by the same text
as in the audit (`asura_verify.instances.draw`), and shrinks to small readable rationals.

>>> from hypothesis import find
>>> find(gammas(), lambda gamma: gamma < Fraction(1, 3))
Fraction(1, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from hypothesis import strategies as st

from asura.dataset import Dataset
from asura_verify.instances import draw as drawing
from asura_verify.instances.families import FAMILIES
from asura_verify.instances.step import Matrix, StepInstance

T = TypeVar("T")


class HypothesisDraw:
    """Choices by Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """Shrinks towards 0."""
        return self._draw(st.integers(low, high))

    def choice(self, options: Sequence[T]) -> T:
        """Shrinks towards the first."""
        return self._draw(st.sampled_from(options))


@st.composite
def drawn(draw: st.DrawFn, text: Callable[[drawing.Draw], T]) -> T:
    """What a text draws, as a strategy."""
    return text(HypothesisDraw(draw))


def gammas(
    *, minimum: Fraction = Fraction(0), maximum: Fraction = Fraction(1, 2)
) -> st.SearchStrategy[Fraction]:
    """gamma strictly between two bounds, near either end as well."""
    return drawn(lambda draw: drawing.gamma(draw, minimum=minimum, maximum=maximum))


def datasets(*, maximal_dimension: int = 3, maximal_size: int = 6) -> st.SearchStrategy[Dataset]:
    """Points of rank at least 1: repeated, zero, dependent and badly scaled rows; any n_1."""
    return drawn(lambda draw: drawing.points(draw, widest=maximal_dimension, most=maximal_size))


def definite_matrices(size: int) -> st.SearchStrategy[Matrix]:
    """Positive definite rational matrices L D L^T, the pivots over many scales."""
    return drawn(lambda draw: drawing.definite_matrix(draw, size))


def steps() -> st.SearchStrategy[StepInstance]:
    """Any state strictly between its barriers, reachable or not, with a semidefinite M."""
    return drawn(drawing.step_instance)


#: For every family of the audit, the strategy that draws the same instances.
BY_FAMILY: dict[str, st.SearchStrategy[Any]] = {
    family.name: drawn(family.draw) for family in FAMILIES.values()
}
