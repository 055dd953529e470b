"""The samplers by name, and at the front door."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.dataset import ridge
from asura.errors import AsuraError, ConflictingOptions, NotAScalar, SizeOutOfRange, UnknownName
from asura.front_door import regress
from asura.randomness import uniforms
from asura.samplers import barrier, coreset, determinantal, learners, leverage, uniform, volume
from asura.samplers.naming import EITHER, NAMES, REFUSED, UNSIZED, named
from asura.samplers.volume import VolumeSampling
from asura_verify.cli.main import execute
from tests.reference.samplers.identities import PARABOLA

#: The systems that the paper compares itself with; rows of the table may split one.
SYSTEMS = (
    "leverage scores, coins",
    "leverage scores, independent draws",
    "uniform",
    "volume sampling of any size",
    "leveraged volume",
    "deterministic BSS",
    "randomized BSS",
    "Chen and Price",
    "ridge leverage",
    "determinantal process of ridge",
    "k-DPP",
    "RLS-Nystrom",
    "Kacham and Woodruff",
    "uncertainty",
    "greedy in x",
    "largest variance",
    "active perceptron",
)
EXAMPLE = ["run", "--points", "example:small.csv", "--labels", "example:small-labels.csv",
           "--ridge", "1/2", "--seed", "5"]  # fmt: skip


def _words(text: str) -> set[str]:
    """Five words in a row, without marks: enough to tell two sentences apart."""
    plain = re.findall(r"[a-z]+", text.casefold())
    return {" ".join(plain[i : i + 5]) for i in range(len(plain) - 4)}


DATA = ridge([[1, 0], [1, 1], [0, 2], [1, 3]], 1, labels=[1, 2, 0, 1])


@pytest.mark.parametrize("name", NAMES)
def test_every_name_runs_at_the_front_door(name: str) -> None:
    size = None if name in UNSIZED or name in EITHER else 2
    fit = regress(DATA, procedure=name, size=size, seed=4)
    again = regress(DATA, procedure=named(name, size), seed=4)
    assert fit == again
    assert fit.ratio is not None
    assert fit.ratio.lower >= 1


def test_the_table_of_the_field_names_every_procedure() -> None:
    """Each row runs by its names, or says in words why it has none."""
    page = Path(__file__).parents[3] / "docs" / "samplers.md"
    table = page.read_text("utf-8").partition("| the field |")[2].partition("\n\n")[0]
    rows = {line.split("|")[1].strip(): line.split("|")[2] for line in table.splitlines()[2:]}
    for system in SYSTEMS:
        assert any(system.casefold() in row.casefold() for row in rows), system
    reasons = {system: row for system, row in rows.items() if row.startswith(" none: ")}
    running = [row for system, row in rows.items() if system not in reasons]
    commands = [words for row in running for words in re.findall(r"`(--[^`]*)`", row)]
    found = [words.split()[1] for words in commands if words.startswith("--procedure")]
    assert sorted(found) == sorted(NAMES)
    assert all(re.search(r"`--", row) for row in running)
    for words in commands:
        assert execute([*EXAMPLE, *words.split()]) == 0, words
    # A reason is one sentence, and the command line gives it too.
    assert all(row.strip().endswith(".") for row in reasons.values())
    assert len(reasons) == 4
    for name in ("bss", "rls-nystrom", "kacham-woodruff", "perceptron"):
        assert any(_words(REFUSED[name]) & _words(row) for row in reasons.values()), name


def test_the_sizes_of_the_page_are_those_that_are_refused_beyond() -> None:
    page = (Path(__file__).parents[3] / "docs" / "samplers.md").read_text("utf-8")
    said = " ".join(
        page.partition("Exact sampling is sensible")[2].partition("refuses more")[0].split()
    )
    sizes = (uniform.MOST_POINTS, leverage.MOST_POINTS, volume.MOST_POINTS)
    kernels = (determinantal.MOST_POINTS, determinantal.MOST_POINTS_OF_FIXED_SIZE)
    assert re.findall(r"[0-9][0-9,]*", said) == [f"{size:,}" for size in (*sizes, *kernels)]
    assert volume.MOST_POINTS == coreset.MOST_POINTS == learners.MOST_POINTS == barrier.MOST_POINTS


def test_a_name_takes_the_randomness_as_given() -> None:
    chooser = uniforms(["0", "0", "0"])
    assert regress(PARABOLA, procedure="volume", size=2, chooser=chooser).picks == (3, 4)
    assert named("volume", "2") == VolumeSampling(2)


def test_asura_is_a_name_too() -> None:
    named_fit = regress(PARABOLA, "1/4", procedure="asura", seed=1)
    assert named_fit.picks == regress(PARABOLA, "1/4", seed=1).picks


@pytest.mark.parametrize(
    ("options", "error", "value"),
    [
        ({"procedure": "volumes", "size": 2}, UnknownName, "volumes"),
        ({"procedure": "volume"}, ConflictingOptions, "volume"),
        ({"procedure": "ridge-dpp", "size": 2}, ConflictingOptions, 2),
        ({"procedure": "volume", "size": "5/2"}, SizeOutOfRange, Fraction(5, 2)),
        ({"procedure": "volume", "size": 1}, SizeOutOfRange, 1),
        ({"procedure": "volume", "size": 10**30}, SizeOutOfRange, 10**30),
        ({"procedure": "leverage", "size": 0}, SizeOutOfRange, Fraction(0)),
        ({"procedure": "volume", "size": "many"}, NotAScalar, None),
        ({"procedure": VolumeSampling(2), "size": 2}, ConflictingOptions, 2),
        ({"gamma": "1/4", "size": 2}, ConflictingOptions, 2),
    ],
)
def test_wrong_options_are_named(
    options: dict[str, Any], error: type[AsuraError], value: object
) -> None:
    with pytest.raises(error) as caught:
        regress(PARABOLA, **options)
    assert caught.value.value == value
