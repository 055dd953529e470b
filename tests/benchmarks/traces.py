"""`python -m tests.benchmarks.traces [--long]`: time and memory of `asura check` on long traces.

Every file is checked in a process of its own, so that its peak memory is seen. `--long` adds a
trace of 10^5 iterations at d = 20, which takes minutes to write and to check.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from asura_verify.oracle.check import check_file
from asura_verify.oracle.picks.distribution import DistributionTest

#: The iteration at which a wrong value is planted.
PLANTED = 9000


def steps(rows: np.ndarray, gamma: float, uniforms: np.ndarray) -> Iterator[dict[str, Any]]:
    """Algorithm 2 in doubles, one record per iteration and then the result."""
    isometric = np.linalg.svd(rows, full_matrices=False)[0]
    size, d = isometric.shape
    identity, form = np.eye(d), np.zeros((d, d))
    upper, lower, total, length = 2 * d / gamma, -2 * d / gamma, 0.0, 0
    weights, shares = [], []
    while upper - lower + total < 8 * d / gamma:
        inverses = np.linalg.inv(np.stack((upper * identity - form, form - lower * identity)))
        bracket = inverses.sum(axis=0)
        phi = float(np.trace(bracket))
        p = np.einsum("ni,ij,nj->n", isometric, bracket, isometric) / phi
        index = int(np.searchsorted(np.cumsum(p), uniforms[length], side="right"))
        index = min(index, size - 1)
        weight = gamma / phi / float(p[index])
        yield {
            "j": length, "index": index, "u": upper, "l": lower, "phi": phi, "p": float(p[index]),
            "probabilities": p.tolist(), "weight": weight,
        }  # fmt: skip
        weights.append(weight)
        shares.append(gamma / phi)
        form = form + weight * np.outer(isometric[index], isometric[index])
        upper += gamma / (1 - 2 * gamma) / phi
        lower += gamma / (1 + 2 * gamma) / phi
        total += phi
        length += 1
    mid = (upper + lower) / 2
    yield {
        "m": length, "u": upper, "l": lower, "mid": mid,
        "weights": [w / mid for w in weights], "alphas": [share / mid for share in shares],
    }  # fmt: skip


def write(path: Path, dimension: int, size: int, inverse: float, planted: int | None) -> None:
    """A trace with every field, a line at a time; u is wrong at one iteration if asked."""
    rng = np.random.default_rng(1)
    gamma = 1 / inverse
    rows = rng.integers(-9, 10, size=(size, dimension)).astype(float)
    uniforms = rng.random(math.ceil(dimension / gamma**2))
    header = {
        "format": "asura-trace/1", "gamma": gamma, "points": rows.tolist(),
        "unlabelled": size // 2, "uniforms": uniforms.tolist(), "implementation": "benchmark",
    }  # fmt: skip
    with path.open("w") as file:
        file.write(json.dumps(header) + "\n")
        for record in steps(rows, gamma, uniforms):
            if planted is not None and record.get("j") == planted:
                record["u"] *= 1.01
            file.write(json.dumps(record) + "\n")


def write_indices(path: Path, size: int, inverse: float) -> None:
    """A trace of d = 1 that shows indices alone, so that its picks are tested."""
    rng = np.random.default_rng(1)
    gamma, rows = 1 / inverse, rng.integers(1, 10, size=(size, 1)).astype(float)
    chances = np.cumsum(rows[:, 0] ** 2) / np.sum(rows**2)
    header = {
        "format": "asura-trace/1", "gamma": gamma, "points": rows.tolist(), "unlabelled": size,
        "implementation": "benchmark",
    }  # fmt: skip
    upper, lower, form, total, length = 2 / gamma, -2 / gamma, 0.0, 0.0, 0
    with path.open("w") as file:
        file.write(json.dumps(header) + "\n")
        while upper - lower + total < 8 / gamma:
            phi = 1 / (upper - form) + 1 / (form - lower)
            index = int(np.searchsorted(chances[:-1], rng.random(), side="right"))
            file.write(json.dumps({"j": length, "index": index}) + "\n")
            form += gamma / phi
            upper += gamma / (1 - 2 * gamma) / phi
            lower += gamma / (1 + 2 * gamma) / phi
            total += phi
            length += 1
        file.write(json.dumps({"m": length}) + "\n")


def measure(path: str) -> None:
    """Check one file, and print what this process and its view_process took together."""
    wall, cpu = time.perf_counter(), time.process_time()
    judgement = check_file(path, test=DistributionTest())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    view_process = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    facts = {
        "verdict": str(judgement.ruling),
        "m": judgement.length,
        "bits": judgement.bits,
        "claims": sum(view.verdict == "holds" for view in judgement.claims.values()),
        "local": 0 if judgement.local is None else judgement.local.followed,
        "wall": wall,
        "cpu": cpu + view_process.ru_utime + view_process.ru_stime,
        "megabytes": (own.ru_maxrss + view_process.ru_maxrss) / 1024,
    }
    print(json.dumps(facts))


def main(*, long: bool) -> None:
    """The table."""
    columns = ("d", "n", "m", "MB of trace", "verdict", "claims that hold", "local", "bits",
               "wall s", "cpu s", "us a step", "peak MB")  # fmt: skip
    rows = Table(title="asura check", title_justify="left", pad_edge=False)
    for column in columns:
        rows.add_column(column, justify="right")
    cases: list[tuple[int, int, float, int | None]] = [
        (8, 16, 44, None), (8, 16, 44, PLANTED), (1, 10, 307.7, None)
    ]  # fmt: skip
    if long:
        cases.append((20, 40, 88, None))
    for dimension, size, inverse, planted in cases:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.jsonl"
            if dimension == 1:
                write_indices(path, size, inverse)
            else:
                write(path, dimension, size, inverse, planted)
            command = [sys.executable, "-m", "tests.benchmarks.traces", "--measure", str(path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            facts = json.loads(done.stdout)
            megabytes = path.stat().st_size / 2**20
        rows.add_row(
            str(dimension), str(size), str(facts["m"]), f"{megabytes:.0f}", facts["verdict"],
            str(facts["claims"]), str(facts["local"]), str(facts["bits"]),
            f"{facts['wall']:.1f}", f"{facts['cpu']:.1f}",
            f"{facts['cpu'] * 1e6 / facts['m']:.0f}", f"{facts['megabytes']:.0f}",
        )  # fmt: skip
    Console(width=140).print(rows)


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure(sys.argv[-1])
    else:
        main(long="--long" in sys.argv)
