"""The table of theorems in the notes is the one that the record of the build gives."""

from __future__ import annotations

from asura_verify.proofs.theorem_table import NOTES, assumptions, table, updated


def test_the_table_is_current() -> None:
    index = (NOTES / "README.md").read_text(encoding="utf-8")
    assert updated(index) == index


def test_every_listed_theorem_is_closed() -> None:
    assert "**no**" not in table()


def test_assumptions_are_read_off_the_statement() -> None:
    assert assumptions("forall (R : realFieldType), 2%:R * g < 1 -> psd M -> x") == (
        "any real field, 0 < gamma < 1/2, M semidefinite"
    )
    assert assumptions("forall R, ~ (forall g : R, g < 1)").startswith("nothing")
