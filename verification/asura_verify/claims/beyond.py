"""What goes beyond the paper: sharper theorems, and sampling with X_2 kept whole.

Each statement rests on theorems of `SpecBeyond.v`, which says exactly what they assume.
"""

from __future__ import annotations

from asura_verify.registry.claim import GAMMA, Claim, Range
from asura_verify.registry.shorthand import claim, printed, sharper

BEYOND = "beyond the paper"
EPSILON = Range("epsilon", 0, 1, closed_high=True)
EVERY_GAMMA = Range("gamma", 0, 1)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "drift",
        "How fast the inverses fall",
        BEYOND,
        printed(
            "in the mean, one step lowers the inverse of $u_j I - A_j$ by at least "
            r"$\gamma^2/((1 - \gamma)(1 - 2 \gamma) \Phi_j)$ times its square, where "
            r"$1 - 5 \gamma + 5 \gamma^2 \ge 0$, and that of $A_j - l_j I$ by at least "
            r"$\gamma^2/((1 + 2 \gamma)(1 + 2 \gamma + 2 \gamma^2) \Phi_j)$ times its square",
            GAMMA,
            theorems="drift_upper drift_lower",
        ),
        depends="rank-one-upper rank-one-lower",
    ),
    claim(
        "theta-supermartingale",
        "A stronger supermartingale",
        BEYOND,
        printed(
            r"$(1 + r_j)/(1 + (1 - \theta) r_j) \, \Phi_j^M$ is a supermartingale for every PSD "
            r"$M$ and $0 \le \theta \le k/(2 + \gamma + 8 \gamma^2 + 4 \gamma^3)$, where "
            r"$1 - 5 \gamma + 5 \gamma^2 \ge 0$",
            GAMMA,
            theorems="theta_bracket theta_supermartingale theta_power_exists theta_powers",
        ),
        sharper(
            "labels",
            r"with $\bar{r} = 1 + 2c$, $\mathbb{E}[\mathrm{lq}] \le "
            r"k (\bar{r} + c (1 + \bar{r})/2 - \theta \bar{r}^2/(2 (1 + \bar{r}))) R_X/\gamma^2$, "
            "counting distinct labels",
            GAMMA,
            theorems="theta_labels theta_power_labels",
        ),
        depends="drift identity-5",
    ),
    claim(
        "tail-sharp",
        "The tail of the clock, sharp and short",
        BEYOND,
        printed(
            r"$\mathbb{P}(r_m < q) \le q/((1 + q) L - 1)$ whenever $k L^2 q \le 4 (1 - q)$ and "
            "$(1 + q) L > 1$",
            GAMMA,
            theorems="tail_sharp",
        ),
        sharper(
            "theta",
            r"the same with $(1 - \theta) q$ for $q$, for the $\theta$ of the stronger "
            "supermartingale",
            GAMMA,
            theorems="tail_sharp_theta",
        ),
        depends="identity-4 theta-supermartingale",
    ),
    claim(
        "main-15",
        "The main theorem with 15",
        BEYOND,
        printed(
            r"$\gamma = \sqrt{\varepsilon}/15$ gives loss $\le (1 + \varepsilon)\, \mathrm{OPT}$ "
            r"with probability at least 3/4 and at most $(225/\varepsilon - 2) R_X$ labels in "
            "expectation, with the paper's own rule",
            EPSILON,
            theorems="main_any_constant main_15",
        ),
        depends="main tail-sharp identity-7",
    ),
    claim(
        "main-13",
        "The main theorem with 13",
        BEYOND,
        printed(
            r"$\gamma = \sqrt{\varepsilon}/13$ gives loss $\le (1 + \varepsilon)\, \mathrm{OPT}$ "
            r"with probability at least 3/4 and at most $150 R_X/\varepsilon$ labels in "
            "expectation, with the paper's own rule",
            EPSILON,
            theorems="main_13",
        ),
        depends="main-15 theta-supermartingale",
    ),
    claim(
        "tight-rates",
        "Tight rates",
        BEYOND,
        printed(
            r"with growth $\gamma/((1 - \gamma) \Phi)$ above and $\gamma/((1 + \xi) \Phi)$ "
            r"below, where $\xi^2 + \xi (1 - 2 \gamma) \ge \gamma$, the barriers stay strict and "
            r"the bracket does not grow in the mean; $\xi = \gamma + \gamma^2$ always will do",
            EVERY_GAMMA,
            theorems="rates_one_step tight_rates_admissible",
        ),
        sharper(
            "runs",
            r"at every stop level $T$: $\mathbb{E}[\mathrm{lq}] \le 4 \bar{r} R_X/w$ and the "
            "loss of the runs that stopped is bounded in expectation, with $w$ the difference "
            "of the two rates",
            EVERY_GAMMA,
            theorems="rates_runs",
        ),
        sharper(
            "twenty",
            r"$\gamma = \sqrt{\varepsilon/13}$, $T = 10/13$ give "
            r"$\mathbb{E}[\mathrm{lq}] \le 20 R_X/\varepsilon$ and, on the runs that stopped, "
            r"$\mathbb{E}[\mathrm{loss}] \le (1 + \varepsilon)\, \mathrm{OPT}$",
            EPSILON,
            theorems="tight_rates_20",
        ),
        depends="sure-stop",
    ),
    claim(
        "free-draws",
        "Draw for free, check, then pay",
        BEYOND,
        printed(
            "$X_2$ is kept, and coins are tossed on $X_1$ again and again until an event that "
            "no label decides. If it implies that the weighted Gram matrix is at least $a$ "
            r"times $X^\top X$ and that at most $B$ labels are bought, then the expected excess "
            "is at most the largest value of leverage times $(1 - p)/p$, times the loss of the "
            "optimum on $X_1$, divided by $a^2$ and by the probability of the event; at most "
            "$B$ labels are bought, surely",
            theorems="label_blind_wrapper coins_law coins_noise free_draws_method",
        ),
        sharper(
            "best-coins",
            r"$p_x = l_x/(l_x + \tau)$ meets the condition with equality, and expects at most "
            r"$R_X/\tau$ labels",
            theorems="free_draws_best",
        ),
    ),
    claim(
        "one-sided",
        "One barrier, $X_2$ kept",
        BEYOND,
        printed(
            "at most $N$ labels are expected with the coin, and $N + 1$ draws in any case; the "
            "spectrum of the design is bounded below surely, and the excess of the runs that "
            "finished in expectation, by the numbers that the note gives",
            Range("nu", 0, 1),
            theorems="one_sided_policy one_sided",
        ),
        sharper(
            "explicit",
            r"$\nu = y^2$ with $R_X = N y^3$ and $1 - y - y^2 > 0$ makes the constant at most "
            "$(R_X/N) (1 + y)/(1 - y - y^2)^2$",
            theorems="one_sided_explicit",
        ),
    ),
    claim(
        "sure-budget",
        "A budget that is never exceeded",
        BEYOND,
        printed(
            "redrawing whole one-sided runs until one is within the budget $B$ buys at most $B$ "
            "labels, surely, and divides the bound on the excess by the probability to be "
            "within",
            theorems="redrawing_conditions one_sided_budget",
        ),
        sharper(
            "within",
            r"the probability to be within the budget $B \ge (1 + t) N$ is bounded from below, "
            r"for every $0 \le a < 1 + t$",
            theorems="one_sided_within_budget",
        ),
        depends="one-sided",
    ),
    claim(
        "heavy-points",
        "Heavy points, bought outright",
        BEYOND,
        printed(
            r"buying the points of leverage at least $\tau$ lowers $R_X$ by their leverages, and "
            r"with $C R'/\tau$ labels for the others the total is at most $C$ times the sum of "
            r"$\min(1, l_x/\tau)$",
            theorems="heavy_points",
        ),
        depends="one-sided",
    ),
    claim(
        "two-sided",
        "The paper's method with $X_2$ kept",
        BEYOND,
        printed(
            "with the rule like the paper's the run has at most $B$ draws, and so labels, "
            r"surely, for every $B$ with $B \gamma^2 \ge R_X \sqrt{k}$",
            GAMMA,
            theorems="two_sided_runs two_sided_sure_labels two_sided_main_15 paper_is_two_sided",
        ),
        sharper(
            "level",
            r"with the rule $r \ge T$: $\mathbb{E}[m] \le k \bar{r} R_X/\gamma^2$ with "
            r"$\bar{r} = T + \gamma^2 (1 + T)/(k R_X)$, and bounds on spectrum and excess",
            GAMMA,
            theorems="two_sided two_sided_exact",
        ),
        depends="m-bound sure-stop",
    ),
)
