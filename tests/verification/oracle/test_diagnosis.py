"""Which mistakes explain a trace, line by line, on data whose run is worked out by hand.

The points are the two axes and gamma = 1/4: u_0 = 16, l_0 = -16, Phi_0 = 1/4, p = 1/2, and a pick
has weight 2. What is overlooked is 2^-22 there.
"""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from flint import arb

from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import CORRECT
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import COMMON
from asura_verify.implementations.survey import attempt
from asura_verify.oracle import diagnosis
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.diagnosis import Diagnoser, Prediction
from asura_verify.oracle.judgement import Ruling, Violation
from asura_verify.oracle.mistakes.recipe import Mistake, Recipe, StopContext
from asura_verify.oracle.mistakes.recipe_run import DataInDoubles, RecipeRun
from asura_verify.oracle.truth.stated import BLOCK
from asura_verify.oracle.views.judge import Judge

AXES = HeaderLine(format=FORMAT, gamma=0.25, points=[[1, 0], [0, 1]], unlabelled=1, labels=[1, 2])
OVERLOOKED = 2.0**-22
#: The mistakes of a catalogue, by name.
Recipes = dict[str, Recipe]
#: What is said: the mistake, the last line that it reproduces, and whether that is all.
Said = list[tuple[str, int, bool]]


@dataclass
class Told:
    """A trace, as somebody may report it."""

    iterations: list[IterationLine]
    result: ResultLine

    def saying(self, place: int, **fields: Any) -> "Told":
        """Another value in one line; -1 is the result."""
        iterations, result = list(self.iterations), self.result
        if place < 0:
            result = _changed(result, fields)
        else:
            iterations[place] = _changed(iterations[place], fields)
        return Told(iterations, result)


def _changed(line: Any, fields: dict[str, Any]) -> Any:
    every = {name: getattr(line, name) for name in line.__struct_fields__}
    return type(line)(**(every | fields))


def told(
    recipe: Recipe | None = None, picks: Sequence[int] = (), header: HeaderLine = AXES
) -> Told:
    """What a run with these picks reports, in full but without beta."""
    recipe = recipe or Recipe()
    judge = Judge(header)
    run = RecipeRun(recipe, DataInDoubles(judge.data, float(judge.gamma), judge.rule))
    iterations = []
    for j, index in enumerate(picks):
        run.look()
        chances = recipe.reported_probability(run.probabilities, run.potential).tolist()
        line = IterationLine(
            j, index, run.upper, run.lower, run.potential, chances[index], chances,
            run.weight(index),
        )  # fmt: skip
        iterations.append(line)
        run.take(index)
    mid = run.mid(recipe)
    shares, weights = np.array(run.shares), np.array(run.weights)
    result = ResultLine(
        len(picks),
        run.upper,
        run.lower,
        mid,
        recipe.normalised(weights, mid).tolist(),
        recipe.alpha(shares, weights, mid, run.gamma).tolist(),
    )
    return Told(iterations, result)


def bare(trace: Told, *kept: str) -> Told:
    """Indices and m, and what else is kept."""
    every = {"u", "l", "phi", "p", "probabilities", "weight", "mid", "weights", "alphas", "beta"}
    gone = dict.fromkeys(every - set(kept))
    names = trace.result.__struct_fields__
    return Told(
        [_changed(line, {k: v for k, v in gone.items() if k in line.__struct_fields__})
         for line in trace.iterations],
        _changed(trace.result, {k: v for k, v in gone.items() if k in names}),
    )  # fmt: skip


Explained = Callable[..., Said]


@pytest.fixture
def explained(monkeypatch: pytest.MonkeyPatch) -> Explained:
    """The diagnoses of a trace whose first violation is known, with a catalogue of one's own."""

    def diagnoses(
        recipes: Recipes,
        trace: Told,
        line: int,
        field: str,
        *,
        header: HeaderLine = AXES,
        undetermined: bool = False,
        ends: bool = True,
    ) -> Said:
        """Unless the end is wrong, or said to be, every mistake would end where the trace does."""
        if ends and field != "stopping":
            monkeypatch.setattr(RecipeRun, "remaining", lambda *_: 0.0)
        catalogue = [Mistake(name, f"because of {name}", r) for name, r in recipes.items()]
        monkeypatch.setattr(diagnosis, "CATALOGUE", catalogue)
        judge = Judge(header)
        judge.undetermined = undetermined
        right = RecipeRun(Recipe(), DataInDoubles(judge.data, float(judge.gamma), judge.rule))
        for record in trace.iterations[: line - 2]:  # up to the first violation
            right.look()
            right.take(record.index)
        judge.weights, judge.shares = ([arb(x) for x in of] for of in (right.weights, right.shares))
        first = Violation(line, None, field, "", "", "", None, 0.0, "", "")
        diagnoser = Diagnoser(judge, first)
        with np.errstate(all="ignore"):
            for number, record in enumerate(trace.iterations, start=2):
                diagnoser.iteration(number, record)
                judge.picks.append(record.index)
            diagnoser.result(len(trace.iterations) + 2, trace.result)
        found = diagnoser.diagnoses()
        assert all(d.explanation == f"because of {d.mistake}" for d in found)
        return [(d.mistake, d.lines, d.complete) for d in found]

    return diagnoses


# -- one value -------------------------------------------------------------------------------------


def test_values_are_read_as_doubles() -> None:
    assert diagnosis._float("1/4") == 0.25
    assert diagnosis._float("0x1p-3") == 0.125
    assert diagnosis._float(3) == 3
    assert diagnosis._float("1e400") == math.inf
    assert diagnosis._float(10**400) == math.inf
    assert diagnosis._array(None) is None
    found = diagnosis._array([1, "1/2"])
    assert found is not None
    assert found.tolist() == [1, 0.5]


def test_relative_errors() -> None:
    wrong = Prediction("u", np.array([3.0, 1.5]), np.array([2.0, 2.0]), np.array([4.0, 1.0]))
    assert wrong.errors().tolist() == [1, 0.5]
    assert wrong.worst() == 1
    assert wrong.within(0.5)
    assert not wrong.within(0.4)
    (scalar,) = diagnosis._scalar("u", "7/2", 3.0, -2.0)
    assert scalar.errors().tolist() == [0.5]
    assert scalar.within(0.25)
    assert not scalar.within(0.2)
    assert list(diagnosis._scalar("u", None, 3.0, 3.0)) == []


def test_small_entries_of_a_list_are_measured_by_the_largest() -> None:
    (found,) = diagnosis._vector("weights", np.zeros(3), np.array([-4.0, 2.0, 0.0]))
    assert np.asarray(found.scale).tolist() == [4.0, 2.0, 4e-12]
    (nothing,) = diagnosis._vector("weights", np.zeros(2), np.zeros(2))
    assert np.asarray(nothing.scale).tolist() == [1e-312, 1e-312]
    assert list(diagnosis._vector("weights", None, np.zeros(2))) == []
    assert list(diagnosis._vector("weights", np.zeros(3), np.zeros(2))) == []


def test_what_is_overlooked_follows_the_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 times what is granted, between 2^-22 and 2^-4."""
    judge = Judge(AXES)
    diagnoser = Diagnoser(judge, Violation(2, 0, "u", "", "", "", None, 0.0, "", ""))
    for granted, slack in ((2.0**-40, -22), (2.0**-28, -22), (2.0**-27, -21), (2.0**-12, -6),
                           (2.0**-10, -4), (2.0**-5, -4), (1.0, -4)):  # fmt: skip
        monkeypatch.setattr(type(judge.allowance), "at", lambda *_, x=granted: x)
        assert diagnoser._slack(3) == 2.0**slack


# -- the first wrong value -------------------------------------------------------------------------

UNIT = 2.0**-40


@pytest.mark.parametrize(
    ("reported", "claimed", "explains"),
    [
        (8, 8, True),
        (8, 7, True),  # eight times closer
        (8, 6.5, False),
        (8, 9, True),
        (8, 10, False),
        (-8, -7, True),
        (-8, -6.5, False),
        (-8, -9.5, False),
        (0, 0, False),  # the algorithm itself, in doubles, reports the same
    ],
)
def test_a_mistake_must_come_eight_times_closer(
    explained: Explained, reported: float, claimed: float, explains: bool
) -> None:
    first = 16 + claimed * UNIT
    trace = told(picks=[0]).saying(0, u=16 + reported * UNIT)
    recipes = {"moved": Recipe(first=lambda d, g: (first, -16.0))}
    assert explained(recipes, trace, 2, "u") == ([("moved", 3, True)] if explains else [])


def test_the_worst_entry_of_a_list_counts(explained: Explained) -> None:
    """The mistake is right about the entry in which the algorithm is wrong most."""
    trace = bare(told(picks=[0]), "probabilities").saying(0, probabilities=[0.5 + UNIT, 0.5 - UNIT])
    near = Recipe(reported_probability=lambda p, phi: p + np.array([UNIT, 0.0]))
    far = Recipe(reported_probability=lambda p, phi: p + np.array([0.0, 9 * UNIT]))
    found = explained({"near": near, "far": far}, trace, 2, "probabilities[0]")
    assert found == [("near", 3, True)]


def test_errors_up_to_what_is_overlooked_pass(explained: Explained) -> None:
    recipes = {"doubled": Recipe(weight=lambda g, phi, p: 2 * g / phi / p)}
    trace = bare(told(picks=[0]), "u", "weight").saying(0, weight=4.0)
    for error, passes in ((OVERLOOKED, True), (OVERLOOKED * 1.01, False)):
        off = trace.saying(0, u=16 * (1 + error))
        assert explained(recipes, off, 2, "weight") == ([("doubled", 3, True)] if passes else [])
    both = bare(told(picks=[0]), "weight", "probabilities").saying(0, weight=4.0)
    off = both.saying(0, probabilities=[0.5, 0.75])
    assert explained(recipes, off, 2, "weight") == []


@pytest.mark.parametrize(
    ("field", "recipe", "line"),
    [
        ("u", Recipe(first=lambda d, g: (20.0, -16.0)), 2),
        ("l", Recipe(lower_step=lambda g, phi: 0.0), 3),
        ("phi", Recipe(potential=lambda up, low: 0.5), 2),
        ("p", Recipe(reported_probability=lambda p, phi: p / 4), 2),
        ("probabilities[1]", Recipe(reported_probability=lambda p, phi: p / 4), 2),
        ("weight", Recipe(weight=lambda g, phi, p: 3.0), 2),
        ("u", Recipe(upper_step=lambda g, phi: g), 4),
        ("l", Recipe(lower_step=lambda g, phi: g), 4),
        ("mid", Recipe(mid=lambda ends: 3.0), 4),
        ("mid", Recipe(mid=lambda ends: -3.0), 4),
        ("mid", Recipe(mid=lambda ends: 1.0), 4),
        ("weights[0]", Recipe(mid=lambda ends: 1.0), 4),
        ("weights[1]", Recipe(normalised=lambda weights, mid: weights), 4),
        ("alphas[0]", Recipe(alpha=lambda shares, weights, mid, g: weights), 4),
    ],
)
def test_every_field_can_be_explained(
    explained: Explained, field: str, recipe: Recipe, line: int
) -> None:
    """By the mistake that was made, and not by one whose numbers are those of the algorithm."""
    trace = told(recipe, [0, 1])
    recipes = {"other": Recipe(choose=lambda s: s.leverages), "made": recipe}
    assert explained(recipes, trace, line, field) == [("made", 4, True)]


def test_a_mistake_explains_its_line_and_field_alone(explained: Explained) -> None:
    """The weight is wrong in the second iteration: a mistake of the potential explains nothing."""
    trace = told(picks=[0, 1]).saying(1, weight=9.0)
    potential = Recipe(potential=lambda up, low: float(np.trace(up + low)) * (1 + 1e-9))
    assert explained({"potential": potential}, trace, 3, "weight") == []
    off = bare(told(picks=[0, 1]), "phi").saying(0, phi=0.25 * (1 + 1e-9))
    assert explained({"potential": potential}, off, 3, "phi") == []
    assert explained({"potential": potential}, off, 2, "phi") == [("potential", 4, True)]
    assert explained({"potential": potential}, off, 2, "p") == []


# -- complete and partial explanations -------------------------------------------------------------


def test_partial_explanations_are_for_want_of_whole_ones_the_longest_first(
    explained: Explained,
) -> None:
    """All see the doubled weight; one is wrong about l soon, one about mid at the end."""
    doubled = Recipe(weight=lambda g, phi, p: 2 * g / phi / p)
    recipes = {
        "soon": replace(doubled, lower_step=lambda g, phi: 0.0),
        "later": replace(
            doubled,
            upper_step=lambda g, phi: g / (1 - 2 * g) / phi + (phi < 0.2495),
        ),
        "end": replace(doubled, mid=lambda ends: 7.0),
        "whole": doubled,
        "never": Recipe(),
        "same": replace(doubled, counts_extra=0),
    }
    trace = told(doubled, [0, 1, 0, 1])
    assert explained(recipes, trace, 2, "weight") == [("whole", 6, True), ("same", 6, True)]
    unknown = {name: recipe for name, recipe in recipes.items() if name not in {"whole", "same"}}
    found = explained(unknown, trace, 2, "weight")
    assert [(name, complete) for name, _, complete in found] == [
        ("end", False), ("later", False), ("soon", False),
    ]  # fmt: skip
    lines = [line for _, line, _ in found]
    assert lines[0] == 5
    assert 2 < lines[1] < 5
    assert lines[2] == 2


def test_who_is_wrong_in_the_very_line_explains_nothing(explained: Explained) -> None:
    """`u` is explained, and phi in the same line is not; or the step after it breaks down."""
    trace = told(Recipe(first=lambda d, g: (20.0, -16.0)), [0, 1])
    half = Recipe(first=lambda d, g: (20.0, -16.0), potential=lambda up, low: 9.0)
    broken = Recipe(first=lambda d, g: (20.0, -16.0), upper_step=lambda g, phi: 1 / (phi - phi))
    assert explained({"half": half, "broken": broken}, trace, 2, "u") == []


def test_the_order_is_that_of_the_catalogue(explained: Explained) -> None:
    """Runs are shared between the first and the last: the order is not theirs."""
    trace = told(Recipe(mid=lambda ends: 7.0), [0])
    seven = Recipe(mid=lambda ends: 7.0)
    other = replace(seven, lower_step=lambda g, phi: g / (1 + 2 * g) / phi)
    recipes = {"a": seven, "b": other, "c": replace(seven, greedy=True)}
    assert [name for name, _, _ in explained(recipes, trace, 3, "mid")] == ["a", "b", "c"]


def test_no_pick_is_before_the_first_point(explained: Explained) -> None:
    """Counting from 1, index 0 is nothing, though the last point is like the first."""
    header = HeaderLine(format=FORMAT, gamma=0.25, points=[[1], [1]], unlabelled=1)
    seven = Recipe(mid=lambda ends: 7.0, index_from=1)
    trace = bare(told(picks=[1], header=header)).saying(-1, mid=7.0)
    assert explained({"one": seven}, trace, 3, "mid", header=header) == [("one", 3, True)]
    assert explained({"one": seven}, trace.saying(0, index=0), 3, "mid", header=header) == []


def test_a_run_that_breaks_down_explains_nothing(explained: Explained) -> None:
    seven = Recipe(mid=lambda ends: 7.0)
    trace = bare(told(picks=[0, 1])).saying(-1, mid=7.0)
    look = replace(seven, potential=lambda up, low: math.inf, weight=lambda g, phi, p: 1.0)
    step = replace(seven, update=lambda g, phi, p: 1 / (p - p))
    refused = replace(seven, gamma=lambda g: 1 / (g - g))
    recipes = {"look": look, "step": step, "refused": refused, "seven": seven}
    assert explained(recipes, trace, 4, "mid") == [("seven", 4, True)]


def test_without_a_true_run_nobody_comes_closer(explained: Explained) -> None:
    """A point of probability zero was picked: what the algorithm would have said is unknown."""
    header = HeaderLine(format=FORMAT, gamma=0.25, points=[[1], [0], [1]], unlabelled=1)
    mid = told(picks=[0, 0], header=header).result.mid
    trace = bare(told(picks=[0, 0], header=header)).saying(-1, mid=mid)
    shifted = trace.saying(0, index=1).saying(1, index=1)
    said = explained({"shifted": Recipe(index_from=1)}, shifted, 4, "mid", header=header)
    assert said == [("shifted", 4, True)]


# -- picks -----------------------------------------------------------------------------------------


def uniforms(*values: Any, header: HeaderLine = AXES) -> HeaderLine:
    return _changed(header, {"uniforms": list(values)})  # type: ignore[no-any-return]


@pytest.fixture
def _sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong pick is enough."""
    monkeypatch.setattr(diagnosis, "LUCK", 0.0)


@pytest.mark.usefixtures("_sure")
def test_a_pick_is_explained_by_who_would_have_picked_it(explained: Explained) -> None:
    first = Recipe(choose=lambda s: np.array([1.0, 0.0]))
    second = Recipe(choose=lambda s: np.array([0.0, 1.0]))
    recipes = {"first": first, "second": second}
    trace = bare(told(picks=[1, 1]))
    header = uniforms(0.25, 0.25, 0.25)
    assert explained(recipes, trace, 2, "index", header=header) == [("second", 4, True)]
    assert explained(recipes, trace, 2, "u", header=header) == []
    assert explained(recipes, trace, 2, "index") == []  # no uniforms, no reason
    mixed = trace.saying(1, index=0)
    assert explained(recipes, mixed, 2, "index", header=header) == []  # refuted in the next line
    assert explained(recipes, mixed, 3, "index", header=header) == []


@pytest.mark.parametrize("count", [2, 5, 9])
def test_wrong_picks_are_not_explained_by_luck(explained: Explained, count: int) -> None:
    """Each is worth log 2 here: five of them are enough, up to 1 in 20."""
    second = Recipe(choose=lambda s: np.array([0.0, 1.0]))
    trace = bare(told(picks=[1] * count))
    header = uniforms(*[0.25] * count)
    found = explained({"second": second}, trace, 2, "index", header=header)
    assert found == [("second", count + 2, count >= 5)]
    broken = trace.saying(count - 1, index=0)
    assert explained({"second": second}, broken, 2, "index", header=header) == []
    right = bare(told(picks=[0, 1] * count))  # every other pick is that of the algorithm
    uniform = Recipe(choose=lambda s: np.array([1.0, 1.0]))
    halves = uniforms(*[0.25, 0.75] * count)
    assert explained({"half": uniform}, right, 2, "index", header=halves) == [
        ("half", 2 * count + 2, False)
    ]


@pytest.mark.usefixtures("_sure")
def test_a_pick_near_the_border_is_let_pass_and_explains_nothing(explained: Explained) -> None:
    """Halves: r = 1/2 + e picks the second point, and the first one was reported."""
    recipes = {"half": Recipe(choose=lambda s: np.array([1.0, 1.0]))}
    trace = bare(told(picks=[0, 0]))
    for distance, said in (
        (OVERLOOKED, [("half", 4, True)]),
        (OVERLOOKED * 1.01, []),
    ):
        header = uniforms(0.25, 0.5 + distance, 0.25)
        assert explained(recipes, trace, 2, "index", header=header) == said
    header = uniforms(0.25, 0.5 + OVERLOOKED / 2, 0.25)
    assert explained(recipes, trace, 3, "index", header=header) == []


# -- the end of the loop ---------------------------------------------------------------------------


def ending(clock: float) -> Recipe:
    """A loop that ends at 1 and sees this clock after one iteration, and 1/2 before it."""

    def seen(at: StopContext) -> float:
        return clock if at.potential_sum else 0.5

    return Recipe(clock=seen, bound=lambda d, g: 1.0)


def staying(clock: float) -> Recipe:
    """The same at the start, and the end is reached after it."""

    def seen(at: StopContext) -> float:
        return 2.0 if at.potential_sum else clock

    return Recipe(clock=seen, bound=lambda d, g: 1.0)


def test_who_would_have_gone_on_does_not_explain_an_early_end(explained: Explained) -> None:
    trace = bare(told(picks=[0]))
    recipes = {
        "ends": ending(1.0),
        "nearly": ending(1 - OVERLOOKED),
        "not": ending(1 - 1.01 * OVERLOOKED),
        "late": ending(0.75),
        "beyond": ending(3.0),
    }
    names = [name for name, _, _ in explained(recipes, trace, 3, "stopping")]
    assert names == ["ends", "nearly", "beyond"]
    spare = uniforms(0.25, 0.25)
    names = [name for name, _, _ in explained(recipes, trace, 3, "stopping", header=spare)]
    assert names == ["ends", "nearly", "beyond"]
    # That the uniforms end there, too, explains nothing.
    spent = uniforms(0.25)
    names = [name for name, _, _ in explained(recipes, trace, 3, "stopping", header=spent)]
    assert names == ["ends", "nearly", "beyond"]
    # A run that goes on too long may have been cut short: who goes on comes last.
    names = [name for name, _, _ in explained(recipes, trace, 2, "stopping", header=spent)]
    assert names == ["ends", "nearly", "beyond", "not", "late"]


def test_who_would_have_ended_does_not_explain_a_late_end(explained: Explained) -> None:
    trace = bare(told(picks=[0]))
    recipes = {
        "half": staying(0.5),
        "end": staying(1.0),
        "nearly": staying(1 + OVERLOOKED),
        "over": staying(1 + 1.01 * OVERLOOKED),
        "early": staying(1.5),
    }
    found = explained(recipes, trace, 2, "stopping")
    assert found == [("half", 3, True), ("end", 3, True), ("nearly", 3, True)]


@pytest.mark.parametrize(("wrong", "explains"), [(8.0, True), (8.01, True), (7.99, False)])
@pytest.mark.parametrize("ended", [False, True])
def test_who_explains_an_end_comes_eight_times_closer_to_it(
    explained: Explained, monkeypatch: pytest.MonkeyPatch, wrong: float, explains: bool, ended: bool
) -> None:
    """What is overlooked on bad data may be more than the algorithm itself is off."""
    monkeypatch.setattr(Diagnoser, "_slack", lambda *_: 0.5)
    monkeypatch.setattr(Diagnoser, "_algorithm_off", lambda *_, ended: wrong * UNIT)
    clock = ending(1 - UNIT) if ended else staying(1 + UNIT)
    found = explained({"near": clock}, bare(told(picks=[0])), 3 if ended else 2, "stopping")
    assert [name for name, _, _ in found] == ["near"] * explains


@pytest.mark.parametrize("ended", [False, True])
def test_an_end_that_comes_near_on_bad_data_is_not_complete(
    explained: Explained, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    monkeypatch.setattr(Diagnoser, "_slack", lambda *_: 2.0**-10)
    trace, line = bare(told(picks=[0])), 3 if ended else 2
    for off, complete in ((2.0**-16, True), (2.0**-15.9, False), (2.0**-10, False)):
        clock = ending(1 - off) if ended else staying(1 + off)
        found = explained({"near": clock}, trace, line, "stopping")
        assert found == [("near", 3 if complete else line - 1, complete)]
    clock = ending(1 - 2.0**-9.9) if ended else staying(1 + 2.0**-9.9)
    assert explained({"far": clock}, trace, line, "stopping") == []


def test_what_is_the_algorithm_on_these_data_explains_no_end() -> None:
    """X has full rank and no scales, and its condition hides the last steps from doubles."""
    rng = np.random.default_rng(5)
    left, _ = np.linalg.qr(rng.standard_normal((12, 3)))
    right, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    points = (left * [1, 1e-3, 1e-6] @ right).tolist()
    header = {"format": FORMAT, "gamma": 0.2, "points": points, "unlabelled": 12}
    header |= {"uniforms": rng.uniform(size=200).tolist()}
    lines = CORRECT["singular-vectors"](header, header["uniforms"])
    last = json.loads(lines[-2])
    early = [*lines[:-2], json.dumps({"m": last["j"], "u": last["u"], "l": last["l"]})]
    judgement = check_lines(early)
    assert judgement.first is not None
    assert judgement.first.field == "stopping"
    named = {d.mistake for d in judgement.diagnosis}
    assert not named & {"dimension-is-width", "scales-ignored", "scales-not-rooted"}
    assert "stop-one-early" in named


def test_what_comes_near_on_bad_data_is_not_complete(
    explained: Explained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake stays in question at 64 times what roundings explain, and is whole up to them."""
    monkeypatch.setattr(Diagnoser, "_slack", lambda *_: 2.0**-10)
    trace = bare(told(picks=[0]), "mid").saying(-1, mid=3.0)
    for error, complete in ((2.0**-16.1, True), (2.0**-15.9, False), (2.0**-9, None)):
        claimed = 3.0 / (1 + error)
        other = Recipe(mid=lambda ends, claimed=claimed: claimed)  # type: ignore[misc]
        found = explained({"near": other}, trace, 3, "mid")
        assert found == ([] if complete is None else [("near", 3, complete)])


def test_who_is_wrong_about_the_end_reproduces_a_part(explained: Explained) -> None:
    """A mistake that contradicts no value, and would have ended the loop elsewhere."""
    seven = Recipe(mid=lambda ends: 7.0)
    trace = told(seven, [0])
    recipes = {
        "goes-on": replace(ending(0.5), mid=seven.mid),
        "ended": replace(staying(1.5), mid=seven.mid),
        "right": replace(ending(1.0), mid=seven.mid),
    }
    found = explained(recipes, trace, 3, "mid", ends=False)
    assert found == [("right", 3, True), ("goes-on", 2, False), ("ended", 1, False)]
    del recipes["right"]
    assert explained(recipes, trace, 3, "mid", ends=False) == found[1:]


def test_barriers_of_another_dimension_are_not_called_doubled() -> None:
    """A program that takes the rows of X_1 for the rank has these barriers, and another end."""
    header = case(3)
    points = header["points"]
    width, size = len(points[0]), len(points)
    assert size >= 2 * width

    def lines(dimension: int) -> list[str]:
        recipe = Recipe(dimension=lambda rank, width, size: dimension)
        judge = Judge(HeaderLine(format=FORMAT, gamma=header["gamma"], points=points, unlabelled=1))
        data = DataInDoubles(judge.data, float(judge.gamma), judge.rule)
        run = RecipeRun(recipe, data)
        said: list[dict[str, Any]] = []
        run.look()
        while run.remaining(recipe) > 0:
            index, phi = len(said) % size, run.potential
            p = float(run.probabilities[index])
            known = {"j": len(said), "index": index, "u": run.upper, "l": run.lower, "phi": phi}
            said.append(known | {"p": p, "weight": run.weight(index)})
            run.take(index)
            run.look()
        plain = {"format": FORMAT, "gamma": header["gamma"], "points": points, "unlabelled": size}
        return [json.dumps(line) for line in [plain, *said, {"m": len(said)}]]

    assert check_lines(lines(width)).ruling is Ruling.CONFORMS
    wrong = check_lines(lines(2 * width))
    assert wrong.ruling is Ruling.VIOLATES
    found = {d.mistake: d for d in wrong.diagnosis}
    assert not any(d.complete for d in wrong.diagnosis)
    assert not found["barriers-doubled"].complete
    assert found["barriers-doubled"].lines < wrong.length + 2


def test_the_state_at_the_end_is_looked_at(explained: Explained) -> None:
    """The clock of a loop that ends early counts the next potential: 4 + 4/3 and 1/4 more."""
    trace = Told([], ResultLine(m=0))
    seen: list[float] = []

    def clock(at: StopContext) -> float:
        seen.append(at.gap + at.potential_sum)
        return 1.0

    recipes = {"early": Recipe(clock=clock, clock_shift=1, bound=lambda d, g: 1.0)}
    assert explained(recipes, trace, 2, "stopping") == [("early", 2, True)]
    assert seen
    assert seen == pytest.approx([32 + 2 - 2 / 3 + 0.25] * len(seen), rel=1e-12)


def test_m_is_explained_by_who_counts_more(explained: Explained) -> None:
    recipes = {"more": Recipe(counts_extra=1), "plain": Recipe()}
    trace = told(picks=[0])
    assert explained(recipes, trace.saying(-1, m=2), 3, "m") == [("more", 3, True)]
    assert explained(recipes, trace.saying(-1, m=0), 3, "m") == []
    assert explained(recipes, trace, 3, "m") == []
    off = trace.saying(-1, m=2, mid=0.25)
    assert explained(recipes, off, 3, "m") == []
    slightly = trace.saying(0, weight=2 * (1 + 1e-9)).saying(-1, m=2)
    assert explained(recipes, slightly, 2, "weight") == []
    doubled = Recipe(weight=lambda g, phi, p: 2 * g / phi / p)
    wrong = told(doubled, [0]).saying(-1, m=2)
    assert explained({"doubled": doubled}, wrong, 2, "weight") == [("doubled", 2, False)]


# -- the result ------------------------------------------------------------------------------------


def test_a_mid_near_zero_is_measured_by_u(explained: Explained) -> None:
    """Of 16, a millionth; and what is divided by a mid of zero is not asked for."""
    for upper in (16.0, -16.0):
        zero = Recipe(
            first=lambda d, g, u=upper: (u, -u),  # type: ignore[misc]
            mid=lambda ends: 0.0,
            counts_extra=1,
        )
        for error, passes in ((0.0, True), (0.9, True), (1.5, False)):
            trace = Told([], ResultLine(m=1, mid=error * OVERLOOKED * 16e-6))
            found = explained({"zero": zero}, trace, 2, "m")
            assert found == ([("zero", 2, True)] if passes else [])
    trace = told(Recipe(mid=lambda ends: 3.0), [0]).saying(-1, mid=0.0)
    recipes = {"zero": Recipe(mid=lambda ends: 0.0)}
    assert explained(recipes, trace, 3, "mid") == [("zero", 3, True)]


@pytest.mark.parametrize("mid", [3.0, -3.0])
def test_another_mid_is_measured_by_itself(explained: Explained, mid: float) -> None:
    recipes = {"three": Recipe(mid=lambda ends: mid)}
    trace = bare(told(picks=[0]))
    for error, passes in ((0.9, True), (1.1, False)):
        off = trace.saying(-1, mid=mid * (1 + error * OVERLOOKED))
        assert explained(recipes, off, 3, "mid") == ([("three", 3, True)] if passes else [])


def test_who_is_no_closer_than_the_algorithm_does_not_explain_the_result(
    explained: Explained,
) -> None:
    trace = bare(told(picks=[0]))
    right = told(picks=[0]).result.mid
    assert isinstance(right, float)
    off = trace.saying(-1, mid=right * (1 + 1e-9))
    assert explained({"same": Recipe(greedy=True)}, off, 3, "mid") == []


def test_beta(explained: Explained) -> None:
    """Both points are picked: beta is (1, 2) with any weights, and (1, 0) of X_1 alone."""
    part = Recipe(regression="unlabelled")
    recipes = {"part": part, "weights": Recipe(regression="unweighted")}
    trace = told(picks=[0, 1]).saying(-1, beta=[1.0, 0.0])
    assert explained(recipes, trace, 4, "beta[1]") == [("part", 4, True)]
    off = trace.saying(-1, beta=[1.0, 1e-5])
    assert explained(recipes, off, 4, "beta[1]") == []
    three = {"three": Recipe(mid=lambda ends: 3.0)}
    silent = Told(trace.iterations, ResultLine(m=2, mid=3.0, beta=[1.0, 0.0]))
    assert explained(three, silent, 4, "mid") == []
    assert explained(three, silent, 4, "mid", undetermined=True) == [("three", 4, True)]
    unknown = _changed(AXES, {"labels": [1, None]})
    assert explained(three, silent, 4, "mid", header=unknown) == [("three", 4, True)]


def test_a_beta_of_zero_is_measured_by_hardly_anything(explained: Explained) -> None:
    header = _changed(AXES, {"labels": [0, 0]})
    recipes = {"three": Recipe(mid=lambda ends: 3.0)}
    for error, passes in ((0.0, True), (0.9, True), (1.5, False)):
        size = error * OVERLOOKED * 1e-300
        trace = Told(told(picks=[0, 1]).iterations, ResultLine(m=2, mid=3.0, beta=[size, 0.0]))
        found = explained(recipes, trace, 4, "mid", header=header)
        assert found == ([("three", 4, True)] if passes else [])


# -- the museum ------------------------------------------------------------------------------------

#: Rank two of three columns, scales, labels, and a gamma for short runs.
TINY: dict[str, Any] = {
    "format": FORMAT,
    "gamma": 0.3,
    "points": [[1.0, 0.5, 1.5], [0.25, 1.0, 1.25], [-1.0, 2.0, 1.0], [0.5, 0.5, 1.0]],
    "squared_scales": [1.0, 1.0, 0.5, 2.0],
    "unlabelled": 3,
    "labels": [1.0, -0.5, 2.0, 0.25],
    "uniforms": [(0.37 + 0.6180339887498949 * k) % 1 for k in range(60)],
}


@pytest.mark.parametrize(
    "exhibit", [e for e in COMMON if not e.sampling], ids=lambda exhibit: exhibit.mistake
)
def test_a_mistake_is_named_on_tiny_data(exhibit: Exhibit) -> None:
    lines = attempt(exhibit.run, TINY)
    assert lines is not None
    judgement = check_lines(lines)
    if judgement.ruling is Ruling.MALFORMED:
        assert "count from 0" in (judgement.fault or "")
        return
    assert judgement.ruling is Ruling.VIOLATES
    assert exhibit.mistake in [d.mistake for d in judgement.diagnosis if d.complete]


def test_data_beyond_doubles_are_diagnosed_all_the_same() -> None:
    """Rows of 1e400 have coordinates, though X itself has no doubles."""
    (upper,) = (exhibit for exhibit in COMMON if exhibit.mistake == "mid-upper")
    plain = {k: v for k, v in TINY.items() if k not in {"squared_scales", "labels"}}
    header, *records = upper.run(plain | {"points": [[1, 0], [0, 1], [1, 1]]}, TINY["uniforms"])
    large = [["1e400", 0], [0, "1e400"], ["1e400", "1e400"]]
    judgement = check_lines([json.dumps(json.loads(header) | {"points": large}), *records])
    assert judgement.first is not None
    assert judgement.first.field == "mid"
    assert [d.mistake for d in judgement.diagnosis] == ["mid-upper"]


# -- a program that slips ------------------------------------------------------------------------

#: Where and by which factor a program slips: A is the matrix that it keeps, E the one of a step.
Slips = dict[tuple[str, int], float]


def slipping(
    seed: int, slips: Slips, *, size: int = 12, gamma: float = 0.25
) -> list[dict[str, Any]]:
    """A run in doubles that goes on with what it has computed."""
    rng = np.random.default_rng(seed)
    points, uniforms = rng.standard_normal((size, 3)), rng.random(2000)
    rows = np.linalg.svd(points, full_matrices=False)[0]
    accumulated, one = np.zeros((3, 3)), np.eye(3)
    upper, lower, total = 6 / gamma, -6 / gamma, 0.0
    lines: list[dict[str, Any]] = []
    while upper - lower + total < 24 / gamma:
        j = len(lines)

        def off(what: str, j: int = j) -> float:
            return slips.get((what, j), 1.0)

        above = np.linalg.inv(upper * one - accumulated)
        below = np.linalg.inv(accumulated - lower * one)
        bracket, shear = above + below, np.diag([1, off("E"), 1])
        phi = float(np.trace(bracket)) * off("phi")
        masses = np.einsum("ni,ij,nj->n", rows, shear @ bracket @ shear, rows)
        chances = masses / phi * off("p")
        index = int(np.searchsorted(np.cumsum(chances), uniforms[j], side="right"))
        p = float(chances[index])
        weight = gamma / (phi * p) * off("weight")
        lines.append({"j": j, "index": index, "u": upper, "l": lower, "phi": phi, "p": p,
                      "probabilities": chances.tolist(), "weight": weight})  # fmt: skip
        accumulated = accumulated + weight * off("A") * np.outer(rows[index], rows[index])
        total += phi
        upper += gamma / (1 - 2 * gamma) / phi * off("u")
        lower += gamma / (1 + 2 * gamma) / phi * off("l")
    mid = (upper + lower) / 2
    header = {"format": FORMAT, "gamma": gamma, "points": points.tolist(), "unlabelled": size}
    result: dict[str, Any] = {"m": len(lines), "u": upper, "l": lower, "mid": mid}
    result["weights"] = [line["weight"] / mid for line in lines]
    result["alphas"] = [gamma / (line["phi"] * mid) for line in lines]
    return [header | {"uniforms": uniforms[: len(lines) + 5].tolist()}, *lines, result]


def named(lines: list[dict[str, Any]]) -> tuple[list[str], int]:
    """What explains a trace wholly, and how many steps do not follow."""
    judgement = check_lines([json.dumps(line) for line in lines])
    assert judgement.ruling is Ruling.VIOLATES
    assert judgement.local is not None
    failed = judgement.local.judged - judgement.local.followed
    return [d.mistake for d in judgement.diagnosis if d.complete], failed


def test_a_program_that_does_not_slip() -> None:
    for seed in range(4):
        lines = [json.dumps(line) for line in slipping(seed, {})]
        assert check_lines(lines).ruling is Ruling.CONFORMS


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("what", "factor"),
    [("weight", 1.3), ("u", 1.3), ("l", 1.3), ("l", 0.7), ("phi", 1.02), ("p", 1.02), ("E", 1.3),
     ("weight", 1 + 1e-8), ("u", 1 + 1e-8), ("phi", 1 - 1e-8)],
)  # fmt: skip
def test_one_slip_that_the_program_follows(seed: int, what: str, factor: float) -> None:
    """Its echoes are in the next line, in the pick (phi of seed 1), and in the result."""
    assert named(slipping(seed, {(what, 6): factor})) == (["single-slip"], 1)


@pytest.mark.parametrize("what", ["weight", "u", "phi", "p"])
@pytest.mark.parametrize("place", [0, 1, 20])
def test_a_slip_anywhere(what: str, place: int) -> None:
    assert named(slipping(0, {(what, place): 1.02})) == (["single-slip"], 1)


@pytest.mark.parametrize("what", ["weight", "phi", "p"])
def test_a_slip_at_the_end(what: str) -> None:
    """The local view does not see where the last step leads to."""
    last = len(slipping(0, {})) - 3
    lines = slipping(0, {(what, last): 1.02})
    assert lines[-1]["m"] == last + 1
    assert named(lines) == (["single-slip"], 1)
    lines[-1]["l"] *= 1.02
    assert named(lines) == ([], 1)


def test_a_slip_at_many_points() -> None:
    """More values are wrong in its line than are kept."""
    assert named(slipping(0, {("phi", 6): 1.02}, size=40)) == (["single-slip"], 1)
    lines = slipping(0, {("phi", 6): 1.02}, size=40)
    lines[-1]["weights"][9] *= 1.5
    assert named(lines) == ([], 1)


@pytest.mark.parametrize("second", ["weight", "u", "l", "phi", "p"])
@pytest.mark.parametrize("first", ["weight", "u", "phi"])
@pytest.mark.parametrize("place", [8, 12])
def test_two_slips_are_not_single(first: str, second: str, place: int) -> None:
    wrong = slipping(0, {(first, 6): 1.02, (second, place): 1.02})
    assert "single-slip" not in named(wrong)[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_slip_of_the_matrix_is_no_single_one(seed: int) -> None:
    """No later step follows from the weights that the trace reports."""
    names, failed = named(slipping(seed, {("A", 6): 1.3}))
    assert failed > 1
    assert names == []


@pytest.mark.parametrize(
    ("field", "place"),
    [("weights", 6), ("weights", 9), ("alphas", 6), ("alphas", 9), ("mid", None)],
)
@pytest.mark.parametrize("what", ["weight", "u", "phi", "E"])
def test_what_is_no_echo_of_a_slip(what: str, field: str, place: int | None) -> None:
    """Another value of the result is wrong, or the echo is not what the slip leads to."""
    lines = slipping(0, {(what, 6): 1.02})
    if place is None:
        lines[-1][field] *= 1.01
    else:
        lines[-1][field][place] *= 1.01
    assert named(lines) == ([], 1)


def test_a_pick_that_the_slip_does_not_lead_to() -> None:
    """Phi of seed 1 moves the pick at 6; with another uniform the listed sums do not."""
    lines = slipping(1, {("phi", 6): 1.02})
    lines[0]["uniforms"][6] = (lines[0]["uniforms"][6] + 0.5) % 1
    assert named(lines) == ([], 1)
    lines = slipping(1, {("phi", 6): 1.02})
    lines[0]["uniforms"][9] = (lines[0]["uniforms"][9] + 0.5) % 1
    assert named(lines) == ([], 1)


@pytest.mark.parametrize("field", ["u", "l", "phi", "weight"])
def test_a_value_that_is_wrong_in_its_line_alone(field: str) -> None:
    """Steps do not follow from it, and the words say so."""
    lines = slipping(0, {})
    lines[7][field] *= 1.02
    judgement = check_lines([json.dumps(line) for line in lines])
    assert judgement.local is not None
    assert judgement.local.judged - judgement.local.followed > 1
    (found,) = judgement.diagnosis
    assert found.mistake == "isolated-value"
    assert found.explanation.startswith(f"{field} is wrong here, and nothing else: the program")
    lines = slipping(0, {})
    lines[7]["p"] *= 1.02
    (found,) = check_lines([json.dumps(line) for line in lines]).diagnosis
    assert found.explanation == "p is wrong here, and nothing else"


def test_the_state_is_that_of_the_trace_in_every_block() -> None:
    """After a weight that stands in its line alone, no later step follows from what is reported."""
    lines = slipping(0, {}, gamma=0.05)
    assert len(lines) > 3 * BLOCK
    lines[7]["weight"] *= 1.3
    assert named(lines) == (["isolated-value"], len(lines) - 2 - 6)
    followed = slipping(0, {("weight", 6): 1.3}, gamma=0.05)
    assert named(followed) == (["single-slip"], 1)


@pytest.mark.parametrize("what", ["weight", "u", "phi", "E"])
@pytest.mark.parametrize(
    "absent", ["mid", "weights", "alphas", "weights alphas", "mid weights alphas", "u l"]
)
def test_a_slip_in_a_short_result(what: str, absent: str) -> None:
    """What is not reported needs no explanation, and mid is known from u and l."""
    lines = slipping(0, {(what, 6): 1.02})
    for field in absent.split():
        del lines[-1][field]
    assert named(lines) == (["single-slip"], 1)


def test_a_pick_without_its_probabilities_is_not_explained() -> None:
    lines = slipping(1, {("phi", 6): 1.02})
    assert named(lines) == (["single-slip"], 1)
    del lines[7]["probabilities"]
    assert named(lines) == ([], 1)


def test_alphas_may_be_p_weight_by_mid() -> None:
    """Then those of a slip in the weight are wrong, and their sum."""
    lines = slipping(0, {("weight", 6): 1.3})
    mid = lines[-1]["mid"]
    lines[-1]["alphas"] = [line["p"] * line["weight"] / mid for line in lines[1:-1]]
    assert named(lines) == (["single-slip"], 1)
    lines[-1]["alphas"][6] *= 1.01
    assert named(lines) == ([], 1)


@pytest.mark.parametrize("wrong", [None, "mid", "weights", "u"])
def test_no_slip_is_single_in_a_run_that_is_replayed(wrong: str | None) -> None:
    """All that comes after a slip differs there: another mistake would not be seen."""
    for seed in range(4):
        lines = slipping(seed, {("weight", 6): 1.3})
        for line in lines[1:-1]:
            del line["phi"], line["probabilities"]
        if wrong is not None:
            last = lines[-1][wrong]
            lines[-1][wrong] = [3 * x for x in last] if isinstance(last, list) else 1.5 * last
        assert "single-slip" not in named(lines)[0]
