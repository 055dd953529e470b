"""Where the tasks of an audit run: here, in processes, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from asura.errors import AsuraError, missing_package

P = ParamSpec("P")
T = TypeVar("T")


class FactorOutOfRange(AsuraError):
    """A campaign factor, or a number of processes, that is not positive."""


class SerialExecutor(Executor):
    """Runs a task when it is submitted, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run now."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 the future carries it to the caller
            future.set_exception(error)
        return future


def _leave_interrupts() -> None:
    """A worker finishes its task on Ctrl-C; the audit decides what happens then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def executor(jobs: int, cluster: str | None = None) -> Iterator[Executor]:
    """An executor: a Dask cluster when an address is given, else so many processes."""
    if jobs < 1:
        raise FactorOutOfRange(f"jobs = {jobs}: expected at least 1", value=jobs)
    if cluster is not None:
        with _dask(cluster) as pool:
            yield pool
    elif jobs == 1:
        yield SerialExecutor()
    else:
        # Forking a process that has threads is unsafe; a fresh one costs a second.
        pool = ProcessPoolExecutor(
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts
        )
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        import distributed  # noqa: PLC0415 optional extra
    except ImportError:
        raise missing_package("a cluster needs Dask", "dask", "distributed") from None
    connect: Any = distributed.Client
    client = connect(address, timeout=30)
    try:
        yield client.get_executor()
    finally:
        client.close()
