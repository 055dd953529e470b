"""The files of the machine-checked development: read once, hashed, copied.

What is hashed is what is judged and what is compiled: the bytes are read one time, and everything
else works on them. Compiled files, plugins and scripts beside them are never copied.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from asura_verify.proofs.coq_text import IDENTIFIER, Sentence, sentences

PROJECT = "_CoqProject"
ROOT = "Asura"
#: The lines of _CoqProject beside the files; the last only silences warnings in editors.
OPTIONS = ("-Q . Asura", "-arg -w -arg -all")
_FILE_NAME = re.compile(rf"(?:{IDENTIFIER}/)*{IDENTIFIER}\.v")


class CheckError(Exception):
    """The development does not establish what it should; each reason is a line."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True)
class Sources:
    """Every .v file below a folder, whether listed or not, and the project file."""

    project: str
    files: dict[str, str]
    links: tuple[str, ...] = ()

    @property
    def listed(self) -> list[str]:
        """The files that the project names, in its order."""
        return [line for line in self._lines if line.endswith(".v")]

    @property
    def options(self) -> list[str]:
        """The other lines of the project."""
        return [line for line in self._lines if not line.endswith(".v")]

    @property
    def _lines(self) -> list[str]:
        lines = (" ".join(line.split()) for line in self.project.splitlines())
        return [line for line in lines if line and not line.startswith("#")]

    @cached_property
    def sentences(self) -> dict[str, list[Sentence]]:
        """The commands of every file."""
        return {name: sentences(text) for name, text in self.files.items()}

    @property
    def sha256(self) -> str:
        """One hash of everything that Coq reads: names, lengths and contents."""
        digest = hashlib.sha256()
        for name, text in sorted({**self.files, PROJECT: self.project}.items()):
            content = text.encode()
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()

    def copy(self, folder: Path) -> None:
        """Write the listed files, and nothing else, below an empty folder."""
        for name in self.listed:
            if name not in self.files:
                raise CheckError(f"{name} is listed in {PROJECT}, but absent")
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.files[name].encode())


def module(file: str) -> str:
    """The full name under which Coq knows a file.

    >>> module("Algorithm2/Step.v")
    'Asura.Algorithm2.Step'
    """
    return ".".join([ROOT, *file.removesuffix(".v").split("/")])


def read(folder: Path) -> Sources:
    """Read a development; what is not text is refused."""
    files: dict[str, str] = {}
    links: list[str] = []
    for place, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(place) / name
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink():
                links.append(relative)
            elif name.endswith(".v") and path.is_file():
                files[relative] = _text(path, relative)
    return Sources(_text(folder / PROJECT, PROJECT), files, tuple(sorted(links)))


def _text(path: Path, name: str) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        raise CheckError(f"{name} is missing") from None
    except UnicodeDecodeError:
        raise CheckError(f"{name} is not text") from None


def files_refused(sources: Sources) -> Iterator[str]:
    """A file that would be read without being listed, or listed and not be what it seems."""
    for name in sources.links:
        yield f"{name} is a symbolic link"
    for name in sorted(sources.files.keys() - set(sources.listed)):
        yield f"{name} is not listed in {PROJECT}"
    for name, times in Counter(sources.listed).items():
        if name not in sources.files:
            yield f"{name} is listed in {PROJECT}, but absent"
        if times > 1:
            yield f"{name} is listed {times} times in {PROJECT}"
        if not _FILE_NAME.fullmatch(name):
            yield f"{name}: a file is named by letters, digits and _, below the project"
        if ROOT in name.removesuffix(".v").split("/"):
            yield f"{name}: no file and no folder is called {ROOT}"
    for stem, times in Counter(Path(name).stem for name in sources.files).items():
        if times > 1:
            yield f"{times} files are called {stem}.v, and a Require would not say which"


def options_refused(sources: Sources) -> Iterator[str]:
    """A flag in the project file: Coq is run with ours, and a reader must not be misled."""
    for line in sources.options:
        if line not in OPTIONS:
            yield f"{PROJECT}: the line {line!r}; expected {OPTIONS[0]!r} and names of files"
    if OPTIONS[0] not in sources.options:
        yield f"{PROJECT}: the line {OPTIONS[0]!r} is missing"
