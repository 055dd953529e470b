"""Whole trees of K1 and K2: E draws, spectrum, E|v|^2, E excess, budgets; below their bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from asura.arithmetic import EXACT
from asura.kept.bounds import (
    one_sided_excess,
    one_sided_least,
    one_sided_noise,
    overrun,
    redrawn_excess,
    two_sided_draws,
    two_sided_excess,
)
from asura.kept.noise import two_sided_noise
from asura.main_failure import kept_failure
from asura.run import longest
from asura.scalars import rational
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.deciding.numbers import Number
from asura_verify.formulas import curvature
from asura_verify.instances.kept import KeptTreeInstance
from asura_verify.trees.kept_runs import BITS, RunOutcome


def _is_a_law(compare: Comparisons, instance: KeptTreeInstance) -> None:
    """The probabilities sum to 1; with clip and coin E[M] is the identity."""
    tree = instance.tree
    compare.equal("sum of all probabilities", tree.total, 1)
    if instance.variant.ending != "overshoot":
        pairs = zip(tree.mean_matrix.entries(), tree.truth.gram.entries(), strict=True)
        for mean, wanted in pairs:
            compare.equal("E[M] = I", mean, wanted)


def _spectrum(compare: Comparisons, instance: KeptTreeInstance, least: Fraction) -> None:
    """M > least I, after every run."""
    for outcome in instance.tree.outcomes:
        rest = outcome.matrix - instance.tree.truth.gram * arb(rational(least))
        compare.definite(rf"$M \succ {float(least):.3g} I$", rest)


def _expected_draws(instance: KeptTreeInstance) -> Number:
    """E draws; exactly the share when the first step is the last, where the bound is met."""
    variant = instance.variant
    if variant.ending == "coin" and variant.goal <= variant.first_advance:
        first: Any = instance.sampler(instance.data, variant, EXACT)
        state = first.initial()
        share: fmpq = first.share(state, first.distribution(state))
        return share
    return instance.tree.expected_draws


def one_sided_expectations(instance: KeptTreeInstance) -> CheckResult:
    """K2: E draws <= N (N + 1 with clip), M > a, E|v|^2 and E excess below their bounds."""
    if instance.optimum == 0:
        return VACUOUS  # nothing to lose on X_1, and both sides are 0
    compare, tree, nu = Comparisons(), instance.tree, instance.parameter
    ratio, norm = instance.size.rank / instance.level, instance.size.norm
    with ctx.workprec(BITS):
        _is_a_law(compare, instance)
        clipped = instance.variant.ending == "clip"
        compare.at_most("E draws", _expected_draws(instance), instance.level + int(clipped))
        _spectrum(compare, instance, one_sided_least(ratio, nu, norm))
        noise = one_sided_noise(ratio, nu, norm) * instance.optimum
        compare.at_most("E|v|^2", tree.expected_noise, noise)
        excess = one_sided_excess(ratio, nu, norm)
        if excess is not None:
            compare.at_most("E excess", tree.expected_excess, excess * instance.optimum)
    return compare.result()


def one_sided_budgets(instance: KeptTreeInstance) -> CheckResult:
    """K3: P(more than B draws) and E[excess | at most B draws], below their bounds."""
    budget, nu = instance.budget, instance.parameter
    ratio, norm = instance.size.rank / instance.level, instance.size.norm
    bound = redrawn_excess(budget / instance.size.rank, ratio, nu, norm)
    if bound is None or instance.optimum == 0 or instance.variant.ending != "coin":
        return VACUOUS

    def within(outcome: RunOutcome) -> bool:
        return outcome.draws <= budget

    compare, tree = Comparisons(), instance.tree
    with ctx.workprec(BITS):
        missed = tree.chance(lambda outcome: not within(outcome))
        compare.at_most(
            f"P(more than {budget} draws)",
            missed,
            overrun(budget / instance.level, ratio, nu, norm),
        )
        given = tree.excess_where(within) / tree.chance(within)
        compare.at_most(f"E[excess | at most {budget}]", given, bound * instance.optimum)
    return compare.result()


def two_sided_expectations(instance: KeptTreeInstance) -> CheckResult:
    """K1 under the sure rule: E draws, M, E|v|^2 and E excess, with every ending."""
    if instance.optimum == 0:
        return VACUOUS
    compare, tree, gamma = Comparisons(), instance.tree, instance.parameter
    rank, norm, ending = instance.size.rank, instance.size.norm, instance.variant.ending
    least = 1 - 2 * gamma * norm / (1 + 2 * gamma)
    least -= 2 * gamma / (curvature(gamma) * instance.level)
    with ctx.workprec(BITS):
        _is_a_law(compare, instance)
        draws = two_sided_draws(rank, gamma, instance.level, ending, norm)
        compare.at_most("E draws", _expected_draws(instance), draws)
        _spectrum(compare, instance, least)
        noise = two_sided_noise(rank, gamma, instance.level, ending, norm)
        compare.at_most("E|v|^2", tree.expected_noise, noise * instance.optimum)
        excess = two_sided_excess(rank, gamma, instance.level, ending, norm)
        if excess is not None:
            compare.at_most("E excess", tree.expected_excess, excess * instance.optimum)
    return compare.result()


@conjunction
def two_sided_sure_labels(compare: Comparisons, instance: KeptTreeInstance) -> None:
    """K1 under the paper's rule: never more than ceil(R sqrt(k)/gamma^2) draws."""
    most = longest(instance.size.rank, instance.parameter)
    for outcome in instance.tree.outcomes:
        compare.at_most("draws", outcome.draws, most)


def two_sided_failures(instance: KeptTreeInstance) -> CheckResult:
    """K1 under the paper's rule: P(excess > eps OPT_1) below its bound, for several eps."""
    if instance.optimum == 0:
        return VACUOUS
    compare, gamma = Comparisons(), instance.parameter
    applies = False
    for constant in (4, 8, 15, 30):
        epsilon = (constant * gamma) ** 2
        bound = kept_failure(gamma, epsilon)
        if bound >= 1:
            continue
        applies = True
        with ctx.workprec(BITS):
            limit = arb(rational(epsilon * instance.optimum))

            def missed(outcome: RunOutcome, limit: arb = limit) -> bool:
                return outcome.excess is None or not outcome.excess <= limit

            chance = instance.tree.chance(missed)
        compare.at_most(f"P(excess > {float(epsilon):.3g} OPT_1)", chance, bound)
    return compare.result() if applies else VACUOUS


#: Levels q of the clock at which its tail is compared.
TAIL_LEVELS = (Fraction(1, 5), Fraction(3, 8), Fraction(1, 2), Fraction(4, 5))


@conjunction
def two_sided_tails(compare: Comparisons, instance: KeptTreeInstance) -> None:
    """K1 under the paper's rule: P(r_m < q) <= q/((1 + q) L - 1), L = 2 sqrt((1 - q)/(kq))."""
    gamma = instance.parameter
    k = curvature(gamma)
    for q in TAIL_LEVELS:
        with ctx.workprec(BITS):
            reach = arb(rational(4 * (1 - q) / (k * q))).sqrt()
            bound = rational(q) / (rational(1 + q) * reach - 1)
            end = arb(rational(q * k * instance.size.rank / gamma**2))

            def early(outcome: RunOutcome, end: arb = end) -> bool:
                return not outcome.progress >= end

            compare.at_most(f"P(r_m < {q})", instance.tree.chance(early), bound)
