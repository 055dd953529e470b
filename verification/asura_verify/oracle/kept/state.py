"""The state that a trace of a variant reports: A from its weights, and sigma from its barriers.

What a line does not report is known within an interval, from the step before. So A is a centre C
and a form F >= 0 that bounds what is not known: C - F <= A <= C + F in Loewner order, with
C = sum W_i U_i U_i^T over the middles of the weights and F the same over their radii. The factors
of D are balls, and their radii add to F. Of a trace that reports its states, F is 0 up to the
digits that are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_mat, fmpq_mat

from asura.definiteness import ball_positive_definite
from asura.errors import Undecided


def frobenius(matrix: arb_mat) -> arb:
    """At most the Frobenius norm."""
    return sum((x * x for x in matrix.entries()), arb(0)).upper().sqrt().upper()


@dataclass(frozen=True, slots=True)
class Side:
    """P or Q: how large, how near to singular, and what share of it is not known."""

    size: arb  # |P|
    inverse: arb  # |P^-1|
    doubt: arb  # |P^(-1/2) F P^(-1/2)|, F bounding what is not known of P


@dataclass(frozen=True, slots=True)
class Seen:
    """Phi = Tr(D E) and the masses U^T E U of the pool, in one state."""

    potential: arb
    masses: list[arb]
    sides: tuple[Side, ...]
    energy: arb  # |E|
    reach: arb  # the largest factor of D in a barrier
    size: arb  # |A|
    trace: arb  # Tr A
    heaviest: arb  # the largest weight of a point


class NotBetweenBarriers(Exception):
    """A state that no run has."""


class ReportedWeights:
    """The points as whitened, and the weights of those that were drawn."""

    def __init__(self, rows: arb_mat, pool: int) -> None:
        self.rows, self.size, self.dimension = rows, rows.nrows(), rows.ncols()
        self.pool = pool
        self.one = self._identity()
        self.target = self._gram(pool)  # D
        self.target_size = frobenius(self.target)
        self.weights = [arb(0)] * self.size
        self.steps = 0

    def _identity(self) -> arb_mat:
        d = self.dimension
        return arb_mat(fmpq_mat(d, d, [int(i == k) for i in range(d) for k in range(d)]))

    def _gram(self, count: int) -> arb_mat:
        d = self.dimension
        part = arb_mat(count, d, [self.rows[i, k] for i in range(count) for k in range(d)])
        return part.transpose() * part if count else arb_mat(d, d)

    def add(self, index: int, weight: arb) -> None:
        """One pick."""
        self.steps += 1
        self.weights[index] += weight

    def _form(self, weights: list[arb]) -> arb_mat:
        """The sum of W_i U_i U_i^T."""
        d, places = self.dimension, [i for i, w in enumerate(weights) if w != 0]
        if not places:
            return arb_mat(d, d)
        left = [self.rows[i, k] * weights[i] for k in range(d) for i in places]
        right = [self.rows[i, k] for i in places for k in range(d)]
        return arb_mat(d, len(places), left) * arb_mat(len(places), d, right)

    def look(self, distance: arb, upper: arb | None, lower: arb) -> Seen | None:
        """One state; None where what is not known hides it, `NotBetweenBarriers` if none does."""
        centre = self._form([weight.mid() for weight in self.weights])
        doubt = self._form([weight.rad() for weight in self.weights])
        start = self.one * distance
        below = centre + start - self.target * lower.mid()
        matrices = [(below, doubt + self.target * lower.rad())]
        if upper is not None:
            above = start + self.target * upper.mid() - centre
            matrices.append((above, doubt + self.target * upper.rad()))
        sides, bracket = [], arb_mat(self.dimension, self.dimension)
        for matrix, unknown in matrices:
            verdict = ball_positive_definite(matrix)
            if verdict.fails:
                if frobenius(unknown) * 2**30 < frobenius(matrix):
                    raise NotBetweenBarriers
                return None
            if verdict.undecided:
                raise Undecided
            inverse = matrix.solve(self.one, algorithm="lu")
            half = inverse * unknown
            share = (half * half).trace().upper().max(arb(0)).sqrt().upper()
            sides.append(Side(frobenius(matrix), frobenius(inverse), share))
            bracket = bracket + inverse
        product = self.rows * bracket
        masses = [
            sum((product[i, k] * self.rows[i, k] for k in range(self.dimension)), arb(0))
            for i in range(self.pool)
        ]
        reach = lower if upper is None else upper.max(lower)
        return Seen(
            potential=sum(masses, arb(0)),
            masses=masses,
            sides=tuple(sides),
            energy=frobenius(bracket),
            reach=reach.upper().max(arb(0)),
            size=frobenius(centre),
            trace=centre.trace().upper().max(arb(0)),
            heaviest=max((weight.upper() for weight in self.weights), key=float),
        )
