"""The whole tree of X = I, d = 2, level by level in intervals of doubles.

Balls would take minutes where gamma is small: at gamma = 1/4 a level has up to 2^18 states. Both
axes are alike until the first draw, so it is taken to be e_1. The loop goes on after the stop, for
the potentials that do not depend on m; `running` marks the states that the stopped run reaches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from asura.scalars import Enclosure
from asura_verify.deciding.directed_intervals import Interval, down, enclose, up, whole
from asura_verify.deciding.numbers import add, multiply

DIMENSION = 2


@dataclass(frozen=True, slots=True)
class Sums:
    """E sum_{j<m} Phi_j, sum_j P(m > j) E[Phi_j], E[m], and the range of m."""

    summed: Enclosure
    decoupled: Enclosure
    length: Enclosure
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class _Level:
    """All states after j draws: the two diagonal entries, barriers, sum of Phi and chance."""

    first: Interval
    second: Interval
    upper: Interval
    lower: Interval
    spent: Interval
    chance: Interval
    running: NDArray[np.bool_]


def _total(values: Interval, where: NDArray[np.bool_]) -> Enclosure:
    """The sum, each end rounded once and outwards."""
    low = down(np.asarray(math.fsum(values.low[where].tolist())))
    high = up(np.asarray(math.fsum(values.high[where].tolist())))
    return Enclosure(Fraction(float(low)), Fraction(float(high)))


def _join(left: Interval, right: Interval) -> Interval:
    return Interval(np.concatenate([left.low, right.low]), np.concatenate([left.high, right.high]))


def _started(gamma: Interval) -> _Level:
    top = (2 * DIMENSION) / gamma
    nothing = whole(np.zeros(1))
    return _Level(
        nothing, nothing, nothing + top, nothing - top, nothing, whole(np.ones(1)), np.ones(1, bool)
    )


def _goes_on(level: _Level, gamma: Interval) -> NDArray[np.bool_]:
    """Whether (u - l) + sum of Phi is below twice its start: decided for every state."""
    clock = gamma * (level.upper - level.lower + level.spent) * (0.25 / DIMENSION) - 1
    below = clock.high < 1
    if not np.all(below | (clock.low >= 1)):
        message = "a stop that these intervals do not decide"
        raise ArithmeticError(message)
    return np.asarray(below, dtype=np.bool_)


def _drawn(level: _Level, gamma: Interval, brackets: tuple[Interval, Interval]) -> _Level:
    """All states after one more draw: first those that drew e_1."""
    potential = brackets[0] + brackets[1]
    pace = gamma / potential
    upper = level.upper + pace / (1 - 2 * gamma)
    lower = level.lower + pace / (1 + 2 * gamma)
    spent = level.spent + potential
    entries = (
        _join(level.first + gamma / brackets[0], level.first),
        _join(level.second, level.second + gamma / brackets[1]),
    )
    chance = _join(level.chance * brackets[0] / potential, level.chance * brackets[1] / potential)
    running = np.concatenate([level.running, level.running])
    return _Level(
        *entries, _join(upper, upper), _join(lower, lower), _join(spent, spent), chance, running
    )


def _half(level: _Level) -> _Level:
    """After the first draw: e_1 was drawn, with chance one."""

    def cut(values: Interval) -> Interval:
        return Interval(values.low[:1], values.high[:1])

    return _Level(
        cut(level.first),
        cut(level.second),
        cut(level.upper),
        cut(level.lower),
        cut(level.spent),
        whole(np.ones(1)),
        level.running[:1],
    )


def two_axes(gamma: Fraction) -> Sums:
    """Enclosures for X = X_1 = I, d = 2 and M = I.

    >>> found = two_axes(Fraction(3, 10))
    >>> found.shortest, found.longest, f"{float(found.summed):.6f}", f"{float(found.decoupled):.6f}"
    (10, 12, '2.427566', '2.424732')
    """
    rate = enclose([gamma], shape=())
    level = _started(rate)
    summed, decoupled, length = (Enclosure(Fraction(0), Fraction(0)) for _ in range(3))
    shortest, depth = 0, 0
    while np.any(level.running):
        everywhere = np.ones_like(level.running)
        brackets = tuple(
            (level.upper - entry).reciprocal() + (entry - level.lower).reciprocal()
            for entry in (level.first, level.second)
        )
        weighted = level.chance * (brackets[0] + brackets[1])
        reached = _total(level.chance, level.running)
        summed = add(summed, _total(weighted, level.running))
        decoupled = add(decoupled, multiply(reached, _total(weighted, everywhere)))
        length = add(length, reached)
        shortest += bool(np.all(level.running))
        level = _drawn(level, rate, (brackets[0], brackets[1]))
        level = _half(level) if depth == 0 else level
        depth += 1
        level = replace(level, running=level.running & _goes_on(level, rate))
    return Sums(summed, decoupled, length, shortest, depth)
