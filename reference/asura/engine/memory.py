"""How much memory there is, and a refusal in one line before a computation that cannot fit.

>>> require(10**30, "a table of that size")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
asura.errors.MemoryTooSmall: a table of that size needs about ... GiB, and ... GiB are free
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from asura.errors import MemoryTooSmall

#: What a plan keeps per row of the pool besides the table: leverages, their sums, masks, numbers.
BYTES_PER_ROW = 80


def _free_by_the_kernel() -> int | None:
    """Linux says how much can be had without swapping."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    return None


def _taken() -> int:
    """The addresses that this process has taken already."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _limit() -> int | None:
    """What the shell (ulimit -v) or a container allows."""
    found = []
    try:
        import resource  # noqa: PLC0415 - not everywhere

        allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            found.append(max(0, allowed - _taken()))
    except (ImportError, OSError, ValueError):
        pass
    with contextlib.suppress(OSError, ValueError):
        found.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(found) if found else None


def available() -> int:
    """The bytes that a computation may take; very many where nobody can say."""
    free = _free_by_the_kernel()
    if free is None:
        try:
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (ValueError, OSError, AttributeError):
            free = 1 << 50
    limit = _limit()
    return free if limit is None else min(free, limit)


def gibibytes(size: int) -> str:
    """For people.

    >>> gibibytes(3 << 30), gibibytes(3 << 20)
    ('3.0', '0.0029')
    """
    value = size / (1 << 30)
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def require(needed: int, what: str, advice: str = "") -> None:
    """Refuse a computation that needs more than there is."""
    free = available()
    if needed > free:
        raise MemoryTooSmall(
            f"{what} needs about {gibibytes(needed)} GiB, and {gibibytes(free)} GiB are free"
            + (f": {advice}" if advice else ""),
            value=needed,
        )
