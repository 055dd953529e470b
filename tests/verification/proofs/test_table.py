"""The table of theorems in the notes is the one that the record of the build gives."""

from __future__ import annotations

from asura_verify.proofs.record import Record, Theorem, read_record
from asura_verify.proofs.theorem_table import INDEX, VALUES, row, table, updated
from asura_verify.proofs.theorems import RECORD


def test_the_table_is_current() -> None:
    index = INDEX.read_text(encoding="utf-8")
    assert updated(index, read_record(RECORD)) == index


def test_every_listed_theorem_is_closed() -> None:
    assert "**no**" not in table(read_record(RECORD))


def test_every_hypothesis_is_shown() -> None:
    record = read_record(RECORD)
    lines = {line.split("`")[1]: line for line in table(record).splitlines() if "| `" in line}
    for theorem in record.theorems:
        if theorem.slug != VALUES:
            cells = lines[theorem.name].replace("\\|", "|")
            # An absolute value is printed with the mark that ends code, and shown with another.
            premises = [premise.replace("`", "'") for premise in theorem.premises]
            assert all(f"`{premise}`" in cells for premise in premises), theorem.name
            assert all(f"`{variable}`" in cells for variable in theorem.variables), theorem.name


def test_a_hypothesis_that_was_dropped_by_a_list_of_words_is_shown() -> None:
    theorem = Theorem(
        "narrow", "main", True, "0", "", ["g : R"], ["172%:R * g <= 1", "[seq x | x <- h] = h"]
    )
    assert "`172%:R * g <= 1`, `[seq x \\| x <- h] = h`" in row(theorem)
    record = Record("", "", {}, [theorem], [])
    assert "narrow" in table(record)
