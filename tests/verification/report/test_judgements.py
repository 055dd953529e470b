"""Reports as approved: every format word for word, and every judgement of the vectors.

`ASURA_APPROVE=1` writes what is printed now; read the difference before you commit it.
"""

import dataclasses
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.algorithm1_regression import active_regression
from asura.arithmetic.ball import BallArithmetic
from asura.dataset import dataset
from asura.randomness import uniforms
from asura.run import run
from asura.sampling import Done
from asura.trace import trace_lines, trace_scalar
from asura_verify.conforming.vectors.model import load
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import (
    ClaimView,
    Diagnosis,
    Judgement,
    LocalView,
    Ruling,
    Violation,
)
from asura_verify.oracle.picks.distribution import DistributionReport
from asura_verify.oracle.picks.power import Need
from asura_verify.report.formats import Format, written
from asura_verify.report.judgements import Judgements, document

APPROVED = Path(__file__).parent / "approved"


def approve(name: str, text: str) -> None:
    path = APPROVED / name
    if os.environ.get("ASURA_APPROVE"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


FIRST = Violation(
    7, 5, "weights[3]", "0.125", "0.25", "0.26", 12.5, 1e-14, "spectral", "not what | it <is>"
)
JUDGEMENTS = (
    Judgement(
        "right.jsonl",
        Ruling.CONFORMS,
        implementation="mine 1.0",
        checked={"u": 3, "phi": 3, "stopping": 4},
        coverage=("uniforms", "beta"),
        drawn=3,
        undecided={"stopping": 1},
        local=LocalView(3, 3, None),
        remarks=("digits are lost",),
        worst=0.0625,
        length=3,
        claims={
            "invariant": ClaimView("holds", 3, 0, None, None, ""),
            "sum-alpha": ClaimView("undecided", 1, 1, 5, None, "within the allowance"),
            "sure-stop": ClaimView("not applicable", detail="it speaks of the rule sure"),
        },
    ),
    Judgement(
        "wrong\x07.jsonl",
        Ruling.VIOLATES,
        checked={"u": 3, "weights": 4},
        violations=3,
        wrong={"weights": 2, "u": 1},
        first=FIRST,
        local=LocalView(6, 4, dataclasses.replace(FIRST, line=4, j=2, field="phi")),
        diagnosis=(
            Diagnosis("mid-sum", "mid is u_m + l_m", 9, True),
            Diagnosis("mid-gap", "mid is (u_m - l_m)/2", 8, False),
        ),
        claims={
            "spectral": ClaimView("fails", 2, 0, 9, None, "l < A: 2 against 1"),
            "invariant": ClaimView("fails", 2, 1, 4, 2, "A < u: 3 against 1"),
            "gap-final": ClaimView("holds", 1, 0, None, None, ""),
        },
        length=6,
    ),
    Judgement(
        "vector:early",
        Ruling.VIOLATES,
        checked={"stopping": 1},
        violations=1,
        first=dataclasses.replace(FIRST, field="stopping", j=None, gap=None, slug="m-bound"),
        meaning="where the loop ends",
        flags=("boundary",),
        slugs=("m-bound", "stop-text"),
        length=2,
    ),
    Judgement(
        "many.jsonl",
        Ruling.VIOLATES,
        implementation="mine 1.0",
        coverage=("uniforms",),
        checked={"u": 1},
        violations=1,
        first=dataclasses.replace(FIRST, field="u", slug="invariant"),
        diagnosis=tuple(Diagnosis(f"mistake-{k}", f"number {k}", 9, True) for k in range(6)),
        claims={
            slug: ClaimView("fails", 1, 0, line, None, f"detail {slug}")
            for slug, line in (("a", 9), ("b", 8), ("c", 7), ("d", 6), ("e", None))
        },
        length=1,
    ),
    Judgement(
        "single.jsonl",
        Ruling.VIOLATES,
        checked={"u": 1},
        violations=1,
        first=FIRST,
        claims={"invariant": ClaimView("fails", 1, 0, 4, 2, "A < u")},
        length=1,
    ),
    Judgement(
        "vector:known",
        Ruling.VIOLATES,
        checked={"u": 1, "mid": 1, "weights": 4},
        violations=5,
        wrong={"mid": 1, "weights": 4},
        first=dataclasses.replace(FIRST, field="mid", j=None),
        claims={"spectral": ClaimView("fails", 1, 0, 9, None, "l < A")},
        meaning="what is known to fail",
        remarks=("digits are lost",),
        accepted=True,
        again="asura conform --case vector:known -- ./mine",
        length=1,
    ),
    Judgement("known bad.jsonl", Ruling.MALFORMED, fault="Crashed: line 3", accepted=True),
    Judgement("bad.jsonl", Ruling.MALFORMED, fault="NotATrace: line 1 is not JSON"),
    Judgement("unsaid.jsonl", Ruling.MALFORMED),
)
PICKS = (
    DistributionReport(
        "mine 1.0",
        2,
        6,
        0.5,
        1e-6,
        False,
        None,
        None,
        (
            Need("picks-uniform", 0.5, 28, 35),
            Need("picks-stale", 1e-5, 1_400_000, 1_700_000),
            Need("picks-leverage", 0.0, None, None),
            Need("point 0 (p = 0.5) times 1.1", 1e-12, 2 * 10**9, None),
            Need("point 1 (p = 0.5) times 1.1", 1e-12, 10**9, 10**9 - 1),
        ),
    ),
    DistributionReport(
        "unnamed",
        9,
        90,
        20.0,
        1e-6,
        True,
        70,
        "picks-uniform",
        (Need("picks-uniform", 0.5, 28, 35),),
    ),
    DistributionReport("other", 1, 90, 20.0, 1e-6, True, 70, "point 0 times 2", ()),
)


@pytest.mark.parametrize("form", list(Format))
def test_formats_word_for_word(form: Format) -> None:
    approve(f"report.{form.value}.txt", written(Judgements(JUDGEMENTS, PICKS), form) + "\n")


def rounded(value: Any) -> Any:
    """Allowances come from doubles, whose last digits a machine may choose."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(entry) for entry in value]
    return value


def facts_of(name: str, lines: list[str]) -> dict[str, Any]:
    """What is said of a trace, without what is empty."""
    facts = document(check_lines(lines, name))
    for seen_in_doubles in ("ratios", "worst"):  # not the same on every machine
        del facts[seen_in_doubles]
    facts["claims"] = {slug: list(view.values()) for slug, view in facts["claims"].items()}
    return {k: rounded(v) for k, v in sorted(facts.items()) if v not in (None, [], {}, 0)}


def plain_trace() -> list[str]:
    """A run in balls, all fields, rounded to doubles: the same on every machine."""
    points = [[1, 0], [0, 1], [1, 1], [2, -1], [0, 0], [3, 5]]
    data = dataset(points, unlabelled=3, labels=[1, 2, "1/2", -1, 0, 4])
    numbers = [Fraction(k * k % 97, 97) for k in range(1, 90)]
    done = run(data, "1/5", arithmetic=BallArithmetic(256), chooser=uniforms(numbers))
    fit = active_regression(data, Done(done))
    lines = list(trace_lines(done, regression=fit, probabilities=True))

    def doubles(value: Any) -> Any:
        if isinstance(value, str):
            return float(trace_scalar(value))
        return [doubles(entry) for entry in value] if isinstance(value, list) else value

    header = json.loads(lines[0]) | {"precision": 53, "gamma": 0.2}
    header["labels"] = doubles(header["labels"])
    header["points"] = doubles(header["points"])
    header["uniforms"] = [str(x) for x in numbers[: done.length]]
    records = [{k: doubles(v) for k, v in json.loads(line).items()} for line in lines[1:]]
    return [json.dumps(record) for record in (header, *records)]


def changed(lines: list[str], place: int, **fields: Any) -> list[str]:
    record = json.loads(lines[place])
    record |= fields
    return [*lines[:place], json.dumps(record), *lines[place + 1 :]]


def without(lines: list[str], *fields: str) -> list[str]:
    records = [json.loads(line) for line in lines[1:]]
    kept = [{k: v for k, v in record.items() if k not in fields} for record in records]
    return [lines[0], *(json.dumps(record) for record in kept)]


def traces() -> dict[str, list[str]]:
    """Vectors, and runs in doubles with one thing changed."""
    chosen = {
        vector.name: vector.lines
        for group in load()
        for place, vector in enumerate(group.vectors)
        if group.group != "mistakes" or place % 6 == 0
    }
    plain = plain_trace()
    step = json.loads(plain[3])
    result = json.loads(plain[-1])
    zero = next(i for i, p in enumerate(step["probabilities"]) if p == min(step["probabilities"]))
    chosen |= {
        "doubles": plain,
        "doubles, no state": without(plain, "u", "l", "weight"),
        "doubles, no phi": without(plain, "phi"),
        "doubles, indices alone": without(
            plain,
            "u",
            "l",
            "phi",
            "p",
            "probabilities",
            "weight",
            "mid",
            "weights",
            "alphas",
            "beta",
        ),
        "weight slips": changed(plain, 3, weight=step["weight"] * (1 + 1e-6)),
        "u slips": changed(plain, 3, u=step["u"] * (1 + 1e-6)),
        "l slips": changed(plain, 3, l=step["l"] * (1 - 1e-6)),
        "phi slips": changed(plain, 3, phi=step["phi"] * (1 + 1e-6)),
        "p slips": changed(plain, 3, p=step["p"] * (1 - 1e-6)),
        "another pick": changed(plain, 3, index=zero),
        "probabilities slip": changed(
            plain, 3, probabilities=[p * (1 + 1e-6) for p in step["probabilities"]]
        ),
        "probability below zero": changed(
            plain, 3, probabilities=[-0.25, *step["probabilities"][1:]]
        ),
        "mid slips": changed(plain, -1 + len(plain), mid=result["mid"] * 1.0001),
        "alphas slip": changed(
            plain, len(plain) - 1, alphas=[a * 1.0001 for a in result["alphas"]]
        ),
        "weights slip": changed(
            plain, len(plain) - 1, weights=[w * 1.5 for w in result["weights"]]
        ),
        "beta slips": changed(plain, len(plain) - 1, beta=[b + 1e-3 for b in result["beta"]]),
        "m slips": changed(plain, len(plain) - 1, m=result["m"] + 1),
        "barriers cross": changed(plain, 3, u=step["l"], l=step["u"]),
        "ended early": [*plain[: len(plain) // 2], json.dumps({"m": len(plain) // 2 - 1})],
        "half the precision": changed(plain, 0, precision=24),
        "twice the precision": changed(plain, 0, precision=106),
        "hopeless precision": changed(plain, 0, precision=4),
        "exact claim": changed(plain, 1, u="1/3"),
    }
    return chosen


TRACES = traces()


@pytest.fixture(scope="module")
def approved() -> dict[str, Any]:
    path = APPROVED / "judgements.json"
    if os.environ.get("ASURA_APPROVE"):
        found = {name: facts_of(name, lines) for name, lines in TRACES.items()}
        rows = (
            f"{json.dumps(name)}: {json.dumps(facts, sort_keys=True)}"
            for name, facts in found.items()
        )
        path.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
    known: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return known


@pytest.mark.parametrize("name", TRACES)
def test_judgements_fact_by_fact(name: str, approved: dict[str, Any]) -> None:
    assert facts_of(name, TRACES[name]) == approved[name]


def test_nothing_approved_is_forgotten(approved: dict[str, Any]) -> None:
    assert set(approved) == set(TRACES)
