"""K1 and K2 as anybody would write them with NumPy: singular vectors and doubles.

The wrong exhibits are this text with one line changed (`kept_exhibits.py`): keep one idea per line.
"""

# ruff: noqa: N806, PLR0915 - the paper's letters, and one idea per line

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np


def run(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """The trace of one run; the uniforms are those of the header."""
    points = np.array([[float(x) for x in row] for row in header["points"]])
    size = len(points)
    squared = np.array([float(c) for c in header.get("squared_scales") or [1.0] * size])
    X = np.sqrt(squared)[:, None] * points
    U, values, _ = np.linalg.svd(X, full_matrices=False)
    U = U[:, values > values[0] * size * 2.0**-52]
    d = U.shape[1]
    pool = header["unlabelled"]
    D = U[:pool].T @ U[:pool]
    identity = np.eye(d)
    R = float(np.trace(D))
    one_sided = header["variant"] == "one-sided"
    ending = header.get("ending", "overshoot")
    gamma = float(header["gamma"])
    if one_sided:
        step = gamma / (1 - gamma**2)
        lower_rate, upper_rate = 1 - gamma, 0.0
        c = R / (float(header["draws"]) * step)
        goal, rate = 1.0, 0.0
    else:
        step = gamma
        lower_rate, upper_rate = 1 / (1 + 2 * gamma), 1 / (1 - 2 * gamma)
        c = 2 * R / gamma
        k = 1 - 4 * gamma**2
        paper = header.get("stopping", "paper") == "paper"
        goal = k * R / gamma**2 * (1.0 if paper else float(header.get("level", 1)))
        rate = k / (4 * gamma) if paper else 0.0
    A = np.zeros((d, d))
    start = c * identity
    moving = D
    sigma = total = 0.0
    steps: list[dict[str, Any]] = []
    weights: list[float] = []
    shares: list[float] = []
    picks: list[int] = []
    for r in uniforms:
        clock = sigma + rate * total
        if R == 0 or clock >= goal:
            break
        lower = np.linalg.inv(A + start - lower_rate * sigma * moving)
        upper = np.zeros((d, d))
        if not one_sided:
            upper = np.linalg.inv(start + upper_rate * sigma * moving - A)
        E = upper + lower
        masses = np.einsum("ni,ij,nj->n", U[:pool], E, U[:pool])
        phi = float(np.trace(D @ E))
        p = masses / phi
        if not (np.all(np.isfinite(p)) and np.max(p) > 0):
            break  # a broken run ends here
        advance = step / phi
        last = ending != "overshoot" and sigma + advance >= goal
        share = (goal - sigma) / advance if last else 1.0
        made = share if ending == "coin" else 1.0
        part = share if ending == "clip" else 1.0
        chance = made * p
        cumulative = np.cumsum(np.maximum(chance, 0.0))
        index = int(np.searchsorted(cumulative, r, side="right"))
        left_out = last and ending == "coin" and r >= made
        index = pool if left_out else min(index, len(p) - 1)
        record: dict[str, Any] = {"j": len(steps), "index": index}
        if not one_sided:
            record["u"] = upper_rate * sigma
        record |= {"l": lower_rate * sigma, "phi": phi, "probabilities": p.tolist()}
        weight = 0.0
        if not left_out:
            weight = part * step / phi / float(p[index])
            factor = weight
            A = A + factor * np.outer(U[index], U[index])
            record |= {"p": float(p[index]), "weight": weight}
            picks.append(index)
        shares.append(share * advance)
        sigma = goal if last else sigma + advance
        total = total + phi
        steps.append(record)
        weights.append(weight)
        if last:
            break
    if not np.all(np.isfinite([sigma, *weights])):
        raise FloatingPointError("the run broke down")
    mid = sigma
    scaled = [w / mid for w in weights]
    result: dict[str, Any] = {"m": len(steps), "l": lower_rate * sigma, "mid": mid}
    if not one_sided:
        result["u"] = upper_rate * sigma
    result |= {"weights": scaled, "alphas": [a / mid for a in shares]}
    labels = header.get("labels")
    if labels is not None:
        bought = [w for w, record in zip(scaled, steps, strict=True) if record["index"] < size]
        bought = [w for w in bought if w > 0]
        chosen = [*picks, *range(pool, size)]
        weighting = np.array([*bought, *[1.0] * (size - pool)])
        Y = np.array([float(labels[i]) for i in chosen])
        roots = np.sqrt(np.abs(weighting))
        beta = np.linalg.lstsq(roots[:, None] * X[chosen], roots * Y, rcond=None)[0]
        result["beta"] = beta.tolist()
    return [json.dumps(x, allow_nan=False) for x in (header, *steps, result)]
