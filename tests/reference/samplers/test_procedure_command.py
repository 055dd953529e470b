"""`asura run --procedure NAME`, as a user meets it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from asura.samplers.doubles import SAMPLERS as DOUBLES
from asura.samplers.naming import EITHER, NAMES, UNSIZED
from asura_verify.cli.main import execute

SMALL = ["run", "--points", "example:small.csv", "--ridge", "1/2"]
LABELS = ["--labels", "example:small-labels.csv"]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    size = [] if name in {*UNSIZED, *EITHER} else ["--size", "3"]
    command = [*SMALL, *LABELS, "--procedure", name, *size, "--seed", "5", "--format", "json"]
    assert execute(command) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["procedure"] == name
    assert len(shown["picks"]) == len(shown["weights"])
    assert shown["regression"]["paid"] == shown["distinct_labels"] == len(shown["queries"])
    ratio = Fraction(shown["regression"]["loss"]) / Fraction(shown["regression"]["optimum"])
    assert Fraction(shown["regression"]["ratio"]) == ratio >= 1


def test_a_table_and_the_labels_to_buy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "queries.csv"
    command = [*SMALL, "--procedure", "k-dpp", "--size", "2", "--queries", str(target)]
    assert execute(command) == 0
    shown = capsys.readouterr().out
    for words in ("k-dpp, exact", "2 distinct, 2 draws", "needs the labels", "written to"):
        assert words in shown
    header, *rows = target.read_text(encoding="utf-8").splitlines()
    assert header == "row,draws,weight"
    assert len(rows) == 2


def test_an_empty_sample_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    uniforms = tmp_path / "uniforms.csv"
    uniforms.write_text("0.999999\n" * 20, encoding="utf-8")
    points = ["run", "--points", "example:small.csv", *LABELS]
    command = [*points, "--procedure", "leverage", "--size", "1/2", "--uniforms", str(uniforms)]
    assert execute(command) == 0
    assert "the sample is empty" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--procedure", "volumes", "--size", "3"], "UnknownName: procedure 'volumes'"),
        (["--procedure", "volume"], "without a size"),
        (["--procedure", "ridge-dpp", "--size", "3"], "the data determine it"),
        (["--procedure", "volume", "--size", "2"], "SizeOutOfRange: size 2"),
        (["--procedure", "volume", "--size", "x"], "NotAScalar"),
        (["--procedure", "volume", "--size", "3", "--gamma", "1/4"], "--gamma with --procedure"),
        (
            ["--procedure", "volume", "--size", "3", "--arithmetic", "multiprecision"],
            "--arithmetic with",
        ),
        (["--procedure", "greedy-x", "--size", "3", "--arithmetic", "double"], "in doubles"),
        (["--procedure", "perceptron"], "it is a classifier"),
        (["--procedure", "volume", "--size", "3", "--probabilities"], "--probabilities with"),
        (["--gamma", "1/4", "--size", "3"], "--size 3 without --procedure"),
    ],
)
def test_wrong_options_are_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*SMALL, *options]) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("name", DOUBLES)
def test_doubles_run_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    size = [] if name in {*UNSIZED, *EITHER} else ["--size", "3"]
    command = [*SMALL, *LABELS, "--procedure", name, *size, "--arithmetic", "double"]
    assert execute(command) == 0
    assert f"{name}, in doubles" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["uniform-replaced", "leverage-iid", "leveraged-volume"])
@pytest.mark.parametrize("arithmetic", [[], ["--arithmetic", "double"]])
def test_more_draws_than_are_sensible_are_refused_at_once(
    name: str, arithmetic: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A size without a bound of its own was drawn for ever."""
    command = [*SMALL, "--procedure", name, "--size", "1e400", *arithmetic]
    assert execute(command) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "1.00000e+400" in line  # and not 401 digits
    assert "expected" in line
    assert len(line) < 130


@pytest.mark.parametrize("name", ["leverage", "ridge-leverage"])
def test_coins_in_doubles_refuse_what_no_double_holds(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for size in ("1e400", "0", "-1"):
        command = [*SMALL, "--procedure", name, "--size", size, "--arithmetic", "double"]
        assert execute(command) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "expected from 1 to 1000000 (the expected number of points)" in line


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("", "EmptyData: "),
        ("0,0\n0,0\n0,0\n", "RankZero: every point is zero"),
        ("1,2\nnan,4\n3,6\n", "line 2, column 1: 'nan' is not a number"),
        ("1,2\n3\n3,6\n", "line 2"),
    ],
)
def test_bad_points_are_one_line_for_every_procedure(
    name: str, points: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, labels = tmp_path / "points.csv", tmp_path / "labels.csv"
    given.write_text(points, encoding="utf-8")
    labels.write_text("1\n0\n2\n", encoding="utf-8")
    size = [] if name in {*UNSIZED, *EITHER} else ["--size", "2"]
    for arithmetic in ([], ["--arithmetic", "double"]) if name in DOUBLES else ([],):
        command = ["run", "--points", str(given), "--labels", str(labels), "--procedure", name]
        assert execute([*command, *size, *arithmetic]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert words in line


@pytest.mark.parametrize("name", ["largest-variance", "greedy-x", "uncertainty"])
def test_who_knows_every_label_has_none_to_buy(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, labels = tmp_path / "points.csv", tmp_path / "labels.csv"
    given.write_text("1,0\n1,1\n1,2\n", encoding="utf-8")
    labels.write_text("1\n0\n2\n", encoding="utf-8")
    data = ["run", "--points", str(given), "--labels", str(labels), "--unlabelled", "0"]
    assert execute([*data, "--procedure", name, "--size", "2"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "size 2: expected a point of X_1, but every label is known" in line


def test_a_sample_smaller_than_the_rank_is_told_the_rank(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The pool grows with the sample, so that it is no upper bound."""
    command = [*SMALL, "--procedure", "leveraged-volume", "--size", "1"]
    assert execute(command) == 2
    assert "size 1: expected at least 3" in capsys.readouterr().err
