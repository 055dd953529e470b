"""What goes beyond the paper: the scalar parts of its proofs."""

from __future__ import annotations

import sympy
import z3

from asura_verify.proofs.obligations.model import Obligation, identity, solver
from asura_verify.proofs.obligations.one_step import GAMMA, G, S, g

p, r, y, t, a, b, theta, xi, delta = z3.Reals("P r y t a b theta xi delta")
Q, L, KAPPA, LAM, TAU, LEVERAGE, PSI, NU, REACH, Z = sympy.symbols(
    "q L kappa lambda tau l psi nu c z", positive=True
)
LEVEL = (REACH - 1) / (Z * REACH + REACH - 1)
K = 1 - 4 * G**2
ETA_ABOVE = 1 / ((1 - G) * (1 - 2 * G))
ETA_BELOW = 1 / ((1 + 2 * G) * (1 + 2 * G + 2 * G**2))

BEYOND: tuple[Obligation, ...] = (
    identity(
        "drift-upper-rate",
        "drift",
        r"$e/(1-2 \gamma) - e/(1-\gamma) = \gamma^2/((1-\gamma)(1-2 \gamma) \Phi)$ for $e = "
        r"\gamma/\Phi$",
        lambda: G / S / (1 - 2 * G) - G / S / (1 - G) - G**2 * ETA_ABOVE / S,
    ),
    identity(
        "drift-lower-rate",
        "drift",
        r"$e(1+\gamma)/(1+2 \gamma+2 \gamma^2) - e/(1+2 \gamma) = \gamma^2 \eta_Q/\Phi$ for $e"
        r" = \gamma/\Phi$",
        lambda: (
            G / S * (1 + G) / (1 + 2 * G + 2 * G**2) - G / S / (1 + 2 * G) - G**2 * ETA_BELOW / S
        ),
    ),
    solver(
        "drift-upper-eigenvalue",
        "drift",
        r"$a = 1/(1-\gamma)$, $b = 1/(1-2 \gamma)$, $P \ge 1/\gamma$, $1-5 \gamma+5 \gamma^2 "
        r"\ge 0$: $((b-a)P + b^2)P \ge (b-a)(P+b)^2$",
        lambda: (
            [
                *GAMMA,
                1 - 5 * g + 5 * g * g >= 0,
                p * g >= 1,
                a * (1 - g) == 1,
                b * (1 - 2 * g) == 1,
            ],
            ((b - a) * p + b * b) * p >= (b - a) * (p + b) ** 2,
        ),
    ),
    identity(
        "theta-rates",
        "theta-supermartingale",
        r"$1/\eta_P + 1/\eta_Q = 2 + \gamma + 8 \gamma^2 + 4 \gamma^3$",
        lambda: 1 / ETA_ABOVE + 1 / ETA_BELOW - (2 + G + 8 * G**2 + 4 * G**3),
    ),
    solver(
        "theta-factor",
        "theta-supermartingale",
        r"$F(r')(1 - \theta y) \le F(r)$ for $r' = r + y(1+r)$, $F(r) = (1+r)/(1+(1-\theta) "
        "r)$",
        lambda: (
            [r >= 0, y >= 0, theta >= 0, theta <= 1],
            (1 + y) * (1 - theta * y) * (1 + (1 - theta) * r)
            <= 1 + (1 - theta) * (r + y * (1 + r)),
        ),
    ),
    identity(
        "tail-start",
        "tail-sharp",
        "$(q/(1+q))/(L - 1/(1+q)) = q/((1+q)L - 1)$",
        lambda: Q / (1 + Q) / (L - 1 / (1 + Q)) - Q / ((1 + Q) * L - 1),
    ),
    identity(
        "tail-elapsed",
        "tail-sharp",
        r"$s$ grows by $(k \psi^2/4)$ times the growth of $r$",
        lambda: G**2 * PSI / 4 - K * PSI**2 / 4 * (G**2 / (K * PSI)),
    ),
    solver(
        "tight-lower",
        "tight-rates",
        r"$\xi^2 + \xi (1-2 \gamma) \ge \gamma$ gives $\gamma (1+\xi)/(1+\xi-\gamma) \le \xi$",
        lambda: (
            [g > 0, g < 1, xi > 0, xi * xi + xi * (1 - 2 * g) >= g],
            z3.And(1 + xi - g > 0, g * (1 + xi) <= xi * (1 + xi - g)),
        ),
    ),
    solver(
        "tight-newton",
        "tight-rates",
        r"$\xi = \gamma + \gamma^2 - \gamma^4/(1+2 \gamma^2)$ is admissible, and so is $\gamma"
        r" + \gamma^2$",
        lambda: (
            [g > 0, g < 1, xi * (1 + 2 * g * g) == (g + g * g) * (1 + 2 * g * g) - g**4],
            z3.And(
                xi * xi + xi * (1 - 2 * g) >= g, (g + g * g) ** 2 + (g + g * g) * (1 - 2 * g) >= g
            ),
        ),
    ),
    identity(
        "one-sided-rate",
        "one-sided",
        r"$\eta = \nu/(1-\nu^2)$, $t = \eta/(1-(1-\nu)\eta)$: $1/(1+t) = 1 - \nu$",
        lambda: 1 / (1 + (NU / (1 - NU**2)) / (1 - (1 - NU) * NU / (1 - NU**2))) - (1 - NU),
    ),
    solver(
        "one-sided-explicit",
        "one-sided",
        r"$x = y^3$, $\nu = y^2$, $1-y-y^2 > 0$: the constant is at most $y^3 "
        "(1+y)/(1-y-y^2)^2$",
        lambda: (
            [y > 0, 1 - y - y * y > 0],
            z3.And(
                2 * (1 - y**4) >= 1,  # so the noise is at most y^3 (1 + y)
                1 - y * y - (1 - y**4) * y >= 1 - y - y * y,
            ),
        ),
    ),
    identity(
        "budget-best-level",
        "sure-budget",
        "at $a = (c-1)/(zc + c-1)$: $c((1-a)^2 + a^2 z)/(c-a)^2 = cz/(z c^2 + (c-1)^2)$",
        lambda: (
            REACH * ((1 - LEVEL) ** 2 + LEVEL**2 * Z) / (REACH - LEVEL) ** 2
            - REACH * Z / (Z * REACH**2 + (REACH - 1) ** 2)
        ),
    ),
    identity(
        "coins-best",
        "free-draws",
        r"$l (1-p)/p = \tau$ for $p = l/(l+\tau)$",
        lambda: LEVERAGE * (1 - LEVERAGE / (LEVERAGE + TAU)) / (LEVERAGE / (LEVERAGE + TAU)) - TAU,
    ),
    solver(
        "zero-labels-eigenvalue",
        "zero-labels",
        r"$0 < t \le \delta < 1$: $(1-t)/t \ge (1-\delta)/\delta$",
        lambda: ([t > 0, t <= delta, delta < 1], (1 - t) * delta >= (1 - delta) * t),
    ),
    identity(
        "shrunken-optimum",
        "shrunken-draws",
        r"$s^2/\lambda + (1-s)^2 \kappa = 1/(\lambda + 1/\kappa)$ at $s = \kappa \lambda/(1 + "
        r"\kappa \lambda)$",
        lambda: (
            (KAPPA * LAM / (1 + KAPPA * LAM)) ** 2 / LAM
            + (1 / (1 + KAPPA * LAM)) ** 2 * KAPPA
            - 1 / (LAM + 1 / KAPPA)
        ),
    ),
)
