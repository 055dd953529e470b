"""A Python callable behind `asura-sampler/1`.

Started as `python -m asura_verify.conforming.samplers.serve PACKAGE:NAME`.

It is called with the request (sampler, points, size, count, seed) and returns the samples.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from asura_verify.conforming.samplers.session import PROTOCOL
from asura_verify.conforming.serve import found, speak
from asura_verify.conforming.targets import NotACallable


def serve(text: str, requests: TextIO, answers: TextIO) -> None:
    """Answer every request; the callable is imported with the first."""
    function: Any = None
    for line in requests:
        request = json.loads(line)
        if request["cmd"] == "stop":
            break
        reply: dict[str, Any] = {"seq": request["seq"]}
        try:
            if request["cmd"] == "start":
                function = found(text)
                reply |= {"protocol": PROTOCOL, "implementation": text}
            else:
                samples = function(request)
                reply["samples"] = [[int(i) for i in sample] for sample in samples]
        except NotACallable as error:
            reply["error"] = str(error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises
            reply["error"] = f"it raises {type(error).__name__}: {str(error)[:200]}"
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    speak(serve)
