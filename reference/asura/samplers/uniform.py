"""Uniform sampling, the baseline: k of n points, weight n/k each.

E sum w x x^T = X^T X with and without replacement. A sample without replacement is a set of k
points, each set with the same probability.

>>> from asura.dataset import dataset
>>> from asura.randomness import uniforms
>>> data = dataset([[1], [2], [3]])
>>> sample = UniformSampling(2).sample(data, uniforms(["1/2", "1/2"]))
>>> sample.picks, [str(w) for w in sample.weights]
((1, 2), ['3/2', '3/2'])
>>> UniformSampling(2, replacement=True).sample(data, uniforms(["1/2", "1/2"])).picks
(1, 1)
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.randomness import Chooser
from asura.samplers.decisions import (
    MOST_DRAWS,
    Decisions,
    Drawn,
    ExactSample,
    require_sensible,
    require_size,
)

#: A decision looks at every point.
MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class UniformSampling:
    """A sampling procedure for Algorithm 1."""

    size: int
    replacement: bool = False

    def decide(self, data: Dataset, decisions: Decisions) -> ExactSample:
        """One point after the other, in the order drawn."""
        require_sensible(data.size, MOST_POINTS, "uniform sampling")
        if self.replacement:
            require_size(self.size, 1, MOST_DRAWS, "the number of draws")
        else:
            require_size(self.size, 1, data.size, "without replacement a point is taken once")
        masses = [fmpq(1)] * data.size
        picks = []
        for _ in range(self.size):
            index = decisions.among(masses)
            picks.append(index)
            if not self.replacement:
                masses[index] = fmpq(0)
        weight = fmpq(data.size, self.size)
        return ExactSample(EXACT, tuple(picks), (weight,) * self.size)

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Draw j decides pick j."""
        return self.decide(data, Drawn(chooser))
