"""Correct implementations that differ in method: QR, Gram coordinates, binary32, mpmath."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

from asura_verify.implementations import textbook

Doubles = NDArray[Any]
Implementation = Callable[[dict[str, Any], Sequence[float]], list[str]]
#: From u, A and l: the potential, and the masses of all points.
Bracket = Callable[[float, Doubles, float], tuple[float | np.float32, Doubles]]


def scaled(header: dict[str, Any], kind: type = np.float64) -> Doubles:
    """X, the rows with their scales."""
    points: Doubles = np.array([[float(x) for x in row] for row in header["points"]], dtype=kind)
    squared = header.get("squared_scales") or [1.0] * len(points)
    return np.asarray(np.sqrt(np.array([float(c) for c in squared], dtype=kind))[:, None] * points)


def loop(
    header: dict[str, Any],
    uniforms: Sequence[float],
    rows: Doubles,
    bracket: Bracket,
    *,
    kind: type = np.float64,
    precision: int = 53,
) -> list[str]:
    """Algorithm 2 on given rows, for any way to evaluate the bracket."""
    d = rows.shape[1]
    gamma = kind(float(header["gamma"]))
    u, l = kind(2 * d) / gamma, -kind(2 * d) / gamma  # noqa: E741 - the paper's letter
    total = kind(0)
    paper = header.get("stopping", "paper") == "paper"
    level = 1.0 if paper else float(header.get("level", 1))
    bound = kind(4 * d) / gamma * kind(1 + level)
    form: Doubles = np.zeros((d, d), dtype=kind)
    steps: list[dict[str, Any]] = []
    shares = []
    for r in uniforms:
        if (u - l) + (total if paper else kind(0)) >= bound:
            break
        phi, masses = bracket(u, form, l)
        masses = np.maximum(masses, 0)
        p = masses / phi
        partial = np.cumsum(masses)
        index = int(np.searchsorted(partial, r * float(partial[-1]), side="right"))
        index = min(index, int(np.nonzero(masses)[0][-1]))
        weight = gamma / masses[index]
        steps.append(
            {
                "j": len(steps),
                "index": index,
                "u": float(u),
                "l": float(l),
                "phi": float(phi),
                "p": float(p[index]),
                "probabilities": [float(x) for x in p],
                "weight": float(weight),
            }
        )
        shares.append(gamma / phi)
        form = form + weight * np.outer(rows[index], rows[index])
        u = u + gamma / (1 - 2 * gamma) / phi
        l = l + gamma / (1 + 2 * gamma) / phi  # noqa: E741 - the paper's letter
        total = total + phi
    mid = (u + l) / 2
    weights = [kind(step["weight"]) / mid for step in steps]
    result = {
        "m": len(steps),
        "u": float(u),
        "l": float(l),
        "mid": float(mid),
        "weights": [float(w) for w in weights],
        "alphas": [float(share / mid) for share in shares],
    }
    if header.get("labels") is not None:
        picks = [step["index"] for step in steps]
        roots = np.sqrt(np.array(weights))
        labels: Doubles = np.array([float(header["labels"][i]) for i in picks], dtype=kind)
        left = roots[:, None] * scaled(header, kind)[picks]
        # Few bits cannot tell columns of very different size from dependent ones.
        sizes = np.linalg.norm(left, axis=0) if precision < 53 else np.ones(left.shape[1])
        sizes = np.where(sizes > 0, sizes, 1).astype(kind)
        cutoff = 256 * float(np.finfo(kind).eps)  # the rank, decided with room for rounding
        beta = np.linalg.lstsq(left / sizes, roots * labels, rcond=cutoff)[0] / sizes
        result["beta"] = [float(b) for b in beta]
    first = header if precision == 53 else header | {"precision": precision}
    return [json.dumps(x, allow_nan=False) for x in (first, *steps, result)]


def singular_vectors(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """The textbook."""
    return textbook.run(header, uniforms)


def orthonormal(header: dict[str, Any]) -> Doubles:
    """Q of a QR factorisation, the columns pivoted by norm and the rank by the diagonal."""
    rows = scaled(header)
    norms = np.linalg.norm(rows, axis=0)
    rows = rows[:, norms > 0] / norms[norms > 0]
    factor, triangle = np.linalg.qr(rows)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min() > diagonal.max() * 1e-13:
        return np.asarray(factor)
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    return np.asarray(left[:, values > values[0] * 1e-13])


def eigenvalues(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Q from QR; the bracket from the eigenvalues of A."""
    rows = orthonormal(header)

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        values, vectors = np.linalg.eigh(form)
        weights = 1 / (u - values) + 1 / (values - low)
        return float(np.sum(weights)), np.asarray((rows @ vectors) ** 2 @ weights)

    return loop(header, uniforms, rows, bracket)


def orthogonal_solve(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Q from QR; the bracket by linear solves."""
    rows = orthonormal(header)
    identity = np.eye(rows.shape[1])

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        solved = np.linalg.solve(u * identity - form, rows.T) + np.linalg.solve(
            form - low * identity, rows.T
        )
        masses = np.einsum("ni,in->n", rows, solved)
        return float(np.sum(masses)), masses

    return loop(header, uniforms, rows, bracket)


def cholesky(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Gram coordinates; triangular solves with the factors of uG - B and B - lG."""
    rows = scaled(header)
    gram = rows.T @ rows

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        masses = np.zeros(len(rows))
        for matrix in (u * gram - form, form - low * gram):
            solved = np.linalg.solve(np.linalg.cholesky(matrix), rows.T)
            masses = masses + np.sum(solved**2, axis=0)
        return float(np.sum(masses)), masses

    return loop(header, uniforms, rows, bracket)


def gram_inverse(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Gram coordinates; explicit inverses, and the potential as a trace against G."""
    rows = scaled(header)
    gram = rows.T @ rows

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inverse = np.linalg.inv(u * gram - form) + np.linalg.inv(form - low * gram)
        return float(np.sum(gram * inverse)), np.einsum("ni,ij,nj->n", rows, inverse, rows)

    return loop(header, uniforms, rows, bracket)


def running_sums(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Gram coordinates; every sum over the points in a plain loop, as C would have it."""
    rows = scaled(header)
    gram: Doubles = np.zeros((rows.shape[1], rows.shape[1]))
    for row in rows:
        gram = gram + np.outer(row, row)

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inverse = np.linalg.inv(u * gram - form) + np.linalg.inv(form - low * gram)
        masses = np.einsum("ni,ij,nj->n", rows, inverse, rows)
        return float(np.cumsum(masses)[-1]), masses

    return loop(header, uniforms, rows, bracket)


def _in_single(header: dict[str, Any], uniforms: Sequence[float], rows: Doubles) -> list[str]:
    """Binary32 on orthonormal rows, and the header says so."""
    identity = np.eye(rows.shape[1], dtype=np.float32)

    def bracket(u: float, form: Doubles, low: float) -> tuple[np.float32, Doubles]:
        inverse = np.linalg.inv(u * identity - form) + np.linalg.inv(form - low * identity)
        masses = np.einsum("ni,ij,nj->n", rows, inverse, rows)
        return np.float32(np.trace(inverse)), masses

    return loop(header, uniforms, rows, bracket, kind=np.float32, precision=24)


def single_precision(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Binary32 after a factorisation in doubles."""
    return _in_single(header, uniforms, orthonormal(header).astype(np.float32))


def single_reflections(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Binary32 from the first: Householder's reflections of the rows as they are."""
    return _in_single(header, uniforms, np.linalg.qr(scaled(header, np.float32))[0])


def multiprecision(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """mpmath with 40 digits in Gram coordinates, written as decimal strings."""
    with mp.workdps(40):
        points = [[mpf(x) for x in row] for row in header["points"]]
        size, d = len(points), len(points[0])
        squared = [mpf(c) for c in header.get("squared_scales") or [1] * size]
        outer = [
            mp.matrix(d, d) + mp.matrix([[c * a * b for b in row] for a in row])
            for c, row in zip(squared, points, strict=True)
        ]
        gram = mp.matrix(d, d)
        for matrix in outer:
            gram += matrix
        gamma = mpf(header["gamma"])
        u, l = 2 * d / gamma, -2 * d / gamma  # noqa: E741 - the paper's letter
        paper = header.get("stopping", "paper") == "paper"
        bound = 4 * d / gamma * (1 + mpf(1 if paper else header.get("level", 1)))
        form, total = mp.matrix(d, d), mpf(0)
        steps: list[dict[str, Any]] = []
        weights, shares = [], []
        for r in uniforms:
            if (u - l) + (total if paper else 0) >= bound:
                break
            inverse = mp.inverse(u * gram - form) + mp.inverse(form - l * gram)
            entries = [(i, k) for i in range(d) for k in range(d)]
            masses = [sum(inverse[i, k] * x[i, k] for i, k in entries) for x in outer]
            phi = sum(masses)
            partial, index = mpf(0), size - 1
            for i, mass in enumerate(masses):
                partial += mass
                if mpf(r) * phi < partial:
                    index = i
                    break
            weight = gamma / masses[index]
            text = {"u": u, "l": l, "phi": phi, "p": masses[index] / phi, "weight": weight}
            step = {name: mp.nstr(value, 39) for name, value in text.items()}
            steps.append({"j": len(steps), "index": index, **step})
            weights.append(weight)
            shares.append(gamma / phi)
            form += weight * outer[index]
            u += gamma / (1 - 2 * gamma) / phi
            l += gamma / (1 + 2 * gamma) / phi  # noqa: E741 - the paper's letter
            total += phi
        mid = (u + l) / 2
        result = {
            "m": len(steps),
            "mid": mp.nstr(mid, 39),
            "weights": [mp.nstr(w / mid, 39) for w in weights],
            "alphas": [mp.nstr(a / mid, 39) for a in shares],
        }
    return [json.dumps(x) for x in (header | {"precision": 120}, *steps, result)]


CORRECT: dict[str, Implementation] = {
    "singular-vectors": singular_vectors,
    "eigenvalues": eigenvalues,
    "orthogonal-solve": orthogonal_solve,
    "cholesky": cholesky,
    "gram-inverse": gram_inverse,
    "running-sums": running_sums,
    "single-precision": single_precision,
    "single-reflections": single_reflections,
    "multiprecision": multiprecision,
}
