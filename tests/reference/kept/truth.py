"""The truth about small instances, written out: beta*, residuals, and the excess of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import fmpq, fmpq_mat
from hypothesis import strategies as st

from asura.dataset import Dataset, dataset
from asura.scalars import fraction, rational
from asura_verify.instances.strategies import datasets

small = st.fractions(min_value=-5, max_value=5, max_denominator=4)


@st.composite
def labelled(draw: st.DrawFn, *, maximal_dimension: int = 3, maximal_size: int = 6) -> Dataset:
    """Points of any kind at scale one, any n_1, and every label."""
    data = draw(datasets(maximal_dimension=maximal_dimension, maximal_size=maximal_size))
    labels = draw(st.lists(small, min_size=data.size, max_size=data.size))
    return dataset(data.points, unlabelled=data.unlabelled, labels=labels)


class Truth:
    """Points of scale one with every label, in coordinates of their row space."""

    def __init__(self, data: Dataset) -> None:
        assert all(scale == 1 for scale in data.squared_scales)
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
