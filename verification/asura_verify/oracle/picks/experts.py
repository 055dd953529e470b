"""The bets against picks: every expert names a distribution before the pick is seen.

With q known before the pick, an expert's capital is multiplied by q(x)/p(x), and its mean under
the algorithm stays. Four kinds: the known sampling mistakes; the same at some iterations only (from
one on, before one, or at every k-th); parts of the data favoured or shunned by a factor, single
points among them; and learners of the ratio of counts.

What is kept is the logarithm, in doubles. Masses are known to 52 bits, sums of nonnegative numbers
are pairwise, normalisers are at least 2^-10 of what they are sums of, and an expert whose capital
fell below e^-1000 is dismissed, so that what is added is rounded by at most 2000 * 2^-53: the mean
of a capital grows by less than a factor 1 + 1e-12 a draw. The bound on false alarms is then off by
(1 + 1e-12)^draws, and once, for the sum over all experts, by 1 + 1e-9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from asura_verify.oracle.mistakes.catalogue import SAMPLING
from asura_verify.oracle.mistakes.recipe import Doubles, PickContext

#: The known mistakes, each an expert.
NAMED = tuple(mistake.name for mistake in SAMPLING)
#: Factors by which a part may be favoured or shunned.
TILTS = np.array([0.0, 0.3, 0.7, 0.9, 0.97, 1.03, 1.1, 1.3, 2.0, 5.0])
#: Parts of the data besides the single points.
PARTS = ("points of X_2", "points picked before", "the point picked last")
#: Pseudo-counts of the experts that learn: for large biases, and for small ones.
CAUTIONS = np.array([8.0, 128.0])
#: The stakes of the kinds, one together.
SHARES = {"named": 10 / 16, "timed": 1 / 16, "part": 1 / 16, "point": 2 / 16, "learning": 2 / 16}
#: Iterations from which on, or before which, a known mistake may be made.
TURNS = 2 ** np.arange(11)
#: It may be made at one of so many iterations, always the same one.
EVERY = range(2, 11)
#: Of what is left for points never seen, the fraction that newly seen ones get.
_GENEROSITY = 0.75
#: Nobody bets on points below this probability, where doubles lose relative accuracy.
_TINY = 2.0**-900
#: Nobody bets that a part is never picked when the rest has less than this probability.
_REST = 2.0**-10
#: An expert that lost more, in logarithms, is dismissed: that only lowers the mixture.
_RUIN = -1000.0
#: The same where there are many experts, of whom few are to be left: one who is right loses so much
#: with a probability below e^-60.
_DISMISSED = -60.0
#: Draws that many experts bet on at once.
_STRIDE = 256

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Block:
    """Some draws of one trace in a row; the arrays of the scene are draws x points."""

    scene: PickContext
    picks: Places
    first: int = 0  # the iteration of the first one

    @property
    def rows(self) -> Places:
        """The numbers of the draws, for indexing."""
        return np.arange(len(self.picks))

    @property
    def hits(self) -> Flags:
        """Which point was picked: draws x points."""
        return np.asarray(np.arange(self.scene.probabilities.shape[1]) == self.picks[:, None])


def mistaken(scene: PickContext) -> Doubles:
    """What each known mistake would pick with, not normalised: draws x mistakes x points."""
    p = scene.probabilities
    weights = np.zeros((len(p), len(SAMPLING), p.shape[1]))
    for k, mistake in enumerate(SAMPLING):
        choose = mistake.recipe.choose
        if choose is not None:
            weights[:, k] = choose(scene)
        else:  # greedy
            weights[np.arange(len(p)), k, np.argmax(p, axis=1)] = 1.0
    return weights


def normalised(weights: Doubles) -> Doubles:
    """Distributions along the last axis; all zero where nothing is left to bet on."""
    totals = np.sum(weights, axis=-1, keepdims=True)
    return np.asarray(np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0))


def before(start: Doubles, steps: Doubles) -> Doubles:
    """Running sums along the first axis, each without its own step."""
    return np.asarray(start + np.cumsum(steps, axis=0) - steps)


def named_gains(block: Block) -> tuple[Doubles, Doubles]:
    """Logarithmic gains, and divergences from p: draws x mistakes."""
    p = block.scene.probabilities[:, None, :]
    q = normalised(np.where(p > _TINY, mistaken(block.scene), 0.0))
    ratios = np.log(np.divide(q, p, out=np.ones_like(q), where=q > 0))
    chosen = q[block.rows, :, block.picks]
    gains = np.where(chosen > 0, ratios[block.rows, :, block.picks], -np.inf)
    return gains, np.sum(q * ratios, axis=-1)


def tilt_gains(masses: Doubles, hits: Flags, tilts: Doubles = TILTS) -> Doubles:
    """Logarithmic gains of parts of some mass: draws x parts x tilts."""
    with np.errstate(divide="ignore"):
        logs = np.log(tilts)
    idle = (tilts == 0) & (masses[..., None] > 1 - _REST)
    cost = np.log1p(np.where(idle, 0.0, masses[..., None] * (tilts - 1)))
    return np.asarray(np.where(hits[..., None], np.where(idle, 0.0, logs), 0.0) - cost)


def part_gains(block: Block) -> Doubles:
    """The parts: draws x parts x tilts."""
    p, taken = block.scene.probabilities, block.scene.taken
    held = np.arange(p.shape[1]) >= block.scene.unlabelled
    flags = np.stack([np.broadcast_to(held, p.shape), taken, block.scene.again], axis=1)
    masses = np.sum(p[:, None, :] * flags, axis=2)
    hits = flags[block.rows, :, block.picks]
    return tilt_gains(masses, hits)


def point_gains(block: Block) -> Doubles:
    """The single points: draws x points x tilts."""
    return tilt_gains(block.scene.probabilities, block.hits)


@dataclass
class Learner:
    """What one dataset's picks have been, against what was expected."""

    counts: Doubles
    expected: Doubles

    def copied(self) -> Learner:
        """An independent copy."""
        return Learner(self.counts.copy(), self.expected.copy())

    def gains(self, block: Block) -> Doubles:
        """Logarithmic gains while learning from the block: draws x cautions."""
        p, hits = block.scene.probabilities, block.hits.astype(float)
        counts, expected = before(self.counts, hits), before(self.expected, p)
        gains = np.empty((len(p), len(CAUTIONS)))
        for k, caution in enumerate(CAUTIONS):
            ratios = (counts + caution) / (expected + caution)
            gains[:, k] = np.log(ratios[block.rows, block.picks] / np.sum(p * ratios, axis=1))
        self.counts = self.counts + hits.sum(axis=0)
        self.expected = self.expected + p.sum(axis=0)
        return gains


def log_mean(logs: Doubles, weights: Doubles) -> Doubles:
    """Logarithm of the weighted sum of exponentials, over all axes but the first."""
    flat = logs.reshape(len(logs), weights.size)
    best = np.max(flat, axis=1, initial=-np.inf)
    safe = np.nan_to_num(best)  # finite, so that no difference of infinities is taken
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(flat - safe[:, None]) @ weights.ravel()) + safe)


def advanced(capital: Doubles, gains: Doubles) -> Doubles:
    """Capitals after each draw; who is ruined stays so."""
    path = capital + np.cumsum(gains, axis=0)
    ruined = np.minimum.accumulate(path, axis=0) < _RUIN
    return np.asarray(np.where(ruined, -np.inf, path))


def watched(
    capital: Doubles, weights: Doubles, moving: Places, gains: Doubles
) -> tuple[Doubles, Doubles]:
    """The mixture after each draw when some experts bet and the others rest; and all capitals."""
    path = capital[moving] + np.cumsum(gains, axis=0)
    path = np.where(np.minimum.accumulate(path, axis=0) < _DISMISSED, -np.inf, path)
    after, resting = capital.copy(), np.isfinite(capital)
    after[moving], resting[moving] = path[-1], False
    rest = log_mean(capital[None, resting], weights[resting])
    return np.logaddexp(log_mean(path, weights[moving]), rest), after


def gates(iterations: Places) -> Flags:
    """At which iterations a mistake may be made: draws x gates."""
    j = iterations[:, None]
    every = [j % count == np.arange(count) for count in EVERY]
    return np.hstack([j >= TURNS, j < TURNS, *every])


def gate_words() -> tuple[str, ...]:
    """What each gate says, in the same order."""
    return (
        *(f"from iteration {turn} on" for turn in TURNS),
        *(f"before iteration {turn}" for turn in TURNS),
        *(f"at one iteration of {count}, from {k} on" for count in EVERY for k in range(count)),
    )


#: Every known mistake behind every gate.
TIMED = len(gate_words()) * len(NAMED)


def _even(count: int) -> Doubles:
    return np.full(count, 1 / count)


@dataclass
class Capital:
    """The logarithmic capitals of all experts, and the stakes of the points."""

    named: Doubles = field(default_factory=lambda: np.zeros(len(NAMED)))
    timed: Doubles = field(default_factory=lambda: np.zeros(TIMED))
    parts: Doubles = field(default_factory=lambda: np.zeros((len(PARTS), len(TILTS))))
    points: Doubles = field(default_factory=lambda: np.zeros((0, len(TILTS))))
    stakes: Doubles = field(default_factory=lambda: np.zeros(0))
    reserve: float = 1.0  # the stake of points that were never seen
    learning: Doubles = field(default_factory=lambda: np.zeros(len(CAUTIONS)))

    def copied(self) -> Capital:
        """An independent copy; arrays are replaced, never changed."""
        return replace(self)

    def grow(self, size: int) -> None:
        """Room for a dataset, before its first draw; the ends get larger stakes."""
        fresh = size - len(self.points)
        if fresh <= 0:
            return
        places = np.arange(fresh)
        shape = normalised(np.reciprocal(1.0 + np.minimum(places, fresh - 1 - places)))
        self.stakes = np.append(self.stakes, shape * (self.reserve * _GENEROSITY))
        self.points = np.vstack([self.points, np.zeros((fresh, len(TILTS)))])
        self.reserve *= 1 - _GENEROSITY

    def play(self, block: Block, learner: Learner) -> tuple[Doubles, Doubles]:
        """Bet on the picks; the logarithm of the mixture after each draw, and divergences."""
        gains, divergences = named_gains(block)
        size = block.scene.probabilities.shape[1]
        named = advanced(self.named, gains)
        parts = advanced(self.parts, part_gains(block))
        points = advanced(self.points[:size], point_gains(block))
        learning = advanced(self.learning, learner.gains(block))
        self.named, self.parts, self.learning = named[-1], parts[-1], learning[-1]
        self.points = np.vstack([points[-1], self.points[size:]])
        stakes = np.repeat(self.stakes, len(TILTS)) / len(TILTS)
        moving = size * len(TILTS)
        resting = log_mean(self.points[None, size:], stakes[moving:])
        kinds = {
            "named": log_mean(named, _even(len(NAMED))),
            "timed": self._timed(gains, block.first + block.rows),
            "part": log_mean(parts, _even(len(PARTS) * len(TILTS))),
            "point": np.logaddexp(
                np.logaddexp(log_mean(points, stakes[:moving]), resting), math.log(self.reserve)
            ),
            "learning": log_mean(learning, _even(len(CAUTIONS))),
        }
        mixed = np.stack([kinds[name] for name in SHARES], axis=1)
        return log_mean(mixed, np.array(list(SHARES.values()))), divergences

    def _timed(self, gains: Doubles, iterations: Places) -> Doubles:
        """The known mistakes, each made at some iterations only."""
        paths = []
        for k in range(0, len(gains), _STRIDE):
            moving = np.flatnonzero(np.isfinite(self.timed))
            gate, name = np.divmod(moving, len(NAMED))
            open_now = gates(iterations[k : k + _STRIDE])[:, gate]
            playing = np.where(open_now, gains[k : k + _STRIDE, name], 0.0)
            path, self.timed = watched(self.timed, _even(TIMED), moving, playing)
            paths.append(path)
        return np.concatenate(paths)

    def best(self) -> tuple[float, str]:
        """Who has gained most, weighed by its stake, and in words."""
        timed = int(np.argmax(self.timed))
        points = self.points + np.log(self.stakes)[:, None]
        named, part, point = (int(np.argmax(x)) for x in (self.named, self.parts, points))
        found = [
            (float(np.max(self.named)) + _log_share("named"), NAMED[named]),
            (
                float(np.max(self.timed)) + _log_share("timed"),
                f"{NAMED[timed % len(NAMED)]} ({gate_words()[timed // len(NAMED)]})",
            ),
            (
                float(np.max(self.parts)) + _log_share("part"),
                f"{PARTS[part // len(TILTS)]} {_favour(part)}",
            ),
            (
                float(np.max(points)) + _log_share("point"),
                f"point {point // len(TILTS)} {_favour(point)}",
            ),
            (
                float(np.max(self.learning)) + _log_share("learning"),
                "some points are picked too often, others too rarely",
            ),
        ]
        return max(found)


def _favour(place: int) -> str:
    tilt = float(TILTS[place % len(TILTS)])
    return "never picked" if tilt == 0 else f"times {tilt:g}"


def _log_share(kind: str) -> float:
    """The stake of one expert; a point's own stake comes on top."""
    counts = {
        "named": len(NAMED),
        "timed": TIMED,
        "part": len(PARTS) * len(TILTS),
        "point": len(TILTS),
        "learning": len(CAUTIONS),
    }
    return math.log(SHARES[kind] / counts[kind])
