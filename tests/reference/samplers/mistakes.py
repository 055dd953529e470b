"""Planted mistakes: samplers of the field that are wrong in one place each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.samplers.barrier import BarrierState, Values, evaluate
from asura.samplers.decisions import Decisions, ExactSample, coin
from asura.samplers.determinantal import FixedSizeProcess
from asura.samplers.leverage import IidLeverageSampling
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import VolumeSampling, determinant
from asura.scalars import fraction, rational


def off_by_one(right: ExactSample) -> ExactSample:
    """Weights for one point more than there are."""
    count = len(right.picks)
    return replace(right, weights=tuple(w * fmpq(count, count + 1) for w in right.weights))


@dataclass(frozen=True)
class OffByOneWeights:
    """Weights for k + 1 draws."""

    size: int
    replacement: bool = False

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        return off_by_one(UniformSampling(self.size, self.replacement).decide(data, decisions))


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
        return off_by_one(IidLeverageSampling(self.size).decide(data, decisions))


def ridge_scores(data: Dataset) -> tuple[fmpq, ...]:
    """Ridge leverage scores of all points, lambda = 1."""
    coordinates = data.coordinates
    gram = coordinates.gram()
    for i in range(data.dimension):
        gram[i, i] = gram[i, i] + 1
    hat = coordinates.rows * gram.inv() * coordinates.scaled_rows().transpose()
    return tuple(hat[i, i] for i in range(data.size))


@dataclass(frozen=True)
class RidgeForPlain:
    """Ridge leverage scores (lambda = 1) for leverage scores; the weights fit the probabilities."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        scores = ridge_scores(data)
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


@dataclass(frozen=True)
class MissingDeterminant:
    """Removes uniformly, so that no set is preferred by its determinant."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        left = list(range(data.size))
        while len(left) > self.size:
            del left[decisions.among([fmpq(1)] * len(left))]
        return ExactSample(EXACT, tuple(left), (fmpq(1),) * self.size)


@dataclass(frozen=True)
class RemovesByFixedLeverage:
    """Never updates 1 - h after a removal."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        masses = [1 - rational(score) for score in leverage_scores(data)]
        left = list(range(data.size))
        while len(left) > self.size:
            del left[decisions.among([masses[i] for i in left])]
        return ExactSample(EXACT, tuple(left), (fmpq(1),) * self.size)


@dataclass(frozen=True)
class RemovesTheLargest:
    """Removes with probability proportional to h for 1 - h."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        left = list(range(data.size))
        while len(left) > self.size:
            scores = leverage_scores(data.subset(left))
            del left[decisions.among([rational(s) for s in scores])]
        return ExactSample(EXACT, tuple(left), (fmpq(1),) * self.size)


@dataclass(frozen=True)
class KeepsX2:
    """Volume sampling of X_1 within X, and X_2 kept besides at weight 1."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        right = VolumeSampling(self.size).decide(data, decisions)
        kept = range(data.unlabelled, data.size)
        picks = (*(i for i in right.picks if i < data.unlabelled), *kept)
        return ExactSample(EXACT, picks, (fmpq(1),) * len(picks))


@dataclass(frozen=True)
class AcceptsEveryPool:
    """Leveraged volume sampling without the acceptance test: no determinant of the pool."""

    size: int

    def attempt(self, data: Dataset, decisions: Decisions) -> ExactSample | None:
        right = IidLeverageSampling(self.size).decide(data, decisions)
        spans = determinant(data, zip(right.picks, right.weights, strict=True)) != 0
        return right if spans else None


@dataclass(frozen=True)
class RidgePool:
    """Leveraged volume sampling with q by ridge leverage scores for q = l/d."""

    size: int

    def attempt(self, data: Dataset, decisions: Decisions) -> ExactSample | None:
        right = RidgeForPlain(self.size).decide(data, decisions)
        chance = determinant(data, zip(right.picks, right.weights, strict=True))
        # Divided by a number that is large enough, since the bound 1 holds for q = l/d alone.
        return right if coin(decisions, chance / data.coordinates.gram().det() / 16) else None


@dataclass(frozen=True)
class IndependentCoins:
    """The right inclusion probabilities without the determinant: independent coins."""

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        chances = [rational(s) for s in leverage_scores(data)[: data.unlabelled]]
        taken = [i for i, p in enumerate(chances) if coin(decisions, p)]
        kept = range(data.unlabelled, data.size)
        weights = (*(1 / chances[i] for i in taken), *[fmpq(1)] * len(kept))
        return ExactSample(EXACT, (*taken, *kept), weights)


@dataclass(frozen=True)
class KernelForMarginal:
    """L for K: takes a point with probability L_ii/(1 + trace L), one point at most."""

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        second = data.coordinates.gram() - data.coordinates.gram(data.unlabelled)
        rows, scales = data.coordinates.rows.tolist(), data.coordinates.squared_scales
        diagonal = [
            scales[i] * (fmpq_mat([row]) * second.inv() * fmpq_mat([row]).transpose())[0, 0]
            for i, row in enumerate(rows[: data.unlabelled])
        ]
        index = decisions.among([*diagonal, fmpq(1)])
        kept = range(data.unlabelled, data.size)
        picks = (*([index] if index < data.unlabelled else []), *kept)
        return ExactSample(EXACT, picks, (fmpq(1),) * len(picks))


@dataclass(frozen=True)
class RidgeWeightsForFixedSize:
    """The k-DPP with the weights of the process of any size."""

    size: int

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        right = FixedSizeProcess(self.size).decide(data, decisions)
        scores = leverage_scores(data)
        weights = [1 / rational(scores[i]) if i < data.unlabelled else fmpq(1) for i in right.picks]
        return replace(right, weights=tuple(weights))


def upper_without_difference(data: Dataset, state: BarrierState) -> Values:
    """Deterministic BSS whose U and L forget the second-order term."""
    coordinates = data.coordinates
    gram = coordinates.gram()
    right = evaluate(data, state)
    above = (gram * rational(state.upper + 3) - state.matrix).inv()
    rows, scales = coordinates.rows.tolist(), coordinates.squared_scales
    upper = tuple(
        fraction(scales[i] * (fmpq_mat([row]) * above * fmpq_mat([row]).transpose())[0, 0])
        for i, row in enumerate(rows)
    )
    return replace(right, upper=upper)


def barriers_before_the_step(data: Dataset, state: BarrierState) -> Values:
    """Deterministic BSS with u, l for u', l': one step late."""
    return evaluate(data, BarrierState(state.upper - 3, state.lower - 1, state.matrix))
