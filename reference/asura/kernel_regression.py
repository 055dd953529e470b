"""Algorithm 1 on kernel data, without an exact row: line 4, the loss and OPT.

The labels of X_2 are zero and the points of X_1 have no scale, so that
|X beta - Y|^2 = |K beta - y|^2 + lambda beta^T K beta, and OPT = lambda y^T (K + lambda I)^-1 y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from flint import arb, arb_mat, ctx, fmpq_mat

from asura.arithmetic.interface import M, S
from asura.dataset import KernelData
from asura.errors import Undecided
from asura.factoring import cholesky
from asura.sampling import WeightedSample
from asura.scalars import Enclosure, fraction, rational

#: Bits of the first attempt where the sample does not span, and of the last.
_FIRST_BITS, _MOST_BITS = 256, 1024
#: Bits of the answer, relative to its largest entry, with which no more are tried.
_KEPT_BITS = 96


def kernel_least_squares(
    data: KernelData, sample: WeightedSample[S, M], labels: dict[int, Fraction]
) -> tuple[list[S], bool]:
    """The weighted least-squares beta of least norm, and whether the sample determines it.

    `Undecided` where balls do not find the rank of the sample.
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
    weights = {index: arithmetic.enclosure(weight) for index, weight in totals.items()}
    solution, rank = least_norm(data, weights, labels)
    spans = rank == data.dimension  # wide weights may have hidden it above
    if arithmetic.rigorous:  # then its numbers are balls, for it is not exact
        return cast("list[S]", solution), spans
    return [arithmetic.scalar(fraction(b.mid().fmpq())) for b in solution], spans


def least_norm(
    data: KernelData, weights: Mapping[int, Enclosure], labels: Mapping[int, Fraction]
) -> tuple[list[arb], int]:
    """The beta of least norm where the sample does not span: in coordinates of its own span.

    With it comes the rank of the sample. More bits are tried until the answer is narrow, or as
    narrow as the weights allow.
    """
    chosen = [index for index in sorted(weights) if not _is_zero(data, index)]
    if not chosen:
        return [arb(0)] * data.width, 0
    places = [chosen.index(index) for index in _independent(data, chosen)]
    best: list[arb] | None = None
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            solution = _solved(data, chosen, places, weights, labels, bits)
        if solution is not None:
            if best is not None and not 2 * _widest(solution) < _widest(best):
                break
            best = solution
            largest = max((abs(x).upper() for x in solution), default=arb(0))
            if _widest(solution) <= largest * arb(2) ** -_KEPT_BITS:
                break
        bits *= 2
    if best is None:
        raise Undecided
    return best, len(places)


def _widest(solution: list[arb]) -> arb:
    return max((x.rad() for x in solution), default=arb(0))


def _independent(data: KernelData, chosen: list[int]) -> list[int]:
    """Points that span the others, if they are independent themselves.

    Row i of K is a combination of the rows of L^T up to i. Where as many points lie in the span
    of those rows as it has dimensions, one more depends on them; and so does an equal point.
    """
    kept = {index - data.width for index in chosen if index >= data.width}
    free = [k for k in data.kernel.basis or [] if k not in kept]
    found = [index for index in chosen if index >= data.width]
    seen: set[tuple[Fraction, ...]] = set()
    taken = 0
    for index in chosen:
        if index < data.width and data.kernel_rows[index] not in seen:
            seen.add(data.kernel_rows[index])
            if taken < sum(1 for k in free if k <= index):
                found.append(index)
                taken += 1
    return found


def _solved(
    data: KernelData,
    chosen: list[int],
    places: list[int],
    weights: Mapping[int, Enclosure],
    labels: Mapping[int, Fraction],
    bits: int,
) -> list[arb] | None:
    """Normal equations in an orthonormal basis of the span; None when it is not proved one."""
    rows = _rows(data, chosen, bits)
    if rows is None:
        return None
    entries = rows.tolist()
    independent = arb_mat([entries[place] for place in places])
    factor = cholesky(independent * independent.transpose())
    if factor is None:
        return None
    basis = factor.inverse * independent
    coordinates = rows * basis.transpose()
    scaled = [
        [_ball(weights[index]) * x for x in row]
        for index, row in zip(chosen, coordinates.tolist(), strict=True)
    ]
    left = arb_mat(scaled).transpose()
    normal = cholesky(left * coordinates)
    if normal is None:
        return None
    values = arb_mat(len(chosen), 1, [rational(labels[index]) for index in chosen])
    solved = normal.inverse.transpose() * (normal.inverse * (left * values))
    return (basis.transpose() * solved).entries()


def _ball(value: Enclosure) -> arb:
    return arb(rational(value.lower)).union(arb(rational(value.upper)))


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
