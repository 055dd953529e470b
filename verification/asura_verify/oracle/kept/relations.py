r"""Relations of a trace whose barriers move along D: identities, and the roundings they allow.

As in `oracle.views.relations`, whose counts these are, with the constants of a scheme. Where the
barriers start at 0 (K1 and K2) nothing cancels, so the ulps are those of u and l themselves.

    u_0 = l_0 = 0                     exactly; 2d/gamma and -2d/gamma in Algorithm 2
    l_{j+1} = l_j + lower step/phi_j  a quotient, a product, writing of phi, and the constants: (3+)
                                      of the increment; 8 ulps of l_{j+1}; the same for u
    weight = step/(phi p)             (6), and the step's own
                                      A program may divide by the sum of the masses in place of
                                      phi = Tr(D E): the defect of `oracle.views.relations`, by
                                      the corollary of `oracle.kept.granted`
    weight p = goal - sigma_j         of a clipped last step: weight = share step/mass with
                                      share = (goal - sigma)/(step/phi). sigma is l/lower: 4 ulps
                                      of sigma and of the goal, then (10) of the rest, and the
                                      defect
    l_m = lower goal                  where clip or coin end the run: (4) and the constants
    mid = sigma_m = l_m/lower         a quotient, writing of both, and lower's                (3+)
    weights = weight/mid              (8)
    alphas = (sigma_{j+1} - sigma_j)/sigma_m = step/(phi mid), but for the last clipped one   (8)
    sum of alphas = sigma_m/mid       1 for K1 and K2: m terms, and m more in sigma
"""

from __future__ import annotations

import math
from collections.abc import Container
from fractions import Fraction

from flint import fmpq

from asura.scalars import rational
from asura.trace import IterationLine, ResultLine
from asura_verify.oracle.kept.scheme import Scheme
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.truth.allowance import Defects
from asura_verify.oracle.views.relations import (
    BARRIER_ULPS,
    MIDDLE,
    NORMALISED,
    START,
    WEIGHT,
    Court,
    Exact,
    Relations,
    exact_share,
    exactly,
    summed,
    within,
)

#: Roundings of an increment beside those of its constants.
INCREMENT = 3
_ZERO = fmpq(0)


class SchemeRelations(Relations):
    """Follows one trace of a scheme, line by line."""

    def __init__(self, scheme: Scheme, dimension: int, precision: int) -> None:
        # The constants of Algorithm 2 are replaced by those of the scheme.
        super().__init__(Fraction(1, 4), dimension, scheme.pool, precision, None)
        self.scheme = scheme
        counts = scheme.roundings
        self.gamma = rational(scheme.step)
        self._inexact = 1 if counts.step else 0
        self._step_off = rational(counts.step)
        rates = scheme.upper, scheme.lower
        above, below = (_ZERO if rate is None else rational(rate) for rate in rates)
        self._factors = above, below
        self._factor_off = rational(counts.upper), rational(counts.lower)
        self._rates = above * self.gamma, below * self.gamma
        self._growth = tuple(self.off(INCREMENT + self._step_off + x) for x in self._factor_off)
        self._weight = self.off(WEIGHT + self._step_off)
        self.goal, self.goal_off = rational(scheme.goal), self.off(2 + rational(counts.goal))
        #: Whether the step before has led to the goal; None where rounding may decide it.
        self.at_goal: bool | None = False

    def _expected(
        self, side: int, given: fmpq, before: fmpq | None, upper: fmpq | None
    ) -> tuple[fmpq, fmpq, str] | None:
        offset, letter = rational(self.scheme.offset), "ul"[side]
        if not self.steps:
            bound = offset * self.off(START + rational(self.scheme.roundings.distance))
            return offset * (1 - 2 * side), bound, f"{letter}_0 is where the barriers start"
        if self.at_goal is None:
            return None
        if self.at_goal:
            expected = self._factors[side] * self.goal
            bound = expected * (self.off(4 + self._factor_off[side]) + self.goal_off)
            return expected, bound, f"{letter}_m belongs to sigma at its goal"
        phi = self._before.phi
        if before is None or phi is None or phi <= 0:
            return None
        increment = self._rates[side] / phi
        largest = max(abs(given), abs(before))
        if offset != 0 and upper is not None:
            largest = max(largest, abs(upper))
        rate = ("upper", "lower")[side]
        return (
            before + increment,
            increment * self._growth[side] + largest * self._ulps,
            f"{letter}_(j+1) = {letter}_j + {rate} step/phi_j",
        )

    def _by_upper(self, upper: fmpq, given: fmpq) -> tuple[fmpq, fmpq, str] | None:
        """Not asked: its last step may be a part of one."""
        return None

    def progress(self, now: Exact) -> tuple[fmpq, fmpq] | None:
        """The program's sigma by its l, or by its u, and how far it may be off."""
        offset = rational(self.scheme.offset)
        for given, side, sign in ((now.l, 1, 1), (now.u, 0, -1)):
            factor = self._factors[side]
            if given is not None and factor > 0:
                size = (abs(given) + 2 * offset) * self.off(4 + self._factor_off[side])
                return (given + sign * offset) / factor, size / factor
        return None

    def clipped(
        self, court: Court, line: tuple[int, int], now: Exact, doubts: tuple[float, float],
        defects: Defects, *, perhaps: bool,
    ) -> bool:  # fmt: skip
        """The weight of a clipped last step: weight p = goal - sigma; whether it is right.

        Where rounding may decide whether the step is the last one, it may be a whole step. The goal
        is known by methods that keep enough digits, and by all; nothing is, if that has no end.
        """
        known = self.progress(now)
        if now.weight is None or now.p is None or known is None or now.p <= 0:
            return True
        near, far = doubts
        if near == math.inf:
            return True
        sigma, doubt = known
        rest, share = self.goal - sigma, exact_share(near)
        bound = doubt + abs(sigma) * self.off(4) + self.goal * (self.off(4) + share)
        bound += abs(rest) * (self.off(10 + self._step_off) + exact_share(defects.own))
        bound = (bound + 2 * self.tiny) / now.p
        expected = rest / now.p
        low, high, scale = expected - bound, expected + bound, abs(expected)
        if perhaps and now.phi is not None and now.phi > 0:
            whole = self.gamma / now.phi / now.p * (1 + self._weight + exact_share(defects.own))
            high, scale = max(high, whole), max(scale, whole)
        beyond = max(low - now.weight, now.weight - high)
        more = fmpq(0) if far == math.inf else self.goal * (exact_share(far) - share) / now.p
        if beyond > 0 and (far == math.inf or within(beyond - more, scale, defects.far)):
            if not within(beyond, scale, defects.near):
                court.leave_unexplained(line[1], "weight")
            return True
        if beyond > 0:
            bound += scale * exact_share(defects.far) + more
        elif high > expected + bound:  # or a whole step, or anything between
            return True
        name = "weight p = goal - sigma"
        return court.compare(line[0], line[1], "weight", now.weight, expected, bound, name)

    def hide(self) -> None:
        """Of a step whose state is hidden: nothing says how far its values may be apart."""
        self._defects, self._widest = Defects(0.0, 0.0, math.inf), math.inf

    def keep(self, now: Exact, wrong: Container[str], *, part: bool, left_out: bool) -> None:
        """After an iteration; of a part of a step phi and p do not tell the weight."""
        if part and not left_out:
            now = Exact(now.u, now.l, now.phi, None, now.weight)
        self.remember(now, wrong)
        if part:
            self._shares[-1] = None
        if left_out:
            self._weights[-1] = _ZERO

    def _middle(
        self, court: Court, number: int, line: ResultLine, now: Exact, tied: dict[str, set[int]]
    ) -> tuple[fmpq, fmpq] | None:
        if not self.scheme.kept:
            return super()._middle(court, number, line, now, tied)
        given = None if line.mid is None else exactly(line.mid)
        known = self.progress(now)
        if known is None or known[0] <= 0:
            return None if given is None or given <= 0 else (given, _ZERO)
        sigma, doubt = known
        if given is None:
            return sigma, doubt / sigma
        bound = doubt + sigma * self.off(MIDDLE)
        court.compare(number, None, "mid", given, sigma, bound, "mid = sigma_m = l_m/lower")
        tied["mid"] = set()
        return (given, _ZERO) if given > 0 else None

    def _middles(self, now: Exact) -> list[tuple[fmpq, fmpq, str]]:
        """The rates of a scheme are not those of Algorithm 2: mid is the mean of its barriers."""
        return super()._middles(now)[:1] if now.u is not None and now.l is not None else []

    def _total(self, court: Court, number: int, raws: list[Raw], mid: fmpq, doubt: fmpq) -> None:
        total, rounded = summed(raws)
        expected = 1 / rational(self.scheme.middle)
        off = self.off(2 * self.steps + NORMALISED + self._step_off + sum(self._factor_off))
        drift = _ZERO
        if self.scheme.offset:
            largest = rational(self.scheme.offset) + self._factors[0] * mid
            drift = self.off(2 * BARRIER_ULPS * self.steps) * 2 * largest / mid
        bound = (off + doubt + drift) * expected + rounded + self._apart_by_steps(mid)
        court.compare(number, None, "alphas", total, expected, bound, "the sum of the alphas")


def reported(line: IterationLine) -> tuple[Raw | None, ...]:
    """Everything that an iteration reports."""
    return (line.u, line.l, line.phi, line.p, line.weight, *(line.probabilities or ()))
