"""Bets on uniforms in groups: of k draws in a row, one lies in each k-th of [0, 1), or they rise.

Who wants to reduce variance stratifies; the picks are then no independent draws, though each alone
is right. Given the draws of a group so far, the next measure is

- *in any order*: constant on every k-th, in proportion to what these draws have left free there. A
  draw whose interval meets several takes from each in proportion to what was bet on it there. Above
  `CELLS` draws the parts are `CELLS` cells, each with room for k/`CELLS` draws. The `FITTED` bets
  that gained most ask again, draw by draw, where all draws of the group must have been (`fitted`);
- *in rising order*: constant on the k-th that comes next, and 0 elsewhere;
- *sorted* up (or down, mirrored): that of the least of the n draws that are left of the group, when
  all lie above the draw x before: of [y, 1) it has ((1 - y)/(1 - x))^n. For x stands the middle of
  the interval that is known of it.

A little of the constant density is mixed in. Every measure is chosen from the past alone, so that
the game is as fair as `uniforms` says. Bets that lost enough are dismissed, so that few are left to
be watched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks.experts import Places
from asura_verify.oracle.picks.uniforms import overlap, portions, shared

#: How many draws a group may have, and a sorted one.
SIZES, SORTED = range(2, 257), range(2, 17)
#: The parts of [0, 1) that are told apart at most.
CELLS = 64
#: Where groups may begin: with a trace, or with the first draw of all.
BEGINNINGS = ("trace", "draws")
#: What may be so in a group.
ORDERS = {
    "one in each part, in any order": SIZES,
    "one in each part, in rising order": SIZES,
    "sorted up": SORTED,
    "sorted down": SORTED,
}
#: What a bet leaves to the constant density.
DOUBT = 2.0**-5
#: How many bets are fitted at most, from which logarithm of a capital on, and in how many rounds.
FITTED, GAINED, ROUNDS = 8, 1.0, 10
#: The least share of the freest part that a part keeps, so that no scale vanishes.
_LEAST = 2.0**-60
#: All bets: their order, the number of draws of a group, and where it begins.
_ALL = [
    (order, size, begin)
    for order, sizes in enumerate(ORDERS.values())
    for size in sizes
    for begin in range(len(BEGINNINGS))
]
ORDER, SIZE, BEGIN = (np.array(column) for column in zip(*_ALL, strict=True))
#: The stakes: in inverse proportion to the draws of a group; any order has as much as the others.
WEIGHTS = np.where(ORDER == 0, len(ORDERS) - 1.0, 1.0) / SIZE
WEIGHTS = WEIGHTS / np.sum(WEIGHTS)


class State(NamedTuple):
    """What is known of all groups that are under way."""

    free: Doubles  # in each part: bets x cells
    scales: Doubles  # of the columns, where a bet is fitted: bets x cells
    leading: Places  # the bets that are fitted

    @classmethod
    def new(cls) -> State:
        """Of no group yet."""
        cells = len(SIZE), CELLS
        return cls(np.zeros(cells), np.ones(cells), np.zeros(0, dtype=np.intp))

    def led(self, capital: Doubles) -> State:
        """Fit those bets from now on that gained most."""
        gained = np.where(ORDER == 0, capital, -np.inf)
        best = np.argsort(-(gained + np.log(WEIGHTS)), kind="stable")[:FITTED]
        return self._replace(leading=best[gained[best] > GAINED])


def room(sizes: Places) -> tuple[Doubles, Doubles]:
    """The edges of the parts, and what is free in each when a group begins: groups x parts.

    >>> edges, free = room(np.array([2, 128]))
    >>> edges[0, :4].tolist(), free[0, :3].tolist(), free[1, :3].tolist()
    ([0.0, 0.5, 1.0, 1.0], [1.0, 1.0, 0.0], [2.0, 2.0, 2.0])
    """
    parts = np.minimum(sizes, CELLS)[:, None]
    edges = np.minimum(np.arange(CELLS + 1) / parts, 1.0)
    return edges, np.where(np.arange(CELLS) < parts, sizes[:, None] / parts, 0.0)


def filled(
    free: Doubles, sizes: Places, since: Places, starts: Doubles, ends: Doubles
) -> tuple[Doubles, Doubles]:
    """q of parts that are filled one after the other: draws x bets; and what is free at the end.

    No draw takes more than 1 of what is free, so that a group has at least 1 left for its last.
    """
    edges, whole = room(sizes)
    parts, found = np.minimum(sizes, CELLS), np.empty(since.shape)
    for t, (start, end) in enumerate(zip(starts, ends, strict=True)):
        free = np.where(since[t, :, None] == 0, whole, free)
        met = free * overlap(start, end, edges[:, :-1], edges[:, 1:])
        total = met.sum(axis=1)
        found[t] = parts * total / free.sum(axis=1)
        taken = np.divide(met, total[:, None], out=np.zeros_like(met), where=total[:, None] > 0)
        free = np.maximum(free - taken, 0.0)
    return found, free


def fitted(
    size: int, scales: Doubles, since: Places, here: Places, starts: Doubles, ends: Doubles
) -> tuple[Doubles, Doubles]:
    """q of one bet in any order, for draws at some places of what is known; and the last scales.

    A table of draws by parts has each draw's share of its interval in every part, and a row for the
    draws to come. Rows and columns are scaled in turn (Sinkhorn), from the scales of the draw
    before, until a draw is 1 and a part holds what it has room for; the last row is then what is
    free. If they are not yet, the measure is worse, and as fair.
    """
    parts, found = min(size, CELLS), np.empty(len(here))
    columns = scales[:parts]
    for k, (place, count) in enumerate(zip(here, since, strict=True)):
        group = slice(max(place - count, 0), place)
        table = np.vstack(
            [portions(shared(starts[group], ends[group], parts)), np.full(parts, 1 / parts)]
        )
        rows = np.append(np.ones(len(table) - 1), size - count)
        columns = columns if count else np.ones(parts)
        for _ in range(ROUNDS):
            columns = 1 / (rows / (table @ columns) @ table)
            columns = np.maximum(columns / columns.max(), _LEAST)
        length = shared(starts[place], ends[place], parts)
        found[k] = parts * float(columns @ length) / float(columns.sum())
    return found, np.append(columns, np.ones(CELLS - parts))


def rising(sizes: Places, since: Places, starts: Doubles, ends: Doubles) -> Doubles:
    """q of parts that come in order: draws x bets."""
    met = overlap(starts[:, None], ends[:, None], since / sizes, (since + 1) / sizes)
    return np.asarray(sizes * met)


def least(sizes: Places, since: Places, before: Doubles, starts: Doubles, ends: Doubles) -> Doubles:
    """q of groups that are sorted up: draws x bets; `before` is where the draw before was."""
    below = np.where((since > 0) & (before < 1)[:, None], before[:, None], 0.0)
    left = sizes - since
    tails = [np.minimum((1 - x)[:, None] / (1 - below), 1.0) for x in (starts, ends)]
    powers = [np.ones_like(tail) for tail in tails]
    for count in range(int(np.max(left, initial=0))):  # products grow in doubles, too
        for power, tail in zip(powers, tails, strict=True):
            np.multiply(power, tail, out=power, where=count < left)
    return np.asarray(powers[0] - powers[1])


def bets(
    moving: Places,
    state: State,
    known: tuple[Doubles, Doubles],
    here: Places,
    begins: tuple[Places, Places],
) -> tuple[Doubles, State]:
    """q of some bets: draws x bets; and what is known of all groups after the draws.

    `known` are the starts and ends of all intervals, of which those `here` are bet on; `begins`
    counts the draws of the trace, and all draws, before each.
    """
    starts, ends = (x[here] for x in known)
    middle = (known[0] + known[1])[np.maximum(here - 1, 0)] / 2
    since = np.stack(begins, axis=1)[:, BEGIN[moving]] % SIZE[moving]
    found, free, scales = np.empty(since.shape), state.free.copy(), state.scales.copy()
    for order in range(len(ORDERS)):
        these = ORDER[moving] == order
        places, sizes, counts = moving[these], SIZE[moving[these]], since[:, these]
        if order == 0:
            found[:, these], free[places] = filled(free[places], sizes, counts, starts, ends)
        elif order == 1:
            found[:, these] = rising(sizes, counts, starts, ends)
        elif order == 2:
            found[:, these] = least(sizes, counts, middle, starts, ends)
        else:
            found[:, these] = least(sizes, counts, 1 - middle, 1 - ends, 1 - starts)
    for k in np.flatnonzero(np.isin(moving, state.leading)):
        bet = moving[k]
        found[:, k], scales[bet] = fitted(int(SIZE[bet]), scales[bet], since[:, k], here, *known)
    found = (1 - DOUBT) * found + DOUBT * (ends - starts)[:, None]
    return found, State(free, scales, state.leading)


def words() -> tuple[str, ...]:
    """What each bet says, in the order in which they are made."""
    names = tuple(ORDERS)
    return tuple(
        f"uniforms-stratified ({size} draws, {names[order]})"
        if order < 2
        else f"uniforms-sorted ({size} draws, {names[order]})"
        for order, size, _ in _ALL
    )
