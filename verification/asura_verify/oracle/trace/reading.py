"""Reading traces that nobody vouches for: regular files, bounded lines, affordable data."""

from __future__ import annotations

import itertools
import math
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from asura.errors import NotATrace, UnreadableFile
from asura.trace import HeaderLine, Line, parse_trace, trace_scalar

#: Longest line, in bytes: some two million numbers.
LONGEST_LINE = 1 << 26
#: Points times squared width, and for long numbers more: seconds of exact arithmetic.
LARGEST_DATA = 1 << 23
#: Bits of a common denominator beyond which nothing is affordable.
TALLEST = 1 << 20


def lines_of_file(name: str) -> Iterator[bytes]:
    """The lines of a regular file; links are followed, devices and pipes refused."""
    try:
        path = Path(name)
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableFile(f"{name}: not a regular file, expected a trace")
        with path.open("rb") as file:
            while text := file.readline(LONGEST_LINE + 1):
                yield text
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableFile(f"{name}: {reason}") from None


def untrusted(lines: Iterable[bytes]) -> Iterator[tuple[int, Line]]:
    """The lines of a trace, none too long."""
    return parse_trace(lines, longest=LONGEST_LINE)


def opened(lines: Iterable[bytes]) -> tuple[HeaderLine, Iterator[tuple[int, Line]]]:
    """The header, and what follows; a reader yields a header first, or raises."""
    rest = untrusted(lines)
    _, header = next(rest)
    return cast("HeaderLine", header), rest


def without_effect(header: HeaderLine) -> tuple[str, ...]:
    """What a header says that no value of the trace depends on, as remarks.

    >>> without_effect(HeaderLine("asura-trace/1", 0.25, [[1]], 1, level=2))
    ("level 2 has no effect: expected stopping 'sure', the only rule that has a level",)
    """
    # A level of 1 is what an absent one means, and the bound of the paper's rule is that of T = 1.
    if trace_scalar(header.level) == 1:
        return ()
    given = str(header.level)[:40]
    if header.variant == "one-sided":
        return (f"level {given} has no effect: the one-sided variant ends by its draws",)
    if header.stopping == "sure":
        return ()
    sure = "expected stopping 'sure', the only rule that has a level"
    return (f"level {given} has no effect: {sure}",)


def _heights(values: Iterable[int | float | str]) -> int:
    """Bits of the longest value over the common denominator of all."""
    common, largest = 1, 0
    for raw in values:
        value = trace_scalar(raw)
        common = math.lcm(common, value.denominator)
        largest = max(largest, value.numerator.bit_length() - value.denominator.bit_length())
        if common.bit_length() > TALLEST:
            break
    return max(largest, 0) + 2 * common.bit_length()


def refuse_unaffordable(header: HeaderLine) -> None:
    """Data whose exact arithmetic would take minutes."""
    width = max((len(row) for row in header.points), default=0)
    entries = len(header.points) * width * width
    cost = float(entries)
    if cost <= LARGEST_DATA:
        numbers = itertools.chain(*header.points, header.squared_scales or ())
        cost *= 1 + (_heights(numbers) / 512) ** 2
    if cost > LARGEST_DATA:
        raise NotATrace(
            f"line 1, field `points`: {len(header.points)} rows of {width} such numbers are too "
            "much to judge exactly"
        )
