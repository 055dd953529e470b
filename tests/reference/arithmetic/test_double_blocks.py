"""Doubles look at the masses block by block: the picks are those of the whole list."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asura.algorithm2_asura import Asura
from asura.arithmetic import BallArithmetic, DoubleArithmetic, double
from asura.arithmetic.blocks import BlockMasses, Blocks, Doubles
from asura.arithmetic.interface import locate_at_face_value
from asura.dataset import Dataset, dataset
from asura.randomness import Seed, UnitInterval
from asura.run import Run, run
from asura_verify.instances.strategies import datasets, gammas

DOUBLE = DoubleArithmetic()
WIDE = dataset(np.random.default_rng(3).standard_normal((700, 3)).round(3).tolist())


def run_in_blocks(data: Dataset, gamma: object, seed: int, size: int) -> Run[Any, Any]:
    """A run whose blocks have this many points."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(double, "Blocks", partial(Blocks, length=size))
        return run(data, gamma, arithmetic=DOUBLE, chooser=Seed(seed))


@settings(max_examples=60)
@given(datasets(), gammas(minimum=Fraction(1, 6)), st.integers(0, 2**32), st.integers(1, 3))
def test_the_size_of_a_block_changes_no_pick(
    data: Dataset, gamma: Fraction, seed: int, size: int
) -> None:
    """They part only where a uniform is within rounding of a boundary: about once in 1e12 picks."""
    assert (
        run_in_blocks(data, gamma, seed, size).picks
        == run(data, gamma, arithmetic=DOUBLE, chooser=Seed(seed)).picks
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_many_blocks_pick_what_balls_pick(seed: int) -> None:
    whole = run(WIDE, "1/6", arithmetic=DOUBLE, chooser=Seed(seed))
    assert len(whole.iterations[0].distribution.masses) == 700
    assert whole.picks == run(WIDE, "1/6", arithmetic=BallArithmetic(), chooser=Seed(seed)).picks


class ForgetsScales(Blocks):
    """A planted mistake: the sums of the blocks forget the squared scales."""

    def sums(self, bracket: Doubles) -> Doubles:
        grams = [(rows.T @ rows).ravel() for rows, _ in map(self._block, range(3))]
        return np.asarray(np.array(grams) @ bracket.ravel())


def test_a_wrong_sum_of_a_block_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = dataset(WIDE.points, squared_scales=[4] * 300 + [1] * 400)
    right = run(data, "1/4", arithmetic=DOUBLE).picks
    assert right == run(data, "1/4", arithmetic=BallArithmetic()).picks
    monkeypatch.setattr(double, "Blocks", ForgetsScales)
    assert run(data, "1/4", arithmetic=DOUBLE).picks != right


def first_masses(data: Dataset) -> BlockMasses:
    algorithm = Asura(data, Fraction(1, 8), DOUBLE)
    masses = algorithm.distribution(algorithm.initial()).masses
    assert isinstance(masses, BlockMasses)
    return masses


def test_masses_are_a_list_that_is_computed_where_it_is_read() -> None:
    masses = first_masses(WIDE)
    forwards = [masses[index] for index in range(len(masses))]
    assert forwards == [masses[index] for index in reversed(range(len(masses)))][::-1]
    for outside in (-1, 700, 10_000):
        with pytest.raises(IndexError):
            masses[outside]


@pytest.mark.parametrize(
    ("size", "dimension", "length"), [(700, 3, 256), (400, 300, 300), (10**6, 1, 1000)]
)
def test_a_block_is_about_as_long_as_there_are_blocks(
    size: int, dimension: int, length: int
) -> None:
    blocks = Blocks(np.ones((size, dimension)), np.ones(size))
    assert blocks.length == length
    count = -(-size // length)
    held = [len(blocks.masses(block, np.eye(dimension))) for block in range(count)]
    assert sum(held) == size
    assert set(held[:-1]) <= {length}
    assert blocks.sums(np.eye(dimension)).tolist() == [dimension * each for each in held]


def test_where_every_target_falls() -> None:
    """Between any two partial sums, and on both sides of each block."""
    masses = first_masses(WIDE)
    sums = np.cumsum([masses[index] for index in range(700)])
    before = np.concatenate([[0.0], sums[:-1]])
    for index in (0, 1, 254, 255, 256, 257, 511, 512, 698, 699):
        target = float((before[index] + sums[index]) / 2)
        assert masses.first_beyond(target) == index
        walked = locate_at_face_value(masses, target, 0.0, operator.lt)
        assert walked == index
    assert masses.first_beyond(float(sums[-1]) * 2) is None


def test_what_rounding_leaves_over_goes_to_the_last_point_of_positive_mass() -> None:
    rows = [[1.0, 2.0]] * 300 + [[2.0, 1.0]] * 300 + [[0.0, 0.0]] * 100
    masses = first_masses(dataset(rows))
    most = UnitInterval(1, 1, 0)
    assert DOUBLE.locate(masses, 1e9, most) == 599
    assert DOUBLE.locate([masses[index] for index in range(700)], 1e9, most) == 599


def test_a_block_of_nothing_is_passed_over() -> None:
    rows = [[0.0, 0.0]] * 300 + [[2.0, 1.0], [1.0, 1.0]] + [[0.0, 0.0]] * 300
    done = run(dataset(rows), "1/4", arithmetic=DOUBLE, chooser=Seed(2))
    assert set(done.picks) == {300, 301}
