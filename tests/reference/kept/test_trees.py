"""E draws, E excess, spectrum and overruns of K1 and K2 on whole trees, below their bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx

from asura.dataset import Dataset, dataset
from asura.kept.bounds import (
    one_sided_excess,
    one_sided_least,
    overrun,
    two_sided_draws,
    two_sided_excess,
)
from asura.kept.measures import measured
from asura.kept.variants import Ending, one_sided, two_sided
from asura.scalars import rational
from asura.stopping import sure
from tests.reference.kept.tree import BITS, expectation
from tests.reference.kept.truth import Truth

#: Small pools: R small enough that a run has a few draws; labels at odds with X_2.
DATA: dict[str, Dataset] = {
    "a point and its copy": dataset([[1], [1]], unlabelled=1, labels=[3, 0]),
    "a light point": dataset([[1], [3]], unlabelled=1, labels=[-2, 1]),
    "two on a line": dataset([[1], [2], [3]], unlabelled=2, labels=[2, -1, 0]),
    "opposite labels": dataset([[1], [1], [2]], unlabelled=2, labels=[5, -5, 0]),
    "singular D": dataset([[1, 0], [1, 0], [0, 1], [1, 1]], unlabelled=2, labels=[1, -2, 0, 1]),
    "a plane": dataset([[1, 0], [1, 1], [2, 0], [0, 2]], unlabelled=2, labels=[1, -3, 0, 0]),
    "three in a plane": dataset(
        [[1, 0], [0, 1], [1, 1], [3, 0], [0, 3]], unlabelled=3, labels=[2, 0, -1, 0, 0]
    ),
    "tiny R": dataset([["1/1000", "1/1000"], [0, "1/1000"], [1, 0], [0, 1]], unlabelled=2,
                      labels=[1, 2, 0, 0]),
    "a zero row": dataset([[0, 0], [1, 1], [1, 0], [0, 1]], unlabelled=2, labels=[4, 2, 0, 0]),
}  # fmt: skip

ONE_SIDED = [
    (name, Fraction(draws), Fraction(nu), ending)
    for name, draws, nu, ending in (
        ("a point and its copy", 3, "1/3", "coin"),
        ("a point and its copy", 3, "1/3", "clip"),
        ("a light point", 2, "1/4", "coin"),
        ("a light point", 1, "2/5", "clip"),
        ("two on a line", "5/2", "1/3", "coin"),
        ("two on a line", 4, "2/5", "clip"),
        ("two on a line", 5, "1/4", "coin"),
        ("opposite labels", 2, "1/4", "coin"),
        ("opposite labels", 4, "1/3", "coin"),
        ("opposite labels", 4, "1/3", "clip"),
        ("singular D", 4, "2/5", "coin"),
        ("singular D", 4, "2/5", "clip"),
        ("a plane", 3, "1/3", "coin"),
        ("a plane", 3, "1/3", "clip"),
        ("a plane", 5, "1/4", "coin"),
        ("three in a plane", 3, "1/3", "coin"),
        ("three in a plane", 3, "1/3", "clip"),
        ("tiny R", "1/2", "1/50", "coin"),
        ("tiny R", 2, "1/10", "clip"),
        ("a zero row", 5, "2/5", "coin"),
    )
]

TWO_SIDED = [
    (name, Fraction(gamma), Fraction(level), ending)
    for name, gamma, level, ending in (
        ("a point and its copy", "1/4", 2, "coin"),
        ("a point and its copy", "1/4", 2, "clip"),
        ("a point and its copy", "1/4", 2, "overshoot"),
        ("a light point", "1/5", 1, "coin"),
        ("a light point", "1/8", 1, "clip"),
        ("a light point", "1/5", 1, "overshoot"),
        ("two on a line", "1/4", "11/10", "coin"),
        ("two on a line", "1/4", "11/10", "clip"),
        ("two on a line", "2/7", "3/2", "overshoot"),
        ("opposite labels", "1/4", "11/10", "coin"),
        ("opposite labels", "1/4", "11/10", "clip"),
        ("opposite labels", "1/4", "11/10", "overshoot"),
        ("singular D", "3/10", "8/5", "coin"),
        ("singular D", "3/10", "8/5", "clip"),
        ("a plane", "3/10", "8/5", "coin"),
        ("a plane", "1/4", "11/10", "clip"),
        ("a plane", "1/4", "11/10", "overshoot"),
        ("three in a plane", "3/10", "8/5", "coin"),
        ("tiny R", "1/5", 1, "coin"),
        ("tiny R", "1/100", 1, "clip"),
        ("a zero row", "3/10", "8/5", "overshoot"),
    )
]


def optimum_on_x1(data: Dataset) -> Fraction:
    return Truth(data).optimum(data.unlabelled)


def at_most(value: arb, bound: Fraction) -> bool:
    """Decide value <= bound, where equality counts up to 2^-200."""
    with ctx.workprec(BITS):
        return bool(value <= arb(rational(bound + Fraction(1, 2**200))))


@pytest.mark.parametrize(("name", "draws", "nu", "ending"), ONE_SIDED)
def test_one_sided_trees(name: str, draws: Fraction, nu: Fraction, ending: Ending) -> None:
    data = DATA[name]
    size = measured(data)
    ratio = size.rank / draws
    excess = one_sided_excess(ratio, nu, size.norm)
    assert excess is not None
    least = one_sided_least(ratio, nu, size.norm)
    reach = Fraction(6, 5)
    seen = expectation(data, one_sided(data, draws, nu, ending=ending), least=least,
                       most=reach * draws)  # fmt: skip
    assert seen.total.contains(1)
    assert seen.least_kept
    assert at_most(seen.draws, draws + (1 if ending == "clip" else 0))
    assert at_most(seen.excess, excess * optimum_on_x1(data))
    assert at_most(seen.overruns, overrun(reach, ratio, nu, size.norm))


@pytest.mark.parametrize(("name", "gamma", "level", "ending"), TWO_SIDED)
def test_two_sided_trees(name: str, gamma: Fraction, level: Fraction, ending: Ending) -> None:
    data = DATA[name]
    size = measured(data)
    excess = two_sided_excess(size.rank, gamma, level, ending, size.norm)
    assert excess is not None
    k = 1 - 4 * gamma**2
    least = 1 - 2 * gamma * size.norm / (1 + 2 * gamma) - 2 * gamma / (k * level)
    variant = two_sided(data, gamma, stopping=sure(level), ending=ending)
    seen = expectation(data, variant, least=least)
    assert seen.total.contains(1)
    assert seen.least_kept
    assert at_most(seen.draws, two_sided_draws(size.rank, gamma, level, ending, size.norm))
    assert at_most(seen.excess, excess * optimum_on_x1(data))
