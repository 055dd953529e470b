"""One processor for a product of matrices: BLAS threads that fight cost twenty times more."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any


@functools.cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return ThreadpoolController()


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Inside, a product of matrices takes one processor (if threadpoolctl is installed)."""
    controller = _controller()
    if controller is None:
        yield
        return
    with controller.limit(limits=1, user_api="blas"):
        yield
