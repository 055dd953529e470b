"""One wrong step, and what it leads to: a program that slips once goes on from there.

The local view shows that all other steps follow from the reported state. What else is wrong has to
be an echo of the slip: its pick, the barriers of the next line, and its share of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from asura.scalars import rational
from asura.trace import IterationLine, Line, ResultLine
from asura_verify.oracle.judgement import LocalView, Violation
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.views.court import KEPT
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.relations import MIDDLE, NORMALISED, exactly


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A step of the trace, the one before, and the result."""

    before: IterationLine | None
    step: IterationLine
    result: ResultLine


#: Reads the trace again, around the step of a line.
Reader = Callable[[int], Surroundings]


def around(lines: Iterable[tuple[int, Line]], number: int) -> Surroundings:
    """The lines that tell what a slip at this one leads to."""
    before, step, result = None, None, None
    for place, line in lines:
        if isinstance(line, ResultLine):
            result = line
        elif isinstance(line, IterationLine) and place in {number - 1, number}:
            before, step = step, line
    assert step is not None  # noqa: S101 - the line of a step that was judged
    assert result is not None  # noqa: S101 - and so was the end
    return Surroundings(before, step, result)


def slipped(judge: Judge, local: LocalView | None, read: Reader) -> int | None:
    """The line of the only step that is wrong, if all else that is wrong is its echo.

    In a run that was replayed every value after a slip differs from the true one, and nobody can
    tell which of them follow: there none is named.
    """
    if local is None or local.first is None or judge.violations[0].line != local.first.line:
        return None
    slip, last = local.first.line, len(judge.picks) + 2
    every = local.judged == len(judge.picks) > 1
    if not every or local.judged - local.followed != 1:
        return None
    elsewhere = [v for v in judge.places.values() if not _own(v, slip, last)]
    if not judge.from_states or len(judge.places) > KEPT:
        return None
    picks = [v for v in elsewhere if v.field == "index"]
    if len(picks) != judge.wrong.get("index", 0):
        return None
    if any(v.line != (slip if v in picks else last) for v in elsewhere):
        return None
    if elsewhere:
        echoes = Echoes(judge, read(slip), ends=slip + 1 == last)
        return slip if all(map(echoes.explain, elsewhere)) else None
    return slip


def _own(violation: Violation, slip: int, last: int) -> bool:
    """Whether the local view has judged a value, in the step that slipped or as what it leads to.

    It asks whether u and l follow from the phi of the line before, as reported.
    """
    if violation.line == slip:
        return violation.field != "index"
    return violation.line == slip + 1 < last and violation.field in {"u", "l"}


class Echoes:
    """What follows from one step as reported, in its pick and in the result."""

    def __init__(self, judge: Judge, seen: Surroundings, *, ends: bool) -> None:
        """Whether the loop ends with this step."""
        self._judge, self._seen, self._ends = judge, seen, ends
        self._gamma = judge.relations.gamma
        self._rates = {
            "u": self._gamma / (1 - 2 * self._gamma),
            "l": self._gamma / (1 + 2 * self._gamma),
        }

    def explain(self, violation: Violation) -> bool:
        """Whether the slip, as reported, reproduces another wrong value."""
        field, j, result = violation.field, self._seen.step.j, self._seen.result
        if field == "index":
            return self._picked()
        if field in {"u", "l"}:
            return self._ends and self._barrier(field, getattr(result, field), violation.allowance)
        if field == f"weights[{j}]" and result.weights is not None:
            return self._normalised(result.weights[j], self._weight())
        if field == f"alphas[{j}]" and result.alphas is not None:
            return any(self._normalised(result.alphas[j], share) for share in self._shares())
        if field == "alphas" and result.alphas is not None:
            return self._total(result.alphas, violation.allowance)
        return False

    # -- the pick ----------------------------------------------------------------------------

    def _picked(self) -> bool:
        """p_0 + ... + p_(i-1) <= r_j < p_0 + ... + p_i as listed, in units of their sum or of 1."""
        step, uniforms = self._seen.step, self._judge.uniforms
        if step.probabilities is None or uniforms is None:
            return False
        chances = [exactly(raw) for raw in step.probabilities]
        total, low = sum(chances, fmpq(0)), sum(chances[: step.index], fmpq(0))
        high = low + chances[step.index]
        slack = total * self._judge.relations.off(2 * len(chances))
        target = rational(uniforms.values[step.j])
        return any(low - slack <= target * unit <= high + slack for unit in (fmpq(1), total))

    # -- the result --------------------------------------------------------------------------

    def _weight(self) -> fmpq | None:
        weight = self._seen.step.weight
        return None if weight is None else exactly(weight)

    def _shares(self) -> list[fmpq]:
        """gamma/phi and p weight, whichever the trace reports."""
        step, weight, shares = self._seen.step, self._weight(), []
        if step.phi is not None and exactly(step.phi) != 0:
            shares.append(self._gamma / exactly(step.phi))
        if step.p is not None and weight is not None:
            shares.append(exactly(step.p) * weight)
        return shares

    def _mid(self) -> tuple[fmpq, fmpq] | None:
        """A positive mid as reported, or else from the barriers, and its doubt as a share."""
        result, off = self._seen.result, self._judge.relations.off
        if result.mid is not None:
            mid, doubt = exactly(result.mid), fmpq(0)
        elif result.u is not None and result.l is not None:
            upper = exactly(result.u)
            mid = (upper + exactly(result.l)) / 2
            doubt = abs(upper) * off(2) + abs(mid) * off(MIDDLE)
        else:
            return None
        return (mid, doubt / mid) if mid > 0 else None

    def _normalised(self, raw: Raw, part: fmpq | None) -> bool:
        """Whether a value of the result is this part of the step, divided by mid."""
        middle = self._mid()
        if middle is None or part is None:
            return False
        mid, doubt = middle
        share = self._judge.relations.off(NORMALISED + 1) + doubt
        return bool(abs(exactly(raw) - part / mid) <= abs(part / mid) * share)

    def _grown(self, field: str, line: IterationLine | None) -> fmpq | None:
        """What u or l is after a line, or before the first one."""
        if line is None:
            start = 2 * self._judge.relations.dimension / self._gamma
            return start if field == "u" else -start
        old = getattr(line, field)
        if old is None or line.phi is None or exactly(line.phi) == 0:
            return None
        return exactly(old) + self._rates[field] / exactly(line.phi)

    def _barrier(self, field: str, raw: Raw | None, allowance: float) -> bool:
        """Whether u_m or l_m follows from the reported phi of the last step."""
        expected = self._grown(field, self._seen.step)
        if raw is None or expected is None:
            return False
        return bool(abs(exactly(raw) - expected) <= abs(expected) * _share(allowance))

    def _total(self, alphas: list[Raw], allowance: float) -> bool:
        """A barrier that slips by s moves mid by s/2, to which no phi contributes.

        sum gamma/phi_j = (1 - 4 gamma^2)(mid - s/2), where s adds up the slips of u and l; the
        alpha of the step may be p weight/mid, which is another share than gamma/(phi mid).
        """
        step, middle = self._seen.step, self._mid()
        if middle is None or step.phi is None or exactly(step.phi) == 0:
            return False
        mid, slip = middle[0], fmpq(0)
        for field in self._rates:
            given = getattr(step, field)
            expected = self._grown(field, self._seen.before)
            if given is None or expected is None:
                return False
            slip += exactly(given) - expected
        whole = 1 - 4 * self._gamma * self._gamma
        other = exactly(alphas[step.j]) - self._gamma / (exactly(step.phi) * mid)
        total = sum(map(exactly, alphas), fmpq(0))
        expected = whole * (1 - slip / (2 * mid)) + other
        return bool(abs(total - expected) <= whole * _share(allowance))


def _share(allowance: float) -> fmpq:
    """An allowance, which may be infinite, as a share that says something."""
    return rational(Fraction(min(allowance, 2.0**-10)))
