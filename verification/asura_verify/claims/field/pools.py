"""Leveraged volume sampling (Derezinski, Warmuth and Hsu): k draws with repetitions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import fmpq

from asura.dataset import Dataset
from asura.scalars import fraction
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.instances.families import POOLS
from asura_verify.instances.field import PoolInstance
from asura_verify.registry.claim import Check, Claim
from asura_verify.registry.shorthand import claim, printed, sharper
from asura_verify.trees.sampler_laws import (
    Law,
    best,
    expected_beta,
    expected_counts,
    expected_inverse,
    normal,
    total,
)

FIELD = "the field: Derezinski, Warmuth and Hsu"


def _sequences(data: Dataset, size: int, shares: tuple[Fraction, ...]) -> Law:
    """det(sum x x^T/q) times the product of q, for every sequence of k draws; weights 1/(k q)."""
    found: Law = []
    for picks in itertools.product(range(data.size), repeat=size):
        if all(shares[i] for i in picks):
            value = normal(data, [(i, 1 / shares[i]) for i in picks]).det()
            if value != 0:
                chance = math.prod((shares[i] for i in picks), start=fraction(value))
                found.append((chance, [(i, 1 / (size * shares[i])) for i in picks]))
    return found


def _whole(instance: PoolInstance) -> Fraction:
    """k!/(k-d)! det(X^T X)."""
    data = instance.data
    return math.perm(instance.size, data.dimension) * fraction(data.coordinates.gram().det())


@conjunction
def sequences_sum(compare: Comparisons, instance: PoolInstance) -> None:
    """The sum over all sequences, for any positive q."""
    found = _sequences(instance.data, instance.size, instance.shares)
    compare.equal("the sum over all sequences", total(found), _whole(instance))


@conjunction
def pools_have_the_law(compare: Comparisons, instance: PoolInstance) -> None:
    """The sampler draws a sequence with this probability, whatever the size of its pool."""
    data, size, pool = instance.data, instance.size, instance.pool
    chance, found = instance.accepted
    accepted = Fraction(math.perm(pool, data.dimension), pool**data.dimension)
    compare.equal("P(a pool is accepted)", chance, accepted)
    wanted = _sequences(data, size, instance.leverage_shares)
    drawn = {tuple(weights): p for p, weights in found}
    for volume, weights in wanted:
        p = drawn.pop(tuple(weights), Fraction(0))
        compare.equal(f"P({[i for i, _ in weights]})", p, volume / _whole(instance))
    compare.that("nothing else is drawn", not drawn)


@conjunction
def pools_are_unbiased(compare: Comparisons, instance: PoolInstance) -> None:
    """E beta = beta*."""
    value = expected_beta(instance.data, instance.accepted[1])
    compare.that("every outcome has one solution", value is not None)
    for k, (left, right) in enumerate(zip(value or [], best(instance.data), strict=False)):
        compare.equal(f"E beta, coordinate {k}", left, right)


def counts_follow_the_shares(instance: PoolInstance) -> CheckResult:
    """E of the weighted counts is (k - d) + l/q point by point, for any positive q."""
    compare = Comparisons()
    data, size, rank = instance.data, instance.size, instance.data.dimension
    found = _sequences(data, size, instance.shares)
    whole = total(found)
    if whole == 0:
        return VACUOUS
    counts = expected_counts(data, [(p / whole, weights) for p, weights in found])
    for i, count in enumerate(counts):
        score = instance.leverage_shares[i] * rank
        compare.equal(f"E count {i}", count, size - rank + score / instance.shares[i])
    return compare.result()


@conjunction
def counts_are_k(compare: Comparisons, instance: PoolInstance) -> None:
    """For q = l/d the sampler's weighted counts are k in the mean, for points that are not 0."""
    counts = expected_counts(instance.data, instance.accepted[1])
    for i, (count, share) in enumerate(zip(counts, instance.leverage_shares, strict=True)):
        compare.equal(f"E count {i}", count, instance.size if share else 0)


@conjunction
def inverse_is_bounded(compare: Comparisons, instance: PoolInstance) -> None:
    """E (sum x x^T/q)^-1 <= (X^T X)^-1/(k-d+1); with weights 1/(k q), k times as much."""
    data, size = instance.data, instance.size
    bound = data.coordinates.gram().inv() * fmpq(size, size - data.dimension + 1)
    value = expected_inverse(data, instance.accepted[1])
    compare.semidefinite(r"E inverse $\preceq$ inverse/(k-d+1)", bound - value)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "leveraged-volume",
        "Leveraged volume sampling",
        FIELD,
        printed(
            r"the sum over all sequences of $k$ draws of $\det(\sum x x^\top/q)$ times the "
            r"product of the $q$ is $k!/(k-d)!\, \det(X^\top X)$, for every positive $q$",
            Check("sequences-sum", POOLS, sequences_sum),
            theorems="sequences_sum",
        ),
        sharper(
            "law",
            r"draws by $q = l/d$, accepted with probability $\det((1/r) \sum x "
            r"x^\top/q)/\det(X^\top X)$, then removed down to $k$, have this law whatever the "
            r"pool; a pool of $r$ is accepted with probability $r!/((r-d)!\, r^d)$",
            Check("pool-law", POOLS, pools_have_the_law),
        ),
        sharper(
            "unbiased",
            r"$\mathbb{E}[\beta] = \beta^\ast$ with weights $1/(k q)$",
            Check("pool-unbiased", POOLS, pools_are_unbiased),
            theorems="leveraged_unbiased",
        ),
        sharper(
            "counts",
            "the weighted counts of the points have mean $k - d + l/q$ for every positive $q$",
            Check("counts-any-q", POOLS, counts_follow_the_shares),
        ),
        sharper(
            "counts-leverage",
            r"they have mean $k$ for $q = l/d$, so that $\mathbb{E} \sum w x x^\top = X^\top X$",
            Check("counts-leverage", POOLS, counts_are_k),
        ),
        sharper(
            "inverse",
            r"$\mathbb{E} (\sum x x^\top/q)^{-1} \preceq (X^\top X)^{-1}/(k-d+1)$",
            Check("pool-inverse", POOLS, inverse_is_bounded),
        ),
        depends="volume-normaliser volume-inverse",
    ),
)
