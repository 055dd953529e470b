"""The same audit here, in processes and on a real local cluster."""

import pytest

from asura_verify import claims
from asura_verify.auditing import baseline
from asura_verify.auditing.executors import executor
from asura_verify.auditing.perform import Audit, audit

SLUGS = ["trace-identity", "invariant", "m-bound", "iterations"]


def _audited(jobs: int, cluster: str | None = None) -> Audit:
    with executor(jobs, cluster) as pool:
        return audit(claims.selected(SLUGS), pool, factor=0.01, in_flight=8)


def _rows(found: Audit) -> tuple[bytes, list[str]]:
    """The verdicts, and the evidence in its order."""
    evidence = [f"{x.slug} {x.source} {x.name}" for each in found.rulings for x in each.evidence]
    return baseline.write(baseline.make(found.rulings)), evidence


def test_processes_find_the_same() -> None:
    assert _rows(_audited(2)) == _rows(_audited(1))


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_finds_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        found = _audited(1, cluster.scheduler_address)
    assert not found.unfinished
    assert _rows(found) == _rows(_audited(1))
