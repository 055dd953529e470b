"""Instances of K1 and K2 for the museum: small headers with labels and uniforms, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Every variant with every ending and stopping rule.
KINDS: tuple[dict[str, Any], ...] = (
    {"variant": "two-sided"},
    {"variant": "two-sided", "stopping": "sure"},
    {"variant": "two-sided", "stopping": "sure", "ending": "clip"},
    {"variant": "two-sided", "stopping": "sure", "ending": "coin"},
    {"variant": "one-sided", "ending": "clip"},
    {"variant": "one-sided", "ending": "coin"},
)
#: What may be hard about the data.
HARD: tuple[str, ...] = (
    "", "ill", "deficient", "zeros", "equal", "light", "small-rank", "no-kept", "units", "extreme",
)  # fmt: skip


def kept_case(
    seed: int, kind: dict[str, Any] | None = None, hard: str = "", randomness: Any = None
) -> dict[str, Any]:
    """A header of a variant, the next kind for the next seed unless one is named."""
    rng = np.random.default_rng([20250, seed]) if randomness is None else randomness
    chosen = KINDS[seed % len(KINDS)] if kind is None else kind
    d = int(rng.integers(1, 5))
    count, kept = d + int(rng.integers(1, 8)), int(rng.integers(1, d + 3))
    rows = np.round(rng.standard_normal((count + kept, d)) * 1024) / 1024
    if hard == "ill":
        rotation, _ = np.linalg.qr(rng.standard_normal((d, d)))
        rows = rows @ np.diag(10 ** np.linspace(0, -float(rng.uniform(1, 7)), d)) @ rotation
    elif hard == "deficient":
        rows = np.hstack([rows, 2 * rows[:, :1]])
    elif hard == "zeros":
        rows[0] = rows[-1] = 0.0
    elif hard == "equal":
        rows[:count] = rows[0]
    elif hard == "light":
        rows[0] *= 2.0**-30
    elif hard == "small-rank":
        rows[:count] *= 10 ** -float(rng.uniform(1, 5))
    elif hard == "no-kept":
        rows, kept = rows[:count], 0
    elif hard == "units":
        rows = rows * 10 ** np.linspace(3, -3, rows.shape[1])
    size = len(rows)
    one = chosen["variant"] == "one-sided"
    low, high = (0.001, 0.97) if hard == "extreme" else (0.1, 0.8)
    gamma = float(np.round(rng.uniform(low, high), 3)) / (1 if one else 2)
    gamma = gamma if one else max(gamma, 0.1)
    header: dict[str, Any] = {"format": "asura-trace/1", "gamma": gamma, **chosen}
    if one:
        header["draws"] = float(np.round(rng.uniform(0.3, 20.0), 2))
    elif chosen.get("stopping") == "sure":
        header["level"] = float(np.round(rng.uniform(0.3, 2.5), 2))
    header |= {"points": rows.tolist(), "unlabelled": count}
    if rng.integers(0, 2) and hard != "deficient":
        header["squared_scales"] = np.round(rng.uniform(0.2, 3.0, size=size), 3).tolist()
    header["labels"] = np.round(rng.standard_normal(size) * 2, 2).tolist()
    header["uniforms"] = rng.uniform(size=int(12 * d / min(gamma, 1 - gamma) ** 2) % 3000 + 80)
    header["uniforms"] = np.asarray(header["uniforms"]).tolist()
    header["implementation"] = "museum"
    return header
