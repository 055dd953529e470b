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
from asura.samplers.naming import EITHER, NAMES, UNSIZED, named
from asura.samplers.volume import VolumeSampling
from tests.reference.samplers.identities import PARABOLA

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
    rows = [line.split("|")[2] for line in table.splitlines()[2:]]
    running = [row for row in rows if not row.startswith(" none: ")]
    named_there = [name for row in running for name in re.findall(r"`([a-z-]+)`", row)]
    assert sorted(named_there) == sorted(NAMES)
    assert len(rows) == 12
    assert len(running) == 9


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
        ({"procedure": "volume", "size": "many"}, NotAScalar, "many"),
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
