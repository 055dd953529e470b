"""Algorithm 1: what it answers, what it pays, and what the answer is worth."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, arb_mat
from hypothesis import assume, given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression, loss, optimum
from asura.arithmetic import EXACT, BallArithmetic, DoubleArithmetic, MultiprecisionArithmetic
from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.dimensions import leverage_scores
from asura.randomness import Chooser, Picks, Seed, uniforms
from asura.run import run
from asura.sampling import Done, WeightedSample, asura_sampling, leverage_sampling, randomized_bss
from asura.scalars import Enclosure
from asura.stopping import sure
from asura_verify.instances.strategies import datasets

small = st.fractions(min_value=-5, max_value=5, max_denominator=4)


@st.composite
def labelled(draw: st.DrawFn) -> Dataset:
    """Points of any kind with rational scales of one, and every label."""
    data = draw(datasets())
    labels = draw(st.lists(small, min_size=data.size, max_size=data.size))
    return dataset(data.points, unlabelled=data.unlabelled, labels=labels)


def squared_residuals(data: Dataset, beta: tuple[Fraction, ...]) -> Fraction:
    """|X beta - Y|^2 for points of scale one, written out."""
    total = Fraction(0)
    for row, label in zip(data.points, data.labels, strict=True):
        assert label is not None
        residual = sum((x * b for x, b in zip(row, beta, strict=True)), Fraction(0)) - label
        total += residual * residual
    return total


@given(labelled(), st.data())
def test_the_optimum_is_a_minimum(data: Dataset, more: st.DataObject) -> None:
    beta, best = optimum(data)
    assert best.exact
    star = tuple(b.midpoint for b in beta)
    assert best.midpoint == squared_residuals(data, star)
    shift = more.draw(st.lists(small, min_size=data.width, max_size=data.width))
    other = tuple(b + s for b, s in zip(star, shift, strict=True))
    assert squared_residuals(data, other) >= best.midpoint


@given(labelled(), st.integers(0, 99))
def test_the_answer_solves_the_weighted_normal_equations(data: Dataset, seed: int) -> None:
    procedure = leverage_sampling(data.dimension)
    assume(procedure.sample(data, Seed(seed)).picks)
    fit = active_regression(data, procedure, chooser=Seed(seed))
    probabilities = procedure.probabilities(data)
    for k in range(data.width):
        gradient = Fraction(0)
        for index in fit.picks:
            label = data.labels[index]
            assert label is not None
            row = data.points[index]
            residual = sum((x * b for x, b in zip(row, fit.beta, strict=True)), Fraction(0)) - label
            gradient += residual * row[k] / probabilities[index]
        assert gradient == 0
    assert fit.loss is not None
    assert fit.loss.midpoint == squared_residuals(data, fit.beta)
    assert fit.paid == len({i for i in fit.picks if i < data.unlabelled})


@given(labelled(), st.integers(0, 20))
def test_arithmetics_give_the_same_answer(data: Dataset, seed: int) -> None:
    fits = [
        active_regression(data, asura_sampling("9/20", arithmetic=arithmetic), chooser=Seed(seed))
        for arithmetic in (BallArithmetic(), MultiprecisionArithmetic(40))
    ]
    assert fits[0].picks == fits[1].picks
    assert fits[0].determined == fits[1].determined
    for enclosure, value in zip(fits[0].enclosures, fits[1].beta, strict=True):
        assert abs(enclosure.midpoint - value) < Fraction(1, 10**20)
    assert fits[0].ratio is None or fits[0].ratio.lower >= 1


def test_exact_balls_and_doubles_on_one_run() -> None:
    data = ridge([[1, 2], [0, 1], [3, 1]], "1/2", labels=[1, 0, 2])
    exact = active_regression(data, asura_sampling("2/5", arithmetic=EXACT), chooser=Seed(2))
    ball = active_regression(data, asura_sampling("2/5"), chooser=Seed(2))
    double = active_regression(
        data, asura_sampling("2/5", arithmetic=DoubleArithmetic()), chooser=Seed(2)
    )
    assert exact.ratio is not None
    assert exact.ratio.exact
    for a, b, c in zip(exact.beta, ball.enclosures, double.beta, strict=True):
        assert a in b
        assert abs(a - c) < Fraction(1, 10**12)


def test_a_sample_that_does_not_span_gets_the_least_norm_answer() -> None:
    data = dataset([[1, 0], [0, 1]], labels=[3, 4])
    procedure = asura_sampling("9/20", arithmetic=EXACT)
    fit = active_regression(data, procedure, chooser=Picks([0] * 20))
    assert not fit.determined
    assert fit.beta == (Fraction(3), Fraction(0))
    assert (fit.paid, fit.draws > 1) == (1, True)


def test_labels_of_x2_are_free_and_unknown_labels_are_named() -> None:
    data = dataset([[1], [2]], unlabelled=1, labels=[None, 4])
    procedure = asura_sampling("9/20", arithmetic=EXACT)
    fit = active_regression(data, procedure, chooser=Picks([1] * 9))
    assert fit.beta == (Fraction(2),)
    assert (fit.paid, fit.draws, fit.loss) == (0, 0, None)
    with pytest.raises(errors.MissingLabel, match="point 0"):
        active_regression(data, procedure, chooser=Picks([0] * 9))


def test_labels_of_scaled_points() -> None:
    """A point 2x with label y is the same as the row 2x; an irrational scale is enclosed."""
    scaled = dataset([[1], [1]], squared_scales=[4, 1], labels=[6, 1])
    assert optimum(scaled)[0][0].midpoint == Fraction(13, 5)
    surd = dataset([[1], [1]], squared_scales=[2, 1], labels=[1, 1])
    beta, best = optimum(surd)
    root = 2**0.5
    assert abs(float(beta[0]) - (root + 1) / 3) < 1e-15
    assert not best.exact
    assert best.radius < Fraction(1, 10**60)
    assert loss(surd, [Fraction(0)]).midpoint == 2
    with pytest.raises(errors.IrrationalNumber, match="another arithmetic"):
        active_regression(surd, asura_sampling("9/20", arithmetic=EXACT))


def test_kernel_ridge_with_a_singular_kernel() -> None:
    data = kernel_ridge([[1, 1], [1, 1]], 1, labels=[1, 3])
    beta, best = optimum(data)
    # |K b - y|^2 + b^T K b with t = b_1 + b_2: (t-1)^2 + (t-3)^2 + t^2, least at t = 4/3.
    assert sum(b.midpoint for b in beta) == Fraction(4, 3)
    assert best.midpoint == Fraction(1, 9) + Fraction(25, 9) + Fraction(16, 9)


def test_leverage_sampling_includes_by_its_own_probabilities() -> None:
    data = dataset([[1], [2], [2]], unlabelled=3)
    procedure = leverage_sampling("9/8")
    assert leverage_scores(data) == (Fraction(1, 9), Fraction(4, 9), Fraction(4, 9))
    assert procedure.probabilities(data) == (Fraction(1, 8), Fraction(1, 2), Fraction(1, 2))
    sample = procedure.sample(data, uniforms(["1/8", "1/4", "1/2"]))
    assert sample.picks == (1,)
    assert EXACT.enclosure(sample.weights[0]).midpoint == 2
    with pytest.raises(errors.RandomnessExhausted):
        procedure.sample(data, Picks([0, 0, 0]))


def test_an_empty_sample_is_refused() -> None:
    data = dataset([[1]], labels=[1])
    with pytest.raises(errors.EmptyData):
        active_regression(data, leverage_sampling(0))


def test_randomized_bss_stops_by_the_gap_alone() -> None:
    data = dataset([[1, 0], [0, 1], [1, 1]], labels=[1, 2, 3])
    fit = active_regression(data, randomized_bss("1/10"), chooser=Seed(1))
    done: Any = fit.run
    assert done.stopping.name == "sure"
    gap = done.upper.lower - done.lower.upper
    assert gap >= 8 * 2 * 10
    assert fit.ratio is None  # the labels are consistent: OPT = 0
    assert done.certificate.certified


def encloses(enclosure: Enclosure, rational: Fraction, squared: Fraction) -> bool:
    """Whether rational - sqrt(squared) lies between the ends."""
    return (rational - enclosure.lower) ** 2 >= squared >= (rational - enclosure.upper) ** 2


def test_losses_with_irrational_scales() -> None:
    """Points sqrt(2) (1, 1) and (1, 2), labels 1 and 1, at beta = (2, 0) and (2, 3)."""
    surd = dataset([[1, 1], [1, 2]], squared_scales=[2, 1], labels=[1, 1])
    # (2 sqrt(2) - 1)^2 + 1 = 10 - sqrt(32); (5 sqrt(2) - 1)^2 + 49 = 100 - sqrt(200).
    for beta, rational, squared in (((2, 0), 10, 32), ((2, 3), 100, 200)):
        value = loss(surd, [Fraction(b) for b in beta])
        assert encloses(value, Fraction(rational), Fraction(squared))
        # 256 bits, less the few that this takes.
        assert Fraction(1, 2**260) < value.radius < Fraction(1, 2**240)


def test_losses_that_are_exact() -> None:
    """An irrational scale does no harm where the label is zero, and a scale of zero none at all."""
    data = dataset([[1], [1], [3]], squared_scales=[2, 9, 0], labels=[0, 5, 4])
    # 2 b^2 + (3b - 5)^2 + 16
    assert loss(data, [Fraction(2)]) == Enclosure(Fraction(25), Fraction(25))
    assert loss(data, [Fraction(-1)]) == Enclosure(Fraction(82), Fraction(82))
    beta, best = optimum(data)
    assert (beta[0].midpoint, best.exact) == (Fraction(15, 11), True)
    assert best.midpoint == 2 * Fraction(15, 11) ** 2 + Fraction(10, 11) ** 2 + 16
    ones = dataset([[2], [2]], labels=[1, 1])
    assert loss(ones, [Fraction(1)]).midpoint == 2


def test_losses_need_every_label() -> None:
    with pytest.raises(errors.MissingLabel, match="point 1"):
        loss(dataset([[1], [1]], labels=[1, None]), [Fraction(0)])


def test_the_optimum_in_two_dimensions_with_an_irrational_scale() -> None:
    """Rows sqrt(2) e_1, e_1 and e_2, labels 1, 0 and 5: beta = (sqrt(2)/3, 5), OPT = 1/3."""
    surd = dataset([[1, 0], [1, 0], [0, 1]], squared_scales=[2, 1, 1], labels=[1, 0, 5])
    beta, best = optimum(surd)
    assert beta[0].lower ** 2 <= Fraction(2, 9) <= beta[0].upper ** 2
    assert Fraction(5) in beta[1]
    assert Fraction(1, 3) in best
    assert best.radius < Fraction(1, 2**230)


@pytest.mark.parametrize(("label", "best", "value"), [(2, "2", "4"), (1, "1/2", "1")])
def test_the_ratio_by_hand(label: int, best: str, value: str) -> None:
    """Labels 0 and y of the same point: OPT = y^2/2, and y^2 for who has seen the first alone."""
    data = dataset([[1], [1]], labels=[0, label])
    procedure = asura_sampling("9/20", arithmetic=EXACT)
    fit = active_regression(data, procedure, chooser=Picks([0] * 9))
    assert fit.beta == (Fraction(0),)
    assert fit.loss == Enclosure(Fraction(value), Fraction(value))
    assert fit.optimum == Enclosure(Fraction(best), Fraction(best))
    assert fit.ratio == Enclosure(Fraction(2), Fraction(2))


def test_the_default_seed_of_the_regression_is_zero() -> None:
    data = dataset([[1], [2], [3]], labels=[1, 2, 3])
    procedure = asura_sampling("9/20")
    picks = [active_regression(data, procedure, chooser=Seed(seed)).picks for seed in range(2)]
    assert active_regression(data, procedure).picks == picks[0] != picks[1]


class Blurred:
    """A sampling procedure whose weight may be zero, for all that is known."""

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[arb, arb_mat]:
        return WeightedSample(BallArithmetic(64), (0,), (arb(0, 1),))


def test_undecided_normal_equations_are_refused() -> None:
    with pytest.raises(errors.PrecisionCeilingReached, match="not decided at 64 bits"):
        active_regression(dataset([[1]], labels=[1]), Blurred())


def test_a_short_repr_says_what_is_known() -> None:
    data = dataset([[1], [2]], labels=[1, 3])
    done = run(data, "1/4", chooser=Seed(0), stopping=sure())
    assert repr(done).endswith("gamma=1/4, sure rule at 1, ball 128 bits)")
    fit = active_regression(data, Done(done))
    assert "(exact)" in repr(fit)
    wide = Enclosure(Fraction(1), Fraction(2))
    assert "loss/OPT=1.5 (certified), m=" in repr(replace(fit, ratio=wide))
