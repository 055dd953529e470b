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
from asura.dimensions import leverage_scores
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


def _replacing(owner: Any, name: str, change: Callable[[Any], Any]) -> Callable[[Patch], None]:
    """Plant what `change` makes of an attribute."""
    return lambda patch: patch.setattr(owner, name, change(getattr(owner, name)))


def _constants(values: Callable[[Fraction, int], dict[str, Fraction]]) -> Callable[[Patch], None]:
    """Plant other constants of Algorithm 2, by gamma and d."""

    def change(original: Any) -> Any:
        def made(self: Any, data: Any, gamma: Fraction, *rest: Any, **named: Any) -> None:
            original(self, data, gamma, *rest, **named)
            for name, value in values(gamma, self.dimension).items():
                setattr(self, name, self.arithmetic.scalar(value))

        return made

    return _replacing(Asura, "__init__", change)


def _weight(weight: Callable[[Any, Distribution[Any], int], Any]) -> Callable[[Patch], None]:
    return _replacing(Asura, "weight", lambda _: weight)


def _scaled(self: Any, factor: Fraction | int, value: Any) -> Any:
    return self.arithmetic.scalar(Fraction(factor)) * value


def _potential(factor: Callable[[Any, State[Any, Any]], Any]) -> Callable[[Patch], None]:
    def change(original: Any) -> Any:
        def distribution(self: Any, state: State[Any, Any]) -> Distribution[Any]:
            known = original(self, state)
            return Distribution(known.potential * factor(self, state), known.masses)

        return distribution

    return _replacing(Asura, "distribution", change)


def _potential_times(factor: Fraction | int) -> Callable[[Patch], None]:
    return _potential(lambda self, _: self.arithmetic.scalar(Fraction(factor)))


def _uncapped(self: LeverageSampling, data: Any) -> tuple[Fraction, ...]:
    rate = self.expected_size / data.dimension
    return tuple(rate * score for score in leverage_scores(data))


def _small_optimum(original: Any) -> Any:
    def row(instance: LearnerInstance) -> tuple[Fraction, Fraction, Fraction]:
        n, total, best = original(instance)
        return n, total, best / 100

    return row


def _loud_residuals(original: Any) -> Any:
    def of(cls: Any, tree: Any) -> Any:
        made = original(tree)
        return cls(made.tree, made.lines, made.best / 10**6)

    return classmethod(of)


def _wrong_loss(patch: Patch) -> None:
    wrong = Enclosure(Fraction(10**9), Fraction(10**9))
    for module in (asura.algorithm1_regression, asura_verify.claims.lower_bound):
        patch.setattr(module, "loss", lambda *_: wrong)


def _kept(text: Any) -> Callable[[Patch], None]:
    return _replacing(asura_verify.instances.kept, "Barriers", lambda _: text)


#: One wrong constant each, as an implementer gets it wrong.
SAMPLERS = (
    Mutant(
        "swapped rates",
        _constants(lambda g, _: {"upper_rate": g / (1 + 2 * g), "lower_rate": g / (1 - 2 * g)}),
        ("alg-potential", "sum-alpha"),
    ),
    Mutant(
        "upper rate",
        _constants(lambda g, _: {"upper_rate": g / (1 - g)}),
        ("alg-potential", "identity-1"),
    ),
    Mutant(
        "lower rate",
        _constants(lambda g, _: {"lower_rate": g / (1 + g)}),
        ("alg-potential", "identity-2"),
    ),
    Mutant(
        "fast lower rate",
        _constants(lambda *_: {"lower_rate": Fraction(3, 2)}),
        ("invariant", "rank-one-lower", "potential-monotone", "sum-alpha"),
    ),
    Mutant(
        "first barrier",
        _constants(lambda g, d: {"first_upper": 3 * d / g}),
        ("alg-potential", "sum-alpha"),
    ),
    Mutant(
        "both barriers",
        _constants(lambda g, d: {"first_upper": d / g, "first_lower": -d / g}),
        ("alg-potential", "identity-2"),
    ),
    Mutant(
        "late stop", _constants(lambda g, d: {"bound": 13 * d / g}), ("alg-potential", "m-bound")
    ),
    Mutant(
        "early stop", _constants(lambda g, d: {"bound": 7 * d / g}), ("alg-potential", "stop-text")
    ),
    Mutant(
        "forgotten sum",
        _replacing(Asura, "clock", lambda _: lambda _, state: state.upper - state.lower),
        ("alg-potential", "stop-text"),
    ),
    Mutant(
        "weight without 1/p",
        _weight(lambda self, drawn, _: self.gamma / drawn.potential),
        ("alg-potential", "potential-monotone"),
    ),
    Mutant(
        "doubled weight",
        _weight(lambda self, drawn, pick: _scaled(self, 2, self.gamma) / drawn.masses[pick]),
        ("alg-potential", "rank-one-upper", "potential-monotone"),
    ),
    Mutant("doubled potential", _potential_times(2), ("probabilities-sum", "identity-1")),
    # The trace of the product is that of the sum over the gap.
    Mutant(
        "product potential",
        _potential(
            lambda self, state: self.arithmetic.scalar(Fraction(1)) / (state.upper - state.lower)
        ),
        ("probabilities-sum", "alg-potential"),
    ),
    Mutant(
        "one barrier",
        _replacing(
            Asura,
            "bracket",
            lambda _: lambda self, state: self.arithmetic.inverse(self.below_upper(state)),
        ),
        ("probabilities-sum", "identity-6"),
    ),
    *(Mutant(name, plant, slugs) for name, (plant, slugs) in field_mutants.SAMPLERS.items()),
)

#: Grosser mistakes, in the sampler and around it, so that every check is seen to fail.
OTHERS = (
    Mutant("fast upper rate", _constants(lambda g, _: {"upper_rate": 8 * g / (1 - 2 * g)})),
    Mutant("immediate stop", _constants(lambda g, d: {"bound": Fraction(401, 100) * d / g})),
    Mutant(
        "huge weight",
        _weight(
            lambda self, drawn, pick: self.arithmetic.scalar(Fraction(100)) / drawn.masses[pick]
        ),
    ),
    Mutant("halved potential", _potential_times(Fraction(1, 2))),
    Mutant(
        "X_1 off by one",
        _replacing(
            Coordinates,
            "gram",
            lambda old: (
                lambda self, count=None: old(
                    self, None if count is None else min(self.size, count + 1)
                )
            ),
        ),
    ),
    Mutant(
        "scales dropped",
        _replacing(
            asura.dataset,
            "dataset",
            lambda old: lambda points, **named: old(points, **(named | {"squared_scales": None})),
        ),
    ),
    Mutant(
        "probabilities not capped",
        _replacing(LeverageSampling, "probabilities", lambda _: _uncapped),
    ),
    Mutant(
        "radius too small",
        _replacing(
            asura.algorithm3_packing,
            "_radius",
            lambda old: lambda *inputs: max(0, old(*inputs) - 1),
        ),
    ),
    Mutant(
        "radius too large",
        _replacing(asura.algorithm3_packing, "_radius", lambda _: lambda dimension, *_: dimension),
    ),
    Mutant(
        "noise too loud",
        _replacing(
            asura.lower_bound,
            "balanced_noise",
            lambda old: lambda *given: [2 * e for e in old(*given)],
        ),
    ),
    Mutant(
        "accuracy too strict",
        _replacing(
            LearnerInstance,
            "epsilon",
            lambda _: property(lambda self: self.root**2 / self.lam / 100),
        ),
    ),
    Mutant(
        "optimum too small", _replacing(asura_verify.claims.lower_bound, "_row", _small_optimum)
    ),
    Mutant("residuals too loud", _replacing(LossTree, "of", _loud_residuals)),
    Mutant("wrong loss", _wrong_loss),
    Mutant("very late stop", _constants(lambda g, d: {"bound": 1000 * d / g})),
    Mutant("tiny potential", _potential_times(Fraction(1, 100))),
    Mutant(
        "growing bracket",
        _replacing(
            Asura,
            "bracket",
            lambda old: (
                lambda self, state: (
                    old(self, state) * self.arithmetic.scalar(Fraction(1 + state.iteration))
                )
            ),
        ),
    ),
    Mutant(
        "judge forgets a barrier",
        _replacing(
            StepInstance, "bracket", lambda _: property(lambda self: self.below_upper.inv())
        ),
    ),
    Mutant(
        "middle too small",
        _replacing(
            BarrierPath,
            "mid",
            lambda _: property(lambda self: (self.upper[-1] + self.lower[-1]) / 2 / 10**4),
        ),
    ),
    Mutant("D for I", _kept(mistakes.DistanceAlongD)),
    Mutant("I for D", _kept(mistakes.TargetIsEverything)),
    Mutant("normalised with k", _kept(mistakes.NormalisedWithK)),
    Mutant("X_2 sampled", _kept(mistakes.SamplesX2)),
    Mutant("clip forgotten", _kept(mistakes.ForgottenClip)),
    Mutant("weights 1/p", _kept(mistakes.InverseProbability)),
    Mutant("kept run goes on", _kept(mistakes.LateStop)),
    Mutant("kept run ends early", _kept(mistakes.EarlyStop)),
    Mutant("kept weights too large", _kept(mistakes.HundredfoldWeight)),
    Mutant(
        "coins too cheap",
        _replacing(
            asura.kept.coins,
            "coins_for",
            lambda old: lambda leverage, threshold: old(leverage, 10 * threshold),
        ),
    ),
    Mutant("nothing screened", _replacing(CoinInstance, "accepted", lambda _: lambda *_: True)),
    Mutant(
        "heavy points forgotten",
        _replacing(
            asura_verify.claims.beyond.paying,
            "with_labelled",
            lambda _: lambda data, _: (data, tuple(range(data.size))),
        ),
    ),
    Mutant(
        "optimum a hundredth",
        _replacing(Truth, "optimum", lambda old: lambda self, count=None: old(self, count) / 100),
    ),
    Mutant(
        "correction doubled",
        _replacing(
            asura.kept.estimators,
            "_totals",
            lambda old: lambda drawn, factor: old(drawn, 2 * factor),
        ),
    ),
    *(Mutant(name, plant) for name, plant in field_mutants.OTHERS.items()),
)

MUTANTS = {mutant.name: mutant for mutant in (*SAMPLERS, *OTHERS)}

#: By mistake, the checks that it is planted for: each has been seen to notice it.
_CHECKS = {
    "X_1 off by one": "reduced-rank ridge-rank kernel-rank trace",
    "scales dropped": "ridge-loss kernel-loss",
    "probabilities not capped": "leverage-count",
    "doubled potential": "probabilities draws mass growth",
    "swapped rates": "lines-7-to-9 middle barriers-of-the-middle",
    "early stop": "line-2 line-3",
    "judge forgets a barrier": "product-sum",
    "fast lower rate": (
        "barriers above-lower above-lower-sharp potential-decreases bracket-decreases "
        "supermartingale lower-drift theta-bracket tight-barriers tight-bracket"
    ),
    "doubled weight": "below-upper noise-step upper-drift",
    "weight without 1/p": "expected-increment",
    "tiny potential": "potential-lower potential-lower-runs potential-lower-sharp gap",
    "very late stop": (
        "length length-sharp wald-sure queries queries-sharp gap-final gap-clock sure-length "
        "sure-queries words clock-bounds clock-sum theta-labels tight-labels"
    ),
    "growing bracket": "wald",
    "immediate stop": (
        "upper upper-sharp event event-sharp spectrum-likely balanced-likely sure-spectrum "
        "tail tail-sharp tail-theta"
    ),
    "fast upper rate": "lower-positive-iff relative-gap spectrum",
    "one barrier": "condition seen",
    "middle too small": "alpha-bounded alpha-k balanced",
    "upper rate": "alpha-telescopes alpha-sum clock",
    "residuals too loud": "sure-loss sure-loss-at-one noise-tree tight-loss",
    "radius too large": "packing",
    "noise too loud": "design",
    "accuracy too strict": "learner",
    "optimum too small": "no-labels",
    "nothing screened": "screened",
    "coins too cheap": "coins",
    "heavy points forgotten": "heavy",
    "optimum a hundredth": "unlabelled shrunken independent",
    "correction doubled": "second-stage",
    "clip forgotten": "one-sided-tree",
    "X_2 sampled": "one-sided-unbiased two-sided-bracket",
    "D for I": "one-sided-inside two-sided-masses",
    "normalised with k": "one-sided-inverse two-sided-unbiased two-sided-tree",
    "I for D": "one-sided-noise two-sided-inside",
    "weights 1/p": "budget-tree",
    "kept run goes on": "two-sided-labels",
    "kept weights too large": "two-sided-failure",
    "kept run ends early": "two-sided-tail",
}
NOTICED = {
    **{check: mistake for mistake, checks in _CHECKS.items() for check in checks.split()},
    **field_mutants.NOTICED,
}
