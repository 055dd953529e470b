"""The field: what a set chosen in advance costs, a step of BSS, and the size of a coreset."""

from __future__ import annotations

import sympy
import z3

from asura_verify.proofs.obligations.model import Obligation, identity, solver

N, K = sympy.symbols("n k", positive=True)
u, a, delta, y = z3.Reals("u a delta y")

#: With X = 1_n, y = 1_S and |S| = k: the answer is 1, its loss n - k; beta* = k/n.
LOSS = N - K
OPTIMUM = K * (1 - K / N) ** 2 + (N - K) * (K / N) ** 2

FIELD: tuple[Obligation, ...] = (
    identity(
        "blind-set-fooled",
        "bss-labels",
        "$(n - k)/(k (1 - k/n)^2 + (n - k)(k/n)^2) = n/k$",
        lambda: LOSS / OPTIMUM - N / K,
    ),
    solver(
        "bss-shift-upper",
        "bss-barriers",
        r"$1/(u - a) - 1/(u + \delta - a) \ge \delta/(u + \delta - a)^2$ for $a < u$, $\delta "
        "> 0$",
        lambda: (
            [a < u, delta > 0],
            1 / (u - a) - 1 / (u + delta - a) >= delta / ((u + delta - a) * (u + delta - a)),
        ),
    ),
    # x = eps/16, nu = y^2 and y^3 = x <= 1/16 give 2 N = 32 R/eps; 1/10 is for the roundings.
    solver(
        "coreset-constant",
        "label-coreset",
        r"$(11/10)(1 + y) \le 8 (1 - y - y^2)^2$ and $1 - y - y^2 > 0$ for $0 \le y$, "
        r"$y^3 \le 1/16$",
        lambda: (
            [y >= 0, 16 * y * y * y <= 1],
            z3.And(11 * (1 + y) <= 80 * (1 - y - y * y) * (1 - y - y * y), 1 - y - y * y > 0),
        ),
    ),
)
