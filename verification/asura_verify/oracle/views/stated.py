"""Every step judged from the state that the trace reports, so that no step depends on another.

Doubles with proved bounds decide almost all steps, a block at a time; a step that they do not
decide is computed in balls, and so is every step of a precision beyond theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb, arb_mat, ctx

from asura.errors import Undecided
from asura.scalars import rational
from asura.trace import IterationLine, trace_scalar
from asura_verify.oracle.trace.values import SPARE_BITS, Raw, number
from asura_verify.oracle.truth.allowance import GROSS, Defects
from asura_verify.oracle.truth.stated import (
    Bounds,
    Grant,
    Norms,
    StatedTruth,
    defect,
    given_rows,
    isometric_rows,
    longest_terms,
)
from asura_verify.oracle.views.court import placed
from asura_verify.oracle.views.decisions import judge_pick, judge_stop
from asura_verify.oracle.views.in_doubles import InDoubles
from asura_verify.oracle.views.judging import Stating
from asura_verify.oracle.views.one_whitening import OneWhitening
from asura_verify.oracle.views.relations import Exact, tiniest
from asura_verify.oracle.views.reported_state import JudgedLine


class NeedsReplay(Undecided):
    """A line does not report its state: the whole run has to be replayed."""


def reports_state(line: IterationLine) -> bool:
    """Whether a step can be judged from what its line and those before report."""
    return None not in (line.u, line.l, line.phi, line.weight)


class Interval:
    """What an honest value may be: by methods that show something, and by all."""

    def __init__(self, true: arb, near: tuple[arb, arb], far: tuple[arb, arb]) -> None:
        self.true, self.near, self.far = true, near, far

    @property
    def shows(self) -> bool:
        """Whether a mistake of a sixteenth would be seen."""
        low, high = self.near
        return bool(high - low < 2 * GROSS * abs(self.true))


class Stated:
    """The data-dependent part of a judge, for traces that report their state."""

    def __init__(self, judge: Stating) -> None:
        self._judge = judge
        self.bits = min(ctx.prec, judge.precision + SPARE_BITS)
        self._grant, rows = self._whitened()
        self.truth = StatedTruth(rows)
        self._written = arb(2) ** (2 - judge.precision)
        self._tiny = arb(tiniest(judge.precision))
        self._gamma = judge.replay.gamma
        self._doubles = InDoubles(judge, self._grant, self.truth)
        self._once = OneWhitening(judge, self._grant, rows)
        # The last pick, if its weight is wrong: what would make it right. A program may have gone
        # on with the right one, and only written another.
        self._doubtful: tuple[int, arb] | None = None
        self._mended = False  # some weight is not the reported one: looks are of another state
        self.lost = False  # the state is not between its barriers
        self._defects: Defects | None = None  # of the last line that was computed in balls

    def _whitened(self) -> tuple[Grant, arb_mat]:
        """The points as whitened: by the reported whitening if there is one, which is judged."""
        judge = self._judge
        data, known, given = judge.data, judge.allowance.conditioning, judge.header.whitening
        free = Grant(judge.precision, known, data.size)
        if given is None:
            return free, isometric_rows(data.whitened)
        whitening = [[trace_scalar(x) for x in row] for row in given]
        rows = given_rows(data, whitening)
        off, allowed = defect(rows), free.whitening()
        judge.count("whitening")
        judge.observe("whitening", off / allowed)
        if off > allowed:
            judge.accuse(
                1, None, "whitening", given, "0", f"{allowed:.3g}", off / allowed, allowed,
                f"U^T U is off from 1 by {off:.3g}",
            )  # fmt: skip
            return free, isometric_rows(data.whitened)
        if off >= GROSS or off > free.kept_whitening():
            judge.leave_open("whitening")
        terms = longest_terms(data, whitening)
        return Grant(judge.precision, known, data.size, terms=terms, defect=off), rows

    @property
    def granted(self) -> float:
        """The largest allowance of a mass so far, by the methods that explain all values."""
        widest = self._doubles.beyond if self._judge.unexplained else 0.0
        return max(self._doubles.granted, widest)

    def finish(self) -> None:
        """After the last iteration."""
        self._once.finish()

    # -- blocks ------------------------------------------------------------------------------

    def block(self, lines: Sequence[tuple[int, IterationLine]]) -> list[JudgedLine]:
        """Judge some lines, in order."""
        judge = self._judge
        certain, looks, defects = self._doubles.certain(lines)
        judged_lines = []
        for k, (number_of_line, line) in enumerate(lines):
            reach = judge.reach
            if not judge.halted:
                self._line(number_of_line, line, defects[k] if certain[k] else None)
            upper = float(judge.replay.upper)
            known = looks[k] if certain[k] and not self._mended else None
            open_, halted = judge.stop_open, judge.halted
            judged_lines.append(
                JudgedLine(judge.spread, reach, upper, open_, halted, 0.0, self.granted, known)
            )
        self._once.block(lines)
        return judged_lines

    def _line(self, number_of_line: int, line: IterationLine, defects: Defects | None) -> None:
        """One line; the defects are known where doubles have decided it."""
        judge, j = self._judge, line.j
        now = Exact.of(line)
        judge_stop(judge, number_of_line, j, 0.0, judge.relations.clock(now), ended=False)
        allowed, widest = (
            grant(j, judge.spread, 1.0) for grant in (judge.allowance.at, judge.allowance.widest)
        )
        judge.barriers(number_of_line, j, line, now, allowed, widest)
        wrong: set[str] = set()
        potential, weight = number(line.phi or 0), number(line.weight or 0)
        upper, lower, mass = number(line.u or 0), number(line.l or 0), arb(0)
        judge.reach = min(judge.reach, judge.allowance.conditioning.leverages[line.index])
        if defects is not None:
            judge.count("phi")
            judge.count("p", line.p is not None)
            judge.count("probabilities", len(line.probabilities or ()))
            judge.count("index", judge.uniforms is not None)
            judge.spread = max(
                judge.spread, float(potential * (upper - lower)) / (4 * self.truth.dimension)
            )
        elif not self.lost:
            with ctx.workprec(self.bits):
                wrong, potential, mass = self._slowly(number_of_line, line, upper, lower)
            defects = self._defects
        if defects is not None and not wrong and not self.lost:
            tied = judge.relations.chances(judge, number_of_line, line, now, defects)
            if not tied.get("weight", True):
                wrong.add("weight")
                mass = number(line.p or 0) * potential
        self._doubtful = None
        if "weight" in wrong and mass > 0:
            self._doubtful = line.index, self._gamma / mass - weight
        judge.count("weight")
        judge.relations.remember(now, wrong)
        replay = judge.replay
        judge.shares.append(replay.gamma / potential)
        judge.picks.append(line.index)
        judge.weights.append(weight if self._doubtful is None else weight + self._doubtful[1])
        replay.upper = upper + replay.upper_rate / potential
        replay.lower = lower + replay.lower_rate / potential
        replay.potential_sum += potential
        if not judge.halted:
            self.truth.add(line.index, weight)

    # -- one step in balls -------------------------------------------------------------------

    def _slowly(
        self, number_of_line: int, line: IterationLine, upper: arb, lower: arb
    ) -> tuple[set[str], arb, arb]:
        """One step; returns what is wrong, the true potential, and the mass of the pick."""
        judge, truth, j = self._judge, self.truth, line.j
        state = self._state(number(line.phi or 0), upper, lower)
        if state is None:
            self.lost = True
            if self._doubles.hopeless:  # so the weights may be of any size
                judge.leave_unexplained(j, "u")
                judge.halted, judge.doubted = True, 1.0
            else:
                judge.accuse(
                    number_of_line, j, "u", line.u, "above A", "", None, 0.0,
                    "the state that the trace reports is not between its barriers",
                )  # fmt: skip
            return {"phi", "weight"}, number(line.phi or 1), arb(0)
        potential, masses, norms = state
        judge.spread = max(judge.spread, float(potential * (upper - lower)) / (4 * truth.dimension))
        bounds = self._grant.bounds(norms)
        (self._defects,) = self._grant.defects(norms)
        self._doubles.heed(bounds, norms)
        total = self._potential(potential, bounds)
        wrong: set[str] = set()
        if not self._value(number_of_line, j, "phi", line.phi, total):
            wrong.add("phi")
        energy = arb(float(norms.both[0]))
        mass = self._mass(masses[line.index], energy, bounds)
        if line.p is not None and not self._value(
            number_of_line, j, "p", line.p, self._chance(mass, total)
        ):
            wrong.add("p")
        if line.probabilities is not None:
            self._probabilities(number_of_line, line, masses, energy, bounds, total, wrong)
        if judge.replay.vanishes(line.index):
            judge.count("index")
            judge.accuse(
                number_of_line, j, "index", line.index, "0", "0", None, 0.0,
                "this point has probability 0 and can never be picked",
            )  # fmt: skip
            judge.halted = True
            return wrong | {"weight"}, potential, arb(0)
        if line.p is None or number(line.p) <= 0 or wrong:  # no relation with p judges the weight
            low, high = mass.near
            far = mass.far
            around = Interval(
                self._gamma / mass.true,
                (self._gamma / high, self._gamma / low if low > 0 else arb("inf")),
                (
                    self._gamma / far[1] if far[0].is_finite() else far[0],
                    self._gamma / far[0] if far[0] > 0 else arb("inf"),
                ),
            )
            if not self._value(number_of_line, j, "weight", line.weight, around, counted=False):
                wrong.add("weight")
        if judge.uniforms is not None:
            ends = sum(masses[: line.index], arb(0)), masses[line.index], potential
            uniform = judge.uniforms.values[j]
            allowed, widest = (self._summed(bounds, norms, near=near) for near in (True, False))
            slack, target = potential * allowed, potential * arb(rational(uniform))
            reported = self._by_report(line, wrong)
            if reported and not ends[0] + slack <= target < ends[0] + ends[1] - slack:
                ends, allowed = reported
                widest = allowed
            judge_pick(judge, number_of_line, line, ends, uniform, allowed, widest)
        if judge.session is not None:
            chances = np.array([float(x) for x in masses])
            judge.doubted = max(judge.doubted, self._summed(bounds, norms, near=True))
            judge.session.draw(chances / chances.sum(), line.index)
        return wrong, potential, masses[line.index]

    def _by_report(
        self, line: IterationLine, wrong: set[str]
    ) -> tuple[tuple[arb, arb, arb], float] | None:
        """The ends of a pick by the probabilities that the line itself reports.

        They are summed with a rounding each, and may or may not be divided by their sum.
        """
        if line.probabilities is None or "probabilities" in wrong:
            return None
        chances = [number(raw) for raw in line.probabilities]
        before, total = sum(chances[: line.index], arb(0)), sum(chances, arb(0))
        off = (2 * len(chances) + 8) * self._grant.unit + abs(float(total) - 1)
        return (before, chances[line.index], total), off

    def _state(self, phi: arb, upper: arb, lower: arb) -> tuple[arb, list[arb], Norms] | None:
        """The reported state, or the one without the slips just seen if that explains phi."""
        right = self._judge.relations.corrected
        mended = (
            arb(right["u"]) if "u" in right else upper,
            arb(right["l"]) if "l" in right else lower,
        )
        sides = [(upper, lower)] + ([mended] if right else [])
        slips = [None] + ([self._doubtful] if self._doubtful else [])
        first = None
        for slip in slips:
            if slip is not None:
                self.truth.correct(*slip)
            for side in sides:
                try:
                    state = self.truth.exactly(*side)
                except Undecided:
                    continue
                first = state if first is None else first
                low, high = self._potential(state[0], self._grant.bounds(state[2])).far
                if low <= phi <= high:
                    self._mended = self._mended or slip is not None
                    return state
        if self._doubtful is not None:
            self.truth.correct(self._doubtful[0], -self._doubtful[1])
        return first

    def _summed(self, bounds: Bounds, norms: Norms, *, near: bool) -> float:
        """How far a sum of probabilities may be off: by Cauchy and Schwarz over the points."""
        size = self.truth.size
        theta, tau = (
            (bounds.near_theta, bounds.near_tau) if near else (bounds.far_theta, bounds.far_tau)
        )
        light = float(tau[0] * np.sqrt(norms.both[0] * size / norms.potential[0]))
        share = float(theta[0] + bounds.rho[0])
        if not bounds.shows[0] or share >= GROSS:
            return 1.0
        return min(1.0, 4 * share + 2 * light + light * light + size * self._grant.unit)

    def _around(self, theta: float, rho: float) -> tuple[arb, arb]:
        """The factors (1 - rho)/(1 + theta) and (1 + rho)/(1 - theta).

        From theta or rho = 1 on, forms may be indefinite, and values of any size and sign.
        """
        if not (theta < 1 and rho < 1):
            return arb("-inf"), arb("inf")
        low, high = (1 - arb(rho)) / (1 + arb(theta)), (1 + arb(rho)) / (1 - arb(theta))
        return low * (1 - self._written), high * (1 + self._written)

    def _potential(self, potential: arb, bounds: Bounds) -> Interval:
        rho = float(bounds.rho[0])
        near = self._around(float(bounds.near_theta[0]), rho)
        far = self._around(float(bounds.far_theta[0]), rho)
        if not bounds.shows[0]:
            near = arb(0), arb("inf")
        return Interval(
            potential,
            (potential * near[0], potential * near[1]),
            (potential * far[0], potential * far[1]),
        )

    def _mass(self, mass: arb, energy: arb, bounds: Bounds) -> Interval:
        rho, root = float(bounds.rho[0]), mass.max(arb(0)).sqrt()
        ends = []
        for theta, tau in (
            (bounds.near_theta[0], bounds.near_tau[0]),
            (bounds.far_theta[0], bounds.far_tau[0]),
        ):
            low, high = self._around(float(theta), rho)
            if not low.is_finite():
                ends.append((low, high))
                continue
            reach = arb(float(tau)) * energy.sqrt()
            least = (root - reach).max(arb(0))
            ends.append((least * least * low, (root + reach) ** 2 * high + self._tiny * 64))
        if not bounds.shows[0]:
            ends[0] = arb(0), arb("inf")
        return Interval(mass, ends[0], ends[1])

    def _chance(self, mass: Interval, total: Interval) -> Interval:
        """p = mass/phi."""

        def over(low: arb, high: arb) -> arb:
            if not low.is_finite():
                return low
            return low / high if high > 0 and high.is_finite() else arb(0)

        def under(high: arb, low: arb) -> arb:
            return high / low if low > 0 and high.is_finite() else arb("inf")

        return Interval(
            mass.true / total.true,
            (over(mass.near[0], total.near[1]), under(mass.near[1], total.near[0]) + self._tiny),
            (over(mass.far[0], total.far[1]), under(mass.far[1], total.far[0]) + self._tiny),
        )

    def _probabilities(
        self,
        number_of_line: int,
        line: IterationLine,
        masses: list[arb],
        energy: arb,
        bounds: Bounds,
        total: Interval,
        wrong: set[str],
    ) -> None:
        """All n of them; the list is left open when what is open in it carries a sixteenth."""
        open_ = 0.0
        for i, (raw, mass) in enumerate(zip(line.probabilities or (), masses, strict=True)):
            chance = self._chance(self._mass(mass, energy, bounds), total)
            if not self._value(
                number_of_line, line.j, "probabilities", raw, chance, place=i, listed=True
            ):
                wrong.add("probabilities")
            inside = chance.near[0] <= number(raw) <= chance.near[1]
            open_ += 0.0 if chance.shows and inside else float(chance.true)
        if open_ >= GROSS and "probabilities" not in wrong:
            self._judge.leave_open("probabilities", len(masses))

    def _value(
        self,
        line: int,
        j: int,
        field: str,
        raw: Raw | None,
        interval: Interval,
        *,
        place: int | None = None,
        listed: bool = False,
        counted: bool = True,
    ) -> bool:
        """Judge one value; whether it is right."""
        if raw is None:
            return True
        judge = self._judge
        judge.count(field, counted)
        given = number(raw)
        low, high = interval.far
        true = interval.true
        side = high - true if given > true else true - low
        error = abs(given - true)
        if given < low or given > high:
            gap = float(error / side) if side > 0 else None
            judge.accuse(
                line, j, placed(field, place), raw, low, high, gap,
                float(side / abs(true)) if abs(true) > 0 else 0.0,
                "does not follow from the state that the trace reports",
            )  # fmt: skip
            return False
        if side.is_finite():
            judge.note(field, error, side)
        inside = bool(interval.near[0] <= given <= interval.near[1])
        if not inside:
            judge.leave_unexplained(j, placed(field, place))
        if not listed and not (inside and interval.shows):
            judge.leave_open(field)
        return True
