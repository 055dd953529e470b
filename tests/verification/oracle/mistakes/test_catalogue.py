"""The catalogue, line by line: what each mistake computes from numbers that are easily checked."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.mistakes.answers import ANSWERS
from asura_verify.oracle.mistakes.catalogue import BY_NAME, CATALOGUE, SAMPLING, STRUCTURAL
from asura_verify.oracle.mistakes.picking import CHANCES
from asura_verify.oracle.mistakes.recipe import (
    Doubles,
    FinalBarriers,
    PickContext,
    Recipe,
    StopContext,
)
from asura_verify.oracle.mistakes.values import VALUES

UP, LOW = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([[5.0, 0.0], [0.0, 7.0]])

#: What the replaced lines are asked: gamma = 1/4, Phi = 1/2, p = 1/8, d = 3.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "gamma": (0.25,),
    "dimension": (2, 3, 5),
    "first": (3.0, 0.25),
    "bracket": (UP, LOW),
    "potential": (UP, LOW),
    "weight": (0.25, 0.5, 0.125),
    "update": (0.25, 0.5, 0.125),
    "upper_step": (0.25, 0.5),
    "lower_step": (0.25, 0.5),
    "clock": (
        StopContext(upper=7.0, lower=-2.0, first_upper=4.0, first_lower=-4.5, potential_sum=5.0),
    ),
    "bound": (3.0, 0.25),
    "mid": (FinalBarriers(7.0, -2.0, 6.0, -2.5, 4.0, -3.0),),
    "normalised": (3.0, 2.0),
    "alpha": (3.0, 5.0, 2.0, 0.25),
    "reported_probability": (np.array([0.25, 0.5]), 0.5),
}

#: Right are: potential 17, weight 4 and update none, steps 1 and 1/3, first 24 and -24, bound 96,
#: clock 14, mid 5/2, normalised 3/2, alpha 3/2, reported 1/4.
EXPECTED: dict[str, dict[str, Any]] = {
    "potential-product": {"potential": 31},
    "potential-upper-only": {"potential": 5},
    "potential-lower-only": {"potential": 12},
    "potential-halved": {"potential": 8.5},
    "bracket-upper-only": {"bracket": UP, "potential": 5},
    "bracket-lower-only": {"bracket": LOW, "potential": 12},
    "weight-without-probability": {"weight": 0.5},
    "weight-square-root": {"weight": 2},
    "weight-without-potential": {"weight": 2},
    "weight-without-gamma": {"weight": 16},
    "weight-times-probability": {"weight": 0.0625},
    "weight-times-potential": {"weight": 1},
    "update-without-weight": {"update": 1},
    "update-without-probability": {"update": 0.5},
    "update-squared": {"update": 16},
    "matrix-never-updated": {"update": 0},
    "matrix-stale": {"stale": True},
    "rates-swapped": {"upper_step": 1 / 3, "lower_step": 1},
    "upper-rate-sign": {"upper_step": 1 / 3},
    "lower-rate-sign": {"lower_step": 1},
    "rates-one-gamma": {"upper_step": 2 / 3, "lower_step": 0.4},
    "rates-plain": {"upper_step": 0.5, "lower_step": 0.5},
    "rates-times-potential": {"upper_step": 0.25, "lower_step": 1 / 12},
    "rates-without-potential": {"upper_step": 0.5, "lower_step": 1 / 6},
    "lower-sign": {"lower_step": -1 / 3},
    "upper-frozen": {"upper_step": 0},
    "lower-frozen": {"lower_step": 0},
    "rates-next-potential": {"rate_potential": "next"},
    "barriers-halved": {"first": (12, -12)},
    "barriers-without-dimension": {"first": (8, -8)},
    "barriers-doubled": {"first": (48, -48)},
    "gamma-halved": {"gamma": 0.125},
    "gamma-rooted": {"gamma": 0.5},
    "gamma-squared": {"gamma": 0.0625},
    "dimension-is-width": {"dimension": 3},
    "dimension-is-size": {"dimension": 5},
    "raw-coordinates": {"points": "raw"},
    "scales-ignored": {"points": "unscaled"},
    "scales-not-rooted": {"points": "overscaled"},
    "stop-gap-only": {"clock": 9},
    "stop-sum-only": {"clock": 5},
    "stop-growth": {"clock": 5.5},
    "stop-bound-doubled": {"bound": 192},
    "stop-one-late": {"clock_shift": -1},
    "stop-one-early": {"clock_shift": 1},
    "mid-upper": {"mid": 7},
    "mid-sum": {"mid": 5},
    "mid-gap": {"mid": 4.5},
    "mid-first-barrier": {"mid": 1},
    "mid-first-lower": {"mid": 2},
    "mid-previous": {"mid": 1.75},
    "weights-unnormalised": {"normalised": 3},
    "weights-times-mid": {"normalised": 6},
    "alpha-with-probability": {"alpha": 2.5},
    "alpha-unnormalised": {"alpha": 3},
    "beta-unweighted": {"regression": "unweighted"},
    "beta-unlabelled-only": {"regression": "unlabelled"},
    "beta-squared-weights": {"regression": "squared"},
    "beta-rooted-weights": {"regression": "rooted"},
    "beta-distinct": {"regression": "distinct"},
    "beta-everything": {"regression": "everything"},
    "probability-unnormalised": {"reported_probability": (0.125, 0.25)},
    "index-from-one": {"index_from": 1},
    "reports-after-step": {"reports_after": True},
    "m-off-by-one": {"counts_extra": 1},
}


def replaced(recipe: Recipe) -> dict[str, Any]:
    """The lines that a recipe does not share with the algorithm."""
    plain = Recipe()
    every = {field.name: getattr(recipe, field.name) for field in fields(recipe)}
    return {name: line for name, line in every.items() if line != getattr(plain, name)}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_mistake_replaces_its_line_and_no_other(name: str) -> None:
    lines = replaced(BY_NAME[name].recipe)
    found = {k: line(*ARGUMENTS[k]) if callable(line) else line for k, line in lines.items()}
    assert found.keys() == EXPECTED[name].keys()
    for field, expected in EXPECTED[name].items():
        if isinstance(expected, str | bool):
            assert found[field] == expected
        else:
            wanted = [float(x) for x in np.ravel(expected)]
            assert np.ravel(found[field]).tolist() == pytest.approx(wanted, rel=1e-14)


def test_the_square_root_survives_a_negative_potential() -> None:
    assert BY_NAME["weight-square-root"].recipe.weight(0.25, -0.5, 0.125) == 2


#: Three draws from four points, of which the last two are X_2.
DRAWN = np.array([[0.5, 0.25, 0.0, 0.25], [0.125, 0.125, 0.5, 0.25], [0.0, 0.0, 0.25, 0.75]])
BEFORE = np.array([[0.5, 0.25, 0.0, 0.25], [0.5, 0.25, 0.0, 0.25], [0.125, 0.125, 0.5, 0.25]])
LEVERAGES = np.array([0.5, 0.75, 0.5, 0.25])
TAKEN = np.array([[False] * 4, [True, False, False, False], [False, False, True, True]])
SCENE = PickContext(DRAWN, BEFORE, LEVERAGES, 2, TAKEN)

CHOICES: dict[str, list[list[float]]] = {
    "picks-uniform": [[1.0] * 4] * 3,
    "picks-leverage": [[0.5, 0.75, 0.5, 0.25]] * 3,
    "picks-rooted": np.sqrt(DRAWN).tolist(),
    "picks-squared": (DRAWN * DRAWN).tolist(),
    "picks-stale": BEFORE.tolist(),
    "picks-unlabelled-only": [[0.5, 0.25, 0, 0], [0.125, 0.125, 0, 0], [0, 0, 0.25, 0.75]],
    "picks-tilted": [[0.55, 0.25, 0, 0.25], [0.1375, 0.125, 0.5, 0.25], [0, 0, 0.25, 0.75]],
    "picks-never-last": [[0.5, 0.25, 0, 0], [0.125, 0.125, 0.5, 0], [0, 0, 0.25, 0]],
    "picks-never-first": [[0, 0.25, 0, 0.25], [0, 0.125, 0.5, 0.25], [0, 0, 0.25, 0.75]],
    "picks-without-replacement": [[0.5, 0.25, 0, 0.25], [0, 0.125, 0.5, 0.25], [0, 0, 0.25, 0.75]],
}


def one_draw(scene: PickContext, row: int) -> PickContext:
    """Without the axis of draws, as the run of a recipe has it."""
    return PickContext(
        scene.probabilities[row], scene.previous[row], scene.leverages, 2, scene.taken[row]
    )


@pytest.mark.parametrize("name", CHOICES)
def test_the_chances_of_a_sampling_mistake(name: str) -> None:
    choose = BY_NAME[name].recipe.choose
    assert choose is not None
    assert replaced(BY_NAME[name].recipe) == {"choose": choose}
    together = np.broadcast_to(choose(SCENE), DRAWN.shape)
    assert together.ravel().tolist() == pytest.approx(np.ravel(CHOICES[name]).tolist())
    for row, expected in enumerate(CHOICES[name]):
        single: Doubles = choose(one_draw(SCENE, row))
        assert single.tolist() == pytest.approx(expected)
    assert DRAWN[0].tolist() == [0.5, 0.25, 0.0, 0.25]  # what it was shown is not changed


def test_the_roots_of_masses_below_zero_are_zero() -> None:
    choose = BY_NAME["picks-rooted"].recipe.choose
    assert choose is not None
    below = PickContext(np.array([-1e-18, 0.25]), BEFORE[0], LEVERAGES, 2, TAKEN[0])
    assert choose(below).tolist() == [0.0, 0.5]


def test_the_greedy_pick_has_no_chances() -> None:
    assert replaced(BY_NAME["picks-greedy"].recipe) == {"greedy": True}


def test_the_catalogue_is_what_is_tested_here() -> None:
    """Those of `values`, `answers` and `picking` are held against the museum's text instead."""
    first = [mistake.name for mistake in STRUCTURAL if mistake not in (*VALUES, *ANSWERS)]
    assert first == list(EXPECTED)
    chances = [mistake.name for mistake in SAMPLING if mistake not in CHANCES]
    assert chances == [*CHOICES, "picks-greedy"]
    assert [mistake.name for mistake in CATALOGUE] == list(BY_NAME)
    explanations = [mistake.explanation for mistake in CATALOGUE]
    assert len(set(explanations)) == len(explanations)
    assert all(len(explanation.split()) > 2 for explanation in explanations)
