"""Planted mistakes: texts of K1 and K2 that are wrong in one place each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from asura.algorithm2_asura import Distribution
from asura.arithmetic.interface import Arithmetic
from asura.dataset import Dataset
from asura.kept.barriers import Barriers, KeptState
from asura.kept.variants import Variant


class DistanceAlongD(Barriers[Any, Any]):
    """D for I: the barriers start at cD and -cD."""

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any]) -> None:
        super().__init__(data, variant, arithmetic)
        self.start = self.target * arithmetic.scalar(variant.distance)


class TargetIsEverything(Barriers[Any, Any]):
    """I for D: the barriers move along the identity."""

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any]) -> None:
        super().__init__(data, variant, arithmetic)
        self.target = self.frame.gram


class PotentialOverAll(Barriers[Any, Any]):
    """I for D: the potential is Tr E, that of all points."""

    def distribution(self, state: KeptState[Any, Any]) -> Distribution[Any]:
        potential, masses = self.frame.evaluate(self.bracket(state))
        return Distribution(potential, [masses[index] for index in range(self.pool)])


class NormalisedWithK(Barriers[Any, Any]):
    """The weights of the paper, which are 1 - 4 gamma^2 times those of K1."""

    def weight(self, distribution: Distribution[Any], index: int | None, share: Any) -> Any:
        k = 1 - 4 * self.variant.step**2
        return super().weight(distribution, index, share) * self.arithmetic.scalar(k)


class SamplesX2(Barriers[Any, Any]):
    """All points are drawn from, and X_2 is kept besides."""

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any]) -> None:
        super().__init__(data, variant, arithmetic)
        self.pool = data.size


class ForgottenClip(Barriers[Any, Any]):
    """The last step is made in full, surely, although sigma stops at the goal."""

    def weight(self, distribution: Distribution[Any], index: int | None, share: Any) -> Any:
        return super().weight(distribution, index, None)


class ScaledCoin(Barriers[Any, Any]):
    """The last step is left out with the coin's probability, and scaled as well."""

    def weight(self, distribution: Distribution[Any], index: int | None, share: Any) -> Any:
        weight = super().weight(distribution, index, share)
        return weight if share is None else weight * share


class InverseProbability(Barriers[Any, Any]):
    """The weight is 1/p in place of step/(p Phi)."""

    def weight(self, distribution: Distribution[Any], index: int | None, share: Any) -> Any:
        one = self.arithmetic.scalar(Fraction(1))
        weight = super().weight(distribution, index, share)
        return weight * distribution.potential * (one / self.step_size)


class LateStop(Barriers[Any, Any]):
    """The run goes on until twice the goal."""

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any]) -> None:
        super().__init__(data, variant, arithmetic)
        self.goal = arithmetic.scalar(2 * variant.goal)


class EarlyStop(Barriers[Any, Any]):
    """The run ends at an eighth of the goal."""

    def __init__(self, data: Dataset, variant: Variant, arithmetic: Arithmetic[Any, Any]) -> None:
        super().__init__(data, variant, arithmetic)
        self.goal = arithmetic.scalar(variant.goal / 8)


class HundredfoldWeight(Barriers[Any, Any]):
    """All weights are a hundred times too large."""

    def weight(self, distribution: Distribution[Any], index: int | None, share: Any) -> Any:
        hundred = self.arithmetic.scalar(Fraction(100))
        return super().weight(distribution, index, share) * hundred
