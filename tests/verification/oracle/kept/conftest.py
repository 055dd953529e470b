"""Balls of 200 bits for every test of a part of the judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flint import ctx


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(200):
        yield
