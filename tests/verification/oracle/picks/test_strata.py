"""Bets on stratified uniforms: fair for independent ones, and gains that are worked out by hand."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.picks.distribution import DistributionTest
from asura_verify.oracle.picks.serial import Serial
from asura_verify.oracle.picks.strata import COUNT, ORDERS, PARTS, bets, densities, words


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


def test_a_group_leaves_what_it_has_not_met() -> None:
    """Of three draws the second met a half of two parts; the group begins anew after three."""
    portions = np.array([[0, 0, 1.0], [0.5, 0.5, 0], [0, 1.0, 0], [1.0, 0, 0]])
    found = densities(portions, np.array([0, 1, 2, 0]), "any")
    assert found.tolist() == [[1 / 3] * 3, [0.5, 0.5, 0], [0.5, 0.5, 0], [1 / 3] * 3]
    full = densities(np.array([[1.0, 0], [0, 1.0], [1.0, 0]]), np.array([2]), "any")
    assert full.tolist() == [[0.5, 0.5]]  # nothing is left: nobody knows
    for left, expected in ((2.0**-20, [0.5, 0.5]), (2.0**-20 + 2.0**-40, [1.0, 0.0])):
        hardly = densities(np.array([[1 - left, 1.0], [0, 0]]), np.array([1]), "any")
        assert hardly.tolist() == [expected]  # so little may be a rounding of the sums


def test_every_bet_is_a_distribution_over_the_points() -> None:
    """Over all picks q sums to one, whatever the past: so the game is fair."""
    rng = np.random.default_rng(1)
    past = rng.dirichlet(np.full(5, 0.5), 80)
    starts = np.hstack([np.zeros((80, 1)), np.cumsum(past, axis=1)[:, :-1]])
    ends = np.hstack([np.cumsum(past, axis=1)[:, :-1], np.ones((80, 1))])
    picks = rng.integers(0, 5, 80)
    total = np.zeros(COUNT)
    for last in range(5):
        picks[-1] = last
        a, b = starts[np.arange(80), picks], ends[np.arange(80), picks]
        cells, shares = [], []
        for k in PARTS:
            edges = np.arange(k + 1) / k
            met = np.maximum(
                np.minimum(b[:, None], edges[1:]) - np.maximum(a[:, None], edges[:-1]), 0.0
            )
            cells.append(met)
            shares.append(met / met.sum(axis=1, keepdims=True))
        total += bets(cells, shares, (np.array([79]), np.array([41])))[0]
    assert total.tolist() == near([1.0] * COUNT)


def test_what_is_gained_on_a_coin() -> None:
    """Head and tail in turn: every second toss is known, whoever counts from where."""
    serial = Serial.new()
    serial.begin()
    even = np.full((4, 2), 0.5)
    serial.play(even, np.array([1, 0, 0, 1]))
    known = math.log(2 - 2.0**-5)
    assert words()[1].startswith("uniforms-stratified (2 draws")
    shuffled, rising = serial.strata.tolist()[:2]
    assert shuffled == near(2 * known)
    # In rising order the first two tosses are wrong, and the last two right.
    assert rising == near(2 * math.log(2.0**-5) + 2 * known)


def _stratified(rng: np.random.Generator, parts: int, order: str) -> Iterator[float]:
    while True:
        places = np.arange(parts) if order == "rising" else rng.permutation(parts)
        yield from ((places + rng.uniform(size=parts)) / parts).tolist()


def _drawn(uniforms: Iterator[float], draws: int) -> DistributionTest:
    test, p = DistributionTest(), np.array([0.1, 0.3, 0.2, 0.05, 0.35])
    session = test.session("one", "data", 5, 5)
    for r in itertools.islice(uniforms, draws):
        session.draw(p, int(np.searchsorted(np.cumsum(p)[:-1], r, side="right")))
    session.commit()
    return test


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("parts", [2, 3, 4, 5, 8, 10, 16, 20, 32, 64])
def test_stratified_uniforms_are_seen_and_named(parts: int, order: str) -> None:
    (report,) = _drawn(_stratified(np.random.default_rng(7), parts, order), 800).reports()
    assert report.biased
    # In rising order, groups of few are a period, too.
    named = f"uniforms-stratified ({parts} " if order == "any" else "uniforms-"
    assert (report.explanation or "").startswith(named)


def test_independent_uniforms_are_not_accused() -> None:
    """The bets lose on them; the false-alarm probability of the whole test is 1e-6."""
    rng = np.random.default_rng(3)
    (report,) = _drawn(iter(rng.uniform(size=4000).tolist()), 4000).reports()
    assert not report.biased
