"""Scalar cores of the lemmas about one step of Algorithm 2: eigenvalues and factors of gamma."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
import z3

from asura_verify.proofs.obligations.model import Formula, Obligation, example, identity, solver

g, d, a, u, low, p, q = z3.Reals("gamma d a u l p q")
phi, step = z3.Reals("Phi step")

GAMMA: Sequence[Formula] = (g > 0, 2 * g < 1)
DIMENSION: Sequence[Formula] = (d >= 1,)
INSIDE: Sequence[Formula] = (low < a, a < u)

G, D, A, U, L, S, T = sympy.symbols("gamma d a u l Phi theta", positive=True)

ONE_STEP: tuple[Obligation, ...] = (
    identity(
        "initial-potential",
        "wald",
        r"$\Phi_0 = d(1/u_0 - 1/l_0) = \gamma$, and $1/u_0 - 1/l_0 = \gamma/d$",
        lambda: D * (G / (2 * D) + G / (2 * D)) - G,
    ),
    identity(
        "product-is-not-a-distribution",
        "alg-potential",
        "for an eigenvalue $a$, the bracket is $(u - l)$ times the product of the two inverses",
        lambda: 1 / (U - A) + 1 / (A - L) - (U - L) / ((U - A) * (A - L)),
    ),
    solver(
        "product-mass-exceeds-one",
        "alg-potential",
        r"with the product, the masses at $j = 0$ sum to $4d/\gamma > 8$, never to 1",
        lambda: ([*GAMMA, *DIMENSION], 4 * d / g > 8),
    ),
    solver(
        "bracket-at-least-four-over-gap",
        "potential-lower",
        r"$1/(u-a) + 1/(a-l) \ge 4/(u-l)$ for $l < a < u$",
        lambda: (INSIDE, 1 / (u - a) + 1 / (a - low) >= 4 / (u - low)),
    ),
    solver(
        "leverage-over-mass",
        "identity-6",
        r"$|U|^2 \le ((u-l)/4) U^\top E\, U$, one eigenvalue at a time: $(u-l)/4\, "
        r"(1/(u-a)+1/(a-l)) \ge 1$",
        lambda: (INSIDE, (u - low) / 4 * (1 / (u - a) + 1 / (a - low)) >= 1),
    ),
    solver(
        "potential-lower-printed",
        "potential-lower",
        r"$\Phi \ge 4d/\mathrm{gap}$ and $\mathrm{gap} < 8d/\gamma$ give $\Phi > \gamma/2$",
        lambda: (
            [*GAMMA, *DIMENSION, step > 0, step * g < 8 * d, phi * step >= 4 * d],
            phi > g / 2,
        ),
    ),
    identity(
        "potential-lower-sharp",
        "potential-lower",
        r"$4d/\mathrm{gap} = \gamma/(1 + r)$ for $r = \gamma\, \mathrm{gap}/(4d) - 1$",
        lambda: 4 * D / U - G / (1 + (G * U / (4 * D) - 1)),
    ),
    solver(
        "upper-barrier-survives",
        "invariant",
        r"$w w^\top \preceq \gamma (u_j - A_j)$ leaves $u_{j+1} - A_{j+1} \succeq (1 - "
        r"\gamma)(u_j - A_j)$, which is positive",
        lambda: (
            [*GAMMA, p > 0, phi > 0, a <= g * p],
            p + g / ((1 - 2 * g) * phi) - a > (1 - g) * p,
        ),
    ),
    solver(
        "lower-barrier-survives",
        "invariant",
        r"$q > 1/\Phi$ leaves $q - \gamma/((1+2 \gamma) \Phi) > ((1+\gamma)/(1+2 \gamma)) q > "
        "0$",
        lambda: (
            [*GAMMA, q > 0, phi > 0, q * phi > 1],
            z3.And(
                q - g / ((1 + 2 * g) * phi) > (1 + g) / (1 + 2 * g) * q, (1 + g) / (1 + 2 * g) > 0
            ),
        ),
    ),
    example(
        "invariant-needs-half",
        "invariant",
        r"for some $1/2 < \gamma < 1$, $d = 1$: $A_1 = 1$ exceeds $u_1 = 2/\gamma + 1/(1 - 2 "
        r"\gamma)$",
        lambda: ([2 * g > 1, g < 1], 2 / g + 1 / (1 - 2 * g) < 1),
    ),
    solver(
        "invariant-always-breaks-beyond-half",
        "invariant",
        r"for $1/2 < \gamma \le 3/4$, $d = 1$: $u_1 = 2/\gamma + 1/(1 - 2 \gamma) < 1 = A_1$",
        lambda: ([2 * g > 1, 4 * g <= 3], 2 / g + 1 / (1 - 2 * g) < 1),
    ),
    solver(
        "rank-one-lower-sharp",
        "rank-one-lower",
        r"$t \le \gamma q$ and $q' \ge ((1+\gamma)/(1+2 \gamma)) q$ give $t \le (\gamma (1+2 "
        r"\gamma)/(1+\gamma)) q'$",
        lambda: (
            [*GAMMA, q > 0, a <= g * q, p * (1 + 2 * g) >= (1 + g) * q],
            a * (1 + g) <= g * (1 + 2 * g) * p,
        ),
    ),
    solver(
        "rank-one-lower-factor",
        "rank-one-lower",
        r"$\gamma (1+2 \gamma)/(1+\gamma) < 2 \gamma$ for every $\gamma > 0$",
        lambda: ([g > 0], g * (1 + 2 * g) / (1 + g) < 2 * g),
    ),
    solver(
        "rank-one-upper-share",
        "rank-one-upper",
        r"$w^\top P^{-1} w + w^\top Q^{-1} w = \gamma$ with both parts positive gives each "
        r"below $\gamma$",
        lambda: ([*GAMMA, p > 0, q > 0, p + q == g], z3.And(p < g, q < g)),
    ),
    solver(
        "monotone-upper-eigenvalue",
        "potential-monotone",
        r"$1/(p+s) + s/(p+s)^2 \le 1/p$ for $p > 0$, $s \ge 0$",
        lambda: ([p > 0, step >= 0], 1 / (p + step) + step / (p + step) ** 2 <= 1 / p),
    ),
    solver(
        "monotone-lower-eigenvalue",
        "potential-monotone",
        r"$1/(q-s) - s/(q-s)^2 \le 1/q$ for $0 \le s < q$",
        lambda: ([step >= 0, step < q], 1 / (q - step) - step / (q - step) ** 2 <= 1 / q),
    ),
    solver(
        "monotone-upper-rate",
        "potential-monotone",
        r"$\gamma/(1-\gamma) \le \gamma/(1-2 \gamma)$: the upper barrier moves far enough",
        lambda: (GAMMA, g / (1 - g) <= g / (1 - 2 * g)),
    ),
    solver(
        "monotone-lower-rate",
        "potential-monotone",
        r"$t \le 2 \gamma$ gives $\gamma/(1+t) \ge \gamma/(1+2 \gamma)$: the lower one not too"
        " far",
        lambda: ([*GAMMA, a >= 0, a <= 2 * g], g / (1 + a) >= g / (1 + 2 * g)),
    ),
    solver(
        "growth-factor",
        "identity-8",
        r"the lower part grows by $(1+2 \gamma)/(1+\gamma) \le 1/(1-\gamma)$, the upper by "
        r"$1/(1-\gamma)$",
        lambda: (GAMMA, (1 + 2 * g) / (1 + g) <= 1 / (1 - g)),
    ),
    identity(
        "noise-step",
        "identity-7",
        r"$\gamma^2\, \mathrm{gap}/(4 \Phi) = (d^2 k/\gamma^2)(1+r)(r'-r)$ for $r'-r = "
        r"\gamma^3/(d k \Phi)$",
        lambda: (
            G**2 * U / (4 * S)
            - (D**2 * (1 - 4 * G**2) / G**2) * (G * U / (4 * D)) * (G**3 / (D * (1 - 4 * G**2) * S))
        ),
    ),
    identity(
        "clock-step",
        "identity-5",
        r"$V_{j+1} - V_j = (\bar{r} - r_{j+1})(\Phi_{j+1}^M - \Phi_j^M)$",
        lambda: (
            (U - L) * A + (S - U) * T - (S - L) * A - (S - U) * (T - A)
        ),  # r_{j+1}=u, r_j=l, rbar=Phi, Phi_j^M=a, Phi_{j+1}^M=theta
    ),
)
