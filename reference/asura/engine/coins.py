"""K6, the coins in doubles: row x of X_1 is bought with probability p = l/(l + tau).

For a small pool each coin has a uniform of its own, the one that the reference's exact coins
use, so that a plan can be replayed in exact arithmetic: u_i < p_i is decided for the double p_i,
with as many bits of u_i as that takes. For a large pool a draw takes time in proportion to the
rows drawn: Poisson events with the rates -log(1 - p) = log(1 + l/tau); a row is bought when it
has an event, which are independent coins with probabilities p.

>>> from asura.kept.trials import FREE
>>> drawn = ExactCoins(7, probabilities(np.array([0.5, 0.0, 0.5]), 1e-300)).draw(FREE, 0)
>>> drawn.tolist()
[0, 2]
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asura.engine.searching import GuidedSearch
from asura.kept.trials import Purpose, trial
from asura.randomness import FIRST_BITS, SeededUniform

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Pools up to this size get the reference's coins, one hash per row and trial.
SMALL_POOL = 4096
_BITS = 256


def probabilities(leverages: Vector, tau: float) -> Vector:
    """The chances l/(l + tau); 0 for rows of leverage 0, which say nothing."""
    return np.asarray(np.divide(leverages, leverages + tau, where=leverages > 0, out=0 * leverages))


class CoinToss(Protocol):
    """All coins of one trial."""

    def draw(self, purpose: Purpose, number: int) -> Indices:
        """The rows bought in a trial, in increasing order."""


@dataclass(frozen=True, repr=False)
class ExactCoins:
    """One uniform per row and trial, compared with p exactly."""

    seed: int
    chances: Vector

    def draw(self, purpose: Purpose, number: int) -> Indices:
        """Row i is bought when u_i < p_i."""
        seed = trial(self.seed, purpose, number).seed
        head = f"asura-uniform/1:{seed}:".encode()
        digests = b"".join(
            hashlib.sha256(head + b"%d:0" % i).digest()[:8] for i in range(len(self.chances))
        )
        low = (np.frombuffer(digests, ">u8") >> np.uint64(64 - FIRST_BITS)).astype(np.float64)
        scaled = self.chances * 2.0**FIRST_BITS
        bought = low + 1 <= scaled
        for i in np.flatnonzero(~bought & (low < scaled)):  # the first bits do not decide
            exact = SeededUniform(seed, int(i)).interval(_BITS)
            bought[i] = Fraction(exact.numerator + 1, exact.denominator) <= Fraction(
                float(self.chances[i])
            )
        return np.flatnonzero(bought)


@dataclass(frozen=True, repr=False)
class PoissonCoins:
    """The same distribution in time proportional to the rows bought."""

    seed: int
    leverages: Vector
    tau: float

    @cached_property
    def _events(self) -> GuidedSearch:
        return GuidedSearch(np.log1p(self.leverages / self.tau))

    def draw(self, purpose: Purpose, number: int) -> Indices:
        """Distinct rows among a Poisson number of events."""
        generator = np.random.Generator(np.random.PCG64(trial(self.seed, purpose, number).seed))
        total = self._events.total
        rows = self._events.rows(np.sort(generator.random(generator.poisson(total)) * total))
        return rows[np.append(True, rows[1:] != rows[:-1])] if len(rows) else rows


def coins(seed: int, leverages: Vector, tau: float) -> CoinToss:
    """The coins for a pool of this size."""
    if len(leverages) <= SMALL_POOL:
        return ExactCoins(seed, probabilities(leverages, tau))
    return PoissonCoins(seed, leverages, tau)
