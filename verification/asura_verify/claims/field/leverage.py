"""Leverage scores (Drineas and others): coins and independent draws; and uniform sampling."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from asura.dataset import Dataset, dataset
from asura.dimensions import leverage_scores
from asura.samplers.leverage import IidLeverageSampling, RidgeLeverageSampling
from asura.samplers.uniform import UniformSampling
from asura.sampling import LeverageSampling
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import POOLS, VOLUMES
from asura_verify.instances.field import PoolInstance, VolumeInstance
from asura_verify.registry.claim import Check, Claim, Counterexample, Demonstration
from asura_verify.registry.shorthand import claim, demonstrated, dropped, printed, sharper
from asura_verify.trees.sampler_laws import (
    Law,
    best,
    coins_law,
    determinantal_moments,
    expected_gram,
    law,
    solve,
    total,
)

FIELD = "the field: leverage scores"


def _determinantal(compare: Comparisons, what: str, data: Dataset, found: Law) -> None:
    """E det = det(X^T X) and E[det beta]/E[det] = beta*."""
    determinant, moment = determinantal_moments(data, found)
    compare.equal(f"{what}: total probability", total(found), 1)
    compare.equal(f"{what}: E det", determinant, data.coordinates.gram().det())
    for k, (value, wanted) in enumerate(zip(moment, best(data), strict=True)):
        compare.equal(f"{what}: E[det beta], {k}", value, determinant * wanted)


@conjunction
def coins_are_determinantally_unbiased(compare: Comparisons, instance: VolumeInstance) -> None:
    """Coins over all points, capped or not."""
    found = coins_law(LeverageSampling(instance.expected), instance.data)
    _determinantal(compare, "coins", instance.data, found)


@conjunction
def kept_coins_are_determinantally_unbiased(compare: Comparisons, instance: VolumeInstance) -> None:
    """Coins over X_1, and X_2 kept at weight 1."""
    procedure = RidgeLeverageSampling(instance.expected)
    _determinantal(compare, "X_2 kept", instance.data, law(procedure, instance.data))


@conjunction
def scores_sum_to_the_rank(compare: Comparisons, instance: VolumeInstance) -> None:
    """The sum of the leverage scores is d; each lies in [0, 1]."""
    scores = leverage_scores(instance.data)
    compare.equal("sum of l", sum(scores, Fraction(0)), instance.data.dimension)
    for i, score in enumerate(scores):
        compare.at_most(f"0 <= l_{i}", 0, score)
        compare.at_most(f"l_{i} <= 1", score, 1)


def _unbiased(compare: Comparisons, what: str, data: Dataset, found: Law) -> None:
    compare.equal(f"{what}: total probability", total(found), 1)
    value, wanted = expected_gram(data, found), data.coordinates.gram()
    for i in range(data.dimension):
        for k in range(data.dimension):
            compare.equal(f"{what}: E sum w x x^T, {i}, {k}", value[i, k], wanted[i, k])


@conjunction
def draws_are_unbiased(compare: Comparisons, instance: PoolInstance) -> None:
    """k independent draws by q = l/d, weight 1/(k q)."""
    found = law(IidLeverageSampling(instance.size), instance.data)
    _unbiased(compare, "independent draws", instance.data, found)


@conjunction
def uniform_is_unbiased(compare: Comparisons, instance: PoolInstance) -> None:
    """k of n points, weight n/k, with and without replacement; a set is never larger than X."""
    data, size = instance.data, min(instance.size, instance.data.size)
    replaced = law(UniformSampling(instance.size, replacement=True), data)
    _unbiased(compare, "with replacement", data, replaced)
    found = law(UniformSampling(size), data)
    _unbiased(compare, "without replacement", data, found)
    for _, weights in found:
        chosen = [i for i, _ in weights]
        compare.that(f"{chosen} are different points", len(set(chosen)) == size)


def _plain_mean_is_biased() -> Demonstration:
    data = dataset([[1], [2]], labels=[1, 0])
    found = coins_law(LeverageSampling(Fraction(1)), data)
    # A sample that does not determine beta is answered by beta = 0, or left out: both are biased.
    values = [(p, beta) for p, weights in found if (beta := solve(data, weights)) is not None]
    mean = sum((fmpq(p.numerator, p.denominator) * beta[0] for p, beta in values), fmpq(0))
    chance = sum((fmpq(p.numerator, p.denominator) for p, _ in values), fmpq(0))
    (wanted,) = best(data)
    determinant, (moment,) = determinantal_moments(data, found)
    return demonstrated(
        decided(wanted not in (mean, mean / chance)),
        "$X = 1, 2$, labels 1, 0, $m = 1$: $p = 1/5, 4/5$",
        rf"$\mathbb{{E}} \beta = {mean}$, given a sample that determines it "
        rf"{mean / chance}; $\beta^\ast = {wanted}$",
        rf"$\mathbb{{E}}[\det \cdot \beta]/\mathbb{{E}}[\det] = {moment / determinant}$",
    )


CLAIMS: tuple[Claim, ...] = (
    claim(
        "leverage-determinants",
        "Leverage sampling is unbiased under the determinant",
        FIELD,
        printed(
            r"coins with $p = \min(1, (m/d) l)$ and weights $1/p$: $\mathbb{E} \det(\sum w x "
            r"x^\top) = \det(X^\top X)$ and $\mathbb{E}[\det \beta]/\mathbb{E}[\det] = "
            r"\beta^\ast$, where a singular sample counts 0",
            Check("coins-determinant", VOLUMES, coins_are_determinantally_unbiased),
            theorems="coins_determinant coins_unbiased",
        ),
        sharper(
            "kept",
            "the same when only $X_1$ is sampled and $X_2$ is kept at weight 1",
            Check("kept-coins-determinant", VOLUMES, kept_coins_are_determinantally_unbiased),
            theorems="coins_determinant coins_unbiased",
        ),
        sharper(
            "four-points",
            r"both for every four real points in the plane with any real labels, and for coins of "
            r"any probabilities $p_i > 0$ with weights $1/p_i$, whatever the $p_i$ depend on",
            proved_by="coins-on-four-determinant coins-on-four-solution",
        ),
        dropped(
            "plain",
            r"$\mathbb{E}[\beta] = \beta^\ast$, without the determinant",
            Counterexample("plain-mean", "$X = 1, 2$, $m = 1$", _plain_mean_is_biased),
        ),
    ),
    claim(
        "sampled-gram",
        "Sampled Gram matrices are unbiased",
        FIELD,
        printed(
            r"$k$ independent draws by $q = l/d$ with weights $1/(k q)$: $\mathbb{E} \sum w x "
            r"x^\top = X^\top X$",
            Check("draws-gram", POOLS, draws_are_unbiased),
            theorems="draws_gram",
        ),
        sharper(
            "uniform",
            "so does uniform sampling of $k$ of $n$ points with weights $n/k$, with replacement "
            "or without, and without it $k$ different points",
            Check("uniform-gram", POOLS, uniform_is_unbiased),
        ),
        sharper(
            "scores",
            "the leverage scores lie between 0 and 1, and sum to the rank $d$",
            Check("scores-sum", VOLUMES, scores_sum_to_the_rank),
            theorems="draws_gram",
        ),
        depends="trace-identity",
    ),
)
