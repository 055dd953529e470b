"""Bets on the shape of a uniform: q by hand, fair over all points, and shapes that are seen."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.picks.distribution import DistributionTest
from asura_verify.oracle.picks.shapes import (
    COUNT,
    DOUBT,
    FACTORS,
    LATTICES,
    OFFSETS,
    STEPS,
    bets,
    on_lattice,
    stepped,
    words,
)


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=1e-13)


def test_what_is_bet_on() -> None:
    assert (STEPS, DOUBT, OFFSETS) == (12, 2.0**-6, (0.0, 0.5))
    assert LATTICES[:12] == tuple(2**k for k in range(1, 13))
    assert LATTICES[12:] == (10, 100, 1000)
    assert FACTORS.tolist() == [0.3, 0.7, 0.9, 0.97, 1.03, 1.1, 1.3, 2.0, 5.0]
    assert COUNT == len(words()) == len(set(words())) == 99 + 30
    assert words()[0] == "uniforms-uneven (0.3 times as dense below 1/12 as above)"
    assert words()[4 * 9 - 2] == "uniforms-uneven (2 times as dense below 4/12 as above)"
    assert words()[99] == "uniforms-coarse (only 2 numbers: k/N)"
    assert words()[-1] == "uniforms-coarse (only 1000 numbers: (k + 1/2)/N)"


def test_a_step() -> None:
    """Twice as dense below 1/3: 3/2 there, and 3/4 above."""
    found = stepped(np.array([0.0, 0.25, 0.5]), np.array([0.25, 0.5, 1.0]))
    column = found.reshape(3, STEPS - 1, len(FACTORS))[:, 3, FACTORS.tolist().index(2.0)]
    assert column.tolist() == near([3 / 8, 3 / 2 / 12 + 3 / 4 / 6, 3 / 8])
    first = found.reshape(3, STEPS - 1, len(FACTORS))[:, 0, FACTORS.tolist().index(5.0)]
    assert first.tolist() == near([(5 / 12 + 2 / 12) / (4 / 3), 3 / 16, 3 / 8])
    last = found.reshape(3, STEPS - 1, len(FACTORS))[:, 10, 0]
    assert last.tolist() == near([0.075 / 0.358333333333333333, 0.075 / 0.35833333333333333,
        (0.3 * 5 / 12 + 1 / 12) / 0.35833333333333333])  # fmt: skip


def test_a_lattice() -> None:
    """Of 0, 1/4, 1/2, 3/4 two lie in [1/4, 5/8), and of 1/8, 3/8, 5/8, 7/8 one does."""
    starts, ends = np.array([0.0, 0.25, 0.625]), np.array([0.25, 0.625, 1.0])
    place = LATTICES.index(4)
    lengths = ends - starts
    for offset, counts in enumerate(([1, 2, 1], [1, 1, 2])):
        found = on_lattice(starts, ends)[:, offset * len(LATTICES) + place]
        expected = [(1 - DOUBT) * n / 4 + DOUBT * x for n, x in zip(counts, lengths, strict=True)]
        assert found.tolist() == near(expected)


def test_every_bet_is_a_measure_of_the_whole() -> None:
    """Over all points q sums to one; ends may lie on the numbers of a lattice, or miss them."""
    rng = np.random.default_rng(4)
    for inner in (np.array([0.25, 0.5, 0.501]), np.sort(rng.uniform(size=7)), np.array([1e-9])):
        edges = np.concatenate([[0.0], inner, [1.0]])
        found = bets(edges[:-1], edges[1:])
        assert found.shape == (len(edges) - 1, COUNT)
        assert np.all(found > 0)
        assert found.sum(axis=0).tolist() == near([1.0] * COUNT)


def modulo(u: float) -> float:
    """A third is twice as likely."""
    return u % 0.75 / 0.75


def bits(u: float) -> float:
    return math.floor(16 * u) / 16


def digits(u: float) -> float:
    return (math.floor(10 * u) + 0.5) / 10


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (modulo, "uniforms-uneven (2 times as dense below "),
        (bits, "uniforms-coarse (only 16 numbers: k/N)"),
        (digits, "uniforms-coarse (only 10 numbers: (k + 1/2)/N)"),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_a_wrong_shape_is_seen_within_four_times_the_necessary_draws(
    draw: Callable[[float], float], said: str, seed: int
) -> None:
    """Twelve points of changing probabilities, until four times log(1/a) could be gained."""
    rng = np.random.default_rng([3, seed])
    test, gained = DistributionTest(), 0.0
    session = test.session("one", "data", 12, 12)
    numbers = np.array([draw((k + 0.5) / 4000) for k in range(4000)])
    while gained < 4 * math.log(1e6):
        p = rng.dirichlet(np.full(12, 1.5))
        ends = np.cumsum(p)[:-1]
        session.draw(p, int(np.searchsorted(ends, draw(float(rng.uniform())), side="right")))
        q = np.bincount(np.searchsorted(ends, numbers, side="right"), minlength=12) / len(numbers)
        gained += float(np.sum(q[q > 0] * np.log(q[q > 0] / p[q > 0])))
    session.commit()
    (report,) = test.reports()
    assert report.biased
    assert (report.explanation or "").startswith(said)
