"""What happens to one value of a variant's trace: judged by an interval, or by a ball."""

from __future__ import annotations

from flint import arb

from asura.scalars import rational
from asura_verify.oracle.kept.scheme import Scheme
from asura_verify.oracle.trace.values import Raw, number
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.views.court import Court, placed
from asura_verify.oracle.views.stated import Interval


def hull(low: arb, high: arb) -> arb:
    """The ball of all numbers between two."""
    middle = (low + high) / 2
    return arb(middle.mid(), ((high - low) / 2).upper() + middle.rad())


class Bench(Court):
    """The record of one trace of a scheme."""

    def __init__(self, precision: int, scheme: Scheme) -> None:
        super().__init__(precision, exact=False)
        self.scheme = scheme
        self.unit = arb(2) ** -self.precision

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
        if not (high - low < 2 * GROSS * abs(ball.mid())) and ball.mid() != 0:
            self.leave_open(field)
        return True
