"""A coreset that reads every label: the baseline that no label procedure can have.

After Boutsidis, Drineas and Magdon-Ismail, and Kacham and Woodruff: one barrier l < A from below,
as in `asura.samplers.barrier`, and the squared residuals e_i^2 of beta* from above. With D = 4:
l starts at -2 d and moves by 1; in each of 4 d steps a point with e^2/(2 OPT) <= L(x) is added
with weight 1/L. There always is one, because sum e^2/(2 OPT) = 1/2 <= 1 - phi_l <= sum L. Divided
by 8 d, the weights satisfy sum w x x^T >= X^T X/4 and sum w e^2 <= OPT, and hence

    loss <= OPT + 4 sum w e^2 <= 5 OPT, with at most 4 d points, surely.

Kacham and Woodruff reach (1 + eps) OPT with O(sd_lambda/eps) rows; what matters here, that the
labels are read before the rows are chosen, is the same.

>>> from asura.algorithm1_regression import active_regression
>>> from asura.dataset import dataset
>>> data = dataset([[1]] * 12, labels=[1] + [0] * 11)
>>> active_regression(data, LabelCoreset()).ratio.upper <= 5
True
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.errors import BarrierCrossed, IrrationalNumber, MissingLabel
from asura.randomness import Chooser
from asura.samplers import barrier
from asura.samplers.decisions import ExactSample, require_sensible
from asura.scalars import fraction, rational, square_root, write_scalar

#: loss <= MOST_LOSS OPT.
MOST_LOSS = 5


def squared_residuals(data: Dataset) -> tuple[Fraction, ...]:
    """(y - x beta*)^2 for every point; they sum to OPT. Needs every label."""
    scaled = []
    for index, (scale, label) in enumerate(zip(data.squared_scales, data.labels, strict=True)):
        if label is None:
            raise MissingLabel(
                f"the label of point {index} is needed: a coreset reads every label", value=index
            )
        root = Fraction(0) if label == 0 else square_root(scale)
        if root is None:
            raise IrrationalNumber(
                f"squared scale {write_scalar(scale)} of a point with label "
                f"{write_scalar(label)}: expected a rational square",
                value=scale,
            )
        scaled.append(rational(root * label))
    coordinates = data.coordinates
    rows = coordinates.rows
    right = rows.transpose() * fmpq_mat(data.size, 1, scaled)
    fitted = (rows * coordinates.gram().solve(right)).entries()
    # (y - sqrt(c) f)^2 = y^2 - 2 sqrt(c) y f + c f^2
    return tuple(
        label**2 - 2 * fraction(y) * fraction(f) + scale * fraction(f) ** 2
        for label, y, f, scale in zip(
            (label or Fraction(0) for label in data.labels),
            scaled,
            fitted,
            data.squared_scales,
            strict=True,
        )
    )


@dataclass(frozen=True, slots=True)
class LabelCoreset:
    """At most 4 d weighted points with loss <= 5 OPT; deterministic, and it has read all labels."""

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """The points in the order of their first step."""
        require_sensible(data.size, barrier.MOST_POINTS, "the coreset")
        require_sensible(data.dimension, barrier.MOST_DIMENSIONS, "the coreset (dimensions)")
        residuals = squared_residuals(data)
        optimum = sum(residuals, Fraction(0))
        # The upper barrier of `barrier` is not used; far away, it does not matter.
        state = barrier.initial(data)
        weights: dict[int, Fraction] = {}
        steps = barrier.STEPS_PER_DIMENSION * data.dimension
        for _ in range(steps):
            lower = _lower_values(data, state)
            shares = [e / (2 * optimum) if optimum else Fraction(0) for e in residuals]
            gains = [low - up for low, up in zip(lower, shares, strict=True)]
            index = max((i for i, low in enumerate(lower) if low > 0), key=lambda i: (gains[i], -i))
            if gains[index] < 0:
                raise BarrierCrossed("no point has U <= L", value=gains[index])
            weight = 1 / barrier.simplest_between(
                max(shares[index], lower[index] / 2), lower[index]
            )
            weights[index] = weights.get(index, Fraction(0)) + weight
            state = barrier.step(data, state, index, weight)
        scale = fmpq(1, 2 * steps)
        return ExactSample(
            EXACT, tuple(weights), tuple(rational(w) * scale for w in weights.values())
        )


def _lower_values(data: Dataset, state: barrier.BarrierState) -> tuple[Fraction, ...]:
    """L(x) for every point; the weights do not respect the upper barrier, so it moves away."""
    product = state.matrix * data.coordinates.gram().inv()
    trace = sum((product[i, i] for i in range(data.dimension)), fmpq(0))
    far = barrier.BarrierState(fraction(trace) + 1, state.lower, state.matrix)
    return barrier.evaluate(data, far).lower
