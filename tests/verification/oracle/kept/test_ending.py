"""The result of a variant: the end of the run, the weights, and which sample Algorithm 1 gets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb

from asura.errors import NotATrace
from asura.trace import ResultLine
from asura_verify.oracle.kept import ending
from asura_verify.oracle.kept.bench import Last
from asura_verify.oracle.kept.ending import judge_result


class Bench:
    """Three iterations of a run whose sigma is 4, of a goal of 4; X_1 has 3 points of 5."""

    def __init__(self, **facts: Any) -> None:
        self.scheme = SimpleNamespace(ending=facts.get("ending", "clip"), kept=True, pool=3)
        self.data = SimpleNamespace(width=2, size=5)
        self.halted = self.lost = self.nothing = False
        self.last = Last.YES
        self.sigma, self.middle, self.goal = arb(4), arb(2), arb(4)
        self.picks = [0, 2, 1]
        self.made: list[arb | None] = [arb(1), arb(2), arb(3)]
        self.moved: list[arb | None] = [arb(4), arb(5), arb(6)]
        self.skipped = [False, False, False]
        self.remarks: tuple[str, ...] = ("first",)
        self.unknown = 0.0
        self.tied: dict[str, set[int]] = {}
        self.heard: list[tuple[Any, ...]] = []
        self.relations = SimpleNamespace(result=self._result, settle=lambda _court: ("last",))
        self.now = arb(0)
        for name, value in facts.items():
            setattr(self, name, value)
        self.kept_goal = facts.get("kept_goal", self.goal)
        self.scheme.ending = facts.get("ending", "clip")

    def _result(self, _court: Any, line: int, result: ResultLine, now: Any) -> dict[str, set[int]]:
        self.heard.append(("tie", line, result.m, now))
        return self.tied

    def clock(self) -> arb:
        return self.now

    def barriers(self, line: int, j: int | None, _result: ResultLine) -> str:
        self.heard.append(("barriers", line, j))
        return "now"

    def count(self, field: str, many: int = 1) -> None:
        self.heard.append(("count", field, many))

    def accuse(self, *facts: Any) -> None:
        self.heard.append(("accuse", *facts))

    def leave_unexplained(self, j: int | None, field: str) -> None:
        self.heard.append(("unexplained", field, j))

    def leave_open(self, field: str) -> None:
        self.heard.append(("open", field))

    def leave_stop_to_rounding(self, j: int, clock: arb) -> float:
        assert clock.overlaps(self.clock())
        self.heard.append(("rounding", "stopping", j))
        return self.unknown

    def doubt(self, why: str) -> None:
        self.heard.append(("doubt", why))

    def inside(
        self, line: int, j: int | None, field: str, raw: Any, ball: arb, *, place: int | None = None
    ) -> None:
        self.heard.append(("inside", line, j, field, raw, float(ball), place))

    def kinds(self, kind: str) -> list[tuple[Any, ...]]:
        return [each[1:] for each in self.heard if each[0] == kind]


def ended(result: dict[str, Any] | None = None, **facts: Any) -> Any:
    bench: Any = Bench(**facts)
    judge_result(bench, 9, ResultLine(**({"m": 3} | (result or {}))))
    return bench


# -- the end of the run ----------------------------------------------------------------------------


def test_a_run_that_has_ended() -> None:
    bench = ended()
    assert bench.heard == [
        ("count", "stopping", 1), ("count", "m", 1), ("barriers", 9, None), ("tie", 9, 3, "now"),
    ]  # fmt: skip
    assert bench.remarks == ("first", "last")
    assert ended(halted=True).heard == []


def test_the_number_of_iterations() -> None:
    ((*facts, message),) = ended({"m": 4}).kinds("accuse")
    assert facts == [9, None, "m", 4, "3", "3", None, 0.0]
    assert message == "the trace has 3 iterations"


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [("weights", 3, 2), ("alphas", 3, 4), ("beta", 2, 3)],
)
def test_lists_of_another_length_are_refused(field: str, right: int, wrong: int) -> None:
    ended({field: [0.0] * right}, picks=[], made=[None] * 3, scheme=SimpleNamespace(kept=False))
    message = f"line 9, field `{field}`: {wrong} entries, expected {right}"
    with pytest.raises(NotATrace, match=message) as caught:
        ended({field: [0.0] * wrong})
    assert caught.value.value == 9


def stop(**facts: Any) -> str:
    """What is said of the end."""
    bench = ended(**facts)
    accused = [facts for facts in bench.kinds("accuse") if facts[2] == "stopping"]
    left, lossy = bench.kinds("rounding"), bench.kinds("unexplained")
    assert len(accused) + len(left) + len(lossy) <= 1
    if lossy:
        assert lossy == [("stopping", 3)]
        return "unexplained"
    for *found, message in accused:
        assert found[:2] == [9, 3]
        assert found[3:] == ["m = 3", "4.0000000000000000", "infinity", None, 0.0]
        assert message.startswith("too early: the clock stands at ")
    assert left in ([], [("stopping", 3)])
    return "early" if accused else "open" if left else "right"


def test_a_run_with_a_last_step() -> None:
    """By clip or coin: the last step leads to the goal, or does not, or rounding decides it."""
    assert stop(last=Last.YES) == "right"
    assert stop(last=Last.NO) == "early"
    assert stop(last=Last.NO, now=arb(9)) == "early"
    # Where R may be nothing, so may the goal.
    assert stop(last=Last.NO, goal=arb(4, 5)) == "open"
    assert stop(last=Last.OPEN) == "open"
    assert stop(last=Last.NO, nothing=True) == "right"


def test_a_run_that_overshoots() -> None:
    over: dict[str, Any] = {"ending": "overshoot", "last": Last.NO}
    assert stop(now=arb(4), **over) == "right"
    assert stop(now=arb(4) - 2.0**-30, **over) == "early"
    assert stop(now=arb(4, 1), **over) == "open"
    touching = arb(3, 1)
    assert stop(now=touching, goal=touching.upper(), **over) == "open"
    # By programs that lose digits of R the goal may be anywhere from 2 to 6.
    goals: dict[str, Any] = {"goal": arb(4, 2), "kept_goal": arb(4, 0.5)}
    for now, said in (
        (1.75, "early"), (3.25, "unexplained"), (3.75, "open"), (4.25, "open"), (4.75, "right"),
    ):  # fmt: skip
        assert stop(now=arb(now), **goals, **over) == said, now
    assert stop(now=arb(3), lost=True, goal=arb(3, 1), **over) == "open"
    assert stop(now=arb(5), lost=True, **over) == "right"


# -- the weights -----------------------------------------------------------------------------------


def test_values_that_no_relation_ties() -> None:
    """mid = 2 sigma = 8, weights 1/8, 2/8, 3/8, alphas 4/8, 5/8, 6/8."""
    result = {"mid": 7.5, "weights": [1.5, 2.5, 3.5], "alphas": [4.5, 5.5, 6.5]}
    bench = ended(result)
    assert bench.kinds("inside") == [
        (9, None, "mid", 7.5, 8.0, None),
        (9, 0, "weights", 1.5, 0.125, 0), (9, 1, "weights", 2.5, 0.25, 1),
        (9, 2, "weights", 3.5, 0.375, 2),
        (9, 0, "alphas", 4.5, 0.5, 0), (9, 1, "alphas", 5.5, 0.625, 1),
        (9, 2, "alphas", 6.5, 0.75, 2),
    ]  # fmt: skip
    assert bench.kinds("count")[2:] == [("mid", 1), ("weights", 3), ("alphas", 3)]
    tied = ended(result, tied={"mid": set(), "weights": {0, 2}, "alphas": {0, 1, 2}})
    assert tied.kinds("inside") == [(9, 1, "weights", 2.5, 0.25, 1)]
    assert tied.kinds("count")[2:] == [("mid", 1), ("weights", 3), ("alphas", 3)]


def test_values_of_which_nothing_is_known_are_open() -> None:
    result = {"weights": [1.5, 2.5, 3.5], "alphas": [4.5, 5.5, 6.5]}
    some = ended(result, made=[arb(1), None, arb(3)], moved=[None, arb(5), arb(6)])
    assert some.kinds("open") == [("weights",), ("alphas",)]
    assert [(found[2], found[5]) for found in some.kinds("inside")] == [
        ("weights", 0), ("weights", 2), ("alphas", 1), ("alphas", 2),
    ]  # fmt: skip
    for sigma in (arb(0), arb(-1), arb(1, 2)):
        nothing = ended(result, sigma=sigma)
        assert nothing.kinds("open") == [("weights",)] * 3 + [("alphas",)] * 3
        assert nothing.kinds("inside") == []
    assert len(ended(result, sigma=arb(0.25)).kinds("inside")) == 6


def test_an_end_of_which_nothing_is_known_leaves_the_trace_open() -> None:
    for unknown, said in ((0.0624, []), (2.0**-4, [("the run may have to end elsewhere",)])):
        bench = ended(last=Last.OPEN, unknown=unknown)
        assert bench.kinds("doubt") == said
        assert bench.kinds("rounding") == [("stopping", 3)]


def test_a_run_whose_goal_is_where_it_starts_may_end_there() -> None:
    assert ended(last=Last.NO, goal=arb(0)).kinds("accuse") == []
    assert ended(last=Last.NO, goal=arb(4)).kinds("accuse") != []


# -- Algorithm 1 -----------------------------------------------------------------------------------


def sampled(
    monkeypatch: pytest.MonkeyPatch, result: dict[str, Any] | None = None, **facts: Any
) -> Any:
    """The picks, weights and doubt with which beta is judged."""
    found: list[Any] = []

    def judge_regression(judge: Any, line: int, beta: Any, weights: Any, doubt: float) -> None:
        assert (line, beta) == (9, [1.0, 2.0])
        found.append((judge.picks, [float(w) for w in weights], doubt))

    monkeypatch.setattr(ending, "judge_regression", judge_regression)
    bench = ended({"beta": [1.0, 2.0]} | (result or {}), **facts)
    assert bench.picks == facts.get("picks", [0, 2, 1])
    assert len(found) <= 1
    return found[0] if found else None


def test_the_sample_with_all_of_x2(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"weights": [1.5, 2.5, 3.5]}
    expected = ([0, 2, 1, 3, 4], [1.5, 2.5, 3.5, 1.0, 1.0], 0.0)
    assert sampled(monkeypatch, given) == expected
    monkeypatch.setattr(ending, "judge_regression", lambda *_given: pytest.fail("no beta"))
    ended(given)


def test_beta_of_a_sample_that_is_not_known_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "judge_regression", lambda *_given: None)
    for facts, open_ in (
        ({}, False), ({"sigma": arb(0)}, True), ({"made": [arb(1), None, arb(3)]}, True),
    ):  # fmt: skip
        bench = ended({"beta": [1.0, 2.0]}, **facts)
        assert (("open", "beta") in bench.heard) is open_
        assert (("count", "beta", 1) in bench.heard) is open_  # or else whoever judges it counts


def test_the_sample_of_algorithm_2_has_only_its_picks(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SimpleNamespace(kept=False, pool=5)
    found = sampled(monkeypatch, {"weights": [1.5, 2.5, 3.5]}, scheme=plain)
    assert found == ([0, 2, 1], [1.5, 2.5, 3.5], 0.0)
    assert sampled(monkeypatch, {"m": 0}, scheme=plain, picks=[], made=[], skipped=[]) is None


def test_a_step_that_is_left_out_is_not_in_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    facts: dict[str, Any] = {"picks": [0, 2], "skipped": [False, True, False]}
    given = {"weights": [1.5, 0.0, 3.5]}
    assert sampled(monkeypatch, given, **facts)[1] == [1.5, 3.5, 1.0, 1.0]
    assert sampled(monkeypatch, made=[arb(1), arb(0), arb(3)], **facts)[1] == [
        0.125, 0.375, 1.0, 1.0,
    ]  # fmt: skip


def test_weights_that_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """weight/mid of what is known; the doubt is the largest share that is not."""
    assert sampled(monkeypatch) == ([0, 2, 1, 3, 4], [0.125, 0.25, 0.375, 1.0, 1.0], 0.0)
    wide: list[arb | None] = [arb(1), arb(2, 1), arb(3, 1)]
    _, weights, doubt = sampled(monkeypatch, made=wide)
    assert weights == [0.125, 0.25, 0.375, 1.0, 1.0]
    assert 0.5 <= doubt <= 0.5 + 2.0**-20
    assert 0.5 <= sampled(monkeypatch, made=[arb(8, 4), arb(1), arb(1)])[2] <= 0.5 + 2.0**-20
    # A weight of nothing has no share.
    assert sampled(monkeypatch, made=[arb(1), arb(0, 1), arb(3)])[2] == 0.0
    for sigma in (arb(0), arb(-1)):
        assert sampled(monkeypatch, sigma=sigma) is None
    assert sampled(monkeypatch, sigma=arb(0.25))[1][:3] == [2.0, 4.0, 6.0]
    # One is hidden: the sample is not known.
    assert sampled(monkeypatch, made=[arb(1), None, arb(3)]) is None
    assert sampled(monkeypatch, {"m": 0}, sigma=arb(0), picks=[], made=[], skipped=[]) == (
        [3, 4], [1.0, 1.0], 0,
    )  # fmt: skip
