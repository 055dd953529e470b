"""Every scalar inequality that a proof note rests on, named and proved anew on every run.

>>> [found.name for found in obligations_for("identity-8")]
['growth-factor']
>>> obligations_for("identity-8")[0].prove().outcome.value
'proved'
"""

from __future__ import annotations

from asura_verify.proofs.obligations.best_pairs import BEST_PAIRS
from asura_verify.proofs.obligations.beyond import BEYOND
from asura_verify.proofs.obligations.field import FIELD
from asura_verify.proofs.obligations.field_identities import FIELD_IDENTITIES
from asura_verify.proofs.obligations.lower_bounds import LOWER_BOUNDS
from asura_verify.proofs.obligations.model import Attempt, Obligation, ProofOutcome, Result
from asura_verify.proofs.obligations.one_step import ONE_STEP
from asura_verify.proofs.obligations.rates import RATES
from asura_verify.proofs.obligations.upper_bounds import UPPER_BOUNDS

OBLIGATIONS: tuple[Obligation, ...] = (
    *ONE_STEP,
    *RATES,
    *UPPER_BOUNDS,
    *BEST_PAIRS,
    *LOWER_BOUNDS,
    *BEYOND,
    *FIELD,
    *FIELD_IDENTITIES,
)


def obligations_for(slug: str) -> tuple[Obligation, ...]:
    """Those that support one claim or identity."""
    return tuple(obligation for obligation in OBLIGATIONS if obligation.slug == slug)


__all__ = ["OBLIGATIONS", "Attempt", "Obligation", "ProofOutcome", "Result", "obligations_for"]
