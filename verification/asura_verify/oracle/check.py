"""Check one trace: the global and the local view, the claims, and what explains a violation."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
from flint import ctx

from asura.errors import AsuraError, NotATrace, Undecided
from asura.trace import (
    HeaderLine,
    IterationLine,
    Line,
    ResultLine,
    trace_scalar,
)
from asura_verify.oracle.judgement import (
    IN_ITERATIONS,
    ClaimView,
    Diagnosis,
    Judgement,
    LocalView,
    Ruling,
    Violation,
    hardly_decided,
    named,
)
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionTest
from asura_verify.oracle.trace.reading import (
    lines_of_file,
    opened,
    refuse_unaffordable,
    untrusted,
    without_effect,
)
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.truth.stated import BLOCK
from asura_verify.oracle.variants import Accounts, counted, is_variant, judged_variant
from asura_verify.oracle.views.court import NeedsExactness
from asura_verify.oracle.views.judge import EXACT_BITS, HIGHEST_PRECISION, Judge
from asura_verify.oracle.views.reported_views import Findings, ReportedViews
from asura_verify.oracle.views.stated import NeedsReplay, reports_state
from asura_verify.oracle.views.view_process import Latest, ViewProcess, ViewProcessLost, cores

#: Bits of a first attempt, and where doubling ends.
FIRST_BITS = 128
CEILING_BITS = 8192
#: Points whose picks are tested: all probabilities are computed, at every iteration.
MOST_POINTS = 10_000
#: Bytes from which a second process pays: it takes seconds to judge them.
LONG_FILE = 1 << 25

#: Opens the lines of a trace, again for every pass.
Source = Callable[[], Iterator[bytes]]
#: Told which reading of a file goes on, and how many bytes of it are judged.
Watcher = Callable[[int, int], None]

_RESULT_FIELDS = ("u", "l", "mid", "weights", "alphas", "beta")

#: What a value may be that is left open for its program's sake.
_UNEXPLAINED = (
    "wrong, or of a program that loses more digits, or loses them anew at every step; "
    "a header with the whitening decides it"
)


def _expected_bits(header: HeaderLine) -> int:
    """What a full run usually needs: the declared bits, and those that are lost on the way."""
    gamma = float(trace_scalar(header.gamma))
    width = max([1, *map(len, header.points)])
    # Observed from d = 1 to 20: 1/gamma until the gap has doubled, and a few for the dimension.
    doublings = 1.0
    if header.stopping == "sure":
        level = min(max(trace_scalar(header.level), Fraction(1)), Fraction(2**64))
        doublings = math.log2(1 + level)
    lost = min(doublings / gamma, 2048.0) + 2 * math.log2(width) if gamma > 0 else 0.0
    return min(max(header.precision, 53), HIGHEST_PRECISION) + 24 + int(lost)


def _fingerprint(header: HeaderLine) -> str:
    """Names the data, so that picks of the same data can be learned from."""
    return hashlib.sha256(msgspec.json.encode([header.points, header.squared_scales])).hexdigest()


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a trace is judged: from the states that it reports, unless it has to be replayed."""

    replayed: bool = False
    exact: bool = False  # some value claims to be


class _Pass:
    """One reading of a trace, inside one precision scope."""

    def __init__(self, header: HeaderLine, test: DistributionTest | None, manner: _Manner) -> None:
        self.judge = Judge(header, exact=manner.exact)
        self._stated: bool | None = False if manner.replayed else None  # judged by its state
        self._waiting: list[tuple[int, IterationLine, bytes]] = []
        self.seen: Counter[str] = Counter()  # how many iterations have a field
        self.ended: set[str] = set()  # what the header and the result have
        self.length = 0
        self.cut: int | None = None  # the first line that was not judged, though others were wrong
        if header.uniforms is not None:
            self.ended.add("uniforms")
        elif test is not None and len(header.points) <= MOST_POINTS:
            self.judge.session = test.session(
                named(header) or UNNAMED,
                _fingerprint(header),
                len(header.points),
                header.unlabelled,
            )

    def run(
        self,
        lines: Iterator[tuple[int, Line]],
        texts: Latest,
        views: ReportedViews | ViewProcess,
        stuck: float,
    ) -> Findings:
        """The values of every line, and behind them the local view and the claims.

        What certainly is wrong stays so when a later value is undecided, and more bits than last
        time led no further than these `stuck` iterations: then the other lines are only read.
        """
        try:
            self._judge(lines, texts, views)
        except (NeedsReplay, NeedsExactness):
            raise
        except Undecided:
            if not self.judge.violations or len(self.judge.picks) > stuck:
                raise
            if isinstance(views, ViewProcess):
                raise ViewProcessLost from None  # it follows whole traces
            self._read_on(lines)
        return views.findings()

    def _read_on(self, lines: Iterator[tuple[int, Line]]) -> None:
        """The lines that are not judged any more, which have to fit the header all the same."""
        self.cut = len(self.judge.picks) + 2
        self.judge.halted = True
        for number, line in lines:
            self._note(line)
            if isinstance(line, IterationLine):
                self.judge.iteration(number, line)

    def _note(self, line: Line) -> None:
        """What a line has."""
        if isinstance(line, IterationLine):
            self.length += 1
            self.seen.update(f for f in IN_ITERATIONS if getattr(line, f) is not None)
        elif isinstance(line, ResultLine):
            self.ended.update(f for f in _RESULT_FIELDS if getattr(line, f) is not None)

    def _judge(
        self, lines: Iterator[tuple[int, Line]], texts: Latest, views: ReportedViews | ViewProcess
    ) -> None:
        for number, line in lines:
            self._note(line)
            if isinstance(line, IterationLine):
                if self._stated is None:  # as the first iteration says
                    self._stated = reports_state(line)
                if self._stated:
                    self._waiting.append((number, line, texts.text))
                    if len(self._waiting) == BLOCK:
                        self._judge_waiting(views)
                else:
                    judged = self.judge.iteration(number, line)
                    views.line(number, line, judged, texts.text)
            elif isinstance(line, ResultLine):
                self._judge_waiting(views)
                views.line(number, line, self.judge.result(number, line), texts.text)

    def _judge_waiting(self, views: ReportedViews | ViewProcess) -> None:
        """A block of lines that report their state."""
        if self._waiting:
            judged_lines = self.judge.block([(number, line) for number, line, _ in self._waiting])
            for (number, line, text), judged in zip(self._waiting, judged_lines, strict=True):
                views.line(number, line, judged, text)
            self._waiting.clear()


def _explain(source: Source, judge: Judge) -> tuple[Diagnosis, ...]:
    """A second reading: every known mistake along the trace."""
    from asura_verify.oracle.diagnosis import Diagnoser  # noqa: PLC0415 for what violates alone

    with np.errstate(all="ignore"):
        diagnoser = Diagnoser(judge, judge.violations[0])
        for number, line in untrusted(source()):
            if isinstance(line, IterationLine):
                diagnoser.iteration(number, line)
                if not diagnoser.alive:
                    break
            elif isinstance(line, ResultLine):
                diagnoser.result(number, line)
    return diagnoser.diagnoses()


def _remarks(judge: Judge) -> tuple[str, ...]:
    remarks = list(judge.remarks)
    known = judge.allowance.conditioning
    if judge.from_states:
        pass  # every value has its own allowance, and what is open is counted
    elif judge.allowance.hopeless:
        remarks.append(
            f"{judge.precision} bits cannot carry data of condition {known.equilibrated:.1e}: "
            "values were hardly judged"
        )
    elif judge.loosest >= GROSS:
        remarks.append(
            f"{judge.precision} bits leave an allowance of up to {judge.loosest:.1e}: "
            "some values were hardly judged"
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


def _first(judge: Judge, failing: Violation | None) -> Violation | None:
    """What is certainly wrong.

    Where values are left open they may be farther off than the balls that claims are asked of, and
    so may those of a gamma whose rates so few bits do not carry.
    """
    if judge.violations:
        return judge.violations[0]
    carried = judge.allowance.widest(0, 1.0, 1.0) < math.inf
    return None if judge.doubtful or judge.vague or not carried else failing


def _doubts(judge: Judge, failing: Violation | None) -> tuple[str, ...]:
    """What leaves a trace undecided in which nothing is certainly wrong."""
    doubts: tuple[str, ...] = ()
    if failing is not None:
        doubts += (f"{failing.slug} fails, if the values that were left open are right",)
    return (*doubts, *(f"{why}: {_UNEXPLAINED}" for why in judge.doubtful))


def _diagnosed(
    source: Source, judge: Judge, local: LocalView | None, *, whole: bool
) -> tuple[Diagnosis, ...]:
    """The known mistakes that reproduce the trace, or what can be said of the whole of it."""
    from asura_verify.oracle.diagnosis import Roundings, general  # noqa: PLC0415 likewise
    from asura_verify.oracle.slip import Surroundings, around  # noqa: PLC0415 likewise

    found: tuple[Diagnosis, ...] = ()
    # Doubles may overflow in an explanation; the violation stands without one.
    with contextlib.suppress(ArithmeticError, np.linalg.LinAlgError):
        found = _explain(source, judge)
    if any(d.complete for d in found) or not whole:
        return found

    def conforms(bits: int) -> bool:
        declared = functools.partial(_declaring, source, bits)
        try:
            again = _judged("", declared, None, accompanied=False, explained=False)
        except (AsuraError, ArithmeticError, np.linalg.LinAlgError, msgspec.DecodeError):
            return False  # so few bits carry no such data
        return again.ruling is Ruling.CONFORMS

    def rounded() -> int | None:
        roundings = Roundings(judge.gamma)
        for _, line in untrusted(source()):
            if isinstance(line, IterationLine | ResultLine):
                roundings.line(line)
        return roundings.bits()

    def read(number: int) -> Surroundings:
        return around(untrusted(source()), number)

    return (*general(judge, local, conforms, rounded, read), *found)


def _declaring(source: Source, bits: int) -> Iterator[bytes]:
    """The same trace with another precision in its header."""
    lines = source()
    header = msgspec.json.decode(next(lines), type=dict[str, msgspec.Raw])
    yield msgspec.json.encode(header | {"precision": msgspec.Raw(str(bits).encode())})
    yield from lines


def _accounts(header: HeaderLine, test: DistributionTest | None) -> Accounts | None:
    """Opens the account of a variant's picks: picks of another variant are another account."""
    if test is None or len(header.points) > MOST_POINTS:
        return None
    known = test
    data = f"{_fingerprint(header)} {header.variant} {header.ending}"
    return lambda places, pool: known.session(named(header) or UNNAMED, data, places, pool)


def _judged(
    name: str,
    source: Source,
    test: DistributionTest | None,
    *,
    accompanied: bool,
    explained: bool = True,
) -> Judgement:
    bits, manner = FIRST_BITS, _Manner()
    reached = -math.inf  # the iterations that the last reading judged before it was undecided
    while True:
        texts = Latest(source())
        header, lines = opened(texts)
        refuse_unaffordable(header)
        if is_variant(header):
            return judged_variant(name, header, lines, accounts=_accounts(header, test))
        bits = max(bits, _expected_bits(header))
        last, attempt = 2 * bits > CEILING_BITS, None
        try:
            with ctx.workprec(bits), contextlib.ExitStack() as stack:
                attempt = _Pass(header, test, manner)
                judge = attempt.judge
                views: ReportedViews | ViewProcess
                if accompanied:
                    views = stack.enter_context(ViewProcess(texts, bits, exact=manner.exact))
                else:
                    views = ReportedViews(judge)
                found = attempt.run(lines, texts, views, math.inf if last else reached)
                diagnosis: tuple[Diagnosis, ...] = ()
                if explained and judge.violations:
                    whole = attempt.cut is None
                    diagnosis = _diagnosed(source, judge, found.local, whole=whole)
            return _judgement(name, attempt, found, diagnosis, bits, tested=test is not None)
        except ViewProcessLost:
            accompanied = False
        except (NeedsReplay, NeedsExactness) as need:
            manner = _Manner(replayed=True, exact=isinstance(need, NeedsExactness))
            bits = max(bits, EXACT_BITS) if manner.exact else bits
        except Undecided:
            if last:
                raise NotATrace(
                    f"a value is undecided at {bits} bits: the data are too extreme", value=bits
                ) from None
            reached = reached if attempt is None else len(attempt.judge.picks)
            bits *= 2


def _judgement(
    name: str,
    attempt: _Pass,
    found: Findings,
    diagnosis: tuple[Diagnosis, ...],
    bits: int,
    *,
    tested: bool,
) -> Judgement:
    """The verdict after a reading that decided, with what else was noticed."""
    judge, claims, local = attempt.judge, found.claims, found.local
    failing = _failing(claims)
    first = _first(judge, failing)
    remarks = without_effect(judge.header) + _remarks(judge)
    if attempt.cut is not None:
        remarks += (f"not judged from line {attempt.cut} on: undecided at {bits} bits there",)
    if tested and judge.session is None and "uniforms" not in attempt.ended:
        remarks += (f"its picks are not tested: more than {MOST_POINTS} points",)
    drawn = False
    if judge.session is not None and first is None:
        drawn, remark = counted(judge.session, judge.doubted)
        remarks += remark
    ruling = Ruling.CONFORMS if first is None else Ruling.VIOLATES
    vague = hardly_decided(judge.checked, judge.vague)
    if vague:
        names = ", ".join(vague)
        remarks += (f"{judge.precision} bits decide too little: most values of {names} are open",)
        ruling = Ruling.UNDECIDED if first is None else ruling
    if first is None and (doubts := _doubts(judge, failing)):
        remarks, ruling = remarks + doubts, Ruling.UNDECIDED
    return Judgement(
        name=name,
        ruling=ruling,
        implementation=named(judge.header),
        checked=dict(judge.checked),
        coverage=judge.coverage(attempt.seen, attempt.ended, attempt.length),
        undecided=dict(judge.undecided),
        vague=dict(judge.vague),
        violations=judge.violated,
        wrong=dict(judge.wrong),
        first=first,
        claims=claims,
        local=local,
        diagnosis=diagnosis,
        remarks=remarks,
        worst=judge.worst,
        ratios=dict(judge.ratios),
        precision=judge.precision,
        condition=judge.allowance.conditioning.equilibrated,
        bits=bits,
        length=attempt.length,
        drawn=attempt.length if drawn else 0,
        open_at=tuple(sorted(judge.open_at)),
    )


def check_source(
    source: Source,
    name: str = "trace",
    *,
    test: DistributionTest | None = None,
    accompanied: bool = False,
) -> Judgement:
    """The verdict on a trace that can be read again and again; `test` collects its picks.

    If accompanied, a part of the work is done in a second process.
    """
    try:
        return _judged(name, source, test, accompanied=accompanied)
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


def worth_company(name: str) -> bool:
    """Whether a file is so long that a second process pays, on a machine that can run it."""
    try:
        return cores() > 1 and Path(name).stat().st_size >= LONG_FILE
    except (OSError, ValueError):
        return False


def check_file(
    name: str, *, test: DistributionTest | None = None, watcher: Watcher | None = None
) -> Judgement:
    """The verdict on a file."""
    readings = itertools.count(1)

    def source() -> Iterator[bytes]:
        reading, done = next(readings), 0
        for text in lines_of_file(name):
            yield text
            done += len(text)
            if watcher is not None:
                watcher(reading, done)

    return check_source(source, name, test=test, accompanied=worth_company(name))
