"""What the tests of the parts share."""

from __future__ import annotations

from typing import Any

import pytest


def near(value: Any, rel: float = 1e-12) -> Any:
    """The same number up to the rounding of doubles, however small it is."""
    return pytest.approx(value, rel=rel, abs=0.0)
