"""Reading traces that nobody vouches for: regular files, bounded lines, affordable data."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from asura.errors import NotATrace, UnreadableFile
from asura.trace import HeaderLine, Line, parse_trace, trace_scalar

#: Longest line, in bytes: some two million numbers.
LONGEST_LINE = 1 << 26
#: Points times squared width times bits of the longest coordinate: seconds of exact arithmetic.
LARGEST_DATA = 1 << 31


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


def refuse_unaffordable(header: HeaderLine) -> None:
    """Data whose exact arithmetic would take minutes."""
    width = max((len(row) for row in header.points), default=0)
    numbers = [x for row in header.points for x in row] + list(header.squared_scales or ())
    longest = 64
    for raw in numbers:
        if isinstance(raw, str):
            value = trace_scalar(raw)
            longest = max(longest, value.numerator.bit_length() + value.denominator.bit_length())
        elif isinstance(raw, float) and raw != 0 and not 1e-18 < abs(raw) < 1e18:
            longest = max(longest, 1100)
    cost = len(header.points) * width * width * longest
    if cost > LARGEST_DATA:
        raise NotATrace(
            f"line 1, field `points`: {len(header.points)} rows of {width} numbers with up to "
            f"{longest} bits are too much to judge exactly"
        )
