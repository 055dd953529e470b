"""The field: what is exactly true of the samplers that the paper compares itself with.

Each finite statement is checked by enumerating every outcome of the sampler itself, in rationals,
on drawn instances; where a hypothesis is dropped, an exact instance shows what goes wrong. The
proofs are in the notes. Tried is not proved, and the verdicts say which.
"""

from __future__ import annotations

from asura_verify.claims.field import barriers, coreset, determinantal, leverage, pools, volume
from asura_verify.registry.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *leverage.CLAIMS,
    *volume.CLAIMS,
    *pools.CLAIMS,
    *determinantal.CLAIMS,
    *barriers.CLAIMS,
    *coreset.CLAIMS,
)
