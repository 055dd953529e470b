"""Compile a fresh copy of the sources, and ask Coq what they state and what they rest on.

Coq runs with our flags, in an environment that holds nothing but the path to it, in a folder that
holds nothing but the hashed sources. The questions import none of our modules, so that no notation
of ours stands between the kernel's terms and the answers.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from asura_verify.proofs.coq_sources import PROJECT, ROOT, CheckError, Sources, module
from asura_verify.proofs.specification import PROVED, Signature, reading

PROGRAMS = ("coqc", "coq_makefile", "coqchk", "make")
FLAGS = ("-q", "-w", "-all")
CLOSED = "Closed under the global context"
LAST_WORDS = 30
LONGEST_SECONDS = 3600
_LISTED = re.compile(r"\b(Parameter|Definition|Inductive|Variant|Record|Module Type|Module) (\S+)")

Environment = Callable[[Path], Mapping[str, str]]
Copy = Callable[[Sources, Path], None]


@dataclass(frozen=True)
class Answer:
    """What Coq says of one result."""

    stated: str
    """The type in the specification, everything shown."""
    proved: str
    """The type of the constant that proves it, everything shown."""
    readable: str
    """The type in the specification, in the notations of Mathematical Components."""
    kind: str
    assumptions: str


@dataclass(frozen=True)
class Answers:
    """What Coq says of a development."""

    version: str
    listed: dict[str, list[tuple[str, str]]]
    """Kind and name of what a module type or a specification holds, by its full name."""
    definitions: dict[str, str]
    """What a specification defines, everything shown, by the name that Coq prints."""
    results: dict[str, Answer]
    misfit: str
    """Why the modules of Check.v do not fit the specification; empty if they do."""
    rechecked: str
    """What the independent checker prints."""


def missing_programs() -> list[str]:
    """The programs that are needed and not installed."""
    return [name for name in PROGRAMS if not shutil.which(name)]


def clean(home: Path) -> dict[str, str]:
    """Neither COQPATH nor libraries in a home: only the path on which the programs are found."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Workshop:
    """A folder in which sources are compiled and questions are asked."""

    folder: Path
    environment: Environment = clean

    @property
    def build(self) -> Path:
        """Where the sources are compiled."""
        return self.folder / "build"

    def run(self, command: Sequence[str], place: Path) -> str:
        """What a command prints; a failure ends the check with its last words."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        done = subprocess.run(  # noqa: S603 - the commands are written in this file
            command,
            cwd=place,
            env=dict(self.environment(home)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_SECONDS,
        )
        if done.returncode:
            words = (done.stdout + done.stderr).strip().splitlines()[-LAST_WORDS:]
            raise CheckError(f"{command[0]}: exit {done.returncode}", *words)
        return done.stdout + done.stderr

    def compile(self, sources: Sources, copy: Copy = Sources.copy) -> None:
        """Compile a copy of the sources from nothing, with our flags."""
        self.build.mkdir()
        copy(sources, self.build)
        flags = [f"-arg {flag}" for flag in FLAGS]
        lines = [f"-Q . {ROOT}", *flags, *sources.listed]
        (self.build / PROJECT).write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.run(["coq_makefile", "-f", PROJECT, "-o", "Makefile"], self.build)
        self.run(["make", "-s", f"-j{os.cpu_count() or 1}"], self.build)

    def ask(self, name: str, lines: Sequence[str]) -> Callable[[str], str]:
        """Let Coq execute these lines; the answers to `Redirect "key"` by key."""
        place = self.folder / name
        place.mkdir()
        (place / f"{name}.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.run(["coqc", *FLAGS, "-Q", str(self.build), ROOT, f"{name}.v"], place)
        return lambda key: (place / f"{key}.out").read_text(encoding="utf-8").strip()

    def recheck(self, sources: Sources) -> str:
        """Let the independent checker replay every file of ours."""
        command = ["coqchk", "-silent", "-o", "-Q", ".", ROOT]
        for name in sources.listed:
            command += ["-norec", module(name)]
        return self.run(command, self.build)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _type(answer: str) -> str:
    """The type in `name : type`."""
    return _one_line(answer.partition(" :")[2].removeprefix(" "))


def listings(workshop: Workshop, signed: Sequence[Signature]) -> dict[str, list[tuple[str, str]]]:
    """What Coq finds in each specification and in each of its module types."""
    files = dict.fromkeys(signature.file for signature in signed)
    lines = [f"Require {module(file)}." for file in files]
    lines += ["Set Short Module Printing.", "Set Printing Depth 1000000."]
    asked = {module(file): f"Print Module {module(file)}." for file in files}
    asked |= {each.full_name: f"Print Module Type {each.full_name}." for each in signed}
    lines += [f'Redirect "{place}" {ask}' for place, ask in enumerate(asked.values())]
    answers = workshop.ask("List", lines)
    # A listing begins with the name of the module itself.
    return {
        name: _LISTED.findall(_one_line(answers(str(place))).partition("=")[2])
        for place, name in enumerate(asked)
    }


def _reading(sources: Sources, index: int, signature: Signature) -> list[str]:
    """Print the statements as a reader of the specification sees them."""
    return [
        f"Module Reading{index}.",
        "Unset Printing Implicit Defensive.",
        *reading(sources, signature.file),
        *(
            f'Redirect "{index}-{place}-readable" Check @Stated{index}.{name}.'
            for place, name in enumerate(signature.slugs)
        ),
        f"End Reading{index}.",
    ]


def questions(sources: Sources, signed: Sequence[Signature], defined: Sequence[str]) -> list[str]:
    """Every question in one file: the specification first, then what proves it.

    Answers are kept in files by number: names may differ in their capitals alone.
    """
    lines = [f"Require {module(file)}." for file in dict.fromkeys(each.file for each in signed)]
    lines += ["Set Printing Depth 1000000.", "Set Printing Width 100."]
    for index, signature in enumerate(signed):
        lines.append(f"Declare Module Stated{index} : {signature.full_name}.")
    lines.append("Set Printing All.")
    lines += [f'Redirect "definition-{place}" Print {full}.' for place, full in enumerate(defined)]
    for index, signature in enumerate(signed):
        lines += [
            f'Redirect "{index}-{place}-stated" Check @Stated{index}.{name}.'
            for place, name in enumerate(signature.slugs)
        ]
    lines.append("Unset Printing All.")
    for index, signature in enumerate(signed):
        lines += _reading(sources, index, signature)
    lines += ["Set Printing All.", f"Require {module(PROVED)}."]
    for index, signature in enumerate(signed):
        for place, name in enumerate(signature.slugs):
            full = f"{signature.proof}.{name}"
            lines += [
                f'Redirect "{index}-{place}-proved" Check @{full}.',
                f'Redirect "{index}-{place}-kind" About {full}.',
            ]
    return lines


def assumptions(workshop: Workshop, signed: Sequence[Signature]) -> dict[str, str]:
    """What each result rests on.

    Coq walks through everything below a term, which takes a while: it is asked about all results
    in one term first, and about each of them only if that one is not closed.
    """
    proofs = {name: f"{each.proof}.{name}" for each in signed for name in each.slugs}
    required = f"Require {module(PROVED)}."
    together = workshop.ask("All", [required, *_resting("all", *proofs.values())])("all")
    if together == CLOSED:
        return dict.fromkeys(proofs, CLOSED)
    lines = [
        line
        for place, full in enumerate(proofs.values())
        for line in _resting(f"each{place}", full)
    ]
    each_alone = workshop.ask("Each", [required, *lines])
    return {name: _one_line(each_alone(f"each{place}")) for place, name in enumerate(proofs)}


def _resting(key: str, *results: str) -> list[str]:
    """Ask what results rest on, as proofs and as statements: a `let` holds both."""
    body = " ".join(f"let _ := @{full} in" for full in results)
    return [f"Definition {key} : True := {body} I.", f'Redirect "{key}" Print Assumptions {key}.']


def misfit(workshop: Workshop, signed: Sequence[Signature]) -> str:
    """Let the kernel compare what is proved with the specification, in a sentence of ours."""
    lines = [f"Require {module(each.file)}." for each in signed] + [f"Require {module(PROVED)}."]
    lines += [
        f"Module Sealed{index} : {each.full_name} := {each.proof}."
        for index, each in enumerate(signed)
    ]
    try:
        workshop.ask("Seal", lines)
    except CheckError as error:
        return str(error)
    return ""


def answers(workshop: Workshop, sources: Sources, signed: Sequence[Signature]) -> Answers:
    """Ask everything about sources that are compiled."""
    listed = listings(workshop, signed)
    defined = [
        f"{module(file)}.{name}"
        for file in dict.fromkeys(each.file for each in signed)
        for kind, name in listed[module(file)]
        if not kind.startswith("Module")
    ]
    said = workshop.ask("Ask", questions(sources, signed, defined))
    resting = assumptions(workshop, signed)
    results = {
        name: Answer(
            stated=_type(said(f"{index}-{place}-stated")),
            proved=_type(said(f"{index}-{place}-proved")),
            readable=said(f"{index}-{place}-readable").partition(" :")[2].strip(),
            kind=_one_line(said(f"{index}-{place}-kind")),
            assumptions=resting[name],
        )
        for index, signature in enumerate(signed)
        for place, name in enumerate(signature.slugs)
    }
    return Answers(
        version=workshop.run(["coqc", "--print-version"], workshop.folder).split()[0],
        listed=listed,
        definitions={
            full.removeprefix(f"{ROOT}."): _one_line(said(f"definition-{place}"))
            for place, full in enumerate(defined)
        },
        results=results,
        misfit=misfit(workshop, signed),
        rechecked=workshop.recheck(sources),
    )
