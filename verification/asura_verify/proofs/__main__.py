"""The command `python -m asura_verify.proofs`: build the proofs, and say what they prove.

check   build and compare with the record, the pins and the reviewed digest; writes nothing
record  build and write record.json
pin     pin the statements of the record, after their difference was read
table   write the table of theorems into the notes
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from asura.errors import AsuraError
from asura.files import replacing
from asura_verify.proofs import theorem_table
from asura_verify.proofs.coq_build import missing_programs
from asura_verify.proofs.coq_sources import CheckError, read
from asura_verify.proofs.examination import examine
from asura_verify.proofs.record import Record, pins_of, pins_text, read_record, record_bytes
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.proofs.standing import differences
from asura_verify.proofs.theorems import PINS, RECORD, SOURCES

INSTALL = "apt-get install coq libcoq-mathcomp-algebra-tactics libcoq-mathcomp-real-closed make"
UNAVAILABLE = 69  # sysexits: a needed program is missing


def _write(path: Path, content: bytes) -> None:
    with replacing(str(path)) as file:
        file.write(content)


def build() -> Record:
    """The record of the development as it stands."""
    return examine(read(SOURCES))


def check() -> str:
    """Build, and compare; nothing is written."""
    found = build()
    recorded = RECORD.read_bytes() if RECORD.is_file() else b""
    pinned = PINS.read_text(encoding="utf-8") if PINS.is_file() else ""
    if reasons := [*differences(found, recorded, pinned, REVIEWED)]:
        raise CheckError(*reasons)
    return (
        f"{len(found.theorems)} theorems over {len(found.definitions)} definitions, all closed "
        f"under the global context; reviewed statements {REVIEWED[:12]}"
    )


def write_record() -> str:
    """Build, and record what was found."""
    _write(RECORD, record_bytes(found := build()))
    return f"{RECORD.name}: {len(found.theorems)} theorems"


def pin() -> str:
    """Pin what the record says, which must belong to the sources."""
    record, sources = read_record(RECORD), read(SOURCES)
    if record.sources_sha256 != sources.sha256:
        raise CheckError("the record is older than the sources: python -m asura_verify.proofs")
    _write(PINS, pins_text(record).encode())
    digest = pins_of(record).digest
    return f"{PINS.name}: now read its difference, and write {digest} into reviewed.py"


def table() -> str:
    """Write the table into the notes."""
    index = theorem_table.INDEX
    text = index.read_text(encoding="utf-8")
    _write(index, theorem_table.updated(text, read_record(RECORD)).encode())
    return str(index.name)


COMMANDS = {"check": check, "record": write_record, "pin": pin, "table": table}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 all proved and closed, 1 not so, 2 unreadable files, 69 a program is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m asura_verify.proofs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="?", choices=COMMANDS, default="check")
    command = parser.parse_args(arguments).command
    if command in ("check", "record") and (missing := missing_programs()):
        print(f"missing: {', '.join(missing)}; install with\n  {INSTALL}", file=sys.stderr)
        return UNAVAILABLE
    try:
        print(COMMANDS[command]())
    except CheckError as error:
        print(error, file=sys.stderr)
        return 1
    except (AsuraError, OSError, ValueError, msgspec.MsgspecError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
