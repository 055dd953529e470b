r"""Inverses in doubles with proved bounds: all masses of a form s I + f A, f = 1 or -1.

A = A_0 + sum_b w_b U_b U_b^T over the few points taken since an eigenbasis V of A_0 was computed.
V need not be orthogonal, only nearly so: U^T F^-1 U = p^T (V^T F V)^-1 p with p = V^T U, exactly.

**Theorem.** Let P~ be doubles with |P~_x - V^T U_x| <= e |P~_x|, |V^T V - I| <= g,
|V^T A_0 V - diag(D)| <= h; delta = s + f D > 0, y_x = delta^(-1/2) P~_x, Y the rows sqrt(w_b) y_b,
S = I + f Y Y^T, c_x = Y y_x, T any matrix with |T S T^T - I| <= k < 1, z_x = T c_x. Put
a_x = |y_x|^2 and h_x = a_x + |z_x|^2. Then, with F^ = diag(delta) + f sum w_b P~_b P~_b^T:

1. P~_x^T F^^-1 P~_y = y_x.y_y - f c_x^T S^-1 c_y (Woodbury), and this is y_x.y_y - f z_x.z_y up to
   k/(1 - k) |z_x||z_y|, since S^-1 = T^T (T S T^T)^-1 T. Where f = -1, k < 1 proves F^ > 0, because
   I - Y^T Y and I - Y Y^T have the same eigenvalues below 1.
2. |F^^-1| <= b with b = 1/min delta, times |T|^2/(1 - k) where f = -1.
3. V^T F V is within eta = |s| g + h + u max delta + (2 e + e^2) sum w_b |P~_b|^2 of F^. So with
   theta = eta b < 1 it is F^ up to the factors 1 -+ theta, and inverses and points move as in
   `perturbed_step` (proofs_notes/coq/SpecModel.v): U_x^T F^-1 U_y is within
   (theta + 2 sigma + sigma^2)/(1 - theta) sqrt(h_x h_y) of 1., with sigma = e sqrt(b max delta).
4. Every sum is rounded. A sum over d coordinates in this scaling is off by gamma_{d+..} times a
   product of norms (Cauchy and Schwarz), which here are sqrt a_x and |Y|: so z_x is off by
   kappa sqrt a_x, kappa = |T| |Y| (gamma_b + gamma_{d+5}), and S by gamma_{d+8} |Y|^2.

Altogether |computed - U_x^T F^-1 U_y| <= epsilon sqrt(h_x h_y) for all x and y, with one epsilon; the
mass of x is the case y = x, and the trace of F^-1 is the sum of all masses as U^T U = I. What is
needed of |F^-1 U_x|^2 is an error of epsilon_square b h_x: it multiplies errors only.
Underflow is covered by adding 2^-900 to h_x, while delta and 1/delta stay below 2^100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from asura.errors import Undecided
from asura.rounding import UNIT, Doubles, careful_product, gamma, norm_up, row_norms_up, sum_up, up

#: Added to h_x: far above what underflow can do, far below every mass that matters.
FLOOR = 2.0**-900
#: Diagonals beyond this, or below its inverse, are left to balls.
LARGEST = 2.0**100
#: Each part of epsilon is at most this, so that products of them are small beside them.
LOOSEST = 2.0**-10


@dataclass(frozen=True, slots=True)
class Rows:
    """Doubles U~ with |U~_x - U_x| <= error |U~_x|, where U^T U = I."""

    entries: Doubles
    error: float


@dataclass(frozen=True, slots=True)
class ProvedBasis:
    """V^T A_0 V is nearly diagonal, V^T V nearly I: `values`, and the points P~ with their bounds."""

    values: Doubles
    points: Doubles
    squares: Doubles
    point_error: float  # e
    gram_error: float  # g
    form_error: float  # h

    @staticmethod
    def of(rows: Rows, weights: Doubles) -> ProvedBasis:
        """An eigenbasis of A_0 = sum W_x U_x U_x^T, for weights that are doubles."""
        entries = rows.entries
        dimension = entries.shape[1]
        values, vectors = np.linalg.eigh(entries.T @ (weights[:, None] * entries))
        unit = np.eye(dimension)
        product, errors = careful_product(np.ascontiguousarray(vectors.T), vectors)
        gram = up(norm_up(product - unit) * (1 + UNIT) + norm_up(errors) + UNIT * dimension)
        points, errors = careful_product(entries, vectors)
        if not gram < LOOSEST:
            raise Undecided
        # |V| <= 1 + g; rows below 2^-500 are far below the floor.
        lengths = row_norms_up(points) * (1 - 2.0**-30) + 2.0**-500
        error = up(float((errors / lengths).max()) + 1.1 * rows.error)
        scaled = np.sqrt(weights)[:, None] * points
        product, errors = careful_product(np.ascontiguousarray(scaled.T), scaled)
        rest = up(norm_up(product - np.diag(values)) * (1 + 2 * UNIT) + norm_up(errors))
        largest = up(float(np.abs(values).max()) + rest)  # |sqrt(W) P~|^2
        moved = (error + 4 * UNIT) * norm_up(scaled)
        form = up(rest + 2 * math.sqrt(largest) * moved + moved * moved + UNIT * largest)
        return ProvedBasis(values, points, points * points, error, gram, form)


@dataclass(frozen=True, slots=True)
class Resolvent:
    """What is known of F^-1."""

    masses: Doubles  # U_x^T F^-1 U_x, up to epsilon * sizes
    squares: Doubles  # |F^-1 U_x|^2, up to epsilon_square * norm * sizes
    sizes: Doubles  # h_x
    epsilon: float
    epsilon_square: float
    norm: float  # of F^-1, at most
    factor: float
    _points: Doubles
    _inverted: Doubles
    _images: Doubles  # z

    def products(self, index: int) -> Doubles:
        """U_x^T F^-1 U_y for one y and all x, up to epsilon sqrt(h_x h_y)."""
        direct = self._points @ (self._inverted * self._points[index])
        return np.asarray(direct - self.factor * (self._images[:, index] @ self._images))


def _norm(matrix: Doubles) -> float:
    """At least the spectral norm of a matrix, and of its absolute values."""
    absolute = np.abs(matrix)
    if not absolute.size:
        return 0.0
    sums = float(absolute.sum(axis=0).max()) * float(absolute.sum(axis=1).max())
    return up(math.sqrt(sums) * (1 + gamma(sum(matrix.shape))))


def resolvent(
    basis: ProvedBasis, shift: float, factor: float, taken: list[int], weights: Doubles
) -> Resolvent:
    """F^-1 for F = s I + f A, A = A_0 + sum w_b U_b U_b^T; `Undecided` where nothing is proved."""
    size, dimension = basis.points.shape
    delta = shift + factor * basis.values
    least, most = float(delta.min()), float(delta.max())
    if not (1 / LARGEST < least and most < LARGEST):
        raise Undecided
    inverted = 1 / delta
    count = len(taken)
    chosen = np.sqrt(weights)[:, None] * basis.points[taken]
    scaled = chosen * inverted
    core = scaled @ chosen.T
    core = np.eye(count) + factor * (core + core.T) / 2
    try:
        root = np.linalg.inv(np.linalg.cholesky(core)) if count else core
    except np.linalg.LinAlgError:
        raise Undecided from None
    powers = basis.squares @ np.stack([inverted, inverted * inverted], axis=1)
    rotated = (root @ chosen) * inverted  # T Q delta^-1
    mixed = np.concatenate([scaled, rotated * inverted]) @ basis.points.T
    images = root @ mixed[:count]
    lengths = np.einsum("bn,bn->n", images, images)
    masses = powers[:, 0] - factor * lengths
    cross = rotated @ rotated.T
    squares = (
        powers[:, 1]
        - 2 * factor * np.einsum("bn,bn->n", images, mixed[count:])
        + np.einsum("bn,bn->n", images, cross @ images)
    )
    sizes = (powers[:, 0] + lengths) * (1 + gamma(dimension + count + 8)) + FLOOR

    weight = sum_up((scaled * chosen).ravel()) * (1 + gamma(8))  # |Y|^2
    length = up(math.sqrt(weight))
    stretch = _norm(root)  # |T|
    blurred = up(gamma(dimension + 8) * weight + 3 * UNIT * norm_up(core))  # of S
    found = norm_up(root @ core @ root.T - np.eye(count)) if count else 0.0
    defect = up(
        found * (1 + 2 * UNIT)
        + 3 * gamma(count + 2) * stretch * stretch * norm_up(core)
        + UNIT * count
        + stretch * stretch * blurred
    )
    kappa = up(1.01 * stretch * length * (gamma(count) + gamma(dimension + 5)))
    if not (defect < LOOSEST and kappa < LOOSEST):
        raise Undecided
    norm = up(1 / least)
    if factor < 0 and count:
        norm = up(norm * max(1.0, stretch * stretch / (1 - defect)))
    moved = up((2 * basis.point_error + basis.point_error**2) * norm_up(chosen) ** 2)
    eta = up(abs(shift) * basis.gram_error + basis.form_error + UNIT * most + 1.01 * moved)
    theta = up(eta * norm)
    sigma = up(basis.point_error * math.sqrt(norm * most))
    if not (theta < LOOSEST and sigma < LOOSEST):
        raise Undecided
    epsilon = up(
        1.01 * (2 * gamma(dimension + count + 8) + 2 * kappa + 2 * defect)
        + 1.1 * (theta + 2 * sigma + sigma * sigma)
    )
    wide = (1 + norm_up(rotated / np.sqrt(inverted))) ** 2
    turned = gamma(count + 4) * stretch * length
    epsilon_square = up(
        8.1 * wide * (gamma(dimension + count + 12) + turned + kappa + defect)
        + 4 * (sigma + theta)
        + 2 * basis.gram_error
    )
    whole = up(norm * (1 + 2 * basis.gram_error) / (1 - theta))
    return Resolvent(
        masses,
        squares,
        sizes,
        epsilon,
        epsilon_square,
        whole,
        factor,
        basis.points,
        inverted,
        images,
    )
