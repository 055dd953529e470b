"""Kacham and Woodruff's theorem: a coreset that reads every label, without randomness."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.dimensions import reduced_rank
from asura.kept.bounds import one_sided_least
from asura.randomness import Chooser
from asura.samplers.barrier import fooling_labels
from asura.samplers.coreset import LabelCoreset, Residuals
from asura.samplers.decisions import ExactSample
from asura.scalars import rational
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.coreset import CoresetInstance, CoresetStep
from asura_verify.instances.families import CORESET_STEPS, CORESETS
from asura_verify.registry.claim import Check, Claim, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, dropped, printed, sharper
from asura_verify.trees.sampler_laws import best, loss, normal, solve, weighted

FIELD = "the field: Kacham and Woodruff"
EPSILON = Range("epsilon", 0, 2, closed_high=True)


@conjunction
def coreset_is_near_optimal(compare: Comparisons, instance: CoresetInstance) -> None:
    """Loss <= (1 + eps) OPT, M from below, and at most 32 R/eps + 1 points."""
    data, epsilon = instance.data, instance.epsilon
    procedure = instance.procedure
    sample = weighted(procedure.sample(data))
    chosen = procedure.parameters(data)
    found = solve(data, sample)
    compare.that("the coreset has one solution", found is not None)
    least = loss(data, best(data))
    if found is not None:
        compare.at_most("loss", loss(data, found), (1 + rational(epsilon)) * least)
    bought = [i for i, _ in sample if i < data.unlabelled]
    compare.that("every point once", len(bought) == len(set(bought)))
    compare.at_most("points of X_1", len(bought), chosen.most)
    kept = {i: w for i, w in sample if i >= data.unlabelled}
    whole = range(data.unlabelled, data.size)
    compare.that("X_2 is kept at weight 1", kept == dict.fromkeys(whole, Fraction(1)))
    bound = rational(one_sided_least(chosen.ratio, chosen.nu, Fraction(1)))
    compare.semidefinite("M from below", normal(data, sample) - data.coordinates.gram() * bound)
    if epsilon <= 1:
        order = 32 * reduced_rank(data) / epsilon + 1
        compare.at_most("the number of points", chosen.most, order)


@conjunction
def some_point_does_not_raise_psi(compare: Comparisons, instance: CoresetStep) -> None:
    """Both parts of Psi in expectation under K2's law, from any state; whole steps and the last."""
    construction, state = instance.construction, instance.state
    inverse = state.matrix.inv()
    steps = list(construction.candidates(state, shorten=False))
    masses = []
    for step in steps:
        place = construction.usable.index(step.index)
        row = construction.rows.tolist()[place]
        form = sum(
            (a * inverse[i, k] * b for i, a in enumerate(row) for k, b in enumerate(row)), fmpq(0)
        )
        masses.append(form * construction.scales[place])
    total = sum(masses, fmpq(0))
    length = noise = fmpq(0)
    for step, mass in zip(steps, masses, strict=True):
        after = construction.after(state, step)
        length += mass * construction.length(after) / total
        noise += mass * construction.noise(after) / total
        compare.equal("Psi as it is updated", step.potential, construction.potential(after))
        compare.definite("Q after the step", after.matrix)
    compare.at_most("E length", length, construction.length(state))
    compare.at_most("E noise", noise, construction.noise(state))
    least = min(step.potential for step in steps)
    compare.at_most("some point", least, construction.potential(state))


class _Blind:
    """The same construction, with every residual taken for 0."""

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        nothing = Residuals((fmpq(0),) * data.size, (Fraction(0),) * data.size)
        weights = LabelCoreset().weights(data, nothing)
        return ExactSample(EXACT, tuple(weights), tuple(weights.values()))


def _blind_is_fooled() -> Demonstration:
    size = 60
    ones = [[1]] * size
    picks = set(active_regression(dataset(ones, labels=[0] * size), _Blind()).picks)
    data = dataset(ones, labels=fooling_labels(picks, size))
    blind, reading = (active_regression(data, each).ratio for each in (_Blind(), LabelCoreset()))
    if blind is None or reading is None:
        raise LookupError("labels 1_S have OPT > 0")
    return demonstrated(
        decided(blind.lower > 2 and reading.upper <= 2),
        rf"$X = 1_{{{size}}}$, $\varepsilon = 1$: without the labels S = {sorted(picks)}",
        f"y = 1 on S and 0 elsewhere: loss/OPT = {float(blind.midpoint):g}",
        f"the coreset that reads the labels has loss/OPT = {float(reading.midpoint):.6g}",
    )


CLAIMS: tuple[Claim, ...] = (
    claim(
        "label-coreset",
        "A coreset that reads every label",
        FIELD,
        printed(
            r"for every $0 < \varepsilon \le 2$, $O(R_X/\varepsilon) + 1$ weighted points of "
            r"$X_1$, chosen without randomness from all labels, and $X_2$ kept, have loss "
            r"$\le (1 + \varepsilon)\, \mathrm{OPT}$; for $\varepsilon \le 1$ at most "
            r"$32 R_X/\varepsilon + 1$",
            EPSILON,
            Check("coreset-near-optimal", CORESETS, coreset_is_near_optimal),
            helped_by="coreset-constant",
        ),
        sharper(
            "step",
            "from every state, reachable or not, the law of K2 raises neither part of the "
            "potential in expectation, so that some point does not raise it",
            Check("coreset-step", CORESET_STEPS, some_point_does_not_raise_psi),
        ),
        dropped(
            "labels",
            r"the same for a set chosen without the labels, $\varepsilon = 1$",
            Counterexample("blind-coreset", "$X = 1_{60}$, $y = 1_S$", _blind_is_fooled),
        ),
        depends="one-sided",
    ),
)
