"""Work on all processors, each product on one: BLAS threads that fight cost twenty times more.

Results come back in the order of their items, so that sums do not depend on who was first.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")
Item = TypeVar("Item")
#: Called with the share of a task that is done.
Progress = Callable[[float], None]


def silent(_share: float) -> None:
    """No report of progress."""


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


def in_order(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results, a few at a time, in the order of the items; an interrupt stops it at once."""
    workers = os.cpu_count() or 1
    remaining = iter(items)
    first = list(itertools.islice(remaining, 2))
    if len(first) < 2:  # no need of threads
        with one_blas_thread():
            yield from map(work, first)
        return
    waiting: deque[Future[Result]] = deque()
    with one_blas_thread(), ThreadPoolExecutor(workers) as pool:
        try:
            for item in itertools.chain(first, remaining):
                waiting.append(pool.submit(work, item))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def side_by_side(
    work: Callable[[Item], Result], items: Sequence[Item], progress: Callable[[float], None]
) -> list[Result]:
    """All results, with a report of progress."""
    results: list[Result] = []
    for result in in_order(work, items):
        results.append(result)
        progress(len(results) / len(items))
    return results
