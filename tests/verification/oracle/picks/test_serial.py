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
    IMAGES,
    LAGS,
    LEARNED,
    MOVES,
    PERIODS,
    STAKES,
    TURNS,
    Serial,
    copulas,
    echo_factors,
    words,
)
from asura_verify.oracle.picks.uniforms import (
    Uniforms,
    intervals,
    lagged,
    odds,
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
    assert portions(np.zeros((1, 2, 4))).tolist() == [[[0.25] * 4] * 2]


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
    starts, ends, there = lagged(more, 2, np.array([3, 1]))
    assert there.tolist() == [[False, True], [True, True]]
    assert (starts[1].tolist(), ends[1].tolist()) == ([0, 0], [0.5, 0.5])
    assert lagged(more, 3, np.array([2]))[2].tolist() == [[False], [True], [True]]  # of one trace


def test_the_same_iteration_of_another_trace_is_nobody_s_bet() -> None:
    """Equal seeds are no dependence; another iteration, or another draw of the trace, is one."""
    starts, ends = np.arange(4) / 4, np.arange(1, 5) / 4
    two = Uniforms(starts, ends, np.array([0, 1, 0, 1]), np.array([3, 3, 4, 4]))
    there = lagged(two, 2, np.array([1, 2, 3]))[2]
    assert there.T.tolist() == [[True, True], [False, False], [False, True]]


def test_the_odds_of_a_bet() -> None:
    """Without a chance, or where nobody bets, nothing is gained."""
    chances, active = np.array([0.5, 0.0, 0.25]), np.array([True, True, False])
    assert odds(np.array([0.25, 0.5, 0.5]), chances, active).tolist() == [0.5, 1, 1]
    wide = odds(np.array([[0.25, 1.0]] * 3), chances, active[:, None])
    assert wide.tolist() == [[0.5, 2], [1, 1], [1, 1]]


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
    return dict(zip(words("echo"), made.capitals["echo"].tolist(), strict=True))


def turned(made: Serial, what: str, ago: str = "the one before") -> dict[str, float]:
    """The pairs of one lag, by when they may stand."""
    found = echoes(made)
    return {turn: found[f"uniforms-{what} {ago}: {turn})"] for turn in TURNS}


MIRROR, HALF = "antithetic (1 minus", "moved (by a half from"
ACROSS = "uniforms-antithetic (1 minus those of the trace before: "


@pytest.mark.parametrize("what", [MIRROR, HALF])
def test_pairs_of_uniforms(what: str) -> None:
    """0 and 3 mirror each other, as 1 and 2 do; a half from 0 is 2, and from 1 is 3."""
    picks = [0, 3, 0, 1, 2] if what == MIRROR else [0, 2, 0, 1, 3]
    found = turned(played(picks), what)
    assert found["every draw"] == near(3 * HIT + NEVER)
    assert found["odd draws"] == near(HIT + NEVER)
    assert found["even draws"] == near(2 * HIT)
    assert found["odd iterations"] == near(HIT + NEVER)
    assert found["even iterations"] == near(2 * HIT)
    across = echoes(played(picks))
    assert across[ACROSS + "even traces)"] == across[ACROSS + "odd traces)"] == 0


def test_pairs_may_be_of_all_draws_or_of_those_of_a_trace() -> None:
    """Three and two draws: the last pick is the fourth of all, and the first of its trace."""
    found = turned(played([0, 1, 2], [1, 1]), MIRROR)
    assert found["every draw"] == near(2 * HIT + 2 * NEVER)
    assert found["odd draws"] == near(NEVER + HIT)
    assert found["even draws"] == near(HIT + NEVER)
    assert found["odd iterations"] == near(2 * NEVER)
    assert found["even iterations"] == near(HIT)


def test_pairs_may_be_some_draws_apart() -> None:
    """Three and three; then a trace in which the pairs are counted anew."""
    apart = "the one 3 draws before"
    found = turned(played([0, 1, 2, 3, 2, 1, 0, 0]), MIRROR, apart)
    assert found["odd draws"] == found["odd iterations"] == near(3 * HIT)
    assert found["even draws"] == found["even iterations"] == near(HIT + NEVER)
    assert found["every draw"] == near(4 * HIT + NEVER)
    other = turned(played([0, 1], [3, 2, 3, 0, 1]), MIRROR, apart)
    # 3 after 0 ends a gap of three, across the traces; then 0 after 3 and 1 after 2 inside.
    assert other["every draw"] == near(2 * HIT + 2 * NEVER)
    assert other["even iterations"] == 0
    assert other["odd iterations"] == near(2 * HIT)
    assert other["odd draws"] == near(HIT + 2 * NEVER)
    assert other["even draws"] == near(HIT)
    assert LAGS.tolist() == list(range(1, 17))
    assert len(IMAGES) == 2


def test_traces_may_mirror_the_one_before() -> None:
    found = echoes(played([0, 1, 2], [3, 2, 2, 1], [0, 0]))
    assert found[ACROSS + "even traces)"] == near(2 * HIT + NEVER)
    assert found[ACROSS + "odd traces)"] == near(HIT + NEVER)
    # The one before has no draw.
    assert echoes(played([0], [], [3]))[ACROSS + "odd traces)"] == 0


def test_moved_and_faint_uniforms() -> None:
    """The golden section takes [0, 1/4) to [.618, .868)."""
    golden = (math.sqrt(5) - 1) / 2
    share = (0.75 - golden) * 4
    one = echoes(played([0, 2]))["uniforms-moved (by 0.618 from one to the next)"]
    assert one == near(LN((1 - DOUBT) * share * 4 + DOUBT))
    assert echoes(played([0]))["uniforms-moved (by 0.618 from one to the next)"] == 0
    for lag, ago in ((1, "the one before"), (3, "the one 3 draws before")):
        found = echoes(played([x for x in (0, 2, 0, 0) for _ in range(lag)][: 3 * lag + 1]))
        for faint, chance in zip(FAINT, ("0.5", "0.1"), strict=True):
            same = LN((1 - faint) * 4 + faint)
            expected = same + 2 * lag * LN(faint)
            name = f"uniforms-repeated (with chance {chance} {ago})"
            assert found[name] == near(expected)


def test_copulas_of_neighbours() -> None:
    """The quarter [0, 1/4) is four cells, and so is [3/4, 1)."""
    matrices = copulas()
    for lag in (1, 2, 16):
        found = played([*[0] * lag, 3]).capitals["copula"]
        for c, rho in enumerate(CORRELATIONS):
            mass = matrices[:4, c, 12:].sum(axis=1).mean()
            stays = matrices[:4, c, :4].sum(axis=1).mean()
            assert found[10 * (lag - 1) + c] == near(LN(mass * 4))
            if lag == 2:
                assert found[c] == near(LN(stays * 4) + LN(mass * 4))
            said = "the one before" if lag == 1 else f"the one {lag} draws before"
            assert words("copula")[10 * (lag - 1) + c] == (
                f"uniforms-correlated (by {rho:g} with {said})"
            )


def test_cells_that_are_learned() -> None:
    """Eight cells, one pseudo-count each; a quarter is two of them, half a count in each."""
    found = played([0, 0, 0]).capitals["learned"]
    alone = [LN(1.0), LN(2 * 1.5 / 9 * 4), LN(2 * 2 / 10 * 4)]
    assert found[0] == near(sum(alone))
    second = 2 * (1 + 0.25) / (8 + 0.5) * 4
    assert found[1] == near(LN(second))
    assert found[2] == 0  # one pair of lag 2, and nothing learned before it
    assert played([0, 0, 0, 0]).capitals["learned"][2] == near(LN(second))
    assert LEARNED == (0, 1, 2)


def test_what_is_learned_does_not_depend_on_blocks() -> None:
    rng = np.random.default_rng(8)
    picks = rng.integers(0, 4, 300)
    p = rng.dirichlet(np.full(4, 2.0), 300)
    whole, parts = Serial.new(), Serial.new()
    whole.begin()
    parts.begin()
    path = whole.play(p, picks)
    cuts = (0, 1, 12, 13, 130, 300)
    cut = [parts.play(p[a:b], picks[a:b]) for a, b in itertools.pairwise(cuts)]
    assert np.concatenate(cut).tolist() == near(path.tolist())
    assert np.allclose(whole.counts, parts.counts, rtol=1e-9, atol=1e-12)
    for kind in ("echo", "copula", "learned", "shape"):
        left, right = whole.capitals[kind], parts.capitals[kind]
        assert np.allclose(left, right, rtol=1e-9, atol=1e-12)
    for kind in ("period", "group"):
        alive = np.isfinite(whole.capitals[kind])
        assert np.array_equal(alive, np.isfinite(parts.capitals[kind]))
        left, right = whole.capitals[kind][alive], parts.capitals[kind][alive]
        assert np.allclose(left, right, rtol=1e-9, atol=1e-12)
    assert parts.draws == whole.draws == 300


# -- periods ---------------------------------------------------------------------------------------


def periods(*traces: list[int]) -> dict[int, float]:
    return dict(zip(PERIODS.tolist(), played(*traces).capitals["period"].tolist(), strict=True))


def test_a_period_gains_where_uniforms_come_again() -> None:
    found = periods([0, 1, 2, 0, 1, 3])
    assert found[3] == near(2 * HIT + NEVER)
    assert found[1] == near(5 * NEVER)
    assert found[2] == near(4 * NEVER)
    assert found[5] == near(NEVER)
    assert found[6] == found[1024] == found[32_768] == 0


def test_equal_seeds_are_no_period() -> None:
    """The same iteration of an earlier trace is nobody's bet; another one is."""
    found = periods([0, 1, 2], [0, 1, 2])
    assert found[3] == 0
    assert found[1] == near(5 * NEVER)
    apart = periods([0, 1], [2, 0, 1])
    assert apart[3] == near(2 * HIT)


def test_a_period_that_lost_enough_is_dismissed() -> None:
    """At 1/64 a mismatch, after the fifteenth."""
    picks = [k % 2 for k in range(40)]
    for count, finite in ((15, True), (16, False)):
        assert np.isfinite(played(picks[:count]).capitals["period"][0]) == finite
    late = played(picks)
    assert late.capitals["period"][0] == -np.inf
    assert late.capitals["period"][1] == near(38 * HIT)
    assert late.capitals["period"][20] == -np.inf or np.isfinite(late.capitals["period"][20])


def test_the_mixture_is_the_sum_of_all_capitals() -> None:
    made = Serial.new()
    made.begin()
    picks = np.array([0, 3, 1, 1, 2, 0, 3])
    path = made.play(np.tile([0.125, 0.375, 0.25, 0.25], (7, 1)), picks)
    assert list(made.capitals) == list(STAKES)
    total = sum(float(STAKES[kind] @ np.exp(logs)) for kind, logs in made.capitals.items()) / 6
    assert path[-1] == near(LN(total))
    for kind, stakes in STAKES.items():
        assert stakes.sum() == near(1)
        assert len(words(kind)) == len(stakes)


def test_a_copy_is_its_own() -> None:
    made = played([0, 1, 2])
    other = made.copied()
    groups = made.groups
    before = *made.capitals.values(), made.counts, *groups
    kept = [known.copy() for known in before]
    other.begin()
    other.play(np.tile(EVEN, (5, 1)), np.array([3, 0, 3, 0, 3]))
    assert (made.draws, made.trace, len(made.past)) == (3, 1, 3)
    assert made.groups is groups
    now = *made.capitals.values(), made.counts, *groups
    for old, new in zip(kept, now, strict=True):
        assert np.array_equal(old, new)
    assert (other.draws, other.trace, len(other.current), len(other.earlier)) == (8, 2, 5, 3)


def test_no_more_is_remembered_than_the_longest_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "_LONGEST", 4)
    made = played([0, 1, 2], [3, 0, 1])
    assert len(made.past) == 4
    assert made.past.starts.tolist() == [0.5, 0.75, 0, 0.25]
    assert made.draws == 6


# -- words -----------------------------------------------------------------------------------------


LAGGED = sum(1 / lag**2 for lag in range(1, 17))  # what lag 1 has of those at every lag


@pytest.mark.parametrize(
    ("kind", "place", "stake", "said"),
    [
        ("echo", 16, 1, "uniforms-antithetic (1 minus the one before: odd draws)"),
        (
            "echo",
            33,
            1 / 4,
            "uniforms-antithetic (1 minus the one 2 draws before: even iterations)",
        ),
        ("echo", 144, 1, "uniforms-moved (by a half from the one before: every draw)"),
        ("echo", 176, 1, "uniforms-repeated (with chance 0.1 the one before)"),
        ("echo", -6, 1, "uniforms-antithetic (1 minus those of the trace before: even traces)"),
        ("echo", -4, 1, "uniforms-moved (by 0.618 from one to the next)"),
        ("copula", 7, 1, "uniforms-correlated (by 0.5 with the one before)"),
        ("copula", 155, 1 / 256, "uniforms-correlated (by 0.15 with the one 16 draws before)"),
        ("learned", 0, 1, "uniforms-uneven (not uniform on [0, 1))"),
        ("learned", 1, 1, "uniforms-dependent (on the one before)"),
        ("learned", 2, 1, "uniforms-dependent (on the last but one)"),
        ("period", 999, 1 / 1000, "uniforms-periodic (the same again after 1000 draws)"),
        ("shape", 0, 1, "uniforms-uneven (0.3 times as dense below 1/12 as above)"),
        ("group", 2, 3 / 3, "uniforms-stratified (3 draws, one in each part, in any order)"),
    ],
)
def test_who_leads(kind: str, place: int, stake: float, said: str) -> None:
    made = Serial.new()
    made.capitals[kind][place] = 20.0
    value, found = made.best()
    assert found == said
    assert words(kind)[place] == said
    everything = {
        "echo": 12 * LAGGED + 6, "copula": 10 * LAGGED, "learned": 3, "shape": 129,
        "period": sum(1 / t for t in range(1, 32_769)),
        "group": 8 * sum(1 / k for k in range(2, 257)) + 4 * sum(1 / k for k in range(2, 17)),
    }  # fmt: skip
    assert value == near(20 + LN(stake / everything[kind] / 6))


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


def correlated(rho: float, lag: int = 1) -> Sampler:
    narrow = math.sqrt(1 - rho * rho)

    def made(rng: np.random.Generator) -> Iterator[Callable[[Doubles], tuple[int, float]]]:
        past = rng.standard_normal(lag).tolist()
        while True:
            old = past.pop(0)
            z = rho * old + narrow * float(rng.standard_normal())
            past.append(z)

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
        (correlated(-0.4), ("uniforms-correlated (by -0.", "uniforms-dependent (on the one b")),
        (
            correlated(0.5, 3),
            tuple(
                f"uniforms-correlated (by {rho} with the one 3 draws before)"
                for rho in (0.3, 0.5, 0.7)
            ),
        ),
        (sticking, ("picks-repeated", "uniforms-repeated")),
    ],
    ids=["antithetic", "correlated", "negatively", "three-apart", "sticking"],
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


@pytest.mark.parametrize("period", [1, 7, 137, 1000, 1501, 3001])
def test_a_period_is_seen_soon_after_it_begins_again(period: int) -> None:
    """Necessary is the period itself, and some picks of an entropy of two.

    A multiple of the sixty draws of a trace would be the same iteration of another one.
    """
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
    assert near((golden, golden**2, 0.41421356237309503, 0.7320508075688772)) == MOVES.tolist()
    assert FAINT == (0.5, 0.9)
    assert PERIODS.tolist() == list(range(1, 32_769))
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
    assert np.all(np.isfinite(made.capitals["copula"]))
    assert np.all(np.isfinite(made.capitals["learned"]))
    assert made.capitals["copula"][:10].tolist() == near([0.0] * 10)  # the pick between has none


def test_when_all_periods_are_dismissed_nothing_is_left_of_their_stake() -> None:
    made = Serial.new()
    made.capitals["period"] = np.full(len(PERIODS), -np.inf)
    made.begin()
    path = made.play(np.tile(EVEN, (1, 1)), np.array([0]))
    others = sum(STAKES[kind] @ np.exp(made.capitals[kind]) for kind in STAKES if kind != "period")
    assert path[0] == near(LN(float(others) / 6))
    assert np.all(np.isfinite(made.play(np.tile(EVEN, (1, 1)), np.array([1]))))


# -- fairness after any past -----------------------------------------------------------------------


@pytest.mark.parametrize("lengths", [(1, 0), (7, 5, 6), (40, 0, 23), (130, 300)])
def test_no_bet_on_uniforms_is_expected_to_gain(lengths: tuple[int, ...]) -> None:
    """Over all picks, of which one has no chance, the mean factor of every capital is 1.

    With the past of so many draws in so many traces, known to the bets; a capital that is dismissed
    by a pick has less. That is the whole of the proof that the mixture is a supermartingale: no
    more was assumed of the past.
    """
    rng = np.random.default_rng(sum(lengths))
    made = Serial.new()
    for length in lengths:
        made.begin()
        if length:
            p = rng.dirichlet(np.full(6, 0.7), length)
            made.play(p, np.array([placed(float(rng.uniform()), row) for row in p]))
    p = np.insert(rng.dirichlet(np.full(5, 0.7)), 2, 0.0)
    means = {kind: np.zeros(len(stakes)) for kind, stakes in STAKES.items()}
    for index in np.flatnonzero(p):
        after = made.copied()
        after.play(p[None, :], np.array([index]))
        for kind, mean in means.items():
            alive = np.isfinite(after.capitals[kind])
            gains = after.capitals[kind][alive] - made.capitals[kind][alive]
            mean[alive] += p[index] * np.exp(gains)
    for kind, mean in means.items():
        assert np.all(mean <= 1 + 1e-12), kind
        level = made.capitals[kind]
        assert np.all(mean[level > -50] >= 1 - 1e-12), kind
