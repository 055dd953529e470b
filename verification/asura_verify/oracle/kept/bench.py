"""What a trace of a variant is judged with, and what happens to one of its values."""

from __future__ import annotations

import math
from enum import Enum, auto

from flint import arb, arb_mat, fmpq

from asura.errors import NotATrace
from asura.scalars import rational
from asura.trace import HeaderLine, IterationLine, ResultLine, interpret_header, trace_scalar
from asura_verify.oracle.kept.granted import Grants, above
from asura_verify.oracle.kept.relations import SchemeRelations
from asura_verify.oracle.kept.scheme import scheme_of
from asura_verify.oracle.kept.state import ReportedWeights
from asura_verify.oracle.picks.distribution import Session
from asura_verify.oracle.trace.values import Raw, number
from asura_verify.oracle.truth.allowance import GROSS, Allowance, conditioning
from asura_verify.oracle.truth.stated import defect, given_rows, isometric_rows, longest_terms
from asura_verify.oracle.views.court import Court, placed
from asura_verify.oracle.views.relations import Exact, exact_share
from asura_verify.oracle.views.stated import Interval

#: Declared precisions beyond this are judged at this one.
HIGHEST_PRECISION = 2048


class Last(Enum):
    """Whether a step leads to the goal, so that it ends the run."""

    NO = auto()
    YES = auto()
    OPEN = auto()


#: The ball of all numbers.
ANY = arb(0, arb("inf"))


def hull(low: arb, high: arb) -> arb:
    """The ball of all numbers between two."""
    if not (low.is_finite() and high.is_finite()):
        return ANY
    middle = (low + high) / 2
    return arb(middle.mid(), ((high - low) / 2).upper() + middle.rad())


def share_of(goal: arb) -> float:
    """By which share a goal is not known."""
    if not goal.is_finite():
        return math.inf
    return above(goal.rad() / goal.mid()) if goal.mid() > 0 else 0.0


class Bench(Court):
    """The record of one trace of a scheme; methods run inside one precision scope."""

    def __init__(self, header: HeaderLine) -> None:
        super().__init__(min(header.precision, HIGHEST_PRECISION), exact=False)
        self.scheme = scheme_of(header)
        self.unit = arb(2) ** -self.precision
        self.header = header
        self.data, self.gamma, self.rule, self.uniforms = interpret_header(header)
        self.allowance = Allowance(self.precision, conditioning(self.data))
        self.grants, rows = self._whitened()
        self.state = ReportedWeights(rows, self.scheme.pool)
        self.relations = SchemeRelations(self.scheme, self.data.dimension, self.precision)
        self.step = arb(rational(self.scheme.step))
        self.kept_goal, self.goal = self._goals()
        self.sigma = arb(0)
        self.potentials = arb(0)  # the sum of all phi
        self.last = Last.NO
        self.halted = False
        self.lost = False  # what is not reported hides the state
        self.claims_exact = False
        self.picks: list[int] = []
        self.made: list[arb | None] = []  # the weight of every iteration, None where it is hidden
        self.moved: list[arb | None] = []  # by how much sigma grew
        self.skipped: list[bool] = []  # whether the coin left it out
        self.remarks: tuple[str, ...] = ()
        self.undetermined = False
        self.session: Session | None = None
        self.doubted = 0.0
        self.granted = 0.0  # the largest allowance of a mass that showed something
        self.astray = False  # whether an honest program may be beyond its barriers

    def _whitened(self) -> tuple[Grants, arb_mat]:
        data, known, given = self.data, self.allowance.conditioning, self.header.whitening
        free = Grants(self.scheme, known, data.size, self.precision)
        if given is None:
            return free, isometric_rows(data.whitened)
        d = data.dimension
        if data.width != d or [len(row) for row in given] != [d] * d:
            raise NotATrace(
                f"line 1, field `whitening`: expected {d} rows of {d}, as X has", value=1
            )
        whitening = [[trace_scalar(x) for x in row] for row in given]
        rows = given_rows(data, whitening)
        off = defect(rows)
        allowed = max(
            above(2 * m.together + m.together**2 + 4 * m.amplified * self.unit * data.size * d)
            for m in free.methods
        )
        self.count("whitening")
        if off > allowed:
            self.accuse(
                1, None, "whitening", given, "0", f"{allowed:.3g}", off / allowed, allowed,
                f"U^T U is off from 1 by {off:.3g}",
            )  # fmt: skip
            return free, isometric_rows(data.whitened)
        if off >= GROSS:
            self.leave_open("whitening")
        terms = longest_terms(data, whitening)
        made = Grants(self.scheme, known, data.size, self.precision, terms=terms, defect=off)
        return made, rows

    def _goals(self) -> tuple[arb, arb]:
        """The goal as programs may have it: those that keep enough digits of R, and all.

        R is made of the data, and constants are rounded.
        """
        off = self.relations.goal_off if self.scheme.roundings.goal else fmpq(0)
        if self.scheme.slug != "two-sided":
            return self._around_goal(off), self._around_goal(off)
        near, far = (
            None if each == math.inf else off + exact_share(each)
            for each in map(above, self.grants.rank_share())
        )
        self.relations.goal_off += fmpq(1) if far is None else far - off
        return self._around_goal(near), self._around_goal(far)

    def _around_goal(self, share: fmpq | None) -> arb:
        """The goal within a share of itself; anything where none is known."""
        if self.nothing:
            return arb(0)
        goal = rational(self.scheme.goal)
        return ANY if share is None else arb(goal) + arb(0, arb(goal * share))

    def with_roundings(self, value: arb, times: int | fmpq) -> arb:
        """A number that is rounded so many times more."""
        return value + arb(0, value * self.unit * times)

    @property
    def middle(self) -> arb:
        """What the weights are divided by, in units of sigma."""
        return arb(rational(self.scheme.middle))

    def leave_to_rounding(self, field: str, j: int, share: float) -> None:
        """A decision that rounding may rightly make by a share; by a large one, or of R, any."""
        self.undecided[field] = self.undecided.get(field, 0) + 1
        self.open_at.add(j)
        if max(share, share_of(self.goal)) >= GROSS:
            self.vague[field] = self.vague.get(field, 0) + 1

    def leave_stop_to_rounding(self, j: int, clock: arb) -> float:
        """The same of a stop, by the share of the goal up to which the clock is not known."""
        known = clock.is_finite() and self.goal.mid() > 0
        share = above(clock.rad() / self.goal.mid()) if known else math.inf
        self.leave_to_rounding("stopping", j, share)
        return share

    @property
    def nothing(self) -> bool:
        """R = 0: no point is drawn."""
        return self.scheme.rank == 0

    def clock(self) -> arb:
        """What is compared with the goal."""
        spent = arb(rational(self.scheme.potential_rate)) * self.potentials
        return self.sigma + self.with_roundings(
            spent, 2 + rational(self.scheme.roundings.potentials)
        )

    def barriers(self, line_number: int, j: int | None, line: IterationLine | ResultLine) -> Exact:
        """Judge u and l, by the line before or by sigma; returns the numbers of the line."""
        now = Exact.of(line)
        found = self.relations.barriers(self, line_number, j, now)
        for field, raw, rate, sign in (
            ("u", line.u, self.scheme.upper, 1),
            ("l", line.l, self.scheme.lower, -1),
        ):
            if raw is None or rate is None:
                continue
            self.count(field)
            if field not in found:
                ball = sign * arb(rational(self.scheme.offset)) + arb(rational(rate)) * self.sigma
                self.inside(line_number, j, field, raw, ball)
        known = self.relations.progress(now)
        if known is not None and all(found.values()):
            self.sigma = arb(known[0]) + arb(0, arb(known[1]))
        return now

    def interval(
        self, line: int, j: int, field: str, raw: Raw | None, interval: Interval,
        *, place: int | None = None, listed: bool = False,
    ) -> bool:  # fmt: skip
        """Judge one value; whether it is right."""
        if raw is None:
            return True
        self.count(field)
        given, true = number(raw), interval.true
        low, high = interval.far
        side = high - true if given > true else true - low
        if given < low or given > high:
            gap = float(abs(given - true) / side) if side > 0 and side.is_finite() else None
            self.accuse(
                line, j, placed(field, place), raw, low, high, gap,
                float(side / abs(true)) if side.is_finite() and true != 0 else 0.0,
                "does not follow from the state that the trace reports",
            )  # fmt: skip
            return False
        if side.is_finite():
            self.note(field, abs(given - true), side)
        inside = interval.near[0] <= given <= interval.near[1]
        if not inside:
            self.leave_unexplained(j, placed(field, place))
        if not listed and not (inside and interval.shows):
            self.leave_open(field)
        return True

    def inside(
        self, line_number: int, j: int | None, field: str, raw: Raw, ball: arb,
        *, place: int | None = None,
    ) -> bool:  # fmt: skip
        """Judge a value by the ball of what honest methods have."""
        given = number(raw)
        scale = (abs(ball).upper() + arb(rational(self.scheme.offset))) * self.unit * 16
        low, high = ball.lower() - scale, ball.upper() + scale
        if given < low or given > high:
            self.accuse(
                line_number, j, placed(field, place), raw, low, high, None, 0.0,
                "not what honest methods compute here",
            )  # fmt: skip
            return False
        known = high - low < 2 * GROSS * abs(ball.mid())
        if not known and (ball.mid() != 0 or not ball.is_finite()):
            self.leave_open(field)
        return True
