"""The valid vectors as cases: a header of doubles, and the picks that must be made again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from asura.trace import trace_scalar
from asura_verify.conform.cases import Case, uniforms
from asura_verify.oracle.report import SLUGS, Judgement, Ruling, Violation
from asura_verify.vectors.model import FLAGS, Vector, load

#: A case that is a vector is named after it.
PREFIX = "vector:"
_NUMBERS = ("gamma", "points", "squared_scales", "labels", "uniforms", "level")


def _double(value: Any) -> Any:
    if isinstance(value, list):
        return [_double(entry) for entry in value]
    return None if value is None else float(trace_scalar(value))


def _same(given: Any, rounded: Any) -> bool:
    """Whether rounding changed nothing."""
    if isinstance(given, list):
        return all(map(_same, given, rounded))
    return given is None or trace_scalar(given) == trace_scalar(rounded)


def vector_case(vector: Vector) -> Case:
    """A valid vector: rationals are rounded to doubles, and spare uniforms appended."""
    records = [json.loads(line) for line in vector.lines]
    header: dict[str, Any] = records[0]
    for name in ("precision", "implementation"):
        header.pop(name, None)
    given = {name: header[name] for name in _NUMBERS if name in header}
    header |= {name: _double(value) for name, value in given.items()}
    rounding = "" if _same(list(given.values()), [header[x] for x in given]) else ", in doubles"
    header["uniforms"] += uniforms(1, len(header["uniforms"]) + 16)
    return Case(
        f"{PREFIX}{vector.name}",
        "; ".join([vector.comment + rounding, *(FLAGS[f] for f in vector.flags if f != "exact")]),
        header,
        tuple(vector.flags),
        tuple(vector.slugs),
        tuple(record["index"] for record in records[1:-1]),
    )


def vector_cases() -> Iterator[Case]:
    """All packaged vectors that conform."""
    for group in load():
        for vector in group.vectors:
            if vector.verdict == "conforms":
                yield vector_case(vector)


def compared(judgement: Judgement, lines: Sequence[str], recorded: Sequence[int]) -> Judgement:
    """The verdict, after the picks of a judged trace were held against those of a vector.

    The two runs are the same up to the first difference; there it is a violation, unless rounding
    may rightly decide either way.
    """
    made = [json.loads(line)["index"] for line in lines[1:-1]]
    pairs = enumerate(zip(made, recorded, strict=False))
    parted = next(
        (j for j, (ours, theirs) in pairs if ours != theirs), min(len(made), len(recorded))
    )
    if parted == len(made) == len(recorded):
        return judgement
    given = str(made[parted]) if parted < len(made) else "the end"
    expected = str(recorded[parted]) if parted < len(recorded) else "the end"
    remark = f"parts with the vector at j = {parted}: {given}, recorded {expected}"
    if parted in judgement.open_at:
        return replace(judgement, remarks=(*judgement.remarks, f"{remark}, rightly undecided"))
    if judgement.ruling is not Ruling.CONFORMS:
        return replace(judgement, remarks=(*judgement.remarks, remark))
    field = "stopping" if "the end" in (given, expected) else "index"
    first = Violation(
        parted + 2, parted, field, given, expected, expected, None, 0.0, SLUGS[field],
        "not what the vector records, though the oracle lets it pass: one of the two is wrong",
    )  # fmt: skip
    return replace(judgement, ruling=Ruling.VIOLATES, violations=1, first=first)
