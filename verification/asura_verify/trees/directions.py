"""The lines that the points of a dataset span, and the symmetries that permute them.

>>> from asura.dataset import dataset
>>> [d.members for d in directions_of(dataset([[1, 0], [0, 1], [-2, 0]]), merge_parallel=True)]
[(0, 2), (1,)]
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.dataset import Dataset
from asura.scalars import fraction

#: A permutation of the lines, as the tuple of images.
Permutation = tuple[int, ...]

#: Beyond, a search through all permutations and signs is too long.
MAXIMAL_SYMMETRIC = 5


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


def _inner_products(
    data: Dataset, directions: tuple[Direction, ...]
) -> list[list[tuple[int, Fraction]]]:
    """Sign and square of the inner products of the lines' total vectors in the U coordinates."""
    coordinates = data.coordinates
    inverse = coordinates.gram().inv()
    rows = coordinates.rows.tolist()
    solved = (coordinates.rows * inverse).tolist()
    table = []
    for a in directions:
        entries = []
        for b in directions:
            left, right = solved[a.representative], rows[b.representative]
            product = fraction(sum((x * y for x, y in zip(left, right, strict=True)), fmpq(0)))
            weight = (
                a.multiplier
                * b.multiplier
                * data.squared_scales[a.representative]
                * data.squared_scales[b.representative]
            )
            entries.append(((product > 0) - (product < 0), weight * product * product))
        table.append(entries)
    return table


def symmetries_of(data: Dataset, directions: tuple[Direction, ...]) -> tuple[Permutation, ...]:
    """Permutations of the lines that an orthogonal map of the U coordinates induces.

    Vectors y_a (one per line, with y_a y_a^T the line's total outer product) are mapped to
    +- y_pi(a) by an orthogonal map exactly when the inner products agree for some signs. The
    shares of the line's points in X_1 must agree too.

    >>> from asura.dataset import dataset
    >>> symmetric = dataset([[1, 0], [0, 1], [1, 1]])
    >>> len(symmetries_of(symmetric, directions_of(symmetric)))      # all of S_3
    6
    """
    count = len(directions)
    identity = tuple(range(count))
    if count > MAXIMAL_SYMMETRIC:
        return (identity,)
    table = _inner_products(data, directions)
    found = []
    for permutation in itertools.permutations(range(count)):
        if any(
            directions[a].unlabelled_shares != directions[permutation[a]].unlabelled_shares
            for a in range(count)
        ) or any(
            table[a][b][1] != table[permutation[a]][permutation[b]][1]
            for a in range(count)
            for b in range(a + 1)
        ):
            continue
        if any(
            all(
                table[a][b][0] * signs[a] * signs[b] == table[permutation[a]][permutation[b]][0]
                for a in range(count)
                for b in range(a)
            )
            for signs in itertools.product((1, -1), repeat=count)
        ):
            found.append(permutation)
    return tuple(found)
