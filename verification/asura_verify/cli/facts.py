"""What the commands about plans and models share: lists of names, and a progress bar."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


def several(text: str | None) -> list[str] | None:
    """Names separated by commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


class Expected:
    """One line per long stage, as soon as it is clear how long it will be."""

    #: So many seconds a stage is watched, and so long it has to be.
    WATCHED, LONG = 3.0, 10.0

    def __init__(self) -> None:
        self.stage, self.began, self.first = "", 0.0, 0.0

    def report(self, stage: str, share: float) -> None:
        """A share of a stage is done; its first report starts the clock."""
        now = time.monotonic()
        if stage != self.stage:
            self.stage, self.began, self.first = stage, now, share
        spent = now - self.began
        if spent > self.WATCHED and share > self.first:
            left = spent * (1 - share) / (share - self.first)
            self.began = math.inf  # told, or too short to be told
            if left > self.LONG:
                unit, size = ("hours", 3600) if left > 7200 else ("minutes", 60)
                told = f"asura: {stage}: about {left / size:.2g} {unit} to go"
                print(told, file=sys.stderr, flush=True)


@contextlib.contextmanager
def stages() -> Iterator[Callable[[str, float], None]]:
    """Report the stages of a computation with the time left."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Expected().report
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        tasks = {"reading": progress.add_task("reading", total=1.0)}

        def report(stage: str, share: float) -> None:
            if stage not in tasks:
                progress.update(next(reversed(tasks.values())), visible=False)
                tasks[stage] = progress.add_task(stage, total=1.0)
            progress.update(tasks[stage], completed=share)

        yield report
