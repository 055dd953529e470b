"""Every wrong implementation is caught for the right reason; no correct one is accused."""

import json

import numpy as np
import pytest

from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibit import Exhibit, ExhibitDoesNotApply
from asura_verify.implementations.exhibits import (
    COMMON,
    EXHIBITS,
    NAMELESS,
    SAMPLING,
    STRUCTURAL,
)
from asura_verify.implementations.streams import MOMENTS, STREAMS, hunt
from asura_verify.implementations.survey import instance, survey_correct, survey_wrong, table
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.mistakes.catalogue import BY_NAME


def test_the_museum_is_complete() -> None:
    assert len(STRUCTURAL) >= 150
    assert len(SAMPLING) >= 18
    assert {exhibit.mistake for exhibit in EXHIBITS} == set(BY_NAME)


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.mistake)
def test_every_mistake_is_caught_and_named(exhibit: Exhibit) -> None:
    count = 2 if exhibit in COMMON else 1
    (row,) = survey_wrong(range(count), [exhibit])
    seed = count
    while row.differing == 0 and seed < 60:
        (row,) = survey_wrong([seed], [exhibit])
        seed += 1
    assert row.differing > 0
    assert row.missed == []
    assert row.named["unnamed"] == 0, row


@pytest.mark.parametrize("exhibit", NAMELESS, ids=lambda exhibit: exhibit.mistake)
def test_what_has_no_name_is_caught_and_not_called_by_another(exhibit: Exhibit) -> None:
    """But for a lower precision, which it may well be, and for being the only wrong value."""
    header = instance(exhibit, 1)
    judgement = check_lines(exhibit.run(header, header["uniforms"]))
    assert judgement.ruling is Ruling.VIOLATES
    assert {d.mistake for d in judgement.diagnosis if d.complete} <= {
        "lower-precision",
        "isolated-value",
    }


@pytest.mark.parametrize("name", STREAMS)
def test_dependent_uniforms_are_seen_through_whole_traces(name: str) -> None:
    """Within four times the draws that are necessary for one who knows the generator."""
    found = hunt(name, 4000, 5)
    assert found.ratio is not None
    assert found.ratio <= 4
    said = "some points" if name == "uniforms-modulo" else "uniforms-"
    assert (found.report.explanation or "").startswith(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("picks-greedy-first", "picks-greedy (before iteration 1)"),
        ("picks-uniform-every-tenth", "picks-uniform (at one iteration of 10, from 9 on)"),
        ("picks-uniform-late", "picks-uniform (from iteration 32 on)"),
    ],
)
def test_a_mistake_at_some_iterations_is_seen_through_whole_traces(name: str, said: str) -> None:
    found = hunt(name, 4000, 5)
    assert found.ratio is not None
    assert found.ratio <= 4
    assert found.report.explanation == said
    assert name in MOMENTS


def test_no_correct_implementation_is_accused() -> None:
    count, accused, worst = survey_correct(range(40))
    assert count >= 200
    assert accused == []
    assert all(value < 0.5 for value in worst.values())


def test_an_exhibit_must_apply() -> None:
    with pytest.raises(ExhibitDoesNotApply):
        _ = Exhibit("nothing", (("no such line", ""),)).run


def test_weights_off_by_little_are_caught() -> None:
    caught = {1e-9: 0, 1e-11: 0}
    count = 20
    for seed in range(count):
        header = case(seed)
        lines = textbook.run(header, header["uniforms"])
        place = 1 + int(np.random.default_rng(seed).integers(0, len(lines) - 2))
        for size in caught:
            record = json.loads(lines[place])
            record["weight"] *= 1 + size
            changed = [*lines[:place], json.dumps(record), *lines[place + 1 :]]
            caught[size] += check_lines(changed).ruling is Ruling.VIOLATES
    assert caught[1e-9] == count
    assert caught[1e-11] >= 0.9 * count


def test_a_point_of_hardly_any_leverage_blinds_nobody() -> None:
    header = case(1, tiny=True)
    lines = textbook.run(header, header["uniforms"])
    assert check_lines(lines).ruling is Ruling.CONFORMS
    record = json.loads(lines[9])
    record["weight"] *= 1 + 1e-10
    changed = [*lines[:9], json.dumps(record), *lines[10:]]
    assert check_lines(changed).ruling is Ruling.VIOLATES


def test_the_table_has_a_row_an_exhibit() -> None:
    rows = survey_wrong([0], EXHIBITS[:2])
    assert table(rows).count("\n") == 3
