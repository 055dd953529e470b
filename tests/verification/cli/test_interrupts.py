"""A signal ends a plan within a second, wherever it is, and nothing half-written stays behind.

Real processes on a terminal of their own: a stage is recognised by the bar that shows it.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

COMMAND = "from asura_verify.cli.main import main; main()"
#: A second on an idle machine; the tests may share theirs with others.
SECONDS = 4.0


@contextmanager
def _on_a_terminal(options: list[str], setup: str = "") -> Iterator[tuple[int, int]]:
    """A process of `asura`, and what it writes to its terminal."""
    leader, follower = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", setup + COMMAND, *options],
        stdout=follower,
        stderr=follower,
        stdin=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    ) as process:
        os.close(follower)
        try:
            yield process.pid, leader
        finally:
            process.kill()
    os.close(leader)


def _until(leader: int, word: str, limit: float = 60.0) -> str:
    seen, end = "", time.monotonic() + limit
    while word not in seen and time.monotonic() < end:
        if select.select([leader], [], [], 0.2)[0]:
            seen += os.read(leader, 65536).decode(errors="replace")
    assert word in seen, seen[-300:]
    return seen


def _ended(process: int, leader: int, number: signal.Signals) -> tuple[float, int, str]:
    """How long the end took after the signal, the exit code, and what was said."""
    started = time.monotonic()
    os.kill(process, number)
    seen = ""
    while True:
        if select.select([leader], [], [], 0.05)[0]:
            with suppress(OSError):  # the other side is closed
                seen += os.read(leader, 65536).decode(errors="replace")
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return time.monotonic() - started, os.waitstatus_to_exitcode(status), seen
        assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    ("stage", "rows", "number"),
    [("leverages", 300_000, signal.SIGINT), ("free trials", 20_000, signal.SIGTERM)],
)
def test_a_signal_ends_the_passes_and_the_trials(
    stage: str, rows: int, number: signal.Signals, tmp_path: Path
) -> None:
    table = tmp_path / "x.npy"
    np.save(table, np.random.default_rng(0).standard_normal((rows, 60)))
    plan = ["plan", str(table), "--budget", "15000", "--output", str(tmp_path / "plan.csv")]
    with _on_a_terminal(plan) as (process, leader):
        _until(leader, stage)
        took, code, said = _ended(process, leader, number)
    assert code == 128 + number
    assert took < SECONDS
    assert "Traceback" not in said
    assert [p.name for p in tmp_path.iterdir()] == ["x.npy"]


#: Lines are written so slowly that the signal falls between two of them.
SLOWLY = """
import time
from asura.engine import plan_files
lines = plan_files.plan_lines
def slowly(plan):
    for line in lines(plan):
        print("WRITING", flush=True)
        time.sleep(SLEEP)
        yield line
plan_files.plan_lines = slowly
"""


@pytest.mark.parametrize(("sleep", "number"), [("0.05", signal.SIGINT), ("30", signal.SIGTERM)])
def test_a_signal_during_the_write_leaves_no_file(
    sleep: str, number: signal.Signals, tmp_path: Path
) -> None:
    options = ["plan", "example:houses.csv", "--target", "price", "--id", "parcel"]
    output = ["--budget", "30", "--output", str(tmp_path / "plan.csv")]
    with _on_a_terminal([*options, *output], SLOWLY.replace("SLEEP", sleep)) as (process, leader):
        _until(leader, "WRITING")
        took, code, said = _ended(process, leader, number)
    assert code == 128 + number
    assert took < SECONDS
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


def test_compiled_code_that_hears_nothing_is_ended_as_well(tmp_path: Path) -> None:
    """A library that holds the main thread for a minute, with a file under way."""
    deaf = """
import ctypes
from asura.engine import plan_files
lines = plan_files.plan_lines
def deaf(plan):
    yield "half"
    print("WRITING", flush=True)
    libc = ctypes.CDLL(None)
    for _ in range(60):
        left = libc.usleep(999_000)
        while left == -1:
            left = libc.usleep(999_000)
plan_files.plan_lines = deaf
"""
    options = ["plan", "example:houses.csv", "--target", "price", "--id", "parcel"]
    output = ["--budget", "30", "--output", str(tmp_path / "plan.csv")]
    with _on_a_terminal([*options, *output], deaf) as (process, leader):
        _until(leader, "WRITING")
        took, code, _ = _ended(process, leader, signal.SIGTERM)
    assert code == 128 + signal.SIGTERM
    assert took < SECONDS
    assert not list(tmp_path.iterdir())
