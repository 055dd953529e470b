"""The unlucky path agrees with Algorithm 2, and breaks what it should break."""

from fractions import Fraction

import pytest

from asura.dataset import dataset
from asura.randomness import Picks
from asura.run import run
from asura_verify.deciding.numbers import at_most
from asura_verify.trees.axis_path import axis_path, breaks_spectral


@pytest.mark.parametrize(("dimension", "gamma"), [(1, "1/4"), (2, "3/10"), (3, "1/10")])
def test_it_is_a_run_of_algorithm_2(dimension: int, gamma: str) -> None:
    axes = dataset([[int(i == k) for k in range(dimension)] for i in range(dimension)])
    one = run(axes, gamma, chooser=Picks([0] * 10_000))
    path = axis_path(dimension, gamma)
    assert path.length == one.length
    enclosed = one.arithmetic.enclosure(one.final.upper)
    assert path.upper.lower <= enclosed.upper
    assert enclosed.lower <= path.upper.upper


def test_spectral_needs_its_range() -> None:
    """gamma = 1/138, d = 282: Gamma holds, and A^T A exceeds (1 + 1728 gamma) I."""
    path = axis_path(282, Fraction(1, 138))
    assert path.length == 322_232
    assert breaks_spectral(path).holds
    assert breaks_spectral(axis_path(2, Fraction(1, 138))).fails


def test_upper_barrier_can_hardly_move() -> None:
    for gamma in (Fraction(1, 100), Fraction(1, 1000)):
        assert at_most(axis_path(2, gamma).smallest_step, gamma / 3).holds
