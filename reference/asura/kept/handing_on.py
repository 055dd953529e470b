"""A run of a kept variant, decided in doubles with proved bounds, as a run in balls."""

from __future__ import annotations

from flint import arb, arb_mat

from asura.arithmetic.proved_double import ProvedForm
from asura.arithmetic.tracked import Tracked
from asura.dataset import Dataset
from asura.handing_on import HANDED_ON, ball, distribution_in_balls, form_in_balls
from asura.kept.barriers import KeptIteration, KeptState

__all__ = ["HANDED_ON", "iteration_in_balls", "state_in_balls"]


def iteration_in_balls(record: KeptIteration[Tracked]) -> KeptIteration[arb]:
    """One iteration of a kept variant."""
    return KeptIteration(
        record.iteration,
        record.index,
        ball(record.progress),
        distribution_in_balls(record.distribution),
        ball(record.weight),
        record.uniform,
    )


def state_in_balls(state: KeptState[Tracked, ProvedForm], data: Dataset) -> KeptState[arb, arb_mat]:
    """A state of a kept variant."""
    return KeptState(
        form_in_balls(state.accumulated, data),
        ball(state.progress),
        ball(state.potential_sum),
        state.iteration,
    )
