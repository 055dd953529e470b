"""Volume sampling: the sampler against its enumeration, and its identities, exactly."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.dataset import Dataset, dataset
from asura.definiteness import positive_semidefinite
from asura.dimensions import leverage_scores
from asura.errors import ExactRunTooLarge, NeverAccepted, RankZero, SizeOutOfRange
from asura.randomness import Seed, Uniforms
from asura.samplers.decisions import Decided, distribution, outcomes
from asura.samplers.volume import MOST_POOLS, LeveragedVolumeSampling, VolumeSampling, determinant
from asura.scalars import fraction, rational
from asura_verify.instances.strategies import datasets
from asura_verify.trees.sampler_laws import (
    Attempt,
    Law,
    accepted_law,
    best,
    expected_beta,
    expected_counts,
    expected_inverse,
    expected_loss,
    general_position,
    inclusion,
    indispensable,
    law,
    loss,
    normal,
    unbiased_gram,
)
from tests.reference.kept.truth import labelled
from tests.reference.samplers.identities import (
    DEFICIENT,
    DUPLICATES,
    PARABOLA,
    SCALED,
    drawn_as_enumerated,
)
from tests.reference.samplers.mistakes import (
    AcceptsEveryPool,
    KeepsX2,
    MissingDeterminant,
    RemovesByFixedLeverage,
    RemovesTheLargest,
    RidgePool,
)

INSTANCES = [PARABOLA, DUPLICATES, DEFICIENT, SCALED]
SIZES = [(data, size) for data in INSTANCES for size in range(data.dimension, data.size + 1)]


def truth(data: Dataset, size: int) -> dict[tuple[int, ...], Fraction]:
    """P(S) proportional to det(X_S^T X_S), normalised by the sum itself."""
    unit = Fraction(1)
    volumes = {
        chosen: volume
        for chosen in itertools.combinations(range(data.size), size)
        if (volume := normal(data, [(i, unit) for i in chosen]).det()) != 0
    }
    whole = sum(volumes.values(), fmpq(0))
    return {
        chosen: Fraction(int((v / whole).p), int((v / whole).q)) for chosen, v in volumes.items()
    }


@st.composite
def sized(draw: st.DrawFn) -> tuple[Dataset, int]:
    """Any data at all, and any size that exists for them."""
    data = draw(datasets(maximal_size=4))
    return data, draw(st.integers(data.dimension, data.size))


@pytest.mark.parametrize(("data", "size"), SIZES)
def test_reverse_removal_has_the_law_of_the_definition(data: Dataset, size: int) -> None:
    expected = truth(data, size)
    assert distribution(VolumeSampling(size), data) == expected
    for chosen in itertools.combinations(range(data.size), size):
        assert VolumeSampling(size).probability(data, chosen) == expected.get(chosen, 0)


@settings(max_examples=25)
@given(sized())
def test_so_it_has_on_any_data(instance: tuple[Dataset, int]) -> None:
    data, size = instance
    procedure = VolumeSampling(size)
    assert distribution(procedure, data) == truth(data, size)
    volumes = [
        determinant(data, [(i, fmpq(1)) for i in chosen])
        for chosen in itertools.combinations(range(data.size), size)
    ]
    assert sum(volumes, fmpq(0)) == rational(procedure.normaliser(data))
    assert inclusion(data, law(procedure, data)) == list(procedure.inclusion(data))


@pytest.mark.parametrize(("data", "size"), [(PARABOLA, 2), (DUPLICATES, 3), (SCALED, 2)])
def test_uniforms_in_a_box_draw_its_sample(data: Dataset, size: int) -> None:
    drawn_as_enumerated(VolumeSampling(size), data)


@st.composite
def labelled_and_sized(draw: st.DrawFn) -> tuple[Dataset, int]:
    data = draw(labelled(maximal_dimension=2, maximal_size=4))
    return data, draw(st.integers(data.dimension, data.size))


@settings(max_examples=25)
@given(labelled_and_sized())
def test_the_solution_is_unbiased_for_degenerate_points_too(instance: tuple[Dataset, int]) -> None:
    data, size = instance
    assert expected_beta(data, law(VolumeSampling(size), data)) == best(data)


@settings(max_examples=25)
@given(labelled(maximal_dimension=2, maximal_size=4))
def test_the_expected_loss_at_size_d(data: Dataset) -> None:
    """(d+1) OPT in general position, never more otherwise."""
    found = law(VolumeSampling(data.dimension), data)
    value, bound = expected_loss(data, found), (data.dimension + 1) * loss(data, best(data))
    assert value is not None
    assert value == bound if general_position(data) else value <= bound


def test_general_position_is_needed_for_the_loss() -> None:
    assert general_position(PARABOLA)
    assert not general_position(DUPLICATES)
    value = expected_loss(DUPLICATES, law(VolumeSampling(2), DUPLICATES))
    assert value is not None
    assert value < 3 * loss(DUPLICATES, best(DUPLICATES))


@settings(max_examples=25)
@given(sized())
@example((PARABOLA, 2))
@example((DUPLICATES, 2))
@example((DUPLICATES, 3))
def test_the_expected_inverse(instance: tuple[Dataset, int]) -> None:
    """((n-d+1)/(s-d+1)) (X^T X)^-1, exactly when no point of a larger spanning set is needed.

    General position suffices; otherwise the left side is smaller.
    """
    data, size = instance
    factor = fmpq(data.size - data.dimension + 1, size - data.dimension + 1)
    value = expected_inverse(data, law(VolumeSampling(size), data))
    bound = data.coordinates.gram().inv() * factor
    assert positive_semidefinite(bound - value).holds
    assert (value == bound) is (indispensable(data, size) == 0)


def test_general_position_is_more_than_the_inverse_needs() -> None:
    assert not indispensable(PARABOLA, 2)
    assert indispensable(DUPLICATES, 2)
    assert not indispensable(DUPLICATES, 3)


def test_x2_kept_unweighted_makes_it_biased() -> None:
    data = dataset(PARABOLA.points, unlabelled=3, labels=PARABOLA.labels)
    value = expected_beta(data, law(KeepsX2(2), data))
    assert value is not None
    assert value != best(data)
    assert expected_beta(data, law(VolumeSampling(2), data)) == best(data)


@pytest.mark.parametrize(
    "mistake", [MissingDeterminant(3), RemovesByFixedLeverage(3), RemovesTheLargest(3)]
)
def test_planted_mistakes_are_caught(mistake: Decided) -> None:
    assert distribution(mistake, PARABOLA) != truth(PARABOLA, 3)
    assert expected_beta(PARABOLA, law(mistake, PARABOLA)) not in (None, best(PARABOLA))
    assert inclusion(PARABOLA, law(mistake, PARABOLA)) != list(
        VolumeSampling(3).inclusion(PARABOLA)
    )


def test_sizes_and_data_that_do_not_exist_are_refused() -> None:
    for size in (0, 1, 6):
        with pytest.raises(SizeOutOfRange, match=f"size {size}: expected from 2 to 5") as caught:
            VolumeSampling(size).sample(PARABOLA, Seed(0))
        assert caught.value.value == size
    with pytest.raises(SizeOutOfRange, match="size 1: expected from 2 to 4"):
        LeveragedVolumeSampling(1, 4).sample(PARABOLA, Seed(0))
    with pytest.raises(RankZero):
        VolumeSampling(1).sample(dataset([[0], [0]]), Seed(0))
    with pytest.raises(ExactRunTooLarge, match="501 points"):
        VolumeSampling(1).sample(dataset([[1]] * 501), Seed(0))


def test_algorithm_1_runs() -> None:
    assert active_regression(PARABOLA, VolumeSampling(2), chooser=Seed(5)).paid == 2
    fit = active_regression(PARABOLA, LeveragedVolumeSampling(3), chooser=Seed(5))
    assert fit.determined
    assert len(fit.picks) == 3


# --- leveraged volume sampling ------------------------------------------------------------------

SMALL = dataset([[1, 0], [1, 1], [1, 3]], labels=[1, 0, 2])
LINE = dataset([[1], [2], [2], [0]], labels=[1, 0, 3, 2])
POOLS = [(LINE, 1, 1), (LINE, 1, 3), (LINE, 2, 4), (SMALL, 2, 2), (SMALL, 2, 3), (SMALL, 3, 4)]


def leveraged_truth(data: Dataset, size: int) -> dict[tuple[int, ...], Fraction]:
    """P(sequence) proportional to det(sum x x^T/q) times the product of q."""
    shares = [score / data.dimension for score in leverage_scores(data)]
    volumes: dict[tuple[int, ...], Fraction] = {}
    for picks in itertools.product(range(data.size), repeat=size):
        if all(shares[i] for i in picks):
            value = normal(data, [(i, 1 / shares[i]) for i in picks]).det()
            product = math.prod((shares[i] for i in picks), start=Fraction(1))
            volumes[picks] = Fraction(int(value.p), int(value.q)) * product
    gram = data.coordinates.gram().det()
    normaliser = math.perm(size, data.dimension) * Fraction(int(gram.p), int(gram.q))
    assert sum(volumes.values()) == normaliser
    return {picks: volume / normaliser for picks, volume in volumes.items() if volume}


def collected(found: Law) -> dict[tuple[int, ...], Fraction]:
    result: dict[tuple[int, ...], Fraction] = {}
    for p, weights in found:
        picks = tuple(i for i, _ in weights)
        result[picks] = result.get(picks, Fraction(0)) + p
    return result


@pytest.mark.parametrize(("data", "size", "pool"), POOLS)
def test_leveraged_volume_sampling(data: Dataset, size: int, pool: int) -> None:
    procedure = LeveragedVolumeSampling(size, pool)
    chance, found = accepted_law(procedure, data)
    assert chance == procedure.acceptance(data)
    assert collected(found) == leveraged_truth(data, size)
    assert expected_beta(data, found) == best(data)
    assert unbiased_gram(data, found)
    assert expected_counts(data, found) == [size if score else 0 for score in leverage_scores(data)]
    bound = data.coordinates.gram().inv() * fmpq(size, size - data.dimension + 1)
    assert positive_semidefinite(bound - expected_inverse(data, found)).holds


def test_planted_pools_are_caught() -> None:
    _, unweighted = accepted_law(AcceptsEveryPool(2), SMALL)
    assert collected(unweighted) != leveraged_truth(SMALL, 2)
    assert expected_beta(SMALL, unweighted) not in (None, best(SMALL))
    _, ridged = accepted_law(RidgePool(3), SMALL)
    # Still unbiased, as for any q; the expected counts say that q is not l/d.
    assert expected_beta(SMALL, ridged) == best(SMALL)
    assert expected_counts(SMALL, ridged) != [3, 3, 3]


def test_the_expected_counts_for_any_q() -> None:
    """(k - d) + l/q point by point."""
    gram = SMALL.coordinates.gram()
    for i in range(SMALL.dimension):
        gram[i, i] = gram[i, i] + 1
    rows = SMALL.coordinates.rows
    hat = rows * gram.inv() * rows.transpose()
    trace = sum((hat[i, i] for i in range(SMALL.size)), fmpq(0))
    shares = [fraction(hat[i, i] / trace) for i in range(SMALL.size)]
    _, found = accepted_law(RidgePool(3), SMALL)
    assert expected_counts(SMALL, found) == [
        (3 - 2) + score / share for score, share in zip(leverage_scores(SMALL), shares, strict=True)
    ]


def test_a_refused_pool_is_followed_by_another() -> None:
    procedure = LeveragedVolumeSampling(2, 3)
    attempts = list(outcomes(Attempt(procedure), SMALL))
    refused = [a for a in attempts if not a.sample.picks]
    accepted = [a for a in attempts if a.sample.picks]
    assert refused
    for first, second in itertools.product(refused[:10], accepted[:10]):
        box = (*first.box, *first.box, *second.box)
        chooser = Uniforms(tuple(low for low, _ in box))
        assert procedure.sample(SMALL, chooser) == second.sample
    never = Uniforms(tuple(low for low, _ in refused[0].box) * MOST_POOLS)
    with pytest.raises(NeverAccepted, match="1000 pools were refused") as caught:
        procedure.sample(SMALL, never)
    assert caught.value.value == MOST_POOLS
