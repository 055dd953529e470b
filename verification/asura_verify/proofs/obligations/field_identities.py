"""The field's identities for all real points and labels, at small sizes: polynomials that vanish.

Points x_i in the plane, labels y_i and probabilities p_i are variables, so that one obligation
covers every instance of its size, degenerate ones included: both sides are multiplied by what
would stand below. Sums run over every outcome, and nothing is assumed of determinants.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from asura_verify.proofs.obligations.model import Obligation, identity

#: A polynomial of SymPy's sparse rings; the package has no types.
Polynomial = Any

COUNT = 4
NAMES = ("a", "b", "y", "p")
_RING, *_VARIABLES, T = ring([*(f"{n}{i}" for n in NAMES for i in range(COUNT)), "t"], QQ)
#: x_i = (a_i, b_i), label y_i, probability p_i; t tells coordinates apart.
A, B, Y, P = (_VARIABLES[COUNT * k : COUNT * (k + 1)] for k in range(4))
EVERY = tuple(range(COUNT))


def _gram(
    chosen: Iterable[int], weights: Sequence[Polynomial] | None = None
) -> tuple[Polynomial, Polynomial, Polynomial]:
    """The entries of sum w x x^T over some points."""
    first = second = third = _RING.zero
    for i in chosen:
        w = _RING.one if weights is None else weights[i]
        first, second, third = (
            first + w * A[i] * A[i],
            second + w * A[i] * B[i],
            third + w * B[i] * B[i],
        )
    return first, second, third


def _determinant(entries: tuple[Polynomial, Polynomial, Polynomial]) -> Polynomial:
    return entries[0] * entries[2] - entries[1] ** 2


def _cramer(
    chosen: Sequence[int], weights: Sequence[Polynomial] | None = None
) -> tuple[Polynomial, Polynomial]:
    """det(sum w x x^T) beta, both coordinates, of the weighted solution on some points."""
    first, second, third = _gram(chosen, weights)
    ones = {i: _RING.one if weights is None else weights[i] for i in chosen}
    right = sum((ones[i] * A[i] * Y[i] for i in chosen), _RING.zero)
    left = sum((ones[i] * B[i] * Y[i] for i in chosen), _RING.zero)
    return third * right - second * left, first * left - second * right


def _sets(size: int) -> Iterable[tuple[int, ...]]:
    return itertools.combinations(EVERY, size)


def _both(first: Polynomial, second: Polynomial) -> Polynomial:
    """Zero exactly when both are: t stands in neither."""
    return first + T * second


def volumes(size: int) -> Polynomial:
    """Sum of det(X_S^T X_S) - C(n-2, s-2) det(X^T X)."""
    found = sum((_determinant(_gram(s)) for s in _sets(size)), _RING.zero)
    return found - math.comb(COUNT - 2, size - 2) * _determinant(_gram(EVERY))


def solutions(size: int) -> Polynomial:
    """Sum of det(X_S^T X_S) beta_S - C(n-2, s-2) det(X^T X) beta*, both coordinates."""
    factor = math.comb(COUNT - 2, size - 2)
    whole = _cramer(EVERY)
    found = [_cramer(s) for s in _sets(size)]
    first, second = (
        sum((each[k] for each in found), _RING.zero) - factor * whole[k] for k in (0, 1)
    )
    return _both(first, second)


def inverses(size: int) -> Polynomial:
    """Sum of adj(X_S^T X_S) - C(n-2, s-2) ((n-1)/(s-1)) adj(X^T X), entry by entry."""
    factor = QQ(math.comb(COUNT - 2, size - 2) * (COUNT - 1), size - 1)
    whole = _gram(EVERY)
    found = [_gram(s) for s in _sets(size)]
    parts = [sum((each[k] for each in found), _RING.zero) - factor * whole[k] for k in (0, 1, 2)]
    return sum((T**k * part for k, part in enumerate(parts)), _RING.zero)


def losses() -> Polynomial:
    """At s = d: sum of det(X_S)^2 loss(beta_S) - (d + 1) OPT det(X^T X), times det(X^T X).

    det(X_S)^2 loss(beta_S) = sum_j (det(X_S) (y_j - x_j beta_S))^2, and det(X_S) beta_S is a
    polynomial by Cramer's rule; OPT det(X^T X) = |y|^2 det(X^T X) - y^T X (det(X^T X) beta*).
    """
    total = _RING.zero
    for i, k in _sets(2):
        det = A[i] * B[k] - A[k] * B[i]
        slopes = (Y[i] * B[k] - Y[k] * B[i], A[i] * Y[k] - A[k] * Y[i])
        for j in EVERY:
            total += (det * Y[j] - A[j] * slopes[0] - B[j] * slopes[1]) ** 2
    whole, beta = _determinant(_gram(EVERY)), _cramer(EVERY)
    optimum = sum(
        (Y[j] * (Y[j] * whole - A[j] * beta[0] - B[j] * beta[1]) for j in EVERY), _RING.zero
    )
    return total - 3 * optimum


#: Whatever is divided by p_i is multiplied by the others instead: q_i = p_0 p_1 p_2 p_3/p_i.
OTHERS = [math.prod((P[k] for k in EVERY if k != i), start=_RING.one) for i in EVERY]
ALL = math.prod(P, start=_RING.one)


def _coins(value: Callable[[tuple[int, ...]], Polynomial]) -> Polynomial:
    """The expectation over independent coins of probability p_i."""
    total = _RING.zero
    for size in range(COUNT + 1):
        for s in _sets(size):
            chance = math.prod((P[i] if i in s else 1 - P[i] for i in EVERY), start=_RING.one)
            total += chance * value(s)
    return total


def coin_determinants() -> Polynomial:
    """E det(sum x x^T/p) - det(X^T X), times (p_0 p_1 p_2 p_3)^2."""
    expected = _coins(lambda s: _determinant(_gram(s, OTHERS)))
    return expected - ALL**2 * _determinant(_gram(EVERY))


def coin_solutions() -> Polynomial:
    """E[det beta] - det(X^T X) beta*, both coordinates, times (p_0 p_1 p_2 p_3)^2."""
    expected = _coins(lambda s: _both(*_cramer(s, OTHERS)))
    return expected - ALL**2 * _both(*_cramer(EVERY))


def ridge_inclusions() -> Polynomial:
    """P(0 in S) - x^T (X^T X + lambda I)^-1 x for three points, times det(I + L); p_0 is lambda.

    With L = X X^T/lambda: the sum of det(L_S) over S with 0 in S, against the ridge leverage times
    the sum over all S, everything times lambda^3 det(X^T X + lambda I).
    """
    points, lam = (0, 1, 2), P[0]

    def minor(s: tuple[int, ...]) -> Polynomial:
        if not s:
            return _RING.one
        rows = [[A[i] * A[k] + B[i] * B[k] for k in s] for i in s]
        if len(s) == 1:
            return rows[0][0]
        if len(s) == 2:
            return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
        return sum(
            (
                sign * rows[0][i] * rows[1][j] * rows[2][k]
                for i, j, k, sign in (
                    (0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1),
                    (2, 1, 0, -1), (1, 0, 2, -1), (0, 2, 1, -1),
                )
            ),
            _RING.zero,
        )  # fmt: skip

    sets = [s for size in range(4) for s in itertools.combinations(points, size)]
    weights = {s: minor(s) * lam ** (3 - len(s)) for s in sets}
    whole = sum(weights.values(), _RING.zero)
    first, second, third = _gram(points)
    first, third = first + lam, third + lam
    score = third * A[0] ** 2 - 2 * second * A[0] * B[0] + first * B[0] ** 2
    inside = sum((weight for s, weight in weights.items() if 0 in s), _RING.zero)
    return inside * (first * third - second**2) - score * whole


def _vanishing(
    name: str, slug: str, statement: str, difference: Callable[[], Polynomial]
) -> Obligation:
    def expression() -> sympy.Expr:
        found: sympy.Expr = difference().as_expr()
        return found

    return identity(name, slug, statement, expression)


_PLANE = "four points in the plane with labels, all real numbers"

FIELD_IDENTITIES: tuple[Obligation, ...] = (
    *(
        _vanishing(
            f"volumes-of-four-{size}",
            "volume-normaliser",
            rf"{_PLANE}: $\sum \det(X_S^\top X_S) = C(2, {size - 2}) \det(X^\top X)$ over "
            f"$|S| = {size}$",
            partial(volumes, size),
        )
        for size in (2, 3)
    ),
    *(
        _vanishing(
            f"unbiased-on-four-{size}",
            "volume-unbiased",
            rf"{_PLANE}: $\sum \det(X_S^\top X_S) \beta_S = C(2, {size - 2}) \det(X^\top X) "
            rf"\beta^\ast$ over $|S| = {size}$",
            partial(solutions, size),
        )
        for size in (2, 3)
    ),
    _vanishing(
        "loss-on-four",
        "volume-loss",
        rf"{_PLANE}: $\sum \det(X_S)^2\, \mathrm{{loss}}(\beta_S) = 3\, \mathrm{{OPT}} "
        r"\det(X^\top X)$ over $|S| = 2$",
        losses,
    ),
    *(
        _vanishing(
            f"inverse-on-four-{size}",
            "volume-inverse",
            rf"{_PLANE}: $\sum \mathrm{{adj}}(X_S^\top X_S) = C(2, {size - 2}) (3/{size - 1}) "
            rf"\mathrm{{adj}}(X^\top X)$ over $|S| = {size}$",
            partial(inverses, size),
        )
        for size in (2, 3)
    ),
    _vanishing(
        "coins-on-four-determinant",
        "leverage-determinants",
        rf"{_PLANE}: $\mathbb{{E}} \det(\sum x x^\top/p) = \det(X^\top X)$ for coins of any $p$",
        coin_determinants,
    ),
    _vanishing(
        "coins-on-four-solution",
        "leverage-determinants",
        rf"{_PLANE}: $\mathbb{{E}}[\det \beta] = \det(X^\top X) \beta^\ast$ for coins of any "
        "$p$",
        coin_solutions,
    ),
    _vanishing(
        "ridge-inclusion-of-three",
        "ridge-process",
        r"three points in the plane, any $\lambda$: $\mathbb{P}(i \in S)$ is the ridge leverage of "
        "$i$",
        ridge_inclusions,
    ),
)
