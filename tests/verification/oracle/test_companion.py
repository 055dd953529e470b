"""A second process changes the time that a check takes, and nothing else."""

import io
import json
import os
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
from asura.randomness import Seed
from asura.run import run
from asura.stopping import sure
from asura.trace import trace_lines
from asura_verify.oracle import check, companion
from asura_verify.oracle.check import check_file, check_source, worth_company
from asura_verify.oracle.companion import Companion, CompanionLost, cores, follow, main
from asura_verify.oracle.following import Findings, Follower
from asura_verify.oracle.judge import Judge
from asura_verify.oracle.reading import lines_of_file, opened
from asura_verify.oracle.report import Judgement, Ruling

Edit = Callable[[list[dict[str, Any]]], object]


def written(path: Path, edit: Edit = lambda _: None, **options: Any) -> str:
    """A trace with everything in it, edited."""
    data = dataset([[1, 0], [1, 1], [0, 3], [0, 0]], unlabelled=2, labels=[1, 2, 3, 4])
    made = run(data, "1/5", chooser=Seed(1), arithmetic=BallArithmetic(53), **options)
    records = [json.loads(line) for line in trace_lines(made)]
    edit(records)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def alone(name: str) -> Judgement:
    return check_source(lambda: lines_of_file(name), name)


def accompanied(name: str) -> Judgement:
    return check_source(lambda: lines_of_file(name), name, accompanied=True)


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> list[Companion]:
    """Every second process, in order."""
    started: list[Companion] = []

    class Watched(Companion):
        def __init__(self, name: str, bits: int, *, exact: bool) -> None:
            super().__init__(name, bits, exact=exact)
            started.append(self)

    monkeypatch.setattr(check, "Companion", Watched)
    return started


def off(field: str, factor: float) -> Edit:
    return lambda records: records[3].update({field: float(records[3][field]) * factor})


CASES: dict[str, tuple[Edit, dict[str, Any], Ruling, int]] = {
    "right": (lambda _: None, {}, Ruling.CONFORMS, 1),
    "sure": (lambda _: None, {"stopping": sure(2)}, Ruling.CONFORMS, 1),
    "wrong": (off("phi", 1.001), {}, Ruling.VIOLATES, 1),
    "impossible": (lambda records: records[3].update(index=3), {}, Ruling.VIOLATES, 1),
    "said to be exact": (lambda records: records[3].update(u="1/3"), {}, Ruling.VIOLATES, 2),
    "cut": (lambda records: records.pop(), {}, Ruling.MALFORMED, 1),
}


@pytest.mark.parametrize("case", CASES)
def test_the_judgement_is_the_same(case: str, tmp_path: Path, children: list[Companion]) -> None:
    edit, options, ruling, attempts = CASES[case]
    name = written(tmp_path / "trace.jsonl", edit, **options)
    judgement = accompanied(name)
    assert judgement == alone(name)
    assert judgement.ruling is ruling
    assert len(children) == attempts
    assert all(child._process.returncode is not None for child in children)  # none is left
    assert (children[-1]._process.returncode == 0) is (ruling is not Ruling.MALFORMED)


LOST = {
    "dies at once": "exit 3",
    "dies on the way": "head -n 2 > /dev/null; exit 0",
    "says nothing": "cat > /dev/null",
    "lies": 'cat > /dev/null; echo "[]"',
    "chatters": 'cat > /dev/null; echo "$0"; echo "{}"',
}


@pytest.mark.parametrize("kind", [*LOST, "does not start"])
def test_a_lost_companion_is_not_missed(
    kind: str, tmp_path: Path, children: list[Companion], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written(tmp_path / "trace.jsonl")
    program = tmp_path / "program"
    if kind in LOST:
        program.write_text(f"#!/bin/sh\n{LOST[kind]}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(program))
    assert accompanied(name) == alone(name)
    assert [child._process.poll() is not None for child in children] == [True] * (kind in LOST)


def test_a_pipe_that_is_gone_is_a_lost_companion(tmp_path: Path) -> None:
    """More than a pipe holds, to a process that has ended."""
    with Companion(str(tmp_path / "nowhere"), 128, exact=False) as gone:
        gone._process.wait()
        many: Any = [1.0] * 10**6
        with pytest.raises(CompanionLost):
            gone.line(0, msgspec.UNSET, many)  # type: ignore[arg-type]
        with pytest.raises(CompanionLost):
            gone.findings()
    with Companion(str(tmp_path / "nowhere"), 128, exact=False) as gone:
        gone._process.communicate()
        gone._process.stdin = None
        with pytest.raises(CompanionLost):
            gone.line(0, msgspec.UNSET, None)  # type: ignore[arg-type]


def test_no_module_of_the_directory_is_loaded(
    tmp_path: Path, children: list[Companion], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    name = written(Path("trace.jsonl"))
    assert accompanied(name).ruling is Ruling.CONFORMS
    assert children[0]._process.returncode == 0


# -- the process itself ----------------------------------------------------------------------------


def hints(name: str, bits: int, *, exact: bool = False) -> tuple[list[bytes], Findings]:
    """What a judge says, and what a follower makes of it."""
    header, lines = opened(lines_of_file(name))
    said = []
    with ctx.workprec(bits):
        judge = Judge(header, exact=exact)
        follower = Follower(judge)
        for number, line in lines:
            hint = getattr(judge, "result" if hasattr(line, "m") else "iteration")(number, line)
            follower.line(number, line, hint)
            said.append(msgspec.json.encode(hint) + b"\n")
        return said, follower.findings()


@pytest.mark.parametrize("exact", [True, False])
def test_following(exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit: Edit = (lambda records: records[3].update(u="1/3")) if exact else off("weight", 1.5)
    name = written(tmp_path / "trace.jsonl", edit)
    bits = 1024 if exact else 128
    said, findings = hints(name, bits, exact=exact)
    assert findings.local is not None
    assert findings.local.first is not None
    assert follow(name, bits, io.BytesIO(b"".join(said)), exact=exact) == findings
    assert follow(name, bits, io.BytesIO(b"".join(said[:-1])), exact=exact) is None

    class Pipe:
        def __init__(self, content: bytes = b"") -> None:
            self.buffer = io.BytesIO(content)

    out = Pipe()
    monkeypatch.setattr(sys, "stdin", Pipe(b"".join(said)))
    monkeypatch.setattr(sys, "stdout", out)
    main([str(bits), str(int(exact)), name])
    monkeypatch.undo()
    assert msgspec.json.decode(out.buffer.getvalue(), type=Findings) == findings


def test_the_precision_is_that_of_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    class Asked(Judge):
        def __init__(self, *facts: Any, exact: bool) -> None:
            seen.append((ctx.prec, exact))
            super().__init__(*facts, exact=exact)

    monkeypatch.setattr(companion, "Judge", Asked)
    name = written(tmp_path / "trace.jsonl")
    for bits, exact in ((300, True), (200, False)):
        said, _ = hints(name, bits, exact=exact)
        follow(name, bits, io.BytesIO(b"".join(said)), exact=exact)
    assert seen == [(300, True), (200, False)]


# -- when it pays ----------------------------------------------------------------------------------


def test_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 6}, raising=False)
    assert cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


def test_only_long_files_on_several_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "some"
    for count, size, pays in ((2, 1 << 20, True), (2, (1 << 20) - 1, False), (1, 1 << 22, False)):
        with path.open("wb") as file:
            file.truncate(size)
        monkeypatch.setattr(check, "cores", lambda count=count: count)
        assert worth_company(str(path)) is pays
    monkeypatch.setattr(check, "cores", lambda: 2)
    assert not worth_company(str(tmp_path / "nowhere"))
    assert not worth_company("no\0where")


def test_a_long_file_has_company(
    tmp_path: Path, children: list[Companion], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written(tmp_path / "trace.jsonl")
    monkeypatch.setattr(check, "cores", lambda: 2)
    assert check_file(name).ruling is Ruling.CONFORMS
    assert children == []
    monkeypatch.setattr(check, "LONG_FILE", 1)
    assert check_file(name) == alone(name)
    assert len(children) == 1
