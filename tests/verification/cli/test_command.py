"""The command `asura` as a process: signals, pipes, and what it leaves behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from asura.dataset import dataset
from asura.run import run
from asura.trace import trace_lines

ASURA = Path(sys.executable).with_name("asura")
#: Starts a command with signals as on a terminal, or with SIGHUP ignored, as under nohup.
USUAL, NOHUP = (
    "import os, signal, sys\n"
    "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):\n"
    f"    signal.signal(number, signal.{how} if number == signal.SIGHUP else signal.SIG_DFL)\n"
    "os.execv(sys.argv[1], sys.argv[1:])\n"
    for how in ("SIG_DFL", "SIG_IGN")
)


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(trace_lines(run(dataset([[1], [2]]), "1/4"))))
    return path


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:  # gone by now
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_implementation_behind(number: signal.Signals, tmp_path: Path) -> None:
    """The implementation ignores what it can ignore."""
    note, program = tmp_path / "pid", tmp_path / "program.py"
    program.write_text(
        "import os, signal, sys, time\n"
        "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        f"open({str(note)!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(60)\n"
    )
    command = [str(ASURA), "smoke", "--timeout", "50", "--", sys.executable, str(program)]
    command = [sys.executable, "-c", USUAL, *command]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as tool:
        for _ in range(400):
            if note.exists() and note.read_text():
                break
            time.sleep(0.05)
        tool.send_signal(number)
        assert tool.wait(20) == 128 + number
        words = tool.stderr.read() if tool.stderr is not None else b""
    assert b"Traceback" not in words
    assert (b"interrupted" in words) == (number is signal.SIGINT)
    assert not alive(int(note.read_text()))


def test_a_hang_up_is_ignored_under_nohup() -> None:
    """A handler that were set nevertheless would end the tool with 129."""
    text = (
        "import os, signal, sys\n"
        "from asura_verify.cli import main as command_line\n"
        "command_line.execute = lambda: os.kill(os.getpid(), signal.SIGHUP) or 0\n"
        "command_line.main()\n"
    )
    for how, code in ((NOHUP, 0), (USUAL, 129)):
        command = [sys.executable, "-c", how, sys.executable, "-c", text]
        assert subprocess.run(command, check=False).returncode == code


def test_output_that_nobody_reads_is_no_verdict(trace: Path) -> None:
    for form in ("pretty", "json"):
        command = f"set -o pipefail; '{ASURA}' check --format {form} '{trace}' | true"
        done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
        assert done.returncode in {0, 141}  # read in time, or not
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told(trace: Path) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device, not a path
        done = subprocess.run(
            [ASURA, "check", trace], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"asura: cannot write: No space left")
    assert done.stderr.count(b"\n") == 1
