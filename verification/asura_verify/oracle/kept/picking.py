"""Which point a step picks: by the uniform of the header, or as a draw that is bet on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb

from asura.scalars import rational
from asura.trace import IterationLine
from asura_verify.oracle.kept.bench import Bench
from asura_verify.oracle.kept.granted import Granted, above
from asura_verify.oracle.trace.values import number, shown


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a uniform has to be, as far as one way knows it."""

    low: arb
    high: arb
    doubt: arb

    def inside(self, uniform: arb) -> bool:
        """Surely."""
        return bool(self.low + self.doubt <= uniform < self.high - self.doubt)

    def outside(self, uniform: arb) -> bool:
        """Surely not."""
        return bool(uniform < self.low - self.doubt or uniform >= self.high + self.doubt)


def judge_pick(
    judge: Bench, line_number: int, line: IterationLine, granted: Granted, wrong: set[str],
    parts: tuple[arb | None, arb | None],
) -> None:  # fmt: skip
    """The pick of a step of which a part leads to the goal; the coin may leave that out.

    The part is known by methods that keep enough digits, and by all.
    """
    coin = judge.scheme.ending == "coin"
    near, share = (part if coin and part is not None else arb(1) for part in parts)
    if judge.uniforms is not None:
        _by_uniform(judge, line_number, line, granted, wrong, (near, share))
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
    shares: tuple[arb, arb],
) -> None:
    """The smallest i with r < share (p_0 + ... + p_i); from share on the step is left out."""
    judge.count("index")
    values = judge.uniforms.values if judge.uniforms is not None else ()
    uniform = arb(rational(values[line.j]))
    masses, whole = granted.seen.masses, granted.seen.potential
    chances = [mass / whole for mass in masses]
    near, far = shares
    ways = [(chances, granted.share, near), (chances, granted.most, far)]
    if line.probabilities is not None and "probabilities" not in wrong:
        listed = [number(raw) for raw in line.probabilities]
        total = sum(listed, arb(0))
        slack = (2 * len(listed) + 8) * float(judge.unit) + abs(float(total) - 1)
        ways[1:] = [(listed, slack, near), (listed, slack, far)]
    found = [_where(judge, line.index, *way) for way in ways]
    if any(each.inside(uniform) for each in found):
        return
    kept, last = found[-2:]
    if last.outside(uniform):
        judge.accuse(
            line_number, line.j, "index", line.index, f"r in [{shown(last.low, 8)}",
            f"{shown(last.high, 8)})", None, float(last.doubt),
            f"r = {shown(uniform, 17)} does not pick this point",
        )  # fmt: skip
        return
    if kept.outside(uniform):
        judge.leave_unexplained(line.j, "index")
    judge.leave_to_rounding("index", line.j, above(kept.doubt))


def _where(judge: Bench, index: int, chances: list[arb], slack: float, share: arb) -> _Where:
    doubt = arb(slack) + len(chances) * judge.unit + share.rad()
    if index == len(chances):
        return _Where(share.mid(), 1 + doubt, doubt)  # no uniform is beyond 1, whatever is rounded
    low = sum(chances[:index], arb(0)) * share.mid()
    return _Where(low, low + chances[index] * share.mid(), doubt)
