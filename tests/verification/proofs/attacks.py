"""Attacks on the check of the proofs: what is changed, what keeps it out, what is said of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.verification.proofs.small_development import (
    BY_MAGIC,
    FILES,
    STATEMENT,
    added,
    edited,
    write,
)

MAGIC = "forall Q : Prop, Q"


@dataclass(frozen=True)
class Attack:
    """Files that are changed, what keeps them out, and what is said of it."""

    name: str
    files: dict[str, str]
    reason: str
    defences: tuple[str, ...]
    prepare: Callable[[Path], None] = field(default=lambda _: None)
    environment: dict[str, str] = field(default_factory=dict)


def compiled_before(text: str) -> Callable[[Path], None]:
    """Leave the compiled file of another text beside Theory/Work.v, newer than the source."""

    def prepare(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as other:
            place = write(Path(other), {**FILES, "Theory/Work.v": text})
            _coqc(place, "Spec.v")
            _coqc(place, "Theory/Work.v")
            for name in ("Spec", "Theory/Work"):
                shutil.copy(place / f"{name}.vo", folder / f"{name}.vo")
                os.utime(folder / f"{name}.vo", (2e9, 2e9))

    return prepare


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


def library(root: str) -> Callable[[Path], None]:
    """Install a library with an axiom where COQPATH leads."""

    def prepare(folder: Path) -> None:
        place = folder.parent / "contributed" / root
        write(place, {"Magic.v": "Definition twice (n : nat) : nat := n + n.\n"})
        _coqc(place, "Magic.v", root)

    return prepare


def _coqc(folder: Path, name: str, root: str = "Asura") -> None:
    command = ["coqc", "-q", "-Q", str(folder), root, str(folder / name)]
    subprocess.run(command, check=True)


def linked_folder(folder: Path) -> None:
    """Let a folder of sources be a link to one elsewhere, which nobody hashes."""
    elsewhere = folder.parent / "elsewhere"
    shutil.move(folder / "Theory", elsewhere)
    (folder / "Theory").symlink_to(elsewhere)


#: The statement with an axiom in it that computation takes away again.
WITH_AXIOM = "0 < (fun _ : forall P : Prop, P \\/ ~ P => n) classic"

LOOP = """\
Fixpoint loop (n : nat) : {magic} := loop n.
Definition magic := loop 0.
"""

ATTACKS = [
    Attack(
        "an axiom under an attribute",
        {"Theory/Work.v": BY_MAGIC.format(magic=f"#[local] Axiom magic : {MAGIC}.")},
        "the word Axiom would let a statement pass unproved",
        ("words", "closed", "recheck"),
    ),
    Attack(
        "an axiom between strings that look like a comment",
        {
            "Theory/Work.v": BY_MAGIC.format(
                magic=f'Locate "(*".\nAxiom magic : {MAGIC}.\nLocate "*)".'
            )
        },
        "the word Axiom would let a statement pass unproved",
        ("words", "closed", "recheck"),
    ),
    Attack(
        "Admitted behind a comment",
        {
            "Theory/Work.v": f"From Asura Require Import Spec.\nTheorem main : {STATEMENT}.\n"
            'Proof. Admitted (* " *) " *) .\n'
        },
        "the word Admitted would let a statement pass unproved",
        ("words", "closed", "recheck"),
    ),
    Attack(
        "a variable outside any section",
        {"Theory/Work.v": BY_MAGIC.format(magic=f"Variable magic : {MAGIC}.")},
        "Variable outside a section is an axiom",
        ("assumptions", "closed", "recheck"),
    ),
    Attack(
        "a parameter of the specification itself",
        {
            **edited(
                "Spec.v",
                ("Module Type RESULTS", f"Parameter magic : {MAGIC}.\nModule Type RESULTS"),
            ),
            "Theory/Work.v": BY_MAGIC.format(magic=""),
        },
        "Parameter magic in a specification",
        ("names", "closed", "recheck", "pins"),
    ),
    Attack(
        "an opaque parameter of a functor",
        {
            "Check.v": "From Asura Require Spec.\n"
            "Module F (X : Spec.RESULTS) : Spec.RESULTS := X.\n"
            "Declare Module Y : Spec.RESULTS.\nModule Z := F Y.\n"
            "Module Check : Spec.RESULTS.\nInclude Z.\nEnd Check.\n"
        },
        "the word Declare would let a statement pass unproved",
        ("words", "closed", "recheck"),
    ),
    Attack(
        "no guard on fixpoints",
        {
            "Theory/Work.v": BY_MAGIC.format(
                magic="Unset Guard Checking.\n" + LOOP.format(magic=MAGIC)
            )
        },
        "the setting 'Unset Guard Checking'",
        ("words", "settings", "closed", "recheck"),
    ),
    Attack(
        "no guard, by an attribute",
        {
            "Theory/Work.v": BY_MAGIC.format(
                magic="#[bypass_check(guard)]\n" + LOOP.format(magic=MAGIC)
            )
        },
        "the attribute bypass_check(guard)",
        ("words", "settings", "closed", "recheck"),
    ),
    Attack(
        "a signature with a hypothesis more, under the same name",
        {
            "Theory/Work.v": "From Asura Require Import Spec.\nSection Magic.\n"
            f"Hypothesis magic : {MAGIC}.\nTheorem main : {STATEMENT}.\n"
            "Proof. exact (magic _). Qed.\nEnd Magic.\n",
            "Check.v": FILES["Check.v"].replace(
                "Module Check : Spec.RESULTS.",
                "Module Type RESULTS.\n"
                f"Parameter main : ({MAGIC}) -> {STATEMENT.replace('weight', 'Spec.weight')}.\n"
                "Parameter node : forall l r : Spec.tree,\n"
                "  Spec.total (Spec.Node l r) = Spec.total l + Spec.total r.\n"
                "End RESULTS.\nModule Check : RESULTS.",
            ),
        },
        "Check.v: the word Parameter would let a statement pass unproved",
        ("words", "fit", "types"),
    ),
    Attack(
        "a decoy inside a module",
        {
            "Check.v": "From Asura Require Spec Work.\nModule Decoy.\n"
            + FILES["Check.v"].partition("\n\n")[2]
            + "End Decoy.\nModule Check.\nTheorem main : True. Proof. exact I. Qed.\n"
            "Theorem node : True. Proof. exact I. Qed.\nEnd Check.\n"
        },
        "what is proved is not what is stated",
        ("fit", "types"),
    ),
    Attack(
        "the statement in a comment, and another after it",
        {
            **edited(
                "Spec.v",
                ("(* slug: m-bound *)\nParameter main", "(* Parameter main"),
                ("0 < weight m.", "0 < weight m. *)\n(* slug: m-bound *)\nParameter main : True."),
            ),
            **edited("Check.v", ("main := Work.main", "main : True := I")),
        },
        "statement main is not the pinned one",
        ("pins",),
    ),
    Attack(
        "a word of the statement means something else",
        {
            **edited(
                "Spec.v",
                (
                    "Module Type",
                    "Local Notation \"'weight' n\" := (S n) (at level 10).\nModule Type",
                ),
            ),
            **edited(
                "Check.v",
                (
                    "main := Work.main",
                    "main (n : nat) (_ : 0 < n) (m : nat) (_ : m = n) := le_n_S 0 m (le_0_n m)",
                ),
            ),
        },
        "no such sentence in a specification: 'Local Notation",
        ("specification", "pins"),
    ),
    Attack(
        "a coercion makes a statement of a number",
        {
            **edited(
                "Spec.v",
                (
                    "Module Type",
                    """\
Definition holds (n : nat) : Prop := True.
Coercion holds : nat >-> Sortclass.
Module Type""",
                ),
                ("m = n -> 0 < weight m", "m = n -> weight m"),
            ),
            **edited(
                "Check.v",
                ("main := Work.main", "main (n : nat) (_ : 0 < n) (m : nat) (_ : m = n) := I"),
            ),
        },
        "no such sentence in a specification: 'Coercion holds",
        ("specification", "pins"),
    ),
    Attack(
        "a field of a record is a coercion",
        {
            **edited(
                "Spec.v",
                ("Module Type", "Record fact := Fact { says :> Prop }.\nModule Type"),
                ("m = n -> 0 < weight m", "m = n -> Fact True"),
            ),
            **edited(
                "Check.v",
                ("main := Work.main", "main (n : nat) (_ : 0 < n) (m : nat) (_ : m = n) := I"),
            ),
        },
        "a coercion: 'Record fact",
        ("specification", "pins"),
    ),
    Attack(
        "a scope gives numbers another meaning",
        {
            **edited(
                "Spec.v",
                (
                    "Module Type",
                    """\
Declare Scope odd_scope.
Notation "x < y" := (x <= y) : odd_scope.
Local Open Scope odd_scope.
Module Type""",
                ),
            ),
            **edited(
                "Check.v",
                (
                    "main := Work.main",
                    "main (n : nat) (_ : 0 <= n) (m : nat) (_ : m = n) := le_0_n (Spec.weight m)",
                ),
            ),
        },
        "no such sentence in a specification: 'Declare Scope odd_scope",
        ("words", "specification", "pins"),
    ),
    Attack(
        "a tactic writes the statement",
        {
            **edited("Spec.v", ("m = n -> 0 < weight m", "ltac:(exact True)")),
            **edited("Check.v", ("main := Work.main", "main (n : nat) (_ : 0 < n) (m : nat) := I")),
        },
        "a tactic inside a term",
        ("specification", "pins"),
    ),
    Attack(
        "a result that serves another claim",
        edited("Spec.v", ("slug: m-bound", "slug: main")),
        "statement main is not the pinned one",
        ("pins",),
    ),
    Attack(
        "a definition changed",
        edited("Spec.v", ("nat := n + n", "nat := n + n + (n + n)")),
        "definition Spec.weight is not the pinned one",
        ("pins",),
    ),
    Attack(
        "a file that nobody hashes is loaded",
        {"Theory/Work.v": 'From Asura Require Import Spec.\nLoad "{place}/loaded".\n'},
        "the word Load would reach out of the hashed sources",
        ("words",),
        prepare=loaded,
    ),
    Attack(
        "a compiled file newer than its source",
        edited("Theory/Work.v", ("exact h | apply le_n_S, le_0_n", "exact h | exact h")),
        "make: exit 2",
        ("copy",),
        prepare=compiled_before(FILES["Theory/Work.v"]),
    ),
    Attack(
        "a compiled file without source",
        edited("Check.v", ("Require Spec Work", "Require Spec Work Ghost")),
        "make: exit 2",
        ("copy",),
        prepare=without_source,
    ),
    Attack(
        "flags for make beside the sources",
        {
            **added("Theory/Work.v", "Definition all : Set := Set."),
            "Makefile.local": "COQEXTRAFLAGS += -type-in-type\n",
        },
        "make: exit 2",
        ("copy", "closed", "recheck", "pins"),
    ),
    Attack(
        "flags for make in the environment",
        added("Theory/Work.v", "Definition all : Set := Set."),
        "make: exit 2",
        ("environment", "closed", "recheck", "pins"),
        environment={"COQEXTRAFLAGS": "-type-in-type"},
    ),
    Attack(
        "a flag that weakens the kernel",
        {"_CoqProject": "-type-in-type\n" + FILES["_CoqProject"]},
        "the line '-type-in-type'",
        ("options",),
    ),
    Attack(
        "a library that is not on the list",
        added("Theory/Work.v", "From Contributed Require Magic."),
        "a library of Contributed; expected Coq, mathcomp or Asura",
        ("requires", "environment"),
        prepare=library("Contributed"),
        environment={"COQPATH": "{place}/contributed"},
    ),
    Attack(
        "a library under a trusted name, where COQPATH leads",
        added("Theory/Work.v", "From mathcomp Require Magic."),
        "make: exit 2",
        ("environment",),
        prepare=library("mathcomp"),
        environment={"COQPATH": "{place}/contributed"},
    ),
    Attack(
        "a source that is a link",
        {},
        "Theory/Work.v is a symbolic link",
        ("files", "copy"),
        prepare=linked,
    ),
    Attack(
        "a file that is not listed",
        {"Secret.v": ""},
        "Secret.v is not listed in _CoqProject",
        ("files",),
    ),
    Attack(
        "a file that is listed twice",
        {"_CoqProject": FILES["_CoqProject"] + "Check.v\n"},
        "Check.v is listed 2 times",
        ("files",),
    ),
    Attack(
        "a second file of the same name",
        {
            "_CoqProject": FILES["_CoqProject"] + "Other/Work.v\n",
            "Other/Work.v": "",
            **edited(
                "Check.v",
                ("Require Spec Work.", "Require Spec.\nFrom Asura.Theory Require Work."),
            ),
        },
        "2 files are called Work.v",
        ("files",),
    ),
    Attack(
        "a file under the name of the whole",
        {"_CoqProject": FILES["_CoqProject"] + "Asura.v\n", "Asura.v": ""},
        "no file and no folder is called Asura",
        ("files",),
    ),
    Attack(
        "a letter that looks like another",
        added("Theory/Work.v", "Definition m\u0430in := main."),
        "the character \\u0430; expected ASCII",
        ("characters",),
    ),
    Attack(
        "the specification included as its own proof",
        {
            "Check.v": "From Asura Require Spec.\nModule Check : Spec.RESULTS.\n"
            "Include Spec.RESULTS.\nEnd Check.\n"
        },
        "main is not closed",
        ("closed", "recheck"),
    ),
    Attack(
        "a module type mixed into a module",
        {
            "Check.v": "From Asura Require Spec Work.\nModule Empty. End Empty.\n"
            "Module Mixed := Empty <+ Spec.RESULTS.\nModule Check : Spec.RESULTS.\n"
            "Definition main := Work.main.\nDefinition node := Mixed.node.\nEnd Check.\n"
        },
        "node is not closed",
        ("closed", "recheck"),
    ),
    Attack(
        "an axiom of Coq's own library",
        {
            "Theory/Work.v": BY_MAGIC.format(
                magic="From Coq Require AdmitAxiom.\nDefinition magic (Q : Prop) : Q :=\n"
                "  match AdmitAxiom.proof_admitted with end."
            )
        },
        "main is not closed",
        ("closed",),
    ),
    Attack(
        "an axiom in the statement alone",
        {
            **edited(
                "Spec.v",
                ("Set Implicit Arguments.", "From Coq Require Import Classical_Prop.\n"),
                ("forall n : nat, 0 < n ->", f"forall n : nat, {WITH_AXIOM} ->"),
            ),
            **edited(
                "Check.v",
                (
                    "Require Spec Work.",
                    "Require Spec Work.\nFrom Coq Require Import Classical_Prop.",
                ),
                (
                    "Definition main := Work.main",
                    (
                        f"Definition main : forall n : nat, {WITH_AXIOM} -> "
                        "forall m : nat, m = n -> 0 < Spec.weight m := Work.main"
                    ),
                ),
            ),
        },
        "main is not closed",
        ("closed", "pins"),
    ),
    Attack(
        "a variable that is a coercion",
        {
            **edited(
                "Spec.v",
                (
                    "Module Type",
                    (
                        "Section Odd. Variable holds :> nat -> Prop.\n"
                        "Definition fact (n : nat) : Prop := n. End Odd.\nModule Type"
                    ),
                ),
                ("m = n -> 0 < weight m", "m = n -> fact (fun _ => True) (weight m)"),
            ),
            **edited(
                "Check.v",
                ("main := Work.main", "main (n : nat) (_ : 0 < n) (m : nat) (_ : m = n) := I"),
            ),
        },
        "a coercion: 'Variable holds",
        ("specification", "pins"),
    ),
    Attack(
        "universes printed into a file elsewhere",
        added("Theory/Work.v", 'Print Universes "{place}/written.txt".'),
        "the word Universes would reach out of the hashed sources",
        ("words",),
    ),
    Attack(
        "a folder that is a link",
        {},
        "Theory is a symbolic link",
        ("files", "copy"),
        prepare=linked_folder,
    ),
    Attack(
        "a character that is not seen",
        {"Theory/Work.v": FILES["Theory/Work.v"].replace("Theorem main", "Theorem\rmain")},
        "the character \\r; expected ASCII",
        ("characters",),
    ),
    Attack(
        "equality of proofs by computation",
        added("Theory/Work.v", "Set Definitional UIP."),
        "the setting 'Set Definitional UIP'",
        ("settings",),
    ),
    Attack(
        "universes that are not fixed",
        added("Theory/Work.v", "#[export] Set Universe Polymorphism."),
        "the setting 'Set Universe Polymorphism'",
        ("settings",),
    ),
    Attack(
        "projections of another kind",
        added("Theory/Work.v", "#[projections(primitive)] Record pair := Pair { one : nat }."),
        "the attribute projections(primitive)",
        ("settings",),
    ),
    Attack(
        "an impredicative Set, asked for where editors read flags",
        {"_CoqProject": "-arg -impredicative-set\n" + FILES["_CoqProject"]},
        "the line '-arg -impredicative-set'",
        ("options",),
    ),
    Attack(
        "another library under our name",
        {"_CoqProject": "-R ../contributed Asura\n" + FILES["_CoqProject"]},
        "the line '-R ../contributed Asura'",
        ("options",),
    ),
]
