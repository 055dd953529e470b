"""Instances by the thousand, each reproducible from a family, a seed and an index.

`asura_verify.instances.strategies` draws the same instances with shrinking, at fifty times the
price.

>>> step_instance(random_for("steps", 0, 3)) == step_instance(random_for("steps", 0, 3))
True
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import fmpq, fmpq_mat

from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.scalars import rational
from asura.stopping import PAPER, sure
from asura_verify.instances.run import RunInstance
from asura_verify.instances.step import (
    KernelInstance,
    Matrix,
    PointsInstance,
    RidgeInstance,
    StepInstance,
    fractions,
)

HALF = Fraction(1, 2)


def random_for(family: str, seed: int, index: int) -> Random:
    """The randomness of one instance."""
    return Random(f"asura:{family}:{seed}:{index}")  # noqa: S311 reproducible, not secret


def small_rational(random: Random, bound: int = 4) -> Fraction:
    """A rational of small height, zero included."""
    return Fraction(random.randint(-bound, bound), random.choice((1, 1, 1, 2, 3)))


def gamma(random: Random) -> Fraction:
    """gamma in (0, 1/2): small fractions, and both ends of the range."""
    kind = random.random()
    if kind < 0.15:
        return Fraction(1, random.randint(50, 1000))
    if kind < 0.3:
        return HALF - Fraction(1, 2 ** random.randint(4, 20))
    denominator = random.randint(3, 40)
    return Fraction(random.randint(1, (denominator - 1) // 2), denominator)


def run_gamma(random: Random, dimension: int) -> Fraction:
    """gamma for a whole run, which takes about d/gamma^2 iterations."""
    least = 0.06 if dimension == 1 else 0.09 if dimension == 2 else 0.14
    while True:
        value = gamma(random)
        if value >= least:
            return value


def definite_matrix(random: Random, size: int) -> Matrix:
    """A positive definite rational matrix L D L^T, its pivots spread over many scales."""
    lower = fmpq_mat(
        size,
        size,
        [
            fmpq(1) if i == k else rational(small_rational(random, 3)) if i > k else fmpq(0)
            for i in range(size)
            for k in range(size)
        ],
    )
    spread = random.choice((1, 1, 4, 12))
    pivots = fmpq_mat(size, size)
    for i in range(size):
        scale = Fraction(2) ** random.randint(-spread, spread)
        pivots[i, i] = rational(scale * Fraction(random.randint(1, 5), random.randint(1, 3)))
    return fractions(lower * pivots * lower.transpose())


def semidefinite_matrix(random: Random, size: int) -> Matrix:
    """A nonzero semidefinite matrix; of rank one half of the time."""
    rank = 1 if random.random() < 0.5 else random.randint(1, size)
    while True:
        factor = fmpq_mat(
            rank, size, [rational(small_rational(random)) for _ in range(rank * size)]
        )
        if factor.rank() > 0:
            return fractions(factor.transpose() * factor)


def points(random: Random, dimension: int | None = None) -> Dataset:
    """Points of any kind: repeated, zero, rank deficient, badly scaled; n_1 from 0 to n."""
    width = random.choice((1, 2, 2, 3, 3, 4)) if dimension is None else dimension
    count = random.randint(width, width + 5)
    while True:
        rows = [[small_rational(random) for _ in range(width)] for _ in range(count)]
        kind = random.random()
        if kind < 0.2:
            rows[random.randrange(count)] = list(random.choice(rows))
        elif kind < 0.3:
            rows[random.randrange(count)] = [Fraction(0)] * width
        elif kind < 0.4 and width > 1:
            rows = [[*row[:-1], 2 * row[0]] for row in rows]
        elif kind < 0.5:
            scale = Fraction(2) ** random.choice((-30, -10, 10, 30))
            rows[0] = [scale * x for x in rows[0]]
        scales = [
            Fraction(random.randint(1, 9), random.randint(1, 3))
            if random.random() < 0.2
            else Fraction(1)
            for _ in rows
        ]
        if any(any(row) for row in rows):
            first = random.choice((0, count, *range(1, count + 1)))
            return dataset(rows, unlabelled=first, squared_scales=scales)


def step_instance(random: Random) -> StepInstance:
    """Any state between its barriers, at any place on the clock."""
    data = points(random)
    value = gamma(random)
    size = data.dimension
    unit = Fraction(4 * size) / value
    excess = Fraction(random.randint(0, 24), 24)
    if random.random() < 0.2:
        excess = Fraction(random.randint(-23, 100), 24)
    gap = unit * (1 + excess)
    lower = -gap / 2 if random.random() < 0.5 else gap * Fraction(random.randint(-20, 20), 7)
    return StepInstance(
        data,
        value,
        lower,
        gap,
        definite_matrix(random, size),
        semidefinite_matrix(random, size),
        Fraction(random.randint(0, 23), 24),
    )


def points_instance(random: Random) -> PointsInstance:
    """Points alone."""
    return PointsInstance(points(random))


def _labels(random: Random, count: int) -> tuple[Fraction, ...]:
    return tuple(small_rational(random, 6) for _ in range(count))


def ridge_instance(random: Random) -> RidgeInstance:
    """X_1 of any rank, lambda from 0 upwards."""
    width = random.randint(1, 4)
    rows = tuple(
        tuple(small_rational(random) for _ in range(width)) for _ in range(random.randint(1, 6))
    )
    lam = random.choice(
        (Fraction(0), Fraction(1), Fraction(random.randint(1, 50), random.randint(1, 40)))
    )
    if not any(any(row) for row in rows):
        lam = Fraction(1)
    return RidgeInstance(rows, lam, _labels(random, len(rows)), _labels(random, width))


def kernel_instance(random: Random) -> KernelInstance:
    """K of any positive rank, lambda > 0."""
    size = random.randint(1, 4)
    kernel = semidefinite_matrix(random, size)
    lam = Fraction(random.randint(1, 50), random.randint(1, 40))
    return KernelInstance(kernel, lam, _labels(random, size), _labels(random, size))


def run_instance(random: Random) -> RunInstance:
    """A run under the paper's rule."""
    data = points(random)
    if random.random() < 0.2:
        width = data.width
        data = ridge(data.points, Fraction(random.randint(1, 8), 3)) if width <= 3 else data
    return RunInstance(data, run_gamma(random, data.dimension), random.getrandbits(32), PAPER)


def sure_instance(random: Random) -> RunInstance:
    """A run under the `sure` rule, at several stop levels."""
    data = points(random)
    level = random.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(2)))
    value = max(run_gamma(random, data.dimension), Fraction(1, 10))
    return RunInstance(data, value, random.getrandbits(32), sure(level))


def kernel_data(instance: KernelInstance) -> Dataset:
    """The dataset of an active kernel ridge regression problem."""
    return kernel_ridge(instance.kernel, instance.lam, labels=instance.labels)


def ridge_data(instance: RidgeInstance) -> Dataset:
    """The dataset of an active ridge regression problem."""
    return ridge(instance.rows, instance.lam, labels=instance.labels)
