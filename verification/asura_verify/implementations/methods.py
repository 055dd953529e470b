"""Every correct method: those of the museum, one that reports its whitening, one that updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asura_verify.implementations.correct import (
    Bracket,
    Doubles,
    Implementation,
    loop,
    scaled,
)
from asura_verify.implementations.further import EVERY


def _by_inverses(rows: Doubles) -> Bracket:
    """Explicit inverses, and their trace."""
    one = np.eye(rows.shape[1])

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inverse = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        return float(np.trace(inverse)), np.einsum("ni,ij,nj->n", rows, inverse, rows)

    return bracket


def with_its_whitening(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """R of a QR factorisation, inverted and reported."""
    rows = scaled(header)
    whitening = np.linalg.inv(np.linalg.qr(rows)[1])
    rows = rows @ whitening
    reported = header | {"whitening": whitening.tolist()}
    return loop(reported, uniforms, rows, _by_inverses(rows))


def rank_one_updates(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Sherman and Morrison's formula: the last point enters the inverses of the state before."""
    rows = np.linalg.qr(scaled(header))[0]
    one = np.eye(rows.shape[1])
    last: list[Doubles] = [np.zeros_like(one)]

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        before, gained = last[0], form - last[0]
        last[0] = form
        values, vectors = np.linalg.eigh(gained)
        top = np.sqrt(max(values[-1], 0.0)) * vectors[:, -1]
        above, below = np.linalg.inv(u * one - before), np.linalg.inv(before - low * one)
        up, down = above @ top, below @ top
        above = above + np.outer(up, up) / (1 - top @ up)
        below = below - np.outer(down, down) / (1 + top @ down)
        inverse = above + below
        return float(np.trace(inverse)), np.einsum("ni,ij,nj->n", rows, inverse, rows)

    return loop(header, uniforms, rows, bracket)


METHODS: dict[str, Implementation] = {
    **EVERY,
    "with-its-whitening": with_its_whitening,
    "rank-one-updates": rank_one_updates,
}
