"""The corollary drawn from Wald's equation: its inequality, its false step, what holds."""

from __future__ import annotations

from fractions import Fraction

from asura.dataset import dataset
from asura.run import longest
from asura.scalars import Enclosure
from asura.verdict import decided
from asura_verify.claims.wald.certificate import certify
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.deciding.numbers import scale, show
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import TREES
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import (
    GAMMA,
    Check,
    Computation,
    Counterexample,
    Demonstration,
    Range,
)
from asura_verify.registry.shorthand import (
    claim,
    corrected,
    demonstrated,
    open_question,
    printed,
    sharper,
    step,
)
from asura_verify.trees.enumeration import expected_sum
from asura_verify.trees.quantities import wald, weighted_potential
from asura_verify.trees.two_axes import two_axes

#: The corollary prints no range. Its proof invokes lemma:Phi-ub, whose proof is for gamma <= 1/4,
#: the range of lemma:wjwjT-l: so this is the range of what is printed.
QUARTER = Range("gamma", 0, "1/4", closed_high=True)
SUM_OF_POTENTIALS = (
    r"$\mathbb{E} \sum_{j<m} \Phi_j^M \le (1/u_0 - 1/l_0)\, \mathbb{E}[m]\, \mathrm{Tr}\, M$"
)


def _summed_potentials(instance: TreeInstance) -> Enclosure:
    """E sum_{j<m} Phi_j^D."""
    return expected_sum(instance.tree, weighted_potential(instance.tree))


@conjunction
def wald_inequality(compare: Comparisons, instance: TreeInstance) -> None:
    """E sum_{j<m} Phi_j^M <= (gamma/d) E[m] Tr M, for M = D."""
    factor = instance.gamma / instance.data.dimension * instance.rank
    compare.at_most("E sum Phi^D", _summed_potentials(instance), scale(factor, instance.length))


@conjunction
def wald_with_a_sure_length(compare: Comparisons, instance: TreeInstance) -> None:
    """E sum_{j<m} Phi_j^M <= (gamma/d) ceil(d sqrt(k)/gamma^2) Tr M, for M = D."""
    d = instance.data.dimension
    factor = instance.gamma / d * instance.rank
    bound = factor * longest(d, instance.gamma)
    compare.at_most("E sum Phi^D", _summed_potentials(instance), bound)
    compare.that("the tree is whole", instance.tree.complete)


def _wald_equality() -> Demonstration:
    found = wald(dataset([[1, 0], [0, 1]]), Fraction(3, 10))
    disjoint = found.summed.lower > found.decoupled.upper
    return demonstrated(
        decided(disjoint),
        r"$X = X_1 = I$, $d = 2$, $\gamma = 3/10$, $M = D = I$: the whole tree, $m$ from 10 to 12",
        rf"$\mathbb{{E}} \sum_{{j<m}} \Phi_j$ is {show(found.summed)}",
        rf"$\mathbb{{E}} \sum_{{j<m}} \mathbb{{E}}[\Phi_j]$ is {show(found.decoupled)}",
        "Wald's equation needs increments independent of the past; these are not",
    )


def _wald_equality_at_a_quarter() -> Demonstration:
    found = two_axes(Fraction(1, 4))
    return demonstrated(
        decided(found.summed.lower > found.decoupled.upper),
        rf"the same at $\gamma = 1/4$, in intervals: $m$ from {found.shortest} to {found.longest}",
        rf"$\mathbb{{E}} \sum_{{j<m}} \Phi_j$ is {show(found.summed)}",
        rf"$\mathbb{{E}} \sum_{{j<m}} \mathbb{{E}}[\Phi_j]$ is {show(found.decoupled)}",
    )


WALD = claim(
    "wald",
    "The sum of the potentials",
    "corr:1, Appendix A",
    printed(
        SUM_OF_POTENTIALS,
        QUARTER,
        Check("wald", TREES, wald_inequality),
        Computation(
            "wald-quarter", lambda: certify(Fraction(1, 4)), Strength.CERTIFIED, settles=True
        ),
        conclusion="sum of the potentials",
        unproved=True,
    ),
    step(
        "equality",
        r"$\mathbb{E} \sum_{j<m} \Phi_j^M = \mathbb{E} \sum_{j<m} \mathbb{E}[\Phi_j^M]$, by "
        "Wald's equation",
        Counterexample(
            "wald-equality",
            r"$X = I$, $d = 2$, $\gamma = 3/10$",
            _wald_equality,
            Strength.CERTIFIED,
        ),
        Counterexample(
            "wald-equality-quarter",
            r"$X = I$, $d = 2$, $\gamma = 1/4$",
            _wald_equality_at_a_quarter,
            Strength.CERTIFIED,
        ),
        refutations="wald_equality_false",
    ),
    corrected(
        "sure-length",
        r"$\mathbb{E} \sum_{j<m} \Phi_j^M \le "
        r"(\gamma/d) \lceil d \sqrt{k}/\gamma^2\rceil\, \mathrm{Tr}\, M$",
        GAMMA,
        Check("wald-sure", TREES, wald_with_a_sure_length),
        helped_by="initial-potential",
        theorems="wald_repaired wald_whole_run",
    ),
    sharper(
        "further",
        rf"{SUM_OF_POTENTIALS} for $\gamma \le 3/10$",
        Range("gamma", 0, "3/10", closed_high=True),
        Check("wald", TREES, wald_inequality),
        Computation(
            "wald-further", lambda: certify(Fraction(3, 10)), Strength.CERTIFIED, settles=True
        ),
        conclusion="sum of the potentials",
        unproved=True,
    ),
    open_question(
        "every-gamma",
        rf"{SUM_OF_POTENTIALS} for every $\gamma < 1/2$",
        GAMMA,
        Check("wald", TREES, wald_inequality),
        conclusion="sum of the potentials",
        unproved=True,
    ),
    depends="potential-monotone m-bound",
)
