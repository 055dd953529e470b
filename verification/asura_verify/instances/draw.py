"""Drawing instances, written once: every choice is an integer or one of several options.

`RandomDraw` makes instances by the thousand, each reproducible from a family, a seed and an index;
`asura_verify.instances.strategies` makes the same ones by Hypothesis, which shrinks them, at fifty
times the price. The first option and the integer next to 0 count as the simplest.

>>> step_instance(random_draw("steps", 0, 3)) == step_instance(random_draw("steps", 0, 3))
True
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Protocol, TypeVar

from flint import fmpq_mat

from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.rates import PAPER_RATES, TIGHT_RATES, Rates
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
T = TypeVar("T")


class Draw(Protocol):
    """Where choices come from."""

    def integer(self, low: int, high: int) -> int:
        """One of low, ..., high."""

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""


class RandomDraw:
    """Choices by a pseudorandom generator."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def integer(self, low: int, high: int) -> int:
        """Each as likely as another."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence[T]) -> T:
        """Each as likely as another."""
        return self._random.choice(options)


def random_draw(family: str, seed: int, index: int) -> RandomDraw:
    """The randomness of one instance."""
    return RandomDraw(Random(f"asura:{family}:{seed}:{index}"))  # noqa: S311 reproducible, not secret


def rarely(draw: Draw) -> bool:
    """Once in five times."""
    return draw.choice((False, False, False, False, True))


def small_rational(draw: Draw, bound: int = 4) -> Fraction:
    """A rational of small height, zero included."""
    return Fraction(draw.integer(-bound, bound), draw.choice((1, 1, 1, 2, 3)))


def gamma(
    draw: Draw, *, minimum: Fraction = Fraction(0), maximum: Fraction = Fraction(1, 2)
) -> Fraction:
    """gamma strictly between two bounds, near either end as well."""
    # Every kind draws the same numbers, so that an inner value is the simplest.
    kind = draw.choice(("inner", "inner", "inner", "low", "high"))
    q, p = draw.integer(2, 40), draw.integer(1, 39)
    width = maximum - minimum
    if kind == "inner":
        return minimum + width * Fraction((p - 1) % (q - 1) + 1, q)
    edge = width * Fraction(1, 2**q)
    return minimum + edge if kind == "low" else maximum - edge


def run_gamma(draw: Draw, dimension: int) -> Fraction:
    """gamma for a whole run, which takes about d/gamma^2 iterations."""
    least = {1: Fraction(3, 50), 2: Fraction(9, 100)}.get(dimension, Fraction(7, 50))
    return gamma(draw, minimum=least)


def definite_matrix(draw: Draw, size: int) -> Matrix:
    """A positive definite rational matrix L D L^T, its pivots spread over many scales."""
    spread = draw.choice((1, 1, 4, 12))
    lower, pivots = fmpq_mat(size, size), fmpq_mat(size, size)
    for i in range(size):
        power = Fraction(2) ** draw.integer(-spread, spread)
        pivots[i, i] = rational(power * Fraction(draw.integer(1, 5), draw.integer(1, 3)))
        lower[i, i] = 1
        for k in range(i):
            lower[i, k] = rational(small_rational(draw, 3))
    return fractions(lower * pivots * lower.transpose())


def semidefinite_matrix(draw: Draw, size: int, *, nonzero: bool = False) -> Matrix:
    """A semidefinite matrix F^T F of any rank, often of rank one, perhaps zero."""
    rank = draw.choice((1, *range(1, size + 1)))
    factor = fmpq_mat(rank, size, [rational(small_rational(draw)) for _ in range(rank * size)])
    if nonzero and factor.rank() == 0:
        factor[0, 0] = 1
    return fractions(factor.transpose() * factor)


def _spoiled(draw: Draw, rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """The rows, perhaps with a repeated, a zero, a dependent or a badly scaled one."""
    kind = draw.choice(("plain", "repeated", "zero", "dependent", "scaled"))
    place, width = draw.integer(0, len(rows) - 1), len(rows[0])
    if kind == "repeated":
        return [*rows, list(rows[place])]
    if kind == "zero":
        return [*rows, [Fraction(0)] * width]
    if kind == "dependent" and width > 1:
        return [[*row[:-1], 2 * row[0]] for row in rows]
    if kind == "scaled":
        power = Fraction(2) ** draw.choice((-40, -10, 10, 40))
        rows[place] = [x * power for x in rows[place]]
    return rows


def points(draw: Draw, *, widest: int = 4, most: int = 8) -> Dataset:
    """Points of any kind: repeated, zero, rank deficient, badly scaled; n_1 from 0 to n."""
    width, count = draw.integer(1, widest), draw.integer(1, most)
    rows = _spoiled(draw, [[small_rational(draw) for _ in range(width)] for _ in range(count)])
    if not any(any(row) for row in rows):
        rows[0][0] = Fraction(1)
    scales = [Fraction(1)] * len(rows)
    if draw.choice((False, True)):
        scales = [Fraction(draw.integer(1, 9), draw.integer(1, 4)) for _ in rows]
    unlabelled = draw.choice((len(rows), 0, *range(1, len(rows))))
    return dataset(rows, unlabelled=unlabelled, squared_scales=scales)


def tight_step_instance(draw: Draw) -> StepInstance:
    """The same at the tight rates, which allow every gamma < 1."""
    return step_instance(draw, TIGHT_RATES)


def step_instance(draw: Draw, rates: Rates = PAPER_RATES) -> StepInstance:
    """Any state between its barriers, reachable or not, at any place on the clock."""
    data, value = points(draw), gamma(draw, maximum=rates.limit)
    size = data.dimension
    far = rarely(draw)
    excess = Fraction(draw.integer(-23, 100) if far else draw.integer(0, 24), 24)
    gap = Fraction(4 * size) / value * (1 + excess)
    offset = Fraction(draw.integer(-20, 20), 7) if draw.choice((False, True)) else -HALF
    return StepInstance(
        data,
        value,
        gap * offset,
        gap,
        definite_matrix(draw, size),
        semidefinite_matrix(draw, size),
        Fraction(draw.integer(0, 23), 24),
        rates,
    )


def points_instance(draw: Draw) -> PointsInstance:
    """Points alone."""
    return PointsInstance(points(draw))


def _vector(draw: Draw, size: int) -> tuple[Fraction, ...]:
    return tuple(small_rational(draw, 6) for _ in range(size))


def ridge_instance(draw: Draw) -> RidgeInstance:
    """X_1 of any rank, lambda from 0 upwards."""
    width, count = draw.integer(1, 4), draw.integer(1, 6)
    rows = tuple(tuple(small_rational(draw) for _ in range(width)) for _ in range(count))
    lam = Fraction(draw.integer(1, 50), draw.integer(1, 40))
    lam = draw.choice((Fraction(1), Fraction(0), lam))
    if not any(any(row) for row in rows):
        lam += 1
    return RidgeInstance(rows, lam, _vector(draw, count), _vector(draw, width))


def kernel_instance(draw: Draw) -> KernelInstance:
    """K of any positive rank, lambda > 0."""
    size = draw.integer(1, 4)
    kernel = semidefinite_matrix(draw, size, nonzero=True)
    lam = Fraction(draw.integer(1, 50), draw.integer(1, 40))
    return KernelInstance(kernel, lam, _vector(draw, size), _vector(draw, size))


def run_instance(draw: Draw) -> RunInstance:
    """A run under the paper's rule."""
    data = points(draw)
    if rarely(draw) and data.width <= 3:
        data = ridge(data.points, Fraction(draw.integer(1, 8), 3))
    return RunInstance(data, run_gamma(draw, data.dimension), draw.integer(0, 2**32 - 1), PAPER)


def sure_instance(draw: Draw) -> RunInstance:
    """A run under the `sure` rule, at several stop levels."""
    data = points(draw)
    level = draw.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(2)))
    value = max(run_gamma(draw, data.dimension), Fraction(1, 10))
    return RunInstance(data, value, draw.integer(0, 2**32 - 1), sure(level))


def kernel_data(instance: KernelInstance) -> Dataset:
    """The dataset of an active kernel ridge regression problem."""
    return kernel_ridge(instance.kernel, instance.lam, labels=instance.labels)


def ridge_data(instance: RidgeInstance) -> Dataset:
    """The dataset of an active ridge regression problem."""
    return ridge(instance.rows, instance.lam, labels=instance.labels)
