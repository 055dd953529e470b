"""The protocol `asura-conform/1`: what is asked and what is answered, one JSON object per line.

The published schema is `protocol.schema.json`. A request has no other fields than these; further
fields of an answer are ignored, those of its iterations and its result are refused, as in a trace.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from asura.trace import Index, IterationLine, Positive, ResultLine

PROTOCOL: Literal["asura-conform/1"] = "asura-conform/1"

Number = int | float
Sequel = Annotated[int, Meta(ge=1, description="counts the requests; an answer repeats it")]


class Header(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The header of a trace, in JSON numbers and with uniforms."""

    format: Literal["asura-trace/1"]
    gamma: Annotated[
        Number, Meta(description="0 < gamma < 1/2; below 1 at tight rates; nu if one-sided")
    ]
    points: Annotated[list[list[Number]], Meta(description="the rows of X, those of X_1 first")]
    unlabelled: Annotated[Index, Meta(description="how many leading rows are X_1")]
    uniforms: Annotated[list[Number], Meta(description="more than a correct run needs")]
    squared_scales: list[Number] | None = None
    labels: list[Number | None] | None = None
    stopping: Literal["paper", "sure"] = "paper"
    level: Annotated[Number, Meta(description="the level T of the rule `sure`")] = 1
    rates: Annotated[
        Literal["paper", "tight"], Meta(description="asked for with `--only variants`")
    ] = "paper"
    variant: Annotated[
        Literal["asura", "two-sided", "one-sided"],
        Meta(description="asked for with `--only variants`"),
    ] = "asura"
    ending: Annotated[
        Literal["overshoot", "clip", "coin"], Meta(description="how a kept variant ends")
    ] = "overshoot"
    draws: Annotated[
        Number | None, Meta(description="the expected draws N of the one-sided variant")
    ] = None


class Start(Struct, forbid_unknown_fields=True, tag_field="cmd", tag="start"):
    """The first request."""

    protocol: Literal["asura-conform/1"]
    seq: Sequel


class Run(Struct, forbid_unknown_fields=True, tag_field="cmd", tag="run"):
    """Ask for one run."""

    header: Header
    seq: Sequel


class Stop(Struct, forbid_unknown_fields=True, tag_field="cmd", tag="stop"):
    """The last request; it has no answer."""


class Started(Struct):
    """The answer to `start`."""

    seq: Sequel
    protocol: Literal["asura-conform/1"]
    implementation: Annotated[str, Meta(description="a name and version")] | None = None
    precision: Annotated[Positive, Meta(description="bits of its arithmetic, or 53")] | None = None


class Done(Struct):
    """The answer to `run`: the lines of a trace behind its header."""

    seq: Sequel
    iterations: list[IterationLine]
    result: ResultLine
    precision: Annotated[Positive, Meta(description="of this run, if another")] | None = None


class Failed(Struct):
    """The other answer to `run`."""

    seq: Sequel
    error: Annotated[str, Meta(description="why there is no run")]


REQUESTS = (Start, Run, Stop)
ANSWERS = (Started, Done, Failed)


def schema() -> dict[str, Any]:
    """The JSON Schema of requests and answers."""
    _, components = msgspec.json.schema_components(
        [*REQUESTS, *ANSWERS], ref_template="#/$defs/{name}"
    )

    def one_of(*names: str) -> dict[str, Any]:
        return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "description": "One line: a request to the implementation, or its answer.",
        **one_of("Request", "Answer"),
        "$defs": {
            **components,
            "Request": one_of(*(kind.__name__ for kind in REQUESTS)),
            "Answer": one_of(*(kind.__name__ for kind in ANSWERS)),
        },
    }


def schema_text() -> str:
    """The schema as the file `protocol.schema.json` holds it."""
    return json.dumps(schema(), indent=2, sort_keys=True) + "\n"
