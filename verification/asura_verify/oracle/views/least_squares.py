r"""Algorithm 1's answer: whether beta solves the normal equations of the weighted sample.

With a_k the columns of A, whose rows are sqrt(w_j) x_j, b_j = sqrt(w_j) y_j and r = b - A beta, a
minimiser has a_k^T r = 0 for every k, whether or not the sample determines it. The weights are
those that the trace reports, so no condition number is granted. A stable method solves a problem
with A + D and b + f exactly, D and f of the size of c roundings:

- columns (Householder, Givens): |D_k| <= c e |a_k|, so a_k^T r is off by
  c e |a_k| (|r| + sum_l |a_l| |beta_l| + |b|), and so is it for the normal equations by Cholesky,
  whose matrix and right side have entries off by c e |a_k| |a_l| and c e |a_k| |b|;
- norms (singular values): |D| <= c e |A|, so c e (|A| |r| + |a_k| |A| |beta|) in place of the
  first and second term; and c e |A|^2 |beta| for an inverse of A^T A as it is.

Here c = m + 8 d + 16: sums over the m rows, d reflections or eliminations of a few roundings each,
and those of the weights. A method that drops singular values below s |A| leaves s |A| |b|; what is
usual is granted, s = (2 max(m, d) + 512) e: machine epsilon for each of max(m, d), and 256 of them.
A share by which the weights are not known moves a_k^T r by as much of |a_k| |r|.

An explicit inverse Z of G = A^T A solves no problem nearby: its columns have (G + E_j) Z_j = e_j,
one E_j each with entries off by c e |a_k| |a_l|, so that a_k^T r of Z A^T b is off by
c e |a_k| sum_j |a_j^T b| sum_l |a_l| |Z_lj|.

A method that drops singular values of A^T A below s |A|^2 leaves sqrt(s) |A| |b|, where A has
singular values below sqrt(s) |A| at all. So has A_K then, and |A| |A_K^+| sqrt(s) > 1, for columns
K that span the others: more columns make no singular value smaller.

No answer is accused that one of these explains. But a gradient says little where the sample is
weak, so what passes is asked how far it is from the nearest minimiser (`truth/minimiser.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq_mat

from asura.errors import Undecided
from asura.scalars import rational
from asura_verify.oracle.trace.values import Raw, number, shown
from asura_verify.oracle.truth.minimiser import Answer, inner, norm
from asura_verify.oracle.views.judging import Fitted
from asura_verify.oracle.views.relations import tiniest

#: Roundings beside those of the rows: of each column, and of what comes before and after.
OF_COLUMN, OF_ROW = 8, 16
#: Singular values below so many roundings of the largest may be dropped.
DROPPED = 512


def _excused(answer: Answer, excess: arb, beyond: arb, dropped: arb) -> bool:
    """Whether a method that may lose every digit explains a gradient.

    An explicit inverse explains what is left in units of the columns, singular values of A^T A that
    are dropped what is left beyond the bound of stable methods.
    """
    chosen, inverse = answer.spanning()
    sizes = [abs(inner(answer.columns[k], answer.labels)) / answer.norms[k] for k in chosen]
    inverted = sum(
        (size * abs(x) for size, row in zip(sizes, inverse.tolist(), strict=True) for x in row),
        arb(0),
    )
    whole, root = norm(answer.norms), dropped.sqrt()
    squared = bool(whole * answer.plainly(chosen, inverse) * root > 1)
    explained = root * whole * norm(answer.labels) if squared else arb(0)
    return bool(excess <= answer.some * inverted.upper() or beyond <= explained)


def _answer(judge: Fitted, beta: list[Raw], weights: Sequence[arb], count: int) -> Answer:
    """Every point that was picked with all of its weight."""
    data = judge.data
    totals: dict[int, arb] = {}
    for index, weight in zip(judge.picks, weights, strict=True):
        totals[index] = totals.get(index, arb(0)) + weight
    given = [number(raw) for raw in beta]
    points, rows, labels = [], [], []
    for index, weight in totals.items():
        root = weight.sqrt()
        squared = rational(data.squared_scales[index])
        points.append([rational(x) * (squared != 0) for x in data.points[index]])
        rows.append([root * arb(squared).sqrt() * arb(x) for x in points[-1]])
        labels.append(root * arb(rational(data.labels[index] or Fraction(0))))
    rest = [label - inner(row, given) for row, label in zip(rows, labels, strict=True)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    norms = [norm(column) for column in columns]
    some, tiny = arb(2) ** -judge.precision * count, arb(tiniest(judge.precision)) * count
    return Answer(fmpq_mat(points), columns, labels, rest, given, norms, some, tiny)


def judge_regression(
    judge: Fitted,
    line: int,
    beta: list[Raw],
    weights: Sequence[arb],
    doubt: float,
    widest: float = 0.0,
) -> None:
    """Judge beta; it is not judged when a label of a picked point is missing.

    The weights are known up to a share, and up to the widest of them by any method.
    """
    if any(judge.data.labels[i] is None for i in judge.picks):
        judge.undetermined = True
        return
    if not all(weight > 0 for weight in weights):
        return  # such weights are wrong themselves, and have no least squares
    m, width = len(judge.picks), len(beta)
    unit, widest = arb(2) ** -judge.precision, max(doubt, widest)
    dropped = unit * (2 * max(m, width) + DROPPED)
    answer = _answer(judge, beta, weights, m + OF_COLUMN * width + OF_ROW)
    some = answer.some
    judge.checked["beta"] = judge.checked.get("beta", 0) + 1
    whole, size, left = norm(answer.norms), norm(answer.labels), norm(answer.rest)
    reach, length = answer.reach, norm(answer.beta)
    common = some * whole * left + dropped * whole * size + answer.tiny * (whole + 1) * (whole + 1)
    common += some * whole * whole * length
    worst: tuple[arb, arb, arb, arb] | None = None
    # The largest |a_k^T r| that is beyond its bound, in units of |a_k|, and by how much one is.
    excess = beyond = arb(0)
    for column, each in zip(answer.columns, answer.norms, strict=True):
        slope = inner(column, answer.rest)
        bound = each * (some * (left + reach + size + whole * length) + widest * left) + common
        if not (slope.is_finite() and bound.is_finite()):
            return  # weights below zero have no roots: they are wrong themselves
        if abs(slope) > bound:
            ratio = abs(slope) / bound
            excess, beyond = excess.max(abs(slope) / each), beyond.max(abs(slope) - bound)
            if worst is None or ratio > worst[0]:
                worst = ratio, slope, bound, each * size
        elif abs(slope) <= bound:
            judge.note("beta", abs(slope), bound)
        elif not slope.rad() * 256 < bound:  # not on the edge itself
            raise Undecided
    if worst is not None and not _excused(answer, excess, beyond, dropped):
        ratio, slope, bound, unity = worst
        judge.accuse(
            line, None, "beta", [float(b) for b in answer.beta],
            f"a gradient from {shown(-bound, 6)}", shown(bound, 6), float(ratio),
            float(bound / unity) if unity > 0 else 0.0,
            f"does not minimise sum_j w_j (beta^T x_j - y_j)^2: a gradient of {shown(slope, 6)}",
        )  # fmt: skip
    elif lost := answer.lost(judge.precision, doubt):
        judge.leave_open("beta")
        judge.remarks += (lost,)
