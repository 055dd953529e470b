"""What the commands about plans and models share: two columns of text, and a progress bar."""

from __future__ import annotations

import contextlib
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


def show(facts: Mapping[str, str]) -> None:
    """Print names and texts in two columns, within the width of the terminal."""
    indent = max(map(len, facts)) + 2
    width = max(shutil.get_terminal_size().columns, indent + 20)
    for name, text in facts.items():
        print(
            textwrap.fill(
                text, width, initial_indent=f"{name:<{indent}}", subsequent_indent=" " * indent
            )
        )


def several(text: str | None) -> list[str] | None:
    """Names separated by commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


@contextlib.contextmanager
def stages() -> Iterator[Callable[[str, float], None]]:
    """Report the stages of a computation with the time left, on a terminal only."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _stage, _share: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        tasks = {"": progress.add_task("reading", total=1.0)}

        def report(stage: str, share: float) -> None:
            if stage not in tasks:
                progress.update(next(reversed(tasks.values())), visible=False)
                tasks[stage] = progress.add_task(stage, total=1.0)
            progress.update(tasks[stage], completed=share)

        yield report
