"""The claims about a result, on values such that ties are exact."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, arb_mat

from asura.scalars import rational
from asura.stopping import PAPER, sure
from asura_verify.oracle.trace.values import Reported
from asura_verify.oracle.views.claims import SCOPES
from asura_verify.oracle.views.conjunction import Conjunction
from asura_verify.oracle.views.ending import BALANCED, Ending
from tests.verification.oracle.views.parts import QUARTER, ends, state_of

_KNOWN = arb(1), arb(16)  # K and gap of one iteration


def ending(
    state: Any,
    *,
    conditions: Any = (_KNOWN,),
    total: tuple[arb_mat, arb] | None = None,
    before: arb | None = None,
    **values: Any,
) -> tuple[Ending, dict[str, Conjunction]]:
    conjunctions = {slug: Conjunction() for slug in SCOPES}
    seen = Reported(**values)
    return Ending(state, conjunctions, 9, seen, before, total, conditions), conjunctions


def entered(conjunctions: dict[str, Conjunction]) -> set[str]:
    return {slug for slug, conjunction in conjunctions.items() if conjunction.places}


@pytest.mark.parametrize(
    ("dimension", "gamma", "most"),
    [
        (9, Fraction(3, 10), 80),  # d sqrt(k)/gamma^2 = 80 exactly
        (1, QUARTER, 14),  # 13.9
        (2, QUARTER, 28),  # 27.7
    ],
)
def test_the_length_is_at_most_the_ceiling_of_its_bound(
    dimension: int, gamma: Fraction, most: int
) -> None:
    for length in (1, most - 1, most, most + 1, most + 2, 10 * most):
        end, conjunctions = ending(state_of(dimension, gamma), conditions=())
        end.judge_all(length)
        assert conjunctions["m-bound"].view().verdict == ("holds" if length <= most else "fails")
        assert entered(conjunctions) == {"m-bound"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, set()),
        ({"alphas": [arb(0.75)]}, {"sum-alpha"}),
        ({"mid": arb(2)}, set()),
        ({"mid": arb(2), "alphas": [arb(0.75)]}, {"sum-alpha", "alpha-k"}),
        ({"u": arb(9)}, set()),
        ({"l": arb(-7)}, set()),
        (
            {"u": arb(16), "l": arb(-8)},
            {"lm-positive", "condition-number", "gap-final", "identity-3"},
        ),
        (
            {"u": arb(16), "l": arb(-8), "mid": arb(4)},
            {"lm-positive", "condition-number", "gap-final", "identity-2", "identity-3"},
        ),
    ],
)
def test_a_result_says_what_its_values_allow(values: dict[str, Any], expected: set[str]) -> None:
    end, conjunctions = ending(state_of(), **values)
    end.judge_all(3)
    assert entered(conjunctions) == {"m-bound"} | expected


def test_without_an_iteration_there_is_nothing_to_divide_by() -> None:
    end, conjunctions = ending(
        state_of(), conditions=(), u=arb(8), l=arb(-8), mid=arb(0), alphas=[]
    )
    end.judge_all(0)
    assert entered(conjunctions) == {"m-bound"}


def test_balance_is_claimed_for_the_rule_of_the_paper_only() -> None:
    values: dict[str, Any] = {"u": arb(16), "l": arb(-8), "alphas": [arb(0.75)]}
    for rule in (PAPER, sure()):
        end, conjunctions = ending(state_of(rule=rule), weights=[arb(1)], **values)
        end.judge_all(3)
        assert ("well-balanced" in entered(conjunctions)) == (rule is PAPER)


@pytest.mark.parametrize(("before", "places"), [(None, 2), (arb(16), 3), (arb(99), 3)])
def test_what_each_rule_says_of_the_clock(before: arb | None, places: int) -> None:
    """One clock before the bound and one behind it, in either order, and the spectrum."""
    for rule, slug, more in ((PAPER, "identity-3", -1), (sure("1/2"), "sure-stop", 0)):
        values: dict[str, Any] = {"u": arb(18), "l": arb(-6)}  # r_m = 24/16 - 1 = 1/2
        end, conjunctions = ending(state_of(rule=rule), before=before, **values)
        end.judge_all(3)
        view = conjunctions[slug].view()
        assert view.places == places + more
        assert (view.verdict == "fails") is (before == 99)
    with_weights = values | {"weights": [arb(1)]}
    end, conjunctions = ending(state_of(rule=sure("1/2")), before=before, **with_weights)
    end.judge_all(3)
    assert conjunctions["sure-stop"].places == places + 1


def test_iterations_without_a_state_have_no_condition() -> None:
    values: dict[str, Any] = {"mid": arb(2), "alphas": [arb(0.5), arb(0.25)]}
    for conditions, places in (((None, None), 0), ((None, _KNOWN), 1), ((_KNOWN, None), 1)):
        end, conjunctions = ending(state_of(), conditions=conditions, **values)
        end.judge_all(3)
        assert conjunctions["alpha-k"].places == places


@pytest.mark.parametrize(
    ("upper", "lower", "places", "expected"),
    [
        (arb(64), arb(32) / 3, 2, "holds"),
        (arb(16), arb(-16) / 3, 2, "holds"),
        (arb(64), arb(1), 2, "fails"),
        (arb(64), arb(-1), 2, "fails"),
        (arb(64), arb(0), 1, "fails"),
        (arb(32), arb(1), 1, "fails"),
        (arb(32), arb(0), 1, "holds"),
        (arb(32.25), arb(0.09375, 0.25), 1, "holds"),
        (arb(32, 0.25), arb(1), 1, "fails"),
    ],
)
def test_the_lower_barrier_is_positive_from_a_threshold_on(
    upper: arb, lower: arb, places: int, expected: str
) -> None:
    """With gamma = 1/4 and d = 1 it is u = 32, and l = (u - 32)/3; no doubt may be there."""
    end, conjunctions = ending(state_of())
    end._barriers(upper, lower, upper - lower)
    view = conjunctions["lm-positive"].view()
    assert (view.places, view.verdict) == (places, expected)


def test_which_sign_the_lower_barrier_has_is_decided_both_ways() -> None:
    said = "l_m > 0 exactly when u_m > 4d/(gamma(1 - 2 gamma))"
    for upper, lower, wrong in (
        (arb(64), arb(11, 32), False),
        (arb(64), arb(32 / 3, 4), False),
        (arb(64), arb(-30), True),
        (arb(2), arb(-10), False),
        (arb(2), arb(10), True),
    ):
        entries: list[tuple[str, str]] = []
        conjunction: Any = SimpleNamespace(
            enter=lambda v, _line, _j, what, *_, entries=entries: entries.append((what, str(v)))
        )
        end, conjunctions = ending(state_of())
        conjunctions["lm-positive"] = conjunction
        end._barriers(upper, lower, upper - lower)
        assert ((said, "fails") in entries) == wrong
        assert ((said, "holds") in entries) == (not wrong and not lower.contains(0))


@pytest.mark.parametrize(
    ("eigenvalue", "expected"),
    [(1, "holds"), (1.4375, "holds"), (1.5, "fails"), (1.75, "fails"), (0.5625, "holds"),
     (0.5, "fails"), (0.25, "fails"), (2.25, "fails"), (-0.25, "fails")],
)  # fmt: skip
def test_the_spectrum_lies_within_its_reach(eigenvalue: float, expected: str) -> None:
    state = state_of(picks=[0, 1])
    end, conjunctions = ending(state, weights=[arb(0.25), arb(eigenvalue - 0.25)])
    end._spectrum("spectral", arb(0.5), "spectrum")
    assert conjunctions["spectral"].view().verdict == expected
    # The same from the state, in units of mid.
    total = arb_mat([[8 * eigenvalue]]), arb(0)
    end, conjunctions = ending(state, mid=arb(8), total=total)
    end._spectrum("spectral", arb(0.5), "spectrum")
    assert conjunctions["spectral"].view().verdict == expected


def balanced(
    clock: arb, alphas: list[arb], weights: list[arb] | None = None, known: float = 1
) -> Conjunction:
    """With gamma = 1/16: the spectrum in 1/4..7/4, alpha K at most 10/256."""
    end, conjunctions = ending(
        state_of(gamma=Fraction(1, 16), picks=[0] * len(weights or ())),
        conditions=[(arb(known), arb(64))] * len(alphas), alphas=alphas, weights=weights,
    )  # fmt: skip
    end._balanced(clock)
    return conjunctions["well-balanced"]


def test_balance_is_claimed_from_one_fifth_on() -> None:
    few = [arb(0.03125)]
    for clock in (0.15, 0.199):
        conjunction = balanced(arb(clock), few)
        assert (conjunction.places, conjunction.premise) == (0, "r_m is not above 1/5")
    fifth = arb(rational(BALANCED))
    assert balanced(fifth, few).places == 0  # no binary number: below, perhaps
    for reached in (ends(fifth)[1], arb(0.201), arb(0.3)):
        conjunction = balanced(reached, few)
        assert (conjunction.places, conjunction.premise) == (2, "")


def test_the_constants_of_balance() -> None:
    for eigenvalue, expected in (
        (1, "holds"),
        (1.6875, "holds"),
        (1.8125, "fails"),
        (0.3125, "holds"),
        (0.1875, "fails"),
    ):
        conjunction = balanced(arb(1), [arb(0.03125)], [arb(eigenvalue)])
        assert conjunction.view().verdict == expected
    bound = 10 / 256
    assert balanced(arb(1), [arb(bound)]).view().verdict == "holds"
    assert balanced(arb(1), [arb(bound) + 2.0**-20]).view().verdict == "fails"
    assert balanced(arb(1), [arb(bound)], known=2).view().verdict == "fails"
    assert balanced(arb(1), [arb(0.5), arb(0.5)], known=0).view().verdict == "fails"
    assert balanced(arb(1), [arb(0.5), arb(0.25)], known=0).view().verdict == "holds"
