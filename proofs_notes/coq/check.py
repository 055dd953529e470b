"""Build the Coq development and record what it proves.

    python3 check.py            build, check, write result.json
    python3 check.py --check    build, check, compare with result.json

Nothing is installed. The list of files comes from _CoqProject, the list of
theorems from its audit files (Audit*.v, and the computed values), so that both can grow
without a change here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
INSTALL: Final = "apt-get install coq libcoq-mathcomp-algebra-tactics libcoq-mathcomp-real-closed"
CLOSED: Final = "Closed under the global context"
FORBIDDEN: Final = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Conjectures?|Parameters?|bypass_check)\b"
    r"|\bUnset\s+(?:Guard|Positivity|Universe)\s+Checking\b"
)
SLUG: Final = re.compile(r"\(\*\s*slug:\s*([A-Za-z0-9-]+)\s*\*\)\s*$")
THEOREM: Final = re.compile(r"^(?:Theorem|Lemma|Corollary)\s+([A-Za-z_][\w']*)", re.MULTILINE)
UNAVAILABLE: Final = 69  # sysexits: a needed program is missing


class CheckError(Exception):
    """The development does not establish what it should; the text says what."""


@dataclass(frozen=True)
class Theorem:
    """One theorem of an audit file: its name, the claim it settles, its statement."""

    module: str
    name: str
    slug: str
    statement: str

    @property
    def statement_sha256(self) -> str:
        """The hash by which a changed statement is noticed."""
        return hashlib.sha256(self.statement.encode()).hexdigest()


def without_comments(text: str) -> str:
    """The Coq text with nested comments and the contents of strings removed."""
    kept: list[str] = []
    depth, position, quoted = 0, 0, False
    while position < len(text):
        pair = text[position : position + 2]
        if quoted:
            quoted = text[position] != '"'
        elif pair == "(*":
            depth += 1
            position += 1
        elif pair == "*)" and depth:
            depth -= 1
            position += 1
            kept.append(" ")
        elif text[position] == '"':
            quoted = True
        elif not depth:
            kept.append(text[position])
        position += 1
    return "".join(kept)


def project_files(directory: Path) -> list[str]:
    """The .v files of _CoqProject, in its order; every .v file must be listed."""
    words = (directory / "_CoqProject").read_text(encoding="utf-8").split()
    listed = [word for word in words if word.endswith(".v")]
    unlisted = sorted({path.name for path in directory.glob("*.v")} - set(listed))
    if unlisted:
        raise CheckError(f"not listed in _CoqProject: {', '.join(unlisted)}")
    missing = [name for name in listed if not (directory / name).is_file()]
    if missing:
        raise CheckError(f"listed in _CoqProject, but absent: {', '.join(missing)}")
    if "Audit.v" not in listed:
        raise CheckError("_CoqProject does not list Audit.v")
    return listed


def sources_sha256(directory: Path) -> str:
    """One hash of everything the proofs depend on in this directory."""
    digest = hashlib.sha256()
    for name in sorted(["_CoqProject", *project_files(directory)]):
        content = (directory / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def forbidden_words(directory: Path) -> list[str]:
    """Every word outside comments that would let a statement pass unproved."""
    found: list[str] = []
    for name in project_files(directory):
        text = without_comments((directory / name).read_text(encoding="utf-8"))
        found += [f"{name}: {match.group()}" for match in FORBIDDEN.finditer(text)]
    return found


def audit_files(directory: Path) -> list[str]:
    """The files whose theorems are recorded, in the order of _CoqProject."""
    return [name for name in project_files(directory) if name.startswith(("Audit", "Computed"))]


def audit_theorems(directory: Path) -> list[Theorem]:
    """The theorems of all audit files, each with the slug written above it."""
    theorems: list[Theorem] = []
    for name in audit_files(directory):
        theorems += file_theorems(name, (directory / name).read_text(encoding="utf-8"))
    names = [theorem.name for theorem in theorems]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CheckError(f"two theorems with the same name: {', '.join(twice)}")
    return theorems


def file_theorems(file: str, text: str) -> list[Theorem]:
    """The theorems of one audit file, in order."""
    theorems: list[Theorem] = []
    for match in THEOREM.finditer(text):
        name = match.group(1)
        slug = SLUG.search(text[: match.start()].rstrip())
        if slug is None:
            raise CheckError(f"{file}: no slug directly above {name}")
        end = re.compile(r"^Proof\b", re.MULTILINE).search(text, match.end())
        if end is None:
            raise CheckError(f"{file}: {name} has no proof")
        statement = " ".join(without_comments(text[match.start() : end.start()]).split())
        theorems.append(Theorem(file.removesuffix(".v"), name, slug.group(1), statement))
    if not theorems:
        raise CheckError(f"{file}: no theorem")
    return theorems


def run(command: Sequence[str], directory: Path) -> str:
    """What the command prints; a failure ends the check with its last words."""
    done = subprocess.run(  # noqa: S603 - the commands are written in this file
        command, cwd=directory, capture_output=True, text=True, check=False
    )
    if done.returncode:
        words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-30:])
        raise CheckError(f"{' '.join(command[:4])}: exit {done.returncode}\n{words}")
    return done.stdout + done.stderr


def build(directory: Path) -> None:
    """Compile everything that is out of date."""
    run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq"], directory)
    run(["make", "-s", "-f", "Makefile.coq"], directory)


def assumptions(directory: Path, theorems: Sequence[Theorem]) -> dict[str, str]:
    """What `Print Assumptions` says about each theorem."""
    with tempfile.TemporaryDirectory() as scratch:
        modules = dict.fromkeys(theorem.module for theorem in theorems)
        lines = [f"From Asura Require {module}." for module in modules]
        lines += [
            f'Redirect "answer{index}" Print Assumptions Asura.{theorem.module}.{theorem.name}.'
            for index, theorem in enumerate(theorems)
        ]
        (Path(scratch) / "Ask.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
        run(["coqc", "-w", "-all", "-Q", str(directory), "Asura", "Ask.v"], Path(scratch))
        return {
            theorem.name: (Path(scratch) / f"answer{index}.out").read_text(encoding="utf-8").strip()
            for index, theorem in enumerate(theorems)
        }


def recheck(directory: Path) -> None:
    """Let the independent checker replay every file; none of ours may add an axiom.

    It also lists the sealed definitions of Mathematical Components, which it
    cannot tell from axioms; `Print Assumptions` can, and is exact.
    """
    command = ["coqchk", "-silent", "-o", "-Q", ".", "Asura"]
    for name in project_files(directory):
        command += ["-norec", f"Asura.{name.removesuffix('.v')}"]
    summary = run(command, directory)
    section = re.search(r"^\* Axioms:(.*?)^\*", summary, re.MULTILINE | re.DOTALL)
    if section is None:
        raise CheckError(f"coqchk gave no summary: {summary}")
    ours = [name for name in section.group(1).split() if name.startswith("Asura.")]
    if ours:
        raise CheckError(f"coqchk sees axioms: {', '.join(ours)}")


def report(directory: Path) -> str:
    """Build and check all of it; the result as text, the same on every machine."""
    words = forbidden_words(directory)
    if words:
        raise CheckError("unproved statements are possible: " + "; ".join(words))
    theorems = audit_theorems(directory)
    build(directory)
    answers = assumptions(directory, theorems)
    recheck(directory)
    result = {
        "sources_sha256": sources_sha256(directory),
        "theorems": [
            {
                "name": theorem.name,
                "slug": theorem.slug,
                "closed": answers[theorem.name] == CLOSED,
                "statement_sha256": theorem.statement_sha256,
                "statement": theorem.statement,
            }
            for theorem in theorems
        ],
    }
    return json.dumps(result, indent=1) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 all proved and closed, 1 not so, 69 a program is missing."""
    parser = argparse.ArgumentParser(
        description="Build the Coq development and record what it proves."
    )
    parser.add_argument(
        "--check", action="store_true", help="compare with result.json, write nothing"
    )
    options = parser.parse_args(arguments)
    missing = [
        name for name in ("coqc", "coq_makefile", "coqchk", "make") if not shutil.which(name)
    ]
    if missing:
        print(f"missing: {', '.join(missing)}; install with\n  {INSTALL} make", file=sys.stderr)
        return UNAVAILABLE
    try:
        text = report(HERE)
    except CheckError as error:
        print(error, file=sys.stderr)
        return 1
    record = HERE / "result.json"
    if options.check:
        if not record.is_file() or record.read_text(encoding="utf-8") != text:
            print("result.json does not match the sources: run check.py", file=sys.stderr)
            return 1
    else:
        record.write_text(text, encoding="utf-8")
    theorems = json.loads(text)["theorems"]
    unclosed = [theorem["name"] for theorem in theorems if not theorem["closed"]]
    if unclosed:
        print(f"not closed under the global context: {', '.join(unclosed)}", file=sys.stderr)
        return 1
    print(f"{len(theorems)} theorems, all closed under the global context")
    return 0


if __name__ == "__main__":
    sys.exit(main())
