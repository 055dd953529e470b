"""A run that was decided in doubles with proved bounds, handed on as a run in balls.

The balls hold the true values; they are as wide as the bounds, and nothing but wider than those of
a run in balls from the start.

>>> ball(Tracked(1.0, rest=0.25)).contains(arb(1.25))
True
"""

from __future__ import annotations

from typing import cast

import numpy as np
from flint import arb, arb_mat

from asura.algorithm2_asura import Distribution, Iteration, State
from asura.arithmetic.ball import BallArithmetic
from asura.arithmetic.proved_double import ROW_BITS, ProvedForm, ProvedMasses
from asura.arithmetic.tracked import Tracked
from asura.dataset import Dataset, KernelData
from asura.rounding import Doubles

#: The balls: of as many bits as the doubles had.
HANDED_ON = BallArithmetic(53)


def ball(value: Tracked) -> arb:
    """The number as a ball."""
    return arb(value.mid, value.radius)


class BallMasses:
    """The masses as balls, each made where it is read."""

    def __init__(self, mids: Doubles, radii: Doubles) -> None:
        self._mids = mids
        self._radii = radii

    def __len__(self) -> int:
        return len(self._mids)

    def __getitem__(self, index: int) -> arb:
        return arb(float(self._mids[index]), float(self._radii[index]))


def distribution_in_balls(given: Distribution[Tracked]) -> Distribution[arb]:
    """The potential and the masses."""
    masses = cast("ProvedMasses", given.masses)
    return Distribution(ball(given.potential), BallMasses(masses.mids, masses.radii))


def iteration_in_balls(record: Iteration[Tracked]) -> Iteration[arb]:
    """One iteration."""
    return Iteration(
        record.iteration,
        record.index,
        ball(record.upper),
        ball(record.lower),
        distribution_in_balls(record.distribution),
        ball(record.weight),
        record.uniform,
    )


def state_in_balls(state: State[Tracked, ProvedForm], data: Dataset) -> State[arb, arb_mat]:
    """A state."""
    return State(
        form_in_balls(state.accumulated, data),
        ball(state.upper),
        ball(state.lower),
        ball(state.potential_sum),
        state.iteration,
    )


def form_in_balls(form: ProvedForm, data: Dataset) -> arb_mat:
    """sum W_x U_x U_x^T for the rows U in balls."""
    totals = form.frame.totals
    totals.at(form.history)
    chosen = np.flatnonzero(totals.mids).tolist()
    if not chosen:
        return arb_mat(data.dimension, data.dimension)
    rows = cast("KernelData", data).isometry(ROW_BITS).rows.tolist()
    mids, radii = totals.mids.tolist(), totals.radii.tolist()
    scaled = [[arb(mids[i], radii[i]) * x for x in rows[i]] for i in chosen]
    return arb_mat(scaled).transpose() * arb_mat([rows[i] for i in chosen])
