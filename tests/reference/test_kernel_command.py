"""`asura run --kernel` with more points than exact rows are made for."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import asura
from asura_verify.cli.main import execute

SIZE = 26
POINTS = [[i % 5, (i * i) % 7] for i in range(SIZE)]  # one of them twice


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    points, labels = tmp_path / "points.csv", tmp_path / "labels.csv"
    points.write_text("\n".join(f"{a},{b}" for a, b in POINTS))
    labels.write_text("\n".join(str(3 * a - b) for a, b in POINTS))
    return ["run", "--points", str(points), "--labels", str(labels), "--format", "json"]


def test_points_and_a_length(
    arguments: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = ["--kernel", "1/2", "--gamma", "2/5", "--seed", "3"]
    monkeypatch.setattr("asura.command_line.BALL_SECONDS", 1.0)
    assert execute([*arguments, *options, "--length", "3/2", "--digits", "38"]) == 0
    shown = capsys.readouterr()
    assert "iterations in balls of 127 bits" in shown.err
    document = json.loads(shown.out)
    distinct = len({tuple(point) for point in POINTS})
    assert distinct < SIZE
    assert (document["points"], document["dimension"]) == (2 * SIZE, distinct)
    ends = [Fraction(document["reduced_rank"][end]) for end in ("lower", "upper")]
    kernel = asura.rbf_kernel(POINTS, "3/2")
    exact = asura.reduced_rank(asura.kernel_ridge(kernel, "1/2"))
    assert ends[0] <= exact <= ends[1]
    matrix = tmp_path / "kernel.csv"
    matrix.write_text("\n".join(",".join(map(str, row)) for row in kernel))
    arguments[2] = str(matrix)
    for arithmetic in ("ball", "double"):
        assert execute([*arguments, *options, "--arithmetic", arithmetic]) == 0
        shown = capsys.readouterr()
        same = json.loads(shown.out)
        assert same["arithmetic"] == {"name": arithmetic, "bits": 53}
        assert not shown.err
        for key in ("m", "draws", "dimension"):
            assert same[key] == document[key]
        assert [each["row"] for each in same["queries"]] == [
            each["row"] for each in document["queries"]
        ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--length", "2"], "--length 2 without --kernel"),
        (["--kernel", "1", "--length", "0"], "length = 0: expected a positive number"),
        (["--kernel", "1"], "kernel has 26 rows and 2 columns"),
        (
            ["--kernel", "1", "--length", "1", "--output", "x"],
            "--output with a kernel of 26 points",
        ),
        (
            ["--kernel", "1", "--length", "1", "--arithmetic", "multiprecision"],
            "--arithmetic multiprecision with a kernel of 26 points",
        ),
    ],
)
def test_what_does_not_fit_is_one_line(
    arguments: list[str],
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("asura.command_line.EXACT_KERNEL", 25)
    assert execute([*arguments, *options, "--gamma", "2/5"]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1
