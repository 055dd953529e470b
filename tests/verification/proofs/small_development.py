"""A development of a few lines that the check accepts, and ways to spoil it."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "_CoqProject": "-Q . Asura\nSpec.v\nTheory/Work.v\nCheck.v\n",
    "Spec.v": """\
(** Weights, and their sum over a tree. *)
Set Implicit Arguments.

(* the weight of a number *)
Definition weight (n : nat) : nat := n + n.
Inductive tree : Type := Leaf (n : nat) | Node (l r : tree).
Fixpoint total (t : tree) : nat :=
  match t with Leaf n => weight n | Node l r => total l + total r end.

Module Type RESULTS.
(* slug: m-bound *)
Parameter main : forall n : nat, 0 < n -> forall m : nat, m = n -> 0 < weight m.
(* slug: sum-alpha *)
Parameter node : forall l r : tree, total (Node l r) = total l + total r.
End RESULTS.
""",
    "Theory/Work.v": """\
From Asura Require Import Spec.

Theorem main (n : nat) : 0 < n -> forall m : nat, m = n -> 0 < weight m.
Proof. intros h m e; rewrite e; destruct n; [exact h | apply le_n_S, le_0_n]. Qed.
""",
    "Check.v": """\
From Asura Require Spec Work.

Module Check : Spec.RESULTS.
Definition main := Work.main.
Theorem node : forall l r : Spec.tree,
  Spec.total (Spec.Node l r) = Spec.total l + Spec.total r.
Proof. reflexivity. Qed.
End Check.
""",
}

#: A proof of everything, to be made out of an axiom.
BY_MAGIC = """\
From Asura Require Import Spec.
{magic}
Theorem main (n : nat) : 0 < n -> forall m : nat, m = n -> 0 < weight m.
Proof. apply magic. Qed.
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def edited(name: str, *edits: tuple[str, str]) -> dict[str, str]:
    """One file with words replaced, each of which must be there."""
    text = FILES[name]
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return {name: text}


def added(name: str, line: str) -> dict[str, str]:
    """One file with a line at its end."""
    return {name: FILES[name] + line + "\n"}
