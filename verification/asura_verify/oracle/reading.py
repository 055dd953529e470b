"""Reading traces that nobody vouches for: bounded lines, no repeated keys, affordable data."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from asura.errors import NotATrace, UnreadableFile
from asura.trace import HeaderLine, trace_scalar

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


def _refuse_repeated(pairs: list[tuple[str, object]]) -> None:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise NotATrace(f"the key {key[:40]!r} is repeated")
        seen.add(key)


def _skip(text: str) -> None:  # noqa: ARG001 - a number is not of interest here
    return None


_KEYS = json.JSONDecoder(
    object_pairs_hook=_refuse_repeated,
    parse_float=_skip,
    parse_int=_skip,
    parse_constant=_skip,
)


def checked(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same lines, none too long and none with a repeated key."""
    for number, text in enumerate(lines, start=1):
        if len(text) > LONGEST_LINE:
            raise NotATrace(f"line {number} has more than {LONGEST_LINE} bytes")
        try:
            _KEYS.decode(text.decode("utf-8"))
        except NotATrace as error:
            raise NotATrace(f"line {number}: {error}") from None
        except RecursionError:
            raise NotATrace(f"line {number} is nested too deeply") from None
        except ValueError:
            pass  # not JSON, or not UTF-8: the reader says what is wrong
        yield text


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
