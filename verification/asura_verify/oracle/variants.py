"""Traces of the variants: Algorithm 2 at tight rates, and K1 and K2, which keep X_2.

The variant is run again along the reported picks, twice: in balls of many bits, which is the
truth, and in balls of the declared bits, whose radius bounds what rounding in that precision can
do to the text of the reference. Another text orders its operations differently and need not
whiten X: the allowance of a value is that radius times `FREEDOM` and times the condition number
of X with scaled columns. Where the second run loses every digit, values are not judged.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from asura.algorithm1_regression import weighted_least_squares
from asura.algorithm2_asura import Asura
from asura.arithmetic import BallArithmetic
from asura.dataset import Dataset
from asura.errors import AsuraError, NotATrace, Undecided
from asura.kept.barriers import Barriers
from asura.kept.trace import variant_of
from asura.picking import pick
from asura.randomness import RecordedUniform
from asura.rates import rates_named
from asura.sampling import WeightedSample
from asura.scalars import rational
from asura.trace import HeaderLine, IterationLine, Line, ResultLine, interpret_header, trace_scalar
from asura.verdict import FAILS, Verdict
from asura_verify.oracle.judgement import Judgement, Ruling, Violation
from asura_verify.oracle.trace.reading import opened

__all__ = ["is_variant", "judged_variant", "opened"]

#: How many times the rounding of the reference's text another text may make.
FREEDOM = 64
#: Bits of the truth beyond those that are declared, and the most that are believed.
MORE_BITS, MOST_BITS = 192, 4096
_SLUGS = {"asura": "tight-rates", "two-sided": "two-sided", "one-sided": "one-sided"}


def is_variant(header: HeaderLine) -> bool:
    """Whether a header speaks of anything but Algorithm 2 at the paper's rates."""
    return header.variant != "asura" or header.rates != "paper"


class _Replay:
    """The run along given picks, in one precision; call it inside `working()`."""

    def __init__(self, header: HeaderLine, bits: int) -> None:
        self.data, gamma, stopping, _ = interpret_header(header)
        self.arithmetic = BallArithmetic(bits, bits)
        self.kept = header.variant != "asura"
        self.text: Any
        with self.arithmetic.working():
            if self.kept:
                self.text = Barriers(self.data, variant_of(header), self.arithmetic)
            else:
                rates = rates_named(header.rates)
                self.text = Asura(self.data, gamma, self.arithmetic, stopping, rates)
            self.state = self.text.initial()
        self.share: Any = None
        self.drawn: Any = None
        self.weights: list[Any] = []
        self.shares: list[Any] = []
        self.picks: list[int] = []

    def barriers(self) -> dict[str, Any]:
        """The fields u and l."""
        if not self.kept:
            return {"u": self.state.upper, "l": self.state.lower}
        found = {"l": self.text.lower_rate * self.state.progress}
        if self.text.upper_rate is not None:
            found["u"] = self.text.upper_rate * self.state.progress
        return found

    def proceeds(self) -> Verdict:
        """Whether one more iteration follows."""
        if self.share is not None:
            return FAILS  # that step was the last
        verdict: Verdict = self.text.proceeds(self.state)
        return verdict

    def look(self) -> None:
        """What is known before the draw."""
        self.drawn = self.text.distribution(self.state)
        self.share = self.text.share(self.state, self.drawn) if self.kept else None

    def picked(self, value: Fraction) -> int:
        """The index that a uniform picks; n_1 for a step that the coin leaves out."""
        uniform = RecordedUniform(value)
        if not self.kept:
            return pick(self.arithmetic, self.drawn.masses, self.drawn.potential, uniform)[0]
        index, _ = self.text.pick(self.drawn, uniform, self.share)
        return self.data.unlabelled if index is None else int(index)

    def values(self, index: int) -> dict[str, Any]:
        """The fields of an iteration."""
        found = {**self.barriers(), "phi": self.drawn.potential}
        count = self.data.unlabelled if self.kept else self.data.size
        found["probabilities"] = [self.drawn.probability(i) for i in range(count)]
        if index < count:
            found["p"] = self.drawn.probability(index)
            found["weight"] = self._weight(index)
        return found

    def _weight(self, index: int) -> Any:
        if self.kept:
            return self.text.weight(self.drawn, index, self.share)
        return self.text.weight(self.drawn, index)

    def step(self, index: int) -> None:
        """Make the step."""
        left_out = self.kept and index == self.data.unlabelled
        self.weights.append(self.text.zero if left_out else self._weight(index))
        self.shares.append(self.text.step_size if self.kept else self.text.gamma)
        self.shares[-1] = self.shares[-1] / self.drawn.potential
        if self.kept:
            chosen = None if left_out else index
            self.state = self.text.step(self.state, chosen, self.drawn, self.share)
        else:
            self.state = self.text.step(self.state, index, self.drawn)
        self.picks.append(index)

    def result(self, *, solve: bool) -> dict[str, Any]:
        """The fields of the result."""
        found = self.barriers()
        if self.kept:
            found["mid"] = self.state.progress
        else:
            found["mid"] = (self.state.upper + self.state.lower) / self.arithmetic.scalar(
                Fraction(2)
            )
        found["weights"] = [weight / found["mid"] for weight in self.weights]
        if not self.kept:
            found["alphas"] = [share / found["mid"] for share in self.shares]
        if solve:
            found["beta"] = self._beta(found["weights"])
        return found

    def _beta(self, weights: Sequence[Any]) -> list[Any]:
        pairs = list(zip(self.picks, weights, strict=True))
        if self.kept:
            one = self.arithmetic.scalar(Fraction(1))
            pairs = [(i, w) for i, w in pairs if i < self.data.unlabelled]
            pairs += [(i, one) for i in range(self.data.unlabelled, self.data.size)]
        labels = {i: self.data.labels[i] or Fraction(0) for i, _ in pairs}
        sample = WeightedSample(
            self.arithmetic, tuple(i for i, _ in pairs), tuple(w for _, w in pairs)
        )
        return weighted_least_squares(self.data, sample, labels)[0]


@dataclass
class _Bench:
    """Both replays, and what was found on the way."""

    header: HeaderLine
    truth: _Replay
    rough: _Replay | None
    condition: float
    checked: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    worst: float = 0.0

    def wrong(self, line: int, j: int | None, what: str, reported: str, message: str) -> None:
        """A decision that cannot be right."""
        slug = _SLUGS[self.header.variant]
        self.violations.append(Violation(line, j, what, reported, "", "", None, 0.0, slug, message))

    def compare(
        self, line: int, j: int | None, reported: Any, true: dict[str, Any], rough: dict[str, Any]
    ) -> None:
        """Every field that the line reports, against truth and allowance."""
        for name, value in true.items():
            given = getattr(reported, name)
            if given is None:
                continue
            if isinstance(value, list):
                if len(given) != len(value):
                    expected = f"expected {len(value)} numbers"
                    self.wrong(line, j, name, f"{len(given)} numbers", expected)
                    continue
                near = rough.get(name, [None] * len(value))
                for entry, exact, close in zip(given, value, near, strict=True):
                    self._number(line, j, name, entry, exact, close)
            else:
                self._number(line, j, name, given, value, rough.get(name))

    def _number(
        self, line: int, j: int | None, name: str, given: Any, true: arb, near: Any
    ) -> None:
        value = arb(rational(trace_scalar(given)))
        if near is None or not near.is_finite() or not true.is_finite():
            self.doubts[name] += 1
            return
        size = abs(true).upper() * arb(2) ** -self.header.precision
        allowance = (near.rad() + true.rad() + size) * FREEDOM * arb(self.condition)
        gap = abs(value - true)
        if gap <= allowance:
            self.checked[name] += 1
            self.worst = max(self.worst, float(gap.upper() / allowance.lower()))
        elif gap > allowance:
            self.checked[name] += 1
            self.violations.append(
                Violation(
                    line, j, name, str(given), (true - allowance).str(17, radius=False),
                    (true + allowance).str(17, radius=False), float(gap / allowance),
                    float(allowance), _SLUGS[self.header.variant],
                    f"{name} is off by {float(gap):.3g}, where rounding explains "
                    f"{float(allowance):.3g}",
                )
            )  # fmt: skip
        else:
            self.doubts[name] += 1


def _conditioning(data: Dataset) -> float:
    """The condition number of X with columns of length one, for the allowance only."""
    rows = np.array([[float(x) for x in row] for row in data.points])
    rows = rows * np.sqrt([[float(scale)] for scale in data.squared_scales])
    lengths = np.linalg.norm(rows, axis=0)
    values = np.linalg.svd(rows[:, lengths > 0] / lengths[lengths > 0], compute_uv=False)
    return float(values[0] / values[data.dimension - 1])


def _rough(bench: _Bench, action: str, *arguments: Any) -> dict[str, Any]:
    """The same step in the declared precision, given up for good once it is lost."""
    if bench.rough is None:
        return {}
    try:
        with bench.rough.arithmetic.working():
            found: dict[str, Any] | None = getattr(bench.rough, action)(*arguments)
    except (Undecided, AsuraError, ArithmeticError):
        bench.rough = None
        return {}
    return found or {}


def _iteration(bench: _Bench, number: int, line: IterationLine, uniforms: Any) -> bool:
    """Judge one iteration; False when the run cannot be followed any further."""
    truth = bench.truth
    goes_on = truth.proceeds()
    if goes_on.fails:
        bench.wrong(number, line.j, "stopping", f"iteration {line.j}", "the run had ended before")
        return False
    truth.look()
    _rough(bench, "look")
    most = bench.truth.data.unlabelled if truth.kept else truth.data.size - 1
    coin = truth.kept and truth.share is not None and bench.header.ending == "coin"
    if line.index > most or (truth.kept and line.index == most and not coin):
        bench.wrong(number, line.j, "index", str(line.index), "no point of X_1 has this index")
        return False
    if uniforms is not None and line.j < len(uniforms.values):
        bench.checked["index"] += 1
        wanted = truth.picked(uniforms.values[line.j])
        if wanted != line.index:
            bench.wrong(number, line.j, "index", str(line.index), f"the uniform picks {wanted}")
            return False
    true = truth.values(line.index)
    near = _rough(bench, "values", line.index)
    bench.compare(number, line.j, line, true, near)
    truth.step(line.index)
    _rough(bench, "step", line.index)
    return True


def judged_variant(
    name: str, header: HeaderLine, lines: Iterator[tuple[int, Line]], *, doubled: int = 0
) -> Judgement:
    """The verdict on the trace of a variant."""
    declared = min(max(header.precision, 24), MOST_BITS)
    bits = (declared + MORE_BITS) << doubled
    data, _, _, uniforms = interpret_header(header)
    known = list(lines)
    length = 0
    with ctx.workprec(bits):
        bench = _Bench(
            header, _Replay(header, bits), _Replay(header, declared), _conditioning(data)
        )
        try:
            for number, line in known:
                if isinstance(line, IterationLine):
                    length += 1
                    if not _iteration(bench, number, line, uniforms):
                        break
                elif isinstance(line, ResultLine):
                    _ending(bench, number, line, length)
        except Undecided:
            if doubled >= 4:
                raise NotATrace(f"a decision is open at {bits} bits: probably a tie") from None
            return judged_variant(name, header, iter(known), doubled=doubled + 1)
    found = bench.violations
    return Judgement(
        name=name,
        ruling=Ruling.VIOLATES if found else Ruling.CONFORMS,
        implementation=header.implementation,
        checked=dict(bench.checked),
        undecided=dict(bench.doubts),
        violations=len(found),
        wrong=dict(Counter(violation.field for violation in found)),
        first=found[0] if found else None,
        remarks=(f"judged as {_words(header)}",),
        worst=bench.worst,
        precision=declared,
        condition=bench.condition,
        bits=bits,
        length=length,
    )


def _words(header: HeaderLine) -> str:
    if header.variant == "asura":
        return "Algorithm 2 at tight rates"
    return f"the {header.variant} variant, X_2 kept, ending by {header.ending}"


def _ending(bench: _Bench, number: int, line: ResultLine, length: int) -> None:
    """The end of the run, and the result."""
    truth = bench.truth
    if line.m != length:
        bench.wrong(number, None, "m", str(line.m), f"there are {length} iterations")
    if truth.data.unlabelled and truth.proceeds().holds and not _nothing(truth):
        bench.wrong(number, None, "stopping", f"m = {line.m}", "the run goes on from here")
        return
    solve = line.beta is not None
    true = truth.result(solve=solve)
    near = bench.rough.result(solve=solve) if bench.rough is not None else {}
    bench.compare(number, None, line, true, near)


def _nothing(truth: _Replay) -> bool:
    """R = 0: nothing is drawn."""
    return truth.kept and not truth.text.variant.reduced_rank
