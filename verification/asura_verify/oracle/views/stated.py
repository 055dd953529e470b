"""Every step judged from the state that the trace reports, so that no step depends on another.

Doubles with proved bounds decide almost all steps, a block at a time; a step that they do not
decide is computed in balls, and so is every step of a precision beyond theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx

from asura.errors import Undecided
from asura.scalars import rational
from asura.trace import IterationLine
from asura_verify.oracle.trace.values import SPARE_BITS, Raw, number
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.truth.stated import UNIT, Bounds, Doubles, Grant, Norms, Seen, StatedTruth
from asura_verify.oracle.views.court import placed
from asura_verify.oracle.views.decisions import judge_pick, judge_stop
from asura_verify.oracle.views.relations import Exact, tiniest
from asura_verify.oracle.views.witness import Hint, Look

if TYPE_CHECKING:
    from asura_verify.oracle.views.judge import Judge

#: The roundings of an interval's own ends, in doubles.
_SLIGHT = 32 * UNIT


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

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.bits = min(ctx.prec, judge.precision + SPARE_BITS)
        self.truth = StatedTruth(judge.data.whitened)
        known = judge.allowance.conditioning
        self._grant = Grant(judge.precision, known, self.truth.size)
        self._written = arb(2) ** (2 - judge.precision)
        self._tiny = arb(tiniest(judge.precision))
        self._gamma = judge.replay.gamma
        self.granted = 0.0  # the largest allowance of a mass so far
        # The last pick, if its weight is wrong: what would make it right. A program may have gone
        # on with the right one, and only written another.
        self._doubtful: tuple[int, arb] | None = None
        self.lost = False  # the state is not between its barriers

    # -- blocks ------------------------------------------------------------------------------

    def block(self, lines: Sequence[tuple[int, IterationLine]]) -> list[Hint]:
        """Judge some lines, in order."""
        judge = self._judge
        certain, looks = self._certain(lines)
        hints = []
        for k, (number_of_line, line) in enumerate(lines):
            reach = judge.reach
            if not judge.halted:
                self._line(number_of_line, line, certain=certain[k])
            upper, known = float(judge.replay.upper), looks[k] if certain[k] else None
            open_, halted = judge.stop_open, judge.halted
            hints.append(Hint(judge.spread, reach, upper, open_, halted, 0.0, self.granted, known))
        return hints

    def _line(self, number_of_line: int, line: IterationLine, *, certain: bool) -> None:
        judge, j = self._judge, line.j
        now = Exact.of(line)
        judge_stop(judge, number_of_line, j, 0.0, judge.relations.clock(now), ended=False)
        judge.barriers(number_of_line, j, line, now, judge.allowance.at(j, judge.spread, 1.0))
        wrong: set[str] = set()
        potential, weight = number(line.phi or 0), number(line.weight or 0)
        upper, lower, mass = number(line.u or 0), number(line.l or 0), arb(0)
        judge.reach = min(judge.reach, judge.allowance.conditioning.leverages[line.index])
        if certain:
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
        if not wrong and not self.lost:
            defect = judge.allowance.defect(j, judge.spread)
            tied = judge.relations.chances(judge, number_of_line, line, now, defect)
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
            judge.accuse(
                number_of_line, j, "u", line.u, "above A", "", None, 0.0,
                "the state that the trace reports is not between its barriers",
            )  # fmt: skip
            return {"phi", "weight"}, number(line.phi or 1), arb(0)
        potential, masses, norms = state
        judge.spread = max(judge.spread, float(potential * (upper - lower)) / (4 * truth.dimension))
        bounds = self._grant.bounds(norms)
        self._heed(bounds, norms.both, norms.potential)
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
        if line.p is None or wrong:
            low, high = mass.near
            far = mass.far
            around = Interval(
                self._gamma / mass.true,
                (self._gamma / high, self._gamma / low if low > 0 else arb("inf")),
                (self._gamma / far[1], self._gamma / far[0] if far[0] > 0 else arb("inf")),
            )
            if not self._value(number_of_line, j, "weight", line.weight, around, counted=False):
                wrong.add("weight")
        if judge.uniforms is not None:
            ends = sum(masses[: line.index], arb(0)), masses[line.index], potential
            uniform = judge.uniforms.values[j]
            allowed = self._summed(bounds, norms, near=True)
            slack, target = potential * allowed, potential * arb(rational(uniform))
            if not ends[0] + slack <= target < ends[0] + ends[1] - slack:
                ends, allowed = self._by_report(line, wrong) or (
                    ends,
                    self._summed(bounds, norms, near=False),
                )
            judge_pick(judge, number_of_line, line, ends, uniform, allowed)
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
                    return state
        if self._doubtful is not None:
            self.truth.correct(self._doubtful[0], -self._doubtful[1])
        return first

    def _heed(self, bounds: Bounds, both: Doubles, potential: Doubles) -> None:
        """Remember what is granted, for whoever makes balls of the values."""
        light = bounds.near_tau * np.sqrt(both * self.truth.size / potential)
        share = 4 * (bounds.near_theta + bounds.rho) + 2 * light + light**2
        granted = np.where(bounds.shows, share, 1.0)
        self.granted = max(self.granted, float(np.max(granted)))

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
        """The factors (1 - rho)/(1 + theta) and (1 + rho)/(1 - theta)."""
        low = (1 - arb(rho)) / (1 + arb(theta)) if rho < 1 else arb(0)
        high = (1 + arb(rho)) / (1 - arb(theta)) if theta < 1 else arb("inf")
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
            reach = arb(float(tau)) * energy.sqrt()
            least = (root - reach).max(arb(0))
            ends.append((least * least * low, (root + reach) ** 2 * high + self._tiny * 64))
        if not bounds.shows[0]:
            ends[0] = arb(0), arb("inf")
        return Interval(mass, ends[0], ends[1])

    def _chance(self, mass: Interval, total: Interval) -> Interval:
        """p = mass/phi."""

        def over(low: arb, high: arb) -> arb:
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
        inside = interval.near[0] <= given <= interval.near[1]
        if not listed and not (inside and interval.shows):
            judge.leave_open(field)
        return True

    # -- many steps in doubles ---------------------------------------------------------------

    def _certain(
        self, lines: Sequence[tuple[int, IterationLine]]
    ) -> tuple[Sequence[bool], Sequence[Look]]:
        """Which steps are certainly right and decided, and what was seen of every one."""
        judge = self._judge
        nothing: Sequence[bool] = [False] * len(lines)
        if judge.precision > 53 or self.lost or judge.session is not None:
            return nothing, ()
        try:
            steps = [
                (line.j, line.index, _double(line.u), _double(line.l), _double(line.weight))
                for _, line in lines
            ]
            with np.errstate(all="ignore"):  # what is not finite is not certain
                seen = self.truth.look(steps)
                return (nothing, ()) if seen is None else self._decided(lines, seen)
        except (TypeError, OverflowError):  # a value that is no double
            return nothing, ()

    def _decided(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen
    ) -> tuple[Sequence[bool], Sequence[Look]]:
        judge = self._judge
        bounds = self._grant.bounds(seen.norms)
        self._heed(bounds, seen.norms.both, seen.norms.potential)
        each, index = np.arange(len(lines)), np.array([line.index for _, line in lines])
        first = seen.masses[:, : judge.data.unlabelled]
        doubt = seen.masses_off[:, : judge.data.unlabelled].sum(axis=1)
        total = first.sum(axis=1)
        columns = (
            seen.potential, seen.potential_off,
            seen.masses[each, index], seen.masses_off[each, index],
            seen.above, seen.above_off, total, doubt + self.truth.size * UNIT * np.abs(total),
        )  # fmt: skip
        looks: list[Look] = list(zip(*(column.tolist() for column in columns), strict=True))
        return self._inside(lines, seen, bounds).tolist(), looks

    def _inside(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen, bounds: Bounds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether all of a line lies within the near ends, with room for what doubles are off."""
        judge = self._judge
        phi, off = seen.potential, seen.potential_off
        written = 4 * self._grant.unit
        lowest = (1 - bounds.rho) / (1 + bounds.near_theta) * (1 - written) * (1 + _SLIGHT)
        highest = (1 + bounds.rho) / (1 - bounds.near_theta) * (1 + written) * (1 - _SLIGHT)
        least, most = (phi + off) * lowest, (phi - off) * highest
        given = np.array([_double(line.phi) for _, line in lines])
        fine = bounds.shows & (least <= given) & (given <= most)
        found = [("phi", given, phi, least, most)]
        reach = (bounds.near_tau * np.sqrt(seen.norms.both))[:, None]
        masses = np.maximum(seen.masses, 0)
        up = np.sqrt(masses + seen.masses_off)
        down = np.sqrt(np.maximum(masses - seen.masses_off, 0))
        low = np.maximum(up - reach, 0) ** 2 * lowest[:, None]
        high = (down + reach) ** 2 * highest[:, None]
        # By the true potential, which is at least and at most so large.
        low = low / ((phi - off) * highest)[:, None] * (1 + _SLIGHT)
        high = high / ((phi + off) * lowest)[:, None] * (1 - _SLIGHT)
        chances = masses / phi[:, None]
        shows = (high - low) < 2 * GROSS * chances * (1 - 1e-6)
        index = np.array([line.index for _, line in lines])
        each = np.arange(len(lines))
        if any(line.p is not None for _, line in lines):
            p = np.array(
                [_double(line.p, chances[k, line.index]) for k, (_, line) in enumerate(lines)]
            )
            floor, top = low[each, index], high[each, index]
            fine &= (floor <= p) & (p <= top) & shows[each, index]
            found.append(("p", p, chances[each, index], floor, top))
        listed = [line.probabilities for _, line in lines]
        if any(one is not None for one in listed):
            if None in listed:
                return np.zeros_like(fine)
            table = np.array([[_double(x) for x in one or ()] for one in listed])
            fine &= np.all((low <= table) & (table <= high), axis=1)
            fine &= np.sum(np.where(shows, 0.0, chances), axis=1) < GROSS * (1 - 1e-6)
            found.append(("probabilities", table, chances, low, high))
        fine &= masses[each, index] > 2 * seen.masses_off[each, index]
        if judge.uniforms is not None:
            fine &= self._picked(lines, seen, bounds, index)
        for field, *values in found:
            self._observe(field, *(value[fine] for value in values))
        return fine

    def _picked(
        self,
        lines: Sequence[tuple[int, IterationLine]],
        seen: Seen,
        bounds: Bounds,
        index: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether the uniform of every line certainly picks its point."""
        uniforms = self._judge.uniforms
        if uniforms is None:
            return np.ones(len(lines), dtype=np.bool_)
        size, each = self.truth.size, np.arange(len(lines))
        partial = np.cumsum(seen.masses, axis=1)
        total = partial[:, -1]
        doubt = np.sum(seen.masses_off, axis=1) * 2 + size * UNIT * total * 4
        light = bounds.near_tau * np.sqrt(seen.norms.both * size / seen.potential)
        share = 4 * (bounds.near_theta + bounds.rho) + 2 * light + light**2
        share = share + 2 * size * self._grant.unit
        slack = 1.001 * share * total + doubt
        target = np.array([float(uniforms.values[line.j]) for _, line in lines]) * total
        before = np.where(index > 0, partial[each, index - 1], 0.0)
        after = partial[each, index]
        inside: np.ndarray[tuple[int], np.dtype[np.bool_]] = before + slack <= target
        inside &= target < after - slack
        return inside

    def _observe(
        self, field: str, given: Doubles, true: Doubles, low: Doubles, high: Doubles
    ) -> None:
        """The largest error in units of its allowance."""
        with np.errstate(divide="ignore", invalid="ignore"):
            side = np.where(given > true, high - true, true - low)
            ratios = (np.abs(given - true) / side).ravel()
        self._judge.observe(field, float(np.max(ratios[np.isfinite(ratios)], initial=0.0)))


def _double(raw: Raw | None, absent: float = 0.0) -> float:
    """A JSON number, or an error."""
    if isinstance(raw, str):
        raise TypeError
    return absent if raw is None else float(raw)
