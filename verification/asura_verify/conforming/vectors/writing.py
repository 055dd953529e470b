"""How a run becomes a vector: its lines in strings, its verdict by the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from asura.scalars import rational, write_scalar
from asura.trace import hexadecimal, trace_scalar
from asura_verify.conforming.vectors.many_digits import implementation
from asura_verify.conforming.vectors.model import Vector
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

#: Digits of the right traces and the bits that they declare, and the bits of the wrong ones.
DIGITS, BITS = 30, 96
WRONG_BITS = 30
#: What is counted, and stays a JSON number.
COUNTS = {"j", "index", "m", "unlabelled", "precision"}


def decimal(value: Fraction, digits: int) -> str:
    """A number rounded to some decimal digits.

    >>> decimal(Fraction(1, 3), 5)
    '0.33333'
    """
    with ctx.workprec(4 * digits + 64):
        return str(arb(rational(value)).str(digits, radius=False))


def _string(value: Any) -> Any:
    """A scalar, or a list of such, as strings that denote the same numbers."""
    if isinstance(value, list):
        return [_string(entry) for entry in value]
    if value is None or isinstance(value, str):
        return value
    exact = Fraction(value)
    text = write_scalar(exact)
    return text if len(text) <= 20 else hexadecimal(exact)


def in_strings(record: dict[str, Any]) -> dict[str, Any]:
    """A line of a trace with every scalar as an exact string.

    >>> in_strings({"j": 1, "u": 0.5, "probabilities": [0.1, 1]})
    {'j': 1, 'u': '1/2', 'probabilities': ['0xccccccccccccdp-55', '1']}
    """
    return {name: x if name in COUNTS else _string(x) for name, x in record.items()}


def written(records: Iterable[dict[str, Any]]) -> list[str]:
    """Lines of JSON."""
    return [json.dumps(record, separators=(",", ":")) for record in records]


def in_digits(records: Iterable[dict[str, Any]]) -> list[str]:
    """The lines of a run in balls, rounded to some digits."""

    def text(value: Any) -> Any:
        if isinstance(value, list):
            return [text(entry) for entry in value]
        return decimal(trace_scalar(value), DIGITS)

    header, *rest = records
    header |= {"precision": BITS, "implementation": "asura-reference vectors"}
    rest = [{k: x if k in COUNTS else text(x) for k, x in record.items()} for record in rest]
    return written([in_strings(header), *rest])


def right_vector(
    name: str, comment: str, flag: str, lines: list[str], slugs: Sequence[str] = ()
) -> Vector:
    """A right trace, with the claims that hold on it."""
    judgement = check_lines(lines, name)
    if judgement.ruling is not Ruling.CONFORMS:
        raise LookupError(f"{name}: {judgement.ruling}")
    held = [slug for slug, view in judgement.claims.items() if view.verdict == "holds"]
    return Vector(name, comment, [flag], sorted({*held, *slugs}), "conforms", None, lines)


def wrong_lines(exhibit: Exhibit, header: dict[str, Any]) -> list[str]:
    """The trace of a mistake for a header."""
    lines = attempt(implementation(exhibit), header) or []
    keep = header["uniforms"][: len(lines) - 1]
    first = header | {"precision": WRONG_BITS, "uniforms": keep}
    # Printed digits are taken at their word.
    rest = [json.loads(line, parse_float=str) for line in lines[1:]]
    rest = [{k: v for k, v in record.items() if k != "probabilities"} for record in rest]
    return written(in_strings(record) for record in (first, *rest))


def named_vector(exhibit: Exhibit, text: list[str], *flags: str) -> Vector:
    """A wrong trace whose mistake is named before all others."""
    judgement = check_lines(text)
    named = [diagnosis.mistake for diagnosis in judgement.diagnosis][:1]
    if judgement.first is None or named != [exhibit.mistake]:
        raise LookupError(f"{exhibit.mistake}: not named first, give it another seed")
    return Vector(
        f"mistake-{exhibit.mistake}",
        judgement.diagnosis[0].explanation,
        list(flags),
        [judgement.first.slug],
        "violates",
        exhibit.mistake,
        text,
    )
