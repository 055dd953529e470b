"""Faint mistakes keep their honest outcome: caught, undecided, or no larger than roundings."""

import json

import numpy as np
import pytest

from asura.dataset import dataset
from asura.randomness import uniforms
from asura.run import EXACT, run
from asura.trace import trace_lines
from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import EXHIBITS, NAMELESS
from asura_verify.implementations.faint import (
    FAINT,
    HIDING,
    SETTINGS,
    FaintOutcome,
    deviation,
    faint_page,
    hidden_page,
    outcome,
    tied,
)
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

BY_NAME = {exhibit.mistake: exhibit for exhibit in FAINT}


def of(mistake: str, data: str, count: int = 2) -> FaintOutcome:
    return outcome(BY_NAME[mistake], data, range(count))


@pytest.mark.parametrize(
    ("mistake", "data"),
    [
        ("probability-clipped-normalised", "a light point"),
        ("ridge-jitter-1e-12", "condition 10^3"),
        ("ridge-jitter-1e-12", "condition 10^6"),
    ],
)
def test_where_it_is_large_it_is_caught(mistake: str, data: str) -> None:
    found = of(mistake, data)
    assert found.caught == found.differing == 2


@pytest.mark.parametrize(
    ("mistake", "data"),
    [("probability-clipped-normalised", "plain"), ("probability-by-difference", "condition 10^3")],
)
def test_where_it_is_a_rounding_correct_methods_differ_by_more(mistake: str, data: str) -> None:
    found = of(mistake, data)
    assert found.invisible == found.differing == 2
    assert 0 < found.moved <= found.honest


def test_what_is_let_through_is_within_its_allowance() -> None:
    found = of("probability-by-difference", "a light point", 4)
    assert found.let_through > 0
    assert found.honest < found.moved < 1e-13
    assert found.share < 1


def test_a_tie_of_rounded_sums_has_two_answers() -> None:
    """The two picks differ, both conform, and the report counts what it left open."""
    header = tied(case(0))
    lines = BY_NAME["picks-tie-taken"].run(header, header["uniforms"])
    assert deviation(lines, textbook.run(header, header["uniforms"])) == 1
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.CONFORMS
    assert judgement.undecided["index"] >= 1


def exact_trace() -> list[str]:
    """Two equal points and r = 1/2: every pick is the second one, and no value tells."""
    done = run(dataset([[1], [1]]), "1/4", arithmetic=EXACT, chooser=uniforms(["1/2"] * 200))
    return list(trace_lines(done, probabilities=True))


def test_a_tie_of_exact_sums_has_one() -> None:
    lines = exact_trace()
    assert check_lines(lines).ruling is Ruling.CONFORMS
    assert check_lines(lines).undecided.get("index", 0) == 0
    record = json.loads(lines[3])
    assert record["index"] == 1
    record["index"] = 0
    judgement = check_lines([*lines[:3], json.dumps(record), *lines[4:]])
    assert judgement.ruling is Ruling.VIOLATES
    assert judgement.first is not None
    assert judgement.first.field == "index"
    assert "belongs to the next point" in judgement.first.message


def test_deviations_end_at_the_first_other_pick() -> None:
    header = case(1)
    lines = textbook.run(header, header["uniforms"])
    assert deviation(lines, lines) == 0
    moved = [json.loads(line) for line in lines]
    moved[2]["phi"] *= 1.5
    texts = [json.dumps(line) for line in moved]
    assert deviation(texts, lines) == pytest.approx(0.5)
    answers = [*lines[:-1], json.dumps(moved[-1] | {"beta": [4 * x for x in moved[-1]["beta"]]})]
    assert deviation(answers, lines) == pytest.approx(3)
    without = [*lines[:-1], json.dumps({"m": len(lines) - 2})]
    assert deviation(without, lines) == deviation(lines, without) == 0
    moved[2]["index"] = (moved[2]["index"] + 1) % 3
    assert deviation([json.dumps(line) for line in moved], lines) == 1


def test_a_row_a_mistake_and_kind_of_data() -> None:
    assert faint_page([]).count("\n") == 1 + len(FAINT) * len(SETTINGS)
    assert np.all([len(row.split("|")) == 12 for row in faint_page([]).splitlines()])


def test_ill_conditioned_data_hide_no_gross_mistake() -> None:
    """Caught or undecided; what conforms is as small as a rounding to single precision."""
    every = {exhibit.mistake: exhibit for exhibit in EXHIBITS + NAMELESS}
    gross = (
        "potential-product", "weight-without-probability", "rates-swapped", "mid-upper",
        "beta-weak-direction", "beta-jitter", "beta-one-descent",
    )  # fmt: skip
    for data in HIDING:
        for name in gross:
            found = outcome(every[name], data, [0])
            assert found.caught + found.undecided == found.differing == 1, (data, name)
    single = outcome(every["whitening-in-single"], "condition 10^8", [0])
    assert single.caught + single.undecided == 1 or single.moved < 1e-7


def test_the_page_names_what_conforms() -> None:
    """A weight that is divided in another order is rounded otherwise, and right."""
    order = ("gamma / phi / float(p[index])", "gamma / (phi * float(p[index]))")
    rows = hidden_page([0], [Exhibit("other-order", (order,))]).splitlines()[2:]
    assert len(rows) == len(HIDING)
    for row in rows:
        many, caught, undecided, conform, moved, which = row.split(" | ")[1:]
        assert (many, caught, undecided, conform) == ("1", "0", "0", "1")
        assert 0 < float(moved) < 1e-7  # beta moves by the condition of the sample
        assert which == "`other-order` |"
    nothing = hidden_page([], []).splitlines()[2:]
    assert all(row.endswith("| 0 | 0 | 0 | 0 |  |  |") for row in nothing)
