"""Deterministic BSS with D = 4: its barriers step by step, and why it chooses no labels."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import example, given, settings
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset
from asura.definiteness import positive_definite, positive_semidefinite
from asura.errors import ExactRunTooLarge
from asura.randomness import Seed
from asura.samplers.barrier import (
    STEPS_PER_DIMENSION,
    BarrierSparsifier,
    BarrierState,
    Values,
    choose,
    evaluate,
    fooling_labels,
    initial,
    simplest_between,
    step,
)
from asura.scalars import fraction, rational
from asura_verify.instances.strategies import datasets
from asura_verify.trees.sampler_laws import normal, weighted
from tests.reference.samplers.identities import DEFICIENT, DUPLICATES, PARABOLA, SCALED
from tests.reference.samplers.mistakes import barriers_before_the_step, upper_without_difference

Evaluate = Callable[[Dataset, BarrierState], Values]
HALF = Fraction(1, 2)


def within(data: Dataset, state: BarrierState) -> bool:
    """Whether l I < A < u I."""
    gram = data.coordinates.gram()
    above = positive_definite(gram * rational(state.upper) - state.matrix)
    below = positive_definite(state.matrix - gram * rational(state.lower))
    return above.holds and below.holds


def kept_promises(data: Dataset, evaluate_with: Evaluate) -> bool:
    """Whether all steps keep sum U <= 1/2 <= sum L, sharp, the potentials and the barriers."""
    state = initial(data)
    before = (Fraction(1, 6), HALF)
    for _ in range(STEPS_PER_DIMENSION * data.dimension):
        values = evaluate_with(data, state)
        if sum(values.upper) > HALF or sum(values.lower) < HALF:
            return False
        if not sharp(data, state, values):
            return False
        state = step(data, state, *choose(values))
        if not within(data, state):
            return False
        now = potentials(data, state)
        if now[0] > before[0] or now[1] > before[1]:
            return False
        before = now
    return state.upper == 18 * data.dimension and state.lower == 2 * data.dimension


def potential(data: Dataset, distance: fmpq_mat) -> Fraction | None:
    """Tr (X^T X) M^-1 for the distance M from a barrier, None when it is touched."""
    if distance.det() == 0:
        return None
    product = data.coordinates.gram() * distance.inv()
    return fraction(sum((product[i, i] for i in range(data.dimension)), fmpq(0)))


def upper_potential(data: Dataset, state: BarrierState) -> Fraction | None:
    return potential(data, data.coordinates.gram() * rational(state.upper) - state.matrix)


def lower_potential(data: Dataset, state: BarrierState) -> Fraction | None:
    return potential(data, state.matrix - data.coordinates.gram() * rational(state.lower))


def potentials(data: Dataset, state: BarrierState) -> tuple[Fraction, Fraction]:
    """Tr (u I - A)^-1 and Tr (A - l I)^-1, strictly between the barriers."""
    above, below = upper_potential(data, state), lower_potential(data, state)
    assert above is not None
    assert below is not None
    return above, below


def sharp(data: Dataset, state: BarrierState, values: Values) -> bool:
    """Whether t = 1/U leaves the upper potential as it is, and t = 1/L the lower one.

    This determines U and L, so that they are judged by what they are for, not by their formula.
    """
    above, below = potentials(data, state)
    return all(
        (up == 0 or upper_potential(data, step(data, state, index, 1 / up)) == above)
        and (low == 0 or lower_potential(data, step(data, state, index, 1 / low)) == below)
        for index, (up, low) in enumerate(zip(values.upper, values.lower, strict=True))
    )


def sparsifies(data: Dataset) -> bool:
    """X^T X <= sum w x x^T <= 9 X^T X with at most 4 d points."""
    sample = BarrierSparsifier().sample(data, Seed(0))
    gram, found = data.coordinates.gram(), normal(data, weighted(sample))
    return (
        len(sample.picks) <= STEPS_PER_DIMENSION * data.dimension
        and len(set(sample.picks)) == len(sample.picks)
        and positive_semidefinite(found - gram).holds
        and positive_semidefinite(gram * fmpq(9) - found).holds
    )


@pytest.mark.parametrize("data", [PARABOLA, DUPLICATES, DEFICIENT, SCALED])
def test_every_step_keeps_its_promises(data: Dataset) -> None:
    assert kept_promises(data, evaluate)
    assert sparsifies(data)


@settings(max_examples=15)
@given(datasets())
def test_the_sparsifier_on_any_data(data: Dataset) -> None:
    assert sparsifies(data)


@settings(max_examples=15)
@given(datasets(maximal_dimension=2), st.data())
def test_any_choice_that_is_allowed_will_do(data: Dataset, choices: st.DataObject) -> None:
    """Not only ours: any point with U <= L and any 1/t in [U, L], along a whole run."""
    state = initial(data)
    before = (Fraction(1, 6), HALF)
    for _ in range(STEPS_PER_DIMENSION * data.dimension):
        values = evaluate(data, state)
        allowed = [
            i
            for i, (up, low) in enumerate(zip(values.upper, values.lower, strict=True))
            if 0 < up <= low
        ]
        index = choices.draw(st.sampled_from(allowed))
        part = choices.draw(st.sampled_from((Fraction(0), HALF, Fraction(1))))
        inverse = values.upper[index] + part * (values.lower[index] - values.upper[index])
        state = step(data, state, index, 1 / inverse)
        assert within(data, state)
        now = potentials(data, state)
        assert now[0] <= before[0]
        assert now[1] <= before[1]
        before = now


@pytest.mark.parametrize("mistake", [upper_without_difference, barriers_before_the_step])
def test_planted_mistakes_are_caught(mistake: Evaluate) -> None:
    assert not kept_promises(PARABOLA, mistake)


fractions = st.builds(Fraction, st.integers(1, 400), st.integers(1, 60))


@given(fractions, fractions)
@example(Fraction(1, 3), Fraction(1, 3))
@example(Fraction(5, 7), Fraction(3, 4))
def test_the_simplest_fraction(one: Fraction, other: Fraction) -> None:
    low, high = min(one, other), max(one, other)
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, found.denominator):
        assert -(-low * denominator // 1) > high * denominator


@pytest.mark.parametrize("size", [2, 5, 40])
def test_it_is_no_label_procedure(size: int) -> None:
    """X = 1_n, y = 1_S: loss/OPT = n/|S|, with |S| <= 4 whatever n is."""
    ones = [[1]] * size
    picks = BarrierSparsifier().sample(dataset(ones)).picks
    data = dataset(ones, labels=fooling_labels(picks, size))
    assert len(picks) <= STEPS_PER_DIMENSION
    fit = active_regression(data, BarrierSparsifier())
    assert fit.ratio is not None
    assert fit.ratio.exact
    assert fit.ratio.midpoint == Fraction(size, len(picks))


def test_data_that_are_too_large_are_refused() -> None:
    with pytest.raises(ExactRunTooLarge, match="501 points"):
        BarrierSparsifier().sample(dataset([[1]] * 501))
    identity = [[int(i == k) for k in range(7)] for i in range(7)]
    with pytest.raises(ExactRunTooLarge, match="dimensions") as caught:
        BarrierSparsifier().sample(dataset(identity))
    assert caught.value.value == 7
