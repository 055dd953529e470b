"""Which known mistakes reproduce what the trace reports: all of them rehearse it in lockstep.

A mistake explains a trace when it reproduces every reported value, and comes at least eight
times closer to the first wrong one than the algorithm does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from asura.trace import IterationLine, ResultLine, trace_scalar
from asura_verify.oracle.judgement import Diagnosis, Violation
from asura_verify.oracle.mistakes.catalogue import CATALOGUE
from asura_verify.oracle.mistakes.recipe import Doubles, Mistake, Recipe
from asura_verify.oracle.mistakes.recipe_run import DataInDoubles, RecipeRun
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.views.judge import Judge

#: A rehearsal runs in doubles and may amplify its own errors: this much is overlooked.
OVERLOOKED = 2.0**-22
ALGORITHM = Recipe()


def _float(raw: Raw) -> float:
    try:
        return float(trace_scalar(raw)) if isinstance(raw, str) else float(raw)
    except OverflowError:
        return math.inf


def _array(raws: list[Raw] | None) -> Doubles | None:
    return None if raws is None else np.array([_float(raw) for raw in raws])


@dataclass(frozen=True, slots=True)
class Prediction:
    """One field, a number or a list: reported, said by a recipe, and the scale of an error."""

    field: str
    reported: Doubles | float
    predicted: Doubles | float
    scale: Doubles | float

    def within(self, slack: float) -> bool:
        """Whether no relative error is larger."""
        error: Any = abs(self.reported - self.predicted)  # numbers, or arrays of one length
        inside = error <= slack * self.scale
        return inside if isinstance(inside, bool) else bool(np.all(inside))

    def errors(self) -> Doubles:
        """Absolute errors."""
        return np.atleast_1d(np.abs(np.subtract(self.reported, self.predicted)))

    def worst(self) -> int:
        """Where the relative error is largest."""
        return int(np.argmax(self.errors() / self.scale))


def _scalar(field: str, raw: Raw | None, predicted: float, scale: float) -> Iterator[Prediction]:
    if raw is not None:
        yield Prediction(field, _float(raw), float(predicted), abs(float(scale)))


def _vector(field: str, raws: Doubles | None, predicted: Doubles) -> Iterator[Prediction]:
    if raws is not None and len(raws) == len(predicted):
        floor = 1e-12 * float(np.max(np.abs(predicted), initial=1e-300))
        yield Prediction(field, raws, predicted, np.maximum(np.abs(predicted), floor))


@dataclass
class SharedRun:
    """The mistakes that share their dynamics, as far as they are alive."""

    rehearsal: RecipeRun
    members: list[Mistake]

    @cached_property
    def clocks(self) -> list[Recipe]:
        """A recipe for every stopping test among the members, as many as there were at first."""
        return list({m.recipe.stops: m.recipe for m in self.members}.values())


class Diagnoser:
    """Feeds the lines of a trace to the run of every recipe that is still alive."""

    def __init__(self, judge: Judge, first: Violation) -> None:
        self._judge, self._first = judge, first
        stage = DataInDoubles(judge.data, float(judge.gamma), judge.rule)
        groups: dict[tuple[object, ...], SharedRun] = {}
        for mistake in CATALOGUE:
            key = stage.dynamics(mistake.recipe)
            try:
                if key not in groups:
                    groups[key] = SharedRun(RecipeRun(mistake.recipe, stage), [])
            except (np.linalg.LinAlgError, ZeroDivisionError, ValueError, OverflowError):
                continue
            groups[key].members.append(mistake)
        self._groups = list(groups.values())
        same = groups.get(stage.dynamics(ALGORITHM))
        self._truth = same.rehearsal if same else RecipeRun(ALGORITHM, stage)
        self._lines: dict[str, int] = {}  # the last one that a mistake reproduces
        self._soft: set[str] = set()  # contradicts the trace only in when the loop ends
        self._partial: list[Mistake] = []
        self._explains: set[str] = set()
        self._field = first.field.partition("[")[0]

    def _slack(self, j: int) -> float:
        judge = self._judge
        granted = judge.allowance.at(j, judge.spread, judge.reach)
        return max(OVERLOOKED, 64 * min(granted, 2.0**-10))

    @property
    def alive(self) -> bool:
        """Whether any mistake may still explain the whole trace."""
        return bool(self._groups)

    def _drop(self, members: list[Mistake], line: int) -> None:
        if line > self._first.line:
            self._partial += members
            self._lines.update((mistake.name, line - 1) for mistake in members)

    def iteration(self, line: int, record: IterationLine) -> None:
        """One iteration."""
        slack = self._slack(record.j)
        truth = self._truth
        if line < self._first.line and self._settled():
            self._follow(line, record, slack)
            return
        reported = _array(record.probabilities)
        references: dict[str, Prediction] = {}
        if not truth.failed:
            truth.look()
        if not truth.failed and line == self._first.line:
            references = {p.field: p for p in self._iteration(truth, record, reported)}
        alive = []
        for group in self._groups:
            rehearsal = group.rehearsal
            index = record.index - rehearsal.recipe.index_from
            if rehearsal is not truth:
                rehearsal.look()
            if (
                index >= 0
                and not rehearsal.failed
                and self._matches(
                    group.members,
                    line,
                    self._iteration(rehearsal, record, reported),
                    slack,
                    references,
                )
            ):
                self._decide(group, line, record.j, index, slack)
                if rehearsal is not truth:
                    rehearsal.take(index)
                if group.members and not rehearsal.failed:
                    alive.append(group)
                    continue
            self._drop(group.members, line)
        self._groups = alive
        if not truth.failed:
            truth.take(record.index)

    def _settled(self) -> bool:
        """Whether all that is left follows the algorithm, and no distribution is looked at."""
        return self._field != "index" and [group.rehearsal for group in self._groups] == [
            self._truth
        ]

    def _follow(self, line: int, record: IterationLine, slack: float) -> None:
        """A line that the judge found right, with the weight and the potential that it found."""
        truth, (group,) = self._truth, self._groups
        truth.potential = truth.gamma / float(self._judge.shares[record.j])
        self._decide(group, line, record.j, record.index, slack)
        truth.follow(record.index, float(self._judge.weights[record.j]))

    def _decide(self, group: SharedRun, line: int, j: int, index: int, slack: float) -> None:
        """Drop who would have ended the loop, or picked another point, where that is wrong."""
        rehearsal, recorded = group.rehearsal, self._judge.uniforms
        over = {r.stops for r in group.clocks if rehearsal.remaining(r) < -slack}
        if over:
            late = [mistake for mistake in group.members if mistake.recipe.stops in over]
            self._soft.update(mistake.name for mistake in late)
            if self._field == "stopping":
                self._leave(group, late, line)
        if self._field == "index" and recorded is not None:
            elsewhere = []
            for mistake in group.members:
                chosen, distance = rehearsal.chosen(mistake.recipe, float(recorded.values[j]))
                if chosen != index and distance > slack:
                    elsewhere.append(mistake)
                elif line == self._first.line and chosen == index:
                    self._explains.add(mistake.name)
            self._leave(group, elsewhere, line)

    def _leave(self, group: SharedRun, members: list[Mistake], line: int) -> None:
        group.members = [mistake for mistake in group.members if mistake not in members]
        self._drop(members, line)

    @staticmethod
    def _iteration(
        rehearsal: RecipeRun, record: IterationLine, reported: Doubles | None
    ) -> Iterator[Prediction]:
        recipe = rehearsal.recipe
        index = record.index - recipe.index_from
        upper, lower = rehearsal.upper, rehearsal.lower
        if recipe.reports_after:
            upper, lower = rehearsal.barriers_after()
        phi = rehearsal.potential
        shown = recipe.reported_probability(rehearsal.probabilities, phi)
        yield from _scalar("u", record.u, upper, upper)
        yield from _scalar("l", record.l, lower, upper)
        yield from _scalar("phi", record.phi, phi, phi)
        yield from _scalar("p", record.p, float(shown[index]), float(shown[index]))
        yield from _vector("probabilities", reported, shown)
        weight = rehearsal.weight(index)
        yield from _scalar("weight", record.weight, weight, weight)

    def _matches(
        self,
        members: list[Mistake],
        line: int,
        predictions: Iterator[Prediction],
        slack: float,
        references: dict[str, Prediction],
    ) -> bool:
        for prediction in predictions:
            if not prediction.within(slack):
                return False
            if line == self._first.line and prediction.field == self._field:
                reference = references.get(prediction.field)
                if reference is not None:
                    place = reference.worst()
                    wrong = reference.errors()[place]
                    if wrong == 0 or prediction.errors()[place] > wrong / 8:
                        continue
                self._explains.update(mistake.name for mistake in members)
        return True

    def _result(
        self,
        rehearsal: RecipeRun,
        recipe: Recipe,
        record: ResultLine,
        vectors: dict[str, Doubles | None],
    ) -> Iterator[Prediction]:
        upper, lower = rehearsal.upper, rehearsal.lower
        yield from _scalar("u", record.u, upper, upper)
        yield from _scalar("l", record.l, lower, upper)
        mid = rehearsal.mid(recipe)
        yield from _scalar("mid", record.mid, mid, max(abs(mid), abs(upper) * 1e-6))
        if mid == 0:
            return
        weights = np.array([recipe.normalised(weight, mid) for weight in rehearsal.weights])
        alphas = np.array(
            [
                recipe.alpha(share, weight, mid)
                for share, weight in zip(rehearsal.shares, rehearsal.weights, strict=True)
            ]
        )
        yield from _vector("weights", vectors["weights"], weights)
        yield from _vector("alphas", vectors["alphas"], alphas)
        beta = vectors["beta"]
        if beta is not None and not self._judge.undetermined:
            predicted = rehearsal.beta(recipe, mid)
            if predicted is not None:
                scale = np.full(len(predicted), max(float(np.linalg.norm(predicted)), 1e-300))
                yield Prediction("beta", beta, predicted, scale)

    def result(self, line: int, record: ResultLine) -> None:
        """The last line."""
        slack = self._slack(len(self._judge.picks))
        vectors = {name: _array(getattr(record, name)) for name in ("weights", "alphas", "beta")}
        references: dict[str, Prediction] = {}
        truth = self._truth
        if not truth.failed:
            references = {p.field: p for p in self._result(truth, ALGORITHM, record, vectors)}
        for group in self._groups:
            group.rehearsal.look()
            kept = []
            for mistake in group.members:
                if self._ends(group.rehearsal, mistake, record, slack) and self._matches(
                    [mistake],
                    line,
                    self._result(group.rehearsal, mistake.recipe, record, vectors),
                    slack,
                    references,
                ):
                    self._lines[mistake.name] = line
                    kept.append(mistake)
                else:
                    self._drop([mistake], line)
            group.members = kept

    def _ends(
        self, rehearsal: RecipeRun, mistake: Mistake, record: ResultLine, slack: float
    ) -> bool:
        """Whether a mistake agrees that the loop has ended, and with m."""
        # A run that goes on too long may end with its uniforms, and have decided nothing.
        recorded, length = self._judge.uniforms, len(self._judge.picks)
        late = self._first.line < length + 2
        cut = late and recorded is not None and len(recorded.values) == length
        if rehearsal.failed or rehearsal.remaining(mistake.recipe) > slack:
            self._soft.add(mistake.name)
            if self._field == "stopping" and not cut:
                return False
        if len(rehearsal.picks) + mistake.recipe.counts_extra != record.m:
            return False
        if self._field == "m" and mistake.recipe.counts_extra:
            self._explains.add(mistake.name)
        return True

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """Complete explanations first, in the order of the catalogue, then partial ones."""
        stopping = self._field == "stopping"
        order = {mistake.name: place for place, mistake in enumerate(CATALOGUE)}
        whole = [
            mistake
            for group in self._groups
            for mistake in group.members
            if stopping or mistake.name in self._explains
        ]
        whole.sort(key=lambda mistake: (mistake.name in self._soft, order[mistake.name]))
        part = [mistake for mistake in self._partial if mistake.name in self._explains]
        part.sort(key=lambda mistake: -self._lines[mistake.name])
        return tuple(
            Diagnosis(mistake.name, mistake.explanation, self._lines[mistake.name], complete)
            for complete, mistakes in ((True, whole), (False, part))
            for mistake in mistakes
        )
