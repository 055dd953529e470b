"""The clocks r and s of Algorithm 2: increments, length, barriers at the stop, the tail."""

from __future__ import annotations

import sympy
import z3
from flint import arb

from asura_verify.proofs.obligations.model import Obligation, ball, example, identity, solver
from asura_verify.proofs.obligations.one_step import DIMENSION, GAMMA, D, G, S, d, g, phi

r, t, rho, y, n, lam, eps = z3.Reals("r t rho y n lambda epsilon")
um, lm, mid = z3.Reals("u_m l_m mid")
k = 1 - 4 * g * g
K = 1 - 4 * G**2
c = g * g / (d * k)
SUM = sympy.Symbol("S", positive=True)

UPPER = 2 * D / G + G / (1 - 2 * G) * SUM
LOWER = -2 * D / G + G / (1 + 2 * G) * SUM
MID = (UPPER + LOWER) / 2
RATE = G * (UPPER - LOWER) / (4 * D) - 1

ROOT = [rho > 0, rho * rho + k / 4 * rho == 1]

RATES: tuple[Obligation, ...] = (
    identity(
        "rate-increment",
        "identity-1",
        r"$r_{j+1} - r_j = \gamma^3/(d k \Phi_j)$",
        lambda: G / (4 * D) * (G / (1 - 2 * G) - G / (1 + 2 * G)) / S - G**3 / (D * K * S),
    ),
    identity(
        "gap-increment",
        "iterations",
        r"the gap grows by $4 \gamma^2/(k \Phi_j)$",
        lambda: (G / (1 - 2 * G) - G / (1 + 2 * G)) / S - 4 * G**2 / (K * S),
    ),
    identity(
        "mid-is-rate",
        "identity-2",
        r"$\mathrm{mid} = (d/\gamma^2) r_m$",
        lambda: MID - D / G**2 * RATE,
    ),
    identity(
        "upper-from-mid",
        "identity-2",
        r"$u_m = (1+2 \gamma) \mathrm{mid} + 2d/\gamma$",
        lambda: UPPER - (1 + 2 * G) * MID - 2 * D / G,
    ),
    identity(
        "lower-from-mid",
        "identity-2",
        r"$l_m = (1-2 \gamma) \mathrm{mid} - 2d/\gamma$",
        lambda: LOWER - (1 - 2 * G) * MID + 2 * D / G,
    ),
    identity(
        "sum-of-alphas",
        "sum-alpha",
        r"$\sum \alpha_j = (\gamma/\mathrm{mid}) \sum 1/\Phi_j = 1 - 4 \gamma^2$",
        lambda: G * SUM / MID - K,
    ),
    identity(
        "spectrum-upper",
        "spectral",
        r"$u_m/\mathrm{mid} - 1 = 2 \gamma (1 + 1/r_m)$",
        lambda: UPPER / MID - 1 - 2 * G * (1 + 1 / RATE),
    ),
    identity(
        "spectrum-lower",
        "spectral",
        r"$1 - l_m/\mathrm{mid} = 2 \gamma (1 + 1/r_m)$",
        lambda: 1 - LOWER / MID - 2 * G * (1 + 1 / RATE),
    ),
    identity(
        "stop-criterion-in-text",
        "stop-text",
        r"$\mathrm{gap}_j + \sum \Phi = 8d/\gamma$ iff $\sum 4 \gamma^2/(k \Phi) + \sum \Phi ="
        r" 4d/\gamma$, not $8d/\gamma$",
        lambda: (UPPER - LOWER) - 4 * G**2 / K * SUM - 4 * D / G,
    ),
    solver(
        "amgm-per-step",
        "m-bound",
        r"with $t = \sqrt{k}$: $\gamma^3/(d k \Phi) + \gamma \Phi/(4d) \ge \gamma^2/(d t)$",
        lambda: (
            [*GAMMA, *DIMENSION, phi > 0, t > 0, t * t == k],
            g * g * g / (k * phi) + g * phi / 4 >= g * g / t,
        ),
    ),
    solver(
        "amgm-printed",
        "m-bound",
        r"the printed constant: $4 \gamma^2/(k \Phi) + \Phi \ge 2 \gamma$",
        lambda: ([*GAMMA, phi > 0], 4 * g * g / (k * phi) + phi >= 2 * g),
    ),
    solver(
        "length-below-d-over-gamma-squared",
        "m-bound",
        r"$\sqrt{k} \le 1 - 2 \gamma^2$, so $\lceil d \sqrt{k}/\gamma^2 \rceil < d "
        r"\sqrt{k}/\gamma^2 + 1 < d/\gamma^2$",
        lambda: (
            [*GAMMA, *DIMENSION, t > 0, t * t == k],
            z3.And(t <= 1 - 2 * g * g, d * t + g * g < d),
        ),
    ),
    solver(
        "potentials-accumulate",
        "identity-3",
        r"$(b-a)/(1+a)^2 \ge b/(1+b) - a/(1+a)$ for $0 \le a \le b$: one step of $s \ge (k/4) "
        "r/(1+r)$",
        lambda: ([r >= 0, t >= r], (t - r) / ((1 + r) * (1 + r)) >= t / (1 + t) - r / (1 + r)),
    ),
    identity(
        "potentials-per-rate",
        "identity-3",
        r"$(s_{j+1}-s_j)/(r_{j+1}-r_j) = k \Phi_j^2/(4 \gamma^2)$",
        lambda: (G * S / (4 * D)) / (G**3 / (D * K * S)) - K * S**2 / (4 * G**2),
    ),
    solver(
        "rate-before-stop",
        "identity-3",
        r"$r + (k/4) r/(1+r) < 1$ gives $r < \rho$, the positive root of $\rho^2 + (k/4) \rho "
        "= 1$",
        lambda: ([*GAMMA, *ROOT, r >= 0, r + k / 4 * r / (1 + r) < 1], r < rho),
    ),
    solver("rate-root-below-one", "identity-3", r"$\rho < 1$", lambda: ([*GAMMA, *ROOT], rho < 1)),
    solver(
        "last-rate",
        "identity-3",
        r"$r < \rho$ and $\Phi \ge \gamma/(1+r)$ give $r + c \gamma/\Phi < \rho + c(1+\rho)$",
        lambda: (
            [*GAMMA, y > 0, rho > 0, r >= 0, r < rho, phi > 0, phi * (1 + r) >= g],
            r + y * g / phi < rho + y * (1 + rho),
        ),
    ),
    solver(
        "query-constant",
        "query-appendix",
        r"$k \bar{r} \le 1 - 2 \gamma^2$ whenever $\bar{r} \le 1 + 2c$: "
        r"$\mathbb{E}[\mathrm{lq}] \le (1/\gamma^2 - 2) R_X$",
        lambda: ([*GAMMA, *DIMENSION, r <= 1 + 2 * c], k * r <= 1 - 2 * g * g),
    ),
    solver(
        "query-printed",
        "query-appendix",
        r"$1/\gamma^2 - 2 < 4/\gamma^2$",
        lambda: (GAMMA, 1 / (g * g) - 2 < 4 / (g * g)),
    ),
    solver(
        "um-lower-constant",
        "um-lower",
        r"$q = 4p^2/(1+4p^2)$ has $k q/(1-q) \le (2p)^2$ and $q \ge p^2/8$ for $0 \le p < 1$",
        lambda: (
            [*GAMMA, r >= 0, r < 1, t == 4 * r * r / (1 + 4 * r * r)],
            z3.And(k * t <= 4 * r * r * (1 - t), t >= r * r / 8, t < 1),
        ),
    ),
    solver(
        "upper-exceeds-mid",
        "um-lower",
        r"$u_m = (1+2 \gamma)(d/\gamma^2) r_m + 2d/\gamma \ge (d/\gamma^2) r_m$",
        lambda: (
            [*GAMMA, *DIMENSION, r >= 0],
            (1 + 2 * g) * d / (g * g) * r + 2 * d / g >= d / (g * g) * r,
        ),
    ),
    solver(
        "tail-without-root",
        "identity-4",
        r"$q k y + (1-q)/y$ at the best $y$ gives the square root: $(k y q + (1-q)/y)^2 \ge 4 "
        "k q (1-q)$",
        lambda: (
            [y > 0, r > 0, r < 1, n > 0, n <= 1],
            (n * y * r + (1 - r) / y) * (n * y * r + (1 - r) / y) >= 4 * n * r * (1 - r),
        ),
    ),
    solver(
        "tail-last-step",
        "identity-4",
        r"$1/(4b) + b D^2 \ge D$ for $b > 0$",
        lambda: ([y > 0], 1 / (4 * y) + y * t * t >= t),
    ),
    solver(
        "tail-step-short",
        "identity-4",
        r"$Q \delta^2 \le \kappa D$ and $\delta < D$: $(Q - \kappa/\delta) D \le Q (D - "
        r"\delta)$",
        lambda: (
            [r > 0, t > 0, y > 0, n > 0, r * t * t <= y * n, t < n],
            (r - y / t) * n <= r * (n - t),
        ),
    ),
    solver(
        "tail-step-long",
        "identity-4",
        r"$Q \delta^2 \ge \kappa D$ and $\alpha \beta \kappa = 1/4$: $D \le \delta (\alpha Q +"
        r" \beta D)$",
        lambda: (
            [r > 0, t > 0, y > 0, n > 0, r * t * t >= y * n, lam > 0, eps * lam * y == z3.Q(1, 4)],
            n <= t * (eps * r + lam * n),
        ),
    ),
    solver(
        "tail-step-overshoot",
        "identity-4",
        r"$Q > \kappa/\delta$, $\delta \ge D$ and $\alpha \beta \kappa = 1/4$: $D \le \delta "
        r"(\alpha Q + \beta D)$",
        lambda: (
            [r * t > y, t > 0, y > 0, n > 0, t >= n, lam > 0, eps * lam * y == z3.Q(1, 4)],
            n <= t * (eps * r + lam * n),
        ),
    ),
    ball(
        "gamma-event-probability",
        "event-gamma",
        r"$(1/2) \sqrt{(1/64)/(63/64)} \le 1/15$: $\mathbb{P}(\Gamma) \ge 14/15$",
        lambda: (arb(1) / 63).sqrt() / 2,
        lambda: arb(1) / 15,
    ),
    solver(
        "three-quarters-rate",
        "spectral",
        r"at $q = 1/5$ the tail is at most 1/4: $k/16 \le 1/16$",
        lambda: (GAMMA, k * z3.Q(1, 5) / (4 * (1 - z3.Q(1, 5))) <= z3.Q(1, 16)),
    ),
    solver(
        "gap-final-range",
        "gap-final",
        r"$\rho + c(1+\rho) \le 5/4$, so $u_m - l_m \le 9d/\gamma$, for $\gamma \le 79/250 = "
        "0.316$ and all $d$",
        lambda: (
            [*GAMMA, 250 * g <= 79, *ROOT, y > 0, y * k <= g * g],  # y = c, at most its d = 1 value
            rho + y * (1 + rho) <= z3.Q(5, 4),
        ),
    ),
    example(
        "gap-final-needs-a-range",
        "gap-final",
        r"at $\gamma = 7/20$, $d = 1$ the bound $\rho + c(1+\rho)$ exceeds 5/4",
        lambda: ([20 * g == 7, *ROOT, d == 1], rho + g * g / k * (1 + rho) > z3.Q(5, 4)),
    ),
    ball(
        "gap-final-limit",
        "gap-final",
        r"as $\gamma \to 0$, $4(1 + \rho)$ tends to at most 7.532: $\rho^2 + \rho/4 = 1$",
        lambda: 4 * (1 + ((arb(1) / 16 + 4).sqrt() - arb(1) / 4) / 2),
        lambda: arb(7532) / 1000,
    ),
    solver(
        "lm-positive-iff",
        "lm-positive",
        r"$l_m > 0$ iff $u_m > 4d/(\gamma (1-2 \gamma))$",
        lambda: (
            [
                *GAMMA,
                *DIMENSION,
                lm * (1 + 2 * g) == (1 - 2 * g) * (um - 2 * d / g) - 2 * d / g * (1 + 2 * g),
            ],
            (lm > 0) == (um * (1 - 2 * g) * g > 4 * d),
        ),
    ),
    solver(
        "lm-positive-range",
        "lm-positive",
        r"$u_m \ge d/(64 \gamma^2)$ and $\gamma < 1/258$ give $u_m > 4d/(\gamma (1-2 \gamma))$",
        lambda: (
            [*GAMMA, 258 * g < 1, *DIMENSION, um * 64 * g * g >= d],
            um * (1 - 2 * g) * g > 4 * d,
        ),
    ),
    example(
        "lm-positive-range-is-sharp",
        "lm-positive",
        r"at $\gamma = 1/258$, $u_m = d/(64 \gamma^2)$ gives $l_m = 0$",
        lambda: ([258 * g == 1, d == 1], 1 / (64 * g) * (1 - 2 * g) == 4),
    ),
    identity(
        "relative-gap",
        "condition-number",
        r"$(u_m-l_m)/u_m = 4 \gamma (1 + d/(\gamma^2 u_m))/(1+2 \gamma)$",
        lambda: (UPPER - LOWER) / UPPER - 4 * G * (1 + D / (G**2 * UPPER)) / (1 + 2 * G),
    ),
    solver(
        "condition-number-range",
        "condition-number",
        r"$x \le 260 \gamma/(1+2 \gamma)$, $\gamma \le 1/700$: $1/(1-x) \le 1 + 412 \gamma < 1"
        r" + 3456 \gamma$",
        lambda: (
            [*GAMMA, 700 * g <= 1, r >= 0, r * (1 + 2 * g) <= 260 * g],
            z3.And(r < 1, (1 - r) * (1 + 412 * g) >= 1),
        ),
    ),
    solver(
        "condition-number-wider",
        "condition-number",
        r"the printed $1 + 3456 \gamma$ holds up to $\gamma \le 1/279$",
        lambda: (
            [*GAMMA, 279 * g <= 1, r >= 0, r * (1 + 2 * g) <= 260 * g],
            z3.And(r < 1, (1 - r) * (1 + 3456 * g) >= 1),
        ),
    ),
    solver(
        "spectral-on-gamma",
        "spectral",
        r"on $\Gamma$, $r_m \ge (1-128 \gamma)/(64(1+2 \gamma))$: $2 \gamma (1+1/r_m) \le 130 "
        r"\gamma/(1-128 \gamma)$",
        lambda: (
            [*GAMMA, 128 * g < 1, r * 64 * (1 + 2 * g) >= 1 - 128 * g],
            2 * g * (1 + 1 / r) <= 130 * g / (1 - 128 * g),
        ),
    ),
    solver(
        "spectral-printed-range",
        "spectral",
        r"$130 \gamma/(1-128 \gamma) \le 1728 \gamma$ for $\gamma \le 1/139$",
        lambda: ([*GAMMA, 139 * g <= 1], 130 * g / (1 - 128 * g) <= 1728 * g),
    ),
    solver(
        "spectral-twelve-gamma",
        "spectral",
        r"$r_m \ge 1/5$ gives $2 \gamma (1+1/r_m) \le 12 \gamma$, which is at most 1/4 for "
        r"$\gamma \le 1/48$",
        lambda: (
            [*GAMMA, 5 * r >= 1],
            z3.And(
                2 * g * (1 + 1 / r) <= 12 * g, z3.Implies(48 * g <= 1, 8 * g * (1 + 1 / r) <= 1)
            ),
        ),
    ),
    solver(
        "alpha-k-bound",
        "alpha-k",
        r"$(\gamma/\mathrm{mid})(\mathrm{gap}_j/4) \le 2 \gamma^2/r_m$ while the loop runs: "
        r"$\mathrm{gap}_j < 8d/\gamma$",
        lambda: (
            [*GAMMA, *DIMENSION, r > 0, mid * g * g == d * r, t > 0, t * g < 8 * d],
            g / mid * t / 4 <= 2 * g * g / r,
        ),
    ),
    solver(
        "alpha-k-printed-range",
        "alpha-k",
        r"on $\Gamma$, $2 \gamma^2/r_m \le 512 \gamma^2$ for $\gamma \le 3/514$",
        lambda: (
            [*GAMMA, 514 * g <= 3, r > 0, r * 64 * (1 + 2 * g) >= 1 - 128 * g],
            2 * g * g / r <= 512 * g * g,
        ),
    ),
    solver(
        "alpha-k-three-quarters",
        "well-balanced",
        r"$r_m \ge 1/5$ gives $\alpha_j K \le 10 \gamma^2$",
        lambda: ([*GAMMA, 5 * r >= 1], 2 * g * g / r <= 10 * g * g),
    ),
)
