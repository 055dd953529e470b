"""How a statement is known."""

from __future__ import annotations

import enum


class Strength(enum.IntEnum):
    """How a statement is known, weakest first."""

    SAMPLED = 1
    CERTIFIED = 2
    EXACT = 3
    SOLVER_PROVED = 4
    MACHINE_CHECKED = 5

    @property
    def words(self) -> str:
        """The name for people and for JSON."""
        return self.name.lower().replace("_", "-")
