"""The bets, one expert at a time, against gains that are worked out by hand."""

import math
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.mistakes.recipe import Doubles, PickContext
from asura_verify.oracle.picks.experts import (
    NAMED,
    PARTS,
    SHARES,
    TILTS,
    TIMED,
    Block,
    Capital,
    Learner,
    advanced,
    before,
    gate_words,
    gates,
    log_mean,
    mistaken,
    named_gains,
    normalised,
    part_gains,
    point_gains,
    tilt_gains,
    watched,
)

LN = math.log


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


def block(chances: list[list[float]], picks: list[int], unlabelled: int = 1) -> Block:
    """Draws of a trace that starts here."""
    p = np.array(chances)
    previous = np.vstack([p[:1], p[:-1]])
    taken = np.array([[i in picks[:j] for i in range(p.shape[1])] for j in range(len(picks))])
    last = np.array([-1, *picks[:-1]])
    return Block(PickContext(p, previous, p[0], unlabelled, taken, last), np.array(picks))


#: Two draws from three points.
TWO = block([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]], [0, 2])


# -- helpers ---------------------------------------------------------------------------------------


def test_distributions_along_the_last_axis() -> None:
    weights = np.array([[[1.0, 3.0], [0.0, 0.0]], [[0.25, 0.25], [0.0, 8.0]]])
    expected = [[[0.25, 0.75], [0.0, 0.0]], [[0.5, 0.5], [0.0, 1.0]]]
    assert normalised(weights).tolist() == expected
    assert normalised(np.array([0.5, 0.0, 0.25, 0.25])).tolist() == [0.5, 0.0, 0.25, 0.25]


def test_sums_of_what_came_before() -> None:
    found = before(np.array([10.0, 0.0]), np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]))
    assert found.tolist() == [[10.0, 0.0], [11.0, 4.0], [13.0, 9.0]]


def test_means_of_exponentials() -> None:
    logs = np.array([[[0.0], [LN(3)]], [[2000.0], [2000.0 + LN(5)]], [[-3000.0], [-np.inf]]])
    weights = np.array([[0.5], [0.5]])
    assert log_mean(logs, weights).tolist() == near([LN(2), 2000 + LN(3), -3000 + LN(0.5)])
    assert log_mean(np.full((1, 2), -np.inf), weights).tolist() == [-np.inf]
    assert log_mean(np.zeros((1, 0)), np.zeros(0)).tolist() == [-np.inf]
    assert log_mean(np.zeros((1, 2)), np.array([1.0, 3.0])).tolist() == near([LN(4)])


def test_who_is_ruined_stays_so() -> None:
    gains = np.array([[1.0, -1000.0, -1000.5, -600.0], [2.0, 500.0, 900.0, -600.0], [3.0, 1, 1, 2]])
    found = advanced(np.array([0.5, 0.0, 0.0, 10.0]), gains)
    assert found[:, 0].tolist() == [1.5, 3.5, 6.5]
    assert found[:, 1].tolist() == [-1000.0, -500.0, -499.0]
    assert found[:, 2].tolist() == [-np.inf] * 3
    assert found[:, 3].tolist() == [-590.0, -np.inf, -np.inf]


def test_the_hits() -> None:
    assert TWO.hits.tolist() == [[True, False, False], [False, False, True]]
    assert TWO.rows.tolist() == [0, 1]


# -- the known mistakes ----------------------------------------------------------------------------


def test_what_the_known_mistakes_pick_with() -> None:
    """The second row of every mistake, in the order of their names."""
    found = dict(zip(NAMED, mistaken(TWO.scene)[1].tolist(), strict=True))
    root = math.sqrt(0.5)
    assert found == {
        "picks-uniform": [1, 1, 1],
        "picks-leverage": [0.5, 0.25, 0.25],
        "picks-rooted": near([0.5, root, 0.5]),
        "picks-squared": [0.0625, 0.25, 0.0625],
        "picks-stale": [0.5, 0.25, 0.25],
        "picks-unlabelled-only": [0.25, 0, 0],
        "picks-tilted": near([0.275, 0.5, 0.25]),
        "picks-never-last": [0.25, 0.5, 0],
        "picks-never-first": [0, 0.5, 0.25],
        "picks-without-replacement": [0, 0.5, 0.25],
        "picks-greedy": [0, 1, 0],
        "picks-repeated": near([0.325, 0.45, 0.225]),
        "picks-never-twice-running": [0, 0.5, 0.25],
        "picks-next": [0.25, 0.25, 0.5],
        "picks-previous": [0.5, 0.25, 0.25],
        "picks-ranked": [0.25, 0.25, 0.5],
        "picks-ranked-down": [0.5, 0.25, 0.25],
        "picks-inverted": [4, 2, 4],
    }
    assert mistaken(TWO.scene)[0, NAMED.index("picks-greedy")].tolist() == [1, 0, 0]


def test_the_gains_of_the_known_mistakes() -> None:
    gains, divergences = named_gains(TWO)
    assert gains.shape == divergences.shape == (2, len(NAMED))
    found = dict(zip(NAMED, np.transpose([gains, divergences], (2, 1, 0)).tolist(), strict=True))
    none = -math.inf
    assert found["picks-uniform"] == [
        near([LN(2 / 3), LN(2 / 3) / 3 + 2 * LN(4 / 3) / 3]),
        near([LN(4 / 3), LN(2 / 3) / 3 + 2 * LN(4 / 3) / 3]),
    ]
    assert found["picks-squared"][0] == near([LN(4 / 3), 2 * LN(4 / 3) / 3 + LN(2 / 3) / 3])
    assert found["picks-never-last"] == [near([LN(4 / 3)] * 2), [none, near(LN(4 / 3))]]
    assert found["picks-never-first"] == [[none, near(LN(2))], near([LN(4 / 3)] * 2)]
    assert found["picks-greedy"] == [near([LN(2)] * 2), [none, near(LN(2))]]
    assert found["picks-leverage"] == [[0, 0], near([0, LN(2) / 2 - LN(2) / 4])]


def test_nobody_bets_on_points_of_hardly_any_probability() -> None:
    """Uniform picks are bet on among the others alone."""
    place = NAMED.index("picks-uniform")
    for tiny, bets in ((0.0, 2), (2.0**-1000, 2), (2.0**-900, 2), (2.0**-899, 3)):
        gains, _ = named_gains(block([[tiny, 0.5, 0.5]], [1]))
        assert gains[0, place] == near(LN(2 / bets))
    lost, _ = named_gains(block([[2.0**-1000, 0.5, 0.5]], [0]))
    assert lost[0, place] == -math.inf


# -- the known mistakes at some iterations ---------------------------------------------------------


def test_the_gates() -> None:
    """From 2^k on, before 2^k, and at one iteration of two to ten."""
    found = dict(zip(gate_words(), gates(np.array([0, 1, 2, 9, 1024])).T.tolist(), strict=True))
    assert len(found) == 2 * 11 + 54
    assert len(NAMED) * len(found) == TIMED
    assert found["from iteration 1 on"] == [False, True, True, True, True]
    assert found["from iteration 2 on"] == [False, False, True, True, True]
    assert found["from iteration 1024 on"] == [False, False, False, False, True]
    assert found["before iteration 1"] == [True, False, False, False, False]
    assert found["before iteration 1024"] == [True, True, True, True, False]
    assert found["at one iteration of 2, from 1 on"] == [False, True, False, True, False]
    assert found["at one iteration of 10, from 9 on"] == [False, False, False, True, False]
    assert found["at one iteration of 10, from 4 on"] == [False, False, False, False, True]


def test_a_mistake_gains_where_its_gate_is_open() -> None:
    """In strides of 256 draws, and from the iteration at which the block begins."""
    capital, size = Capital(), 300
    capital.grow(2)
    p, picks = np.tile([0.75, 0.25], (size, 1)), np.ones(size, dtype=int)
    scene = PickContext(p, p, p[0], 1, np.zeros((size, 2), dtype=bool), np.full(size, -1))
    capital.play(Block(scene, picks, 5), Learner(np.zeros(2), np.zeros(2)))
    found = dict(zip(gate_words(), capital.timed.reshape(-1, len(NAMED)).tolist(), strict=True))
    uniform, greedy = NAMED.index("picks-uniform"), NAMED.index("picks-greedy")
    for name, count in (
        ("from iteration 1 on", 300),
        ("from iteration 256 on", 49),
        ("before iteration 4", 0),
        ("before iteration 8", 3),
        ("at one iteration of 3, from 2 on", 100),
        ("at one iteration of 7, from 4 on", 42),
    ):
        assert found[name][uniform] == near(count * LN(2))
        assert found[name][greedy] == (-np.inf if count else 0)


def test_who_is_dismissed_and_who_rests() -> None:
    """One who bets falls below e^-60 and stays out; one who rests keeps what he has."""
    capital, weights = np.array([0.0, 1.0, -np.inf, 2.0]), np.array([0.5, 0.25, 0.125, 0.125])
    gains = np.array([[-60.0, 1.0], [-1.0, 1.0], [5.0, 1.0]])
    path, after = watched(capital, weights, np.array([0, 3]), gains)
    rest = 0.25 * math.e
    assert np.exp(path).tolist() == near(
        [0.5 * math.exp(-60) + 0.125 * math.exp(3) + rest,
         0.125 * math.exp(4) + rest, 0.125 * math.exp(5) + rest]
    )  # fmt: skip
    assert after.tolist() == [-np.inf, 1.0, -np.inf, 5.0]
    assert capital.tolist() == [0.0, 1.0, -np.inf, 2.0]
    path, after = watched(np.zeros(1), np.ones(1), np.array([0]), np.array([[-60.0]]))
    assert path.tolist() == after.tolist() == [-60.0]  # no less
    path, _ = watched(capital, weights, np.zeros(0, dtype=int), np.zeros((1, 0)))
    assert np.exp(path).tolist() == near([0.5 + rest + 0.125 * math.exp(2)])


# -- parts and points ------------------------------------------------------------------------------


def test_the_gains_of_a_tilted_part() -> None:
    """1 + m (t - 1) is the norm; a hit gains log t besides."""
    tilts = np.array([0.0, 0.5, 3.0])
    found = tilt_gains(np.array([[0.25], [0.25]]), np.array([[True], [False]]), tilts)
    assert found[0, 0].tolist() == near([-math.inf, LN(0.5 / 0.875), LN(3 / 1.5)])
    assert found[1, 0].tolist() == near([-LN(0.75), -LN(0.875), -LN(1.5)])


def test_nobody_bets_that_nearly_everything_is_never_picked() -> None:
    tilts = np.array([0.0, 2.0])
    masses = np.array([1 - 2.0**-10, 1 - 2.0**-11, 1.0])
    miss = tilt_gains(masses, np.zeros(3, dtype=bool), tilts)
    hit = tilt_gains(masses, np.ones(3, dtype=bool), tilts)
    assert miss[:, 0].tolist() == near([10 * LN(2), 0, 0])
    assert hit[:, 0].tolist() == [-math.inf, 0, 0]
    assert hit[:, 1].tolist() == near([LN(2 / (1 + m)) for m in masses])


def test_the_parts_are_held_points_and_points_picked_before_or_last() -> None:
    three = block([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]], [1, 2, 1], 2)
    place = TILTS.tolist().index(2.0)
    found = part_gains(three)[:, :, place]
    assert found[:, 0].tolist() == near([-LN(1.25), LN(2) - LN(1.25), -LN(1.5)])
    assert found[:, 1].tolist() == near([0, -LN(1.5), LN(2) - LN(1.75)])
    assert found[:, 2].tolist() == near([0, -LN(1.5), -LN(1.5)])
    again = part_gains(block([[0.5, 0.5]] * 2, [1, 1]))[:, 2, place]
    assert again.tolist() == near([0, LN(2) - LN(1.5)])
    assert part_gains(three).shape == (3, len(PARTS), len(TILTS))


def test_the_points_are_favoured_one_at_a_time() -> None:
    place = TILTS.tolist().index(2.0)
    found = point_gains(TWO)[:, :, place]
    assert found[0].tolist() == near([LN(2 / 1.5), -LN(1.25), -LN(1.25)])
    assert found[1].tolist() == near([-LN(1.25), -LN(1.5), LN(2 / 1.25)])


@pytest.mark.parametrize("mass", [0.01, 0.5])
def test_every_factor_is_near_to_one_that_is_bet_on(mass: float) -> None:
    """From a fifth to six, 5 % and more: seven tenths of the divergence are gained at least."""
    bets = TILTS[TILTS > 0]
    for factor in (*np.linspace(0.2, 0.95, 76), *np.linspace(1.05, 6.0, 100)):
        norm = 1 + mass * (factor - 1)
        favoured = mass * factor / norm
        best = np.max(favoured * np.log(bets) - np.log1p(mass * (bets - 1)))
        assert best >= 0.7 * (favoured * LN(factor) - LN(norm))
    assert 0.0 in TILTS


# -- learning --------------------------------------------------------------------------------------


def test_a_learner_bets_on_the_ratio_of_counts() -> None:
    """Pseudo-counts 8 and 128: after a hit at p = 1/2 the odds are 9 to 8, and 129 to 128."""
    learner = Learner(np.zeros(2), np.zeros(2))
    even = block([[0.5, 0.5]] * 2, [0, 0])
    assert learner.gains(even).tolist() == [[0, 0], near([LN(18 / 17), LN(258 / 257)])]
    assert learner.counts.tolist() == [2, 0]
    assert learner.expected.tolist() == [1, 1]
    skew = block([[0.25, 0.75]] * 2, [1, 1])

    def second(caution: float) -> float:
        return LN(caution / (0.25 * (2 + caution) + 0.75 * caution))

    def third(caution: float) -> float:
        rare = (2 + caution) / (1.25 + caution)
        often = (1 + caution) / (1.75 + caution)
        return LN(often / (0.25 * rare + 0.75 * often))

    expected = [[second(8), second(128)], [third(8), third(128)]]
    assert learner.gains(skew).ravel().tolist() == near(np.ravel(expected).tolist())
    assert learner.counts.tolist() == [2, 2]
    assert learner.expected.tolist() == [1.5, 2.5]


def test_a_copied_learner_is_its_own() -> None:
    learner = Learner(np.zeros(2), np.zeros(2))
    other = learner.copied()
    other.counts[0] = other.expected[1] = 3.0
    assert learner.counts.tolist() == learner.expected.tolist() == [0, 0]


# -- stakes ----------------------------------------------------------------------------------------


def test_new_points_get_stakes_and_the_ends_larger_ones() -> None:
    """Three quarters of what is left, in the proportions 1, 1/2, 1/2, 1."""
    capital = Capital()
    assert (capital.reserve, len(capital.points), len(capital.stakes)) == (1, 0, 0)
    capital.grow(4)
    assert capital.stakes.tolist() == near([0.25, 0.125, 0.125, 0.25])
    assert capital.reserve == 0.25
    capital.grow(5)
    assert capital.stakes[4] == near(0.1875)
    assert capital.points.tolist() == np.zeros((5, len(TILTS))).tolist()
    for size in (5, 3):
        capital.grow(size)
        assert len(capital.stakes) == len(capital.points) == 5
        assert capital.reserve == 0.0625
    capital.grow(10)  # five at once: 1, 1/2, 1/3, 1/2, 1 of 10/3
    assert capital.stakes[5:].tolist() == near([0.046875 * x for x in (0.3, 0.15, 0.1, 0.15, 0.3)])


def test_the_stakes_are_one_together() -> None:
    assert sum(SHARES.values()) == 1
    assert list(SHARES) == ["named", "timed", "part", "point", "learning"]
    assert all(share >= 1 / 16 for share in SHARES.values())


def mixture(capital: Capital) -> float:
    """What all capitals are worth together."""
    points = np.mean(np.exp(capital.points), axis=1)
    return float(
        SHARES["named"] * np.mean(np.exp(capital.named))
        + SHARES["timed"] * np.mean(np.exp(capital.timed))
        + SHARES["part"] * np.mean(np.exp(capital.parts))
        + SHARES["point"] * (capital.reserve + np.sum(capital.stakes * points))
        + SHARES["learning"] * np.mean(np.exp(capital.learning))
    )


def states(capital: Capital) -> list[Doubles]:
    return [capital.named, capital.timed, capital.parts, capital.points, capital.learning]


def test_the_mixture_is_the_sum_of_all_capitals() -> None:
    """Five points first, then three of other data while the rest waits; singly and together."""
    rng = np.random.default_rng(3)
    single, together = Capital(), Capital()
    for size, picks in ((5, [0, 3, 3, 1]), (3, [2, 2, 0, 1])):
        chances = normalised(rng.uniform(0.5, 1.5, (len(picks), size))).tolist()
        whole = block(chances, picks)
        path = []
        single.grow(size)
        together.grow(size)
        learner = Learner(np.zeros(size), np.zeros(size))
        for j in range(len(picks)):
            scene = whole.scene
            one = PickContext(
                scene.probabilities[j : j + 1],
                scene.previous[j : j + 1],
                scene.leverages,
                1,
                scene.taken[j : j + 1],
                scene.last[j : j + 1],
            )
            (found,), _ = single.play(Block(one, whole.picks[j : j + 1], j), learner)
            path.append(found)
            assert found == near(LN(mixture(single)))
        joint, divergences = together.play(whole, Learner(np.zeros(size), np.zeros(size)))
        assert joint.tolist() == near(path)
        assert divergences.shape == (len(picks), len(NAMED))
        for left, right in zip(states(single), states(together), strict=True):
            assert left.ravel().tolist() == near(right.ravel().tolist())
    assert np.any(single.points[3:] != 0)


# -- the best explanation --------------------------------------------------------------------------


def test_who_leads_is_weighed_by_the_stakes() -> None:
    """One expert stakes 1/16 of ten, 1/480, 1/80 of the point's stake, and a learner 1/16."""
    learned = "some points are picked too often, others too rarely"

    def leader(kind: str, place: tuple[int, ...], gain: float, learning: float = 0.0) -> str:
        capital = Capital()
        capital.grow(2)  # stakes 3/8 each
        getattr(capital, kind)[place] = gain
        capital.learning[1] = learning
        return capital.best()[1]

    assert leader("named", (0,), 0.0) == learned
    for kind, place, stake, said in (
        ("named", (3,), 10 / 16 / len(NAMED), "picks-squared"),
        ("timed", (18 * 11 + 10,), 1 / 16 / TIMED, "picks-greedy (before iteration 1)"),
        ("timed", (5,), 1 / 16 / TIMED, "picks-unlabelled-only (from iteration 1 on)"),
        ("parts", (1, 0), 1 / 480, "points picked before never picked"),
        ("parts", (0, 9), 1 / 480, "points of X_2 times 5"),
        ("parts", (2, 2), 1 / 480, "the point picked last times 0.7"),
        ("points", (1, 1), 3 / 640, "point 1 times 0.3"),
        ("points", (0, 0), 3 / 640, "point 0 never picked"),
    ):
        even = LN(1 / 16 / stake)
        for learning in (0.0, 3.0):
            assert leader(kind, place, even + learning + 1e-6, learning) == said
            assert leader(kind, place, even + learning - 1e-6, learning) == learned
    capital = Capital()
    capital.grow(2)
    capital.named[0] = LN(1 / 16 * len(NAMED) * 1.6) + 2
    capital.parts[1, 2] = LN(1 / 16 * 480) + 2 + 1e-6
    assert capital.best()[1] == "points picked before times 0.7"
    capital.points[1, 8] = LN(1 / 16 * 640 / 3) + 2 + 2e-6
    assert capital.best()[1] == "point 1 times 2"
