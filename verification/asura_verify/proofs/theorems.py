"""What the machine-checked development says of itself: read from its build, never typed.

Its build writes `proofs_notes/coq/result.json`: one hash of all sources, and for every theorem
of its audit file whether it is closed under the global context. A missing file, or one that does
not belong to the sources beside it, supports nothing. An installed package carries a copy of the
file without the sources. `theorem_statements.json` pins the statements that were reviewed: one
that has since gained a hypothesis, or says something else, supports nothing until it is pinned anew
(`python -m asura_verify.proofs.theorems`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

SOURCES = Path(__file__).resolve().parents[3] / "proofs_notes" / "coq"
RESULT = SOURCES / "result.json"
COPY = Path(__file__).with_name("coq_result.json")
PINNED = Path(__file__).with_name("theorem_statements.json")


class Theorem(msgspec.Struct, frozen=True):
    """One theorem of the audit file."""

    name: str
    closed: bool
    statement_sha256: str
    slug: str = ""
    statement: str = ""


class Result(msgspec.Struct, frozen=True):
    """What the build recorded."""

    sources_sha256: str
    theorems: list[Theorem]


@dataclass(frozen=True)
class Development:
    """The hashes of the closed theorems' statements by name; `problem` says why there are none."""

    closed: dict[str, str]
    problem: str = ""
    statements: dict[str, str] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """The hash of a theorem's statement; the audit file may prefix its restatements."""
        return self.closed.get(name) or self.closed.get(f"audit_{name}")

    def statement(self, name: str) -> str:
        """What a theorem says, as it stands in the audit file."""
        return self.statements.get(name) or self.statements.get(f"audit_{name}", "")


def sources_sha256(folder: Path) -> str:
    """The hash that the build takes: names, lengths and contents of the files it compiles."""
    listed = (folder / "_CoqProject").read_text(encoding="utf-8").split()
    digest = hashlib.sha256()
    for name in sorted(["_CoqProject", *(word for word in listed if word.endswith(".v"))]):
        content = (folder / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def read(path: Path, sources: Path | None, pinned: dict[str, str] | None = None) -> Development:
    """The closed theorems of a result, compared with its sources when they are at hand.

    Those whose statement is not the pinned one do not count.
    """
    try:
        result = msgspec.json.decode(path.read_bytes(), type=Result)
        if sources is not None and result.sources_sha256 != sources_sha256(sources):
            return Development({}, "the machine-checked build is older than its sources")
    except FileNotFoundError:
        return Development({}, "no build of the machine-checked development")
    except (OSError, msgspec.DecodeError) as error:
        return Development({}, f"unreadable build of the machine-checked development: {error}")
    counting = [
        each
        for each in result.theorems
        if each.closed and (pinned is None or pinned.get(each.name) == each.statement_sha256)
    ]
    return Development(
        {each.name: each.statement_sha256 for each in counting},
        statements={each.name: each.statement for each in counting},
    )


def pinned_statements() -> dict[str, str]:
    """The hashes of the statements that were reviewed, by theorem."""
    return msgspec.json.decode(PINNED.read_bytes(), type=dict[str, str])


@cache
def development() -> Development:
    """The theorems that the last build closed under the global context."""
    if SOURCES.is_dir():
        return read(RESULT, SOURCES, pinned_statements())
    return read(COPY, None, pinned_statements())


def pin() -> None:
    """Pin the statements of the present build, after they have been reviewed."""
    statements = dict(sorted(read(RESULT, SOURCES).closed.items()))
    PINNED.write_bytes(msgspec.json.format(msgspec.json.encode(statements), indent=1) + b"\n")


if __name__ == "__main__":
    pin()
