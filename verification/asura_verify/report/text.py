"""Words on a terminal: nothing that is printed can move the cursor, and lines fit."""

from __future__ import annotations

import shutil
import sys
import textwrap


def printable(text: str) -> str:
    """Neither XML nor a terminal wants control characters."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def on_one_line(text: str) -> str:
    """A name for people, whatever it holds."""
    return printable(text).replace("\n", "?")


def say(text: str) -> None:
    """Print lines; on a terminal none is longer than it is wide, if words allow."""
    text = printable(text)  # names and values are anybody's
    if sys.stdout.isatty():
        text = wrapped(text, shutil.get_terminal_size().columns)
    print(text, flush=True)


def wrapped(text: str, width: int) -> str:
    """Lines broken between words, what follows a break further to the right.

    >>> print(wrapped("  remark: some values were hardly judged", 24))
      remark: some values
          were hardly judged
    """
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        lines += textwrap.wrap(
            line,
            max(width, 2 * len(indent)),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)
