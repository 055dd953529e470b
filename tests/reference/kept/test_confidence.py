"""The lower confidence bound: proved, close to the best, and right as often as it says."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.kept.confidence import least_probability


def tail(successes: int, trials: int, chance: Fraction) -> Fraction:
    """P(Bin(n, p) >= k), term by term."""
    return sum(
        (
            math.comb(trials, i) * chance**i * (1 - chance) ** (trials - i)
            for i in range(successes, trials + 1)
        ),
        Fraction(0),
    )


alphas = st.builds(lambda power: Fraction(1, 2**power), st.integers(1, 40))


@given(st.integers(1, 60), st.data(), alphas)
def test_the_bound_is_certified_and_sharp(
    trials: int, more: st.DataObject, alpha: Fraction
) -> None:
    successes = more.draw(st.integers(1, trials))
    low = least_probability(successes, trials, alpha, bits=16)
    assert low == 0 or tail(successes, trials, low) <= alpha
    next_ = low + Fraction(1, 2**16)
    # A tie that balls cannot decide costs one more step, in the safe direction.
    assert next_ == 1 or tail(successes, trials, next_ + Fraction(1, 2**16)) > alpha


def one_success_too_many(successes: int, trials: int, alpha: Fraction) -> Fraction:
    """Planted: P(X > k) in place of P(X >= k)."""
    return least_probability(min(successes + 1, trials), trials, alpha)


def missed(rule: Callable[[int, int, Fraction], Fraction], trials: int, alpha: Fraction) -> bool:
    """Whether for some p the bound exceeds p with probability above alpha, exactly."""
    bounds = [rule(k, trials, alpha) for k in range(trials + 1)]
    for p in (Fraction(i, 40) for i in range(1, 40)):
        wrong = sum(
            (
                math.comb(trials, k) * p**k * (1 - p) ** (trials - k)
                for k in range(trials + 1)
                if bounds[k] > p
            ),
            Fraction(0),
        )
        if wrong > alpha:
            return True
    return False


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 1000)])
def test_the_bound_errs_as_seldom_as_it_says(alpha: Fraction) -> None:
    assert not missed(least_probability, 12, alpha)
    assert missed(one_success_too_many, 12, alpha)


def test_bad_input_is_named() -> None:
    for successes, trials in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(errors.TrialsOutOfRange):
            least_probability(successes, trials, Fraction(1, 2))
    for alpha in (Fraction(0), Fraction(1)):
        with pytest.raises(errors.ProbabilityOutOfRange) as refused:
            least_probability(1, 5, alpha)
        assert refused.value.value == alpha
