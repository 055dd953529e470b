"""More correct methods, which lose digits in other places than those of `correct.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asura_verify.implementations.correct import (
    CORRECT,
    Bracket,
    Doubles,
    Implementation,
    loop,
    scaled,
)


def _rotated(matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Eigenvalues and eigenvectors by Jacobi's rotations."""
    values, vectors = matrix.copy(), np.eye(len(matrix))
    for _ in range(12):
        for i in range(len(matrix)):
            for k in range(i + 1, len(matrix)):
                if values[i, k] == 0:
                    continue
                angle = 0.5 * np.arctan2(2 * values[i, k], values[k, k] - values[i, i])
                turn = np.eye(len(matrix))
                turn[i, i] = turn[k, k] = np.cos(angle)
                turn[i, k], turn[k, i] = np.sin(angle), -np.sin(angle)
                values, vectors = turn.T @ values @ turn, vectors @ turn
    return np.diag(values), vectors


def jacobi(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """The Gram matrix diagonalised by rotations, and the eigenvalues of A by rotations too."""
    rows = scaled(header)
    lengths, axes = _rotated(rows.T @ rows)
    rows = rows @ axes / np.sqrt(lengths)

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        values, vectors = _rotated(form)
        weights = 1 / (u - values) + 1 / (values - low)
        return float(np.sum(weights)), np.asarray((rows @ vectors) ** 2 @ weights)

    return loop(header, uniforms, rows, bracket)


def _by_inverses(rows: Doubles) -> Bracket:
    """Explicit inverses, and their trace."""
    one = np.eye(rows.shape[1])

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inverse = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        return float(np.trace(inverse)), np.einsum("ni,ij,nj->n", rows, inverse, rows)

    return bracket


def gram_eigenvalues(header: dict[str, Any], uniforms: Sequence[float]) -> list[str]:
    """Whitened by the eigenvalues of the Gram matrix, of columns as they are."""
    rows = scaled(header)
    values, vectors = np.linalg.eigh(rows.T @ rows)
    rows = rows @ vectors / np.sqrt(values)
    return loop(header, uniforms, rows, _by_inverses(rows))


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
    **CORRECT,
    "jacobi": jacobi,
    "gram-eigenvalues": gram_eigenvalues,
    "with-its-whitening": with_its_whitening,
    "rank-one-updates": rank_one_updates,
}
