"""K6, the coins: every point of X_1 is bought or not, independently of all others.

With leverages l_x = |U(x)|^2 and a threshold tau >= 0, the point x is bought with probability
p_x = l_x/(l_x + tau) and gets the weight 1/p_x; the points of X_2 keep the weight 1. Then
l_x (1 - p_x)/p_x = tau, so that v = sum over X_1 of (1_S/p - 1) e U, for which
M (beta^ - beta*) = v, has E|v|^2 = tau OPT_1, where OPT_1 is the part of the optimal loss on X_1
(points of leverage 0 aside). E|S| = sum l/(l + tau) <= R/tau. At tau = 0 all is bought.

Everything is rational and the coins are decided exactly: point i is bought when its uniform
u_i < p_i, where u_i is draw i of the chooser; of u_i as many bits are drawn as that takes. In a
trial t of seed s (`asura.kept.trials`) u_i is draw i of `Seed(s_t)`.

>>> from asura.dataset import dataset
>>> from asura.randomness import uniforms
>>> data = dataset([[1], [2], [2]], unlabelled=2)
>>> thrown = coins(data, "1/9")
>>> [str(p) for p in thrown.probabilities]
['1/2', '4/5']
>>> sample = thrown.sample(data, uniforms(["1/2", "3/4"]))
>>> sample.picks, [str(w) for w in sample.weights]
((1, 2), ['5/4', '1'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.errors import RaggedData, RandomnessExhausted, ThresholdOutOfRange
from asura.randomness import Chooser, FixedPick
from asura.sampling import WeightedSample, below
from asura.scalars import rational, read_scalar, show_scalar, write_scalar


def leverages(data: Dataset) -> tuple[Fraction, ...]:
    """l_x for the points of X_1; they sum to R."""
    return leverage_scores(data)[: data.unlabelled]


@dataclass(frozen=True, slots=True)
class Coins:
    """One coin per point of X_1: a sampling procedure for Algorithm 1, for one dataset."""

    threshold: Fraction
    probabilities: tuple[Fraction, ...]

    def __repr__(self) -> str:
        size = show_scalar(self.expected_labels)
        return f"Coins(tau={show_scalar(self.threshold)}, expected labels={size})"

    @property
    def noise(self) -> Fraction:
        """Tau, since E|v|^2 <= tau OPT_1."""
        return self.threshold

    @property
    def expected_labels(self) -> Fraction:
        """E|S|."""
        return sum(self.probabilities, Fraction(0))

    def bought(self, chooser: Chooser) -> tuple[int, ...]:
        """The points of X_1 whose coin says so."""
        return tuple(
            index
            for index, probability in enumerate(self.probabilities)
            if probability and self._decide(chooser, index, probability)
        )

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[fmpq, RationalForm]:
        """The bought points at weight 1/p, then all of X_2 at weight 1."""
        if len(self.probabilities) != data.unlabelled:
            raise RaggedData(
                f"{len(self.probabilities)} coins for {data.unlabelled} points of X_1: "
                "expected one per point",
                value=len(self.probabilities),
            )
        bought = self.bought(chooser)
        kept = range(data.unlabelled, data.size)
        weights = [rational(1 / self.probabilities[index]) for index in bought]
        return WeightedSample(EXACT, (*bought, *kept), (*weights, *[fmpq(1)] * len(kept)))

    def _decide(self, chooser: Chooser, index: int, probability: Fraction) -> bool:
        draw = chooser.draw(index)
        if isinstance(draw, FixedPick):
            raise RandomnessExhausted(
                "a coin is decided by a uniform: expected a seed or uniforms, not fixed picks",
                value=draw,
            )
        return below(draw, probability)


def coins_for(leverage: Sequence[Fraction], threshold: object) -> Coins:
    """The coins for given leverages of X_1."""
    tau = read_scalar(threshold)
    if tau < 0:
        raise ThresholdOutOfRange(f"tau = {write_scalar(tau)}: expected tau >= 0", value=tau)
    return Coins(tau, tuple(s / (s + tau) if s else Fraction(0) for s in leverage))


def coins(data: Dataset, threshold: object) -> Coins:
    """The coins for the points of X_1 of a dataset."""
    return coins_for(leverages(data), threshold)
