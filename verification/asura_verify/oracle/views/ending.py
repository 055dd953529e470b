"""The claims that speak of the end of a run, on the result of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, arb_mat

from asura.scalars import rational
from asura.verdict import decided
from asura_verify import formulas
from asura_verify.deciding.matrices import definite
from asura_verify.deciding.numbers import at_most, below, equal
from asura_verify.oracle.trace.values import Reported
from asura_verify.oracle.views.conjunction import Conjunction
from asura_verify.oracle.views.reported_state import ReportedState

#: From this clock on Algorithm 2 is well balanced with the constants of the claim.
BALANCED = Fraction(1, 5)


class Ending:
    """One result line; everything reported is a ball, `total` is sum_i w'_i x_i x_i^T."""

    def __init__(
        self,
        state: ReportedState,
        conjunctions: dict[str, Conjunction],
        line: int,
        seen: Reported,
        before: arb | None,
        total: tuple[arb_mat, arb] | None,
        conditions: Sequence[tuple[arb, arb] | None],
    ) -> None:
        self._state, self._conjunctions, self._line, self._seen = state, conjunctions, line, seen
        self._before = before  # u_{m-1} - l_{m-1}
        self._total = total
        self._conditions = conditions
        self._gamma = arb(rational(state.gamma))
        self._dimension = state.replay.dimension

    def judge_all(self, length: int) -> None:
        """Every claim that the values allow."""
        state, seen, line = self._state, self._seen, self._line
        gamma, d = state.gamma, self._dimension
        # The first bound implies the second: 1 - sqrt(k) >= 2 gamma^2, so that they differ by 2d.
        self._conjunctions["m-bound"].enter(
            decided((length - 1) ** 2 < formulas.squared_length(gamma, d)),
            line, None, f"m = {length} <= ceil(d sqrt(k)/gamma^2) and m < d/gamma^2",
        )  # fmt: skip
        if not self._conditions:
            return  # no iteration: mid is zero
        if seen.alphas is not None:
            total, wanted = sum(seen.alphas, arb(0)), formulas.curvature(self._gamma)
            self._conjunctions["sum-alpha"].enter(
                equal(total, wanted), line, None, "sum of alpha = 1 - 4 gamma^2", total, wanted
            )
        if seen.alphas is not None and seen.mid is not None:
            self._alpha_condition(seen.alphas, seen.mid)
        if seen.u is None or seen.l is None:
            return
        gap = seen.u - seen.l
        self._barriers(seen.u, seen.l, gap)
        clock = formulas.clock(self._gamma, d, gap)
        if state.rule.counts_potentials:
            self._paper(clock, gap)
            self._balanced(clock)
        else:
            self._sure(clock)
        reach = formulas.reach(self._gamma, clock)
        self._spectrum("spectral", reach, "the spectrum lies in 1 +- 2 gamma (1 + 1/r_m)")

    def _alpha_condition(self, alphas: Sequence[arb], mid: arb) -> None:
        for j, (alpha, known) in enumerate(zip(alphas, self._conditions, strict=True)):
            if known is None:
                continue
            reached = alpha * known[0]
            most = formulas.condition_at_most(self._gamma, mid, known[1])
            # At j = 0 both are d/mid.
            verdict = at_most(reached, most) if j else equal(reached, most)
            self._conjunctions["alpha-k"].enter(
                verdict, self._line, j, "alpha K <= (gamma/mid) gap/4", reached, most
            )

    def _barriers(self, upper: arb, lower: arb, gap: arb) -> None:
        g, d, line, seen = self._gamma, self._dimension, self._line, self._seen
        conjunction = self._conjunctions["lm-positive"]
        wanted = formulas.lower_of_upper(g, d, upper)
        conjunction.enter(equal(lower, wanted, upper), line, None, "l_m from u_m", lower, wanted)
        threshold = formulas.positive_from(g, d)
        positive, beyond = lower > 0, upper > threshold
        if not (lower.contains(0) or upper.overlaps(threshold)):
            conjunction.enter(
                decided(bool(positive) == bool(beyond)), line, None,
                "l_m > 0 exactly when u_m > 4d/(gamma(1 - 2 gamma))", lower, upper,
            )  # fmt: skip
        relative, wanted = gap / upper, formulas.relative_gap(g, d, upper)
        self._conjunctions["condition-number"].enter(
            equal(relative, wanted), line, None, "(u_m - l_m)/u_m", relative, wanted
        )
        if seen.mid is None:
            return
        conjunction = self._conjunctions["identity-2"]
        for what, left, right in (
            ("mid = (d/gamma^2) r_m", seen.mid, formulas.middle(g, d, formulas.clock(g, d, gap))),
            ("u_m from mid", upper, formulas.upper_of_middle(g, d, seen.mid)),
            ("l_m from mid", lower, formulas.lower_of_middle(g, d, seen.mid)),
        ):
            conjunction.enter(equal(left, right, upper), line, None, what, left, right)

    def _paper(self, clock: arb, gap: arb) -> None:
        """What the paper's stopping rule implies."""
        g, d, line = self._gamma, self._dimension, self._line
        most = formulas.widest_gap(g, d)
        self._conjunctions["gap-final"].enter(
            at_most(gap, most), line, None, "u_m - l_m <= (4d/gamma)(1 + rbar)", gap, most
        )
        root = formulas.rho(g)
        limit = formulas.clock_ceiling(g, d, root)
        conjunction = self._conjunctions["identity-3"]
        conjunction.enter(below(clock, limit), line, None, "r_m < rho + c(1 + rho)", clock, limit)
        if self._before is not None:
            last = formulas.clock(g, d, self._before)
            conjunction.enter(below(last, root), line, None, "r_{m-1} < rho", last, root)

    def _sure(self, clock: arb) -> None:
        """What the rule `sure` implies."""
        g, d, line = self._gamma, self._dimension, self._line
        level = arb(rational(self._state.rule.level))
        conjunction = self._conjunctions["sure-stop"]
        conjunction.enter(at_most(level, clock), line, None, "T <= r_m", level, clock)
        limit = formulas.clock_ceiling(g, d, level)
        conjunction.enter(at_most(clock, limit), line, None, "r_m <= T + c(1 + T)", clock, limit)
        if self._before is not None:
            last = formulas.clock(g, d, self._before)
            conjunction.enter(below(last, level), line, None, "r_{m-1} < T", last, level)
        reach = formulas.reach(g, level)
        self._spectrum("sure-stop", reach, "the spectrum lies in 1 +- 2 gamma (1 + 1/T)")

    def _spectrum(self, slug: str, reach: arb, what: str) -> None:
        """Every eigenvalue of A^T A lies within the reach of 1."""
        replay, seen = self._state.replay, self._seen
        if seen.weights is not None:
            sums: dict[int, arb] = {}
            for index, weight in zip(self._state.picks, seen.weights, strict=True):
                sums[index] = sums.get(index, arb(0)) + weight
            total = arb_mat(self._dimension, self._dimension)
            for index, weight in sums.items():
                total += replay.outer(index) * weight
            high, low = 1 + reach, 1 - reach
        elif self._total is not None and seen.mid is not None:
            total, doubt = self._total
            high, low = (arb(side * seen.mid, doubt) for side in (1 + reach, 1 - reach))
        else:
            return
        verdict = definite(replay.gram * high - total) & definite(total - replay.gram * low)
        self._conjunctions[slug].enter(verdict, self._line, None, what, reach)

    def _balanced(self, clock: arb) -> None:
        """Whenever r_m >= 1/5: spectrum in 1 +- 12 gamma, sum alpha < 1, alpha K <= 10 gamma^2."""
        conjunction, seen, line = self._conjunctions["well-balanced"], self._seen, self._line
        if seen.alphas is None:
            return
        if not clock >= arb(rational(BALANCED)):
            conjunction.premise = "r_m is not above 1/5"
            return
        self._spectrum("well-balanced", 12 * self._gamma, "the spectrum lies in 1 +- 12 gamma")
        total, one = sum(seen.alphas, arb(0)), arb(1)
        conjunction.enter(below(total, one), line, None, "sum of alpha < 1", total, one)
        most = 10 * self._gamma * self._gamma
        for j, (alpha, known) in enumerate(zip(seen.alphas, self._conditions, strict=True)):
            if known is not None:
                reached = alpha * known[0]
                conjunction.enter(
                    at_most(reached, most), line, j, "alpha K <= 10 gamma^2", reached, most
                )
