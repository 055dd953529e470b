"""The true run behind a trace: Algorithm 2 along the picks of the trace, rigorously enclosed.

Balls entry by entry would lose some d/gamma bits in a run. So the true B is kept as a centre C, and
a form D that bounds what is not known: C - D <= B <= C + D in Loewner order. A step adds the middle
of the weight's ball to C and its radius to D, both times x x^T.

Let M be u G - B or B - l G, M_c the same with the centres of B and of the barrier, Y = M_c^-1, and
Q = D + (radius of the barrier) G, so that -Q <= M - M_c <= Q. If q = |Q^(1/2) Y Q^(1/2)| < 1, no
matrix between M_c and M is singular; M is positive definite, as the true run stays between its
barriers, and so M_c is. Then M^-1 = Y^(1/2) (1 + P)^-1 Y^(1/2) with -K <= P <= K, where
K = Y^(1/2) Q Y^(1/2) has norm q, and

    1 - K <= (1 + K)^-1 <= (1 + P)^-1 <= (1 - K)^-1 <= 1 + K/(1 - q),
    Y - Y Q Y <= M^-1 <= Y + Y Q Y/(1 - q).

What is only compared needs no more than Y Q Y <= q Y: its doubt is a share of itself.
Until the paper's stop a run loses little more than 1/gamma bits, whatever d.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz, fmpz_mat
from numpy.typing import NDArray

from asura.arithmetic.exact import features, upper_triangle
from asura.dataset import Dataset
from asura.errors import Undecided
from asura.scalars import rational
from asura.stopping import StoppingRule

Doubles = NDArray[np.float64]
_HALF = Fraction(1, 2)
#: The test of the distribution takes probabilities that are known to this many bits.
ACCURATE_BITS = 40


class View(NamedTuple):
    """Line 4 in one state."""

    above: arb_mat  # (u G - B)^-1
    below: arb_mat  # (B - l G)^-1
    vector: arb_mat  # the entries of their sum E, on and above the diagonal


class Replay:
    """State j in whitened coordinates; made, looked at and advanced in one precision scope."""

    def __init__(self, data: Dataset, gamma: Fraction, stopping: StoppingRule, bits: int) -> None:
        self.bits = bits  # of what is only compared
        self.doubt_bits = max(64, ctx.prec // 4)  # of all that bounds a doubt
        self._one = arb(1)
        coordinates = data.whitened
        self.size, self.dimension = coordinates.size, coordinates.dimension
        integers, denominator = features(coordinates)
        self._exact = fmpq_mat(integers) * fmpq(1, denominator)
        self._integers, self._denominator = integers, denominator
        ones = fmpz_mat(1, self.size, [1] * self.size)
        self._trace = arb_mat(fmpq_mat(ones * integers) * fmpq(1, denominator))
        self._prefixes: list[list[fmpz]] | None = None
        self._before: dict[int, arb_mat] = {}
        self._whitened: dict[int, tuple[arb_mat, arb]] = {}
        self._scales = coordinates.squared_scales
        self._rows = coordinates.rows
        self.gram = arb_mat(coordinates.gram())
        triangle = upper_triangle(self.dimension)
        self._places = [((k, 0), divmod(entry, self.dimension)) for k, entry in enumerate(triangle)]
        self._features: arb_mat | None = None
        self._doubles: Doubles | None = None
        self._picked: dict[int, tuple[arb_mat, arb_mat]] = {}
        self.gamma = arb(rational(gamma))
        self.upper_rate = arb(rational(gamma / (1 - 2 * gamma)))
        self.lower_rate = arb(rational(gamma / (1 + 2 * gamma)))
        barrier = Fraction(2 * self.dimension) / gamma
        self.bound = arb(rational(2 * barrier * (1 + stopping.level)))
        self.counts_potentials = stopping.counts_potentials
        self.upper, self.lower = arb(rational(barrier)), arb(rational(-barrier))
        self.centre = arb_mat(self.dimension, self.dimension)
        self.doubt = arb_mat(self.dimension, self.dimension)
        self.potential_sum = arb(0)
        self._identity = arb_mat(
            fmpq_mat(
                self.dimension,
                self.dimension,
                [int(i == k) for i in range(self.dimension) for k in range(self.dimension)],
            )
        )
        self._zero = [
            scale == 0 or all(self._rows[i, k] == 0 for k in range(self.dimension))
            for i, scale in enumerate(self._scales)
        ]
        self.potential: arb  # Phi_j, once it is looked at
        self._vector = self._spread = arb_mat(len(self._places), 1)
        self._around: arb  # 1, and what a mass may be off as a share of it
        with ctx.workprec(self.doubt_bits):
            self._coarse_gram = self._rounded(self.gram)

    def look(self) -> None:
        """Line 4: Phi_j = Tr(E_j), and E_j for the masses."""
        seen = self.view(self.centre, self.upper.mid(), self.lower.mid())
        self._vector = seen.vector
        with ctx.workprec(self.doubt_bits):
            above, share_above = self._doubt_about(seen.above, self.upper.rad())
            below, share_below = self._doubt_about(seen.below, self.lower.rad())
            self._spread = self._packed(above + below)
            self._around = arb(1, share_above.max(share_below))
        self.potential = self.total()

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        """Y Q Y/(1 - q) and q/(1 - q), with a Frobenius norm for q."""
        inverse = self._rounded(inverse)
        half = inverse * (self.doubt + self._coarse_gram * radius)
        share = (half * half).trace().upper().sqrt()
        if not share < 1:
            raise Undecided
        return half * inverse / (1 - share), share / (1 - share)

    def _rounded(self, matrix: arb_mat) -> arb_mat:
        """To the bits of the scope."""
        return matrix * self._one

    def _packed(self, matrix: arb_mat) -> arb_mat:
        packed = arb_mat(len(self._places), 1)
        for place, entry in self._places:
            packed[place] = matrix[entry]
        return packed

    def _form(self, features: arb_mat, vector: arb_mat | None = None) -> arb:
        """Tr(F E_j) for a form F >= 0, or that of another E which is known."""
        if vector is not None:
            return (features * vector)[0, 0]
        with ctx.workprec(self.doubt_bits):
            radius = (features * self._spread)[0, 0]
        return arb((features * self._vector)[0, 0], radius)

    def view(self, accumulated: arb_mat, upper: arb, lower: arb) -> View:
        """Any state; `Undecided` at a barrier."""
        try:
            above = (self.gram * upper - accumulated).solve(self._identity, algorithm="lu")
            below = (accumulated - self.gram * lower).solve(self._identity, algorithm="lu")
        except ZeroDivisionError:
            raise Undecided from None
        return View(above, below, self._packed(above + below))

    def total(self, vector: arb_mat | None = None) -> arb:
        """Tr(G E), to which all masses sum."""
        return self._form(self._trace, vector)

    @property
    def accumulated(self) -> arb_mat:
        """B, entry by entry: |x^T (B - C) y|^2 <= x^T D x y^T D y."""
        size = range(self.dimension)
        with ctx.workprec(self.doubt_bits):
            roots = [self.doubt[k, k].upper().sqrt() for k in size]
            radii = [roots[i] * roots[k] for i in size for k in size]
        balls = [arb(x, radius) for x, radius in zip(self.centre.entries(), radii, strict=True)]
        return arb_mat(self.dimension, self.dimension, balls)

    def clock(self) -> arb:
        """The left side of line 3."""
        gap = self.upper - self.lower
        return gap + self.potential_sum if self.counts_potentials else gap

    def spread(self) -> float:
        """Phi_j (u_j - l_j)/(4d), at least 1 in exact arithmetic."""
        return float(self.potential * (self.upper - self.lower)) / (4 * self.dimension)

    def _point(self, index: int) -> tuple[arb_mat, arb_mat]:
        known = self._picked.get(index)
        if known is None:
            size, scale = self.dimension, self._scales[index]
            row = [self._rows[index, k] for k in range(size)]
            known = self._picked[index] = (
                arb_mat(fmpq_mat([[self._exact[index, k] for k in range(self._exact.ncols())]])),
                arb_mat(fmpq_mat(size, size, [scale * a * b for a in row for b in row])),
            )
        return known

    def mass(self, index: int, vector: arb_mat | None = None) -> arb:
        """p_x Phi_j of one point, in the true state unless another one is given."""
        return self._form(self._point(index)[0], vector)

    def row(self, index: int) -> tuple[arb_mat, arb]:
        """A row, and its squared scale."""
        known = self._whitened.get(index)
        if known is None:
            row = [self._rows[index, k] for k in range(self.dimension)]
            known = self._whitened[index] = arb_mat(fmpq_mat([row])), arb(self._scales[index])
        return known

    def outer(self, index: int) -> arb_mat:
        """x x^T."""
        return self._point(index)[1]

    def vanishes(self, index: int) -> bool:
        """Whether the point is zero, so that its probability is."""
        return self._zero[index]

    def leverages(self) -> list[arb]:
        """|U(x)|^2 of every point."""
        inverse = self.gram.solve(self._identity, algorithm="lu")
        return (self._all() * self._packed(inverse)).entries()

    def mass_before(self, index: int, vector: arb_mat | None = None) -> arb:
        """The masses of all points before one, as a single quadratic form."""
        if self._prefixes is None:
            total = [fmpz(0)] * self._integers.ncols()
            self._prefixes = [total]
            for row in self._integers.tolist():
                total = [a + b for a, b in zip(total, row, strict=True)]
                self._prefixes.append(total)
        known = self._before.get(index)
        if known is None:
            scale = fmpq(1, self._denominator)
            exact = fmpq_mat([[fmpq(x) * scale for x in self._prefixes[index]]])
            known = self._before[index] = arb_mat(exact)
        return self._form(known, vector)

    def _all(self) -> arb_mat:
        if self._features is None:
            with ctx.workprec(self.bits):
                self._features = arb_mat(self._exact)
        return self._features

    def masses(self) -> list[arb]:
        """p_x Phi_j of every point, with few bits: they are judged, and not used any further."""
        features = self._all()
        with ctx.workprec(min(ctx.prec, self.bits)):
            masses = (features * self._rounded(self._vector)).entries()
        return [mass * self._around for mass in masses]

    def chances(self) -> Doubles:
        """The probabilities of all points in doubles, each right to 40 bits.

        With features and E rounded to doubles, a sum of K products is off by at most
        (K + 4) 2^-52 times the sum of their sizes: where that is too much, balls decide.
        """
        if self._doubles is None:
            entries = np.array([float(x) for x in self._all().entries()])
            self._doubles = entries.reshape(self.size, len(self._places))
        features, vector = self._doubles, np.array([float(x) for x in self._vector.entries()])
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is left to balls
            masses = features @ vector
            sizes = np.abs(features) @ np.abs(vector)
            doubt = (len(vector) + 4) * 2.0**-52 * sizes + float(self._around.rad()) * masses
        if not (np.all(doubt <= masses * 2.0**-ACCURATE_BITS / 2) and np.all(np.isfinite(sizes))):
            balls = self.masses()
            if any(x.rel_accuracy_bits() < ACCURATE_BITS + 1 for x in balls):
                raise Undecided
            masses = np.array([float(x) for x in balls])
        return np.asarray(masses / masses.sum())

    def advance(self, index: int, mass: arb) -> arb:
        """Lines 7-10; returns w'_j."""
        weight = self.gamma / mass
        outer = self.outer(index)
        self.centre += outer * weight.mid()
        with ctx.workprec(self.doubt_bits):
            self.doubt += outer * weight.rad()
        self.upper += self.upper_rate / self.potential
        self.lower += self.lower_rate / self.potential
        self.potential_sum += self.potential
        return weight

    def mid(self) -> arb:
        """(u_m + l_m)/2."""
        return (self.upper + self.lower) * arb(rational(_HALF))
