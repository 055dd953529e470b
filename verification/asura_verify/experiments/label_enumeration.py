"""Exact values of `asura experiment labels`: every outcome of a procedure, for eight points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from flint import fmpq

from asura.algorithm1_regression import loss, optimum, weighted_least_squares
from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.dimensions import leverage_scores, reduced_rank
from asura.errors import SizeOutOfRange
from asura.kept.barriers import Barriers
from asura.kept.coins import leverages
from asura.kept.variants import one_sided
from asura.randomness import Picks
from asura.run import run
from asura.samplers.coreset import LabelCoreset
from asura.samplers.decisions import ExactSample
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.learners import GreedyInX, LargestVariance, NearestToBoundary
from asura.samplers.leverage import IidLeverageSampling, ridge_leverage_sampling
from asura.samplers.volume import VolumeSampling
from asura.sampling import leverage_sampling
from asura.scalars import fraction, point, rational
from asura.stopping import sure
from asura_verify.experiments.field import READS_ALL
from asura_verify.experiments.model import Row, outward
from asura_verify.trees.kept_runs import leaves
from asura_verify.trees.sampler_laws import Law, Weights, coins_law, law, normal, total, weighted

#: The points (1, x), by x, with the labels of each kind.
SMALL_LABELS: dict[str, dict[int, int]] = {
    "noise": {0: 1, 1: 0, 2: 2, 3: 1, 4: 4, 6: 2, 8: 5, 11: 4},
    "spike": {11: 8},
    "against a fixed choice": {0: 1, 11: 1},
}
#: The places of X_1, then those of X_2.
SMALL_PROBLEMS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "n = 8, d = 2": ((0, 1, 2, 3, 4, 6, 8, 11), ()),
    "n = 8, d = 2, two labels free": ((0, 1, 2, 6, 8, 11), (3, 4)),
}
#: Beyond, the runs of Algorithm 2 and of K2 have a thousand digits each, and sums take minutes.
MOST_STEPS = 3
#: With these gammas every run of Algorithm 2 on these points makes so many draws, by both rules.
GAMMAS = {2: Fraction(9, 20), 3: Fraction(43, 100)}
#: The share of the runs with loss <= 3/2 OPT is reported.
WITHIN = Fraction(3, 2)


def small(name: str, labels: str) -> Dataset:
    """One of the two problems with labels of one kind."""
    bought, free = SMALL_PROBLEMS[name]
    places = (*bought, *free)
    return dataset(
        [[1, x] for x in places],
        unlabelled=len(bought),
        labels=[SMALL_LABELS[labels].get(x, 0) for x in places],
    )


def _kept(data: Dataset) -> Weights:
    return [(i, Fraction(1)) for i in range(data.unlabelled, data.size)]


def _uniform(data: Dataset, size: int) -> Law:
    """k of X_1 without replacement, weight n_1/k; X_2 kept."""
    sets = list(itertools.combinations(range(data.unlabelled), size))
    weight = Fraction(data.unlabelled, size)
    return [(Fraction(1, len(sets)), [*((i, weight) for i in s), *_kept(data)]) for s in sets]


def _volume(data: Dataset, size: int) -> Law:
    """By the formula, since the orders of removal are many."""
    procedure = VolumeSampling(size)
    return [
        (procedure.probability(data, s), [(i, Fraction(1)) for i in s])
        for s in itertools.combinations(range(data.size), size)
    ]


def _leveraged(data: Dataset, size: int) -> Law:
    """det(sum x x^T/q) times the product of q, q = l/d, for every sequence of draws."""
    shares = [score / data.dimension for score in leverage_scores(data)]
    found: Law = []
    for picks in itertools.product(range(data.size), repeat=size):
        weights = [(i, 1 / (size * shares[i])) for i in picks]
        volume = fraction(normal(data, weights).det())
        found.append((math.prod((shares[i] for i in picks), start=volume), weights))
    whole = total(found)
    return [(p / whole, weights) for p, weights in found if p]


def _kept_coins(data: Dataset, size: int) -> Law:
    """K6: p = l/(l + tau), E|S| = k up to 2^-20, weight 1/p; X_2 kept."""
    scores = leverages(data)
    low, high = Fraction(0), Fraction(1024)
    for _ in range(30):
        tau = (low + high) / 2
        large = sum((score / (score + tau) for score in scores), Fraction(0)) > size
        low, high = (tau, high) if large else (low, tau)
    chances = [score / (score + high) for score in scores]
    found: Law = []
    for taken in itertools.product((True, False), repeat=len(chances)):
        pairs = list(zip(taken, chances, strict=True))
        chance = math.prod((p if yes else 1 - p for yes, p in pairs), start=Fraction(1))
        bought = [(i, 1 / p) for i, (yes, p) in enumerate(pairs) if yes]
        found.append((chance, [*bought, *_kept(data)]))
    return found


def _asura(data: Dataset, size: int) -> Law:
    """Algorithm 2 with so many draws from all of X, and the weights of Algorithm 1."""
    if size not in GAMMAS:
        raise SizeOutOfRange(f"size {size}: expected one of {list(GAMMAS)}", value=size)
    found: Law = []
    for picks in itertools.product(range(data.size), repeat=size):
        done = run(data, GAMMAS[size], arithmetic=EXACT, chooser=Picks(picks), stopping=sure())
        chances = (each.distribution.probability(each.index) for each in done.iterations)
        weights = zip(done.picks, map(fraction, done.scaled_weights), strict=True)
        found.append((fraction(math.prod(chances, start=fmpq(1))), list(weights)))
    return found


def _one_sided(data: Dataset, size: int) -> Law:
    """K2 with E draws <= k and nu about (R/k)^(2/3), at most 9/10; every run."""
    if size > MOST_STEPS:
        raise SizeOutOfRange(f"size {size}: expected at most {MOST_STEPS}", value=size)
    share = float(reduced_rank(data) / size) ** (2 / 3)
    nu = Fraction(min(0.9, share)).limit_denominator(100)
    runs = leaves(Barriers(data, one_sided(data, size, nu), EXACT))
    return [
        (
            fraction(leaf.probability),
            [
                *(
                    (i, fraction(weight / leaf.progress))
                    for i, weight in zip(leaf.picks, leaf.weights, strict=True)
                    if i is not None
                ),
                *_kept(data),
            ],
        )
        for leaf in runs
    ]


EXACT_PROCEDURES: dict[str, Callable[[Dataset, int], Law]] = {
    "uniform": _uniform,
    "leverage, coins": lambda data, k: coins_law(leverage_sampling(k), data),
    "leverage, iid": lambda data, k: law(IidLeverageSampling(k), data),
    "ridge leverage": lambda data, k: law(ridge_leverage_sampling(k), data),
    "volume": _volume,
    "leveraged volume": _leveraged,
    "ridge DPP": lambda data, _: law(RidgeProcess(), data),
    "k-DPP": lambda data, k: law(FixedSizeProcess(k), data),
    "ASURA, sure stop": _asura,
    "K2, one-sided": _one_sided,
    "kept coins": _kept_coins,
    "largest variance": lambda data, k: _single(LargestVariance(k).sample(data)),
    "greedy in x": lambda data, k: _single(GreedyInX(k).sample(data)),
    "uncertainty": lambda data, k: _single(NearestToBoundary(k).sample(data)),
    READS_ALL: lambda data, _: _single(LabelCoreset().sample(data)),
}


def _single(sample: ExactSample) -> Law:
    """Without randomness."""
    return [(Fraction(1), weighted(sample))]


@dataclass(frozen=True)
class _Answer:
    ratio: Fraction
    beta: tuple[Fraction, ...]
    determined: bool


def _answering(data: Dataset) -> Callable[[tuple[tuple[int, Fraction], ...]], _Answer]:
    """The answer on a weighted sample, once for equal samples."""
    best = optimum(data)[1].midpoint

    @cache
    def answer(weights: tuple[tuple[int, Fraction], ...]) -> _Answer:
        beta: tuple[Fraction, ...] = (Fraction(0),) * 2
        determined = False
        if weights:
            picks = tuple(i for i, _ in weights)
            sample = ExactSample(EXACT, picks, tuple(rational(w) for _, w in weights))
            known = {i: data.labels[i] or Fraction(0) for i in picks}
            solution, determined = weighted_least_squares(data, sample, known)
            beta = tuple(EXACT.enclosure(b).midpoint for b in solution)
        return _Answer(loss(data, beta).midpoint / best, beta, determined)

    return answer


def _merged(weights: Weights) -> tuple[tuple[int, Fraction], ...]:
    """The whole weight of every point, in order: the answer depends on no more."""
    whole: dict[int, Fraction] = {}
    for index, weight in weights:
        whole[index] = whole.get(index, Fraction(0)) + weight
    return tuple(sorted(whole.items()))


def enumerated(problem: str, labels: str, procedure: str, size: int) -> list[Row]:
    """E loss/OPT, the quantiles and the bias, over every outcome: n = 8, d = 2, exactly."""
    data = small(problem, labels)
    try:
        found = EXACT_PROCEDURES[procedure](data, size)
    except SizeOutOfRange:
        return []
    answer = _answering(data)
    bought = [{i for i, _ in weights if i < data.unlabelled} for _, weights in found]
    answers = [(p, answer(_merged(weights))) for p, weights in found]
    bias = [
        sum((p * (each.beta[k] - star.midpoint) for p, each in answers), Fraction(0))
        for k, star in enumerate(optimum(data)[0])
    ]
    paid = sum((p * len(s) for (p, _), s in zip(found, bought, strict=True)), Fraction(0))
    ratios = [(each.ratio, p) for p, each in answers]
    return [
        {
            "part": "exact",
            "problem": problem,
            "reduced_rank": float(reduced_rank(data)),
            "labels": labels,
            "procedure": procedure,
            "parameter": size,
            "runs": len(found),
            "labels_paid": float(data.unlabelled if procedure == READS_ALL else paid),
            "mean": outward(point(sum((r * p for r, p in ratios), Fraction(0))))[1],
            "median": _weighted_quantile(ratios, Fraction(1, 2)),
            "ninety": _weighted_quantile(ratios, Fraction(9, 10)),
            "ninety_nine": _weighted_quantile(ratios, Fraction(99, 100)),
            # Every outcome is there: an interval would be the value itself.
            **{
                f"{name}_{end}": ""
                for name in ("median", "ninety", "ninety_nine", "within")
                for end in ("low", "high")
            },
            "within": float(sum((p for r, p in ratios if r <= WITHIN), Fraction(0))),
            "deficient": float(sum((p for p, each in answers if not each.determined), Fraction(0))),
            "bias": math.sqrt(float(sum((b * b for b in bias), Fraction(0)))),
        }
    ]


def _weighted_quantile(values: list[tuple[Fraction, Fraction]], level: Fraction) -> float:
    reached = Fraction(0)
    for value, p in sorted(values):
        reached += p
        if reached >= level:
            return outward(point(value))[1]
    raise AssertionError(level)  # the probabilities sum to 1
