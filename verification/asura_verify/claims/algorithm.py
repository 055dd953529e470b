"""Algorithm 2 itself: the potential, the probabilities, the invariant of its barriers."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.algorithm2_asura import Asura
from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.scalars import fraction, rational, write_scalar
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import STEPS
from asura_verify.instances.step import StepInstance, matrix_trace
from asura_verify.registry.claim import GAMMA, Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, corrected, demonstrated, printed, reading

PRINTED_GAMMA = Range("gamma", 0, 1)


@conjunction
def probabilities_sum_to_one(compare: Comparisons, instance: StepInstance) -> None:
    """p_x >= 0 and sum_x p_x = 1, with p_x = U(x)^T E U(x)/Tr(E)."""
    distribution = instance.distribution
    compare.equal("Phi", distribution.potential, instance.potential)
    total = fmpq(0)
    for i in range(instance.data.size):
        mass = distribution.masses[i]
        compare.at_most(f"0 <= p_{i}", 0, mass)
        compare.equal(f"p_{i} Phi", mass, matrix_trace(instance.outer(i) * instance.bracket))
        total += distribution.probability(i)
    compare.equal("sum of p", total, 1)


@conjunction
def barriers_hold(compare: Comparisons, instance: StepInstance) -> None:
    """l_{j+1} I < A_{j+1} < u_{j+1} I for every point that may be drawn."""
    for i, state in instance.successors.items():
        total = state.accumulated.matrix()
        compare.definite(f"u - A after {i}", instance.gram * state.upper - total)
        compare.definite(f"A - l after {i}", total - instance.gram * state.lower)
        compare.below(f"u_j < u after {i}", instance.state.upper, state.upper)
        compare.below(f"l_j < l after {i}", instance.state.lower, state.lower)


@conjunction
def step_follows_lines(compare: Comparisons, instance: StepInstance) -> None:
    """Lines 7-9: A grows by w' U(x)U(x)^T with w' = gamma/(Phi p), u and l by their rates."""
    gamma, potential = rational(instance.gamma), instance.potential
    before = instance.state
    for i, after in instance.successors.items():
        mass = matrix_trace(instance.outer(i) * instance.bracket)
        grown = before.accumulated.matrix() + instance.outer(i) * (gamma / mass)
        compare.that(f"A after {i}", after.accumulated.matrix() == grown)
        compare.equal(
            "growth of u", after.upper - before.upper, gamma / (1 - 2 * gamma) / potential
        )
        compare.equal(
            "growth of l", after.lower - before.lower, gamma / (1 + 2 * gamma) / potential
        )
        compare.equal("sum of Phi", after.potential_sum - before.potential_sum, potential)


@conjunction
def starts_at_line_two(compare: Comparisons, instance: StepInstance) -> None:
    """Line 2: u_0 = 2d/gamma = -l_0 and A_0 = 0; line 3: the loop goes on below 8d/gamma."""
    algorithm = instance.algorithm
    first = algorithm.initial()
    unit = Fraction(2 * instance.data.dimension) / instance.gamma
    compare.equal("u_0", first.upper, unit)
    compare.equal("l_0", first.lower, -unit)
    compare.equal("sum of Phi", first.potential_sum, 0)
    d = algorithm.dimension
    compare.that("A_0 = 0", first.accumulated.matrix() == fmpq_mat(d, d))
    clock = instance.state.upper - instance.state.lower + instance.state.potential_sum
    proceeds = decided(clock < rational(4 * unit))
    compare.that("line 3", algorithm.proceeds(instance.state) == proceeds)


def _product_potential() -> Demonstration:
    gamma = Fraction(1, 4)
    algorithm = Asura(dataset([[1]]), gamma, EXACT)
    state = algorithm.initial()
    upper, lower = fraction(state.upper), fraction(state.lower)
    mass = 1 / upper - 1 / lower
    product = 1 / upper * (-1 / lower)
    total = mass / product
    return demonstrated(
        decided(total != 1 and total == 4 / gamma),
        rf"$d = 1$, one point, $\gamma = 1/4$, $j = 0$: $u = {upper}$, $l = {lower}$, $A = 0$",
        rf"$U^\top((u - A)^{{-1}} + (A - l)^{{-1}})U = 1/{upper} + 1/{-lower} = {mass}$",
        rf"the printed product gives $\Phi = 1/{upper} \cdot 1/{-lower} = {product}$",
        rf"so the probabilities sum to ${mass} / {product} = {total} = 4d/\gamma$, not 1",
    )


def _barrier_crossed() -> Demonstration:
    gamma = Fraction(3, 5)
    algorithm = Asura(dataset([[1]]), gamma, EXACT)
    state = algorithm.initial()
    after = algorithm.step(state, 0)
    reached, barrier = fraction(after.accumulated.matrix()[0, 0]), fraction(after.upper)
    potential = fraction(algorithm.distribution(state).potential)
    return demonstrated(
        decided(reached > barrier),
        r"$d = 1$, $X = [1]$, $\gamma = 3/5$: "
        rf"$u_0 = {write_scalar(fraction(state.upper))} = -l_0$, $\Phi_0 = {potential}$",
        rf"$A_1 = \gamma/\Phi_0 = {reached}$",
        f"$u_1 = 10/3 + (3/5)/(1 - 6/5)/(3/5) = 10/3 - 5 = {barrier}$",
        f"$A_1 = {reached} > {barrier} = u_1$",
    )


def _division_by_zero() -> Demonstration:
    gamma = Fraction(1, 2)
    try:
        Asura(dataset([[1]]), gamma, EXACT)
    except ZeroDivisionError:
        return demonstrated(
            decided(True), r"$\gamma = 1/2$: $1 - 2 \gamma = 0$ divides the growth of $u$"
        )
    return demonstrated(decided(False), r"$\gamma = 1/2$ was accepted")


def _endless_loop() -> Demonstration:
    gamma = Fraction(3, 4)
    algorithm = Asura(dataset([[1]]), gamma, EXACT)
    state = algorithm.initial()
    after = algorithm.step(state, 0)
    upper, lower = fraction(after.upper), fraction(after.lower)
    reached = fraction(after.accumulated.matrix()[0, 0])
    return demonstrated(
        decided(reached > upper and upper - lower < fraction(state.upper - state.lower)),
        r"$d = 1$, $\gamma = 3/4$: "
        f"$u_1 = 8/3 + (3/4)/(1 - 3/2)/(3/4) = 8/3 - 2 = {upper}$, $A_1 = {reached}$",
        f"$A_1 > u_1$, and the gap shrinks from {fraction(state.upper - state.lower)} "
        rf"to {upper - lower}: $u_j - l_j$ moves away from $8d/\gamma$",
    )


@conjunction
def _product_step(compare: Comparisons, instance: StepInstance) -> None:
    """With the product, sum_x p_x = gap_j."""
    product = matrix_trace(
        instance.gram * instance.below_upper.inv() * instance.gram * instance.above_lower.inv()
    )
    total = instance.potential / product
    compare.equal("sum of p", total, instance.gap)


CLAIMS = (
    claim(
        "alg-potential",
        "The potential of line 4",
        "Algorithm 2, line 4",
        printed(
            r"$\Phi_j$ is the trace of the product $(u_j I - A_j)^{-1} (A_j - l_j I)^{-1}$, and "
            r"$\sum_x p_x = 1$",
            Counterexample("product-potential", r"$X = [1]$, $\gamma = 1/4$", _product_potential),
            refutations="alg_potential_refuted",
        ),
        reading(
            "sum",
            r"$\Phi_j$ is the trace of the sum $(u_j I - A_j)^{-1} + (A_j - l_j I)^{-1}$",
            GAMMA,
            Check("probabilities", STEPS, probabilities_sum_to_one),
            Check("lines-7-to-9", STEPS, step_follows_lines),
            Check("line-2", STEPS, starts_at_line_two),
            theorems="probabilities_sum",
        ),
        corrected(
            "product-sum",
            "with the product the printed probabilities sum to $u_j - l_j$",
            GAMMA,
            Check("product-sum", STEPS, _product_step),
            proved_by="product-is-not-a-distribution",
            helped_by="product-mass-exceeds-one",
            theorems="alg_potential_refuted",
        ),
        borrows="probabilities-sum",
    ),
    claim(
        "probabilities-sum",
        "The sampling probabilities are a distribution",
        "eq:pxj, Algorithm 2, line 6",
        printed(
            r"$p_x \ge 0$ and $\sum_x p_x = 1$, for the potential as a sum",
            GAMMA,
            Check("probabilities", STEPS, probabilities_sum_to_one),
            theorems="probabilities_sum",
        ),
        depends="alg-potential",
    ),
    claim(
        "invariant",
        "The barriers enclose the matrix",
        "lemma:bounded, Appendix B",
        printed(
            r"$l_j I \preceq A_j \preceq u_j I$ for every $j$, for every $\gamma < 1$",
            PRINTED_GAMMA,
            Check("barriers", STEPS, barriers_hold),
            Counterexample("barrier-crossed", r"$X = [1]$, $\gamma = 3/5$", _barrier_crossed),
            Counterexample("endless-loop", r"$X = [1]$, $\gamma = 3/4$", _endless_loop),
            Counterexample("no-rate", r"$X = [1]$, $\gamma = 1/2$", _division_by_zero),
            conclusion="barriers",
            refutations="invariant_refuted",
        ),
        corrected(
            "below-half",
            r"the same, strictly, for every $\gamma < 1/2$ and from every state that satisfies it",
            GAMMA,
            Check("barriers", STEPS, barriers_hold),
            conclusion="barriers",
            helped_by="upper-barrier-survives lower-barrier-survives invariant-needs-half "
            "invariant-always-breaks-beyond-half",
            theorems="invariant invariant_step",
        ),
        depends="rank-one-upper rank-one-lower",
    ),
)
