"""Not the formulas again, but what each of them is for."""

from fractions import Fraction

import pytest
from flint import arb, ctx

from asura import formulas
from asura.scalars import rational


@pytest.mark.parametrize("gamma", [Fraction(1, 1000), Fraction(1, 6), Fraction(49, 100)])
def test_the_barriers_move_by_k_and_c(gamma: Fraction) -> None:
    k, upper, lower = formulas.curvature(gamma), gamma / (1 - 2 * gamma), gamma / (1 + 2 * gamma)
    assert k * (upper + lower) / 2 == gamma
    for d in (1, 7):
        # One unit of gamma/Phi: the clock gamma gap/(4d) grows by c.
        assert formulas.pace(gamma, d) == (upper - lower) / (4 * d)
        assert formulas.squared_length(gamma, d) * formulas.pace(gamma, d) == d / gamma**2
        assert formulas.clock_ceiling(gamma, d, Fraction(3)) == 3 + (upper - lower) / d


@pytest.mark.parametrize("gamma", [Fraction(1, 1000), Fraction(1, 6), Fraction(49, 100)])
def test_rho_is_a_root_and_theta_is_a_share(gamma: Fraction) -> None:
    assert 0 < formulas.largest_theta(gamma) < Fraction(1, 2)
    with ctx.workprec(128):
        ball = arb(rational(gamma))
        root = formulas.rho(ball)
        assert root > 0
        rest = root * root + formulas.curvature(ball) / 4 * root - 1
        assert rest.contains(0)
        assert rest.rad() < arb(2) ** -100
