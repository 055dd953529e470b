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
