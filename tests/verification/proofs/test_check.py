"""The parts of the check that need no Coq, and the record, pins and review it is compared with."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from asura_verify.proofs.coq_refusals import refusals, specifications
from asura_verify.proofs.coq_sources import CheckError, Sources, read
from asura_verify.proofs.coq_text import UnfinishedText, sentences, text_sha256
from asura_verify.proofs.hypotheses import UnreadableStatement
from asura_verify.proofs.hypotheses import read as read_hypotheses
from asura_verify.proofs.record import (
    Definition,
    Record,
    Theorem,
    hashes,
    pins_of,
    pins_text,
    read_pins,
    record_bytes,
)
from asura_verify.proofs.specification import signatures
from asura_verify.proofs.standing import Development, differences
from asura_verify.proofs.standing import read as read_standing
from tests.verification.proofs.small_development import FILES, added, edited, write


def development(folder: Path, files: dict[str, str] | None = None) -> Sources:
    return read(write(folder, {**FILES, **(files or {})}))


# The text.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A. B.", ["A", "B"]),
        ("A.b c.", ["A.b c"]),
        ("A (* . (* B. *) *) c.", ["A c"]),
        ('A ".. (* x". B. (* "*)" *)', ['A ""', "B"]),
        ('A "x""y. z". B.', ['A ""', "B"]),
        ('(* " *) B. " *) C.', ["C"]),
        ("tac... Axiom a : b.", ["tac..", "Axiom a : b"]),
        ("A.(* x *) B.", ["A", "B"]),
        ("A. B", ["A", "B"]),
    ],
)
def test_sentences_end_where_coq_ends_them(text: str, expected: list[str]) -> None:
    assert [each.text for each in sentences(text)] == expected


@pytest.mark.parametrize("text", ["(* A.", 'Print "a.', '(* "*) A.'])
def test_what_is_not_closed_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UnfinishedText):
        sentences(text)
    assert refusals(development(tmp_path, {"Theory/Work.v": text}))


def test_comments_and_layout_do_not_count_in_the_hash_of_a_text() -> None:
    assert text_sha256("A  b.\n(* c *) D.") == text_sha256("A b. D.")
    assert text_sha256("A b. D.") != text_sha256("A b. d.")


# What may not stand in it.


def test_the_small_development_is_not_refused(tmp_path: Path) -> None:
    assert refusals(development(tmp_path)) == []


@pytest.mark.parametrize(
    "line",
    [
        "Axioms a b : False.",
        "Conjecture c : False.",
        "Lemma l : False. admit. Qed.",
        "Lemma l : False. give_up. Qed.",
        "Lemma l : True. Abort.",
        "Admit Obligations.",
        "Time Fail Axiom a : False.",
        "#[export] Declare Instance i : False.",
        "Primitive int := #int63_type.",
        'Add LoadPath "x" as Y.',
        'Add Rec LoadPath "x" as Y.',
        'Declare ML Module "m".',
        'Redirect "x" Print nat.',
        'Cd "x".',
        "Drop.",
        'Extraction "x.ml" nat.',
        'Register nat as "x".',
        "Reset main.",
        "Set Universe Polymorphism.",
        "Global Unset Positivity Checking.",
        "Local Set Kernel Term Sharing.",
        "#[universes(polymorphic)] Definition d := 0.",
        "Require Import Arith.",
        "Require Asura.Work.",
        "From Flocq Require Import Core.",
        "From Asura Require Import Work. Hypothesis h : False.",
        "Context (h : False).",
        "Definition d := 0.\r",
        "\ufeff",
        "(* \u202e *)",
    ],
)
def test_a_file_of_proofs_may_not_say(line: str, tmp_path: Path) -> None:
    assert refusals(development(tmp_path, added("Theory/Work.v", line))), line


@pytest.mark.parametrize(
    "line",
    [
        "(* Admitted. (* Axiom *) *)",
        'Locate "Admitted. Axiom a : False.".',
        "Section S. Variable h : False. Hypothesis k : False. End S.",
        "From Coq Require Import Arith.",
        "From mathcomp.algebra_tactics Require Import ring.",
        "#[local] Notation admitted := 0.",
    ],
)
def test_a_file_of_proofs_may_say(line: str, tmp_path: Path) -> None:
    assert refusals(development(tmp_path, added("Theory/Work.v", line))) == []


@pytest.mark.parametrize(
    "line",
    [
        "Notation three := 3.",
        'Infix "+++" := plus (at level 50).',
        "Canonical Structure c := d.",
        "Arguments weight n%odd.",
        "Module Hidden.",
        "Include Hidden.",
        "Bind Scope odd with nat.",
        "Delimit Scope odd with odd.",
        "Definition d : nat. Proof. exact 0. Defined.",
        "Hint Resolve le_n.",
        'Definition d := "a".',
        "From Asura Require Import Work.",
    ],
)
def test_a_specification_may_not_say(line: str, tmp_path: Path) -> None:
    assert refusals(development(tmp_path, added("Spec.v", line))), line


def test_only_files_beside_the_project_are_specifications(tmp_path: Path) -> None:
    names = ("SpecValues.v", "Spectral.v", "Theory/Spec.v", "spec.v")
    project = FILES["_CoqProject"] + "".join(f"{name}\n" for name in names)
    found = development(tmp_path, {"_CoqProject": project, **dict.fromkeys(names, "")})
    assert specifications(found) == ["Spec.v", "SpecValues.v"]


def test_what_is_read_is_hashed(tmp_path: Path) -> None:
    honest = development(tmp_path / "honest")
    for name in FILES:
        changed = development(tmp_path / name, added(name, " "))
        assert changed.sha256 != honest.sha256
    write(tmp_path / "honest", {"Theory/Work.vo": "", "Plugin.cmxs": "", "Work.ml": ""})
    assert read(tmp_path / "honest").sha256 == honest.sha256
    honest.copy(tmp_path / "copy")
    copied = [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]
    assert {path.suffix for path in copied} == {".v"}


# What the specification claims.


def test_slugs_and_proofs_are_read_from_the_text(tmp_path: Path) -> None:
    (signature,) = signatures(development(tmp_path))
    assert signature.slugs == {"main": "m-bound", "node": "sum-alpha"}
    assert signature.full_name == "Asura.Spec.RESULTS"
    assert signature.proof == "Asura.Check.Check"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (edited("Spec.v", ("(* slug: m-bound *)\n", "")), "0 slugs directly above main"),
        (edited("Spec.v", ("m-bound *)", "m-bound *) (* slug: x *)")), "2 slugs directly above"),
        (edited("Spec.v", ("Parameter node", "Parameter main")), "stated twice: main"),
        (edited("Spec.v", ("Parameter node", "Axiom node")), "expected Parameter"),
        (edited("Spec.v", ("Parameter node", "Parameters node other")), "expected Parameter"),
        (edited("Spec.v", ("End RESULTS.", "")), "RESULTS does not end"),
        (edited("Check.v", (" : Spec.RESULTS", "")), "Check.v has no module for RESULTS"),
        (edited("Check.v", ("Module Check", "Module Check (X : T)")), "has no module for RESULTS"),
        (added("Check.v", "Module Other : Spec.RESULTS."), "two modules for RESULTS"),
        ({"_CoqProject": "-Q . Asura\nSpec.v\nTheory/Work.v\n"}, "Check.v is not in the project"),
        ({"_CoqProject": "-Q . Asura\nTheory/Work.v\nCheck.v\n"}, "no module type in Spec.v"),
    ],
)
def test_a_specification_whose_claims_cannot_be_told_is_refused(
    files: dict[str, str], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(CheckError, match=reason):
        signatures(development(tmp_path, files))


# All hypotheses.


def test_every_hypothesis_is_read_and_none_is_lost() -> None:
    readable = """forall (R : realFieldType) (d : nat) (U : I -> 'cV_d),
  (0 < d)%N ->
  172 * g <= 1 -> (forall x, P x -> Q x) -> ~ A -> [/\\ a, b -> c & e] -> exists x, x -> y"""
    shown = (
        "forall (R : T) (d : nat) (U : forall _ : S, M) (_ : is_true (ltn O d)) (_ : C) "
        "(_ : forall (x : T) (_ : P x), Q x) (_ : not A) (_ : and a), @ex T (fun x => P)"
    )
    found = read_hypotheses(readable, shown)
    assert found.premises == (
        "(0 < d)%N",
        "172 * g <= 1",
        "(forall x, P x -> Q x)",
        "~ A",
        "[/\\ a, b -> c & e]",
    )
    assert found.variables == ("R : realFieldType", "d : nat", "U : I -> 'cV_d")
    assert found.conclusion == "exists x, x -> y"
    with pytest.raises(UnreadableStatement):
        read_hypotheses(readable.replace("172 * g <= 1 ->", ""), shown)


# Record, pins, review.


def recorded(sources: Sources, weight: str = "n + n", *, closed: bool = True) -> Record:
    """What a build would find; the elaborated definition is given."""
    definitions = {"Spec.weight": weight}
    sha256 = hashes({"main": "forall n, Spec.weight n = n", "node": "0 = 0"}, definitions)
    return Record(
        sources_sha256=sources.sha256,
        coq="8.16.1",
        texts={"Spec.v": text_sha256(sources.files["Spec.v"])},
        theorems=[
            Theorem("main", "m-bound", closed, sha256["main"], "forall n,\n  weight n", [], []),
            Theorem("node", "sum-alpha", True, sha256["node"], "0 = 0", [], []),
        ],
        definitions=[Definition("Spec.weight", sha256["Spec.weight"])],
    )


def standing(folder: Path, record: Record, pinned: Record, reviewed: str) -> Development:
    files = write(folder.parent, {"pins.txt": pins_text(pinned)})
    (files / "record.json").write_bytes(record_bytes(record))
    return read_standing(files / "record.json", files / "pins.txt", folder, reviewed)


def test_a_closed_theorem_of_these_sources_as_reviewed_counts(tmp_path: Path) -> None:
    record = recorded(development(tmp_path / "coq"))
    known = standing(tmp_path / "coq", record, record, pins_of(record).digest)
    assert known.problem == ""
    assert known.find("main") == record.theorems[0].sha256
    assert known.statement("main") == "forall n,\n  weight n"
    assert known.find("other") is None
    assert known.statement("other") == ""


def test_an_installed_package_has_no_sources(tmp_path: Path) -> None:
    record = recorded(development(tmp_path / "coq"))
    standing(tmp_path / "coq", record, record, "")
    reviewed = pins_of(record).digest
    known = read_standing(tmp_path / "record.json", tmp_path / "pins.txt", None, reviewed)
    assert set(known.closed) == {"main", "node"}


def test_a_theorem_that_is_not_closed_does_not_count(tmp_path: Path) -> None:
    record = recorded(development(tmp_path / "coq"), closed=False)
    known = standing(tmp_path / "coq", record, record, pins_of(record).digest)
    assert set(known.closed) == {"node"}


def test_a_record_that_is_older_than_its_sources_counts_for_nothing(tmp_path: Path) -> None:
    record = recorded(development(tmp_path / "coq"))
    write(tmp_path / "coq", added("Theory/Work.v", "(* later *)"))
    known = standing(tmp_path / "coq", record, record, pins_of(record).digest)
    assert known.closed == {}
    assert "older" in known.problem


def test_a_missing_or_damaged_record_counts_for_nothing(tmp_path: Path) -> None:
    record = recorded(development(tmp_path / "coq"))
    standing(tmp_path / "coq", record, record, "")
    reviewed = pins_of(record).digest
    stored, pinned, absent = (tmp_path / name for name in ("record.json", "pins.txt", "absent"))
    for files in ((absent, pinned), (stored, absent)):
        assert "no build" in read_standing(files[0], files[1], tmp_path / "coq", reviewed).problem
    stored.write_text("{", encoding="utf-8")
    assert "unreadable" in read_standing(stored, pinned, tmp_path / "coq", reviewed).problem


DOUBLED = edited("Spec.v", ("nat := n + n", "nat := n + n + (n + n)"))


def test_a_doubled_weight_with_the_hash_patched_by_hand_is_noticed(tmp_path: Path) -> None:
    honest = recorded(development(tmp_path / "coq"))
    changed = development(tmp_path / "coq", DOUBLED)
    patched = msgspec.structs.replace(honest, sources_sha256=changed.sha256)
    # Without Coq: the text is not the reviewed one.
    known = standing(tmp_path / "coq", patched, honest, pins_of(honest).digest)
    assert known.closed == {}
    assert known.problem == "Spec.v is not the text that was reviewed"
    # With Coq: neither the record nor the pins are what the build finds.
    built = recorded(changed, "n + n + (n + n)")
    reasons = [
        *differences(built, record_bytes(patched), pins_text(honest), pins_of(honest).digest)
    ]
    assert "definition Spec.weight is not the pinned one" in reasons
    assert "statement main is not the pinned one" in reasons
    assert "statement node is not the pinned one" not in reasons
    assert any(reason.startswith("record.json is not what the build finds") for reason in reasons)


def test_statement_record_and_pin_changed_together_are_noticed(tmp_path: Path) -> None:
    honest = recorded(development(tmp_path / "coq"))
    built = recorded(development(tmp_path / "coq", DOUBLED), "n + n + (n + n)")
    reviewed = pins_of(honest).digest
    known = standing(tmp_path / "coq", built, built, reviewed)
    assert known.problem == "the pinned statements are not those that were reviewed"
    (reason,) = differences(built, record_bytes(built), pins_text(built), reviewed)
    assert reason.endswith("is not the reviewed one")
    # What is left to a reader: whoever writes the digest by hand has read the difference.
    assert standing(tmp_path / "coq", built, built, pins_of(built).digest).problem == ""


def test_a_record_edited_by_hand_is_noticed_by_the_build(tmp_path: Path) -> None:
    honest = recorded(development(tmp_path / "coq"), closed=False)
    forged = msgspec.structs.replace(
        honest, theorems=[msgspec.structs.replace(each, closed=True) for each in honest.theorems]
    )
    reviewed = pins_of(honest).digest
    (reason,) = differences(honest, record_bytes(forged), pins_text(honest), reviewed)
    assert reason.startswith("record.json is not what the build finds")


def test_pins_that_show_readers_something_else_are_noticed(tmp_path: Path) -> None:
    honest = recorded(development(tmp_path / "coq"))
    shown = pins_text(honest).replace("weight n", "weight 2")
    assert read_pins(shown) == pins_of(honest)
    (reason,) = differences(honest, record_bytes(honest), shown, pins_of(honest).digest)
    assert reason.startswith("pins.txt does not say what Coq prints")
    with pytest.raises(ValueError, match="pinned twice"):
        read_pins(pins_text(honest) + f"result main {'0' * 64}\n")
    for line in ("result main 0", "theorem main " + "0" * 64, "result", "result main"):
        with pytest.raises(ValueError, match="expected a kind, a name and a hash"):
            read_pins(line)


def test_a_hash_covers_every_definition_below_a_statement() -> None:
    types = {"direct": "Spec.a O", "indirect": "Spec.b O", "other": "Spec.c O", "made": "Spec.Leaf"}
    honest = {
        "Spec.a": "fun n => n",
        "Spec.b": "fun n => Spec.a n",
        "Spec.c": "fun n => O",
        "Spec.tree": "Inductive tree : Set := Leaf : Spec.tree",
    }
    before = hashes(types, honest)
    after = hashes(types, {**honest, "Spec.a": "fun n => S n"})
    assert {name for name in before if before[name] != after[name]} == {
        "direct",
        "indirect",
        "Spec.a",
        "Spec.b",
    }
    after = hashes(types, {**honest, "Spec.tree": "Inductive tree : Set := Leaf | Node"})
    assert before["made"] != after["made"]
