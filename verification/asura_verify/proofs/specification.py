"""What a development claims, as its text says: names, slugs, and where they are proved.

The names are compared with those that Coq gives; the text alone knows the slugs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from asura_verify.proofs.coq_refusals import required, specifications
from asura_verify.proofs.coq_sources import ROOT, CheckError, Sources, module
from asura_verify.proofs.coq_text import IDENTIFIER, Sentence

PROVED = "Check.v"
_SLUG = re.compile(r"\(\*\s*slug:\s*([A-Za-z0-9-]+)\s*\*\)")
_OPENED = re.compile(rf"Module Type ({IDENTIFIER})")
_STATED = re.compile(rf"Parameter ({IDENTIFIER})\b.*:.*")
_ASCRIBED = re.compile(rf"Module ({IDENTIFIER}) : (?:{IDENTIFIER}\.)*({IDENTIFIER})")
_SCOPE = re.compile(rf"(?:Local )?Open Scope ({IDENTIFIER})")


@dataclass(frozen=True)
class Signature:
    """A module type of the specification, the module that fits it, and its results' slugs."""

    file: str
    name: str
    proof: str
    slugs: dict[str, str]

    @property
    def full_name(self) -> str:
        """The module type, by its full name."""
        return f"{module(self.file)}.{self.name}"


def signatures(sources: Sources) -> list[Signature]:
    """Every module type of the specification with the module of Check.v that proves it."""
    claimed = [*_claimed(sources)]
    if not claimed:
        raise CheckError(f"no module type in {', '.join(specifications(sources)) or 'Spec.v'}")
    names = [name for _, _, slugs in claimed for name in slugs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CheckError(f"stated twice: {', '.join(twice)}")
    proofs = _proofs(sources)
    missing = [name for _, name, _ in claimed if name not in proofs]
    if missing:
        raise CheckError(f"{PROVED} has no module for {', '.join(missing)}")
    return [Signature(file, name, proofs[name], slugs) for file, name, slugs in claimed]


def _claimed(sources: Sources) -> Iterator[tuple[str, str, dict[str, str]]]:
    for file in specifications(sources):
        inside: tuple[str, dict[str, str]] | None = None
        for sentence in sources.sentences[file]:
            opened = _OPENED.fullmatch(sentence.text)
            if inside is None:
                inside = (opened[1], {}) if opened else None
            elif sentence.text == f"End {inside[0]}":
                yield (file, *inside)
                inside = None
            else:
                name, slug = _stated(file, sentence)
                if name in inside[1]:
                    raise CheckError(f"stated twice: {name}")
                inside[1][name] = slug
        if inside is not None:
            raise CheckError(f"{file}: {inside[0]} does not end")


def _stated(file: str, sentence: Sentence) -> tuple[str, str]:
    stated = _STATED.fullmatch(sentence.text)
    if stated is None:
        raise CheckError(f"{file}: in a module type, {sentence.text[:60]!r}; expected Parameter")
    slugs = [slug for comment in sentence.above for slug in _SLUG.findall(comment)]
    if len(slugs) != 1:
        raise CheckError(f"{file}: {len(slugs)} slugs directly above {stated[1]}; expected one")
    return stated[1], slugs[0]


def _proofs(sources: Sources) -> dict[str, str]:
    if PROVED not in sources.listed or PROVED not in sources.files:
        raise CheckError(f"{PROVED} is not in the project")
    found: dict[str, str] = {}
    for sentence in sources.sentences[PROVED]:
        if ascribed := _ASCRIBED.fullmatch(sentence.text):
            if ascribed[2] in found:
                raise CheckError(f"{PROVED}: two modules for {ascribed[2]}")
            found[ascribed[2]] = f"{module(PROVED)}.{ascribed[1]}"
    return found


def reading(sources: Sources, file: str) -> list[str]:
    """What a reader of a specification has imported: the libraries' notations and scopes."""
    lines: list[str] = []
    for sentence in sources.sentences[file]:
        origin = required(sentence)
        if origin is not None and origin[0].split(".")[0] != ROOT and "Import" in sentence.words:
            lines.append(f"Import {' '.join(origin[1])}.")
        elif scope := _SCOPE.fullmatch(sentence.text):
            lines.append(f"Local Open Scope {scope[1]}.")
    return lines
