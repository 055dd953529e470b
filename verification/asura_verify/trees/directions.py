"""The lines that the points of a dataset span.

>>> from asura.dataset import dataset
>>> [d.members for d in directions_of(dataset([[1, 0], [0, 1], [-2, 0]]), merge_parallel=True)]
[(0, 2), (1,)]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.dataset import Dataset
from asura.scalars import fraction


@dataclass(frozen=True, slots=True)
class Direction:
    """Parallel points: member i is ratios[i] times the representative's row.

    `shares[i]` is the probability of member i given that the line is drawn; `multiplier` is the
    line's mass over the representative's; `unlabelled_shares` are those of points of X_1.
    """

    representative: int
    members: tuple[int, ...]
    ratios: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    multiplier: Fraction
    unlabelled_share: Fraction
    unlabelled_shares: tuple[Fraction, ...]


def _ratio(row: list[fmpq], other: list[fmpq]) -> Fraction | None:
    """t with row = t other, or None; `other` is not zero."""
    pivot = next(k for k, x in enumerate(other) if x != 0)
    t = row[pivot] / other[pivot]
    parallel = all(a == t * b for a, b in zip(row, other, strict=True))
    return fraction(t) if parallel else None


def directions_of(data: Dataset, *, merge_parallel: bool = True) -> tuple[Direction, ...]:
    """The lines, in the order of their first points; points that are zero span none."""
    rows = data.coordinates.rows.tolist()
    scales = data.squared_scales
    groups: list[tuple[int, list[int], list[Fraction]]] = []
    for index, row in enumerate(rows):
        if scales[index] == 0 or all(x == 0 for x in row):
            continue
        for first, members, ratios in groups if merge_parallel else ():
            t = _ratio(row, rows[first])
            if t is not None:
                members.append(index)
                ratios.append(t)
                break
        else:
            groups.append((index, [index], [Fraction(1)]))
    directions = []
    for first, members, ratios in groups:
        squares = [scales[i] * t * t for i, t in zip(members, ratios, strict=True)]
        total = sum(squares, Fraction(0))
        shares = tuple(s / total for s in squares)
        asked = sorted(s for i, s in zip(members, shares, strict=True) if i < data.unlabelled)
        directions.append(
            Direction(
                first,
                tuple(members),
                tuple(ratios),
                shares,
                total / scales[first],
                sum(asked, Fraction(0)),
                tuple(asked),
            )
        )
    return tuple(directions)
