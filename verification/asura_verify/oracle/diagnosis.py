"""Which known mistakes reproduce what the trace reports: all of them follow its picks in lockstep.

A mistake explains a trace when it reproduces every reported value, comes at least eight times
closer to the first wrong one than the algorithm does, and no other comes much closer still. Picks
are reproduced by luck, too: a mistake explains wrong picks wholly only if that luck is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq

from asura.scalars import rational
from asura.trace import IterationLine, ResultLine, trace_scalar
from asura_verify.oracle.judgement import Diagnosis, LocalView, Violation
from asura_verify.oracle.mistakes.catalogue import CATALOGUE
from asura_verify.oracle.mistakes.recipe import ALGORITHM, Doubles, Mistake, Recipe, Uniform
from asura_verify.oracle.mistakes.recipe_run import DataInDoubles, RecipeRun
from asura_verify.oracle.slip import Reader, slipped
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.views.court import ratio
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.relations import exactly

#: The run of a recipe is in doubles and may amplify its own errors: this much is overlooked.
OVERLOOKED = 2.0**-22
#: A mistake that is so many times farther from the trace than the closest one is not named,
CLOSER = 64.0
#: unless it is no farther than the roundings of such a run.
ROUNDING = 2.0**-40
#: An error beyond the first iteration that no slight mistake explains.
GROSS = 2.0**-8
#: The logarithm of one over the luck with which wrong picks may be reproduced.
LUCK = math.log(20)
#: Bits to which values must agree to be called the right ones in a lower precision.
RIGHT_BITS = 10
#: What is said of a wrong value that stands in its line alone.
RIGHT_ONE = (
    ": the program went on with the right one, and the later steps that do not follow from the "
    "reported one follow from that"
)
#: Bits by which most errors of rounding may be smaller than the largest one.
FEW_MORE = 6


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

    def size(self) -> float:
        """The largest relative error."""
        return float(np.max(self.errors() / np.maximum(self.scale, 1e-300), initial=0.0))

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


def _fine(slack: float) -> float:
    """What roundings may separate from the trace, where 64 times as much is overlooked."""
    return max(OVERLOOKED, slack / 64)


def _contradiction(remaining: float, *, ended: bool) -> float:
    """How far a clock is from having ended, or is beyond it.

    >>> _contradiction(0.25, ended=True), _contradiction(0.25, ended=False)
    (0.25, 0.0)
    """
    return max(0.0, remaining if ended else -remaining)


@dataclass
class SharedRun:
    """The mistakes that share their dynamics, as far as they are alive."""

    run: RecipeRun
    members: list[Mistake]

    @cached_property
    def clocks(self) -> list[Recipe]:
        """A recipe for every stopping test among the members, as many as there were at first."""
        return list({m.recipe.stops: m.recipe for m in self.members}.values())


class Diagnoser:
    """Feeds the lines of a trace to the run of every recipe that is still alive."""

    def __init__(self, judge: Judge, first: Violation) -> None:
        self._judge, self._first = judge, first
        self._field = first.field.partition("[")[0]
        data = DataInDoubles(judge.data, float(judge.gamma), judge.rule, float(judge.replay.mid()))
        groups: dict[tuple[object, ...], SharedRun] = {}
        gross = first.line > 2 and (first.gap is None or first.gap * first.allowance > GROSS)
        for mistake in CATALOGUE:
            if (gross and mistake.slight) or not self._concerns(mistake.recipe):
                continue
            try:
                key = data.dynamics(mistake.recipe)
                if key not in groups:
                    groups[key] = SharedRun(RecipeRun(mistake.recipe, data), [])
            except (np.linalg.LinAlgError, ZeroDivisionError, ValueError, OverflowError):
                continue
            groups[key].members.append(mistake)
        self._groups = list(groups.values())
        same = groups.get(data.dynamics(ALGORITHM))
        self._truth = same.run if same else RecipeRun(ALGORITHM, data)
        self._lines: dict[str, int] = {}  # the last one that a mistake reproduces
        self._cut: set[str] = set()  # goes on where the uniforms end, and the trace with them
        self._ends_at: dict[str, int] = {}  # the line of another end: it contradicts no value
        self._partial: list[Mistake] = []
        self._explains: set[str] = set()
        self._error: dict[str, float] = {}  # the largest one, in units of its scale
        self._rough: set[str] = set()  # comes near the trace, but not as near as roundings are
        self._evidence: dict[str, float] = {}  # of the wrong picks that a mistake reproduces
        recorded = judge.uniforms
        self._uniforms = None if recorded is None else [float(r) for r in recorded.values]

    def _concerns(self, recipe: Recipe) -> bool:
        """Whether a recipe may change the field that is wrong first."""
        same = recipe.reported_probability is ALGORITHM.reported_probability
        return same or self._field in {"p", "probabilities"}

    def _slack(self, j: int) -> float:
        """What is overlooked of a mistake that stays in question."""
        return max(OVERLOOKED, 64 * self._granted(j))

    def _granted(self, j: int) -> float:
        judge = self._judge
        return min(judge.allowance.at(j, judge.spread, judge.reach), 2.0**-10)

    def _algorithm_off(self, *, ended: bool) -> float | None:
        """How far the algorithm's clock contradicts the end, or that there is none yet.

        None where it does not: then it is the clock of the barriers as reported, which are wrong.
        """
        truth = self._truth
        if truth.failed:
            return None
        return _contradiction(truth.remaining(ALGORITHM), ended=ended) or None

    def _explains_end(self, run: RecipeRun, recipe: Recipe, *, ended: bool) -> bool:
        """Whether a clock comes eight times closer to the first wrong decision to go on or end."""
        wrong = self._algorithm_off(ended=ended)
        return wrong is None or 8 * _contradiction(run.remaining(recipe), ended=ended) <= wrong

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
            run = group.run
            index = record.index - run.recipe.index_from
            if run is not truth:
                run.look()
            if (
                index >= 0
                and not run.failed
                and self._matches(
                    group.members,
                    line,
                    self._iteration(run, record, reported),
                    slack,
                    references,
                )
            ):
                self._decide(group, line, record.j, index, slack)
                if run is not truth:
                    run.take(index)
                if group.members and not run.failed:
                    alive.append(group)
                    continue
            self._drop(group.members, line)
        self._groups = alive
        if not truth.failed:
            truth.take(record.index)

    def _settled(self) -> bool:
        """Whether all that is left follows the algorithm, and no distribution is looked at."""
        return self._field != "index" and [group.run for group in self._groups] == [self._truth]

    def _follow(self, line: int, record: IterationLine, slack: float) -> None:
        """A line that the judge found right, with the weight and the potential that it found."""
        truth, (group,) = self._truth, self._groups
        truth.potential = truth.gamma / float(self._judge.shares[record.j])
        self._decide(group, line, record.j, record.index, slack)
        truth.follow(record.index, float(self._judge.weights[record.j]))

    def _decide(self, group: SharedRun, line: int, j: int, index: int, slack: float) -> None:
        """Drop who would have ended the loop, or picked another point, where that is wrong."""
        run, given = group.run, self._uniforms
        if self._field == "stopping" and line == self._first.line:
            self._explains.update(
                mistake.name
                for mistake in group.members
                if self._explains_end(run, mistake.recipe, ended=False)
            )
        beyond = {r.stops: -run.remaining(r) for r in group.clocks}
        if max(beyond.values()) > _fine(slack):
            late = [m for m in group.members if beyond[m.recipe.stops] > _fine(slack)]
            for mistake in late:
                self._ends_at.setdefault(mistake.name, line)
            if self._field == "stopping":
                gone = [mistake for mistake in late if beyond[mistake.recipe.stops] > slack]
                self._leave(group, gone, line)
        if self._field == "index" and given is not None:
            elsewhere = []
            surprise = self._surprise(index, given[j], slack)
            for mistake in group.members:
                recipe = mistake.recipe
                uniform = recipe.uniform(Uniform(given, j, run.potential))
                chosen, distance = run.chosen(recipe, uniform)
                if chosen != index and distance > slack:
                    elsewhere.append(mistake)
                elif chosen == index:
                    known = self._evidence.get(mistake.name, 0.0)
                    self._evidence[mistake.name] = known + surprise
                    if line == self._first.line:
                        self._explains.add(mistake.name)
            self._leave(group, elsewhere, line)

    def _surprise(self, index: int, uniform: float, slack: float) -> float:
        """How little luck reproduces a pick that the algorithm does not make; 0 if it does."""
        truth = self._truth
        if truth.failed:
            return 0.0
        chosen, distance = truth.chosen(ALGORITHM, uniform)
        chance = float(truth.probabilities[index])
        if chosen == index or distance <= slack or not 0 < chance < 1:
            return 0.0
        return -math.log(chance)

    def _leave(self, group: SharedRun, members: list[Mistake], line: int) -> None:
        group.members = [mistake for mistake in group.members if mistake not in members]
        self._drop(members, line)

    @staticmethod
    def _iteration(
        run: RecipeRun, record: IterationLine, reported: Doubles | None
    ) -> Iterator[Prediction]:
        recipe = run.recipe
        index = record.index - recipe.index_from
        upper, lower = run.upper, run.lower
        if recipe.reports_after:
            upper, lower = run.barriers_after()
        scale = upper
        upper, lower = recipe.reported_barriers(upper, lower)
        phi = run.potential
        shown = recipe.reported_probability(run.probabilities, phi)
        said = recipe.reported_potential(phi, run.dimension)
        yield from _scalar("u", record.u, upper, scale)
        yield from _scalar("l", record.l, lower, scale)
        yield from _scalar("phi", record.phi, said, said)
        yield from _scalar("p", record.p, float(shown[index]), float(shown[index]))
        yield from _vector("probabilities", reported, shown)
        if record.weight is not None:
            p, mid = float(run.probabilities[index]), run.in_doubles.mid
            weight = recipe.reported_weight(run.weight(index), mid, p) if p else math.nan
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
            error = prediction.size()
            if error > _fine(slack):
                self._rough.update(mistake.name for mistake in members)
            for mistake in members:
                self._error[mistake.name] = max(self._error.get(mistake.name, 0.0), error)
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
        run: RecipeRun,
        recipe: Recipe,
        record: ResultLine,
        vectors: dict[str, Doubles | None],
    ) -> Iterator[Prediction]:
        upper, lower = run.upper, run.lower
        yield from _scalar("u", record.u, upper, upper)
        yield from _scalar("l", record.l, lower, upper)
        mid = run.mid(recipe)
        yield from _scalar("mid", record.mid, mid, max(abs(mid), abs(upper) * 1e-6))
        if mid == 0:
            return
        shares, weights = np.array(run.shares), np.array(run.weights)
        alphas = recipe.alpha(shares, weights, mid, run.gamma)
        yield from _vector("weights", vectors["weights"], recipe.normalised(weights, mid))
        yield from _vector("alphas", vectors["alphas"], alphas)
        beta = vectors["beta"]
        if beta is not None and not self._judge.undetermined:
            predicted = run.beta(recipe, mid)
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
            truth.look()
        if not truth.failed:
            references = {p.field: p for p in self._result(truth, ALGORITHM, record, vectors)}
        for group in self._groups:
            if group.run is not truth:
                group.run.look()
            kept = []
            for mistake in group.members:
                if self._ends(group.run, mistake, record, slack) and self._matches(
                    [mistake],
                    line,
                    self._result(group.run, mistake.recipe, record, vectors),
                    slack,
                    references,
                ):
                    self._lines[mistake.name] = line
                    kept.append(mistake)
                else:
                    self._drop([mistake], line)
            group.members = kept

    def _ends(self, run: RecipeRun, mistake: Mistake, record: ResultLine, slack: float) -> bool:
        """Whether a mistake agrees that the loop has ended, and with m."""
        # A run that goes on too long may end with its uniforms, and have decided nothing.
        recorded, length = self._judge.uniforms, len(self._judge.picks)
        late = self._first.line < length + 2
        cut = late and recorded is not None and len(recorded.values) == length
        left = math.inf if run.failed else run.remaining(mistake.recipe)
        if left > _fine(slack):
            if cut:
                self._cut.add(mistake.name)
            elif self._field == "stopping" and left > slack:
                return False
            else:
                self._ends_at.setdefault(mistake.name, length + 2)
        if (
            self._field == "stopping"
            and self._first.line == length + 2
            and self._explains_end(run, mistake.recipe, ended=True)
        ):
            self._explains.add(mistake.name)
        if len(run.picks) + mistake.recipe.counts_extra != record.m:
            return False
        if self._field == "m" and mistake.recipe.counts_extra:
            self._explains.add(mistake.name)
        return True

    def _most(self) -> float:
        """An error that a mistake may make anywhere: less than the one that it explains."""
        first = self._first
        if first.gap is None:
            return math.inf
        return max(first.gap * first.allowance / 8, first.allowance, ROUNDING)

    def _lucky(self, mistake: Mistake) -> bool:
        """Whether luck may have reproduced the picks, when it is picks that are wrong."""
        return self._field == "index" and self._evidence.get(mistake.name, 0.0) < LUCK

    def _doubtful(self, mistake: Mistake) -> bool:
        """Whether what contradicts no value may be another mistake: rough, or ending elsewhere."""
        elsewhere = mistake.name in self._ends_at
        return elsewhere or mistake.name in self._rough or self._lucky(mistake)

    def _extent(self, name: str) -> int:
        """The last line that a mistake reproduces; it has none from where its loop would end."""
        end = self._ends_at.get(name)
        return self._lines[name] if end is None else min(self._lines[name], end - 1)

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """Complete explanations first, in the order of the catalogue, then partial ones."""
        order = {mistake.name: place for place, mistake in enumerate(CATALOGUE)}
        whole = [
            mistake
            for group in self._groups
            for mistake in group.members
            if mistake.name in self._explains
        ]
        errors = [self._error.get(mistake.name, 0.0) for mistake in whole]
        most = min(max(CLOSER * min(errors, default=0.0), ROUNDING), self._most())
        whole = [mistake for mistake, error in zip(whole, errors, strict=True) if error <= most]
        whole.sort(key=lambda mistake: (mistake.name in self._cut, order[mistake.name]))
        part = [
            mistake
            for mistake in self._partial
            if mistake.name in self._explains and self._error.get(mistake.name, 0.0) <= self._most()
        ]
        part.sort(key=lambda mistake: -self._lines[mistake.name])
        sure = [mistake for mistake in whole if not self._doubtful(mistake)]
        doubtful = [mistake for mistake in whole if self._doubtful(mistake)]
        if sure or self._field in {"index", "stopping"}:  # a decision that a later line refutes
            part = []
        return tuple(
            Diagnosis(mistake.name, mistake.explanation, self._extent(mistake.name), complete)
            for complete, mistakes in ((True, sure), (False, [*doubtful, *part]))
            for mistake in mistakes
        )


class Roundings:
    """How far relations between the values as reported are off, which hold up to roundings.

    A program of few bits breaks them in most lines. One that errs elsewhere, in its whitening or in
    its matrix, keeps them to all its bits, however wrong its values are.
    """

    def __init__(self, gamma: Fraction) -> None:
        self._gamma = rational(gamma)
        self._rates = rational(gamma / (1 - 2 * gamma)), rational(gamma / (1 + 2 * gamma))
        self._before: IterationLine | None = None
        self._off: dict[str, list[float]] = {}

    def line(self, record: IterationLine | ResultLine) -> None:
        """The values of one line, and the barriers after the line before."""
        for field, rate in zip(("u", "l"), self._rates, strict=True):
            self._barrier(field, rate, record)
        if isinstance(record, IterationLine):
            if record.weight is not None and record.phi is not None and record.p is not None:
                product = exactly(record.weight) * exactly(record.phi) * exactly(record.p)
                self._note("weight", product - self._gamma, self._gamma)
            if record.probabilities is not None:
                total = sum(map(exactly, record.probabilities), fmpq(0))
                self._note("probabilities", total - 1, fmpq(1))
            self._before = record

    def _barrier(self, field: str, rate: fmpq, record: IterationLine | ResultLine) -> None:
        before, new = self._before, getattr(record, field)
        if before is None or new is None or before.phi is None or getattr(before, field) is None:
            return
        old, new, phi = exactly(getattr(before, field)), exactly(new), exactly(before.phi)
        if phi != 0:
            self._note(field, new - old - rate / phi, max(abs(old), abs(new)))

    def _note(self, relation: str, error: fmpq, scale: fmpq) -> None:
        self._off.setdefault(relation, []).append(ratio(abs(error), scale))

    def bits(self) -> int | None:
        """To how many bits all relations hold, if most places of each hold to few more."""
        largest = max((max(errors) for errors in self._off.values()), default=0.0)
        if not 0 < largest < 1:
            return None
        least = largest * 2.0**-FEW_MORE
        most = all(
            2 * sum(error >= least for error in errors) >= len(errors)
            for errors in self._off.values()
        )
        return int(-math.log2(largest)) if most else None


def general(
    judge: Judge,
    local: LocalView | None,
    conforms: Callable[[int], bool],
    rounded: Callable[[], int | None],
    read: Reader,
) -> tuple[Diagnosis, ...]:
    """What can be said when no known mistake reproduces the trace.

    `conforms` tells whether the trace does when it declares so many bits, `rounded` to how many
    bits its relations hold, if all are off alike, and `read` what it reports around a line.
    """
    first, last = judge.violations[0], len(judge.picks) + 2
    if judge.wrong.keys() & {"stopping", "m"}:
        return ()
    slip = slipped(judge, local, read)
    if slip is None and "index" in judge.wrong:
        return ()
    carried = slip is not None and first.field in {"u", "l", "weight"}
    if judge.violated == 1 and first.gap is not None and not carried:
        said = "isolated-value", f"{first.field} is wrong here, and nothing else"
        if _unused(first, local):
            said = said[0], f"{said[1]}{RIGHT_ONE}"
    elif judge.picks and first.line == last:
        said = "result-only", "every iteration is right; what is wrong is made of them at the end"
    elif slip is not None:
        said = (
            "single-slip",
            f"one step is wrong, at line {slip}; every other step follows from the reported state",
        )
    else:
        return _coarse(judge, conforms, rounded, last)
    return (Diagnosis(*said, last, complete=True),)


def _unused(first: Violation, local: LocalView | None) -> bool:
    """Whether other steps do not follow from the only wrong value, though all they report is right.

    So the program has computed them from another one.
    """
    if local is None or local.first is None:
        return False
    return local.first.line == first.line and local.judged - local.followed > 1


def _coarse(
    judge: Judge,
    conforms: Callable[[int], bool],
    rounded: Callable[[], int | None],
    last: int,
) -> tuple[Diagnosis, ...]:
    """Values that are all a little wrong: by fewer bits throughout, or by something else."""
    few = 0 < judge.farthest <= 2.0**-RIGHT_BITS and judge.violated * 8 > sum(
        judge.checked.values()
    )
    if not few:
        return ()
    bits = rounded()
    if bits is not None and RIGHT_BITS <= bits <= judge.precision - FEW_MORE and conforms(bits):
        text = (
            f"the trace conforms as one of {bits} bits, to which the relations between its values "
            f"hold in most lines: lower precision than the {judge.precision} declared"
        )
        return (Diagnosis("lower-precision", text, last, complete=True),)
    bits = int(-math.log2(judge.farthest))
    if not conforms(bits):
        return ()
    text = (
        f"all values are right to {bits} bits or more, and the trace would conform as one of "
        f"{bits}; but not all relations between them show roundings of that size: something else "
        "may be wrong"
    )
    return (Diagnosis("small-errors", text, last, complete=False),)
