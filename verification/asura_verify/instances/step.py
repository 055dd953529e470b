"""What the predicates judge: points, one exact step from any state, one certified run.

A state that meets the invariant strictly is l G < B < u G. Every such state has the form
B = l G + (u - l)(G^-1 + S^-1)^-1 for exactly one positive definite S, so drawing S draws all of
them, not only those that the algorithm reaches, and everything stays rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_mat, fmpq, fmpq_mat

from asura.algorithm2_asura import Asura, Distribution, State
from asura.arithmetic import EXACT, BallArithmetic
from asura.arithmetic.exact import RationalForm, rational_form
from asura.dataset import Dataset
from asura.randomness import Seed
from asura.run import Run, run
from asura.scalars import fraction, rational
from asura.stopping import PAPER, StoppingRule
from asura_verify import formulas
from asura_verify.errors import EndlessRun

Matrix = tuple[tuple[Fraction, ...], ...]
ExactState = State[fmpq, RationalForm]


def exact_matrix(rows: Matrix) -> fmpq_mat:
    """A matrix of `Fraction`s as the kernel's."""
    return fmpq_mat([[rational(x) for x in row] for row in rows])


def fractions(matrix: fmpq_mat) -> Matrix:
    """The kernel's matrix as `Fraction`s."""
    return tuple(tuple(fraction(x) for x in row) for row in matrix.tolist())


def trace(matrix: fmpq_mat) -> fmpq:
    """The sum of the diagonal."""
    return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))


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

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"gamma": self.gamma, "d": self.data.dimension, "r": self.excess, "s": self.elapsed}

    @property
    def excess(self) -> Fraction:
        """R_j = gamma gap_j/(4d) - 1."""
        return formulas.excess(self.gamma, self.data.dimension, self.gap)

    @property
    def upper(self) -> Fraction:
        """U_j."""
        return self.lower + self.gap

    @cached_property
    def algorithm(self) -> Asura[fmpq, RationalForm]:
        """The reference sampler."""
        return Asura(self.data, self.gamma, EXACT)

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
        """U G - B, computed here and not by the sampler."""
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
        return trace(self.gram * self.bracket)

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
        """X x^T of one point, in the sampler's coordinates."""
        return self.algorithm.frame.outer_product(index).matrix()

    def bracket_of(self, state: ExactState) -> fmpq_mat:
        """E of another state."""
        total = state.accumulated.matrix()
        upper, lower = self.gram * state.upper, self.gram * state.lower
        return (upper - total).inv() + (total - lower).inv()


@dataclass(frozen=True)
class RunInstance:
    """One run of Algorithm 2 in balls."""

    data: Dataset
    gamma: Fraction
    seed: int
    stopping: StoppingRule = PAPER
    bits: int = 128

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"gamma": self.gamma, "d": self.data.dimension, "T": self.stopping.level}

    def refined(self) -> RunInstance | None:
        """The same run with twice the bits, up to a ceiling."""
        return replace(self, bits=2 * self.bits) if self.bits < 4096 else None

    @cached_property
    def run(self) -> Run[arb, arb_mat]:
        """The run."""
        return run(
            self.data,
            self.gamma,
            arithmetic=BallArithmetic(self.bits),
            chooser=Seed(self.seed),
            stopping=self.stopping,
            observer=self._not_too_long,
        )

    def _not_too_long(self, iterations: int, progress: float) -> None:
        """A run far beyond every bound is given up: a broken sampler need not stop."""
        usual = self.data.dimension / self.gamma**2
        if iterations > 100 + 20 * self.stopping.level * usual:
            raise EndlessRun(f"{iterations} iterations, where about {int(usual)} are usual")

    @contextmanager
    def working(self) -> Iterator[Path]:
        """The path of the run, within the precision that the run was made with."""
        with self.run.arithmetic.working():
            yield self.path

    @cached_property
    def path(self) -> Path:
        """The barriers and potentials, for j = 0, ..., m."""
        records = self.run.iterations
        return Path(
            dimension=self.run.algorithm.dimension,
            gamma=arb(rational(self.gamma)),
            upper=[*(record.upper for record in records), self.run.final.upper],
            lower=[*(record.lower for record in records), self.run.final.lower],
            potential=[record.distribution.potential for record in records],
        )


@dataclass(frozen=True)
class Path:
    """Barriers u_0..u_m, l_0..l_m and potentials Phi_0..Phi_{m-1} of one run, as balls."""

    dimension: int
    gamma: arb
    upper: list[arb]
    lower: list[arb]
    potential: list[arb]

    @property
    def length(self) -> int:
        """M."""
        return len(self.potential)

    @property
    def factor(self) -> arb:
        """K = 1 - 4 gamma^2."""
        return formulas.factor(self.gamma)

    @property
    def mid(self) -> arb:
        """(u_m + l_m)/2."""
        return (self.upper[-1] + self.lower[-1]) / 2

    def gap(self, j: int) -> arb:
        """U_j - l_j."""
        return self.upper[j] - self.lower[j]

    def excess(self, j: int) -> arb:
        """R_j = gamma gap_j/(4d) - 1."""
        return formulas.excess(self.gamma, self.dimension, self.gap(j))

    @cached_property
    def elapsed(self) -> list[arb]:
        """S_j = (gamma/4d) sum_{i<j} Phi_i."""
        total, sums = arb(0), [arb(0)]
        for value in self.potential:
            total += value
            sums.append(self.gamma * total / (4 * self.dimension))
        return sums

    @property
    def clock_unit(self) -> arb:
        """C = gamma^2/(d k)."""
        return formulas.clock_unit(self.gamma, self.dimension)
