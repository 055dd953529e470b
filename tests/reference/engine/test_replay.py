"""The engine against the reference: same data, same coins, same sample, weights within bounds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from asura.engine import plan
from asura.engine.coins import coins
from asura.engine.preparing import prepare
from asura.engine.replay import exact_dataset, replay
from asura.errors import ConflictingOptions
from asura.kept import coins as reference
from asura.kept.screening import Candidate, promises, screen
from asura.kept.trials import FREE
from tests.reference.engine.designs import KINDS, design, rational


@pytest.mark.parametrize("kind", KINDS)
def test_plans_are_replayed_bit_for_bit(kind: str) -> None:
    for seed, ridge in ((1, 0.0), (2, 0.5)):
        points = design(kind, seed, rows=40)
        known = dict.fromkeys(range(3), 1.0)
        chosen = plan(points, labels=known, budget=20, ridge=ridge, seed=seed)
        if kind == "ill-conditioned" and not ridge:
            continue  # leverages of condition 1e12 are bounds, not values
        assert chosen.record.promise is not None
        assert replay(chosen).same
        tau = Fraction(chosen.record.promise.parameters["tau"])
        exact = reference.coins(exact_dataset(chosen.problem), tau)
        places = {int(row): k for k, row in enumerate(chosen.problem.candidates)}
        for row, weight in zip(chosen.rows, chosen.weights, strict=True):
            truth = 1 / exact.probabilities[places[int(row)]]
            assert abs(Fraction(float(weight)) - truth) <= truth / 10**9


def test_trials_and_promises_agree_with_the_reference() -> None:
    """Forty trials: the same samples, the same number of them accepted."""
    points = design("heavy", 4, rows=30)
    ready = prepare(points, ridge=0.5)
    found = ready.promise(12, None, 6, trials=40)
    assert found is not None
    data = exact_dataset(ready.problem)
    tau = found.parameters["tau"]
    exact = reference.coins(data, Fraction(tau))
    toss = coins(6, ready.pool.spectrum.leverages, tau)
    from asura.kept.trials import trial

    for number in range(40):
        assert tuple(toss.draw(FREE, number).tolist()) == exact.bought(trial(6, FREE, number))
    candidate = Candidate(exact, exact.noise, screen(Fraction(found.least), 12))
    (promise,) = promises(data, [candidate], trials=40, seed=6)
    assert promise.accepted == found.accepted
    assert float(promise.probability) >= found.probability  # ours pays for three levels


def test_a_plan_drawn_with_other_coins_is_noticed() -> None:
    chosen = plan(design("gauss", 1, rows=40), budget=20, ridge=0.5, seed=1)
    other = plan(design("gauss", 1, rows=40), budget=20, ridge=0.5, seed=2)
    from dataclasses import replace

    forged = replace(chosen, rows=other.rows, weights=other.weights)
    assert not replay(forged).same


def test_leverages_are_those_of_the_reference() -> None:
    points = design("integers", 3, rows=25)
    ready = prepare(points, ridge=0.5, labels={0: 1.0, 7: 2.0})
    truth = reference.leverages(exact_dataset(ready.problem))
    for bound, value in zip(ready.pool.spectrum.leverages, truth, strict=True):
        assert value <= Fraction(float(bound)) <= value * (1 + Fraction(1, 10**10))
    assert rational(1.0) == 1


def test_large_pools_are_not_replayed() -> None:
    points = np.random.default_rng(0).standard_normal((5000, 2))
    with pytest.raises(ConflictingOptions):
        replay(plan(points, budget=100, trials=40))
