"""The master identities, from which the repaired claims follow."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from asura.scalars import rational
from asura_verify import formulas
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.instances.families import RUNS, STEPS, TREES
from asura_verify.instances.run import RunInstance
from asura_verify.instances.step import StepInstance, exact_matrix, matrix_trace
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import GAMMA, Check
from asura_verify.registry.shorthand import claim, printed, sharper
from asura_verify.trees.quantities import clock_sides, tail_sides

#: Levels q at which the tail is computed.
TAIL_LEVELS = (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(3, 5))


def clock_of(instance: StepInstance, upper: fmpq, lower: fmpq) -> fmpq:
    """r of a pair of barriers."""
    return formulas.clock(rational(instance.gamma), instance.data.dimension, upper - lower)


@conjunction
def clock_advances(compare: Comparisons, instance: StepInstance) -> None:
    """r_{j+1} - r_j = c gamma/Phi_j, the same for every point drawn; so is the next stop."""
    gamma, dimension = rational(instance.gamma), instance.data.dimension
    wanted = formulas.growth_of_clock(gamma, dimension, instance.potential)
    first = next(iter(instance.successors.values()))
    for after in instance.successors.values():
        grown = clock_of(instance, after.upper, after.lower)
        compare.equal("r' - r", grown - rational(instance.clock), wanted)
        compare.equal("u' is known", after.upper, first.upper)
        compare.equal("l' is known", after.lower, first.lower)
        compare.equal("s' is known", after.potential_sum, first.potential_sum)
        compare.that(
            "the stop is known",
            instance.algorithm.proceeds(after) == instance.algorithm.proceeds(first),
        )


@conjunction
def barriers_follow_the_middle(compare: Comparisons, instance: RunInstance) -> None:
    """mid = (d/gamma^2) r_m; u_m = (1 + 2 gamma) mid + 2d/gamma; l_m = (1 - 2 gamma) mid - 2d/gamma."""  # noqa: E501
    with instance.working() as path:
        d, g, mid = path.dimension, path.gamma, path.mid
        compare.equal("mid", mid, formulas.middle(g, d, path.clock(path.length)))
        compare.equal("u_m", path.upper[-1], formulas.upper_of_middle(g, d, mid))
        compare.equal("l_m", path.lower[-1], formulas.lower_of_middle(g, d, mid))


@conjunction
def middle_follows_the_clock(compare: Comparisons, instance: StepInstance) -> None:
    """mid_{j+1} - mid_j = (d/gamma^2)(r_{j+1} - r_j), and mid_0 = r_0 = 0."""
    first = instance.algorithm.initial()
    compare.equal("mid_0", first.upper + first.lower, 0)
    compare.equal("r_0", clock_of(instance, first.upper, first.lower), 0)
    before = instance.state
    scale = rational(instance.data.dimension / instance.gamma**2)
    for after in instance.successors.values():
        grown = clock_of(instance, after.upper, after.lower) - rational(instance.clock)
        middle = (after.upper + after.lower - before.upper - before.lower) / 2
        compare.equal("mid' - mid", middle, scale * grown)


@conjunction
def clock_is_bounded(compare: Comparisons, instance: RunInstance) -> None:
    """s_j >= (k/4) r_j/(1 + r_j); r_{m-1} < rho; r_m <= rho + c (1 + rho)."""
    with instance.working() as path:
        for j in range(1, path.length + 1):
            r = path.clock(j)
            compare.below(f"s_{j}", formulas.elapsed_at_least(path.gamma, r), path.elapsed[j])
        bound = formulas.rho(path.gamma)
        limit = formulas.clock_ceiling(path.gamma, path.dimension, bound)
        compare.below("r_{m-1}", path.clock(path.length - 1), bound)
        compare.below("r_m", path.clock(path.length), limit)


@conjunction
def potential_meets_the_gap(compare: Comparisons, instance: StepInstance) -> None:
    """Phi_j >= 4d/gap_j."""
    least = formulas.potential_at_least(instance.data.dimension, instance.gap)
    compare.at_most("4d/gap <= Phi", least, instance.distribution.potential)


@conjunction
def tail_is_bounded(compare: Comparisons, instance: TreeInstance) -> None:
    """P(r_m < q)^2 <= k q/(4(1 - q)), on a whole tree."""
    for q in TAIL_LEVELS:
        sides = tail_sides(instance.tree, q)
        compare.at_most(f"P(r_m < {q})^2", sides.left, sides.right)


@conjunction
def clock_is_a_supermartingale(compare: Comparisons, instance: StepInstance) -> None:
    """E[V_{j+1} | G_j] <= V_j for V = past + (rbar - r) Phi^M, whenever r_{j+1} <= rbar."""
    test = exact_matrix(instance.test)
    now = matrix_trace(test * instance.bracket)
    r = rational(instance.clock)
    for rbar in (Fraction(2), Fraction(20)):
        bound = rational(rbar)
        first = next(iter(instance.successors.values()))
        following = clock_of(instance, first.upper, first.lower)
        if following > bound:
            continue
        # V_{j+1} - V_j = (r' - r) Phi + (rbar - r') Phi' - (rbar - r) Phi
        later = fmpq(0)
        for i, after in instance.successors.items():
            value = matrix_trace(test * instance.bracket_of(after))
            chance = instance.distribution.probability(i)
            later += chance * ((following - r) * now + (bound - following) * value)
        compare.at_most(f"E V' <= V at rbar = {rbar}", later, (bound - r) * now)


@conjunction
def clock_bounds_the_sum(compare: Comparisons, instance: TreeInstance) -> None:
    """E sum_{j<m} Phi_j^M/Phi_j <= k rbar Tr(M)/gamma^2, for M = D and M = I."""
    for name, coefficients in (("D", None), ("I", (Fraction(1),) * instance.data.size)):
        sides = clock_sides(instance.tree, coefficients)
        compare.at_most(f"M = {name}", sides.left, sides.right)


@conjunction
def points_are_evenly_seen(compare: Comparisons, instance: StepInstance) -> None:
    """|U(x)|^2 <= (gap_j/4) U(x)^T E_j U(x) for every point."""
    inverse = instance.gram.inv()
    quarter = rational(instance.gap / 4)
    for i in range(instance.data.size):
        norm = matrix_trace(instance.outer(i) * inverse)
        compare.at_most(f"|U(x_{i})|^2", norm, quarter * instance.distribution.masses[i])


@conjunction
def noise_grows_slowly(compare: Comparisons, instance: StepInstance) -> None:
    """A point of residual e adds at most e^2 (d^2 k/gamma^2)(1 + r)(r' - r) to E|v|^2.

    It adds p w'^2 |U|^2 e^2, and the residuals' squares sum to OPT.
    """
    inverse = instance.gram.inv()
    gamma, dimension = instance.gamma, instance.data.dimension
    k = formulas.curvature(gamma)
    first = next(iter(instance.successors.values()))
    step = clock_of(instance, first.upper, first.lower) - rational(instance.clock)
    bound = rational(dimension**2 * k / gamma**2 * (1 + instance.clock)) * step
    for i in instance.support:
        weight = instance.algorithm.weight(instance.distribution, i)
        norm = matrix_trace(instance.outer(i) * inverse)
        added = instance.distribution.probability(i) * weight * weight * norm
        compare.at_most(f"point {i}", added, bound)


def noise_on_a_tree(instance: TreeInstance) -> CheckResult:
    """E|v_m|^2 is the sum of its steps, and at most OPT (d^2 k/gamma^2)(rbar + rbar^2/2)."""
    losses = instance.losses
    if losses.optimum.lower <= 0:
        return VACUOUS  # the labels fit exactly, and both sides are 0
    compare = Comparisons()
    compare.that("every step", not losses.every_noise_step().fails)
    sides = losses.noise_sides()
    compare.at_most("E|v_m|^2", sides.left, sides.right)
    if instance.tree.complete:
        compare.equal("a martingale", losses.expected_noise(), sides.left)
    return compare.result()


@conjunction
def potential_grows_slowly(compare: Comparisons, instance: StepInstance) -> None:
    """Phi_{j+1} <= Phi_j/(1 - gamma), whichever point is drawn."""
    bound = instance.potential * formulas.growth_of_potential(rational(instance.gamma))
    for i, after in instance.successors.items():
        value = instance.algorithm.distribution(after).potential
        compare.at_most(f"Phi' after {i}", value, bound)


CLAIMS = (
    claim(
        "identity-1",
        "The clock",
        "beyond the paper",
        printed(
            r"$r_{j+1} - r_j = c \gamma/\Phi_j$ with $c = \gamma^2/(d k)$; $r$, $s$, $u$, $l$ "
            "and the stop at $j+1$ are known at $j$",
            GAMMA,
            Check("clock", STEPS, clock_advances),
            proved_by="rate-increment",
            theorems="clock_increments",
        ),
    ),
    claim(
        "identity-2",
        "The barriers in terms of the clock",
        "beyond the paper",
        printed(
            r"$\mathrm{mid} = (d/\gamma^2) r_m$, $u_m = (1 + 2 \gamma)\, \mathrm{mid} + "
            r"2d/\gamma$, $l_m = (1 - 2 \gamma)\, \mathrm{mid} - 2d/\gamma$",
            GAMMA,
            Check("middle", STEPS, middle_follows_the_clock),
            Check("barriers-of-the-middle", RUNS, barriers_follow_the_middle),
            proved_by="mid-is-rate upper-from-mid lower-from-mid",
            theorems="barriers_of_clock",
        ),
        depends="identity-1",
    ),
    claim(
        "identity-3",
        "How far the clock goes",
        "beyond the paper",
        printed(
            r"$s_j \ge (k/4) r_j/(1 + r_j)$, $r_{m-1} < \rho$ and $r_m \le \rho + c(1 + \rho)$, "
            r"with $\rho$ the positive root of $r^2 + (k/4) r = 1$",
            GAMMA,
            Check("clock-bounds", RUNS, clock_is_bounded),
            proved_by="potentials-accumulate potentials-per-rate rate-before-stop "
            "rate-root-below-one last-rate",
            theorems="clock_bounds",
        ),
        sharper(
            "gap",
            r"$\Phi_j \ge 4d/\mathrm{gap}_j = \gamma/(1 + r_j)$, at every state",
            GAMMA,
            Check("gap", STEPS, potential_meets_the_gap),
            proved_by="bracket-at-least-four-over-gap potential-lower-sharp",
            theorems="potential_lower",
        ),
        depends="identity-1",
        borrows="potential-lower",
    ),
    claim(
        "identity-4",
        "The tail of the clock",
        "beyond the paper",
        printed(
            r"$\mathbb{P}(r_m < q) \le (1/2) \sqrt{k q/(1 - q)}$ for $0 < q < 1$",
            GAMMA,
            Check("tail", TREES, tail_is_bounded),
            helped_by="tail-without-root tail-last-step tail-step-short tail-step-long "
            "tail-step-overshoot",
            theorems="tail tail_root",
        ),
        depends="identity-1 potential-monotone",
    ),
    claim(
        "identity-5",
        "The clock lemma",
        "beyond the paper",
        printed(
            r"$\mathbb{E} \sum_{j<m} \Phi_j^M/\Phi_j \le k \bar{r}\, \mathrm{Tr}(M)/\gamma^2$ "
            r"whenever $r_m \le \bar{r}$ surely",
            GAMMA,
            Check("supermartingale", STEPS, clock_is_a_supermartingale),
            Check("clock-sum", TREES, clock_bounds_the_sum),
            helped_by="clock-step",
            theorems="clock_lemma",
        ),
        depends="identity-1 identity-3 potential-monotone",
    ),
    claim(
        "identity-6",
        "Every point is seen",
        "beyond the paper",
        printed(
            r"$|U(x)|^2 \le (\mathrm{gap}_j/4) U(x)^\top E_j\, U(x)$",
            GAMMA,
            Check("seen", STEPS, points_are_evenly_seen),
            proved_by="leverage-over-mass",
            theorems="leverage_over_bracket",
        ),
    ),
    claim(
        "identity-7",
        "The noise lemma",
        "beyond the paper",
        printed(
            r"$\mathbb{E}[v_{j+1} \mid G_j] = v_j$, and $\mathbb{E}[|v_{j+1} - v_j|^2 \mid G_j] "
            r"\le \mathrm{OPT}\, (d^2 k/\gamma^2)(1 + r_j)(r_{j+1} - r_j)$",
            GAMMA,
            Check("noise-step", STEPS, noise_grows_slowly),
            Check("noise-tree", TREES, noise_on_a_tree),
            helped_by="noise-step noise-sum",
            theorems="noise_lemma identity_7_martingale",
        ),
        depends="identity-1 identity-6",
    ),
    claim(
        "identity-8",
        "The potential grows slowly",
        "beyond the paper",
        printed(
            r"$\Phi_{j+1} \le \Phi_j/(1 - \gamma)$, surely",
            GAMMA,
            Check("growth", STEPS, potential_grows_slowly),
            helped_by="growth-factor",
            theorems="potential_growth",
        ),
        depends="rank-one-upper",
    ),
)
