"""Machine-checked strength comes from a build of the very sources, or not at all."""

import json
from pathlib import Path

from asura_verify.proofs.theorems import (
    RESULT,
    SOURCES,
    development,
    pinned_statements,
    read,
    sources_sha256,
)


def _folder(path: Path, *, closed: bool = True) -> Path:
    (path / "_CoqProject").write_text("Audit.v\n", encoding="utf-8")
    (path / "Audit.v").write_text("Theorem t : True.", encoding="utf-8")
    result = {
        "sources_sha256": sources_sha256(path),
        "theorems": [
            {"name": "t", "slug": "m-bound", "closed": closed, "statement_sha256": "ab"},
            {"name": "audit_s", "slug": "m-bound", "closed": True, "statement_sha256": "cd"},
        ],
    }
    (path / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return path / "result.json"


def test_closed_theorems_count(tmp_path: Path) -> None:
    known = read(_folder(tmp_path), tmp_path)
    assert known.find("t") == "ab"
    assert known.find("s") == "cd"
    assert known.find("u") is None


def test_open_theorems_do_not(tmp_path: Path) -> None:
    assert read(_folder(tmp_path, closed=False), tmp_path).find("t") is None


def test_a_result_that_is_older_than_its_sources_counts_for_nothing(tmp_path: Path) -> None:
    result = _folder(tmp_path)
    (tmp_path / "Audit.v").write_text("Theorem t : False.", encoding="utf-8")
    known = read(result, tmp_path)
    assert known.closed == {}
    assert "older" in known.problem


def test_a_missing_or_damaged_result_counts_for_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "result.json", tmp_path).closed == {}
    (tmp_path / "result.json").write_text("{", encoding="utf-8")
    assert "unreadable" in read(tmp_path / "result.json", tmp_path).problem


def test_a_statement_that_is_not_the_pinned_one_counts_for_nothing(tmp_path: Path) -> None:
    result = _folder(tmp_path)
    known = read(result, tmp_path, {"t": "ab", "audit_s": "changed"})
    assert known.find("t") == "ab"
    assert known.find("s") is None


def test_every_theorem_of_the_build_is_pinned() -> None:
    assert read(RESULT, SOURCES).closed == pinned_statements()
    assert development().problem == ""
