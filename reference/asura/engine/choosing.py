"""Which threshold tau and level a to take, for a budget or for an accuracy, and what follows.

With coins p = l/(l + tau), weights 1/p, and G = {M >= a is proved, and |S| <= B}:
E[loss | G] - OPT <= tau OPT_1/(a^2 P(G)), with at most B labels, surely. P(G) is bounded from
below by free trials and an exact binomial bound, at level alpha over all levels a that are tried
on the same trials. tau and the levels come from trials of their own, which count for nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import optimize, stats

from asura.engine.coins import FREE, PAID, CoinToss, Indices, Vector, coins, probabilities
from asura.engine.free_draws import Pool
from asura.engine.rounding import up
from asura.engine.threads import side_by_side
from asura.errors import BudgetOutOfRange, NeverAccepted
from asura.kept.confidence import least_probability

Progress = Callable[[str, float], None]

#: The probability that the trials mislead us.
ALPHA = Fraction(1, 10**6)
TRIALS = 400
_PILOTS = 24
#: Free trials that choose the levels have numbers from here on, those that count start at 0.
_PILOT_NUMBERS = 10**6
_REDRAWS = 20_000
_QUANTILES = (0.0, 0.1, 0.3)


@dataclass(frozen=True)
class Promise:
    """E[loss] <= (1 + epsilon) OPT, and at most `budget` labels, surely."""

    tau: float
    least: float
    budget: int
    expected: float
    trials: int
    accepted: int
    probability: float
    epsilon: float


def expected_labels(leverages: Vector, tau: float) -> float:
    """E|S| = sum l/(l + tau)."""
    return float(probabilities(leverages, tau).sum())


def threshold(leverages: Vector, expected: float) -> float:
    """The tau at which so many labels are expected, as a short decimal."""
    positive = leverages[leverages > 0]
    if not 0 < expected < len(positive):
        raise BudgetOutOfRange(
            f"{expected:g} labels expected of {len(positive)} rows: expected fewer", value=expected
        )

    def surplus(logarithm: float) -> float:
        return expected_labels(positive, math.exp(logarithm)) - expected

    low, high = math.log(positive.min()) - 40, math.log(positive.sum() / expected) + 1e-9
    while surplus(low) < 0:
        low -= 40
    found = math.exp(float(optimize.brentq(surplus, low, high, xtol=1e-5, rtol=1e-9)))
    return float(f"{found:.4g}")


def threshold_for_budget(leverages: Vector, budget: int) -> float:
    """The tau that makes tau/P(|S| <= B) smallest, |S| taken as normal."""
    positive = int(np.count_nonzero(leverages))
    best = (math.inf, 0.0)
    for z in (0.25, 0.75, 1.25, 1.75, 2.25, 3.0):
        expected = budget + 0.5 - z * math.sqrt(budget)
        if not 0.2 <= expected < positive:
            expected = min(max(0.2, budget / 2), positive - 0.5)
        tau = threshold(leverages, expected)
        chances = probabilities(leverages, tau)
        spread = math.sqrt(float((chances * (1 - chances)).sum())) + 1e-9
        within = float(stats.norm.cdf((budget + 0.5 - chances.sum()) / spread))
        best = min(best, (tau / max(within, 1e-9), tau))
    return best[1]


def noise(tau: float, reduced_rank: float) -> float:
    """E|v|^2 <= noise OPT_1: tau, and what the doubles p and 1/p are off by."""
    return up(tau + 2.0**-50 + 2.0**-100 * reduced_rank)


def weights(pool: Pool, picks: Indices, tau: float) -> Vector:
    """1/p for the rows bought."""
    return np.asarray(1 / probabilities(pool.spectrum.leverages[picks], tau))


def _pilot(
    pool: Pool, toss: CoinToss, tau: float, budget: int | None, start: int
) -> tuple[list[float], list[int]]:
    """Proved levels and sizes of a few samples that are thrown away."""

    def once(number: int) -> tuple[float, int]:
        picks = toss.draw(FREE, number)
        if budget is not None and len(picks) > budget:
            return 0.0, len(picks)
        return pool.floor(pool.side(picks, weights(pool, picks, tau))), len(picks)

    numbers = range(_PILOT_NUMBERS + start, _PILOT_NUMBERS + start + _PILOTS)
    found = side_by_side(once, numbers, lambda _: None)
    return [level for level, _ in found], [size for _, size in found]


def _levels(floors: Sequence[float]) -> list[float]:
    """Levels a worth trying, from the largest down, as short decimals."""
    good = sorted(level for level in floors if level > 0)
    if not good:
        return []
    picked = {np.quantile(good, q, method="lower") * 0.999 for q in _QUANTILES}
    rounded = {math.floor(level * 10**4) / 10**4 or level for level in picked}
    return sorted(rounded, reverse=True)


def _trials(
    pool: Pool,
    toss: CoinToss,
    tau: float,
    budget: int,
    levels: Sequence[float],
    trials: int,
    alpha: Fraction,
    progress: Progress,
) -> Promise | None:
    """The best promise over the levels, from trials 0, 1, ... of the free purpose."""

    def passed(number: int) -> int:
        """How many of the levels, from the smallest up, the sample is proved to reach."""
        picks = toss.draw(FREE, number)
        if len(picks) > budget:
            return 0
        sample = pool.side(picks, weights(pool, picks, tau))
        for k, level in enumerate(levels):
            if pool.proved(sample, level):
                return len(levels) - k
        return 0

    counts = side_by_side(passed, range(trials), lambda share: progress("free trials", share))
    best: Promise | None = None
    for k, level in enumerate(levels):
        accepted = sum(count >= len(levels) - k for count in counts)
        if accepted == 0:
            continue
        chance = float(least_probability(accepted, trials, alpha / len(levels)))
        if chance <= 0:
            continue
        epsilon = up(noise(tau, pool.spectrum.reduced_rank) / (level * level * chance))
        if best is None or epsilon < best.epsilon:
            expected = expected_labels(pool.spectrum.leverages, tau)
            best = Promise(tau, level, budget, expected, trials, accepted, chance, epsilon)
    return best


def for_budget(
    pool: Pool, budget: int, seed: int, progress: Progress, trials: int = TRIALS
) -> Promise | None:
    """The promise for a budget; None where the budget is too small for one."""
    tau = threshold_for_budget(pool.spectrum.leverages, budget)
    toss = coins(seed, pool.spectrum.leverages, tau)
    floors, _ = _pilot(pool, toss, tau, budget, 0)
    levels = _levels(floors)
    if not levels:
        return None
    return _trials(pool, toss, tau, budget, levels, trials, ALPHA, progress)


def for_accuracy(
    pool: Pool, epsilon: float, seed: int, progress: Progress, trials: int = TRIALS
) -> Promise | None:
    """A promise with this epsilon and a small budget; None where only all labels keep it."""
    leverages = pool.spectrum.leverages
    positive = int(np.count_nonzero(leverages))

    def attempt(expected: float, start: int) -> tuple[float, list[float], list[int]]:
        tau = threshold(leverages, expected)
        floors, sizes = _pilot(pool, coins(seed, leverages, tau), tau, None, start)
        return tau, _levels(floors), sizes

    def promising(tau: float, levels: list[float]) -> bool:
        return bool(levels) and noise(tau, 0.0) / (levels[len(levels) // 2] ** 2 * 0.9) <= epsilon

    low, high = 0.5, float(positive) * 0.999
    for step in range(12):
        if high / low < 1.03:
            break
        middle = math.sqrt(low * high)
        tau, levels, _ = attempt(middle, step * _PILOTS)
        progress("looking for a budget", step / 12)
        low, high = (low, middle) if promising(tau, levels) else (middle, high)
    for retry in range(8):  # each with its share of alpha
        expected = high * 1.04**retry
        if expected >= positive * 0.995:
            return None
        tau, levels, sizes = attempt(expected, (12 + retry) * _PILOTS)
        chances = probabilities(leverages, tau)
        spread = math.sqrt(float((chances * (1 - chances)).sum()))
        budget = min(positive, max(math.ceil(float(chances.sum()) + 2 * spread), *sizes))
        if budget >= positive or not levels:
            continue
        share = ALPHA / 2 ** (retry + 1)
        toss = coins(seed, leverages, tau)
        found = _trials(pool, toss, tau, budget, levels, trials, share, progress)
        if found is not None and found.epsilon <= epsilon:
            return found
    return None


def final_draw(
    pool: Pool, tau: float, least: float, budget: int, seed: int
) -> tuple[Indices, Vector, int]:
    """Draw until the sample is good: its rows within X_1, their weights, and the draw's number.

    With least = 0 any sample does that is proved to determine the model.
    """
    toss = coins(seed, pool.spectrum.leverages, tau)
    tries = _REDRAWS if least > 0 else 200
    for number in range(tries):
        picks = toss.draw(PAID, number)
        if len(picks) > budget:
            continue
        weight = weights(pool, picks, tau)
        sample = pool.side(picks, weight)
        if pool.proved(sample, least) if least > 0 else pool.floor(sample) > 0:
            return picks, weight, number
    raise NeverAccepted(
        f"none of {tries} samples of at most {budget} labels determines the model: "
        "give a larger budget or a ridge",
        value=tries,
    )
