"""The two views that follow a trace as it is reported: step by step, and claim by claim."""

from __future__ import annotations

from dataclasses import dataclass

from asura.trace import IterationLine, Line, ResultLine
from asura_verify.oracle.judgement import ClaimView, LocalView
from asura_verify.oracle.views.claims import ClaimJudge
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.local import LocalJudge
from asura_verify.oracle.views.reported_state import JudgedLine, ReportedState


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of the steps, and of the claims."""

    local: LocalView | None
    claims: dict[str, ClaimView]


class ReportedViews:
    """Follows a trace behind a judge; made and called inside one precision scope."""

    def __init__(self, judge: Judge) -> None:
        self._state = ReportedState(judge)
        self._local = LocalJudge(self._state)
        self._claims = ClaimJudge(self._state, self._local)

    def line(self, number: int, line: Line, judged: JudgedLine, _text: bytes = b"") -> None:
        """One line that was judged."""
        if isinstance(line, IterationLine):
            self._state.iteration(line, judged)
            self._claims.iteration(number, line, self._local.iteration(number, line, judged.look))
        elif isinstance(line, ResultLine):
            self._state.result(line, judged)
            self._claims.result(number, line)

    def findings(self) -> Findings:
        """At the end of the trace."""
        return Findings(self._local.view(), self._claims.views())
