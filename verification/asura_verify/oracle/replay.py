"""The true run behind a trace: Algorithm 2 along the picks of the trace, in rigorous balls."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz, fmpz_mat

from asura.arithmetic.ball import Undecided
from asura.arithmetic.exact import features, upper_triangle
from asura.dataset import Dataset
from asura.scalars import rational
from asura.stopping import StoppingRule

_HALF = Fraction(1, 2)


class Replay:
    """State j in whitened coordinates; every method is called inside one precision scope."""

    def __init__(self, data: Dataset, gamma: Fraction, stopping: StoppingRule, bits: int) -> None:
        self.bits = bits  # of what is only compared
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
        self._upper_triangle = upper_triangle(self.dimension)
        self._features: arb_mat | None = None
        self._picked: dict[int, tuple[arb_mat, arb_mat]] = {}
        self.gamma = arb(rational(gamma))
        self.upper_rate = arb(rational(gamma / (1 - 2 * gamma)))
        self.lower_rate = arb(rational(gamma / (1 + 2 * gamma)))
        barrier = Fraction(2 * self.dimension) / gamma
        self.bound = arb(rational(2 * barrier * (1 + stopping.level)))
        self.counts_potentials = stopping.counts_potentials
        self.upper, self.lower = arb(rational(barrier)), arb(rational(-barrier))
        self.accumulated = arb_mat(self.dimension, self.dimension)
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
        self._vector = arb_mat(len(self._upper_triangle), 1)

    def look(self) -> None:
        """Line 4: Phi_j = Tr(E_j), and E_j for the masses."""
        _, self.potential, self._vector = self.view(self.accumulated, self.upper, self.lower)

    def view(self, accumulated: arb_mat, upper: arb, lower: arb) -> tuple[arb_mat, arb, arb_mat]:
        """(uG - B)^-1, Tr(G E) and the entries of E for any state; `Undecided` at a barrier."""
        try:
            above = (self.gram * upper - accumulated).solve(self._identity, algorithm="lu")
            below = (accumulated - self.gram * lower).solve(self._identity, algorithm="lu")
        except ZeroDivisionError:
            raise Undecided from None
        entries = (above + below).entries()
        packed = arb_mat(len(self._upper_triangle), 1, [entries[k] for k in self._upper_triangle])
        return above, (self._trace * packed)[0, 0], packed  # all masses sum to Tr(G E)

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
        return (self._point(index)[0] * (self._vector if vector is None else vector))[0, 0]

    def row(self, index: int) -> tuple[arb_mat, arb]:
        """A row, and its squared scale."""
        known = self._whitened.get(index)
        if known is None:
            row = [self._rows[index, k] for k in range(self.dimension)]
            known = self._whitened[index] = arb_mat(fmpq_mat([row])), arb(self._scales[index])
        return known

    def outer(self, index: int) -> arb_mat:
        """X x^T."""
        return self._point(index)[1]

    def vanishes(self, index: int) -> bool:
        """Whether the point is zero, so that its probability is."""
        return self._zero[index]

    def leverages(self) -> list[arb]:
        """|U(x)|^2 of every point."""
        inverse = self.gram.solve(self._identity, algorithm="lu").entries()
        packed = [inverse[k] for k in self._upper_triangle]
        return (self._all() * arb_mat(len(packed), 1, packed)).entries()

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
        return (known * (self._vector if vector is None else vector))[0, 0]

    def _all(self) -> arb_mat:
        if self._features is None:
            with ctx.workprec(self.bits):
                self._features = arb_mat(self._exact)
        return self._features

    def masses(self) -> list[arb]:
        """p_x Phi_j of every point, with few bits: they are judged, and not used any further."""
        with ctx.workprec(min(ctx.prec, self.bits)):
            return (self._all() * (self._vector * self._one)).entries()

    def advance(self, index: int, mass: arb) -> arb:
        """Lines 7-10; returns w'_j."""
        weight = self.gamma / mass
        self.accumulated += self.outer(index) * weight
        self.upper += self.upper_rate / self.potential
        self.lower += self.lower_rate / self.potential
        self.potential_sum += self.potential
        return weight

    def mid(self) -> arb:
        """(u_m + l_m)/2."""
        return (self.upper + self.lower) * arb(rational(_HALF))
