"""Vectors as cases: a header of doubles, and the picks that must be made again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from asura.trace import IterationLine, trace_scalar
from asura_verify.conforming.cases import Case, uniforms
from asura_verify.conforming.vectors.model import FLAGS, FORMAT, NotVectors, Vector, VectorGroup
from asura_verify.oracle.judgement import SLUGS, Judgement, Ruling, Violation
from asura_verify.oracle.trace.reading import opened, refuse_unaffordable

#: A case that is a vector is named after it.
PREFIX = "vector:"
#: Flags that speak of a recorded trace, not of its problem.
_OF_A_TRACE = {"exact", "rounded", "failing"}
_NUMBERS = ("gamma", "points", "squared_scales", "labels", "uniforms", "level", "draws")


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
    """A vector as a case: rationals are rounded to doubles, and spare uniforms appended."""
    read, rest = opened(line.encode() for line in vector.lines)
    refuse_unaffordable(read)
    header: dict[str, Any] = json.loads(vector.lines[0])
    for name in ("precision", "implementation"):
        header.pop(name, None)
    given = {name: header[name] for name in _NUMBERS if name in header}
    try:
        header |= {name: _double(value) for name, value in given.items()}
    except OverflowError:
        raise NotVectors(
            f"{vector.name}: a number is too large for a double", value=given
        ) from None
    rounding = "" if _same(list(given.values()), [header[x] for x in given]) else ", in doubles"
    known = header.setdefault("uniforms", [])
    header["uniforms"] = known + uniforms(1, len(known) + 16)
    own = _OF_A_TRACE.isdisjoint(vector.flags)
    meaning = vector.comment if own else "a small problem"
    flags = tuple(flag for flag in vector.flags if flag not in _OF_A_TRACE)
    picks = None
    if vector.verdict == "conforms":
        picks = tuple(line.index for _, line in rest if isinstance(line, IterationLine))
    return Case(
        f"{PREFIX}{vector.name}",
        "; ".join([meaning + rounding, *(FLAGS.get(flag, flag) for flag in flags)]),
        header,
        flags=tuple(vector.flags),
        slugs=tuple(vector.slugs),
        picks=picks,
    )


def of_variants(case: Case) -> bool:
    """Whether a case asks for more than Algorithm 2 as the paper has it."""
    return "variant" in case.header or case.header.get("rates", "paper") != "paper"


def vector_cases(groups: Iterable[VectorGroup]) -> Iterator[Case]:
    """All vectors that an implementation can be asked for: right runs, and those that failed."""
    for group in groups:
        for vector in group.vectors:
            right = vector.verdict == "conforms" and "coverage" not in vector.flags
            if right or "failing" in vector.flags:
                yield vector_case(vector)


def failing_vector(case: Case, judgement: Judgement, lines: Sequence[str]) -> VectorGroup:
    """A failure as a file of one vector: the trace, or the header when there is no trace."""
    first, named = judgement.first, [d.mistake for d in judgement.diagnosis if d.complete]
    comment = judgement.fault if first is None else f"{first.field}: {first.message}"
    name = (judgement.implementation or "unnamed").encode("utf-8", "replace").decode()
    vector = Vector(
        case.name.removeprefix(PREFIX),
        comment or "",
        ["failing"],
        [] if first is None else [first.slug],
        judgement.ruling.value,
        named[0] if named else None,
        list(lines) or [json.dumps(case.header)],
    )
    return VectorGroup(
        FORMAT, "failing", f"asura conform, {name}", {"failing": FLAGS["failing"]}, [vector]
    )


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
    return replace(judgement, ruling=Ruling.VIOLATES, violations=1, wrong={field: 1}, first=first)
