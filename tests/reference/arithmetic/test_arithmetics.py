"""One text, four arithmetics: they agree, and the rigorous ones never contradict each other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import ctx
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from asura import errors
from asura.algorithm2_asura import Asura, State
from asura.arithmetic import (
    EXACT,
    Arithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.arithmetic.double import relative_error
from asura.dataset import Dataset, dataset
from asura.randomness import Picks, Seed, uniforms
from asura.run import Run, longest, run
from asura.scalars import Enclosure, fraction
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.strategies import datasets, gammas
from tests.benchmarks.plain import fraction_gram, fraction_step, numpy_run

rules = st.sampled_from((PAPER, sure(1), sure("1/2")))
run_gammas = gammas(minimum=Fraction(1, 6))


def values(done: Run[Any, Any]) -> list[tuple[str, int, Enclosure]]:
    """Every number that a run reports, with its name and iteration."""
    found: list[tuple[str, int, Enclosure]] = []
    for step in done.steps():
        found += [
            ("u", step.iteration, step.upper),
            ("l", step.iteration, step.lower),
            ("phi", step.iteration, step.potential),
            ("p", step.iteration, step.probability),
            ("weight", step.iteration, step.weight),
        ]
    last = done.length
    found += [("u", last, done.upper), ("l", last, done.lower), ("mid", last, done.mid)]
    found += [("w", last, weight) for weight in done.weights]
    found += [("alpha", last, alpha) for alpha in done.alphas]
    return found


def inside(
    value: Fraction, enclosure: Enclosure, slack: Fraction, offset: Fraction = Fraction(0)
) -> bool:
    """Whether a number lies in an enclosure widened by a stated relative error."""
    size = max(abs(enclosure.lower), abs(enclosure.upper)) + offset
    return enclosure.lower - slack * size <= value <= enclosure.upper + slack * size


def conditions(done: Run[Any, Any]) -> list[float]:
    """chi_j of the stated error of doubles, one more than there are iterations."""
    largest, found = 1.0, []
    for step in done.steps():
        gap = float(step.upper) - float(step.lower)
        largest = max(largest, float(step.potential) * gap / (4 * done.data.dimension))
        found.append(largest)
    return [*found, largest]


@settings(max_examples=40)
@given(datasets(), gammas(minimum=Fraction(11, 25)), rules, st.integers(0, 999))
def test_exact_values_lie_in_the_balls(
    data: Dataset, gamma: Fraction, rule: StoppingRule, seed: int
) -> None:
    try:
        exact = run(data, gamma, chooser=Seed(seed), stopping=rule, arithmetic=EXACT)
    except errors.ExactRunTooLarge:
        assume(False)
    ball = run(data, gamma, chooser=Seed(seed), stopping=rule)
    assert exact.picks == ball.picks
    for (name, j, value), (_, _, enclosure) in zip(values(exact), values(ball), strict=True):
        assert value.midpoint in enclosure, (name, j)
    assert exact.certificate.certified == ball.certificate.certified


@given(datasets(), run_gammas, rules, st.integers(0, 999))
def test_multiprecision_and_doubles_lie_in_the_balls_up_to_their_error(
    data: Dataset, gamma: Fraction, rule: StoppingRule, seed: int
) -> None:
    ball = run(data, gamma, chooser=Seed(seed), stopping=rule)
    chi = conditions(ball)
    for arithmetic, unit in (
        (MultiprecisionArithmetic(40), Fraction(1, 10**22)),
        (DoubleArithmetic(), Fraction(1)),
    ):
        other: Run[Any, Any] = run(
            data, gamma, chooser=Seed(seed), stopping=rule, arithmetic=arithmetic
        )
        assert other.picks == ball.picks
        for (name, j, value), (_, _, enclosure) in zip(values(other), values(ball), strict=True):
            slack = unit * Fraction(relative_error(j, data.dimension, chi[j]))
            # l_j passes through zero: its error is relative to the distance of the barriers
            offset = 9 * data.dimension / gamma if name == "l" else Fraction(0)
            assert inside(value.midpoint, enclosure, slack, offset), (arithmetic.name, name, j)


@given(datasets(), gammas(), st.data())
def test_exact_steps_equal_plain_fractions(
    data: Dataset, gamma: Fraction, more: st.DataObject
) -> None:
    """From the second state on, against an implementation that shares no code."""
    plain = dataset(data.points)
    assume(plain.dimension == plain.width)
    positive = [i for i, row in enumerate(plain.points) if any(row)]
    first, second = (more.draw(st.sampled_from(positive)) for _ in range(2))
    algorithm = Asura(plain, gamma, EXACT)
    state: State[Any, Any] = algorithm.step(algorithm.initial(), first)
    gram = fraction_gram(plain.points)
    size = range(plain.width)
    cleared = algorithm.frame.gram.matrix()
    unit = sum((fraction(cleared[i, i]) for i in size), Fraction(0)) / sum(
        (gram[i][i] for i in size), Fraction(0)
    )
    accumulated = [[fraction(x) / unit for x in row] for row in state.accumulated.matrix().tolist()]
    expected = fraction_step(
        plain.points, gram, gamma, accumulated, fraction(state.upper), fraction(state.lower), second
    )
    drawn = algorithm.distribution(state)
    after = algorithm.step(state, second, drawn)
    assert fraction(drawn.potential) == expected.potential
    assert [fraction(drawn.probability(i)) for i in range(plain.size)] == expected.probabilities
    assert fraction(algorithm.weight(drawn, second)) == expected.weight
    assert (fraction(after.upper), fraction(after.lower)) == (expected.upper, expected.lower)


def test_the_papers_coordinates_give_the_same_run() -> None:
    """Singular vectors in plain NumPy: same picks, same barriers up to rounding."""
    rows = [[1.0, 2.0], [0.5, -1.0], [3.0, 0.25], [1.0, 1.0]]
    draws = [Seed(5).draw(j).interval(53).low for j in range(400)]
    ours = run(dataset(rows), "1/6", chooser=uniforms(draws))
    theirs = numpy_run(np.array(rows), 1 / 6, [float(r) for r in draws])
    assert list(ours.picks) == theirs.picks
    assert inside(Fraction(theirs.upper), ours.upper, Fraction(1, 10**12))


@given(datasets(), run_gammas, st.integers(0, 99))
def test_runs_keep_their_promises(data: Dataset, gamma: Fraction, seed: int) -> None:
    done = run(data, gamma, chooser=Seed(seed))
    assert done.length <= longest(data.dimension, gamma)
    assert 1 - 4 * gamma**2 in done.alpha_sum
    arithmetic = done.arithmetic
    with arithmetic.working():
        assert done.algorithm.within_barriers(done.final).holds
    assert run(data, gamma, chooser=Picks(done.picks)).length == done.length
    recorded = [step.uniform for step in done.steps()]
    assert run(data, gamma, chooser=uniforms(recorded)).picks == done.picks


@settings(max_examples=15)
@given(datasets(), run_gammas, st.integers(0, 99))
@example(dataset([[1, 0], [0, 1]]), Fraction(1, 6), 0)
def test_precision_is_raised_until_everything_is_decided(
    data: Dataset, gamma: Fraction, seed: int
) -> None:
    coarse = run(data, gamma, chooser=Seed(seed), arithmetic=BallArithmetic(4))
    assert coarse.picks == run(data, gamma, chooser=Seed(seed)).picks
    assert coarse.arithmetic.precision is not None
    assert coarse.arithmetic.precision > 4


def test_an_exact_tie_is_decided_exactly_and_refused_by_balls() -> None:
    """r_0 = 1/2 with p = (1/2, 1/2): the smallest i with r < p_0 + ... + p_i is 1."""
    data = dataset([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]])
    third = uniforms(["1/3"] * 60)
    assert run(data, "9/20", chooser=third, arithmetic=EXACT).picks[0] == 1
    with pytest.raises(errors.PrecisionCeilingReached, match="exact tie"):
        run(data, "9/20", chooser=third, arithmetic=BallArithmetic(64, 512))


def test_global_precisions_are_left_alone() -> None:
    before, digits = ctx.prec, mpmath.mp.dps
    run(dataset([[1], [2]]), "1/4", arithmetic=BallArithmetic(300))
    run(dataset([[1], [2]]), "1/4", arithmetic=MultiprecisionArithmetic(77))
    assert (ctx.prec, mpmath.mp.dps) == (before, digits)


def test_extreme_scales() -> None:
    data = dataset([["1e-300", 0], [0, "1e300"], ["1e-300", "1e300"]], unlabelled=2)
    lengths = {
        run(data, "1/4", arithmetic=arithmetic).picks
        for arithmetic in (BallArithmetic(), DoubleArithmetic(), MultiprecisionArithmetic())
    }
    assert len(lengths) == 1


@pytest.mark.parametrize("gamma", ["0", "1/2", "-1/8", "3/5", "nan", "x"])
def test_gamma_outside_its_range_is_refused(gamma: str) -> None:
    with pytest.raises((errors.GammaOutOfRange, errors.NotAScalar)):
        run(dataset([[1]]), gamma)


@pytest.mark.parametrize(
    ("chooser", "error"),
    [
        (Picks([5]), errors.PickOutOfRange),
        (Picks([-1]), errors.PickOutOfRange),
        (Picks([1]), errors.PickOutOfRange),  # the zero row
        (Picks([0, 0]), errors.RandomnessExhausted),
        (uniforms([0, "1/2"]), errors.RandomnessExhausted),
    ],
)
@pytest.mark.parametrize("arithmetic", [EXACT, BallArithmetic(), DoubleArithmetic()])
def test_bad_randomness_is_refused(
    chooser: Picks, error: type[Exception], arithmetic: Arithmetic[Any, Any]
) -> None:
    with pytest.raises(error):
        run(dataset([[1], [0]]), "1/4", chooser=chooser, arithmetic=arithmetic)


def test_uniforms_outside_the_unit_interval_are_refused() -> None:
    with pytest.raises(errors.UniformOutOfRange):
        uniforms(["1"])


def test_huge_exact_runs_are_refused_at_once_and_growing_ones_in_time() -> None:
    with pytest.raises(errors.ExactRunTooLarge, match="ball arithmetic"):
        run(dataset([[1, 0], [0, 1]]), "1/100", arithmetic=EXACT)
    with pytest.raises(errors.ExactRunTooLarge, match="bits"):
        run(dataset([[1, 2], [3, 1], [1, 7]]), "1/4", arithmetic=EXACT)


@pytest.mark.parametrize("bits", [0, 1, 100_000])
def test_impossible_precisions_are_refused(bits: int) -> None:
    with pytest.raises(errors.PrecisionOutOfRange):
        BallArithmetic(bits)
    with pytest.raises(errors.PrecisionOutOfRange):
        MultiprecisionArithmetic(0 if bits < 2 else 200_000)


def test_the_level_of_the_sure_rule_must_be_positive() -> None:
    with pytest.raises(errors.LevelOutOfRange):
        sure(0)
