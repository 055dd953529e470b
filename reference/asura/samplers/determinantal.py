"""The determinantal process of ridge regression, and the same process of a fixed size.

P(T is in S) = det K_T for the points of X_1, with K = X_1 (X^T X)^-1 X_1^T. So point i is in S
with probability its leverage score, and E|S| = R_X. When X_2 spans, this is
P(S) = det L_S/det(I + L) with L = X_1 (X_2^T X_2)^-1 X_1^T; for the data of `asura.dataset.ridge`,
L = X_1 X_1^T/lambda and the scores are the ridge leverage scores. Without X_2 it is volume sampling
of size d. Given |S| = k it is the k-DPP, P(S) proportional to det L_S.

X_2 is kept at weight 1, and a sampled point has weight 1/P(i in S): E sum w x x^T = X^T X.

The points are decided one after the other. When i is taken, K becomes K - K_.i K_i./K_ii; when it
is not, K + K_.i K_i./(1 - K_ii). With squared scales c, diag(c) C (X^T X)^-1 C^T stands for K: it
has the same principal minors, and is rational.

>>> from asura.dataset import ridge
>>> from asura.samplers.decisions import distribution
>>> data = ridge([[1], [2]], 1)                                   # L = [[1, 2], [2, 4]]
>>> [(picks, str(p)) for picks, p in sorted(distribution(RidgeProcess(), data).items())]
[((0, 2), '1/6'), ((1, 2), '2/3'), ((2,), '1/6')]
>>> [str(p) for p in FixedSizeProcess(1).inclusion(data)]
['1/5', '4/5']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat, fmpq_poly

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.errors import SizeOutOfRange
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

#: Every decision changes the whole kernel.
MOST_POINTS = 100

#: Every decision also computes a characteristic polynomial.
MOST_POINTS_OF_FIXED_SIZE = 40


def marginal_kernel(data: Dataset) -> fmpq_mat:
    """diag(c) C (X^T X)^-1 C^T over X_1, whose principal minors are those of K."""
    coordinates = data.coordinates
    whole = coordinates.scaled_rows() * coordinates.gram().inv() * coordinates.rows.transpose()
    count = data.unlabelled
    return fmpq_mat(count, count, [whole[i, k] for i in range(count) for k in range(count)])


def _conditioned(kernel: fmpq_mat, *, taken: bool) -> fmpq_mat:
    """The kernel of the other points, once the first is decided."""
    size = kernel.nrows()
    pivot = kernel[0, 0] if taken else kernel[0, 0] - 1
    return fmpq_mat(
        size - 1,
        size - 1,
        [
            kernel[i, k] - kernel[i, 0] * kernel[0, k] / pivot
            for i in range(1, size)
            for k in range(1, size)
        ],
    )


def _sizes(kernel: fmpq_mat) -> list[fmpq]:
    """P(|S| = j) for j = 0, 1, ...: the coefficients of det(I + (z - 1) K)."""
    size = kernel.nrows()
    if size == 0:
        return [fmpq(1)]
    characteristic = kernel.charpoly().coeffs()  # det(t I - K): e_j(K) is (-1)^j times t^(n-j)
    shift, power, total = fmpq_poly([-1, 1]), fmpq_poly([1]), fmpq_poly([0])
    for j in range(size + 1):
        total += power * (characteristic[size - j] * (-1) ** j)
        power *= shift
    found = total.coeffs()
    return [*found, *[fmpq(0)] * (size + 1 - len(found))]


def size_distribution(data: Dataset) -> tuple[Fraction, ...]:
    """P(|S| = j) for j = 0, ..., n_1; the mean is R_X."""
    require_sensible(data.unlabelled, MOST_POINTS, "a determinantal process")
    return tuple(fraction(p) for p in _sizes(marginal_kernel(data)))


def process_probability(data: Dataset, chosen: Sequence[int]) -> Fraction:
    """P(S) = |det(K - I_(not S))|, by the formula, for a set of points of X_1."""
    require_sensible(data.unlabelled, MOST_POINTS, "a determinantal process")
    if data.unlabelled == 0:
        return Fraction(int(not chosen))
    kernel = marginal_kernel(data)
    for index in range(data.unlabelled):
        if index not in chosen:
            kernel[index, index] = kernel[index, index] - 1
    return abs(fraction(kernel.det()))


def _with_kept(data: Dataset, picks: list[int], chances: Sequence[Fraction]) -> ExactSample:
    kept = range(data.unlabelled, data.size)
    weights = (*(rational(1 / chances[i]) for i in picks), *[fmpq(1)] * len(kept))
    return ExactSample(EXACT, (*picks, *kept), weights)


@dataclass(frozen=True, slots=True)
class RidgeProcess:
    """A sampling procedure for Algorithm 1: a determinantal set of X_1, and all of X_2."""

    def inclusion(self, data: Dataset) -> tuple[Fraction, ...]:
        """P(i in S), the leverage scores of X_1."""
        return leverage_scores(data)[: data.unlabelled]

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """Decision i takes or leaves point i."""
        require_sensible(data.unlabelled, MOST_POINTS, "a determinantal process")
        kernel = marginal_kernel(data)
        picks = []
        for index in range(data.unlabelled):
            taken = coin(decisions, kernel[0, 0])
            if taken:
                picks.append(index)
            kernel = _conditioned(kernel, taken=taken)
        return _with_kept(data, picks, self.inclusion(data))

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw i decides point i of X_1."""
        return self.decide(data, Drawn(chooser))


@dataclass(frozen=True, slots=True)
class FixedSizeProcess:
    """The k-DPP: the process given that it takes k points of X_1."""

    size: int

    def inclusion(self, data: Dataset) -> tuple[Fraction, ...]:
        """P(i in S given |S| = k); they sum to k."""
        kernel = self._kernel(data)
        whole = _sizes(kernel)[self.size]
        count = data.unlabelled
        found = []
        for index in range(count):
            order = [index, *(i for i in range(count) if i != index)]
            first = fmpq_mat(count, count, [kernel[i, k] for i in order for k in order])
            found.append(fraction(_joint(first, self.size) / whole))
        return tuple(found)

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """Decision i takes or leaves point i."""
        kernel = self._kernel(data)
        picks: list[int] = []
        for index in range(data.unlabelled):
            left = self.size - len(picks)
            taken = coin(decisions, _joint(kernel, left) / _sizes(kernel)[left])
            if taken:
                picks.append(index)
            kernel = _conditioned(kernel, taken=taken)
        return _with_kept(data, picks, self.inclusion(data))

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw i decides point i of X_1."""
        return self.decide(data, Drawn(chooser))

    def _kernel(self, data: Dataset) -> fmpq_mat:
        require_sensible(data.unlabelled, MOST_POINTS_OF_FIXED_SIZE, "the process of fixed size")
        require_size(self.size, 0, data.unlabelled, "from 0 to the number of points of X_1")
        kernel = marginal_kernel(data)
        sizes = _sizes(kernel)
        if sizes[self.size] == 0:
            possible = [j for j, p in enumerate(sizes) if p != 0]
            raise SizeOutOfRange(
                f"size {self.size} has probability zero: expected from {possible[0]} "
                f"to {possible[-1]}",
                value=self.size,
            )
        return kernel


def _joint(kernel: fmpq_mat, size: int) -> fmpq:
    """P(the first point is in S, and |S| = size)."""
    if size == 0 or kernel[0, 0] == 0:
        return fmpq(0)
    return kernel[0, 0] * _sizes(_conditioned(kernel, taken=True))[size - 1]
