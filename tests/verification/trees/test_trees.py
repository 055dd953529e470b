"""Whole trees: anchors worked out independently, and agreement of every merged form."""

from fractions import Fraction

import pytest

from asura.algorithm1_regression import loss, optimum, weighted_least_squares
from asura.arithmetic import BallArithmetic
from asura.arithmetic.exact import EXACT
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import reduced_rank
from asura.sampling import WeightedSample
from asura.stopping import sure
from asura_verify.deciding.numbers import at_most, below
from asura_verify.trees.enumeration import (
    TreeTooLarge,
    UnboundedFunctional,
    enumerate_tree,
    expectation,
    length_distribution,
    probability,
)
from asura_verify.trees.losses import LossTree
from asura_verify.trees.quantities import (
    clock,
    clock_ceiling,
    clock_sides,
    clock_tail,
    expected_distinct_labels,
    expected_draws,
    expected_length,
    gamma_event,
    tail_sides,
    wald,
)

AXES = dataset([[1, 0], [0, 1]])
TRIANGLE = dataset([[1, 0], [0, 1], [1, 1]], unlabelled=2)
LABELLED = dataset([[1, 0], [2, 0], [0, 1], [1, 1]], labels=[1, -1, 3, 2], unlabelled=3)


def test_one_dimension_is_a_path() -> None:
    tree = enumerate_tree(dataset([[1], [2], [-5]]), "1/4", arithmetic=EXACT)
    assert tree.size == 10
    assert length_distribution(tree)[9].midpoint == 1
    # query-main: E lq = 9, and 2 R_X/gamma = 8
    assert expected_draws(tree).midpoint == 9
    assert below(2 * reduced_rank(tree.data) / tree.gamma, expected_draws(tree)).holds


def test_length_of_two_axes() -> None:
    tree = enumerate_tree(AXES, "3/10")
    assert list(length_distribution(tree)) == [10, 11, 12]
    length = expected_length(tree)
    assert at_most(Fraction("10.32753"), length).holds
    assert at_most(length, Fraction("10.32754")).holds
    total = expectation(tree, lambda _: tree.integer(1))
    assert total.lower <= 1 <= total.upper
    assert total.radius < Fraction(1, 10**20)


def test_short_lengths_are_likelier_than_um_lower_says() -> None:
    tree = enumerate_tree(dataset([[1]]), "1/10")
    bound = Fraction(7, 10) / tree.gamma**2  # p d/gamma^2 = 70
    assert list(length_distribution(tree)) == [62]
    assert bound > 62  # P(m < 70) = 1 > 0.7


def test_wald_equality_is_false() -> None:
    found = wald(AXES, "3/10")
    assert below(found.decoupled, found.summed).holds
    assert Fraction("2.427566") <= found.summed.lower <= found.summed.upper <= Fraction("2.427567")
    assert Fraction("2.424731") <= found.decoupled.lower
    assert found.decoupled.upper <= Fraction("2.424732")
    assert at_most(found.summed, found.bound).holds


def test_parallel_points_merge_exactly() -> None:
    merged = enumerate_tree(LABELLED, "2/5", arithmetic=EXACT)
    full = enumerate_tree(LABELLED, "2/5", arithmetic=EXACT, merge_parallel=False)
    assert (merged.size, full.size) == (121, 341)
    assert expected_length(merged) == expected_length(full)
    assert expected_draws(merged) == expected_draws(full)
    assert expected_distinct_labels(merged) == expected_distinct_labels(full)
    few, many = LossTree.of(merged), LossTree.of(full)
    assert few.expected_noise() == many.expected_noise() == few.noise_sides().left
    assert few.expected_excess(where=few.determined) == many.expected_excess(where=many.determined)


def test_excess_loss_is_that_of_algorithm_1() -> None:
    tree = enumerate_tree(LABELLED, "2/5", arithmetic=EXACT, merge_parallel=False)
    losses = LossTree.of(tree)
    best = optimum(LABELLED)[1].midpoint
    assert losses.optimum.midpoint == best
    labels = {i: y for i, y in enumerate(LABELLED.labels) if y is not None}
    total = Fraction(0)
    for node in tree.leaves:
        if losses.determined(node).fails:
            continue
        picks, weights = zip(*node.draws(), strict=True)
        sample = WeightedSample(EXACT, picks, weights)
        beta, _ = weighted_least_squares(LABELLED, sample, labels)
        reached = loss(LABELLED, [EXACT.enclosure(x).midpoint for x in beta]).midpoint
        total += EXACT.enclosure(node.probability).midpoint * (reached - best)
    assert losses.expected_excess(where=losses.determined).midpoint == total


def test_balls_enclose_the_exact_tree() -> None:
    exact = LossTree.of(enumerate_tree(LABELLED, "2/5", arithmetic=EXACT))
    balls = LossTree.of(enumerate_tree(LABELLED, "2/5"))
    assert exact.expected_excess(where=exact.determined).midpoint in balls.expected_excess(
        where=balls.determined
    )
    assert exact.expected_noise().midpoint in balls.expected_noise()
    assert exact.optimum.midpoint in balls.optimum


def test_low_precision_is_doubled() -> None:
    tree = enumerate_tree(dataset([[1]]), "1/20", arithmetic=BallArithmetic(8))
    assert (tree.arithmetic.precision or 0) > 8
    assert list(length_distribution(tree)) == list(
        length_distribution(enumerate_tree(dataset([[1]]), "1/20"))
    )


@pytest.mark.parametrize(
    ("data", "gamma"),
    [(AXES, "3/10"), (TRIANGLE, "7/20"), (dataset([[1], [1]]), "1/20"), (TRIANGLE, "9/20")],
)
def test_identities_of_whole_runs(data: Dataset, gamma: str) -> None:
    tree = enumerate_tree(data, gamma)
    for q in (Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)):
        assert tail_sides(tree, q).verdict.holds
    ones = [Fraction(1)] * tree.data.size
    first = [Fraction(1)] + [Fraction(0)] * (tree.data.size - 1)
    for coefficients in (None, ones, first):
        assert clock_sides(tree, coefficients).verdict.holds
    assert at_most(Fraction(93, 100), gamma_event(tree)).holds
    sharp = (1 / tree.gamma**2 - 2) * reduced_rank(tree.data)
    assert at_most(expected_draws(tree), sharp).holds
    assert at_most(expected_distinct_labels(tree), expected_draws(tree)).holds


def test_tail_and_event_agree() -> None:
    tree = enumerate_tree(AXES, "3/10")
    bound = tree.scalar(Fraction(9, 10))
    direct = probability(tree, lambda node: tree.arithmetic.less(clock(tree, node), bound))
    assert direct == clock_tail(tree, Fraction(9, 10))


def test_sure_rule_reports_what_it_cuts() -> None:
    tree = enumerate_tree(TRIANGLE, "1/4", stopping=sure(), horizon=5)
    assert tree.leaves == ()
    assert tree.mass_cut.lower <= 1 <= tree.mass_cut.upper
    with pytest.raises(UnboundedFunctional):
        expectation(tree, lambda node: node.state.upper)
    assert expected_length(tree).lower <= 5 <= expected_length(tree).upper
    deep = enumerate_tree(AXES, "2/5", stopping=sure("3/2"), horizon=14)
    length = expected_length(deep)
    assert deep.mass_cut.upper < Fraction(1, 100)
    assert length.radius < Fraction(1, 100)
    bound = (clock_ceiling(deep).upper * 2 * Fraction(9, 25)) / Fraction(4, 25)
    assert at_most(length, bound).holds
    assert clock_sides(deep).verdict.holds


@pytest.mark.parametrize(
    ("rows", "gamma", "level", "horizon"),
    [
        ([[1], [1], [2], [1]], "1/8", 1, None),
        ([[1], [1], [2], [1]], "1/5", 1, None),
        ([[1, 0], [1, 0], [0, 1], [0, 1]], "9/20", 10, 16),
    ],
)
def test_sure_stop_loss(rows: list[list[int]], gamma: str, level: int, horizon: int | None) -> None:
    data = dataset(rows, labels=[1, -1, 3, 2], unlabelled=2)
    losses = LossTree.of(enumerate_tree(data, gamma, stopping=sure(level), horizon=horizon))
    assert losses.sure_sides().verdict.holds
    assert losses.noise_sides().verdict.holds
    assert losses.every_noise_step().holds
    assert losses.sure_sides().left.lower > 0
    if level == 1:
        assert losses.sure_half_sides().verdict.holds


def test_main_on_a_path() -> None:
    """Row main, gamma = sqrt(eps)/33: here the expectation already gives probability 3/4."""
    data = ridge([[1], [1], [2]], 1, labels=[5, -4, 1])
    losses = LossTree.of(enumerate_tree(data, "1/33"))
    assert at_most(Fraction(3, 4), losses.chance_of_loss(Fraction(1))).holds
    assert at_most(expected_draws(losses.tree), 1089 * reduced_rank(data)).holds


def test_too_large_a_tree_is_refused() -> None:
    with pytest.raises(TreeTooLarge):
        enumerate_tree(TRIANGLE, "1/10", maximal_nodes=1000)


def test_a_planted_bias_is_seen() -> None:
    """The bounds are not vacuous: half of the clock lemma's right side is refuted."""
    sides = clock_sides(enumerate_tree(AXES, "3/10"))
    assert at_most(sides.left, sides.right.upper / 2).fails
