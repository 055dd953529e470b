"""An implementation as a subprocess that speaks JSON lines: started, asked, and always ended.

One request per line on its standard input, one reply per line on its standard output. A process
that crashes, hangs, chatters or answers something else is reported as such; its whole process
group is killed, so that nothing is left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from asura.errors import AsuraError

#: Longest reply, and how much of the standard error is kept.
LONGEST_REPLY = 1 << 26
KEPT = 2000


class HarnessFailed(AsuraError):
    """The implementation did not answer as the protocol asks."""


class CannotStart(HarnessFailed):
    """The command cannot be run."""


class Crashed(HarnessFailed):
    """The process ended before it answered."""


class TimedOut(HarnessFailed):
    """The process did not answer, or did not read, in time."""


class Chattered(HarnessFailed):
    """The process printed something that is no reply."""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # the real-time ones have no names
        return str(number)


class Harness:
    """One running implementation."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout: float,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command, self.timeout = list(command), timeout
        self._buffer = b""
        self._complaints = b""
        self._count = 0
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command, no shell
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=environment,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CannotStart(f"{self.command[0]}: {reason}", value=self.command) from None
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)

    def _tail(self) -> str:
        text = " ".join(self._complaints[-KEPT:].decode("utf-8", "replace").split())
        return f"; its last words: {text[-300:]}" if text else ""

    def _exchange(self, request: bytes, timeout: float) -> bytes:
        """Send a line and wait for one, reading and writing as the process allows."""
        process = self._process
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise Crashed("the process has no pipes", value=self.command)
        deadline = time.monotonic() + timeout
        pending = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            if pending:
                selector.register(stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._buffer:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimedOut(f"no answer within {timeout:g} s{self._tail()}", value=timeout)
                for key, _ in selector.select(min(left, 0.5)):
                    if key.fileobj is stdin:
                        pending = self._write(stdin.fileno(), pending)
                        if not pending:
                            selector.unregister(stdin)
                    elif key.fileobj is stderr:
                        chunk = os.read(stderr.fileno(), 65536)
                        self._complaints = (self._complaints + chunk)[-KEPT:]
                        if not chunk:
                            selector.unregister(stderr)
                    else:
                        chunk = os.read(stdout.fileno(), 1 << 20)
                        self._buffer += chunk
                        if not chunk:
                            raise self._crashed()
                        if len(self._buffer) > LONGEST_REPLY:
                            text = f"a reply of more than {LONGEST_REPLY} bytes"
                            raise Chattered(text, value=len(self._buffer))
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _write(self, descriptor: int, pending: memoryview) -> memoryview:
        try:
            return pending[os.write(descriptor, pending[:65536]) :]
        except BlockingIOError:
            return pending
        except BrokenPipeError:
            raise self._crashed() from None

    def _crashed(self) -> Crashed:
        """How it ended, with its exit code."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        if self._process.stderr is not None:
            with contextlib.suppress(BlockingIOError, OSError):
                self._complaints += os.read(self._process.stderr.fileno(), 65536)
        if code is None:
            return Crashed(f"it closed its output and did not end{self._tail()}", value=code)
        how = f"exit code {code}" if code >= 0 else f"signal {_signal_name(-code)}"
        return Crashed(f"it ended with {how} before it answered{self._tail()}", value=code)

    def start(self, protocol: str) -> dict[str, Any]:
        """The answer to `start` in this protocol, or `CannotStart`."""
        reply = self.ask({"cmd": "start", "protocol": protocol})
        if "error" in reply:
            raise CannotStart(str(reply["error"])[:300], value=reply["error"])
        if reply.get("protocol") != protocol:
            spoken = reply.get("protocol")
            raise CannotStart(f"it speaks {spoken!r}: expected {protocol!r}", value=spoken)
        return reply

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request and its reply."""
        if self._buffer.strip():
            raise Chattered(f"unasked output: {self._buffer[:80]!r}", value=self._buffer)
        self._count += 1
        line = json.dumps(request | {"seq": self._count}).encode() + b"\n"
        answer = self._exchange(line, self.timeout)
        try:
            reply = json.loads(answer)
        except (ValueError, RecursionError) as error:
            at = getattr(error, "pos", 0)  # of a long line, what is wrong in it
            raise Chattered(
                f"not JSON at character {at + 1}: {answer[max(0, at - 30) : at + 50]!r}",
                value=answer,
            ) from None
        if not isinstance(reply, dict):
            raise Chattered(f"not a JSON object: {answer[:80]!r}", value=answer)
        if reply.get("seq") != self._count:
            number = reply.get("seq")
            raise Chattered(f"seq is {number!r}: expected {self._count}", value=number)
        return reply

    def close(self) -> None:
        """Say stop, wait a moment, then kill the whole group."""
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            if process.stdin is not None:
                os.write(process.stdin.fileno(), b'{"cmd": "stop"}\n')
                process.stdin.close()
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        finally:  # even if interrupted again
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
