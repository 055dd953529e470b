"""The field: what a set chosen in advance costs, and a step of deterministic BSS."""

from __future__ import annotations

import sympy
import z3

from asura_verify.proofs.obligations.model import Obligation, identity, solver

N, K = sympy.symbols("n k", positive=True)
u, a, delta = z3.Reals("u a delta")

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
)
