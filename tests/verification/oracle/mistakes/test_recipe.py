"""A recipe run in doubles, against an exact run on an axis-aligned instance and small sums."""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

import math
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from asura.dataset import Dataset, dataset
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.oracle.mistakes.recipe import (
    Doubles,
    FinalBarriers,
    PickContext,
    Recipe,
    StopContext,
)
from asura_verify.oracle.mistakes.recipe_run import DataInDoubles, RecipeRun

#: Points sqrt(c) e_i; of the second axis a quarter and three quarters.
AXES = dataset([[1, 0], [0, 1], [0, 1]], squared_scales=[4, 1, 3], unlabelled=2, labels=[1, 2, 0])
AXIS = (0, 1, 1)
SHARE = (Fraction(1), Fraction(1, 4), Fraction(3, 4))
GAMMA = Fraction(1, 5)


class Exact:
    """Algorithm 2 on those points, A being diagonal."""

    def __init__(self) -> None:
        self.upper, self.lower = 4 / GAMMA, -4 / GAMMA
        self.diagonal = [Fraction(0), Fraction(0)]
        self.total = Fraction(0)
        self.look()

    def look(self) -> None:
        bracket = [1 / (self.upper - a) + 1 / (a - self.lower) for a in self.diagonal]
        self.potential = sum(bracket, Fraction(0))
        self.probabilities = [
            share * bracket[axis] / self.potential for share, axis in zip(SHARE, AXIS, strict=True)
        ]

    def weight(self, index: int) -> Fraction:
        return GAMMA / (self.potential * self.probabilities[index])

    def take(self, index: int) -> None:
        self.diagonal[AXIS[index]] += self.weight(index) * SHARE[index]
        self.upper += GAMMA / (1 - 2 * GAMMA) / self.potential
        self.lower += GAMMA / (1 + 2 * GAMMA) / self.potential
        self.total += self.potential
        self.look()

    @property
    def clock(self) -> Fraction:
        return self.upper - self.lower + self.total


def near(value: object) -> Any:
    """Doubles of a dozen operations."""
    if isinstance(value, list):
        return pytest.approx([float(x) for x in value], rel=1e-12, abs=1e-13)
    return pytest.approx(float(value), rel=1e-12, abs=1e-13)  # type: ignore[arg-type]


def in_doubles(
    data: Dataset = AXES, gamma: float = 0.2, rule: StoppingRule = PAPER
) -> DataInDoubles:
    return DataInDoubles(data, gamma, rule)


def run(recipe: Recipe | None = None, *picks: int, rule: StoppingRule = PAPER) -> RecipeRun:
    """One that has looked, and looks again after every pick."""
    made = RecipeRun(recipe or Recipe(), in_doubles(rule=rule))
    made.look()
    for index in picks:
        made.take(index)
        made.look()
    return made


# -- the recipe without changes is the algorithm ---------------------------------------------------


def test_nothing_has_happened_before_the_first_look() -> None:
    made = RecipeRun(Recipe(), in_doubles())
    assert (made.potential, made.potential_sum, made.failed) == (0, 0, False)
    assert (made.upper, made.lower) == (20, -20)
    assert (made.dimension, made.gamma) == (2, 0.2)


def test_every_state_is_that_of_the_exact_run() -> None:
    made, exact = run(), Exact()
    weights, shares = [], []
    for index in (0, 2, 1, 2, 0):
        assert made.upper == near(exact.upper)
        assert made.lower == near(exact.lower)
        assert made.potential == near(exact.potential)
        assert made.potential_sum == near(exact.total)
        assert made.probabilities.tolist() == near(exact.probabilities)
        assert [made.weight(i) for i in range(3)] == near([exact.weight(i) for i in range(3)])
        assert made.remaining(Recipe()) == near(1 - exact.clock / 80)
        weights.append(exact.weight(index))
        shares.append(GAMMA / exact.potential)
        exact.take(index)
        assert made.barriers_after() == near([exact.upper, exact.lower])
        made.take(index)
        made.look()
        assert made.mid(Recipe()) == near((exact.upper + exact.lower) / 2)
    assert made.picks == [0, 2, 1, 2, 0]
    assert made.weights == near(weights)
    assert made.shares == near(shares)
    assert not made.failed


def test_the_default_lines() -> None:
    recipe = Recipe()
    assert recipe.normalised(np.array([3.0]), 2.0).tolist() == [1.5]
    assert recipe.alpha(np.array([3.0]), np.array([5.0]), 2.0, 0.25).tolist() == [1.5]
    assert recipe.mid(FinalBarriers(7.0, -2.0, 6.0, -1.0, 4.0, -3.0)) == 2.5
    assert recipe.reported_probability(np.array([0.25]), 0.5).tolist() == [0.25]
    assert recipe.first(3.0, 0.25) == (24.0, -24.0)
    plain = {f.name: getattr(recipe, f.name) for f in fields(recipe)}
    assert {name: value for name, value in plain.items() if not callable(value)} == {
        "points": "isometric",
        "update": None,
        "stale": False,
        "jitter": 0.0,
        "weight_potential": "now",
        "weight_probability": "now",
        "early_barriers": False,
        "rate_potential": "now",
        "order": "forward",
        "index_shift": 0,
        "clock": None,
        "bound": None,
        "clock_shift": 0,
        "regression": "weighted",
        "choose": None,
        "greedy": False,
        "index_from": 0,
        "reports_after": False,
        "counts_extra": 0,
    }


@pytest.mark.parametrize("name", [field.name for field in fields(Recipe)])
def test_recipes_share_a_run_unless_they_run_or_report_differently(name: str) -> None:
    """The choice of points, the end and the result do not change what happens along given picks."""
    later = {
        "clock", "bound", "clock_shift", "mid", "normalised", "alpha", "regression", "choose",
        "greedy", "counts_extra", "uniform", "order", "index_shift",
    }  # fmt: skip
    other: dict[str, Any] = {name: object()}
    changed = replace(Recipe(), **other)
    assert (changed.dynamics == Recipe().dynamics) is (name in later)


# -- the data --------------------------------------------------------------------------------------


def test_the_rows_of_each_kind() -> None:
    """X^T X = diag(4, 4): U = X/2; unscaled rows have axes of lengths 1 and sqrt(2)."""
    known = in_doubles()
    isometric = known.rows("isometric")
    assert (isometric @ isometric.T).ravel().tolist() == near(
        [1, 0, 0, 0, 0.25, math.sqrt(3) / 4, 0, math.sqrt(3) / 4, 0.75]
    )
    assert known.leverages.tolist() == near([1, 0.25, 0.75])
    assert known.rows("raw").ravel().tolist() == near([2, 0, 0, 1, 0, math.sqrt(3)])
    assert np.sum(known.rows("unscaled") ** 2, axis=1).tolist() == near([1, 0.5, 0.5])
    assert np.sum(known.rows("overscaled") ** 2, axis=1).tolist() == near([1, 0.1, 0.9])


@pytest.mark.parametrize(
    ("small", "rank"), [(2.0**-50, 1), (2.0**-50 + 2.0**-60, 2), (0.0, 1), (1.0, 2)]
)
def test_the_rank_of_unscaled_rows_is_counted_from_four_units_in_the_last_place(
    small: float, rank: int
) -> None:
    """Singular values 8 and 8 times `small`, of four rows."""
    data = dataset([[8, 0], [0, 8 * small], [0, 0], [0, 0]])
    assert in_doubles(data).rows("unscaled").shape == (4, rank)


# -- changed lines ---------------------------------------------------------------------------------


def test_a_stale_matrix_is_that_of_the_pick_before() -> None:
    made = run(Recipe(stale=True))
    states = [made.accumulated]
    seen = [made.potential]
    for index in (0, 2, 1):
        made.take(index)
        made.look()
        states.append(made.accumulated)
        seen.append(made.potential)
        old = states[-2]
        up = np.trace(np.linalg.inv(made.upper * np.eye(2) - old))
        low = np.trace(np.linalg.inv(old - made.lower * np.eye(2)))
        assert made.potential == near(up + low)
    assert len(set(seen)) == 4


def test_another_update_leaves_the_weight_alone() -> None:
    made = run(Recipe(update=lambda g, phi, p: 10 * p + phi + g), 1)
    entry = (10 * 0.125 + 0.2 + 0.2) / 4
    assert made.accumulated.ravel().tolist() == near([0, 0, 0, entry])
    assert made.weights == near([0.2 / 0.2 / 0.125])


def test_the_barriers_may_move_with_the_next_potential() -> None:
    """A = diag(2, 0), u = 20 and l = -20 as yet: 1/18 + 1/20 + 1/22 + 1/20."""
    made = run(Recipe(rate_potential="next"), 0)
    following = Fraction(1, 18) + Fraction(1, 22) + Fraction(1, 10)
    assert made.upper == near(20 + GAMMA / (1 - 2 * GAMMA) / following)
    assert made.lower == near(-20 + GAMMA / (1 + 2 * GAMMA) / following)
    assert made.potential_sum == near(Fraction(1, 5))
    assert made.previous_upper == 20


def test_other_names_for_d_and_gamma() -> None:
    recipe = Recipe(gamma=lambda g: 2 * g, dimension=lambda rank, width, size: size + 10 * width)
    made = RecipeRun(recipe, in_doubles(dataset([[1, 2], [2, 4], [3, 6]]), 0.1))
    assert (made.gamma, made.dimension) == (0.2, 23)
    assert made.upper == near(2 * 23 / 0.2)


# -- the end of the loop ---------------------------------------------------------------------------


def test_the_clock_of_the_sure_rule_leaves_out_the_potentials() -> None:
    made = run(None, 0, 2, rule=sure("1/2"))
    gap = made.upper - made.lower
    assert made.remaining(Recipe()) == near(1 - gap / (4 * 2 / 0.2 * 1.5))


def test_the_clock_may_be_early_or_late() -> None:
    exact = Exact()
    clocks = [exact.clock]
    for index in (0, 2, 1, 2):
        exact.take(index)
        clocks.append(exact.clock)
    made = run(None)
    assert made.remaining(Recipe(clock_shift=-1)) == near(1 - clocks[0] / 80)
    for j, index in enumerate((0, 2, 1)):
        made.take(index)
        made.look()
        assert made.remaining(Recipe(clock_shift=-1)) == near(1 - clocks[j] / 80)
        assert made.remaining(Recipe(clock_shift=0)) == near(1 - clocks[j + 1] / 80)
    made.take(2)  # and the next look
    made.look()
    after = made.barriers_after()
    ahead = after[0] - after[1] + made.potential_sum + made.potential
    assert made.remaining(Recipe(clock_shift=1)) == near(1 - ahead / 80)
    exact.take(1)
    assert made.remaining(Recipe(clock_shift=1)) == near(1 - exact.clock / 80)


def test_another_clock_and_another_bound() -> None:
    made = run(None, 0)
    seen: list[StopContext] = []

    def clock(at: StopContext) -> float:
        seen.append(at)
        return 3.0

    recipe = Recipe(clock=clock, bound=lambda d, g: d / g + 2)
    assert made.remaining(recipe) == near(0.75)
    (at,) = seen
    assert (at.upper, at.lower) == (made.upper, made.lower)
    assert (at.first_upper, at.first_lower, at.potential_sum) == (20, -20, near(0.2))
    assert at.gap == made.upper - made.lower


def test_the_ends_that_mid_is_made_of() -> None:
    made = run(None, 0)
    before = made.upper, made.lower
    made.take(1)
    found: list[FinalBarriers] = []

    def mid(ends: FinalBarriers) -> float:
        found.append(ends)
        return 7.5

    assert made.mid(Recipe(mid=mid)) == 7.5
    assert found == [FinalBarriers(made.upper, made.lower, *before, 20.0, -20.0)]


# -- the pick --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uniform", "index", "distance"),
    [
        (0.0, 0, 0.5),
        (0.45, 0, 0.05),
        (0.5, 1, 0.0),
        (0.6, 1, 0.025),
        (0.625, 2, 0.0),
        (0.9, 2, 0.275),
        (1.0, 2, 0.375),
    ],
)
def test_the_pick_for_a_uniform(uniform: float, index: int, distance: float) -> None:
    """The first probabilities are 1/2, 1/8 and 3/8; only inner ends are close to anything."""
    found, margin = run().chosen(Recipe(), uniform)
    assert found == index
    assert margin == near(distance)


def test_chances_need_no_norm_and_none_is_negative() -> None:
    recipe = Recipe(choose=lambda scene: np.array([2.0, -1.0, 6.0]))
    found, margin = run().chosen(recipe, 0.3)
    assert found == 2
    assert margin == near(0.05)
    assert run().chosen(Recipe(choose=lambda scene: np.array([0.0, 1.0, 1.0])), 0.4)[0] == 1


def test_the_only_point_is_near_to_no_other() -> None:
    made = RecipeRun(Recipe(), in_doubles(dataset([[3]])))
    made.look()
    assert made.chosen(Recipe(), 0.25) == (0, 1.0)
    made.take(0)
    assert not made.failed
    assert made.weights == near([0.2 / (2 / 10)])


def test_the_greedy_pick_is_sure() -> None:
    assert run().chosen(Recipe(greedy=True), 0.9) == (0, 1.0)


def test_what_a_choice_may_look_at() -> None:
    scenes: list[PickContext] = []

    def choose(scene: PickContext) -> Doubles:
        scenes.append(scene)
        return scene.probabilities

    made = run()
    made.chosen(Recipe(choose=choose), 0.5)
    first = made.probabilities
    made.take(2)
    made.look()
    made.chosen(Recipe(choose=choose), 0.5)
    assert [scene.taken.tolist() for scene in scenes] == [[False] * 3, [False, False, True]]
    assert [scene.unlabelled for scene in scenes] == [2, 2]
    for scene in scenes:
        assert scene.previous.tolist() == first.tolist()
        assert scene.leverages.tolist() == near([1, 0.25, 0.75])
    assert scenes[0].probabilities is first
    assert scenes[1].probabilities is made.probabilities
    assert made.probabilities.tolist() != first.tolist()


# -- numbers that break down -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(first=lambda d, g: (0.0, -1.0)),
        Recipe(potential=lambda up, low: math.inf),
        Recipe(potential=lambda up, low: math.nan, probability=lambda masses, phi: masses),
        Recipe(probability=lambda masses, phi: np.array([1.0, math.nan, 0.0])),
        Recipe(probability=lambda masses, phi: np.full(3, math.inf)),
    ],
    ids=["singular", "infinite", "potential", "one-probability", "probabilities"],
)
def test_a_look_may_fail(recipe: Recipe) -> None:
    assert run(recipe).failed


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(weight=lambda g, phi, p: math.inf),
        Recipe(probability=lambda masses, phi: np.array([0.0, 0.5, 0.5])),
        Recipe(upper_step=lambda g, phi: g / (phi - phi)),
    ],
    ids=["weight", "probability-zero", "division"],
)
def test_a_step_may_fail_and_does_not_count(recipe: Recipe) -> None:
    made = run(recipe)
    states = [made.failed]
    made.take(0)
    states.append(made.failed)
    assert states == [False, True]
    assert made.picks == []


# -- the regression --------------------------------------------------------------------------------

#: Rows 1, 2, 2 and 0; the last one is of X_2 as is the one before.
LINE = dataset([[1], [1], [2], [0]], squared_scales=[1, 4, 1, 1], unlabelled=2, labels=[1, 3, 5, 0])


@pytest.mark.parametrize(
    ("regression", "expected"),
    [
        # picks 0, 1, 0, 2: x = 1, 2, 1, 2 and y = 1, 3, 1, 5, with weights 1/2, 1, 2, 4
        ("weighted", Fraction(1 + 2 * 6 + 4 + 8 * 10, 1 + 2 * 4 + 4 + 8 * 4)),
        ("unweighted", Fraction(1 + 6 + 1 + 10, 1 + 4 + 1 + 4)),
        ("unlabelled", Fraction(1 + 2 * 6 + 4, 1 + 2 * 4 + 4)),
        ("squared", Fraction(1 + 4 * 6 + 16 + 64 * 10, 1 + 4 * 4 + 16 + 64 * 4)),
        ("distinct", Fraction(6 + 2 + 4 * 10, 4 + 2 + 4 * 4)),
        ("everything", Fraction(1 + 6 + 10, 1 + 4 + 4)),
        (
            "rooted",
            (math.sqrt(0.5) + 6 + math.sqrt(2) + 20) / (math.sqrt(0.5) + 4 + math.sqrt(2) + 8),
        ),
    ],
)
def test_the_regressions(regression: Any, expected: object) -> None:
    made = RecipeRun(Recipe(), in_doubles(LINE))
    made.picks, made.weights = [0, 1, 0, 2], [1.0, 2.0, 4.0, 8.0]
    found = made.beta(Recipe(regression=regression), 2.0)
    assert found is not None
    assert found.tolist() == near([expected])


def test_a_regression_without_an_answer() -> None:
    made = RecipeRun(Recipe(), in_doubles(replace(LINE, labels=(Fraction(1), None, None, None))))
    assert made.beta(Recipe(), 2.0) is None  # nothing was picked
    made.picks, made.weights = [0], [1.0]
    assert made.beta(Recipe(), 2.0) is not None
    made.picks, made.weights = [0, 1], [1.0, 1.0]
    assert made.beta(Recipe(), 2.0) is None  # a label is missing
    made.picks, made.weights = [0, 0], [1.0, -1.0]
    assert made.beta(Recipe(), 2.0) is None  # a weight is negative
    found = made.beta(Recipe(regression="rooted"), 2.0)
    assert found is not None
    assert found.tolist() == near([1])


def test_a_weight_of_zero_and_a_label_of_zero_count() -> None:
    made = RecipeRun(
        Recipe(), in_doubles(replace(LINE, labels=(Fraction(0), Fraction(3), None, None)))
    )
    made.picks, made.weights = [0, 1], [2.0, 1.0]
    for weights, expected in (([2.0, 1.0], 1.0), ([0.0, 1.0], 1.5), ([1.0, 0.0], 0.0)):
        made.weights = weights
        found = made.beta(Recipe(), 2.0)
        assert found is not None
        assert found.tolist() == near([expected])


def test_mistakes_that_agree_on_the_data_share_a_run() -> None:
    def same(first: Recipe, second: Recipe, scales: list[int], width: int = 2) -> bool:
        rows = [[1, 0, 0][:width], [0, 1, 0][:width], [1, 1, 0][:width]]
        known = DataInDoubles(dataset(rows, squared_scales=scales), 0.25, PAPER)
        return known.dynamics(first) == known.dynamics(second)

    plain, wide = Recipe(), Recipe(dimension=lambda rank, width, size: width)
    for points in ("unscaled", "overscaled"):
        assert same(plain, Recipe(points=points), [1, 1, 1])
        assert not same(plain, Recipe(points=points), [1, 1, 4])
        assert not same(plain, Recipe(points=points), [4, 2, 3])
    assert not same(plain, Recipe(points="raw"), [1, 1, 1])
    assert same(plain, wide, [1, 2, 3])
    assert same(plain, wide, [1, 1, 1])
    assert not same(plain, wide, [1, 2, 3], width=3)
