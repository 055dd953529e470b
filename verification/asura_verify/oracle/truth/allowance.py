"""How far an honest implementation may be from the true values: no fixed tolerance.

A working arithmetic of p bits earns, at iteration j, the relative allowance

    64 * 2^-p * chi_j * (kappa + j + rho),    chi_j = max_{i<=j} Phi_i (u_i - l_i)/(4d) >= 1,

where kappa is what the data cost: kappa_D/sqrt(leverage) for orthogonal factorisations, with the
smallest leverage among the points that the value depends on (those picked before, and its own),
and kappa_D^2 for the normal equations, kappa_D being the condition number of X with columns
scaled to norm about 1; and the same with the condition number of X as given, for implementations
that do not scale columns. The normal equations, and those of columns as they are, are granted while
they keep enough bits, as in `stated`. What is farther off, but not farther than any of them costs,
is left open, and only what is beyond all is accused. All of it grows by (n + 16 d)/64,
for sums over the points one after the other and for the eliminations of a factorisation. And
rho = 1/(16 (1 - 2 gamma)) is what gamma/(1 - 2 gamma) loses when gamma has more than p bits, and 0
otherwise. Where p bits cannot carry it, it is 0 too, and what is beyond is only left open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat

from asura.coordinates import Coordinates
from asura.dataset import Dataset

#: Rounding errors a value is granted, in units of the last place, before conditioning.
UNITS = 64
#: An allowance below this changes nothing that matters.
NEGLIGIBLE = 2.0**-10
#: No leverage is taken for smaller, since its square root has to be a double.
LIGHTEST = 1e-300
#: From this allowance on, a mistake by a factor 1 +- 1/16 would pass: nothing is decided.
GROSS = 2.0**-4


def fine(precision: int) -> int:
    """How many bits a method has to keep that loses digits with the square of the condition.

    A value that only such a method explains is right while it keeps a third of the bits that were
    declared, and open beyond.

    >>> fine(53), fine(24)
    (17, 8)
    """
    return precision // 3


class Kept(NamedTuple):
    """What methods have to keep below, so that a value that only they explain is right."""

    fine: float  # normal equations, and columns as they are
    half: float  # what ties values of one program, by columns that are X times an inverse factor
    plainly: float  # normal equations of columns as they are: finer, by what their units cost


def digits_kept(precision: int, known: Conditioning) -> Kept:
    """A third of the bits, half of them, and a third beside what units cost.

    >>> digits_kept(53, Conditioning(2.0, 8.0, ())) == (2.0**-17, 2.0**-26, 2.0**-19)
    True
    """
    bits = min(precision, 1000)
    least, half = (min(GROSS / 4, 2.0**-kept) for kept in (fine(bits), bits // 2))
    return Kept(least, half, least * min(1.0, known.equilibrated / known.plain))


def _float(value: fmpq) -> float:
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return math.inf


def _spectral_norm(matrix: fmpq_mat) -> float:
    entries = np.array([[_float(x) for x in row] for row in matrix.tolist()])
    return float(np.linalg.norm(entries, 2)) if np.all(np.isfinite(entries)) else math.inf


def _exponent(value: fmpq) -> int:
    """The logarithm to base 2, within 1."""
    return int(value.p).bit_length() - int(value.q).bit_length()


def _dyadic(value: fmpq, bits: int) -> fmpq:
    """A number rounded down to some bits, so that later products stay short.

    >>> _dyadic(fmpq(1, 3), 4), _dyadic(fmpq(-1000, 3), 4)
    (5/16, -336)
    """
    scale = fmpq(2) ** (bits - _exponent(value))
    return fmpq((value * scale).floor()) / scale


def _squared_condition(coordinates: Coordinates, *, scaled: bool) -> float:
    """kappa^2 of X = C R with C nearly orthonormal, from R alone."""
    basis = coordinates.row_basis
    if coordinates.transform is not None:
        basis = coordinates.transform.inv() * basis
    columns = []
    for column in basis.transpose().tolist():
        entries = [_dyadic(x, 64) for x in column]
        norm = sum((x * x for x in entries), fmpq(0))
        factor = fmpq(2) ** (_exponent(norm) // 2) if scaled else fmpq(1)
        columns.append([x / factor for x in entries])
    matrix = fmpq_mat(columns)  # one row per column of X
    form = matrix.transpose() * matrix
    try:
        inverse = form.inv()
    except ZeroDivisionError:  # lost in the 64 bits kept
        return math.inf
    return max(1.0, _spectral_norm(form) * _spectral_norm(inverse))


@dataclass(frozen=True, slots=True)
class Conditioning:
    """What the data cost any implementation."""

    equilibrated: float  # kappa_D
    plain: float  # kappa of X as given
    leverages: tuple[float, ...]  # |U(x)|^2 within a factor 2; 1 for a zero point
    dimension: int = 0

    def orthogonal(self, leverage: float) -> float:
        """kappa_D/sqrt(leverage): what QR or SVD lose."""
        return self.equilibrated / math.sqrt(leverage)


def conditioning(data: Dataset) -> Conditioning:
    """The condition numbers and the leverages, within a factor 2.

    >>> from asura.dataset import dataset
    >>> skew = conditioning(dataset([[1000, 0], [0, 1], [1000, 1]]))
    >>> skew.equilibrated < 3 < 500 < skew.plain
    True
    """
    coordinates = data.whitened
    # The Gram matrix is nearly the identity, so that squared lengths are nearly leverages.
    squared = [
        sum((c * x * x for x in row), fmpq(0))
        for c, row in zip(coordinates.squared_scales, coordinates.rows.tolist(), strict=True)
    ]
    # A light point may be lighter than any double, and is no zero point.
    leverages = [None if x == 0 else _float(x) for x in squared]
    return Conditioning(
        math.sqrt(_squared_condition(coordinates, scaled=True)),
        math.sqrt(_squared_condition(coordinates, scaled=False)),
        tuple(1.0 if x is None else min(1.0, max(x, LIGHTEST)) for x in leverages),
        coordinates.dimension,
    )


def least_rank(data: Dataset, precision: int) -> int:
    """The least rank that some bits may find in the data, with scaled columns or without.

    X^T X has the squares of the singular values, and is rounded: a program that works with it may
    find no more than those above the square root of what its bits lose.

    >>> from asura.dataset import dataset
    >>> least_rank(dataset([[1, 0], [0, 1e-30]]), 53), least_rank(dataset([[1, 1], [1, 2]]), 24)
    (1, 2)
    """
    try:
        rows = np.array(
            [
                [math.sqrt(scale) * float(x) for x in row]
                for scale, row in zip(data.squared_scales, data.points, strict=True)
            ]
        )
    except OverflowError:
        return data.dimension
    largest = np.max(np.abs(rows))
    if not 0 < largest < math.inf:
        return data.dimension
    rows = rows / largest
    lengths = np.max(np.abs(rows), axis=0)  # squares might underflow
    ranks = [data.dimension]
    lost = math.sqrt(UNITS * max(rows.shape) * 2.0 ** -min(precision, 1000))
    for matrix in (rows, rows / np.where(lengths > 0, lengths, 1.0)):
        values = np.linalg.svd(matrix, compute_uv=False)
        ranks.append(int(np.sum(values > values[0] * lost)))
    return max(1, min(ranks))


def rounding_of_rates(gamma: Fraction, precision: int) -> float:
    """What the rates lose when gamma is rounded to some bits.

    >>> rounding_of_rates(Fraction(7, 16), 3), rounding_of_rates(Fraction(7, 16), 2)
    (0.0, 0.5)
    """
    if gamma.numerator.bit_length() <= precision and gamma.denominator.bit_count() == 1:
        return 0.0
    return float(1 / (16 * (1 - 2 * gamma)))


def floored(allowed: float) -> float:
    """The allowance of a mass, which is a square: it is known up to the square of an error, too.

    A whitening that knows U(x) up to a |U(x)| knows |U(x)|^2 up to 2a + a^2 of itself.

    >>> floored(2.0**-40) == 2.0**-40, floored(100.0)
    (True, 10100.0)
    """
    return allowed if allowed < NEGLIGIBLE else allowed + allowed * allowed


class Defects(NamedTuple):
    """How far the sum of the masses and the potential of one program may differ, as shares."""

    own: float  # by the roundings of a step, whatever the data
    near: float  # by a method that keeps enough digits
    far: float  # by any method; infinite where one may have lost every digit


@dataclass(frozen=True)
class Allowance:
    """The relative error that a trace of declared precision may show."""

    precision: int
    conditioning: Conditioning
    rates: float = 0.0  # what is lost by rounding gamma

    @cached_property
    def unit(self) -> float:
        """64 * 2^-p."""
        return UNITS * 2.0 ** -min(self.precision, 1000)

    @cached_property
    def _rates(self) -> float:
        """The rho of the formula above."""
        return self.rates if self._carried else 0.0

    @cached_property
    def _carried(self) -> bool:
        """Whether these bits carry the rates."""
        return self.unit * self.rates < GROSS

    @cached_property
    def _sums(self) -> float:
        """What adding up all points costs, and the eliminations of a factorisation."""
        return 1 + (len(self.conditioning.leverages) + 16 * self.conditioning.dimension) / UNITS

    @cached_property
    def _keeps(self) -> float:
        """Which kappa keeps enough bits."""
        return 2.0 ** -fine(min(self.precision, 1000)) / self.unit

    def cost(self, leverage: float) -> float:
        """The kappa of the formula above."""
        known, root = self.conditioning, math.sqrt(leverage)
        kappa, scaled, plain = known.orthogonal(leverage), known.equilibrated, known.plain
        for other, limit in (
            (scaled**2, self._keeps),
            (plain / root, self._keeps),
            (plain**2, self._keeps * min(1.0, scaled / plain)),
        ):
            if other < limit:
                kappa = max(kappa, other)
        return self._sums * kappa

    def widest_cost(self, leverage: float) -> float:
        """The same by any method, however much it loses."""
        kappa = max(self.conditioning.equilibrated, self.conditioning.plain)
        return self._sums * max(kappa / math.sqrt(leverage), kappa**2)

    @property
    def hopeless(self) -> bool:
        """Whether the precision cannot carry the data at all."""
        return self.unit * self._sums * self.conditioning.equilibrated**2 >= GROSS

    def at(self, iteration: int, spread: float, leverage: float) -> float:
        """Iteration j, with chi_j."""
        return self.unit * max(1.0, spread) * (self.cost(leverage) + iteration + self._rates)

    def widest(self, iteration: int, spread: float, leverage: float) -> float:
        """The same by any method: what is beyond is wrong."""
        if not self._carried:
            return math.inf  # so few bits may have rates of any size
        cost = self.widest_cost(leverage)
        return self.unit * max(1.0, spread) * (cost + iteration + self._rates)

    @cached_property
    def _costs(self) -> dict[float, list[float]]:
        """Of every point, at the last reach."""
        return {}

    def everywhere(self, iteration: int, spread: float, reach: float) -> list[float]:
        """Iteration j at every point, after points whose leverages are `reach` or more."""
        costs = self._costs.get(reach)
        if costs is None:
            costs = [self.cost(min(reach, x)) for x in self.conditioning.leverages]
            self._costs.clear()  # it changes rarely, and never back
            self._costs[reach] = costs
        unit = self.unit * max(1.0, spread)
        return [unit * (cost + iteration + self._rates) for cost in costs]

    def defects(self, iteration: int, spread: float) -> Defects:
        """How far the sum of the masses and the potential may differ, whatever the units."""
        unit = self.unit * max(1.0, spread)
        near, far = (unit * (x + iteration) for x in (self.cost(1.0), self.widest_cost(1.0)))
        return Defects(unit * self._sums, near, far)
