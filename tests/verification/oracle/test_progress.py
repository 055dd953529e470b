"""What one sees while a long trace is checked."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from asura.dataset import dataset
from asura.randomness import Picks
from asura.run import run
from asura.trace import trace_lines
from asura_verify.cli import check as command_line
from asura_verify.cli.main import execute
from asura_verify.oracle.check import check_file
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.picks.distribution import DistributionTest
from asura_verify.report.text import say, wrapped


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A trace of three iterations or more, wrong in the third."""
    lines = list(trace_lines(run(dataset([[1], [2]]), "1/4")))
    lines[3] = json.dumps(json.loads(lines[3]) | {"phi": 17.0})
    path = tmp_path / "[red]wrong.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_every_reading_is_watched(wrong: Path) -> None:
    seen: list[tuple[int, int]] = []
    watched = check_file(str(wrong), watcher=lambda *where: seen.append(where))
    assert watched == check_file(str(wrong))
    sizes = [len(line) for line in wrong.read_bytes().splitlines(keepends=True)]
    first = [(1, sum(sizes[: k + 1])) for k in range(len(sizes))]
    assert seen[: len(sizes)] == first
    assert seen[len(sizes) :] == [(2, done) for _, done in first[:3]]  # up to the wrong one


def shown(monkeypatch: pytest.MonkeyPatch, name: str, *, terminal: bool) -> tuple[str, Ruling]:
    text = io.StringIO()

    def console(*, stderr: bool) -> Console:
        assert stderr
        return Console(file=text, force_terminal=terminal, width=60)

    monkeypatch.setattr("rich.console.Console", console)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    ruling = command_line._watched(name, DistributionTest()).ruling
    return text.getvalue(), ruling


def test_a_terminal_shows_a_bar_for_every_reading(
    monkeypatch: pytest.MonkeyPatch, wrong: Path
) -> None:
    text, ruling = shown(monkeypatch, str(wrong), terminal=True)
    assert ruling is Ruling.VIOLATES
    assert "[red]wrong.jsonl " in text
    assert "[red]wrong.jsonl, reading 2 " in text
    assert "0:00:0" in text
    assert text.endswith("\x1b[2K")  # wiped out
    judged = sum(len(line) for line in wrong.read_bytes().splitlines(keepends=True)[:3])
    assert f" {judged / wrong.stat().st_size:.0%}" in text  # where the second reading ends


def test_a_trace_that_conforms_is_read_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "right.jsonl"
    path.write_text("\n".join(trace_lines(run(dataset([[1], [2]]), "1/4"))))
    text, ruling = shown(monkeypatch, str(path), terminal=True)
    assert ruling is Ruling.CONFORMS
    assert "100%" in text
    assert "reading" not in text


def test_nothing_is_shown_elsewhere(monkeypatch: pytest.MonkeyPatch, wrong: Path) -> None:
    assert shown(monkeypatch, str(wrong), terminal=False) == ("", Ruling.VIOLATES)


def test_a_file_that_is_not_there_has_no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text, ruling = shown(monkeypatch, "nowhere/at.jsonl", terminal=True)
    assert ruling is Ruling.MALFORMED
    assert "at.jsonl" in text


def test_lines_fit_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "one: conforms, with words enough for two lines\n  required: 0.25 to 0.26 and more"
    for terminal in (False, True):
        monkeypatch.setattr("sys.stdout.isatty", lambda answer=terminal: answer, raising=False)
        monkeypatch.setenv("COLUMNS", "30")
        say(text + "\x1b[31m")
        lines = capsys.readouterr().out.splitlines()
        if terminal:
            assert lines == [
                "one: conforms, with words",
                "    enough for two lines",
                "  required: 0.25 to 0.26 and",
                "      more?[31m",
            ]
        else:
            assert lines == [*text.splitlines()[:1], text.splitlines()[1] + "?[31m"]


def test_words_are_not_cut() -> None:
    assert wrapped("again: " + "x" * 50, 20).splitlines() == ["again:", "    " + "x" * 50]
    assert wrapped("aa-bb " * 8, 21).splitlines()[0] == "aa-bb aa-bb aa-bb"
    assert wrapped("", 20) == ""
    assert wrapped("x" * 20, 20) == "x" * 20
    deep = " " * 30 + "x " * 40  # half of a line is left for the words
    assert [len(line) for line in wrapped(deep, 20).splitlines()] == [67, 67, 41]


def test_a_file_that_is_given_twice_counts_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(trace_lines(run(dataset([[1], [2]]), "1/4", chooser=Picks([1] * 20))))
    path, link = tmp_path / "trace.jsonl", tmp_path / "link.jsonl"
    path.write_text("\n".join(lines))
    link.symlink_to(path)
    assert execute(["check", str(path), str(link), str(path)]) == 0
    printed = capsys.readouterr().out
    assert printed.count("this file was given before: its picks count once") == 2
    assert " in 1 traces" in printed
    assert execute(["check", str(tmp_path / "absent"), str(tmp_path / "absent")]) == 2
    assert "given before" not in capsys.readouterr().out


def test_a_name_that_is_too_long_has_no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ruling = shown(monkeypatch, "a" * 5000, terminal=True)
    assert ruling is Ruling.MALFORMED
    _, ruling = shown(monkeypatch, "nul\0byte", terminal=True)
    assert ruling is Ruling.MALFORMED


def test_only_the_end_of_a_long_name_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text, _ = shown(monkeypatch, str(tmp_path / ("a" * 50)), terminal=True)
    assert "a" * 40 in text.replace("\n", "")
    assert "a" * 41 not in text.replace("\n", "")
    assert str(tmp_path) not in text
