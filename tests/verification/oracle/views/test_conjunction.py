"""The conjunction of one claim along a trace."""

import pytest

from asura.verdict import FAILS
from asura_verify.oracle.judgement import ClaimView
from asura_verify.oracle.views.conjunction import OPEN, Conjunction


@pytest.mark.parametrize(("doubts", "counted"), [(0, 1), (1, 1), (2, 2)])
def test_an_excused_failure_counts_as_a_doubt(doubts: int, counted: int) -> None:
    conjunction = Conjunction()
    conjunction.enter(FAILS, 7, 2, "wrong")
    for line in range(doubts):
        conjunction.enter(OPEN, line, None, "vague")
    assert conjunction.view() == ClaimView("fails", doubts + 1, doubts, 7, 2, "wrong")
    excused = conjunction.view(doubt="near")
    assert excused == ClaimView("undecided", doubts + 1, counted, 7, 2, "near; wrong")
