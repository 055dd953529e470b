"""The claims of the paper, in its order, what goes beyond it, and the field.

The package is itself the collection of the claims, by slug:

>>> from asura_verify import claims
>>> claims["rr-ridge"]
Claim(rr-ridge: The reduced rank of ridge regression, 2 statements)
>>> "rr-ridge" in claims, len(claims) == len(list(claims))
(True, True)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType

from asura_verify.claims import (
    algorithm,
    barriers,
    beyond,
    bias,
    field,
    guarantees,
    identities,
    length,
    leverage,
    lower_bound,
    potential,
    preliminaries,
    queries,
    well_balanced,
)
from asura_verify.registry.claim import Claim, UnknownClaim

_GROUPS = (
    preliminaries, leverage, algorithm, potential, length, queries, barriers, well_balanced,
    guarantees, lower_bound, bias, identities, beyond, field,
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = tuple(claim for group in _GROUPS for claim in group.CLAIMS)

BY_SLUG: dict[str, Claim] = {claim.slug: claim for claim in CLAIMS}


def find(slug: str) -> Claim:
    """The claim with this slug, or `UnknownClaim`."""
    try:
        return BY_SLUG[slug]
    except KeyError:
        raise UnknownClaim(
            f"{slug!r} is not a claim: expected one of {', '.join(BY_SLUG)}", value=slug
        ) from None


def selected(slugs: list[str] | None) -> tuple[Claim, ...]:
    """These claims, in the paper's order; all of them when none is named."""
    if not slugs:
        return CLAIMS
    wanted = {find(slug).slug for slug in slugs}
    return tuple(claim for claim in CLAIMS if claim.slug in wanted)


class Claims(ModuleType):
    """The class of this package: the claims by slug, beside the modules that state them."""

    CLAIMS: tuple[Claim, ...]
    find: Callable[[str], Claim]
    selected: Callable[[list[str] | None], tuple[Claim, ...]]

    def __getitem__(self, slug: str) -> Claim:
        return find(slug)

    def __contains__(self, slug: object) -> bool:
        return slug in BY_SLUG

    def __iter__(self) -> Iterator[str]:
        return iter(BY_SLUG)

    def __len__(self) -> int:
        return len(CLAIMS)

    def __repr__(self) -> str:
        return f"<{len(self)} claims, by slug: {', '.join(list(self)[:3])}, ...>"


sys.modules[__name__].__class__ = Claims
