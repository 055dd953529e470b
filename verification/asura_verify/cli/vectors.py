"""The command `asura vectors`."""

from __future__ import annotations

from typing import Annotated

import typer

from asura.errors import AsuraError
from asura.files import directory, write_whole
from asura_verify.conforming.vectors.generate import files
from asura_verify.conforming.vectors.model import Vector, folder, load, read_group
from asura_verify.oracle.check import check_lines


class OnlyPackaged(AsuraError):
    """An option for the packaged vectors, with other files."""


def mismatch(vector: Vector) -> str | None:
    """How the oracle disagrees with a vector, if it does."""
    judgement = check_lines(vector.lines, vector.name)
    if judgement.ruling.value != vector.verdict:
        return f"{vector.name}: {judgement.ruling}, expected {vector.verdict}"
    if vector.diagnosis is not None:
        found = judgement.diagnosis[0].mistake if judgement.diagnosis else "none"
        if found != vector.diagnosis:
            return f"{vector.name}: diagnosis {found}, expected {vector.diagnosis}"
    return None


def _differing() -> list[str]:
    """The packaged files that are not what is generated."""
    return [
        f"{name}: differs from what is generated"
        for name, data in files().items()
        if (folder() / name).read_bytes() != data
    ]


def vectors_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="Other files of vectors, as conform writes them."),
    ] = None,
    output: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write the files into this directory.")
    ] = None,
    traces: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write every vector as a trace file of its own."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Judge every vector, and compare with its verdict.")
    ] = False,
    regenerate: Annotated[
        bool, typer.Option("--regenerate", help="Make all files anew, and compare byte by byte.")
    ] = False,
) -> None:
    r"""List the test vectors that come with the package, write, verify or regenerate them.

    \b
    Example:
      asura vectors --traces traces/     # one file per vector
      asura vectors --verify
    """
    groups = [read_group(name) for name in names] if names else load()
    wrong: list[str] = []
    if names and (output is not None or regenerate):
        raise OnlyPackaged(
            "--output and --regenerate are for the packaged vectors, not for a FILE", value=names
        )
    if regenerate:
        wrong += _differing()
    if verify:
        found = [mismatch(vector) for group in groups for vector in group.vectors]
        wrong += [text for text in found if text is not None]
    if output is not None:
        for name in ("manifest.json", *(f"{group.group}.json" for group in groups)):
            text = (folder() / name).read_text(encoding="utf-8").removesuffix("\n")
            write_whole(str(directory(output) / name), [text])
    for group in groups:
        for vector in group.vectors:
            if traces is not None:
                write_whole(str(directory(traces) / f"{vector.name}.jsonl"), vector.lines)
            if not (verify or regenerate or output or traces):
                named = "" if vector.diagnosis is None else f", {vector.diagnosis}"
                print(f"{group.group}/{vector.name}: {vector.verdict}{named}: {vector.comment}")
    for text in wrong:
        print(text)
    count = sum(len(group.vectors) for group in groups)
    judged = f", {len(wrong)} in disagreement" if verify or regenerate else ""
    print(f"{count} vectors in {len(groups)} files{judged}")
    raise typer.Exit(1 if wrong else 0)
