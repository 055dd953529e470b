"""The experiments that the paper only talks about, each a command: `asura experiment NAME`."""

from __future__ import annotations

from asura.errors import AsuraError
from asura_verify.experiments import (
    beyond,
    bias,
    classifiers,
    constants,
    labels,
    loss,
    lower_bound,
    plans,
    queries,
)
from asura_verify.experiments.model import Experiment

EXPERIMENTS: tuple[Experiment, ...] = tuple(
    module.EXPERIMENT
    for module in (bias, queries, loss, lower_bound, constants, beyond, plans, labels, classifiers)
)


class UnknownExperiment(AsuraError):
    """No experiment has this name."""


def find(name: str) -> Experiment:
    """The experiment with this name."""
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    known = ", ".join(experiment.name for experiment in EXPERIMENTS)
    raise UnknownExperiment(f"{name!r}: expected all, {known}", value=name)


__all__ = ["EXPERIMENTS", "Experiment", "find"]
