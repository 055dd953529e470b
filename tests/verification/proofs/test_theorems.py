"""The record, the pins and the review of this development fit each other and its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from asura_verify.proofs import __main__ as command
from asura_verify.proofs.coq_refusals import refusals
from asura_verify.proofs.coq_sources import CheckError, read
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
