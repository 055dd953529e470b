"""The true run as a centre, computed with all bits, and the doubt about it.

Which of the two replays is used is a matter of speed: both enclose the true run.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, ctx

from asura.dataset import Dataset
from asura.stopping import StoppingRule
from asura_verify.oracle.doubt import Doubles, Doubt
from asura_verify.oracle.replay import Replay

#: Widths and lost bits up to which the balls of the entries are quicker.
NARROW = 10
FEW_BITS = 300


def _lost_in_entries(width: int, gamma: float) -> float:
    """Observed: 0.45 d/gamma up to d = 8, and twice that at d = 20."""
    return 0.55 * width / gamma


def is_centred(width: int, gamma: float) -> bool:
    """Whether the centre pays."""
    return width > NARROW or _lost_in_entries(width, gamma) > FEW_BITS


def lost_bits(width: int, gamma: float) -> int:
    """What a whole run usually loses; with a centre 1.2/gamma, and a few for the dimension."""
    if is_centred(width, gamma):
        return int(min(1.5 / gamma, 2048.0) + 2 * math.log2(width + 1))
    return 16 + int(_lost_in_entries(width, gamma))


def replay_of(data: Dataset, gamma: Fraction, stopping: StoppingRule, bits: int) -> Replay:
    """The quicker one."""
    kind = CentredReplay if is_centred(data.width, float(gamma)) else Replay
    return kind(data, gamma, stopping, bits)


def floats(matrix: arb_mat) -> Doubles:
    """The midpoints in doubles."""
    entries = [float(x) for x in matrix.entries()]
    return np.array(entries).reshape(matrix.nrows(), matrix.ncols())


def _row_sum(matrix: arb_mat, ones: arb_mat) -> arb:
    """The largest row sum, which bounds the norm of a symmetric matrix.

    Its entries are not negative, or are balls around zero.
    """
    largest = arb(0)
    for x in (matrix * ones).entries():
        largest = largest.max(x.abs_upper())
    return largest


class CentredReplay(Replay):
    """The same run; u, l and B are what the centre and the doubt enclose."""

    def __init__(self, data: Dataset, gamma: Fraction, stopping: StoppingRule, bits: int) -> None:
        super().__init__(data, gamma, stopping, bits)
        size = self.dimension
        self._doubt = Doubt(floats(self.gram), ctx.prec)
        self._directions: dict[int, Doubles] = {}
        self._ones = arb_mat(size, 1, [1] * size)
        inverse = self.gram.solve(self._identity, algorithm="lu")
        absolute = arb_mat(size, size, [x.abs_upper() for x in inverse.entries()])
        self._stretch = _row_sum(absolute, self._ones)  # I <= stretch G
        self._centre = self.accumulated
        self._high, self._low = self.upper.mid(), self.lower.mid()
        self._doubt.upper = self._doubt.units(self.upper.rad())
        self._doubt.lower = self._doubt.units(self.lower.rad())

    def look(self) -> None:
        """Line 4: Phi_j = Tr(E_j), and E_j for the masses."""
        above, below = self._inverses(self._centre, self._high, self._low)
        total, self._vector = self._summed(above, below)
        radius = self._doubt.look(floats(above), floats(below))
        self.potential = total + self._doubt.ball(radius)

    def _direction(self, index: int) -> Doubles:
        """A scaled row in doubles."""
        known = self._directions.get(index)
        if known is None:
            row, scale = self.row(index)
            known = self._directions[index] = floats(row * scale.sqrt()).ravel()
        return known

    def mass(self, index: int, vector: arb_mat | None = None) -> arb:
        """p_x Phi_j of one point, in the true state unless another one is given."""
        mass = super().mass(index, vector)
        if vector is not None:
            return mass
        return mass + self._doubt.ball(self._doubt.mass(self._direction(index)))

    def mass_before(self, index: int, vector: arb_mat | None = None) -> arb:
        """The masses of all points before one."""
        mass = super().mass_before(index, vector)
        return mass * self._vague() if vector is None else mass

    def masses(self) -> list[arb]:
        """p_x Phi_j of every point."""
        vague = self._vague()
        return [mass * vague for mass in super().masses()]

    def _vague(self) -> arb:
        """One, give or take the doubt about any mass."""
        return 1 + self._doubt.ball(self._doubt.relative)

    def advance(self, index: int, mass: arb) -> arb:
        """Lines 7-10; returns w'_j."""
        weight = self.gamma / mass
        doubt = self._doubt
        total = self._centre + self.outer(index) * weight.mid()
        upper = self._high + self.upper_rate / self.potential
        lower = self._low + self.lower_rate / self.potential
        self._centre, self._high, self._low = total.mid(), upper.mid(), lower.mid()
        rounding = _row_sum(total - self._centre, self._ones) * self._stretch
        doubt.step(self._direction(index), weight.rad(), rounding, upper.rad(), lower.rad())
        self.upper = self._high + doubt.ball(doubt.upper)
        self.lower = self._low + doubt.ball(doubt.lower)
        self.potential_sum += self.potential
        return weight

    def finish(self) -> None:
        """Make B_m known, entry by entry."""
        radii = self._doubt.entries().ravel().tolist()
        balls = [self._doubt.ball(radius) for radius in radii]
        self.accumulated = self._centre + arb_mat(self.dimension, self.dimension, balls)
