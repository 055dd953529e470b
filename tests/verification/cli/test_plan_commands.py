"""`asura plan`, `asura fit`, `asura predict`: the way through, and forty ways to go astray."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path

import pytest

from asura_verify.cli import facts
from asura_verify.cli.main import execute

HOUSES = "example:houses.csv"
PLAN = ["plan", HOUSES, "--target", "price", "--id", "parcel", "--ridge", "1"]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _houses(filled: bool) -> list[list[str]]:
    from importlib import resources

    text = (resources.files("asura") / "examples" / "houses.csv").read_text()
    rows = list(csv.reader(text.splitlines()))
    if filled:
        rows[1:] = [[*r[:4], r[4] or str(40 + 3 * int(r[1]))] for r in rows[1:]]
    return rows


def _write(name: str, rows: list[list[str]]) -> None:
    with Path(name).open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def test_from_a_table_to_predictions(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([*PLAN, "--budget", "30", "--output", "plan.csv"]) == 0
    said = capsys.readouterr().out
    for word in ("R_X", "at most 30", "surely", "proved", "expected"):
        assert word in said
    lines = Path("plan.csv").read_text().splitlines()
    assert lines[1] == "row,id,weight,draws"
    assert 2 < len(lines) <= 32
    _write("houses.csv", _houses(filled=True))
    fit = ["fit", "houses.csv", "--target", "price", "--plan", "plan.csv", "--output", "model.json"]
    assert execute(fit) == 0
    assert "leave one out" in capsys.readouterr().out
    predict = ["predict", "model.json", "houses.csv", "--id", "parcel", "--output", "p.csv"]
    assert execute(predict) == 0
    rows = list(csv.reader(Path("p.csv").read_text().splitlines()))
    assert rows[0] == ["parcel", "price"]
    assert [r[0] for r in rows[1:3]] == ["p01", "p02"]
    assert len(rows) == 61
    assert sorted(p.name for p in Path().iterdir()) == [
        "houses.csv",
        "model.json",
        "p.csv",
        "plan.csv",
    ]


def test_labels_as_pairs_and_predictions_to_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute([*PLAN, "--budget", "30", "--output", "plan.csv", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["labels"]) <= document["budget"] == 30
    names = [entry["id"] for entry in document["labels"]]
    _write("pairs.csv", [["parcel", "price"], *[[name, "200"] for name in names]])
    fit = ["fit", HOUSES, "--plan", "plan.csv", "--labels", "pairs.csv", "--output", "m.json"]
    assert execute(fit) == 0
    capsys.readouterr()
    assert execute(["predict", "m.json", HOUSES]) == 0
    assert capsys.readouterr().out.startswith("parcel,price\np01,")


def test_labels_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([*PLAN, "--budget", "30", "--output", "plan.csv", "--format", "json"]) == 0
    names = [entry["id"] for entry in json.loads(capsys.readouterr().out)["labels"]]
    parts = {"first.csv": names[:5], "second.csv": names[5:], "again.csv": names[4:6]}
    for number, (file, part) in enumerate(parts.items()):
        _write(file, [["parcel", "price"], *[[name, str(200 + number // 2)] for name in part]])
    fit = ["fit", HOUSES, "--plan", "plan.csv"]
    assert execute([*fit, "--labels", "second.csv"]) == 2
    assert f"5 of the {len(names)} labels" in capsys.readouterr().err
    assert execute([*fit, "--labels", "first.csv", "--labels", "second.csv"]) == 0
    capsys.readouterr()
    every = [word for file in parts for word in ("--labels", file)]
    assert execute([*fit, *every]) == 2
    assert "two labels are given" in capsys.readouterr().err


def test_a_dry_run_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--budget", "30"], ["--epsilon", "0.5"], ["--format", "json"]):
        assert execute([*PLAN, "--dry-run", "--output", "plan.csv", *options]) == 0
    assert "epsilon" in capsys.readouterr().out
    assert not list(Path().iterdir())


def test_an_accuracy_beyond_the_pool_asks_for_everything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute([*PLAN, "--epsilon", "1e-9"]) == 0
    assert "label everything" in " ".join(capsys.readouterr().out.split())


def test_a_kernel_without_intercept(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = ["--kernel", "rbf", "--length", "40", "--no-intercept", "--budget", "20"]
    assert execute([*PLAN, *kernel]) == 0
    assert "kernel of rank" in capsys.readouterr().out


FILES = {
    "good.csv": "a,b,y\n1,2,3\n2,1,\n3,5,\n4,1,\n",
    "text.csv": "a,city,y\n1,Paris,3\n2,Rome,\n",
    "gap.csv": "a,b,y\n1,2,3\n2,,\n",
    "twice.csv": "a,a,y\n1,2,3\n",
    "ragged.csv": "a,b,y\n1,2,3\n1,2\n",
    "empty.csv": "",
    "header.csv": "a,b,y\n",
    "full.csv": "a,b,y\n1,2,3\n2,1,4\n",
    "zeros.csv": "a,b,y\n0,0,\n0,0,\n",
    "infinite.csv": "a,y\n1,\ninf,\n",
    "ids.csv": "k,a,y\nx,1,\nx,2,\n",
    "pairs.csv": "k,y\nnobody,1\n",
    "three.csv": "k,y,z\nx,1,2\n",
    "model.json": "{}",
    "plan.csv": "row,id\n1,2\n",
    "kernel.csv": "1,2\n3,1\n",
    "indefinite.csv": "1,2\n2,1\n",
}
ASTRAY = [
    ["plan"],
    ["plan", "none.csv", "--budget", "2"],
    ["plan", "none.parquet", "--budget", "2"],
    ["plan", "none.npy", "--budget", "2"],
    ["plan", "example:none.csv", "--budget", "2"],
    ["plan", "empty.csv", "--budget", "2"],
    ["plan", "header.csv", "--target", "y", "--budget", "2"],
    ["plan", "text.csv", "--target", "y", "--budget", "1"],
    ["plan", "gap.csv", "--target", "y", "--budget", "1"],
    ["plan", "twice.csv", "--target", "y", "--budget", "1"],
    ["plan", "ragged.csv", "--target", "y", "--budget", "1"],
    ["plan", "infinite.csv", "--target", "y", "--budget", "1"],
    ["plan", "full.csv", "--target", "y", "--budget", "1"],
    ["plan", "zeros.csv", "--target", "y", "--budget", "1", "--no-intercept"],
    ["plan", "ids.csv", "--target", "y", "--id", "k", "--budget", "1"],
    ["plan", "good.csv", "--target", "x", "--budget", "1"],
    ["plan", "good.csv", "--id", "x", "--budget", "1"],
    ["plan", "good.csv", "--features", "a,x", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--features", "y", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--features", ",", "--budget", "1"],
    ["plan", "good.csv", "--target", "y"],
    ["plan", "good.csv", "--target", "y", "--budget", "1", "--epsilon", "1"],
    ["plan", "good.csv", "--target", "y", "--budget", "0"],
    ["plan", "good.csv", "--target", "y", "--budget", "-3"],
    ["plan", "good.csv", "--target", "y", "--budget", "many"],
    ["plan", "good.csv", "--target", "y", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--epsilon", "0"],
    ["plan", "good.csv", "--target", "y", "--epsilon", "nan"],
    ["plan", "good.csv", "--target", "y", "--ridge", "-1", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--ridge", "nan", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--kernel", "rbf", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--kernel", "rbf", "--ridge", "1", "--budget", "1"],
    ["plan", "full.csv", "--kernel", "rbf", "--ridge", "1", "--length", "-1", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--kernel", "sinc", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--length", "2", "--budget", "1"],
    ["plan", "kernel.csv", "--kernel", "given", "--ridge", "1", "--budget", "1"],
    ["plan", "indefinite.csv", "--kernel", "given", "--ridge", "1", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--labels", "pairs.csv", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--labels", "three.csv", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--delimiter", "ab", "--budget", "1"],
    ["plan", "good.csv", "--target", "y", "--budget", "2", "--method", "best"],
    ["plan", "good.csv", "--target", "y", "--epsilon", "1", "--method", "volume"],
    ["plan", "good.csv", "--target", "y", "--budget", "2", "--output", "no/such/plan.csv"],
    ["fit", "good.csv", "--target", "y"],
    ["fit", "good.csv", "--plan", "none.csv"],
    ["fit", "good.csv", "--plan", "plan.csv"],
    ["fit", "good.csv", "--plan", "empty.csv"],
    ["predict", "model.json"],
    ["predict", "none.json", "good.csv"],
    ["predict", "model.json", "good.csv"],
    ["predict", "good.csv", "good.csv"],
]


@pytest.mark.parametrize("call", ASTRAY, ids=[" ".join(call) for call in ASTRAY])
def test_a_call_gone_astray_gets_one_line(
    call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert execute(call) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("asura: ")
    assert told.err.count("\n") == 1
    assert len(told.err) > 40
    assert sorted(p.name for p in Path().iterdir()) == sorted(FILES)


@pytest.mark.parametrize("method", ["coins", "kept", "one-sided", "asura", "leverage", "volume"])
def test_a_plan_by_every_method(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--budget", "30", "--method", method, "--output", "plan.csv"]
    assert execute([*PLAN, *options]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert ("no guarantee: none is known" in said) == (method == "volume")
    assert ("surely" in said) == (method != "volume")
    _write("houses.csv", _houses(filled=True))
    fit = ["fit", "houses.csv", "--plan", "plan.csv", "--output", "model.json"]
    assert execute(fit) == 0
    assert execute([*PLAN, "--budget", "30", "--method", method, "--dry-run"]) == 0


def test_what_is_read_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    """The table may be the only copy."""
    _write("houses.csv", _houses(filled=True))
    Path("link.csv").symlink_to("houses.csv")
    plan = ["plan", "houses.csv", "--id", "parcel", "--features", "area", "--budget", "9"]
    assert execute([*plan, "--output", "plan.csv"]) == 0
    fit = ["fit", "houses.csv", "--target", "price", "--plan", "plan.csv"]
    assert execute([*fit, "--output", "model.json"]) == 0
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    capsys.readouterr()
    for call in (
        [*plan, "--output", "houses.csv"],
        [*plan, "--output", "./link.csv"],
        [*fit, "--output", "plan.csv"],
        [*fit, "--labels", "houses.csv", "--output", "houses.csv"],
        ["predict", "model.json", "houses.csv", "--output", "model.json"],
        ["run", "--points", "houses.csv", "--gamma", "1/4", "--output", "houses.csv"],
        ["run", "--points", "x.csv", "--gamma", "1/4", "--output", "t", "--queries", "t"],
    ):
        assert execute(call) == 2
        assert "given twice" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_the_names_of_rows_come_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    _write("houses.csv", _houses(filled=True))
    assert execute([*PLAN, "--budget", "30", "--output", "plan.csv"]) == 0
    fit = ["fit", "houses.csv", "--plan", "plan.csv", "--output", "model.json"]
    assert execute(fit) == 0
    rows = _houses(filled=False)
    _write("twice.csv", [rows[0], rows[1], rows[1]])
    _write("nameless.csv", [row[1:] for row in rows])
    told = {}
    for name in ("houses", "twice", "nameless"):
        capsys.readouterr()
        assert execute(["predict", "model.json", f"{name}.csv"]) == 0
        told[name] = capsys.readouterr().out.splitlines()
    assert told["houses"][0] == "parcel,price"
    assert told["houses"][1].startswith("p01,")
    assert told["twice"][0] == told["nameless"][0] == "row,price"
    assert execute(["predict", "model.json", "twice.csv", "--id", "parcel"]) == 2


def test_a_long_stage_is_announced_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its own pace from its first report on, and only where there is time left to wait."""
    clock = iter([0.0, 1.0, 4.0, 5.0, 6.0, 6.5, 10.0, 11.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    expected = facts.Expected()
    for stage, share in (
        ("reading", 0.010),
        ("reading", 0.012),
        ("reading", 0.018),  # 0.8 % in four seconds
        ("reading", 0.020),
        ("trials", 0.1),
        ("trials", 0.2),
        ("trials", 0.8),  # one second to go
        ("trials", 0.9),
    ):
        expected.report(stage, share)
    assert capsys.readouterr().err == "asura: reading: about 8.2 minutes to go\n"


def test_memory_that_runs_out_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("asura.engine.preparing.read_table", greedy)
    assert execute([*PLAN, "--budget", "30"]) == 2
    assert capsys.readouterr().err == "asura: the memory is used up: take fewer rows\n"
