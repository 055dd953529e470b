"""Deterministic BSS with D = 4: at most 4 d weighted points with X^T X <= sum w x x^T <= 9 X^T X.

Two barriers l < A < u in the coordinates where X^T X = I: u starts at 6 d and moves by 3, l starts
at -2 d and moves by 1, in 4 d steps. With the potentials phi_u = Tr (u I - A)^-1 and
phi_l = Tr (A - l I)^-1 and the barriers u', l' after the step,

    U(x) = x^T (u' I - A)^-2 x/(phi_u - phi_u') + x^T (u' I - A)^-1 x,
    L(x) = x^T (A - l' I)^-2 x/(phi_l' - phi_l) - x^T (A - l' I)^-1 x,

the sums over all points satisfy sum U <= 1/3 + 1/6 = 1/1 - 1/2 <= sum L, so that some point has
U <= L, and adding it with any weight 1/L <= t <= 1/U raises neither potential. We take the point
of the largest L - U (the first of equals) and the simplest 1/t in [U, L], so that the numbers stay
short. Nothing is random.

A sparsifier needs no labels; as a way to choose labels it is never valid, because whoever knows
the set in advance can label it: see `fooling_labels`.

>>> from asura.algorithm1_regression import active_regression
>>> from asura.dataset import dataset
>>> ones = [[1]] * 12
>>> labels = fooling_labels(BarrierSparsifier().sample(dataset(ones)).picks, 12)
>>> active_regression(dataset(ones, labels=labels), BarrierSparsifier()).ratio
Enclosure(lower=Fraction(12, 1), upper=Fraction(12, 1))
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.coordinates import Coordinates
from asura.dataset import Dataset
from asura.errors import BarrierCrossed
from asura.randomness import Chooser
from asura.samplers.decisions import ExactSample, require_sensible
from asura.scalars import fraction, rational

#: Points, and the rank: the numbers grow with every one of 4 d steps.
MOST_POINTS = 500
MOST_DIMENSIONS = 6

#: D = 4, the smallest square, keeps sqrt(D) rational; 4 d steps, and u/l = 9 after them.
STEPS_PER_DIMENSION = 4
_UPPER_START, _UPPER_STEP = 6, 3
_LOWER_START, _LOWER_STEP = -2, 1


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in [low, high], for 0 < low <= high.

    >>> simplest_between(Fraction(3, 10), Fraction(35, 100)), simplest_between(*[Fraction(5)] * 2)
    (Fraction(1, 3), Fraction(5, 1))
    """
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor))


@dataclass(frozen=True, slots=True)
class BarrierState:
    """Both barriers and B = sum t x x^T, where A is B in the coordinates with X^T X = I."""

    upper: Fraction
    lower: Fraction
    matrix: fmpq_mat


@dataclass(frozen=True, slots=True)
class Values:
    """U and L of every point at one state."""

    upper: tuple[Fraction, ...]
    lower: tuple[Fraction, ...]


def initial(data: Dataset) -> BarrierState:
    """u_0 = 6 d, l_0 = -2 d, A_0 = 0: both potentials are 1/6 and 1/2."""
    size = data.dimension
    return BarrierState(
        Fraction(_UPPER_START * size), Fraction(_LOWER_START * size), fmpq_mat(size, size)
    )


def _traces(gram: fmpq_mat, inverse: fmpq_mat) -> fmpq:
    product = gram * inverse
    return sum((product[i, i] for i in range(gram.nrows())), fmpq(0))


def forms(coordinates: Coordinates, matrix: fmpq_mat) -> list[fmpq]:
    """x^T M x for every point."""
    left = (coordinates.scaled_rows() * matrix).tolist()
    return [
        sum((a * b for a, b in zip(one, other, strict=True)), fmpq(0))
        for one, other in zip(left, coordinates.rows.tolist(), strict=True)
    ]


def evaluate(data: Dataset, state: BarrierState) -> Values:
    """U(x) and L(x) for every point."""
    coordinates = data.coordinates
    gram = coordinates.gram()
    upper, lower = rational(state.upper), rational(state.lower)
    above = _traces(gram, (gram * upper - state.matrix).inv())
    below = _traces(gram, (state.matrix - gram * lower).inv())
    next_above = (gram * (upper + _UPPER_STEP) - state.matrix).inv()
    next_below = (state.matrix - gram * (lower + _LOWER_STEP)).inv()
    falls = above - _traces(gram, next_above)
    rises = _traces(gram, next_below) - below
    values_above = next_above * gram * next_above * (1 / falls) + next_above
    values_below = next_below * gram * next_below * (1 / rises) - next_below
    return Values(
        tuple(fraction(v) for v in forms(coordinates, values_above)),
        tuple(fraction(v) for v in forms(coordinates, values_below)),
    )


def choose(values: Values) -> tuple[int, Fraction]:
    """The point of the largest L - U, and its weight t."""
    gains = [low - up for low, up in zip(values.lower, values.upper, strict=True)]
    # A zero point has U = L = 0 and cannot be weighted; another one is as good.
    candidates = [index for index, up in enumerate(values.upper) if up > 0]
    index = max(candidates, key=lambda i: (gains[i], -i))
    if gains[index] < 0:
        raise BarrierCrossed(
            f"no point has U <= L, the largest L - U is {float(gains[index]):.3g}: "
            "expected a state that the barriers reach",
            value=gains[index],
        )
    return index, 1 / simplest_between(values.upper[index], values.lower[index])


def step(data: Dataset, state: BarrierState, index: int, weight: Fraction) -> BarrierState:
    """Both barriers moved, and t x x^T added."""
    coordinates = data.coordinates
    row = fmpq_mat([coordinates.rows.tolist()[index]])
    scale = rational(weight) * coordinates.squared_scales[index]
    return BarrierState(
        state.upper + _UPPER_STEP,
        state.lower + _LOWER_STEP,
        state.matrix + row.transpose() * row * scale,
    )


@dataclass(frozen=True, slots=True)
class BarrierSparsifier:
    """Deterministic BSS: no randomness, and hence no way to choose labels."""

    def sample(self, data: Dataset, chooser: Chooser | None = None) -> ExactSample:
        """The points in the order of their first step, weights divided by l = 2 d at the end."""
        require_sensible(data.size, MOST_POINTS, "deterministic BSS")
        require_sensible(data.dimension, MOST_DIMENSIONS, "deterministic BSS (dimensions)")
        state = initial(data)
        weights: dict[int, Fraction] = {}
        for _ in range(STEPS_PER_DIMENSION * data.dimension):
            index, weight = choose(evaluate(data, state))
            weights[index] = weights.get(index, Fraction(0)) + weight
            state = step(data, state, index, weight)
        return ExactSample(
            EXACT, tuple(weights), tuple(rational(w / state.lower) for w in weights.values())
        )


def fooling_labels(picks: Collection[int], size: int) -> tuple[Fraction, ...]:
    """Labels 1 on the chosen set S and 0 elsewhere: for X = 1_n, loss/OPT = n/|S|.

    The answer on S is 1, with loss n - |S|; OPT = |S| (n - |S|)/n.
    """
    return tuple(Fraction(int(index in picks)) for index in range(size))
