"""The index of the notes is made from the recorded verdicts."""

from asura_verify.auditing.baseline import Baseline, Recorded, read
from asura_verify.claims import CLAIMS, find
from asura_verify.report.notes_index import INDEX, index, replaced, row


def test_the_index_is_up_to_date() -> None:
    text = INDEX.read_text(encoding="utf-8")
    assert text == replaced(text, index(CLAIMS, read())), (
        "run python -m asura_verify.report.notes_index"
    )


def test_a_changed_verdict_changes_the_index() -> None:
    claim = find("stop-text")
    known = Baseline({"stop-text": {"printed": Recorded("misprint", "exact")}})
    assert "| misprint (exact) |" in row(claim, known)
    assert "| not recorded |" in row(claim, Baseline({}))
    assert row(claim, known) in index(CLAIMS, known)
