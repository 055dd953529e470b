"""What one sees while a long trace is checked."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from asura.dataset import dataset
from asura.run import run
from asura.trace import trace_lines
from asura_verify.oracle import command_line
from asura_verify.oracle.check import check_file
from asura_verify.oracle.distribution import DistributionTest
from asura_verify.oracle.report import Ruling


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

    monkeypatch.setattr(command_line, "Console", console)
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
