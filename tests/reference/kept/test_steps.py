"""One step of K1 and K2 from any state, in exact Loewner order; planted mistakes are caught.

States need not be reachable: any P, Q > 0 with the right sum (K1), any Q > 0 (K2), any D, singular
or with eigenvalues of 1e-12, and any share of the last step.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura.arithmetic import EXACT
from asura.arithmetic.exact import rational_form
from asura.dataset import Dataset, dataset
from asura.errors import BarrierCrossed
from asura.kept.barriers import Barriers, KeptState
from asura.kept.coins import leverages
from asura.kept.variants import Variant, one_sided, two_sided
from asura.scalars import fraction, rational
from asura.stopping import sure
from asura_verify.instances.strategies import gammas
from tests.reference.kept import mistakes
from tests.reference.kept.states import at_most, kept_data, matrix_of, part_of

SHARES = st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(1, 1000)))
TIMES = st.sampled_from((Fraction(0), Fraction(1, 5), Fraction(1), Fraction(7)))


def failures(text: Any, data: Dataset, variant: Variant, state: Any, share: Fraction) -> set[str]:
    """Which of the step lemmas fail at one state of a text, for a step of the given share."""
    tried: Any = text(data, variant, EXACT)
    try:
        distribution = tried.distribution(state)
        advance = share * fraction(tried.step_size / distribution.potential)
        goal = fraction(state.progress) + advance
        tried.goal, tried.variant = rational(goal), replace(variant, goal=goal, ending="clip")
        part = tried.share(state, distribution)
        drawn = [index for index, mass in enumerate(distribution.masses) if mass > 0]
        successors = [tried.step(state, index, distribution, part) for index in drawn]
        if not all(tried.within_barriers(following).holds for following in successors):
            return {"inside"}
        failed = on_the_mean(data, tried, state, distribution, drawn, successors)
    except BarrierCrossed:
        return {"inside"}
    if variant.upper is not None:
        failed |= on_the_masses(data, variant, state, distribution)
    return failed | on_each(tried, state, successors, variant.step * share)


def on_each(tried: Any, state: Any, successors: list[Any], step: Fraction) -> set[str]:
    """W <= g theta P and <= g theta Q; with an upper barrier also E' <= E/(1 - g)."""
    above, below, before = tried.below_upper(state), tried.above_lower(state), tried.bracket(state)
    failed: set[str] = set()
    for following in successors:
        growth = following.accumulated - state.accumulated
        rooms = [below] if above is None else [below, above]
        if not all(at_most(growth, room * rational(step)) for room in rooms):
            failed.add("increment")
        after = tried.bracket(following) * rational(1 - tried.variant.step)
        if above is not None and not at_most(after, before):
            failed.add("growth")
    return failed


def on_the_mean(
    data: Dataset, tried: Any, state: Any, distribution: Any, drawn: list[int], successors: Any
) -> set[str]:
    """The probabilities sum to 1, E[W] = (d sigma) D for the true D, and E[E'] <= E."""
    mean = bracket = tried.frame.zero()
    total = Fraction(0)
    for index, following in zip(drawn, successors, strict=True):
        chance = distribution.probability(index)
        mean = mean + (following.accumulated - state.accumulated) * chance
        bracket = bracket + tried.bracket(following) * chance
        total += fraction(chance)
    target = tried.frame.zero()
    for index in range(data.unlabelled):
        target = target + tried.frame.outer_product(index)
    drift = target * (successors[0].progress - state.progress)
    statements = {
        "probabilities": total == 1,
        "mean": at_most(mean, drift) and at_most(drift, mean),
        "potential": at_most(bracket, tried.bracket(state)),
    }
    return {name for name, kept in statements.items() if not kept}


def on_the_masses(data: Dataset, variant: Variant, state: Any, distribution: Any) -> set[str]:
    """Phi >= g/(1 + r), and l_x/(U^T E U) <= (R/g)(1 + r) for r = g^2 sigma/(kR)."""
    g, rank = variant.step, variant.reduced_rank
    room = 1 + g**2 / ((1 - 4 * g**2) * rank) * fraction(state.progress)
    masses = [fraction(distribution.masses[index]) for index in range(data.unlabelled)]
    kept = fraction(distribution.potential) * room >= g and all(
        score <= rank / g * room * mass for score, mass in zip(leverages(data), masses, strict=True)
    )
    return set() if kept else {"masses"}


@st.composite
def two_sided_states(draw: st.DrawFn, data: Dataset, gamma: Fraction) -> tuple[Variant, Any]:
    """P + Q = 2cI + (upper - lower) sigma D, split in any way."""
    variant = two_sided(data, gamma, stopping=sure())
    barriers = Barriers(data, variant, EXACT)
    progress = rational(variant.goal * draw(TIMES))
    upper, lower = barriers.upper_rate, barriers.lower_rate
    assert upper is not None
    whole = barriers.start + barriers.start + barriers.target * ((upper - lower) * progress)
    room = part_of(draw, whole)
    accumulated = barriers.start + barriers.target * (upper * progress) - room
    return variant, KeptState(accumulated, progress, barriers.zero, 1)


@st.composite
def one_sided_states(draw: st.DrawFn, data: Dataset, nu: Fraction) -> tuple[Variant, Any]:
    """Any Q > 0."""
    variant = one_sided(data, draw(st.integers(1, 20)), nu)
    barriers = Barriers(data, variant, EXACT)
    progress = rational(draw(TIMES))
    room = rational_form(matrix_of(draw, data.dimension))
    accumulated = room - barriers.start + barriers.target * (barriers.lower_rate * progress)
    return variant, KeptState(accumulated, progress, barriers.zero, 1)


@given(st.data(), kept_data(), gammas(), SHARES)
def test_two_sided_steps(
    more: st.DataObject, data: Dataset, gamma: Fraction, share: Fraction
) -> None:
    variant, state = more.draw(two_sided_states(data, gamma))
    assert failures(Barriers, data, variant, state, share) == set()


@given(st.data(), kept_data(), gammas(maximum=Fraction(1)), SHARES)
def test_one_sided_steps(more: st.DataObject, data: Dataset, nu: Fraction, share: Fraction) -> None:
    variant, state = more.draw(one_sided_states(data, nu))
    assert failures(Barriers, data, variant, state, share) == set()


# --- planted ------------------------------------------------------------------------------------

#: D = diag(4/5, 4/5, 1/5): two heavy directions and a light one.
SKEW = dataset([[2, 0, 0], [0, 2, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 2]], unlabelled=3)


def near_lower(variant: Variant, text: Any = Barriers) -> Any:
    """A state whose Q is a thousandth of cI in every direction."""
    barriers: Any = text(SKEW, variant, EXACT)
    room = barriers.start * rational(Fraction(1, 1000))
    progress = rational(Fraction(0))
    return KeptState(room - barriers.start, progress, barriers.zero, 1)


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        (mistakes.TargetIsEverything, {"potential"}),
        (mistakes.PotentialOverAll, {"probabilities"}),
        (mistakes.NormalisedWithK, {"mean"}),
        (mistakes.SamplesX2, {"mean"}),
        (mistakes.ForgottenClip, {"mean", "increment"}),
        (mistakes.InverseProbability, {"mean"}),
    ],
)
def test_planted_texts_are_caught(text: Any, caught: set[str]) -> None:
    for variant in (two_sided(SKEW, "2/5", stopping=sure()), one_sided(SKEW, 6, "1/3")):
        state = near_lower(variant)
        assert failures(Barriers, SKEW, variant, state, Fraction(1, 3)) == set()
        assert failures(text, SKEW, variant, state, Fraction(1, 3)) & caught


def test_planted_rates_are_caught() -> None:
    """A step of 2 nu/(1 - nu), or a lower barrier faster than D, raises the potential."""
    right = one_sided(SKEW, 6, "1/3")
    state = near_lower(right)
    for wrong in (replace(right, step=Fraction(1)), replace(right, lower=Fraction(3, 2))):
        assert failures(Barriers, SKEW, wrong, state, Fraction(1)) & {"potential", "inside"}
    papers = two_sided(SKEW, "2/5", stopping=sure())
    wrong = replace(papers, lower=Fraction(1) / (1 - 2 * Fraction(2, 5)))
    assert failures(Barriers, SKEW, wrong, near_lower(papers), Fraction(1)) & {
        "potential",
        "inside",
    }
