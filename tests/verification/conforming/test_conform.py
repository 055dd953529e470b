"""Implementations as subprocesses: correct, wrong, crashing, hanging, chattering and lying ones."""

import importlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

import asura_verify.implementations.examples
from asura.arithmetic import BallArithmetic, DoubleArithmetic
from asura.dataset import dataset
from asura.randomness import Picks
from asura.rates import TIGHT_RATES
from asura.run import run as reference_run
from asura.stopping import sure
from asura.trace import read_trace, trace_lines
from asura_verify.cli.main import execute
from asura_verify.conforming.cases import boundary, random_case
from asura_verify.conforming.process import Chattered, Crashed, HarnessFailed, TimedOut
from asura_verify.conforming.recorded import compared, of_variants, vector_cases
from asura_verify.conforming.session import USUAL, CaseSource, attempt, selected
from asura_verify.conforming.shrinking import shrunk
from asura_verify.conforming.targets import CallableTarget, CommandTarget, importable
from asura_verify.conforming.vectors.model import load, read_group
from asura_verify.implementations import kept_textbook, textbook
from asura_verify.implementations.exhibits import EXHIBITS
from asura_verify.implementations.kept_exhibits import KEPT_EXHIBITS
from asura_verify.oracle.check import check_file, check_lines
from asura_verify.oracle.judgement import Judgement, Ruling

FOLDER = Path(asura_verify.implementations.examples.__file__).parent
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
    assert "70 of 70 cases conform" in capsys.readouterr().out
    assert execute(["smoke", "--", *PYTHON]) == 0


def test_the_c_example_conforms(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--random", "10", "--", str(compiled)]) == 0
    assert "76 of 76 cases conform" in capsys.readouterr().out


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
    with closing(CommandTarget([str(target)], timeout=10)) as implementation:
        outcome = attempt(implementation, boundary()[1])
    assert not outcome.passed
    if mistake is not None:
        assert outcome.judgement.diagnosis[0].mistake == mistake


def test_a_vector_is_reproduced_or_told_apart() -> None:
    """The comparison with the recorded picks sees what a blind oracle would let pass."""
    target = CallableTarget(lambda header: textbook.run(header, header["uniforms"]), "textbook")
    case = next(c for c in vector_cases(load()) if c.name == "vector:two-dimensions")
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
    cases = [case for case in vector_cases(load()) if not of_variants(case)]
    assert len(cases) == 65
    rounded = [case.name for case in cases if "in doubles" in case.meaning]
    names = ["exact-one-dimension", "exact-two-dimensions", "ball-128"]
    names += ["digits-7", "digits-15", "digits-60"]
    of = {group.group: [vector.name for vector in group.vectors] for group in load()}
    expected = (*names, *of["nist"], "kernel", *of["worst"])
    assert rounded == [f"vector:{name}" for name in expected]
    # Near-ties are those that rounding decides: there a pick may move, and nobody is judged by it.
    ties = ("vector:worst-pick", "vector:worst-stop")
    for case in (case for case in cases if not case.name.startswith(ties)):
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
    def names(*groups: CaseSource) -> list[str]:
        return [case.name for case in selected(groups, seed=0, random=2)]

    vectors, edges = names(CaseSource.VECTORS), names(CaseSource.BOUNDARY)
    assert len(vectors) == 65
    assert all(name.startswith("vector:") for name in vectors)
    assert edges == [case.name for case in boundary()]
    assert names(CaseSource.RANDOM) == ["random-0-0", "random-0-1"]
    assert names(*USUAL) == [*vectors, "gamma-smallest", "random-0-0", "random-0-1"]
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
    assert "0 of 65 cases conform" in printed
    assert "rests on: alg-potential, " in printed
    assert "first failure: vector:exact-one-dimension" in printed
    lines = printed.splitlines()
    assert lines[0] == "0 of 65 cases conform, 65 violate"
    assert lines[1].startswith("  all 65 failures are mid-gap: ")
    assert not any("remark, of" in line for line in lines)
    assert sum(line.startswith("vector:") for line in lines) == 65
    meaning = "kernel ridge regression, in doubles; points sqrt(c) x, as ridge"
    for name in (files[0], files[2]):
        assert meaning in Path(name).read_text()
    assert Path(files[2]).read_text().startswith("**0 of 65 cases conform, 65 violate**\n- all 65 ")
    (result,) = json.loads(Path(files[1]).read_text())["runs"][0]["results"]
    assert result["ruleId"] == "mid-gap"
    assert len(result["relatedLocations"]) == 64
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert Path(place).is_file()
    assert Path(place).read_text() == changed
    junit = Path(files[0]).read_text()
    assert '<property name="flag" value="basic" />' in junit
    assert '<property name="claim" value="kernel-is-ssar" />' in junit
    assert execute(["conform", *options[:2], "--format", "json", "--", *command]) == 1
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {fact["file"]: fact["flags"] for fact in facts}["vector:sure"] == ["stopping"]


def ask(command: list[str], timeout: float) -> list[str]:
    with closing(CommandTarget(command, timeout=timeout)) as target:
        return target.run(CASE.header)


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
    with closing(CommandTarget(script(tmp_path, text), timeout=5)) as target:
        outcome = attempt(target, CASE)
    assert outcome.judgement.first is not None
    assert outcome.judgement.first.message.startswith("too early")


def test_commands_that_cannot_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["smoke", "--", "/nonexistent/asura"]) == 2
    assert execute(["smoke", "--", "/dev/null"]) == 2
    assert execute(["smoke"]) == 2
    assert execute(["smoke", "--target", "no_such_module:run"]) == 2
    assert execute(["conform", "--timeout", "-1", "--", "true"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def making(mistake: str) -> CallableTarget:
    """A callable with a mistake of the museum."""
    exhibit = next(each for each in EXHIBITS if each.mistake == mistake)
    return CallableTarget(lambda header: exhibit.run(header, header["uniforms"]), "wrong")


def test_a_callable_is_judged_and_its_failure_shrunk() -> None:
    mistaken = making("weight-without-probability")
    failed = attempt(mistaken, random_case(0, 0))
    assert not failed.passed
    smaller = shrunk(mistaken, failed)
    assert len(smaller.case.header["points"]) <= len(failed.case.header["points"])
    assert len(smaller.case.header["points"]) <= 2
    assert smaller.judgement.diagnosis[0].mistake == "weight-without-probability"


def test_shrinking_keeps_the_diagnosis() -> None:
    """A smaller failure of the same field that another mistake explains is another failure."""
    failed = attempt(making("weight-without-probability"), random_case(0, 0))
    assert shrunk(making("weight-without-gamma"), failed) is failed


CALLABLES = """
import json, os, sys, time
from asura_verify.implementations import textbook

def right(header):
    print("chatter")
    return textbook.run(header, header["uniforms"])

def records(header):
    return [json.loads(line) for line in right(header)]

def generous(header):
    lines = records(header)
    lines[0]["precision"] = 24
    return lines

def meddling(header):
    header["points"][0][0] += 0.5
    return right(header)

def leaves(header):
    sys.exit(0)

def dies(header):
    os._exit(3)

def sleeps(header):
    time.sleep(100)

def junk(header):
    return [1, 2]

def nothing(header):
    return []

def odd(header):
    return [{"j": {1, 2}}]

class Space:
    run = staticmethod(right)

constant = 7
"""


@pytest.fixture
def callables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "callables.py").write_text(CALLABLES)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("callables")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("right", ""),
        ("records", ""),
        ("generous", ""),
        ("Space.run", ""),
        ("meddling", "violates"),
        ("leaves", "Refused: it answers with an error: it raises SystemExit: 0"),
        ("dies", "Crashed: it ended with exit code 3"),
        ("sleeps", "TimedOut: no answer within 6 s"),
        ("junk", "it returns '1': expected the lines of a trace"),
        ("nothing", "it returns no lines"),
        ("odd", "it raises TypeError: Object of type set is not JSON serializable"),
    ],
)
def test_callables_run_in_a_process_of_their_own(name: str, expected: str) -> None:
    with closing(importable(f"callables:{name}", timeout=6 if name == "sleeps" else 60)) as target:
        outcome = attempt(target, CASE)
    judgement = outcome.judgement
    assert outcome.passed == (expected == "")
    assert expected in (judgement.fault or str(judgement.ruling)) or outcome.passed
    assert judgement.precision == (24 if name == "generous" else 53)
    assert judgement.command == f"asura conform --case one-dimension --target callables:{name}"


@pytest.mark.usefixtures("callables")
def test_a_callable_in_this_process_shares_nothing() -> None:
    callables = importlib.import_module("callables")

    right = attempt(CallableTarget(callables.generous, "generous"), CASE)
    assert right.passed
    assert right.judgement.precision == 24
    assert not attempt(CallableTarget(callables.meddling, "meddling"), CASE).passed
    assert attempt(CallableTarget(callables.leaves, "leaves"), CASE).failure == "Refused"


@pytest.mark.usefixtures("callables")
@pytest.mark.parametrize(
    "text", ["callables:none", "callables:constant", "callables", "a b:c", "absent:run", ":", ""]
)
def test_what_is_no_callable(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["smoke", "--target", text]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "expected package.module:callable" in captured.err


@pytest.mark.usefixtures("callables")
def test_a_callable_that_leaves_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["smoke", "--target", "callables:leaves"]) == 2
    assert "SystemExit" in capsys.readouterr().out
    assert execute(["smoke", "--target", "callables:right"]) == 0


def test_what_is_not_json_is_shown_where_it_is(tmp_path: Path) -> None:
    text = "print('{\"seq\": 2, \"iterations\": [' + ' ' * 200 + '-nan]}', flush=True)"
    line = fails(script(tmp_path, text)).line
    assert "not JSON at character" in line
    assert "-nan" in line


WRONG = FOLDER / "harness.py"


def changed_harness(tmp_path: Path, old: str, new: str) -> list[str]:
    text = WRONG.read_text()
    assert text.count(old) == 1
    return script(tmp_path, text.replace(old, new), start="")


def test_a_failure_is_a_vector_that_can_be_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = changed_harness(tmp_path, '["weight"] / mid', '["weight"] * mid')
    kept = str(tmp_path / "failing.json")
    options = ["conform", "--only", "random", "--random", "2", "--failing", kept]
    assert execute([*options, "--", *command]) == 1
    captured = capsys.readouterr()
    assert "first failure: random-0-0, shrunk: " in captured.out
    assert '"points": ' in captured.out
    again = f"again:    asura conform --case random-0-0 -- {shlex.join(command)}"
    assert again in captured.out
    assert f"--vectors {kept}" in captured.err
    group = read_group(kept)
    (vector,) = group.vectors
    assert (vector.verdict, vector.diagnosis) == ("violates", "weights-times-mid")
    assert (vector.name, vector.flags) == ("random-0-0-shrunk", ["failing"])
    assert execute(["conform", "--vectors", kept, "--", *command]) == 1
    printed = capsys.readouterr().out
    assert "vector:random-0-0-shrunk: violates" in printed
    assert f"again:    asura conform --vectors {kept} -- " in printed
    assert execute(["conform", "--vectors", kept, "--", *PYTHON]) == 0
    assert "1 of 1 cases conform" in capsys.readouterr().out
    assert (
        execute(["conform", "--case", "random-0-0", "--case", "vector:ridge", "--", *PYTHON]) == 0
    )
    assert "2 of 2 cases conform" in capsys.readouterr().out
    for name in ("nothing", "random-0", "random-0-x"):
        assert execute(["conform", "--case", name, "--", *PYTHON]) == 2
    assert execute(["vectors", kept, "--verify", "--traces", str(tmp_path / "traces")]) == 0
    written = tmp_path / "traces" / "random-0-0-shrunk.jsonl"
    assert check_file(str(written)).diagnosis[0].mistake == "weights-times-mid"


def test_a_crash_is_a_vector_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = script(tmp_path, "sys.exit('out of luck')")
    kept = str(tmp_path / "failing.json")
    assert execute(["conform", "--case", "identity", "--failing", kept, "--", *command]) == 2
    printed = capsys.readouterr().out
    assert "fault:    Crashed: it ended with exit code 1" in printed
    assert read_group(kept).vectors[0].verdict == "malformed"
    assert execute(["conform", "--vectors", kept, "--", *PYTHON]) == 0


def test_a_baseline_tells_what_got_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ignoring the scales fails where there are some; another mistake fails everywhere."""
    (tmp_path / "one").mkdir()
    ignoring = changed_harness(tmp_path, 'header.get("squared_scales") or', "")
    worse = changed_harness(tmp_path / "one", "mid = (u + low) / 2", "mid = (u - low) / 2")
    known, junit, sarif, summary = (
        str(tmp_path / name) for name in ("known.json", "j.xml", "s.json", "s.md")
    )
    cases = ["--case", "vector:ridge", "--case", "vector:identity"]
    assert execute(["conform", *cases, "--record", known, "--", *ignoring]) == 1
    assert json.loads(Path(known).read_text())["failing"] == ["vector:ridge"]
    capsys.readouterr()
    files = ["--junit", junit, "--sarif", sarif, "--summary", summary]
    assert execute(["conform", *cases, *files, "--baseline", known, "--", *ignoring]) == 0
    printed = capsys.readouterr().out
    assert "vector:ridge: violates (known to fail)" in printed
    assert "against the baseline: 1 known to fail, 0 worse" in printed
    assert "first failure" not in printed
    assert "<failure" not in Path(junit).read_text()
    (suppressed,) = {
        tuple(result["suppressions"][0])
        for result in json.loads(Path(sarif).read_text())["runs"][0]["results"]
    }
    assert suppressed == ("kind", "justification")
    assert "| violates, known |" in Path(summary).read_text()
    assert execute(["conform", *cases, *files, "--baseline", known, "--", *worse]) == 1
    printed = capsys.readouterr().out
    assert "against the baseline: 1 known to fail, 1 worse" in printed
    assert "worse: vector:identity" in printed
    assert "first failure: vector:identity" in printed
    suites = {suite.get("name"): suite for suite in Xml.parse(junit).iter("testsuite")}  # noqa: S314
    assert suites["vector:ridge"].get("failures") == "0"
    fields = {case.get("name") for case in suites["vector:identity"] if len(case)}
    assert "mid" in fields
    assert int(suites["vector:identity"].get("failures") or 0) == len(
        list(suites["vector:identity"].iter("failure"))
    )
    assert execute(["conform", *cases, "--baseline", known, "--", *PYTHON]) == 0
    assert "mended, record the baseline anew: vector:ridge" in capsys.readouterr().out


def test_what_is_never_judged_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--only", "random", "--random", "2", "--", *PYTHON]) == 0
    assert "never judged, absent: alphas, beta, probabilities" in capsys.readouterr().out


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


def test_an_implementation_that_fails_now_and_then() -> None:
    """What does not fail alike twice is reported as it was."""
    calls = iter(range(10**6))

    def flaky(header: dict[str, Any]) -> list[str]:
        lines = textbook.run(header, header["uniforms"])
        if next(calls) % 3 == 0:
            lines[-1] = json.dumps(json.loads(lines[-1]) | {"mid": 1e9})
        return lines

    target = CallableTarget(flaky, "flaky")
    failed = attempt(target, random_case(0, 0))
    assert not failed.passed
    assert shrunk(target, failed).judgement.ruling in set(Ruling)


def test_a_signal_without_a_name(tmp_path: Path) -> None:
    line = fails(script(tmp_path, "import signal; os.kill(os.getpid(), signal.SIGRTMIN + 1)")).line
    assert "it ended with signal 35" in line


def test_no_more_is_asked_after_three_time_outs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = script(tmp_path, "time.sleep(100)")
    assert execute(["conform", "--timeout", "3", "--format", "json", "--", *command]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 3
    assert all("TimedOut" in json.loads(line)["fault"] for line in captured.out.splitlines())
    assert "3 time-outs in a row" in captured.err


def test_nothing_to_judge_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["conform", "--only", "random", "--random", "0", "--", *PYTHON]) == 2
    assert "NoCases" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--failing", "--junit", "--sarif", "--summary", "--record"])
def test_where_nothing_can_be_written_nothing_is_run(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "absent" / "file")
    assert execute(["conform", option, place, "--", "/nonexistent/asura"]) == 2
    assert "UnwritableFile" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["/dev/zero", "."])
def test_a_baseline_that_is_no_file(name: str) -> None:
    assert execute(["conform", "--baseline", name, "--", *PYTHON]) == 2


@pytest.mark.parametrize(
    ("flag", "verdict", "lines"),
    [
        ("failing", "violates", []),
        ("failing", "violates", ["no header"]),
        ("failing", "violates", ['{"j": 0, "index": 0}']),
        ("basic", "conforms", [json.dumps(CASE.header), "junk"]),
        ("basic", "conforms", [json.dumps(CASE.header | {"labels": ["1e400", 1, 2]}), '{"m": 0}']),
        ("failing", "violates", [json.dumps(CASE.header | {"points": [["1e9999999"]] * 3})]),
    ],
)
def test_vectors_that_cannot_be_run(
    flag: str, verdict: str, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vector = {
        "name": "odd", "comment": "", "flags": [flag], "slugs": [], "verdict": verdict,
        "diagnosis": None, "lines": lines,
    }  # fmt: skip
    group = {"format": "asura-vectors/1", "group": "odd", "provenance": "", "flags": {}}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(group | {"vectors": [vector]}))
    assert execute(["conform", "--vectors", str(path), "--", *PYTHON]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    path.write_text(json.dumps(group | {"vectors": [vector | {"lines": [lines]}]}))
    assert execute(["conform", "--vectors", str(path), "--", *PYTHON]) == 2


def test_only_the_header_of_a_failure_is_needed(tmp_path: Path) -> None:
    """What an implementation answered may be anything."""
    vector = {
        "name": "odd", "comment": "", "flags": ["failing", "unheard-of"], "slugs": [],
        "verdict": "malformed", "diagnosis": None, "lines": [json.dumps(CASE.header), "junk"],
    }  # fmt: skip
    group = {"format": "asura-vectors/1", "group": "odd", "provenance": "", "flags": {}}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(group | {"vectors": [vector]}))
    assert execute(["conform", "--vectors", str(path), "--", *PYTHON]) == 0


def _answer(header: dict[str, Any]) -> list[str]:
    """The textbook of the variants; tight rates by the reference."""
    if "variant" in header:
        return kept_textbook.run(header, header["uniforms"])
    trace = read_trace([json.dumps(header).encode(), b'{"m": 0}'])
    assert trace.uniforms is not None
    done = reference_run(
        trace.data, trace.gamma, arithmetic=DoubleArithmetic(), chooser=trace.uniforms,
        stopping=trace.stopping, rates=TIGHT_RATES,
    )  # fmt: skip
    return list(trace_lines(done))


def test_variants_are_asked_for_when_they_are_named() -> None:
    cases = list(selected([CaseSource.VARIANTS], seed=0, random=0))
    assert len(cases) == 36
    assert all(of_variants(case) for case in cases)
    asked = {name for case in cases for name in case.header}
    assert asked >= {"rates", "variant", "ending", "draws", "level", "squared_scales"}
    assert not any(of_variants(case) for case in selected(USUAL, seed=0, random=0))
    target = CallableTarget(_answer, "kept")
    outcomes = [attempt(target, case) for case in cases]
    assert [o.case.name for o in outcomes if not o.passed] == []
    forgotten = next(e for e in KEPT_EXHIBITS if e.mistake == "kept-forgotten-clip")
    wrong = CallableTarget(lambda header: forgotten.run(header, header["uniforms"]), "wrong")
    clipped = [case for case in cases if "clip-plane" in case.name]
    failed = [attempt(wrong, case) for case in clipped]
    assert len(failed) == 2
    for outcome in failed:
        assert outcome.judgement.diagnosis[0].mistake == "kept-forgotten-clip"
        assert shrunk(wrong, outcome) is outcome
