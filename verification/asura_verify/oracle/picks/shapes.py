"""Bets on how a single uniform is distributed, the same at every draw.

- A *step*: the density on [0, b) is a multiple of that on [b, 1), as when a random number is
  reduced modulo what does not divide its range.
- A *lattice*: the uniform is one of N equally likely numbers, as when it has few bits or digits:
  k/N, or (k + 1/2)/N. Of these, mu([0, x)) N lie below x, so that q is a difference of integers,
  mixed with a little of the constant density.
"""

from __future__ import annotations

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks.experts import TILTS
from asura_verify.oracle.picks.uniforms import shared

#: Where a step may stand: at a multiple of 1/12, a third or a quarter among them.
STEPS = 12
#: By which factors the density may be larger below the step.
FACTORS = TILTS[TILTS > 0]
#: How many numbers a uniform may be one of: some bits, some digits.
LATTICES = (*(2**bits for bits in range(1, 13)), 10, 100, 1000)
#: From where the numbers of a lattice are counted, in units of 1/N.
OFFSETS = (0.0, 0.5)
#: What a lattice leaves to the constant density.
DOUBT = 2.0**-6
#: All bets.
COUNT = (STEPS - 1) * len(FACTORS) + len(LATTICES) * len(OFFSETS)


def stepped(starts: Doubles, ends: Doubles) -> Doubles:
    """q of every step and factor: draws x bets."""
    lengths = shared(starts, ends, STEPS)
    below = np.cumsum(lengths, axis=1)[:, :-1, None]
    above = np.cumsum(lengths[:, ::-1], axis=1)[:, -2::-1, None]
    heights = np.arange(1, STEPS)[:, None] / STEPS
    found = (FACTORS * below + above) / (1 + heights * (FACTORS - 1))
    return np.asarray(found.reshape(len(starts), -1))


def on_lattice(starts: Doubles, ends: Doubles) -> Doubles:
    """q of every lattice, by offsets: draws x bets.

    >>> found = on_lattice(np.array([0.0, 0.25]), np.array([0.25, 1.0]))
    >>> found[:, 0].tolist() == [1/2 * (1 - DOUBT) + DOUBT/4, 1/2 * (1 - DOUBT) + DOUBT*3/4]
    True
    """
    sizes = np.array(LATTICES, dtype=np.float64)
    found = []
    for offset in OFFSETS:
        first, last = (np.ceil(x[:, None] * sizes - offset) for x in (starts, ends))
        found.append((1 - DOUBT) * (last - first) / sizes + DOUBT * (ends - starts)[:, None])
    return np.hstack(found)


def bets(starts: Doubles, ends: Doubles) -> Doubles:
    """q of all bets: draws x bets."""
    return np.hstack([stepped(starts, ends), on_lattice(starts, ends)])


def words() -> tuple[str, ...]:
    """What each bet says, in the order in which they are made."""
    return (
        *(
            f"uniforms-uneven ({factor:g} times as dense below {k}/{STEPS} as above)"
            for k in range(1, STEPS)
            for factor in FACTORS
        ),
        *(
            f"uniforms-coarse (only {size} numbers: {kind})"
            for kind in ("k/N", "(k + 1/2)/N")
            for size in LATTICES
        ),
    )
