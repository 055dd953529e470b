"""Bets on stratified uniforms: of k draws in a row, one lies in each k-th of [0, 1).

Who wants to reduce variance draws so; the picks are then no independent draws, though each alone is
right. Given the draws of a group so far, the next density is constant on every k-th: in proportion
to what these draws have left free there, or one on the next k-th if they come in order. The
intervals of `serial` say where the draws were, so that a density is chosen from the past alone,
and the game is as fair as there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks.experts import Places

#: In how many parts [0, 1) may be cut.
PARTS = (2, 3, 4, 5, 8, 10, 16, 20, 32, 64)
#: Where groups may begin: with a trace, or with the first draw of all.
BEGINNINGS = ("trace", "draws")
ORDERS = ("any", "rising")
#: What a bet leaves to the constant density.
DOUBT = 2.0**-5
#: All bets.
COUNT = len(PARTS) * len(BEGINNINGS) * len(ORDERS)


def free(portions: Doubles, since: Places) -> Doubles:
    """What the draws of a group have left of each part, before every one of the last draws.

    `portions` are those of all draws in each part, and `since` how many came before in the group.

    >>> free(np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.array([2])).tolist()
    [[0.0, 0.5, 1.0]]
    """
    fresh, size = len(since), len(portions)
    sums = np.vstack([np.zeros((1, portions.shape[1])), np.cumsum(portions, axis=0)])
    here = np.arange(size - fresh, size)
    return np.asarray(np.maximum(1 - (sums[here] - sums[here - since]), 0.0))


def densities(portions: Doubles, since: Places, order: str) -> Doubles:
    """The share of the next uniform that is bet on each part: draws x parts.

    >>> densities(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]), "any").tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    >>> densities(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]), "rising").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    parts = portions.shape[1]
    if order == "rising":
        return np.asarray(np.arange(parts) == since[:, None], dtype=np.float64)
    left = free(portions, since)
    total = left.sum(axis=1, keepdims=True)
    even = np.full_like(left, 1 / parts)
    # Differences of sums may be off by roundings: what is left of nothing is nobody's.
    return np.asarray(np.divide(left, total, out=even, where=total > 2.0**-20))


def bets(
    cells: Sequence[Doubles], portions: Sequence[Doubles], begins: tuple[Places, Places]
) -> Doubles:
    """q of every bet: draws x bets; `begins` counts the draws of the trace, and all draws.

    `cells` has the length of each draw's interval in each part, for every number of parts, and
    `portions` the same as shares; their first rows may be earlier draws.
    """
    fresh, found = len(begins[0]), []
    for lengths, shares in zip(cells, portions, strict=True):
        met, parts = lengths[-fresh:], lengths.shape[1]
        for begin in begins:
            for order in ORDERS:
                density = densities(shares, begin % parts, order)
                bet = (1 - DOUBT) * parts * np.sum(density * met, axis=1)
                found.append(bet + DOUBT * met.sum(axis=1))
    return np.stack(found, axis=1)


def words() -> tuple[str, ...]:
    """What each bet says, in the order in which they are made."""
    return tuple(
        f"uniforms-stratified ({k} draws, one in each of {k} parts of [0, 1), in {order} order)"
        for k in PARTS
        for _ in BEGINNINGS
        for order in ORDERS
    )
