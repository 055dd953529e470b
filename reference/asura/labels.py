"""The oracle that sells labels: a point of X_1 is charged once, labels of X_2 are free.

>>> from asura.dataset import dataset
>>> oracle = LabelOracle(dataset([[1], [2], [3]], unlabelled=2, labels=[5, 6, 7]))
>>> oracle.query(1), oracle.query(1), oracle.known(2)
(Fraction(6, 1), Fraction(6, 1), Fraction(7, 1))
>>> oracle.paid, oracle.draws
(1, 2)
>>> oracle.query(2)
Traceback (most recent call last):
    ...
asura.errors.QueryRefused: point 2 is in X_2, whose labels are free: expected an index below 2
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from asura.dataset import Dataset
from asura.errors import MissingLabel, NotAScalar, QueryRefused
from asura.scalars import read_scalar


class LabelOracle:
    """Answers queries for labels of X_1, and counts them.

    The labels are those of the data, or what `ask` answers for an index; each is asked once.
    """

    def __init__(self, data: Dataset, ask: Callable[[int], object] | None = None) -> None:
        self._data = data
        self._ask = ask
        self._bought: dict[int, Fraction] = {}
        self.draws = 0

    @property
    def paid(self) -> int:
        """How many different labels were bought."""
        return len(self._bought)

    def query(self, index: int) -> Fraction:
        """Buy the label of a point of X_1; asking again costs nothing more."""
        if not 0 <= index < self._data.unlabelled:
            kind = "in X_2, whose labels are free" if 0 <= index < self._data.size else "no point"
            raise QueryRefused(
                f"point {index} is {kind}: expected an index below {self._data.unlabelled}",
                value=index,
            )
        if index not in self._bought:
            self._bought[index] = self._buy(index)
        self.draws += 1
        return self._bought[index]

    def _buy(self, index: int) -> Fraction:
        """Ask whoever measures labels; without one, the data carry them."""
        if self._ask is None:
            return self._read(index)
        try:
            return read_scalar(self._ask(index))
        except (LookupError, NotAScalar) as error:
            raise MissingLabel(
                f"the label of point {index} was asked for: expected a number, got {error}",
                value=index,
            ) from None

    def known(self, index: int) -> Fraction:
        """The label of a point of X_2, free of charge."""
        if not self._data.unlabelled <= index < self._data.size:
            raise QueryRefused(
                f"point {index} is not in X_2: expected an index from {self._data.unlabelled} "
                f"to {self._data.size - 1}",
                value=index,
            )
        return self._read(index)

    def label(self, index: int) -> Fraction:
        """Line 3 of Algorithm 1: buy the label in X_1, read it in X_2."""
        return self.query(index) if index < self._data.unlabelled else self.known(index)

    def _read(self, index: int) -> Fraction:
        label = self._data.labels[index]
        if label is None:
            raise MissingLabel(
                f"the label of point {index} is needed and was not given", value=index
            )
        return label
