"""A kernel matrix K: which of its rows are independent, and kernel ridge as an isometry.

K = L L^T turns kernel ridge regression into ridge regression: X_1 = K and X_2 = sqrt(lambda) L^T
are (L; sqrt(lambda) I) times L^T, and coordinates do not matter. So two Cholesky factorisations
in balls give the rows U(x) with U^T U = I. Rank is decided by balls where K is definite, and
exactly only where a row follows from others.

>>> KernelMatrix(fmpq_mat([[4, 4, 2], [4, 4, 2], [2, 2, 5]])).basis
[0, 2]
>>> KernelMatrix(fmpq_mat([[1, 2], [2, 1]])).basis is None               # not semidefinite
True
"""

from __future__ import annotations

from functools import cached_property

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, nmod_mat

from asura.definiteness import factor_ldl
from asura.errors import Undecided
from asura.factoring import Factor, cholesky, negative_direction, triangular_product

#: A prime modulo which the rank is guessed; a wrong guess is found out.
PRIME = 2**61 - 1
#: Bits of the first balls, and those beyond which a decision is made exactly.
FIRST_BITS, MOST_BITS = 128, 4096


def part(matrix: fmpq_mat, rows: list[int], columns: list[int]) -> fmpq_mat:
    """The entries in some rows and columns."""
    if len(rows) == matrix.nrows() and len(columns) == matrix.ncols():
        return matrix
    return fmpq_mat(len(rows), len(columns), [matrix[i, k] for i in rows for k in columns])


class KernelMatrix:
    """A symmetric rational matrix."""

    def __init__(self, entries: fmpq_mat) -> None:
        self.entries = entries
        self.size = entries.nrows()
        self._factors: dict[int, Factor | None] = {}

    @cached_property
    def basis(self) -> list[int] | None:
        """The rows that do not depend on those before them; None when K is not semidefinite.

        They are guessed modulo a prime. Balls prove that K is definite on them; that the others
        follow from them is decided exactly.
        """
        others = [i for i in range(self.size) if i not in set(self._guess)]
        definite = self._definite() if self._guess else True
        if definite is False:
            return None
        if definite and (not others or self._follow(others)):
            return self._guess
        factors = factor_ldl(self.entries)  # the guess was wrong, or the balls left it open
        return None if factors is None else [i for i, pivot in enumerate(factors[1]) if pivot != 0]

    @cached_property
    def _guess(self) -> list[int]:
        """The pivot columns modulo the prime."""
        integers, _ = self.entries.numer_denom()
        reduced, rank = nmod_mat(integers, PRIME).rref()
        return [next(k for k in range(self.size) if int(reduced[i, k]) != 0) for i in range(rank)]

    def _factor(self, basis: list[int], bits: int) -> Factor | None:
        """K on the basis, factored; kept for the guess."""
        with ctx.workprec(bits):
            return cholesky(arb_mat(part(self.entries, basis, basis)))

    def factor(self, bits: int) -> Factor | None:
        """L L^T = K on the basis."""
        if bits not in self._factors:
            self._factors[bits] = self._factor(self.basis or [], bits)
        return self._factors[bits]

    def _definite(self) -> bool | None:
        """Whether K is positive definite on the guess; None when no precision decides it."""
        bits = FIRST_BITS
        guess = part(self.entries, self._guess, self._guess)
        while bits <= MOST_BITS:
            found = self._factor(self._guess, bits)
            if found is not None:
                self._factors[bits] = found
                return True
            if bits == FIRST_BITS and negative_direction(arb_mat(guess)) is not None:
                return False
            bits *= 2
        return None

    def _follow(self, others: list[int]) -> bool:
        """Whether K_oo = K_ob K_bb^-1 K_bo: then K has the rank, and the signs, of K_bb."""
        basis = self._guess
        rest = part(self.entries, others, others)
        if not basis:
            return bool(rest == fmpq_mat(len(others), len(others)))
        mixed = part(self.entries, basis, others)
        return bool(mixed.transpose() * part(self.entries, basis, basis).solve(mixed) == rest)


class Isometry:
    """Kernel ridge regression in balls: the rows U(x), and the way back to beta."""

    def __init__(self, kernel: KernelMatrix, lam: fmpq, bits: int) -> None:
        basis, found = kernel.basis, kernel.factor(bits)
        if found is None or not basis:
            raise Undecided
        self._factor = found
        self._bits = bits
        size, rank = kernel.size, len(basis)
        self._full = rank == size
        with ctx.workprec(bits):
            if self._full:
                self._left = found.lower
            else:
                columns = arb_mat(part(kernel.entries, list(range(size)), basis))
                self._left = columns * found.inverse.transpose()  # L, with K = L L^T
            penalty = [arb(lam) if i == k else arb(0) for i in range(rank) for k in range(rank)]
            gram = self._left.transpose() * self._left + arb_mat(rank, rank, penalty)
            whitened = cholesky(gram)
            if whitened is None:
                raise Undecided
            self._whitening = whitened.inverse  # R, with R G R^T = I
            # The rows are (L; sqrt(lambda) I) R^T; where no row is kept, X_2 has a zero row.
            first = triangular_product(self._whitening, self._left.transpose()).transpose()
            scaled = (self._whitening.transpose() * arb(lam).sqrt()).tolist()
            kept = dict(zip(basis, scaled, strict=True))
            zeros = [arb(0)] * rank
            self.rows = arb_mat([*first.tolist(), *(kept.get(i, zeros) for i in range(size))])

    @cached_property
    def lift_matrix(self) -> arb_mat:
        """What takes b to the beta of least norm with L^T beta = R^T b."""
        with ctx.workprec(self._bits):
            back = self._whitening.transpose()
            if self._full:
                return self._factor.inverse.transpose() * back
            found = cholesky(self._left.transpose() * self._left)
            if found is None:
                raise Undecided
            return self._left * (found.inverse.transpose() * (found.inverse * back))

    def precise(self, bits: int) -> bool:
        """Whether every row is known up to 2^-bits of its largest coordinate."""
        for row in self.rows.tolist():
            radius = max(x.rad() for x in row)
            if not radius <= max(abs(x.mid()) for x in row) * arb(2) ** -bits:
                return False
        return True


def isometry(kernel: KernelMatrix, lam: fmpq, wanted: int) -> Isometry:
    """The rows U(x) up to 2^-wanted, by as many bits as that takes."""
    bits = 64 * (2 + (wanted - 1) // 64)
    while bits <= MOST_BITS + 4 * wanted:
        try:
            found = Isometry(kernel, lam, bits)
        except Undecided:
            pass
        else:
            if found.precise(wanted):
                return found
        bits += max(64, bits // 2)
    raise Undecided
