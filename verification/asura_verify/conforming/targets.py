"""What can be judged: a command that speaks the protocol, or a Python callable."""

from __future__ import annotations

import copy
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from asura.errors import AsuraError
from asura_verify.conforming.process import CannotStart, Harness, HarnessFailed
from asura_verify.conforming.protocol import PROTOCOL, Started

Header = dict[str, Any]
Function = Callable[[Header], Iterable[object]]


class Refused(HarnessFailed):
    """The implementation answered with an error."""


class NotACallable(AsuraError):
    """A target that does not read `package.module:callable`."""


class Target(Protocol):
    """An implementation."""

    @property
    def name(self) -> str:
        """What it calls itself."""

    @property
    def invocation(self) -> str:
        """The end of a command line that names it."""

    def run(self, header: Header) -> list[str]:
        """The lines of its trace for a header with uniforms, or `HarnessFailed`."""

    def close(self) -> None:
        """Nothing is asked any more."""


def _trace(header: Header, name: str, precision: object, reply: Mapping[str, Any]) -> list[str]:
    """The lines of an answer, behind the header that was asked for."""
    iterations, result = reply.get("iterations"), reply.get("result")
    if not isinstance(iterations, list) or not isinstance(result, dict):
        raise Refused("the reply lacks the list `iterations` or the object `result`", value=reply)
    first = header | {"implementation": name}
    own = reply.get("precision", precision)
    if own is not None:
        first["precision"] = own
    return [json.dumps(x) for x in (first, *iterations, result)]


def _started(harness: Harness) -> Started:
    """The answer to `start`, or `CannotStart`."""
    reply = harness.start(PROTOCOL)
    try:
        return msgspec.convert(reply, Started)
    except msgspec.ValidationError as error:
        raise CannotStart(f"its answer to `start`: {error}", value=reply) from None


class CommandTarget:
    """A subprocess, started anew after every failure."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout: float,
        invocation: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command, self._timeout, self._environment = list(command), timeout, environment
        self._harness: Harness | None = None
        self._precision: int | None = None
        self.name = " ".join(command)
        self.invocation = f"-- {shlex.join(command)}" if invocation is None else invocation
        self._start()

    def _start(self) -> Harness:
        harness = Harness(self._command, timeout=self._timeout, environment=self._environment)
        try:
            started = _started(harness)
        except BaseException:
            harness.close()
            raise
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
            said = reply["error"]
            raise Refused(f"it answers with an error: {str(said)[:300]}", value=said)
        return _trace(header, self.name, self._precision, reply)

    def close(self) -> None:
        """End the process."""
        if self._harness is not None:
            self._harness.close()
            self._harness = None


def answered(function: Function, header: Header) -> dict[str, Any]:
    """What a callable returns, as an answer of the protocol, or `Refused`.

    Its lines may be dictionaries or text; of a header among them the precision is taken.
    """
    try:
        lines = list(function(copy.deepcopy(header)))
        records: list[Any] = [json.loads(x) if isinstance(x, str | bytes) else x for x in lines]
        json.dumps(records)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the implementation raises
        text = f"it raises {type(error).__name__}: {str(error)[:200]}"
        raise Refused(text, value=error) from None
    for record in records:
        if not isinstance(record, dict):
            text = f"it returns {str(record)[:80]!r}: expected the lines of a trace"
            raise Refused(text, value=record)
    answer = {}
    if records and "format" in records[0]:
        precision = records.pop(0).get("precision")
        if precision is not None:
            answer["precision"] = precision
    if not records:
        raise Refused("it returns no lines: expected those of a trace", value=records)
    return answer | {"iterations": records[:-1], "result": records[-1]}


class CallableTarget:
    """A Python callable in this process: no time limit, and it shares its fate."""

    def __init__(self, function: Function, name: str) -> None:
        self._function = function
        self.name = name
        self.invocation = f"--target {shlex.quote(name)}"

    def run(self, header: Header) -> list[str]:
        """Call it."""
        return _trace(header, self.name, None, answered(self._function, header))

    def close(self) -> None:
        """Nothing to end."""


def importable(text: str, *, timeout: float) -> CommandTarget:
    """The callable `package.module:name`, in a process of its own that can be ended."""
    module, _, name = text.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise NotACallable(f"{text!r}: expected package.module:callable", value=text)
    return CommandTarget(
        [sys.executable, "-m", "asura_verify.conforming.serve", text],
        timeout=timeout,
        invocation=f"--target {text}",
        environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
