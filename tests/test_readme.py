"""The README tells the truth: its examples run as printed."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from asura_verify.cli.main import execute

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_console_examples_print_what_they_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for block in blocks("console"):
        command, _, printed = block.partition("\n")
        assert command.startswith("$ asura ")
        assert execute(shlex.split(command.removeprefix("$ asura "))) == 0
        assert capsys.readouterr().out == printed


def test_the_python_example_runs() -> None:
    example, *_ = blocks("python")
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own text
    assert shown.getvalue().startswith("3 (Fraction(")


def test_the_trace_conforms_when_it_is_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = blocks("json")
    guide = (Path(__file__).parent.parent / "docs" / "conform.md").read_text(encoding="utf-8")
    assert example in guide
    trace = tmp_path / "trace.jsonl"
    trace.write_text(example, encoding="utf-8")
    assert execute(["check", str(trace)]) == 0
    assert "conforms, m = 2" in capsys.readouterr().out
    wrong = example.replace('"weight":2.0}', '"weight":2.001}')
    trace.write_text(wrong, encoding="utf-8")
    assert execute(["check", str(trace)]) == 1


def test_every_path_that_it_names_exists() -> None:
    root = Path(__file__).parent.parent
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (root / name).exists(), name
    for name in re.findall(r"^\| `([^`]+)`", README, flags=re.MULTILINE):
        assert (root / name).exists(), name


def test_its_tree_is_the_tree_on_disk() -> None:
    """Every room has its row, and so has a module that stands beside the rooms."""
    root = Path(__file__).parent.parent
    table = README.partition("## How the house is laid out")[2]
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", table, flags=re.MULTILINE)
    named = {name.rstrip("/") for first, _ in rows for name in re.findall("`([^`]+)`", first)}
    shown = named | {name.partition("/")[0] for name in named}
    words = " ".join(second for _, second in rows)
    for folder in ("", "reference/asura", "verification/asura_verify"):
        for path in (root / folder).iterdir():
            if path.name[0] not in "._" and (any(path.glob("*.py")) or any(path.glob("*/*.py"))):
                assert path.relative_to(root).as_posix() in shown, path
            if path.suffix == ".py" and folder.startswith("verification") and path.name[0] != "_":
                name = path.relative_to(root).as_posix()
                assert name in shown or f"`{path.name}`" in words, name


@pytest.mark.parametrize("package", ["reference/asura", "verification/asura_verify"])
def test_the_tests_mirror_the_rooms(package: str) -> None:
    root = Path(__file__).parent.parent
    rooms = {path.parent.name for path in (root / package).glob("*/__init__.py")}
    tests = {path.parent.name for path in (root / "tests" / Path(package).parts[0]).glob("*/*.py")}
    assert rooms <= tests


def test_it_counts_the_files_that_a_reviewer_reads() -> None:
    root = Path(__file__).parent.parent / "proofs_notes" / "coq"
    assert "the six files `Spec*.v`" in README
    assert len(list(root.glob("Spec*.v"))) == 6


def test_the_verdict_on_a_wrong_trace_is_the_one_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = blocks("text")
    assert execute(["vectors", "--traces", "."]) == 0
    capsys.readouterr()
    assert execute(["check", shown.partition(":")[0]]) == 1
    assert capsys.readouterr().out == shown
