"""Which point a step picks: by the uniform of the header, or as a draw that is bet on."""

from __future__ import annotations

import numpy as np
from flint import arb

from asura.scalars import rational
from asura.trace import IterationLine
from asura_verify.oracle.kept.bench import Bench
from asura_verify.oracle.kept.granted import Granted, above
from asura_verify.oracle.trace.values import number, shown


def judge_pick(
    judge: Bench, line_number: int, line: IterationLine, granted: Granted, wrong: set[str],
    part: arb | None,
) -> None:  # fmt: skip
    """The pick of a step, of which `part` leads to the goal; the coin may leave that out."""
    coin = judge.scheme.ending == "coin"
    share = part if coin and part is not None else arb(1)
    if judge.uniforms is not None:
        _by_uniform(judge, line_number, line, granted, wrong, share)
    if judge.session is not None:
        judge.doubted = max(judge.doubted, granted.share + above(share.rad()))
        masses = np.array([float(x) for x in granted.seen.masses])
        total = masses.sum()
        if not (np.isfinite(total) and total > 0):
            return  # beyond doubles
        chances = masses / total
        if coin:
            made = min(1.0, float(share))
            chances = np.append(chances * made, 1 - made)
        if chances[line.index] > 0:
            judge.session.draw(chances, line.index)


def _by_uniform(
    judge: Bench,
    line_number: int,
    line: IterationLine,
    granted: Granted,
    wrong: set[str],
    share: arb,
) -> None:
    """The smallest i with r < share (p_0 + ... + p_i); from share on the step is left out."""
    judge.count("index")
    values = judge.uniforms.values if judge.uniforms is not None else ()
    uniform = arb(rational(values[line.j]))
    masses, whole = granted.seen.masses, granted.seen.potential
    chances = [mass / whole for mass in masses]
    # Whether the uniform is outside, and what is not known of where, by each attempt.
    beyond: dict[str, tuple[bool, float]] = {}
    for attempt in ("near", "report", "far"):
        slack = granted.share if attempt == "near" else granted.most
        if attempt == "report":
            if line.probabilities is None or "probabilities" in wrong:
                continue
            chances = [number(raw) for raw in line.probabilities]
            total = sum(chances, arb(0))
            slack = (2 * len(chances) + 8) * float(judge.unit) + abs(float(total) - 1)
        doubt = arb(slack) + len(chances) * judge.unit + share.rad()
        low, high = share.mid(), 1 + doubt  # no uniform is beyond 1, whatever is rounded
        if line.index < len(chances):
            low = sum(chances[: line.index], arb(0)) * share.mid()
            high = low + chances[line.index] * share.mid()
        if low + doubt <= uniform < high - doubt:
            return
        outside = uniform < low - doubt or uniform >= high + doubt
        beyond[attempt] = outside, above(doubt)
        if outside and attempt != "near":
            judge.accuse(
                line_number, line.j, "index", line.index, f"r in [{shown(low, 8)}",
                f"{shown(high, 8)})", None, float(doubt),
                f"r = {shown(uniform, 17)} does not pick this point",
            )  # fmt: skip
            return
        if attempt == "report":
            break
    outside, unknown = beyond.get("report", beyond["near"])
    if outside:
        judge.leave_unexplained(line.j, "index")
    judge.leave_to_rounding("index", line.j, unknown)
