"""Algorithm 1: sample, query the labels of the sampled points of X_1, solve on the sample.

>>> from asura.dataset import ridge
>>> from asura.randomness import Seed
>>> from asura.sampling import leverage_sampling
>>> data = ridge([[1, 0], [1, 1], [0, 2]], 1, labels=[1, 2, 2])
>>> fit = active_regression(data, leverage_sampling(1000), chooser=Seed(1))   # takes every point
>>> fit.paid, fit.ratio
(3, Enclosure(lower=Fraction(1, 1), upper=Fraction(1, 1)))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from asura.arithmetic import EXACT, Arithmetic, BallArithmetic
from asura.arithmetic.interface import M, S
from asura.dataset import Dataset, KernelData
from asura.errors import EmptyData, MissingLabel, PrecisionCeilingReached, Undecided
from asura.kernel_regression import (
    kernel_ball_loss,
    kernel_least_squares,
    kernel_loss,
    kernel_optimum,
)
from asura.labels import LabelOracle
from asura.randomness import Chooser, Seed
from asura.run import Run
from asura.sampling import SamplingProcedure, WeightedSample
from asura.scalars import Enclosure, point, rational, square_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOSS_BITS = 256


@dataclass(frozen=True, repr=False)
class Regression:
    """What Algorithm 1 returns, with what it cost and what it is worth.

    `beta` is one exact vector; `enclosures` says how well it is known to solve the weighted
    problem. `loss` and `ratio` are those of `beta` itself, exact whenever the labels of scaled
    points are (always for ridge and kernel ridge regression).
    """

    beta: tuple[Fraction, ...]
    enclosures: tuple[Enclosure, ...]
    picks: tuple[int, ...]
    paid: int
    draws: int
    determined: bool
    loss: Enclosure | None
    optimum: Enclosure | None
    ratio: Enclosure | None
    run: Run[Any, Any] | None

    @property
    def coef(self) -> NDArray[np.float64]:
        """beta, each coordinate rounded to the nearest double."""
        import numpy as np  # noqa: PLC0415 nothing else here needs it

        return np.array([float(b) for b in self.beta])

    def __repr__(self) -> str:
        quality = "loss unknown"
        if self.ratio is not None:
            how = "exact" if self.ratio.exact else "certified"
            quality = f"loss/OPT={float(self.ratio.midpoint):.5g} ({how})"
        elif self.loss is not None:
            quality = f"loss={float(self.loss.midpoint):.5g}, OPT=0"
        length = "" if self.run is None else f", m={self.run.length}"
        return f"Regression(paid={self.paid}, draws={self.draws}, {quality}{length})"


def weighted_least_squares(
    data: Dataset,
    sample: WeightedSample[S, M],
    labels: dict[int, Fraction],
) -> tuple[list[S], bool]:
    """Line 4: the beta of least norm that minimises sum w_i (beta^T x_i - y_i)^2.

    Also whether the sample determines it, which holds when the sampled points span the row
    space. Normal equations in the coordinates of the sampled points, so that the rank is
    decided exactly in every arithmetic.
    """
    if isinstance(data, KernelData) and sample.arithmetic.precision is not None:
        return kernel_least_squares(data, sample, labels)
    arithmetic = sample.arithmetic
    distinct = sorted(set(sample.picks))
    place = {index: position for position, index in enumerate(distinct)}
    sampled = data.subset(distinct)
    with arithmetic.working():
        frame = arithmetic.frame(sampled)
        normal = frame.zero()
        right = [arithmetic.scalar(Fraction(0)) for _ in range(frame.dimension)]
        for index, weight in zip(sample.picks, sample.weights, strict=True):
            position = place[index]
            normal = normal + frame.outer_product(position) * weight
            label = labels[index]
            if label != 0:
                root = arithmetic.root(data.squared_scales[index])
                factor = weight * root * arithmetic.scalar(label)
                for k in range(frame.dimension):
                    right[k] = right[k] + factor * frame.coordinate(position, k)
        solution = frame.lift(frame.solve(normal, right))
    return solution, frame.dimension == data.dimension


def _known_labels(data: Dataset) -> list[Fraction]:
    known = [label for label in data.labels if label is not None]
    if len(known) < data.size:
        raise MissingLabel(
            f"the label of point {data.labels.index(None)} is needed for the loss: "
            "expected every label",
            value=data.labels.index(None),
        )
    return known


def _rational_labels(data: Dataset) -> bool:
    """Whether sqrt(c_i) y_i is rational for every point, so that losses are."""
    return all(
        label == 0 or square_root(scale) is not None
        for scale, label in zip(data.squared_scales, _known_labels(data), strict=True)
    )


def _ball_loss(data: Dataset, beta: Sequence[arb]) -> Enclosure:
    """|X beta - Y|^2 for some beta in the given balls, in balls."""
    if isinstance(data, KernelData):
        return _enclosed(kernel_ball_loss(data, _known_labels(data), beta))
    total = arb(0)
    for row, scale, label in zip(
        data.points, data.squared_scales, _known_labels(data), strict=True
    ):
        value = sum((arb(rational(x)) * b for x, b in zip(row, beta, strict=True)), arb(0))
        residual = arb(rational(scale)).sqrt() * value - arb(rational(label))
        total += residual * residual
    return _enclosed(total)


def _enclosed(value: arb) -> Enclosure:
    return BallArithmetic(_LOSS_BITS).enclosure(value)


def loss(data: Dataset, beta: Sequence[Fraction]) -> Enclosure:
    """|X beta - Y|^2 of an exact beta; needs every label.

    Exact when sqrt(c_i) y_i is rational for every point, otherwise a narrow enclosure.
    """
    if isinstance(data, KernelData):
        return point(kernel_loss(data, _known_labels(data), beta))
    if not _rational_labels(data):
        with ctx.workprec(_LOSS_BITS):
            return _ball_loss(data, [arb(rational(b)) for b in beta])
    total = Fraction(0)
    for row, scale, label in zip(
        data.points, data.squared_scales, _known_labels(data), strict=True
    ):
        value = sum((x * b for x, b in zip(row, beta, strict=True)), Fraction(0))
        total += scale * value * value + label * label
        if label != 0:
            total -= 2 * label * value * (square_root(scale) or 0)
    return point(total)


def _best(data: Dataset) -> Enclosure:
    """OPT; for a kernel without beta*."""
    if isinstance(data, KernelData) and data.lam:
        with ctx.workprec(_LOSS_BITS):
            return _enclosed(kernel_optimum(data, _known_labels(data)))
    return optimum(data)[1]


def optimum(data: Dataset) -> tuple[tuple[Enclosure, ...], Enclosure]:
    """beta* (of least norm) and OPT, from all labels.

    >>> from asura.dataset import dataset
    >>> optimum(dataset([[1], [1]], labels=[0, 2]))[1]
    Enclosure(lower=Fraction(2, 1), upper=Fraction(2, 1))
    """
    labels = dict(enumerate(_known_labels(data)))
    exact = not isinstance(data, KernelData) and _rational_labels(data)
    arithmetic: Arithmetic[Any, Any] = EXACT if exact else BallArithmetic(_LOSS_BITS)
    with arithmetic.working():
        one = arithmetic.scalar(Fraction(1))
        everything = WeightedSample(arithmetic, tuple(range(data.size)), (one,) * data.size)
        solution, _ = weighted_least_squares(data, everything, labels)
        beta = tuple(arithmetic.enclosure(b) for b in solution)
        best = loss(data, [b.midpoint for b in beta]) if exact else _ball_loss(data, solution)
    return beta, best


def _ratio(value: Enclosure, best: Enclosure) -> Enclosure | None:
    """loss/OPT; None when OPT may be zero."""
    if best.lower <= 0:
        return None
    return Enclosure(value.lower / best.upper, value.upper / best.lower)


def active_regression(
    data: Dataset,
    procedure: SamplingProcedure[S, M],
    *,
    chooser: Chooser | None = None,
    ask: Callable[[int], object] | None = None,
) -> Regression:
    """Algorithm 1; `ask` measures the label of a point of X_1, unless the data carry it."""
    sample = procedure.sample(data, Seed(0) if chooser is None else chooser)  # line 2
    if not sample.picks:
        raise EmptyData("the sample is empty: expected a larger expected size")
    oracle = LabelOracle(data, ask)
    labels = {index: oracle.label(index) for index in sample.picks}  # line 3
    try:
        solution, determined = weighted_least_squares(data, sample, labels)  # line 4
    except Undecided:
        raise PrecisionCeilingReached(
            f"the normal equations are not decided at {sample.arithmetic.precision} bits: "
            "expected a higher precision, or the exact arithmetic",
            value=sample.arithmetic.precision,
        ) from None
    enclosures = tuple(sample.arithmetic.enclosure(b) for b in solution)
    beta = tuple(b.midpoint for b in enclosures)
    value = best = ratio = None
    if data.fully_labelled:
        value = loss(data, beta)
        best = _best(data)
        ratio = _ratio(value, best)
    return Regression(
        beta,
        enclosures,
        sample.picks,
        oracle.paid,
        oracle.draws,
        determined,
        value,
        best,
        ratio,
        sample.run,
    )
