"""Algorithm 3, ConstructM: a packing of sign vectors, used for the lower bound.

The paper names only d as input; lambda and eps are needed too. On the lower-bound design
X^T X = I, so |X beta - X beta'|^2 = 4 (number of differing signs). A vector is stored as an
integer whose bit i is set when coordinate i is -1.

>>> packing = construct_m(3, 50, "1/100")
>>> packing.size, packing.vector(5)
(8, (-1, 1, -1))
>>> [str(verdict) for verdict in packing.properties().values()]
['holds', 'holds', 'holds', 'holds']
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from asura.dataset import regularisation
from asura.errors import EmptyData, EpsilonOutOfRange, PackingTooLarge
from asura.scalars import read_scalar, write_scalar
from asura.verdict import Verdict, decided

#: 2^24 sign vectors are enumerated in seconds and 16 MB.
LARGEST_DIMENSION = 24


def separation(dimension: int, lam: Fraction, epsilon: Fraction) -> Fraction:
    """0.002 d (eps lambda (1 + lambda) + 1 + lambda), the squared distance of line 4."""
    return Fraction(2, 1000) * dimension * (epsilon * lam * (1 + lam) + 1 + lam)


@dataclass(frozen=True)
class Packing:
    """The set M with the parameters that it was made for."""

    dimension: int
    lam: Fraction
    epsilon: Fraction
    elements: tuple[int, ...]

    @property
    def size(self) -> int:
        """The paper's n, here the number of elements of M."""
        return len(self.elements)

    @property
    def radius(self) -> int:
        """How many signs a removed vector differs in, at most."""
        return _radius(self.dimension, self.lam, self.epsilon)

    @property
    def within_hypotheses(self) -> bool:
        """Whether eps <= 1/100 and lambda lies in [1, 50], as the theorem asks."""
        return self.epsilon <= Fraction(1, 100) and 1 <= self.lam <= 50

    def vector(self, element: int) -> tuple[int, ...]:
        """The sign vector of an element."""
        return tuple(-1 if element >> i & 1 else 1 for i in range(self.dimension))

    def properties(self) -> dict[str, Verdict]:
        """The four properties of the claim, each decided exactly for this M (slug packing)."""
        norms = {sum(x * x for x in self.vector(element)) for element in self.elements}
        largest = {max(map(abs, self.vector(element))) for element in self.elements}
        return {
            "|X beta|^2 <= d": decided(max(norms) <= self.dimension),
            "|beta|_inf <= 1": decided(max(largest) <= 1),
            "separated": self._separated(),
            "n >= 2^((1 - 0.011(1 + lambda)) d - 1)": self._large(),
        }

    def _separated(self) -> Verdict:
        """No two elements within the squared distance of line 4: look around each of them."""
        closest = separation(self.dimension, self.lam, self.epsilon)
        present = np.zeros(1 << self.dimension, dtype=bool)
        elements = np.array(self.elements, dtype=np.int64)
        present[elements] = True
        reach = range(1, self.dimension + 1)
        forbidden = [distance for distance in reach if 4 * distance < closest]
        return decided(
            not any(
                present[elements ^ offset].any()
                for distance in forbidden
                for offset in _offsets(self.dimension, distance)
            )
        )

    def _large(self) -> Verdict:
        """2n >= 2^e for the rational e = p/q: compare (2n)^q with 2^p."""
        exponent = (1 - Fraction(11, 1000) * (1 + self.lam)) * self.dimension
        power, root = exponent.numerator, exponent.denominator
        if power <= 0:
            return decided(self.size >= 1)
        return decided((2 * self.size) ** root >= 1 << power)


def _radius(dimension: int, lam: Fraction, epsilon: Fraction) -> int:
    """The largest number of differing signs that line 4 removes."""
    return min(dimension, separation(dimension, lam, epsilon) // 4)


def _offsets(dimension: int, distance: int) -> list[int]:
    """All ways to flip exactly `distance` signs."""
    return [
        sum(1 << i for i in chosen) for chosen in itertools.combinations(range(dimension), distance)
    ]


def construct_m(dimension: int, lam: object, epsilon: object) -> Packing:
    """Run Algorithm 3, always choosing the smallest vector that is left.

    "U != 0" of line 3 is read as "U is not empty"; M starts empty.
    """
    if dimension < 1:
        raise EmptyData(f"d = {dimension}: expected at least 1", value=dimension)
    if dimension > LARGEST_DIMENSION:
        raise PackingTooLarge(
            f"d = {dimension} means 2^{dimension} sign vectors: expected d <= {LARGEST_DIMENSION}",
            value=dimension,
        )
    exact_lam, exact_epsilon = regularisation(lam), read_scalar(epsilon)
    if exact_epsilon <= 0:
        raise EpsilonOutOfRange(
            f"epsilon = {write_scalar(exact_epsilon)}: expected > 0", value=exact_epsilon
        )
    radius = _radius(dimension, exact_lam, exact_epsilon)
    flips = np.array(
        [offset for distance in range(radius + 1) for offset in _offsets(dimension, distance)],
        dtype=np.int64,
    )
    left = np.ones(1 << dimension, dtype=bool)  # line 2: U = {-1, 1}^d
    elements: list[int] = []
    if len(flips) == 1:
        elements = list(range(1 << dimension))  # nothing but the chosen vector is ever removed
    else:
        for candidate in range(1 << dimension):  # line 3: while U is not empty
            if left[candidate]:
                left[candidate ^ flips] = False  # line 4
                elements.append(candidate)  # line 5
    return Packing(dimension, exact_lam, exact_epsilon, tuple(elements))
