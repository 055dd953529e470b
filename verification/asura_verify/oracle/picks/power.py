"""How many draws a bias takes to be seen: by any test, and by this one.

A test that accuses correct picks with probability at most a, and biased ones surely, needs
log(1/a)/D draws in the mean, D being the mean Kullback-Leibler divergence of the biased picks
from p (`necessary`). This one bets a share s of its capital on the bias, and is expected to need
log(1/(a s))/D (`expected`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks.experts import NAMED, SHARES, TILTS, Capital

#: A bias that takes more draws than this is for `uniforms` to show.
HOPELESS = 100_000
#: Beyond this many draws no number is given.
_NEVER = 10**12


@dataclass(frozen=True, slots=True)
class Need:
    """The draws that one bias takes, on data such as were seen; None when it changes nothing."""

    bias: str
    divergence: float  # nats a draw
    necessary: int | None
    expected: int | None

    @property
    def hopeless(self) -> bool:
        """Whether nobody will draw so often."""
        return self.expected is None or self.expected > HOPELESS


def draws_for(evidence: float, rate: float) -> int | None:
    """Draws until so much evidence comes together at a rate.

    >>> draws_for(math.log(1e6), 0.01)
    1382
    """
    return math.ceil(evidence / rate) if rate * _NEVER > evidence else None


def divergence_of_tilt(masses: Doubles, tilt: float) -> Doubles:
    """Of picks with points of these masses favoured, one point at a time.

    >>> round(float(divergence_of_tilt(np.array([0.5]), 1.1)[0]), 6)  # about 0.005 p (1 - p)
    0.001134
    """
    gain = tilt * math.log(tilt) if tilt > 0 else 0.0
    scale = 1 + masses * (tilt - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = masses / scale * gain - np.log(scale)
    return np.where(scale > 0, np.maximum(found, 0.0), 0.0)


@dataclass
class Power:
    """Sums over draws of what biases gain, until a bias is seen."""

    tilt: float
    draws: int = 0
    named: Doubles = field(default_factory=lambda: np.zeros(len(NAMED)))
    masses: Doubles = field(default_factory=lambda: np.zeros(0))
    tilted: Doubles = field(default_factory=lambda: np.zeros(0))  # the divergence
    betting: Doubles = field(default_factory=lambda: np.zeros((0, len(TILTS))))

    def copied(self) -> Power:
        """An independent copy; arrays are replaced, never changed."""
        return Power(self.tilt, self.draws, self.named, self.masses, self.tilted, self.betting)

    def add(self, probabilities: Doubles, divergences: Doubles) -> None:
        """Some draws: draws x points, draws x mistakes."""
        p, tilt = probabilities, self.tilt
        favoured = tilt * p / np.maximum(1 + p * (tilt - 1), 2.0**-1000)
        bets = TILTS[TILTS > 0]
        gains = np.full((p.shape[1], len(TILTS)), -np.inf)
        costs = np.log1p(p[..., None] * (bets - 1))
        gains[:, TILTS > 0] = np.sum(favoured[..., None] * np.log(bets) - costs, axis=0)
        if tilt == 0:
            gains[:, TILTS == 0] = np.sum(divergence_of_tilt(p, 0.0), axis=0)[:, None]
        self.draws += len(p)
        self.named = self.named + divergences.sum(axis=0)
        self.masses = _added(self.masses, p.sum(axis=0))
        self.tilted = _added(self.tilted, np.sum(divergence_of_tilt(p, tilt), axis=0))
        self.betting = _added(self.betting, gains)

    def needs(self, capital: Capital, false_alarm: float) -> tuple[Need, ...]:
        """The known mistakes, then the likeliest and the least likely point favoured."""
        if not self.draws:
            return ()
        least = math.log(1 / false_alarm)
        stake = math.log(len(NAMED) / SHARES["named"])
        found = []
        for name, total in zip(NAMED, self.named, strict=True):
            rate = float(total) / self.draws
            found.append(Need(name, rate, draws_for(least, rate), draws_for(least + stake, rate)))
        possible = np.flatnonzero(self.masses > 0)
        ordered = possible[np.argsort(self.masses[possible], kind="stable")]
        for place in dict.fromkeys((int(ordered[-1]), int(ordered[0]))):
            rate = float(self.tilted[place]) / self.draws
            stake = -math.log(SHARES["point"] * float(capital.stakes[place]) / len(TILTS))
            gain = float(np.max(self.betting[place])) / self.draws
            p = float(self.masses[place]) / self.draws
            found.append(
                Need(
                    f"point {place} (p = {p:.2g}) times {self.tilt:g}",
                    rate,
                    draws_for(least, rate),
                    draws_for(least + stake, gain),
                )
            )
        return tuple(found)


def _added(known: Doubles, more: Doubles) -> Doubles:
    """The sum of two arrays, of which the shorter one is continued with zeros."""
    size = max(len(known), len(more))
    total = np.zeros((size, *more.shape[1:]))
    total[: len(known)] += known
    total[: len(more)] += more
    return total
