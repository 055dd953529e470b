"""Which theorems of a record are machine-checked, and what a build may not differ in.

A theorem counts if the record belongs to the sources beside it, if it is closed under the global
context, and if its elaborated statement is the pinned one; the specification's text and the digest
of all pins must be the reviewed ones. An installed package carries the record and the pins, without
the sources. Whether the record is what a build finds is decided by the build: `make proofs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from asura_verify.proofs import coq_sources
from asura_verify.proofs.coq_text import text_sha256
from asura_verify.proofs.record import (
    Pins,
    Record,
    Theorem,
    pins_of,
    pins_text,
    read_pins,
    read_record,
    record_bytes,
)


@dataclass(frozen=True)
class Development:
    """The theorems that count; `problem` says why there are none."""

    theorems: dict[str, Theorem] = field(default_factory=dict)
    problem: str = ""

    @property
    def closed(self) -> dict[str, str]:
        """The hashes of the theorems' statements by name."""
        return {name: theorem.sha256 for name, theorem in self.theorems.items()}

    def find(self, name: str) -> str | None:
        """The hash of a theorem's statement, if it counts."""
        return self.closed.get(name)

    def statement(self, name: str) -> str:
        """What a theorem says, as Coq prints it."""
        return self.theorems[name].statement if name in self.theorems else ""


def unsupported(record: Record, pins: Pins, sources: Path | None, reviewed: str) -> str:
    """Why a record supports nothing at all; empty if it may."""
    if pins.digest != reviewed:
        return "the pinned statements are not those that were reviewed"
    if sources is None:
        return ""
    found = coq_sources.read(sources)
    if record.sources_sha256 != found.sha256:
        return "the machine-checked build is older than its sources"
    for name, sha256 in pins.texts.items():
        if text_sha256(found.files.get(name, "")) != sha256:
            return f"{name} is not the text that was reviewed"
    return ""


def read(record_file: Path, pins_file: Path, sources: Path | None, reviewed: str) -> Development:
    """The theorems of a record that count, compared with its sources when they are at hand."""
    try:
        record = read_record(record_file)
        pins = read_pins(pins_file.read_text(encoding="utf-8"))
        problem = unsupported(record, pins, sources, reviewed)
    except FileNotFoundError:
        return Development(problem="no build of the machine-checked development")
    except (OSError, ValueError, msgspec.DecodeError, coq_sources.CheckError) as error:
        return Development(problem=f"unreadable build of the machine-checked development: {error}")
    if problem:
        return Development(problem=problem)
    return Development(
        {
            each.name: each
            for each in record.theorems
            if each.closed and pins.results.get(each.name) == each.sha256
        }
    )


def differences(found: Record, recorded: bytes, pinned: str, reviewed: str) -> Iterator[str]:
    """In what a build differs from its record, from the pins, and from what was reviewed."""
    if recorded != record_bytes(found):
        yield "record.json is not what the build finds: python -m asura_verify.proofs record"
    pins, now = read_pins(pinned), pins_of(found)
    for kind, old, new in (
        ("the text of", pins.texts, now.texts),
        ("definition", pins.definitions, now.definitions),
        ("statement", pins.results, now.results),
    ):
        for name in [*old, *(new.keys() - old.keys())]:
            if old.get(name) != new.get(name):
                yield f"{kind} {name} is not the pinned one"
    if pinned != pins_text(found):
        yield "pins.txt does not say what Coq prints: python -m asura_verify.proofs pin"
    if pins.digest != reviewed:
        yield f"the digest of the pins, {pins.digest}, is not the reviewed one"
