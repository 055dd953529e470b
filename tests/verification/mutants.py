"""Planted mistakes: the reference sampler with one thing wrong, and the claims that notice.

Each changes `Asura` itself, so that every module that uses it sees the mistake.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from asura.algorithm2_asura import Asura, Distribution, State


@dataclass(frozen=True)
class Mutant:
    name: str
    plant: Callable[[pytest.MonkeyPatch], None]
    noticed_by: tuple[str, ...]


def _after_init(change: Callable[[Any, Fraction], None]) -> Callable[[pytest.MonkeyPatch], None]:
    original = Asura.__init__

    def plant(patch: pytest.MonkeyPatch) -> None:
        def changed(self: Any, data: Any, gamma: Fraction, *rest: Any, **named: Any) -> None:
            original(self, data, gamma, *rest, **named)
            change(self, gamma)

        patch.setattr(Asura, "__init__", changed)

    return plant


def _rate(self: Any, upper: Fraction | None, lower: Fraction | None) -> None:
    if upper is not None:
        self.upper_rate = self.arithmetic.scalar(upper)
    if lower is not None:
        self.lower_rate = self.arithmetic.scalar(lower)


def _swapped_rates(self: Any, gamma: Fraction) -> None:
    _rate(self, gamma / (1 + 2 * gamma), gamma / (1 - 2 * gamma))


def _upper_rate(self: Any, gamma: Fraction) -> None:
    _rate(self, gamma / (1 - gamma), None)


def _lower_rate(self: Any, gamma: Fraction) -> None:
    _rate(self, None, gamma / (1 + gamma))


def _fast_lower_rate(self: Any, gamma: Fraction) -> None:
    _rate(self, None, Fraction(3, 2) + 0 * gamma)


def _first_barrier(self: Any, gamma: Fraction) -> None:
    self.first_upper = self.arithmetic.scalar(Fraction(3 * self.dimension) / gamma)


def _both_barriers(self: Any, gamma: Fraction) -> None:
    self.first_upper = self.arithmetic.scalar(Fraction(self.dimension) / gamma)
    self.first_lower = self.arithmetic.scalar(-Fraction(self.dimension) / gamma)


def _late_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(13 * Fraction(self.dimension) / gamma)


def _early_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(7 * Fraction(self.dimension) / gamma)


def _weight_without_probability(patch: pytest.MonkeyPatch) -> None:
    def weight(self: Any, distribution: Distribution[Any], _pick: int) -> Any:
        return self.gamma / distribution.potential

    patch.setattr(Asura, "weight", weight)


def _double_weight(patch: pytest.MonkeyPatch) -> None:
    def weight(self: Any, distribution: Distribution[Any], pick: int) -> Any:
        two = self.arithmetic.scalar(Fraction(2))
        return two * self.gamma / distribution.masses[pick]

    patch.setattr(Asura, "weight", weight)


def _doubled_potential(patch: pytest.MonkeyPatch) -> None:
    original = Asura.distribution

    def distribution(self: Any, state: State[Any, Any]) -> Distribution[Any]:
        known = original(self, state)
        return Distribution(known.potential + known.potential, known.masses)

    patch.setattr(Asura, "distribution", distribution)


def _product_potential(patch: pytest.MonkeyPatch) -> None:
    original = Asura.distribution

    def distribution(self: Any, state: State[Any, Any]) -> Distribution[Any]:
        # sum_x p_x = gap with the product, so the product is the sum over the gap.
        known = original(self, state)
        return Distribution(known.potential / (state.upper - state.lower), known.masses)

    patch.setattr(Asura, "distribution", distribution)


def _one_barrier(patch: pytest.MonkeyPatch) -> None:
    def bracket(self: Any, state: State[Any, Any]) -> Any:
        return self.arithmetic.inverse(self.below_upper(state))

    patch.setattr(Asura, "bracket", bracket)


MUTANTS = (
    Mutant("swapped rates", _after_init(_swapped_rates), ("alg-potential", "sum-alpha")),
    Mutant("upper rate", _after_init(_upper_rate), ("alg-potential", "sum-alpha")),
    Mutant("lower rate", _after_init(_lower_rate), ("alg-potential", "sum-alpha")),
    Mutant(
        "fast lower rate",
        _after_init(_fast_lower_rate),
        ("invariant", "rank-one-lower", "potential-monotone", "sum-alpha"),
    ),
    Mutant("first barrier", _after_init(_first_barrier), ("alg-potential", "sum-alpha")),
    Mutant("both barriers", _after_init(_both_barriers), ("alg-potential",)),
    Mutant("late stop", _after_init(_late_stop), ("alg-potential", "stop-text", "m-bound")),
    Mutant("early stop", _after_init(_early_stop), ("alg-potential", "stop-text")),
    Mutant(
        "weight without 1/p",
        _weight_without_probability,
        ("alg-potential", "potential-monotone"),
    ),
    Mutant(
        "doubled weight", _double_weight, ("alg-potential", "rank-one-upper", "potential-monotone")
    ),
    Mutant("doubled potential", _doubled_potential, ("probabilities-sum", "alg-potential")),
    Mutant("product potential", _product_potential, ("probabilities-sum", "alg-potential")),
    Mutant("one barrier", _one_barrier, ("probabilities-sum", "potential-lower")),
)
