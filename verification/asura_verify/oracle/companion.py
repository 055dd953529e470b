"""A second process for the views that follow a trace, so that a long one takes half the time.

It reads the same file, and a hint for every line that was judged; it answers with its findings.
Whatever goes wrong with it, the trace can be judged without.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import BinaryIO

import msgspec
from flint import ctx

from asura.trace import Line
from asura_verify.oracle.following import Findings, Follower
from asura_verify.oracle.judge import Judge
from asura_verify.oracle.reading import lines_of_file, opened
from asura_verify.oracle.witness import Hint

_encode = msgspec.json.Encoder().encode
_hint = msgspec.json.Decoder(Hint).decode
_findings = msgspec.json.Decoder(Findings).decode


class CompanionLost(Exception):
    """The second process did not start, died, or does not make sense."""


def cores() -> int:
    """How many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not a call of every system
        return os.cpu_count() or 1


class Companion:
    """What a `Follower` does, elsewhere."""

    def __init__(self, name: str, bits: int, *, exact: bool) -> None:
        # -P: the directory of the user holds data, no modules.
        command = [sys.executable, "-P", "-m", __name__, str(bits), str(int(exact)), name]
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise CompanionLost from error

    def __enter__(self) -> Companion:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no process behind."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what it was not told yet
                    pipe.close()
        self._process.wait()

    def line(self, _number: int, _line: Line, hint: Hint) -> None:
        """One line that was judged; waits when the other is far behind."""
        pipe = self._process.stdin
        if pipe is None:
            raise CompanionLost
        try:
            pipe.write(_encode(hint) + b"\n")
        except OSError as error:
            raise CompanionLost from error

    def findings(self) -> Findings:
        """At the end of the trace."""
        try:
            return _findings(self._process.communicate()[0])
        except (OSError, msgspec.DecodeError) as error:
            raise CompanionLost from error


def follow(name: str, bits: int, hints: BinaryIO, *, exact: bool) -> Findings | None:
    """Follow a file; nothing when the hints end before it does."""
    header, lines = opened(lines_of_file(name))
    with ctx.workprec(bits):
        follower = Follower(Judge(header, exact=exact))
        for number, line in lines:
            told = hints.readline()
            if not told:
                return None
            follower.line(number, line, _hint(told))
        return follower.findings()


def main(arguments: Sequence[str]) -> None:
    """Bits, whether exact, and the file."""
    bits, exact, name = arguments
    findings = follow(name, int(bits), sys.stdin.buffer, exact=bool(int(exact)))
    sys.stdout.buffer.write(_encode(findings))


if __name__ == "__main__":
    main(sys.argv[1:])
