"""Traces are untrusted: always a verdict in one line, exit code 2, bounded time and memory."""

import json
import os
import warnings
from functools import partial
from pathlib import Path

import pytest

from asura_verify.cli.main import execute
from asura_verify.conforming.fuzz import campaign, seeds
from asura_verify.oracle.check import check_file, check_source
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.trace import reading

START = seeds()[1]


def malformed(*lines: bytes) -> str:
    judgement = check_source(lambda: iter(lines))
    assert judgement.ruling is Ruling.MALFORMED
    assert judgement.fault is not None
    assert "\n" not in judgement.fault
    assert len(judgement.fault) < 400
    return judgement.fault


def header(**fields: object) -> bytes:
    return json.dumps(json.loads(START[0]) | fields).encode()


def test_mutated_traces_always_get_a_verdict() -> None:
    count = int(os.environ.get("ASURA_FUZZ", "400"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rulings, slowest = campaign(count, 7)
    assert sum(rulings.values()) == count
    assert rulings["unexplained"] == 0
    assert slowest < 20


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (b"",),
        (b"\n",),
        (b"\x00\x01\x02",),
        (b"\xff\xfe\x00",),
        (b"[]",),
        (b"{}",),
        (b"[" * 100_000,),
        (b'{"a":' * 100_000,),
        (b'{"format": "asura-trace/2"}',),
        (START[0],),
        (START[0], START[-1], START[-1]),
        (START[0], START[0]),
        (START[0], START[2]),
        tuple(START[:-1]),
        (*START[:-1], START[-1][:-5]),
    ],
)
def test_what_is_no_trace(lines: tuple[bytes, ...]) -> None:
    malformed(*lines)


@pytest.mark.parametrize("value", ["1e999999999", "nan", "1/0", "0x", [], {}, None, True, -1, 0, 2])
def test_a_gamma_that_is_none(value: object) -> None:
    malformed(header(gamma=value), *START[1:])


def test_repeated_keys() -> None:
    text = START[1].rstrip()[:-1] + b', "index": 0}'
    assert "repeated" in malformed(START[0], text, *START[2:])
    many = b", ".join(b'"%d": 0' % k for k in range(200_000))
    assert "'7' is repeated" in malformed(b"{" + many + b', "7": 0}', *START[1:])


def test_a_million_digits() -> None:
    assert "at most 100000" in malformed(header(points=[["7" * 100_001]] * 3), *START[1:])
    malformed(header(points=[["0." + "7" * 90_000]] * 3), *START[1:])
    malformed(header(gamma="0." + "0" * 2_000_000 + "1"), *START[1:])
    number = b'{"j": 0, "index": 0, "u": ' + b"1" * 1_000_000 + b"}"
    malformed(START[0], number, *START[2:])


def test_data_too_large_to_judge_are_refused_at_once() -> None:
    rows = [[1.0] * 2000 for _ in range(600)]
    assert "too much" in malformed(header(points=rows, unlabelled=0), *START[1:])


def test_extreme_numbers_get_a_verdict() -> None:
    for points in ([["1e20000"], ["1e-20000"]], [[1e308], [5e-324]], [["1/3"], [0]]):
        lines = (header(points=points, unlabelled=0, labels=None), *START[1:])
        assert check_source(partial(iter, lines)).ruling is not Ruling.CONFORMS
    for gamma in ("1e-20000", 5e-324, "0.49999999999999999999999999999999"):
        lines = (header(gamma=gamma), *START[1:])
        assert check_source(partial(iter, lines)).ruling is not Ruling.CONFORMS


def test_a_long_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 100)
    assert "more than 100 bytes" in malformed(*START)


def test_files_that_are_none(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    device = tmp_path / "device"
    device.symlink_to("/dev/zero")
    good = tmp_path / "good.jsonl"
    good.write_bytes(b"\n".join(START))
    link = tmp_path / "link"
    link.symlink_to(good)
    for name in (fifo, loop, device, tmp_path, tmp_path / "absent", "nul\0byte"):
        assert check_file(str(name)).ruling is Ruling.MALFORMED
    assert check_file(str(link)).ruling is Ruling.CONFORMS


def test_the_command_prints_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    junk = tmp_path / "junk"
    junk.write_bytes(bytes(range(256)) * 10)
    assert execute(["check", str(junk)]) == 2
    assert capsys.readouterr().out.count("\n") == 1
    assert execute(["check", str(junk), "--false-alarm", "2"]) == 2
    assert execute(["check"]) == 2
