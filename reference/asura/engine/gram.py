"""G = X^T X + ridge, its factor, and the leverages: two passes over the rows, in blocks.

The first pass finds T with T^T G T close to I: from the Cholesky factor of G, or, where G is too
ill-conditioned for that, by one QR factorisation after the other, which also names the columns
that follow from others. The second pass computes H_1 = T^T G_1 T and H_2 = T^T G_2 T from the
rows u = x T, with rigorous bounds on their rounding, and the leverages l_x = x^T G^-1 x from
above. Only the second pass is trusted, whatever T is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from asura.blas_threads import one_blas_thread
from asura.engine.rounding import (
    end_of_spectrum,
    proved_semidefinite,
    spectral_norm_up,
    triangular_inverse,
)
from asura.engine.rows import Indices, Matrix, Result, Rows
from asura.engine.threads import Progress, silent
from asura.errors import RankZero
from asura.rounding import UNDERFLOW, gamma, norm_up, sum_up, up

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
#: Cholesky of an equilibrated G is good enough while its pivots stay above this.
_SMALLEST_PIVOT = 1e-9


def _watched(
    rows: Rows, work: Callable[[int, Matrix], Result], progress: Progress
) -> Iterator[Result]:
    for done, result in rows.over_blocks(work):
        yield result
        progress(done / rows.size)


@dataclass(frozen=True, repr=False)
class Whitening:
    """T, of shape (columns, rank), with T^T G T close to I; rows of T are 0 for dropped columns."""

    basis: Matrix
    scale: Vector
    dropped: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The number of directions."""
        return int(self.basis.shape[1])

    def scaled(self, rows: Matrix) -> Matrix:
        """The rows with the powers of two in `scale`, without rounding."""
        return rows if (self.scale == 1).all() else rows * self.scale

    def coefficients(self, theta: Vector) -> Vector:
        """The beta in the user's coordinates of theta in those of T."""
        return np.asarray(self.scale * (self.basis @ theta))


def _gram(rows: Rows, scale: Vector, penalty: Vector, progress: Progress) -> Matrix:
    total = np.diag(penalty * scale * scale)
    plain = bool((scale == 1).all())

    def product(_start: int, block: Matrix) -> Matrix:
        part = block if plain else block * scale
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return np.asarray(part.T @ part)

    with np.errstate(over="ignore", invalid="ignore"):  # then another scale is tried
        for part in _watched(rows, product, progress):
            total += part
    return total


def _power_of_two_scale(rows: Rows, penalty: Vector) -> Vector:
    """Powers of two that bring every column near 1, so that squares neither over- nor underflow."""
    largest = np.sqrt(penalty)
    for _, sizes in rows.over_blocks(lambda _start, block: np.abs(block).max(axis=0)):
        largest = np.maximum(largest, sizes)
    _, exponents = np.frexp(np.where(largest > 0, largest, 1.0))
    return np.asarray(np.ldexp(1.0, np.clip(-exponents, -1020, 1020)))


def whiten(rows: Rows, penalty: Vector, progress: Progress = silent) -> Whitening:
    """Find T; `penalty` is the diagonal that the ridge adds to G (0 for the intercept)."""
    scale = np.ones(rows.width)
    gram = _gram(rows, scale, penalty, progress)
    sizes = np.diagonal(gram)
    if not (np.isfinite(gram).all() and (sizes > 1e-140).all() and (sizes < 1e140).all()):
        scale = _power_of_two_scale(rows, penalty)
        gram = _gram(rows, scale, penalty, progress)
        sizes = np.diagonal(gram)
    if not (sizes > 0).any():
        raise RankZero(
            "every feature is zero in every row: there is nothing to learn from", value=rows.size
        )
    unit = 1 / np.sqrt(np.where(sizes > 0, sizes, 1.0))
    if (sizes > 0).all():
        factor, failed = linalg.lapack.dpotrf(gram * np.outer(unit, unit), lower=0, clean=1)
        if failed == 0 and np.diagonal(factor).min() ** 2 >= _SMALLEST_PIVOT:
            inverse = triangular_inverse(factor)
            return Whitening(unit[:, None] * inverse, scale, ())
    return _by_qr(rows, scale, penalty, unit, progress)


def _by_qr(
    rows: Rows, scale: Vector, penalty: Vector, unit: Vector, progress: Progress
) -> Whitening:
    """T from a triangular factor of the equilibrated X, found block by block, with pivots."""
    width = rows.width
    factor = np.diag(np.sqrt(penalty) * scale * unit)

    def triangular(_start: int, block: Matrix) -> Matrix:
        return np.asarray(np.linalg.qr(block * (scale * unit), mode="r"))

    for part in _watched(rows, triangular, progress):
        factor = np.asarray(np.linalg.qr(np.vstack([factor, part]), mode="r"))
    triangle, order = linalg.lapack.dgeqp3(factor)[:2]
    order = order - 1  # LAPACK counts from 1
    pivots = np.abs(np.diagonal(triangle))
    rank = int(np.count_nonzero(pivots > pivots[0] * width * 2.0**-46))
    kept = order[:rank]
    inverse = triangular_inverse(triangle[:rank, :rank])
    basis = np.zeros((width, rank))
    basis[kept] = unit[kept, None] * inverse
    return Whitening(basis, scale, tuple(sorted(int(k) for k in order[rank:])))


@dataclass(frozen=True, repr=False)
class WhitenedRows:
    """Some rows x (scaled), u = x T in doubles, and for each a bound on |u - x T|."""

    scaled: Matrix
    rows: Matrix
    errors: Vector


def look_up(rows: Rows, whitening: Whitening, indices: Indices) -> WhitenedRows:
    """Rows in the coordinates of T."""
    return _rotated(rows.take(indices), whitening, _row_norms(whitening))


def _row_norms(whitening: Whitening) -> Vector:
    """At least the norms of the rows of T: |u - x T| <= gamma_d sum_k |x_k| |T_k|."""
    basis = whitening.basis
    norms = np.sqrt((basis * basis).sum(axis=1)) * (1 + gamma(whitening.rank + 2))
    return np.asarray(norms * (1 + 2.0**-40) + UNDERFLOW)


def _rotated(rows: Matrix, whitening: Whitening, norms: Vector) -> WhitenedRows:
    scaled = whitening.scaled(rows)
    width = len(norms)
    rate = up(gamma(width) * (1 + gamma(width + 2)))
    errors = np.asarray(rate * (np.abs(scaled) @ norms) + UNDERFLOW)
    return WhitenedRows(scaled, scaled @ whitening.basis, errors)


@dataclass(frozen=True, repr=False)
class Side:
    """H_i = T^T G_i T in doubles (i = 1, 2), and a bound on its error in the spectral norm."""

    gram: Matrix
    error: float


@dataclass(frozen=True, repr=False)
class _Part:
    """What one block adds to a sum."""

    gram: Matrix
    squares: Vector
    count: int


def _part(scaled: Matrix, rotated: Matrix) -> _Part:
    squares = np.einsum("ij,ij->j", scaled, scaled)
    return _Part(rotated.T @ rotated, squares, len(rotated))


@dataclass(frozen=True, repr=False)
class _Walk:
    """What one block says: its part of H_1 and H_2, and |u|, |u - x T| of its rows of X_1."""

    bought: _Part
    kept: _Part | None
    lengths: Vector
    errors: Vector


class _Sum:
    """H = sum of u u^T over some rows, with what its error bound needs."""

    def __init__(self, rank: int, width: int) -> None:
        self.gram = np.zeros((rank, rank))
        self.squares = np.zeros(width)
        self.count = 0

    def add(self, part: _Part) -> None:
        """More rows."""
        if part.count:
            self.gram += part.gram
            self.squares += part.squares
            self.count += part.count

    def side(self, basis: Matrix) -> Side:
        """|T^T X^T X T - H| <= gamma_n |U|_F^2 + 2 e |U| + e^2, e = |U - X T|_F.

        The bound on e, gamma_d | |X| |T| |_F, is taken from the norms of the columns of X.
        """
        if not math.isfinite(float(self.gram.sum())):
            return Side(self.gram, math.inf)
        width, rank = basis.shape
        rate = gamma(self.count + 2)
        columns = np.sqrt(self.squares * (1 + gamma(self.count + 4))) * (1 + 2.0**-40)
        spread = norm_up((columns @ np.abs(basis)) * (1 + gamma(width + 4)))
        rotation = up(gamma(width) * spread + UNDERFLOW)
        frobenius = up(sum_up(np.diagonal(self.gram)) * (1 + 2 * rate) + UNDERFLOW)
        norm = math.sqrt(up(spectral_norm_up(self.gram) + rate * frobenius))
        error = up(rate * frobenius + 2 * rotation * norm + rotation**2 + rank * UNDERFLOW)
        return Side(self.gram, error)


@dataclass(frozen=True, repr=False)
class Spectrum:
    """What two passes find out: T, H_1 of the rows that may be bought, H_2 of all the rest.

    `leverages` are bounds from above for the rows of X_1, in their order; T^T G T >= floor.
    """

    whitening: Whitening
    bought: Side
    kept: Side
    floor: float
    leverages: Vector

    @property
    def reduced_rank(self) -> float:
        """R_X = the sum of the leverages of X_1, from above."""
        return sum_up(self.leverages)

    @property
    def whole(self) -> Side:
        """T^T G T."""
        total = self.bought.gram + self.kept.gram
        error = self.bought.error + self.kept.error + gamma(1) * norm_up(total)
        return Side(total, up(error))


def ridge_side(whitening: Whitening, penalty: Vector) -> Side:
    """T^T diag(penalty) T: the rows sqrt(lambda) e_k, which nobody has to label."""
    scale = whitening.scale
    rows = whitening.basis
    weights = penalty * scale * scale  # the scale is a power of two
    gram = (rows * weights[:, None]).T @ rows
    size = sum_up(weights * (rows * rows).sum(axis=1)) * (1 + gamma(2 * len(rows)))
    return Side(gram, up(gamma(len(rows) + 3) * size + UNDERFLOW))


def sides(
    rows: Rows, whitening: Whitening, known: Mask, penalty: Vector, progress: Progress = silent
) -> tuple[Side, Side, Vector, Vector]:
    """One pass: H_1, H_2 (with the ridge), and |u|, |u - x T| of the rows of X_1."""
    bought = _Sum(whitening.rank, rows.width)
    kept = _Sum(whitening.rank, rows.width)
    norms = _row_norms(whitening)

    def walk(start: int, block: Matrix) -> _Walk:
        part = _rotated(block, whitening, norms)
        mask = known[start : start + len(block)]
        lengths = np.sqrt(np.einsum("ij,ij->i", part.rows, part.rows))
        if not mask.any():
            return _Walk(_part(part.scaled, part.rows), None, lengths, part.errors)
        return _Walk(
            _part(part.scaled[~mask], part.rows[~mask]),
            _part(part.scaled[mask], part.rows[mask]),
            lengths[~mask],
            part.errors[~mask],
        )

    lengths: list[Vector] = []
    errors: list[Vector] = []
    for found in _watched(rows, walk, progress):
        bought.add(found.bought)
        if found.kept is not None:
            kept.add(found.kept)
        lengths.append(found.lengths)
        errors.append(found.errors)
    ridge = ridge_side(whitening, penalty)
    labelled = kept.side(whitening.basis)
    together = labelled.gram + ridge.gram
    error = up(labelled.error + ridge.error + gamma(1) * norm_up(together))
    return (
        bought.side(whitening.basis),
        Side(together, error),
        np.concatenate(lengths),
        np.concatenate(errors),
    )


@one_blas_thread()
def spectrum(rows: Rows, known: Mask, penalty: Vector, progress: Progress = silent) -> Spectrum:
    """The two passes; a third where the first did not bring T^T G T near I."""
    whitening = whiten(rows, penalty, progress)
    for attempt in range(3):
        bought, kept, lengths, errors = sides(rows, whitening, known, penalty, progress)
        total = bought.gram + kept.gram
        if attempt == 2 or spectral_norm_up(total - np.eye(whitening.rank)) < 1e-6:
            break
        basis = np.asarray(whitening.basis @ triangular_inverse(np.linalg.cholesky(total).T))
        whitening = Whitening(basis, whitening.scale, whitening.dropped)
    floor = proved_floor(bought, kept)
    rounded = lengths * (1 + gamma(whitening.rank + 4)) + errors
    with np.errstate(divide="ignore", invalid="ignore"):
        leverages = np.minimum(rounded * rounded * (1 + 2.0**-40) / floor, 1.0)
    leverages[lengths + errors <= 2 * UNDERFLOW] = 0.0  # zero rows
    return Spectrum(whitening, bought, kept, floor, leverages)


def proved_floor(bought: Side, kept: Side) -> float:
    """A proved lower bound on the spectrum of T^T G T; 0 where nothing is proved."""
    total = bought.gram + kept.gram
    error = up(bought.error + kept.error + gamma(1) * norm_up(total))
    lowest = end_of_spectrum(total)
    slack = up(2 * error + len(total) * 2.0**-48)
    floor = lowest - slack
    if floor <= 0:
        return 0.0
    shifted = total.copy()
    np.fill_diagonal(shifted, np.nextafter(np.diagonal(total) - floor, -math.inf))
    return floor if proved_semidefinite(shifted, error) else 0.0
