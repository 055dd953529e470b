"""The packing, the lower bound and its match: rows packing, lower-bound(-opt) and optimal."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3
from flint import arb

from asura_verify.proofs.obligations.model import Obligation, ball, exact, identity, solver

d, lam, eps, m, x, y, s, n, h = z3.Reals("d lambda epsilon m x y s n h")
D, LAM, EPS, N, H, SS, B = sympy.symbols("d lambda epsilon n k s rho", positive=True)

RANGE = [lam >= 1, lam <= 50, eps > 0, 100 * eps <= 1, d >= 1]
RADIUS = d * (eps * lam * (1 + lam) + 1 + lam) / 2000


#: Parameters of the 3/4-probability lower bound: share of the mean, prior, tail of OPT.
SHARE, SPREAD = Fraction(2, 25), Fraction(157, 20)


def _best_prior() -> sympy.Expr:
    size = 1 + LAM
    prior = SS * size / (LAM * (1 - SS))
    accuracy = SS**2 / LAM
    return (
        1 / (accuracy * size * (1 + LAM * prior / size))
        - 1 / prior
        - (1 - SS) ** 2 / (accuracy * size)
    )


def _paley_zygmund() -> Fraction:
    return (1 - SHARE) ** 2 / 3 - Fraction(1, 4) - 2 / (2 + SPREAD**2)


LOWER_BOUNDS: tuple[Obligation, ...] = (
    identity(
        "optimum-of-the-instance",
        "lower-bound-opt",
        r"$d(\lambda^2 + (1+\lambda)/\varepsilon) + d \lambda = d(\lambda (1+\lambda) + "
        r"(1+\lambda)/\varepsilon)$",
        lambda: D * (LAM**2 + (1 + LAM) / EPS) + D * LAM - D * (LAM * (1 + LAM) + (1 + LAM) / EPS),
    ),
    solver(
        "packing-radius",
        "packing",
        r"the radius $0.0005 d(1+\lambda)(1+\varepsilon \lambda)$ is at most $0.001 "
        r"d(1+\lambda) \le d/5$",
        lambda: (RANGE, z3.And(d * (1 + lam) / 1000 >= RADIUS, d * (1 + lam) / 1000 <= d / 5)),
    ),
    ball(
        "packing-exponent",
        "packing",
        r"$\log_2(e/(0.001(1+\lambda))) \le \log_2(500 e) \le 11$ for $\lambda \ge 1$",
        lambda: (500 * arb(1).exp()).log() / arb(2).log(),
        lambda: arb(11),
    ),
    ball(
        "packing-exponent-fails-below-one",
        "packing",
        r"at $\lambda = 0$ the exponent would need $\log_2(1000 e) > 11$",
        lambda: arb(11),
        lambda: (1000 * arb(1).exp()).log() / arb(2).log(),
    ),
    solver(
        "packing-ratio",
        "packing",
        "the printed quotient $(0.8d+1)/(0.6d+1)$ is below 2",
        lambda: ([d >= 1], (8 * d / 10 + 1) / (6 * d / 10 + 1) < 2),
    ),
    ball(
        "packing-factor-two-is-lost",
        "packing",
        r"$d = 100$, $\lambda = 1$: $2 (500 e)^{0.2}$ exceeds $2^{2.2}$, so the factor 2 needs"
        " the -1",
        lambda: arb(2) ** (arb(22) / 10),
        lambda: 2 * (500 * arb(1).exp()) ** (arb(1) / 5),
    ),
    solver(
        "decoding-radius",
        "lower-bound",
        r"$0.001 d(1+\varepsilon \lambda)$ is at most a quarter of $0.002 "
        r"d(1+\lambda)(1+\varepsilon \lambda)$: with the $\lambda$ term kept, decoding is "
        r"unique for $\lambda \ge 1$",
        lambda: (RANGE, d * (1 + eps * lam) / 1000 <= 2 * d * (1 + lam) * (1 + eps * lam) / 4000),
    ),
    solver(
        "decoding-radius-without-lambda",
        "lower-bound",
        r"without it, $0.001 d(1+\lambda)(1+\varepsilon \lambda)$ exceeds that quarter",
        lambda: (
            RANGE,
            d * (1 + lam) * (1 + eps * lam) / 1000 > 2 * d * (1 + lam) * (1 + eps * lam) / 4000,
        ),
    ),
    ball(
        "consistent-logarithms-above",
        "lower-bound",
        r"with one base of logarithms 3/2 becomes $(3/2) \log 2 \le 1.04$",
        lambda: arb(3) / 2 * arb(2).log(),
        lambda: arb(104) / 100,
    ),
    ball(
        "consistent-logarithms-below",
        "lower-bound",
        r"$(3/2) \log 2 \ge 1.039$, so the printed 1.4 is not reached",
        lambda: arb(1039) / 1000,
        lambda: arb(3) / 2 * arb(2).log(),
    ),
    solver(
        "assouad",
        "lower-bound",
        r"$(1 - x)/2 \le 1/4 + 0.00075(1+h)$ gives $x \ge 1/2 - 0.0015(1+h)$",
        lambda: (
            [x >= 0, h >= 0, (1 - x) / 2 <= z3.Q(1, 4) + 75 * (1 + h) / 100000],
            x >= z3.Q(1, 2) - 15 * (1 + h) / 10000,
        ),
    ),
    exact(
        "assouad-constant",
        "lower-bound",
        r"$(1/2 - 0.0015(1+\varepsilon \lambda))^2 \ge 0.247$ for $\varepsilon \lambda \le "
        "1/2$",
        lambda: (
            (Fraction(1, 2) - Fraction(15, 10_000) * Fraction(3, 2)) ** 2 >= Fraction(247, 1000)
        ),
    ),
    exact(
        "paley-zygmund",
        "lower-bound",
        "$(1 - 2/25)^2/3 > 1/4 + 2/(2 + (157/20)^2)$",
        lambda: _paley_zygmund() > 0,
        _paley_zygmund,
    ),
    solver(
        "forty-four",
        "lower-bound",
        r"$80/(1+0.03 \cdot 8.85) /(\varepsilon L) - 1/0.03 > 44/(\varepsilon L)$ for "
        r"$\varepsilon \le 1/100$, $L \le 51$",
        lambda: (
            [eps > 0, 100 * eps <= 1, x >= 1, x <= 51, y * eps * x == 1],
            80 * y / (1 + z3.Q(3, 100) * z3.Q(177, 20)) - z3.Q(100, 3) > 44 * y,
        ),
    ),
    identity(
        "optimal-posterior",
        "optimal",
        r"$(n-k)^2 \rho/(1+k \rho) + (n-k) = (n-k)(1+n \rho)/(1+k \rho)$",
        lambda: (N - H) ** 2 * B / (1 + H * B) + (N - H) - (N - H) * (1 + N * B) / (1 + H * B),
    ),
    solver(
        "optimal-convex",
        "optimal",
        r"$1/(1+k \rho)$ lies above its tangents: convex in the number $k$ of labels",
        lambda: (
            [x > 0, y >= 0, h >= 0],
            1 / (1 + h * x) >= 1 / (1 + y * x) - x * (h - y) / ((1 + y * x) * (1 + y * x)),
        ),
    ),
    identity(
        "optimal-prior",
        "optimal",
        r"$1/\rho = \lambda (1-s)/(s L)$, $\varepsilon = s^2/\lambda$, $L = 1+\lambda$: "
        r"$1/(\varepsilon L (1 + \lambda \rho/L)) - 1/\rho = (1-s)^2/(\varepsilon L)$",
        _best_prior,
    ),
    solver(
        "optimal-prior-is-best",
        "optimal",
        r"for every $\rho$, $1/(\varepsilon L(1+\lambda \rho/L)) - 1/\rho \le "
        r"(1-s)^2/(\varepsilon L)$",
        lambda: (
            [lam > 0, s > 0, s < 1, eps * lam == s * s, x > 0],
            1 / (eps * (1 + lam + lam * x)) - 1 / x <= (1 - s) * (1 - s) / (eps * (1 + lam)),
        ),
    ),
    identity(
        "optimal-learner",
        "optimal",
        r"with $k = (1-s)^2/(\varepsilon L)$ labels the shrunken mean has noise $(1-s)^2/(k L)"
        r" = \varepsilon$",
        lambda: (1 - SS) ** 2 / (((1 - SS) ** 2 / (EPS * (1 + LAM))) * (1 + LAM)) - EPS,
    ),
    solver(
        "optimal-learner-bias",
        "optimal",
        r"$s^2 = \varepsilon \lambda$ makes the bias $s^2 \mu^2/L = \varepsilon (\lambda/L) "
        r"\mu^2$",
        lambda: (
            [lam >= 0, s >= 0, s < 1, s * s == eps * lam],
            s * s * x * x / (1 + lam) == eps * lam / (1 + lam) * x * x,
        ),
    ),
    solver(
        "optimal-nothing-to-read",
        "optimal",
        r"$\varepsilon \lambda \ge 1$: the answer 0 has excess $\mu^2/L \le \varepsilon (v + "
        r"\mu^2 \lambda/L)$",
        lambda: (
            [lam > 0, eps > 0, eps * lam >= 1, y >= 0],
            x * x / (1 + lam) <= eps * (y + x * x * lam / (1 + lam)),
        ),
    ),
    solver(
        "leverage-cap",
        "leverage-sampling",
        r"$\min(1, x) \le x$, with equality only for $x \le 1$: the equality fails once a "
        "point is capped",
        lambda: ([x >= 0], z3.And(z3.If(x < 1, x, 1) <= x, (z3.If(x < 1, x, 1) == x) == (x <= 1))),
    ),
    solver(
        "kernel-root-dropped",
        "rr-kernel",
        r"$K = 1$: without $\sqrt{\lambda}$ there is $R_X = 1/2$, with it $1/(1+\lambda)$, "
        r"equal only at $\lambda = 1$",
        lambda: ([lam > 0, lam != 1], 1 / (1 + lam) != z3.Q(1, 2)),
    ),
    identity(
        "ridge-eigenvalue",
        "rr-ridge",
        r"$\sigma^2/(\sigma^2 + \lambda) = 1/(1 + \lambda/\sigma^2)$",
        lambda: B**2 / (B**2 + LAM) - 1 / (1 + LAM / B**2),
    ),
    identity(
        "kernel-eigenvalue",
        "rr-kernel",
        r"$\kappa^2/(\kappa^2 + \lambda \kappa) = 1/(1 + \lambda/\kappa)$",
        lambda: B**2 / (B**2 + LAM * B) - 1 / (1 + LAM / B),
    ),
)
