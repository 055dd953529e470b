"""The bets on uniforms: gains that are worked out by hand, and dependence that is seen in time."""

import itertools
import math
from collections.abc import Callable, Iterator
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks import serial
from asura_verify.oracle.picks.distribution import DistributionReport, DistributionTest
from asura_verify.oracle.picks.serial import (
    CORRELATIONS,
    DOUBT,
    FAINT,
    LAGS,
    MIRRORS,
    MOVES,
    PERIODS,
    STAKES,
    Serial,
    Uniforms,
    copulas,
    echo_factors,
    intervals,
    lagged,
    overlap,
    portions,
    shared,
)

LN = math.log
NORMAL = NormalDist()
EVEN = np.full(4, 0.25)


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


# -- parts -----------------------------------------------------------------------------------------


def test_the_intervals_fill_the_unit() -> None:
    p = np.array([[0.25, 0.0, 0.5, 0.25], [0.125, 0.125, 0.25, 0.5]])
    starts, ends = intervals(np.repeat(p, 4, axis=0), np.tile(np.arange(4), 2))
    assert starts.tolist() == [0, 0.25, 0.25, 0.75, 0, 0.125, 0.25, 0.5]
    assert ends.tolist() == [0.25, 0.25, 0.75, 1, 0.125, 0.25, 0.5, 1]
    rough = np.random.default_rng(3).dirichlet(np.full(7, 0.2), 50) * 0.999
    each = [intervals(rough, np.full(50, k)) for k in range(7)]
    assert np.all(each[0][0] == 0)
    assert np.all(each[-1][1] == 1)
    assert all(np.all(a[1] == b[0]) for a, b in itertools.pairwise(each))


def test_overlaps() -> None:
    a, b = np.array([0.0, 0.25, 0.5]), np.array([0.5, 0.75, 0.5])
    assert overlap(a, b, np.array([0.25]), np.array([1.0])).tolist() == [0.25, 0.5, 0]
    assert overlap(a, b, np.array([0.75]), np.array([1.0])).tolist() == [0, 0, 0]
    cells = shared(np.array([0.0, 0.3125]), np.array([1.0, 0.4375]), 8)
    assert cells.tolist() == [[0.125] * 8, [0, 0, 0.0625, 0.0625, 0, 0, 0, 0]]
    assert portions(cells)[1].tolist() == [0, 0, 0.5, 0.5, 0, 0, 0, 0]


def test_an_echo_is_a_density_mixed_with_the_constant_one() -> None:
    """Of [1/4, 1/2) a half is met; modulo 1, [3/4, 5/4) is two quarters."""
    half = np.array([0.5])
    now = np.array([0.375]), np.array([0.875])
    found = echo_factors((np.array([0.25]), half), now, half)
    assert found.tolist() == near([(1 - DOUBT) * 0.125 / 0.25 / 0.5 + DOUBT])
    wrapped = echo_factors((np.array([0.75]), np.array([1.25])), now, half, 0.5)
    assert wrapped.tolist() == near([0.5 * 0.125 / 0.5 / 0.5 + 0.5])
    start = echo_factors((np.array([0.75]), np.array([1.25])), (half * 0, half), half, 0.5)
    assert start.tolist() == near([0.5 * 0.25 / 0.5 / 0.5 + 0.5])
    nothing = echo_factors((half, half), now, half)
    assert nothing.tolist() == [1]
    assert echo_factors((half * 0, half), now, np.zeros(1)).tolist() == [1]


def test_a_copula_is_stochastic_and_that_of_gauss() -> None:
    matrices = copulas()
    assert matrices.shape == (16, len(CORRELATIONS), 16)
    assert np.all(matrices >= 0)
    assert np.abs(matrices.sum(axis=2) - 1).max() < 1e-14
    mirrored = matrices[::-1]
    for c, rho in enumerate(CORRELATIONS):
        other = CORRELATIONS.index(-rho)
        assert np.abs(mirrored[:, c] - matrices[:, other]).max() < 1e-9
        corner = matrices[0, c, 0]
        assert bool(corner > 1 / 16) is (rho > 0)
        middle = NORMAL.inv_cdf(1 / 32), NORMAL.inv_cdf(1 / 16)
        guess = NORMAL.cdf((middle[1] - rho * middle[0]) / math.sqrt(1 - rho * rho))
        assert corner == pytest.approx(guess, abs=0.05)


def test_what_is_known_of_uniforms() -> None:
    some = Uniforms(np.array([0.0, 0.5]), np.array([0.5, 1.0]), np.array([0, 1]), np.array([3, 3]))
    more = Uniforms.none().followed_by(some).followed_by(some)
    assert len(more) == 4
    assert more.places.tolist() == [0, 1, 0, 1]
    assert more.traces.tolist() == [3] * 4
    kept = more.last(3)
    assert kept.starts.tolist() == [0.5, 0, 0.5]
    assert kept.ends.tolist() == [1, 0.5, 1]
    assert len(kept.places) == len(kept.traces) == 3
    assert len(more.last(4)) == len(more.last(9)) == 4
    starts, ends, there = lagged(more, 2, 3)
    assert there.tolist() == [False, True]
    assert (starts[1], ends[1]) == (0, 0.5)


# -- gains, by hand --------------------------------------------------------------------------------

NEVER = LN(DOUBT)  # an echo that is contradicted
HIT = LN((1 - DOUBT) * 4 + DOUBT)  # and one that is met, with four even points


def played(*traces: list[int], p: Doubles = EVEN) -> Serial:
    made = Serial.new()
    for picks in traces:
        made.begin()
        if picks:
            made.play(np.tile(p, (len(picks), 1)), np.array(picks))
    return made


def echoes(made: Serial) -> dict[str, float]:
    names = (*MIRRORS, *(f"move {c:.3f}" for c in MOVES), *(f"faint {e}" for e in FAINT))
    return dict(zip(names, made.echoes.tolist(), strict=True))


def test_mirrored_uniforms() -> None:
    """0 and 3 mirror each other, and so do 1 and 2: at the second and at the third draw of five."""
    found = echoes(played([0, 3, 0, 1, 2]))
    assert found["every draw"] == near(3 * HIT + NEVER)
    assert found["odd draws"] == near(HIT + NEVER)
    assert found["even draws"] == near(2 * HIT)
    assert found["odd iterations"] == near(HIT + NEVER)
    assert found["even iterations"] == near(2 * HIT)
    assert found["even traces"] == found["odd traces"] == 0


def test_pairs_may_be_of_all_draws_or_of_those_of_a_trace() -> None:
    """Three and two draws: the last pick is the fourth of all, and the first of its trace."""
    found = echoes(played([0, 1, 2], [1, 1]))
    assert found["every draw"] == near(2 * HIT + 2 * NEVER)
    assert found["odd draws"] == near(NEVER + HIT)
    assert found["even draws"] == near(HIT + NEVER)
    assert found["odd iterations"] == near(2 * NEVER)
    assert found["even iterations"] == near(HIT)


def test_traces_may_mirror_the_one_before() -> None:
    found = echoes(played([0, 1, 2], [3, 2, 2, 1], [0, 0]))
    assert found["even traces"] == near(2 * HIT + NEVER)
    assert found["odd traces"] == near(HIT + NEVER)
    assert echoes(played([0], [], [3]))["odd traces"] == 0  # the one before has no draw


def test_moved_and_faint_uniforms() -> None:
    """By a half, 0 becomes 2 and 3 becomes 1; the golden section takes [0, 1/4) to [.618, .868)."""
    found = echoes(played([0, 2, 0, 0]))
    assert found["move 0.500"] == near(2 * HIT + NEVER)
    golden = (math.sqrt(5) - 1) / 2
    share = (0.75 - golden) * 4
    one = echoes(played([0, 2]))
    assert one["move 0.618"] == near(LN((1 - DOUBT) * share * 4 + DOUBT))
    for faint in FAINT:
        same = LN((1 - faint) * 4 + faint)
        assert found[f"faint {faint}"] == near(same + 2 * LN(faint))


def test_copulas_of_neighbours() -> None:
    """The quarter [0, 1/4) is four cells, and so is [3/4, 1)."""
    found = played([0, 3]).copulas
    matrices = copulas()
    for c in range(len(CORRELATIONS)):
        mass = matrices[:4, c, 12:].sum(axis=1).mean()
        assert found[c] == near(LN(mass * 4))


def test_cells_that_are_learned() -> None:
    """Eight cells, one pseudo-count each; a quarter is two of them, half a count in each."""
    found = played([0, 0, 0]).learned
    alone = [LN(1.0), LN(2 * 1.5 / 9 * 4), LN(2 * 2 / 10 * 4)]
    assert found[0] == near(sum(alone))
    second = 2 * (1 + 0.25) / (8 + 0.5) * 4
    assert found[1] == near(LN(second))
    assert found[2] == 0  # one pair of lag 2, and nothing learned before it
    assert played([0, 0, 0, 0]).learned[2] == near(LN(second))
    assert LAGS == (0, 1, 2)


def test_what_is_learned_does_not_depend_on_blocks() -> None:
    rng = np.random.default_rng(8)
    picks = rng.integers(0, 4, 300)
    p = rng.dirichlet(np.full(4, 2.0), 300)
    whole, parts = Serial.new(), Serial.new()
    whole.begin()
    parts.begin()
    path = whole.play(p, picks)
    cut = [parts.play(p[a:b], picks[a:b]) for a, b in ((0, 1), (1, 130), (130, 131), (131, 300))]
    assert np.concatenate(cut).tolist() == near(path.tolist())
    for kind in ("echoes", "copulas", "learned", "counts"):
        assert np.allclose(getattr(whole, kind), getattr(parts, kind), rtol=1e-9, atol=1e-12)
    alive = np.isfinite(whole.periods)
    assert np.array_equal(alive, np.isfinite(parts.periods))
    assert parts.draws == whole.draws == 300


# -- periods ---------------------------------------------------------------------------------------


def test_a_period_gains_where_uniforms_come_again() -> None:
    found = dict(zip(PERIODS.tolist(), played([0, 1, 2, 0, 1, 3]).periods.tolist(), strict=True))
    assert found[3] == near(2 * HIT + NEVER)
    assert found[1] == near(5 * NEVER)
    assert found[2] == near(4 * NEVER)
    assert found[5] == near(NEVER)
    assert found[6] == found[1024] == found[32_768] == 0
    assert PERIODS[:1024].tolist() == list(range(1, 1025))


def test_equal_seeds_are_no_period() -> None:
    """The same iteration of an earlier trace is nobody's bet; another one is."""
    found = dict(zip(PERIODS.tolist(), played([0, 1, 2], [0, 1, 2]).periods.tolist(), strict=True))
    assert found[3] == 0
    assert found[1] == near(5 * NEVER)
    apart = dict(zip(PERIODS.tolist(), played([0, 1], [2, 0, 1]).periods.tolist(), strict=True))
    assert apart[3] == near(2 * HIT)


def test_a_period_that_lost_enough_is_dismissed() -> None:
    """At 1/64 a mismatch, after the fifteenth."""
    picks = [k % 2 for k in range(40)]
    for count, finite in ((15, True), (16, False)):
        assert np.isfinite(played(picks[:count]).periods[0]) == finite
    late = played(picks)
    assert late.periods[0] == -np.inf
    assert late.periods[1] == near(38 * HIT)
    assert late.periods[20] == -np.inf or np.isfinite(late.periods[20])


def test_the_mixture_is_the_sum_of_all_capitals() -> None:
    made = Serial.new()
    made.begin()
    picks = np.array([0, 3, 1, 1, 2, 0, 3])
    path = made.play(np.tile([0.125, 0.375, 0.25, 0.25], (7, 1)), picks)
    kinds = {
        "echo": made.echoes, "copula": made.copulas, "learned": made.learned,
        "period": made.periods, "strata": made.strata,
    }  # fmt: skip
    total = sum(STAKES[kind] * float(np.mean(np.exp(logs))) for kind, logs in kinds.items())
    assert path[-1] == near(LN(total))
    assert sum(STAKES.values()) == 1


def test_a_copy_is_its_own() -> None:
    made = played([0, 1, 2])
    other = made.copied()
    kept = made.periods.copy(), made.echoes.copy(), made.counts.copy()
    other.begin()
    other.play(np.tile(EVEN, (5, 1)), np.array([3, 0, 3, 0, 3]))
    assert (made.draws, made.trace, len(made.past)) == (3, 1, 3)
    for old, new in zip(kept, (made.periods, made.echoes, made.counts), strict=True):
        assert np.array_equal(old, new)
    assert (other.draws, other.trace, len(other.current), len(other.earlier)) == (8, 2, 5, 3)


def test_no_more_is_remembered_than_the_longest_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "_LONGEST", 4)
    made = played([0, 1, 2], [3, 0, 1])
    assert len(made.past) == 4
    assert made.past.starts.tolist() == [0.5, 0.75, 0, 0.25]
    assert made.draws == 6


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "place", "stake", "said"),
    [
        ("echoes", 1, 1 / 14, "uniforms-antithetic (1 minus the one before: odd draws)"),
        ("echoes", 5, 1 / 14, "uniforms-antithetic (1 minus those of the trace before: even tra"),
        ("echoes", 7, 1 / 14, "uniforms-moved (by 0.618 from one to the next)"),
        ("echoes", 12, 1 / 14, "uniforms-repeated (often the one before)"),
        ("copulas", 7, 1 / 10, "uniforms-correlated (by 0.5 with the one before)"),
        ("learned", 0, 1 / 3, "uniforms-uneven (not uniform on [0, 1))"),
        ("strata", 2, 1 / 40, "uniforms-stratified (2 draws, one in each of 2 parts of [0, 1)"),
        ("learned", 2, 1 / 3, "uniforms-dependent (on the last but one)"),
        ("periods", 999, 1 / len(PERIODS), "uniforms-periodic (the same again after 1000 draws)"),
    ],
)
def test_who_leads(kind: str, place: int, stake: float, said: str) -> None:
    made = Serial.new()
    getattr(made, kind)[place] = 20.0
    value, words = made.best()
    assert words.startswith(said)
    assert value == near(20 + LN(stake * (4 if kind == "strata" else 15) / 64))


# -- power: dependence that is seen within four times the necessary draws --------------------------


def entropy(p: Doubles) -> float:
    return float(-np.sum(p * np.log(p)))


def divergence(q: Doubles, p: Doubles) -> float:
    return float(np.sum(q[q > 0] * np.log(q[q > 0] / p[q > 0])))


#: Yields, for every draw, what makes a pick and its divergence of the probabilities.
Sampler = Callable[[np.random.Generator], Iterator[Callable[[Doubles], tuple[int, float]]]]


def placed(r: float, p: Doubles) -> int:
    return int(np.searchsorted(np.cumsum(p)[:-1], r, side="right"))


def antithetic(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
    while True:
        r = float(rng.uniform())
        yield lambda p, r=r: (placed(r, p), 0.0)  # type: ignore[misc]
        yield lambda p, r=r: (placed(1 - r, p), entropy(p))  # type: ignore[misc]


def correlated(rho: float) -> Sampler:
    narrow = math.sqrt(1 - rho * rho)

    def made(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
        z = float(rng.standard_normal())
        while True:
            old, z = z, rho * z + narrow * float(rng.standard_normal())

            def pick(p: Doubles, old: float = old, z: float = z) -> tuple[int, float]:
                edges = [NORMAL.inv_cdf(x) for x in np.cumsum(p)[:-1]]
                below = [0.0, *(NORMAL.cdf((e - rho * old) / narrow) for e in edges), 1.0]
                return placed(NORMAL.cdf(z), p), divergence(np.diff(below), p)

            yield pick

    return made


def sticking(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
    last: list[int] = []

    def pick(p: Doubles) -> tuple[int, float]:
        q = p.copy()
        if last:
            q *= 0.9
            q[last[-1]] += 0.1
        last.append(placed(float(rng.uniform()), q))
        return last[-1], divergence(q, p)

    while True:
        yield pick


def periodic(period: int) -> Sampler:
    def made(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
        known = rng.uniform(size=period).tolist()
        while True:
            for r in known:
                yield lambda p, r=r: (placed(r, p), 0.0)  # type: ignore[misc]

    return made


def hunted(sampler: Sampler, seed: int, draws: int) -> tuple[DistributionReport, float]:
    """Traces of 60 draws from ten points, until a bias is seen; the mean divergence."""
    rng = np.random.default_rng([17, seed])
    base = rng.dirichlet(np.full(10, 1.5))
    test, maker = DistributionTest(), sampler(rng)
    gained = 0.0
    for _ in range(draws // 60):
        session = test.session("a", "data", 10, 8)
        for _ in range(60):
            p = base * rng.uniform(0.7, 1.4, 10)
            p /= p.sum()
            index, divergent = next(maker)(p)
            gained += divergent
            session.draw(p, index)
        session.commit()
        (report,) = test.reports()
        if report.biased:
            break
    return report, gained / report.draws


@pytest.mark.parametrize(
    ("sampler", "said"),
    [
        (antithetic, "uniforms-antithetic"),
        (correlated(0.5), "uniforms-correlated (by 0.5"),
        (correlated(-0.4), "uniforms-correlated (by -0."),
        (sticking, ("picks-repeated", "uniforms-repeated")),
    ],
    ids=["antithetic", "correlated", "negatively", "sticking"],
)
@pytest.mark.parametrize("seed", range(3))
def test_dependence_is_seen_within_four_times_the_necessary_draws(
    sampler: Sampler, said: str | tuple[str, ...], seed: int
) -> None:
    report, rate = hunted(sampler, seed, 6000)
    assert report.decided_at is not None
    assert report.decided_at <= 4 * LN(1e6) / rate
    assert report.explanation is not None
    assert report.explanation.startswith(said)


@pytest.mark.parametrize("period", [1, 7, 137, 1000, 2048])
def test_a_period_is_seen_soon_after_it_begins_again(period: int) -> None:
    """Necessary is the period itself, and some picks of an entropy of two."""
    report, _ = hunted(periodic(period), 1, 4000)
    assert report.decided_at is not None
    assert report.decided_at <= period + 30
    assert report.explanation is not None
    if period > 1:
        assert report.explanation == f"uniforms-periodic (the same again after {period} draws)"


def test_independent_uniforms_are_not_accused() -> None:
    """False-alarm probability 1e-6, over 5000 draws."""

    def fair(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
        while True:
            yield lambda p: (placed(float(rng.uniform()), p), 0.0)

    report, _ = hunted(fair, 2, 5000)
    assert not report.biased
    assert report.log_evidence < 6


# -- what is bet on --------------------------------------------------------------------------------


def test_the_constants_of_the_bets() -> None:
    golden = (math.sqrt(5) - 1) / 2
    assert near((golden, golden**2, 0.41421356237309503, 0.7320508075688772, 0.5)) == MOVES
    assert FAINT == (0.5, 0.9)
    longer = [2000, 2048, 4096, 5000, 8192, 10_000, 16_384, 32_767, 32_768]
    assert PERIODS[1024:].tolist() == longer
    assert serial._LONGEST == 32_768
    place, rho = CORRELATIONS.index(0.7), 0.7
    edge, narrow = NORMAL.inv_cdf(1 / 16), math.sqrt(1 - rho * rho)
    inner = [NORMAL.inv_cdf((k + 0.5) / 128) for k in range(8)]
    corner = sum(NORMAL.cdf((edge - rho * z) / narrow) for z in inner) / 8
    assert copulas.__wrapped__()[0, place, 0] == near(corner)


def test_an_image_beyond_one_comes_back_at_zero() -> None:
    beyond = np.array([1.25]), np.array([1.5])
    found = echo_factors(beyond, (np.zeros(1), np.ones(1)), np.ones(1))
    assert found.tolist() == near([1.0])


def test_a_pick_of_no_chance_is_nobody_s_bet() -> None:
    made = played([0, 2, 0], p=np.array([0.5, 0.5, 0.0]))
    assert np.all(np.isfinite(made.copulas))
    assert np.all(np.isfinite(made.learned))
    assert made.copulas.tolist() == near([0.0] * len(CORRELATIONS))


def test_when_all_periods_are_dismissed_nothing_is_left_of_their_stake() -> None:
    made = Serial.new()
    made.periods = np.full(len(PERIODS), -np.inf)
    made.begin()
    path = made.play(np.tile(EVEN, (1, 1)), np.array([0]))
    assert path[0] == near(LN((45 + 4 * float(np.mean(np.exp(made.strata)))) / 64))
    assert np.all(np.isfinite(made.play(np.tile(EVEN, (1, 1)), np.array([1]))))
