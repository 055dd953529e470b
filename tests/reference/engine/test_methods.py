"""The same plan by other procedures: theirs to the last draw, within the budget, and certified."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from asura import errors
from asura.engine import Plan, barrier_walk, load_plan, plan, save_plan
from asura.engine.all_rows import AllRows
from asura.engine.barrier_draws import (
    BarrierDraws,
    norm_of_target,
    one_sided_draws,
    two_sided_draws,
)
from asura.engine.barrier_walk import BarrierWalk, Rates
from asura.engine.methods import METHODS, family
from asura.engine.preparing import Prepared, prepare
from asura.engine.replay import replay
from asura.engine.rows import ArrayRows
from asura.engine.searching import GuidedSearch
from asura.engine.volume_draws import VolumeDraws
from asura.kept.noise import asura_noise, two_sided_noise
from asura.kept.trials import FREE, trial
from tests.reference.engine.designs import KINDS, design, exact, rational, semidefinite

KNOWN = dict.fromkeys(range(3), 1.0)
REPLAYED = ("kept", "one-sided", "asura", "leverage")
#: Two-sided exact binomial tests of all pairs of first draws, 1e-8 together.
DRAWS = 1500


def _planned(kind: str, method: str, seed: int = 1, budget: int = 20) -> Plan:
    points = design(kind, seed, rows=40)
    return plan(points, labels=KNOWN, budget=budget, ridge=0.5, seed=seed, method=method, trials=20)


@pytest.mark.parametrize("method", REPLAYED)
@pytest.mark.parametrize("kind", ["gauss", "duplicates", "heavy", "scales"])
def test_every_method_is_replayed_bit_for_bit(kind: str, method: str) -> None:
    chosen = _planned(kind, method)
    assert chosen.record.promise is not None
    assert replay(chosen).same
    assert not replay(replace(chosen, rows=chosen.rows[1:])).same


def _holds_within(plan_made: Plan) -> bool:
    """Exact arithmetic on what the certificate says."""
    task = plan_made.problem
    every = AllRows(task.rows, task.penalty)
    weights = np.zeros(every.size)
    weights[plan_made.rows] = plan_made.weights
    if plan_made.beside is None:
        weights[np.flatnonzero(task.known)] = 1.0
        weights[task.rows.size :] = 1.0
    else:
        np.add.at(weights, plan_made.beside.rows, plan_made.beside.weights)
    rows = exact(every.take(np.arange(every.size)))
    whole = rows.transpose() * rows
    both = rows.transpose() * exact(np.diag(weights)) * rows
    delta = plan_made.record.delta
    assert delta is not None
    room = whole * rational(delta)
    return semidefinite(room - (both - whole)) and semidefinite(room + (both - whole))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_its_budget_and_its_certificate(method: str) -> None:
    for kind in ("gauss", "integers", "zero rows", "heavy"):
        chosen = _planned(kind, method, seed=2, budget=12)
        assert len(set(chosen.rows.tolist())) == len(chosen.rows) <= 12
        assert not chosen.problem.known[chosen.rows].any()
        assert (chosen.draws >= 1).all()
        assert _holds_within(chosen)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_odd_tables_by_every_method(kind: str, method: str) -> None:
    """A plan within its budget, or a named error."""
    points = design(kind, 3, rows=25)
    try:
        chosen = plan(points, budget=9, seed=1, method=method, trials=5)
    except errors.AsuraError:
        assert kind in {"ill-conditioned", "heavy", "zero rows", "dependent"}
        return
    assert len(chosen.rows) <= 9
    assert np.isfinite(chosen.fit(np.arange(25.0)).predict(points)).all()


def test_a_plan_of_algorithm_2_weighs_labelled_rows_and_the_ridge(tmp_path: Path) -> None:
    """The fit solves exactly the weighted problem, and survives its file."""
    points = design("gauss", 5, rows=30)
    chosen = plan(
        points, labels=KNOWN, budget=15, ridge=0.5, intercept=False, method="asura", trials=10
    )
    assert chosen.beside is not None
    assert len(chosen.beside.rows)
    labels = np.arange(30.0)
    labels[:3] = 1.0
    save_plan(chosen, tmp_path / "plan.csv")
    again = load_plan(tmp_path / "plan.csv", points).with_labels(KNOWN)
    found = again.fit(labels).coefficients
    every = AllRows(ArrayRows(points), np.full(3, 0.5))
    weights = np.zeros(every.size)
    weights[chosen.rows] = chosen.weights
    np.add.at(weights, chosen.beside.rows, chosen.beside.weights)
    rows, scale = exact(every.take(np.arange(every.size))), exact(np.diag(weights))
    right = exact(np.append(labels, np.zeros(3))[:, None])
    truth = (rows.transpose() * scale * rows).solve(rows.transpose() * scale * right)
    largest = max(abs(truth[k, 0]) for k in range(3))
    for k in range(3):
        assert abs(truth[k, 0] - rational(float(found[k]))) <= largest * rational(1e-9)
    kept = Plan(again.problem, again.record, again.rows, again.weights, again.draws)
    assert np.abs(kept.fit(labels).coefficients - found).max() > 1e-3  # the ridge kept whole


def _ready(rows: int = 6) -> Prepared:
    return prepare(design("heavy", 8, rows=rows, columns=2), ridge=0.5, intercept=False)


def _pairs(walk: BarrierWalk) -> NDArray[np.float64]:
    """P(first draw = i, second draw = k), from the brackets."""
    rows, rates = walk._all, walk.rates
    chances = np.zeros((len(rows), len(rows)))
    start = walk._bracket(np.zeros((2, 2)), 0.0)
    first = np.einsum("ij,jk,ik->i", rows, start, rows)
    for i, mass in enumerate(first):
        moved = (rates.step / mass) * np.outer(rows[i], rows[i])
        bracket = walk._bracket(moved, rates.step / first.sum())
        second = np.einsum("ij,jk,ik->i", rows, bracket, rows)
        chances[i] = mass / first.sum() * second / second.sum()
    return chances


def _alarms(walk: BarrierWalk) -> int:
    chances = _pairs(walk)
    counts = np.zeros(chances.shape)
    for number in range(DRAWS):
        picks, _, _ = walk._large(trial(4, FREE, number))
        counts[picks[0], picks[1]] += 1
    level = 1e-8 / chances.size
    return sum(
        bool(stats.binomtest(int(counts[i, k]), DRAWS, chances[i, k]).pvalue < level)
        for i, k in itertools.product(*map(range, chances.shape))
    )


def _two_draws(rates: Rates, potential: float) -> Rates:
    """The goal lies just beyond the first draw."""
    return replace(rates, ending="overshoot", goal=1.001 * rates.step / potential)


@pytest.mark.parametrize("upper", [True, False])
def test_rejection_draws_rows_with_the_right_chances(
    upper: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = _ready()
    if upper:
        made = two_sided_draws(ready.pool, 0, 0.3, 0.2, "coin")
    else:
        made = one_sided_draws(ready.pool, 0, 3.0, 0.7)
    assert isinstance(made, BarrierDraws)
    rates = made.rates
    start = BarrierWalk(ready.pool, rates)
    first = float(np.einsum("ij,ij->", start._target, start._bracket(np.zeros((2, 2)), 0.0)))
    walk = BarrierWalk(ready.pool, _two_draws(rates, first))
    assert _alarms(walk) == 0
    # The planted mistakes: proposals that are all alike, and a mu that is too small.
    forged = BarrierWalk(ready.pool, walk.rates)
    forged.__dict__["_search"] = GuidedSearch(np.ones(6))
    assert _alarms(forged) > 0
    if not upper:  # two barriers are alike at first: their bracket is nearly a multiple of I
        monkeypatch.setattr(barrier_walk._Proposals, "_norm", lambda *_: 1e-3)
        assert _alarms(walk) > 0


def test_the_noise_is_that_of_the_reference() -> None:
    ready = _ready(30)
    rank, norm = ready.reduced_rank, norm_of_target(ready.pool)
    assert 0 < norm <= 1
    made = two_sided_draws(ready.pool, 0, 0.125, 0.5, "coin")
    truth = two_sided_noise(Fraction(rank), Fraction(1, 8), Fraction(1, 2), "coin", Fraction(norm))
    assert truth <= Fraction(made.noise or 0.0) <= truth * (1 + Fraction(1, 10**5))
    whole = family("asura", ready.problem, ready.pool, 0, lambda _: None)
    gamma = Fraction(1, 8)
    candidate = two_sided_draws(whole.pool, 0, 0.125, 1.0, "overshoot")
    # in the paper's scale the weights, and so v, are smaller by 1 - 4 gamma^2
    exact_noise = asura_noise(2, gamma, Fraction(1)) / (1 - 4 * gamma**2) ** 2
    assert abs(Fraction(candidate.noise or 0.0) - exact_noise) <= exact_noise / 10**5


def test_volume_sampling_takes_sets_with_their_volumes() -> None:
    """All sets of 2 of 5 rows beside a ridge: exact binomial tests, false alarm 1e-8."""
    points = design("gauss", 2, rows=5, columns=2)
    ready = prepare(points, ridge=0.5, intercept=False)
    sets = list(itertools.combinations(range(5), 2))
    volumes = np.array(
        [np.linalg.det(points[list(s)].T @ points[list(s)] + 0.5 * np.eye(2)) for s in sets]
    )
    draws = VolumeDraws(ready.pool, 3, 2)
    counts = dict.fromkeys(sets, 0)
    for number in range(DRAWS):
        first, second = draws.draw(FREE, number).picks.tolist()
        counts[first, second] += 1
    chances = volumes / volumes.sum()
    values = [
        stats.binomtest(counts[s], DRAWS, p).pvalue for s, p in zip(sets, chances, strict=True)
    ]
    assert min(values) > 1e-8 / len(sets)
    flat = [stats.binomtest(counts[s], DRAWS, 1 / len(sets)).pvalue for s in sets]
    assert min(flat) < 1e-8 / len(sets)  # and sets that were all alike would be noticed


def test_volume_sampling_ends_where_nearly_every_row_is_essential() -> None:
    """A kernel of full rank with hardly any ridge: every 1 - h is about 1e-8."""
    points = design("gauss", 4, rows=30)
    chosen = plan(
        points, budget=12, ridge=1e-8, kernel="rbf", length=0.3, method="volume", intercept=False
    )
    assert len(chosen.rows) == 12


def test_algorithm_2_is_refused_where_it_would_draw_ridge_rows_for_ever() -> None:
    """R_X is a thousandth of d: of a thousand draws one is a label."""
    points = design("gauss", 4, rows=54, columns=7)
    with pytest.raises(errors.MethodTooSlow, match="take another --method") as caught:
        plan(points, budget=27, ridge=1e6, method="asura", intercept=False)
    assert caught.value.value is not None
    assert len(plan(points, budget=27, ridge=1e6, intercept=False, trials=5).rows) <= 27


def test_methods_without_a_guarantee_say_so() -> None:
    chosen = _planned("gauss", "volume")
    assert chosen.record.promise is None
    assert chosen.guarantee.startswith("no guarantee: none is known for volume sampling")
    assert len(chosen.rows) == 20
    with pytest.raises(errors.BudgetOutOfRange, match="--budget instead"):
        plan(design("gauss", 1, rows=40), epsilon=0.5, method="volume")
    with pytest.raises(errors.UnknownName, match="coins"):
        plan(design("gauss", 1, rows=40), budget=9, method="best")


@pytest.mark.parametrize("method", METHODS)
def test_a_pool_of_one_row(method: str) -> None:
    points = design("gauss", 1, rows=6)
    known = dict.fromkeys(range(1, 6), 1.0)
    chosen = plan(points, labels=known, budget=1, ridge=0.5, method=method, trials=5)
    assert chosen.rows.tolist() == [0]
    if method != "volume":
        again = plan(points, labels=known, epsilon=2.0, ridge=0.5, method=method, trials=5)
        assert len(again.rows) <= 1


def test_an_accuracy_by_another_method() -> None:
    chosen = plan(design("gauss", 1, rows=300), epsilon=1.0, method="leverage", trials=100)
    assert chosen.record.promise is not None
    assert chosen.record.promise.epsilon <= 1.0
    assert len(chosen.rows) <= chosen.record.promise.budget < 200
