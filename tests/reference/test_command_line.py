"""The command `asura run`, as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from asura.trace import read_trace
from asura_verify.cli.main import COMMANDS, execute

SMALL = ["run", "--points", "example:small.csv"]
LABELS = ["--labels", "example:small-labels.csv"]


def test_the_first_example(capsys: pytest.CaptureFixture[str]) -> None:
    code = execute([*SMALL, *LABELS, "--ridge", "1/2", "--gamma", "1/8", "--seed", "7"])
    shown = capsys.readouterr().out
    assert code == 0
    for word in (
        "iterations m",
        "reduced rank R_X",
        "labels paid for",
        "loss/OPT",
        "3/4 I ⪯ Aᵀ A ⪯ 5/4 I",
    ):
        assert word in shown


def test_json_has_every_number_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*SMALL, *LABELS, "--gamma", "9/20", "--arithmetic", "exact", "--format", "json"]
    assert execute(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["reduced_rank"] == "3"
    ratio = Fraction(document["regression"]["loss"]) / Fraction(document["regression"]["optimum"])
    assert Fraction(document["regression"]["ratio"]) == ratio


def test_the_trace_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "trace.jsonl"
    assert execute([*SMALL, *LABELS, "--gamma", "1/5", "--output", str(target)]) == 0
    trace = read_trace(target.read_bytes().splitlines())
    assert trace.result.beta is not None
    assert "trace written" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("kind", ["exact", "ball", "multiprecision", "double"])
def test_every_arithmetic_and_the_same_seed(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*SMALL, "--gamma", "9/20", "--seed", "3", "--format", "json"]
    assert execute([*arguments, "--arithmetic", kind]) == 0
    document = json.loads(capsys.readouterr().out)
    assert execute(arguments) == 0
    assert document["m"] == json.loads(capsys.readouterr().out)["m"]


def test_npy_files_kernels_accuracies_and_uniforms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "points.npy", np.array([[1.5, 0.0], [0.25, 1.0], [1.0, 1.0]]))
    np.save(tmp_path / "labels.npy", np.array([1, 2, 3]))
    (tmp_path / "uniforms.csv").write_text("# recorded\n" + "0.5,0.25\n" * 400)
    points, labels = str(tmp_path / "points.npy"), str(tmp_path / "labels.npy")
    common = ["run", "--points", points, "--labels", labels, "--format", "json"]
    assert execute([*common, "--epsilon", "1", "--stopping", "sure", "--ridge", "1"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["guarantee"]["name"] == "sure-best"
    recorded = ["--gamma", "1/4", "--uniforms", str(tmp_path / "uniforms.csv")]
    assert execute([*common, *recorded]) == 0
    capsys.readouterr()
    kernel = ["run", "--points", "example:kernel.csv", "--kernel", "1/10", "--gamma", "1/4"]
    assert execute([*kernel, "--labels", "example:kernel-labels.csv"]) == 0
    assert "16 points of rank 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gamma", "3/5"], "GammaOutOfRange: gamma = 3/5: expected 0 < gamma < 1/2"),
        (["--gamma", "0"], "GammaOutOfRange"),
        (["--gamma", "nan"], "NotAScalar"),
        (["--epsilon", "0"], "EpsilonOutOfRange"),
        (["--epsilon", "-1"], "EpsilonOutOfRange"),
        ([], "exactly one of --gamma and --epsilon"),
        (["--gamma", "1/4", "--epsilon", "1"], "exactly one of"),
        (["--gamma", "1/4", "--seed", "1", "--uniforms", "example:small.csv"], "both given"),
        (["--gamma", "1/4", "--ridge", "1", "--kernel", "1"], "both given"),
        (["--gamma", "1/4", "--ridge", "-1"], "NegativeScale"),
        (["--gamma", "1/4", "--kernel", "1"], "NotSymmetric"),
        (["--gamma", "1/4", "--unlabelled", "13"], "UnlabelledOutOfRange"),
        (["--gamma", "1/4", "--unlabelled", "x"], "--unlabelled"),
        (["--gamma", "1/100", "--arithmetic", "exact"], "ExactRunTooLarge"),
        (["--gamma", "1/4", "--stopping", "never"], "--stopping"),
        (["--gamma", "1/4", "--stopping", "sure", "--level", "0"], "LevelOutOfRange"),
        (["--epsilon", "1", "--level", "2"], "--level 2: expected it with --gamma and --stopping"),
        (["--gamma", "1/4", "--level", "2"], "--level 2: expected it with --gamma and --stopping"),
        (["--gamma", "1/4", "--digits", "0"], "PrecisionOutOfRange"),
        (
            ["--gamma", "1/4", "--labels", "example:small.csv"],
            "small.csv, line 2 has 3 entries: expected 1",
        ),
        (["--gamma", "1/4", "--labels", "example:kernel-labels.csv"], "8 labels for 12 points"),
        (["--gamma", "1/4", "--uniforms", "example:small.csv"], "UniformOutOfRange"),
        (["--gamma", "1/4", "--output", "no/such/folder/t.jsonl"], "UnwritableFile"),
        (["--bogus"], "No such option"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*SMALL, *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "EmptyData"),
        (b"1,2\n\n3\n", "line 3 has 1 entry: expected 2"),
        (b"1,x\n", "line 1, column 2"),
        (b"a,b\n1,2\n", "line 1, column 1"),
        (b"1,nan\n", "NotAScalar"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b'"1,2\n', "UnreadableFile"),
        (b"0,0\n0,0\n", "RankZero"),
    ],
)
def test_bad_files_are_named(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(content)
    assert execute(["run", "--points", str(path), "--gamma", "1/4"]) == 2
    assert message in capsys.readouterr().err


def test_a_byte_order_mark_is_no_part_of_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for mark in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "points.csv").write_bytes(mark + b"1,2\n3,4\n")
        assert execute(["run", "--points", str(tmp_path / "points.csv"), "--gamma", "1/4"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "name", ["missing.csv", "missing.npy", "example:missing.csv", "example:../errors.py"]
)
def test_missing_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["run", "--points", name, "--gamma", "1/4"]) == 2
    assert name in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"junk"])
def test_half_written_arrays(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "points.npy"
    path.write_bytes(content)
    assert execute(["run", "--points", str(path), "--gamma", "1/4"]) == 2
    assert "UnreadableFile" in capsys.readouterr().err


def test_arrays_of_objects_are_never_unpickled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "points.npy"
    np.save(path, np.array([[{}]], dtype=object), allow_pickle=True)
    assert execute(["run", "--points", str(path), "--gamma", "1/4"]) == 2
    assert "UnreadableFile" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_keeps_the_lines_of_an_example(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert execute([name, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not any("\\b" in line or "\b" in line for line in lines)
    for place in (k for k, line in enumerate(lines) if line.strip() == "Example:"):
        assert lines[place + 1].startswith("    asura ")


def test_the_installed_command_teaches() -> None:
    command = Path(sys.executable).with_name("asura")
    shown = subprocess.run([command, "run", "--help"], capture_output=True, text=True, check=True)
    assert "example:points.csv" in shown.stdout
    bare = subprocess.run([command], capture_output=True, text=True, check=False)
    assert (bare.returncode, "asura run" in bare.stdout) == (2, True)
    wrong = subprocess.run([command, "nonsense"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1


def test_the_labels_to_buy_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "queries.csv"
    arguments = [*SMALL, "--gamma", "9/20", "--seed", "3", "--arithmetic", "exact"]
    assert execute([*arguments, "--format", "json", "--queries", str(target)]) == 0
    document = json.loads(capsys.readouterr().out)
    listed = document["queries"]
    assert len(listed) == document["distinct_labels"]
    assert sum(query["draws"] for query in listed) == document["draws"]
    lines = target.read_text().splitlines()
    assert lines[0] == "row,draws,weight"
    for line, query in zip(lines[1:], listed, strict=True):
        assert line == f"{query['row']},{query['draws']},{float(Fraction(query['weight']))!r}"


def test_an_accuracy_takes_the_sure_rule_and_announces_long_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asura.command_line.LONG_RUN", 10)
    assert execute([*SMALL, "--epsilon", "2", "--ridge", "1", "--format", "json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["stopping"]["rule"] == "sure"
    assert "iterations are expected, about " in told.err
    assert "minutes (gamma" in told.err


def test_few_but_slow_iterations_are_announced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of few iterations on many rows is long as well."""
    assert execute([*SMALL, "--epsilon", "2", "--ridge", "1"]) == 0
    assert not capsys.readouterr().err
    monkeypatch.setattr("asura.command_line.STEP_SECONDS", {"ball": (9.0, 9.0)})
    assert execute([*SMALL, "--epsilon", "2", "--ridge", "1"]) == 0
    assert "minutes (gamma" in capsys.readouterr().err
