"""Binomial tests: exact thresholds, stated power, and planted biases that are caught."""

from fractions import Fraction

import pytest

from asura.dataset import dataset
from asura.randomness import Chooser
from asura_verify.deciding.binomial import (
    FALSE_ALARM,
    BinomialTest,
    ImpossibleTest,
    binomial_at_least,
    binomial_at_most,
    quantile_ranks,
    share_bounds,
)
from asura_verify.trees.enumeration import enumerate_tree
from asura_verify.trees.quantities import clock_tail
from tests.verification.deciding.sampled_claims import (
    SampledClaim,
    Skewed,
    gamma_event,
    loss_event,
    sampled_claims,
    spectral_event,
)

THREE_QUARTERS = Fraction(3, 4)
FIRST = Fraction(1, 50)


def skewed(trials: int) -> list[Chooser]:
    return [Skewed(trial, FIRST) for trial in range(trials)]


def test_tails_are_exact() -> None:
    assert binomial_at_most(2, 2, Fraction(1, 3)) == 1
    assert binomial_at_least(2, 2, Fraction(1, 3)) == Fraction(1, 9)
    assert binomial_at_most(-1, 5, Fraction(1, 3)) == 0
    for k in range(8):
        below = binomial_at_most(k - 1, 7, Fraction(2, 7))
        assert below + binomial_at_least(k, 7, Fraction(2, 7)) == 1


@pytest.mark.parametrize("trials", [40, 80, 200])
def test_thresholds_keep_the_false_alarm(trials: int) -> None:
    test = BinomialTest(trials, THREE_QUARTERS)
    assert binomial_at_most(test.refuting, trials, THREE_QUARTERS) <= FALSE_ALARM
    assert binomial_at_most(test.refuting + 1, trials, THREE_QUARTERS) > FALSE_ALARM
    assert binomial_at_least(test.supporting, trials, THREE_QUARTERS) <= FALSE_ALARM
    assert binomial_at_least(test.supporting - 1, trials, THREE_QUARTERS) > FALSE_ALARM


def test_all_claims_together_stay_below_one_in_a_million() -> None:
    assert sum(claim.test.false_alarm for claim in sampled_claims()) <= Fraction(1, 10**6)


def test_power_against_a_planted_bias() -> None:
    test = BinomialTest(80, THREE_QUARTERS)
    assert test.power(Fraction(1, 4)) > Fraction(999, 1000)
    assert test.power(THREE_QUARTERS) <= FALSE_ALARM


def test_few_trials_decide_nothing() -> None:
    test = BinomialTest(10, THREE_QUARTERS)
    assert test.judge(10).undecided
    assert test.judge(5).undecided
    with pytest.raises(ImpossibleTest):
        BinomialTest(0, THREE_QUARTERS)


def test_undecided_trials_count_against_both_answers() -> None:
    test = BinomialTest(80, THREE_QUARTERS)
    assert test.judge(0, open_trials=80).undecided
    assert test.judge(37, open_trials=0).fails
    assert test.judge(37, open_trials=1).undecided


def test_confidence_bounds_are_inverted_tails() -> None:
    test = BinomialTest(80, THREE_QUARTERS)
    bound = test.lower_confidence(80)
    assert binomial_at_least(80, 80, bound) <= FALSE_ALARM
    assert binomial_at_least(80, 80, bound + Fraction(1, 2**20)) > FALSE_ALARM
    assert bound > THREE_QUARTERS


@pytest.mark.parametrize("claim", sampled_claims(24), ids=lambda each: each.slug)
def test_claims_survive_and_planted_biases_do_not(claim: SampledClaim) -> None:
    assert not claim.conduct()[1].fails
    if claim.slug in {"spectral", "main"}:
        assert claim.conduct(skewed(24))[1].fails


def test_a_false_probability_is_refuted() -> None:
    """The last r_m is near 0.88, so nothing says u_m >= 1.2 d/gamma^2."""
    data = dataset([[1, 0], [0, 1], [1, 1]])
    test = BinomialTest(40, THREE_QUARTERS)
    event = gamma_event(data, Fraction(1, 10), threshold=Fraction(13, 10))
    assert SampledClaim("event-gamma", test, event).conduct()[1].fails


def test_sampling_again_gives_the_same_counts() -> None:
    data = dataset([[1, 0], [0, 1], [1, 1]], labels=[1, -2, 5])
    test = BinomialTest(10, THREE_QUARTERS)
    for event in (
        spectral_event(data, Fraction(1, 5), Fraction(2)),
        loss_event(data, Fraction(1, 5), Fraction(1, 4)),
    ):
        one = SampledClaim("spectral", test, event)
        assert one.conduct() == one.conduct()


def test_sampling_agrees_with_a_whole_tree() -> None:
    """The same probability, computed and sampled: the test refutes neither side of it."""
    data = dataset([[1, 0], [0, 1]])
    gamma = Fraction(3, 10)
    bound = Fraction(4, 5)
    exact = 1 - clock_tail(enumerate_tree(data, gamma), bound).midpoint
    threshold = (1 + 2 * gamma) * bound + 2 * gamma  # u_m >= this d/gamma^2 iff r_m >= bound
    test = BinomialTest(200, min(exact, Fraction(999, 1000)))
    event = gamma_event(data, gamma, threshold=threshold)
    successes, verdict = SampledClaim("event-gamma", test, event).conduct()
    assert not verdict.fails
    assert abs(Fraction(successes, 200) - exact) < Fraction(1, 5)


@pytest.mark.parametrize("trials", [1, 7, 40, 100, 300])
@pytest.mark.parametrize("level", [Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)])
def test_ranks_enclose_a_quantile_and_no_narrower_ones_do(trials: int, level: Fraction) -> None:
    """Whatever the distribution: the errors of both ends are binomial tails."""
    half = Fraction(1, 40)
    low, high = quantile_ranks(trials, level, 2 * half)
    reached = low or 0
    assert low is None or binomial_at_most(low - 1, trials, level) <= half
    assert binomial_at_most(reached, trials, level) > half
    top = trials + 1 if high is None else high
    assert high is None or binomial_at_least(high, trials, level) <= half
    assert binomial_at_least(top - 1, trials, level) > half


def test_a_share_has_the_clopper_pearson_interval() -> None:
    error = Fraction(1, 20)
    for successes in (0, 1, 17, 29, 30):
        low, high = share_bounds(successes, 30, error)
        assert low <= Fraction(successes, 30) <= high
        assert binomial_at_least(successes, 30, low) <= error / 2 or low == 0
        assert binomial_at_most(successes, 30, high) <= error / 2 or high == 1
        # And it is no wider than its 20 bits: a little inside, the tail is too large.
        step = Fraction(1, 2**19)
        assert binomial_at_least(successes, 30, low + step) > error / 2 or low == 0
        assert binomial_at_most(successes, 30, high - step) > error / 2 or high == 1
