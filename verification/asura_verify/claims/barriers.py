"""Where the barriers end up: u_m, the final gap, the condition number, the spectrum."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.randomness import Picks
from asura.run import longest, run
from asura.scalars import show_scalar
from asura.verdict import Verdict, decided
from asura_verify import formulas
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.deciding.numbers import at_most, show
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import RUNS, TREES
from asura_verify.instances.run import RunInstance
from asura_verify.instances.tree import TreeInstance
from asura_verify.registry.claim import GAMMA, Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, corrected, demonstrated, printed, sharper, step
from asura_verify.trees.axis_path import axis_path, breaks_spectral
from asura_verify.trees.enumeration import Node, probability
from asura_verify.trees.quantities import clock_tail, gamma_event

PRINTED_GAMMA = Range("gamma", 0, 1)
QUARTER = Range("gamma", 0, "1/4")

#: Levels p at which probabilities over whole trees are computed.
LEVELS = (Fraction(1, 4), Fraction(1, 2), Fraction(7, 10), Fraction(9, 10))


def _upper_at_least(instance: TreeInstance, bound: Fraction) -> Fraction:
    """A certified lower bound of P(u_m >= bound)."""
    tree = instance.tree
    with tree.arithmetic.working():
        level = tree.scalar(bound)

        def event(node: Node[Any, Any]) -> Verdict:
            return ~tree.arithmetic.less(node.state.upper, level)

        return probability(tree, event).lower


@conjunction
def upper_is_large(compare: Comparisons, instance: TreeInstance) -> None:
    """P(u_m >= p^2 d/(8 gamma^2)) >= 1 - p."""
    unit = instance.data.dimension / instance.gamma**2
    for p in LEVELS:
        chance = _upper_at_least(instance, p**2 / 8 * unit)
        compare.at_most(f"1 - p at p = {p}", 1 - p, chance)


@conjunction
def upper_is_large_sharply(compare: Comparisons, instance: TreeInstance) -> None:
    """P(u_m >= 4p^2/(1 + 4p^2) d/gamma^2) >= 1 - p."""
    unit = instance.data.dimension / instance.gamma**2
    for p in LEVELS:
        chance = _upper_at_least(instance, 4 * p**2 / (1 + 4 * p**2) * unit)
        compare.at_most(f"1 - p at p = {p}", 1 - p, chance)


@conjunction
def event_is_likely(compare: Comparisons, instance: TreeInstance) -> None:
    """P(u_m >= d/(64 gamma^2)) >= 3/4."""
    compare.at_most("3/4 <= P(Gamma)", Fraction(3, 4), gamma_event(instance.tree).lower)


@conjunction
def event_is_very_likely(compare: Comparisons, instance: TreeInstance) -> None:
    """P(u_m >= d/(64 gamma^2)) >= 14/15, through P(r_m < 1/64) <= 1/15."""
    compare.at_most("14/15 <= P(Gamma)", Fraction(14, 15), gamma_event(instance.tree).lower)
    tail = clock_tail(instance.tree, Fraction(1, 64))
    compare.at_most("P(r_m < 1/64)", tail, Fraction(1, 15))


@conjunction
def gap_is_small(compare: Comparisons, instance: RunInstance) -> None:
    """u_m - l_m <= 9d/gamma."""
    with instance.working() as path:
        compare.at_most("u_m - l_m", path.gap(path.length), 9 * path.dimension / path.gamma)


@conjunction
def gap_is_bounded_by_the_clock(compare: Comparisons, instance: RunInstance) -> None:
    """u_m - l_m <= (4d/gamma)(1 + rho + c(1 + rho))."""
    with instance.working() as path:
        bound = formulas.widest_gap(path.gamma, path.dimension)
        compare.at_most("u_m - l_m", path.gap(path.length), bound)


@conjunction
def lower_is_positive_exactly_when(compare: Comparisons, instance: RunInstance) -> None:
    """l_m > 0 if and only if u_m > 4d/(gamma (1 - 2 gamma)); l_m is a function of u_m."""
    with instance.working() as path:
        d, g, u = path.dimension, path.gamma, path.upper[-1]
        compare.equal("l_m", path.lower[-1], formulas.lower_of_upper(g, d, u))
        threshold = formulas.positive_from(g, d)
        positive, beyond = ~at_most(path.lower[-1], 0), ~at_most(u, threshold)
        compare.that("both or neither", not (positive.holds and beyond.fails))
        compare.that("neither or both", not (positive.fails and beyond.holds))


@conjunction
def relative_gap(compare: Comparisons, instance: RunInstance) -> None:
    """(u_m - l_m)/u_m = 4 gamma (1 + d/(gamma^2 u_m))/(1 + 2 gamma)."""
    with instance.working() as path:
        d, g, u = path.dimension, path.gamma, path.upper[-1]
        compare.equal("(u_m - l_m)/u_m", path.gap(path.length) / u, formulas.relative_gap(g, d, u))


@conjunction
def spectrum_is_near_one(compare: Comparisons, instance: RunInstance) -> None:
    """The spectrum of A^T A lies in 1 +- 2 gamma (1 + 1/r_m)."""
    with instance.working() as path:
        reach = formulas.reach(path.gamma, path.clock(path.length))
        compare.equal("u_m/mid", path.upper[-1] / path.mid, 1 + reach)
        compare.equal("l_m/mid", path.lower[-1] / path.mid, 1 - reach)
        gram, total = instance.run.algorithm.frame.gram, instance.run.final.accumulated
        compare.definite(
            r"$A^\top A \prec (1 + \mathrm{reach}) I$", gram * ((1 + reach) * path.mid) - total
        )
        compare.definite(
            r"$(1 - \mathrm{reach}) I \prec A^\top A$", total - gram * ((1 - reach) * path.mid)
        )


@conjunction
def spectrum_is_likely_near_one(compare: Comparisons, instance: TreeInstance) -> None:
    """With probability at least 3/4, r_m >= 1/5 and the spectrum lies in 1 +- 12 gamma."""
    tail = clock_tail(instance.tree, Fraction(1, 5))
    compare.at_most("P(r_m < 1/5)", tail, Fraction(1, 4))


def _shrinking_steps() -> Demonstration:
    lines = [
        (
            "$X = I$, $d = 2$, always drawing $e_1$; the growth $u_{j+1} - u_j$ starts at "
            r"$1/(1 - 2 \gamma)$"
        )
    ]
    smallest = []
    for denominator in (4, 8, 16, 32):
        gamma = Fraction(1, denominator)
        done = run(dataset([[1, 0], [0, 1]]), gamma, chooser=Picks([0] * longest(2, gamma)))
        steps = [1 / (1 - 2 * gamma) * gamma / step.potential.lower for step in done.steps()]
        smallest.append(min(steps))
        lines.append(
            rf"$\gamma = {gamma}$: $m = {done.length}$, smallest growth at most "
            f"{show_scalar(smallest[-1])}"
        )
    falling = all(b < a / Fraction(3, 2) for a, b in itertools.pairwise(smallest))
    lines.append(r"it falls with $\gamma$: no constant bounds it from below")
    return demonstrated(decided(falling), *lines)


def _short_run() -> Demonstration:
    gamma, p = Fraction(1, 10), Fraction(7, 10)
    done = run(dataset([[1]]), gamma)
    bound = p / gamma**2
    return demonstrated(
        decided(done.length < bound),
        r"$X = [1]$, $d = 1$, $\gamma = 1/10$, $p = 7/10$: the run is deterministic",
        rf"$m = {done.length} < {bound} = p d/\gamma^2$",
        r"so $\mathbb{P}(m < p d/\gamma^2) = 1 > 7/10$",
    )


def _dropped_factor() -> Demonstration:
    gamma = Fraction(1, 4)
    done = run(dataset([[1]]), gamma, arithmetic=EXACT)
    first, second = list(done.steps())[:2]
    grown = (second.upper.lower - second.lower.lower) - (first.upper.lower - first.lower.lower)
    printed = gamma**2 / (first.potential.lower * formulas.curvature(gamma))
    return demonstrated(
        decided(grown == 4 * printed),
        r"$X = [1]$, $\gamma = 1/4$, $j = 0$: $\Phi_0 = 1/4$",
        f"$u_1 - l_1 - (u_0 - l_0) = (1/4)/(1/4) (1/(1 - 1/2) - 1/(1 + 1/2)) = {grown}$",
        rf"$\gamma^2/(\Phi_0 (1 - 4 \gamma^2)) = {printed}$: a factor 4 is missing",
    )


def _one_axis() -> Demonstration:
    path = axis_path(282, Fraction(1, 138))
    limit = 1 + 1728 * path.gamma
    return demonstrated(
        breaks_spectral(path),
        r"$X = I$, $d = 282$, $\gamma = 1/138$, $e_1$ drawn every time (a path of positive "
        "probability)",
        rf"$m = {path.length}$, $u_m$ is {show(path.upper)}, at least $d/(64 \gamma^2)$: "
        r"$\Gamma$ holds",
        rf"the largest eigenvalue of $A^\top A$ is {show(path.largest_ratio)}",
        rf"$1 + 1728 \gamma = {show(limit)}$",
    )


def _constant_from_the_lemma() -> Demonstration:
    given = Fraction(1, 4) ** 2 / 8
    return demonstrated(
        decided(given < Fraction(1, 64)),
        f"probability 3/4 means $p = 1/4$, and $p^2/8 = {given} < 1/64$",
        r"the lemma gives $u_m \ge d/(128 \gamma^2)$ with probability 3/4, not $d/(64 \gamma^2)$",
    )


def _final_gap(gamma: Fraction) -> Demonstration:
    done = run(dataset([[1]]), gamma, arithmetic=EXACT)
    gap = done.upper.lower - done.lower.lower
    bound = 9 / gamma
    return demonstrated(
        decided(gap > bound),
        rf"$X = [1]$, $d = 1$, $\gamma = {gamma}$: $m = {done.length}$",
        f"$u_m = {show(done.upper)}$, $l_m = {show(done.lower)}$",
        rf"$u_m - l_m = {show(gap)} > {show(bound)} = 9d/\gamma$",
    )


CLAIMS = (
    claim(
        "u-grows",
        "The upper barrier grows by a constant",
        "Section 4.1",
        printed(
            "there is a constant by which $u_j$ grows at least, in every iteration, for all "
            r"$\gamma$",
            Counterexample(
                "shrinking-steps",
                r"$X = I$, $d = 2$, always $e_1$, $\gamma = 1/4, \ldots, 1/32$",
                _shrinking_steps,
                Strength.CERTIFIED,
            ),
            refutations="u_grows_refuted",
        ),
        sharper(
            "order",
            r"for every $\gamma \le 1/12$ some run of positive probability goes on to a step in "
            r"which $u$ grows by at most $6 \gamma$",
            Range("gamma", 0, "1/12", closed_high=True),
            theorems="u_grows_by_gamma",
        ),
        corrected(
            "final",
            r"$\mathbb{P}(u_m \ge 4p^2/(1 + 4p^2) \, d/\gamma^2) \ge 1 - p$, which is what is "
            "needed",
            GAMMA,
            Check("upper-sharp", TREES, upper_is_large_sharply),
            theorems="um_lower",
        ),
        borrows="um-lower",
    ),
    claim(
        "um-lower",
        "The upper barrier is large in the end",
        "lemma:um-lb, Section 4.1",
        printed(
            r"$\mathbb{P}(u_m \ge p^2 d/(8 \gamma^2)) \ge 1 - p$ for $\gamma < 1/4$ and "
            r"$0 \le p < 1$",
            QUARTER,
            Check("upper", TREES, upper_is_large),
            theorems="um_lower_as_printed",
        ),
        step(
            "short-runs",
            r"$\mathbb{P}(m < p d/\gamma^2) \le p$",
            Counterexample(
                "short-run",
                r"$X = [1]$, $\gamma = 1/10$, $p = 7/10$",
                _short_run,
                Strength.CERTIFIED,
            ),
            refutations="um_lower_short_runs_refuted",
        ),
        step(
            "increment",
            r"the gap grows by $\gamma^2/(\Phi_j (1 - 4 \gamma^2))$ in each iteration",
            Counterexample("dropped-factor", r"$X = [1]$, $\gamma = 1/4$", _dropped_factor),
            refutations="um_lower_increment_refuted",
        ),
        sharper(
            "sharp",
            r"$\mathbb{P}(u_m \ge 4p^2/(1 + 4p^2) \, d/\gamma^2) \ge 1 - p$ for all $\gamma < 1/2$",
            GAMMA,
            Check("upper-sharp", TREES, upper_is_large_sharply),
            helped_by="um-lower-constant upper-exceeds-mid",
            theorems="um_lower",
        ),
        depends="identity-4",
    ),
    claim(
        "event-gamma",
        "The good event",
        "def:Gamma, Appendix A",
        printed(
            r"$\mathbb{P}(u_m \ge d/(64 \gamma^2)) \ge 3/4$",
            GAMMA,
            Check("event", TREES, event_is_likely),
            theorems="event_gamma",
        ),
        step(
            "from-the-lemma",
            "this is the lemma um-lower with $p = 1/4$",
            Counterexample("constant", "$p = 1/4$", _constant_from_the_lemma),
            refutations="event_gamma_constant_refuted",
        ),
        sharper(
            "sharp",
            r"$\mathbb{P}(u_m \ge d/(64 \gamma^2)) \ge 14/15$",
            GAMMA,
            Check("event-sharp", TREES, event_is_very_likely),
            helped_by="gamma-event-probability",
            theorems="event_gamma",
        ),
        depends="identity-4",
    ),
    claim(
        "gap-final",
        "The final gap",
        "lemma:umlm-ub, Appendix A",
        printed(
            r"$u_m - l_m \le 9d/\gamma$ for $\gamma < 1$",
            PRINTED_GAMMA,
            Check("gap-final", RUNS, gap_is_small),
            Counterexample(
                "gap-at-7/20", r"$X = [1]$, $\gamma = 7/20$", lambda: _final_gap(Fraction(7, 20))
            ),
            Counterexample(
                "gap-at-23/50", r"$X = [1]$, $\gamma = 23/50$", lambda: _final_gap(Fraction(23, 50))
            ),
            conclusion="u_m - l_m <= 9d/gamma",
            refutations="gap_final_refuted",
        ),
        corrected(
            "small-gamma",
            r"the same for $\gamma \le 79/250$, for every $d$",
            Range("gamma", 0, "79/250", closed_high=True),
            Check("gap-final", RUNS, gap_is_small),
            conclusion="u_m - l_m <= 9d/gamma",
            proved_by="gap-final-range",
            helped_by="gap-final-needs-a-range gap-final-limit",
            theorems="gap_final",
        ),
        sharper(
            "clock",
            r"$u_m - l_m \le (4d/\gamma)(1 + \bar{r})$ with $\bar{r} = \rho + c(1 + \rho)$",
            GAMMA,
            Check("gap-clock", RUNS, gap_is_bounded_by_the_clock),
            theorems="gap_final_clock",
        ),
        depends="identity-3",
    ),
    claim(
        "lm-positive",
        "The lower barrier is positive in the end",
        "after def:Gamma, Appendix A",
        printed(
            r"on $\Gamma$, $l_m > 0$ for $\gamma \le 1/300$",
            Range("gamma", 0, "1/300", closed_high=True),
            proved_by="lm-positive-iff lm-positive-range",
            theorems="lm_positive",
        ),
        sharper(
            "exactly",
            r"$l_m > 0$ if and only if $u_m > 4d/(\gamma (1 - 2 \gamma))$",
            GAMMA,
            Check("lower-positive-iff", RUNS, lower_is_positive_exactly_when),
            proved_by="lm-positive-iff",
            helped_by="lm-positive-range-is-sharp",
            theorems="lm_positive",
        ),
        depends="identity-2",
    ),
    claim(
        "condition-number",
        "The condition number",
        "lemma:3456, Appendix A",
        printed(
            r"on $\Gamma$, $u_m/l_m \le 1 + 3456 \gamma$ for $\gamma \le 1/700$",
            Range("gamma", 0, "1/700", closed_high=True),
            proved_by="relative-gap condition-number-range",
            helped_by="condition-number-wider",
            theorems="condition_number",
        ),
        sharper(
            "exactly",
            r"$(u_m - l_m)/u_m = 4 \gamma (1 + d/(\gamma^2 u_m))/(1 + 2 \gamma)$",
            GAMMA,
            Check("relative-gap", RUNS, relative_gap),
            proved_by="relative-gap",
            theorems="condition_number",
        ),
        depends="identity-2 lm-positive",
    ),
    claim(
        "spectral",
        r"The spectrum of $A^\top A$",
        "lem:AstartA, Section 4.1 and Appendix A",
        printed(
            r"on $\Gamma$, the spectrum of $A^\top A$ lies in $1 \pm 1728 \gamma$, without a "
            r"range of $\gamma$",
            GAMMA,
            Counterexample(
                "one-axis",
                r"$X = I$, $d = 282$, $\gamma = 1/138$, always $e_1$",
                _one_axis,
                Strength.CERTIFIED,
            ),
            conclusion="spectrum in 1 +- 1728 gamma on Gamma",
            refutations="spectral_refuted",
        ),
        corrected(
            "small-gamma",
            r"the same for $\gamma \le 1/139$",
            Range("gamma", 0, "1/139", closed_high=True),
            conclusion="spectrum in 1 +- 1728 gamma on Gamma",
            proved_by="spectrum-upper spectrum-lower spectral-on-gamma spectral-printed-range",
            theorems="spectral_event",
        ),
        sharper(
            "exactly",
            r"the spectrum of $A^\top A$ lies in $1 \pm 2 \gamma (1 + 1/r_m)$, surely",
            GAMMA,
            Check("spectrum", RUNS, spectrum_is_near_one),
            proved_by="spectrum-upper spectrum-lower",
            theorems="spectral",
        ),
        sharper(
            "twelve",
            r"in $1 \pm 12 \gamma$ with probability at least 3/4; in $[3/4, 5/4]$ from "
            r"$\gamma \le 1/48$",
            GAMMA,
            Check("spectrum-likely", TREES, spectrum_is_likely_near_one),
            helped_by="three-quarters-rate spectral-twelve-gamma",
            theorems="spectral_probability",
        ),
        depends="identity-2 identity-4",
    ),
)
