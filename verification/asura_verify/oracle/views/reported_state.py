"""What a trace says of itself: every value as the ball of its allowance.

The global view tells how much each line is allowed (a `JudgedLine`). With that, the local view and
the claims need nothing but the trace, and may follow it in a process of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
from flint import arb

from asura.trace import IterationLine, ResultLine
from asura_verify.oracle.trace.values import Raw, Reported, claims_exactness, number, vanishing
from asura_verify.oracle.truth.allowance import floored
from asura_verify.oracle.views.judging import Prepared

#: More than the roundings of an allowance in doubles.
_SLACK = 1 + 2.0**-20


#: Phi, the mass of the pick, its part from above, and the mass of X_1, where doubles decided a
#: step: each followed by how far it is off at most.
Look = tuple[float, float, float, float, float, float, float, float]


class JudgedLine(msgspec.Struct, array_like=True, frozen=True):
    """What the global view knows of a line, and others need."""

    spread: float  # chi_j
    reach: float  # the smallest leverage among the points picked before
    upper: float  # u_j, in whose units the errors of l_j and mid are
    stop_open: bool  # whether its stop lies within the allowance of the bound
    halted: bool  # a point of probability zero was picked, here or before
    normalised: float = 0.0  # in the result: the allowance of what is divided by mid
    granted: float = 0.0  # what is granted from the reported state, if it was judged by that
    look: Look | None = None


def ball(raw: Raw, allowed: float, scale: float | None = None) -> arb:
    """The ball of all true values with which a report passes.

    |given - true| <= a |true| implies |given - true| <= |given| a/(1 - a).
    """
    given = number(raw)
    if claims_exactness(raw):
        return given
    allowed *= _SLACK
    if scale is not None:
        return arb(given, scale * allowed)
    # A radius has no sign.
    return arb(given, given * (allowed / (1 - allowed)) if allowed < 1 else math.inf)


class ReportedState:
    """The trace, line by line, with what is needed to make something of it."""

    def __init__(self, judge: Prepared) -> None:
        self.data, self.gamma, self.rule = judge.data, judge.gamma, judge.rule
        self.precision, self.digits = judge.precision, judge.digits
        self.allowance, self.replay = judge.allowance, judge.replay  # its data, not its state
        self.spread = self.reach = 1.0  # the points up to this line
        self.halted = self.stop_open = False
        self.doubtful_stop = False  # whether any stop was open
        self.picks: list[int] = []
        self.reported = Reported()

    def _heed(self, judged: JudgedLine) -> None:
        self.spread, self.reach = judged.spread, judged.reach
        self.halted, self.stop_open = judged.halted, judged.stop_open
        self.doubtful_stop = self.doubtful_stop or judged.stop_open

    def iteration(self, line: IterationLine, judged: JudgedLine) -> None:
        """One iteration that was judged."""
        self._heed(judged)
        self.picks.append(line.index)
        self.replay.outer(line.index)  # remembered with all bits
        j, allowance, reach = line.j, self.allowance, judged.reach
        self.reach = min(reach, allowance.conditioning.leverages[line.index])
        allowed = max(judged.granted, allowance.at(j, judged.spread, reach))
        own = max(judged.granted, floored(allowance.at(j, judged.spread, self.reach)))
        self.reported = Reported(
            u=None if line.u is None else ball(line.u, allowed),
            l=None if line.l is None else ball(line.l, allowed, judged.upper),
            phi=None if line.phi is None else ball(line.phi, allowed),
            p=None if line.p is None else ball(line.p, own),
            probabilities=self._probabilities(line, judged),
            weight=None if line.weight is None else ball(line.weight, own),
        )

    def _probabilities(self, line: IterationLine, judged: JudgedLine) -> list[arb] | None:
        if line.probabilities is None:
            return None
        vanishes = self.replay.vanishes
        allowances = self.allowance.everywhere(line.j, judged.spread, judged.reach)
        return [
            ball(
                raw,
                max(judged.granted, floored(allowed)),
                vanishing(allowed) if vanishes(i) else None,
            )
            for i, (raw, allowed) in enumerate(zip(line.probabilities, allowances, strict=True))
        ]

    def result(self, line: ResultLine, judged: JudgedLine) -> None:
        """The result."""
        self._heed(judged)
        allowed = self.allowance.at(len(self.picks), judged.spread, judged.reach)
        allowed = max(allowed, judged.granted)

        def normalised(raws: Sequence[Raw] | None) -> list[arb] | None:
            return None if raws is None else [ball(raw, judged.normalised) for raw in raws]

        self.reported = Reported(
            u=None if line.u is None else ball(line.u, allowed),
            l=None if line.l is None else ball(line.l, allowed, judged.upper),
            mid=None if line.mid is None else ball(line.mid, allowed, judged.upper),
            weights=normalised(line.weights),
            alphas=normalised(line.alphas),
        )
