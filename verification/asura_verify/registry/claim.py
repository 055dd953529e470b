r"""A claim of the paper as an object: hypotheses, statements, checks, counterexamples.

Nothing here says whether a claim is true; `asura_verify.registry.ruling` computes that from
evidence.

>>> Range("gamma", 0, "1/4").within(Range("gamma", 0, 1))
True
>>> Fraction(1, 2) in Range("gamma", 0, "1/2")
False

Mathematics is TeX between dollar signs, here and in every statement, title and instance: a
terminal and a page make of it what they can show.

>>> print(Range("epsilon", 0, 1, closed_high=True))
$0 < \varepsilon \le 1$
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from asura.errors import AsuraError
from asura.scalars import read_scalar, write_scalar
from asura.verdict import Verdict
from asura_verify.deciding.comparisons import CheckResult
from asura_verify.deciding.strength import Strength
from asura_verify.instances.families import Family

#: Variables that are words, not letters.
_WORDS = frozenset({"degeneracy"})


class UnknownClaim(AsuraError):
    """No claim has this slug."""


@dataclass(frozen=True)
class Range:
    """A hypothesis low < variable < high; a closed end is included."""

    variable: str
    low: Fraction | None
    high: Fraction | None
    closed_low: bool
    closed_high: bool

    def __init__(
        self,
        variable: str,
        low: object = None,
        high: object = None,
        *,
        closed_low: bool = False,
        closed_high: bool = False,
    ) -> None:
        ends = (None if end is None else read_scalar(end) for end in (low, high))
        for name, value in zip(
            ("variable", "low", "high", "closed_low", "closed_high"),
            (variable, *ends, closed_low, closed_high),
            strict=True,
        ):
            object.__setattr__(self, name, value)

    def __contains__(self, value: Fraction | int) -> bool:
        above = self.low is None or value > self.low or (self.closed_low and value == self.low)
        below = self.high is None or value < self.high or (self.closed_high and value == self.high)
        return above and below

    def within(self, other: Range) -> bool:
        """Whether this range is contained in the other, of the same variable."""
        if self.variable != other.variable:
            return False
        if other.low is not None and (
            self.low is None
            or self.low < other.low
            or (self.low == other.low and self.closed_low and not other.closed_low)
        ):
            return False
        return not (
            other.high is not None
            and (
                self.high is None
                or self.high > other.high
                or (self.high == other.high and self.closed_high and not other.closed_high)
            )
        )

    def __str__(self) -> str:
        low = "" if self.low is None else write_scalar(self.low) + _below(self.closed_low)
        high = "" if self.high is None else _below(self.closed_high) + write_scalar(self.high)
        return f"${low}{_symbol(self.variable)}{high}$"


def _symbol(variable: str) -> str:
    """A Greek letter by its name, a Latin one, a word, or an expression in such letters."""
    if variable in _WORDS:
        return f"\\mathrm{{{variable}}}"
    return re.sub(r"[a-z]{2,}", lambda name: f"\\{name[0].replace('eps', 'vareps')}", variable)


def _below(closed: bool) -> str:
    return r" \le " if closed else " < "


#: The range in which Algorithm 2 is defined and keeps its invariant.
GAMMA = Range("gamma", 0, "1/2")


@dataclass(frozen=True)
class Check:
    """One predicate on the instances of one family; it serves the tests and the audit alike."""

    name: str
    family: Family
    predicate: Callable[[Any], CheckResult]

    @property
    def strength(self) -> Strength:
        """What its support is worth: exact instances, or certified ones."""
        return self.family.strength


@dataclass(frozen=True)
class Demonstration:
    """A counterexample at work: whether it refutes, and the arithmetic line by line."""

    refutes: Verdict
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Counterexample:
    """An exact instance on which a statement fails, verified anew on every run."""

    name: str
    instance: str
    verify: Callable[[], Demonstration]
    strength: Strength = Strength.EXACT


@dataclass(frozen=True)
class Computation:
    """One expensive number, such as an expectation over a whole sampling tree, judged once.

    The text that it returns is what a reader sees: the numbers on both sides. It `settles` a
    statement that asks for no more than was computed: that something exists, a finite table, or
    inequalities, decided on a whole range, to which the claim's note reduces the statement.
    """

    name: str
    perform: Callable[[], tuple[CheckResult, str]]
    strength: Strength
    settles: bool = False


class Origin(enum.Enum):
    """Who makes a claim."""

    PAPER = "the paper"
    BEYOND = "beyond the paper"
    FIELD = "the field"


class Relation(enum.Enum):
    """How a repaired statement relates to the printed one."""

    READING = "the printed statement, as it must have been meant"
    CORRECTED = "what is true instead"
    SHARPER = "a stronger statement"
    OPEN = "a stronger statement that is open"
    TEMPTING = "a form that suggests itself"
    DROPPED = "the same without one of its hypotheses"


@dataclass(frozen=True)
class Statement:
    """One assertion, with everything that can support or refute it.

    Two statements with the same `conclusion` differ in their hypotheses only. `unproved` marks
    an assertion that instances alone never settle: it takes a proof, or a computation that does.
    `citation` names the source on which an assertion rests; `defines` what a definition
    introduces. The scalar obligations in `proved_by` prove the statement together; those in
    `helped_by` only help a proof.
    """

    key: str
    text: str
    conclusion: str = ""
    hypotheses: tuple[Range, ...] = ()
    relation: Relation | None = None
    checks: tuple[Check, ...] = ()
    computations: tuple[Computation, ...] = ()
    counterexamples: tuple[Counterexample, ...] = ()
    proved_by: tuple[str, ...] = ()
    helped_by: tuple[str, ...] = ()
    theorems: tuple[str, ...] = ()
    refutations: tuple[str, ...] = ()
    citation: str = ""
    defines: str = ""
    unproved: bool = False

    def __repr__(self) -> str:
        return f"Statement({self.key}: {self.text})"

    def admits(self, parameters: Mapping[str, Fraction | int]) -> bool:
        """Whether an instance with these parameters meets the hypotheses."""
        return all(
            parameters[hypothesis.variable] in hypothesis
            for hypothesis in self.hypotheses
            if hypothesis.variable in parameters
        )

    def restricts(self, other: Statement) -> bool:
        """Whether this is the other's conclusion on a smaller range."""
        return (
            bool(self.conclusion)
            and self.conclusion == other.conclusion
            and self.hypotheses != other.hypotheses
            and all(
                any(mine.within(theirs) for mine in self.hypotheses) for theirs in other.hypotheses
            )
        )


@dataclass(frozen=True)
class Claim:
    """A claim: the printed statement, the printed steps to it, and what holds instead.

    Its theorems are those of its own slug, or of a claim that it `depends` on, or `borrows` from:
    a link to any other theorem is refused.
    """

    slug: str
    title: str
    where: str
    printed: Statement
    steps: tuple[Statement, ...] = ()
    repaired: tuple[Statement, ...] = ()
    depends: tuple[str, ...] = ()
    borrows: tuple[str, ...] = ()

    def __repr__(self) -> str:
        count = len(self.statements)
        noun = "statement" if count == 1 else "statements"
        return f"Claim({self.slug}: {self.title}, {count} {noun})"

    @property
    def origin(self) -> Origin:
        """Whose claim it is: `where` names a place in the paper, or says that there is none."""
        outside = (each for each in Origin if self.where.startswith(each.value))
        return next(outside, Origin.PAPER)

    def may_use(self, slug: str) -> bool:
        """Whether a theorem about that claim may support this one."""
        return slug == self.slug or slug in self.depends or slug in self.borrows

    @property
    def note(self) -> str:
        """The note that proves, repairs or refutes it."""
        return f"proofs_notes/{self.slug}.md"

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Printed statement, printed steps, repaired statements."""
        return (self.printed, *self.steps, *self.repaired)

    def statement(self, key: str) -> Statement:
        """The statement with this key."""
        return next(statement for statement in self.statements if statement.key == key)
