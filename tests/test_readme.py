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
    root = Path(__file__).parent.parent
    named = set(re.findall(r"^\| `([^`]+)/`", README, flags=re.MULTILINE))
    for folder in ("", "verification/asura_verify"):
        rooms = {
            path.relative_to(root).as_posix()
            for path in (root / folder).iterdir()
            if any(path.glob("*.py")) or any(path.glob("*.md")) or any(path.glob("*/*.py"))
            if path.name[0] not in "._"
        }
        shown = {name if folder else name.partition("/")[0] for name in named}
        assert rooms <= shown, rooms - shown


def test_the_verdict_on_a_wrong_trace_is_the_one_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = blocks("text")
    assert execute(["vectors", "--traces", "."]) == 0
    capsys.readouterr()
    assert execute(["check", shown.partition(":")[0]]) == 1
    assert capsys.readouterr().out == shown
