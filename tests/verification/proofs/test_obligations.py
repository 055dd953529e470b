"""Every obligation is proved; false variants of them are refuted, never proved."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
import z3
from flint import arb

from asura_verify.formulas import OPTIMA, Optimum
from asura_verify.proofs.obligations import OBLIGATIONS, Obligation, ProofOutcome, field_identities
from asura_verify.proofs.obligations.best_pairs import attained, no_better_pair
from asura_verify.proofs.obligations.model import always, constants, rationals, somewhere, vanishes
from asura_verify.proofs.obligations.rates import ROOT
from asura_verify.proofs.obligations.upper_bounds import integral_bound

g, d, phi, t, r, p, q, a, u, low, lam, eps, delta = z3.Reals(
    "gamma d Phi t r p q a u l lambda epsilon delta"
)
GAMMA = [g > 0, 2 * g < 1]
k = 1 - 4 * g * g


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda obligation: obligation.name)
def test_proved(obligation: Obligation) -> None:
    result = obligation.prove()
    assert result.outcome is ProofOutcome.PROVED, result.witness
    assert result.seconds < 10


def test_names_are_unique_and_statements_speak() -> None:
    names = [obligation.name for obligation in OBLIGATIONS]
    assert len(set(names)) == len(names) >= 100
    assert all(obligation.statement and obligation.slug for obligation in OBLIGATIONS)


PLANTED: dict[str, Callable[[], tuple[Any, Any]]] = {
    "bracket with 5 for 4": lambda: (
        [low < a, a < u],
        1 / (u - a) + 1 / (a - low) >= 5 / (u - low),
    ),
    "AM-GM with a constant too large": lambda: (
        [*GAMMA, phi > 0, t > 0, t * t == k],
        g * g * g / (k * phi) + g * phi / 4 >= 11 * g * g / (10 * t),
    ),
    "gap-final as printed, for gamma < 1/2": lambda: (
        [*GAMMA, *ROOT, p > 0, p * k <= g * g],
        z3.Real("rho") + p * (1 + z3.Real("rho")) <= z3.Q(5, 4),
    ),
    "gap-final up to 0.32": lambda: (
        [*GAMMA, 100 * g <= 32, *ROOT, p > 0, p * k <= g * g],
        z3.Real("rho") + p * (1 + z3.Real("rho")) <= z3.Q(5, 4),
    ),
    "lm-positive up to 1/257": lambda: (
        [*GAMMA, 257 * g <= 1, d >= 1, u * 64 * g * g >= d],
        u * (1 - 2 * g) * g > 4 * d,
    ),
    "condition number up to 1/270": lambda: (
        [*GAMMA, 270 * g <= 1, r >= 0, r * (1 + 2 * g) <= 260 * g],
        z3.And(r < 1, (1 - r) * (1 + 3456 * g) >= 1),
    ),
    "spectral for every gamma below 1/128": lambda: (
        [*GAMMA, 128 * g < 1],
        130 * g / (1 - 128 * g) <= 1728 * g,
    ),
    "rank-one factor gamma": lambda: (GAMMA, g * (1 + 2 * g) / (1 + g) <= g),
    "lower barrier at rate gamma/(1-2 gamma)": lambda: (
        [*GAMMA, q > 0, phi > 0, q * phi > 1],
        q - g / ((1 - 2 * g) * phi) > 0,
    ),
    "monotone with the barrier at rest": lambda: ([p > 0, t > 0], 1 / p + t / (p * p) <= 1 / p),
    "query bound with 1/gamma^2 - 3": lambda: (
        [*GAMMA, d >= 1, r <= 1 + 2 * g * g / (d * k)],
        k * r <= 1 - 3 * g * g,
    ),
    "sure-stop with 1.4": lambda: (
        [*GAMMA, 4 * g < 1, d >= 1, r == 1 + 2 * g * g / (d * k)],
        k * (r + r * r / 2) <= z3.Q(7, 5),
    ),
    "labels with 27.2": lambda: (
        [t > 0, 2 * t * t == 3, r > 0, r <= 1],
        10 * (t + 4 * r) * (t + 4 * r) <= 272,
    ),
    "gamma = sqrt(epsilon/27)": lambda: (
        [g > 0, 27 * g * g <= 1],
        3 * g * g / 2 <= 27 * g * g * (1 - 4 * g) * (1 - 4 * g),
    ),
    "coreset of 28 R/eps points": lambda: (
        [a >= 0, 14 * a * a * a <= 1],
        11 * (1 + a) <= 70 * (1 - a - a * a) * (1 - a - a * a),
    ),
    "decoding below lambda = 1": lambda: (
        [lam >= 0, lam <= 50, eps > 0, 100 * eps <= 1, d >= 1],
        d * (1 + eps * lam) / 1000 <= 2 * d * (1 + lam) * (1 + eps * lam) / 4000,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_falsehoods_are_refuted(name: str) -> None:
    attempt = always(PLANTED[name])
    assert attempt.outcome is ProofOutcome.REFUTED
    assert attempt.witness


def test_nothing_follows_from_a_contradiction() -> None:
    assert always(lambda: ([g > 0, g < 0], g > 7)).outcome is ProofOutcome.UNKNOWN


def test_what_does_not_exist_is_not_found() -> None:
    assert somewhere(lambda: ([g > 0], g < 0)).outcome is ProofOutcome.REFUTED


def test_a_false_identity_is_refuted() -> None:
    gamma = sympy.Symbol("gamma", positive=True)
    wrong = gamma / (1 - 2 * gamma) - gamma / (1 + 2 * gamma) - 2 * gamma**2
    assert vanishes(lambda: wrong).outcome is ProofOutcome.REFUTED


EVERY = field_identities.EVERY
WHOLE = field_identities._gram(EVERY)
ZERO = WHOLE[0] - WHOLE[0]

#: Samplers of the field that are wrong in one place, for every four points.
WRONG_IDENTITIES: dict[str, Callable[[], Any]] = {
    "the normaliser C(n, s)": lambda: (
        field_identities.volumes(3) - 2 * field_identities._determinant(WHOLE)
    ),
    "every set alike": lambda: (
        sum((field_identities._cramer(s)[0] for s in ((0, 1), (1, 2), (2, 3))), ZERO)
        - field_identities._cramer(EVERY)[0]
    ),
    "weights for one point more": lambda: (
        field_identities._coins(
            lambda s: field_identities._determinant(
                field_identities._gram(s, [w + w for w in field_identities.OTHERS])
            )
        )
        - field_identities.ALL**2 * field_identities._determinant(WHOLE)
    ),
    "E loss = 4 OPT": lambda: (
        field_identities.losses()
        - field_identities.Y[0] ** 2 * field_identities._determinant(WHOLE)
    ),
}


@pytest.mark.parametrize("name", WRONG_IDENTITIES)
def test_a_wrong_sampler_satisfies_no_identity(name: str) -> None:
    attempt = vanishes(lambda: WRONG_IDENTITIES[name]().as_expr())
    assert attempt.outcome is ProofOutcome.REFUTED


def test_constants_are_decided() -> None:
    assert constants(lambda: arb(2).log(), lambda: arb(69) / 100).outcome is ProofOutcome.REFUTED
    assert constants(lambda: arb(2).sqrt() ** 2, lambda: arb(2)).outcome is ProofOutcome.UNKNOWN
    assert rationals(lambda: integral_bound() <= 41).outcome is ProofOutcome.REFUTED


def test_constants_of_main_leave_little_room() -> None:
    """With C_0 = 32 in place of 33 the same three parameters no longer give 3/4."""
    assert Fraction(857, 4080) + Fraction(87, 2 * 32**2) > Fraction(1, 4)


@pytest.mark.parametrize("row", OPTIMA, ids=lambda row: f"{row.where}-{row.epsilon}")
def test_the_best_pairs_are_enclosed_from_both_sides(row: Optimum) -> None:
    """With the ends exchanged, or another pair, neither side is proved."""
    share = 1 if row.dimension == 1 else 0
    found = always(lambda: no_better_pair(row.epsilon, row.high, share))
    assert found.outcome is ProofOutcome.REFUTED
    assert not attained(replace(row, high=row.low))
    assert not attained(replace(row, gamma=row.gamma * Fraction(11, 10)))
    assert not attained(replace(row, level=row.level * 2))
