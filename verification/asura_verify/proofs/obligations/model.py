"""A scalar inequality over all real parameters, and the result of an attempt to prove it.

Three methods. `solver`: the negation is unsatisfiable over the reals (z3), and the hypotheses
are satisfiable, so that nothing is proved from a contradiction. `identity`: a difference of
rational functions vanishes (SymPy). `ball`: an inequality of constants, decided in Arb.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
import z3
from flint import arb, ctx

#: Milliseconds that the solver may take for one obligation; beyond, it counts as unproved.
SOLVER_MILLISECONDS = 8_000

#: Bits with which constants are compared.
BALL_BITS = 192


class ProofOutcome(enum.Enum):
    """What came of an attempt."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An outcome with its witness: a counterexample, or an example of what was claimed to exist."""

    outcome: ProofOutcome
    witness: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One obligation, its outcome, and how long that took."""

    obligation: Obligation
    outcome: ProofOutcome
    witness: str | None
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the statement is proved; unknown is unproved."""
        return self.outcome is ProofOutcome.PROVED


@dataclass(frozen=True, slots=True)
class Obligation:
    """A named statement; `slug` is the claim, or identity, that rests on it."""

    name: str
    slug: str
    statement: str
    method: str
    attempt: Callable[[], Attempt]

    def prove(self) -> Result:
        """Try to prove it, now."""
        start = time.perf_counter()
        found = self.attempt()
        return Result(self, found.outcome, found.witness, time.perf_counter() - start)


#: A formula of z3; the package has no types.
Formula = Any
Question = Callable[[], tuple[Sequence[Formula], Formula]]


def real(value: Fraction) -> Formula:
    """A rational as a number of z3."""
    return z3.RealVal(value.numerator) / z3.RealVal(value.denominator)


def _check(formulas: Sequence[Formula]) -> tuple[Any, str | None]:
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", SOLVER_MILLISECONDS)
    solver.add(*formulas)
    answer = solver.check()
    if answer != z3.sat:
        return answer, None
    model = solver.model()
    named = sorted((d for d in model.decls() if d.arity() == 0), key=lambda d: str(d.name()))
    return answer, ", ".join(f"{d.name()} = {model[d]}" for d in named)


def always(question: Question) -> Attempt:
    """Prove that the hypotheses imply the conclusion, for all reals.

    >>> x = z3.Real("x")
    >>> always(lambda: ([x > 0], x + 1 / x >= 2)).outcome.value
    'proved'
    >>> always(lambda: ([x > 0], x + 1 / x >= 3)).outcome.value
    'refuted'
    >>> always(lambda: ([x > 0, x < 0], x > 7)).witness
    'the hypotheses contradict each other'
    """
    hypotheses, conclusion = question()
    answer, model = _check([*hypotheses, z3.Not(conclusion)])
    if answer == z3.sat:
        return Attempt(ProofOutcome.REFUTED, model)
    if answer != z3.unsat:
        return Attempt(ProofOutcome.UNKNOWN, "the solver gave up")
    possible, _ = _check(hypotheses)
    if possible == z3.sat:
        return Attempt(ProofOutcome.PROVED)
    reason = (
        "the hypotheses contradict each other"
        if possible == z3.unsat
        else "the solver cannot tell whether the hypotheses are possible"
    )
    return Attempt(ProofOutcome.UNKNOWN, reason)


def somewhere(question: Question) -> Attempt:
    """Prove that hypotheses and conclusion can hold together, by an example."""
    hypotheses, conclusion = question()
    answer, model = _check([*hypotheses, conclusion])
    if answer == z3.sat:
        return Attempt(ProofOutcome.PROVED, model)
    return Attempt(ProofOutcome.REFUTED if answer == z3.unsat else ProofOutcome.UNKNOWN)


def vanishes(difference: Callable[[], sympy.Expr]) -> Attempt:
    """Prove that a rational function is zero, by bringing it to one denominator.

    >>> a, b = sympy.symbols("a b")
    >>> vanishes(lambda: (a + b) ** 2 - a**2 - 2 * a * b - b**2).outcome.value
    'proved'
    """
    numerator, _ = sympy.fraction(sympy.cancel(sympy.together(difference())))
    rest = sympy.expand(numerator)
    if rest == 0:
        return Attempt(ProofOutcome.PROVED)
    return Attempt(ProofOutcome.REFUTED, f"the difference is {rest} up to a factor")


def constants(left: Callable[[], arb], right: Callable[[], arb]) -> Attempt:
    """Decide left <= right for two real constants.

    >>> constants(lambda: arb(2).sqrt(), lambda: arb(3) / 2).outcome.value
    'proved'
    """
    with ctx.workprec(BALL_BITS):
        first, second = left(), right()
        if first <= second:
            return Attempt(ProofOutcome.PROVED, f"{first.str(8)} <= {second.str(8)}")
        if first > second:
            return Attempt(ProofOutcome.REFUTED, f"{first.str(8)} > {second.str(8)}")
    return Attempt(ProofOutcome.UNKNOWN, f"{first.str(8)} and {second.str(8)} overlap")


def rationals(truth: Callable[[], bool], shown: Callable[[], Fraction] | None = None) -> Attempt:
    """Decide a statement about rational constants."""
    witness = None if shown is None else str(shown())
    return Attempt(ProofOutcome.PROVED if truth() else ProofOutcome.REFUTED, witness)


def solver(name: str, slug: str, statement: str, question: Question) -> Obligation:
    """Statement for all reals, by z3."""
    return Obligation(name, slug, statement, "z3, negation unsatisfiable", lambda: always(question))


def example(name: str, slug: str, statement: str, question: Question) -> Obligation:
    """Existence, by a z3 model."""
    return Obligation(name, slug, statement, "z3, model", lambda: somewhere(question))


def identity(
    name: str, slug: str, statement: str, difference: Callable[[], sympy.Expr]
) -> Obligation:
    """Identity of rational functions, by SymPy."""
    return Obligation(name, slug, statement, "SymPy, identity", lambda: vanishes(difference))


def ball(
    name: str, slug: str, statement: str, left: Callable[[], arb], right: Callable[[], arb]
) -> Obligation:
    """Inequality of two real constants, by Arb."""
    return Obligation(name, slug, statement, "Arb, enclosures", lambda: constants(left, right))


def exact(
    name: str,
    slug: str,
    statement: str,
    truth: Callable[[], bool],
    shown: Callable[[], Fraction] | None = None,
) -> Obligation:
    """Statement about rational constants, by exact arithmetic."""
    return Obligation(name, slug, statement, "exact rationals", lambda: rationals(truth, shown))
