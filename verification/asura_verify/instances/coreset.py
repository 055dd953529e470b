"""What the coreset that reads every label is tried on: small data, and any state of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq_mat

from asura.dataset import Dataset, dataset
from asura.dimensions import reduced_rank
from asura.samplers.coreset import Construction, CoresetState, LabelCoreset, Parameters, residuals
from asura.scalars import rational
from asura_verify.instances.draw import Draw, definite_matrix, points, small_rational
from asura_verify.instances.step import Matrix, exact_matrix

#: From loose to tight; a tight one takes many steps.
EPSILONS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 5), Fraction(1, 20))


def _labelled(draw: Draw) -> Dataset:
    """Points at scale one with any labels, X_1 of reduced rank above 0."""
    data = points(draw, widest=3, most=5)
    labels = [small_rational(draw, 5) for _ in range(data.size)]
    rows = data.points
    unlabelled = data.unlabelled
    if not any(any(row) for row in rows[:unlabelled]):
        unlabelled = data.size
    return dataset(rows, unlabelled=unlabelled, labels=labels)


@dataclass(frozen=True)
class CoresetInstance:
    """Labelled points, and an accuracy."""

    data: Dataset
    epsilon: Fraction

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"epsilon": self.epsilon, "R": reduced_rank(self.data)}

    @property
    def procedure(self) -> LabelCoreset:
        """The coreset that is judged."""
        return LabelCoreset(self.epsilon)


def coreset_instance(draw: Draw) -> CoresetInstance:
    """At most six points of any kind."""
    return CoresetInstance(_labelled(draw), draw.choice(EPSILONS))


@dataclass(frozen=True)
class CoresetStep:
    """Any Q > 0, sigma < 1 and v, reachable or not."""

    data: Dataset
    nu: Fraction
    ratio: Fraction
    shape: Matrix
    progress: Fraction
    error: tuple[Fraction, ...]
    steps: int

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"nu": self.nu, "R": reduced_rank(self.data)}

    @cached_property
    def construction(self) -> Construction:
        """The steps for these data."""
        chosen = Parameters(reduced_rank(self.data), self.ratio, self.nu)
        return Construction(self.data, residuals(self.data), chosen)

    @cached_property
    def state(self) -> CoresetState:
        """The state before the step."""
        return CoresetState(
            exact_matrix(self.shape),
            rational(self.progress),
            fmpq_mat(len(self.error), 1, [rational(x) for x in self.error]),
            rational(Fraction(self.steps)),
        )


def coreset_step(draw: Draw) -> CoresetStep:
    """Far from the start and from the end, and near both."""
    data = _labelled(draw)
    return CoresetStep(
        data,
        Fraction(draw.integer(1, 19), 20),
        Fraction(draw.integer(1, 9), draw.choice((2, 10, 100))),
        definite_matrix(draw, data.dimension),
        Fraction(draw.integer(0, 19), draw.choice((20, 100))),
        tuple(small_rational(draw) for _ in range(data.dimension)),
        draw.integer(0, 9),
    )
