"""A sampler driven and judged: `asura-sampler/1`, one JSON object per line.

    -> {"cmd": "start", "protocol": "asura-sampler/1", "seq": 1}
    <- {"seq": 1, "protocol": "asura-sampler/1", "implementation": "mine 1.0"}
    -> {"cmd": "draw", "sampler": "volume", "points": [[1, 0], [1, 1]], "size": 2,
        "count": 200, "seed": 17, "seq": 2}
    <- {"seq": 2, "samples": [[0, 1], ...]}
    -> {"cmd": "stop"}

The draws must be independent; every request has another seed. The order within a sample does not
matter.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from asura_verify.conforming.process import Harness, HarnessFailed
from asura_verify.conforming.samplers.betting import Bets, Subset
from asura_verify.conforming.samplers.cases import SamplerCase

PROTOCOL = "asura-sampler/1"

#: So many samples are asked for at a time.
BATCH = 250


class WrongSample(HarnessFailed):
    """An answer that is no list of so many sets of points."""


class Sampler(Protocol):
    """An implementation."""

    def draw(self, request: dict[str, Any]) -> object:
        """The samples that a request asks for."""

    def close(self) -> None:
        """Nothing is asked any more."""


@dataclass(frozen=True)
class CallableSampler:
    """A Python callable in this process."""

    function: Callable[[dict[str, Any]], Iterable[Sequence[int]]]

    def draw(self, request: dict[str, Any]) -> object:
        """Call it."""
        return [list(sample) for sample in self.function(request)]

    def close(self) -> None:
        """Nothing to end."""


class CommandSampler:
    """A subprocess that speaks the protocol."""

    def __init__(
        self, command: Sequence[str], *, timeout: float, environment: dict[str, str] | None = None
    ) -> None:
        self._harness = Harness(command, timeout=timeout, environment=environment)
        try:
            said = self._harness.start(PROTOCOL).get("implementation")
            self.name = str(said or "")[:200] or " ".join(command)
        except BaseException:
            self._harness.close()
            raise

    def draw(self, request: dict[str, Any]) -> object:
        """One request and its answer."""
        reply = self._harness.ask({"cmd": "draw", **request})
        if "error" in reply:
            said = reply["error"]
            raise WrongSample(f"it answers with an error: {str(said)[:300]}", value=said)
        return reply.get("samples")

    def close(self) -> None:
        """End the process."""
        self._harness.close()


def importable(text: str, *, timeout: float) -> CommandSampler:
    """The callable `package.module:name`, in a process of its own that can be ended."""
    return CommandSampler(
        [sys.executable, "-m", "asura_verify.conforming.samplers.serve", text],
        timeout=timeout,
        environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def read_samples(answer: object, count: int, points: int) -> list[Subset]:
    """The samples of an answer, each sorted, or `WrongSample`.

    >>> read_samples([[1, 0], []], 2, 3)
    [(0, 1), ()]
    >>> read_samples([[3]], 1, 3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    asura_verify...WrongSample: sample 0 is [3]: expected indices from 0 to 2
    """
    if not isinstance(answer, list) or len(answer) != count:
        shown = len(answer) if isinstance(answer, list) else str(answer)[:60]
        raise WrongSample(f"the samples are {shown}: expected a list of {count}", value=shown)
    found = []
    for place, sample in enumerate(answer):
        if not isinstance(sample, list) or not all(
            type(i) is int and 0 <= i < points for i in sample
        ):
            raise WrongSample(
                f"sample {place} is {str(sample)[:60]}: expected indices from 0 to {points - 1}",
                value=sample,
            )
        found.append(tuple(sorted(sample)))
    return found


@dataclass(frozen=True)
class SamplerJudgement:
    """One case: refuted, with the first draw at which it was, or not refuted by so many."""

    case: SamplerCase
    bets: Bets
    failure: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the sampler."""
        return not self.failure and not self.bets.refuted

    @property
    def sentence(self) -> str:
        """What came out, in one line."""
        bets = self.bets
        if self.failure:
            return f"{self.case.name}: cannot be judged, {self.failure}"
        if bets.impossible is not None:
            return (
                f"{self.case.name}: refuted at draw {bets.draws}, "
                f"{list(bets.impossible)} has probability 0"
            )
        if not bets.refuted:
            return f"{self.case.name}: not refuted by {bets.draws} draws"
        shown = "; ".join(
            f"{list(subset)} came {count} times, expected {expected:.1f}"
            for subset, count, expected in bets.furthest()
        )
        return f"{self.case.name}: refuted at draw {bets.draws}, {shown}"


def judge(
    sampler: Sampler, case: SamplerCase, *, draws: int, false_alarm: Fraction, seed: int = 0
) -> SamplerJudgement:
    """Ask until the law is refuted or the draws are used up."""
    bets = Bets(case.law(), false_alarm)
    batch = 0
    try:
        while bets.draws < draws:
            count = min(BATCH, draws - bets.draws)
            request = {
                "sampler": case.sampler,
                "points": [list(row) for row in case.points],
                "size": case.size,
                "count": count,
                "seed": seed + batch,
            }
            batch += 1
            for subset in read_samples(sampler.draw(request), count, len(case.points)):
                if bets.see(subset):
                    return SamplerJudgement(case, bets)
    except HarnessFailed as error:
        return SamplerJudgement(case, bets, f"{type(error).__name__}: {error}")
    return SamplerJudgement(case, bets)
