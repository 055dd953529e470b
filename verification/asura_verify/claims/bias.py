"""Section 6: learners that trust biased labels, in a regression that can be worked out exactly.

Points on two axes. The labelled set has one short point on the second axis with a wrong label,
so the first fit is far off there; all points on the first axis are predicted as 0, so a learner
that queries where its prediction is nearest to 0 reads them all first, and learns nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from asura.algorithm1_regression import active_regression, loss, optimum
from asura.dataset import Dataset, dataset
from asura.guarantees import gamma_for
from asura.randomness import Seed
from asura.sampling import randomized_bss
from asura_verify.deciding.comparisons import CheckResult, Comparisons
from asura_verify.deciding.numbers import show
from asura_verify.deciding.strength import Strength
from asura_verify.registry.claim import Computation
from asura_verify.registry.shorthand import claim, printed

#: How many points the trusting learner wastes its queries on.
IDLE = 300
INFORMATIVE = 20


def biased_regression() -> Dataset:
    """300 copies of e_1, 20 of e_2 to be queried; e_1 and e_2/10 labelled, the latter wrongly."""
    noise = [Fraction(1, 2) * (-1) ** i for i in range(INFORMATIVE)]
    first, second = [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]
    points = [first] * IDLE + [second] * INFORMATIVE + [first, [Fraction(0), Fraction(1, 10)]]
    labels = [Fraction((-1) ** i, 10) for i in range(IDLE)] + [e - 3 for e in noise] + [0, 1]
    return dataset(points, unlabelled=IDLE + INFORMATIVE, labels=labels)


def _diagonal_fit(data: Dataset, known: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Least squares on axis-parallel points: one ratio per coordinate."""
    fit = []
    for axis in range(2):
        weight = sum((data.points[i][axis] ** 2 for i in known), Fraction(0))
        moment = sum((data.points[i][axis] * (data.labels[i] or 0) for i in known), Fraction(0))
        fit.append(moment / weight)
    return fit[0], fit[1]


def trusting_learner(data: Dataset, queries: int) -> tuple[Fraction, Fraction]:
    """Fit the labelled points, query the point whose prediction is nearest to 0, repeat."""
    known = list(range(data.unlabelled, data.size))
    rest = list(range(data.unlabelled))
    for _ in range(queries):
        fit = _diagonal_fit(data, known)
        values = [
            abs(sum((x * b for x, b in zip(data.points[i], fit, strict=True)), Fraction(0)))
            for i in rest
        ]
        chosen = rest.pop(values.index(min(values)))
        known.append(chosen)
    return _diagonal_fit(data, known)


def _trusting_against_asura() -> tuple[CheckResult, str]:
    compare = Comparisons()
    data = biased_regression()
    best = optimum(data)[1].lower
    trusting = loss(data, trusting_learner(data, IDLE)).lower
    compare.below("trusting learner still above 10 OPT", 10 * best, trusting)
    choice = gamma_for(Fraction(1))
    fit = active_regression(
        data, randomized_bss(choice.gamma, level=choice.stopping.level), chooser=Seed(0)
    )
    assert fit.ratio is not None  # noqa: S101 OPT > 0 here
    compare.at_most("loss of Algorithm 1", fit.ratio.upper, 2)
    compare.at_most("labels of Algorithm 1", 4 * fit.paid, IDLE)
    text = (
        f"after {IDLE} labels the trusting learner's loss is {float(trusting / best):.1f} OPT; "
        f"Algorithm 1 with the sure rule paid {fit.paid} labels for {show(fit.ratio)} OPT"
    )
    return compare.result(), text


CLAIMS = (
    claim(
        "bias",
        "Biased labels",
        "Section 6",
        printed(
            "there are regressions in which a learner that starts from biased labels needs far "
            "more labels than Algorithm 1",
            Computation("trusting-learner", _trusting_against_asura, Strength.EXACT, settles=True),
        ),
        depends="sure-stop",
    ),
)
