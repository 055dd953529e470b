"""The constants of the upper bounds: row main (the paper's rule) and row sure-stop."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3
from flint import arb

from asura_verify.proofs.obligations.model import Obligation, ball, exact, identity, real, solver
from asura_verify.proofs.obligations.one_step import DIMENSION, GAMMA, D, G, d, g
from asura_verify.proofs.obligations.rates import K, c, k, r, rho, t, y

delta = z3.Real("delta")
Q, LIMIT, WORST, BALANCE, TILT = (
    Fraction(3, 20),
    Fraction(501, 500),
    Fraction(1, 33),
    Fraction(1, 4),
    Fraction(12, 5),
)
CC, RR, UU, TT = sympy.symbols("c r u T", positive=True)


def margin(rate: Fraction, gamma: Fraction) -> Fraction:
    """L(r) = (1-2gamma) r - 2gamma, with l_m = (d/gamma^2) L(r_m)."""
    return (1 - 2 * gamma) * rate - 2 * gamma


def tail_bound() -> Fraction:
    """P(r_m < q) at q = 3/20, by identity-4 with y = 12/5 and k <= 1."""
    return (TILT * Q + (1 - Q) / TILT) / (4 * (1 - Q))


def integral_bound() -> Fraction:
    """An upper bound of the integral of (1+r)/L(max(r,q))^2 over [0, 501/500] at gamma = 1/33.

    The part below q exactly; above, substitute u = L(r) and use 1/u <= (c/u^2 + 1/c)/2.
    """
    low, high = margin(Q, WORST), margin(LIMIT, WORST)
    below = (Q + Q * Q / 2) / low**2
    above = (1 + BALANCE / 2) * (1 / low - 1 / high) + (high - low) / (2 * BALANCE)
    return below + above / (1 - 2 * WORST) ** 2


def integral_ball() -> arb:
    """The same integral with its logarithm, in balls."""
    low, high, slope, below = (
        arb(x.numerator) / x.denominator
        for x in (margin(Q, WORST), margin(LIMIT, WORST), 1 - 2 * WORST, Q + Q * Q / 2)
    )
    return below / low**2 + (1 / low - 1 / high + (high / low).log()) / slope**2


MAIN: tuple[Obligation, ...] = (
    exact(
        "main-tail-constant",
        "main",
        "at $q = 3/20$, $y = 12/5$, $k = 1$: $(k y q + (1-q)/y)/(4(1-q)) = 857/4080$",
        lambda: tail_bound() == Fraction(857, 4080),
        tail_bound,
    ),
    solver(
        "main-upper-limit",
        "main",
        r"$\bar{r} \le 1 + 2c \le 501/500$ for $\gamma \le 1/33$ and $d \ge 1$",
        lambda: ([*GAMMA, 33 * g <= 1, *DIMENSION], 1 + 2 * c <= real(LIMIT)),
    ),
    solver(
        "main-margin-positive",
        "main",
        r"for $\gamma \le 1/33$ and $r \ge 3/20$: $L(r) \ge 31 r/33 - 2/33 > 0$",
        lambda: (
            [*GAMMA, 33 * g <= 1, 20 * r >= 3],
            z3.And((1 - 2 * g) * r - 2 * g >= (31 * r - 2) / 33, 31 * r - 2 > 0),
        ),
    ),
    identity(
        "main-substitution",
        "main",
        r"$u = L(r)$ gives $1 + r = (1 + u)/(1 - 2 \gamma)$",
        lambda: 1 + RR - (1 + (1 - 2 * G) * RR - 2 * G) / (1 - 2 * G),
    ),
    solver(
        "main-logarithm-avoided",
        "main",
        r"$1/u \le (c/u^2 + 1/c)/2$ for $u > 0$ and $c > 0$",
        lambda: ([r > 0, t > 0], 1 / r <= (t / (r * r) + 1 / t) / 2),
    ),
    identity(
        "main-antiderivative",
        "main",
        "$-(1 + c/2)/u + u/(2c)$ has derivative $1/u^2 + (c/u^2 + 1/c)/2$",
        lambda: (
            sympy.diff(-(1 + CC / 2) / UU + UU / (2 * CC), UU)
            - (1 / UU**2 + (CC / UU**2 + 1 / CC) / 2)
        ),
    ),
    exact(
        "main-integral",
        "main",
        r"the weighted noise integral at $\gamma = 1/33$, without logarithm, is at most 87/2",
        lambda: integral_bound() <= Fraction(87, 2),
        integral_bound,
    ),
    ball(
        "main-integral-logarithm",
        "main",
        "the same integral, with its logarithm, is at most 41",
        integral_ball,
        lambda: arb(41),
    ),
    exact(
        "main-three-quarters",
        "main",
        r"$857/4080 + 87/(2 \cdot 33^2) \le 1/4$",
        lambda: Fraction(857, 4080) + Fraction(87, 2 * 33**2) <= Fraction(1, 4),
        lambda: Fraction(857, 4080) + Fraction(87, 2 * 33**2),
    ),
    solver(
        "main-labels",
        "main",
        r"$\gamma^2 = \varepsilon/1089$ gives $1/\gamma^2 - 2 < 1089/\varepsilon$",
        lambda: ([*GAMMA, t > 0, 1089 * g * g == t], 1 / (g * g) - 2 < 1089 / t),
    ),
    solver(
        "noise-sum",
        "identity-7",
        r"$(1+a)(b-a) \le (b + b^2/2) - (a + a^2/2)$ for $0 \le a \le b$",
        lambda: ([r >= 0, t >= r], (1 + r) * (t - r) <= t + t * t / 2 - r - r * r / 2),
    ),
)

RBAR = 1 + 2 * G**2 / (D * K)

SURE: tuple[Obligation, ...] = (
    identity(
        "sure-excess-constant",
        "sure-stop",
        r"$1.5 - k(\bar{r} + \bar{r}^2/2) = (2 \gamma^2/(k d^2))((1-5 \gamma^2) + "
        r"k(d-1)(3d+1))$, $\bar{r} = 1+2c$",
        lambda: (
            sympy.Rational(3, 2)
            - K * (RBAR + RBAR**2 / 2)
            - 2 * G**2 / (K * D**2) * ((1 - 5 * G**2) + K * (D - 1) * (3 * D + 1))
        ),
    ),
    solver(
        "sure-excess-sign",
        "sure-stop",
        r"$(1-5 \gamma^2) + k(d-1)(3d+1) > 0$ for $\gamma < 1/4$ and $d \ge 1$",
        lambda: ([*GAMMA, 4 * g < 1, *DIMENSION], 1 - 5 * g * g + k * (d - 1) * (3 * d + 1) > 0),
    ),
    solver(
        "sure-spectrum",
        "sure-stop",
        r"$r_m \ge T$ gives $2 \gamma (1+1/r_m) \le 2 \gamma (1+1/T)$; $4 \gamma$ at $T = 1$",
        lambda: ([*GAMMA, t > 0, r >= t], 2 * g * (1 + 1 / r) <= 2 * g * (1 + 1 / t)),
    ),
    identity(
        "sure-length",
        "sure-stop",
        r"$d k \bar{r}/\gamma^2 = d k/\gamma^2 + 2$ at $T = 1$",
        lambda: D * K * RBAR / G**2 - D * K / G**2 - 2,
    ),
    identity(
        "sure-ceiling",
        "sure-stop",
        r"$\bar{r} = T + c(1+T)$: $k \bar{r} = k T + (\gamma^2/d)(1+T)$",
        lambda: K * (TT + G**2 / (D * K) * (1 + TT)) - K * TT - G**2 / D * (1 + TT),
    ),
    identity(
        "sure-gamma",
        "sure-stop",
        r"$\gamma = s/(b+4s)$ solves $b^2 \gamma^2/(1-4 \gamma)^2 = s^2$, with $b^2 = 3/2$ and"
        r" $s^2 = \varepsilon$",
        lambda: CC**2 * (RR / (CC + 4 * RR)) ** 2 / (1 - 4 * RR / (CC + 4 * RR)) ** 2 - RR**2,
    ),
    solver(
        "sure-labels",
        "sure-stop",
        r"$(b+4s)^2 \le 27.3$ for $b^2 = 3/2$ and $0 < s \le 1$, and $\gamma = s/(b+4s) < 1/4$",
        lambda: (
            [rho > 0, 2 * rho * rho == 3, r > 0, r <= 1],
            z3.And(10 * (rho + 4 * r) * (rho + 4 * r) <= 273, 4 * r < rho + 4 * r),
        ),
    ),
    solver(
        "sure-twenty-eight",
        "sure-stop",
        r"$\gamma^2 = \varepsilon/28 \le 1/28$ gives $1.5 \gamma^2 \le \varepsilon (1-4 "
        r"\gamma)^2$ and $\gamma < 1/4$",
        lambda: (
            [g > 0, 28 * g * g <= 1],
            z3.And(4 * g < 1, 3 * g * g / 2 <= 28 * g * g * (1 - 4 * g) * (1 - 4 * g)),
        ),
    ),
    solver(
        "sure-sharp-labels",
        "sure-stop",
        r"$T = \delta \le 1/2$, $\gamma^2 = \varepsilon \delta/(1+4 \delta)$, $64 \varepsilon "
        r"\le \delta^3$: $k \bar{r} \varepsilon/\gamma^2 \le 1 + 6 \delta$",
        lambda: (
            [
                *GAMMA,
                *DIMENSION,
                delta > 0,
                2 * delta <= 1,
                y > 0,
                y * delta == g * g * (1 + 4 * delta),  # y = epsilon
                64 * y <= delta * delta * delta,
            ],
            (k * delta + g * g * (1 + delta)) * y <= (1 + 6 * delta) * g * g,
        ),
    ),
    solver(
        "sure-sharp-gamma-small",
        "sure-stop",
        r"the same choice has $8 \gamma \le \delta^2$",
        lambda: (
            [
                g > 0,
                delta > 0,
                2 * delta <= 1,
                64 * g * g * (1 + 4 * delta) <= delta * delta * delta * delta,
            ],
            8 * g <= delta * delta,
        ),
    ),
    solver(
        "sure-sharp-ceiling",
        "sure-stop",
        r"$8 \gamma \le \delta^2$ and $k \bar{r} \le \delta + \gamma^2$ give $\bar{r} \le "
        r"\delta (1 + \delta/8)$",
        lambda: (
            [
                *[g > 0, delta > 0, 2 * delta <= 1, 8 * g <= delta * delta, r > 0],
                k * r <= k * delta + g * g * (1 + delta),
            ],
            r <= delta * (1 + delta / 8),
        ),
    ),
    solver(
        "sure-sharp-margin",
        "sure-stop",
        r"$8 \gamma \le \delta^2$ gives $(1-2 \gamma)\delta - 2 \gamma \ge \delta (1 - 3 "
        r"\delta/8) > 0$",
        lambda: (
            [g > 0, delta > 0, 2 * delta <= 1, 8 * g <= delta * delta],
            z3.And(
                (1 - 2 * g) * delta - 2 * g >= delta * (1 - 3 * delta / 8),
                delta * (1 - 3 * delta / 8) > 0,
            ),
        ),
    ),
    solver(
        "sure-sharp-excess",
        "sure-stop",
        r"$\bar{r} \le \delta (1+\delta/8)$, $L \ge \delta (1-3 \delta/8)$: $(\delta/(1+4 "
        r"\delta))(\bar{r} + \bar{r}^2/2) \le L^2$, so the excess is at most $\varepsilon$",
        lambda: (
            [
                *[delta > 0, 2 * delta <= 1, r > 0, r <= delta * (1 + delta / 8)],
                t >= delta * (1 - 3 * delta / 8),
            ],
            delta * (r + r * r / 2) <= (1 + 4 * delta) * t * t,
        ),
    ),
)

UPPER_BOUNDS: tuple[Obligation, ...] = (*MAIN, *SURE)
