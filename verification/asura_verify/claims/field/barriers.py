"""Deterministic BSS (Batson, Spielman and Srivastava): a sparsifier, and no label procedure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.randomness import Chooser
from asura.samplers.barrier import (
    STEPS_PER_DIMENSION,
    BarrierSparsifier,
    BarrierState,
    choose,
    evaluate,
    fooling_labels,
    initial,
    step,
)
from asura.samplers.decisions import ExactSample
from asura.scalars import rational
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import BARRIERS, BLIND, VOLUMES
from asura_verify.instances.field import (
    BarrierInstance,
    BlindInstance,
    VolumeInstance,
    barrier_potential,
)
from asura_verify.registry.claim import Check, Claim, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, demonstrated, dropped, printed, sharper
from asura_verify.trees.sampler_laws import normal, weighted

FIELD = "the field: Batson, Spielman and Srivastava"
HALF = Fraction(1, 2)


def potentials(data: Dataset, state: BarrierState) -> tuple[Fraction, Fraction]:
    """Tr (u I - A)^-1 and Tr (A - l I)^-1; a barrier that is touched counts as -1."""
    gram = data.coordinates.gram()
    above = barrier_potential(data, gram * rational(state.upper) - state.matrix)
    below = barrier_potential(data, state.matrix - gram * rational(state.lower))
    return (Fraction(-1) if above is None else above, Fraction(-1) if below is None else below)


def _enter_step(compare: Comparisons, data: Dataset, state: BarrierState) -> BarrierState:
    """Sums, the meaning of U and L, and the potentials after the step."""
    values = evaluate(data, state)
    above, below = potentials(data, state)
    compare.at_most("sum U <= 1/du + eu", sum(values.upper, Fraction(0)), Fraction(1, 3) + above)
    compare.at_most("1/dl - el <= sum L", 1 - below, sum(values.lower, Fraction(0)))
    for i, (up, low) in enumerate(zip(values.upper, values.lower, strict=True)):
        if up > 0:
            after = potentials(data, step(data, state, i, 1 / up))
            compare.equal(f"weight 1/U of point {i} keeps the upper potential", after[0], above)
        if low > 0:
            after = potentials(data, step(data, state, i, 1 / low))
            compare.equal(f"weight 1/L of point {i} keeps the lower potential", after[1], below)
    following = step(data, state, *choose(values))
    now = potentials(data, following)
    compare.at_most("the upper potential does not rise", now[0], above)
    compare.at_most("the lower potential does not rise", now[1], below)
    gram = data.coordinates.gram()
    compare.definite(r"$A \prec u I$", gram * rational(following.upper) - following.matrix)
    compare.definite(r"$l I \prec A$", following.matrix - gram * rational(following.lower))
    return following


@conjunction
def step_keeps_the_potentials(compare: Comparisons, instance: BarrierInstance) -> None:
    """From any state whose potentials are at most 1/6 and 1/2, reachable or not."""
    _enter_step(compare, instance.data, instance.state)


@conjunction
def sparsifier_is_within_nine(compare: Comparisons, instance: VolumeInstance) -> None:
    """4 d steps from the start: u/l = 9, and X^T X <= sum w x x^T <= 9 X^T X."""
    data = instance.data
    state = initial(data)
    for _ in range(STEPS_PER_DIMENSION * data.dimension):
        state = _enter_step(compare, data, state)
    compare.equal("u/l after 4 d steps", state.upper / state.lower, 9)
    sample = BarrierSparsifier().sample(data)
    gram, found = data.coordinates.gram(), normal(data, weighted(sample))
    compare.semidefinite(r"$X^\top X \preceq \sum w x x^\top$", found - gram)
    compare.semidefinite(r"$\sum w x x^\top \preceq 9 X^\top X$", gram * 9 - found)
    compare.at_most("points", len(sample.picks), STEPS_PER_DIMENSION * data.dimension)


@dataclass(frozen=True)
class _Fixed:
    """A sample that was chosen before any label was seen."""

    chosen: tuple[tuple[int, Fraction], ...]

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """The sample, whatever the data."""
        return ExactSample(
            EXACT, tuple(i for i, _ in self.chosen), tuple(rational(w) for _, w in self.chosen)
        )


@conjunction
def fixed_sets_are_fooled(compare: Comparisons, instance: BlindInstance) -> None:
    """X = 1_n and y = 1_S: loss/OPT = n/|S|, whatever the weights."""
    picks = [i for i, _ in instance.weights]
    labels = fooling_labels(picks, instance.count)
    data = dataset([[1]] * instance.count, labels=labels)
    fit = active_regression(data, _Fixed(instance.weights))
    ratio = Fraction(0) if fit.ratio is None or not fit.ratio.exact else fit.ratio.midpoint
    compare.equal("loss/OPT", ratio, Fraction(instance.count, len(picks)))


def _fooled() -> Demonstration:
    ones = [[1]] * 12
    picks = BarrierSparsifier().sample(dataset(ones)).picks
    data = dataset(ones, labels=fooling_labels(picks, 12))
    ratio = active_regression(data, BarrierSparsifier()).ratio
    shown = ratio.midpoint if ratio is not None else None
    return demonstrated(
        decided(shown is not None and shown > 9),
        f"$X = 1_{{12}}$: deterministic BSS takes $S = {sorted(picks)}$ whatever the labels",
        r"$y = 1$ on $S$ and 0 elsewhere: "
        rf"$\mathrm{{loss}}/\mathrm{{OPT}} = 12/|S| = {shown}$, and $n/|S|$ grows with $n$",
    )


CLAIMS: tuple[Claim, ...] = (
    claim(
        "bss-barriers",
        "Deterministic BSS with $D = 4$",
        FIELD,
        printed(
            r"after $4 d$ steps $u/l = 9$, and at most $4 d$ weighted points satisfy $X^\top X "
            r"\preceq \sum w x x^\top \preceq 9 X^\top X$",
            Check("bss-within-nine", VOLUMES, sparsifier_is_within_nine),
        ),
        sharper(
            "step",
            "at every state between the barriers whose potentials are at most 1/6 and 1/2, "
            r"$\sum U$ is at most 1/3 plus the upper potential and $\sum L$ at least 1 minus the "
            "lower one, and the step of some point raises neither",
            Check("bss-step", BARRIERS, step_keeps_the_potentials),
            helped_by="bss-shift-upper",
        ),
    ),
    claim(
        "bss-labels",
        "A set that is chosen without randomness is no label procedure",
        FIELD,
        printed(
            r"with $X = 1_n$ and $y = 1_S$ a weighted answer on $S$ has loss$/\mathrm{OPT} = "
            "n/|S|$, for every set $S$ that is chosen in advance",
            Check("fixed-set-fooled", BLIND, fixed_sets_are_fooled),
            proved_by="blind-set-fooled",
        ),
        dropped(
            "deterministic",
            r"deterministic BSS is a label procedure with loss$/\mathrm{OPT} \le 9$",
            Range("n", 12, closed_low=True),
            Counterexample("twelve-ones", "$X = 1_{12}$, $y = 1_S$", _fooled),
        ),
        depends="bss-barriers",
    ),
)
