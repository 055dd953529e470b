"""The local view: each step recomputed from the state that the trace itself reports.

One early slip makes every later value differ from the true run; seen locally, the rest follows.
The reported state is exact, so that nothing accumulates and a few more bits than declared do.

A step that does not follow is no violation by itself: two values may each be within their
allowance of the true run, and yet too far from each other near a barrier.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_mat, ctx

from asura.definiteness import ball_positive_definite
from asura.errors import Undecided
from asura.trace import IterationLine
from asura_verify.oracle.judgement import SLUGS, LocalView, Violation
from asura_verify.oracle.trace.values import SPARE_BITS, Raw, abbreviated, number, shown
from asura_verify.oracle.views.reported_state import Look, ReportedState


@dataclass(frozen=True, slots=True)
class LocalStep:
    """What follows from the reported u, l and earlier weights, taken as exact."""

    upper: arb
    lower: arb
    accumulated: arb_mat | None  # B, where the state may not be between its barriers
    definite: bool  # whether l G < B < u G is certain
    potential: arb
    mass: arb  # of the picked point
    upper_mass: arb  # its part from (u G - B)^-1
    unlabelled_mass: arb  # of all points of X_1


class LocalJudge:
    """Follows the reported barriers and weights; made and called inside one precision scope."""

    def __init__(self, state: ReportedState) -> None:
        self._state = state
        # Enough for the condition of the state, and for the sum of the steps.
        self.bits = min(ctx.prec, state.precision + SPARE_BITS)
        self._summed = arb_mat(state.replay.dimension, state.replay.dimension)
        self._totals: dict[int, arb] = {}  # the weights of every point that B was not asked with
        self._expected: tuple[arb, arb] | None = None
        self._last: tuple[LocalStep, arb] | None = None  # a step, and its reported weight
        self.judged = 0
        self.followed = 0
        self.first: Violation | None = None
        self.possible = True
        state.replay.mass_before(state.data.unlabelled)  # remembered with all bits

    @property
    def accumulated(self) -> arb_mat:
        """B = sum_i w'_i x_i x_i^T, remembered, so that a step adds what came since."""
        for index, weight in self._totals.items():
            self._summed = self._summed + self._state.replay.outer(index) * weight
        self._totals.clear()
        return self._summed

    def _agrees(
        self, line: int, j: int, field: str, raw: Raw | None, true: arb, scale: arb, allowed: float
    ) -> bool:
        if raw is None:
            return True
        given = number(raw)
        bound = abs(scale) * allowed
        error = abs(given - true)
        if not error > bound:
            return True
        if self.first is None:
            digits = self._state.digits
            self.first = Violation(
                line,
                j,
                field,
                abbreviated(raw),
                shown(true - bound, digits),
                shown(true + bound, digits),
                float(error / bound) if bound > 0 else None,
                allowed,
                SLUGS[field],
                "does not follow from the state that the trace reports",
            )
        return False

    def within(self, upper: arb, lower: arb) -> bool:
        """Whether the reported state meets l G < B < u G, certainly.

        From one step to the next: B + w x x^T < u G while w x^T (u G - B)^-1 x < 1, and the
        lower barrier may rise by less than 1/Phi. Otherwise by elimination.
        """
        if self._last is None:
            return bool(upper > 0 and lower < 0)
        step, weight = self._last
        if (
            step.definite
            and weight >= 0
            and upper >= step.upper
            and weight * step.upper_mass < 1
            and (lower - step.lower) * step.potential < 1
        ):
            return True
        gram, total = self._state.replay.gram, self.accumulated
        return (
            ball_positive_definite(gram * upper - total).holds
            and ball_positive_definite(total - gram * lower).holds
        )

    def _look(self, index: int, upper: arb, lower: arb) -> LocalStep:
        replay, accumulated = self._state.replay, self.accumulated
        above, _, vector = replay.view(accumulated, upper, lower)
        row, scale = replay.row(index)
        return LocalStep(
            upper,
            lower,
            accumulated,
            self.within(upper, lower),
            replay.total(vector),
            replay.mass(index, vector),
            (row * above * row.transpose())[0, 0] * scale,
            replay.mass_before(self._state.data.unlabelled, vector),
        )

    def iteration(
        self, number_of_line: int, line: IterationLine, look: Look | None = None
    ) -> LocalStep | None:
        """Judge phi, p and the weight from u, l and the earlier weights; u and l from phi."""
        if line.u is None or line.l is None or line.weight is None:
            self.possible = False
        if not self.possible or line.u is None or line.l is None or line.weight is None:
            return None
        try:
            with ctx.workprec(self.bits):
                seen = None if look is None else self._seen(line, look)
                if seen is not None and self._tied(line, seen, number(line.weight)):
                    return self._follow(line, seen, number(line.weight))
                return self._step(number_of_line, line, line.u, line.l, line.weight)
        except Undecided:
            self.possible = False
            return None

    def _step(
        self, number_of_line: int, line: IterationLine, raw_u: Raw, raw_l: Raw, raw_weight: Raw
    ) -> LocalStep:
        state, replay = self._state, self._state.replay
        upper, lower = number(raw_u), number(raw_l)
        step = self._look(line.index, upper, lower)
        potential, mass = step.potential, step.mass
        if not (potential.is_finite() and mass.is_finite() and not mass.contains(0)):
            raise Undecided
        spread = float(potential * (upper - lower)) / (4 * replay.dimension)
        allowed = state.allowance.at(line.j, max(state.spread, abs(spread)), state.reach)
        checks: list[tuple[str, Raw | None, arb, arb]] = []
        if self._expected is not None:
            checks += [
                ("u", line.u, self._expected[0], upper),
                ("l", line.l, self._expected[1], upper),
            ]
        probability = mass / potential
        weight = replay.gamma / mass
        checks += [
            ("phi", line.phi, potential, potential),
            ("p", line.p, probability, probability),
            ("weight", line.weight, weight, weight),
        ]
        self.judged += 1
        agreed = [
            self._agrees(number_of_line, line.j, name, raw, true, scale, allowed)
            for name, raw, true, scale in checks
        ]
        self.followed += all(agreed)
        used = potential if line.phi is None else number(line.phi)
        if used.contains(0):
            raise Undecided
        self._take(step, line.index, number(raw_weight), used)
        return step

    def _take(self, step: LocalStep, index: int, weight: arb, potential: arb) -> None:
        """Go on from what the trace reports, right or wrong."""
        replay = self._state.replay
        self._expected = (
            step.upper + replay.upper_rate / potential,
            step.lower + replay.lower_rate / potential,
        )
        self._last = step, weight
        self._totals[index] = self._totals.get(index, arb(0)) + weight

    @staticmethod
    def _seen(line: IterationLine, look: Look) -> LocalStep | None:
        """A step whose phi and probabilities doubles decided: its state is between the barriers."""
        if line.phi is None:
            return None
        upper, lower = number(line.u or 0), number(line.l or 0)
        balls = [arb(look[k], look[k + 1]) for k in range(0, 8, 2)]
        return LocalStep(upper, lower, None, True, *balls)

    def _tied(self, line: IterationLine, step: LocalStep, weight: arb) -> bool:
        """Whether u, l and the weight certainly follow: those doubles did not look at.

        |u - u'| <= a u and the same for l, where u' and l' follow from the line before, and
        |w M - gamma| <= a gamma with the mass M.
        """
        state, gamma = self._state, self._state.replay.gamma
        allowed = state.allowance.at(line.j, state.spread, state.reach)
        near = bool(abs(weight * step.mass - gamma) <= gamma * allowed)
        if self._expected is None:
            return near
        bound = abs(step.upper) * allowed
        return near and all(
            abs(given - true) <= bound
            for given, true in zip((step.upper, step.lower), self._expected, strict=True)
        )

    def _follow(self, line: IterationLine, step: LocalStep, weight: arb) -> LocalStep:
        """A step that follows."""
        self.judged += 1
        self.followed += 1
        self._take(step, line.index, weight, number(line.phi or 0))
        return step

    def view(self) -> LocalView | None:
        """What was seen; None when the trace does not report its state."""
        return LocalView(self.judged, self.followed, self.first) if self.judged else None
