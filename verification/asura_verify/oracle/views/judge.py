"""The global view: the whole run recomputed from header and picks, every value judged.

Streaming: one line at a time, the true state in balls, w'_j and Phi_j kept for the result.
A value passes when it certainly lies within the allowance of the true one, violates when it
certainly does not, and asks for more precision otherwise (`Undecided`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set

from flint import arb, ctx

from asura.errors import NotATrace, Undecided
from asura.trace import HeaderLine, IterationLine, ResultLine, interpret_header
from asura_verify.oracle.picks.distribution import Session
from asura_verify.oracle.trace.values import SPARE_BITS, Raw, number, vanishing
from asura_verify.oracle.truth.allowance import (
    GROSS,
    LIGHTEST,
    Allowance,
    conditioning,
    floored,
    least_rank,
    rounding_of_rates,
)
from asura_verify.oracle.truth.replay import Replay
from asura_verify.oracle.views.court import Court
from asura_verify.oracle.views.coverage import absent
from asura_verify.oracle.views.decisions import judge_pick, judge_stop
from asura_verify.oracle.views.least_squares import judge_regression
from asura_verify.oracle.views.relations import Exact, Relations
from asura_verify.oracle.views.reported_state import JudgedLine
from asura_verify.oracle.views.stated import NeedsReplay, Stated, reports_state

#: Declared precisions beyond this are judged at this one.
HIGHEST_PRECISION = 2048
#: Values that claim to be exact are compared with the true ones to this many bits.
EXACT_BITS = 1024


class Judge(Court):
    """Judges the lines of one trace in order; methods run inside one precision scope."""

    def __init__(self, header: HeaderLine, *, exact: bool = False) -> None:
        super().__init__(min(header.precision, HIGHEST_PRECISION), exact=exact)
        self.header = header
        self.data, self.gamma, self.rule, self.uniforms = interpret_header(header)
        self.allowance = Allowance(
            self.precision,
            conditioning(self.data),
            rounding_of_rates(self.gamma, self.precision),
        )
        if header.whitening is not None:
            d = self.data.dimension
            shape = [len(row) for row in header.whitening]
            if self.data.width != d or shape != [d] * d:
                raise NotATrace(
                    f"line 1, field `whitening`: expected {d} rows of {d}, as X has", value=shape
                )
        compared = ctx.prec if exact else min(ctx.prec, self.precision + SPARE_BITS)
        self.replay = Replay(self.data, self.gamma, self.rule, compared)
        level = None if self.rule.counts_potentials else self.rule.level
        self.relations = Relations(
            self.gamma, self.replay.dimension, self.replay.size, self.precision, level
        )
        self.spread = 1.0  # chi_j
        self.reach = 1.0  # the smallest leverage among the points picked so far
        self.weights: list[arb] = []
        self.shares: list[arb] = []  # gamma/Phi_j
        self.picks: list[int] = []
        self.remarks: tuple[str, ...] = ()
        self._stated: Stated | None = None
        self.doubted = 0.0  # the largest allowance of the probability of a pick
        self.halted = False  # a point of probability zero was picked: no true run goes on
        self.undetermined = False  # beta: a label of a picked point is missing
        self.session: Session | None = None  # an account of the distribution test
        self.stop_open = False  # whether the last stop lies within the allowance of the bound

    # -- the lines ---------------------------------------------------------------------------

    def iteration(self, number_of_line: int, line: IterationLine) -> JudgedLine:
        """Judge one iteration, and take the true step for its pick."""
        self._refuse(number_of_line, line)
        self.heed((line.u, line.l, line.phi, line.p, line.weight, *(line.probabilities or ())))
        self._doubt_rank(line)
        reach, upper = self.reach, float(self.replay.upper)
        if not self.halted:
            self._iteration(number_of_line, line)
        return JudgedLine(self.spread, reach, upper, self.stop_open, self.halted)

    @property
    def from_states(self) -> bool:
        """Whether the steps were judged from the states that they report."""
        return self._stated is not None

    def block(self, lines: Sequence[tuple[int, IterationLine]]) -> list[JudgedLine]:
        """Judge iterations from the state that they report, or `NeedsReplay`."""
        for number_of_line, line in lines:
            self._refuse(number_of_line, line)
            if not reports_state(line):
                raise NeedsReplay
            self.heed((line.u, line.l, line.phi, line.p, line.weight, *(line.probabilities or ())))
        if self._stated is None:
            self._stated = Stated(self)
            self._doubt_rank(lines[0][1])
        return self._stated.block(lines)

    def _doubt_rank(self, first: IterationLine) -> None:
        """Judge no further when the trace takes a rank that its precision cannot tell from d."""
        reported = first.u if first.u is not None else first.l
        if first.j:
            return
        ranks = range(least_rank(self.data, self.precision), self.data.dimension)
        self.relations.ranks = ranks if reported is None else ()
        for rank in ranks:
            if reported is None:
                fits = self.allowance.hopeless  # or else the values show it
            else:
                off = abs(number(reported)) * self.replay.gamma - 2 * rank
                fits = bool(abs(off) < arb(2) ** (3 - self.precision) * rank)
            if fits:
                field = "stopping" if reported is None else "u"
                self.count(field)
                self.leave_open(field)
                self.remarks += (f"of rank {rank} as far as {self.precision} bits can tell",)
                self.halted, self.doubted = True, 1.0  # nor do its picks count
                return

    def _iteration(self, number_of_line: int, line: IterationLine) -> None:
        replay, j = self.replay, line.j
        replay.look()
        self.spread = max(self.spread, replay.spread())
        leverages = self.allowance.conditioning.leverages
        own = min(self.reach, leverages[line.index])
        allowed = self.allowance.at(j, self.spread, self.reach)
        point_allowed = floored(self.allowance.at(j, self.spread, own))
        widest = self.allowance.widest(j, self.spread, self.reach)
        point_widest = floored(self.allowance.widest(j, self.spread, own))
        self.doubted = max(self.doubted, point_allowed)
        if not replay.potential.rad() < replay.potential * min(allowed, 1.0) / 16:
            raise Undecided
        now = Exact.of(line)
        clock = self.relations.clock(now)
        judge_stop(self, number_of_line, j, allowed, clock, ended=False, widest=widest)
        value, potential, mass = self.value, replay.potential, replay.mass(line.index)
        self.barriers(number_of_line, j, line, now, allowed, widest)
        before = self.violated
        wrong = set()
        if not value(number_of_line, j, "phi", line.phi, potential, allowed, widest=widest):
            wrong.add("phi")
        chance = mass / potential
        value(number_of_line, j, "p", line.p, chance, point_allowed, widest=point_widest)
        if line.probabilities is not None:
            self._probabilities(number_of_line, j, line.probabilities, replay.masses())
        tied: dict[str, bool] = {}
        if self.violated == before:  # values that are wrong say nothing about others
            defects = self.allowance.defects(j, self.spread)
            defects = defects._replace(far=widest)
            tied = self.relations.chances(self, number_of_line, line, now, defects)
        if replay.vanishes(line.index):
            self.checked["index"] = self.checked.get("index", 0) + 1
            self.accuse(
                number_of_line, j, "index", line.index, "0", "0", None, 0.0,
                "this point has probability 0 and can never be picked",
            )  # fmt: skip
            self.halted = True
            return
        right = tied.get("weight", True)
        if "weight" in tied and not self.exact:
            self.count("weight")
        elif right:
            right = value(
                number_of_line, j, "weight", line.weight, replay.gamma / mass, point_allowed,
                widest=point_widest,
            )  # fmt: skip
        if not right:
            wrong.add("weight")
        self.relations.remember(now, wrong)
        self._take(number_of_line, line, mass, own)

    def _take(self, number_of_line: int, line: IterationLine, mass: arb, own: float) -> None:
        """The pick, and the true step for it."""
        replay, j = self.replay, line.j
        if self.uniforms is not None:
            # Partial sums are off by sum p_i/sqrt(leverage_i) at most, which n bounds.
            lightest = min(self.reach, 1 / replay.size)
            summed = self.allowance.at(j, self.spread, lightest)
            widest = self.allowance.widest(j, self.spread, lightest)
            ends = replay.mass_before(line.index), mass, replay.potential
            judge_pick(self, number_of_line, line, ends, self.uniforms.values[j], summed, widest)
        self.reach = own
        if self.session is not None:
            self.session.draw(replay.chances(), line.index)
        self.shares.append(replay.gamma / replay.potential)
        self.picks.append(line.index)
        self.weights.append(replay.advance(line.index, mass))

    def barriers(
        self,
        number_of_line: int,
        j: int | None,
        line: IterationLine | ResultLine,
        now: Exact,
        allowed: float,
        widest: float,
    ) -> None:
        """u and l: from the line before, or else from the true run."""
        upper = self.replay.upper
        found = self.relations.barriers(self, number_of_line, j, now)
        for field, raw, true in (("u", line.u, upper), ("l", line.l, self.replay.lower)):
            if field in found and not self.exact:
                self.count(field)
            elif found.get(field, True):
                self.value(number_of_line, j, field, raw, true, allowed, widest=widest, scale=upper)

    def _refuse(self, number_of_line: int, line: IterationLine) -> None:
        """A line that does not fit the header."""
        replay, j = self.replay, line.j
        if line.index >= replay.size:
            raise NotATrace(
                f"line {number_of_line}, field `index`: {line.index}, "
                f"expected a row from 0 to {replay.size - 1}"
                + (" (indices count from 0)" if line.index == replay.size else ""),
                value=line.index,
            )
        if line.probabilities is not None and len(line.probabilities) != replay.size:
            raise NotATrace(
                f"line {number_of_line}, field `probabilities`: {len(line.probabilities)} entries, "
                f"expected {replay.size}",
                value=len(line.probabilities),
            )
        if self.uniforms is not None and j >= len(self.uniforms.values):
            raise NotATrace(
                f"line {number_of_line}: iteration {j} has no uniform, "
                f"the header gives {len(self.uniforms.values)}",
                value=j,
            )

    def _probabilities(self, line: int, j: int, raws: Sequence[Raw], masses: Sequence[arb]) -> None:
        """All n of them."""
        replay, loose = self.replay, 0.0
        allowances = self.allowance.everywhere(j, self.spread, self.reach)
        leverages = self.allowance.conditioning.leverages
        for i, (raw, mass, allowed) in enumerate(zip(raws, masses, allowances, strict=True)):
            widest = self.allowance.widest(j, self.spread, min(self.reach, leverages[i]))
            chance = mass / replay.potential
            # A lighter point than any double is known no better than the lightest that counts.
            light = abs(chance).max(arb(LIGHTEST))
            scale = arb(vanishing(allowed)) if replay.vanishes(i) else light
            self.value(
                line, j, "probabilities", raw, chance, floored(allowed),
                widest=floored(widest), scale=scale, place=i, listed=True,
            )  # fmt: skip
            loose += float(chance) if allowed >= GROSS else 0.0
        if loose >= GROSS:  # of the probability itself
            self.leave_open("probabilities", replay.size)

    def result(self, line: int, result: ResultLine) -> JudgedLine:
        """Judge the result, the true state being that of j = m."""
        count = len(self.picks)
        for name, given, expected in (
            ("weights", result.weights, count),
            ("alphas", result.alphas, count),
            ("beta", result.beta, self.data.width),
        ):
            if given is not None and len(given) != expected and not self.halted:
                raise NotATrace(
                    f"line {line}, field `{name}`: {len(given)} entries, expected {expected}",
                    value=len(given),
                )
        lists = result.weights or (), result.alphas or ()
        self.heed((result.u, result.l, result.mid, *lists[0], *lists[1]))
        if self._stated is not None:
            self._stated.finish()
        normalised = 0.0 if self.halted else self._result(line, result)
        upper = float(self.replay.upper)
        granted = 0.0 if self._stated is None else self._stated.granted
        normalised = max(normalised, granted)
        return JudgedLine(
            self.spread, self.reach, upper, self.stop_open, self.halted, normalised, granted
        )

    def _result(self, line: int, result: ResultLine) -> float:
        """The last line; returns the allowance of what is divided by mid."""
        replay, count = self.replay, len(self.picks)
        allowed = self.allowance.at(count, self.spread, self.reach)
        widest = self.allowance.widest(count, self.spread, self.reach)
        now = Exact.of(result)
        clock = self.relations.clock(now)
        judge_stop(self, line, count, allowed, clock, ended=True, widest=widest)
        self.count("m")
        if result.m != count:
            self.accuse(
                line, None, "m", result.m, str(count), str(count), None, 0.0,
                f"the trace has {count} iterations",
            )  # fmt: skip
        self.barriers(line, None, result, now, allowed, widest)
        mid = replay.mid()
        tied = {} if self.exact else self.relations.result(self, line, result, now)
        self.remarks += self.relations.settle(self)
        if "mid" in tied:
            self.count("mid")
        else:
            self.value(
                line, None, "mid", result.mid, mid, allowed, widest=widest, scale=replay.upper
            )
        if count == 0:
            return 0.0
        # mid is a difference when the run was short: its own error is that of u_m.
        far = 1 + float(replay.upper / mid)
        normalised = allowed * far
        allowances = normalised, widest * far
        for field, raws, true in (
            ("weights", result.weights, self.weights),
            ("alphas", result.alphas, self.shares),
        ):
            self._normalised(line, field, raws, true, allowances, tied.get(field, ()))
        if result.beta is not None:
            weights, doubts = self._weights_of(result), (0.0, 0.0)
            if weights is None:
                weights, doubts = self.weights, allowances
            judge_regression(self, line, result.beta, weights, *doubts)
        return normalised

    def _weights_of(self, result: ResultLine) -> list[arb] | None:
        """The weights as reported, up to a factor."""
        if result.weights is not None:
            weights = [number(raw) for raw in result.weights]
        else:
            known = self.relations.weights
            if known is None:
                return None
            weights = [arb(weight) for weight in known]
        return weights if all(weight > 0 for weight in weights) else None

    def _normalised(
        self,
        line: int,
        field: str,
        raws: Sequence[Raw] | None,
        true: list[arb],
        allowances: tuple[float, float],
        tied: Container[int],
    ) -> None:
        """A list of the result, its true values divided by mid, but what is tied already."""
        mid, (allowed, widest) = self.replay.mid(), allowances
        for j, raw in enumerate(raws or ()):
            if j in tied:
                self.count(field)
            else:
                self.value(line, j, field, raw, true[j] / mid, allowed, widest=widest, place=j)

    def coverage(self, seen: Mapping[str, int], ended: Set[str], length: int) -> tuple[str, ...]:
        """What was absent, and so not judged: everywhere, in iterations, or in the result."""
        return absent(seen, ended, length, undetermined=self.undetermined)
