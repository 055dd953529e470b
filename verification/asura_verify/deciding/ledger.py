"""Comparisons with three outcomes, and their conjunction: one judgement per instance.

>>> ledger = Ledger()
>>> ledger.equal("sum of p", Fraction(1), 1)
>>> ledger.at_most("m", 9, 8)
>>> ledger.judgement().verdict.fails, ledger.judgement().comparison
(True, 'm: 9 <= 8')
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, fmpq, fmpq_mat

from asura.arithmetic.exact import RationalForm
from asura.definiteness import (
    ball_positive_definite,
    positive_definite,
    positive_semidefinite,
    width,
)
from asura.scalars import Enclosure, fraction, rational, show_scalar
from asura.verdict import FAILS, HOLDS, Verdict, decided, undecided

Number = Fraction | int | fmpq | arb | Enclosure
Symmetric = RationalForm | fmpq_mat | arb_mat

#: An identity between balls counts when both sides overlap and are known to so many bits.
IDENTITY_BITS = 30


@dataclass(frozen=True, slots=True)
class Judgement:
    """One predicate on one instance; `applies` is false when a premise does not hold there."""

    verdict: Verdict
    applies: bool = True
    comparison: str = ""


VACUOUS = Judgement(HOLDS, applies=False)


def show(value: Number) -> str:
    """A number for people.

    >>> show(fmpq(1, 3)), show(Fraction(7))
    ('1/3', '7')
    """
    if isinstance(value, arb):
        return str(value.str(12))
    if isinstance(value, Enclosure):
        if not value.exact:
            return f"{float(value):.10g} (within {float(value.radius):.1g})"
        value = value.lower
    if isinstance(value, fmpq):
        value = fraction(value)
    return show_scalar(Fraction(value))


def _enclosure(value: Number) -> Enclosure:
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, arb):
        middle, radius = fraction(value.mid().fmpq()), fraction(value.rad().fmpq())
        return Enclosure(middle - radius, middle + radius)
    exact = fraction(_exact(value))
    return Enclosure(exact, exact)


def _ball(value: Fraction | int | fmpq | arb) -> arb:
    if isinstance(value, arb):
        return value
    return arb(_exact(value))


def _exact(value: Fraction | int | fmpq) -> fmpq:
    return value if isinstance(value, fmpq) else rational(Fraction(value))


def equal(left: Number, right: Number) -> Verdict:
    """Decide left = right: exactly for rationals; enclosures must overlap and be narrow."""
    if isinstance(left, arb | Enclosure) or isinstance(right, arb | Enclosure):
        return _agree(_enclosure(left), _enclosure(right))
    return decided(_exact(left) == _exact(right))


def _agree(first: Enclosure, second: Enclosure) -> Verdict:
    if first.exact and second.exact:
        return decided(first.lower == second.lower)
    if first.upper < second.lower or second.upper < first.lower:
        return FAILS
    spread = max(first.upper, second.upper) - min(first.lower, second.lower)
    size = max(abs(first.midpoint), abs(second.midpoint), Fraction(1))
    return HOLDS if spread <= size / 2**IDENTITY_BITS else undecided(spread)


def at_most(left: Number, right: Number) -> Verdict:
    """Decide left <= right."""
    if isinstance(left, Enclosure) or isinstance(right, Enclosure):
        lower, upper = _enclosure(left), _enclosure(right)
        if lower.upper <= upper.lower:
            return HOLDS
        return FAILS if lower.lower > upper.upper else undecided(lower.radius + upper.radius)
    if not isinstance(left, arb) and not isinstance(right, arb):
        return decided(_exact(left) <= _exact(right))
    first, second = _ball(left), _ball(right)
    if first <= second:
        return HOLDS
    if first > second:
        return FAILS
    return undecided(width(first) + width(second))


def less(left: Number, right: Number) -> Verdict:
    """Decide left < right."""
    return ~at_most(right, left)


def _matrix(form: Symmetric) -> fmpq_mat | arb_mat:
    return form.matrix() if isinstance(form, RationalForm) else form


def semidefinite(form: Symmetric) -> Verdict:
    """Decide v^T M v >= 0 for all v; with balls only strict definiteness can be shown."""
    matrix = _matrix(form)
    if isinstance(matrix, fmpq_mat):
        return positive_semidefinite(matrix)
    verdict = ball_positive_definite(matrix)
    # A ball around a singular semidefinite matrix may be refused on a pivot that touches zero.
    return verdict if verdict.holds else _negative_direction(matrix)


def _negative_direction(matrix: arb_mat) -> Verdict:
    """Fails when a diagonal entry or a 2 by 2 minor is certainly negative; else undecided."""
    size = matrix.nrows()
    for i in range(size):
        if matrix[i, i] < 0:
            return FAILS
        for k in range(i):
            if matrix[i, i] * matrix[k, k] - matrix[i, k] * matrix[i, k] < 0:
                return FAILS
    return undecided()


def definite(form: Symmetric) -> Verdict:
    """Decide v^T M v > 0 for all v != 0."""
    matrix = _matrix(form)
    if isinstance(matrix, fmpq_mat):
        return positive_definite(matrix)
    return ball_positive_definite(matrix)


class Ledger:
    """The comparisons that one predicate makes, as a conjunction."""

    def __init__(self) -> None:
        self._verdict = HOLDS
        self._comparison = ""

    def _enter(self, verdict: Verdict, what: str, sides: tuple[str, ...] = ()) -> None:
        if verdict.holds:
            return
        if not self._comparison or (verdict.fails and not self._verdict.fails):
            self._comparison = f"{what}: {' '.join(sides)}" if sides else what
        self._verdict = self._verdict & verdict

    def equal(self, what: str, left: Number, right: Number) -> None:
        """Left = right."""
        verdict = equal(left, right)
        if not verdict.holds:
            self._enter(verdict, what, (show(left), "=", show(right)))

    def at_most(self, what: str, left: Number, right: Number) -> None:
        """Left <= right."""
        verdict = at_most(left, right)
        if not verdict.holds:
            self._enter(verdict, what, (show(left), "<=", show(right)))

    def less(self, what: str, left: Number, right: Number) -> None:
        """Left < right."""
        verdict = less(left, right)
        if not verdict.holds:
            self._enter(verdict, what, (show(left), "<", show(right)))

    def semidefinite(self, what: str, form: Symmetric) -> None:
        """v^T M v >= 0 for all v."""
        self._enter(semidefinite(form), what)

    def definite(self, what: str, form: Symmetric) -> None:
        """v^T M v > 0 for all v != 0."""
        self._enter(definite(form), what)

    def that(self, what: str, truth: bool) -> None:
        """A statement that was decided already."""
        self._enter(decided(truth), what)

    def judgement(self) -> Judgement:
        """The conjunction, and the first comparison that failed."""
        return Judgement(self._verdict, comparison=self._comparison)
