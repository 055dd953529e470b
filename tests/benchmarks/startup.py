"""How long commands take to start: `python -m tests.benchmarks.startup`.

Each is a process of its own; user and system time together, the median of so many runs. All modules
are compiled before, as they are in an installed package. The floors beside them are what Python and
the two libraries take that every check needs.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

RUNS = 11
#: Seconds of processor time that a command may take, on an idle machine of two cores.
LIMIT = 0.35
ASURA = "from asura_verify.cli.main import main; main()"


def processor_time(command: Sequence[str]) -> float:
    """User and system time of one process."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def asura(*arguments: str) -> list[str]:
    """The command, by the interpreter that runs this."""
    return [sys.executable, "-c", ASURA, *arguments]


def main() -> None:
    """Print the table; exit with 1 when a command takes longer than its limit."""
    with tempfile.TemporaryDirectory() as folder:
        trace = str(Path(folder) / "trace.jsonl")
        data = ("--points", "example:small.csv", "--gamma", "1/8")
        subprocess.run(asura("run", *data, "--output", trace), capture_output=True, check=True)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import numpy, flint": [sys.executable, "-c", "import numpy, flint"],
            "import asura": [sys.executable, "-c", "import asura"],
            "asura --help": asura("--help"),
            "asura check, 120 iterations": asura("check", trace),
        }
        for command in commands.values():
            processor_time(command)  # compiles what is not compiled yet
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):  # in turns, so that they share the noise
            for name, command in commands.items():
                times[name].append(processor_time(command))
    slow = False
    for name, found in times.items():
        middle = statistics.median(found)
        slow = slow or middle > LIMIT
        print(f"{name:<30} {middle:.3f} s, from {min(found):.3f} to {max(found):.3f}")
    if slow:
        sys.exit(f"a command takes longer than {LIMIT} s to start")


if __name__ == "__main__":
    main()
