r"""Inverses in doubles with proved bounds: all masses of a form F = c I + t H + f A, f = 1 or -1.

H is I, or the Gram matrix D of X_1. A = A_0 + sum_b w_b U_b U_b^T over the few points taken since a
basis V was computed, in which F_0 and H are nearly diagonal. V need not be orthogonal:
U^T F^-1 U = p^T (V^T F V)^-1 p with p = V^T U, exactly.

**Theorem.** Let P~ be doubles with |P~_x - V^T U_x| <= e |P~_x|. Let V^T (c I + t H + f A_0) V be
within eta_0 of diag(delta), delta > 0, and V^T H V within g of diag(slopes). Put
y_x = delta^(-1/2) P~_x, Y for the rows sqrt(w_b) y_b, S = I + f Y Y^T, c_x = Y y_x, T for any
matrix with |T S T^T - I| <= k < 1, z_x = T c_x, a_x = |y_x|^2, h_x = a_x + |z_x|^2. Then, with
F^ = diag(delta) + f sum w_b P~_b P~_b^T:

1. P~_x^T F^^-1 P~_y = y_x.y_y - f c_x^T S^-1 c_y (Woodbury), and this is y_x.y_y - f z_x.z_y up to
   k/(1 - k) |z_x||z_y|, since S^-1 = T^T (T S T^T)^-1 T. Where f = -1, k < 1 proves F^ > 0, because
   I - Y^T Y and I - Y Y^T have the same eigenvalues below 1.
2. F^ >= diag(delta)/r with r = 1, or |T|^2/(1 - k) where f = -1. So |F^^-1| <= r/min delta.
3. V^T F V is within eta = eta_0 + (2 e + e^2) sum w_b |P~_b|^2 of F^. So with
   theta = eta |F^^-1| < 1 it is F^ up to the factors 1 -+ theta, and inverses and points move as in
   `perturbed_step` (proofs_notes/coq/SpecModel.v): U_x^T F^-1 U_y is within
   (theta + 2 sigma + sigma^2)/(1 - theta) sqrt(h_x h_y) of 1., sigma = e sqrt(|F^^-1| max delta).
4. Every sum is rounded. A sum over d coordinates in this scaling is off by gamma_{d+..} times a
   product of norms (Cauchy and Schwarz), which here are sqrt a_x and |Y|: so z_x is off by
   kappa sqrt a_x, kappa = |T| |Y| (gamma_b + gamma_{d+5}), and S by gamma_{d+8} |Y|^2.

Altogether |computed - U_x^T F^-1 U_y| <= epsilon sqrt(h_x h_y) for all x and y, with one epsilon;
the mass of x is the case y = x, and Tr(H F^-1) is a sum of masses, as U^T U = I. What is needed of
U_x^T F^-1 H F^-1 U_x is an error of `square_error` h_x: it multiplies errors only.
What LAPACK returns is checked, not believed; assumed is that products of matrices are sums of d
products each, rounded to nearest, in whatever order (no fast multiplication by Strassen).
Underflow is covered by adding 2^-900 to h_x, while delta and 1/delta stay below 2^100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from asura.arithmetic.tracked import Tracked
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


def _norm(matrix: Doubles) -> float:
    """At least the spectral norm of a matrix, and of its absolute values."""
    absolute = np.abs(matrix)
    if not absolute.size:
        return 0.0
    sums = float(absolute.sum(axis=0).max()) * float(absolute.sum(axis=1).max())
    return up(math.sqrt(sums) * (1 + gamma(sum(matrix.shape))))


@dataclass(frozen=True, slots=True)
class ProvedBasis:
    """V: the points P~ = V^T U, and diagonals that are nearly V^T H V and V^T F_0 V.

    The diagonal of c I + t H + f A_0 is `sign * values + (t - start) * slopes`, up to `form_error`
    and |t - start| times `slope_error`.
    """

    values: Doubles
    slopes: Doubles
    start: float
    points: Doubles
    squares: Doubles
    point_error: float  # e
    slope_error: float  # g
    form_error: float

    def diagonal(self, along: float, factor: float) -> tuple[Doubles, float]:
        """delta, and how far V^T F V may be from it."""
        step = along - self.start
        moved = step * self.slopes
        delta = factor * self.values + moved
        rounding = 2 * UNIT * up(float(np.abs(moved).max())) + UNIT * float(np.abs(delta).max())
        return delta, up(self.form_error + abs(step) * self.slope_error * 1.01 + rounding)


def _eigh(matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Eigenvalues and eigenvectors, as LAPACK has them: they are checked."""
    try:
        values, vectors = np.linalg.eigh(matrix)
    except np.linalg.LinAlgError:
        raise Undecided from None
    return values, vectors


def upright_basis(rows: Rows, weights: Doubles) -> ProvedBasis:
    """For H = I and c = 0: an eigenbasis of A_0 = sum W_x U_x U_x^T, the same for both signs."""
    entries = rows.entries
    dimension = entries.shape[1]
    values, vectors = _eigh(entries.T @ (weights[:, None] * entries))
    product, errors = careful_product(np.ascontiguousarray(vectors.T), vectors)
    gram = up(norm_up(product - np.eye(dimension)) * (1 + UNIT) + norm_up(errors))
    points, error = _turned(rows, vectors, up(math.sqrt(1 + gram)))
    scaled = np.sqrt(weights)[:, None] * points
    product, errors = careful_product(np.ascontiguousarray(scaled.T), scaled)
    rest = up(norm_up(product - np.diag(values)) * (1 + 2 * UNIT) + norm_up(errors))
    largest = up(float(np.abs(values).max()) + rest)  # |sqrt(W) P~|^2
    moved = up((error + 4 * UNIT) * norm_up(scaled))
    form = up(rest + 2 * math.sqrt(largest) * moved + moved * moved)
    return ProvedBasis(values, np.ones(dimension), 0.0, points, points * points, error, gram, form)


def _turned(rows: Rows, vectors: Doubles, norm: float) -> tuple[Doubles, float]:
    """P~ = U~ V, and e, for |V| <= norm. Rows below 2^-500 are far below the floor."""
    points, errors = careful_product(rows.entries, vectors)
    known = errors + norm * rows.error * row_norms_up(rows.entries)
    lengths = row_norms_up(points) * (1 - 2.0**-30) + 2.0**-500
    return points, up(float((known / lengths).max()))


def tilted_basis(
    rows: Rows, pool: int, fixed: Tracked, along: float, factor: float, weights: Doubles
) -> ProvedBasis:
    """For H = D, the Gram matrix of the first `pool` points: F_0 = c I + t D + f A_0 becomes I.

    F_0 = sum k_x U_x U_x^T with k_x = c + t [x in X_1] + f W_x. Let K_x = |c| + |t| + W_x >= |k_x|,
    N = |sum K_x P~_x P~_x^T| and R = sum K_x |P~_x|^2. Then two roundings of k_x move the sum by
    2 u N, one of k_x P~_x by u sqrt(N R), and the points by 2 e sqrt(N R) + e^2 R (Cauchy and
    Schwarz).
    """
    entries = rows.entries
    tilt = np.zeros(len(entries))
    tilt[:pool] = along
    coefficients = (fixed.mid + tilt) + factor * weights
    bounds = abs(fixed.mid) + np.abs(tilt) + weights
    try:
        lower = np.linalg.inv(np.linalg.cholesky(entries.T @ (coefficients[:, None] * entries)))
    except np.linalg.LinAlgError:
        raise Undecided from None
    image = entries[:pool] @ lower.T
    slopes, turn = _eigh(image.T @ image)
    vectors = lower.T @ turn
    dimension = entries.shape[1]
    square = up(_norm(vectors.T @ vectors) + gamma(dimension) * norm_up(vectors) ** 2)  # of |V|
    points, error = _turned(rows, vectors, up(math.sqrt(square)))

    product, errors = careful_product(
        np.ascontiguousarray((coefficients[:, None] * points).T), points
    )
    rest = up(norm_up(product - np.eye(dimension)) * (1 + UNIT) + norm_up(errors))
    scaled = np.sqrt(bounds)[:, None] * points
    total = norm_up(scaled)  # sqrt R
    spread = up(
        math.sqrt(_norm(scaled.T @ scaled) * (1 + 4 * UNIT) + gamma(len(points)) * total**2)
    )
    form = up(
        rest
        + 3 * UNIT * spread * spread
        + (UNIT + 2 * error) * spread * total
        + error * error * total * total
        + fixed.radius * square
    )

    leading = np.ascontiguousarray(points[:pool])
    product, errors = careful_product(np.ascontiguousarray(leading.T), leading)
    rest = up(norm_up(product - np.diag(slopes)) * (1 + UNIT) + norm_up(errors))
    moved = up(error * norm_up(leading))
    slope = up(rest + moved * (2 * math.sqrt(float(np.abs(slopes).max()) + rest) + moved))
    return ProvedBasis(
        np.full(dimension, factor), slopes, along, points, points * points, error, slope, form
    )


@dataclass(frozen=True, slots=True)
class Resolvent:
    """What is known of F^-1."""

    masses: Doubles  # U_x^T F^-1 U_x, up to epsilon * sizes
    squares: Doubles  # U_x^T F^-1 H F^-1 U_x, up to square_error * sizes
    sizes: Doubles  # h_x
    epsilon: float
    square_error: float
    norm: float  # of F^(-1/2) H F^(-1/2), at most
    factor: float
    _points: Doubles
    _inverted: Doubles
    _images: Doubles  # z

    def products(self, index: int) -> Doubles:
        """U_x^T F^-1 U_y for one y and all x, up to epsilon sqrt(h_x h_y)."""
        direct = self._points @ (self._inverted * self._points[index])
        return np.asarray(direct - self.factor * (self._images[:, index] @ self._images))


def resolvent(
    basis: ProvedBasis, along: float, factor: float, taken: list[int], weights: Doubles
) -> Resolvent:
    """F^-1 for F = c I + t H + f A, A = A_0 + sum w_b U_b U_b^T, or `Undecided`."""
    dimension = basis.points.shape[1]
    delta, eta = basis.diagonal(along, factor)
    least, most = float(delta.min()), float(delta.max())
    if not (least > 1 / LARGEST and most < LARGEST):
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
    sloped = basis.slopes * inverted
    powers = basis.squares @ np.stack([inverted, sloped * inverted], axis=1)
    rotated = (root @ chosen) * inverted  # T Q delta^-1
    mixed = np.concatenate([scaled, rotated * sloped]) @ basis.points.T
    images = root @ mixed[:count]
    lengths = np.einsum("bn,bn->n", images, images)
    masses = powers[:, 0] - factor * lengths
    cross = (rotated * basis.slopes) @ rotated.T
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
        + stretch * stretch * blurred
    )
    kappa = up(1.01 * stretch * length * (gamma(count) + gamma(dimension + 5)))
    if not (defect < LOOSEST and kappa < LOOSEST):
        raise Undecided
    relief = max(1.0, stretch * stretch / (1 - defect)) if factor < 0 and count else 1.0  # r
    norm = up(relief / least)
    eta = up(eta + basis.point_error * (2.01 + basis.point_error) * norm_up(chosen) ** 2)
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
    crooked = up(basis.slope_error * norm)
    along_norm = up(1.01 * (relief * float(np.abs(sloped).max()) + crooked))
    square_error = up(
        along_norm
        * (
            8.1 * wide * (gamma(dimension + count + 12) + turned + kappa + defect)
            + 4 * (sigma + theta)
        )
        + 2 * crooked
    )
    return Resolvent(
        masses,
        squares,
        sizes,
        epsilon,
        square_error,
        along_norm,
        factor,
        basis.points,
        inverted,
        images,
    )
