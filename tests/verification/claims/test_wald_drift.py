"""The argument of the note `wald` along real runs: X = I, every state in balls of 200 bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from asura.dataset import dataset
from asura.randomness import Picks, Seed
from asura.run import Run, run
from asura.scalars import Enclosure
from asura_verify.claims.wald.certificate import cells
from asura_verify.claims.wald.enclosure import SHIFT, Weights, slope_bound
from asura_verify.claims.wald.weights import PIECES, Piece


def _ball(value: Fraction | int) -> arb:
    exact = Fraction(value)
    return arb(exact.numerator) / arb(exact.denominator)


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    before, ctx.prec = ctx.prec, 200
    yield
    ctx.prec = before


@dataclass(frozen=True)
class State:
    """P, Q and the clock of one state of a run; `weights` are the diagonal of M, of sum one."""

    gamma: Fraction
    p: tuple[arb, ...]
    q: tuple[arb, ...]
    r: arb
    s: arb
    weights: tuple[Fraction, ...]

    @property
    def psi(self) -> arb:
        return sum((1 / each for each in (*self.p, *self.q)), arb(0)) / len(self.p)

    @property
    def parts(self) -> tuple[arb, arb]:
        """The parts f_P and f_Q."""
        pairs = [
            sum((_ball(w) / x for w, x in zip(self.weights, side, strict=True)), arb(0))
            for side in (self.p, self.q)
        ]
        return pairs[0], pairs[1]

    @property
    def clock(self) -> arb:
        return self.r + self.s

    def after(self, drawn: int) -> State:
        d, g = len(self.p), _ball(self.gamma)
        scaled = g / (d * self.psi)
        sample = g / (1 / self.p[drawn] + 1 / self.q[drawn])
        hit = [sample if i == drawn else arb(0) for i in range(d)]
        step = g * g / d
        return State(
            self.gamma,
            tuple(p + scaled / (1 - 2 * g) - x for p, x in zip(self.p, hit, strict=True)),
            tuple(q - scaled / (1 + 2 * g) + x for q, x in zip(self.q, hit, strict=True)),
            self.r + step / ((1 - 4 * g * g) * self.psi),
            self.s + step * self.psi / 4,
            self.weights,
        )

    def chance(self, drawn: int) -> arb:
        return (1 / self.p[drawn] + 1 / self.q[drawn]) / (len(self.p) * self.psi)


def _start(gamma: Fraction, d: int, random: np.random.Generator) -> State:
    raw = [Fraction(int(x)) for x in random.integers(0, 20, d) ** 3 + 1]
    two = tuple(arb(2) for _ in range(d))
    return State(gamma, two, two, arb(0), arb(0), tuple(x / sum(raw) for x in raw))


def _level(slopes: tuple[int, ...], unit: int, t: arb) -> arb:
    """C or B at t."""
    count = len(slopes)
    total = arb(0)
    for i, slope in enumerate(slopes):
        left = (_ball(Fraction(i + 1, count)) - t).max(arb(0)).min(_ball(Fraction(1, count)))
        total += left * _ball(Fraction(slope, unit))
    return total


def _lyapunov(state: State, weights: Weights) -> arb:
    """V without its sum."""
    g = _ball(state.gamma)
    h, a = g * g / len(state.p), (1 - 4 * g * g).sqrt()
    shift = _ball(SHIFT) * h / a
    c = _level(weights.c, 1000, state.clock) + shift
    b = _level(weights.b, 10000, state.clock) + _ball(weights.steepest) * shift
    return a * c * (sum(state.parts, arb(0)) - 1) + b * (state.psi - 1)


def _integral(bounds: np.ndarray, low: arb, high: arb) -> arb:
    count, total = len(bounds), arb(0)
    for i in range(max(int(float(low) * count) - 1, 0), min(int(float(high) * count) + 2, count)):
        left, right = _ball(Fraction(i, count)).max(low), _ball(Fraction(i + 1, count)).min(high)
        total += (right - left).max(arb(0)) * arb(float(bounds[i]))
    return total


def _visited(gamma: Fraction, seed: int) -> Iterator[State]:
    """The states of random runs, some of which prefer one axis."""
    random = np.random.default_rng(seed)
    for attempt in range(8):
        state = _start(gamma, int(random.integers(2, 4)), random)
        while state.clock < 1:
            yield state
            lazy = attempt % 2 and random.random() < 0.7
            state = state.after(0 if lazy else int(random.integers(0, len(state.p))))


def _broken(piece: Piece, seed: int, factor: float = 1.0) -> tuple[int, int]:
    """How many steps drift upwards by more than the bound allows, and how many were looked at."""
    cell = list(cells(piece))[-1]
    gamma = Fraction(cell.high) - Fraction(1, 10**4)
    bounds = slope_bound(cell, piece.weights) * factor
    broken = looked = 0
    for state in _visited(gamma, seed):
        children = [state.after(i) for i in range(len(state.p))]
        if not children[0].clock < 1:
            continue
        looked += 1
        h = _ball(gamma**2 / len(state.p))
        mean = sum(
            (state.chance(i) * _lyapunov(child, piece.weights) for i, child in enumerate(children)),
            arb(0),
        )
        rise = h * (sum(state.parts, arb(0)) - 1) + mean - _lyapunov(state, piece.weights)
        broken += not rise <= _integral(bounds, state.clock, children[0].clock)
    return broken, looked


@pytest.mark.parametrize("index", [9, 10, len(PIECES) - 1])
def test_the_drift_along_a_run_is_below_its_bound(index: int) -> None:
    broken, looked = _broken(PIECES[index], index)
    assert broken == 0
    assert looked > 50


def test_a_bound_that_is_too_low_is_noticed() -> None:
    """Three times a negative bound is not a bound."""
    assert _broken(PIECES[10], 10, 3.0)[0] > 0


@pytest.mark.parametrize("gamma", [Fraction(1, 5), Fraction(3, 10), Fraction(9, 20)])
def test_states_are_where_step_2_says(gamma: Fraction) -> None:
    g = _ball(gamma)
    k = 1 - 4 * g * g
    for state in _visited(gamma, 3):
        above, below = state.parts
        if state.r > 0:
            assert not 1 / above + 1 / below > 4 * (1 + state.r)
            assert not state.r + k / 4 * state.r / (1 + state.r) > state.clock
        room = 2 - (1 / g - 2) * state.r
        if room > 0:
            assert not below * room > 1
        sums = [p + q - 4 * (1 + state.r) for p, q in zip(state.p, state.q, strict=True)]
        assert all(each.contains(0) for each in sums)


def _potentials(made: Run[Any, Any]) -> list[Enclosure]:
    return [step.potential for step in made.steps()]


def _falling(potentials: list[Enclosure]) -> bool:
    """Whether each is certainly below the one before."""
    return all(later.upper < earlier.lower for earlier, later in pairwise(potentials))


@pytest.mark.parametrize(
    "gamma",
    [Fraction(1, 50), Fraction(3, 10), Fraction(2, 5), Fraction(9, 20), Fraction(499, 1000)],
)
def test_one_dimension_for_every_gamma(gamma: Fraction) -> None:
    """Part 2 of the note: the run is deterministic and no potential exceeds the one before."""
    potentials = _potentials(run(dataset([[1], [3]]), gamma, chooser=Seed(1)))
    assert potentials[0].lower <= gamma <= potentials[0].upper
    assert _falling(potentials)


def test_two_dimensions_are_not_like_one() -> None:
    """Seen to fail: in the plane a potential can rise along a run."""
    one_axis = run(dataset([[1, 0], [0, 1]]), Fraction(3, 10), chooser=Picks([0] * 40))
    assert not _falling(_potentials(one_axis))
