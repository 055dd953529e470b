"""Attacks on the check of the proofs: what is changed, what keeps it out, what is said of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.verification.proofs.small_development import BY_MAGIC, FILES, edited, write

MAGIC = "forall Q : Prop, Q"


@dataclass(frozen=True)
class Attack:
    """Files that are changed, what keeps them out, and what is said of it."""

    name: str
    files: dict[str, str]
    reason: str
    defences: tuple[str, ...]
    prepare: Callable[[Path], None]
    environment: dict[str, str]


def compiled_before(folder: Path) -> None:
    """Leave compiled files of the honest text beside the sources, newer than these."""
    with tempfile.TemporaryDirectory() as other:
        place = write(Path(other), FILES)
        for name in ("Spec", "Theory/Work"):
            _coqc(place, f"{name}.v")
            shutil.copy(place / f"{name}.vo", folder / f"{name}.vo")
            os.utime(folder / f"{name}.vo", (2e9, 2e9))


def without_source(folder: Path) -> None:
    """Leave a compiled file whose source is gone."""
    write(folder, {"Ghost.v": "Definition ghost := I.\n"})
    _coqc(folder, "Ghost.v")
    for path in folder.glob("Ghost.*"):
        if path.suffix != ".vo":
            path.unlink()


def loaded(folder: Path) -> None:
    """Leave the proof in a file elsewhere."""
    elsewhere = folder.parent / "loaded.v"
    elsewhere.write_text(FILES["Theory/Work.v"].partition("\n\n")[2], encoding="utf-8")


def linked(folder: Path) -> None:
    """Let a source be a link to a file elsewhere, which nobody hashes."""
    elsewhere = folder.parent / "elsewhere.v"
    shutil.move(folder / "Theory" / "Work.v", elsewhere)
    (folder / "Theory" / "Work.v").symlink_to(elsewhere)


def library(folder: Path, root: str) -> None:
    """Install a library where COQPATH leads."""
    place = folder.parent / "contributed" / root
    write(place, {"Magic.v": "Definition twice (n : nat) : nat := n + n.\n"})
    _coqc(place, "Magic.v", root)


def _coqc(folder: Path, name: str, root: str = "Asura") -> None:
    command = ["coqc", "-q", "-Q", str(folder), root, str(folder / name)]
    subprocess.run(command, check=True)


def linked_folder(folder: Path) -> None:
    """Let a folder of sources be a link to one elsewhere, which nobody hashes."""
    elsewhere = folder.parent / "elsewhere"
    shutil.move(folder / "Theory", elsewhere)
    (folder / "Theory").symlink_to(elsewhere)


PREPARATIONS: dict[str, Callable[[Path], None]] = {
    "": lambda _: None,
    "compiled": compiled_before,
    "without source": without_source,
    "loaded": loaded,
    "linked": linked,
    "linked folder": linked_folder,
    "library Contributed": lambda folder: library(folder, "Contributed"),
    "library mathcomp": lambda folder: library(folder, "mathcomp"),
}


def _text(name: str, change: str | dict[str, Any]) -> str:
    """The changed text of one file."""
    if isinstance(change, str):
        return change
    if "magic" in change:
        return BY_MAGIC.format(magic=change["magic"])
    edits = change.get("edits", [])
    text = edited(name, *zip(edits[::2], edits[1::2], strict=True))[name]
    return "".join(
        f"{line}\n" if line else ""
        for line in (change.get("first"), text.removesuffix("\n"), change.get("last"))
    )


def _attacks() -> list[Attack]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [
        Attack(
            each["name"],
            {name: _text(name, change) for name, change in each.get("files", {}).items()},
            each["reason"],
            tuple(each["defences"].split()),
            PREPARATIONS[each.get("prepare", "")],
            each.get("environment", {}),
        )
        for each in table["attack"]
    ]


ATTACKS = _attacks()
