"""What the predicates judge: points, and one exact step from any state.

A state that meets the invariant strictly is l G < B < u G. Every such state has the form
B = l G + (u - l)(G^-1 + S^-1)^-1 for exactly one positive definite S, so drawing S draws all of
them, not only those that the algorithm reaches, and everything stays rational.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_mat

from asura.algorithm2_asura import Asura, Distribution, State
from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm, rational_form
from asura.dataset import Dataset
from asura.formulas import drift_margin
from asura.rates import PAPER_RATES, Rates
from asura.scalars import fraction, rational
from asura_verify import formulas

Matrix = tuple[tuple[Fraction, ...], ...]
ExactState = State[fmpq, RationalForm]


def exact_matrix(rows: Matrix) -> fmpq_mat:
    """A matrix of `Fraction`s as the kernel's."""
    return fmpq_mat([[rational(x) for x in row] for row in rows])


def fractions(matrix: fmpq_mat) -> Matrix:
    """The kernel's matrix as `Fraction`s."""
    return tuple(tuple(fraction(x) for x in row) for row in matrix.tolist())


def matrix_trace(matrix: fmpq_mat) -> fmpq:
    """The sum of the diagonal."""
    return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))


def shifted(matrix: fmpq_mat, by: Fraction) -> fmpq_mat:
    """M + c I."""
    found = fmpq_mat(matrix)
    for i in range(found.nrows()):
        found[i, i] += rational(by)
    return found


@dataclass(frozen=True)
class PointsInstance:
    """A dataset alone."""

    data: Dataset

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"d": self.data.dimension}


@dataclass(frozen=True)
class RidgeInstance:
    """X_1, lambda, labels and a beta at which losses are compared."""

    rows: Matrix
    lam: Fraction
    labels: tuple[Fraction, ...]
    beta: tuple[Fraction, ...]

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"lambda": self.lam, "d": len(self.beta)}


@dataclass(frozen=True)
class KernelInstance:
    """A positive semidefinite K, lambda, labels and a beta."""

    kernel: Matrix
    lam: Fraction
    labels: tuple[Fraction, ...]
    beta: tuple[Fraction, ...]

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"lambda": self.lam, "d": len(self.beta)}


@dataclass(frozen=True)
class StepInstance:
    """Points, gamma, a state between its barriers, and a semidefinite M.

    The barriers are `lower` and `lower + gap`; `shape` is S above; `elapsed` is the sum of the
    potentials so far, in units of 4d/gamma (the paper's s_j).
    """

    data: Dataset
    gamma: Fraction
    lower: Fraction
    gap: Fraction
    shape: Matrix
    test: Matrix
    elapsed: Fraction = Fraction(0)
    rates: Rates = PAPER_RATES

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {
            "gamma": self.gamma,
            "d": self.data.dimension,
            "r": self.clock,
            "s": self.elapsed,
            "1 - 5 gamma + 5 gamma^2": drift_margin(self.gamma),
        }

    @property
    def clock(self) -> Fraction:
        """r_j = gamma gap_j/(4d) - 1."""
        return formulas.clock(self.gamma, self.data.dimension, self.gap)

    @property
    def upper(self) -> Fraction:
        """u_j."""
        return self.lower + self.gap

    @cached_property
    def algorithm(self) -> Asura[fmpq, RationalForm]:
        """The reference sampler."""
        return Asura(self.data, self.gamma, EXACT, rates=self.rates)

    @cached_property
    def gram(self) -> fmpq_mat:
        """G, in the coordinates of the sampler."""
        return self.algorithm.frame.gram.matrix()

    @cached_property
    def state(self) -> ExactState:
        """The state itself."""
        plain = self.data.coordinates.gram()
        # The exact frame multiplies all points by one constant; so does this.
        ratio = self.gram[0, 0] / plain[0, 0]
        part = (plain.inv() + exact_matrix(self.shape).inv()).inv() * ratio
        total = self.gram * rational(self.lower) + part * rational(self.gap)
        unit = Fraction(4 * self.data.dimension) / self.gamma
        return State(
            rational_form(total),
            rational(self.upper),
            rational(self.lower),
            rational(self.elapsed * unit),
            0,
        )

    @cached_property
    def distribution(self) -> Distribution[fmpq]:
        """Potential and masses, as the sampler computes them."""
        return self.algorithm.distribution(self.state)

    @cached_property
    def below_upper(self) -> fmpq_mat:
        """u G - B, computed here and not by the sampler."""
        return self.gram * self.state.upper - self.state.accumulated.matrix()

    @cached_property
    def above_lower(self) -> fmpq_mat:
        """B - l G, computed here and not by the sampler."""
        return self.state.accumulated.matrix() - self.gram * self.state.lower

    @cached_property
    def bracket(self) -> fmpq_mat:
        """E_j = (u - A)^-1 + (A - l)^-1, computed here and not by the sampler."""
        return self.below_upper.inv() + self.above_lower.inv()

    @cached_property
    def potential(self) -> fmpq:
        """Phi_j^Id, computed here and not by the sampler."""
        return matrix_trace(self.gram * self.bracket)

    @cached_property
    def support(self) -> tuple[int, ...]:
        """The points of positive probability."""
        masses = self.distribution.masses
        return tuple(i for i in range(self.data.size) if masses[i] > 0)

    @cached_property
    def successors(self) -> dict[int, ExactState]:
        """The next state for every point that may be drawn."""
        return {i: self.algorithm.step(self.state, i, self.distribution) for i in self.support}

    def outer(self, index: int) -> fmpq_mat:
        """x x^T of one point, in the sampler's coordinates."""
        return self.algorithm.frame.outer_product(index).matrix()

    def bracket_of(self, state: ExactState) -> fmpq_mat:
        """E of another state."""
        total = state.accumulated.matrix()
        upper, lower = self.gram * state.upper, self.gram * state.lower
        return (upper - total).inv() + (total - lower).inv()
