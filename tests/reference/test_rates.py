"""The tight rates: the step lemmas from any state for all gamma < 1, and what they guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.algorithm1_regression import active_regression
from asura.algorithm2_asura import Asura, State
from asura.arithmetic import EXACT, BallArithmetic
from asura.arithmetic.exact import rational_form
from asura.dataset import Dataset, dataset, ridge
from asura.dimensions import reduced_rank
from asura.guarantees import Choice, certify_best, gamma_for, sure_excess, sure_labels
from asura.main_failure import MAIN_FAILURE, main_failure
from asura.randomness import Seed
from asura.rates import PAPER_RATES, TIGHT_RATES, rates_named
from asura.run import run
from asura.sampling import asura_sampling
from asura.scalars import rational
from asura.stopping import sure
from asura.trace import trace_lines
from asura_verify.instances.strategies import datasets, gammas
from asura_verify.trees.kept_truth import Truth
from tests.reference.kept.states import at_most, part_of


@dataclass(frozen=True)
class Planted:
    """Rates of any kind."""

    a: Fraction
    xi: Fraction

    def upper(self, gamma: Fraction) -> Fraction:
        return gamma / (1 - self.a)

    def lower(self, gamma: Fraction) -> Fraction:
        return gamma / (1 + self.xi)


@st.composite
def states(draw: st.DrawFn, rates: Any, gamma: Fraction, data: Dataset) -> tuple[Any, Any]:
    """Algorithm 2 in any state strictly between its barriers."""
    algorithm: Any = Asura(data, gamma, EXACT, rates=rates)
    gap = (
        Fraction(4 * data.dimension)
        / gamma
        * draw(st.sampled_from((Fraction(1, 2), Fraction(1), Fraction(3))))
    )
    upper = gap * draw(st.sampled_from((Fraction(-1), Fraction(1, 3), Fraction(2))))
    below = part_of(draw, algorithm.frame.gram * rational(gap))
    accumulated = algorithm.frame.gram * rational(upper) - below
    return algorithm, State(
        accumulated, rational(upper), rational(upper - gap), rational(Fraction(0)), 0
    )


def judged(algorithm: Any, state: Any) -> tuple[bool, bool]:
    """Whether every successor is strictly between the barriers, and whether E[E'] <= E."""
    distribution = algorithm.distribution(state)
    inside, mean = True, rational_form(algorithm.frame.zero().matrix())
    for index in range(algorithm.frame.size):
        if distribution.masses[index] > 0:
            following = algorithm.step(state, index, distribution)
            inside = inside and algorithm.within_barriers(following).holds
            if inside:
                mean = mean + algorithm.bracket(following) * distribution.probability(index)
    return inside, inside and at_most(mean, algorithm.bracket(state))


@given(st.data(), datasets(), gammas(maximum=Fraction(1)))
def test_tight_steps_from_any_state(more: st.DataObject, data: Dataset, gamma: Fraction) -> None:
    algorithm, state = more.draw(states(TIGHT_RATES, gamma, data))
    assert judged(algorithm, state) == (True, True)


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_planted_rates_are_caught(side: str) -> None:
    """With half of a, or half of xi, the potential grows where A is near that barrier."""
    gamma = Fraction(2, 5)
    a, xi = TIGHT_RATES.above(gamma), TIGHT_RATES.below(gamma)
    planted: Any = Planted(a / 2, xi) if side == "upper" else Planted(a, xi / 2)
    near = Fraction(999, 1000) if side == "upper" else Fraction(1, 1000)
    data = dataset([[int(i == k) for k in range(4)] for i in range(4)])
    tight: Any = TIGHT_RATES
    for rates, kept in ((tight, True), (planted, False)):
        algorithm: Any = Asura(data, gamma, EXACT, rates=rates)
        accumulated = algorithm.frame.gram * rational(10 * near)
        zero = rational(Fraction(0))
        state: Any = State(accumulated, rational(Fraction(10)), zero, zero, 0)
        assert judged(algorithm, state) == (True, kept)


def test_runs_beyond_one_half() -> None:
    data = ridge([[1, 0], [1, 1], [0, 2]], 1, labels=[1, 2, 3])
    with pytest.raises(errors.GammaOutOfRange, match="gamma < 1/2"):
        run(data, "3/5", stopping=sure(2))
    with pytest.raises(errors.GammaOutOfRange, match=r"gamma < 1$"):
        run(data, 1, rates=TIGHT_RATES)
    done = run(data, "3/5", stopping=sure(2), rates=TIGHT_RATES, chooser=Seed(1))
    assert done.rates is TIGHT_RATES
    with done.arithmetic.working():
        assert done.algorithm.within_barriers(done.final).holds
    assert '"rates":"tight"' in next(trace_lines(done))
    procedure = asura_sampling("3/5", stopping=sure(2), rates=TIGHT_RATES)
    assert active_regression(data, procedure, chooser=Seed(1)).picks == done.picks


def test_rates_have_names() -> None:
    assert (rates_named("paper"), rates_named("tight")) == (PAPER_RATES, TIGHT_RATES)
    with pytest.raises(errors.UnknownName, match="'loose'") as refused:
        rates_named("loose")
    assert refused.value.value == "loose"


@given(gammas(maximum=Fraction(1)))
def test_xi_is_admissible_and_close_to_the_root(gamma: Fraction) -> None:
    xi = TIGHT_RATES.below(gamma)
    slack = xi**2 + xi * (1 - 2 * gamma) - gamma
    assert 0 <= slack <= gamma**8


@given(gammas(), st.fractions(min_value="1/10", max_value=3), st.integers(1, 9))
def test_the_general_formulas_are_the_papers(gamma: Fraction, level: Fraction, d: int) -> None:
    k = 1 - 4 * gamma**2
    rbar = level + gamma**2 / (d * k) * (1 + level)
    assert sure_labels(gamma, level, d) == k * rbar / gamma**2
    margin = (1 - 2 * gamma) * level - 2 * gamma
    excess = None if margin <= 0 else gamma**2 * k * (rbar + rbar**2 / 2) / margin**2
    assert sure_excess(gamma, level, d) == excess


@given(gammas(maximum=Fraction(1)), st.fractions(min_value="1/10", max_value=3), st.integers(1, 9))
def test_the_tight_formulas(gamma: Fraction, level: Fraction, d: int) -> None:
    """labels = 4 rbar/(g w), excess = g w (1 + xi)^2 (rbar + rbar^2/2)/(2T - w(1 + xi))^2."""
    xi = TIGHT_RATES.below(gamma)
    w = 1 / (1 - gamma) - 1 / (1 + xi)
    rbar = level + gamma * w / (4 * d) * (1 + level)
    assert sure_labels(gamma, level, d, TIGHT_RATES) == 4 * rbar / (gamma * w)
    room = 2 * level - w * (1 + xi)
    excess = None if room <= 0 else gamma * w * (1 + xi) ** 2 * (rbar + rbar**2 / 2) / room**2
    assert sure_excess(gamma, level, d, TIGHT_RATES) == excess


@pytest.mark.parametrize(("epsilon", "labels"), [(1, "18.3"), ("1/10", "4.54"), ("1/100", "2.02")])
def test_the_tight_choice_is_certified(epsilon: object, labels: str) -> None:
    choice = gamma_for(epsilon, guarantee="tight-best")
    assert choice.excess is not None
    assert choice.excess <= choice.epsilon
    assert choice.labels * choice.epsilon < Fraction(labels)
    assert certify_best(choice).holds
    assert gamma_for(epsilon, guarantee="best") == choice


def test_a_better_choice_than_the_papers_is_found() -> None:
    """The paper's best, judged at tight rates, is not the best."""
    papers = gamma_for("1/10")
    assert certify_best(
        Choice(
            *(papers.epsilon, papers.gamma, papers.stopping),
            "",
            "",
            papers.labels,
            None,
            TIGHT_RATES,
        )
    ).fails


def test_labels_of_tight_rates_at_a_thousandth() -> None:
    assert gamma_for("1/1000", guarantee="tight-best").labels < 1370


def test_main_with_fifteen() -> None:
    """Certified at eps = 1 and d = 1, the worst case; twelve fails there by this route."""
    assert main_failure(Fraction(1, 15), Fraction(1)) < Fraction(18, 100) < MAIN_FAILURE
    assert main_failure(Fraction(1, 12), Fraction(1)) > MAIN_FAILURE
    for epsilon in (1, "1/2", "1/10", "1/1000"):
        fifteen = gamma_for(epsilon, guarantee="main-15")
        thirteen = gamma_for(epsilon, guarantee="main-13")
        best = gamma_for(epsilon, guarantee="main-best")
        assert fifteen.gamma**2 * 225 <= fifteen.epsilon
        assert best.labels < thirteen.labels < fifteen.labels < 225 / fifteen.epsilon
        # gamma is rounded down by a part in a million, so a little more than 150/eps.
        assert thirteen.labels * thirteen.epsilon < 150 * (1 + Fraction(1, 10**5))
        assert main_failure(best.gamma, best.epsilon) <= MAIN_FAILURE
    with pytest.raises(errors.EpsilonOutOfRange, match="main-15"):
        gamma_for(2, guarantee="main-15")


def test_the_failure_grows_with_gamma_and_falls_with_the_dimension() -> None:
    values = [main_failure(Fraction(1, c), Fraction(1)) for c in (40, 30, 20, 15, 10, 4)]
    assert values == sorted(values)
    assert main_failure(Fraction(1, 15), Fraction(1), 9) <= main_failure(
        Fraction(1, 15), Fraction(1)
    )
    assert main_failure(Fraction(9, 20), Fraction(1)) == 1


@pytest.mark.parametrize(
    ("gamma", "level"), [("1/10", "1/2"), ("3/10", 1), ("1/2", 2), ("7/10", 6), ("9/10", 40)]
)
def test_loss_and_labels_on_a_line(gamma: str, level: object) -> None:
    """d = 1: w' x^2 does not depend on x, so the states are known and the expectations are sums."""
    data = dataset([[1], [2], [3]], unlabelled=2, labels=[2, -1, 1])
    g, rule = Fraction(gamma), sure(level)
    arithmetic = BallArithmetic(256)
    truth = Truth(data)
    residuals = [arb(e) for e in truth.residuals]
    with arithmetic.working():
        algorithm = Asura(data, g, arithmetic, rule, TIGHT_RATES)
        state = algorithm.initial()
        noise, draws, total = arb(0), arb(0), arb(0)
        while algorithm.proceeds(state).holds:
            distribution = algorithm.distribution(state)
            for index, residual in enumerate(residuals):
                x, weight = index + 1, algorithm.weight(distribution, index)
                noise += distribution.probability(index) * (weight * residual * x) ** 2
            draws += distribution.probability(0) + distribution.probability(1)
            total += algorithm.weight(distribution, 0)
            state = algorithm.step(state, 0, distribution)
        assert algorithm.proceeds(state).fails
        excess, labels = (
            sure_excess(g, rule.level, 1, TIGHT_RATES),
            draws / rational(reduced_rank(data)),
        )
        assert excess is not None
        # The excess is G (v/B)^2 with B = sum w' x^2, here `total` since x = 1 was taken.
        assert 14 * noise / total**2 <= arb(rational(excess * truth.optimum()))
        assert labels <= arb(rational(sure_labels(g, rule.level, 1, TIGHT_RATES)))
