"""Which theorems are machine-checked: read from the record of the build, never typed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from asura_verify.proofs.places import COQ
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.proofs.standing import Development, read

SOURCES = COQ
RECORD = Path(__file__).with_name("record.json")
PINS = Path(__file__).with_name("pins.txt")


@cache
def development() -> Development:
    """The theorems that the last build closed under the global context."""
    return read(RECORD, PINS, SOURCES if SOURCES.is_dir() else None, REVIEWED)
