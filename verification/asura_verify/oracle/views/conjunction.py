"""The conjunction of one claim's comparisons over a whole trace."""

from __future__ import annotations

from flint import arb

from asura.verdict import HOLDS, Verdict, undecided
from asura_verify.oracle.judgement import ClaimView

OPEN = undecided()


class Conjunction:
    """One claim along one trace."""

    def __init__(self) -> None:
        self._verdict = HOLDS
        self._places = 0
        self._open = 0
        self._first: tuple[int, int | None, str] | None = None
        self.premise = ""  # which one is not met, when the claim says nothing here

    @property
    def places(self) -> int:
        """How often the claim was evaluated."""
        return self._places

    def enter(self, verdict: Verdict, line: int, j: int | None, what: str, *sides: arb) -> None:
        """One comparison; the first failure is remembered, or else the first doubt."""
        self._places += 1
        if verdict.holds:
            return
        self._open += verdict.undecided
        if self._first is None or (verdict.fails and not self._verdict.fails):
            shown = " against ".join(str(side.str(8)) for side in sides)
            self._first = line, j, f"{what}: {shown}" if shown else what
        self._verdict = self._verdict & verdict

    def view(self, *, doubt: str = "") -> ClaimView:
        """The conjunction; with a doubt about its premise nothing fails."""
        line, j, detail = self._first or (None, None, "")
        verdict, count = self._verdict, self._open
        if verdict.fails and doubt:
            verdict, count, detail = OPEN, max(1, count), f"{doubt}; {detail}"
        return ClaimView(str(verdict), self._places, count, line, j, detail)
