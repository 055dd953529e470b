"""K6: the coins, their screen and their promise, against enumeration of everything."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.arithmetic import DoubleArithmetic
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import reduced_rank
from asura.kept import choosing
from asura.kept.choosing import coins_for_accuracy, coins_for_budget
from asura.kept.coins import Coins, coins, coins_for, leverages
from asura.kept.enumeration import MOST_POINTS, acceptance, outcomes
from asura.kept.screening import Candidate, Screen, Screened, label_count, promises, screen
from asura.kept.spectrum import Spectrum
from asura.kept.trials import FREE, PAID, Purpose, trial
from asura.randomness import Picks, Seed, uniforms
from asura.sampling import asura_sampling, leverage_sampling
from asura_verify.instances.strategies import datasets
from asura_verify.trees.kept_truth import Truth
from tests.reference.kept.truth import labelled

thresholds = st.builds(
    lambda numerator, power: Fraction(numerator) * Fraction(2) ** power,
    st.integers(1, 5),
    st.integers(-12, 4),
)
levels = st.builds(Fraction, st.integers(1, 30), st.just(24))


def weights_of(thrown: Coins, bought: tuple[int, ...]) -> dict[int, Fraction]:
    return {index: 1 / thrown.probabilities[index] for index in bought}


# --- the sample ---------------------------------------------------------------------------------


def uniform_by_the_contract(seed: int, purpose: str, number: int, row: int) -> str:
    """The first 256 bits of u_i in trial t, as text, from the words of the documentation."""
    digest = hashlib.sha256(f"asura-trial/1:{purpose}:{seed}:{number}".encode()).hexdigest()
    own = int(digest[:16], 16)
    stream = hashlib.sha256(f"asura-uniform/1:{own}:{row}:0".encode()).hexdigest()
    return f"{int(stream, 16):0256b}"


@given(datasets(), thresholds, st.integers(0, 10**9), st.sampled_from((FREE, PAID)))
def test_coins_can_be_replayed(data: Dataset, tau: Fraction, seed: int, purpose: Purpose) -> None:
    thrown = coins(data, tau)
    for number in (0, 1, 17):
        expected = tuple(
            row
            for row, p in enumerate(thrown.probabilities)
            if Fraction(int(uniform_by_the_contract(seed, purpose, number, row), 2), 2**256) < p
        )
        assert thrown.bought(trial(seed, purpose, number)) == expected


@given(datasets(), thresholds)
def test_probabilities_balance_the_noise(data: Dataset, tau: Fraction) -> None:
    thrown = coins(data, tau)
    for score, p in zip(leverages(data), thrown.probabilities, strict=True):
        assert (score * (1 - p) == tau * p) if score else p == 0
    assert thrown.expected_labels <= reduced_rank(data) / tau


def test_a_uniform_on_the_boundary_does_not_buy() -> None:
    data = dataset([[1], [1]], unlabelled=1)
    thrown = coins(data, "1/2")
    assert thrown.probabilities == (Fraction(1, 2),)
    assert thrown.bought(uniforms(["1/2"])) == ()
    assert thrown.bought(uniforms([Fraction(1, 2) - Fraction(1, 2**200)])) == (0,)


@given(labelled(), thresholds)
def test_the_noise_is_tau_times_the_optimum_on_x1(data: Dataset, tau: Fraction) -> None:
    """E v = 0 would not be enough: E|v|^2 is exactly tau OPT_1, without points of leverage 0."""
    truth, thrown = Truth(data), coins(data, tau)
    mean = sum(
        (
            chance * truth.noise(truth.kept(weights_of(thrown, bought)))
            for chance, bought in outcomes(thrown)
        ),
        Fraction(0),
    )
    silent = [i for i, p in enumerate(thrown.probabilities) if p == 0]
    rest = sum((Fraction(str(truth.residuals[i])) ** 2 for i in silent), Fraction(0))
    assert mean == tau * (truth.optimum(data.unlabelled) - rest)


# --- acceptance ---------------------------------------------------------------------------------


@given(datasets(), thresholds, levels, st.none() | st.integers(0, 5))
def test_the_pruned_enumeration_is_complete(
    data: Dataset, tau: Fraction, level: Fraction, budget: int | None
) -> None:
    thrown, spectrum = coins(data, tau), Spectrum(data)
    expected = sum(
        (
            chance
            for chance, bought in outcomes(thrown)
            if (budget is None or len(bought) <= budget)
            and spectrum.with_kept(weights_of(thrown, bought)).at_least(level).holds
        ),
        Fraction(0),
    )
    assert acceptance(data, thrown, screen(level, budget)) == expected


Bound = Callable[[Fraction, Fraction, Fraction], Fraction]


def promised(tau: Fraction, level: Fraction, chance: Fraction) -> Fraction:
    return tau / (level**2 * chance)


def forgotten_condition(tau: Fraction, level: Fraction, chance: Fraction) -> Fraction:
    """Planted: E[.| G] taken for E[.]."""
    del chance
    return tau / level**2


def level_once(tau: Fraction, level: Fraction, chance: Fraction) -> Fraction:
    """Planted: |v|^2/a in place of |v|^2/a^2."""
    return tau / (level * chance)


def excess_and_bound(
    data: Dataset, tau: Fraction, chosen: Screen, bound: Bound
) -> tuple[Fraction, Fraction] | None:
    """E[excess | G] and its bound times OPT_1, by enumeration; None when G is impossible."""
    truth, thrown, spectrum = Truth(data), coins(data, tau), Spectrum(data)
    chance = excess = Fraction(0)
    for probability, bought in outcomes(thrown):
        weights = truth.kept(weights_of(thrown, bought))
        if chosen.budget is not None and len(bought) > chosen.budget:
            continue
        if spectrum.weighted(weights).at_least(chosen.least).holds:
            chance += probability
            excess += probability * truth.excess(weights)
    if chance == 0:
        return None
    assert chance == acceptance(data, thrown, chosen)
    return excess / chance, bound(tau, chosen.least, chance) * truth.optimum(data.unlabelled)


@given(labelled(), thresholds, levels, st.none() | st.integers(0, 5))
def test_the_promise_is_kept(
    data: Dataset, tau: Fraction, level: Fraction, budget: int | None
) -> None:
    judged = excess_and_bound(data, tau, screen(level, budget), promised)
    assume(judged is not None)
    assert judged is not None
    assert judged[0] <= judged[1]


#: One point to buy at tau = 1/8 and a = 1/2; two opposite labels at tau = 1/3, a = B = 1.
ONE = (dataset([[1], [1]], unlabelled=1, labels=[2, 0]), Fraction(1, 8), screen("1/2"))
TWO = (dataset([[1], [1], [1]], unlabelled=2, labels=[3, -3, 0]), Fraction(1, 3), screen(1, 1))


@pytest.mark.parametrize(("planted", "case"), [(forgotten_condition, TWO), (level_once, ONE)])
def test_planted_bounds_are_caught(planted: Bound, case: tuple[Dataset, Fraction, Screen]) -> None:
    for bound, kept in ((promised, True), (planted, False)):
        judged = excess_and_bound(*case, bound)
        assert judged is not None
        assert (judged[0] <= judged[1]) == kept


def test_trials_agree_with_enumeration() -> None:
    """The lower bound is below the truth (false alarm 1e-8), and not far below."""
    data = ridge([[1, 0], [1, 1], [0, 2], [2, 1], [1, -1]], 1)
    thrown = coins(data, "1/5")
    candidates = [
        Candidate(thrown, thrown.noise, screen(level, budget))
        for level in ("1/2", "3/4")
        for budget in (None, 3)
    ]
    for promise in promises(data, candidates, trials=500, seed=1, alpha=Fraction(1, 10**8)):
        truth = acceptance(data, thrown, promise.candidate.screen)
        assert truth - Fraction(1, 5) < promise.probability < truth
        assert promise.epsilon is not None
        assert promise.epsilon == thrown.noise / (
            promise.candidate.screen.least**2 * promise.probability
        )


def test_free_trials_are_those_of_the_seed() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2]], 1)
    thrown = coins(data, "1/4")
    (promise,) = promises(data, [Candidate(thrown, thrown.noise, screen("2/3", 2))], trials=20)
    spectrum = Spectrum(data)
    count = 0
    for number in range(20):
        bought = thrown.bought(trial(0, FREE, number))
        total = spectrum.with_kept(weights_of(thrown, bought))
        count += len(bought) <= 2 and total.at_least(Fraction(2, 3)).holds
    assert promise.accepted == count
    assert 0 < count < 20


def test_candidates_share_the_error_probability() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2]], 1)
    thrown = coins(data, "1/4")
    alone = Candidate(thrown, thrown.noise, screen("2/3"))
    (single,) = promises(data, [alone], trials=50, alpha=Fraction(1, 1000))
    shared = promises(data, [alone] * 10, trials=50, alpha=Fraction(1, 100))
    assert {promise.probability for promise in shared} == {single.probability}


# --- the screened procedure ---------------------------------------------------------------------


@given(labelled(), thresholds, st.integers(0, 99))
def test_the_first_accepted_sample_is_paid_for(data: Dataset, tau: Fraction, seed: int) -> None:
    thrown = coins(data, tau)
    chosen = screen("1/2", max(1, data.unlabelled - 1))
    assume(acceptance(data, thrown, chosen) > Fraction(1, 20))
    screened = Screened(thrown, chosen)
    number, sample = screened.accepted(data, Seed(seed))
    spectrum = Spectrum(data)
    for earlier in range(number):
        bought = thrown.bought(trial(seed, PAID, earlier))
        total = spectrum.with_kept(weights_of(thrown, bought))
        assert len(bought) > (chosen.budget or 0) or total.at_least(Fraction(1, 2)).fails
    assert sample.picks[: label_count(data, sample)] == thrown.bought(trial(seed, PAID, number))
    fit = active_regression(data, screened, chooser=Seed(seed))
    assert fit.paid == fit.draws == label_count(data, sample) <= (chosen.budget or 0)
    assert fit.determined
    truth = Truth(data)
    weights = truth.kept(weights_of(thrown, sample.picks[: fit.paid]))
    assert fit.loss is not None
    assert fit.loss.midpoint == truth.optimum() + truth.excess(weights)


def test_labels_are_read_only_where_bought() -> None:
    rows = [[1, 0], [1, 1], [0, 2], [2, 1]]
    known = ridge(rows, 2, labels=[1, 2, 3, 4])
    screened = Screened(coins(known, 1), screen("1/4", 2))
    bought = screened.sample(known, Seed(3)).picks[:-2]
    assert 0 < len(bought) < 4
    hidden = ridge(rows, 2, labels=[y if i in bought else None for i, y in enumerate((1, 2, 3, 4))])
    fit = active_regression(hidden, screened, chooser=Seed(3))
    assert fit.beta == active_regression(known, screened, chooser=Seed(3)).beta
    assert fit.picks == (*bought, 4, 5)


def test_the_spectral_test_at_its_boundary() -> None:
    """M = 4/3 of the truth when the one point of weight 2 is bought, 2/3 when not."""
    data = dataset([[1], [1], [1]], unlabelled=1)
    thrown = coins(data, "1/3")
    assert thrown.probabilities == (Fraction(1, 2),)
    assert acceptance(data, thrown, screen("2/3")) == 1
    assert acceptance(data, thrown, screen(Fraction(2, 3) + Fraction(1, 10**40))) == Fraction(1, 2)
    assert acceptance(data, thrown, screen("4/3")) == Fraction(1, 2)
    assert acceptance(data, thrown, screen(Fraction(4, 3) + Fraction(1, 10**40))) == 0


def test_recorded_randomness_allows_one_attempt() -> None:
    data = dataset([[1], [1]], unlabelled=1, labels=[1, 1])
    screened = Screened(coins(data, 1), screen("3/4"))
    assert screened.sample(data, uniforms([0])).picks == (0, 1)
    with pytest.raises(errors.NeverAccepted, match="1 samples") as caught:
        screened.sample(data, uniforms(["1/2"]))
    assert caught.value.value == 1
    with pytest.raises(errors.NeverAccepted):
        Screened(coins(data, 1), screen(3), redraws=5).sample(data, Seed(0))
    with pytest.raises(errors.RandomnessExhausted, match="not fixed picks"):
        screened.sample(data, Picks([0]))


def test_every_label_blind_procedure_can_be_screened() -> None:
    """Leverage scores over all of X with E|v|^2 <= (d/m) OPT; ASURA in doubles, by its picks."""
    data = ridge([[1, 0], [1, 1], [0, 2], [2, 1], [1, 3]], "1/2", labels=[1, 2, 0, 1, 2])
    poisson = leverage_sampling(4)
    (promise,) = promises(
        data,
        [Candidate(poisson, Fraction(2, 4), screen("1/4", 4))],
        trials=60,
        alpha=Fraction(1, 9),
    )
    assert promise.epsilon is not None
    barriers = asura_sampling("1/4", arithmetic=DoubleArithmetic())
    for procedure in (poisson, barriers):
        screened = Screened(procedure, screen("1/4", 4))
        for seed in range(3):
            fit = active_regression(data, screened, chooser=Seed(seed))
            assert fit.paid <= 4
            assert fit.determined


# --- ends of the domain -------------------------------------------------------------------------


def test_nothing_to_buy() -> None:
    """X_1 empty, or zero: R = 0, no label, the X_2 solution is exact."""
    for rows in ([[1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1]]):
        data = dataset(rows, unlabelled=len(rows) - 2, labels=[5] * len(rows))
        plan = coins_for_budget(data, 0)
        assert plan.epsilon == plan.alpha == 0
        fit = active_regression(data, Screened(plan.candidate.procedure, plan.candidate.screen))
        assert (fit.paid, fit.beta) == (0, (Fraction(5), Fraction(5)))
        assert coins_for_accuracy(data, "1/100").candidate.screen.budget == 0


def test_x2_empty() -> None:
    data = dataset([[1, 0], [0, 1], [1, 1], [1, 2]], labels=[1, 2, 3, 5])
    plan = coins_for_budget(data, 3)
    assert plan.epsilon is not None
    fit = active_regression(data, Screened(plan.candidate.procedure, plan.candidate.screen))
    assert fit.paid <= 3
    assert fit.determined


def test_tiny_reduced_rank() -> None:
    """R about 1e-24 and a budget of one: the accuracy is out of all proportion."""
    data = dataset([["1e-12"], ["1e-12"], [1]], unlabelled=2, labels=[1, -1, 0])
    plan = coins_for_budget(data, 1)
    assert plan.epsilon is not None
    assert plan.epsilon < Fraction(1, 10**20)


def test_promises_by_trials_for_budget_and_accuracy() -> None:
    """More points than are enumerated: both ways agree on what a label buys."""
    rows = [[1, k % 5 - 2, k % 3] for k in range(40)]
    data = ridge(rows, 1)
    plan = coins_for_budget(data, 25, trials=150)
    assert plan.epsilon is not None
    assert plan.alpha == Fraction(1, 10**6)
    back = coins_for_accuracy(data, plan.epsilon * Fraction(3, 2), trials=150)
    assert back.candidate.screen.budget is not None
    assert back.candidate.screen.budget <= 32
    assert back.epsilon is not None
    assert back.epsilon <= plan.epsilon * Fraction(3, 2)


@pytest.mark.parametrize(
    "data",
    [
        dataset([[1, k % 5 - 2] for k in range(30)]),  # free trials
        dataset([[1, 0]] * 6 + [[0, 1]], unlabelled=6),  # enumerated, X_2 does not span
    ],
)
def test_a_loose_accuracy_never_costs_more_labels(data: Dataset) -> None:
    """Planted: taus between eps/10 and eps alone, whose coins hardly ever fall."""
    plans = [coins_for_accuracy(data, epsilon, trials=100) for epsilon in (1, 3, 10, 100)]
    budgets = [plan.candidate.screen.budget or 0 for plan in plans]
    assert budgets == sorted(budgets, reverse=True)
    assert budgets[-1] < data.unlabelled / 4
    for plan, epsilon in zip(plans, (1, 3, 10, 100), strict=True):
        assert plan.epsilon is not None
        assert plan.epsilon <= epsilon


def test_taus_below_the_accuracy_alone_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted mistake of the test above: at eps = 100 everything would be bought."""
    data = dataset([[1, 0]] * 6 + [[0, 1]], unlabelled=6)
    monkeypatch.setattr(
        choosing, "_thresholds", lambda epsilon: [epsilon * share for share in choosing.SHARES]
    )
    assert coins_for_accuracy(data, 100).candidate.screen.budget == 6


def test_bad_input_is_named() -> None:
    data = dataset([[1], [1], [1]], unlabelled=2, labels=[1, 1, 1])
    with pytest.raises(errors.ThresholdOutOfRange, match="tau = -1") as refused:
        coins(data, -1)
    assert refused.value.value == -1
    with pytest.raises(errors.ThresholdOutOfRange, match="a = -1"):
        screen(-1)
    for budget in (lambda: screen(1, -1), lambda: coins_for_budget(data, -1)):
        with pytest.raises(errors.BudgetOutOfRange, match="expected B >= 0"):
            budget()
    with pytest.raises(errors.EpsilonOutOfRange):
        coins_for_accuracy(data, 0)
    with pytest.raises(errors.BudgetOutOfRange, match="too small"):
        coins_for_budget(dataset([[1], [1]]), 0)
    with pytest.raises(errors.EnumerationTooLarge):
        acceptance(data, coins_for([Fraction(1)] * (MOST_POINTS + 1), 1), screen(1))
    with pytest.raises(errors.RaggedData, match="3 coins"):
        coins_for([Fraction(1)] * 3, 1).sample(data, Seed(0))
    thrown = coins(data, 1)
    with pytest.raises(errors.TrialsOutOfRange):
        promises(data, [Candidate(thrown, thrown.noise, screen(1))], trials=0)
    with pytest.raises(errors.ProbabilityOutOfRange):
        promises(data, [Candidate(thrown, thrown.noise, screen(1))], alpha=Fraction(1))
