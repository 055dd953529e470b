"""Correct implementations of K1 and K2, each written by other means than the textbook.

- `reflections`: a QR factorisation, Cholesky factors of P and Q, masses as squared lengths;
- `eigenvectors`: U = X V L^(-1/2) from the Gram matrix, eigenvalues of P and Q;
- `gram`: no whitening at all: G, G_1 and B, and linear systems;
- `normalised`, `normalised-gram`: probabilities divided by their sum, not by the trace;
- `single`: the textbook's steps in binary32.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura_verify.implementations.correct import Implementation

Floats = NDArray[np.floating[Any]]
#: Phi and the masses for A, sigma times each rate, and c.
Look = Callable[[Floats, Any, Any, Any], tuple[Any, Floats]]


def _points(header: dict[str, Any], kind: Any = np.float64) -> Floats:
    size = len(header["points"])
    roots = np.sqrt(np.array(header.get("squared_scales") or [1.0] * size, dtype=kind))
    return np.asarray(roots[:, None] * np.array(header["points"], dtype=kind))


def _constants(header: dict[str, Any], rank: Any, kind: Any = np.float64) -> tuple[Any, ...]:
    """Step, c, both rates, goal and the rate of the potentials."""
    g, one = kind(header["gamma"]), kind(1)
    if header["variant"] == "one-sided":
        step = g / ((one - g) * (one + g))
        return step, rank / kind(header["draws"]) / step, None, one - g, one, kind(0)
    k = (one - 2 * g) * (one + 2 * g)
    counted = header.get("stopping", "paper") == "paper"
    goal = kind(1 if counted else header.get("level", 1)) * (k * rank / (g * g))
    upper, lower = one / (one - 2 * g), one / (one + 2 * g)
    return g, 2 * rank / g, upper, lower, goal, k / (4 * g) if counted else kind(0)


def _loop(
    header: dict[str, Any], uniforms: Sequence[float], rows: Floats, look: Look, rank: Any,
    *, normalise: bool = False, kind: Any = np.float64,
) -> list[str]:  # fmt: skip
    """The run, for any way to look at a state; `rows` make up A."""
    step, c, upper, lower, goal, rate = _constants(header, rank, kind)
    pool, ending = header["unlabelled"], header.get("ending", "overshoot")
    form = np.zeros((rows.shape[1], rows.shape[1]), dtype=kind)
    sigma = total = kind(0)
    steps: list[dict[str, Any]] = []
    weights: list[Any] = []
    for r in uniforms:
        if rank == 0 or sigma + rate * total >= goal:
            break
        up = None if upper is None else upper * sigma
        phi, masses = look(form, up, lower * sigma, c)
        whole = masses.sum() if normalise else phi
        p = masses / whole
        advance = step / phi
        last = ending != "overshoot" and sigma + advance >= goal
        share = (goal - sigma) / advance if last else kind(1)
        target = r / float(share) if ending == "coin" and last else r
        left_out = target >= 1
        ends = np.cumsum(p)
        index = pool if left_out else int(np.searchsorted(ends / ends[-1], target, side="right"))
        index = min(index, pool if left_out else pool - 1)
        record = {"j": len(steps), "index": index, "l": float(lower * sigma), "phi": float(phi)}
        if up is not None:
            record["u"] = float(up)
        record["probabilities"] = [float(x) for x in p]
        weight = kind(0)
        if not left_out:
            weight = step / masses[index]
            weight = weight * share if last and ending == "clip" else weight
            form = form + weight * np.outer(rows[index], rows[index])
            record |= {"p": float(p[index]), "weight": float(weight)}
        weights.append(weight)
        steps.append(record)
        sigma = goal if last else sigma + advance
        total = total + phi
        if last:
            break
    result: dict[str, Any] = {"m": len(steps), "l": float(lower * sigma), "mid": float(sigma)}
    if upper is not None:
        result["u"] = float(upper * sigma)
    scaled = [float(w / sigma) for w in weights]
    result["weights"] = scaled
    header = header | ({"precision": 24} if kind is np.float32 else {})
    if header.get("labels") is not None and kind is np.float64:
        result["beta"] = _fit(header, steps, scaled)
    return [json.dumps(x, allow_nan=False) for x in (header, *steps, result)]


def _fit(header: dict[str, Any], steps: list[dict[str, Any]], scaled: list[float]) -> list[float]:
    """X_2 at weight 1 and the sample, by a singular value decomposition."""
    points, pool = _points(header), header["unlabelled"]
    pairs = [(s["index"], w) for s, w in zip(steps, scaled, strict=True) if s["index"] < pool]
    pairs += [(i, 1.0) for i in range(pool, len(points))]
    roots = np.sqrt([w for _, w in pairs])
    chosen = [i for i, _ in pairs]
    labels = np.array(header["labels"], dtype=float)[chosen]
    left, values, right = np.linalg.svd(roots[:, None] * points[chosen], full_matrices=False)
    kept = values > values[0] * 2.0**-45
    reduced = (left.T @ (roots * labels))[kept] / values[kept]
    return [float(x) for x in right[kept].T @ reduced]


def _orthonormal(header: dict[str, Any]) -> Floats:
    return np.asarray(np.linalg.qr(_points(header))[0])


def reflections(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """A QR factorisation, and Cholesky factors."""
    rows, pool = _orthonormal(header), header["unlabelled"]
    target, one = rows[:pool].T @ rows[:pool], np.eye(rows.shape[1])

    def look(form: Floats, up: Any, low: Any, c: Any) -> tuple[Any, Floats]:
        sides = [form + c * one - low * target]
        sides += [] if up is None else [c * one + up * target - form]
        masses = sum(
            np.sum(np.linalg.solve(np.linalg.cholesky(side), rows[:pool].T) ** 2, axis=0)
            for side in sides
        )
        return masses.sum(), np.asarray(masses)

    return _loop(header, uniforms, rows, look, np.sum(rows[:pool] ** 2))


def _by_eigenvalues(rows: Floats, pool: int) -> Look:
    target, one = rows[:pool].T @ rows[:pool], np.eye(rows.shape[1])

    def look(form: Floats, up: Any, low: Any, c: Any) -> tuple[Any, Floats]:
        sides = [form + c * one - low * target]
        sides += [] if up is None else [c * one + up * target - form]
        bracket = np.zeros_like(one)
        for side in sides:
            values, vectors = np.linalg.eigh(side)
            bracket = bracket + (vectors / values) @ vectors.T
        masses = np.einsum("ni,ij,nj->n", rows[:pool], bracket, rows[:pool])
        return np.sum(target * bracket), masses

    return look


def eigenvectors(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Whitened by the eigenvectors of the Gram matrix."""
    points, pool = _points(header), header["unlabelled"]
    lengths = np.linalg.norm(points, axis=0)
    points = points / lengths
    values, vectors = np.linalg.eigh(points.T @ points)
    rows = points @ (vectors / np.sqrt(values))
    return _loop(header, uniforms, rows, _by_eigenvalues(rows, pool), np.sum(rows[:pool] ** 2))


def normalised(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Singular vectors, and probabilities divided by their sum."""
    rows, pool = np.linalg.svd(_points(header), full_matrices=False)[0], header["unlabelled"]
    rank = np.trace(rows[:pool].T @ rows[:pool])
    return _loop(header, uniforms, rows, _by_eigenvalues(rows, pool), rank, normalise=True)


def gram(
    header: dict[str, Any], uniforms: Sequence[float], *, normalise: bool = False
) -> list[str]:
    """G, G_1 and B, in columns of length one."""
    points, pool = _points(header), header["unlabelled"]
    points = points / np.linalg.norm(points, axis=0)
    whole, target = points.T @ points, points[:pool].T @ points[:pool]

    def look(form: Floats, up: Any, low: Any, c: Any) -> tuple[Any, Floats]:
        sides = [form + c * whole - low * target]
        sides += [] if up is None else [c * whole + up * target - form]
        solved = sum(np.linalg.solve(side, points[:pool].T) for side in sides)
        traced = sum(np.trace(np.linalg.solve(side, target)) for side in sides)
        return traced, np.sum(points[:pool] * np.asarray(solved).T, axis=1)

    rank = np.trace(np.linalg.solve(whole, target))
    return _loop(header, uniforms, points, look, rank, normalise=normalise)


def normalised_gram(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """The same, with probabilities divided by their sum."""
    return gram(header, uniforms, normalise=True)


def single(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Singular vectors and inverses, in binary32."""
    kind = np.float32
    rows = np.linalg.svd(_points(header, kind), full_matrices=False)[0]
    pool = header["unlabelled"]
    target, one = rows[:pool].T @ rows[:pool], np.eye(rows.shape[1], dtype=kind)

    def look(form: Floats, up: Any, low: Any, c: Any) -> tuple[Any, Floats]:
        bracket = np.linalg.inv(form + c * one - low * target)
        if up is not None:
            bracket = bracket + np.linalg.inv(c * one + up * target - form)
        masses = np.sum((rows[:pool] @ bracket) * rows[:pool], axis=1)
        return np.trace(target @ bracket), masses

    return _loop(header, uniforms, rows, look, np.trace(target), kind=kind)


#: Those that find the rank of X themselves are the reference and the textbook.
KEPT_METHODS: dict[str, Implementation] = {
    "reflections": reflections,
    "eigenvectors": eigenvectors,
    "normalised": normalised,
    "gram": gram,
    "normalised-gram": normalised_gram,
    "single": single,
}
