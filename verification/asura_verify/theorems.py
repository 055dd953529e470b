"""What the machine-checked development says of itself: read from its build, never typed.

`proofs_notes/coq/result.json` is written by the build: {"sources": SHA-256 of all sources,
"theorems": [{"name", "slug", "closed", "sha256"}]}. A missing or stale file supports nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "proofs_notes" / "coq" / "result.json"


class _Theorem(msgspec.Struct):
    name: str
    slug: str = ""
    closed: bool = False
    sha256: str = ""


class _Result(msgspec.Struct):
    theorems: list[_Theorem] = []
    sources: str = ""


@dataclass(frozen=True)
class Development:
    """The closed theorems by name; `problem` says why there are none."""

    closed: dict[str, str]
    problem: str = ""


def source_hash(folder: Path) -> str:
    """SHA-256 over the names and contents of the .v files, sorted by name."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.v")):
        digest.update(path.name.encode())
        digest.update(b"\0")
        digest.update(path.read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def development(path: Path = RESULT) -> Development:
    """The theorems that the last build closed under the global context."""
    try:
        result = msgspec.json.decode(path.read_bytes(), type=_Result)
    except FileNotFoundError:
        return Development({}, "no build of the machine-checked development")
    except (OSError, msgspec.DecodeError) as error:
        return Development({}, f"unreadable build result: {error}")
    if result.sources != source_hash(path.parent):
        return Development({}, "the build result is older than its sources")
    return Development(
        {theorem.name: theorem.sha256 for theorem in result.theorems if theorem.closed}
    )
