"""Coins have their distribution, samples are judged right, and promises are kept."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq_mat
from scipy import stats

from asura.engine import choosing, coins, gram
from asura.engine.coin_draws import CoinDraws, CoinFamily, threshold
from asura.engine.coins import ExactCoins, PoissonCoins, probabilities
from asura.engine.free_draws import Pool
from asura.engine.rows import ArrayRows
from asura.engine.searching import GuidedSearch
from asura.engine.threads import side_by_side
from asura.errors import BudgetOutOfRange, NeverAccepted
from asura.kept.trials import FREE, PAID, trial
from tests.reference.engine.designs import KINDS, design, exact, rational, semidefinite

LEVERAGES = np.array([0.9, 0.5, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001, 0.0, 1.0])
TAU = 0.3
DRAWS = 4000
#: Two-sided exact binomial tests of 10 rows and 45 pairs, 1e-8 together.
LEVEL = 1e-8 / 55


def quiet(*_: object) -> None:
    """No progress."""


def _pool(points: np.ndarray, ridge: float = 0.0, known: int = 0, intercept: bool = False) -> Pool:
    rows = ArrayRows(points, intercept)
    mask = np.arange(len(points)) < known
    penalty = np.full(rows.width, ridge)
    if intercept:
        penalty[-1] = 0.0
    return Pool(rows, np.flatnonzero(~mask), gram.spectrum(rows, mask, penalty))


def _suspicious(count: int, chance: float) -> bool:
    return bool(stats.binomtest(count, DRAWS, chance).pvalue < LEVEL)


def _alarms(toss: coins.CoinToss) -> int:
    drawn = np.zeros((DRAWS, len(LEVERAGES)), bool)
    for number in range(DRAWS):
        drawn[number, toss.draw(FREE, number)] = True
    chances = probabilities(LEVERAGES, TAU)
    alarms = sum(_suspicious(int(c), p) for c, p in zip(drawn.sum(axis=0), chances, strict=True))
    for i, k in itertools.combinations(range(len(LEVERAGES)), 2):
        both = int((drawn[:, i] & drawn[:, k]).sum())
        alarms += _suspicious(both, chances[i] * chances[k])
    return alarms


def test_both_kinds_of_coins_are_independent_with_the_right_chances() -> None:
    assert _alarms(PoissonCoins(3, LEVERAGES, TAU)) == 0
    assert _alarms(ExactCoins(3, probabilities(LEVERAGES, TAU))) == 0


def test_the_tests_of_the_distribution_notice_wrong_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted mistakes: p itself as the rate, and one event too many."""
    monkeypatch.setattr(np, "log1p", lambda x: x / (1 + x))
    assert _alarms(PoissonCoins(3, LEVERAGES, TAU)) > 0
    assert _alarms(ExactCoins(3, probabilities(LEVERAGES, TAU * 0.8))) > 0


def test_the_guided_search_is_the_search() -> None:
    rng = np.random.default_rng(6)
    for size in (1, 2, 7, 5000):
        leverages = rng.random(size) ** 12 * (rng.random(size) < 0.8)
        leverages[0] = 1.0
        search = GuidedSearch(np.log1p(leverages / 1e-6))
        rates = search.sums
        events = np.sort(np.append(rng.random(2000) * rates[-1], rates[:-1]))
        truth = np.minimum(np.searchsorted(rates, events, side="right"), size - 1)
        assert search.rows(events).tolist() == truth.tolist()


def test_small_pools_use_the_uniforms_of_the_reference() -> None:
    chances = np.random.default_rng(1).random(50)
    toss = ExactCoins(11, chances)
    for number in range(5):
        seed = trial(11, PAID, number)
        expected = [
            i for i, p in enumerate(chances) if seed.draw(i).interval(256).low < Fraction(float(p))
        ]
        assert toss.draw(PAID, number).tolist() == expected


def test_a_coin_whose_first_bits_do_not_decide_takes_more() -> None:
    seed = trial(0, FREE, 0)
    uniform = seed.draw(0).interval(53)
    low, high = float(uniform.low), float(uniform.high)
    assert ExactCoins(0, np.array([high])).draw(FREE, 0).tolist() == [0]
    assert ExactCoins(0, np.array([low])).draw(FREE, 0).tolist() == []
    tight = np.nextafter(low, 1)  # between low and high only if low < 1/2
    expected = [0] if seed.draw(0).interval(256).high <= Fraction(float(tight)) else []
    assert ExactCoins(0, np.array([tight])).draw(FREE, 0).tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_level_that_is_proved_is_true(kind: str) -> None:
    rng = np.random.default_rng(4)
    for seed in range(4):
        points = design(kind, seed, rows=14)
        pool = _pool(points, known=4)
        columns = [k for k in range(3) if k not in pool.spectrum.whitening.dropped]
        picks = np.flatnonzero(rng.random(pool.size) < 0.7)
        weights = rng.uniform(0.5, 3, len(picks))
        sample = pool.side(picks, weights)
        level = pool.floor(sample)
        rows = exact(points[:, columns])
        factors = [1.0] * 4 + [0.0] * 10
        for pick, weight in zip(picks, weights, strict=True):
            factors[4 + pick] += weight
        both = rows.transpose() * exact(np.diag(np.array(factors))) * rows
        whole = rows.transpose() * rows
        assert semidefinite(both - whole * rational(level))
        if kind in {"gauss", "scales", "integers", "tiny", "huge"} and level > 0:
            assert not semidefinite(both - whole * rational(level + 1e-6))
            assert not pool.proved(sample, level + 1e-6)


def _subset_value(
    rows: fmpq_mat, labels: fmpq_mat, subset: tuple[int, ...], weights: list[float], ridge: float
) -> tuple[fmpq_mat, fmpq_mat]:
    """The sample's matrix and its solution, exactly."""
    size, width = rows.nrows(), rows.ncols()
    factors = [0.0] * size
    for i, w in zip(subset, weights, strict=True):
        factors[i] = w
    scale = exact(np.diag(np.array(factors)))
    matrix = rows.transpose() * scale * rows + exact(np.eye(width) * ridge)
    return matrix, matrix.solve(rows.transpose() * scale * labels)


def _expected_excess(pool: Pool, points: np.ndarray, promise: choosing.Promise) -> None:
    """P(G) >= probability and E[excess | G] <= epsilon OPT_1, by enumeration of all samples."""
    ridge, size = 0.5, len(points)
    rows = exact(points)
    labels = exact(np.random.default_rng(0).standard_normal((size, 1)))
    whole, best = _subset_value(rows, labels, tuple(range(size)), [1.0] * size, ridge)
    residual = rows * best - labels
    optimum = (residual.transpose() * residual)[0, 0]
    tau = promise.parameters["tau"]
    chances = probabilities(pool.spectrum.leverages, tau)
    mass = excess = rational(0.0)
    for bits in itertools.product([False, True], repeat=size):
        subset = tuple(i for i in range(size) if bits[i])
        chance = rational(1.0)
        for i in range(size):
            p = rational(float(chances[i]))
            chance *= p if bits[i] else 1 - p
        picks = np.array(subset, dtype=np.intp)
        weights = 1 / chances[picks]
        good = len(subset) <= promise.budget and pool.proved(
            pool.side(picks, weights), promise.least
        )
        if good:
            _, found = _subset_value(rows, labels, subset, weights.tolist(), ridge)
            gap = found - best
            mass += chance
            excess += chance * (gap.transpose() * whole * gap)[0, 0]
    assert mass >= rational(promise.probability)
    assert excess <= mass * rational(promise.epsilon) * optimum


def test_a_promise_is_kept_by_enumeration() -> None:
    points = np.round(design("heavy", 3, rows=9, columns=2), 3)
    pool = _pool(points, ridge=0.5)
    for budget in (3, 6):
        _, promise = choosing.for_budget(CoinFamily(pool, 5), budget, quiet)
        assert promise is not None
        assert promise.budget == budget
        _expected_excess(pool, points, promise)


def test_promises_that_say_too_much_are_caught() -> None:
    """The planted mistakes: P(G) taken as 1, tau forgotten, coins of another tau."""
    points = np.round(design("heavy", 3, rows=9, columns=2), 3)
    pool = _pool(points, ridge=0.5)
    _, promise = choosing.for_budget(CoinFamily(pool, 5), 3, quiet)
    assert promise is not None
    for forged in (
        replace(promise, probability=1.0),
        replace(promise, epsilon=promise.epsilon * 1e-3),
        replace(promise, parameters={"tau": promise.parameters["tau"] / 20}),
    ):
        with pytest.raises(AssertionError):
            _expected_excess(pool, points, forged)


def test_an_accuracy_is_met_or_all_labels_are_asked_for() -> None:
    points = design("gauss", 0, rows=400, columns=3)
    pool = _pool(points, ridge=1.0)
    found = choosing.for_accuracy(CoinFamily(pool, 1), 0.3, quiet)
    assert found is not None
    promise = found[1]
    assert promise.epsilon <= 0.3
    assert promise.budget < 200
    assert choosing.for_accuracy(CoinFamily(pool, 1), 1e-7, quiet) is None


def budget_kept(seed: int) -> bool:
    """One small plan: are there at most B labels?"""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    points = design(kind, seed, rows=int(rng.integers(5, 40)))
    pool = _pool(points, ridge=float(rng.choice([0.0, 1.0])), known=3)
    budget = int(rng.integers(1, 10))
    positive = int(np.count_nonzero(pool.spectrum.leverages))
    if budget >= positive:
        return True
    tau = threshold(pool.spectrum.leverages, min(budget * 1.2, positive - 0.5))
    try:
        drawn, _ = choosing.final_draw(pool, CoinDraws(pool, seed, tau), 0.01, budget)
    except NeverAccepted:
        return True
    return len(set(drawn.picks.tolist())) <= budget


def test_the_budget_is_never_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_REDRAWS", 50)
    assert all(budget_kept(seed) for seed in range(150))


def test_too_many_labels_expected() -> None:
    with pytest.raises(BudgetOutOfRange):
        threshold(LEVERAGES, 20.0)


def test_errors_in_a_trial_come_through() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda k: 1 // k, [1, 0, 1], quiet)
