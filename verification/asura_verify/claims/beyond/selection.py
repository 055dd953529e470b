"""Without barriers: coins that are screened (K6), heavy points (K4), K5, and two stages."""

from __future__ import annotations

from fractions import Fraction

from asura.dataset import dataset
from asura.kept.bounds import shrunken_excess
from asura.kept.estimators import Shrunken
from asura.verdict import decided
from asura_verify.claims.beyond.paying import (
    coins_are_unbiased,
    heavy_points_leave_the_rest,
    independent_draws,
    no_label_needed,
    screened_excess,
    second_stage_is_unbiased,
    shrunken_estimates,
)
from asura_verify.claims.beyond.sharper import BEYOND
from asura_verify.instances.families import COINS, DRAWS, POINTS
from asura_verify.instances.paid import CoinInstance, DrawsInstance
from asura_verify.registry.claim import Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, printed, sharper, tempting

DELTA = Range("delta", 0, 1, closed_low=True)


def _without_the_chance() -> Demonstration:
    data = dataset([[1], [1]], unlabelled=2, labels=[1, -2])
    instance = CoinInstance(data, Fraction(1, 10), Fraction(1, 2), 1)
    kept = [(p, w) for p, w in instance.outcomes if instance.accepted(w)]
    chance = sum((p for p, _ in kept), Fraction(0))
    excess = sum((p * instance.truth.excess(w) for p, w in kept), Fraction(0)) / chance
    bound = instance.threshold * instance.truth.optimum() / instance.least**2
    return demonstrated(
        decided(excess > bound),
        r"$X_1 = (1, 1)$ with labels 1 and -2, $X_2$ empty, $\tau = 1/10$, $a = 1/2$, $B = 1$",
        rf"$\mathbb{{P}}(G) = {chance}$, and $\mathbb{{E}}[\mathrm{{excess}} \mid G] = {excess}$",
        rf"$\tau\, \mathrm{{OPT}}_1/a^2 = {bound}$; divided by $\mathbb{{P}}(G)$ it is "
        f"{bound / chance}",
    )


def _without_shrinking() -> Demonstration:
    data = dataset([[1], [1], [3]], unlabelled=2, labels=[5, -5, 0])
    instance = DrawsInstance(data, 1, ())
    optimum = instance.truth.optimum()
    bound = shrunken_excess(instance.size.rank, instance.size.norm, 1) or Fraction(0)
    plain = instance.expected_loss(Shrunken(1, Fraction(0))) - optimum
    shrunken = bound * (1 - instance.size.norm) / instance.size.norm
    better = instance.expected_loss(Shrunken(1, shrunken)) - optimum
    return demonstrated(
        decided(plain > bound * optimum >= better),
        "$X_1 = (1, 1)$ with labels 5 and -5, $X_2 = (3)$ with label 0, $N = 1$",
        rf"$\varepsilon = R_X/((1 - \delta) N + R_X \lambda)$ is {float(bound):.4f}",
        rf"the expected excess over $\mathrm{{OPT}}$ is {float(plain / optimum):.4f} for "
        rf"$s = 0$, and {float(better / optimum):.4f} for $s = \varepsilon \lambda$",
    )


CLAIMS = (
    claim(
        "free-draws",
        "Draw for free, check, then pay",
        BEYOND,
        printed(
            "$X_2$ is kept, and coins are tossed on $X_1$ again and again until an event "
            r"that no label decides. If it implies that the weighted Gram matrix is at least $a$ "
            r"times $X^{\top} X$ and that at most $B$ labels are bought, then the expected "
            "excess is at most the largest value of leverage times $(1 - p)/p$, times the loss "
            "of the optimum on $X_1$, divided by $a^2$ and by the probability of the event; "
            "at most $B$ labels are bought, surely",
            Check("screened", COINS, screened_excess),
            theorems="label_blind_wrapper coins_law coins_noise free_draws_method",
        ),
        sharper(
            "best-coins",
            r"$p_x = l_x/(l_x + \tau)$ meets the condition with equality, $\mathbb{E}|v|^2 = \tau "
            r"\mathrm{OPT}_1$, and at most $R_X/\tau$ labels are expected",
            Check("coins", COINS, coins_are_unbiased),
            helped_by="coins-best",
            theorems="free_draws_best",
        ),
        tempting(
            "without-chance",
            "the bound on the expected excess need not be divided by the probability of the event",
            Counterexample("two-points", r"$X_1 = (1, 1)$, $\tau = 1/10$", _without_the_chance),
        ),
    ),
    claim(
        "heavy-points",
        "Heavy points, bought outright",
        BEYOND,
        printed(
            r"buying the points of leverage at least $\tau$ leaves all leverages and lowers $R_X$ "
            r"by theirs, and with $C R'/\tau$ labels for the others the total is at most $C$ times "
            r"the sum of $\min(1, l_x/\tau)$, which is at most $n_1$ and at most $R_X/\tau$",
            Check("heavy", POINTS, heavy_points_leave_the_rest),
            theorems="heavy_points",
        ),
        depends="one-sided",
    ),
    claim(
        "zero-labels",
        "What $X_2$ says without a label",
        BEYOND,
        printed(
            r"where $D \le \delta < 1$ the solution on $X_2$ alone has excess at most "
            r"$\delta/(1 - \delta)\, \mathrm{OPT}$, and no label is paid for",
            DELTA,
            Check("unlabelled", DRAWS, no_label_needed),
            helped_by="zero-labels-eigenvalue",
            theorems="no_label_excess",
        ),
        depends="optimal",
    ),
    claim(
        "shrunken-draws",
        "$N$ draws, shrunken",
        BEYOND,
        printed(
            r"with $\lambda = (1 - \delta)/\delta$, $s = \varepsilon \lambda < 1$ and $N$ "
            r"independent draws by leverage, $(1 - s)/N$ sum $(R_X/l)(y - x \beta_2) U$ added to "
            r"the solution $\beta_2$ on $X_2$ gives $\mathbb{E}$ loss $\le (1 + \varepsilon)\, "
            r"\mathrm{OPT}$ for $N \ge R_X (1 - \varepsilon \lambda)/(\varepsilon (1 - \delta))$",
            DELTA,
            Check("shrunken", DRAWS, shrunken_estimates),
            helped_by="shrunken-optimum",
            theorems="shrunken_excess",
        ),
        tempting(
            "unshrunken",
            "the same with $s = 0$",
            Counterexample(
                "opposite-labels", r"$X_1 = (1, 1)$, $X_2 = (3)$, $N = 1$", _without_shrinking
            ),
        ),
        depends="zero-labels",
    ),
    claim(
        "independent-draws",
        "$N$ independent draws, $X_2$ kept",
        BEYOND,
        printed(
            "$N$ independent draws by leverage at weight $R_X/(N l)$, with $X_2$ kept: "
            r"$\mathbb{E}$ excess $\le (R_X/N)\, \mathrm{OPT}_1/(1 - \delta)^2$, with at "
            "most $N$ labels, surely",
            DELTA,
            Check("independent", DRAWS, independent_draws),
            theorems="independent_draws",
        ),
        depends="free-draws",
    ),
    claim(
        "two-stages",
        "Two stages",
        BEYOND,
        printed(
            r"from any first answer $\beta_0$ that does not depend on them, $N$ further draws "
            r"by leverage give $\beta_0 + (1/N)$ sum $(R_X/l)(y - x \beta_0) U +$ sum over "
            r"$X_2$ of $(y - x \beta_0) U$, whose mean is $\beta^{\ast}$, with $\mathbb{E}$ "
            r"excess $\le (R_X/N)$ loss$(\beta_0)$; so a pilot with $\mathbb{E}$ loss $\le "
            r"(1 + \varepsilon_0)\, \mathrm{OPT}$ makes $\mathbb{E}$ excess $\le (R_X/N)(1 + "
            r"\varepsilon_0)\, \mathrm{OPT}$",
            Check("second-stage", DRAWS, second_stage_is_unbiased),
            theorems="two_stages",
        ),
        depends="sure-budget",
    ),
)
