"""Planted mistakes of the field: samplers that are wrong in one place, and who notices."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq, fmpq_mat

import asura.samplers.barrier
import asura.samplers.leverage
from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.samplers import coreset
from asura.samplers.decisions import Decisions, ExactSample
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.leverage import IidLeverageSampling, RidgeLeverageSampling
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import LeveragedVolumeSampling, VolumeSampling
from asura.sampling import LeverageSampling
from asura.scalars import fraction
from asura_verify.claims.field import barriers, determinantal, leverage, pools, volume
from tests.reference.samplers import mistakes

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def _put(patch: Patch, kind: type, method: str, wrong: Callable[[Any], Any]) -> None:
    """Let a wrong sampler, made from the right one, do what a method did."""
    patch.setattr(kind, method, lambda self, *given: getattr(wrong(self), method)(*given))


def _off_by_one(patch: Patch) -> None:
    """Weights for k + 1 draws, everywhere."""
    for kind in (IidLeverageSampling, RidgeLeverageSampling, UniformSampling, RidgeProcess):
        original = kind.decide

        def decide(self: Any, data: Dataset, decisions: Decisions, by: Any = original) -> Any:
            return mistakes.off_by_one(by(self, data, decisions))

        patch.setattr(kind, "decide", decide)
    drawn = LeverageSampling.sample
    patch.setattr(LeverageSampling, "sample", lambda *given: mistakes.off_by_one(drawn(*given)))
    attempted = LeveragedVolumeSampling.attempt

    def attempt(self: Any, data: Dataset, decisions: Decisions) -> ExactSample | None:
        found = attempted(self, data, decisions)
        return None if found is None else mistakes.off_by_one(found)

    patch.setattr(LeveragedVolumeSampling, "attempt", attempt)


def _any_set(self: FixedSizeProcess, data: Dataset, decisions: Decisions) -> ExactSample:
    left = list(range(data.unlabelled))
    while len(left) > self.size:
        del left[decisions.among([fmpq(1)] * len(left))]
    return ExactSample(EXACT, tuple(left), (fmpq(1),) * self.size)


def _missing_determinant(patch: Patch) -> None:
    """Every set, sequence and pool is as good as any other."""
    _put(patch, VolumeSampling, "decide", lambda right: mistakes.MissingDeterminant(right.size))
    _put(
        patch,
        LeveragedVolumeSampling,
        "attempt",
        lambda right: mistakes.AcceptsEveryPool(right.size),
    )
    _put(patch, RidgeProcess, "decide", lambda _: mistakes.IndependentCoins())
    patch.setattr(FixedSizeProcess, "decide", _any_set)


def _judge_without_determinant(patch: Patch) -> None:
    """The sums themselves without the determinant."""
    patch.setattr(volume, "determinant", lambda *_: fmpq(1))

    def unit(data: Dataset, _: Any) -> fmpq_mat:
        size = data.dimension
        return fmpq_mat([[int(i == k) for k in range(size)] for i in range(size)])

    patch.setattr(pools, "normal", unit)


def _with_replacement(patch: Patch) -> None:
    """With for without replacement."""
    original = UniformSampling.decide

    def decide(self: UniformSampling, data: Dataset, decisions: Decisions) -> ExactSample:
        return original(UniformSampling(self.size, replacement=True), data, decisions)

    patch.setattr(UniformSampling, "decide", decide)


def _ridge_scores(data: Dataset) -> tuple[Fraction, ...]:
    return tuple(map(fraction, mistakes.ridge_scores(data)))


def _ridge_for_plain(patch: Patch) -> None:
    """Ridge leverage scores (lambda = 1) where plain ones are meant."""
    for module in (leverage, determinantal):
        patch.setattr(module, "leverage_scores", _ridge_scores)
    _put(patch, LeveragedVolumeSampling, "attempt", lambda right: mistakes.RidgePool(right.size))


def _ridge_draws(patch: Patch) -> None:
    """The same mistake in the sampler alone; the weights are those of plain leverage, d/(k l)."""
    patch.setattr(asura.samplers.leverage, "leverage_scores", _ridge_scores)


def _kernel_for_marginal(patch: Patch) -> None:
    _put(patch, RidgeProcess, "decide", lambda _: mistakes.KernelForMarginal())


def _barriers_before_the_step(patch: Patch) -> None:
    """U and L with the barriers that the step leaves."""
    for module in (barriers, asura.samplers.barrier):
        patch.setattr(module, "evaluate", mistakes.barriers_before_the_step)


def _nystrom_twice(patch: Patch) -> None:
    original = determinantal.residual
    patch.setattr(
        determinantal, "residual", lambda kernel, chosen: original(kernel, chosen) * 2 - kernel
    )


def _labels_elsewhere(patch: Patch) -> None:
    original = asura.samplers.barrier.fooling_labels
    patch.setattr(
        barriers,
        "fooling_labels",
        lambda picks, size: (*original(picks, size)[1:], fraction(fmpq(2))),
    )


def _coreset_without_labels(patch: Patch) -> None:
    """Every residual is taken for 0."""

    def nothing(data: Dataset) -> coreset.Residuals:
        return coreset.Residuals((fmpq(0),) * data.size, (Fraction(0),) * data.size)

    patch.setattr(coreset, "residuals", nothing)


def _coreset_steps_twice(patch: Patch) -> None:
    """Points at twice the weight that Psi was computed for."""
    original = coreset.Construction.candidates

    def candidates(self: Any, state: Any, *, shorten: bool) -> Iterator[coreset.CoresetStep]:
        for step in original(self, state, shorten=shorten):
            yield replace(step, weight=2 * step.weight)

    patch.setattr(coreset.Construction, "candidates", candidates)


#: As an implementer gets them wrong, and the claims whose verdicts must change.
SAMPLERS: dict[str, tuple[Plant, tuple[str, ...]]] = {
    "weights off by one": (
        _off_by_one,
        ("leverage-determinants", "sampled-gram", "ridge-process", "leveraged-volume"),
    ),
    "missing determinant": (
        _missing_determinant,
        ("volume-normaliser", "volume-unbiased", "volume-loss", "leveraged-volume", "nystrom"),
    ),
    "with for without replacement": (_with_replacement, ("sampled-gram",)),
    "ridge for plain leverage": (_ridge_for_plain, ("sampled-gram", "leveraged-volume")),
    "ridge for plain leverage, in the draws": (_ridge_draws, ("sampled-gram",)),
    "barriers before the step": (_barriers_before_the_step, ("bss-barriers",)),
}

OTHERS: dict[str, Plant] = {
    "judge without the determinant": _judge_without_determinant,
    "kernel for marginal": _kernel_for_marginal,
    "Nystrom's kernel twice": _nystrom_twice,
    "labels elsewhere": _labels_elsewhere,
    "coreset without labels": _coreset_without_labels,
    "coreset steps of twice the weight": _coreset_steps_twice,
}

#: For every check of the field, a mistake that it has been seen to notice.
NOTICED = {
    "coins-determinant": "weights off by one",
    "kept-coins-determinant": "weights off by one",
    "draws-gram": "weights off by one",
    "uniform-gram": "with for without replacement",
    "scores-sum": "ridge for plain leverage",
    "volumes-sum": "judge without the determinant",
    "volume-removal": "missing determinant",
    "volume-two-stages": "judge without the determinant",
    "volume-inclusion": "missing determinant",
    "volume-unbiased": "missing determinant",
    "volume-loss": "missing determinant",
    "volume-loss-bounded": "missing determinant",
    "volume-inverse": "missing determinant",
    "volume-inverse-exactly": "missing determinant",
    "sequences-sum": "judge without the determinant",
    "pool-law": "ridge for plain leverage",
    "pool-unbiased": "missing determinant",
    "counts-any-q": "judge without the determinant",
    "counts-leverage": "ridge for plain leverage",
    "pool-inverse": "weights off by one",
    "process-law": "missing determinant",
    "process-scores": "kernel for marginal",
    "ridge-scores": "ridge for plain leverage",
    "fixed-size-law": "missing determinant",
    "nystrom-mean": "missing determinant",
    "nystrom-below": "Nystrom's kernel twice",
    "bss-within-nine": "barriers before the step",
    "bss-step": "barriers before the step",
    "fixed-set-fooled": "labels elsewhere",
    "coreset-near-optimal": "coreset without labels",
    "coreset-step": "coreset steps of twice the weight",
}
