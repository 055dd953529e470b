"""Algorithm 3 and the instance of the lower bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import optimum
from asura.algorithm3_packing import construct_m, separation
from asura.dimensions import reduced_rank
from asura.lower_bound import balanced_noise, four_squares, lower_bound_instance

lambdas = st.fractions(min_value=0, max_value=300, max_denominator=3)


@settings(max_examples=40)
@given(st.integers(1, 9), lambdas, st.fractions(min_value="1/1000", max_value="1/100"))
def test_the_packing_is_separated_and_maximal(d: int, lam: Fraction, epsilon: Fraction) -> None:
    packing = construct_m(d, lam, epsilon)
    closest = separation(d, lam, epsilon)
    vectors = [packing.vector(element) for element in packing.elements]
    for i, beta in enumerate(vectors):
        for other in vectors[:i]:
            assert sum((a - b) ** 2 for a, b in zip(beta, other, strict=True)) > closest
    covered = {
        vector
        for vector in range(1 << d)
        if any(4 * (vector ^ element).bit_count() <= closest for element in packing.elements)
    }
    assert len(covered) == 1 << d
    assert packing.properties()["separated"].holds


@settings(max_examples=20)
@given(st.integers(1, 12), st.fractions(min_value=1, max_value=50, max_denominator=3))
def test_the_four_properties_hold_in_the_theorems_range(d: int, lam: Fraction) -> None:
    packing = construct_m(d, lam, "1/100")
    assert packing.within_hypotheses
    assert all(verdict.holds for verdict in packing.properties().values())


def test_the_properties_can_fail() -> None:
    good = construct_m(8, 200, "1/100")
    crowded = replace(good, elements=(0, 1))
    assert crowded.properties()["separated"].fails
    sparse = replace(construct_m(6, 1, "1/100"), elements=(0,))
    assert [str(v) for v in sparse.properties().values()] == ["holds", "holds", "holds", "fails"]


def test_sixteen_dimensions() -> None:
    assert construct_m(16, 50, "1/100").size == 1 << 16
    wide = construct_m(16, 150, "1/100")
    assert wide.radius == 3
    assert wide.properties()["separated"].holds


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 1, 1), errors.EmptyData),
        ((25, 1, 1), errors.PackingTooLarge),
        ((3, -1, 1), errors.NegativeScale),
        ((3, 1, 0), errors.EpsilonOutOfRange),
    ],
)
def test_bad_packings_are_refused(arguments: tuple[int, int, int], error: type[Exception]) -> None:
    with pytest.raises(error):
        construct_m(*arguments)


@given(st.integers(0, 5000))
def test_four_squares(number: int) -> None:
    assert sum(root * root for root in four_squares(number)) == number


@given(st.fractions(min_value=0, max_value=500, max_denominator=9))
def test_balanced_noise_has_the_exact_variance(variance: Fraction) -> None:
    noise = balanced_noise(variance, 16)
    assert sum(noise) == 0
    assert sum(e * e for e in noise) / 16 == variance


@settings(max_examples=15)
@given(
    st.lists(st.sampled_from((1, -1)), min_size=1, max_size=3),
    st.fractions(min_value=0, max_value=50, max_denominator=2),
    st.fractions(min_value="1/200", max_value="1/100", max_denominator=200),
    st.one_of(st.none(), st.integers(0, 9)),
)
def test_closed_forms_equal_the_regression(
    signs: list[int], lam: Fraction, epsilon: Fraction, seed: int | None
) -> None:
    instance = lower_bound_instance(signs, lam=lam, epsilon=epsilon, copies=16, seed=seed)
    beta, best = optimum(instance.data)
    assert tuple(b.midpoint for b in beta) == instance.beta_star
    assert best.midpoint == instance.optimum
    assert reduced_rank(instance.data) == instance.statistical_dimension
    if seed is None:
        assert instance.beta_star == tuple(signs)
        assert instance.optimum == instance.limit_optimum


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"copies": 15}, errors.CopiesOutOfRange),
        ({"copies": 0}, errors.CopiesOutOfRange),
        ({"copies": 4}, errors.CopiesOutOfRange),  # a square, but no multiple of 8
        ({"epsilon": 0}, errors.EpsilonOutOfRange),
        ({"lam": -1}, errors.NegativeScale),
    ],
)
def test_bad_instances_are_refused(change: dict[str, int], error: type[Exception]) -> None:
    arguments: dict[str, int] = {"lam": 1, "epsilon": 1, "copies": 16}
    arguments.update(change)
    with pytest.raises(error):
        lower_bound_instance(
            [1], lam=arguments["lam"], epsilon=arguments["epsilon"], copies=arguments["copies"]
        )
    with pytest.raises(errors.EmptyData):
        lower_bound_instance([2], lam=1, epsilon=1, copies=16)
