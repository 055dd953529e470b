"""A second process for the views that follow a trace, so that a long one takes less time.

It gets every line, and with each what the judge computed; it answers with its findings. If it
ends in any other way, the trace can be judged without.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import BinaryIO

import msgspec
from flint import ctx

from asura.trace import Line
from asura_verify.oracle.trace.reading import opened
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.reported_state import JudgedLine
from asura_verify.oracle.views.reported_views import Findings, ReportedViews

_encode_judged = msgspec.json.Encoder().encode
_decode_judged = msgspec.json.Decoder(JudgedLine).decode
_encode_findings = msgspec.msgpack.Encoder().encode  # infinite gaps, too
_decode_findings = msgspec.msgpack.Decoder(Findings).decode

#: Bytes that may wait to be read, so that the judge need not wait while the other process starts.
_AHEAD = 1 << 20


class ViewProcessLost(Exception):
    """The second process did not start, died, or does not make sense."""


def cores() -> int:
    """How many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not a call of every system
        return os.cpu_count() or 1


class Latest(Iterator[bytes]):
    """Lines as they are read; the latest one is kept."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self.text = b""

    def __next__(self) -> bytes:
        """The next line."""
        self.text = next(self._lines)
        return self.text


class ViewProcess:
    """What a `ReportedViews` does, elsewhere; made when the header was read."""

    def __init__(self, read: Latest, bits: int, *, exact: bool) -> None:
        code = f"from {__name__} import main; main()"
        # -P: the directory of the user holds data, no modules; the path: the same ones as here.
        command = [sys.executable or "", "-P", "-c", code, str(bits), str(int(exact))]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this very module, no shell
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pipesize=_AHEAD,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        except OSError as error:
            raise ViewProcessLost from error
        self._tell(b"", read.text)

    def __enter__(self) -> ViewProcess:
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

    def _tell(self, what: bytes, text: bytes) -> None:
        """Something, and a line; waits when the other is far behind."""
        pipe = self._process.stdin
        if pipe is None:
            raise ViewProcessLost
        try:
            pipe.write(what + text if text.endswith(b"\n") else what + text + b"\n")
        except OSError as error:
            raise ViewProcessLost from error

    def line(self, _number: int, _line: Line, judged: JudgedLine, text: bytes) -> None:
        """One line that was judged, as it was read."""
        self._tell(_encode_judged(judged) + b"\n", text)

    def findings(self) -> Findings:
        """At the end of the trace."""
        try:
            return _decode_findings(self._process.communicate()[0])
        except (OSError, msgspec.DecodeError) as error:
            raise ViewProcessLost from error


def follow(told: BinaryIO, bits: int, *, exact: bool) -> Findings:
    """Follow what a `ViewProcess` tells: the header, then a judged and a line in turn."""
    judged_lines: list[bytes] = []

    def texts() -> Iterator[bytes]:
        yield told.readline()
        while judged := told.readline():
            judged_lines.append(judged)
            yield told.readline()

    header, lines = opened(texts())
    with ctx.workprec(bits):
        views = ReportedViews(Judge(header, exact=exact))
        for number, line in lines:
            views.line(number, line, _decode_judged(judged_lines.pop()))
        return views.findings()


def main() -> None:
    """The second process; its arguments are the bits, and whether values claim to be exact."""
    bits, exact = map(int, sys.argv[1:])
    sys.stdout.buffer.write(_encode_findings(follow(sys.stdin.buffer, bits, exact=bool(exact))))
