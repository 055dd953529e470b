"""Section 3: leverage-score sampling."""

from __future__ import annotations

from fractions import Fraction

from asura.dataset import dataset
from asura.dimensions import leverage_scores, reduced_rank
from asura.sampling import LeverageSampling
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import POINTS
from asura_verify.instances.step import PointsInstance
from asura_verify.registry.claim import Check, Counterexample, Demonstration
from asura_verify.registry.shorthand import claim, corrected, demonstrated, printed

#: Expected sizes m at which the counts are compared: none, some and all probabilities capped.
SIZES = (Fraction(1, 100), Fraction(1), Fraction(7, 2), Fraction(1000))


@conjunction
def expected_count_is_bounded(compare: Comparisons, instance: PointsInstance) -> None:
    """E|S n X_1| = sum min{1, (m/d)|U(x)|^2} <= (m/d) R_X, with equality if nothing is capped."""
    data = instance.data
    scores, rank = leverage_scores(data), reduced_rank(data)
    for size in SIZES:
        rate = size / data.dimension
        probabilities = LeverageSampling(size).probabilities(data)
        for i, (p, score) in enumerate(zip(probabilities, scores, strict=True)):
            compare.equal(f"p_{i}", p, min(Fraction(1), rate * score))
        count = sum(probabilities[: data.unlabelled], Fraction(0))
        compare.at_most(f"E count at m = {size}", count, rate * rank)
        if all(rate * score <= 1 for score in scores[: data.unlabelled]):
            compare.equal(f"E count at m = {size}, nothing capped", count, rate * rank)


def _capped() -> Demonstration:
    data = dataset([[1, 0], [0, 1]])
    size = Fraction(4)
    count = sum(LeverageSampling(size).probabilities(data), Fraction(0))
    printed = size / data.dimension * reduced_rank(data)
    return demonstrated(
        decided(count != printed and count == 2),
        r"$X = X_1 = I$, $d = 2$, $m = 4$: every $|U(x)|^2 = 1$, so $p(x) = \min(1, 4/2) = 1$",
        rf"$\mathbb{{E}}|S \cap X_1| = 1 + 1 = {count} = d$, but "
        rf"$(m/d) \sum |U(x)|^2 = (4/2) \cdot 2 = {printed}$",
    )


CLAIMS = (
    claim(
        "leverage-sampling",
        "Labels queried by leverage-score sampling",
        "eq:LS-pointssampled, Section 3",
        printed(
            r"$\mathbb{E}|S \cap X_1| = (m/d) \sum_{x \in X_1} |U(x)|^2$",
            Counterexample("capped", "$X = X_1 = I$, $d = 2$, $m = 4$", _capped),
            refutations="leverage_sampling_capped",
        ),
        corrected(
            "at-most",
            r"$\mathbb{E}|S \cap X_1| \le (m/d) R_X$, with equality when no probability is "
            "capped at 1",
            Check("leverage-count", POINTS, expected_count_is_bounded),
            proved_by="leverage-cap",
            theorems="leverage_sampling leverage_sampling_uncapped leverage_factor",
        ),
        corrected(
            "log-d",
            r"with $m = C d \log(d)/\varepsilon$, the expected number of distinct labels is at "
            r"most $C R_X \log(d)/\varepsilon$ for every $d$; at $d = 1$ this $m$ is 0, and no "
            "label is read",
            theorems="leverage_logarithm",
        ),
        depends="trace-identity",
    ),
)
