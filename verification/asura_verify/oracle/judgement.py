"""What the oracle says about one trace."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import StrEnum

from asura.trace import HeaderLine


class Ruling(StrEnum):
    """The four verdicts of the contract."""

    CONFORMS = "conforms"
    VIOLATES = "violates"
    MALFORMED = "malformed"
    UNDECIDED = "undecided"


#: Which claim a field of the trace rests on.
SLUGS = {
    "stopping": "m-bound",
    "m": "m-bound",
    "u": "invariant",
    "l": "invariant",
    "phi": "alg-potential",
    "p": "probabilities-sum",
    "probabilities": "probabilities-sum",
    "weight": "rank-one-upper",
    "index": "sampling-mass",
    "mid": "spectral",
    "weights": "spectral",
    "alphas": "sum-alpha",
    "beta": "main",
    "whitening": "alg-potential",
}

#: Fields that a trace may leave out.
OPTIONAL = (
    "u",
    "l",
    "phi",
    "p",
    "probabilities",
    "weight",
    "uniforms",
    "mid",
    "weights",
    "alphas",
    "beta",
)
#: Those of an iteration, and those of them that the result may have, too.
IN_ITERATIONS = ("u", "l", "phi", "p", "probabilities", "weight")
IN_RESULT = ("u", "l")


@dataclass(frozen=True, slots=True)
class Violation:
    """One value that cannot be right: where, what it is and what it had to be."""

    line: int
    j: int | None
    field: str
    reported: str
    lower: str
    upper: str
    gap: float | None  # the error in units of the allowance
    allowance: float
    slug: str
    message: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A known mistake that reproduces what the trace reports."""

    mistake: str
    explanation: str
    lines: int  # up to which line it reproduces the trace
    complete: bool  # whether that is the whole trace


@dataclass(frozen=True, slots=True)
class LocalView:
    """How many steps follow from the state that the trace itself reports before them."""

    judged: int
    followed: int
    first: Violation | None


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim of the registry on the values of the trace, each within its allowance.

    `places` is how often it was evaluated, `undecided` how often that was too close to say;
    line, j and detail are those of the first failure, or of the first doubt.
    """

    verdict: str  # holds, fails, undecided, or not applicable
    places: int = 0
    undecided: int = 0
    line: int | None = None
    j: int | None = None
    detail: str = ""


def named(header: HeaderLine) -> str | None:
    """What an implementation calls itself, on one line of bounded length."""
    name = header.implementation
    return None if name is None else "".join(c if c.isprintable() else "?" for c in name[:200])


def hardly_decided(checked: dict[str, int], vague: dict[str, int]) -> tuple[str, ...]:
    """The fields of which more than half of the values would pass with a gross mistake.

    A mistake is gross when it changes a value by a sixteenth of itself.

    >>> hardly_decided({"u": 4, "p": 4}, {"u": 2, "p": 3})
    ('p',)
    """
    return tuple(name for name, count in vague.items() if 2 * count > checked.get(name, 0))


@dataclass(frozen=True)
class Judgement:
    """The verdict on one trace."""

    name: str
    ruling: Ruling
    implementation: str | None = None
    checked: dict[str, int] = field(default_factory=dict)
    coverage: tuple[str, ...] = ()
    undecided: dict[str, int] = field(default_factory=dict)
    vague: dict[str, int] = field(default_factory=dict)  # a gross mistake would pass there, too
    violations: int = 0
    wrong: dict[str, int] = field(default_factory=dict)  # the violations of each field
    first: Violation | None = None
    claims: dict[str, ClaimView] = field(default_factory=dict)
    local: LocalView | None = None
    diagnosis: tuple[Diagnosis, ...] = ()
    remarks: tuple[str, ...] = ()
    worst: float = 0.0
    ratios: dict[str, float] = field(default_factory=dict)  # the largest of each field
    precision: int = 53
    condition: float = 1.0
    bits: int = 0
    length: int = 0
    drawn: int = 0  # of its picks, how many the test of the distribution has an account of
    fault: str | None = None  # why a trace is malformed
    open_at: tuple[int, ...] = ()  # iterations whose pick or end rounding may rightly decide
    meaning: str | None = None  # what failing means, for a case of `asura conform`
    flags: tuple[str, ...] = ()
    slugs: tuple[str, ...] = ()
    accepted: bool = False  # known to fail, by a baseline
    again: str | None = None

    @property
    def verdict(self) -> Ruling:
        """The ruling, by its name in the contract."""
        return self.ruling

    def __repr__(self) -> str:
        if self.ruling is Ruling.CONFORMS:
            said = f"conforms, m={self.length}"
        elif self.ruling is Ruling.UNDECIDED:
            said = f"is undecided, m={self.length}"
        elif self.first is None:
            said = f"is malformed: {self.fault}"
        else:
            named = "".join(f": {each.mistake}" for each in self.diagnosis[:1])
            said = f"violates at line {self.first.line}, {self.first.field}{named}"
        return f"Judgement({self.name} {said})"

    @property
    def by_picks(self) -> bool:
        """Whether nothing but the distribution of the picks is wrong: no value is."""
        return self.first is not None and self.first.field == "index" and not self.violations

    @property
    def decided(self) -> float:
        """The share of the judged values at which a gross mistake would have been seen."""
        judged = sum(self.checked.values())
        open_ = sum(min(count, self.checked.get(name, 0)) for name, count in self.vague.items())
        return 1 - open_ / judged if judged else 1.0

    @property
    def failed(self) -> dict[str, ClaimView]:
        """The claims that certainly fail."""
        return {slug: view for slug, view in self.claims.items() if view.verdict == "fails"}

    @property
    def command(self) -> str:
        """What reproduces this report."""
        return self.again or f"asura check {shlex.quote(self.name)}"
