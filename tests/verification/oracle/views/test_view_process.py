"""A second process changes the time that a check takes, and nothing else."""

import io
import json
import os
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flint import ctx

from asura.arithmetic import BallArithmetic
from asura.dataset import dataset
from asura.errors import NotATrace
from asura.randomness import Seed
from asura.run import run
from asura.stopping import sure
from asura.trace import IterationLine, trace_lines
from asura_verify.oracle import check
from asura_verify.oracle.check import check_file, check_source, worth_company
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.trace.reading import lines_of_file, opened
from asura_verify.oracle.views import view_process
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.reported_state import JudgedLine
from asura_verify.oracle.views.reported_views import Findings, ReportedViews
from asura_verify.oracle.views.view_process import (
    Latest,
    ViewProcess,
    ViewProcessLost,
    cores,
    follow,
    main,
)

ANY_LINE = IterationLine(j=0, index=0)
ANY_HINT = JudgedLine(1.0, 0.5, 8.0, False, True, 0.25)

Edit = Callable[[list[dict[str, Any]]], object]


def written(path: Path, edit: Edit = lambda _: None, **options: Any) -> str:
    """A trace of doubles with probabilities and a zero row, edited."""
    data = dataset([[1, 0], [1, 1], [0, 3], [0, 0]], unlabelled=2)
    made = run(data, "1/5", chooser=Seed(1), arithmetic=BallArithmetic(53), **options)
    lines = trace_lines(made, probabilities=True)
    records = [json.loads(line) for line in lines]
    edit(records)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def alone(name: str) -> Judgement:
    return check_source(lambda: lines_of_file(name), name)


def accompanied(name: str) -> Judgement:
    return check_source(lambda: lines_of_file(name), name, accompanied=True)


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[ViewProcess]:
    """Every second process, in order."""
    started: list[ViewProcess] = []

    class Watched(ViewProcess):
        def __init__(self, read: Latest, bits: int, *, exact: bool) -> None:
            super().__init__(read, bits, exact=exact)
            started.append(self)

    monkeypatch.setattr(check, "ViewProcess", Watched)
    return started


def off(field: str, factor: float) -> Edit:
    return lambda records: records[3].update({field: float(records[3][field]) * factor})


CASES: dict[str, tuple[Edit, dict[str, Any], Ruling, int]] = {
    "right": (lambda _: None, {}, Ruling.CONFORMS, 1),
    "sure": (lambda _: None, {"stopping": sure(2)}, Ruling.CONFORMS, 1),
    "wrong": (off("phi", 1.001), {}, Ruling.VIOLATES, 1),
    "endless": (lambda records: records[3].update(phi="1e400"), {}, Ruling.VIOLATES, 1),
    "impossible": (lambda records: records[3].update(index=3), {}, Ruling.VIOLATES, 1),
    "said to be exact": (lambda records: records[3].update(u="1/3"), {}, Ruling.VIOLATES, 2),
    "cut": (lambda records: records.pop(), {}, Ruling.MALFORMED, 1),
}


@pytest.mark.parametrize("case", CASES)
def test_the_judgement_is_the_same(case: str, tmp_path: Path, children: list[ViewProcess]) -> None:
    edit, options, ruling, attempts = CASES[case]
    name = written(tmp_path / "trace.jsonl", edit, **options)
    judgement = accompanied(name)
    assert judgement == alone(name)
    assert judgement.ruling is ruling
    assert len(children) == attempts
    assert all(child._process.returncode is not None for child in children)  # none is left
    assert (children[-1]._process.returncode == 0) is (ruling is not Ruling.MALFORMED)


#: Shell scripts in the place of the second process.
LOST = {
    "dies at once": "exit 3",
    "dies on the way": "head -n 2 > /dev/null; exit 0",
    "says nothing": "cat > /dev/null",
    "lies": 'cat > /dev/null; echo "[]"',
    "chatters": 'cat > /dev/null; echo "$0"; echo "{}"',
}


def program_of(script: str, path: Path) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("kind", [*LOST, "does not start", "is not known"])
def test_a_lost_process_is_not_missed(
    kind: str, tmp_path: Path, children: list[ViewProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written(tmp_path / "trace.jsonl")
    program: str | None = str(tmp_path / "program") if kind == "does not start" else None
    if kind in LOST:
        program = program_of(LOST[kind], tmp_path / "program")
    monkeypatch.setattr(sys, "executable", program)
    assert accompanied(name) == alone(name)
    assert [child._process.poll() is not None for child in children] == [True] * (kind in LOST)


def test_a_pipe_that_is_gone_is_a_lost_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than a pipe holds, to a process that has ended."""
    monkeypatch.setattr(sys, "executable", program_of("exit 0", tmp_path / "program"))
    read = Latest([])
    with ViewProcess(read, 128, exact=False) as gone:
        gone._process.wait()
        long = b"x" * 10**6
        with pytest.raises(ViewProcessLost):
            gone.line(2, ANY_LINE, ANY_HINT, long)
        with pytest.raises(ViewProcessLost):
            gone.findings()
        gone._process.stdin = None
        with pytest.raises(ViewProcessLost):
            gone.line(2, ANY_LINE, ANY_HINT, long)


def test_a_process_that_will_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program_of("exec sleep 1000", tmp_path / "program"))
    with ViewProcess(Latest([]), 128, exact=False) as stubborn:
        assert stubborn._process.poll() is None
    assert stubborn._process.returncode == -signal.SIGKILL


def test_every_line_is_told_as_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newline is added where one is missing, and the header comes without a judged."""
    program = program_of(f"exec cat > {tmp_path / 'told'}", tmp_path / "program")
    monkeypatch.setattr(sys, "executable", program)
    read = Latest([b"header\n", b"a line\n", b"the last"])
    assert read.text == b""
    assert next(read) == b"header\n"
    with ViewProcess(read, 128, exact=False) as view_process:
        for text in read:
            view_process.line(2, ANY_LINE, ANY_HINT, text)
            assert read.text == text
        with pytest.raises(ViewProcessLost):
            view_process.findings()
    judged = b"[1.0,0.5,8.0,false,true,0.25,0.0,null]\n"
    told = (tmp_path / "told").read_bytes()
    assert told == b"header\n" + judged + b"a line\n" + judged + b"the last\n"


def test_no_module_of_the_directory_is_loaded(
    tmp_path: Path, children: list[ViewProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    name = written(Path("trace.jsonl"))
    assert accompanied(name).ruling is Ruling.CONFORMS
    assert children[0]._process.returncode == 0


# -- the process itself ----------------------------------------------------------------------------


def conversation(name: str, bits: int, *, exact: bool) -> tuple[bytes, Findings]:
    """What a view_process is told of a file, and what a views makes of it."""
    read = Latest(lines_of_file(name))
    header, lines = opened(read)
    told = [read.text]
    with ctx.workprec(bits):
        judge = Judge(header, exact=exact)
        views = ReportedViews(judge)
        for number, line in lines:
            judged = getattr(judge, "result" if hasattr(line, "m") else "iteration")(number, line)
            views.line(number, line, judged)
            told += [msgspec.json.encode(judged), b"\n", read.text]
        return b"".join(told), views.findings()


class Pipe:
    def __init__(self, content: bytes = b"") -> None:
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("exact", [True, False])
def test_following(exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit: Edit = (lambda records: records[3].update(u="1/3")) if exact else off("weight", 1.5)
    name = written(tmp_path / "trace.jsonl", edit)
    bits = 1024 if exact else 128
    told, findings = conversation(name, bits, exact=exact)
    assert findings.local is not None
    assert findings.local.first is not None
    assert follow(io.BytesIO(told), bits, exact=exact) == findings
    cut = told[: told.rindex(b"\n[") + 1]  # before the last judged
    with pytest.raises(NotATrace, match="the file is cut"):
        follow(io.BytesIO(cut), bits, exact=exact)
    out = Pipe()
    monkeypatch.setattr(sys, "argv", ["-c", str(bits), str(int(exact))])
    monkeypatch.setattr(sys, "stdin", Pipe(told))
    monkeypatch.setattr(sys, "stdout", out)
    main()
    monkeypatch.undo()
    assert msgspec.msgpack.decode(out.buffer.getvalue(), type=Findings) == findings


def test_the_precision_is_that_of_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    class Asked(Judge):
        def __init__(self, *facts: Any, exact: bool) -> None:
            seen.append((ctx.prec, exact))
            super().__init__(*facts, exact=exact)

    monkeypatch.setattr(view_process, "Judge", Asked)
    name = written(tmp_path / "trace.jsonl")
    for bits, exact in ((300, True), (200, False)):
        told, _ = conversation(name, bits, exact=exact)
        follow(io.BytesIO(told), bits, exact=exact)
    assert seen == [(300, True), (200, False)]


# -- when it pays ----------------------------------------------------------------------------------


def test_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = {0: {3, 5, 6}}
    monkeypatch.setattr(os, "sched_getaffinity", sets.__getitem__, raising=False)
    assert cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


def test_only_long_files_on_several_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "some"
    for count, size, pays in ((2, 1 << 25, True), (2, (1 << 25) - 1, False), (1, 1 << 26, False)):
        with path.open("wb") as file:
            file.truncate(size)
        monkeypatch.setattr(check, "cores", lambda count=count: count)
        assert worth_company(str(path)) is pays
    monkeypatch.setattr(check, "cores", lambda: 2)
    assert not worth_company(str(tmp_path / "nowhere"))
    assert not worth_company("no\0where")


def test_a_long_file_has_company(
    tmp_path: Path, children: list[ViewProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written(tmp_path / "trace.jsonl")
    monkeypatch.setattr(check, "cores", lambda: 2)
    assert check_file(name).ruling is Ruling.CONFORMS
    assert children == []
    monkeypatch.setattr(check, "LONG_FILE", 1)
    assert check_file(name) == alone(name)
    assert len(children) == 1


def test_how_the_second_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte may wait for it, and it imports what is imported here."""
    seen: dict[str, Any] = {}

    def popen(command: list[str], **options: Any) -> None:
        seen.update(options, command=command)
        raise OSError

    monkeypatch.setattr("subprocess.Popen", popen)
    monkeypatch.setattr("sys.path", ["", "/first", "/second"])
    monkeypatch.setenv("ASURA_SEEN", "here")
    with pytest.raises(ViewProcessLost):
        ViewProcess(Latest([]), 128, exact=False)
    assert seen["pipesize"] == 2**20
    assert seen["env"]["PYTHONPATH"] == os.pathsep.join(["/first", "/second"])
    assert seen["env"]["ASURA_SEEN"] == "here"
    assert seen["command"][1:3] == ["-P", "-c"]
