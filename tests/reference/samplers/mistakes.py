"""Planted mistakes: samplers of the field that are wrong in one place each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flint import fmpq

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.samplers.decisions import Decisions, ExactSample, coin
from asura.samplers.leverage import IidLeverageSampling
from asura.samplers.uniform import UniformSampling
from asura.scalars import rational


@dataclass(frozen=True)
class OffByOneWeights:
    """Weights for k + 1 draws."""

    size: int
    replacement: bool = False

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        right = UniformSampling(self.size, self.replacement).decide(data, decisions)
        factor = fmpq(self.size, self.size + 1)
        return replace(right, weights=tuple(w * factor for w in right.weights))


@dataclass(frozen=True)
class ReplacesTheDrawn:
    """With for without replacement."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        return UniformSampling(self.size, replacement=True).decide(data, decisions)


@dataclass(frozen=True)
class OffByOneIid:
    """Weights for k + 1 draws by leverage."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        right = IidLeverageSampling(self.size).decide(data, decisions)
        factor = fmpq(self.size, self.size + 1)
        return replace(right, weights=tuple(w * factor for w in right.weights))


@dataclass(frozen=True)
class RidgeForPlain:
    """Ridge leverage scores (lambda = 1) for leverage scores; the weights fit the probabilities."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        coordinates = data.coordinates
        gram = coordinates.gram()
        for i in range(data.dimension):
            gram[i, i] = gram[i, i] + 1
        solved = (coordinates.rows * gram.inv() * coordinates.scaled_rows().transpose()).tolist()
        scores = [solved[i][i] for i in range(data.size)]
        picks = tuple(decisions.among(scores) for _ in range(self.size))
        share = sum(scores, fmpq(0)) / self.size
        return ExactSample(EXACT, picks, tuple(share / scores[i] for i in picks))


@dataclass(frozen=True)
class PlainForRidge:
    """Coins by the leverage scores of X_1 alone, X_2 forgotten in them."""

    expected_size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        alone = data.subset(range(data.unlabelled))
        rate = fmpq(self.expected_size) / alone.dimension
        chances = [min(fmpq(1), rate * rational(s)) for s in leverage_scores(alone)]
        bought = [i for i, p in enumerate(chances) if coin(decisions, p)]
        kept = range(data.unlabelled, data.size)
        weights = (*(1 / chances[i] for i in bought), *[fmpq(1)] * len(kept))
        return ExactSample(EXACT, (*bought, *kept), weights)
