"""Independent randomness for every trial, from one seed.

A procedure may be tried as often as one likes before a label is paid. Trial t of seed s for a
purpose uses the randomness `Seed(s_t)`, where s_t is the number written by the first 8 bytes,
most significant first, of SHA-256("asura-trial/1:PURPOSE:S:T") (decimal integers). So the
uniform j of trial t is a stream of bits of its own: those of
SHA-256("asura-uniform/1:S_T:J:BLOCK") for BLOCK = 0, 1, ... (`asura.randomness`). For coins j is
the index of a point of X_1, for other procedures the iteration.

There are four purposes. "pilot" trials say which parameters are worth a closer look. "free" trials
are looked at and thrown away: they estimate how often a sample is accepted. "paid" trials are drawn
until one is accepted, whose labels are bought. The "second" stage of an estimator draws once more
(trial 0). The streams differ, so that all four are independent.

>>> trial(7, FREE, 0) != trial(7, PAID, 0)
True
>>> hashlib.sha256(b"asura-trial/1:paid:7:2").hexdigest()[:16] == f"{trial(7, PAID, 2).seed:016x}"
True
"""

from __future__ import annotations

import hashlib
from typing import Literal

from asura.randomness import Seed

Purpose = Literal["pilot", "free", "paid", "second"]

PILOT: Purpose = "pilot"
FREE: Purpose = "free"
PAID: Purpose = "paid"
SECOND: Purpose = "second"


def trial(seed: int, purpose: Purpose, number: int) -> Seed:
    """The randomness of one trial."""
    text = f"asura-trial/1:{purpose}:{seed}:{number}"
    return Seed(int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big"))
