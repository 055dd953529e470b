"""Samplers judged by their subsets: honest ones are left alone, planted biases are refuted.

False alarms: every honest case here is tried at 1e-9, some seventy of them, and seeds are fixed:
below 1e-7 in all.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from flint import arb

from asura.dataset import dataset
from asura.errors import UnknownName
from asura.randomness import Seed
from asura.samplers.volume import VolumeSampling
from asura.scalars import rational
from asura_verify.cli.main import execute
from asura_verify.conforming.samplers.betting import Bets, Subset
from asura_verify.conforming.samplers.cases import MEANINGS, SamplerCase, cases
from asura_verify.conforming.samplers.session import CallableSampler, judge
from asura_verify.implementations.public_samplers import (
    dppy_gs,
    dppy_gs_bis,
    dppy_kuta,
    numpy_choice,
    numpy_weighted,
    our_doubles,
    skactiveml_fixed,
    skactiveml_random,
    sklearn_subset,
)

ALARM = Fraction(1, 10**9)
OWN = "asura_verify.implementations.public_samplers"


@pytest.mark.parametrize("case", [c for name in MEANINGS for c in cases(name)], ids=str)
def test_the_laws_are_laws(case: SamplerCase) -> None:
    law = case.law()
    assert sum(law.values()) == 1
    assert all(list(subset) == sorted(subset) for subset in law)


@pytest.mark.parametrize("name", MEANINGS)
def test_our_samplers_in_doubles_are_not_refuted(name: str) -> None:
    for case in cases(name):
        done = judge(CallableSampler(our_doubles), case, draws=150, false_alarm=ALARM)
        assert done.passed, done.sentence


@pytest.mark.parametrize("function", [numpy_choice, sklearn_subset, skactiveml_random])
def test_public_uniform_samplers_are_not_refuted(function: Any) -> None:
    for case in cases("uniform"):
        assert judge(CallableSampler(function), case, draws=150, false_alarm=ALARM).passed


@pytest.mark.parametrize("function", [dppy_gs, dppy_gs_bis, dppy_kuta])
@pytest.mark.parametrize("name", ["dpp", "k-dpp"])
def test_dppy_is_not_refuted_where_it_is_installed(function: Any, name: str) -> None:
    pytest.importorskip("dppy")
    for case in cases(name):
        assert judge(CallableSampler(function), case, draws=150, false_alarm=ALARM).passed


def test_a_strategy_with_a_fixed_seed_is_refuted() -> None:
    case = SamplerCase("uniform", "parabola", 2)
    assert not judge(CallableSampler(skactiveml_fixed), case, draws=150, false_alarm=ALARM).passed


def test_frequencies_for_counts_make_a_chi_square_test_blind() -> None:
    """Every set alike, for a k-DPP: accepted 200 times out of 200, and refuted by the judge.

    The sum over cells of (observed - expected)^2/expected, of shares instead of counts, is as many
    times too small as there are draws; 3.84 is the least 5 % bound of any number of cells.
    """
    case = SamplerCase("k-dpp", "parabola", 2)
    law = case.law()
    rng = Random(5)  # noqa: S311 reproducible, not secret
    sets: list[tuple[int, ...]] = list(itertools.combinations(range(5), 2))
    accepted = rejected = 0
    for _ in range(200):
        drawn = rng.choices(sets, k=1000)
        shares = {each: Fraction(drawn.count(each), 1000) for each in law}
        statistic = sum(((shares[each] - p) ** 2 / p for each, p in law.items()), Fraction(0))
        accepted += statistic < Fraction(384, 100)
        rejected += 1000 * statistic > 30  # with counts: beyond the bound of nine degrees
    assert (accepted, rejected) == (200, 200)
    found = judge(CallableSampler(missing_determinant), case, draws=100, false_alarm=ALARM)
    assert not found.passed


def exact_volume(request: dict[str, Any]) -> list[tuple[int, ...]]:
    data = dataset(request["points"])
    return [
        VolumeSampling(request["size"]).sample(data, Seed(request["seed"] * 1000 + k)).picks
        for k in range(request["count"])
    ]


def test_the_exact_sampler_is_not_refuted() -> None:
    case = SamplerCase("volume", "parabola", 3)
    assert judge(CallableSampler(exact_volume), case, draws=400, false_alarm=ALARM).passed


def with_replacement(request: dict[str, Any]) -> list[list[int]]:
    random = Random(request["seed"])  # noqa: S311
    count = len(request["points"])
    return [
        [random.randrange(count) for _ in range(request["size"])] for _ in range(request["count"])
    ]


def slightly_biased(request: dict[str, Any]) -> list[Sequence[int]]:
    """Uniform, but one draw in five is the first set."""
    random = Random(request["seed"])  # noqa: S311
    return [[0, 1] if random.random() < 0.2 else right for right in numpy_choice(request)]


def missing_determinant(request: dict[str, Any]) -> list[Sequence[int]]:
    return numpy_choice(request)


def ridge_for_plain(request: dict[str, Any]) -> list[list[int]]:
    """Coins, or draws, by ridge leverage scores (lambda = 10) where plain ones are meant."""
    points = np.array(request["points"], dtype=np.float64)
    inverse = np.linalg.inv(points.T @ points + 10 * np.eye(points.shape[1]))
    scores = np.einsum("ni,ik,nk->n", points, inverse, points)
    shares = scores / scores.sum()
    generator = np.random.default_rng(request["seed"])
    if request["sampler"] == "leverage-iid":
        drawn = generator.choice(len(shares), (request["count"], request["size"]), p=shares)
        return [[int(i) for i in each] for each in drawn]
    chances = np.minimum(1, request["size"] * shares)
    return [
        np.flatnonzero(generator.random(len(chances)) < chances).tolist()
        for _ in range(request["count"])
    ]


def two_points(request: dict[str, Any]) -> list[Sequence[int]]:
    """The process has no size: one that always takes two points is wrong."""
    return numpy_choice({**request, "size": 2})


def remembers_its_seed(request: dict[str, Any]) -> list[Sequence[int]]:
    (first,) = numpy_choice({**request, "seed": 1, "count": 1})
    return [first] * int(request["count"])


@pytest.mark.parametrize(
    ("sampler", "mistake", "draws"),
    [
        ("uniform", with_replacement, 50),
        ("uniform", slightly_biased, 1000),
        ("uniform", remembers_its_seed, 50),
        ("volume", missing_determinant, 1000),
        ("volume", numpy_weighted, 3000),
        ("k-dpp", missing_determinant, 1000),
        ("uniform-replaced", missing_determinant, 200),
        ("leverage-iid", with_replacement, 3000),
        ("leverage-iid", ridge_for_plain, 3000),
        ("leverage", ridge_for_plain, 3000),
        ("dpp", two_points, 200),
    ],
)
def test_planted_biases_are_refuted(sampler: str, mistake: Any, draws: int) -> None:
    case = next(c for c in cases(sampler) if c.points_name == "parabola")
    done = judge(CallableSampler(mistake), case, draws=draws, false_alarm=ALARM)
    assert not done.passed
    assert "refuted at draw" in done.sentence


def test_the_wealth_of_an_honest_law_is_a_martingale() -> None:
    """By enumeration: E wealth = 1 after three draws."""
    law: dict[Subset, Fraction] = {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}
    total = arb(0)
    for path in itertools.product(law.items(), repeat=3):
        bets = Bets(law, Fraction(1, 100))
        for subset, _ in path:
            bets.see(subset)
        total += bets.wealth * arb(rational(math.prod((p for _, p in path), start=Fraction(1))))
    assert total.contains(1)
    assert total.rad() < arb(2) ** -40


PROGRAM = """
import json, random, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "stop":
        break
    reply = {"seq": request["seq"]}
    if request["cmd"] == "start":
        reply |= {"protocol": request["protocol"], "implementation": "test"}
    else:
        source = random.Random(request["seed"])
        reply["samples"] = [
            source.sample(range(len(request["points"])), request["size"] - FEWER)
            for _ in range(request["count"])
        ]
    print(json.dumps(reply), flush=True)
"""


def test_a_program_is_driven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for fewer, code, words in ((0, 0, "5 of 5 laws not refuted"), (1, 1, "has probability 0")):
        program = tmp_path / f"program{fewer}.py"
        program.write_text(PROGRAM.replace("FEWER", str(fewer)), encoding="utf-8")
        command = ["conform-sampler", "uniform", "--draws", "500", "--", sys.executable]
        assert execute([*command, str(program)]) == code
        assert words in capsys.readouterr().out


def test_a_callable_is_driven(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["conform-sampler", "uniform", "--draws", "200", "--target"]
    assert execute([*command, f"{OWN}:numpy_choice"]) == 0
    assert "1/1000000" in capsys.readouterr().out
    assert execute(["conform-sampler", "volume", "--target", f"{OWN}:nothing"]) == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["volumes", "--target", "a:b"], "UnknownName: sampler 'volumes'"),
        (["volume"], "NoTarget"),
        (["volume", "--target", "a:b", "--false-alarm", "2"], "--false-alarm 2"),
        (["volume", "--target", "a:b", "--draws", "0"], "--draws 0"),
    ],
)
def test_wrong_options_are_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["conform-sampler", *options]) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert len(shown.splitlines()) == 1


def always(answer: list[Any], request: dict[str, Any]) -> list[list[Any]]:
    return [answer] * request["count"]


def test_answers_that_are_no_samples_are_named() -> None:
    case = cases("uniform")[0]
    answers: list[list[Any]] = [[9, 0], [0.5, 1], [True, 1]]
    for answer in answers:
        wrong = CallableSampler(partial(always, answer))
        done = judge(wrong, case, draws=10, false_alarm=ALARM)
        assert not done.passed
        assert "expected indices from 0 to 4" in done.sentence


def test_unknown_samplers_are_refused() -> None:
    with pytest.raises(UnknownName, match="expected one of uniform"):
        cases("volumes")
