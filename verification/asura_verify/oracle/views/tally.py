"""Claims on balls: three outcomes a comparison, and their conjunction over a whole trace."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb, arb_mat

from asura.definiteness import ball_positive_definite
from asura.verdict import FAILS, HOLDS, Verdict, undecided
from asura_verify.oracle.judgement import ClaimView

OPEN = undecided()


def below(left: arb, right: arb) -> Verdict:
    """Decide left < right."""
    return HOLDS if left < right else FAILS if left >= right else OPEN


def at_most(left: arb, right: arb) -> Verdict:
    """Decide left <= right."""
    return HOLDS if left <= right else FAILS if left > right else OPEN


def equal(left: arb, right: arb, scale: arb | None = None) -> Verdict:
    """Decide left = right as far as balls can: they meet, and know the size to a bit.

    >>> str(equal(arb(1, 0.25), arb(1))), str(equal(arb(1, 4), arb(1))), str(equal(arb(1), arb(2)))
    ('holds', 'undecided', 'fails')
    """
    if not left.overlaps(right):
        return FAILS
    size = abs(right) if scale is None else scale
    return HOLDS if (left.rad() + right.rad()) * 2 < size else OPEN


def definite(matrix: arb_mat) -> Verdict:
    """Decide v^T M v > 0 for all v: by elimination, or by a v where it certainly is not.

    >>> str(definite(arb_mat([[1, 2], [2, 1]])))
    'fails'
    """
    if ball_positive_definite(matrix).holds:
        return HOLDS
    size = matrix.nrows()
    middle = np.array([[float(matrix[i, k]) for k in range(size)] for i in range(size)])
    if not np.all(np.isfinite(middle)):
        return OPEN
    try:
        direction = np.linalg.eigh(middle)[1][:, 0]
    except np.linalg.LinAlgError:
        return OPEN
    vector = arb_mat(1, size, [arb(float(x)) for x in direction])
    return FAILS if (vector * matrix * vector.transpose())[0, 0] <= 0 else OPEN


def largest(values: Sequence[arb]) -> arb:
    """A ball that contains the largest of the numbers that the balls contain."""
    top = values[0]
    for value in values[1:]:
        if not value <= top:
            top = value if value >= top else top.max(value)
    return top


class Tally:
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
