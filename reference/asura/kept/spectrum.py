"""The matrix M of a weighted sample and its least eigenvalue, decided without computing it.

In Gram coordinates M stands for sum w_i x_i x_i^T and the identity for G = X^T X, so that
lambda_min(M) >= a means that M - aG is positive semidefinite. Balls decide almost always, at a
fraction of the price of exact weights, whose sum has a very long denominator.

>>> from asura.dataset import dataset
>>> spectrum = Spectrum(dataset([[1, 0], [0, 1], [0, 1]]))
>>> sample = spectrum.weighted({0: Fraction(1), 1: Fraction(3, 2)})
>>> [str(sample.at_least(a)) for a in (Fraction(3, 4), Fraction(4, 5))]
['holds', 'fails']
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from asura.coordinates import Coordinates
from asura.dataset import Dataset
from asura.definiteness import ball_positive_definite, positive_semidefinite
from asura.scalars import rational
from asura.verdict import FAILS, HOLDS, Verdict

_BITS = 192
_SLIGHTLY = Fraction(1, 2**64)


class SampleMatrix:
    """M of one weighted sample."""

    def __init__(self, spectrum: Spectrum, weights: Mapping[int, Fraction], *, kept: bool) -> None:
        self._spectrum = spectrum
        self._weights = {index: weight for index, weight in weights.items() if weight}
        self._kept = kept

    def at_least(self, least: Fraction) -> Verdict:
        """Decide lambda_min(M) >= a; always decided."""
        if self._definite(least).holds:
            return HOLDS
        if self._definite(least - _SLIGHTLY).fails:  # so the least eigenvalue is below a
            return FAILS
        return positive_semidefinite(self._exact - self._spectrum.gram * rational(least))

    def _definite(self, least: Fraction) -> Verdict:
        """Decide M > aG, in balls."""
        with ctx.workprec(_BITS):
            return ball_positive_definite(
                self._balls - self._spectrum.ball_gram * arb(rational(least))
            )

    def reached(self, levels: Sequence[Fraction]) -> int:
        """How many of the increasing levels a have lambda_min(M) >= a."""
        return bisect_left(levels, True, key=lambda least: self.at_least(least).fails)

    @cached_property
    def _balls(self) -> arb_mat:
        dimension = self._spectrum.dimension
        total = self._spectrum.ball_kept if self._kept else arb_mat(dimension, dimension)
        if not self._weights:
            return total
        left, right = [], []
        for index, weight in self._weights.items():
            row, scale = self._spectrum.ball_row(index)
            factor = arb(rational(weight)) * scale
            left.append([factor * x for x in row])
            right.append(row)
        return total + arb_mat(left).transpose() * arb_mat(right)

    @cached_property
    def _exact(self) -> fmpq_mat:
        dimension = self._spectrum.dimension
        total = self._spectrum.kept if self._kept else fmpq_mat(dimension, dimension)
        for index, weight in self._weights.items():
            row, scale = self._spectrum.row(index)
            total += row.transpose() * row * (scale * rational(weight))
        return total


class Spectrum:
    """Weighted samples of one dataset against its whole."""

    def __init__(self, data: Dataset) -> None:
        self._coordinates: Coordinates = data.whitened
        self._rows = self._coordinates.rows.tolist()
        self._ball_rows: dict[int, tuple[list[arb], arb]] = {}
        self.dimension = self._coordinates.dimension
        self.gram = self._coordinates.gram()
        self.kept = self.gram - self._coordinates.gram(data.unlabelled)
        with ctx.workprec(_BITS):
            self.ball_gram, self.ball_kept = arb_mat(self.gram), arb_mat(self.kept)

    def weighted(self, weights: Mapping[int, Fraction]) -> SampleMatrix:
        """Sum w_i x_i x_i^T over the given points."""
        return SampleMatrix(self, weights, kept=False)

    def with_kept(self, weights: Mapping[int, Fraction]) -> SampleMatrix:
        """The same for points of X_1, with all of X_2 at weight 1."""
        return SampleMatrix(self, weights, kept=True)

    def row(self, index: int) -> tuple[fmpq_mat, fmpq]:
        """A point, and its squared scale."""
        return fmpq_mat([self._rows[index]]), self._coordinates.squared_scales[index]

    def ball_row(self, index: int) -> tuple[list[arb], arb]:
        """The same as balls, kept once made."""
        known = self._ball_rows.get(index)
        if known is None:
            scale = arb(self._coordinates.squared_scales[index])
            known = self._ball_rows[index] = ([arb(x) for x in self._rows[index]], scale)
        return known
