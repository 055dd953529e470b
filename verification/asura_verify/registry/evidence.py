"""One piece of evidence about one statement, as a campaign leaves it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from asura_verify.deciding.strength import Strength


class Finding(enum.Enum):
    """What one piece of evidence says about one statement."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    UNDECIDED = "undecided"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence about one statement of one claim."""

    slug: str
    statement: str
    source: str
    name: str
    strength: Strength
    finding: Finding
    instances: int = 1
    detail: str = ""
    lines: tuple[str, ...] = ()
    seconds: float = 0.0
