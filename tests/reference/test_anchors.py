"""Exact values that can be worked out by hand or by enumerating a small tree."""

from fractions import Fraction

from asura.algorithm2_asura import Asura
from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.randomness import Seed
from asura.run import run


def test_one_dimension_is_deterministic() -> None:
    for seed in range(3):
        assert run(dataset([[1], [2], [-5]]), "1/4", chooser=Seed(seed)).length == 9


def test_initial_potential_and_probabilities() -> None:
    gamma = Fraction(1, 5)
    algorithm = Asura(dataset([[1, 0], [0, 1], [1, 1]]), gamma, EXACT)
    drawn = algorithm.distribution(algorithm.initial())
    assert drawn.potential == EXACT.scalar(gamma)  # d(1/u_0 - 1/l_0)
    assert [EXACT.enclosure(drawn.probability(i)).midpoint for i in range(3)] == [
        Fraction(1, 3)
    ] * 3
