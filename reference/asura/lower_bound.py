"""The instance of Section 5 at a finite number of copies, with its closed forms.

X_1 has n copies of e_i/sqrt(n) for each i, X_2 = sqrt(lambda) I with labels 0, and the label of
a copy is (s_i (1 + lambda) + noise)/sqrt(n) for a sign s_i. The appendix's scaling is used; the
main text's drops the factor 1/sqrt(n) from the noise (slug lower-bound-opt).

>>> instance = lower_bound_instance([1, -1], lam=3, epsilon="1/100", copies=16)
>>> instance.beta_star == (1, -1), instance.optimum == 2 * (3 * 4 + 4 * 100)
(True, True)
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from asura.dataset import Dataset, dataset, regularisation
from asura.errors import CopiesOutOfRange, EmptyData, EpsilonOutOfRange
from asura.scalars import read_scalar, write_scalar


@dataclass(frozen=True)
class LowerBoundInstance:
    """The data, and the exact solution of its ridge regression."""

    data: Dataset
    signs: tuple[int, ...]
    lam: Fraction
    epsilon: Fraction
    copies: int
    beta_star: tuple[Fraction, ...]
    optimum: Fraction

    @property
    def limit_optimum(self) -> Fraction:
        """d (lambda (1 + lambda) + (1 + lambda)/eps), OPT as the number of copies grows."""
        one = 1 + self.lam
        return len(self.signs) * (self.lam * one + one / self.epsilon)

    @property
    def statistical_dimension(self) -> Fraction:
        """sd_lambda = d/(1 + lambda)."""
        return len(self.signs) / (1 + self.lam)


def four_squares(number: int) -> tuple[int, int, int, int]:
    """A nonnegative integer as a sum of four squares (Lagrange), largest first.

    >>> four_squares(7)
    (2, 1, 1, 1)
    """
    for a in range(math.isqrt(number), -1, -1):
        rest = number - a * a
        for b in range(min(a, math.isqrt(rest)), -1, -1):
            after = rest - b * b
            if after > 2 * b * b:
                break
            for c in range(min(b, math.isqrt(after)), -1, -1):
                last = after - c * c
                d = math.isqrt(last)
                if d * d == last and d <= c:
                    return a, b, c, d
    raise AssertionError(number)  # impossible by Lagrange's theorem


def balanced_noise(variance: Fraction, copies: int) -> list[Fraction]:
    """`copies` rationals with mean 0 and mean square exactly `variance`.

    Plus and minus the four squares' roots of 4 * variance, repeated.
    """
    if copies % 8 != 0:
        raise CopiesOutOfRange(
            f"copies = {copies}: balanced noise needs a multiple of 8", value=copies
        )
    target = 4 * variance
    roots = four_squares(target.numerator * target.denominator)
    values = [Fraction(root, target.denominator) for root in roots]
    return [sign * value for value in values for sign in (1, -1)] * (copies // 8)


def gaussian_noise(variance: Fraction, copies: int, seed: int) -> list[Fraction]:
    """Pseudorandom normal numbers, rounded to multiples of 2^-20, from a seed."""
    generator = random.Random(seed)  # noqa: S311 - an instance, not a secret
    deviation = math.sqrt(variance)
    return [Fraction(round(generator.gauss(0, deviation) * 2**20), 2**20) for _ in range(copies)]


def lower_bound_instance(
    signs: Sequence[int],
    *,
    lam: object,
    epsilon: object,
    copies: int,
    seed: int | None = None,
) -> LowerBoundInstance:
    """The instance for the given signs, with balanced noise, or normal noise from a seed.

    `copies` is a perfect square, so that e_i/sqrt(n) is rational; balanced noise makes the
    paper's limits beta* = sgn and OPT exact at every such n.
    """
    exact_lam, exact_epsilon = regularisation(lam), read_scalar(epsilon)
    if exact_epsilon <= 0:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact_epsilon)}: expected > 0", value=exact_epsilon
        )
    if not signs or any(sign not in {1, -1} for sign in signs):
        raise EmptyData(f"signs = {list(signs)!r}: expected a list of 1 and -1", value=list(signs))
    root = math.isqrt(copies) if copies > 0 else 0
    if root == 0 or root * root != copies:
        raise CopiesOutOfRange(
            f"copies = {copies}: expected a perfect square, at least 1", value=copies
        )
    dimension, one = len(signs), 1 + exact_lam
    rows: list[list[Fraction]] = []
    labels: list[Fraction] = []
    beta_star: list[Fraction] = []
    best = Fraction(0)
    for i, sign in enumerate(signs):
        noise = (
            balanced_noise(one / exact_epsilon, copies)
            if seed is None
            else gaussian_noise(one / exact_epsilon, copies, seed * dimension + i)
        )
        values = [sign * one + e for e in noise]
        total, squares = sum(values, Fraction(0)), sum((y * y for y in values), Fraction(0))
        rows += [[Fraction(int(k == i), root) for k in range(dimension)]] * copies
        labels += [y / root for y in values]
        beta_star.append(total / (copies * one))
        best += squares / copies - total**2 / (copies**2 * one)
    identity = [[Fraction(int(i == k)) for k in range(dimension)] for i in range(dimension)]
    data = dataset(
        [*rows, *identity],
        unlabelled=len(rows),
        squared_scales=[1] * len(rows) + [exact_lam] * dimension,
        labels=[*labels, *[0] * dimension],
    )
    return LowerBoundInstance(
        data, tuple(signs), exact_lam, exact_epsilon, copies, tuple(beta_star), best
    )
