"""The parts of a check, each by itself: precision, what is said in general, remarks."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import ctx, fmpq

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.errors import NotATrace, Undecided
from asura.run import run
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine, trace_lines, trace_scalar
from asura_verify.oracle import check
from asura_verify.oracle.check import check_lines, check_source
from asura_verify.oracle.diagnosis import Roundings, general
from asura_verify.oracle.judgement import ClaimView, Diagnosis, LocalView, Ruling, Violation, named
from asura_verify.oracle.mistakes.recipe_run import RecipeRun
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionTest
from asura_verify.oracle.slip import Surroundings
from asura_verify.oracle.truth.allowance import Allowance, Conditioning
from asura_verify.oracle.variants import counted
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.view_process import ViewProcess, ViewProcessLost


def header(width: int, gamma: float, precision: int = 53) -> HeaderLine:
    points: list[list[int | float | str]] = [[1] * width] if width else []
    return HeaderLine(
        format=FORMAT, gamma=gamma, points=points, unlabelled=len(points), precision=precision
    )


@pytest.mark.parametrize(
    ("width", "gamma", "precision", "bits"),
    [
        (1, 0.25, 53, 53 + 24 + 4),
        (2, 0.25, 24, 53 + 24 + 4 + 2),
        (2, 0.25, 100, 100 + 24 + 4 + 2),
        (2, 0.25, 5000, 2048 + 24 + 4 + 2),
        (8, 1 / 44, 53, 53 + 24 + 44 + 6),
        (20, 1 / 88, 53, 53 + 24 + 88 + 8),  # 2 log2(20) = 8.6
        (2, 1e-6, 53, 53 + 24 + 2048 + 2),
        (2, 0.0, 53, 53 + 24),  # refused later, by name
        (2, -0.25, 53, 53 + 24),
        (0, 0.125, 53, 53 + 24 + 8),  # likewise
    ],
)
def test_bits_of_a_first_attempt(width: int, gamma: float, precision: int, bits: int) -> None:
    assert check._expected_bits(header(width, gamma, precision)) == bits


@pytest.mark.parametrize(
    ("level", "doublings"),
    [("1/2", 1), (1, 1), (3, 2), ("15", 4), (-5, 1), ("1e9999", 64)],
)
def test_bits_for_a_run_that_goes_on(level: int | str, doublings: int) -> None:
    facts: dict[str, Any] = {"format": FORMAT, "gamma": 1 / 8, "points": [[1]], "unlabelled": 1}
    sure = HeaderLine(**facts, stopping="sure", level=level)
    assert check._expected_bits(sure) == 53 + 24 + 8 * doublings
    assert check._expected_bits(HeaderLine(**facts, level=level)) == 53 + 24 + 8


def test_bits_for_rows_without_entries() -> None:
    empty = HeaderLine(format=FORMAT, gamma=0.5, points=[[]], unlabelled=1)
    assert check._expected_bits(empty) == 53 + 24 + 2


def small_trace() -> list[str]:
    return list(trace_lines(run(dataset([[1], [2]]), "1/4")))


def test_values_that_claim_to_be_exact_are_compared_with_1024_bits() -> None:
    done = run(dataset([[1], [2]]), "1/3", arithmetic=EXACT)
    judgement = check_lines(trace_lines(done))
    assert (judgement.ruling, judgement.bits) == (Ruling.CONFORMS, 1024)


def test_an_explanation_reads_no_further_than_some_mistake_is_right() -> None:
    lines = [line.encode() for line in trace_lines(run(dataset([[1], [2]]), "1/9"))]
    wrong = json.loads(lines[5]) | {"phi": 17.0}
    lines[5] = json.dumps(wrong).encode()
    readings: list[int] = []

    def source() -> Iterator[bytes]:
        readings.append(0)
        for line in lines:
            readings[-1] += 1
            yield line

    judgement = check_source(source)
    assert judgement.ruling is Ruling.VIOLATES
    assert readings == [len(lines), 6]


def test_an_explanation_inverts_nothing_while_all_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(trace_lines(run(dataset([[1, 0], [2, 1], [1, 3]]), "1/9")))
    lines[40] = json.dumps(json.loads(lines[40]) | {"phi": 17.0})
    looks: Counter[int] = Counter()
    look = RecipeRun.look

    def counted(self: RecipeRun) -> None:
        looks[len(self.picks)] += 1
        look(self)

    monkeypatch.setattr(RecipeRun, "look", counted)
    judgement = check_lines(lines)
    assert judgement.diagnosis[0].mistake == "isolated-value"
    settled = next(j for j in range(40) if looks[j] == 0)
    assert settled < 5  # by then every mistake has shown itself
    assert [j for j in looks if j >= settled] == [39]


def test_precision_doubles_up_to_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def undecided(*_: object) -> None:
        tried.append(ctx.prec)
        raise Undecided

    monkeypatch.setattr(Judge, "block", undecided)
    lines = small_trace()
    first = json.loads(lines[0]) | {"precision": 53}
    judgement = check_lines([json.dumps(first), *lines[1:]])
    assert tried == [128, 256, 512, 1024, 2048, 4096, 8192]
    assert judgement.ruling is Ruling.MALFORMED
    assert judgement.fault == (
        "NotATrace: a value is undecided at 8192 bits: the data are too extreme"
    )
    assert ctx.prec == 53


def skipping_trace(steps: int) -> list[str]:
    """Three points in turn, each added to the matrix once, though weights are reported always."""
    gamma, points = 0.25, np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    rows = np.linalg.solve(np.linalg.cholesky(points.T @ points), points.T).T
    upper, lower, matrix, one = 16.0, -16.0, np.zeros((2, 2)), np.eye(2)
    head = {"format": FORMAT, "gamma": gamma, "points": points.tolist(), "unlabelled": 3}
    lines: list[dict[str, Any]] = [head | {"stopping": "sure", "level": 10**6}]
    for j in range(steps):
        inverse = np.linalg.inv(upper * one - matrix) + np.linalg.inv(matrix - lower * one)
        phi, row = float(np.trace(inverse)), rows[j % 3]
        p = float(row @ inverse @ row) / phi
        weight = gamma / phi / p
        known = {"j": j, "index": j % 3, "u": upper, "l": lower, "phi": phi, "p": p}
        lines.append(known | {"weight": weight})
        matrix = matrix + weight * np.outer(row, row) if j < 3 else matrix
        upper += gamma / (1 - 2 * gamma) / phi
        lower += gamma / (1 + 2 * gamma) / phi
    return [json.dumps(line) for line in [*lines, {"m": steps, "mid": 1.0}]]


def test_what_is_wrong_stays_so_when_a_later_value_is_undecided() -> None:
    """The state that a wrong trace reports comes so near its barriers that no bits decide."""
    short, long = check_lines(skipping_trace(400)), check_lines(skipping_trace(620))
    assert (short.ruling, short.remarks) == (Ruling.VIOLATES, ())
    assert (long.ruling, long.fault, long.first) == (Ruling.VIOLATES, None, short.first)
    (remark,) = long.remarks
    assert re.fullmatch(r"not judged from line \d+ on: undecided at 316 bits there", remark)
    cut = int(remark.split()[4])
    assert 402 < cut < 622
    assert long.length == 620  # all lines are read
    assert long.checked["u"] == cut - 1  # the one that is undecided was looked at
    assert "mid" not in long.coverage
    assert "mid" not in long.checked
    assert all(diagnosis.complete is False for diagnosis in long.diagnosis)


def test_lines_that_are_not_judged_have_to_fit_the_header() -> None:
    lines = skipping_trace(620)
    lines[610] = json.dumps(json.loads(lines[610]) | {"index": 3})
    assert check_lines(lines).ruling is Ruling.MALFORMED
    lines[610] = "{}"
    assert check_lines(lines).ruling is Ruling.MALFORMED


@pytest.mark.parametrize("decides_at", [1000, 9000])
def test_bits_are_doubled_while_they_lead_further(
    monkeypatch: pytest.MonkeyPatch, decides_at: int
) -> None:
    """A trace that is wrong at once, and then undecided, later and later with more bits."""
    lines = small_trace()
    lines[1] = json.dumps(json.loads(lines[1]) | {"phi": 17.0})
    first = json.loads(lines[0]) | {"precision": 53}
    tried: list[int] = []
    take = Judge.iteration

    def undecided(self: Judge, number: int, line: Any) -> Any:
        if not self.halted and line.j >= 1 and ctx.prec < decides_at:
            self.picks += [0] * len(tried)
            tried.append(ctx.prec)
            raise Undecided
        return take(self, number, line)

    monkeypatch.setattr(Judge, "iteration", undecided)
    monkeypatch.setattr(check, "reports_state", lambda _line: False)
    judgement = check_lines([json.dumps(first), *lines[1:]])
    assert judgement.ruling is Ruling.VIOLATES
    assert tried == [128, 256, 512, 1024, 2048, 4096, 8192][: 3 if decides_at == 1000 else 7]
    assert judgement.bits == (1024 if decides_at == 1000 else 8192)
    assert bool(judgement.remarks) is (decides_at == 9000)


def test_a_second_process_follows_whole_traces_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is cut short is judged once more, by one process."""
    file = tmp_path / "cut.jsonl"
    file.write_text("\n".join(skipping_trace(620)))
    alone = check.check_file(str(file))
    monkeypatch.setattr(check, "worth_company", lambda _name: True)
    assert check.check_file(str(file)) == alone


def test_traces_are_named() -> None:
    lines = small_trace()

    def source() -> Iterator[bytes]:
        return iter([line.encode() for line in lines])

    assert check_lines(lines).name == check_source(source).name == "trace"
    assert check_lines(lines, "mine").name == check_source(source, "mine").name == "mine"


def violation(field: str, line: int = 4, gap: float | None = 4.0) -> Violation:
    return Violation(line, 2, field, "", "", "", gap, 0.25, "", "")


def unread(_line: int) -> Surroundings:
    """The trace need not be read again."""
    raise AssertionError


def judged(*violations: Violation, **facts: Any) -> Any:
    known = {
        "wrong": Counter(v.field for v in violations),
        "places": {(v.line, v.field): v for v in violations},
        "violations": list(violations),
        "violated": len(violations),
        "farthest": 0.0,
        "precision": 53,
        "checked": {"u": 8, "l": 8},
        "picks": [0] * 6,
        "from_states": True,
    }
    return SimpleNamespace(**(known | facts))


def said(
    judge: Any,
    local: LocalView | None = None,
    conforming: Container[int] = range(10, 53),
    rounded: int | None = None,
    read: Callable[[int], Surroundings] = unread,
) -> list[tuple[str, str]]:
    found = general(judge, local, lambda bits: bits in conforming, lambda: rounded, read)
    assert all(d.complete is (d.mistake != "small-errors") for d in found)
    assert all(d.lines == len(judge.picks) + 2 for d in found)  # the whole of it
    return [(d.mistake, d.explanation) for d in found]


def test_one_wrong_value() -> None:
    ((name, text),) = said(judged(violation("u")))
    assert name == "isolated-value"
    assert text == "u is wrong here, and nothing else"
    for count, line, unused in ((5, 4, False), (4, 4, True), (4, 5, False)):
        ((name, text),) = said(judged(violation("u")), LocalView(6, count, violation("l", line)))
        assert name == ("isolated-value" if unused or line == 5 else "single-slip")
        assert ("the program went on with the right one" in text) is unused
    ((name, text),) = said(judged(violation("p")), LocalView(6, 5, violation("p")))
    assert (name, text) == ("isolated-value", "p is wrong here, and nothing else")
    assert said(judged(violation("u", gap=None))) == []
    assert said(judged(violation("u"), violated=2)) == []


@pytest.mark.parametrize("field", ["stopping", "m", "index"])
def test_a_wrong_decision_is_not_a_wrong_value(field: str) -> None:
    local = LocalView(6, 5, violation("u"))
    assert said(judged(violation(field))) == []
    around = Surroundings(None, line_of(2), ResultLine(6))  # without the probabilities of a pick
    relations = SimpleNamespace(gamma=fmpq(1, 4))
    facts = {"farthest": 2.0**-20, "relations": relations, "uniforms": None}
    both = judged(violation("u"), violation(field), **facts)
    assert said(both, local, read=lambda _line: around) == []


@pytest.mark.parametrize(
    ("farthest", "violated", "bits"),
    [
        (2.0**-33, 3, 33),
        (2.0**-10, 3, 10),
        (2.0**-9.9, 3, None),  # fewer than ten bits are right: that is no rounding
        (0.3, 3, None),
        (math.inf, 3, None),
        (0.0, 3, None),
        (2.0**-33, 2, None),  # one value in eight
    ],
)
def test_all_values_a_little_wrong(farthest: float, violated: int, bits: int | None) -> None:
    found = said(judged(violation("u"), violated=violated, farthest=farthest))
    if bits is None:
        assert found == []
    else:
        ((name, text),) = found
        assert name == "small-errors"
        assert (
            f"right to {bits} bits or more, and the trace would conform as one of {bits};" in text
        )
        wrong = judged(violation("u"), violated=violated, farthest=farthest)
        assert said(wrong, conforming=[bits - 1, bits + 1]) == []  # that is not reproduced


@pytest.mark.parametrize(
    ("rounded", "conforming", "name"),
    [
        (24, [24], "lower-precision"),
        (10, [10], "lower-precision"),
        (47, [47], "lower-precision"),
        (48, [48, 20], "small-errors"),  # no more than honest roundings of 53 bits
        (24, [20], "small-errors"),  # 20 bits are right, and the relations hold to 24
        (24, [], None),
        (9, [9, 20], "small-errors"),
        (None, [20, 24], "small-errors"),
    ],
)
def test_a_lower_precision_shows_in_all_relations(
    rounded: int | None, conforming: list[int], name: str | None
) -> None:
    wrong = judged(violation("u"), violated=3, farthest=2.0**-20)
    found = said(wrong, conforming=conforming, rounded=rounded)
    assert [mistake for mistake, _ in found] == ([] if name is None else [name])
    if name == "lower-precision":
        assert f"conforms as one of {rounded} bits, " in found[0][1]
        assert found[0][1].endswith("lower precision than the 53 declared")
    grave = judged(violation("u"), violated=3, farthest=2.0**-9)
    assert said(grave, conforming=conforming, rounded=rounded) == []


def line_of(j: int, **fields: Any) -> IterationLine:
    return IterationLine(j, 0, **fields)


def test_relations_and_their_roundings() -> None:
    """gamma = 1/4: u moves by 1/(2 phi), l by 1/(6 phi), and weight phi p is 1/4."""
    assert Roundings(Fraction(1, 4)).bits() is None  # nothing is said
    found = Roundings(Fraction(1, 4))
    found.line(line_of(0, u=8.0, l=-8.0, phi=0.25, p=0.5, weight=2.0))
    assert found.bits() is None  # nothing is off
    found.line(line_of(1, u=10.0 * (1 + 2.0**-20), l=-8 + 2 / 3 + 8 * 2.0**-21, phi=0.25, p=0.5,
                       weight=2.0 * (1 - 2.0**-22)))  # fmt: skip
    assert found.bits() == 20  # in one line of one, of one and of two
    found.line(line_of(2, weight=2.0, phi=0.25, p=0.5))
    assert found.bits() is None  # the product is right twice out of three times
    found.line(line_of(3, weight=2.0, phi=0.25, p=0.5 + 2.0**-19))
    assert found.bits() == 18
    found.line(line_of(4, probabilities=[0.5, 0.5]))
    assert found.bits() is None


@pytest.mark.parametrize(("off", "bits"), [(2.0**-24, 18), (2.0**-24.1, None)])
def test_most_roundings_are_not_much_smaller_than_the_largest(off: float, bits: int | None) -> None:
    found = Roundings(Fraction(1, 4))
    for j, error in enumerate((2.0**-18, off)):
        found.line(line_of(j, phi=1.0, p=1.0, weight=0.25 * (1 + error)))
    found.line(line_of(2, phi=1.0, p=1.0, weight=0.25))
    found.line(ResultLine(3))
    assert found.bits() == bits


def test_relations_that_say_nothing() -> None:
    found = Roundings(Fraction(1, 4))
    found.line(line_of(0, u=0.0, phi=0.0, p=1.0))
    found.line(line_of(1, u=3.0, l=1.0))
    found.line(line_of(2, u=0.0, l=1.0, phi=1.0))
    assert found.bits() is None
    found.line(ResultLine(3, u=-2.0))
    assert found.bits() is None  # by more than all of it
    barriers = Roundings(Fraction(1, 4))
    barriers.line(line_of(0, u=8.0, l=0.0, phi=0.5))
    barriers.line(ResultLine(1, u=9.0 + 9 * 2.0**-15, l=1 / 3 * (1 + 2.0**-15)))
    assert barriers.bits() == 15


def program(kind: Any = np.float64, **slips: float) -> list[str]:
    """A run of three points in a plane, in turn, with all numbers of a kind and some slips."""
    gamma, rows = kind(0.1875), np.array([[1.25, 0.5], [0.75, -1.5], [0.375, 1.0]], dtype=kind)
    head = {"format": FORMAT, "gamma": float(gamma), "points": rows.tolist(), "unlabelled": 3}
    one = np.eye(2, dtype=kind)
    gram = rows.T @ rows + kind(slips.get("jitter", 0)) * one
    white = np.linalg.inv(np.linalg.cholesky(gram)).astype(kind)
    points = rows @ white.T
    upper, lower = kind(4) / gamma, -kind(4) / gamma
    matrix, total, lines = 0 * one, kind(0), [json.dumps(head)]
    while upper - lower + total < kind(16) / gamma:
        j = len(lines) - 1
        inverse = np.linalg.inv(upper * one - matrix) + np.linalg.inv(matrix - lower * one)
        phi, row = np.trace(inverse), points[j % 3]
        p = row @ inverse @ row / phi
        weight = gamma / phi / p
        known = {"u": upper, "l": lower, "phi": phi, "p": p, "weight": weight}
        lines.append(
            json.dumps({"j": j, "index": j % 3} | {name: float(x) for name, x in known.items()})
        )
        slip = slips.get("slip", 0) if j == 5 else slips.get("forget", 0)
        matrix = (matrix + weight * (1 + kind(slip)) * np.outer(row, row)).astype(kind)
        total += phi
        upper += gamma / (1 - 2 * gamma) / phi
        lower += gamma / (1 + 2 * gamma) / phi
    return [*lines, json.dumps({"m": len(lines) - 1})]


def test_a_program_in_single_precision_is_called_so() -> None:
    assert check_lines(program()).ruling is Ruling.CONFORMS
    judgement = check_lines(program(np.float32))
    assert judgement.ruling is Ruling.VIOLATES
    (found,) = judgement.diagnosis
    assert (found.mistake, found.complete, found.lines) == (
        "lower-precision",
        True,
        judgement.length + 2,
    )
    assert 18 <= int(found.explanation.split()[6]) <= 24


@pytest.mark.parametrize(
    "slip", [{"jitter": 3e-9}, {"jitter": 1e-11}, {"slip": 1e-6}, {"slip": 1e-9}, {"forget": 1e-9}]
)
def test_a_small_slip_is_not_called_a_lower_precision(slip: dict[str, float]) -> None:
    """Relations between the values hold to 53 bits, and the first lines may be right to them."""
    judgement = check_lines(program(**slip))
    assert judgement.ruling is Ruling.VIOLATES
    assert not any(d.complete for d in judgement.diagnosis), judgement.diagnosis
    assert "lower-precision" not in {d.mistake for d in judgement.diagnosis}


def test_what_is_made_at_the_end_is_no_lower_precision() -> None:
    """mid slips, and all that is divided by it: the iterations have every bit."""
    late = judged(violation("mid", line=8), violated=9, farthest=2.0**-13)
    assert [name for name, _ in said(late)] == ["result-only"]
    nothing = judged(violation("u", line=2), violated=9, farthest=0.5, picks=[])
    assert said(nothing) == []  # no iteration is right where there is none


@pytest.mark.parametrize(
    ("count", "followed", "slipped"),
    [(6, 5, True), (6, 4, False), (6, 6, False), (2, 1, True), (2, 0, False), (1, 0, False)],
)
def test_one_wrong_step(count: int, followed: int, slipped: bool) -> None:
    """Exactly one, and another one that follows."""
    line = max(2, min(5, count))
    local = LocalView(count, followed, violation("phi", line=line))
    wrong = violation("u", line=line), violation("u", line=line + 1)
    found = said(judged(*wrong, picks=[0] * count), local)
    assert [name for name, _ in found] == ["single-slip"] * slipped
    assert all(f"at line {line};" in text for _, text in found)


@pytest.mark.parametrize(
    ("lines", "from_states", "slipped"),
    [
        ((5, 5), True, True),
        ((5, 6), True, True),
        ((5, 7), True, False),  # another step is wrong, though it follows roughly
        ((5, 5), False, False),  # in a run that is replayed every value differs after a slip
        ((4, 5), True, False),
        ((4, 5), False, False),
        ((6, 6), True, False),
    ],
)
def test_the_wrong_step_is_where_the_wrong_values_are(
    lines: tuple[int, int], from_states: bool, slipped: bool
) -> None:
    local = LocalView(6, 5, violation("phi", line=5))
    wrong = judged(*(violation("u", line=line) for line in lines), from_states=from_states)
    assert [name for name, _ in said(wrong, local)] == ["single-slip"] * slipped
    some = judged(violation("u", line=5), violation("u", line=5), picks=[0] * 7)
    assert said(some, local) == []  # a step was not looked at
    assert said(some, LocalView(7, 6, None)) == []


@pytest.mark.parametrize(("line", "named"), [(7, False), (8, True), (9, False)])
def test_a_wrong_result(line: int, named: bool) -> None:
    """Six iterations after the header: the result is line 8."""
    wrong = violation("weights[0]", line=line)
    found = said(judged(wrong, wrong), LocalView(6, 6, None))
    assert [name for name, _ in found] == ["result-only"] * named


def remarked(**facts: Any) -> tuple[str, ...]:
    known = {
        "allowance": Allowance(53, Conditioning(2.0, 2.0, ())),
        "remarks": (),
        "from_states": False,
        "loosest": 0.0,
        "violated": 0,
        "precision": 53,
        "header": SimpleNamespace(precision=53),
    }
    return check._remarks(SimpleNamespace(**(known | facts)))  # type: ignore[arg-type]


def test_remarks() -> None:
    assert remarked() == ()
    assert remarked(remarks=("normalised",)) == ("normalised",)
    hopeless = Allowance(10, Conditioning(2.0, 2.0, ()))
    (carried,) = remarked(allowance=hopeless, precision=10, header=SimpleNamespace(precision=10))
    assert carried.startswith("10 bits cannot carry data of condition 2.0e+00")
    assert remarked(loosest=0.06) == remarked(loosest=0.5, from_states=True) == ()
    (loose,) = remarked(loosest=0.0625)
    assert loose.startswith("53 bits leave an allowance of up to 6.2e-02: some values")
    assert remarked(precision=2048, header=SimpleNamespace(precision=2049)) == (
        "declared 2049 bits, judged at 2048",
    )


def test_a_claim_that_fails_is_a_violation() -> None:
    fails = ClaimView("fails", 1, 0, 7, 5, "2 against 1")
    claims = {"invariant": ClaimView("holds"), "sum-alpha": fails, "spectral": fails}
    assert check._failing({"invariant": ClaimView("undecided", 1, 1, 3, 1, "")}) is None
    assert check._failing(claims) == Violation(
        7, 5, "claim", "2 against 1", "", "", None, 0.0, "sum-alpha",
        "no run of the algorithm has these values",
    )  # fmt: skip


def test_extreme_data_are_explained_without_a_warning() -> None:
    """Warnings are errors here: doubles overflow in what a mistake would compute."""
    lines = small_trace()
    first = json.loads(lines[0]) | {"points": [[1e300], [2e300]], "precision": 53}
    first["squared_scales"] = [1e16, 1e16]
    wrong = json.loads(lines[1]) | {"phi": 0.5}
    judgement = check_lines([json.dumps(first), json.dumps(wrong), *lines[2:]])
    assert judgement.ruling is Ruling.VIOLATES


def test_picks_count_when_their_probabilities_are_sure() -> None:
    session: Any = SimpleNamespace(commit=lambda: True)
    assert check.MOST_POINTS == 10_000
    assert counted(session, 2.0**-11) == (True, ())
    known, (remark,) = counted(session, 2.0**-10)
    assert not known
    assert remark.endswith("may be off by 9.8e-04")
    copied: Any = SimpleNamespace(commit=lambda: False)
    assert counted(copied, 0.0) == (True, ("its picks count once: a trace before has the same",))


def test_a_copy_of_a_trace_counts_once_and_a_wrong_one_never() -> None:
    lines = [json.loads(line) for line in trace_lines(run(dataset([[1], [2]]), "1/16"))]
    lines[0].pop("uniforms", None)
    honest = [json.dumps(line) for line in lines]
    test = DistributionTest()
    wrong = check_lines([honest[0], json.dumps(lines[1] | {"phi": 0.5}), *honest[2:]], test=test)
    assert (wrong.ruling, wrong.drawn) == (Ruling.VIOLATES, 0)
    assert [check_lines(honest, test=test).remarks for _ in range(2)] == [
        (),
        ("its picks count once: a trace before has the same",),
    ]


def test_a_trace_that_few_bits_cannot_carry_is_of_no_lower_precision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is judged again without a second process, and without explaining it again."""
    lines = [json.loads(line) for line in small_trace()]
    coarse = [lines[0] | {"precision": 53}] + [
        {
            k: float(f"{float(trace_scalar(v)):.6e}") if k in {"u", "l", "phi", "p"} else v
            for k, v in line.items()
        }
        for line in lines[1:]
    ]
    texts = [json.dumps(line) for line in coarse]
    assert [d.mistake for d in check_lines(texts).diagnosis] == ["lower-precision"]
    judged_as_given, asked = check._judged, []

    def refusing(name: str, *rest: Any, **how: Any) -> Any:
        if name:
            return judged_as_given(name, *rest, **how)
        asked.append(how)
        raise ArithmeticError

    monkeypatch.setattr(check, "_judged", refusing)
    assert check_lines(texts).diagnosis == ()
    assert asked == [{"accompanied": False, "explained": False}] * 2  # as rounded, and as right


# -- blocks of lines -------------------------------------------------------------------------------


def stated_trace(length: int) -> list[str]:
    """One point, gamma = 1/4, doubles, and a level that ends it after so many steps."""
    gamma, upper, lower, total = 0.25, 8.0, -8.0, 0.0
    lines = []
    for j in range(length):
        phi = 1 / (upper - total) + 1 / (total - lower)
        known = {"j": j, "index": 0, "u": upper, "l": lower, "phi": phi, "weight": gamma / phi}
        lines.append(json.dumps(known))
        total += gamma / phi
        upper, lower = upper + 0.5 / phi, lower + 1 / 6 / phi
    level = (upper - lower) / 16 - 1 - 1e-6
    head = {
        "format": FORMAT, "gamma": gamma, "points": [[1]], "unlabelled": 1, "stopping": "sure",
        "level": level,
    }  # fmt: skip
    return [json.dumps(head), *lines, json.dumps({"m": length, "u": upper, "l": lower})]


@pytest.mark.parametrize(
    ("length", "blocks"), [(1, [1]), (63, [63]), (64, [64]), (65, [64, 1]), (130, [64, 64, 2])]
)
def test_lines_are_judged_in_blocks(
    monkeypatch: pytest.MonkeyPatch, length: int, blocks: list[int]
) -> None:
    found: list[int] = []
    real = Judge.block

    def block(judge: Judge, lines: Any) -> Any:
        found.append(len(lines))
        return real(judge, lines)

    monkeypatch.setattr(Judge, "block", block)
    judgement = check_lines(stated_trace(length))
    assert (judgement.ruling, found) == (Ruling.CONFORMS, blocks)
    assert (judgement.length, judgement.checked["phi"]) == (length, length)
    assert judgement.local is not None
    assert (judgement.local.judged, judgement.local.followed) == (length, length)


def test_a_line_without_its_state_asks_for_a_replay() -> None:
    """Also when the lines before report theirs: then the whole run is replayed."""
    lines = stated_trace(3)
    bare = json.loads(lines[2])
    del bare["weight"]
    lines[2] = json.dumps(bare)
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.CONFORMS
    assert judgement.coverage[:2] == ("p", "probabilities")
    assert "weight (of 1 of 3 iterations)" in judgement.coverage


# -- accounts of picks, remarks and explanations ---------------------------------------------------


class Accounts:
    """A test of the distribution that only writes down."""

    def __init__(self) -> None:
        self.opened: list[tuple[Any, ...]] = []

    def session(self, *facts: Any) -> Any:
        self.opened.append(facts)
        return SimpleNamespace(draw=lambda *_: None, commit=lambda: True)


def headed(points: int = 2, **fields: Any) -> HeaderLine:
    rows: list[list[int | float | str]] = [[1]] * points
    return HeaderLine(format=FORMAT, gamma=0.25, points=rows, unlabelled=1, **fields)


def test_an_implementation_is_named_on_one_line() -> None:
    assert named(headed()) is None
    assert named(headed(implementation="a\x07b\nc")) == "a?b?c"
    assert named(headed(implementation="x" * 300)) == "x" * 200


@pytest.mark.parametrize(("points", "opened"), [(1, True), (2, True), (3, False)])
def test_picks_of_few_points_have_an_account(
    monkeypatch: pytest.MonkeyPatch, points: int, opened: bool
) -> None:
    monkeypatch.setattr(check, "MOST_POINTS", 2)
    with ctx.workprec(128):
        for name, known in ((None, UNNAMED), ("mine", "mine")):
            accounts: Any = Accounts()
            header = headed(points, implementation=name)
            reading = check._Pass(header, accounts, check._Manner())
            assert (reading.judge.session is not None) is opened
            assert reading.ended == set()
            facts = (known, check._fingerprint(header), points, 1)
            assert accounts.opened == ([facts] if opened else [])
            accounts.opened.clear()
            account = check._accounts(header, accounts)
            assert (account is not None) is opened
            if account is not None:
                account(5, 3)
                data = f"{check._fingerprint(header)} {header.variant} {header.ending}"
                assert accounts.opened == [(known, data, 5, 3)]
        assert check._accounts(headed(points), None) is None
        given = check._Pass(headed(points, uniforms=[0.5]), accounts, check._Manner())
        assert (given.judge.session, given.ended) == (None, {"uniforms"})


def test_picks_that_are_not_tested_are_remarked(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts: Any = Accounts()
    lines = stated_trace(2)
    given = [json.dumps(json.loads(lines[0]) | {"uniforms": [0.5, 0.5]}), *lines[1:]]
    assert check_lines(lines, test=accounts).remarks == ()
    monkeypatch.setattr(check, "MOST_POINTS", 0)
    said = ("its picks are not tested: more than 0 points",)
    assert check_lines(lines, test=accounts).remarks == said
    assert check_lines(given, test=accounts).remarks == ()
    assert check_lines(lines).remarks == ()


def test_data_that_nobody_can_afford_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: HeaderLine) -> None:
        raise NotATrace("too large")

    monkeypatch.setattr(check, "refuse_unaffordable", refuse)
    assert check_lines(stated_trace(1)).ruling is Ruling.MALFORMED


@pytest.mark.parametrize(("length", "ruling"), [(2, Ruling.UNDECIDED), (7, Ruling.VIOLATES)])
def test_few_bits_decide_too_little(length: int, ruling: Ruling) -> None:
    """Unless something is wrong in spite of them: m = 7 of two steps."""
    lines = stated_trace(2)
    lines[0] = json.dumps(json.loads(lines[0]) | {"precision": 4})
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"m": length})
    judgement = check_lines(lines)
    assert judgement.ruling is ruling
    assert "4 bits decide too little: most values of" in judgement.remarks[-1]


def test_an_explanation_reads_the_result_too(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    class Diagnoser:
        alive = True

        def __init__(self, *_: Any) -> None: ...

        def iteration(self, *_: Any) -> None:
            heard.append("iteration")

        def result(self, *_: Any) -> None:
            heard.append("result")

        def diagnoses(self) -> tuple[()]:
            return ()

    monkeypatch.setattr("asura_verify.oracle.diagnosis.Diagnoser", Diagnoser)
    lines = stated_trace(2)
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"m": 7})
    assert check_lines(lines).ruling is Ruling.VIOLATES
    assert heard == ["iteration", "iteration", "result"]


def granting(widest: float) -> Any:
    """At the first step, where nothing has lost a digit yet."""

    def asked(iteration: int, spread: float, leverage: float) -> float:
        assert (iteration, spread, leverage) == (0, 1, 1)
        return widest

    return SimpleNamespace(widest=asked)


@pytest.mark.parametrize(
    "open_",
    [{"doubtful": ["p is off", "u is"]}, {"vague": {"p": 1}}, {"allowance": granting(math.inf)}],
)
def test_a_claim_that_fails_on_values_that_are_left_open_is_no_violation(open_: Any) -> None:
    """They may be farther off than the balls that the claim was asked of."""
    failing = Violation(7, 1, "claim", "", "", "", None, 0.0, "sum-alpha", "")
    known = {"violations": [], "doubtful": [], "vague": {}, "allowance": granting(9.0)}
    judge: Any = SimpleNamespace(**(known | open_))
    assert check._first(judge, failing) is None
    doubts = check._doubts(judge, failing)
    assert doubts[0] == "sum-alpha fails, if the values that were left open are right"
    assert [doubt.partition(":")[0] for doubt in doubts[1:]] == judge.doubtful
    assert check._doubts(judge, None) == doubts[1:]
    sure: Any = SimpleNamespace(**known)
    assert check._first(sure, failing) is failing
    assert check._doubts(sure, None) == ()
    wrong: Any = SimpleNamespace(**(vars(judge) | {"violations": [failing, failing]}))
    assert check._first(wrong, None) is failing


def test_a_second_process_is_lost_where_a_trace_is_not_followed_to_its_end() -> None:
    lost: Any = check._Pass.__new__(check._Pass)
    lost.judge = SimpleNamespace(violations=[None], picks=[])

    def undecided(*_given: Any) -> None:
        raise Undecided

    lost._judge = undecided
    views = ViewProcess.__new__(ViewProcess)
    with pytest.raises(ViewProcessLost):
        lost.run(iter(()), None, views, 0)


@pytest.mark.parametrize(("complete", "whole"), [(True, True), (False, False)])
def test_nothing_general_is_said_of_what_is_explained_or_cut(
    monkeypatch: pytest.MonkeyPatch, complete: bool, whole: bool
) -> None:
    named = (Diagnosis("a", "b", 2, complete),)
    monkeypatch.setattr(check, "_explain", lambda *_given: named)
    monkeypatch.setattr("asura_verify.oracle.diagnosis.general", lambda *_given: (None,))
    judge: Any = None
    assert check._diagnosed(lambda: iter(()), judge, None, whole=whole) == named
