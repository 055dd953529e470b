"""From the labels that were bought to a model: weighted least squares in coordinates T.

In the coordinates of T the matrix of the normal equations is M, whose spectrum was checked
before anything was paid, so that they are as good as any method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from asura.engine.all_rows import AllRows
from asura.engine.gram import Whitening, ridge_side, whiten
from asura.engine.model import Model, Summary
from asura.engine.problem import Problem
from asura.engine.threads import one_blas_thread
from asura.errors import MissingLabel, NotAScalar

Vector = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, repr=False)
class Beside:
    """Sampled rows that cost nothing, labelled ones and (from n on) those of the ridge.

    With their weights they take the place of all labelled rows and the ridge.
    """

    rows: Indices
    weights: Vector


def _refuse_missing(problem: Problem, labels: Vector, picks: Indices) -> None:
    missing = picks[np.isnan(labels[picks])]
    if missing.size:
        names = ", ".join(problem.table.name(int(row)) for row in missing[:5])
        more = ", ..." if missing.size > 5 else ""
        raise MissingLabel(
            f"{missing.size} of the {len(picks)} labels asked for are still missing: {names}{more}",
            value=int(missing[0]),
        )
    needed = np.flatnonzero(problem.known)
    gone = needed[np.isnan(labels[needed])]
    if gone.size:
        raise MissingLabel(
            f"the label of {problem.table.name(int(gone[0]))} was known when the plan was made "
            "and is missing now",
            value=int(gone[0]),
        )
    infinite = np.flatnonzero(np.isinf(labels))
    if infinite.size:
        raise NotAScalar(
            f"the label of {problem.table.name(int(infinite[0]))} is infinite",
            value=int(infinite[0]),
        )


def _solve(matrix: Vector, right: Vector) -> Vector:
    """The solution; the one of least norm where the sample does not determine it."""
    try:
        factor = linalg.cho_factor(matrix, lower=True)
        solution = linalg.cho_solve(factor, right)
        return np.asarray(solution + linalg.cho_solve(factor, right - matrix @ solution))
    except linalg.LinAlgError:
        return np.asarray(linalg.lstsq(matrix, right)[0])


@one_blas_thread()
def fit(
    problem: Problem,
    picks: Indices,
    weights: Vector,
    labels: Vector,
    guarantee: str,
    beside: Beside | None = None,
) -> Model:
    """The model; `labels` has one entry per row of the table, nan where unknown."""
    _refuse_missing(problem, labels, picks)
    rows, known = problem.rows, problem.known
    whitening = whiten(rows, problem.penalty)
    bought = whitening.scaled(rows.take(picks)) @ whitening.basis
    kept = ridge_side(whitening, problem.penalty).gram
    matrix = np.zeros_like(kept) if beside is not None else kept
    matrix += (bought * weights[:, None]).T @ bought
    right = bought.T @ (weights * labels[picks])
    if beside is not None:
        every = AllRows(rows, problem.penalty)
        free = whitening.scaled(every.take(beside.rows)) @ whitening.basis
        answers = np.append(labels, np.zeros(len(every.ridge)))[beside.rows]
        matrix += (free * beside.weights[:, None]).T @ free
        right += free.T @ (beside.weights * answers)
    elif known.any():

        def equations(start: int, block: Vector) -> tuple[Vector, Vector]:
            mask = known[start : start + len(block)]
            part = whitening.scaled(block[mask]) @ whitening.basis
            return part.T @ part, part.T @ labels[start : start + len(block)][mask]

        for _, (squares, products) in rows.over_blocks(equations):
            matrix += squares
            right += products
    theta = _solve(matrix, right)
    summary = _summary(problem, whitening, matrix, theta, bought, picks, weights, labels)
    return _model(problem, whitening.coefficients(theta), summary, guarantee)


def _summary(
    problem: Problem,
    whitening: Whitening,
    matrix: Vector,
    theta: Vector,
    bought: Vector,
    picks: Indices,
    weights: Vector,
    labels: Vector,
) -> Summary:
    residuals = labels[picks] - bought @ theta
    known = problem.known

    def squared_errors(start: int, block: Vector) -> float:
        mask = known[start : start + len(block)]
        part = whitening.scaled(block[mask]) @ whitening.basis
        gap = labels[start : start + len(block)][mask] - part @ theta
        return float(gap @ gap)

    loss = sum(e for _, e in problem.rows.over_blocks(squared_errors)) if known.any() else 0.0
    # Leaving row i out of a weighted ridge fit changes its residual by the factor 1/(1 - h_i),
    # h_i = w_i u_i^T M^-1 u_i; weights w make the mean one over all rows of the pool.
    left_out: float | None = None
    if len(picks):
        inverse = np.linalg.pinv(matrix, hermitian=True)
        shares = weights * np.einsum("ij,jk,ik->i", bought, inverse, bought, optimize=True)
        if (shares < 1 - 1e-9).all():
            errors = (residuals / (1 - shares)) ** 2
            left_out = math.sqrt(float(weights @ errors / weights.sum()))
    return Summary(
        len(picks),
        int(problem.known.sum()),
        float(weights.max(initial=0.0)),
        loss,
        loss + float(weights @ residuals**2),
        left_out,
    )


def _model(problem: Problem, beta: Vector, summary: Summary, guarantee: str) -> Model:
    table, settings = problem.table, problem.settings
    intercept = float(beta[-1]) if settings.intercept else 0.0
    coefficients = beta[: len(beta) - int(settings.intercept)]
    centres = None
    factor = problem.low_rank
    if factor is not None:
        expansion = factor.inverse @ coefficients
        if settings.kernel == "rbf":
            centres = np.asarray(table.features[list(factor.pivots)])
            coefficients = expansion
        else:
            coefficients = np.zeros(table.features.shape[1])
            coefficients[list(factor.pivots)] = expansion
    return Model(
        table.target,
        table.columns,
        coefficients,
        intercept,
        settings.kernel,
        settings.length,
        centres,
        summary,
        guarantee,
    )
