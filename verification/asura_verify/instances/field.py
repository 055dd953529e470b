"""Small labelled data on which every outcome of a sampler of the field is enumerated.

Hypotheses are data: the degeneracy is d + 1 - the least number of dependent points, 0 in general
position; `needed` counts the points that some spanning set of more than s points cannot lose.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_mat

from asura.dataset import Dataset, dataset, ridge
from asura.definiteness import positive_definite
from asura.dimensions import leverage_scores
from asura.samplers.barrier import BarrierState
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.volume import LeveragedVolumeSampling, VolumeSampling
from asura.scalars import fraction
from asura_verify.instances.draw import Draw, definite_matrix, points, small_rational
from asura_verify.instances.step import Matrix, exact_matrix, matrix_trace
from asura_verify.trees.sampler_laws import Law, accepted_law, indispensable, law

#: A determinantal law: P(S) for every set of X_1 that has a chance.
Sets = dict[tuple[int, ...], Fraction]


def _relabelled(draw: Draw, data: Dataset) -> Dataset:
    """The same points at scale one, with any labels."""
    labels = [small_rational(draw, 5) for _ in range(data.size)]
    return dataset(data.points, unlabelled=data.unlabelled, labels=labels)


def degeneracy(data: Dataset) -> int:
    """d + 1 - the least number of dependent points, at most d + 1.

    >>> degeneracy(dataset([[1, 0], [0, 1], [1, 1]])), degeneracy(dataset([[1, 0], [0, 1], [2, 0]]))
    (0, 1)
    """
    rows = data.coordinates.rows.tolist()
    for count in range(1, data.dimension + 1):
        for chosen in itertools.combinations(rows, count):
            if fmpq_mat([list(row) for row in chosen]).rank() < count:
                return data.dimension + 1 - count
    return 0


@dataclass(frozen=True)
class VolumeInstance:
    """Labelled points, a size s >= d for volume sampling, and an expected size m for coins."""

    data: Dataset
    size: int
    expected: Fraction

    @cached_property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {
            "d": self.data.dimension,
            "s - d": self.size - self.data.dimension,
            "degeneracy": degeneracy(self.data),
            "needed": indispensable(self.data, self.size),
        }

    @cached_property
    def law(self) -> Law:
        """Volume sampling of this size, by all orders of removal."""
        return law(VolumeSampling(self.size), self.data)


def volume_instance(draw: Draw) -> VolumeInstance:
    """At most six points: repeated, zero, dependent and badly scaled ones."""
    data = _relabelled(draw, points(draw, widest=3, most=5))
    if data.dimension == data.size and draw.choice((True, False)):
        data = dataset([*data.points, data.points[0]], labels=[*data.labels, Fraction(1)])
    size = draw.choice((data.dimension, draw.integer(data.dimension, data.size)))
    return VolumeInstance(data, size, Fraction(draw.integer(1, 12), draw.choice((1, 2, 3))))


@dataclass(frozen=True)
class PoolInstance:
    """Labelled points, k draws out of a pool, and any positive q for the law itself."""

    data: Dataset
    size: int
    pool: int
    shares: tuple[Fraction, ...]

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"d": self.data.dimension, "k": self.size}

    @cached_property
    def accepted(self) -> tuple[Fraction, Law]:
        """P(a pool is accepted), and the law of leveraged volume sampling given that."""
        return accepted_law(LeveragedVolumeSampling(self.size, self.pool), self.data)

    @cached_property
    def leverage_shares(self) -> tuple[Fraction, ...]:
        """q = l/d."""
        return tuple(score / self.data.dimension for score in leverage_scores(self.data))


def pool_instance(draw: Draw) -> PoolInstance:
    """At most four points and a pool of at most three."""
    data = _relabelled(draw, points(draw, widest=2, most=3))
    size = draw.integer(data.dimension, min(3, data.dimension + 1))
    weights = [draw.integer(1, 5) for _ in range(data.size)]
    return PoolInstance(
        data,
        size,
        draw.integer(size, 3),
        tuple(Fraction(weight, sum(weights)) for weight in weights),
    )


@dataclass(frozen=True)
class ProcessInstance:
    """Rows and lambda of a ridge regression, and a size k that the process can have."""

    rows: Matrix
    lam: Fraction
    size: int

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"lambda": self.lam, "k": self.size}

    @cached_property
    def data(self) -> Dataset:
        """The regression problem."""
        return ridge(self.rows, self.lam)

    @cached_property
    def kernel(self) -> fmpq_mat:
        """K = X_1 X_1^T, which is lambda L."""
        matrix = exact_matrix(self.rows)
        return matrix * matrix.transpose()

    def _sets(self, found: Law) -> Sets:
        count = len(self.rows)
        result: Sets = {}
        for p, weights in found:
            chosen = tuple(i for i, _ in weights if i < count)
            result[chosen] = result.get(chosen, Fraction(0)) + p
        return result

    @cached_property
    def law(self) -> Law:
        """The determinantal process with its weights."""
        return law(RidgeProcess(), self.data)

    @cached_property
    def sets(self) -> Sets:
        """What it takes from X_1."""
        return self._sets(self.law)

    @cached_property
    def fixed_law(self) -> Law:
        """The k-DPP with its weights."""
        return law(FixedSizeProcess(self.size), self.data)

    @cached_property
    def fixed_sets(self) -> Sets:
        """What it takes from X_1."""
        return self._sets(self.fixed_law)


def process_instance(draw: Draw) -> ProcessInstance:
    """At most four rows of any rank, lambda > 0, k from 0 to the rank."""
    width, count = draw.integer(1, 3), draw.integer(1, 4)
    rows = tuple(tuple(small_rational(draw) for _ in range(width)) for _ in range(count))
    lam = Fraction(draw.integer(1, 12), draw.integer(1, 4))
    return ProcessInstance(rows, lam, draw.integer(0, int(exact_matrix(rows).rank())))


@dataclass(frozen=True)
class BarrierInstance:
    """Points and a state of deterministic BSS whose potentials are at most 1/6 and 1/2."""

    data: Dataset
    state: BarrierState

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"d": self.data.dimension}


def barrier_potential(data: Dataset, distance: fmpq_mat) -> Fraction | None:
    """Tr (X^T X) M^-1 for the distance M from a barrier; None when M is singular."""
    if distance.det() == 0:
        return None
    return fraction(matrix_trace(data.coordinates.gram() * distance.inv()))


def _allowed(data: Dataset, distance: fmpq_mat, most: Fraction) -> bool:
    value = barrier_potential(data, distance)
    return value is not None and value <= most and positive_definite(distance).holds


def barrier_instance(draw: Draw) -> BarrierInstance:
    """Any A, reachable or not, and barriers at or near the closest that the potentials allow."""
    data = points(draw, widest=3, most=5)
    size, gram = data.dimension, data.coordinates.gram()
    matrix = exact_matrix(definite_matrix(draw, size))
    # Tr A bounds the eigenvalues of A, so that the last of both candidates is always allowed.
    trace = matrix_trace(gram.inv() * matrix)
    uppers = (6 * size + trace * fmpq(part, 8) for part in range(9))
    lowers = (trace * fmpq(part, 8 * size) - 2 * size for part in range(8, -1, -1))
    upper = next(u for u in uppers if _allowed(data, gram * u - matrix, Fraction(1, 6)))
    lower = next(w for w in lowers if _allowed(data, matrix - gram * w, Fraction(1, 2)))
    slack = fmpq(draw.choice((0, 0, 1, 5)), 4)
    return BarrierInstance(
        data, BarrierState(fraction(upper + slack), fraction(lower - slack), matrix)
    )


@dataclass(frozen=True)
class BlindInstance:
    """n equal points, a set S that was chosen before any label was seen, and weights on it."""

    count: int
    weights: tuple[tuple[int, Fraction], ...]

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"n": self.count, "|S|": len(self.weights)}


def blind_instance(draw: Draw) -> BlindInstance:
    """A set that is neither empty nor everything, with any positive weights."""
    count = draw.integer(2, 9)
    left = list(range(count))
    chosen = [left.pop(draw.integer(0, len(left) - 1)) for _ in range(draw.integer(1, count - 1))]
    return BlindInstance(
        count, tuple((i, Fraction(draw.integer(1, 9), draw.integer(1, 4))) for i in sorted(chosen))
    )
