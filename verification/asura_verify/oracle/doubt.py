"""How far the true state may be from the centre that is computed, as forms and not as entries.

The true B lies between B_c - (D + b G) and B_c + (D + b G) in Loewner order, u and l within their
own radii; so M = uG - B lies between M_c - Q and M_c + Q with Q = D + (b + radius of u) G. When
K = Y^(1/2) Q Y^(1/2), Y = M_c^-1, has norm at most q < 1, (1 + K)^-1 >= 1 - K and
(1 - K)^-1 <= 1 + K/(1 - q) give

    Y - Y Q Y <= M^-1 <= Y + Y Q Y/(1 - q).

A step adds |w - w_c| x x^T to D. Radii of single entries would grow with d in every step, these do
not: a run loses about 1/gamma bits instead of d/gamma.

Everything here is in doubles, in units of 2^-P: a bound is enlarged by CUSHION times the norms,
which covers the rounding of every sum in it.
"""

from __future__ import annotations

import math

import numpy as np
from flint import arb
from numpy.typing import NDArray

from asura.arithmetic.ball import Undecided

Doubles = NDArray[np.float64]

#: Beyond the rounding errors of sums of d^2 products, d up to 1000, relatively to the norms.
CUSHION = 2.0**-28
#: The rounding error of one addition to D, relatively to its norm.
ROUNDING = 2.0**-50


def _size(matrix: Doubles) -> float:
    """The Frobenius norm."""
    return math.sqrt(float(np.vdot(matrix, matrix)))


class Barrier:
    """One of the two inverses, with the form Q that bounds its doubt."""

    def __init__(self, inverse: Doubles, form: Doubles, gram: Doubles, unit: arb) -> None:
        self._inverse, self._form = inverse, form
        self._norm = _size(form)
        size = _size(inverse)
        share = arb(size * self._norm * (1 + CUSHION)) * unit
        # Then M_c is definite, as M is, and q is below 1.
        if not share < 1:
            raise Undecided
        self._factor = 1 / (1 - float(share.upper())) * (1 + CUSHION)
        square = inverse @ gram @ inverse
        spread = float(np.sum(square * form)) + CUSHION * _size(square) * self._norm
        self.trace = spread * self._factor
        relative = float(np.sum(inverse * form)) + CUSHION * size * self._norm
        self.relative = relative * self._factor

    def mass(self, row: Doubles) -> float:
        """The radius of x^T M^-1 x."""
        image = self._inverse @ row
        bound = float(image @ self._form @ image) + CUSHION * float(image @ image) * self._norm
        return bound * self._factor


class Doubt:
    """D, b and the radii of u and l."""

    def __init__(self, gram: Doubles, bits: int) -> None:
        self.unit = arb(2) ** -bits
        self._gram = gram
        self._form: Doubles = np.zeros_like(gram)
        self._scalar = 0.0  # b
        self.upper = self.lower = 0.0
        self._barriers: tuple[Barrier, ...] = ()

    def units(self, radius: arb) -> float:
        """A radius in units, rounded up."""
        return float((radius / self.unit).upper()) * (1 + CUSHION)

    def ball(self, radius: float) -> arb:
        """Zero, give or take a number of units."""
        return arb(0, arb(radius) * self.unit)

    def look(self, above: Doubles, below: Doubles) -> float:
        """The radius of Tr(G E), given the two inverses."""
        gram = self._gram
        self._barriers = tuple(
            Barrier(inverse, self._form + (self._scalar + radius) * gram, gram, self.unit)
            for inverse, radius in ((above, self.upper), (below, self.lower))
        )
        return sum(barrier.trace for barrier in self._barriers)

    def mass(self, row: Doubles) -> float:
        """The radius of x^T E x."""
        return sum(barrier.mass(row) for barrier in self._barriers)

    @property
    def relative(self) -> float:
        """A relative radius that serves every x."""
        return max((barrier.relative for barrier in self._barriers), default=0.0)

    def step(self, row: Doubles, weight: arb, rounding: arb, upper: arb, lower: arb) -> None:
        """What a step adds: by its weight, by rounding, and to u and l; all are radii."""
        self._form = self._form + self.units(weight) * np.outer(row, row)
        self._scalar += self.units(rounding) + ROUNDING * _size(self._form)
        self.upper += self.units(upper) * (1 + CUSHION)
        self.lower += self.units(lower) * (1 + CUSHION)

    def entries(self) -> Doubles:
        """Radii of the entries of B: |e_i^T P e_k|^2 <= (e_i^T Q e_i)(e_k^T Q e_k)."""
        diagonal = np.sqrt(np.diag(self._form + self._scalar * self._gram))
        return np.asarray(np.outer(diagonal, diagonal) * (1 + CUSHION))
