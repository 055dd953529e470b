"""Which known mistakes reproduce a whole trace of K1 or K2.

A mistake is named only if it reproduces every reported value, and the first wrong one eight times
closer than the variant itself does; of several, those that come near the closest. Wrong picks are
reproduced by luck, too: then a mistake is complete only if that luck is small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asura.trace import IterationLine, Line, ResultLine
from asura_verify.oracle.diagnosis import CLOSER, LUCK, OVERLOOKED, ROUNDING
from asura_verify.oracle.judgement import Diagnosis, Violation
from asura_verify.oracle.kept.bench import Bench
from asura_verify.oracle.kept.mistakes import CORRECT, KEPT_MISTAKES, KeptRecipe
from asura_verify.oracle.kept.recipe_run import (
    CannotGoOn,
    Doubles,
    KeptDataInDoubles,
    KeptRecipeRun,
)
from asura_verify.oracle.trace.values import number

#: How the violation of a pick begins that no variant makes.
KEPT = "a point of X_2"


@dataclass
class _Reading:
    """How a recipe fares along a trace."""

    fits: bool = True
    worst: float = 0.0  # the largest relative error
    at_first: float = math.inf  # the error of the value that is wrong first
    luck: float = 0.0  # minus the logarithm of the luck with which wrong picks are reproduced
    lines: int = 0
    chosen: dict[int, int] = field(default_factory=dict)  # what it picks, where that is certain


def _doubles(raw: Any) -> Doubles:
    raws = raw if isinstance(raw, list) else [raw]
    return np.array([float(number(each)) for each in raws])


def _error(raw: Any, predicted: Any, scale: float) -> float:
    """The largest relative error of a field; infinite where lengths differ."""
    given, said = _doubles(raw), np.atleast_1d(np.asarray(predicted, dtype=float))
    if given.shape != said.shape:
        return math.inf
    floor = max(scale, 1e-12 * float(np.max(np.abs(said), initial=0.0)), 1e-300)
    return float(np.max(np.abs(given - said) / np.maximum(np.abs(said), floor), initial=0.0))


class _Reader:
    """Holds one recipe against the lines of a trace."""

    def __init__(
        self, judge: Bench, data: KeptDataInDoubles, first: Violation, truth: _Reading | None
    ) -> None:
        self._judge, self._data, self._first, self._truth = judge, data, first, truth
        self._field = first.field.partition("[")[0]
        granted = min(judge.granted, 2.0**-10)
        self._slack = max(OVERLOOKED, 64 * granted)

    def read(self, recipe: KeptRecipe, lines: list[tuple[int, Line]]) -> _Reading:
        """The whole trace, up to where the recipe does not fit."""
        found = _Reading()
        try:
            run = KeptRecipeRun(recipe, self._data)
            for place, line in lines:
                if isinstance(line, IterationLine):
                    self._iteration(found, run, place, line)
                elif isinstance(line, ResultLine):
                    self._result(found, run, place, line)
                if found.fits:
                    found.lines = place
                elif self._truth is not None:
                    return found
        except (CannotGoOn, ArithmeticError, np.linalg.LinAlgError, ValueError, IndexError):
            found.fits = False
        return found

    def _compare(self, found: _Reading, place: int, line: Any, said: dict[str, Any]) -> None:
        whole = place == self._first.line
        for name, predicted in said.items():
            raw = getattr(line, name)
            if raw is None:
                continue
            scale = 0.0
            if name == "beta":
                scale = float(np.linalg.norm(predicted))
            error = _error(raw, predicted, scale)
            found.worst = max(found.worst, error)
            found.fits = found.fits and error <= self._slack
            if whole and name == self._field:
                found.at_first = error

    def _iteration(
        self, found: _Reading, run: KeptRecipeRun, place: int, line: IterationLine
    ) -> None:
        if run.ended and run.remaining() < -self._slack:
            found.fits = False  # its program would have ended before
        pool = self._data.scheme.pool
        ending = self._data.scheme.ending
        left_out = line.index == pool and ending == "coin"
        if run.recipe.everything:  # that index may be a point of X_2
            left_out = left_out and line.weight is None and line.p is None
        run.look()
        self._compare(found, place, line, run.fields(line.index, left_out=left_out))
        uniforms = self._judge.uniforms
        if uniforms is not None:
            index, distance = run.chosen(float(uniforms.values[line.j]))
            if index != line.index and distance > self._slack:
                found.fits = False
            elif place == self._first.line and self._field == "index" and index == line.index:
                found.at_first = 0.0
            if distance > self._slack:
                found.chosen[line.j] = index
            if self._truth is not None and self._truth.chosen.get(line.j, line.index) != line.index:
                chance = run.chances[line.index] if line.index < len(run.chances) else 1.0
                found.luck -= math.log(max(float(chance), 1e-300))
        run.take(line.index, left_out=left_out)

    def _result(self, found: _Reading, run: KeptRecipeRun, place: int, line: ResultLine) -> None:
        if run.remaining() > self._slack or line.m != len(run.weights):
            found.fits = False
        if self._field == "stopping":
            found.at_first = 0.0
        self._compare(found, place, line, run.result())


def diagnosed(
    judge: Bench, lines: list[tuple[int, Line]], first: Violation
) -> tuple[Diagnosis, ...]:
    """The mistakes that reproduce a trace, the most specific first."""
    if not judge.scheme.kept or judge.nothing:
        return ()
    with np.errstate(all="ignore"):
        data = KeptDataInDoubles.of(judge.data, judge.scheme, float(judge.gamma))
        truth = _Reader(judge, data, first, None).read(CORRECT, lines)
        reader = _Reader(judge, data, first, truth)
        readings = [
            (mistake, reader.read(mistake.recipe, lines))
            for mistake in KEPT_MISTAKES
            if mistake.only in {None, judge.scheme.slug}
        ]
    named = [
        (mistake, found)
        for mistake, found in readings
        if found.lines >= first.line and _explains(first, found, truth)
    ]
    whole = [(mistake, found) for mistake, found in named if found.fits]
    most = max(CLOSER * min((found.worst for _, found in whole), default=0.0), ROUNDING)
    complete = [pair for pair in whole if pair[1].worst <= most and not _lucky(first, pair[1])]
    # What contradicts a pick later is refuted.
    partial = [] if complete else whole if first.field == "index" else named
    partial = [pair for pair in partial if pair not in complete]
    partial.sort(key=lambda pair: -pair[1].lines)
    return tuple(
        Diagnosis(mistake.name, mistake.explanation, found.lines, whole)
        for whole, pairs in ((True, complete), (False, partial))
        for mistake, found in pairs
    )


def _lucky(first: Violation, found: _Reading) -> bool:
    """Whether luck may have reproduced the picks, when it is picks that are wrong."""
    return first.field == "index" and not first.message.startswith(KEPT) and found.luck < LUCK


def _explains(first: Violation, found: _Reading, truth: _Reading) -> bool:
    """Whether the value that is wrong first comes out much closer than by the variant itself."""
    if first.field in {"stopping", "m", "index"}:
        return found.at_first < math.inf or first.field == "index"
    return found.at_first * 8 < truth.at_first
