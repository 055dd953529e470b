"""Implementations as subprocesses: correct, wrong, crashing, hanging, chattering and lying ones."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import asura_verify.examples
from asura_verify.command_line import execute
from asura_verify.conform.cases import boundary, random_cases
from asura_verify.conform.process import Chattered, Crashed, HarnessFailed, TimedOut
from asura_verify.conform.session import attempt, shrunk
from asura_verify.conform.targets import CommandTarget, importable

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
    assert "21 of 21 cases conform" in capsys.readouterr().out
    assert execute(["smoke", "--", *PYTHON]) == 0


def test_the_c_example_conforms(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--random", "10", "--", str(compiled)]) == 0
    assert "27 of 27 cases conform" in capsys.readouterr().out


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
    from asura_verify.conform.targets import CallableTarget

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
