"""K6, draw for free, check, then pay: samples of a pool, and what is proved about each.

For a sample S of rows of X_1 with weights w, M = sum w U U^T + D_2 in coordinates where G = I.
That M >= a is decided by a verified Cholesky factorisation of sum w u u^T + H_2 - a (H_1 + H_2)
in the coordinates of T, with every rounding accounted for; "no" means "not proved".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from asura.engine.coins import Indices, Vector
from asura.engine.gram import Side, Spectrum, WhitenedRows, look_up
from asura.engine.rounding import (
    combined,
    end_of_spectrum,
    proved_semidefinite,
    relative_spectrum,
    spectral_norm_up,
)
from asura.engine.rows import Matrix, Rows
from asura.rounding import UNDERFLOW, gamma, sum_up, up


def weighted_side(part: WhitenedRows, weights: Vector) -> Side:
    """The sum of w u u^T in doubles, and a bound on its distance from sum w (x T)^T (x T)."""
    rows = part.rows
    scaled = rows * np.sqrt(weights)[:, None]
    gram = scaled.T @ scaled
    squares = np.einsum("ij,ij->i", rows, rows) * (1 + gamma(rows.shape[1] + 4))
    lengths = np.sqrt(squares) * (1 + 2.0**-40)
    drift = weights * part.errors * (2 * lengths + part.errors)
    rate = gamma(len(rows) + 6)  # a sum of products, each with two roots and two roundings
    error = rate * sum_up(weights * squares) + sum_up(drift) * (1 + 2.0**-40)
    return Side(gram, up(error + UNDERFLOW))


@dataclass(frozen=True, repr=False)
class Pool:
    """The rows that may be drawn, by their numbers in the table, and what two passes found out.

    All of them are X_1, unless the last `free` ones are rows of X_2 that are drawn as well
    (`asura.engine.all_rows`).
    """

    rows: Rows
    candidates: Indices
    spectrum: Spectrum
    free: int = 0

    @property
    def size(self) -> int:
        """n_1."""
        return len(self.candidates)

    @property
    def payable(self) -> int:
        """How many rows, the first ones, have to be labelled when they are drawn."""
        return self.size - self.free

    def labels(self, picks: Indices) -> int:
        """How many labels a sample of different rows costs."""
        return int(np.count_nonzero(picks < self.payable)) if self.free else len(picks)

    @cached_property
    def useful(self) -> int:
        """How many labels say something (leverage > 0)."""
        return int(np.count_nonzero(self.spectrum.leverages[: self.payable] > 0))

    def side(self, picks: Indices, weights: Vector) -> Side:
        """The Gram matrix of a weighted sample; `picks` count within X_1."""
        part = look_up(self.rows, self.spectrum.whitening, self.candidates[picks])
        return weighted_side(part, weights)

    def proved(self, sample: Side, least: float) -> bool:
        """Whether M >= `least` is proved."""
        first, second = self.spectrum.bought, self.spectrum.kept
        matrix, rounding = combined(
            [(1.0, sample.gram), (1.0, second.gram), (-least, first.gram), (-least, second.gram)]
        )
        error = sample.error + (1 + least) * second.error + least * first.error + rounding
        return proved_semidefinite(matrix, up(error))

    @cached_property
    def _deviation(self) -> float:
        """|T^T G T - I| in doubles."""
        total = self.spectrum.bought.gram + self.spectrum.kept.gram
        return spectral_norm_up(total - np.eye(len(total)))

    def _lowest(self, matrix: Matrix) -> float:
        """About the smallest eigenvalue of a matrix relative to T^T G T; nothing is proved."""
        if self._deviation < 1e-5:
            return end_of_spectrum(matrix) * (1 - 2 * self._deviation)
        whole = self.spectrum.bought.gram + self.spectrum.kept.gram
        try:
            return float(relative_spectrum(matrix, whole)[0])
        except np.linalg.LinAlgError:
            return 0.0

    def floor(self, sample: Side) -> float:
        """A proved lower bound on the spectrum of M, close to the largest; 0 if none."""
        lowest = self._lowest(sample.gram + self.spectrum.kept.gram)
        error = sample.error + 2 * self.spectrum.kept.error + self.spectrum.bought.error
        slack = 1e-12 + 4 * error
        for _ in range(4):
            least = lowest - slack
            if least <= 0:
                return 0.0
            if self.proved(sample, least):
                return least
            slack *= 8
        return 0.0
