"""The truth about small labelled instances with X_2 kept: beta*, residuals, excess, noise.

For weights w on X_1 and weight 1 on X_2, M (beta^ - beta*) = v = sum over X_1 of (w - 1) e U, and
the excess loss is |beta^ - beta*|^2 in the coordinates of U.

>>> from asura.dataset import dataset
>>> truth = Truth(dataset([[1], [1]], unlabelled=1, labels=[3, 0]))
>>> truth.optimum(), truth.excess(truth.kept({}))          # beta* = 3/2, without a label 0
(Fraction(9, 2), Fraction(9, 2))
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, arb_mat, fmpq, fmpq_mat

from asura.dataset import Dataset
from asura.scalars import fraction, rational


class Truth:
    """Points of scale one with every label, in coordinates of their row space."""

    def __init__(self, data: Dataset) -> None:
        if any(scale != 1 for scale in data.squared_scales):
            raise ValueError("points with scales: expected points of scale one")
        self.data = data
        self.rows = data.coordinates.rows.tolist()
        self.labels = [rational(label or Fraction(0)) for label in data.labels]
        self.width = data.dimension
        self.gram = self.normal(dict.fromkeys(range(data.size), Fraction(1)))
        self.best = self.solve(dict.fromkeys(range(data.size), Fraction(1)))
        self.residuals = [
            y - sum((x * b for x, b in zip(row, self.best, strict=True)), fmpq(0))
            for row, y in zip(self.rows, self.labels, strict=True)
        ]

    def normal(self, weights: Mapping[int, Fraction]) -> fmpq_mat:
        """Sum w x x^T."""
        total = fmpq_mat(self.width, self.width)
        for index, weight in weights.items():
            row = fmpq_mat([self.rows[index]])
            total += row.transpose() * row * rational(weight)
        return total

    def solve(self, weights: Mapping[int, Fraction]) -> list[fmpq]:
        """The minimiser of sum w (x beta - y)^2."""
        right = [
            sum(
                (rational(w) * self.labels[i] * self.rows[i][k] for i, w in weights.items()),
                fmpq(0),
            )
            for k in range(self.width)
        ]
        return self.normal(weights).solve(fmpq_mat(self.width, 1, right)).entries()

    def kept(self, weights: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """Weights of points of X_1, with X_2 at weight 1."""
        second = range(self.data.unlabelled, self.data.size)
        return {**weights, **dict.fromkeys(second, Fraction(1))}

    def optimum(self, count: int | None = None) -> Fraction:
        """OPT, or its part on the first points."""
        return fraction(sum((e * e for e in self.residuals[:count]), fmpq(0)))

    def excess_of(self, beta: list[fmpq]) -> Fraction:
        """|X (beta - beta*)|^2."""
        gap = fmpq_mat(self.width, 1, [a - b for a, b in zip(beta, self.best, strict=True)])
        return fraction((gap.transpose() * self.gram * gap)[0, 0])

    def excess(self, weights: Mapping[int, Fraction]) -> Fraction:
        """The excess loss of the weighted least squares solution."""
        return self.excess_of(self.solve(weights))

    def noise(self, weights: Mapping[int, Fraction]) -> Fraction:
        """|v|^2 for v = sum over X of (w - 1) e U, which equals M (beta^ - beta*)."""
        total = [fmpq(0)] * self.width
        for index in range(self.data.size):
            factor = rational(weights.get(index, Fraction(0)) - 1) * self.residuals[index]
            total = [t + factor * x for t, x in zip(total, self.rows[index], strict=True)]
        vector = fmpq_mat(self.width, 1, total)
        return fraction((vector.transpose() * self.gram.inv() * vector)[0, 0])


class BallTruth:
    """The excess and the spectrum for weights that are balls."""

    def __init__(self, data: Dataset) -> None:
        truth = Truth(data)
        self.data = data
        self.optimum = truth.optimum(data.unlabelled)
        self.rows = [[arb(x) for x in row] for row in truth.rows]
        self.residuals = [arb(e) for e in truth.residuals]
        self.gram = arb_mat(truth.gram)
        kept = truth.normal(truth.kept({}))
        self.kept = arb_mat(kept if truth.kept({}) else fmpq_mat(truth.width, truth.width))
        self.width = truth.width

    def matrix(self, weights: list[tuple[int, arb]]) -> arb_mat:
        """M: the weighted points and X_2."""
        total = self.kept
        for index, weight in weights:
            row = arb_mat([self.rows[index]])
            total = total + row.transpose() * row * weight
        return total

    def vector(self, weights: list[tuple[int, arb]]) -> arb_mat:
        """The vector v = sum w e x + sum over X_2 of e x."""
        right = [arb(0)] * self.width
        second = [(i, arb(1)) for i in range(self.data.unlabelled, self.data.size)]
        for index, weight in [*weights, *second]:
            factor = weight * self.residuals[index]
            right = [r + factor * x for r, x in zip(right, self.rows[index], strict=True)]
        return arb_mat(self.width, 1, right)

    def excess(self, weights: list[tuple[int, arb]]) -> arb | None:
        """The excess: M (beta^ - beta*) = v; None when M may be singular."""
        try:
            gap = self.matrix(weights).solve(self.vector(weights))
        except ZeroDivisionError:
            return None
        return (gap.transpose() * self.gram * gap)[0, 0]

    def noise(self, weights: list[tuple[int, arb]]) -> arb:
        """|v|^2, in the coordinates of U."""
        v = self.vector(weights)
        return (v.transpose() * self.gram.solve(v))[0, 0]
