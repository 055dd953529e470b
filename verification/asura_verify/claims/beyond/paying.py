"""What is paid for, and what comes of it: coins (K6), heavy points (K4), K5 and two stages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.dimensions import leverage_scores, reduced_rank
from asura.kept.bounds import shrunken_excess, zero_label_excess
from asura.kept.coins import leverages
from asura.kept.enumeration import acceptance
from asura.kept.estimators import KeptOnly, LeastSquares, Shrunken, TwoStage
from asura.kept.heavy import with_labelled
from asura.kept.iid import IidLeverage
from asura.kept.screening import Screen
from asura.randomness import Chooser, Seed
from asura.sampling import WeightedSample
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.instances.paid import CoinInstance, DrawsInstance
from asura_verify.instances.step import PointsInstance

ZERO = Fraction(0)


@conjunction
def coins_are_unbiased(compare: Comparisons, instance: CoinInstance) -> None:
    """E w = 1; E|v|^2 = tau OPT_1, points of leverage 0 aside; E labels <= R/tau."""
    truth, tau = instance.truth, instance.threshold
    compare.equal("sum of all", sum((chance for chance, _ in instance.outcomes), ZERO), 1)
    scores = leverages(instance.data)
    for index, score in enumerate(scores):
        if score:
            mean = sum((p * w.get(index, ZERO) for p, w in instance.outcomes), ZERO)
            compare.equal(f"E w_{index}", mean, 1)
    noise = sum((chance * truth.noise(weights) for chance, weights in instance.outcomes), ZERO)
    seen = sum((truth.optimum(i + 1) - truth.optimum(i) for i, s in enumerate(scores) if s), ZERO)
    compare.equal("E|v|^2 = tau OPT_1", noise, tau * seen)
    labels = sum((chance * instance.labels(w) for chance, w in instance.outcomes), ZERO)
    compare.equal("E labels", labels, sum((s / (s + tau) for s in scores if s), ZERO))
    compare.at_most("E labels <= R/tau", labels, sum(scores, ZERO) / tau)


def screened_excess(instance: CoinInstance) -> CheckResult:
    """E[excess | G] <= tau OPT_1/(a^2 P(G)), and at most B labels on G; P(G) as enumerated."""
    kept = [(p, weights) for p, weights in instance.outcomes if instance.accepted(weights)]
    chance = sum((p for p, _ in kept), ZERO)
    compare = Comparisons()
    event = Screen(instance.least, instance.budget)
    compare.equal("P(G)", acceptance(instance.data, instance.coins, event), chance)
    if not kept:
        return VACUOUS if compare.result().verdict.holds else compare.result()
    excess = sum((p * instance.truth.excess(weights) for p, weights in kept), ZERO) / chance
    optimum = instance.truth.optimum(instance.data.unlabelled)
    bound = instance.threshold * optimum / (instance.least**2 * chance)
    compare.at_most("E[excess | G]", excess, bound)
    for _, weights in kept:
        compare.at_most("labels", instance.labels(weights), instance.budget)
    return compare.result()


@conjunction
def heavy_points_leave_the_rest(compare: Comparisons, instance: PointsInstance) -> None:
    """Moving the heavy points to X_2 leaves all leverages, and R drops by theirs.

    The heavy ones and R'/tau for the others are sum min(1, l/tau) labels, at most n_1 and R/tau.
    """
    data = instance.data
    scores = leverages(data)
    every = leverage_scores(data)
    for tau in (Fraction(1), Fraction(1, 2), Fraction(1, 8)):
        heavy = [index for index, score in enumerate(scores) if score >= tau]
        moved, order = with_labelled(data, heavy)
        rest = sum((score for score in scores if score < tau), ZERO)
        compare.equal("R'", reduced_rank(moved), rest)
        compare.that("leverages", leverage_scores(moved) == tuple(every[i] for i in order))
        total = sum((min(Fraction(1), score / tau) for score in scores), ZERO)
        compare.equal("labels", len(heavy) + rest / tau, total)
        compare.at_most("at most n_1", total, data.unlabelled)
        compare.at_most("at most R/tau", total, sum(scores, ZERO) / tau)


def _excess(instance: DrawsInstance, loss: Fraction) -> Fraction:
    return loss - instance.truth.optimum()


def no_label_needed(instance: DrawsInstance) -> CheckResult:
    """The solution on X_2 has excess at most delta/(1 - delta) OPT, and pays nothing."""
    bound = zero_label_excess(instance.size.norm)
    if bound is None:
        return VACUOUS
    compare = Comparisons()
    estimate = LeastSquares(KeptOnly()).estimate(instance.data, Seed(0))
    compare.equal("labels", estimate.paid, 0)
    loss = instance.loss(tuple(entry.midpoint for entry in estimate.beta))
    compare.at_most("excess", _excess(instance, loss), bound * instance.truth.optimum())
    return compare.result()


def shrunken_estimates(instance: DrawsInstance) -> CheckResult:
    """N draws with s = eps lambda: E excess <= eps OPT for eps = R/((1 - delta) N + R lambda)."""
    rank, norm = instance.size.rank, instance.size.norm
    bound = shrunken_excess(rank, norm, instance.draws)
    if bound is None or rank == 0:
        return VACUOUS
    compare = Comparisons()
    shrinkage = bound * (1 - norm) / norm
    compare.equal("N", rank * (1 - shrinkage) / (bound * (1 - norm)), instance.draws)
    loss = instance.expected_loss(Shrunken(instance.draws, shrinkage))
    compare.at_most("E excess", _excess(instance, loss), bound * instance.truth.optimum())
    return compare.result()


def independent_draws(instance: DrawsInstance) -> CheckResult:
    """N draws by leverage with X_2 kept: E excess <= (R/N) OPT_1/(1 - delta)^2."""
    rank, norm = instance.size.rank, instance.size.norm
    if norm == 1 or rank == 0:
        return VACUOUS
    compare = Comparisons()
    loss = instance.expected_loss(LeastSquares(IidLeverage(instance.draws)))
    optimum = instance.truth.optimum(instance.data.unlabelled)
    bound = rank / instance.draws / (1 - norm) ** 2 * optimum
    compare.at_most("E excess", _excess(instance, loss), bound)
    return compare.result()


@dataclass(frozen=True)
class _Pilot:
    """Given weights on X_1, and X_2 at weight 1: any first answer."""

    weights: tuple[Fraction, ...]

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """The same sample every time."""
        del chooser
        weights = {index: weight for index, weight in enumerate(self.weights) if weight}
        weights |= dict.fromkeys(range(data.unlabelled, data.size), Fraction(1))
        return WeightedSample(EXACT, tuple(weights), tuple(map(EXACT.scalar, weights.values())))


def second_stage_is_unbiased(instance: DrawsInstance) -> CheckResult:
    """From any first answer: E beta = beta*, E excess <= (R/N) times its loss on X_1."""
    compare, rank = Comparisons(), instance.size.rank
    if instance.size.norm == 1 or rank == 0:
        return VACUOUS
    pilot = _Pilot(instance.pilot)
    answers = list(instance.answers(TwoStage(pilot, instance.draws)))
    width = len(answers[0][1])
    mean = tuple(sum((p * beta[k] for p, beta in answers), ZERO) for k in range(width))
    compare.equal("loss of E beta", instance.loss(mean), instance.truth.optimum())
    first = LeastSquares(pilot).estimate(instance.data, Seed(0)).beta
    before = instance.loss(tuple(entry.midpoint for entry in first), instance.data.unlabelled)
    loss = sum((p * instance.loss(beta) for p, beta in answers), ZERO)
    compare.at_most("E excess", _excess(instance, loss), rank / instance.draws * before)
    return compare.result()
