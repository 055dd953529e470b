"""Every step, judged by the whitening that some steps show; see `truth.one_whitening`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_mat, ctx

from asura.trace import IterationLine, trace_scalar
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.truth.one_whitening import (
    BEYOND,
    MOST_ENTRIES,
    STEADY,
    Measured,
    State,
    Whitening,
    deviations,
    fitted,
    gradients,
    measured,
    steps_to_measure,
    whitening,
)
from asura_verify.oracle.truth.stated import BLOCK, Doubles, Grant, StatedTruth
from asura_verify.oracle.views.judging import Stating
from asura_verify.oracle.views.relations import tiniest

#: The theorem is worth its time from this condition number on.
WORTH = 32.0
#: How many stretches of steps are tried, each half a stretch later: a slip may be in the first.
STRETCHES = 4
#: Steps that are proved wrong; more of them make no difference.
PROVED = 64

_Step = tuple[int, int, float, float, float]  # j, index, u, l, weight


@dataclass(frozen=True, slots=True)
class _Read:
    """Lines as doubles."""

    lines: list[tuple[int, IterationLine]]
    steps: list[_Step]
    states: list[State]
    shares: Doubles  # the probabilities divided by their sum
    phi: Doubles

    def part(self, where: slice) -> _Read:
        """Some of them."""
        return _Read(
            self.lines[where],
            self.steps[where],
            self.states[where],
            self.shares[where],
            self.phi[where],
        )


class OneWhitening:
    """Follows a trace that lists its probabilities, as long as nothing of it is wrong."""

    def __init__(self, judge: Stating, grant: Grant, rows: arb_mat) -> None:
        self._judge, self._grant = judge, grant
        self._size, self._dimension = rows.nrows(), rows.ncols()
        self._given: Doubles = np.array([[float(x) for x in row] for row in rows.tolist()])
        self._totals: Doubles = np.zeros(self._size)
        self._tiny = float(tiniest(judge.precision))
        self._waiting: list[tuple[int, IterationLine]] = []
        self._stretches = 0  # that were tried
        self._truth: StatedTruth | None = None
        self._known: Whitening | None = None
        self._quiet: float = 0.0  # the largest share of roundings in the steps that were measured
        self.proved = 0
        tau, cost = grant.orthogonal, judge.allowance.conditioning
        self._tau = tau or 0.0
        self.over = (
            tau is None  # the whitening is reported
            or max(cost.plain, cost.equilibrated) < WORTH
            or judge.precision > 53  # doubles say nothing about it
            or self._size * self._dimension > MOST_ENTRIES
        )

    def block(self, lines: Sequence[tuple[int, IterationLine]]) -> None:
        """Some lines that were judged by themselves."""
        if self.proved == 0 and self._judge.violated:
            self.over = True  # what follows from wrong values is another question
        if any(line.probabilities is None for _, line in lines):
            self.over = True
        if self.over:
            return
        self._waiting += lines
        try:
            with np.errstate(all="ignore"), ctx.workprec(max(ctx.prec, 128)):
                self._proceed()
        except (np.linalg.LinAlgError, OverflowError):
            self.over = True

    def _proceed(self) -> None:
        known = self._known or self._tried()
        while known is not None and self._waiting and not self.over:
            read = self._read(self._waiting[:BLOCK], self._totals)
            self._waiting = self._waiting[BLOCK:]
            found = self._look(read, known.zeta)
            if found is None:
                self.over = True
            else:
                self._judge_steps(known, read, found)

    # -- the steps that are measured ---------------------------------------------------------

    def _tried(self) -> Whitening | None:
        """The first stretch of steps that are quiet, if there is one."""
        count = steps_to_measure(self._dimension)
        while self._known is None and self._stretches < STRETCHES:
            start = self._stretches * (count // 2)
            if len(self._waiting) < start + count:
                break
            self._stretches += 1
            self._known = self._measured(slice(start, start + count))
        if self._known is None and self._stretches >= STRETCHES:
            self.finish()
        return self._known

    def finish(self) -> None:
        """No more steps are measured: doubt those that were tried, if none of them was quiet."""
        silent = self.over or self._known is not None
        self.over = True
        if not silent and self._stretches and not self._grant.squares_keep:
            # An orthogonal method has one whitening, and others lose more than was seen.
            self._doubt(self._waiting[0][1].j, "probabilities")

    def _measured(self, where: slice) -> Whitening | None:
        """Fit rows to a stretch of steps; if they are quiet, judge those before."""
        totals = self._totals.copy()
        read = self._read(self._waiting[: where.stop], totals)
        part = read.part(where)
        rows = fitted(self._given, part.states, part.shares)
        zeta = self._tau + BEYOND * float(np.linalg.norm(rows - self._given)) * 1.001
        if not zeta < 1:
            return None
        self._truth = StatedTruth(arb_mat(rows.tolist()))
        looks = [
            self._look(read.part(slice(k, min(k + BLOCK, where.stop))), zeta)
            for k in range(0, where.stop, BLOCK)
        ]
        seen = [look for look in looks if look is not None]
        if len(seen) < len(looks):
            return None
        found = joined(seen)
        chosen = found.part(where)
        # Rows that were moved far may explain a slip, but not up to roundings.
        if not np.all(np.abs(chosen.values) <= chosen.noise):
            return None
        _, slopes = deviations(rows, part.states, part.shares)
        known = whitening(rows, zeta, slopes, chosen)
        if known is not None:
            self._quiet = float(np.max(chosen.roundings))
            self._totals, self._waiting = totals, self._waiting[where.stop :]
            before = slice(0, where.start)
            self._judge_steps(known, read.part(before), found.part(before))
        return known

    def _read(self, lines: Sequence[tuple[int, IterationLine]], totals: Doubles) -> _Read:
        """Lines, from the sums of weights before them, to which theirs are added."""
        steps = [
            (line.j, line.index, _double(line.u), _double(line.l), _double(line.weight))
            for _, line in lines
        ]
        table = np.array([[_double(x) for x in line.probabilities or ()] for _, line in lines])
        states = []
        for _, index, upper, lower, weight in steps:
            states.append(State(totals.copy(), upper, lower))
            totals[index] += weight
        return _Read(
            list(lines), steps, states, table / table.sum(axis=1)[:, None],
            np.array([_double(line.phi) for _, line in lines]),
        )  # fmt: skip

    def _look(self, read: _Read, zeta: float) -> Measured | None:
        """Some steps at V, rigorously; their weights are added."""
        truth = self._truth
        if truth is None:
            return None
        seen = truth.look(read.steps)
        for _, index, _, _, weight in read.steps:
            truth.add(index, arb(weight))
        return None if seen is None else measured(self._grant, seen, read.shares, zeta, self._tiny)

    # -- the others --------------------------------------------------------------------------

    def _judge_steps(self, known: Whitening, read: _Read, found: Measured) -> None:
        """Look which steps deviate at all, and prove it of those."""
        floor = STEADY * known.loudest * np.maximum(1.0, found.roundings / self._quiet)
        suspect = ~np.all(np.abs(found.values) <= found.bounds + floor[:, None], axis=1)
        off = np.minimum(np.abs(found.potential - read.phi), np.abs(found.total - read.phi))
        suspect |= ~(off <= (found.potential_bound + floor) * found.total)
        for k in np.nonzero(suspect)[0].tolist():
            if self.proved < PROVED:
                here = slice(k, k + 1)
                self._prove(known, read.part(here), found.part(here), float(floor[k]))

    def _prove(self, known: Whitening, read: _Read, found: Measured, floor: float) -> None:
        """Doubt a step that no whitening explains which explains those that were measured."""
        (_, line), share, total = read.lines[0], read.shares[0], found.total[0]
        here = gradients(known.rows, read.states[0])
        whole = here.rows.sum(axis=0)
        slopes = (here.rows - share[:, None] * whole) / total
        bounds = found.bounds[0] + floor + known.unexplained(slopes, found.size[0])
        ratios = np.abs(found.values[0]) / bounds
        worst = int(np.argmax(ratios))
        if ratios[worst] > 1:
            self._doubt(line.j, f"probabilities[{worst}]")
            return
        # phi is a trace, or the sum of the masses.
        ways = []
        for true, slope in ((found.potential[0], here.trace), (total, whole)):
            moved = known.unexplained(slope[None, :] / total, found.size[0])[0]
            bound = (found.potential_bound[0] + floor + moved) * total
            ways.append(float(abs(true - read.phi[0]) / bound))
        if min(ways) > 1:
            self._doubt(line.j, "phi")

    def _doubt(self, j: int, field: str) -> None:
        self.proved += 1
        if self.proved == 1:  # this says more than that it is off
            text = f"{field} at j={j} does not follow from the whitening that other steps show"
            self._judge.unexplained = text


def joined(parts: Sequence[Measured]) -> Measured:
    """Blocks one after the other."""
    names = Measured.__slots__
    return Measured(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _double(raw: Raw | None) -> float:
    """A scalar, rounded to a double."""
    return raw if isinstance(raw, float) else float(trace_scalar(raw or 0))
