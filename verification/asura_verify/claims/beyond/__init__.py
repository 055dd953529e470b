"""What goes beyond the paper: sharper theorems, and sampling with X_2 kept whole."""

from __future__ import annotations

from asura_verify.claims.beyond import barriers, constants, rates, selection, sharper

CLAIMS = (*sharper.CLAIMS, *rates.CLAIMS, *selection.CLAIMS, *barriers.CLAIMS, *constants.CLAIMS)
