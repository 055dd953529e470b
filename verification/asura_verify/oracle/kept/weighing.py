"""The weight of a step, and what ties it to the probabilities."""

from __future__ import annotations

from flint import arb

from asura.trace import IterationLine
from asura_verify.oracle.kept.bench import Bench, share_of
from asura_verify.oracle.kept.granted import Granted
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.views.relations import Exact
from asura_verify.oracle.views.stated import Interval

_INFINITY = arb("inf")


def judge_weight(
    judge: Bench, line_number: int, line: IterationLine, now: Exact, granted: Granted,
    wrong: set[str], part: arb | None, *, left_out: bool,
) -> None:  # fmt: skip
    """The relations of p, probabilities and weight, and a weight that nothing ties.

    Where the coin left the step out no point was drawn: both are absent, or 0.
    """
    if left_out:
        for field, given, raw in (("p", now.p, line.p), ("weight", now.weight, line.weight)):
            if given is not None:
                judge.count(field)
            if given:
                wrong.add(field)
                judge.accuse(
                    line_number, line.j, field, raw, "0", "0", None, 0.0,
                    "the coin left this step out",
                )  # fmt: skip
        return
    if line.weight is not None:
        judge.count("weight")
    clipped = part is not None and judge.scheme.ending == "clip"
    if wrong:
        _by_mass(judge, line_number, line, granted, wrong, part if clipped else None)
        return
    tied = Exact(now.u, now.l, now.phi, now.p, None if clipped else now.weight)
    defects = granted.defects
    right = judge.relations.chances(judge, line_number, line, tied, defects)
    # What is 0 may be right for a light point, and ties no weight; nor does what is negative.
    positive = all(value is not None and value > 0 for value in (now.p, now.phi))
    known = now.weight is not None and positive
    if clipped and known:
        place, perhaps = (line_number, line.j), judge.last is judge.last.OPEN
        doubts = share_of(judge.kept_goal), share_of(judge.goal)
        if not judge.relations.clipped(judge, place, now, doubts, defects, perhaps=perhaps):
            wrong.add("weight")
        elif doubts[0] >= GROSS:
            judge.leave_open("weight")
    elif not right.get("weight", True):
        wrong.add("weight")
    elif not known:
        _by_mass(judge, line_number, line, granted, wrong, part if clipped else None)


def _by_mass(
    judge: Bench, line_number: int, line: IterationLine, granted: Granted, wrong: set[str],
    part: arb | None,
) -> None:  # fmt: skip
    """A weight by the mass of its point."""
    if line.weight is None:
        return
    mass = granted.mass(line.index)
    share = arb(1) if part is None else part
    steps = judge.step * share

    def over(pair: tuple[arb, arb]) -> tuple[arb, arb]:
        low, high = pair
        if low < 0:
            return -_INFINITY, _INFINITY
        bottom = steps.lower() / high if high.is_finite() else arb(0)
        top = steps.upper() / low if low > 0 else _INFINITY
        return bottom * (1 - 8 * judge.unit), top * (1 + 8 * judge.unit)

    interval = Interval(steps / mass.true, over(mass.near), over(mass.far))
    judge.checked["weight"] -= 1  # it is counted again
    if not judge.interval(line_number, line.j, "weight", line.weight, interval):
        wrong.add("weight")
