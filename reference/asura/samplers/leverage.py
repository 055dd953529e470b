"""Leverage scores: k independent draws, and coins for ridge regression with X_2 kept.

The coins over all points are `asura.sampling.LeverageSampling`. Ridge leverage scores are the
leverage scores of X_1 within the data of `asura.dataset.ridge`: x^T (X_1^T X_1 + lambda I)^-1 x.
Both weigh so that E sum w x x^T = X^T X.

>>> from asura.dataset import dataset, ridge
>>> from asura.randomness import uniforms
>>> sample = IidLeverageSampling(2).sample(dataset([[1], [2], [0]]), uniforms(["1/5", "1/6"]))
>>> sample.picks, [str(w) for w in sample.weights]
((1, 0), ['5/8', '5/2'])
>>> coins = ridge_leverage_sampling(1)
>>> [str(p) for p in coins.probabilities(ridge([[1], [2]], 5))]          # l = 1/10 and 4/10
['1/5', '4/5']
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.errors import SizeOutOfRange
from asura.randomness import Chooser
from asura.samplers.decisions import (
    MOST_DRAWS,
    Decisions,
    Drawn,
    ExactSample,
    coin,
    require_sensible,
    require_size,
)
from asura.scalars import rational, read_scalar, write_scalar

#: The scores of so many points, and every draw among them, take seconds.
MOST_POINTS = 20_000


@dataclass(frozen=True, slots=True)
class IidLeverageSampling:
    """k independent draws, x with probability q = l/d and weight 1/(k q)."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """One point after the other, in the order drawn."""
        require_sensible(data.size, MOST_POINTS, "sampling by leverage")
        require_size(self.size, 1, MOST_DRAWS, "the number of draws")
        scores = [rational(score) for score in leverage_scores(data)]
        picks = tuple(decisions.among(scores) for _ in range(self.size))
        share = fmpq(data.dimension, self.size)
        return ExactSample(EXACT, picks, tuple(share / scores[index] for index in picks))

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw j decides pick j."""
        return self.decide(data, Drawn(chooser))


@dataclass(frozen=True, slots=True)
class RidgeLeverageSampling:
    """Coins for X_1, p = min{1, (m/R_X) l} and weight 1/p; all of X_2 at weight 1.

    For data made by `ridge`, l is the ridge leverage score and R_X the statistical dimension.
    """

    expected_size: Fraction

    def probabilities(self, data: Dataset) -> tuple[Fraction, ...]:
        """P(x) for the points of X_1; they sum to m when none is capped."""
        scores = leverage_scores(data)[: data.unlabelled]
        total = sum(scores, Fraction(0))
        if total == 0:
            return (Fraction(0),) * data.unlabelled
        return tuple(min(Fraction(1), self.expected_size / total * score) for score in scores)

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """Every point of X_1 on its own."""
        require_sensible(data.size, MOST_POINTS, "sampling by leverage")
        chances = [rational(p) for p in self.probabilities(data)]
        bought = [index for index, p in enumerate(chances) if coin(decisions, p)]
        kept = range(data.unlabelled, data.size)
        weights = (*(1 / chances[index] for index in bought), *[fmpq(1)] * len(kept))
        return ExactSample(EXACT, (*bought, *kept), weights)

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw i decides point i of X_1."""
        return self.decide(data, Drawn(chooser))


def ridge_leverage_sampling(expected_size: object) -> RidgeLeverageSampling:
    """Ridge leverage scores with E|S| = m labels when no probability is capped."""
    size = read_scalar(expected_size)
    if size <= 0:
        raise SizeOutOfRange(
            f"expected size {write_scalar(size)}: expected a positive number", value=size
        )
    return RidgeLeverageSampling(size)
