"""Traces are written, read back, and refused with line and field."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura.algorithm1_regression import active_regression
from asura.arithmetic import (
    EXACT,
    Arithmetic,
    BallArithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.dataset import Dataset, dataset, ridge
from asura.errors import NotATrace
from asura.randomness import Picks, Seed
from asura.run import run
from asura.sampling import AsuraSampling
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import read_trace, schema_text, trace_lines, trace_scalar
from asura_verify.strategies import datasets
from tests.json_schema import problems

ARITHMETICS = (EXACT, BallArithmetic(), MultiprecisionArithmetic(30), DoubleArithmetic())


def encoded(lines: list[str]) -> list[bytes]:
    return [line.encode() for line in lines]


@given(
    datasets(),
    st.sampled_from(ARITHMETICS),
    st.sampled_from((PAPER, sure("3/4"))),
    st.integers(0, 9),
)
def test_a_written_trace_is_read_back(
    data: Dataset, arithmetic: Arithmetic[Any, Any], rule: StoppingRule, seed: int
) -> None:
    done = run(data, "47/100", chooser=Seed(seed), arithmetic=arithmetic, stopping=rule)
    trace = read_trace(encoded(list(trace_lines(done, probabilities=True))))
    assert (trace.data, trace.gamma, trace.stopping) == (data, Fraction(47, 100), rule)
    assert trace.picks == done.picks
    assert trace.uniforms is not None
    assert run(data, "47/100", chooser=trace.uniforms, stopping=rule).picks == done.picks
    for step, line in zip(done.steps(), trace.iterations, strict=True):
        assert line.u is not None
        assert trace_scalar(line.u) == step.upper.midpoint
        assert line.probabilities is not None
        assert len(line.probabilities) == data.size
    assert trace.result.m == done.length
    assert trace.result.mid is not None
    assert trace_scalar(trace.result.mid) == done.mid.midpoint


def test_beta_and_labels_are_in_the_trace() -> None:
    data = ridge([[1, 2], [3, 1]], "1/2", labels=[1, "1/3"])
    fit = active_regression(data, AsuraSampling(Fraction(9, 20), EXACT), chooser=Seed(1))
    assert fit.run is not None
    trace = read_trace(encoded(list(trace_lines(fit.run, regression=fit))))
    assert trace.data.labels == data.labels
    assert trace.result.beta is not None
    assert tuple(trace_scalar(b) for b in trace.result.beta) == fit.beta


def test_fixed_picks_leave_no_uniforms() -> None:
    done = run(dataset([[1]]), "1/4", chooser=Picks([0] * 9))
    assert read_trace(encoded(list(trace_lines(done)))).uniforms is None


def test_the_published_schema_is_current_and_accepts_our_traces() -> None:
    published = (resources.files("asura") / "trace.schema.json").read_text()
    assert published == schema_text()
    schema = json.loads(published)
    done = run(dataset([[1, 0], [0, 1]]), "1/4")
    for line in trace_lines(done, probabilities=True):
        record = json.loads(line)
        assert problems(record, schema, schema) == []
        assert problems(record | {"colour": 1}, schema, schema) != []


HEADER = '{"format":"asura-trace/1","gamma":0.25,"points":[[1],[2]],"unlabelled":1}'
STEP = '{"j":0,"index":0}'
RESULT = '{"m":1}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "empty"),
        ([""], "line 1 is empty"),
        (["{"], "line 1: "),
        (["[]"], "line 1: "),
        (["\x00"], "line 1: "),
        ([STEP], "line 1: "),
        ([HEADER], "expected a result"),
        ([HEADER, STEP], "line 2: expected a result"),
        ([HEADER, '{"j":1,"index":0}', RESULT], "line 2, field `j`: 1, expected 0"),
        ([HEADER, STEP, RESULT, RESULT], "line 4 follows the result"),
        ([HEADER, HEADER, RESULT], "second header"),
        ([HEADER, '{"j":0}', RESULT], "missing required field `index`"),
        ([HEADER, '{"j":0,"index":-1}', RESULT], "field `index`"),
        ([HEADER, '{"j":0,"index":0,"x":1}', RESULT], "unknown field `x`"),
        ([HEADER, '{"j":0,"index":0,"u":"nan"}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"u":NaN}', RESULT], "line 2: "),
        ([HEADER, '{"j":0,"index":0,"u":1e400}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"u":true}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"probabilities":[1,"x"]}', RESULT], "`probabilities[1]`"),
        ([HEADER.replace("0.25", "0.75"), STEP, RESULT], "GammaOutOfRange"),
        ([HEADER.replace("[2]", "[2,3]"), STEP, RESULT], "RaggedData"),
        ([HEADER.replace("[[1],[2]]", "[[0],[0]]"), STEP, RESULT], "RankZero"),
        ([HEADER.replace('d":1', 'd":3'), STEP, RESULT], "UnlabelledOutOfRange"),
        ([HEADER.replace("trace/1", "trace/2"), STEP, RESULT], "line 1, field `format`"),
        ([HEADER[:-1] + ',"uniforms":[1]}', STEP, RESULT], "UniformOutOfRange"),
        ([HEADER[:-1] + ',"precision":0}', STEP, RESULT], "field `precision`"),
        ([HEADER[:-1] + ',"stopping":"sure","level":0}', STEP, RESULT], "LevelOutOfRange"),
        ([HEADER[:-1] + ',"gamma":0.5}', STEP, RESULT], "line 1: the key 'gamma' is repeated"),
        ([HEADER, '{"j":0,"index":0,"\\u006a":0}', RESULT], "line 2: the key 'j' is repeated"),
        ([HEADER, STEP, '{"m":1,"m":1}'], "line 3: the key 'm' is repeated"),
        ([HEADER, '{"j":0,"index":0,"u":{"a":1,"a":1}}', RESULT], "'a' is repeated"),
        (["1" + "0" * 400 + HEADER], "line 1: "),
        (['{"a":' * 5000], "line 1: "),
    ],
)
def test_what_does_not_fit_is_refused_with_line_and_field(lines: list[str], message: str) -> None:
    with pytest.raises(NotATrace) as caught:
        read_trace(encoded(lines))
    assert message in str(caught.value)
    assert "\n" not in caught.value.line


def test_binary_junk_is_refused() -> None:
    with pytest.raises(NotATrace, match="line 1"):
        read_trace([b"\xff\xfe\x00\x01"])
