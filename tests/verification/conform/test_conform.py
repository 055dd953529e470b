"""Implementations as subprocesses: correct, wrong, crashing, hanging, chattering and lying ones."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import asura_verify.examples
from asura.arithmetic import BallArithmetic
from asura.dataset import dataset
from asura.randomness import Picks
from asura.run import run as reference_run
from asura.stopping import sure
from asura.trace import read_trace
from asura_verify.command_line import execute
from asura_verify.conform.cases import boundary, random_cases
from asura_verify.conform.process import Chattered, Crashed, HarnessFailed, TimedOut
from asura_verify.conform.recorded import compared, vector_cases
from asura_verify.conform.session import Group, attempt, selected, shrunk
from asura_verify.conform.targets import CallableTarget, CommandTarget, importable
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.report import Judgement, Ruling

FOLDER = Path(asura_verify.examples.__file__).parent
PYTHON = [sys.executable, str(FOLDER / "harness.py")]
CASE = boundary()[0]

START = """
import json, os, subprocess, sys, time
request = json.loads(sys.stdin.readline())
def say(**fields):
    print(json.dumps(fields), flush=True)
say(seq=request["seq"], protocol="asura-conform/1", implementation="test")
request = json.loads(sys.stdin.readline())
"""


def script(tmp_path: Path, text: str, *, start: str = START) -> list[str]:
    path = tmp_path / "implementation.py"
    path.write_text(start + text)
    return [sys.executable, str(path)]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    target = tmp_path_factory.mktemp("c") / "asura"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(target)]
    subprocess.run([compiler, *flags, str(FOLDER / "asura.c"), "-lm"], check=True)
    return target


def test_the_python_example_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--random", "4", "--", *PYTHON]) == 0
    assert "24 of 24 cases conform" in capsys.readouterr().out
    assert execute(["smoke", "--", *PYTHON]) == 0


def test_the_c_example_conforms(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--random", "10", "--", str(compiled)]) == 0
    assert "30 of 30 cases conform" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ("gamma / (1 - 2 * gamma)", "gamma / (1 + 2 * gamma)", "upper-rate-sign"),
        ("double mid = (u + l) / 2", "double mid = (u - l) / 2", "mid-gap"),
        ("phi / p[index];", "phi * p[index];", "weight-times-probability"),
        ("u = 2 * d / gamma", "u = 1 * d / gamma", None),
        ("sum += phi;", "sum -= phi;", None),
    ],
)
def test_one_character_in_c_is_caught(
    compiled: Path, tmp_path: Path, old: str, new: str, mistake: str | None
) -> None:
    text = (FOLDER / "asura.c").read_text()
    assert text.count(old) == 1
    (tmp_path / "wrong.c").write_text(text.replace(old, new))
    target = compiled.parent / "wrong"
    compiler = shutil.which("cc") or "cc"
    subprocess.run([compiler, "-O2", "-o", target, tmp_path / "wrong.c", "-lm"], check=True)
    implementation = CommandTarget([str(target)], timeout=10)
    try:
        outcome = attempt(implementation, boundary()[1])
    finally:
        implementation.close()
    assert not outcome.passed
    if mistake is not None:
        assert outcome.judgement.diagnosis[0].mistake == mistake


def test_a_vector_is_reproduced_or_told_apart() -> None:
    """The comparison with the recorded picks sees what a blind oracle would let pass."""
    from asura_verify.museum import textbook

    def run(header: dict[str, Any]) -> list[str]:
        return textbook.run(header, header["uniforms"])

    target = CallableTarget(run, "textbook")
    case = next(c for c in vector_cases() if c.name == "vector:two-dimensions")
    good = attempt(target, case)
    assert good.passed
    assert case.picks is not None
    assert good.judgement.flags == ("basic",)
    assert "invariant" in good.judgement.slugs
    other = [*case.picks]
    other[5] = (other[5] + 1) % 4
    for picks, field, place in (
        (tuple(other), "index", 5),
        (case.picks[:-1], "stopping", len(case.picks) - 1),
        ((*case.picks, 0), "stopping", len(case.picks)),
    ):
        judgement = attempt(target, replace(case, picks=picks)).judgement
        assert judgement.ruling is Ruling.VIOLATES
        assert judgement.first is not None
        assert (judgement.first.field, judgement.first.j) == (field, place)
        # Where rounding may decide either way, a difference is no violation.
        open_ = replace(good.judgement, open_at=(place,))
        allowed = compared(open_, good.lines, picks)
        assert allowed.ruling is Ruling.CONFORMS
        assert "rightly undecided" in allowed.remarks[-1]
        elsewhere = replace(good.judgement, open_at=(place - 1, place + 1))
        assert compared(elsewhere, good.lines, picks).ruling is Ruling.VIOLATES


def test_an_undecided_pick_is_open_and_may_differ() -> None:
    """Two equal points: r = 1/2 is the boundary, and both picks are let pass."""
    header = CASE.header | {"points": [[1.0], [1.0]], "unlabelled": 2, "labels": None}
    header |= {"gamma": 0.45, "uniforms": [0.5] * 9}

    def run(index: int) -> CallableTarget:
        def picks(header: dict[str, Any]) -> list[dict[str, int]]:
            length = len(header["uniforms"])
            for m in range(length):
                steps = [{"j": j, "index": index} for j in range(m)]
                lines = [*steps, {"m": m}]
                whole = [json.dumps(x) for x in (header, *lines)]
                if check_lines(whole).ruling is Ruling.CONFORMS:
                    return lines
            raise LookupError

        return CallableTarget(picks, "index")

    done = {index: attempt(run(index), replace(CASE, header=header)) for index in (0, 1)}
    assert [outcome.passed for outcome in done.values()] == [True, True]
    assert done[0].judgement.open_at[:1] == (0,)
    recorded = (1,) * done[1].judgement.length
    other = attempt(run(0), replace(CASE, header=header, picks=recorded))
    assert other.passed
    assert "parts with the vector at j = 0: 0, recorded 1" in other.judgement.remarks[0]


def test_an_undecided_end_is_open_and_may_differ() -> None:
    """A level that is the clock at j = 3, up to rounding: the loop may end there or go on."""
    plain = reference_run(dataset([[1]]), "1/4", chooser=Picks([0] * 99), stopping=sure(1))
    step = list(plain.steps())[3]
    level = float((step.upper.midpoint - step.lower.midpoint) / 16 - 1)
    header = {"format": "asura-trace/1", "gamma": 0.25, "points": [[1.0]], "unlabelled": 1}
    header |= {"uniforms": [0.5] * 9, "stopping": "sure", "level": level}

    def judged(m: int) -> tuple[Judgement, list[str]]:
        records = [header, *({"j": j, "index": 0} for j in range(m)), {"m": m}]
        lines = [json.dumps(record) for record in records]
        return check_lines(lines), lines

    for m, other in ((3, 4), (4, 3)):
        judgement, lines = judged(m)
        assert judgement.ruling is Ruling.CONFORMS
        assert judgement.open_at == (3,)
        assert compared(judgement, lines, [0] * other).ruling is Ruling.CONFORMS
    assert judged(2)[0].ruling is judged(5)[0].ruling is Ruling.VIOLATES


def test_vectors_in_doubles_have_the_recorded_picks() -> None:
    """Rounding a header moves no pick: the reference, in balls, makes them all again."""
    cases = list(vector_cases())
    assert len(cases) == 19
    rounded = [case.name for case in cases if "in doubles" in case.meaning]
    assert rounded == ["vector:exact-one-dimension", "vector:exact-two-dimensions", "vector:kernel"]
    for case in cases:
        lines = [json.dumps(case.header), '{"m": 0}']
        trace = read_trace([line.encode() for line in lines])
        assert trace.uniforms is not None
        done = reference_run(
            trace.data, trace.gamma, arithmetic=BallArithmetic(), chooser=trace.uniforms,
            stopping=trace.stopping,
        )  # fmt: skip
        assert done.picks == case.picks
        assert len(trace.uniforms.values) > 2 * done.length


def test_groups_can_be_selected(capsys: pytest.CaptureFixture[str]) -> None:
    def names(*groups: Group) -> list[str]:
        return [case.name for case in selected(groups, seed=0, random=2)]

    vectors, edges = names(Group.VECTORS), names(Group.BOUNDARY)
    assert len(vectors) == 19
    assert all(name.startswith("vector:") for name in vectors)
    assert edges == [case.name for case in boundary()]
    assert names(Group.RANDOM) == ["random-0-0", "random-0-1"]
    assert names(*Group) == [*vectors, "gamma-small", "random-0-0", "random-0-1"]
    options = ["conform", "--only", "random", "--random", "2"]
    assert execute([*options, "--", *PYTHON]) == 0
    assert "2 of 2 cases conform" in capsys.readouterr().out
    assert execute(["conform", "--only", "nothing", "--", *PYTHON]) == 2


def test_a_failing_vector_says_what_it_means(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FOLDER / "harness.py").read_text()
    changed = text.replace("mid = (u + low) / 2", "mid = (u - low) / 2")
    assert changed != text
    command = script(tmp_path, changed, start="")
    names = ("junit.xml", "sarif.json", "summary.md")
    files = [str(tmp_path / name) for name in names]
    options = ["--only", "vectors", "--junit", files[0], "--sarif", files[1], "--summary", files[2]]
    assert execute(["conform", *options, "--", *command]) == 1
    printed = capsys.readouterr().out
    assert "0 of 19 cases conform" in printed
    assert "rests on: alg-potential, invariant" in printed
    assert "first failure: vector:exact-one-dimension" in printed
    meaning = "kernel ridge regression, in doubles; an edge of the domain"
    for name in files:
        assert meaning in Path(name).read_text()
    junit = Path(files[0]).read_text()
    assert '<property name="flag" value="basic" />' in junit
    assert '<property name="claim" value="kernel-is-ssar" />' in junit
    assert execute(["conform", *options[:2], "--format", "json", "--", *command]) == 1
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {fact["file"]: fact["flags"] for fact in facts}["vector:sure"] == ["stopping-sure"]


def ask(command: list[str], timeout: float) -> list[str]:
    target = CommandTarget(command, timeout=timeout)
    try:
        return target.run(CASE.header)
    finally:
        target.close()


def fails(command: list[str], timeout: float = 5.0) -> HarnessFailed:
    begun = time.monotonic()
    with pytest.raises(HarnessFailed) as caught:
        ask(command, timeout)
    assert time.monotonic() - begun < timeout + 6
    return caught.value


def test_a_crash_is_reported_with_its_last_words(tmp_path: Path) -> None:
    error = fails(script(tmp_path, "raise SystemExit('out of luck')"))
    assert isinstance(error, Crashed)
    assert "exit code 1" in str(error)
    assert "out of luck" in str(error)
    assert isinstance(fails(script(tmp_path, "os.kill(os.getpid(), 11)")), Crashed)


def test_a_hanging_process_is_ended(tmp_path: Path) -> None:
    assert isinstance(fails(script(tmp_path, "time.sleep(100)"), 1.5), TimedOut)
    deaf = "import time\ntime.sleep(100)\n"
    assert isinstance(fails(script(tmp_path, deaf, start=""), 0.5), TimedOut)


def test_no_grandchild_is_left_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
open({str(pid)!r}, "w").write(str(child.pid))
time.sleep(100)
"""
    assert isinstance(fails(script(tmp_path, text), 1.5), TimedOut)
    number = int(pid.read_text())
    for _ in range(50):
        try:
            os.kill(number, 0)
            state = Path(f"/proc/{number}/stat").read_text().split()[2]
        except (ProcessLookupError, FileNotFoundError):
            break
        if state == "Z":
            break
        time.sleep(0.1)
    else:
        pytest.fail("the grandchild lives")


@pytest.mark.parametrize(
    "text",
    [
        "print('hello', flush=True)",
        "print('[1, 2]', flush=True)",
        "say(seq=99, iterations=[], result={'m': 0})",
        "print('{' * 100000, flush=True)",
        "sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush()",
        "print('[' * 100000, flush=True)",
    ],
)
def test_chatter_is_reported(tmp_path: Path, text: str) -> None:
    assert isinstance(fails(script(tmp_path, text)), Chattered)


@pytest.mark.parametrize(
    "text",
    [
        "say(seq=request['seq'], error='not today')",
        "say(seq=request['seq'])",
        "say(seq=request['seq'], iterations=3, result={})",
    ],
)
def test_refusals(tmp_path: Path, text: str) -> None:
    assert "Refused" in fails(script(tmp_path, text)).line


def test_lies_are_judged(tmp_path: Path) -> None:
    text = "say(seq=request['seq'], iterations=[{'j': 0, 'index': 2}], result={'m': 1})"
    target = CommandTarget(script(tmp_path, text), timeout=5)
    try:
        outcome = attempt(target, CASE)
    finally:
        target.close()
    assert outcome.judgement.first is not None
    assert outcome.judgement.first.message.startswith("too early")


def test_commands_that_cannot_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["smoke", "--", "/nonexistent/asura"]) == 2
    assert execute(["smoke", "--", "/dev/null"]) == 2
    assert execute(["smoke"]) == 2
    assert execute(["smoke", "--target", "no_such_module:run"]) == 2
    assert execute(["conform", "--timeout", "-1", "--", "true"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def wrong(header: dict[str, object]) -> list[str]:
    """A callable whose weights lack 1/p."""
    from asura_verify.museum.exhibits import EXHIBITS

    exhibit = next(e for e in EXHIBITS if e.mistake == "weight-without-probability")
    uniforms = header["uniforms"]
    assert isinstance(uniforms, list)
    return exhibit.run(header, uniforms)


def test_a_callable_is_judged_and_its_failure_shrunk() -> None:
    target = importable("asura_verify.museum.textbook:run")
    assert attempt(target, CASE).failure == "Refused"  # it takes two arguments
    mistaken = CallableTarget(wrong, "wrong")
    failed = attempt(mistaken, next(iter(random_cases(0, 1))))
    assert not failed.passed
    smaller = shrunk(mistaken, failed)
    assert len(smaller.case.header["points"]) <= len(failed.case.header["points"])
    assert len(smaller.case.header["points"]) <= 2
    assert smaller.judgement.diagnosis[0].mistake == "weight-without-probability"


def test_reports_and_a_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = script(tmp_path, "time.sleep(100)")
    bad = [sys.executable, str(FOLDER / "harness.py"), "ignored"]
    junit, sarif, summary = (str(tmp_path / name) for name in ("j.xml", "s.json", "s.md"))
    known = str(tmp_path / "baseline.json")
    files = ["--junit", junit, "--sarif", sarif, "--summary", summary, "--record", known]
    assert execute(["conform", "--random", "0", *files, "--", *bad]) == 0
    assert "testsuites" in Path(junit).read_text()
    assert json.loads(Path(sarif).read_text())["version"] == "2.1.0"
    assert "| trace | verdict |" in Path(summary).read_text()
    assert json.loads(Path(known).read_text())["failing"] == []
    assert execute(["conform", "--baseline", str(tmp_path / "none"), "--", *command]) == 2
    capsys.readouterr()
