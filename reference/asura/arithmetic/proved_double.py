r"""Doubles with proved bounds: the first balls of a run on kernel data.

Every number is a `Tracked` one and every decision a theorem, or `Undecided`; then balls of more
bits are asked. A run in plain balls loses 0.45 d/gamma bits, because a bound on A makes a bound on
every mass, that makes one on the next weight, and so on: each step multiplies what is not known by
1 + c gamma. The errors themselves hardly grow. So they are carried along as what they are, linear
in the errors that were made:

**Theorem.** Let F = c I + t H + f A be the form at the midpoints of t and of the weights W_x, and
F' = F + dt H + f sum dW_x U_x U_x^T the true one, with -theta F <= F' - F <= theta F, theta < 1.
Then

    U^T F'^-1 U = U^T F^-1 U - dt U^T F^-1 H F^-1 U - f sum_x dW_x (U_x^T F^-1 U)^2 + r,
    0 <= r <= theta^2/(1 - theta) U^T F^-1 U.

Proof. With s = F^(-1/2) (F' - F) F^(-1/2), |s| <= theta: (1 + s)^-1 = 1 - s + s^2 (1 + s)^-1. QED.

H is I in Algorithm 2, where c = 0, and D = sum over X_1 of U U^T in the kept variants, where c
does not change. Phi = Tr(H E) is the sum of the masses of all points, or of X_1; so its
derivatives are of the same kind, -f U_x^T F^-1 H F^-1 U_x with respect to W_x.

dt and dW_x are known in terms of the symbols of earlier errors, so the new mass is, too: what is
new (the rounding of this step, by `proved_spectral`; r; what the coefficients are off by) is one
new symbol. Two numbers bound theta, and the smaller one is taken: |dt| |F^(-1/2) H F^(-1/2)| plus
sum |dW_x| U_x^T F^-1 U_x, or (where c = 0) plus max |dW_x|/W_x times
|F^(-1/2) A F^(-1/2)| <= 1 + |t| |F^(-1/2) H F^(-1/2)|.
By the same theorem without its first order, every partial sum of masses is known up to
theta/(1 - theta) of itself, which decides the picks.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from asura.arithmetic.ball import BallArithmetic
from asura.arithmetic.interface import Masses
from asura.arithmetic.proved_spectral import (
    ProvedBasis,
    Resolvent,
    Rows,
    resolvent,
    tilted_basis,
    upright_basis,
)
from asura.arithmetic.tracked import Tracked
from asura.blas_threads import one_blas_thread
from asura.dataset import Dataset, KernelData
from asura.errors import Undecided
from asura.kernel_matrix import Isometry
from asura.randomness import UnitInterval
from asura.rounding import UNDERFLOW, UNIT, Doubles, gamma, norm_up, sum_up, up
from asura.scalars import Enclosure
from asura.verdict import FAILS, HOLDS, Verdict, undecided

#: At most so many points are taken before an eigenbasis is computed anew, and d/2 of them.
POINTS = 24
#: Bits to which the rows are known before they are rounded to doubles.
ROW_BITS = 64


@dataclass(frozen=True, eq=False)
class History:
    """The points that were taken, last first; the weight's rest is a symbol of its own."""

    before: History | None
    index: int
    weight: Tracked

    def since(self, earlier: History) -> list[History] | None:
        """What was taken since, first to last; None when `earlier` is not a part of it."""
        found: list[History] = []
        place: History | None = self
        while place is not earlier:
            if place is None:
                return None
            found.append(place)
            place = place.before
        return found[::-1]


#: What is not there.
_NOTHING = Tracked(0.0)


def _sum(first: Tracked, second: Tracked, sign: float) -> Tracked:
    if second is _NOTHING:
        return first
    return first + second if sign > 0 else first - second


@dataclass(frozen=True, eq=False)
class ProvedForm:
    """s I + t D + f A, where A = sum w_i U_i U_i^T over a history; f is 1, -1, or 0."""

    frame: ProvedFrame
    shift: Tracked
    tilt: Tracked
    factor: float
    history: History

    @property
    def along(self) -> Tracked:
        """The coefficient of H, which a run changes: that of D, if any."""
        return self.tilt if self.frame.pool is not None else self.shift

    def __mul__(self, scalar: Tracked) -> ProvedForm:
        if self.factor:
            raise Undecided  # no run asks for it
        shift, tilt = (
            part if part is _NOTHING else part * scalar for part in (self.shift, self.tilt)
        )
        return ProvedForm(self.frame, shift, tilt, 0.0, self.history)

    def __add__(self, other: ProvedForm | PointForm) -> ProvedForm:
        if isinstance(other, PointForm):
            history = self.frame.taking(self, other)
            return ProvedForm(self.frame, self.shift, self.tilt, self.factor, history)
        return self._with(other, 1.0)

    def __sub__(self, other: ProvedForm) -> ProvedForm:
        return self._with(other, -1.0)

    def _with(self, other: ProvedForm, sign: float) -> ProvedForm:
        if self.factor and other.factor:
            raise Undecided  # no run asks for it
        shift, tilt = _sum(self.shift, other.shift, sign), _sum(self.tilt, other.tilt, sign)
        if self.factor:
            return ProvedForm(self.frame, shift, tilt, self.factor, self.history)
        return ProvedForm(self.frame, shift, tilt, sign * other.factor, other.history)


@dataclass(frozen=True, slots=True)
class PointForm:
    """w U U^T for one point."""

    index: int
    weight: Tracked

    def __mul__(self, scalar: Tracked) -> PointForm:
        return PointForm(self.index, self.weight * scalar)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A sum of inverses."""

    forms: tuple[ProvedForm, ...]

    def __add__(self, other: Bracket) -> Bracket:
        return Bracket(self.forms + other.forms)


class Totals:
    """W_x, the weight of every point, with its errors: kept for one history and carried on."""

    def __init__(self, size: int, empty: History) -> None:
        self._empty = empty
        self._parts = np.zeros((size, 64))
        self._start()

    def _start(self) -> None:
        size = len(self._parts)
        self.history = self._empty
        self.mids = np.zeros(size)
        self.rests = np.zeros(size)
        self.sizes = np.zeros(size)
        self.symbols = 0
        self._parts[:] = 0.0

    def at(self, history: History) -> None:
        """Carry on to a history, from the start where it is another one."""
        more = history.since(self.history)
        if more is None:
            self._start()
            more = history.since(self._empty) or []
        for taken in more:
            self._take(taken.index, taken.weight)
        self.history = history

    def _take(self, index: int, weight: Tracked) -> None:
        length = len(weight.parts)
        if length > self._parts.shape[1]:
            wider = np.zeros((len(self._parts), 2 * length))
            wider[:, : self._parts.shape[1]] = self._parts
            self._parts = wider
        self.symbols = max(self.symbols, length)
        row = self._parts[index]
        row[:length] += weight.parts
        rounding = UNIT * (self.mids[index] + weight.mid + self.sizes[index] + weight.size)
        self.mids[index] += weight.mid
        self.rests[index] = up(self.rests[index] + weight.rest + 2 * rounding)
        self.sizes[index] = sum_up(np.abs(row[: self.symbols]))

    def combined(self, coefficients: Doubles) -> tuple[Doubles, float]:
        """The parts of sum_x c_x W_x, and what its rests and its rounding come to."""
        parts = coefficients @ self._parts[:, : self.symbols]
        absolute = np.abs(coefficients)
        rounding = gamma(len(coefficients) + 1) * sum_up(absolute * self.sizes)
        return parts, up(rounding + sum_up(absolute * self.rests))

    @property
    def radii(self) -> Doubles:
        """How far each W_x may be off."""
        return (self.sizes + self.rests) * (1 + 4 * UNIT)


class ProvedMasses:
    """U_x^T E U_x for all points: midpoints, and each one with its errors where it is asked for."""

    def __init__(self, frame: ProvedFrame, parts: list[tuple[ProvedForm, Resolvent]]) -> None:
        self._frame = frame
        self._parts = parts
        self._known: dict[int, Tracked] = {}
        self._history = parts[0][0].history
        frame.totals.at(self._history)
        pool = frame.pool
        self.mids = np.asarray(sum(part.masses[:pool] for _, part in parts))
        sizes = sum(part.epsilon * part.sizes[:pool] for _, part in parts)
        self.errors = np.asarray(sizes * (1 + 2.0**-40) + UNIT * len(parts) * np.abs(self.mids))
        self._thetas = [self._theta(form, part) for form, part in parts]

    def __len__(self) -> int:
        return len(self.mids)

    def __getitem__(self, index: int) -> Tracked:
        if index not in self._known:
            self._known[index] = self._mass(index)
        return self._known[index]

    @property
    def radii(self) -> Doubles:
        """How far each of the midpoints may be from the true mass."""
        return np.asarray((self.errors * (1 + self._drift) + self._drift * self.mids) * 1.01)

    def _theta(self, form: ProvedForm, part: Resolvent) -> float:
        """By how much the true form may differ from that of the midpoints, relatively."""
        totals = self._frame.totals
        radii = totals.radii
        by_trace = sum_up(radii * part.sizes) * (1 + 2 * part.epsilon)
        there = totals.mids > 0
        ratio = float((radii[there] / totals.mids[there]).max(initial=0.0)) * (1 + 2.0**-30)
        along = form.along
        by_ratio = ratio * (1 + abs(along.mid) * part.norm)
        moved = by_trace if form.along is not form.shift else min(by_trace, by_ratio)
        theta = up(along.radius * part.norm + moved)
        if not theta < 0.25:
            raise Undecided
        return theta

    @property
    def doubt(self) -> float:
        """How far any partial sum of the midpoints may be from that of the true masses."""
        whole = sum_up(np.abs(self.mids)) + sum_up(self.errors)
        return up(sum_up(self.errors) + (self._drift + gamma(len(self.mids))) * whole)

    @property
    def _drift(self) -> float:
        """By how much the true masses may differ from those at the midpoints, relatively."""
        worst = max(self._thetas)
        return up(worst / (1 - worst))

    def _mass(self, index: int) -> Tracked:
        known = self.errors[index]
        pieces = []
        for form, part in self._parts:
            scale = float(part.sizes[index])
            pieces.append(
                (form, part, part.products(index) ** 2, float(part.squares[index]), scale)
            )
        return self._followed(float(self.mids[index]), float(known), pieces, 3.0)

    def sum(self) -> Tracked:
        """The sum of all masses, Tr(H E)."""
        count = len(self.mids)
        known = sum_up(self.errors) + gamma(count) * sum_up(np.abs(self.mids))
        pieces = []
        for form, part in self._parts:
            trace = float(part.squares[:count].sum())
            pieces.append((form, part, part.squares, trace, sum_up(part.sizes[:count])))
        return self._followed(float(self.mids.sum()), up(known), pieces, 0.0)

    def _followed(
        self,
        mid: float,
        known: float,
        pieces: list[tuple[ProvedForm, Resolvent, Doubles, float, float]],
        products: float,
    ) -> Tracked:
        """A sum of masses, with dt and dW_x to first order; `known` is the error of `mid`.

        Each piece has the coefficients of W_x and of t, and the h of the sum of masses. The
        coefficients are off by 3 epsilon h_x h if they are squared products, or by
        square_error h_x if they are not.
        """
        totals = self._frame.totals
        totals.at(self._history)
        parts: Doubles = np.zeros(self._frame.symbols)
        rest = known
        for (form, part, by_weight, by_shift, scale), theta in zip(
            pieces, self._thetas, strict=True
        ):
            along = form.along
            by_point, loose = totals.combined(by_weight)
            parts[: len(by_point)] -= form.factor * by_point
            parts[: len(along.parts)] -= by_shift * along.parts
            off = 1.01 * part.square_error
            weighted = sum_up(totals.radii * part.sizes)
            rest += (
                loose
                + abs(by_shift) * along.rest
                + (products * part.epsilon * scale if products else off) * weighted
                + (off * scale + gamma(len(self.mids) + 4) * abs(by_shift)) * along.radius
                + 4 * UNIT * sum_up(np.abs(by_point))
                + theta * theta / (1 - theta) * scale * (1 + part.epsilon)
            )
        return Tracked(mid, parts, up(rest + UNDERFLOW))


class ProvedFrame:
    """The points of kernel ridge regression, rounded to doubles with a bound."""

    def __init__(self, isometry: Isometry) -> None:
        entries = np.array([[float(x) for x in row] for row in isometry.rows.tolist()])
        self.size, self.dimension = entries.shape
        # Each entry is known up to 2^-64 of the largest one, and then rounded, perhaps downwards.
        error = 2 * UNIT + 2.0**-ROW_BITS * float(np.sqrt(self.dimension)) * 1.01
        self._rows = Rows(entries, up(error))
        self._empty = History(None, -1, _NOTHING)
        self.totals = Totals(self.size, self._empty)
        self.symbols = 0
        self._bases: dict[tuple[float, float], tuple[History, ProvedBasis]] = {}
        self.pool: int | None = None
        self.gram = ProvedForm(self, Tracked(1.0), _NOTHING, 0.0, self._empty)

    def zero(self) -> ProvedForm:
        """A_0."""
        return ProvedForm(self, _NOTHING, _NOTHING, 1.0, self._empty)

    def leading_gram(self, count: int) -> ProvedForm:
        """D for the first `count` points: from now on H is D, and masses are those of X_1."""
        self.pool = count
        return ProvedForm(self, _NOTHING, Tracked(1.0), 0.0, self._empty)

    def outer_product(self, index: int) -> PointForm:
        """U U^T."""
        return PointForm(index, Tracked(1.0))

    def _symbol(self) -> int:
        self.symbols += 1
        return self.symbols - 1

    def taking(self, form: ProvedForm, point: PointForm) -> History:
        """One more point."""
        return History(form.history, point.index, point.weight.with_symbol(self._symbol()))

    def resolvent(self, form: ProvedForm) -> Resolvent:
        """F^-1, at the midpoints; from a basis computed anew where the last one does not do."""
        # An eigenbasis serves both signs and every shift; a tilted basis does not.
        key = (0.0, 0.0) if self.pool is None else (form.factor, form.shift.mid)
        if key in self._bases:
            start, basis = self._bases[key]
            taken = form.history.since(start)
            if taken is not None and 2 * len(taken) < min(2 * POINTS, self.dimension):
                weights = np.array([each.weight.mid for each in taken])
                indices = [each.index for each in taken]
                with suppress(Undecided):
                    return resolvent(basis, form.along.mid, form.factor, indices, weights)
        basis = self._basis(form)
        self._bases[key] = form.history, basis
        return resolvent(basis, form.along.mid, form.factor, [], np.zeros(0))

    def _basis(self, form: ProvedForm) -> ProvedBasis:
        """A basis at this very form."""
        self.totals.at(form.history)
        weights = self.totals.mids
        if self.pool is None:
            return upright_basis(self._rows, weights)
        return tilted_basis(self._rows, self.pool, form.shift, form.along.mid, form.factor, weights)

    def evaluate(self, bracket: Bracket) -> tuple[Tracked, ProvedMasses]:
        """Tr(E) and the masses."""
        masses = ProvedMasses(self, [(form, self.resolvent(form)) for form in bracket.forms])
        return masses.sum().with_symbol(self._symbol()), masses

    def coordinate(self, index: int, column: int) -> Tracked:
        """One coordinate."""
        entry = float(self._rows.entries[index, column])
        return Tracked(entry, rest=up(self._rows.error * norm_up(self._rows.entries[index])))

    def solve(self, form: object, right: object) -> list[Tracked]:
        """Left to balls."""
        raise Undecided

    def lift(self, solution: object) -> list[Tracked]:
        """Left to balls."""
        raise Undecided


@dataclass(frozen=True, slots=True)
class ProvedDoubleArithmetic:
    """Doubles whose every decision is proved, for kernel data; where none is, balls are next."""

    name: str = "proved double"
    precision: int = 53
    rigorous: bool = True

    def working(self) -> AbstractContextManager[object]:
        """Products of matrices on one processor: threads that fight take longer."""
        return one_blas_thread()

    def doubled(self) -> Any:
        """Balls."""
        return BallArithmetic()

    def scalar(self, value: Fraction) -> Tracked:
        """Rounded once."""
        try:
            mid = float(value)
        except OverflowError:
            raise Undecided from None
        exact = Fraction(mid) == value
        return Tracked(mid, rest=0.0 if exact else up(UNIT * abs(mid) + UNDERFLOW))

    def root(self, value: Fraction) -> Tracked:
        """The root of a double that is off by one rounding is so, too, and is rounded again."""
        mid = math.sqrt(self.scalar(value).mid)
        return Tracked(mid, rest=up(2 * UNIT * mid + 2.0**-480))

    def enclosure(self, value: Tracked) -> Enclosure:
        """The ends, exactly."""
        return value.enclosure

    def frame(self, data: Dataset) -> ProvedFrame:
        """The points, whitened in balls."""
        if not isinstance(data, KernelData):
            raise Undecided
        return ProvedFrame(data.isometry(ROW_BITS))

    def inverse(self, form: ProvedForm) -> Bracket:
        """Not computed yet."""
        return Bracket((form,))

    def less(self, first: Tracked, second: Tracked) -> Verdict:
        """Decided when the difference is not zero for certain."""
        difference = first - second
        if difference.mid < -difference.radius:
            return HOLDS
        if difference.mid >= difference.radius:
            return FAILS
        return undecided(Fraction(2 * difference.radius))

    def positive_definite(self, form: ProvedForm) -> Verdict:
        """Proved where the inverse is, and stays so for all that the form may be."""
        try:
            ProvedMasses(form.frame, [(form, form.frame.resolvent(form))])
        except Undecided:
            return undecided()
        return HOLDS

    def locate(self, masses: Masses[Tracked], total: Tracked, interval: UnitInterval) -> int | None:
        """Where the target certainly falls between two partial sums."""
        if isinstance(masses, ProvedMasses):
            mids, doubt = masses.mids, masses.doubt
        else:
            mids = np.array([masses[index].mid for index in range(len(masses))])
            radii = np.array([masses[index].radius for index in range(len(masses))])
            doubt = up(sum_up(radii) + gamma(len(masses)) * sum_up(np.abs(mids)))
        first = interval.numerator / interval.denominator
        last = (interval.numerator + interval.width) / interval.denominator
        low = first * (total.mid - total.radius) * (1 - 8 * UNIT)
        high = last * (total.mid + total.radius) * (1 + 8 * UNIT)
        sums = np.cumsum(mids)
        index = int(np.searchsorted(sums, low, side="right"))
        doubt *= 1 + 2.0**-30
        slack = doubt + 2 * UNIT * high
        if index == len(sums) or not sums[index] - slack > high:
            return None
        if index and not sums[index - 1] + slack <= low:
            return None
        return index
