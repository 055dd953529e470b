"""Whether picks follow the algorithm: an anytime-valid test over traces without uniforms.

Given the past, a pick is distributed as p. Every expert bets with a distribution q that is known
before the pick, and multiplies its capital by q(x)/p(x): under the algorithm the mixture of all
capitals is a nonnegative martingale from 1, so it ever reaches 1/a with probability at most a
(Ville's inequality), whatever the number of traces and whenever one looks. An expert whose q is
the true bias gains the Kullback-Leibler divergence a draw, which no test can beat.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from asura_verify.oracle.mistakes import SAMPLING
from asura_verify.oracle.recipe import Doubles, Scene

#: Default bound on the probability to accuse a correct implementation, ever.
FALSE_ALARM = 1e-6
#: What a trace without the field `implementation` is called.
UNNAMED = "unnamed"
#: Factors by which single points may be favoured or shunned.
TILTS = np.array([0.0, 0.5, 0.9, 1.1, 2.0])
#: Pseudo-counts of the expert that learns.
_CAUTION = 8.0
_SHARES = {"named": 0.5, "point": 0.25, "learning": 0.25}

Choice = Callable[[Scene], Doubles]
NAMED: tuple[tuple[str, Choice | None], ...] = tuple(
    (mistake.name, None if mistake.recipe.greedy else mistake.recipe.choose)
    for mistake in SAMPLING
    if mistake.name not in {"picks-tilted", "picks-never-first", "picks-never-last"}
)


def _normalised(weights: Doubles) -> Doubles:
    total = float(weights.sum())
    return np.asarray(weights / total) if total > 0 else weights


@dataclass
class Capital:
    """The experts' logarithmic capitals after some draws."""

    draws: int = 0
    named: Doubles = field(default_factory=lambda: np.zeros(len(NAMED)))
    divergence: Doubles = field(default_factory=lambda: np.zeros(len(NAMED)))
    tilted: float = 0.0  # divergence of the likeliest point favoured by a tenth
    points: Doubles = field(default_factory=lambda: np.zeros((0, len(TILTS))))
    learning: float = 0.0
    alarm: float = math.inf  # log(1/a)
    peak: float = 0.0  # the largest logarithm of the mixture so far
    decided_at: int | None = None  # the first draw at which the alarm was reached
    culprit: str = ""

    def copied(self) -> Capital:
        """An independent copy."""
        return copy.deepcopy(self)


@dataclass
class Learner:
    """What one dataset's picks have been, against what was expected."""

    counts: Doubles
    expected: Doubles


def bet(capital: Capital, learner: Learner, scene: Scene, index: int) -> None:
    """One draw."""
    p = scene.probabilities
    size = len(p)
    chance = float(p[index])
    with np.errstate(divide="ignore"):
        for k, (_, choose) in enumerate(NAMED):
            if choose is None:
                q: Doubles = np.zeros(size)
                q[int(np.argmax(p))] = 1.0
            else:
                q = _normalised(np.where(p > 0, choose(scene), 0.0))
            capital.named[k] += np.log(q[index] / chance)
            present = q > 0
            capital.divergence[k] += float(np.sum(q[present] * np.log(q[present] / p[present])))
        top = float(np.max(p))
        capital.tilted += 1.1 * top * math.log(1.1) / (1 + 0.1 * top) - math.log1p(0.1 * top)
        if len(capital.points) < size:
            grown = np.zeros((size, len(TILTS)))
            grown[: len(capital.points)] = capital.points
            capital.points = grown
        capital.points[:size] -= np.log1p(np.outer(p, TILTS - 1))
        capital.points[index] += np.log(TILTS)
        ratio = (learner.counts + _CAUTION) / (learner.expected + _CAUTION)
        capital.learning += math.log(float(ratio[index]) / float(np.sum(p * ratio)))
    learner.counts[index] += 1
    learner.expected += p
    capital.draws += 1
    _remember(capital)


def _log_mean(logs: Doubles, weights: Doubles) -> float:
    best = float(np.max(logs, initial=-math.inf))
    if best == -math.inf:
        return best
    return best + math.log(float(np.sum(weights * np.exp(logs - best))))


def _remember(capital: Capital) -> None:
    places = np.arange(len(capital.points))
    prior = 1.0 / ((places + 1.0) * (places + 2.0))[:, None] / len(TILTS)
    rest = 1.0 / (len(places) + 1.0)  # points that were never seen keep their stake
    parts = {
        "named": _log_mean(capital.named, np.full(len(NAMED), 1 / len(NAMED))),
        "point": float(
            np.logaddexp(
                _log_mean(capital.points.ravel(), np.repeat(prior, len(TILTS), axis=1).ravel()),
                math.log(rest),
            )
        ),
        "learning": capital.learning,
    }
    total = _log_mean(np.array([parts[name] for name in _SHARES]), np.array(list(_SHARES.values())))
    if total > capital.peak:
        capital.peak = total
        if capital.decided_at is not None:
            return
        if total >= capital.alarm:
            capital.decided_at = capital.draws
        leading = max(parts, key=lambda name: parts[name])
        if leading == "named":
            capital.culprit = NAMED[int(np.argmax(capital.named))][0]
        elif leading == "point":
            place = int(np.argmax(capital.points)) // len(TILTS)
            tilt = float(TILTS[int(np.argmax(capital.points)) % len(TILTS)])
            capital.culprit = (
                f"point {place} is never picked" if tilt == 0 else f"point {place} times {tilt}"
            )
        else:
            capital.culprit = "some points are picked too often, others too rarely"


@dataclass(frozen=True, slots=True)
class DistributionReport:
    """The verdict on the picks of one implementation."""

    implementation: str
    traces: int
    draws: int
    log_evidence: float  # of the mixture, at its peak
    false_alarm: float
    biased: bool
    decided_at: int | None
    explanation: str | None
    needed: dict[str, int | None]  # draws that each bias would take, on these data

    @property
    def sentence(self) -> str:
        """One line for people."""
        bound = f"false-alarm probability {self.false_alarm:.0e}"
        if self.biased:
            return (
                f"{self.implementation}: the picks do not follow the algorithm ({bound}), seen "
                f"after {self.decided_at} of {self.draws} draws; best explanation: "
                f"{self.explanation}"
            )
        return (
            f"{self.implementation}: {self.draws} draws in {self.traces} traces show no bias "
            f"({bound})"
        )


def needed_draws(divergence: float, share: float, false_alarm: float) -> int | None:
    """Draws after which a bias of this divergence is expected to show; None beyond 10^9.

    >>> needed_draws(0.01, 0.05, 1e-6)
    1682
    """
    if divergence <= 0:
        return None
    count = math.ceil((math.log(1 / false_alarm) + math.log(1 / share)) / divergence)
    return count if count <= 10**9 else None


class DistributionTest:
    """Collects the picks of conforming traces, an implementation at a time."""

    def __init__(self, false_alarm: float = FALSE_ALARM) -> None:
        self.false_alarm = false_alarm
        self._capitals: dict[str, Capital] = {}
        self._traces: dict[str, int] = {}
        self._learners: dict[tuple[str, str], Learner] = {}

    def session(self, implementation: str, data: str, size: int) -> Session:
        """A trial account for one trace; nothing counts until it is committed."""
        fresh = Capital(alarm=math.log(1 / self.false_alarm))
        capital = self._capitals.get(implementation, fresh).copied()
        known = self._learners.get((implementation, data))
        learner = copy.deepcopy(known) if known else Learner(np.zeros(size), np.zeros(size))
        return Session(self, implementation, data, capital, learner)

    def commit(self, session: Session) -> None:
        """Accept the draws of a trace."""
        name = session.implementation
        self._capitals[name] = session.capital
        self._learners[name, session.data] = session.learner
        self._traces[name] = self._traces.get(name, 0) + 1

    def reports(self) -> list[DistributionReport]:
        """One an implementation."""
        reports = []
        for name, capital in self._capitals.items():
            biased = capital.decided_at is not None
            share = _SHARES["named"] / len(NAMED)
            needed = {
                mistake: needed_draws(float(total) / capital.draws, share, self.false_alarm)
                for (mistake, _), total in zip(NAMED, capital.divergence, strict=True)
                if capital.draws
            }
            if capital.draws:
                needed["likeliest-point-plus-tenth"] = needed_draws(
                    capital.tilted / capital.draws, _SHARES["point"] / 30, self.false_alarm
                )
            reports.append(
                DistributionReport(
                    name,
                    self._traces[name],
                    capital.draws,
                    capital.peak,
                    self.false_alarm,
                    biased,
                    capital.decided_at,
                    capital.culprit if biased else None,
                    needed,
                )
            )
        return reports


@dataclass
class Session:
    """The draws of one trace, on trial."""

    test: DistributionTest
    implementation: str
    data: str
    capital: Capital
    learner: Learner
    leverages: Doubles | None = None
    previous: Doubles | None = None
    taken: set[int] = field(default_factory=set)

    def draw(self, probabilities: Doubles, unlabelled: int, index: int) -> None:
        """One pick with the true probabilities before it."""
        if self.leverages is None:
            self.leverages = probabilities  # at j = 0 the algorithm picks by leverage
        previous = probabilities if self.previous is None else self.previous
        scene = Scene(probabilities, previous, self.leverages, unlabelled, self.taken)
        bet(self.capital, self.learner, scene, index)
        self.previous = probabilities
        self.taken.add(index)

    def commit(self) -> None:
        """Accept."""
        self.test.commit(self)
