"""The two decisions of a run: whether the loop ends, and which point is picked."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from asura.scalars import rational
from asura.trace import IterationLine
from asura_verify.oracle.trace.values import shown
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.views.judging import Judging
from asura_verify.oracle.views.relations import Clock, exactly

#: What an exact trace is granted where it decides.
EXACTLY = 2.0**-900


def _granted(judge: Judging, allowed: float) -> float:
    """The allowance of a decision: hardly any in a trace of nothing but exact values."""
    return EXACTLY if judge.exact and not judge.rounded else allowed


def _open(judge: Judging, field: str, allowed: float, j: int) -> None:
    """A decision that rounding may rightly make; with few bits every decision is such a one."""
    judge.undecided[field] = judge.undecided.get(field, 0) + 1
    judge.open_at.add(j)
    if allowed >= GROSS:
        judge.vague[field] = judge.vague.get(field, 0) + 1


def judge_stop(
    judge: Judging,
    line: int,
    j: int,
    allowed: float,
    reported: Clock | None,
    *,
    ended: bool,
    widest: float = 0.0,
) -> None:
    """Line 3 of Algorithm 2, both ways; near the bound either answer is right.

    On the values that are reported where they are, and else on the true ones.
    """
    replay, near = judge.replay, allowed
    allowed = _granted(judge, max(allowed, widest))
    clock = replay.clock()
    error = (replay.upper * 2 + replay.potential_sum) * allowed
    if reported is not None and not judge.exact:
        clock, error = arb(reported.value), arb(reported.error)
        allowed = near = float(error / replay.bound)
    judge.checked["stopping"] = judge.checked.get("stopping", 0) + 1
    judge.stop_open = False
    low, high = clock - error, clock + error
    if ended:
        if low >= replay.bound:
            return
        if high < replay.bound:
            gap = float((replay.bound - clock) / error)
            judge.accuse(
                line, j, "stopping", f"m = {j}", replay.bound, "infinity", gap, allowed,
                f"too early: the clock stands at {shown(clock, 8)} "
                f"of {shown(replay.bound, 8)}, the loop goes on",
            )  # fmt: skip
            return
    else:
        if high < replay.bound:
            return
        if low >= replay.bound:
            gap = float((clock - replay.bound) / error)
            judge.accuse(
                line, j, "stopping", f"iteration {j}", "-infinity", replay.bound, gap, allowed,
                f"too late: the clock stands at {shown(clock, 8)} "
                f"of {shown(replay.bound, 8)}, the loop has ended",
            )  # fmt: skip
            return
    judge.stop_open = True
    off = replay.bound - clock if ended else clock - replay.bound
    if off * arb(allowed) > error * arb(near):
        judge.leave_unexplained(j, "stopping")
        near = allowed
    _open(judge, "stopping", near, j)


def judge_pick(
    judge: Judging,
    line: int,
    record: IterationLine,
    masses: tuple[arb, arb, arb],
    uniform: Fraction,
    allowed: float,
    widest: float = 0.0,
) -> None:
    """The smallest i with r_j < p_0 + ... + p_i, undecided within the allowance of an end.

    The masses are those before the point, its own, and of all. A pick that is farther off, but
    within what any method allows, is left open for its program's sake.
    """
    judge.checked["index"] = judge.checked.get("index", 0) + 1
    before, mass, total = masses
    index = record.index
    sums = judge.replay.size * 2.0**-judge.precision
    near, allowed = (_granted(judge, x + sums) for x in (allowed, max(allowed, widest)))
    slack, within = total * allowed, total * near
    target = arb(rational(uniform)) * total
    after = before + mass
    if before + within <= target < after - within:
        return
    if target < before - slack or target >= after + slack:
        distance = before - target if target < before else target - after
        judge.accuse(
            line, record.j, "index", index,
            f"r in [{shown(before / total, 8)}", f"{shown(after / total, 8)})",
            float(distance / slack), allowed,
            f"r = {shown(target / total, 17)} does not pick this point",
        )  # fmt: skip
        return
    ends = _ends(judge, record)
    if target < before - within or target >= after + within:
        judge.leave_unexplained(record.j, "index")
        near = allowed
    if ends is None:
        _open(judge, "index", near, record.j)
    elif not ends[0] <= rational(uniform) < ends[1]:
        judge.accuse(
            line, record.j, "index", index, f"r in [{ends[0]}", f"{ends[1]})", None, 0.0,
            f"r = {uniform} is an end, and belongs to the next point",
        )  # fmt: skip


def _ends(judge: Judging, record: IterationLine) -> tuple[fmpq, fmpq] | None:
    """Where r_j has to be by probabilities that are exact, so that a tie has one answer."""
    if judge.rounded or not judge.exact or record.probabilities is None:
        return None
    chances = [exactly(raw) for raw in record.probabilities]
    before = sum(chances[: record.index], fmpq(0))
    return before, before + chances[record.index]
