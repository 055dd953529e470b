"""Rows in a cluster: the same plan as in memory, also when workers are killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.array
import dask.dataframe
import distributed
import numpy as np
import pandas as pd
import pytest

from asura import errors
from asura.engine import choosing, plan
from asura.engine.dask_rows import DaskRows
from asura.engine.rows import ArrayRows

da: Any = dask.array  # which has no types
dd: Any = dask.dataframe
cluster_of: Any = distributed.LocalCluster
client_of: Any = distributed.Client

POINTS = np.random.default_rng(3).standard_normal((3000, 4)) * [1, 10, 0.1, 3]
LABELS = POINTS @ np.array([1.0, -1.0, 2.0, 0.0]) + 5
KNOWN = {row: float(LABELS[row]) for row in range(0, 3000, 100)}


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    with dask.config.set(scheduler="synchronous"):
        yield


def _chunks(rows: int = 400) -> Any:
    return da.from_array(POINTS, chunks=(rows, 2))


def test_the_rows_are_the_rows() -> None:
    here, there = ArrayRows(POINTS, True), DaskRows(_chunks(), True)
    assert (there.size, there.width) == (here.size, here.width)
    picks = np.array([2999, 0, 17, 0])
    assert there.take(picks).tolist() == here.take(picks).tolist()
    assert there.take(picks[:0]).shape == (0, 5)
    sums = [(done, float(part)) for done, part in there.over_blocks(lambda _, b: b.sum())]
    assert [done for done, _ in sums] == [*range(400, 2801, 400), 3000]
    assert there.fingerprint() == DaskRows(_chunks(), True).fingerprint()
    assert (
        there.fingerprint() != DaskRows(da.from_array(POINTS + 1, chunks=400), True).fingerprint()
    )


def test_the_plan_is_the_same_as_in_memory() -> None:
    here = plan(POINTS, labels=KNOWN, budget=60, ridge=1.0, seed=2, trials=20)
    there = plan(_chunks(), labels=KNOWN, budget=60, ridge=1.0, seed=2, trials=20)
    assert there.rows.tolist() == here.rows.tolist()
    assert there.record.promise is not None
    assert here.record.promise is not None
    assert there.record.promise.accepted == here.record.promise.accepted
    model = there.fit(lambda row: float(LABELS[row]))
    assert np.abs(model.predict(POINTS) - LABELS).max() < 1.0


def test_a_folder_of_parquet_files_larger_than_memory(tmp_path: Path) -> None:
    """The same rows by Dask, a chunk per file, as by one reader that takes them all."""
    for k in range(3):
        part = POINTS[1000 * k : 1000 * (k + 1)]
        pd.DataFrame(part, columns=list("abcd")).to_parquet(tmp_path / f"{k}.parquet")
    chunks = dd.read_parquet(tmp_path).to_dask_array(lengths=True)
    there = plan(chunks, budget=60, ridge=1.0, trials=20)
    here = plan(tmp_path, budget=60, ridge=1.0, trials=20)
    assert there.rows.tolist() == here.rows.tolist()
    gap = np.abs(there.weights - here.weights)  # other sums, other roundings
    assert (gap < 1e-12 * here.weights).all()


def test_arrays_that_cannot_be_used() -> None:
    hole = POINTS.copy()
    hole[1234, 2] = np.nan
    with pytest.raises(errors.NotAScalar, match="1234"):
        plan(da.from_array(hole, chunks=400), budget=50)
    with pytest.raises(errors.RaggedData):
        plan(_chunks()[:, 0], budget=50)
    with pytest.raises(errors.ConflictingOptions):
        plan(_chunks(), target="1", budget=50)


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_still_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_PILOTS", 3)
    question: dict[str, Any] = {"labels": KNOWN, "budget": 60, "ridge": 1.0, "trials": 3}
    expected = plan(_chunks(), **question)
    with (
        dask.config.set({"scheduler": None, "distributed.scheduler.allowed-failures": 20}),
        cluster_of(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        client_of(cluster) as client,
    ):
        victims = list(client.run(os.getpid).values())
        killer = threading.Thread(target=_kill, args=(victims[0],))
        killer.start()
        found = plan(_chunks(), **question)
        killer.join()
        survivors = list(client.run(os.getpid).values())
    assert found.rows.tolist() == expected.rows.tolist()
    assert victims[0] not in survivors


def _kill(process: int) -> None:
    time.sleep(0.2)
    os.kill(process, signal.SIGKILL)
