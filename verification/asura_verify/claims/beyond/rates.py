"""Algorithm 2 at the tight rates of its barriers."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.algorithm2_asura import Asura, State
from asura.arithmetic import EXACT
from asura.arithmetic.exact import rational_form
from asura.dataset import dataset
from asura.errors import Undecided
from asura.guarantees import sure_excess, sure_labels
from asura.rates import TIGHT_RATES
from asura.scalars import rational
from asura.verdict import decided
from asura_verify.claims.beyond.sharper import BEYOND, EPSILON
from asura_verify.claims.potential import bracket_decreases
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import TIGHT_STEPS, TIGHT_TREES
from asura_verify.instances.step import StepInstance
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import Check, Computation, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, printed, sharper, tempting

EVERY_GAMMA = Range("gamma", 0, 1)


@conjunction
def barriers_stay_strict(compare: Comparisons, instance: StepInstance) -> None:
    """l' < A' < u', whichever point is drawn."""
    for index, after in instance.successors.items():
        total = after.accumulated.matrix()
        compare.definite(f"u' - A' at {index}", instance.gram * after.upper - total)
        compare.definite(f"A' - l' at {index}", total - instance.gram * after.lower)


@conjunction
def tight_labels(compare: Comparisons, instance: TreeInstance) -> None:
    """E lq <= 4 rbar R_X/W, up to the horizon."""
    tree = instance.tree
    first = range(instance.data.unlabelled)
    with tree.arithmetic.working():
        zero = tree.integer(0)
        total = tree.over(tree.inner, lambda node: sum(map(node.drawn.probability, first), zero))
    bound = sure_labels(
        instance.gamma, instance.stopping.level, instance.data.dimension, instance.rates
    )
    compare.at_most("E lq, up to the horizon", tree.enclosure(total), bound * instance.rank)


def tight_loss(instance: TreeInstance) -> CheckResult:
    """E[excess; the run stopped] <= gamma^2 W (rbar + rbar^2/2)/(2 cl T - W)^2 OPT."""
    tree, losses = instance.tree, instance.losses
    bound = sure_excess(
        instance.gamma, instance.stopping.level, instance.data.dimension, instance.rates
    )
    if bound is None or losses.optimum.lower <= 0:
        return VACUOUS
    compare = Comparisons()
    with tree.arithmetic.working():
        try:
            total = tree.over(tree.leaves, losses.excess)
        except Undecided:
            return VACUOUS
    compare.at_most("E excess", tree.enclosure(total), bound * losses.optimum.upper)
    return compare.result()


def _uniform() -> tuple[CheckResult, str]:
    """gamma = sqrt(eps/13), T = 10/13, at eps with a rational root, d = 1 and with more."""
    compare, worst = Comparisons(), Fraction(0)
    for root in (Fraction(1, k) for k in (1, 2, 3, 5, 10, 100, 1000)):
        # 3605551/1000000 < sqrt 13: a gamma on either side of the irrational one.
        for gamma in (root * 1000000 / 3605552, root * 1000000 / 3605551):
            for dimension in (1, 2, 100):
                xi = gamma + gamma**2
                wide = gamma / (1 - gamma) - gamma / (1 + xi)
                level = Fraction(10, 13)
                rbar = level + wide / (4 * dimension) * (1 + level)
                worst = max(worst, 4 * rbar / wide * root**2)
                low = gamma / (1 + xi)
                excess = gamma**2 * wide * (rbar + rbar**2 / 2)
                excess /= (2 * low * level - wide) ** 2
                compare.at_most(f"excess at eps = {root**2}", excess, root**2)
    compare.at_most("E lq eps/R_X", worst, 20)
    return compare.result(), (
        r"$\xi = \gamma + \gamma^2$, seven accuracies, both sides of $\sqrt{\varepsilon/13}$: "
        f"at most {float(worst):.3f}"
    )


def _fast_lower_rate() -> Demonstration:
    """Two points across the axes of A, so that each is mostly seen along the small axis."""
    gamma = Fraction(2, 5)
    algorithm = Asura(dataset([[1, 1], [1, -1]]), gamma, EXACT, rates=TIGHT_RATES)
    algorithm.lower_rate = rational(gamma / (1 + gamma))
    scale = algorithm.frame.gram.matrix()[0, 0]
    spread = rational_form(fmpq_mat([[scale, 0], [0, 1000 * scale]]))
    state = State(spread, fmpq(10**9), fmpq(0), fmpq(0), 0)
    drawn = algorithm.distribution(state)
    before = algorithm.bracket(state).matrix() * scale
    mean = fmpq_mat(2, 2)
    for index in range(2):
        after = algorithm.step(state, index, drawn)
        mean += algorithm.bracket(after).matrix() * (scale * drawn.probability(index))
    return demonstrated(
        decided(mean[1, 1] > before[1, 1]),
        r"$X = ((1, 1), (1, -1))$, $\gamma = \xi = 2/5$, $u = 10^9$, $l = 0$, "
        r"$A = \mathrm{diag}(1, 1000)$",
        f"the second diagonal entry of the bracket is {float(before[1, 1]):.12f}",
        f"in the mean it becomes {float(mean[1, 1]):.12f}: the lower barrier moves too fast",
    )


CLAIMS = (
    claim(
        "tight-rates",
        "Tight rates",
        BEYOND,
        printed(
            r"with growth $\gamma/((1 - \gamma) \Phi)$ above and $\gamma/((1 + \xi) \Phi)$ "
            r"below, where $\xi^2 + \xi (1 - 2 \gamma) \ge \gamma$, the barriers stay strict "
            r"and the bracket does not grow in the mean, for every $\gamma < 1$; $\xi = \gamma "
            r"+ \gamma^2$ always will do",
            EVERY_GAMMA,
            Check("tight-barriers", TIGHT_STEPS, barriers_stay_strict),
            Check("tight-bracket", TIGHT_STEPS, bracket_decreases),
            helped_by="tight-lower tight-newton",
            theorems="rates_one_step tight_rates_admissible",
        ),
        sharper(
            "runs",
            r"at every stop level $T$, with $W = \gamma/(1 - \gamma) - \gamma/(1 + \xi)$ and "
            r"$\bar{r} = T + W (1 + T)/(4d)$: $\mathbb{E}\, \mathrm{lq} \le 4 \bar{r} R_X/W$, "
            r"counting distinct labels, and where $W < 2 T \gamma/(1 + \xi)$ the expected excess "
            r"of the runs that stopped is at most "
            r"$\gamma^2 W (\bar{r} + \bar{r}^2/2)/(2 T \gamma/(1 + \xi) - W)^2\, \mathrm{OPT}$",
            EVERY_GAMMA,
            Check("tight-labels", TIGHT_TREES, tight_labels),
            Check("tight-loss", TIGHT_TREES, tight_loss),
            theorems="rates_runs",
        ),
        sharper(
            "twenty",
            r"$\gamma = \sqrt{\varepsilon/13}$, $T = 10/13$ give $\mathbb{E}\, \mathrm{lq} \le "
            r"20 R_X/\varepsilon$, counting distinct labels, and, on the runs that stopped, "
            r"$\mathbb{E}$ loss $\le (1 + \varepsilon)\, \mathrm{OPT}$",
            EPSILON,
            Computation("both-sides-of-the-root", _uniform, Strength.EXACT),
            theorems="tight_rates_20",
        ),
        tempting(
            "same-rate",
            r"$\xi = \gamma$ will do as well",
            EVERY_GAMMA,
            Counterexample(
                "too-fast", r"$X = ((1,1), (1,-1))$, $\gamma = \xi = 2/5$", _fast_lower_rate
            ),
        ),
        depends="sure-stop",
    ),
)
