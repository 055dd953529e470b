"""Files are written whole or not at all, and only where a file belongs."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from asura.errors import AsuraError, UnwritableFile
from asura.files import writable, write_whole


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "report"
    write_whole(str(target), ["one", "two"])
    assert target.read_text() == "one\ntwo\n"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask
    target.chmod(0o600)
    write_whole(str(target), ["three"])
    assert target.read_text() == "three\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "report", tmp_path / "link"
    link.symlink_to(target)
    write_whole(str(link), ["text"])
    assert link.is_symlink()
    assert target.read_text() == "text\n"


def test_what_is_no_file_stays_what_it_is(tmp_path: Path) -> None:
    pipe, loop, device = tmp_path / "pipe", tmp_path / "loop", tmp_path / "device"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    device.symlink_to("/dev/null")
    for name in (pipe, loop, device, tmp_path, tmp_path / "absent" / "report", "nul\0byte"):
        with pytest.raises(UnwritableFile):
            write_whole(str(name), ["text"])
        with pytest.raises(UnwritableFile):
            writable(str(name))
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert device.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["device", "loop", "pipe"]


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "one"
        raise RuntimeError

    target = tmp_path / "report"
    target.write_text("before\n")
    with pytest.raises(RuntimeError):
        write_whole(str(target), lines())
    assert target.read_text() == "before\n"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_an_error_is_one_line_that_no_terminal_obeys() -> None:
    error = AsuraError("a\x1b[31m\n b\ud800" + "x" * 2000)
    assert error.line.startswith("AsuraError: a?[31m b?xxx")
    assert error.line.endswith("x...")
    assert len(error.line) == len("AsuraError: ") + 1000 + 3
    assert AsuraError("x" * 1000).line == "AsuraError: " + "x" * 1000
