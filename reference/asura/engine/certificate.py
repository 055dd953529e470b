"""A certificate that trusts nothing but the rows and the weights.

It proves (1 - delta) G <= sum w x x^T + X_2^T X_2 + ridge <= (1 + delta) G for the delta that it
states, G = X^T X + ridge. The sample differs from G by sum w x x^T - G_1 only, so what is proved
is -delta G <= sum w x x^T - G_1 <= delta G, in coordinates T, by verified Cholesky factorisations
with every rounding bounded. T may come from anybody, a run included: whatever T is, what is
proved with it is true. It takes one more pass over the rows, two where no T is given. Where X has
columns that follow from others (to working precision), it speaks of the remaining columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asura.blas_threads import one_blas_thread
from asura.engine.free_draws import weighted_side
from asura.engine.gram import Side, Whitening, look_up, sides, whiten
from asura.engine.rounding import combined, proved_semidefinite, relative_spectrum
from asura.engine.rows import Indices, Rows
from asura.engine.threads import Progress, silent
from asura.errors import RaggedData
from asura.rounding import up

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: A delta is stated in steps of this size.
_STEP = 2.0**-20


@dataclass(frozen=True)
class SampleCertificate:
    """The delta that is proved; None where nothing is, and then why."""

    delta: float | None
    reason: str
    directions: int

    @property
    def sentence(self) -> str:
        """What is proved, in one sentence."""
        if self.delta is None:
            return f"nothing is proved about the sample: {self.reason}"
        if self.delta >= 1:
            return (
                f"proved: no direction of the sample is more than {1 + self.delta:.4g} times that "
                f"of all rows (sample <= (1 + d) G with d = {self.delta:.6g}, which says nothing "
                "from below)"
            )
        return (
            f"proved: every direction of the sample is within {100 * self.delta:.3g} % of that of "
            f"all rows ((1 - d) G <= sample <= (1 + d) G with d = {self.delta:.6g})"
        )


def _proves(whole: Side, difference: Side, delta: float) -> bool:
    """Whether -delta G <= difference <= delta G is proved."""
    for sign in (1.0, -1.0):
        matrix, rounding = combined([(delta, whole.gram), (sign, difference.gram)])
        error = up(delta * whole.error + difference.error + rounding)
        if not proved_semidefinite(matrix, error):
            return False
    return True


def _smallest(whole: Side, difference: Side) -> float | None:
    """About the smallest delta that can be proved: a guess from eigenvalues, then proofs."""
    guess = 0.0
    try:
        values = relative_spectrum(
            np.tril(difference.gram) + np.tril(difference.gram, -1).T,
            np.tril(whole.gram) + np.tril(whole.gram, -1).T,
        )
        guess = float(np.abs(values).max())
    except (np.linalg.LinAlgError, ValueError):
        return None
    slack = _STEP
    while math.isfinite(guess) and slack <= 4 + guess:
        delta = math.ceil((guess + slack) / _STEP) * _STEP
        if _proves(whole, difference, delta):
            return delta
        slack *= 4
    return None


@one_blas_thread()
def certify(
    rows: Rows,
    known: Mask,
    penalty: Vector,
    picks: Indices,
    weights: Vector,
    progress: Progress = silent,
    whitening: Whitening | None = None,
) -> SampleCertificate:
    """Prove what can be proved about the rows `picks` of the table with these weights.

    `known` marks the rows of X_2; a row may be picked more than once, its weights add up.
    """
    if len(picks) != len(weights):
        raise RaggedData(
            f"{len(weights)} weights for {len(picks)} rows: expected one per row",
            value=len(weights),
        )
    if whitening is None:
        whitening = whiten(rows, penalty)
    if len(picks) and (picks.min() < 0 or picks.max() >= rows.size):
        return SampleCertificate(
            None, "a row is picked that the table does not have", whitening.rank
        )
    if known[picks].any():
        return SampleCertificate(None, "a row is bought whose label was known", whitening.rank)
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        return SampleCertificate(None, "a weight is negative or not finite", whitening.rank)
    bought, kept, _, _ = sides(rows, whitening, known, penalty, progress)
    return _certificate(rows, whitening, bought, kept, picks, weights)


def _certificate(
    rows: Rows, whitening: Whitening, bought: Side, kept: Side, picks: Indices, weights: Vector
) -> SampleCertificate:
    sample = weighted_side(look_up(rows, whitening, picks), weights)
    total, rounding = combined([(1.0, bought.gram), (1.0, kept.gram)])
    whole = Side(total, up(bought.error + kept.error + rounding))
    gap, rounding = combined([(1.0, sample.gram), (-1.0, bought.gram)])
    difference = Side(gap, up(sample.error + bought.error + rounding))
    if not proved_semidefinite(whole.gram, whole.error):
        return SampleCertificate(
            None, "the table is too ill-conditioned for double precision", whitening.rank
        )
    delta = _smallest(whole, difference)
    if delta is None:
        return SampleCertificate(
            None, "the rounding errors are larger than what is to be proved", whitening.rank
        )
    return SampleCertificate(delta, "", whitening.rank)
