"""The check of the proofs notices what would let a statement pass unproved or changed.

On a copy of the real files where no build is needed, on a small development where one is.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

COQ = Path(__file__).parents[2] / "proofs_notes" / "coq"


def load() -> ModuleType:
    specification = importlib.util.spec_from_file_location("check", COQ / "check.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["check"] = module
    specification.loader.exec_module(module)
    return module


check = load()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for path in [*COQ.glob("*.v"), COQ / "_CoqProject"]:
        shutil.copy(path, tmp_path)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def recorded() -> dict[str, str]:
    theorems = json.loads((COQ / "result.json").read_text(encoding="utf-8"))["theorems"]
    return {theorem["name"]: theorem["statement_sha256"] for theorem in theorems}


def hashes(directory: Path) -> dict[str, str]:
    return {each.name: each.statement_sha256 for each in check.audit_theorems(directory)}


def test_the_record_belongs_to_the_sources(copy: Path) -> None:
    assert hashes(copy) == recorded()
    assert check.forbidden_words(copy) == []
    record = json.loads((COQ / "result.json").read_text(encoding="utf-8"))
    assert check.sources_sha256(copy) == record["sources_sha256"]


@pytest.mark.parametrize("word", ["Axiom a : False.", "Admitted.", "admit.", "Parameter p : nat."])
def test_unproved_statements_are_found(copy: Path, word: str) -> None:
    with (copy / "Step.v").open("a", encoding="utf-8") as file:
        file.write(f"\n{word}\n")
    assert check.forbidden_words(copy) == [f"Step.v: {word.split(maxsplit=1)[0].rstrip('.')}"]


def test_words_in_comments_are_not(copy: Path) -> None:
    with (copy / "Step.v").open("a", encoding="utf-8") as file:
        file.write("\n(* Admitted (* Axiom *) *)\n")
    assert check.forbidden_words(copy) == []


def test_a_weakened_statement_changes_its_hash_and_only_that(copy: Path) -> None:
    edit(copy / "Audit.v", "Theorem invariant : forall", "Theorem invariant : False -> forall")
    changed = {name for name, value in hashes(copy).items() if value != recorded()[name]}
    assert changed == {"invariant"}


def test_a_theorem_without_its_slug_is_refused(copy: Path) -> None:
    edit(copy / "Audit.v", "(* slug: sum-alpha *)\n", "")
    with pytest.raises(check.CheckError, match="no slug directly above sum_alpha"):
        check.audit_theorems(copy)


def test_files_that_are_not_built_are_refused(copy: Path) -> None:
    (copy / "Secret.v").write_text("", encoding="utf-8")
    with pytest.raises(check.CheckError, match=r"not listed in _CoqProject: Secret\.v"):
        check.project_files(copy)


SMALL = """(* slug: truth *)
Theorem truth : True.
Proof. exact I. Qed.
"""


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_hidden_assumptions_are_found_by_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "_CoqProject").write_text("-Q . Asura\nAudit.v\n", encoding="utf-8")
    (tmp_path / "Audit.v").write_text(SMALL, encoding="utf-8")
    assert json.loads(check.report(tmp_path))["theorems"][0]["closed"]
    hidden = SMALL.replace("exact I", "exact h")
    # `Variable` outside a section is an axiom by another name, which no search for words finds.
    (tmp_path / "Audit.v").write_text(f"Variable h : True.\n{hidden}", encoding="utf-8")
    check.build(tmp_path)
    answers = check.assumptions(tmp_path, check.audit_theorems(tmp_path))
    assert answers["truth"] != check.CLOSED
    with pytest.raises(check.CheckError, match="axioms"):
        check.recheck(tmp_path)


def test_a_machine_without_coq_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check.shutil, "which", lambda _: None)
    assert check.main([]) == check.UNAVAILABLE
    assert "apt-get install coq" in capsys.readouterr().err
