"""What doubles may be off by, proved: sums in any order, and products of matrices.

u = 2^-53 and gamma_k = k u/(1 - k u): a sum of k products, in any order, with or without fused
multiply-add, is off by at most gamma_k times the sum of the absolute products (Higham, Accuracy
and Stability of Numerical Algorithms, section 3.1). Every bound here is a bound from above, also
after its own rounding: `up` grants a formula of non-negative terms a thousand operations.

>>> gamma(10) >= 10 * 2.0**-53
True
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

UNIT = 2.0**-53
#: More than all that underflow can do in numbers of size 1 (each time at most 2^-1074).
UNDERFLOW = 2.0**-960


def up(value: float) -> float:
    """At least the exact value of a formula of fewer than 1000 operations on terms >= 0."""
    return value * (1 + 2.0**-40)


def gamma(operations: int) -> float:
    """gamma_k = k u/(1 - k u) from above; infinite where it proves nothing."""
    product = operations * UNIT
    return up(product / (1 - product)) if product < 0.5 else math.inf


def sum_up(terms: Doubles) -> float:
    """At least the sum of non-negative terms."""
    return up(float(terms.sum()) * (1 + gamma(terms.size))) if terms.size else 0.0


def norm_up(vector: Doubles) -> float:
    """At least the Euclidean (Frobenius) norm."""
    return up(math.sqrt(sum_up((vector * vector).ravel())) + UNDERFLOW)


def row_norms_up(matrix: Doubles) -> Doubles:
    """At least the Euclidean norm of every row."""
    squares = np.einsum("ij,ij->i", matrix, matrix) * (1 + gamma(matrix.shape[1] + 2))
    return np.asarray((np.sqrt(squares) + UNDERFLOW) * (1 + 2.0**-40))


def _leading(matrix: Doubles, bits: int) -> Doubles:
    """The leading bits of every entry, in units of the largest entry of its row."""
    largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
    _, exponents = np.frexp(largest)
    lift = np.ldexp(1.5, exponents + (53 - bits))
    return np.asarray((matrix + lift) - lift)


def careful_product(left: Doubles, right: Doubles) -> tuple[Doubles, Doubles]:
    """A B, and for every row of it a bound on its distance (Euclidean norm) from the exact row.

    Both are split into leading bits and a rest, A = A_1 + A_2. A_1 B_1 is exact, since its sums
    fit into 53 bits whatever their order, and the rounding of A_1 B_2 + A_2 B is of the size of
    the rests (Ozaki, Ogita, Oishi and Rump, Error-free transformations of matrix multiplication).

    >>> product, error = careful_product(np.array([[1.0, 2.0**-30]]), np.array([[1.0], [2.0**-30]]))
    >>> product.tolist(), bool(2.0**-60 <= error[0] <= 2.0**-50)
    ([[1.0]], True)
    """
    inner = left.shape[1]
    bits = (53 - math.ceil(math.log2(inner + 1))) // 2
    first, second = _leading(left, bits), np.ascontiguousarray(_leading(right.T, bits).T)
    left_rest, right_rest = left - first, right - second
    product = first @ second + (first @ right_rest + left_rest @ right)
    rounding = gamma(inner) * (
        row_norms_up(first) * norm_up(right_rest) + row_norms_up(left_rest) * norm_up(right)
    )
    # Two additions of rows: the inner sum is no longer than the rests allow.
    rests = row_norms_up(first) * norm_up(right_rest) + row_norms_up(left_rest) * norm_up(right)
    added = UNIT * (row_norms_up(product) * (1 + 2 * UNIT) + 2 * rests)
    return product, np.asarray((rounding + added + UNDERFLOW) * (1 + 2.0**-40))
