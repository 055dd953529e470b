"""Planted mistakes: the reference with one thing wrong, and the claims that notice.

Each changes a class or a module of the reference itself, so that every user of it sees the
mistake.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import asura.algorithm1_regression
import asura.algorithm3_packing
import asura.dataset
import asura.kept.coins
import asura.kept.estimators
import asura.lower_bound
import asura_verify.claims.beyond.paying
import asura_verify.claims.lower_bound
import asura_verify.instances.kept
from asura.algorithm2_asura import Asura, Distribution, State
from asura.coordinates import Coordinates
from asura.sampling import LeverageSampling
from asura.scalars import Enclosure
from asura_verify.instances.design import LearnerInstance
from asura_verify.instances.paid import CoinInstance
from asura_verify.instances.run import BarrierPath
from asura_verify.instances.step import StepInstance
from asura_verify.trees.kept_truth import Truth
from asura_verify.trees.losses import LossTree
from tests.reference.kept import mistakes
from tests.verification.claims import field_mutants

Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Mutant:
    """A mistake, how to plant it, and claims whose verdicts must change."""

    name: str
    plant: Callable[[Patch], None]
    noticed_by: tuple[str, ...] = ()


def _after_init(change: Callable[[Any, Fraction], None]) -> Callable[[Patch], None]:
    original = Asura.__init__

    def plant(patch: Patch) -> None:
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


def _fast_lower_rate(self: Any, _: Fraction) -> None:
    _rate(self, None, Fraction(3, 2))


def _fast_upper_rate(self: Any, gamma: Fraction) -> None:
    _rate(self, 8 * gamma / (1 - 2 * gamma), None)


def _first_barrier(self: Any, gamma: Fraction) -> None:
    self.first_upper = self.arithmetic.scalar(Fraction(3 * self.dimension) / gamma)


def _both_barriers(self: Any, gamma: Fraction) -> None:
    self.first_upper = self.arithmetic.scalar(Fraction(self.dimension) / gamma)
    self.first_lower = self.arithmetic.scalar(-Fraction(self.dimension) / gamma)


def _late_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(13 * Fraction(self.dimension) / gamma)


def _early_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(7 * Fraction(self.dimension) / gamma)


def _immediate_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(Fraction(401, 100) * Fraction(self.dimension) / gamma)


def _very_late_stop(self: Any, gamma: Fraction) -> None:
    self.bound = self.arithmetic.scalar(1000 * Fraction(self.dimension) / gamma)


def _weight(change: Callable[[Any, Distribution[Any], int], Any]) -> Callable[[Patch], None]:
    def plant(patch: Patch) -> None:
        patch.setattr(Asura, "weight", change)

    return plant


def _without_probability(self: Any, distribution: Distribution[Any], _pick: int) -> Any:
    return self.gamma / distribution.potential


def _doubled_weight(self: Any, distribution: Distribution[Any], pick: int) -> Any:
    return self.arithmetic.scalar(Fraction(2)) * self.gamma / distribution.masses[pick]


def _huge_weight(self: Any, distribution: Distribution[Any], pick: int) -> Any:
    return self.arithmetic.scalar(Fraction(100)) / distribution.masses[pick]


def _potential(factor: Callable[[Any, State[Any, Any]], Any]) -> Callable[[Patch], None]:
    original = Asura.distribution

    def plant(patch: Patch) -> None:
        def distribution(self: Any, state: State[Any, Any]) -> Distribution[Any]:
            known = original(self, state)
            return Distribution(known.potential * factor(self, state), known.masses)

        patch.setattr(Asura, "distribution", distribution)

    return plant


def _twice(self: Any, _: State[Any, Any]) -> Any:
    return self.arithmetic.scalar(Fraction(2))


def _half(self: Any, _: State[Any, Any]) -> Any:
    return self.arithmetic.scalar(Fraction(1, 2))


def _tiny(self: Any, _: State[Any, Any]) -> Any:
    return self.arithmetic.scalar(Fraction(1, 100))


def _product(self: Any, state: State[Any, Any]) -> Any:
    # The trace of the product is that of the sum over the gap.
    return self.arithmetic.scalar(Fraction(1)) / (state.upper - state.lower)


def _one_barrier(patch: Patch) -> None:
    def bracket(self: Any, state: State[Any, Any]) -> Any:
        return self.arithmetic.inverse(self.below_upper(state))

    patch.setattr(Asura, "bracket", bracket)


def _growing_bracket(patch: Patch) -> None:
    original = Asura.bracket

    def bracket(self: Any, state: State[Any, Any]) -> Any:
        return original(self, state) * self.arithmetic.scalar(Fraction(1 + state.iteration))

    patch.setattr(Asura, "bracket", bracket)


def _bracket_of_one_barrier(patch: Patch) -> None:
    patch.setattr(StepInstance, "bracket", property(lambda self: self.below_upper.inv()))


def _small_middle(patch: Patch) -> None:
    patch.setattr(
        BarrierPath, "mid", property(lambda self: (self.upper[-1] + self.lower[-1]) / 2 / 10**4)
    )


def _forgotten_sum(patch: Patch) -> None:
    def clock(_: Any, state: State[Any, Any]) -> Any:
        return state.upper - state.lower

    patch.setattr(Asura, "clock", clock)


def _gram_off_by_one(patch: Patch) -> None:
    original = Coordinates.gram

    def gram(self: Coordinates, count: int | None = None) -> Any:
        return original(self, None if count is None else min(self.size, count + 1))

    patch.setattr(Coordinates, "gram", gram)


def _unit_scales(patch: Patch) -> None:
    original = asura.dataset.dataset

    def dataset(points: Any, **named: Any) -> Any:
        named["squared_scales"] = None
        return original(points, **named)

    patch.setattr(asura.dataset, "dataset", dataset)


def _uncapped(patch: Patch) -> None:
    from asura.dimensions import leverage_scores

    def probabilities(self: LeverageSampling, data: Any) -> tuple[Fraction, ...]:
        rate = self.expected_size / data.dimension
        return tuple(rate * score for score in leverage_scores(data))

    patch.setattr(LeverageSampling, "probabilities", probabilities)


def _small_radius(patch: Patch) -> None:
    original = asura.algorithm3_packing._radius

    def radius(*inputs: Any) -> int:
        return max(0, original(*inputs) - 1)

    patch.setattr(asura.algorithm3_packing, "_radius", radius)


def _large_radius(patch: Patch) -> None:
    patch.setattr(asura.algorithm3_packing, "_radius", lambda dimension, *_: dimension)


def _loud_noise(patch: Patch) -> None:
    original = asura.lower_bound.balanced_noise

    def noise(variance: Fraction, copies: int) -> list[Fraction]:
        return [2 * e for e in original(variance, copies)]

    patch.setattr(asura.lower_bound, "balanced_noise", noise)


def _strict_accuracy(patch: Patch) -> None:
    patch.setattr(LearnerInstance, "epsilon", property(lambda self: self.root**2 / self.lam / 100))


def _small_optimum(patch: Patch) -> None:
    original = asura_verify.claims.lower_bound._row

    def row(instance: LearnerInstance) -> tuple[Fraction, Fraction, Fraction]:
        n, total, best = original(instance)
        return n, total, best / 100

    patch.setattr(asura_verify.claims.lower_bound, "_row", row)


def _loud_residuals(patch: Patch) -> None:
    original = LossTree.of

    def of(cls: Any, tree: Any) -> Any:
        made = original(tree)
        return cls(made.tree, made.lines, made.best / 10**6)

    patch.setattr(LossTree, "of", classmethod(of))


def _wrong_loss(patch: Patch) -> None:
    def loss(*_: Any) -> Enclosure:
        return Enclosure(Fraction(10**9), Fraction(10**9))

    for module in (asura.algorithm1_regression, asura_verify.claims.lower_bound):
        patch.setattr(module, "loss", loss)


def _kept(text: Any) -> Callable[[Patch], None]:
    def plant(patch: Patch) -> None:
        patch.setattr(asura_verify.instances.kept, "Barriers", text)

    return plant


def _cheap_coins(patch: Patch) -> None:
    original = asura.kept.coins.coins_for

    def coins_for(leverage: Any, threshold: Any) -> Any:
        return original(leverage, 10 * threshold)

    patch.setattr(asura.kept.coins, "coins_for", coins_for)


def _nothing_screened(patch: Patch) -> None:
    patch.setattr(CoinInstance, "accepted", lambda *_: True)


def _heavy_points_forgotten(patch: Patch) -> None:
    def with_labelled(data: Any, _: Any) -> Any:
        return data, tuple(range(data.size))

    patch.setattr(asura_verify.claims.beyond.paying, "with_labelled", with_labelled)


def _small_truth(patch: Patch) -> None:
    original = Truth.optimum

    def optimum(self: Truth, count: int | None = None) -> Fraction:
        return original(self, count) / 100

    patch.setattr(Truth, "optimum", optimum)


def _doubled_correction(patch: Patch) -> None:
    original = asura.kept.estimators._totals

    def totals(drawn: Any, factor: Fraction) -> Any:
        return original(drawn, 2 * factor)

    patch.setattr(asura.kept.estimators, "_totals", totals)


#: One wrong constant each, as an implementer gets it wrong.
SAMPLERS = (
    Mutant("swapped rates", _after_init(_swapped_rates), ("alg-potential", "sum-alpha")),
    Mutant("upper rate", _after_init(_upper_rate), ("alg-potential", "identity-1")),
    Mutant("lower rate", _after_init(_lower_rate), ("alg-potential", "identity-2")),
    Mutant(
        "fast lower rate",
        _after_init(_fast_lower_rate),
        ("invariant", "rank-one-lower", "potential-monotone", "sum-alpha"),
    ),
    Mutant("first barrier", _after_init(_first_barrier), ("alg-potential", "sum-alpha")),
    Mutant("both barriers", _after_init(_both_barriers), ("alg-potential", "identity-2")),
    Mutant("late stop", _after_init(_late_stop), ("alg-potential", "m-bound")),
    Mutant("early stop", _after_init(_early_stop), ("alg-potential", "stop-text")),
    Mutant("forgotten sum", _forgotten_sum, ("alg-potential", "stop-text")),
    Mutant(
        "weight without 1/p", _weight(_without_probability), ("alg-potential", "potential-monotone")
    ),
    Mutant(
        "doubled weight",
        _weight(_doubled_weight),
        ("alg-potential", "rank-one-upper", "potential-monotone"),
    ),
    Mutant("doubled potential", _potential(_twice), ("probabilities-sum", "identity-1")),
    Mutant("product potential", _potential(_product), ("probabilities-sum", "alg-potential")),
    Mutant("one barrier", _one_barrier, ("probabilities-sum", "identity-6")),
    *(Mutant(name, plant, slugs) for name, (plant, slugs) in field_mutants.SAMPLERS.items()),
)

#: Grosser mistakes, in the sampler and around it, so that every check is seen to fail.
OTHERS = (
    Mutant("fast upper rate", _after_init(_fast_upper_rate)),
    Mutant("immediate stop", _after_init(_immediate_stop)),
    Mutant("huge weight", _weight(_huge_weight)),
    Mutant("halved potential", _potential(_half)),
    Mutant("X_1 off by one", _gram_off_by_one),
    Mutant("scales dropped", _unit_scales),
    Mutant("probabilities not capped", _uncapped),
    Mutant("radius too small", _small_radius),
    Mutant("radius too large", _large_radius),
    Mutant("noise too loud", _loud_noise),
    Mutant("accuracy too strict", _strict_accuracy),
    Mutant("optimum too small", _small_optimum),
    Mutant("residuals too loud", _loud_residuals),
    Mutant("wrong loss", _wrong_loss),
    Mutant("very late stop", _after_init(_very_late_stop)),
    Mutant("tiny potential", _potential(_tiny)),
    Mutant("growing bracket", _growing_bracket),
    Mutant("judge forgets a barrier", _bracket_of_one_barrier),
    Mutant("middle too small", _small_middle),
    Mutant("D for I", _kept(mistakes.DistanceAlongD)),
    Mutant("I for D", _kept(mistakes.TargetIsEverything)),
    Mutant("normalised with k", _kept(mistakes.NormalisedWithK)),
    Mutant("X_2 sampled", _kept(mistakes.SamplesX2)),
    Mutant("clip forgotten", _kept(mistakes.ForgottenClip)),
    Mutant("weights 1/p", _kept(mistakes.InverseProbability)),
    Mutant("kept run goes on", _kept(mistakes.LateStop)),
    Mutant("kept run ends early", _kept(mistakes.EarlyStop)),
    Mutant("kept weights too large", _kept(mistakes.HundredfoldWeight)),
    Mutant("coins too cheap", _cheap_coins),
    Mutant("nothing screened", _nothing_screened),
    Mutant("heavy points forgotten", _heavy_points_forgotten),
    Mutant("optimum a hundredth", _small_truth),
    Mutant("correction doubled", _doubled_correction),
    *(Mutant(name, plant) for name, plant in field_mutants.OTHERS.items()),
)

MUTANTS = {mutant.name: mutant for mutant in (*SAMPLERS, *OTHERS)}

#: For every check, a mistake that it has been seen to notice.
NOTICED = {
    "reduced-rank": "X_1 off by one",
    "ridge-loss": "scales dropped",
    "kernel-loss": "scales dropped",
    "ridge-rank": "X_1 off by one",
    "kernel-rank": "X_1 off by one",
    "leverage-count": "probabilities not capped",
    "probabilities": "doubled potential",
    "lines-7-to-9": "swapped rates",
    "line-2": "early stop",
    "product-sum": "judge forgets a barrier",
    "barriers": "fast lower rate",
    "below-upper": "doubled weight",
    "above-lower": "fast lower rate",
    "above-lower-sharp": "fast lower rate",
    "potential-decreases": "fast lower rate",
    "bracket-decreases": "fast lower rate",
    "expected-increment": "weight without 1/p",
    "potential-lower": "tiny potential",
    "potential-lower-runs": "tiny potential",
    "potential-lower-sharp": "tiny potential",
    "length": "very late stop",
    "length-sharp": "very late stop",
    "line-3": "early stop",
    "draws": "doubled potential",
    "mass": "doubled potential",
    "wald": "growing bracket",
    "wald-sure": "very late stop",
    "queries": "very late stop",
    "queries-sharp": "very late stop",
    "trace": "X_1 off by one",
    "upper": "immediate stop",
    "upper-sharp": "immediate stop",
    "event": "immediate stop",
    "event-sharp": "immediate stop",
    "gap-final": "very late stop",
    "gap-clock": "very late stop",
    "lower-positive-iff": "fast upper rate",
    "relative-gap": "fast upper rate",
    "spectrum": "fast upper rate",
    "spectrum-likely": "immediate stop",
    "condition": "one barrier",
    "alpha-bounded": "middle too small",
    "alpha-telescopes": "upper rate",
    "alpha-sum": "upper rate",
    "seen": "one barrier",
    "alpha-k": "middle too small",
    "balanced": "middle too small",
    "balanced-likely": "immediate stop",
    "sure-spectrum": "immediate stop",
    "sure-length": "very late stop",
    "sure-queries": "very late stop",
    "sure-loss": "residuals too loud",
    "sure-loss-at-one": "residuals too loud",
    "words": "very late stop",
    "packing": "radius too large",
    "design": "noise too loud",
    "learner": "accuracy too strict",
    "no-labels": "optimum too small",
    "clock": "upper rate",
    "middle": "swapped rates",
    "barriers-of-the-middle": "swapped rates",
    "clock-bounds": "very late stop",
    "gap": "tiny potential",
    "tail": "immediate stop",
    "supermartingale": "fast lower rate",
    "clock-sum": "very late stop",
    "noise-step": "doubled weight",
    "noise-tree": "residuals too loud",
    "growth": "doubled potential",
    "upper-drift": "doubled weight",
    "lower-drift": "fast lower rate",
    "theta-bracket": "fast lower rate",
    "theta-labels": "very late stop",
    "tail-sharp": "immediate stop",
    "tail-theta": "immediate stop",
    "tight-barriers": "fast lower rate",
    "tight-bracket": "fast lower rate",
    "tight-labels": "very late stop",
    "tight-loss": "residuals too loud",
    "screened": "nothing screened",
    "coins": "coins too cheap",
    "heavy": "heavy points forgotten",
    "unlabelled": "optimum a hundredth",
    "shrunken": "optimum a hundredth",
    "independent": "optimum a hundredth",
    "second-stage": "correction doubled",
    "one-sided-tree": "clip forgotten",
    "one-sided-unbiased": "X_2 sampled",
    "one-sided-inside": "D for I",
    "one-sided-inverse": "normalised with k",
    "one-sided-noise": "I for D",
    "budget-tree": "weights 1/p",
    "two-sided-labels": "kept run goes on",
    "two-sided-unbiased": "normalised with k",
    "two-sided-inside": "I for D",
    "two-sided-bracket": "X_2 sampled",
    "two-sided-masses": "D for I",
    "two-sided-tree": "normalised with k",
    "two-sided-failure": "kept weights too large",
    "two-sided-tail": "kept run ends early",
    **field_mutants.NOTICED,
}
