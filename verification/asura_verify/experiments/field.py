"""The field's procedures on one problem: what each pays, and the exact loss of its answer.

Labels of X_2 are free for everyone. Samples are drawn in doubles and solved in doubles; the
loss of the vector b that comes out is exact: loss/OPT = 1 + (b - b*)^T X^T X (b - b*)/OPT.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from asura.arithmetic import DoubleArithmetic
from asura.dataset import Dataset
from asura.dimensions import reduced_rank
from asura.errors import SizeOutOfRange
from asura.kept.runs import kept_run
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Seed
from asura.run import run
from asura.samplers import doubles
from asura.samplers.coreset import LabelCoreset, residuals
from asura.samplers.doubles import Stream, in_doubles
from asura.scalars import fraction, rational
from asura.stopping import PAPER, StoppingRule, sure

Doubles = NDArray[np.float64]
#: Points and weights, with repetitions.
Sample = tuple[list[int], list[float]]


@dataclass(frozen=True)
class Pool:
    """Points of one problem, exactly and in doubles, without labels."""

    data: Dataset

    @cached_property
    def points(self) -> Doubles:
        """The points, each number rounded."""
        return in_doubles(self.data)

    @cached_property
    def scores(self) -> Doubles:
        """The leverage scores of X_1; they sum to R_X."""
        return doubles.leverage_scores(self.points)[: self.data.unlabelled]

    @cached_property
    def gram(self) -> fmpq_mat:
        """X^T X."""
        rows = fmpq_mat([[rational(x) for x in row] for row in self.data.points])
        scaled = fmpq_mat(
            [
                [rational(c * x) for x in row]
                for row, c in zip(self.data.points, self.data.squared_scales, strict=True)
            ]
        )
        return scaled.transpose() * rows

    @property
    def kept(self) -> list[int]:
        """X_2."""
        return list(range(self.data.unlabelled, self.data.size))


@dataclass(frozen=True)
class Labelled:
    """Labels for a pool: those of X_1, and 0 on X_2 unless the pool says otherwise."""

    pool: Pool
    labels: tuple[Fraction, ...]

    @cached_property
    def values(self) -> Doubles:
        """The labels, each rounded."""
        return np.array([float(y) for y in self.labels])

    @cached_property
    def best(self) -> tuple[fmpq_mat, fmpq]:
        """beta* and OPT; scaled points have label 0, so that both are rational."""
        data = self.pool.data
        rows = fmpq_mat([[rational(x) for x in row] for row in data.points])
        labels = fmpq_mat(data.size, 1, [rational(y) for y in self.labels])
        beta = self.pool.gram.solve(rows.transpose() * labels)
        norm = sum((rational(y * y) for y in self.labels), fmpq(0))
        return beta, norm - (beta.transpose() * rows.transpose() * labels)[0, 0]

    def ratio(self, beta: Doubles) -> Fraction:
        """loss/OPT of this very vector, exactly."""
        best, optimum = self.best
        exact = fmpq_mat(len(beta), 1, [rational(Fraction(float(b))) for b in beta])
        difference = exact - best
        excess = (difference.transpose() * self.pool.gram * difference)[0, 0]
        return 1 + fraction(excess / optimum)

    def answer(self, sample: Sample) -> tuple[Fraction, bool]:
        """loss/OPT of the weighted answer of least norm, and whether the sample determines it."""
        picks, weights = sample
        root = np.sqrt(weights)
        points = self.pool.points[picks]
        beta, _, rank, _ = np.linalg.lstsq(
            root[:, None] * points, root * self.values[picks], rcond=None
        )
        return self.ratio(np.asarray(beta)), int(rank) == points.shape[1]


def _by_name(name: str) -> Callable[[Pool, Fraction, int], Sample]:
    """A sampler of `asura.samplers.doubles`."""

    def sample(pool: Pool, size: Fraction, seed: int) -> Sample:
        picks, weights = doubles.draw(
            name, pool.points, pool.data.unlabelled, int(size), Seed(seed)
        )
        return [int(i) for i in picks], [float(w) for w in weights]

    return sample


def _with_kept(pool: Pool, picks: Sequence[int], weights: Sequence[float]) -> Sample:
    return [*picks, *pool.kept], [*weights, *[1.0] * len(pool.kept)]


def _uniform(pool: Pool, size: Fraction, seed: int) -> Sample:
    """k of X_1 without replacement, weight n_1/k; X_2 kept."""
    count = pool.data.unlabelled
    picks = Stream(Seed(seed)).subset(count, int(size))
    return _with_kept(pool, picks, [count / int(size)] * len(picks))


def _uniform_iid(pool: Pool, size: Fraction, seed: int) -> Sample:
    """k independent draws from X_1, weight n_1/k; X_2 kept."""
    count = pool.data.unlabelled
    picks = Stream(Seed(seed)).draws(np.ones(count), int(size)).tolist()
    return _with_kept(pool, picks, [count / int(size)] * len(picks))


def _kept_coins(pool: Pool, size: Fraction, seed: int) -> Sample:
    """K6: p = l/(l + tau) with E|S| = k, weight 1/p; X_2 kept."""
    low, high = 0.0, 1e9
    for _ in range(100):
        tau = (low + high) / 2
        if float(np.sum(pool.scores / (pool.scores + tau + 1e-300))) > float(size):
            low = tau
        else:
            high = tau
    chances = pool.scores / (pool.scores + high + 1e-300)
    picks = np.flatnonzero(Stream(Seed(seed)).coins(chances))
    return _with_kept(pool, picks.tolist(), (1 / chances[picks]).tolist())


def _asura(rule: StoppingRule) -> Callable[[Pool, Fraction, int], Sample]:
    """Algorithm 2 in doubles; the parameter is gamma."""

    def sample(pool: Pool, gamma: Fraction, seed: int) -> Sample:
        done: Any = run(
            pool.data, gamma, arithmetic=DoubleArithmetic(), chooser=Seed(seed), stopping=rule
        )
        return list(done.picks), [float(w) for w in done.scaled_weights]

    return sample


def _kept_run(pool: Pool, variant: Variant, seed: int) -> Sample:
    """A kept variant in doubles; the sample has X_2 at weight 1."""
    done: Any = kept_run(pool.data, variant, arithmetic=DoubleArithmetic(), chooser=Seed(seed))
    return list(done.sample.picks), [float(w) for w in done.sample.weights]


def _two_sided(pool: Pool, gamma: Fraction, seed: int) -> Sample:
    """K1 under the rule like the paper's; the parameter is gamma."""
    return _kept_run(pool, two_sided(pool.data, gamma), seed)


def _one_sided(pool: Pool, size: Fraction, seed: int) -> Sample:
    """K2 with E draws <= k and nu = (R/k)^(2/3), at most 9/10; the last step by a coin."""
    share = float(reduced_rank(pool.data) / size)
    nu = Fraction(min(0.9, round(share ** (2 / 3), 6)))
    return _kept_run(pool, one_sided(pool.data, size, nu), seed)


def _one_by_one(
    pool: Pool, size: Fraction, score: Callable[[Pool, Sequence[int]], Doubles]
) -> Sample:
    """No randomness: the point of the largest score next; X_2 kept, weights 1."""
    bought: list[int] = []
    for _ in range(int(size)):
        values = score(pool, [*pool.kept, *bought])[: pool.data.unlabelled].copy()
        values[bought] = -np.inf
        bought.append(int(np.argmax(values)))
    return _with_kept(pool, bought, [1.0] * len(bought))


def _fixed(score: Callable[[Pool, Sequence[int]], Doubles]) -> Callable[..., Sample]:
    """A learner whose choice depends on the points alone."""
    return lambda pool, size, _: _one_by_one(pool, size, score)


def variance(pool: Pool, known: Sequence[int]) -> Doubles:
    """x^T (known x x^T)^-1 x, with a trifle of X^T X where that is singular."""
    whole = pool.points.T @ pool.points
    gram = pool.points[list(known)].T @ pool.points[list(known)] + 1e-9 * whole
    forms = np.einsum("ni,ni->n", pool.points, np.linalg.solve(gram, pool.points.T).T)
    return np.asarray(forms, dtype=np.float64)


def distance(pool: Pool, known: Sequence[int]) -> Doubles:
    """The least squared distance to a known point; to the mean, the nearest first, without one."""
    points = pool.points
    if not len(known):
        return np.asarray(-np.sum((points - points.mean(axis=0)) ** 2, axis=1))
    gaps = points[:, None, :] - points[None, list(known), :]
    return np.asarray(np.min(np.sum(gaps**2, axis=2), axis=1), dtype=np.float64)


def _uncertainty(given: Labelled, size: Fraction) -> Sample:
    """Where the prediction is nearest to 0; without one fit, where its variance is largest."""

    def nearness(pool: Pool, known: Sequence[int]) -> Doubles:
        points = pool.points[list(known)]
        beta, _, rank, _ = np.linalg.lstsq(points, given.values[list(known)], rcond=None)
        if int(rank) < points.shape[1]:
            return variance(pool, known)
        return np.asarray(-np.abs(pool.points @ beta))

    return _one_by_one(given.pool, size, nearness)


def _coreset(given: Labelled, _: Fraction) -> Sample:
    """Chosen exactly, from every label, for loss <= 2 OPT; X_2 kept."""
    data = replace(given.pool.data, labels=given.labels)
    # Not `sample`, whose limits are for numbers of 53 bits: these have a dozen.
    weights = LabelCoreset().weights(data, residuals(data))
    return _with_kept(given.pool, list(weights), [float(fraction(w)) for w in weights.values()])


#: By the names of the table.
PROCEDURES: dict[str, Callable[[Pool, Fraction, int], Sample]] = {
    "uniform": _uniform,
    "uniform, iid": _uniform_iid,
    "leverage, coins": _by_name("leverage"),
    "leverage, iid": _by_name("leverage-iid"),
    "ridge leverage": _by_name("ridge-leverage"),
    "volume": _by_name("volume"),
    "leveraged volume": _by_name("leveraged-volume"),
    "ridge DPP": _by_name("ridge-dpp"),
    "k-DPP": _by_name("k-dpp"),
    "ASURA, paper's stop": _asura(PAPER),
    "ASURA, sure stop": _asura(sure()),
    "K1, two-sided": _two_sided,
    "K2, one-sided": _one_sided,
    "kept coins": _kept_coins,
    "largest variance": _fixed(variance),
    "greedy in x": _fixed(distance),
}
#: These read labels to choose: those that they have bought, and every one.
READING: dict[str, Callable[[Labelled, Fraction], Sample]] = {
    "uncertainty": _uncertainty,
    "coreset": _coreset,
}
READS_ALL = "coreset"
NAMES = (*PROCEDURES, *READING)
BY_GAMMA = ("ASURA, paper's stop", "ASURA, sure stop", "K1, two-sided")
#: Without randomness.
FIXED = ("largest variance", "greedy in x")
#: The data determine the size.
UNSIZED = ("ridge DPP", READS_ALL)


def try_sample(name: str, pool: Pool, parameter: Fraction, seed: int) -> Sample | None:
    """A sample, or None where a sample of this size does not exist."""
    try:
        return PROCEDURES[name](pool, parameter, seed)
    except SizeOutOfRange:
        return None
