"""Where the notes and the proofs are: beside the code, or in the installed package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_PACKAGED = _PACKAGE / "proofs_notes"

#: One note per claim.
NOTES = _PACKAGED if _PACKAGED.is_dir() else _PACKAGE.parents[1] / "proofs_notes"
#: The machine-checked development.
COQ = NOTES / "coq"
