"""The potential: rank-one domination, the supermartingale, and its lower bound."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.algorithm2_asura import Asura
from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import dataset
from asura.scalars import fraction, rational
from asura.verdict import decided
from asura_verify import formulas
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.instances.families import RUNS, STEPS
from asura_verify.instances.run import RunInstance
from asura_verify.instances.step import ExactState, StepInstance, exact_matrix, matrix_trace
from asura_verify.registry.claim import GAMMA, Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, printed, sharper, step

QUARTER = Range("gamma", 0, "1/4", closed_high=True)


def _increment(instance: StepInstance, index: int) -> fmpq_mat:
    """w w^T = A_{j+1} - A_j for one point."""
    after = instance.successors[index].accumulated.matrix()
    return after - instance.state.accumulated.matrix()


@conjunction
def increment_below_upper(compare: Comparisons, instance: StepInstance) -> None:
    """w w^T <= gamma (u_j - A_j)."""
    for i in instance.support:
        room = instance.below_upper * rational(instance.gamma)
        compare.semidefinite(f"gamma(u - A) - ww^T at {i}", room - _increment(instance, i))


def _above_next_lower(instance: StepInstance, index: int) -> fmpq_mat:
    """A_j - l_{j+1}."""
    after = instance.successors[index]
    return instance.state.accumulated.matrix() - instance.gram * after.lower


@conjunction
def increment_below_lower(compare: Comparisons, instance: StepInstance) -> None:
    """w w^T <= 2 gamma (A_j - l_{j+1})."""
    for i in instance.support:
        room = _above_next_lower(instance, i) * rational(2 * instance.gamma)
        compare.semidefinite(f"2 gamma(A - l') - ww^T at {i}", room - _increment(instance, i))


@conjunction
def increment_below_lower_sharply(compare: Comparisons, instance: StepInstance) -> None:
    """w w^T <= gamma (1 + 2 gamma)/(1 + gamma) (A_j - l_{j+1})."""
    gamma = instance.gamma
    factor = formulas.lower_factor(gamma)
    for i in instance.support:
        room = _above_next_lower(instance, i) * rational(factor)
        compare.semidefinite(f"factor(A - l') - ww^T at {i}", room - _increment(instance, i))


def _expected_bracket(instance: StepInstance) -> fmpq_mat:
    """E[E_{j+1} | G_j], a finite sum."""
    total = fmpq_mat(instance.gram.nrows(), instance.gram.nrows())
    for i, after in instance.successors.items():
        total += instance.bracket_of(after) * instance.distribution.probability(i)
    return total


@conjunction
def potential_decreases(compare: Comparisons, instance: StepInstance) -> None:
    """E[Phi_{j+1}^M | G_j] <= Phi_j^M, as a finite sum over the points."""
    test = exact_matrix(instance.test)
    expected = matrix_trace(test * _expected_bracket(instance))
    compare.at_most("E Phi_{j+1}^M <= Phi_j^M", expected, matrix_trace(test * instance.bracket))


@conjunction
def bracket_decreases(compare: Comparisons, instance: StepInstance) -> None:
    """E[E_{j+1} | G_j] <= E_j in Loewner order."""
    compare.semidefinite("E_j - E[E_{j+1}]", instance.bracket - _expected_bracket(instance))


@conjunction
def expected_increment(compare: Comparisons, instance: StepInstance) -> None:
    """E[w w^T | G_j] = (gamma/Phi_j) I."""
    total = fmpq_mat(instance.gram.nrows(), instance.gram.nrows())
    for i in instance.support:
        total += _increment(instance, i) * instance.distribution.probability(i)
    wanted = instance.gram * (rational(instance.gamma) / instance.potential)
    compare.that("E[ww^T] = gamma/Phi", total == wanted)


def potential_at_least(instance: StepInstance) -> CheckResult:
    """While the gap is below 8d/gamma, Phi_j >= gamma/2."""
    if instance.clock >= 1:
        return VACUOUS
    compare = Comparisons()
    compare.at_most("gamma/2 <= Phi", instance.gamma / 2, instance.distribution.potential)
    return compare.result()


@conjunction
def potential_at_least_sharply(compare: Comparisons, instance: StepInstance) -> None:
    """Phi_j >= 4d/gap_j = gamma/(1 + r_j)."""
    least = formulas.potential_at_least(instance.data.dimension, instance.gap)
    compare.at_most("4d/gap <= Phi", least, instance.distribution.potential)
    compare.equal("4d/gap = gamma/(1+r)", least, instance.gamma / (1 + instance.clock))


@conjunction
def potential_at_least_on_run(compare: Comparisons, instance: RunInstance) -> None:
    """Phi_j >= gamma/2 for every j < m of a run."""
    with instance.working() as path:
        for j, value in enumerate(path.potential):
            compare.below(f"gamma/2 < Phi_{j}", path.gamma / 2, value)


def _first_step() -> tuple[Asura[fmpq, RationalForm], ExactState, ExactState]:
    """d = 1, X = [1], gamma = 1/4: the state at j = 0 and at j = 1."""
    algorithm = Asura(dataset([[1]]), Fraction(1, 4), EXACT)
    state = algorithm.initial()
    return algorithm, state, algorithm.step(state, 0)


def _swapped_increment() -> Demonstration:
    _, before, after = _first_step()
    gamma = potential = Fraction(1, 4)
    grown, printed = fraction(after.lower - before.lower), gamma / (1 - 2 * gamma) / potential
    return demonstrated(
        decided(grown != printed),
        r"$X = [1]$, $\gamma = 1/4$, $j = 0$: $\Phi_0 = 1/4$",
        f"$l_1 - l_0 = (1/4)/((1 + 1/2)(1/4)) = {grown}$",
        rf"$\gamma/((1 - 2 \gamma) \Phi_0) = (1/4)/((1 - 1/2)(1/4)) = {printed}$: that is "
        "the growth of $u$",
    )


def _not_a_martingale() -> Demonstration:
    algorithm, before, after = _first_step()
    first, second = (fraction(algorithm.distribution(s).potential) for s in (before, after))
    return demonstrated(
        decided(second < first),
        r"$X = [1]$, $\gamma = 1/4$: one point, so $\Phi_1$ is known at $j = 0$",
        rf"$\Phi_0 = 1/8 + 1/8 = {first}$",
        rf"$A_1 = 1$, $u_1 = 10$, $l_1 = -22/3$: $\Phi_1 = 1/9 + 3/25 = {second} < {first}$",
    )


CLAIMS = (
    claim(
        "rank-one-upper",
        "One sample stays below the upper barrier",
        "eq:uA-ub, in lemma:bounded",
        printed(
            r"$w_j w_j^\top \preceq \gamma (u_j I - A_j)$",
            GAMMA,
            Check("below-upper", STEPS, increment_below_upper),
            helped_by="rank-one-upper-share",
            theorems="rank_one_upper",
        ),
    ),
    claim(
        "rank-one-lower",
        "One sample stays above the lower barrier",
        "lemma:wjwjT-l, Appendix B",
        printed(
            r"$w_j w_j^\top \preceq 2 \gamma (A_j - l_{j+1} I)$ for $\gamma \le 1/4$",
            QUARTER,
            Check("above-lower", STEPS, increment_below_lower),
            conclusion="2 gamma",
            theorems="rank_one_lower_as_printed",
        ),
        step(
            "increment",
            r"$l_{j+1} - l_j = \gamma/((1 - 2 \gamma) \Phi_j)$",
            Counterexample("swapped-rate", r"$X = [1]$, $\gamma = 1/4$", _swapped_increment),
            refutations="rank_one_lower_increment_refuted",
        ),
        sharper(
            "all-gamma",
            r"the same for all $\gamma < 1/2$",
            GAMMA,
            Check("above-lower", STEPS, increment_below_lower),
            theorems="rank_one_lower_as_printed",
        ),
        sharper(
            "sharp-factor",
            r"$w_j w_j^\top \preceq \gamma (1 + 2 \gamma)/(1 + \gamma) \, (A_j - l_{j+1} I)$",
            GAMMA,
            Check("above-lower-sharp", STEPS, increment_below_lower_sharply),
            helped_by="rank-one-lower-sharp rank-one-lower-factor",
            theorems="rank_one_lower",
        ),
    ),
    claim(
        "potential-monotone",
        "The potential does not grow in expectation",
        "lemma:Phi-ub, Section 4.2",
        printed(
            r"$\mathbb{E}\, \Phi_{j+1}^M \le \mathbb{E}\, \Phi_j^M$ for every semidefinite $M$",
            GAMMA,
            Check("potential-decreases", STEPS, potential_decreases),
            helped_by="monotone-upper-eigenvalue monotone-lower-eigenvalue monotone-upper-rate "
            "monotone-lower-rate",
            theorems="potential_monotone",
        ),
        step(
            "martingale",
            r"$\Phi_0^D, \Phi_1^D, \ldots$ is a martingale",
            Counterexample("falls", r"$X = [1]$, $\gamma = 1/4$", _not_a_martingale),
            refutations="potential_martingale_refuted",
        ),
        sharper(
            "loewner",
            r"$\mathbb{E}[E_{j+1} \mid G_j] \preceq E_j$ in Loewner order, from every state "
            "between its barriers",
            GAMMA,
            Check("bracket-decreases", STEPS, bracket_decreases),
            theorems="potential_monotone_loewner",
        ),
        sharper(
            "unbiased",
            r"$\mathbb{E}[w_j w_j^\top \mid G_j] = (\gamma/\Phi_j) I$",
            GAMMA,
            Check("expected-increment", STEPS, expected_increment),
            theorems="unbiased_update",
        ),
        depends="rank-one-upper rank-one-lower",
    ),
    claim(
        "potential-lower",
        "The potential is bounded below before the stop",
        "lemma:Phi-lb, Appendix A",
        printed(
            r"$\Phi_j \ge \gamma/2$ for every $j < m$",
            GAMMA,
            Check("potential-lower", STEPS, potential_at_least),
            Check("potential-lower-runs", RUNS, potential_at_least_on_run),
            proved_by="bracket-at-least-four-over-gap potential-lower-printed",
            theorems="potential_lower_as_printed",
        ),
        sharper(
            "sharp",
            r"$\Phi_j \ge 4d/(u_j - l_j) = \gamma/(1 + r_j)$, at every state",
            GAMMA,
            Check("potential-lower-sharp", STEPS, potential_at_least_sharply),
            proved_by="bracket-at-least-four-over-gap potential-lower-sharp",
            theorems="potential_lower potential_lower_run",
        ),
        depends="invariant",
    ),
)
