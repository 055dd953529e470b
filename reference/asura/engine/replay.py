"""Replay a small plan in exact arithmetic: the reference's coins, its check, the same rows.

>>> from asura.engine import plan
>>> chosen = plan("example:houses.csv", target="price", ridge=1, budget=30, features=["area"])
>>> replay(chosen).same
True
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from asura.dataset import Dataset, dataset
from asura.engine.coins import SMALL_POOL
from asura.engine.gram import whiten
from asura.engine.plan import Plan
from asura.engine.problem import Problem
from asura.errors import ConflictingOptions
from asura.formulas import curvature
from asura.kept.coins import coins
from asura.kept.iid import IidLeverage
from asura.kept.runs import one_sided_sampling, two_sided_sampling
from asura.kept.screening import Screened, screen
from asura.randomness import Seed
from asura.sampling import SamplingProcedure, randomized_bss
from asura.stopping import sure


def exact_dataset(problem: Problem) -> Dataset:
    """X_1 (the rows without label), then X_2 (the rows with one, and the ridge), exactly.

    Columns that follow from others to working precision are left out, as in the plan.
    """
    dropped = whiten(problem.rows, problem.penalty).dropped
    kept = [k for k in range(problem.rows.width) if k not in dropped]
    order = np.concatenate([problem.candidates, np.flatnonzero(problem.known)])
    points = problem.rows.take(order)[:, kept].tolist()
    ridge = Fraction(problem.settings.ridge)
    penalised = [k for k in kept if problem.penalty[k] > 0]
    unit = [[int(i == k) for k in kept] for i in penalised]
    return dataset(
        [*points, *unit],
        unlabelled=len(problem.candidates),
        squared_scales=[Fraction(1)] * len(points) + [ridge] * len(unit),
    )


@dataclass(frozen=True)
class PlanReplay:
    """The rows that exact arithmetic buys, the number of the draw, and whether the plan agrees."""

    rows: tuple[int, ...]
    draw: int
    same: bool


def replay(plan: Plan) -> PlanReplay:
    """Draw again from the seed, with exact leverages, coins and spectra."""
    promise = plan.record.promise
    candidates = plan.problem.candidates
    if promise is None or plan.record.method == "uniform" or len(candidates) > SMALL_POOL:
        raise ConflictingOptions(
            f"only plans with a guarantee, of at most {SMALL_POOL} rows, and not by --method "
            "uniform, can be replayed in exact arithmetic",
            value=len(candidates),
        )
    data = exact_dataset(plan.problem)
    procedure, scale = _exact(plan.record.method, promise.parameters, data)
    check = screen(Fraction(promise.least) * scale, promise.budget)
    number, sample = Screened(procedure, check).accepted(data, Seed(plan.record.seed))
    bought = sorted({i for i in sample.picks if i < data.unlabelled})
    rows = tuple(int(candidates[i]) for i in bought)
    same = rows == tuple(plan.rows.tolist()) and number == plan.record.draw
    return PlanReplay(rows, number, same)


def _exact(
    method: str, parameters: dict[str, float], data: Dataset
) -> tuple[SamplingProcedure[Any, Any], Fraction]:
    """The reference's procedure, and by which factor its weights differ from the engine's."""
    exact = {name: Fraction(value) for name, value in parameters.items()}
    if method == "coins":
        return coins(data, exact["tau"]), Fraction(1)
    if method == "leverage":
        return IidLeverage(int(exact["draws"])), Fraction(1)
    if method == "one-sided":
        return one_sided_sampling(exact["draws"], exact["nu"]), Fraction(1)
    gamma, level = exact["gamma"], exact["level"]
    if method == "kept":
        return two_sided_sampling(gamma, stopping=sure(level), ending="coin"), Fraction(1)
    # Algorithm 2 divides by mid, which is sigma/k.
    return randomized_bss(gamma, level=level), curvature(gamma)
