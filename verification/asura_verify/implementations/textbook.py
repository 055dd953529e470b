"""Algorithms 2 and 1 as anybody would write them with NumPy: singular vectors and doubles.

The wrong exhibits are this text with one line changed (`exhibits.toml`), so keep one idea per line.
"""

# ruff: noqa: F841, N806, PLR0915, RUF059 - the exhibits use what is left unused here

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np


def run(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """The trace of one run; the uniforms are those of the header."""
    points = np.array([[float(x) for x in row] for row in header["points"]])
    size, width = points.shape
    squared = np.array([float(c) for c in header.get("squared_scales") or [1.0] * size])
    X = np.sqrt(squared)[:, None] * points
    U, values, _ = np.linalg.svd(X, full_matrices=False)
    U = U[:, values > values[0] * size * 2.0**-52]
    d = U.shape[1]
    unlabelled = header["unlabelled"]
    leverages = np.sum(U**2, axis=1)
    gamma = float(header["gamma"])
    identity = np.eye(U.shape[1])
    A = np.zeros((U.shape[1], U.shape[1]))
    before = A
    u, l = 2 * d / gamma, -2 * d / gamma  # noqa: E741 - the paper's letter
    first_u, first_l = u, l
    last_u, last_l = u, l
    total = last_total = 0.0
    phi = 0.0
    earlier = None
    steps: list[dict[str, Any]] = []
    weights: list[float] = []
    shares: list[float] = []
    picks: list[int] = []
    level = float(header.get("level", 1)) if header.get("stopping") == "sure" else 1.0
    bound = 4 * d / gamma * (1 + level)
    for r in uniforms:
        clock = (u - l) + total
        if header.get("stopping") == "sure":
            clock = u - l
        if clock >= bound:
            break
        upper = np.linalg.inv(u * identity - A)
        lower = np.linalg.inv(A - l * identity)
        E = upper + lower
        phi = float(np.trace(upper + lower))
        p = np.einsum("ni,ij,nj->n", U, E, U) / phi
        if not (np.all(np.isfinite(p)) and np.max(p) > 0):
            break  # a broken run ends here
        chance = p
        earlier = p
        cumulative = np.cumsum(np.maximum(chance, 0.0))
        index = min(int(np.searchsorted(cumulative / cumulative[-1], r, side="right")), size - 1)
        weight = gamma / phi / float(p[index])
        factor = weight
        share = gamma / phi
        old_u, old_l = u, l
        before = A
        A = A + factor * np.outer(U[index], U[index])
        last_u, last_l, last_total = u, l, total
        u = u + gamma / (1 - 2 * gamma) / phi
        l = l + gamma / (1 + 2 * gamma) / phi  # noqa: E741 - the paper's letter
        total = total + phi
        steps.append(
            {
                "j": len(steps),
                "index": index,
                "u": old_u,
                "l": old_l,
                "phi": phi,
                "p": float(p[index]),
                "probabilities": p.tolist(),
                "weight": weight,
            }
        )
        weights.append(weight)
        shares.append(share)
        picks.append(index)
    if not np.all(np.isfinite([u, l, *weights])):
        raise FloatingPointError("the run broke down")
    mid = (u + l) / 2
    scaled = [w / mid for w in weights]
    alphas = [a / mid for a in shares]
    result: dict[str, Any] = {"m": len(steps), "u": u, "l": l, "mid": mid}
    result |= {"weights": scaled, "alphas": alphas}
    labels = header.get("labels")
    if labels is not None:
        chosen, weighting = picks, np.array(scaled)
        Y = np.array([float(labels[i]) for i in chosen])
        roots = np.sqrt(np.abs(weighting))
        beta = np.linalg.lstsq(roots[:, None] * X[chosen], roots * Y, rcond=None)[0]
        result["beta"] = beta.tolist()
    return [json.dumps(x, allow_nan=False) for x in (header, *steps, result)]
