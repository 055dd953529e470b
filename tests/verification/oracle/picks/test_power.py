"""How many draws a bias takes, and the accounts that the draws are kept in."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.mistakes.recipe import Doubles, PickContext
from asura_verify.oracle.picks import distribution
from asura_verify.oracle.picks.distribution import (
    Account,
    DistributionReport,
    DistributionTest,
    Session,
)
from asura_verify.oracle.picks.experts import NAMED, TILTS, Block, Capital, Learner
from asura_verify.oracle.picks.power import HOPELESS, Need, Power, divergence_of_tilt, draws_for
from asura_verify.oracle.picks.serial import Serial

LN = math.log


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


# -- draws -----------------------------------------------------------------------------------------


def test_draws_are_rounded_up_and_given_below_a_million_millions() -> None:
    assert draws_for(10.0, 4.0) == 3
    assert draws_for(8.0, 4.0) == 2
    assert draws_for(0.25 * 10**12, 0.25) is None
    assert draws_for(0.25 * 10**12 - 1, 0.25) == 10**12 - 4
    assert draws_for(1.0, 0.0) is None


@pytest.mark.parametrize(
    ("expected", "hopeless"), [(100_000, False), (100_001, True), (1, False), (None, True)]
)
def test_what_is_hopeless(expected: int | None, hopeless: bool) -> None:
    assert Need("some", 0.1, 1, expected).hopeless is hopeless
    assert HOPELESS == 10**5


def test_the_divergence_of_a_tilt() -> None:
    """q log(q/p) summed, q being p with one point favoured."""
    for tilt in (0.0, 0.5, 1.1, 2.0):
        masses = np.array([0.25, 0.5, 1.0, 0.0])
        expected = []
        for p in (0.25, 0.5):
            q = tilt * p / (tilt * p + 1 - p)
            rest = (1 - q) * LN((1 - q) / (1 - p))
            expected.append(q * LN(q / p) + rest if q else rest)
        assert divergence_of_tilt(masses, tilt).tolist() == near([*expected, 0, 0])


# -- the power of the bets -------------------------------------------------------------------------

#: Two draws; the third point never has a chance, the last one is the likeliest.
CHANCES = np.array([[0.25, 0.125, 0.0, 0.5, 0.125], [0.25, 0.25, 0.0, 0.375, 0.125]])
DIVERGENCES = np.outer([1.0, 3.0], np.arange(1.0, len(NAMED) + 1))


def expected_betting(tilt: float, chances: Doubles) -> list[list[float]]:
    """What a bet on each tilt gains in the mean, when points are favoured by another."""
    rows = []
    for column in chances.T.tolist():
        gains = [0.0] * len(TILTS)
        for p in column:
            norm = 1 + p * (tilt - 1)
            q = tilt * p / norm if tilt else 0.0
            for k, bet in enumerate(TILTS.tolist()):
                if bet:
                    gains[k] += q * LN(bet) - LN(1 + p * (bet - 1))
                elif tilt or p == 1:
                    gains[k] += -math.inf if tilt else 0.0
                else:
                    gains[k] += -LN(1 - p)
        rows.append(gains)
    return rows


@pytest.mark.parametrize("tilt", [0.0, 0.5, 1.1, 3.0])
def test_the_sums_over_draws(tilt: float) -> None:
    power = Power(tilt)
    assert (power.draws, len(power.masses), len(power.tilted), len(power.betting)) == (0, 0, 0, 0)
    power.add(CHANCES, DIVERGENCES)
    assert power.draws == 2
    assert power.named.tolist() == [4.0 * k for k in range(1, len(NAMED) + 1)]
    assert power.masses.tolist() == [0.5, 0.375, 0, 0.875, 0.25]
    assert power.tilted.tolist() == near(divergence_of_tilt(CHANCES, tilt).sum(axis=0).tolist())
    betting = np.array(expected_betting(tilt, CHANCES))
    assert power.betting.ravel().tolist() == near(betting.ravel().tolist())
    power.add(np.array([[0.0, 1.0]]), 2 * DIVERGENCES[:1])
    assert power.draws == 3
    assert power.named.tolist() == [6.0 * k for k in range(1, len(NAMED) + 1)]
    assert power.masses.tolist() == [0.5, 1.375, 0, 0.875, 0.25]
    more = np.array(expected_betting(tilt, np.array([[0.0, 1.0]])))
    assert power.betting[:2].ravel().tolist() == near((betting[:2] + more).ravel().tolist())
    assert power.betting[2:].ravel().tolist() == near(betting[2:].ravel().tolist())
    power.add(np.full((1, 6), 1 / 6), DIVERGENCES[:1])
    assert len(power.masses) == len(power.tilted) == len(power.betting) == 6


def test_what_is_needed() -> None:
    """Stakes: 10/16 of all named mistakes, 1/80 of that of a point."""
    power, capital = Power(2.0), Capital()
    assert power.needs(capital, 1e-3) == ()
    capital.grow(5)
    power.add(CHANCES, DIVERGENCES / 100)
    needs = power.needs(capital, 1e-3)
    assert [need.bias for need in needs] == [
        *NAMED,
        "point 3 (p = 0.44) times 2",
        "point 4 (p = 0.12) times 2",
    ]
    for k, need in enumerate(needs[: len(NAMED)], start=1):
        assert need.divergence == near(0.02 * k)
        assert need.necessary == math.ceil(LN(1000) / (0.02 * k))
        assert need.expected == math.ceil(LN(1600 * len(NAMED)) / (0.02 * k))
    for need, place in zip(needs[len(NAMED) :], (3, 4), strict=True):
        rate = sum(
            2 * p / (1 + p) * LN(2) - LN(1 + p) for p in CHANCES[:, place].tolist()
        ) / 2  # fmt: skip
        assert need.divergence == near(rate)
        assert need.necessary == math.ceil(LN(1000) / rate)
        stake = 1 / 80 * float(capital.stakes[place])
        assert need.expected == math.ceil(LN(1000 / stake) / rate)


def test_a_bet_on_the_nearest_tilt_gains_less_than_the_divergence() -> None:
    power, capital = Power(3.0), Capital()
    capital.grow(2)
    power.add(np.array([[0.5, 0.5]]), np.zeros((1, len(NAMED))))
    likely = power.needs(capital, 1e-6)[-1]
    best = max(0.75 * LN(bet) - LN(1 + (bet - 1) / 2) for bet in (1.3, 2.0, 5.0))
    assert best < likely.divergence
    assert likely.expected == math.ceil(LN(1e6 * 80 / 0.375) / best)


def test_the_only_possible_point_is_named_once() -> None:
    power, capital = Power(1.1), Capital()
    capital.grow(2)
    power.add(np.array([[0.0, 1.0]]), np.zeros((1, len(NAMED))))
    needs = power.needs(capital, 1e-6)
    assert [need.bias for need in needs[len(NAMED) :]] == ["point 1 (p = 1) times 1.1"]
    assert needs[0] == Need(NAMED[0], 0.0, None, None)


# -- accounts --------------------------------------------------------------------------------------


def test_a_new_account_is_empty() -> None:
    account = Account(Capital(), Power(1.1))
    assert [account.traces, account.draws, account.log_evidence, account.peak] == [0] * 4
    assert [account.decided_at, account.explanation] == [None, None]


def surprises(count: int, done: int = 0) -> Block:
    """The less likely of two points, again and again."""
    p = np.tile([0.75, 0.25], (count, 1))
    taken = np.array([[False, j + done > 0] for j in range(count)])
    last = np.array([1 if j + done else -1 for j in range(count)])
    return Block(PickContext(p, p, p[0], 1, taken, last), np.ones(count, dtype=int), done)


def absorbed(alarm: float, *counts: int) -> Account:
    account = Account(Capital(), Power(1.1))
    account.capital.grow(2)
    learner = Learner(np.zeros(2), np.zeros(2))
    for count in counts:
        account.absorb(surprises(count, account.draws), learner, alarm)
    return account


def path(count: int) -> list[float]:
    """The evidence after each of so many surprises."""
    return [absorbed(1e9, k).log_evidence for k in range(1, count + 1)]


def test_the_alarm_is_the_first_draw_that_reaches_it() -> None:
    evidence = path(8)
    assert evidence == sorted(evidence)
    account = absorbed(evidence[4], 8)
    assert account.decided_at == 5
    assert account.draws == 8
    assert account.power.draws == 5  # what comes later is not typical
    assert account.power.masses.tolist() == [3.75, 1.25]
    assert account.explanation is not None
    assert account.log_evidence == near(evidence[7])
    undecided = absorbed(evidence[7] + 1e-9, 8)
    assert undecided.decided_at is None
    assert undecided.explanation is None
    assert undecided.power.draws == 8


def test_the_alarm_may_come_in_a_later_block_and_comes_once() -> None:
    evidence = path(8)
    account = absorbed(evidence[4] - 1e-9, 3, 3, 2)
    assert account.decided_at == 5
    assert account.power.draws == 5
    assert account.draws == 8
    assert account.log_evidence == near(evidence[7])


def test_the_peak_is_kept() -> None:
    account = absorbed(1e9, 3)
    peak = account.log_evidence
    likely = replace(surprises(4), picks=np.zeros(4, dtype=int))
    account.absorb(likely, Learner(np.zeros(2), np.zeros(2)), 1e9)
    assert account.log_evidence < peak
    assert account.peak == peak
    losing = Account(Capital(), Power(1.1))
    losing.capital.grow(2)
    one = replace(surprises(1), picks=np.zeros(1, dtype=int))
    losing.absorb(one, Learner(np.zeros(2), np.zeros(2)), 1e9)
    assert losing.log_evidence < 0
    assert losing.peak == 0
    both = Account(Capital(), Power(1.1))
    both.capital.grow(2)
    up_and_down = replace(surprises(8), picks=np.array([1, 1, 1, 0, 0, 0, 0, 0]))
    both.absorb(up_and_down, Learner(np.zeros(2), np.zeros(2)), 1e9)
    assert both.peak == near(peak)
    assert both.log_evidence < peak


def test_a_copied_account_is_its_own() -> None:
    account = absorbed(1.0, 8)
    other = account.copied()
    assert other.capital.named is account.capital.named
    kept = (
        account.capital.named.tolist(), account.capital.points.tolist(), account.power.draws,
        account.draws, account.traces, account.peak, account.decided_at, account.explanation,
    )  # fmt: skip
    other.absorb(surprises(5), Learner(np.zeros(2), np.zeros(2)), 1.0)
    other.traces += 1
    other.capital.grow(9)
    assert kept == (
        account.capital.named.tolist(), account.capital.points.tolist(), account.power.draws,
        account.draws, account.traces, account.peak, account.decided_at, account.explanation,
    )  # fmt: skip
    assert (other.draws, other.traces, other.decided_at) == (13, 1, account.decided_at)


# -- sessions --------------------------------------------------------------------------------------


class Recorder(Account):
    """An account that keeps the blocks."""

    blocks: list[tuple[Block, float]]

    def absorb(self, block: Block, learner: Learner, alarm: float) -> None:
        assert len(learner.counts) == 3
        self.blocks.append((block, alarm))


@pytest.mark.parametrize("waiting", [1 << 15, 9, 6, 1])
def test_the_scenes_of_a_session(monkeypatch: pytest.MonkeyPatch, waiting: int) -> None:
    """Five draws from three points, in one block, two, three or five."""
    monkeypatch.setattr(distribution, "_BLOCK", waiting)
    chances = np.random.default_rng(5).dirichlet(np.ones(3), 5)
    picks = [2, 0, 2, 2, 1]
    test = DistributionTest(false_alarm=1e-3)
    recorder = Recorder(Capital(), Power(1.1))
    recorder.blocks = []
    session = Session(test, "a", "data", recorder, Learner(np.zeros(3), np.zeros(3)), 2)
    for p, index in zip(chances, picks, strict=True):
        session.draw(p, index)
    session.flush()
    session.flush()
    sizes = {1 << 15: [5], 9: [3, 2], 6: [2, 2, 1], 1: [1] * 5}[waiting]
    assert [len(block.picks) for block, _ in recorder.blocks] == sizes
    firsts = [sum(sizes[:k]) for k in range(len(sizes))]
    assert [block.first for block, _ in recorder.blocks] == firsts
    scenes = [block.scene for block, _ in recorder.blocks]
    assert np.concatenate([block.picks for block, _ in recorder.blocks]).tolist() == picks
    joined = np.concatenate([scene.probabilities for scene in scenes])
    assert joined.tolist() == chances.tolist()
    previous = np.concatenate([scene.previous for scene in scenes])
    assert previous.tolist() == [chances[0].tolist(), *chances[:-1].tolist()]
    taken = np.concatenate([scene.taken for scene in scenes])
    assert taken.tolist() == [[i in picks[:j] for i in range(3)] for j in range(5)]
    for scene in scenes:
        assert scene.leverages.tolist() == chances[0].tolist()
        assert scene.unlabelled == 2
    assert {alarm for _, alarm in recorder.blocks} == {LN(1000)}


def test_no_more_draws_wait_than_fill_a_block() -> None:
    """Four draws from 2^13 points."""
    session = DistributionTest().session("a", "data", 1 << 13, 1)
    even = np.full(1 << 13, 2.0**-13)
    for expected in (0, 0, 0, 4, 4):
        session.draw(even, 7)
        assert session.account.draws == expected


def test_nothing_counts_until_it_is_committed() -> None:
    test = DistributionTest()
    assert (test.false_alarm, test.tilt, test.alarm) == (1e-6, 1.1, near(6 * LN(10)))
    assert test.reports() == []

    def trace(implementation: str, data: str, picks: list[int], *, commit: bool = True) -> Session:
        session = test.session(implementation, data, 2, 1)
        for index in picks:
            session.draw(np.array([0.75, 0.25]), index)
        if commit:
            session.commit()
        return session

    first = trace("a", "data", [1, 0, 1])
    (report,) = test.reports()
    assert (report.implementation, report.traces, report.draws) == ("a", 1, 3)
    assert first.learner.counts.tolist() == [1, 2]
    trace("a", "data", [1] * 50, commit=False).flush()
    assert test.reports() == [report]
    second = trace("a", "data", [1])
    assert second.learner.counts.tolist() == [1, 3]  # learned from the same data
    assert second.learner.expected.tolist() == [3, 1]
    third = trace("a", "other", [1])
    assert third.learner.counts.tolist() == [0, 1]
    trace("b", "data", [0])
    trace("b", "data", [])
    again, other = test.reports()
    assert (again.implementation, again.traces, again.draws) == ("a", 3, 5)
    assert (other.implementation, other.traces, other.draws) == ("b", 2, 1)
    assert not again.biased
    assert again.log_evidence > report.log_evidence > 0
    assert again.needs[-1].bias.endswith("times 1.1")


def test_a_trace_without_an_implementation_is_unnamed() -> None:
    """One point alone: u - l and the potentials add up to 8d/gamma after some picks."""
    header = {"format": "asura-trace/1", "gamma": 0.4, "points": [[1]], "unlabelled": 1}
    for length in range(1, 20):
        picks = [json.dumps({"j": j, "index": 0}) for j in range(length)]
        test = DistributionTest()
        found = check_lines([json.dumps(header), *picks, json.dumps({"m": length})], test=test)
        if found.ruling is Ruling.CONFORMS:
            break
    assert [(r.implementation, r.draws) for r in test.reports()] == [("unnamed", length)]


def test_stakes_are_given_when_a_session_begins() -> None:
    test = DistributionTest(tilt=2.0)
    session = test.session("a", "data", 3, 1)
    assert len(session.account.capital.stakes) == 3
    assert session.account.power.tilt == 2.0
    assert session.taken.tolist() == [False] * 3


# -- the sentence ----------------------------------------------------------------------------------


def test_the_sentences() -> None:
    needs = (Need("picks-squared", 0.1, 139, 170), Need("picks-uniform", 0.2, 70, 80))
    biased = DistributionReport("mine", 2, 300, 14.0, 1e-6, True, 150, "picks-uniform", needs)
    assert biased.need("picks-uniform") is needs[1]
    assert biased.need("") is None
    assert biased.sentence == (
        "mine: the picks do not follow the algorithm (false-alarm probability 1e-06), seen after "
        "150 of 300 draws (70 are necessary); best explanation: picks-uniform"
    )
    odd = replace(biased, explanation="point 3 never picked")
    assert "150 of 300 draws; best explanation: point 3 never picked" in odd.sentence
    fair = replace(biased, biased=False, decided_at=None, explanation=None)
    assert fair.sentence == (
        "mine: 300 draws in 2 traces show no bias (false-alarm probability 1e-06)"
    )


def test_the_verdict_follows_the_alarm() -> None:
    test = DistributionTest(false_alarm=0.5)
    session = test.session("a", "data", 2, 1)
    for _ in range(12):
        session.draw(np.array([0.75, 0.25]), 1)
    session.commit()
    (report,) = test.reports()
    assert report.biased
    assert report.decided_at == 1 + sum(x < LN(2) for x in path(12))
    assert report.false_alarm == 0.5
    assert report.explanation is not None


# -- the bets on picks and on uniforms together ----------------------------------------------------


def test_what_rounding_may_add_is_taken_off_at_every_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (distribution.SERIAL, distribution.MARGIN) == (0.25, 2.0**-38)
    assert pytest.approx(40 * LN(2), rel=1e-15) == -distribution.COPY
    lower = absorbed(1e9, 3, 4)
    monkeypatch.setattr(distribution, "MARGIN", 0.0)
    plain = absorbed(1e9, 3, 4)
    assert plain.log_evidence - lower.log_evidence == pytest.approx(7 * 2.0**-38, rel=1e-3)
    assert plain.peak - lower.peak == pytest.approx(7 * 2.0**-38, rel=1e-3)


@pytest.mark.parametrize(("ahead", "said"), [(1e-9, "picks"), (0.0, "picks"), (-1e-9, "uniforms")])
def test_who_leads_of_picks_and_uniforms(
    monkeypatch: pytest.MonkeyPatch, ahead: float, said: str
) -> None:
    """The stakes are three quarters and one."""
    account = Account(Capital(), Power(1.1))
    monkeypatch.setattr(Capital, "best", lambda _: (LN(0.25) + ahead, "picks"))
    monkeypatch.setattr(Serial, "best", lambda _: (LN(0.75), "uniforms"))
    assert account.leader() == said


def test_a_session_begins_a_trace() -> None:
    test = DistributionTest()
    for number in (1, 2):
        session = test.session("a", "data", 2, 1)
        assert session.account.serial.trace == number
        assert (session.last, session.done, session.log_chance) == (-1, 0, 0.0)
        session.draw(np.array([0.5, 0.5]), 1)
        session.commit()
        assert session.last == 1
