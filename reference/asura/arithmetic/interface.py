"""What Algorithm 2 needs of an arithmetic: scalars, symmetric forms, and decisions.

The algorithm is written once, against `Arithmetic` and `Frame`; the four implementations are
`exact`, `ball`, `multiprecision` and `double`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from asura.dataset import Dataset
from asura.randomness import UnitInterval
from asura.scalars import Enclosure
from asura.verdict import Verdict


class Scalar(Protocol):
    """A number of one arithmetic."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...
    def __truediv__(self, other: Self, /) -> Self: ...


S = TypeVar("S", bound=Scalar)
S_co = TypeVar("S_co", bound=Scalar, covariant=True)


class Form(Protocol):
    """A symmetric matrix of one arithmetic; it can be multiplied by that arithmetic's scalars."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, scalar: Any, /) -> Self: ...


M = TypeVar("M", bound=Form)


class Masses(Protocol[S_co]):
    """One nonnegative number per point: U(x)^T E_j U(x) = p_x Phi_j."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> S_co: ...


class Frame(Protocol[S, M]):
    """The points of one dataset in the coordinates of one arithmetic."""

    @property
    def size(self) -> int:
        """n, the number of points."""
        ...

    @property
    def dimension(self) -> int:
        """d, the rank of X."""
        ...

    @property
    def gram(self) -> M:
        """G = X^T X, which stands for the identity of the paper's coordinates."""
        ...

    def zero(self) -> M:
        """The form A_0 = 0."""
        ...

    def outer_product(self, index: int) -> M:
        """x x^T for one point, which stands for U(x) U(x)^T."""
        ...

    def evaluate(self, bracket: M) -> tuple[S, Masses[S]]:
        """Tr(G E), and x^T E x for every point x."""
        ...

    def solve(self, form: M, right: list[S]) -> list[S]:
        """The solution b of form b = right, for a positive definite form."""
        ...

    def coordinate(self, index: int, column: int) -> S:
        """One coordinate of the row of one point."""
        ...

    def lift(self, solution: list[S]) -> list[S]:
        """The least-norm beta of the original coordinates."""
        ...


@runtime_checkable
class KnowsLeadingGram(Protocol):
    """A frame that makes X_1^T X_1 at once; it may then give the masses of X_1 alone."""

    def leading_gram(self, count: int) -> Any:
        """The sum of x x^T over the first `count` points."""
        ...


class Arithmetic(Protocol[S, M]):
    """One way to compute with real numbers."""

    @property
    def name(self) -> str:
        """`exact`, `ball`, `multiprecision` or `double`."""
        ...

    @property
    def precision(self) -> int | None:
        """Working precision in bits; None when exact."""
        ...

    @property
    def rigorous(self) -> bool:
        """Whether every comparison it decides is a theorem."""
        ...

    def working(self) -> AbstractContextManager[object]:
        """Scope within which the arithmetic's precision is in force."""
        ...

    def doubled(self) -> Self | None:
        """The same arithmetic with twice the precision, when that can decide more."""
        ...

    def scalar(self, value: Fraction) -> S:
        """An exact rational as a number of this arithmetic."""
        ...

    def root(self, value: Fraction) -> S:
        """The square root of a nonnegative rational."""
        ...

    def enclosure(self, value: S) -> Enclosure:
        """What is known of a number; a point when the arithmetic has no error bounds."""
        ...

    def frame(self, data: Dataset) -> Frame[S, M]:
        """The points of a dataset, ready for this arithmetic."""
        ...

    def inverse(self, form: M) -> M:
        """The inverse of a positive definite form."""
        ...

    def less(self, first: S, second: S) -> Verdict:
        """Decide first < second."""
        ...

    def positive_definite(self, form: M) -> Verdict:
        """Decide v^T form v > 0 for every v != 0."""
        ...

    def locate(self, masses: Masses[S], total: S, interval: UnitInterval) -> int | None:
        """The smallest i with r total < masses[0] + ... + masses[i], for every r in the interval.

        None when the answer is not the same for all of them, or cannot be decided.
        """
        ...


def locate_at_face_value(
    masses: Masses[S], target: S, zero: S, less: Callable[[S, S], bool]
) -> int | None:
    """The first point whose partial sum exceeds the target, for an arithmetic that rounds.

    The last point with positive mass takes what rounding leaves over.
    """
    partial = zero
    last = None
    for index in range(len(masses)):
        mass = masses[index]
        if less(zero, mass):
            last = index
            partial = partial + mass
            if less(target, partial):
                return index
    return last
