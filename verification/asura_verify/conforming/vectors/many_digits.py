"""The museum on numbers of 60 digits: what it prints is the same on every machine.

The text of an implementation runs with stand-ins for `float`, `json` and `np`. Arithmetic is that
of integers inside mpmath, in NumPy's arrays of objects: no linear algebra of a machine, no libm.
"""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Context, Decimal
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
from mpmath.libmp import to_rational
from numpy.typing import NDArray

from asura.randomness import Seed
from asura_verify.implementations.exhibit import Exhibit, Implementation

#: Digits of the arithmetic, and of what is printed.
DIGITS = 60
PRINTED = 10

Numbers = NDArray[Any]

_MP = mpmath.MPContext()
_MP.dps = DIGITS
#: A squared length below this part of what it was is rounding, not a direction.
_NOTHING = _MP.mpf(10) ** -DIGITS

_HERE = "from asura_verify.conforming.vectors.many_digits import"
_IMPORTS = (
    ("import json\n", f"{_HERE} number as float, plain as json\n"),
    ("import numpy as np\n", f"{_HERE} arrays as np\n"),
)


def number(value: Any) -> Any:
    """The stand-in for `float`: a double, or a number of 60 digits, as the latter."""
    return _MP.mpf(value)


def rounded(value: Any, digits: int = PRINTED) -> float:
    """The double next to some decimal digits, both correctly rounded.

    >>> rounded(number(2) / 3)
    0.6666666667
    """
    above, below = to_rational(value._mpf_)
    return float(Context(prec=digits).divide(Decimal(int(above)), Decimal(int(below))))


def _array(values: Any) -> Numbers:
    made = np.array(values, dtype=object)
    flat = [number(x) for x in made.ravel()]
    filled = np.empty(len(flat), dtype=object)
    filled[:] = flat
    return filled.reshape(made.shape)


def _sqrt(values: Any) -> Any:
    if np.ndim(values) == 0:
        if values < 0:
            raise ValueError("the square root of a negative number")
        return _MP.sqrt(values)
    return _array([_sqrt(x) for x in values])


def _finite(values: Any) -> NDArray[np.bool_]:
    return np.array([bool(_MP.isfinite(x)) for x in values])


def _orthonormal(columns: list[Numbers]) -> list[Numbers]:
    """Gram and Schmidt, twice; a column that depends on those before it is left out."""
    found: list[Numbers] = []
    for column in columns:
        rest, before = column, column @ column
        for known in (*found, *found):
            rest = rest - known * (known @ rest)
        square = rest @ rest
        if square > before * _NOTHING:
            found.append(rest / _MP.sqrt(square))
    return found


def _svd(matrix: Any, *, full_matrices: bool) -> tuple[Numbers, Numbers, None]:
    """Orthonormal columns of the same range: no value of a run depends on their rotation."""
    if full_matrices:
        raise NotImplementedError
    found = _orthonormal(list(_array(matrix).T))
    return np.stack(found, axis=1), np.ones(len(found)), None


def _solve(matrix: Numbers, right: Numbers) -> Numbers:
    """Gauss and Jordan, with the largest pivot of a column."""
    size = len(matrix)
    work = np.hstack([_array(matrix), _array(right)])
    for k in range(size):
        best = k + int(np.argmax(np.abs(work[k:, k])))
        if work[best, k] == 0:
            raise np.linalg.LinAlgError("singular")
        work[[k, best]] = work[[best, k]]
        work[k] = work[k] / work[k, k]
        for i in range(size):
            if i != k:
                work[i] = work[i] - work[k] * work[i, k]
    return np.asarray(work[:, size:])


def _inverse(matrix: Numbers) -> Numbers:
    return _solve(matrix, np.eye(len(matrix)))


def _least_squares(matrix: Numbers, target: Numbers, *, rcond: None) -> tuple[Numbers, None]:  # noqa: ARG001
    """The shortest solution, in an orthonormal basis of the rows."""
    if len(matrix) == 0:
        return np.zeros(matrix.shape[1]), None
    basis = np.stack(_orthonormal(list(matrix)))
    reduced = matrix @ basis.T
    solution = _solve(reduced.T @ reduced, (reduced.T @ target)[:, None])
    return solution[:, 0] @ basis, None


class _Arrays:
    """NumPy, but for what rounds to doubles."""

    array = staticmethod(_array)
    sqrt = staticmethod(_sqrt)
    isfinite = staticmethod(_finite)
    linalg = SimpleNamespace(svd=_svd, inv=_inverse, lstsq=_least_squares)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def _dumps(record: Any, *, allow_nan: bool) -> str:
    return json.dumps(record, allow_nan=allow_nan, default=rounded, separators=(",", ":"))


#: The stand-ins for NumPy and for the module `json`.
arrays = _Arrays()
plain = SimpleNamespace(dumps=_dumps)


class Hashed:
    """What an instance asks of NumPy's generator, from a stream of hashes."""

    def __init__(self, seed: int) -> None:
        self._seed, self._taken = Seed(seed), 0

    def _next(self) -> float:
        self._taken += 1
        return float(self._seed.draw(self._taken).interval(53).low)

    def integers(self, low: int, high: int) -> int:
        """From low to high - 1."""
        return low + int(self._next() * (high - low))

    def uniform(self, low: float = 0.0, high: float = 1.0, *, size: int | None = None) -> Any:
        """One number, or some."""
        if size is None:
            return low + self._next() * (high - low)
        return np.array([low + self._next() * (high - low) for _ in range(size)])

    def standard_normal(self, shape: int | tuple[int, ...]) -> Any:
        """Mean 0 and variance 1: twice the sum of three centred uniforms."""
        count = int(np.prod(shape))
        sums = [2 * (self._next() + self._next() + self._next() - 1.5) for _ in range(count)]
        return np.array(sums).reshape(shape)


def implementation(exhibit: Exhibit) -> Implementation:
    """An exhibit whose numbers have 60 digits, and which prints 10 of them."""
    return replace(exhibit, changes=(*exhibit.changes, *_IMPORTS)).run
