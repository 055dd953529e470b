"""Algorithm 1 on kernel data, without an exact row: line 4, the loss and OPT.

The labels of X_2 are zero and the points of X_1 have no scale, so that
|X beta - Y|^2 = |K beta - y|^2 + lambda beta^T K beta, and OPT = lambda y^T (K + lambda I)^-1 y.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from flint import arb, arb_mat, ctx, fmpq_mat

from asura.arithmetic.interface import M, S
from asura.dataset import KernelData
from asura.errors import Undecided
from asura.factoring import cholesky
from asura.sampling import WeightedSample
from asura.scalars import fraction, rational

#: Bits of the first attempt to interpolate, and of the last.
_FIRST_BITS, _MOST_BITS = 256, 1024


def kernel_least_squares(
    data: KernelData, sample: WeightedSample[S, M], labels: dict[int, Fraction]
) -> tuple[list[S], bool]:
    """The weighted least-squares beta of least norm, and whether the sample determines it.

    Sampled points that span all others determine it. Otherwise they are independent as a rule,
    and beta meets their labels, whatever the weights. `Undecided` where balls prove neither.
    """
    arithmetic = sample.arithmetic
    totals: dict[int, S] = {}
    with arithmetic.working():
        for index, weight in zip(sample.picks, sample.weights, strict=True):
            totals[index] = totals[index] + weight if index in totals else weight
        if len(totals) >= data.dimension:
            frame = arithmetic.frame(data)
            normal = frame.zero()
            right = [arithmetic.scalar(Fraction(0)) for _ in range(frame.dimension)]
            for index, weight in totals.items():
                normal = normal + frame.outer_product(index) * weight
                if labels[index] != 0:
                    factor = weight * arithmetic.scalar(labels[index])
                    for k in range(frame.dimension):
                        right[k] = right[k] + factor * frame.coordinate(index, k)
            if arithmetic.positive_definite(normal).holds:
                return frame.lift(frame.solve(normal, right)), True
    solution = interpolated(data, {index: labels[index] for index in totals})
    if arithmetic.rigorous:  # then its numbers are balls, for it is not exact
        return cast("list[S]", solution), False
    return [arithmetic.scalar(fraction(b.mid().fmpq())) for b in solution], False


def interpolated(data: KernelData, labels: dict[int, Fraction]) -> list[arb]:
    """The beta of least norm with x^T beta = y for independent points: X^T (X X^T)^-1 y.

    Points that are zero ask nothing of it.
    """
    chosen = [index for index in sorted(labels) if not _is_zero(data, index)]
    if not chosen:
        return [arb(0)] * data.width
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            rows = _rows(data, chosen, bits)
            found = None if rows is None else cholesky(rows * rows.transpose())
            if rows is not None and found is not None:
                values = arb_mat(len(chosen), 1, [rational(labels[i]) for i in chosen])
                solved = found.inverse.transpose() * (found.inverse * values)
                return (rows.transpose() * solved).entries()
        bits *= 2
    raise Undecided


def _is_zero(data: KernelData, index: int) -> bool:
    """K(x, x) = 0, or a row of L^T without a pivot, or lambda = 0."""
    if index < data.width:
        return bool(data.kernel.entries[index, index] == 0)
    return data.lam == 0 or index - data.width not in (data.kernel.basis or [])


def _rows(data: KernelData, indices: list[int], bits: int) -> arb_mat | None:
    """Rows of X in balls: those of K, and those of sqrt(lambda) L^T."""
    size, basis = data.width, data.kernel.basis or []
    factor = data.kernel.factor(bits)
    if factor is None:
        return None
    columns = arb_mat(data.kernel.entries).tolist()
    kept = factor.inverse * arb_mat([columns[i] for i in basis]) * arb(rational(data.lam)).sqrt()
    place = dict(zip(basis, kept.tolist(), strict=True))
    return arb_mat([columns[i] if i < size else place[i - size] for i in indices])


def _column(data: KernelData, labels: Sequence[Fraction]) -> fmpq_mat:
    return fmpq_mat(data.width, 1, [rational(y) for y in labels[: data.width]])


def kernel_loss(data: KernelData, labels: Sequence[Fraction], beta: Sequence[Fraction]) -> Fraction:
    """|X beta - Y|^2, exactly."""
    column = fmpq_mat(data.width, 1, [rational(b) for b in beta])
    image = data.kernel.entries * column
    missed = image - _column(data, labels)
    squared = fraction((missed.transpose() * missed)[0, 0])
    return squared + data.lam * fraction((column.transpose() * image)[0, 0])


def kernel_ball_loss(data: KernelData, labels: Sequence[Fraction], beta: Sequence[Any]) -> arb:
    """|X beta - Y|^2 for some beta in balls."""
    column = arb_mat(data.width, 1, list(beta))
    image = arb_mat(data.kernel.entries) * column
    missed = image - arb_mat(_column(data, labels))
    penalty = (column.transpose() * image)[0, 0] * arb(rational(data.lam))
    return (missed.transpose() * missed)[0, 0] + penalty


def kernel_optimum(data: KernelData, labels: Sequence[Fraction]) -> arb:
    """OPT = lambda y^T (K + lambda I)^-1 y, in balls, for lambda > 0.

    >>> one = KernelData(((Fraction(2),),), Fraction(1), (Fraction(3),))
    >>> round(float(kernel_optimum(one, [Fraction(3)])), 12)                   # 9/(2 + 1)
    3.0
    """
    size = data.width
    penalty = [rational(data.lam) if i == k else 0 for i in range(size) for k in range(size)]
    found = cholesky(arb_mat(data.kernel.entries + fmpq_mat(size, size, penalty)))
    if found is None:
        raise Undecided
    solved = found.inverse * arb_mat(_column(data, labels))
    return (solved.transpose() * solved)[0, 0] * arb(rational(data.lam))
