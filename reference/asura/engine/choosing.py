"""Which procedure of a family to take, for a budget or for an accuracy, and what follows.

A sample S with weights w is good, G, when M >= a is proved and it asks for at most B labels. With
E|v|^2 <= noise OPT, E[loss | G] - OPT <= noise OPT/(a^2 P(G)), with at most B labels, surely. P(G)
is bounded from below by free trials and an exact binomial bound, at level alpha over all levels a
that are tried on the same trials. The procedure and the levels come from trials of their own,
which count for nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from asura.engine.free_draws import Pool
from asura.engine.procedures import Drawn, Family, Procedure
from asura.engine.threads import side_by_side
from asura.errors import NeverAccepted
from asura.kept.confidence import least_probability
from asura.kept.trials import FREE, PAID
from asura.rounding import up

Progress = Callable[[str, float], None]

#: The probability that the trials mislead us.
ALPHA = Fraction(1, 10**6)
TRIALS = 400
#: Samples that a choice of parameters rests on, fewer where each inverts many matrices.
_PILOTS, _SLOW_PILOTS = 24, 8
#: Free trials that choose the levels have numbers from here on, those that count start at 0.
_PILOT_NUMBERS = 10**6
#: Bisections of the budget for an accuracy.
_ROUNDS = 12
_REDRAWS = 20_000
_QUANTILES = (0.0, 0.1, 0.3)
#: Procedures that invert matrices get fewer trials, so that all take about so many operations.
_OPERATIONS, _FEWEST = 4e10, 60


@dataclass(frozen=True)
class Promise:
    """E[loss] <= (1 + epsilon) OPT, and at most `budget` labels, surely."""

    parameters: dict[str, float]
    least: float
    budget: int
    expected: float
    trials: int
    accepted: int
    probability: float
    epsilon: float


@dataclass(frozen=True, repr=False)
class _Pilot:
    """A procedure, levels a worth trying with it, from the largest down, and what it asked for."""

    procedure: Procedure
    levels: list[float]
    sizes: list[int]
    estimate: float


def _levels(floors: Sequence[float]) -> list[float]:
    """Levels a worth trying, from the largest down, as short decimals."""
    good = sorted(level for level in floors if level > 0)
    if not good:
        return []
    picked = {np.quantile(good, q, method="lower") * 0.999 for q in _QUANTILES}
    rounded = {math.floor(level * 10**4) / 10**4 or level for level in picked}
    return sorted(rounded, reverse=True)


def _pilot(
    pool: Pool, procedure: Procedure, budget: int | None, start: int, watch: Callable[[float], None]
) -> _Pilot:
    """Proved levels and sizes of a few samples that are thrown away."""

    def once(number: int) -> tuple[float, int]:
        drawn = procedure.draw(FREE, number)
        labels = pool.labels(drawn.picks)
        if budget is not None and labels > budget:
            return 0.0, labels
        return pool.floor(pool.side(drawn.picks, drawn.weights)), labels

    count = _SLOW_PILOTS if procedure.steps else _PILOTS
    numbers = range(_PILOT_NUMBERS + start, _PILOT_NUMBERS + start + count)
    found = side_by_side(once, numbers, watch)
    floors = [level for level, _ in found]
    levels = _levels(floors)
    estimate = math.inf
    if levels and procedure.noise is not None:
        share = sum(level > 0 for level in floors) / count
        estimate = procedure.noise / (levels[len(levels) // 2] ** 2 * share)
    return _Pilot(procedure, levels, [size for _, size in found], estimate)


def _most_promising(
    pool: Pool,
    candidates: Sequence[Procedure],
    budget: int | None,
    start: int,
    watch: Callable[[float], None],
) -> _Pilot:
    """The candidate with the smallest estimate; the first where nothing can be estimated."""

    def part(number: int) -> Callable[[float], None]:
        return lambda share: watch((number + share) / len(candidates))

    tried = [_pilot(pool, one, budget, start, part(k)) for k, one in enumerate(candidates)]
    return min(tried, key=lambda pilot: pilot.estimate)


def _affordable(pool: Pool, procedure: Procedure, trials: int) -> int:
    """So many free trials, or fewer where each inverts many matrices."""
    if not procedure.steps:
        return trials
    operations = procedure.steps * (3e5 + 6.0 * pool.spectrum.whitening.rank**3)
    return min(trials, max(_FEWEST, int(_OPERATIONS / operations)))


def _trials(
    pool: Pool, pilot: _Pilot, budget: int, trials: int, alpha: Fraction, progress: Progress
) -> Promise | None:
    """The best promise over the levels, from trials 0, 1, ... of the free purpose."""
    procedure, levels = pilot.procedure, pilot.levels
    noise = procedure.noise
    if noise is None:
        return None
    number_of_trials = _affordable(pool, procedure, trials)

    def passed(number: int) -> int:
        """How many of the levels, from the smallest up, the sample is proved to reach."""
        drawn = procedure.draw(FREE, number)
        if pool.labels(drawn.picks) > budget:
            return 0
        sample = pool.side(drawn.picks, drawn.weights)
        for k, level in enumerate(levels):
            if pool.proved(sample, level):
                return len(levels) - k
        return 0

    counts = side_by_side(
        passed, range(number_of_trials), lambda share: progress("free trials", share)
    )
    best: Promise | None = None
    for k, level in enumerate(levels):
        accepted = sum(count >= len(levels) - k for count in counts)
        if accepted == 0:
            continue
        chance = float(least_probability(accepted, number_of_trials, alpha / len(levels)))
        if chance <= 0:
            continue
        epsilon = up(noise / (level * level * chance))
        if best is None or epsilon < best.epsilon:
            best = Promise(
                procedure.parameters,
                level,
                budget,
                procedure.expected,
                number_of_trials,
                accepted,
                chance,
                epsilon,
            )
    return best


def for_budget(
    family: Family, budget: int, progress: Progress, trials: int = TRIALS
) -> tuple[Procedure, Promise | None]:
    """The procedure for a budget, and its promise; None where the budget is too small for one."""
    candidates = family.for_budget(budget)
    if candidates[0].noise is None:
        return candidates[0], None
    pilot = _most_promising(
        family.pool, candidates, budget, 0, lambda share: progress("looking for parameters", share)
    )
    if not pilot.levels:
        return candidates[0], None
    return pilot.procedure, _trials(family.pool, pilot, budget, trials, ALPHA, progress)


def for_accuracy(
    family: Family, epsilon: float, progress: Progress, trials: int = TRIALS
) -> tuple[Procedure, Promise] | None:
    """A promise with this epsilon and a small budget; None where only all labels keep it."""
    pool = family.pool
    positive = pool.useful

    def attempt(expected: float, round_: int) -> _Pilot:
        return _most_promising(
            pool,
            family.expecting(expected),
            None,
            round_ * _PILOTS,
            lambda share: progress("looking for a budget", min(1.0, (round_ + share) / _ROUNDS)),
        )

    def promising(pilot: _Pilot) -> bool:
        return pilot.estimate <= 0.9 * epsilon

    low, high = 0.5, float(positive) * 0.999
    for step in range(_ROUNDS):
        if high / low < 1.03:
            break
        middle = math.sqrt(low * high)
        pilot = attempt(middle, step)
        low, high = (low, middle) if promising(pilot) else (middle, high)
    for retry in range(8):  # each with its share of alpha
        expected = high * 1.04**retry
        if expected >= positive * 0.995:
            return None
        pilot = attempt(expected, _ROUNDS + retry)
        usual = math.ceil(pilot.procedure.expected + 2 * pilot.procedure.spread)
        budget = min(positive, max(usual, *pilot.sizes))
        if budget >= positive or not pilot.levels:
            continue
        share = ALPHA / 2 ** (retry + 1)
        found = _trials(pool, pilot, budget, trials, share, progress)
        if found is not None and found.epsilon <= epsilon:
            return pilot.procedure, found
    return None


def final_draw(pool: Pool, procedure: Procedure, least: float, budget: int) -> tuple[Drawn, int]:
    """Draw until the sample is good: the sample, and the number of its draw.

    With least = 0 any sample does that is proved to determine the model.
    """
    tries = _REDRAWS if least > 0 else 200
    for number in range(tries):
        drawn = procedure.draw(PAID, number)
        if pool.labels(drawn.picks) > budget:
            continue
        sample = pool.side(drawn.picks, drawn.weights)
        if pool.proved(sample, least) if least > 0 else pool.floor(sample) > 0:
            return drawn, number
    raise NeverAccepted(
        f"none of {tries} samples of at most {budget} labels determines the model: "
        "give a larger budget or a ridge",
        value=tries,
    )
