"""A Python callable behind the protocol: `python -m asura_verify.conforming.serve PACKAGE:NAME`."""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

from asura_verify.conforming.protocol import PROTOCOL
from asura_verify.conforming.targets import Function, NotACallable, Refused, answered


def found(text: str) -> Function:
    """The callable `package.module:name`."""
    module, _, name = text.partition(":")
    try:
        function = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - importing runs any code
        reason = f"{type(error).__name__}: {error}"
        raise NotACallable(
            f"{text}: {reason}: expected package.module:callable", value=text
        ) from None
    if not callable(function):
        raise NotACallable(
            f"{text}: not callable, expected package.module:callable", value=function
        )
    return function


def serve(text: str, requests: TextIO, answers: TextIO) -> None:
    """Answer every request; the callable is imported with the first."""
    function: Function | None = None
    for line in requests:
        request = json.loads(line)
        if request["cmd"] == "stop":
            break
        reply: dict[str, Any] = {"seq": request["seq"]}
        try:
            if function is None:
                function = found(text)
                reply |= {"protocol": PROTOCOL, "implementation": text}
            else:
                reply |= answered(function, request["header"])
        except (NotACallable, Refused) as error:
            reply["error"] = str(error)
        print(json.dumps(reply), file=answers, flush=True)


def speak(serving: Callable[[str, TextIO, TextIO], None]) -> None:
    """Speak on what was the standard output; what the callable prints goes elsewhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serving(sys.argv[1], sys.stdin, answers)


if __name__ == "__main__":
    speak(serve)
