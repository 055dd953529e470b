"""E draws, E excess, spectrum and overruns of K1 and K2 on whole trees, below their bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from asura.arithmetic import EXACT, BallArithmetic
from asura.dataset import Dataset, dataset
from asura.dimensions import reduced_rank
from asura.kept.barriers import Barriers
from asura.kept.bounds import (
    one_sided_excess,
    one_sided_least,
    one_sided_noise,
    overrun,
    redrawn_excess,
    two_sided_draws,
    two_sided_excess,
)
from asura.kept.measures import measured
from asura.kept.noise import two_sided_noise
from asura.kept.variants import Ending, one_sided, two_sided
from asura.main_failure import kept_failure
from asura.run import longest
from asura.scalars import fraction, rational
from asura.stopping import sure
from tests.reference.kept import mistakes
from tests.reference.kept.tree import BITS, BallTruth, expectation, leaves
from tests.reference.kept.truth import Truth, labelled

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


def one_sided_failures(
    data: Dataset, draws: Fraction, nu: Fraction, ending: Ending, text: Any = Barriers
) -> set[str]:
    """Which statements about K2 the whole tree refutes."""
    size = measured(data)
    ratio = size.rank / draws
    excess = one_sided_excess(ratio, nu, size.norm)
    assert excess is not None
    reach = Fraction(6, 5)
    seen = expectation(
        data,
        one_sided(data, draws, nu, ending=ending),
        least=one_sided_least(ratio, nu, size.norm),
        most=reach * draws,
        text=text,
    )
    statements = {
        "probabilities": bool(seen.total.contains(1)),
        "spectrum": seen.least_kept,
        "mean": seen.unbiased,
        "draws": at_most(seen.draws, draws + (1 if ending == "clip" else 0)),
        "noise": at_most(seen.noise, one_sided_noise(ratio, nu, size.norm) * optimum_on_x1(data)),
        "excess": at_most(seen.excess, excess * optimum_on_x1(data)),
        "overruns": at_most(seen.overruns, overrun(reach, ratio, nu, size.norm)),
    }
    return {name for name, kept in statements.items() if not kept}


def two_sided_failures(
    data: Dataset, gamma: Fraction, level: Fraction, ending: Ending, text: Any = Barriers
) -> set[str]:
    """Which statements about K1 under the sure rule the whole tree refutes."""
    size = measured(data)
    excess = two_sided_excess(size.rank, gamma, level, ending, size.norm)
    assert excess is not None
    k = 1 - 4 * gamma**2
    seen = expectation(
        data,
        two_sided(data, gamma, stopping=sure(level), ending=ending),
        least=1 - 2 * gamma * size.norm / (1 + 2 * gamma) - 2 * gamma / (k * level),
        text=text,
    )
    draws = two_sided_draws(size.rank, gamma, level, ending, size.norm)
    statements = {
        "probabilities": bool(seen.total.contains(1)),
        "spectrum": seen.least_kept,
        "mean": seen.unbiased or ending == "overshoot",
        "draws": at_most(seen.draws, draws),
        "noise": at_most(
            seen.noise,
            two_sided_noise(size.rank, gamma, level, ending, size.norm) * optimum_on_x1(data),
        ),
        "excess": at_most(seen.excess, excess * optimum_on_x1(data)),
    }
    return {name for name, kept in statements.items() if not kept}


@pytest.mark.parametrize(("name", "draws", "nu", "ending"), ONE_SIDED)
def test_one_sided_trees(name: str, draws: Fraction, nu: Fraction, ending: Ending) -> None:
    assert one_sided_failures(DATA[name], draws, nu, ending) == set()


@pytest.mark.parametrize(("name", "gamma", "level", "ending"), TWO_SIDED)
def test_two_sided_trees(name: str, gamma: Fraction, level: Fraction, ending: Ending) -> None:
    assert two_sided_failures(DATA[name], gamma, level, ending) == set()


@pytest.mark.parametrize(
    ("name", "draws", "nu", "budget"),
    [
        ("a point and its copy", "5/2", "1/3", 4),
        ("two on a line", 2, "1/3", 4),
        ("two on a line", 3, "1/4", 5),
        ("opposite labels", 3, "1/3", 5),
        ("a plane", 2, "2/5", 4),
        ("a plane", 3, "1/3", 5),
        ("three in a plane", 2, "1/3", 4),
    ],
)
def test_redrawn_trees(name: str, draws: object, nu: str, budget: int) -> None:
    """K3: P(more than B draws) and E[excess | at most B draws], below their bounds."""
    data, expected, exact = DATA[name], Fraction(str(draws)), Fraction(nu)
    size = measured(data)
    ratio = size.rank / expected
    bound = redrawn_excess(budget / size.rank, ratio, exact, size.norm)
    assert bound is not None
    seen = expectation(data, one_sided(data, expected, exact), budget=budget)
    with ctx.workprec(BITS):
        missed, given = seen.total - seen.within, seen.excess_within / seen.within
    assert at_most(missed, overrun(budget / expected, ratio, exact, size.norm))
    assert at_most(given, bound * optimum_on_x1(data))


@pytest.mark.parametrize(
    ("rows", "labels", "gamma"),
    [
        ([[1], [1], [10]], [3, -3, 0], "1/15"),
        ([[1], [2], [12]], [1, -4, 0], "1/15"),
        ([[1, 0], [1, 1], [10, 0], [0, 10]], [1, -2, 0, 0], "1/12"),
        ([["1/100"], ["1/50"], [1]], [5, -7, 0], "1/15"),
    ],
)
def test_the_papers_rule_with_x2_kept(rows: Any, labels: Any, gamma: str) -> None:
    """K1: never more than ceil(R sqrt(k)/g^2) draws; P(excess > eps OPT_1) below its bound."""
    data = dataset(rows, unlabelled=2, labels=labels)
    variant = two_sided(data, gamma)
    optimum = optimum_on_x1(data)
    for factor in (Fraction(1, 10), Fraction(1)):
        epsilon = factor * Fraction(gamma) ** 2 * 225
        with ctx.workprec(BITS):
            truth, failed = BallTruth(data), arb(0)
            for leaf in leaves(Barriers(data, variant, BallArithmetic(BITS))):
                assert leaf.draws <= longest(variant.reduced_rank, Fraction(gamma))
                pairs = zip(leaf.picks, leaf.weights, strict=True)
                weights = [(i, w / leaf.progress) for i, w in pairs if i is not None]
                if not truth.excess(weights) <= arb(rational(epsilon * optimum)):
                    failed += leaf.probability
        assert at_most(failed, kept_failure(Fraction(gamma), epsilon))


COPY, LINE = DATA["a point and its copy"], DATA["two on a line"]


@pytest.mark.parametrize(
    ("text", "data", "ending", "caught"),
    [
        (mistakes.DistanceAlongD, COPY, "coin", "draws"),
        (mistakes.TargetIsEverything, LINE, "coin", "draws"),
        (mistakes.PotentialOverAll, COPY, "clip", "probabilities"),
        (mistakes.SamplesX2, COPY, "clip", "mean"),
        (mistakes.ForgottenClip, COPY, "clip", "mean"),
        (mistakes.ScaledCoin, COPY, "coin", "mean"),
        (mistakes.InverseProbability, COPY, "clip", "mean"),
    ],
)
def test_planted_mistakes_are_caught_in_one_sided_trees(
    text: Any, data: Dataset, ending: Ending, caught: str
) -> None:
    assert one_sided_failures(data, Fraction(3), Fraction(2, 5), ending) == set()
    assert caught in one_sided_failures(data, Fraction(3), Fraction(2, 5), ending, text)


@pytest.mark.parametrize(
    ("text", "ending", "caught"),
    [
        (mistakes.DistanceAlongD, "coin", "draws"),
        (mistakes.PotentialOverAll, "clip", "probabilities"),
        (mistakes.NormalisedWithK, "clip", "mean"),
        (mistakes.SamplesX2, "clip", "mean"),
        (mistakes.ForgottenClip, "clip", "mean"),
        (mistakes.ScaledCoin, "coin", "mean"),
        (mistakes.InverseProbability, "clip", "mean"),
    ],
)
def test_planted_mistakes_are_caught_in_two_sided_trees(
    text: Any, ending: Ending, caught: str
) -> None:
    """The identity for D as the target shows in single steps (`test_steps`), not here."""
    gamma, level = Fraction(3, 10), Fraction(8, 5)
    assert two_sided_failures(COPY, gamma, level, ending) == set()
    assert caught in two_sided_failures(COPY, gamma, level, ending, text)


def test_the_forgotten_clip_out_of_all_proportion() -> None:
    """Tiny R: one full step with sigma cut off overweights its point a thousandfold."""
    data = DATA["tiny R"]
    assert "excess" in two_sided_failures(
        data, Fraction(1, 5), Fraction(1), "clip", mistakes.ForgottenClip
    )


@pytest.mark.parametrize("ending", ["clip", "coin"])
def test_exact_trees(ending: Ending) -> None:
    """The same in rationals: all probabilities sum to 1 and E[M] = I, to the last digit."""
    data = DATA["opposite labels"]
    barriers = Barriers(data, one_sided(data, "5/2", "1/3", ending=ending), EXACT)
    total, mean = Fraction(0), Fraction(0)
    for leaf in leaves(barriers):
        chance = fraction(leaf.probability)
        total += chance
        for index, weight in zip(leaf.picks, leaf.weights, strict=True):
            if index is not None:
                mean += chance * fraction(weight / leaf.progress) * data.points[index][0] ** 2
    assert total == 1
    assert mean == 2  # X_1^T X_1


def judged_tree(data: Dataset, which: int) -> set[str]:
    size = measured(data)
    if size.rank == 0:
        return set()
    ending: Ending = "coin" if which % 2 else "clip"
    if which < 2:
        draws, nu = max(Fraction(3, 2), size.rank * 9 / 4), Fraction(2, 5)
        if one_sided_excess(size.rank / draws, nu, size.norm) is None:
            return set()
        return one_sided_failures(data, draws, nu, ending)
    return two_sided_failures(data, Fraction(3, 10), Fraction(8, 5), ending)


@given(labelled(maximal_dimension=2, maximal_size=4), st.integers(0, 3))
def test_trees_of_any_data(data: Dataset, which: int) -> None:
    assume(reduced_rank(data) <= Fraction(3, 5))
    assert judged_tree(data, which) == set()
