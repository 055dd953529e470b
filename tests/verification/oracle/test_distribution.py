"""Picks without uniforms: biases are seen about as early as possible, correct picks never."""

import json
import math

import numpy as np
import pytest

from asura_verify.museum import textbook
from asura_verify.museum.cases import case
from asura_verify.museum.exhibits import SAMPLING, Implementation
from asura_verify.museum.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.distribution import (
    NAMED,
    TILTS,
    Capital,
    DistributionReport,
    DistributionTest,
    Learner,
    bet,
)
from asura_verify.oracle.formats import WRITERS
from asura_verify.oracle.recipe import Scene
from asura_verify.oracle.report import Judgement, Ruling

EXHIBITS = {exhibit.mistake: exhibit.run for exhibit in SAMPLING}


def draws(run: Implementation, least: int, seed: int = 5) -> DistributionReport:
    """Traces with indices alone, until so many draws are made or the bias is seen."""
    rng = np.random.default_rng(seed)
    plain = case(3, dimension=3) | {"gamma": 0.2}
    del plain["uniforms"]
    test = DistributionTest()
    while True:
        header = plain | {"uniforms": rng.uniform(size=300).tolist()}
        lines = attempt(run, header)
        assert lines is not None
        records = [json.loads(line) for line in lines[1:]]
        bare = [{k: r[k] for k in ("j", "index", "m") if k in r} for r in records]
        judgement = check_lines([json.dumps(x) for x in (plain, *bare)], test=test)
        assert judgement.ruling is Ruling.CONFORMS
        (report,) = test.reports()
        if report.biased or report.draws >= least:
            return report


@pytest.mark.parametrize(
    "mistake",
    [
        "picks-uniform",
        "picks-rooted",
        "picks-squared",
        "picks-unlabelled-only",
        "picks-without-replacement",
        "picks-greedy",
    ],
)
def test_a_bias_is_seen_in_time(mistake: str) -> None:
    report = draws(EXHIBITS[mistake], 2000)
    assert report.biased
    assert report.explanation == mistake
    needed, seen = report.needed[mistake], report.decided_at
    assert needed is not None
    assert seen is not None
    assert seen <= 4 * needed


@pytest.mark.parametrize("mistake", ["picks-never-first", "picks-never-last"])
def test_a_point_that_is_never_drawn(mistake: str) -> None:
    report = draws(EXHIBITS[mistake], 2000)
    assert report.biased
    assert "never" in (report.explanation or "")


def test_correct_picks_are_not_accused() -> None:
    for seed in range(3):
        report = draws(textbook.run, 400, seed)
        assert not report.biased
        assert report.log_evidence < 5
        stale = report.needed["picks-stale"]
        assert stale is not None
        assert stale > 100_000  # hopeless without uniforms, and the report says so


def test_every_expert_plays_a_fair_game() -> None:
    """The expected gain factor of every capital is at most 1 under the algorithm."""
    p = np.array([0.5, 0.2, 0.2, 0.1, 0.0])
    scene = Scene(p, p[[1, 0, 2, 3, 4]], np.array([0.3, 0.3, 0.2, 0.2, 0.0]), 2, {0, 2})
    named = np.zeros(len(NAMED))
    points = np.zeros((5, len(TILTS)))
    learning = 0.0
    for index in range(4):
        capital = Capital()
        learner = Learner(np.array([3.0, 9.0, 1.0, 0.0, 0.0]), np.array([5.0, 4.0, 2.0, 2.0, 0.0]))
        bet(capital, learner, scene, index)
        named += p[index] * np.exp(capital.named)
        points += p[index] * np.exp(capital.points)
        learning += p[index] * math.exp(capital.learning)
    assert np.all(named <= 1 + 1e-12)
    assert np.all(np.abs(points - 1) <= 1e-12)
    assert abs(learning - 1) <= 1e-12


def test_the_report_is_printed_in_every_format() -> None:
    report = draws(EXHIBITS["picks-greedy"], 50)
    judgement = Judgement("t", Ruling.CONFORMS, report.implementation, coverage=("uniforms",))
    for write in WRITERS.values():
        assert "picks-greedy" in write([judgement], [report])
