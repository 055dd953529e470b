"""The second half of the well-balanced condition: the alphas."""

from __future__ import annotations

from flint import arb

from asura.scalars import rational
from asura_verify.evidence import Judgement, Ledger
from asura_verify.families import RUNS, STEPS
from asura_verify.instances import RunInstance, StepInstance
from asura_verify.statements import GAMMA, Check, Claim, Relation, Statement


def _alpha_sum(instance: RunInstance) -> arb:
    with instance.working() as path:
        return sum((path.gamma / value for value in path.potential), arb(0)) / path.mid


def alphas_are_bounded(instance: RunInstance) -> Judgement:
    """Sum alpha_j <= 1024."""
    ledger = Ledger()
    with instance.working():
        ledger.at_most("sum of alpha", _alpha_sum(instance), 1024)
    return ledger.judgement()


def alphas_sum_exactly(instance: RunInstance) -> Judgement:
    """Sum alpha_j = 1 - 4 gamma^2, in balls."""
    ledger = Ledger()
    with instance.working():
        ledger.equal("sum of alpha", _alpha_sum(instance), 1 - 4 * instance.gamma**2)
        reported = instance.run.alpha_sum
        ledger.that(
            "the run's own sum of alpha",
            reported.lower <= 1 - 4 * instance.gamma**2 <= reported.upper,
        )
    return ledger.judgement()


def middle_grows_by_alpha(instance: StepInstance) -> Judgement:
    """(1 - 4 gamma^2)(mid_{j+1} - mid_j) = gamma/Phi_j, and mid_0 = 0: so the alphas telescope."""
    ledger = Ledger()
    first = instance.algorithm.initial()
    ledger.equal("mid_0", first.upper + first.lower, 0)
    gamma = rational(instance.gamma)
    before = instance.state
    for after in instance.successors.values():
        growth = (after.upper + after.lower - before.upper - before.lower) / 2
        ledger.equal(
            "k (mid' - mid)",
            growth * (1 - 4 * gamma * gamma),
            gamma / instance.distribution.potential,
        )
    return ledger.judgement()


CLAIMS = (
    Claim(
        "sum-alpha",
        "The coefficients alpha",
        "proof of thm:RBSS, Appendix A",
        Statement(
            "printed",
            "sum_j alpha_j <= 1024 on Gamma",
            hypotheses=(GAMMA,),
            checks=(Check("alpha-bounded", RUNS, alphas_are_bounded),),
        ),
        repaired=(
            Statement(
                "identity",
                "sum_j alpha_j = 1 - 4 gamma^2, surely",
                hypotheses=(GAMMA,),
                relation=Relation.SHARPER,
                checks=(
                    Check("alpha-telescopes", STEPS, middle_grows_by_alpha),
                    Check("alpha-sum", RUNS, alphas_sum_exactly),
                ),
            ),
        ),
    ),
)
