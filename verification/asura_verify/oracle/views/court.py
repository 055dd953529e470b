"""What happens to one value: it is right, it is accused, or it decides too little."""

from __future__ import annotations

import math
from collections.abc import Iterable

from flint import arb, fmpq

from asura.errors import Undecided
from asura_verify.oracle.judgement import SLUGS, Violation
from asura_verify.oracle.trace.values import (
    Raw,
    abbreviated,
    claims_exactness,
    is_rounded,
    number,
    shown,
)
from asura_verify.oracle.truth.allowance import GROSS

#: Violations that are kept in full.
KEPT = 16
#: What is said of a value that only a method explains which shows nothing on these data.
BEYOND = "is off by more than the methods allow that keep enough digits on these data"


class NeedsExactness(Undecided):
    """A value claims to be exact, and the run was not prepared for that."""


def placed(field: str, place: int | None) -> str:
    """The name of a value in a list."""
    return field if place is None else f"{field}[{place}]"


def ratio(error: fmpq, bound: fmpq) -> float:
    """A quotient of rationals as a double; a bound of zero allows nothing.

    >>> ratio(fmpq(1, 2), fmpq(2)), ratio(fmpq(0), fmpq(0)), ratio(fmpq(1), fmpq(0))
    (0.25, 0.0, inf)
    """
    if bound == 0:
        return 0.0 if error == 0 else math.inf
    share = error / bound
    try:
        return int(share.p) / int(share.q)
    except OverflowError:
        return math.inf


class Court:
    """The record of one trace: how many values were judged, and which are wrong."""

    def __init__(self, precision: int, *, exact: bool) -> None:
        self.precision = precision
        self.digits = max(17, int(precision * 0.302) + 3)
        self.exact = exact  # some value of the trace claims to be
        self.rounded = False  # and some value does not
        self.checked: dict[str, int] = {}
        self.undecided: dict[str, int] = {}  # within an allowance that decides nothing
        self.vague: dict[str, int] = {}  # right, but a gross mistake would have passed as well
        self.open_at: set[int] = set()
        self.violations: list[Violation] = []
        self.wrong: dict[str, int] = {}
        # The first ones by line and field, where a list of probabilities is one: KEPT and one more.
        self.places: dict[tuple[int, str], Violation] = {}
        self.ratios: dict[str, float] = {}  # the largest error of a field in units of its allowance
        self.farthest = 0.0  # the largest error in units of what it is relative to
        self.loosest = 0.0  # the largest allowance of a value
        self.unexplained = ""  # the first value that is left open for its program's sake, and why
        self.doubts: list[str] = []  # what else leaves the trace open

    @property
    def violated(self) -> int:
        """How many values are wrong."""
        return sum(self.wrong.values())

    @property
    def worst(self) -> float:
        """The largest error in units of its allowance."""
        return max(self.ratios.values(), default=0.0)

    def heed(self, raws: Iterable[Raw | None]) -> None:
        """Notice how values are written: as rationals that must be exact, or as rounded ones."""
        for raw in raws:
            if isinstance(raw, float):
                self.rounded = True
            elif isinstance(raw, str):
                self.rounded = self.rounded or is_rounded(raw)
                if not self.exact and claims_exactness(raw):
                    raise NeedsExactness

    def count(self, field: str, many: int = 1) -> None:
        """So many values of a field were judged."""
        self.checked[field] = self.checked.get(field, 0) + many

    def leave_open(self, field: str, many: int = 1) -> None:
        """So many values passed that would have passed with a gross mistake."""
        self.vague[field] = self.vague.get(field, 0) + many
        self.undecided[field] = self.undecided.get(field, 0) + many

    def doubt(self, why: str) -> None:
        """Leave the whole trace open, however few values that are."""
        self.doubts.append(why)

    @property
    def doubtful(self) -> list[str]:
        """Why the whole trace is open."""
        return [self.unexplained, *self.doubts] if self.unexplained else self.doubts

    def leave_unexplained(self, j: int | None, field: str) -> None:
        """Only a method explains it that may have lost as much as a mistake would cost."""
        where = "the end" if j is None else f"j={j}"
        self.unexplained = self.unexplained or f"{field} at {where} {BEYOND}"

    def accuse(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: object,
        low: arb | str,
        high: arb | str,
        gap: float | None,
        allowance: float,
        message: str,
    ) -> None:
        """Record a violation; only the first few are kept in full."""
        self.farthest = max(self.farthest, math.inf if gap is None else gap * allowance)
        kind = field.partition("[")[0]
        self.wrong[kind] = self.wrong.get(kind, 0) + 1
        if gap is not None:
            self.observe(kind, gap)
        place = line, kind if kind == "probabilities" else field
        new = len(self.places) <= KEPT and place not in self.places
        if not new and len(self.violations) >= KEPT:
            return
        violation = Violation(
            line,
            j,
            field,
            abbreviated(raw, 120),
            low if isinstance(low, str) else shown(low, self.digits),
            high if isinstance(high, str) else shown(high, self.digits),
            gap,
            allowance,
            SLUGS[kind],
            message,
        )
        if new:
            self.places[place] = violation
        if len(self.violations) < KEPT:
            self.violations.append(violation)

    def compare(
        self,
        line: int,
        j: int | None,
        field: str,
        given: fmpq,
        expected: fmpq,
        bound: fmpq,
        relation: str,
        *,
        place: int | None = None,
    ) -> bool:
        """Judge a value by a relation, exactly; whether it is right."""
        error = abs(given - expected)
        if error <= bound:
            self.observe(field, ratio(error, bound))
            return True
        self.accuse(
            line, j, placed(field, place), shown(arb(given), self.digits),
            arb(expected - bound), arb(expected + bound),
            None if bound == 0 else ratio(error, bound), ratio(bound, abs(expected)),
            f"breaks the relation {relation}",
        )  # fmt: skip
        return False

    def value(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: Raw | None,
        true: arb,
        allowed: float,
        *,
        widest: float = 0.0,
        scale: arb | None = None,
        place: int | None = None,
        listed: bool = False,
    ) -> bool:
        """Judge |reported - true| <= allowed * scale, with scale |true| unless given.

        Up to `widest` it is left open. Returns whether it is not wrong; what a list leaves open is
        counted by who reads the list.
        """
        if raw is None:
            return True
        self.count(field)
        self.loosest = max(self.loosest, allowed)
        error = abs(number(raw) - true)
        size = abs(true) if scale is None else scale
        near, bound = size * allowed, size * max(allowed, widest)
        if claims_exactness(raw):
            if error > 0:
                self.accuse(
                    line, j, placed(field, place), raw, true.lower(), true.upper(), None, 0.0,
                    "a rational claims to be exact, and is not the true value",
                )  # fmt: skip
                return False
        elif error <= near:
            self.note(field, error, bound)
            if allowed >= GROSS and not listed:
                self.leave_open(field)
        elif error > near and error <= bound:
            self.note(field, error, bound)
            self.leave_unexplained(j, placed(field, place))
        elif error > bound:
            gap = float(error / bound) if bound > 0 else None
            self.accuse(
                line, j, placed(field, place), raw, true - bound, true + bound, gap,
                max(allowed, widest),
                "not what the algorithm computes here",
            )  # fmt: skip
            return False
        else:
            raise Undecided
        return True

    def note(self, field: str, error: arb, bound: arb) -> None:
        """How much of its allowance a value takes."""
        size = float(bound)
        if size > 0:
            self.observe(field, float(error) / size)

    def observe(self, field: str, share: float) -> None:
        """A ratio, which is of interest for doubles and less."""
        if self.precision <= 53 and share > self.ratios.get(field, 0.0):
            self.ratios[field] = share
