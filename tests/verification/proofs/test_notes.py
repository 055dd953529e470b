"""The proof notes and the obligations name each other."""

import fnmatch
import re
from pathlib import Path

import pytest

from asura_verify.proofs.obligations import OBLIGATIONS, Obligation

NOTES = Path(__file__).parents[3] / "proofs_notes"
NAMES = [obligation.name for obligation in OBLIGATIONS]


def named_in(note: Path) -> list[str]:
    """Obligations that the note's last paragraph names; a star stands for several."""
    _, _, checked = note.read_text(encoding="utf-8").partition("**Checked by.**")
    return re.findall(r"`([^`]+)`", checked)


@pytest.mark.parametrize("note", sorted(NOTES.glob("*.md")), ids=lambda path: path.stem)
def test_notes_name_obligations_that_exist(note: Path) -> None:
    for pattern in named_in(note):
        assert fnmatch.filter(NAMES, pattern), pattern


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda obligation: obligation.name)
def test_every_obligation_is_used_by_the_note_of_its_slug(obligation: Obligation) -> None:
    name, slug = obligation.name, obligation.slug
    note = NOTES / f"{slug}.md"
    assert note.exists()
    assert any(fnmatch.fnmatch(name, pattern) for pattern in named_in(note)), name


def test_every_note_is_in_the_index_and_says_what_checks_it() -> None:
    index = (NOTES / "README.md").read_text(encoding="utf-8")
    assert "<!-- theorems -->" in index
    for note in NOTES.glob("*.md"):
        if note.stem != "README":
            assert f"({note.name})" in index
            assert "**Checked by.**" in note.read_text(encoding="utf-8")
