"""Instances for the museum: small headers with labels and uniforms, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

#: More uniforms than a correct run needs, so that a run that does not end is seen to.
SPARE = 2


def case(
    seed: int,
    *,
    dimension: int | None = None,
    decades: float = 0.0,
    scaled: bool | None = None,
    deficient: bool = False,
    sure: bool = False,
    tiny: bool = False,
    units: float = 0.0,
    many: int = 0,
    zeros: bool = False,
    near_half: bool = False,
    randomness: Any = None,
) -> dict[str, Any]:
    """A header; `decades` spreads the singular values, `units` the columns, `scaled` adds ridge."""
    rng = np.random.default_rng([20240, seed]) if randomness is None else randomness
    d = int(rng.integers(2, 5)) if dimension is None else dimension
    count = d + int(rng.integers(2, 9)) + many
    rows = rng.standard_normal((count, d))
    if decades:
        rotation, _ = np.linalg.qr(rng.standard_normal((d, d)))
        rows = rows @ np.diag(10 ** np.linspace(0, -decades, d)) @ rotation
    rows = rows if decades else np.round(rows * 1024) / 1024  # sums of columns stay exact
    if tiny:
        rows[0] *= 2.0**-30  # a point of hardly any leverage
    if many:  # equal points, so that roundings add up, and one that outweighs them
        rows[:many], rows[-1] = 0.1, 0.1 * np.sqrt(many)
    if units:
        rows = rows * 10 ** np.linspace(units, -units, d)
    if zeros:
        rows[1] = 0.0
    if deficient:
        rows = np.hstack([rows, rows[:, :1] + rows[:, 1:2]])
    width = rows.shape[1]
    gamma = float(np.round(rng.uniform(0.15, 0.32), 2))
    gamma = 0.4999 if near_half else gamma
    points, labels = rows.tolist(), np.round(rng.standard_normal(count) * 2, 2).tolist()
    with_scales = bool(rng.integers(0, 2)) and not deficient if scaled is None else scaled
    header: dict[str, Any] = {"format": "asura-trace/1", "gamma": gamma}
    if with_scales:
        points = points + np.eye(width).tolist()
        header["squared_scales"] = [1.0] * count + [0.5] * width
        labels = labels + [0.25] * width
    header["points"] = points
    header["unlabelled"] = count if with_scales else count - 1
    header["labels"] = labels
    if sure:
        header["stopping"] = "sure"
    length = int(SPARE * d / gamma**2) + 20
    header["uniforms"] = rng.uniform(size=length).tolist()
    header["implementation"] = "museum"
    return header
