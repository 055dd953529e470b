"""The record, the pins and the review of this development fit each other and its sources."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from asura_verify.proofs import __main__ as command
from asura_verify.proofs import standing
from asura_verify.proofs.coq_refusals import refusals
from asura_verify.proofs.coq_sources import PROJECT, CheckError, read
from asura_verify.proofs.record import pins_of, pins_text, read_pins, read_record, record_bytes
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.proofs.specification import signatures
from asura_verify.proofs.standing import differences
from asura_verify.proofs.theorems import PINS, RECORD, SOURCES, development


def test_the_sources_are_not_refused() -> None:
    assert refusals(read(SOURCES)) == []


def test_the_record_belongs_to_the_sources_and_to_the_review() -> None:
    record = read_record(RECORD)
    assert record.sources_sha256 == read(SOURCES).sha256
    pinned = PINS.read_text(encoding="utf-8")
    assert not [*differences(record, RECORD.read_bytes(), pinned, REVIEWED)]
    assert development().problem == ""


def test_every_result_of_the_specification_counts() -> None:
    stated = {name for signature in signatures(read(SOURCES)) for name in signature.slugs}
    assert set(development().closed) == stated


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The real sources, in a folder that a test may spoil."""
    sources = read(SOURCES)
    sources.copy(tmp_path)
    (tmp_path / PROJECT).write_text(sources.project, encoding="utf-8")
    assert read(tmp_path).sha256 == sources.sha256
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_doubled_weight_with_the_hash_patched_by_hand_counts_for_nothing(copy: Path) -> None:
    honest = "Definition weight s x : R := g / Phi s / prob s x."
    edit(copy / "Spec.v", honest, honest.replace("g / Phi", "2%:R * g / Phi"))
    record = msgspec.structs.replace(read_record(RECORD), sources_sha256=read(copy).sha256)
    (copy / "record.json").write_bytes(record_bytes(record))
    known = standing.read(copy / "record.json", PINS, copy, REVIEWED)
    assert known.closed == {}
    assert known.problem == "Spec.v is not the text that was reviewed"


@pytest.mark.parametrize("name", ["Spec.v", "Check.v", "Theory/Forms.v"])
def test_the_real_files_may_not_say(copy: Path, name: str) -> None:
    with (copy / name).open("a", encoding="utf-8") as file:
        file.write("Load other.\n#[local] Axiom a : False.\nUnset Guard Checking.\n")
    found = "\n".join(refusals(read(copy)))
    for word in ("Load", "Axiom", "Checking"):
        assert f"{name}: the word {word} would" in found


def test_the_pins_are_readable_and_complete() -> None:
    record = read_record(RECORD)
    assert read_pins(pins_text(record)) == pins_of(record)
    assert record_bytes(record) == RECORD.read_bytes()


def test_a_machine_without_coq_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "missing_programs", lambda: ["coqc"])
    assert command.main(["check"]) == command.UNAVAILABLE
    assert "apt-get install coq" in capsys.readouterr().err


def test_reasons_are_told_and_the_exit_code_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> str:
        raise CheckError("main is not closed", "node is not closed")

    monkeypatch.setattr(command, "missing_programs", list)
    monkeypatch.setitem(command.COMMANDS, "check", refuse)
    assert command.main([]) == 1
    assert capsys.readouterr().err == "main is not closed\nnode is not closed\n"


def test_files_that_cannot_be_read_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for content in (b"{", None):
        monkeypatch.setattr(command, "RECORD", tmp_path / "record.json")
        (tmp_path / "record.json").unlink(missing_ok=True)
        if content is not None:
            (tmp_path / "record.json").write_bytes(content)
        assert command.main(["pin"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_the_check_compares_and_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    record = read_record(RECORD)
    monkeypatch.setattr(command, "build", lambda: record)
    before = [path.read_bytes() for path in (RECORD, PINS)]
    assert f"{len(record.theorems)} theorems" in command.check()
    monkeypatch.setattr(command, "REVIEWED", "0" * 64)
    with pytest.raises(CheckError, match="is not the reviewed one"):
        command.check()
    assert [path.read_bytes() for path in (RECORD, PINS)] == before
