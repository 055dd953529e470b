"""Check one trace: the global and the local view, the claims, and what explains a violation."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Callable, Iterable, Iterator

import msgspec
import numpy as np
from flint import ctx

from asura.arithmetic.ball import Undecided
from asura.errors import AsuraError, NotATrace
from asura.trace import (
    HeaderLine,
    IterationLine,
    ResultLine,
    trace_scalar,
)
from asura_verify.oracle.claims import ClaimJudge
from asura_verify.oracle.diagnosis import Diagnoser
from asura_verify.oracle.distribution import UNNAMED, DistributionTest
from asura_verify.oracle.judge import EXACT_BITS, HIGHEST_PRECISION, Judge, NeedsExactness
from asura_verify.oracle.local import LocalJudge
from asura_verify.oracle.reading import lines_of_file, refuse_unaffordable, untrusted
from asura_verify.oracle.report import (
    ClaimView,
    Diagnosis,
    Judgement,
    LocalView,
    Ruling,
    Violation,
)

#: Bits of a first attempt, and where doubling ends.
FIRST_BITS = 128
CEILING_BITS = 8192

#: Opens the lines of a trace, again for every pass.
Source = Callable[[], Iterator[bytes]]

_STEP_FIELDS = ("u", "l", "phi", "p", "probabilities", "weight")
_RESULT_FIELDS = ("mid", "weights", "alphas", "beta")


def _expected_bits(header: HeaderLine) -> int:
    """What a full run usually needs: the declared bits, and those that are lost on the way."""
    gamma = float(trace_scalar(header.gamma))
    width = len(header.points[0]) if header.points else 1
    # Observed: 0.45 d/gamma up to d = 8, and twice that at d = 20.
    rate = 0.5 + max(width - 8, 0) / 30
    lost = min(rate * width / gamma, 2048.0) if gamma > 0 else 0.0
    return min(max(header.precision, 64), HIGHEST_PRECISION) + 48 + int(lost)


def _fingerprint(header: HeaderLine) -> str:
    """Names the data, so that picks of the same data can be learned from."""
    return hashlib.sha256(msgspec.json.encode([header.points, header.squared_scales])).hexdigest()


class _Pass:
    """One reading of a trace at one precision."""

    def __init__(self, bits: int, test: DistributionTest | None, *, exact: bool) -> None:
        self.bits = bits
        self.exact = exact
        self.test = test
        self.judge: Judge | None = None
        self.local: LocalJudge | None = None
        self.claims: ClaimJudge | None = None
        self.seen: set[str] = set()
        self.length = 0

    def run(self, lines: Iterable[bytes]) -> Judge:
        """The global view, and alongside it the local view and the claims."""
        for number, line in untrusted(lines):
            if isinstance(line, HeaderLine):
                refuse_unaffordable(line)
                self.bits = max(self.bits, _expected_bits(line))
                ctx.prec = self.bits  # restored by the scope that this runs in
                self.judge = Judge(line, exact=self.exact)
                self.local = LocalJudge(self.judge)
                self.claims = ClaimJudge(self.judge, self.local)
                if line.uniforms is not None:
                    self.seen.add("uniforms")
                elif self.test is not None:
                    self.judge.session = self.test.session(
                        line.implementation or UNNAMED,
                        _fingerprint(line),
                        len(line.points),
                        line.unlabelled,
                    )
            elif self.judge is None or self.local is None or self.claims is None:
                raise NotATrace(f"line {number}: expected a header first")
            elif isinstance(line, IterationLine):
                self.length += 1
                self.seen.update(f for f in _STEP_FIELDS if getattr(line, f) is not None)
                self.judge.iteration(number, line)
                self.claims.iteration(number, line, self.local.iteration(number, line))
            else:
                self.seen.update(f for f in _RESULT_FIELDS if getattr(line, f) is not None)
                self.judge.result(number, line)
                self.claims.result(number, line)
        if self.judge is None:
            raise NotATrace("the trace has no header")
        return self.judge


def _explain(source: Source, judge: Judge) -> tuple[Diagnosis, ...]:
    """A second reading: every known mistake along the trace."""
    diagnoser = Diagnoser(judge, judge.violations[0])
    with np.errstate(all="ignore"):
        for number, line in untrusted(source()):
            if isinstance(line, IterationLine):
                diagnoser.iteration(number, line)
            elif isinstance(line, ResultLine):
                diagnoser.result(number, line)
    return diagnoser.diagnoses()


def _general(judge: Judge, local: LocalView | None, judged: int) -> tuple[Diagnosis, ...]:
    """What can be said when no known mistake reproduces the trace."""
    first = judge.violations[0]
    if any(violation.field in {"stopping", "m", "index"} for violation in judge.violations):
        return ()
    bits = judge.precision - math.log2(max(judge.worst, 1.0))
    if judge.violated == 1 and first.gap is not None:
        name = "isolated-value"
        text = f"one value is off by {first.gap * first.allowance:.1e} relatively, and nothing else"
    elif bits >= 10 and judge.worst > 1 and judge.violated * 8 > judged:
        name = "lower-precision"
        text = (
            f"all values are right to about {bits:.0f} bits: lower precision than the "
            f"{judge.precision} declared, or digits lost to the conditioning of X"
        )
    elif local is not None and local.first is not None and local.judged - local.followed <= 2:
        name = "single-slip"
        text = (
            f"one step is wrong, at line {local.first.line}; every other step follows from the "
            "reported state"
        )
    elif first.line == len(judge.picks) + 2:
        name = "result-only"
        text = "every iteration is right; what is wrong is made of them at the end"
    else:
        return ()
    return (Diagnosis(name, text, 0, True),)


def _remarks(judge: Judge) -> tuple[str, ...]:
    remarks = []
    known = judge.allowance.conditioning
    if judge.allowance.hopeless:
        remarks.append(
            f"{judge.precision} bits cannot carry data of condition {known.equilibrated:.1e}: "
            "values were hardly judged"
        )
    elif judge.careless > 1 and not judge.violated:
        remarks.append(
            f"digits are lost: errors up to {judge.careless:.1e} times those of an orthogonal "
            "factorisation with scaled columns"
        )
    if judge.header.precision > judge.precision:
        remarks.append(f"declared {judge.header.precision} bits, judged at {judge.precision}")
    return tuple(remarks)


def _failing(claims: dict[str, ClaimView]) -> Violation | None:
    """The first claim that fails; one does only where a value is wrong, so this is a safeguard."""
    for slug, view in claims.items():
        if view.verdict == "fails" and view.line is not None:
            return Violation(
                view.line, view.j, "claim", view.detail, "", "", None, 0.0, slug,
                "no run of the algorithm has these values",
            )  # fmt: skip
    return None


def _judged(name: str, source: Source, test: DistributionTest | None) -> Judgement:
    bits, exact = FIRST_BITS, False
    while True:
        attempt = _Pass(bits, test, exact=exact)
        try:
            with ctx.workprec(bits):
                judge = attempt.run(source())
                local = attempt.local.view() if attempt.local is not None else None
                claims = attempt.claims.views() if attempt.claims is not None else {}
                diagnosis: tuple[Diagnosis, ...] = ()
                if judge.violations:
                    # Doubles may overflow in an explanation; the violation stands without one.
                    with contextlib.suppress(ArithmeticError, np.linalg.LinAlgError):
                        diagnosis = _explain(source, judge)
                    steps = ("phi", "p", "weight", "weights", "probabilities")
                    judged = sum(judge.checked.get(field, 0) for field in steps)
                    if not any(d.complete for d in diagnosis):
                        diagnosis = (*_general(judge, local, judged), *diagnosis)
            break
        except NeedsExactness:
            bits, exact = max(bits, EXACT_BITS), True
        except Undecided:
            bits = 2 * attempt.bits
            if bits > CEILING_BITS:
                raise NotATrace(
                    f"a value is undecided at {CEILING_BITS // 2} bits: the data are too extreme"
                ) from None
    first = judge.violations[0] if judge.violations else _failing(claims)
    if judge.session is not None and first is None:
        judge.session.commit()
    return Judgement(
        name=name,
        ruling=Ruling.CONFORMS if first is None else Ruling.VIOLATES,
        implementation=judge.header.implementation,
        checked=dict(judge.checked),
        coverage=judge.coverage(attempt.seen),
        undecided=dict(judge.undecided),
        violations=judge.violated,
        first=first,
        claims=claims,
        local=local,
        diagnosis=diagnosis,
        remarks=_remarks(judge),
        worst=judge.worst,
        precision=judge.precision,
        condition=judge.allowance.conditioning.equilibrated,
        bits=attempt.bits,
        length=attempt.length,
        open_at=tuple(sorted(judge.open_at)),
    )


def check_source(
    source: Source, name: str = "trace", *, test: DistributionTest | None = None
) -> Judgement:
    """The verdict on a trace that can be read again and again; `test` collects its picks."""
    try:
        return _judged(name, source, test)
    except AsuraError as error:
        return Judgement(name=name, ruling=Ruling.MALFORMED, fault=error.line)
    except (ArithmeticError, np.linalg.LinAlgError, MemoryError) as error:
        # Numbers beyond what doubles, on which the allowance is computed, can hold.
        fault = f"NotATrace: numbers too extreme to be judged ({type(error).__name__})"
        return Judgement(name=name, ruling=Ruling.MALFORMED, fault=fault)


def check_lines(
    lines: Iterable[str], name: str = "trace", *, test: DistributionTest | None = None
) -> Judgement:
    """The verdict on a trace in memory.

    >>> from asura.dataset import dataset
    >>> from asura.run import run
    >>> from asura.trace import trace_lines
    >>> str(check_lines(trace_lines(run(dataset([[1], [2]]), "1/4"))).ruling)
    'conforms'
    """
    whole = [line.encode("utf-8") for line in lines]
    return check_source(lambda: iter(whole), name, test=test)


def check_file(name: str, *, test: DistributionTest | None = None) -> Judgement:
    """The verdict on a file."""
    return check_source(lambda: lines_of_file(name), name, test=test)
