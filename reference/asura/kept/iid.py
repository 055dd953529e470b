"""N independent draws from X_1 by leverage, with X_2 kept: exactly N labels at most.

x is drawn with probability l_x/R and gets the weight R/(l_x N). Then E|v|^2 <= (R/N) OPT_1 and
M >= 1 - delta surely, so that E[excess] <= (R/N) OPT_1/(1 - delta)^2.

>>> from asura.dataset import dataset
>>> from asura.randomness import uniforms
>>> data = dataset([[1], [2], [1]], unlabelled=2)
>>> sample = IidLeverage(2).sample(data, uniforms(["1/5", "1/6"]))
>>> sample.picks, [str(w) for w in sample.weights]
((1, 0, 2), ['5/8', '5/2', '1'])
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import Dataset
from asura.kept.coins import leverages
from asura.picking import pick
from asura.randomness import Chooser
from asura.sampling import WeightedSample
from asura.scalars import fraction, rational


def iid_draws(data: Dataset, number: int, chooser: Chooser) -> list[tuple[int, Fraction]]:
    """So many points of X_1, each with R/l_x; none when R = 0."""
    masses = [rational(score) for score in leverages(data)]
    total = sum(masses, fmpq(0))
    if total == 0:
        return []
    picks = [pick(EXACT, masses, total, chooser.draw(j))[0] for j in range(number)]
    return [(index, fraction(total / masses[index])) for index in picks]


@dataclass(frozen=True, slots=True)
class IidLeverage:
    """A sampling procedure for Algorithm 1."""

    draws: int

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[fmpq, RationalForm]:
        """The drawn points, then all of X_2 at weight 1."""
        drawn = iid_draws(data, self.draws, chooser)
        kept = range(data.unlabelled, data.size)
        return WeightedSample(
            EXACT,
            (*(index for index, _ in drawn), *kept),
            (*(rational(inverse / self.draws) for _, inverse in drawn), *[fmpq(1)] * len(kept)),
        )
