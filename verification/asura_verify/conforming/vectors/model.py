"""What a vector is, and how the files that come with the package are read."""

from __future__ import annotations

import hashlib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from asura.errors import AsuraError

#: Bytes of a file of vectors.
LARGEST = 1 << 26

FORMAT: Literal["asura-vectors/1"] = "asura-vectors/1"

#: What failing a vector means.
FLAGS = {
    "basic": "the algorithm on an ordinary problem",
    "dimensions": "linear algebra in up to 16 dimensions",
    "scales": "points sqrt(c) x, as ridge and kernel regression have them",
    "degenerate": "points that are zero, equal or dependent; zero points are never picked",
    "conditioning": "columns that are nearly dependent, or of very different size",
    "gamma": "gamma near an end of (0, 1/2): a long run, or one of few iterations",
    "stopping": "the stopping rule `sure`, an extension of the paper",
    "variant": "tight rates, or a variant that keeps X_2; asked for with `--only variants` alone",
    "worst": "a named worst case: a tie that is nearly met, or data at the edge of what bits carry",
    "nist": "NIST's certified regression data: badly conditioned on purpose, and real",
    "exact": "exact rationals: no rounding error is allowed",
    "rounded": "an honest run in few bits: accusing it means that the judge is too strict",
    "coverage": "fields left out: refusing it means that the judge asks for more than the format",
    "mistake": "a wrong trace: letting it pass means that the judge is blind to the mistake",
    "malformed": "no trace at all: anything but a clear refusal is unsafe",
    "failing": "an implementation failed here, as its trace shows",
}


#: A name is that of a file, too.
Name = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=100)]


class NotVectors(AsuraError):
    """A file of vectors that cannot be read, or is not the one in the manifest."""


class Vector(Struct, forbid_unknown_fields=True, frozen=True):
    """One trace, as the lines of its file, and what must be said about it."""

    name: Name
    comment: str
    flags: list[str]
    slugs: list[str]
    verdict: Literal["conforms", "violates", "malformed", "undecided"]
    diagnosis: str | None
    lines: list[str]


class VectorGroup(Struct, forbid_unknown_fields=True, frozen=True):
    """Vectors of one feature."""

    format: Literal["asura-vectors/1"]
    group: Name
    provenance: str
    flags: dict[str, str]
    vectors: list[Vector]


class Entry(Struct, forbid_unknown_fields=True, frozen=True):
    """A file of the manifest."""

    file: str
    sha256: str
    vectors: int


class Manifest(Struct, forbid_unknown_fields=True, frozen=True):
    """All files, with their hashes."""

    format: Literal["asura-vectors/1"]
    files: list[Entry]


def folder() -> Traversable:
    """Where the packaged vectors are."""
    return resources.files("asura_verify.conforming.vectors") / "data"


def encoded(document: VectorGroup | Manifest) -> bytes:
    """The bytes of a file: one vector per line, so that differences can be read."""
    text = msgspec.json.encode(document)
    if isinstance(document, VectorGroup):
        text = text.replace(b',"vectors":[{', b',\n"vectors":[\n{').replace(
            b'},{"name":', b'},\n{"name":'
        )
    return text + b"\n"


def manifest_of(files: dict[str, bytes], counts: dict[str, int]) -> Manifest:
    """The manifest of some files."""
    return Manifest(
        FORMAT,
        [
            Entry(name, hashlib.sha256(data).hexdigest(), counts[name])
            for name, data in sorted(files.items())
        ],
    )


def load() -> list[VectorGroup]:
    """The packaged vectors, each file checked against the manifest."""
    try:
        manifest = msgspec.json.decode((folder() / "manifest.json").read_bytes(), type=Manifest)
        groups = []
        for entry in manifest.files:
            data = (folder() / entry.file).read_bytes()
            if hashlib.sha256(data).hexdigest() != entry.sha256:
                raise NotVectors(f"{entry.file}: not the file of the manifest", value=entry.file)
            groups.append(msgspec.json.decode(data, type=VectorGroup))
    except (OSError, msgspec.DecodeError) as error:
        raise NotVectors(f"vectors: {error}", value=str(folder())) from None
    return groups


def read_group(name: str) -> VectorGroup:
    """The vectors of a file that anybody may have written."""
    try:
        path = Path(name)
        if not path.is_file():
            raise NotVectors(
                f"{name}: no such file, expected vectors in the format {FORMAT}", value=name
            )
        if path.stat().st_size > LARGEST:
            raise NotVectors(f"{name}: more than {LARGEST} bytes, expected vectors", value=name)
        return msgspec.json.decode(path.read_bytes(), type=VectorGroup)
    except (OSError, ValueError, RecursionError, msgspec.DecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NotVectors(f"{name}: {reason}", value=name) from None
