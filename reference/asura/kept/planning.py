"""Which variant, with which parameters, and what is promised: for a budget, or for an accuracy.

Every guarantee bounds E[loss] by (1 + epsilon) OPT. The methods:

- `everything`: all of X_1 is bought, no excess;
- `no-labels`, `shrunken`: K5, where X_2 spans;
- `coins`: K6, for the data at hand (its P(G) by free trials at a stated alpha, or enumerated);
- `redrawn`: K3, the one-sided variant redrawn within the budget; worst case over all data;
- `heavy-first`: K4, the heaviest points outright and K3 for the others;
- `two-stage`: K3 as a pilot, then draws by leverage.

All of them hold a budget surely. In expectation only (`surely=False`), `one-sided` (K2) and
`heavy-first` with it need fewer labels for an accuracy.

>>> from asura.dataset import ridge
>>> data = ridge([[1, k % 5 - 2] for k in range(40)], 200)
>>> best = guarantee_for(data, 0)
>>> best.method, float(best.epsilon) < 0.7
('no-labels', True)
>>> plan_for(data, "1/2", methods=("redrawn", "shrunken")).method
'shrunken'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from asura.dataset import Dataset
from asura.errors import BudgetOutOfRange, EpsilonOutOfRange, UnknownName
from asura.kept.bounds import shrunken_excess, zero_label_excess
from asura.kept.choosing import coins_for_accuracy, coins_for_budget
from asura.kept.coins import coins_for, leverages
from asura.kept.estimators import Estimator, KeptOnly, LeastSquares, Shrunken, TwoStage
from asura.kept.heavy import HeavyFirst, heaviest
from asura.kept.measures import Measures, measured
from asura.kept.runs import one_sided_sampling
from asura.kept.screening import ALPHA, Promise, Screen, Screened
from asura.kept.tuning import RedrawnChoice, one_sided_for, redrawn_for
from asura.scalars import read_scalar, show_scalar, write_scalar


@dataclass(frozen=True)
class Guarantee:
    """E[loss] <= (1 + epsilon) OPT for the estimator.

    `budget` bounds the labels surely (None: only `expected` bounds them, in expectation). `alpha`
    is the probability that the free trials misled; 0 where nothing was tried.
    """

    method: str
    epsilon: Fraction
    budget: int | None
    expected: Fraction
    alpha: Fraction
    parameters: Mapping[str, Fraction]
    estimator: Estimator

    def __repr__(self) -> str:
        return f"Guarantee({self.method}: {self.promise})"

    @property
    def promise(self) -> str:
        """The guarantee in one sentence."""
        labels = (
            f"{show_scalar(self.expected)} labels in expectation"
            if self.budget is None
            else f"at most {self.budget} labels, surely"
        )
        doubt = f" (with confidence 1 - {show_scalar(self.alpha)})" if self.alpha else ""
        return f"E[loss] <= (1 + {show_scalar(self.epsilon)}) OPT with {labels}{doubt}"


@dataclass(frozen=True)
class Scope:
    """The data, what was measured of them, and how the free trials are made."""

    data: Dataset
    measures: Measures
    leverages: tuple[Fraction, ...]
    trials: int
    seed: int
    alpha: Fraction

    @property
    def every(self) -> int:
        """How many points of X_1 there are to buy; the others are zero."""
        return sum(1 for score in self.leverages if score)


Method = Callable[[Scope, int], Guarantee | None]


def _surely(
    method: str,
    excess: Fraction,
    budget: int,
    estimator: Estimator,
    alpha: Fraction = Fraction(0),
    **parameters: Fraction | int,
) -> Guarantee:
    """A guarantee with at most so many labels."""
    made = {name: Fraction(value) for name, value in parameters.items()}
    return Guarantee(method, excess, budget, Fraction(budget), alpha, made, estimator)


def _everything(scope: Scope, budget: int) -> Guarantee | None:
    if budget < scope.every:
        return None
    estimator = LeastSquares(coins_for(scope.leverages, 0))
    return _surely("everything", Fraction(0), scope.every, estimator)


def _no_labels(scope: Scope, budget: int) -> Guarantee | None:
    del budget
    excess = zero_label_excess(scope.measures.norm)
    return None if excess is None else _surely("no-labels", excess, 0, LeastSquares(KeptOnly()))


def _shrunken(scope: Scope, budget: int) -> Guarantee | None:
    norm = scope.measures.norm
    excess = shrunken_excess(scope.measures.rank, norm, budget)
    if excess is None or budget == 0 or norm == 0:
        return None
    shrinkage = excess * (1 - norm) / norm
    estimator = Shrunken(budget, shrinkage)
    return _surely("shrunken", excess, budget, estimator, draws=budget, shrinkage=shrinkage)


def _of_coins(promise: Promise) -> Guarantee | None:
    screen = promise.candidate.screen
    if promise.epsilon is None or screen.budget is None:
        return None
    return _surely(
        "coins",
        promise.epsilon,
        screen.budget,
        LeastSquares(Screened(promise.candidate.procedure, screen)),
        promise.alpha,
        threshold=promise.candidate.noise,
        least=screen.least,
        acceptance=promise.probability,
    )


def _coins(scope: Scope, budget: int) -> Guarantee | None:
    try:
        promise = coins_for_budget(
            scope.data, budget, trials=scope.trials, seed=scope.seed, alpha=scope.alpha
        )
    except BudgetOutOfRange:
        return None
    return _of_coins(promise)


def _redraw(choice: RedrawnChoice, rank: Fraction, budget: int) -> Screened[Any, Any]:
    return Screened(one_sided_sampling(rank / choice.ratio, choice.nu), Screen(Fraction(0), budget))


def _redrawn(scope: Scope, budget: int) -> Guarantee | None:
    rank = scope.measures.rank
    if rank == 0 or budget == 0:
        return None
    choice = redrawn_for(budget / rank, scope.measures.norm)
    if choice is None:
        return None
    return _surely(
        "redrawn",
        choice.excess,
        budget,
        LeastSquares(_redraw(choice, rank, budget)),
        draws=rank / choice.ratio,
        nu=choice.nu,
        overrun=choice.overrun,
    )


def _remaining(scope: Scope) -> list[Fraction]:
    """R after the h heaviest points were bought, for h = 0, 1, ..."""
    rest = [scope.measures.rank]
    for score in sorted(scope.leverages, reverse=True):
        rest.append(rest[-1] - score)
    return rest


def _heavy_first(scope: Scope, budget: int) -> Guarantee | None:
    """The excess falls with (B - h)/R_h, so the number h with the largest ratio is the best."""
    rest = _remaining(scope)
    ratios = [
        ((budget - count) / rank, count)
        for count, rank in enumerate(rest[: budget + 1])
        if rank > 0 and count < budget
    ]
    if not ratios:
        return None
    ratio, count = max(ratios, key=lambda pair: (pair[0], -pair[1]))
    choice = redrawn_for(ratio, scope.measures.norm)
    if choice is None or count == 0:
        return None
    inner = _redraw(choice, rest[count], budget - count)
    return _surely(
        "heavy-first",
        choice.excess,
        budget,
        LeastSquares(HeavyFirst(heaviest(scope.data, count), inner)),
        bought=count,
        draws=rest[count] / choice.ratio,
        nu=choice.nu,
        overrun=choice.overrun,
    )


def _two_stage(scope: Scope, budget: int) -> Guarantee | None:
    """Split the budget: (R/N)(1 + eps_0) for a pilot of B - N labels, over a grid of N."""
    rank = scope.measures.rank
    if rank == 0:
        return None
    best: tuple[Fraction, int, RedrawnChoice] | None = None
    for part in range(1, 20):
        draws = budget * part // 20
        if draws < 1 or draws >= budget:
            continue
        choice = redrawn_for((budget - draws) / rank, scope.measures.norm)
        if choice is not None:
            excess = rank / draws * (1 + choice.excess)
            if best is None or excess < best[0]:
                best = (excess, draws, choice)
    if best is None:
        return None
    excess, draws, choice = best
    pilot = budget - draws
    estimator = TwoStage(_redraw(choice, rank, pilot), draws)
    return _surely("two-stage", excess, budget, estimator, draws=draws, pilot=pilot, nu=choice.nu)


METHODS: dict[str, Method] = {
    "everything": _everything,
    "no-labels": _no_labels,
    "shrunken": _shrunken,
    "coins": _coins,
    "redrawn": _redrawn,
    "heavy-first": _heavy_first,
    "two-stage": _two_stage,
}


def _chosen(methods: Sequence[str] | None) -> list[str]:
    names = list(METHODS) if methods is None else list(methods)
    for name in names:
        if name not in METHODS:
            raise UnknownName(f"method {name!r}: expected one of {', '.join(METHODS)}", value=name)
    return names


def scope_of(data: Dataset, *, trials: int = 400, seed: int = 0, alpha: Fraction = ALPHA) -> Scope:
    """What the methods look at."""
    return Scope(data, measured(data), leverages(data), trials, seed, alpha)


def guarantees_for(
    scope: Scope, budget: int, *, methods: Sequence[str] | None = None
) -> list[Guarantee]:
    """What each method promises for at most B labels, the best first."""
    if budget < 0:
        raise BudgetOutOfRange(f"budget = {budget}: expected B >= 0", value=budget)
    found = [METHODS[name](scope, budget) for name in _chosen(methods)]
    return sorted(
        (guarantee for guarantee in found if guarantee is not None),
        key=lambda guarantee: guarantee.epsilon,
    )


def guarantee_for(
    data: Dataset,
    budget: int,
    *,
    methods: Sequence[str] | None = None,
    trials: int = 400,
    seed: int = 0,
    alpha: Fraction = ALPHA,
) -> Guarantee:
    """The smallest epsilon that some method promises for at most B labels, surely."""
    scope = scope_of(data, trials=trials, seed=seed, alpha=alpha)
    found = guarantees_for(scope, budget, methods=methods)
    if not found:
        raise BudgetOutOfRange(f"budget = {budget}: too small for any promise", value=budget)
    return found[0]


def _smallest(scope: Scope, name: str, epsilon: Fraction) -> Guarantee | None:
    """The smallest budget for which a method promises an accuracy, by bisection."""
    low, high = -1, scope.every
    best = METHODS[name](scope, high)
    if best is None or best.epsilon > epsilon:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        found = METHODS[name](scope, middle)
        if found is not None and found.epsilon <= epsilon:
            best, high = found, middle
        else:
            low = middle
    return best


def _in_expectation(scope: Scope, epsilon: Fraction) -> Guarantee | None:
    """K2, after the points that cost less outright: h + R_h/x at its smallest."""
    if scope.measures.rank == 0:
        return None
    choice = one_sided_for(epsilon, scope.measures.norm)
    costs = [(count + rank / choice.ratio, count) for count, rank in enumerate(_remaining(scope))]
    expected, count = min(costs)
    draws = expected - count
    bought = heaviest(scope.data, count)
    if draws <= 0:
        return None
    inner = one_sided_sampling(draws, choice.nu)
    return Guarantee(
        "heavy-first" if count else "one-sided",
        choice.excess,
        None,
        expected,
        Fraction(0),
        {"bought": Fraction(count), "draws": draws, "nu": choice.nu},
        LeastSquares(HeavyFirst(bought, inner) if count else inner),
    )


def plan_for(
    data: Dataset,
    epsilon: object,
    *,
    surely: bool = True,
    methods: Sequence[str] | None = None,
    trials: int = 400,
    seed: int = 0,
    alpha: Fraction = ALPHA,
) -> Guarantee:
    """The fewest labels for an accuracy: surely, or (`surely=False`) in expectation.

    To label all of X_1 is the last resort, so that there is always an answer.
    """
    exact = read_scalar(epsilon)
    if exact <= 0:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact)}: expected epsilon > 0", value=exact
        )
    scope = scope_of(data, trials=trials, seed=seed, alpha=alpha)
    names = _chosen(methods)
    found = [_everything(scope, scope.every)]
    for name in names:
        if name == "coins":
            promise = coins_for_accuracy(
                data, exact, trials=scope.trials, seed=scope.seed, alpha=scope.alpha
            )
            found.append(_of_coins(promise))
        else:
            found.append(_smallest(scope, name, exact))
    if not surely:
        found.append(_in_expectation(scope, exact))
    return min(
        (guarantee for guarantee in found if guarantee is not None),
        key=lambda guarantee: (guarantee.expected, guarantee.epsilon),
    )
