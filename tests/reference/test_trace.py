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
from asura.errors import NotAScalar, NotATrace
from asura.randomness import Picks, Seed
from asura.run import run
from asura.sampling import AsuraSampling
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import (
    HeaderLine,
    hexadecimal,
    json_scalar,
    parse_trace,
    read_trace,
    schema_text,
    trace_lines,
    trace_scalar,
)
from asura_verify.instances.strategies import datasets
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
        ([STEP], "line 1: Object contains unknown field `j`"),
        ([RESULT], "line 1: Object contains unknown field `m`"),
        ([STEP, HEADER, RESULT], "line 1: Object contains unknown field `j`"),
        (["{}"], "line 1: Object missing required field `format`"),
        ([HEADER], "expected a result"),
        ([HEADER, STEP], "line 2: expected a result"),
        ([HEADER, '{"j":1,"index":0}', RESULT], "line 2, field `j`: 1, expected 0"),
        ([HEADER, STEP, RESULT, RESULT], "line 4 follows the result"),
        ([HEADER, HEADER, RESULT], "line 2 is a second header"),
        ([HEADER, STEP, HEADER, RESULT], "line 3 is a second header"),
        ([HEADER, STEP, STEP, RESULT], "line 3, field `j`: 0, expected 1"),
        ([HEADER, STEP, '{"j":2,"index":0}', RESULT], "line 3, field `j`: 2, expected 1"),
        ([HEADER, '{"j":0}', RESULT], "missing required field `index`"),
        ([HEADER, '{"j":0,"index":-1}', RESULT], "field `index`"),
        ([HEADER, '{"j":0,"index":0,"x":1}', RESULT], "unknown field `x`"),
        ([HEADER, '{"j":0,"index":0,"u":"nan"}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"u":NaN}', RESULT], "line 2: NaN is no number of JSON"),
        ([HEADER, '{"j":0,"index":0,"u":-Infinity}', RESULT], "line 2: -Infinity is no number"),
        (["\ufeff" + HEADER, "\ufeff" + STEP, RESULT], "line 2: not JSON, character 1"),
        ([HEADER, '{"j":0,"index":0,"u":1e400}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"probabilities":[1,-1e309]}', RESULT], "`probabilities[1]`"),
        ([HEADER, '{"j":0,"index":0,"u":true}', RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"u":1' + "0" * 309 + "}", RESULT], "line 2, field `u`"),
        ([HEADER, '{"j":0,"index":0,"u":""}', RESULT], "line 2, field `u`"),
        ([HEADER, STEP, '{"m":1,"weights":["1/0"]}'], "line 3, field `weights[0]`"),
        ([HEADER.replace("[2]", '["x"]'), STEP, RESULT], "line 1, field `points[1][0]`"),
        ([HEADER[:-1] + ',"labels":[null,"x"]}', STEP, RESULT], "line 1, field `labels[1]`"),
        ([HEADER, '{"j":0,"index":0,"probabilities":[1,"x"]}', RESULT], "`probabilities[1]`"),
        ([HEADER.replace("0.25", "0.75"), STEP, RESULT], "GammaOutOfRange"),
        ([HEADER.replace("[2]", "[2,3]"), STEP, RESULT], "RaggedData"),
        ([HEADER.replace("[[1],[2]]", "[[0],[0]]"), STEP, RESULT], "RankZero"),
        ([HEADER.replace('d":1', 'd":3'), STEP, RESULT], "UnlabelledOutOfRange"),
        (
            [HEADER.replace("trace/1", "trace/2"), STEP, RESULT],
            "'asura-trace/2', expected 'asura-trace/1'",
        ),
        (
            [HEADER[:-1] + ',"stopping":"never"}', STEP, RESULT],
            "'never', expected 'paper' or 'sure'",
        ),
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


def test_what_a_header_leaves_out() -> None:
    trace = read_trace(encoded([HEADER, STEP, RESULT]))
    assert (trace.header.precision, trace.header.implementation) == (53, None)
    assert (trace.stopping, trace.uniforms) == (PAPER, None)
    assert trace.data == dataset([[1], [2]], unlabelled=1)
    assert trace.picks == (0,)
    assert read_trace(encoded([HEADER[:-1] + ',"stopping":"sure"}', RESULT])).stopping == sure(1)


def test_what_a_header_says() -> None:
    more = (
        ',"squared_scales":[1,"1/3"],"labels":[null,0.5],"uniforms":[0,"1/3"],"precision":1,'
        '"implementation":"mine","stopping":"sure","level":"3/4"}'
    )
    trace = read_trace(encoded([HEADER[:-1] + more, STEP, RESULT]))
    assert trace.data == dataset(
        [[1], [2]], unlabelled=1, squared_scales=[1, "1/3"], labels=[None, "1/2"]
    )
    assert (trace.header.precision, trace.header.implementation) == (1, "mine")
    assert trace.stopping == sure("3/4")
    assert trace.uniforms is not None
    assert trace.uniforms.values == (Fraction(0), Fraction(1, 3))


def test_lines_come_with_their_numbers() -> None:
    steps = [f'{{"j":{j},"index":1}}' for j in range(3)]
    found = list(parse_trace(encoded([HEADER, *steps, RESULT])))
    assert [number for number, _ in found] == [1, 2, 3, 4, 5]
    assert isinstance(found[0][1], HeaderLine)


class Claimed(bytes):
    """Bytes that claim another length."""

    length = 0

    def __len__(self) -> int:
        return self.length


def claimed(text: str, length: int) -> bytes:
    line = Claimed(text.encode())
    line.length = length
    return line


def test_a_line_may_have_so_many_bytes_and_no_more() -> None:
    lines = encoded([HEADER, RESULT])
    longest = len(HEADER)
    assert len(list(parse_trace(lines, longest=longest))) == 2
    with pytest.raises(NotATrace, match=f"line 1 has more than {longest - 1} bytes"):
        list(parse_trace(lines, longest=longest - 1))
    assert len(list(parse_trace([claimed(HEADER, 2**28), lines[1]]))) == 2
    with pytest.raises(NotATrace, match="line 1 has more than 268435456 bytes"):
        list(parse_trace([claimed(HEADER, 2**28 + 1), lines[1]]))


def test_a_trace_says_what_its_run_was() -> None:
    data = dataset([[1], [2]], unlabelled=1, squared_scales=[1, 4], labels=[None, 4])
    exact = run(data, "1/4", arithmetic=EXACT, chooser=Seed(3))
    lines = list(trace_lines(exact))
    trace = read_trace(encoded(lines))
    assert trace.data == data
    assert (trace.header.precision, trace.header.implementation) == (53, "asura-reference")
    assert trace.header.gamma == 0.25
    assert all(line.probabilities is None for line in trace.iterations)
    assert trace.result.beta is None
    assert '"precision"' not in lines[0]
    # d = 1: the first step has u_0 = 8, l_0 = -8, Phi_0 = 1/4 whatever was picked.
    assert (trace.iterations[0].u, trace.iterations[0].l) == ("8", "-8")
    assert trace.iterations[0].phi == "1/4"
    ball = read_trace(encoded(list(trace_lines(run(data, "1/4"), probabilities=True))))
    assert ball.header.precision == 128
    assert (ball.iterations[0].u, ball.iterations[0].l) == (8, -8)
    assert ball.iterations[0].probabilities is not None
    first, second = (trace_scalar(p) for p in ball.iterations[0].probabilities)
    assert abs(first - Fraction(1, 17)) < Fraction(1, 2**120)
    assert abs(second - Fraction(16, 17)) < Fraction(1, 2**120)
    plain = list(trace_lines(run(dataset([[1]]), "1/4")))
    assert "squared_scales" not in plain[0]
    assert "labels" not in plain[0]


def test_integers_of_a_trace_are_binary64() -> None:
    assert trace_scalar(10**308) == Fraction(float(10**308))
    with pytest.raises(NotAScalar, match="too large for binary64"):
        trace_scalar(10**309)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(2**53), 2**53),
        (Fraction(-(2**53)), -(2**53)),
        (Fraction(2**53 + 1), "9007199254740993"),
        (Fraction(-(2**53) - 1), "-9007199254740993"),
        (Fraction(2**60), float(2**60)),
        (Fraction(1, 2), 0.5),
        (Fraction(3, 10), "3/10"),
        (Fraction(10) ** 400, "1" + "0" * 400),
    ],
)
def test_numbers_in_json(value: Fraction, written: int | float | str) -> None:
    found = json_scalar(value)
    assert (found, type(found)) == (written, type(written))


def test_hexadecimal_floats() -> None:
    values = [Fraction(0), Fraction(1, 2), Fraction(-1, 2), Fraction(255), Fraction(-5, 8)]
    assert [hexadecimal(value) for value in values] == [
        "0x0p+0",
        "0x1p-1",
        "-0x1p-1",
        "0xffp+0",
        "-0x5p-3",
    ]


def test_nesting_is_refused_before_it_fills_the_stack() -> None:
    with pytest.raises(NotATrace, match="line 1: nested too deeply"):
        read_trace([b'{"a":' * 100_000])


def test_a_byte_order_mark_is_no_part_of_the_trace() -> None:
    lines = [line.encode() for line in (HEADER, STEP, RESULT)]
    marked = [b"\xef\xbb\xbf" + lines[0], *lines[1:]]
    assert list(parse_trace(marked)) == list(parse_trace(lines))
