"""K1, K2 and K3 on named trees, by the predicates of the audit; planted mistakes are caught."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.kept.barriers import Barriers
from asura.kept.variants import Ending, one_sided, two_sided
from asura.scalars import fraction
from asura.stopping import sure
from asura_verify.claims.beyond import kept_trees as trees
from asura_verify.instances.kept import KeptTreeInstance
from asura_verify.trees.kept_runs import leaves
from tests.reference.kept import mistakes

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


def kept_one_sided(
    name: str, draws: object, nu: str, ending: Ending = "coin", budget: int = 0, text: Any = None
) -> KeptTreeInstance:
    data, number = DATA[name], Fraction(str(draws))
    variant = one_sided(data, number, nu, ending=ending)
    return KeptTreeInstance(data, variant, Fraction(nu), number, budget, text)


def kept_two_sided(
    name: str, gamma: str, level: object, ending: Ending, text: Any = None
) -> KeptTreeInstance:
    data, rule = DATA[name], sure(level)
    variant = two_sided(data, gamma, stopping=rule, ending=ending)
    return KeptTreeInstance(data, variant, Fraction(gamma), rule.level, 0, text)


@pytest.mark.parametrize(
    ("name", "draws", "nu", "ending"),
    [
        ("a point and its copy", 3, "1/3", "coin"),
        ("a light point", 2, "1/4", "coin"),
        ("a light point", 1, "2/5", "clip"),
        ("two on a line", 4, "2/5", "clip"),
        ("opposite labels", 4, "1/3", "coin"),
        ("singular D", 4, "2/5", "coin"),
        ("singular D", 4, "2/5", "clip"),
        ("a plane", 5, "1/4", "coin"),
        ("three in a plane", 3, "1/3", "clip"),
        ("tiny R", "1/2", "1/50", "coin"),
        ("a zero row", 5, "2/5", "coin"),
    ],
)
def test_one_sided_trees(name: str, draws: object, nu: str, ending: Ending) -> None:
    judgement = trees.one_sided_expectations(kept_one_sided(name, draws, nu, ending))
    assert judgement.verdict.holds, judgement.comparison
    assert judgement.applies


@pytest.mark.parametrize(
    ("name", "gamma", "level", "ending"),
    [
        ("a point and its copy", "1/4", 2, "overshoot"),
        ("a light point", "1/8", 1, "clip"),
        ("two on a line", "1/4", "11/10", "coin"),
        ("opposite labels", "1/4", "11/10", "overshoot"),
        ("singular D", "3/10", "8/5", "coin"),
        ("a plane", "1/4", "11/10", "clip"),
        ("three in a plane", "3/10", "8/5", "coin"),
        ("tiny R", "1/5", 1, "coin"),
        ("tiny R", "1/100", 1, "clip"),
    ],
)
def test_two_sided_trees(name: str, gamma: str, level: object, ending: Ending) -> None:
    judgement = trees.two_sided_expectations(kept_two_sided(name, gamma, level, ending))
    assert judgement.verdict.holds, judgement.comparison
    assert judgement.applies


@pytest.mark.parametrize(
    ("name", "draws", "nu", "budget"),
    [
        ("two on a line", 3, "1/4", 5),
        ("opposite labels", 3, "1/3", 5),
        ("a plane", 3, "1/3", 5),
        ("three in a plane", 2, "1/3", 4),
    ],
)
def test_redrawn_trees(name: str, draws: object, nu: str, budget: int) -> None:
    judgement = trees.one_sided_budgets(kept_one_sided(name, draws, nu, budget=budget))
    assert judgement.verdict.holds, judgement.comparison
    assert judgement.applies


@pytest.mark.parametrize(
    ("rows", "labels", "gamma"),
    [
        ([[1], [1], [10]], [3, -3, 0], "1/15"),
        ([[1, 0], [1, 1], [10, 0], [0, 10]], [1, -2, 0, 0], "1/12"),
        ([["1/100"], ["1/50"], [1]], [5, -7, 0], "1/15"),
    ],
)
def test_the_papers_rule_with_x2_kept(rows: Any, labels: Any, gamma: str) -> None:
    data = dataset(rows, unlabelled=2, labels=labels)
    instance = KeptTreeInstance(data, two_sided(data, gamma), Fraction(gamma), Fraction(1))
    for judgement in (trees.two_sided_sure_labels(instance), trees.two_sided_failures(instance)):
        assert judgement.verdict.holds, judgement.comparison
        assert judgement.applies


@pytest.mark.parametrize(
    ("text", "name", "ending", "caught"),
    [
        (mistakes.DistanceAlongD, "a point and its copy", "coin", "E draws"),
        (mistakes.TargetIsEverything, "two on a line", "coin", "E draws"),
        (mistakes.PotentialOverAll, "a point and its copy", "clip", "probabilities"),
        (mistakes.SamplesX2, "a point and its copy", "clip", "E[M]"),
        (mistakes.ForgottenClip, "a point and its copy", "clip", "E[M]"),
        (mistakes.ScaledCoin, "a point and its copy", "coin", "E[M]"),
        (mistakes.InverseProbability, "a point and its copy", "clip", "E[M]"),
    ],
)
def test_planted_mistakes_are_caught_in_one_sided_trees(
    text: Any, name: str, ending: Ending, caught: str
) -> None:
    assert trees.one_sided_expectations(kept_one_sided(name, 3, "2/5", ending)).verdict.holds
    judgement = trees.one_sided_expectations(kept_one_sided(name, 3, "2/5", ending, text=text))
    assert judgement.verdict.fails
    assert caught in judgement.comparison


@pytest.mark.parametrize(
    ("text", "ending", "caught"),
    [
        (mistakes.DistanceAlongD, "coin", "E draws"),
        (mistakes.PotentialOverAll, "clip", "probabilities"),
        (mistakes.NormalisedWithK, "clip", "E[M]"),
        (mistakes.SamplesX2, "clip", "E[M]"),
        (mistakes.ForgottenClip, "clip", "E[M]"),
        (mistakes.ScaledCoin, "coin", "E[M]"),
        (mistakes.InverseProbability, "clip", "E[M]"),
    ],
)
def test_planted_mistakes_are_caught_in_two_sided_trees(
    text: Any, ending: Ending, caught: str
) -> None:
    """The identity for D as the target shows in single steps (`test_steps`), not here."""
    name, gamma, level = "a point and its copy", "3/10", "8/5"
    assert trees.two_sided_expectations(kept_two_sided(name, gamma, level, ending)).verdict.holds
    wrong = kept_two_sided(name, gamma, level, ending, text)
    judgement = trees.two_sided_expectations(wrong)
    assert judgement.verdict.fails
    assert caught in judgement.comparison


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
