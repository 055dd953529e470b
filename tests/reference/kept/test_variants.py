"""K1 and K2 as runs: anchors, four arithmetics, endings, and the ends of the domain."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT, BallArithmetic, DoubleArithmetic, MultiprecisionArithmetic
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import reduced_rank
from asura.kept.barriers import Barriers
from asura.kept.bounds import two_sided_excess
from asura.kept.runs import kept_run, one_sided_sampling, two_sided_sampling
from asura.kept.screening import Screened, screen
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Picks, Seed, uniforms
from asura.run import longest, run
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.strategies import datasets, gammas
from asura_verify.trees.kept_truth import Truth
from tests.reference.kept.truth import labelled

ARITHMETICS = (BallArithmetic(), MultiprecisionArithmetic(40), DoubleArithmetic())


def everything_unlabelled(data: Dataset) -> Dataset:
    return dataset(data.points, squared_scales=data.squared_scales)


# --- the paper's run ----------------------------------------------------------------------------


@given(
    datasets(),
    gammas(minimum=Fraction(1, 4)),
    st.integers(0, 10**6),
    st.sampled_from((PAPER, sure("1/2"))),
)
def test_without_x2_the_two_sided_variant_is_the_papers(
    data: Dataset, gamma: Fraction, seed: int, stopping: StoppingRule
) -> None:
    """Pick by pick, in balls; the states are the same, the weights differ by 1 - 4 gamma^2."""
    whole = everything_unlabelled(data)
    paper = run(whole, gamma, chooser=Seed(seed), stopping=stopping)
    kept = kept_run(whole, two_sided(whole, gamma, stopping=stopping), chooser=Seed(seed))
    assert kept.picks == paper.picks
    k = 1 - 4 * gamma**2
    for ours, theirs in zip(kept.weights, paper.weights, strict=True):
        assert ours.lower * k <= theirs.upper
        assert theirs.lower <= ours.upper * k
    assert kept.progress.lower <= paper.mid.upper * k
    assert paper.mid.lower * k <= kept.progress.upper


@pytest.mark.parametrize("rows", [[[1], [2]], [[1, 0], [0, 1], [1, 1]]])
def test_the_same_exactly(rows: list[list[int]]) -> None:
    data, gamma = dataset(rows), Fraction(9, 20)
    paper = run(data, gamma, arithmetic=EXACT, chooser=Seed(4))
    kept = kept_run(data, two_sided(data, gamma), arithmetic=EXACT, chooser=Seed(4))
    assert kept.picks == paper.picks
    k = 1 - 4 * gamma**2
    assert [w.midpoint for w in paper.weights] == [k * w.midpoint for w in kept.weights]
    for ours, theirs in zip(kept.iterations, paper.iterations, strict=True):
        assert ours.distribution.potential == theirs.distribution.potential
        assert ours.weight == theirs.weight


def test_a_label_more_than_the_naive_bound() -> None:
    """X_1 = {1}, X_2 = {10}, gamma = 1/10: m = 1 although R/gamma^2 = 100/101."""
    data = dataset([[1], [10]], unlabelled=1)
    rank = reduced_rank(data)
    assert rank * 100 == Fraction(100, 101)
    done = kept_run(data, two_sided(data, "1/10"), arithmetic=EXACT)
    assert done.length == 1 > rank * 100
    assert longest(rank, Fraction(1, 10)) == 1


@given(datasets(), gammas(minimum=Fraction(1, 4)), st.integers(0, 10**6))
def test_the_papers_rule_bounds_the_labels_surely(
    data: Dataset, gamma: Fraction, seed: int
) -> None:
    done = kept_run(data, two_sided(data, gamma), chooser=Seed(seed))
    assert done.length <= longest(reduced_rank(data), gamma)
    assert all(index < data.unlabelled for index in done.picks)


# --- the four arithmetics -----------------------------------------------------------------------


def short_variants(data: Dataset) -> list[Variant]:
    return [
        two_sided(data, "9/20"),
        two_sided(data, "2/5", stopping=sure("1/2"), ending="clip"),
        two_sided(data, "2/5", stopping=sure("1/2"), ending="coin"),
        one_sided(data, 2, "1/2", ending="clip"),
        one_sided(data, "5/2", "2/5", ending="coin"),
    ]


@given(datasets(maximal_dimension=2), st.integers(0, 4), st.integers(0, 10**6))
def test_arithmetics_make_the_same_run(data: Dataset, which: int, seed: int) -> None:
    variant = short_variants(data)[which]
    try:
        exact = kept_run(data, variant, arithmetic=EXACT, chooser=Seed(seed))
    except errors.ExactRunTooLarge:
        assume(False)
    for arithmetic in ARITHMETICS:
        done = kept_run(data, variant, arithmetic=arithmetic, chooser=Seed(seed))
        assert done.picks == exact.picks
        for value, truth in zip(done.weights, exact.weights, strict=True):
            if arithmetic.rigorous:
                assert truth.midpoint in value
            assert abs(value.midpoint - truth.midpoint) <= truth.midpoint / 10**6


# --- endings ------------------------------------------------------------------------------------


@given(datasets(), st.integers(0, 10**6), st.sampled_from(("clip", "coin")))
def test_clip_and_coin_end_at_the_goal(data: Dataset, seed: int, ending: str) -> None:
    for variant in (
        two_sided(data, "1/4", stopping=sure("1/2"), ending=ending),
        one_sided(data, 6, "1/3", ending=ending),
    ):
        done = kept_run(data, variant, chooser=Seed(seed))
        if reduced_rank(data) == 0:
            assert not done.iterations
            continue
        assert variant.goal in done.progress
        assert len(done.iterations) - done.length in {0, 1}
        inner = done.iterations[:-1]
        assert all(record.index is not None for record in inner)


def test_the_coin_is_the_uniform_of_the_last_step() -> None:
    """One point, d = 1: Q = c + A - (1 - nu) sigma, everything by hand."""
    data = dataset([[1], [1]], unlabelled=1)
    variant = one_sided(data, 1, "1/2", ending="coin")
    # R = 1/2, step 2/3, c = 3/4 I; Phi = (1/2)/(3/4) = 2/3 and sigma would grow by 1: to the goal.
    barriers = Barriers(data, variant, EXACT)
    first = barriers.distribution(barriers.initial())
    assert first.potential == EXACT.scalar(Fraction(2, 3))
    assert barriers.share(barriers.initial(), first) == 1
    shorter = replace(variant, goal=Fraction(3, 5))
    for value, made in ((0, True), ("599999/1000000", True), ("3/5", False), ("99/100", False)):
        done = kept_run(data, shorter, arithmetic=EXACT, chooser=uniforms([value]))
        assert (done.length == 1) == made
        assert len(done.iterations) == 1
    drawn = kept_run(data, shorter, arithmetic=EXACT, chooser=Picks([0]))
    left_out = kept_run(data, shorter, arithmetic=EXACT, chooser=Picks([1]))
    assert (drawn.picks, left_out.picks) == ((0,), ())
    # w' = step/(U^T E U) = (2/3)/(2/3), over sigma = 3/5; the clip has 3/5 of it.
    assert drawn.weights[0].midpoint == Fraction(5, 3)
    clipped = kept_run(data, replace(shorter, ending="clip"), arithmetic=EXACT)
    assert clipped.weights[0].midpoint == 1


# --- Algorithm 1 --------------------------------------------------------------------------------

PROCEDURES = (
    two_sided_sampling("1/3"),
    two_sided_sampling("1/5", stopping=sure(1), ending="clip"),
    two_sided_sampling("1/5", stopping=sure(1), ending="coin"),
    one_sided_sampling(8, "1/4", ending="clip"),
    one_sided_sampling(8, "1/4"),
)


@given(labelled(), st.integers(0, 4), st.integers(0, 99))
def test_algorithm_1_keeps_x2_whole(data: Dataset, which: int, seed: int) -> None:
    procedure = PROCEDURES[which]
    sample = procedure.sample(data, Seed(seed))
    assume(sample.picks)
    fit = active_regression(data, procedure, chooser=Seed(seed))
    kept = tuple(range(data.unlabelled, data.size))
    bought = fit.picks[: len(fit.picks) - len(kept)]
    assert fit.picks[len(bought) :] == kept
    assert all(index < data.unlabelled for index in bought)
    assert (fit.draws, fit.paid) == (len(bought), len(set(bought)))
    for weight in sample.weights[len(bought) :]:
        assert sample.arithmetic.enclosure(weight).midpoint == 1


def test_labels_are_read_only_where_bought() -> None:
    rows = [[1, 0], [1, 1], [0, 2], [2, 1], [1, 2], [3, 0]]
    labels = [1, 2, 3, 4, 5, 6]
    procedure = one_sided_sampling(3, "1/3")
    known = ridge(rows, 2, labels=labels)
    bought = set(procedure.sample(known, Seed(3)).picks)
    hidden = ridge(rows, 2, labels=[y if i in bought else None for i, y in enumerate(labels)])
    fit = active_regression(hidden, procedure, chooser=Seed(3))
    assert fit.beta == active_regression(known, procedure, chooser=Seed(3)).beta
    assert fit.paid < len(rows)


def test_kept_runs_can_be_screened() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2], [2, 1], [1, 2]], 1, labels=[1, 2, 3, 4, 5])
    fit = active_regression(data, Screened(one_sided_sampling(6, "1/3"), screen("1/2", 4)))
    assert fit.paid <= 4


# --- the ends of the domain ---------------------------------------------------------------------


def all_variants(data: Dataset) -> list[Variant]:
    return [
        two_sided(data, "1/3"),
        *(two_sided(data, "1/3", stopping=sure(), ending=e) for e in ("overshoot", "clip", "coin")),
        *(one_sided(data, 5, "1/3", ending=ending) for ending in ("clip", "coin")),
    ]


@pytest.mark.parametrize(
    "data",
    [
        dataset([[1, 0], [0, 1]], unlabelled=0, labels=[1, 2]),
        dataset([[0, 0], [1, 0], [0, 1]], unlabelled=1, labels=[9, 1, 2]),
        dataset([[1, 2], [1, 0], [0, 1]], unlabelled=1, squared_scales=[0, 1, 1], labels=[9, 1, 2]),
    ],
    ids=["X_1 empty", "X_1 zero", "X_1 of scale zero"],
)
def test_nothing_to_sample(data: Dataset) -> None:
    for variant in all_variants(data):
        done: Any = kept_run(data, variant)
        assert (done.length, done.iterations, done.weights) == (0, (), ())
    fit = active_regression(data, PROCEDURES[4])
    assert (fit.paid, [float(b) for b in fit.enclosures]) == (0, [1.0, 2.0])


@pytest.mark.parametrize(
    "data",
    [
        dataset([[1, 0], [1, 0], [0, 1], [1, 1]], unlabelled=2),
        dataset([["1e-6", "1e-6"], [0, "1e-6"], [1, 0], [0, 1]], unlabelled=2),
        dataset([["1e-30", 0], [1, 0], [0, 1]], unlabelled=1),
        dataset([[1, 0], [0, 1], [1, 1]]),
        dataset([[1, 1, 2], [2, 2, 4], [0, 1, 1]], unlabelled=2),
    ],
    ids=["singular D", "tiny R", "tinier R", "X_2 empty", "rank-deficient X"],
)
def test_the_whole_domain_runs(data: Dataset) -> None:
    for variant in all_variants(data):
        for seed in range(3):
            done: Any = kept_run(data, variant, chooser=Seed(seed))
            assert len(done.iterations) >= 1
            with done.arithmetic.working():
                final = done.barriers.within_barriers(done.final)
            assert final.holds


def test_samples_determine_the_answer_under_the_sure_rules() -> None:
    """M > 0 although X_2 does not span: the spectrum is bounded surely."""
    data = dataset([[1, 0], [1, 1], [1, -1], [2, 1]], labels=[1, 2, 3, 5])
    truth = Truth(data)
    for procedure in (
        two_sided_sampling("1/6", stopping=sure(1), ending="clip"),
        one_sided_sampling(16, "1/3", ending="clip"),
    ):
        for seed in range(5):
            fit = active_regression(data, procedure, chooser=Seed(seed))
            assert fit.determined
            assert fit.loss is not None
            assert fit.loss.upper >= truth.optimum()


def test_bad_input_is_named() -> None:
    data = dataset([[1], [1]], unlabelled=1)
    for nu in (0, 1, "-1/2"):
        with pytest.raises(errors.NuOutOfRange) as refused:
            one_sided(data, 3, nu)
        assert refused.value.value == Fraction(nu)
    with pytest.raises(errors.DrawsOutOfRange):
        one_sided(data, 0, "1/2")
    with pytest.raises(errors.UnknownName, match="'never'"):
        two_sided(data, "1/4", ending="never")
    with pytest.raises(errors.ConflictingOptions):
        two_sided(data, "1/4", ending="clip")
    with pytest.raises(errors.ConflictingOptions):
        one_sided(data, 3, "1/2", ending="overshoot")
    with pytest.raises(errors.GammaOutOfRange):
        two_sided(data, "1/2")
    with pytest.raises(errors.PickOutOfRange):
        kept_run(data, two_sided(data, "1/4"), arithmetic=EXACT, chooser=Picks([1]))
    with pytest.raises(errors.ExactRunTooLarge):
        kept_run(
            dataset([[1, 0], [0, 1], [1, 1]]),
            one_sided(dataset([[1, 0], [0, 1], [1, 1]]), 40, "1/2"),
            arithmetic=EXACT,
        )


def test_the_papers_rule_does_not_make_the_sample_span() -> None:
    """Without a sure stop M may be singular: always the same point."""
    data = dataset([[1, 0], [0, 1]], labels=[3, 4])
    procedure = two_sided_sampling("9/20", arithmetic=EXACT)
    fit = active_regression(data, procedure, chooser=Picks([0] * 20))
    assert not fit.determined
    assert fit.beta == (Fraction(3), Fraction(0))


def test_a_tiny_reduced_rank_needs_the_clip_or_the_coin() -> None:
    """R for d in the bound with overshoot says nothing as R -> 0; with the coin it is small."""
    rank, gamma, level = Fraction(1, 17_700), Fraction(1, 10), Fraction(1)
    overshot = two_sided_excess(rank, gamma, level, "overshoot")
    clipped = two_sided_excess(rank, gamma, level, "coin")
    assert overshot is not None
    assert clipped is not None
    assert overshot > 1000
    assert clipped < Fraction(1, 20)
