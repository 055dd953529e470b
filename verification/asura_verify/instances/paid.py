"""Small labelled pools, and what is paid for: coins that are screened, and independent draws.

Everything is rational, and every outcome is followed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from asura.dataset import Dataset, dataset
from asura.definiteness import positive_semidefinite
from asura.kept.coins import Coins, coins, leverages
from asura.kept.enumeration import outcomes
from asura.kept.estimators import Estimator
from asura.kept.measures import Measures, measured
from asura.randomness import Picks
from asura.scalars import rational
from asura_verify.instances.draw import Draw, small_rational
from asura_verify.trees.kept_truth import Truth


@dataclass(frozen=True)
class CoinInstance:
    """Coins with threshold tau, and the event G: M >= a and at most B labels."""

    data: Dataset
    threshold: Fraction
    least: Fraction
    budget: int

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"tau": self.threshold, "a": self.least}

    @cached_property
    def truth(self) -> Truth:
        """Beta* and the residuals."""
        return Truth(self.data)

    @cached_property
    def coins(self) -> Coins:
        """The coins, as the reference makes them."""
        return coins(self.data, self.threshold)

    @cached_property
    def outcomes(self) -> tuple[tuple[Fraction, dict[int, Fraction]], ...]:
        """Every set with its probability, as weights on X_1 and X_2."""
        return tuple(
            (chance, self.truth.kept({i: 1 / self.coins.probabilities[i] for i in bought}))
            for chance, bought in outcomes(self.coins)
        )

    def labels(self, weights: Mapping[int, Fraction]) -> int:
        """How many labels of X_1 are paid for."""
        return sum(1 for index in weights if index < self.data.unlabelled)

    def accepted(self, weights: Mapping[int, Fraction]) -> bool:
        """Whether M - aG is semidefinite and the budget kept, decided here."""
        rest = self.truth.normal(weights) - self.truth.gram * rational(self.least)
        return self.labels(weights) <= self.budget and positive_semidefinite(rest).holds


@dataclass(frozen=True)
class DrawsInstance:
    """N independent draws by leverage beside an X_2 that spans; a pilot's weights on X_1."""

    data: Dataset
    draws: int
    pilot: tuple[Fraction, ...]

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"delta": self.size.norm, "N": self.draws}

    @cached_property
    def size(self) -> Measures:
        """R, and a bound on delta = |D|."""
        return measured(self.data)

    @cached_property
    def truth(self) -> Truth:
        """Beta* and the residuals."""
        return Truth(self.data)

    def outcomes(self) -> Iterator[tuple[Fraction, Picks]]:
        """All sequences of draws."""
        scores = leverages(self.data)
        possible = [index for index, score in enumerate(scores) if score]
        for picks in itertools.product(possible, repeat=self.draws):
            chance = Fraction(1)
            for index in picks:
                chance *= scores[index] / self.size.rank
            yield chance, Picks(picks)

    def loss(self, beta: tuple[Fraction, ...], count: int | None = None) -> Fraction:
        """The loss of an answer on the first points, or on all of them."""
        total = Fraction(0)
        for row, label in list(zip(self.data.points, self.data.labels, strict=True))[:count]:
            value = sum((x * b for x, b in zip(row, beta, strict=True)), Fraction(0))
            total += (value - (label or 0)) ** 2
        return total

    def answers(self, estimator: Estimator) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
        """Every answer of an estimator with its probability."""
        for chance, picks in self.outcomes():
            answer = estimator.estimate(self.data, picks).beta
            yield chance, tuple(entry.midpoint for entry in answer)

    def expected_loss(self, estimator: Estimator) -> Fraction:
        """E loss."""
        parts = (chance * self.loss(beta) for chance, beta in self.answers(estimator))
        return sum(parts, Fraction(0))


def _rows(draw: Draw, count: int, width: int) -> list[list[Fraction]]:
    return [[small_rational(draw, 2) for _ in range(width)] for _ in range(count)]


def coin_instance(draw: Draw) -> CoinInstance:
    """One to four points of X_1; X_2 spans, or not, or is empty."""
    width, count = draw.integer(1, 2), draw.integer(1, 4)
    rows = _rows(draw, count, width) + _rows(draw, draw.integer(0, 3), width)
    if not any(any(row) for row in rows[:count]):
        rows[0][0] = Fraction(1)
    labels = [small_rational(draw, 5) for _ in rows]
    data = dataset(rows, unlabelled=count, labels=labels)
    threshold = Fraction(1, draw.choice((2, 4, 10, 100)))
    return CoinInstance(data, threshold, Fraction(draw.integer(1, 7), 8), draw.integer(1, count))


def draws_instance(draw: Draw) -> DrawsInstance:
    """One to three points of X_1, X_2 spans."""
    width, count = draw.integer(1, 2), draw.integer(1, 3)
    rows = _rows(draw, count, width)
    if not any(any(row) for row in rows):
        rows[0][0] = Fraction(1)
    size = Fraction(draw.choice((1, 2, 3, 1000)))
    rows += [[size * int(i == k) for i in range(width)] for k in range(width)]
    rows += _rows(draw, draw.integer(0, 2), width)
    labels = [small_rational(draw, 5) for _ in rows]
    data = dataset(rows, unlabelled=count, labels=labels)
    pilot = tuple(Fraction(draw.integer(0, 4), 2) for _ in range(count))
    return DrawsInstance(data, draw.integer(1, 2), pilot)
