"""What picks show of the uniforms behind them, and the odds of a bet on one.

The contract says how a uniform picks: r_j lies in J = [p_0 + ... + p_{i-1}, p_0 + ... + p_i) when
point i is picked. So a trace without uniforms shows an interval for each of them, and a bet on the
next uniform with a measure mu becomes a bet on the next pick: q(i) = mu(J_i), gain q(i)/p(i).

**Why the game is fair.** mu is chosen from the past alone and mu([0, 1)) is at most 1; the J_i of
all points are disjoint. So sum_i q(i) <= 1, and given the past the mean of q(i)/p(i) under the
algorithm is sum_i p(i) q(i)/p(i) <= 1: a nonnegative supermartingale, whatever the measures are,
how the uniforms really come about and even if no uniforms were used at all.

**Why rounding does not matter.** The ends of the J_i are doubles, increasing from 0 to 1, each end
shared by two neighbours: they need not be the true sums, for any partition of [0, 1) will do. What
is rounded after that is a sum of nonnegative products, or a difference of a function that grows in
doubles, too, from 0 at 0 to 1 at 1: so q is off by a share below 2^-44, and the margin of every
draw (`MARGIN` in `distribution`) is larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks.experts import Flags, Places


def intervals(probabilities: Doubles, picks: Places) -> tuple[Doubles, Doubles]:
    """Where the uniform of each pick lies, draws x points: disjoint intervals that fill [0, 1).

    >>> starts, ends = intervals(np.array([[0.25, 0.5, 0.25]] * 3), np.array([0, 1, 2]))
    >>> starts.tolist(), ends.tolist()
    ([0.0, 0.25, 0.75], [0.25, 0.75, 1.0])
    """
    sums = np.cumsum(probabilities, axis=1)
    sums = sums / sums[:, -1:]
    rows = np.arange(len(picks))
    starts = np.where(picks > 0, sums[rows, picks - 1], 0.0)
    return starts, sums[rows, picks]


def overlap(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> Doubles:
    """The length of the intersection of [a, b) and [c, d)."""
    return np.asarray(np.maximum(np.minimum(b, d) - np.maximum(a, c), 0.0))


def shared(starts: Doubles, ends: Doubles, cells: int) -> Doubles:
    """The length of each interval in each of some equal cells, cells last.

    >>> shared(np.array([0.125]), np.array([0.75]), 4).tolist()
    [[0.125, 0.25, 0.25, 0.0]]
    """
    edges = np.arange(cells + 1) / cells
    return overlap(starts[..., None], ends[..., None], edges[:-1], edges[1:])


def portions(lengths: Doubles) -> Doubles:
    """The share of an interval in each cell; an interval without length is everywhere.

    >>> portions(np.array([[0.125, 0.375], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    totals = lengths.sum(axis=-1, keepdims=True)
    even = np.full_like(lengths, 1 / lengths.shape[-1])
    return np.asarray(np.divide(lengths, totals, out=even, where=totals > 0))


def odds(bets: Doubles, chances: Doubles, active: Flags) -> Doubles:
    """q/p, and 1 where nobody bets: draws first."""
    wide = chances.reshape((-1,) + (1,) * (bets.ndim - 1))
    playing = active & (wide > 0)
    return np.asarray(np.where(playing, bets / np.where(wide > 0, wide, 1.0), 1.0))


@dataclass(frozen=True, slots=True)
class Uniforms:
    """What is known of some uniforms in a row: intervals, and where in which trace they stand."""

    starts: Doubles
    ends: Doubles
    places: Places  # j
    traces: Places  # the number of the trace

    @classmethod
    def none(cls) -> Uniforms:
        """Nothing yet."""
        empty, counts = np.zeros(0), np.zeros(0, dtype=np.intp)
        return cls(empty, empty, counts, counts)

    def __len__(self) -> int:
        return len(self.starts)

    def followed_by(self, more: Uniforms) -> Uniforms:
        """These and some more."""
        return Uniforms(
            np.append(self.starts, more.starts),
            np.append(self.ends, more.ends),
            np.append(self.places, more.places),
            np.append(self.traces, more.traces),
        )

    def last(self, count: int) -> Uniforms:
        """At most so many."""
        cut = max(len(self) - count, 0)
        return Uniforms(self.starts[cut:], self.ends[cut:], self.places[cut:], self.traces[cut:])


def lagged(whole: Uniforms, fresh: int, lags: Places) -> tuple[Doubles, Doubles, Flags]:
    """The intervals some draws before each of the last ones: draws x lags; and where they are so.

    Nobody bets where there are none, nor where it is the same iteration of another trace.
    """
    here = np.arange(len(whole) - fresh, len(whole))[:, None]
    safe = np.maximum(here - lags, 0)
    twin = (whole.places[safe] == whole.places[here]) & (whole.traces[safe] != whole.traces[here])
    return whole.starts[safe], whole.ends[safe], (here >= lags) & ~twin
