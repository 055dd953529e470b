"""What can be judged: a command that speaks the protocol, or a Python callable."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import msgspec

from asura.errors import AsuraError
from asura_verify.conform.process import CannotStart, Harness, HarnessFailed
from asura_verify.conform.protocol import PROTOCOL, Started

Header = dict[str, Any]


class Refused(HarnessFailed):
    """The implementation answered with an error."""


class NotACallable(AsuraError):
    """A target `package.module:callable` that cannot be imported."""


class Target(Protocol):
    """An implementation."""

    @property
    def name(self) -> str:
        """What it calls itself."""
        ...

    def run(self, header: Header) -> list[str]:
        """The lines of its trace for a header with uniforms, or `HarnessFailed`."""
        ...

    def close(self) -> None:
        """Nothing is asked any more."""
        ...


class CommandTarget:
    """A subprocess, started anew after every failure."""

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        self._command, self._timeout = list(command), timeout
        self._harness: Harness | None = None
        self._precision: int | None = None
        self.name = " ".join(command)
        self._start()

    def _start(self) -> Harness:
        harness = Harness(self._command, timeout=self._timeout)
        try:
            reply = harness.ask({"cmd": "start", "protocol": PROTOCOL})
        except BaseException:
            harness.close()
            raise
        if reply.get("protocol") != PROTOCOL:
            harness.close()
            raise CannotStart(f"it speaks {reply.get('protocol')!r}: expected {PROTOCOL!r}")
        try:
            started = msgspec.convert(reply, Started)
        except msgspec.ValidationError as error:
            harness.close()
            raise CannotStart(f"its answer to `start`: {error}") from None
        self.name = (started.implementation or self.name)[:200]
        self._precision = started.precision
        self._harness = harness
        return harness

    def run(self, header: Header) -> list[str]:
        """Ask for one run."""
        harness = self._harness or self._start()
        try:
            reply = harness.ask({"cmd": "run", "header": header})
        except BaseException:
            self.close()
            raise
        if "error" in reply:
            raise Refused(f"it answers with an error: {str(reply['error'])[:300]}")
        iterations, result = reply.get("iterations"), reply.get("result")
        if not isinstance(iterations, list) or not isinstance(result, dict):
            self.close()
            raise Refused("the reply lacks the list `iterations` or the object `result`")
        first = header | {"implementation": self.name}
        if self._precision is not None:
            first["precision"] = self._precision
        return [json.dumps(x) for x in (first, *iterations, result)]

    def close(self) -> None:
        """End the process."""
        if self._harness is not None:
            self._harness.close()
            self._harness = None


class CallableTarget:
    """A Python callable that takes a header and returns the lines of its trace.

    Lines may be dictionaries or text; a header among them is replaced by the one that was asked.
    """

    def __init__(self, function: Callable[[Header], Iterable[object]], name: str) -> None:
        self._function = function
        self.name = name

    def run(self, header: Header) -> list[str]:
        """Call it."""
        try:
            lines = list(self._function(dict(header)))
            records: list[Any] = [
                json.loads(line) if isinstance(line, str) else line for line in lines
            ]
            if records and isinstance(records[0], dict) and "format" in records[0]:
                precision = records.pop(0).get("precision")
                if precision is not None:
                    header = header | {"precision": precision}
            return [json.dumps(x) for x in (header | {"implementation": self.name}, *records)]
        except Exception as error:  # noqa: BLE001 - whatever the implementation raises
            raise Refused(f"it raises {type(error).__name__}: {str(error)[:200]}") from None

    def close(self) -> None:
        """Nothing to end."""


def importable(text: str) -> CallableTarget:
    """The callable `package.module:name`."""
    module, _, name = text.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise NotACallable(f"{text}: {error}: expected package.module:callable") from None
    if not callable(function):
        raise NotACallable(f"{text}: not callable, expected package.module:callable")
    return CallableTarget(function, text)
