"""X_2 kept whole, X_1 sampled against barriers: K1 (two-sided), K2 (one-sided), K3 (a budget)."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.dimensions import reduced_rank
from asura.kept.bounds import overrun, redrawn_excess, two_sided_excess
from asura.kept.runs import kept_run
from asura.kept.tuning import redrawn_for
from asura.kept.variants import one_sided, two_sided
from asura.randomness import Picks
from asura.scalars import rational, show_scalar
from asura.stopping import sure
from asura.verdict import decided
from asura_verify.claims.beyond.kept_steps import (
    barriers_are_kept,
    bracket_falls,
    draws_are_unbiased,
    one_sided_noise_step,
    two_sided_masses,
)
from asura_verify.claims.beyond.kept_trees import (
    one_sided_budgets,
    one_sided_expectations,
    two_sided_expectations,
    two_sided_failures,
    two_sided_sure_labels,
    two_sided_tails,
)
from asura_verify.claims.beyond.sharper import BEYOND, EPSILON, on_the_whole_range
from asura_verify.deciding.comparisons import CheckResult, Comparisons
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import (
    ONE_SIDED_STEPS,
    ONE_SIDED_TREES,
    PAPER_RULE_TREES,
    TWO_SIDED_STEPS,
    TWO_SIDED_TREES,
)
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import (
    GAMMA,
    Check,
    Computation,
    Counterexample,
    Demonstration,
    Range,
)
from asura_verify.registry.shorthand import claim, demonstrated, printed, sharper, tempting
from asura_verify.trees.kept_runs import BITS, KeptTree

NU = Range("nu", 0, 1)
RANK = Range("R", 0)


def _not_d_for_r() -> Demonstration:
    data, gamma = dataset([[1], [10]], unlabelled=1), Fraction(1, 10)
    done = kept_run(data, two_sided(data, gamma), arithmetic=EXACT)
    bound = reduced_rank(data) / gamma**2
    return demonstrated(
        decided(done.length > bound),
        r"$X_1 = (1)$, $X_2 = (10)$, $\gamma = 1/10$: $R_X = 1/101$",
        rf"$m = {done.length} > R_X/\gamma^2 = {bound}$: a run has one draw at least",
    )


def _not_better_for_every_r() -> Demonstration:
    data, gamma = dataset([["1/100"], [1]], unlabelled=1, labels=[1, 0]), Fraction(1, 4)
    kept = kept_run(data, two_sided(data, gamma), arithmetic=EXACT).length
    papers = TreeInstance(data, gamma).draws.upper
    return demonstrated(
        decided(papers < kept),
        r"$X_1 = (1/100)$, $X_2 = (1)$, $\gamma = 1/4$: $R_X = 1/10001$",
        f"the paper's algorithm draws from $X_1$ {float(papers):.6f} times in expectation",
        f"with $X_2$ kept the run has $m = {kept}$ draw, surely; only the coin leaves it out",
    )


def _singular_sample() -> Demonstration:
    data, gamma = dataset([[1, 0], [0, 1]], unlabelled=2, labels=[1, 1]), Fraction(9, 20)
    done = kept_run(data, two_sided(data, gamma), arithmetic=EXACT, chooser=Picks((0,) * 9))
    chance = Fraction(1)
    for record in done.iterations:
        chance *= Fraction(str(record.distribution.probability(0)))
    return demonstrated(
        decided(set(done.picks) == {0} and chance > 0),
        r"$X_1 = (e_1, e_2)$, $X_2$ empty, $\gamma = 9/20$, the rule like the paper's",
        f"the run that draws $e_1$ alone stops after {done.length} draws and has "
        f"probability {float(chance):.4f}",
        "then $M e_2 = 0$, and the labels drawn say nothing about the second coordinate",
    )


def _useless_without_clip() -> Demonstration:
    data = dataset([["3/1000"], ["6/1000"], [1]], unlabelled=2, labels=[1, -1, 0])
    gamma, level, rank = Fraction(1, 8), Fraction(1), reduced_rank(data)
    bounds = [two_sided_excess(rank, gamma, level, ending) for ending in ("overshoot", "clip")]
    tree = KeptTree.of(data, two_sided(data, gamma, stopping=sure(level)))
    with ctx.workprec(BITS):
        truth = tree.expected_excess / arb(rational(tree.truth.optimum))
    loose, tight = (bound or Fraction(0) for bound in bounds)
    return demonstrated(
        decided(loose > 1000 and tight < 1 and bool(truth < 1)),
        r"$X_1 = (0.003, 0.006)$, $X_2 = (1)$, $\gamma = 1/8$, $T = 1$: "
        f"$R_X$ is {float(rank):.3g}",
        r"without the clip $\bar{r}$ is huge, and the bound of the excess is "
        rf"${float(loose):.0f}\, \mathrm{{OPT}}_1$",
        rf"the expected excess over $\mathrm{{OPT}}_1$ is {float(truth):.2g}, and the "
        f"bound with the clip {float(tight):.4f}",
    )


def _more_than_expected() -> Demonstration:
    rows = [[1, 0], [1, 1], [2, 0], [0, 2]]
    data = dataset(rows, unlabelled=2, labels=[1, -3, 0, 0])
    tree = KeptTree.of(data, one_sided(data, 4, "1/3"))
    chance = tree.chance(lambda outcome: outcome.draws > 4)
    return demonstrated(
        decided(bool(chance > 0)),
        r"$X_1 = ((1, 0), (1, 1))$, $X_2 = ((2, 0), (0, 2))$, $N = 4$, $\nu = 1/3$, with the coin",
        f"the expected draws are {float(tree.expected_draws):.4f}, and 5 draws have "
        f"probability {float(chance):.6f}",
    )


#: What the table of the note says: E excess/OPT_1 at most, for B/R.
BUDGETS = ((15, "1.86"), (20, ".937"), (30, ".404"), (50, ".161"), (100, ".0535"), (300, ".0116"))


def _budget_table() -> tuple[CheckResult, str]:
    compare, found = Comparisons(), []
    for budget, value in BUDGETS:
        choice = redrawn_for(Fraction(budget))
        if choice is None:
            compare.that(f"parameters at B/R = {budget}", False)
            continue
        again = redrawn_excess(choice.budget_ratio, choice.ratio, choice.nu, choice.norm)
        compare.at_most(f"excess at B/R = {budget}", again or Fraction(10**9), Fraction(value))
        missed = overrun(budget * choice.ratio, choice.ratio, choice.nu, choice.norm)
        compare.below("P(more than B draws)", missed, 1)
        found.append(f"{show_scalar(Fraction(round(choice.excess * 10**5), 10**5))}")
    return compare.result(), f"at $B/R = 15, 20, 30, 50, 100, 300$: {', '.join(found)}"


STEP = (
    "from every state between its barriers, whatever part of the last step is made: only "
    r"$X_1$ is drawn, $\mathbb{E}[W] = (d \sigma) D$, "
)

CLAIMS = (
    claim(
        "one-sided",
        "One barrier, $X_2$ kept",
        BEYOND,
        printed(
            r"with $x = R_X/N$ and $D \le \delta$: at most $N$ labels are expected with the "
            r"coin, $N + 1$ with the clip; surely $M \ge a = 1 - \delta \nu - (1 - \nu^2) "
            r"x/\nu$; and where $a > 0$ the expected excess of the runs that finished is at "
            r"most $(x + \delta \nu^2/(2 (1 - \nu^2)))/a^2\, \mathrm{OPT}_1$",
            NU,
            RANK,
            Check("one-sided-tree", ONE_SIDED_TREES, one_sided_expectations),
            helped_by="one-sided-rate",
            theorems="one_sided_policy one_sided",
        ),
        sharper(
            "step",
            STEP + r"$W \le \theta \eta Q$, $Q' > 0$, $\mathbb{E}[Q'^{-1}] \le Q^{-1}$, and "
            r"$\mathbb{E}\, Q' = Q + \nu (d \sigma) D$",
            NU,
            Check("one-sided-unbiased", ONE_SIDED_STEPS, draws_are_unbiased),
            Check("one-sided-inside", ONE_SIDED_STEPS, barriers_are_kept),
            Check("one-sided-inverse", ONE_SIDED_STEPS, bracket_falls),
            Check("one-sided-noise", ONE_SIDED_STEPS, one_sided_noise_step),
        ),
        sharper(
            "explicit",
            r"$\nu = y^2$ with $R_X = N y^3$ and $1 - y - y^2 > 0$ makes the constant "
            "at most $(R_X/N) (1 + y)/(1 - y - y^2)^2$",
            proved_by="one-sided-explicit",
            theorems="one_sided_explicit",
        ),
        tempting(
            "surely",
            "at most $N$ labels, surely",
            Counterexample("one-more", r"two points, $N = 4$, $\nu = 1/3$", _more_than_expected),
        ),
    ),
    claim(
        "sure-budget",
        "A budget that is never exceeded",
        BEYOND,
        printed(
            "redrawing whole one-sided runs until one is within the budget $B$ buys at most $B$ "
            "labels, surely, and divides the bound on the excess by the probability to be within",
            Check("budget-tree", ONE_SIDED_TREES, one_sided_budgets),
            theorems="redrawing_conditions one_sided_budget",
        ),
        sharper(
            "within",
            r"with $z = \delta \nu^2/(2 (1 - \nu^2) x)$, a budget of $B \ge (1 + t) N$ is "
            "exceeded with probability at most $(1 + t) ((1 - a)^2 + a^2 z)/(1 + t - a)^2$, for "
            r"every $0 \le a < 1 + t$",
            Check("budget-tree", ONE_SIDED_TREES, one_sided_budgets),
            helped_by="budget-best-level",
            theorems="one_sided_within_budget",
        ),
        sharper(
            "table",
            "for every design, $B = 15$, 20, 30, 50, 100, 300 times $R_X$ make the expected "
            r"excess at most 1.86, 0.937, 0.404, 0.161, 0.0535, $0.0116\, \mathrm{OPT}_1$",
            Computation("budgets", _budget_table, Strength.EXACT, settles=True),
        ),
        depends="one-sided",
    ),
    claim(
        "two-sided",
        "The paper's method with $X_2$ kept",
        BEYOND,
        printed(
            r"with the rule like the paper's the run has at most $\lceil R_X "
            r"\sqrt{k}/\gamma^2\rceil$ draws, each a label, surely",
            GAMMA,
            RANK,
            Check("two-sided-labels", PAPER_RULE_TREES, two_sided_sure_labels),
            helped_by="amgm-per-step",
            theorems="two_sided_runs two_sided_sure_labels",
        ),
        sharper(
            "step",
            STEP + r"$W \le \theta \gamma P$ and $\theta \gamma Q$, $P', Q' > 0$, "
            r"$\mathbb{E}[E'] \le E$ for $E = P^{-1} + Q^{-1}$, $E' \le E/(1 - \gamma)$, "
            r"$\Phi \ge \gamma/(1 + r)$, and $l_x \le (R_X/\gamma)(1 + r)\, U^\top E U$",
            GAMMA,
            Check("two-sided-unbiased", TWO_SIDED_STEPS, draws_are_unbiased),
            Check("two-sided-inside", TWO_SIDED_STEPS, barriers_are_kept),
            Check("two-sided-bracket", TWO_SIDED_STEPS, bracket_falls),
            Check("two-sided-masses", TWO_SIDED_STEPS, two_sided_masses),
            helped_by="rank-one-lower-factor",
        ),
        sharper(
            "level",
            r"with the rule $r \ge T$: $\mathbb{E}\, m \le k \bar{r} R_X/\gamma^2$ for "
            r"$\bar{r} = T + \gamma^2 (1 + T)/(k R_X)$; $M \ge 1 - 2 \gamma/(1 + 2 \gamma) - "
            r"2 \gamma/(k T)$ surely; $\mathbb{E}$ excess $\le \gamma^2 k (\bar{r} + "
            r"\bar{r}^2/2)/((1 - 2 \gamma) T - 2 \gamma)^2\, \mathrm{OPT}_1$",
            GAMMA,
            RANK,
            Check("two-sided-tree", TWO_SIDED_TREES, two_sided_expectations),
            theorems="two_sided",
        ),
        sharper(
            "clip-and-coin",
            r"with clip or coin $\bar{r} = T$, and $\mathbb{E}\, m \le k T R_X/\gamma^2$, "
            "one more with the clip",
            GAMMA,
            RANK,
            Check("two-sided-tree", TWO_SIDED_TREES, two_sided_expectations),
            theorems="two_sided_exact",
        ),
        sharper(
            "tail",
            r"under the rule like the paper's $\mathbb{P}(r_m < q) \le q/((1 + q) L - 1)$ whenever "
            r"$k L^2 q \le 4 (1 - q)$ and $(1 + q) L > 1$, for every $R_X > 0$",
            GAMMA,
            RANK,
            Check("two-sided-tail", PAPER_RULE_TREES, two_sided_tails),
            theorems="two_sided_tail",
        ),
        sharper(
            "paper",
            r"with $X_2$ empty it is Algorithm 2: the same states, probabilities, stops and "
            r"expectations; the weights differ by the factor $1 - 4 \gamma^2$ and the fit does not",
            GAMMA,
            theorems="paper_is_two_sided paper_fit_is_two_sided",
        ),
        sharper(
            "main",
            r"the rule like the paper's with $\gamma = \sqrt{\varepsilon}/15$: excess $\le "
            r"\varepsilon \mathrm{OPT}_1$ with probability at least $3/4$ and at most $\lceil "
            r"225 R_X/\varepsilon\rceil$ labels, surely, for every $R_X > 0$",
            EPSILON,
            Check("two-sided-failure", PAPER_RULE_TREES, two_sided_failures),
            Computation(
                "whole-range",
                lambda: on_the_whole_range(15, kept=True),
                Strength.CERTIFIED,
                settles=True,
            ),
            theorems="two_sided_main two_sided_main_15",
        ),
        tempting(
            "d-for-r",
            r"$m < R_X/\gamma^2$, the bound of m-bound with $R_X$ for $d$",
            Counterexample("one-draw", r"$X_1 = (1)$, $X_2 = (10)$, $\gamma = 1/10$", _not_d_for_r),
        ),
        tempting(
            "always-better",
            "keeping $X_2$ never costs more labels than the paper's algorithm expects",
            Counterexample(
                "tiny-rank",
                r"$X_1 = (1/100)$, $X_2 = (1)$, $\gamma = 1/4$",
                _not_better_for_every_r,
            ),
        ),
        tempting(
            "determined",
            r"the sample determines $\beta$, also under the rule like the paper's",
            Counterexample("one-axis", r"$X_1 = (e_1, e_2)$, $\gamma = 9/20$", _singular_sample),
        ),
        tempting(
            "unclipped",
            "without clip and coin the bound on the excess stays below a constant times "
            r"$\mathrm{OPT}_1$ as $R_X$ tends to 0",
            Counterexample(
                "tiny-rank", r"$X_1 = (0.003, 0.006)$, $X_2 = (1)$", _useless_without_clip
            ),
        ),
        depends="m-bound sure-stop rank-one-lower",
    ),
)
