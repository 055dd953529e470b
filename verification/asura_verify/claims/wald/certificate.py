"""Whether E sum_{j<m} Phi_j^M <= (gamma/d) E[m] Tr M is certified on a whole range of gamma.

The pieces must follow each other from gamma = 0 without a gap, up to the end of the range, and on
every cell of every piece the enclosure must be at most 0 (`enclosure`, and the note `wald`
for d = 1). A bound above 0 refutes nothing: then the range is undecided.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from asura.verdict import HOLDS, undecided
from asura_verify.claims.wald.enclosure import GammaCell, end_bound
from asura_verify.claims.wald.weights import PIECES, Piece
from asura_verify.deciding.comparisons import CheckResult

UNIT = 4096


def needed(pieces: Sequence[Piece], top: Fraction) -> list[Piece]:
    """The pieces that begin below the end of the range."""
    return [piece for piece in pieces if Fraction(piece.low, UNIT) < top]


def gap(pieces: Sequence[Piece], top: Fraction) -> Fraction | None:
    """The first gamma of (0, top] above which the pieces do not go on, if there is one.

    >>> gap(PIECES[:1] + PIECES[2:], Fraction(1, 4))
    Fraction(1, 16)
    """
    reached = 0
    for piece in pieces:
        if piece.low != reached or piece.high <= piece.low or piece.cells < 1:
            break
        reached = piece.high
    return None if Fraction(reached, UNIT) >= top else Fraction(reached, UNIT)


def cells(piece: Piece) -> Iterator[GammaCell]:
    """Its cells, whose edges must be doubles: then neighbours share an edge exactly."""
    width = Fraction(piece.high - piece.low, UNIT * piece.cells)
    edges = [Fraction(piece.low, UNIT) + width * i for i in range(piece.cells + 1)]
    if any(Fraction(float(edge)) != edge for edge in edges):
        message = f"an edge of {piece.low}/{UNIT} to {piece.high}/{UNIT} is not a double"
        raise ArithmeticError(message)
    for low, high in pairwise(edges):
        yield GammaCell(float(low), float(high))


def certify(top: Fraction, pieces: Sequence[Piece] = PIECES) -> tuple[CheckResult, str]:
    """The judgement on 0 < gamma <= top, and what was computed, in words."""
    used = needed(pieces, top)
    missing = gap(used, top)
    if missing is not None:
        comparison = f"no piece covers gamma just above {missing}"
        return CheckResult(undecided(top - missing), comparison=comparison), comparison
    worst, count = -math.inf, 0
    for piece in used:
        for cell in cells(piece):
            bound = end_bound(cell, piece.weights)
            worst, count = max(worst, bound), count + 1
            if not bound <= 0:
                comparison = f"gamma from {cell.low} to {cell.high}: bound {bound:.4g}, not <= 0"
                width = Fraction(bound) if math.isfinite(bound) else Fraction(1)
                return CheckResult(undecided(width), comparison=comparison), comparison
    shown = f"{math.ceil(worst * 10**4) / 10**4:.4f}"
    text = (
        rf"every $d \ge 2$ and $0 < \gamma \le {top}$, in {count} cells: the drift integrated "
        f"over a run plus the end of the run is at most {shown}"
    )
    return CheckResult(HOLDS, comparison=f"drift and end: at most {shown}"), text
