"""Bounds, tuning, plans and the table: exact values, certified choices, every R."""

from __future__ import annotations

import runpy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import reduced_rank
from asura.guarantees import sure_excess, sure_labels
from asura.kept import table
from asura.kept.bounds import (
    excess_of,
    one_sided_excess,
    overrun,
    redrawn_excess,
    shrunken_excess,
    two_sided_draws,
    two_sided_excess,
)
from asura.kept.choosing import coins_for_budget
from asura.kept.planning import (
    METHODS,
    Guarantee,
    guarantee_for,
    guarantees_for,
    plan_for,
    scope_of,
)
from asura.kept.table import one_sided_row, redrawn_row, two_stage_constant
from asura.kept.tuning import certify_one_sided, one_sided_for, redrawn_for, short, two_sided_for
from asura.main_failure import MAIN_FAILURE, kept_failure, main_failure
from asura.randomness import Seed
from asura.scalars import read_scalar
from asura_verify.instances.strategies import gammas
from tests.reference.kept.truth import labelled

#: Everything but the free trials, which take their time.
QUICK = tuple(name for name in METHODS if name != "coins")


# --- formulas -----------------------------------------------------------------------------------


@given(gammas(), st.fractions(min_value="1/10", max_value=5), st.integers(1, 9))
def test_without_x2_the_two_sided_bounds_are_the_papers(
    g: Fraction, level: Fraction, d: int
) -> None:
    """delta = 1 and R = d."""
    rank = Fraction(d)
    assert two_sided_excess(rank, g, level, "overshoot") == sure_excess(g, level, d)
    assert two_sided_draws(rank, g, level, "overshoot") == rank * sure_labels(g, level, d)
    assert two_sided_draws(rank, g, level, "coin") == rank * level * (1 / g**2 - 4)
    assert two_sided_draws(rank, g, level, "clip") == rank * level * (1 / g**2 - 4) + 1


def test_the_explicit_choice_of_nu() -> None:
    """nu = y^2 with y = (R/N)^(1/3): excess at most (R/N)(1 + y)/(1 - y - y^2)^2."""
    for y in (Fraction(1, 2), Fraction(1, 5), Fraction(1, 50)):
        excess = one_sided_excess(y**3, y**2)
        assert excess is not None
        assert excess <= y**3 * (1 + y) / (1 - y - y**2) ** 2


@given(
    st.fractions(min_value="1/100", max_value="1/4"),
    gammas(maximum=Fraction(1)),
    st.fractions(min_value="1/10", max_value=1),
    st.fractions(min_value="11/10", max_value=5),
    st.fractions(min_value=0, max_value=1),
)
def test_the_best_split_of_the_overrun(
    ratio: Fraction, nu: Fraction, norm: Fraction, reach: Fraction, other: Fraction
) -> None:
    """No other a in [0, reach) gives a smaller bound."""
    a = other * reach * Fraction(99, 100)
    z = norm * nu**2 / (2 * (1 - nu**2) * ratio)
    elsewhere = reach * ((1 - a) ** 2 + a**2 * z) / (reach - a) ** 2
    assert overrun(reach, ratio, nu, norm) <= elsewhere


def test_where_the_bounds_say_nothing() -> None:
    assert excess_of(Fraction(1), Fraction(1, 2), Fraction(1)) is None
    assert two_sided_excess(Fraction(1), Fraction(2, 5), Fraction(1, 10), "coin") is None
    assert redrawn_excess(Fraction(10), Fraction(1, 10), Fraction(1, 5), Fraction(1)) is None
    assert shrunken_excess(Fraction(1), Fraction(1), 5) is None
    assert shrunken_excess(Fraction(0), Fraction(0), 5) == 0


def test_no_draw_of_the_shrunken_estimator() -> None:
    """N = 0 is the solution on X_2, with delta/(1 - delta)."""
    assert shrunken_excess(Fraction(2), Fraction(1, 3), 0) == Fraction(1, 2)


# --- tuning -------------------------------------------------------------------------------------


@given(st.fractions(min_value="1/10000", max_value=2), st.sampled_from((1, "1/2", "1/100")))
def test_the_one_sided_choice_is_valid_and_certified(epsilon: Fraction, norm: object) -> None:
    choice = one_sided_for(epsilon, read_scalar(norm))
    assert choice.excess == one_sided_excess(choice.ratio, choice.nu, choice.norm)
    assert choice.excess <= epsilon
    assert certify_one_sided(choice).holds


def test_the_two_sided_choice_with_the_papers_rule() -> None:
    """Fifteen is enough for every R, and the search finds a little more."""
    assert kept_failure(Fraction(1, 15), Fraction(1)) <= MAIN_FAILURE
    for epsilon in (Fraction(1), Fraction(1, 100)):
        gamma = two_sided_for(epsilon)
        assert gamma**2 * 225 > epsilon
        assert main_failure(gamma, epsilon) < kept_failure(gamma, epsilon) <= MAIN_FAILURE
    with pytest.raises(errors.EpsilonOutOfRange):
        two_sided_for(Fraction(2))


def test_a_worse_choice_is_not_certified() -> None:
    best = one_sided_for(Fraction(1, 10))
    worse = replace(best, ratio=best.ratio * Fraction(95, 100))
    assert certify_one_sided(worse).fails
    assert certify_one_sided(best, boxes=2).undecided


def test_a_smaller_norm_is_cheaper() -> None:
    constants = [
        one_sided_for(Fraction(1, 10), norm).constant for norm in (Fraction(1), Fraction(1, 2))
    ]
    assert constants[1] < constants[0]


@pytest.mark.parametrize("epsilon", [0, "1e-13", "1e7"])
def test_accuracies_out_of_range(epsilon: object) -> None:
    with pytest.raises(errors.EpsilonOutOfRange):
        one_sided_for(read_scalar(epsilon))


def test_a_budget_that_is_too_small() -> None:
    assert redrawn_for(Fraction(1)) is None
    assert redrawn_for(Fraction(1, 1000)) is None


def test_short_numbers_are_rounded_down() -> None:
    for value in (0.1, 1 / 3, 123.456, 1e-9):
        assert 0 < Fraction(value) - short(value, 8) <= Fraction(value) / 128


# --- the table ----------------------------------------------------------------------------------


def test_the_table_of_the_one_sided_variant() -> None:
    row = one_sided_row()
    assert row.certified.holds
    for value, bound in zip(row.values, ("9.75", "3.20", "1.72", "1.28", "1.12"), strict=True):
        assert Fraction(bound) * Fraction(99, 100) < value <= Fraction(bound)


def test_the_table_of_sure_budgets() -> None:
    row = redrawn_row()
    assert row.certified.holds
    bounds = ("1.86", ".937", ".404", ".161", ".0535", ".0116")
    for value, bound in zip(row.values, bounds, strict=True):
        assert Fraction(bound) * Fraction(99, 100) < value <= Fraction(bound)


def test_the_table_of_two_stages() -> None:
    value, verdict = two_stage_constant(Fraction(1, 100))
    assert verdict.holds
    assert 1 < value <= Fraction("1.64")


def test_the_table_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(table, "table", lambda: [one_sided_row()])
    runpy.run_module("asura.kept", run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2
    assert printed[1].startswith("K2, one-sided")
    assert "9.719  3.181  1.714  1.278  1.119" in printed[1]
    assert "holds" in printed[1]


# --- plans --------------------------------------------------------------------------------------

DATA = {
    "ridge": ridge([[1, k % 5 - 2] for k in range(30)], 60, labels=[k % 7 for k in range(30)]),
    "X_2 empty": dataset([[1, k % 5 - 2] for k in range(30)], labels=[k % 7 for k in range(30)]),
    "a heavy point": dataset(
        [*[[1] for _ in range(40)], [60], [3]], unlabelled=41, labels=[k % 3 for k in range(42)]
    ),
    "tiny R": dataset([["1/10000"]] * 6 + [[1]], unlabelled=6, labels=[1, 2, 3, 4, 5, 6, 0]),
    "X_1 empty": dataset([[1], [2]], unlabelled=0, labels=[1, 2]),
    "X_1 zero": dataset([[0], [2]], unlabelled=1, labels=[1, 2]),
    "singular D": dataset(
        [[1, 0]] * 12 + [[0, 1], [3, 1]], unlabelled=12, labels=[k % 4 for k in range(14)]
    ),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("budget", [0, 1, 12, 25])
def test_every_promise_can_be_carried_out(name: str, budget: int) -> None:
    data = DATA[name]
    found = guarantees_for(scope_of(data), budget, methods=QUICK)
    assert [g.epsilon for g in found] == sorted(g.epsilon for g in found)
    for guarantee in found:
        assert guarantee.budget is not None
        assert guarantee.budget <= max(budget, 0) or guarantee.method == "everything"
        assert guarantee.budget <= budget
        estimate = guarantee.estimator.estimate(data, Seed(1))
        assert estimate.paid <= guarantee.budget
        assert str(guarantee.budget) in guarantee.promise


def test_which_method_is_the_best() -> None:
    """Each has its place: no label, few, a heavy point, all."""
    assert guarantee_for(DATA["X_1 empty"], 0).epsilon == 0
    assert guarantee_for(DATA["X_1 zero"], 0).epsilon == 0
    assert guarantee_for(DATA["tiny R"], 0).method == "no-labels"
    assert guarantee_for(DATA["tiny R"], 0).epsilon < Fraction(1, 10**6)
    assert guarantee_for(DATA["ridge"], 30).method == "everything"
    assert guarantee_for(DATA["ridge"], 2, methods=QUICK).method == "shrunken"
    heavy = guarantee_for(DATA["a heavy point"], 20, methods=("redrawn", "heavy-first"))
    assert heavy.method == "heavy-first"
    assert heavy.parameters["bought"] == 1


def test_coins_are_the_practical_choice() -> None:
    data = DATA["X_2 empty"]
    best = guarantee_for(data, 25, trials=100)
    assert best.method == "coins"
    assert best.alpha == Fraction(1, 10**6)
    assert "confidence" in best.promise
    assert best.estimator.estimate(data, Seed(0)).paid <= 25


@pytest.mark.parametrize(
    ("name", "accuracy"),
    [("ridge", "1/5"), ("X_2 empty", 1), ("a heavy point", 1), ("tiny R", "1/5"),
     ("X_1 empty", 1), ("singular D", "1/100")],
)  # fmt: skip
def test_plans_for_an_accuracy(name: str, accuracy: object) -> None:
    """The accuracy is met, and by one label fewer it is not met by the same method."""
    data, epsilon = DATA[name], read_scalar(accuracy)
    plan = plan_for(data, epsilon, methods=QUICK)
    assert plan.epsilon <= epsilon
    assert plan.budget is not None
    assert plan.estimator.estimate(data, Seed(3)).paid <= plan.budget
    if plan.budget > 0 and plan.method != "everything":
        fewer = METHODS[plan.method](scope_of(data), plan.budget - 1)
        assert fewer is None or fewer.epsilon > epsilon
    loose = plan_for(data, epsilon, methods=QUICK, surely=False)
    assert loose.expected <= plan.expected
    assert loose.epsilon <= epsilon


def test_plans_in_expectation() -> None:
    rows = [[1] for _ in range(2000)] + [[40]]
    data = dataset([*rows, [30]], unlabelled=2001, labels=[0] * 2002)
    plan = plan_for(data, 1, methods=("redrawn",), surely=False)
    assert (plan.method, plan.budget) == ("heavy-first", None)
    assert "in expectation" in plan.promise
    assert plan.parameters["bought"] == 1
    assert plan.expected < 10
    light = dataset([[1] for _ in range(50)], labels=[k % 2 for k in range(50)])
    plain = plan_for(light, "1/2", methods=("redrawn",), surely=False)
    assert plain.method == "one-sided"
    assert plain.expected == plain.parameters["draws"] < 15


def test_a_plan_by_coins() -> None:
    plan = plan_for(DATA["X_2 empty"], 1, trials=100)
    assert plan.method == "coins"
    assert plan.budget is not None
    assert plan.budget < 30
    assert plan.epsilon <= 1


@given(labelled(maximal_size=5), st.integers(0, 5))
def test_promises_for_any_data(data: Dataset, budget: int) -> None:
    scope = scope_of(data)
    for guarantee in guarantees_for(scope, budget):
        assert guarantee.alpha == 0
        assert guarantee.budget is not None
        estimate = guarantee.estimator.estimate(data, Seed(0))
        assert estimate.paid <= guarantee.budget <= max(budget, scope.every)
    if reduced_rank(data) == 0:
        assert guarantee_for(data, budget).epsilon == 0


def test_promises_do_not_get_worse_with_the_budget() -> None:
    for name in ("ridge", "X_2 empty", "a heavy point"):
        for method in ("redrawn", "shrunken", "heavy-first"):
            found = [METHODS[method](scope_of(DATA[name]), budget) for budget in (20, 24, 28)]
            known = [g.epsilon for g in found if isinstance(g, Guarantee)]
            assert known == sorted(known, reverse=True)


def test_bad_input_is_named() -> None:
    data = DATA["ridge"]
    with pytest.raises(errors.BudgetOutOfRange, match="-1"):
        guarantee_for(data, -1)
    with pytest.raises(errors.BudgetOutOfRange, match="too small") as refused:
        guarantee_for(DATA["X_2 empty"], 1, methods=QUICK)
    assert refused.value.value == 1
    with pytest.raises(errors.UnknownName, match="'magic'"):
        guarantee_for(data, 5, methods=("magic",))
    with pytest.raises(errors.EpsilonOutOfRange):
        plan_for(data, 0)


def test_labels_on_demand() -> None:
    """Without labels in the data, each one that is needed is asked for once."""
    labels = [k % 7 for k in range(30)]
    hidden = ridge([[1, k % 5 - 2] for k in range(30)], 60)
    for guarantee in guarantees_for(scope_of(hidden), 12, methods=QUICK):
        asked: list[int] = []

        def ask(index: int, asked: list[int] = asked) -> int:
            asked.append(index)
            return labels[index]

        estimate = guarantee.estimator.estimate(hidden, Seed(1), ask)
        assert estimate == guarantee.estimator.estimate(DATA["ridge"], Seed(1))
        assert len(asked) == len(set(asked)) == estimate.paid


def test_short_texts() -> None:
    plan = plan_for(DATA["ridge"], "1/5", methods=("redrawn", "shrunken"))
    assert repr(plan).startswith("Guarantee(shrunken: E[loss] <= (1 + ")
    assert len(repr(plan)) < 120
    assert len(repr(coins_for_budget(DATA["tiny R"], 3))) < 120
