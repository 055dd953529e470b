"""The local view: each step recomputed from the state that the trace itself reports.

One early slip makes every later value differ from the true run; seen locally, the rest follows.
"""

from __future__ import annotations

from flint import arb, arb_mat

from asura.arithmetic.ball import Undecided
from asura.trace import IterationLine
from asura_verify.oracle.judge import Judge
from asura_verify.oracle.report import SLUGS, LocalView, Violation
from asura_verify.oracle.values import Raw, abbreviated, number, shown


class LocalJudge:
    """Follows the reported barriers and weights."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._accumulated = arb_mat(judge.replay.dimension, judge.replay.dimension)
        self._expected: tuple[arb, arb] | None = None
        self.judged = 0
        self.followed = 0
        self.first: Violation | None = None
        self.possible = True

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
            digits = self._judge.digits
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

    def iteration(self, number_of_line: int, line: IterationLine) -> None:
        """Judge phi, p and the weight from u, l and the earlier weights; u and l from phi."""
        if line.u is None or line.l is None or line.weight is None:
            self.possible = False
        if not self.possible or line.u is None or line.l is None or line.weight is None:
            return
        replay = self._judge.replay
        upper, lower = number(line.u), number(line.l)
        try:
            _, potential, vector = replay.view(self._accumulated, upper, lower)
        except Undecided:
            self.possible = False
            return
        spread = float(potential * (upper - lower)) / (4 * replay.dimension)
        allowed = self._judge.allowance.at(
            line.j, max(self._judge.spread, abs(spread)), self._judge.reach
        )
        mass = replay.mass(line.index, vector)
        checks: list[tuple[str, Raw | None, arb, arb]] = []
        if self._expected is not None:
            checks += [
                ("u", line.u, self._expected[0], upper),
                ("l", line.l, self._expected[1], upper),
            ]
        if not (potential.is_finite() and mass.is_finite() and not mass.contains(0)):
            self.possible = False
            return
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
            self.possible = False
            return
        self._expected = (
            upper + replay.upper_rate / used,
            lower + replay.lower_rate / used,
        )
        self._accumulated += replay.outer(line.index) * number(line.weight)

    def view(self) -> LocalView | None:
        """What was seen; None when the trace does not report its state."""
        return LocalView(self.judged, self.followed, self.first) if self.judged else None
