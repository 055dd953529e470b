"""Picks without uniforms: biases are seen about as early as possible, correct picks never."""

import itertools
import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from typer.testing import CliRunner

from asura_verify.cli.main import application
from asura_verify.implementations import textbook
from asura_verify.implementations.exhibits import SAMPLING
from asura_verify.implementations.sampling import (
    bare,
    collect,
    draws_with_uniforms,
    instance,
    traces,
)
from asura_verify.oracle import check
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks import distribution, experts, serial, shapes, strata, uniforms
from asura_verify.oracle.picks.distribution import Account, DistributionTest
from asura_verify.oracle.picks.experts import NAMED, TILTS, Capital
from asura_verify.oracle.picks.power import HOPELESS
from asura_verify.report.formats import Format, written
from asura_verify.report.judgements import Judgements
from asura_verify.report.sentences import pretty

EXHIBITS = {exhibit.mistake: exhibit.run for exhibit in SAMPLING}
#: One point picked as often as the other, in few long traces: a tenth is seen early.
EVEN = {
    "format": "asura-trace/1",
    "gamma": 0.03,
    "points": [[1.0], [1.0]],
    "unlabelled": 1,
    "implementation": "even",
}


# -- power, through whole traces that show indices alone -----------------------------------------


@pytest.mark.parametrize("mistake", [name for name in NAMED if name != "picks-stale"])
def test_a_bias_is_seen_within_four_times_the_necessary_draws(mistake: str) -> None:
    plain = EVEN if mistake == "picks-tilted" else instance()
    report = collect(EXHIBITS[mistake], 60_000, mistake=mistake, plain=plain, seed=1)
    need = report.need(mistake)
    assert report.biased
    assert report.explanation == mistake
    assert need is not None
    assert need.necessary is not None
    assert need.necessary == math.ceil(math.log(1e6) / need.divergence)
    assert report.decided_at is not None
    assert report.decided_at <= 4 * need.necessary
    if mistake == "picks-tilted":
        assert 12_000 < need.necessary < 12_500  # 0.005 p (1 - p) nats a draw at p = 1/2


def test_stale_picks_are_hopeless_without_uniforms_and_seen_with_them() -> None:
    report = collect(EXHIBITS["picks-stale"], 150_000, mistake="picks-stale")
    need = report.need("picks-stale")
    assert need is not None
    assert need.hopeless
    assert need.necessary is not None
    assert need.necessary > HOPELESS
    assert not report.biased
    text = pretty([], [report])
    assert "hopeless" in text
    assert "give uniforms in the header" in text
    seen = draws_with_uniforms(EXHIBITS["picks-stale"])
    assert seen is not None
    assert seen < 1000


# -- power against biases that no expert is named after ------------------------------------------


def wandering(rng: np.random.Generator, draws: int, size: int) -> Doubles:
    return np.asarray(experts.normalised(rng.uniform(0.5, 1.5, (draws, size))))


def picked(rng: np.random.Generator, q: Doubles) -> int:
    return int(np.searchsorted(np.cumsum(q)[:-1], rng.uniform(), side="right"))


def times(places: slice | int, factor: float) -> Callable[[Doubles], Doubles]:
    def tilted(p: Doubles) -> Doubles:
        q = p.copy()
        q[places] *= factor
        return np.asarray(q / q.sum())

    return tilted


@pytest.mark.parametrize(
    ("bias", "said"),
    [
        (times(5, 1.5), "point 5 times 1.3"),
        (times(5, 0.2), "point 5 times 0.3"),
        (times(5, 0.0), "point 5 never picked"),
        (times(slice(8, 10), 1.25), "points of X_2 times 1.3"),
        (times(slice(0, 10, 2), 1.6), "some points are picked too often, others too rarely"),
    ],
)
def test_an_unnamed_bias_is_seen(bias: Callable[[Doubles], Doubles], said: str) -> None:
    rng = np.random.default_rng(11)
    test = DistributionTest()
    session = test.session("a", "data", 10, 8)
    divergence = 0.0
    for p in wandering(rng, 8000, 10):
        q = bias(p)
        divergence += float(np.sum(q[q > 0] * np.log(q[q > 0] / p[q > 0])))
        session.draw(p, picked(rng, q))
    session.commit()
    (report,) = test.reports()
    assert report.decided_at is not None
    assert report.decided_at <= 4 * math.log(1e6) / (divergence / 8000)
    assert report.explanation == said


# -- correct picks -------------------------------------------------------------------------------


def test_correct_traces_are_not_accused() -> None:
    """False-alarm probability 1e-6 each, by Ville's inequality."""
    for seed in range(3):
        report = collect(textbook.run, 1000, seed=seed)
        assert not report.biased
        assert report.log_evidence < 5


def test_the_false_alarm_probability_is_kept() -> None:
    """Of 150 correct implementations at a = 1/10, more than 35 with probability below 1e-6."""
    accused = 0
    for seed in range(150):
        rng = np.random.default_rng([7, seed])
        test = DistributionTest(false_alarm=0.1)
        session = test.session("a", "data", 4, 3)
        for p in wandering(rng, 200, 4):
            session.draw(p, picked(rng, p))
        session.commit()
        accused += test.reports()[0].biased
    assert accused <= 35


# -- fairness: exact means over all sequences of picks -------------------------------------------


def chances(past: tuple[int, ...], size: int) -> Doubles:
    """Probabilities that depend on the picks before, one of them zero."""
    weights = np.array([5.0, 2.0, 0.0, 1.0, 3.0][:size])
    for index in past:
        weights[index] += 2.5
    return np.asarray(weights / weights.sum())


def outcomes() -> list[tuple[float, Account]]:
    """All sequences of four picks: three of four points, then, in other data, one of five."""
    found = []
    for picks in itertools.product(range(4), range(4), range(4), range(5)):
        test = DistributionTest()
        probability = 1.0
        for first, last, size, unlabelled in ((0, 3, 4, 3), (3, 4, 5, 1)):
            session = test.session("a", f"data {size}", size, unlabelled)
            for j in range(first, last):
                p = chances(picks[first:j], size)
                probability *= float(p[picks[j]])
                if probability:
                    session.draw(p, picks[j])
            session.commit()
        if probability:
            found.append((probability, session.account))
    return found


def check_fairness() -> None:
    """Every expert's mean capital is 1, and that of the mixture but for the margin."""
    found = outcomes()
    assert sum(probability for probability, _ in found) == pytest.approx(1, abs=1e-13)
    for kind in ("named", "timed", "parts", "points", "learning"):
        mean = sum(w * np.exp(getattr(account.capital, kind)) for w, account in found)
        assert np.all(np.abs(mean - 1) <= 1e-12), kind
    for kind in serial.STAKES:
        mean = sum(w * np.exp(account.serial.capitals[kind]) for w, account in found)
        assert np.all(np.abs(mean - 1) <= 1e-12), kind
    mixture = sum(w * math.exp(account.log_evidence) for w, account in found)
    assert abs(mixture * math.exp(4 * distribution.MARGIN) - 1) <= 1e-12


def test_every_expert_plays_a_fair_game() -> None:
    check_fairness()


def _generous(weights: Doubles) -> Doubles:
    return np.asarray(1.001 * weights / weights.sum(axis=-1, keepdims=True))


def _peeking(start: Doubles, steps: Doubles) -> Doubles:
    return np.asarray(start + np.cumsum(steps, axis=0))


_tilt_gains, _grow = experts.tilt_gains, Capital.grow
_overlap, _copulas, _intervals = uniforms.overlap, serial.copulas, uniforms.intervals
_room, _least, _on_lattice = strata.room, strata.least, shapes.on_lattice
_stepped = shapes.stepped


def _generous_overlap(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> Doubles:
    return np.asarray(1.001 * _overlap(a, b, c, d))


def _heavy_copulas() -> Doubles:
    return np.asarray(1.001 * _copulas())


def _gapless(probabilities: Doubles, picks: experts.Places) -> tuple[Doubles, Doubles]:
    starts, ends = _intervals(probabilities, picks)
    return starts, np.minimum(ends * 1.01, 1.0)


def _roomier(sizes: experts.Places) -> tuple[Doubles, Doubles]:
    edges, free = _room(sizes)
    return np.minimum(edges * 1.01, 1.0), free


def _closer(*known: Doubles) -> Doubles:
    return np.asarray(1.001 * _least(*known))  # type: ignore[arg-type]


def _higher(starts: Doubles, ends: Doubles) -> Doubles:
    return np.asarray(1.001 * _stepped(starts, ends))


def _finer(starts: Doubles, ends: Doubles) -> Doubles:
    return _on_lattice(starts, np.minimum(1.01 * ends, 1.0))


def _cheap(masses: Doubles, hits: experts.Flags) -> Doubles:
    return _tilt_gains(0.99 * masses, hits)


def _doubled(capital: Capital, size: int) -> None:
    _grow(capital, size)
    capital.reserve = 1.0


@pytest.mark.parametrize(
    ("place", "name", "planted"),
    [
        (experts, "SHARES", experts.SHARES | {"part": 2 / 16}),
        (experts, "normalised", _generous),
        (experts, "before", _peeking),
        (experts, "tilt_gains", _cheap),
        (Capital, "grow", _doubled),
        (experts, "_even", lambda count: np.full(count, 1.001 / count)),
        (serial, "STAKES", serial.STAKES | {"echo": 1.01 * serial.STAKES["echo"]}),
        (serial, "overlap", _generous_overlap),
        (strata, "overlap", _generous_overlap),
        (strata, "room", _roomier),
        (strata, "least", _closer),
        (shapes, "on_lattice", _finer),
        (shapes, "stepped", _higher),
        (serial, "copulas", _heavy_copulas),
        (serial, "before", _peeking),
        (serial, "intervals", _gapless),
    ],
    ids=[
        "shares-above-one",
        "unnormalised",
        "peeking",
        "wrong-mass",
        "stakes-spent-twice",
        "experts-above-one",
        "serial-stakes-above-one",
        "overlaps-too-long",
        "parts-too-long",
        "parts-too-wide",
        "tails-too-heavy",
        "lattice-counted-twice",
        "steps-too-high",
        "copulas-not-stochastic",
        "cells-peeking",
        "intervals-overlap",
    ],
)
def test_an_unfair_game_is_noticed(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str, planted: object
) -> None:
    monkeypatch.setattr(place, name, planted)
    with pytest.raises(AssertionError):
        check_fairness()


def test_a_sure_pick_proves_nothing() -> None:
    test = DistributionTest()
    session = test.session("a", "data", 2, 1)
    for _ in range(50):
        session.draw(np.array([1.0, 0.0]), 0)
    session.commit()
    (report,) = test.reports()
    assert report.log_evidence <= 1e-12
    assert report.need("picks-tilted") is not None


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [bare(t) for t in itertools.islice(traces(EXHIBITS["picks-rooted"], instance()), 16)]
    found = []
    for size in (1 << 15, 60):
        monkeypatch.setattr(distribution, "_BLOCK", size)
        test = DistributionTest()
        for trace in lines:
            check_lines(trace, test=test)
        (report,) = test.reports()
        need = report.need("picks-rooted")
        assert need is not None
        found.append((report.decided_at, report.log_evidence, need.divergence))
    assert found[0][0] is not None
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_a_wrong_trace_does_not_count() -> None:
    test = DistributionTest()
    trace = bare(next(traces(textbook.run, instance())))
    check_lines(trace, test=test)
    (before,) = test.reports()
    wrong = [*trace[:-1], json.dumps(json.loads(trace[-1]) | {"mid": 1.0})]
    assert check_lines(wrong, test=test).ruling is Ruling.VIOLATES
    assert test.reports() == [before]


def test_a_copy_counts_once() -> None:
    """The same picks again are no new draws; short runs may well be alike."""
    test = DistributionTest()
    trace = bare(next(traces(textbook.run, instance())))
    assert check_lines(trace, test=test).remarks == ()
    (before,) = test.reports()
    copied = check_lines(trace, test=test)
    assert copied.ruling is Ruling.CONFORMS
    assert copied.remarks == ("its picks count once: a trace before has the same",)
    assert copied.drawn == copied.length > 0  # by that trace
    assert test.reports() == [before]
    other = json.loads(trace[0]) | {"implementation": "another"}
    assert check_lines([json.dumps(other), *trace[1:]], test=test).remarks == ()
    sure = ["".join(trace[0].replace(trace[0], json.dumps(EVEN | {"gamma": 0.49})))]
    sure += [json.dumps({"j": 0, "index": 0}), json.dumps({"m": 1})]
    for _ in range(3):
        assert check_lines(sure, test=test).remarks == ()
    assert next(r for r in test.reports() if r.implementation == "even").traces == 3


def test_the_chance_of_a_copy() -> None:
    """Forty bits: less, and the picks may be alike by chance."""

    def counted(draws: int) -> int:
        test = DistributionTest()
        for _ in range(2):
            session = test.session("one", "data", 2, 1)
            for _ in range(draws):
                session.draw(np.array([0.5, 0.5]), 0)
            session.commit()
        return test.reports()[0].traces

    assert (counted(40), counted(41)) == (2, 1)
    test = DistributionTest()
    for less, accepted in ((0.0, True), (0.0, True), (1e-9, True), (1e-9, False)):
        session = test.session("edge", f"data {less}", 2, 1)
        session.log_chance = distribution.COPY - less
        assert session.commit() == accepted
    session.draw(np.array([1.0, 0.0]), 1)  # what is too small for a double
    assert session.log_chance == -math.inf
    for chance in (0.5, 0.4):  # the same picks with other chances are another run
        session = test.session("one", "data", 2, 1)
        for _ in range(80):
            session.draw(np.array([chance, 1 - chance]), 0)
        assert session.commit()
    session = test.session("one", "data", 2, 1)
    for k in range(80):
        session.draw(np.array([0.5, 0.5]), k % 2)
    assert session.commit()


def test_picks_that_rounding_may_decide_do_not_count() -> None:
    test = DistributionTest()
    trace = bare(next(traces(textbook.run, instance())))
    few = json.loads(trace[0]) | {"precision": 12}
    judgement = check_lines([json.dumps(few), *trace[1:]], test=test)
    assert judgement.ruling is Ruling.UNDECIDED
    assert any(r.startswith("its picks do not count: probabilities") for r in judgement.remarks)
    assert judgement.drawn == 0
    assert test.reports() == []


def test_picks_among_very_many_points_are_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = bare(next(traces(textbook.run, instance())))
    size = len(json.loads(trace[0])["points"])
    for most, reports in ((size, 1), (size - 1, 0)):
        monkeypatch.setattr(check, "MOST_POINTS", most)
        test = DistributionTest()
        judgement = check_lines(trace, test=test)
        assert len(test.reports()) == reports
        assert bool(judgement.remarks) == (reports == 0)
    assert "more than" in judgement.remarks[-1]
    decided = next(traces(textbook.run, instance()))
    assert check_lines(decided, test=DistributionTest()).remarks == ()
    assert check_lines(trace).remarks == ()


# -- the report ----------------------------------------------------------------------------------


def test_the_report_is_printed_in_every_format() -> None:
    report = collect(EXHIBITS["picks-greedy"], 50)
    judgement = Judgement("t", Ruling.CONFORMS, report.implementation, drawn=50)
    for form in Format:
        assert "picks-greedy" in written(Judgements([judgement], [report]), form)
    assert "are necessary" in report.sentence


def test_the_draws_for_a_bias_of_any_size() -> None:
    trace = bare(next(traces(textbook.run, instance())))
    last = -1.0
    for tilt in (0.0, 1.02, 1.1, 3.0):
        test = DistributionTest(tilt=tilt)
        judgement = check_lines(trace, test=test)
        (report,) = test.reports()
        likely, rare = report.needs[-2:]
        assert f"times {tilt:g}" in likely.bias
        assert likely.necessary is not None
        assert rare.necessary is not None
        assert likely.expected is not None
        assert likely.necessary < rare.necessary
        assert likely.necessary < likely.expected < 2.25 * likely.necessary
        assert likely.divergence != last
        last = likely.divergence
        assert max(len(line) for line in pretty([], [report]).split("\n")[1:]) <= 80
        facts = json.loads(Judgements([judgement], [report]).json())
        assert facts["distribution"]["needs"][-1]["bias"] == rare.bias
    assert len(TILTS) == len(set(TILTS.tolist()))


@pytest.mark.parametrize("tilt", ["1", "-0.5", "nan", "inf"])
def test_a_tilt_that_favours_nothing_is_refused(tilt: str) -> None:
    answer = CliRunner().invoke(application(["check"]), ["check", "none.jsonl", "--tilt", tilt])
    assert answer.exit_code != 0
    assert "--tilt" in str(answer.exception)
