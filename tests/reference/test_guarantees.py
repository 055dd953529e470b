"""The explicit constants: checked exactly, and as good as they can be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asura
from asura import errors
from asura.dataset import ridge
from asura.guarantees import (
    C_0,
    GUARANTEES,
    best_guarantee,
    certify_best,
    gamma_for,
    sure_excess,
    sure_labels,
)
from asura.rates import TIGHT_RATES

epsilons = st.fractions(min_value="1/100000", max_value=1)


@given(epsilons)
def test_main_is_rounded_in_the_safe_direction(epsilon: Fraction) -> None:
    choice = gamma_for(epsilon, guarantee="main")
    assert C_0**2 * choice.gamma**2 <= epsilon
    assert choice.labels * epsilon < C_0**2 * (1 + Fraction(1, 1000))
    assert choice.stopping.name == "paper"


@given(epsilons, st.integers(1, 50))
def test_sure_choices_meet_their_inequality(epsilon: Fraction, dimension: int) -> None:
    plain = gamma_for(epsilon, guarantee="sure", dimension=dimension)
    best = gamma_for(epsilon, guarantee="sure-best", dimension=dimension)
    for choice in (plain, best):
        excess = sure_excess(choice.gamma, choice.stopping.level, dimension)
        assert excess is not None
        assert excess == choice.excess
        assert excess <= epsilon
        assert choice.labels == sure_labels(choice.gamma, choice.stopping.level, dimension)
    assert best.labels <= plain.labels * (1 + Fraction(1, 10**4))


@given(
    st.fractions(min_value="1/100", max_value="1/5"),
    st.fractions(min_value=1, max_value=3),
    st.integers(1, 9),
)
def test_the_excess_decreases_with_the_dimension(gamma: Fraction, level: Fraction, d: int) -> None:
    here, next_ = sure_excess(gamma, level, d), sure_excess(gamma, level, d + 1)
    assert here is None or (next_ is not None and next_ < here)


@given(st.fractions(min_value="1/1000", max_value="6/25"))
def test_the_constant_three_halves(gamma: Fraction) -> None:
    """At T = 1 the bound is at most 1.5 gamma^2/(1 - 4 gamma)^2, for every d."""
    excess = sure_excess(gamma, Fraction(1))
    assert excess is not None
    assert excess <= Fraction(3, 2) * gamma**2 / (1 - 4 * gamma) ** 2


@pytest.mark.parametrize(
    ("epsilon", "labels"), [(1, 25), ("1/10", 6), ("1/100", "2.4"), ("1/1000", "1.5")]
)
def test_the_best_choice_is_certified(epsilon: object, labels: object) -> None:
    choice = gamma_for(epsilon)
    assert choice.labels * choice.epsilon < Fraction(str(labels))
    assert certify_best(choice).holds


def test_a_worse_choice_is_not_certified() -> None:
    best = gamma_for("1/10")
    worse = replace(best, labels=best.labels * Fraction(11, 10))
    assert certify_best(worse).fails
    assert certify_best(best, boxes=10).undecided


@pytest.mark.parametrize("guarantee", sorted(GUARANTEES))
@pytest.mark.parametrize("epsilon", [0, -1, "1e-40", "1e40"])
def test_bad_accuracies_are_refused(guarantee: str, epsilon: object) -> None:
    with pytest.raises(errors.EpsilonOutOfRange):
        gamma_for(epsilon, guarantee=guarantee)


def test_unknown_guarantees_and_ranges() -> None:
    with pytest.raises(errors.UnknownGuarantee, match="sure-best"):
        gamma_for(1, guarantee="miracle")
    with pytest.raises(errors.EpsilonOutOfRange, match="main"):
        gamma_for(2, guarantee="main")


def test_the_best_guarantee_of_every_rule_and_rate() -> None:
    for epsilon in (1, "1/10", "1/100"):
        plain = gamma_for(epsilon, guarantee="main")
        papers = gamma_for(epsilon, guarantee=best_guarantee("paper"))
        assert papers.stopping.name == "paper"
        assert papers.labels * 6 < plain.labels
        tight = gamma_for(epsilon, guarantee=best_guarantee(rates=TIGHT_RATES))
        assert tight.labels < gamma_for(epsilon, guarantee=best_guarantee("sure")).labels
    with pytest.raises(errors.UnknownGuarantee, match="tight rates") as refused:
        best_guarantee("paper", TIGHT_RATES)
    assert refused.value.value == "tight"


def test_the_front_door_takes_rates_and_the_best_guarantee() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2]], 1, labels=[1, 2, 3])
    done = asura.sample(data, epsilon=1, rates="tight")
    assert done.rates is TIGHT_RATES
    assert done.gamma == gamma_for(1, guarantee="tight-best", dimension=2).gamma
    papers = asura.sample(data, epsilon=1, stopping="paper", arithmetic="double")
    assert papers.gamma == gamma_for(1, guarantee="main-best", dimension=2).gamma
    assert asura.regress(data, epsilon=1, rates="tight").paid <= 3
