r"""Relations first: what ties the values of a trace together, whatever the whitening was.

Nothing here knows the data, so no condition number is granted. Every relation is evaluated in exact
rationals at the values as reported, and allowed what a handful of roundings can cost.

**Counting.** A rounding of p bits multiplies by 1 + delta, |delta| <= e = 2^-p. Sums, products and
quotients of k roundings are off by a factor between (1 - e)^k and (1 - e)^-k, so by at most
k e/(1 - k e) of themselves; below k counts roundings, and (k) stands for that bound. A reported
value may be rounded once more when it is written (1). If gamma does not fit into p bits the program
has gamma (1 + delta); a quantity q(gamma) is then off by |q' gamma/q| more roundings, to first
order, and a factor 2 covers the rest while the count is below 1/(4e).

    u_0 = -l_0 = 2d/gamma        reciprocal, product, writing, gamma               (4)
    weight = gamma/(phi p)       p = mass/phi and weight = gamma/mass, or two quotients; writing of
                                 three; gamma                       (6), and the defect below
    u_{j+1} = u_j + rate/phi_j   rate = gamma/(1 - 2 gamma): 2, the quotient 1, writing of phi 1,
                                 and 1 more for a product in between: (5) of the increment, with
                                 gamma 1/(1 - 2 gamma) more; the sum and the writing of u_j and
                                 u_{j+1}: 3 ulps of u_{j+1}; where u is computed anew from
                                 u_0 + rate sum 1/phi, twice two more and one for the sum: 8 ulps
    l_{j+1}                      the same, with 1 + 2 gamma; its ulps are those of u_{j+1}, since
                                 l_0 + rate sum 1/phi cancels; where u is not reported, the same sum
                                 makes it u_0 + (l - l_0) (1 + 2 gamma)/(1 - 2 gamma)
    l - l_0 = (u - u_0) (1 - 2 gamma)/(1 + 2 gamma)
                                 where phi or the l before is not reported: (5) of both increments,
                                 with gamma as above, and 16 j ulps of u, those of all steps
    line 3                       j + 4 roundings of the sum of the phi, 4 of u and l, 6 of the bound
    mid = (u_m + l_m)/2          writing of u_m and l_m: 2 ulps of u_m, and (3) of mid; or
                                 gamma/(1 - 4 gamma^2) times the sum of the 1/phi: (m + 8), twice
                                 4 gamma^2/(1 - 4 gamma^2) for those of the square, with gamma
                                 (1 + 4 gamma^2)/(1 - 4 gamma^2) more, twice; where a phi is not
                                 reported, that many of mid, and 16 m ulps of u_m; where one of
                                 u_m and l_m is not, those of both increments as well
    weights = weight/mid         writing of all, and 5 more                                (8)
                                 gamma/(phi p)/mid where weight is not reported, and then also the
                                 defect below
    alphas = gamma/(phi mid)     or p weight/mid, writing of all                           (8)
    sum of alphas = 1 - 4 gamma^2    (m + 8) of the sum, and m times 8 ulps of u_m and l_m, that is
                                 16 m u_m/mid of itself, since mid adds up the increments
    sum of p = 1, p = probabilities[index]     (n + 4) and (4), and the defect below

Below the smallest normal number a rounding is an absolute error of the spacing t there instead
(2^-1074 for p = 53, 2^-149 for p = 24): a product with p is off by t/p of itself more.

**The defect.** phi may be a trace and the masses quadratic forms, so that their sum is phi only up
to what a program loses in both. If it divides by the sum, the quotient of the two stands in the
place of 1 in weight phi p/gamma and in p/probabilities[index], if it divides by phi, in the sum of
the probabilities; and if it computes the mass of the picked point twice, in weight phi p/gamma. How
far from 1 the quotient may be is a theorem (the corollary of `truth/stated.py`), and it decides:

    own     by the roundings of one step, and of columns that are orthonormal by construction,
            whatever the data: right
    near    by a method that keeps enough digits: right if the steps are alike, or else left open
    far     by any method: left open, since a mistake would explain it as well
    beyond  accused

The steps are alike when none is more than `LIKE` times as far off as their median; a sum of
probabilities needs no others. That number is chosen, and no accusation rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from statistics import median_low
from typing import Protocol

from flint import arb, fmpq

from asura.scalars import rational
from asura.trace import IterationLine, ResultLine, trace_scalar
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.truth.allowance import Defects
from asura_verify.oracle.views.court import ratio

#: Roundings of a relation, as counted above.
START, WEIGHT, INCREMENT, BARRIER_ULPS, MIDDLE, NORMALISED, CHANCE = 4, 6, 5, 8, 3, 8, 4
#: The spacing of the smallest numbers, of binary32 and of binary64.
TINIEST_SINGLE, TINIEST_DOUBLE = fmpq(1, 2**149), fmpq(1, 2**1074)
#: How much farther off than in the middle a step may be without leaving the trace open.
LIKE = 64
_ZERO = fmpq(0)


def exactly(raw: Raw) -> fmpq:
    """A scalar of the trace.

    >>> exactly(0.5), exactly("0.1"), exactly(3)
    (1/2, 1/10, 3)
    """
    if isinstance(raw, float):
        return fmpq(*raw.as_integer_ratio())
    return rational(trace_scalar(raw))


def tiniest(precision: int) -> fmpq:
    """The spacing of the smallest numbers of the declared arithmetic.

    >>> tiniest(53) == fmpq(1, 2**1074), tiniest(24) > tiniest(25), tiniest(113)
    (True, True, 0)
    """
    if precision > 53:
        return _ZERO  # arithmetics of more bits have exponents without end
    return TINIEST_DOUBLE if precision > 24 else TINIEST_SINGLE


def fits(value: Fraction, precision: int) -> bool:
    """Whether a number needs no rounding.

    >>> fits(Fraction(7, 16), 3), fits(Fraction(7, 16), 2), fits(Fraction(1, 3), 100)
    (True, False, False)
    """
    odd = value.numerator // (value.numerator & -value.numerator)
    return odd.bit_length() <= precision and value.denominator.bit_count() == 1


def exact_share(share: float) -> fmpq:
    """A finite share, exactly."""
    return fmpq(*share.as_integer_ratio())


def within(error: fmpq, scale: fmpq, share: float) -> bool:
    """Whether an error is at most a share, which may be infinite, of a scale."""
    return share == math.inf or bool(error <= scale * exact_share(share))


def _nearest(given: fmpq, ways: Iterable[tuple[fmpq, str]]) -> tuple[fmpq, str]:
    """The first of those that are the nearest."""
    return min(ways, key=lambda way: abs(given - way[0]))


def _at_most(parts: Iterable[fmpq]) -> fmpq:
    """A sum, rounded up in balls: denominators of an exact one would grow with every part.

    >>> _at_most([fmpq(1, 2), fmpq(1, 4)]), 0 < _at_most([fmpq(1, 3)]) - fmpq(1, 3) < fmpq(1, 2**40)
    (3/4, True)
    """
    return sum((arb(part) for part in parts), arb(0)).upper().fmpq()


class Court(Protocol):
    """Who hears of a value that was compared with what it has to be."""

    def compare(
        self,
        line: int,
        j: int | None,
        field: str,
        given: fmpq,
        expected: fmpq,
        bound: fmpq,
        relation: str,
        *,
        place: int | None = None,
    ) -> bool:
        """Accuse it when it is farther off than the bound; whether it is not."""
        ...

    def leave_open(self, field: str, many: int = 1) -> None:
        """So many values passed that would have passed with a gross mistake."""
        ...

    def doubt(self, why: str) -> None:
        """Leave the whole trace open, however few values that are."""
        ...

    def leave_unexplained(self, j: int | None, field: str) -> None:
        """Only a method explains it that may have lost as much as a mistake would cost."""
        ...


@dataclass(frozen=True, slots=True)
class Clock:
    """The left side of line 3 from reported values, how far it may be off, and the bound."""

    value: fmpq
    error: fmpq
    bound: fmpq


@dataclass(frozen=True, slots=True)
class Exact:
    """The numbers of an iteration, or u and l of a result, exactly."""

    u: fmpq | None
    l: fmpq | None  # noqa: E741 - the name of the contract
    phi: fmpq | None = None
    p: fmpq | None = None
    weight: fmpq | None = None

    @classmethod
    def of(cls, line: IterationLine | ResultLine) -> Exact:
        """The numbers of a line."""

        def read(raw: Raw | None) -> fmpq | None:
            return None if raw is None else exactly(raw)

        if isinstance(line, ResultLine):
            return cls(read(line.u), read(line.l))
        return cls(read(line.u), read(line.l), read(line.phi), read(line.p), read(line.weight))


#: What ties p and weight, by the field that is then judged.
_TIES = {
    "weight": "weight phi p = gamma",
    "p": "p = probabilities[index]",
    "weights": "weights phi p mid = gamma",
    "alphas": "alphas phi mid = gamma",
}
_NONE = Defects(0.0, 0.0, 0.0)


class Relations:
    """Follows one trace, line by line; every method asks for what is there and skips the rest."""

    def __init__(
        self, gamma: Fraction, dimension: int, size: int, precision: int, level: Fraction | None
    ) -> None:
        """The level is that of the rule `sure`, and None for the paper's rule."""
        self.gamma, self.dimension, self.size = rational(gamma), dimension, size
        self.unit = fmpq(1, 2**precision)
        self.tiny = tiniest(precision)
        self._inexact = 0 if fits(gamma, precision) else 1
        self._counts_potentials = level is None
        reach = fmpq(2) if level is None else rational(1 + level)
        self._bound = fmpq(4 * dimension) / self.gamma * reach
        self._rates = self.gamma / (1 - 2 * self.gamma), self.gamma / (1 + 2 * self.gamma)
        slopes = 1 / (1 - 2 * self.gamma), fmpq(1)  # of the rates, at most
        self._growth = tuple(self.off(INCREMENT + 2 * self._inexact * slope) for slope in slopes)
        self._ulps = self.off(BARRIER_ULPS)
        self._weight = self.off(WEIGHT + self._inexact)
        self._listed = self.off(CHANCE)
        #: Lower ranks that the trace may have found, as it does not show where barriers start.
        self.ranks: Sequence[int] = ()
        self._before = Exact(None, None)
        self.corrected: dict[str, fmpq] = {}  # what u and l of the line before had to be
        self._elapsed: fmpq | None = _ZERO  # the sum of all phi so far
        self._shares: list[fmpq | None] = []  # gamma/phi_j
        self._weights: list[fmpq | None] = []
        self._moved: list[fmpq | None] = []  # p weight
        self._apart: dict[int, Defects] = {}  # of steps whose p or weight is not reported
        self._derived: set[int] = set()  # steps whose weight is gamma/(phi p)
        self._defects = _NONE  # of the step that is judged
        self._widest = 0.0  # the largest defect by any method so far
        self.steps = 0
        self._tied: dict[str, list[float]] = {field: [] for field in _TIES}  # how far each is off
        self._doubted = dict.fromkeys(_TIES, 0)  # steps beyond their roundings
        self._hidden: set[str] = set()  # fields with one that only lossy methods explain
        self._farthest = dict.fromkeys(_TIES, 0.0)
        self._summed, self._uneven = 0, 0  # lists of probabilities, and those with another sum

    def off(self, roundings: int | fmpq) -> fmpq:
        """k e/(1 - k e), or 1 where so many roundings leave nothing.

        >>> few = Relations(Fraction(1, 4), 1, 1, 3, None)
        >>> few.off(2), few.off(4)
        (1/3, 1)
        """
        share = self.unit * roundings
        return share / (1 - share) if 2 * share < 1 else fmpq(1)

    # -- the barriers and the clock ----------------------------------------------------------

    def barriers(self, court: Court, number: int, j: int | None, now: Exact) -> dict[str, bool]:
        """u and l, of the first line or from the line before: whether each that is tied is right.

        In the result (j is None) they are those after the last step.
        """
        found: dict[str, bool] = {}
        corrected: dict[str, fmpq] = {}
        for side, (field, given) in enumerate((("u", now.u), ("l", now.l))):
            before = (self._before.u, self._before.l)[side]
            if given is None:
                continue
            expected = self._expected(side, given, before, now.u)
            if expected is None and side == 1 and now.u is not None and found.get("u", True):
                expected = self._by_upper(now.u, given)
            if expected is None:
                continue
            if field in self.corrected:  # a slip is one: who goes on as if without it is right
                other = self._expected(side, given, self.corrected[field], now.u)
                if other is not None and abs(given - other[0]) <= other[1]:
                    expected = other
            found[field] = court.compare(number, j, field, given, *expected)
            if not found[field]:
                corrected[field] = expected[0]
        self.corrected = corrected
        return found

    def _expected(
        self, side: int, given: fmpq, before: fmpq | None, upper: fmpq | None
    ) -> tuple[fmpq, fmpq, str] | None:
        if not self.steps:
            start = fmpq(2 * self.dimension) / self.gamma
            name = "u_0 = 2d/gamma" if side == 0 else "l_0 = -2d/gamma"
            return start * (1 - 2 * side), start * self.off(START + self._inexact), name
        phi = self._before.phi
        if before is None or phi is None or phi == 0:
            return None
        increment = self._rates[side] / phi
        start = fmpq(2 * self.dimension) / self.gamma
        if upper is None:
            upper = start + (given + start) * self._rates[0] / self._rates[1]
        largest = max(abs(given), abs(before), abs(upper))
        letter, sign = ("u", "-") if side == 0 else ("l", "+")
        return (
            before + increment,
            abs(increment) * self._growth[side] + largest * self._ulps,
            f"{letter}_(j+1) = {letter}_j + gamma/(1 {sign} 2 gamma)/phi_j",
        )

    def _starts(self) -> list[fmpq]:
        """2d/gamma, and the same of every lower rank that the trace may have found."""
        return [fmpq(2 * rank) / self.gamma for rank in (self.dimension, *self.ranks)]

    def _by_upper(self, upper: fmpq, given: fmpq) -> tuple[fmpq, fmpq, str] | None:
        """What l has to be beside u, whatever the phi were; of any rank the nearest."""
        found = []
        for start in self._starts():
            moved = (upper - start) * self._rates[1] / self._rates[0]
            drift = max(abs(upper), start) * self._drift(START + self._inexact)
            found.append((moved - start, abs(moved) * sum(self._growth) + drift))
        expected, bound = min(found, key=lambda each: abs(given - each[0]))
        return expected, bound, "l_j - l_0 = (u_j - u_0) (1 - 2 gamma)/(1 + 2 gamma)"

    def clock(self, now: Exact) -> Clock | None:
        """Line 3 on reported values, or None where one is absent."""
        elapsed = self._elapsed if self._counts_potentials else _ZERO
        if now.u is None or now.l is None or elapsed is None or self.ranks:
            return None
        error = (
            abs(elapsed) * self.off(self.steps + 4)
            + (abs(now.u) + abs(now.l)) * self.off(4)
            + self._bound * self.off(6 + self._inexact)
        )
        return Clock(now.u - now.l + elapsed, error, self._bound)

    # -- the probabilities -------------------------------------------------------------------

    def chances(
        self,
        court: Court,
        number: int,
        line: IterationLine,
        now: Exact,
        defects: Defects,
    ) -> dict[str, bool]:
        """weight phi p = gamma, p = probabilities[index], and the probabilities sum to 1.

        Returns whether p and weight, where they are tied, are right.
        """
        near, far = defects.near, defects.far
        self._defects, self._widest = defects, max(self._widest, far)
        if line.probabilities is not None:
            total, doubt = summed(line.probabilities)
            bound = self.off(self.size + CHANCE) + self.size * self.tiny + doubt
            error, one, name = abs(total - 1), fmpq(1), "the probabilities sum to 1"
            self._summed += 1
            self._uneven += not within(error - bound, one, near)
            if far < math.inf:
                court.compare(
                    number, line.j, "probabilities", total, one, bound + exact_share(far), name
                )
        p, phi = now.p, now.phi
        right: dict[str, bool] = {}
        if p is None:
            return right
        if line.probabilities is not None:
            listed = exactly(line.probabilities[line.index])
            bound = abs(listed) * self._listed + 2 * self.tiny
            right["p"] = self._tie(court, "p", (number, line.j, p, listed, bound), defects)
        if now.weight is None or phi is None or p <= 0 or phi <= 0:
            return right
        expected = self.gamma / (phi * p)
        bound = expected * (self._weight + 2 * self.tiny / p)
        found = number, line.j, now.weight, expected, bound
        right["weight"] = self._tie(court, "weight", found, defects)
        return right

    def _tie(
        self,
        court: Court,
        field: str,
        found: tuple[int, int, fmpq, fmpq, fmpq],
        defects: Defects,
        place: int | None = None,
    ) -> bool:
        """A relation that holds up to the roundings of a step, and is doubted up to the defect."""
        number, j, given, expected, bound = found
        error, scale = abs(given - expected), abs(expected)
        bound += scale * exact_share(defects.own)
        share = ratio(error, scale)
        self._tied[field].append(share)
        if error > bound and within(error - bound, scale, defects.far):
            self._doubted[field] += 1
            if not within(error - bound, scale, defects.near):
                self._hidden.add(field)
            self._farthest[field] = max(self._farthest[field], share)
            return True
        return court.compare(number, j, field, given, expected, bound, _TIES[field], place=place)

    def settle(self, court: Court) -> tuple[str, ...]:
        """At the end: what is doubted is right, or leaves the trace open; returns remarks."""
        if self._uneven:
            court.leave_open("probabilities", self._summed * self.size)
            court.doubt(f"probabilities do not sum to 1 in {self._uneven} of {self._summed} lists")
        remarks = []
        for field, shares in self._tied.items():
            if not self._doubted[field]:
                continue
            middle = max(median_low(shares), float(self.unit))
            if field in self._hidden or self._farthest[field] > LIKE * middle:
                court.leave_open(field, len(shares))
                court.doubt(
                    f"{_TIES[field]} is off by up to {self._farthest[field]:.1e} in "
                    f"{self._doubted[field]} of {len(shares)} steps"
                )
            else:
                remarks.append(f"{field}: as if divided by the sum of the masses, and not by phi")
        return tuple(remarks)

    @property
    def weights(self) -> list[fmpq] | None:
        """All w'_j, as reported or from phi and p."""
        known = [weight for weight in self._weights if weight is not None]
        return known if len(known) == self.steps else None

    def remember(self, now: Exact, wrong: Container[str] = ()) -> None:
        """After everything about an iteration was asked; what is wrong ties nothing any more."""
        if "phi" in wrong or "weight" in wrong:
            phi = None if "phi" in wrong else now.phi
            weight = None if "weight" in wrong else now.weight
            now = Exact(now.u, now.l, phi, None, weight)
        self._before = now
        self.steps += 1
        phi, weight = now.phi, now.weight
        if self._elapsed is not None:
            self._elapsed = None if phi is None else self._elapsed + phi
        self._shares.append(None if phi is None or phi == 0 else self.gamma / phi)
        moved = None if weight is None or now.p is None else weight * now.p
        self._moved.append(moved)
        if moved is None or phi is None:
            self._apart[len(self._weights)] = self._defects
        if weight is None and phi is not None and now.p is not None and phi * now.p != 0:
            weight = self.gamma / (phi * now.p)
            self._derived.add(len(self._weights))
        self._weights.append(weight)
        self._defects = _NONE

    # -- the result --------------------------------------------------------------------------

    def result(
        self, court: Court, number: int, line: ResultLine, now: Exact
    ) -> dict[str, set[int]]:
        """mid, weights and alphas; returns the fields that are tied, and which of their values."""
        tied: dict[str, set[int]] = {}
        middle = self._middle(court, number, line, now, tied)
        if middle is None or not self.steps:
            self._alike(court, number, line)
            return tied
        mid, doubt = middle
        alphas = {"gamma/(phi mid)": self._shares, "p weight/mid": self._moved}
        for field, raws, ways in (
            ("weights", line.weights, {"weight/mid": self._weights}),
            ("alphas", line.alphas, alphas),
        ):
            given = [exactly(raw) for raw in raws or ()]
            tied[field] = self._divided(court, number, field, given, ways, middle)
        if line.alphas is not None:
            self._total(court, number, line.alphas, mid, doubt)
        return tied

    def _alike(self, court: Court, number: int, line: ResultLine) -> None:
        """Without any mid: weight/weights is one number, whatever that is."""
        given = [exactly(raw) for raw in line.weights or ()]
        parts = zip(given, self._weights, strict=False)
        found = [part / one for one, part in parts if part is not None and part * one > 0]
        if len(found) > 1:
            middle = median_low(found), self.off(NORMALISED)
            self._divided(court, number, "weights", given, {"weight/mid": self._weights}, middle)

    def _divided(
        self,
        court: Court,
        number: int,
        field: str,
        given: Sequence[fmpq],
        ways: Mapping[str, Sequence[fmpq | None]],
        middle: tuple[fmpq, fmpq],
    ) -> set[int]:
        """A list of the result by what its values are made of, the nearest way; which are tied."""
        mid, doubt = middle
        share = self.off(NORMALISED + self._inexact) + doubt
        places: set[int] = set()
        for place, (one, *parts) in enumerate(zip(given, *ways.values(), strict=False)):
            known = [(x / mid, name) for x, name in zip(parts, ways, strict=True) if x is not None]
            if not known:
                continue
            places.add(place)
            expected, name = _nearest(one, known)
            bound = abs(expected) * share + self.tiny
            if place in self._apart and (field == "alphas" or place in self._derived):
                found = number, place, one, expected, bound
                self._tie(court, field, found, self._apart[place], place)
            else:
                relation = f"{field} = {name}"
                court.compare(number, place, field, one, expected, bound, relation, place=place)
        return places

    def _middle(
        self, court: Court, number: int, line: ResultLine, now: Exact, tied: dict[str, set[int]]
    ) -> tuple[fmpq, fmpq] | None:
        """A positive mid: as reported, or else from the barriers with its doubt as a share."""
        given = None if line.mid is None else exactly(line.mid)
        ways = self._middles(now)
        if not ways:
            return None if given is None or given <= 0 else (given, _ZERO)
        middle, bound, name = ways[0]
        if given is None:
            return (middle, bound / middle) if middle > 0 else None
        middle, bound, _ = next((way for way in ways if abs(given - way[0]) <= way[1]), ways[0])
        court.compare(number, None, "mid", given, middle, bound, name)
        tied["mid"] = set()
        return (given, _ZERO) if given > 0 else None

    def _middles(self, now: Exact) -> list[tuple[fmpq, fmpq, str]]:
        """What mid may be by the barriers, each with its bound; none if there is no barrier."""
        if now.u is not None and now.l is not None:
            half, name = (now.u + now.l) / 2, "mid = (u_m + l_m)/2"
            bound = abs(now.u) * self.off(2) + abs(half) * self.off(MIDDLE)
            return [(half, bound, name), self._by_sum(half, abs(now.u))]
        for barrier, side, name in (
            (now.u, 1, "u_m = 2d/gamma + (1 + 2 gamma) mid"),
            (now.l, -1, "l_m = (1 - 2 gamma) mid - 2d/gamma"),
        ):
            if barrier is not None:
                return [(*self._beside(barrier, side, start), name) for start in self._starts()]
        return []

    def _beside(self, barrier: fmpq, side: int, start: fmpq) -> tuple[fmpq, fmpq]:
        """Mid by one barrier and where that started, and its bound."""
        slope = 1 + 2 * side * self.gamma
        middle = (barrier - side * start) / slope
        upper = start + (1 + 2 * self.gamma) * abs(middle)
        share = self._by_all_steps() + sum(self._growth)
        return middle, abs(middle) * share + upper * self._drift(START + self._inexact) / slope

    def _apart_by_steps(self, mid: fmpq) -> fmpq:
        """How much more than gamma/(phi mid) alphas add up to that are p weight/mid."""
        parts = zip(self._moved, self._shares, strict=True)
        return _at_most(abs(x - y) for x, y in parts if x is not None and y is not None) / mid

    def _by_sum(self, half: fmpq, upper: fmpq) -> tuple[fmpq, fmpq, str]:
        """Mid as gamma/(1 - 4 gamma^2) times the sum of the 1/phi.

        Where a phi is not reported, that is the half of u_m + l_m up to the ulps of all steps.
        """
        name, rounded = "mid = gamma/(1 - 4 gamma^2) sum 1/phi", self._by_all_steps()
        shares = [share for share in self._shares if share is not None]
        if len(shares) < self.steps:
            return half, abs(half) * rounded + upper * self._drift(), name
        middle = _at_most(shares) / (1 - 4 * self.gamma * self.gamma)
        return middle, middle * rounded, name

    def _by_all_steps(self) -> fmpq:
        """The roundings of gamma/(1 - 4 gamma^2) times the sum of all 1/phi."""
        squared = 4 * self.gamma * self.gamma
        slope = (2 * squared + 2 * self._inexact * (1 + squared)) / (1 - squared)
        return self.off(self.steps + 8 + slope)

    def _drift(self, start: int = 0) -> fmpq:
        """How far the ulps of all steps, and of a start, may move u and l, as a share of u_m."""
        return self.off(2 * BARRIER_ULPS * self.steps + start)

    def _total(self, court: Court, number: int, raws: list[Raw], mid: fmpq, doubt: fmpq) -> None:
        total, rounded = summed(raws)
        bound = doubt + rounded + self._apart_by_steps(mid)
        upper = (1 + 2 * self.gamma) * mid + fmpq(2 * self.dimension) / self.gamma
        bound += self.off(self.steps + NORMALISED + self._inexact)
        drift = self._drift() * upper / mid
        steep = 8 * self.gamma * self.gamma * self.off(2 * self._inexact)
        name = "the alphas sum to 1 - 4 gamma^2"
        expected = 1 - 4 * self.gamma * self.gamma
        self._compare_total(court, number, (total, expected, bound + drift + steep), name)

    def _compare_total(
        self, court: Court, number: int, found: tuple[fmpq, fmpq, fmpq], name: str
    ) -> None:
        """A sum of alphas; where p, weight or phi are absent they may be p weight/mid as well."""
        total, expected, bound = found
        absent = None in self._moved or None in self._shares
        beyond = abs(total - expected) - bound
        if absent and beyond > 0 and within(beyond, expected, self._widest):
            court.leave_unexplained(None, "alphas")
        else:
            court.compare(number, None, "alphas", total, expected, bound, name)


def summed(raws: list[Raw]) -> tuple[fmpq, fmpq]:
    """The sum of scalars, and how far it may be off: doubles are summed with one rounding.

    >>> summed([0.5, 0.25]), summed(["1/3", 0.5])
    ((3/4, 3/36028797018963968), (5/6, 0))
    """
    if all(isinstance(raw, float) for raw in raws):
        with suppress(OverflowError):
            total = exactly(fsum(float(raw) for raw in raws))
            return total, abs(total) / 2**53
    return sum((exactly(raw) for raw in raws), _ZERO), _ZERO
