"""Judges a trace whose barriers move along D, every step from the state that it reports.

The numbers of the program are balls: what a line reports, up to the rounding of its writing, and
what it does not report as an honest method would have it. A value or a decision violates when no
honest method makes it, and is left open where one may that shows nothing on these data.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from asura.errors import NotATrace
from asura.scalars import rational
from asura.trace import IterationLine, ResultLine
from asura_verify.oracle.kept.bench import ANY, Bench, Last, hull
from asura_verify.oracle.kept.ending import judge_result
from asura_verify.oracle.kept.granted import Granted
from asura_verify.oracle.kept.picking import judge_pick
from asura_verify.oracle.kept.relations import reported
from asura_verify.oracle.kept.state import NotBetweenBarriers
from asura_verify.oracle.kept.weighing import judge_weight
from asura_verify.oracle.trace.values import Raw, number, shown
from asura_verify.oracle.truth.allowance import (
    GROSS,
)
from asura_verify.oracle.views.court import NeedsExactness
from asura_verify.oracle.views.relations import Exact, exactly
from asura_verify.oracle.views.stated import Interval


class VariantJudge(Bench):
    """Judges the lines of one trace in order; methods run inside one precision scope."""

    # -- an iteration ------------------------------------------------------------------------

    def iteration(self, line_number: int, line: IterationLine) -> None:
        """Judge one iteration, and follow it."""
        self._refuse(line_number, line)
        try:
            self.heed(reported(line))
        except NeedsExactness:
            self.claims_exact = True
        if self.halted or self._over(line_number, line) or self._elsewhere(line_number, line):
            return
        self._step(line_number, line)

    def _refuse(self, line_number: int, line: IterationLine) -> None:
        """A line that does not fit the header."""
        size, pool = self.data.size, self.scheme.pool
        if line.index >= size and not (line.index == pool and self.scheme.ending == "coin"):
            raise NotATrace(
                f"line {line_number}, field `index`: {line.index}, "
                f"expected a row from 0 to {size - 1}"
                + (" (indices count from 0)" if line.index == size else ""),
                value=line_number,
            )
        entries = pool if line.probabilities is None else len(line.probabilities)
        if entries not in {pool, size}:
            raise NotATrace(
                f"line {line_number}, field `probabilities`: {entries} entries, expected {pool}",
                value=line_number,
            )
        if self.uniforms is not None and line.j >= len(self.uniforms.values):
            raise NotATrace(
                f"line {line_number}: iteration {line.j} has no uniform, "
                f"the header gives {len(self.uniforms.values)}",
                value=line_number,
            )

    def _over(self, line_number: int, line: IterationLine) -> bool:
        """Whether the run had ended before this line: by the goal, or because R = 0."""
        self.count("stopping")
        clock = self.clock()
        ended = self.nothing or self.last is Last.YES
        if self.scheme.ending == "overshoot":
            ended = ended or bool(clock >= self.goal)
            if not ended and clock >= self.kept_goal:
                self.leave_unexplained(line.j, "stopping")
            elif not ended and not clock < self.kept_goal:
                self.leave_stop_to_rounding(line.j, clock)
        elif self.last is Last.OPEN:
            self.leave_stop_to_rounding(line.j, clock)
        if ended:
            self.accuse(
                line_number, line.j, "stopping", f"iteration {line.j}", "-infinity",
                shown(self.goal, 17), None, 0.0,
                f"too late: the clock stands at {shown(clock, 8)} of {shown(self.goal, 8)}, "
                "the run has ended",
            )  # fmt: skip
            self.halted = True
        return ended

    def _elsewhere(self, line_number: int, line: IterationLine) -> bool:
        """Whether a point is picked that is never drawn."""
        pool = self.scheme.pool
        if line.index < pool or (line.index == pool and self.scheme.ending == "coin"):
            if line.index == pool or not self._zero(line):
                return False
            message = "this point has probability 0 and can never be picked"
        else:
            message = "a point of X_2 is kept, and never drawn"
        self.count("index")
        self.accuse(line_number, line.j, "index", line.index, "0", "0", None, 0.0, message)
        self.halted = True
        return True

    def _zero(self, line: IterationLine) -> bool:
        row = self.data.points[line.index]
        return self.data.squared_scales[line.index] == 0 or all(x == 0 for x in row)

    # -- one step ----------------------------------------------------------------------------

    def _step(self, line_number: int, line: IterationLine) -> None:
        j, left_out = line.j, line.index == self.scheme.pool and self.scheme.kept
        self.relations.at_goal = self.relations.at_goal or False  # the run has gone on
        now = self.barriers(line_number, j, line)
        offset = arb(rational(self.scheme.offset))
        upper = None
        if self.scheme.upper is not None:
            upper = self._side(line.u, self.scheme.upper, -offset)
        lower = self._side(line.l, self.scheme.lower, offset)
        granted = self._look(line_number, line, upper, lower)
        if granted is None:
            self._unseen(line_number, line, now, left_out=left_out)
            return
        wrong: set[str] = set()
        potential = granted.potential()
        if not self.interval(line_number, j, "phi", line.phi, potential):
            wrong.add("phi")
        phi = self._taken(None if "phi" in wrong else line.phi, potential)
        if phi is None:
            self._unseen(line_number, line, now, left_out=left_out)
            return
        chosen = None if left_out else line.index
        if chosen is not None and not self.interval(
            line_number, j, "p", line.p, granted.chance(chosen)
        ):
            wrong.add("p")
        if line.probabilities is not None:
            self._probabilities(line_number, line, granted, wrong)
        part = self._share(phi)
        if left_out and part is None:
            self.count("index")
            self.accuse(
                line_number, j, "index", line.index, "0", "0", None, 0.0,
                "a step is left out that does not lead to the goal",
            )  # fmt: skip
            self.halted = True
            return
        judge_weight(self, line_number, line, now, granted, wrong, part, left_out=left_out)
        kept, _ = self._part(phi, self.kept_goal)
        judge_pick(self, line_number, line, granted, wrong, (kept, part))
        self._follow(line, now, granted, wrong, phi, part, left_out=left_out)

    def _side(self, raw: Raw | None, rate: Fraction, offset: arb) -> arb:
        """The factor of D: as reported, up to its writing, or the rate times sigma."""
        if raw is None:
            return arb(rational(rate)) * self.sigma
        return self.with_roundings(number(raw), 4) + offset

    def _look(
        self, line_number: int, line: IterationLine, upper: arb | None, lower: arb
    ) -> Granted | None:
        """What honest methods see in this state; None where it is hidden."""
        if self.lost:
            return None
        distance = arb(rational(self.scheme.distance))
        try:
            seen = self.state.look(distance, upper, lower)
        except NotBetweenBarriers:
            if self.astray:  # so the weights may be of any size
                self.leave_unexplained(line.j, "l")
                self.lost = True
                return None
            self.accuse(
                line_number, line.j, "l", line.l if line.l is not None else "not reported",
                "below A", "", None, 0.0,
                "the state that the trace reports is not between its barriers",
            )  # fmt: skip
            self.halted = self.lost = True
            return None
        if seen is None:
            self.lost = True
            return None
        granted = self.grants.at(seen, line.j, self.state.target_size)
        share = granted.share
        if share < 1:
            self.granted = max(self.granted, share)
        return granted

    def _unseen(self, line_number: int, line: IterationLine, now: Exact, *, left_out: bool) -> None:
        """A line whose state is hidden: its values are left open."""
        self.lost, self.sigma = True, ANY
        for field in ("phi", "p", "weight"):
            if getattr(line, field) is not None:
                self.count(field)
                self.leave_open(field)
        if line.probabilities is not None:
            self.count("probabilities", len(line.probabilities))
            self.leave_open("probabilities", len(line.probabilities))
        self.last = Last.OPEN
        ends = self.scheme.ending != "overshoot"  # so that it may be a part of a step
        self.relations.at_goal = None if ends else False
        self.relations.hide()
        self.relations.keep(now, (), part=ends, left_out=left_out)
        self._record(line.index, None, None, left_out=left_out)

    def _record(self, index: int, weight: arb | None, moved: arb | None, *, left_out: bool) -> None:
        self.picks += [] if left_out else [index]
        self.made.append(arb(0) if left_out else weight)
        self.moved.append(moved)
        self.skipped.append(left_out)

    def _taken(self, raw: Raw | None, interval: Interval) -> arb | None:
        """A value that the program goes on with: as reported, or as honest methods have it."""
        if raw is not None:
            return self.with_roundings(number(raw), 1)
        low, high = interval.far
        return hull(low, high) if low > 0 and high.is_finite() else None

    def _share(self, phi: arb) -> arb | None:
        """Which part of the step leads to the goal; None when the whole step does not reach it."""
        part, certain = self._part(phi, self.goal)
        self.last = Last.NO if part is None else Last.YES if certain else Last.OPEN
        return part

    def _part(self, phi: arb, goal: arb) -> tuple[arb | None, bool]:
        """The same for some goal, and whether it is certain that the step leads there."""
        if self.scheme.ending == "overshoot" or not phi > 0:
            return None, False
        advance = self.with_roundings(self.step / phi, 4 + rational(self.scheme.roundings.step))
        after = self.with_roundings(self.sigma + advance, 2)
        if after < goal:
            return None, False
        share = (goal - self.sigma) / advance
        if after >= goal:
            return share, True
        return hull(share.lower().max(arb(0)).min(arb(1)), arb(1)), False

    def _probabilities(
        self, line_number: int, line: IterationLine, granted: Granted, wrong: set[str]
    ) -> None:
        """Those of the pool; the list is left open when what is open in it carries a sixteenth."""
        raws = line.probabilities or []
        if len(raws) != self.scheme.pool:
            self.count("probabilities")
            wrong.add("probabilities")
            self.accuse(
                line_number, line.j, "probabilities", f"{len(raws)} numbers",
                f"{self.scheme.pool} numbers", "", None, 0.0, "X_2 is kept, and never drawn",
            )  # fmt: skip
            return
        open_ = 0.0
        for i, raw in enumerate(raws):
            chance = granted.chance(i)
            if not self.interval(
                line_number, line.j, "probabilities", raw, chance, place=i, listed=True
            ):
                wrong.add("probabilities")
            inside = chance.near[0] <= number(raw) <= chance.near[1]
            open_ += 0.0 if chance.shows and inside else float(chance.true)
        if open_ >= GROSS and "probabilities" not in wrong:
            self.leave_open("probabilities", len(raws))

    # -- the state behind ----------------------------------------------------------------------

    def _follow(
        self, line: IterationLine, now: Exact, granted: Granted, wrong: set[str],
        phi: arb, part: arb | None, *, left_out: bool,
    ) -> None:  # fmt: skip
        """Sigma, the sum of the potentials and A after the step."""
        clipped = part is not None and self.scheme.ending == "clip"
        drawn, lower = None if left_out else line.index, arb(rational(self.scheme.lower))
        self.astray = self.astray or not granted.stays(drawn, self.step, lower)
        self.relations.keep(now, wrong, part=part is not None, left_out=left_out)
        self.relations.at_goal = None if self.last is Last.OPEN else self.last is Last.YES
        self.potentials = self.with_roundings(self.potentials + phi, 1)
        before, self.sigma = self.sigma, self.with_roundings(self.sigma + self.step / phi, 4)
        if self.last is Last.YES:
            self.sigma = self.goal
        elif self.last is Last.OPEN:
            self.sigma = hull(
                self.sigma.lower().min(self.goal.lower()), self.sigma.upper().max(self.goal.upper())
            )
        weight = None if left_out else self._gained(line, granted, part if clipped else None)
        self._record(line.index, weight, self.sigma - before, left_out=left_out)
        if weight is not None:
            self.state.add(line.index, weight)
        elif not left_out:
            self.lost = True

    def _gained(self, line: IterationLine, granted: Granted, part: arb | None) -> arb | None:
        """The weight that the program goes on with; None where nothing is known of it."""
        if line.weight is not None and exactly(line.weight) >= 0:
            return self.with_roundings(number(line.weight), 1)
        low, high = granted.mass(line.index).far
        if not (low > 0 and high.is_finite()):
            return None
        return self.step * (arb(1) if part is None else part) / hull(low, high)

    # -- the result ----------------------------------------------------------------------------

    def result(self, line_number: int, result: ResultLine) -> None:
        """Judge the last line."""
        try:
            self.heed((result.u, result.l, result.mid, *(result.weights or ()),
                       *(result.alphas or ())))  # fmt: skip
        except NeedsExactness:
            self.claims_exact = True
        judge_result(self, line_number, result)
