"""Volume sampling of any size, and leveraged volume sampling, exactly.

Volume sampling takes a set S of s >= d points with probability proportional to
det(X_S^T X_S); the sum over all sets is C(n-d, s-d) det(X^T X). It starts from all points and
removes i with probability proportional to 1 - x_i^T (X_S^T X_S)^-1 x_i, until s are left. The
solution on the sample, unweighted, is unbiased: E beta_S = beta*.

Leveraged volume sampling draws a pool of r points independently by q = l/d, accepts it with
probability det((1/r) sum x x^T/q)/det(X^T X) <= 1, else draws again, and removes points x/sqrt(q)
down to k. Weight 1/(k q): E beta = beta* and E sum w x x^T = X^T X.

d is the rank of X; everything happens in the row space.

>>> from asura.dataset import dataset
>>> from asura.samplers.decisions import distribution
>>> data = dataset([[1], [2], [3]])
>>> [(picks, str(p)) for picks, p in sorted(distribution(VolumeSampling(1), data).items())]
[((0,), '1/14'), ((1,), '2/7'), ((2,), '9/14')]
>>> VolumeSampling(1).probability(data, [2])
Fraction(9, 14)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.errors import NeverAccepted
from asura.randomness import Chooser
from asura.samplers.decisions import (
    Decisions,
    Drawn,
    ExactSample,
    coin,
    require_sensible,
    require_size,
)
from asura.scalars import fraction, rational

#: n removals look at n points each.
MOST_POINTS = 500

#: The points of a pool have different denominators, so that its numbers are as long as all of
#: them together: half a minute for doubles of dimension 5, where the pool has 4 d^2 = 100.
MOST_IN_POOL = 100

#: A pool of 4 d^2 points is refused with probability below 1/2, so that this never happens.
MOST_POOLS = 1000


def determinant(data: Dataset, weights: Iterable[tuple[int, fmpq]]) -> fmpq:
    """The determinant of sum w x x^T, in the coordinates of the row space."""
    return _gram(*_rows(data, weights)).det()


def _rows(
    data: Dataset, weights: Iterable[tuple[int, fmpq]]
) -> tuple[list[list[fmpq]], list[fmpq]]:
    """The rows of these points, and their squared scales times the weights."""
    coordinates = data.coordinates
    rows = coordinates.rows.tolist()
    chosen = list(weights)
    return [rows[i] for i, _ in chosen], [w * coordinates.squared_scales[i] for i, w in chosen]


def _gram(rows: Sequence[Sequence[fmpq]], scales: Sequence[fmpq]) -> fmpq_mat:
    scaled = fmpq_mat([[c * x for x in row] for row, c in zip(rows, scales, strict=True)])
    return scaled.transpose() * fmpq_mat([list(row) for row in rows])


def remove_down(
    rows: Sequence[Sequence[fmpq]], scales: Sequence[fmpq], size: int, decisions: Decisions
) -> list[int]:
    """The positions that are left when all but `size` of the points sqrt(c) x are removed.

    One removal turns 1 - h_j into 1 - h_j - c_i c_j (x_j^T Z x_i)^2/(1 - h_i) where
    Z = (X_S^T X_S)^-1, and adds c_i (Z x_i)(Z x_i)^T/(1 - h_i) to Z. The masses sum to |S| - d.
    """
    matrix = fmpq_mat([list(row) for row in rows])
    inverse = _gram(rows, scales).inv()
    forms = (matrix * inverse).tolist()
    masses = [
        1 - c * sum((a * b for a, b in zip(form, row, strict=True)), fmpq(0))
        for form, row, c in zip(forms, rows, scales, strict=True)
    ]
    left = list(range(len(rows)))
    while len(left) > size:
        gone = left.pop(decisions.among([masses[j] for j in left]))
        column = inverse * fmpq_mat(len(rows[gone]), 1, list(rows[gone]))
        factor = scales[gone] / masses[gone]
        products = (matrix * column).entries()
        for j in left:
            masses[j] -= factor * scales[j] * products[j] * products[j]
        inverse += column * column.transpose() * factor
    return left


@dataclass(frozen=True, slots=True)
class VolumeSampling:
    """A sampling procedure for Algorithm 1: s points of all, each at weight 1."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """By reverse removal; decision j chooses among the points that are left, in order."""
        self._require(data)
        everything = [(i, fmpq(1)) for i in range(data.size)]
        left = remove_down(*_rows(data, everything), self.size, decisions)
        return ExactSample(EXACT, tuple(left), (fmpq(1),) * self.size)

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw j decides removal j."""
        return self.decide(data, Drawn(chooser))

    def normaliser(self, data: Dataset) -> Fraction:
        """C(n-d, s-d) det(X^T X), the sum of all determinants."""
        self._require(data)
        rank = data.dimension
        subsets = math.comb(data.size - rank, self.size - rank)
        return subsets * fraction(data.coordinates.gram().det())

    def probability(self, data: Dataset, chosen: Sequence[int]) -> Fraction:
        """P(S) = det(X_S^T X_S)/(C(n-d, s-d) det(X^T X)), by the formula."""
        normaliser = self.normaliser(data)
        if len(set(chosen)) != self.size or len(chosen) != self.size:
            return Fraction(0)
        return fraction(determinant(data, [(i, fmpq(1)) for i in chosen])) / normaliser

    def inclusion(self, data: Dataset) -> tuple[Fraction, ...]:
        """P(i in S) = t + (1 - t) l_i with t = (s-d)/(n-d); 1 when n = d."""
        self._require(data)
        rank = data.dimension
        if data.size == rank:
            return (Fraction(1),) * data.size
        share = Fraction(self.size - rank, data.size - rank)
        return tuple(share + (1 - share) * score for score in leverage_scores(data))

    def _require(self, data: Dataset) -> None:
        require_sensible(data.size, MOST_POINTS, "volume sampling")
        require_size(self.size, data.dimension, data.size, "from the rank to the number of points")


@dataclass(frozen=True, slots=True)
class LeveragedVolumeSampling:
    """k draws with repetitions, weight 1/(k q); the pool has max(k, 4 d^2) points unless told."""

    size: int
    pool: int | None = None

    def pool_size(self, data: Dataset) -> int:
        """How many points are drawn before the removals."""
        return max(self.size, 4 * data.dimension**2) if self.pool is None else self.pool

    def acceptance(self, data: Dataset) -> Fraction:
        """P(a pool is accepted) = r!/((r-d)! r^d)."""
        pool, rank = self.pool_size(data), data.dimension
        return Fraction(math.perm(pool, rank), pool**rank)

    def attempt(self, data: Dataset, decisions: Decisions) -> ExactSample | None:
        """One pool, its coin, and the removals; None when it is refused."""
        pool_size = self.pool_size(data)
        # Without a size of its own the pool is never smaller than the sample.
        require_size(self.size, data.dimension, self.pool, "from the rank to the pool")
        require_sensible(data.size, MOST_POINTS, "leveraged volume sampling")
        require_sensible(pool_size, MOST_IN_POOL, "the pool of leveraged volume sampling")
        rank = data.dimension
        shares = [rational(score) / rank for score in leverage_scores(data)]
        pool = [decisions.among(shares) for _ in range(pool_size)]
        weighted = [(i, 1 / (pool_size * shares[i])) for i in pool]
        chance = determinant(data, weighted) / data.coordinates.gram().det()
        if not coin(decisions, chance):
            return None
        left = remove_down(*_rows(data, weighted), self.size, decisions)
        picks = tuple(pool[position] for position in left)
        return ExactSample(EXACT, picks, tuple(1 / (self.size * shares[i]) for i in picks))

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """Pools until one is accepted."""
        for _ in range(MOST_POOLS):
            found = self.attempt(data, decisions)
            if found is not None:
                return found
        raise NeverAccepted(
            f"{MOST_POOLS} pools were refused: expected a larger pool", value=MOST_POOLS
        )

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draws in the order of the decisions: pool, coin, and so on, then removals."""
        return self.decide(data, Drawn(chooser))
