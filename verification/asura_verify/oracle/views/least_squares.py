"""Algorithm 1's answer: whether beta solves the weighted problem of the sampled points.

Judged in the norm of the problem itself, |e|^2 = sum_j w_j <x_j, e>^2 for e = reported - true,
so that any minimiser passes; against |b|^2 = sum_j w_j y_j^2.
"""

from __future__ import annotations

import math

import numpy as np
from flint import arb, arb_mat, fmpq_mat

from asura.errors import Undecided
from asura.scalars import rational
from asura_verify.oracle.trace.values import Raw, number, shown
from asura_verify.oracle.views.judging import Judging


def _floats(matrix: arb_mat) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    size = matrix.nrows()
    return np.array([[float(matrix[i, k]) for k in range(size)] for i in range(size)])


def judge_regression(judge: Judging, line: int, beta: list[Raw], allowed: float) -> None:
    """Judge beta; leaves it undetermined when a label is missing or the sample does not span."""
    replay, data = judge.replay, judge.data
    coordinates = data.whitened
    size = coordinates.dimension
    mid = replay.mid()
    known = {i: label for i in judge.picks if (label := data.labels[i]) is not None}
    accumulated = replay.accumulated
    spectrum = np.linalg.eigvalsh(_floats(accumulated))
    if len(known) < len(set(judge.picks)) or spectrum[0] <= 1e-12 * spectrum[-1]:
        judge.undetermined = True
        return
    right = arb_mat(size, 1)
    energy = arb(0)
    totals: dict[int, arb] = {}
    for index, weight in zip(judge.picks, judge.weights, strict=True):
        totals[index] = totals.get(index, arb(0)) + weight
    for index, weight in totals.items():
        value = arb(rational(known[index]))
        factor = weight * value * arb(coordinates.squared_scales[index]).sqrt()
        row = arb_mat(fmpq_mat([[coordinates.rows[index, k]] for k in range(size)]))
        right += row * factor
        energy += weight * value * value
    try:
        solution = accumulated.solve(right, algorithm="lu")
    except ZeroDivisionError:
        raise Undecided from None
    given = arb_mat(coordinates.row_basis) * arb_mat(len(beta), 1, [number(raw) for raw in beta])
    if coordinates.transform is not None:
        given = arb_mat(coordinates.transform).solve(given, algorithm="lu")
    error = given - solution
    squared = (error.transpose() * accumulated * error)[0, 0]
    # Orthogonal methods lose kappa, the normal equations kappa^2, of the weighted sample.
    sample = float(spectrum[-1] / spectrum[0])
    loss = judge.allowance.unit * judge.allowance.cost(judge.reach) * sample
    relative = allowed * math.sqrt(sample) + loss
    bound = energy * arb(relative) ** 2
    judge.checked["beta"] = judge.checked.get("beta", 0) + 1
    if not squared > bound:
        if squared <= bound or squared.rad() * 256 < bound:
            return  # within, or on the edge itself
        raise Undecided
    lifted = arb_mat(coordinates.lift()) * solution
    gap = float((squared / bound).sqrt()) if bound > 0 else None
    text = ", ".join(shown(lifted[k, 0], 12) for k in range(len(beta)))
    judge.accuse(
        line, None, "beta", [float(number(raw)) for raw in beta],
        f"[{text}]", f"within {float((bound / mid).sqrt()):.3g} in the weighted norm",
        gap, relative,
        "does not minimise sum_j w_j (beta^T x_j - y_j)^2",
    )  # fmt: skip
