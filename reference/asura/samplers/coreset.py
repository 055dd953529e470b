"""A coreset that reads every label: the baseline that no label procedure can have.

After Kacham and Woodruff (2020), whose theorem it has: for every eps, O(R/eps) weighted points of
X_1, chosen without randomness, with loss <= (1 + eps) OPT; X_2 is kept at weight 1, as ridge
regression keeps its rows sqrt(lambda) I. Only their theorem is followed: the construction is the
one-sided method K2 (`asura.kept.variants`) with its randomness removed. Reading the residuals e,
one can compute what the proof of K2 bounds in expectation, and take a point that does not raise it.

With Q = c I + A - (1 - nu) sigma D as in K2, step eta = nu/(1 - nu^2), K = sum e^2 U U^T/|U|^2 over
X_1, v = sum w' e U - sigma b and b = sum e U over X_1, after m steps

    length = eta m + (1 - sigma) Tr(D Q^-1),
    noise = |v|^2 + eta ((1 - sigma) Tr(Q K) + nu (1 - sigma)^2 Tr(D K)/2).

Drawn as K2 draws, neither grows in expectation; so some point x does not raise

    Psi = length/(2 length_0) + noise/(2 noise_0), which starts at 1.

We take the x of the smallest Psi (the first of equals). At sigma = 1, eta m <= 2 length_0 and
|v|^2 <= 2 noise_0, and hence, with x = R/N: m <= 2 N + 1 points, and

    loss <= OPT + 2 (x + nu^2/(2(1 - nu^2)))/(1 - nu - (1 - nu^2) x/nu)^2 OPT_1.

So that the numbers stay short, weights and sigma are rounded to some bits, and Q is rounded down in
Loewner order, where Psi <= 1 all the same: that is decided, and otherwise nothing is rounded.

>>> from asura.algorithm1_regression import active_regression
>>> from asura.dataset import dataset
>>> data = dataset([[1]] * 60, labels=[1] + [0] * 59)
>>> fit = active_regression(data, LabelCoreset(Fraction(1)))
>>> fit.ratio.upper <= 2, fit.paid <= LabelCoreset(Fraction(1)).parameters(data).most
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.definiteness import positive_definite
from asura.dimensions import reduced_rank
from asura.errors import BarrierCrossed, IrrationalNumber, MissingLabel, SizeOutOfRange
from asura.kept.bounds import excess_of, one_sided_excess, one_sided_noise
from asura.kept.tuning import one_sided_for, search, short
from asura.randomness import Chooser
from asura.samplers.decisions import ExactSample, require_sensible
from asura.scalars import fraction, rational, square_root, write_scalar

#: Points of X_1, and the rank.
MOST_POINTS = 500
MOST_DIMENSIONS = 6

#: Steps: about 40 milliseconds each at the largest sizes.
MOST_STEPS = 2_000

#: Both parts of Psi start at 1/2, so that each bound of K2 is met up to a factor 2.
FACTOR = 2

#: The residuals' shares in K are rounded up by less than this.
SLACK = 1 + Fraction(1, 2**20)

#: Bits of a rounded Q, doubled while the rounding raises Psi above 1; and of a weight.
_FIRST_BITS, _MOST_BITS = 40, 1_300
_WEIGHT_BITS = 24


@dataclass(frozen=True, slots=True)
class Residuals:
    """For every point sqrt(c) x: e sqrt(c), so that its row e sqrt(c) x is rational, and e^2."""

    scaled: tuple[fmpq, ...]
    squares: tuple[Fraction, ...]


def residuals(data: Dataset) -> Residuals:
    """e = y - x beta*; the squares sum to OPT. Needs every label."""
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
    squares = tuple(
        label**2 - 2 * fraction(y) * fraction(f) + scale * fraction(f) ** 2
        for label, y, f, scale in zip(
            (label or Fraction(0) for label in data.labels),
            scaled,
            fitted,
            data.squared_scales,
            strict=True,
        )
    )
    scales = coordinates.squared_scales
    return Residuals(
        tuple(y - c * f for y, c, f in zip(scaled, scales, fitted, strict=True)), squares
    )


@dataclass(frozen=True, slots=True)
class Parameters:
    """K2's x = R/N and nu; `most` points of X_1, and loss <= OPT + `excess` OPT_1."""

    rank: Fraction
    ratio: Fraction
    nu: Fraction

    @property
    def step(self) -> Fraction:
        """The step eta = nu/(1 - nu^2)."""
        return self.nu / (1 - self.nu**2)

    @property
    def most(self) -> int:
        """At most 2 N + 1 steps."""
        return math.floor(FACTOR * self.rank / self.ratio) + 1 if self.rank else 0

    @property
    def excess(self) -> Fraction:
        """Twice the bound of K2."""
        bound = one_sided_excess(self.ratio, self.nu)
        if bound is None:
            raise SizeOutOfRange(
                f"R/N = {write_scalar(self.ratio)}: expected a size above 4 R + 1", value=self.ratio
            )
        return FACTOR * SLACK * bound

    @property
    def noise(self) -> Fraction:
        """K2's bound of |v|^2/OPT_1."""
        return one_sided_noise(self.ratio, self.nu, Fraction(1))


@dataclass(frozen=True, slots=True)
class CoresetState:
    """Before a step: a lower bound of Q, sigma, v, and how many steps were made."""

    matrix: fmpq_mat
    progress: fmpq
    error: fmpq_mat
    steps: fmpq


@dataclass(frozen=True, slots=True)
class CoresetStep:
    """A point with its weight w', and Psi after it."""

    potential: fmpq
    index: int
    weight: fmpq
    growth: fmpq
    share: fmpq


def _dot(left: Sequence[fmpq], right: Sequence[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))


def _trace(matrix: fmpq_mat) -> fmpq:
    return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))


def _forms(rows: fmpq_mat, matrix: fmpq_mat) -> list[fmpq]:
    """x^T M x for every row."""
    pairs = zip((rows * matrix).tolist(), rows.tolist(), strict=True)
    return [_dot(left, right) for left, right in pairs]


def _shortened(value: fmpq) -> fmpq:
    """A positive number rounded down to some bits."""
    size = value.p.bit_length() - value.q.bit_length()
    unit = fmpq(2) ** (size - _WEIGHT_BITS)
    return (value / unit).floor() * unit


class Construction:
    """The steps for one dataset, in Gram coordinates: x for U, G = X^T X for the identity."""

    def __init__(self, data: Dataset, found: Residuals, parameters: Parameters) -> None:
        coordinates, pool = data.coordinates, data.unlabelled
        self.ratio = rational(parameters.ratio)
        self.eta, self.nu = rational(parameters.step), rational(parameters.nu)
        self.gram, self.target = coordinates.gram(), coordinates.gram(pool)
        self.inverse = self.gram.inv()
        self.size = self.gram.nrows()
        rows, scales = coordinates.rows.tolist(), coordinates.squared_scales
        self.usable = [i for i in range(pool) if scales[i] > 0 and any(rows[i])]
        self.rows = fmpq_mat([rows[i] for i in self.usable])
        self.scales = [scales[i] for i in self.usable]
        self.pulls = [found.scaled[i] for i in self.usable]
        leverages = _forms(self.rows, self.inverse)
        self.leverages = leverages
        # K = sum e^2 U U^T/|U|^2, each share rounded up a little; Tr(Q K) in Gram coordinates
        # is the trace with sum e^2 (G^-1 x)(G^-1 x)^T/(x^T G^-1 x), and the scales cancel.
        squares = [rational(found.squares[i]) for i in self.usable]
        shares = [
            _shortened(e / score) * (1 + fmpq(2) ** (1 - _WEIGHT_BITS)) if e > 0 else fmpq(0)
            for e, score in zip(squares, leverages, strict=True)
        ]
        leaning = self.rows * self.inverse
        weighted = fmpq_mat(
            [[w * x for x in row] for w, row in zip(shares, leaning.tolist(), strict=True)]
        )
        self.noises = weighted.transpose() * leaning
        self.pull = self.rows.transpose() * fmpq_mat(len(self.pulls), 1, self.pulls)
        self.curvature = _trace(self.target * self.noises)
        self.spreads = _forms(self.rows, self.noises)
        self.first = CoresetState(
            self.gram * (self.ratio / self.eta), fmpq(0), fmpq_mat(self.size, 1), fmpq(0)
        )
        #: Psi divides by these: what both parts are at the start, or a little more.
        self.most_length = FACTOR * self.length(self.first)
        opt = sum((rational(e) for e in found.squares[:pool]), fmpq(0))
        self.most_noise = FACTOR * rational(SLACK * parameters.noise) * opt

    def length(self, state: CoresetState) -> fmpq:
        """The part eta m + (1 - sigma) Tr(D Q^-1)."""
        left = 1 - state.progress
        return self.eta * state.steps + left * _trace(self.target * state.matrix.inv())

    def noise(self, state: CoresetState) -> fmpq:
        """The part |v|^2 + eta ((1 - sigma) Tr(Q K) + nu (1 - sigma)^2 Tr(D K)/2)."""
        left = 1 - state.progress
        square = (state.error.transpose() * self.inverse * state.error)[0, 0]
        spread = left * _trace(state.matrix * self.noises)
        return square + self.eta * (spread + self.nu * left * left * self.curvature / 2)

    def combined(self, length: fmpq, noise: fmpq) -> fmpq:
        """Psi; without a residual on X_1 there is no noise."""
        return length / self.most_length + (noise / self.most_noise if self.most_noise > 0 else 0)

    def potential(self, state: CoresetState) -> fmpq:
        """Psi, at most 1 at the start."""
        return self.combined(self.length(state), self.noise(state))

    def candidates(self, state: CoresetState, *, shorten: bool) -> Iterator[CoresetStep]:
        """The step of every point of X_1 that is not zero; exact as in K2, or of short numbers."""
        inverse = state.matrix.inv()
        growth, share = self.eta / _trace(self.target * inverse), fmpq(1)
        if state.progress + growth >= 1:
            share = (1 - state.progress) / growth
            growth = 1 - state.progress
        elif shorten:
            growth = _shortened(growth)
        left = 1 - state.progress - growth
        moved = state.matrix - self.target * ((1 - self.nu) * growth)
        base = moved.inv()
        flat = _trace(self.target * base)
        error = state.error - self.pull * growth
        square = (error.transpose() * self.inverse * error)[0, 0]
        leans = (self.rows * (self.inverse * error)).entries()
        rest = left * _trace(moved * self.noises) + self.nu * left**2 * self.curvature / 2
        masses, bases = _forms(self.rows, inverse), _forms(self.rows, base)
        middles = _forms(self.rows, base * self.target * base)
        for place, (index, scale) in enumerate(zip(self.usable, self.scales, strict=True)):
            weight = share * self.eta / (scale * masses[place])
            if shorten:
                weight = _shortened(weight)
            mass, pull = weight * scale, weight * self.pulls[place]
            # Sherman and Morrison
            potential = flat - mass * middles[place] / (1 + mass * bases[place])
            length = self.eta * (state.steps + share) + left * potential
            noise = square + 2 * pull * leans[place] + pull * pull * self.leverages[place]
            noise += self.eta * (rest + left * mass * self.spreads[place])
            yield CoresetStep(self.combined(length, noise), index, weight, growth, share)

    def best(self, state: CoresetState) -> CoresetStep:
        """The smallest Psi, the first of equals; by the theorem it is at most 1."""
        for shorten in (True, False):
            step = min(
                self.candidates(state, shorten=shorten),
                key=lambda each: (each.potential, each.index),
            )
            if step.potential <= 1:
                return step
        raise BarrierCrossed("every point raises Psi above 1", value=fraction(step.potential))

    def after(self, state: CoresetState, step: CoresetStep) -> CoresetState:
        """w' U U^T is added, and the barrier moved."""
        place = self.usable.index(step.index)
        row = fmpq_mat([self.rows.tolist()[place]])
        outer = row.transpose() * row * (step.weight * self.scales[place])
        pull = row.transpose() * (step.weight * self.pulls[place])
        return CoresetState(
            state.matrix + outer - self.target * ((1 - self.nu) * step.growth),
            state.progress + step.growth,
            state.error + pull - self.pull * step.growth,
            state.steps + step.share,
        )

    def rounded(self, state: CoresetState) -> CoresetState:
        """A shorter Q that is smaller in Loewner order, while Psi <= 1; the same where none is.

        The entries of Q in units a_i a_k, a_i^2 about G_ii, are rounded down by less than a unit,
        a symmetric error of norm below d units; the diagonal takes that off.
        """
        roots = [fmpq(2) ** ((g.p.bit_length() - g.q.bit_length()) // 2) for g in self.diagonal]
        places = range(self.size)
        bits = _FIRST_BITS
        while bits <= _MOST_BITS:
            unit = fmpq(2) ** -bits
            matrix = fmpq_mat(self.size, self.size)
            for i in places:
                for k in range(i + 1):
                    scale = roots[i] * roots[k] * unit
                    whole = (state.matrix[i, k] / scale).floor()
                    matrix[i, k] = matrix[k, i] = scale * (whole - (self.size if i == k else 0))
            if positive_definite(matrix).holds:
                shorter = replace(state, matrix=matrix)
                if self.potential(shorter) <= 1:
                    return shorter
            bits *= 2
        return state

    @property
    def diagonal(self) -> list[fmpq]:
        """The diagonal of G."""
        return [self.gram[i, i] for i in range(self.size)]


@dataclass(frozen=True, slots=True)
class LabelCoreset:
    """At most `size` points of X_1, or as many as loss <= (1 + eps) OPT needs; X_2 at weight 1."""

    epsilon: Fraction = Fraction(1)
    size: int | None = None

    def parameters(self, data: Dataset) -> Parameters:
        """The pair (x, nu) of the fewest points for eps, or of the least excess for a size."""
        rank = reduced_rank(data)
        if self.size is None:
            choice = one_sided_for(self.epsilon / (FACTOR * SLACK))
            return Parameters(rank, choice.ratio, choice.nu)
        if self.size <= FACTOR * 2 * rank + 1:
            raise SizeOutOfRange(
                f"size {self.size}: expected more than 4 R + 1 with R = {write_scalar(rank)}",
                value=self.size,
            )
        ratio = FACTOR * rank / (self.size - 1)
        nu = short(
            search(lambda v, _: excess_of(float(ratio), v, 1.0), (1e-6, 0.999), (1.0, 1.0))[0]
        )
        return Parameters(rank, ratio, nu)

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """The points in the order of their first step, then X_2."""
        require_sensible(data.unlabelled, MOST_POINTS, "the coreset")
        require_sensible(data.dimension, MOST_DIMENSIONS, "the coreset (dimensions)")
        found = residuals(data)
        weights = self.weights(data, found) if reduced_rank(data) else {}
        kept = range(data.unlabelled, data.size)
        return ExactSample(EXACT, (*weights, *kept), (*weights.values(), *[fmpq(1)] * len(kept)))

    def weights(self, data: Dataset, found: Residuals) -> dict[int, fmpq]:
        """The chosen points of X_1 and their whole weights."""
        parameters = self.parameters(data)
        require_sensible(parameters.most, MOST_STEPS, "the coreset (steps)")
        construction = Construction(data, found, parameters)
        state = construction.first
        weights: dict[int, fmpq] = {}
        while state.progress < 1:
            step = construction.best(state)
            weights[step.index] = weights.get(step.index, fmpq(0)) + step.weight
            state = construction.after(state, step)
            if state.progress < 1:
                state = construction.rounded(state)
        return weights
