"""What a build of the development found, and the statements that were reviewed.

`record.json` is written by the build, never by hand. `pins.txt` holds the reviewed statements,
readable, with one hash each; it is changed by a command of its own. The hash of a result covers
its slug, its elaborated type and, in turn, every definition of the specification in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from asura_verify.proofs.coq_sources import ROOT

_NAMES = re.compile(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)+")


class Theorem(msgspec.Struct, frozen=True):
    """One result of the specification."""

    name: str
    slug: str
    closed: bool
    sha256: str
    statement: str
    variables: list[str]
    premises: list[str]


class Definition(msgspec.Struct, frozen=True):
    """One definition of the specification."""

    name: str
    sha256: str


class Record(msgspec.Struct, frozen=True):
    """What the build found; `texts` are the hashes of the specification's sentences."""

    sources_sha256: str
    coq: str
    texts: dict[str, str]
    theorems: list[Theorem]
    definitions: list[Definition]


def hashes(types: Mapping[str, str], definitions: Mapping[str, str]) -> dict[str, str]:
    """The hash of every type and definition, each with those of the definitions in it.

    A name that Coq prints below a specification and that is none of its definitions is a
    constructor: it counts as all of its inductive types.

    >>> one = hashes({"t": "Spec.w O = O"}, {"Spec.w": "fun n => n"})
    >>> two = hashes({"t": "Spec.w O = O"}, {"Spec.w": "fun n => n + n"})
    >>> one["t"] == two["t"]
    False
    """
    specifications = {name.partition(".")[0] for name in definitions}
    inductive = [
        name
        for name, text in definitions.items()
        if text.startswith(("Inductive ", "Variant ", "Record "))
    ]

    def below(text: str) -> list[str]:
        """Every definition that occurs in the text, or in one that does."""
        found: set[str] = set()
        waiting = [text]
        while waiting:
            for full_name in _NAMES.findall(waiting.pop()):
                name = full_name.removeprefix(f"{ROOT}.")
                if name.partition(".")[0] in specifications:
                    new = {name} if name in definitions else set(inductive)
                    waiting += [definitions[each] for each in new - found]
                    found |= new
        return sorted(found)

    return {
        name: _sha256([text, *(f"{each} {definitions[each]}" for each in below(text))])
        for name, text in {**definitions, **types}.items()
    }


def _sha256(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_record(path: Path) -> Record:
    """The record of a build, of its type or refused."""
    return msgspec.json.decode(path.read_bytes(), type=Record)


def record_bytes(record: Record) -> bytes:
    """The record as it is stored, the same on every machine."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


@dataclass(frozen=True)
class Pins:
    """The hashes that were reviewed: of the specifications' sentences, results, definitions."""

    texts: dict[str, str]
    results: dict[str, str]
    definitions: dict[str, str]

    @property
    def digest(self) -> str:
        """One hash of all of them, which a reviewer writes down by hand."""
        lines = [
            f"{kind} {name} {sha256}"
            for kind, pinned in (
                ("text", self.texts),
                ("result", self.results),
                ("definition", self.definitions),
            )
            for name, sha256 in sorted(pinned.items())
        ]
        return _sha256(lines)


PREAMBLE = """\
# The statements that were reviewed, as Coq prints them without notations of ours. A hash covers
# the slug and the elaborated type of a result, and every definition in it. Made by
# `python -m asura_verify.proofs pin`, and never by the check: read the difference before you do.
"""


def pins_text(record: Record) -> str:
    """The pins of a build, for readers: each hash above what it stands for."""
    lines = [PREAMBLE, *(f"text {name} {sha256}" for name, sha256 in record.texts.items()), ""]
    lines += [f"definition {each.name} {each.sha256}" for each in record.definitions]
    for theorem in record.theorems:
        lines += ["", f"result {theorem.name} {theorem.sha256}", f"    ({theorem.slug})"]
        lines += [f"    {line}".rstrip() for line in theorem.statement.splitlines()]
    return "\n".join(lines) + "\n"


def read_pins(text: str) -> Pins:
    """The hashes among the pins; indented lines and comments are for readers."""
    found: dict[str, dict[str, str]] = {"text": {}, "result": {}, "definition": {}}
    for line in text.splitlines():
        if line and not line.startswith((" ", "#")):
            kind, _, pinned = line.partition(" ")
            name, _, sha256 = pinned.partition(" ")
            if kind not in found or not re.fullmatch("[0-9a-f]{64}", sha256):
                raise ValueError(f"pins: {line!r}; expected a kind, a name and a hash")
            if name in found[kind]:
                raise ValueError(f"pins: {kind} {name} is pinned twice")
            found[kind][name] = sha256
    return Pins(found["text"], found["result"], found["definition"])


def pins_of(record: Record) -> Pins:
    """What would be pinned now."""
    return Pins(
        record.texts,
        {each.name: each.sha256 for each in record.theorems},
        {each.name: each.sha256 for each in record.definitions},
    )
