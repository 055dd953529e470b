"""Traces of the variants: Algorithm 2 at tight rates, and K1 and K2, which keep X_2.

They are judged like those of the paper: relations with counted roundings, every step from the
state that is reported, and what the declared bits leave open (`oracle.kept`). Values that claim to
be exact are compared with the variant's own run along the picks.

>>> from asura.dataset import dataset
>>> from asura.kept.runs import kept_run
>>> from asura.kept.trace import kept_trace_lines
>>> from asura.kept.variants import one_sided
>>> data = dataset([[1], [2], [3]], unlabelled=2)
>>> lines = [line.encode() for line in kept_trace_lines(kept_run(data, one_sided(data, 4, "1/3")))]
>>> judged_variant("trace", *opened(iter(lines))).ruling.value
'conforms'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from flint import ctx

from asura.errors import NotATrace, Undecided
from asura.trace import HeaderLine, IterationLine, Line, ResultLine
from asura_verify.oracle.judgement import (
    IN_ITERATIONS,
    Diagnosis,
    Judgement,
    Ruling,
    Violation,
    hardly_decided,
    named,
)
from asura_verify.oracle.picks.distribution import Session
from asura_verify.oracle.trace.reading import opened, without_effect
from asura_verify.oracle.truth.allowance import NEGLIGIBLE
from asura_verify.oracle.views.coverage import absent

if TYPE_CHECKING:  # imported only for the trace of a variant: `asura check` starts without it
    from asura_verify.oracle.kept.judge import VariantJudge

__all__ = ["counted", "is_variant", "judged_variant", "opened"]

#: Bits beyond the declared ones, and where doubling ends.
MORE_BITS, CEILING_BITS = 128, 8192
_RESULT_FIELDS = ("u", "l", "mid", "weights", "alphas", "beta")

#: Opens an account for the picks of a trace: how many places a pick may have, and how many count
#: as X_1.
Accounts = Callable[[int, int], Session]


def is_variant(header: HeaderLine) -> bool:
    """Whether a header speaks of anything but Algorithm 2 at the paper's rates."""
    return header.variant != "asura" or header.rates != "paper"


def counted(session: Session, doubted: float) -> tuple[bool, tuple[str, ...]]:
    """Let the picks count, unless they may be off by rounding; those of a trace before do already.

    Returns whether the account has them, and a remark.
    """
    if doubted >= NEGLIGIBLE:
        return False, (f"its picks do not count: probabilities may be off by {doubted:.1e}",)
    return True, () if session.commit() else ("its picks count once: a trace before has the same",)


def _followed(
    header: HeaderLine,
    lines: list[tuple[int, Line]],
    bits: int,
    accounts: Accounts | None,
    *,
    last: bool,
) -> tuple[VariantJudge, int | None]:
    """A reading of all lines, and the first that was not judged, though others were wrong.

    What certainly is wrong stays so when a later value is undecided, and no more bits are to be
    had: then the other lines are only read.
    """
    from asura_verify.oracle.kept.exact import judge_exactly  # noqa: PLC0415
    from asura_verify.oracle.kept.judge import VariantJudge  # noqa: PLC0415

    cut = None
    with ctx.workprec(bits):
        judge = VariantJudge(header)
        if accounts is not None and header.uniforms is None:
            places = judge.scheme.pool + (judge.scheme.ending == "coin")
            judge.session = accounts(places, judge.scheme.pool)
        for number, line in lines:
            try:
                if isinstance(line, IterationLine):
                    judge.iteration(number, line)
                elif isinstance(line, ResultLine) and cut is None:
                    judge.result(number, line)
            except Undecided:
                if not (last and judge.violations):
                    raise
                cut, judge.halted = number, True
        if judge.claims_exact and not judge.violations:
            judge_exactly(judge, lines)
    return judge, cut


def judged_variant(
    name: str,
    header: HeaderLine,
    lines: Iterator[tuple[int, Line]],
    *,
    accounts: Accounts | None = None,
) -> Judgement:
    """The verdict on the trace of a variant."""
    from asura_verify.oracle.kept.bench import HIGHEST_PRECISION  # noqa: PLC0415

    known = list(lines)
    bits = min(header.precision, HIGHEST_PRECISION) + MORE_BITS
    while True:
        last = 2 * bits > CEILING_BITS
        try:
            judge, cut = _followed(header, known, bits, accounts, last=last)
            break
        except Undecided:
            if last:
                raise NotATrace(
                    f"a value is undecided at {bits} bits: the data are too extreme", value=bits
                ) from None
            bits *= 2
    return _judgement(name, judge, known, bits, cut)


def _explained(
    judge: VariantJudge, lines: list[tuple[int, Line]], first: Violation
) -> tuple[Diagnosis, ...]:
    """The known mistakes that reproduce the trace."""
    from asura_verify.oracle.kept.diagnosis import diagnosed  # noqa: PLC0415 for what violates

    try:
        return diagnosed(judge, lines, first)
    except (ArithmeticError, np.linalg.LinAlgError):
        return ()  # the violation stands without an explanation


def _judgement(
    name: str,
    judge: VariantJudge,
    lines: list[tuple[int, Line]],
    bits: int,
    cut: int | None = None,
) -> Judgement:
    slug = judge.scheme.slug
    found = [replace(violation, slug=slug) for violation in judge.violations]
    ruling = Ruling.VIOLATES if found else Ruling.CONFORMS
    remarks = (f"judged as {judge.scheme.words}", *without_effect(judge.header), *judge.remarks)
    if cut is not None:
        remarks += (f"not judged from line {cut} on: undecided at {bits} bits there",)
    vague = hardly_decided(judge.checked, judge.vague)
    if vague:
        names = ", ".join(vague)
        remarks += (f"{judge.precision} bits decide too little: most values of {names} are open",)
        ruling = Ruling.UNDECIDED if not found else ruling
    if judge.doubtful and not found:
        lossy = "wrong, or of a program that loses more digits"
        remarks += tuple(f"{why}: {lossy}" for why in judge.doubtful)
        ruling = Ruling.UNDECIDED
    drawn = False
    if judge.session is not None and not found:
        drawn, remark = counted(judge.session, judge.doubted)
        remarks += remark
    iterations = [line for _, line in lines if isinstance(line, IterationLine)]
    seen = Counter(
        field for line in iterations for field in IN_ITERATIONS if getattr(line, field) is not None
    )
    ended = {
        field
        for _, line in lines
        if isinstance(line, ResultLine)
        for field in _RESULT_FIELDS
        if getattr(line, field) is not None
    }
    if judge.header.uniforms is not None:
        ended.add("uniforms")
    return Judgement(
        name=name,
        ruling=ruling,
        implementation=named(judge.header),
        checked=dict(judge.checked),
        coverage=absent(seen, ended, len(iterations), undetermined=judge.undetermined),
        undecided=dict(judge.undecided),
        vague=dict(judge.vague),
        violations=judge.violated,
        wrong=dict(judge.wrong),
        first=found[0] if found else None,
        diagnosis=_explained(judge, lines, found[0]) if found else (),
        remarks=remarks,
        worst=judge.worst,
        ratios=dict(judge.ratios),
        precision=judge.precision,
        condition=judge.allowance.conditioning.equilibrated,
        bits=bits,
        length=len(iterations),
        drawn=len(iterations) if drawn else 0,
        open_at=tuple(sorted(judge.open_at)),
    )
