"""From labels to beta: weighted least squares, and two estimators that correct a first answer.

Both correct beta_0 by G^-1 sum of c_i (y_i - x_i beta_0) x_i over some points:

- *shrunken* (K5): beta_0 is the solution on X_2, which must span, and N independent draws by
  leverage get c = (1 - s) R/(l N). With lambda = (1 - delta)/delta and s = eps lambda < 1,
  N >= R (1 - s)/(eps (1 - delta)) gives E[loss] <= (1 + eps) OPT; no draw at s = 1.
- *two-stage*: beta_0 is a pilot with E[excess] <= eps_0 OPT, N further draws get c = R/(l N) and
  all of X_2 c = 1. Then E[beta | beta_0] = beta*, and E[excess] <= (R/N)(1 + eps_0) OPT.

>>> from asura.dataset import ridge
>>> data = ridge([[1, 0], [1, 1], [0, 1]], 1, labels=[1, 2, 1])
>>> estimate = Shrunken(draws=2, shrinkage=Fraction(1, 3)).estimate(data, Seed(1))
>>> estimate.draws, [float(b) for b in estimate.beta]
(2, [0.8333333333333334, 0.8333333333333334])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from asura.algorithm1_regression import active_regression, weighted_least_squares
from asura.arithmetic import EXACT, Arithmetic
from asura.dataset import Dataset
from asura.errors import NotSpanning
from asura.kept.iid import iid_draws
from asura.kept.trials import SECOND, trial
from asura.labels import LabelOracle
from asura.randomness import Chooser, Seed
from asura.sampling import SamplingProcedure, WeightedSample
from asura.scalars import Enclosure

#: Who measures the label of a point, given its index.
Ask = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An answer, and what it cost: `paid` different labels, `draws` with multiplicity."""

    beta: tuple[Enclosure, ...]
    paid: int
    draws: int


class Estimator(Protocol):
    """A way from data and randomness to an answer; labels are bought as they are needed."""

    def estimate(self, data: Dataset, chooser: Chooser, ask: Ask | None = None) -> Estimate:
        """The answer; `ask` measures the label of a point of X_1, unless the data carry it."""


@dataclass(frozen=True)
class LeastSquares:
    """Algorithm 1 with a sampling procedure."""

    procedure: SamplingProcedure[Any, Any]

    def estimate(self, data: Dataset, chooser: Chooser, ask: Ask | None = None) -> Estimate:
        """The weighted solution."""
        fit = active_regression(data, self.procedure, chooser=chooser, ask=ask)
        return Estimate(fit.enclosures, fit.paid, fit.draws)


@dataclass(frozen=True, slots=True)
class KeptOnly:
    """No label: X_2 at weight 1, a sampling procedure for Algorithm 1."""

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """All of X_2."""
        kept = tuple(range(data.unlabelled, data.size))
        return WeightedSample(EXACT, kept, (EXACT.scalar(Fraction(1)),) * len(kept))


def _solution(data: Dataset, sample: WeightedSample[Any, Any], oracle: LabelOracle) -> list[Any]:
    """The weighted solution, which must be determined by the sample."""
    labels = {index: oracle.label(index) for index in sample.picks}
    if sample.picks:
        beta, determined = weighted_least_squares(data, sample, labels)
        if determined:
            return beta
    raise NotSpanning(
        "the first sample does not determine beta: expected points that span all",
        value=sample.picks,
    )


def _corrected(
    data: Dataset,
    arithmetic: Arithmetic[Any, Any],
    beta: list[Any],
    factors: Mapping[int, Fraction],
    oracle: LabelOracle,
) -> list[Any]:
    """The sum beta + G^-1 sum c_i (y_i - x_i beta) x_i over the points with a factor."""
    scalar = arithmetic.scalar
    frame = arithmetic.frame(data)
    right = [scalar(Fraction(0)) for _ in range(frame.dimension)]
    for index, factor in factors.items():
        # For the point sqrt(c) x: (y - sqrt(c) x beta) sqrt(c) x, exact when y = 0.
        value = scalar(Fraction(0))
        for x, b in zip(data.points[index], beta, strict=True):
            value = value + scalar(x) * b
        residual = scalar(Fraction(0)) - scalar(data.squared_scales[index]) * value
        label = oracle.label(index)
        if label != 0:
            root = arithmetic.root(data.squared_scales[index])
            residual = residual + scalar(label) * root
        for k in range(frame.dimension):
            right[k] = right[k] + scalar(factor) * residual * frame.coordinate(index, k)
    change = frame.lift(frame.solve(frame.gram, right))
    return [b + z for b, z in zip(beta, change, strict=True)]


def _totals(drawn: list[tuple[int, Fraction]], factor: Fraction) -> dict[int, Fraction]:
    totals: dict[int, Fraction] = {}
    for index, inverse in drawn:
        totals[index] = totals.get(index, Fraction(0)) + factor * inverse
    return totals


@dataclass(frozen=True, slots=True)
class Shrunken:
    """K5: N draws, and s = `shrinkage`."""

    draws: int
    shrinkage: Fraction
    arithmetic: Arithmetic[Any, Any] = EXACT

    def estimate(self, data: Dataset, chooser: Chooser, ask: Ask | None = None) -> Estimate:
        """The solution on X_2, corrected."""
        oracle = LabelOracle(data, ask)
        kept = tuple(range(data.unlabelled, data.size))
        with self.arithmetic.working():
            one = self.arithmetic.scalar(Fraction(1))
            first = WeightedSample(self.arithmetic, kept, (one,) * len(kept))
            beta = _solution(data, first, oracle)
            drawn = iid_draws(data, self.draws, chooser)
            factors = _totals(drawn, (1 - self.shrinkage) / max(self.draws, 1))
            beta = _corrected(data, self.arithmetic, beta, factors, oracle)
            enclosures = tuple(self.arithmetic.enclosure(b) for b in beta)
        return Estimate(enclosures, oracle.paid, len(drawn))


@dataclass(frozen=True)
class TwoStage:
    """A pilot by a sampling procedure that keeps X_2, then N draws by leverage."""

    pilot: SamplingProcedure[Any, Any]
    draws: int

    def estimate(self, data: Dataset, chooser: Chooser, ask: Ask | None = None) -> Estimate:
        """The pilot's answer, corrected without bias."""
        oracle = LabelOracle(data, ask)
        sample = self.pilot.sample(data, chooser)
        arithmetic = sample.arithmetic
        with arithmetic.working():
            beta = _solution(data, sample, oracle)
            second = trial(chooser.seed, SECOND, 0) if isinstance(chooser, Seed) else chooser
            drawn = iid_draws(data, self.draws, second)
            kept = range(data.unlabelled, data.size)
            factors = _totals(drawn, Fraction(1, self.draws))
            factors.update(dict.fromkeys(kept, Fraction(1)))
            beta = _corrected(data, arithmetic, beta, factors, oracle)
            enclosures = tuple(arithmetic.enclosure(b) for b in beta)
        pilot = sum(1 for index in sample.picks if index < data.unlabelled)
        return Estimate(enclosures, oracle.paid, pilot + len(drawn))
