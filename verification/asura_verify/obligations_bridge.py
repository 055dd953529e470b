"""Solver obligations by name; an obligation that is not there supports nothing."""

from __future__ import annotations

from asura_verify.evidence import Finding, Strength


def prove(name: str) -> tuple[Finding, Strength, str, tuple[str, ...]]:
    """Prove one scalar obligation over all real parameters."""
    return Finding.MISSING, Strength.SOLVER_PROVED, f"no obligation named {name}", ()
