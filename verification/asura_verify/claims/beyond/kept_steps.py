"""One step of K1 and K2 from any state: the predicates that the claims share."""

from __future__ import annotations

from flint import fmpq, fmpq_mat

from asura.kept.coins import leverages
from asura.scalars import rational
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.formulas import curvature
from asura_verify.instances.kept import KeptStepInstance
from asura_verify.instances.step import matrix_trace


@conjunction
def draws_are_unbiased(compare: Comparisons, instance: KeptStepInstance) -> None:
    """Only X_1 is drawn, the probabilities sum to 1, and E[W] = (d sigma) D."""
    compare.that("only X_1", 0 <= max(instance.support, default=-1) < instance.data.unlabelled)
    total, mean = fmpq(0), fmpq_mat(instance.gram.nrows(), instance.gram.nrows())
    for index in instance.support:
        chance = instance.distribution.probability(index)
        total += chance
        mean += instance.increment(index) * chance
    compare.equal("sum of p", total, 1)
    compare.that("E[W] = (d sigma) D", mean == instance.target * instance.advance)
    for after in instance.successors.values():
        compare.equal("sigma'", after.progress, instance.state.progress + instance.advance)


@conjunction
def barriers_are_kept(compare: Comparisons, instance: KeptStepInstance) -> None:
    """W <= theta step P and Q, and P', Q' > 0, whichever point is drawn."""
    rooms = [room for room in instance.gaps(instance.state) if room is not None]
    factor = rational(instance.share * instance.variant.step)
    for index, after in instance.successors.items():
        for room in rooms:
            compare.semidefinite(f"W at {index}", room * factor - instance.increment(index))
        for gap in instance.gaps(after):
            if gap is not None:
                compare.definite(f"gap after {index}", gap)


@conjunction
def bracket_falls(compare: Comparisons, instance: KeptStepInstance) -> None:
    """E[E'] <= E in Loewner order."""
    mean = fmpq_mat(instance.gram.nrows(), instance.gram.nrows())
    for index, after in instance.successors.items():
        mean += instance.bracket(after) * instance.distribution.probability(index)
    compare.semidefinite("E - E[E']", instance.bracket(instance.state) - mean)


@conjunction
def two_sided_masses(compare: Comparisons, instance: KeptStepInstance) -> None:
    """Bounds on Phi, on E' and on the leverages, with r = gamma^2 sigma/(kR).

    Phi >= (gamma/R) Tr D (I + rD)^-1 >= gamma/(1 + r); E' <= E/(1 - gamma);
    l_x <= (R/gamma)(1 + r) U^T E U.
    """
    gamma, rank = instance.variant.step, instance.variant.reduced_rank
    clock = gamma**2 / (curvature(gamma) * rank) * instance.progress
    grown = instance.gram + instance.target * rational(clock)
    least = rational(gamma / rank) * matrix_trace(instance.target * grown.inv())
    compare.at_most("(gamma/R) Tr D(I + rD)^-1", least, instance.distribution.potential)
    compare.at_most("gamma/(1 + r)", gamma / (1 + clock), least)
    before = instance.bracket(instance.state)
    for index, after in instance.successors.items():
        rest = before - instance.bracket(after) * rational(1 - gamma)
        compare.semidefinite(f"E - (1 - gamma)E' at {index}", rest)
    factor = rational(rank / gamma * (1 + clock))
    for index, score in enumerate(leverages(instance.data)):
        mass = matrix_trace(instance.outer(index) * before)
        compare.at_most(f"l_{index}", score, factor * mass)


@conjunction
def one_sided_noise_step(compare: Comparisons, instance: KeptStepInstance) -> None:
    """E[Q'] = Q + nu (d sigma) D, and l^2 <= (U^T Q^-1 U)(U^T Q U)."""
    _, before = instance.gaps(instance.state)
    mean = fmpq_mat(instance.gram.nrows(), instance.gram.nrows())
    for index, after in instance.successors.items():
        mean += instance.gaps(after)[1] * instance.distribution.probability(index)
    grown = before + instance.target * (rational(1 - instance.variant.lower) * instance.advance)
    compare.that("E[Q'] = Q + nu (d sigma) D", mean == grown)
    whitened = instance.gram.inv()
    for index in range(instance.data.unlabelled):
        outer = instance.outer(index)
        score = matrix_trace(outer * whitened)
        mass = matrix_trace(outer * before.inv())
        length = matrix_trace(outer * whitened * before * whitened)
        compare.at_most(f"l_{index}^2", score * score, mass * length)
