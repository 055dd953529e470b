"""Samplers of public libraries and of our own double path, as `asura conform-sampler` calls them.

    asura conform-sampler uniform --target asura_verify.implementations.public_samplers:numpy_choice

Each takes a request (sampler, points, size, count, seed) and returns `count` samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asura.randomness import Seed
from asura.samplers.doubles import draw

Request = dict[str, Any]
Samples = list[Sequence[int]]


def our_doubles(request: Request) -> Samples:
    """`asura.samplers.doubles`, each sample from a seed of its own."""
    points = np.array(request["points"], dtype=np.float64)
    count, size, name = len(points), request["size"], request["sampler"]
    if name in {"dpp", "k-dpp"}:
        name = {"dpp": "ridge-dpp"}.get(name, name)
        points = np.vstack([points, np.eye(points.shape[1])])
    found: Samples = []
    for place in range(request["count"]):
        seed = Seed(request["seed"] * 10**6 + place)
        picks, _ = draw(name, points, count, size, seed)
        found.append([int(i) for i in picks if i < count or name not in {"ridge-dpp", "k-dpp"}])
    return found


def numpy_choice(request: Request) -> Samples:
    """`numpy.random.Generator.choice` without replacement."""
    generator = np.random.default_rng(request["seed"])
    count = len(request["points"])
    return [
        np.asarray(generator.choice(count, request["size"], replace=False)).tolist()
        for _ in range(request["count"])
    ]


def numpy_weighted(request: Request) -> Samples:
    """`Generator.choice` without replacement by leverage scores, taken for volume sampling."""
    generator = np.random.default_rng(request["seed"])
    orthonormal = np.linalg.qr(np.array(request["points"], dtype=np.float64))[0]
    scores = np.einsum("ni,ni->n", orthonormal, orthonormal)
    return [
        np.asarray(
            generator.choice(len(scores), request["size"], replace=False, p=scores / scores.sum())
        ).tolist()
        for _ in range(request["count"])
    ]


def sklearn_subset(request: Request) -> Samples:
    """`sklearn.utils.random.sample_without_replacement`, every method in turn."""
    from sklearn.utils.random import sample_without_replacement  # noqa: PLC0415 optional extra

    state = np.random.RandomState(request["seed"])
    methods = ("auto", "tracking_selection", "reservoir_sampling", "pool")
    return [
        sample_without_replacement(
            len(request["points"]),
            request["size"],
            method=methods[place % len(methods)],
            random_state=state,
        ).tolist()
        for place in range(request["count"])
    ]


def skactiveml_random(request: Request) -> Samples:
    """`skactiveml.pool.RandomSampling`, a batch of the size from a pool without labels.

    A strategy with a fixed seed returns the same batch for the same data, again and again, so
    that every sample has a strategy with a seed of its own.
    """
    from skactiveml.pool import RandomSampling  # noqa: PLC0415 optional extra

    points = np.array(request["points"], dtype=np.float64)
    labels = np.full(len(points), np.nan)
    generator = np.random.default_rng(request["seed"])
    seeds = generator.integers(0, 2**31, size=(int(request["count"]),))
    return [
        RandomSampling(random_state=int(seed))
        .query(points, labels, batch_size=request["size"])
        .tolist()
        for seed in seeds
    ]


def skactiveml_fixed(request: Request) -> Samples:
    """`skactiveml.pool.RandomSampling`, a new strategy with one fixed seed per batch."""
    from skactiveml.pool import RandomSampling  # noqa: PLC0415 optional extra

    points = np.array(request["points"], dtype=np.float64)
    labels = np.full(len(points), np.nan)
    return [
        RandomSampling(random_state=0).query(points, labels, batch_size=request["size"]).tolist()
        for _ in range(request["count"])
    ]


def _dppy(request: Request, mode: str) -> Samples:
    """`dppy.finite_dpps.FiniteDPP` with L = X X^T: exact samples, or those of size k."""
    from dppy.finite_dpps import FiniteDPP  # noqa: PLC0415 not in any extra: install it

    points = np.array(request["points"], dtype=np.float64)
    process = FiniteDPP("likelihood", L=points @ points.T)
    state = np.random.RandomState(request["seed"])
    found: Samples = []
    for _ in range(request["count"]):
        if request["sampler"] == "k-dpp":
            sample = process.sample_exact_k_dpp(request["size"], mode=mode, random_state=state)
        else:
            sample = process.sample_exact(mode=mode, random_state=state)
        found.append([int(i) for i in sample])
    return found


def dppy_gs(request: Request) -> Samples:
    """DPPy, mode GS."""
    return _dppy(request, "GS")


def dppy_gs_bis(request: Request) -> Samples:
    """DPPy, mode GS_bis."""
    return _dppy(request, "GS_bis")


def dppy_kuta(request: Request) -> Samples:
    """DPPy, mode KuTa12."""
    return _dppy(request, "KuTa12")
