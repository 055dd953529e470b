"""Exact values of `asura experiment labels`: every outcome of a sampler, for eight points."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from asura.algorithm1_regression import loss, optimum, weighted_least_squares
from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.samplers.decisions import ExactSample
from asura.samplers.leverage import ridge_leverage_sampling
from asura.samplers.volume import VolumeSampling
from asura.scalars import point, rational
from asura_verify.experiments.model import Row, outward
from asura_verify.trees.sampler_laws import Law, law

SMALL = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 6], [1, 8], [1, 11]]
SMALL_LABELS = {
    "noise": [1, 0, 2, 1, 4, 2, 5, 4],
    "spike": [0, 0, 0, 0, 0, 0, 0, 8],
    "against a fixed choice": [1, 0, 0, 0, 0, 0, 0, 1],
}
#: The share of the runs with loss <= 2 OPT is reported.
WITHIN = 2
EXACT_PROCEDURES = ("uniform", "leverage scores", "volume")


def _exact_law(name: str, size: int, data: Dataset) -> Law:
    """Every outcome with its weights; sets by their formulas, since their orders are too many."""
    if name == "leverage scores":
        return law(ridge_leverage_sampling(size), data)
    volume, sets = VolumeSampling(size), list(itertools.combinations(range(data.size), size))
    if name == "volume":
        return [(volume.probability(data, s), [(i, Fraction(1)) for i in s]) for s in sets]
    weight = Fraction(data.size, size)
    return [(Fraction(1, len(sets)), [(i, weight) for i in s]) for s in sets]


def enumerated(labels: str, procedure: str, size: int) -> list[Row]:
    """E loss/OPT, the quantiles and the bias, over every outcome: n = 8, d = 2, exactly."""
    data = dataset(SMALL, labels=SMALL_LABELS[labels])
    beta_star, best = optimum(data)
    weighted = []
    mean, bias = Fraction(0), [Fraction(0)] * 2
    deficient, paid, within = Fraction(0), Fraction(0), Fraction(0)
    for p, weights in _exact_law(procedure, size, data):
        picks = tuple(i for i, _ in weights)
        beta, determined = [Fraction(0)] * 2, False
        if picks:
            sample = ExactSample(EXACT, picks, tuple(rational(w) for _, w in weights))
            known = {i: data.labels[i] or Fraction(0) for i in picks}
            solution, determined = weighted_least_squares(data, sample, known)
            beta = [EXACT.enclosure(b).midpoint for b in solution]
        ratio = loss(data, beta).midpoint / best.midpoint
        weighted.append((ratio, p))
        mean += p * ratio
        bias = [b + p * (x - y.midpoint) for b, x, y in zip(bias, beta, beta_star, strict=True)]
        within += p * (ratio <= WITHIN)
        deficient += p * (not determined)
        paid += p * len(set(picks))
    return [
        {
            "part": "exact",
            "problem": "n = 8, d = 2",
            "reduced_rank": 2.0,
            "labels": labels,
            "procedure": procedure,
            "parameter": size,
            "runs": len(weighted),
            "labels_paid": float(paid),
            "mean": outward(point(mean))[1],
            "median": _weighted_quantile(weighted, Fraction(1, 2)),
            "ninety": _weighted_quantile(weighted, Fraction(9, 10)),
            "ninety_low": "",
            "ninety_high": "",
            "ninety_nine": _weighted_quantile(weighted, Fraction(99, 100)),
            "within": float(within),
            "within_low": "",
            "within_high": "",
            "deficient": float(deficient),
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
