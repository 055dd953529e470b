"""Whether picks follow the algorithm: an anytime-valid test over traces without uniforms.

Given the past, a pick is distributed as p. Every expert bets with a distribution q that is known
before the pick, and multiplies its capital by q(x)/p(x): under the algorithm the mixture of all
capitals is a nonnegative martingale from 1, so it ever reaches 1/a with probability at most a
(Ville's inequality), whatever the number of traces and whenever one looks. An expert whose q is
the true bias gains the Kullback-Leibler divergence a draw, which no test can beat.

Rounding is outward: what doubles may have added to a capital is taken off again, draw by draw
(`MARGIN`), so that what is compared with 1/a is no more than the mixture of fair capitals.
"""

from __future__ import annotations

import hashlib
import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from asura_verify.oracle.mistakes.recipe import Doubles, PickContext
from asura_verify.oracle.picks.experts import Block, Capital, Learner, log_mean
from asura_verify.oracle.picks.power import Need, Power
from asura_verify.oracle.picks.serial import Serial

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

#: Default bound on the probability to accuse a correct implementation, ever.
FALSE_ALARM = 1e-6
#: What a trace without the field `implementation` is called.
UNNAMED = "unnamed"
#: The bias of a single point whose draws are counted unless another one is asked for.
TILT = 1.1
#: The logarithm of the chance below which equal picks are those of a copy.
COPY = -40 * math.log(2)
#: The stake of the bets on uniforms; the rest is that of the bets on picks.
SERIAL = 1 / 4
#: What is taken off the logarithm of a capital, a draw: more than its rounding errors. Masses are
#: known to 2^-40, sums are of nonnegative numbers, and logarithms stay below 2^11.
MARGIN = 2.0**-38
#: Draws times points that are bet on at once.
_BLOCK = 1 << 15


@dataclass
class Account:
    """What is known of one implementation's picks."""

    capital: Capital
    power: Power
    serial: Serial = field(default_factory=Serial.new)
    traces: int = 0
    draws: int = 0
    log_evidence: float = 0.0  # of the mixture, now
    peak: float = 0.0  # and at its peak
    decided_at: int | None = None  # the first draw at which the alarm was reached
    explanation: str | None = None

    def copied(self) -> Account:
        """An independent copy."""
        return Account(
            self.capital.copied(),
            self.power.copied(),
            self.serial.copied(),
            self.traces,
            self.draws,
            self.log_evidence,
            self.peak,
            self.decided_at,
            self.explanation,
        )

    def absorb(self, block: Block, learner: Learner, alarm: float) -> None:
        """Bet on some draws, looking at the evidence after each."""
        picks, divergences = self.capital.play(block, learner)
        uniforms = self.serial.play(block.scene.probabilities, block.picks)
        seen = len(picks)
        path = log_mean(np.stack([picks, uniforms], axis=1), np.array([1 - SERIAL, SERIAL]))
        path = path - MARGIN * np.arange(self.draws + 1, self.draws + seen + 1)
        if self.decided_at is None:
            reached = np.flatnonzero(path >= alarm)
            if len(reached):
                seen = int(reached[0]) + 1
                self.decided_at = self.draws + seen
                self.explanation = self.leader()
            self.power.add(block.scene.probabilities[:seen], divergences[:seen])
        self.draws += len(path)
        self.log_evidence = float(path[-1])
        self.peak = max(self.peak, float(np.max(path)))

    def leader(self) -> str:
        """Who has gained most, of the bets on picks and of those on uniforms."""
        picks, said = self.capital.best()
        uniforms, instead = self.serial.best()
        return said if picks + math.log(1 - SERIAL) >= uniforms + math.log(SERIAL) else instead


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
    needs: tuple[Need, ...]  # draws that each bias would take, on these data

    def need(self, bias: str) -> Need | None:
        """What one bias takes."""
        return next((need for need in self.needs if need.bias == bias), None)

    @property
    def sentence(self) -> str:
        """One line for people."""
        bound = f"false-alarm probability {self.false_alarm:.0e}"
        if self.biased:
            known = self.need(self.explanation or "")
            least = "" if known is None else f" ({known.necessary} are necessary)"
            return (
                f"{self.implementation}: the picks do not follow the algorithm ({bound}), seen "
                f"after {self.decided_at} of {self.draws} draws{least}; best explanation: "
                f"{self.explanation}"
            )
        return (
            f"{self.implementation}: {self.draws} draws in {self.traces} traces show no bias "
            f"({bound})"
        )


class DistributionTest:
    """Collects the picks of conforming traces, an implementation at a time."""

    def __init__(self, false_alarm: float = FALSE_ALARM, tilt: float = TILT) -> None:
        self.false_alarm = false_alarm
        self.tilt = tilt
        self._accounts: dict[str, Account] = {}
        self._learners: dict[tuple[str, str], Learner] = {}
        self._marks: set[tuple[str, str, bytes]] = set()

    @property
    def alarm(self) -> float:
        """log(1/a)."""
        return math.log(1 / self.false_alarm)

    def session(self, implementation: str, data: str, size: int, unlabelled: int) -> Session:
        """A trial account for one trace; nothing counts until it is committed."""
        known = self._accounts.get(implementation)
        account = Account(Capital(), Power(self.tilt)) if known is None else known.copied()
        account.capital.grow(size)
        account.serial.begin()
        learned = self._learners.get((implementation, data))
        learner = Learner(np.zeros(size), np.zeros(size)) if learned is None else learned.copied()
        return Session(self, implementation, data, account, learner, unlabelled)

    def commit(self, session: Session) -> bool:
        """Accept the draws of a trace; those of a copy are refused.

        Two runs of some length make all picks alike with a probability that is negligible, and
        adds no more than itself to the expectation of a bet.
        """
        mark = (session.implementation, session.data, session.digest.digest())
        if session.log_chance < COPY and mark in self._marks:
            return False
        self._marks.add(mark)
        session.account.traces += 1
        self._accounts[session.implementation] = session.account
        self._learners[session.implementation, session.data] = session.learner
        return True

    def reports(self) -> list[DistributionReport]:
        """One an implementation."""
        return [
            DistributionReport(
                name,
                account.traces,
                account.draws,
                account.peak,
                self.false_alarm,
                account.decided_at is not None,
                account.decided_at,
                account.explanation,
                account.power.needs(account.capital, self.false_alarm),
            )
            for name, account in self._accounts.items()
        ]


@dataclass
class Session:
    """The draws of one trace, on trial; they are bet on in blocks, so that memory is bounded."""

    test: DistributionTest
    implementation: str
    data: str
    account: Account
    learner: Learner
    unlabelled: int
    leverages: Doubles | None = None
    previous: Doubles | None = None
    last: int = -1  # the point picked last
    done: int = 0  # draws that were bet on
    taken: NDArray[np.bool_] = field(init=False)
    _chances: list[Doubles] = field(default_factory=list)
    _picks: list[int] = field(default_factory=list)
    log_chance: float = 0.0  # of all picks together
    digest: Hash = field(default_factory=hashlib.sha256)  # of picks and their chances

    def __post_init__(self) -> None:
        self.taken = np.zeros(len(self.learner.counts), dtype=np.bool_)

    def draw(self, probabilities: Doubles, index: int) -> None:
        """One pick with the true probabilities before it."""
        self._chances.append(probabilities)
        self._picks.append(index)
        chance = float(probabilities[index])
        self.log_chance += math.log(chance) if chance > 0 else -math.inf
        self.digest.update(struct.pack("<qd", index, chance))
        if len(self._picks) * len(probabilities) >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Bet on the draws that wait."""
        if not self._picks:
            return
        chances, picks = np.array(self._chances), np.array(self._picks)
        if self.leverages is None:
            self.leverages = chances[0]  # at j = 0 the algorithm picks by leverage
        first = chances[0] if self.previous is None else self.previous
        hits = np.arange(chances.shape[1]) == picks[:, None]
        taken = np.logical_or.accumulate(np.vstack([self.taken, hits]), axis=0)
        previous = np.vstack([first, chances[:-1]])
        last = np.append(self.last, picks[:-1])
        scene = PickContext(chances, previous, self.leverages, self.unlabelled, taken[:-1], last)
        self.account.absorb(Block(scene, picks, self.done), self.learner, self.test.alarm)
        self.previous, self.taken, self.last = chances[-1], taken[-1], int(picks[-1])
        self.done += len(picks)
        self._chances.clear()
        self._picks.clear()

    def commit(self) -> bool:
        """Accept, unless it is a copy."""
        self.flush()
        return self.test.commit(self)
