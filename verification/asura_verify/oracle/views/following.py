"""The two views that follow a trace as it is reported: step by step, and claim by claim."""

from __future__ import annotations

from dataclasses import dataclass

from asura.trace import IterationLine, Line, ResultLine
from asura_verify.oracle.judgement import ClaimView, LocalView
from asura_verify.oracle.views.claims import ClaimJudge
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.local import LocalJudge
from asura_verify.oracle.views.witness import Hint, Witness


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of the steps, and of the claims."""

    local: LocalView | None
    claims: dict[str, ClaimView]


class Follower:
    """Follows a trace behind a judge; made and called inside one precision scope."""

    def __init__(self, judge: Judge) -> None:
        self._witness = Witness(judge)
        self._local = LocalJudge(self._witness)
        self._claims = ClaimJudge(self._witness, self._local)

    def line(self, number: int, line: Line, hint: Hint, _text: bytes = b"") -> None:
        """One line that was judged."""
        if isinstance(line, IterationLine):
            self._witness.iteration(line, hint)
            self._claims.iteration(number, line, self._local.iteration(number, line, hint.look))
        elif isinstance(line, ResultLine):
            self._witness.result(line, hint)
            self._claims.result(number, line)

    def findings(self) -> Findings:
        """At the end of the trace."""
        return Findings(self._local.view(), self._claims.views())
