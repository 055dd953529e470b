"""Which coins, and which screen: for a budget of labels, or for an accuracy.

Any choice is honest, since its promise is proved for the data at hand; the grids below only say
where to look. Pilot trials make a shortlist of them, whose promises are made together by fresh
trials (one alpha, union bound), and the best is taken.

>>> from asura.dataset import ridge
>>> data = ridge([[1, 0], [0, 1], [1, 1], [1, 2], [2, 1], [1, -1], [3, 1], [1, 3]], 1)
>>> plan = coins_for_budget(data, 6)
>>> plan.candidate.screen.budget, plan.alpha, round(float(plan.epsilon), 1)
(6, Fraction(0, 1), 0.2)
>>> coins_for_budget(data, 8).epsilon                  # all can be bought
Fraction(0, 1)
>>> plan = coins_for_accuracy(data, 1)
>>> plan.candidate.screen.budget, plan.epsilon <= 1
(5, True)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from asura.dataset import Dataset
from asura.errors import BudgetOutOfRange, EpsilonOutOfRange
from asura.kept.coins import Coins, coins_for, leverages
from asura.kept.confidence import least_probability
from asura.kept.enumeration import MOST_POINTS, outlook
from asura.kept.screening import ALPHA, Candidate, Promise, Screen, accepted_counts, promises
from asura.kept.trials import PILOT
from asura.scalars import read_scalar, write_scalar

#: Levels a of the spectral test.
LEVELS = tuple(Fraction(i, 24) for i in range(6, 24))

#: By how many roots of B the expected number of labels stays below the budget B.
MARGINS = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))

#: Shares tau/eps, which a^2 P(G) has to make up for.
SHARES = tuple(Fraction(i, 10) for i in range(1, 10))

#: Enumeration takes about 2^(n+2) spectral tests for each tau; beyond, trials are cheaper.
FEW_POINTS = min(10, MOST_POINTS)

#: How many pilot trials there are, and how many candidates they leave.
PILOTS = 100
SHORTLIST = 6


def threshold_for(leverage: Sequence[Fraction], expected: float) -> Fraction:
    """A tau with few bits and sum l/(l + tau) close to the number of labels expected."""
    scores = [float(score) for score in leverage if score]
    low, high = -300.0, 300.0  # the logarithm of tau to base 2
    for _ in range(64):
        middle = (low + high) / 2
        size = sum(score / (score + 2.0**middle) for score in scores)
        low, high = (middle, high) if size > expected else (low, middle)
    mantissa, exponent = math.frexp(2.0**low)
    return Fraction(round(mantissa * 256), 256) * Fraction(2) ** exponent


def _enumerated(data: Dataset, coins: Coins, screens: Sequence[Screen]) -> list[Promise]:
    """Promises with the exact P(G)."""
    levels = sorted({screen.least for screen in screens})
    seen = outlook(data, coins, levels)
    judged = []
    for screen in screens:
        place, most = levels.index(screen.least), screen.budget
        probability = sum(
            (p for p, size, reached in seen if reached > place and (most is None or size <= most)),
            Fraction(0),
        )
        candidate = Candidate(coins, coins.noise, screen)
        judged.append(Promise(candidate, probability, Fraction(0), 0, 0))
    return judged


def _expected(
    data: Dataset, candidates: Sequence[Candidate], trials: int, seed: int, alpha: Fraction
) -> list[Promise]:
    """What the free trials will probably show, by pilot trials less one standard error."""
    counts = accepted_counts(data, candidates, trials=PILOTS, seed=seed, purpose=PILOT)
    expected = []
    for candidate, count in zip(candidates, counts, strict=True):
        share = max(0.0, count - math.sqrt(count * (1 - count / PILOTS))) / PILOTS
        predicted = math.floor(share * trials)
        probability = least_probability(predicted, trials, alpha / SHORTLIST)
        expected.append(Promise(candidate, probability, alpha, trials, predicted))
    return expected


def _judged(
    data: Dataset,
    choices: Sequence[tuple[Coins, Sequence[Screen]]],
    shortlist: Callable[[Sequence[Promise]], Sequence[Promise]],
    trials: int,
    seed: int,
    alpha: Fraction,
) -> Sequence[Promise]:
    """Promises by enumeration where X_1 is small; elsewhere by trials, of a shortlist."""
    if all(sum(1 for p in coins.probabilities if p) <= FEW_POINTS for coins, _ in choices):
        return [
            promise for coins, screens in choices for promise in _enumerated(data, coins, screens)
        ]
    candidates = [
        Candidate(coins, coins.noise, screen) for coins, screens in choices for screen in screens
    ]
    listed = shortlist(_expected(data, candidates, trials, seed, alpha))[:SHORTLIST]
    chosen = [promise.candidate for promise in listed]
    return promises(data, chosen, trials=trials, seed=seed, alpha=alpha)


def _everything(leverage: Sequence[Fraction], budget: int) -> Promise:
    """All of X_1 is bought: M = I and no excess."""
    coins = coins_for(leverage, 0)
    screen = Screen(Fraction(1), budget)
    return Promise(Candidate(coins, Fraction(0), screen), Fraction(1), Fraction(0), 0, 0)


def _by_epsilon(judged: Iterable[Promise]) -> list[Promise]:
    """Those that promise something, the smallest epsilon first."""
    kept = [promise for promise in judged if promise.epsilon is not None]
    return sorted(kept, key=lambda promise: promise.epsilon or Fraction(0))


def _by_budget(judged: Iterable[Promise], epsilon: Fraction) -> list[Promise]:
    """For each budget the smallest epsilon, where it is small enough; the smallest budget first."""
    best: dict[int, Promise] = {}
    for promise in _by_epsilon(judged):
        if promise.epsilon is not None and promise.epsilon <= epsilon:
            best.setdefault(promise.candidate.screen.budget or 0, promise)
    return [best[budget] for budget in sorted(best)]


def coins_for_budget(
    data: Dataset, budget: int, *, trials: int = 400, seed: int = 0, alpha: Fraction = ALPHA
) -> Promise:
    """The smallest epsilon that is found for at most B labels; `BudgetOutOfRange` if none is."""
    if budget < 0:
        raise BudgetOutOfRange(f"budget = {budget}: expected B >= 0", value=budget)
    leverage = leverages(data)
    if sum(1 for score in leverage if score) <= budget:
        return _everything(leverage, budget)
    sizes = [budget - float(margin) * math.sqrt(budget) for margin in MARGINS]
    thrown = [coins_for(leverage, threshold_for(leverage, size)) for size in sizes if size > 0]
    screens = [Screen(level, budget) for level in LEVELS]
    choices = [(coins, screens) for coins in thrown]
    best = _by_epsilon(_judged(data, choices, _by_epsilon, trials, seed, alpha))
    if not best:
        raise BudgetOutOfRange(
            f"budget = {budget}: too small for a promise by coins on these data", value=budget
        )
    return best[0]


def _thresholds(epsilon: Fraction) -> list[Fraction]:
    """Where tau is looked for: below eps, and for eps > 1 also where it would be for eps = 1.

    Leverages are at most 1, so coins with tau of 1 or more fall rarely: a loose accuracy must not
    ask for these alone, or it would cost more labels than a strict one.
    """
    return sorted(
        {bound * share for bound in (epsilon, min(epsilon, Fraction(1))) for share in SHARES}
    )


def coins_for_accuracy(
    data: Dataset, epsilon: object, *, trials: int = 400, seed: int = 0, alpha: Fraction = ALPHA
) -> Promise:
    """The smallest budget that is found for an excess of at most epsilon OPT_1 in expectation.

    Buying all of X_1 is the last resort, so that there is always an answer.
    """
    exact = read_scalar(epsilon)
    if exact <= 0:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact)}: expected epsilon > 0", value=exact
        )
    leverage = leverages(data)
    every = sum(1 for score in leverage if score)
    choices = []
    for threshold in _thresholds(exact):
        coins = coins_for(leverage, threshold)
        expected = float(coins.expected_labels)
        budgets = {math.ceil(expected + float(z) * math.sqrt(expected)) for z in MARGINS}
        levels = [a for a in LEVELS if a**2 * exact > threshold]  # eps a^2 P(G) = tau is needed
        screens = [Screen(a, most) for most in sorted(budgets) if most < every for a in levels]
        if screens:
            choices.append((coins, screens))
    if not choices:
        return _everything(leverage, every)
    judged = _judged(
        data, choices, lambda promises: _by_budget(promises, exact), trials, seed, alpha
    )
    best = _by_budget(judged, exact)
    return best[0] if best else _everything(leverage, every)
