"""The global view: the whole run recomputed from header and picks, every value judged.

Streaming: one line at a time, the true state in balls, w'_j and Phi_j kept for the result.
A value passes when it certainly lies within the allowance of the true one, violates when it
certainly does not, and asks for more precision otherwise (`Undecided`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

from flint import arb, ctx

from asura.errors import NotATrace, Undecided
from asura.trace import HeaderLine, IterationLine, ResultLine, interpret_header
from asura_verify.oracle.judgement import IN_ITERATIONS, IN_RESULT, OPTIONAL, SLUGS, Violation
from asura_verify.oracle.picks.distribution import Session
from asura_verify.oracle.trace.values import (
    SPARE_BITS,
    Raw,
    abbreviated,
    claims_exactness,
    is_rounded,
    number,
    shown,
    vanishing,
)
from asura_verify.oracle.truth.allowance import Allowance, conditioning, rounding_of_rates
from asura_verify.oracle.truth.replay import Replay
from asura_verify.oracle.views.decisions import judge_pick, judge_stop
from asura_verify.oracle.views.least_squares import judge_regression
from asura_verify.oracle.views.witness import Hint

#: Declared precisions beyond this are judged at this one.
HIGHEST_PRECISION = 2048
#: Values that claim to be exact are compared with the true ones to this many bits.
EXACT_BITS = 1024


class NeedsExactness(Undecided):
    """A value claims to be exact, and the run was not prepared for that."""


def _placed(field: str, place: int | None) -> str:
    return field if place is None else f"{field}[{place}]"


class Judge:
    """Judges the lines of one trace in order; methods run inside one precision scope."""

    def __init__(self, header: HeaderLine, *, exact: bool = False) -> None:
        self.header = header
        self.data, self.gamma, self.rule, self.uniforms = interpret_header(header)
        self.precision = min(header.precision, HIGHEST_PRECISION)
        self.digits = max(17, int(self.precision * 0.302) + 3)
        self.allowance = Allowance(
            self.precision,
            conditioning(self.data),
            rounding_of_rates(self.gamma, self.precision),
        )
        self.exact = exact  # some value of the trace claims to be
        self.rounded = False  # and some value does not
        compared = ctx.prec if exact else min(ctx.prec, self.precision + SPARE_BITS)
        self.replay = Replay(self.data, self.gamma, self.rule, compared)
        self.spread = 1.0  # chi_j
        self.reach = 1.0  # the smallest leverage among the points picked so far
        self.generosity = 1.0  # what is granted beyond a careful implementation
        self.weights: list[arb] = []
        self.shares: list[arb] = []  # gamma/Phi_j
        self.picks: list[int] = []
        self.checked: dict[str, int] = {}
        self.undecided: dict[str, int] = {}
        self.open_at: set[int] = set()
        self.violations: list[Violation] = []
        self.wrong: dict[str, int] = {}
        self.worst = 0.0  # the largest error in units of its allowance
        self.farthest = 0.0  # and in units of what it is relative to
        self.loosest = 0.0  # the largest allowance of a value
        self.careless = 0.0
        self.doubted = 0.0  # the largest allowance of the probability of a pick
        self.halted = False  # a point of probability zero was picked: no true run goes on
        self.undetermined = False
        self.session: Session | None = None  # an account of the distribution test
        self.stop_open = False  # whether the last stop lies within the allowance of the bound

    @property
    def violated(self) -> int:
        """How many values are wrong."""
        return sum(self.wrong.values())

    # -- one value ---------------------------------------------------------------------------

    def accuse(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: object,
        low: arb | str,
        high: arb | str,
        gap: float | None,
        allowance: float,
        message: str,
    ) -> None:
        """Record a violation; only the first few are kept in full."""
        self.farthest = max(self.farthest, math.inf if gap is None else gap * allowance)
        kind = field.partition("[")[0]
        self.wrong[kind] = self.wrong.get(kind, 0) + 1
        if len(self.violations) < 16:
            self.violations.append(
                Violation(
                    line,
                    j,
                    field,
                    abbreviated(raw, 120),
                    low if isinstance(low, str) else shown(low, self.digits),
                    high if isinstance(high, str) else shown(high, self.digits),
                    gap,
                    allowance,
                    SLUGS[kind],
                    message,
                )
            )

    def value(
        self,
        line: int,
        j: int | None,
        field: str,
        raw: Raw | None,
        true: arb,
        allowed: float,
        *,
        scale: arb | None = None,
        place: int | None = None,
    ) -> None:
        """Judge |reported - true| <= allowed * scale, with scale |true| unless given."""
        if raw is None:
            return
        self.checked[field] = self.checked.get(field, 0) + 1
        self.loosest = max(self.loosest, allowed)
        self.rounded = self.rounded or is_rounded(raw)
        error = abs(number(raw) - true)
        bound = (abs(true) if scale is None else scale) * allowed
        if claims_exactness(raw):
            if not self.exact:
                raise NeedsExactness
            if error > 0:
                self.accuse(
                    line, j, _placed(field, place), raw, true.lower(), true.upper(), None, 0.0,
                    "a rational claims to be exact, and is not the true value",
                )  # fmt: skip
        elif error <= bound:
            self._note(error, bound)
            if allowed >= 1:  # nothing but its size was seen
                self.undecided[field] = self.undecided.get(field, 0) + 1
        elif error > bound:
            gap = float(error / bound) if bound > 0 else None
            self.worst = max(self.worst, gap or 0.0)
            self.accuse(
                line, j, _placed(field, place), raw, true - bound, true + bound, gap, allowed,
                "not what the algorithm computes here",
            )  # fmt: skip
        else:
            raise Undecided

    def _note(self, error: arb, bound: arb) -> None:
        """How much of its allowance a value takes, which is of interest for doubles and less."""
        size = float(bound) if self.precision <= 53 else 0.0
        if size > 0:
            share = float(error) / size
            self.worst = max(self.worst, share)
            self.careless = max(self.careless, share * self.generosity)

    # -- the lines ---------------------------------------------------------------------------

    def iteration(self, number_of_line: int, line: IterationLine) -> Hint:
        """Judge one iteration, and take the true step for its pick."""
        self._refuse(number_of_line, line)
        reach, upper = self.reach, float(self.replay.upper)
        if not self.halted:
            self._iteration(number_of_line, line)
        return Hint(self.spread, reach, upper, self.stop_open, self.halted)

    def _iteration(self, number_of_line: int, line: IterationLine) -> None:
        replay, j = self.replay, line.j
        replay.look()
        self.spread = max(self.spread, replay.spread())
        leverages = self.allowance.conditioning.leverages
        own = min(self.reach, leverages[line.index])
        allowed = self.allowance.at(j, self.spread, self.reach)
        point_allowed = self.allowance.at(j, self.spread, own)
        self.doubted = max(self.doubted, point_allowed)
        self.generosity = point_allowed / self.allowance.careful(j, self.spread, own)
        if not replay.potential.rad() < replay.potential * min(allowed, 1.0) / 16:
            raise Undecided
        judge_stop(self, number_of_line, j, allowed, ended=False)
        value, potential = self.value, replay.potential
        value(number_of_line, j, "u", line.u, replay.upper, allowed)
        value(number_of_line, j, "l", line.l, replay.lower, allowed, scale=replay.upper)
        value(number_of_line, j, "phi", line.phi, potential, allowed)
        mass = replay.mass(line.index)
        value(number_of_line, j, "p", line.p, mass / potential, point_allowed)
        if line.probabilities is not None:
            self._probabilities(number_of_line, j, line.probabilities, replay.masses())
        if replay.vanishes(line.index):
            self.checked["index"] = self.checked.get("index", 0) + 1
            self.accuse(
                number_of_line, j, "index", line.index, "0", "0", None, 0.0,
                "this point has probability 0 and can never be picked",
            )  # fmt: skip
            self.halted = True
            return
        value(number_of_line, j, "weight", line.weight, replay.gamma / mass, point_allowed)
        if self.uniforms is not None:
            # Partial sums are off by sum p_i/sqrt(leverage_i) at most, which n bounds.
            summed = self.allowance.at(j, self.spread, min(self.reach, 1 / replay.size))
            judge_pick(self, number_of_line, line, mass, self.uniforms.values[j], summed)
        self.reach = own
        if self.session is not None:
            self.session.draw(replay.chances(), line.index)
        self.shares.append(replay.gamma / replay.potential)
        self.picks.append(line.index)
        self.weights.append(replay.advance(line.index, mass))

    def _refuse(self, number_of_line: int, line: IterationLine) -> None:
        """A line that does not fit the header."""
        replay, j = self.replay, line.j
        if line.index >= replay.size:
            raise NotATrace(
                f"line {number_of_line}, field `index`: {line.index}, "
                f"expected a row from 0 to {replay.size - 1}"
                + (" (indices count from 0)" if line.index == replay.size else "")
            )
        if line.probabilities is not None and len(line.probabilities) != replay.size:
            raise NotATrace(
                f"line {number_of_line}, field `probabilities`: {len(line.probabilities)} entries, "
                f"expected {replay.size}"
            )
        if self.uniforms is not None and j >= len(self.uniforms.values):
            raise NotATrace(
                f"line {number_of_line}: iteration {j} has no uniform, "
                f"the header gives {len(self.uniforms.values)}"
            )

    def _probabilities(self, line: int, j: int, raws: Sequence[Raw], masses: Sequence[arb]) -> None:
        """All n of them."""
        replay, value = self.replay, self.value
        allowances = self.allowance.everywhere(j, self.spread, self.reach)
        for i, (raw, mass, allowed) in enumerate(zip(raws, masses, allowances, strict=True)):
            scale = arb(vanishing(allowed)) if replay.vanishes(i) else None
            value(
                line, j, "probabilities", raw, mass / replay.potential, allowed,
                scale=scale, place=i,
            )  # fmt: skip

    def result(self, line: int, result: ResultLine) -> Hint:
        """Judge the result, the true state being that of j = m."""
        count = len(self.picks)
        for name, given, expected in (
            ("weights", result.weights, count),
            ("alphas", result.alphas, count),
            ("beta", result.beta, self.data.width),
        ):
            if given is not None and len(given) != expected and not self.halted:
                raise NotATrace(
                    f"line {line}, field `{name}`: {len(given)} entries, expected {expected}"
                )
        normalised = 0.0 if self.halted else self._result(line, result)
        upper = float(self.replay.upper)
        return Hint(self.spread, self.reach, upper, self.stop_open, self.halted, normalised)

    def _result(self, line: int, result: ResultLine) -> float:
        """The last line; returns the allowance of what is divided by mid."""
        replay, count = self.replay, len(self.picks)
        allowed = self.allowance.at(count, self.spread, self.reach)
        judge_stop(self, line, count, allowed, ended=True)
        self.checked["m"] = 1
        if result.m != count:
            self.accuse(
                line, None, "m", result.m, str(count), str(count), None, 0.0,
                f"the trace has {count} iterations",
            )  # fmt: skip
        self.value(line, None, "u", result.u, replay.upper, allowed)
        self.value(line, None, "l", result.l, replay.lower, allowed, scale=replay.upper)
        mid = replay.mid()
        self.value(line, None, "mid", result.mid, mid, allowed, scale=replay.upper)
        if count == 0:
            return 0.0
        # mid is a difference when the run was short: its own error is that of u_m.
        normalised = allowed * (1 + float(replay.upper / mid))
        self._normalised(line, "weights", result.weights, self.weights, normalised)
        self._normalised(line, "alphas", result.alphas, self.shares, normalised)
        if result.beta is not None:
            judge_regression(self, line, result.beta, normalised)
        return normalised

    def _normalised(
        self, line: int, field: str, raws: Sequence[Raw] | None, true: list[arb], allowed: float
    ) -> None:
        """A list of the result, its true values divided by mid."""
        mid = self.replay.mid()
        for j, raw in enumerate(raws or ()):
            self.value(line, j, field, raw, true[j] / mid, allowed, place=j)

    def coverage(self, seen: Mapping[str, int], ended: Set[str], length: int) -> tuple[str, ...]:
        """What was absent, and so not judged: everywhere, in iterations, or in the result."""
        absent = []
        for name in OPTIONAL:
            if name not in IN_ITERATIONS:
                absent += [] if name in ended else [name]
                continue
            without = length - seen.get(name, 0)
            at_end = name in IN_RESULT and name not in ended
            if without == length and (at_end or name not in IN_RESULT):
                absent.append(name)
            elif without:
                absent.append(f"{name} (of {without} of {length} iterations)")
            elif at_end:
                absent.append(f"{name} (of the result)")
        if "beta" in ended and self.undetermined:
            absent.append("beta (a label is missing, or the sample does not determine it)")
        return tuple(absent)
