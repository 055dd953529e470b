"""Volume sampling (Derezinski and Warmuth): any size s >= d, unweighted."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.dataset import Dataset, dataset
from asura.samplers.volume import VolumeSampling, determinant
from asura.scalars import fraction, rational
from asura.verdict import decided
from asura_verify.deciding.comparisons import VACUOUS, CheckResult, Comparisons, conjunction
from asura_verify.instances.families import VOLUMES
from asura_verify.instances.field import VolumeInstance
from asura_verify.registry.claim import Check, Claim, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, dropped, printed, sharper
from asura_verify.trees.sampler_laws import (
    Law,
    best,
    expected_beta,
    expected_inverse,
    expected_loss,
    inclusion,
    law,
    loss,
)

GENERAL = Range("degeneracy", None, 0, closed_high=True)

#: Two pairs of equal rows: not in general position.
PAIRS = dataset([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]], labels=[1, 3, 0, 2, 1])
#: In general position, two of five labels free.
PARABOLA = dataset([[1, 0], [1, 1], [1, 2], [1, 3], [1, 5]], unlabelled=3, labels=[1, 0, 2, 1, 4])


def _volume(data: Dataset, chosen: tuple[int, ...]) -> Fraction:
    return fraction(determinant(data, [(i, fmpq(1)) for i in chosen]))


def _normaliser(instance: VolumeInstance) -> Fraction:
    """C(n-d, s-d) det(X^T X), written out here and not taken from the sampler."""
    data, size = instance.data, instance.size
    subsets = math.comb(data.size - data.dimension, size - data.dimension)
    return subsets * fraction(data.coordinates.gram().det())


@conjunction
def volumes_sum(compare: Comparisons, instance: VolumeInstance) -> None:
    """The sum of det(X_S^T X_S) over all sets of s points is C(n-d, s-d) det(X^T X)."""
    data, size = instance.data, instance.size
    found = (_volume(data, s) for s in itertools.combinations(range(data.size), size))
    compare.equal("the sum of the volumes", sum(found, Fraction(0)), _normaliser(instance))


@conjunction
def removal_has_the_law(compare: Comparisons, instance: VolumeInstance) -> None:
    """P(S) by all orders of removal is det(X_S^T X_S) over the normaliser, for every S."""
    data, size = instance.data, instance.size
    drawn: dict[tuple[int, ...], Fraction] = {}
    for p, weights in instance.law:
        chosen = tuple(sorted(i for i, _ in weights))
        drawn[chosen] = drawn.get(chosen, Fraction(0)) + p
        compare.that(f"{chosen} is a set of s points at weight 1", _plain(weights, size))
    whole = _normaliser(instance)
    for chosen in itertools.combinations(range(data.size), size):
        chance = drawn.pop(chosen, Fraction(0))
        compare.equal(f"P({chosen})", chance, _volume(data, chosen) / whole)
    compare.that("nothing else is drawn", not drawn)


@conjunction
def two_stages_have_the_law(compare: Comparisons, instance: VolumeInstance) -> None:
    """P(T) = det(X_T^T X_T)/det(X^T X) for d points T, then each set of s - d others alike."""
    data, size, rank = instance.data, instance.size, instance.data.dimension
    whole, gram = _normaliser(instance), fraction(data.coordinates.gram().det())
    alike = Fraction(1, math.comb(data.size - rank, size - rank))
    for chosen in itertools.combinations(range(data.size), size):
        cores = (_volume(data, core) for core in itertools.combinations(chosen, rank))
        chance = alike * sum(cores, Fraction(0)) / gram
        compare.equal(f"P({chosen})", chance, _volume(data, chosen) / whole)


def _plain(weights: list[tuple[int, Fraction]], size: int) -> bool:
    return len({i for i, _ in weights}) == len(weights) == size and all(w == 1 for _, w in weights)


@conjunction
def inclusions(compare: Comparisons, instance: VolumeInstance) -> None:
    """P(i in S) = t + (1 - t) l_i."""
    data = instance.data
    gram, rows = data.coordinates.gram().inv(), data.coordinates.rows
    scores = rows * gram * rows.transpose()
    rank = data.dimension
    # With n = d the only set is everything, and t is any number.
    share = fmpq(instance.size - rank, data.size - rank) if data.size > rank else fmpq(1)
    for i, chance in enumerate(inclusion(data, instance.law)):
        compare.equal(f"P({i} in S)", rational(chance), share + (1 - share) * scores[i, i])


def _equal_vectors(compare: Comparisons, found: list[fmpq] | None, wanted: list[fmpq]) -> None:
    compare.that("every outcome has one solution", found is not None)
    for k, (left, right) in enumerate(zip(found or [], wanted, strict=False)):
        compare.equal(f"E beta, coordinate {k}", left, right)


@conjunction
def solution_is_unbiased(compare: Comparisons, instance: VolumeInstance) -> None:
    """E beta_S = beta*."""
    _equal_vectors(compare, expected_beta(instance.data, instance.law), best(instance.data))


def _losses(instance: VolumeInstance) -> tuple[fmpq | None, fmpq]:
    data = instance.data
    value = expected_loss(data, law(VolumeSampling(data.dimension), data))
    return value, (data.dimension + 1) * loss(data, best(data))


def loss_is_equal(instance: VolumeInstance) -> CheckResult:
    """E loss = (d + 1) OPT at s = d."""
    if instance.parameters["degeneracy"]:
        return VACUOUS
    compare = Comparisons()
    value, bound = _losses(instance)
    compare.that("every outcome has one solution", value is not None)
    compare.equal("E loss", value or fmpq(0), bound)
    return compare.result()


@conjunction
def loss_is_bounded(compare: Comparisons, instance: VolumeInstance) -> None:
    """E loss <= (d + 1) OPT at s = d."""
    value, bound = _losses(instance)
    compare.that("every outcome has one solution", value is not None)
    compare.at_most("E loss", value or fmpq(0), bound)


def _inverses(data: Dataset, size: int, found: Law) -> tuple[fmpq_mat, fmpq_mat]:
    factor = fmpq(data.size - data.dimension + 1, size - data.dimension + 1)
    return expected_inverse(data, found), data.coordinates.gram().inv() * factor


def inverse_is_equal(instance: VolumeInstance) -> CheckResult:
    """E (X_S^T X_S)^-1 = ((n-d+1)/(s-d+1)) (X^T X)^-1."""
    if instance.parameters["degeneracy"]:
        return VACUOUS
    compare = Comparisons()
    value, bound = _inverses(instance.data, instance.size, instance.law)
    compare.that("E inverse = factor times inverse", bool(value == bound))
    return compare.result()


@conjunction
def inverse_is_equal_exactly_when(compare: Comparisons, instance: VolumeInstance) -> None:
    """At most, in Loewner order; equal exactly when no larger spanning set needs a point."""
    value, bound = _inverses(instance.data, instance.size, instance.law)
    compare.semidefinite(r"E inverse $\preceq$ factor times inverse", bound - value)
    needed = instance.parameters["needed"]
    compare.that("equal exactly when no point is needed", bool(value == bound) is (needed == 0))


def _kept_is_biased() -> Demonstration:
    data = PARABOLA
    kept = [(i, Fraction(1)) for i in range(data.unlabelled, data.size)]
    found = [
        (p, [pair for pair in weights if pair[0] < data.unlabelled] + kept)
        for p, weights in law(VolumeSampling(2), data)
    ]
    value, wanted = expected_beta(data, found) or [], best(data)
    return demonstrated(
        decided(value != wanted),
        "$X = (1, x)$ at $x = 0, 1, 2, 3, 5$, labels 1, 0, 2, 1, 4; the last two are $X_2$",
        "$S$ is a volume sample of size 2, and $X_2$ is kept beside it, everything at weight 1",
        rf"$\mathbb{{E}} \beta = ({', '.join(map(str, value))})$",
        rf"$\beta^\ast = ({', '.join(map(str, wanted))})$",
    )


def _degenerate_loss() -> Demonstration:
    value = expected_loss(PAIRS, law(VolumeSampling(2), PAIRS)) or fmpq(0)
    least = loss(PAIRS, best(PAIRS))
    return demonstrated(
        decided(value != 3 * least),
        "$X = e_1, e_1, e_2, e_2, e_1 + e_2$, labels 1, 3, 0, 2, 1: two pairs are dependent",
        rf"$\mathbb{{E}}\, \mathrm{{loss}} = {value}$, $\mathrm{{OPT}} = {least}$: the "
        f"ratio is {value / least} and not $d + 1 = 3$",
    )


def _degenerate_inverse() -> Demonstration:
    value, bound = _inverses(PAIRS, 2, law(VolumeSampling(2), PAIRS))
    return demonstrated(
        decided(bool(value != bound)),
        "$X = e_1, e_1, e_2, e_2, e_1 + e_2$, $s = d = 2$: $e_1, e_1, e_2$ spans and needs "
        "its $e_2$",
        rf"the expected inverse is ${_rows(value)}$, and $(n-d+1)/(s-d+1)$ times "
        rf"$(X^\top X)^{{-1}}$ is ${_rows(bound)}$",
    )


def _rows(matrix: fmpq_mat) -> str:
    return str(matrix).replace("\n", " ")


FIELD = "the field: Derezinski and Warmuth"

CLAIMS: tuple[Claim, ...] = (
    claim(
        "volume-normaliser",
        "The normaliser of volume sampling",
        FIELD,
        printed(
            r"the sum of $\det(X_S^\top X_S)$ over all sets $S$ of $s$ points, $s \ge d$, is "
            r"$C(n-d, s-d) \det(X^\top X)$",
            Check("volumes-sum", VOLUMES, volumes_sum),
            theorems="volumes_sum",
        ),
        sharper(
            "removal",
            r"removing $i$ from $S$ with probability proportional to $1 - x_i^\top (X_S^\top "
            "X_S)^{-1} x_i$, until $s$ points are left, draws $S$ with probability "
            r"$\det(X_S^\top X_S)/(C(n-d, s-d) \det(X^\top X))$",
            Check("volume-removal", VOLUMES, removal_has_the_law),
        ),
        sharper(
            "two-stages",
            r"$d$ points $T$ with probability $\det(X_T^\top X_T)/\det(X^\top X)$, and any "
            "$s - d$ of the others with the same probability, are a volume sample of size $s$",
            Check("volume-two-stages", VOLUMES, two_stages_have_the_law),
        ),
        sharper(
            "inclusion",
            r"$\mathbb{P}(i \in S) = t + (1 - t) l_i$ with $t = (s - d)/(n - d)$",
            Check("volume-inclusion", VOLUMES, inclusions),
        ),
        sharper(
            "four-points",
            "the normaliser for every four real points in the plane, $s = 2$ and $s = 3$",
            proved_by="volumes-of-four-2 volumes-of-four-3",
        ),
    ),
    claim(
        "volume-unbiased",
        "Volume sampling is unbiased",
        FIELD,
        printed(
            r"$\mathbb{E}[\beta_S] = \beta^\ast$ for every size $s \ge d$, degenerate points "
            "included",
            Check("volume-unbiased", VOLUMES, solution_is_unbiased),
            theorems="volume_unbiased",
        ),
        sharper(
            "four-points",
            "so it is for every four real points in the plane with any real labels, $s = 2$ and "
            "$s = 3$",
            proved_by="volumes-of-four-2 volumes-of-four-3 unbiased-on-four-2 unbiased-on-four-3",
        ),
        dropped(
            "kept",
            r"$\mathbb{E}[\beta] = \beta^\ast$ when $X_2$ is kept besides, at weight 1",
            Counterexample(
                "kept-is-biased", "$(1, x)$ at $x = 0, 1, 2, 3, 5$, $s = 2$", _kept_is_biased
            ),
        ),
        depends="volume-normaliser",
    ),
    claim(
        "volume-loss",
        "The expected loss of a volume sample of size d",
        FIELD,
        printed(
            r"$\mathbb{E}[\mathrm{loss}] = (d + 1)\, \mathrm{OPT}$ at $s = d$, in general position",
            GENERAL,
            Check("volume-loss", VOLUMES, loss_is_equal),
        ),
        sharper(
            "at-most",
            r"$\mathbb{E}[\mathrm{loss}] \le (d + 1)\, \mathrm{OPT}$ at $s = d$, degenerate "
            "points included",
            Check("volume-loss-bounded", VOLUMES, loss_is_bounded),
        ),
        sharper(
            "four-points",
            r"$\sum_S \det(X_S)^2\, \mathrm{loss}(\beta_S) = 3 \det(X^\top X)\, \mathrm{OPT}$ "
            r"for every four real points in the plane, where each term "
            "is the polynomial of Cramer's rule, which is not negative where the determinant is 0",
            proved_by="loss-on-four volumes-of-four-2",
        ),
        dropped(
            "degenerate",
            r"$\mathbb{E}[\mathrm{loss}] = (d + 1)\, \mathrm{OPT}$ at $s = d$ for every $X$",
            Counterexample("pairs", "two pairs of equal points", _degenerate_loss),
        ),
        depends="volume-normaliser",
    ),
    claim(
        "volume-inverse",
        "The expected inverse of a volume sample",
        FIELD,
        printed(
            r"$\mathbb{E} (X_S^\top X_S)^{-1} = ((n-d+1)/(s-d+1)) (X^\top X)^{-1}$, in general "
            "position",
            GENERAL,
            Check("volume-inverse", VOLUMES, inverse_is_equal),
            theorems="adjugates_sum volume_inverse",
        ),
        sharper(
            "exactly-when",
            r"$\mathbb{E} (X_S^\top X_S)^{-1} \preceq ((n-d+1)/(s-d+1)) (X^\top X)^{-1}$, and "
            "equal exactly when no spanning set of more than $s$ points has a point that it "
            "cannot lose",
            Check("volume-inverse-exactly", VOLUMES, inverse_is_equal_exactly_when),
        ),
        sharper(
            "four-points",
            r"$\sum_S \mathrm{adj}(X_S^\top X_S) = C(2, s-2) (3/(s-1))\, \mathrm{adj}(X^\top X)$ "
            "for every four real points in the plane, $s = 2$ and $s = 3$",
            proved_by="inverse-on-four-2 inverse-on-four-3",
        ),
        dropped(
            "degenerate",
            r"$\mathbb{E} (X_S^\top X_S)^{-1} = ((n-d+1)/(s-d+1)) (X^\top X)^{-1}$ for every $X$",
            Counterexample("pairs", "two pairs of equal points, $s = d$", _degenerate_inverse),
        ),
        depends="volume-normaliser",
    ),
)
