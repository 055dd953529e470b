"""Bets on uniforms in groups: gains that are worked out by hand, and groups that are seen."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.picks import strata
from asura_verify.oracle.picks.distribution import DistributionTest
from asura_verify.oracle.picks.serial import Serial
from asura_verify.oracle.picks.strata import (
    BEGIN,
    CELLS,
    DOUBT,
    FITTED,
    GAINED,
    ORDER,
    ROUNDS,
    SIZE,
    WEIGHTS,
    State,
    bets,
    filled,
    fitted,
    least,
    rising,
    room,
    words,
)

ANY, RISING, UP, DOWN = range(4)


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


def place(order: int, size: int, begin: int = 0) -> int:
    """The number of a bet."""
    (found,) = np.flatnonzero((order == ORDER) & (size == SIZE) & (begin == BEGIN))
    return int(found)


def test_what_is_bet_on() -> None:
    """Groups of 2 to 256 draws, sorted ones of 2 to 16, each from two beginnings."""
    assert sorted(set(SIZE[ORDER <= RISING].tolist())) == list(range(2, 257))
    assert sorted(set(SIZE[ORDER >= UP].tolist())) == list(range(2, 17))
    assert len(SIZE) == len(words()) == 2 * (2 * 255 + 2 * 15)
    assert (CELLS, DOUBT) == (64, 2.0**-5)
    assert (FITTED, GAINED, ROUNDS) == (8, 1.0, 10)
    assert WEIGHTS.sum() == near(1)
    assert WEIGHTS[place(ANY, 2)] / WEIGHTS[place(RISING, 2)] == near(3)
    assert WEIGHTS[place(ANY, 2)] / WEIGHTS[place(ANY, 256, 1)] == near(128)
    assert WEIGHTS[place(UP, 4)] == near(WEIGHTS[place(DOWN, 4, 1)])
    assert words()[place(ANY, 5)] == "uniforms-stratified (5 draws, one in each part, in any order)"
    assert words()[place(RISING, 5)].endswith("(5 draws, one in each part, in rising order)")
    assert words()[place(UP, 5)] == "uniforms-sorted (5 draws, sorted up)"
    assert words()[place(DOWN, 5)] == "uniforms-sorted (5 draws, sorted down)"


def test_the_room_of_a_group() -> None:
    """As many parts as draws, up to 64; then a part has room for more than one."""
    edges, free = room(np.array([3, 64, 96]))
    assert edges[:, :5].tolist() == [
        near([0, 1 / 3, 2 / 3, 1, 1]),
        [0, 1 / 64, 2 / 64, 3 / 64, 4 / 64],
        [0, 1 / 64, 2 / 64, 3 / 64, 4 / 64],
    ]
    assert edges.shape == (3, 65)
    assert edges[:, -1].tolist() == [1, 1, 1]
    assert free[0].tolist() == [1] * 3 + [0] * 61
    assert free[1].tolist() == [1] * 64
    assert free[2].tolist() == [1.5] * 64
    state = State.new()
    assert state.free.shape == state.scales.shape == (len(SIZE), 64)
    assert len(state.leading) == 0


def test_a_draw_takes_from_the_parts_that_it_meets() -> None:
    """Three parts. A draw in [1/6, 1/2) takes halves; one in [0, 1/3) then takes one half."""
    starts, ends = np.array([1 / 6, 0.0, 1 / 3]), np.array([1 / 2, 1 / 3, 1.0])
    sizes, since = np.array([3]), np.array([[0], [1], [2]])
    found, free = filled(np.zeros((1, CELLS)), sizes, since, starts, ends)
    # Free are (1, 1, 1), (1/2, 1/2, 1) and (0, 1/2, 1); the density is three times the share.
    assert found[:, 0].tolist() == near([1 / 3, 1 / 4, 1.0])
    # The last draw meets what is free in proportion 1 to 2, and takes so.
    assert free[0, :4].tolist() == near([0, 1 / 6, 1 / 3, 0])


def test_a_full_part_gives_nothing_and_a_group_begins_anew() -> None:
    low, high = (0.0, 0.5), (0.5, 1.0)
    starts, ends = (np.array(x) for x in zip(low, low, high, high, low, strict=True))
    since = np.array([[0, 1], [1, 0], [0, 1], [1, 0], [0, 1]])
    given = np.zeros((2, CELLS))
    given[1, 1] = 1.0
    found, free = filled(given, np.array([2, 2]), since, starts, ends)
    # The second begins with the second draw; before, what is free of it is what was given.
    assert found[0, 1] == 0
    assert found[:, 0].tolist() == [0.5, 0, 0.5, 0, 0.5]
    assert found[1:, 1].tolist() == [0.5, 1, 0.5, 1]
    assert free[:, :3].tolist() == [[0, 1, 0], [0, 0, 0]]


def test_parts_in_rising_order() -> None:
    found = rising(
        np.array([2, 4]), np.array([[0, 0], [1, 3]]), np.array([0.0, 0.5]), np.array([0.25, 1.0])
    )
    assert found.tolist() == [[0.5, 1.0], [1.0, 1.0]]


def test_the_least_of_what_is_left() -> None:
    """Of three: 1 - (1 - x)^3 below x; then two above 1/2, and then one."""
    starts, ends = np.array([0.0, 0.5, 0.75]), np.array([0.5, 0.75, 1.0])
    before = np.array([0.9, 0.5, 0.5])
    found = least(np.array([3]), np.array([[0], [1], [2]]), before, starts, ends)
    assert found[:, 0].tolist() == near([1 - 0.5**3, 1 - 0.5**2, 0.5])
    below = least(np.array([3]), np.array([[1]]), np.array([0.5]), np.array([0.0]), np.array([0.5]))
    assert below.tolist() == [[0]]
    # Nothing is left above 1: then the draw before says nothing.
    one = least(np.array([2]), np.array([[1]]), np.array([1.0]), np.array([0.0]), np.array([0.25]))
    assert one.tolist() == [[0.25]]
    mixed = least(
        np.array([2, 4]), np.array([[1, 1]]), np.array([0.5]), np.array([0.5]), np.array([0.75])
    )
    assert mixed[0].tolist() == near([0.5, 1 - 0.5**3])
    assert least(
        np.zeros(0, dtype=int), np.zeros((1, 0), dtype=int), np.zeros(1), starts[:1], ends[:1]
    ).shape == (1, 0)


def test_a_fit_is_the_only_way_to_place_the_draws() -> None:
    """Of a draw in the first two thirds, and one in the first, the former was in the second.

    In proportion alone a half of the second third would still be free.
    """
    starts, ends = np.array([0.0, 0.0, 1 / 3, 2 / 3]), np.array([2 / 3, 1 / 3, 2 / 3, 1.0])
    here, since = np.arange(4), np.array([0, 1, 2, 2])
    found, scales = fitted(3, np.ones(CELLS), since[:3], here[:3], starts, ends)
    assert found.tolist() == [near(2 / 3), pytest.approx(1 / 4), pytest.approx(0, abs=0.08)]
    # More rounds, from the scales of the draws before, come nearer to what must be.
    for _ in range(40):
        (again,), scales = fitted(3, scales, since[2:3], here[2:3], starts, ends)
    assert 0 < again < 1e-2
    assert scales[2] == 1
    assert scales[1] < 1e-2
    assert scales[3:].tolist() == [1] * (CELLS - 3)


def test_a_fit_by_hand() -> None:
    """One round: a draw of two, in [0, 1/4) of two halves; the row of those to come is even."""
    starts, ends = np.array([0.0, 0.0, 0.25]), np.array([0.25, 0.5, 0.75])
    (one,), scales = fitted(2, np.ones(CELLS), np.array([1]), np.array([1]), starts, ends)
    # In the limit the first half is taken; after ten rounds a little of it is left.
    left = 1.0
    for _ in range(ROUNDS):
        heights = 1 / left, 2 / (left + 1)
        left = (heights[1] / 2) / (heights[0] + heights[1] / 2)
    assert scales[0] == near(left)
    assert scales[1] == 1
    assert one == near(2 * (left / 2) / (left + 1))
    # A draw that begins a group is not asked about the scales of the last one.
    for start in (np.ones(CELLS), scales):
        (fresh,), after = fitted(2, start, np.array([0]), np.array([2]), starts, ends)
        assert fresh == near(0.5)
        assert after.tolist() == [1] * CELLS


def test_a_fit_of_large_groups_and_of_what_cannot_be() -> None:
    """96 draws in 64 parts, each with room for 1.5; of too many in one part nothing vanishes."""
    starts, ends = np.zeros(96), np.full(96, 1 / 64)
    ends[95] = 1.0
    found, scales = fitted(96, np.ones(CELLS), np.arange(96), np.arange(96), starts, ends)
    assert found[0] == near(1 / 64)
    assert found[1] == pytest.approx((0.5 / 95) / 1.5 * 1.5, rel=0.02)
    assert np.all(np.isfinite(scales))
    assert scales[0] == 2.0**-60
    assert found[94] < 2.0**-55
    assert found[95] == near(1)  # all of [0, 1)
    # A draw whose interval has no length was anywhere.
    (found,), _ = fitted(
        2, np.ones(CELLS), np.array([1]), np.array([1]), np.array([0.3, 0.0]), np.array([0.3, 0.5])
    )
    assert found == near(0.5)


def test_who_is_fitted() -> None:
    """Those in any order that gained more than a nat, the eight best by what they are worth."""
    capital = np.full(len(SIZE), -1.0)
    assert len(State.new().led(capital).leading) == 0
    sizes = range(20, 30)
    for size in sizes:
        capital[place(ANY, size)] = 5.0
    capital[place(RISING, 20)] = capital[place(UP, 4)] = 9.0
    best = State.new().led(capital).leading
    assert best.tolist() == [place(ANY, size) for size in list(sizes)[:FITTED]]
    capital[place(ANY, 29)] = 6.0
    assert State.new().led(capital).leading[0] == place(ANY, 29)
    capital = np.full(len(SIZE), 1.0)
    capital[place(ANY, 30)] = 1.001
    assert State.new().led(capital).leading.tolist() == []  # 30 is not among the eight best
    capital[place(ANY, 2)] = 1.001
    assert State.new().led(capital).leading.tolist() == [place(ANY, 2)]


def test_some_of_all_bets() -> None:
    """In the trace the draw is the second of two, of all the first; before it was [0, 1/2)."""
    moving = np.array([place(*key) for key in (
        (ANY, 2, 0), (ANY, 2, 1), (RISING, 2, 0), (RISING, 2, 1),
        (UP, 2, 0), (UP, 2, 1), (DOWN, 2, 0), (DOWN, 2, 1),
    )])  # fmt: skip
    state = State.new()
    free = state.free
    free[place(ANY, 2, 0), :2] = [0.25, 0.75]
    free[place(ANY, 9, 0), 3] = 0.125
    known, here = (np.array([0.0, 0.5]), np.array([0.5, 1.0])), np.array([1])
    begins = np.array([3]), np.array([8])
    found, after = bets(moving, state, known, here, begins)
    # Sorted, the second of two lies above 1/4, and sorted down below; the first is the least.
    plain = [0.75, 0.5, 1.0, 0.0, 2 / 3, 0.25, 0.0, 0.75]
    assert found[0].tolist() == near([(1 - DOUBT) * q + DOUBT / 2 for q in plain])
    assert after.free[place(ANY, 2, 0), :2].tolist() == [0.25, 0]
    assert after.free[place(ANY, 2, 1), :3].tolist() == [1, 0, 0]
    assert after.free[place(ANY, 9, 0), 3] == 0.125  # whose bet was not asked
    assert free[place(ANY, 2, 0), :2].tolist() == [0.25, 0.75]  # copies share it
    led = state._replace(leading=np.array([place(ANY, 2, 0), place(ANY, 9, 0)]))
    again, later = bets(moving, led, known, here, begins)
    (sure,), scales = fitted(2, np.ones(CELLS), np.array([1]), here, *known)
    assert again[0, 0] == near((1 - DOUBT) * sure + DOUBT / 2)
    assert sure > 0.9
    assert again[0, 1:].tolist() == found[0, 1:].tolist()
    assert later.free.tolist() == after.free.tolist()
    assert later.scales[place(ANY, 2, 0)].tolist() == scales.tolist()
    assert later.leading is led.leading
    assert np.all(state.scales == 1)


def test_what_is_gained_on_a_coin() -> None:
    """Head and tail in turn: every second toss is known, whoever counts from where."""
    serial = Serial.new()
    serial.begin()
    even = np.full((4, 2), 0.5)
    serial.play(even, np.array([1, 0, 0, 1]))
    known = math.log(2 - 2.0**-5)
    group = serial.capitals["group"]
    for begin in (0, 1):
        assert group[place(ANY, 2, begin)] == near(2 * known)
        # In rising order the first two tosses are wrong, and the last two right.
        assert group[place(RISING, 2, begin)] == near(2 * math.log(2.0**-5) + 2 * known)
    serial.begin()
    serial.play(even[:1], np.array([1]))
    serial.begin()
    serial.play(even[:1], np.array([0]))
    after = serial.capitals["group"]
    assert after[place(ANY, 2, 0)] == near(2 * known)  # both are the first of their traces
    assert after[place(ANY, 2, 1)] == near(3 * known)
    # Of two that are sorted, the first lies above 1/2 once in four times; then none lies below 3/4.
    gain = math.log((1 - DOUBT) / 2 + DOUBT) + math.log(DOUBT)
    assert after[place(UP, 2, 1)] - group[place(UP, 2, 1)] == near(gain)


@pytest.mark.parametrize("blocks", [[64, 1], [65], [60, 5], [1, 63, 1]])
def test_who_leads_is_asked_every_64_draws(blocks: list[int]) -> None:
    """Head and tail in turn gain for groups of two, and nothing before they are asked for."""
    serial, first = Serial.new(), 0
    serial.begin()
    for count in blocks:
        assert (first >= 65) is (len(serial.groups.leading) > 0)
        serial.play(np.full((count, 2), 0.5), np.arange(first, first + count) % 2)
        first += count
    assert place(ANY, 2) in serial.groups.leading.tolist()
    gained = serial.capitals["group"][place(ANY, 2)]
    assert gained == pytest.approx(32 * math.log(2 - 2.0**-5), abs=0.7)


def test_groups_are_counted_beyond_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first draw of all is known though it was forgotten."""
    monkeypatch.setattr("asura_verify.oracle.picks.serial._LONGEST", 3)
    serial = Serial.new()
    serial.begin()
    for picks in ([1, 0, 0], [1, 1], [0, 1, 0]):
        serial.play(np.full((len(picks), 2), 0.5), np.array(picks))
    assert serial.capitals["group"][place(ANY, 2, 1)] == near(4 * math.log(2 - 2.0**-5))


# -- groups that are seen --------------------------------------------------------------------------


def _stratified(rng: np.random.Generator, parts: int, order: str) -> Iterator[float]:
    while True:
        places = np.arange(parts) if order == "rising" else rng.permutation(parts)
        yield from ((places + rng.uniform(size=parts)) / parts).tolist()


def _sorted(rng: np.random.Generator, size: int, order: str) -> Iterator[float]:
    while True:
        up = np.sort(rng.uniform(size=size))
        yield from (up if order == "up" else up[::-1]).tolist()


def _drawn(uniforms: Iterator[float], draws: int) -> DistributionTest:
    test, p = DistributionTest(), np.array([0.1, 0.3, 0.2, 0.05, 0.35])
    session = test.session("one", "data", 5, 5)
    for r in itertools.islice(uniforms, draws):
        session.draw(p, int(np.searchsorted(np.cumsum(p)[:-1], r, side="right")))
    session.commit()
    return test


@pytest.mark.parametrize("order", ["any", "rising"])
@pytest.mark.parametrize("parts", [2, 3, 4, 5, 8, 10, 12, 16, 27, 32, 48, 64, 81])
def test_stratified_uniforms_are_seen_and_named(parts: int, order: str) -> None:
    (report,) = _drawn(_stratified(np.random.default_rng(7), parts, order), 800).reports()
    assert report.biased
    # In rising order, groups of few are a period, too.
    named = f"uniforms-stratified ({parts} " if order == "any" else "uniforms-"
    assert (report.explanation or "").startswith(named)


@pytest.mark.parametrize("order", ["up", "down"])
@pytest.mark.parametrize("size", [2, 3, 4, 16])
def test_sorted_uniforms_are_seen_and_named(size: int, order: str) -> None:
    (report,) = _drawn(_sorted(np.random.default_rng(7), size, order), 200).reports()
    assert report.biased
    assert report.explanation == f"uniforms-sorted ({size} draws, sorted {order})"


def test_independent_uniforms_are_not_accused() -> None:
    """The bets lose on them; the false-alarm probability of the whole test is 1e-6."""
    rng = np.random.default_rng(3)
    test = _drawn(iter(rng.uniform(size=4000).tolist()), 4000)
    (report,) = test.reports()
    assert not report.biased
    assert strata.BEGINNINGS == ("trace", "draws")
