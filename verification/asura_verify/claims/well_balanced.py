"""The well-balanced condition: its definition, the alphas, and the theorem about Algorithm 2."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.randomness import Picks
from asura.run import longest, run
from asura.scalars import rational
from asura.verdict import decided
from asura_verify import formulas
from asura_verify.claims.identities import points_are_evenly_seen
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.deciding.numbers import show
from asura_verify.instances.families import RUNS, STEPS, TREES
from asura_verify.instances.run import RunInstance
from asura_verify.instances.step import StepInstance, matrix_trace
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import GAMMA, Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, corrected, demonstrated, printed, sharper, step
from asura_verify.trees.quantities import clock_tail


def _alpha_sum(instance: RunInstance) -> arb:
    with instance.working() as path:
        return sum((path.gamma / value for value in path.potential), arb(0)) / path.mid


@conjunction
def alphas_are_bounded(compare: Comparisons, instance: RunInstance) -> None:
    """sum alpha_j <= 1024."""
    with instance.working():
        compare.at_most("sum of alpha", _alpha_sum(instance), 1024)


@conjunction
def alphas_sum_exactly(compare: Comparisons, instance: RunInstance) -> None:
    """sum alpha_j = 1 - 4 gamma^2, in balls."""
    with instance.working():
        compare.equal("sum of alpha", _alpha_sum(instance), formulas.curvature(instance.gamma))
        reported = instance.run.alpha_sum
        compare.that(
            "the run's own sum of alpha",
            reported.lower <= formulas.curvature(instance.gamma) <= reported.upper,
        )


@conjunction
def middle_grows_by_alpha(compare: Comparisons, instance: StepInstance) -> None:
    """(1 - 4 gamma^2)(mid_{j+1} - mid_j) = gamma/Phi_j, and mid_0 = 0: so the alphas telescope."""
    first = instance.algorithm.initial()
    compare.equal("mid_0", first.upper + first.lower, 0)
    gamma = rational(instance.gamma)
    before = instance.state
    for after in instance.successors.values():
        growth = (after.upper + after.lower - before.upper - before.lower) / 2
        compare.equal(
            "k (mid' - mid)",
            growth * formulas.curvature(gamma),
            gamma / instance.distribution.potential,
        )


@conjunction
def condition_is_bounded_by_the_gap(compare: Comparisons, instance: StepInstance) -> None:
    """mid alpha_j K_{D_j} = gamma sup_x |U(x)|^2/(U(x)^T E_j U(x)) <= gamma gap_j/4."""
    inverse = instance.gram.inv()
    gamma, potential = rational(instance.gamma), instance.distribution.potential
    for i in instance.support:
        # D(x)/D_j(x) |sqrt(n) U(x)|^2 with D uniform: (1/(n p_x)) n |U(x)|^2
        condition = matrix_trace(instance.outer(i) * inverse) / instance.distribution.probability(i)
        compare.at_most(
            f"alpha' K at {i}", gamma / potential * condition, gamma * rational(instance.gap / 4)
        )


@conjunction
def alpha_condition_on_a_run(compare: Comparisons, instance: RunInstance) -> None:
    """(gamma/mid)(u_j - l_j)/4 <= 2 gamma^2/r_m for every j < m."""
    with instance.working() as path:
        bound = 2 * path.gamma * path.gamma / path.clock(path.length)
        for j in range(path.length):
            value = formulas.condition_at_most(path.gamma, path.mid, path.gap(j))
            compare.at_most(f"alpha_{j} K", value, bound)


def balanced_surely(instance: RunInstance) -> CheckResult:
    """Whenever r_m >= 1/5: spectrum in 1 +- 12 gamma, sum alpha <= 1, alpha_j K <= 10 gamma^2."""
    compare = Comparisons()
    with instance.working() as path:
        last = path.clock(path.length)
        if not last >= arb(1) / 5:
            return VACUOUS
        g = path.gamma
        gram, total = instance.run.algorithm.frame.gram, instance.run.final.accumulated
        compare.definite(
            r"$A^\top A \prec (1 + 12 \gamma) I$", gram * ((1 + 12 * g) * path.mid) - total
        )
        compare.definite(
            r"$(1 - 12 \gamma) I \prec A^\top A$", total - gram * ((1 - 12 * g) * path.mid)
        )
        compare.at_most("sum of alpha", _alpha_sum(instance), 1)
        for j in range(path.length):
            value = formulas.condition_at_most(g, path.mid, path.gap(j))
            compare.at_most(f"alpha_{j} K", value, 10 * g * g)
    return compare.result()


@conjunction
def balanced_on_a_tree(compare: Comparisons, instance: TreeInstance) -> None:
    """P(r_m >= 1/5) >= 3/4, and E[lq] <= (1/gamma^2 - 2) R_X."""
    compare.at_most("P(r_m < 1/5)", clock_tail(instance.tree, Fraction(1, 5)), Fraction(1, 4))
    compare.at_most("E[lq]", instance.draws, (1 / instance.gamma**2 - 2) * instance.rank)


def _off_by_n() -> Demonstration:
    points = (Fraction(1), Fraction(1))
    spectral = sum(x * x / 2 for x in points)  # U(x) = x/sqrt(2), weights 1
    weighted = sum(x * x for x in points)
    mean = sum(x * x for x in points) / len(points)
    return demonstrated(
        decided(spectral == 1 and weighted / mean == 2),
        r"$X = [1; 1]$, $n = 2$, weights $w = 1$ for both points: $U = [1; 1]/\sqrt{2}$",
        rf"$A^\top A = 1/2 + 1/2 = {spectral}$, within $[3/4, 5/4]$",
        rf"but $\sum w \langle \beta, x \rangle^2 = {weighted} \beta^2$ and $\mathbb{{E}}_D "
        rf"\langle \beta, x \rangle^2 = {mean} \beta^2$: the ratio is {weighted / mean}",
        r"the two conditions differ by the factor $n$; with $\sqrt{n} U$ for $U$ they agree",
    )


def _inverted_ratio() -> Demonstration:
    points = (Fraction(1), Fraction(2))
    uniform, drawn = Fraction(1, 2), (Fraction(1, 5), Fraction(4, 5))
    mean = sum(uniform * x * x for x in points)
    printed = max(p / uniform * x * x / mean for p, x in zip(drawn, points, strict=True))
    source = max(uniform / p * x * x / mean for p, x in zip(drawn, points, strict=True))
    return demonstrated(
        decided(source == 1 and printed == Fraction(64, 25)),
        "$X = [1; 2]$, $D$ uniform, $D_i = (1/5, 4/5)$, the leverage scores; "
        r"$\mathbb{E}_D x^2 = 5/2$",
        rf"printed: $\sup (D_i/D) x^2/\mathbb{{E}}_D = (8/5)(4)/(5/2) = {printed}$",
        rf"meant: $\sup (D/D_i) x^2/\mathbb{{E}}_D = (5/2)(1)/(5/2) = (5/8)(4)/(5/2) = {source} = "
        "d$",
    )


def _not_predictable() -> Demonstration:
    gamma = Fraction(2, 5)
    data = dataset([[1, 0], [0, 1]])
    span = longest(2, gamma)
    mids = [
        run(data, gamma, arithmetic=EXACT, chooser=Picks(picks[:span])).mid.lower
        for picks in ([0, 0] * span, [0, 1] * span)
    ]
    return demonstrated(
        decided(mids[0] != mids[1]),
        r"$X = I$, $d = 2$, $\gamma = 2/5$: the first draw is $e_1$ in both runs",
        rf"then $e_1$ again and again: $\mathrm{{mid}}$ is {show(mids[0])}",
        rf"then alternately $e_2$ and $e_1$: $\mathrm{{mid}}$ is {show(mids[1])}",
        r"$w_0 = w'_0/\mathrm{mid}$ and $\alpha_0 = \alpha'_0/\mathrm{mid}$ depend on "
        "draws after the first",
    )


def _twice_too_large() -> Demonstration:
    gamma = Fraction(1, 4)
    done = run(dataset([[1]]), gamma, arithmetic=EXACT)
    first = next(iter(done.steps()))
    gap = first.upper.lower - first.lower.lower
    mass = 1 / first.upper.lower - 1 / first.lower.lower
    actual, printed = gamma / mass, gamma * gap / 2
    return demonstrated(
        decided(printed == 2 * actual),
        r"$X = [1]$, $d = 1$, $\gamma = 1/4$, $j = 0$: $u_0 = 8$, $l_0 = -8$, "
        r"$U^\top E U = 1/8 + 1/8 = 1/4$",
        rf"$\mathrm{{mid}}\, \alpha_0 K = \gamma |U|^2/(U^\top E U) = (1/4)/(1/4) = {actual}$",
        rf"$\gamma (u_0 - l_0)/2 = (1/4)(16)/2 = {printed}$",
    )


CLAIMS = (
    claim(
        "def-well-balanced",
        "Well-balanced sampling",
        "Definition 1, Section 4",
        printed(
            r"two conditions: $A^\top A$ in $[3/4, 5/4]$, and $\sum \alpha_i = O(1)$ with "
            r"$\alpha_i K_{D_i} = O(\varepsilon)$",
            Check("condition", STEPS, condition_is_bounded_by_the_gap),
            defines=r"the well-balanced condition, $K$ with $D/D_i$ and $\sqrt{n} U$ for $U$",
        ),
        step(
            "equivalently",
            r"the condition on $A^\top A$ is the same as one on "
            r"$\mathbb{E}_{x \sim D} \langle \beta, x \rangle^2$",
            Counterexample("off-by-n", "$X = [1; 1]$", _off_by_n),
            refutations="well_balanced_off_by_n",
        ),
        step(
            "ratio",
            "$K_{D_i}$ weighs a point by $D_i(x)/D(x)$, as in the definition's source",
            Counterexample("inverted-ratio", "$X = [1; 2]$, $D_i = (1/5, 4/5)$", _inverted_ratio),
            refutations="well_balanced_ratio",
        ),
        step(
            "known-when-drawn",
            r"for Algorithm 2, $w_j$ and $\alpha_j$ are known when $x_j$ is drawn",
            Counterexample("not-predictable", r"$X = I$, $\gamma = 2/5$", _not_predictable),
            refutations="well_balanced_mid_unknown",
        ),
    ),
    claim(
        "sum-alpha",
        r"The coefficients $\alpha$",
        "proof of thm:RBSS, Appendix A",
        printed(
            r"$\sum_j \alpha_j \le 1024$ on $\Gamma$",
            GAMMA,
            Check("alpha-bounded", RUNS, alphas_are_bounded),
            proved_by="sum-of-alphas",
            theorems="sum_alpha",
        ),
        sharper(
            "identity",
            r"$\sum_j \alpha_j = 1 - 4 \gamma^2$, surely",
            GAMMA,
            Check("alpha-telescopes", STEPS, middle_grows_by_alpha),
            Check("alpha-sum", RUNS, alphas_sum_exactly),
            proved_by="sum-of-alphas",
            theorems="sum_alpha",
        ),
        depends="identity-2",
    ),
    claim(
        "alpha-k",
        "The coefficients times the condition number",
        "proof of thm:RBSS, Appendix A",
        printed(
            r"$\alpha_j K_{D_j} = (\gamma/\mathrm{mid})(u_j - l_j)/2$",
            Counterexample(
                "twice-too-large", r"$X = [1]$, $\gamma = 1/4$, $j = 0$", _twice_too_large
            ),
            refutations="alpha_k_refuted",
        ),
        corrected(
            "quarter",
            r"$\alpha_j K_{D_j} \le (\gamma/\mathrm{mid})(u_j - l_j)/4$",
            GAMMA,
            Check("condition", STEPS, condition_is_bounded_by_the_gap),
            Check("seen", STEPS, points_are_evenly_seen),
            theorems="alpha_k",
        ),
        sharper(
            "small",
            r"$\alpha_j K_{D_j} \le 2 \gamma^2/r_m$, surely",
            GAMMA,
            Check("alpha-k", RUNS, alpha_condition_on_a_run),
            proved_by="alpha-k-bound",
            helped_by="alpha-k-printed-range",
            theorems="alpha_k_small",
        ),
        corrected(
            "on-gamma",
            r"on $\Gamma$, $\alpha_j K_{D_j} \le 512 \gamma^2$ for $\gamma \le 1/172$",
            Range("gamma", 0, "1/172", closed_high=True),
            proved_by="alpha-k-bound alpha-k-printed-range",
            theorems="alpha_k_event",
        ),
        depends="identity-6 identity-2",
    ),
    claim(
        "well-balanced",
        "Algorithm 2 is well balanced",
        "thm:RBSS, Section 4",
        printed(
            r"with $\gamma = \sqrt{\varepsilon}/C_0$, $C_0 \ge 48$, Algorithm 2 is an "
            r"$\varepsilon$-well-balanced procedure and draws $O(R_X/\varepsilon)$ points of $X_1$",
            GAMMA,
            Check("balanced", RUNS, balanced_surely),
            Check("balanced-likely", TREES, balanced_on_a_tree),
            theorems="well_balanced query_appendix",
        ),
        sharper(
            "constants",
            r"with probability at least 3/4: spectrum in $1 \pm 12 \gamma$, $\sum \alpha_j < 1$, "
            r"$\alpha_j K \le 10 \gamma^2$; and "
            r"$\mathbb{E}[\mathrm{lq}] \le (1/\gamma^2 - 2) R_X$, counting draws",
            GAMMA,
            Check("balanced", RUNS, balanced_surely),
            Check("balanced-likely", TREES, balanced_on_a_tree),
            helped_by="alpha-k-three-quarters",
            theorems="well_balanced_constants",
        ),
        depends="spectral sum-alpha alpha-k query-appendix identity-4",
    ),
)
