"""Values that claim to be exact, against the variant's own run along the picks of the trace."""

from __future__ import annotations

from typing import Any

from flint import ctx

from asura.algorithm2_asura import Asura
from asura.arithmetic import BallArithmetic
from asura.errors import Undecided
from asura.kept.barriers import Barriers
from asura.kept.trace import variant_of
from asura.rates import rates_named
from asura.trace import IterationLine, Line, ResultLine
from asura_verify.oracle.kept.bench import Bench
from asura_verify.oracle.trace.values import claims_exactness, number
from asura_verify.oracle.views.court import placed

#: Bits to which a value that claims to be exact agrees with the true one.
EXACT_BITS = 1024


class _TrueRun:
    """The text of the reference, in balls, along given picks."""

    def __init__(self, judge: Bench, bits: int) -> None:
        self.pool = judge.scheme.pool
        arithmetic = BallArithmetic(bits, bits)
        self.kept = judge.scheme.kept
        self.text: Any
        if self.kept:
            self.text = Barriers(judge.data, variant_of(judge.header), arithmetic)
        else:
            rates = rates_named(judge.header.rates)
            self.text = Asura(judge.data, judge.gamma, arithmetic, judge.rule, rates)
        self.state = self.text.initial()
        self.weights: list[Any] = []

    def barriers(self) -> dict[str, Any]:
        """The fields u and l."""
        if not self.kept:
            return {"u": self.state.upper, "l": self.state.lower}
        found = {"l": self.text.lower_rate * self.state.progress}
        if self.text.upper_rate is not None:
            found["u"] = self.text.upper_rate * self.state.progress
        return found

    def step(self, index: int) -> dict[str, Any]:
        """The fields of an iteration, and the step."""
        drawn = self.text.distribution(self.state)
        found = {**self.barriers(), "phi": drawn.potential}
        found["probabilities"] = [drawn.probability(i) for i in range(self.pool)]
        share = self.text.share(self.state, drawn) if self.kept else None
        weight = self.text.zero
        if index < self.pool:
            weight = self.text.weight(drawn, index, *([share] if self.kept else []))
            found |= {"p": drawn.probability(index), "weight": weight}
        self.weights.append(weight)
        if self.kept:
            chosen = index if index < self.pool else None
            self.state = self.text.step(self.state, chosen, drawn, share)
        else:
            self.state = self.text.step(self.state, index, drawn)
        return found

    def result(self) -> dict[str, Any]:
        """The fields of the result, but beta."""
        found = self.barriers()
        mid = self.state.progress if self.kept else (found["u"] + found["l"]) / 2
        return {**found, "mid": mid, "weights": [weight / mid for weight in self.weights]}


def judge_exactly(judge: Bench, lines: list[tuple[int, Line]]) -> None:
    """Every value that claims to be exact; `Undecided` where the bits of the scope do not do."""
    if ctx.prec < EXACT_BITS:
        raise Undecided
    run = _TrueRun(judge, ctx.prec)
    for number_of_line, line in lines:
        if isinstance(line, IterationLine):
            _compare(judge, number_of_line, line.j, line, run.step(line.index))
        elif isinstance(line, ResultLine):
            _compare(judge, number_of_line, None, line, run.result())


def _compare(judge: Bench, line: int, j: int | None, given: Any, true: dict[str, Any]) -> None:
    for field, value in true.items():
        raws = getattr(given, field)
        if raws is None:
            continue
        pairs = zip(raws, value, strict=True) if isinstance(value, list) else [(raws, value)]
        for place, (raw, exact) in enumerate(pairs):
            if claims_exactness(raw) and not number(raw).overlaps(exact):
                listed = place if isinstance(value, list) else None
                judge.accuse(
                    line, j, placed(field, listed), raw, exact.lower(), exact.upper(), None, 0.0,
                    "a rational claims to be exact, and is not the true value",
                )  # fmt: skip
