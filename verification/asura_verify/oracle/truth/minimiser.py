r"""How far from the nearest minimiser an honest answer of Algorithm 1 may be.

A gradient A^T r says little along a direction in which the sample is weak: moving beta there by t
changes it by t s^2 only, s the smallest singular value. What a minimiser has is P r = 0, with P
the projection on the range of A, and |P r| = |A (beta - beta*)| for every minimiser beta*: the
same move changes that by t s.

**Theorem.** Let beta minimise |(A + D) beta - (b + f)|, and let q = b + f - (A + D) beta be what it
leaves. For any columns K of A that span the others,

    |P r| <= |f| + |D beta| + |(A_K^+)^T D_K^T q|,      |q| <= |r| + |f| + |D beta|.

Proof. (A + D)^T q = 0, so that A_K^T q = -D_K^T q. With P = (A_K^+)^T A_K^T this is
P q = -(A_K^+)^T D_K^T q, and r = q - f + D beta. QED. And there is a minimiser within |A_K^+| |P r|
of beta, or within z |P r| if every column is counted in units of its norm, z = |(A_K S^-1)^+|.

**Methods**, of c roundings e (`views/least_squares.py` counts them), a_k the columns:

- orthogonal, column by column: |f| <= c e |b| and |D_k| <= c e |a_k|, so
  c e (|b| + sum_k |a_k| |beta_k| + z sqrt|K| |q|);
- singular values of a triangular factor: c e |A| |beta| besides; a square factor of full rank
  leaves nothing, and no more is added for q;
- normal equations (G + E) beta = A^T b + h, |E_kl| <= c e |a_k| |a_l| and |h_k| <= c e |a_k| |b|:
  A^T r = E beta - h, so z sqrt|K| c e (sum_k |a_k| |beta_k| + |b|);
- singular values of A itself in columns as they are, and normal equations of these: |A_K^+| |A| in
  the place of z sqrt|K|, and |A| |beta| in the place of the sum.

Weights that are known up to a share w move rows of A and b together: (D beta - f) by at most w |r|,
and (A_K^+)^T D_K^T q = P W q by at most w |q|.

The first is granted to every answer, the normal equations as long as the minimiser that they find
is right to a third of the declared bits, and those that lose digits by what is only a choice of
units, as long as it is right to half of them. An answer that is farther off than all that is
granted may be honest, and may be wrong: it is left open. So is every answer where even a mistake of
a sixteenth would pass; where the sample does not span, a third of the bits has to be kept. Shares
are of the minimiser in the columns K, so that a part of beta that fits nothing buys nothing. Below
the smallest normal number a rounding is an absolute error: c spacings of b and of beta, that is of
|A| + 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_mat, fmpq_mat

from asura.errors import Undecided
from asura_verify.oracle.truth.allowance import GROSS, fine

#: A distance is decided when its ball is so much smaller than what it is compared with.
_SHARP = 256


def norm(entries: Sequence[arb]) -> arb:
    """At most so long; balls around zero have no root.

    >>> bool(norm([arb(3), arb(4)]) >= 5)
    True
    """
    return sum((x * x for x in entries), arb(0)).upper().max(arb(0)).sqrt()


def inner(left: Sequence[arb], right: Sequence[arb]) -> arb:
    """The inner product of two columns."""
    return sum((x * y for x, y in zip(left, right, strict=True)), arb(0))


@dataclass(frozen=True)
class Answer:
    """beta on the weighted sample: the columns of A, b, and r = b - A beta, in balls."""

    points: fmpq_mat  # rows of A up to positive factors, exactly
    columns: Sequence[Sequence[arb]]
    labels: Sequence[arb]
    rest: Sequence[arb]
    beta: Sequence[arb]
    norms: Sequence[arb]  # |a_k|
    some: arb  # c e
    tiny: arb  # c spacings of the smallest numbers

    @property
    def terms(self) -> list[arb]:
        """Every |a_k| |beta_k|."""
        return [each * abs(b) for each, b in zip(self.norms, self.beta, strict=True)]

    @property
    def reach(self) -> arb:
        """The sum of |a_k| |beta_k|."""
        return sum(self.terms, arb(0))

    def spanning(self) -> tuple[list[int], arb_mat]:
        """Columns K that span the others, and the inverse of their Gram matrix in units."""
        every = list(range(len(self.columns)))
        with suppress(ZeroDivisionError):
            return every, self._inverse(every)
        order = self._by_size()
        table = self.points.tolist()
        reduced, rank = fmpq_mat([[row[k] for k in order] for row in table]).rref()
        chosen = [order[next(k for k in every if reduced[i, k] != 0)] for i in range(rank)]
        try:
            return chosen, self._inverse(chosen)
        except ZeroDivisionError:
            raise Undecided from None  # only balls cannot tell

    def _by_size(self) -> list[int]:
        """The columns, each time the one that those before explain the least, about."""
        left = np.array([[float(x) for x in column] for column in self.columns])
        order: list[int] = []
        for _ in self.columns:
            sizes = np.linalg.norm(left, axis=1)
            sizes[order] = -np.inf
            order.append(int(np.argmax(sizes)))
            if sizes[order[-1]] > 0:
                unit = left[order[-1]] / sizes[order[-1]]
                left = left - np.outer(left @ unit, unit)
        return order

    def _inverse(self, chosen: Sequence[int]) -> arb_mat:
        rows = arb_mat([[x / self.norms[k] for x in self.columns[k]] for k in chosen])
        return (rows * rows.transpose()).inv()

    def plainly(self, chosen: Sequence[int], inverse: arb_mat) -> arb:
        """|A_K^+| at most, of columns as they are."""
        norms = [self.norms[k] for k in chosen]
        return norm(
            [
                x / (norms[i] * norms[k])
                for i, row in enumerate(inverse.tolist())
                for k, x in enumerate(row)
            ]
        ).sqrt()

    def lost(self, precision: int, doubt: float) -> str:
        """Why beta is left open, or nothing.

        `doubt` is the share up to which the weights are known.
        """
        if not any(each > 0 for each in self.norms):
            return ""  # every point is zero, and every beta a minimiser
        chosen, inverse = self.spanning()
        bound = self._granted(_Sample(self, chosen, inverse), precision, doubt)
        if bound is None:
            return "so few bits hardly determine beta on this sample"
        slopes = [inner(self.columns[k], self.rest) / self.norms[k] for k in chosen]
        turned = inverse * arb_mat([[x] for x in slopes])
        squared = inner(slopes, turned.entries())  # |P r|^2
        nearest, farthest = (x.max(arb(0)).sqrt() for x in (squared.lower(), squared.upper()))
        if nearest > bound:
            return (
                f"beta is {float(nearest / bound):.1e} times as far from a minimiser as granted: "
                "wrong, or of a method that loses digits with the square of the condition"
            )
        if not (farthest <= bound or (farthest - nearest) * _SHARP < bound):
            raise Undecided
        return ""

    def _granted(self, sample: _Sample, precision: int, doubt: float) -> arb | None:
        """The largest |P r| that is granted, or None where a mistake of a sixteenth would pass."""
        some, whole = self.some, sample.whole
        left, length = norm(self.rest), norm(self.beta)

        def solved(moved: arb, squeezed: arb) -> arb:
            """A problem nearby: |f| + |D beta| and |(A_K^+)^T D_K^T| are such."""
            return moved + squeezed * (left + moved) + doubt * (2 * left + moved)

        columns, squeezed = some * (sample.size + self.reach), some * sample.squeeze
        singular, plain = columns + some * whole * length, some * sample.plain * whole
        third, half = (arb(2) ** -bits for bits in (fine(precision), precision // 2))
        bound = solved(columns, squeezed)
        for other, share in (
            (solved(singular, squeezed), half),
            (sample.squeeze * columns, third),
            (solved(singular, plain), half),
            (plain * (whole * length + sample.size), half),
        ):
            if sample.keeps(other, share):
                bound = bound.max(other)
        # Where the sample does not span, how much is lost is a choice of the program.
        least = arb(GROSS) if sample.spans else third
        if sample.size > 0:  # or else zero is known exactly
            bound += self.tiny * (whole + 1) * (1 + sample.squeeze)
        return bound if sample.keeps(bound, least) else None


class _Sample:
    """What a sample determines: how far beta may be from a minimiser with some |P r|."""

    def __init__(self, answer: Answer, chosen: Sequence[int], inverse: arb_mat) -> None:
        self.spans = len(chosen) == len(answer.columns)
        norms = [answer.norms[k] for k in chosen]
        self.units, self.plain = norm(inverse.entries()).sqrt(), answer.plainly(chosen, inverse)
        self.squeeze = self.units * arb(len(chosen)).sqrt()  # z sqrt|K|
        self.whole, self.size = norm(answer.norms), norm(answer.labels)
        # Against which a distance is large: the minimiser in the columns K alone, so that nothing
        # counts that fits nothing; or else what would explain the labels.
        labels = answer.labels
        slopes = [
            inner(answer.columns[k], labels) / each for k, each in zip(chosen, norms, strict=True)
        ]
        terms = (inverse * arb_mat([[x] for x in slopes])).entries()
        plainly = [term / each for term, each in zip(terms, norms, strict=True)]
        self._long = norm(terms).max(self.size)
        self._plainly_long = norm(plainly).max(self.size / self.whole)

    def keeps(self, bound: arb, share: arb) -> bool:
        """Whether a minimiser is within a share of itself, with columns in units and without."""
        return bool(
            self.units * bound <= self._long * share
            and self.plain * bound <= self._plainly_long * share
        )
